//! What is not read as SGF, so that messages can name it: formats that are recognized but not supported, and data that is not
//! text.

use super::kind::{self, HEAD, is_white};
use super::name::Name;

/// An unsupported format.
struct Foreign {
    what: &'static str,
    /// Magic numbers, each with its offset.
    marks: &'static [(usize, &'static [u8])],
    /// File extensions, in lower case.
    endings: &'static [&'static str],
}

const FOREIGN: [Foreign; 14] = [
    Foreign { what: "a 7-Zip archive", marks: &[(0, b"7z\xBC\xAF\x27\x1C")], endings: &[".7z"] },
    Foreign { what: "a RAR archive", marks: &[(0, b"Rar!\x1A\x07")], endings: &[".rar"] },
    Foreign {
        what: "a file compressed with LZ4",
        marks: &[(0, b"\x04\x22\x4D\x18"), (0, b"\x02\x21\x4C\x18")],
        endings: &[".lz4"],
    },
    // It has no magic number.
    Foreign { what: "a file compressed with Brotli", marks: &[], endings: &[".br"] },
    Foreign { what: "a file compressed with compress", marks: &[(0, b"\x1F\x9D")], endings: &[".z"] },
    Foreign { what: "a file compressed with pack", marks: &[(0, b"\x1F\x1E")], endings: &[] },
    Foreign { what: "a file compressed with lzip", marks: &[(0, b"LZIP\x01")], endings: &[".lz"] },
    Foreign { what: "a file compressed with LZMA", marks: &[(0, b"\x5D\0\0")], endings: &[".lzma"] },
    Foreign { what: "a file compressed with lzop", marks: &[(0, b"\x89LZO\0\r\n\x1A\n")], endings: &[".lzo"] },
    Foreign { what: "a file compressed with Snappy", marks: &[(0, b"\xFF\x06\0\0sNaPpY")], endings: &[".sz"] },
    Foreign {
        what: "an LHA archive",
        marks: &[(2, b"-lh0-"), (2, b"-lh1-"), (2, b"-lh4-"), (2, b"-lh5-"), (2, b"-lh6-"), (2, b"-lh7-")],
        endings: &[".lzh", ".lha"],
    },
    Foreign { what: "an ARJ archive", marks: &[(0, b"\x60\xEA")], endings: &[".arj"] },
    Foreign { what: "a cabinet of Windows", marks: &[(0, b"MSCF\0\0\0\0")], endings: &[".cab"] },
    Foreign { what: "an ACE archive", marks: &[(7, b"**ACE**")], endings: &[".ace"] },
];

/// Returns why a file that starts with these bytes is not read as SGF, if it is not. The head is the whole file, or at least
/// [`HEAD`] bytes.
pub(super) fn refusal(head: &[u8], name: &Name) -> Option<String> {
    let head = &head[..head.len().min(HEAD)];
    match what(head, name) {
        Some(what) => Some(format!("it is {what}, which is not supported; unpack it first")),
        None => is_binary(head).then(|| "it is not text, and so not SGF".to_owned()),
    }
}

/// Returns the unsupported format that starts with these bytes, if any. The extension counts only if the bytes are
/// not text: SGF may be in a file of any name.
fn what(head: &[u8], name: &Name) -> Option<&'static str> {
    if kind::is_sgf(head) {
        return None;
    }
    let has_mark =
        |row: &&Foreign| row.marks.iter().any(|&(at, mark)| head.get(at..).is_some_and(|rest| rest.starts_with(mark)));
    let is_called = |row: &&Foreign| row.endings.iter().any(|ending| name.ends_with(ending));
    let by_mark = FOREIGN.iter().find(has_mark);
    by_mark.or_else(|| FOREIGN.iter().find(is_called).filter(|_| !is_text(head))).map(|row| row.what)
}

/// Returns whether bytes could be text, UTF-16 included.
fn is_text(head: &[u8]) -> bool {
    is_wide(head) || head.iter().all(|&byte| !is_control(byte))
}

/// Returns whether bytes start with the byte-order mark of UTF-16 or UTF-32.
fn is_wide(head: &[u8]) -> bool {
    [&b"\xFF\xFE"[..], b"\xFE\xFF", b"\0\0\xFE\xFF"].iter().any(|mark| head.starts_with(mark))
}

/// Returns whether a byte cannot be part of text: all control characters but white space, the shift codes of charsets, and
/// the DOS end of file.
fn is_control(byte: u8) -> bool {
    byte < b' ' && !matches!(byte, 9..=15 | 26 | 27)
}

/// One byte in so many may be a control character in text. In compressed data one in eleven is.
const MOST_CONTROLS: usize = 32;

/// Number of bytes that are too few to tell.
const FEW: usize = 16;

/// Returns whether bytes are neither text nor the start of a game.
///
/// Games may follow anything, even binary data: old Macintosh files have a header. What is only NUL is an empty text.
fn is_binary(head: &[u8]) -> bool {
    let controls = head.iter().filter(|&&byte| is_control(byte)).count();
    if head.len() < FEW || controls * MOST_CONTROLS <= head.len() || is_wide(head) || head.iter().all(|&byte| byte == 0)
    {
        return false;
    }
    // UTF-16 and UTF-32 need no mark.
    let narrow: Vec<u8> = head.iter().copied().filter(|&byte| byte != 0).collect();
    !(0..narrow.len()).any(|at| starts_with_property(&narrow[at..]))
}

/// Returns whether a game starts here whose first node has a property, or that ends before one.
fn starts_with_property(game: &[u8]) -> bool {
    let mut bytes = game.iter().copied().filter(|byte| !is_white(byte));
    if (bytes.next(), bytes.next()) != (Some(b'('), Some(b';')) {
        return false;
    }
    match bytes.find(|byte| !byte.is_ascii_alphabetic()) {
        Some(byte) => matches!(byte, b'[' | b')' | b'(' | b';'),
        None => true,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn an_unsupported_format_is_recognized_by_its_bytes_or_its_name() {
        let lzma = b"\x5D\0\0\x80\0\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF";
        for (head, name, expected) in [
            (&b"7z\xBC\xAF\x27\x1C\0\x04"[..], "a", Some("a 7-Zip archive")),
            (b"Rar!\x1A\x07\x01\0", "-", Some("a RAR archive")),
            (b"\x04\x22\x4D\x18", "a", Some("a file compressed with LZ4")),
            (b"\x8B\x03\x80(;FF", "a.sgf.BR", Some("a file compressed with Brotli")),
            (b"\x8B\x03\x80(;FF", "a.sgf", None),
            (b"\x1F\x9D\x90", "a.sgf", Some("a file compressed with compress")),
            (b"\x90\0", "a.Z", Some("a file compressed with compress")),
            (lzma, "a", Some("a file compressed with LZMA")),
            (b"  -lh5-", "a", Some("an LHA archive")),
            // Text in files of any name, and UTF-16.
            (b"junk (;)", "a.7z", None),
            (b"(;FF[4])", "a.rar", None),
            (b"\xFF\xFE(\0;\0", "a.br", None),
            (b"", "a.7z", None),
            (b"7z is a player (;)", "a", None),
        ] {
            assert_eq!(what(head, &Name::of(Path::new(name))), expected, "{} {name}", head.escape_ascii());
        }
    }

    #[test]
    fn what_is_not_text_is_not_read_as_sgf() {
        // Noise, as in a volume of an archive, in which something looks like the start of a game.
        let mut state = 1_u64;
        let mut noise: Vec<u8> = (0..2000)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 56) as u8
            })
            .collect();
        noise[40..45].copy_from_slice(b"(;\x01\xFF)");
        let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
        let mac = [&b"\0\x05a.sgf"[..], &[0; 121], b"(;GM[1]FF[3])"].concat();
        for (head, expected) in [
            (&noise[..], true),
            (b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR", true),
            (b"%PDF-1.4\n%\xE2\xE3\xCF\xD3\n1 0 obj", false), // its first bytes are text
            (b"", false),
            (b"junk (;B[aa])", false),
            (&[0; 600], false),
            (&mac, false),
            (b"\x01\x02(;)", false),
            (b"\x01\x02(;FF[4", false),
            (b"\x01\x02 ( ; GM [1]", false),
            (b"\0\0(;\0B[aa])", false),
            (&utf16("(;FF[4]PB[\u{5433}\u{101}])"), false),
            (&utf16("From: me\n(;FF[4])"), false),
            (&utf16("\u{FEFF}\u{101}\u{201}\u{5101}"), false),
            (b"\x1B$B8b\x0E@6\x0F\x1B(B \x1A", false),
        ] {
            let said = refusal(head, &Name::of(Path::new("a.sgf")));
            assert_eq!(said.is_some(), expected, "{}: {said:?}", head.escape_ascii());
        }
    }
}
