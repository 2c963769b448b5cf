//! Decodes texts in an event loop.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::{BadBytes, CharsetError, CharsetSource, Decoded, Decoding, GameTexts, TreeCharset};
use crate::raw::RawValue;
use crate::syntax::event::Event;
use crate::syntax::fault::Code;

/// A diagnostic about the charset of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct TextDiagnostic {
    /// [`Code::BadBytes`], [`Code::UnknownCharset`] or [`Code::CharsetMismatch`].
    pub code: Code,
    /// The byte offset in the stream.
    ///
    /// It is that of the first invalid byte, of the charset name, or of the first text that is not in the declared
    /// charset.
    pub offset: u64,
    /// The length in bytes of the invalid bytes, the charset name, or the text.
    pub len: usize,
}

/// A decoder for the texts of events, each game in its own charset.
///
/// Pass every event, with its offset, to [`observe`](Self::observe): the decoder tracks where games start and what
/// their roots declare, and decodes the values that the caller asks it to.
///
/// ```
/// use sgf_stream::charset::{Decoding, TreeDecoder};
/// use sgf_stream::{Event, Parser};
///
/// let collection = b"(;FF[4]CA[Big5]PB[\xA7\x64\xB2\x4D\xB7\xBD])(;FF[4]CA[UTF-8]PB[\xE5\xB0\x8F\xE6\x9E\x97])";
/// let mut decoder = TreeDecoder::new(Decoding::new());
/// let (mut names, mut is_name) = (Vec::new(), false);
/// Parser::new().parse(collection, |event, offset| {
///     decoder.observe(event, offset);
///     match event {
///         Event::Property(ident) => is_name = ident == "PB",
///         Event::Value(value) if is_name => names.push(decoder.simple_text(value, offset).unwrap().into_owned()),
///         _ => {}
///     }
/// })?;
/// assert_eq!(names, ["吳清源", "小林"]);
/// # Ok::<(), sgf_stream::SyntaxError>(())
/// ```
///
/// A value is decoded with what is known at the time of the call. Before `CA`, and in a game without `CA` whose
/// charset is detected, that is based on the values so far, until they are [enough](GameTexts). To decode all texts of
/// a game alike, decode them after its end, with [`Decoding::game_charset`]. A `CA` that names a known charset is
/// taken as correct.
///
/// The parser splits the bytes into values before they are decoded. Files where that does not work need
/// a [`DecodingReader`](super::DecodingReader): those in UTF-16, UTF-32, HZ and
/// ISO-2022-\*, and those in Shift_JIS, Big5, GBK and GB18030 without a `CA` before the
/// texts.
#[derive(Debug)]
pub struct TreeDecoder {
    decoding: Decoding,
    /// The charset of the whole stream, if one is set.
    given: Option<TreeCharset>,
    texts: GameTexts,
    /// The charset that this game's `CA` declares.
    declared: Option<Result<TreeCharset, CharsetError>>,
    diagnostics: Diagnostics,
}

impl TreeDecoder {
    /// Maximum number of diagnostics kept between two calls of [`take_diagnostics`](Self::take_diagnostics).
    pub const MAX_DIAGNOSTICS: usize = 1024;

    /// Creates a decoder for one stream.
    pub fn new(decoding: Decoding) -> Self {
        TreeDecoder {
            given: decoding.given(None),
            decoding,
            texts: GameTexts::new(),
            declared: None,
            diagnostics: Diagnostics::default(),
        }
    }

    /// Sets the byte-order mark of the stream, which the parser does not report.
    ///
    /// See [`Charset::from_bom`](super::Charset::from_bom).
    #[must_use]
    pub fn with_bom(mut self, bom: Option<super::Charset>) -> Self {
        self.given = self.decoding.given(bom);
        self
    }

    /// Observes an event.
    ///
    /// Pass every event of the stream before its value is decoded. After skipping past the end of a game, call
    /// [`next_game`](Self::next_game).
    pub fn observe(&mut self, event: Event<'_>, offset: u64) {
        let is_new = event == Event::StartTree && self.texts.depth() == 0;
        if is_new {
            self.next_game();
        }
        let had_label = self.texts.ca().is_some();
        match self.detects() {
            true => self.texts.observe(event),
            false => self.texts.observe_root(event),
        }
        if let Event::Value(value) = event
            && !had_label
            && self.texts.ca().is_some()
        {
            self.declare(value, offset);
        }
    }

    /// Resets the current game, so that the next event starts another. Needed only after skips.
    pub fn next_game(&mut self) {
        self.texts.clear();
        self.declared = None;
        self.diagnostics.reported.clear();
        self.diagnostics.has_mismatch = false;
    }

    /// Returns the charset of the open game, as far as known.
    ///
    /// # Errors
    ///
    /// Fails if `CA` is unknown and only [known names](Decoding::known_names_only) are allowed.
    pub fn tree_charset(&mut self) -> Result<TreeCharset, CharsetError> {
        if let Some(given) = self.given {
            return Ok(given);
        }
        match &self.declared {
            Some(declared) => declared.clone(),
            None => Ok(match self.decoding.undeclared() {
                Some(undeclared) => undeclared,
                None => self.decoding.tree(self.texts.detect(), CharsetSource::Detected),
            }),
        }
    }

    /// Decodes a value to UTF-8, still escaped, for typed values; see [`TreeCharset::decode`].
    ///
    /// `offset` is that of the value's event.
    ///
    /// # Errors
    ///
    /// Fails if the charset is unknown or bytes are invalid, and the policy makes that an error.
    pub fn decode<'a>(&mut self, value: RawValue<'a>, offset: u64) -> Result<Cow<'a, str>, CharsetError> {
        let tree = self.tree_charset()?;
        self.checked(tree, value, tree.decode(value), offset)
    }

    /// Decodes a value as FF\[4\] *Text*; see [`TreeCharset::text`]. `offset` is that of the value's event.
    ///
    /// # Errors
    ///
    /// Fails if the charset is unknown or bytes are invalid, and the policy makes that an error.
    pub fn text<'a>(&mut self, value: RawValue<'a>, offset: u64) -> Result<Cow<'a, str>, CharsetError> {
        let tree = self.tree_charset()?;
        self.checked(tree, value, tree.text(value), offset)
    }

    /// Decodes a value as FF\[4\] *SimpleText*; see [`TreeCharset::simple_text`]. `offset` is that of the value's
    /// event.
    ///
    /// # Errors
    ///
    /// Fails if the charset is unknown or bytes are invalid, and the policy makes that an error.
    pub fn simple_text<'a>(&mut self, value: RawValue<'a>, offset: u64) -> Result<Cow<'a, str>, CharsetError> {
        let tree = self.tree_charset()?;
        self.checked(tree, value, tree.simple_text(value), offset)
    }

    /// Returns the diagnostics since the last call.
    ///
    /// An unknown name and a contradicted `CA` are reported once per game. Each run of invalid bytes is reported
    /// once, even if its value is decoded repeatedly, unless 1024 other values with invalid bytes occur in between.
    pub fn take_diagnostics(&mut self) -> Vec<TextDiagnostic> {
        self.diagnostics.dropped = 0;
        std::mem::take(&mut self.diagnostics.kept)
    }

    /// Returns the number of diagnostics dropped since [`take_diagnostics`](Self::take_diagnostics).
    ///
    /// Diagnostics beyond [`MAX_DIAGNOSTICS`](Self::MAX_DIAGNOSTICS) are dropped.
    pub fn dropped_diagnostics(&self) -> u64 {
        self.diagnostics.dropped
    }

    fn declare(&mut self, ca: RawValue<'_>, offset: u64) {
        // The event's offset is that of the bracket.
        let offset = offset + 1;
        let mut declared = self.decoding.declared(ca);
        if let Err(CharsetError::UnknownName { offset: at, .. }) = &mut declared {
            *at = Some(offset);
        }
        self.declared = declared.transpose();
        let is_unknown = matches!(&self.declared, Some(Ok(tree)) if tree.source == CharsetSource::UnknownName);
        if is_unknown && self.given.is_none() {
            self.diagnostics.push(TextDiagnostic { code: Code::UnknownCharset, offset, len: ca.as_bytes().len() });
        }
    }

    /// Returns whether the charset of a game may be detected from its texts.
    pub(crate) fn may_detect(&self) -> bool {
        self.given.is_none() && self.decoding.default.is_none()
    }

    /// Returns whether the charset of this game is detected.
    fn detects(&self) -> bool {
        self.may_detect() && self.declared.is_none()
    }

    /// Returns whether more texts are needed before texts can be decoded like all others of the game.
    pub(crate) fn is_open(&self) -> bool {
        self.detects() && self.texts.is_open()
    }

    /// Decodes the rest of the game like the texts so far.
    pub(crate) fn settle(&mut self) {
        self.texts.settle();
    }

    fn checked<'a>(
        &mut self,
        tree: TreeCharset,
        value: RawValue<'_>,
        decoded: Decoded<'a>,
        offset: u64,
    ) -> Result<Cow<'a, str>, CharsetError> {
        if !self.diagnostics.has_mismatch && tree.is_contradicted_by(value) {
            self.diagnostics.has_mismatch = true;
            self.diagnostics.push(TextDiagnostic {
                code: Code::CharsetMismatch,
                offset: offset + 1,
                len: value.as_bytes().len(),
            });
        }
        if !decoded.is_sound() {
            let first = decoded.bad_runs().next().map_or(0, |run| run.start);
            if self.decoding.bad_bytes == BadBytes::Error {
                return Err(CharsetError::BadBytes { charset: tree.charset, offset: offset + 1 + first as u64 });
            }
            self.diagnostics.bad_bytes(&decoded, offset + 1);
        }
        Ok(decoded.into_text())
    }
}

#[derive(Debug, Default)]
struct Diagnostics {
    kept: Vec<TextDiagnostic>,
    dropped: u64,
    /// Offsets of the last values of this game whose invalid bytes have been reported.
    reported: BTreeSet<u64>,
    /// Whether a contradicted `CA` of this game has been reported.
    has_mismatch: bool,
}

impl Diagnostics {
    fn bad_bytes(&mut self, decoded: &Decoded<'_>, offset: u64) {
        if !self.reported.insert(offset) {
            return;
        }
        // Drop the first ones: a value that is decoded again is a recent one.
        if self.reported.len() > TreeDecoder::MAX_DIAGNOSTICS {
            self.reported.pop_first();
        }
        for run in decoded.bad_runs() {
            self.push(TextDiagnostic { code: Code::BadBytes, offset: offset + run.start as u64, len: run.len() });
        }
    }

    fn push(&mut self, diagnostic: TextDiagnostic) {
        if self.kept.len() < TreeDecoder::MAX_DIAGNOSTICS {
            self.kept.push(diagnostic);
        } else {
            self.dropped += 1;
        }
    }
}
