//! The eight images of a board, by codes of moves.

use std::sync::OnceLock;

use sgf_stream::board::Symmetry;
use sgf_stream::value::{Size, go};

use crate::report::facts::{Facts, PASS, Side, WHITE};

/// The images of each point of a square board, in the order of [`Symmetry::ALL`]: codes like those of moves.
pub(super) fn images(side: Side) -> &'static [[u16; 8]] {
    static BOARDS: [OnceLock<Vec<[u16; 8]>>; 53] = [const { OnceLock::new() }; 53];
    let Some(board) = BOARDS.get(usize::from(side)) else { return &[] };
    board.get_or_init(|| {
        let Some(size) = Size::square(side.into()) else { return Vec::new() };
        let image = |x: u8, y: u8, symmetry: Symmetry| {
            let point = go::Point::new(x, y).and_then(|point| symmetry.apply(point, size));
            point.map_or(PASS, |point| u16::from(point.y()) * u16::from(side) + u16::from(point.x()))
        };
        let points = (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
        points.map(|(x, y)| Symmetry::ALL.map(|symmetry| image(x, y, symmetry))).collect()
    })
}

/// A hash of the board, its setup and the moves of a game, equal for games that are turned or mirrored. It has no need of
/// captures, so it takes a tenth of the time of a [fingerprint](sgf_stream::board::Fingerprint).
pub(super) fn hash(facts: &Facts, side: Side) -> u64 {
    let images = images(side);
    let of_code = |code: u16| {
        let image = images.get(usize::from(code & !WHITE)).copied().unwrap_or([PASS; 8]);
        image.map(|point| u64::from(point | code & WHITE))
    };
    let mut hashes = [mix(side.into()); 8];
    // Stones that are set up have no order.
    for code in &facts.setup {
        hashes.iter_mut().zip(of_code(*code)).for_each(|(hash, point)| *hash = hash.wrapping_add(mix(point + 1)));
    }
    for code in &facts.moves {
        hashes.iter_mut().zip(of_code(*code)).for_each(|(hash, point)| *hash = mix(*hash ^ point));
    }
    // The least of several hashes would not be spread evenly.
    mix(hashes.into_iter().min().unwrap_or_default())
}

fn mix(number: u64) -> u64 {
    let mixed = number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed ^ mixed >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_that_are_turned_or_mirrored_have_one_hash() {
        let moves = [60, 72 | WHITE, 288, PASS | WHITE, 15];
        let game = |n: usize| {
            let image =
                |code: &u16| images(19).get(usize::from(code & !WHITE)).map_or(PASS, |image| image[n]) | code & WHITE;
            Facts {
                setup: [3, 5].iter().map(image).collect(),
                moves: moves.iter().map(image).collect(),
                ..Facts::default()
            }
        };
        assert!((0..8).all(|n| hash(&game(n), 19) == hash(&game(0), 19)));
        let swapped = Facts { moves: [73, 60 | WHITE].into(), ..Facts::default() };
        let other = Facts { moves: [60, 73 | WHITE].into(), ..Facts::default() };
        assert_ne!(hash(&swapped, 19), hash(&other, 19));
        assert_ne!(hash(&other, 19), hash(&other, 21));
    }
}
