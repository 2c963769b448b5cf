//! The parts of a tree: the keys that stand for them, and which of them a type needs.

use super::batch::{Plan, Rest};
use super::error::{Error, Result};
use super::node::REST;

pub(super) const ROOT: &str = "$root";
pub(super) const LINE: &str = "$line";
pub(super) const MAIN_LINE: &str = "$mainline";
pub(super) const NODES: &str = "$nodes";
pub(super) const VARIATIONS: &str = "$variations";

/// The keys after the properties of the root, in the order of the stream.
pub(super) const STEPS: [&str; 5] = [ROOT, LINE, MAIN_LINE, NODES, VARIATIONS];

/// The parts of a tree that a type needs.
#[derive(Clone, Copy)]
pub(super) struct Wants {
    /// Any of the special keys but `$rest`.
    pub(super) parts: bool,
    pub(super) rest: bool,
    pub(super) root: bool,
    pub(super) line: bool,
    pub(super) main_line: bool,
    pub(super) nodes: bool,
    pub(super) variations: bool,
    /// The nodes and variations are needed only if there are any.
    pub(super) if_any: bool,
}

impl Wants {
    pub(super) const NOTHING: Wants = Wants {
        parts: false,
        rest: false,
        root: false,
        line: false,
        main_line: false,
        nodes: false,
        variations: false,
        if_any: false,
    };
    pub(super) const ANY: Wants = Wants { parts: true, nodes: true, variations: true, if_any: true, ..Wants::NOTHING };

    pub(super) fn of(fields: &[&str]) -> Result<Wants> {
        let has = |name| fields.contains(&name);
        let wants = Wants {
            parts: STEPS.into_iter().any(has),
            rest: has(REST),
            root: has(ROOT),
            line: has(LINE),
            main_line: has(MAIN_LINE),
            nodes: has(NODES),
            variations: has(VARIATIONS),
            if_any: false,
        };
        let branches = wants.nodes || wants.variations;
        if u8::from(wants.line) + u8::from(wants.main_line) + u8::from(branches) > 1 {
            return Err(Error::data(
                "expected only one of `$line`, `$mainline`, or `$nodes` and `$variations`: the game passes once, and \
                 its main line runs through the variations",
            ));
        }
        Ok(wants)
    }

    pub(super) fn plan(self, fields: &'static [&'static str]) -> Plan {
        let all = self.root || self.rest || self.line;
        Plan {
            root: (!all).then_some(fields),
            rest: match self {
                Wants { nodes: true, .. } | Wants { variations: true, .. } => Rest::Everything,
                Wants { line: true, .. } | Wants { main_line: true, .. } => Rest::MainLine,
                _ => Rest::Nothing,
            },
        }
    }
}
