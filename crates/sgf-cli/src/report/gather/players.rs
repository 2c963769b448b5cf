//! Players: games, years, and results against each other.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

use sgf_stream::value::Color;

use super::sum::{Sum, add_fields};
use super::top::{Top, Weighted};
use crate::people;
use crate::report::facts::Facts;

/// Maximum number of players, and of pairs of players.
const MAX_PLAYERS: usize = 20_000;
const MAX_PAIRS: usize = 50_000;

/// Maximum length of a name in bytes.
const LONGEST: usize = 200;

#[derive(Debug, Default)]
pub(in crate::report) struct Player {
    pub(in crate::report) games: u64,
    pub(in crate::report) wins: u64,
    pub(in crate::report) losses: u64,
    pub(in crate::report) years: BTreeMap<i32, u64>,
}

impl Weighted for Player {
    fn weight(&self) -> u64 {
        self.games
    }
}

add_fields! {
    Player { games, wins, losses, years }
    Players { all, pairs }
}

/// Sums over players, of all games.
#[derive(Debug)]
pub(in crate::report) struct Players {
    pub(in crate::report) all: Top<String, Player>,
    /// By the hashes of two names, the lesser first: games, wins of the first, wins of the second.
    pairs: Top<(u64, u64), [u64; 3]>,
}

impl Default for Players {
    fn default() -> Self {
        Players { all: Top::new(MAX_PLAYERS), pairs: Top::new(MAX_PAIRS) }
    }
}

fn hash(name: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    hasher.finish()
}

/// The name of a player, without blanks that say nothing. `None` if it is nobody's.
fn name_of(name: &Option<String>) -> Option<String> {
    let name = name.as_ref()?.split_whitespace().collect::<Vec<_>>().join(" ");
    if name.len() > LONGEST || people::is_nobody(&name) { None } else { Some(name) }
}

impl Players {
    pub(in crate::report) fn game(&mut self, facts: &Facts) {
        let [black, white] = [name_of(&facts.players[0]), name_of(&facts.players[1])];
        if let (Some(black), Some(white)) = (&black, &white)
            && black != white
        {
            let (black, white) = (hash(black), hash(white));
            let won = |color| u64::from(facts.winner == Some(color));
            let wins = (won(Color::Black), won(Color::White));
            match black < white {
                true => self.pairs.count((black, white), [1, wins.0, wins.1]),
                false => self.pairs.count((white, black), [1, wins.1, wins.0]),
            }
        }
        for (name, color) in [(black, Color::Black), (white, Color::White)] {
            let Some(name) = name else { continue };
            let wins = u64::from(facts.winner == Some(color));
            let losses = u64::from(facts.winner.is_some_and(|winner| winner != color));
            self.all.count(name, Player { games: 1, wins, losses, years: facts.years() });
        }
    }

    /// Games, wins and losses of one player against another.
    pub(in crate::report) fn between(&self, one: &str, other: &str) -> [u64; 3] {
        let (one, other) = (hash(one), hash(other));
        match one < other {
            true => self.pairs.get(&(one, other)).copied().unwrap_or_default(),
            false => {
                let [games, losses, wins] = self.pairs.get(&(other, one)).copied().unwrap_or_default();
                [games, wins, losses]
            }
        }
    }

    /// A sentence that says what is missing.
    pub(in crate::report) fn limit(&self) -> Option<String> {
        self.all.limit("names of players").or_else(|| self.pairs.limit("pairs of players"))
    }

    /// Groups of names that are probably one person's, as `sgf names` joins spellings: most games first.
    pub(in crate::report) fn of_one_person(&self) -> Vec<Vec<(String, u64)>> {
        let names: Vec<_> = self.all.sorted().into_iter().map(|(name, player)| (name.clone(), player.games)).collect();
        let numbers: HashMap<u64, u32> = (0..).zip(&names).map(|(n, (name, _))| (hash(name), n)).collect();
        let pairs = self.pairs.sorted().into_iter().map(|(pair, _)| *pair);
        let met: Vec<_> = pairs.filter_map(|(one, other)| Some([*numbers.get(&one)?, *numbers.get(&other)?])).collect();
        people::of_one_person(names, met.into_iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_one_person_are_those_of_sgf_names() {
        let mut players = Players::default();
        let name = |name: &str| Some(name.to_owned());
        for [black, white] in
            [["AlphaGo", "Lee Sedol"], ["Alphago", "Sedol Lee 9p"], ["Ke Jie", "KE JIE"], ["Black", "?"]]
        {
            players.game(&Facts { players: [name(black), name(white)], ..Facts::default() });
        }
        let groups = players.of_one_person();
        let names = |group: &Vec<(String, u64)>| group.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        assert_eq!(
            groups.iter().map(names).collect::<Vec<_>>(),
            [["AlphaGo", "Alphago"], ["Lee Sedol", "Sedol Lee 9p"]]
        );
        assert_eq!(players.all.len(), 6);
    }
}
