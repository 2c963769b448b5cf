//! A search of real games as plain as can be: all positions, all orientations, all places.
//!
//! What is plain takes hours, so all positions of a game are looked at together: for each point and state there is the set of the
//! nodes after which the point has the state.

use std::collections::BTreeMap;

use super::game::{RealGame, STATES};
use crate::naive::{self, Hit, Settings, Turned, allows, image, other};

/// A pattern in one of its orientations, for boards of a size.
#[derive(Debug)]
pub(crate) struct Variant {
    /// In order, and the symmetries and colors that lead to the same.
    turned: Turned,
    orientations: Vec<(usize, bool)>,
    /// What is wanted, stones first, by the distance from the corner.
    wanted: Vec<(usize, [bool; 3])>,
}

/// The color of the next move, its point in the pattern, and its ply.
type Next = Option<(char, (usize, usize), usize)>;

/// Returns the variants of a pattern on boards of a size.
pub(crate) fn variants(pattern: &naive::Pattern, settings: Settings, size: (usize, usize)) -> Vec<Variant> {
    let mut variants: Vec<Variant> = Vec::new();
    for swapped in [false, true] {
        for symmetry in 0..8 {
            if swapped && !settings.swaps || symmetry > 0 && !settings.symmetries {
                continue;
            }
            let turned = naive::turned(pattern, symmetry, swapped, settings.place, size);
            match variants.iter_mut().find(|variant| variant.turned == turned) {
                Some(same) => same.orientations.push((symmetry, swapped)),
                None => variants.push(Variant::new(turned, (symmetry, swapped), size)),
            }
        }
    }
    variants
}

impl Variant {
    fn new(turned: Turned, orientation: (usize, bool), size: (usize, usize)) -> Self {
        let mut wanted = Vec::new();
        for (y, row) in turned.needs.iter().enumerate() {
            for (x, &need) in row.iter().enumerate() {
                if need != '*' {
                    wanted.push((y * size.0 + x, STATES.map(|state| allows(need, state))));
                }
            }
        }
        wanted.sort_by_key(|(_, allowed)| allowed[0]);
        Variant { turned, orientations: vec![orientation], wanted }
    }

    /// Returns the point of the pattern on a point of the board.
    fn point(&self, corner: (usize, usize), (x, y): (usize, usize)) -> Option<(usize, usize)> {
        let point = (x.checked_sub(corner.0)?, y.checked_sub(corner.1)?);
        (point.0 < self.turned.needs[0].len() && point.1 < self.turned.needs.len()).then_some(point)
    }
}

/// The positions of a game.
pub(crate) struct History {
    /// Number of words of a set.
    words: usize,
    /// By point and state: the nodes after which the point has this state.
    sets: Vec<u64>,
}

impl History {
    /// Takes the positions after all nodes, one after the other.
    pub(crate) fn new(positions: &[u8], points: usize) -> Self {
        let words = (positions.len() / points).div_ceil(64);
        let mut sets = vec![0; words * points * STATES.len()];
        for (node, board) in positions.chunks_exact(points).enumerate() {
            for (point, state) in board.iter().enumerate() {
                sets[(point * STATES.len() + usize::from(*state)) * words + node / 64] |= 1 << (node % 64);
            }
        }
        History { words, sets }
    }

    /// Finds the nodes after which a variant is at a corner. Returns whether there are any.
    fn find(&self, variant: &Variant, corner: usize, nodes: &mut Vec<u64>) -> bool {
        nodes.clear();
        nodes.resize(self.words, u64::MAX);
        variant.wanted.iter().all(|(distance, allowed)| {
            let of_point = &self.sets[(corner + distance) * STATES.len() * self.words..][..STATES.len() * self.words];
            let mut has_some = false;
            for (word, nodes) in nodes.iter_mut().enumerate() {
                let states = allowed.iter().enumerate().filter(|(_, allowed)| **allowed);
                *nodes &= states.fold(0, |set, (state, _)| set | of_point[state * self.words + word]);
                has_some |= *nodes != 0;
            }
            has_some
        })
    }
}

/// A place where a pattern is: the number of the variant, and the row and the column of its corner.
type Spot = (usize, usize, usize);

/// Returns the hits of a game, sorted.
pub(crate) fn find(game: &RealGame, history: &History, variants: &[Variant], settings: Settings) -> Vec<Hit> {
    let Some((columns, _)) = game.size else { return Vec::new() };
    let (line, mut nodes) = (game.line(settings.variations), Vec::new());
    // The last node, the first node and the spot of the best hits.
    let mut best: Option<(usize, usize, Spot)> = None;
    let mut of_spots: BTreeMap<Spot, (usize, usize)> = BTreeMap::new();
    for (number, variant) in variants.iter().enumerate() {
        for &corner in &variant.turned.corners {
            if !history.find(variant, corner.1 * columns + corner.0, &mut nodes) {
                continue;
            }
            let spot = (number, corner.1, corner.0);
            let ends = match variant.turned.continuation.is_empty() {
                true => Vec::new(),
                false => ends(game, variant, corner, &line, settings),
            };
            for &start in line.iter().filter(|node| nodes[**node / 64] >> (**node % 64) & 1 == 1) {
                // A later start has no earlier end.
                if of_spots.get(&spot).is_some_and(|(end, _)| *end < start) {
                    break;
                }
                let end = if ends.is_empty() { start } else { ends[start] };
                if end == NEVER {
                    continue;
                }
                if best.is_none_or(|best| (end, start, spot) < best) {
                    best = Some((end, start, spot));
                }
                let of_spot = of_spots.entry(spot).or_insert((end, start));
                *of_spot = (*of_spot).min((end, start));
            }
        }
    }
    let mut hits: Vec<Hit> = match settings.every_place {
        true => {
            of_spots.into_iter().map(|(spot, (end, start))| hit(game, variants, (end, start, spot), settings)).collect()
        }
        false => best.into_iter().map(|best| hit(game, variants, best, settings)).collect(),
    };
    if !settings.variations {
        let line = game.line(false);
        for hit in &mut hits {
            hit.node = line.iter().position(|node| *node == hit.node).unwrap();
        }
    }
    crate::search::sorted(hits)
}

/// Returns for each node the first one after which the continuation has been played, if it begins after the node.
fn ends(game: &RealGame, variant: &Variant, corner: (usize, usize), line: &[usize], settings: Settings) -> Vec<usize> {
    let moves = &variant.turned.continuation;
    // By node and by number of moves that have been played.
    let mut ends = vec![NEVER; game.nodes.len() * moves.len()];
    for &node in line.iter().rev() {
        for &child in game.children(node, settings.variations) {
            let played = game.nodes[child].played;
            let inside = played.and_then(|(color, at)| Some((color, variant.point(corner, at?)?)));
            for (progress, wanted) in moves.iter().enumerate() {
                let end = match inside {
                    None => ends[child * moves.len() + progress],
                    Some(played) if played == *wanted && progress + 1 == moves.len() => child,
                    Some(played) if played == *wanted => ends[child * moves.len() + progress + 1],
                    Some(_) => NEVER,
                };
                let first = &mut ends[node * moves.len() + progress];
                *first = end.min(*first);
            }
        }
    }
    ends.into_iter().step_by(moves.len()).collect()
}

/// In place of a node: the continuation is not played.
const NEVER: usize = usize::MAX;

fn hit(
    game: &RealGame,
    variants: &[Variant],
    (end, start, (variant, y, x)): (usize, usize, Spot),
    settings: Settings,
) -> Hit {
    let (variant, corner) = (&variants[variant], (x, y));
    let mut next = None;
    let mut node = end;
    // The line goes on with first children.
    while let Some(&child) = game.children(node, settings.variations).first() {
        node = child;
        let played = game.nodes[node].played;
        next = played.and_then(|(color, at)| Some((color, variant.point(corner, at?)?, game.nodes[node].ply)));
        if next.is_some() {
            break;
        }
    }
    // Of the orientations that lead to the same, that whose next move comes first.
    let size = (variant.turned.needs[0].len(), variant.turned.needs.len());
    let named = |&(symmetry, swapped): &(usize, bool)| {
        let next = next.map(|(color, point, ply)| {
            let inverse = [0, 1, 2, 3, 4, 6, 5, 7][symmetry];
            let color = if swapped { other(color) } else { color };
            (color, image(inverse, point, size), ply)
        });
        (symmetry, swapped, next)
    };
    let order = |(_, _, next): &(usize, bool, Next)| next.map(|(color, (x, y), _)| (color == 'O', y, x));
    let (symmetry, swapped, next) = variant.orientations.iter().map(named).min_by_key(order).unwrap();
    Hit { node: start, ply: game.nodes[start].ply, symmetry, swapped, corner, next }
}
