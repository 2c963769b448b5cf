//! The tree of openings: positions from a first one on, with the games that have them.

mod reader;
mod tree;

use std::collections::HashMap;

use sgf_board::Board;
use sgf_stream::value::go::Point;
use sgf_stream::value::{Color, Size};

pub use self::reader::{OpeningReader, Way};
pub use self::tree::{OpeningNode, OpeningTree};
use crate::pattern::{Need, Pattern};
use crate::sums::{GameFacts, GroupedSums, Sums};

/// The number of positions that are kept, unless it is set.
const MAX_POSITIONS: usize = 4_000_000;

/// Counts the first moves of games, as a tree of positions.
///
/// Positions are folded: those that are rotations or reflections of each other, and those that are reached by other orders
/// of moves, are one. Only main lines count, up to a number of moves after the first position.
///
/// ```
/// use sgf_search::{GameFacts, Openings, Outcome};
/// use sgf_stream::Parser;
/// use sgf_stream::value::{Color, Size};
///
/// let games = b"(;SZ[9];B[gc];W[cg])(;SZ[9];B[cg];W[gc])(;SZ[9];B[gc];W[gg])(;SZ[9];B[ee])";
/// let mut openings = Openings::from_empty(Size::square(9).unwrap()).unwrap();
/// let mut reader = openings.reader();
/// reader.read(&mut Parser::new().reader(&games[..]), |game, way| {
///     let winner = if game == 3 { Color::White } else { Color::Black };
///     openings.add(way, &GameFacts { outcome: Outcome::Win(winner), year: None, group: None });
/// })?;
/// let tree = openings.tree(1);
/// let root = &tree.nodes()[0];
/// let first = &tree.nodes()[root.children[0]];
/// assert_eq!((first.point.unwrap().to_string(), first.sums.games, first.children.len()), ("gc".to_owned(), 3, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Memory
///
/// A position takes some 200 bytes, and each of its groups some 150. Where there are more positions than [`max_positions`](Self::max_positions), those with the
/// fewest games are dropped, until at most half of them are left. Then the numbers of positions with few games may be too
/// low: see [`dropped`](Self::dropped).
#[derive(Clone, Debug)]
pub struct Openings {
    start: Board,
    plies: usize,
    max_positions: usize,
    /// By the hash, and the number of moves before it.
    positions: HashMap<(u64, u16), Position>,
    /// The most games of a position that was dropped.
    dropped: u64,
}

/// A position with its games, and the moves from there, as they are on its canonical form.
#[derive(Clone, Debug, Default)]
struct Position {
    sums: GroupedSums,
    moves: Vec<(OpeningMove, u64, u64)>,
}

/// A move; a pass has no point.
type OpeningMove = (Color, Option<Point>);

/// Returns whether a number of handicap stones (HA) makes an even game.
///
/// The game must also start on the empty board: otherwise an [`OpeningReader`] finds no way. Handicap 1 only lets Black
/// begin, mostly without komi.
///
/// ```
/// assert!(sgf_search::is_even(None) && sgf_search::is_even(Some(1)));
/// assert!(!sgf_search::is_even(Some(2)));
/// ```
pub fn is_even(handicap: Option<i64>) -> bool {
    handicap.is_none_or(|stones| stones <= 1)
}

impl Openings {
    /// Creates empty counts of the openings from a position.
    pub fn new(start: Board) -> Self {
        Openings { start, plies: 6, max_positions: MAX_POSITIONS, positions: HashMap::new(), dropped: 0 }
    }

    /// Creates empty counts of the openings from the empty board.
    ///
    /// `None` if it has more than 52 columns or rows.
    pub fn from_empty(size: Size) -> Option<Self> {
        Board::new(size).map(Self::new)
    }

    /// Creates empty counts of the openings from the stones of a pattern.
    ///
    /// All other points of its board are empty. `None` if the pattern is only a part of a board, wants more than stones and
    /// empty points, or has moves.
    pub fn from_pattern(pattern: &Pattern) -> Option<Self> {
        if !pattern.names_points_of_a_board() || !pattern.continuation().is_empty() {
            return None;
        }
        let mut board = Board::new(pattern.board())?;
        for point in pattern.region().points() {
            match pattern.need(point) {
                Need::Black => _ = board.set(point, Some(Color::Black)),
                Need::White => _ = board.set(point, Some(Color::White)),
                Need::Empty | Need::Any => {}
                Need::NotEmpty | Need::NotBlack | Need::NotWhite => return None,
            }
        }
        Some(Self::new(board))
    }

    /// Sets the number of moves after the first position.
    ///
    /// Default: 6.
    #[must_use]
    pub fn plies(mut self, plies: u16) -> Self {
        self.plies = plies.into();
        self
    }

    /// Sets the number of positions that are kept.
    ///
    /// Default: 4 million.
    #[must_use]
    pub fn max_positions(mut self, positions: usize) -> Self {
        self.max_positions = positions.max(1);
        self
    }

    /// Returns a reader of games for these counts.
    pub fn reader(&self) -> OpeningReader {
        OpeningReader::new(self.start.clone(), self.plies)
    }

    /// Returns empty counts with the same settings, for another thread.
    #[must_use]
    pub fn empty(&self) -> Self {
        Openings { positions: HashMap::new(), dropped: 0, start: self.start.clone(), ..*self }
    }

    /// Adds a game. Moves of its way beyond the [number of moves](Self::plies) do not count.
    pub fn add(&mut self, way: &Way, facts: &GameFacts<'_>) {
        for (ply, &hash) in (0_u16..).zip(way.hashes.iter().take(self.plies + 1)) {
            let position = self.positions.entry((hash, ply)).or_default();
            position.sums.add(facts);
            let next = usize::from(ply) + 1;
            if let (Some(&played), Some(&to), true) =
                (way.moves.get(next - 1), way.hashes.get(next), next <= self.plies)
            {
                position.add_move(played, to, 1);
            }
        }
        self.drop_rare();
    }

    /// Adds counts of other games, such as those of another thread.
    ///
    /// Both must have the same first position and number of moves.
    pub fn merge(&mut self, other: Openings) {
        for (key, position) in other.positions {
            let mine = self.positions.entry(key).or_default();
            mine.sums.merge(position.sums);
            position.moves.into_iter().for_each(|(played, to, games)| mine.add_move(played, to, games));
        }
        self.dropped += other.dropped;
        self.drop_rare();
    }

    /// Returns the number of games that have the first position.
    pub fn games(&self) -> u64 {
        let (hash, _) = self.start.canonical();
        self.positions.get(&(hash, 0)).map_or(0, |position| position.sums.all.games)
    }

    /// Returns the sums of the games of each group, in the order of groups.
    pub fn groups(&self) -> Vec<(&str, Sums)> {
        let (hash, _) = self.start.canonical();
        self.positions.get(&(hash, 0)).map_or_else(Vec::new, |position| position.sums.groups())
    }

    /// Returns the number of positions.
    pub fn positions(&self) -> usize {
        self.positions.len()
    }

    /// Returns how many games at most are missing in the numbers of a position.
    ///
    /// It is 0 unless there were too many positions.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Returns the tree of the positions with at least so many games.
    pub fn tree(&self, min_games: u64) -> OpeningTree {
        OpeningTree::new(self, min_games)
    }

    /// Drops the positions with the fewest games if there are too many.
    fn drop_rare(&mut self) {
        if self.positions.len() <= self.max_positions {
            return;
        }
        let mut games: Vec<u64> = self.positions.values().map(|position| position.sums.all.games).collect();
        let middle = games.len() - self.max_positions / 2 - 1;
        let (_, &mut most, _) = games.select_nth_unstable(middle);
        self.positions.retain(|_, position| position.sums.all.games > most);
        // What is left out once may be left out again.
        self.dropped += most;
    }
}

impl Position {
    fn add_move(&mut self, played: OpeningMove, to: u64, games: u64) {
        match self.moves.iter_mut().find(|(known, ..)| *known == played) {
            Some((.., count)) => *count += games,
            None => self.moves.push((played, to, games)),
        }
    }
}
