//! Finds the old version of each new game.
//!
//! The most similar games are paired first: in each file those with the same bytes, then with the same moves, with the same
//! header, and at the same place; then, in any files, those with the same bytes, and with the same moves.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

use super::games::{Archive, Game};

/// Number of moves from which on two games of different files are the same by their moves alone. Shorter lines are also
/// equal by chance.
const MIN_MOVES: u32 = 10;

/// A game in both archives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    pub(super) old: Game,
    pub(super) new: Game,
    /// It is in another file now.
    pub(super) moved: bool,
}

impl Pair {
    pub(super) fn has_other_header(&self) -> bool {
        self.old.header != self.new.header
    }

    pub(super) fn has_other_moves(&self) -> bool {
        self.old.moves != self.new.moves
    }

    /// Returns whether only other content differs.
    pub(super) fn has_other_content(&self) -> bool {
        self.old.bytes != self.new.bytes && !self.needs_details()
    }

    /// Returns whether values are printed.
    pub(super) fn needs_details(&self) -> bool {
        self.has_other_header() || self.has_other_moves()
    }
}

/// The games of two archives.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    /// Number of games that did not change.
    pub(super) same: usize,
    /// In the order of the new archive.
    pub(super) changed: Vec<Pair>,
    pub(super) gone: Vec<Game>,
    pub(super) new: Vec<Game>,
}

impl Pairs {
    pub(super) fn of(old: &Archive, new: &Archive) -> Pairs {
        let mut names = HashMap::new();
        let [of_old, of_new] = [old, new].map(|archive| {
            let mut numbers = Vec::new();
            for file in &archive.files {
                let next = names.len();
                numbers.push(*names.entry(file.relative.as_str()).or_insert(next));
            }
            numbers
        });
        let old_file = |game: &Game| of_old[game.file as usize];
        let new_file = |game: &Game| of_new[game.file as usize];
        let keys: [fn(&Game) -> u64; 4] =
            [|game| game.bytes, |game| game.moves, |game| game.header, |game| u64::from(game.number)];
        let mut matching = Matching::new(&old.games, &new.games);
        for key in keys {
            matching.pair(|game| Some((old_file(game), key(game))), |game| Some((new_file(game), key(game))));
        }
        matching.pair(|game| Some(game.bytes), |game| Some(game.bytes));
        let moves = |game: &Game| (game.move_count >= MIN_MOVES).then_some(game.moves);
        matching.pair(moves, moves);
        matching.pairs(|old, new| old_file(old) != new_file(new))
    }

    pub(super) fn has_changes(&self) -> bool {
        !(self.changed.is_empty() && self.gone.is_empty() && self.new.is_empty())
    }
}

/// The pairs so far.
struct Matching<'g> {
    old: &'g [Game],
    new: &'g [Game],
    /// For each new game, the index of the old one.
    olds: Vec<Option<usize>>,
    /// Whether an old game has a new one.
    is_paired: Vec<bool>,
}

impl<'g> Matching<'g> {
    fn new(old: &'g [Game], new: &'g [Game]) -> Self {
        Matching { old, new, olds: vec![None; new.len()], is_paired: vec![false; old.len()] }
    }

    /// Pairs games with equal keys, in order. Games without a key stay as they are.
    fn pair<K: Hash + Eq>(&mut self, of_old: impl Fn(&Game) -> Option<K>, of_new: impl Fn(&Game) -> Option<K>) {
        let mut free: HashMap<K, VecDeque<usize>> = HashMap::new();
        for (number, game) in self.old.iter().enumerate() {
            if !self.is_paired[number]
                && let Some(key) = of_old(game)
            {
                free.entry(key).or_default().push_back(number);
            }
        }
        for (number, game) in self.new.iter().enumerate() {
            if self.olds[number].is_none()
                && let Some(old) = of_new(game).and_then(|key| free.get_mut(&key)?.pop_front())
            {
                self.olds[number] = Some(old);
                self.is_paired[old] = true;
            }
        }
    }

    fn pairs(self, has_moved: impl Fn(&Game, &Game) -> bool) -> Pairs {
        let mut pairs = Pairs::default();
        for (new, old) in self.new.iter().zip(self.olds) {
            let Some(old) = old.map(|old| &self.old[old]) else {
                pairs.new.push(*new);
                continue;
            };
            let pair = Pair { old: *old, new: *new, moved: has_moved(old, new) };
            if pair.moved || old.bytes != new.bytes {
                pairs.changed.push(pair);
            } else {
                pairs.same += 1;
            }
        }
        let gone = self.old.iter().zip(self.is_paired).filter(|(_, is_paired)| !is_paired);
        pairs.gone = gone.map(|(game, _)| *game).collect();
        pairs
    }
}

#[cfg(test)]
mod tests {
    use super::super::games::File;
    use super::*;
    use crate::input::Name;

    /// The fields `bytes`, `header`, `moves` and `move_count` of a game.
    type Hashes = (u64, u64, u64, u32);

    /// An archive of files, each with its games.
    fn archive(files: &[(&str, &[Hashes])]) -> Archive {
        let mut archive = Archive::default();
        for (number, (name, games)) in files.iter().enumerate() {
            archive.files.push(File { name: Name::default(), relative: (*name).to_owned(), games: games.len() as u32 });
            for (place, &(bytes, header, moves, move_count)) in games.iter().enumerate() {
                let (file, place) = (number as u32, place as u32);
                archive.games.push(Game { file, number: place, offset: 0, bytes, header, moves, move_count });
            }
        }
        archive
    }

    /// The old and the new bytes of the games that changed, with `>` if they were moved, then those gone, then the new ones.
    fn found(old: &Archive, new: &Archive) -> (usize, Vec<String>, Vec<u64>, Vec<u64>) {
        let pairs = Pairs::of(old, new);
        let changed = pairs.changed.iter().map(|pair| {
            let moved = if pair.moved { ">" } else { "" };
            format!("{}{moved}{}", pair.old.bytes, pair.new.bytes)
        });
        let bytes = |games: &[Game]| games.iter().map(|game| game.bytes).collect();
        (pairs.same, changed.collect(), bytes(&pairs.gone), bytes(&pairs.new))
    }

    #[test]
    fn the_most_similar_games_are_paired() {
        let old = archive(&[
            ("a", &[(1, 1, 1, 50), (2, 2, 2, 50), (3, 3, 3, 50)]),
            ("b", &[(4, 4, 4, 50)]),
            ("c", &[(5, 5, 5, 50), (6, 6, 6, 5), (7, 7, 7, 50)]),
        ]);
        // The same.
        assert_eq!(found(&old, &old), (7, vec![], vec![], vec![]));
        let new = archive(&[
            // In another order; a header, then moves changed; and one is at the place of another.
            ("a", &[(3, 3, 3, 50), (10, 9, 1, 50), (11, 2, 9, 60)]),
            ("b", &[(12, 8, 8, 50)]),
            // Moved from another file: with the same bytes, with the same moves; too short for that.
            ("d", &[(5, 5, 5, 50), (13, 6, 6, 5), (14, 8, 7, 50)]),
        ]);
        let changed = ["1", "10", "2", "11", "4", "12"].map(str::to_owned);
        let changed = [&changed[0..2], &changed[2..4], &changed[4..6]].map(|pair| pair.concat()).to_vec();
        let moved = ["5>5", "7>14"].map(str::to_owned).to_vec();
        assert_eq!(found(&old, &new), (1, [changed, moved].concat(), vec![6], vec![13]));
    }

    #[test]
    fn equal_games_are_paired_one_to_one() {
        let old = archive(&[("a", &[(1, 1, 1, 50), (1, 1, 1, 50)])]);
        let new = archive(&[("a", &[(1, 1, 1, 50); 3]), ("b", &[(1, 1, 1, 50)])]);
        assert_eq!(found(&old, &new), (2, vec![], vec![], vec![1, 1]));
        assert_eq!(found(&new, &old), (2, vec![], vec![1, 1], vec![]));
    }
}
