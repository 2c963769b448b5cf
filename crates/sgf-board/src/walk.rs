//! Walks through games: every node with its board.

use std::ops::ControlFlow;

use sgf_stream::value::Color;
use sgf_stream::value::go::{Move, Point};
use sgf_stream::{Event, Flow, Ident, Parser, RawValue, Skip, SyntaxError, Variation, Visitor};

use super::position::Change;
use super::replay::{Effect, Replay};
use super::{Board, Played};

#[cfg(test)]
mod tests;

/// Calls a function with every node of the games in a slice, and its board.
///
/// Nodes come in file order, variations included. Each is complete: its board has all of its moves and setup, also at the
/// root and at the end of a variation. A variation starts from the position of the node where it branches off. Games
/// other than Go, and boards larger than 52x52, have no steps.
///
/// ```
/// use sgf_stream::Parser;
/// use sgf_board::{Board, walk};
///
/// // Which games have this position, turned or mirrored, and what was played next?
/// let wanted = Board::after(b"(;SZ[9];B[gc];W[cc])", 2)?.unwrap().canonical_hash();
/// let (mut found, mut depth) = (Vec::new(), None::<usize>);
/// let games = b"(;SZ[9];B[cc];W[cg](;B[gg];W[aa])(;B[ee]))(;SZ[9]AB[gg]AW[gc];B[ec])";
/// walk(&Parser::new(), games, |step| {
///     if depth.is_some_and(|depth| step.depth() <= depth) {
///         depth = None; // a node that is not below the position
///     }
///     if depth.is_some_and(|depth| step.depth() == depth + 1) {
///         found.push((step.game(), step.played().map(|(_, played)| played.to_string())));
///     }
///     if step.board().canonical_hash() == wanted {
///         depth = Some(step.depth());
///     }
/// })?;
/// let moves = [(0, "gg"), (0, "ee"), (1, "ec")];
/// assert_eq!(found, moves.map(|(game, played)| (game, Some(played.to_owned()))));
/// # Ok::<(), sgf_stream::SyntaxError>(())
/// ```
///
/// The function returns `()` or how to continue. [`Flow::Skip`] omits the nodes below this one, and
/// [`Flow::SkipGame`] the rest of the game. For the main lines alone, and for other readers, see [`Walk`].
///
/// # Errors
///
/// Fails if [`Parser::parse`] fails.
pub fn walk<F, R>(parser: &Parser, bytes: &[u8], on_step: F) -> Result<Flow, SyntaxError>
where
    F: FnMut(&Step<'_>) -> R,
    R: Into<Flow>,
{
    let mut steps = Steps::new(on_step);
    parser.parse(bytes, |event, offset| match event {
        Event::Property(ident) if steps.walk.replay.ignores(ident) => Flow::Skip,
        _ => steps.event(event, offset),
    })
}

/// The nodes of games with their boards, from events.
///
/// | source | call |
/// |---|---|
/// | a slice, all nodes | [`walk()`] |
/// | the main line of the next game of any reader | `reader.read_game(&mut Walk::line_visitor(..))` |
/// | all nodes of the next game of any reader | `reader.read_game(&mut Walk::visitor(..))` |
/// | a loop over events | [`Walk::event`] |
/// | a tree | `GameTree::walk`; `Board::at` for one node |
///
/// ```
/// use sgf_stream::Parser;
/// use sgf_board::Walk;
///
/// let game = b"(;SZ[9]AB[cc][gg];W[ee](;B[ec];W[ge])(;B[ge]))";
/// let (mut events, mut walk, mut stones) = (Parser::new().slice(game).with_offsets(), Walk::new(), Vec::new());
/// while let Some((event, offset)) = events.next().transpose()? {
///     if let Some(step) = walk.event(event, offset) {
///         stones.push((step.offset(), step.board().as_slice().iter().flatten().count()));
///     }
/// }
/// assert_eq!(stones, [(1, 2), (17, 3), (24, 4), (30, 5), (38, 4)]);
/// # Ok::<(), sgf_stream::SyntaxError>(())
/// ```
///
/// A step is a node. A node with several moves has one step, with all of them executed in the order of the file:
/// [`Step::played`] is the first one, and [`Step::last_played`] the one that leads to the position. A [`Replay`] executes
/// each of them with its event, so a program that counts moves there counts a few more.
///
/// It has the limits of a [`Replay`](Replay#limits): a node whose position is not known has no step. The step of the node in
/// which rectangles exceed the limit is the last one of the game, and has the board before that rectangle.
#[derive(Clone, Debug)]
pub struct Walk {
    replay: Replay,
    /// The last node, unless it has ended.
    node: Option<Node>,
    /// Number of games that have started.
    games: usize,
    /// Number of nodes of this game that have started.
    nodes: usize,
    /// The event that ended the last node. It changes the board only when the next event comes.
    deferred: Option<Event<'static>>,
    /// The last event ended a node, and its changes were given out.
    has_step: bool,
}

impl Default for Walk {
    fn default() -> Self {
        let replay = Replay::of_walk();
        Walk { replay, node: None, games: 0, nodes: 0, deferred: None, has_step: false }
    }
}

/// A node, as far as it has been read.
#[derive(Clone, Copy, Debug, Default)]
struct Node {
    offset: u64,
    /// The first move, and its effect.
    played: Option<(Color, Move)>,
    effect: Option<Played>,
    /// The last move, and its effect.
    last_played: Option<(Color, Move)>,
    last_effect: Option<Played>,
}

/// A node of a game, and the board after it.
#[derive(Clone, Copy, Debug)]
pub struct Step<'w> {
    board: &'w Board,
    changes: &'w [Change],
    /// The last of these changes, which are those of the node.
    own_changes: &'w [Change],
    node: Node,
    game: usize,
    number: usize,
    depth: usize,
    moves: usize,
    unread: usize,
    is_on_main_line: bool,
    has_tree: bool,
}

impl<'w> Step<'w> {
    /// Returns the position after the moves and the setup of the node.
    pub fn board(&self) -> &'w Board {
        self.board
    }

    /// Returns the move of the node; `None` if it has no readable move.
    ///
    /// If the node has several moves, all of them are executed in the order of the file, and this returns the first
    /// one, as `de::Turn` and `tree::Node::played` do.
    pub fn played(&self) -> Option<(Color, Move)> {
        self.node.played
    }

    /// Returns the last move of the node, which leads to its position; see [`played`](Self::played).
    ///
    /// `None` if the node has no readable move. It differs from `played` only if the node has several moves.
    ///
    /// ```
    /// use sgf_stream::Parser;
    /// use sgf_board as board;
    /// use sgf_stream::value::{Color, go::Move};
    ///
    /// let mut moves = Vec::new();
    /// board::walk(&Parser::new(), b"(;SZ[9];W[bb]B[aa])", |step| {
    ///     moves.extend(step.played().zip(step.last_played()));
    /// })?;
    /// let (aa, bb) = (Move::parse("aa")?, Move::parse("bb")?);
    /// assert_eq!(moves, [((Color::White, bb), (Color::Black, aa))]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn last_played(&self) -> Option<(Color, Move)> {
        self.node.last_played
    }

    /// Returns the effect of the [last move](Self::last_played), as [`effect`](Self::effect) does of the first one.
    pub fn last_effect(&self) -> Option<Played> {
        self.node.last_effect
    }

    /// Returns the effect of the move that [`played`](Self::played) returns.
    ///
    /// `None` for a pass, for a point off the board, and without a move. It tells whether the move was legal, in
    /// hindsight: `replaced` is a stone on its point, `suicide` is not 0 for suicide, and `retakes_ko` is true for a ko that
    /// was retaken at once.
    pub fn effect(&self) -> Option<Played> {
        self.node.effect
    }

    /// Returns the stones placed and removed since the step before this one, in order.
    ///
    /// At the start of a variation, they begin with those that take back the variation before it. Those of a root start
    /// from the empty board. If there are more than 65,536, they are replaced by their net effect. With them a program can
    /// keep something up to date without looking at the whole board:
    ///
    /// ```
    /// use sgf_stream::Parser;
    /// use sgf_board::walk;
    ///
    /// let mut changes = Vec::new();
    /// walk(&Parser::new(), b"(;SZ[9]AB[aa][ca];W[ba](;B[bb])(;B[cb]))", |step| {
    ///     let signs = step.changes().map(|change| format!("{}{}", if change.is_placed { '+' } else { '-' }, change.point));
    ///     changes.push(signs.collect::<String>());
    /// })?;
    /// assert_eq!(changes, ["+aa+ca", "+ba", "+bb-ba", "+ba-bb+cb"]);
    /// # Ok::<(), sgf_stream::SyntaxError>(())
    /// ```
    #[inline]
    pub fn changes(&self) -> impl Iterator<Item = StoneChange> + use<'w> {
        self.stones_of(self.changes)
    }

    /// Returns the stones that this node places or removes, in order.
    ///
    /// They lead from the position of its parent to its own. They are the last ones of [`changes`](Self::changes).
    #[inline]
    pub fn own_changes(&self) -> impl Iterator<Item = StoneChange> + use<'w> {
        self.stones_of(self.own_changes)
    }

    #[inline]
    fn stones_of(&self, changes: &'w [Change]) -> impl Iterator<Item = StoneChange> + use<'w> {
        let board = self.board;
        changes.iter().map(move |&Change { at, color, is_placed }| StoneChange {
            point: board.keys.point(at),
            color,
            is_placed,
        })
    }

    /// Returns the number of moves from the root to this node, passes included.
    ///
    /// Moves that cannot be read, such as those off the board, do not count: see [`unread`](Self::unread).
    pub fn move_number(&self) -> usize {
        self.moves
    }

    /// Returns the number of unreadable moves and setup values in this game so far.
    ///
    /// Variations count too.
    pub fn unread(&self) -> usize {
        self.unread
    }

    /// Returns the byte offset of the node's `;`, as passed with its event. In a tree it is 0.
    pub fn offset(&self) -> u64 {
        self.node.offset
    }

    /// Returns the number of nodes before this one on the path from the root. 0 for the root.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Returns the number of the node in its game, in file order, from 0.
    pub fn number(&self) -> usize {
        self.number
    }

    /// Returns the number of the game, from 0. Games without steps also count.
    pub fn game(&self) -> usize {
        self.game
    }

    /// Returns whether all variations on the path to this node are first ones.
    pub fn is_on_main_line(&self) -> bool {
        self.is_on_main_line
    }

    /// Returns whether a variation starts after this node. A later one starts only after such nodes.
    #[doc(hidden)]
    pub fn has_tree(&self) -> bool {
        self.has_tree
    }
}

/// A stone that was placed on an empty point, or removed. Returned by [`Step::changes`].
///
/// A stone that replaces another one is two changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StoneChange {
    /// The point.
    pub point: Point,
    /// The color of the stone.
    pub color: Color,
    /// Whether it was placed.
    pub is_placed: bool,
}

impl Walk {
    /// Creates the state before the first game.
    pub fn new() -> Self {
        Walk::default()
    }

    /// Processes the next event, and returns the node that it ends.
    ///
    /// A node ends at the next `Node`, `StartTree` or `EndTree`. `offset` is that of the event's lexeme.
    #[inline]
    pub fn event(&mut self, event: Event<'_>, offset: u64) -> Option<Step<'_>> {
        if std::mem::take(&mut self.has_step) {
            self.replay.forget_seen();
        }
        if let Some(deferred) = self.deferred.take() {
            self.replay.follow(deferred);
            if deferred == Event::Node {
                self.replay.begin_seen();
            }
        }
        let node = &mut self.node;
        self.replay.execute(event, &mut |_, effect| {
            if let (Effect::Move(color, read, played), Some(node)) = (effect, node.as_mut()) {
                (node.last_played, node.last_effect) = (Some((color, read)), played);
                if node.played.is_none() {
                    (node.played, node.effect) = (node.last_played, node.last_effect);
                }
            }
        });
        let (deferred, next) = match event {
            Event::Node => (Event::Node, Some(Node { offset, ..Node::default() })),
            Event::StartTree => (Event::StartTree, None),
            Event::EndTree => (Event::EndTree, None),
            _ => return None,
        };
        self.deferred = Some(deferred);
        let number = self.nodes;
        if next.is_some() {
            self.nodes += 1;
        } else if deferred == Event::StartTree && self.replay.facts().depth() == 1 {
            (self.games, self.nodes) = (self.games + 1, 0);
        }
        let node = std::mem::replace(&mut self.node, next)?;
        let line = self.replay.line();
        let board = self.replay.board_of_node()?;
        self.has_step = true;
        Some(Step {
            board,
            changes: self.replay.seen(),
            own_changes: self.replay.seen_in_node(),
            node,
            game: self.games.saturating_sub(1),
            number: number.saturating_sub(1),
            depth: line.nodes.saturating_sub(1),
            moves: line.moves,
            unread: self.replay.unread(),
            is_on_main_line: !line.is_beside,
            has_tree: deferred == Event::StartTree,
        })
    }

    /// Prepares for the next game, when the rest of this one was skipped.
    ///
    /// Call it after [`Reader::skip_game`](sgf_stream::Reader::skip_game) within a game, and similar methods.
    pub fn skip_game(&mut self) {
        self.replay.skip_game();
        (self.node, self.deferred) = (None, None);
    }

    /// Returns the last position, and drops the rest.
    pub fn into_board(self) -> Option<Board> {
        self.replay.into_board()
    }

    /// Creates a visitor that calls a function with every node of a game, variations included.
    ///
    /// Nodes come as in [`walk()`]. [`Flow::Break`] has the same effect as [`Flow::SkipGame`].
    ///
    /// ```
    /// use sgf_stream::Parser;
    /// use sgf_board::Walk;
    ///
    /// // Moves that no rules allow.
    /// let mut illegal = Vec::new();
    /// let mut reader = Parser::new().slice(b"(;SZ[9];B[aa];W[aa](;B[bb])(;B[aa]))");
    /// reader.read_game(&mut Walk::visitor(|step| {
    ///     if step.effect().is_some_and(|played| played.replaced.is_some() || played.retakes_ko) {
    ///         illegal.push((step.offset(), step.move_number()));
    ///     }
    /// }))?;
    /// assert_eq!(illegal, [(13, 2), (28, 3)]);
    /// # Ok::<(), sgf_stream::SyntaxError>(())
    /// ```
    pub fn visitor<F, R>(on_step: F) -> impl Visitor<Output = ()>
    where
        F: FnMut(&Step<'_>) -> R,
        R: Into<Flow>,
    {
        Nodes { steps: Steps::new(on_step), is_line: false }
    }

    /// Creates a visitor that calls a function with every node of a main line.
    ///
    /// The root is the first one. [`Flow`]s other than `Continue` skip the rest of the game.
    ///
    /// ```
    /// use sgf_board::Walk;
    /// use sgf_stream::value::go::Move;
    /// use sgf_stream::{Flow, Parser};
    ///
    /// // The first twenty moves of each game.
    /// let mut openings = Vec::new();
    /// let mut reader = Parser::new().slice(b"(;SZ[9];B[cc];W[gg](;B[gc])(;B[cg]))(;SZ[9];B[ee])");
    /// loop {
    ///     let mut opening = String::new();
    ///     let mut visitor = Walk::line_visitor(|step| {
    ///         if let Some((_, Move::Play(point))) = step.played() {
    ///             opening += &point.to_string();
    ///         }
    ///         if step.move_number() < 20 { Flow::Continue } else { Flow::SkipGame }
    ///     });
    ///     let has_game = reader.read_game(&mut visitor)?.is_some();
    ///     drop(visitor);
    ///     if !has_game {
    ///         break;
    ///     }
    ///     openings.push(opening);
    /// }
    /// assert_eq!(openings, ["ccgggc", "ee"]);
    /// # Ok::<(), sgf_stream::SyntaxError>(())
    /// ```
    pub fn line_visitor<F, R>(on_step: F) -> impl Visitor<Output = ()>
    where
        F: FnMut(&Step<'_>) -> R,
        R: Into<Flow>,
    {
        Nodes { steps: Steps::new(on_step), is_line: true }
    }
}

/// Passes the steps of a walk to a function.
struct Steps<F> {
    walk: Walk,
    on_step: F,
    /// The depth of the node whose descendants are omitted.
    skips_below: usize,
}

impl<F: FnMut(&Step<'_>) -> R, R: Into<Flow>> Steps<F> {
    fn new(on_step: F) -> Self {
        Steps { walk: Walk::new(), on_step, skips_below: usize::MAX }
    }

    /// Processes the next event. Returns how to continue the stream.
    #[inline]
    fn event(&mut self, event: Event<'_>, offset: u64) -> Flow {
        let Steps { walk, on_step, skips_below } = self;
        let Some(step) = walk.event(event, offset) else { return Flow::Continue };
        if step.depth > *skips_below {
            walk.has_step = false; // its changes belong to the next one
            return Flow::Continue;
        }
        *skips_below = usize::MAX;
        match on_step(&step).into() {
            Flow::Continue => Flow::Continue,
            Flow::Skip => {
                *skips_below = step.depth;
                Flow::Continue
            }
            // The node was the last one.
            Flow::SkipGame if walk.replay.facts().depth() == 0 => Flow::Continue,
            Flow::SkipGame => {
                walk.skip_game();
                Flow::SkipGame
            }
            _ => Flow::Break,
        }
    }

    /// Starts a game, even if the game before it was not read to its end.
    fn begin_game(&mut self, offset: u64) {
        self.walk.skip_game();
        self.event(Event::StartTree, offset);
    }

    fn visit(&mut self, event: Event<'_>, offset: u64) -> ControlFlow<()> {
        match self.event(event, offset) {
            Flow::Continue => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        }
    }

    #[inline]
    fn visit_property(&mut self, ident: Ident<'_>, offset: u64) -> ControlFlow<(), Skip> {
        if self.walk.replay.ignores(ident) {
            return ControlFlow::Continue(Skip::Yes);
        }
        self.visit(Event::Property(ident), offset).map_continue(|()| Skip::No)
    }
}

/// A visitor of all nodes of a game, or of its main line.
struct Nodes<F> {
    steps: Steps<F>,
    is_line: bool,
}

impl<F: FnMut(&Step<'_>) -> R, R: Into<Flow>> Visitor for Nodes<F> {
    type Game = ();
    type Output = ();

    fn begin_game(&mut self, offset: u64) -> ControlFlow<()> {
        self.steps.begin_game(offset);
        ControlFlow::Continue(())
    }

    fn start_tree(&mut self, (): &mut (), variation: Variation) -> ControlFlow<(), Skip> {
        match self.is_line {
            true => ControlFlow::Continue(if variation.is_first { Skip::No } else { Skip::Yes }),
            false => self.steps.visit(Event::StartTree, variation.offset).map_continue(|()| Skip::No),
        }
    }

    #[inline]
    fn node(&mut self, (): &mut (), offset: u64) -> ControlFlow<(), Skip> {
        self.steps.visit(Event::Node, offset).map_continue(|()| Skip::No)
    }

    #[inline]
    fn property(&mut self, (): &mut (), ident: Ident<'_>, offset: u64) -> ControlFlow<(), Skip> {
        self.steps.visit_property(ident, offset)
    }

    #[inline]
    fn value(&mut self, (): &mut (), value: RawValue<'_>, offset: u64) -> ControlFlow<()> {
        self.steps.visit(Event::Value(value), offset)
    }

    fn end_tree(&mut self, (): &mut (), offset: u64) -> ControlFlow<()> {
        match self.is_line {
            true => ControlFlow::Continue(()),
            false => self.steps.visit(Event::EndTree, offset),
        }
    }

    fn end_game(&mut self, (): ()) {
        self.steps.event(Event::EndTree, 0);
    }
}
