//! Events that wait to be asked for: what the pull readers have in common.
//!
//! A pull reader runs the tokenizer with a sink that stops. To stop after every event would cost
//! more than the event, so a [`Queue`] takes several, as long as the caller cannot tell: it ends with
//! the game, so that skipping and visiting start where the caller stands; faults wait in it for the event that
//! follows them; and in strict mode it holds a single event, so that no error comes early.
//!
//! Nine events in ten are those of moves, and for them all that is not needed is left out ([`Moves`]): a
//! run of moves is one entry of the queue, its bytes lie where no reader has to be asked for them, and
//! what an event leaves behind is one byte.
//!
//! What is marked `inline(always)` runs once an event. There is one place for each kind of event where it
//! is made; inlined, the compiler joins it with what the caller does with events of that kind, and no
//! event is ever written to memory. A call in between costs half the speed.

use std::collections::VecDeque;

#[cfg(feature = "codec")]
use bytes::Bytes;

use crate::read::listener::Listener;
use crate::syntax::diagnostic::{Code, Diagnostic, Position};
use crate::syntax::error::SyntaxError;
#[cfg(feature = "codec")]
use crate::syntax::event::OwnedEvent;
use crate::syntax::event::{Event, Ident, PartEnd, ValuePart};
use crate::syntax::flow::Flow;
use crate::syntax::tokenizer::fast::MOVE;
use crate::syntax::tokenizer::{Outcome, Sink, Tokenizer};
use crate::value::RawValue;

/// An event without its bytes. The reader that pulled it knows where they are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    kind: Kind,
    /// Of a `ValuePart`.
    end: PartEnd,
    /// Offset of the lexeme.
    pub(crate) at: u64,
    /// Number of the event's bytes; of a run of moves, with the line breaks in it.
    pub(crate) len: usize,
    /// Of a run of moves: where its bytes are among the copies.
    copy: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    StartTree,
    Node,
    Property,
    Value,
    ValuePart,
    EndTree,
    /// A run of nodes like `;B[dd]`, with three events each. [`Queue::pop`] gives out the first of them,
    /// and [`Moves`] the others.
    Moves,
}

impl Token {
    /// Offset of the event's bytes.
    #[inline]
    pub(crate) fn bytes_at(self) -> u64 {
        self.at + u64::from(self.kind == Kind::Value) // behind the `[`
    }

    /// Whether the event has bytes.
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

/// A run of moves that is being given out: each is a node, a property of one letter, and a value of two.
///
/// It knows the last event instead of the next one: so an event leaves one byte behind, a node the place of
/// its move too, and the offset of the last event need not be kept. The byte is always a constant, so that
/// none has to wait for the one before it.
#[derive(Debug)]
pub(crate) struct Moves {
    pub(crate) last: Last,
    /// Where the move of the last event is, in the bytes that hold it.
    pub(crate) pos: usize,
    /// Where the last move of the run ends.
    end: usize,
    /// How far offsets are ahead of these places.
    shift: u64,
}

/// The last event that was given out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Last {
    /// One of no move.
    Other,
    Node,
    Property,
    Value,
}

impl Moves {
    const NONE: Moves = Moves { last: Last::Other, pos: 0, end: 0, shift: 0 };

    /// Goes to the next move, given the bytes that hold the run; false if it is over.
    #[inline(always)]
    pub(crate) fn go_on(&mut self, bytes: &[u8]) -> bool {
        let next = self.pos + MOVE;
        if next < self.end && bytes.get(next) == Some(&b';') {
            self.pos = next;
        } else if !self.cross_line_break(bytes) {
            return false;
        }
        self.last = Last::Node;
        true
    }

    /// Goes to the move behind a line break; false if the run is over.
    #[inline(never)]
    fn cross_line_break(&mut self, bytes: &[u8]) -> bool {
        let rest = bytes.get(self.pos + MOVE..self.end).unwrap_or_default();
        let Some(len) = rest.iter().position(|&byte| byte == b';') else { return false };
        self.pos += MOVE + len;
        true
    }

    /// Whether there is another event.
    fn has_next(&self) -> bool {
        match self.last {
            Last::Node | Last::Property => true,
            Last::Value => self.pos + MOVE < self.end,
            Last::Other => false,
        }
    }

    /// Offset of the last event, if it is one of a move.
    #[inline(always)]
    fn offset(&self) -> Option<u64> {
        let into_move = match self.last {
            Last::Node => 0,
            Last::Property => 1,
            Last::Value => 2,
            Last::Other => return None,
        };
        Some(self.shift.wrapping_add(self.pos as u64 + into_move))
    }
}

/// Returns with the next event of a run of moves, given the bytes that hold it, unless the run is over.
///
/// A macro, so that each kind of event has a `return` of its own: of a function that answers with the event
/// compilers make one place for all kinds, behind which the caller has to ask for the kind again.
macro_rules! return_next_of_moves {
    ($moves:expr, $bytes:expr, $event:ident => $answer:expr) => {
        match $moves.last {
            $crate::read::pull::Last::Node => {
                $moves.last = $crate::read::pull::Last::Property;
                let pos = $moves.pos;
                let $event = $crate::Event::Property($crate::Ident::new(&$bytes[pos + 1..pos + 2]));
                return $answer;
            }
            $crate::read::pull::Last::Property => {
                $moves.last = $crate::read::pull::Last::Value;
                let pos = $moves.pos;
                let $event = $crate::Event::Value($crate::RawValue::new(&$bytes[pos + 3..pos + 5]));
                return $answer;
            }
            $crate::read::pull::Last::Value => {
                if $moves.go_on(&$bytes) {
                    let $event = $crate::Event::Node;
                    return $answer;
                }
            }
            $crate::read::pull::Last::Other => {}
        }
    };
}
pub(crate) use return_next_of_moves;

const CAPACITY: usize = 64;

/// The number of no token.
const NO_FAULT: usize = usize::MAX;

/// So many bytes of moves are taken at once, or a few more.
const MOST_MOVES: usize = 1024;

/// Events between the tokenizer and whoever asks for them.
#[derive(Debug)]
pub(crate) struct Queue {
    tokens: [Token; CAPACITY],
    len: usize,
    next: usize,
    /// The run of moves that is being given out.
    pub(crate) moves: Moves,
    /// The bytes of the runs, where the events of moves are not lent from the input: to ask a `BufRead` or
    /// a `BytesMut` for its bytes at each event costs more than to copy them once.
    pub(crate) copies: Vec<u8>,
    copies_moves: bool,
    /// Stop after so many.
    most: usize,
    pub(crate) listener: Listener,
    /// Faults, each with the number of the token before which it is reported; kept only for a listener.
    faults: VecDeque<(usize, Diagnostic)>,
    /// The number of the first of them.
    next_fault: usize,
    /// Trees open behind the last event taken in.
    depth_in: usize,
    /// Trees open behind the last event given out.
    depth_out: usize,
}

impl Queue {
    fn new(tokenizer: &Tokenizer, listener: Listener, copies_moves: bool) -> Self {
        Queue {
            tokens: [Token { kind: Kind::Node, end: PartEnd::More, at: 0, len: 0, copy: 0 }; CAPACITY],
            len: 0,
            next: 0,
            moves: Moves::NONE,
            copies: Vec::new(),
            copies_moves,
            most: if tokenizer.is_strict() { 1 } else { CAPACITY },
            listener,
            faults: VecDeque::new(),
            next_fault: NO_FAULT,
            depth_in: 0,
            depth_out: 0,
        }
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<Token> {
        let token = *self.tokens[..self.len].get(self.next)?;
        if self.next_fault <= self.next {
            self.report_faults(self.next);
        }
        self.next += 1;
        self.moves.last = Last::Other;
        match token.kind {
            Kind::StartTree => self.depth_out += 1,
            Kind::EndTree => self.depth_out -= 1,
            Kind::Moves => {
                let pos = if self.copies_moves { token.copy as usize } else { token.at as usize };
                let shift = token.at.wrapping_sub(pos as u64);
                self.moves = Moves { last: Last::Node, pos, end: pos + token.len, shift };
            }
            _ => {}
        }
        Some(token)
    }

    /// Reports the faults before the token of this number.
    #[cold]
    fn report_faults(&mut self, token: usize) {
        let due = self.faults.iter().take_while(|(before, _)| *before <= token).count();
        for (_, fault) in self.faults.drain(..due) {
            self.listener.report(fault);
        }
        self.next_fault = self.faults.front().map_or(NO_FAULT, |(before, _)| *before);
    }

    /// Makes room, where all events have been given out.
    pub(crate) fn rewind(&mut self) {
        debug_assert!(self.is_empty());
        self.report_rest();
        (self.len, self.next) = (0, 0);
        self.copies.clear();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.next == self.len && !self.moves.has_next()
    }

    /// Whether the next event says something of the open node; false if none has come in.
    pub(crate) fn stays_in_node(&self) -> bool {
        if self.moves.has_next() {
            return self.moves.last != Last::Value;
        }
        let next = self.tokens[..self.len].get(self.next);
        next.is_some_and(|token| matches!(token.kind, Kind::Property | Kind::Value | Kind::ValuePart))
    }

    /// Reports the faults after the last token.
    #[inline]
    fn report_rest(&mut self) {
        if self.next_fault != NO_FAULT && self.is_empty() {
            self.report_faults(NO_FAULT);
        }
    }

    /// Forgets the open game. True if its end had come in. What skipping would have reported of that is reported.
    fn forget_game(&mut self) -> bool {
        let ended = self.depth_out > 0 && self.depth_in == 0;
        if self.next_fault != NO_FAULT {
            self.faults.retain(|(_, fault)| ended && fault.code.is_about_bounds());
            self.report_faults(NO_FAULT);
        }
        (self.len, self.next, self.depth_in, self.depth_out) = (0, 0, 0, 0);
        self.moves = Moves::NONE;
        self.copies.clear();
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
        // The tokenizer stops where it is told to, before the queue is full.
        self.tokens[self.len] = Token { kind, end, at, len, copy: 0 };
        self.len += 1;
        if self.len >= self.most || self.depth_in == 0 { Flow::Break } else { Flow::Continue }
    }

    /// There has to be room for the run, and for the event behind it.
    #[inline(always)]
    fn room_for_moves(&self) -> usize {
        let has_room = self.most == CAPACITY && self.depth_in > 0 && self.len < CAPACITY - 1;
        if has_room { MOST_MOVES.saturating_sub(self.copies.len()) } else { 0 }
    }

    /// Moves behind those that there was room for come with the next run: one by one each would be three
    /// entries.
    fn moves(&mut self, run: &[u8], at: u64) -> Flow {
        let is_full = run.len() >= self.room_for_moves();
        let copy = self.copies.len() as u32;
        if self.copies_moves {
            self.copies.extend_from_slice(run);
        }
        self.tokens[self.len] = Token { kind: Kind::Moves, end: PartEnd::More, at, len: run.len(), copy };
        self.len += 1;
        if is_full { Flow::Break } else { Flow::Continue }
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
        if self.listener.is_some() {
            self.next_fault = self.next_fault.min(self.len);
            self.faults.push_back((self.len, fault));
        }
    }
}

/// The offset after an event of a node.
pub(crate) fn end_of(event: Event<'_>, at: u64) -> u64 {
    let len = match event {
        Event::Property(ident) => ident.as_bytes().len(),
        Event::Value(value) => value.as_bytes().len() + "[]".len(),
        Event::ValuePart(part) => part.bytes.len() + usize::from(part.end == PartEnd::Complete),
        Event::StartTree | Event::Node | Event::EndTree => 1,
    };
    at + len as u64
}

/// The state of a pull reader, whatever it reads from.
#[derive(Debug)]
pub(crate) struct Puller {
    pub(crate) tokenizer: Tokenizer,
    pub(crate) queue: Queue,
    /// Offset of the last event given out that was none of a move.
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
    /// Of a reader that lends the events of moves from its input, or from copies of them.
    pub(crate) fn new(mut tokenizer: Tokenizer, listener: Listener, copies_moves: bool) -> Self {
        if listener.is_some() {
            tokenizer.keep_lines(); // for faults that are found in events which were read ahead
        }
        Puller { queue: Queue::new(&tokenizer, listener, copies_moves), tokenizer, at: 0, state: State::Reading }
    }

    /// Starts again at another game of the stream.
    pub(crate) fn restart(&mut self, position: Position) {
        let (tokenizer, listener) = (self.tokenizer.restart(position), self.queue.listener.clone());
        *self = Puller::new(tokenizer, listener, self.queue.copies_moves);
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
        let Queue { moves, tokens, next, .. } = &self.queue;
        match moves.last {
            Last::Node | Last::Property => self.offset() + 1,
            Last::Value | Last::Other => tokens[*next].at,
        }
    }

    /// A node is longer than a record may be, as the event shows that ends at this offset: an error in strict mode, a
    /// fault to be reported in lenient mode.
    #[cold]
    pub(crate) fn node_is_full(&mut self, end: u64) -> Result<Diagnostic, SyntaxError> {
        let position = self.tokenizer.recall(end).unwrap_or(Position { offset: end, ..self.tokenizer.position() });
        if self.tokenizer.is_strict() {
            self.state = State::Failed;
            return Err(SyntaxError::new(Code::NodeTooLong, position));
        }
        Ok(Diagnostic::new(Code::NodeTooLong, position))
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
            self.forget_game();
            rest = self.tokenizer.resync();
            self.state = State::Reading;
        }
        (self.state == State::Reading, rest)
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

    /// The next events are those behind what a visitor has read.
    pub(crate) fn visited(&mut self) {
        let depth = self.tokenizer.depth();
        (self.queue.depth_in, self.queue.depth_out) = (depth, depth);
    }

    /// Takes note of how a run of the tokenizer ended.
    pub(crate) fn settle(&mut self, outcome: Outcome) -> Result<(), SyntaxError> {
        self.queue.report_rest();
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
