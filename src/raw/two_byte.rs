//! Two-byte characters whose second byte looks like a bracket or a backslash.
//!
//! In Shift_JIS `ソ` is `83 5C`, in Big5 `因` is `A6 5D`: a second byte may be `[`, `\` or `]`. There it is text, and
//! the value scanner skips it. This requires no decoding, only splitting the text into characters from its first
//! byte ([`Split`]).
//!
//! UTF-8 files that declare GB2312 are common. A byte therefore counts as a second byte only if the value before it
//! is not UTF-8.

/// A charset with two-byte characters whose second byte may be ASCII.
///
/// `GB2312` means GBK in practice. The rarer name `EUC-CN` means GB2312 proper, whose second bytes are never ASCII.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TwoByte {
    ShiftJis,
    Big5,
    Gbk,
    Gb18030,
}

/// The names of these charsets, [squeezed](squeeze), and their code pages. The module `charset` also uses this table.
#[rustfmt::skip]
const LABELS: &[(TwoByte, Names, Names)] = &[
    (TwoByte::ShiftJis, &[b"shiftjis", b"csshiftjis", b"sjis", b"sjiswin", b"mskanji", b"windows31j"], &[b"932", b"943"]),
    (TwoByte::Big5, &[b"big5", b"csbig5", b"cnbig5", b"bigfive", b"big5hkscs", b"big5eten", b"xbig5"], &[b"950", b"951"]),
    (TwoByte::Gbk, &[b"gbk", b"gb2312", b"gb231280", b"csgb2312", b"csiso58gb231280", b"isoir58", b"chinese"], &[b"936", b"1386"]),
    (TwoByte::Gb18030, &[b"gb18030", b"gb180302000", b"gb180302005", b"gb180302022"], &[b"54936"]),
];

type Names = &'static [&'static [u8]];

/// Prefixes of code page numbers, longest first.
pub(crate) const CODE_PAGE_PREFIXES: &[&[u8]] = &[b"windows", b"codepage", b"win", b"cp", b"ms", b"ibm"];

/// Length of the longest label, in bytes.
pub(crate) const MAX_LABEL: usize = 64;

/// Reduces a label to its letters and digits, in lower case and without a leading `x` (`x-sjis`).
///
/// `GB 18030`, `GB-18030` and `gb18030` become equal. Returns `None` if the label is too long or not ASCII.
pub(crate) fn squeeze<'b>(raw: &[u8], buffer: &'b mut [u8; MAX_LABEL]) -> Option<&'b [u8]> {
    if raw.len() > MAX_LABEL || !raw.is_ascii() {
        return None;
    }
    let mut len = 0;
    for byte in raw.iter().filter(|byte| byte.is_ascii_alphanumeric()) {
        buffer[len] = byte.to_ascii_lowercase();
        len += 1;
    }
    let name = &buffer[..len];
    Some(name.strip_prefix(b"x").unwrap_or(name))
}

/// Returns whether a label is UTF-8, as in nearly all files that have one.
#[inline]
pub(crate) fn is_utf8_label(label: &[u8]) -> bool {
    label.eq_ignore_ascii_case(b"UTF-8")
}

impl TwoByte {
    /// Returns the charset that a `CA` value names.
    pub(crate) fn of_label(raw: &[u8]) -> Option<Self> {
        if is_utf8_label(raw) {
            return None;
        }
        let mut buffer = [0; MAX_LABEL];
        let name = squeeze(raw, &mut buffer)?;
        let page = CODE_PAGE_PREFIXES.iter().find_map(|&prefix| name.strip_prefix(prefix));
        let named =
            LABELS.iter().find(|(_, names, pages)| names.contains(&name) || page.is_some_and(|p| pages.contains(&p)));
        named.map(|&(charset, ..)| charset)
    }

    const fn is_lead(self, byte: u8) -> bool {
        match self {
            TwoByte::ShiftJis => matches!(byte, 0x81..=0x9F | 0xE0..=0xFC),
            // A four-byte character of GB18030 is a lead byte and a digit, twice. A digit never ends a value, so
            // these characters need no special case.
            TwoByte::Big5 | TwoByte::Gbk | TwoByte::Gb18030 => matches!(byte, 0x81..=0xFE),
        }
    }
}

/// Returns whether a byte may be a second byte; slightly wider than any single charset.
const fn is_second(byte: u8) -> bool {
    matches!(byte, 0x40..=0x7E | 0x80..=0xFE)
}

/// Splits a value into characters, incrementally.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Split {
    charset: TwoByte,
    /// Index of the next byte to process.
    at: usize,
    /// Whether the last processed byte is a lead byte without its second byte.
    lead: bool,
    utf8: Utf8,
}

impl Split {
    /// Creates a splitter for a value that starts at index `at`.
    pub(crate) fn new(charset: TwoByte, at: usize) -> Self {
        Split { charset, at, lead: false, utf8: Utf8::START }
    }

    /// Returns whether the byte at `at` is the second byte of a two-byte character.
    pub(crate) fn is_second(&mut self, input: &[u8], at: usize) -> bool {
        self.follow(input, at);
        self.is_open() && input.get(at).is_some_and(|&byte| is_second(byte))
    }

    /// Returns whether the processed bytes end inside a character.
    ///
    /// A following `]` or `\` is then its second byte.
    pub(crate) fn is_open(&self) -> bool {
        self.lead && !self.utf8.is_whole()
    }

    /// Processes the value up to index `to`.
    pub(crate) fn follow(&mut self, input: &[u8], to: usize) {
        for &byte in input.get(self.at..to).unwrap_or_default() {
            self.lead = !(self.lead && is_second(byte)) && self.charset.is_lead(byte);
            self.utf8.push(byte);
        }
        self.at = self.at.max(to);
    }

    /// Shifts indexes after `count` bytes were removed from the front of the input.
    pub(crate) fn drop_front(&mut self, count: usize) {
        // While a value is being dropped, its bytes are not processed, and `at` may lag behind.
        self.at = self.at.saturating_sub(count);
    }
}

/// An incremental UTF-8 validator.
#[derive(Clone, Copy, Debug)]
enum Utf8 {
    /// Valid so far. The current character lacks `missing` bytes, the next one from `low` to `high`.
    Open { missing: u8, low: u8, high: u8 },
    /// Not UTF-8.
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
    fn labels_are_compared_by_their_letters_and_digits() {
        for (label, charset) in [
            (&b"Shift_JIS"[..], Some(TwoByte::ShiftJis)),
            (b" MS_KANJI\n", Some(TwoByte::ShiftJis)),
            (b"BIG5", Some(TwoByte::Big5)),
            (b"gb2312", Some(TwoByte::Gbk)),
            (b"GB 18030", Some(TwoByte::Gb18030)),
            (b"x-x-big5", Some(TwoByte::Big5)),
            (b"CP936", Some(TwoByte::Gbk)),
            (b"936", None),
            (b"EUC-CN", None),
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
        assert_eq!(seconds(TwoByte::Gbk, b"\x81 ]"), [0; 0], "a space is never a second byte");
        assert_eq!(seconds(TwoByte::Gb18030, b"\x81\x30\x81\x35]"), [0; 0]);
    }

    #[test]
    fn utf_8_is_left_alone() {
        assert_eq!(seconds(TwoByte::Gbk, "棋]谱\\".as_bytes()), [0; 0]);
        assert_eq!(seconds(TwoByte::Gbk, b"\xE6]"), [1], "incomplete character");
    }

    quickcheck! {
        fn utf_8_validation_matches_the_standard_library(bytes: Vec<u8>) -> bool {
            let narrowed: Vec<u8> = bytes.iter().map(|b| if b % 3 == 0 { b | 0xC0 } else { b & 0xBF }).collect();
            [bytes, narrowed].iter().all(|bytes| {
                let mut utf8 = Utf8::START;
                bytes.iter().for_each(|&byte| utf8.push(byte));
                utf8.is_whole() == std::str::from_utf8(bytes).is_ok()
            })
        }
    }
}
