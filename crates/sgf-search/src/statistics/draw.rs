//! Continuations as text and as SVG.

use std::collections::BTreeMap;
use std::fmt::Write;

use sgf_board::{Diagram, Mark, Shape, Spot};
use sgf_stream::value::go::Point;
use sgf_stream::value::{Color, Size};
use unicode_width::UnicodeWidthStr;

use super::{Continuation, Continuations};
use crate::pattern::{Need, Pattern, Sides};
use crate::sums::{Share, Sums};

/// The number of letters in a table of groups.
const LETTERS_BY_GROUP: usize = 6;

/// Continuations as pictures and tables. Created by [`Continuations::drawn_on`].
#[derive(Clone, Copy, Debug)]
pub struct Drawing<'c> {
    continuations: &'c Continuations,
    pattern: &'c Pattern,
    most: usize,
}

impl Continuations {
    /// Returns drawings of the continuations on their pattern.
    pub fn drawn_on<'c>(&'c self, pattern: &'c Pattern) -> Drawing<'c> {
        Drawing { continuations: self, pattern, most: 20 }
    }
}

impl Drawing<'_> {
    /// Sets how many of the continuations are shown; the table sums up the others.
    ///
    /// Default: 20.
    #[must_use]
    pub fn most(self, continuations: usize) -> Self {
        Drawing { most: continuations, ..self }
    }

    /// Returns the letters of the points that are shown.
    fn letters(&self) -> BTreeMap<Point, char> {
        let list = self.continuations.list();
        let shown = list.iter().filter(|row| row.next.is_some()).take(self.most);
        shown.filter_map(|row| row.next.map(|(_, point)| point).zip(row.letter)).collect()
    }

    /// Returns the pattern as text, with the letters of the continuations.
    ///
    /// Signs are those of [diagrams](Pattern::from_diagram). Stones that follow are numbers.
    pub fn board(&self) -> String {
        let pattern = self.pattern;
        let (letters, region) = (self.letters(), pattern.region());
        let mut signs: BTreeMap<Point, char> =
            region.points().map(|point| (point, pattern.need(point).sign())).collect();
        for (point, number) in numbered(pattern) {
            signs.insert(point, number.chars().last().unwrap_or('?'));
        }
        signs.extend(letters);
        let names = names_of(pattern);
        let mut text = String::new();
        let indent = if names.is_some() { "   " } else { "" };
        if let Some(names) = &names {
            let columns: Vec<String> = (0..region.columns())
                .map(|x| names.column_name(x + u32::from(region.upper_left().x())))
                .map(|name| format!("{name:>2}"))
                .collect();
            let edge = if pattern.sides().left { " " } else { "" };
            _ = writeln!(text, "  {edge}{}", columns.concat());
        }
        // The rows of the pattern's own form, with other signs.
        let mut row = region.upper_left().y();
        for line in pattern.to_string().lines() {
            if line.contains('-') {
                _ = writeln!(text, "{indent}{line}");
                continue;
            }
            let points = (region.upper_left().x()..=region.lower_right().x()).filter_map(|x| Point::new(x, row));
            let points: Vec<String> =
                points.map(|point| signs.get(&point).copied().unwrap_or('*').to_string()).collect();
            let Sides { left, right, .. } = pattern.sides();
            let edge = |is_touched: bool| if is_touched { "|" } else { "" };
            if let Some(names) = &names {
                _ = write!(text, "{:>2} ", names.row_name(row.into()));
            }
            _ = writeln!(text, "{}{}{}", edge(left), points.join(" "), edge(right));
            row += 1;
        }
        text
    }

    /// Returns a table of the continuations, and of the groups if there are any.
    pub fn table(&self) -> String {
        let (names, list) = (names_of(self.pattern), self.continuations.list());
        let mut rows = vec![
            ["", "next", "games", "share", "Black wins", "White wins", "elsewhere first", "years"].map(str::to_owned),
        ];
        let shown = list.iter().filter(|row| row.next.is_some()).take(self.most);
        let none = list.iter().filter(|row| row.next.is_none());
        for row in shown.chain(none) {
            let letter = row.letter.map(String::from).unwrap_or_default();
            let next = match row.next {
                Some((color, point)) => {
                    let name = names.as_ref().map_or_else(|| point.to_string(), |names| names.name(point));
                    format!("{} {name}", word(color))
                }
                None => "none".to_owned(),
            };
            let elsewhere = if row.next.is_some() { row.elsewhere.to_string() } else { String::new() };
            rows.push(columns(letter, next, &row.sums, row.share, elsewhere));
        }
        let mut others = Sums::default();
        let mut count = (0, 0);
        for row in list.iter().filter(|row| row.next.is_some()).skip(self.most) {
            others.merge(row.sums);
            count = (count.0 + 1, count.1 + row.elsewhere);
        }
        let all = self.continuations.sums();
        if let (others_count @ 1.., elsewhere) = count {
            let share = others.games as f64 / all.games.max(1) as f64;
            let row = columns(String::new(), format!("{others_count} more"), &others, share, elsewhere.to_string());
            // Before the games without a next move.
            let at = rows.len() - list.iter().filter(|row| row.next.is_none()).count();
            rows.insert(at, row);
        }
        rows.push(columns(String::new(), "all".to_owned(), &all, 1.0, String::new()));
        let mut text = aligned(&rows);
        let groups = self.continuations.groups();
        if groups.is_empty() {
            return text;
        }
        let most: Vec<&Continuation<'_>> =
            list.iter().filter(|row| row.next.is_some()).take(LETTERS_BY_GROUP.min(self.most)).collect();
        let mut head: Vec<String> = ["group", "games", "Black wins", "White wins"].map(str::to_owned).into();
        head.extend(most.iter().map(|row| {
            let color = row.next.map_or("", |(color, _)| color.as_str());
            format!("{color} {}", row.letter.map(String::from).unwrap_or_default())
        }));
        let mut rows = vec![head];
        for (group, sums) in groups {
            let mut cells = vec![
                if group.is_empty() { "unknown".to_owned() } else { group.to_owned() },
                sums.games.to_string(),
                percent(sums.wins(Color::Black)),
                percent(sums.wins(Color::White)),
            ];
            cells.extend(most.iter().map(|row| {
                let of_group = row.groups.iter().find(|(of, _)| *of == group).map_or(0, |(_, sums)| sums.games);
                percent(Share::of(of_group, sums.games))
            }));
            rows.push(cells);
        }
        text.push('\n');
        text += &aligned(&rows);
        text
    }

    /// Returns the pattern as SVG, with the letters of the continuations.
    ///
    /// Points where anything is allowed are gray, and those where one color is not allowed have a small square of the
    /// other one.
    pub fn svg(&self) -> String {
        let pattern = self.pattern;
        let is_own = names_of(pattern).is_some();
        let Some((mut diagram, (dx, dy))) = canvas(pattern) else { return String::new() };
        let spot = |point: Point| Spot { column: u32::from(point.x()) + dx, row: u32::from(point.y()) + dy };
        let spots: Vec<Spot> = diagram.points().map(|(spot, _)| spot).collect();
        for spot in spots {
            let point = spot.column.checked_sub(dx).zip(spot.row.checked_sub(dy));
            let point = point.and_then(|(x, y)| Point::new(u8::try_from(x).ok()?, u8::try_from(y).ok()?));
            let is_inside = point.is_some_and(|point| pattern.contains(point));
            if let Some(state) = diagram.get_mut(spot) {
                state.is_hidden = !is_inside;
                state.is_dim = point.is_some_and(|point| pattern.need(point) == Need::Any);
            }
        }
        for point in pattern.region().points() {
            match pattern.need(point) {
                Need::Black => _ = diagram.stone(spot(point), Color::Black),
                Need::White => _ = diagram.stone(spot(point), Color::White),
                Need::NotBlack => _ = diagram.mark(spot(point), Mark::Territory(Color::White)),
                Need::NotWhite => _ = diagram.mark(spot(point), Mark::Territory(Color::Black)),
                Need::NotEmpty => _ = diagram.mark(spot(point), Mark::Selected),
                Need::Any | Need::Empty => {}
            }
        }
        for ((color, point), (_, number)) in pattern.continuation().iter().zip(numbered(pattern)) {
            diagram.stone(spot(*point), *color).label(spot(*point), number);
        }
        for (point, letter) in self.letters() {
            diagram.label(spot(point), letter);
            if let Some(state) = diagram.get_mut(spot(point)) {
                (state.is_dim, state.mark) = (false, None);
            }
        }
        diagram.svg().coordinates(is_own).title("Continuations").to_string()
    }
}

/// Returns the moves that must follow, with their numbers.
fn numbered(pattern: &Pattern) -> impl Iterator<Item = (Point, String)> {
    pattern.continuation().iter().enumerate().map(|(n, (_, point))| (*point, (n + 1).to_string()))
}

/// Returns an empty diagram that names the points of the pattern's board, unless that is only a part of one.
fn names_of(pattern: &Pattern) -> Option<Diagram> {
    pattern.names_points_of_a_board().then(|| Diagram::new(Shape::Grid, pattern.board())).flatten()
}

/// Returns an empty diagram, and how far the points of the pattern are from its upper left.
///
/// The lines of the board go on beyond a pattern that ends before the board does, so the diagram is larger.
fn canvas(pattern: &Pattern) -> Option<(Diagram, (u32, u32))> {
    if let Some(diagram) = names_of(pattern) {
        return Some((diagram, (0, 0)));
    }
    let (Sides { left, right, top, bottom }, board) = (pattern.sides(), pattern.board());
    let [mut before, mut after, mut above, mut below] =
        [left, right, top, bottom].map(|is_touched| u32::from(!is_touched));
    if board.columns() + before + after == board.rows() + above + below {
        // Only square boards have star points, and a part of a board has none of its own.
        let more = [&mut before, &mut after, &mut above, &mut below].into_iter().find(|side| **side > 0);
        more.into_iter().for_each(|side| *side += 1);
    }
    let (columns, rows, offset) = (board.columns() + before + after, board.rows() + above + below, (before, above));
    let larger = Size::new(columns, rows).and_then(|size| Diagram::new(Shape::Grid, size));
    match larger {
        Some(diagram) => Some((diagram, offset)),
        None => Diagram::new(Shape::Grid, board).map(|diagram| (diagram, (0, 0))),
    }
}

fn word(color: Color) -> &'static str {
    if color == Color::Black { "Black" } else { "White" }
}

fn percent(share: Option<Share>) -> String {
    share.map_or("-".to_owned(), |share| format!("{:.1} %", share.share * 100.0))
}

/// Returns the cells of a row.
fn columns(letter: String, next: String, sums: &Sums, share: f64, elsewhere: String) -> [String; 8] {
    let years = match sums.years {
        Some((first, last)) if first == last => first.to_string(),
        Some((first, last)) => format!("{first}–{last}"),
        None => "-".to_owned(),
    };
    [
        letter,
        next,
        sums.games.to_string(),
        format!("{:.1} %", share * 100.0),
        percent(sums.wins(Color::Black)),
        percent(sums.wins(Color::White)),
        elsewhere,
        years,
    ]
}

/// Returns rows as lines with aligned columns: texts to the left, numbers to the right.
fn aligned<R: AsRef<[String]>>(rows: &[R]) -> String {
    let count = rows.first().map_or(0, |row| row.as_ref().len());
    let widths: Vec<usize> =
        (0..count).map(|at| rows.iter().map(|row| row.as_ref()[at].width()).max().unwrap_or(0)).collect();
    let is_text = |at: usize| rows.iter().skip(1).any(|row| row.as_ref()[at].starts_with(char::is_alphabetic));
    let texts: Vec<bool> = (0..count).map(is_text).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for ((cell, &width), &is_text) in row.as_ref().iter().zip(&widths).zip(&texts) {
            let blanks = " ".repeat(width - cell.width());
            line += &if is_text { format!("{cell}{blanks}  ") } else { format!("{blanks}{cell}  ") };
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}
