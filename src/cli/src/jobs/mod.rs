//! Parallel processing of inputs.
//!
//! The thread that calls [`run`] cuts the inputs into [`Item`]s, in order: a small file is one item, unopened;
//! larger files, archives and pipes are read and cut into parts of whole games. Several items make a task
//! ([`Tasks`]) for any thread, and the results are taken in the order of the inputs. So the output does not depend
//! on the number of threads, and memory is bounded by the tasks in progress.
//!
//! A [`Work`] processes items. Games too long for a part are read by the cutting thread. [`Buffers`] of output go round.

mod buffers;

use std::fs;
use std::io::{self, BufRead, Read};
use std::mem;
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sgf_stream::Parser;
use sgf_stream::charset::Charset;
use sgf_stream::parallel::Tasks;
use sgf_stream::parts::{LongGame, Next, Part, Parts};

pub(crate) use self::buffers::Buffers;
use crate::failure::Failure;
use crate::input::{self, Exclude, Found, Input, Name, Opener, Paths};
use crate::progress::Progress;

/// Default of [`Work::PART_LEN`].
const PART_LEN: usize = 512 * 1024;

/// Maximum length of a file that is opened by the thread that processes it.
const SMALL: u64 = 1 << 20;

/// Maximum number of items in a task, however small they are.
const MAX_ITEMS: usize = 256;

/// Default of [`Work::LONG`].
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

    /// Approximate length of the parts of a large input in bytes, and of a task: less where results take more memory
    /// than the part.
    const PART_LEN: usize = PART_LEN;

    /// Maximum length of a game in a part: parts are kept in memory, several for each thread.
    const LONG: usize = LONG;

    /// Why an input is not even read, if it is not. The rest of its file is not read either, and the reason ends the file.
    /// Default: all inputs are read.
    fn refuses(&self, input: &Input<'_>) -> Option<io::Error> {
        let _ = input;
        None
    }

    /// Returns the parser that cuts inputs. It has no listener.
    fn parser(&self) -> Parser;

    /// Returns the parser that cuts an input. Default: [`parser`](Self::parser).
    fn parser_of(&self, how: &Self::How) -> Parser {
        let _ = how;
        self.parser()
    }

    /// Returns the bytes of an input to parse, and the way to read them.
    fn open<'d>(&self, data: &'d mut dyn BufRead) -> io::Result<(Self::How, Box<dyn Read + 'd>)>;

    /// Called before the first part of an input, by the cutting thread. Default: does nothing.
    fn start(&self, name: &Name, how: &mut Self::How, start: InputStart<'_>) {
        let _ = (name, how, start);
    }

    /// Called for each part of an input, in order, by the cutting thread: for what later parts have to know. Default: does
    /// nothing.
    fn cut(&self, how: &Self::How, part: &Part<'_>) {
        let _ = (how, part);
    }

    /// Processes some games of an input.
    ///
    /// Results that may take many times the memory of the part are to be [passed on](Steps::pass_on) in steps.
    fn part(&self, name: &Name, how: &Self::How, part: &Part<'_>, done: &mut Steps<'_, Self::Done>);

    /// Processes a game that is too long for a part.
    ///
    /// Results that grow with the game are to be [passed on](Steps::pass_on) in steps.
    fn long(&self, name: &Name, how: &Self::How, game: LongGame<'_, Bytes<'_>>, done: &mut Steps<'_, Self::Done>);

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

/// Facts of an input that are known before its first part.
#[derive(Clone, Copy)]
pub(crate) struct InputStart<'i> {
    /// The charset that was detected, if any.
    pub(crate) detected: Option<Charset>,
    /// The path of the file on disk that has this content unchanged, if there is one.
    pub(crate) place: Option<&'i Path>,
}

/// The reader that parts are cut from.
pub(crate) type Bytes<'d> = Box<dyn Read + 'd>;

/// A result in the making, which may have to be taken in steps, so that memory does not grow with it.
pub(crate) struct Steps<'s, D> {
    done: &'s mut D,
    taker: Taker<'s, D>,
}

/// Where the steps of a result go.
enum Taker<'s, D> {
    /// To whoever takes the results, who returns whether more of them are wanted.
    Now(&'s mut dyn FnMut(D) -> bool),
    /// Nowhere, since other results come first: the flag asks for another call when it is their turn.
    Later(&'s mut bool),
    /// Nowhere, since there is no second call: the result grows.
    Never,
}

impl<D> Steps<'_, D> {
    /// Passes the result so far on to whoever takes the results, and continues with an empty one. Returns whether to go on.
    ///
    /// Where other results come first, this does nothing and returns false. The method then removes what it has added to
    /// the result, and returns; it is called again when the result can be passed on.
    pub(crate) fn pass_on(&mut self, empty: impl FnOnce() -> D) -> bool {
        self.pass_on_with(|done| mem::replace(done, empty()))
    }

    /// Like [`pass_on`](Self::pass_on), with a function that takes the result so far.
    pub(crate) fn pass_on_with(&mut self, split_off: impl FnOnce(&mut D) -> D) -> bool {
        match &mut self.taker {
            Taker::Now(take) => take(split_off(self.done)),
            Taker::Later(is_wanted) => {
                **is_wanted = true;
                false
            }
            Taker::Never => true,
        }
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
    run_files(work, paths.walk(), paths, progress, take)
}

/// Like [`run`], for these files of `paths`.
pub(crate) fn run_files<W: Work, E>(
    work: W,
    files: impl IntoIterator<Item = Result<PathBuf, (Name, io::Error)>>,
    paths: &Paths,
    progress: &Arc<Progress>,
    take: impl FnMut(W::Done) -> Result<(), E>,
) -> Result<(), E> {
    let (limits, exclude) = (paths.limits, paths.exclude.clone());
    let shared = Arc::new(Shared { work, limits, exclude, progress: Arc::clone(progress) });
    let mut dispatcher = Dispatcher { shared, tasks: Tasks::new(), items: Vec::new(), len: 0, take };
    for file in files {
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

/// Processes one input that was opened by the caller. `take` gets the results, in order.
pub(crate) fn run_input<W: Work, E>(
    work: W,
    found: Found<'_>,
    limits: input::Limits,
    progress: &Arc<Progress>,
    take: impl FnMut(W::Done) -> Result<(), E>,
) -> Result<(), E> {
    // It is open, so nothing of it is left to exclude.
    let shared = Arc::new(Shared { work, limits, exclude: Exclude::default(), progress: Arc::clone(progress) });
    let mut dispatcher =
        Dispatcher { shared: Arc::clone(&shared), tasks: Tasks::new(), items: Vec::new(), len: 0, take };
    cut(&shared.work, found, &mut dispatcher)?;
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

/// The outcome of some items.
enum Outcome<W: Work> {
    Done(W::Done),
    /// A part whose result has to be taken in steps.
    Large(Box<LargePart<W::How>>),
}

/// A part, and what it takes to read it.
struct LargePart<H> {
    name: Name,
    how: H,
    part: Part<'static>,
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
    exclude: Exclude,
    progress: Arc<Progress>,
}

impl<W: Work> Shared<W> {
    fn opener(&self) -> Opener {
        Opener::new(self.limits).excluding(&self.exclude)
    }

    /// Processes the items of a task.
    fn process(&self, items: Vec<Item<W::How>>) -> Vec<Outcome<W>> {
        let mut inline = Inline { work: &self.work, done: self.work.begin(), outcomes: Vec::new() };
        let mut opener = None;
        for item in items {
            match item {
                Item::File(path) => {
                    let opener = opener.get_or_insert_with(|| self.opener());
                    let Ok(()) = each(&self.work, opener, &path, &self.progress, &mut inline);
                }
                item => inline.process(item),
            }
        }
        inline.outcomes.push(Outcome::Done(inline.done));
        inline.outcomes
    }
}

/// Receiver of items.
trait Receiver<W: Work> {
    type Error;

    fn item(&mut self, item: Item<W::How>, len: u64) -> Result<(), Self::Error>;

    fn long(&mut self, name: &Name, how: &W::How, game: LongGame<'_, Bytes<'_>>) -> Result<(), Self::Error>;
}

/// Cuts the inputs in a file into items.
fn each<W: Work, C: Receiver<W>>(
    work: &W,
    opener: &mut Opener,
    path: &Path,
    progress: &Progress,
    receiver: &mut C,
) -> Result<(), C::Error> {
    let mut is_refused = false;
    opener.each(path, progress, |found| {
        if let Found::Input(input) = &found
            && !is_refused
            && let Some(why) = work.refuses(input)
        {
            is_refused = true;
            let end = Item::End { name: Name::of(path), how: None, detected: None, result: Err(why) };
            return receiver.item(end, 0);
        }
        if is_refused { Ok(()) } else { cut(work, found, receiver) }
    })
}

/// Cuts an input into items.
fn cut<W: Work, C: Receiver<W>>(work: &W, found: Found<'_>, receiver: &mut C) -> Result<(), C::Error> {
    let input = match found {
        Found::Input(input) => input,
        Found::Unreadable(name, error) => {
            return receiver.item(Item::End { name: name.clone(), how: None, detected: None, result: Err(error) }, 0);
        }
    };
    let (name, place) = (input.name.clone(), input.place().ok());
    let (mut how, bytes) = match work.open(input.data) {
        Ok(opened) => opened,
        Err(error) => return receiver.item(Item::End { name, how: None, detected: None, result: Err(error) }, 0),
    };
    let parts: Parts<Bytes<'_>> = work.parser_of(&how).max_game_len(W::LONG).parts(bytes);
    let mut parts = parts.part_len(W::PART_LEN).whole_pieces();
    let mut is_start = true;
    let detected;
    let result = loop {
        match parts.next_part() {
            Ok(None) => {
                detected = parts.detected_charset();
                break Ok(());
            }
            Ok(Some(Next::Part(part))) => {
                if mem::take(&mut is_start) {
                    work.start(&name, &mut how, InputStart { detected: parts.detected_charset(), place });
                }
                work.cut(&how, &part);
                let len = part.bytes().len() as u64;
                receiver.item(Item::Part { name: name.clone(), how: how.clone(), part }, len)?;
            }
            Ok(Some(Next::Long(game))) => {
                if mem::take(&mut is_start) {
                    work.start(&name, &mut how, InputStart { detected: game.detected_charset(), place });
                }
                receiver.long(&name, &how, game)?;
            }
            Err(error) => {
                detected = parts.detected_charset();
                if is_start {
                    work.start(&name, &mut how, InputStart { detected, place });
                }
                // Games that are complete count in spite of the error.
                if let Some(part) = parts.into_rest() {
                    work.cut(&how, &part);
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
    done: W::Done,
    /// The outcomes before it.
    outcomes: Vec<Outcome<W>>,
}

impl<W: Work> Inline<'_, W> {
    fn process(&mut self, item: Item<W::How>) {
        match item {
            Item::Part { name, how, part } => {
                let mut is_large = false;
                let mut steps = Steps { done: &mut self.done, taker: Taker::Later(&mut is_large) };
                self.work.part(&name, &how, &part, &mut steps);
                if is_large {
                    let done = mem::replace(&mut self.done, self.work.begin());
                    self.outcomes
                        .extend([Outcome::Done(done), Outcome::Large(Box::new(LargePart { name, how, part }))]);
                }
            }
            Item::End { name, how, detected, result } => {
                self.work.end(&name, how.as_ref(), detected, result, &mut self.done)
            }
            Item::File(_) => {} // only open files are cut
        }
    }
}

impl<W: Work> Receiver<W> for Inline<'_, W> {
    type Error = std::convert::Infallible;

    fn item(&mut self, item: Item<W::How>, _: u64) -> Result<(), Self::Error> {
        self.process(item);
        Ok(())
    }

    fn long(&mut self, name: &Name, how: &W::How, game: LongGame<'_, Bytes<'_>>) -> Result<(), Self::Error> {
        // Only a file that has grown since it was found to be small has one.
        self.work.long(name, how, game, &mut Steps { done: &mut self.done, taker: Taker::Never });
        Ok(())
    }
}

/// Passes items to other threads, and takes their results in order.
struct Dispatcher<W: Work, F> {
    shared: Arc<Shared<W>>,
    tasks: Tasks<Vec<Outcome<W>>>,
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
        if self.len >= W::PART_LEN as u64 || self.items.len() >= MAX_ITEMS { self.submit() } else { Ok(()) }
    }

    /// Reads a large file, or standard input.
    fn read(&mut self, path: &Path) -> Result<(), E> {
        let shared = Arc::clone(&self.shared);
        let mut opener = shared.opener();
        each(&shared.work, &mut opener, path, &shared.progress, self)
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
        let Some(outcomes) = self.tasks.next() else { return Ok(false) };
        for outcome in outcomes {
            match outcome {
                Outcome::Done(done) => (self.take)(done)?,
                Outcome::Large(large) => {
                    let LargePart { name, how, part } = *large;
                    let shared = Arc::clone(&self.shared);
                    self.in_steps(|done| shared.work.part(&name, &how, &part, done))?;
                }
            }
        }
        Ok(true)
    }

    /// Takes a result in steps. All results before it have been taken.
    fn in_steps(&mut self, process: impl FnOnce(&mut Steps<'_, W::Done>)) -> Result<(), E> {
        let mut done = self.shared.work.begin();
        let mut taken = Ok(());
        let mut take = |step| {
            taken = (self.take)(step);
            taken.is_ok()
        };
        process(&mut Steps { done: &mut done, taker: Taker::Now(&mut take) });
        taken?;
        (self.take)(done)
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
        let shared = Arc::clone(&self.shared);
        let (mut done, mut taken) = (shared.work.begin(), Ok(()));
        let mut take = |step| {
            taken = self.take_all().and_then(|()| (self.take)(step));
            taken.is_ok()
        };
        shared.work.long(name, how, game, &mut Steps { done: &mut done, taker: Taker::Now(&mut take) });
        taken?;
        self.tasks.give_done(vec![Outcome::Done(done)]);
        Ok(())
    }
}
