//! The board at a diagnostic about points, for `check` and `report`.

use sgf_board::{Diagram, Mark, Painter};
use sgf_check::Diagnostic;
use sgf_stream::property::{self, Group, Property};
use sgf_stream::value::go;
use sgf_stream::{Event, Flow, Game, Parser};

/// Number of bytes after the start of a diagnostic that [`board`] needs: the rest of its node.
pub(crate) const AFTER: usize = 256;

/// Whether a diagnostic is about a property of the board: one of FF\[4\] for all games or Go, with points.
pub(crate) fn is_about_points(diagnostic: &Diagnostic) -> bool {
    let is_of_board = |row: &Property| {
        let is_of_go = row.versions().contains(4) && row.game().is_none_or(|game| game == Game::Go);
        is_of_go && row.value_type().has_points() && row.group() != Group::Display
    };
    diagnostic.property().is_some_and(|name| property::find(name).any(is_of_board))
}

/// The board after the node of a diagnostic, with marks on the points that the marked text names: `[dd]`, `[aa:cc]`.
///
/// `bytes` starts with a game, and `at` is the index of the diagnostic in it. `None` if there is no board.
pub(crate) fn board(bytes: &[u8], at: usize, marked: &str) -> Option<Diagram> {
    let bytes = &bytes[..bytes.len().min(at.saturating_add(AFTER))];
    let (mut painter, mut is_over) = (Painter::new(), false);
    let parsed = Parser::new().parse(bytes, |event, offset| {
        // Up to the end of the node.
        is_over |= offset > at as u64 && !matches!(event, Event::Property(_) | Event::Value(_));
        if is_over {
            return Flow::Break;
        }
        painter.event(event);
        Flow::Continue
    });
    parsed.ok()?;
    let mut diagram = painter.diagram().ok()?;
    let points = marked.trim_matches(['[', ']']).split([':', '[', ']']);
    for point in points.filter_map(|point| go::Point::parse(point.trim()).ok()) {
        if diagram.get(point).is_some() {
            diagram.mark(point, Mark::Square);
        }
    }
    Some(diagram)
}
