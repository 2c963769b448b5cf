//! What is said of a file on standard error: what was repaired in its games, and which of them stay as they are.

use std::fmt::Arguments;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sgf_stream::{Code, Diagnostic, Parser, Severity};

use super::games::{Fate, Stays};
use crate::failure::note;
use crate::input::Name;

/// How many lines of a kind are printed of a file; the others are counted.
const MAX_LISTED: usize = 20;

/// What was found in a file.
pub(super) struct Findings {
    name: Name,
    /// Whether anything is said.
    tells: bool,
    /// The first faults of which nothing is said, since nothing is done about them.
    ignored: &'static [Code],
    heard: Arc<Mutex<Heard>>,
    repairs: usize,
    games: usize,
    has_errors: bool,
}

/// What the parser has found since it was asked.
#[derive(Default)]
struct Heard {
    outside: Found,
    game: Found,
}

/// What was found in a stretch of a file.
#[derive(Default)]
pub(super) struct Found {
    /// The first ones, and how many there are.
    listed: Vec<Diagnostic>,
    count: usize,
    /// The first of each fate, and how many there are.
    fates: Vec<(Fate, Diagnostic, usize)>,
}

impl Found {
    fn add(&mut self, found: &Diagnostic) {
        self.count += 1;
        if self.listed.len() < MAX_LISTED {
            self.listed.push(*found);
        }
        let fate = Fate::of(found.code);
        match self.fates.iter_mut().find(|(known, ..)| *known == fate) {
            Some((.., count)) => *count += 1,
            None => self.fates.push((fate, *found, 1)),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub(super) fn has(&self, fate: Fate) -> bool {
        self.fates.iter().any(|(found, ..)| *found == fate)
    }

    /// The first with such a fate, as the reason why a game stays as it is.
    pub(super) fn first(&self, is_wanted: impl Fn(Fate) -> bool) -> Option<Stays> {
        let wanted = || self.fates.iter().filter(|(fate, ..)| is_wanted(*fate));
        let (fate, found, _) = wanted().min_by_key(|(_, found, _)| found.position)?;
        let (position, expected, code) = (found.position, found.code.expected(), found.code);
        let others = match wanted().map(|(.., count)| count).sum::<usize>() - 1 {
            0 => String::new(),
            others => format!(", and {others} more"),
        };
        let advice = if *fate == Fate::TooMuch { "" } else { " (or see --lossy)" };
        let why = format!("{position}: expected {expected} [{code}]{others}{advice}");
        Some(Stays { why, is_error: wanted().any(|(_, found, _)| found.severity() == Severity::Error) })
    }
}

impl Findings {
    /// Of a file, as yet without any.
    pub(super) fn of(name: &Name, tells: bool, ignored: &'static [Code]) -> Self {
        let heard = Arc::default();
        Findings { name: name.clone(), tells, ignored, heard, repairs: 0, games: 0, has_errors: false }
    }

    /// The parser with a listener that tells this.
    pub(super) fn listen(&self, parser: Parser) -> Parser {
        let (heard, ignored) = (Arc::clone(&self.heard), self.ignored);
        parser.on_diagnostic(move |found| {
            if ignored.contains(&found.code) {
                return;
            }
            let mut heard = lock(&heard);
            match Fate::of(found.code) {
                Fate::Outside => heard.outside.add(found),
                _ => heard.game.add(found),
            }
        })
    }

    /// What was found in the game that has ended.
    pub(super) fn take_game(&mut self) -> Found {
        std::mem::take(&mut lock(&self.heard).game)
    }

    /// Says what was found between games, of which the text stays or goes.
    pub(super) fn outside(&mut self, stays: bool) {
        let found = std::mem::take(&mut lock(&self.heard).outside);
        for found in &found.listed {
            match (found.code, stays) {
                (Code::JunkOutsideTree, true) => {
                    let position = found.position;
                    let what = "text outside of games stays as it is";
                    self.repair(format_args!("{position}: {what} (or see --lossy) [{}]", found.code));
                }
                (Code::ExtraCloseParen, true) => {}
                (Code::NoSgfData, _) => {} // an error of the parser
                _ => self.repair(format_args!("{found}")),
            }
        }
        self.repairs += found.count - found.listed.len();
    }

    /// Says what was repaired in a game.
    pub(super) fn repaired(&mut self, found: &Found) {
        for found in &found.listed {
            let (position, code) = (found.position, found.code);
            match Fate::of(code) {
                Fate::Cut => self.repair(format_args!("{position}: a value that was cut off was closed [{code}]")),
                Fate::HasDigits => {
                    let what = "the identifier has digits, and its property was left out";
                    self.repair(format_args!("{position}: {what} [{code}]"));
                }
                _ => self.repair(format_args!("{found}")),
            }
        }
        self.repairs += found.count - found.listed.len();
    }

    fn repair(&mut self, line: Arguments<'_>) {
        self.repairs += 1;
        if self.repairs <= MAX_LISTED {
            self.say(line);
        }
    }

    /// Says why a game goes out as it stands.
    pub(super) fn stays(&mut self, start: u64, why: &Stays) {
        self.has_errors |= why.is_error;
        self.game(format_args!("the game at byte {start} stays as it is: {}", why.why));
    }

    /// Says something of the texts of a game.
    pub(super) fn of_texts(&mut self, start: u64, what: Arguments<'_>) {
        self.game(format_args!("the game at byte {start}: {what}"));
    }

    fn game(&mut self, line: Arguments<'_>) {
        self.games += 1;
        if self.games <= MAX_LISTED {
            self.say(line);
        }
    }

    fn say(&self, line: Arguments<'_>) {
        if self.tells {
            note(format_args!("{}: {line}", self.name));
        }
    }

    /// Says how much was not said. Answers whether there were errors.
    pub(super) fn finish(self) -> bool {
        if self.repairs > MAX_LISTED {
            self.say(format_args!("{} more repairs", self.repairs - MAX_LISTED));
        }
        if self.games > MAX_LISTED {
            self.say(format_args!("{} more games stay as they are, or keep their charset", self.games - MAX_LISTED));
        }
        self.has_errors
    }
}

fn lock(heard: &Mutex<Heard>) -> MutexGuard<'_, Heard> {
    heard.lock().unwrap_or_else(PoisonError::into_inner)
}
