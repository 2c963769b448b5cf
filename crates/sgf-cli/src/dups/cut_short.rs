//! Games that are the beginning of others: they are read once more.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::convert::Infallible;
use std::mem;
use std::path::Path;
use std::sync::Arc;

use sgf_board::{Fingerprint, LineHash};
use sgf_stream::Game as GameType;

use super::games::{Games, short};
use super::only::Only;
use super::reread::Places;
use super::work;
use crate::input::Paths;
use crate::jobs::{self, Input, Reading, Steps, Work};
use crate::progress::Progress;

/// For lines that are the beginning of a longer one: that one, by their hashes.
pub(super) type Beginnings = HashMap<u64, u64>;

/// Finds the beginnings among the games with the same opening. Sorts the games by opening and line.
pub(super) fn find(games: &mut Games, default_game: GameType, paths: &Paths, progress: &Arc<Progress>) -> Beginnings {
    games.all.sort_by_key(|game| (game.opening, game.line, game.file, game.offset));
    let places = candidates(games);
    if places.is_empty() {
        return Beginnings::new();
    }
    let mut lines = HashMap::new();
    let Ok(()) = jobs::run::<_, Infallible>(Rereading { places, default_game }, paths, progress, |found| {
        for Line { line, rank, beginnings } in found {
            for beginning in beginnings {
                let longer = lines.entry(beginning).or_insert((rank, line));
                *longer = (*longer).max((rank, line));
            }
        }
        Ok(())
    });
    lines.into_iter().map(|(beginning, (_, line))| (beginning, line)).collect()
}

/// A line that others may be the beginning of.
struct Candidate {
    rank: Rank,
    /// The lines with the same opening, which its candidates share: number of stones, and hash; in order.
    lines: Arc<[(usize, u64)]>,
}

impl Candidate {
    /// The lines with fewer stones.
    fn shorter(&self) -> &[(usize, u64)] {
        &self.lines[..self.lines.partition_point(|(count, _)| *count < usize::from(self.rank.0))]
    }
}

/// Which of several lines with the same beginning a short game is a copy of: the longest; of these, the one that most
/// games have; of these, the first.
type Rank = (u16, usize, Reverse<(u32, u64)>);

/// The games that are read again: for each line that others may be the beginning of, one.
fn candidates(games: &Games) -> Places<Candidate> {
    let mut places = Places::new();
    for same_opening in games.all.chunk_by(|a, b| a.opening == b.opening) {
        let lines: BTreeSet<(usize, u64)> =
            same_opening.iter().map(|game| (usize::from(game.stones), game.line)).collect();
        let lines: Arc<[_]> = lines.into_iter().collect();
        for same_line in same_opening.chunk_by(|a, b| a.line == b.line) {
            let game = same_line[0];
            let rank = (game.stones, same_line.len(), Reverse((game.file, game.offset)));
            let candidate = Candidate { rank, lines: lines.clone() };
            if !candidate.shorter().is_empty() {
                // One that can be read again.
                let game = same_line.iter().find(|game| !games.file(game).is_stdin).unwrap_or(&game);
                places.add(games, game, candidate);
            }
        }
    }
    places
}

/// A line that was read again, and the lines that are its beginnings.
struct Line {
    line: u64,
    rank: Rank,
    beginnings: Vec<u64>,
}

struct Rereading {
    places: Places<Candidate>,
    default_game: GameType,
}

impl Work for Rereading {
    type Done = Vec<Line>;

    fn begin(&self) -> Vec<Line> {
        Vec::new()
    }

    fn reading(&self) -> Reading {
        work::reading()
    }

    fn wants(&self, path: &Path) -> bool {
        self.places.wants(path)
    }

    fn read(&self, input: &Arc<Input>, games: jobs::Games<'_, '_>, done: &mut Steps<'_, Vec<Line>>) {
        let Some(candidates) = self.places.of_file(&input.name) else { return };
        let mut reader = games.reader(&input.parser);
        let open = RefCell::new(Open::default());
        let visitor = Fingerprint::line_visitor(self.default_game, |line| open.borrow_mut().after_move(line));
        let mut only = Only {
            visitor,
            wants: |offset| {
                let candidate = candidates.get(&offset);
                let shorter = candidate.map_or(&[][..], Candidate::shorter);
                *open.borrow_mut() = Open { shorter, beginnings: Vec::new() };
                candidate.is_some()
            },
        };
        while let Ok(Some((offset, print))) = reader.read_game(&mut only) {
            if let (Some(print), Some(candidate)) = (print, candidates.get(&offset)) {
                let beginnings = mem::take(&mut open.borrow_mut().beginnings);
                let beginnings = beginnings.into_iter().map(|(_, line)| line).collect();
                done.push(Line { line: short(print.canonical()), rank: candidate.rank, beginnings });
            }
        }
    }
}

/// The game that is being read.
#[derive(Default)]
struct Open<'w> {
    /// The shorter lines that it may begin with: number of stones, and hash; in order.
    shorter: &'w [(usize, u64)],
    /// Those that it begins with.
    beginnings: Vec<(usize, u64)>,
}

impl Open<'_> {
    fn after_move(&mut self, game: &LineHash) {
        let stones = game.stone_count();
        // The line may have gone back to a branch.
        while self.beginnings.pop_if(|(count, _)| *count >= stones).is_some() {}
        let start = self.shorter.partition_point(|(count, _)| *count < stones);
        if self.shorter.get(start).is_some_and(|(count, _)| *count == stones) {
            let line = (stones, short(game.canonical()));
            if self.shorter[start..].binary_search(&line).is_ok() {
                self.beginnings.push(line);
            }
        }
    }
}
