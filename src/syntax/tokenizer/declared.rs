//! The charset that a game declares in the first CA of its root.
//!
//! From the end of that value on, values are split into characters if the charset requires it
//! ([`two_byte`](crate::raw::two_byte)). The caller may set the charset of all games, or of those that do not declare
//! one ([`Given`]). Then values are split into its characters from the first byte on.
//!
//! A UTF-8 byte-order mark at the start of a stream means that the whole stream is UTF-8. It overrides `CA` and a
//! default; only a charset that the caller sets for all games overrides the mark. A mark anywhere else is text
//! outside games and has no meaning.
//!
//! Skipped bytes are also examined: otherwise skipping would not end where reading ends. For the same reason, the
//! bytes alone decide which property is the root's CA, regardless of requested events and limits.
//!
//! The [writer](crate::write) applies the same rules to its output, so that a value ends where a reader finds its
//! end.

use super::{MachineState, Outcome, Run, StepResult, Tokenizer};
use crate::raw::trim;
use crate::raw::two_byte::{MAX_LABEL, TwoByte};
use crate::syntax::event::Ident;

/// The caller's setting for the charset of games, as far as it affects values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(not(feature = "charset"), allow(dead_code))] // callers name charsets by that feature
pub enum Given {
    /// No setting: games declare their charset.
    #[default]
    Nothing,
    /// The charset of games without CA.
    Default(TwoByte),
    /// The charset of all games, regardless of CA. `None` if its characters need no care.
    Forced(Option<TwoByte>),
    /// The charset of games without CA is detected at the start of the stream. Parsing waits for it.
    #[cfg(feature = "charset")]
    Detect,
}

impl Given {
    /// Returns the setting for a stream that starts with a byte-order mark.
    ///
    /// It is UTF-8, unless the caller overrides it.
    #[doc(hidden)]
    #[must_use]
    pub fn after_mark(self) -> Given {
        match self {
            Given::Forced(charset) => Given::Forced(charset),
            _ => Given::Forced(None),
        }
    }

    /// Returns this setting, or `detected` if the charset is to be detected.
    #[doc(hidden)]
    #[must_use]
    pub fn or(self, detected: Given) -> Given {
        match self {
            #[cfg(feature = "charset")]
            Given::Detect => detected,
            given => {
                let _ = detected;
                given
            }
        }
    }
}

/// The charset that a game has declared so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Declared {
    /// A charset whose characters need no care. The root has ended, or its CA was read.
    Nothing,
    /// Not known yet. The root is open, or a `(` in it without effect so far.
    InRoot(Root),
    /// A charset whose characters need care.
    Is(TwoByte),
}

/// A root that has not declared a charset yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Root {
    last: Last,
    /// The charset if CA is missing.
    default: Option<TwoByte>,
}

/// The identifier that the next value belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Last {
    None,
    Ca,
    Other,
}

impl Declared {
    /// The state at the start of a game, with nothing else known.
    pub(crate) const START: Declared = Declared::InRoot(Root { last: Last::None, default: None });

    /// Starts a game.
    pub(crate) fn start(given: Given) -> Self {
        match given {
            Given::Forced(charset) => charset.map_or(Declared::Nothing, Declared::Is),
            Given::Default(charset) => Declared::InRoot(Root { last: Last::None, default: Some(charset) }),
            _ => Declared::START,
        }
    }

    /// Returns whether the next value is the charset name.
    #[inline]
    pub(crate) fn is_label_next(self) -> bool {
        matches!(self, Declared::InRoot(Root { last: Last::Ca, .. }))
    }

    /// Returns whether this is a root in which values are plain bytes. False before the charset name.
    #[inline]
    pub(super) fn is_in_plain_root(self) -> bool {
        matches!(self, Declared::InRoot(Root { last: Last::None | Last::Other, default: None }))
    }

    /// Returns whether characters need no care, after the root. True for nearly all properties.
    #[inline]
    pub(crate) fn is_nothing(self) -> bool {
        self == Declared::Nothing
    }

    /// Returns whether the root is being read and has not declared a charset yet.
    #[inline]
    pub(super) fn is_in_root(self) -> bool {
        matches!(self, Declared::InRoot(_))
    }

    pub(crate) fn two_byte(self) -> Option<TwoByte> {
        match self {
            Declared::Is(charset) => Some(charset),
            Declared::InRoot(root) => root.default,
            Declared::Nothing => None,
        }
    }

    /// Records an identifier.
    pub(crate) fn note_ident(&mut self, ident: &[u8]) {
        self.note(last_of(ident));
    }

    /// Records the first value of the root's CA. A blank one is ignored.
    pub(crate) fn note_label(&mut self, raw: &[u8]) {
        if raw.len() <= MAX_LABEL && trim(raw).is_empty() {
            return self.leave_root();
        }
        *self = TwoByte::of_label(raw).map_or(Declared::Nothing, Declared::Is);
    }

    /// Records a property with an upper-case identifier and a [plain](super::grammar::plain_value) first value.
    /// Returns false if the value may end elsewhere.
    #[inline]
    pub(super) fn note_property(&mut self, ident: &[u8], raw: &[u8]) -> bool {
        if !is_ascii(raw) {
            return false;
        }
        self.note_ascii_property(ident, raw);
        true
    }

    /// Records such a property with an ASCII value.
    #[inline]
    pub(super) fn note_ascii_property(&mut self, ident: &[u8], raw: &[u8]) {
        match ident {
            b"CA" if self.is_in_root() => self.note_label(raw),
            _ => self.note(Last::Other),
        }
    }

    /// Records an identifier, or that none is current.
    fn note(&mut self, last: Last) {
        if let Declared::InRoot(root) = self {
            root.last = last;
        }
    }

    pub(super) fn forget_ident(&mut self) {
        self.note(Last::None);
    }

    /// Records values of properties other than CA.
    pub(super) fn pass_values(&mut self) {
        self.note(Last::Other);
    }

    /// Ends the root.
    #[cold]
    pub(crate) fn leave_root(&mut self) {
        if let Declared::InRoot(root) = self {
            *self = root.default.map_or(Declared::Nothing, Declared::Is);
        }
    }
}

/// Returns whether all bytes are ASCII. The method of slices is slow for short ones.
#[inline]
fn is_ascii(raw: &[u8]) -> bool {
    const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);
    match (raw.as_chunks(), raw.last_chunk()) {
        ((chunks, _), Some(last)) => chunks.iter().chain([last]).all(|chunk| u64::from_ne_bytes(*chunk) & HIGH == 0),
        _ => raw.iter().all(u8::is_ascii),
    }
}

fn last_of(ident: &[u8]) -> Last {
    if Ident::new(ident) == "CA" { Last::Ca } else { Last::Other }
}

/// The part read so far of a word in a root that is being skipped.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Word {
    len: usize,
    has_upper: bool,
    /// The number of bytes of `CA` that its name matches so far; `None` for another name.
    matches: Option<usize>,
}

impl Word {
    /// Creates a word that exceeds the length limit of identifiers.
    pub(super) fn too_long(has_upper: bool) -> Self {
        Word { len: usize::MAX, has_upper, matches: None }
    }

    fn start(byte: u8) -> Self {
        let mut word = Word { matches: Some(0), ..Word::default() };
        word.push(byte);
        word
    }

    fn push(&mut self, byte: u8) {
        self.len = self.len.saturating_add(1);
        if byte.is_ascii_lowercase() {
            return;
        }
        self.has_upper |= byte.is_ascii_uppercase();
        self.matches = self.matches.filter(|&at| b"CA".get(at) == Some(&byte)).map(|at| at + 1);
    }
}

impl Tokenizer {
    /// Examines the start of the stream if the charset is to be detected. Returns false if more bytes are needed.
    #[cfg(feature = "charset")]
    pub(crate) fn detect(&mut self, start: &[u8], eof: bool) -> bool {
        if self.config.given != Given::Detect {
            return true;
        }
        let is_over = self.sniffer.look(start, eof);
        if is_over {
            let two_byte = self.sniffer.charset().and_then(crate::charset::Charset::two_byte);
            self.config.given = two_byte.map_or(Given::Nothing, Given::Default);
        }
        is_over
    }

    #[cfg(not(feature = "charset"))]
    pub(crate) fn detect(&mut self, _: &[u8], _: bool) -> bool {
        true
    }

    /// Returns the detected charset.
    #[cfg(feature = "charset")]
    pub(crate) fn detected(&self) -> Option<crate::charset::Charset> {
        self.sniffer.charset()
    }
}

impl Run<'_> {
    /// Waits at the start of the stream until the charset is known.
    #[inline]
    pub(super) fn before_start(&mut self) -> StepResult {
        if self.t.detect(self.input, self.eof) { Ok(()) } else { Err(Outcome::NeedMore) }
    }

    /// Starts a game; its first identifier may be held back.
    pub(super) fn watch_root(&mut self, then: MachineState) {
        let given = self.t.config.given;
        self.t.declared = Declared::start(if self.t.bom { given.after_mark() } else { given });
        if then == MachineState::Ident {
            self.note_held_ident();
        }
    }

    /// Records the identifier that is held back.
    pub(super) fn note_held_ident(&mut self) {
        self.t.declared.note(if self.t.ident.dropped { Last::Other } else { last_of(&self.t.ident.bytes) });
    }

    /// Returns the distance to the next bracket in a root that is being skipped, if one follows.
    pub(super) fn pass_words(&mut self, word: &mut Option<Word>) -> Option<usize> {
        let rest = &self.input[self.pos..];
        for (len, &byte) in rest.iter().enumerate() {
            match word {
                Some(word) if byte.is_ascii_alphanumeric() => word.push(byte),
                None if byte.is_ascii_alphabetic() => *word = Some(Word::start(byte)),
                _ => {
                    if let Some(word) = word.take() {
                        self.end_word(word);
                    }
                    match byte {
                        b'(' | b')' | b'[' => return Some(len),
                        b';' => {
                            self.t.declared.leave_root();
                            return memchr::memchr3(b'(', b')', b'[', &rest[len..]).map(|more| len + more);
                        }
                        _ => {}
                    }
                }
            }
        }
        None
    }

    /// Ends a word. A word without an upper-case letter is junk, and has no effect.
    fn end_word(&mut self, word: Word) {
        if word.has_upper {
            let is_ca = word.matches == Some(2) && word.len <= self.t.config.max_ident_len;
            self.t.declared.note(if is_ca { Last::Ca } else { Last::Other });
        }
    }

    /// Records the `[` of a value that is `open` brackets below the root's level. A property there starts a child
    /// tree.
    pub(super) fn note_bracket(&mut self, open: u64) {
        if open > 0 && matches!(self.t.declared, Declared::InRoot(Root { last: Last::Ca | Last::Other, .. })) {
            self.t.declared.leave_root();
        }
    }
}
