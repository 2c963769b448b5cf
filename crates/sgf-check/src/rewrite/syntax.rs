//! The repairs of syntax errors, as code.
//!
//! | odd place | fix | cost |
//! |---|---|---|
//! | a bracket or semicolon that the reader supplied | insert it | nothing |
//! | a bracket of a tree without nodes; a `)` that closes nothing, unless a text follows | delete it | nothing |
//! | a byte that a value lacks | insert it | nothing |
//! | a value that is cut off | close it | nothing |
//! | ... and is empty, and would say something | delete it | content |
//! | what the reader drops otherwise | delete it | content |
//! | a property with digits, where FF\[4\] is asked for | delete it | content |

use sgf_stream::internal::Edit;
use sgf_stream::node::RootFacts;
use sgf_stream::{Code, Flow, Parser, work};

use super::document::{Document, Odd, OddKind};
use crate::edit::{Cost, Fix};

/// Plans the fixes of a piece, in the order of its bytes.
pub(crate) fn fixes(document: &Document<'_>, has_digits: impl Fn(usize) -> bool) -> Vec<Fix> {
    let odd = &document.odd;
    // A value that stays open takes what comes after it.
    let open = odd.iter().find(|odd| odd.kind == OddKind::CutEmpty).map(|odd| odd.range.start);
    let source = document.source;
    // The next odd place that is not a closing parenthesis.
    let mut other = 0;
    let fix = |(n, place): (usize, &Odd)| match place.kind {
        OddKind::Supplied(_) if open.is_some_and(|open| place.range.start > open) => None,
        OddKind::Digits if !has_digits(place.range.start) => None,
        _ => {
            let next = document.games.partition_point(|game| game.start < place.range.end);
            let next = document.games.get(next).map_or(source.len(), |game| game.start);
            other = other.max(n + 1);
            while odd.get(other).is_some_and(|odd| odd.code == Code::ExtraCloseParen) {
                other += 1;
                work::note(1);
            }
            fix(source, place, odd.get(other).filter(|odd| odd.range.start < next))
        }
    };
    odd.iter().enumerate().filter_map(fix).collect()
}

/// `next`: the next odd place before the next game, closing parentheses excepted.
fn fix(source: &[u8], odd: &Odd, next: Option<&Odd>) -> Option<Fix> {
    let Odd { range, code, kind } = odd;
    // What parts two words is replaced by a blank.
    let is_word = |at: Option<usize>| at.and_then(|at| source.get(at)).is_some_and(u8::is_ascii_alphanumeric);
    let parts_words = is_word(range.start.checked_sub(1)) && is_word(Some(range.end));
    let delete = || Edit { range: range.clone(), with: if parts_words { b" ".to_vec() } else { Vec::new() } };
    let (cost, edit) = match kind {
        OddKind::Supplied(bracket) => (Cost::Nothing, Edit::insert(range.start, [*bracket])),
        OddKind::Escape(byte) => (Cost::Nothing, Edit::insert(range.start, [*byte])),
        OddKind::Cut(cut) => (Cost::Nothing, Edit::insert(range.end, cut.closer)),
        OddKind::Skipped if *code == Code::TreeWithoutNodes => (Cost::Nothing, delete()),
        OddKind::Skipped if *code == Code::ExtraCloseParen => {
            // Before a text it belongs to the text.
            let is_text = next.is_some_and(|odd| odd.code == Code::JunkOutsideTree);
            (if is_text { Cost::Content } else { Cost::Nothing }, delete())
        }
        OddKind::Skipped | OddKind::Misplaced | OddKind::Digits | OddKind::CutEmpty => {
            (Cost::Content, Edit { range: range.clone(), with: Vec::new() })
        }
    };
    Some(Fix { code: code.as_str(), is_of_rule: false, cost, edits: vec![edit] })
}

/// Returns whether the root of a game declares FF\[4\]. As in the checker, the first FF that is a number counts, since an
/// empty one goes.
pub(crate) fn says_ff4(parser: &Parser, game: &[u8]) -> bool {
    let mut facts = RootFacts::new();
    let read = parser.parse(game, |event, _| {
        facts.observe(event);
        if facts.is_final() { Flow::Break } else { Flow::Continue }
    });
    debug_assert!(read.is_ok(), "a game is SGF");
    facts.version().is_some_and(|version| version >= 4)
}
