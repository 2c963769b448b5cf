//! The properties that a type names, found by a glance at the identifier.

use crate::node::RootFacts;
use crate::syntax::event::{Ident, bit_number};

/// The names of a type's fields, in a table by their [name bits](Ident::name_bit). A stream makes it once for a type.
pub(super) struct Names {
    fields: Option<&'static [&'static str]>,
    /// The name that has a bit: a letter and another, or 0.
    spellings: [[u8; 2]; 64],
    /// The field of that name, or [`FACT`].
    numbers: [u8; 64],
    /// The bits that several names have, or a long one: there all have to be compared.
    crowded: u64,
}

/// The number of a fact of the root that is no field.
const FACT: u8 = u8::MAX;

/// The use of a property of a root that is read for a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// One of the fields, by its number.
    Field(u32),
    /// A fact of the game, which has to be known whatever the type wants.
    Fact,
    Nothing,
}

impl Names {
    pub(super) fn new() -> Self {
        Names { fields: None, spellings: [[0; 2]; 64], numbers: [FACT; 64], crowded: 0 }
    }

    /// Whether these are the names of just these fields.
    #[inline]
    pub(super) fn are_of(&self, fields: &'static [&'static str]) -> bool {
        self.fields.is_some_and(|own| std::ptr::eq(own, fields))
    }

    /// Makes them the names of these fields.
    pub(super) fn set(&mut self, fields: &'static [&'static str]) {
        if self.are_of(fields) {
            return;
        }
        *self = Names { fields: Some(fields), ..Names::new() };
        for (number, name) in fields.iter().enumerate() {
            self.add(name, u8::try_from(number).ok().filter(|number| *number != FACT));
        }
        for name in RootFacts::NAMES.into_iter().filter(|name| !fields.contains(name)) {
            self.add(name, Some(FACT));
        }
    }

    fn add(&mut self, name: &str, number: Option<u8>) {
        let bit = Ident::new(name.as_bytes()).name_bit();
        let place = bit.trailing_zeros() as usize;
        match (spelling(name.as_bytes()), number) {
            (Some(spelling), Some(number)) if self.spellings[place] == [0; 2] => {
                (self.spellings[place], self.numbers[place]) = (spelling, number);
            }
            _ => self.crowded |= bit,
        }
    }

    /// The use of the property of a root that has this identifier.
    #[inline(always)]
    pub(super) fn known(&self, ident: Ident<'_>) -> Known {
        match spelling(ident.as_bytes()) {
            Some(spelling) if self.spellings[place(spelling)] == spelling => match self.numbers[place(spelling)] {
                FACT => Known::Fact,
                number => Known::Field(number.into()),
            },
            Some(spelling) if self.crowded >> place(spelling) & 1 == 0 => Known::Nothing,
            _ => self.compare(ident),
        }
    }

    /// The field of an identifier.
    #[inline]
    pub(super) fn field(&self, ident: Ident<'_>) -> Option<&'static str> {
        match self.known(ident) {
            Known::Field(number) => self.fields?.get(number as usize).copied(),
            _ => None,
        }
    }

    /// Compares with all names.
    #[inline(never)]
    fn compare(&self, ident: Ident<'_>) -> Known {
        let fields = self.fields.unwrap_or_default();
        let field = find(fields, ident).and_then(|found| fields.iter().position(|&field| field == found));
        match field {
            Some(number) => Known::Field(number as u32),
            None if RootFacts::is_fact(ident) => Known::Fact,
            None => Known::Nothing,
        }
    }
}

/// The field that an identifier names: one that is spelt as it is, or else one with its name.
#[inline]
pub(super) fn find(fields: &'static [&'static str], ident: Ident<'_>) -> Option<&'static str> {
    for &field in fields {
        if ident.is_spelt(field.as_bytes()) {
            return Some(field);
        }
    }
    if ident.has_lowercase() { fields.iter().find(|&&field| ident == field).copied() } else { None }
}

/// The place of a name in the table: the number of its [bit](Ident::name_bit).
#[inline(always)]
fn place([first, second]: [u8; 2]) -> usize {
    usize::from(bit_number(first, second))
}

/// An identifier of one or two upper-case letters.
#[inline(always)]
fn spelling(ident: &[u8]) -> Option<[u8; 2]> {
    match *ident {
        [first] if first.is_ascii_uppercase() => Some([first, 0]),
        [first, second] if first.is_ascii_uppercase() && second.is_ascii_uppercase() => Some([first, second]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    const FIELDS: &[&[&str]] = &[
        &[],
        &["PB", "PW", "RE", "DT"],
        &["B", "W", "C", "$rest"],
        &["PlayerBlack", "pw", "SZ", "P0", "KM", "$mainline", ""],
        &[
            "AA", "BB", "CC", "DD", "EE", "FF", "GG", "HH", "II", "JJ", "KK", "LL", "MM", "NN", "OO", "PP", "QQ", "RR",
            "AW",
        ],
        &["MULTIGOGM", "A", "CA", "CA"],
    ];

    quickcheck! {
        fn a_glance_finds_what_comparing_does(fields: usize, picks: Vec<u8>) -> bool {
            let fields = FIELDS[fields % FIELDS.len()];
            let mut names = Names::new();
            names.set(FIELDS[picks.len() % FIELDS.len()]);
            names.set(fields);
            let random: Vec<u8> =
                picks.iter().map(|pick| b"ABCPWSZKM0FGGplayerlack"[usize::from(*pick) % 23]).collect();
            let mut all: Vec<&[u8]> = vec![b"SiZe", b"PlayerWhite", b"GaMe", &random];
            all.extend(FIELDS.concat().iter().map(|name| name.as_bytes()));
            all.extend(RootFacts::NAMES.iter().map(|name| name.as_bytes()));
            all.extend([1, 2].map(|len| &random[..len.min(random.len())]));
            all.into_iter().all(|bytes| {
                let ident = Ident::new(bytes);
                let field = find(fields, ident);
                let is_wanted = field.is_some() || RootFacts::is_fact(ident);
                let is_in_place =
                    spelling(bytes).is_none_or(|spelling| 1 << place(spelling) == ident.name_bit());
                names.are_of(fields)
                    && is_in_place
                    && names.field(ident) == field
                    && (names.known(ident) != Known::Nothing) == is_wanted
            })
        }
    }
}
