//! Rules for reading the text of a value.

use std::borrow::Cow;

use super::ValueType;
use crate::raw::{RawValue, unescape};

/// The rule for reading a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextRule {
    /// Line breaks are kept.
    Text,
    /// Line breaks become spaces.
    Simple,
    /// The raw value: escapes are kept.
    Raw,
}

impl TextRule {
    /// Returns the rule for values of a type. Unknown properties may have lines.
    #[doc(hidden)]
    pub fn of(value_type: Option<ValueType>) -> Self {
        match value_type {
            None | Some(ValueType::Text) => TextRule::Text,
            Some(_) => TextRule::Simple,
        }
    }

    /// Reads a value as UTF-8, with U+FFFD for invalid bytes.
    #[doc(hidden)]
    pub fn read_utf8(self, value: RawValue<'_>) -> Cow<'_, str> {
        match self {
            TextRule::Text => value.text(),
            TextRule::Simple => value.simple_text(),
            TextRule::Raw => unescape::to_str(Cow::Borrowed(value.as_bytes())),
        }
    }
}
