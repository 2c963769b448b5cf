//! What makes two nodes the same: their moves and their setup, however they are written.

use std::borrow::Cow;

use crate::property::{self, Context, Property, PropertyType, ValueType};
use crate::tree::GameTree;
use crate::value::typed::trim;
use crate::value::{AnyMove, AnyRect, Color, RawValue};
use crate::work;

/// The moves and the setup of a node, in one form; empty without any.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Key(Vec<u8>);

/// The points of a list, one bit each. Boards of Go have at most 52 columns and rows.
struct Points([u64; Points::SIDE]);

impl Points {
    const SIDE: usize = 64;

    /// Adds the points of a rectangle. Returns false if some have no bit.
    fn add(&mut self, [left, top, right, bottom]: [u32; 4]) -> bool {
        let side = Self::SIDE as u32;
        if left > right || top > bottom || right >= side || bottom >= side {
            return false;
        }
        let columns = u64::MAX << left & u64::MAX >> (side - 1 - right);
        work::note((bottom - top) as usize / 8 + 1);
        self.0[top as usize..=bottom as usize].iter_mut().for_each(|row| *row |= columns);
        true
    }
}

/// Returns a value in the form in which two values are compared: without the blanks around it, and without the backslashes of
/// escapes. A writer escapes brackets that a file has bare.
pub(super) fn compared(value: &[u8]) -> Cow<'_, [u8]> {
    let value = trim(value).0;
    if memchr::memchr(b'\\', value).is_none() {
        return Cow::Borrowed(value);
    }
    let mut is_escaped = false;
    let is_kept = |byte: &&u8| {
        is_escaped = **byte == b'\\' && !is_escaped;
        !is_escaped
    };
    Cow::Owned(value.iter().filter(is_kept).copied().collect())
}

/// Returns whether a property determines which node this is.
pub(super) fn is_part(row: &Property) -> bool {
    // Boardspace's moves have no type.
    row.value_type() == ValueType::Move && row.property_type() == PropertyType::Move
        || row.property_type() == PropertyType::Setup
        || matches!(row.ident(), "P0" | "P1")
}

impl Key {
    /// Returns the moves and setup of a node in which identifiers have the meaning of a context.
    pub(super) fn of(tree: &GameTree, node: u32, context: &Context) -> Key {
        let mut parts = Vec::new();
        for property in tree.arena.properties(node) {
            let Some(row) = property::lookup(property.ident(), context).filter(|row| is_part(row)) else { continue };
            let (mut values, mut points) = (Vec::new(), Points([0; Points::SIDE]));
            for value in property.values() {
                work::note(1);
                values.extend(form(row, value, context, &mut points));
            }
            values.sort_unstable();
            values.dedup();
            let mut part = row.ident().as_bytes().to_vec();
            for value in values {
                part.push(b'[');
                part.extend_from_slice(&value);
            }
            for (row, columns) in (0_u8..).zip(points.0).filter(|(_, columns)| *columns != 0) {
                part.extend_from_slice(&[b'[', b'[', row]);
                part.extend_from_slice(&columns.to_be_bytes());
            }
            parts.push(part);
        }
        parts.sort_unstable();
        Key(parts.join(&b';'))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Returns a value in one form, or adds its points. A value that cannot be read is its own form.
fn form(row: &Property, raw: RawValue<'_>, context: &Context, points: &mut Points) -> Option<Vec<u8>> {
    let (game, board) = (context.game(), context.board());
    let text = match row.value_type() {
        ValueType::Move => {
            let read = AnyMove::parse(raw, game, board).or_else(|_| AnyMove::parse_lenient(raw, game, board));
            read.ok().map(|read| read.to_string())
        }
        ValueType::Point | ValueType::Stone if row.is_point_list() => {
            let area = AnyRect::parse(raw, game, board).or_else(|_| AnyRect::parse_lenient(raw, game, board)).ok();
            if area.as_ref().and_then(AnyRect::area).is_some_and(|area| points.add(area)) {
                return None;
            }
            area.map(|area| area.to_string())
        }
        ValueType::Color => Color::parse_lenient(raw).ok().map(|color| color.to_string()),
        _ => None,
    };
    Some(text.map_or_else(|| trim(raw.as_bytes()).0.to_vec(), String::into_bytes))
}
