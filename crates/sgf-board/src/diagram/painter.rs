//! Diagrams of the nodes of a game.

use std::collections::HashSet;
use std::sync::Arc;

use sgf_stream::internal::{Budget, Drawing};
use sgf_stream::property::{self, Property};
use sgf_stream::value::{Color, Size, hex};
use sgf_stream::{Event, Game, RawValue, work};

use super::marks;
use super::{Diagram, DiagramError, MAX_SIDE, Mark, Shape, Spot};
use crate::Board;
use crate::grid::HexStones;
use crate::replay::{Action, Effect, Replay};

/// A painter of diagrams of the nodes of a game, from its events.
///
/// Pass it the events from the root to a node, or all events of the game in order; [`diagram`](Self::diagram) draws the
/// node of the last event. Marks and labels are those of this node; `DD` and `VW` also apply to the nodes after theirs. To
/// draw only the root, end its tree: its stones are placed when it ends, because the size of the board may be its last
/// property.
///
/// ```
/// use sgf_stream::Parser;
/// use sgf_board::{Mark, Painter};
/// use sgf_stream::value::go::Point;
///
/// let mut painter = Painter::new();
/// Parser::new().parse(b"(;SZ[9];B[ee];W[ec]TR[ee])", |event, _| painter.event(event))?;
/// let diagram = painter.diagram()?;
/// assert_eq!(diagram.get(Point::parse("ee")?).unwrap().mark, Some(Mark::Triangle));
/// assert_eq!(diagram.last_move().map(|spot| diagram.name(spot)).as_deref(), Some("E7"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// It draws Go on boards of up to 52x52, with captures, and Hex. A `VW` that names a point off the board is ignored: the
/// whole board is shown. It has the limits of a [`Replay`](Replay#limits), also in Hex, and rectangles of markup are drawn
/// up to 1,000,000 points.
#[derive(Clone, Debug, Default)]
pub struct Painter {
    replay: Replay,
    hex: HexBoard,
    /// The effects of the event in Hex.
    steps: Vec<HexStep>,
    /// The points that rectangles of setup may still name in Hex.
    budget: Budget,
    /// A rectangle exceeded the budget.
    is_exceeded: bool,
    line: Line,
    /// The moves of the path that put a stone on the board.
    moves: Vec<NumberedMove>,
    /// The markup of the node, and its kind.
    open: Option<Drawing>,
    markup: Vec<(Drawing, Box<[u8]>)>,
    inherited: Inherited,
    branches: Vec<Branch>,
}

/// The state of the current line.
#[derive(Clone, Copy, Debug, Default)]
struct Line {
    /// Number of moves, passes included.
    moves: usize,
    /// The last move, if it was played on the board.
    last: Option<Spot>,
}

#[derive(Clone, Copy, Debug)]
struct NumberedMove {
    number: usize,
    spot: Spot,
    color: Color,
}

/// Values of `DD` and `VW` that are in force. Shared by the variations that inherit them.
#[derive(Clone, Debug, Default)]
struct Inherited {
    dim: Arc<Vec<Box<[u8]>>>,
    view: Arc<Vec<Box<[u8]>>>,
}

/// The path at the start of a variation.
#[derive(Clone, Debug)]
struct Branch {
    hex: usize,
    moves: usize,
    line: Line,
    inherited: Inherited,
}

/// An effect of a game of Hex.
#[derive(Clone, Copy, Debug)]
enum HexStep {
    Stone(Spot, Option<Color>),
    SwapPieces,
}

/// The stones of a game of Hex, which [`Replay`] does not follow.
#[derive(Clone, Debug, Default)]
struct HexBoard {
    stones: Option<HexStones>,
    /// For each step of the open variations, how to take it back.
    undo: Vec<HexUndo>,
}

#[derive(Clone, Debug)]
enum HexUndo {
    /// A point, and the stone that was on it.
    Stone(Spot, Option<Color>),
    /// The stones that had no point when the pieces were swapped.
    SwapPieces(Box<[(Spot, Color)]>),
}

impl HexBoard {
    /// Does a step, on a board of this size, and notes how to take it back if it is part of a variation.
    fn step(&mut self, size: Size, step: HexStep, is_kept: bool) {
        let stones = self.stones.get_or_insert_with(|| HexStones::new(size));
        work::note(1);
        let undo = match step {
            HexStep::Stone(spot, stone) => HexUndo::Stone(spot, stones.replace((spot.column, spot.row), stone)),
            HexStep::SwapPieces => {
                let lost = stones.lost_if_swapped().map(|(column, row, color)| (Spot { column, row }, color)).collect();
                stones.swap_pieces();
                HexUndo::SwapPieces(lost)
            }
        };
        if is_kept {
            self.undo.push(undo);
        }
    }

    /// Takes back the steps of the open variations, except the first `to`.
    fn take_back(&mut self, to: usize) {
        let Some(stones) = &mut self.stones else { return };
        work::note(self.undo.len() - to);
        for undo in self.undo.drain(to..).rev() {
            match undo {
                HexUndo::Stone(spot, stone) => _ = stones.replace((spot.column, spot.row), stone),
                HexUndo::SwapPieces(lost) => {
                    stones.swap_pieces();
                    for (spot, color) in lost {
                        stones.replace((spot.column, spot.row), Some(color));
                    }
                }
            }
        }
    }
}

impl Painter {
    /// Creates a painter, before the first game.
    pub fn new() -> Self {
        Painter::default()
    }

    /// Processes the next event.
    pub fn event(&mut self, event: Event<'_>) {
        match event {
            Event::StartTree if self.replay.facts().depth() == 0 => *self = Painter::default(),
            Event::EndTree => {
                if let Some(Branch { hex, moves, line, inherited }) = self.branches.pop() {
                    self.hex.take_back(hex);
                    self.moves.truncate(moves);
                    (self.line, self.inherited) = (line, inherited);
                    self.markup.clear();
                }
            }
            Event::Node => {
                self.markup.clear();
                self.open = None;
            }
            Event::Property(ident) => {
                self.open = property::find(&ident.name()).find_map(Property::drawing);
                match self.open {
                    Some(Drawing::Dim) => self.inherited.dim = Arc::default(),
                    Some(Drawing::View) => self.inherited.view = Arc::default(),
                    _ => {}
                }
            }
            Event::Value(value) => self.note_markup(value),
            _ => {}
        }
        self.play(event);
        if event == Event::StartTree && self.replay.facts().depth() > 1 {
            self.branches.push(Branch {
                hex: self.hex.undo.len(),
                moves: self.moves.len(),
                line: self.line,
                inherited: self.inherited.clone(),
            });
        }
    }

    /// Plays the moves and the setup of an event. Those of a root are played when it has ended.
    fn play(&mut self, event: Event<'_>) {
        // Boards of Go that the replay does not follow have no diagrams, so their stones are not kept.
        let is_hex = self.replay.facts().context().game() == Game::Hex;
        let Painter { replay, steps, budget, is_exceeded, line, moves, .. } = self;
        let mut note_move = |color, spot: Option<Spot>| {
            *line = Line { moves: line.moves + 1, last: spot };
            moves.extend(spot.map(|spot| NumberedMove { number: line.moves, spot, color }));
        };
        replay.event_with(event, &mut |_, effect| match effect {
            Effect::Move(color, played, _) => note_move(color, played.point().map(Spot::from)),
            Effect::Raw(Action::Move(color), value) if is_hex => note_move(color, play_hex(color, value, steps)),
            Effect::Raw(Action::Move(color), _) => note_move(color, None),
            Effect::Raw(Action::Setup(stone), value) if is_hex => {
                *is_exceeded = *is_exceeded || !set_up_hex(stone, value, steps, budget);
            }
            Effect::Raw(..) | Effect::Setup | Effect::UnreadMove => {}
        });
        let size = replay.facts().context().board().filter(|size| size.columns().max(size.rows()) <= MAX_SIDE);
        for step in steps.drain(..) {
            if let Some(size) = size {
                self.hex.step(size, step, !self.branches.is_empty());
            }
        }
    }

    fn note_markup(&mut self, value: RawValue<'_>) {
        match self.open {
            Some(Drawing::Dim) => Arc::make_mut(&mut self.inherited.dim).push(value.as_bytes().into()),
            Some(Drawing::View) => Arc::make_mut(&mut self.inherited.view).push(value.as_bytes().into()),
            Some(markup) => self.markup.push((markup, value.as_bytes().into())),
            None => {}
        }
    }

    /// Returns the number of moves from the root to the node, passes included.
    pub fn move_number(&self) -> usize {
        self.line.moves
    }

    /// Returns the position after the node; `None` in games other than Go.
    pub fn board(&self) -> Option<&Board> {
        self.replay.board()
    }

    /// Draws the node.
    ///
    /// # Errors
    ///
    /// Fails if the game is neither Go nor Hex, if the board is too large, or if the position is not known.
    pub fn diagram(&self) -> Result<Diagram, DiagramError> {
        let context = self.replay.facts().context();
        let size = context.board();
        let mut diagram = match (context.game(), self.replay.board(), size) {
            (Game::Go, Some(board), _) => Diagram::of(board),
            (Game::Go, None, Some(size)) => {
                let empty = Diagram::new(Shape::Grid, size).ok_or(DiagramError::Size)?;
                // Before the root ends, its stones have not been placed.
                if self.replay.facts().is_final() { return Err(DiagramError::Position) } else { empty }
            }
            (Game::Hex, ..) if self.is_exceeded => return Err(DiagramError::Position),
            (Game::Hex, _, Some(size)) => {
                let mut diagram = Diagram::new(Shape::Rhombus, size).ok_or(DiagramError::Size)?;
                for (column, row, color) in self.hex.stones.iter().flat_map(HexStones::all) {
                    diagram.stone(Spot { column, row }, color);
                }
                diagram
            }
            (Game::Go | Game::Hex, _, None) => return Err(DiagramError::Size),
            (game, ..) => return Err(DiagramError::Game(game)),
        };
        self.mark(&mut diagram, context.game());
        diagram.set_last_move(self.line.last);
        Ok(diagram)
    }

    fn mark(&self, diagram: &mut Diagram, game: Game) {
        let size = diagram.size();
        let mut budget = Budget::default();
        let mut spots = |value: &[u8]| {
            let spots = marks::spots(game, size, RawValue::new(value));
            work::note(1 + spots.len());
            if budget.expand(spots.len() as u64) { spots } else { Vec::new() }
        };
        for spot in self.inherited.dim.iter().flat_map(|value| spots(value)) {
            diagram.change(spot, |point| point.is_dim = true);
        }
        let mut is_shown = vec![false; diagram.points.len()];
        let mut is_on_board = true;
        for spot in self.inherited.view.iter().flat_map(|value| spots(value)) {
            match diagram.index(spot) {
                Some(at) => is_shown[at] = true,
                None => is_on_board = false,
            }
        }
        if is_on_board && is_shown.contains(&true) {
            diagram.points.iter_mut().zip(is_shown).for_each(|(point, is_shown)| point.is_hidden = !is_shown);
        }
        let mut letters = 'a'..='z';
        for (drawing, value) in &self.markup {
            let raw = RawValue::new(value);
            work::note(value.len());
            let mark = match *drawing {
                Drawing::Circle => Mark::Circle,
                Drawing::Cross => Mark::Cross,
                Drawing::Square => Mark::Square,
                Drawing::Triangle => Mark::Triangle,
                Drawing::Selected => Mark::Selected,
                Drawing::BlackArea => Mark::Territory(Color::Black),
                Drawing::WhiteArea => Mark::Territory(Color::White),
                Drawing::Label => {
                    if let Some((at, text)) = raw.compose()
                        && let Some(spot) = marks::spot(game, at)
                    {
                        diagram.label(spot, text.simple_text());
                    }
                    continue;
                }
                Drawing::Letters => {
                    if let (Some(spot), Some(letter)) = (marks::spot(game, raw), letters.next()) {
                        diagram.label(spot, letter);
                    }
                    continue;
                }
                Drawing::Line | Drawing::Arrow => {
                    if let Some((from, to)) = raw.compose()
                        && let (Some(from), Some(to)) = (marks::spot(game, from), marks::spot(game, to))
                    {
                        diagram.connect(from, to, *drawing == Drawing::Arrow);
                    }
                    continue;
                }
                Drawing::Dim | Drawing::View => continue,
            };
            spots(value).into_iter().for_each(|spot| _ = diagram.mark(spot, mark));
        }
    }

    /// Writes the numbers of the last `moves` moves on their stones.
    ///
    /// Points with a label keep it. A captured stone has no number, and a stone that was played where another one was captured has its own.
    pub fn number_moves(&self, diagram: &mut Diagram, moves: usize) {
        let first = self.line.moves.saturating_sub(moves);
        let mut seen = HashSet::new();
        for &NumberedMove { number, spot, color } in self.moves.iter().rev().take_while(|played| played.number > first)
        {
            work::note(1);
            if seen.insert(spot) {
                diagram.change(spot, |point| {
                    if point.label.is_none() && point.stone == Some(color) {
                        point.label = Some(number.to_string());
                    }
                });
            }
        }
    }
}

/// Plays a Hex move. Returns its point.
fn play_hex(color: Color, value: RawValue<'_>, steps: &mut Vec<HexStep>) -> Option<Spot> {
    let played = hex::Move::parse(value).or_else(|_| hex::Move::parse_lenient(value)).ok()?;
    if played == hex::Move::SwapPieces {
        steps.push(HexStep::SwapPieces);
    }
    let spot = Spot::from(played.point()?);
    steps.push(HexStep::Stone(spot, Some(color)));
    Some(spot)
}

/// Sets up Hex stones. Returns false if they exceed the budget.
fn set_up_hex(stone: Option<Color>, value: RawValue<'_>, steps: &mut Vec<HexStep>, budget: &mut Budget) -> bool {
    let Some(largest) = Size::square(MAX_SIDE) else { return true };
    let spots = marks::spots(Game::Hex, largest, value);
    work::note(spots.len());
    let fits = budget.expand(spots.len() as u64);
    if fits {
        steps.extend(spots.into_iter().map(|spot| HexStep::Stone(spot, stone)));
    }
    fits
}

#[cfg(test)]
mod tests {
    use super::*;
    use sgf_stream::Parser;

    /// Returns a painter after the last node.
    fn painted(game: &str) -> Painter {
        let mut events: Vec<_> = Parser::new().slice(game.as_bytes()).map_while(Result::ok).collect();
        while events.pop_if(|event| *event == Event::EndTree).is_some() {}
        let mut painter = Painter::new();
        events.into_iter().for_each(|event| painter.event(event));
        painter
    }

    #[test]
    fn each_variation_has_the_moves_of_the_root() {
        let painter = painted("(;SZ[9]B[aa](;W[bb])(;W[cc]");
        assert_eq!(painter.move_number(), 2);
        let mut diagram = painter.diagram().unwrap();
        painter.number_moves(&mut diagram, 2);
        let numbers: Vec<_> =
            diagram.points().filter_map(|(spot, point)| Some((spot.row, point.label.clone()?))).collect();
        assert_eq!(numbers, [(0, "1".to_owned()), (2, "2".to_owned())]);
    }

    #[test]
    fn stones_of_hex_are_those_of_the_path() {
        let stones = |game: &str| {
            let diagram = painted(game).diagram().unwrap();
            let stones =
                diagram.points().filter_map(|(spot, point)| Some(format!("{}{}", point.stone?, diagram.name(spot))));
            stones.collect::<Vec<_>>().join(" ")
        };
        let variation = "(;B[b2];W[a1];AE[b2];W[swap-pieces];B[d1];W[swap-pieces])";
        for size in ["4", "4:3"] {
            let root = format!("(;GM[11]SZ[{size}]AB[d1]AW[a2]B[c3]");
            assert_eq!(stones(&format!("{root}{variation}(;")), stones(&format!("{root};")));
            let game = format!("{root};W[d3]{variation}(;W[b1](;B[a1]){variation}(;");
            assert_eq!(stones(&game), "WB1 BD1 WA2 BC3 WD3", "{size}");
        }
        assert_eq!(stones("(;GM[11]SZ[4]AB[a2](;W[a1](;B[swap-pieces]"), "BA1 WB1");
    }

    #[test]
    fn setup_beyond_the_budget_of_a_go_game_is_not_kept() {
        let game = format!("(;SZ[52];{};B[aa])", "AB[aa:ZZ]".repeat(500));
        let mut painter = Painter::new();
        Parser::new().parse(game.as_bytes(), |event, _| painter.event(event)).unwrap();
        assert!(painter.board().is_none() && painter.hex.stones.is_none() && painter.moves.is_empty());
        assert_eq!((painter.move_number(), painter.diagram()), (1, Err(DiagramError::Position)));
    }
}
