//! Reads the openings of the parts of files, on any thread.

use std::io::{self, BufRead};
use std::sync::Arc;

use sgf_board::Walk;
use sgf_search::{OpeningReader, Openings, Way};
use sgf_stream::{Error, Flow, Parser, Position, Reader};
use sgf_table::{Cell, Names, Table, TableBuilder};

use crate::decoding::{self, Charsets, GameType};
use crate::find::facts::{OUTCOME, cell, game_facts};
use crate::find::groups::By;
use crate::input::{Conditions, Name};
use crate::jobs::{Games, Input, Reading, Steps, Work};
use crate::kept::Kept;

/// The work of a run of `sgf openings`.
pub(super) struct Opening {
    /// Empty counts.
    pub(super) openings: Openings,
    /// Whether games with handicap do not count.
    pub(super) is_even: bool,
    pub(super) conditions: Conditions,
    pub(super) by: Option<By>,
    pub(super) names: Arc<Names>,
    pub(super) charsets: Charsets,
    pub(super) game_type: GameType,
}

/// The results of consecutive parts.
pub(super) struct Read {
    pub(super) openings: Openings,
    pub(super) games: u64,
    /// Number of games with the first position.
    pub(super) with_start: u64,
    /// Of these, number of games that do not count.
    pub(super) handicap: u64,
    pub(super) refused: u64,
    pub(super) like_hex: u64,
    pub(super) troubles: Vec<(Name, io::Error)>,
    pub(super) faults: Vec<(Name, Position, String)>,
    /// An error of a temporary file, in the file that is being read.
    spool_error: Option<io::Error>,
}

impl Read {
    pub(super) fn new(openings: Openings) -> Self {
        Read {
            openings,
            games: 0,
            with_start: 0,
            handicap: 0,
            refused: 0,
            like_hex: 0,
            troubles: Vec::new(),
            faults: Vec::new(),
            spool_error: None,
        }
    }

    /// Adds later results.
    pub(super) fn add(&mut self, other: Read) {
        self.openings.merge(other.openings);
        self.games += other.games;
        self.with_start += other.with_start;
        self.handicap += other.handicap;
        self.refused += other.refused;
        self.like_hex += other.like_hex;
    }
}

/// Reads the ways of some games.
///
/// Returns them with the numbers of their games, and the number of games, or why there are no more.
pub(crate) fn ways<R: BufRead>(
    opening: &mut OpeningReader,
    reader: &mut Reader<R>,
    is_long: bool,
) -> (Vec<(u64, Way)>, Result<u64, Error>) {
    let mut ways: Vec<(u64, Way)> = Vec::new();
    let read = match is_long {
        false => opening.read(reader, |number, way| ways.push((number, way.clone()))),
        // The main line of a long game would be in memory from its first branch on.
        true => {
            let mut first = Walk::visitor(|step| match step.is_on_main_line() {
                true => opening.step(step),
                false => Flow::Skip,
            });
            let game = reader.read_game(&mut first);
            drop(first);
            ways.extend(opening.end_game().map(|way| (0, way)));
            game.map(|game| game.iter().count() as u64)
        }
    };
    (ways, read)
}

impl Opening {
    fn read_games(&self, input: &Input, games: Games<'_, '_>, done: &mut Read) -> Result<(), Error> {
        let [first, again] = [(); 2].map(|()| games.push(&input.parser));
        let is_long = games.part().is_none();
        let kept = Kept::new(games)?;
        let (ways, read) = ways(&mut done.openings.reader(), &mut kept.reader(first)?, is_long);
        // The games before an error count.
        done.games += *read.as_ref().unwrap_or(&ways.last().map_or(0, |(number, _)| number + 1));
        if ways.is_empty() {
            return read.map(drop);
        }
        let mut columns: Vec<&str> = OUTCOME.into();
        columns.extend(["handicap", "game_type"]);
        let of_groups = self.by.iter().flat_map(By::columns);
        let more: Vec<&str> =
            self.conditions.columns().chain(of_groups).filter(|name| !columns.contains(name)).collect();
        columns.extend(more);
        let Ok(table) = TableBuilder::new(&input.parser, Table::Games).columns(columns) else { return Ok(()) };
        let table =
            table.default_game(self.game_type.default_game()).names(Arc::clone(&self.names)).file(input.name.as_str());
        let (mut rows, mut next) = (table.rows(kept.reader(again)?), 0);
        for (number, way) in ways {
            while next < number && rows.skip_game()? {
                next += 1;
            }
            next += 1;
            rows.next_game(|row| {
                if cell(row, "game_type").to_string() != "Go" {
                    return;
                }
                done.like_hex += u64::from(row.looks_like_hex());
                done.with_start += 1;
                let handicap = if let Cell::Integer(stones) = cell(row, "handicap") { Some(stones) } else { None };
                if self.is_even && !sgf_search::is_even(handicap) {
                    done.handicap += 1;
                } else if !self.conditions.hold_in(row) {
                    done.refused += 1;
                } else {
                    let group = self.by.as_ref().map(|by| by.group(row));
                    done.openings.add(&way, &game_facts(row, &group));
                }
            })?;
        }
        read.map(drop)
    }
}

impl Work for Opening {
    type Done = Read;

    fn begin(&self) -> Read {
        Read::new(self.openings.empty())
    }

    fn reading(&self) -> Reading {
        Reading::new(Parser::new(), self.charsets.decoding())
    }

    fn read(&self, input: &Arc<Input>, games: Games<'_, '_>, done: &mut Steps<'_, Read>) {
        match self.read_games(input, games, done) {
            Err(Error::Syntax(error)) if error.is_final() => {} // no SGF data
            Err(Error::Syntax(error)) => done.faults.push((input.name.clone(), error.position(), error.message())),
            Err(Error::Io(error)) => done.spool_error = Some(error),
            Err(error) => done.troubles.push((input.name.clone(), io::Error::other(error))),
            Ok(()) => {}
        }
    }

    fn end(&self, name: &Name, input: Option<&Arc<Input>>, result: io::Result<()>, done: &mut Read) {
        decoding::note_detected(name, input.and_then(|input| input.detected()));
        let error = result.err().or(done.spool_error.take());
        done.troubles.extend(error.map(|error| (name.clone(), error)));
    }
}
