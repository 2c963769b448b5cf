//! Rewriting: the bytes of a stream, but for the faults of syntax that can be repaired without loss.
//!
//! [`stream`] cuts the stream into games, and [`game`] repairs one. The checker's repairs stand on both.

pub(crate) mod game;
pub(crate) mod stream;

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};

use self::game::Outcome;
use self::stream::{Mended, Mender, Place, Stream};
use super::WriteError;
use crate::read::parser::Parser;
use crate::syntax::diagnostic::{Code, Position};
use crate::syntax::event::Event;

/// The buffer in front of the underlying writer.
const BUFFER: usize = 1 << 16;

/// Writes a stream as it is, but for faults of syntax that can be repaired without loss.
///
/// It is given the bytes of a stream, piece by piece, and the events that a lenient parser has of them:
/// [`Parser::rewriter`] makes one for a parser with other limits, or with charsets (`Parser::charset`). A stream
/// without faults of syntax goes out byte for byte, white space too; otherwise missing brackets and
/// semicolons are added, brackets in texts escaped, brackets that mean nothing left out, and a value that the end of the
/// data cuts off is closed. (Identifiers keep their spelling, with lower-case letters and digits.)
///
/// Nothing that somebody wrote is lost. Text outside of games stays, and a game that has text among its
/// properties, a value without an identifier or an identifier without a value goes out as it is, byte for byte
/// ([`left`](Self::left) counts these faults). [`lossy`](Self::lossy) leaves such things out.
///
/// ```
/// use sgf_stream::{Event, Parser};
/// use sgf_stream::write::Rewriter;
///
/// let (mut out, mut parser) = (Rewriter::new(Vec::new()), Parser::new().push());
/// let mut result = Ok(());
/// for piece in ["A mail.\n(;FF [4]\n C[sic [", "!]]  (", "B[dd])(;C[not lost"] {
///     out.read(piece.as_bytes());
///     parser.feed(piece.as_bytes(), |event, offset| result = out.event(event, offset))?;
/// }
/// parser.finish(|event, offset| result = out.event(event, offset))?;
/// result?;
/// assert_eq!(out.finish()?, b"A mail.\n(;FF [4]\n C[sic [!\\]]  (;B[dd])(;C[not lost]))");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Rewriter<W: Write> {
    stream: Stream,
    mending: Mending<W>,
    /// A piece could not be written.
    failed: Option<io::Error>,
    /// The stream up to its first event, where its charset is to be detected.
    front: Option<Vec<u8>>,
}

#[derive(Debug)]
struct Mending<W: Write> {
    /// Knows the charset of the stream, where it is not to be detected any more.
    parser: Parser,
    out: BufWriter<W>,
    is_lossy: bool,
    left: BTreeMap<Code, u64>,
    dropped: BTreeMap<Code, u64>,
}

impl Parser {
    /// A writer that repairs the syntax of what this parser reads: see [`Rewriter`].
    pub fn rewriter<W: Write>(&self, writer: W) -> Rewriter<W> {
        Rewriter::with(self, writer)
    }
}

impl<W: Write> Rewriter<W> {
    /// Writes to `out`, through a buffer, what a default parser reads. A game of more than 16 MiB goes out as it is.
    pub fn new(out: W) -> Self {
        Parser::new().rewriter(out)
    }

    pub(crate) fn with(parser: &Parser, out: W) -> Self {
        let parser = parser.lenient().unheard();
        Rewriter {
            failed: None,
            stream: Stream::new(false),
            front: parser.detects().then(Vec::new),
            mending: Mending {
                parser,
                out: BufWriter::with_capacity(BUFFER, out),
                is_lossy: false,
                left: BTreeMap::new(),
                dropped: BTreeMap::new(),
            },
        }
    }

    /// Sets whether text that is no SGF is left out (default: no). To be called first.
    #[must_use]
    pub fn lossy(mut self, is_lossy: bool) -> Self {
        self.stream = Stream::new(is_lossy);
        self.mending.is_lossy = is_lossy;
        self
    }

    /// The next piece of the stream, which the parser is given after it. Where bytes cannot be written, the next call of
    /// another method says so.
    pub fn read(&mut self, piece: &[u8]) {
        if let Some(front) = &mut self.front {
            front.extend_from_slice(piece);
        }
        if let Err(error) = self.stream.push(piece, &mut self.mending) {
            self.failed.get_or_insert(error);
        }
    }

    /// The next event that the parser gives.
    ///
    /// # Errors
    ///
    /// If the bytes cannot be written.
    pub fn event(&mut self, event: Event<'_>, offset: u64) -> Result<(), WriteError> {
        self.failed.take().map_or(Ok(()), Err)?;
        if let Some(front) = self.front.take() {
            // The parser has seen enough of the stream, or all of it: otherwise there would be no event.
            self.mending.parser = self.mending.parser.detected_in(&front);
        }
        Ok(self.stream.event(event, offset, &mut self.mending)?)
    }

    /// Faults that were not repaired, since that would have cost content: how many of each code.
    pub fn left(&self) -> &BTreeMap<Code, u64> {
        &self.mending.left
    }

    /// Stretches of text that were [left out](Self::lossy): how many of each code.
    pub fn dropped(&self) -> &BTreeMap<Code, u64> {
        &self.mending.dropped
    }

    /// Ends the stream, and gives the underlying writer back.
    ///
    /// # Errors
    ///
    /// If the bytes cannot be written.
    pub fn finish(mut self) -> Result<W, WriteError> {
        self.failed.take().map_or(Ok(()), Err)?;
        self.stream.finish(&mut self.mending)?;
        Ok(self.mending.out.into_inner().map_err(io::IntoInnerError::into_error)?)
    }
}

impl<W: Write> Mender for Mending<W> {
    fn same(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)
    }

    fn change(&mut self, _: u64, _: &[u8], after: &[u8]) -> io::Result<()> {
        self.out.write_all(after)
    }

    fn game(&mut self, game: &[u8], place: &Place) -> Mended {
        match game::repair(&self.parser, game, place.manner(self.is_lossy, false)) {
            Outcome::Sound => Mended::Sound,
            Outcome::Repaired(repaired) => {
                repaired.dropped.iter().for_each(|gone| *self.dropped.entry(gone.code).or_default() += 1);
                Mended::Changed(repaired.bytes)
            }
            Outcome::Left(faults) => {
                faults.iter().for_each(|fault| *self.left.entry(fault.code).or_default() += 1);
                Mended::Left
            }
            Outcome::Refused(fault) => {
                *self.left.entry(fault.code).or_default() += 1;
                Mended::Left
            }
        }
    }

    fn long_game(&mut self, _: Position) -> bool {
        *self.left.entry(Code::GameTooLong).or_default() += 1;
        true
    }

    fn extra_paren(&mut self) {}

    fn text(&mut self, _: Position, _: u64, _: &[u8]) {
        let counts = if self.is_lossy { &mut self.dropped } else { &mut self.left };
        *counts.entry(Code::JunkOutsideTree).or_default() += 1;
    }
}
