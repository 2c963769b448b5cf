//! Sums of games, and of groups of them: who won, and when.

use std::collections::BTreeMap;

use sgf_stream::value::Color;

/// The outcome of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// A win.
    Win(Color),
    /// A draw (jigo).
    Draw,
    /// No result, or an unknown one.
    #[default]
    Unknown,
}

impl Outcome {
    /// Returns the outcome after black and white have been exchanged.
    #[must_use]
    pub fn swapped(self) -> Self {
        match self {
            Outcome::Win(color) => Outcome::Win(color.opponent()),
            Outcome::Draw | Outcome::Unknown => self,
        }
    }
}

/// The facts about a game that it is counted with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameFacts<'g> {
    /// The outcome, in the colors of the game.
    pub outcome: Outcome,
    /// The year.
    pub year: Option<i32>,
    /// The group: its place in the order of groups, and its name.
    ///
    /// Groups are ranks or decades, for example. Games without one are in no group.
    pub group: Option<(i64, &'g str)>,
}

/// The number of games of some kind, who won them, and their years.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sums {
    /// All games.
    pub games: u64,
    /// Wins of Black.
    pub black_wins: u64,
    /// Wins of White.
    pub white_wins: u64,
    /// Draws.
    pub draws: u64,
    /// The first and the last year, of games with a year.
    pub years: Option<(i32, i32)>,
}

impl Sums {
    /// Adds a game.
    pub fn add(&mut self, outcome: Outcome, year: Option<i32>) {
        let mut one = Sums { games: 1, years: year.map(|year| (year, year)), ..Sums::default() };
        match outcome {
            Outcome::Win(Color::Black) => one.black_wins = 1,
            Outcome::Win(Color::White) => one.white_wins = 1,
            Outcome::Draw => one.draws = 1,
            Outcome::Unknown => {}
        }
        self.merge(one);
    }

    /// Adds the sums of other games.
    pub fn merge(&mut self, other: Sums) {
        let Sums { games, black_wins, white_wins, draws, years } = other;
        self.games += games;
        self.black_wins += black_wins;
        self.white_wins += white_wins;
        self.draws += draws;
        self.years = match (self.years, years) {
            (Some((first, last)), Some((other_first, other_last))) => {
                Some((first.min(other_first), last.max(other_last)))
            }
            (one, other) => one.or(other),
        };
    }

    /// Returns the number of games without a known result.
    pub fn unknown(&self) -> u64 {
        self.games - self.black_wins - self.white_wins - self.draws
    }

    /// Returns the share of a color in the games that somebody won.
    ///
    /// `None` if there are none.
    pub fn wins(&self, color: Color) -> Option<Share> {
        let part = if color == Color::Black { self.black_wins } else { self.white_wins };
        Share::of(part, self.black_wins + self.white_wins)
    }
}

/// The sums of games, and of each group of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct GroupedSums {
    pub(crate) all: Sums,
    /// By their places in the order of groups, and by their names.
    groups: BTreeMap<i64, BTreeMap<String, Sums>>,
}

impl GroupedSums {
    pub(crate) fn add(&mut self, facts: &GameFacts<'_>) {
        self.all.add(facts.outcome, facts.year);
        let Some((order, group)) = facts.group else { return };
        let groups = self.groups.entry(order).or_default();
        match groups.get_mut(group) {
            Some(sums) => sums.add(facts.outcome, facts.year),
            None => groups.entry(group.to_owned()).or_default().add(facts.outcome, facts.year),
        }
    }

    pub(crate) fn merge(&mut self, other: GroupedSums) {
        self.all.merge(other.all);
        for (order, groups) in other.groups {
            let of_order = self.groups.entry(order).or_default();
            groups.into_iter().for_each(|(group, sums)| of_order.entry(group).or_default().merge(sums));
        }
    }

    /// Returns the sums of the groups, in their order.
    pub(crate) fn groups(&self) -> Vec<(&str, Sums)> {
        self.groups.values().flatten().map(|(group, sums)| (group.as_str(), *sums)).collect()
    }
}

/// A share of a number of games, with an interval of 95 % confidence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// The share, from 0 to 1.
    pub share: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

/// The standard deviations of 95 %.
const Z: f64 = 1.959_963_984_540_054;

impl Share {
    /// Returns the share with Wilson's interval; `None` if there are no games.
    ///
    /// ```
    /// use sgf_search::Share;
    ///
    /// let wins = Share::of(6, 10).unwrap();
    /// assert_eq!((wins.share, format!("{:.2} {:.2}", wins.low, wins.high).as_str()), (0.6, "0.31 0.83"));
    /// ```
    pub fn of(part: u64, all: u64) -> Option<Share> {
        if all == 0 {
            return None;
        }
        let (n, share) = (all as f64, part as f64 / all as f64);
        let scale = 1.0 + Z * Z / n;
        let center = (share + Z * Z / (2.0 * n)) / scale;
        let half = Z / scale * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
        Some(Share { share, low: (center - half).max(0.0), high: (center + half).min(1.0) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_those_of_wilson() {
        // From Newcombe (1998), method 3: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
        for (part, all, low, high) in
            [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)]
        {
            let share = Share::of(part, all).unwrap();
            assert!((share.low - low).abs() < 5e-5 && (share.high - high).abs() < 5e-5, "{share:?}");
        }
        assert_eq!(Share::of(0, 0), None);
    }

    #[test]
    fn sums_have_results_and_years() {
        let (mut sums, mut others) = (Sums::default(), Sums::default());
        sums.add(Outcome::Win(Color::Black), Some(1990));
        sums.add(Outcome::Win(Color::Black).swapped(), None);
        others.add(Outcome::Draw.swapped(), Some(1846));
        others.add(Outcome::Unknown, Some(2016));
        sums.merge(others);
        assert_eq!((sums.games, sums.black_wins, sums.white_wins, sums.draws, sums.unknown()), (4, 1, 1, 1, 1));
        assert_eq!(sums.years, Some((1846, 2016)));
        assert_eq!(sums.wins(Color::White).map(|wins| wins.share), Some(0.5));
        assert_eq!(Sums::default().wins(Color::Black), None);
    }
}
