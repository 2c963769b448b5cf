//! Reads the games in the parts of files, on any thread; first of all to make their fingerprints.

use std::collections::HashSet;
use std::fs;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use sgf_board::{CanonicalLine, Fingerprint, LineHash};
use sgf_stream::charset::Decoding;
use sgf_stream::tree::GameTree;
use sgf_stream::value::Color;
use sgf_stream::{Game as GameType, Parser, Reader};

use super::contents::Contents;
use super::faults::{OfGame, counting};
use super::games::{FileGames, Game, is_stdin, short};
use super::only::Only;
use crate::input::{self, Name};
use crate::jobs::{Games, Input, Reading, Steps, Work};
use crate::trees;

/// The least number of stones of a game that is compared by default, and that of a problem: two games begin with the same
/// few moves by chance, but problems are short.
pub(crate) const LEAST_STONES: usize = 30;
pub(crate) const LEAST_STONES_OF_PROBLEM: usize = 5;

/// Makes the fingerprints of all games.
pub(super) struct Fingerprinting {
    min_stones: Option<usize>,
    default_game: GameType,
    keeps_texts: bool,
    /// Files to read, as the system calls them: a file that is named twice is not its own copy.
    seen: Mutex<HashSet<PathBuf>>,
}

/// How games are read.
pub(super) fn reading() -> Reading {
    Reading::new(Parser::new(), Decoding::new())
}

/// The file of this name, which may be the last one.
fn file<'d>(done: &'d mut Vec<FileGames>, name: &Name) -> &'d mut FileGames {
    if !done.last().is_some_and(|last| last.end.is_none() && last.name == *name) {
        done.push(FileGames {
            name: name.clone(),
            games: Vec::new(),
            contents: Vec::new(),
            too_large: Vec::new(),
            count: 0,
            like_hex: 0,
            ends_in_text: false,
            end: None,
        });
    }
    let last = done.len() - 1;
    &mut done[last]
}

/// Whether a game has enough stones, of setup and moves together, to be compared with others.
fn is_compared(line: &LineHash, min_stones: Option<usize>) -> bool {
    let setup = [Color::Black, Color::White].map(|color| line.setup_count(color));
    let least = min_stones.unwrap_or(match setup {
        // Handicap is of one side.
        [0, _] | [_, 0] => LEAST_STONES,
        _ => LEAST_STONES_OF_PROBLEM,
    });
    line.stone_count() + setup[0] + setup[1] >= least
}

/// Reads the line of a game, with its hash. `None` if the game is not compared with others. Both readers read it.
pub(crate) fn compared_line<R: BufRead>(
    input: &Input,
    default_game: GameType,
    mut reader: Reader<R>,
    mut again: Reader<R>,
) -> Option<(CanonicalLine, u64)> {
    let print = reader.read_game(&mut Fingerprint::line_visitor(default_game, |_| {})).ok()??;
    if !is_compared(print.line(), None) {
        return None;
    }
    let tree = again.read_game(&mut trees::builder(input)).ok()??.ok()?;
    let game = Game::new(print.opening(), print.line(), 0, OfGame::default());
    Some((game.line_in(&tree, default_game), short(print.canonical())))
}

impl Fingerprinting {
    pub(super) fn new(min_stones: Option<usize>, default_game: GameType, keeps_texts: bool) -> Self {
        Fingerprinting { min_stones, default_game, keeps_texts, seen: Mutex::default() }
    }
}

impl Work for Fingerprinting {
    type Done = Vec<FileGames>;

    fn begin(&self) -> Vec<FileGames> {
        Vec::new()
    }

    fn reading(&self) -> Reading {
        reading()
    }

    fn wants(&self, path: &Path) -> bool {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        fs::canonicalize(path).map_or(true, |path| seen.insert(path))
    }

    fn end(&self, name: &Name, _: Option<&Arc<Input>>, result: io::Result<()>, done: &mut Vec<FileGames>) {
        file(done, name).end = Some(result);
    }

    fn read(&self, input: &Arc<Input>, games: Games<'_, '_>, done: &mut Steps<'_, Vec<FileGames>>) {
        let (mut reader, faults) = counting(input, games);
        let file = file(done, &input.name);
        let mut add = |offset, print: &Fingerprint, tree: Option<&GameTree>| {
            let of_game = faults.take();
            file.count += 1;
            file.like_hex += u64::from(print.looks_like_hex());
            if is_compared(print.line(), self.min_stones) {
                let game = Game::new(print.opening(), print.line(), offset, of_game);
                file.contents.extend(tree.map(|tree| {
                    let line = game.line_in(tree, self.default_game);
                    (offset, Contents::of(tree, line, of_game.drops, self.keeps_texts))
                }));
                file.games.push(game);
            }
        };
        // An I/O error comes again, to whoever reads the file.
        if !is_stdin(&input.name) {
            let prints = Fingerprint::line_visitor(self.default_game, |_| {});
            let mut all = Only { visitor: prints, wants: |_| true };
            while let Ok(Some((offset, print))) = reader.read_game(&mut all) {
                print.iter().for_each(|print| add(offset, print, None));
            }
            file.ends_in_text |= faults.take().outside;
            return;
        }
        // Standard input cannot be read again for the contents of its games.
        let mut all = Only { visitor: trees::builder(input), wants: |_| true };
        let mut too_large = Vec::new();
        while let Ok(Some((offset, tree))) = reader.read_game(&mut all) {
            let Some(Ok(tree)) = tree else {
                too_large.push(offset);
                continue;
            };
            let mut prints = Fingerprint::line_visitor(self.default_game, |_| {});
            let print = tree
                .to_vec()
                .ok()
                .and_then(|bytes| input::limited(Parser::new()).slice(&bytes).read_game(&mut prints).ok().flatten());
            print.iter().for_each(|print| add(offset, print, Some(&tree)));
        }
        file.count += too_large.len() as u64;
        file.too_large.append(&mut too_large);
        file.ends_in_text |= faults.take().outside;
    }
}
