//! Reading from memory.

use std::iter::FusedIterator;
use std::ops::{ControlFlow, Range};

use crate::node::{MoveLine, Moves, NodeRecord, Token, return_next_of_moves};
use crate::read::listener::{Listener, Listening};
use crate::read::parser::Parser;
use crate::read::source::{ByteSource, PullReader};
use crate::read::spans::Spans;
use crate::read::visit::Visitor;
use crate::syntax::diagnostic::Position;
use crate::syntax::error::SyntaxError;
use crate::syntax::event::Event;
use crate::syntax::flow::Flow;
use crate::syntax::tokenizer::{Outcome, Sink, Tokenizer};

/// A pull reader of a slice: an iterator of events that borrow from it.
///
/// ```
/// use sgf_stream::{Event, SliceReader};
///
/// let mut idents = Vec::new();
/// for event in SliceReader::new(b"(;FF[4]C[root](;B[aa])(;B[bb]))") {
///     if let Event::Property(ident) = event? {
///         idents.push(ident);
///     }
/// }
/// assert_eq!(idents, ["FF", "C", "B", "B"]);
/// # Ok::<(), sgf_stream::SyntaxError>(())
/// ```
///
/// In strict mode the iterator ends after the first error; [`read_game`](SliceReader::read_game) and
/// [`skip_game`](SliceReader::skip_game) continue with the next game.
#[derive(Debug)]
pub struct SliceReader<'a> {
    pub(crate) inner: PullReader<&'a [u8]>,
}

impl Parser {
    /// Creates a reader for a slice, which is an iterator of events.
    pub fn slice<'a>(&self, bytes: &'a [u8]) -> SliceReader<'a> {
        SliceReader::with(self.tokenizer(), self.listener.clone(), bytes)
    }
}

impl<'a> SliceReader<'a> {
    /// Creates a lenient reader with the default limits. Use [`Parser::slice`] for a configured one.
    pub fn new(bytes: &'a [u8]) -> Self {
        Parser::new().slice(bytes)
    }

    pub(crate) fn with(tokenizer: Tokenizer, listener: Listener, bytes: &'a [u8]) -> Self {
        SliceReader { inner: PullReader::new(tokenizer, listener, bytes) }
    }

    /// Returns the byte offset of the last event (its `(`, `;`, identifier, `[` or `)`).
    pub fn offset(&self) -> u64 {
        self.inner.puller.offset()
    }

    /// Returns the charset that was detected at the start of the data.
    ///
    /// `None` before the first event, without [`Decoding::sniff`], and if the first game is ASCII or has a byte-order
    /// mark or `CA`.
    ///
    /// [`Decoding::sniff`]: crate::charset::Decoding::sniff
    #[cfg(feature = "charset")]
    pub fn detected_charset(&self) -> Option<crate::charset::Charset> {
        self.inner.puller.tokenizer.detected()
    }

    /// Returns the number of open trees: 0 between games.
    ///
    /// It is the number of `StartTree` events minus `EndTree` events, except for those of skipped trees.
    pub fn depth(&self) -> usize {
        self.inner.puller.depth()
    }

    /// Returns the next event, or `None` at the end of the slice.
    ///
    /// It is [`next`](Iterator::next), with the result of [`Reader::next_event`](crate::Reader::next_event), for code that
    /// has either reader.
    ///
    /// ```
    /// use sgf_stream::{Event, SliceReader};
    ///
    /// let mut reader = SliceReader::new(b"(;FF[4])");
    /// let mut events = 0;
    /// while let Some(_event) = reader.next_event()? {
    ///     events += 1;
    /// }
    /// assert_eq!(events, 5);
    /// # Ok::<(), sgf_stream::SyntaxError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the data contains no SGF, and in strict mode at the first syntax error.
    #[inline(always)]
    pub fn next_event(&mut self) -> Result<Option<Event<'a>>, SyntaxError> {
        self.next().transpose()
    }

    /// Returns the iterator with the offset of each event.
    ///
    /// ```
    /// use sgf_stream::{Event, SliceReader};
    ///
    /// let first = SliceReader::new(b" (;)").with_offsets().next().unwrap()?;
    /// assert_eq!(first, (Event::StartTree, 1));
    /// # Ok::<(), sgf_stream::SyntaxError>(())
    /// ```
    pub fn with_offsets(mut self) -> impl Iterator<Item = Result<(Event<'a>, u64), SyntaxError>> {
        std::iter::from_fn(move || self.next().map(|event| Ok((event?, self.offset()))))
    }

    /// Returns the iterator with the byte range of each event's lexeme.
    ///
    /// The range covers the `(`, `;`, identifier, value with its brackets, or `)`. Ranges are in order and do not overlap;
    /// between them are white space and bytes that the parser skips. A bracket or semicolon that the parser supplies has
    /// an empty range where it belongs. With these ranges, a [`Splicer`](crate::write::Splicer) edits a file in place.
    ///
    /// ```
    /// use sgf_stream::{Event, Parser};
    ///
    /// let bytes = b"(;FF [4](B[dd]";
    /// let mut lexemes = Vec::new();
    /// for event in Parser::new().slice(bytes).with_spans() {
    ///     let (_event, span) = event?;
    ///     lexemes.push(std::str::from_utf8(&bytes[span]).unwrap());
    /// }
    /// // The `;` of the second node and both `)` are missing.
    /// assert_eq!(lexemes, ["(", ";", "FF", "[4]", "(", "", "B", "[dd]", "", ""]);
    /// # Ok::<(), sgf_stream::SyntaxError>(())
    /// ```
    ///
    /// The range of a tree is from the start of its `StartTree` to the end of its `EndTree`. Start before the first
    /// event of a game: brackets of trees that are already open cannot be told from those that the parser supplies.
    pub fn with_spans(mut self) -> impl Iterator<Item = Result<(Event<'a>, Range<usize>), SyntaxError>> {
        let mut spans = Spans::new(self.inner.source);
        std::iter::from_fn(move || {
            self.next().map(|event| event.map(|event| (event, spans.next(event, self.offset()))))
        })
    }

    /// Calls a closure with each remaining event and its byte offset, until the closure breaks.
    ///
    /// Returns the value that the closure broke with; the reader then continues after that event. It is equivalent to
    /// a loop over the events, and about as fast as [`Parser::parse`].
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use sgf_stream::{Event, Parser};
    ///
    /// let mut reader = Parser::new().slice(b"(;FF[4];B[dd])(;FF[4])");
    /// let mut nodes = 0;
    /// let stopped = reader.for_each_event(|event, offset| {
    ///     nodes += usize::from(event == Event::Node);
    ///     if event == Event::EndTree { ControlFlow::Break(offset) } else { ControlFlow::Continue(()) }
    /// })?;
    /// assert_eq!((nodes, stopped), (2, ControlFlow::Break(13)));
    /// assert_eq!(reader.next().transpose()?, Some(Event::StartTree));
    /// # Ok::<(), sgf_stream::SyntaxError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the data contains no SGF, and in strict mode at the first syntax error.
    pub fn for_each_event<T>(
        &mut self,
        handler: impl FnMut(Event<'_>, u64) -> ControlFlow<T>,
    ) -> Result<ControlFlow<T>, SyntaxError> {
        self.inner.for_each_event(handler)
    }

    /// Returns the byte offset of the last game; `None` before the first.
    ///
    /// A skipped game counts.
    pub fn game_offset(&self) -> Option<u64> {
        self.inner.puller.game_offset()
    }

    /// Returns the position of the last game.
    ///
    /// Like [`game_offset`](Self::game_offset), with line and column. `None` if lines are not counted; see
    /// [`Parser::count_lines`].
    pub fn game_position(&self) -> Option<Position> {
        self.inner.puller.game_position()
    }

    /// Reads the next game with a [`Visitor`]; `None` at the end of the data.
    ///
    /// The rest of an open game is skipped first.
    ///
    /// # Errors
    ///
    /// Fails if the data contains no SGF, and in strict mode at the first syntax error of the game. The next call
    /// then continues with the next game. If the visitor stops early, the rest of the game is checked only for its
    /// end.
    pub fn read_game<V: Visitor>(&mut self, visitor: &mut V) -> Result<Option<V::Output>, SyntaxError> {
        self.inner.read_game(visitor)
    }

    /// Reads the next whole node into a record; returns false at the end.
    ///
    /// The record borrows from the slice. Nodes come in file order, including those of variations;
    /// [`NodeRecord::depth`] and [`NodeRecord::starts_tree`] tell them apart. The rest of a partially read node is
    /// skipped.
    ///
    /// # Errors
    ///
    /// Fails if the data contains no SGF, and in strict mode at the first syntax error, or at a node longer than
    /// [`Parser::max_node_len`].
    pub fn read_node(&mut self, record: &mut NodeRecord<'a>) -> Result<bool, SyntaxError> {
        let input = self.inner.source;
        self.inner.read_node(record, Some(input))
    }

    /// Iterates over the remaining nodes, each in its own record that borrows from the slice.
    ///
    /// [`read_node`](Self::read_node) reuses one record, which is several times faster.
    ///
    /// ```
    /// use sgf_stream::{Parser, SyntaxError};
    ///
    /// let game = b"(;FF[4]PB[Shusaku];B[qd](;W[dc])(;W[dd]C[a variation]))";
    /// let nodes = Parser::new().slice(game).nodes().collect::<Result<Vec<_>, SyntaxError>>()?;
    /// assert_eq!(nodes.len(), 4);
    /// assert_eq!((nodes[3].depth(), nodes[3].get("C").unwrap().first().text().as_ref()), (2, "a variation"));
    /// # Ok::<(), SyntaxError>(())
    /// ```
    pub fn nodes(&mut self) -> impl Iterator<Item = Result<NodeRecord<'a>, SyntaxError>> {
        std::iter::from_fn(|| {
            let mut node = NodeRecord::new();
            self.read_node(&mut node).map(|is_there| is_there.then_some(node)).transpose()
        })
    }

    /// Skips the rest of the open game, or else the next game.
    ///
    /// Returns false at the end of the data.
    ///
    /// Most of a skipped game is not examined, so its syntax errors may not be reported.
    ///
    /// # Errors
    ///
    /// Fails if the data contains no SGF, and in strict mode at a syntax error before the game or if its end is
    /// missing. After an error inside a game, that game is skipped first.
    pub fn skip_game(&mut self) -> Result<bool, SyntaxError> {
        self.inner.skip_game()
    }

    /// Seeks to a position between games; see [`Reader::seek`](crate::Reader::seek).
    ///
    /// ```
    /// use sgf_stream::{Event, Parser};
    ///
    /// let mut reader = Parser::new().count_lines(true).slice(b"(;FF[4]PB[Shusaku])\n(;FF[4]PB[Shuei])");
    /// reader.skip_game()?;
    /// let first = reader.game_position().unwrap();
    /// reader.skip_game()?;
    /// reader.seek(first);
    /// assert_eq!(reader.next().transpose()?, Some(Event::StartTree));
    /// assert_eq!(reader.offset(), 0);
    /// # Ok::<(), sgf_stream::SyntaxError>(())
    /// ```
    pub fn seek(&mut self, position: Position) {
        let tokenizer = &self.inner.puller.tokenizer;
        let start = (!tokenizer.knows_start()).then(|| {
            let mut start =
                SliceReader::with(tokenizer.seek(Position::START, None), Listener::default(), self.inner.source);
            start.next();
            start.inner.puller.tokenizer
        });
        self.inner.puller.restart_with(tokenizer.seek(position, start.as_ref()));
    }
}

impl ByteSource for &[u8] {
    type Error = SyntaxError;

    #[inline(always)]
    fn input(&self) -> Option<&[u8]> {
        Some(self)
    }

    fn run(&mut self, tokenizer: &mut Tokenizer, sink: &mut impl Sink) -> Result<Outcome, SyntaxError> {
        // A position in another slice may have sent the tokenizer past the end.
        let rest = usize::try_from(tokenizer.offset()).ok().and_then(|offset| self.get(offset..));
        Ok(tokenizer.run(rest.unwrap_or_default(), true, sink).outcome)
    }

    #[inline(always)]
    fn bytes(&mut self, at: u64, len: usize) -> Result<Option<&[u8]>, SyntaxError> {
        Ok(Some(if len == 0 { &[] } else { &self[at as usize..at as usize + len] }))
    }
}

impl<'a> Iterator for SliceReader<'a> {
    type Item = Result<Event<'a>, SyntaxError>;

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        // Not `PullReader::next_event`: these events borrow from the slice, not from the reader.
        let PullReader { puller, source } = &mut self.inner;
        return_next_of_moves!(puller.queue.moves, source, event => Some(Ok(event)));
        let token = match puller.pop() {
            Some(token) => token,
            None => match self.inner.refill() {
                Ok(token) => token?,
                Err(error) => return Some(Err(error)),
            },
        };
        Some(Ok(event(self.inner.source, token)))
    }

    /// Folds without the queue. `for_each`, `count`, `sum` and most other consuming methods call this.
    fn fold<T, F: FnMut(T, Self::Item) -> T>(mut self, init: T, mut f: F) -> T {
        let mut folded = init;
        while !self.inner.puller.queue.is_empty() {
            let Some(event) = self.next() else { break };
            folded = f(folded, event);
        }
        if !self.inner.puller.is_reading() {
            return folded;
        }
        let PullReader { puller, source } = &mut self.inner;
        puller.queue.rewind();
        let fold = Fold { input: source, folded: Some(folded), f };
        let mut sink = Listening { sink: fold, listener: &puller.queue.listener };
        let outcome = source.run(&mut puller.tokenizer, &mut sink);
        let Fold { folded, mut f, .. } = sink.sink;
        let settled = outcome.and_then(|outcome| puller.settle(outcome));
        let folded = folded.expect("there is always a value between two events");
        match settled {
            Ok(()) => folded,
            Err(error) => f(folded, Err(error)),
        }
    }
}

/// Returns the event of a token whose bytes are in the input.
#[inline(always)]
fn event(input: &[u8], token: Token) -> Event<'_> {
    let start = token.bytes_at() as usize;
    let bytes = if token.has_bytes() { &input[start..start + token.len] } else { &[] };
    token.event(bytes)
}

/// A sink that folds events with the lifetime of the slice. The tokenizer sends them with a shorter one.
struct Fold<'a, T, F> {
    input: &'a [u8],
    /// `None` only while the function is called.
    folded: Option<T>,
    f: F,
}

impl<'a, T, F> Sink for Fold<'a, T, F>
where
    F: FnMut(T, Result<Event<'a>, SyntaxError>) -> T,
{
    #[inline(always)]
    fn event(&mut self, sent: Event<'_>, at: u64) -> Flow {
        let event = event(self.input, Token::new(sent, at));
        self.folded = self.folded.take().map(|folded| (self.f)(folded, Ok(event)));
        Flow::Continue
    }

    #[inline(always)]
    fn moves(&mut self, bytes: &[u8], lines: &[(u16, u16)], at: u64) -> Option<Flow> {
        for line in Moves::new(bytes, lines, at).lines() {
            let (at, f) = (line.offset(), &mut self.f);
            let line = MoveLine::new(&self.input[at as usize..at as usize + line.as_bytes().len()], at);
            self.folded =
                self.folded.take().map(|folded| line.events().fold(folded, |folded, (event, _)| f(folded, Ok(event))));
        }
        Some(Flow::Continue)
    }
}

impl FusedIterator for SliceReader<'_> {}
