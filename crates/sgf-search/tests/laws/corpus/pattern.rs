//! Patterns from positions of real games.

use quickcheck::Gen;

use super::game::{RealGame, STATES};
use crate::games::{below, blur};
use crate::naive::{Pattern, Place, Rows, Settings};

/// Returns a pattern that a position of a game has, perhaps made less exact, and turned.
///
/// `kind` chooses among corners, sides, rectangles in the middle and whole boards.
pub(crate) fn pattern(g: &mut Gen, kind: usize, game: &RealGame, positions: &[u8]) -> Option<(Pattern, Settings)> {
    let (columns, rows) = game.size.filter(|(columns, rows)| *columns.max(rows) <= 26)?;
    let variations = below(g, 3) == 0;
    let mut path = vec![0];
    loop {
        let children = game.children(path[path.len() - 1], variations);
        if children.is_empty() {
            break;
        }
        path.push(children[below(g, children.len())]);
    }
    // Early positions are those of several games.
    let cut = 1 + if below(g, 2) == 0 { below(g, path.len()) } else { below(g, path.len().min(40)) };
    let board = &positions[path[cut - 1] * columns * rows..][..columns * rows];
    let end = |g: &mut Gen, most: usize, len: usize| if below(g, 2) == 0 { 0 } else { most - len };
    let (w, h) = match kind % 8 {
        6 => (columns, rows),
        5 => (1 + below(g, columns.min(5)), 1 + below(g, rows.min(5))),
        _ => (1 + below(g, columns.min(9)), 1 + below(g, rows.min(9))),
    };
    let middle = (below(g, columns - w + 1), below(g, rows - h + 1));
    let at = match kind % 8 {
        0..3 => (end(g, columns, w), end(g, rows, h)),
        3 => (end(g, columns, w), middle.1),
        4 => (middle.0, end(g, rows, h)),
        _ => middle,
    };
    let row = |y: usize| (at.0..at.0 + w).map(|x| STATES[usize::from(board[y * columns + x])]).collect();
    let mut needs: Rows = (at.1..at.1 + h).map(row).collect();
    if below(g, 2) == 0 {
        blur(g, &mut needs);
    }
    let following = path[cut..].iter().filter_map(|&node| {
        let (color, at_point) = game.nodes[node].played?;
        let point = at_point.and_then(|(x, y)| Some((x.checked_sub(at.0)?, y.checked_sub(at.1)?)))?;
        (point.0 < w && point.1 < h).then_some((color, point))
    });
    let continuation: Vec<_> = following.take([0, 0, 0, 1, 2, 4][below(g, 6)]).collect();
    let has_stone = needs.iter().flatten().any(|need| matches!(need, 'X' | 'O' | '@'));
    if !has_stone && continuation.is_empty() {
        return None;
    }
    let place = [Place::BySides, Place::BySides, Place::BySides, Place::Fixed, Place::Anywhere][below(g, 5)];
    let settings = Settings {
        place,
        symmetries: below(g, 5) > 0,
        swaps: below(g, 5) > 0,
        variations,
        every_place: below(g, 3) == 0,
    };
    let pattern = Pattern { board: (columns, rows), at, needs, continuation };
    Some((pattern.turned(below(g, 8)), settings))
}
