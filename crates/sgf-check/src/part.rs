//! Checking a stream part by part, on any thread.
//!
//! The games of a stream share only two facts: whether the stream starts with a byte-order mark, and the first game,
//! with which the others are compared ([`StreamStart`]).

use std::io::{self, BufRead, Read};

use sgf_stream::internal::{BOM, LongGame};
use sgf_stream::node::RootFacts;
use sgf_stream::parts::Part;
use sgf_stream::{Flow, Game, Parser, RawValue};

use super::{CHUNK, Checker, Diagnostic, Summary};

/// FF, GM and CA of the first game of a stream.
pub(super) type FirstGame = (Option<i64>, Game, Vec<u8>);

/// The facts from the start of a stream that all its games need.
///
/// See [`Checker::check_part`].
#[derive(Clone, Debug, Default)]
#[doc(hidden)]
pub struct StreamStart {
    /// Whether the stream starts with a UTF-8 byte-order mark.
    pub(super) has_bom: bool,
    pub(super) first: Option<FirstGame>,
}

impl StreamStart {
    /// Creates an empty start, for a stream that has not been read.
    pub fn new() -> Self {
        StreamStart::default()
    }

    /// Reads the start of the stream from its next part. Does nothing after the first game.
    ///
    /// Call it with the parts in order. `parser` is the one that created them.
    pub fn note(&mut self, parser: &Parser, part: &Part<'_>) {
        if self.first.is_some() {
            return;
        }
        self.has_bom |= part.span().start == 0 && part.bytes().starts_with(BOM);
        let mut facts = RootFacts::new();
        // A stream without games has no first one.
        let _ = part.parse(&parser.lenient(), |event, _| {
            facts.observe(event);
            if facts.is_final() { Flow::Break } else { Flow::Continue }
        });
        if facts.is_final() {
            let label = facts.charset().map(RawValue::as_bytes).unwrap_or_default().to_ascii_uppercase();
            self.first = Some((facts.version(), facts.root_context().game(), label));
        }
    }
}

impl<F: FnMut(&Diagnostic)> Checker<F> {
    /// Checks a part of a stream, so that streams can be checked on all cores.
    ///
    /// The diagnostics of all parts, in order, are those of [`check`](Self::check), and their summaries add up to its
    /// summary, except that [`NoSgfData`](sgf_stream::Code::NoSgfData) is reported by the last part. `start` must have noted
    /// the parts of the stream up to this one, or up to the first game.
    ///
    /// ```
    /// use sgf_stream::Parser;
    /// use sgf_check::{Checker, Rules, StreamStart, Summary};
    ///
    /// let archive = b"(;FF[4];B[dd]W[pp])\n(;FF[4];B[zz])";
    /// let parser = Parser::new();
    /// let (mut start, mut summary, mut lines) = (StreamStart::new(), Summary::default(), Vec::new());
    /// for part in parser.parts(&archive[..]).part_len(1) {
    ///     let part = part?;
    ///     start.note(&parser, &part);
    ///     // ... from here on any thread:
    ///     let mut checker = Checker::with_parser(&parser, Rules::new(), |diagnostic| lines.push(diagnostic.position().unwrap().line));
    ///     summary += checker.check_part(&start, &part);
    /// }
    /// assert_eq!((summary.games, summary.errors, lines), (2, 2, vec![1, 2]));
    /// # Ok::<(), sgf_stream::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn check_part(&mut self, start: &StreamStart, part: &Part<'_>) -> Summary {
        let mut parser = part.push(&self.parser);
        self.core.begin_part(part.position(), start);
        // Empty chunks are the end.
        if !part.bytes().is_empty() {
            self.feed(&mut parser, part.bytes());
        }
        self.feed(&mut parser, &[]);
        self.end_stream(&parser)
    }

    /// Checks a game that is too long for a part.
    ///
    /// `read` is called with each chunk of the game, before the chunk is checked.
    ///
    /// `start` must have noted all parts before it, and notes this game.
    ///
    /// # Errors
    ///
    /// Fails if reading fails.
    #[doc(hidden)]
    pub fn check_long<R: Read>(
        &mut self,
        start: &mut StreamStart,
        mut game: LongGame<'_, R>,
        mut read: impl FnMut(&[u8]),
    ) -> io::Result<Summary> {
        let mut parser = game.push(&self.parser);
        self.core.begin_part(game.position(), start);
        let checked = loop {
            let chunk = match game.fill_buf() {
                Ok(chunk) => &chunk[..chunk.len().min(CHUNK)],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => break Err(error),
            };
            let len = chunk.len();
            read(chunk);
            self.feed(&mut parser, chunk);
            game.consume(len);
            if len == 0 {
                break Ok(());
            }
        };
        start.has_bom = self.core.has_bom();
        start.first = self.core.first_game().cloned();
        let summary = self.end_stream(&parser);
        checked.map(|()| summary)
    }
}
