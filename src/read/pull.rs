//! The queue of events of pull readers, and their state.
//!
//! A pull reader runs the tokenizer with a sink that stops. To stop after every event would cost
//! more than the event, so a [`Queue`] takes several, as long as the caller cannot tell: it ends with
//! the game, so that skipping and visiting start where the caller stands; and in strict mode it holds a single event, so
//! that no error comes early. Faults are reported when the tokenizer finds them, so before the events around them.
//!
//! Nine events in ten are those of moves, and for them all that is not needed is left out ([`MoveEvents`]): a run of
//! moves is one token of the queue, its bytes lie where no reader has to be asked for them, and an event leaves a
//! single byte in the queue.
//!
//! Functions with `inline(always)` run once an event. There is one place for each kind of event where it
//! is made; inlined, the compiler joins it with what the caller does with events of that kind, and no
//! event is ever written to memory. A call in between costs half the speed.

use crate::node::{LastEvent, MoveEvents, Moves, Token, TokenKind};
use crate::read::listener::Listener;
use crate::syntax::diagnostic::{Code, Diagnostic, Position};
use crate::syntax::error::SyntaxError;
use crate::syntax::event::{Event, Ident};
use crate::syntax::flow::Flow;
use crate::syntax::tokenizer::{Outcome, Sink, Tokenizer};

const CAPACITY: usize = 64;

/// Number of bytes of moves after which the tokenizer stops.
const MOST_MOVES: usize = 1024;

/// Events between the tokenizer and the caller of a pull reader.
#[derive(Debug)]
pub(crate) struct Queue {
    /// At most [`CAPACITY`], and the lines of a run. A reader that only skips or visits games takes no memory for them.
    tokens: Vec<Token>,
    /// The number of the next token.
    next: usize,
    /// The run of moves that is being given out.
    pub(crate) moves: MoveEvents,
    /// The bytes of the runs, where the events of moves are not lent from the input: to ask a `BufRead` or
    /// a `BytesMut` for its bytes at each event costs more than to copy them once.
    pub(crate) copies: Vec<u8>,
    copies_moves: bool,
    /// Number of tokens after which the tokenizer stops.
    most: usize,
    pub(crate) listener: Listener,
    /// Trees open after the last event taken in.
    depth_in: usize,
    /// Trees open after the last event given out.
    depth_out: usize,
}

impl Queue {
    fn new(tokenizer: &Tokenizer, listener: Listener, copies_moves: bool) -> Self {
        Queue {
            tokens: Vec::new(),
            next: 0,
            moves: MoveEvents::NONE,
            copies: Vec::new(),
            copies_moves,
            most: if tokenizer.is_strict() { 1 } else { CAPACITY },
            listener,
            depth_in: 0,
            depth_out: 0,
        }
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<Token> {
        let token = *self.tokens.get(self.next)?;
        self.next += 1;
        self.moves.last = LastEvent::Other;
        match token.kind {
            TokenKind::StartTree => self.depth_out += 1,
            TokenKind::EndTree => self.depth_out -= 1,
            _ => {
                if let Some(run) = token.run(self.copies_moves) {
                    self.moves = MoveEvents::after_first_node(run);
                }
            }
        }
        Some(token)
    }

    /// Makes room, where all events have been given out.
    pub(crate) fn rewind(&mut self) {
        debug_assert!(self.is_empty());
        self.tokens.clear();
        self.next = 0;
        self.copies.clear();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.next == self.tokens.len() && !self.moves.has_next()
    }

    /// Whether the next event says something of the open node; false if none has come in.
    pub(crate) fn stays_in_node(&self) -> bool {
        if self.moves.has_next() {
            return self.moves.last != LastEvent::Value;
        }
        self.tokens.get(self.next).is_some_and(|token| token.has_bytes())
    }

    /// Forgets the open game. True if its end had come in.
    fn forget_game(&mut self) -> bool {
        let ended = self.depth_out > 0 && self.depth_in == 0;
        self.forget();
        ended
    }

    /// Forgets all events.
    fn forget(&mut self) {
        self.tokens.clear();
        (self.next, self.depth_in, self.depth_out) = (0, 0, 0);
        self.moves = MoveEvents::NONE;
        self.copies.clear();
    }
}

impl Sink for Queue {
    #[inline(always)]
    fn event(&mut self, event: Event<'_>, at: u64) -> Flow {
        match event {
            Event::StartTree => self.depth_in += 1,
            Event::EndTree => self.depth_in -= 1,
            _ => {}
        }
        // The tokenizer stops where it is told to, before the queue is full.
        self.tokens.push(Token::new(event, at));
        if self.tokens.len() >= self.most || self.depth_in == 0 { Flow::Break } else { Flow::Continue }
    }

    /// One by one, the events of a move would be three tokens.
    fn moves(&mut self, bytes: &[u8], lines: &[(u16, u16)], at: u64) -> Option<Flow> {
        if self.most != CAPACITY {
            return None;
        }
        for line in Moves::new(bytes, lines, at).lines() {
            self.tokens.push(Token::moves(line, self.copies_moves.then_some(&mut self.copies)));
        }
        let is_full = self.tokens.len() >= CAPACITY || self.copies.len() >= MOST_MOVES;
        Some(if is_full { Flow::Break } else { Flow::Continue })
    }

    /// The tokenizer keeps the bytes of one held identifier only.
    fn held_property(&mut self, ident: Ident<'_>, at: u64) -> Flow {
        self.event(Event::Property(ident), at);
        Flow::Break
    }

    fn game_skipped(&mut self) -> Flow {
        Flow::Break
    }

    #[cold]
    fn fault(&mut self, fault: Diagnostic) {
        self.listener.report(fault);
    }
}

/// The state of a pull reader, whatever it reads from.
#[derive(Debug)]
pub(crate) struct Puller {
    pub(crate) tokenizer: Tokenizer,
    pub(crate) queue: Queue,
    /// Offset of the last event given out that was not one of a run of moves.
    at: u64,
    state: ReadState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ReadState {
    Reading,
    /// A fault: only the games after it can be read.
    Failed,
    Ended,
}

impl Puller {
    /// The state of a reader that lends the events of moves from its input, or from copies of them.
    pub(crate) fn new(mut tokenizer: Tokenizer, listener: Listener, copies_moves: bool) -> Self {
        if listener.is_some() {
            tokenizer.keep_lines(); // for faults that are found in events which were read ahead
        }
        Puller { queue: Queue::new(&tokenizer, listener, copies_moves), tokenizer, at: 0, state: ReadState::Reading }
    }

    /// Starts again with another tokenizer, whose mode is the same.
    pub(crate) fn restart_with(&mut self, tokenizer: Tokenizer) {
        self.tokenizer = tokenizer;
        if self.queue.listener.is_some() {
            self.tokenizer.keep_lines();
        }
        self.queue.forget();
        (self.at, self.state) = (0, ReadState::Reading);
    }

    /// Lets events be read ahead in strict mode too. The caller keeps an error until they have been given out.
    #[cfg(feature = "codec")]
    pub(crate) fn keeping_errors(mut self) -> Self {
        self.queue.most = CAPACITY;
        self
    }

    #[inline(always)]
    pub(crate) fn pop(&mut self) -> Option<Token> {
        let token = self.queue.pop()?;
        self.at = token.at;
        Some(token)
    }

    pub(crate) fn offset(&self) -> u64 {
        self.queue.moves.offset().unwrap_or(self.at)
    }

    pub(crate) fn depth(&self) -> usize {
        self.queue.depth_out
    }

    /// Offset of the next event, which [stays in the node](Queue::stays_in_node).
    pub(crate) fn next_at(&self) -> u64 {
        match self.queue.moves.last {
            LastEvent::Node | LastEvent::Property => self.offset() + 1,
            LastEvent::Value | LastEvent::Other => self.queue.tokens[self.queue.next].at,
        }
    }

    /// A node is longer than a record may be, as the event shows that ends at this offset: an error in strict mode, a
    /// fault to be reported in lenient mode.
    #[cold]
    pub(crate) fn node_is_full(&mut self, end: u64) -> Result<Diagnostic, SyntaxError> {
        let position = self.tokenizer.recall(end).unwrap_or(Position { offset: end, ..self.tokenizer.position() });
        if self.tokenizer.is_strict() {
            self.state = ReadState::Failed;
            return Err(self.tokenizer.error_of(Code::NodeTooLong, position));
        }
        Ok(Diagnostic::new(Code::NodeTooLong, position))
    }

    /// The position of an offset in the last game, as far as lines are known.
    pub(crate) fn position_of(&self, offset: u64) -> Position {
        let after_start =
            |start: Position| Position { offset, column: start.column + offset.saturating_sub(start.offset), ..start };
        let known = self.tokenizer.recall(offset).or_else(|| self.game_position().map(after_start));
        known.unwrap_or(Position { offset, ..Position::START })
    }

    /// Where the last game begins.
    pub(crate) fn game_offset(&self) -> Option<u64> {
        self.tokenizer.game_offset()
    }

    /// Where the last game begins, with line and column if lines are counted.
    pub(crate) fn game_position(&self) -> Option<Position> {
        self.tokenizer.game_position()
    }

    /// Whether there may be more events.
    pub(crate) fn is_reading(&self) -> bool {
        self.state == ReadState::Reading
    }

    /// Whether there may be more games. After a fault, sets out to skip the rest of the faulty game; then the second
    /// value is true if there is a rest.
    pub(crate) fn resume(&mut self) -> (bool, bool) {
        let mut rest = false;
        if self.state == ReadState::Failed {
            self.forget_game();
            rest = self.tokenizer.resync();
            self.state = ReadState::Reading;
        }
        (self.state == ReadState::Reading, rest)
    }

    /// Sets out to skip what is left of the open game, or the next game. True if nothing was
    /// left.
    pub(crate) fn skip_game(&mut self) -> bool {
        self.forget_game() || self.tokenizer.skip_game()
    }

    fn forget_game(&mut self) -> bool {
        self.at = self.offset();
        self.queue.forget_game()
    }

    /// The next events are those after what a visitor has read.
    pub(crate) fn visited(&mut self) {
        let depth = self.tokenizer.depth();
        (self.queue.depth_in, self.queue.depth_out) = (depth, depth);
    }

    /// The next events are those after what was passed on without the queue, the last of which is at an offset.
    pub(crate) fn passed_on(&mut self, last: Option<u64>) {
        self.at = last.unwrap_or(self.at);
        self.queue.moves = MoveEvents::NONE;
        self.visited();
    }

    /// Takes note of how a run of the tokenizer ended.
    pub(crate) fn settle(&mut self, outcome: Outcome) -> Result<(), SyntaxError> {
        match outcome {
            Outcome::Failed => {
                let error = self.tokenizer.error();
                self.state = if error.is_final() { ReadState::Ended } else { ReadState::Failed };
                Err(error)
            }
            Outcome::End => {
                self.state = ReadState::Ended;
                Ok(())
            }
            Outcome::Stopped | Outcome::NeedMore => Ok(()),
        }
    }
}
