//! Push parsing: the caller passes the bytes in chunks.

use std::fmt;
use std::io::BufRead;

use crate::read::carry::ChunkCarry;
use crate::read::listener::{Listener, Listening};
use crate::read::parser::Parser;
use crate::read::reader::Reader;
use crate::read::sink::{Closure, EventSink, Forward};
use crate::read::visit::{Visiting, Visitor};
use crate::syntax::error::SyntaxError;
use crate::syntax::event::Event;
use crate::syntax::flow::Flow;
use crate::syntax::tokenizer::{Outcome, Sink, Tokenizer};

/// A push parser, which calls a closure for every event, for any chunks of bytes.
///
/// Created by [`Parser::push`]. The closure receives the event and the byte offset of its lexeme, and returns
/// nothing or a [`Flow`].
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
/// for chunk in ["(;B[d", "d];W", "[pp])"] {
///     parser.feed(chunk.as_bytes(), &mut collect)?;
/// }
/// parser.finish(&mut collect)?;
/// assert_eq!(moves, [(3, "dd".into()), (9, "pp".into())]);
/// # Ok::<(), sgf_stream::SyntaxError>(())
/// ```
///
/// Between calls it buffers the unfinished lexeme, at most a value of the maximum length, and, after a
/// [`Flow::Break`], the unread bytes. A closure that is stored in a variable, like `collect`, needs parameter
/// types.
#[derive(Debug)]
pub struct PushParser {
    tokenizer: Tokenizer,
    listener: Listener,
    carry: ChunkCarry,
    /// The result of every further call, set at the end of the stream or at an error.
    ended: Option<Result<(), SyntaxError>>,
}

impl Parser {
    /// Creates a push parser, which calls a closure for every event.
    pub fn push(&self) -> PushParser {
        PushParser::with(self.tokenizer(), self.listener.clone())
    }

    /// Creates a push parser that reads games with a [`Visitor`].
    pub fn push_games<V: Visitor>(&self, visitor: V) -> PushGames<V> {
        PushGames::with(self.tokenizer(), self.listener.clone(), visitor)
    }
}

impl PushParser {
    /// Creates a lenient parser with the default limits. Use [`Parser::push`] for a configured one.
    pub fn new() -> Self {
        Parser::new().push()
    }

    /// Converts a parser that has not been fed into a reader of the same bytes.
    #[doc(hidden)]
    pub fn into_reader<R: BufRead>(self, bytes: R) -> Reader<R> {
        Reader::with(self.tokenizer, self.listener, bytes)
    }

    pub(crate) fn with(tokenizer: Tokenizer, listener: Listener) -> Self {
        PushParser { tokenizer, listener, carry: ChunkCarry::default(), ended: None }
    }

    /// Parses the next bytes of the stream.
    ///
    /// After [`finish`](Self::finish) has reached the end, it does nothing.
    ///
    /// Returns [`Flow::Break`] if the handler did. The unread bytes are then buffered, and the next call parses
    /// them first.
    ///
    /// # Errors
    ///
    /// Fails if the stream has a syntax error, in strict mode. Every later call returns that error again.
    pub fn feed<F, R>(&mut self, bytes: &[u8], handler: F) -> Result<Flow, SyntaxError>
    where
        F: FnMut(Event<'_>, u64) -> R,
        R: Into<Flow>,
    {
        self.run(bytes, false, handler)
    }

    /// Parses the buffered bytes as the end of the stream. Call it again after [`Flow::Break`].
    ///
    /// # Errors
    ///
    /// Fails if [`feed`](Self::feed) would fail, or if the whole stream has no SGF data.
    pub fn finish<F, R>(&mut self, handler: F) -> Result<Flow, SyntaxError>
    where
        F: FnMut(Event<'_>, u64) -> R,
        R: Into<Flow>,
    {
        self.run(&[], true, handler)
    }

    /// Parses the next bytes like [`feed`](Self::feed), but sends events and diagnostics to one sink.
    ///
    /// The parser's [callback](Parser::on_diagnostic) is not called. Positions have lines if [`Parser::count_lines`]
    /// is on.
    ///
    /// ```
    /// use sgf_stream::{Diagnostic, Event, EventSink, Flow, Parser};
    ///
    /// /// Prints games, and what was repaired in them, in the order of the stream.
    /// struct Print;
    ///
    /// impl EventSink for Print {
    ///     fn event(&mut self, event: Event<'_>, offset: u64) -> Flow {
    ///         println!("{offset}: {event:?}");
    ///         Flow::Continue
    ///     }
    ///
    ///     fn diagnostic(&mut self, fault: Diagnostic) {
    ///         println!("{fault}");
    ///     }
    /// }
    ///
    /// let mut parser = Parser::new().count_lines(true).push();
    /// parser.feed_into(b"(;B[d", &mut Print)?;
    /// parser.feed_into(b"d];[a comment]", &mut Print)?;
    /// parser.finish_into(&mut Print)?;
    /// # Ok::<(), sgf_stream::SyntaxError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if [`feed`](Self::feed) would fail.
    pub fn feed_into(&mut self, bytes: &[u8], sink: &mut impl EventSink) -> Result<Flow, SyntaxError> {
        self.drive(bytes, false, &mut Forward(sink))
    }

    /// Ends the stream like [`finish`](Self::finish), but sends events and diagnostics to one sink.
    ///
    /// # Errors
    ///
    /// Fails if [`finish`](Self::finish) would fail.
    pub fn finish_into(&mut self, sink: &mut impl EventSink) -> Result<Flow, SyntaxError> {
        self.drive(&[], true, &mut Forward(sink))
    }

    /// Parses the next chunk, like [`feed_into`](Self::feed_into). An empty one ends the stream.
    ///
    /// # Errors
    ///
    /// Fails if [`finish`](Self::finish) would fail.
    #[doc(hidden)]
    pub fn chunk_into(&mut self, chunk: &[u8], sink: &mut impl EventSink) -> Result<Flow, SyntaxError> {
        self.drive(chunk, chunk.is_empty(), &mut Forward(sink))
    }

    /// Returns the charset that was detected at the start of the stream.
    ///
    /// `None` before the first event, without [`Decoding::sniff`], and if the first game is ASCII or has a byte-order
    /// mark or `CA`.
    ///
    /// [`Decoding::sniff`]: crate::charset::Decoding::sniff
    #[cfg(feature = "charset")]
    pub fn detected_charset(&self) -> Option<crate::charset::Charset> {
        self.tokenizer.detected()
    }

    /// Returns the number of bytes parsed. Buffered bytes do not count.
    pub fn offset(&self) -> u64 {
        self.tokenizer.offset()
    }

    /// Returns the number of open trees after the last event: 0 between games.
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

    /// Returns the byte offset of the last game that started, or `None` before the first.
    pub fn game_offset(&self) -> Option<u64> {
        self.tokenizer.game_offset()
    }

    fn run<F, R>(&mut self, bytes: &[u8], eof: bool, handler: F) -> Result<Flow, SyntaxError>
    where
        F: FnMut(Event<'_>, u64) -> R,
        R: Into<Flow>,
    {
        let listener = self.listener.clone();
        self.drive(bytes, eof, &mut Listening { sink: Closure(handler), listener: &listener })
    }

    /// Parses the next bytes of the stream, or the last ones if `eof`. Diagnostics go to the sink, not to the
    /// callback.
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

/// A push parser that reads games with a [`Visitor`], for any chunks of bytes.
///
/// Created by [`Parser::push_games`]. The closure receives the result of a game when the game ends or the visitor
/// breaks. In strict mode it receives an error for a game with a syntax error, and parsing continues with the next
/// game. If the visitor breaks and the end of the game is missing, it receives both.
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
    carry: ChunkCarry,
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
        PushGames { tokenizer, listener, carry: ChunkCarry::default(), visiting: Visiting::new(visitor), ended: false }
    }

    /// Parses the next bytes of the stream and calls `handler` with each result.
    pub fn feed(&mut self, bytes: &[u8], handler: impl FnMut(Result<V::Output, SyntaxError>)) {
        self.run(bytes, false, handler);
    }

    /// Parses the buffered bytes as the end of the stream.
    ///
    /// If the stream has no SGF data, `handler` receives an error.
    pub fn finish(&mut self, handler: impl FnMut(Result<V::Output, SyntaxError>)) {
        self.run(&[], true, handler);
    }

    /// Returns the visitor.
    pub fn visitor(&self) -> &V {
        self.visiting.visitor()
    }

    /// Consumes the parser and returns the visitor.
    pub fn into_visitor(self) -> V {
        self.visiting.into_visitor()
    }

    fn run(&mut self, bytes: &[u8], eof: bool, mut handler: impl FnMut(Result<V::Output, SyntaxError>)) {
        let mut rest = bytes;
        while !self.ended {
            let sink = self.visiting.results(|output, has_ended| {
                handler(Ok(output));
                if has_ended { Flow::Continue } else { Flow::SkipGame }
            });
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
