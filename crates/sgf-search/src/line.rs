//! Lines of moves that are in no file, such as those of a column.
//!
//! They are searched as games are, so that there is one way to play them: [`written`] makes the game.

use std::io::Write;

use sgf_stream::value::go::Move;
use sgf_stream::value::{Color, Size};

/// Returns the SGF of a game with these moves.
pub(crate) fn written(size: Size, moves: impl IntoIterator<Item = (Color, Move)>) -> Vec<u8> {
    let mut game = Vec::with_capacity(2048);
    // Writing to memory does not fail.
    let _ = match size.columns() == size.rows() {
        true => write!(game, "(;SZ[{}]", size.columns()),
        false => write!(game, "(;SZ[{}:{}]", size.columns(), size.rows()),
    };
    for (color, played) in moves {
        let _ = match played {
            Move::Play(point) => write!(game, ";{color}[{point}]"),
            Move::Pass => write!(game, ";{color}[]"),
        };
    }
    game.push(b')');
    game
}

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;
    use sgf_stream::Parser;
    use sgf_stream::value::go::Point;

    use super::*;
    use crate::{Hit, Pattern, Search};

    /// Moves as points of a board of 52x52, some of them passes.
    fn played(moves: &[(bool, u8, u8)], most: u8) -> Vec<(Color, Move)> {
        let played = |&(is_black, x, y): &(bool, u8, u8)| {
            let point = if x % 16 == 15 { None } else { Point::new(x % most, y % most) };
            (if is_black { Color::Black } else { Color::White }, point.map_or(Move::Pass, Move::Play))
        };
        moves.iter().map(played).collect()
    }

    quickcheck! {
        /// A line has the hit of the game with its moves, also with captures, moves on stones and off the board.
        fn a_line_is_a_game(moves: Vec<(bool, u8, u8)>, columns: u8, rows: u8, more: u8) -> bool {
            let (columns, rows) = (u32::from(columns) % 6 + 2, u32::from(rows) % 6 + 2);
            let Some(size) = Size::new(columns, rows) else { return false };
            let moves = played(&moves, 4 + more % 6);
            let text: String = moves.iter().map(|(color, played)| format!(";{color}[{}]", played.point().map_or_else(String::new, |point| point.to_string()))).collect();
            let game = format!("(;SZ[{columns}:{rows}]{text})");
            ["X", "XO", "X./.O", "x@/@X", "(;SZ[5]AB[aa];W[ab])"].into_iter().all(|pattern| {
                let search = Search::new(Pattern::parse(pattern).expect(pattern));
                let mut hit: Option<Hit> = None;
                search.find(&Parser::new(), game.as_bytes(), |game| hit = game.hits().first().copied()).expect("lenient");
                search.matcher().line(size, moves.iter().copied()) == hit.map(|hit| hit.without_node_offset())
            })
        }
    }

    #[test]
    fn large_boards_have_lines() {
        let size = Size::new(52, 30).expect("a size");
        let point = Point::new(51, 28).expect("a point");
        let mut matcher = Search::new(Pattern::parse("*|\nX|\n*|\n---+").expect("a pattern")).matcher();
        assert!(matcher.line(size, [(Color::Black, Move::Play(point))]).is_some());
        assert!(matcher.line(size, [(Color::Black, Move::Pass)]).is_none());
        assert_eq!(matcher.counts().games, 1);
    }
}
