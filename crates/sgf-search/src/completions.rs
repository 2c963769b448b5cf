//! The needs that a change of a point may fulfill last.
//!
//! A stone on a point completes a pattern only where the pattern wants a stone, and all its other needs are fulfilled. Anywhere on
//! a board, there are hundreds of such needs: those of each variant. They are looked at together. Each has a bit, and for each
//! cell nearby and each state of that cell there is a word with the bits of the needs whose pattern may be there
//! then. The conjunction of some of these words is empty for most changes, and after all of them what is left is complete.
//! A pattern with more needs than there are bits is usually a large one with few places, so its needs on a point are
//! checked one by one.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use sgf_stream::work;

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
    Lists {
        ends: Vec<(u32, u32)>,
        list: Vec<u32>,
    },
    One(Bits<1>),
    Two(Bits<2>),
    Four(Bits<4>),
    Eight(Bits<8>),
}

/// Sets of triggers, with one bit per trigger.
#[derive(Debug)]
struct Bits<const WORDS: usize> {
    /// By cell: the triggers that are on the board.
    places: Vec<[u64; WORDS]>,
    /// The cells nearby, those first that exclude most triggers.
    others: Vec<Other<WORDS>>,
}

/// A cell nearby.
#[derive(Debug)]
struct Other<const WORDS: usize> {
    /// How far it is from the changed one.
    distance: isize,
    /// By its state: the triggers whose pattern may be there.
    allowed: [[u64; WORDS]; STATES],
}

/// The number of states of cells, those off the board included. Some are not used, so that no index is too large.
const STATES: usize = 8;

/// The most words. A pattern that needs more has its triggers in lists.
const MOST_WORDS: usize = 8;

/// The number of bits of a word.
const BITS: usize = 64;

/// The number of cells that are read before each test whether a trigger is left. More tests cause more mispredicted branches.
const TOGETHER: usize = 4;

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
                work::note(variant.columns.clone().count());
                for x in variant.columns.clone() {
                    by_cell[grid.index(x + trigger.dx, y + trigger.dy)].push(number);
                }
            }
        }
        let lookup = match triggers.len().div_ceil(BITS) {
            0 | 1 => Lookup::One(Bits::new(grid, variants, &triggers, &by_cell)),
            2 => Lookup::Two(Bits::new(grid, variants, &triggers, &by_cell)),
            3 | 4 => Lookup::Four(Bits::new(grid, variants, &triggers, &by_cell)),
            5..=MOST_WORDS => Lookup::Eight(Bits::new(grid, variants, &triggers, &by_cell)),
            _ => lists(&by_cell),
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
            Lookup::One(bits) => bits.left(cells, at) != [0; 1],
            Lookup::Two(bits) => bits.left(cells, at) != [0; 2],
            Lookup::Four(bits) => bits.left(cells, at) != [0; 4],
            Lookup::Eight(bits) => bits.left(cells, at) != [0; 8],
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
            Lookup::One(bits) => self.each_bit(&bits.left(cells, at), found),
            Lookup::Two(bits) => self.each_bit(&bits.left(cells, at), found),
            Lookup::Four(bits) => self.each_bit(&bits.left(cells, at), found),
            Lookup::Eight(bits) => self.each_bit(&bits.left(cells, at), found),
        }
    }

    #[inline]
    fn each_bit(&self, words: &[u64], mut found: impl FnMut(Trigger)) {
        for (number, &word) in words.iter().enumerate() {
            let mut left = word;
            while left != 0 {
                found(self.triggers[number * BITS + left.trailing_zeros() as usize]);
                left &= left - 1;
            }
        }
    }
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

impl<const WORDS: usize> Bits<WORDS> {
    fn new(grid: Grid, variants: &[Variant], triggers: &[Trigger], by_cell: &[Vec<u32>]) -> Self {
        let mut places = vec![[0; WORDS]; by_cell.len()];
        for (cell, numbers) in by_cell.iter().enumerate() {
            for &number in numbers {
                places[cell][number as usize / BITS] |= 1 << (number as usize % BITS);
            }
        }
        // What the triggers want, by the distance from the changed cell.
        let mut wanted: BTreeMap<isize, Vec<(usize, State)>> = BTreeMap::new();
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
        wanted.sort_by_key(|(distance, wanted)| (Reverse(weight(wanted)), *distance));
        let other = |(distance, wanted): (isize, Vec<(usize, State)>)| {
            let mut allowed = [[u64::MAX; WORDS]; STATES];
            for (number, states) in wanted {
                for state in [State::EMPTY, State::BLACK, State::WHITE, State::OFF] {
                    if !states.contains(state) {
                        allowed[state.index()][number / BITS] &= !(1 << (number % BITS));
                    }
                }
            }
            Other { distance, allowed }
        };
        Bits { places, others: wanted.into_iter().map(other).collect() }
    }

    /// Returns the triggers that the cells around a cell allow.
    #[inline]
    fn left(&self, cells: &[State], at: usize) -> [u64; WORDS] {
        let mut left = self.places[at];
        for others in self.others.chunks(TOGETHER) {
            if left == [0; WORDS] {
                break;
            }
            for Other { distance, allowed } in others {
                let state = cells[at.wrapping_add_signed(*distance)].index() % STATES;
                left.iter_mut().zip(&allowed[state]).for_each(|(left, allowed)| *left &= allowed);
            }
        }
        left
    }
}
