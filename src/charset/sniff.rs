//! Finds the charset of a whole stream from its first bytes.

use super::detect::{Detector, MAX_SAMPLE};
use super::{Charset, CharsetError, CharsetSource, Decoding, TreeCharset};
use crate::node::RootFacts;
use crate::raw::RawValue;
use crate::raw::{trim, trim_start};
use crate::syntax::event::Event;
use crate::syntax::flow::Flow;
use crate::syntax::tokenizer::{Config, Outcome, Sink, Tokenizer};

/// Examines a growing stream until its charset is known. Each byte is examined a bounded number of times, for any
/// chunk size.
#[derive(Debug)]
pub(super) struct Sniffer {
    decoding: Decoding,
    /// The charset of the stream if it has no byte-order mark.
    unmarked: Option<Charset>,
    roots: Roots,
    /// The charset that `CA` names; ignored if the stream turns out to be UTF-8.
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
        Sniffer { decoding, unmarked, roots: Roots::default(), declared: None, utf8: 0, is_broken: false, looked_at: 0 }
    }

    /// Returns the charset, and the length of the byte-order mark; `None` if more bytes are needed. `full` means that
    /// no more bytes will come, and `end` that this is because the stream ends.
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
        // A blank label is ignored.
        while self.declared.is_none()
            && let Some(found) = self.roots.next(start, end)
        {
            if let Found::Label(label) = found {
                self.declared = decoding.declared(RawValue::new(label))?;
            }
        }
        if full {
            let mut others = labels_anywhere(start);
            while self.declared.is_none()
                && let Some(label) = others.next()
            {
                self.declared = decoding.declared(RawValue::new(label))?;
            }
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

/// Examines the first game of a stream before parsing, for a charset that is not declared. Stops at the end of that
/// game, as far as it can be found without the charset, or after [`MAX_SAMPLE`] bytes, so that a complete game does
/// not wait for the next one.
#[derive(Debug, Default)]
pub(crate) struct GameSniffer {
    roots: Option<Box<Roots>>,
    /// The result; `None` while unknown.
    found: Option<Option<Charset>>,
}

impl GameSniffer {
    /// Examines the stream from its start; returns false if more bytes are needed.
    pub(crate) fn look(&mut self, start: &[u8], eof: bool) -> bool {
        if self.found.is_none() {
            self.found = self.find(start, eof);
            if self.found.is_some() {
                self.roots = None;
            }
        }
        self.found.is_some()
    }

    /// Returns the detected charset of the game. `None` if it has a byte-order mark or `CA`, or is ASCII.
    pub(crate) fn charset(&self) -> Option<Charset> {
        self.found.flatten()
    }

    fn find(&mut self, start: &[u8], eof: bool) -> Option<Option<Charset>> {
        // Two ASCII characters are neither the start of a byte-order mark nor of a wide charset. A game may end after
        // three: `(;)`.
        let is_narrow = matches!(start, [1..=0x7F, 1..=0x7F, ..]);
        if start.len() < 4 && !eof && !is_narrow {
            return None;
        }
        if Charset::from_bom(start).is_some() || wide(start).is_some() {
            return Some(None);
        }
        let is_whole = eof && start.len() <= MAX_SAMPLE;
        let start = &start[..start.len().min(MAX_SAMPLE)];
        let roots = self.roots.get_or_insert_default();
        let end = loop {
            match roots.next(start, is_whole) {
                Some(Found::Label(label)) if !trim(label).is_empty() => return Some(None),
                Some(Found::Label(_)) => {}
                Some(Found::GameEnd(end)) => break Some(end),
                None => break None,
            }
        };
        if !is_whole && end.is_none() && start.len() < MAX_SAMPLE {
            return None;
        }
        let game = &start[..end.unwrap_or(start.len())];
        let named = labels_anywhere(game).filter_map(Charset::for_name).find(|named| named.has_bracket_trails());
        if named.is_some() {
            return Some(named);
        }
        let mut detector = Detector::default();
        let says_something = match is_whole || end.is_some() {
            true => detector.feed(game),
            false => detector.feed_cut(game),
        };
        Some(says_something.then(|| detector.charset()))
    }
}

/// The roots of a stream, read by a lenient parser that ignores the charset.
#[derive(Debug)]
pub(super) struct Roots {
    tokenizer: Tokenizer,
    root: Root,
}

/// The next item of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found<'r> {
    /// The first value of `CA` in the root of a game.
    Label(&'r [u8]),
    /// The end of a game, after this number of bytes.
    GameEnd(usize),
}

impl Default for Roots {
    fn default() -> Self {
        Roots { tokenizer: Tokenizer::new(Config::default()), root: Root::default() }
    }
}

impl Roots {
    /// Continues reading a growing stream, which is passed from its start. `None` if more bytes are needed, or at its
    /// end.
    fn next(&mut self, start: &[u8], end: bool) -> Option<Found<'_>> {
        let rest = start.get(self.tokenizer.offset() as usize..).unwrap_or_default();
        if self.tokenizer.run(rest, end, &mut self.root).outcome != Outcome::Stopped {
            return None;
        }
        Some(match self.root.facts.charset() {
            Some(label) if !self.root.is_over => Found::Label(label.as_bytes()),
            _ => Found::GameEnd(self.tokenizer.game_end() as usize),
        })
    }
}

/// A sink that stops the tokenizer at the label of a game, and at its end.
#[derive(Debug, Default)]
struct Root {
    facts: RootFacts,
    /// Whether the last game has ended.
    is_over: bool,
}

impl Sink for Root {
    fn event(&mut self, event: Event<'_>, _: u64) -> Flow {
        let had_label = self.facts.charset().is_some();
        self.facts.observe(event);
        self.is_over = self.facts.depth() == 0;
        match event {
            Event::EndTree if self.is_over => Flow::Break,
            _ if self.facts.is_final() => Flow::SkipGame,
            Event::Value(_) if !had_label && self.facts.charset().is_some() => Flow::Break,
            _ => Flow::Continue,
        }
    }

    fn game_skipped(&mut self) -> Flow {
        self.facts.next_game();
        self.is_over = true;
        Flow::Break
    }
}

/// Returns the values of all `CA[…]` in bytes, even inside other values. A second byte that looks like a backslash
/// can hide the end of the value before `CA`.
fn labels_anywhere(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    /// Maximum length of a charset name, in bytes.
    const MAX_LABEL: usize = 256;
    memchr::memchr_iter(b'C', bytes).filter_map(|at| {
        // Old files have lower-case letters in identifiers.
        let before = bytes[..at].iter().rfind(|byte| !byte.is_ascii_lowercase());
        let rest =
            trim_lower(&bytes[at + 1..]).strip_prefix(b"A").filter(|_| !before.is_some_and(u8::is_ascii_uppercase))?;
        let label = trim_start(trim_lower(rest)).strip_prefix(b"[")?;
        let len = memchr::memchr(b']', &label[..label.len().min(MAX_LABEL)])?;
        Some(&label[..len])
    })
}

/// Returns the bytes without lower-case letters at the start.
fn trim_lower(bytes: &[u8]) -> &[u8] {
    let len = bytes.iter().take_while(|byte| byte.is_ascii_lowercase()).count();
    &bytes[len..]
}

/// Detects UTF-16 or UTF-32 without a byte-order mark. It uses the NULs of the first two characters, which are ASCII
/// at the start of an SGF file or a mail header.
fn wide(start: &[u8]) -> Option<Charset> {
    match start {
        [0, 0, 0, 1..=0x7F, ..] => Some(Charset::UTF_32BE),
        [1..=0x7F, 0, 0, 0, ..] => Some(Charset::UTF_32LE),
        [0, 1..=0x7F, 0, 1..=0x7F, ..] => Some(Charset::UTF_16BE),
        [1..=0x7F, 0, 1..=0x7F, 0, ..] => Some(Charset::UTF_16LE),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the first label of a root.
    fn label(roots: &mut Roots, start: &[u8], end: bool) -> Option<String> {
        while let Some(found) = roots.next(start, end) {
            if let Found::Label(label) = found {
                return Some(String::from_utf8_lossy(label).into_owned());
            }
        }
        None
    }

    #[test]
    fn the_label_is_that_of_the_first_ca_of_a_root() {
        for (start, expected) in [
            ("(;FF[4]CA[UTF-8]C[x])", Some("UTF-8")),
            ("no:CA[one] (CA[after-brace]", Some("after-brace")),
            ("(CA\n [ spaces \n] ", Some(" spaces \n")),
            ("(xCyAzA[one]CxA[second-lower]", Some("second-lower")),
            ("(;xCyA.CzA[word-boundary] more", Some("word-boundary")),
            ("(CCA[one]CA[second]", Some("second")),
            ("(;C[see CA[x\\] or CA[y] ]CA[z]", Some("z")),
            ("(;C[(]CA[z]", Some("z")),
            ("(C A[one]", None),
            ("(CA x[one]", None),
            ("(CA[it", None),
            ("(C1A[it]", None),
            ("CA[it]", None),
            ("(;CA[]", Some("")),
            ("(;B[aa];CA[it])", None),
            ("(;B[aa](;C[x]CA[it]))", None),
            ("(;B[aa](;CA[a head]))", Some("a head")),
            ("(;B[aa])(;CA[it])", Some("it")),
        ] {
            let bytes = start.as_bytes();
            let whole = label(&mut Roots::default(), bytes, true);
            assert_eq!(whole.as_deref(), expected, "{start}");
            let mut roots = Roots::default();
            let slow = (0..bytes.len()).find_map(|end| label(&mut roots, &bytes[..end], false));
            assert_eq!(slow.or_else(|| label(&mut roots, bytes, true)), whole, "byte by byte: {start}");
        }
    }

    #[test]
    fn a_label_after_a_value_that_seems_to_swallow_it_is_found_at_last() {
        let start = b"(;PB[\x94\\]CA[SJIS])";
        assert_eq!(label(&mut Roots::default(), start, true), None);
        assert!(labels_anywhere(start).eq([b"SJIS"]));
        for (start, labels) in [
            (&b"(;C[CA[x]CA\n[ y ]ACA[z]"[..], &[&b"x"[..], b" y "][..]),
            (b"CA[] CA", &[b""]),
            (b"xCyA.CzA[a]BxCA[b]CxAy [c]", &[b"a", b"c"]),
            (b"CA[x", &[]),
            (&[b"CA[", &[b'x'; 300][..], b"]"].concat(), &[]),
        ] {
            assert!(labels_anywhere(start).eq(labels.iter().copied()), "{}", start.escape_ascii());
        }
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
