//! Parallel processing of inputs: the one reader of all commands that read archives.
//!
//! The thread that calls [`run`] cuts the inputs into [`Item`]s, in order: a small file is one item, unopened;
//! larger files, archives and pipes are opened ([`Input`]) and cut into parts of whole games. Several items make a task
//! for any thread, and the results are taken in the order of the inputs. So the output does not depend
//! on the number of threads, and memory is bounded by the tasks in progress.
//!
//! A [`Work`] says how inputs are read ([`Reading`]), and makes results of their games ([`Games`]). A result that grows
//! beyond the memory of the games is passed on in [`Steps`]: a thread that is ahead of the others waits until its step can
//! be taken. Games too long for a part are read by the cutting thread. [`Buffers`] of output are used again.

mod buffers;
mod games;
mod input;

use std::collections::VecDeque;
use std::convert::Infallible;
use std::fs;
use std::io;
use std::mem;
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use sgf_stream::Error;
use sgf_stream::parallel::Tasks;
use sgf_stream::parts::{LongGame, Next, Part, Parts};

pub(crate) use self::buffers::Buffers;
pub(crate) use self::games::{GameBytes, Games};
pub(crate) use self::input::{Bytes, Input, Reading, Transcoding};
use crate::failure::{self, Failure};
use crate::input::{Exclude, Found, Limits, Name, Opener, Paths, has_plain_name};
use crate::progress::Progress;

/// Maximum length of a file that is opened by the thread that processes it.
const SMALL: u64 = 1 << 20;

/// Maximum number of items in a task, however small they are.
const MAX_ITEMS: usize = 256;

/// The number of worker threads.
#[derive(clap::Args)]
pub(crate) struct Threads {
    /// Number of threads. Default: one per core.
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
    /// The result of some items.
    type Done: Send + 'static;

    /// Returns an empty result.
    fn begin(&self) -> Self::Done;

    /// Returns how inputs are read.
    fn reading(&self) -> Reading;

    /// Whether a file is to be read. Default: all files are.
    fn wants(&self, path: &Path) -> bool {
        let _ = path;
        true
    }

    /// Why an input is not even read, if it is not. The rest of its file is not read either, and the reason ends the file.
    /// Default: all inputs are read.
    fn refuses(&self, found: &crate::input::Input<'_>) -> Option<io::Error> {
        let _ = found;
        None
    }

    /// Processes some games of an input.
    ///
    /// That an input has no SGF data is [noted](failure::note_no_sgf) here. Commands ignore that error.
    ///
    /// Results that may take many times the memory of the games are to be [passed on](Steps::pass_on) in steps.
    fn read(&self, input: &Arc<Input>, games: Games<'_, '_>, done: &mut Steps<'_, Self::Done>);

    /// Ends an input that was read to its end, or to an error. `None` if it could not be opened. Default: does nothing.
    fn end(&self, name: &Name, input: Option<&Arc<Input>>, result: io::Result<()>, done: &mut Self::Done) {
        let _ = (name, input, result, done);
    }
}

/// A result in the making, which may have to be taken in steps, so that memory does not grow with it.
pub(crate) struct Steps<'s, D> {
    done: &'s mut D,
    /// Takes a step, when all results before it have been taken. Returns whether more are wanted.
    take: &'s mut dyn FnMut(D) -> bool,
}

impl<D> Steps<'_, D> {
    /// Passes on a step, which `split_off` takes from the result so far. Returns whether to go on.
    pub(crate) fn pass_on(&mut self, split_off: impl FnOnce(&mut D) -> D) -> bool {
        (self.take)(split_off(self.done))
    }
}

impl<D> Deref for Steps<'_, D> {
    type Target = D;

    fn deref(&self) -> &D {
        self.done
    }
}

impl<D> DerefMut for Steps<'_, D> {
    fn deref_mut(&mut self) -> &mut D {
        self.done
    }
}

/// Processes all inputs. `take` gets the results, in the order of the inputs.
pub(crate) fn run<W: Work, E>(
    work: W,
    paths: &Paths,
    progress: &Arc<Progress>,
    take: impl FnMut(W::Done) -> Result<(), E>,
) -> Result<(), E> {
    let mut is_empty = true;
    run_files(work, paths.walk().inspect(|_| is_empty = false), paths, progress, take)?;
    if is_empty {
        failure::note_no_input(&paths.paths);
    }
    Ok(())
}

/// Like [`run`], for these files of `paths`.
pub(crate) fn run_files<W: Work, E>(
    work: W,
    files: impl IntoIterator<Item = Result<PathBuf, (Name, io::Error)>>,
    paths: &Paths,
    progress: &Arc<Progress>,
    take: impl FnMut(W::Done) -> Result<(), E>,
) -> Result<(), E> {
    let mut dispatcher = Dispatcher::new(work, paths.limits, paths.exclude.clone(), progress, take);
    for file in files {
        match file {
            Err((name, error)) => dispatcher.add(Item::End { name, input: None, result: Err(error) }, 0)?,
            Ok(path) if !dispatcher.shared.work.wants(&path) => {}
            Ok(path) => match small_len(&path) {
                Some(len) => dispatcher.add(Item::File(path), len)?,
                None => dispatcher.read(&path)?,
            },
        }
    }
    dispatcher.finish()
}

/// Processes one input that was opened by the caller. `take` gets the results, in order.
pub(crate) fn run_input<W: Work, E>(
    work: W,
    found: Found<'_>,
    limits: Limits,
    progress: &Arc<Progress>,
    take: impl FnMut(W::Done) -> Result<(), E>,
) -> Result<(), E> {
    // It is open, so nothing of it is left to exclude.
    let mut dispatcher = Dispatcher::new(work, limits, Exclude::default(), progress, take);
    cut(&Arc::clone(&dispatcher.shared).reading, found, &mut dispatcher)?;
    dispatcher.finish()
}

/// Returns the length of a small file.
///
/// Compressed files have none here, since they can unpack to any length.
fn small_len(path: &Path) -> Option<u64> {
    if !has_plain_name(path) {
        return None;
    }
    let metadata = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    Some(metadata.len()).filter(|&len| len <= SMALL)
}

/// A unit of work.
enum Item {
    /// A small file, with all its inputs.
    File(PathBuf),
    Part(Arc<Input>, Part<'static>),
    End {
        name: Name,
        input: Option<Arc<Input>>,
        result: io::Result<()>,
    },
}

/// Some items, and where their results go.
struct Task<D> {
    items: Vec<Item>,
    results: SyncSender<D>,
}

/// State that the threads share.
struct Shared<W: Work> {
    work: W,
    reading: Reading,
    limits: Limits,
    exclude: Exclude,
    progress: Arc<Progress>,
    /// Tasks that are not yet begun. They are begun in order: a thread waits only for results of tasks that others have
    /// begun.
    waiting: Mutex<VecDeque<Task<W::Done>>>,
}

impl<W: Work> Shared<W> {
    fn opener(&self) -> Opener {
        Opener::new(self.limits).excluding(&self.exclude)
    }

    fn waiting(&self) -> impl DerefMut<Target = VecDeque<Task<W::Done>>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Processes the next task.
    fn process_next(&self) {
        let task = self.waiting().pop_front();
        let Some(Task { items, results }) = task else { return };
        let mut done = self.work.begin();
        // Sending fails if no more results are wanted.
        self.process(items, &mut Steps { done: &mut done, take: &mut |step| results.send(step).is_ok() });
        _ = results.send(done);
    }

    /// Processes the items of a task.
    fn process(&self, items: Vec<Item>, steps: &mut Steps<'_, W::Done>) {
        let mut inline = Inline { work: &self.work, steps };
        let mut opener = None;
        for item in items {
            let Ok(()) = match item {
                Item::File(path) => self.each(opener.get_or_insert_with(|| self.opener()), &path, &mut inline),
                item => inline.item(item, 0),
            };
        }
    }

    /// Cuts the inputs in a file into items.
    fn each<C: Receive>(&self, opener: &mut Opener, path: &Path, receiver: &mut C) -> Result<(), C::Error> {
        let mut is_refused = false;
        opener.each(path, &*self.progress, |found| {
            if let Found::Input(input) = &found
                && !is_refused
                && let Some(why) = self.work.refuses(input)
            {
                is_refused = true;
                return receiver.item(Item::End { name: Name::of(path), input: None, result: Err(why) }, 0);
            }
            if is_refused { Ok(()) } else { cut(&self.reading, found, receiver) }
        })
    }
}

/// Receiver of items.
trait Receive {
    type Error;

    fn item(&mut self, item: Item, len: u64) -> Result<(), Self::Error>;

    fn long(&mut self, input: &Arc<Input>, game: LongGame<'_, Bytes<'_>>) -> Result<(), Self::Error>;
}

/// Cuts an input into items.
fn cut<C: Receive>(reading: &Reading, found: Found<'_>, receiver: &mut C) -> Result<(), C::Error> {
    let unreadable = |name, error| Item::End { name, input: None, result: Err(error) };
    let found = match found {
        Found::Input(found) => found,
        Found::Unreadable(name, error) => return receiver.item(unreadable(name.clone(), error), 0),
    };
    let name = found.name.clone();
    let (input, bytes) = match reading.open(found.name, found.place().ok(), found.data) {
        Ok((input, bytes)) => (Arc::new(input), bytes),
        Err(error) => return receiver.item(unreadable(name, error), 0),
    };
    let parts: Parts<Bytes<'_>> = input.parser.clone().max_game_len(reading.max_game_len).parts(bytes);
    let mut parts = parts.part_len(reading.part_len).whole_pieces();
    let mut games = 0;
    let give = |part: Part<'static>, games: &mut u64, receiver: &mut C| {
        // A file of one part has no other games that would have to know its first one.
        if reading.notes_start && !(part.is_last() && part.span().start == 0) {
            input.stream_start().note(&input.parser, &part);
        }
        if reading.counts_games {
            input.set_games_before(part.span().start, *games);
            *games += part.game_count(&input.parser);
        }
        let len = part.bytes().len() as u64;
        receiver.item(Item::Part(Arc::clone(&input), part), len)
    };
    let result = loop {
        match parts.next_part() {
            Ok(None) => break Ok(()),
            Ok(Some(Next::Part(part))) => {
                input.set_detected(parts.detected_charset());
                give(part, &mut games, receiver)?;
            }
            Ok(Some(Next::Long(game))) => {
                input.set_detected(game.detected_charset());
                input.set_games_before(game.position().offset, games);
                games += 1;
                receiver.long(&input, game)?;
            }
            Err(error) => break Err(error),
        }
    };
    input.set_detected(parts.detected_charset());
    // Games that are complete count in spite of an error.
    if result.is_err()
        && let Some(part) = parts.into_rest()
    {
        give(part, &mut games, receiver)?;
    }
    receiver.item(Item::End { name, input: Some(input), result }, 0)
}

/// Returns whether a stream that ends with a part has no SGF data.
fn has_no_sgf(input: &Input, part: &Part<'_>) -> bool {
    let starts_with_game = part.bytes().trim_ascii_start().starts_with(b"(;");
    !starts_with_game && matches!(part.reader(&input.parser).skip_game(), Err(Error::Syntax(error)) if error.is_final())
}

/// Processes items on this thread.
struct Inline<'i, 's, W: Work> {
    work: &'i W,
    steps: &'i mut Steps<'s, W::Done>,
}

impl<W: Work> Receive for Inline<'_, '_, W> {
    type Error = Infallible;

    fn item(&mut self, item: Item, _: u64) -> Result<(), Infallible> {
        match item {
            Item::Part(input, part) => {
                let is_raw = || {
                    // Its brackets are not ASCII.
                    let is_wide = input.transcoded.is_some();
                    is_wide && matches!(self.work.reading().transcoding, Transcoding::Unchanged)
                };
                if part.is_last() && has_no_sgf(&input, &part) && !is_raw() {
                    failure::note_no_sgf(&input.name);
                }
                self.work.read(&input, Games::Part(&part), self.steps);
            }
            Item::End { name, input, result } => self.work.end(&name, input.as_ref(), result, self.steps),
            Item::File(_) => {} // only open files are cut
        }
        Ok(())
    }

    fn long(&mut self, input: &Arc<Input>, game: LongGame<'_, Bytes<'_>>) -> Result<(), Infallible> {
        // Only a file that has grown since it was found to be small has one.
        self.work.read(input, Games::Long(game), self.steps);
        Ok(())
    }
}

/// Passes items to other threads, and takes their results in order.
struct Dispatcher<W: Work, F> {
    shared: Arc<Shared<W>>,
    tasks: Tasks<()>,
    /// The results of these tasks, in order.
    results: VecDeque<Receiver<W::Done>>,
    /// The items of the next task, and their length in bytes.
    items: Vec<Item>,
    len: u64,
    take: F,
}

impl<W: Work, E, F: FnMut(W::Done) -> Result<(), E>> Dispatcher<W, F> {
    fn new(work: W, limits: Limits, exclude: Exclude, progress: &Arc<Progress>, take: F) -> Self {
        let (reading, progress) = (work.reading(), Arc::clone(progress));
        let shared = Arc::new(Shared { work, reading, limits, exclude, progress, waiting: Mutex::default() });
        let tasks = Tasks::new().unordered(); // the results are ordered here
        Dispatcher { shared, tasks, results: VecDeque::new(), items: Vec::new(), len: 0, take }
    }

    /// Adds an item of `len` bytes.
    fn add(&mut self, item: Item, len: u64) -> Result<(), E> {
        self.items.push(item);
        self.len += len;
        let is_full = self.len >= self.shared.reading.part_len as u64 || self.items.len() >= MAX_ITEMS;
        if is_full { self.submit() } else { Ok(()) }
    }

    /// Reads a large file, or standard input.
    fn read(&mut self, path: &Path) -> Result<(), E> {
        let shared = Arc::clone(&self.shared);
        shared.each(&mut shared.opener(), path, self)
    }

    /// Makes a task of the items, when there is room for one.
    fn submit(&mut self) -> Result<(), E> {
        self.len = 0;
        let items = mem::take(&mut self.items);
        if items.is_empty() {
            return Ok(());
        }
        self.make_room()?;
        if rayon::current_num_threads() == 1 {
            return self.process(|shared, steps| shared.process(items, steps));
        }
        let (results, receiver) = sync_channel(1);
        self.results.push_back(receiver);
        self.shared.waiting().push_back(Task { items, results });
        let shared = Arc::clone(&self.shared);
        self.tasks.give(move || shared.process_next());
        Ok(())
    }

    /// Processes something on this thread.
    fn process(&mut self, process: impl FnOnce(&Shared<W>, &mut Steps<'_, W::Done>)) -> Result<(), E> {
        let shared = Arc::clone(&self.shared);
        let (mut done, mut taken) = (shared.work.begin(), Ok(()));
        let mut take = |step| {
            taken = self.take_all().and_then(|()| (self.take)(step));
            taken.is_ok()
        };
        process(&shared, &mut Steps { done: &mut done, take: &mut take });
        taken?;
        let (results, receiver) = sync_channel(1);
        _ = results.send(done); // the receiver is here
        self.results.push_back(receiver);
        self.tasks.give_done(());
        Ok(())
    }

    fn make_room(&mut self) -> Result<(), E> {
        while self.tasks.is_full() {
            self.take_next()?;
        }
        Ok(())
    }

    fn finish(mut self) -> Result<(), E> {
        self.submit()?;
        self.take_all()
    }

    fn take_all(&mut self) -> Result<(), E> {
        while self.take_next()? {}
        Ok(())
    }

    /// Takes the results of the next task. Returns whether there was one.
    fn take_next(&mut self) -> Result<bool, E> {
        let Some(results) = self.results.pop_front() else { return Ok(false) };
        results.into_iter().try_for_each(&mut self.take)?;
        self.tasks.next(); // a panic goes on here
        Ok(true)
    }
}

impl<W: Work, E, F: FnMut(W::Done) -> Result<(), E>> Receive for Dispatcher<W, F> {
    type Error = E;

    fn item(&mut self, item: Item, len: u64) -> Result<(), E> {
        self.add(item, len)
    }

    fn long(&mut self, input: &Arc<Input>, game: LongGame<'_, Bytes<'_>>) -> Result<(), E> {
        self.submit()?;
        self.make_room()?;
        self.process(|shared, steps| shared.work.read(input, Games::Long(game), steps))
    }
}

#[cfg(test)]
mod tests {
    use std::env;
    use std::process;

    use clap::Parser as _;
    use sgf_stream::Parser;
    use sgf_stream::charset::Decoding;

    use super::*;

    #[derive(clap::Parser)]
    struct Command {
        #[command(flatten)]
        paths: Paths,
    }

    /// Passes on the offset of each part in many steps.
    struct InSteps;

    const STEPS: usize = 5;

    impl Work for InSteps {
        type Done = Vec<u64>;

        fn begin(&self) -> Vec<u64> {
            Vec::new()
        }

        fn reading(&self) -> Reading {
            Reading { part_len: 32 << 10, ..Reading::new(Parser::new(), Decoding::new()) }
        }

        fn read(&self, _: &Arc<Input>, games: Games<'_, '_>, done: &mut Steps<'_, Vec<u64>>) {
            for _ in 0..STEPS {
                done.push(games.position().offset);
                if !done.pass_on(mem::take) {
                    return;
                }
            }
        }
    }

    #[test]
    fn steps_of_all_threads_come_in_order_and_end_when_no_more_are_wanted() {
        let directory = env::temp_dir().join(format!("sgf-jobs {}", process::id()));
        fs::create_dir_all(&directory).unwrap();
        // One is cut by the threads, the other one before them.
        fs::write(directory.join("a.sgf"), "(;C[some words])\n".repeat(10_000)).unwrap();
        fs::write(directory.join("b.sgf"), "(;C[some words])\n".repeat(80_000)).unwrap();
        let paths = Command::parse_from(["sgf".as_ref(), directory.as_os_str()]).paths;
        let progress = Arc::new(Progress::none());
        let mut offsets = Vec::new();
        let all: Result<(), Infallible> = run(InSteps, &paths, &progress, |step| {
            offsets.extend(step);
            Ok(())
        });
        assert!(all.is_ok() && offsets.len() > 4 * STEPS, "{}", offsets.len());
        assert!(offsets.chunks(STEPS).all(|part| part.iter().all(|offset| *offset == part[0])));
        let parts: Vec<_> = offsets.chunks(STEPS).map(|part| part[0]).collect();
        assert_eq!(parts.windows(2).filter(|pair| pair[0] >= pair[1]).count(), 1, "where the second file begins");
        let mut taken = 0;
        let some = run(InSteps, &paths, &progress, |step: Vec<u64>| {
            taken += step.len();
            if taken > STEPS { Err(()) } else { Ok(()) }
        });
        assert_eq!((some, taken), (Err(()), STEPS + 1));
        fs::remove_dir_all(&directory).unwrap();
    }
}
