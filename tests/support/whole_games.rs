//! The games of an input, as the interfaces for whole games give them.

use std::ops::ControlFlow;

#[cfg(any(feature = "codec", feature = "parallel"))]
use sgf_stream::Parser;
use sgf_stream::{Event, Ident, OwnedEvent, RawValue, Skip, Variation, Visitor};

#[cfg(any(feature = "codec", feature = "parallel"))]
use super::{Finding, finding};

/// The events of a game, or the error in it.
#[cfg(any(feature = "codec", feature = "parallel"))]
pub type WholeGame = Result<Vec<(u64, OwnedEvent)>, Finding>;

/// A visitor that collects the events of a game.
pub struct Events;

impl Visitor for Events {
    type Game = Vec<(u64, OwnedEvent)>;
    type Output = Vec<(u64, OwnedEvent)>;

    fn begin_game(&mut self, offset: u64) -> ControlFlow<Self::Output, Self::Game> {
        ControlFlow::Continue(vec![(offset, OwnedEvent::StartTree)])
    }

    fn start_tree(&mut self, game: &mut Self::Game, variation: Variation) -> ControlFlow<Self::Output, Skip> {
        game.push((variation.offset, OwnedEvent::StartTree));
        ControlFlow::Continue(Skip::No)
    }

    fn node(&mut self, game: &mut Self::Game, offset: u64) -> ControlFlow<Self::Output, Skip> {
        game.push((offset, OwnedEvent::Node));
        ControlFlow::Continue(Skip::No)
    }

    fn property(&mut self, game: &mut Self::Game, ident: Ident<'_>, offset: u64) -> ControlFlow<Self::Output, Skip> {
        game.push((offset, Event::Property(ident).to_owned()));
        ControlFlow::Continue(Skip::No)
    }

    fn value(&mut self, game: &mut Self::Game, value: RawValue<'_>, offset: u64) -> ControlFlow<Self::Output> {
        game.push((offset, Event::Value(value).to_owned()));
        ControlFlow::Continue(())
    }

    fn end_tree(&mut self, game: &mut Self::Game, offset: u64) -> ControlFlow<Self::Output> {
        game.push((offset, OwnedEvent::EndTree));
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, game: Self::Game) -> Self::Output {
        game
    }
}

/// The events that `read_game` reports for each game, except the last `EndTree`: a visitor is not called for it.
#[cfg(any(feature = "codec", feature = "parallel"))]
pub fn read_games(bytes: &[u8], parser: &Parser) -> Vec<WholeGame> {
    let mut reader = parser.slice(bytes);
    std::iter::from_fn(|| reader.read_game(&mut Events).map_err(finding).transpose()).collect()
}
