//! Reading from memory.

use std::iter::FusedIterator;

use crate::node::NodeRecord;
use crate::read::index::IndexEntry;
use crate::read::listener::{Listener, Listening};
use crate::read::parser::Parser;
use crate::read::pull::{Puller, Token, end_of, return_next_of_moves};
use crate::read::visit::{OneGame, Visitor};
use crate::syntax::diagnostic::Position;
use crate::syntax::error::SyntaxError;
use crate::syntax::event::Event;
#[cfg(feature = "serde")]
use crate::syntax::tokenizer::Sink;
use crate::syntax::tokenizer::{Outcome, Tokenizer};

/// Reads events from a byte slice, without copying: an iterator of events that borrow from the
/// slice.
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
/// In strict mode the iterator ends after the first error; [`read_game`](SliceReader::read_game)
/// and [`skip_game`](SliceReader::skip_game) go on with the next game.
#[derive(Debug)]
pub struct SliceReader<'a> {
    pub(crate) puller: Puller,
    pub(crate) bytes: &'a [u8],
}

impl<'a> SliceReader<'a> {
    /// A lenient reader with the default limits. [`Parser::slice`] makes others.
    pub fn new(bytes: &'a [u8]) -> Self {
        Parser::new().slice(bytes)
    }

    pub(crate) fn with(tokenizer: Tokenizer, listener: Listener, bytes: &'a [u8]) -> Self {
        SliceReader { puller: Puller::new(tokenizer, listener, false), bytes }
    }

    /// The byte offset of the last event: of its `(`, `;`, identifier, `[` or `)`.
    pub fn offset(&self) -> u64 {
        self.puller.offset()
    }

    /// The charset that was detected at the start of the stream, where [`Decoding::sniff`] asks for it: of a
    /// first game without byte-order mark and `CA` that is not in ASCII. `None` before the first event.
    ///
    /// [`Decoding::sniff`]: crate::charset::Decoding::sniff
    #[cfg(feature = "charset")]
    pub fn detected_charset(&self) -> Option<crate::charset::Charset> {
        self.puller.tokenizer.detected()
    }

    /// How many trees are open: `StartTree` events less `EndTree` events, except for those of
    /// skipped trees. 0 between games.
    pub fn depth(&self) -> usize {
        self.puller.depth()
    }

    /// The iterator with the offset of each event.
    ///
    /// ```
    /// use sgf_stream::{Event, SliceReader};
    ///
    /// let first = SliceReader::new(b" (;)").with_offsets().next().unwrap()?;
    /// assert_eq!(first, (1, Event::StartTree));
    /// # Ok::<(), sgf_stream::SyntaxError>(())
    /// ```
    pub fn with_offsets(mut self) -> impl Iterator<Item = Result<(u64, Event<'a>), SyntaxError>> {
        std::iter::from_fn(move || self.next().map(|event| Ok((self.offset(), event?))))
    }

    /// The byte offset of the game that was last begun, read or skipped. `None` before the first.
    pub fn game_offset(&self) -> Option<u64> {
        self.puller.game_offset()
    }

    /// The same with line and column. `None` where lines are not counted: see
    /// [`Parser::count_lines`].
    pub fn game_position(&self) -> Option<Position> {
        self.puller.game_position()
    }

    /// Reads the next game with a [`Visitor`]: `None` if there is none. What is left of an open
    /// game is skipped first.
    ///
    /// # Errors
    ///
    /// In strict mode, the first fault of the game; the next call goes on with the next game. What
    /// is skipped of a game that the visitor broke off is not checked, but that it has an end. In
    /// either mode, if there is no SGF data at all.
    pub fn read_game<V: Visitor>(&mut self, visitor: &mut V) -> Result<Option<V::Output>, SyntaxError> {
        let (mut reading, _) = self.puller.resume();
        if reading && self.depth() > 0 {
            self.skip_game()?;
            reading = self.puller.is_reading();
        }
        let mut game = OneGame::new(visitor);
        if reading {
            let Puller { tokenizer, queue, .. } = &mut self.puller;
            let mut sink = Listening { sink: &mut game, listener: &queue.listener };
            let outcome = tokenizer.run(rest(self.bytes, tokenizer), true, &mut sink).outcome;
            self.puller.visited();
            self.puller.settle(outcome)?;
        }
        Ok(game.output)
    }

    /// Reads the next node whole, with its properties, into a record that borrows from the slice;
    /// false if there is none. Nodes come in the order of the file, those of variations too:
    /// [`NodeRecord::depth`] and [`NodeRecord::starts_tree`] tell them apart. What is left of an
    /// open node is passed over.
    ///
    /// # Errors
    ///
    /// In strict mode, the first fault, or a node longer than [`Parser::max_node_len`]; in either
    /// mode, if there is no SGF data at all.
    pub fn read_node(&mut self, record: &mut NodeRecord<'a>) -> Result<bool, SyntaxError> {
        let mut starts_tree = false;
        loop {
            match self.next().transpose()? {
                Some(Event::Node) => break,
                Some(Event::StartTree) => starts_tree = true,
                Some(_) => {}
                None => {
                    record.start(self.offset());
                    return Ok(false);
                }
            }
        }
        record.begin(Some(self.bytes), self.offset(), self.depth(), starts_tree);
        loop {
            if self.puller.queue.is_empty() && self.puller.is_reading() {
                self.fill()?;
            }
            if !self.puller.queue.stays_in_node() {
                return Ok(true);
            }
            let Some(event) = self.next().transpose()? else { return Ok(true) };
            let at = self.offset();
            if !record.take_up_to(self.puller.tokenizer.max_node_len(), event, at) {
                let fault = self.puller.node_is_full(end_of(event, at))?;
                self.puller.queue.listener.report(fault);
            }
        }
    }

    /// Skips what is left of the open game, or the next game if none is open; false if there is
    /// none. Much of a game is not looked at then, and faults in it are not reported.
    ///
    /// # Errors
    ///
    /// In strict mode, the first fault in front of the game, or its missing end; behind an error
    /// inside a game, that game is passed over first. In either mode, if there is no SGF data at
    /// all.
    pub fn skip_game(&mut self) -> Result<bool, SyntaxError> {
        let (reading, faulty_rest) = self.puller.resume();
        if faulty_rest {
            self.fill()?;
        }
        if !reading {
            return Ok(false);
        }
        if self.puller.skip_game() {
            return Ok(true);
        }
        Ok(self.fill()? == Outcome::Stopped)
    }

    /// Goes to a game of an index of the same slice. Offsets and lines go on from there.
    pub fn seek_to(&mut self, game: &IndexEntry) {
        self.puller.restart(game.position());
    }

    /// Runs the tokenizer until the sink stops it: false if the data end first.
    #[cfg(feature = "serde")]
    pub(crate) fn drive(&mut self, sink: &mut impl Sink) -> Result<bool, SyntaxError> {
        let tokenizer = &mut self.puller.tokenizer;
        let outcome = tokenizer.run(rest(self.bytes, tokenizer), true, sink).outcome;
        self.puller.settle(outcome)?;
        Ok(outcome == Outcome::Stopped)
    }

    /// Runs the tokenizer until some events are there, or a skipped game is over.
    fn fill(&mut self) -> Result<Outcome, SyntaxError> {
        let Puller { tokenizer, queue, .. } = &mut self.puller;
        queue.rewind();
        let outcome = tokenizer.run(rest(self.bytes, tokenizer), true, queue).outcome;
        self.puller.settle(outcome)?;
        Ok(outcome)
    }

    /// The first of the next events.
    #[cold]
    #[inline(never)]
    fn refill(&mut self) -> Option<Result<Token, SyntaxError>> {
        if !self.puller.is_reading() {
            return None;
        }
        match self.fill() {
            Ok(_) => self.puller.pop().map(Ok),
            Err(error) => Some(Err(error)),
        }
    }
}

/// What the tokenizer has not read. An index of another slice may have sent it behind the end.
fn rest<'a>(bytes: &'a [u8], tokenizer: &Tokenizer) -> &'a [u8] {
    usize::try_from(tokenizer.offset()).ok().and_then(|offset| bytes.get(offset..)).unwrap_or_default()
}

impl<'a> Iterator for SliceReader<'a> {
    type Item = Result<Event<'a>, SyntaxError>;

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        return_next_of_moves!(self.puller.queue.moves, self.bytes, event => Some(Ok(event)));
        let token = match self.puller.pop() {
            Some(token) => token,
            None => match self.refill()? {
                Ok(token) => token,
                Err(error) => return Some(Err(error)),
            },
        };
        let start = token.bytes_at() as usize;
        let bytes = if token.has_bytes() { &self.bytes[start..start + token.len] } else { &[] };
        Some(Ok(token.event(bytes)))
    }
}

impl FusedIterator for SliceReader<'_> {}
