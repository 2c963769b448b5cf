//! Patterns from SGF.

use sgf_board::internal::Action;
use sgf_stream::Game;
use sgf_stream::tree::{GameTree, Node};
use sgf_stream::value::go::{Move, Point};
use sgf_stream::value::{Color, Rect, Size};

use super::{Need, Pattern, PatternError, Sides};

/// The properties that say what is wanted.
const NEEDS: [(&str, Need); 6] = [
    ("AB", Need::Black),
    ("AW", Need::White),
    ("AE", Need::Empty),
    ("QE", Need::NotEmpty),
    ("QB", Need::NotBlack),
    ("QW", Need::NotWhite),
];

/// The property that names the region.
const REGION: &str = "VW";

impl Pattern {
    /// Reads a pattern from a game without variations.
    ///
    /// The pattern is the first node with one of these properties:
    ///
    /// | property | its points are |
    /// |---|---|
    /// | `AB`, `AW`, `AE` | black stones, white stones, empty |
    /// | `QE`, `QB`, `QW` | not empty, not black, not white (as in SmartGo) |
    /// | `VW` | the region; `VW[]` is the whole board. Without it: the smallest rectangle that has all other points |
    ///
    /// The moves in that node and after it are the continuation. Points of the region that no property names may be
    /// anything; [`with_empty_rest`](Self::with_empty_rest) makes them empty. `SZ` is the size of the board, 19x19 if it
    /// is missing.
    ///
    /// ```
    /// use sgf_search::{Need, Pattern};
    /// use sgf_stream::value::go::Point;
    ///
    /// // A white approach move at a 4-4 stone, and the small knight's answer.
    /// let pattern = Pattern::from_sgf(b"(;SZ[19]AB[pd]AW[qf]AE[pe][qd]VW[la:sh];B[nc])")?;
    /// assert_eq!((pattern.region().columns(), pattern.region().rows()), (8, 8));
    /// assert_eq!(pattern.need(Point::parse("qf").unwrap()), Need::White);
    /// assert_eq!(pattern.continuation().len(), 1);
    /// assert!(Pattern::from_sgf(b"(;SZ[9]AB[pd])").unwrap_err().to_string().contains("pd is not on the board"));
    /// # Ok::<(), sgf_search::PatternError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if there is no game of Go, if it has variations, if a point is not on the board or named by two properties, or if the
    /// pattern has neither stones nor moves.
    pub fn from_sgf(bytes: &[u8]) -> Result<Self, PatternError> {
        let game = GameTree::from_slice(bytes)?;
        let context = game.context();
        let board = context.board().filter(|size| context.game() == Game::Go && size.fits(Game::Go));
        let board = board.ok_or(PatternError::NotGo)?;
        if game.nodes().any(|node| node.children().nth(1).is_some()) {
            return Err(PatternError::Variations);
        }
        let mut reading = Reading { board, named: Vec::new(), region: Vec::new(), continuation: Vec::new() };
        let mut is_before = true;
        for node in game.main_line() {
            let is_pattern = NEEDS.iter().any(|(ident, _)| node.contains(ident)) || node.contains(REGION);
            match (is_before, is_pattern) {
                (true, _) => reading.pattern(node)?,
                (false, false) => {}
                (false, true) => return Err(PatternError::LateSetup(reading.first_of(node))),
            }
            is_before &= !is_pattern && !reading.moves(node)?;
        }
        reading.finish()
    }
}

/// A pattern, as far as it has been read.
struct Reading {
    board: Size,
    named: Vec<(Point, &'static str, Need)>,
    region: Vec<Point>,
    continuation: Vec<(Color, Point)>,
}

impl Reading {
    /// Reads the properties that say what is wanted.
    fn pattern(&mut self, node: Node<'_>) -> Result<(), PatternError> {
        for (ident, need) in NEEDS {
            for point in self.points(node, ident)? {
                match self.named.iter().find(|(named, ..)| *named == point) {
                    Some((_, first, other)) if *other != need => {
                        return Err(PatternError::Twice { point, first, second: ident });
                    }
                    Some(_) => {}
                    None => self.named.push((point, ident, need)),
                }
            }
        }
        if !node.contains(REGION) {
            return Ok(());
        }
        self.region = match node.values(REGION).all(|value| value.as_bytes().trim_ascii().is_empty()) {
            true => whole(self.board).points().collect(),
            false => self.points(node, REGION)?,
        };
        Ok(())
    }

    /// Returns the points of a property, those of rectangles one by one.
    fn points(&self, node: Node<'_>, ident: &'static str) -> Result<Vec<Point>, PatternError> {
        let mut points = Vec::new();
        for value in node.values(ident) {
            let area =
                Rect::<Point>::parse_on(value, self.board).or_else(|_| Rect::parse_on_lenient(value, self.board));
            let area = area.or_else(|_| Rect::parse_lenient(value));
            let Ok(area) = area else {
                return Err(PatternError::NotAPoint { ident, value: value.simple_text().into_owned() });
            };
            points.extend(area.points());
        }
        let board = self.board;
        match points.iter().find(|point| !is_on(**point, board)) {
            Some(&point) => Err(PatternError::OffBoard { point, board }),
            None => Ok(points),
        }
    }

    /// Reads the moves of a node. Returns whether there was one.
    fn moves(&mut self, node: Node<'_>) -> Result<bool, PatternError> {
        let mut has_move = false;
        for property in node.properties() {
            let Some(Action::Move(color)) = Action::of(property.ident()) else { continue };
            for value in property.values() {
                let read = Move::parse_on(value, self.board).or_else(|_| Move::parse_on_lenient(value, self.board));
                match read {
                    Ok(Move::Play(point)) if is_on(point, self.board) => self.continuation.push((color, point)),
                    Ok(Move::Play(point)) => return Err(PatternError::OffBoard { point, board: self.board }),
                    Ok(Move::Pass) => return Err(PatternError::Pass(self.continuation.len() + 1)),
                    Err(_) => {
                        return Err(PatternError::NotAPoint {
                            ident: color.as_str(),
                            value: value.simple_text().into_owned(),
                        });
                    }
                }
                has_move = true;
            }
        }
        Ok(has_move)
    }

    /// Returns the first property of a node that says what is wanted.
    fn first_of(&self, node: Node<'_>) -> &'static str {
        NEEDS.iter().map(|(ident, _)| *ident).find(|ident| node.contains(ident)).unwrap_or(REGION)
    }

    fn finish(self) -> Result<Pattern, PatternError> {
        let Reading { board, named, region, continuation } = self;
        let in_region = |point: &Point| region.is_empty() || region.contains(point);
        let all = named.iter().map(|(point, ..)| *point).chain(continuation.iter().map(|(_, point)| *point));
        if let Some(point) = all.clone().find(|point| !in_region(point)) {
            return Err(PatternError::OutsideOfRegion(point));
        }
        let rect = if region.is_empty() { around(all) } else { around(region.iter().copied()) };
        let rect = rect.ok_or(PatternError::NoStone)?;
        let need =
            |point: Point| named.iter().find(|(named, ..)| *named == point).map_or(Need::Any, |(.., need)| *need);
        let needs = rect.points().map(need).collect();
        let inside = rect.points().map(|point| in_region(&point)).collect();
        Pattern { board, region: rect, needs, inside, sides: Sides::of(rect, board), continuation }.checked()
    }
}

fn is_on(point: Point, board: Size) -> bool {
    u32::from(point.x()) < board.columns() && u32::from(point.y()) < board.rows()
}

/// Returns all of a board.
fn whole(board: Size) -> Rect {
    let corner = |x: u32, y: u32| Point::new(x as u8, y as u8).expect("a point of a board of Go");
    Rect::spanning(corner(0, 0), corner(board.columns() - 1, board.rows() - 1))
}

/// Returns the smallest rectangle that has all points.
fn around(points: impl Iterator<Item = Point>) -> Option<Rect> {
    let mut rect: Option<Rect> = None;
    for point in points {
        let (first, last) = rect.map_or((point, point), |rect| (rect.upper_left(), rect.lower_right()));
        let corner = |x, y| Point::new(x, y).expect("between two points");
        let first = corner(first.x().min(point.x()), first.y().min(point.y()));
        let last = corner(last.x().max(point.x()), last.y().max(point.y()));
        rect = Some(Rect::spanning(first, last));
    }
    rect
}
