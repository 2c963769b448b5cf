//! Units: files, and ranges of large ones, which are read one by one.

use std::any::Any;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufRead, Read};
use std::ops::{ControlFlow, Range};
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use sgf_input::{Exclude, Found, HEAD, Limits, Name, Opener, Progress, files, is_packed};
use sgf_stream::charset::{Decoding, OpenedReader};
use sgf_stream::parts::{Part, Parts};
use sgf_stream::{Error, Parser};

use crate::games::{GameId, GameReader};
use crate::random;
use crate::settings::Settings;
use crate::skipped::{Reason, Skipped};
use crate::store::Batch;

/// The length of a range of a large file.
const RANGE: u64 = 256 << 10;

/// Number of positions in a piece, so that memory is bounded for long games too.
const PIECE: usize = 4096;

/// Number of pieces of a unit that wait to be taken.
const WAITING: usize = 2;

/// How long the caller waits before it is asked whether it goes on.
const PATIENCE: Duration = Duration::from_millis(100);

/// A file, or a range of its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unit {
    pub(crate) path: PathBuf,
    /// A hash of its name below the path that was given, its length and the range: the same in every directory and process.
    pub(crate) hash: u64,
    range: Option<Range<u64>>,
    /// The number of the file.
    pub(crate) file: u32,
    /// The number of the unit among all.
    number: u64,
}

/// Lists the units of paths. They depend on the names and sizes of files alone.
pub(crate) fn plan(paths: &[PathBuf], exclude: &Exclude) -> Result<(Vec<Unit>, Vec<PathBuf>), (Name, io::Error)> {
    let (mut units, mut all) = (Vec::new(), Vec::new());
    let found = paths.iter().flat_map(|root| {
        let paths = files(root, false, exclude.clone());
        paths.map(move |path| path.map(|path| (root, path)))
    });
    for found in found {
        let (root, path) = found?;
        let len = path.metadata().map_err(|error| (Name::of(&path), error))?.len();
        let file = all.len() as u32;
        let name = name_below(root, &path);
        let mut push = |range: Option<Range<u64>>| {
            let hash = random::hash(&[&name[..], format!(" {len} {range:?}").as_bytes()].concat());
            units.push(Unit { path: path.clone(), hash, range, file, number: units.len() as u64 });
        };
        match len > 2 * RANGE && is_plain(&path).map_err(|error| (Name::of(&path), error))? {
            true => (0..len).step_by(RANGE as usize).for_each(|start| push(Some(start..(start + RANGE).min(len)))),
            false => push(None),
        }
        all.push(path);
    }
    Ok((units, all))
}

/// Returns the name of a file below a root, with `/` between its parts. A root that is the file itself keeps its last part.
fn name_below(root: &Path, path: &Path) -> Vec<u8> {
    let below = path.strip_prefix(root).ok().filter(|below| !below.as_os_str().is_empty());
    let below = below.or_else(|| path.file_name().map(Path::new)).unwrap_or(path);
    let parts: Vec<&[u8]> = below.iter().map(OsStr::as_encoded_bytes).collect();
    parts.join(&b'/')
}

/// Returns whether byte ranges of a file can be read: it is not compressed, and its brackets are those of ASCII.
fn is_plain(path: &Path) -> io::Result<bool> {
    let mut head = Vec::new();
    File::open(path)?.take(HEAD as u64).read_to_end(&mut head)?;
    let charset = Decoding::new().reader(&head[..]).charset()?;
    Ok(!is_packed(&head, &Name::of(path)) && charset.is_ascii_compatible())
}

/// Some positions of a unit.
pub(crate) struct Piece {
    pub(crate) batch: Batch,
    pub(crate) skipped: Skipped,
    pub(crate) errors: Vec<Unreadable>,
}

/// Why the rest of a file cannot be read.
pub(crate) struct Unreadable {
    /// The number of a file that is read in ranges, which may all fail.
    pub(crate) file: Option<u32>,
    pub(crate) message: String,
}

/// A piece, or the panic of the thread that read the unit.
type Sent = Result<Piece, Box<dyn Any + Send>>;

/// The pieces of units, in order, read in threads.
pub(crate) struct Pieces {
    units: Receiver<Receiver<Sent>>,
    unit: Option<Receiver<Sent>>,
    /// The number of the next unit, in the order of this epoch.
    next: u64,
}

/// The units that no thread has taken, and where their queues go.
struct Source {
    units: std::vec::IntoIter<Unit>,
    queues: SyncSender<Receiver<Sent>>,
}

impl Pieces {
    /// Starts to read units, of which the first has this number.
    pub(crate) fn start(first: u64, units: Vec<Unit>, settings: &Arc<Settings>) -> io::Result<Self> {
        let (queues, receiver) = sync_channel(settings.threads);
        let source = Arc::new(Mutex::new(Source { units: units.into_iter(), queues }));
        for n in 0..settings.threads {
            let (source, settings) = (Arc::clone(&source), Arc::clone(settings));
            thread::Builder::new().name(format!("sgf-training {n}")).spawn(move || work(&source, &settings))?;
        }
        Ok(Pieces { units: receiver, unit: None, next: first })
    }

    /// Returns the next piece of the current unit; `None` at its end. Breaks if the caller does not go on waiting.
    ///
    /// # Panics
    ///
    /// Panics if the thread that reads the unit did.
    pub(crate) fn next(&mut self, goes_on: &mut dyn FnMut() -> bool) -> ControlFlow<(), Option<Piece>> {
        let Some(unit) = &self.unit else { return ControlFlow::Continue(None) };
        let sent = received(unit, goes_on)?;
        ControlFlow::Continue(sent.map(|sent| sent.unwrap_or_else(|panic| panic::resume_unwind(panic))))
    }

    /// Goes on to the next unit, and returns its number; `None` after the last one. Breaks if the caller does not go on waiting.
    pub(crate) fn next_unit(&mut self, goes_on: &mut dyn FnMut() -> bool) -> ControlFlow<(), Option<u64>> {
        self.unit = received(&self.units, goes_on)?;
        let number = self.next;
        self.next += u64::from(self.unit.is_some());
        ControlFlow::Continue(self.unit.as_ref().map(|_| number))
    }
}

/// Waits for an item; `None` after the last one. Breaks if the caller does not go on waiting.
fn received<T>(queue: &Receiver<T>, goes_on: &mut dyn FnMut() -> bool) -> ControlFlow<(), Option<T>> {
    loop {
        if !goes_on() {
            return ControlFlow::Break(());
        }
        match queue.recv_timeout(PATIENCE) {
            Ok(item) => return ControlFlow::Continue(Some(item)),
            Err(RecvTimeoutError::Disconnected) => return ControlFlow::Continue(None),
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// Reads one unit after the other.
fn work(source: &Mutex<Source>, settings: &Settings) {
    let mut reader = UnitReader {
        games: GameReader::new(settings),
        opener: Opener::new(Limits::default()).excluding(&settings.exclude),
        parser: sgf_input::limited(Parser::new()).charset(Decoding::new()),
    };
    loop {
        let (unit, queue) = {
            let mut source = source.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(unit) = source.units.next() else { return };
            let (queue, receiver) = sync_channel(WAITING);
            if source.queues.send(receiver).is_err() {
                return; // nobody takes more
            }
            (unit, queue)
        };
        match panic::catch_unwind(AssertUnwindSafe(|| reader.unit(&unit, &queue))) {
            Ok(ControlFlow::Continue(())) => {}
            Ok(ControlFlow::Break(())) => return,
            Err(panic) => {
                _ = queue.send(Err(panic)); // fails if the caller takes no more, which is fine
                return;
            }
        }
    }
}

struct UnitReader<'s> {
    games: GameReader<'s>,
    opener: Opener,
    parser: Parser,
}

/// What is read of a unit, on its way to the caller.
struct Out<'q> {
    now: (Batch, Skipped),
    errors: Vec<Unreadable>,
    queue: &'q SyncSender<Sent>,
    /// The number of games of the unit so far.
    games: u64,
}

impl Out<'_> {
    fn send(now: &mut (Batch, Skipped), errors: &mut Vec<Unreadable>, queue: &SyncSender<Sent>) -> bool {
        let (batch, skipped) = std::mem::take(now);
        queue.send(Ok(Piece { batch, skipped, errors: std::mem::take(errors) })).is_ok()
    }

    fn fail(&mut self, unit: &Unit, name: &Name, error: &Error) {
        let file = unit.range.is_some().then_some(unit.file);
        let reason = match error {
            Error::Io(error) => sgf_input::reason(error),
            error => error.to_string(),
        };
        self.errors.push(Unreadable { file, message: format!("{name}: {reason}") });
    }
}

impl UnitReader<'_> {
    /// Reads a unit. Breaks if the caller takes no more.
    fn unit(&mut self, unit: &Unit, queue: &SyncSender<Sent>) -> ControlFlow<()> {
        let mut out = Out { now: (Batch::default(), Skipped::default()), errors: Vec::new(), queue, games: 0 };
        match &unit.range {
            Some(range) => match self.range(unit, range.clone(), &mut out) {
                Ok(flow) => flow?,
                Err(error) => out.fail(unit, &Name::of(&unit.path), &error),
            },
            None => {
                let mut opener = std::mem::replace(&mut self.opener, Opener::new(Limits::default()));
                let read = opener.each(&unit.path, &NoProgress, |found| match found {
                    Found::Input(input) => match self.stream(unit, input.data, &mut out) {
                        Ok(ControlFlow::Continue(())) => Ok(()),
                        Ok(ControlFlow::Break(())) => Err(()),
                        Err(error) => {
                            out.fail(unit, input.name, &error);
                            Ok(())
                        }
                    },
                    Found::Unreadable(name, error) => {
                        out.fail(unit, name, &error.into());
                        Ok(())
                    }
                });
                self.opener = opener;
                if read.is_err() {
                    return ControlFlow::Break(());
                }
            }
        }
        match Out::send(&mut out.now, &mut out.errors, queue) {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    }

    /// Reads the games that start in a range of a file.
    fn range(&mut self, unit: &Unit, range: Range<u64>, out: &mut Out<'_>) -> Result<ControlFlow<()>, Error> {
        let file = File::open(&unit.path)?;
        let parser = self.parser.clone();
        let split = parser.split(&file);
        let range = split.range(range)?;
        if range.is_empty() {
            return Ok(ControlFlow::Continue(()));
        }
        self.parts(unit, range.parts(&parser), &parser, out)
    }

    /// Reads the games of a stream.
    fn stream(&mut self, unit: &Unit, data: &mut dyn BufRead, out: &mut Out<'_>) -> Result<ControlFlow<()>, Error> {
        match Decoding::new().open(data)? {
            OpenedReader::Bytes(whole, _) => {
                let parser = self.parser.clone();
                self.parts(unit, parser.parts(whole), &parser, out)
            }
            OpenedReader::Text(mut text) => {
                let parser = self.parser.clone().charset(Decoding::utf8().transcoded_from(text.charset()?));
                self.parts(unit, parser.parts(text), &parser, out)
            }
        }
    }

    /// Reads the games of parts that a parser has cut.
    fn parts(
        &mut self,
        unit: &Unit,
        parts: Parts<impl Read>,
        parser: &Parser,
        out: &mut Out<'_>,
    ) -> Result<ControlFlow<()>, Error> {
        for part in parts.part_len(RANGE as usize) {
            match part {
                Ok(part) => {
                    if self.part(unit, &part, parser, out)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
                Err(Error::Syntax(error)) if !error.is_final() => {
                    out.games += 1;
                    out.now.1.add(Reason::TooLong);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn part(
        &mut self,
        unit: &Unit,
        part: &Part<'_>,
        parser: &Parser,
        out: &mut Out<'_>,
    ) -> Result<ControlFlow<()>, Error> {
        let id = GameId { file: unit.file, seed: [unit.number, out.games] };
        let Out { now, errors, queue, .. } = out;
        let read = self.games.part(part, parser, id, now, |now| now.0.len() < PIECE || Out::send(now, errors, queue));
        let (games, goes_on) = read?;
        out.games += games;
        // A part without positions is sent too, so that the thread ends if nobody takes more.
        let goes_on = goes_on && (!now.0.is_empty() || Out::send(now, errors, queue));
        Ok(if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
    }
}

struct NoProgress;

impl Progress for NoProgress {
    fn advance(&self, _: u64) {}
}
