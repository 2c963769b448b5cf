//! A game that is too long for a part.

use std::fmt;
use std::io::{self, BufRead, Read};
use std::marker::PhantomData;
use std::ops::DerefMut;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::Parts;
use crate::read::parser::Parser;
use crate::read::push::PushParser;
use crate::read::reader::Reader;
use crate::syntax::diagnostic::Position;
use crate::syntax::tokenizer::{GoesOn, Seam};

/// A [game that is too long](LongBytes) for a part, with [`Parts`] borrowed.
#[doc(hidden)]
pub type LongGame<'p, R> = LongBytes<R, &'p mut Parts<R>>;

/// A game that is longer than [`Parser::max_game_len`], to be read in sequence.
///
/// It consists of the bytes from after the last part to the end of this game.
///
/// See [`Parts::next_part`](super::Parts::next_part).
#[doc(hidden)]
pub struct LongBytes<R, P> {
    parts: P,
    inner: PhantomData<R>,
    seam: Seam,
    goes_on: Arc<AtomicBool>,
}

impl<R: Read, P: DerefMut<Target = Parts<R>>> LongBytes<R, P> {
    /// Creates the long game that comes next.
    pub(crate) fn new(parts: P) -> Self {
        LongBytes { seam: parts.start.seam.clone(), parts, inner: PhantomData, goes_on: Arc::default() }
    }

    /// Returns a reader whose offsets, lines and errors refer to the stream.
    ///
    /// Offsets are correct only if the game has not been partly read by other means.
    pub fn reader(self, parser: &Parser) -> Reader<Self> {
        parser.reader_with(parser.tokenizer().restart_at_seam(&self.seam, self.end()), self)
    }

    /// Returns a push parser for the bytes of the game.
    ///
    /// It is faster than a reader.
    pub fn push(&self, parser: &Parser) -> PushParser {
        PushParser::with(parser.tokenizer().restart_at_seam(&self.seam, self.end()), parser.listener.clone())
    }

    fn end(&self) -> GoesOn {
        GoesOn::Told(Arc::clone(&self.goes_on))
    }

    #[doc(hidden)]
    pub fn seam(&self) -> &Seam {
        &self.seam
    }

    /// Returns the position in the stream where its bytes start.
    pub fn position(&self) -> Position {
        self.seam.position
    }

    /// Returns the charset that was detected at the start of the stream; see
    /// [`Parts::detected_charset`](super::Parts::detected_charset).
    #[cfg(feature = "charset")]
    pub fn detected_charset(&self) -> Option<crate::charset::Charset> {
        self.parts.detected_charset()
    }
}

#[cfg(all(feature = "parallel", feature = "serde"))]
impl<R, P> LongBytes<R, P> {
    pub(crate) fn get_ref(&self) -> &P {
        &self.parts
    }

    pub(crate) fn into_inner(self) -> P {
        self.parts
    }
}

impl<R: Read, P: DerefMut<Target = Parts<R>>> BufRead for LongBytes<R, P> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.parts.long_bytes(&self.goes_on)
    }

    fn consume(&mut self, len: usize) {
        self.parts.take_long_bytes(len);
    }
}

impl<R: Read, P: DerefMut<Target = Parts<R>>> Read for LongBytes<R, P> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.fill_buf()?.read(buffer)?;
        self.consume(len);
        Ok(len)
    }
}

impl<R, P> fmt::Debug for LongBytes<R, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LongGame").field("position", &self.seam.position).finish_non_exhaustive()
    }
}
