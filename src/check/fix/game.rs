//! One game: its syntax, and then the findings, pass by pass, until nothing is left to do.
//!
//! The second step edits games without faults of syntax only: what stands between their lexemes is white space. An
//! edit can bring to light what another one is for, so there are passes; and a pass after which the game would read
//! otherwise is not made.

use std::collections::BTreeMap;

use super::edits::Edits;
use crate::check::core::Core;
use crate::check::finding::Finding;
use crate::check::{Rule, Rules};
use crate::read::parser::Parser;
use crate::syntax::event::Event;
use crate::write::rewrite::game::{self, BOM, Dropped, Fault, Manner, Outcome, Repaired};

/// More passes than any real game needs: nearly always the second finds nothing to do.
const MOST_PASSES: usize = 64;

/// The result of [`fix`].
pub(super) enum Result {
    Same,
    Fixed { bytes: Vec<u8>, repairs: BTreeMap<Rule, u64>, dropped: Vec<Dropped> },
    Left(Vec<Fault>),
    Refused(Fault),
}

/// Repairs a game, which the stream has from its `(` to its end.
pub(super) fn fix(rules: &Rules, parser: &Parser, source: &[u8], manner: Manner) -> Result {
    let (mut repairs, mut dropped) = (BTreeMap::new(), Vec::new());
    let mut bytes = match game::repair(parser, source, manner) {
        Outcome::Sound => source.to_vec(),
        Outcome::Repaired(repaired) => {
            let Repaired { bytes, repairs: codes, dropped: gone } = repaired;
            repairs.extend(codes.into_iter().map(|(code, count)| (Rule::Syntax(code), count)));
            dropped = gone;
            bytes
        }
        Outcome::Left(faults) => return Result::Left(faults),
        Outcome::Refused(fault) => return Result::Refused(fault),
    };
    if manner.has_bom {
        bytes.splice(..0, BOM.iter().copied()); // it decides how the game is read
    }
    for _ in 0..MOST_PASSES {
        let mut edited = Vec::with_capacity(bytes.len());
        let made = pass(rules, parser, &bytes, &mut edited);
        let front = if manner.has_bom { BOM.len() } else { 0 };
        if made.is_empty() || !is_same(parser, &bytes, &edited) || !manner.keeps_start(parser, &edited[front..]) {
            break;
        }
        bytes = edited;
        for (rule, count) in made {
            *repairs.entry(rule).or_default() += count;
        }
    }
    if manner.has_bom {
        bytes.drain(..BOM.len());
    }
    match bytes == source {
        true => Result::Same,
        false => Result::Fixed { bytes, repairs, dropped },
    }
}

/// Writes a game with the edits of its findings made, as many as do not touch each other. Returns how many findings of
/// each rule that repairs.
fn pass(rules: &Rules, parser: &Parser, source: &[u8], out: &mut Vec<u8>) -> BTreeMap<Rule, u64> {
    let (mut core, mut depth) = (Core::new(rules.clone(), parser), 0);
    let (mut edits, mut at, mut repairs) = (Edits::default(), 0, BTreeMap::new());
    let _ = parser.parse(source, |event, offset| {
        drive(&mut core, &mut depth, event, offset, &mut |finding| edits.add(finding.rule, &finding.edits));
        if matches!(event, Event::StartTree | Event::Node | Event::EndTree) && !core.may_mend_charset() {
            edits.settle(source, &mut at, out, &mut repairs); // of the node before
        }
    });
    out.extend_from_slice(&source[at..]);
    repairs
}

/// Gives an event to the checker. `depth` is the number of open trees.
pub(super) fn drive(core: &mut Core, depth: &mut usize, event: Event<'_>, at: u64, to: &mut dyn FnMut(&Finding)) {
    match event {
        Event::Property(ident) => core.property(ident, at, to),
        Event::Value(value) => core.value(value, at, to),
        Event::Node => core.node(at, to),
        Event::StartTree => {
            *depth += 1;
            match *depth {
                1 => core.begin_game(at, to),
                _ => core.start_tree(at, to),
            }
        }
        Event::EndTree => {
            *depth -= 1;
            match *depth {
                0 => _ = core.end_game(to),
                _ => core.end_tree(to),
            }
        }
        Event::ValuePart(_) => {}
    }
}

/// Whether a game has the trees and nodes that it had, and no fault of syntax.
fn is_same(parser: &Parser, before: &[u8], after: &[u8]) -> bool {
    let shape = |bytes| {
        let events = parser.slice(bytes).map_while(std::result::Result::ok);
        events.filter(|event| matches!(event, Event::StartTree | Event::Node | Event::EndTree))
    };
    game::is_sound(parser, after) && shape(before).eq(shape(after))
}
