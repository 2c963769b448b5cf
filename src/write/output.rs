//! Lexemes to bytes. What may follow what is decided elsewhere; that values end where they should,
//! and lines in time, is seen to here.

use std::io::{self, BufWriter, Write};

use super::escape::{Escape, break_heads};
use crate::raw::two_byte::{MAX_LABEL, TwoByte};
use crate::syntax::event::{Ident, PartEnd, ValuePart};
use crate::syntax::tokenizer::declared::{Declared, Given};
use crate::syntax::tokenizer::head::{Follows, HeadScan};

/// White space of 512 bytes: a `(` that has it before its `;` is no head, since a head has no more bytes than that.
const PADDING: [[u8; 64]; 8] = [*b"                                                               \n"; 8];

#[derive(Debug)]
pub(super) struct Output<W: Write> {
    out: BufWriter<W>,
    /// The start of a variation, of which it is not clear yet whether lenient reading would take it for the head of
    /// another game. It goes out when that is clear.
    start: Option<Start>,
    /// Nothing is held back: whoever reads may be waiting.
    is_live: bool,
    /// What the caller has said about charsets.
    pub(super) given: Given,
    /// What the open game has said about its charset.
    declared: Declared,
    /// A value that goes out in parts.
    open: Option<Escape>,
    /// The value that names the charset, as much of it as has gone out.
    label: Vec<u8>,
    /// What goes out next, in one piece: `;`, an identifier and a value, say.
    piece: Vec<u8>,
    /// The line may end in front of the piece.
    may_break: bool,
    lines: Option<Lines>,
}

#[derive(Debug)]
struct Start {
    bytes: Vec<u8>,
    scan: HeadScan,
}

/// Where in a line we are, in bytes.
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

    /// The same with lines of so many bytes, as far as pieces allow. They never end in front of a
    /// `(` inside a game: other readers have reason to take one at the start of a line for the
    /// start of the next game.
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

    /// What is under way stays: the start of a variation, and the end of a part of a value, that may be heads.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        if self.open.is_none() {
            self.end_piece()?;
        }
        self.out.flush()
    }

    pub(super) fn into_inner(self) -> io::Result<W> {
        self.out.into_inner().map_err(io::IntoInnerError::into_error)
    }

    /// The charset of the values that come next, if it has two-byte characters.
    pub(super) fn charset(&self) -> Option<TwoByte> {
        self.declared.two_byte()
    }

    /// The charset of a game whose `CA` is this, if it has two-byte characters.
    pub(super) fn charset_of(&self, label: Option<TwoByte>, has_label: bool) -> Option<TwoByte> {
        match self.given {
            Given::Forced(charset) => charset,
            Given::Default(charset) if !has_label => Some(charset),
            _ => label,
        }
    }

    /// `(`: a tree. Its first node follows.
    pub(super) fn tree(&mut self, is_game: bool) -> io::Result<()> {
        self.end_piece()?;
        if is_game {
            self.declared = Declared::start(self.given, false);
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
            self.start = Some(Start { bytes: Vec::new(), scan: HeadScan::new() });
        }
        self.end_piece()
    }

    /// `;`: a node, the first of a game or another one.
    pub(super) fn node(&mut self, is_root: bool) -> io::Result<()> {
        if !is_root {
            self.end_piece()?;
            self.declared.leave_root();
            self.may_break = true;
        }
        self.piece.push(b';');
        Ok(())
    }

    /// `)`. Behind a game the line ends.
    pub(super) fn end_tree(&mut self, is_game: bool) -> io::Result<()> {
        if self.piece.is_empty() {
            self.may_break = false;
        }
        self.piece.extend_from_slice(if is_game { b")\n" } else { b")" });
        self.end_piece()
    }

    /// A value, or a part of one; with the identifier in front, if it is the first of a property.
    pub(super) fn value(&mut self, ident: Option<Ident<'_>>, part: ValuePart<'_>) -> io::Result<()> {
        if let Some(ident) = ident {
            self.declared.note_ident(ident.as_bytes());
            self.piece.extend_from_slice(ident.as_bytes());
        }
        // Of a value that is open the piece is what may become a head.
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

    /// Ends the line, if the next so many bytes would fit into one of their own and do not fit into
    /// this one. To be asked between nodes, properties and values only.
    pub(super) fn keep_together(&mut self, len: usize) -> io::Result<()> {
        self.end_piece()?;
        match self.lines {
            Some(Lines { width, column }) if len <= width && column.saturating_add(len) > width => self.break_line(),
            _ => Ok(()),
        }
    }

    /// Ends the line, unless it has just begun or there are none. To be asked where
    /// [`keep_together`](Self::keep_together) may be.
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

    /// The piece is whole.
    fn end_piece(&mut self) -> io::Result<()> {
        if self.piece.is_empty() {
            return Ok(());
        }
        let mut piece = std::mem::take(&mut self.piece);
        if let Some(Lines { width, mut column }) = self.lines {
            let first = memchr::memchr(b'\n', &piece).unwrap_or(piece.len());
            if self.may_break && column > 0 && column.saturating_add(first) > width {
                self.put(b"\n")?;
                column = 0;
            }
            column = match memchr::memrchr(b'\n', &piece) {
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

    /// Writes bytes, or holds them back with the start of the variation that they belong to.
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.start {
            None => self.out.write_all(bytes),
            Some(start) => {
                start.bytes.extend_from_slice(bytes);
                self.decide_start(Follows::More)
            }
        }
    }

    /// Writes the start of a variation, if it is clear whether lenient reading would take it for the head of a game. If
    /// so, it gets white space between its `(` and its `;`.
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
