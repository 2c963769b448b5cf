//! The board at a diagnostic about points, for `check` and `report`.

use sgf_board::{Diagram, Mark, Painter};
use sgf_check::Diagnostic;
use sgf_stream::value::go;
use sgf_stream::{Event, Flow, Parser};

/// Properties whose diagnostics have a place on the board.
const OF_BOARDS: [&str; 16] =
    ["B", "W", "AB", "AW", "AE", "CR", "MA", "SQ", "TR", "SL", "TB", "TW", "DD", "LB", "AR", "LN"];

/// Number of bytes after the start of a diagnostic that [`board`] needs: the rest of its node.
pub(crate) const AFTER: usize = 256;

/// Whether a diagnostic is about a property of the board.
pub(crate) fn is_about_points(diagnostic: &Diagnostic) -> bool {
    diagnostic.property().is_some_and(|property| OF_BOARDS.contains(&property))
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
