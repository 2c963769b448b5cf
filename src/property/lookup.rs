//! Lookup of the row of an identifier in a context.
//!
//! The table is ordered for human readers. An index is built at compile time: the row numbers, sorted by identifier,
//! and the range of rows of every name of one or two letters, which nearly all names are. Most of these have one row,
//! which takes two loads; otherwise the best row of the range is chosen. Longer names, and those with digits, are few
//! and are searched linearly.

use std::ops::Range;

use super::table::TABLE;
use super::{Context, Origin, Property};
use crate::syntax::event::Ident;

/// Returns all rows, in the order of the table.
///
/// FF\[4\] comes first, then its games, older versions, and other origins.
pub const fn all() -> &'static [Property] {
    TABLE
}

/// Returns the rows of an identifier in all games, versions and dialects, ignoring lower-case letters.
///
/// ```
/// use sgf_stream::property;
///
/// let games: Vec<_> = property::find("AS").filter_map(|row| row.game()).collect();
/// assert_eq!(games.iter().map(|game| game.name()).collect::<Vec<_>>(), ["Lines of Action", "Octi"]);
/// assert_eq!(property::find("QQQ").count(), 0);
/// ```
pub fn find(ident: &str) -> impl Iterator<Item = &'static Property> + use<> {
    INDEX.sorted[range(Ident::new(ident.as_bytes()))].iter().map(|&row| &TABLE[usize::from(row)])
}

/// Returns the property of an identifier in a context, or `None` if unknown.
///
/// The [module](crate::property) docs define the precedence of several rows.
///
/// ```
/// use sgf_stream::property::{self, Context};
/// use sgf_stream::{Game, Ident};
///
/// let komi = Ident::new(b"KM");
/// assert_eq!(property::lookup(komi, &Context::default()).unwrap().meaning(), "komi");
/// assert_eq!(property::lookup(komi, &Context::new(Game::Chess, 4)), None);
/// ```
#[inline]
pub fn lookup(ident: Ident<'_>, context: &Context) -> Option<&'static Property> {
    if let Some(slot) = slot(ident.as_bytes())
        && let Some(row) = TABLE.get(usize::from(ONLY[slot]))
    {
        return row.game.is_none_or(|game| game == context.game()).then_some(row);
    }
    choose(ident, context)
}

/// Returns the best of the rows of an identifier.
#[inline(never)]
fn choose(ident: Ident<'_>, context: &Context) -> Option<&'static Property> {
    let mut best: Option<(&'static Property, Rank)> = None;
    for &row in &INDEX.sorted[range(ident)] {
        let row = &TABLE[usize::from(row)];
        let Some(rank) = rank(row, context) else { continue };
        if best.is_none_or(|(_, so_far)| so_far < rank) {
            best = Some((row, rank));
        }
    }
    best.map(|(row, _)| row)
}

/// The precedence of a row: dialect, game, version, in this order.
type Rank = (u8, bool, u8);

/// Returns the precedence of a row, or `None` for a row of another game.
fn rank(row: &Property, context: &Context) -> Option<Rank> {
    let of_game = match row.game() {
        Some(game) if game != context.game() => return None,
        game => game.is_some(),
    };
    let dialect = match (row.origin(), context.is_sgf2()) {
        (Origin::Sgf2, true) => 2,
        (Origin::Sgf2, false) => 0,
        _ => 1,
    };
    let version = match row.versions() {
        versions if versions.contains(context.ff()) => 2,
        versions if versions.is_empty() => 1,
        _ => 0,
    };
    Some((dialect, of_game, version))
}

/// Returns the range of an identifier's rows in the index.
#[inline]
fn range(ident: Ident<'_>) -> Range<usize> {
    match slot(ident.as_bytes()) {
        Some(slot) => range_of_slot(slot),
        None => range_of_spelling(ident),
    }
}

/// Returns the range of a longer name, or of a spelling with lower-case letters.
fn range_of_spelling(ident: Ident<'_>) -> Range<usize> {
    let mut name = [0; LONGEST];
    let mut len = 0;
    for &byte in ident.as_bytes().iter().filter(|b| !b.is_ascii_lowercase()) {
        if len == LONGEST {
            return 0..0;
        }
        name[len] = byte;
        len += 1;
    }
    let name = &name[..len];
    if let Some(slot) = slot(name) {
        return range_of_slot(slot);
    }
    let is_it = |row: &u16| TABLE[usize::from(*row)].ident().as_bytes() == name;
    let long = &INDEX.sorted[INDEX.long..];
    let Some(start) = long.iter().position(is_it) else { return 0..0 };
    let len = long[start..].iter().take_while(|row| is_it(row)).count();
    INDEX.long + start..INDEX.long + start + len
}

#[inline]
fn range_of_slot(slot: usize) -> Range<usize> {
    let (start, end) = INDEX.slots[slot];
    usize::from(start)..usize::from(end)
}

/// Returns the slot of a name of one or two letters.
///
/// Every first letter has 27 slots, the first of which is for the letter alone.
#[inline]
const fn slot(name: &[u8]) -> Option<usize> {
    match *name {
        [first @ b'A'..=b'Z'] => Some((first - b'A') as usize * 27),
        [first @ b'A'..=b'Z', second @ b'A'..=b'Z'] => {
            Some((first - b'A') as usize * 27 + (second - b'A') as usize + 1)
        }
        _ => None,
    }
}

/// The length of the longest name.
const LONGEST: usize = {
    let (mut longest, mut row) = (0, 0);
    while row < TABLE.len() {
        if TABLE[row].ident().len() > longest {
            longest = TABLE[row].ident().len();
        }
        row += 1;
    }
    longest
};

/// A number that is not a row.
const NO_ROW: u16 = u16::MAX;

/// The number of names of one or two letters.
const SLOTS: usize = 26 * 27;

static INDEX: Index = Index::new();

/// The row of every slot's name, as a number. [`NO_ROW`] if the name does not have exactly one.
static ONLY: [u16; SLOTS] = {
    let (mut only, mut slot) = ([NO_ROW; SLOTS], 0);
    while slot < SLOTS {
        let (start, end) = INDEX.slots[slot];
        if end == start + 1 {
            only[slot] = INDEX.sorted[start as usize];
        }
        slot += 1;
    }
    only
};

struct Index {
    /// Row numbers of the table, sorted by identifier; those without a slot come last. Rows of one identifier keep
    /// the order of the table.
    sorted: [u16; TABLE.len()],
    /// The start and end in `sorted` of the rows of every slot.
    slots: [(u16, u16); SLOTS],
    /// The start in `sorted` of the rows without a slot.
    long: usize,
}

impl Index {
    const fn new() -> Self {
        assert!(TABLE.len() <= NO_ROW as usize);
        let mut index = Index { sorted: [0; TABLE.len()], slots: [(0, 0); SLOTS], long: 0 };

        let mut row = 0;
        while row < TABLE.len() {
            let mut at = row;
            while at > 0 && less(TABLE[row].ident(), TABLE[index.sorted[at - 1] as usize].ident()) {
                index.sorted[at] = index.sorted[at - 1];
                at -= 1;
            }
            index.sorted[at] = row as u16;
            row += 1;
        }

        let mut at = 0;
        while at < TABLE.len() {
            if let Some(slot) = slot(TABLE[index.sorted[at] as usize].ident().as_bytes()) {
                if index.slots[slot].1 == 0 {
                    index.slots[slot].0 = at as u16;
                }
                index.slots[slot].1 = at as u16 + 1;
                index.long = at + 1;
            }
            at += 1;
        }
        index
    }
}

/// Returns whether the rows of name `a` come before those of `b`.
const fn less(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if slot(a).is_some() != slot(b).is_some() {
        return slot(a).is_some();
    }
    let mut at = 0;
    while at < a.len() && at < b.len() {
        if a[at] != b[at] {
            return a[at] < b[at];
        }
        at += 1;
    }
    a.len() < b.len()
}
