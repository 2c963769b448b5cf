//! A part of a stream: some whole games.

use std::fmt;
use std::ops::Range;

use super::buffer::PartBytes;
use crate::read;
use crate::read::parser::Parser;
use crate::read::push::PushParser;
use crate::read::reader::Reader;
use crate::read::sink::{EventSink, Forward};
use crate::read::slice::SliceReader;
use crate::syntax::diagnostic::Position;
use crate::syntax::error::SyntaxError;
use crate::syntax::event::Event;
use crate::syntax::flow::Flow;
use crate::syntax::tokenizer::{GoesOn, Outcome, Seam, Sink, Tokenizer};

/// Some whole games of a stream and the bytes between them, readable on any thread.
///
/// Reading a part yields the events, offsets, lines and diagnostics that reading the stream yields there. The parts
/// of a stream follow one another without gaps or overlaps.
///
/// A part ends before a game start. If none occurs for long, and in strict mode, it
/// ends after a `)`, or before a game if the limits require it. If its last game lacks the `)`, values that are too
/// long and trees that are too deep may go unreported in that game.
///
/// In strict mode all this holds for games ([`Reader::read_game`]) that are read to their end; single events end at
/// the first syntax error of the part, not of the stream.
///
/// ```
/// use sgf_stream::{Parser, parts::Part};
///
/// let parser = Parser::new();
/// let collection = &b"(;FF[4];B[qd])\n(;FF[4];B[dd];W[pp])"[..];
/// let parts: Vec<Part<'_>> = parser.parts(collection).part_len(1).collect::<Result<_, _>>()?;
///
/// let spans: Vec<_> = parts.iter().map(Part::span).collect();
/// assert_eq!(spans, [0..15, 15..35]);
/// assert_eq!(parts[1].game_count(&parser), 1);
///
/// let mut reader = parts[1].reader(&parser);
/// reader.next_event()?;
/// assert_eq!(reader.offset(), 15);
/// # Ok::<(), sgf_stream::Error>(())
/// ```
#[derive(Clone)]
pub struct Part<'a> {
    pub(crate) bytes: PartBytes<'a>,
    pub(crate) seam: Seam,
    /// Whether further parts follow.
    pub(crate) goes_on: bool,
    pub(crate) meets: Meets,
}

/// Whether a head, or an end of the stream, bounds a part on each side.
///
/// Otherwise its first and last game may be read differently once a neighboring game has been changed.
#[derive(Clone, Copy, Debug)]
pub struct Meets {
    /// Before the part.
    pub before: bool,
    /// After it.
    pub after: bool,
}

impl Part<'_> {
    /// Returns its bytes, as they are in the stream.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns its byte range in the stream.
    pub fn span(&self) -> Range<u64> {
        let start = self.seam.position.offset;
        start..start + self.bytes.len() as u64
    }

    /// Returns the position of its first byte in the stream.
    ///
    /// In parts of [`Parts`](super::Parts), line and column refer to the stream. In parts of a slice
    /// (`Parser::par_slice`) lines are counted in strict mode, if diagnostics have a callback, and with
    /// [`Parser::count_lines`]. In parts of a byte range (`Split::range`) they start from 1.
    pub fn position(&self) -> Position {
        self.seam.position
    }

    /// Counts its games.
    ///
    /// It skips from one game to the next. `parser` must be the one that created the part.
    pub fn game_count(&self, parser: &Parser) -> u64 {
        let mut tokenizer = self.tokenizer(parser);
        skip_all(&mut tokenizer, &self.bytes);
        tokenizer.games()
    }

    /// Returns a reader whose offsets, lines and errors refer to the stream.
    ///
    /// `parser` must be the one that created the part, or at least have the same mode.
    pub fn reader(&self, parser: &Parser) -> Reader<&[u8]> {
        parser.reader_with(self.tokenizer(parser), &self.bytes)
    }

    /// Passes the events to a closure, as [`Parser::parse`] does.
    ///
    /// # Errors
    ///
    /// Fails if this is the last part and the whole stream has no SGF data, and in strict mode at the first syntax
    /// error.
    pub fn parse<F, R>(&self, parser: &Parser, handler: F) -> Result<Flow, SyntaxError>
    where
        F: FnMut(Event<'_>, u64) -> R,
        R: Into<Flow>,
    {
        parser.parse_with(self.tokenizer(parser), &self.bytes, handler)
    }

    /// Parses the part, but sends events and diagnostics to one sink.
    ///
    /// It is to [`parse`](Self::parse) as [`PushParser::feed_into`](crate::PushParser::feed_into) is to `feed`.
    ///
    /// # Errors
    ///
    /// Fails if [`parse`](Self::parse) fails.
    pub fn parse_into(&self, parser: &Parser, sink: &mut impl EventSink) -> Result<Flow, SyntaxError> {
        read::parse::run(&mut self.tokenizer(parser), &self.bytes, &mut Forward(sink))
    }

    /// Returns the events with the byte ranges of their lexemes in [`bytes`](Self::bytes).
    ///
    /// It is to a part what [`SliceReader::with_spans`](crate::SliceReader::with_spans) is to a slice: offsets, also those of
    /// errors and diagnostics, are from the first byte of the part. `parser` must be the one that created the part.
    ///
    /// ```
    /// use sgf_stream::{Event, Parser};
    ///
    /// let (parser, mut values) = (Parser::new(), Vec::new());
    /// for part in parser.parts(&b"(;FF[4];B[aa]) (;FF[4];C[x])"[..]).part_len(1) {
    ///     let part = part?;
    ///     for event in part.with_spans(&parser) {
    ///         let (event, span) = event?;
    ///         if matches!(event, Event::Value(_)) {
    ///             values.push(String::from_utf8_lossy(&part.bytes()[span]).into_owned());
    ///         }
    ///     }
    /// }
    /// assert_eq!(values, ["[4]", "[aa]", "[4]", "[x]"]);
    /// # Ok::<(), sgf_stream::Error>(())
    /// ```
    pub fn with_spans(&self, parser: &Parser) -> impl Iterator<Item = Result<(Event<'_>, Range<usize>), SyntaxError>> {
        // A slice reader finds the bytes of events by their offsets.
        let mut seam = self.seam.clone();
        seam.position.offset = 0;
        let tokenizer = parser.tokenizer().restart_at_seam(&seam, GoesOn::new(self.goes_on));
        SliceReader::with(tokenizer, parser.listener.clone(), &self.bytes).with_spans()
    }

    /// Returns a push parser for this part.
    ///
    /// Use it to feed the part in chunks and pause between them; otherwise [`parse_into`](Self::parse_into) is
    /// shorter.
    #[doc(hidden)]
    pub fn push(&self, parser: &Parser) -> PushParser {
        PushParser::with(self.tokenizer(parser), parser.listener.clone())
    }

    /// Returns whether no part follows.
    pub fn is_last(&self) -> bool {
        !self.goes_on
    }

    #[doc(hidden)]
    pub fn meets(&self) -> Meets {
        self.meets
    }

    #[doc(hidden)]
    pub fn seam(&self) -> &Seam {
        &self.seam
    }

    fn tokenizer(&self, parser: &Parser) -> Tokenizer {
        parser.tokenizer().restart_at_seam(&self.seam, GoesOn::new(self.goes_on))
    }
}

/// Skips from game to game, to the end.
fn skip_all(tokenizer: &mut Tokenizer, mut bytes: &[u8]) {
    struct Nobody;
    impl Sink for Nobody {
        fn event(&mut self, _: Event<'_>, _: u64) -> Flow {
            Flow::SkipGame
        }
    }
    loop {
        let step = tokenizer.run(bytes, true, &mut Nobody);
        bytes = &bytes[step.consumed..];
        match step.outcome {
            Outcome::Failed if !tokenizer.error().is_final() => _ = tokenizer.resync(),
            _ => return,
        }
    }
}

impl fmt::Debug for Part<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Part").field("span", &self.span()).finish_non_exhaustive()
    }
}
