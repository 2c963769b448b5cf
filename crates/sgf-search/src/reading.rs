//! Reads games for a matcher, from streams and from slices.

use std::cell::RefCell;
use std::io::BufRead;
use std::ops::ControlFlow;

use sgf_stream::{Error, Reader, SliceReader, SyntaxError, Visitor};

use crate::matcher::{GameHits, Matcher};

/// Readers of games.
pub(crate) trait Games {
    type Error;

    fn read_game<V: Visitor>(&mut self, visitor: &mut V) -> Result<Option<V::Output>, Self::Error>;

    fn game_offset(&self) -> Option<u64>;
}

impl<R: BufRead> Games for Reader<R> {
    type Error = Error;

    fn read_game<V: Visitor>(&mut self, visitor: &mut V) -> Result<Option<V::Output>, Error> {
        Reader::read_game(self, visitor)
    }

    fn game_offset(&self) -> Option<u64> {
        Reader::game_offset(self)
    }
}

impl Games for SliceReader<'_> {
    type Error = SyntaxError;

    fn read_game<V: Visitor>(&mut self, visitor: &mut V) -> Result<Option<V::Output>, SyntaxError> {
        SliceReader::read_game(self, visitor)
    }

    fn game_offset(&self) -> Option<u64> {
        SliceReader::game_offset(self)
    }
}

/// A visitor that skips games.
///
/// (A reader's `skip_game` skips the rest of a game that was not read to its end.)
struct Unwanted;

impl Visitor for Unwanted {
    type Game = ();
    type Output = ();

    fn begin_game(&mut self, _: u64) -> ControlFlow<()> {
        ControlFlow::Break(())
    }

    fn end_game(&mut self, (): ()) {}
}

/// Reads all games with a visitor that calls [`Matcher::step`].
pub(crate) fn each<G: Games>(
    matcher: &RefCell<&mut Matcher>,
    games: &mut G,
    mut numbers: Option<&[u64]>,
    mut visitor: impl Visitor,
    mut on_game: impl FnMut(&GameHits<'_>),
) -> Result<(), G::Error> {
    let mut number = 0;
    loop {
        if let Some(wanted) = &mut numbers {
            let Some((&first, rest)) = wanted.split_first() else { return Ok(()) };
            while number < first && games.read_game(&mut Unwanted)?.is_some() {
                number += 1;
            }
            *wanted = rest;
        }
        if games.read_game(&mut visitor)?.is_none() {
            return Ok(());
        }
        let mut matcher = matcher.borrow_mut();
        let hits = matcher.end_game();
        if !hits.is_empty() {
            on_game(&GameHits { number, offset: games.game_offset().unwrap_or_default(), hits });
        }
        number += 1;
    }
}
