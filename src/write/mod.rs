//! Writing: events to bytes.
//!
//! A [`Writer`] takes the events of a reader, or events of your own, and writes SGF.
//!
//! ```
//! use sgf_stream::{Event, Parser};
//! use sgf_stream::write::Writer;
//!
//! // Remove the names of the players, and change nothing else.
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
//! The cookbook of the guide (package `sgf-guide`) has programs to copy. A [`Splicer`] edits a file in place, white space and junk
//! included.
//!
//! # Exact copy
//!
//! [`Writer::new`] writes identifiers and raw values byte for byte, including those of private properties. White
//! space and junk between them are not written. Reading the output returns the events that were written.
//!
//! There is one exception: values that would not end at their closing bracket, or in which a lenient reader would detect
//! the start of another game. Such values come from readers that repair, or from programs:
//!
//! | raw value | written as |
//! |---|---|
//! | `Foo [3d]`, with a bare `]` | `Foo [3d\]` |
//! | `see (;GM[1`, which the `]` would turn into a game start | `see (;GM\[1` |
//! | `see (;PB[x`, which following values could turn into a game start | `see (;PB\[x` |
//! | `half \`, whose backslash would hide the `]` | `half \\` |
//! | text in a two-byte charset that ends with half a character (the `]` would complete it) | with a space after it |
//! | the parts of a value whose `]` was missing ([`PartEnd::Cut`]) | with a `]` |
//!
//! In Shift_JIS, Big5, GBK and GB18030, from the root's `CA` on, a `]` or `\` that is the second byte
//! of a character needs no escape: writer and parser share the code that finds these characters.
//!
//! Strict mode accepts the output (within its limits), if the events came from strict mode. It does not accept old
//! spellings of identifiers (`CoPyright`, and `P0` of some programs), which an exact copy keeps. Lenient mode reads the
//! same events, except for texts in which it finds other SGF ([`CutCharacter`](crate::Code::CutCharacter)).
//!
//! A variation that begins like a game (`(;GM[1]` within a game, after junk or with a missing `;`) would also look like a
//! game start. It gets 512 bytes of white space between its `(` and its `;`, so that no reader mistakes it for one; its
//! properties and their order are left unchanged. (An `EventCodec` writes it unchanged: it does not buffer, since a peer may be waiting.)
//!
//! ```
//! use sgf_stream::{Event, Parser};
//! use sgf_stream::write::Writer;
//!
//! let mut writer = Writer::new(Vec::new());
//! writer.start_tree()?.node()?.property("B")?.value("dd")?;
//! writer.start_tree()?.node()?.property("GM")?.value("1")?.end_tree()?.end_tree()?;
//! let written = writer.finish()?;
//! let games = Parser::new().slice(&written).filter(|event| matches!(event, Ok(Event::EndTree))).count();
//! assert!(games == 2 && Parser::strict().parse(&written, |_, _| {}).is_ok());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Canonical form
//!
//! [`Writer::canonical`] writes every game in FF\[4\] and in one form, regardless of the program that wrote it. It holds one node in
//! memory, of at most [`max_node_len`](Writer::max_node_len) bytes.
//!
//! ```
//! use sgf_stream::Parser;
//! use sgf_stream::write::Writer;
//!
//! let old = b"(;GaMe[1]SZ[019]PlayerBlack[Shu\\saku] DT[1846/9/11]RE[b+2];B[qd]L[dd][pp]C[a]C[b];W[tt])";
//! let mut writer = Writer::canonical(Vec::new());
//! for event in Parser::new().slice(old) {
//!     writer.write(event?)?;
//! }
//! assert_eq!(
//!     String::from_utf8(writer.finish()?)?,
//!     "(;FF[4]GM[1]SZ[19]DT[1846-09-11]PB[Shusaku]RE[B+2]\n;B[qd]LB[dd:A][pp:B]C[a\n\nb];W[])\n",
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! * Identifiers are written as [their name](crate::Ident::name). Properties of older versions and of dialects become
//!   their successors in FF\[4\]; private ones are kept, and nothing is dropped. A
//!   property that occurs twice in a node becomes one, with the values of both. Different values of a Text (`C`) become one
//!   text, with a blank line between them. If a property takes a single value, equal values become one; different
//!   values are kept, and readers use the first.
//! * If a node also has the successor of an older property, the two are joined if the successor is a list (`L` and
//!   `LB`), or if both have the same value. Otherwise both are kept: `KI[11]` beside `KM[6]`.
//! * A value that fits its type, strictly or as [programs write it](crate::property::Property::parse_lenient), is
//!   written in the [canonical form](crate::property::TypedValue) of the type, if that loses nothing. Escapes are
//!   resolved first: `DT[27.12.\1996]` is also a date, and so is one with an escape inside a character. Other texts are
//!   kept, with exactly the escapes that they need. Values of unknown properties are left unchanged.
//! * A root value that contains another property is written as both, unless the root contradicts it:
//!   `HA[호선 - 6집 반 공제]` becomes `KM[6.5]HA[0]`, and `TM[10분40초3회]` becomes `TM[600]OT[3x40 byo-yomi]`. A komi in
//!   [hundredths](crate::value::Komi#komi-of-hundreds-of-points) is written in points if it is unambiguous under
//!   `RU`. Game info in later nodes is left unchanged, because it may contradict that of another node.
//! * The root has `FF[4]`, and its properties come in a fixed order: the format, the game, the players, the result, then
//!   all others in their old order.
//! * Texts are kept in the charset of the game, and `CA` is not changed.
//! * Lines end before nodes, properties and values; after the root; and after each game. They never end inside a value,
//!   nor before a `(` within a game, which some readers would mistake for the start of the next game. Texts and
//!   variations that look like a game start are changed as in an exact copy.
//!
//! The output is a fixed point: reading and writing it again returns the same bytes. Strict mode accepts it (within its
//! limits). Identifiers with digits, which FF\[4\] does not allow, are therefore [rejected](WriteError::Ident). Nodes are
//! not split and moves are not checked: a node may still mix setup and moves, or mark a move as both good and bad.

mod canonical;
pub(crate) mod edit;
mod error;
mod escape;
pub(crate) mod order;
mod output;
mod splice;

use std::io::Write;

use self::canonical::Canonical;
pub(crate) use self::canonical::united_in_ff4;
pub use self::error::WriteError;
#[cfg(feature = "serde")]
pub(crate) use self::escape::{break_heads, holds_head, is_sound};
pub(crate) use self::order::is_ident;
use self::order::{LastEventKind, Order};
use self::output::Output;
#[doc(hidden)]
pub use self::output::keep_variations;
pub use self::splice::{SpliceError, Splicer};
use crate::node::Moves;
use crate::syntax::event::{Event, Ident, PartEnd, ValuePart};
use crate::syntax::tokenizer::declared::Given;
use crate::value::Text;

/// A writer of events as SGF: see the [module](self).
///
/// It has its own buffer, which [`finish`](Self::finish) flushes, and also drop (ignoring errors).
///
/// Events come in the order in which readers send them. An event that cannot follow the previous one is rejected and not
/// written; the next one may be accepted again. At any point the output is therefore the start of valid SGF, and when
/// [`finish`](Self::finish) succeeds, all of it is valid SGF.
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
    style: Style,
}

#[derive(Debug)]
enum Style {
    Exact {
        /// A property without a value so far.
        ident: Vec<u8>,
    },
    Canonical(Box<Canonical>),
}

impl<W: Write> Writer<W> {
    /// Creates a writer of an [exact copy](self#exact-copy).
    pub fn new(writer: W) -> Self {
        Writer::with(Output::new(writer))
    }

    fn with(output: Output<W>) -> Self {
        Writer { order: Order::START, output, style: Style::Exact { ident: Vec::new() } }
    }

    /// Creates a writer of the [canonical form](self#canonical-form), with lines of 80 bytes.
    pub fn canonical(writer: W) -> Self {
        let style = Style::Canonical(Box::new(Canonical::new()));
        Writer { order: Order::START, output: Output::new(writer).with_lines(canonical::WIDTH), style }
    }

    /// Creates a writer of an exact copy without its own buffer, for output that is a buffer.
    #[cfg(feature = "codec")]
    pub(crate) fn unbuffered(writer: W) -> Self {
        Writer::with(Output::unbuffered(writer))
    }

    /// Sets the maximum length of lines in canonical form, in bytes. Default: 80.
    ///
    /// `usize::MAX` puts each game on one line, except
    /// for the line breaks in its texts. Exact style ignores it.
    #[must_use]
    pub fn line_width(self, bytes: usize) -> Self {
        match self.style {
            Style::Exact { .. } => self,
            Style::Canonical(_) => Writer { output: self.output.with_lines(bytes), ..self },
        }
    }

    /// Sets the charset of the written texts. Default: the one that `CA` declares.
    ///
    /// [`Parser::charset`](crate::Parser::charset) does the same for texts that are read. In a charset with two-byte
    /// characters, a `]` or `\` that is the second byte of a character needs no escape. Nothing is detected or decoded.
    ///
    /// ```
    /// use sgf_stream::charset::{Charset, Decoding};
    /// use sgf_stream::write::{WriteError, Writer};
    ///
    /// let decoding = Decoding::new().default_charset(Charset::SHIFT_JIS);
    /// let mut writer = Writer::new(Vec::new()).charset(decoding);
    /// writer.start_tree()?.node()?.property("PB")?.value(b"\x83\x5C")?.end_tree()?;
    /// assert_eq!(writer.finish()?, b"(;PB[\x83\x5C])\n");
    /// # Ok::<(), WriteError>(())
    /// ```
    #[cfg(feature = "charset")]
    #[must_use]
    pub fn charset(self, decoding: crate::charset::Decoding) -> Self {
        self.given(decoding.given_to_tokenizer())
    }

    /// Sets the charset of games, as far as a parser knows it.
    #[doc(hidden)]
    #[must_use]
    pub fn given(mut self, given: Given) -> Self {
        self.output.given = given;
        self
    }

    /// Sets the maximum length of a node in canonical form. Default: 16 MiB.
    ///
    /// The length is the bytes of its identifiers and values plus 32 bytes for each of them, as for
    /// [`Parser::max_node_len`](crate::Parser::max_node_len). A longer node is an error ([`WriteError::NodeTooLong`]).
    /// One node is held in memory, and its canonical form takes up to ten times its length. An exact copy ignores the
    /// limit.
    ///
    /// ```
    /// use sgf_stream::write::{WriteError, Writer};
    ///
    /// let mut writer = Writer::canonical(Vec::new()).max_node_len(100);
    /// writer.start_tree()?.node()?.property("C")?;
    /// let error = writer.value("x".repeat(100)).unwrap_err();
    /// assert!(matches!(error, WriteError::NodeTooLong { limit: 100, property } if property == "C"));
    /// assert!(writer.node().is_err() && writer.get_ref().is_empty());
    /// # Ok::<(), WriteError>(())
    /// ```
    #[must_use]
    pub fn max_node_len(mut self, bytes: usize) -> Self {
        if let Style::Canonical(canonical) = &mut self.style {
            canonical.set_max_node_len(bytes);
        }
        self
    }

    /// Writes an event. In canonical form a node is written at its end.
    ///
    /// # Errors
    ///
    /// Fails if the event cannot follow the previous one, or is a property with an invalid identifier; the event is then
    /// ignored. Fails if the output cannot be written. In canonical form, also fails if the node becomes too long; all
    /// later events then fail as well.
    #[inline]
    pub fn write(&mut self, event: Event<'_>) -> Result<(), WriteError> {
        if let Style::Canonical(canonical) = &mut self.style
            && canonical.take_move(event, &mut self.output)?
        {
            self.order.place = match event {
                Event::Property(_) => LastEventKind::Property,
                Event::Value(_) => LastEventKind::Value,
                _ => LastEventKind::Node,
            };
            return Ok(());
        }
        self.write_any(event)
    }

    /// Writes the events of a run of moves, but faster.
    #[doc(hidden)]
    pub fn moves(&mut self, moves: Moves<'_>) -> Result<(), WriteError> {
        let may_follow = matches!(self.order.place, LastEventKind::Node | LastEventKind::Value);
        if let Style::Canonical(canonical) = &mut self.style
            && may_follow
            && canonical.take_moves(moves, &mut self.output)?
        {
            self.order.place = LastEventKind::Value;
            return Ok(());
        }
        moves.events().try_for_each(|(event, _)| self.write(event))
    }

    fn write_any(&mut self, event: Event<'_>) -> Result<(), WriteError> {
        self.check_len()?;
        let mut order = self.order;
        if !order.take(event) {
            return Err(order::unexpected(order.place, event));
        }
        if let Event::Property(ident) = event {
            order::check_ident(ident, matches!(self.style, Style::Canonical(_)))?;
        }
        let before = std::mem::replace(&mut self.order, order).place;
        let depth = self.order.depth;
        let Writer { output, style, .. } = self;
        match (style, event) {
            (Style::Exact { .. }, Event::StartTree) => {} // written with its first node
            (Style::Exact { .. }, Event::Node) => {
                let is_first = before == LastEventKind::Tree;
                if is_first {
                    output.tree(depth == 1)?;
                }
                output.node(is_first && depth == 1)?;
            }
            (Style::Exact { ident: held }, Event::Property(ident)) => {
                held.clear();
                held.extend_from_slice(ident.as_bytes());
            }
            (Style::Exact { ident }, Event::Value(value)) => {
                output.value(first(before, ident), ValuePart { bytes: value.as_bytes(), end: PartEnd::Complete })?;
            }
            (Style::Exact { ident }, Event::ValuePart(part)) => output.value(first(before, ident), part)?,
            (Style::Exact { .. }, Event::EndTree) => output.end_tree(depth == 0)?,

            (Style::Canonical(canonical), Event::StartTree) => canonical.end_node(output)?,
            (Style::Canonical(canonical), Event::Node) => {
                canonical.end_node(output)?;
                canonical.start(match before {
                    LastEventKind::Tree if depth == 1 => canonical::NodePlace::Root,
                    LastEventKind::Tree => canonical::NodePlace::Variation,
                    _ => canonical::NodePlace::Sequence,
                });
            }
            (Style::Canonical(canonical), Event::EndTree) => {
                canonical.end_node(output)?;
                output.end_tree(depth == 0)?;
            }
            (Style::Canonical(canonical), event) => canonical.push(event)?,
        }
        Ok(())
    }

    #[inline]
    fn check_len(&self) -> Result<(), WriteError> {
        match &self.style {
            Style::Canonical(canonical) => canonical.check_len(),
            Style::Exact { .. } => Ok(()),
        }
    }

    /// Writes [`Event::StartTree`]: the start of a game or a variation.
    ///
    /// # Errors
    ///
    /// Fails if [`write`](Self::write) does.
    pub fn start_tree(&mut self) -> Result<&mut Self, WriteError> {
        self.write(Event::StartTree)?;
        Ok(self)
    }

    /// Writes [`Event::Node`].
    ///
    /// # Errors
    ///
    /// Fails if [`write`](Self::write) does.
    pub fn node(&mut self) -> Result<&mut Self, WriteError> {
        self.write(Event::Node)?;
        Ok(self)
    }

    /// Writes [`Event::Property`]. At least one value must follow.
    ///
    /// # Errors
    ///
    /// Fails if [`write`](Self::write) does.
    pub fn property(&mut self, ident: &str) -> Result<&mut Self, WriteError> {
        self.write(Event::Property(Ident::new(ident.as_bytes())))?;
        Ok(self)
    }

    /// Writes [`Event::Value`]: a raw value, as it is between the brackets.
    ///
    /// Pass a [`RawValue`](crate::RawValue), the output of a typed value, or a literal such as `"dd"`. For texts use
    /// [`text`](Self::text).
    ///
    /// # Errors
    ///
    /// Fails if [`write`](Self::write) does.
    pub fn value(&mut self, raw: impl AsRef<[u8]>) -> Result<&mut Self, WriteError> {
        self.write(Event::Value(crate::raw::RawValue::new(raw.as_ref())))?;
        Ok(self)
    }

    /// Writes a text as a value, with the necessary escapes.
    ///
    /// White space other than spaces and line breaks, which SGF cannot represent, is converted as in [`Text::new`].
    ///
    /// # Errors
    ///
    /// Fails if [`write`](Self::write) does.
    pub fn text(&mut self, text: &str) -> Result<&mut Self, WriteError> {
        self.value(Text::new(text).to_string())
    }

    /// Writes [`Event::EndTree`].
    ///
    /// # Errors
    ///
    /// Fails if [`write`](Self::write) does.
    pub fn end_tree(&mut self) -> Result<&mut Self, WriteError> {
        self.write(Event::EndTree)?;
        Ok(self)
    }

    /// Returns the number of open trees.
    pub fn depth(&self) -> usize {
        self.order.depth
    }

    /// Returns the underlying writer. Some of the output may still be in the buffer.
    pub fn get_ref(&self) -> &W {
        self.output.get_ref()
    }

    /// Returns the underlying writer.
    #[cfg(feature = "codec")]
    pub(crate) fn get_mut(&mut self) -> &mut W {
        self.output.get_mut()
    }

    /// Writes the buffer to the underlying writer, and flushes that.
    ///
    /// In canonical form the open node is not written. In both forms, neither are the last 512 bytes and a value that may
    /// still look like a game start.
    ///
    /// # Errors
    ///
    /// Fails if the output cannot be written.
    pub fn flush(&mut self) -> Result<(), WriteError> {
        Ok(self.output.flush()?)
    }

    /// Ends and flushes the output, and returns the underlying writer.
    ///
    /// # Errors
    ///
    /// Fails if a game is open, if a node was too long, or if the output cannot be written.
    pub fn finish(mut self) -> Result<W, WriteError> {
        self.check_len()?;
        self.order.end()?;
        self.output.flush()?;
        Ok(self.output.into_inner()?)
    }
}

/// Returns the identifier to write before a value, if that is the first of its property.
fn first(before: LastEventKind, ident: &[u8]) -> Option<Ident<'_>> {
    (before == LastEventKind::Property).then(|| Ident::new(ident))
}
