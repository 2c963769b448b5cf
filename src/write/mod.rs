//! Writing: events to bytes.
//!
//! A [`Writer`] takes what a reader gives, or what you make, and writes SGF.
//!
//! ```
//! use sgf_stream::{Event, Parser};
//! use sgf_stream::write::Writer;
//!
//! // Without the names of the players, and nothing else changed.
//! let archive = b"(;FF[4] PB[Shusaku] PW[Gennan]\n;B[qd];W[dc])";
//! let mut writer = Writer::new(Vec::new());
//! let mut is_name = false;
//! for event in Parser::new().slice(archive) {
//!     let event = event?;
//!     is_name = match event {
//!         Event::Property(ident) => ident == "PB" || ident == "PW",
//!         Event::Value(_) => is_name,
//!         _ => false,
//!     };
//!     if !is_name {
//!         writer.write(event)?;
//!     }
//! }
//! assert_eq!(writer.finish()?, b"(;FF[4];B[qd];W[dc])\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Exact style
//!
//! [`Writer::new`]: identifiers and raw values go out byte for byte, those of private properties
//! like all others; what is between them (white space, junk) does not. Reading the output gives the
//! events that went in.
//!
//! Byte for byte gives way in one case: where a value would not end at its end. A reader that
//! repairs gives values which no reader would read like this, and so may a program:
//!
//! | raw value | goes out as |
//! |---|---|
//! | `Foo [3d]`, with a bare `]` | `Foo [3d\]` |
//! | `half \`, whose backslash would hide the `]` | `half \\` |
//! | in a charset with two-byte characters, a text that ends in the first half of one, to which the `]` would be the second | with a blank behind it |
//! | the parts of a value whose `]` was missing ([`PartEnd::Cut`](crate::PartEnd::Cut)) | with a `]` |
//!
//! In Shift_JIS, Big5, GBK and GB18030, from the root's `CA` on, a `]` or `\` that is the second byte
//! of a character is left alone: writer and parser share what they know of that.
//!
//! Strict mode accepts the output (within its limits), if the events came from strict mode. What it
//! does not accept is the spelling of old identifiers (`CoPyright`, and `P0` of some programs),
//! which this style keeps.

mod error;
mod escape;
mod order;
mod output;

use std::io::{self, Write};

pub use self::error::WriteError;
#[cfg(feature = "serde")]
pub(crate) use self::escape::is_sound;
use self::order::{Order, Place};
use self::output::Output;
use crate::event::{Event, Ident, PartEnd, ValuePart};
use crate::value::Text;

/// Writes events as SGF: see the [module](self).
///
/// It has a buffer of its own, which is flushed by [`finish`](Self::finish) and on drop (where
/// errors go unseen).
///
/// Events come in the order in which readers give them. An event that cannot stand where it comes is
/// refused, and nothing is written of it; the next one may be right again. So whatever the events,
/// what has been written up to any point is the start of sound SGF, and the whole of what was
/// written when [`finish`](Self::finish) succeeds is sound SGF.
///
/// ```
/// use sgf_stream::write::{WriteError, Writer};
///
/// let mut writer = Writer::new(Vec::new());
/// writer.start_tree()?.node()?.property("FF")?.value("4")?.property("C")?.text(r"[\]")?;
/// writer.node()?.property("B")?.value("dd")?;
/// assert!(writer.end_tree()?.node().is_err());
/// assert_eq!(writer.finish()?, br"(;FF[4]C[[\\\]];B[dd])
/// ");
/// # Ok::<(), WriteError>(())
/// ```
#[derive(Debug)]
pub struct Writer<W: Write> {
    order: Order,
    output: Output<W>,
    /// A property whose first value has not come.
    ident: Vec<u8>,
}

impl<W: Write> Writer<W> {
    /// A writer in exact style.
    pub fn new(writer: W) -> Self {
        Writer { order: Order::START, output: Output::new(writer), ident: Vec::new() }
    }

    /// Writes an event.
    ///
    /// # Errors
    ///
    /// If it cannot follow the one before, or is a property whose identifier is none; then nothing
    /// changes. If it cannot be written.
    pub fn write(&mut self, event: Event<'_>) -> Result<(), WriteError> {
        let place = self.order.behind(event)?;
        let before = self.order.place;
        self.order.follow(event, place);
        let depth = self.order.depth;
        match event {
            Event::StartTree => {} // goes out with its first node
            Event::Node if before == Place::Tree => self.output.tree(depth == 1)?,
            Event::Node => self.output.node()?,
            Event::Property(ident) => {
                self.ident.clear();
                self.ident.extend_from_slice(ident.as_bytes());
            }
            Event::Value(value) => self.part(before, ValuePart { bytes: value.as_bytes(), end: PartEnd::Complete })?,
            Event::ValuePart(part) => self.part(before, part)?,
            Event::EndTree => self.output.end_tree(depth == 0)?,
        }
        Ok(())
    }

    fn part(&mut self, before: Place, part: ValuePart<'_>) -> io::Result<()> {
        let ident = (before == Place::Property).then(|| Ident::new(&self.ident));
        self.output.value(ident, part)
    }

    /// Writes [`Event::StartTree`]: a game begins, or a variation.
    ///
    /// # Errors
    ///
    /// See [`write`](Self::write).
    pub fn start_tree(&mut self) -> Result<&mut Self, WriteError> {
        self.write(Event::StartTree)?;
        Ok(self)
    }

    /// Writes [`Event::Node`].
    ///
    /// # Errors
    ///
    /// See [`write`](Self::write).
    pub fn node(&mut self) -> Result<&mut Self, WriteError> {
        self.write(Event::Node)?;
        Ok(self)
    }

    /// Writes [`Event::Property`]. At least one value has to follow.
    ///
    /// # Errors
    ///
    /// See [`write`](Self::write).
    pub fn property(&mut self, ident: &str) -> Result<&mut Self, WriteError> {
        self.write(Event::Property(Ident::new(ident.as_bytes())))?;
        Ok(self)
    }

    /// Writes [`Event::Value`]: a raw value, as it stands between the brackets. That is a
    /// [`RawValue`](crate::RawValue), what a typed value prints, or a literal such as `"dd"`; for
    /// texts there is [`text`](Self::text).
    ///
    /// # Errors
    ///
    /// See [`write`](Self::write).
    pub fn value(&mut self, raw: impl AsRef<[u8]>) -> Result<&mut Self, WriteError> {
        self.write(Event::Value(crate::RawValue::new(raw.as_ref())))?;
        Ok(self)
    }

    /// Writes a text as a value: what has to be escaped is escaped. White space other than blanks
    /// and line breaks, which SGF cannot hold, is converted as by [`Text::new`].
    ///
    /// # Errors
    ///
    /// See [`write`](Self::write).
    pub fn text(&mut self, text: &str) -> Result<&mut Self, WriteError> {
        self.value(Text::new(text).to_string())
    }

    /// Writes [`Event::EndTree`].
    ///
    /// # Errors
    ///
    /// See [`write`](Self::write).
    pub fn end_tree(&mut self) -> Result<&mut Self, WriteError> {
        self.write(Event::EndTree)?;
        Ok(self)
    }

    /// How many trees are open.
    pub fn depth(&self) -> usize {
        self.order.depth
    }

    /// The underlying writer, which may lack what is in the buffer.
    pub fn get_ref(&self) -> &W {
        self.output.get_ref()
    }

    /// Empties the buffer into the underlying writer, and flushes that.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn flush(&mut self) -> Result<(), WriteError> {
        Ok(self.output.flush()?)
    }

    /// Ends the output: flushes it, and gives the underlying writer back.
    ///
    /// # Errors
    ///
    /// If a game is open. If the output cannot be written.
    pub fn finish(mut self) -> Result<W, WriteError> {
        self.order.end()?;
        self.output.flush()?;
        Ok(self.output.into_inner()?)
    }
}
