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

/// A [game that is too long](LongBytes) for a part of borrowed [`Parts`].
#[doc(hidden)]
pub type LongGame<'p, R> = LongBytes<R, &'p mut Parts<R>>;

/// A game that is longer than [`Parser::max_game_len`], to be read in sequence: the bytes of the stream from
/// after the last part to the end of this game.
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
    /// The long game that comes next.
    pub(crate) fn new(parts: P) -> Self {
        LongBytes { seam: parts.start.seam.clone(), parts, inner: PhantomData, goes_on: Arc::default() }
    }

    /// A reader whose offsets, lines and errors are those of the stream. (Offsets are right as long as
    /// nothing has been read of the game by other ways.)
    pub fn reader(self, parser: &Parser) -> Reader<Self> {
        parser.reader_with(parser.tokenizer().restart_at_seam(&self.seam, self.end()), self)
    }

    /// A parser that is to be handed the bytes of the game, for the closure that is called with its events:
    /// faster than a reader.
    pub fn push(&self, parser: &Parser) -> PushParser {
        PushParser::with(parser.tokenizer().restart_at_seam(&self.seam, self.end()), parser.listener.clone())
    }

    fn end(&self) -> GoesOn {
        GoesOn::Told(Arc::clone(&self.goes_on))
    }

    pub(crate) fn seam(&self) -> &Seam {
        &self.seam
    }

    /// Where its bytes begin in the stream.
    pub fn position(&self) -> Position {
        self.seam.position
    }

    /// The charset that was detected at the start of the stream: see
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
