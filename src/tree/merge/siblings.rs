//! The children of a node, by what makes them the same as a node of another game.

use std::collections::{BTreeSet, HashMap};

use super::info::{Info, InfoKey};
use super::key::Key;

/// Children of a node.
#[derive(Default)]
pub(super) struct Siblings {
    /// Those with moves or setup, in the order of the file.
    by_key: HashMap<Key, Vec<u32>>,
    /// Those without, by their game info.
    by_info: HashMap<Option<InfoKey>, BTreeSet<(i64, u32)>>,
    /// The places of those without, and their game info.
    places: HashMap<u32, (i64, Option<InfoKey>)>,
    bare: BTreeSet<(i64, u32)>,
    /// The places before the first child, and after the last.
    first: i64,
    last: i64,
    /// Number of bytes that were read to know them.
    pub(super) cost: usize,
}

impl Siblings {
    /// Adds the last child, or the first.
    pub(super) fn add(&mut self, node: u32, key: Key, info: Option<&Info>, is_last: bool) {
        self.cost += 32;
        if !key.is_empty() {
            self.by_key.entry(key).or_default().push(node);
            return;
        }
        let place = if is_last { self.last } else { self.first - 1 };
        (self.first, self.last) = (self.first.min(place), self.last.max(place + 1));
        self.bare.insert((place, node));
        let info = info.map(Info::key);
        self.places.insert(node, (place, info.clone()));
        self.by_info.entry(info).or_default().insert((place, node));
    }

    /// Returns the nth child with some moves and setup.
    pub(super) fn nth(&self, key: &Key, n: usize) -> Option<u32> {
        self.by_key.get(key)?.get(n).copied()
    }

    /// Takes the first child without moves and setup that is the same as a node with this game info, until it is
    /// [put back](Self::put_back).
    ///
    /// A node that has only the game info of another game is not, so its info tells.
    pub(super) fn take_bare(&mut self, info: Option<&InfoKey>) -> Option<Taken> {
        let first = |info: Option<InfoKey>| {
            let place = *self.by_info.get(&info)?.first()?;
            Some(Taken { place, info })
        };
        let same = info.and_then(|info| first(Some(info.clone()))).or_else(|| first(None));
        let taken = match same {
            None if info.is_none() => {
                let place = *self.bare.first()?;
                Taken { place, info: self.places.get(&place.1)?.1.clone() }
            }
            taken => taken?,
        };
        self.bare.remove(&taken.place);
        self.by_info.get_mut(&taken.info).map(|nodes| nodes.remove(&taken.place));
        Some(taken)
    }

    pub(super) fn put_back(&mut self, taken: Taken) {
        self.bare.insert(taken.place);
        self.by_info.entry(taken.info).or_default().insert(taken.place);
    }

    /// The game info of a child changes.
    pub(super) fn change_info(&mut self, node: u32, new: Option<&Info>) {
        let Some((place, info)) = self.places.get_mut(&node) else { return };
        self.by_info.get_mut(info).map(|nodes| nodes.remove(&(*place, node)));
        *info = new.map(Info::key);
        self.by_info.entry(info.clone()).or_default().insert((*place, node));
    }
}

/// A child that was found.
pub(super) struct Taken {
    place: (i64, u32),
    info: Option<InfoKey>,
}

impl Taken {
    pub(super) fn node(&self) -> u32 {
        self.place.1
    }
}
