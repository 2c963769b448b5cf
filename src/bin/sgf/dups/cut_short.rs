//! Games that are the beginning of others: they are read once more.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::convert::Infallible;
use std::io::{self, BufRead, Read};
use std::mem;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use sgf_stream::board::{Fingerprint, GameHash};
use sgf_stream::charset::{Charset, Decoding};
use sgf_stream::parallel::{LongGame, Part};
use sgf_stream::{Ident, Parser, RawValue, Reader, Skip, Variation, Visitor};

use super::games::Games;
use super::work::{open, short};
use crate::input::{Name, Paths};
use crate::jobs::{self, Steps, Work};
use crate::progress::Progress;

/// For lines that are the beginning of a longer one: that one, by their hashes.
pub(super) type Beginnings = HashMap<u64, u64>;

/// Finds the beginnings among the games with the same opening. Sorts the games by opening and line.
pub(super) fn find(games: &mut Games, paths: &Paths, progress: &Arc<Progress>) -> Beginnings {
    games.all.sort_by_key(|game| (game.opening, game.line, game.file, game.offset));
    let wanted = Wanted::new(games);
    if wanted.games.is_empty() {
        return Beginnings::new();
    }
    let mut lines = HashMap::new();
    let Ok(()) = jobs::run::<_, Infallible>(Rereading { wanted: Arc::new(wanted) }, paths, progress, |found| {
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

/// The games that are read again: for each line that others may be the beginning of, one.
struct Wanted {
    /// By the name of the file and the offset of the game.
    games: HashMap<String, HashMap<u64, Candidate>>,
    /// Files that hold them, and archives that hold such files.
    files: HashSet<String>,
}

struct Candidate {
    rank: Rank,
    /// Shorter lines with the same opening: number of stones, and hash.
    shorter: Vec<(usize, u64)>,
}

/// Which of several lines with the same beginning a short game is a copy of: the longest; of these, the one that most
/// games have; of these, the first.
type Rank = (u16, usize, Reverse<(u32, u64)>);

impl Wanted {
    fn new(games: &Games) -> Self {
        let mut wanted = Wanted { games: HashMap::new(), files: HashSet::new() };
        for same_opening in games.all.chunk_by(|a, b| a.opening == b.opening) {
            let lines: BTreeSet<(usize, u64)> =
                same_opening.iter().map(|game| (usize::from(game.stones), game.line)).collect();
            for same_line in same_opening.chunk_by(|a, b| a.line == b.line) {
                let game = same_line[0];
                let shorter: Vec<_> = lines.range(..(usize::from(game.stones), 0)).copied().collect();
                if !shorter.is_empty() {
                    let name = games.name(&game);
                    wanted.files.extend(files_of(name));
                    let of_file = wanted.games.entry(name.as_str().to_owned()).or_default();
                    let rank = (game.stones, same_line.len(), Reverse((game.file, game.offset)));
                    of_file.insert(game.offset, Candidate { rank, shorter });
                }
            }
        }
        wanted
    }
}

/// The file of a name; for a member, each path that may be that of the archive.
fn files_of(name: &Name) -> impl Iterator<Item = String> + '_ {
    let name = name.as_str();
    let archives = name.match_indices("!/").map(|(end, _)| name[..end].to_owned());
    archives.chain([name.to_owned()])
}

/// A line that was read again, and the lines that are its beginnings.
struct Line {
    line: u64,
    rank: Rank,
    beginnings: Vec<u64>,
}

struct Rereading {
    wanted: Arc<Wanted>,
}

impl Work for Rereading {
    type How = ();
    type Done = Vec<Line>;

    fn begin(&self) -> Self::Done {
        Vec::new()
    }

    fn wants(&self, path: &Path) -> bool {
        self.wanted.files.contains(Name::of(path).as_str())
    }

    fn parser(&self) -> Parser {
        Parser::new().charset(Decoding::new())
    }

    fn open<'d>(&self, data: &'d mut dyn BufRead) -> io::Result<((), Box<dyn Read + 'd>)> {
        open(data)
    }

    fn part(&self, name: &Name, (): &(), part: &Part<'_>, done: &mut Steps<'_, Self::Done>) {
        self.games(name, part.reader(&self.parser()), done);
    }

    fn long(&self, name: &Name, (): &(), game: LongGame<'_, Box<dyn Read + '_>>, done: &mut Steps<'_, Self::Done>) {
        self.games(name, game.reader(&self.parser()), done);
    }

    /// Errors were reported when the games were read first.
    fn end(&self, _: &Name, _: Option<&()>, _: Option<Charset>, _: io::Result<()>, _: &mut Self::Done) {}
}

impl Rereading {
    fn games<R: BufRead>(&self, name: &Name, mut reader: Reader<R>, done: &mut Vec<Line>) {
        let Some(candidates) = self.wanted.games.get(name.as_str()) else { return };
        let open = RefCell::new(Open::default());
        let prints = Fingerprint::visitor_with(|hash| open.borrow_mut().after_move(hash));
        let mut reread = Reread { prints, candidates, open: &open };
        while let Ok(Some(line)) = reader.read_game(&mut reread) {
            done.extend(line);
        }
    }
}

/// The game that is being read.
#[derive(Default)]
struct Open<'w> {
    rank: Rank,
    /// The shorter lines that it may begin with, from here on.
    shorter: &'w [(usize, u64)],
    /// The lines among them that it begins with, and their numbers of stones.
    beginnings: Vec<(usize, u64)>,
    all: &'w [(usize, u64)],
    moves: usize,
}

impl<'w> Open<'w> {
    fn new(candidate: &'w Candidate) -> Self {
        let all = &candidate.shorter[..];
        Open { rank: candidate.rank, shorter: all, beginnings: Vec::new(), all, moves: 0 }
    }

    fn after_move(&mut self, hash: &GameHash) {
        if std::mem::replace(&mut self.moves, hash.moves()) >= hash.moves() {
            self.go_back(hash.stone_count());
        }
        while let Some((&(stones, line), rest)) = self.shorter.split_first()
            && stones <= hash.stone_count()
        {
            if stones == hash.stone_count() && short(hash.stones_in_order()) == line {
                self.beginnings.push((stones, line));
            }
            self.shorter = rest;
        }
    }

    /// The line goes on from an earlier branch: only what has fewer stones is known.
    #[cold]
    fn go_back(&mut self, stone_count: usize) {
        self.beginnings.retain(|(stones, _)| *stones < stone_count);
        self.shorter = &self.all[self.all.partition_point(|(stones, _)| *stones < stone_count)..];
    }
}

/// Reads the candidates, and skips all other games.
struct Reread<'w, 'o, V> {
    prints: V,
    candidates: &'w HashMap<u64, Candidate>,
    open: &'o RefCell<Open<'w>>,
}

impl<V: Visitor<Output = Fingerprint>> Visitor for Reread<'_, '_, V> {
    type Game = V::Game;
    type Output = Option<Line>;

    fn begin_game(&mut self, offset: u64) -> ControlFlow<Option<Line>, V::Game> {
        let Some(candidate) = self.candidates.get(&offset) else { return ControlFlow::Break(None) };
        *self.open.borrow_mut() = Open::new(candidate);
        self.prints.begin_game(offset).map_break(|_| None)
    }

    fn start_tree(&mut self, game: &mut V::Game, variation: Variation) -> ControlFlow<Option<Line>, Skip> {
        self.prints.start_tree(game, variation).map_break(|_| None)
    }

    fn end_tree(&mut self, game: &mut V::Game, offset: u64) -> ControlFlow<Option<Line>> {
        self.prints.end_tree(game, offset).map_break(|_| None)
    }

    fn node(&mut self, game: &mut V::Game, offset: u64) -> ControlFlow<Option<Line>, Skip> {
        self.prints.node(game, offset).map_break(|_| None)
    }

    fn property(&mut self, game: &mut V::Game, ident: Ident<'_>, offset: u64) -> ControlFlow<Option<Line>, Skip> {
        self.prints.property(game, ident, offset).map_break(|_| None)
    }

    fn value(&mut self, game: &mut V::Game, value: RawValue<'_>, offset: u64) -> ControlFlow<Option<Line>> {
        self.prints.value(game, value, offset).map_break(|_| None)
    }

    fn end_game(&mut self, game: V::Game) -> Option<Line> {
        let print = self.prints.end_game(game);
        let Open { rank, beginnings, .. } = mem::take(&mut *self.open.borrow_mut());
        let stone_count = print.game_hash().stone_count();
        let beginnings = beginnings.into_iter().filter(|(stones, _)| *stones <= stone_count).map(|(_, line)| line);
        let beginnings = beginnings.collect();
        Some(Line { line: short(print.game_hash().stones_in_order()), rank, beginnings })
    }
}
