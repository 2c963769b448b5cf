//! Decoding beside an event loop.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::detect::Detector;
use super::{BadBytes, CharsetError, CharsetSource, Decoded, Decoding, TreeCharset};
use crate::{Code, Event, RawValue};

/// Something that was wrong with a text and has been mended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct TextFinding {
    /// [`Code::BadBytes`], [`Code::UnknownCharset`] or [`Code::CharsetMismatch`].
    pub code: Code,
    /// The byte offset in the stream: of the first bad byte, of the name of the charset, or of the first text
    /// that is not in it.
    pub offset: u64,
    /// How many bytes are bad, or the length of the name or of that text.
    pub len: usize,
}

/// Decodes the texts of a stream of events, each game by its own charset.
///
/// It is shown every event with its offset, watches where games start and what their roots say,
/// and reads the values that it is asked for.
///
/// ```
/// use sgf_stream::charset::{Decoding, TreeDecoder};
/// use sgf_stream::{Event, Parser};
///
/// let archive = b"(;FF[4]CA[Big5]PB[\xA7\x64\xB2\x4D\xB7\xBD])(;FF[4]CA[UTF-8]PB[\xE5\xB0\x8F\xE6\x9E\x97])";
/// let mut decoder = TreeDecoder::new(Decoding::new());
/// let (mut names, mut is_name) = (Vec::new(), false);
/// Parser::new().parse(archive, |event, offset| {
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
/// A value is read by what is known when it is asked for. In front of `CA`, and in a game without
/// `CA` that is told by detection, that is what the values so far say; who has the whole root in
/// hand asks again, or asks [`Decoding::decide`].
///
/// The parser splits the bytes into values before anybody decodes them. Files where that cannot
/// be done are for a [`DecodingReader`](super::DecodingReader): those in UTF-16, UTF-32, HZ and
/// ISO-2022-\*, and those in Shift_JIS, Big5, GBK and GB18030 without a `CA` in front of the
/// texts.
#[derive(Debug)]
pub struct TreeDecoder {
    decoding: Decoding,
    /// What holds for the whole stream.
    given: Option<TreeCharset>,
    depth: usize,
    place: Place,
    /// What this game's `CA` says.
    declared: Option<Result<TreeCharset, CharsetError>>,
    detector: Detector,
    /// What the detector says, until it is fed again.
    guess: Option<TreeCharset>,
    findings: Findings,
}

/// Where in a game the last event was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// In front of its first node.
    Front,
    /// In its root.
    Root,
    /// Behind the identifier of `CA` in its root.
    Charset,
    /// Behind its root, or behind the first value of `CA`.
    Rest,
}

impl TreeDecoder {
    /// How many findings are kept between two calls of [`take_findings`](Self::take_findings).
    pub const MAX_FINDINGS: usize = 1024;

    /// A decoder for one stream.
    pub fn new(decoding: Decoding) -> Self {
        TreeDecoder {
            given: decoding.given(None),
            decoding,
            depth: 0,
            place: Place::Front,
            declared: None,
            detector: Detector::default(),
            guess: None,
            findings: Findings::default(),
        }
    }

    /// The byte-order mark that the stream starts with, which the parser does not speak of: see
    /// [`Charset::from_bom`](super::Charset::from_bom).
    #[must_use]
    pub fn with_bom(mut self, bom: Option<super::Charset>) -> Self {
        self.given = self.decoding.given(bom);
        self
    }

    /// Takes notice of an event. Every event of the stream is to pass here before its value is
    /// read; after a skip that swallowed the end of a game, call [`next_game`](Self::next_game).
    pub fn observe(&mut self, event: Event<'_>, offset: u64) {
        match event {
            Event::StartTree => {
                if self.depth == 0 {
                    self.next_game();
                } else {
                    self.place = Place::Rest;
                }
                self.depth += 1;
            }
            Event::EndTree => self.depth = self.depth.saturating_sub(1),
            Event::Node => self.place = if self.place == Place::Front { Place::Root } else { Place::Rest },
            Event::Property(ident) => match self.place {
                Place::Root if ident == "CA" => self.place = Place::Charset,
                Place::Charset => self.place = Place::Root,
                _ => {}
            },
            Event::Value(value) => {
                if self.place == Place::Charset {
                    self.place = Place::Rest;
                    self.declare(value, offset);
                }
                self.feed(value.as_bytes());
            }
            Event::ValuePart(part) => self.feed(part.bytes),
        }
    }

    /// Forgets the game: the next event is the start of another. Only who skips needs this.
    pub fn next_game(&mut self) {
        self.depth = 0;
        self.place = Place::Front;
        self.declared = None;
        self.detector = Detector::default();
        self.guess = None;
        self.findings.reported.clear();
        self.findings.has_mismatch = false;
    }

    /// The charset of the open game, as far as is known.
    ///
    /// # Errors
    ///
    /// [`CharsetError::UnknownLabel`], if the policy is strict.
    pub fn tree_charset(&mut self) -> Result<TreeCharset, CharsetError> {
        if let Some(given) = self.given {
            return Ok(given);
        }
        match &self.declared {
            Some(declared) => declared.clone(),
            None => Ok(self.decoding.undeclared().unwrap_or_else(|| {
                let (decoding, detector) = (self.decoding, &self.detector);
                *self.guess.get_or_insert_with(|| decoding.tree(detector.charset(), CharsetSource::Detected))
            })),
        }
    }

    /// A value in UTF-8, still escaped, for typed values: see [`TreeCharset::decode`]. The offset is
    /// that of its event.
    ///
    /// # Errors
    ///
    /// By policy: if the charset is unknown, or bytes are bad.
    pub fn decode<'a>(&mut self, value: RawValue<'a>, offset: u64) -> Result<Cow<'a, str>, CharsetError> {
        let tree = self.tree_charset()?;
        self.checked(tree, value, tree.decode(value), offset)
    }

    /// Reads a value as FF\[4\] *Text*: see [`TreeCharset::text`]. The offset is that of its
    /// event.
    ///
    /// # Errors
    ///
    /// By policy: if the charset is unknown, or bytes are bad.
    pub fn text<'a>(&mut self, value: RawValue<'a>, offset: u64) -> Result<Cow<'a, str>, CharsetError> {
        let tree = self.tree_charset()?;
        self.checked(tree, value, tree.text(value), offset)
    }

    /// Reads a value as FF\[4\] *SimpleText*: see [`TreeCharset::simple_text`]. The offset is
    /// that of its event.
    ///
    /// # Errors
    ///
    /// By policy: if the charset is unknown, or bytes are bad.
    pub fn simple_text<'a>(&mut self, value: RawValue<'a>, offset: u64) -> Result<Cow<'a, str>, CharsetError> {
        let tree = self.tree_charset()?;
        self.checked(tree, value, tree.simple_text(value), offset)
    }

    /// What was found since the last call: each unknown name and that `CA` is not true once a game, each run of bad bytes
    /// once, however often its value is read; but for values that are read again behind 1024 others
    /// with bad bytes.
    pub fn take_findings(&mut self) -> Vec<TextFinding> {
        self.findings.dropped = 0;
        std::mem::take(&mut self.findings.kept)
    }

    /// How many findings were not kept since [`take_findings`](Self::take_findings), because
    /// there were more than [`MAX_FINDINGS`](Self::MAX_FINDINGS).
    pub fn dropped_findings(&self) -> u64 {
        self.findings.dropped
    }

    fn declare(&mut self, ca: RawValue<'_>, offset: u64) {
        // The offset is that of the bracket.
        let offset = offset + 1;
        let mut declared = self.decoding.declared(ca);
        if let Err(CharsetError::UnknownLabel { offset: at, .. }) = &mut declared {
            *at = Some(offset);
        }
        self.declared = declared.transpose();
        let is_unknown = matches!(&self.declared, Some(Ok(tree)) if tree.source == CharsetSource::UnknownLabel);
        if is_unknown && self.given.is_none() {
            self.findings.push(TextFinding { code: Code::UnknownCharset, offset, len: ca.as_bytes().len() });
        }
    }

    /// Whether the texts of a game may decide about its charset.
    pub(crate) fn may_detect(&self) -> bool {
        self.given.is_none() && self.decoding.default.is_none()
    }

    fn feed(&mut self, raw: &[u8]) {
        if self.may_detect() && self.declared.is_none() && self.detector.feed(raw) {
            self.guess = None;
        }
    }

    fn checked<'a>(
        &mut self,
        tree: TreeCharset,
        value: RawValue<'_>,
        decoded: Decoded<'a>,
        offset: u64,
    ) -> Result<Cow<'a, str>, CharsetError> {
        if !self.findings.has_mismatch && tree.is_contradicted_by(value) {
            self.findings.has_mismatch = true;
            self.findings.push(TextFinding {
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
            self.findings.bad_bytes(&decoded, offset + 1);
        }
        Ok(decoded.into_text())
    }
}

#[derive(Debug, Default)]
struct Findings {
    kept: Vec<TextFinding>,
    dropped: u64,
    /// The values of this game whose bad bytes have been reported, the last ones of them.
    reported: BTreeSet<u64>,
    /// That `CA` of this game is not true has been reported.
    has_mismatch: bool,
}

impl Findings {
    fn bad_bytes(&mut self, decoded: &Decoded<'_>, offset: u64) {
        if !self.reported.insert(offset) {
            return;
        }
        // The first ones go: who reads a value again reads a late one.
        if self.reported.len() > TreeDecoder::MAX_FINDINGS {
            self.reported.pop_first();
        }
        for run in decoded.bad_runs() {
            self.push(TextFinding { code: Code::BadBytes, offset: offset + run.start as u64, len: run.len() });
        }
    }

    fn push(&mut self, finding: TextFinding) {
        if self.kept.len() < TreeDecoder::MAX_FINDINGS {
            self.kept.push(finding);
        } else {
            self.dropped += 1;
        }
    }
}
