//! Reading from a stream.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use crate::carry::Carry;
use crate::error::Error;
use crate::event::Event;
use crate::parser::Parser;
use crate::pull::Pull;
use crate::slice::State;
use crate::tokenizer::{Outcome, Sink, Tokenizer};
use crate::visit::{OneGame, Visitor};

/// Reads events from anything that is [`BufRead`], in constant memory.
///
/// Events borrow from the reader's buffer, so they are lent one at a time:
///
/// ```
/// use sgf_stream::{Event, Reader};
///
/// let mut reader = Reader::new(&b"(;FF[4]C[root];B[aa])"[..]);
/// let mut nodes = 0;
/// while let Some(event) = reader.next_event()? {
///     if event == Event::Node {
///         nodes += 1;
///     }
/// }
/// assert_eq!(nodes, 2);
/// # Ok::<(), sgf_stream::Error>(())
/// ```
///
/// It reads from the `BufRead`'s own buffer and copies only what lies across two fillings; give
/// it a buffer of 64 KiB or so ([`Reader::from_path`] does). In strict mode events end after the
/// first error; [`read_game`](Reader::read_game) and [`skip_game`](Reader::skip_game) go on with
/// the next game. After an I/O error any call may be repeated.
#[derive(Debug)]
pub struct Reader<R> {
    inner: R,
    /// Offset of the first byte of the inner reader's buffer.
    inner_at: u64,
    /// Bytes of that buffer that are done with, but may be lent out.
    lent: usize,
    tokenizer: Tokenizer,
    carry: Carry,
    at: u64,
    state: State,
}

impl Reader<BufReader<File>> {
    /// A lenient reader of a file. [`Parser::open`] makes others.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened.
    pub fn from_path(path: impl AsRef<Path>) -> io::Result<Self> {
        Parser::new().open(path)
    }
}

impl<R: BufRead> Reader<R> {
    /// A lenient reader with the default limits. [`Parser::reader`] makes others.
    pub fn new(inner: R) -> Self {
        Parser::new().reader(inner)
    }

    pub(crate) fn with(tokenizer: Tokenizer, inner: R) -> Self {
        Reader { inner, inner_at: 0, lent: 0, tokenizer, carry: Carry::default(), at: 0, state: State::Reading }
    }

    /// The next event; `None` at the end of the stream.
    ///
    /// # Errors
    ///
    /// If reading fails; in strict mode, at the first fault; in either mode, if there is no SGF
    /// data at all.
    pub fn next_event(&mut self) -> Result<Option<Event<'_>>, Error> {
        if self.state != State::Reading {
            return Ok(None);
        }
        let mut pull = Pull::default();
        self.run(&mut pull)?;
        let Some(token) = pull.token else { return Ok(None) };
        self.at = token.at;
        if token.len == 0 {
            return Ok(Some(token.event(&[])));
        }
        if let Some(start) = token.bytes_at.checked_sub(self.inner_at) {
            let buffer = self.inner.fill_buf()?;
            let start = start as usize;
            return Ok(Some(token.event(&buffer[start..start + token.len])));
        }
        let bytes = match self.carry.get(token.bytes_at, token.len) {
            Some(bytes) => bytes,
            None => {
                debug_assert!(token.is_property());
                self.tokenizer.held_ident()
            }
        };
        Ok(Some(token.event(bytes)))
    }

    /// The byte offset of the last event: of its `(`, `;`, identifier, `[` or `)`.
    pub fn offset(&self) -> u64 {
        self.at
    }

    /// How many trees are open. 0 between games.
    pub fn depth(&self) -> usize {
        self.tokenizer.depth()
    }

    /// Reads the next game with a [`Visitor`]: `None` if there is none. What is left of an open
    /// game is skipped first.
    ///
    /// # Errors
    ///
    /// If reading fails; in strict mode, with the first fault of the game, and the next call goes
    /// on with the next game; in either mode, if there is no SGF data at all.
    pub fn read_game<V: Visitor>(&mut self, visitor: &mut V) -> Result<Option<V::Output>, Error> {
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
    /// If reading fails; in strict mode, if the data end inside the game; in either mode, if
    /// there is no SGF data at all.
    pub fn skip_game(&mut self) -> Result<bool, Error> {
        self.resume();
        if self.state == State::Reading && self.tokenizer.skip_game() {
            return Ok(true);
        }
        Ok(self.run(&mut Pull::default())? == Outcome::Stopped)
    }

    /// The inner reader.
    pub fn get_ref(&self) -> &R {
        &self.inner
    }

    /// The inner reader, at the end. It stands behind the last bytes that were taken from it,
    /// which may be some way behind the last event.
    pub fn into_inner(mut self) -> R {
        self.inner.consume(self.lent);
        self.inner
    }

    fn resume(&mut self) {
        if self.state == State::Failed {
            self.tokenizer.resync();
            self.state = State::Reading;
        }
    }

    fn run(&mut self, sink: &mut impl Sink) -> Result<Outcome, Error> {
        self.resume();
        if self.state == State::Ended {
            return Ok(Outcome::End);
        }
        loop {
            self.inner.consume(self.lent);
            self.inner_at += self.lent as u64;
            self.lent = 0;
            let buffer = match self.inner.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error.into()),
            };
            let (taken, outcome) = self.carry.run(&mut self.tokenizer, buffer, buffer.is_empty(), sink);
            self.lent = taken;
            match outcome {
                Outcome::NeedMore => {}
                Outcome::Stopped => return Ok(outcome),
                Outcome::End => {
                    self.state = State::Ended;
                    return Ok(outcome);
                }
                Outcome::Failed(error) => {
                    self.state = State::after(&error);
                    return Err(error.into());
                }
            }
        }
    }
}
