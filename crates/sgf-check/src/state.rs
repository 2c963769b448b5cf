//! The state of the open game, path and node, as the rules need it.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher};
use std::ops::Range;

use sgf_board::IllegalMoveError;
use sgf_stream::internal::OneOf;
use sgf_stream::property::{self, Context, Origin, Property, ValueType};
use sgf_stream::value::Color;
use sgf_stream::{Game, Ident, work};

use super::Rule;
use super::diagnostic::Site;

/// The offset of nothing: no edit and no node begins there.
pub(super) const NOWHERE: u64 = u64::MAX;

/// State of the open game.
#[derive(Debug)]
pub(super) struct GameState {
    /// Whether the stream starts with a UTF-8 byte-order mark.
    pub(super) has_bom: bool,
    pub(super) is_root: bool,
    pub(super) context: Context,
    /// The value of FF, if it is a number.
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

    /// Returns the version in FF if it is older than FF\[4\].
    pub(super) fn old_version(&self) -> Option<i64> {
        self.ff.filter(|ff| (1..4).contains(ff))
    }

    /// Returns whether FF declares FF\[4\] or later.
    pub(super) fn is_ff4(&self) -> bool {
        self.ff.is_some_and(|ff| ff >= 4)
    }
}

/// State of the path from the root to a node.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Path {
    /// Offset of the node with game info.
    pub(super) info: Option<u64>,
    /// The player of the last move.
    pub(super) last: Option<Color>,
}

/// State of the open node.
#[derive(Debug, Default)]
pub(super) struct Node {
    /// [`NOWHERE`] if none is open.
    pub(super) offset: u64,
    pub(super) has: Bits,
    /// Whether it is the first of its tree.
    pub(super) starts_tree: bool,
    /// Offset of the end of its last lexeme.
    pub(super) last_end: u64,
    /// Whether that value has a `[` in it, so that lenient mode may not treat its `]` as the end.
    pub(super) is_doubtful: bool,
    pub(super) property: OpenProperty,
    /// Its properties, except single moves.
    seen: Vec<Seen>,
    /// Their indices by name, if there are more than [`FEW`].
    by_name: HashMap<u64, usize>,
    /// The bits of their names (`Ident::name_bit`).
    names: u64,
    /// First values of single-valued properties, concatenated.
    firsts: Vec<u8>,
    pub(super) illegal: IllegalMoves,
    /// HA, and the number of black stones placed.
    pub(super) handicap: Option<(u64, u64, i64)>,
    pub(super) black_stones: u64,
    /// Values whose form depends on the rest of the node.
    pub(super) waiting: Vec<Waiting>,
}

/// The offsets of the first illegal moves of a node of Go, one per rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct IllegalMoves {
    pub(super) occupied: Option<u64>,
    pub(super) ko: Option<u64>,
    pub(super) suicide: Option<u64>,
}

impl IllegalMoves {
    pub(super) fn add(&mut self, illegal: IllegalMoveError, at: u64) {
        let first = match illegal {
            IllegalMoveError::Ko => &mut self.ko,
            IllegalMoveError::Suicide => &mut self.suicide,
            _ => &mut self.occupied,
        };
        *first = first.or(Some(at));
    }
}

/// A diagnostic about a value whose canonical form depends on other properties of its node: at most one per property.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) rule: Rule,
    pub(super) site: Site,
    pub(super) row: &'static Property,
    /// The value in UTF-8.
    pub(super) text: String,
    /// The message without the form.
    pub(super) message: String,
}

/// Up to this many properties are searched linearly.
const FEW: usize = 24;

/// Maximum number of properties of a node that are kept.
const MOST: usize = 1 << 16;

/// Maximum bytes of a node's first values kept for comparison with later values of the same property.
const MOST_FIRSTS: usize = 1 << 16;

#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    pub(super) name: u64,
    pub(super) at: u64,
    /// Offset of the end of its last value.
    pub(super) end: u64,
    pub(super) has_empty: bool,
    /// Start and length of its first value in [`Node::firsts`].
    pub(super) first: Option<(u32, u32)>,
}

/// Kinds of properties that a node has, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Bits(u32);

impl Bits {
    pub(super) const B: Bits = Bits(1);
    pub(super) const W: Bits = Bits(1 << 1);
    pub(super) const ANNOTATION: Bits = Bits(1 << 2);
    pub(super) const EVALUATION: Bits = Bits(1 << 3);
    pub(super) const KO: Bits = Bits(1 << 4);
    pub(super) const MOVE: Bits = Bits(1 << 5);
    pub(super) const SETUP: Bits = Bits(1 << 6);
    pub(super) const INFO: Bits = Bits(1 << 7);
    pub(super) const MIXED: Bits = Bits(1 << 8);
    pub(super) const WHITE_SETUP: Bits = Bits(1 << 9);
    pub(super) const FF: Bits = Bits(1 << 10);
    pub(super) const ANY: Bits = Bits(1 << 11);
    pub(super) const TWICE: Bits = Bits(1 << 12);
    /// Lists share a point, so their order matters.
    pub(super) const CONFLICT: Bits = Bits(1 << 13);

    pub(super) const BOTH: Bits = Bits(Self::B.0 | Self::W.0);
    /// Kinds that need no check at the end of the node.
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
}

impl Node {
    #[inline]
    pub(super) fn start(&mut self, offset: u64) {
        self.offset = offset;
        self.has = Bits::default();
        if !self.seen.is_empty() {
            self.seen.clear();
            self.names = 0;
            self.seen.shrink_to(256);
            self.by_name = HashMap::new();
            self.firsts.clear();
            self.firsts.shrink_to(1 << 12);
        }
        self.illegal = IllegalMoves::default();
        self.handicap = None;
        self.black_stones = 0;
        self.waiting.clear();
    }

    /// Returns whether nothing has to be checked at its end.
    #[inline]
    pub(super) fn is_quiet(&self) -> bool {
        self.seen.is_empty()
            && self.illegal == IllegalMoves::default()
            && self.has.has(Bits::ANY)
            && self.has.and(Bits::PLAIN) == Bits::PLAIN
    }

    /// Returns the index of a property by its [`key`] and the bit (`Ident::name_bit`) of its name.
    #[inline]
    pub(super) fn find_named(&self, name: u64, bit: u64) -> Option<usize> {
        if self.names & bit == 0 { None } else { self.find(name) }
    }

    /// Returns the index of a property by its [`key`].
    pub(super) fn find(&self, name: u64) -> Option<usize> {
        if self.seen.len() > FEW {
            return self.by_name.get(&name).copied();
        }
        work::note(self.seen.len());
        self.seen.iter().position(|seen| seen.name == name)
    }

    /// Returns the first value of a property, if it was kept.
    pub(super) fn first_of(&self, seen: usize) -> Option<&[u8]> {
        let (start, len) = self.seen[seen].first?;
        self.firsts.get(start as usize..)?.get(..len as usize)
    }

    /// Returns the first value of a property that takes one, if it was kept and is in UTF-8.
    pub(super) fn text_of(&self, name: &str) -> Option<&str> {
        str::from_utf8(self.first_of(self.find(key(name.as_bytes()))?)?).ok()
    }

    /// Returns the end of the last value of a property, once the property has ended.
    pub(super) fn end_of(&self, name: &str) -> Option<u64> {
        Some(self.seen[self.find(key(name.as_bytes()))?].end)
    }

    /// Returns whether the node has a property, which is not a move.
    pub(super) fn has_named(&self, name: &str) -> bool {
        self.find(key(name.as_bytes())).is_some()
    }

    pub(super) fn keep_first(&mut self, seen: usize, raw: &[u8]) {
        let start = self.firsts.len();
        if start + raw.len() <= MOST_FIRSTS {
            self.firsts.extend_from_slice(raw);
            self.seen[seen].first = Some((start as u32, raw.len() as u32));
        }
    }

    /// Adds a property whose name has this bit (`Ident::name_bit`), unless too many are kept, and returns its index.
    #[inline]
    pub(super) fn push(&mut self, bit: u64, seen: Seen) -> Option<usize> {
        self.names |= bit;
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

    /// Returns the names of the properties that the node has of a set of the specification.
    pub(super) fn names_of(&self, set: OneOf, context: &Context) -> impl Iterator<Item = &'static str> {
        let is_read = |row: &&Property| property::lookup(Ident::new(row.ident().as_bytes()), context) == Some(*row);
        set.rows().filter(is_read).map(Property::ident).filter(|name| self.has_named(name))
    }

    /// Returns the span of the identifier of a property of the node.
    pub(super) fn place_of(&self, name: &str) -> Range<u64> {
        let at = self.find(key(name.as_bytes())).map_or(self.offset, |index| self.seen[index].at);
        at..at + name.len() as u64
    }

    /// Returns the offset from which the next lexeme can be removed.
    #[inline]
    pub(super) fn front(&self) -> u64 {
        if self.is_doubtful { NOWHERE } else { self.last_end }
    }
}

/// Returns a name as a number: its letters, if there are at most seven, else a hash. Two long names with one hash
/// are treated as one property, which at worst causes a wrong diagnostic.
pub(super) fn key(name: &[u8]) -> u64 {
    if name.len() < 8 {
        return name.iter().fold(0, |key, &byte| key << 8 | u64::from(byte));
    }
    let mut hasher = DefaultHasher::new();
    hasher.write(name);
    hasher.finish() | 1 << 63
}

/// State of the open property.
#[derive(Debug, Default)]
pub(super) struct OpenProperty {
    /// The row of the registry; `None` if the property is unknown or none is open.
    pub(super) row: Option<&'static Property>,
    pub(super) is_open: bool,
    pub(super) at: u64,
    pub(super) ident_len: usize,
    /// Offset of the end of the lexeme before it.
    pub(super) previous_end: u64,
    pub(super) values: u32,
    /// For a move: its color, and its first value if that is a point.
    pub(super) stone: Option<Color>,
    pub(super) point: Option<[u8; 2]>,
    pub(super) group: Group,
    pub(super) owner: u8,
    /// Its index in the node.
    pub(super) seen: Option<usize>,
    pub(super) again: Option<Again>,
    /// Whether it takes one value and all values so far equal the first one in the node.
    pub(super) says_nothing_new: bool,
    /// Location of the second value of a property that takes one.
    pub(super) second: Option<Site>,
    /// Offset of the end of the first of several values.
    pub(super) first_end: u64,
    /// Empty values, each as the end of the lexeme before it, its start and its end.
    pub(super) empty: Vec<(u64, u64, u64)>,
    pub(super) empty_count: u32,
    /// The first value, as in `empty`, if it would be an empty list on its own.
    pub(super) empty_list: Option<(u64, u64, u64)>,
}

/// The lists that a list of points is compared with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Group {
    /// No points.
    #[default]
    None,
    Stones,
    Markup,
    Territory,
    /// All LB of the node.
    Labels,
    /// Points that are compared within their property only.
    Own,
    /// Pairs of points that are compared within their property only.
    Pairs,
}

/// A property that the node already has.
#[derive(Debug)]
pub(super) struct Again {
    /// Index of the first, unless it is a move or was not kept.
    pub(super) first: Option<usize>,
    /// The values of this one, if they can be appended to the first.
    pub(super) joined: Option<Vec<u8>>,
}

impl OpenProperty {
    pub(super) fn name(&self) -> &'static str {
        match (self.row, self.stone) {
            (Some(row), _) => row.ident(),
            (None, Some(Color::Black)) => "B",
            (None, Some(_)) => "W",
            (None, None) => "the property",
        }
    }

    /// Returns whether there is nothing to report at its end, except for `VW` of FF\[3\].
    #[inline]
    pub(super) fn is_plain(&self) -> bool {
        self.again.is_none() && self.second.is_none() && self.empty_count == 0 && self.empty_list.is_none()
    }

    pub(super) fn is_text(&self) -> bool {
        self.row.is_some_and(|row| matches!(row.value_type().basic(), ValueType::SimpleText | ValueType::Text))
    }
}

/// Returns whether a property is in the specification. Private properties have no reliable definition.
pub(super) fn is_standard(row: &Property) -> bool {
    matches!(row.origin(), Origin::Ff4 | Origin::Older)
}
