//! The game info in force on the way down two trees.

use std::collections::{HashMap, HashSet};

use super::info::{HANDICAP, Info, InfoKey};
use crate::work;

/// Whose game info it is: of the tree or of the other game.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Own,
    Other,
}

/// The game info in force at a shared node.
#[derive(Default)]
pub(super) struct InForce {
    /// Each value, from the root to the node.
    log: Vec<InForceValue>,
    /// How often each value is in the log, for each side.
    counts: HashMap<InfoKey, [usize; 2]>,
    /// Number of values that only the other game has.
    missing: usize,
}

struct InForceValue {
    key: InfoKey,
    side: Side,
    name: Vec<u8>,
    value: Vec<u8>,
}

impl InForce {
    /// Returns the length of the log, to [leave](Self::leave) what is added later.
    pub(super) fn len(&self) -> usize {
        self.log.len()
    }

    /// Adds the game info of a node.
    pub(super) fn enter(&mut self, info: &Info, side: Side) {
        for (key, name, value) in info.values() {
            self.push(InForceValue { key, side, name: name.clone(), value: value.clone() });
        }
    }

    fn push(&mut self, value: InForceValue) {
        self.count(&value, |count| count + 1);
        self.log.push(value);
    }

    /// Goes back to an earlier length of the log.
    pub(super) fn leave(&mut self, len: usize) {
        for value in self.log.split_off(len) {
            self.count(&value, |count| count - 1);
        }
    }

    fn count(&mut self, value: &InForceValue, change: impl Fn(usize) -> usize) {
        work::note(1);
        let counts = self.counts.entry(value.key.clone()).or_default();
        let is_missing = |[own, others]: [usize; 2]| usize::from(own == 0 && others > 0);
        self.missing -= is_missing(*counts);
        counts[value.side as usize] = change(counts[value.side as usize]);
        self.missing += is_missing(*counts);
    }

    /// Makes the handicap of the other game no longer missing, here and below. Returns the values that were.
    pub(super) fn settle_handicap(&mut self) -> Vec<Vec<u8>> {
        let mut settled = Vec::new();
        if self.missing > 0 {
            let is_missing = |value: &&InForceValue| self.counts.get(&value.key).is_some_and(|[own, _]| *own == 0);
            let handicaps = self.log.iter().filter(|value| value.name == HANDICAP).filter(is_missing);
            let missing: Vec<_> = handicaps.map(|value| (value.key.clone(), value.value.clone())).collect();
            for (key, value) in missing {
                self.push(InForceValue { key, side: Side::Own, name: HANDICAP.to_vec(), value: Vec::new() });
                settled.push(value);
            }
        }
        settled
    }

    /// Returns whether the other game has nothing that the tree lacks.
    pub(super) fn is_complete(&self) -> bool {
        self.missing == 0
    }

    /// Returns what only the other game has.
    pub(super) fn missing(&self) -> Option<Info> {
        if self.missing == 0 {
            return None;
        }
        work::note(self.log.len());
        let (mut missing, mut known) = (Info::of(Vec::new()), HashSet::new());
        let mut by_name = HashMap::new();
        for InForceValue { key, name, value, .. } in &self.log {
            if self.counts.get(key).is_some_and(|[own, _]| *own == 0) && known.insert(key) {
                let index = *by_name.entry(name).or_insert(missing.all.len());
                if index == missing.all.len() {
                    missing.all.push((name.clone(), Vec::new()));
                }
                missing.all[index].1.push(value.clone());
            }
        }
        Some(missing)
    }
}
