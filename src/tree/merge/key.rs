//! What makes two nodes the same: their moves and their setup, however they are written.

use crate::property::{self, Property, PropertyType, ValueType};
use crate::tree::GameTree;
use crate::value::typed::trim;
use crate::value::{AnyMove, AnyRect, Color, RawValue};

/// The moves and the setup of a node, in one form; empty without any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Key(Vec<u8>);

impl Key {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Larger rectangles are not expanded to their points: no board of Go has more.
const MAX_AREA: u64 = 52 * 52;

/// Returns whether a property determines which node this is.
pub(super) fn is_part(row: &Property) -> bool {
    // Boardspace's moves have no type.
    row.value_type() == ValueType::Move && row.property_type() == PropertyType::Move
        || row.property_type() == PropertyType::Setup
        || matches!(row.ident(), "P0" | "P1")
}

impl GameTree {
    pub(super) fn key_of(&self, node: u32) -> Key {
        let context = self.context_at(node);
        let mut parts = Vec::new();
        for property in self.arena.properties(node) {
            let Some(row) = property::lookup(property.ident(), &context).filter(|row| is_part(row)) else { continue };
            let mut values: Vec<Vec<u8>> = Vec::new();
            for value in property.values() {
                self.put_value(row, value, &mut values);
            }
            values.sort_unstable();
            values.dedup();
            let mut part = row.ident().as_bytes().to_vec();
            for value in values {
                part.push(b'[');
                part.extend_from_slice(&value);
            }
            parts.push(part);
        }
        parts.sort_unstable();
        Key(parts.join(&b';'))
    }

    /// Adds a value, or the points of a value. One that cannot be read is itself.
    fn put_value(&self, row: &Property, raw: RawValue<'_>, values: &mut Vec<Vec<u8>>) {
        let (game, board) = (self.context.game(), self.context.board());
        let text = match row.value_type() {
            ValueType::Move => {
                let read = AnyMove::parse(raw, game, board).or_else(|_| AnyMove::parse_lenient(raw, game, board));
                read.ok().map(|read| read.to_string())
            }
            ValueType::Point | ValueType::Stone if row.is_point_list() => {
                let area = AnyRect::parse(raw, game, board).or_else(|_| AnyRect::parse_lenient(raw, game, board)).ok();
                if let Some(area) = &area
                    && let Some(len) = area.len().filter(|&len| len <= MAX_AREA)
                {
                    let points = (0..len).filter_map(|index| area.nth(index));
                    return values.extend(points.map(|point| point.to_string().into_bytes()));
                }
                area.map(|area| area.to_string())
            }
            ValueType::Color => Color::parse_lenient(raw).ok().map(|color| color.to_string()),
            _ => None,
        };
        values.push(text.map_or_else(|| trim(raw.as_bytes()).0.to_vec(), String::into_bytes));
    }
}
