//! Rewrites files: the driver of `fmt`, of `check --fix` and of `edit`.
//!
//! The parts of all files are rewritten on all cores ([`work`]), and their results are taken in order: the new form goes to
//! standard output, or replaces the file ([`Output::in_place`]), or is shown as a diff, or is only compared. A file is read
//! once, and what replaces it is begun at its first change: the bytes before it are copied from the file. [`report`] says
//! what was done.

pub(crate) mod diff;
mod report;
mod work;

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sgf_check::{Change, Rewritten};
use sgf_input::{Output, in_place_refusal};
use sgf_stream::charset::Charset;

pub(crate) use self::report::{MOST_LINES, Manner, Report};
use self::work::{Done, End, Refusal, Step};
pub(crate) use self::work::{Mode, Rewriting, Tool};
use crate::failure::{self, Failure};
use crate::input::{self, Found, Name, Paths};
use crate::jobs;
use crate::progress::Progress;

/// Whether a subcommand that rewrites files waits for the disk.
///
/// The default is not to wait, as in all formatters: if `sgf` is killed, a file has either its old or its new content; a
/// power failure can lose only the last few seconds of writes. Waiting takes some milliseconds per file, several times the
/// work itself.
#[derive(clap::Args, Clone, Copy)]
pub(crate) struct Durability {
    /// Wait until each rewritten file is on disk.
    ///
    /// Even without this option no file is left half written if `sgf` is killed. But on some file systems a power failure
    /// in the next few seconds may leave a file empty. Waiting takes some milliseconds per file.
    #[arg(long)]
    pub(crate) sync: bool,
}

/// Where the new form of files goes.
pub(crate) enum Target<'t> {
    Stdout(&'t mut dyn Write),
    /// Nowhere: files are only compared with it.
    Nowhere,
    /// To the place of the file.
    Place(Durability),
    /// To something that is created for each file that changes.
    Shown(&'t mut dyn FnMut(&Name) -> io::Result<Box<dyn NewForm>>),
}

/// Takes the new form of a file, from the start of the file.
pub(crate) trait NewForm {
    /// Takes bytes that stay.
    fn same(&mut self, bytes: &[u8]) -> Result<(), Stop>;

    /// Takes bytes that replace others.
    fn change(&mut self, old: &[u8], new: &[u8]) -> Result<(), Stop>;

    /// Ends the file.
    fn finish(self: Box<Self>) -> Result<(), Stop>;
}

/// The reason why the new form of a file is not taken.
pub(crate) enum Stop {
    /// This file cannot be read or replaced.
    File(io::Error),
    /// Standard output cannot be written.
    Output(io::Error),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Stop::File(error)
    }
}

impl NewForm for Output {
    fn same(&mut self, bytes: &[u8]) -> Result<(), Stop> {
        Ok(self.write_all(bytes)?)
    }

    fn change(&mut self, _: &[u8], new: &[u8]) -> Result<(), Stop> {
        Ok(self.write_all(new)?)
    }

    fn finish(self: Box<Self>) -> Result<(), Stop> {
        Ok(Output::finish(*self)?)
    }
}

/// The outcome for a file.
pub(crate) enum Outcome {
    Changed,
    Unchanged,
    /// It is left unchanged, since it has no SGF data. The engine [notes](crate::failure::note_no_sgf) that.
    NoSgf,
    /// It is left unchanged, for this reason.
    Refused(String),
    /// It cannot be rewritten in place, regardless of its content.
    ///
    /// The exit code is 2, as for files that cannot be written.
    NoPlace(String),
    Unreadable(io::Error),
    /// It cannot be replaced.
    Unwritable(io::Error),
}

/// A file that was rewritten.
pub(crate) struct Ended {
    pub(crate) name: Name,
    pub(crate) outcome: Outcome,
    pub(crate) detected: Option<Charset>,
}

/// Rewrites all files. `ended` is called at the end of each, in order. Returns the files that can be read.
pub(crate) fn run(
    work: Rewriting,
    paths: &Paths,
    progress: &Arc<Progress>,
    target: Target<'_>,
    report: &mut Report,
    ended: impl FnMut(Ended) -> Result<(), Failure>,
) -> Result<Vec<PathBuf>, Failure> {
    let (mut files, mut is_empty) = (Vec::new(), true);
    let replaces = work.mode.is_in_place();
    // Opening a pipe would wait for a writer.
    let refused = |path: &Path| if replaces { in_place_refusal(path) } else { None };
    let walk = paths.walk().map(|file| {
        is_empty = false;
        let path = file?;
        match refused(&path) {
            Some(why) => Err((Name::of(&path), why)),
            None => {
                files.push(path.clone());
                Ok(path)
            }
        }
    });
    let mut taker = Taker { target, report, ended, open: None, unreadable: BTreeSet::new() };
    jobs::run_files(work, walk, paths, progress, |done| taker.take(done))?;
    if is_empty {
        failure::note_no_input(&paths.paths);
    }
    let unreadable = taker.unreadable;
    files.retain(|path| !unreadable.contains(&Name::of(path)));
    Ok(files)
}

/// Rewrites one input that was opened by the caller.
pub(crate) fn run_input(
    work: Rewriting,
    found: Found<'_>,
    limits: input::Limits,
    target: Target<'_>,
    report: &mut Report,
    ended: impl FnMut(Ended) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut taker = Taker { target, report, ended, open: None, unreadable: BTreeSet::new() };
    jobs::run_input(work, found, limits, &Arc::new(Progress::none()), |done| taker.take(done))
}

/// Takes the results in order.
struct Taker<'t, 'r, F> {
    target: Target<'t>,
    report: &'r mut Report,
    ended: F,
    open: Option<OpenFile>,
    /// The files that cannot be read.
    unreadable: BTreeSet<Name>,
}

/// A file whose parts are being taken.
#[derive(Default)]
struct OpenFile {
    patch: Option<Patch>,
    has_changed: bool,
    has_no_sgf: bool,
    failure: Option<io::Error>,
    counts: Rewritten,
}

impl<F: FnMut(Ended) -> Result<(), Failure>> Taker<'_, '_, F> {
    fn take(&mut self, done: Vec<Done>) -> Result<(), Failure> {
        done.into_iter().try_for_each(|done| match done {
            Done::Step(step) => self.step(step),
            Done::End(end) => self.end(end),
        })
    }

    fn step(&mut self, step: Step) -> Result<(), Failure> {
        let Step { name, place, is_all_new, rewritten, said, mut bytes, buffers, replaced, has_no_sgf } = step;
        let open = self.open.get_or_insert_default();
        self.report.say(&name, said);
        open.counts.add(&rewritten);
        open.has_no_sgf |= has_no_sgf;
        open.has_changed |= is_all_new || rewritten.has_changed();
        let taken = match (&mut self.target, replaced, place) {
            (Target::Stdout(out), ..) => out.write_all(&bytes).map_err(Stop::Output),
            (_, Some(replaced), _) => replaced.map_err(Stop::File),
            (Target::Place(durability), None, Some(place)) if open.failure.is_none() => {
                open.patch(&place, &rewritten, &bytes, || Ok(Box::new(Output::in_place(&place, durability.sync)?)))
            }
            (Target::Shown(make), None, Some(place)) if open.failure.is_none() => {
                open.patch(&place, &rewritten, &bytes, || make(&name))
            }
            _ => Ok(()),
        };
        buffers.give_back(&mut bytes);
        match taken {
            Ok(()) => {}
            Err(Stop::Output(error)) => return Err(Failure::Output(error)),
            Err(Stop::File(error)) => {
                open.patch = None;
                open.failure = Some(error);
            }
        }
        Ok(())
    }

    fn end(&mut self, end: End) -> Result<(), Failure> {
        let End { name, detected, result } = end;
        let OpenFile { patch, has_changed, has_no_sgf, failure, counts } = self.open.take().unwrap_or_default();
        let outcome = match (result.map_err(Refusal::of), has_no_sgf, failure) {
            (Err(Ok(Refusal::Content(why))), ..) => Outcome::Refused(why),
            (Ok(()), true, _) => Outcome::NoSgf,
            (Err(Ok(Refusal::Place(why))), ..) => Outcome::NoPlace(why.to_owned()),
            (Err(Err(error)), ..) => {
                self.unreadable.insert(name.clone());
                Outcome::Unreadable(error)
            }
            (.., Some(error)) => Outcome::Unwritable(error),
            (Ok(()), false, None) => match patch.map_or(Ok(()), Patch::finish) {
                Err(Stop::Output(error)) => return Err(Failure::Output(error)),
                Err(Stop::File(error)) => Outcome::Unwritable(error),
                Ok(()) if has_changed => Outcome::Changed,
                Ok(()) => Outcome::Unchanged,
            },
        };
        if let Target::Stdout(out) = &mut self.target {
            out.flush().map_err(Failure::Output)?;
        }
        self.report.end_file(&name, &counts, matches!(outcome, Outcome::Changed | Outcome::Unchanged));
        (self.ended)(Ended { name, outcome, detected })
    }
}

impl OpenFile {
    /// Adds what became of a part to the new form of the file, which is begun at the first change. `bytes`: a part of a file
    /// that is transcoded, and so is new as a whole.
    fn patch(
        &mut self,
        place: &Path,
        rewritten: &Rewritten,
        bytes: &[u8],
        make: impl FnOnce() -> io::Result<Box<dyn NewForm>>,
    ) -> Result<(), Stop> {
        if rewritten.changes().is_empty() && bytes.is_empty() {
            return Ok(());
        }
        let patch = match &mut self.patch {
            Some(patch) => patch,
            none => none.insert(Patch::new(place, make()?)?),
        };
        rewritten.changes().iter().filter(|_| bytes.is_empty()).try_for_each(|change| patch.change(change))?;
        patch.new.same(bytes)?;
        patch.is_all_new |= !bytes.is_empty();
        Ok(())
    }
}

/// The new form of a file in the making: its changes, and what is between them.
struct Patch {
    old: BufReader<File>,
    /// Offset in it.
    at: u64,
    /// Nothing is copied from the old file.
    is_all_new: bool,
    new: Box<dyn NewForm>,
}

impl Patch {
    fn new(path: &Path, new: Box<dyn NewForm>) -> io::Result<Self> {
        let old = BufReader::with_capacity(input::CHUNK, File::open(path)?);
        Ok(Patch { old, at: 0, is_all_new: false, new })
    }

    /// Takes the next change.
    fn change(&mut self, change: &Change) -> Result<(), Stop> {
        self.copy(Some(change.range.start))?;
        let mut old = vec![0; (change.range.end - change.range.start) as usize];
        self.old.read_exact(&mut old)?;
        self.at = change.range.end;
        self.new.change(&old, &change.with)
    }

    fn finish(mut self) -> Result<(), Stop> {
        if !self.is_all_new {
            self.copy(None)?;
        }
        self.new.finish()
    }

    /// Copies the old file up to an offset, or to its end.
    fn copy(&mut self, end: Option<u64>) -> Result<(), Stop> {
        while end.is_none_or(|end| self.at < end) {
            let bytes = self.old.fill_buf()?;
            if bytes.is_empty() {
                return match end {
                    None => Ok(()),
                    Some(_) => Err(Stop::File(io::Error::other("the file has been truncated"))),
                };
            }
            let len = end.map_or(bytes.len(), |end| {
                usize::try_from(end - self.at).map_or(bytes.len(), |len| len.min(bytes.len()))
            });
            self.new.same(&bytes[..len])?;
            self.old.consume(len);
            self.at += len as u64;
        }
        Ok(())
    }
}
