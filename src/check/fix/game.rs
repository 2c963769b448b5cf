//! Repairs one game: its syntax, and then the findings, pass by pass, until nothing is left to do.
//!
//! The second step edits only games without faults of syntax, in which only white space stands between lexemes. An edit
//! can make room for another one, so there are passes. A pass after which the game would read differently is dropped.

use std::collections::BTreeMap;

use super::edits::Edits;
use crate::check::core::Core;
use crate::check::finding::Finding;
use crate::check::{Rule, Rules};
use crate::raw::BOM;
use crate::read::parser::Parser;
use crate::syntax::event::Event;
use crate::write::rewrite::game::{self, Dropped, GameFault, Outcome, RepairOptions, Repaired};

/// The highest number of passes, which no real game needs: nearly always the second finds nothing to do.
const MOST_PASSES: usize = 64;

/// The result of [`fix`].
pub(super) enum FixedGame {
    Same,
    Changed {
        bytes: Vec<u8>,
        repairs: BTreeMap<Rule, u64>,
        dropped: Vec<Dropped>,
    },
    /// The game stays unchanged because of these faults.
    Kept(Vec<GameFault>),
    /// The game exceeds a limit of the parser.
    Refused(GameFault),
}

/// Repairs a game, which reaches from its `(` to its end.
pub(super) fn fix(rules: &Rules, parser: &Parser, source: &[u8], options: RepairOptions<'_>) -> FixedGame {
    let (mut repairs, mut dropped) = (BTreeMap::new(), Vec::new());
    let mut bytes = match game::repair(parser, source, options) {
        Outcome::Sound => source.to_vec(),
        Outcome::Repaired(repaired) => {
            let Repaired { bytes, repairs: codes, dropped: gone } = repaired;
            repairs.extend(codes.into_iter().map(|(code, count)| (Rule::Syntax(code), count)));
            dropped = gone;
            bytes
        }
        Outcome::Kept(faults) => return FixedGame::Kept(faults),
        Outcome::Refused(fault) => return FixedGame::Refused(fault),
    };
    if options.has_bom {
        bytes.splice(..0, BOM.iter().copied()); // the mark decides how the game is read
    }
    for _ in 0..MOST_PASSES {
        let mut edited = Vec::with_capacity(bytes.len());
        let made = pass(rules, parser, &bytes, &mut edited);
        let front = if options.has_bom { BOM.len() } else { 0 };
        if made.is_empty() || !is_same(parser, &bytes, &edited) || !options.fits(parser, &edited[front..]) {
            break;
        }
        bytes = edited;
        for (rule, count) in made {
            *repairs.entry(rule).or_default() += count;
        }
    }
    if options.has_bom {
        bytes.drain(..BOM.len());
    }
    match bytes == source {
        true => FixedGame::Same,
        false => FixedGame::Changed { bytes, repairs, dropped },
    }
}

/// Writes a game with those edits of its findings that do not touch each other. Returns the number of findings of each
/// rule that this repairs.
fn pass(rules: &Rules, parser: &Parser, source: &[u8], out: &mut Vec<u8>) -> BTreeMap<Rule, u64> {
    let (mut core, mut depth) = (Core::new(rules.clone(), parser), 0);
    let (mut edits, mut at, mut repairs) = (Edits::default(), 0, BTreeMap::new());
    let _ = parser.parse(source, |event, offset| {
        check(&mut core, &mut depth, event, offset, &mut |finding| edits.add(finding.rule, &finding.edits));
        if matches!(event, Event::StartTree | Event::Node | Event::EndTree) && !core.may_mend_charset() {
            edits.apply(source, &mut at, out, &mut repairs); // of the node before
        }
    });
    out.extend_from_slice(&source[at..]);
    repairs
}

/// Passes an event to the checker. `depth` is the number of open trees.
pub(super) fn check(core: &mut Core, depth: &mut usize, event: Event<'_>, at: u64, to: &mut dyn FnMut(&Finding)) {
    match event {
        Event::Property(ident) => core.property(ident, at, to),
        Event::Value(value) => core.value(value, at, to),
        Event::Node => core.node(at, to),
        Event::StartTree => {
            *depth += 1;
            match *depth {
                1 => core.begin_game(to),
                _ => core.start_tree(at, to),
            }
        }
        Event::EndTree => {
            *depth -= 1;
            match *depth {
                0 => core.end_game(to),
                _ => core.end_tree(to),
            }
        }
        Event::ValuePart(_) => {}
    }
}

/// Whether a game still has the same trees and nodes, and no fault of syntax.
fn is_same(parser: &Parser, before: &[u8], after: &[u8]) -> bool {
    let shape = |bytes| {
        let events = parser.slice(bytes).map_while(Result::ok);
        events.filter(|event| matches!(event, Event::StartTree | Event::Node | Event::EndTree))
    };
    game::is_sound(parser, after) && shape(before).eq(shape(after))
}
