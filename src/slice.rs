//! Reading from memory.

use std::iter::FusedIterator;

use crate::diagnostic::Code;
use crate::error::SyntaxError;
use crate::event::Event;
use crate::parser::Parser;
use crate::pull::Pull;
use crate::tokenizer::{Outcome, Sink, Tokenizer};
use crate::visit::{OneGame, Visitor};

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
    tokenizer: Tokenizer,
    bytes: &'a [u8],
    at: u64,
    state: State,
}

/// What a reader has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Reading,
    /// A fault: only the games behind it can be read.
    Failed,
    Ended,
}

impl State {
    pub(crate) fn after(error: &SyntaxError) -> State {
        // Without a single game there is none behind.
        if error.code() == Code::NoSgfData { State::Ended } else { State::Failed }
    }
}

impl<'a> SliceReader<'a> {
    /// A lenient reader with the default limits. [`Parser::slice`] makes others.
    pub fn new(bytes: &'a [u8]) -> Self {
        Parser::new().slice(bytes)
    }

    pub(crate) fn with(tokenizer: Tokenizer, bytes: &'a [u8]) -> Self {
        SliceReader { tokenizer, bytes, at: 0, state: State::Reading }
    }

    /// The byte offset of the last event: of its `(`, `;`, identifier, `[` or `)`.
    pub fn offset(&self) -> u64 {
        self.at
    }

    /// How many trees are open: `StartTree` events less `EndTree` events, except for those of
    /// skipped trees. 0 between games.
    pub fn depth(&self) -> usize {
        self.tokenizer.depth()
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
        std::iter::from_fn(move || self.next().map(|event| Ok((self.at, event?))))
    }

    /// Reads the next game with a [`Visitor`]: `None` if there is none. What is left of an open
    /// game is skipped first.
    ///
    /// # Errors
    ///
    /// In strict mode, the first fault of the game; the next call goes on with the next game. In
    /// either mode, if there is no SGF data at all.
    pub fn read_game<V: Visitor>(&mut self, visitor: &mut V) -> Result<Option<V::Output>, SyntaxError> {
        if self.tokenizer.in_game() && self.state == State::Reading {
            self.skip_game()?;
        }
        let mut game = OneGame::new(visitor);
        self.run(&mut game)?;
        Ok(game.output)
    }

    /// Skips what is left of the open game, or the next game if none is open; false if there is
    /// none. Much of a game is not looked at then, and faults in it are not reported.
    ///
    /// # Errors
    ///
    /// In strict mode, if the data end inside the game. In either mode, if there is no SGF data
    /// at all.
    pub fn skip_game(&mut self) -> Result<bool, SyntaxError> {
        self.resume();
        if self.state == State::Reading && self.tokenizer.skip_game() {
            return Ok(true);
        }
        Ok(self.run(&mut Pull::default())? == Outcome::Stopped)
    }

    /// Behind a fault: on to the next game.
    fn resume(&mut self) {
        if self.state == State::Failed {
            self.tokenizer.resync();
            self.state = State::Reading;
        }
    }

    fn run(&mut self, sink: &mut impl Sink) -> Result<Outcome, SyntaxError> {
        self.resume();
        if self.state == State::Ended {
            return Ok(Outcome::End);
        }
        let rest = &self.bytes[self.tokenizer.offset() as usize..];
        let outcome = self.tokenizer.run(rest, true, sink).outcome;
        match outcome {
            Outcome::Failed(error) => {
                self.state = State::after(&error);
                return Err(error);
            }
            Outcome::End => self.state = State::Ended,
            Outcome::Stopped | Outcome::NeedMore => {}
        }
        Ok(outcome)
    }
}

impl<'a> Iterator for SliceReader<'a> {
    type Item = Result<Event<'a>, SyntaxError>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.state != State::Reading {
            return None;
        }
        let mut pull = Pull::default();
        match self.run(&mut pull) {
            Err(error) => Some(Err(error)),
            Ok(_) => {
                let token = pull.token?;
                self.at = token.at;
                let start = token.bytes_at as usize;
                Some(Ok(token.event(&self.bytes[start..start + token.len])))
            }
        }
    }
}

impl FusedIterator for SliceReader<'_> {}
