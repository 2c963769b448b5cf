//! The texts of a root, as rules see them, and the typed values that several rules share.

use std::borrow::Cow;

use sgf_board::internal::Grid;
use sgf_stream::internal::TextRule;
use sgf_stream::node::{PropertyRef, RootFacts};
use sgf_stream::property::Context;
use sgf_stream::value::{Dates, Handicap, Komi, Rank, Ruleset};
use sgf_stream::{Game, NodeRecord};

/// A root whose texts can be read.
pub(crate) trait RootTexts {
    /// Returns the properties. Those that no wanted fact looks at may be missing.
    fn record(&self) -> &NodeRecord<'_>;

    /// Returns the context of the root.
    fn context(&self) -> Context;

    /// Returns the first value of a property as text.
    fn read<'a>(&'a self, property: PropertyRef<'a>, rule: TextRule) -> Cow<'a, str>;
}

/// A root in UTF-8.
#[derive(Debug)]
pub(super) struct Utf8Root<'r> {
    record: &'r NodeRecord<'r>,
    context: Context,
}

impl<'r> Utf8Root<'r> {
    pub(super) fn new(record: &'r NodeRecord<'r>) -> Self {
        Utf8Root { record, context: RootFacts::of_root(record).root_context() }
    }
}

impl RootTexts for Utf8Root<'_> {
    fn record(&self) -> &NodeRecord<'_> {
        self.record
    }

    fn context(&self) -> Context {
        self.context
    }

    fn read<'a>(&'a self, property: PropertyRef<'a>, rule: TextRule) -> Cow<'a, str> {
        rule.read_utf8(property.first())
    }
}

impl dyn RootTexts + '_ {
    /// Returns a value as text.
    pub(super) fn text(&self, name: &str) -> Option<Cow<'_, str>> {
        Some(self.read(self.record().get(name)?, TextRule::Simple))
    }

    /// Returns a value as text with line breaks.
    pub(super) fn lines(&self, name: &str) -> Option<Cow<'_, str>> {
        Some(self.read(self.record().get(name)?, TextRule::Text))
    }

    /// Returns a value with its escapes, of a property or of the one that SGF2 has for it.
    pub(crate) fn raw(&self, name: &str, in_sgf2: &str) -> Option<Cow<'_, str>> {
        let record = self.record();
        let of_sgf2 = || self.context().is_sgf2().then(|| record.get(in_sgf2)).flatten();
        Some(self.read(record.get(name).or_else(of_sgf2)?, TextRule::Raw))
    }

    pub(super) fn is_go(&self) -> bool {
        self.context().game() == Game::Go
    }

    /// Returns `KM`.
    pub(crate) fn komi(&self) -> Option<Komi> {
        Komi::parse_lenient(&*self.raw("KM", "KO")?).ok()
    }

    /// Returns `HA`.
    pub(crate) fn handicap(&self) -> Option<Handicap> {
        Handicap::parse_lenient(&*self.raw("HA", "HD")?).ok()
    }

    /// Returns `RU`.
    pub(crate) fn ruleset(&self) -> Option<Ruleset> {
        Ruleset::parse_lenient_for(&*self.raw("RU", "RU")?, self.context().game()).ok()
    }

    /// Returns a komi in points under the rules of the game.
    pub(super) fn points(&self, komi: Komi) -> Option<f64> {
        match self.ruleset() {
            Some(rules) => komi.points_under(&rules),
            None => komi.points(),
        }
    }

    /// Returns a rank, without the sign that IGS adds to one that rises.
    pub(super) fn rank(&self, name: &str) -> Option<Rank> {
        let raw = self.raw(name, name)?;
        Rank::parse_lenient(&*raw).or_else(|_| Rank::parse_lenient(raw.trim_end().trim_end_matches('+'))).ok()
    }

    /// Returns the year of `DT`.
    pub(super) fn year(&self) -> Option<u16> {
        let dates = Dates::parse_lenient(&*self.raw("DT", "RD")?).ok()?;
        dates.as_slice().last().map(|date| date.year())
    }

    /// Returns the number of stones that `AB` or `AW` sets up.
    pub(super) fn stones(&self, name: &str) -> u64 {
        let Some(property) = self.record().get(name) else { return 0 };
        let board = Grid::of(&self.context());
        property.values().map(|value| board.map_or(1, |board| board.area(value))).sum()
    }

    /// Returns whether a property contains one of some words, in any case of ASCII letters.
    pub(super) fn says(&self, names: &[&str], words: &[&str]) -> bool {
        let has = |text: &str| words.iter().any(|word| contains(text, word));
        names.iter().any(|name| self.text(name).is_some_and(|text| has(&text)))
    }
}

/// Returns whether a text contains a word, in any case of ASCII letters.
pub(super) fn contains(text: &str, word: &str) -> bool {
    let (text, word) = (text.as_bytes(), word.as_bytes());
    let Some(first) = word.first() else { return true };
    let starts = |at: &[u8]| at[0].eq_ignore_ascii_case(first) && at.eq_ignore_ascii_case(word);
    text.windows(word.len()).any(starts)
}

/// Returns whether a text contains a word that no ASCII letter comes before: `oza` is not in `Kozawa`.
pub(super) fn contains_start(text: &str, word: &str) -> bool {
    let is_letter = |at: usize| text.as_bytes()[at].is_ascii_alphabetic();
    let starts = (0..text.len()).filter(|&at| at == 0 || !is_letter(at - 1));
    let same = |at: usize| {
        text.as_bytes().get(at..at + word.len()).is_some_and(|part| part.eq_ignore_ascii_case(word.as_bytes()))
    };
    starts.into_iter().any(same)
}
