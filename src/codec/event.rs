//! Events, owned.
//!
//! The tokenizer runs over what is in the buffer, and its events are queued as the offsets of their
//! bytes, as in the other pull readers ([`pull`](crate::read::pull)). The bytes stay in the buffer until the
//! events that they belong to have been given out.
//!
//! What runs once an event is `inline(always)`, into whoever drives the codec, and what is not answers
//! without an event: so the event stays in registers until the stream writes it to where its caller wants
//! it. Each copy in memory before that takes as long as all the rest.

use std::io;
use std::mem;

use bytes::buf::{BufMut, Writer as BufWriter};
use bytes::{Bytes, BytesMut};
use tokio_util::codec::{Decoder, Encoder};

use super::buffer::{Buffer, owned, word};
use crate::read::listener::Listener;
use crate::read::parser::Parser;
use crate::read::pull::{Puller, Queue, Token, return_next_of_moves};
use crate::syntax::error::SyntaxError;
use crate::syntax::event::{Event, OwnedEvent};
use crate::syntax::tokenizer::{Outcome, Tokenizer};
use crate::write::{WriteError, Writer};

/// A [`Decoder`] that gives events one by one, and an [`Encoder`] that takes them: for programs that
/// look at games as they arrive, however long these are.
///
/// Made by [`Parser::event_codec`]; [`Parser::event_stream`] makes a stream of events at once.
///
/// ```
/// use futures::StreamExt;
/// use sgf_stream::{OwnedEvent, Parser};
///
/// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
/// let mut events = Parser::new().event_stream(&b"(;FF[4]C[root];B[qd];W[dc])"[..]);
/// let mut nodes = Vec::new();
/// while let Some(event) = events.next().await {
///     if event?? == OwnedEvent::Node {
///         nodes.push(events.decoder().offset());
///     }
/// }
/// assert_eq!(nodes, [1, 14, 20]);
/// # Ok::<_, sgf_stream::Error>(())
/// # })?;
/// # Ok::<_, sgf_stream::Error>(())
/// ```
///
/// An item is an error in strict mode, if there is a fault: what is left of the game is passed over,
/// no ends of its trees come, and the next events are those of the next game. In either mode, if there
/// is no SGF data in the whole stream. In lenient mode a game that the end of the data cuts off is
/// closed, as by every reader, and a listener of the parser hears of it.
///
/// Memory is bounded by one value ([`Parser::max_value_len`]) and what is read at once. Long values are
/// split off the read buffer, others copied: an event keeps at most four times its own length alive.
///
/// # What an event costs
///
/// An item has 48 bytes, which go through every layer of the stream. A loop over `next` gets through an
/// archive at about a fifth of the speed of [`Parser::parse`], a combinator such as `fold` at a ninth. One or two
/// letters, which most events have, are not allocated. Where whole games fit into memory it is faster to
/// take them by a [`GameCodec`](super::GameCodec) and to read the events of each
/// [`Frame`](super::Frame::reader).
///
/// # Encoding
///
/// Events go out as a [`Writer`] in [exact style](crate::write#exact-style) writes them. An event that
/// cannot stand where it comes is refused, and leaves nothing behind.
///
/// ```
/// use futures::SinkExt;
/// use sgf_stream::codec::EventCodec;
/// use sgf_stream::write::WriteError;
/// use sgf_stream::{Event, Ident, RawValue};
/// use tokio_util::codec::FramedWrite;
///
/// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
/// let mut events = FramedWrite::new(Vec::new(), EventCodec::new());
/// events.send(Event::StartTree).await?;
/// events.send(Event::Node).await?;
/// assert!(events.send(Event::StartTree.to_owned()).await.is_ok());
/// assert!(events.send(Event::Value(RawValue::new(b"dd"))).await.is_err());
/// events.send(Event::Node).await?;
/// events.send(Event::Property(Ident::new(b"B"))).await?;
/// events.send(Event::Value(RawValue::new(b"dd"))).await?;
/// events.send(Event::EndTree).await?;
/// assert_eq!(events.encoder().open_trees(), 1); // it is not the end yet
/// events.send(Event::EndTree).await?;
/// assert_eq!(events.get_ref(), b"(;(;B[dd]))\n");
/// # Ok::<_, WriteError>(())
/// # })?;
/// # Ok::<_, WriteError>(())
/// ```
#[derive(Debug)]
pub struct EventCodec {
    puller: Puller,
    buffer: Buffer,
    /// Comes behind the events that are queued.
    fault: Option<SyntaxError>,
    /// Its output is empty between calls.
    writer: Writer<BufWriter<BytesMut>>,
}

impl EventCodec {
    /// A lenient codec with the default limits. [`Parser::event_codec`] makes others.
    pub fn new() -> Self {
        Parser::new().event_codec()
    }

    pub(crate) fn with(tokenizer: Tokenizer, listener: Listener) -> Self {
        EventCodec {
            puller: Puller::new(tokenizer, listener, true).keeping_errors(),
            buffer: Buffer::default(),
            fault: None,
            writer: Writer::unbuffered(BytesMut::new().writer()),
        }
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

    /// How many trees are open behind the last event. 0 between games.
    pub fn depth(&self) -> usize {
        self.puller.depth()
    }

    /// How many trees are open in what was encoded. Where it is 0 the output may end.
    pub fn open_trees(&self) -> usize {
        self.writer.depth()
    }

    #[inline(always)]
    fn next(&mut self, src: &mut BytesMut, eof: bool) -> Option<Result<OwnedEvent, SyntaxError>> {
        loop {
            if let Some(event) = self.next_of_moves() {
                return Some(Ok(event));
            }
            if let Some(token) = self.puller.pop() {
                return Some(Ok(self.event(token, src)));
            }
            if !self.refill(src, eof) {
                return self.fault.take().map(Err);
            }
        }
    }

    /// The next event of moves that are being given out: their bytes are in a table.
    #[inline(always)]
    fn next_of_moves(&mut self) -> Option<OwnedEvent> {
        let Queue { moves, copies, .. } = &mut self.puller.queue;
        return_next_of_moves!(moves, copies, event => Some(match event {
            Event::Property(ident) => OwnedEvent::Property(owned(ident.as_bytes())),
            Event::Value(value) => OwnedEvent::Value(owned(value.as_bytes())),
            _ => OwnedEvent::Node,
        }));
        None
    }

    /// Whether there are more events; if not, there may be a fault. It hands no event on itself: its caller
    /// would find that in memory.
    #[inline(never)]
    fn refill(&mut self, src: &mut BytesMut, eof: bool) -> bool {
        self.buffer.enter(src);
        while self.fault.is_none() {
            let (is_reading, _) = self.puller.resume();
            if !is_reading {
                self.buffer.release(src, self.buffer.end(src));
                return false;
            }
            let Puller { tokenizer, queue, .. } = &mut self.puller;
            self.buffer.release(src, tokenizer.offset());
            queue.rewind();
            let outcome = tokenizer.run(src, eof, queue).outcome;
            let has_events = !queue.is_empty();
            if outcome == Outcome::NeedMore && !has_events {
                self.buffer.release(src, tokenizer.offset());
                return false;
            }
            self.fault = self.puller.settle(outcome).err();
            if has_events {
                return true;
            }
        }
        false
    }

    /// The event, with its bytes.
    #[inline(always)]
    fn event(&mut self, token: Token, src: &mut BytesMut) -> OwnedEvent {
        if !token.has_bytes() {
            return token.owned(Bytes::new());
        }
        let start = token.bytes_at().wrapping_sub(self.buffer.at()) as usize;
        match src.get(start..start.wrapping_add(token.len)).and_then(word) {
            Some(word) => token.owned(Bytes::from_static(word)),
            None => token.owned(self.take(src, token.bytes_at(), token.len)),
        }
    }

    /// Bytes of an event.
    #[inline(never)]
    fn take(&mut self, src: &mut BytesMut, at: u64, len: usize) -> Bytes {
        if at >= self.buffer.at() {
            self.buffer.take(src, at, len)
        } else {
            // Behind its identifier came white space, and the buffer does not hold it any more.
            Bytes::copy_from_slice(self.puller.tokenizer.held_ident())
        }
    }
}

impl Default for EventCodec {
    fn default() -> Self {
        EventCodec::new()
    }
}

impl Decoder for EventCodec {
    type Item = Result<OwnedEvent, SyntaxError>;
    type Error = io::Error;

    #[inline(always)]
    fn decode(&mut self, src: &mut BytesMut) -> io::Result<Option<Self::Item>> {
        Ok(self.next(src, false))
    }

    fn decode_eof(&mut self, src: &mut BytesMut) -> io::Result<Option<Self::Item>> {
        Ok(self.next(src, true))
    }
}

impl Encoder<Event<'_>> for EventCodec {
    type Error = WriteError;

    fn encode(&mut self, event: Event<'_>, dst: &mut BytesMut) -> Result<(), WriteError> {
        mem::swap(self.writer.get_mut().get_mut(), dst);
        let written = self.writer.write(event).and_then(|()| self.writer.flush());
        mem::swap(self.writer.get_mut().get_mut(), dst);
        written
    }
}

impl Encoder<OwnedEvent> for EventCodec {
    type Error = WriteError;

    fn encode(&mut self, event: OwnedEvent, dst: &mut BytesMut) -> Result<(), WriteError> {
        self.encode(event.borrow(), dst)
    }
}
