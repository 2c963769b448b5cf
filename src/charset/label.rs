//! The type [`Charset`], and the charsets this crate can decode.

use std::fmt;

use encoding_rs::Encoding;

use super::units::SevenBit;
use crate::raw::two_byte::TwoByte;

/// A charset that this crate can decode. It displays as its usual name.
///
/// These are the charsets of the web (decoded by `encoding_rs`), and those that the web dropped but old game records
/// use: UTF-32, HZ, ISO-2022-KR, ISO-2022-CN.
///
/// ```
/// use sgf_stream::charset::Charset;
///
/// let charset = Charset::for_name(b"GB2312").unwrap();
/// assert_eq!(charset, Charset::GBK);
/// assert_eq!(charset.to_string(), "GBK");
/// assert_eq!(charset.decode(b"\xCE\xA7\xC6\xE5").text(), "围棋");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Charset(pub(super) DecoderKind);

/// The charsets whose characters may contain bracket bytes, and the tokenizer's names for them.
const TWO_BYTE: [(Charset, TwoByte); 4] = [
    (Charset::SHIFT_JIS, TwoByte::ShiftJis),
    (Charset::BIG5, TwoByte::Big5),
    (Charset::GBK, TwoByte::Gbk),
    (Charset::GB18030, TwoByte::Gb18030),
];

/// The decoder responsible for a charset.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum DecoderKind {
    Web(&'static Encoding),
    Utf32 { big_endian: bool },
    SevenBit(SevenBit),
}

impl Charset {
    /// UTF-8.
    pub const UTF_8: Charset = Charset(DecoderKind::Web(encoding_rs::UTF_8));
    /// UTF-16, little-endian.
    pub const UTF_16LE: Charset = Charset(DecoderKind::Web(encoding_rs::UTF_16LE));
    /// UTF-16, big-endian.
    pub const UTF_16BE: Charset = Charset(DecoderKind::Web(encoding_rs::UTF_16BE));
    /// UTF-32, little-endian.
    pub const UTF_32LE: Charset = Charset(DecoderKind::Utf32 { big_endian: false });
    /// UTF-32, big-endian.
    pub const UTF_32BE: Charset = Charset(DecoderKind::Utf32 { big_endian: true });
    /// windows-1252, which ISO-8859-1 (Latin-1, the default of FF\[4\]) means in practice.
    ///
    /// It has every printable character of ISO-8859-1. In the range of control characters that no text uses (80 to
    /// 9F), it has the quotes, dashes and euro sign that Windows programs write under either name. The Encoding
    /// Standard also equates the two names.
    pub const WINDOWS_1252: Charset = Charset(DecoderKind::Web(encoding_rs::WINDOWS_1252));
    pub(super) const LATIN_9: Charset = Charset(DecoderKind::Web(encoding_rs::ISO_8859_15));
    pub(super) const MACINTOSH: Charset = Charset(DecoderKind::Web(encoding_rs::MACINTOSH));
    /// GBK. It includes GB2312 (EUC-CN), its subset, whose name most files in GBK declare.
    pub const GBK: Charset = Charset(DecoderKind::Web(encoding_rs::GBK));
    /// GB18030.
    pub const GB18030: Charset = Charset(DecoderKind::Web(encoding_rs::GB18030));
    /// Big5, with the Hong Kong characters.
    pub const BIG5: Charset = Charset(DecoderKind::Web(encoding_rs::BIG5));
    /// Shift_JIS, with the extensions of Windows.
    pub const SHIFT_JIS: Charset = Charset(DecoderKind::Web(encoding_rs::SHIFT_JIS));
    /// EUC-JP.
    pub const EUC_JP: Charset = Charset(DecoderKind::Web(encoding_rs::EUC_JP));
    /// EUC-KR, with the additional syllables of Windows.
    pub const EUC_KR: Charset = Charset(DecoderKind::Web(encoding_rs::EUC_KR));
    /// ISO-2022-JP.
    pub const ISO_2022_JP: Charset = Charset(DecoderKind::Web(encoding_rs::ISO_2022_JP));
    /// HZ: GB2312 in seven bits, between `~{` and `~}` (RFC 1843).
    pub const HZ: Charset = Charset(DecoderKind::SevenBit(SevenBit::Hz));
    /// ISO-2022-KR: KS C 5601 in seven bits (RFC 1557).
    pub const ISO_2022_KR: Charset = Charset(DecoderKind::SevenBit(SevenBit::Iso2022Kr));
    /// ISO-2022-CN (RFC 1922), simplified half only (GB2312).
    ///
    /// The traditional half, CNS 11643, is not supported and decodes as invalid bytes.
    pub const ISO_2022_CN: Charset = Charset(DecoderKind::SevenBit(SevenBit::Iso2022Cn));

    /// Returns the charset of the byte-order mark of a file, and the mark's length.
    ///
    /// The first four bytes of the file are enough.
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
            // Before UTF-16, whose mark is a prefix of this one: no text starts with a NUL.
            [0xFF, 0xFE, 0, 0, ..] => Some((Charset::UTF_32LE, 4)),
            [0, 0, 0xFE, 0xFF, ..] => Some((Charset::UTF_32BE, 4)),
            [0xFF, 0xFE, ..] => Some((Charset::UTF_16LE, 2)),
            [0xFE, 0xFF, ..] => Some((Charset::UTF_16BE, 2)),
            _ => None,
        }
    }

    /// Returns its usual name.
    pub fn name(self) -> &'static str {
        match self.0 {
            DecoderKind::Web(encoding) => encoding.name(),
            DecoderKind::Utf32 { big_endian: false } => "UTF-32LE",
            DecoderKind::Utf32 { big_endian: true } => "UTF-32BE",
            DecoderKind::SevenBit(SevenBit::Hz) => "HZ-GB-2312",
            DecoderKind::SevenBit(SevenBit::Iso2022Kr) => "ISO-2022-KR",
            DecoderKind::SevenBit(SevenBit::Iso2022Cn) => "ISO-2022-CN",
        }
    }

    /// Returns whether ASCII characters are encoded as ASCII bytes.
    ///
    /// A parser can then find brackets without decoding.
    ///
    /// False for UTF-16 and UTF-32, and for ISO-2022-\* and HZ, which also use ASCII bytes for other characters: read
    /// such files through a [`DecodingReader`](super::DecodingReader). True for Shift_JIS, Big5, GBK and GB18030,
    /// where the *second* byte of a character may look like a bracket or a backslash: the parser steps over those.
    pub fn is_ascii_compatible(self) -> bool {
        matches!(self.0, DecoderKind::Web(encoding) if encoding.is_ascii_compatible())
    }

    /// Returns the `encoding_rs` encoding, for example to encode text.
    ///
    /// `None` for charsets that `encoding_rs` lacks. This makes `encoding_rs` 0.8 part of the public API.
    pub fn encoding(self) -> Option<&'static Encoding> {
        match self.0 {
            DecoderKind::Web(encoding) => Some(encoding),
            DecoderKind::Utf32 { .. } | DecoderKind::SevenBit(_) => None,
        }
    }

    /// Returns the tokenizer's name of a charset with special second bytes. These may look like `[`, `\` or `]`.
    pub(crate) fn two_byte(self) -> Option<TwoByte> {
        let found = TWO_BYTE.iter().find(|(charset, _)| *charset == self);
        found.map(|&(_, two_byte)| two_byte)
    }

    #[doc(hidden)]
    pub fn of_two_byte(two_byte: TwoByte) -> Option<Charset> {
        TWO_BYTE.iter().find(|(_, there)| *there == two_byte).map(|&(charset, _)| charset)
    }

    /// Returns whether the second byte of a character may look like `[`, `\` or `]`.
    pub(super) fn has_bracket_trails(self) -> bool {
        self.two_byte().is_some()
    }

    /// Returns whether each character is one byte.
    pub(super) fn is_single_byte(self) -> bool {
        matches!(self.0, DecoderKind::Web(encoding) if encoding.is_single_byte())
    }

    /// Returns whether it is ISO-2022-\* or HZ, where earlier shifts decide the meaning of ASCII bytes.
    pub(super) fn is_seven_bit(self) -> bool {
        matches!(self.0, DecoderKind::SevenBit(_)) || self == Charset::ISO_2022_JP
    }

    /// Returns whether it is UTF-16 or UTF-32.
    pub(super) fn is_wide(self) -> bool {
        matches!(self.0, DecoderKind::Utf32 { .. }) || [Charset::UTF_16LE, Charset::UTF_16BE].contains(&self)
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
    fn four_bytes_identify_a_byte_order_mark_and_a_partial_mark_does_not() {
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
    fn only_charsets_that_encode_ascii_as_ascii_are_ascii_compatible() {
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
