//! Parsing what is handed in, piece by piece.

use std::fmt;

use crate::read::carry::Carry;
use crate::read::listener::{Listener, Listening};
use crate::read::parser::Parser;
use crate::read::visit::{AllGames, Visiting, Visitor};
use crate::syntax::error::SyntaxError;
use crate::syntax::event::Event;
use crate::syntax::flow::Flow;
use crate::syntax::tokenizer::declared::Given;
use crate::syntax::tokenizer::{Outcome, Sink, Tokenizer};

/// A closure as a sink.
pub(crate) struct Closure<F>(pub(crate) F);

impl<F, R> Sink for Closure<F>
where
    F: FnMut(Event<'_>, u64) -> R,
    R: Into<Flow>,
{
    #[inline]
    fn event(&mut self, event: Event<'_>, at: u64) -> Flow {
        (self.0)(event, at).into()
    }
}

/// Calls a closure for every event, whatever pieces the bytes come in.
///
/// Made by [`Parser::push`]. The closure gets the event and the byte offset of its lexeme, and
/// returns nothing or a [`Flow`].
///
/// ```
/// use sgf_stream::{Event, Parser};
///
/// let mut moves = Vec::new();
/// let mut collect = |event: Event<'_>, offset: u64| {
///     if let Event::Value(value) = event {
///         moves.push((offset, value.simple_text().into_owned()));
///     }
/// };
///
/// let mut parser = Parser::new().push();
/// for piece in ["(;B[d", "d];W", "[pp])"] {
///     parser.feed(piece.as_bytes(), &mut collect)?;
/// }
/// parser.finish(&mut collect)?;
/// assert_eq!(moves, [(3, "dd".into()), (9, "pp".into())]);
/// # Ok::<(), sgf_stream::SyntaxError>(())
/// ```
///
/// Between calls it keeps the unfinished lexeme: at most a value of the greatest length allowed;
/// and, after a [`Flow::Break`], the bytes that were not read. A closure that is stored first, as
/// here, needs the types of its parameters.
#[derive(Debug)]
pub struct PushParser {
    tokenizer: Tokenizer,
    listener: Listener,
    carry: Carry,
    /// Nothing more is to be read: the end was reached, or a fault.
    ended: Option<Result<(), SyntaxError>>,
}

impl PushParser {
    /// A lenient parser with the default limits. [`Parser::push`] makes others.
    pub fn new() -> Self {
        Parser::new().push()
    }

    pub(crate) fn with(tokenizer: Tokenizer, listener: Listener) -> Self {
        PushParser { tokenizer, listener, carry: Carry::default(), ended: None }
    }

    /// Parses the next bytes of the stream; none, if it has [finished](Self::finish). Answers [`Flow::Break`] if the handler did; the bytes
    /// that were not read are kept, and read by the next call.
    ///
    /// # Errors
    ///
    /// In strict mode, the first fault; every later call repeats its error.
    pub fn feed<F, R>(&mut self, bytes: &[u8], handler: F) -> Result<Flow, SyntaxError>
    where
        F: FnMut(Event<'_>, u64) -> R,
        R: Into<Flow>,
    {
        self.run(bytes, false, handler)
    }

    /// The stream has ended: parses what was kept. Call it again after [`Flow::Break`].
    ///
    /// # Errors
    ///
    /// As [`feed`](Self::feed); and if there was no SGF data at all.
    pub fn finish<F, R>(&mut self, handler: F) -> Result<Flow, SyntaxError>
    where
        F: FnMut(Event<'_>, u64) -> R,
        R: Into<Flow>,
    {
        self.run(&[], true, handler)
    }

    /// The charset that was detected at the start of the stream, where [`Decoding::sniff`] asks for it: of a
    /// first game without byte-order mark and `CA` that is not in ASCII. `None` before the first event.
    ///
    /// [`Decoding::sniff`]: crate::charset::Decoding::sniff
    #[cfg(feature = "charset")]
    pub fn detected_charset(&self) -> Option<crate::charset::Charset> {
        self.tokenizer.detected()
    }

    /// How many bytes have been read; those that are kept have not.
    pub fn offset(&self) -> u64 {
        self.tokenizer.offset()
    }

    /// How many trees are open after the last event: 0 between games.
    ///
    /// ```
    /// use sgf_stream::Parser;
    ///
    /// let mut parser = Parser::new().push();
    /// parser.feed(b"(;FF[4])\n(;B[dd](;W[pp]", |_event, _offset| {})?;
    /// assert_eq!((parser.depth(), parser.game_offset()), (2, Some(9)));
    /// parser.feed(b"))", |_event, _offset| {})?;
    /// assert_eq!((parser.depth(), parser.game_offset()), (0, Some(9)));
    /// # Ok::<(), sgf_stream::SyntaxError>(())
    /// ```
    pub fn depth(&self) -> usize {
        self.tokenizer.depth()
    }

    /// The byte offset of the game that was last begun. `None` before the first.
    pub fn game_offset(&self) -> Option<u64> {
        self.tokenizer.game_offset()
    }

    /// What is known of the charset of games, with what was detected.
    pub(crate) fn given(&self) -> Given {
        self.tokenizer.given()
    }

    fn run<F, R>(&mut self, bytes: &[u8], eof: bool, handler: F) -> Result<Flow, SyntaxError>
    where
        F: FnMut(Event<'_>, u64) -> R,
        R: Into<Flow>,
    {
        let listener = self.listener.clone();
        self.drive(bytes, eof, &mut Listening { sink: Closure(handler), listener: &listener })
    }

    /// Parses the next bytes of the stream, or with `eof` the last ones. The sink gets the faults, and not the listener.
    pub(crate) fn drive(&mut self, bytes: &[u8], eof: bool, sink: &mut impl Sink) -> Result<Flow, SyntaxError> {
        if let Some(ended) = self.ended {
            return ended.map(|()| Flow::Continue);
        }
        let (taken, outcome) = self.carry.run(&mut self.tokenizer, bytes, eof, sink);
        match outcome {
            Outcome::NeedMore => Ok(Flow::Continue),
            Outcome::End => {
                self.ended = Some(Ok(()));
                Ok(Flow::Continue)
            }
            Outcome::Stopped => {
                self.carry.keep(&bytes[taken..]);
                Ok(Flow::Break)
            }
            Outcome::Failed => {
                let error = self.tokenizer.error();
                self.ended = Some(Err(error));
                Err(error)
            }
        }
    }
}

impl Default for PushParser {
    fn default() -> Self {
        PushParser::new()
    }
}

/// Reads games with a [`Visitor`], whatever pieces the bytes come in.
///
/// Made by [`Parser::push_games`]. A game's result goes to the closure when the game is over, or
/// when the visitor breaks it off; in strict mode a faulty game is an error there, and the next one
/// is read all the same. A game that was broken off and then turns out to have no end is both.
///
/// ```
/// use std::ops::ControlFlow;
/// use sgf_stream::{Parser, Visitor};
///
/// struct CountNodes;
///
/// impl Visitor for CountNodes {
///     type Game = usize;
///     type Output = usize;
///     fn begin_game(&mut self, _: u64) -> ControlFlow<usize, usize> {
///         ControlFlow::Continue(0)
///     }
///     fn node(&mut self, nodes: &mut usize, _: u64) -> ControlFlow<usize, sgf_stream::Skip> {
///         *nodes += 1;
///         ControlFlow::Continue(sgf_stream::Skip::Yes)
///     }
///     fn end_game(&mut self, nodes: usize) -> usize {
///         nodes
///     }
/// }
///
/// let mut parser = Parser::strict().push_games(CountNodes);
/// let mut results = Vec::new();
/// parser.feed(b"(;B[aa];W", |game| results.push(game.ok()));
/// parser.feed(b"[bb])(;B)(;;;)", |game| results.push(game.ok()));
/// parser.finish(|game| results.push(game.ok()));
/// assert_eq!(results, [Some(2), None, Some(3)]);
/// ```
pub struct PushGames<V: Visitor> {
    tokenizer: Tokenizer,
    listener: Listener,
    carry: Carry,
    visiting: Visiting<V>,
    ended: bool,
}

impl<V: Visitor> fmt::Debug for PushGames<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PushGames").field("tokenizer", &self.tokenizer).finish_non_exhaustive()
    }
}

impl<V: Visitor> PushGames<V> {
    pub(crate) fn with(tokenizer: Tokenizer, listener: Listener, visitor: V) -> Self {
        PushGames { tokenizer, listener, carry: Carry::default(), visiting: Visiting::new(visitor), ended: false }
    }

    /// Parses the next bytes of the stream.
    pub fn feed(&mut self, bytes: &[u8], handler: impl FnMut(Result<V::Output, SyntaxError>)) {
        self.run(bytes, false, handler);
    }

    /// The stream has ended: parses what was kept. A stream without SGF data is an error here.
    pub fn finish(&mut self, handler: impl FnMut(Result<V::Output, SyntaxError>)) {
        self.run(&[], true, handler);
    }

    /// The visitor.
    pub fn visitor(&self) -> &V {
        self.visiting.visitor()
    }

    /// The visitor, at the end.
    pub fn into_visitor(self) -> V {
        self.visiting.into_visitor()
    }

    fn run(&mut self, bytes: &[u8], eof: bool, mut handler: impl FnMut(Result<V::Output, SyntaxError>)) {
        let mut rest = bytes;
        while !self.ended {
            let sink = AllGames { visiting: &mut self.visiting, handler: |output| handler(Ok(output)) };
            let mut sink = Listening { sink, listener: &self.listener };
            let (taken, outcome) = self.carry.run(&mut self.tokenizer, rest, eof, &mut sink);
            rest = &rest[taken..];
            match outcome {
                Outcome::NeedMore => return,
                Outcome::Stopped => {}
                Outcome::End => self.ended = true,
                Outcome::Failed => {
                    let error = self.tokenizer.error();
                    self.ended = error.is_final();
                    self.visiting.abandon();
                    self.tokenizer.resync();
                    handler(Err(error));
                }
            }
        }
    }
}
