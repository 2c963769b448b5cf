//! Reads the first moves of games.

use std::io::BufRead;

use sgf_board::{Board, Step, Symmetry, Walk};
use sgf_stream::value::go::Point;
use sgf_stream::value::{Color, Size};
use sgf_stream::{Error, Flow, Reader};

use super::OpeningMove;

/// The positions of a game from a first one on, and the moves between them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Way {
    /// The canonical hashes of the positions.
    pub(super) hashes: Vec<u64>,
    /// The move from each position to the next one, on the canonical form of the position.
    pub(super) moves: Vec<OpeningMove>,
}

impl Way {
    /// Returns the number of moves.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Returns whether there are no moves.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }
}

/// Reads the first moves of games. Created by [`Openings::reader`](super::Openings::reader).
///
/// A way begins at the first node of the main line with the first position, if the board had no more stones before. If the
/// root has a move and no setup, the first position is the board before that move. A way ends at setup, at a value that cannot be read, or after the number of moves that count.
#[derive(Clone, Debug)]
pub struct OpeningReader {
    start: Board,
    /// Whether `start` becomes the empty board of each game.
    has_any_size: bool,
    hash: u64,
    /// The number of its stones.
    stones: usize,
    plies: usize,
    way: Way,
    /// The last position.
    board: Board,
    /// The symmetries that make the last position its canonical form, and its size.
    symmetries: Vec<Symmetry>,
    unread: usize,
    is_over: bool,
}

impl OpeningReader {
    pub(super) fn new(start: Board, plies: usize) -> Self {
        let hash = start.canonical_hash();
        let board = start.clone();
        OpeningReader {
            stones: stones(&start),
            start,
            has_any_size: false,
            hash,
            plies,
            way: Way::default(),
            board,
            symmetries: Vec::new(),
            unread: 0,
            is_over: false,
        }
    }

    /// Reads games on boards of any size, if the first position is the empty board.
    #[must_use]
    pub fn any_size(mut self) -> Self {
        self.has_any_size = self.stones == 0;
        self
    }

    /// Reads all games, and calls a function with each way.
    ///
    /// The function also gets the number of the game, from 0. Games without the first position have no way. Returns the number of games.
    ///
    /// # Errors
    ///
    /// Fails if the reader fails.
    pub fn read<R: BufRead>(
        &mut self,
        reader: &mut Reader<R>,
        mut on_way: impl FnMut(u64, &Way),
    ) -> Result<u64, Error> {
        let mut number = 0;
        loop {
            let is_game = reader.read_game(&mut Walk::line_visitor(|step| self.step(step)))?.is_some();
            if !is_game {
                return Ok(number);
            }
            if let Some(way) = self.end_game() {
                on_way(number, &way);
            }
            number += 1;
        }
    }

    /// Processes the next node of a main line. Returns [`Flow::SkipGame`] if the rest does not matter.
    pub fn step(&mut self, step: &Step<'_>) -> Flow {
        if step.number() == 0 {
            (self.way, self.unread, self.is_over) = (Way::default(), 0, false);
            if self.has_any_size && step.board().size() != self.start.size() {
                let Some(start) = Board::new(step.board().size()) else { return Flow::SkipGame };
                (self.hash, self.start) = (start.canonical_hash(), start);
            }
            if !self.fits(step.board().size()) {
                self.is_over = true;
                return Flow::SkipGame;
            }
            // A move in the root is the first one, unless the root also sets up stones.
            if let (0, Some((_, read))) = (self.stones, step.last_played())
                && step.own_changes().count() == usize::from(read.point().is_some())
            {
                self.arrive(&self.start.clone());
            }
        }
        let has_unread = step.unread() > std::mem::replace(&mut self.unread, step.unread());
        if self.way.hashes.is_empty() {
            let board = step.board();
            if board.canonical_hash() == self.hash {
                self.arrive(board);
            } else if stones(board) > self.stones {
                return Flow::SkipGame;
            }
            return Flow::Continue;
        }
        match step.last_played() {
            _ if self.way.moves.len() >= self.plies => self.is_over = true,
            _ if has_unread => self.is_over = true,
            None => self.is_over = self.board.hash() != step.board().hash(),
            Some((color, read)) => self.play(color, read.point(), step.board()),
        }
        match self.is_over || self.way.moves.len() >= self.plies {
            true => Flow::SkipGame,
            false => Flow::Continue,
        }
    }

    /// Ends a game, and returns its way, if it has the first position.
    pub fn end_game(&mut self) -> Option<Way> {
        Some(std::mem::take(&mut self.way)).filter(|way| !way.hashes.is_empty())
    }

    fn fits(&self, size: Size) -> bool {
        let start = self.start.size();
        size == start || size == Symmetry::TRANSPOSE.apply_to_size(start)
    }

    /// Notes a move, unless more than it has changed the board.
    fn play(&mut self, color: Color, point: Option<Point>, after: &Board) {
        let size = self.board.size();
        let images = self.symmetries.iter().filter_map(|symmetry| symmetry.apply(point?, size));
        let image = images.min_by_key(|point| (point.y(), point.x()));
        point.into_iter().for_each(|point| _ = self.board.play(color, point));
        self.is_over = self.board.hash() != after.hash();
        if !self.is_over {
            self.way.moves.push((color, image));
            self.arrive(after);
        }
    }

    /// Notes a position.
    fn arrive(&mut self, board: &Board) {
        let (hash, symmetries) = board.canonical();
        self.way.hashes.push(hash);
        self.board.clone_from(board);
        self.symmetries.clear();
        self.symmetries.extend(symmetries);
    }
}

/// Returns the number of stones on a board.
fn stones(board: &Board) -> usize {
    board.as_slice().iter().flatten().count()
}
