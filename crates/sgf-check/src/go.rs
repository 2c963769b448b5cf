//! The rules about positions of Go: turns, illegal moves, setup that changes nothing.

use std::ops::Range;

use sgf_board::IllegalMoveError;
use sgf_board::internal::{Cell, MAX_SAVED};
use sgf_stream::internal::{MoveNode, SmallBoard};
use sgf_stream::property::Property;
use sgf_stream::value::{Color, Ruleset};
use sgf_stream::{Game, RawValue};

use super::board::{Board, PlainMoves, SavedPositions, leading_moves};
use super::lists::{Lists, point_name};
use super::points::Area;
use super::report::Report;
use super::state::{GameState, Node, Path};
use super::{Rule, Rules};

/// The position of a game of Go, followed along the path.
#[derive(Debug)]
pub(super) struct GoPosition {
    checks_turns: bool,
    /// A rule about positions is on.
    checks_stones: bool,
    /// The rules of the game allow suicide.
    allows_suicide: bool,
    /// The points in lower-case letters, if this is Go.
    points: SmallBoard,
    /// Moves on these, or on those of an earlier game.
    plain: Option<PlainMoves>,
    board: Board,
    is_followed: bool,
    /// The positions at the start of the open variations.
    saved: SavedPositions,
}

impl GoPosition {
    pub(super) fn new(rules: &Rules) -> Self {
        let is_on = |rule| rules.severity(rule).is_some();
        let of_stones = [Rule::OccupiedPoint, Rule::KoRetaken, Rule::Suicide, Rule::SetupWithoutEffect];
        GoPosition {
            checks_turns: is_on(Rule::OutOfTurn),
            checks_stones: of_stones.into_iter().any(is_on),
            allows_suicide: false,
            points: SmallBoard::NONE,
            plain: None,
            board: Board::new(is_on(Rule::Suicide)),
            is_followed: false,
            saved: SavedPositions::default(),
        }
    }

    pub(super) fn begin_game(&mut self) {
        (self.points, self.is_followed, self.allows_suicide) = (SmallBoard::NONE, false, false);
        self.saved.clear();
    }

    /// Sets up the board: the game and its size are known.
    pub(super) fn start(&mut self, game: &GameState) {
        if game.context.game() == Game::Go
            && let Some(size) = game.context.board().filter(|size| size.fits(Game::Go))
        {
            self.points = SmallBoard::new(size);
            if self.plain.as_ref().is_none_or(|plain| plain.board != self.points) {
                self.plain = Some(PlainMoves::new(self.points));
            }
            if self.checks_stones {
                self.board.start(size);
                self.is_followed = true;
            }
        }
    }

    /// Begins a variation inside `depth` others. Returns whether its position is followed.
    pub(super) fn enter_variation(&mut self, depth: usize) -> bool {
        self.is_followed = self.is_followed && depth < MAX_SAVED;
        if self.is_followed {
            self.board.save(&mut self.saved);
        }
        self.is_followed
    }

    /// Ends a variation. `was_followed` is what `enter_variation` returned for it.
    pub(super) fn leave_variation(&mut self, was_followed: bool) {
        self.is_followed = was_followed;
        if was_followed {
            self.board.restore(&mut self.saved);
        }
    }

    /// Returns the point of two lower-case letters, if this is Go and it is on the board.
    #[inline]
    pub(super) fn small_point(&self, letters: [u8; 2]) -> Option<(u32, u32)> {
        self.points.point(letters).map(|(x, y)| (x.into(), y.into()))
    }

    /// Notes the rules of the game.
    pub(super) fn set_rules(&mut self, rules: RawValue<'_>) {
        let text = rules.as_bytes().to_ascii_lowercase();
        // KataGo writes its rules as one word, which ends with `sui1` if they allow suicide.
        let has_word = |word: &[u8]| memchr::memmem::find(&text, word).is_some();
        self.allows_suicide = matches!(Ruleset::parse_lenient(rules), Ok(Ruleset::Goe | Ruleset::Nz))
            || [&b"zealand"[..], b"tromp", b"sui1"].into_iter().any(has_word);
    }

    /// Notes an unreadable move, which may have ended a ko.
    pub(super) fn missed(&mut self) {
        if self.is_followed {
            self.board.pass();
        }
    }

    /// Plays a move; the point is `None` for a pass, and in other games.
    #[inline]
    pub(super) fn moved(
        &mut self,
        path: &mut Path,
        node: &mut Node,
        report: &mut Report,
        (color, point): (Color, Option<(u32, u32)>),
        at: u64,
    ) {
        if self.checks_turns && path.last == Some(color) {
            report.find(node, Rule::OutOfTurn, at..at + 4, "the same player moved last");
        }
        path.last = Some(color);
        if !self.is_followed {
            return;
        }
        let Some((column, row)) = point.filter(|&(column, row)| self.board.holds(column, row)) else {
            return self.board.pass();
        };
        if let Some(illegal) = self.board.play(column, row, color)
            && !(illegal == IllegalMoveError::Suicide && self.allows_suicide)
        {
            node.illegal.add(illegal, at);
        }
    }

    /// Plays moves up to the first of which there is more to say: that it is out of turn, or may be onto a stone. Returns
    /// their number.
    pub(super) fn play_plain(&mut self, path: &mut Path, nodes: &[[u8; MoveNode::LEN]]) -> usize {
        /// The bits in which the letters of the players differ.
        const OTHER: u8 = b'B' ^ b'W';

        let points = self.points;
        let any_turn = !self.checks_turns;
        let mut last = match path.last {
            Some(Color::Black) => b'B',
            Some(Color::White) => b'W',
            None => 0,
        };
        let wanted = |node: MoveNode<'_>| {
            let letter = node.letter();
            // The players nearly always take turns.
            let is_next = letter == last ^ OTHER || matches!(letter, b'B' | b'W') && (any_turn || last == 0);
            last = letter;
            is_next && points.has(node.letters())
        };
        let plain = self.plain.as_ref().filter(|_| any_turn);
        let played = match self.is_followed {
            true => self.board.play_anew(nodes, plain, wanted),
            false => leading_moves(nodes, plain, wanted, |_| true),
        };
        if let Some(last) = nodes[..played].last() {
            path.last = Some(if MoveNode::alone(last).letter() == b'B' { Color::Black } else { Color::White });
        }
        played
    }

    /// Executes AB, AW or AE.
    pub(super) fn setup(
        &mut self,
        game: &GameState,
        node: &mut Node,
        lists: &Lists,
        report: &mut Report,
        (row, [left, top, right, bottom]): (&'static Property, Area),
        span: &Range<u64>,
    ) {
        let cell = match row.ident() {
            "AB" => Cell::Black,
            "AW" => Cell::White,
            "AE" => Cell::Empty,
            _ => return,
        };
        if cell == Cell::Black {
            let (columns, rows) = (u64::from(right - left) + 1, u64::from(bottom - top) + 1);
            node.black_stones = node.black_stones.saturating_add(columns.saturating_mul(rows));
        }
        if !self.is_followed {
            return;
        }
        if !self.board.holds(right, bottom) {
            return;
        }
        // A point that the node names twice is reported as a duplicate, not here.
        let stones = &lists.stones;
        let in_vain = self.board.set([left, top, right, bottom], cell, |row| stones.row(row, left, right));
        if let Some((column, at_row)) = in_vain {
            let what = match cell {
                Cell::Black => "already has a black stone",
                Cell::White => "already has a white stone",
                Cell::Empty | Cell::Edge => "is already empty",
            };
            let message = format!("{}: {} {what}", row.ident(), point_name(game, column, at_row));
            report.find(node, Rule::SetupWithoutEffect, span.clone(), message);
        }
    }
}
