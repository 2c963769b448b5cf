//! The players of all games.

use std::collections::HashMap;
use std::convert::Infallible;
use std::io;
use std::sync::Arc;

use sgf_stream::Parser;
use sgf_table::{Cell, Row, Table, TableBuilder};

use crate::decoding::{Charsets, GameType};
use crate::failure::note_trouble;
use crate::input::{Name, Paths};
use crate::jobs::{self, Games, Input, Reading, Steps, Work};
use crate::progress::Progress;

/// Number of moves from which on two games with the same line are copies.
const MIN_MOVES: i64 = 30;

/// Maximum length of a name in bytes. Longer values are not names.
const LONGEST: usize = 200;

/// A game between two named players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Game {
    /// Black and White: indices of names.
    pub(super) players: [u32; 2],
    /// Hash of the main line, the same for copies; `None` for short games.
    pub(super) line: Option<u64>,
}

/// The names and the games.
#[derive(Debug, Default)]
pub(super) struct Players {
    /// In the order of their first games, each with its number of games.
    pub(super) names: Vec<(String, u64)>,
    pub(super) games: Vec<Game>,
    numbers: HashMap<String, u32>,
    /// Whether something could not be read.
    pub(super) has_troubles: bool,
    pub(super) like_hex: u64,
}

impl Players {
    pub(super) fn read(paths: &Paths, charsets: Charsets, game_type: GameType, progress: &Arc<Progress>) -> Players {
        let mut players = Players::default();
        let Ok(()) = jobs::run::<_, Infallible>(Naming { charsets, game_type }, paths, progress, |part| {
            for (name, error) in &part.unreadable {
                note_trouble(name, error);
                players.has_troubles = true;
            }
            players.like_hex += part.like_hex;
            part.games.iter().for_each(|([black, white], line)| players.add([black, white], *line));
            Ok(())
        });
        players
    }

    /// Returns players with these names, each with its number of games, and with these games, whose moves are unknown.
    pub(super) fn of(names: Vec<(String, u64)>, games: Vec<Game>) -> Players {
        Players { names, games, ..Players::default() }
    }

    /// Adds a game. Without a name, a player is nobody.
    pub(super) fn add(&mut self, names: [&str; 2], line: Option<u64>) {
        let players = names.map(|name| self.number(name));
        if let [Some(black), Some(white)] = players {
            self.games.push(Game { players: [black, white], line });
        }
    }

    fn number(&mut self, name: &str) -> Option<u32> {
        if name.is_empty() {
            return None;
        }
        let number = match self.numbers.get(name) {
            Some(number) => *number,
            None => {
                let number = self.names.len() as u32;
                self.numbers.insert(name.to_owned(), number);
                self.names.push((name.to_owned(), 0));
                number
            }
        };
        self.names[number as usize].1 += 1;
        Some(number)
    }
}

/// Reads the names of players.
struct Naming {
    charsets: Charsets,
    game_type: GameType,
}

/// The games of some parts.
#[derive(Default)]
struct Found {
    games: Vec<([String; 2], Option<u64>)>,
    unreadable: Vec<(Name, io::Error)>,
    like_hex: u64,
}

const COLUMNS: [&str; 4] = ["black", "white", "canonical", "move_count"];

impl Work for Naming {
    type Done = Found;

    fn begin(&self) -> Found {
        Found::default()
    }

    fn reading(&self) -> Reading {
        Reading::new(Parser::new(), self.charsets.decoding())
    }

    fn read(&self, input: &Arc<Input>, games: Games<'_, '_>, done: &mut Steps<'_, Found>) {
        let Ok(table) = TableBuilder::new(&input.parser, Table::Games).columns(COLUMNS) else { return };
        let table = table.default_game(self.game_type.default_game()).file(input.name.as_str());
        let mut rows = table.rows(games.reader(&input.parser));
        // An error of reading comes again when the input ends.
        while let Ok(true) = rows.next_game(|row| {
            done.like_hex += u64::from(row.looks_like_hex());
            done.games.push(([name(row, 0), name(row, 1)], line(row)));
        }) {}
    }

    fn end(&self, name: &Name, _: Option<&Arc<Input>>, result: io::Result<()>, done: &mut Found) {
        done.unreadable.extend(result.err().map(|error| (name.clone(), error)));
    }
}

fn name(row: &Row<'_>, column: usize) -> String {
    match row.cell(column) {
        Cell::Text(name) if name.len() <= LONGEST => name.trim().to_owned(),
        _ => String::new(),
    }
}

fn line(row: &Row<'_>) -> Option<u64> {
    match (row.cell(2), row.cell(3)) {
        (Cell::Hash(hash), Cell::Integer(moves)) if moves >= MIN_MOVES => {
            hash.first_chunk().map(|hash| u64::from_be_bytes(*hash))
        }
        _ => None,
    }
}
