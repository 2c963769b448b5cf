//! Formats that are recognized but not supported, so that messages can name them.

use super::kind;
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

/// Returns the unsupported format that starts with these bytes, if any. The extension counts only if the bytes are
/// not text: SGF may be in a file of any name.
pub(super) fn what(head: &[u8], name: &Name) -> Option<&'static str> {
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
    let is_utf16 = head.starts_with(b"\xFF\xFE") || head.starts_with(b"\xFE\xFF");
    // White space, the shift codes of charsets, and the DOS end of file.
    let may_be = |byte: u8| byte >= b' ' || matches!(byte, 9..=15 | 26 | 27);
    is_utf16 || head.iter().all(|&byte| may_be(byte))
}

/// Returns the error message for a format.
pub(super) fn refusal(what: &str) -> String {
    format!("it is {what}, which is not supported; unpack it first")
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
}
