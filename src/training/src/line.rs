//! The positions of a main line, as bits.

use sgf_stream::board::{Step, Symmetry};
use sgf_stream::value::go::{Move, Point};
use sgf_stream::value::{Color, Size};

use crate::bits::{self, Grid};
use crate::plane::Plane;

/// Why the positions of a line end before the game does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// A move that no rules allow, or that cannot be read.
    Illegal,
    /// Stones are set up after the first move.
    Setup,
}

/// A move, as a point or a pass.
#[derive(Clone, Copy, Debug)]
struct Played {
    color: Color,
    at: Option<u16>,
}

/// The positions of a main line before each of its moves.
///
/// It is used again for each game, so that nothing is allocated.
pub(crate) struct Line {
    grid: Grid,
    /// Of each position, the words of Black's stones and those of White's.
    stones: Vec<u64>,
    /// The stones after the last step.
    now: Vec<u64>,
    /// Of each position, the point where a ko forbids the next move.
    kos: Vec<Option<u16>>,
    moves: Vec<Played>,
    ko: Option<(Color, u16)>,
    end: Option<End>,
    liberties: bits::Liberties,
}

impl Line {
    pub(crate) fn new(size: Size) -> Self {
        let grid = Grid::new(size);
        Line {
            stones: Vec::new(),
            now: vec![0; 2 * grid.words()],
            kos: Vec::new(),
            moves: Vec::new(),
            ko: None,
            end: None,
            liberties: bits::Liberties::new(&grid),
            grid,
        }
    }

    /// Begins another game.
    pub(crate) fn clear(&mut self) {
        self.stones.clear();
        self.now.fill(0);
        self.kos.clear();
        self.moves.clear();
        (self.ko, self.end) = (None, None);
    }

    pub(crate) fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Returns the number of positions, each with the move after it.
    pub(crate) fn len(&self) -> usize {
        self.moves.len()
    }

    pub(crate) fn end(&self) -> Option<End> {
        self.end
    }

    /// Processes the next node of the main line.
    ///
    /// After the end it does nothing. The game is read all the same: a reader's `skip_game` skips the rest of a game that was not.
    pub(crate) fn step(&mut self, step: &Step<'_>) {
        if self.end.is_none() {
            self.next(step);
        }
    }

    fn next(&mut self, step: &Step<'_>) {
        if step.unread() > 0 {
            self.end = Some(End::Illegal);
            return;
        }
        let effect = step.effect().unwrap_or_default();
        let played = step.played();
        // What a move changes: its stone, and what is captured. All else is setup.
        let of_move = match played {
            Some((_, Move::Play(_))) => 1 + effect.captured + effect.suicide + usize::from(effect.replaced.is_some()),
            _ => 0,
        };
        let is_setup = step.own_changes().count() > of_move;
        if is_setup && (played.is_some() || !self.moves.is_empty()) {
            self.end = Some(End::Setup);
            return;
        }
        if effect.replaced.is_some() || effect.retakes_ko || effect.suicide == 1 {
            self.end = Some(End::Illegal);
            return;
        }
        let Some((color, played)) = played else {
            self.follow(step);
            return;
        };
        let at = match played {
            Move::Pass => None,
            Move::Play(point) => match self.grid.index(point) {
                Some(at) => Some(at),
                None => {
                    self.end = Some(End::Illegal);
                    return;
                }
            },
        };
        self.stones.extend_from_slice(&self.now);
        self.kos.push(self.ko.filter(|(banned, _)| *banned == color).map(|(_, at)| at));
        self.moves.push(Played { color, at });
        let captured = self.follow(step);
        self.ko = None;
        if let (Some(at), Some(captured), 1) = (at, captured, effect.captured)
            && self.is_ko(at, captured)
        {
            self.ko = Some((color.opponent(), captured));
        }
    }

    /// Applies the changes of a node. Returns the last point that lost its stone.
    fn follow(&mut self, step: &Step<'_>) -> Option<u16> {
        let mut captured = None;
        for change in step.changes() {
            let Some(at) = self.grid.index(change.point) else { continue };
            let words = &mut self.now[change.color as usize * self.grid.words()..];
            bits::put(words, at, change.is_placed);
            if !change.is_placed {
                captured = Some(at);
            }
        }
        captured
    }

    /// Returns whether the stone at a point is alone, and its only liberty is where it captured one stone.
    fn is_ko(&self, at: u16, captured: u16) -> bool {
        let (black, white) = self.now.split_at(self.grid.words());
        let other = if bits::has(black, at) { white } else { black };
        self.grid.neighbors(at).all(|neighbor| neighbor == captured || bits::has(other, neighbor))
    }

    /// Returns who moves in a position.
    pub(crate) fn color(&self, at: usize) -> Color {
        self.moves[at].color
    }

    /// Returns the number of the next move: row by row, and the number of points for a pass.
    pub(crate) fn target(&self, at: usize, symmetry: Symmetry) -> u16 {
        match self.moves[at].at {
            Some(point) => self.grid.transformed(point, symmetry),
            None => self.grid.points(),
        }
    }

    /// Returns the stones of a color; none before the start.
    fn stones(&self, at: Option<usize>, color: Color) -> Option<&[u64]> {
        let words = self.grid.words();
        let start = 2 * words * at? + color as usize * words;
        self.stones.get(start..start + words)
    }

    /// Appends the planes of a position, packed, to a list of bytes.
    pub(crate) fn write_planes(&mut self, at: usize, planes: &[Plane], symmetry: Symmetry, out: &mut Vec<u8>) {
        let own = self.moves[at].color;
        if planes.iter().any(|plane| matches!(plane, Plane::Liberties(_))) {
            let words = self.grid.words();
            let start = 2 * words * at;
            let (black, white) = self.stones[start..start + 2 * words].split_at(words);
            self.liberties.find(&self.grid, black, white);
        }
        for &plane in planes {
            let ago = |ago: u8| at.checked_sub(usize::from(ago));
            let point = |point: Option<u16>, out: &mut Vec<u8>| {
                self.grid.pack_point(point.map(|point| self.grid.transformed(point, symmetry)), out);
            };
            let words = match plane {
                Plane::Own(k) => self.stones(ago(k), own),
                Plane::Opponent(k) => self.stones(ago(k), own.opponent()),
                Plane::Black(k) => self.stones(ago(k), Color::Black),
                Plane::White(k) => self.stones(ago(k), Color::White),
                Plane::Liberties(count) => Some(self.liberties.of(count)),
                Plane::Board => {
                    self.grid.pack_all(out);
                    continue;
                }
                Plane::Turn if own == Color::Black => {
                    self.grid.pack_all(out);
                    continue;
                }
                Plane::Turn => None,
                Plane::Empty => {
                    let (black, white) = (self.stones(Some(at), Color::Black), self.stones(Some(at), Color::White));
                    self.grid.pack_empty(black.unwrap_or_default(), white.unwrap_or_default(), symmetry, out);
                    continue;
                }
                Plane::Ko => {
                    point(self.kos[at], out);
                    continue;
                }
                Plane::Move(k) => {
                    point(self.earlier(at, usize::from(k)), out);
                    continue;
                }
            };
            match words {
                Some(words) => self.grid.pack(words, symmetry, out),
                None => self.grid.pack_point(None, out),
            }
        }
    }

    /// Returns the point of the k-th last move, unless one player moved twice since.
    fn earlier(&self, at: usize, k: usize) -> Option<u16> {
        let first = at.checked_sub(k)?;
        let alternate = self.moves[first..=at].windows(2).all(|pair| pair[0].color != pair[1].color);
        self.moves[first].at.filter(|_| alternate)
    }
}

/// Returns the point with a number.
pub(crate) fn point(at: u16, size: Size) -> Option<Point> {
    let columns = u16::try_from(size.columns()).ok()?;
    Point::new(u8::try_from(at % columns).ok()?, u8::try_from(at / columns).ok()?)
}
