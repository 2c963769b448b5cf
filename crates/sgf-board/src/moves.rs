//! Lines of moves as text, as in the column `sgf_moves`, and their openings and corners.

use sgf_stream::value::Size;
use sgf_stream::value::go::{Move, Point};

use super::Symmetry;

/// Go moves as text, two letters per move: `qddc--pq`.
///
/// A pass is `--`. The column `sgf_moves` of [`table`](sgf_table) has the main line of a game in this form. A text
/// search also matches the second letter of a move and the first letter of the next; [`contains`](Self::contains)
/// compares whole moves.
///
/// ```
/// use sgf_board::MoveText;
/// use sgf_stream::value::Size;
///
/// let moves = MoveText::new("aqdqcd").unwrap();
/// assert!(moves.contains(MoveText::new("dqcd").unwrap()));
/// assert!(!moves.contains(MoveText::new("qdqc").unwrap()));
/// assert!(MoveText::new("qdq").is_none());
///
/// // The same opening, in two directions.
/// let size = Size::square(19).unwrap();
/// let canonical = |moves| MoveText::new(moves).unwrap().canonical(size, 4);
/// assert_eq!(canonical("qddcpqcoqo").as_deref(), Some("cdpcdqqo"));
/// assert_eq!(canonical("dqcdqpocoq").as_deref(), Some("cdpcdqqo"));
/// # Ok::<(), sgf_stream::value::ValueError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(hidden)]
pub struct MoveText<'t>(&'t [[u8; 2]]);

/// The text of a pass.
pub(crate) const PASS: [u8; 2] = *b"--";

impl<'t> MoveText<'t> {
    /// Reads a text. Returns `None` unless it is two letters or `--` per move.
    pub fn new(text: &'t str) -> Option<Self> {
        let (moves, rest) = text.as_bytes().as_chunks();
        let is_move = |letters: &[u8; 2]| *letters == PASS || Point::of_letters(letters).is_some();
        (rest.is_empty() && moves.iter().all(is_move)).then_some(MoveText(moves))
    }

    /// Returns the number of moves, passes included.
    pub fn len(self) -> usize {
        self.0.len()
    }

    /// Returns whether there are no moves.
    pub fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// Returns the moves, in order.
    pub fn moves(self) -> impl Iterator<Item = Move> + use<'t> {
        self.0.iter().map(|letters| Point::of_letters(letters).map_or(Move::Pass, Move::Play))
    }

    /// Returns whether these moves were played one after the other, anywhere in the line.
    pub fn contains(self, moves: MoveText<'_>) -> bool {
        moves.is_empty() || self.0.windows(moves.len()).any(|played| played == moves.0)
    }

    /// Returns the first moves under the symmetry with the smallest text.
    ///
    /// The result is equal for openings that are rotations or reflections of each other. It has all moves if there are
    /// fewer than `moves`. The text for a smaller number is the beginning of the text for a larger one.
    /// Returns `None` if one of the first moves is not on a board of this size.
    pub fn canonical(self, size: Size, moves: usize) -> Option<String> {
        let first = MoveText(&self.0[..moves.min(self.len())]);
        if !first.is_on(size) {
            return None;
        }
        let turned = |symmetry: Symmetry| {
            spell(first.moves().map(|played| played.point().and_then(|point| symmetry.apply(point, size))))
        };
        Symmetry::ALL.into_iter().map(turned).min()
    }

    /// Returns the first moves of each corner, as seen from the corner: the joseki.
    ///
    /// * A corner has the points that are nearer to it than to the others: on a 19x19 board, nine columns and nine rows.
    ///   Points on the middle lines belong to none.
    /// * The letters of a point count its column and its row from the corner: the 3-4 point is `cd` or `dc`. Of the two
    ///   mirror images of a corner, the one with the smaller text is used.
    /// * Players are assumed to alternate. `--` before a move means that the player of the last move in this corner plays
    ///   here again, because the opponent has played elsewhere. It does not count as one of the `moves`.
    /// * Corners come in the order of their first moves. A corner without moves is omitted.
    ///
    /// Returns `None` if a move is not on a board of this size.
    ///
    /// ```
    /// use sgf_board::MoveText;
    /// use sgf_stream::value::Size;
    ///
    /// let size = Size::square(19).unwrap();
    /// // Black plays twice in the first corner, since White answers elsewhere.
    /// let moves = MoveText::new("qddcoccpedpd").unwrap();
    /// assert_eq!(moves.corners(size, 2).unwrap(), ["cd--ec", "cdde", "cd"]);
    /// # Ok::<(), sgf_stream::value::ValueError>(())
    /// ```
    pub fn corners(self, size: Size, moves: usize) -> Option<Vec<String>> {
        if !self.is_on(size) {
            return None;
        }
        let mut corners: Vec<Corner> = Vec::new();
        for (turn, played) in self.moves().enumerate() {
            let Some((place, x, y)) = played.point().and_then(|point| in_corner(point, size)) else { continue };
            let at = corners.iter().position(|corner| corner.place == place).unwrap_or_else(|| {
                corners.push(Corner { place, moves: Vec::new(), stones: 0, last: None });
                corners.len() - 1
            });
            corners[at].play(turn, Point::new(x, y), moves);
        }
        Some(corners.into_iter().map(Corner::text).filter(|text| !text.is_empty()).collect())
    }

    fn is_on(self, size: Size) -> bool {
        let is_on = |point: Point| u32::from(point.x()) < size.columns() && u32::from(point.y()) < size.rows();
        self.moves().filter_map(Move::point).all(is_on)
    }
}

/// A corner of the board, with the first moves that were played in it.
struct Corner {
    /// Whether it is on the right, and whether it is below.
    place: [bool; 2],
    /// Points as seen from the corner; `None` means that the opponent has played elsewhere.
    moves: Vec<Option<Point>>,
    stones: usize,
    /// The number of the last of these moves in the game.
    last: Option<usize>,
}

impl Corner {
    fn play(&mut self, turn: usize, point: Option<Point>, most: usize) {
        if self.stones == most {
            return;
        }
        if self.last.is_some_and(|last| (turn - last).is_multiple_of(2)) {
            self.moves.push(None);
        }
        self.moves.push(point);
        self.stones += 1;
        self.last = Some(turn);
    }

    fn text(self) -> String {
        let mirrored = |point: Point| Point::new(point.y(), point.x());
        let points = || self.moves.iter().copied();
        spell(points()).min(spell(points().map(|point| point.and_then(mirrored))))
    }
}

/// Returns the corner that a point belongs to, with its column and row from there.
fn in_corner(point: Point, size: Size) -> Option<([bool; 2], u8, u8)> {
    let fold = |at: u8, len: u32| {
        let from_end = u8::try_from(len).ok()?.checked_sub(at + 1)?;
        (at != from_end).then_some((at > from_end, at.min(from_end)))
    };
    let (is_right, x) = fold(point.x(), size.columns())?;
    let (is_below, y) = fold(point.y(), size.rows())?;
    Some(([is_right, is_below], x, y))
}

fn spell(points: impl Iterator<Item = Option<Point>>) -> String {
    points.flat_map(|point| point.map_or(PASS, Point::letters)).map(char::from).collect()
}
