//! Visits the main line of a game, event by event.

use std::ops::ControlFlow;

use crate::node::{LineStates, LineTree};
use crate::raw::RawValue;
use crate::read::visit::{Skip, Variation, Visitor};
use crate::syntax::event::{Event, Ident};

/// Takes the events of the main lines of games.
pub(super) trait Follow {
    /// A game in progress.
    type Game: Clone;
    type Output;

    fn begin(&mut self) -> Self::Game;

    /// Breaks if no more events of this line are needed.
    fn event(&mut self, game: &mut Self::Game, event: Event<'_>) -> ControlFlow<Self::Output>;

    fn end(&mut self, game: Self::Game) -> Self::Output;

    /// Returns the number of bytes of a copy of the game.
    fn copy_len(game: &Self::Game) -> usize;
}

/// Sends the events of main lines. If an implied tree continues a line, the game is restored to its state at the branch.
pub(super) struct MainLine<F>(pub(super) F);

/// A game whose main line is followed.
pub(super) struct Followed<F: Follow> {
    game: F::Game,
    /// No more events of this line are needed.
    output: Option<F::Output>,
    /// The game at its open branches.
    states: LineStates<F::Game>,
}

impl<F: Follow> MainLine<F> {
    #[inline]
    fn event(&mut self, line: &mut Followed<F>, event: Event<'_>) -> ControlFlow<F::Output, Skip> {
        if line.output.is_some() {
            return ControlFlow::Continue(Skip::Yes);
        }
        match self.0.event(&mut line.game, event) {
            ControlFlow::Break(output) if line.states.may_go_back() => {
                line.output = Some(output);
                ControlFlow::Continue(Skip::Yes)
            }
            flow => flow.map_continue(|()| Skip::No),
        }
    }
}

impl<F: Follow> Visitor for MainLine<F> {
    type Game = Followed<F>;
    type Output = F::Output;

    fn begin_game(&mut self, _offset: u64) -> ControlFlow<Self::Output, Self::Game> {
        let mut game = self.0.begin();
        self.0.event(&mut game, Event::StartTree)?;
        ControlFlow::Continue(Followed { game, output: None, states: LineStates::new() })
    }

    fn start_tree(&mut self, line: &mut Followed<F>, variation: Variation) -> ControlFlow<Self::Output, Skip> {
        let Followed { game, output, states } = line;
        if output.is_some() && !(variation.is_implied && states.has_branched()) {
            return ControlFlow::Continue(Skip::Yes);
        }
        states.set_state_len(F::copy_len(game));
        ControlFlow::Continue(match states.start(variation.is_implied, || game.clone()) {
            LineTree::Next => Skip::No,
            LineTree::Back(state) => {
                (*game, *output) = (state, None);
                Skip::No
            }
            LineTree::Beside => Skip::Yes,
        })
    }

    #[inline]
    fn node(&mut self, line: &mut Followed<F>, _offset: u64) -> ControlFlow<Self::Output, Skip> {
        self.event(line, Event::Node)
    }

    #[inline]
    fn property(&mut self, line: &mut Followed<F>, ident: Ident<'_>, _: u64) -> ControlFlow<Self::Output, Skip> {
        self.event(line, Event::Property(ident))
    }

    #[inline]
    fn value(&mut self, line: &mut Followed<F>, value: RawValue<'_>, _: u64) -> ControlFlow<Self::Output> {
        self.event(line, Event::Value(value)).map_continue(|_| ())
    }

    fn end_tree(&mut self, line: &mut Followed<F>, _offset: u64) -> ControlFlow<Self::Output> {
        line.states.end();
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, line: Followed<F>) -> Self::Output {
        let Followed { mut game, output, .. } = line;
        if let Some(output) = output {
            return output;
        }
        match self.0.event(&mut game, Event::EndTree) {
            ControlFlow::Continue(()) => self.0.end(game),
            ControlFlow::Break(output) => output,
        }
    }
}
