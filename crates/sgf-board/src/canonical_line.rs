//! The line of a game itself: what equal hashes only suggest.

use std::collections::BTreeMap;
use std::sync::Arc;

use sgf_stream::internal::Budget;
use sgf_stream::node::RootFacts;
use sgf_stream::value::{Color, Symmetry};
use sgf_stream::{Event, Game, RawValue, work};

use super::grid::{Grid, GridMove};
use super::line_hash::{Orientation, role};
use super::replay::Action;

/// The line of a game in its canonical orientation, as [`LineHash`](super::LineHash) defines a copy.
///
/// Games with equal lines are copies. Games with equal hashes only may be: somebody can search for games whose hashes are
/// equal. A clone shares its memory, which is 2 bytes per stone.
///
/// ```
/// use sgf_board::{CanonicalLine, Fingerprint};
/// use sgf_stream::{Game, Parser, tree::GameTree, value::Color};
///
/// let line = |game: &str| -> Result<_, Box<dyn std::error::Error>> {
///     let print = Parser::new().slice(game.as_bytes()).read_game(&mut Fingerprint::visitor())?.unwrap();
///     let tree: GameTree = game.parse()?;
///     Ok(CanonicalLine::of(|| tree.events(), Game::Go, print.line().orientation(), Color::Black))
/// };
/// let game = line("(;AB[pp][dd];B[qd];W[dc];B[pq])")?;
/// assert_eq!(line("(;AB[dd][pp]PB[Shusaku];B[dq];W[cd];B[qp])")?, game);
/// assert!(game.starts_with(&line("(;AB[dd][pp];B[qd];W[dc])")?));
/// assert_ne!(line("(;AB[pp];B[qd];W[dc];B[pq])")?, game);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[doc(hidden)]
pub struct CanonicalLine(Arc<[u8]>);

/// The first two bytes of all other items. A stone on a board has its row and its column there, which are less than 52.
const SWAP: u16 = 0xFF00;
const RAW_STONE: u16 = 0xFF01;
const SETUP: u16 = 0xFF02;
const RAW_SETUP: u16 = 0xFF03;

impl CanonicalLine {
    /// Reads the line of a game from its events, which are asked for twice.
    ///
    /// `default_game` is the game of files without `GM`. `orientation` is the
    /// [orientation](super::LineHash::orientation) of the game's [`LineHash`](super::LineHash), and `first` is the side that
    /// plays the first stone. Copies have equal lines only if both are correct.
    pub fn of<'e, E: Iterator<Item = Event<'e>>>(
        events: impl Fn() -> E,
        default_game: Game,
        orientation: Orientation,
        first: Color,
    ) -> Self {
        // Everything before the first end is the main line: first children down to a leaf.
        let events = || events().take_while(|event| *event != Event::EndTree);
        let mut facts = RootFacts::new().default_game(default_game);
        for event in events() {
            facts.observe(event);
            if facts.is_final() {
                break;
            }
        }
        let context = facts.context();
        let mut line = Line::new(context.game(), Grid::of(&context), orientation.symmetry(), first);
        let mut open = None;
        for event in events() {
            match (event, open) {
                (Event::Property(ident), _) => open = Action::of(ident),
                (Event::Node, _) => open = None,
                (Event::Value(value), Some(Action::Move(_))) => line.play(value),
                (Event::Value(value), Some(Action::Setup(stone))) => line.set(stone, value),
                _ => {}
            }
        }
        line.end_setup();
        CanonicalLine(line.bytes.into())
    }

    /// Returns whether another line is equal, or the beginning of this one.
    pub fn starts_with(&self, other: &CanonicalLine) -> bool {
        // No item is the beginning of another item.
        self.0.starts_with(&other.0)
    }
}

/// The line of a game in progress.
struct Line {
    bytes: Vec<u8>,
    grid: Option<Grid>,
    symmetry: Symmetry,
    /// The color of the first stone.
    first: Color,
    has_stones: bool,
    /// The points that the rectangles of the game may still name.
    budget: Budget,
    /// The setup since the last stone, by its points under the symmetry.
    setup: BTreeMap<u16, Option<Color>>,
    /// Setup that is compared as it is written: the effect, and the text.
    raw: Vec<(u8, Box<[u8]>)>,
}

impl Line {
    fn new(game: Game, grid: Option<Grid>, symmetry: Symmetry, first: Color) -> Self {
        let mut bytes = game.number().to_be_bytes().to_vec();
        let size = grid.map(|grid| symmetry.apply_to_size(grid.size));
        // At most 52.
        bytes.extend(size.map_or([0, 0], |size| [size.columns() as u8, size.rows() as u8]));
        Line {
            bytes,
            grid,
            symmetry,
            first,
            has_stones: false,
            budget: Budget::default(),
            setup: BTreeMap::new(),
            raw: Vec::new(),
        }
    }

    fn push(&mut self, item: u16) {
        self.bytes.extend(item.to_be_bytes());
    }

    fn push_len(&mut self, len: usize) {
        self.bytes.extend((len as u64).to_be_bytes());
    }

    fn push_text(&mut self, text: &[u8]) {
        work::note(text.len());
        self.push_len(text.len());
        self.bytes.extend(text);
    }

    fn play(&mut self, value: RawValue<'_>) {
        let Some(grid) = self.grid else {
            self.end_setup();
            self.has_stones = true;
            self.push(RAW_STONE);
            return self.push_text(value.as_bytes().trim_ascii());
        };
        match grid.read_move(value) {
            Some(GridMove::At(x, y)) => {
                self.end_setup();
                self.has_stones = true;
                self.push(under(self.symmetry, grid, x, y));
            }
            Some(GridMove::SwapPieces) => self.push(SWAP),
            _ => {}
        }
    }

    fn set(&mut self, stone: Option<Color>, value: RawValue<'_>) {
        match self.grid {
            Some(grid) if self.budget.expand(grid.area(value)) => {
                let (symmetry, setup) = (self.symmetry, &mut self.setup);
                grid.each_point(value, |x, y| _ = setup.insert(under(symmetry, grid, x, y), stone));
            }
            _ => self.raw.push((role(stone, self.first) as u8, value.as_bytes().trim_ascii().into())),
        }
    }

    /// Adds the setup so far, which a stone or the end follows.
    fn end_setup(&mut self) {
        let mut raw = std::mem::take(&mut self.raw);
        work::note(raw.len() + self.setup.len());
        if !raw.is_empty() {
            raw.sort_unstable();
            self.push(RAW_SETUP);
            self.push_len(raw.len());
            for (role, text) in raw {
                self.bytes.push(role);
                self.push_text(&text);
            }
        }
        let mut setup = std::mem::take(&mut self.setup);
        // Before the first stone every point is empty anyway.
        setup.retain(|_, stone| self.has_stones || stone.is_some());
        if !setup.is_empty() {
            self.push(SETUP);
            self.push_len(setup.len());
            for (point, stone) in setup {
                self.bytes.push(role(stone, self.first) as u8);
                self.push(point);
            }
        }
    }
}

fn under(symmetry: Symmetry, grid: Grid, x: u8, y: u8) -> u16 {
    let (x, y) = symmetry.map((x.into(), y.into()), grid.size);
    (y << 8 | x) as u16 // both less than 52
}
