//! Checking a stream part by part, on any thread.
//!
//! Little connects the games of a stream: whether it starts with a byte-order mark, and the first game, with which the
//! others are compared ([`StreamStart`]); and which repairs are possible in the text between two games, which depends on
//! whether repairs leave the game before it as it is ([`PartSummary`]).

use super::finding::Summary;
use crate::Game;
#[cfg(feature = "parallel")]
use crate::raw::BOM;

#[cfg(feature = "parallel")]
use {
    super::{CHUNK, Checker, Finding},
    crate::node::RootFacts,
    crate::parallel::{LongGame, Part},
    crate::read::parser::Parser,
    crate::read::push::PushParser,
    crate::syntax::flow::Flow,
    crate::value::RawValue,
    std::io::{self, BufRead, Read},
};

/// FF, GM and CA of the first game of a stream.
pub(super) type FirstGame = (Option<i64>, Game, Vec<u8>);

/// The start of a stream, as far as the rules for all its games need it.
///
/// See `Checker::check_part`, of the feature `parallel`.
#[cfg_attr(not(feature = "parallel"), allow(unreachable_pub))] // exported for parts only
#[derive(Clone, Debug, Default)]
pub struct StreamStart {
    /// Whether the stream starts with the byte-order mark of UTF-8.
    pub(super) has_bom: bool,
    pub(super) first: Option<FirstGame>,
}

/// The numbers of games and findings in consecutive parts of a stream.
///
/// See `Checker::check_part`, of the feature `parallel`.
#[derive(Clone, Copy, Debug, Default)]
pub struct PartSummary {
    /// The text before the first game; if there is no game, all of it.
    before: Between,
    /// The games, and the text between them.
    games: Summary,
    /// Whether repairs leave the first game as it is, and the last one.
    is_first_left: bool,
    is_last_left: bool,
    /// The text after the last game.
    after: Between,
    /// Whether the stream exceeds a limit of the parser, so that repairs refuse it.
    is_refused: bool,
}

/// The findings between two games.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Between {
    pub(super) summary: Summary,
    /// Number of repairable faults that belong to the next game.
    pub(super) early: u64,
    pub(super) has_text: bool,
}

impl Between {
    fn append(&mut self, later: Between) {
        self.summary += later.summary;
        self.early += later.early;
        self.has_text |= later.has_text;
    }

    /// Returns the summary. `is_left`: repairs leave the game before it as it is.
    fn after(self, is_left: bool) -> Summary {
        let mut summary = self.summary;
        summary.fixable -= self.early;
        if self.has_text || is_left {
            summary.fixable = 0; // a `)` belongs to the text, or to the game
        }
        summary
    }
}

impl PartSummary {
    /// Begins a game after some text.
    pub(super) fn begin_game(&mut self, between: Between) {
        if self.games.games == 0 {
            self.before = between;
        } else {
            self.games += between.after(self.is_last_left);
        }
    }

    /// Ends a game. `is_left`: repairs leave it as it is.
    pub(super) fn end_game(&mut self, game: Summary, is_left: bool) {
        if self.games.games == 0 {
            self.is_first_left = is_left;
        }
        self.is_last_left = is_left;
        self.games += game;
    }

    /// Ends the part.
    pub(super) fn end(&mut self, between: Between, is_refused: bool) {
        if self.games.games == 0 {
            self.before = between;
        } else {
            self.after = between;
        }
        self.is_refused = is_refused;
    }

    /// Adds the part that follows.
    pub fn append(&mut self, later: PartSummary) {
        self.is_refused |= later.is_refused;
        let before = if self.games.games == 0 { &mut self.before } else { &mut self.after };
        before.append(later.before);
        if later.games.games == 0 {
            return;
        }
        let (before, early) = (*before, before.early - later.before.early);
        if self.games.games == 0 {
            self.is_first_left = later.is_first_left;
        } else {
            self.games += before.after(self.is_last_left);
        }
        self.games += later.games;
        if !later.is_first_left {
            self.games.fixable += early;
        }
        (self.is_last_left, self.after) = (later.is_last_left, later.after);
    }

    /// Returns the summary of the stream, if these are all of its parts.
    pub fn total(&self) -> Summary {
        let mut total = self.before.after(false);
        if self.games.games > 0 {
            total += self.games;
            total += self.after.after(self.is_last_left);
        }
        if self.is_refused {
            total.fixable = 0;
        }
        total
    }
}

#[cfg(feature = "parallel")]
impl StreamStart {
    /// Creates the start of a stream of which nothing was read.
    pub fn new() -> Self {
        StreamStart::default()
    }

    /// Reads the start of the stream from its parts, which come in order. After the first game this does nothing.
    /// `parser` is the one that created the parts.
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

#[cfg(feature = "parallel")]
impl<F: FnMut(&Finding)> Checker<F> {
    /// Checks a part of a stream, so that streams can be checked on all cores.
    ///
    /// The findings of the parts, in order, are those of [`check`](Self::check); but that the stream has no game
    /// ([`NoSgfData`](crate::Code::NoSgfData)) is found in the last part. `start` must have noted the parts of the stream up
    /// to this one or to the first game.
    ///
    /// ```
    /// use sgf_stream::Parser;
    /// use sgf_stream::check::{PartSummary, Rules, StreamStart};
    ///
    /// let archive = b"(;FF[4];B[dd]W[pp])\n(;FF[4];B[zz])";
    /// let parser = Parser::new();
    /// let (mut start, mut summary, mut lines) = (StreamStart::new(), PartSummary::default(), Vec::new());
    /// for part in parser.parts(&archive[..]).part_len(1) {
    ///     let part = part?;
    ///     start.note(&parser, &part);
    ///     // ... from here on any thread:
    ///     let mut checker = parser.checker(Rules::new(), |finding| lines.push(finding.position().unwrap().line));
    ///     summary.append(checker.check_part(&start, &part));
    /// }
    /// assert_eq!((summary.total().games, summary.total().errors, lines), (2, 2, vec![1, 2]));
    /// # Ok::<(), sgf_stream::Error>(())
    /// ```
    pub fn check_part(&mut self, start: &StreamStart, part: &Part<'_>) -> PartSummary {
        let mut parser = part.push(&self.parser);
        let mut total = PartSummary::default();
        self.core.begin_part(part.position(), start);
        // Empty chunks are the end.
        if !part.bytes().is_empty() {
            self.feed(&mut parser, part.bytes(), &mut total);
        }
        self.feed(&mut parser, &[], &mut total);
        self.end_part(&parser, &mut total);
        total
    }

    /// Checks a game that is too long for a part. `read` is called with each chunk of it, before it is checked.
    ///
    /// `start` must have noted all parts before it, and notes this game.
    ///
    /// # Errors
    ///
    /// Returns an error if reading fails.
    pub fn check_long<R: Read>(
        &mut self,
        start: &mut StreamStart,
        mut game: LongGame<'_, R>,
        mut read: impl FnMut(&[u8]),
    ) -> io::Result<PartSummary> {
        let mut parser = game.push(&self.parser);
        let mut total = PartSummary::default();
        self.core.begin_part(game.position(), start);
        let checked = loop {
            let chunk = match game.fill_buf() {
                Ok(chunk) => &chunk[..chunk.len().min(CHUNK)],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => break Err(error),
            };
            let len = chunk.len();
            read(chunk);
            self.feed(&mut parser, chunk, &mut total);
            game.consume(len);
            if len == 0 {
                break Ok(());
            }
        };
        start.has_bom = self.core.has_bom();
        start.first = self.core.first_game().cloned();
        self.end_part(&parser, &mut total);
        checked.map(|()| total)
    }

    fn end_part(&mut self, parser: &PushParser, total: &mut PartSummary) {
        #[cfg(feature = "charset")]
        {
            self.detected = parser.detected_charset();
        }
        #[cfg(not(feature = "charset"))]
        let _ = parser;
        self.core.end_stream(total, &mut self.handler);
        self.depth = 0;
    }
}
