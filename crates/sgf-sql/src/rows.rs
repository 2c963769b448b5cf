//! The rows of a file, on their way into batches.

use std::io::{self, BufRead, BufReader, Read};
use std::sync::Arc;

use datafusion::arrow::array::BooleanArray;
use sgf_arrow::ArrowTable;
use sgf_input::{Found, Limits, Opener, reason};
use sgf_search::QuickMatch;
use sgf_stream::charset::{Decoding, OpenedReader};
use sgf_stream::parallel::ReadAt;
use sgf_stream::parts::{Next, Part, Parts};
use sgf_stream::{Parser, Reader};
use sgf_table::TableBuilder;

use crate::bytes::{FileBytes, Sequential};
use crate::fault::{Fault, ReadError, Unreadable};
use crate::find::Making;
use crate::job::{Emit, FilePlace, Job};
use crate::options::Options;
use crate::progress::Progress;

/// About the length of a part whose games are in memory together.
const PART: usize = 1 << 20;

/// About the number of bytes after which a batch ends, however few rows it has.
const BATCH_BYTES: usize = 8 << 20;

/// The rows of a file on their way into batches.
pub(crate) struct Rows<'r, 'e> {
    job: &'r Job,
    /// Number of rows that are still needed.
    left: Option<usize>,
    builder: Making,
    emit: &'r mut Emit<'e>,
}

/// The table of a file, or of a member of an archive.
struct OpenTable {
    file: Arc<str>,
    parser: Parser,
    table: TableBuilder,
    heads: Option<ArrowTable>,
}

impl<'r, 'e> Rows<'r, 'e> {
    pub(crate) fn new(job: &'r Job, emit: &'r mut Emit<'e>) -> Self {
        Rows { job, left: job.limit, builder: job.reading.batch_builder(), emit }
    }

    /// Reads the file, or its byte range.
    pub(crate) fn file(&mut self, file: &FileBytes) -> Result<(), Fault> {
        let job = self.job;
        let starts_here = job.range.start == 0;
        if job.is_packed(file)? {
            // It is read from its start, by whoever has that.
            return if starts_here { self.packed(file) } else { Ok(()) };
        }
        if !job.reading.wants_file(&job.name)? {
            return Ok(());
        }
        let charset = job.reading.options.decoding().reader(Start(Sequential { file, at: 0 })).charset()?;
        if charset.is_ascii_compatible() {
            return self.range(file);
        }
        if starts_here { self.content(&job.name, &mut BufReader::new(Sequential { file, at: 0 })) } else { Ok(()) }
    }

    /// Reads the members of an archive, or a compressed file.
    fn packed(&mut self, file: &FileBytes) -> Result<(), Fault> {
        let job = self.job;
        let mut opener = Opener::new(Limits::default()).excluding(job.reading.options.excluded());
        let take = |found: Found<'_>| match found {
            Found::Unreadable(name, error) => Ok(job.report(Unreadable::new(name.as_str(), reason(&error)))?),
            Found::Input(input) => {
                let name = input.name.as_str();
                match self.content(name, input.data) {
                    Err(Fault::Unreadable(message)) => Ok(job.report(Unreadable::new(name, message))?),
                    Err(Fault::NoSgf(message)) => Ok(job.report(Unreadable::no_sgf(name, message))?),
                    Err(Fault::Io(error)) => Err(Fault::Query(ReadError::external(name, error))),
                    read => read,
                }
            }
        };
        match &job.place {
            FilePlace::Disk(path, size) => {
                job.metrics.counters.bytes.add(*size as usize);
                opener.each_as(job.input_name(), path, job.reading.options.reading(), take)
            }
            FilePlace::Store(_) => {
                opener.each_in(job.input_name(), &mut Sequential { file, at: 0 }, &Progress::none(), take)
            }
        }
    }

    /// Reads a stream that is not packed: a member of an archive, or a file that is transcoded as a whole.
    fn content(&mut self, name: &str, data: &mut dyn BufRead) -> Result<(), Fault> {
        let options = &self.job.reading.options;
        match options.decoding().open(data)? {
            OpenedReader::Bytes(whole, _) => self.stream(name, whole, options.parser()),
            OpenedReader::Text(mut text) => {
                let decoding = Decoding::utf8().transcoded_from(text.charset()?);
                self.stream(name, text, options.parser().charset(decoding))
            }
        }
    }

    fn stream(&mut self, name: &str, data: impl Read, parser: Parser) -> Result<(), Fault> {
        let open = self.open(name, parser);
        self.parts(&open, open.parser.parts(data), Some(0))
    }

    /// Reads the byte range of a file that is neither packed nor transcoded.
    fn range(&mut self, file: &FileBytes) -> Result<(), Fault> {
        let open = self.open(&self.job.name, self.job.reading.options.parser());
        let split = open.parser.split(file);
        let range = split.range(self.job.range.clone())?;
        // An empty file is also read: it has no SGF data.
        if range.is_empty() && file.size()? > 0 {
            return Ok(());
        }
        let number = (self.job.range.start == 0).then_some(0);
        self.parts(&open, range.parts(&open.parser).part_len(PART), number)
    }

    /// Reads the games of parts. `number` is that of the first one, if it is known.
    fn parts(&mut self, open: &OpenTable, mut parts: Parts<impl Read>, mut number: Option<u64>) -> Result<(), Fault> {
        loop {
            match parts.next_part() {
                Ok(Some(Next::Part(part))) => self.part(open, &part, &mut number)?,
                Ok(Some(Next::Long(game))) => self.reader(open, game.reader(&open.parser), &mut number)?,
                Ok(None) => return Ok(()),
                Err(error) => {
                    if let Some(part) = parts.into_rest() {
                        self.part(open, &part, &mut number)?;
                    }
                    return Err(error.into());
                }
            }
        }
    }

    /// Reads the games of a part in memory.
    fn part(&mut self, open: &OpenTable, part: &Part<'_>, number: &mut Option<u64>) -> Result<(), Fault> {
        let wanted = self.wanted(open, part, *number)?;
        if let Making::Hits(seeker) = &mut self.builder {
            let (found, read) = match &wanted {
                Some(wanted) => seeker.read_some(part, &open.parser, &numbers(wanted)),
                None => seeker.read_part(part, &open.parser),
            };
            let games = wanted.as_ref().map_or(seeker.games(), |wanted| wanted.len() as u64);
            if wanted.is_none() {
                self.job.metrics.add_games(games as usize);
            }
            return self.hits(open, found, games, number).and(read.map_err(Fault::from));
        }
        let Some(wanted) = wanted else {
            return self.reader(open, part.reader(&open.parser), number);
        };
        if wanted.true_count() > 0 {
            let mut rows = open.table.rows(part.reader(&open.parser)).first_game(*number);
            for is_wanted in wanted.values() {
                if !is_wanted {
                    rows.skip_game()?;
                } else if !self.game(&mut rows)? {
                    break;
                }
            }
        }
        *number = number.map(|number| number + wanted.len() as u64);
        Ok(())
    }

    /// Returns which games of a part pass the filter of roots, if there is one, and counts them.
    fn wanted(&self, open: &OpenTable, part: &Part<'_>, number: Option<u64>) -> Result<Option<BooleanArray>, Fault> {
        let (Some(heads), Some(head)) = (&open.heads, &self.job.reading.heads) else { return Ok(None) };
        let mut builder = heads.batch_builder();
        let mut rows = heads.table().rows(part.reader(&open.parser)).first_game(number);
        let mut pushed = Ok(());
        while rows.next_game(|row| pushed = std::mem::replace(&mut pushed, Ok(())).and_then(|()| builder.push(row)))? {}
        pushed?;
        let wanted = head.filter.rows(&builder.finish()?)?;
        let metrics = &self.job.metrics;
        metrics.add_games(wanted.len());
        metrics.skipped.add(wanted.len() - wanted.true_count());
        Ok(Some(wanted))
    }

    /// Adds the hits of games that match. `games` is the number of those that were read.
    fn hits(
        &mut self,
        open: &OpenTable,
        found: Vec<QuickMatch>,
        games: u64,
        number: &mut Option<u64>,
    ) -> Result<(), Fault> {
        for QuickMatch { number: at, offset, hits, .. } in found {
            for hit in hits {
                if let Making::Hits(seeker) = &mut self.builder {
                    seeker.push(&open.file, offset, number.map(|first| first + at), hit);
                }
                if self.is_full() {
                    self.flush()?;
                }
            }
        }
        *number = number.map(|number| number + games);
        Ok(())
    }

    /// Reads the games of a reader.
    fn reader<R: BufRead>(
        &mut self,
        open: &OpenTable,
        mut reader: Reader<R>,
        number: &mut Option<u64>,
    ) -> Result<(), Fault> {
        if let Making::Hits(seeker) = &mut self.builder {
            let (found, read) = seeker.read(&mut reader);
            let games = seeker.games();
            self.job.metrics.add_games(games as usize);
            return self.hits(open, found, games, number).and(read.map_err(Fault::from));
        }
        let mut rows = open.table.rows(reader).first_game(*number);
        let mut games = 0;
        let read = loop {
            match self.game(&mut rows) {
                Ok(true) => games += 1,
                Ok(false) => break Ok(()),
                Err(fault) => break Err(fault),
            }
        };
        self.job.metrics.add_games(games);
        *number = number.map(|number| number + games as u64);
        read
    }

    /// Reads a game; false if there is none.
    fn game<R: BufRead>(&mut self, rows: &mut sgf_table::Rows<R>) -> Result<bool, Fault> {
        let mut pushed = Ok(());
        let is_game = rows.next_game(|row| {
            if pushed.is_ok() {
                pushed = match &mut self.builder {
                    Making::Rows(builder) => builder.push(row).map_err(Fault::from),
                    Making::Hits(_) => Ok(()), // they are made of whole games
                };
                if pushed.is_ok() && self.is_full() {
                    pushed = self.flush();
                }
            }
        })?;
        pushed?;
        Ok(is_game)
    }

    fn is_full(&self) -> bool {
        // A filter of whole batches needs many rows at a time, even if few of them will be left.
        let is_filtered = self.job.reading.filter.is_some() && self.job.reading.heads.is_none();
        let needed = self.left.filter(|_| !is_filtered).unwrap_or(usize::MAX);
        let most = self.job.batch_rows.min(needed).max(1);
        self.builder.rows() >= most || self.builder.bytes() >= BATCH_BYTES
    }

    /// Passes on the rows so far.
    pub(crate) fn flush(&mut self) -> Result<(), Fault> {
        if self.builder.rows() == 0 {
            return Ok(());
        }
        let batch = self.job.reading.finish(self.builder.finish()?)?;
        let rows = batch.num_rows();
        if rows > 0 && !(self.emit)(batch) {
            return Err(Fault::Enough);
        }
        if let Some(left) = &mut self.left {
            *left = left.saturating_sub(rows);
            if *left == 0 {
                return Err(Fault::Enough);
            }
        }
        Ok(())
    }

    fn open(&self, name: &str, parser: Parser) -> OpenTable {
        let reading = &self.job.reading;
        let table = |options: &Options, columns: &[String]| options.table_of(&parser, columns).file(name);
        let heads = reading.heads.as_ref().map(|heads| heads.options.arrow(table(&heads.options, &heads.columns)));
        OpenTable { file: name.into(), table: table(&reading.options, &reading.columns), heads, parser }
    }
}

/// Returns the numbers of the games that are wanted.
fn numbers(wanted: &BooleanArray) -> Vec<u64> {
    (0..).zip(wanted.values()).filter_map(|(number, is_wanted)| is_wanted.then_some(number)).collect()
}

/// The start of a file, in short reads: every range of the file reads it.
struct Start<'f>(Sequential<'f>);

impl Read for Start<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = buffer.len().min(4096);
        self.0.read(&mut buffer[..most])
    }
}
