//! Converts the draft of a property to raw values.
//!
//! The registry decides whether a text may have line breaks, whether a tuple is a list or a composed value, and how
//! an empty list is written. Values that would read back differently are errors.

use super::Error;
use super::draft::{Atom, AtomKind, Draft, Property, Shape};
use crate::property::{self, Context, List, TextRule, ValueType};
use crate::raw::RawValue;
use crate::raw::two_byte::TwoByte;
use crate::raw::unescape::{line_break, lost_space};
use crate::syntax::event::Ident;
use crate::value::AnyRect;
use crate::value::typed::trim;
use crate::write::{break_heads, holds_head, is_sound};

/// The state of the game that values depend on.
#[derive(Clone, Copy)]
pub(super) struct Rules {
    pub(super) context: Context,
    /// The two-byte charset that `CA` declares.
    pub(super) two_byte: Option<TwoByte>,
    /// Whether to convert white space that SGF cannot represent, instead of failing.
    pub(super) normalize: bool,
    /// Whether the game will declare UTF-8, so that raw bytes must also be UTF-8.
    pub(super) is_utf8: bool,
    /// Whether to compress point lists to rectangles.
    pub(super) compress_points: bool,
}

/// The raw values of a property.
#[derive(Default, PartialEq, Eq)]
pub(super) struct Values {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Values {
    pub(super) fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = RawValue<'_>> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| RawValue::new(&self.bytes[start..end]))
    }

    /// Converts a property; an absent one has no values.
    pub(super) fn fill(&mut self, draft: &Draft, property: &Property, rules: &Rules) -> Result<(), Error> {
        self.bytes.clear();
        self.ends.clear();
        let row = property::lookup(Ident::new(draft.name(property)), &rules.context);
        let is_point_list = !property.rest && row.is_some_and(|row| row.is_point_list());
        let mut atoms = draft.atoms(property);
        let is_list = match (property.shape, atoms) {
            (Shape::Absent, _) => return Ok(()),
            (Shape::Single, _) => false,
            (Shape::List | Shape::Tuple, []) => return self.empty_list(property, row.map(|row| row.list())),
            (Shape::List, _) => true,
            (Shape::Tuple, _) if property.rest => true,
            // `[T; 2]` and `(A, B)` look the same: a composed value, unless the property is a list of them.
            (Shape::Tuple, [a, b]) if !a.first && !b.first => row.is_some_and(|row| row.list() != List::Single),
            (Shape::Tuple, _) if row.is_some_and(is_composed) => {
                return Err(Error::expected("a tuple of two single values", "a different tuple"));
            }
            (Shape::Tuple, _) => true,
        };
        let composed = property.shape == Shape::Tuple && !is_list;
        let texts = Texts { line_breaks: TextRule::of(row.map(|row| row.value_type())) == TextRule::Text, rules };
        while let [atom, rest @ ..] = atoms {
            atoms = rest;
            let start = self.bytes.len();
            match rest {
                [second, rest @ ..] if atom.first || composed => {
                    atoms = rest;
                    self.part(draft, *atom, &texts, Part::First)?;
                    let colon = self.bytes.len();
                    self.bytes.push(b':');
                    self.part(draft, *second, &texts, Part::Second)?;
                    // A board of 19:19 is written as 19.
                    let is_size = row.is_some_and(|row| row.value_type() == ValueType::Size);
                    if is_size && self.bytes[start..colon] == self.bytes[colon + 1..] {
                        self.bytes.truncate(colon);
                    }
                }
                _ => {
                    self.part(draft, *atom, &texts, Part::Whole)?;
                    if is_list && is_point_list && atom.kind != AtomKind::Raw {
                        check_point(RawValue::new(&self.bytes[start..]), &rules.context)?;
                    }
                }
            }
            self.bytes.push(b']');
            break_heads(&mut self.bytes, start, true);
            self.bytes.pop();
            self.ends.push(self.bytes.len());
        }
        if rules.compress_points && is_list && is_point_list && self.ends.len() > 1 {
            self.compress(&rules.context);
        }
        Ok(())
    }

    /// Compresses the points to rectangles.
    fn compress(&mut self, context: &Context) {
        let values: Vec<RawValue<'_>> = self.iter().collect();
        if let Some(rects) = AnyRect::compress(&values, context.game()) {
            self.bytes.clear();
            self.ends.clear();
            for rect in rects {
                self.bytes.extend_from_slice(rect.as_bytes());
                self.ends.push(self.bytes.len());
            }
        }
    }

    /// Writes an empty list as `DD[]`; a property without an empty form is omitted.
    fn empty_list(&mut self, property: &Property, list: Option<List>) -> Result<(), Error> {
        match list {
            Some(List::EList) if !property.rest => self.ends.push(0),
            _ if property.needed || property.rest => {
                return Err(Error::expected("at least one value", "an empty list"));
            }
            _ => {}
        }
        Ok(())
    }

    fn part(&mut self, draft: &Draft, atom: Atom, texts: &Texts<'_>, part: Part) -> Result<(), Error> {
        let bytes = draft.bytes(atom);
        match atom.kind {
            AtomKind::Plain => self.bytes.extend_from_slice(bytes),
            AtomKind::Text => texts.escape(bytes, part, &mut self.bytes)?,
            AtomKind::Bytes if texts.rules.is_utf8 && str::from_utf8(bytes).is_err() => {
                return Err(Error::expected("UTF-8, as `CA` will declare", "raw bytes in another charset"));
            }
            AtomKind::Raw | AtomKind::Bytes => {
                if holds_head(bytes) {
                    let found = "one with an unescaped `[` that would start a game";
                    return Err(Error::expected("a raw value", found));
                }
                if !is_sound(bytes, texts.rules.two_byte) {
                    let expected = "a raw value in which every `]` is escaped and every backslash escapes a byte";
                    return Err(Error::expected(expected, &format!("\"{}\"", bytes.escape_ascii())));
                }
                match (part, atom.kind) {
                    // Typed values that are texts then read back unchanged; other types have no colon.
                    (Part::First, AtomKind::Raw) => escape_colons(bytes, &mut self.bytes),
                    (Part::First, _) if RawValue::new(bytes).compose().is_some() => {
                        return Err(Error::expected("a first component without a colon", "raw bytes with one"));
                    }
                    _ => self.bytes.extend_from_slice(bytes),
                }
            }
        }
        Ok(())
    }
}

/// Returns whether all values of a property have two components.
fn is_composed(row: &property::Property) -> bool {
    row.list() == List::Single && row.value_type().parts().is_some()
}

/// Checks that a value of a point list reads back as one point. A blank value would be the empty list, and a
/// rectangle several points.
fn check_point(value: RawValue<'_>, context: &Context) -> Result<(), Error> {
    if trim(value.as_bytes()).0.is_empty() {
        return Err(Error::expected("a point", "an empty value, which would be an empty list"));
    }
    if value.compose().is_some() {
        match AnyRect::parse_lenient(value, context.game(), context.board()) {
            Ok(AnyRect::Other(_)) | Err(_) => {}
            Ok(_) => {
                let found = "a string that would be read as a rectangle";
                return Err(Error::expected("a point, or a `value::Rect`", found));
            }
        }
    }
    Ok(())
}

/// The role of an atom in its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Whole,
    First,
    Second,
}

/// Rules for escaping texts.
struct Texts<'a> {
    line_breaks: bool,
    rules: &'a Rules,
}

impl Texts<'_> {
    /// Adds a text, escaped so that it reads back unchanged.
    fn escape(&self, text: &[u8], part: Part, out: &mut Vec<u8>) -> Result<(), Error> {
        // Components of composed values have no line breaks.
        let line_breaks = self.line_breaks && part == Part::Whole;
        if let Some(lost) = lost_space(text, line_breaks).filter(|_| !self.rules.normalize) {
            return Err(Error::new(format!("the text has {}; see `Serializer::normalize`", lost.found)));
        }
        let is_special = |b: &u8| matches!(b, b'\\' | b']' | b':' | b'\t'..=b'\r');
        let mut rest = text;
        while let Some(at) = rest.iter().position(is_special) {
            out.extend_from_slice(&rest[..at]);
            let special = &rest[at..];
            let mut len = 1;
            match special[0] {
                byte @ (b'\\' | b']') => out.extend_from_slice(&[b'\\', byte]),
                b':' if part != Part::Whole => out.extend_from_slice(b"\\:"),
                byte @ b':' => out.push(byte),
                _ => {
                    let breaks = line_break(special);
                    out.push(if breaks > 0 && line_breaks { b'\n' } else { b' ' });
                    len = breaks.max(1);
                }
            }
            rest = &special[len..];
        }
        out.extend_from_slice(rest);
        Ok(())
    }
}

/// Adds a raw value and escapes its colons, so that none of them divides a composed value.
fn escape_colons(raw: &[u8], out: &mut Vec<u8>) {
    let mut rest = raw;
    while let Some(at) = rest.iter().position(|b| matches!(b, b'\\' | b':')) {
        out.extend_from_slice(&rest[..at]);
        let len = match rest[at] {
            b':' => {
                out.extend_from_slice(b"\\:");
                1
            }
            // A backslash and the byte it escapes.
            _ => {
                let len = rest.len().min(at + 2) - at;
                out.extend_from_slice(&rest[at..at + len]);
                len
            }
        };
        rest = &rest[at + len..];
    }
    out.extend_from_slice(rest);
}
