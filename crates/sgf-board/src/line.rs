//! Visits the main line of a game, event by event.

use std::ops::ControlFlow;

use sgf_stream::{Event, Ident, RawValue, Skip, Visitor};

/// Takes the events of the main lines of games.
pub(super) trait Follow {
    /// A game in progress.
    type Game;
    type Output;

    fn begin(&mut self) -> Self::Game;

    /// Breaks if no more events of this line are needed.
    fn event(&mut self, game: &mut Self::Game, event: Event<'_>) -> ControlFlow<Self::Output>;

    fn end(&mut self, game: Self::Game) -> Self::Output;
}

/// Sends the events of main lines.
pub(super) struct MainLine<F>(pub(super) F);

impl<F: Follow> Visitor for MainLine<F> {
    type Game = F::Game;
    type Output = F::Output;

    fn begin_game(&mut self, _offset: u64) -> ControlFlow<Self::Output, Self::Game> {
        let mut game = self.0.begin();
        self.0.event(&mut game, Event::StartTree)?;
        ControlFlow::Continue(game)
    }

    #[inline]
    fn node(&mut self, game: &mut F::Game, _offset: u64) -> ControlFlow<Self::Output, Skip> {
        self.0.event(game, Event::Node).map_continue(|()| Skip::No)
    }

    #[inline]
    fn property(&mut self, game: &mut F::Game, ident: Ident<'_>, _: u64) -> ControlFlow<Self::Output, Skip> {
        self.0.event(game, Event::Property(ident)).map_continue(|()| Skip::No)
    }

    #[inline]
    fn value(&mut self, game: &mut F::Game, value: RawValue<'_>, _: u64) -> ControlFlow<Self::Output> {
        self.0.event(game, Event::Value(value))
    }

    fn end_game(&mut self, mut game: F::Game) -> Self::Output {
        match self.0.event(&mut game, Event::EndTree) {
            ControlFlow::Continue(()) => self.0.end(game),
            ControlFlow::Break(output) => output,
        }
    }
}
