//! Decodes and encodes texts in the charset of a game.

use std::borrow::Cow;

#[cfg(feature = "charset")]
use crate::charset::{Charset, TreeCharset};
use crate::raw::unescape;
use crate::value::RawValue;

/// The encoding of a game's texts: UTF-8 with replacement, unless a charset was found.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Texts {
    #[cfg(feature = "charset")]
    pub(super) charset: Option<TreeCharset>,
}

impl Texts {
    /// Decodes a raw value to UTF-8, still escaped.
    pub(super) fn decode(self, raw: RawValue<'_>) -> Cow<'_, str> {
        #[cfg(feature = "charset")]
        if let Some(charset) = self.charset {
            return charset.decode(raw).into_text();
        }
        unescape::to_str(Cow::Borrowed(raw.as_bytes()))
    }

    /// Reads a raw value as *Text*, or as *SimpleText*.
    pub(super) fn read(self, raw: RawValue<'_>, is_simple: bool) -> Cow<'_, str> {
        #[cfg(feature = "charset")]
        if let Some(charset) = self.charset {
            let decoded = if is_simple { charset.simple_text(raw) } else { charset.text(raw) };
            return decoded.into_text();
        }
        if is_simple { raw.simple_text() } else { raw.text() }
    }

    /// Encodes an escaped text; `None` if the charset lacks one of its characters.
    #[cfg(feature = "charset")]
    pub(super) fn encode(self, text: &str) -> Option<Vec<u8>> {
        let charset = self.charset.map_or(Charset::UTF_8, TreeCharset::charset);
        if charset == Charset::UTF_8 {
            return Some(text.as_bytes().to_vec());
        }
        if !charset.is_ascii_compatible() {
            return None;
        }
        // Refuse texts that it cannot encode, and those it would decode differently: two charsets share some
        // bytes.
        let (bytes, _, is_lossy) = charset.encoding()?.encode(text);
        let bytes = bytes.into_owned();
        let reads_so = !is_lossy && self.decode(RawValue::new(&bytes)) == text;
        reads_so.then_some(bytes)
    }
}
