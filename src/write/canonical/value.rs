//! Values in the canonical form of their type.
//!
//! A value gets another form only if that [loses nothing](crate::property::canonical). A value that does not
//! fit its type, which the grammar allows, is kept: as a text if the type is a kind of text, and otherwise byte for byte.

use std::borrow::Cow;
use std::collections::HashSet;

use super::moves::plain_points;
use super::text::{Reading, is_shifted};
use crate::property::canonical::canonical;
use crate::property::{Context, List, Property, Successor, TypedValue, ValueType};
use crate::raw::two_byte::TwoByte;
use crate::value::{AnyRect, RawValue};
use crate::write::escape::escaped;

/// The values of a property, in a context.
pub(super) struct Values<'c> {
    /// The property in the registry.
    pub(super) row: Option<&'static Property>,
    pub(super) context: &'c Context,
    pub(super) charset: Option<TwoByte>,
}

impl Values<'_> {
    pub(super) fn make_canonical(&self, values: &mut Vec<Cow<'_, [u8]>>) {
        if self.row.is_some_and(|row| row.value_type() == ValueType::Application) && values.len() > 1 {
            return self.make_first_canonical(values);
        }
        let mut are_texts = true;
        for value in values.iter_mut() {
            let canonical = match value {
                Cow::Borrowed(raw) => self.canonical(raw),
                Cow::Owned(raw) => self.canonical(raw).map(|value| Cow::Owned(value.into_owned())),
            };
            are_texts &= canonical.is_some();
            *value = canonical.unwrap_or_else(|| self.sound(value));
        }
        let Some(row) = self.row.filter(|row| row.list() == List::Single && values.len() > 1) else { return };
        let is_text = row.value_type() == ValueType::Text;
        // A single value of an older property would be converted when it is read again.
        if is_text || self.are_of_ff4() && row.ident() != "FF" {
            let mut known = HashSet::new();
            values.retain(|value| known.insert(value.clone()));
        }
        if is_text
            && are_texts
            && values.len() > 1
            && let Some(joined) = self.text(b'\n').joined(values)
        {
            *values = vec![Cow::Owned(joined)];
        }
    }

    /// Makes the first of several programs canonical. The others are left unchanged, because it is unknown whether
    /// one of them would be a name without a version, or anything else. Equal ones become one.
    fn make_first_canonical(&self, values: &mut Vec<Cow<'_, [u8]>>) {
        let canonical = |value: &Cow<'_, [u8]>| self.canonical(value).map(Cow::into_owned);
        let mut known = HashSet::new();
        values.retain(|value| known.insert(canonical(value).unwrap_or_else(|| self.sound(value).into_owned())));
        self.make_sound(values);
        if let Some(first) = values.first_mut()
            && let Some(canonical) = canonical(first)
        {
            *first = Cow::Owned(canonical);
        }
    }

    /// Returns whether this is a property of FF\[4\], and not of an older version.
    pub(super) fn are_of_ff4(&self) -> bool {
        self.row.is_some_and(|row| row.successor() == Successor::Itself)
    }

    /// Returns the points of a value in a list of points.
    pub(super) fn points(&self, raw: &[u8]) -> Option<AnyRect> {
        match self.row?.parse_lenient(RawValue::new(raw), self.context) {
            Ok(TypedValue::Points(points)) => Some(points),
            _ => None,
        }
    }

    /// Returns whether one of the values fits the type.
    pub(super) fn fit(&self, values: &[Cow<'_, [u8]>]) -> bool {
        self.row
            .is_some_and(|row| values.iter().any(|value| row.parse_lenient(RawValue::new(value), self.context).is_ok()))
    }

    /// Keeps values, and escapes what would not end at their end.
    pub(super) fn make_sound(&self, values: &mut [Cow<'_, [u8]>]) {
        values.iter_mut().for_each(|value| *value = self.sound(value));
    }

    fn sound<'a>(&self, value: &Cow<'a, [u8]>) -> Cow<'a, [u8]> {
        match value {
            Cow::Borrowed(raw) => escaped(raw, self.charset),
            Cow::Owned(raw) => Cow::Owned(escaped(raw, self.charset).into_owned()),
        }
    }

    /// Returns a value in canonical form. `None` if it has to stay unchanged.
    fn canonical<'a>(&self, raw: &'a [u8]) -> Option<Cow<'a, [u8]>> {
        if self.is_plain(raw) {
            return Some(Cow::Borrowed(raw));
        }
        let raw = match escaped(raw, self.charset) {
            Cow::Borrowed(raw) => return self.canonical_of_sound(raw),
            Cow::Owned(escaped) => escaped,
        };
        self.canonical_of_sound(&raw).map(|value| Cow::Owned(value.into_owned()))
    }

    /// Returns whether a value is in canonical form, and needs no escape.
    pub(super) fn is_canonical(&self, raw: &[u8]) -> bool {
        matches!(self.canonical(raw), Some(Cow::Borrowed(_)))
    }

    /// Returns whether a value is one that needs no parsing to know that it prints as it reads: a point of Go, a
    /// number.
    fn is_plain(&self, raw: &[u8]) -> bool {
        let Some(row) = self.row else { return false };
        match row.value_type() {
            ValueType::Number => is_plain_number(raw) && !raw.contains(&b'.'),
            ValueType::Real | ValueType::Seconds => is_plain_number(raw),
            value_type => {
                matches!(*raw, [x, y] if (value_type == ValueType::Move || row.is_point_list())
                    && plain_points(self.context).has([x, y]))
            }
        }
    }

    fn canonical_of_sound<'a>(&self, raw: &'a [u8]) -> Option<Cow<'a, [u8]>> {
        let row = self.row?;
        match row.value_type() {
            ValueType::Text => self.text(b'\n').canonical(raw),
            ValueType::SimpleText => self.text(b' ').canonical(raw),
            // Without its escapes the value may fit its type, or be in UTF-8.
            value_type if value_type.basic() == ValueType::SimpleText => {
                let text = self.text(b' ').canonical(raw)?;
                match self.typed(row, &text) {
                    Some(Cow::Owned(value)) => Some(Cow::Owned(value)),
                    Some(Cow::Borrowed(_)) | None => Some(text),
                }
            }
            _ if is_shifted(raw) => None,
            _ => match self.without_split_characters(raw) {
                Cow::Borrowed(raw) => self.typed(row, raw),
                Cow::Owned(raw) => self.typed(row, &raw).map(|value| Cow::Owned(value.into_owned())),
            },
        }
    }

    /// Returns a value without the backslashes before bytes of UTF-8, which may occur inside a character.
    fn without_split_characters<'a>(&self, raw: &'a [u8]) -> Cow<'a, [u8]> {
        if self.charset.is_some() || raw.is_ascii() || !raw.contains(&b'\\') {
            return Cow::Borrowed(raw);
        }
        let (mut whole, mut at) = (Vec::with_capacity(raw.len()), 0);
        while let Some(&byte) = raw.get(at) {
            let hidden = if byte == b'\\' { raw.get(at + 1) } else { None };
            match hidden {
                Some(&hidden) if hidden.is_ascii() => whole.extend([byte, hidden]),
                Some(&hidden) => whole.push(hidden),
                None => whole.push(byte),
            }
            at += 1 + usize::from(hidden.is_some());
        }
        Cow::Owned(whole)
    }

    fn text(&self, hard_break: u8) -> Reading {
        Reading { hard_break, charset: self.charset }
    }

    /// Returns the form that the type prints, if that has the same meaning.
    fn typed<'a>(&self, row: &Property, raw: &'a [u8]) -> Option<Cow<'a, [u8]>> {
        let text = str::from_utf8(raw).ok()?; // parsing another charset would lose bytes
        Some(match canonical(row, text, self.context)? {
            Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
            Cow::Owned(text) => Cow::Owned(text.into_bytes()),
        })
    }
}

/// Returns whether a decimal number has no needless sign or zero, and few enough digits for all of them to count.
fn is_plain_number(raw: &[u8]) -> bool {
    let whole = raw.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (whole, fraction) = raw.split_at(whole);
    let is_whole_plain = matches!(whole, [b'0'] | [b'1'..=b'9', ..]);
    let is_fraction_plain = match fraction {
        [] => true,
        [b'.', digits @ .., last] => digits.iter().all(u8::is_ascii_digit) && matches!(last, b'1'..=b'9'),
        _ => false,
    };
    raw.len() <= 15 && is_whole_plain && is_fraction_plain
}
