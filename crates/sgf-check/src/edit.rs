//! Repairs as edits of bytes, and the offsets before and after them.

use std::ops::Range;

use sgf_stream::internal::{Edit, apply};

/// The cost of a repair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cost {
    /// Nothing: the repair is always applied.
    Nothing,
    /// Content: the repair is applied if the caller asks for it.
    Content,
}

/// The edits of one diagnostic. They are applied together or not at all, and do not touch each other.
#[derive(Clone, Debug)]
pub(crate) struct Fix {
    /// The rule of the diagnostic.
    pub(crate) code: &'static str,
    /// Whether the diagnostic is one of the checker, not of the parser.
    pub(crate) is_of_rule: bool,
    pub(crate) cost: Cost,
    pub(crate) edits: Vec<Edit>,
}

impl Fix {
    /// Returns the offset of its first edit.
    pub(crate) fn at(&self) -> usize {
        self.edits.first().map_or(0, |edit| edit.range.start)
    }
}

/// A source with its edits applied.
#[derive(Debug)]
pub(crate) struct Edited {
    pub(crate) bytes: Vec<u8>,
    /// In the order of the source. They do not overlap.
    pub(crate) edits: Vec<Edit>,
    /// For each repair, whether it was applied.
    pub(crate) made: Vec<bool>,
}

impl Edited {
    /// Applies the edits of some repairs, and breaks the line at some offsets. If the edits of two repairs touch the same
    /// bytes, the second repair is not applied.
    pub(crate) fn new(source: &[u8], fixes: &[&Fix], breaks: &[usize]) -> Self {
        let of_fixes = fixes.iter().enumerate().flat_map(|(n, fix)| fix.edits.iter().map(move |edit| (n, edit)));
        let mut edits: Vec<(Option<usize>, Edit)> = of_fixes.map(|(n, edit)| (Some(n), edit.clone())).collect();
        edits.extend(breaks.iter().map(|&at| (None, Edit::insert(at, *b"\n"))));
        // They are nearly in order, which the sort exploits.
        edits.sort_by_key(|(_, edit)| edit.place());
        let (mut reach, mut made) = (0, vec![true; fixes.len()]);
        for (fix, edit) in &edits {
            let is_wanted = fix.is_none_or(|fix| made[fix]);
            if edit.range.start < reach {
                if let Some(fix) = *fix {
                    made[fix] = false;
                }
            } else if is_wanted {
                reach = edit.range.end;
            }
        }
        edits.retain(|(fix, edit)| fix.is_none_or(|fix| made[fix]) && edit.range.end <= source.len());
        // A break may be inside of what is removed.
        let mut at = 0;
        edits.retain(|(_, edit)| {
            let is_free = edit.range.start >= at;
            at = at.max(edit.range.end);
            is_free
        });
        let edits: Vec<Edit> = edits.into_iter().map(|(_, edit)| edit).collect();
        Edited { bytes: apply(source, edits.iter()), edits, made }
    }

    /// Returns whether these bytes were inserted at an offset of the source.
    pub(crate) fn has_insertion(&self, at: usize, with: &[u8]) -> bool {
        let first = self.edits.partition_point(|edit| edit.range.start < at);
        self.edits[first..].iter().take_while(|edit| edit.range == (at..at)).any(|edit| edit.with == with)
    }

    /// Returns the ranges of the copy that were inserted, except single brackets and semicolons.
    pub(crate) fn insertions(&self) -> impl Iterator<Item = Range<usize>> {
        let mut shift = 0_isize;
        self.edits.iter().filter_map(move |edit| {
            let start = edit.range.start.wrapping_add_signed(shift);
            shift += edit.with.len() as isize - edit.range.len() as isize;
            (edit.with.len() > 1).then(|| start..start + edit.with.len())
        })
    }
}

/// Offsets of an edited copy in its source.
#[derive(Debug)]
pub(crate) struct Origins {
    /// For each edit: the offset of its bytes in the copy, its offset in the source, and its end there.
    edits: Vec<(Range<usize>, Range<usize>)>,
}

impl Origins {
    pub(crate) fn new(edits: &[Edit]) -> Self {
        let mut shift = 0_isize;
        let place = |edit: &Edit| {
            let start = edit.range.start.wrapping_add_signed(shift);
            shift += edit.with.len() as isize - edit.range.len() as isize;
            (start..start + edit.with.len(), edit.range.clone())
        };
        Origins { edits: edits.iter().map(place).collect() }
    }

    /// Returns the offset in the source for an offset in the copy. For inserted bytes this is where they were inserted.
    pub(crate) fn of(&self, at: usize) -> usize {
        let after = self.edits.partition_point(|(copy, _)| copy.start <= at);
        match after.checked_sub(1).map(|last| &self.edits[last]) {
            None => at,
            Some((copy, source)) if at < copy.end => source.start,
            Some((copy, source)) => source.end + (at - copy.end),
        }
    }
}

/// Offsets of a source in its edited copy. They are requested in ascending order.
#[derive(Debug)]
pub(crate) struct Moved<'e> {
    edits: &'e [Edit],
    next: usize,
    shift: isize,
}

impl<'e> Moved<'e> {
    pub(crate) fn new(edits: &'e [Edit]) -> Self {
        Moved { edits, next: 0, shift: 0 }
    }

    /// Returns the start of a lexeme in the copy: after the bytes that are inserted before it.
    pub(crate) fn start(&mut self, at: usize) -> usize {
        self.pass(|edit| edit.range.end <= at);
        at.wrapping_add_signed(self.shift)
    }

    /// Returns the end of a lexeme in the copy: before the bytes that are inserted after it.
    pub(crate) fn end(&mut self, at: usize) -> usize {
        self.pass(|edit| edit.range.end <= at && !(edit.range.is_empty() && edit.range.end == at));
        at.wrapping_add_signed(self.shift)
    }

    /// Returns whether these bytes are removed.
    pub(crate) fn is_gone(&mut self, range: &Range<usize>) -> bool {
        self.pass(|edit| edit.range.end <= range.start);
        let edit = self.edits.get(self.next);
        edit.is_some_and(|edit| edit.range.start <= range.start && range.end <= edit.range.end)
    }

    fn pass(&mut self, is_before: impl Fn(&Edit) -> bool) {
        while let Some(edit) = self.edits.get(self.next).filter(|edit| is_before(edit)) {
            self.shift += edit.with.len() as isize - edit.range.len() as isize;
            self.next += 1;
        }
    }
}
