//! The common code of the pull readers of slices and streams.

use std::ops::ControlFlow;

use crate::node::{MOVE_WEIGHT, NodeRecord, Token, return_next_of_moves};
use crate::read::listener::{Listener, Listening};
use crate::read::pull::{Puller, Queue};
use crate::read::visit::{Visiting, Visitor};
use crate::syntax::error::SyntaxError;
use crate::syntax::event::Event;
use crate::syntax::flow::Flow;
use crate::syntax::tokenizer::{Outcome, Sink, Tokenizer};

/// A source of bytes for a pull reader.
pub(crate) trait ByteSource {
    type Error: From<SyntaxError>;

    /// Returns all bytes if they are in memory. Otherwise the bytes of moves are borrowed from copies.
    fn input(&self) -> Option<&[u8]>;

    /// Runs the tokenizer over the next bytes.
    fn run(&mut self, tokenizer: &mut Tokenizer, sink: &mut impl Sink) -> Result<Outcome, Self::Error>;

    /// Returns the bytes of an event of the last run, unless the tokenizer has them.
    fn bytes(&mut self, at: u64, len: usize) -> Result<Option<&[u8]>, Self::Error>;
}

/// A sink that sends events to a handler until it breaks. It owns the handler: behind a reference, the handler's
/// counters could not stay in registers.
struct EachEvent<F, T> {
    handler: F,
    answer: Option<T>,
    /// Offset of the last event after which the tokenizer may have stopped.
    at: Option<u64>,
}

impl<F, T> Sink for EachEvent<F, T>
where
    F: FnMut(Event<'_>, u64) -> ControlFlow<T>,
{
    #[inline(always)]
    fn event(&mut self, event: Event<'_>, at: u64) -> Flow {
        match (self.handler)(event, at) {
            ControlFlow::Continue(()) => {
                if matches!(event, Event::EndTree) {
                    self.at = Some(at);
                }
                Flow::Continue
            }
            ControlFlow::Break(answer) => {
                (self.answer, self.at) = (Some(answer), Some(at));
                Flow::Break
            }
        }
    }
}

/// A pull reader: events, nodes and games from a source of bytes.
#[derive(Debug)]
pub(crate) struct PullReader<B> {
    pub(crate) puller: Puller,
    pub(crate) source: B,
}

impl<B: ByteSource> PullReader<B> {
    pub(crate) fn new(tokenizer: Tokenizer, listener: Listener, source: B) -> Self {
        PullReader { puller: Puller::new(tokenizer, listener, source.input().is_none()), source }
    }

    /// Returns the next event, or `None` at the end of the data.
    #[inline(always)]
    pub(crate) fn next_event(&mut self) -> Result<Option<Event<'_>>, B::Error> {
        return_next_of_moves!(
            self.puller.queue.moves,
            self.source.input().unwrap_or(&self.puller.queue.copies),
            event => Ok(Some(event))
        );
        let token = match self.puller.pop() {
            Some(token) => token,
            None => match self.refill()? {
                Some(token) => token,
                None => return Ok(None),
            },
        };
        let len = if token.has_bytes() { token.len } else { 0 };
        let bytes = match self.source.bytes(token.bytes_at(), len)? {
            Some(bytes) => bytes,
            None => self.puller.tokenizer.held_ident(),
        };
        Ok(Some(token.event(bytes)))
    }

    /// Reads the next node into a record; returns false at the end. Its bytes are in `input`, if given.
    pub(crate) fn read_node<'i>(
        &mut self,
        record: &mut NodeRecord<'i>,
        input: Option<&'i [u8]>,
    ) -> Result<bool, B::Error> {
        let mut starts_tree = false;
        loop {
            match self.next_event()? {
                Some(Event::Node) => break,
                Some(Event::StartTree) => starts_tree = true,
                Some(_) => {}
                None => {
                    record.start(self.puller.offset());
                    return Ok(false);
                }
            }
        }
        record.begin(input, self.puller.offset(), self.puller.depth(), starts_tree);
        let limit = self.puller.tokenizer.max_node_len();
        let Queue { moves, copies, .. } = &mut self.puller.queue;
        if limit >= MOVE_WEIGHT
            && let Some(node) = moves.rest_of_node(self.source.input().unwrap_or(copies))
        {
            record.take_move(node);
        }
        loop {
            while self.puller.queue.is_empty() && self.puller.is_reading() {
                self.fill()?;
            }
            if !self.puller.queue.stays_in_node() {
                return Ok(true);
            }
            let at = self.puller.next_at();
            let Some(event) = self.next_event()? else { return Ok(true) };
            let end = Token::new(event, at).end();
            if !record.take_up_to(limit, event, at) {
                let fault = self.puller.node_is_full(end)?;
                self.puller.queue.listener.report(fault);
            }
        }
    }

    /// Sends the remaining events to a handler until it breaks.
    pub(crate) fn for_each_event<T>(
        &mut self,
        mut handler: impl FnMut(Event<'_>, u64) -> ControlFlow<T>,
    ) -> Result<ControlFlow<T>, B::Error> {
        while !self.puller.queue.is_empty() {
            let Some(event) = self.next_event()? else { break };
            let event = event.to_owned();
            if let ControlFlow::Break(answer) = handler(event.borrow(), self.puller.offset()) {
                return Ok(ControlFlow::Break(answer));
            }
        }
        if !self.puller.is_reading() {
            return Ok(ControlFlow::Continue(()));
        }
        let Puller { tokenizer, queue, .. } = &mut self.puller;
        queue.rewind();
        let mut sink = Listening { sink: EachEvent { handler, answer: None, at: None }, listener: &queue.listener };
        let outcome = loop {
            match self.source.run(tokenizer, &mut sink) {
                Ok(Outcome::NeedMore) => {}
                outcome => break outcome,
            }
        };
        let EachEvent { answer, at, .. } = sink.sink;
        self.puller.passed_on(at);
        self.puller.settle(outcome?)?;
        Ok(answer.map_or(ControlFlow::Continue(()), ControlFlow::Break))
    }

    /// Reads the next game with a visitor; `None` at the end. Skips the rest of an open game first.
    pub(crate) fn read_game<V: Visitor>(&mut self, visitor: &mut V) -> Result<Option<V::Output>, B::Error> {
        let (mut reading, _) = self.puller.resume();
        if reading && self.puller.depth() > 0 {
            self.skip_game()?;
            reading = self.puller.is_reading();
        }
        let mut output = None;
        if reading {
            let Puller { tokenizer, queue, .. } = &mut self.puller;
            let mut visiting = Visiting::new(visitor);
            let sink = visiting.results(|game, _| {
                output = Some(game);
                Flow::Break
            });
            let mut sink = Listening { sink, listener: &queue.listener };
            let outcome = loop {
                match self.source.run(tokenizer, &mut sink) {
                    Ok(Outcome::NeedMore) => {}
                    outcome => break outcome,
                }
            };
            self.puller.visited();
            self.puller.settle(outcome?)?;
        }
        Ok(output)
    }

    /// Skips the rest of the open game, or else the next game. Returns false at the end.
    pub(crate) fn skip_game(&mut self) -> Result<bool, B::Error> {
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
        let outcome = self.fill();
        if outcome.is_err() {
            self.puller.tokenizer.unskip_game();
        }
        Ok(outcome? == Outcome::Stopped)
    }

    /// Runs the tokenizer until the sink stops it; returns false if the data ends first.
    pub(crate) fn drive(&mut self, sink: &mut impl Sink) -> Result<bool, B::Error> {
        let outcome = loop {
            match self.source.run(&mut self.puller.tokenizer, sink)? {
                Outcome::NeedMore => {}
                outcome => break outcome,
            }
        };
        self.puller.settle(outcome)?;
        Ok(outcome == Outcome::Stopped)
    }

    /// Runs the tokenizer until there are events, or a skipped game is over.
    fn fill(&mut self) -> Result<Outcome, B::Error> {
        let Puller { tokenizer, queue, .. } = &mut self.puller;
        queue.rewind();
        let outcome = loop {
            let outcome = self.source.run(tokenizer, queue)?;
            if outcome != Outcome::NeedMore || !queue.is_empty() {
                break outcome;
            }
        };
        self.puller.settle(outcome)?;
        Ok(outcome)
    }

    /// Fills the queue and returns its first event.
    #[cold]
    #[inline(never)]
    pub(crate) fn refill(&mut self) -> Result<Option<Token>, B::Error> {
        while self.puller.is_reading() {
            // It may have stopped after a game whose skipping an I/O error had interrupted.
            if self.fill()? != Outcome::Stopped || !self.puller.queue.is_empty() {
                break;
            }
        }
        Ok(self.puller.pop())
    }
}
