//! Reports on standard error: what was repaired in the games of a file, and which games stay unchanged.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Arguments;
use std::mem;

use sgf_stream::{Code, Diagnostic, Position, Repair, Severity};

use crate::failure::note;
use crate::input::Name;
use crate::tables::counted;

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
    /// Number of faults of each code that are not listed.
    unlisted: BTreeMap<Code, usize>,
    /// The first fault of each remedy, and the number of them.
    by_remedy: Vec<(Remedy, Diagnostic, usize)>,
}

/// The reason why a game stays unchanged.
pub(super) struct Unchanged {
    pub(super) kind: Topic,
    pub(super) reason: String,
    /// No option helps against it.
    pub(super) is_error: bool,
}

impl Faults {
    fn add(&mut self, fault: Diagnostic) {
        self.count += 1;
        if self.lists(fault.code) {
            self.listed.push(fault.clone());
        } else {
            *self.unlisted.entry(fault.code).or_default() += 1;
        }
        let remedy = Remedy::of(fault.code);
        match self.by_remedy.iter_mut().find(|(known, ..)| *known == remedy) {
            Some((.., count)) => *count += 1,
            None => self.by_remedy.push((remedy, fault, 1)),
        }
    }

    /// Whether the next fault of this code is listed: the first one is, and there is room for some more.
    fn lists(&self, code: Code) -> bool {
        self.listed.len() < MAX_LISTED || self.listed.iter().all(|fault| fault.code != code)
    }

    /// Adds faults that follow these.
    pub(super) fn append(&mut self, later: Faults) {
        self.count += later.count;
        for fault in later.listed {
            match self.lists(fault.code) {
                true => self.listed.push(fault),
                false => *self.unlisted.entry(fault.code).or_default() += 1,
            }
        }
        for (code, more) in later.unlisted {
            *self.unlisted.entry(code).or_default() += more;
        }
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
        let kind = Topic::Unchanged(code.as_str());
        Some(Unchanged { kind, reason, is_error: wanted().any(|(_, fault, _)| fault.severity() == Severity::Error) })
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
    /// The lines, each with its topic: at most [`MAX_LISTED`] of each kind.
    lines: Vec<(Topic, String)>,
    /// Number of reports on each topic, with and without a line.
    counts: BTreeMap<Topic, usize>,
    has_errors: bool,
}

/// What a report is about. In a run over many files, reports on one topic become one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Topic {
    /// A repair of faults with this code.
    Repair(&'static str),
    /// Text between games.
    Between(&'static str),
    /// A game that stays unchanged because of faults with this code, or for another reason.
    Unchanged(&'static str),
    /// A game that keeps its charset, for this reason.
    Texts(&'static str),
}

impl Topic {
    fn kind(self) -> Kind {
        match self {
            Topic::Repair(_) | Topic::Between(_) => Kind::Repair,
            Topic::Unchanged(_) | Topic::Texts(_) => Kind::Game,
        }
    }
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
    fn add(&mut self, topic: Topic, line: Arguments<'_>) {
        let is_new = !self.counts.contains_key(&topic);
        *self.counts.entry(topic).or_default() += 1;
        let kind = topic.kind();
        if is_new || self.lines.iter().filter(|(topic, _)| topic.kind() == kind).count() < MAX_LISTED {
            self.lines.push((topic, line.to_string()));
        }
    }

    /// Counts the faults that are not listed.
    fn count_unlisted(&mut self, faults: &Faults, topic: fn(&'static str) -> Topic) {
        for (code, more) in &faults.unlisted {
            *self.counts.entry(topic(code.as_str())).or_default() += more;
        }
    }
}

/// Where reports go.
#[derive(Clone, Copy)]
pub(super) enum Reporting<'s> {
    Quiet,
    /// Each is a line, up to some number of each kind.
    Lines,
    /// They are summed up over the files of a run.
    Sums(&'s RefCell<Sums>),
}

/// Sums of the reports in the files of a run.
#[derive(Default)]
pub(super) struct Sums {
    /// The first line on each topic, the number of reports, and the number of files that have any.
    topics: BTreeMap<Topic, (String, usize, u64)>,
}

impl Sums {
    fn add(&mut self, name: &Name, topic: Topic, line: &str) {
        self.topics.entry(topic).or_insert_with(|| (format!("{name}: {line}"), 0, 0));
    }

    /// Prints a line for each topic.
    pub(super) fn print(&self) {
        for (first, count, files) in self.topics.values() {
            match (count.saturating_sub(1), files) {
                (0, _) => note(format_args!("{first}")),
                (more, 1) => note(format_args!("{first}; and {more} more")),
                (more, files) => note(format_args!("{first}; and {more} more, in {}", counted(*files, "file"))),
            }
        }
    }
}

/// Prints the reports about a file.
pub(super) struct Printer<'s> {
    name: Name,
    reporting: Reporting<'s>,
    /// Number of reports on each topic, printed or not.
    counts: BTreeMap<Topic, usize>,
    /// Number of lines of each kind that were printed.
    printed: [usize; 2],
    has_errors: bool,
}

impl<'s> Printer<'s> {
    pub(super) fn new(name: &Name, reporting: Reporting<'s>) -> Self {
        Printer { name: name.clone(), reporting, counts: BTreeMap::new(), printed: [0; 2], has_errors: false }
    }

    /// Prints reports, unless there are too many.
    pub(super) fn print(&mut self, reports: Reports) {
        for (topic, line) in reports.lines {
            match self.reporting {
                Reporting::Quiet => {}
                Reporting::Sums(sums) => sums.borrow_mut().add(&self.name, topic, &line),
                Reporting::Lines => {
                    let printed = &mut self.printed[topic.kind() as usize];
                    *printed += 1;
                    if *printed <= MAX_LISTED {
                        note(format_args!("{}: {line}", self.name));
                    }
                }
            }
        }
        for (topic, more) in reports.counts {
            *self.counts.entry(topic).or_default() += more;
        }
        self.has_errors |= reports.has_errors;
    }

    fn line(&self, line: Arguments<'_>) {
        if matches!(self.reporting, Reporting::Lines) {
            note(format_args!("{}: {line}", self.name));
        }
    }

    /// Reports how many lines were not printed. Returns whether there were errors.
    pub(super) fn finish(self) -> bool {
        if let Reporting::Sums(sums) = self.reporting {
            for (topic, count) in &self.counts {
                if let Some((_, sum, files)) = sums.borrow_mut().topics.get_mut(topic) {
                    *sum += count;
                    *files += 1;
                }
            }
        }
        let of_kind = |kind| self.counts.iter().filter(|(topic, _)| topic.kind() == kind).map(|(_, count)| count).sum();
        let (repairs, games): (usize, usize) = (of_kind(Kind::Repair), of_kind(Kind::Game));
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
                    let topic = Topic::Between(fault.code.as_str());
                    self.reports.add(topic, format_args!("{position}: {what} (or see --lossy) [{}]", fault.code));
                }
                (Code::ExtraCloseParen, true) => {}
                (Code::NoSgfData, _) => {} // an error of the parser
                _ => self.reports.add(Topic::Between(fault.code.as_str()), format_args!("{fault}")),
            }
        }
        self.reports.count_unlisted(&faults, Topic::Between);
    }

    /// Reports the faults that were repaired in a game.
    pub(super) fn report_repairs(&mut self, faults: &Faults) {
        for fault in &faults.listed {
            let (position, code) = (fault.position, fault.code);
            let topic = Topic::Repair(code.as_str());
            match Remedy::of(code) {
                Remedy::CloseValue => {
                    self.reports.add(topic, format_args!("{position}: a value that was cut off was closed [{code}]"));
                }
                Remedy::DropDigits => {
                    let what = "the identifier has digits, and its property was left out";
                    self.reports.add(topic, format_args!("{position}: {what} [{code}]"));
                }
                _ => self.reports.add(topic, format_args!("{fault}")),
            }
        }
        self.reports.count_unlisted(faults, Topic::Repair);
    }

    /// Reports why a game stays unchanged. `label`: the charset that is written into its CA all the same.
    pub(super) fn report_unchanged(&mut self, start: u64, unchanged: &Unchanged, label: Option<&str>) {
        self.reports.has_errors |= unchanged.is_error;
        let but = label.map_or(String::new(), |label| format!(", but CA[{label}] is written into it"));
        let line = format_args!("the game at byte {start} stays as it is{but}: {}", unchanged.reason);
        self.reports.add(unchanged.kind, line);
    }

    /// Reports something about the texts of a game, for a reason that has this name.
    pub(super) fn report_texts(&mut self, start: u64, reason: &'static str, what: Arguments<'_>) {
        self.reports.add(Topic::Texts(reason), format_args!("the game at byte {start}: {what}"));
    }
}
