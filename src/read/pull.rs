//! The queue of events of pull readers, and their state.
//!
//! A pull reader runs the tokenizer with a sink that stops. Stopping after every event would cost more than the
//! event. A [`Queue`] therefore takes several, in a way that the caller cannot observe: it ends with the game, so
//! that skipping and visiting start at the caller's position, and in strict mode it holds a single event, so that no
//! error comes early. Diagnostics are reported when the tokenizer finds them, before the events around them.
//!
//! Nine events in ten belong to moves, and these take a fast path ([`MoveEvents`]): a run of moves is one token of
//! the queue, its bytes are accessible without a call to the reader, and an event leaves a single byte in the queue.
//!
//! Functions with `inline(always)` run once per event. Each kind of event is created in one place; when that is
//! inlined, the compiler merges it with the caller's code for that kind, and no event is ever written to memory. A
//! call in between costs half the speed.

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
    /// At most [`CAPACITY`] tokens, and the lines of a run. A reader that only skips or visits games allocates none.
    tokens: Vec<Token>,
    /// Index of the next token.
    next: usize,
    /// The run of moves that is being returned.
    pub(crate) moves: MoveEvents,
    /// The bytes of the runs, if the events of moves are not borrowed from the input. Asking a `BufRead` or a
    /// `BytesMut` for its bytes at each event costs more than copying them once.
    pub(crate) copies: Vec<u8>,
    copies_moves: bool,
    /// Number of tokens after which the tokenizer stops.
    most: usize,
    pub(crate) listener: Listener,
    /// Trees open after the last event received.
    depth_in: usize,
    /// Trees open after the last event returned.
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

    /// Empties the queue after all events have been returned.
    pub(crate) fn rewind(&mut self) {
        debug_assert!(self.is_empty());
        self.tokens.clear();
        self.next = 0;
        self.copies.clear();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.next == self.tokens.len() && !self.moves.has_next()
    }

    /// Returns whether the next event belongs to the open node; false if no event is queued.
    pub(crate) fn stays_in_node(&self) -> bool {
        if self.moves.has_next() {
            return self.moves.last != LastEvent::Value;
        }
        self.tokens.get(self.next).is_some_and(|token| token.has_bytes())
    }

    /// Discards the queued events of the open game. Returns whether its end was among them.
    fn forget_game(&mut self) -> bool {
        let ended = self.depth_out > 0 && self.depth_in == 0;
        self.forget();
        ended
    }

    /// Discards all events.
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
        // The tokenizer stops when asked to, before the queue is full.
        self.tokens.push(Token::new(event, at));
        if self.tokens.len() >= self.most || self.depth_in == 0 { Flow::Break } else { Flow::Continue }
    }

    /// Queues a run as one token; one by one, the events of a move would be three.
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

    /// Stops at a held identifier, since the tokenizer keeps the bytes of only one.
    fn held_property(&mut self, ident: Ident<'_>, at: u64) -> Flow {
        self.event(Event::Property(ident), at);
        Flow::Break
    }

    fn game_skipped(&mut self) -> Flow {
        Flow::Break
    }

    #[cold]
    fn diagnostic(&mut self, fault: Diagnostic) {
        self.listener.report(fault);
    }
}

/// The state of a pull reader, independent of its input.
#[derive(Debug)]
pub(crate) struct Puller {
    pub(crate) tokenizer: Tokenizer,
    pub(crate) queue: Queue,
    /// Offset of the last event returned, except those of a run of moves.
    at: u64,
    state: ReadState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ReadState {
    Reading,
    /// A syntax error occurred: only the games after it can be read.
    Failed,
    Ended,
}

impl Puller {
    /// Creates the state of a reader that borrows the events of moves from its input, or from copies.
    pub(crate) fn new(mut tokenizer: Tokenizer, listener: Listener, copies_moves: bool) -> Self {
        if listener.is_some() {
            tokenizer.keep_lines(); // for errors that are found in events that were read ahead
        }
        Puller { queue: Queue::new(&tokenizer, listener, copies_moves), tokenizer, at: 0, state: ReadState::Reading }
    }

    /// Restarts with another tokenizer in the same mode.
    pub(crate) fn restart_with(&mut self, tokenizer: Tokenizer) {
        self.tokenizer = tokenizer;
        if self.queue.listener.is_some() {
            self.tokenizer.keep_lines();
        }
        self.queue.forget();
        (self.at, self.state) = (0, ReadState::Reading);
    }

    /// Allows reading ahead in strict mode. The caller holds back an error until the events before it have been
    /// returned.
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

    /// Returns the offset of the next event, which must [stay in the node](Queue::stays_in_node).
    pub(crate) fn next_at(&self) -> u64 {
        match self.queue.moves.last {
            LastEvent::Node | LastEvent::Property => self.offset() + 1,
            LastEvent::Value | LastEvent::Other => self.queue.tokens[self.queue.next].at,
        }
    }

    /// Handles a node that exceeds the limit with the event that ends at `end`. Fails in strict mode; in lenient
    /// mode, returns the diagnostic to report.
    #[cold]
    pub(crate) fn node_is_full(&mut self, end: u64) -> Result<Diagnostic, SyntaxError> {
        let position = self.tokenizer.recall(end).unwrap_or(Position { offset: end, ..self.tokenizer.position() });
        if self.tokenizer.is_strict() {
            self.state = ReadState::Failed;
            return Err(self.tokenizer.error_of(Code::NodeTooLong, position));
        }
        Ok(Diagnostic::new(Code::NodeTooLong, position))
    }

    /// Returns the position of an offset in the last game, with its line if lines are counted.
    pub(crate) fn position_of(&self, offset: u64) -> Position {
        let after_start =
            |start: Position| Position { offset, column: start.column + offset.saturating_sub(start.offset), ..start };
        let known = self.tokenizer.recall(offset).or_else(|| self.game_position().map(after_start));
        known.unwrap_or(Position { offset, ..Position::START })
    }

    /// Returns the offset where the last game starts.
    pub(crate) fn game_offset(&self) -> Option<u64> {
        self.tokenizer.game_offset()
    }

    /// Returns the position where the last game starts, if lines are counted.
    pub(crate) fn game_position(&self) -> Option<Position> {
        self.tokenizer.game_position()
    }

    /// Returns whether more events may follow.
    pub(crate) fn is_reading(&self) -> bool {
        self.state == ReadState::Reading
    }

    /// Returns whether more games may follow. After a syntax error, starts to skip the rest of the faulty game; the
    /// second value says whether there is a rest.
    pub(crate) fn resume(&mut self) -> (bool, bool) {
        let mut rest = false;
        if self.state == ReadState::Failed {
            self.forget_game();
            rest = self.tokenizer.resync();
            self.state = ReadState::Reading;
        }
        (self.state == ReadState::Reading, rest)
    }

    /// Starts to skip the rest of the open game, or the next game. Returns true if nothing was left.
    pub(crate) fn skip_game(&mut self) -> bool {
        self.forget_game() || self.tokenizer.skip_game()
    }

    fn forget_game(&mut self) -> bool {
        self.at = self.offset();
        self.queue.forget_game()
    }

    /// Continues after the events that a visitor has read.
    pub(crate) fn visited(&mut self) {
        let depth = self.tokenizer.depth();
        (self.queue.depth_in, self.queue.depth_out) = (depth, depth);
    }

    /// Continues after events that bypassed the queue; `last` is the offset of the last one.
    pub(crate) fn passed_on(&mut self, last: Option<u64>) {
        self.at = last.unwrap_or(self.at);
        self.queue.moves = MoveEvents::NONE;
        self.visited();
    }

    /// Records how a run of the tokenizer ended.
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
