//! The properties that a type names, for fast lookup of identifiers.

use crate::node::{NameIndex, RootFacts, name_key};
use crate::syntax::event::Ident;

/// The names of a type's fields. A stream builds it once per type.
pub(super) struct Names {
    fields: Option<&'static [&'static str]>,
    /// The names of fields and facts, without lower-case letters.
    index: NameIndex,
    /// For each name in `index`, the number of its field. [`FACT`] for a root fact that is not a field.
    numbers: Vec<u32>,
}

const FACT: u32 = u32::MAX;

/// How a root property is used when a type is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// A field, as its number.
    Field(u32),
    /// A fact of the game, which is always needed.
    Fact,
    Nothing,
}

impl Names {
    pub(super) fn new() -> Self {
        Names { fields: None, index: NameIndex::default(), numbers: Vec::new() }
    }

    /// Returns whether these are the names of exactly these fields.
    #[inline]
    pub(super) fn are_of(&self, fields: &'static [&'static str]) -> bool {
        self.fields.is_some_and(|own| std::ptr::eq(own, fields))
    }

    /// Replaces the names with those of these fields.
    pub(super) fn set(&mut self, fields: &'static [&'static str]) {
        if self.are_of(fields) {
            return;
        }
        *self = Names { fields: Some(fields), ..Names::new() };
        let facts = RootFacts::NAMES.into_iter().map(|name| (name, FACT));
        let has_lowercase = |name: &str| Ident::new(name.as_bytes()).has_lowercase();
        let fields = || fields.iter().copied().zip(0..);
        let names = fields().filter(|(name, _)| !has_lowercase(name));
        let long_names = fields().filter(|(name, _)| has_lowercase(name) && !name.starts_with('$'));
        for (name, number) in names.chain(long_names).chain(facts) {
            let ident = Ident::new(name.as_bytes());
            if self.index.find(ident, ident.name_bit()).is_none() {
                self.index.add(name_key(ident), ident.name_bit(), || ident);
                self.numbers.push(number);
            }
        }
    }

    /// Returns how the root property with this identifier is used.
    #[inline(always)]
    pub(super) fn known(&self, ident: Ident<'_>) -> Known {
        if ident.has_lowercase() {
            return self.compare(ident);
        }
        match self.index.find(ident, ident.name_bit()).map(|name| self.numbers[name]) {
            Some(FACT) => Known::Fact,
            Some(number) => Known::Field(number),
            None => Known::Nothing,
        }
    }

    /// Returns the field of an identifier.
    #[inline]
    pub(super) fn field(&self, ident: Ident<'_>) -> Option<&'static str> {
        match self.known(ident) {
            Known::Field(number) => self.fields?.get(number as usize).copied(),
            _ => None,
        }
    }

    /// Looks up an identifier by comparing it with all names.
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

/// Returns the field that an identifier names: one with the same spelling, or else one with its name.
#[inline]
pub(super) fn find(fields: &'static [&'static str], ident: Ident<'_>) -> Option<&'static str> {
    for &field in fields {
        if ident.is_spelt(field.as_bytes()) {
            return Some(field);
        }
    }
    fields.iter().find(|&&field| ident == field).copied()
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
                names.are_of(fields)
                    && names.field(ident) == field
                    && (names.known(ident) != Known::Nothing) == is_wanted
            })
        }
    }
}
