//! Reports on standard error: what was repaired in the games of a file, and which games stay unchanged.

use std::fmt::Arguments;
use std::mem;

use sgf_stream::{Code, Diagnostic, Position, Repair, Severity};

use crate::failure::note;
use crate::input::Name;

/// The number of lines of each kind that are printed for a file. Further ones are counted.
const MAX_LISTED: usize = 20;

/// The remedy for a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Remedy {
    /// A repair keeps all content.
    Repair,
    /// A repair drops content.
    Drop,
    /// A value is cut off. Closed, it is as good as others.
    CloseValue,
    /// An identifier has digits, which FF\[4\] does not allow. Its property can be dropped.
    DropDigits,
    /// Nothing: the game exceeds a limit.
    None,
    /// The fault is not in a game.
    Outside,
}

impl Remedy {
    pub(super) fn of(code: Code) -> Remedy {
        match code {
            Code::JunkOutsideTree | Code::ExtraCloseParen | Code::NoSgfData => Remedy::Outside,
            Code::DigitInIdent => Remedy::DropDigits,
            Code::UnterminatedValue | Code::MissingCloseBracket => Remedy::CloseValue,
            _ => match code.repair() {
                Repair::Keeps => Remedy::Repair,
                Repair::Drops => Remedy::Drop,
                _ => Remedy::None,
            },
        }
    }
}

/// The faults of a game, or between two games.
#[derive(Default)]
pub(super) struct Faults {
    /// The first faults.
    listed: Vec<Diagnostic>,
    count: usize,
    /// The first fault of each remedy, and the number of them.
    by_remedy: Vec<(Remedy, Diagnostic, usize)>,
}

/// The reason why a game stays unchanged.
pub(super) struct Unchanged {
    pub(super) reason: String,
    /// No option helps against it.
    pub(super) is_error: bool,
}

impl Faults {
    fn add(&mut self, fault: Diagnostic) {
        self.count += 1;
        if self.listed.len() < MAX_LISTED {
            self.listed.push(fault.clone());
        }
        let remedy = Remedy::of(fault.code);
        match self.by_remedy.iter_mut().find(|(known, ..)| *known == remedy) {
            Some((.., count)) => *count += 1,
            None => self.by_remedy.push((remedy, fault, 1)),
        }
    }

    /// Adds faults that follow these.
    pub(super) fn append(&mut self, later: Faults) {
        self.count += later.count;
        let room = MAX_LISTED.saturating_sub(self.listed.len());
        self.listed.extend(later.listed.into_iter().take(room));
        for (remedy, fault, more) in later.by_remedy {
            match self.by_remedy.iter_mut().find(|(known, ..)| *known == remedy) {
                Some((.., count)) => *count += more,
                None => self.by_remedy.push((remedy, fault, more)),
            }
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub(super) fn has(&self, remedy: Remedy) -> bool {
        self.by_remedy.iter().any(|(known, ..)| *known == remedy)
    }

    /// The place of the first fault with a code, if it is among those that are listed.
    pub(super) fn place_of(&self, code: Code) -> Option<Position> {
        self.listed.iter().find(|fault| fault.code == code).map(|fault| fault.position)
    }

    /// The first fault with a remedy that is `wanted`, as the reason why a game stays unchanged.
    pub(super) fn first(&self, wanted: impl Fn(Remedy) -> bool) -> Option<Unchanged> {
        let wanted = || self.by_remedy.iter().filter(|(remedy, ..)| wanted(*remedy));
        let (remedy, fault, _) = wanted().min_by_key(|(_, fault, _)| fault.position)?;
        let (position, expected, code) = (fault.position, fault.code.expected(), fault.code);
        let others = match wanted().map(|(.., count)| count).sum::<usize>() - 1 {
            0 => String::new(),
            others => format!(", and {others} more"),
        };
        let advice = if *remedy == Remedy::None { "" } else { " (or see --lossy)" };
        let reason = format!("{position}: expected {expected} [{code}]{others}{advice}");
        Some(Unchanged { reason, is_error: wanted().any(|(_, fault, _)| fault.severity() == Severity::Error) })
    }
}

/// The findings in some games of a file.
pub(super) struct Findings {
    /// Codes that are not reported, since the style keeps such spellings.
    ignored: &'static [Code],
    /// The faults since the last game.
    pub(super) between: Faults,
    /// The faults of the open game.
    game: Faults,
    pub(super) reports: Reports,
}

/// Reports that are still to be printed.
#[derive(Default)]
pub(super) struct Reports {
    /// The lines, each with its kind: at most [`MAX_LISTED`] of each kind.
    lines: Vec<(Kind, String)>,
    /// Number of reports of each kind, with and without a line.
    counts: [usize; 2],
    has_errors: bool,
}

/// Kinds of reports, which are counted separately.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// About a repair.
    Repair,
    /// About a whole game.
    Game,
}

impl Reports {
    fn add(&mut self, kind: Kind, line: Arguments<'_>) {
        let count = &mut self.counts[kind as usize];
        *count += 1;
        if *count <= MAX_LISTED {
            self.lines.push((kind, line.to_string()));
        }
    }
}

/// Prints the reports about a file.
pub(super) struct Printer {
    name: Name,
    is_quiet: bool,
    /// Number of reports of each kind, printed or not.
    counts: [usize; 2],
    has_errors: bool,
}

impl Printer {
    pub(super) fn new(name: &Name, is_quiet: bool) -> Self {
        Printer { name: name.clone(), is_quiet, counts: [0; 2], has_errors: false }
    }

    /// Prints reports, unless there are too many.
    pub(super) fn print(&mut self, reports: Reports) {
        let mut counts = self.counts;
        for (kind, line) in reports.lines {
            counts[kind as usize] += 1;
            if counts[kind as usize] <= MAX_LISTED {
                self.line(format_args!("{line}"));
            }
        }
        self.counts.iter_mut().zip(reports.counts).for_each(|(count, more)| *count += more);
        self.has_errors |= reports.has_errors;
    }

    fn line(&self, line: Arguments<'_>) {
        if !self.is_quiet {
            note(format_args!("{}: {line}", self.name));
        }
    }

    /// Reports how many lines were not printed. Returns whether there were errors.
    pub(super) fn finish(self) -> bool {
        let [repairs, games] = self.counts;
        if repairs > MAX_LISTED {
            self.line(format_args!("{} more repairs", repairs - MAX_LISTED));
        }
        if games > MAX_LISTED {
            let more = games - MAX_LISTED;
            self.line(format_args!("{more} more games stay as they are, or keep their charset"));
        }
        self.has_errors
    }
}

impl Findings {
    pub(super) fn new(ignored: &'static [Code]) -> Self {
        Findings { ignored, between: Faults::default(), game: Faults::default(), reports: Reports::default() }
    }

    /// Takes the reports so far.
    pub(super) fn take_reports(&mut self) -> Reports {
        mem::take(&mut self.reports)
    }

    pub(super) fn add(&mut self, fault: Diagnostic) {
        if self.ignored.contains(&fault.code) {
            return;
        }
        match Remedy::of(fault.code) {
            Remedy::Outside => self.between.add(fault),
            _ => self.game.add(fault),
        }
    }

    /// The faults of the game that has ended.
    pub(super) fn take_game(&mut self) -> Faults {
        mem::take(&mut self.game)
    }

    /// Reports the faults between games, where the text was kept or left out.
    pub(super) fn report_between(&mut self, is_kept: bool) {
        let faults = mem::take(&mut self.between);
        for fault in &faults.listed {
            match (fault.code, is_kept) {
                (Code::JunkOutsideTree, true) => {
                    let position = fault.position;
                    let what = "text outside of games stays as it is";
                    self.report_repair(format_args!("{position}: {what} (or see --lossy) [{}]", fault.code));
                }
                (Code::ExtraCloseParen, true) => {}
                (Code::NoSgfData, _) => {} // an error of the parser
                _ => self.report_repair(format_args!("{fault}")),
            }
        }
        self.reports.counts[Kind::Repair as usize] += faults.count - faults.listed.len();
    }

    /// Reports the faults that were repaired in a game.
    pub(super) fn report_repairs(&mut self, faults: &Faults) {
        for fault in &faults.listed {
            let (position, code) = (fault.position, fault.code);
            match Remedy::of(code) {
                Remedy::CloseValue => {
                    self.report_repair(format_args!("{position}: a value that was cut off was closed [{code}]"));
                }
                Remedy::DropDigits => {
                    let what = "the identifier has digits, and its property was left out";
                    self.report_repair(format_args!("{position}: {what} [{code}]"));
                }
                _ => self.report_repair(format_args!("{fault}")),
            }
        }
        self.reports.counts[Kind::Repair as usize] += faults.count - faults.listed.len();
    }

    fn report_repair(&mut self, line: Arguments<'_>) {
        self.reports.add(Kind::Repair, line);
    }

    /// Reports why a game stays unchanged.
    pub(super) fn report_unchanged(&mut self, start: u64, unchanged: &Unchanged) {
        self.reports.has_errors |= unchanged.is_error;
        self.report_game(format_args!("the game at byte {start} stays as it is: {}", unchanged.reason));
    }

    /// Reports something about the texts of a game.
    pub(super) fn report_texts(&mut self, start: u64, what: Arguments<'_>) {
        self.report_game(format_args!("the game at byte {start}: {what}"));
    }

    fn report_game(&mut self, line: Arguments<'_>) {
        self.reports.add(Kind::Game, line);
    }
}
