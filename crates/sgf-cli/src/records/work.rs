//! Reads the parts of files, on any thread.

use std::io::{self, BufRead};
use std::mem;
use std::ops::DerefMut;
use std::sync::Arc;

use sgf_stream::charset::BadBytes;
use sgf_stream::{Code, Parser, Reader, Severity};
use sgf_table::{Table, TableBuilder};

use super::Format;
use super::output::{FULL, Output};
use super::report::{PlaceInFile, Reports, Style};
use crate::decoding::{self, Charsets};
use crate::input::{Name, limited};
use crate::jobs::{Buffers, Games, Input, Reading, Steps, Work};
use crate::numbers::NextGame;
use crate::terminal;

/// The work of a run of `sgf records`.
pub(super) struct Recording {
    pub(super) rows: Table,
    /// The table, for its columns.
    pub(super) table: TableBuilder,
    pub(super) format: Format,
    pub(super) strict: bool,
    pub(super) charsets: Charsets,
    pub(super) reports: Style,
    /// Buffers of lines that have been written.
    pub(super) buffers: Buffers,
}

/// The results of consecutive parts.
pub(super) struct Recorded {
    pub(super) output: Output,
    pub(super) reports: Reports,
    /// The names of the files that could not be read, or only in part, and of their archives.
    pub(super) unread: Vec<String>,
    /// Number of rows of games that look like Hex.
    pub(super) like_hex: u64,
    pub(super) next_game: NextGame,
    /// The parser, with the reports as its callback.
    parser: Parser,
}

impl Recorded {
    /// Takes the results so far. The reader goes on, maybe in the middle of a game.
    pub(super) fn split_off(&mut self, work: &Recording) -> Recorded {
        let mut first = mem::replace(self, work.begin());
        self.next_game = first.next_game;
        first.next_game = first.next_game.split();
        self.reports = first.reports.later();
        self.parser = first.parser.clone();
        first
    }
}

impl Recording {
    fn base(&self) -> Parser {
        limited(if self.strict { Parser::strict() } else { Parser::new() })
    }

    /// Whether a game with a syntax error is faulty: in lenient mode, only one that exceeds a limit.
    fn is_error(&self, code: Code) -> bool {
        self.strict || code.severity() == Severity::Error
    }

    /// Whether a faulty game has a row.
    fn keeps_faulty(&self) -> bool {
        self.rows != Table::Games
            || self.format.is_binary()
            || self.table.column_list().iter().any(|column| column.name() == "error")
    }

    /// The parser of games.
    pub(super) fn parser_for(&self, input: &Input, done: &Recorded) -> Parser {
        let mut decoding = input.decoding;
        if input.transcoded.is_none() {
            decoding = decoding.known_names_only(self.strict);
            if self.strict {
                decoding = decoding.bad_bytes(BadBytes::Error);
            }
        }
        done.parser.clone().charset(decoding)
    }

    /// Formats the rows of some games, which count from the [next game](Recorded::next_game) on. When there are many, in a
    /// game or after it, `take` may [split them off](Recorded::split_off); it returns false if no more are needed.
    ///
    /// Returns the error if reading fails.
    pub(super) fn games<R: BufRead, D: DerefMut<Target = Recorded>>(
        &self,
        name: &Name,
        parser: &Parser,
        reader: Reader<R>,
        done: &mut D,
        take: &mut dyn FnMut(&mut D) -> bool,
    ) -> io::Result<()> {
        let table = self.table.with_parser(parser).file(name.as_str());
        let mut rows = table.rows(reader).first_game(done.next_game.number());
        loop {
            let (game, mut goes_on) = (done.next_game, true);
            let is_game = rows.next_game(|row| {
                if self.rows == Table::Games {
                    done.like_hex += u64::from(row.looks_like_hex());
                }
                if goes_on && (self.keeps_faulty() || !row.error().is_some_and(|code| self.is_error(code))) {
                    done.output.write(row, name, game);
                    goes_on = done.output.len() < FULL || take(done);
                }
            });
            if !goes_on {
                return Ok(());
            }
            let Recorded { reports, next_game, .. } = &mut **done;
            let place = PlaceInFile { file: name, game: Some(game) };
            match is_game {
                Ok(true) => {}
                Ok(false) => return Ok(()),
                // A file without SGF data has no rows.
                Err(sgf_stream::Error::Syntax(error)) if error.is_final() => return Ok(()),
                Err(sgf_stream::Error::Syntax(error)) => {
                    reports.is_whole(PlaceInFile { game: None, ..place });
                    reports.failure(PlaceInFile { game: None, ..place }, &error);
                    return Ok(());
                }
                Err(sgf_stream::Error::Io(error)) => return Err(error),
                Err(error) => return Err(io::Error::other(error)),
            }
            let is_reported = !reports.is_whole(place);
            match (rows.failure(), rows.error()) {
                (Some(failure), _) => reports.failure(place, failure),
                (None, Some(code)) if !is_reported && self.is_error(code) => reports.error(place, rows.offset(), code),
                _ => {}
            }
            next_game.advance();
        }
    }
}

impl Work for Recording {
    type Done = Recorded;

    fn begin(&self) -> Recorded {
        let reports = Reports::new(self.reports);
        Recorded {
            output: Output::new(self.format, &self.table, terminal::get().shows_output(), self.buffers.take()),
            parser: reports.listen(self.base()),
            reports,
            unread: Vec::new(),
            like_hex: 0,
            next_game: NextGame::OfResult(0),
        }
    }

    fn reading(&self) -> Reading {
        // The rows of `--moves`, or of all comments, are as long as the part.
        Reading { part_len: 256 << 10, ..Reading::new(self.base(), self.charsets.decoding()) }
    }

    fn read(&self, input: &Arc<Input>, games: Games<'_, '_>, done: &mut Steps<'_, Recorded>) {
        let parser = self.parser_for(input, done);
        // The rows of a part need not be passed on.
        let is_long = games.part().is_none();
        _ = self.games(&input.name, &parser, games.reader(&parser), done, &mut |done| {
            !is_long || done.pass_on(|done| done.split_off(self))
        });
    }

    fn end(&self, name: &Name, input: Option<&Arc<Input>>, result: io::Result<()>, done: &mut Recorded) {
        decoding::note_detected(name, input.and_then(|input| input.detected()));
        let bad_runs = input.map_or(0, |input| input.bad_runs());
        if bad_runs > 0 {
            done.reports.bad_bytes(name, bad_runs, self.strict);
        }
        if let Err(error) = result {
            done.unread.push(name.as_str().to_owned());
            done.unread.extend(Name::archives_of(name.as_str()).map(str::to_owned));
            done.reports.trouble(name, &error);
        }
        done.next_game = NextGame::OfFile(Some(0));
    }
}
