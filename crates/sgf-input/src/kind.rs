//! Detection of compressed files and archives from their first bytes, regardless of their name.

/// The byte-order mark of UTF-8.
pub const BOM: &[u8] = b"\xEF\xBB\xBF";

/// The formats besides SGF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Gzip,
    Zstd,
    Bzip2,
    Xz,
    Tar,
    Zip,
}

/// Number of first bytes that say what a file is: a block of `tar`.
pub const HEAD: usize = 512;

/// A format and its test.
type Rule = (Kind, fn(&[u8]) -> bool);

/// The tests, of which at most one succeeds. Magic numbers that text could start with are examined more closely.
const RULES: [Rule; 6] = [
    // Deflate, and no undefined flags.
    (Kind::Gzip, |head| head.starts_with(b"\x1F\x8B\x08") && head.get(3).is_some_and(|flags| flags & 0xE0 == 0)),
    (Kind::Zstd, |head| is_zstd(head)),
    // `BZh1` to `BZh9`, and the magic number of a first block, or of the end if there is none.
    (Kind::Bzip2, |head| {
        matches!(head, [b'B', b'Z', b'h', b'1'..=b'9', block @ ..]
            if block.starts_with(b"\x31\x41\x59\x26\x53\x59") || block.starts_with(b"\x17\x72\x45\x38\x50\x90"))
    }),
    (Kind::Xz, |head| head.starts_with(b"\xFD7zXZ\0")),
    // A member; or the end of an empty archive.
    (Kind::Zip, |head| head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06")),
    (Kind::Tar, is_tar),
];

/// Returns whether a frame, or a skippable frame, starts here.
fn is_zstd(head: &[u8]) -> bool {
    head.starts_with(b"\x28\xB5\x2F\xFD") || matches!(head, [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..])
}

/// The oldest archives have no magic number, but every header has a checksum in octal digits, computed with blanks
/// in its place; some old programs added signed bytes.
fn is_tar(head: &[u8]) -> bool {
    let Some(header) = head.get(..512).filter(|header| header[0] != 0) else { return false };
    let (front, rest) = header.split_at(148);
    let (written, rest) = rest.split_at(8);
    let digits: Vec<u8> = (written.iter().copied())
        .skip_while(|byte| *byte == b' ')
        .take_while(|byte| !matches!(byte, b' ' | 0))
        .collect();
    if digits.is_empty() || digits.iter().any(|digit| !matches!(digit, b'0'..=b'7')) {
        return false;
    }
    let written = digits.iter().fold(0, |sum, digit| sum * 8 + i64::from(digit - b'0'));
    let bytes = || front.iter().chain(b"        ").chain(rest);
    let unsigned: i64 = bytes().map(|&byte| i64::from(byte)).sum();
    let signed: i64 = bytes().map(|&byte| i64::from(byte.cast_signed())).sum();
    written == unsigned || written == signed
}

impl Kind {
    /// Returns the format that starts with `head`, which is the whole input or at least [`HEAD`] bytes. `None` is
    /// read as SGF.
    pub(super) fn of(head: &[u8]) -> Option<Kind> {
        if is_sgf(head) {
            return None;
        }
        RULES.iter().find(|(_, fits)| fits(head)).map(|&(kind, _)| kind)
    }
}

/// Returns whether the input is certainly SGF, so that no more bytes of a pipe need to be awaited.
pub(super) fn is_sgf(head: &[u8]) -> bool {
    starts_with_node(skip_white_space(head.strip_prefix(BOM).unwrap_or(head)))
}

/// Returns whether a `(` comes first, and then a `;`.
fn starts_with_node(game: &[u8]) -> bool {
    game.strip_prefix(b"(").is_some_and(|rest| skip_white_space(rest).starts_with(b";"))
}

/// Returns whether a byte is white space for SGF: unlike for Rust, a vertical tab is.
pub(super) fn is_white(byte: &u8) -> bool {
    matches!(byte, b' ' | 0x09..=0x0D)
}

/// Returns the bytes from the first one that is not white space.
fn skip_white_space(bytes: &[u8]) -> &[u8] {
    &bytes[bytes.iter().position(|byte| !is_white(byte)).unwrap_or(bytes.len())..]
}

/// Returns whether another stream of a compressed file starts here.
pub(super) fn is_another(kind: Kind, head: &[u8]) -> bool {
    RULES.iter().any(|(rule, fits)| *rule == kind && fits(head))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_not_taken_for_an_archive() {
        let tar = tar_header();
        for (head, kind) in [
            (&b""[..], None),
            (b"(", None),
            (b"BZh9 is a player (;)", None),
            (b"BZh0\x31\x41\x59\x26\x53\x59", None),
            (b"BZh9\x31\x41\x59\x26\x53\x59", Some(Kind::Bzip2)),
            (b"BZh1\x17\x72\x45\x38\x50\x90", Some(Kind::Bzip2)),
            (b"\x1F\x8B", None),
            (b"\x1F\x8B\x08", None),
            (b"\x1F\x8B\x08\xFF", None),
            (b"\x1F\x8B\x08\x08", Some(Kind::Gzip)),
            (b"\x28\xB5\x2F\xFD", Some(Kind::Zstd)),
            (b"\x5F\x2A\x4D\x18", Some(Kind::Zstd)),
            (b"\xFD7zXZ", None),
            (b"\xFD7zXZ\0", Some(Kind::Xz)),
            (b"PK (;)", None),
            (b"PK\x03\x04", Some(Kind::Zip)),
            (b"PK\x05\x06", Some(Kind::Zip)),
            (&tar, Some(Kind::Tar)),
            (&tar[..511], None),
            (&[0; 1024], None),
            (&[b' '; 512], None),
        ] {
            assert_eq!(Kind::of(head), kind, "{}", head.escape_ascii());
        }
        let mut sgf = tar_header();
        sgf[..2].copy_from_slice(b"(;");
        assert_eq!(Kind::of(&sgf), None);
    }

    /// A header of version 7.
    fn tar_header() -> [u8; 512] {
        let mut header = [0; 512];
        header[..5].copy_from_slice(b"a.sgf");
        header[148..156].fill(b' ');
        let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
        header[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
        header
    }
}
