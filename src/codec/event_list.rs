//! A codec of lists of events, one per read.

use std::io;

use bytes::{Buf, BytesMut};
use tokio_util::codec::{Decoder, Encoder};

use super::event::EventCodec;
use crate::node::{EventList, ListSize, Moves};
use crate::read::listener::{Listener, Listening};
use crate::read::parser::Parser;
use crate::syntax::error::SyntaxError;
use crate::syntax::event::Event;
use crate::syntax::flow::Flow;
use crate::syntax::tokenizer::{Outcome, Sink, Step, Tokenizer};
use crate::write::WriteError;

/// A [`Decoder`] that yields events in lists, and an [`Encoder`] that takes such lists.
///
/// Like an [`EventCodec`], it is for programs that process games of any length while they arrive, but it has the
/// speed of [`Parser::parse`] even through adapters and channels: an item is an [`EventList`] with the events of one
/// read and their offsets.
///
/// Created by [`Parser::event_list_codec`]; [`Parser::event_list_stream`] creates a stream of lists directly.
///
/// ```
/// use futures::{StreamExt, TryStreamExt};
/// use sgf_stream::node::EventList;
/// use sgf_stream::{Event, Parser};
///
/// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
/// let lists = Parser::new().event_list_stream(&b"(;FF[4]C[root];B[qd];W[dc])"[..]);
/// let nodes = |events: EventList| events.iter().filter(|(event, _)| *event == Event::Node).count();
/// let counts: Vec<usize> = lists.map(|list| list?.map_err(std::io::Error::other)).map_ok(nodes).try_collect().await?;
/// assert_eq!(counts.iter().sum::<usize>(), 3);
/// # Ok::<_, std::io::Error>(())
/// # })?;
/// # Ok::<_, std::io::Error>(())
/// ```
///
/// A list has at least one event. It ends when no more bytes have arrived or at half a megabyte, so possibly inside a
/// game. Concatenated, the lists equal the events of an [`EventCodec`].
///
/// Errors are items, and diagnostics go to the parser's callback, as with an [`EventCodec`]. In strict mode a syntax
/// error comes after the events before it, the rest of the game is skipped, and the next list starts with the next
/// game.
///
/// Memory is limited to one value ([`Parser::max_value_len`]), one read, and one list.
#[derive(Debug)]
pub struct EventListCodec {
    tokenizer: Tokenizer,
    listener: Listener,
    state: ListState,
    /// The size of the last list; the next one is probably similar.
    last: ListSize,
    encoder: EventCodec,
}

#[derive(Clone, Copy, Debug)]
enum ListState {
    Reading,
    /// After the last list: a syntax error.
    Fault(SyntaxError),
    Ended,
}

impl EventListCodec {
    /// Creates a lenient codec with the default limits. For others, use [`Parser::event_list_codec`].
    pub fn new() -> Self {
        Parser::new().event_list_codec()
    }

    pub(crate) fn with(tokenizer: Tokenizer, listener: Listener, encoder: EventCodec) -> Self {
        EventListCodec { tokenizer, listener, state: ListState::Reading, last: ListSize::default(), encoder }
    }

    /// Returns the byte offset of the first byte not yet read.
    ///
    /// The lists so far have the events before it.
    pub fn offset(&self) -> u64 {
        self.tokenizer.offset()
    }

    /// Returns the number of open trees after the last event.
    ///
    /// It is 0 between games and after an error.
    pub fn depth(&self) -> usize {
        match self.state {
            ListState::Fault(_) => 0,
            _ => self.tokenizer.depth(),
        }
    }

    /// Returns the charset detected at the start of the stream; see [`EventCodec::detected_charset`].
    ///
    /// [`Decoding::sniff`]: crate::charset::Decoding::sniff
    #[cfg(feature = "charset")]
    pub fn detected_charset(&self) -> Option<crate::charset::Charset> {
        self.tokenizer.detected()
    }

    /// Returns the number of open trees in the encoded output.
    ///
    /// The output may end if it is 0.
    pub fn open_trees(&self) -> usize {
        self.encoder.open_trees()
    }

    fn next(&mut self, src: &mut BytesMut, eof: bool) -> Option<Result<EventList, SyntaxError>> {
        loop {
            match self.state {
                ListState::Reading => {}
                ListState::Fault(fault) => {
                    self.tokenizer.resync();
                    self.state = if fault.is_final() { ListState::Ended } else { ListState::Reading };
                    return Some(Err(fault));
                }
                ListState::Ended => {
                    src.clear();
                    return None;
                }
            }
            let mut list = EventList::with_size(self.last);
            let mut sink = Listening { sink: &mut list, listener: &self.listener };
            let Step { consumed, outcome } = self.tokenizer.run(src, eof, &mut sink);
            src.advance(consumed);
            match outcome {
                Outcome::Failed => self.state = ListState::Fault(self.tokenizer.error()),
                Outcome::End => self.state = ListState::Ended,
                Outcome::NeedMore if list.is_empty() => return None,
                Outcome::NeedMore | Outcome::Stopped => {}
            }
            if !list.is_empty() {
                self.last = list.size();
                return Some(Ok(list));
            }
        }
    }
}

impl Sink for &mut EventList {
    #[inline(always)]
    fn event(&mut self, event: Event<'_>, at: u64) -> Flow {
        self.push(event, at);
        if self.room() == 0 { Flow::Break } else { Flow::Continue }
    }

    #[inline(always)]
    fn moves(&mut self, bytes: &[u8], lines: &[(u16, u16)], at: u64) -> Option<Flow> {
        self.push_moves(Moves::new(bytes, lines, at));
        Some(if self.room() == 0 { Flow::Break } else { Flow::Continue })
    }
}

impl Default for EventListCodec {
    fn default() -> Self {
        EventListCodec::new()
    }
}

impl Decoder for EventListCodec {
    type Item = Result<EventList, SyntaxError>;
    type Error = io::Error;

    fn decode(&mut self, src: &mut BytesMut) -> io::Result<Option<Self::Item>> {
        Ok(self.next(src, false))
    }

    fn decode_eof(&mut self, src: &mut BytesMut) -> io::Result<Option<Self::Item>> {
        Ok(self.next(src, true))
    }
}

/// Writes events, up to one that is not allowed in its position.
impl Encoder<&EventList> for EventListCodec {
    type Error = WriteError;

    fn encode(&mut self, events: &EventList, dst: &mut BytesMut) -> Result<(), WriteError> {
        events.iter().try_for_each(|(event, _)| self.encoder.encode(event, dst))
    }
}

/// Writes events, up to one that is not allowed in its position.
impl Encoder<EventList> for EventListCodec {
    type Error = WriteError;

    fn encode(&mut self, events: EventList, dst: &mut BytesMut) -> Result<(), WriteError> {
        self.encode(&events, dst)
    }
}
