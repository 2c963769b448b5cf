//! Makes the fingerprints of the games in the parts of files, on any thread.

use std::collections::HashSet;
use std::fs;
use std::io::{self, BufRead, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use sgf_stream::board::Fingerprint;
use sgf_stream::charset::{Charset, Decoding};
use sgf_stream::parallel::{LongGame, Part};
use sgf_stream::{Ident, Parser, RawValue, Reader, Skip, Variation, Visitor};

use super::games::{FileGames, Game, Quality};
use crate::decoding::{self, Opened};
use crate::input::Name;
use crate::jobs::{Steps, Work};

/// Makes the fingerprints of all games.
pub(super) struct Fingerprinting {
    min_stones: usize,
    /// Files to read, as the system calls them: a file that is named twice is not its own copy.
    seen: Mutex<HashSet<PathBuf>>,
}

impl Work for Fingerprinting {
    type How = ();
    type Done = Vec<FileGames>;

    fn begin(&self) -> Self::Done {
        Vec::new()
    }

    fn wants(&self, path: &Path) -> bool {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        fs::canonicalize(path).map_or(true, |path| seen.insert(path))
    }

    fn parser(&self) -> Parser {
        Parser::new().charset(Decoding::new())
    }

    fn open<'d>(&self, data: &'d mut dyn BufRead) -> io::Result<((), Box<dyn Read + 'd>)> {
        open(data)
    }

    fn part(&self, name: &Name, (): &(), part: &Part<'_>, done: &mut Steps<'_, Self::Done>) {
        let (parser, faults) = counting(self.parser());
        self.games(name, part.reader(&parser), &faults, done);
    }

    fn long(&self, name: &Name, (): &(), game: LongGame<'_, Box<dyn Read + '_>>, done: &mut Steps<'_, Self::Done>) {
        let (parser, faults) = counting(self.parser());
        self.games(name, game.reader(&parser), &faults, done);
    }

    fn end(&self, name: &Name, _: Option<&()>, _: Option<Charset>, result: io::Result<()>, done: &mut Self::Done) {
        file(done, name).end = Some(result);
    }
}

/// The bytes of an input: transcoded, if they can be read in no other way.
pub(super) fn open<'d>(data: &'d mut dyn BufRead) -> io::Result<((), Box<dyn Read + 'd>)> {
    Ok(match decoding::open(data, Decoding::new())? {
        Opened::Bytes(whole, _) => ((), Box::new(whole)),
        Opened::Text(text) => ((), text),
    })
}

/// A parser that counts faults.
fn counting(parser: Parser) -> (Parser, Arc<AtomicU64>) {
    let faults = Arc::new(AtomicU64::new(0));
    let count = Arc::clone(&faults);
    (parser.on_diagnostic(move |_| _ = count.fetch_add(1, Ordering::Relaxed)), faults)
}

/// The file of this name, which may be the last one.
fn file<'d>(done: &'d mut Vec<FileGames>, name: &Name) -> &'d mut FileGames {
    if !done.last().is_some_and(|last| last.end.is_none() && last.name == *name) {
        done.push(FileGames { name: name.clone(), games: Vec::new(), count: 0, end: None });
    }
    let last = done.len() - 1;
    &mut done[last]
}

impl Fingerprinting {
    pub(super) fn new(min_stones: usize) -> Self {
        Fingerprinting { min_stones, seen: Mutex::default() }
    }

    fn games<R: BufRead>(&self, name: &Name, mut reader: Reader<R>, faults: &AtomicU64, done: &mut Vec<FileGames>) {
        let file = file(done, name);
        let (mut whole, mut before) = (Whole(Fingerprint::visitor()), 0);
        // An I/O error comes again, to whoever reads the file.
        while let Ok(Some(ReadGame { print, offset, properties })) = reader.read_game(&mut whole) {
            let all = faults.load(Ordering::Relaxed);
            let quality = Quality::new(properties, all - std::mem::replace(&mut before, all));
            file.count += 1;
            let hash = print.game_hash();
            if hash.stone_count() >= self.min_stones {
                let line = short(hash.stones_in_order());
                let opening = print.opening().map_or(line, short);
                file.games.push(Game::new((opening, line), offset, hash.stone_count(), quality));
            }
        }
    }
}

/// Half of a hash: enough for a billion games.
pub(super) fn short(hash: [u8; 16]) -> u64 {
    hash.first_chunk().map_or(0, |half| u64::from_be_bytes(*half))
}

/// Reads whole games: makes the fingerprint of the main line, and counts all properties.
struct Whole<V>(V);

/// A game that is being read.
struct Draft<P> {
    print: P,
    offset: u64,
    properties: usize,
    /// Number of variations open, the outermost of which is not the main line.
    beside: usize,
}

/// A game that was read.
struct ReadGame {
    print: Fingerprint,
    offset: u64,
    properties: usize,
}

impl<V: Visitor<Output = Fingerprint>> Whole<V> {
    /// Lets the fingerprint have what is of the main line.
    fn main_line<T>(
        &mut self,
        game: &mut Draft<V::Game>,
        step: impl FnOnce(&mut V, &mut V::Game) -> ControlFlow<Fingerprint, T>,
        otherwise: T,
    ) -> ControlFlow<ReadGame, T> {
        if game.beside > 0 {
            return ControlFlow::Continue(otherwise);
        }
        let (offset, properties) = (game.offset, game.properties);
        step(&mut self.0, &mut game.print).map_break(|print| ReadGame { print, offset, properties })
    }
}

impl<V: Visitor<Output = Fingerprint>> Visitor for Whole<V> {
    type Game = Draft<V::Game>;
    type Output = ReadGame;

    fn begin_game(&mut self, offset: u64) -> ControlFlow<ReadGame, Self::Game> {
        let print = self.0.begin_game(offset).map_break(|print| ReadGame { print, offset, properties: 0 })?;
        ControlFlow::Continue(Draft { print, offset, properties: 0, beside: 0 })
    }

    fn start_tree(&mut self, game: &mut Self::Game, variation: Variation) -> ControlFlow<ReadGame, Skip> {
        if self.main_line(game, |prints, print| prints.start_tree(print, variation), Skip::Yes)? == Skip::Yes {
            game.beside += 1;
        }
        ControlFlow::Continue(Skip::No)
    }

    fn node(&mut self, game: &mut Self::Game, offset: u64) -> ControlFlow<ReadGame, Skip> {
        self.main_line(game, |prints, print| prints.node(print, offset), Skip::No)
    }

    fn property(&mut self, game: &mut Self::Game, ident: Ident<'_>, offset: u64) -> ControlFlow<ReadGame, Skip> {
        game.properties += 1;
        self.main_line(game, |prints, print| prints.property(print, ident, offset), Skip::Yes)
    }

    fn value(&mut self, game: &mut Self::Game, value: RawValue<'_>, offset: u64) -> ControlFlow<ReadGame> {
        self.main_line(game, |prints, print| prints.value(print, value, offset), ())
    }

    fn end_tree(&mut self, game: &mut Self::Game, offset: u64) -> ControlFlow<ReadGame> {
        if game.beside > 0 {
            game.beside -= 1;
            return ControlFlow::Continue(());
        }
        self.main_line(game, |prints, print| prints.end_tree(print, offset), ())
    }

    fn end_game(&mut self, game: Self::Game) -> ReadGame {
        let Draft { print, offset, properties, .. } = game;
        ReadGame { print: self.0.end_game(print), offset, properties }
    }
}
