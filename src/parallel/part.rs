//! A part of a stream: some whole games.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use crate::read::parser::Parser;
use crate::read::reader::Reader;
use crate::syntax::diagnostic::Position;
use crate::syntax::error::SyntaxError;
use crate::syntax::event::Event;
use crate::syntax::flow::Flow;
use crate::syntax::tokenizer::{GoesOn, Outcome, Seam, Sink, Tokenizer};

/// Some whole games of a stream, and what stands between them, to be read on any thread.
///
/// All that is read of it is what is read of it in the stream: events, offsets, lines, diagnostics. A
/// stream is its parts, one after the other: no byte is in none of them, and none in two.
///
/// Parts of a stream end behind a `)`. Where a game lacks it, a part ends in front of the next game only if the
/// limits ask for it; parts of a slice may end there. Of such a game no report may come of values too long and
/// trees too deep.
///
/// In strict mode all that holds of games ([`Reader::read_game`]) that are read to their end; events end with
/// the first fault of a part, and not of the stream.
///
/// ```
/// use sgf_stream::{Parser, parallel::Part};
///
/// let parser = Parser::new();
/// let archive = &b"(;FF[4];B[qd])\n(;FF[4];B[dd];W[pp])"[..];
/// let parts: Vec<Part<'_>> = parser.parts(archive).part_len(1).collect::<Result<_, _>>()?;
///
/// let spans: Vec<_> = parts.iter().map(Part::span).collect();
/// assert_eq!(spans, [0..14, 14..35]);
/// assert_eq!((parts[1].first_game(), parts[1].game_count(&parser)), (Some(1), 1));
///
/// let mut reader = parts[1].reader(&parser);
/// reader.next_event()?;
/// assert_eq!(reader.offset(), 15);
/// # Ok::<(), sgf_stream::Error>(())
/// ```
#[derive(Clone)]
pub struct Part<'a> {
    pub(super) bytes: Cow<'a, [u8]>,
    pub(super) seam: Seam,
    /// Others follow.
    pub(super) goes_on: bool,
    /// Games in front of it, and in it, if they were counted.
    pub(super) first_game: Option<u64>,
    pub(super) games: Option<u64>,
}

impl Part<'_> {
    /// Its bytes, as they stand in the stream.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Where it is in the stream, in bytes.
    pub fn span(&self) -> Range<u64> {
        let start = self.seam.position.offset;
        start..start + self.bytes.len() as u64
    }

    /// Where it begins. Line and column are those of the stream in parts of [`Parts`](super::Parts). In parts of a
    /// [slice](super::ParSlice) they are counted in strict mode, if diagnostics have a listener, and with
    /// [`Parser::count_lines`]; in those of a [byte range](super::ByteRange) they start anew.
    pub fn position(&self) -> Position {
        self.seam.position
    }

    /// How many games are in front of it in the stream: the number of its first game, from 0. `None` in parts
    /// of a [slice](super::ParSlice), where nobody has counted.
    pub fn first_game(&self) -> Option<u64> {
        self.first_game
    }

    /// How many games are in it. Where nobody has counted them, in parts of a slice and in short streams, this
    /// skips from one to the next. The parser is the one that made the parts.
    pub fn game_count(&self, parser: &Parser) -> u64 {
        self.games.unwrap_or_else(|| {
            let mut tokenizer = parser.tokenizer().restart_at_seam(&self.seam, GoesOn::new(self.goes_on));
            skip_all(&mut tokenizer, &self.bytes);
            tokenizer.games()
        })
    }

    /// A reader whose offsets, lines and errors are those of the stream. The parser is the one that made
    /// the parts, or has at least its mode.
    pub fn reader(&self, parser: &Parser) -> Reader<&[u8]> {
        parser.reader_with(parser.tokenizer().restart_at_seam(&self.seam, GoesOn::new(self.goes_on)), &self.bytes)
    }

    /// The same with a closure, as [`Parser::parse`].
    ///
    /// # Errors
    ///
    /// In strict mode, the first fault. In either mode, if this is the last part, and there is no SGF data in
    /// the whole stream.
    pub fn parse<F, R>(&self, parser: &Parser, handler: F) -> Result<Flow, SyntaxError>
    where
        F: FnMut(Event<'_>, u64) -> R,
        R: Into<Flow>,
    {
        parser.parse_with(
            parser.tokenizer().restart_at_seam(&self.seam, GoesOn::new(self.goes_on)),
            &self.bytes,
            handler,
        )
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
        let Part { first_game, games, .. } = self;
        f.debug_struct("Part")
            .field("span", &self.span())
            .field("first_game", first_game)
            .field("games", games)
            .finish()
    }
}
