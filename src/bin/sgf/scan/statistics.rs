//! Counting events.
//!
//! This sees every event of archives of many gigabytes, nine in ten of them belonging to `;B[dd]`,
//! so what it does for these is little, and small enough to be inlined into the tokenizer's loop
//! ([`Statistics::event`]; whatever is rarer is a call). Whether values are ASCII is asked of whole
//! parts, and of values only where a part is not. Identifiers of one or two letters are
//! indices into an array. What can be worked out at the end is not counted: properties are the sum
//! of the tables, absent values what is missing to the number of games.

use sgf_stream::charset::Charset;
use sgf_stream::{Event, Ident, LineCounter, RawValue};

use super::charsets::Charsets;
use crate::tally::{Table, Tally};

/// The properties whose first value in each game is counted.
pub(super) const SUMMARY: [&str; 5] = ["FF", "GM", "CA", "AP", "SZ"];

/// The place of CA in it.
const CA: u8 = 2;

/// What was counted, as tables.
pub(super) struct Counts {
    pub(super) games: u64,
    pub(super) nodes: u64,
    pub(super) values: u64,
    pub(super) root: Table,
    pub(super) other: Table,
    /// In the order of [`SUMMARY`].
    pub(super) summary: [Table; 5],
    /// Games by the charset that they were found in.
    pub(super) charset: Table,
    /// Games whose CA says otherwise.
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

/// The kinds of nodes: offsets in [`Statistics::short`].
const ROOT: usize = 0;
const OTHER: usize = SHORT;

pub(super) struct Statistics {
    games: u64,
    nodes: u64,
    values: u64,
    /// Trees open, and the most that were.
    depth: u64,
    max_depth: u64,
    /// Bytes of the longest value, and its offset in its file.
    longest: usize,
    longest_at: u64,
    /// How many line breaks are in it.
    longest_breaks: u64,
    /// The next value is looked at if it has so many bytes: 0 if it is wanted for a summary, else
    /// one more than the longest.
    look_from: usize,
    /// How often each identifier of one or two letters came, by [`index`]: in root nodes, and
    /// behind that in others.
    short: [u64; 2 * SHORT],
    /// The other identifiers, in root nodes and in others.
    long: [Tally; 2],
    /// The kind of this node, and of the next.
    node: usize,
    next_node: usize,
    summary: [Tally; 5],
    /// A bit for each of these properties that this game has had.
    met: u8,
    /// The next value belongs to this one.
    wanted: Option<u8>,
    charsets: Charsets,
    /// Values for the summary that wait for the charset of the game.
    undecoded: Vec<(u8, Vec<u8>)>,
}

/// So much of a value is kept until it can be decoded, in bytes: more than a key of a table has.
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
    /// The games that come next are of a file in this charset, which was transcoded as a whole.
    pub(super) fn set_charset(&mut self, charset: Option<Charset>) {
        self.charsets.set_given(charset);
    }

    /// `HIGH` if it is of a part that is not ASCII.
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

    /// All but those of one upper-case letter.
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
        self.charsets.look_at(raw);
        self.look_from = if self.charsets.wants_ascii() { 0 } else { self.longest + 1 };
    }

    pub(super) fn max_depth(&self) -> u64 {
        self.max_depth
    }

    /// The longest value: its length in bytes, the offset of its `[`, and how many line breaks are in it.
    pub(super) fn longest_value(&self) -> (u64, u64, u64) {
        (self.longest as u64, self.longest_at, self.longest_breaks)
    }

    /// Adds what was counted of the games that follow.
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
            root: long_in_root.into_table(short_names().zip(root.iter().copied())),
            other: long_in_other.into_table(short_names().zip(other.iter().copied())),
            summary: self.summary.map(|tally| tally.into_table_of(self.games, "")),
            charset,
            charset_mismatch,
        }
    }
}

/// Nearly all values are.
#[inline]
fn is_two_of_ascii(raw: &[u8]) -> bool {
    matches!(raw, [first, second] if (first | second).is_ascii())
}

/// One letter, or two.
const SHORT: usize = 26 + 26 * 26;

/// The index of a name of one or two upper-case letters.
#[inline]
const fn index(name: &[u8]) -> Option<usize> {
    match *name {
        [a @ b'A'..=b'Z'] => Some((a - b'A') as usize),
        [a @ b'A'..=b'Z', b @ b'A'..=b'Z'] => Some(26 + (a - b'A') as usize * 26 + (b - b'A') as usize),
        _ => None,
    }
}

/// The names in the order of [`index`].
fn short_names() -> impl Iterator<Item = String> {
    let letters = || ('A'..='Z').map(String::from);
    letters().chain(letters().flat_map(move |a| letters().map(move |b| format!("{a}{b}"))))
}

/// By [`index`]: the place of the name in [`SUMMARY`].
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
