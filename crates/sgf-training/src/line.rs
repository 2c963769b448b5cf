//! The positions of a main line, as bits.

use sgf_board::{Step, Symmetry};
use sgf_stream::value::go::Move;
use sgf_stream::value::{Color, Size};

use crate::bits;
use crate::grid::Grid;
use crate::liberties::Liberties;
use crate::plane::Plane;

/// Why the positions of a line end before the game does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// A move that no rules allow, or that cannot be read.
    IllegalMoveError,
    /// Stones are set up after the first move.
    Setup,
}

/// A move, as a point or a pass.
#[derive(Clone, Copy, Debug)]
struct Played {
    color: Color,
    at: Option<u16>,
    /// The number of moves before it since one player moved twice.
    alternate: u32,
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
    liberties: Liberties,
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
            liberties: Liberties::new(&grid),
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
            self.end = Some(End::IllegalMoveError);
            return;
        }
        let effect = step.last_effect().unwrap_or_default();
        let played = step.last_played();
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
            self.end = Some(End::IllegalMoveError);
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
                    self.end = Some(End::IllegalMoveError);
                    return;
                }
            },
        };
        self.stones.extend_from_slice(&self.now);
        self.kos.push(self.ko.filter(|(banned, _)| *banned == color).map(|(_, at)| at));
        let alternate = match self.moves.last() {
            Some(last) if last.color != color => last.alternate + 1,
            _ => 0,
        };
        self.moves.push(Played { color, at, alternate });
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

    /// Appends the planes of a position, packed, to a list of bytes.
    pub(crate) fn write_planes(&mut self, at: usize, planes: &[Plane], symmetry: Symmetry, out: &mut Vec<u8>) {
        let Line { grid, stones, kos, moves, liberties, .. } = self;
        let words = grid.words();
        // The stones of a color so many positions ago; none before the start.
        let of = |ago: u8, color: Color| match at.checked_sub(usize::from(ago)) {
            Some(at) => &stones[words * (2 * at + color as usize)..][..words],
            None => &[],
        };
        if planes.iter().any(|plane| matches!(plane, Plane::Liberties(_))) {
            liberties.find(of(0, Color::Black), of(0, Color::White));
        }
        let Played { color: own, alternate, .. } = moves[at];
        let (start, bytes) = (out.len(), grid.bytes());
        let end = start + planes.len() * bytes;
        out.resize(end + size_of::<u64>(), 0); // the last set takes whole words, too
        for (n, &plane) in planes.iter().enumerate() {
            let out = &mut out[start + n * bytes..];
            let point = match plane {
                Plane::Ko => kos[at],
                // The moves are those of both players in turn.
                Plane::Move(k) if u32::from(k) <= alternate => moves[at - usize::from(k)].at,
                _ => None,
            };
            if let Some(point) = point {
                bits::pack_point(grid.transformed(point, symmetry), out);
            }
            let mut pack = |words: &[u64]| bits::pack(words.iter().copied(), grid, symmetry, out);
            match plane {
                Plane::Own(ago) => pack(of(ago, own)),
                Plane::Opponent(ago) => pack(of(ago, own.opponent())),
                Plane::Black(ago) => pack(of(ago, Color::Black)),
                Plane::White(ago) => pack(of(ago, Color::White)),
                Plane::Liberties(count) => pack(liberties.of(count)),
                Plane::Empty => {
                    let stones =
                        of(0, Color::Black).iter().zip(of(0, Color::White)).map(|(black, white)| black | white);
                    bits::pack(stones, grid, symmetry, out);
                    bits::invert(grid, out);
                }
                Plane::Board => bits::invert(grid, out),
                Plane::Turn if own == Color::Black => bits::invert(grid, out),
                Plane::Turn | Plane::Ko | Plane::Move(_) => {}
            }
        }
        out.truncate(end);
    }
}
