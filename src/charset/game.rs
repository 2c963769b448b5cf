//! The charset of a game's texts, a decision that all tables and tools share.
//!
//! [`Decoding::decide`] decides how a value is read, from `CA` or with detection. It trusts `CA`, unless a single
//! value contradicts it. [`Decoding::game_charset`] considers all texts together, and so also finds a `CA` that is
//! wrong for the whole game.

use super::detect::{Detector, MAX_SAMPLE};
use super::{BadBytes, Charset, CharsetError, CharsetSource, Decoding, TreeCharset, tells_charset};
use crate::node::RootFacts;
use crate::raw::RawValue;
use crate::syntax::event::{Event, Ident};

/// Number of non-ASCII bytes that are enough evidence for the charset of a game without `CA`.
const ENOUGH: usize = 32;

/// The texts of a game that are evidence for its charset, collected from its events.
///
/// The charset is decided once per game, from the same texts everywhere:
///
/// 1. All texts of the root.
/// 2. If these are not enough, the texts after the root, one by one in file order, until they are enough.
///
/// Texts are enough if they have 32 non-ASCII bytes, or a character of three or more bytes and are all in UTF-8, or
/// shifts of a seven-bit charset, or 64 KiB. If the root has `CA`, one non-ASCII byte in the root is enough. A program
/// that reads only the root thus nearly always gets the same result as one that reads the whole game, and a program
/// that reads only the main line gets it unless the texts of the main line are not enough.
///
/// ```
/// use sgf_stream::Parser;
/// use sgf_stream::charset::{Charset, Decoding, GameTexts};
///
/// let decide = |game: &str| {
///     let mut texts = GameTexts::new();
///     Parser::new().parse(game.as_bytes(), |event, _| texts.observe(event)).unwrap();
///     Decoding::new().game_charset(None, &texts).unwrap()
/// };
/// let game = decide("(;CA[ISO-2022-KR]PB[이창호])");
/// assert_eq!(game.charset(), Charset::UTF_8);
/// assert!(game.contradicts_ca());
///
/// let game = decide("(;CA[ISO-2022-KR]PB[Lee])");
/// assert_eq!(game.charset(), Charset::ISO_2022_KR); // no text says otherwise
/// assert!(game.is_ascii() && !game.contradicts_ca());
/// ```
#[derive(Clone, Debug, Default)]
pub struct GameTexts {
    facts: RootFacts,
    /// The concatenated texts that are, or may be, evidence for the charset, and their ends.
    bytes: Vec<u8>,
    ends: Vec<usize>,
    /// Number of non-ASCII bytes among them.
    high: usize,
    /// Whether a text is not in UTF-8.
    is_broken: bool,
    /// Whether the root has ended.
    is_root_over: bool,
    /// Whether the texts are enough, so that no more are needed.
    is_decided: bool,
    guess: Guess,
}

/// The detected charset of the texts so far.
#[derive(Debug, Default)]
struct Guess {
    detector: Detector,
    /// Number of texts that the detector has examined.
    seen: usize,
    charset: Option<Charset>,
}

/// A cache, which need not be copied.
impl Clone for Guess {
    fn clone(&self) -> Self {
        Guess::default()
    }
}

impl GameTexts {
    /// Creates an empty collection.
    pub fn new() -> Self {
        GameTexts::default()
    }

    /// Prepares for the next game, and keeps the memory. Needed only after skips.
    pub fn clear(&mut self) {
        self.facts.next_game();
        self.bytes.clear();
        self.ends.clear();
        (self.high, self.is_broken, self.is_root_over, self.is_decided) = (0, false, false, false);
        if self.guess.seen > 0 {
            self.guess = Guess::default();
        }
    }

    /// Observes an event of the stream. The first event of a game discards the texts of the game before it.
    pub fn observe(&mut self, event: Event<'_>) {
        if event == Event::StartTree && self.facts.depth() == 0 {
            self.clear();
        }
        self.facts.observe(event);
        match event {
            Event::Value(value) => self.add(value),
            Event::ValuePart(part) => self.add(RawValue::new(part.bytes)),
            _ if !self.is_root_over && self.facts.is_final() => self.settle_root(),
            _ => {}
        }
    }

    /// Adds a value of the game, in file order. Values that are not texts are harmless. Without
    /// [`observe`](Self::observe), [`end_root`](Self::end_root) must follow the values of the root.
    #[doc(hidden)]
    #[inline]
    pub fn add(&mut self, value: RawValue<'_>) {
        if !self.is_decided && tells_charset(value.as_bytes()) {
            self.collect(value.as_bytes());
        }
    }

    /// Ends the root, with the first value of its `CA`.
    #[doc(hidden)]
    pub fn end_root(&mut self, ca: Option<RawValue<'_>>) {
        if let Some(ca) = ca {
            self.facts.note(Ident::new(b"CA"), ca);
        }
        self.settle_root();
    }

    fn settle_root(&mut self) {
        self.is_root_over = true;
        let is_blank = |ca: RawValue<'_>| ca.simple_text_bytes().trim_ascii().is_empty();
        let is_declared = self.facts.charset().is_some_and(|ca| !is_blank(ca));
        self.is_decided |= self.are_enough(if is_declared { 1 } else { ENOUGH });
    }

    /// Ends the collection early, because something must be decoded now.
    #[doc(hidden)]
    pub fn settle(&mut self) {
        self.is_decided = true;
    }

    /// Observes an event without collecting texts.
    pub(super) fn observe_root(&mut self, event: Event<'_>) {
        self.facts.observe(event);
    }

    /// Returns the number of open trees.
    pub(super) fn depth(&self) -> usize {
        self.facts.depth()
    }

    /// Returns the first value of `CA` in the root.
    #[doc(hidden)]
    pub fn ca(&self) -> Option<RawValue<'_>> {
        self.facts.charset()
    }

    /// Returns whether no value is evidence for the charset.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns whether more texts are needed for a decision that some texts depend on.
    #[doc(hidden)]
    #[inline]
    pub fn is_open(&self) -> bool {
        self.high > 0 && !self.is_decided
    }

    /// Returns whether the texts are enough.
    #[doc(hidden)]
    #[inline]
    pub fn is_decided(&self) -> bool {
        self.is_decided
    }

    /// Returns whether the texts are enough for a decision, if this number of non-ASCII bytes is.
    fn are_enough(&mut self, high: usize) -> bool {
        // The last text is cut between characters of at most four bytes.
        let is_full = self.bytes.len() + 4 > MAX_SAMPLE;
        match self.high {
            0 => !self.is_empty() && (is_full || self.detect() != Charset::UTF_8),
            found if found >= high || is_full => true,
            _ => !self.is_broken && self.bytes.iter().any(|&byte| byte >= 0xE0),
        }
    }

    /// Returns the detected charset of the texts so far. Each text is examined once.
    #[doc(hidden)]
    pub fn detect(&mut self) -> Charset {
        let mut guess = std::mem::take(&mut self.guess);
        let charset = *guess.charset.get_or_insert_with(|| {
            self.iter_from(guess.seen).for_each(|text| _ = guess.detector.feed(text.as_bytes()));
            guess.seen = self.ends.len();
            guess.detector.charset()
        });
        self.guess = guess;
        charset
    }

    #[cold]
    fn collect(&mut self, raw: &[u8]) {
        let room = MAX_SAMPLE.saturating_sub(self.bytes.len());
        // The ASCII at the front is not evidence. It is dropped if not everything fits.
        let front = if raw.len() > room { raw.iter().take_while(|byte| byte.is_ascii()).count() } else { 0 };
        let rest = raw.get(front..).filter(|rest| !rest.is_empty()).unwrap_or(raw);
        let mut text = &rest[..rest.len().min(room)];
        if text.len() < rest.len()
            && let Err(error) = str::from_utf8(text)
            && error.error_len().is_none()
        {
            // It was cut inside a character.
            text = &text[..error.valid_up_to()];
        }
        if !text.is_empty() {
            self.bytes.extend_from_slice(text);
            self.ends.push(self.bytes.len());
            self.high += text.iter().filter(|byte| !byte.is_ascii()).count();
            self.is_broken |= str::from_utf8(text).is_err();
            self.guess.charset = None;
            self.is_decided = self.is_root_over && self.are_enough(ENOUGH);
        }
    }

    /// Returns the texts. The last one may be cut.
    fn iter(&self) -> impl Iterator<Item = RawValue<'_>> {
        self.iter_from(0)
    }

    /// Returns the texts after this number of texts.
    fn iter_from(&self, seen: usize) -> impl Iterator<Item = RawValue<'_>> {
        let start = seen.checked_sub(1).map_or(0, |last| self.ends[last]);
        let starts = std::iter::once(start).chain(self.ends[seen..].iter().copied());
        starts.zip(&self.ends[seen..]).map(|(start, &end)| RawValue::new(&self.bytes[start..end]))
    }

    /// Returns whether the texts contradict a single-byte charset. A UTF-8 character in a text does, since it is very
    /// rare in such a charset.
    fn speak_against(&self, charset: Charset) -> bool {
        let has_char = |text: RawValue<'_>| text.as_bytes().utf8_chunks().any(|chunk| !chunk.valid().is_ascii());
        charset.is_single_byte() && self.iter().any(has_char)
    }

    /// Returns whether a text is valid in a charset, apart from its end if it was cut.
    fn is_sound(&self, text: RawValue<'_>, charset: Charset) -> bool {
        let decoded = charset.decode(text.as_bytes());
        let is_last = text.as_bytes().as_ptr_range().end == self.bytes.as_ptr_range().end;
        let is_cut = is_last && self.bytes.len() == MAX_SAMPLE;
        decoded.is_sound() || is_cut && decoded.bad_runs().all(|run| run.end == text.as_bytes().len())
    }
}

/// The charset of a game's texts; see [`Decoding::game_charset`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GameCharset {
    tree: TreeCharset,
    charset: Charset,
    is_ascii: bool,
    label: Label,
    is_guess: bool,
    is_fallback: bool,
    replaces_ca: bool,
}

/// The content of `CA`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Label {
    Missing,
    Unknown,
    Names(Charset),
}

impl GameCharset {
    /// Returns the charset.
    ///
    /// If the game [is ASCII](Self::is_ascii), it is the one that `CA` names, or UTF-8 without `CA`.
    pub fn charset(self) -> Charset {
        self.charset
    }

    /// Returns the charset that each of the texts is read in.
    ///
    /// It is the one that `CA` names, even if the game is in UTF-8: [`TreeCharset::charset_of`] recognizes these texts
    /// one by one. If none of the texts is in the charset of `CA`, it is the charset of the game, unless that is a
    /// single-byte charset or invalid bytes are [an error](BadBytes::Error).
    pub fn tree(self) -> TreeCharset {
        self.tree
    }

    /// Returns whether all texts are ASCII, and so the same in every ASCII-compatible charset.
    pub fn is_ascii(self) -> bool {
        self.is_ascii
    }

    /// Returns whether `CA` is wrong or names an unknown charset.
    ///
    /// False if the game [is ASCII](Self::is_ascii).
    pub fn contradicts_ca(self) -> bool {
        let is_true = match self.label {
            Label::Missing => true,
            Label::Unknown => false,
            Label::Names(charset) => charset == self.charset,
        };
        !(is_true || self.is_ascii)
    }

    /// Returns whether the charset is a guess reliable enough to write into a file.
    ///
    /// This is the case if `CA` is missing, unknown or wrong, the texts are neither ASCII nor UTF-8, the caller did
    /// not set this charset, and [detection](Charset::detect) found it. A single-byte charset accepts nearly all
    /// bytes, so it is not a reliable guess if `CA` is unknown, or if any text has a UTF-8 character.
    pub fn is_guess(self) -> bool {
        self.is_guess
    }

    /// Returns whether the texts are read as windows-1252 because nothing indicates a charset.
    #[doc(hidden)]
    pub fn is_fallback(self) -> bool {
        self.is_fallback
    }

    fn of(tree: TreeCharset, charset: Charset, label: Label) -> Self {
        let (is_ascii, is_guess, is_fallback, replaces_ca) = (false, false, false, false);
        GameCharset { tree, charset, is_ascii, label, is_guess, is_fallback, replaces_ca }
    }

    /// Lets the texts be read in the guessed charset instead of an unknown or wrong `CA`. A single-byte charset
    /// accepts nearly all bytes, which is too little evidence.
    fn instead_of_ca(mut self, bad_bytes: BadBytes) -> Self {
        let is_likely = self.is_guess && self.contradicts_ca() && !self.charset.is_single_byte();
        if is_likely && bad_bytes != BadBytes::Error {
            (self.tree.charset, self.replaces_ca) = (self.charset, true);
        }
        self
    }

    /// Returns whether the texts are read in another charset than the one that `CA` names.
    #[doc(hidden)]
    pub fn replaces_ca(self) -> bool {
        self.replaces_ca
    }
}

impl Decoding {
    /// Sets the charset from which a [`DecodingReader`](super::DecodingReader) has transcoded the bytes to UTF-8.
    ///
    /// [`game_charset`](Self::game_charset) then reports that charset. Default: not transcoded.
    ///
    /// ```
    /// use sgf_stream::charset::{Charset, Decoding, GameTexts};
    ///
    /// let transcoded = Decoding::utf8().transcoded_from(Charset::UTF_16LE);
    /// assert_eq!(transcoded.game_charset(None, &GameTexts::new())?.charset(), Charset::UTF_16LE);
    /// # Ok::<(), sgf_stream::charset::CharsetError>(())
    /// ```
    #[must_use]
    #[doc(hidden)]
    pub fn transcoded_from(mut self, charset: Charset) -> Self {
        self.original = Some(charset);
        self
    }

    /// Decides which charset the texts of a game are in, considering all of them together.
    ///
    /// | the texts | the charset |
    /// |---|---|
    /// | have a charset set by the caller or a byte-order mark | that charset |
    /// | are ASCII | the one that `CA` names; UTF-8 without `CA`, or if the named one is not ASCII-compatible |
    /// | are all in UTF-8, regardless of `CA` | UTF-8; see [`TreeCharset::charset_of`] |
    /// | are all invalid in the charset of `CA`, and valid in the one that [detection](Charset::detect) finds | the detected one; a single-byte charset only instead of UTF-8 or a seven-bit charset, since it accepts nearly all bytes |
    /// | are anything else, under a `CA` that is known | the one that `CA` names; single values may contradict it |
    /// | are anything else, under an unknown `CA` | the detected one if it is not a single-byte charset and all texts are valid in it; else windows-1252 |
    /// | are not ASCII, and `CA` is missing | the default, or the detected one |
    ///
    /// With [`trust_ca`](Self::trust_ca), texts never contradict `CA`.
    ///
    /// # Errors
    ///
    /// Fails if `CA` is unknown and only [known names](Self::known_names_only) are allowed.
    pub fn game_charset(&self, bom: Option<Charset>, texts: &GameTexts) -> Result<GameCharset, CharsetError> {
        self.game_charset_under(bom, texts.ca(), texts)
    }

    /// Decides which charset the texts of a game would be in under another `CA`.
    ///
    /// # Errors
    ///
    /// Fails if [`game_charset`](Self::game_charset) does.
    #[doc(hidden)]
    pub fn game_charset_under(
        &self,
        bom: Option<Charset>,
        ca: Option<RawValue<'_>>,
        texts: &GameTexts,
    ) -> Result<GameCharset, CharsetError> {
        let tree = self.decide(bom, ca, texts.iter())?;
        let label = match ca.map(|ca| self.declared(ca)).transpose() {
            Ok(Some(Some(named))) if named.source == CharsetSource::Declared => Label::Names(named.charset),
            Ok(Some(None) | None) => Label::Missing,
            Ok(Some(Some(_))) | Err(_) => Label::Unknown,
        };
        Ok(match self.original {
            Some(original) => transcoded(tree, original, label, texts),
            None => found(tree, label, texts).instead_of_ca(self.bad_bytes),
        })
    }
}

/// Returns the charset of a game in a stream that was transcoded from another charset.
fn transcoded(tree: TreeCharset, original: Charset, label: Label, texts: &GameTexts) -> GameCharset {
    // A replacement character may stand for ASCII, such as a lone `~` in HZ.
    let is_beyond_ascii = |char: char| !char.is_ascii() && char != char::REPLACEMENT_CHARACTER;
    let mut chunks = texts.iter().map(|text| text.text());
    let tells = original.is_wide() || chunks.any(|text| text.chars().any(is_beyond_ascii));
    let charset = match label {
        _ if tells => original,
        Label::Names(named) if !named.is_wide() => named,
        _ => Charset::UTF_8,
    };
    GameCharset { is_ascii: !tells, ..GameCharset::of(tree, charset, label) }
}

/// Returns the charset of a game whose values are read with `tree`.
fn found(tree: TreeCharset, label: Label, texts: &GameTexts) -> GameCharset {
    let game = |charset, is_guess| GameCharset { is_guess, ..GameCharset::of(tree, charset, label) };
    // Shifts may have been ASCII after all.
    if texts.bytes.is_ascii() && texts.iter().all(|text| tree.reads_as_utf8(text)) {
        let charset = if tree.charset.is_wide() { Charset::UTF_8 } else { tree.charset };
        return GameCharset { is_ascii: true, ..game(charset, false) };
    }
    match tree.source {
        CharsetSource::Declared | CharsetSource::UnknownName => {}
        CharsetSource::Detected => {
            let is_guess = tree.charset != Charset::UTF_8 && !texts.speak_against(tree.charset);
            return game(tree.charset, is_guess);
        }
        CharsetSource::Forced | CharsetSource::Bom | CharsetSource::Default => return game(tree.charset, false),
    }
    let declared = tree.charset;
    if tree.trusts_ca || declared == Charset::UTF_8 && str::from_utf8(&texts.bytes).is_ok() {
        return game(declared, false);
    }
    // Some texts in two-byte charsets are valid UTF-8 by chance. UTF-8 must therefore fit all of them.
    let is_utf8 = |text: RawValue<'_>| str::from_utf8(text.as_bytes()).is_ok();
    let is_believed = |text: RawValue<'_>| tree.charset_of(text) == declared;
    if !texts.bytes.is_ascii() && texts.iter().all(is_utf8) && !texts.iter().all(is_believed) {
        return game(Charset::UTF_8, false);
    }
    let is_unknown = tree.source == CharsetSource::UnknownName;
    let mut high = texts.iter().filter(|text| !text.as_bytes().is_ascii()).peekable();
    let is_false = high.peek().is_some() && high.all(|text| !texts.is_sound(text, tree.charset_of(text)));
    if is_unknown || is_false {
        let guess = Charset::detect(texts.iter());
        // A single-byte charset accepts nearly all bytes. It is likely only if the declared one looks very different.
        let looks_like_nothing = declared == Charset::UTF_8 || declared.is_seven_bit();
        let may_be = !guess.is_single_byte() || looks_like_nothing && !texts.speak_against(guess);
        if guess != declared && may_be && texts.iter().all(|text| texts.is_sound(text, guess)) {
            return game(guess, guess != Charset::UTF_8);
        }
    }
    GameCharset { is_fallback: is_unknown, ..game(declared, false) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the charset of a game with this CA (`None`: without) and these texts in its root.
    fn of_root(ca: Option<&str>, texts: &[&[u8]]) -> GameCharset {
        let mut collected = GameTexts::new();
        texts.iter().for_each(|text| collected.add(RawValue::new(text)));
        collected.end_root(ca.map(|ca| RawValue::new(ca.as_bytes())));
        Decoding::new().game_charset(None, &collected).unwrap()
    }

    const GBK: &[u8] = b"\xCE\xA7\xC6\xE5\xCA\xC7\xD2\xBB\xD6\xD6\xB2\xDF\xC2\xD4\xC6\xE5";

    #[test]
    fn texts_decide_whether_ca_is_true() {
        let hz: &[u8] = b"~{<:Ky~}";
        for (ca, text, charset, is_ascii, is_contradicted) in [
            (None, &b"Lee"[..], Charset::UTF_8, true, false),
            (Some(" "), b"Lee", Charset::UTF_8, true, false),
            (Some("UTF8"), b"Lee", Charset::UTF_8, true, false),
            (Some("GB2312"), b"Lee ~ Gu", Charset::GBK, true, false),
            (Some("ISO-2022-KR"), b"b+res", Charset::ISO_2022_KR, true, false),
            (Some("HZ"), b"~{ is no shift", Charset::HZ, false, false),
            (Some("HZ"), b"Lee ~ Gu", Charset::HZ, false, false),
            (Some("HZ"), hz, Charset::HZ, false, false),
            (Some("GBK"), hz, Charset::GBK, true, false),
            (None, hz, Charset::HZ, false, false),
            (Some("UTF-16"), b"Lee", Charset::UTF_8, true, false),
            (Some("foo"), b"Lee", Charset::WINDOWS_1252, true, false),
            (Some("foo"), "이창호".as_bytes(), Charset::UTF_8, false, true),
            (Some("foo"), b"Ren\xE9", Charset::WINDOWS_1252, false, true),
            (Some("foo"), GBK, Charset::GBK, false, true),
            (Some("ISO-2022-KR"), "이창호".as_bytes(), Charset::UTF_8, false, true),
            (Some("windows-1252"), "René".as_bytes(), Charset::UTF_8, false, true),
            (Some("UTF-8"), "René".as_bytes(), Charset::UTF_8, false, false),
            (Some("UTF-8"), GBK, Charset::GBK, false, true),
            (Some("UTF-8"), b"Ren\xE9", Charset::WINDOWS_1252, false, true),
            // One byte of a long text was lost. No other charset is likelier.
            (Some("UTF-8"), b"\xE4\xB8? \xE5\x9B\xB2 \xE7\xA2\x81", Charset::UTF_8, false, false),
            (Some("GBK"), GBK, Charset::GBK, false, false),
            (Some("GBK"), b"Ren\xE9", Charset::GBK, false, false),
            (None, GBK, Charset::GBK, false, false),
        ] {
            let game = of_root(ca, &[b"dd", text]);
            let shown = text.escape_ascii();
            assert_eq!(game.charset(), charset, "{ca:?} {shown}");
            assert_eq!(game.is_ascii(), is_ascii, "{ca:?} {shown}");
            assert_eq!(game.contradicts_ca(), is_contradicted, "{ca:?} {shown}");
        }
    }

    #[test]
    fn texts_that_disagree_leave_ca_as_it_is() {
        let name = "이창호".as_bytes();
        for (ca, texts, charset) in [
            ("GBK", [name, GBK], Charset::GBK),
            ("UTF-8", [name, GBK], Charset::UTF_8),
            ("UTF-8", [GBK, GBK], Charset::GBK),
            ("UTF-8", [&b"Lee"[..], GBK], Charset::GBK),
        ] {
            assert_eq!(of_root(Some(ca), &texts).charset(), charset, "{ca}");
        }
    }

    #[test]
    fn a_guess_is_what_nothing_but_detection_says() {
        for (ca, text, guess) in [
            (None, GBK, true),
            (Some("foo"), GBK, true),
            // Only the fallback says windows-1252: it may be cp437.
            (Some("foo"), b"Ren\xE9", false),
            (None, b"Ren\xE9", true),
            (Some("UTF-8"), GBK, true),
            (Some("UTF-8"), b"Ren\xE9", true),
            // A UTF-8 text that lost bytes, with intact characters.
            (None, b"\xC3\xA9t\xC3\xA9 \xE9t\xE9", false),
            (Some("GB2312"), GBK, false),
            (None, "이창호".as_bytes(), false),
            (Some("foo"), "이창호".as_bytes(), false),
            (None, b"Lee", false),
        ] {
            assert_eq!(of_root(ca, &[text]).is_guess(), guess, "{ca:?}");
        }
    }

    #[test]
    fn a_root_beyond_ascii_decides_for_its_game() {
        let decide = |root: &[u8], rest: &[u8]| {
            let mut texts = GameTexts::new();
            texts.add(RawValue::new(root));
            texts.end_root(None);
            texts.add(RawValue::new(rest));
            Decoding::new().game_charset(None, &texts).unwrap().charset()
        };
        assert_eq!(decide("이창호".as_bytes(), GBK), Charset::UTF_8);
        assert_eq!(decide(&GBK.repeat(2), "이창호".as_bytes()), Charset::GBK);
        assert_eq!(decide(b"Lee ~ Gu", GBK), Charset::GBK);
        assert_eq!(decide(b"Lee", b"dd"), Charset::UTF_8);
    }

    #[test]
    fn a_transcoded_game_is_in_the_original_charset() {
        let decide = |original, ca: &[u8], text: &[u8]| {
            let mut texts = GameTexts::new();
            texts.add(RawValue::new(text));
            texts.end_root(Some(RawValue::new(ca)));
            let game = Decoding::utf8().transcoded_from(original).game_charset(None, &texts).unwrap();
            (game.charset(), game.is_ascii(), game.contradicts_ca())
        };
        let (utf16, hz) = (Charset::UTF_16LE, Charset::HZ);
        assert_eq!(decide(utf16, b"UTF-16LE", b"Lee"), (utf16, false, false));
        assert_eq!(decide(utf16, b"GBK", b"Lee"), (utf16, false, true));
        assert_eq!(decide(hz, b"HZ", "围棋".as_bytes()), (hz, false, false));
        assert_eq!(decide(hz, b"HZ", "~ \u{FFFD}".as_bytes()), (hz, true, false));
        assert_eq!(decide(hz, b"", b"Lee"), (Charset::UTF_8, true, false));
    }

    #[test]
    fn texts_beyond_64_kib_are_cut_between_characters() {
        let long = "围棋".repeat(MAX_SAMPLE);
        assert_eq!(of_root(None, &[long.as_bytes()]).charset(), Charset::UTF_8);
        let long = GBK.repeat(MAX_SAMPLE);
        assert_eq!(of_root(Some("GB2312"), &[b"x", &long]).charset(), Charset::GBK);
        assert_eq!(of_root(Some("UTF-8"), &[&GBK[..4], &long]).charset(), Charset::GBK);
    }
}
