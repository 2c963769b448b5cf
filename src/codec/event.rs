//! A codec of owned events.
//!
//! The tokenizer runs over the buffered bytes, and its events are queued as offsets of their
//! bytes, as in the other pull readers ([`pull`](crate::read::pull)). The bytes stay in the buffer until
//! their events have been returned.
//!
//! Code that runs once per event is `inline(always)`, into the caller that drives the codec, and all other code does
//! not return events: the event stays in registers until the stream writes it to its final location. Each copy in
//! memory before that costs as much as everything else.

use std::io;
use std::mem;

use bytes::buf::{BufMut, Writer as BufWriter};
use bytes::{Bytes, BytesMut};
use tokio_util::codec::{Decoder, Encoder};

use super::buffer::{Buffer, owned, word};
use crate::node::{Token, return_next_of_moves};
use crate::read::listener::Listener;
use crate::read::parser::Parser;
use crate::read::pull::{Puller, Queue};
use crate::syntax::error::SyntaxError;
use crate::syntax::event::{Event, OwnedEvent};
use crate::syntax::tokenizer::{Outcome, Tokenizer};
use crate::write::{WriteError, Writer};

/// A [`Decoder`] that yields single events, and an [`Encoder`] that takes them.
///
/// For programs that process games of any length while they arrive.
///
/// Created by [`Parser::event_codec`]; [`Parser::event_stream`] creates a stream of events directly.
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
/// An item is an error in two cases. In strict mode, after a syntax error: the rest of the game is skipped, without
/// the ends of its trees, and the next events are those of the next game. In both modes, if the whole stream has no
/// SGF data. In lenient mode, a game truncated by the end of the data is closed, as in every reader, and reported to
/// the parser's callback.
///
/// Memory is limited to one value ([`Parser::max_value_len`]) and one read. Long values are
/// split off the read buffer, others copied: an event keeps at most four times its own length alive.
///
/// # Cost per event
///
/// An item has 48 bytes, which pass through every layer of the stream. A loop over `next` reads a collection at about
/// a fifth of the speed of [`Parser::parse`], a combinator such as `fold` at a ninth. Payloads of one or two letters,
/// as most events have, are not allocated. An [`EventListCodec`](super::EventListCodec) yields the same events in
/// batches, several times faster.
///
/// # Encoding
///
/// Events are written unchanged, as in [exact copies](crate::write#exact-copy) of a [`Writer`]. An event that is not
/// allowed in its position is an error and writes nothing.
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
    /// The syntax error that follows the queued events.
    fault: Option<SyntaxError>,
    /// Its output is empty between calls.
    writer: Writer<BufWriter<BytesMut>>,
}

impl EventCodec {
    /// Creates a lenient codec with the default limits. For others, use [`Parser::event_codec`].
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

    /// Returns the byte offset of the last event (its `(`, `;`, identifier, `[` or `)`).
    pub fn offset(&self) -> u64 {
        self.puller.offset()
    }

    /// Returns the charset detected at the start of the stream, if [`Decoding::sniff`] is on.
    ///
    /// `None` before the first event, and if the first game is ASCII or has a byte-order mark or `CA`.
    ///
    /// [`Decoding::sniff`]: crate::charset::Decoding::sniff
    #[cfg(feature = "charset")]
    pub fn detected_charset(&self) -> Option<crate::charset::Charset> {
        self.puller.tokenizer.detected()
    }

    /// Returns the number of open trees after the last event; 0 between games.
    pub fn depth(&self) -> usize {
        self.puller.depth()
    }

    /// Returns the number of open trees in the encoded output.
    ///
    /// The output may end if it is 0.
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

    /// Returns the next event of the current move, with bytes from a table.
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

    /// Fills the queue and returns whether it has events; if not, a syntax error may be set. It does not return an
    /// event, because its caller would have to read that from memory.
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

    /// Converts a queued event.
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

    /// Returns the bytes of an event.
    #[inline(never)]
    fn take(&mut self, src: &mut BytesMut, at: u64, len: usize) -> Bytes {
        if at >= self.buffer.at() {
            self.buffer.take(src, at, len)
        } else {
            // White space followed the identifier, which the buffer no longer contains.
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
