//! Boards as text.

use sgf_board::{Diagram, Mark, PointState, Shape, Spot};
use sgf_stream::value::Color;
use unicode_width::UnicodeWidthChar;

use crate::visible::is_hidden;

/// How text is drawn.
#[derive(Clone, Copy)]
pub(crate) struct Style {
    pub(crate) ascii: bool,
    pub(crate) color: bool,
}

/// The kind of a piece of a line, which decides on its color.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ink {
    /// The board and the names around it.
    Board,
    Black,
    White,
    /// The last move.
    Last,
    /// Marks and labels.
    Mark,
}

impl Ink {
    /// The numbers of a color of 256, on the color of wood.
    fn code(self) -> u8 {
        match self {
            Ink::Board => 94,
            Ink::Black => 16,
            Ink::White => 231,
            Ink::Last => 160,
            Ink::Mark => 18,
        }
    }
}

const WOOD: u8 = 179;

/// A line of the board, as pieces in one color.
#[derive(Default)]
struct Row {
    pieces: Vec<(Ink, String)>,
    indent: usize,
}

impl Row {
    fn push(&mut self, ink: Ink, text: impl Into<String>) {
        let text = text.into();
        match self.pieces.last_mut() {
            Some((last, piece)) if *last == ink => *piece += &text,
            _ => self.pieces.push((ink, text)),
        }
    }

    fn finish(self, style: Style, width: usize) -> String {
        let Row { pieces, indent } = self;
        let columns: usize = pieces.iter().map(|(_, text)| text.chars().count()).sum();
        let rest = " ".repeat(width.saturating_sub(indent + columns));
        let mut line = " ".repeat(indent);
        for (ink, text) in pieces {
            match style.color {
                true => line += &format!("\x1B[48;5;{WOOD};38;5;{}m{text}", ink.code()),
                false => line += &text,
            }
        }
        if style.color {
            line += "\x1B[0m";
        }
        line + &rest
    }
}

/// Draws a board, in lines of [`width`] columns.
pub(crate) fn board(diagram: &Diagram, style: Style) -> Vec<String> {
    let rows = match diagram.shape() {
        Shape::Rhombus => rhombus(diagram, style),
        _ => grid(diagram, style),
    };
    rows.into_iter().map(|row| row.finish(style, width(diagram))).collect()
}

/// Number of columns that the text of a board takes.
pub(super) fn width(diagram: &Diagram) -> usize {
    let slant = match diagram.shape() {
        Shape::Rhombus => diagram.size().rows() as usize,
        _ => 0,
    };
    2 * diagram.size().columns() as usize + 6 + slant
}

fn names(diagram: &Diagram) -> Row {
    let mut row = Row::default();
    row.push(Ink::Board, "  ");
    for column in 0..diagram.size().columns() {
        row.push(Ink::Board, format!("{:>2}", diagram.column_name(column)));
    }
    row.push(Ink::Board, "   ");
    row.push(Ink::Board, " ");
    row
}

fn grid(diagram: &Diagram, style: Style) -> Vec<Row> {
    let size = diagram.size();
    let stars = diagram.star_points();
    let mut rows = vec![names(diagram)];
    for y in 0..size.rows() {
        let mut row = Row::default();
        row.push(Ink::Board, format!("{:>2}", diagram.row_name(y)));
        for x in 0..=size.columns() {
            gap(&mut row, diagram, (x, y), if style.ascii { " " } else { "─" });
            let spot = Spot { column: x, row: y };
            if let Some(point) = diagram.get(spot) {
                let (ink, glyph) = glyph(point, style, || cross(diagram, spot, stars.contains(&spot), style));
                row.push(ink, glyph);
            }
        }
        row.push(Ink::Board, format!("{:<3}", diagram.row_name(y)));
        rows.push(row);
    }
    rows.push(names(diagram));
    rows
}

fn rhombus(diagram: &Diagram, style: Style) -> Vec<Row> {
    let size = diagram.size();
    let mut rows = vec![names(diagram)];
    for y in 0..size.rows() {
        let mut row = Row { indent: y as usize, ..Row::default() };
        row.push(Ink::Board, format!("{:>2}", diagram.row_name(y)));
        for x in 0..=size.columns() {
            gap(&mut row, diagram, (x, y), " ");
            if let Some(point) = diagram.get(Spot { column: x, row: y }) {
                let (ink, glyph) = glyph(point, style, || if style.ascii { '.' } else { '·' });
                row.push(ink, glyph);
            }
        }
        row.push(Ink::Board, format!("{:<3}", diagram.row_name(y)));
        rows.push(row);
    }
    rows.push(Row { indent: size.rows() as usize, ..names(diagram) });
    rows
}

/// Draws what is before a point: a line of the board, or a parenthesis of the last move.
fn gap(row: &mut Row, diagram: &Diagram, (x, y): (u32, u32), line: &str) {
    let last = diagram.last_move().filter(|spot| spot.row == y);
    let is_shown = |x: u32| diagram.get(Spot { column: x, row: y }).is_some_and(|point| !point.is_hidden);
    if last.is_some_and(|spot| spot.column == x) {
        row.push(Ink::Last, "(");
    } else if last.is_some_and(|spot| spot.column + 1 == x) {
        row.push(Ink::Last, ")");
    } else if x > 0 && is_shown(x - 1) && is_shown(x) {
        row.push(Ink::Board, line);
    } else {
        row.push(Ink::Board, " ");
    }
}

/// The drawing on a point.
fn glyph(point: &PointState, style: Style, empty: impl FnOnce() -> char) -> (Ink, char) {
    if point.is_hidden {
        return (Ink::Board, ' ');
    }
    match point.stone {
        Some(color) => {
            let ink = if color == Color::Black { Ink::Black } else { Ink::White };
            // With colors, both sides have the filled signs.
            let is_filled = color == Color::Black || style.color;
            let marked = point.mark.or(point.label.as_ref().map(|_| Mark::Selected));
            let sign = match (style.ascii, marked) {
                (true, None) => {
                    if color == Color::Black {
                        'X'
                    } else {
                        'O'
                    }
                }
                (true, Some(_)) => {
                    if color == Color::Black {
                        '#'
                    } else {
                        '@'
                    }
                }
                (false, None | Some(Mark::Territory(_))) => {
                    if is_filled {
                        '●'
                    } else {
                        '○'
                    }
                }
                (false, Some(Mark::Triangle)) => {
                    if is_filled {
                        '▲'
                    } else {
                        '△'
                    }
                }
                (false, Some(Mark::Square)) => {
                    if is_filled {
                        '■'
                    } else {
                        '□'
                    }
                }
                (false, Some(Mark::Circle)) => {
                    if is_filled {
                        '◉'
                    } else {
                        '◎'
                    }
                }
                (false, Some(_)) => {
                    if is_filled {
                        '◆'
                    } else {
                        '◇'
                    }
                }
            };
            (ink, sign)
        }
        None => match (drawn_label(point), point.mark) {
            (Some(letter), _) => (Ink::Mark, letter),
            (None, Some(mark)) => (Ink::Mark, sign_of(mark, style)),
            (None, None) => (Ink::Board, empty()),
        },
    }
}

/// The label of a point, if it is one letter that is drawn on the board.
pub(super) fn drawn_label(point: &PointState) -> Option<char> {
    let mut letters = point.label.as_ref()?.chars();
    let letter = letters.next().filter(|&letter| letter.width() == Some(1) && !is_hidden(letter))?;
    (letters.next().is_none() && point.stone.is_none() && !point.is_hidden).then_some(letter)
}

/// A mark on an empty point.
fn sign_of(mark: Mark, style: Style) -> char {
    match (mark, style.ascii) {
        (Mark::Triangle, true) => '^',
        (Mark::Triangle, false) => 'Δ',
        (Mark::Square, _) => '#',
        (Mark::Circle, _) => 'o',
        (Mark::Cross, _) => 'x',
        (Mark::Territory(Color::Black), true) => 'b',
        (Mark::Territory(Color::White), true) => 'w',
        (Mark::Territory(Color::Black), false) => '▪',
        (Mark::Territory(Color::White), false) => '▫',
        _ => '*',
    }
}

/// The lines of the board at an empty point.
fn cross(diagram: &Diagram, Spot { column, row }: Spot, is_star: bool, style: Style) -> char {
    if style.ascii {
        return if is_star { '+' } else { '.' };
    }
    let (last_column, last_row) = (diagram.size().columns() - 1, diagram.size().rows() - 1);
    match ((column == 0, column == last_column), (row == 0, row == last_row)) {
        _ if is_star => '╋',
        ((true, false), (true, false)) => '┌',
        ((false, true), (true, false)) => '┐',
        ((true, false), (false, true)) => '└',
        ((false, true), (false, true)) => '┘',
        ((false, false), (true, false)) => '┬',
        ((false, false), (false, true)) => '┴',
        ((true, false), (false, false)) => '├',
        ((false, true), (false, false)) => '┤',
        _ => '┼',
    }
}
