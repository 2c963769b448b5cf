//! The lines beside a board: players, move, variations, comment.

use sgf_board::PointState;
use sgf_stream::tree::Node;
use sgf_stream::value::Color;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::draw::{self, Style};
use super::moves::Moves;
use super::position::{Line, Position};
use super::summary::Summary;
use crate::tables::counted;
use crate::visible::is_hidden;

/// Number of blanks between the board and the panel.
const GAP: usize = 3;

/// The least width of a panel beside the board; a narrower one comes below it.
const LEAST: usize = 24;

/// The widest panel: longer lines are hard to read.
const MOST: usize = 72;

/// Draws a position and its panel in lines of at most `width` columns, and of at most `height` lines.
pub(super) fn beside(
    position: &Position<'_>,
    line: &Line<'_>,
    style: Style,
    width: usize,
    height: Option<usize>,
) -> Vec<String> {
    let mut board = draw::board(position.diagram(), style);
    let board_width = draw::width(position.diagram());
    let room = width.saturating_sub(board_width + GAP);
    let mut lines = match room >= LEAST {
        true => {
            let panel = panel(position, line, style, room.min(MOST));
            board.resize(board.len().max(panel.len()), " ".repeat(board_width));
            let rows = board.into_iter().zip(panel.into_iter().chain(std::iter::repeat(String::new())));
            rows.map(|(board, text)| format!("{board}{:GAP$}{text}", "").trim_end().to_owned()).collect()
        }
        false => {
            board.push(String::new());
            board.extend(panel(position, line, style, width.clamp(LEAST, MOST)));
            board.iter().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>()
        }
    };
    if let Some(height) = height
        && lines.len() > height
    {
        lines.truncate(height.saturating_sub(1));
        lines.push(" …".to_owned());
    }
    lines
}

fn panel(position: &Position<'_>, line: &Line<'_>, style: Style, width: usize) -> Vec<String> {
    let node = position.node();
    let summary = Summary::of(node.tree());
    let mut lines = Vec::new();
    let mut add = |text: &str| lines.extend(wrapped(text, width));
    add(&summary.players);
    summary.lines().for_each(|text| add(&text));
    add("");
    add(&moved(position, line, style));
    if let Some(board) = position.painter().board() {
        let (black, white) = (board.captured(Color::Black), board.captured(Color::White));
        if black + white > 0 {
            add(&format!("Captured: {black} of Black, {white} of White"));
        }
    }
    branches(node).iter().for_each(|text| add(text));
    let labels = labels(position);
    if !labels.is_empty() {
        add(&format!("Labels: {}", labels.join(", ")));
    }
    if let Some(comment) = node.text("C").filter(|comment| !comment.trim().is_empty()) {
        add("");
        comment.trim_end().lines().for_each(add);
    }
    lines
}

/// The move of the node, and its number.
pub(super) fn moved(position: &Position<'_>, line: &Line<'_>, style: Style) -> String {
    let (number, all) = (position.move_number(), line.moves());
    let token = Moves { raw: false, ascii: style.ascii }.token(position.node(), None).0;
    let token = token.trim_end_matches('*');
    match (number, token) {
        (0, "") => format!("Before the first of {}", counted(all as u64, "move")),
        (0, token) if all == 0 => token.to_owned(),
        (0, token) => format!("Before the first of {}: {token}", counted(all as u64, "move")),
        (number, token) => format!("Move {number} of {all}: {token}"),
    }
}

/// Where the line branches here.
fn branches(node: Node<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    let siblings = node.siblings().count();
    if siblings > 1 {
        lines.push(format!("Variation {} of {siblings}", node.index() + 1));
    }
    if node.has_variations() {
        lines.push(format!("{} go on from here", counted(node.children().count() as u64, "variation")));
    }
    lines
}

/// The labels that are not drawn on the board.
fn labels(position: &Position<'_>) -> Vec<String> {
    let diagram = position.diagram();
    let is_left = |point: &&PointState| draw::drawn_label(point).is_none() && !point.is_hidden;
    let labels = diagram.points().filter_map(|(spot, point)| {
        let label = Some(point).filter(is_left)?.label.as_ref()?;
        Some(format!("{} {}", diagram.name(spot), label.trim()))
    });
    labels.collect()
}

/// Breaks a text into lines of at most so many columns: at blanks, and within words that are longer and in scripts that
/// have no blanks. Hidden characters become escapes.
pub(super) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let (mut line, mut columns) = (String::new(), 0);
    // The end of the last blank in the line, where it may be broken.
    let mut blank = None;
    for char in text.chars() {
        let shown = match char {
            '\t' | '\n' | '\r' => " ".to_owned(),
            char if is_hidden(char) => char.escape_default().to_string(),
            char => char.to_string(),
        };
        if columns + shown.width() > width && !line.is_empty() {
            if shown == " " {
                lines.push(std::mem::take(&mut line));
                (columns, blank) = (0, None);
                continue;
            }
            let rest = blank.take().map_or_else(String::new, |end| line.split_off(end));
            lines.push(std::mem::replace(&mut line, rest).trim_end().to_owned());
            columns = line.width();
        }
        line += &shown;
        columns += shown.width();
        if shown == " " || char.width() == Some(2) {
            blank = Some(line.len());
        }
    }
    lines.push(line.trim_end().to_owned());
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_broken_at_blanks_and_between_wide_characters() {
        for (text, width, expected) in [
            ("", 5, &[""][..]),
            ("one two three", 7, &["one two", "three"]),
            ("one two three", 8, &["one two", "three"]),
            ("abcdefgh", 3, &["abc", "def", "gh"]),
            ("a bcdefgh", 4, &["a", "bcde", "fgh"]),
            ("囲碁は二人で", 5, &["囲碁", "は二", "人で"]),
            ("a\u{202E}b", 20, &["a\\u{202e}b"]),
            ("\x1B[2J", 20, &["\\u{1b}[2J"]),
        ] {
            assert_eq!(wrapped(text, width), expected, "{text:?}");
        }
    }
}
