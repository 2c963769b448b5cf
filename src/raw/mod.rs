//! Rules about bytes that need no parser state: white space, raw values, escapes, and two-byte charsets.

pub(crate) mod two_byte;
pub(crate) mod unescape;
mod value;
pub(crate) mod words;

pub use value::RawValue;

/// The byte-order mark of UTF-8.
pub const BOM: &[u8] = b"\xEF\xBB\xBF";

/// Returns whether a byte is white space, which is allowed between lexemes.
/// `White space = SPACE | TAB | CR | LF | VT | FF`.
///
/// The standard library's `trim_ascii` and `is_ascii_whitespace` omit the vertical tab: do not use them for SGF.
#[inline]
pub const fn is_white_space(byte: u8) -> bool {
    matches!(byte, b' ' | 0x09..=0x0D)
}

/// Returns the bytes without white space at both ends.
pub fn trim(bytes: &[u8]) -> &[u8] {
    trim_end(trim_start(bytes))
}

/// Returns the bytes without white space at the start.
pub(crate) fn trim_start(bytes: &[u8]) -> &[u8] {
    let start = bytes.iter().position(|&byte| !is_white_space(byte)).unwrap_or(bytes.len());
    &bytes[start..]
}

/// Returns the bytes without white space at the end.
pub fn trim_end(bytes: &[u8]) -> &[u8] {
    let len = bytes.iter().rposition(|&byte| !is_white_space(byte)).map_or(0, |last| last + 1);
    &bytes[..len]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_white_space_of_sgf_is_trimmed() {
        let white: Vec<u8> = (0..=255).filter(|&byte| is_white_space(byte)).collect();
        assert_eq!(white, b"\t\n\x0B\x0C\r ");
        let padded = [&white, &b"a\x0Bb"[..], &white].concat();
        assert_eq!(trim(&padded), b"a\x0Bb");
        assert_eq!((trim(&white), trim_start(&white), trim_end(&white)), (&b""[..], &b""[..], &b""[..]));
        assert_eq!(trim_start(&padded), &padded[white.len()..]);
        assert_eq!(trim_end(&padded), &padded[..padded.len() - white.len()]);
    }
}
