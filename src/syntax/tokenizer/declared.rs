//! The charset that a game declares: its root is watched for the first CA.
//!
//! From the end of that value on, values are split into characters where the charset needs it
//! ([`two_byte`](crate::raw::two_byte)). The caller may know more ([`Given`]): the charset of all games, or of those that
//! do not say theirs. Then values are split into its characters from the first byte on.
//!
//! A byte-order mark of UTF-8 at the start of a stream says that all of it is in UTF-8. It overrules `CA` and a default; only
//! a charset that the caller gives for all games overrules the mark. A mark anywhere else is text outside of games, and says
//! nothing.
//!
//! Skipped bytes are watched too: otherwise skipping would not end where reading ends. For the same reason, the bytes alone
//! decide which property is the root's CA; the events that are asked for, and limits, do not.
//!
//! The [writer](crate::write) watches what it writes by the same rules, so that a value ends in its
//! output where a reader finds the end.

use super::{MachineState, Outcome, Run, StepResult, Tokenizer};
use crate::raw::trim;
use crate::raw::two_byte::{MAX_LABEL, TwoByte};
use crate::syntax::event::Ident;

/// The caller's word on the charset of games, as far as it matters to values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(not(feature = "charset"), allow(dead_code))] // callers name charsets by that feature
pub(crate) enum Given {
    /// The games say it themselves.
    #[default]
    Nothing,
    /// The charset of games without CA.
    Default(TwoByte),
    /// The charset of all games, whatever they say; none whose characters matter, if there is none here.
    Forced(Option<TwoByte>),
    /// The charset of games without CA is to be detected from the start of the stream, before it is read.
    #[cfg(feature = "charset")]
    Detect,
}

impl Given {
    /// Returns the charset in a stream that starts with a byte-order mark: UTF-8, unless the caller overrules it.
    pub(crate) fn after_mark(self) -> Given {
        match self {
            Given::Forced(charset) => Given::Forced(charset),
            _ => Given::Forced(None),
        }
    }

    /// This; or where the start of the stream has to say it, what it has said.
    pub(crate) fn or(self, detected: Given) -> Given {
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
    /// Nothing that matters to values. The root is over, or its CA was read.
    Nothing,
    /// Nothing yet: this is the root, or a `(` in it that nothing has come of.
    InRoot(Root),
    /// A charset whose characters matter to values.
    Is(TwoByte),
}

/// A root that has not said its charset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Root {
    last: Last,
    /// The charset if there is no CA.
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
    /// A game has begun, and nothing more is known.
    pub(crate) const START: Declared = Declared::InRoot(Root { last: Last::None, default: None });

    /// A game has begun.
    pub(crate) fn start(given: Given) -> Self {
        match given {
            Given::Forced(charset) => charset.map_or(Declared::Nothing, Declared::Is),
            Given::Default(charset) => Declared::InRoot(Root { last: Last::None, default: Some(charset) }),
            _ => Declared::START,
        }
    }

    /// The next value names the charset.
    #[inline]
    pub(crate) fn is_label_next(self) -> bool {
        matches!(self, Declared::InRoot(Root { last: Last::Ca, .. }))
    }

    /// This is a root in which values are bytes, and the next one does not name the charset.
    #[inline]
    pub(super) fn is_in_plain_root(self) -> bool {
        matches!(self, Declared::InRoot(Root { last: Last::None | Last::Other, default: None }))
    }

    /// After the root, or in a charset where no character needs care: what nearly all properties are.
    #[inline]
    pub(crate) fn is_nothing(self) -> bool {
        self == Declared::Nothing
    }

    /// The root is being read, and has not said it yet.
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

    /// An identifier.
    pub(crate) fn note_ident(&mut self, ident: &[u8]) {
        self.note(last_of(ident));
    }

    /// The first value of the root's CA. A blank one says nothing.
    pub(crate) fn note_label(&mut self, raw: &[u8]) {
        if raw.len() <= MAX_LABEL && trim(raw).is_empty() {
            return self.leave_root();
        }
        *self = TwoByte::of_label(raw).map_or(Declared::Nothing, Declared::Is);
    }

    /// A property of upper-case letters with its first value, a [plain one](super::grammar::plain_value): false if that
    /// may not be what it seems.
    #[inline]
    pub(super) fn note_property(&mut self, ident: &[u8], raw: &[u8]) -> bool {
        if !is_ascii(raw) {
            return false;
        }
        self.note_ascii_property(ident, raw);
        true
    }

    /// Such a property, whose value is in ASCII.
    #[inline]
    pub(super) fn note_ascii_property(&mut self, ident: &[u8], raw: &[u8]) {
        match ident {
            b"CA" if self.is_in_root() => self.note_label(raw),
            _ => self.note(Last::Other),
        }
    }

    /// An identifier, or none any more.
    fn note(&mut self, last: Last) {
        if let Declared::InRoot(root) = self {
            root.last = last;
        }
    }

    pub(super) fn forget_ident(&mut self) {
        self.note(Last::None);
    }

    /// Values of properties that are not CA.
    pub(super) fn pass_values(&mut self) {
        self.note(Last::Other);
    }

    /// The root is over.
    #[cold]
    pub(crate) fn leave_root(&mut self) {
        if let Declared::InRoot(root) = self {
            *self = root.default.map_or(Declared::Nothing, Declared::Is);
        }
    }
}

/// Like the method of slices, which goes through short ones byte by byte.
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

/// A word in a root that is being skipped, as much of it as was read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Word {
    len: usize,
    has_upper: bool,
    /// Its name is so far the first bytes of `CA`, that many; or something else.
    matches: Option<usize>,
}

impl Word {
    /// A word that is longer than an identifier may be.
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
    /// If the charset is to be detected, looks at the start of the stream; false if more of it has to come.
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

    /// The detected charset.
    #[cfg(feature = "charset")]
    pub(crate) fn detected(&self) -> Option<crate::charset::Charset> {
        self.sniffer.charset()
    }
}

impl Run<'_> {
    /// At the start of the stream: waits until the charset is known.
    #[inline]
    pub(super) fn before_start(&mut self) -> StepResult {
        if self.t.detect(self.input, self.eof) { Ok(()) } else { Err(Outcome::NeedMore) }
    }

    /// A game begins; its first identifier may be held back.
    pub(super) fn watch_root(&mut self, then: MachineState) {
        let given = self.t.config.given;
        self.t.declared = Declared::start(if self.t.bom { given.after_mark() } else { given });
        if then == MachineState::Ident {
            self.note_held_ident();
        }
    }

    /// The identifier that is held back.
    pub(super) fn note_held_ident(&mut self) {
        self.t.declared.note(if self.t.ident.dropped { Last::Other } else { last_of(&self.t.ident.bytes) });
    }

    /// The way to the next bracket in a root that is being skipped: how long it is, if one comes.
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

    /// A word without an upper-case letter is junk, and changes nothing.
    fn end_word(&mut self, word: Word) {
        if word.has_upper {
            let is_ca = word.matches == Some(2) && word.len <= self.t.config.max_ident_len;
            self.t.declared.note(if is_ca { Last::Ca } else { Last::Other });
        }
    }

    /// At the `[` of a value, so many brackets below the root's level: a property there starts a
    /// child tree.
    pub(super) fn note_bracket(&mut self, open: u64) {
        if open > 0 && matches!(self.t.declared, Declared::InRoot(Root { last: Last::Ca | Last::Other, .. })) {
            self.t.declared.leave_root();
        }
    }
}
