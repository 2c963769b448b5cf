//! The nodes in which rules may be repaired, in a piece that keeps syntax errors.
//!
//! In a node with junk, the lexemes beside it may not mean what the rules assume: only the insides of values are edited
//! there.

use std::ops::Range;

use sgf_stream::{Event, Parser};

use super::document::{Document, OddKind};
use crate::edit::Fix;

/// The nodes of a piece that have odd places, and the values in them.
#[derive(Debug, Default)]
pub(crate) struct Quiet {
    /// From after the semicolon or bracket that starts it to before the next one.
    nodes: Vec<Range<usize>>,
    /// Without their brackets.
    values: Vec<Range<usize>>,
}

impl Quiet {
    pub(crate) fn of(parser: &Parser, document: &Document<'_>) -> Self {
        let mut quiet = Quiet::default();
        let mut odd = document.odd.iter().filter(|odd| odd.kind != OddKind::Digits).map(|odd| &odd.range).peekable();
        if odd.peek().is_none() {
            return quiet;
        }
        let (mut node, mut values) = (0, Vec::new());
        let ends = std::iter::once((document.source.len(), None));
        let events = parser.slice(document.source).with_offsets().map_while(Result::ok);
        for (at, event) in events.map(|(event, at)| (at as usize, Some(event))).chain(ends) {
            match event {
                Some(Event::Value(value)) => values.push(at + 1..at + 1 + value.as_bytes().len()),
                None | Some(Event::Node | Event::StartTree | Event::EndTree) => {
                    if odd.peek().is_some_and(|odd| odd.start <= at) {
                        quiet.nodes.push(node.min(at)..at);
                        quiet.values.append(&mut values);
                        while odd.next_if(|odd| odd.end <= at).is_some() {}
                    }
                    values.clear();
                    node = at + 1;
                }
                Some(_) => {}
            }
        }
        quiet
    }

    /// Returns whether all edits of a fix are in nodes without odd places, or inside of values.
    pub(crate) fn allows(&self, fix: &Fix) -> bool {
        let meets = |ranges: &[Range<usize>], edit: &Range<usize>| {
            ranges[ranges.partition_point(|range| range.end < edit.start)..]
                .first()
                .is_some_and(|range| range.start <= edit.end)
        };
        let is_inside = |edit: &Range<usize>| {
            let value = self.values[..self.values.partition_point(|value| value.start <= edit.start)].last();
            value.is_some_and(|value| edit.end <= value.end)
        };
        fix.edits.iter().map(|edit| &edit.range).all(|edit| !meets(&self.nodes, edit) || is_inside(edit))
    }
}
