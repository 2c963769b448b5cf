//! Texts in canonical form: only the escapes that are needed, no soft line breaks, every line break an LF (in a
//! SimpleText, a space), other white space a space.
//!
//! This works on bytes in any charset, and changes only the bytes that reading interprets. In a charset with
//! two-byte characters, the second bytes are skipped by the tokenizer's own [`Split`].

use std::borrow::Cow;

use crate::raw::two_byte::{Split, TwoByte};
use crate::raw::unescape::line_break;
use crate::work;
use crate::write::escape::{escape_heads, escaped};

/// The rules for reading a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    /// The byte for a line break: LF in a Text, a space in a SimpleText.
    pub(super) hard_break: u8,
    pub(super) charset: Option<TwoByte>,
}

impl Reading {
    /// Returns a text in canonical form. `None` if it has to stay unchanged, since its meaning depends on more than the
    /// rules of texts.
    pub(super) fn canonical<'a>(self, raw: &'a [u8]) -> Option<Cow<'a, [u8]>> {
        if is_shifted(raw) {
            return None;
        }
        let changes =
            |byte| matches!(byte, b'\\' | b']' | b'\t' | 0x0B..=b'\r') || byte == b'\n' && self.hard_break != b'\n';
        if !any(raw, changes) && !self.is_doubtful(raw) {
            return Some(Cow::Borrowed(raw));
        }
        let text = self.walk(raw);
        // Without an escape, bytes of UTF-8 may meet, and two-byte characters be split differently. Only hostile texts do
        // that.
        let certain = self.charset.is_none() || {
            let again = self.walk(&text.raw);
            again.raw == text.raw && again.unescaped == text.unescaped && *escaped(&text.raw, self.charset) == *text.raw
        };
        certain.then_some(Cow::Owned(text.raw))
    }

    /// Joins texts in canonical form, with a blank line between them. `None` if they would read differently together.
    pub(super) fn joined(self, texts: &[Cow<'_, [u8]>]) -> Option<Vec<u8>> {
        if self.charset.is_some() {
            // Each value is judged by itself: it is in UTF-8, or in the charset of `CA`.
            let mut others = texts.iter().filter(|text| !text.is_ascii()).map(|text| str::from_utf8(text).is_ok());
            let first = others.next();
            if others.any(|is_utf8| Some(is_utf8) != first) {
                return None;
            }
        }
        let whole = self.canonical(&texts.join(&b"\n\n"[..]))?.into_owned();
        let parts: Vec<_> = texts.iter().map(|text| self.walk(text).unescaped).collect();
        let is_same = self.walk(&whole).unescaped == parts.join(&b"\n\n"[..]);
        (is_same && *escaped(&whole, self.charset) == *whole).then_some(whole)
    }

    /// Returns whether a lenient reader would detect a game start in a text.
    fn is_doubtful(self, raw: &[u8]) -> bool {
        memchr::memchr(b'[', raw).is_some() && escape_heads(raw.to_vec()) != raw
    }

    /// Reads a text, and writes it with the escapes that it needs.
    fn walk(self, raw: &[u8]) -> Walked {
        work::note(raw.len());
        let mut text = Walked { raw: Vec::with_capacity(raw.len()), unescaped: Vec::with_capacity(raw.len()) };
        let mut split = self.charset.map(|charset| Split::new(charset, 0));
        let mut at = 0;
        while let Some(&byte) = raw.get(at) {
            if split.as_mut().is_some_and(|split| split.is_second(raw, at)) {
                text.push(byte);
                at += 1;
                continue;
            }
            let hard = line_break(&raw[at..]);
            if hard > 0 {
                text.push(self.hard_break);
                at += hard;
                continue;
            }
            let mut shown = byte;
            if byte == b'\\'
                && let Some(&hidden) = raw.get(at + 1)
            {
                at += 1;
                let soft = line_break(&raw[at..]);
                if soft > 0 {
                    at += soft;
                    continue;
                }
                shown = hidden;
            }
            at += 1;
            if matches!(shown, b'\t' | 0x0B | 0x0C) {
                shown = b' ';
            }
            if matches!(shown, b'\\' | b']') {
                text.raw.push(b'\\');
            }
            text.push(shown);
        }
        text.raw = escape_heads(text.raw);
        text
    }
}

/// A text in both forms.
struct Walked {
    raw: Vec<u8>,
    /// The text without its escapes.
    unescaped: Vec<u8>,
}

impl Walked {
    fn push(&mut self, byte: u8) {
        self.raw.push(byte);
        self.unescaped.push(byte);
    }
}

/// Returns whether a text has bytes with which ISO-2022-\*, HZ, UTF-16 and UTF-32 write characters, so that what looks
/// like a backslash may be half of one.
pub(super) fn is_shifted(raw: &[u8]) -> bool {
    any(raw, |byte| matches!(byte, 0 | 0x0E | 0x0F | 0x1B | b'~'))
        && (raw.iter().any(|byte| matches!(byte, 0 | 0x0E | 0x0F | 0x1B)) || memchr::memmem::find(raw, b"~{").is_some())
}

/// Returns whether a byte is one of these. The loop does not stop early, so that the compiler takes many bytes at once.
#[inline(always)]
fn any(raw: &[u8], is_one: impl Fn(u8) -> bool) -> bool {
    raw.iter().fold(false, |any, &byte| any | is_one(byte))
}
