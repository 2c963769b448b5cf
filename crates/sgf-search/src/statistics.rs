//! Continuations: what was played next, how often, who won, and when.

mod draw;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use sgf_stream::value::Color;
use sgf_stream::value::go::Point;

pub use self::draw::Drawing;
use crate::hit::Hit;
use crate::sums::{GameFacts, GroupedSums, Sums};

/// Counts the moves that follow a pattern.
///
/// Each hit is counted under its [next move](Hit::next) in the region of the pattern. Colors are those of the pattern: in a
/// game that has it with exchanged colors, Black's wins count for White.
///
/// ```
/// use sgf_search::{Continuations, GameFacts, Outcome, Pattern, Search};
/// use sgf_stream::Parser;
/// use sgf_stream::value::Color;
///
/// let games = b"(;SZ[9];B[gd];W[fb];B[hf])(;SZ[9];B[ai];W[cd];B[db];W[bf])(;SZ[9];B[ee])";
/// let pattern = Pattern::parse("(;SZ[9]AB[gd]AW[fb]VW[da:if])")?; // the upper right corner
/// let mut continuations = Continuations::new();
/// Search::new(pattern.clone()).find(&Parser::new(), games, |game| {
///     let facts = GameFacts { outcome: Outcome::Win(Color::Black), year: Some(1990), group: None };
///     continuations.add(&game.hits()[0], &facts);
/// })?;
/// let most = &continuations.list()[0];
/// assert_eq!((most.next.unwrap().1.to_string().as_str(), most.sums.games), ("hf", 2));
/// // In one of the games, the colors are exchanged.
/// assert_eq!((most.sums.black_wins, most.sums.white_wins), (1, 1));
/// println!("{}\n{}", continuations.drawn_on(&pattern).board(), continuations.drawn_on(&pattern).table());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Continuations {
    all: Count,
    by_next: BTreeMap<Next, Count>,
}

/// A color and a point of the pattern; `None` if no move followed. The first color and row come first.
type Next = Option<(Color, Point)>;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Count {
    sums: GroupedSums,
    elsewhere: u64,
}

/// A move that follows a pattern, and the games in which it does.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Continuation<'c> {
    /// The color and the point of the pattern; `None` if no move follows.
    pub next: Option<(Color, Point)>,
    /// The letter of the point, in the order of the list.
    ///
    /// `None` for points after the first 48, and if no move follows.
    pub letter: Option<char>,
    /// The games.
    pub sums: Sums,
    /// The share of the games in all hits, from 0 to 1.
    pub share: f64,
    /// The number of games in which moves elsewhere came first.
    pub elsewhere: u64,
    /// The games of each group that has this continuation, in the order of groups.
    pub groups: Vec<(&'c str, Sums)>,
}

impl Count {
    fn add(&mut self, hit: &Hit, facts: &GameFacts<'_>) {
        let outcome = if hit.is_swapped() { facts.outcome.swapped() } else { facts.outcome };
        self.sums.add(&GameFacts { outcome, ..*facts });
        self.elsewhere += u64::from(hit.next().is_some_and(|next| next.elsewhere > 0));
    }

    fn merge(&mut self, other: Count) {
        self.sums.merge(other.sums);
        self.elsewhere += other.elsewhere;
    }
}

/// The letters of points. Those that are signs of diagrams are missing.
const LETTERS: &str = "ABCDEFGHIJKLMNPQRSTUVWYZabcdefghijklmnpqrstuvwyz";

impl Continuations {
    /// Creates empty counts.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a hit of a game.
    pub fn add(&mut self, hit: &Hit, facts: &GameFacts<'_>) {
        self.all.add(hit, facts);
        let next = hit.next().map(|next| (next.color, next.point));
        self.by_next.entry(next).or_default().add(hit, facts);
    }

    /// Adds counts of other hits, such as those of another thread.
    pub fn merge(&mut self, other: Continuations) {
        self.all.merge(other.all);
        for (next, count) in other.by_next {
            self.by_next.entry(next).or_default().merge(count);
        }
    }

    /// Returns the sums of all hits.
    pub fn sums(&self) -> Sums {
        self.all.sums.all
    }

    /// Returns the sums of the hits of each group, in the order of groups.
    pub fn groups(&self) -> Vec<(&str, Sums)> {
        self.all.sums.groups()
    }

    /// Returns the continuations, those with most games first.
    ///
    /// The games in which no move follows come last.
    pub fn list(&self) -> Vec<Continuation<'_>> {
        let all = self.all.sums.all.games.max(1) as f64;
        let mut list: Vec<_> = self
            .by_next
            .iter()
            .map(|(&next, count)| Continuation {
                next,
                letter: None,
                sums: count.sums.all,
                share: count.sums.all.games as f64 / all,
                elsewhere: count.elsewhere,
                groups: count.sums.groups(),
            })
            .collect();
        list.sort_by_key(|row| (row.next.is_none(), Reverse(row.sums.games)));
        let mut letters = BTreeMap::new();
        let mut free = LETTERS.chars();
        for row in &mut list {
            let Some((_, point)) = row.next else { continue };
            row.letter = match letters.get(&point) {
                Some(letter) => Some(*letter),
                None => free.next().inspect(|letter| _ = letters.insert(point, *letter)),
            };
        }
        list
    }
}
