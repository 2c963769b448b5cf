//! Properties by name.

use std::collections::HashMap;

use crate::syntax::event::Ident;
use crate::work;

/// Number of names up to which a search goes through all of them; nearly all nodes have fewer.
const FEW: usize = 24;

/// The key of a name that is too long for one.
const LONG: u64 = u64::MAX;

/// Numbers names from 0, in the order in which they are added. A filter of [name bits](Ident::name_bit) answers most
/// searches for a name that is missing.
#[derive(Clone, Debug, Default)]
pub(crate) struct NameIndex {
    bits: u64,
    /// The [keys](key) of all names.
    keys: Vec<u64>,
    /// The numbers of long names; of all names, if they are many.
    by_name: HashMap<Vec<u8>, usize>,
}

impl NameIndex {
    /// Removes all names. Keeps memory for a usual node only.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.bits = 0;
        self.keys.clear();
        self.keys.shrink_to(256);
        if !self.by_name.is_empty() {
            self.by_name = HashMap::new();
        }
    }

    /// Returns the number of a name, given the bit of the identifier.
    #[inline(always)]
    pub(crate) fn find(&self, ident: Ident<'_>, bit: u64) -> Option<usize> {
        if self.bits & bit == 0 { None } else { self.find_among(ident) }
    }

    fn find_among(&self, ident: Ident<'_>) -> Option<usize> {
        let key = key(ident);
        if key == LONG || self.keys.len() > FEW {
            return match ident.has_lowercase() {
                true => self.by_name.get(&ident.name_bytes().collect::<Vec<_>>()).copied(),
                false => self.by_name.get(ident.as_bytes()).copied(),
            };
        }
        work::note(self.keys.len());
        self.keys.iter().position(|&other| other == key)
    }

    /// Adds a name that is missing, given the bit of the identifier.
    #[inline]
    pub(crate) fn add(&mut self, ident: Ident<'_>, bit: u64) {
        self.bits |= bit;
        let key = key(ident);
        self.keys.push(key);
        if key == LONG || self.keys.len() > FEW {
            self.enter(ident);
        }
    }

    #[cold]
    fn enter(&mut self, ident: Ident<'_>) {
        let number = self.keys.len() - 1;
        if number == FEW {
            let short = self.keys[..number].iter().enumerate().filter(|(_, key)| **key != LONG);
            self.by_name.extend(short.map(|(number, &key)| (name_of(key), number)));
        }
        self.by_name.insert(ident.name_bytes().collect(), number);
    }
}

/// Returns a name of at most seven bytes as a number: its length and its bytes.
#[inline(always)]
fn key(ident: Ident<'_>) -> u64 {
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

/// Returns the name with this key.
fn name_of(key: u64) -> Vec<u8> {
    let bytes = key.to_le_bytes();
    bytes[..bytes[7].min(7).into()].to_vec()
}

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;

    use super::*;

    quickcheck! {
        /// Names have the numbers that a search through a list finds, whatever their number and length.
        fn a_name_has_the_number_that_a_list_gives_it(idents: Vec<(u8, u8, u8)>, cleared: bool) -> bool {
            let (mut index, mut names) = (NameIndex::default(), Vec::<Vec<u8>>::new());
            if cleared {
                for letter in b'A'..=b'Z' {
                    let ident = [letter];
                    index.add(Ident::new(&ident), Ident::new(&ident).name_bit());
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
                    index.add(ident, ident.name_bit());
                    names.push(name);
                }
                found == number
            })
        }
    }
}
