//! The rules about nodes: what may stand where, and with what.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher};

use super::Rule;
use super::board::Cell;
use super::core::{Core, NOWHERE};
use super::finding::Edit;
use crate::Game;
use crate::event::Ident;
use crate::property::{self, List, Origin, Property, PropertyType, ValueType};
use crate::value::AnyPoint;
use crate::work;

/// What is known of the open node.
#[derive(Debug, Default)]
pub(super) struct Node {
    /// `u64::MAX` if none is open.
    pub(super) offset: u64,
    pub(super) has: Bits,
    /// It is the first of its tree.
    pub(super) starts_tree: bool,
    /// Its properties, but for single moves.
    seen: Vec<Seen>,
    /// The same by name, if they are too many to go through.
    by_name: HashMap<u64, usize>,
    /// A move onto a stone.
    pub(super) occupied: Option<u64>,
    /// HA, and the black stones that are placed.
    pub(super) handicap: Option<(u64, u64, i64)>,
    pub(super) black_stones: u64,
}

/// Up to so many properties are gone through to find one.
const FEW: usize = 24;

/// More properties of a node than this are not kept.
const MOST: usize = 1 << 16;

#[derive(Clone, Copy, Debug)]
struct Seen {
    name: u64,
    at: u64,
    /// Behind its last value.
    end: u64,
    has_empty: bool,
}

/// What a node has, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Bits(u32);

impl Bits {
    pub(super) const B: Bits = Bits(1);
    pub(super) const W: Bits = Bits(1 << 1);
    const BM: Bits = Bits(1 << 2);
    const TE: Bits = Bits(1 << 3);
    const DO: Bits = Bits(1 << 4);
    const IT: Bits = Bits(1 << 5);
    const DM: Bits = Bits(1 << 6);
    const UC: Bits = Bits(1 << 7);
    const GB: Bits = Bits(1 << 8);
    const GW: Bits = Bits(1 << 9);
    pub(super) const KO: Bits = Bits(1 << 10);
    const MOVE: Bits = Bits(1 << 11);
    const SETUP: Bits = Bits(1 << 12);
    const INFO: Bits = Bits(1 << 13);
    const MIXED: Bits = Bits(1 << 14);
    pub(super) const WHITE_SETUP: Bits = Bits(1 << 15);
    const FF: Bits = Bits(1 << 16);
    const ANY: Bits = Bits(1 << 17);
    const TWICE: Bits = Bits(1 << 18);
    /// Lists name the same point, and so their order matters.
    pub(super) const CONFLICT: Bits = Bits(1 << 19);

    const BOTH: Bits = Bits(Self::B.0 | Self::W.0);
    const ANNOTATIONS: Bits = Bits(Self::BM.0 | Self::TE.0 | Self::DO.0 | Self::IT.0);
    const EVALUATIONS: Bits = Bits(Self::DM.0 | Self::UC.0 | Self::GB.0 | Self::GW.0);
    /// What needs no second look at the end of the node.
    const PLAIN: Bits = Bits(Self::BOTH.0 | Self::MOVE.0 | Self::ANY.0);

    pub(super) const fn has(self, any: Bits) -> bool {
        self.0 & any.0 != 0
    }

    const fn and(self, other: Bits) -> Bits {
        Bits(self.0 | other.0)
    }

    pub(super) fn add(&mut self, other: Bits) {
        self.0 |= other.0;
    }

    /// The names of these that are there.
    fn names(self, of: Bits) -> impl Iterator<Item = &'static str> {
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

    fn find(&self, name: u64) -> Option<usize> {
        if self.seen.len() > FEW {
            return self.by_name.get(&name).copied();
        }
        work::note(self.seen.len());
        self.seen.iter().position(|seen| seen.name == name)
    }

    fn push(&mut self, seen: Seen) -> usize {
        if self.seen.len() >= MOST {
            return usize::MAX;
        }
        self.seen.push(seen);
        let index = self.seen.len() - 1;
        if self.seen.len() == FEW + 1 {
            self.by_name.extend(self.seen.iter().enumerate().map(|(index, seen)| (seen.name, index)));
        } else if self.seen.len() > FEW {
            self.by_name.insert(seen.name, index);
        }
        index
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
pub(super) struct Current {
    /// `None` if it is unknown, or none is open.
    pub(super) row: Option<&'static Property>,
    pub(super) is_open: bool,
    pub(super) at: u64,
    pub(super) ident_len: usize,
    /// Where the lexeme in front of it ends.
    pub(super) behind: u64,
    pub(super) values: u32,
    /// Of a move: whose.
    pub(super) stone: Option<Cell>,
    pub(super) group: Group,
    pub(super) owner: u8,
    /// Its place in the node's list.
    seen: Option<usize>,
    /// It stood in the node before, at this place; its values, if they can go there.
    again: Option<(usize, Option<Vec<u8>>)>,
    /// Empty values: where the lexeme in front ends, their places, and how many there are.
    pub(super) empty: Vec<(u64, u64, u64)>,
    pub(super) empty_count: u32,
    /// The same of the first value, if that would be an empty list, were it alone.
    pub(super) empty_list: Option<(u64, u64, u64)>,
}

/// Which other lists a list of points is compared with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Group {
    /// It holds no points.
    #[default]
    None,
    Stones,
    Markup,
    Territory,
    /// Those of LB, in all of the node.
    Labels,
    /// None but itself.
    Own,
    /// Pairs of points, none but itself.
    Pairs,
}

/// The lists of groups, by the number of their owner less one.
pub(super) const OWNERS: [&str; 11] = ["AB", "AW", "AE", "CR", "MA", "SL", "SQ", "TR", "TB", "TW", "this list"];
const OWN: u8 = OWNERS.len() as u8;

fn group_of(row: &Property, game: Game) -> (Group, u8) {
    if row.list() == List::Single {
        return (Group::None, 0);
    }
    match row.value_type() {
        ValueType::PointPair => return (Group::Pairs, OWN),
        ValueType::PointText => return (Group::Labels, OWN),
        ValueType::Point | ValueType::Stone if row.is_point_list() && !AnyPoint::stacks(game) => {}
        _ => return (Group::None, 0),
    }
    // A mark on a stone of Octi is not one on a point, and equal stones may have equal marks.
    if game == Game::Octi && row.value_type() == ValueType::Stone {
        return (Group::None, 0);
    }
    let owner = OWNERS.iter().position(|name| *name == row.ident()).map(|index| index as u8 + 1);
    match owner {
        Some(owner @ 1..=3) => (Group::Stones, owner),
        Some(owner @ 4..=8) => (Group::Markup, owner),
        Some(owner) => (Group::Territory, owner),
        None => (Group::Own, OWN),
    }
}

/// Whether the specification has it: what private properties are, is not for sure.
pub(super) fn is_standard(row: &Property) -> bool {
    matches!(row.origin(), Origin::Ff4 | Origin::Older)
}

impl Core {
    /// A property begins.
    #[inline]
    pub(super) fn enter(&mut self, ident: Ident<'_>, at: u64) {
        let stone = match ident.as_bytes() {
            b"B" => Cell::Black,
            b"W" => Cell::White,
            _ => return self.enter_any(ident, at),
        };
        if self.node.has != Bits::default() || self.is_root {
            return self.enter_any(ident, at);
        }
        let color = if stone == Cell::Black { Bits::B } else { Bits::W };
        self.node.has = color.and(Bits::MOVE).and(Bits::ANY);
        // The rest is as it was at the start: nodes that leave anything else there are closed by `close_node`. What
        // else there is of a move is looked up if it has to be.
        let behind = self.front();
        let current = &mut self.current;
        (current.row, current.is_open, current.values) = (None, true, 0);
        (current.at, current.ident_len, current.behind) = (at, 1, behind);
        current.stone = Some(stone);
        (self.last_end, self.is_doubtful) = (at + 1, false);
    }

    fn enter_any(&mut self, ident: Ident<'_>, at: u64) {
        self.end_property();
        let len = ident.as_bytes().len();
        let span = at..at + len as u64;
        let spelling = ident;
        let name: Vec<u8>;
        let ident = match ident.has_lowercase() {
            true => {
                name = ident.name_bytes().collect();
                Ident::new(&name)
            }
            false => ident,
        };
        let row = property::lookup(ident, &self.context);
        if spelling.has_lowercase() && self.ff.is_some_and(|ff| ff >= 4) {
            let message = format!("FF[4] has no lower-case letters in identifiers: {ident}");
            // With a digit in front it would be junk and another identifier. Of an unknown one the letters may say more.
            let is_one = ident.as_bytes().first().is_some_and(u8::is_ascii_uppercase);
            let edits = match is_one && row.is_some() && !self.is_landmark(self.last_end) {
                true => vec![Edit::new(span.clone(), ident.as_bytes())],
                false => Vec::new(),
            };
            self.find_fixable(Rule::Syntax(crate::Code::LowercaseInIdent), span.clone(), message, edits);
        }
        let stone = match ident.as_bytes() {
            b"B" => Some(Cell::Black),
            b"W" => Some(Cell::White),
            _ => None,
        };
        let (group, owner) = row.map_or((Group::None, 0), |row| group_of(row, self.context.game()));
        let name = key(ident.as_bytes());
        let before = match stone {
            Some(stone) => {
                let bit = if stone == Cell::Black { Bits::B } else { Bits::W };
                self.node.has.has(bit).then_some(usize::MAX)
            }
            None => self.node.find(name),
        };
        let seen = match (before, stone) {
            (None, None) => Some(self.node.push(Seen { name, at, end: at, has_empty: false })),
            _ => None,
        };
        // Of a list that is compared with itself alone, the points of the first piece are forgotten: who
        // joined them could bring a point into it twice.
        let is_list = row.is_some_and(|row| row.list() != List::Single && is_standard(row));
        // Stones that come before the move and those that come behind it are two things.
        let is_parted = group == Group::Stones && self.node.has.has(Bits::MOVE);
        let can_join = is_list && !is_parted && !matches!(group, Group::Own | Group::Pairs);
        self.own.clear();
        self.pairs.clear();
        let again = before.map(|before| (before, can_join.then(Vec::new)));
        self.current = Current {
            row,
            is_open: true,
            at,
            ident_len: len,
            behind: self.front(),
            values: 0,
            stone,
            group,
            owner,
            seen: seen.or(before.filter(|_| stone.is_none())),
            again,
            empty: Vec::new(),
            empty_count: 0,
            empty_list: None,
        };
        (self.last_end, self.is_doubtful) = (span.end, false);
        self.node.has.add(if before.is_some() { Bits::TWICE } else { Bits::ANY });
        self.check_identity(ident, row, span.clone());
        if let Some(row) = row {
            self.check_place(row, stone, span);
        }
    }

    /// What it is.
    fn check_identity(&mut self, ident: Ident<'_>, row: Option<&'static Property>, span: std::ops::Range<u64>) {
        let name = ident.as_bytes();
        if name.len() > 2 && self.tells_once(Rule::LongIdentifier, name) {
            self.find(Rule::LongIdentifier, span.clone(), format!("{} has more than two letters", short(ident)));
        }
        let Some(row) = row else {
            // Names are short, and these are looked at once a game.
            let Ok(text) = std::str::from_utf8(&name[..name.len().min(64)]) else { return };
            let elsewhere = property::find(text).find(|row| row.origin() == Origin::Ff4).and_then(Property::game);
            let (rule, message) = match elsewhere {
                Some(game) => (
                    Rule::PropertyOfAnotherGame,
                    format!("{text} is a property of {game}, and this is {}", game_name(self.context.game())),
                ),
                None => (Rule::UnknownProperty, format!("{} is unknown", short(ident))),
            };
            if self.tells_once(rule, name) {
                self.find(rule, span, message);
            }
            return;
        };
        if let Some(old) = self.ff.filter(|ff| (1..=4).contains(ff))
            && !row.versions().is_empty()
            && !row.versions().contains(old as u8)
            && row.ident() != "FF"
            && self.tells_once(Rule::PropertyNotInVersion, name)
        {
            let message = format!("FF[{old}] has no {}, but {}", row.ident(), row.versions());
            self.find(Rule::PropertyNotInVersion, span.clone(), message);
        }
        if is_standard(row) {
            return;
        }
        let clash = property::find(row.ident()).find(|other| other.origin() == Origin::Ff4);
        if let Some(standard) = clash {
            if self.tells_once(Rule::PrivateClash, name) {
                let whose = standard.game().map_or(String::new(), |game| format!(" of {game}"));
                let (ident, meaning, origin) = (row.ident(), row.meaning(), row.origin());
                let message =
                    format!("{ident} is \"{}\" in FF[4]{whose}, and here \"{meaning}\" ({origin})", standard.meaning());
                self.find(Rule::PrivateClash, span, message);
            }
        } else if let property::Successor::Other(successor) = row.successor()
            && self.tells_once(Rule::SupersededProperty, name)
        {
            let message = format!("{} ({}): FF[4] has {successor} for it", row.ident(), row.meaning());
            self.find(Rule::SupersededProperty, span, message);
        }
    }

    /// Whether it may stand here.
    fn check_place(&mut self, row: &'static Property, stone: Option<Cell>, span: std::ops::Range<u64>) {
        let ident = row.ident();
        let before = self.node.has;
        let bit = match ident {
            "B" => Bits::B,
            "W" => Bits::W,
            "BM" => Bits::BM,
            "TE" => Bits::TE,
            "DO" => Bits::DO,
            "IT" => Bits::IT,
            "DM" => Bits::DM,
            "UC" => Bits::UC,
            "GB" => Bits::GB,
            "GW" => Bits::GW,
            "KO" => Bits::KO,
            "AW" => Bits::WHITE_SETUP,
            "FF" => Bits::FF,
            _ => Bits::default(),
        };
        // TE and KO of SGF2 are others.
        let bit = if is_standard(row) { bit } else { Bits::default() };
        self.node.has.add(bit);
        if stone.is_some() {
            let other = if bit == Bits::B { (Bits::W, "white") } else { (Bits::B, "black") };
            if before.has(other.0) && !before.has(bit) {
                self.find(Rule::TwoMoves, span.clone(), format!("{ident}: the node has a {} move too", other.1));
            }
            if self.is_root && self.is_on(Rule::MoveInRoot) {
                self.find(Rule::MoveInRoot, span.clone(), "a move in the root");
            }
        }
        for (group, rule, what) in [
            (Bits::ANNOTATIONS, Rule::AnnotationConflict, "judges the move too"),
            (Bits::EVALUATIONS, Rule::EvaluationConflict, "judges the position too"),
        ] {
            if group.has(bit) && !before.has(bit) && before.has(group) {
                let others: Vec<_> = before.names(group).collect();
                self.find(rule, span.clone(), format!("{ident}: {} {what}", others.join(", ")));
            }
        }
        if !is_standard(row) {
            return;
        }
        match row.property_type() {
            PropertyType::Root if !self.is_root => {
                self.find(Rule::RootPropertyOutsideRoot, span, format!("{ident} belongs to the root of the game"));
            }
            PropertyType::GameInfo if !before.has(Bits::INFO) => {
                self.node.has.add(Bits::INFO);
                match self.path.info {
                    Some(first) => {
                        let message = format!("{ident}: the game-info of this path is in the node at byte {first}");
                        self.find(Rule::SecondGameInfo, span, message);
                    }
                    None => self.path.info = Some(self.node.offset),
                }
            }
            PropertyType::Move => self.check_mixture(Bits::MOVE, Bits::SETUP, before, ident, span),
            PropertyType::Setup => {
                if !self.is_root && !before.has(Bits::SETUP) && ident != "PL" && self.is_on(Rule::SetupAfterRoot) {
                    self.find(Rule::SetupAfterRoot, span.clone(), format!("{ident} behind the root"));
                }
                self.path.last = None;
                self.check_mixture(Bits::SETUP, Bits::MOVE, before, ident, span);
            }
            _ => {}
        }
    }

    /// Setup and moves do not mix.
    fn check_mixture(&mut self, this: Bits, other: Bits, before: Bits, ident: &str, span: std::ops::Range<u64>) {
        self.node.has.add(this);
        // FF[1] to FF[3] allow it.
        if before.has(other) && !before.has(Bits::MIXED) && self.old_version().is_none() {
            self.node.has.add(Bits::MIXED);
            let message = match this {
                Bits::SETUP => format!("{ident} is setup, and the node has move properties"),
                _ => format!("{ident} is a move property, and the node has setup"),
            };
            self.find(Rule::SetupAndMove, span, message);
        }
    }

    /// One more value of the open property.
    pub(super) fn note_value(&mut self, raw: &[u8]) {
        let Some((_, joined)) = &mut self.current.again else { return };
        if let Some(values) = joined {
            // Where the property goes, another charset may hold.
            if raw.is_ascii() && !raw.is_empty() && values.len() + raw.len() < 1 << 16 {
                values.push(b'[');
                values.extend_from_slice(raw);
                values.push(b']');
            } else {
                *joined = None;
            }
        }
    }

    /// The open property has ended.
    fn end_property(&mut self) {
        if !self.current.is_open {
            return;
        }
        self.current.is_open = false;
        if let Some(first) = self.current.empty_list
            && self.current.values > self.current.empty_count + 1
        {
            self.current.empty.insert(0, first);
            self.current.empty_count += 1;
        }
        let (at, end, behind) = (self.current.at, self.last_end, self.current.behind);
        let span = at..at + self.current.ident_len as u64;
        if let Some((before, joined)) = self.current.again.take() {
            let name = self.current_name();
            let edits = match (joined, self.node.seen.get(before)) {
                _ if behind == NOWHERE || self.is_landmark(behind) => Vec::new(),
                _ if self.node.has.has(Bits::CONFLICT) => Vec::new(),
                (Some(values), Some(seen)) if !seen.has_empty && seen.end > seen.at => {
                    let seen_end = seen.end;
                    vec![Edit::new(seen_end..seen_end, values), Edit::new(behind..end, [])]
                }
                _ => Vec::new(),
            };
            let message = format!("{name} stands in this node already");
            self.find_fixable(Rule::DuplicateProperty, span.clone(), message, edits);
        } else if let Some(seen) = self.current.seen.and_then(|seen| self.node.seen.get_mut(seen)) {
            seen.end = end;
            seen.has_empty = self.current.empty_count > 0 || self.current.empty_list.is_some();
        }
        self.end_empty(end);
        let is_view = self.current.row.is_some_and(|row| row.ident() == "VW");
        if is_view && self.ff == Some(3) && self.current.values > 2 {
            self.find(Rule::ViewCorners, span, "VW of FF[3] has two corners");
        }
    }

    /// Empty values of the property that has ended.
    fn end_empty(&mut self, end: u64) {
        if self.current.empty_count == 0 {
            return;
        }
        let name = self.current_name();
        let behind = self.current.behind;
        let all = self.current.empty_count == self.current.values;
        let is_single = self.current.row.is_some_and(|row| row.list() == List::Single);
        let rule = if self.is_text() { Rule::EmptyText } else { Rule::EmptyValue };
        for (n, (from, at, to)) in std::mem::take(&mut self.current.empty).into_iter().enumerate() {
            let edits = match all {
                true if behind == NOWHERE || self.is_landmark(behind) => Vec::new(),
                false if from == NOWHERE => Vec::new(),
                // One value is meant, and nobody knows which.
                _ if is_single && self.current.values > 1 => Vec::new(),
                true if n == 0 => vec![Edit::new(behind..end, [])],
                // It goes with the first.
                true => vec![Edit::new(end..end, [])],
                false => vec![Edit::new(from..to, [])],
            };
            let message = match rule {
                Rule::EmptyText => format!("{name} has no text"),
                _ => format!("{name} has no empty values"),
            };
            self.find_fixable(rule, at..to, message, edits);
        }
    }

    /// Whether what stands here is the first of a variation. It stays as it is: without it, `(;` may come before
    /// FF or the like, and that, at the start of a line, is the start of a game for lenient readers.
    fn is_landmark(&self, behind: u64) -> bool {
        !self.is_root && self.node.starts_tree && behind == self.node.offset + 1
    }

    fn is_text(&self) -> bool {
        self.current.row.is_some_and(|row| matches!(row.value_type().basic(), ValueType::SimpleText | ValueType::Text))
    }

    pub(super) fn current_name(&self) -> &'static str {
        match (self.current.row, self.current.stone) {
            (Some(row), _) => row.ident(),
            (None, Some(Cell::Black)) => "B",
            (None, Some(_)) => "W",
            (None, None) => "the property",
        }
    }

    /// The node is over.
    pub(super) fn close_node(&mut self) {
        self.end_property();
        self.current = Current::default();
        let (has, at) = (self.node.has, self.node.offset);
        if !has.has(Bits::BOTH) {
            for (bit, name) in [(Bits::BM, "BM"), (Bits::TE, "TE"), (Bits::DO, "DO"), (Bits::IT, "IT")] {
                if has.has(bit) {
                    let span = self.place_of(name);
                    self.find(Rule::AnnotationWithoutMove, span, format!("{name}: the node has no move"));
                }
            }
            if has.has(Bits::KO) {
                let span = self.place_of("KO");
                self.find(Rule::KoWithoutMove, span, "KO: the node has no move");
            }
        }
        if let Some(at) = self.node.occupied
            && !has.has(Bits::KO)
        {
            self.find(Rule::OccupiedPoint, at..at + 4, "there is a stone already");
        }
        if let Some((from, to, handicap)) = self.node.handicap
            && handicap >= 2
            && (handicap as u64 != self.node.black_stones || has.has(Bits::WHITE_SETUP))
        {
            let message = match (self.node.black_stones, has.has(Bits::WHITE_SETUP)) {
                (0, false) => format!("HA[{handicap}], and AB places no stones"),
                (stones, false) => format!("HA[{handicap}], and AB places {stones}"),
                _ => format!("HA[{handicap}], and not only AB places stones"),
            };
            self.find(Rule::HandicapStones, from..to, message);
        }
        if !self.is_root && !has.has(Bits::ANY) && self.is_on(Rule::EmptyNode) {
            self.find(Rule::EmptyNode, at..at + 1, "a node without properties");
        }
        if self.is_root && !has.has(Bits::FF) && self.is_on(Rule::MissingVersion) {
            self.find(Rule::MissingVersion, at..at + 1, "the root has no FF");
        }
        for points in [&mut self.stones, &mut self.markup, &mut self.territory, &mut self.labels, &mut self.own] {
            points.clear();
        }
        self.pairs.clear();
    }

    /// Where a property of the node stands.
    fn place_of(&self, name: &str) -> std::ops::Range<u64> {
        let at = self.node.find(key(name.as_bytes())).map_or(self.node.offset, |index| self.node.seen[index].at);
        at..at + name.len() as u64
    }
}

/// An identifier, as much of it as a sentence can hold.
fn short(ident: Ident<'_>) -> String {
    super::finding::Texts::default().excerpt(ident.as_bytes())
}

fn game_name(game: Game) -> String {
    match game {
        Game::Other(number) => format!("GM[{number}]"),
        game => game.to_string(),
    }
}
