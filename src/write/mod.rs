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
//! The [cookbook](crate::guide::cookbook) has programs to copy.
//!
//! # Exact style
//!
//! [`Writer::new`] writes identifiers and raw values byte for byte, including those of private properties. It does not
//! write what stands between them (white space, junk). Reading the output gives the events that were written.
//!
//! There is one exception: a value that would not end at its end, or in which a lenient reader would find the head of
//! another game. Such values come from readers that repair, or from programs:
//!
//! | raw value | written as |
//! |---|---|
//! | `Foo [3d]`, with a bare `]` | `Foo [3d\]` |
//! | `see (;GM[1`, which the `]` would make a head | `see (;GM\[1` |
//! | `see (;PB[x`, which what follows the value may make one | `see (;PB\[x` |
//! | `half \`, whose backslash would hide the `]` | `half \\` |
//! | in a charset with two-byte characters, a text that ends in the first half of one, whose second one the `]` would become | with a blank after it |
//! | the parts of a value whose `]` was missing ([`PartEnd::Cut`]) | with a `]` |
//!
//! In Shift_JIS, Big5, GBK and GB18030, from the root's `CA` on, a `]` or `\` that is the second byte
//! of a character needs no escape: writer and parser share the code that finds these characters.
//!
//! Strict mode accepts the output (within its limits), if the events came from strict mode. It does not accept old
//! spellings of identifiers (`CoPyright`, and `P0` of some programs), which this style keeps. Lenient mode reads the
//! same events, except for texts in which it finds other SGF ([`CutCharacter`](crate::Code::CutCharacter)).
//!
//! A variation that begins like a game (`(;GM[1]` within a game, after junk or with a missing `;`) would be a head too. It
//! gets 512 bytes of white space between its `(` and its `;`, so that no reader takes it for a head; its properties and
//! their order stay. (An `EventCodec` writes it unchanged: it does not buffer, since a peer may be waiting.)
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
//! # Canonical style
//!
//! [`Writer::canonical`] writes a game in FF\[4\] and in one form, whatever program it came from. It holds one node in
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
//!   their successors in FF\[4\] ([`convert`](crate::property::convert)); private ones stay, and nothing is dropped. A
//!   property that a node has twice becomes one, with the values of both. Different values of a Text (`C`) become one
//!   text, with a blank line between them. Where a property takes a single value, equal values become one; different
//!   ones stay, and readers take the first.
//! * An older property whose successor is in the node too joins it if that is a list (`L` and `LB`), or if both have the
//!   same value. Otherwise it stays: `KI[11]` beside `KM[6]`.
//! * A value that fits its type, strictly or as [programs write it](crate::property::Property::parse_lenient), is
//!   written in the [canonical form](crate::property::TypedValue) of the type, if that loses nothing. Escapes are
//!   resolved first: `DT[27.12.\1996]` is a date too, and so is one with an escape inside a character. Other texts stay,
//!   with exactly the escapes that they need. Values of unknown properties stay unchanged.
//! * A value of the root that tells another property is written as both, unless the root says otherwise:
//!   `HA[호선 - 6집 반 공제]` becomes `KM[6.5]HA[0]`, and `TM[10분40초3회]` becomes `TM[600]OT[3x40 byo-yomi]`. A komi in
//!   [hundredths](crate::value::Komi#komi-of-hundreds-of-points) is written in points if `RU` leaves one meaning.
//!   Game information in later nodes stays as it is, since it may contradict that of another node.
//! * The root has `FF[4]`, and its properties come in a fixed order: the format, the game, the players, the result, then
//!   all others in their old order.
//! * Texts stay in the charset of the game, and `CA` is not changed.
//! * Lines end before nodes, properties and values; after the root; and after each game. They never end inside a value,
//!   nor before a `(` within a game, which some readers would take for the start of the next one. Texts and variations
//!   that look like the head of a game are changed as in exact style.
//!
//! The output is a fixed point: read and written again, it is the same byte for byte. Strict mode accepts it (within its
//! limits). So identifiers with digits, which FF\[4\] does not allow, are [refused](WriteError::Ident). Nodes are not
//! split and moves not judged: a node may still mix setup and moves, or mark a move as both good and bad.

mod canonical;
#[cfg(feature = "rewrite")]
pub(crate) mod edit;
mod error;
mod escape;
#[cfg(all(feature = "charset", feature = "rewrite"))]
pub(crate) mod label;
mod order;
mod output;
#[cfg(feature = "rewrite")]
pub(crate) mod rewrite;

use std::io::Write;

use self::canonical::Canonical;
pub(crate) use self::canonical::united_in_ff4;
pub use self::error::WriteError;
#[cfg(feature = "serde")]
pub(crate) use self::escape::{break_heads, holds_head, is_sound};
pub(crate) use self::order::is_ident;
use self::order::{LastEventKind, Order};
use self::output::Output;
#[cfg(feature = "rewrite")]
pub use self::rewrite::{Change, Fate, Note, RewriteError, Rewriter, Rewritten, Step};
use crate::node::Moves;
use crate::syntax::event::{Event, Ident, PartEnd, ValuePart};
use crate::syntax::tokenizer::declared::Given;
use crate::value::Text;

/// Writes events as SGF: see the [module](self).
///
/// It has a buffer of its own, which is flushed by [`finish`](Self::finish) and on drop (which ignores errors).
///
/// Events come in the order in which readers send them. An event that cannot follow the previous one is refused and not
/// written; the next one may be accepted again. So at any point the output is the start of sound SGF, and when
/// [`finish`](Self::finish) succeeds, all of it is sound SGF.
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
        /// A property whose first value has not come.
        ident: Vec<u8>,
    },
    Canonical(Box<Canonical>),
}

impl<W: Write> Writer<W> {
    /// A writer in [exact style](self#exact-style).
    pub fn new(writer: W) -> Self {
        Writer::with(Output::new(writer))
    }

    fn with(output: Output<W>) -> Self {
        Writer { order: Order::START, output, style: Style::Exact { ident: Vec::new() } }
    }

    /// A writer in [canonical style](self#canonical-style), with lines of 80 bytes.
    pub fn canonical(writer: W) -> Self {
        let style = Style::Canonical(Box::new(Canonical::new()));
        Writer { order: Order::START, output: Output::new(writer).with_lines(canonical::WIDTH), style }
    }

    /// A writer in exact style without a buffer of its own, for output that is a buffer.
    #[cfg(feature = "codec")]
    pub(crate) fn unbuffered(writer: W) -> Self {
        Writer::with(Output::unbuffered(writer))
    }

    /// Sets the length of lines in canonical style, in bytes (default 80). `usize::MAX` puts each game on one line, except
    /// for the line breaks in its texts. Exact style ignores it.
    #[must_use]
    pub fn line_width(self, bytes: usize) -> Self {
        match self.style {
            Style::Exact { .. } => self,
            Style::Canonical(_) => Writer { output: self.output.with_lines(bytes), ..self },
        }
    }

    /// Sets the charset of the texts that are written, as [`Parser::charset`](crate::Parser::charset) does for texts that
    /// are read (default: the one that `CA` names). In a charset with two-byte characters, a `]` or `\` that is the second
    /// byte of one needs no escape. Nothing is detected, and nothing is decoded.
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

    /// Sets what is known of the charset of games, as a parser knows it.
    pub(crate) fn given(mut self, given: Given) -> Self {
        self.output.given = given;
        self
    }

    /// Sets the length of the longest node in canonical style, which holds one in memory: the bytes of its identifiers and
    /// values, and 32 more for each of them. Default: 16 MiB, as for
    /// [`Parser::max_node_len`](crate::Parser::max_node_len). A longer one is an error ([`WriteError::NodeTooLong`]).
    /// While a node is written, its canonical form takes up to ten times as much memory. Exact style ignores it.
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

    /// Writes an event. In canonical style a node is written at its end.
    ///
    /// # Errors
    ///
    /// If the event cannot follow the previous one, or is a property without a valid identifier; then nothing changes. If
    /// in canonical style the node becomes too long; then all later events are refused too. If the output cannot be
    /// written.
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

    /// Writes a run of moves: all its events, but faster.
    pub(crate) fn moves(&mut self, moves: Moves<'_>) -> Result<(), WriteError> {
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
        let after = self.order.after(event)?;
        if let (Style::Canonical(_), Event::Property(ident)) = (&self.style, event) {
            order::check_ff4(ident)?;
        }
        let before = std::mem::replace(&mut self.order.place, after);
        match event {
            Event::StartTree => self.order.depth += 1,
            Event::EndTree => self.order.depth -= 1,
            _ => {}
        }
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

    /// Writes [`Event::Property`]. At least one value must follow.
    ///
    /// # Errors
    ///
    /// See [`write`](Self::write).
    pub fn property(&mut self, ident: &str) -> Result<&mut Self, WriteError> {
        self.write(Event::Property(Ident::new(ident.as_bytes())))?;
        Ok(self)
    }

    /// Writes [`Event::Value`]: a raw value, as it stands between the brackets. Pass a [`RawValue`](crate::RawValue), the
    /// output of a typed value, or a literal such as `"dd"`. For texts use [`text`](Self::text).
    ///
    /// # Errors
    ///
    /// See [`write`](Self::write).
    pub fn value(&mut self, raw: impl AsRef<[u8]>) -> Result<&mut Self, WriteError> {
        self.write(Event::Value(crate::raw::RawValue::new(raw.as_ref())))?;
        Ok(self)
    }

    /// Writes a text as a value, and escapes what needs it. White space other than blanks and line breaks, which SGF cannot
    /// hold, is converted as by [`Text::new`].
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

    /// Number of open trees.
    pub fn depth(&self) -> usize {
        self.order.depth
    }

    /// The underlying writer. Some of the output may still be in the buffer.
    pub fn get_ref(&self) -> &W {
        self.output.get_ref()
    }

    /// The underlying writer.
    #[cfg(feature = "codec")]
    pub(crate) fn get_mut(&mut self) -> &mut W {
        self.output.get_mut()
    }

    /// Writes the buffer to the underlying writer, and flushes that. This does not write the open node in canonical style,
    /// nor, in either style, up to 512 bytes and a value that may still become the head of a game.
    ///
    /// # Errors
    ///
    /// If the output cannot be written.
    pub fn flush(&mut self) -> Result<(), WriteError> {
        Ok(self.output.flush()?)
    }

    /// Ends and flushes the output, and returns the underlying writer.
    ///
    /// # Errors
    ///
    /// If a game is open, or a node was too long. If the output cannot be written.
    pub fn finish(mut self) -> Result<W, WriteError> {
        self.check_len()?;
        self.order.end()?;
        self.output.flush()?;
        Ok(self.output.into_inner()?)
    }
}

/// The identifier to write before a value, if that is the first of its property.
fn first(before: LastEventKind, ident: &[u8]) -> Option<Ident<'_>> {
    (before == LastEventKind::Property).then(|| Ident::new(ident))
}
