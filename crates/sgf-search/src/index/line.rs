//! The lines of games, as short lists of what changes on the board.
//!
//! A line is a list of [`Op`]s, two bytes each. It has all that a [`Matcher`](crate::Matcher) needs: stones placed and
//! removed, captures too, so that a search replays it without the rules of the game.

use sgf_board::Step;
use sgf_stream::value::go::{Move, Point};
use sgf_stream::value::{Color, Size};

/// What happens in a node of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    /// A node whose move places a stone, and nothing before it.
    Move(Color, u16),
    /// A node whose move is a pass.
    Pass(Color),
    /// A node that starts without a move.
    Node,
    /// A stone is placed.
    Place(Color, u16),
    /// A stone is removed.
    Remove(u16),
    /// The move of a node that has other changes before it.
    Played(Color, u16),
    /// A pass of a node that has other changes before it.
    PlayedPass(Color),
    /// A move of a node with several, apart from the last one. Its stones are placed and removed.
    Earlier,
}

/// The codes of the operations of a board: a number for each kind, point and color.
///
/// Frequent kinds come first, so that most codes are small, and short in a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Codes {
    /// The number of codes of a kind.
    of_kind: u16,
}

impl Codes {
    pub(crate) fn of(size: Size) -> Self {
        Codes { of_kind: (2 * size.columns() * size.rows()) as u16 } // at most 2 * 52 * 52
    }

    /// Returns the code of an operation.
    pub(crate) fn code(self, op: Op) -> u16 {
        let (kind, color, at) = match op {
            Op::Move(color, at) => (0, color, at),
            Op::Remove(at) => (1, Color::Black, at),
            Op::Node => (2, Color::Black, 0),
            Op::Pass(color) => (3, color, 0),
            Op::Place(color, at) => (4, color, at),
            Op::Played(color, at) => (5, color, at),
            Op::PlayedPass(color) => (6, color, 0),
            Op::Earlier => (7, Color::Black, 0),
        };
        kind * self.of_kind + 2 * at + color as u16
    }

    /// Returns the operation of a code; `None` if no operation has it.
    #[inline]
    pub(crate) fn op(self, code: u16) -> Option<Op> {
        let (kind, rest) = match code < self.of_kind {
            true => (0, code),
            false => (code / self.of_kind, code % self.of_kind),
        };
        let (at, color) = (rest / 2, if rest % 2 == 0 { Color::Black } else { Color::White });
        Some(match kind {
            0 => Op::Move(color, at),
            1 => Op::Remove(at),
            2 => Op::Node,
            3 => Op::Pass(color),
            4 => Op::Place(color, at),
            5 => Op::Played(color, at),
            6 => Op::PlayedPass(color),
            7 => Op::Earlier,
            _ => return None,
        })
    }
}

impl Op {
    /// Returns whether a node starts.
    #[inline]
    pub(crate) fn is_node(self) -> bool {
        matches!(self, Op::Move(..) | Op::Pass(_) | Op::Node)
    }
}

/// Returns the number of a point, row by row.
#[inline]
pub(crate) fn number(point: Point, size: Size) -> u16 {
    u16::from(point.y()) * size.columns() as u16 + u16::from(point.x())
}

/// Returns the point with a number; `None` if it is not on the board.
#[inline]
pub(crate) fn point(number: u16, size: Size) -> Option<Point> {
    let columns = size.columns() as u16;
    let point = Point::new((number % columns) as u8, (number / columns) as u8)?;
    size.holds(point.x().into(), point.y().into()).then_some(point)
}

/// A line, or the part of one that it does not share with lines before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// The depth of its first own node.
    pub(crate) from: usize,
    /// The number of that node in the game.
    pub(crate) first_node: usize,
    pub(crate) own: Vec<u16>,
}

/// The lines of a game.
#[derive(Clone, Debug)]
pub(crate) struct Lines {
    pub(crate) size: Size,
    pub(crate) lines: Vec<Line>,
    /// The number of moves up to each node of the open path.
    moves: Vec<usize>,
}

/// The operations of the open path, in which the own nodes of all lines have their places.
#[derive(Clone, Debug, Default)]
pub(crate) struct Path {
    pub(crate) ops: Vec<u16>,
    /// Where the node at each depth starts.
    starts: Vec<usize>,
}

impl Path {
    pub(crate) fn clear(&mut self) {
        self.ops.clear();
        self.starts.clear();
    }

    /// Goes on with a line. Returns false if it does not start on the path, which is an error of the index.
    pub(crate) fn follow(&mut self, codes: Codes, from: usize, own: impl Iterator<Item = u16>) -> bool {
        if from > self.starts.len() {
            return false;
        }
        if let Some(&start) = self.starts.get(from) {
            self.ops.truncate(start);
            self.starts.truncate(from);
        }
        for code in own {
            match codes.op(code) {
                Some(op) if op.is_node() => self.starts.push(self.ops.len()),
                Some(_) if !self.starts.is_empty() => {}
                _ => return false,
            }
            self.ops.push(code);
        }
        true
    }
}

impl Lines {
    pub(crate) fn new(size: Size) -> Self {
        Lines { size, lines: Vec::new(), moves: Vec::new() }
    }

    /// Adds the next node of a walk.
    pub(crate) fn add(&mut self, step: &Step<'_>) {
        if self.lines.is_empty() || step.depth() < self.moves.len() {
            self.lines.push(Line { from: step.depth(), first_node: step.number(), own: Vec::new() });
        }
        self.moves.truncate(step.depth());
        let before = self.moves.last().copied().unwrap_or(0);
        self.moves.push(step.move_number());
        let (size, codes) = (self.size, Codes::of(self.size));
        let Some(Line { own, .. }) = self.lines.last_mut() else { return };
        let start = own.len();
        own.push(codes.code(Op::Node));
        for change in step.own_changes() {
            let at = number(change.point, size);
            own.push(codes.code(if change.is_placed { Op::Place(change.color, at) } else { Op::Remove(at) }));
        }
        let Some((color, played)) = step.last_played() else { return };
        match (played, step.last_effect()) {
            (Move::Play(point), Some(_)) => {
                let at = number(point, size);
                if own.get(start + 1) == Some(&codes.code(Op::Place(color, at))) {
                    own.remove(start + 1);
                    own[start] = codes.code(Op::Move(color, at));
                } else {
                    own.push(codes.code(Op::Played(color, at)));
                }
            }
            _ if own.len() == start + 1 => own[start] = codes.code(Op::Pass(color)),
            _ => own.push(codes.code(Op::PlayedPass(color))),
        }
        let earlier = (step.move_number() - before).saturating_sub(1);
        own.extend(std::iter::repeat_n(codes.code(Op::Earlier), earlier));
    }
}
