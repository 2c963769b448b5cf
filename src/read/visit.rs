//! Visitors, which read whole games.

use std::ops::ControlFlow;

use crate::node::Moves;
use crate::raw::RawValue;
use crate::syntax::event::{Event, Ident, ValuePart};
use crate::syntax::flow::Flow;
use crate::syntax::tokenizer::Sink;

/// Whether to skip the node, property or variation that has just started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Skip {
    /// Visit it.
    No,
    /// Skip it.
    Yes,
}

/// The start of a variation, and whether it continues the current line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Variation {
    /// Offset of its `(`.
    ///
    /// A [node after a variation](crate::Code::NodeAfterVariation) has no `(`; then it is the offset of the node.
    pub offset: u64,
    /// Whether it is the first at its branch, and continues its line.
    ///
    /// At a branch of the main line, the first variation continues the main line.
    pub is_first: bool,
}

/// A reader of games, one after the other.
///
/// Each game goes through the same phases: [`begin_game`](Visitor::begin_game) creates the game's state, the other
/// methods update it, and [`end_game`](Visitor::end_game) turns it into a result. Every method may end its game early
/// with [`ControlFlow::Break`] and a result; the rest of the game is skipped when the next game is requested.
///
/// **Unless [`start_tree`](Visitor::start_tree) is overridden, all variations but the first at each branch are
/// skipped**, so a visitor that ignores variations sees the main line, not moves of several lines mixed together.
///
/// ```
/// use std::ops::ControlFlow;
/// use sgf_stream::{Ident, Parser, RawValue, Skip, Visitor};
///
/// /// The moves of the main line.
/// struct Moves;
///
/// impl Visitor for Moves {
///     type Game = Vec<String>;
///     type Output = Vec<String>;
///
///     fn begin_game(&mut self, _offset: u64) -> ControlFlow<Self::Output, Self::Game> {
///         ControlFlow::Continue(Vec::new())
///     }
///
///     fn property(&mut self, _: &mut Self::Game, ident: Ident<'_>, _: u64) -> ControlFlow<Self::Output, Skip> {
///         ControlFlow::Continue(if ident == "B" || ident == "W" { Skip::No } else { Skip::Yes })
///     }
///
///     fn value(&mut self, moves: &mut Self::Game, value: RawValue<'_>, _: u64) -> ControlFlow<Self::Output> {
///         moves.push(value.simple_text().into_owned());
///         ControlFlow::Continue(())
///     }
///
///     fn end_game(&mut self, moves: Self::Game) -> Self::Output {
///         moves
///     }
/// }
///
/// let mut reader = Parser::new().slice(b"(;FF[4];B[aa](;W[bb])(;W[cc]))(;B[dd])");
/// assert_eq!(reader.read_game(&mut Moves)?.unwrap(), ["aa", "bb"]);
/// assert_eq!(reader.read_game(&mut Moves)?.unwrap(), ["dd"]);
/// assert!(reader.read_game(&mut Moves)?.is_none());
/// # Ok::<(), sgf_stream::SyntaxError>(())
/// ```
pub trait Visitor {
    /// The state of a game while it is read.
    type Game;
    /// The result of a game.
    type Output;

    /// Called at the start of a game; returns its state. `offset` is that of its `(`.
    fn begin_game(&mut self, offset: u64) -> ControlFlow<Self::Output, Self::Game>;

    /// Called at the start of a variation (a tree inside the game).
    ///
    /// If it is skipped, [`end_tree`](Visitor::end_tree) is not called for it.
    fn start_tree(&mut self, game: &mut Self::Game, variation: Variation) -> ControlFlow<Self::Output, Skip> {
        let _ = game;
        ControlFlow::Continue(if variation.is_first { Skip::No } else { Skip::Yes })
    }

    /// Called at the start of a node. Skipping it skips its properties.
    fn node(&mut self, game: &mut Self::Game, offset: u64) -> ControlFlow<Self::Output, Skip> {
        let _ = (game, offset);
        ControlFlow::Continue(Skip::No)
    }

    /// Called at the start of a property. Skipping it skips its values.
    fn property(&mut self, game: &mut Self::Game, ident: Ident<'_>, offset: u64) -> ControlFlow<Self::Output, Skip> {
        let _ = (game, ident, offset);
        ControlFlow::Continue(Skip::No)
    }

    /// Called for each value of the last property.
    fn value(&mut self, game: &mut Self::Game, value: RawValue<'_>, offset: u64) -> ControlFlow<Self::Output> {
        let _ = (game, value, offset);
        ControlFlow::Continue(())
    }

    /// Called for each fragment of a long value, if [`Parser::value_parts`](crate::Parser::value_parts) is on.
    fn value_part(&mut self, game: &mut Self::Game, part: ValuePart<'_>, offset: u64) -> ControlFlow<Self::Output> {
        let _ = (game, part, offset);
        ControlFlow::Continue(())
    }

    // Called for a run of moves instead of its events; `false` refuses it. For visitors of this workspace that need
    // the speed.
    #[doc(hidden)]
    #[inline]
    fn moves(&mut self, game: &mut Self::Game, moves: Moves<'_>) -> ControlFlow<Self::Output, bool> {
        let _ = (game, moves);
        ControlFlow::Continue(false)
    }

    /// Called at the end of a variation.
    fn end_tree(&mut self, game: &mut Self::Game, offset: u64) -> ControlFlow<Self::Output> {
        let _ = (game, offset);
        ControlFlow::Continue(())
    }

    /// Called at the end of a game; returns its result.
    fn end_game(&mut self, game: Self::Game) -> Self::Output;
}

/// Calls a visitor's methods for events, and keeps the state of the open game.
pub(crate) struct Visiting<V: Visitor> {
    visitor: V,
    game: Option<V::Game>,
    /// Variations open inside the game.
    depth: usize,
    /// Whether a variation of the same node has ended or was skipped.
    after_variation: bool,
}

/// The outcome of a visitor method.
enum Led<O> {
    To(Flow),
    /// The game is over for the visitor. The flag says whether it is also over in the stream.
    ToOutput(O, bool),
}

impl<V: Visitor> Visiting<V> {
    pub(crate) fn new(visitor: V) -> Self {
        Visiting { visitor, game: None, depth: 0, after_variation: false }
    }

    /// Returns the sink that passes results to `handler`.
    pub(crate) fn results<F: FnMut(V::Output, bool) -> Flow>(&mut self, handler: F) -> Results<'_, V, F> {
        Results { visiting: self, handler }
    }

    /// Abandons the open game before its end.
    pub(crate) fn abandon(&mut self) {
        self.game = None;
    }

    pub(crate) fn visitor(&self) -> &V {
        &self.visitor
    }

    pub(crate) fn into_visitor(self) -> V {
        self.visitor
    }

    // Otherwise the compiler passes every event through memory, which costs half the speed.
    #[inline(always)]
    fn visit(&mut self, event: Event<'_>, at: u64) -> Led<V::Output> {
        let Some(game) = &mut self.game else {
            return self.begin_game(at);
        };
        let flow = match event {
            Event::StartTree => return self.start_tree(at),
            Event::Node => {
                self.after_variation = false;
                self.visitor.node(game, at)
            }
            Event::Property(ident) => self.visitor.property(game, ident, at),
            Event::Value(value) => self.visitor.value(game, value, at).map_continue(|()| Skip::No),
            Event::ValuePart(part) => self.visitor.value_part(game, part, at).map_continue(|()| Skip::No),
            Event::EndTree if self.depth > 0 => {
                self.depth -= 1;
                self.after_variation = true;
                self.visitor.end_tree(game, at).map_continue(|()| Skip::No)
            }
            Event::EndTree => {
                return match self.game.take() {
                    Some(game) => Led::ToOutput(self.visitor.end_game(game), true),
                    None => Led::To(Flow::Continue),
                };
            }
        };
        self.led(flow)
    }

    /// Handles the start of a variation.
    #[inline]
    fn start_tree(&mut self, at: u64) -> Led<V::Output> {
        let Some(game) = &mut self.game else { return Led::To(Flow::Continue) };
        let variation = Variation { offset: at, is_first: !self.after_variation };
        let flow = self.visitor.start_tree(game, variation);
        match flow {
            ControlFlow::Continue(Skip::No) => self.depth += 1,
            _ => self.after_variation = true,
        }
        self.led(flow)
    }

    #[inline(always)]
    fn led(&mut self, flow: ControlFlow<V::Output, Skip>) -> Led<V::Output> {
        match flow {
            ControlFlow::Continue(Skip::No) => Led::To(Flow::Continue),
            ControlFlow::Continue(Skip::Yes) => Led::To(Flow::Skip),
            ControlFlow::Break(output) => {
                self.game = None;
                Led::ToOutput(output, false)
            }
        }
    }

    #[inline(always)]
    fn visit_moves(&mut self, moves: Moves<'_>) -> Option<Led<V::Output>> {
        let led = match self.visitor.moves(self.game.as_mut()?, moves) {
            ControlFlow::Continue(false) => return None,
            ControlFlow::Continue(true) => ControlFlow::Continue(Skip::No),
            ControlFlow::Break(output) => ControlFlow::Break(output),
        };
        self.after_variation = false;
        Some(self.led(led))
    }

    fn begin_game(&mut self, at: u64) -> Led<V::Output> {
        self.depth = 0;
        self.after_variation = false;
        match self.visitor.begin_game(at) {
            ControlFlow::Continue(game) => {
                self.game = Some(game);
                Led::To(Flow::Continue)
            }
            ControlFlow::Break(output) => Led::ToOutput(output, false),
        }
    }
}

/// A sink that calls the visitor and passes the result of each game to a handler.
///
/// The handler also receives whether the game has ended in the stream, and returns how to continue.
pub(crate) struct Results<'v, V: Visitor, F> {
    visiting: &'v mut Visiting<V>,
    handler: F,
}

impl<V: Visitor, F: FnMut(V::Output, bool) -> Flow> Results<'_, V, F> {
    #[inline(always)]
    fn flow(&mut self, led: Led<V::Output>) -> Flow {
        match led {
            Led::To(flow) => flow,
            Led::ToOutput(output, has_ended) => (self.handler)(output, has_ended),
        }
    }
}

impl<V: Visitor, F: FnMut(V::Output, bool) -> Flow> Sink for Results<'_, V, F> {
    #[inline(always)]
    fn event(&mut self, event: Event<'_>, at: u64) -> Flow {
        let led = self.visiting.visit(event, at);
        self.flow(led)
    }

    #[inline(always)]
    fn moves(&mut self, bytes: &[u8], lines: &[(u16, u16)], at: u64) -> Option<Flow> {
        let led = self.visiting.visit_moves(Moves::new(bytes, lines, at))?;
        Some(self.flow(led))
    }
}

impl<V: Visitor + ?Sized> Visitor for &mut V {
    type Game = V::Game;
    type Output = V::Output;

    #[inline]
    fn begin_game(&mut self, offset: u64) -> ControlFlow<Self::Output, Self::Game> {
        (**self).begin_game(offset)
    }

    #[inline]
    fn start_tree(&mut self, game: &mut Self::Game, variation: Variation) -> ControlFlow<Self::Output, Skip> {
        (**self).start_tree(game, variation)
    }

    #[inline]
    fn node(&mut self, game: &mut Self::Game, offset: u64) -> ControlFlow<Self::Output, Skip> {
        (**self).node(game, offset)
    }

    #[inline]
    fn property(&mut self, game: &mut Self::Game, ident: Ident<'_>, offset: u64) -> ControlFlow<Self::Output, Skip> {
        (**self).property(game, ident, offset)
    }

    #[inline]
    fn value(&mut self, game: &mut Self::Game, value: RawValue<'_>, offset: u64) -> ControlFlow<Self::Output> {
        (**self).value(game, value, offset)
    }

    #[inline]
    fn value_part(&mut self, game: &mut Self::Game, part: ValuePart<'_>, offset: u64) -> ControlFlow<Self::Output> {
        (**self).value_part(game, part, offset)
    }

    #[inline]
    fn moves(&mut self, game: &mut Self::Game, moves: Moves<'_>) -> ControlFlow<Self::Output, bool> {
        (**self).moves(game, moves)
    }

    #[inline]
    fn end_tree(&mut self, game: &mut Self::Game, offset: u64) -> ControlFlow<Self::Output> {
        (**self).end_tree(game, offset)
    }

    #[inline]
    fn end_game(&mut self, game: Self::Game) -> Self::Output {
        (**self).end_game(game)
    }
}
