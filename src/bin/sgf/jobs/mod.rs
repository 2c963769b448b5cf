//! Parallel processing of inputs.
//!
//! The thread that calls [`run`] cuts the inputs into [`Item`]s, in order: a small file is one item, unopened;
//! larger files, archives and pipes are read and cut into parts of whole games. Several items make a task
//! ([`Tasks`]) for any thread, and the results are taken in the order of the inputs. So the output does not depend
//! on the number of threads, and memory is bounded by the tasks in progress.
//!
//! A [`Work`] processes items. Games too long for a part are read by the cutting thread.

use std::fs;
use std::io::{self, BufRead, Read};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sgf_stream::Parser;
use sgf_stream::charset::Charset;
use sgf_stream::parallel::{LongGame, Next, Part, Parts, Tasks};

use crate::failure::Failure;
use crate::input::{self, Found, Name, Opener, Paths};
use crate::progress::Progress;

/// Approximate number of bytes in a task.
const TASK: u64 = 512 * 1024;

/// Maximum length of a file that is opened by the thread that processes it.
const SMALL: u64 = 1 << 20;

/// Maximum number of items in a task, however small they are.
const MAX_ITEMS: usize = 256;

/// Maximum length of a game in a part: parts are kept in memory, several for each thread.
const LONG: usize = 1 << 20;

/// The number of worker threads.
#[derive(clap::Args)]
pub(crate) struct Threads {
    /// Number of threads. Default: one for each core.
    ///
    /// The output does not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Threads {
    /// Installs the thread pool. Call once, before any other function of this module.
    pub(crate) fn set(&self) -> Result<(), Failure> {
        let Some(threads) = self.threads else { return Ok(()) };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.into());
        pool.build_global().map_err(|error| Failure::Threads(error.to_string()))
    }
}

/// Processing of inputs, shared by all threads.
pub(crate) trait Work: Send + Sync + 'static {
    /// The way to read the parts of an input.
    type How: Clone + Send + 'static;
    /// The result of some items.
    type Done: Send + 'static;

    /// Returns an empty result.
    fn begin(&self) -> Self::Done;

    /// Whether a file is to be read. Default: all files are.
    fn wants(&self, path: &Path) -> bool {
        let _ = path;
        true
    }

    /// Returns the parser that cuts inputs. It has no listener.
    fn parser(&self) -> Parser;

    /// Returns the bytes of an input to parse, and the way to read them.
    fn open<'d>(&self, data: &'d mut dyn BufRead) -> io::Result<(Self::How, Box<dyn Read + 'd>)>;

    /// Processes some games of an input.
    fn part(&self, name: &Name, how: &Self::How, part: &Part<'_>, done: &mut Self::Done);

    /// Processes a game that is too long for a part.
    fn long(&self, name: &Name, how: &Self::How, game: LongGame<'_, Bytes<'_>>, done: &mut Self::Done);

    /// Ends an input that was read to its end, or to an error. `detected` is its detected charset, if any.
    fn end(
        &self,
        name: &Name,
        how: Option<&Self::How>,
        detected: Option<Charset>,
        result: io::Result<()>,
        done: &mut Self::Done,
    );
}

/// The reader that parts are cut from.
type Bytes<'d> = Box<dyn Read + 'd>;

/// Processes all inputs. `take` gets the results, in the order of the inputs.
pub(crate) fn run<W: Work, E>(
    work: W,
    paths: &Paths,
    progress: &Arc<Progress>,
    take: impl FnMut(W::Done) -> Result<(), E>,
) -> Result<(), E> {
    let shared = Arc::new(Shared { work, limits: paths.limits, progress: Arc::clone(progress) });
    let mut dispatcher = Dispatcher { shared, tasks: Tasks::new(), items: Vec::new(), len: 0, take };
    for file in paths.walk() {
        match file {
            Err((name, error)) => {
                dispatcher.add(Item::End { name, how: None, detected: None, result: Err(error) }, 0)?
            }
            Ok(path) if !dispatcher.shared.work.wants(&path) => {}
            Ok(path) => match small_len(&path) {
                Some(len) => dispatcher.add(Item::File(path), len)?,
                None => dispatcher.read(&path)?,
            },
        }
    }
    dispatcher.finish()
}

/// Returns the length of a small file.
///
/// Compressed files have none here, since they can unpack to any length.
fn small_len(path: &Path) -> Option<u64> {
    if !input::has_plain_name(path) {
        return None;
    }
    let metadata = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    Some(metadata.len()).filter(|&len| len <= SMALL)
}

/// A unit of work.
enum Item<H> {
    /// A small file, with all its inputs.
    File(PathBuf),
    Part {
        name: Name,
        how: H,
        part: Part<'static>,
    },
    End {
        name: Name,
        how: Option<H>,
        detected: Option<Charset>,
        result: io::Result<()>,
    },
}

/// State that the threads share.
struct Shared<W> {
    work: W,
    limits: input::Limits,
    progress: Arc<Progress>,
}

impl<W: Work> Shared<W> {
    /// Processes the items of a task.
    fn process(&self, items: Vec<Item<W::How>>) -> W::Done {
        let mut done = self.work.begin();
        let mut opener = None;
        for item in items {
            match item {
                Item::Part { name, how, part } => self.work.part(&name, &how, &part, &mut done),
                Item::End { name, how, detected, result } => {
                    self.work.end(&name, how.as_ref(), detected, result, &mut done)
                }
                Item::File(path) => {
                    let opener = opener.get_or_insert_with(|| Opener::new(self.limits));
                    let mut inline = Inline { work: &self.work, done: &mut done };
                    let Ok(()) = opener.each(&path, &self.progress, |found| cut(&self.work, found, &mut inline));
                }
            }
        }
        done
    }
}

/// Receiver of items.
trait Receiver<W: Work> {
    type Error;

    fn item(&mut self, item: Item<W::How>, len: u64) -> Result<(), Self::Error>;

    fn long(&mut self, name: &Name, how: &W::How, game: LongGame<'_, Bytes<'_>>) -> Result<(), Self::Error>;
}

/// Cuts an input into items.
fn cut<W: Work, C: Receiver<W>>(work: &W, found: Found<'_>, receiver: &mut C) -> Result<(), C::Error> {
    let input = match found {
        Found::Input(input) => input,
        Found::Unreadable(name, error) => {
            return receiver.item(Item::End { name: name.clone(), how: None, detected: None, result: Err(error) }, 0);
        }
    };
    let name = input.name.clone();
    let (how, bytes) = match work.open(input.data) {
        Ok(opened) => opened,
        Err(error) => return receiver.item(Item::End { name, how: None, detected: None, result: Err(error) }, 0),
    };
    let mut parts: Parts<Bytes<'_>> = work.parser().max_game_len(LONG).parts(bytes).part_len(TASK as usize);
    let detected;
    let result = loop {
        match parts.next_part() {
            Ok(None) => {
                detected = parts.detected_charset();
                break Ok(());
            }
            Ok(Some(Next::Part(part))) => {
                let len = part.bytes().len() as u64;
                receiver.item(Item::Part { name: name.clone(), how: how.clone(), part }, len)?;
            }
            Ok(Some(Next::Long(game))) => receiver.long(&name, &how, game)?,
            Err(error) => {
                detected = parts.detected_charset();
                // Games that are complete count in spite of the error.
                if let Some(part) = parts.into_rest() {
                    let len = part.bytes().len() as u64;
                    receiver.item(Item::Part { name: name.clone(), how: how.clone(), part }, len)?;
                }
                break Err(error);
            }
        }
    };
    receiver.item(Item::End { name, how: Some(how), detected, result }, 0)
}

/// Processes items on this thread.
struct Inline<'w, W: Work> {
    work: &'w W,
    done: &'w mut W::Done,
}

impl<W: Work> Receiver<W> for Inline<'_, W> {
    type Error = std::convert::Infallible;

    fn item(&mut self, item: Item<W::How>, _: u64) -> Result<(), Self::Error> {
        match item {
            Item::Part { name, how, part } => self.work.part(&name, &how, &part, self.done),
            Item::End { name, how, detected, result } => {
                self.work.end(&name, how.as_ref(), detected, result, self.done)
            }
            Item::File(_) => {} // only open files are cut
        }
        Ok(())
    }

    fn long(&mut self, name: &Name, how: &W::How, game: LongGame<'_, Bytes<'_>>) -> Result<(), Self::Error> {
        self.work.long(name, how, game, self.done);
        Ok(())
    }
}

/// Passes items to other threads, and takes their results in order.
struct Dispatcher<W: Work, F> {
    shared: Arc<Shared<W>>,
    tasks: Tasks<W::Done>,
    /// The items of the next task, and their length in bytes.
    items: Vec<Item<W::How>>,
    len: u64,
    take: F,
}

impl<W: Work, E, F: FnMut(W::Done) -> Result<(), E>> Dispatcher<W, F> {
    /// Adds an item of `len` bytes.
    fn add(&mut self, item: Item<W::How>, len: u64) -> Result<(), E> {
        self.items.push(item);
        self.len += len;
        if self.len >= TASK || self.items.len() >= MAX_ITEMS { self.submit() } else { Ok(()) }
    }

    /// Reads a large file, or standard input.
    fn read(&mut self, path: &Path) -> Result<(), E> {
        let shared = Arc::clone(&self.shared);
        let mut opener = Opener::new(shared.limits);
        opener.each(path, &shared.progress, |found| cut(&shared.work, found, self))
    }

    /// Makes a task of the items, when there is room for one.
    fn submit(&mut self) -> Result<(), E> {
        self.len = 0;
        let items = mem::take(&mut self.items);
        if items.is_empty() {
            return Ok(());
        }
        self.make_room()?;
        let shared = Arc::clone(&self.shared);
        self.tasks.give(move || shared.process(items));
        Ok(())
    }

    fn make_room(&mut self) -> Result<(), E> {
        while self.tasks.is_full() {
            self.tasks.next().map_or(Ok(()), &mut self.take)?;
        }
        Ok(())
    }

    fn finish(mut self) -> Result<(), E> {
        self.submit()?;
        self.tasks.try_for_each(self.take)
    }
}

impl<W: Work, E, F: FnMut(W::Done) -> Result<(), E>> Receiver<W> for Dispatcher<W, F> {
    type Error = E;

    fn item(&mut self, item: Item<W::How>, len: u64) -> Result<(), E> {
        self.add(item, len)
    }

    fn long(&mut self, name: &Name, how: &W::How, game: LongGame<'_, Bytes<'_>>) -> Result<(), E> {
        self.submit()?;
        self.make_room()?;
        let mut done = self.shared.work.begin();
        self.shared.work.long(name, how, game, &mut done);
        self.tasks.give_done(done);
        Ok(())
    }
}
