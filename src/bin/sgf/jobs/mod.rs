//! All cores for all inputs.
//!
//! What there is to read is cut into [`Piece`]s, one after the other, by the thread that calls [`run`]: small files
//! are a piece each, unopened; larger ones, archives and pipes are read and cut into parts of whole games. Some pieces
//! at a time are a task ([`Tasks`]) for any thread; what comes of them is taken in the order of the inputs. So the
//! output is the same whatever the number of threads, and memory is that of the tasks under way.
//!
//! What is to be done with pieces is [`Work`]. Games too long for a part are read by the thread that cuts.

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

/// How many bytes are a task, about.
const TASK: u64 = 512 * 1024;

/// Files that are no longer are opened by whoever does the task.
const SMALL: u64 = 1 << 20;

/// As many pieces as this are a task, however small they are.
const PIECES: usize = 256;

/// Games that are longer are read in sequence: parts are kept in memory, some for each thread.
const LONG: usize = 1 << 20;

/// How many threads work.
#[derive(clap::Args)]
pub(crate) struct Threads {
    /// The number of threads. Default: one for each core.
    ///
    /// The output does not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Threads {
    /// Makes it so. To be called once, and first.
    pub(crate) fn set(&self) -> Result<(), Failure> {
        let Some(threads) = self.threads else { return Ok(()) };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.into());
        pool.build_global().map_err(|error| Failure::Threads(error.to_string()))
    }
}

/// What is done with inputs. It is shared by all threads.
pub(crate) trait Work: Send + Sync + 'static {
    /// How the parts of an input are to be read.
    type How: Clone + Send + 'static;
    /// What has come of some pieces.
    type Done: Send + 'static;

    /// Nothing has come yet.
    fn begin(&self) -> Self::Done;

    /// The parser by whose rules inputs are cut. Nobody listens to it.
    fn parser(&self) -> Parser;

    /// The bytes of an input that are to be parsed, and how.
    fn open<'d>(&self, data: &'d mut dyn BufRead) -> io::Result<(Self::How, Box<dyn Read + 'd>)>;

    /// Some games of an input.
    fn part(&self, name: &Name, how: &Self::How, part: &Part<'_>, done: &mut Self::Done);

    /// One that is too long for a part.
    fn long(&self, name: &Name, how: &Self::How, game: LongGame<'_, Bytes<'_>>, done: &mut Self::Done);

    /// An input has been read to its end, or to an error; by a charset that was detected, if there is one here.
    fn end(
        &self,
        name: &Name,
        how: Option<&Self::How>,
        detected: Option<Charset>,
        result: io::Result<()>,
        done: &mut Self::Done,
    );
}

/// What parts are cut from.
type Bytes<'d> = Box<dyn Read + 'd>;

/// Does the work. `take` is given what has come of it, in the order of the inputs.
pub(crate) fn run<W: Work, E>(
    work: W,
    paths: &Paths,
    progress: &Arc<Progress>,
    take: impl FnMut(W::Done) -> Result<(), E>,
) -> Result<(), E> {
    let hands = Arc::new(Hands { work, limits: paths.limits, progress: Arc::clone(progress) });
    let mut line = Line { hands, tasks: Tasks::new(), pieces: Vec::new(), len: 0, take };
    for file in paths.walk() {
        match file {
            Err((name, error)) => line.put(Piece::End { name, how: None, detected: None, result: Err(error) }, 0)?,
            Ok(path) => match small_len(&path) {
                Some(len) => line.put(Piece::File(path), len)?,
                None => line.read(&path)?,
            },
        }
    }
    line.finish()
}

/// The length of a file that is small, and as small when it is read: what is compressed may become any length.
fn small_len(path: &Path) -> Option<u64> {
    if !input::has_plain_name(path) {
        return None;
    }
    let metadata = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    Some(metadata.len()).filter(|&len| len <= SMALL)
}

/// What is to be done at one go.
enum Piece<H> {
    /// A small file, with all that is in it.
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

/// What the threads share.
struct Hands<W> {
    work: W,
    limits: input::Limits,
    progress: Arc<Progress>,
}

impl<W: Work> Hands<W> {
    /// Does what a task is.
    fn all(&self, pieces: Vec<Piece<W::How>>) -> W::Done {
        let mut done = self.work.begin();
        let mut opener = None;
        for piece in pieces {
            match piece {
                Piece::Part { name, how, part } => self.work.part(&name, &how, &part, &mut done),
                Piece::End { name, how, detected, result } => {
                    self.work.end(&name, how.as_ref(), detected, result, &mut done)
                }
                Piece::File(path) => {
                    let opener = opener.get_or_insert_with(|| Opener::new(self.limits));
                    let mut at_once = AtOnce { work: &self.work, done: &mut done };
                    let Ok(()) = opener.each(&path, &self.progress, |found| cut(&self.work, found, &mut at_once));
                }
            }
        }
        done
    }
}

/// Whoever is given pieces as they are cut.
trait Cutter<W: Work> {
    type Error;

    fn piece(&mut self, piece: Piece<W::How>, len: u64) -> Result<(), Self::Error>;

    fn long(&mut self, name: &Name, how: &W::How, game: LongGame<'_, Bytes<'_>>) -> Result<(), Self::Error>;
}

/// Cuts an input.
fn cut<W: Work, C: Cutter<W>>(work: &W, found: Found<'_>, cutter: &mut C) -> Result<(), C::Error> {
    let input = match found {
        Found::Input(input) => input,
        Found::Unreadable(name, error) => {
            return cutter.piece(Piece::End { name: name.clone(), how: None, detected: None, result: Err(error) }, 0);
        }
    };
    let name = input.name.clone();
    let (how, bytes) = match work.open(input.data) {
        Ok(opened) => opened,
        Err(error) => return cutter.piece(Piece::End { name, how: None, detected: None, result: Err(error) }, 0),
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
                cutter.piece(Piece::Part { name: name.clone(), how: how.clone(), part }, len)?;
            }
            Ok(Some(Next::Long(game))) => cutter.long(&name, &how, game)?,
            Err(error) => {
                detected = parts.detected_charset();
                // Games that had come whole count all the same.
                if let Some(part) = parts.into_rest() {
                    let len = part.bytes().len() as u64;
                    cutter.piece(Piece::Part { name: name.clone(), how: how.clone(), part }, len)?;
                }
                break Err(error);
            }
        }
    };
    cutter.piece(Piece::End { name, how: Some(how), detected, result }, 0)
}

/// Does with pieces what is to be done, on this thread.
struct AtOnce<'w, W: Work> {
    work: &'w W,
    done: &'w mut W::Done,
}

impl<W: Work> Cutter<W> for AtOnce<'_, W> {
    type Error = std::convert::Infallible;

    fn piece(&mut self, piece: Piece<W::How>, _: u64) -> Result<(), Self::Error> {
        match piece {
            Piece::Part { name, how, part } => self.work.part(&name, &how, &part, self.done),
            Piece::End { name, how, detected, result } => {
                self.work.end(&name, how.as_ref(), detected, result, self.done)
            }
            Piece::File(_) => {} // what is cut is open
        }
        Ok(())
    }

    fn long(&mut self, name: &Name, how: &W::How, game: LongGame<'_, Bytes<'_>>) -> Result<(), Self::Error> {
        self.work.long(name, how, game, self.done);
        Ok(())
    }
}

/// Gives pieces to other threads, and takes what comes of them.
struct Line<W: Work, F> {
    hands: Arc<Hands<W>>,
    tasks: Tasks<W::Done>,
    /// Of the next task, and how many bytes they are.
    pieces: Vec<Piece<W::How>>,
    len: u64,
    take: F,
}

impl<W: Work, E, F: FnMut(W::Done) -> Result<(), E>> Line<W, F> {
    /// One more piece, of so many bytes.
    fn put(&mut self, piece: Piece<W::How>, len: u64) -> Result<(), E> {
        self.pieces.push(piece);
        self.len += len;
        if self.len >= TASK || self.pieces.len() >= PIECES { self.give() } else { Ok(()) }
    }

    /// Reads a large file, or standard input.
    fn read(&mut self, path: &Path) -> Result<(), E> {
        let hands = Arc::clone(&self.hands);
        let mut opener = Opener::new(hands.limits);
        opener.each(path, &hands.progress, |found| cut(&hands.work, found, self))
    }

    /// Makes a task of the pieces, when there is room for one.
    fn give(&mut self) -> Result<(), E> {
        self.len = 0;
        let pieces = mem::take(&mut self.pieces);
        if pieces.is_empty() {
            return Ok(());
        }
        self.make_room()?;
        let hands = Arc::clone(&self.hands);
        self.tasks.give(move || hands.all(pieces));
        Ok(())
    }

    fn make_room(&mut self) -> Result<(), E> {
        while self.tasks.is_full() {
            self.tasks.next().map_or(Ok(()), &mut self.take)?;
        }
        Ok(())
    }

    fn finish(mut self) -> Result<(), E> {
        self.give()?;
        self.tasks.try_for_each(self.take)
    }
}

impl<W: Work, E, F: FnMut(W::Done) -> Result<(), E>> Cutter<W> for Line<W, F> {
    type Error = E;

    fn piece(&mut self, piece: Piece<W::How>, len: u64) -> Result<(), E> {
        self.put(piece, len)
    }

    fn long(&mut self, name: &Name, how: &W::How, game: LongGame<'_, Bytes<'_>>) -> Result<(), E> {
        self.give()?;
        self.make_room()?;
        let mut done = self.hands.work.begin();
        self.hands.work.long(name, how, game, &mut done);
        self.tasks.give_done(done);
        Ok(())
    }
}
