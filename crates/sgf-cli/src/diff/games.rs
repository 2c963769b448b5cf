//! The games of an archive: hashes of all, and details of some.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::convert::Infallible;
use std::hash::{DefaultHasher, Hasher};
use std::io::{self, BufRead, Read};
use std::path::Path;
use std::sync::Arc;

use sgf_stream::{Parser, Reader};
use sgf_table::{Cell, Row, Table, TableBuilder};

use crate::decoding::{Charsets, GameType};
use crate::failure::note_trouble;
use crate::input::{Name, Paths};
use crate::jobs::{self, GameBytes, Games, Input, Reading, Steps, Work};
use crate::progress::Progress;

/// The properties that are compared: those of the root and of game information that describe the game, not the file.
pub(super) const HEADER: [&str; 25] = [
    "GM", "SZ", "PB", "BR", "BT", "PW", "WR", "WT", "EV", "RO", "PC", "GN", "GC", "DT", "RE", "KM", "HA", "RU", "TM",
    "OT", "ON", "AN", "SO", "US", "CP",
];

/// Columns after those of the header.
const OTHERS: [&str; 4] = ["canonical", "sgf_moves", "move_count", "length"];

/// Maximum length in bytes of a value in memory, so that a header has a bounded length too.
const LONGEST: usize = 4096;

/// A game of an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Game {
    /// The number of its file.
    pub(super) file: u32,
    /// Its number in the file, from 0.
    pub(super) number: u32,
    pub(super) offset: u64,
    /// Hash of its bytes.
    pub(super) bytes: u64,
    /// Hash of its header.
    pub(super) header: u64,
    /// Hash of its main line, as it is on the board.
    pub(super) moves: u64,
    /// Number of moves in the main line.
    pub(super) move_count: u32,
}

/// All games of one side.
#[derive(Default)]
pub(super) struct Archive {
    pub(super) games: Vec<Game>,
    pub(super) files: Vec<File>,
    pub(super) unreadable: Vec<(Name, String)>,
    /// Number of games without GM whose moves look like Hex.
    pub(super) like_hex: u64,
    /// How it is read again.
    paths: Option<Paths>,
}

/// A file of an archive.
pub(super) struct File {
    pub(super) name: Name,
    /// The name without the path of the archive; empty if it is this path.
    pub(super) relative: String,
    /// Number of games in it.
    pub(super) games: u32,
}

impl Archive {
    pub(super) fn read(
        paths: &Paths,
        root: &Path,
        charsets: Charsets,
        game_type: GameType,
        progress: &Arc<Progress>,
    ) -> Archive {
        let mut archive = Archive::default();
        let root = Name::of(root);
        let work = Hashing { how: How { charsets, game_type } };
        let Ok(()) = jobs::run::<_, Infallible>(work, paths, progress, |parts| {
            parts.into_iter().for_each(|part| archive.take(part, &root));
            Ok(())
        });
        archive.paths = Some(paths.clone());
        archive
    }

    fn take(&mut self, part: FileGames, root: &Name) {
        if self.files.last().is_none_or(|last| last.name != part.name) {
            let relative = relative(part.name.as_str(), root.as_str());
            self.files.push(File { name: part.name.clone(), relative, games: 0 });
        }
        let number = self.files.len() as u32 - 1;
        let Some(file) = self.files.last_mut() else { return };
        self.like_hex += part.like_hex;
        for game in part.games {
            self.games.push(Game { file: number, number: file.games, ..game });
            file.games += 1;
        }
        if let Some(error) = part.error {
            note_trouble(&part.name, &error);
            self.unreadable.push((part.name, error.to_string()));
        }
    }

    pub(super) fn file(&self, game: &Game) -> &File {
        &self.files[game.file as usize]
    }
}

/// Returns the name of a file without the path of the archive that it is in.
fn relative(name: &str, root: &str) -> String {
    let rest = name.strip_prefix(root.trim_end_matches(['/', '\\'])).unwrap_or(name);
    let rest = rest.strip_prefix("!/").unwrap_or(rest);
    rest.trim_start_matches(['/', '\\']).to_owned()
}

/// How games are read.
#[derive(Clone, Copy)]
struct How {
    charsets: Charsets,
    game_type: GameType,
}

impl How {
    fn reading(self) -> Reading {
        Reading::new(Parser::new(), self.charsets.decoding())
    }

    /// Calls a function with the row of each game.
    fn rows<R: BufRead>(self, input: &Input, reader: Reader<R>, mut take: impl FnMut(&Row<'_>)) {
        let columns = HEADER.into_iter().chain(OTHERS);
        let Ok(table) = TableBuilder::new(&input.parser, Table::Games).columns(columns) else { return };
        let mut rows = table.default_game(self.game_type.default_game()).file(input.name.as_str()).rows(reader);
        // An error of reading comes again when the input ends.
        while let Ok(true) = rows.next_game(&mut take) {}
    }
}

/// Games of a file, in order.
pub(super) struct FileGames {
    name: Name,
    games: Vec<Game>,
    like_hex: u64,
    error: Option<io::Error>,
}

/// Makes the hashes of all games.
struct Hashing {
    how: How,
}

fn file<'d>(done: &'d mut Vec<FileGames>, name: &Name) -> &'d mut FileGames {
    if done.last().is_none_or(|last| last.name != *name) {
        done.push(FileGames { name: name.clone(), games: Vec::new(), like_hex: 0, error: None });
    }
    let last = done.len() - 1;
    &mut done[last]
}

impl Work for Hashing {
    type Done = Vec<FileGames>;

    fn begin(&self) -> Self::Done {
        Vec::new()
    }

    fn reading(&self) -> Reading {
        self.how.reading()
    }

    fn read(&self, input: &Arc<Input>, games: Games<'_, '_>, done: &mut Steps<'_, Self::Done>) {
        let file = file(done, &input.name);
        let mut add = |row: &Row<'_>, bytes: u64| {
            file.like_hex += u64::from(row.looks_like_hex());
            file.games.push(Game { bytes, ..game_of(row) });
        };
        if let Some(part) = games.part() {
            self.how.rows(input, games.reader(&input.parser), |row| {
                let from = row.offset().saturating_sub(part.span().start) as usize;
                let to = from.saturating_add(integer(row, OTHERS.len() - 1) as usize).min(part.bytes().len());
                add(row, hash_of(part.bytes().get(from..to).unwrap_or_default()));
            });
            return;
        }
        let hasher = RefCell::new(DefaultHasher::new());
        let parser = games.push(&input.parser);
        let reader = parser.into_reader(Hashed { inner: games.into_bytes(), hasher: &hasher });
        let mut long = None;
        self.how.rows(input, reader, |row| _ = long.get_or_insert(game_of(row)));
        if let Some(game) = long {
            file.games.push(Game { bytes: hasher.borrow().finish(), ..game });
        }
    }

    fn end(&self, name: &Name, _: Option<&Arc<Input>>, result: io::Result<()>, done: &mut Self::Done) {
        file(done, name).error = result.err();
    }
}

fn game_of(row: &Row<'_>) -> Game {
    let mut header = DefaultHasher::new();
    for column in 0..HEADER.len() {
        header.write(row.cell(column).to_string().as_bytes());
        header.write_u8(0xFF);
    }
    let mut moves = DefaultHasher::new();
    for column in HEADER.len()..HEADER.len() + 2 {
        moves.write(row.cell(column).to_string().as_bytes());
        moves.write_u8(0xFF);
    }
    let move_count = integer(row, 2).try_into().unwrap_or(u32::MAX);
    let (header, moves) = (header.finish(), moves.finish());
    Game { file: 0, number: 0, offset: row.offset(), bytes: 0, header, moves, move_count }
}

/// Returns an integer of the columns after the header.
fn integer(row: &Row<'_>, column: usize) -> i64 {
    match row.cell(HEADER.len() + column) {
        Cell::Integer(number) => number,
        _ => 0,
    }
}

fn hash_of(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    hasher.finish()
}

/// The bytes of a game that is too long for memory, which are hashed on their way.
struct Hashed<'h, 'g, 'd> {
    inner: GameBytes<'g, 'd>,
    hasher: &'h RefCell<DefaultHasher>,
}

impl BufRead for Hashed<'_, '_, '_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, len: usize) {
        if let Ok(bytes) = self.inner.fill_buf() {
            self.hasher.borrow_mut().write(&bytes[..len.min(bytes.len())]);
        }
        self.inner.consume(len);
    }
}

impl Read for Hashed<'_, '_, '_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.fill_buf()?.read(buffer)?;
        self.consume(len);
        Ok(len)
    }
}

/// The values and the moves of a game that changed, for printing.
#[derive(Clone, Debug, Default)]
pub(super) struct Detail {
    /// The values of [`HEADER`]; empty without the property.
    pub(super) header: Vec<String>,
    /// The moves of the main line, two letters each. `None` in games that are not followed on a board.
    pub(super) moves: Option<String>,
}

/// The details of some games, by the number of the file and the offset.
pub(super) type Details = HashMap<(u32, u64), Detail>;

/// Reads the details of some games of an archive.
pub(super) fn details(
    archive: &Archive,
    games: impl Iterator<Item = Game>,
    charsets: Charsets,
    game_type: GameType,
    progress: &Arc<Progress>,
) -> Details {
    let (mut wanted, mut files) = (HashMap::new(), HashSet::new());
    for game in games {
        let name = archive.file(&game).name.as_str();
        files.extend(Name::archives_of(name).chain([name]).map(str::to_owned));
        let (_, offsets) = wanted.entry(name.to_owned()).or_insert((game.file, HashSet::new()));
        offsets.insert(game.offset);
    }
    let mut details = Details::new();
    let Some(paths) = archive.paths.as_ref().filter(|_| !wanted.is_empty()) else { return details };
    let work = Rereading { how: How { charsets, game_type }, wanted, files };
    let Ok(()) = jobs::run::<_, Infallible>(work, paths, progress, |found| {
        details.extend(found);
        Ok(())
    });
    details
}

/// Reads the details of the games that are wanted.
struct Rereading {
    how: How,
    /// By the name of the file: its number, and the offsets of the games.
    wanted: HashMap<String, (u32, HashSet<u64>)>,
    /// The files that hold them, and the archives that hold such files.
    files: HashSet<String>,
}

impl Work for Rereading {
    type Done = Vec<((u32, u64), Detail)>;

    fn begin(&self) -> Self::Done {
        Vec::new()
    }

    fn reading(&self) -> Reading {
        self.how.reading()
    }

    fn wants(&self, path: &Path) -> bool {
        self.files.contains(Name::of(path).as_str())
    }

    fn read(&self, input: &Arc<Input>, games: Games<'_, '_>, done: &mut Steps<'_, Self::Done>) {
        let Some((file, offsets)) = self.wanted.get(input.name.as_str()) else { return };
        self.how.rows(input, games.reader(&input.parser), |row| {
            if offsets.contains(&row.offset()) {
                let value = |column| shortened(row.cell(column).to_string());
                let header = (0..HEADER.len()).map(value).collect();
                let moves = match row.cell(HEADER.len() + 1) {
                    Cell::Null => None,
                    moves => Some(moves.to_string()),
                };
                done.push(((*file, row.offset()), Detail { header, moves }));
            }
        });
    }
}

/// Returns the start of a value, with `…` if that is not all.
fn shortened(mut value: String) -> String {
    if value.len() > LONGEST {
        let end = (0..=LONGEST).rev().find(|&end| value.is_char_boundary(end));
        value.truncate(end.unwrap_or(0));
        value.push('…');
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_relative_to_the_path_that_was_given() {
        for (name, root, expected) in [
            ("old/a/b.sgf", "old", "a/b.sgf"),
            ("old/a/b.sgf", "old/", "a/b.sgf"),
            ("old.zip!/a/b.sgf", "old.zip", "a/b.sgf"),
            ("old/a.zip!/b.sgf", "old", "a.zip!/b.sgf"),
            ("a.sgf", "a.sgf", ""),
            ("./a.sgf", ".", "a.sgf"),
        ] {
            assert_eq!(relative(name, root), expected, "{name} in {root}");
        }
    }

    #[test]
    fn long_values_are_shortened() {
        assert_eq!(shortened("é".to_owned()), "é");
        let long = shortened("é".repeat(LONGEST));
        assert_eq!(long.len(), LONGEST + "…".len());
        assert!(long.ends_with("é…"));
    }
}
