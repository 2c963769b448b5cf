//! Rewrites the parts of files, on any thread.

use std::collections::BTreeMap;
use std::io::{self, BufRead};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fmt, mem};

use sgf_check::{Note, NoteKind, Rewriter, Rewritten};
use sgf_input::Output;
use sgf_stream::charset::{Charset, Decoding};
use sgf_stream::parts::{LongGame, Part};
use sgf_stream::{Code, Parser};

use super::report::Said;
use crate::edit::part::Editor;
use crate::input::{self, Name};
use crate::jobs::{Buffers, Bytes, Games, Input, Reading, Steps, Transcoding, Work};

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
    pub(crate) tool: Tool,
    /// The one for files that are transcoded to UTF-8; `None` if they are left unchanged.
    pub(crate) transcoded: Option<Rewriter>,
    pub(crate) decoding: Decoding,
    /// Why a file that has to be transcoded is left unchanged. `is_sound`: all of it is in that charset.
    pub(crate) refusal: fn(Charset, bool) -> String,
    pub(crate) is_lossy: bool,
    /// Maximum number of reported diagnostics of each kind in a part, and of those that were dropped.
    pub(crate) most: u64,
    pub(crate) most_dropped: u64,
    pub(crate) buffers: Buffers,
    /// Whether the tool asks for the numbers of games.
    pub(crate) counts_games: bool,
}

/// What rewrites games.
pub(crate) enum Tool {
    Rewriter(Rewriter),
    Editor(Box<Editor>),
}

impl Tool {
    fn parser(&self) -> &Parser {
        match self {
            Tool::Rewriter(rewriter) => rewriter.parser(),
            Tool::Editor(editor) => editor.parser(),
        }
    }
}

/// The form in which a file is rewritten.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Bytes,
    /// Transcoded to UTF-8.
    Utf8,
    /// It is left unchanged, since it would have to be transcoded.
    Kept,
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
    /// The file has no SGF data, and is left unchanged.
    pub(super) has_no_sgf: bool,
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
    fn form(&self, input: &Input) -> Form {
        match (input.transcoded, &self.transcoded) {
            (None, _) => Form::Bytes,
            (Some(_), Some(_)) => Form::Utf8,
            (Some(_), None) => Form::Kept,
        }
    }

    /// Rewrites the games of a part. `pass_on` takes the first pieces of the result, if they are long.
    fn rewrite_part(
        &self,
        form: Form,
        input: &Input,
        part: &Part<'_>,
        pass_on: impl FnMut(Rewritten, Range<u64>) -> bool,
    ) -> Rewritten {
        match (&self.transcoded, &self.tool) {
            (Some(transcoded), _) if form == Form::Utf8 => transcoded.rewrite_part(part),
            (_, Tool::Rewriter(rewriter)) => rewriter.rewrite_part(part),
            (_, Tool::Editor(editor)) => editor.edit_part(input, part, pass_on),
        }
    }

    /// Returns the rewriter that finds out whether a game that is too long needs a change.
    fn watcher(&self, form: Form) -> Option<&Rewriter> {
        match (&self.transcoded, &self.tool) {
            (Some(transcoded), _) if form == Form::Utf8 => Some(transcoded),
            (_, Tool::Rewriter(rewriter)) => Some(rewriter),
            (_, Tool::Editor(_)) => None,
        }
    }

    /// Whether all bytes of the new form are needed.
    fn wants_bytes(&self, form: Form) -> bool {
        match self.mode {
            Mode::Print => true,
            Mode::Compare => false,
            Mode::Show | Mode::Replace { .. } => form == Form::Utf8,
        }
    }

    fn step(&self, input: &Input) -> Step {
        Step {
            name: input.name.clone(),
            place: input.place.clone(),
            is_all_new: self.form(input) == Form::Utf8,
            rewritten: Rewritten::default(),
            said: Vec::new(),
            bytes: self.buffers.take(),
            buffers: self.buffers.clone(),
            replaced: None,
            has_no_sgf: false,
        }
    }

    /// Adds what became of some bytes, which start at an offset of the file.
    fn add(&self, step: &mut Step, rewritten: Rewritten, source: &[u8], offset: u64) {
        let mut counts = BTreeMap::<(NoteKind, &str), u64>::new();
        for note in rewritten.notes() {
            if note.code == Code::NoSgfData.as_str() {
                step.has_no_sgf = true;
                continue;
            }
            let count = counts.entry((note.kind, note.code)).or_default();
            *count += 1;
            let most = if note.kind == NoteKind::Dropped { self.most_dropped } else { self.most };
            if *count <= most {
                step.said.push(Said::of(note, source, offset, self.is_lossy));
            }
        }
        step.rewritten = rewritten;
    }
}

impl Work for Rewriting {
    type Done = Vec<Done>;

    fn begin(&self) -> Vec<Done> {
        Vec::new()
    }

    fn refuses(&self, found: &input::Input<'_>) -> Option<io::Error> {
        let why = found.place().err().filter(|_| self.mode.is_in_place())?;
        Some(io::Error::other(Refusal::Place(why)))
    }

    fn reading(&self) -> Reading {
        let unsound =
            || io::Error::other(Refusal::Content("contains bytes that are invalid in its charset".to_owned()));
        let transcoding = if self.transcoded.is_some() { Transcoding::Sound(unsound) } else { Transcoding::Unchanged };
        Reading {
            transcoding,
            part_len: 256 << 10,
            max_game_len: 16 << 20,
            counts_games: self.counts_games,
            ..Reading::new(self.tool.parser().clone(), self.decoding)
        }
    }

    fn read(&self, input: &Arc<Input>, games: Games<'_, '_>, done: &mut Steps<'_, Vec<Done>>) {
        match games {
            Games::Part(part) => self.part(input, part, done),
            Games::Long(game) => self.long(input, game, done),
        }
    }

    fn end(&self, name: &Name, input: Option<&Arc<Input>>, mut result: io::Result<()>, done: &mut Vec<Done>) {
        if let (Ok(()), Some(input)) = (&result, input)
            && let (Some(charset), Form::Kept) = (input.transcoded, self.form(input))
        {
            let why = (self.refusal)(charset, input.bad_runs() == 0);
            result = Err(io::Error::other(Refusal::Content(why)));
        }
        let detected = input.and_then(|input| input.detected());
        done.push(Done::End(End { name: name.clone(), detected, result }));
    }
}

impl Rewriting {
    fn part(&self, input: &Input, part: &Part<'_>, done: &mut Steps<'_, Vec<Done>>) {
        let (mut step, form) = (self.step(input), self.form(input));
        let (source, offset) = (part.bytes(), part.span().start);
        let mut at = offset;
        if form != Form::Kept {
            let rewritten = self.rewrite_part(form, input, part, |rewritten, range| {
                let mut step = self.step(input);
                if self.wants_bytes(form) {
                    let source = &source[(range.start - offset) as usize..(range.end - offset) as usize];
                    write_new(&rewritten, source, range.start, &mut step.bytes);
                }
                step.rewritten = rewritten;
                at = range.end;
                done.push(Done::Step(step));
                done.pass_on(mem::take)
            });
            self.add(&mut step, rewritten, source, offset);
        }
        // A file of one part is replaced by the thread that has rewritten it.
        let is_file = at == 0 && part.is_last();
        let has_changed = step.is_all_new || step.rewritten.has_changed();
        if let (Mode::Replace { is_durable }, Some(place), true) = (self.mode, &input.place, is_file) {
            if has_changed && !step.has_no_sgf {
                step.replaced = Some(replace(place, is_durable, |new| step.rewritten.write_to(source, offset, new)));
            }
        } else if self.wants_bytes(form) {
            write_new(&step.rewritten, &source[(at - offset) as usize..], at, &mut step.bytes);
        }
        done.push(Done::Step(step));
    }

    fn long(&self, input: &Input, mut game: LongGame<'_, Bytes<'_>>, done: &mut Steps<'_, Vec<Done>>) {
        let (mut step, form, offset) = (self.step(input), self.form(input), game.position().offset);
        let mut is_wanted = true;
        let mut pass = |chunk: &[u8]| {
            if self.wants_bytes(form) {
                step.bytes.extend_from_slice(chunk);
            }
            if step.bytes.len() >= STEP {
                done.push(Done::Step(mem::replace(&mut step, self.step(input))));
                is_wanted = done.pass_on(mem::take);
            }
            is_wanted
        };
        if let Some(rewriter) = self.watcher(form).filter(|_| form != Form::Kept) {
            let passed = rewriter.pass_long(game, |passed| match pass(passed.source) {
                true => Ok(()),
                false => Err(io::ErrorKind::BrokenPipe.into()),
            });
            if let Ok(rewritten) = passed {
                self.add(&mut step, rewritten, &[], offset);
            }
        } else {
            let position = game.position();
            // The caller gets an error again.
            while let Ok(chunk) = game.fill_buf() {
                let len = chunk.len();
                if len == 0 || !pass(chunk) {
                    break;
                }
                game.consume(len);
            }
            if form != Form::Kept {
                let note = Note::left(Code::GameTooLong.as_str(), position, None, true);
                self.add(&mut step, Rewritten::made_of([], [note]), &[], offset);
            }
        }
        done.push(Done::Step(step));
    }
}

/// Adds the new form of a source, which starts at an offset.
fn write_new(rewritten: &Rewritten, source: &[u8], offset: u64, bytes: &mut Vec<u8>) {
    let written = rewritten.write_to(source, offset, bytes);
    debug_assert!(written.is_ok(), "a vector is written without errors");
}

/// Replaces a file with what is written.
fn replace(place: &Path, is_durable: bool, write: impl FnOnce(&mut Output) -> io::Result<()>) -> io::Result<()> {
    let mut new = Output::in_place(place, is_durable)?;
    write(&mut new)?;
    new.finish()
}
