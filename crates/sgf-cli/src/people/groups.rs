//! Groups of names that are probably one person.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::mem;

use super::games::{Game, Players};
use super::relays::{self, Link};
use super::spelling::{self, Folded};

/// Number of games from which on a name is too common to be a misspelling.
const MAX_MISSPELLED: u64 = 3;

/// Maximum number of names with the same letters but for one. More of them prove nothing.
const MAX_ALIKE: usize = 20;

/// Maximum number of pairs of players of one game. More of them have played it each for themselves.
const MAX_VERSIONS: usize = 20;

/// Maximum number of pairs of names that are compared for two groups.
const MAX_COMPARED: usize = 100;

/// Why two names are one person, strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Evidence {
    Spelling,
    WordOrder,
    WordBreaks,
    /// How many games have copies with both names.
    SameGames(u64),
    OneLetter,
}

impl Evidence {
    /// Returns how many games have copies with both names, if they are the evidence.
    pub(super) fn copies(self) -> Option<u64> {
        match self {
            Evidence::SameGames(copies) => Some(copies),
            _ => None,
        }
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Evidence::Spelling => "spelling",
            Evidence::WordOrder => "word order",
            Evidence::WordBreaks => "word breaks",
            Evidence::SameGames(_) => "same games",
            Evidence::OneLetter => "one letter",
        })
    }
}

/// A person: the name that stands for the others first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Person {
    /// The names, each with the evidence that joins it to another one, and that name. Names with more games come first; of
    /// names with equally many games, those without the mark of a server.
    pub(super) names: Vec<(u32, Option<(Evidence, u32)>)>,
    /// Number of games of all names.
    pub(super) games: u64,
}

/// All people, most games first.
#[derive(Debug, Default)]
pub(super) struct Groups {
    pub(super) people: Vec<Person>,
}

impl Groups {
    pub(super) fn of(players: &Players) -> Groups {
        let folded: Vec<Folded> = players.names.iter().map(|(name, _)| Folded::of(name)).collect();
        let mut joining = Joining::new(players, &folded);
        joining.join_spellings();
        joining.join_players_of_copies();
        joining.join_misspelled();
        Groups { people: joining.people() }
    }

    /// Joins only names whose forms are equal. It needs no lines of games.
    pub(super) fn of_spellings(players: &Players) -> Groups {
        let folded: Vec<Folded> = players.names.iter().map(|(name, _)| Folded::of(name)).collect();
        let mut joining = Joining::new(players, &folded);
        joining.join_spellings();
        Groups { people: joining.people() }
    }

    /// Returns the number of names that have another spelling, and the number of people that they are.
    pub(super) fn counts(&self) -> (usize, usize) {
        let several = self.people.iter().filter(|person| person.names.len() > 1);
        several.fold((0, 0), |(names, people), person| (names + person.names.len(), people + 1))
    }
}

/// The names, which become groups.
struct Joining<'p> {
    players: &'p Players,
    folded: &'p [Folded],
    /// For each name, another one of its group; for one of them, itself.
    up: Vec<u32>,
    /// For the name that is its own: all names of the group.
    members: Vec<Vec<u32>>,
    /// Pairs of names that played a game, the smaller index first.
    met: HashSet<(u32, u32)>,
    edges: Vec<(u32, u32, Evidence)>,
}

impl<'p> Joining<'p> {
    fn new(players: &'p Players, folded: &'p [Folded]) -> Self {
        let count = folded.len() as u32;
        let pair = |game: &Game| ordered(game.players[0], game.players[1]);
        Joining {
            players,
            folded,
            up: (0..count).collect(),
            members: (0..count).map(|name| vec![name]).collect(),
            met: players.games.iter().map(pair).collect(),
            edges: Vec::new(),
        }
    }

    fn group(&mut self, name: u32) -> u32 {
        let mut top = name;
        while self.up[top as usize] != top {
            top = self.up[top as usize];
        }
        let mut at = name;
        while at != top {
            at = mem::replace(&mut self.up[at as usize], top);
        }
        top
    }

    fn is_person(&self, name: u32) -> bool {
        self.folded[name as usize].is_person()
    }

    /// Joins the groups of two names, unless these have met, or one of them is nobody.
    fn join(&mut self, one: u32, other: u32, evidence: Evidence) {
        let (to, from) = (self.group(one), self.group(other));
        if to == from || !self.is_person(one) || !self.is_person(other) {
            return;
        }
        let (of_to, of_from) = (&self.members[to as usize], &self.members[from as usize]);
        if of_to.iter().any(|a| of_from.iter().any(|b| self.met.contains(&ordered(*a, *b)))) {
            return;
        }
        self.edges.push((one, other, evidence));
        self.up[from as usize] = to;
        let moved = mem::take(&mut self.members[from as usize]);
        self.members[to as usize].extend(moved);
    }

    fn join_spellings(&mut self) {
        self.join_equal(|name| Some(name.text()), Evidence::Spelling);
        self.join_equal(Folded::sorted, Evidence::WordOrder);
        self.join_equal(Folded::joined, Evidence::WordBreaks);
    }

    /// Joins names whose forms are equal.
    fn join_equal(&mut self, form: impl Fn(&Folded) -> Option<String>, evidence: Evidence) {
        let mut first: HashMap<String, u32> = HashMap::new();
        for name in 0..self.folded.len() as u32 {
            if let Some(form) = form(&self.folded[name as usize]) {
                let first = *first.entry(form).or_insert(name);
                self.join(first, name, evidence);
            }
        }
    }

    /// Joins names that copies of games have for one player, until no more are found: names that were joined may be the
    /// common opponent of others.
    fn join_players_of_copies(&mut self) {
        let mut copies: HashMap<u64, Vec<[u32; 2]>> = HashMap::new();
        for game in &self.players.games {
            if let Some(line) = game.line {
                copies.entry(line).or_default().push(game.players);
            }
        }
        let copies: Vec<Vec<[u32; 2]>> = copies.into_values().filter(|copies| copies.len() > 1).collect();
        loop {
            let before = self.edges.len();
            let links = self.links(&copies);
            for link in relays::without(links, |one, other| self.are_different(one, other)) {
                self.join(link.names[0], link.names[1], Evidence::SameGames(link.copies));
            }
            if self.edges.len() == before {
                break;
            }
        }
    }

    /// Returns what copies say about pairs of groups.
    fn links(&mut self, copies: &[Vec<[u32; 2]>]) -> Vec<Link> {
        let mut links: HashMap<(u32, u32), Link> = HashMap::new();
        for games in copies {
            // The players of this game, each with a name.
            let mut versions: Vec<[(u32, u32); 2]> =
                games.iter().map(|players| players.map(|name| (self.group(name), name))).collect();
            versions.sort_unstable();
            versions.dedup_by_key(|players| players.map(|(group, _)| group));
            if versions.len() > MAX_VERSIONS {
                continue;
            }
            let mut pairs = Vec::new();
            for (n, [black, white]) in versions.iter().enumerate() {
                for [other_black, other_white] in &versions[n + 1..] {
                    let is_exchanged = black.0 == other_white.0 || white.0 == other_black.0;
                    match (black.0 == other_black.0, white.0 == other_white.0) {
                        _ if is_exchanged => {}
                        (true, _) => pairs.push((*white, *other_white, true)),
                        (_, true) => pairs.push((*black, *other_black, true)),
                        _ => pairs.extend([(*black, *other_black, false), (*white, *other_white, false)]),
                    }
                }
            }
            // Copies of one game are one.
            pairs.sort_unstable_by_key(|(one, other, has_opponent)| (ordered(one.0, other.0), !has_opponent));
            pairs.dedup_by_key(|(one, other, _)| ordered(one.0, other.0));
            for (one, other, has_opponent) in pairs {
                let link = links.entry(ordered(one.0, other.0)).or_insert(Link {
                    groups: [one.0, other.0],
                    names: [one.1, other.1],
                    copies: 0,
                    has_opponent: false,
                });
                link.copies += 1;
                link.has_opponent |= has_opponent;
            }
        }
        links.into_values().collect()
    }

    /// Returns whether two groups are known to be two people: they have met, or their letters are of one script and differ.
    fn are_different(&self, one: u32, other: u32) -> bool {
        let (ones, others) = (&self.members[one as usize], &self.members[other as usize]);
        let all = || ones.iter().flat_map(|a| others.iter().map(move |b| (*a, *b)));
        let folded = |name: u32| &self.folded[name as usize];
        let mut alike = all().take(MAX_COMPARED).filter_map(|(a, b)| folded(a).is_like(folded(b))).peekable();
        all().any(|(a, b)| self.met.contains(&ordered(a, b))) || alike.peek().is_some() && !alike.any(|is_like| is_like)
    }

    /// Joins rare names with those that differ in one letter, if they have a common opponent.
    fn join_misspelled(&mut self) {
        let mut opponents: Vec<HashSet<u32>> = vec![HashSet::new(); self.folded.len()];
        for game in &self.players.games {
            let [black, white] = game.players;
            let groups = [self.group(black), self.group(white)];
            opponents[groups[0] as usize].insert(groups[1]);
            opponents[groups[1] as usize].insert(groups[0]);
        }
        let mut alike: HashMap<String, Vec<u32>> = HashMap::new();
        for (name, folded) in self.folded.iter().enumerate() {
            for form in folded.with_one_letter_less() {
                alike.entry(form).or_default().push(name as u32);
            }
        }
        let few = alike.into_values().filter(|names| (2..=MAX_ALIKE).contains(&names.len()));
        let mut pairs: Vec<(u32, u32)> = few
            .flat_map(|names| {
                let pair = |n: usize| names[n + 1..].iter().map(|other| ordered(names[n], *other)).collect::<Vec<_>>();
                (0..names.len()).flat_map(pair).collect::<Vec<_>>()
            })
            .collect();
        pairs.sort_unstable();
        pairs.dedup();
        let games = |name: u32| self.players.names[name as usize].1;
        pairs.retain(|&(one, other)| games(one).min(games(other)) <= MAX_MISSPELLED);
        for (one, other) in pairs {
            let [of_one, of_other] = [one, other].map(|name| self.group(name) as usize);
            let [digits, other_digits] = [one, other].map(|name| self.folded[name as usize].digits());
            if digits == other_digits && !opponents[of_one].is_disjoint(&opponents[of_other]) {
                self.join(one, other, Evidence::OneLetter);
            }
        }
    }

    fn people(mut self) -> Vec<Person> {
        let mut near: HashMap<u32, Vec<(u32, Evidence)>> = HashMap::new();
        for &(one, other, evidence) in &self.edges {
            near.entry(one).or_default().push((other, evidence));
            near.entry(other).or_default().push((one, evidence));
        }
        let names = &self.players.names;
        let rank = |name: &u32| {
            let (name, games) = &names[*name as usize];
            (Reverse(*games), spelling::is_marked(name), name)
        };
        let mut people = Vec::new();
        for mut members in mem::take(&mut self.members).into_iter().filter(|members| !members.is_empty()) {
            members.sort_by_key(rank);
            // From the name that stands for the others, along the evidence.
            let mut evidence: HashMap<u32, (Evidence, u32)> = HashMap::new();
            let (mut next, mut seen) = (vec![members[0]], HashSet::from([members[0]]));
            while let Some(name) = next.pop() {
                for (other, why) in near.get(&name).into_iter().flatten() {
                    if seen.insert(*other) {
                        evidence.insert(*other, (*why, name));
                        next.push(*other);
                    }
                }
            }
            let games = members.iter().map(|name| names[*name as usize].1).sum();
            let names = members.into_iter().map(|name| (name, evidence.get(&name).copied())).collect();
            people.push(Person { names, games });
        }
        people.sort_by(|a, b| b.games.cmp(&a.games).then_with(|| rank(&a.names[0].0).cmp(&rank(&b.names[0].0))));
        people
    }
}

fn ordered(one: u32, other: u32) -> (u32, u32) {
    (one.min(other), one.max(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The groups of some games: the names of each, with the first letter of the evidence.
    fn groups(games: &[(&str, &str, Option<u64>)]) -> Vec<String> {
        let mut players = Players::default();
        games.iter().for_each(|(black, white, line)| players.add([*black, *white], *line));
        let groups = Groups::of(&players);
        let several = groups.people.iter().filter(|person| person.names.len() > 1);
        let name = |(name, evidence): &(u32, Option<(Evidence, u32)>)| {
            let evidence = evidence.map_or(String::new(), |(evidence, _)| format!(" ({evidence})"));
            format!("{}{evidence}", players.names[*name as usize].0)
        };
        several.map(|person| person.names.iter().map(name).collect::<Vec<_>>().join(", ")).collect()
    }

    #[test]
    fn names_with_the_same_letters_are_one_person() {
        let games = [
            ("Lee Sedol", "Gu Li", None),
            ("LEE Se-dol 9p", "Gu Li", None),
            ("Sedol Lee", "Gu Li", None),
            ("Lee Sedol", "Ke Jie", None),
            ("LeeSedol", "KE JIE", None),
        ];
        let expected = [
            "Lee Sedol, LEE Se-dol 9p (spelling), LeeSedol (word breaks), Sedol Lee (word order)",
            "KE JIE, Ke Jie (spelling)",
        ];
        assert_eq!(groups(&games), expected);
    }

    #[test]
    fn players_who_met_are_never_one_person_and_generic_names_are_nobody() {
        assert!(groups(&[("Lee Sedol", "Sedol Lee", None)]).is_empty());
        assert!(groups(&[("Black", "White", None), ("BLACK", "white", None)]).is_empty());
        // Not even with a third name between them.
        let games = [("Lee Sedol", "Sedol Lee", None), ("LEE SEDOL", "Gu Li", None)];
        assert_eq!(groups(&games), ["LEE SEDOL, Lee Sedol (spelling)"]);
    }

    #[test]
    fn copies_of_games_join_names_in_other_scripts() {
        // One copy, if the opponent is the same.
        let games = [("Lee Sedol", "Gu Li", Some(1)), ("이세돌", "GU LI", Some(1))];
        assert_eq!(groups(&games), ["GU LI, Gu Li (spelling)", "Lee Sedol, 이세돌 (same games)"]);
        // Otherwise two.
        let once = [("Lee Sedol", "Gu Li", Some(1)), ("이세돌", "古力", Some(1))];
        assert!(groups(&once).is_empty());
        let twice = [once[0], once[1], ("Lee Sedol", "Gu Li", Some(2)), ("이세돌", "古力", Some(2))];
        assert_eq!(groups(&twice), ["Gu Li, 古力 (same games)", "Lee Sedol, 이세돌 (same games)"]);
        // Copies of one game are one.
        assert!(groups(&[once[0], once[1], once[1]]).is_empty());
        // In one of them the colors are exchanged.
        assert!(groups(&[("Lee Sedol", "Gu Li", Some(1)), ("Gu Li", "이세돌", Some(1))]).is_empty());
    }

    #[test]
    fn a_letter_may_be_wrong_in_a_rare_name_with_a_common_opponent() {
        let typo = ("Takemiya Masski", "Cho Chikun", None);
        let right = [("Takemiya Masaki", "Cho Chikun", None); 5];
        assert_eq!(groups(&[&right[..], &[typo]].concat()), ["Takemiya Masaki, Takemiya Masski (one letter)"]);
        assert!(groups(&[&right[..], &[("Takemiya Masski", "Gu Li", None)]].concat()).is_empty());
        assert!(groups(&[&right[..], &[typo; 4]].concat()).is_empty(), "not rare");
        assert!(groups(&[("GNU Go 3.1", "Gu Li", None), ("GNU Go 3.2", "Gu Li", None)]).is_empty(), "versions");
    }

    #[test]
    fn a_name_without_a_mark_stands_for_those_with_one_and_as_many_games() {
        let (marked, plain) = (("[p]Kim", "X", None), ("kim", "Y", None));
        assert_eq!(groups(&[marked, plain]), ["kim, [p]Kim (spelling)"]);
        assert_eq!(groups(&[marked, marked, plain]), ["[p]Kim, kim (spelling)"], "most games first");
    }

    #[test]
    fn the_person_with_the_most_games_comes_first() {
        let games = [
            ("Aa Bb", "X", None),
            ("AA BB", "X", None),
            ("Cc Dd", "X", None),
            ("CC DD", "X", None),
            ("Cc Dd", "X", None),
        ];
        assert_eq!(groups(&games), ["Cc Dd, CC DD (spelling)", "AA BB, Aa Bb (spelling)"]);
    }
}
