//! The reading rules of Text and SimpleText (FF\[4\], "Text" and "SimpleText").
//!
//! One walk over the raw bytes serves both types; they differ in what a line break becomes. The
//! rules are about ASCII bytes, so the walk is right for any charset whose other bytes are
//! outside ASCII; the multi-byte charsets with ASCII trail bytes are decoded first.

use std::borrow::Cow;

/// `LineBreak = CRLF | LFCR | CR | LF`, the longest first: its length at the start of `bytes`,
/// 0 where there is none.
pub(crate) fn line_break(bytes: &[u8]) -> usize {
    match bytes {
        [b'\r', b'\n', ..] | [b'\n', b'\r', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        _ => 0,
    }
}

const fn is_other_white_space(byte: u8) -> bool {
    matches!(byte, b'\t' | 0x0B | 0x0C)
}

/// Which bytes change in a SimpleText. In a Text an LF does not.
static CHANGES: [bool; 256] = {
    let mut changes = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        changes[byte] = matches!(byte as u8, b'\\' | b'\r' | b'\n') || is_other_white_space(byte as u8);
        byte += 1;
    }
    changes
};

/// Undoes escapes and normalises white space; a hard line break becomes `hard_break`.
///
/// 1. `\` and a line break: nothing (a soft break).
/// 2. `\` and another byte: that byte, still subject to rule 4.
/// 3. a line break: `hard_break`.
/// 4. TAB, VT, FF: a space.
pub(crate) fn unescape(raw: &[u8], hard_break: u8) -> Cow<'_, [u8]> {
    let changes = |&b: &u8| CHANGES[usize::from(b)] && (b != b'\n' || b != hard_break);
    // An LF stays as it is in Text, unless it is half of an LFCR, and then there is a CR.
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

/// UTF-8 with replacement, borrowing where nothing has to change.
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
        // It cannot end a value in a file; `RawValue::new` takes any bytes.
        assert_eq!(unescape(b"a\\", b'\n'), &b"a\\"[..]);
    }

    #[test]
    fn unchanged_text_is_borrowed() {
        assert!(matches!(unescape(b"two\nlines", b'\n'), Cow::Borrowed(_)));
        assert!(matches!(unescape(b"two\nlines", b' '), Cow::Owned(_)));
        assert!(matches!(unescape("囲碁".as_bytes(), b' '), Cow::Borrowed(_)));
    }
}
