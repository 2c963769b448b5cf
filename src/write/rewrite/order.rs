//! Puts nodes after variations in the order of the specification.
//!
//! A node after a variation continues the line, so its tree goes before the others of its branch: `(;a(;v);b)` becomes
//! `(;a(;b)(;v))`.

use std::ops::Range;

use super::document::{Document, Odd};
use super::effort::{Effort, TooManyReads};
use super::{readback, syntax};
use crate::node::TreeOrder;
use crate::read::parser::Parser;
use crate::syntax::diagnostic::Repair;
use crate::syntax::event::Event;
use crate::syntax::flow::Flow;
use crate::syntax::tokenizer::Sink;
use crate::write::edit::{Edited, Fix, Origins};

/// A piece with its trees in order.
pub(crate) struct Ordered {
    pub(crate) bytes: Vec<u8>,
    /// The brackets that were inserted, and then the order of the ranges of that copy.
    origins: Origins,
    /// Each with its end in the new piece.
    ranges: Vec<(usize, Range<usize>)>,
}

impl Ordered {
    /// Returns the offset in the source of an offset in the new piece.
    pub(crate) fn source_offset(&self, at: usize) -> usize {
        let copied = self.ranges.get(self.ranges.partition_point(|(end, _)| *end <= at));
        self.origins.of(copied.map_or(at, |(end, range)| range.end - (end - at)))
    }
}

/// Maximum number of games that are put in order one by one, if all at once would be parsed differently.
const MOST_GAMES: usize = 8;

/// How often the bytes of a piece are read to put its trees in order.
const READS: usize = 11;

/// Puts the trees of a piece in order: of all games, or of one. `None` if they already are, or if the piece would be
/// parsed differently.
///
/// Some other repairs are possible only together with these: a tree without nodes before a node makes it a node after a
/// variation.
///
/// # Errors
///
/// Fails if that exceeds the limit of reading.
pub(crate) fn in_order(
    parser: &Parser,
    document: &Document<'_>,
    others: &[&Fix],
    effort: &Effort,
) -> Result<Option<Ordered>, TooManyReads> {
    let fixes = syntax::implied_trees(document);
    let game_of = |fix: &Fix| document.game_at(fix.at());
    let mut games: Vec<_> = fixes.iter().map(game_of).collect();
    games.dedup();
    let order = |others: &[&Fix], game: Option<&Option<usize>>| {
        effort.spend(READS * document.source.len())?;
        let all = fixes.iter().chain(others.iter().copied());
        let of_game = all.filter(|fix| game.is_none_or(|game| game_of(fix) == *game)).collect::<Vec<_>>();
        Ok(order(parser, document, &of_game))
    };
    for others in [others, &[]].iter().take(if others.is_empty() { 1 } else { 2 }) {
        let one_by_one = games.iter().filter(|_| games.len() > 1).take(MOST_GAMES).map(Some);
        for game in games.first().map(|_| None).into_iter().chain(one_by_one) {
            if let Some(ordered) = order(others, game)? {
                return Ok(Some(ordered));
            }
        }
    }
    Ok(None)
}

/// Puts the trees in order that get brackets from some repairs.
fn order(parser: &Parser, document: &Document<'_>, fixes: &[&Fix]) -> Option<Ordered> {
    // First each tree gets brackets at its place.
    let edited = Edited::new(document.source, fixes, &[]);
    readback::compare(parser, document, &edited).ok()?;
    let copy = &edited.bytes;
    let (mut before, mut after) = (Trees::default(), Trees::default());
    parser.drive(document.source, &mut before).ok()?;
    parser.drive(copy, &mut after).ok()?;
    // Those that were implied, and have brackets now.
    let mut has_moved = before.0.into_iter().zip(after.0).map(|(before, after)| before && !after);
    let mut order = TreeOrder::default();
    for event in parser.slice(copy).with_offsets() {
        match event.ok()? {
            (at, Event::StartTree) => _ = order.start(has_moved.next()?, at as usize),
            (at, Event::EndTree) => order.end(at as usize + usize::from(copy.get(at as usize) == Some(&b')'))),
            _ => {}
        }
    }
    let ranges = order.ranges(copy.len());
    // Text that is not SGF keeps its place: nothing moves past it.
    let moved = moved(&ranges, copy.len());
    let is_text = |odd: &Odd| odd.code.repair() == Repair::Drops && moved.contains(&odd.range.start);
    if document.odd.iter().any(|odd| odd.code.repair() == Repair::Drops)
        && Document::read(parser, copy).odd.iter().any(is_text)
    {
        return None;
    }
    let bytes = ranges.iter().map(|range| &copy[range.clone()]).collect::<Vec<_>>().concat();
    let is_same = has_events(parser, copy, &ranges, &bytes)
        && readback::compare_labels(parser, document, &bytes).is_ok()
        && has_no_more_faults(document, &Document::read(parser, &bytes));
    let mut end = 0;
    let with_end = |range: Range<usize>| {
        end += range.len();
        (end, range)
    };
    let (origins, ranges) = (Origins::new(&edited.edits), ranges.into_iter().map(with_end).collect());
    is_same.then_some(Ordered { bytes, origins, ranges })
}

/// From the first byte of a copy that changes its place to the last one.
fn moved(ranges: &[Range<usize>], len: usize) -> Range<usize> {
    let (mut start, mut end) = (0, len);
    for range in ranges {
        if range.start != start {
            break;
        }
        start = range.end;
    }
    for range in ranges.iter().rev() {
        if range.end != end {
            break;
        }
        end = range.start;
    }
    start..end.max(start)
}

/// Returns whether a piece has the events of some ranges of another one, in their order.
fn has_events(parser: &Parser, copy: &[u8], ranges: &[Range<usize>], bytes: &[u8]) -> bool {
    let Ok(events) = parser.slice(copy).with_offsets().collect::<Result<Vec<_>, _>>() else { return false };
    let index_of = |at: usize| events.partition_point(|(offset, _)| *offset < at as u64);
    let mut expected = ranges.iter().flat_map(|range| &events[index_of(range.start)..index_of(range.end)]);
    let mut read = parser.slice(bytes);
    read.all(|event| expected.next().is_some_and(|(_, old)| event.as_ref() == Ok(old))) && expected.next().is_none()
}

/// Returns whether a new piece has no syntax error that the old one lacks.
pub(crate) fn has_no_more_faults(old: &Document<'_>, new: &Document<'_>) -> bool {
    let old = old.counts();
    new.refused.is_none() && new.counts().iter().all(|(code, count)| Some(count) <= old.get(code))
}

/// For each tree of a piece, whether it is implied.
#[derive(Default)]
struct Trees(Vec<bool>);

impl Sink for Trees {
    fn event(&mut self, event: Event<'_>, _: u64) -> Flow {
        if event == Event::StartTree {
            self.0.push(false);
        }
        Flow::Continue
    }

    fn implied_tree(&mut self, _: u64) -> Flow {
        self.0.push(true);
        Flow::Continue
    }
}
