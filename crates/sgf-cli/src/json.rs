//! JSON as all subcommands write it.
//!
//! No character of a text is lost. Characters that a terminal would obey or hide
//! ([`is_hidden`](crate::visible::is_hidden)) are written as JSON escapes, `\u202e`: a parser reads the original
//! characters, and the output is safe on a terminal.

use std::io::{self, Write};

use serde::Serialize;
use serde::ser::SerializeMap;
use serde_json::Serializer;
use serde_json::ser::Formatter;

use crate::input::Name;
use crate::visible::is_hidden;

/// Compact format, with escapes for hidden characters.
struct Escaping;

impl Formatter for Escaping {
    /// `serde_json` has already escaped quotes, backslashes and C0.
    fn write_string_fragment<W: ?Sized + Write>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
        let is_plain = |byte: u8| byte.is_ascii() && byte != 0x7F;
        if fragment.bytes().all(is_plain) {
            return out.write_all(fragment.as_bytes());
        }
        let mut rest = fragment;
        while let Some((at, char)) = rest.char_indices().find(|&(_, char)| is_hidden(char)) {
            out.write_all(&rest.as_bytes()[..at])?;
            for unit in char.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}")?;
            }
            rest = &rest[at + char.len_utf8()..];
        }
        out.write_all(rest.as_bytes())
    }
}

/// An input that could not be read: `{"file", "message"}`.
pub(crate) struct Unreadable<'a> {
    pub(crate) file: &'a Name,
    pub(crate) message: &'a str,
}

impl Serialize for Unreadable<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        self.file.serialize_as("file", &mut map)?;
        map.serialize_entry("message", self.message)?;
        map.end()
    }
}

/// Writes a value on one line, without a line break at its end.
pub(crate) fn write(out: impl Write, value: &(impl Serialize + ?Sized)) -> io::Result<()> {
    value.serialize(&mut Serializer::with_formatter(out, Escaping)).map_err(Into::into)
}

/// By byte: whether it is written as it is, whatever is around it.
static IS_PLAIN: [bool; 256] = {
    let mut is_plain = [false; 256];
    let mut byte = b' ';
    while byte <= b'~' {
        is_plain[byte as usize] = byte != b'"' && byte != b'\\';
        byte += 1;
    }
    is_plain
};

/// Writes a string, without a line break at its end.
#[inline]
pub(crate) fn write_str(out: &mut Vec<u8>, text: &str) {
    if text.bytes().all(|byte| IS_PLAIN[usize::from(byte)]) {
        out.push(b'"');
        out.extend_from_slice(text.as_bytes());
        out.push(b'"');
    } else {
        write(out, text).expect("a vector takes everything");
    }
}

/// Returns a value as one line.
///
/// # Panics
///
/// Panics if the value cannot be serialized: its keys are not strings, or its own code returns an error. No value of
/// this program does that.
pub(crate) fn string(value: &(impl Serialize + ?Sized)) -> String {
    let mut out = Vec::new();
    write(&mut out, value).expect("a value that can be written");
    String::from_utf8(out).expect("JSON is UTF-8")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_are_escaped_and_nothing_is_lost() {
        for (text, expected) in [
            ("plain", "\"plain\""),
            ("plain \"q\" \\ \n", r#""plain \"q\" \\ \n""#),
            ("木谷実 é", "\"木谷実 é\""),
            ("a\u{202E}b\u{FEFF}", r#""a\u202eb\ufeff""#),
            ("\x1B\x7F\u{9B}", r#""\u001b\u007f\u009b""#),
            ("\u{E0041}", r#""\udb40\udc41""#),
        ] {
            assert_eq!(string(text), expected);
            let mut written = Vec::new();
            write_str(&mut written, text);
            assert_eq!(written, expected.as_bytes());
            assert_eq!(serde_json::from_str::<String>(expected).unwrap(), text);
        }
        let all: String = (0..=char::MAX as u32).filter_map(char::from_u32).collect();
        assert!(!string(&all).chars().any(is_hidden));
        assert_eq!(serde_json::from_str::<String>(&string(&all)).unwrap(), all);
    }
}
