//! Patterns from text diagrams.

use sgf_stream::value::go::Point;
use sgf_stream::value::{Color, Rect, Size};

use super::{Need, Pattern, PatternError, Sides};

/// The most columns and rows of a board.
const MOST: usize = 52;

impl Pattern {
    /// Reads a diagram.
    ///
    /// Each line is a row of the region. Blanks between points do not count. In a text of one line, `/` may separate the
    /// rows.
    ///
    /// | sign | point |
    /// |---|---|
    /// | `X`, `O` | a black stone, a white stone |
    /// | `.` (or `,`) | empty |
    /// | `x`, `o` | black or empty, white or empty |
    /// | `@` | a stone of any color |
    /// | `*` (or `?`) | anything |
    /// | `1` to `9` | empty; a move that must follow. Black plays the odd ones |
    ///
    /// Edges say where the board ends: `|` at the left or the right of all rows, and a line of `-` or `+` above or below
    /// them. The points of results count from the upper left of the diagram, which is `aa`.
    ///
    /// ```
    /// use sgf_search::Pattern;
    ///
    /// let corner = Pattern::from_diagram("
    ///     ---------+
    ///     . . . . .|
    ///     . 1 O . .|
    ///     . . X X .|
    ///     . . . . .|
    /// ")?;
    /// assert_eq!((corner.region().columns(), corner.region().rows()), (5, 4));
    /// assert_eq!(corner.continuation()[0].1.to_string(), "bb");
    ///
    /// // A ponnuki, anywhere.
    /// let ponnuki = Pattern::from_diagram("*X*/X.X/*X*")?;
    /// assert_eq!(ponnuki.to_string(), "* X *\nX . X\n* X *\n");
    /// assert!(Pattern::from_diagram("XO/X").unwrap_err().to_string().starts_with("row 2 of the diagram has 1 points"));
    /// # Ok::<(), sgf_search::PatternError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if a character is unknown, if rows differ in length, if there are more than 52 rows or columns, or if there
    /// is neither a stone nor a move.
    pub fn from_diagram(text: &str) -> Result<Self, PatternError> {
        let text = text.trim_start_matches('\u{FEFF}').trim();
        let lines: Vec<&str> = match text.contains('\n') {
            true => text.lines().collect(),
            false => text.split('/').collect(),
        };
        let mut reading = Reading::default();
        for (number, line) in (1..).zip(lines) {
            reading.line(number, line)?;
        }
        reading.finish()
    }
}

/// A diagram, as far as it has been read.
#[derive(Default)]
struct Reading {
    columns: usize,
    rows: usize,
    needs: Vec<Need>,
    /// The numbers of the moves, and where they are.
    moves: Vec<(u32, usize)>,
    sides: Sides,
}

impl Reading {
    fn line(&mut self, number: usize, line: &str) -> Result<(), PatternError> {
        let line = line.trim();
        if line.is_empty() {
            return Ok(());
        }
        if line.contains('-') && line.chars().all(|char| matches!(char, '-' | '+' | ' ')) {
            match self.rows {
                0 => self.sides.top = true,
                _ => self.sides.bottom = true,
            }
            return Ok(());
        }
        if self.sides.bottom {
            let found = line.chars().next().unwrap_or_default();
            return Err(PatternError::Character { line: number, column: 1, found });
        }
        let (left, rest) = line.strip_prefix('|').map_or((false, line), |rest| (true, rest));
        let (right, points) = rest.strip_suffix('|').map_or((false, rest), |points| (true, points));
        if self.rows == 0 {
            (self.sides.left, self.sides.right) = (left, right);
        } else if (self.sides.left, self.sides.right) != (left, right) {
            return Err(PatternError::Edge(number));
        }
        let before = self.needs.len();
        for (column, char) in (1 + usize::from(left)..).zip(points.chars()) {
            let need = match char {
                char if char.is_whitespace() => continue,
                ',' => Need::Empty,
                '?' => Need::Any,
                '1'..='9' => {
                    self.moves.extend(char.to_digit(10).map(|number| (number, self.needs.len())));
                    Need::Empty
                }
                sign => Need::of_sign(sign).ok_or(PatternError::Character { line: number, column, found: sign })?,
            };
            self.needs.push(need);
        }
        let len = self.needs.len() - before;
        self.rows += 1;
        if self.rows == 1 {
            self.columns = len;
        }
        match len == self.columns && len > 0 {
            true => Ok(()),
            false => Err(PatternError::Ragged { row: self.rows, len, expected: self.columns }),
        }
    }

    fn finish(mut self) -> Result<Pattern, PatternError> {
        let (columns, rows) = (self.columns, self.rows);
        if rows == 0 {
            return Err(PatternError::NoRow);
        }
        if columns.max(rows) > MOST {
            return Err(PatternError::TooLarge { columns, rows });
        }
        let point = |at: usize| Point::new((at % columns) as u8, (at / columns) as u8).expect("at most 52 of each");
        self.moves.sort_unstable();
        let mut continuation = Vec::new();
        for (expected, (number, at)) in (1..).zip(self.moves) {
            if number != expected {
                return Err(PatternError::Moves(number.min(expected)));
            }
            continuation.push((if number % 2 == 1 { Color::Black } else { Color::White }, point(at)));
        }
        let board = Size::new(columns as u32, rows as u32).expect("at least 1 of each");
        let region = Rect::spanning(point(0), point(columns * rows - 1));
        let inside = vec![true; self.needs.len()].into();
        Pattern { board, region, needs: self.needs.into(), inside, sides: self.sides, continuation }.checked()
    }
}
