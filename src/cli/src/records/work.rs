//! Reads the parts of files, on any thread.

use std::io::{self, BufRead, Read};
use std::mem;
use std::ops::DerefMut;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use sgf_stream::charset::{BadBytes, Charset, Decoding, DecodingReader};
use sgf_stream::parts::{LongGame, Part};
use sgf_stream::table::{Table, TableBuilder};
use sgf_stream::{Parser, Reader};

use super::numbers::NextGame;
use super::output::{FULL, Output};
use super::report::{PlaceInFile, Reports, Style};
use super::{Format, MAX_NODE};
use crate::decoding::{self, Charsets, Opened};
use crate::input::Name;
use crate::jobs::{Buffers, Steps, Work};
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

/// The way to decode the texts of a file.
#[derive(Clone)]
pub(super) struct How {
    decoding: Decoding,
    /// Number of runs of bad bytes so far, in a file that is transcoded as a whole.
    bad_runs: Arc<AtomicU64>,
    is_transcoded: bool,
}

impl How {
    /// Whether the file is transcoded as a whole.
    pub(super) fn is_transcoded(&self) -> bool {
        self.is_transcoded
    }
}

/// The results of consecutive parts.
pub(super) struct Recorded {
    pub(super) output: Output,
    pub(super) reports: Reports,
    /// Whether something could not be read.
    pub(super) has_troubles: bool,
    /// Number of rows of games that look like Hex.
    pub(super) like_hex: u64,
    pub(super) next_game: NextGame,
    /// The parser, with the reports as its listener.
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
        let parser = if self.strict { Parser::strict() } else { Parser::new() };
        // A long comment that is not requested must not cost the game.
        parser.max_value_len(MAX_NODE).max_node_len(MAX_NODE)
    }

    /// Whether a faulty game has a row.
    fn keeps_faulty(&self) -> bool {
        self.rows != Table::Games
            || self.format.is_binary()
            || self.table.column_list().iter().any(|column| column.name() == "error")
    }

    /// The parser of games.
    pub(super) fn parser_for(&self, how: &How, done: &Recorded) -> Parser {
        done.parser.clone().charset(how.decoding)
    }

    /// Makes records of some games, which count from the [next game](Recorded::next_game) on. When there are many, in a
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
                if goes_on && (row.error().is_none() || self.keeps_faulty()) {
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
                (None, Some(code)) if !is_reported => reports.error(place, rows.offset(), code),
                _ => {}
            }
            next_game.advance();
        }
    }
}

impl Work for Recording {
    type How = How;
    type Done = Recorded;

    /// The rows of `--moves`, or of all comments, are as long as the part.
    const PART_LEN: usize = 256 << 10;

    fn begin(&self) -> Recorded {
        let reports = Reports::new(self.reports);
        Recorded {
            output: Output::new(self.format, &self.table, terminal::get().shows_output(), self.buffers.take()),
            parser: reports.listen(self.base()),
            reports,
            has_troubles: false,
            like_hex: 0,
            next_game: NextGame::OfResult(0),
        }
    }

    fn parser(&self) -> Parser {
        self.base().count_lines(true).charset(self.charsets.decoding()) // for the reports
    }

    fn open<'d>(&self, data: &'d mut dyn BufRead) -> io::Result<(How, Box<dyn Read + 'd>)> {
        let bad_runs = Arc::new(AtomicU64::new(0));
        Ok(match decoding::open(data, self.charsets.decoding())? {
            Opened::Bytes(whole, _) => {
                let mut decoding = self.charsets.decoding().known_labels_only(self.strict);
                if self.strict {
                    decoding = decoding.bad_bytes(BadBytes::Error);
                }
                (How { decoding, bad_runs, is_transcoded: false }, Box::new(whole))
            }
            Opened::Text(mut text) => {
                let decoding = Decoding::utf8().transcoded_from(text.charset()?);
                let text = Transcoded { text, bad_runs: Arc::clone(&bad_runs) };
                (How { decoding, bad_runs, is_transcoded: true }, Box::new(text))
            }
        })
    }

    fn part(&self, name: &Name, how: &How, part: &Part<'_>, done: &mut Steps<'_, Recorded>) {
        let parser = self.parser_for(how, done);
        // A part is in memory.
        _ = self.games(name, &parser, part.reader(&parser), &mut &mut **done, &mut |_| true);
    }

    fn long(&self, name: &Name, how: &How, game: LongGame<'_, Box<dyn Read + '_>>, done: &mut Steps<'_, Recorded>) {
        let parser = self.parser_for(how, done);
        // If reading fails, the caller gets the error again.
        _ = self.games(name, &parser, game.reader(&parser), done, &mut |done| {
            done.pass_on_with(|done| done.split_off(self))
        });
    }

    fn end(
        &self,
        name: &Name,
        how: Option<&How>,
        detected: Option<Charset>,
        result: io::Result<()>,
        done: &mut Recorded,
    ) {
        if let Some(said) = decoding::detection_note(detected) {
            done.reports.guessed(name, &said);
        }
        let bad_runs = how.map_or(0, |how| how.bad_runs.load(Ordering::Relaxed));
        if bad_runs > 0 {
            done.reports.bad_bytes(name, bad_runs, self.strict);
        }
        if let Err(error) = result {
            done.has_troubles = true;
            done.reports.trouble(name, &error);
        }
        done.next_game = NextGame::OfFile(Some(0));
    }
}

/// A file that is transcoded, and counts bad bytes.
struct Transcoded<R> {
    text: Box<DecodingReader<R>>,
    bad_runs: Arc<AtomicU64>,
}

impl<R: Read> Read for Transcoded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.text.read(buffer);
        self.bad_runs.store(self.text.bad_runs(), Ordering::Relaxed);
        len
    }
}
