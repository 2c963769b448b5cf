//! Events that wait to be asked for: what the pull readers have in common.
//!
//! A pull reader runs the tokenizer with a sink that stops. To stop after every event would cost
//! more than the event, so a [`Queue`] takes several, as long as nobody can tell: it ends with
//! the game, so that skipping and visiting start where the caller stands, and it holds a single
//! event in strict mode (an error must not come early) or if diagnostics have a listener (they
//! must not come early either).
//!
//! What is marked `inline(always)` runs once an event; left alone, the compiler keeps the events
//! of its caller in memory, which costs half the speed.

#[cfg(feature = "codec")]
use bytes::Bytes;

use crate::diagnostic::{Code, Position};
use crate::error::SyntaxError;
#[cfg(feature = "codec")]
use crate::event::OwnedEvent;
use crate::event::{Event, Ident, PartEnd, ValuePart};
use crate::flow::Flow;
use crate::tokenizer::fast::MOVE;
use crate::tokenizer::{Outcome, Sink, Tokenizer};
use crate::value::RawValue;

/// An event without its bytes. The reader that pulled it knows where they are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    kind: Kind,
    /// Of a `ValuePart`.
    end: PartEnd,
    /// Offset of the lexeme.
    pub(crate) at: u64,
    /// Number of the event's bytes.
    pub(crate) len: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    StartTree,
    Node,
    Property,
    Value,
    ValuePart,
    EndTree,
    /// The three events of each of some nodes like `;B[dd]` that follow one another directly.
    /// [`Queue::pop`] gives out the first, and [`Puller::next_of_moves`] the others.
    Moves,
}

impl Token {
    /// Offset of the event's bytes.
    #[inline]
    pub(crate) fn bytes_at(self) -> u64 {
        self.at + u64::from(self.kind == Kind::Value) // behind the `[`
    }

    /// Whether the event has bytes.
    #[cfg(feature = "codec")]
    #[inline(always)]
    pub(crate) fn has_bytes(self) -> bool {
        matches!(self.kind, Kind::Property | Kind::Value | Kind::ValuePart)
    }

    /// The event, given its bytes, if it has any.
    #[cfg(feature = "codec")]
    #[inline(always)]
    pub(crate) fn owned(self, bytes: Bytes) -> OwnedEvent {
        match self.kind {
            Kind::StartTree => OwnedEvent::StartTree,
            // Moves come out of the queue as the node that is their first event.
            Kind::Node | Kind::Moves => OwnedEvent::Node,
            Kind::Property => OwnedEvent::Property(bytes),
            Kind::Value => OwnedEvent::Value(bytes),
            Kind::ValuePart => OwnedEvent::ValuePart(bytes, self.end),
            Kind::EndTree => OwnedEvent::EndTree,
        }
    }

    /// The event, given its bytes.
    #[inline(always)]
    pub(crate) fn event(self, bytes: &[u8]) -> Event<'_> {
        match self.kind {
            Kind::StartTree => Event::StartTree,
            // Moves come out of the queue as the node that is their first event.
            Kind::Node | Kind::Moves => Event::Node,
            Kind::Property => Event::Property(Ident::new(bytes)),
            Kind::Value => Event::Value(RawValue::new(bytes)),
            Kind::ValuePart => Event::ValuePart(ValuePart { bytes, end: self.end }),
            Kind::EndTree => Event::EndTree,
        }
    }
}

/// Moves that are being given out: each is a node, a property of one letter, and a value of two.
#[derive(Clone, Copy, Debug)]
struct Moves {
    /// Offset of the next event, or of its move.
    at: u64,
    end: u64,
    next: Kind,
}

impl Moves {
    const NONE: Moves = Moves { at: 0, end: 0, next: Kind::Node };

    #[inline(always)]
    fn is_empty(&self) -> bool {
        self.at == self.end
    }
}

const CAPACITY: usize = 64;

/// Events between the tokenizer and whoever asks for them.
#[derive(Debug)]
pub(crate) struct Queue {
    tokens: [Token; CAPACITY],
    len: usize,
    next: usize,
    /// What is left of moves that were among them.
    moves: Moves,
    /// Stop after so many.
    most: usize,
    /// Trees open behind the last event taken in.
    depth_in: usize,
    /// Trees open behind the last event given out.
    depth_out: usize,
}

impl Queue {
    fn new(tokenizer: &Tokenizer) -> Self {
        Queue {
            tokens: [Token { kind: Kind::Node, end: PartEnd::More, at: 0, len: 0 }; CAPACITY],
            len: 0,
            next: 0,
            moves: Moves::NONE,
            most: if tokenizer.may_run_ahead() { CAPACITY } else { 1 },
            depth_in: 0,
            depth_out: 0,
        }
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<Token> {
        let mut token = *self.tokens[..self.len].get(self.next)?;
        self.next += 1;
        match token.kind {
            Kind::StartTree => self.depth_out += 1,
            Kind::EndTree => self.depth_out -= 1,
            Kind::Moves => {
                self.moves = Moves { at: token.at, end: token.at + token.len as u64, next: Kind::Property };
                (token.kind, token.len) = (Kind::Node, 0);
            }
            _ => {}
        }
        Some(token)
    }

    /// Makes room, where all events have been given out.
    pub(crate) fn rewind(&mut self) {
        debug_assert!(self.is_empty());
        (self.len, self.next) = (0, 0);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.next == self.len && self.moves.is_empty()
    }

    /// Whether the next event says something of the open node; false if none has come in.
    pub(crate) fn stays_in_node(&self) -> bool {
        if !self.moves.is_empty() {
            return self.moves.next != Kind::Node;
        }
        let next = self.tokens[..self.len].get(self.next);
        next.is_some_and(|token| matches!(token.kind, Kind::Property | Kind::Value | Kind::ValuePart))
    }

    /// Forgets the open game. True if its end had come in.
    fn forget_game(&mut self) -> bool {
        let ended = self.depth_out > 0 && self.depth_in == 0;
        (self.len, self.next, self.depth_in, self.depth_out) = (0, 0, 0, 0);
        self.moves = Moves::NONE;
        ended
    }
}

impl Sink for Queue {
    #[inline(always)]
    fn event(&mut self, event: Event<'_>, at: u64) -> Flow {
        let mut end = PartEnd::More;
        let (kind, len) = match event {
            Event::StartTree => {
                self.depth_in += 1;
                (Kind::StartTree, 0)
            }
            Event::Node => (Kind::Node, 0),
            Event::Property(ident) => (Kind::Property, ident.as_bytes().len()),
            Event::Value(value) => (Kind::Value, value.as_bytes().len()),
            Event::ValuePart(part) => {
                end = part.end;
                (Kind::ValuePart, part.bytes.len())
            }
            Event::EndTree => {
                self.depth_in -= 1;
                (Kind::EndTree, 0)
            }
        };
        if let Some(free) = self.tokens.get_mut(self.len) {
            *free = Token { kind, end, at, len };
            self.len += 1;
        }
        if self.len >= self.most || self.depth_in == 0 { Flow::Break } else { Flow::Continue }
    }

    /// Each may stand on a line of its own; and there has to be room for the event behind them.
    #[inline(always)]
    fn room_for_moves(&self) -> usize {
        if self.most == CAPACITY && self.depth_in > 0 { (CAPACITY - 1 - self.len) * MOVE } else { 0 }
    }

    fn moves(&mut self, run: &[u8], at: u64) {
        let mut pos = 0;
        while pos < run.len() {
            let start = pos;
            while run.get(pos) == Some(&b';') {
                pos += MOVE;
            }
            if let Some(free) = self.tokens.get_mut(self.len).filter(|_| pos > start) {
                *free = Token { kind: Kind::Moves, end: PartEnd::More, at: at + start as u64, len: pos - start };
                self.len += 1;
            }
            while run.get(pos).is_some_and(|&byte| byte != b';') {
                pos += 1; // a line break
            }
        }
    }

    /// The tokenizer keeps the bytes of one held identifier only.
    fn held_property(&mut self, ident: Ident<'_>, at: u64) -> Flow {
        self.event(Event::Property(ident), at);
        Flow::Break
    }

    fn game_skipped(&mut self) -> Flow {
        Flow::Break
    }
}

/// The state of a pull reader, whatever it reads from.
#[derive(Debug)]
pub(crate) struct Puller {
    pub(crate) tokenizer: Tokenizer,
    pub(crate) queue: Queue,
    /// Offset of the last event given out.
    at: u64,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Reading,
    /// A fault: only the games behind it can be read.
    Failed,
    Ended,
}

impl Puller {
    pub(crate) fn new(tokenizer: Tokenizer) -> Self {
        Puller { queue: Queue::new(&tokenizer), tokenizer, at: 0, state: State::Reading }
    }

    /// The same for one that keeps a fault until the events in front of it have been given out. Only a
    /// listener would notice what comes early then.
    #[cfg(feature = "codec")]
    pub(crate) fn with_faults_kept(tokenizer: Tokenizer) -> Self {
        let mut puller = Puller::new(tokenizer);
        if !puller.tokenizer.has_listener() {
            puller.queue.most = CAPACITY;
        }
        puller
    }

    #[inline(always)]
    pub(crate) fn pop(&mut self) -> Option<Token> {
        let token = self.queue.pop()?;
        self.at = token.at;
        Some(token)
    }

    /// The next event, of moves too.
    #[cfg(feature = "codec")]
    #[inline(always)]
    pub(crate) fn pop_any(&mut self) -> Option<Token> {
        if !self.is_in_moves() {
            return self.pop();
        }
        let (mut kind, mut len) = (Kind::Node, 0);
        let bytes: Result<_, std::convert::Infallible> = self.next_of_moves(|_, _| Ok(&[]));
        match bytes {
            Ok(Event::Property(_)) => (kind, len) = (Kind::Property, 1),
            Ok(Event::Value(_)) => (kind, len) = (Kind::Value, 2),
            _ => {}
        }
        Some(Token { kind, end: PartEnd::More, at: self.at, len })
    }

    /// Whether the next event is one of moves that have begun to be given out.
    #[inline(always)]
    pub(crate) fn is_in_moves(&self) -> bool {
        !self.queue.moves.is_empty()
    }

    /// That event, given its bytes at an offset. There is a branch for each kind of event, so that the
    /// compiler can join it with the caller's.
    #[inline(always)]
    pub(crate) fn next_of_moves<'b, E>(
        &mut self,
        bytes: impl FnOnce(u64, usize) -> Result<&'b [u8], E>,
    ) -> Result<Event<'b>, E> {
        let moves = &mut self.queue.moves;
        match moves.next {
            Kind::Node => {
                moves.next = Kind::Property;
                self.at = moves.at;
                Ok(Event::Node)
            }
            Kind::Property => {
                moves.next = Kind::Value;
                self.at = moves.at + 1;
                Ok(Event::Property(Ident::new(bytes(self.at, 1)?)))
            }
            _ => {
                moves.next = Kind::Node;
                self.at = moves.at + 2;
                moves.at += MOVE as u64;
                Ok(Event::Value(RawValue::new(bytes(self.at + 1, 2)?)))
            }
        }
    }

    pub(crate) fn offset(&self) -> u64 {
        self.at
    }

    pub(crate) fn depth(&self) -> usize {
        self.queue.depth_out
    }

    /// Offset of the next event, which has come in.
    pub(crate) fn next_at(&self) -> u64 {
        let Queue { moves, tokens, next, .. } = &self.queue;
        match moves.next {
            _ if moves.is_empty() => tokens[*next].at,
            Kind::Node => moves.at,
            Kind::Property => moves.at + 1,
            _ => moves.at + 2,
        }
    }

    /// A node is longer than a record may be: an error in strict mode, a report in lenient mode.
    #[cold]
    pub(crate) fn node_is_full(&mut self) -> Result<(), SyntaxError> {
        let fault = self.tokenizer.report(Code::NodeTooLong);
        if fault.is_err() {
            self.state = State::Failed;
        }
        fault
    }

    /// Where the last game begins.
    pub(crate) fn game_offset(&self) -> Option<u64> {
        self.tokenizer.game_offset()
    }

    /// The same, if lines are counted.
    pub(crate) fn game_position(&self) -> Option<Position> {
        self.tokenizer.game_position()
    }

    /// Whether there may be more events.
    pub(crate) fn is_reading(&self) -> bool {
        self.state == State::Reading
    }

    /// Whether there may be more games. Behind a fault, sets out to skip the rest of the faulty
    /// game: true is the second answer then, if there is a rest.
    pub(crate) fn resume(&mut self) -> (bool, bool) {
        let mut rest = false;
        if self.state == State::Failed {
            self.queue.forget_game();
            rest = self.tokenizer.resync();
            self.state = State::Reading;
        }
        (self.state == State::Reading, rest)
    }

    /// Sets out to skip what is left of the open game, or the next game. True if nothing was
    /// left.
    pub(crate) fn skip_game(&mut self) -> bool {
        self.queue.forget_game() || self.tokenizer.skip_game()
    }

    /// The next events are those behind what a visitor has read.
    pub(crate) fn visited(&mut self) {
        let depth = self.tokenizer.depth();
        (self.queue.depth_in, self.queue.depth_out) = (depth, depth);
    }

    /// Takes note of how a run of the tokenizer ended.
    pub(crate) fn settle(&mut self, outcome: Outcome) -> Result<(), SyntaxError> {
        match outcome {
            Outcome::Failed => {
                let error = self.tokenizer.error();
                self.state = if error.is_final() { State::Ended } else { State::Failed };
                Err(error)
            }
            Outcome::End => {
                self.state = State::Ended;
                Ok(())
            }
            Outcome::Stopped | Outcome::NeedMore => Ok(()),
        }
    }
}
