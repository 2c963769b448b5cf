//! Charsets.

use std::fmt;

use encoding_rs::Encoding;

use super::names;
use super::units::SevenBit;
use crate::raw::two_byte::TwoByte;

/// A charset that this crate can decode. It prints its usual name.
///
/// It is one of the charsets of the web (by way of `encoding_rs`), or one that the web gave up and
/// old game records did not: UTF-32, HZ, ISO-2022-KR, ISO-2022-CN.
///
/// ```
/// use sgf_stream::charset::Charset;
///
/// let charset = Charset::for_label(b"GB2312").unwrap();
/// assert_eq!(charset, Charset::GBK);
/// assert_eq!(charset.to_string(), "GBK");
/// assert_eq!(charset.decode(b"\xCE\xA7\xC6\xE5").text(), "围棋");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Charset(pub(super) Kind);

/// Those with brackets in their characters, and how the tokenizer calls them.
const TWO_BYTE: [(Charset, TwoByte); 4] = [
    (Charset::SHIFT_JIS, TwoByte::ShiftJis),
    (Charset::BIG5, TwoByte::Big5),
    (Charset::GBK, TwoByte::Gbk),
    (Charset::GB18030, TwoByte::Gb18030),
];

/// Who decodes it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Web(&'static Encoding),
    Utf32 { big_endian: bool },
    SevenBit(SevenBit),
}

impl Charset {
    /// UTF-8.
    pub const UTF_8: Charset = Charset(Kind::Web(encoding_rs::UTF_8));
    /// UTF-16, little-endian.
    pub const UTF_16LE: Charset = Charset(Kind::Web(encoding_rs::UTF_16LE));
    /// UTF-16, big-endian.
    pub const UTF_16BE: Charset = Charset(Kind::Web(encoding_rs::UTF_16BE));
    /// UTF-32, little-endian.
    pub const UTF_32LE: Charset = Charset(Kind::Utf32 { big_endian: false });
    /// UTF-32, big-endian.
    pub const UTF_32BE: Charset = Charset(Kind::Utf32 { big_endian: true });
    /// windows-1252, which is what ISO-8859-1 (Latin-1, the default of FF\[4\]) means in
    /// practice. It has everything that ISO-8859-1 has; where ISO-8859-1 has control characters
    /// that no text holds (80 to 9F), it has the quotes, the dashes and the euro sign that
    /// Windows programs write under either name. The web reads that name so too.
    pub const WINDOWS_1252: Charset = Charset(Kind::Web(encoding_rs::WINDOWS_1252));
    pub(super) const LATIN_9: Charset = Charset(Kind::Web(encoding_rs::ISO_8859_15));
    pub(super) const MACINTOSH: Charset = Charset(Kind::Web(encoding_rs::MACINTOSH));
    /// GBK, and GB2312 (EUC-CN), which is a part of it and whose name most files in GBK bear.
    pub const GBK: Charset = Charset(Kind::Web(encoding_rs::GBK));
    /// GB18030.
    pub const GB18030: Charset = Charset(Kind::Web(encoding_rs::GB18030));
    /// Big5, with the Hong Kong characters.
    pub const BIG5: Charset = Charset(Kind::Web(encoding_rs::BIG5));
    /// Shift_JIS, as Windows has it.
    pub const SHIFT_JIS: Charset = Charset(Kind::Web(encoding_rs::SHIFT_JIS));
    /// EUC-JP.
    pub const EUC_JP: Charset = Charset(Kind::Web(encoding_rs::EUC_JP));
    /// EUC-KR, with the further syllables of Windows.
    pub const EUC_KR: Charset = Charset(Kind::Web(encoding_rs::EUC_KR));
    /// ISO-2022-JP.
    pub const ISO_2022_JP: Charset = Charset(Kind::Web(encoding_rs::ISO_2022_JP));
    /// HZ: GB2312 in seven bits, between `~{` and `~}` (RFC 1843).
    pub const HZ: Charset = Charset(Kind::SevenBit(SevenBit::Hz));
    /// ISO-2022-KR: KS C 5601 in seven bits (RFC 1557).
    pub const ISO_2022_KR: Charset = Charset(Kind::SevenBit(SevenBit::Iso2022Kr));
    /// ISO-2022-CN (RFC 1922): its simplified half, GB2312. Its traditional half, CNS 11643, has
    /// no table here and comes out as bad bytes.
    pub const ISO_2022_CN: Charset = Charset(Kind::SevenBit(SevenBit::Iso2022Cn));

    /// The charset of a name, as `CA` gives it; `None` if nobody knows the name.
    ///
    /// Case, hyphens, underscores and blanks make no difference. It takes the names of the web
    /// (the Encoding Standard's labels), those of libraries (`ISO8859_1`, `EUC-CN`, `MS_KANJI`)
    /// and code pages (`CP936`, `MS950`, `windows-949`).
    ///
    /// ```
    /// use sgf_stream::charset::Charset;
    ///
    /// assert_eq!(Charset::for_label(b" gb 18030\n"), Some(Charset::GB18030));
    /// assert_eq!(Charset::for_label(b"ISO8859_1"), Some(Charset::WINDOWS_1252));
    /// assert_eq!(Charset::for_label(b"foo"), None);
    /// ```
    pub fn for_label(label: &[u8]) -> Option<Charset> {
        names::find(label)
    }

    /// The charset of the byte-order mark that a file starts with, and the length of the mark.
    /// Four bytes are enough to tell.
    ///
    /// ```
    /// use sgf_stream::charset::Charset;
    ///
    /// assert_eq!(Charset::from_bom(b"\xFF\xFE(\0;\0"), Some((Charset::UTF_16LE, 2)));
    /// assert_eq!(Charset::from_bom(b"\xFF\xFE\0\0"), Some((Charset::UTF_32LE, 4)));
    /// assert_eq!(Charset::from_bom(b"(;FF[4]"), None);
    /// ```
    pub fn from_bom(bytes: &[u8]) -> Option<(Charset, usize)> {
        match bytes {
            [0xEF, 0xBB, 0xBF, ..] => Some((Charset::UTF_8, 3)),
            // Before UTF-16, whose mark it starts with: no text starts with a NUL.
            [0xFF, 0xFE, 0, 0, ..] => Some((Charset::UTF_32LE, 4)),
            [0, 0, 0xFE, 0xFF, ..] => Some((Charset::UTF_32BE, 4)),
            [0xFF, 0xFE, ..] => Some((Charset::UTF_16LE, 2)),
            [0xFE, 0xFF, ..] => Some((Charset::UTF_16BE, 2)),
            _ => None,
        }
    }

    /// Its usual name.
    pub fn name(self) -> &'static str {
        match self.0 {
            Kind::Web(encoding) => encoding.name(),
            Kind::Utf32 { big_endian: false } => "UTF-32LE",
            Kind::Utf32 { big_endian: true } => "UTF-32BE",
            Kind::SevenBit(SevenBit::Hz) => "HZ-GB-2312",
            Kind::SevenBit(SevenBit::Iso2022Kr) => "ISO-2022-KR",
            Kind::SevenBit(SevenBit::Iso2022Cn) => "ISO-2022-CN",
        }
    }

    /// Whether ASCII is written as ASCII in it, so that a parser finds its brackets before
    /// anything is decoded. Not so in UTF-16 and UTF-32, nor in ISO-2022-\* and HZ, which write
    /// other characters with the bytes of ASCII: files in those go through a
    /// [`DecodingReader`](super::DecodingReader).
    ///
    /// True of Shift_JIS, Big5, GBK and GB18030, where the *second* byte of a character may look
    /// like a bracket or a backslash: a parser steps over those.
    pub fn is_ascii_compatible(self) -> bool {
        matches!(self.0, Kind::Web(encoding) if encoding.is_ascii_compatible())
    }

    /// The encoding of `encoding_rs` behind it, to write with, say; `None` for those that
    /// `encoding_rs` lacks. This makes `encoding_rs` 0.8 a part of the public API.
    pub fn encoding(self) -> Option<&'static Encoding> {
        match self.0 {
            Kind::Web(encoding) => Some(encoding),
            Kind::Utf32 { .. } | Kind::SevenBit(_) => None,
        }
    }

    /// One of the four whose second bytes may look like `[`, `\` and `]`, as the tokenizer knows it.
    pub(crate) fn two_byte(self) -> Option<TwoByte> {
        let found = TWO_BYTE.iter().find(|(charset, _)| *charset == self);
        found.map(|&(_, two_byte)| two_byte)
    }

    pub(super) fn of_two_byte(two_byte: TwoByte) -> Option<Charset> {
        TWO_BYTE.iter().find(|(_, there)| *there == two_byte).map(|&(charset, _)| charset)
    }

    /// Whether it is one of these four.
    pub(super) fn has_bracket_trails(self) -> bool {
        self.two_byte().is_some()
    }

    /// One byte is one character.
    pub(super) fn is_single_byte(self) -> bool {
        matches!(self.0, Kind::Web(encoding) if encoding.is_single_byte())
    }

    /// ISO-2022-\* or HZ: what ASCII stands for depends on the shifts that stand before it.
    pub(super) fn is_seven_bit(self) -> bool {
        matches!(self.0, Kind::SevenBit(_)) || self == Charset::ISO_2022_JP
    }

    /// UTF-16 or UTF-32.
    pub(super) fn is_wide(self) -> bool {
        matches!(self.0, Kind::Utf32 { .. }) || [Charset::UTF_16LE, Charset::UTF_16BE].contains(&self)
    }
}

impl fmt::Debug for Charset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Charset({})", self.name())
    }
}

impl fmt::Display for Charset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_known_from_four_bytes_and_not_from_fewer_than_it_has() {
        for (bytes, bom) in [
            (&b"\xEF\xBB\xBF"[..], Some((Charset::UTF_8, 3))),
            (b"\xEF\xBB", None),
            (b"\xFF\xFE", Some((Charset::UTF_16LE, 2))),
            (b"\xFF\xFE\0", Some((Charset::UTF_16LE, 2))),
            (b"\xFF\xFE\0\0(", Some((Charset::UTF_32LE, 4))),
            (b"\0\0\xFE\xFF", Some((Charset::UTF_32BE, 4))),
            (b"\0\0\xFE", None),
            (b"\xFE\xFF\0(", Some((Charset::UTF_16BE, 2))),
            (b"\xFE", None),
            (b"", None),
        ] {
            assert_eq!(Charset::from_bom(bytes), bom, "{bytes:?}");
        }
    }

    #[test]
    fn only_charsets_that_write_ascii_as_ascii_say_so() {
        for charset in [Charset::UTF_8, Charset::WINDOWS_1252, Charset::GBK, Charset::SHIFT_JIS, Charset::EUC_KR] {
            assert!(charset.is_ascii_compatible(), "{charset}");
        }
        let others = [
            Charset::UTF_16LE,
            Charset::UTF_32BE,
            Charset::HZ,
            Charset::ISO_2022_JP,
            Charset::ISO_2022_KR,
            Charset::ISO_2022_CN,
        ];
        for charset in others {
            assert!(!charset.is_ascii_compatible(), "{charset}");
        }
    }
}
