//! The records of games and files.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::{fs, io};

use sgf_board::{CanonicalLine, LineHash, Orientation};
use sgf_stream::Game as GameType;
use sgf_stream::tree::GameTree;
use sgf_stream::value::Color;

use super::contents::Contents;
use super::faults::OfGame;
use crate::failure::{complain, note_trouble};
use crate::input::{self, Name};
use crate::progress::Progress;
use crate::trees::TOO_LARGE;

/// The record of a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Game {
    /// The hash of its line up to the 30th stone; if there are fewer, of all.
    pub(super) opening: u64,
    /// The hash of its line.
    pub(super) line: u64,
    pub(super) offset: u64,
    pub(super) file: u32,
    /// Number of stones that were played.
    pub(super) stones: u16,
    orientation: u8,
    /// Number of syntax errors in the lower bits, the bit of games in which White plays first, and that of games with text beside
    /// them.
    rest: u8,
}

const _: () = assert!(size_of::<Game>() == 32);

impl Game {
    const WHITE_FIRST: u8 = 0x80;
    const BESIDE_TEXT: u8 = 0x40;
    const MOST_FAULTS: u64 = 15;

    pub(super) fn new(opening: Option<[u8; 16]>, line: &LineHash, offset: u64, faults: OfGame) -> Self {
        let whole = short(line.canonical());
        let white = if line.first_color() == Some(Color::White) { Self::WHITE_FIRST } else { 0 };
        let text = if faults.outside { Self::BESIDE_TEXT } else { 0 };
        Game {
            opening: opening.map_or(whole, short),
            line: whole,
            offset,
            file: 0,
            stones: line.stone_count().min(u16::MAX.into()) as u16,
            orientation: line.orientation().to_bits(),
            rest: faults.count.min(Self::MOST_FAULTS) as u8 | white | text,
        }
    }

    /// Number of syntax errors, as far as it fits.
    pub(super) fn faults(&self) -> u8 {
        self.rest & Self::MOST_FAULTS as u8
    }

    /// Whether text that is in no game is before it, or after it at the end of a file.
    pub(super) fn is_beside_text(&self) -> bool {
        self.rest & Self::BESIDE_TEXT != 0
    }

    pub(super) fn is_white_first(&self) -> bool {
        self.rest & Self::WHITE_FIRST != 0
    }

    /// The line of the game, from its tree.
    pub(super) fn line_in(&self, tree: &GameTree, default_game: GameType) -> CanonicalLine {
        let first = if self.is_white_first() { Color::White } else { Color::Black };
        CanonicalLine::of(|| tree.events(), default_game, self.orientation(), first)
    }

    pub(super) fn orientation(&self) -> Orientation {
        Orientation::from_bits(self.orientation)
    }
}

/// Half of a hash: enough for a billion games.
pub(super) fn short(hash: [u8; 16]) -> u64 {
    hash.first_chunk().map_or(0, |half| u64::from_be_bytes(*half))
}

/// Some games of a file.
pub(super) struct FileGames {
    pub(super) name: Name,
    /// Those that are compared.
    pub(super) games: Vec<Game>,
    /// The contents of those from standard input, by offset.
    pub(super) contents: Vec<(u64, Contents)>,
    /// The offsets of those from standard input that are left out, since their trees are too large.
    pub(super) too_large: Vec<u64>,
    /// Number of all.
    pub(super) count: u64,
    /// Number of those whose moves look like Hex.
    pub(super) like_hex: u64,
    /// Text that is in no game comes after the last one.
    pub(super) ends_in_text: bool,
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
    /// Contents by file and offset.
    contents: HashMap<(u32, u64), Contents>,
    /// The lines of the contents, each once.
    lines: HashSet<CanonicalLine>,
    pub(super) like_hex: u64,
    /// The paths of `--prefer`.
    preferred: Vec<Preferred>,
    /// The first part of a file has come, and its end has not.
    in_file: bool,
}

/// A path of `--prefer`.
struct Preferred {
    path: PathBuf,
    /// The path as the system calls it.
    real: Option<PathBuf>,
    /// An input is this path or under it.
    has_input: bool,
}

impl Preferred {
    fn has(&self, file: &Path, real: Option<&Path>, is_member: bool) -> bool {
        let both = self.real.as_deref().zip(real);
        is_under(file, &self.path, is_member) || both.is_some_and(|(path, file)| is_under(file, path, is_member))
    }
}

pub(super) struct File {
    pub(super) name: Name,
    /// Number of games in it that are not known to have a copy that says everything that they say.
    pub(super) games: u32,
    /// The number of the first path of `--prefer` that it is under.
    pub(super) preference: Option<usize>,
    /// It was read to its end, and it can be removed by itself.
    pub(super) is_removable: bool,
    /// It is standard input.
    pub(super) is_stdin: bool,
}

pub(super) fn is_stdin(name: &Name) -> bool {
    !name.is_member() && input::is_stdin(Path::new(name.as_str()))
}

impl Games {
    /// No games yet; the best ones will be in these paths.
    pub(super) fn preferring(paths: &[PathBuf]) -> Self {
        let preferred = |path: &PathBuf| Preferred { path: path.clone(), real: real(path), has_input: false };
        Games { preferred: paths.iter().map(preferred).collect(), ..Games::default() }
    }

    /// The first path of `--prefer` that no input is in.
    pub(super) fn preferred_without_input(&self) -> Option<&Path> {
        self.preferred.iter().find(|preferred| !preferred.has_input).map(|preferred| &*preferred.path)
    }

    /// The number of the first path of `--prefer` that a file is in.
    fn preference(&mut self, name: &Name) -> Option<usize> {
        if self.preferred.is_empty() {
            return None;
        }
        let file = name.to_path();
        let real = real(&file);
        let mut first = None;
        for (number, preferred) in self.preferred.iter_mut().enumerate() {
            if preferred.has(&file, real.as_deref(), name.is_member()) {
                preferred.has_input = true;
                first = first.or(Some(number));
            }
        }
        first
    }

    /// Adds the results of some parts, in the order of the inputs.
    pub(super) fn take(&mut self, files: Vec<FileGames>, progress: &Progress) {
        for FileGames { name, games, contents, too_large, count, like_hex, ends_in_text, end } in files {
            if !self.in_file {
                let is_stdin = is_stdin(&name);
                let preference = self.preference(&name);
                self.files.push(File { name: name.clone(), games: 0, preference, is_removable: false, is_stdin });
            }
            let number = self.files.len() as u32 - 1;
            contents.into_iter().for_each(|(offset, contents)| self.add_contents((number, offset), contents));
            let Some(file) = self.files.last_mut() else { return };
            self.count += count;
            self.like_hex += like_hex;
            file.games = file.games.saturating_add(count.try_into().unwrap_or(u32::MAX));
            self.all.extend(games.into_iter().map(|game| Game { file: number, ..game }));
            if ends_in_text && let Some(last) = self.all.last_mut().filter(|last| last.file == number) {
                last.rest |= Game::BESIDE_TEXT;
            }
            self.in_file = end.is_none();
            for offset in too_large {
                let message = format!("the game at byte {offset} is skipped: {TOO_LARGE}");
                progress.suspend(|| complain(format_args!("{name}: {message}")));
                self.unreadable.push((name.clone(), message));
            }
            match end {
                None => {}
                Some(Ok(())) => {
                    file.is_removable = !name.is_member() && !file.is_stdin;
                }
                Some(Err(error)) => {
                    note_trouble(&name, &error);
                    self.unreadable.push((name, error.to_string()));
                }
            }
        }
    }

    /// Adds the contents of the game at an offset of a file.
    pub(super) fn add_contents(&mut self, place: (u32, u64), mut contents: Contents) {
        match self.lines.get(&contents.line) {
            Some(line) => contents.line = line.clone(),
            None => _ = self.lines.insert(contents.line.clone()),
        }
        self.contents.insert(place, contents);
    }

    pub(super) fn file(&self, game: &Game) -> &File {
        &self.files[game.file as usize]
    }

    pub(super) fn name(&self, game: &Game) -> &Name {
        &self.file(game).name
    }

    /// The file of a game, and where the game is in it.
    pub(super) fn place(&self, game: &Game) -> String {
        place(self.name(game), game.offset)
    }

    pub(super) fn contents(&self, game: &Game) -> Option<&Contents> {
        self.contents.get(&(game.file, game.offset))
    }
}

/// A file, and where a game is in it.
pub(super) fn place(name: &Name, offset: u64) -> String {
    match offset {
        0 => name.to_string(),
        offset => format!("{name} (byte {offset})"),
    }
}

/// The path of a file, or of a member of an archive, as the system calls it.
fn real(path: &Path) -> Option<PathBuf> {
    let member = || {
        let path = path.to_str()?;
        path.match_indices("!/").find_map(|(end, _)| {
            let mut real = fs::canonicalize(&path[..end]).ok()?.into_os_string();
            real.push(&path[end..]);
            Some(real.into())
        })
    };
    fs::canonicalize(path).ok().or_else(member)
}

/// Whether a file, or the archive that holds it, is a path or under it.
fn is_under(file: &Path, path: &Path, is_member: bool) -> bool {
    fn parts(path: &Path) -> impl Iterator<Item = std::path::Component<'_>> {
        path.components().filter(|part| *part != std::path::Component::CurDir)
    }
    let is_prefix = |file: &Path| {
        let mut rest = parts(file);
        parts(path).all(|part| rest.next() == Some(part))
    };
    let name = file.to_string_lossy();
    is_prefix(file) || is_member && Name::archives_of(&name).any(|archive| is_prefix(Path::new(archive)))
}
