//! The records of games and files.

use std::io;
use std::path::Path;

use crate::failure::complain;
use crate::input::{self, Name};
use crate::progress::Progress;

/// The record of a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Game {
    /// The hash of its first 30 stones; if there are fewer, of all.
    pub(super) opening: u64,
    /// The hash of all its stones.
    pub(super) line: u64,
    pub(super) offset: u64,
    pub(super) file: u32,
    pub(super) stones: u16,
    quality: Quality,
}

const _: () = assert!(size_of::<Game>() == 32);

/// Numbers of properties and of faults, as far as they fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Quality(u16);

impl Quality {
    const FAULTS: u16 = 0xF;
    const PROPERTIES: u16 = u16::MAX >> 4;

    pub(super) fn new(properties: usize, faults: u64) -> Self {
        let properties = properties.min(Self::PROPERTIES.into()) as u16;
        Quality(properties << 4 | faults.min(Self::FAULTS.into()) as u16)
    }

    pub(super) fn properties(self) -> u16 {
        self.0 >> 4
    }

    pub(super) fn faults(self) -> u16 {
        self.0 & Self::FAULTS
    }
}

impl Game {
    pub(super) fn new(hashes: (u64, u64), offset: u64, stones: usize, quality: Quality) -> Self {
        let stones = stones.min(u16::MAX.into()) as u16;
        Game { opening: hashes.0, line: hashes.1, offset, file: 0, stones, quality }
    }

    pub(super) fn quality(&self) -> Quality {
        self.quality
    }
}

/// Some games of a file.
pub(super) struct FileGames {
    pub(super) name: Name,
    /// Those that are compared.
    pub(super) games: Vec<Game>,
    /// Number of all.
    pub(super) count: u64,
    /// If the file has ended: how.
    pub(super) end: Option<io::Result<()>>,
}

/// All games, and the files that they are in.
#[derive(Default)]
pub(super) struct Games {
    /// Those that are compared.
    pub(super) all: Vec<Game>,
    /// Number of games, those that are not compared among them.
    pub(super) count: u64,
    pub(super) files: Vec<File>,
    pub(super) unreadable: Vec<(Name, String)>,
    /// The first part of a file has come, and its end has not.
    in_file: bool,
}

pub(super) struct File {
    pub(super) name: Name,
    /// Number of games in it that are not known to be copies.
    pub(super) games: u32,
    /// It was read to its end, and it can be removed by itself.
    pub(super) is_removable: bool,
    /// It is standard input.
    pub(super) is_stdin: bool,
}

impl Games {
    /// Adds the results of some parts, in the order of the inputs.
    pub(super) fn take(&mut self, files: Vec<FileGames>, progress: &Progress) {
        for FileGames { name, games, count, end } in files {
            if !self.in_file {
                let is_stdin = !name.is_member() && input::is_stdin(Path::new(name.as_str()));
                self.files.push(File { name: name.clone(), games: 0, is_removable: false, is_stdin });
            }
            let number = self.files.len() as u32 - 1;
            let Some(file) = self.files.last_mut() else { return };
            self.count += count;
            file.games = file.games.saturating_add(count.try_into().unwrap_or(u32::MAX));
            self.all.extend(games.into_iter().map(|game| Game { file: number, ..game }));
            self.in_file = end.is_none();
            match end {
                None => {}
                Some(Ok(())) => {
                    file.is_removable = !name.is_member() && !file.is_stdin;
                }
                Some(Err(error)) => {
                    progress.suspend(|| complain(format_args!("{name}: {error}")));
                    self.unreadable.push((name, error.to_string()));
                }
            }
        }
    }

    pub(super) fn name(&self, game: &Game) -> &Name {
        &self.files[game.file as usize].name
    }
}
