//! Reads the parts of files, on any thread.

use std::io::{self, BufRead, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::de::IgnoredAny;
use sgf_stream::charset::{BadBytes, Charset, Decoding, DecodingReader};
use sgf_stream::parallel::{LongGame, Part};
use sgf_stream::{Parser, Reader};

use super::fields::Fields;
use super::output::{Output, Row};
use super::record::{Record, Seed};
use super::report::{Place, Reports, Style};
use super::{Format, MAX_NODE};
use crate::decoding::{self, Charsets, Opened};
use crate::input::Name;
use crate::jobs::Work;
use crate::terminal;

/// The work of a run of `sgf records`.
pub(super) struct Recording {
    pub(super) fields: Fields,
    pub(super) format: Format,
    pub(super) strict: bool,
    pub(super) charsets: Charsets,
    pub(super) reports: Style,
}

/// The way to decode the texts of a file.
#[derive(Clone)]
pub(super) struct How {
    decoding: Decoding,
    /// Number of runs of bad bytes so far, in a file that is transcoded as a whole.
    bad_runs: Arc<AtomicU64>,
}

/// The results of consecutive parts.
pub(super) struct Recorded {
    pub(super) output: Output,
    pub(super) reports: Reports,
    /// Whether something could not be read.
    pub(super) has_troubles: bool,
    record: Record,
    /// The parser, with the reports as its listener.
    parser: Parser,
}

impl Recording {
    fn base(&self) -> Parser {
        let parser = if self.strict { Parser::strict() } else { Parser::new() };
        // A long comment that is not requested must not cost the game.
        parser.max_value_len(MAX_NODE).max_node_len(MAX_NODE)
    }

    /// Makes records of some games. `before` counts the games before them in the file.
    fn games<R: BufRead>(&self, name: &Name, before: u64, reader: Reader<R>, done: &mut Recorded) {
        let Recorded { output, reports, record, .. } = done;
        // A game cut off by the end of the data counts as a game, with a warning, as in all subcommands.
        let mut games = reader.games::<IgnoredAny>().keep_cut(true);
        while let Some(game) = games.next_seed(Seed { fields: &self.fields, record }) {
            if let Err(error) = game {
                let number = error.game().map(|number| before + number);
                reports.is_whole(Place { file: name, game: number });
                if error.is_io() {
                    return; // the caller gets the error again
                }
                reports.error(Place { file: name, game: number }, &error);
                continue;
            }
            let number = before + games.game_index().expect("a game has come");
            if reports.is_whole(Place { file: name, game: Some(number) }) {
                let offset = games.span().start;
                output.write(&Row { fields: &self.fields, file: name, game: number, offset, record });
            }
        }
    }
}

impl Work for Recording {
    type How = How;
    type Done = Recorded;

    fn begin(&self) -> Recorded {
        let reports = Reports::new(self.reports);
        Recorded {
            output: Output::new(self.format, terminal::get().shows_output()),
            parser: reports.listen(self.base()),
            reports,
            has_troubles: false,
            record: Record::new(&self.fields),
        }
    }

    fn parser(&self) -> Parser {
        self.base().count_lines(true).charset(self.charsets.decoding()) // for the reports
    }

    fn open<'d>(&self, data: &'d mut dyn BufRead) -> io::Result<(How, Box<dyn Read + 'd>)> {
        let bad_runs = Arc::new(AtomicU64::new(0));
        Ok(match decoding::open(data, self.charsets.decoding())? {
            Opened::Bytes(whole, bom) => {
                let mut decoding = self.charsets.decoding().known_labels_only(self.strict);
                if self.strict {
                    decoding = decoding.bad_bytes(BadBytes::Error);
                }
                // The parser does not report the byte-order mark.
                if let (Some(bom), None) = (bom, self.charsets.forced()) {
                    decoding = decoding.force(bom);
                }
                (How { decoding, bad_runs }, Box::new(whole))
            }
            Opened::Text(text) => {
                let text = Transcoded { text, bad_runs: Arc::clone(&bad_runs) };
                (How { decoding: Decoding::utf8(), bad_runs }, Box::new(text))
            }
        })
    }

    fn part(&self, name: &Name, how: &How, part: &Part<'_>, done: &mut Recorded) {
        let parser = done.parser.clone().charset(how.decoding);
        let before = part.first_game().expect("the parts of a stream are counted");
        self.games(name, before, part.reader(&parser), done);
    }

    fn long(&self, name: &Name, how: &How, game: LongGame<'_, Box<dyn Read + '_>>, done: &mut Recorded) {
        let parser = done.parser.clone().charset(how.decoding);
        self.games(name, game.number(), game.reader(&parser), done);
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
