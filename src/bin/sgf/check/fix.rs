//! `--fix`: rewrites files in place, or prints a diff; and prints the summary.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::thread;

use sgf_stream::charset::{Charset, Decoding};
use sgf_stream::check::{Fate, FixError, Fixed, Fixer, Note, Rule, Rules, Summary};
use sgf_stream::{Code, Parser};

use super::diff::Diff;
use crate::decoding;
use crate::failure::note;
use crate::fmt::target::{Replacement, open};
use crate::input::Name;
use crate::source::Source;
use crate::tables::counted;
use crate::terminal;

/// The reason why a file is not repaired.
pub(super) enum Stop {
    Io(io::Error),
    /// Standard output could not be written.
    Output(io::Error),
    /// The repair was refused, for this reason.
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

/// A file to repair, and the options.
pub(super) struct Fixing<'a> {
    pub(super) rules: &'a Rules,
    pub(super) decoding: Decoding,
    pub(super) is_lossy: bool,
    pub(super) guesses_charset: bool,
    pub(super) is_durable: bool,
    /// Maximum number of dropped texts shown for each code.
    pub(super) max: u64,
    pub(super) name: &'a Name,
    pub(super) path: &'a Path,
}

impl Fixing<'_> {
    fn parser(&self) -> Parser {
        Parser::new().charset(self.decoding)
    }

    fn fixer<'n>(&self) -> Fixer<'n> {
        self.parser().fixer(self.rules.clone()).lossy(self.is_lossy).guess_charset(self.guesses_charset)
    }

    fn check_charset(&self) -> Result<(), Stop> {
        let mut file = open(self.path)?;
        let (mut source, _) = Source::of(&mut file, Some(self.decoding))?;
        match source.charset()? {
            // ASCII is the same in HZ and ISO-2022, as long as nothing shifts.
            Some(charset) if is_plain(charset, &mut open(self.path)?)? => Ok(()),
            Some(_) => Err(Stop::Refused(format!("it is in UTF-16, UTF-32, HZ or ISO-2022{}", way_out(&mut source)?))),
            None => Ok(()),
        }
    }

    /// Repairs the file in place. A file that has nothing to repair is not written.
    pub(super) fn in_place(&self, notes: &mut Notes<'_>) -> Result<Fixed, Stop> {
        self.check_charset()?;
        let fixed = self.fixer().on_note(|note| notes.add(note)).fix(open(self.path)?, io::sink())?;
        if fixed.has_changed() {
            let mut place = Replacement::beside(self.path)?.durable(self.is_durable);
            self.fixer().fix(open(self.path)?, &mut place)?;
            place.take()?;
        }
        Ok(fixed)
    }

    /// Prints a diff of the repair, and checks the repaired form.
    pub(super) fn preview(&self, notes: &mut Notes<'_>, out: &mut dyn Write) -> Result<(Fixed, Summary), Stop> {
        self.check_charset()?;
        let mut diff = Diff::new(open(self.path)?, self.name.to_string(), terminal::get().shows_output(), out);
        let (reader, writer) = io::pipe()?;
        let (fixed, summary) = thread::scope(|scope| {
            let checking = scope.spawn(|| {
                let mut checker = self.parser().checker(self.rules.clone(), |_: &_| {});
                checker.check(BufReader::new(reader))
            });
            let mut fixer = self.fixer().on_note(|note| notes.add(note)).on_change(|change| diff.change(change));
            let fixed = fixer.fix(open(self.path)?, writer); // closes the pipe
            drop(fixer);
            let summary = checking.join().unwrap_or_else(|_| Err(io::Error::other("the checker has panicked")));
            Ok::<_, Stop>((fixed?, summary?))
        })?;
        diff.finish().map_err(Stop::Output)?;
        Ok((fixed, summary))
    }
}

/// Returns whether a file can be parsed as it is although it is in HZ or ISO-2022-\*.
fn is_plain(charset: Charset, file: &mut impl BufRead) -> io::Result<bool> {
    loop {
        let bytes = match file.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            bytes => bytes?,
        };
        if bytes.is_empty() {
            return Ok(true);
        }
        if !decoding::is_plain_in(charset, bytes) {
            return Ok(false);
        }
        let len = bytes.len();
        file.consume(len);
    }
}

/// Returns a hint that `sgf fmt` converts a transcoded file to UTF-8, unless data would be lost.
fn way_out(source: &mut Source<'_>) -> io::Result<&'static str> {
    let mut is_sound = true;
    while is_sound && !source.next_chunk(|_| is_sound = false)?.is_empty() {}
    Ok(if is_sound { " (`sgf fmt` converts it to UTF-8)" } else { ", and not all of its bytes are in that charset" })
}

/// Collects and prints the notes of the fixer on a file.
pub(super) struct Notes<'a> {
    name: &'a Name,
    max: u64,
    dropped: BTreeMap<Rule, u64>,
    /// Place of the first fault of each code that is not repaired.
    left: BTreeMap<Rule, String>,
    say: Box<dyn FnMut(fmt::Arguments<'_>) + 'a>,
}

impl<'a> Notes<'a> {
    /// Makes an empty collection. `say` prints the notes on dropped content.
    pub(super) fn new(fixing: &Fixing<'a>, say: impl FnMut(fmt::Arguments<'_>) + 'a) -> Self {
        let (dropped, left) = (BTreeMap::new(), BTreeMap::new());
        Notes { name: fixing.name, max: fixing.max, dropped, left, say: Box::new(say) }
    }

    fn add(&mut self, note: &Note<'_>) {
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
            (self.say)(format_args!("{place}: dropped [{}]: {}{more}", note.rule, note.shown.escape_ascii()));
        }
    }

    /// Ends a file. Returns the place of the first fault of each code that is not repaired.
    pub(super) fn end(mut self) -> BTreeMap<Rule, String> {
        for (rule, &count) in self.dropped.iter().filter(|(_, count)| **count > self.max) {
            let more = count - self.max;
            (self.say)(format_args!("{}: dropped {more} more of {rule} (--max 0 shows them)", self.name));
        }
        self.left
    }
}

/// The results in all files.
#[derive(Default)]
pub(super) struct Tally {
    pub(super) fixed: Fixed,
    is_lossy: bool,
    /// Number of files with repairs, with faults left, and with dropped content.
    repaired: u64,
    left: u64,
    dropped: u64,
    pub(super) refused: u64,
    /// Place of the first fault of each code that is not repaired.
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

    /// Prints the summary on standard error.
    pub(super) fn say(&self) {
        let Tally { fixed, .. } = self;
        let total = |counts: &mut dyn Iterator<Item = (Rule, u64)>| counts.map(|(_, count)| count).sum::<u64>();
        if fixed.count() > 0 {
            let (faults, files) = (counted(fixed.count(), "fault"), counted(self.repaired, "file"));
            note(format_args!("repaired {faults} in {files}: {}", list(fixed.repairs(), |_| None)));
        }
        if fixed.dropped().len() > 0 {
            let (n, files) = (total(&mut fixed.dropped()), counted(self.dropped, "file"));
            note(format_args!("dropped {} in {files}: {}", counted(n, "fragment"), list(fixed.dropped(), |_| None)));
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
                true => " (--lossy drops what a repair would lose)",
                false => "",
            };
            let is_label = |(rule, _): (Rule, u64)| rule == Rule::Syntax(Code::CharsetMismatch);
            let but = match fixed.left_games() > 0 && fixed.repairs().any(is_label) {
                true => ", but for CA where it was repaired",
                false => "",
            };
            note(format_args!("left {what} in {files} unchanged{but}{hint}: {why}"));
        }
        if self.refused > 0 {
            note(format_args!("refused {}", counted(self.refused, "file")));
        }
    }
}

/// Formats the codes, most frequent first.
fn list<'p>(counts: impl Iterator<Item = (Rule, u64)>, place: impl Fn(Rule) -> Option<&'p String>) -> String {
    let mut counts: Vec<_> = counts.collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let item = |(rule, count)| match place(rule) {
        Some(place) => format!("{count} {rule} (first: {place})"),
        None => format!("{count} {rule}"),
    };
    counts.into_iter().map(item).collect::<Vec<_>>().join(", ")
}
