//! Rewriting: the bytes of a stream, with the faults of syntax repaired that can be repaired without loss.
//!
//! [`stream`] cuts the stream into games, [`game`] repairs one, and [`copy`] makes the repaired copy; [`detection`] keeps
//! a repair from changing the charset of the stream. The checker's repairs build on them.

pub(crate) mod copy;
mod detection;
pub(crate) mod game;
pub(crate) mod stream;

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};

use self::game::Outcome;
use self::stream::{Edited, GameEditor, GamePlace, StreamCutter};
use super::WriteError;
use crate::read::parser::Parser;
use crate::syntax::diagnostic::{Code, Position};
use crate::syntax::event::Event;

/// The size of the output buffer, in bytes.
const BUFFER: usize = 1 << 16;

/// Writes a stream unchanged, except for faults of syntax that can be repaired without loss.
///
/// It takes the bytes of a stream, chunk by chunk, and the events of a lenient parser that reads them.
/// [`Parser::rewriter`] makes one for a parser with other limits, or with charsets (`Parser::charset`). A stream
/// without faults of syntax is written byte for byte, including white space. Otherwise missing brackets and semicolons are
/// added, brackets in texts are escaped, brackets without meaning are left out, and a value that the end of the data
/// cuts off is closed. (Identifiers keep their spelling, with lower-case letters and digits.)
///
/// No content is lost. Text outside of games stays, and a game that has text among its properties, a value without an
/// identifier or an identifier without a value is written unchanged, byte for byte ([`left`](Self::left) counts these
/// faults). [`lossy`](Self::lossy) leaves such things out.
///
/// ```
/// use sgf_stream::{Event, Parser};
/// use sgf_stream::write::Rewriter;
///
/// let (mut out, mut parser) = (Rewriter::new(Vec::new()), Parser::new().push());
/// let mut result = Ok(());
/// for chunk in ["A mail.\n(;FF [4]\n C[sic [", "!]]  (", "B[dd])(;C[not lost"] {
///     out.read(chunk.as_bytes());
///     parser.feed(chunk.as_bytes(), |event, offset| result = out.event(event, offset))?;
/// }
/// parser.finish(|event, offset| result = out.event(event, offset))?;
/// result?;
/// assert_eq!(out.finish()?, b"A mail.\n(;FF [4]\n C[sic [!\\]]  (;B[dd])(;C[not lost]))");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Rewriter<W: Write> {
    cutter: StreamCutter,
    editor: SyntaxEditor<W>,
    /// The error of a chunk that could not be written.
    failed: Option<io::Error>,
    /// The stream up to its first event, if its charset is to be detected.
    start: Option<Vec<u8>>,
}

#[derive(Debug)]
struct SyntaxEditor<W: Write> {
    /// Reads games by themselves, in the charset that was detected in the stream.
    parser: Parser,
    out: BufWriter<W>,
    is_lossy: bool,
    left: BTreeMap<Code, u64>,
    dropped: BTreeMap<Code, u64>,
}

impl Parser {
    /// A writer that repairs the syntax of a stream that this parser reads: see [`Rewriter`].
    pub fn rewriter<W: Write>(&self, writer: W) -> Rewriter<W> {
        Rewriter::with(self, writer)
    }
}

impl<W: Write> Rewriter<W> {
    /// A rewriter for the events of a default parser. It writes to `out` through a buffer. A game of more than 16 MiB is
    /// written unchanged.
    pub fn new(out: W) -> Self {
        Parser::new().rewriter(out)
    }

    pub(crate) fn with(parser: &Parser, out: W) -> Self {
        let parser = parser.lenient();
        Rewriter {
            failed: None,
            cutter: StreamCutter::new(&parser, false),
            start: parser.detects().then(Vec::new),
            editor: SyntaxEditor {
                parser,
                out: BufWriter::with_capacity(BUFFER, out),
                is_lossy: false,
                left: BTreeMap::new(),
                dropped: BTreeMap::new(),
            },
        }
    }

    /// Sets whether text that is no SGF is left out (default: no). Call it first.
    #[must_use]
    pub fn lossy(mut self, is_lossy: bool) -> Self {
        self.cutter = StreamCutter::new(&self.editor.parser, is_lossy);
        self.editor.is_lossy = is_lossy;
        self
    }

    /// Takes the next chunk of the stream, before the parser does. If bytes cannot be written, the next call of another
    /// method returns the error.
    pub fn read(&mut self, chunk: &[u8]) {
        if let Some(start) = &mut self.start {
            start.extend_from_slice(chunk);
        }
        if let Err(error) = self.cutter.push(chunk, &mut self.editor) {
            self.failed.get_or_insert(error);
        }
    }

    /// Takes the next event of the parser.
    ///
    /// # Errors
    ///
    /// If the bytes cannot be written.
    pub fn event(&mut self, event: Event<'_>, offset: u64) -> Result<(), WriteError> {
        self.failed.take().map_or(Ok(()), Err)?;
        if let Some(start) = self.start.take() {
            // The first event comes when the parser has seen enough of the stream to detect its charset.
            self.editor.parser = self.editor.parser.detected_in(&start);
        }
        Ok(self.cutter.event(event, offset, &mut self.editor)?)
    }

    /// Number of faults of each code that were not repaired, since the repair would cost content.
    pub fn left(&self) -> &BTreeMap<Code, u64> {
        &self.editor.left
    }

    /// Number of stretches of text of each code that were [left out](Self::lossy).
    pub fn dropped(&self) -> &BTreeMap<Code, u64> {
        &self.editor.dropped
    }

    /// Ends the stream, and returns the underlying writer.
    ///
    /// # Errors
    ///
    /// If the bytes cannot be written.
    pub fn finish(mut self) -> Result<W, WriteError> {
        self.failed.take().map_or(Ok(()), Err)?;
        self.cutter.finish(&mut self.editor)?;
        Ok(self.editor.out.into_inner().map_err(io::IntoInnerError::into_error)?)
    }
}

impl<W: Write> GameEditor for SyntaxEditor<W> {
    fn keep(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)
    }

    fn replace(&mut self, _: u64, _: &[u8], after: &[u8]) -> io::Result<()> {
        self.out.write_all(after)
    }

    fn edit(&mut self, game: &[u8], place: &GamePlace<'_>) -> Edited {
        match game::repair(&self.parser, game, place.options(self.is_lossy, false)) {
            Outcome::Sound => Edited::Sound,
            Outcome::Repaired(repaired) => {
                repaired.dropped.iter().for_each(|gone| *self.dropped.entry(gone.code).or_default() += 1);
                Edited::Changed(repaired.bytes)
            }
            Outcome::Kept(faults) => {
                faults.iter().for_each(|fault| *self.left.entry(fault.code).or_default() += 1);
                Edited::Kept
            }
            Outcome::Refused(fault) => {
                *self.left.entry(fault.code).or_default() += 1;
                Edited::Kept
            }
        }
    }

    fn long_game(&mut self, _: Position) -> bool {
        *self.left.entry(Code::GameTooLong).or_default() += 1;
        true
    }

    fn dropped_paren(&mut self) {}

    fn outside_text(&mut self, _: Position, _: u64, _: &[u8]) {
        let counts = if self.is_lossy { &mut self.dropped } else { &mut self.left };
        *counts.entry(Code::JunkOutsideTree).or_default() += 1;
    }
}
