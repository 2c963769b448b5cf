//! Statistics of events.
//!
//! This code runs for every event of many gigabytes of games, and nine events in ten belong to `;B[dd]`. So the work for
//! these is minimal, and small enough to be inlined into the tokenizer's loop ([`Statistics::event`];
//! rarer cases are calls). Whole parts are tested for ASCII, and values only in parts that are not. Identifiers of
//! one or two letters are indices into an array. Totals are derived at the end: properties are the sum of the
//! tables, absent values the difference to the number of games.

use sgf_stream::charset::Charset;
use sgf_stream::internal::Moves;
use sgf_stream::{Event, Ident, LineCounter, RawValue};

use super::charsets::Charsets;
use crate::tally::{Table, Tally};

/// The properties whose first value in each game is counted.
pub(super) const SUMMARY: [&str; 5] = ["FF", "GM", "CA", "AP", "SZ"];

/// The index of CA in it.
const CA: u8 = 2;

/// The counts, as tables.
pub(super) struct Counts {
    pub(super) games: u64,
    pub(super) nodes: u64,
    pub(super) values: u64,
    pub(super) root: Table,
    pub(super) other: Table,
    /// In the order of [`SUMMARY`].
    pub(super) summary: [Table; 5],
    /// Games by the charset in which they were found.
    pub(super) charset: Table,
    /// Games whose CA names another charset.
    pub(super) charset_mismatch: u64,
}

impl Counts {
    pub(super) fn properties(&self) -> u64 {
        self.root.total() + self.other.total()
    }

    pub(super) fn moves(&self) -> u64 {
        ["B", "W"].iter().map(|name| self.root.get(name) + self.other.get(name)).sum()
    }
}

/// Kinds of nodes, as offsets in [`Statistics::short`].
const ROOT: usize = 0;
const OTHER: usize = SHORT;

pub(super) struct Statistics {
    games: u64,
    nodes: u64,
    values: u64,
    /// Number of open trees, and its maximum.
    depth: u64,
    max_depth: u64,
    /// Length of the longest value in bytes, and its offset in its file.
    longest: usize,
    longest_at: u64,
    /// Number of line breaks in it.
    longest_breaks: u64,
    /// Minimum length at which the next value is examined: 0 if it is needed for a summary, else one more than the
    /// longest.
    look_from: usize,
    /// Counts of identifiers of one or two letters, by [`index`]: first in root nodes, then in others.
    short: [u64; 2 * SHORT],
    /// Counts of other identifiers, in root nodes and in others.
    long: [Tally; 2],
    /// The kind of the current node, and of the next one.
    node: usize,
    next_node: usize,
    summary: [Tally; 5],
    /// Which of these properties the game has had, one bit each.
    met: u8,
    /// The summary property to which the next value belongs.
    wanted: Option<u8>,
    charsets: Charsets,
    /// Values for the summary that cannot be decoded before the charset of the game is known.
    undecoded: Vec<(u8, Vec<u8>)>,
}

/// Maximum bytes of a value kept for decoding: more than a key of a table can have.
const LONGEST_KEPT: usize = 1024;

impl Default for Statistics {
    fn default() -> Self {
        Statistics {
            games: 0,
            nodes: 0,
            values: 0,
            depth: 0,
            max_depth: 0,
            longest: 0,
            longest_at: 0,
            longest_breaks: 0,
            look_from: 1,
            short: [0; 2 * SHORT],
            long: Default::default(),
            node: ROOT,
            next_node: ROOT,
            summary: Default::default(),
            met: 0,
            wanted: None,
            charsets: Charsets::default(),
            undecoded: Vec::new(),
        }
    }
}

impl Statistics {
    /// Sets the original charset of the file, transcoded as a whole, to which the next games belong.
    pub(super) fn set_charset(&mut self, charset: Option<Charset>) {
        self.charsets.set_given(charset);
    }

    /// Counts an event. `HIGH`: values may tell their charset, since the part is not all ASCII, or has the bytes by which
    /// seven-bit charsets shift.
    #[inline]
    pub(super) fn event<const HIGH: bool>(&mut self, event: Event<'_>, offset: u64) {
        match event {
            Event::Value(value) => {
                self.values += 1;
                let raw = value.as_bytes();
                if raw.len() >= self.look_from || HIGH && !is_two_of_ascii(raw) {
                    self.look_at(value, offset);
                }
            }
            Event::Property(ident) => match *ident.as_bytes() {
                [letter @ b'A'..=b'Z'] => self.count(usize::from(letter - b'A')),
                _ => self.property(ident),
            },
            Event::Node => {
                self.nodes += 1;
                self.node = self.next_node;
                self.next_node = OTHER;
            }
            event => self.tree(event),
        }
    }

    /// Counts a run of moves outside of roots. Returns false, and counts nothing, if values of two letters have to be looked at.
    #[inline]
    pub(super) fn moves(&mut self, moves: Moves<'_>) -> bool {
        if self.look_from <= 2 {
            return false;
        }
        let (all, [black, white]) = (moves.len() as u64, moves.count());
        self.nodes += all;
        self.values += all;
        (self.node, self.next_node) = (OTHER, OTHER);
        if black + white == all {
            self.short[OTHER + usize::from(b'B' - b'A')] += black;
            self.short[OTHER + usize::from(b'W' - b'A')] += white;
        } else {
            moves.nodes().for_each(|node| self.property(node.ident()));
        }
        true
    }

    #[inline]
    fn count(&mut self, index: usize) {
        if let Some(count) = self.short.get_mut(self.node + index) {
            *count += 1;
        }
    }

    #[inline(never)]
    fn tree(&mut self, event: Event<'_>) {
        match event {
            Event::StartTree => {
                if self.depth == 0 {
                    self.games += 1;
                    self.next_node = ROOT;
                    self.met = 0;
                }
                self.depth += 1;
                self.max_depth = self.max_depth.max(self.depth);
            }
            Event::EndTree => {
                self.depth -= 1;
                if self.depth == 0 {
                    self.end_game();
                }
            }
            _ => {}
        }
    }

    fn end_game(&mut self) {
        let charset = self.charsets.end_game();
        for (which, raw) in self.undecoded.drain(..) {
            let value = RawValue::new(&raw);
            let text = match charset {
                Some(charset) => charset.decode(value).into_text(),
                None => String::from_utf8_lossy(&raw),
            };
            self.summary[usize::from(which)].add(text.as_bytes());
        }
        self.look_from = self.longest + 1;
    }

    /// Counts a property, except one upper-case letter.
    #[inline(never)]
    fn property(&mut self, ident: Ident<'_>) {
        if let Some(index) = index(ident.as_bytes()) {
            return self.short_property(index);
        }
        let name = ident.name();
        match index(name.as_bytes()) {
            Some(index) => self.short_property(index),
            None => self.long[self.node / SHORT].add(name.as_bytes()),
        }
    }

    fn short_property(&mut self, index: usize) {
        self.count(index);
        if let Some(which) = IN_SUMMARY[index]
            && self.met & 1 << which == 0
        {
            self.wanted = Some(which);
            self.look_from = 0;
        }
    }

    #[inline(never)]
    fn look_at(&mut self, value: RawValue<'_>, offset: u64) {
        let raw = value.as_bytes();
        if raw.len() > self.longest {
            self.longest = raw.len();
            self.longest_at = offset;
            let mut lines = LineCounter::default();
            lines.advance(raw);
            self.longest_breaks = lines.position().line - 1;
        }
        if let Some(which) = self.wanted.take() {
            self.met |= 1 << which;
            match raw.is_ascii() {
                true => self.summary[usize::from(which)].add(raw),
                false => self.undecoded.push((which, raw[..raw.len().min(LONGEST_KEPT)].to_vec())),
            }
            if which == CA && self.node == ROOT {
                self.charsets.declare(raw);
            }
        }
        self.charsets.look_at(value, self.node == ROOT);
        self.look_from = self.longest + 1;
    }

    pub(super) fn max_depth(&self) -> u64 {
        self.max_depth
    }

    /// Returns the longest value: its length in bytes, the offset of its `[`, and the number of line breaks in it.
    pub(super) fn longest_value(&self) -> (u64, u64, u64) {
        (self.longest as u64, self.longest_at, self.longest_breaks)
    }

    /// Adds the counts of the games that follow.
    pub(super) fn add(&mut self, others: Statistics) {
        self.games += others.games;
        self.nodes += others.nodes;
        self.values += others.values;
        self.short.iter_mut().zip(others.short).for_each(|(count, more)| *count += more);
        self.long.iter_mut().zip(others.long).for_each(|(tally, more)| tally.append(more));
        self.summary.iter_mut().zip(others.summary).for_each(|(tally, more)| tally.append(more));
        self.charsets.add(others.charsets);
    }

    pub(super) fn finish(self) -> Counts {
        let (root, other) = self.short.split_at(SHORT);
        let [long_in_root, long_in_other] = self.long;
        let (charset, charset_mismatch) = self.charsets.finish(self.games);
        Counts {
            games: self.games,
            nodes: self.nodes,
            values: self.values,
            root: long_in_root.into_table(short_rows(root)),
            other: long_in_other.into_table(short_rows(other)),
            summary: self.summary.map(|tally| tally.into_table_of(self.games, "")),
            charset,
            charset_mismatch,
        }
    }
}

/// Returns whether a value is two ASCII bytes, the common case.
#[inline]
fn is_two_of_ascii(raw: &[u8]) -> bool {
    matches!(raw, [first, second] if (first | second).is_ascii())
}

/// Number of names of one or two letters.
const SHORT: usize = 26 + 26 * 26;

/// Returns the index of a name of one or two upper-case letters.
#[inline]
const fn index(name: &[u8]) -> Option<usize> {
    match *name {
        [a @ b'A'..=b'Z'] => Some((a - b'A') as usize),
        [a @ b'A'..=b'Z', b @ b'A'..=b'Z'] => Some(26 + (a - b'A') as usize * 26 + (b - b'A') as usize),
        _ => None,
    }
}

/// Returns the names that were counted, by the counts at each [`index`].
fn short_rows(counts: &[u64]) -> impl Iterator<Item = (String, u64)> {
    let letters = || 'A'..='Z';
    let names = letters().map(|a| (a, None)).chain(letters().flat_map(move |a| letters().map(move |b| (a, Some(b)))));
    let met = names.zip(counts).filter(|&(_, &count)| count > 0);
    met.map(|((a, b), &count)| (std::iter::once(a).chain(b).collect(), count))
}

/// The index of each name in [`SUMMARY`], by [`index`].
const IN_SUMMARY: [Option<u8>; SHORT] = {
    let mut table = [None; SHORT];
    let mut which = 0;
    while which < SUMMARY.len() {
        if let Some(index) = index(SUMMARY[which].as_bytes()) {
            table[index] = Some(which as u8);
        }
        which += 1;
    }
    table
};
