//! `--fix`: files in the place of files, or a diff of both; and the summary at the end.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, BufReader, Write};
use std::path::Path;
use std::thread;

use sgf_stream::charset::Decoding;
use sgf_stream::check::{Fate, FixError, Fixed, Fixer, Note, Rule, Rules, Summary};
use sgf_stream::{Code, Parser};

use super::diff::Diff;
use crate::failure::note;
use crate::fmt::target::{Place, open};
use crate::input::Name;
use crate::source::Source;
use crate::tables::counted;
use crate::terminal;

/// Why a file is not repaired.
pub(super) enum Stop {
    Io(io::Error),
    /// Standard output could not be written.
    Output(io::Error),
    /// What is the matter with it.
    Refused(String),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Stop::Io(error)
    }
}

impl From<FixError> for Stop {
    fn from(error: FixError) -> Self {
        match error {
            FixError::Read(error) | FixError::Write(error) => Stop::Io(error),
            error => Stop::Refused(error.to_string()),
        }
    }
}

/// A file that is to be repaired, and how.
pub(super) struct Fixing<'a> {
    pub(super) rules: &'a Rules,
    pub(super) decoding: Decoding,
    pub(super) is_lossy: bool,
    pub(super) is_durable: bool,
    /// Show so many stretches of each code that were left out.
    pub(super) max: u64,
    pub(super) name: &'a Name,
    pub(super) path: &'a Path,
}

impl Fixing<'_> {
    fn parser(&self) -> Parser {
        Parser::new().charset(self.decoding)
    }

    fn fixer<'n>(&self) -> Fixer<'n> {
        self.parser().fixer(self.rules.clone()).lossy(self.is_lossy)
    }

    fn check_charset(&self) -> Result<(), Stop> {
        let mut file = open(self.path)?;
        let (mut source, _) = Source::of(&mut file, Some(self.decoding))?;
        match source.is_transcoded() {
            true => Err(Stop::Refused(format!("it is in UTF-16, UTF-32, HZ or ISO-2022{}", way_out(&mut source)?))),
            false => Ok(()),
        }
    }

    /// Repairs the file. One without faults that can be repaired is not touched.
    pub(super) fn in_place(&self, notes: &mut Notes<'_>) -> Result<Fixed, Stop> {
        self.check_charset()?;
        let fixed = self.fixer().on_note(|note| notes.hear(note)).fix(open(self.path)?, io::sink())?;
        if fixed.has_changed() {
            let mut place = Place::beside(self.path)?.durable(self.is_durable);
            self.fixer().fix(open(self.path)?, &mut place)?;
            place.take()?;
        }
        Ok(fixed)
    }

    /// Prints what would change, and checks what the file would be.
    pub(super) fn preview(&self, notes: &mut Notes<'_>, out: &mut dyn Write) -> Result<(Fixed, Summary), Stop> {
        self.check_charset()?;
        let mut diff = Diff::new(open(self.path)?, self.name.to_string(), terminal::get().shows_output(), out);
        let (reader, writer) = io::pipe()?;
        let (fixed, summary) = thread::scope(|scope| {
            let checking = scope.spawn(|| {
                let mut checker = self.parser().checker(self.rules.clone(), |_: &_| {});
                checker.check(BufReader::new(reader))
            });
            let mut fixer = self.fixer().on_note(|note| notes.hear(note)).on_change(|change| diff.change(change));
            let fixed = fixer.fix(open(self.path)?, writer); // and closes the pipe
            drop(fixer);
            let summary = checking.join().unwrap_or_else(|_| Err(io::Error::other("the checker has panicked")));
            Ok::<_, Stop>((fixed?, summary?))
        })?;
        diff.finish().map_err(Stop::Output)?;
        Ok((fixed, summary))
    }
}

/// The program that makes UTF-8 of a transcoded file; none if some of it would be lost.
fn way_out(source: &mut Source<'_>) -> io::Result<&'static str> {
    let mut is_sound = true;
    while is_sound && !source.next_chunk(|_| is_sound = false)?.is_empty() {}
    Ok(if is_sound { " (`sgf fmt` makes UTF-8 of it)" } else { ", and not all of its bytes are in that charset" })
}

/// What the fixer says of a file.
pub(super) struct Notes<'a> {
    name: &'a Name,
    max: u64,
    dropped: BTreeMap<Rule, u64>,
    /// Where the first fault of each code is for which something is left.
    left: BTreeMap<Rule, String>,
    say: Box<dyn FnMut(fmt::Arguments<'_>) + 'a>,
}

impl<'a> Notes<'a> {
    /// Says with `say` what is left out.
    pub(super) fn new(fixing: &Fixing<'a>, say: impl FnMut(fmt::Arguments<'_>) + 'a) -> Self {
        let (dropped, left) = (BTreeMap::new(), BTreeMap::new());
        Notes { name: fixing.name, max: fixing.max, dropped, left, say: Box::new(say) }
    }

    fn hear(&mut self, note: &Note<'_>) {
        let place = || format!("{}:{}:{}", self.name, note.position.line, note.position.column);
        if note.fate != Fate::Dropped {
            self.left.entry(note.rule).or_insert_with(place);
            return;
        }
        let count = self.dropped.entry(note.rule).or_default();
        *count += 1;
        if *count <= self.max {
            let (place, more) = (place(), note.len > note.shown.len() as u64);
            let more = if more { format!("… ({})", counted(note.len, "byte")) } else { String::new() };
            (self.say)(format_args!("{place}: left out [{}]: {}{more}", note.rule, note.shown.escape_ascii()));
        }
    }

    /// The file is over. Returns where the first fault of each code is for which something is left.
    pub(super) fn end(mut self) -> BTreeMap<Rule, String> {
        for (rule, &count) in self.dropped.iter().filter(|(_, count)| **count > self.max) {
            let more = count - self.max;
            (self.say)(format_args!("{}: left out {more} more of {rule} (--max 0 shows them)", self.name));
        }
        self.left
    }
}

/// What was done in all files.
#[derive(Default)]
pub(super) struct Tally {
    pub(super) fixed: Fixed,
    is_lossy: bool,
    /// Files in which something was repaired, left, left out.
    repaired: u64,
    left: u64,
    dropped: u64,
    pub(super) refused: u64,
    /// Where the first of each code is that is left.
    first: BTreeMap<Rule, String>,
}

impl Tally {
    pub(super) fn new(is_lossy: bool) -> Self {
        Tally { is_lossy, ..Tally::default() }
    }

    pub(super) fn add(&mut self, left: BTreeMap<Rule, String>, fixed: Fixed) {
        self.repaired += u64::from(fixed.count() > 0);
        self.left += u64::from(fixed.left().len() > 0);
        self.dropped += u64::from(fixed.dropped().len() > 0);
        for (rule, place) in left {
            self.first.entry(rule).or_insert(place);
        }
        self.fixed += fixed;
    }

    /// The summary, on standard error.
    pub(super) fn say(&self) {
        let Tally { fixed, .. } = self;
        let total = |counts: &mut dyn Iterator<Item = (Rule, u64)>| counts.map(|(_, count)| count).sum::<u64>();
        if fixed.count() > 0 {
            let (faults, files) = (counted(fixed.count(), "fault"), counted(self.repaired, "file"));
            note(format_args!("repaired {faults} in {files}: {}", list(fixed.repairs(), |_| None)));
        }
        if fixed.dropped().len() > 0 {
            let (n, files) = (total(&mut fixed.dropped()), counted(self.dropped, "file"));
            note(format_args!("left out {} in {files}: {}", stretches(n), list(fixed.dropped(), |_| None)));
        }
        if fixed.left().len() > 0 {
            let has_text = fixed.left().any(|(rule, _)| rule == Rule::Syntax(Code::JunkOutsideTree));
            let what = match (fixed.left_games(), has_text) {
                (0, _) => "text outside of games".to_owned(),
                (games, false) => counted(games, "game"),
                (games, true) => format!("{} and text outside of games", counted(games, "game")),
            };
            let (why, files) = (list(fixed.left(), |rule| self.first.get(&rule)), counted(self.left, "file"));
            let is_in_the_way = |rule| rule != Rule::Syntax(Code::GameTooLong);
            let hint = match !self.is_lossy && fixed.left().any(|(rule, _)| is_in_the_way(rule)) {
                true => " (--lossy leaves out what is in the way)",
                false => "",
            };
            note(format_args!("left {what} in {files} as it is{hint}: {why}"));
        }
        if self.refused > 0 {
            note(format_args!("refused {}", counted(self.refused, "file")));
        }
    }
}

fn stretches(count: u64) -> String {
    format!("{count} stretch{} of text", if count == 1 { "" } else { "es" })
}

/// The codes, the most frequent first.
fn list<'p>(counts: impl Iterator<Item = (Rule, u64)>, place: impl Fn(Rule) -> Option<&'p String>) -> String {
    let mut counts: Vec<_> = counts.collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let item = |(rule, count)| match place(rule) {
        Some(place) => format!("{count} {rule} (first: {place})"),
        None => format!("{count} {rule}"),
    };
    counts.into_iter().map(item).collect::<Vec<_>>().join(", ")
}
