//! An index of property names.

use std::collections::HashMap;

use crate::syntax::event::Ident;
use crate::work;

/// Number of names that are searched linearly; nearly all nodes have fewer.
const FEW: usize = 24;

/// The key of a name that is too long for a key.
const LONG: u64 = u64::MAX;

/// Numbers names from 0, in the order in which they are added. A filter of [name bits](Ident::name_bit) resolves most
/// searches for a missing name.
#[derive(Clone, Debug)]
pub(crate) struct NameIndex {
    bits: u64,
    len: usize,
    /// For each name bit, the number of the first name that has it.
    first_of: [u8; 64],
    /// The [keys](key) of the first names.
    keys: [u64; FEW],
    /// The numbers of long names, and of those after the first.
    others: HashMap<Vec<u8>, usize>,
}

impl Default for NameIndex {
    fn default() -> Self {
        NameIndex { bits: 0, len: 0, first_of: [0; 64], keys: [0; FEW], others: HashMap::new() }
    }
}

impl NameIndex {
    /// Removes all names.
    #[inline(always)]
    pub(crate) fn clear(&mut self) {
        (self.bits, self.len) = (0, 0);
        if !self.others.is_empty() {
            self.clear_others();
        }
    }

    #[cold]
    fn clear_others(&mut self) {
        self.others = HashMap::new();
    }

    /// Returns the number of a name, given the bit of the identifier.
    #[inline(always)]
    pub(crate) fn find(&self, ident: Ident<'_>, bit: u64) -> Option<usize> {
        if self.bits & bit == 0 {
            return None;
        }
        let (key, first) = (key(ident), self.first_of[place(bit)].into());
        match self.keys.get(first) {
            Some(&same) if same == key && key != LONG => Some(first),
            _ => self.find_other(ident, key),
        }
    }

    #[inline(never)]
    fn find_other(&self, ident: Ident<'_>, key: u64) -> Option<usize> {
        let keys = &self.keys[..self.len.min(FEW)];
        work::note(keys.len());
        match keys.iter().position(|&other| other == key) {
            Some(number) if key != LONG => Some(number),
            _ if self.others.is_empty() => None,
            _ if ident.has_lowercase() => self.others.get(&ident.name_bytes().collect::<Vec<_>>()).copied(),
            _ => self.others.get(ident.as_bytes()).copied(),
        }
    }

    /// Adds a name that is missing, given its key and the bit of the identifier.
    #[inline(always)]
    pub(crate) fn add<'i>(&mut self, key: u64, bit: u64, ident: impl FnOnce() -> Ident<'i>) {
        let number = self.len;
        self.len += 1;
        if self.bits & bit == 0 {
            self.first_of[place(bit)] = number.min(FEW) as u8;
        }
        self.bits |= bit;
        if let Some(place) = self.keys.get_mut(number) {
            *place = key;
        }
        if number >= FEW || key == LONG {
            self.add_other(ident(), number);
        }
    }

    #[cold]
    fn add_other(&mut self, ident: Ident<'_>, number: usize) {
        self.others.insert(ident.name_bytes().collect(), number);
    }
}

/// Returns the number of a bit.
#[inline(always)]
fn place(bit: u64) -> usize {
    bit.trailing_zeros() as usize % 64
}

/// Returns a name of at most seven bytes as a number: its length and its bytes.
#[inline(always)]
pub(crate) fn key(ident: Ident<'_>) -> u64 {
    match *ident.as_bytes() {
        [first] if !first.is_ascii_lowercase() => u64::from_le_bytes([first, 0, 0, 0, 0, 0, 0, 1]),
        [first, second] if !first.is_ascii_lowercase() && !second.is_ascii_lowercase() => {
            u64::from_le_bytes([first, second, 0, 0, 0, 0, 0, 2])
        }
        _ => key_of_any(ident),
    }
}

#[inline(never)]
fn key_of_any(ident: Ident<'_>) -> u64 {
    let mut bytes = [0; 8];
    for (at, byte) in ident.name_bytes().enumerate() {
        if at == 7 {
            return LONG;
        }
        (bytes[at], bytes[7]) = (byte, at as u8 + 1);
    }
    u64::from_le_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;

    use super::*;

    quickcheck! {
        /// Checks that names have the numbers that a search through a list finds. Their number and length do not
        /// matter.
        fn a_name_has_the_number_that_a_list_gives_it(idents: Vec<(u8, u8, u8)>, cleared: bool) -> bool {
            let (mut index, mut names) = (NameIndex::default(), Vec::<Vec<u8>>::new());
            if cleared {
                for letter in b'A'..=b'Z' {
                    let ident = [letter];
                    let ident = Ident::new(&ident);
                    index.add(key(ident), ident.name_bit(), || ident);
                }
                index.clear();
            }
            idents.into_iter().all(|(pick, first, second)| {
                let (upper, any) = (b'A' + first % 26, b"ABab0\xFF\0"[usize::from(second % 7)]);
                let spelling = match pick % 8 {
                    0 => vec![upper],
                    1..4 => vec![upper, any],
                    4 => [b"Lower".as_slice(), &[upper, any]].concat(),
                    5 => [b"SEVENL".as_slice(), &[upper, any]].concat(),
                    6 => [b"A".repeat(40).as_slice(), &[upper, any]].concat(),
                    _ => vec![any.to_ascii_lowercase(); usize::from(first % 3)],
                };
                let ident = Ident::new(&spelling);
                let name: Vec<u8> = ident.name_bytes().collect();
                let number = names.iter().position(|other| *other == name);
                let found = index.find(ident, ident.name_bit());
                if number.is_none() {
                    index.add(key(ident), ident.name_bit(), || ident);
                    names.push(name);
                }
                found == number
            })
        }
    }
}
