//! Unescaping of Text and SimpleText (FF\[4\], "Text" and "SimpleText").
//!
//! One pass over the raw bytes serves both types; they differ in the replacement of line breaks. The rules apply only
//! to ASCII bytes, so the pass is correct for every charset in which ASCII bytes are ASCII characters. Text in
//! charsets with ASCII trail bytes is decoded first.

use std::borrow::Cow;

use super::words::{self, Word};

/// Returns the length of the line break at the start of `bytes`, or 0.
///
/// `LineBreak = CRLF | LFCR | CR | LF`, the longest match first.
pub(crate) fn line_break(bytes: &[u8]) -> usize {
    match bytes {
        [b'\r', b'\n', ..] | [b'\n', b'\r', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        _ => 0,
    }
}

/// White space of a text that parsing would convert, so that the text would not read back unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LostSpace {
    /// What was found, and why it is lost.
    pub(crate) found: &'static str,
    /// What to write instead.
    pub(crate) instead: &'static str,
}

/// Returns the first white space of a text that parsing would convert. `line_breaks`: whether the value may have lines.
///
/// This is the only rule about what texts can be written: for serde, and for edits of trees.
pub(crate) fn lost_space(text: &[u8], line_breaks: bool) -> Option<LostSpace> {
    let is_lost = |&b: &u8| b == b'\r' || is_other_white_space(b) || b == b'\n' && !line_breaks;
    let found = match text.iter().copied().find(is_lost)? {
        b'\n' => "line breaks, which its property does not allow",
        b'\t' => "tabs (U+0009), which SGF cannot represent",
        0x0B => "vertical tabs (U+000B), which SGF cannot represent",
        0x0C => "form feeds (U+000C), which SGF cannot represent",
        // Alone, before a line feed or after one.
        _ => "carriage returns (U+000D), which SGF cannot represent",
    };
    let instead = if line_breaks && found.starts_with("carriage") { "line feeds (U+000A)" } else { "spaces" };
    Some(LostSpace { found, instead })
}

const fn is_other_white_space(byte: u8) -> bool {
    matches!(byte, b'\t' | 0x0B | 0x0C)
}

/// Bytes that unescaping a SimpleText changes. In a Text, LF is kept.
static CHANGES: [bool; 256] = {
    let mut changes = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        changes[byte] = matches!(byte as u8, b'\\' | b'\r' | b'\n') || is_other_white_space(byte as u8);
        byte += 1;
    }
    changes
};

/// Removes escapes and normalizes white space; a hard line break becomes `hard_break`.
///
/// 1. `\` and a line break (a soft break) are removed.
/// 2. `\` and another byte become that byte, still subject to rule 4.
/// 3. A line break becomes `hard_break`.
/// 4. TAB, VT and FF become a space.
pub(crate) fn unescape(raw: &[u8], hard_break: u8) -> Cow<'_, [u8]> {
    let changes = |&b: &u8| CHANGES[usize::from(b)] && (b != b'\n' || b != hard_break);
    if is_plain(raw) {
        return Cow::Borrowed(raw);
    }
    // In Text an LF is kept unless it starts an LFCR; then the CR is found, and `first` steps back to the LF.
    let Some(first) = raw.iter().position(changes) else {
        return Cow::Borrowed(raw);
    };
    let first = if first > 0 && raw[first] == b'\r' && raw[first - 1] == b'\n' { first - 1 } else { first };
    let mut out = Vec::with_capacity(raw.len());
    out.extend_from_slice(&raw[..first]);
    let mut rest = &raw[first..];
    while let Some((&byte, tail)) = rest.split_first() {
        let hard = line_break(rest);
        if hard > 0 {
            out.push(hard_break);
            rest = &rest[hard..];
            continue;
        }
        let (byte, tail) = match (byte, tail.split_first()) {
            (b'\\', Some((&hidden, after))) => {
                let soft = line_break(tail);
                if soft > 0 {
                    rest = &tail[soft..];
                    continue;
                }
                (hidden, after)
            }
            _ => (byte, tail),
        };
        out.push(if is_other_white_space(byte) { b' ' } else { byte });
        rest = tail;
    }
    Cow::Owned(out)
}

/// Returns the value as text, if it is UTF-8 that no text rule changes.
#[inline]
pub(crate) fn plain_text(raw: &[u8]) -> Option<&str> {
    if is_plain(raw) { str::from_utf8(raw).ok() } else { None }
}

/// Returns the value as text, if it is ASCII that no text rule changes.
#[inline]
pub fn plain_ascii(raw: &[u8]) -> Option<&str> {
    if words::has_none(raw, |word| changes(word) | word.not_ascii()) { str::from_utf8(raw).ok() } else { None }
}

/// Returns whether the value has neither backslashes nor control characters.
#[inline]
pub fn is_plain(raw: &[u8]) -> bool {
    words::has_none(raw, changes)
}

/// Returns a number other than 0 if the word has backslashes or control characters.
#[inline(always)]
fn changes(word: Word) -> u64 {
    word.below(b' ') | word.equal(b'\\')
}

/// Decodes UTF-8, replacing invalid bytes with U+FFFD. Borrows if nothing changes.
pub(crate) fn to_str(bytes: Cow<'_, [u8]>) -> Cow<'_, str> {
    match bytes {
        Cow::Borrowed(bytes) => match str::from_utf8(bytes) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => String::from_utf8_lossy(bytes),
        },
        Cow::Owned(bytes) => Cow::Owned(match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(bad) => String::from_utf8_lossy(bad.as_bytes()).into_owned(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_breaks_pair_two_different_bytes_from_the_left() {
        for (raw, text) in [
            ("\r\n\r", "\n\n"),
            ("\n\n", "\n\n"),
            ("\r\n\n\r", "\n\n"),
            ("\n\r\n", "\n\n"),
            ("a\n\rb", "a\nb"),
            ("\n\n\r", "\n\n"),
        ] {
            assert_eq!(unescape(raw.as_bytes(), b'\n'), text.as_bytes(), "{raw:?}");
        }
    }

    #[test]
    fn a_backslash_at_the_end_stands_for_itself() {
        // No value in a file ends with a backslash, but `RawValue::new` takes any bytes.
        assert_eq!(unescape(b"a\\", b'\n'), &b"a\\"[..]);
    }

    #[test]
    fn a_plain_text_is_one_wherever_a_byte_stands() {
        for byte in 0..=u8::MAX {
            for (len, at) in (1..20).flat_map(|len| (0..len).map(move |at| (len, at))) {
                let mut raw = vec![b'\xFF'; len];
                raw[at] = byte;
                assert_eq!(is_plain(&raw), byte >= b' ' && byte != b'\\', "{byte} at {at} of {len}");
            }
            if is_plain(&[byte]) {
                assert!([b' ', b'\n'].iter().all(|&hard| *unescape(&[byte], hard) == [byte][..]), "{byte}");
            }
        }
        assert_eq!(plain_text(b""), Some(""));
        assert_eq!(plain_text("囲碁".as_bytes()), Some("囲碁"));
        assert_eq!(plain_text(b"\xE5\x9B"), None);
    }

    #[test]
    fn plain_ascii_is_plain_text_in_ascii() {
        for (raw, plain) in [("", true), ("a b", true), ("é", false), ("eight by\te", false), ("a\\]", false)] {
            assert_eq!(plain_ascii(raw.as_bytes()).is_some(), plain, "{raw:?}");
        }
    }

    #[test]
    fn unchanged_text_is_borrowed() {
        assert!(matches!(unescape(b"two\nlines", b'\n'), Cow::Borrowed(_)));
        assert!(matches!(unescape(b"two\nlines", b' '), Cow::Owned(_)));
        assert!(matches!(unescape("囲碁".as_bytes(), b' '), Cow::Borrowed(_)));
    }
}
