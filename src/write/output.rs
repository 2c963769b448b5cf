//! Lexemes to bytes. What may follow what is decided elsewhere; that values end where they should,
//! and lines in time, is seen to here.

use std::io::{self, BufWriter, Write};

use super::escape::Escape;
use crate::event::{Ident, PartEnd, ValuePart};
use crate::tokenizer::declared::Declared;
use crate::tokenizer::two_byte::{MAX_LABEL, TwoByte};

#[derive(Debug)]
pub(super) struct Output<W: Write> {
    out: BufWriter<W>,
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
        Output::with(BufWriter::with_capacity(0, writer))
    }

    fn with(out: BufWriter<W>) -> Self {
        Output {
            out,
            declared: Declared::Nothing,
            open: None,
            label: Vec::new(),
            piece: Vec::new(),
            may_break: false,
            lines: None,
        }
    }

    /// The same with lines of so many bytes, as far as pieces allow. They never end in front of a
    /// `(` inside a game: lenient readers have reason to take one at the start of a line for the
    /// start of the next game.
    pub(super) fn with_lines(self, width: usize) -> Self {
        Output { lines: Some(Lines { width, column: 0 }), ..self }
    }

    pub(super) fn get_ref(&self) -> &W {
        self.out.get_ref()
    }

    pub(super) fn get_mut(&mut self) -> &mut W {
        self.out.get_mut()
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.end_piece()?;
        self.out.flush()
    }

    pub(super) fn into_inner(self) -> io::Result<W> {
        self.out.into_inner().map_err(io::IntoInnerError::into_error)
    }

    /// The charset of the values that come next, if it has two-byte characters.
    pub(super) fn charset(&self) -> Option<TwoByte> {
        self.declared.two_byte()
    }

    /// `(`: a tree. Its first node follows.
    pub(super) fn tree(&mut self, is_game: bool) -> io::Result<()> {
        self.end_piece()?;
        if is_game {
            self.declared = Declared::START;
        } else {
            self.declared.leave_root();
        }
        self.piece.push(b'(');
        self.may_break = false;
        if is_game { Ok(()) } else { self.end_piece() }
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
        let mut escape = self.open.take().unwrap_or_else(|| {
            self.piece.push(b'[');
            Escape::new(self.declared.two_byte())
        });
        let start = self.piece.len();
        escape.part(part.bytes, &mut self.piece);
        let is_last = part.end != PartEnd::More;
        if is_last {
            escape.end(&mut self.piece);
        }
        if self.declared == Declared::IS_NEXT {
            let room = MAX_LABEL + 1 - self.label.len(); // one more than a label has is none
            self.label.extend(self.piece[start..].iter().take(room));
            if is_last {
                self.declared.note_label(&self.label);
                self.label.clear();
            }
        }
        match is_last {
            true => self.piece.push(b']'),
            false => self.open = Some(escape),
        }
        self.end_piece()?;
        self.may_break = is_last;
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
                self.out.write_all(b"\n")
            }
            _ => Ok(()),
        }
    }

    /// The piece is whole.
    fn end_piece(&mut self) -> io::Result<()> {
        if self.piece.is_empty() {
            return Ok(());
        }
        if let Some(lines) = &mut self.lines {
            let first = memchr::memchr(b'\n', &self.piece).unwrap_or(self.piece.len());
            if self.may_break && lines.column > 0 && lines.column.saturating_add(first) > lines.width {
                self.out.write_all(b"\n")?;
                lines.column = 0;
            }
            lines.column = match memchr::memrchr(b'\n', &self.piece) {
                Some(last) => self.piece.len() - last - 1,
                None => lines.column + self.piece.len(),
            };
        }
        self.out.write_all(&self.piece)?;
        self.piece.clear();
        self.may_break = false;
        Ok(())
    }
}
