//! State: what the rules know of the open game, path and node.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher};
use std::ops::Range;

use super::board::Cell;
use super::lists::Group;
use super::report::Site;
use crate::Game;
use crate::property::{Context, Origin, Property, ValueType};
use crate::work;

/// The place of nothing: no edit begins there, and no node.
pub(super) const NOWHERE: u64 = u64::MAX;

/// What is known of the open game.
#[derive(Debug)]
pub(super) struct GameState {
    /// The stream starts with the byte-order mark of UTF-8.
    pub(super) has_bom: bool,
    pub(super) is_root: bool,
    pub(super) context: Context,
    /// What FF says, if it is a number.
    pub(super) ff: Option<i64>,
}

impl Default for GameState {
    fn default() -> Self {
        GameState { has_bom: false, is_root: false, context: Context::new(Game::Go, 0), ff: None }
    }
}

impl GameState {
    pub(super) fn begin(&mut self) {
        *self = GameState { is_root: true, has_bom: self.has_bom, ..GameState::default() };
    }

    /// The version that the file says it is in, if it is one of those before FF\[4\].
    pub(super) fn old_version(&self) -> Option<i64> {
        self.ff.filter(|ff| (1..4).contains(ff))
    }

    /// Whether the file says that it is in FF\[4\] or later.
    pub(super) fn is_ff4(&self) -> bool {
        self.ff.is_some_and(|ff| ff >= 4)
    }
}

/// What holds for the path from the root to a node.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Path {
    /// The node with game-info.
    pub(super) info: Option<u64>,
    /// Who moved last.
    pub(super) last: Option<Cell>,
}

/// What is known of the open node.
#[derive(Debug, Default)]
pub(super) struct Node {
    /// [`NOWHERE`] if none is open.
    pub(super) offset: u64,
    pub(super) has: Bits,
    /// It is the first of its tree.
    pub(super) starts_tree: bool,
    /// Where its last lexeme ends.
    pub(super) last_end: u64,
    /// That is a value with a `[` in it: whether its `]` is the end, lenient reading judges by what follows.
    pub(super) is_doubtful: bool,
    pub(super) property: OpenProperty,
    /// Its properties, but for single moves.
    seen: Vec<Seen>,
    /// Their indices by name, if they are too many to go through.
    by_name: HashMap<u64, usize>,
    /// First values of properties that have one, one after the other.
    firsts: Vec<u8>,
    /// A move onto a stone.
    pub(super) occupied: Option<u64>,
    /// HA, and the black stones that are placed.
    pub(super) handicap: Option<(u64, u64, i64)>,
    pub(super) black_stones: u64,
}

/// Up to so many properties are gone through to find one.
const FEW: usize = 24;

/// The most properties of a node that are kept.
const MOST: usize = 1 << 16;

/// The most bytes of a node's first values that are kept, to compare others of the same property with them.
const MOST_FIRSTS: usize = 1 << 16;

#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    pub(super) name: u64,
    pub(super) at: u64,
    /// Where its last value ends.
    pub(super) end: u64,
    pub(super) has_empty: bool,
    /// The start and length of its first value in [`Node::firsts`].
    pub(super) first: Option<(u32, u32)>,
}

/// What a node has, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Bits(u32);

impl Bits {
    pub(super) const B: Bits = Bits(1);
    pub(super) const W: Bits = Bits(1 << 1);
    pub(super) const BM: Bits = Bits(1 << 2);
    pub(super) const TE: Bits = Bits(1 << 3);
    pub(super) const DO: Bits = Bits(1 << 4);
    pub(super) const IT: Bits = Bits(1 << 5);
    pub(super) const DM: Bits = Bits(1 << 6);
    pub(super) const UC: Bits = Bits(1 << 7);
    pub(super) const GB: Bits = Bits(1 << 8);
    pub(super) const GW: Bits = Bits(1 << 9);
    pub(super) const KO: Bits = Bits(1 << 10);
    pub(super) const MOVE: Bits = Bits(1 << 11);
    pub(super) const SETUP: Bits = Bits(1 << 12);
    pub(super) const INFO: Bits = Bits(1 << 13);
    pub(super) const MIXED: Bits = Bits(1 << 14);
    pub(super) const WHITE_SETUP: Bits = Bits(1 << 15);
    pub(super) const FF: Bits = Bits(1 << 16);
    pub(super) const ANY: Bits = Bits(1 << 17);
    pub(super) const TWICE: Bits = Bits(1 << 18);
    /// Lists name the same point, and so their order matters.
    pub(super) const CONFLICT: Bits = Bits(1 << 19);

    pub(super) const BOTH: Bits = Bits(Self::B.0 | Self::W.0);
    pub(super) const ANNOTATIONS: Bits = Bits(Self::BM.0 | Self::TE.0 | Self::DO.0 | Self::IT.0);
    pub(super) const EVALUATIONS: Bits = Bits(Self::DM.0 | Self::UC.0 | Self::GB.0 | Self::GW.0);
    /// What needs no second look at the end of the node.
    const PLAIN: Bits = Bits(Self::BOTH.0 | Self::MOVE.0 | Self::ANY.0);

    pub(super) const fn has(self, any: Bits) -> bool {
        self.0 & any.0 != 0
    }

    pub(super) const fn and(self, other: Bits) -> Bits {
        Bits(self.0 | other.0)
    }

    pub(super) fn add(&mut self, other: Bits) {
        self.0 |= other.0;
    }

    /// The names of these that are there.
    pub(super) fn names(self, of: Bits) -> impl Iterator<Item = &'static str> {
        const NAMES: [(Bits, &str); 8] = [
            (Bits::BM, "BM"),
            (Bits::TE, "TE"),
            (Bits::DO, "DO"),
            (Bits::IT, "IT"),
            (Bits::DM, "DM"),
            (Bits::UC, "UC"),
            (Bits::GB, "GB"),
            (Bits::GW, "GW"),
        ];
        NAMES.into_iter().filter(move |(bit, _)| self.has(*bit) && of.has(*bit)).map(|(_, name)| name)
    }
}

impl Node {
    #[inline]
    pub(super) fn start(&mut self, offset: u64) {
        self.offset = offset;
        self.has = Bits::default();
        if !self.seen.is_empty() {
            self.seen.clear();
            self.seen.shrink_to(256);
            self.by_name = HashMap::new();
            self.firsts.clear();
            self.firsts.shrink_to(1 << 12);
        }
        self.occupied = None;
        self.handicap = None;
        self.black_stones = 0;
    }

    /// Nothing has to be done at its end.
    #[inline]
    pub(super) fn is_quiet(&self) -> bool {
        self.seen.is_empty()
            && self.occupied.is_none()
            && self.has.has(Bits::ANY)
            && self.has.and(Bits::PLAIN) == Bits::PLAIN
    }

    /// The index of a property by its [`key`].
    pub(super) fn find(&self, name: u64) -> Option<usize> {
        if self.seen.len() > FEW {
            return self.by_name.get(&name).copied();
        }
        work::note(self.seen.len());
        self.seen.iter().position(|seen| seen.name == name)
    }

    /// The first value of a property, if it was kept.
    pub(super) fn first_of(&self, seen: usize) -> Option<&[u8]> {
        let (start, len) = self.seen[seen].first?;
        self.firsts.get(start as usize..)?.get(..len as usize)
    }

    pub(super) fn keep_first(&mut self, seen: usize, raw: &[u8]) {
        let start = self.firsts.len();
        if start + raw.len() <= MOST_FIRSTS {
            self.firsts.extend_from_slice(raw);
            self.seen[seen].first = Some((start as u32, raw.len() as u32));
        }
    }

    /// Keeps a property, if not too many are kept, and returns its index.
    pub(super) fn push(&mut self, seen: Seen) -> Option<usize> {
        if self.seen.len() >= MOST {
            return None;
        }
        self.seen.push(seen);
        let index = self.seen.len() - 1;
        if self.seen.len() == FEW + 1 {
            self.by_name.extend(self.seen.iter().enumerate().map(|(index, seen)| (seen.name, index)));
        } else if self.seen.len() > FEW {
            self.by_name.insert(seen.name, index);
        }
        Some(index)
    }

    pub(super) fn seen(&self, index: usize) -> &Seen {
        &self.seen[index]
    }

    pub(super) fn seen_mut(&mut self, index: usize) -> &mut Seen {
        &mut self.seen[index]
    }

    /// Where a property of the node stands.
    pub(super) fn place_of(&self, name: &str) -> Range<u64> {
        let at = self.find(key(name.as_bytes())).map_or(self.offset, |index| self.seen[index].at);
        at..at + name.len() as u64
    }

    /// Where what comes next may be taken out from.
    #[inline]
    pub(super) fn front(&self) -> u64 {
        if self.is_doubtful { NOWHERE } else { self.last_end }
    }
}

/// A name as a number: its letters, if there are at most seven, else a hash of them. Two long names with the same
/// hash would be taken for one; nothing worse comes of that than a wrong finding.
pub(super) fn key(name: &[u8]) -> u64 {
    if name.len() < 8 {
        return name.iter().fold(0, |key, &byte| key << 8 | u64::from(byte));
    }
    let mut hasher = DefaultHasher::new();
    hasher.write(name);
    hasher.finish() | 1 << 63
}

/// The open property.
#[derive(Debug, Default)]
pub(super) struct OpenProperty {
    /// `None` if it is unknown, or none is open.
    pub(super) row: Option<&'static Property>,
    pub(super) is_open: bool,
    pub(super) at: u64,
    pub(super) ident_len: usize,
    /// Where the lexeme before it ends.
    pub(super) behind: u64,
    pub(super) values: u32,
    /// Of a move: whose, and its first value, if that is a point.
    pub(super) stone: Option<Cell>,
    pub(super) point: Option<[u8; 2]>,
    pub(super) group: Group,
    pub(super) owner: u8,
    /// Its index in the node.
    pub(super) seen: Option<usize>,
    pub(super) again: Option<Again>,
    /// One value is wanted, and all of them say what the first one of the node says.
    pub(super) says_nothing_new: bool,
    /// The place of the second value, where one is wanted.
    pub(super) second: Option<Site>,
    /// Where the first of several values ends.
    pub(super) first_end: u64,
    /// Empty values: where the lexeme before ends, and their places; and how many there are.
    pub(super) empty: Vec<(u64, u64, u64)>,
    pub(super) empty_count: u32,
    /// The first value, if it would be an empty list, were it alone: as in `empty`.
    pub(super) empty_list: Option<(u64, u64, u64)>,
}

/// A property that the node has already.
#[derive(Debug)]
pub(super) struct Again {
    /// The index of the first, unless it is a move, or not kept.
    pub(super) first: Option<usize>,
    /// The values of this one, if they can be joined to the first.
    pub(super) joined: Option<Vec<u8>>,
}

impl OpenProperty {
    pub(super) fn name(&self) -> &'static str {
        match (self.row, self.stone) {
            (Some(row), _) => row.ident(),
            (None, Some(Cell::Black)) => "B",
            (None, Some(_)) => "W",
            (None, None) => "the property",
        }
    }

    pub(super) fn is_text(&self) -> bool {
        self.row.is_some_and(|row| matches!(row.value_type().basic(), ValueType::SimpleText | ValueType::Text))
    }
}

/// Whether the specification has it: what private properties are, is not for sure.
pub(super) fn is_standard(row: &Property) -> bool {
    matches!(row.origin(), Origin::Ff4 | Origin::Older)
}
