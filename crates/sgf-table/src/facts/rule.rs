//! Rules: what they give, and the table of all of them.

use std::fmt;

use sgf_stream::value::{Color, Overtime, Seconds};

use super::words::{Origin, PlayerGrade, RulesFamily, TimeClass};
use super::{Facts, rules};

/// A fact about a game that rules give.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Fact {
    /// The server or collection that the game is from.
    Origin,
    /// Whether the game counted for a rating.
    Rated,
    /// Whether a player is a program.
    Bot,
    /// The rank of a player, as a number.
    Rank,
    /// The grade of a player.
    Grade,
    /// The komi that the game was played with, in points.
    Komi,
    /// The number of handicap stones that were given.
    Handicap,
    /// The family of the rules.
    RulesFamily,
    /// The main time.
    MainTime,
    /// The overtime.
    Overtime,
    /// The kind of the time control.
    TimeClass,
}

impl Fact {
    /// Returns all facts, in the order of the table.
    pub fn all() -> impl ExactSizeIterator<Item = Fact> {
        use Fact as F;
        let all = [
            F::Origin,
            F::Rated,
            F::Bot,
            F::Rank,
            F::Grade,
            F::Komi,
            F::Handicap,
            F::RulesFamily,
            F::MainTime,
            F::Overtime,
            F::TimeClass,
        ];
        all.into_iter()
    }

    /// Returns the columns of the table `games` that show it. Those of the two players are in the order of the colors.
    pub const fn columns(self) -> &'static [&'static str] {
        match self {
            Fact::Origin => &["origin"],
            Fact::Rated => &["rated"],
            Fact::Bot => &["black_is_bot", "white_is_bot"],
            Fact::Rank => &["black_rank_n", "white_rank_n"],
            Fact::Grade => &["black_grade", "white_grade"],
            Fact::Komi => &["komi_points"],
            Fact::Handicap => &["handicap_real"],
            Fact::RulesFamily => &["rules_family"],
            Fact::MainTime => &["main_time"],
            Fact::Overtime => &["overtime", "overtime_count", "overtime_seconds"],
            Fact::TimeClass => &["time_class"],
        }
    }

    /// Returns whether each player has one.
    pub(super) const fn is_of_player(self) -> bool {
        matches!(self, Fact::Bot | Fact::Rank | Fact::Grade)
    }

    /// Returns the rules that give it. The first one that knows decides.
    pub(super) const fn rules(self) -> &'static [FactRule] {
        match self {
            Fact::Origin => rules::ORIGIN,
            Fact::Rated => rules::RATED,
            Fact::Bot => rules::BOT,
            Fact::Rank => rules::RANK,
            Fact::Grade => rules::GRADE,
            Fact::Komi => rules::KOMI,
            Fact::Handicap => rules::HANDICAP,
            Fact::RulesFamily => rules::FAMILY,
            Fact::MainTime => rules::MAIN_TIME,
            Fact::Overtime => rules::OVERTIME,
            Fact::TimeClass => rules::CLASS,
        }
    }

    /// Returns the root properties that its rules look at, some of them several times.
    pub(crate) fn reads(self) -> Vec<&'static str> {
        let mut facts = vec![self];
        let mut properties = Vec::new();
        let mut next = 0;
        while let Some(fact) = facts.get(next).copied() {
            for rule in fact.rules() {
                properties.extend(rule.reads);
                facts.extend(rule.uses.iter().filter(|used| !facts.contains(used)).copied().collect::<Vec<_>>());
            }
            next += 1;
        }
        properties
    }
}

/// A rule that determines a fact.
///
/// ```
/// use sgf_table::facts::{Fact, FactRule};
///
/// let rule = FactRule::all().find(|rule| rule.name() == "fox-komi-0").unwrap();
/// assert_eq!(rule.fact(), Fact::Komi);
/// assert_eq!(rule.reads(), ["KM", "HA", "RU"]);
/// assert_eq!(rule.meaning(), "Fox writes 0 for the komi of its even games under Japanese rules: it is 6.5.");
/// ```
pub struct FactRule {
    pub(super) name: &'static str,
    pub(super) fact: Fact,
    pub(super) reads: &'static [&'static str],
    /// The other facts that it needs.
    pub(super) uses: &'static [Fact],
    /// The lists of words that it looks for, if they are more than its meaning says.
    pub(super) words: &'static [&'static [&'static str]],
    pub(super) meaning: &'static str,
    pub(super) basis: &'static str,
    pub(super) example: [&'static str; 2],
    pub(super) give: fn(&Facts<'_>, Color) -> Option<Value>,
}

impl FactRule {
    /// Returns all rules, in the order in which they are tried.
    pub fn all() -> impl Iterator<Item = &'static FactRule> {
        Fact::all().flat_map(Fact::rules)
    }

    /// Returns the name.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the fact that it gives.
    pub const fn fact(&self) -> Fact {
        self.fact
    }

    /// Returns the root properties that it looks at.
    pub const fn reads(&self) -> &'static [&'static str] {
        self.reads
    }

    /// Returns the other facts that it needs.
    pub const fn uses(&self) -> &'static [Fact] {
        self.uses
    }

    /// Returns the words or names that it looks for.
    ///
    /// There are none if its meaning says them.
    pub fn words(&self) -> impl Iterator<Item = &'static str> {
        self.words.iter().copied().flatten().copied()
    }

    /// Returns its meaning, as a sentence.
    pub const fn meaning(&self) -> &'static str {
        self.meaning
    }

    /// Returns where it is known from.
    pub const fn basis(&self) -> &'static str {
        self.basis
    }

    /// Returns an example: a game, and the value in the first column of the fact.
    pub const fn example(&self) -> (&'static str, &'static str) {
        (self.example[0], self.example[1])
    }
}

impl fmt::Debug for FactRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FactRule").field("name", &self.name).field("fact", &self.fact).finish_non_exhaustive()
    }
}

/// Two rules are equal if they have the same name.
impl PartialEq for FactRule {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for FactRule {}

/// The value that a rule gives.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Origin(Origin),
    Is(bool),
    Points(f64),
    Number(i64),
    Grade(PlayerGrade),
    Family(RulesFamily),
    Seconds(Seconds),
    Overtime(Overtime),
    Class(TimeClass),
}

/// Defines the rules of a fact.
///
/// `name [properties] + other facts { lists of words }, meaning, basis, game => value in the first column, rule`
macro_rules! fact_rules {
    ($(#[$doc:meta])* $list:ident: $fact:ident; $(
        $name:literal [$($read:literal)*] $(+ $($used:ident)+)? $({ $($words:ident)+ })?, $meaning:literal, $basis:expr,
        $game:literal => $value:literal, $give:expr;
    )+) => {
        $(#[$doc])*
        pub(in crate::facts) const $list: &[FactRule] = &[ $( FactRule {
            name: $name,
            fact: Fact::$fact,
            reads: &[$($read),*],
            uses: &[$( $(Fact::$used),+ )?],
            words: &[$( $($words),+ )?],
            meaning: $meaning,
            basis: $basis,
            example: [$game, $value],
            give: $give,
        }, )+ ];
    };
}
pub(super) use fact_rules;
