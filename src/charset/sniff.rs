//! Finds the charset of a whole stream from its first bytes.

use std::ops::Range;

use super::detect::{Detector, MAX_SAMPLE};
use super::{Charset, CharsetError, CharsetSource, Decoding, TreeCharset};
use crate::RawValue;
use crate::raw::{is_white_space, trim};

/// Examines a growing stream until its charset is known. Each byte is examined a fixed
/// number of times, whatever the chunk size.
#[derive(Debug)]
pub(super) struct Sniffer {
    decoding: Decoding,
    /// The charset of the stream if it has no byte-order mark.
    unmarked: Option<Charset>,
    label: LabelScan,
    /// The charset that `CA` names; not believed if the stream turns out to be UTF-8.
    declared: Option<TreeCharset>,
    /// Number of leading bytes known to be UTF-8.
    utf8: usize,
    /// Whether the bytes after them are invalid UTF-8.
    is_broken: bool,
    /// Number of leading bytes searched for shifts.
    looked_at: usize,
}

impl Sniffer {
    pub(super) fn new(decoding: Decoding, unmarked: Option<Charset>) -> Self {
        Sniffer {
            decoding,
            unmarked,
            label: LabelScan::default(),
            declared: None,
            utf8: 0,
            is_broken: false,
            looked_at: 0,
        }
    }

    /// Returns the charset, and the length of the byte-order mark; `None` if more bytes are needed.
    /// `full` says that no more bytes will come, and `end` that this is because the stream ends.
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
        let decoding = self.decoding;
        let known = |charset, source| Ok(Some((decoding.tree(charset, source), 0)));
        if let Some(charset) = self.unmarked {
            return known(charset, CharsetSource::Forced);
        }
        if let Some(charset) = wide(start) {
            return known(charset, CharsetSource::Detected);
        }
        // Skip blank labels.
        while self.declared.is_none() {
            let label = self.label.scan(start).or_else(|| self.label.scan_anywhere(start, full));
            let Some(label) = label else { break };
            self.declared = self.decoding.declared(RawValue::new(&start[label]))?;
        }
        // A stream that names UTF-16 or UTF-32 in ASCII bytes is not in it.
        let declared = self.declared.filter(|declared| !declared.charset.is_wide());
        if let Some(declared) = declared
            && (declared.charset == Charset::UTF_8 || decoding.trusts_ca || self.contradicts_utf8(declared, start))
        {
            return Ok(Some((declared, 0)));
        }
        if !full {
            return Ok(None);
        }
        if let Some(declared) = declared {
            // All of it is UTF-8, or the stream ends inside a character.
            let utf8 = if end || self.is_broken { start } else { &start[..self.utf8] };
            let charset = declared.charset_of(RawValue::new(utf8));
            if charset != declared.charset {
                return known(charset, CharsetSource::Detected);
            }
            if start.is_ascii() || !declared.charset.is_seven_bit() {
                return Ok(Some((declared, 0)));
            }
            // High bytes and no shifts: it is certainly not the declared charset.
        } else if let Some(undeclared) = self.decoding.undeclared() {
            return Ok(Some((undeclared, 0)));
        }
        let mut detector = Detector::default();
        if end {
            detector.feed(start);
        } else {
            detector.feed_cut(start);
        }
        Ok(Some((self.decoding.tree(detector.charset(), CharsetSource::Detected), 0)))
    }
}

impl Sniffer {
    /// Returns whether the bytes so far rule out UTF-8 for a stream that declares another charset.
    fn contradicts_utf8(&mut self, declared: TreeCharset, start: &[u8]) -> bool {
        if declared.charset.is_seven_bit() {
            let shifts = |pair: &[u8]| matches!(pair, [0x1B | 0x0E, _] | [b'~', b'{']);
            if start[self.looked_at.saturating_sub(1)..].windows(2).any(shifts) {
                return true;
            }
            self.looked_at = start.len();
        }
        if !self.is_broken {
            match str::from_utf8(&start[self.utf8..]) {
                Ok(_) => self.utf8 = start.len(),
                Err(error) => {
                    self.utf8 += error.valid_up_to();
                    self.is_broken = error.error_len().is_some();
                }
            }
        }
        self.is_broken && !declared.charset.is_seven_bit()
    }
}

/// Examines the first game of a stream, before anything else does, for a charset that is not declared. Stops at
/// the end of that game, as far as it can be found without the charset, or after [`MAX_SAMPLE`] bytes, so that a
/// complete game does not wait for the next one.
#[derive(Debug, Default)]
pub(crate) struct GameSniffer {
    end: GameEnd,
    label: LabelScan,
    /// The result; `None` while unknown.
    found: Option<Option<Charset>>,
}

impl GameSniffer {
    /// Examines the stream from its start; returns false if more bytes are needed.
    pub(crate) fn look(&mut self, start: &[u8], eof: bool) -> bool {
        if self.found.is_none() {
            self.found = self.find(start, eof);
        }
        self.found.is_some()
    }

    /// Returns the charset of the game, if it has no byte-order mark, names none, and is not ASCII.
    pub(crate) fn charset(&self) -> Option<Charset> {
        self.found.flatten()
    }

    fn find(&mut self, start: &[u8], eof: bool) -> Option<Option<Charset>> {
        // Two ASCII characters begin neither a byte-order mark nor a wide charset. A game may end after three: `(;)`.
        let is_narrow = matches!(start, [1..=0x7F, 1..=0x7F, ..]);
        if start.len() < 4 && !eof && !is_narrow {
            return None;
        }
        if Charset::from_bom(start).is_some() || wide(start).is_some() {
            return Some(None);
        }
        let start = &start[..start.len().min(MAX_SAMPLE)];
        let end = self.end.find(start);
        let game = &start[..end.unwrap_or(start.len())];
        let is_blank = |label: &Range<usize>| trim(&game[label.clone()]).is_empty();
        while let Some(label) = self.label.scan(game) {
            if !is_blank(&label) {
                return Some(None);
            }
        }
        let full = eof || end.is_some() || start.len() == MAX_SAMPLE;
        if !full {
            return None;
        }
        // Here a second byte seems to hide the end of the value before CA.
        while let Some(label) = self.label.scan_anywhere(game, true).or_else(|| self.label.scan(game)) {
            let named = Charset::for_label(&game[label]);
            if named.is_some_and(Charset::has_bracket_trails) {
                return Some(named);
            }
        }
        let mut detector = Detector::default();
        let says_something = match eof || end.is_some() {
            true => detector.feed(game),
            false => detector.feed_cut(game),
        };
        Some(says_something.then(|| detector.charset()))
    }
}

/// Finds the end of the first game in bytes, by its parentheses outside of values.
#[derive(Debug, Default)]
struct GameEnd {
    at: usize,
    depth: usize,
    has_node: bool,
    in_value: bool,
    is_escaped: bool,
}

impl GameEnd {
    /// Returns the index after the closing `)`, if it has come.
    fn find(&mut self, start: &[u8]) -> Option<usize> {
        while !self.is_found() {
            let &byte = start.get(self.at)?;
            self.at += 1;
            if self.in_value {
                self.in_value = self.is_escaped || byte != b']';
                self.is_escaped = byte == b'\\' && !self.is_escaped;
                continue;
            }
            match byte {
                b'(' => self.depth += 1,
                b')' => self.depth = self.depth.saturating_sub(1),
                b'[' if self.depth > 0 => self.in_value = true,
                b';' if self.depth > 0 => self.has_node = true,
                _ => {}
            }
        }
        Some(self.at)
    }

    fn is_found(&self) -> bool {
        self.depth == 0 && self.has_node
    }
}

/// Detects UTF-16 or UTF-32 without a byte-order mark, by the NULs of the first two characters, which are
/// ASCII at the start of an SGF file or a mail header.
fn wide(start: &[u8]) -> Option<Charset> {
    match start {
        [0, 0, 0, 1..=0x7F, ..] => Some(Charset::UTF_32BE),
        [1..=0x7F, 0, 0, 0, ..] => Some(Charset::UTF_32LE),
        [0, 1..=0x7F, 0, 1..=0x7F, ..] => Some(Charset::UTF_16BE),
        [1..=0x7F, 0, 1..=0x7F, 0, ..] => Some(Charset::UTF_16LE),
        _ => None,
    }
}

/// Finds the first `CA[…]` after the first `(`, in bytes.
///
/// White space may stand before the bracket, and lower-case letters anywhere in the
/// identifier (`ClowerAcase`); anything else ends a word. Values are skipped, so that a
/// comment may contain `CA[…]`.
#[derive(Debug, Default)]
struct LabelScan {
    at: usize,
    state: ScanState,
    /// Whether to look inside values too.
    anywhere: bool,
    words: WordScan,
}

/// Searches for what every label follows: a `C`, any lower-case letters, and an `A`. Most games have none, and this is
/// faster than to read their words and values.
#[derive(Clone, Copy, Debug, Default)]
struct WordScan {
    /// Number of bytes searched.
    searched: usize,
    /// Whether the last of them are a `C` and any lower-case letters.
    is_after_c: bool,
    has_found: bool,
}

impl WordScan {
    /// Searches the bytes that are new. Returns whether it has been found in any.
    fn find(&mut self, start: &[u8]) -> bool {
        let new = start.get(self.searched..).unwrap_or_default();
        if self.has_found || new.is_empty() {
            return self.has_found;
        }
        let was_after_c = self.is_after_c;
        let is_after_c = |before: &[u8]| match before.iter().rfind(|byte| !byte.is_ascii_lowercase()) {
            Some(&byte) => byte == b'C',
            None => was_after_c,
        };
        self.has_found = memchr::memchr_iter(b'A', new).any(|at| is_after_c(&new[..at]));
        self.is_after_c = is_after_c(new);
        self.searched = start.len();
        self.has_found
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
enum ScanState {
    /// Before the first `(`.
    #[default]
    Front,
    /// In a word with these upper-case letters, or in white space after one.
    Word { letters: Letters, is_over: bool },
    /// In a value. It is that of `CA` if its start is set.
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
    /// Maximum length of a charset name, in bytes.
    const MAX_LABEL: usize = 256;

    const BETWEEN: ScanState = ScanState::Word { letters: Letters::None, is_over: false };

    /// Scans again from the start, also inside values, once all bytes are there and no label was found: a second
    /// byte that looks like a backslash can hide the end of the value before `CA`.
    fn scan_anywhere(&mut self, start: &[u8], full: bool) -> Option<Range<usize>> {
        if !full || self.anywhere {
            return None;
        }
        *self = LabelScan { anywhere: true, words: self.words, ..LabelScan::default() };
        self.scan(start)
    }

    /// Returns the range of the label. `None` if it has not come yet; the next call continues from there.
    fn scan(&mut self, start: &[u8]) -> Option<Range<usize>> {
        if !self.words.find(start) {
            return None;
        }
        while let Some(&byte) = start.get(self.at) {
            let at = self.at;
            self.at += 1;
            self.state = match self.state {
                ScanState::Front if byte == b'(' => Self::BETWEEN,
                ScanState::Front => ScanState::Front,
                ScanState::Word { letters, is_over } => match byte {
                    b'[' if letters == Letters::Ca => ScanState::Value { label: Some(self.at), escaped: false },
                    b'[' if self.anywhere => Self::BETWEEN,
                    b'[' => ScanState::Value { label: None, escaped: false },
                    b'A'..=b'Z' => {
                        let letters = match (byte, if is_over { Letters::None } else { letters }) {
                            (b'C', Letters::None) => Letters::C,
                            (b'A', Letters::C) => Letters::Ca,
                            _ => Letters::Others,
                        };
                        ScanState::Word { letters, is_over: false }
                    }
                    b'a'..=b'z' if is_over => Self::BETWEEN,
                    b'a'..=b'z' => ScanState::Word { letters, is_over },
                    byte if is_white_space(byte) => ScanState::Word { letters, is_over: true },
                    _ => Self::BETWEEN,
                },
                ScanState::Value { label: Some(from), escaped: false } if byte == b']' => {
                    self.state = Self::BETWEEN;
                    return Some(from..at);
                }
                ScanState::Value { label: Some(from), .. } if at - from >= Self::MAX_LABEL => {
                    ScanState::Value { label: None, escaped: false }
                }
                ScanState::Value { escaped: false, .. } if byte == b']' => Self::BETWEEN,
                ScanState::Value { label, escaped } => ScanState::Value { label, escaped: byte == b'\\' && !escaped },
            };
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_label_is_that_of_the_first_ca_after_a_parenthesis() {
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
    fn a_label_after_a_value_that_seems_to_swallow_it_is_found_at_last() {
        let start = b"(;PB[\x94\\]CA[SJIS])";
        let mut scan = LabelScan::default();
        assert_eq!(scan.scan(start), None);
        assert_eq!(scan.scan_anywhere(start, false), None);
        assert_eq!(scan.scan_anywhere(start, true), Some(11..15));
        assert_eq!(scan.scan_anywhere(start, true), None);
    }

    #[test]
    fn only_the_first_game_of_a_stream_is_examined() {
        let sjis = Charset::SHIFT_JIS.encoding().unwrap().encode("囲碁は古代のゲームであり、ソ表").0;
        let game = |head: &str| [b"(;", head.as_bytes(), b"C[", &sjis[..], b"];B[aa])"].concat();
        let large = [b"(;C[".to_vec(), vec![b'x'; MAX_SAMPLE], game("")].concat();
        for (start, eof, found) in [
            (game(""), false, Some(Some(Charset::SHIFT_JIS))),
            (game("CA[ ]"), false, Some(Some(Charset::SHIFT_JIS))),
            (game("CA[SJIS]"), false, Some(None)),
            (game("")[..20].to_vec(), false, None),
            (b"From: me (or so)\n(;FF[4]".to_vec(), false, None),
            (b"From: me (or so)\n(;FF[4])".to_vec(), false, Some(None)),
            (b"(;FF[4])".iter().copied().chain(game("")).collect(), true, Some(None)),
            (b"(;PB[\x94\\]CA[SJIS]".to_vec(), false, None),
            (b"(;PB[\x94\\]CA[SJIS])".to_vec(), true, Some(Some(Charset::SHIFT_JIS))),
            (large, false, Some(None)),
            (b"\xEF\xBB\xBF(".to_vec(), false, Some(None)),
            (b"(;C[\\])".to_vec(), false, None),
            (b"".to_vec(), true, Some(None)),
        ] {
            let shown = start.escape_ascii().to_string();
            let mut whole = GameSniffer::default();
            assert_eq!(whole.look(&start, eof), found.is_some(), "{shown:.99}");
            assert_eq!(whole.found, found, "{shown:.99}");
            let mut slow = GameSniffer::default();
            let step = if start.len() > 1000 { 999 } else { 1 };
            let _ = (0..start.len()).step_by(step).find(|&end| slow.look(&start[..end], false));
            slow.look(&start, eof);
            assert_eq!(slow.found, found, "byte by byte: {shown:.99}");
        }
    }

    #[test]
    fn wide_charsets_are_detected_by_their_nuls() {
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
