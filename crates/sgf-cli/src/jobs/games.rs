//! Some games of an input, whether they are in memory or not.

use std::io::{self, BufRead, Read};

use sgf_stream::parts::{LongGame, Part};
use sgf_stream::{Parser, Position, PushParser, Reader};

use super::Bytes;

/// Some games of an input, to be read from their first byte on.
pub(crate) enum Games<'g, 'd> {
    /// Whole games in memory.
    Part(&'g Part<'static>),
    /// A game that is too long for that. An error of reading comes again when the input ends.
    Long(LongGame<'g, Bytes<'d>>),
}

/// The bytes of some games. Those of a part are one chunk.
pub(crate) enum GameBytes<'g, 'd> {
    Part(&'g [u8]),
    Long(LongGame<'g, Bytes<'d>>),
}

impl<'g, 'd> Games<'g, 'd> {
    /// Returns the games if they are in memory.
    pub(crate) fn part(&self) -> Option<&'g Part<'static>> {
        match self {
            Games::Part(part) => Some(part),
            Games::Long(_) => None,
        }
    }

    /// Returns the position where they begin.
    pub(crate) fn position(&self) -> Position {
        match self {
            Games::Part(part) => part.position(),
            Games::Long(game) => game.position(),
        }
    }

    /// Returns a parser for their bytes.
    pub(crate) fn push(&self, parser: &Parser) -> PushParser {
        match self {
            Games::Part(part) => part.push(parser),
            Games::Long(game) => game.push(parser),
        }
    }

    pub(crate) fn into_bytes(self) -> GameBytes<'g, 'd> {
        match self {
            Games::Part(part) => GameBytes::Part(part.bytes()),
            Games::Long(game) => GameBytes::Long(game),
        }
    }

    /// Returns a reader whose offsets, lines and errors refer to the input.
    pub(crate) fn reader(self, parser: &Parser) -> Reader<GameBytes<'g, 'd>> {
        self.push(parser).into_reader(self.into_bytes())
    }
}

impl BufRead for GameBytes<'_, '_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        match self {
            GameBytes::Part(bytes) => Ok(bytes),
            GameBytes::Long(game) => game.fill_buf(),
        }
    }

    fn consume(&mut self, len: usize) {
        match self {
            GameBytes::Part(bytes) => *bytes = &bytes[len..],
            GameBytes::Long(game) => game.consume(len),
        }
    }
}

impl Read for GameBytes<'_, '_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.fill_buf()?.read(buffer)?;
        self.consume(len);
        Ok(len)
    }
}
