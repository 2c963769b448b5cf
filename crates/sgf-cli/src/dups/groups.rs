//! Groups of copies.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use sgf_board::{CanonicalLine, Likeness};
use sgf_stream::work;

use super::contents::Statement;
use super::cut_short::Beginnings;
use super::games::{Game, Games};

#[cfg(test)]
mod tests;

/// Groups of games that are copies of each other, in the order of their first games.
pub(super) struct Groups {
    /// Games of a group, in the order of the inputs, one group after the other.
    games: Vec<Game>,
    /// Where each group ends.
    ends: Vec<usize>,
}

/// A group whose games have been compared.
#[derive(Clone)]
pub(super) struct Group {
    /// In the order of the inputs.
    pub(super) games: Vec<Game>,
    /// Whether each is redundant, and why not.
    pub(super) fates: Vec<Fate>,
    /// The number of the best of them.
    pub(super) best: usize,
    pub(super) reason: Reason,
}

/// Whether a copy may be deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is kept, since no other game of the group contains everything in it.
    Stays,
    /// It is redundant: this game is kept, and contains everything in it.
    MayGo(usize),
}

/// Why a copy is the best one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    Preferred,
    MostStones,
    MostInformation,
    MostComments,
    FewestFaults,
    First,
}

impl Reason {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Reason::Preferred => "preferred",
            Reason::MostStones => "most stones",
            Reason::MostInformation => "most game information",
            Reason::MostComments => "most comments, marks and variations",
            Reason::FewestFaults => "fewest syntax errors",
            Reason::First => "first",
        }
    }
}

/// Maximum number of kept games that a game is compared with. A group in which all games make any combination of a few
/// statements would take quadratic time.
const MOST_COMPARED: usize = 100;

/// The rank of a game among its copies: a better game has a greater one.
type Rank = (Reverse<usize>, u16, usize, usize, Reverse<u8>, Reverse<usize>);

impl Groups {
    /// Groups the games by their hashes: these are candidates.
    pub(super) fn new(games: &Games, beginnings: &Beginnings) -> Self {
        let longer: HashSet<u64> = beginnings.values().copied().collect();
        let mut by_line: HashMap<u64, Vec<Game>> = HashMap::new();
        for same_line in games.all.chunk_by(|a, b| a.opening == b.opening && a.line == b.line) {
            let whole = whole_line(same_line[0].line, beginnings);
            if same_line.len() > 1 || whole != same_line[0].line || longer.contains(&whole) {
                by_line.entry(whole).or_default().extend(same_line);
            }
        }
        Self::of(by_line.into_values())
    }

    fn of(groups: impl Iterator<Item = Vec<Game>>) -> Self {
        let mut groups: Vec<Vec<Game>> = groups.filter(|games| games.len() > 1).collect();
        groups.iter_mut().for_each(|games| games.sort_by_key(|game| (game.file, game.offset)));
        groups.sort_by_key(|games| (games[0].file, games[0].offset));
        let ends = groups.iter().scan(0, |end, games| {
            *end += games.len();
            Some(*end)
        });
        Groups { ends: ends.collect(), games: groups.concat() }
    }

    /// The games of all groups.
    pub(super) fn games(&self) -> &[Game] {
        &self.games
    }

    /// Splits each group by the lines of its games, which the hashes only suggest: each is the beginning of the longest one.
    /// Games without contents, whose trees are too large, are in no group.
    pub(super) fn with_equal_lines(&self, games: &Games) -> Self {
        Self::of(self.iter().flat_map(|group| {
            let mut lines: Vec<(&CanonicalLine, Game)> =
                group.iter().filter_map(|game| Some((&games.contents(game)?.line, *game))).collect();
            // Before each line are those that begin with it.
            lines.sort_by(|(one, _), (other, _)| {
                work::note(1);
                other.cmp(one)
            });
            let mut split: Vec<(&CanonicalLine, Vec<Game>)> = Vec::new();
            for (line, game) in lines {
                match split.last_mut() {
                    Some((longest, group)) if longest.starts_with(line) => group.push(game),
                    _ => split.push((line, vec![game])),
                }
            }
            split.into_iter().map(|(_, group)| group)
        }))
    }

    fn iter(&self) -> impl Iterator<Item = &[Game]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.games[start..end])
    }

    /// Compares the games of each group. If `is_lossy`, all but the best are redundant.
    pub(super) fn compare(&self, games: &Games, is_lossy: bool) -> Vec<Group> {
        self.iter().map(|group| Group::new(group, games, is_lossy)).collect()
    }
}

/// The kept games that make each statement, the best first.
///
/// There is an entry for each statement of each game, sorted by statements. Of the entries of a statement, the first ones
/// have the kept games, and the very first has their number.
struct Makers(Vec<Maker>);

struct Maker {
    statement: Statement,
    game: u32,
    count: u32,
}

impl Makers {
    /// Creates the entries of all statements, without games.
    fn new(statements: impl Iterator<Item = Statement>) -> Self {
        let mut makers: Vec<Maker> = statements.map(|statement| Maker { statement, game: 0, count: 0 }).collect();
        work::note(makers.len());
        makers.sort_unstable_by_key(|maker| maker.statement);
        Makers(makers)
    }

    fn start(&self, statement: Statement) -> usize {
        self.0.partition_point(|maker| maker.statement < statement)
    }

    fn of(&self, statement: Statement) -> &[Maker] {
        let start = self.start(statement);
        let count = self.0.get(start).map_or(0, |maker| maker.count);
        &self.0[start..start + count as usize]
    }

    /// Adds a kept game, which makes these statements.
    fn add(&mut self, statements: &[Statement], game: usize) {
        for statement in statements {
            let start = self.start(*statement);
            let count = self.0[start].count as usize;
            self.0[start + count].game = game as u32;
            self.0[start].count += 1;
        }
    }
}

/// The longest line that begins with this one.
fn whole_line(line: u64, beginnings: &Beginnings) -> u64 {
    // Each is longer than the one before, so this ends.
    std::iter::successors(Some(line), |line| beginnings.get(line).copied())
        .inspect(|_| work::note(1))
        .last()
        .unwrap_or(line)
}

impl Group {
    fn new(of_group: &[Game], games: &Games, is_lossy: bool) -> Self {
        let rank = |number: usize| -> Rank {
            let game = &of_group[number];
            let (information, others) = games.contents(game).map_or((0, 0), |contents| contents.counts());
            let preference = games.file(game).preference.unwrap_or(usize::MAX);
            (Reverse(preference), game.stones, information, others, Reverse(game.faults()), Reverse(number))
        };
        let mut by_rank: Vec<(Rank, usize)> = (0..of_group.len()).map(|number| (rank(number), number)).collect();
        by_rank.sort_unstable_by(|one, other| other.cmp(one));
        let best = by_rank[0].1;
        let reason = match (by_rank[0].0, by_rank[1].0) {
            (first, second) if first.0 != second.0 => Reason::Preferred,
            (first, second) if first.1 != second.1 => Reason::MostStones,
            (first, second) if first.2 != second.2 => Reason::MostInformation,
            (first, second) if first.3 != second.3 => Reason::MostComments,
            (first, second) if first.4 != second.4 => Reason::FewestFaults,
            _ => Reason::First,
        };
        let mut group = Group { games: of_group.to_vec(), fates: vec![Fate::Stays; of_group.len()], best, reason };
        // The best games first: a game is redundant if one that is kept contains everything in it.
        let mut kept: Vec<usize> = Vec::new();
        let statements = |number: usize| match games.contents(&of_group[number]) {
            Some(contents) if !is_lossy => contents.statements(),
            _ => &[],
        };
        let ranked = || by_rank.iter().map(|(_, number)| *number);
        let mut makers = Makers::new(ranked().flat_map(statements).copied());
        for number in ranked() {
            // A game that makes all of its statements makes the rarest. Otherwise a group whose games all differ would take
            // quadratic time.
            let with_rarest =
                statements(number).iter().map(|statement| makers.of(*statement)).min_by_key(|of| of.len());
            let candidates: Vec<usize> = match with_rarest {
                _ if !is_lossy && group.always_stays(number, games) => Vec::new(),
                Some(makers) => makers.iter().take(MOST_COMPARED).map(|maker| maker.game as usize).collect(),
                None => kept.iter().take(MOST_COMPARED).copied().collect(),
            };
            match candidates.into_iter().find(|&other| group.says_all_of(other, number, games, is_lossy)) {
                Some(other) => group.fates[number] = Fate::MayGo(other),
                None => {
                    kept.push(number);
                    makers.add(statements(number), number);
                }
            }
        }
        group
    }

    /// Whether a game says something that no other game says: text beside it, or content that the parser dropped.
    fn always_stays(&self, number: usize, games: &Games) -> bool {
        let game = &self.games[number];
        game.is_beside_text() || games.contents(game).is_none_or(|contents| contents.is_incomplete)
    }

    /// Whether nothing is lost if another game is removed, which does not always stay. Standard input is not stored, so it is not a reason to remove a
    /// file.
    fn says_all_of(&self, kept: usize, other: usize, games: &Games, is_lossy: bool) -> bool {
        work::note(1);
        let (game, copy) = (&self.games[kept], &self.games[other]);
        if games.file(game).is_stdin && !games.file(copy).is_stdin {
            return false;
        }
        if is_lossy {
            return true;
        }
        let (Some(says), Some(of_copy)) = (games.contents(game), games.contents(copy)) else { return false };
        !self.has_exchanged_colors(kept, other)
            && says.says_all_of(of_copy, self.likeness(kept, other) != Likeness::Same)
    }

    /// How a game is turned, in comparison with another.
    pub(super) fn likeness(&self, one: usize, other: usize) -> Likeness {
        self.games[one].orientation().likeness(self.games[other].orientation())
    }

    /// Whether the other side plays the first stone.
    pub(super) fn has_exchanged_colors(&self, one: usize, other: usize) -> bool {
        self.games[one].is_white_first() != self.games[other].is_white_first()
    }

    /// Number of stones in the longest of them.
    pub(super) fn stones(&self) -> u16 {
        self.games.iter().map(|game| game.stones).max().unwrap_or_default()
    }

    /// Number of redundant games.
    pub(super) fn copies(&self) -> usize {
        self.fates.iter().filter(|fate| **fate != Fate::Stays).count()
    }

    /// Lists the kinds of content that a game has and the best one lacks.
    pub(super) fn says_more(&self, number: usize, games: &Games) -> Vec<&'static str> {
        if number == self.best {
            return Vec::new();
        }
        let contents = |number: usize| games.contents(&self.games[number]);
        let (Some(best), Some(other)) = (contents(self.best), contents(number)) else { return Vec::new() };
        let (best_game, game) = (&self.games[self.best], &self.games[number]);
        let mut more = best.lacks(other, self.likeness(self.best, number) != Likeness::Same);
        let others = [
            (game.stones > best_game.stones, "last stones"),
            (other.is_incomplete, "text that is not SGF"),
            (game.is_beside_text(), "text outside of games"),
        ];
        more.extend(others.into_iter().filter(|(is_more, _)| *is_more).map(|(_, name)| name));
        more
    }
}
