//! The threads that read files, and their queues.

use std::fmt;
use std::io::{self, BufRead};
use std::mem;
use std::ops::ControlFlow;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use serde::de::DeserializeOwned;
use sgf_stream::de::Options;
use sgf_stream::{Diagnostic, Parser};

use super::{Batch, FileError, FileGame, FileGames, Files, Input, Item};
use crate::{Exclude, Found, Limits, Name, Opener, Progress, walk};

/// Number of games that are sent together.
const BATCH: usize = 64;

/// Number of batches in the queue of a file.
const QUEUE: usize = 2;

/// A callback for diagnostics.
type Listener = Arc<dyn Fn(&Name, &Diagnostic) + Send + Sync>;

/// A callback for numbers of bytes.
type Meter = Arc<dyn Fn(u64) + Send + Sync>;

/// How a file is read.
#[derive(Clone, Default)]
pub(super) struct Reading {
    pub(super) parser: Parser,
    pub(super) limits: Limits,
    pub(super) exclude: Exclude,
    pub(super) listeners: Vec<Listener>,
    pub(super) meters: Vec<Meter>,
}

/// The files that no thread has taken.
struct Source<T> {
    files: Box<dyn Iterator<Item = Result<PathBuf, (Name, io::Error)>> + Send>,
    queues: Queues<T>,
}

/// Where the queue of a file is.
enum Queues<T> {
    /// The receiver of a queue of its own is sent here.
    InOrder(SyncSender<Receiver<Batch<T>>>),
    /// All files share one.
    AsRead(SyncSender<Batch<T>>),
}

/// The caller takes no more games.
pub(super) struct Stopped;

impl<T> Queues<T> {
    /// Returns the queue of the next file.
    fn next(&self) -> Result<SyncSender<Batch<T>>, Stopped> {
        match self {
            Queues::AsRead(batches) => Ok(batches.clone()),
            Queues::InOrder(files) => {
                let (sender, receiver) = sync_channel(QUEUE);
                files.send(receiver).map_err(|_| Stopped)?;
                Ok(sender)
            }
        }
    }
}

/// Reads an input, and passes on what is made of it.
pub(super) type Read<T> = dyn Fn(&Reading, &Name, &mut dyn BufRead, &mut Out<T>) -> Result<(), Stopped> + Send + Sync;

/// Starts the threads, which read each input with `read`.
pub(super) fn start<T: Send + 'static>(files: Files, read: Arc<Read<T>>) -> FileGames<T> {
    let Files { paths, follows_links, threads, in_order, reading } = files;
    let threads = threads.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from));
    let (queues, input) = match in_order {
        true => {
            let (sender, files) = sync_channel(threads);
            (Queues::InOrder(sender), Input::InOrder { files, file: None })
        }
        false => {
            let (sender, batches) = sync_channel(threads * QUEUE);
            (Queues::AsRead(sender), Input::AsRead(batches))
        }
    };
    let exclude = reading.exclude.clone();
    let first = Name::of(paths.first().map_or(Path::new(""), PathBuf::as_path));
    let walk = paths.into_iter().flat_map(move |path| walk::files(&path, follows_links, exclude.clone()));
    let source = Arc::new(Mutex::new(Source { files: Box::new(walk.fuse()), queues }));
    let mut failure = None;
    for n in 0..threads {
        let (source, reading, read) = (Arc::clone(&source), reading.clone(), Arc::clone(&read));
        let spawned =
            thread::Builder::new().name(format!("sgf-input {n}")).spawn(move || work(&source, &reading, &*read));
        // Fewer threads read the same files.
        if let (Err(error), 0) = (spawned, n) {
            failure = Some(Err(FileError::io(first, error)));
            break;
        }
    }
    FileGames { input, ready: failure.into_iter().collect::<Vec<_>>().into_iter() }
}

/// Reads one file after the other.
fn work<T>(source: &Mutex<Source<T>>, reading: &Reading, read: &Read<T>) {
    let mut opener = Opener::new(reading.limits).excluding(&reading.exclude);
    loop {
        let (file, queue) = {
            // While this thread waits for the caller to take a queue, the others wait for it.
            let mut source = source.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(file) = source.files.next() else { return };
            let Ok(queue) = source.queues.next() else { return };
            (file, queue)
        };
        let mut out = Out { batch: Vec::new(), queue };
        let done = panic::catch_unwind(AssertUnwindSafe(|| {
            match file {
                Ok(path) => opener.each(&path, reading, |found| match found {
                    Found::Input(input) => read(reading, input.name, input.data, &mut out),
                    Found::Unreadable(name, error) => out.push(Err(FileError::io(name.clone(), error))),
                }),
                Err((name, error)) => out.push(Err(FileError::io(name, error))),
            }?;
            out.flush()
        }));
        match done {
            Ok(Ok(())) => {}
            Ok(Err(Stopped)) => return,
            Err(panic) => {
                _ = out.flush();
                _ = out.queue.send(Err(panic)); // fails if the caller takes no more games, which is fine
                return;
            }
        }
    }
}

impl Reading {
    /// Passes on the games of an input.
    pub(super) fn games<T: DeserializeOwned>(
        &self,
        options: Options,
        name: &Name,
        data: &mut dyn BufRead,
        out: &mut Out<T>,
    ) -> Result<(), Stopped> {
        let file = Arc::new(name.clone());
        let mut parser = self.parser.clone();
        for listener in &self.listeners {
            let (listener, file) = (Arc::clone(listener), Arc::clone(&file));
            parser = parser.on_diagnostic(move |diagnostic| listener(&file, diagnostic));
        }
        let mut games = parser.reader(data).games_with::<T>(options);
        while let Some(game) = games.next() {
            let game = game.map_err(|error| FileError::game(&file, error));
            let (index, span) = (games.game_index().unwrap_or_default(), games.span());
            out.push(game.map(|value| FileGame { file: Arc::clone(&file), index, span, value }))?;
        }
        Ok(())
    }
}

/// Passes on what is made of the bytes of an input.
pub(super) fn bytes<T>(
    name: &Name,
    data: &mut dyn BufRead,
    out: &mut Out<T>,
    map: impl Fn(&Name, &[u8]) -> T,
) -> Result<(), Stopped> {
    let mut bytes = Vec::new();
    let read = data.read_to_end(&mut bytes);
    out.push(match read {
        Err(error) => Err(FileError::io(name.clone(), error)),
        Ok(_) => {
            let value = map(name, &bytes);
            Ok(FileGame { file: Arc::new(name.clone()), index: 0, span: 0..bytes.len() as u64, value })
        }
    })
}

/// Passes on what is made of the stream of an input.
pub(super) fn stream<T>(
    name: &Name,
    data: &mut dyn BufRead,
    out: &mut Out<T>,
    read: impl Fn(&Name, &mut dyn BufRead, &mut Outputs<'_, T>) -> io::Result<()>,
) -> Result<(), Stopped> {
    let mut outputs = Outputs { file: Arc::new(name.clone()), sent: 0, out, stopped: false };
    let read = read(name, data, &mut outputs);
    match (outputs.stopped, read) {
        (true, _) => Err(Stopped),
        (false, Ok(())) => Ok(()),
        (false, Err(error)) => out.push(Err(FileError::io(name.clone(), error))),
    }
}

/// Sends the values of a file to the caller. See [`Files::map_inputs`].
pub struct Outputs<'a, T> {
    file: Arc<Name>,
    sent: u64,
    out: &'a mut Out<T>,
    stopped: bool,
}

impl<T> Outputs<'_, T> {
    /// Sends a value to the caller, and waits while two are not taken.
    ///
    /// Returns `Break` if the caller takes no more.
    pub fn send(&mut self, value: T) -> ControlFlow<()> {
        if !self.stopped {
            let game = FileGame { file: Arc::clone(&self.file), index: self.sent, span: 0..0, value };
            self.sent += 1;
            self.stopped = self.out.push(Ok(game)).and_then(|()| self.out.flush()).is_err();
        }
        if self.stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl<T> fmt::Debug for Outputs<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outputs").field("file", &self.file).field("sent", &self.sent).finish_non_exhaustive()
    }
}

/// The games of a file on their way to the caller.
pub(super) struct Out<T> {
    batch: Vec<Item<T>>,
    queue: SyncSender<Batch<T>>,
}

impl<T> Out<T> {
    fn push(&mut self, item: Item<T>) -> Result<(), Stopped> {
        self.batch.push(item);
        if self.batch.len() < BATCH { Ok(()) } else { self.flush() }
    }

    /// Sends the games; waits while the queue is full.
    fn flush(&mut self) -> Result<(), Stopped> {
        if self.batch.is_empty() {
            return Ok(());
        }
        self.queue.send(Ok(mem::take(&mut self.batch))).map_err(|_| Stopped)
    }
}

impl Progress for Reading {
    fn advance(&self, bytes: u64) {
        self.meters.iter().for_each(|meter| meter(bytes));
    }
}
