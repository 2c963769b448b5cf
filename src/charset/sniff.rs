//! Which charset a whole stream is in, from its first bytes.

use std::ops::Range;

use super::detect::Detector;
use super::{Charset, CharsetError, Decoding, Source, TreeCharset};
use crate::RawValue;
use crate::tokenizer::grammar::is_white_space;

/// Looks at a stream that grows, until its charset is known. Every byte is looked at a fixed
/// number of times, in pieces of whatever size.
#[derive(Debug)]
pub(super) struct Sniffer {
    decoding: Decoding,
    /// What the stream is in if it has no byte-order mark.
    unmarked: Option<Charset>,
    label: LabelScan,
    /// A charset that `CA` names, not to be believed if the stream turns out to be UTF-8.
    declared: Option<TreeCharset>,
    /// So much is UTF-8.
    utf8: usize,
}

impl Sniffer {
    pub(super) fn new(decoding: Decoding, unmarked: Option<Charset>) -> Self {
        Sniffer { decoding, unmarked, label: LabelScan::default(), declared: None, utf8: 0 }
    }

    /// The charset, and the length of the byte-order mark; `None` if that takes more bytes.
    /// `full` if there will be no more, and `end` if that is because the stream ends.
    pub(super) fn sniff(
        &mut self,
        start: &[u8],
        full: bool,
        end: bool,
    ) -> Result<Option<(TreeCharset, usize)>, CharsetError> {
        if start.len() < 4 && !full {
            return Ok(None);
        }
        let bom = Charset::from_bom(start);
        if let Some(given) = self.decoding.given(bom.map(|bom| bom.0)) {
            let len = bom.filter(|bom| bom.0 == given.charset).map_or(0, |bom| bom.1);
            return Ok(Some((given, len)));
        }
        let known = |charset, source| Ok(Some((TreeCharset { charset, source }, 0)));
        if let Some(charset) = self.unmarked {
            return known(charset, Source::Forced);
        }
        if let Some(charset) = wide(start) {
            return known(charset, Source::Detected);
        }
        // Past labels that are blank.
        while self.declared.is_none() {
            let label = self.label.scan(start).or_else(|| self.label.scan_anywhere(start, full));
            let Some(label) = label else { break };
            self.declared = self.decoding.declared(RawValue::new(&start[label]))?;
        }
        match self.declared {
            // It says so in bytes, so it is not true.
            Some(declared) if declared.charset.is_wide() => {}
            Some(declared) if !declared.charset.has_bracket_trails() => return Ok(Some((declared, 0))),
            Some(declared) => match str::from_utf8(&start[self.utf8..]) {
                Err(error) if error.error_len().is_some() => return Ok(Some((declared, 0))),
                Err(error) => self.utf8 += error.valid_up_to(),
                Ok(_) => self.utf8 = start.len(),
            },
            None => {}
        }
        if !full {
            return Ok(None);
        }
        if let Some(declared) = self.declared.filter(|declared| !declared.charset.is_wide()) {
            // All of it is UTF-8; or the stream ends inside a character.
            let utf8 = if end { start } else { &start[..self.utf8] };
            let charset = declared.charset_of(RawValue::new(utf8));
            let source = if charset == declared.charset { declared.source } else { Source::Detected };
            return known(charset, source);
        }
        if let Some(undeclared) = self.decoding.undeclared() {
            return Ok(Some((undeclared, 0)));
        }
        let mut detector = Detector::default();
        if end {
            detector.feed(start);
        } else {
            detector.feed_cut(start);
        }
        Ok(Some((TreeCharset::detected(&detector), 0)))
    }
}

/// UTF-16 or UTF-32 without a byte-order mark, by the NULs of the first two characters, which are
/// ASCII wherever SGF or a mail header starts.
fn wide(start: &[u8]) -> Option<Charset> {
    match start {
        [0, 0, 0, 1..=0x7F, ..] => Some(Charset::UTF_32BE),
        [1..=0x7F, 0, 0, 0, ..] => Some(Charset::UTF_32LE),
        [0, 1..=0x7F, 0, 1..=0x7F, ..] => Some(Charset::UTF_16BE),
        [1..=0x7F, 0, 1..=0x7F, 0, ..] => Some(Charset::UTF_16LE),
        _ => None,
    }
}

/// Looks for the first `CA[…]` behind the first `(`, in bytes.
///
/// White space may stand in front of the bracket, and lower-case letters anywhere in the
/// identifier (`ClowerAcase`); anything else ends a word. Values are passed over, so that a
/// comment may speak of `CA[…]`.
#[derive(Debug, Default)]
struct LabelScan {
    at: usize,
    state: State,
    /// Look into values too.
    anywhere: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
enum State {
    /// In front of the first `(`.
    #[default]
    Front,
    /// In a word with these upper-case letters, or behind one, after white space.
    Word { letters: Letters, is_over: bool },
    /// In a value. It is that of `CA` if it has a start.
    Value { label: Option<usize>, escaped: bool },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Letters {
    None,
    C,
    Ca,
    Others,
}

impl LabelScan {
    /// Longer than any name, in bytes.
    const LONGEST: usize = 256;

    const BETWEEN: State = State::Word { letters: Letters::None, is_over: false };

    /// Once everything is there, and has no label: again from the front, without regard to
    /// values. A second byte that looks like a backslash can hide the end of the one in front of
    /// `CA`.
    fn scan_anywhere(&mut self, start: &[u8], full: bool) -> Option<Range<usize>> {
        if !full || self.anywhere {
            return None;
        }
        *self = LabelScan { anywhere: true, ..LabelScan::default() };
        self.scan(start)
    }

    /// The place of the label. `None` if it is not there yet: the next call goes on from there.
    fn scan(&mut self, start: &[u8]) -> Option<Range<usize>> {
        while let Some(&byte) = start.get(self.at) {
            let at = self.at;
            self.at += 1;
            self.state = match self.state {
                State::Front if byte == b'(' => Self::BETWEEN,
                State::Front => State::Front,
                State::Word { letters, is_over } => match byte {
                    b'[' if letters == Letters::Ca => State::Value { label: Some(self.at), escaped: false },
                    b'[' if self.anywhere => Self::BETWEEN,
                    b'[' => State::Value { label: None, escaped: false },
                    b'A'..=b'Z' => {
                        let letters = match (byte, if is_over { Letters::None } else { letters }) {
                            (b'C', Letters::None) => Letters::C,
                            (b'A', Letters::C) => Letters::Ca,
                            _ => Letters::Others,
                        };
                        State::Word { letters, is_over: false }
                    }
                    b'a'..=b'z' if is_over => Self::BETWEEN,
                    b'a'..=b'z' => State::Word { letters, is_over },
                    byte if is_white_space(byte) => State::Word { letters, is_over: true },
                    _ => Self::BETWEEN,
                },
                State::Value { label: Some(from), escaped: false } if byte == b']' => {
                    self.state = Self::BETWEEN;
                    return Some(from..at);
                }
                State::Value { label: Some(from), .. } if at - from >= Self::LONGEST => {
                    State::Value { label: None, escaped: false }
                }
                State::Value { escaped: false, .. } if byte == b']' => Self::BETWEEN,
                State::Value { label, escaped } => State::Value { label, escaped: byte == b'\\' && !escaped },
            };
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_label_is_that_of_the_first_ca_behind_a_parenthesis() {
        for (start, label) in [
            ("(;FF[4]CA[UTF-8]C[x])", Some("UTF-8")),
            ("no:CA[one] (CA[after-brace]", Some("after-brace")),
            ("(CA\n [ spaces \n] ", Some(" spaces \n")),
            ("(xCyAzA[one]CxA[second-lower]", Some("second-lower")),
            ("(xCyA.CzA[word-boundary] more", Some("word-boundary")),
            ("(CCA[one]CA[second]", Some("second")),
            ("(;C[see CA[x\\] or CA[y] ]CA[z]", Some("z")),
            ("(;C[(]CA[z]", Some("z")),
            ("(C A[one]", None),
            ("(CA x[one]", None),
            ("(CA[it", None),
            ("(C1A[it]", None),
            ("CA[it]", None),
            ("(;CA[]", Some("")),
        ] {
            let bytes = start.as_bytes();
            let whole = LabelScan::default().scan(bytes);
            assert_eq!(whole.clone().map(|label| &start[label]), label, "{start}");
            let mut scan = LabelScan::default();
            assert_eq!((0..=bytes.len()).find_map(|end| scan.scan(&bytes[..end])), whole, "byte by byte: {start}");
        }
    }

    #[test]
    fn a_label_behind_a_value_that_seems_to_swallow_it_is_found_at_last() {
        let start = b"(;PB[\x94\\]CA[SJIS])";
        let mut scan = LabelScan::default();
        assert_eq!(scan.scan(start), None);
        assert_eq!(scan.scan_anywhere(start, false), None);
        assert_eq!(scan.scan_anywhere(start, true), Some(11..15));
        assert_eq!(scan.scan_anywhere(start, true), None);
    }

    #[test]
    fn wide_charsets_show_by_their_nuls() {
        for (start, charset) in [
            (&b"(\0;\0"[..], Some(Charset::UTF_16LE)),
            (b"\0(\0;", Some(Charset::UTF_16BE)),
            (b"(\0\0\0;", Some(Charset::UTF_32LE)),
            (b"\0\0\0(\0", Some(Charset::UTF_32BE)),
            (b"(;\0\0", None),
            (b"\0\0\0\0", None),
            (b"(\0", None),
        ] {
            assert_eq!(wide(start), charset, "{start:?}");
        }
    }
}
