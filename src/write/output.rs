//! Writes lexemes as bytes: escapes values so that they end at their end, and breaks lines. The order of events is checked
//! in [`order`](super::order).

use std::io::{self, BufWriter, Write};

use super::escape::{Escape, break_heads};
use crate::raw::two_byte::{MAX_LABEL, TwoByte};
use crate::syntax::event::{Ident, PartEnd, ValuePart};
use crate::syntax::tokenizer::declared::{Declared, Given};
use crate::syntax::tokenizer::head::{Follows, HeadScan, may_begin};
use crate::work;

/// White space of 512 bytes. A `(` with so much before its `;` is not a head, because a head is not that long.
const PADDING: [[u8; 64]; 8] = [*b"                                                               \n"; 8];

/// Keeps variations from being read as other games.
///
/// `variations`: the indices of their `(`, in ascending order. Where a lenient reader would take one for the start of a game,
/// white space is inserted after it. For tools of this workspace.
#[doc(hidden)]
pub fn keep_variations(written: &mut Vec<u8>, variations: &[usize]) {
    let is_head = |bytes: &[u8]| may_begin(bytes) && HeadScan::start().look(bytes, Follows::End) == Some(true);
    let is_head = |at: &usize| written.get(*at..).is_some_and(is_head);
    let heads: Vec<usize> = variations.iter().copied().filter(is_head).collect();
    if heads.is_empty() {
        return;
    }
    let padding = PADDING.as_flattened();
    let (mut kept, mut from) = (Vec::with_capacity(written.len() + heads.len() * padding.len()), 0);
    for head in heads {
        kept.extend_from_slice(&written[from..=head]);
        kept.extend_from_slice(padding);
        from = head + 1;
    }
    kept.extend_from_slice(&written[from..]);
    work::note(kept.len());
    *written = kept;
}

#[derive(Debug)]
pub(super) struct Output<W: Write> {
    out: BufWriter<W>,
    /// The start of a variation, held back until it is known whether a lenient reader would take it for the head of
    /// another game.
    start: Option<Start>,
    /// Nothing is held back, since a reader may be waiting.
    is_live: bool,
    /// The caller's word on charsets.
    pub(super) given: Given,
    /// The charset that the open game declares.
    declared: Declared,
    /// The escaping of a value that is written in parts.
    open: Option<Escape>,
    /// The value that names the charset, as far as it was written.
    label: Vec<u8>,
    /// The bytes that are written next and belong together, such as `;`, an identifier and a value.
    piece: Vec<u8>,
    /// The line may end before the piece.
    may_break: bool,
    lines: Option<Lines>,
}

#[derive(Debug)]
struct Start {
    bytes: Vec<u8>,
    scan: HeadScan,
}

/// The width of lines, and the place in the current one, in bytes.
#[derive(Clone, Copy, Debug)]
struct Lines {
    width: usize,
    column: usize,
}

impl<W: Write> Output<W> {
    pub(super) fn new(writer: W) -> Self {
        Output::with(BufWriter::new(writer))
    }

    #[cfg(feature = "codec")]
    pub(super) fn unbuffered(writer: W) -> Self {
        Output { is_live: true, ..Output::with(BufWriter::with_capacity(0, writer)) }
    }

    fn with(out: BufWriter<W>) -> Self {
        Output {
            out,
            start: None,
            is_live: false,
            given: Given::Nothing,
            declared: Declared::Nothing,
            open: None,
            label: Vec::new(),
            piece: Vec::new(),
            may_break: false,
            lines: None,
        }
    }

    /// Sets the length of lines, which pieces may exceed. Lines never end before a `(` inside a game: at the start of a
    /// line, some readers would take it for the start of the next game.
    pub(super) fn with_lines(self, width: usize) -> Self {
        Output { lines: Some(Lines { width, column: 0 }), ..self }
    }

    pub(super) fn get_ref(&self) -> &W {
        self.out.get_ref()
    }

    #[cfg(feature = "codec")]
    pub(super) fn get_mut(&mut self) -> &mut W {
        self.out.get_mut()
    }

    /// Flushes the output, except for the start of a variation and the end of a part of a value that may be heads.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        if self.open.is_none() {
            self.end_piece()?;
        }
        self.out.flush()
    }

    pub(super) fn into_inner(self) -> io::Result<W> {
        self.out.into_inner().map_err(io::IntoInnerError::into_error)
    }

    /// Returns the charset of the next values, if it has two-byte characters.
    pub(super) fn charset(&self) -> Option<TwoByte> {
        self.declared.two_byte()
    }

    /// Returns the charset of the value of `CA` itself, if it has two-byte characters.
    pub(super) fn charset_of_label(&self) -> Option<TwoByte> {
        Declared::start(self.given).two_byte()
    }

    /// Returns the charset of a game whose `CA` is this, if it has two-byte characters.
    pub(super) fn charset_of(&self, label: Option<TwoByte>, has_label: bool) -> Option<TwoByte> {
        match self.given {
            Given::Forced(charset) => charset,
            Given::Default(charset) if !has_label => Some(charset),
            _ => label,
        }
    }

    /// Writes `(`. The first node of the tree follows.
    pub(super) fn tree(&mut self, is_game: bool) -> io::Result<()> {
        self.end_piece()?;
        if is_game {
            self.declared = Declared::start(self.given);
        } else {
            self.declared.leave_root();
        }
        self.piece.push(b'(');
        self.may_break = false;
        if is_game {
            return Ok(());
        }
        self.decide_start(Follows::End)?; // a `(` follows
        if !self.is_live {
            self.start = Some(Start { bytes: Vec::new(), scan: HeadScan::start() });
        }
        self.end_piece()
    }

    /// Writes `;`.
    pub(super) fn node(&mut self, is_root: bool) -> io::Result<()> {
        if !is_root {
            self.end_piece()?;
            self.declared.leave_root();
            self.may_break = true;
        }
        self.piece.push(b';');
        Ok(())
    }

    /// Writes a node without line breaks, in which no value needs an escape.
    #[inline]
    pub(super) fn plain_node(&mut self, node: &[u8]) -> io::Result<()> {
        self.end_piece()?;
        self.declared.leave_root();
        if let Some(Lines { width, column }) = &mut self.lines {
            let end = column.saturating_add(node.len());
            if *column > 0 && end > *width {
                *column = node.len();
                self.put(b"\n")?;
            } else {
                *column = end;
            }
        }
        self.may_break = true;
        self.put(node)
    }

    /// Writes nodes of this length as [`plain_node`](Self::plain_node) does, as many to a line as fit.
    pub(super) fn plain_nodes(&mut self, mut nodes: &[u8], len: usize) -> io::Result<()> {
        while !nodes.is_empty() {
            self.end_piece()?;
            let room = match self.lines {
                Some(Lines { width, column }) => width.saturating_sub(column) / len * len,
                None => nodes.len(),
            };
            let (line, rest) = nodes.split_at(room.clamp(len, nodes.len()));
            self.plain_node(line)?;
            nodes = rest;
        }
        Ok(())
    }

    /// Writes `)`. After a game the line ends.
    pub(super) fn end_tree(&mut self, is_game: bool) -> io::Result<()> {
        if self.piece.is_empty() {
            self.may_break = false;
        }
        self.piece.extend_from_slice(if is_game { b")\n" } else { b")" });
        self.end_piece()?;
        // What may follow is another game, whose first value has a `[`: that makes no head of a text that is still open
        // for a reader who does not know its charset.
        if is_game { self.decide_start(Follows::End) } else { Ok(()) }
    }

    /// Writes a value or a part of one, after the identifier if it is the first of a property.
    pub(super) fn value(&mut self, ident: Option<Ident<'_>>, part: ValuePart<'_>) -> io::Result<()> {
        if let Some(ident) = ident {
            self.declared.note_ident(ident.as_bytes());
            self.piece.extend_from_slice(ident.as_bytes());
        }
        // If a value is open, the piece is its end that may become a head.
        let (mut escape, start) = match self.open.take() {
            Some(escape) => (escape, 0),
            None => {
                self.piece.push(b'[');
                (Escape::new(self.declared.two_byte()), self.piece.len())
            }
        };
        escape.part(part.bytes, &mut self.piece);
        let is_last = part.end != PartEnd::More;
        if is_last {
            escape.end(&mut self.piece);
            self.piece.push(b']');
        }
        let done = break_heads(&mut self.piece, start, is_last);
        if self.declared.is_label_next() {
            let room = MAX_LABEL + 1 - self.label.len(); // one more than a label has is none
            let end = done - usize::from(is_last);
            self.label.extend(self.piece[start..end].iter().take(room));
            if is_last {
                self.declared.note_label(&self.label);
                self.label.clear();
            }
        }
        let rest = self.piece.split_off(done);
        self.end_piece()?;
        self.may_break = is_last;
        if !is_last {
            self.piece = rest;
            self.open = Some(escape);
        }
        Ok(())
    }

    /// Writes a value that needs no escape, after the identifier if it is the first of a property.
    pub(super) fn sound_value(&mut self, ident: Option<Ident<'_>>, value: &[u8]) -> io::Result<()> {
        if let Some(ident) = ident {
            self.declared.note_ident(ident.as_bytes());
            self.piece.extend_from_slice(ident.as_bytes());
        }
        debug_assert!(!self.declared.is_label_next(), "the value of CA is written by `value`");
        self.piece.push(b'[');
        self.piece.extend_from_slice(value);
        self.piece.push(b']');
        self.end_piece()?;
        self.may_break = true;
        Ok(())
    }

    /// Ends the line if the next `len` bytes do not fit into it, and would fit into a line of their own. Call it only
    /// between nodes, properties and values.
    pub(super) fn keep_together(&mut self, len: usize) -> io::Result<()> {
        self.end_piece()?;
        match self.lines {
            Some(Lines { width, column }) if len <= width && column.saturating_add(len) > width => self.break_line(),
            _ => Ok(()),
        }
    }

    /// Ends the line, unless it is empty. Call it only between nodes, properties and values.
    pub(super) fn break_line(&mut self) -> io::Result<()> {
        self.end_piece()?;
        match &mut self.lines {
            Some(lines) if lines.column > 0 && lines.width < usize::MAX => {
                lines.column = 0;
                self.put(b"\n")
            }
            _ => Ok(()),
        }
    }

    /// Writes the piece.
    #[inline]
    fn end_piece(&mut self) -> io::Result<()> {
        if self.piece.is_empty() { Ok(()) } else { self.write_piece() }
    }

    fn write_piece(&mut self) -> io::Result<()> {
        let mut piece = std::mem::take(&mut self.piece);
        if let Some(Lines { width, mut column }) = self.lines {
            let first = memchr::memchr(b'\n', &piece);
            if self.may_break && column > 0 && column.saturating_add(first.unwrap_or(piece.len())) > width {
                self.put(b"\n")?;
                column = 0;
            }
            column = match first.and_then(|_| memchr::memrchr(b'\n', &piece)) {
                Some(last) => piece.len() - last - 1,
                None => column + piece.len(),
            };
            self.lines = Some(Lines { width, column });
        }
        self.put(&piece)?;
        piece.clear();
        self.piece = piece;
        self.may_break = false;
        Ok(())
    }

    /// Writes bytes, or holds them back with the start of their variation.
    #[inline]
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.start {
            None => self.out.write_all(bytes),
            Some(start) => {
                start.bytes.extend_from_slice(bytes);
                self.decide_start(Follows::More)
            }
        }
    }

    /// Writes the start of a variation, if it is known whether a lenient reader would take it for the head of a game. If
    /// so, adds white space between its `(` and its `;`.
    fn decide_start(&mut self, follows: Follows) -> io::Result<()> {
        let Some(Start { bytes, scan }) = &mut self.start else { return Ok(()) };
        let Some(is_head) = scan.look(bytes, follows) else { return Ok(()) };
        if is_head {
            bytes.splice(1..1, PADDING.as_flattened().iter().copied());
        }
        self.out.write_all(bytes)?;
        self.start = None;
        Ok(())
    }
}
