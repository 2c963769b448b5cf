//! Lexemes to bytes. What may follow what is decided elsewhere; that values end where they should,
//! is seen to here.

use std::io::{self, BufWriter, Write};

use super::escape::Escape;
use crate::event::{Ident, PartEnd, ValuePart};
use crate::tokenizer::declared::Declared;
use crate::tokenizer::two_byte::MAX_LABEL;

#[derive(Debug)]
pub(super) struct Output<W: Write> {
    out: BufWriter<W>,
    /// What the open game has said about its charset.
    declared: Declared,
    /// A value that goes out in parts.
    open: Option<Escape>,
    /// The value that names the charset, as much of it as has gone out.
    label: Vec<u8>,
    /// An event, before it goes out in one piece.
    bytes: Vec<u8>,
}

impl<W: Write> Output<W> {
    pub(super) fn new(writer: W) -> Self {
        let (label, bytes) = (Vec::new(), Vec::new());
        Output { out: BufWriter::new(writer), declared: Declared::Nothing, open: None, label, bytes }
    }

    pub(super) fn get_ref(&self) -> &W {
        self.out.get_ref()
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    pub(super) fn into_inner(self) -> io::Result<W> {
        self.out.into_inner().map_err(io::IntoInnerError::into_error)
    }

    /// `(` `;`: a tree, with its first node.
    pub(super) fn tree(&mut self, is_game: bool) -> io::Result<()> {
        if is_game {
            self.declared = Declared::START;
        } else {
            self.declared.leave_root();
        }
        self.out.write_all(b"(;")
    }

    /// `;`: another node of a tree.
    pub(super) fn node(&mut self) -> io::Result<()> {
        self.declared.leave_root();
        self.out.write_all(b";")
    }

    /// `)`. Behind a game the line ends.
    pub(super) fn end_tree(&mut self, is_game: bool) -> io::Result<()> {
        self.out.write_all(if is_game { b")\n" } else { b")" })
    }

    /// A value, or a part of one; with the identifier in front, if it is the first of a property.
    pub(super) fn value(&mut self, ident: Option<Ident<'_>>, part: ValuePart<'_>) -> io::Result<()> {
        self.bytes.clear();
        if let Some(ident) = ident {
            self.declared.note_ident(ident.as_bytes());
            self.bytes.extend_from_slice(ident.as_bytes());
        }
        let mut escape = self.open.take().unwrap_or_else(|| {
            self.bytes.push(b'[');
            Escape::new(self.declared.two_byte())
        });
        let start = self.bytes.len();
        escape.part(part.bytes, &mut self.bytes);
        let is_last = part.end != PartEnd::More;
        if is_last {
            escape.end(&mut self.bytes);
        }
        if self.declared == Declared::IS_NEXT {
            let room = MAX_LABEL + 1 - self.label.len(); // one more than a label has is none
            self.label.extend(self.bytes[start..].iter().take(room));
            if is_last {
                self.declared.note_label(&self.label);
                self.label.clear();
            }
        }
        match is_last {
            true => self.bytes.push(b']'),
            false => self.open = Some(escape),
        }
        self.out.write_all(&self.bytes)
    }
}
