//! Two-byte characters whose second byte looks like a bracket or a backslash.
//!
//! In Shift_JIS `ソ` is `83 5C`, in Big5 `因` is `A6 5D`: a second byte may be `[`, `\` or `]`.
//! It is text then, and the value scanner steps over it. Nothing has to be decoded for that; the
//! text is only split into characters, from its first byte on ([`Split`]).
//!
//! Files in UTF-8 that say GB2312 are common. So a second byte counts as one only when the value
//! in front of it is not UTF-8.

use crate::value::trim;

/// A charset with such characters. GB2312 means GBK in practice; EUC-CN, the name that few use, means
/// GB2312 as it was, whose second bytes are beyond ASCII.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TwoByte {
    ShiftJis,
    Big5,
    Gbk,
    Gb18030,
}

/// The names that a CA value may have for them, in lower case.
#[rustfmt::skip]
const LABELS: &[(TwoByte, &[&str])] = &[
    (TwoByte::ShiftJis, &[
        "shift_jis", "shift-jis", "sjis", "x-sjis", "ms_kanji", "csshiftjis", "windows-31j", "ms932", "cp932",
    ]),
    (TwoByte::Big5, &["big5", "big5-hkscs", "cn-big5", "csbig5", "x-x-big5", "cp950", "ms950"]),
    (TwoByte::Gbk, &[
        "gbk", "gb2312", "gb_2312", "gb_2312-80", "csgb2312", "csiso58gb231280", "iso-ir-58", "chinese", "x-gbk",
        "cp936", "ms936", "windows-936",
    ]),
    (TwoByte::Gb18030, &["gb18030", "gb-18030", "gb 18030"]),
];

/// Longer values are no label.
pub(super) const MAX_LABEL: usize = 64;

impl TwoByte {
    /// The charset of a CA value.
    pub(crate) fn of_label(raw: &[u8]) -> Option<Self> {
        if raw.len() > MAX_LABEL {
            return None;
        }
        let (label, _) = trim(raw);
        let is_label = |name: &&str| name.as_bytes().eq_ignore_ascii_case(label);
        LABELS.iter().find(|(_, names)| names.iter().any(is_label)).map(|&(charset, _)| charset)
    }

    const fn is_lead(self, byte: u8) -> bool {
        match self {
            TwoByte::ShiftJis => matches!(byte, 0x81..=0x9F | 0xE0..=0xFC),
            // The four-byte characters of GB18030 are a lead byte and a digit, twice. A digit ends
            // nothing, so they need no care.
            TwoByte::Big5 | TwoByte::Gbk | TwoByte::Gb18030 => matches!(byte, 0x81..=0xFE),
        }
    }
}

/// What a second byte may be: a little more than any one of the charsets has.
const fn is_second(byte: u8) -> bool {
    matches!(byte, 0x40..=0x7E | 0x80..=0xFE)
}

/// The split of a value into characters, as far as it has been followed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Split {
    charset: TwoByte,
    /// The bytes in front of this index have been followed.
    at: usize,
    /// The last of them is a lead byte that waits for its second.
    lead: bool,
    utf8: Utf8,
}

impl Split {
    /// The split of a value that starts at an index.
    pub(super) fn new(charset: TwoByte, at: usize) -> Self {
        Split { charset, at, lead: false, utf8: Utf8::START }
    }

    /// Whether the byte at `at` is the second of a two-byte character.
    pub(super) fn is_second(&mut self, input: &[u8], at: usize) -> bool {
        self.follow(input, at);
        self.lead && !self.utf8.is_whole() && input.get(at).is_some_and(|&byte| is_second(byte))
    }

    /// Follows the value up to an index.
    pub(super) fn follow(&mut self, input: &[u8], to: usize) {
        for &byte in input.get(self.at..to).unwrap_or_default() {
            self.lead = !(self.lead && is_second(byte)) && self.charset.is_lead(byte);
            self.utf8.push(byte);
        }
        self.at = self.at.max(to);
    }

    /// The input starts `count` bytes later from now on.
    pub(super) fn drop_front(&mut self, count: usize) {
        // Of a value that is being dropped, nobody follows the parts.
        self.at = self.at.saturating_sub(count);
    }
}

/// Whether the bytes so far are UTF-8.
#[derive(Clone, Copy, Debug)]
enum Utf8 {
    /// So many bytes of a character are to come, the next one within these bounds.
    Open { missing: u8, low: u8, high: u8 },
    /// No more.
    Broken,
}

impl Utf8 {
    const START: Utf8 = Utf8::Open { missing: 0, low: 0x80, high: 0xBF };

    fn is_whole(self) -> bool {
        matches!(self, Utf8::Open { missing: 0, .. })
    }

    fn push(&mut self, byte: u8) {
        let open = |missing, low, high| Utf8::Open { missing, low, high };
        *self = match (*self, byte) {
            (Utf8::Open { missing: 0, .. }, _) => match byte {
                0x00..=0x7F => Utf8::START,
                0xC2..=0xDF => open(1, 0x80, 0xBF),
                0xE0 => open(2, 0xA0, 0xBF),
                0xED => open(2, 0x80, 0x9F), // no surrogates
                0xE1..=0xEF => open(2, 0x80, 0xBF),
                0xF0 => open(3, 0x90, 0xBF),
                0xF1..=0xF3 => open(3, 0x80, 0xBF),
                0xF4 => open(3, 0x80, 0x8F),
                _ => Utf8::Broken,
            },
            (Utf8::Open { missing, low, high }, _) if (low..=high).contains(&byte) => open(missing - 1, 0x80, 0xBF),
            _ => Utf8::Broken,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    #[test]
    fn labels_are_compared_without_case_and_blanks() {
        for (label, charset) in [
            (&b"Shift_JIS"[..], Some(TwoByte::ShiftJis)),
            (b" MS_KANJI\n", Some(TwoByte::ShiftJis)),
            (b"BIG5", Some(TwoByte::Big5)),
            (b"gb2312", Some(TwoByte::Gbk)),
            (b"GB 18030", Some(TwoByte::Gb18030)),
            (b"UTF-8", None),
            (b"EUC-KR", None),
            (b"", None),
        ] {
            assert_eq!(TwoByte::of_label(label), charset, "{}", label.escape_ascii());
        }
        let padded = |blanks| [b"gbk".as_slice(), &vec![b' '; blanks]].concat();
        assert_eq!(TwoByte::of_label(&padded(MAX_LABEL - 3)), Some(TwoByte::Gbk));
        assert_eq!(TwoByte::of_label(&padded(MAX_LABEL - 2)), None);
    }

    fn seconds(charset: TwoByte, text: &[u8]) -> Vec<usize> {
        let mut split = Split::new(charset, 0);
        (0..text.len()).filter(|&at| split.is_second(text, at) && text[at].is_ascii()).collect()
    }

    #[test]
    fn a_lead_byte_takes_a_second_byte_with_it() {
        assert_eq!(seconds(TwoByte::ShiftJis, b"\x90\\\x83\\]"), [1, 3]);
        assert_eq!(seconds(TwoByte::ShiftJis, b"\xB1\\]"), [0; 0], "half-width katakana are single bytes");
        assert_eq!(seconds(TwoByte::Big5, b"\xA6]]"), [1]);
        assert_eq!(seconds(TwoByte::Gbk, b"\x81 ]"), [0; 0], "a blank is no second byte");
        assert_eq!(seconds(TwoByte::Gb18030, b"\x81\x30\x81\x35]"), [0; 0]);
    }

    #[test]
    fn utf_8_is_left_alone() {
        assert_eq!(seconds(TwoByte::Gbk, "棋]谱\\".as_bytes()), [0; 0]);
        assert_eq!(seconds(TwoByte::Gbk, b"\xE6]"), [1], "not a whole character");
    }

    quickcheck! {
        fn utf_8_is_what_the_standard_library_says(bytes: Vec<u8>) -> bool {
            let narrowed: Vec<u8> = bytes.iter().map(|b| if b % 3 == 0 { b | 0xC0 } else { b & 0xBF }).collect();
            [bytes, narrowed].iter().all(|bytes| {
                let mut utf8 = Utf8::START;
                bytes.iter().for_each(|&byte| utf8.push(byte));
                utf8.is_whole() == std::str::from_utf8(bytes).is_ok()
            })
        }
    }
}
