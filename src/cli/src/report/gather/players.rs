//! Players: games, years, and results against each other.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use sgf_stream::value::Color;

use super::top::{Sum, Top};
use crate::report::facts::Facts;

/// Maximum number of players, and of pairs of players.
const MAX_PLAYERS: usize = 20_000;
const MAX_PAIRS: usize = 50_000;

/// Maximum length of a name in bytes.
const LONGEST: usize = 200;

/// Names that stand for no person.
const NOBODY: [&str; 17] = [
    "black",
    "white",
    "b",
    "w",
    "player 1",
    "player 2",
    "unknown",
    "?",
    "??",
    "-",
    "--",
    "noname",
    "no name",
    "none",
    "anonymous",
    "n/a",
    "黑方",
];

#[derive(Debug, Default)]
pub(in crate::report) struct Player {
    pub(in crate::report) games: u64,
    pub(in crate::report) wins: u64,
    pub(in crate::report) losses: u64,
    pub(in crate::report) years: BTreeMap<i32, u64>,
}

impl Sum for Player {
    fn add(&mut self, later: Self) {
        self.games += later.games;
        self.wins += later.wins;
        self.losses += later.losses;
        later.years.into_iter().for_each(|(year, games)| *self.years.entry(year).or_default() += games);
    }

    fn weight(&self) -> u64 {
        self.games
    }
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
    if name.len() > LONGEST || NOBODY.contains(&&*name.to_lowercase()) { None } else { Some(name) }
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
                true => self.pairs.add((black, white), [1, wins.0, wins.1]),
                false => self.pairs.add((white, black), [1, wins.1, wins.0]),
            }
        }
        for (name, color) in [(black, Color::Black), (white, Color::White)] {
            let Some(name) = name else { continue };
            let wins = u64::from(facts.winner == Some(color));
            let losses = u64::from(facts.winner.is_some_and(|winner| winner != color));
            match self.all.get_mut(&name) {
                Some(player) => {
                    player.games += 1;
                    player.wins += wins;
                    player.losses += losses;
                    if let Some(year) = facts.year {
                        *player.years.entry(year).or_default() += 1;
                    }
                }
                None => {
                    let years = facts.year.map(|year| (year, 1)).into_iter().collect();
                    self.all.add(name, Player { games: 1, wins, losses, years });
                }
            }
        }
    }

    pub(in crate::report) fn merge(&mut self, later: Players) {
        self.all.merge(later.all);
        self.pairs.merge(later.pairs);
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
}

/// Groups of names that are probably one person's: equal but for the order of words, case, punctuation and ranks; of names
/// with digits, but for case, blanks and ranks. The groups with most games come first, and in each the name with most.
pub(in crate::report) fn same_person<'n>(names: impl Iterator<Item = (&'n str, u64)>) -> Vec<Vec<(&'n str, u64)>> {
    let mut groups: BTreeMap<String, Vec<(&str, u64)>> = BTreeMap::new();
    for (name, games) in names {
        if let Some(key) = person(name) {
            groups.entry(key).or_default().push((name, games));
        }
    }
    let mut groups: Vec<_> = groups.into_values().filter(|group| group.len() > 1).collect();
    for group in &mut groups {
        group.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(other.0)));
    }
    let games = |group: &[(&str, u64)]| group.iter().map(|(_, games)| games).sum::<u64>();
    groups.sort_by(|one, other| games(other).cmp(&games(one)).then_with(|| one[0].0.cmp(other[0].0)));
    groups
}

/// The part of a name that all its spellings share; `None` if too little is left.
fn person(name: &str) -> Option<String> {
    let lower = name.to_lowercase();
    let is_blank = |char: char| char.is_whitespace() || matches!(char, ',' | '.' | '(' | ')' | '[' | ']' | '_');
    let all = lower.split(is_blank).map(|word| (word, word.chars().filter(|char| char.is_alphanumeric()).collect()));
    let mut words: Vec<(&str, String)> =
        all.filter(|(_, word): &(_, String)| !word.is_empty() && !is_rank(word)).collect();
    // Names with digits are those of programs and accounts. `GNU Go 3.3.5` is not `GNU Go 3.5.3`.
    let key = if words.iter().any(|(_, word)| word.contains(char::is_numeric)) {
        program(&lower)
    } else {
        words.sort_by(|one, other| one.1.cmp(&other.1));
        words.into_iter().map(|(_, word)| word).collect()
    };
    (key.chars().count() >= 2).then_some(key)
}

/// A name of a program or an account without its blanks and ranks. Its words keep their order, and what is between two
/// digits stays.
fn program(name: &str) -> String {
    let words = name.split(|char: char| char.is_whitespace() || matches!(char, ',' | '(' | ')' | '[' | ']'));
    let mut key = String::new();
    for word in words.filter(|word| !word.is_empty() && !is_rank(word)) {
        // Between numbers a blank counts: `Bot 1 10` is not `Bot 11 0`.
        if key.ends_with(char::is_numeric) && word.starts_with(char::is_numeric) {
            key.push(' ');
        }
        key += word;
    }
    key
}

/// `9p`, `9dan`, `dan`, `九段`
fn is_rank(word: &str) -> bool {
    let rest = word.trim_start_matches(|char: char| char.is_ascii_digit());
    match rest.len() < word.len() {
        true => matches!(rest, "p" | "d" | "k" | "dan" | "kyu" | "段" | "단"),
        false => {
            matches!(word, "dan" | "kyu" | "meijin" | "honinbo") || word.ends_with('段') && word.chars().count() == 2
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_a_name_are_found() {
        let names = [
            "Cho Chikun",
            "Chikun Cho 9p",
            "CHO CHIKUN",
            "Lee Sedol",
            "Lee Se-dol",
            "趙治勲 九段",
            "趙治勲",
            "Go Seigen",
        ];
        assert_eq!(
            groups(&names),
            [
                vec!["趙治勲", "趙治勲 九段"],
                vec!["Lee Se-dol", "Lee Sedol"],
                vec!["CHO CHIKUN", "Chikun Cho 9p", "Cho Chikun"]
            ]
        );
    }

    #[test]
    fn names_with_other_numbers_are_other_players() {
        let names = [
            "GnuGo 3.5.3",
            "GNU Go 3.3.5",
            "GNU Go 3.5.3",
            "GNU Go 3.53",
            "GNU Go 35.3",
            "Zen19S",
            "Zen91S",
            "bot 1 10",
            "bot 11 0",
            "bot 110",
            "Fuego",
            "Fuego 1.1",
            "cp63-v1024__victim",
            "victim__cp63-v1024",
            "Lee Sedol 9p",
            "Sedol Lee (3d)",
            "ai6",
            "ai 6",
        ];
        assert_eq!(
            groups(&names),
            [vec!["ai 6", "ai6"], vec!["Sedol Lee (3d)", "Lee Sedol 9p"], vec!["GNU Go 3.5.3", "GnuGo 3.5.3"]]
        );
    }

    /// The groups, where later names have more games.
    fn groups<'n>(names: &[&'n str]) -> Vec<Vec<&'n str>> {
        let groups = same_person(names.iter().copied().zip(1..));
        groups.iter().map(|group| group.iter().map(|(name, _)| *name).collect()).collect()
    }
}
