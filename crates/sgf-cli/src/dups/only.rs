//! A visitor of some games, by their offsets.

use std::ops::ControlFlow;

use sgf_stream::internal::Moves;
use sgf_stream::{Ident, RawValue, Skip, ValuePart, Variation, Visitor};

/// Visits the games whose offsets are wanted, and skips all others. Returns the offset of each game, and what the inner visitor
/// has made of it.
pub(super) struct Only<V, F> {
    pub(super) visitor: V,
    /// Called at the start of each game.
    pub(super) wants: F,
}

pub(super) struct OnlyGame<G> {
    game: G,
    offset: u64,
}

impl<V: Visitor, F: FnMut(u64) -> bool> Visitor for Only<V, F> {
    type Game = OnlyGame<V::Game>;
    type Output = (u64, Option<V::Output>);

    fn begin_game(&mut self, offset: u64) -> ControlFlow<Self::Output, Self::Game> {
        if !(self.wants)(offset) {
            return ControlFlow::Break((offset, None));
        }
        match self.visitor.begin_game(offset) {
            ControlFlow::Continue(game) => ControlFlow::Continue(OnlyGame { game, offset }),
            ControlFlow::Break(output) => ControlFlow::Break((offset, Some(output))),
        }
    }

    fn start_tree(&mut self, game: &mut Self::Game, variation: Variation) -> ControlFlow<Self::Output, Skip> {
        self.visitor.start_tree(&mut game.game, variation).map_break(|output| (game.offset, Some(output)))
    }

    fn node(&mut self, game: &mut Self::Game, offset: u64) -> ControlFlow<Self::Output, Skip> {
        self.visitor.node(&mut game.game, offset).map_break(|output| (game.offset, Some(output)))
    }

    fn property(&mut self, game: &mut Self::Game, ident: Ident<'_>, offset: u64) -> ControlFlow<Self::Output, Skip> {
        self.visitor.property(&mut game.game, ident, offset).map_break(|output| (game.offset, Some(output)))
    }

    fn value(&mut self, game: &mut Self::Game, value: RawValue<'_>, offset: u64) -> ControlFlow<Self::Output> {
        self.visitor.value(&mut game.game, value, offset).map_break(|output| (game.offset, Some(output)))
    }

    fn value_part(&mut self, game: &mut Self::Game, part: ValuePart<'_>, offset: u64) -> ControlFlow<Self::Output> {
        self.visitor.value_part(&mut game.game, part, offset).map_break(|output| (game.offset, Some(output)))
    }

    fn moves(&mut self, game: &mut Self::Game, moves: Moves<'_>) -> ControlFlow<Self::Output, bool> {
        self.visitor.moves(&mut game.game, moves).map_break(|output| (game.offset, Some(output)))
    }

    fn end_tree(&mut self, game: &mut Self::Game, offset: u64) -> ControlFlow<Self::Output> {
        self.visitor.end_tree(&mut game.game, offset).map_break(|output| (game.offset, Some(output)))
    }

    fn end_game(&mut self, game: Self::Game) -> Self::Output {
        (game.offset, Some(self.visitor.end_game(game.game)))
    }
}
