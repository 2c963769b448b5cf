//! The parts of a tree: their keys, and which of them a type needs.

use super::batch::{Plan, Rest};
use super::error::{Error, Result};
use super::node::REST;

/// The keys after the properties of the root, in the order of the stream.
pub(super) const STEPS: [&str; 5] = ["$root", "$line", "$mainline", "$nodes", "$variations"];

const ROOT: u8 = 0;
pub(super) const LINE: u8 = 1;
pub(super) const MAIN_LINE: u8 = 2;
pub(super) const NODES: u8 = 3;
pub(super) const VARIATIONS: u8 = 4;

/// The parts of a tree that a type needs.
#[derive(Clone, Copy)]
pub(super) struct Wants {
    /// A bit for each of [`STEPS`].
    steps: u8,
    pub(super) rest: bool,
    /// Whether nodes and variations are needed only if they exist.
    pub(super) if_any: bool,
}

impl Wants {
    pub(super) const NOTHING: Wants = Wants { steps: 0, rest: false, if_any: false };
    pub(super) const ANY: Wants = Wants { steps: 1 << NODES | 1 << VARIATIONS, rest: false, if_any: true };

    pub(super) fn of(fields: &[&str]) -> Result<Wants> {
        let bits = STEPS.iter().enumerate().map(|(step, key)| u8::from(fields.contains(key)) << step);
        let wants = Wants { steps: bits.sum(), rest: fields.contains(&REST), if_any: false };
        if [&[LINE][..], &[MAIN_LINE], &[NODES, VARIATIONS]].into_iter().filter(|ways| wants.has(ways)).count() > 1 {
            return Err(Error::data(
                "expected only one of `$line`, `$mainline`, or `$nodes` and `$variations`: the game passes once, and \
                 its main line runs through the variations",
            ));
        }
        Ok(wants)
    }

    /// Returns whether any of these parts is needed.
    fn has(self, steps: &[u8]) -> bool {
        steps.iter().any(|step| self.steps >> step & 1 == 1)
    }

    /// Returns the first part that is needed, from this one on.
    pub(super) fn first_from(self, step: u8) -> Option<u8> {
        (step..STEPS.len() as u8).find(|&step| self.has(&[step]))
    }

    pub(super) fn plan(self, fields: &'static [&'static str]) -> Plan {
        let all = self.rest || self.has(&[ROOT, LINE]);
        Plan {
            root: (!all).then_some(fields),
            rest: match self {
                _ if self.has(&[NODES, VARIATIONS]) => Rest::Everything,
                _ if self.has(&[LINE, MAIN_LINE]) => Rest::MainLine,
                _ => Rest::Nothing,
            },
        }
    }
}
