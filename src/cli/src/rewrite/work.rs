//! Rewrites the parts of files, on any thread.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::io::{self, BufRead, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use sgf_stream::charset::{Charset, Decoding, DecodingReader};
use sgf_stream::parts::{LongGame, Part};
use sgf_stream::write::{Fate, Rewriter, Rewritten};
use sgf_stream::{Code, Parser};

use super::place::Replacement;
use super::report::Said;
use crate::decoding::{self, Opened};
use crate::input::{Input, Name};
use crate::jobs::{Buffers, Bytes, InputStart, Steps, Work};

/// Bytes of a long game after which they are passed on.
const STEP: usize = 1 << 20;

/// The use of the results.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// They are written to standard output.
    Print,
    /// Files are only compared.
    Compare,
    /// Changes are shown.
    Show,
    /// Files that change are replaced.
    Replace { is_durable: bool },
}

impl Mode {
    /// Whether files have to be where they can be replaced.
    pub(super) fn is_in_place(self) -> bool {
        matches!(self, Mode::Show | Mode::Replace { .. })
    }
}

/// The work of rewriting files.
pub(crate) struct Rewriting {
    pub(crate) mode: Mode,
    pub(crate) rewriter: Rewriter,
    /// The one for files that are transcoded to UTF-8; `None` if they stay as they are.
    pub(crate) transcoded: Option<Rewriter>,
    pub(crate) decoding: Decoding,
    /// Why a file in a charset stays as it is that has to be transcoded. `is_sound`: all of it is in that charset.
    pub(crate) refusal: fn(Charset, bool) -> String,
    pub(crate) is_lossy: bool,
    /// Number of findings of each kind in a part of which something is said, and of those that were dropped.
    pub(crate) most: u64,
    pub(crate) most_dropped: u64,
    pub(crate) buffers: Buffers,
}

/// The way to read a file.
#[derive(Clone)]
pub(crate) struct How {
    form: Form,
    place: Option<PathBuf>,
}

#[derive(Clone)]
enum Form {
    Bytes,
    /// Transcoded to UTF-8.
    Utf8,
    /// It stays as it is, since it would have to be transcoded from this charset.
    Kept {
        charset: Charset,
        is_bad: Arc<AtomicBool>,
    },
}

/// A result.
pub(crate) enum Done {
    Step(Step),
    End(End),
}

/// A part of a file that was rewritten.
pub(crate) struct Step {
    pub(super) name: Name,
    pub(super) place: Option<PathBuf>,
    /// The file is transcoded.
    pub(super) is_all_new: bool,
    pub(super) rewritten: Rewritten,
    pub(super) said: Vec<Said>,
    /// All bytes of the new form, where they are needed.
    pub(super) bytes: Vec<u8>,
    pub(super) buffers: Buffers,
    /// The part is the file, and was replaced.
    pub(super) replaced: Option<io::Result<()>>,
    /// Why the file stays as it is.
    pub(super) refusal: Option<String>,
}

/// The end of a file.
pub(crate) struct End {
    pub(super) name: Name,
    pub(super) detected: Option<Charset>,
    pub(super) result: io::Result<()>,
}

/// The reason why a file is not rewritten, although it can be read.
#[derive(Debug)]
pub(super) enum Refusal {
    Content(String),
    Place(&'static str),
}

impl Refusal {
    pub(super) fn of(error: io::Error) -> Result<Refusal, io::Error> {
        match error.downcast::<Refusal>() {
            Ok(refusal) => Ok(refusal),
            Err(error) => Err(error),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Content(why) => f.write_str(why),
            Refusal::Place(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for Refusal {}

impl Rewriting {
    fn rewriter(&self, how: &How) -> &Rewriter {
        match &self.transcoded {
            Some(transcoded) if matches!(how.form, Form::Utf8) => transcoded,
            _ => &self.rewriter,
        }
    }

    /// Whether all bytes of the new form are needed.
    fn wants_bytes(&self, how: &How) -> bool {
        match self.mode {
            Mode::Print => true,
            Mode::Compare => false,
            Mode::Show | Mode::Replace { .. } => matches!(how.form, Form::Utf8),
        }
    }

    fn step(&self, name: &Name, how: &How) -> Step {
        Step {
            name: name.clone(),
            place: how.place.clone(),
            is_all_new: matches!(how.form, Form::Utf8),
            rewritten: Rewritten::default(),
            said: Vec::new(),
            bytes: self.buffers.take(),
            buffers: self.buffers.clone(),
            replaced: None,
            refusal: None,
        }
    }

    /// Adds what became of some bytes, which start at an offset of the file.
    fn add(&self, step: &mut Step, rewritten: Rewritten, source: &[u8], offset: u64) {
        let mut counts = BTreeMap::<(Fate, &str), u64>::new();
        for note in rewritten.notes() {
            if note.code == Code::NoSgfData.as_str() {
                let (position, message) = (note.position, Code::NoSgfData.expected());
                step.refusal = Some(format!("{position}: no SGF data: expected {message}"));
                continue;
            }
            let count = counts.entry((note.fate, note.code)).or_default();
            *count += 1;
            let most = if note.fate == Fate::Dropped { self.most_dropped } else { self.most };
            if *count <= most {
                step.said.push(Said::of(note, source, offset, self.is_lossy));
            }
        }
        step.rewritten = rewritten;
    }
}

impl Work for Rewriting {
    type How = How;
    type Done = Vec<Done>;

    const PART_LEN: usize = 256 << 10;
    const LONG: usize = 16 << 20;

    fn begin(&self) -> Vec<Done> {
        Vec::new()
    }

    fn refuses(&self, input: &Input<'_>) -> Option<io::Error> {
        let why = input.place().err().filter(|_| self.mode.is_in_place())?;
        Some(io::Error::other(Refusal::Place(why)))
    }

    fn parser(&self) -> Parser {
        self.rewriter.parser().clone()
    }

    fn parser_of(&self, how: &How) -> Parser {
        match how.form {
            Form::Kept { .. } => Parser::new(),
            _ => self.rewriter(how).parser().clone(),
        }
    }

    fn open<'d>(&self, data: &'d mut dyn BufRead) -> io::Result<(How, Box<dyn Read + 'd>)> {
        let (form, reader): (Form, Box<dyn Read + 'd>) = match decoding::open(data, self.decoding)? {
            Opened::Bytes(whole, _) => (Form::Bytes, Box::new(whole)),
            Opened::Text(text) if self.transcoded.is_some() => (Form::Utf8, Box::new(Sound(text))),
            Opened::Text(text) => {
                let (seen, is_bad) = (Rc::default(), Arc::default());
                let mut text = self.decoding.reader(Recorder { inner: text.into_inner(), seen: Rc::clone(&seen) });
                let charset = text.charset()?;
                (Form::Kept { charset, is_bad: Arc::clone(&is_bad) }, Box::new(Kept { text, seen, is_bad }))
            }
        };
        Ok((How { form, place: None }, reader))
    }

    fn start(&self, _: &Name, how: &mut How, start: InputStart<'_>) {
        how.place = start.place.map(ToOwned::to_owned);
    }

    fn part(&self, name: &Name, how: &How, part: &Part<'_>, done: &mut Steps<'_, Vec<Done>>) {
        let (mut step, source, offset) = (self.step(name, how), part.bytes(), part.span().start);
        if !matches!(how.form, Form::Kept { .. }) {
            self.add(&mut step, self.rewriter(how).rewrite_part(part), source, offset);
        }
        // A file of one part is replaced by the thread that has rewritten it.
        let is_file = offset == 0 && part.is_last();
        let has_changed = step.is_all_new || step.rewritten.has_changed();
        if let (Mode::Replace { is_durable }, Some(place), true) = (self.mode, &how.place, is_file) {
            if has_changed && step.refusal.is_none() {
                step.replaced = Some(replace(place, is_durable, |new| step.rewritten.write_to(source, offset, new)));
            }
        } else if self.wants_bytes(how) {
            let written = step.rewritten.write_to(source, offset, &mut step.bytes);
            debug_assert!(written.is_ok(), "a vector is written without errors");
        }
        done.push(Done::Step(step));
    }

    fn long(&self, name: &Name, how: &How, mut game: LongGame<'_, Bytes<'_>>, done: &mut Steps<'_, Vec<Done>>) {
        let offset = game.position().offset;
        let mut step = self.step(name, how);
        let mut is_wanted = true;
        let mut pass = |chunk: &[u8]| {
            if self.wants_bytes(how) {
                step.bytes.extend_from_slice(chunk);
            }
            if step.bytes.len() >= STEP {
                done.push(Done::Step(std::mem::replace(&mut step, self.step(name, how))));
                is_wanted = done.pass_on(Vec::new);
            }
            is_wanted
        };
        if let Form::Kept { .. } = how.form {
            // The caller gets an error again.
            while let Ok(chunk) = game.fill_buf() {
                let len = chunk.len();
                if len == 0 || !pass(chunk) {
                    break;
                }
                game.consume(len);
            }
        } else {
            let passed = self.rewriter(how).pass_long(game, |passed| match pass(passed.source) {
                true => Ok(()),
                false => Err(io::ErrorKind::BrokenPipe.into()),
            });
            if let Ok(rewritten) = passed {
                self.add(&mut step, rewritten, &[], offset);
            }
        }
        done.push(Done::Step(step));
    }

    fn end(
        &self,
        name: &Name,
        how: Option<&How>,
        detected: Option<Charset>,
        mut result: io::Result<()>,
        done: &mut Vec<Done>,
    ) {
        if let (Ok(()), Some(How { form: Form::Kept { charset, is_bad }, .. })) = (&result, how) {
            let why = (self.refusal)(*charset, !is_bad.load(Ordering::Relaxed));
            result = Err(io::Error::other(Refusal::Content(why)));
        }
        done.push(Done::End(End { name: name.clone(), detected, result }));
    }
}

/// Replaces a file by what is written.
fn replace(place: &Path, is_durable: bool, write: impl FnOnce(&mut Replacement) -> io::Result<()>) -> io::Result<()> {
    let mut new = Replacement::beside(place)?.durable(is_durable);
    write(&mut new)?;
    new.take()
}

/// A file that is transcoded, up to the first bytes that are invalid in its charset. These are an error.
struct Sound<R>(Box<DecodingReader<R>>);

impl<R: Read> Read for Sound<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let len = self.0.read(out)?;
        match self.0.bad_runs() {
            0 => Ok(len),
            _ => Err(io::Error::other(Refusal::Content("not all of it is in its charset".to_owned()))),
        }
    }
}

/// A file that stays as it is: its bytes, which are decoded on the way.
struct Kept<R> {
    text: DecodingReader<Recorder<R>>,
    seen: Rc<RefCell<VecDeque<u8>>>,
    is_bad: Arc<AtomicBool>,
}

impl<R: Read> Read for Kept<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let mut is_over = false;
        while !is_over && self.seen.borrow().is_empty() {
            let len = self.text.fill_buf()?.len();
            is_over = len == 0;
            self.text.consume(len);
            self.is_bad.store(self.text.bad_runs() > 0, Ordering::Relaxed);
        }
        self.seen.borrow_mut().read(out)
    }
}

/// A reader that records what is read.
struct Recorder<R> {
    inner: R,
    seen: Rc<RefCell<VecDeque<u8>>>,
}

impl<R: Read> Read for Recorder<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let len = self.inner.read(out)?;
        self.seen.borrow_mut().extend(&out[..len]);
        Ok(len)
    }
}
