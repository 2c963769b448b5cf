//! The needs that a change of a point may fulfill last.
//!
//! A stone on a point completes a pattern only where the pattern wants a stone, and all its other needs are fulfilled. Anywhere on
//! a board, there are hundreds of such needs: those of each variant. They are looked at together. Each has a bit, and for each
//! cell nearby and each state of that cell there is a word with the bits of the needs whose pattern may be there
//! then. The conjunction of some of these words is empty for most changes, and after all of them what is left is complete.
//! Where the pattern has few places on a board, few needs are possible on a point, and are looked at one by one.

use super::layout::{Grid, Variant};
use crate::pattern::State;

/// A need of a variant, from the upper left point of the pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Trigger {
    pub(crate) variant: u8,
    pub(crate) dx: u8,
    pub(crate) dy: u8,
}

/// The needs that are fulfilled when a point changes from one state to another one.
#[derive(Debug)]
pub(crate) struct Completions {
    triggers: Vec<Trigger>,
    lookup: Lookup,
}

#[derive(Debug)]
enum Lookup {
    /// By cell: where its triggers begin and end in the list.
    Lists { ends: Vec<(u32, u32)>, list: Vec<u32> },
    /// A word with a bit for each trigger.
    Word { places: Vec<u64>, others: Vec<(isize, [u64; STATES])> },
    Words {
        /// The number of words with a bit for each trigger.
        words: usize,
        /// By cell: the triggers that are on the board.
        places: Vec<u64>,
        /// What other cells have to say, those first that say most.
        others: Vec<Other>,
    },
}

/// A cell nearby.
#[derive(Debug)]
struct Other {
    /// How far it is from the changed one.
    distance: isize,
    /// By its state, and by word: the triggers whose pattern may be there.
    allowed: [Box<[u64]>; STATES],
}

/// The number of states of cells, those off the board included. Some are not used, so that no index is too large.
const STATES: usize = 8;

/// The most triggers on a point that are looked at one by one.
const FEW: usize = 4;

/// The most words.
const MOST_WORDS: usize = 8;

/// The number of bits of a word.
const BITS: usize = 64;

impl Completions {
    /// Returns what a change from one state to another may complete; `None` if it completes nothing.
    pub(crate) fn new(grid: Grid, variants: &[Variant], (before, now): (State, State)) -> Option<Self> {
        let mut triggers = Vec::new();
        for (number, variant) in (0..).zip(variants) {
            for &((dx, dy), states) in &variant.wanted {
                if states.contains(now) && !states.contains(before) {
                    triggers.push(Trigger { variant: number, dx, dy });
                }
            }
        }
        if triggers.is_empty() {
            return None;
        }
        let mut by_cell = Vec::new();
        let mut empty = Vec::new();
        grid.clear(&mut empty);
        by_cell.resize(empty.len(), Vec::new());
        for (number, trigger) in (0..).zip(&triggers) {
            let variant = &variants[usize::from(trigger.variant)];
            for y in variant.rows.clone() {
                for x in variant.columns.clone() {
                    by_cell[grid.index(x + trigger.dx, y + trigger.dy)].push(number);
                }
            }
        }
        let most = by_cell.iter().map(Vec::len).max().unwrap_or(0);
        let words = triggers.len().div_ceil(BITS);
        let lookup = match most <= FEW || words > MOST_WORDS {
            true => lists(&by_cell),
            false => bits(grid, variants, &triggers, &by_cell),
        };
        Some(Completions { triggers, lookup })
    }

    /// Returns whether all needs of a trigger are known to be fulfilled.
    #[inline]
    pub(crate) fn is_exact(&self) -> bool {
        !matches!(self.lookup, Lookup::Lists { .. })
    }

    /// Returns whether a change of a cell may have completed something.
    #[inline]
    pub(crate) fn is_possible(&self, cells: &[State], at: usize) -> bool {
        match &self.lookup {
            Lookup::Lists { ends, .. } => ends[at].0 != ends[at].1,
            Lookup::Word { places, others } => left_of(places[at], others, cells, at) != 0,
            Lookup::Words { .. } => true,
        }
    }

    /// Calls a function with each need whose pattern may be complete now.
    #[inline]
    pub(crate) fn each(&self, cells: &[State], at: usize, mut found: impl FnMut(Trigger)) {
        match &self.lookup {
            Lookup::Lists { ends, list } => {
                let (start, end) = ends[at];
                list[start as usize..end as usize].iter().for_each(|&number| found(self.triggers[number as usize]));
            }
            Lookup::Word { places, others } => {
                let mut left = left_of(places[at], others, cells, at);
                while left != 0 {
                    found(self.triggers[left.trailing_zeros() as usize]);
                    left &= left - 1;
                }
            }
            Lookup::Words { words, places, others } => {
                for word in 0..*words {
                    let mut left = places[at * words + word];
                    for Other { distance, allowed } in others {
                        if left == 0 {
                            break;
                        }
                        left &= allowed[cells[at.wrapping_add_signed(*distance)].index()][word];
                    }
                    while left != 0 {
                        found(self.triggers[word * BITS + left.trailing_zeros() as usize]);
                        left &= left - 1;
                    }
                }
            }
        }
    }
}

/// Returns the triggers that the cells around a cell allow.
#[inline]
fn left_of(mut left: u64, others: &[(isize, [u64; STATES])], cells: &[State], at: usize) -> u64 {
    for (distance, allowed) in others {
        if left == 0 {
            break;
        }
        left &= allowed[cells[at.wrapping_add_signed(*distance)].index() % STATES];
    }
    left
}

fn lists(by_cell: &[Vec<u32>]) -> Lookup {
    let (mut ends, mut list) = (Vec::with_capacity(by_cell.len()), Vec::new());
    for triggers in by_cell {
        let start = list.len() as u32;
        list.extend(triggers);
        ends.push((start, list.len() as u32));
    }
    Lookup::Lists { ends, list }
}

fn bits(grid: Grid, variants: &[Variant], triggers: &[Trigger], by_cell: &[Vec<u32>]) -> Lookup {
    let words = triggers.len().div_ceil(BITS);
    let mut places = vec![0; by_cell.len() * words];
    for (cell, numbers) in by_cell.iter().enumerate() {
        for &number in numbers {
            places[cell * words + number as usize / BITS] |= 1 << (number as usize % BITS);
        }
    }
    // What the triggers want, by the distance from the changed cell.
    let mut wanted: std::collections::BTreeMap<isize, Vec<(usize, State)>> = std::collections::BTreeMap::new();
    for (number, trigger) in triggers.iter().enumerate() {
        for &((x, y), states) in &variants[usize::from(trigger.variant)].wanted {
            let (dx, dy) = (i32::from(x) - i32::from(trigger.dx), i32::from(y) - i32::from(trigger.dy));
            let distance = dy as isize * grid.stride as isize + dx as isize;
            if distance != 0 {
                wanted.entry(distance).or_default().push((number, states));
            }
        }
    }
    // Stones are seldom where they are wanted, and empty points often.
    let weight = |wanted: &[(usize, State)]| -> usize {
        wanted.iter().map(|(_, states)| if states.contains(State::EMPTY) { 1 } else { 3 }).sum()
    };
    let mut wanted: Vec<_> = wanted.into_iter().collect();
    wanted.sort_by_key(|(distance, wanted)| (std::cmp::Reverse(weight(wanted)), *distance));
    let other = |(distance, wanted): (isize, Vec<(usize, State)>)| {
        let mut allowed: [Box<[u64]>; STATES] = std::array::from_fn(|_| vec![u64::MAX; words].into_boxed_slice());
        for (number, states) in wanted {
            for state in [State::EMPTY, State::BLACK, State::WHITE, State::OFF] {
                if !states.contains(state) {
                    allowed[state.index()][number / BITS] &= !(1 << (number % BITS));
                }
            }
        }
        Other { distance, allowed }
    };
    let others = wanted.into_iter().map(other);
    match words {
        1 => {
            let one = |other: Other| (other.distance, other.allowed.map(|words| words[0]));
            Lookup::Word { places, others: others.map(one).collect() }
        }
        _ => Lookup::Words { words, places, others: others.collect() },
    }
}
