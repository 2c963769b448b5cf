//! Reports on standard error: what was repaired, left unchanged and dropped.

use std::collections::BTreeMap;
use std::sync::Arc;

use sgf_check::{Note, NoteKind, Rewritten};
use sgf_stream::{Code, Position, Repair, Severity};

use crate::failure::{note, print_located};
use crate::input::Name;
use crate::progress::Progress;
use crate::tables::counted;

/// Number of lines of each kind about a file in [`Manner::Lines`]. Further ones are counted.
pub(crate) const MOST_LINES: u64 = 20;

/// Number of bytes that are shown of what was dropped.
const SHOWN: usize = 64;

/// A line about a diagnostic.
pub(super) struct Said {
    kind: NoteKind,
    code: &'static str,
    position: Position,
    what: String,
    severity: Severity,
}

impl Said {
    /// Describes a diagnostic in some bytes, which start at an offset of the file.
    pub(super) fn of(note: &Note, source: &[u8], offset: u64, is_lossy: bool) -> Self {
        let Note { kind, code, position, is_error, .. } = *note;
        let hint = match code {
            _ if is_lossy || !is_droppable(code) => "",
            "unknown-ident" => " (use --lossy to shorten it)",
            "version" => " (use --lossy to replace it)",
            _ => " (use --lossy to drop it)",
        };
        let known = code.parse::<Code>().ok();
        let what = match (&note.message, known, kind) {
            (Some(message), _, NoteKind::Left) if is_error || is_droppable(code) => {
                format!("{message}; the game keeps its form{hint}")
            }
            (Some(message), ..) => message.clone(),
            (None, Some(Code::UnterminatedValue | Code::MissingCloseBracket), NoteKind::Repaired) => {
                format!("a truncated value was closed [{code}]")
            }
            (None, Some(known), NoteKind::Repaired) => format!("{} [{code}]", known.message()),
            (None, None, NoteKind::Repaired) => format!("repaired [{code}]"),
            (None, _, NoteKind::Dropped) => format!("dropped [{code}]: {}", excerpt(note, source, offset)),
            (None, Some(Code::JunkOutsideTree), _) => {
                format!("text outside of games was left unchanged{hint} [{code}]")
            }
            (None, Some(known), _) => {
                let what = if is_error { "the game" } else { "this" };
                format!("{}; {what} was left unchanged{hint} [{code}]", problem(known))
            }
            (None, None, _) => format!("this was left unchanged{hint} [{code}]"),
        };
        let severity = if is_error { Severity::Error } else { Severity::Warning };
        Said { kind, code, position, what, severity }
    }
}

/// Returns what is wrong: what the grammar expects, or the limit that was exceeded.
fn problem(code: Code) -> String {
    let what = match code {
        Code::IdentTooLong => "the identifier is",
        Code::ValueTooLong => "the value is",
        Code::NodeTooLong => "the node is",
        Code::GameTooLong => "the game is",
        Code::TreeTooDeep => return "the tree is nested deeper than the limit".to_owned(),
        code => return format!("expected {}", code.expected()),
    };
    format!("{what} longer than the limit")
}

/// The start of what was dropped.
fn excerpt(note: &Note, source: &[u8], offset: u64) -> String {
    let [start, end] = [note.range.start, note.range.end].map(|at| at.saturating_sub(offset) as usize);
    let text = source.get(start..end).unwrap_or_default();
    let more = if text.len() > SHOWN { format!("… ({})", counted(text.len() as u64, "byte")) } else { String::new() };
    format!("{}{more}", text[..text.len().min(SHOWN)].escape_ascii())
}

/// Whether `--lossy` drops what is left. Two rules of canonical form are not in [`Code`]: that of an unknown identifier
/// with lower-case letters, and that of a version that is more than a number.
fn is_droppable(code: &str) -> bool {
    let drops = |code: Code| code.repair() == Repair::Drops || code == Code::DigitInIdent;
    code.parse().map_or(matches!(code, "unknown-ident" | "version"), drops)
}

/// How much is reported.
pub(crate) enum Manner {
    /// A line for each diagnostic in a file, up to some number.
    Lines,
    /// A line for each kind of diagnostics in all files, at the end.
    Sums,
    /// A line for each fragment that was dropped, up to a limit; and a summary.
    Summary { most: u64, progress: Arc<Progress> },
}

/// Reports the outcome of the diagnostics in files.
pub(crate) struct Report {
    manner: Manner,
    is_lossy: bool,
    kinds: BTreeMap<(NoteKind, &'static str), Kind>,
    /// Number of files with diagnostics of each kind.
    files: BTreeMap<NoteKind, u64>,
    /// The sums of all files.
    pub(crate) total: Rewritten,
    /// Number of lines about the open file.
    lines: BTreeMap<(NoteKind, &'static str), u64>,
}

/// Diagnostics of one kind in all files.
struct Kind {
    /// The name of the first file.
    name: Name,
    first: Said,
    count: u64,
    files: u64,
}

impl Report {
    pub(crate) fn new(manner: Manner, is_lossy: bool) -> Self {
        Report {
            manner,
            is_lossy,
            kinds: BTreeMap::new(),
            files: BTreeMap::new(),
            total: Rewritten::default(),
            lines: BTreeMap::new(),
        }
    }

    /// Takes the lines about the next part of a file.
    pub(super) fn say(&mut self, name: &Name, said: Vec<Said>) {
        for said in said {
            let Said { kind, code, position, what, severity } = &said;
            match &self.manner {
                Manner::Lines => {
                    let lines = self.lines.entry((*kind, "")).or_default();
                    *lines += 1;
                    if *lines <= MOST_LINES {
                        print_located(name, *position, *severity, what);
                    }
                }
                Manner::Sums => {}
                Manner::Summary { most, progress } => {
                    if *kind == NoteKind::Dropped {
                        let lines = self.lines.entry((*kind, code)).or_default();
                        *lines += 1;
                        if *lines <= *most {
                            progress.suspend(|| print_located(name, *position, *severity, what));
                        }
                    }
                }
            }
            let kind = (*kind, *code);
            let first = || Kind { name: name.clone(), first: said, count: 0, files: 0 };
            self.kinds.entry(kind).or_insert_with(first);
        }
    }

    /// Ends a file. `counts`: of its diagnostics; they do not count if the file was refused.
    pub(super) fn end_file(&mut self, name: &Name, counts: &Rewritten, is_counted: bool) {
        for (kind, counts) in by_kind(counts) {
            let sum: u64 = counts.iter().map(|(_, count)| count).sum();
            match &self.manner {
                Manner::Lines if sum > MOST_LINES => {
                    let what = match kind {
                        NoteKind::Repaired => "more repairs",
                        NoteKind::Dropped => "more dropped",
                        _ => "more left unchanged",
                    };
                    note(format_args!("{name}: {} {what}", sum - MOST_LINES));
                }
                Manner::Summary { most, progress } if kind == NoteKind::Dropped => {
                    for (code, count) in counts.iter().filter(|(_, count)| count > most) {
                        let more = count - most;
                        progress.suspend(|| {
                            note(format_args!("{name}: dropped {more} more of {code} (--max 0 shows them)"));
                        });
                    }
                }
                _ => {}
            }
            if is_counted {
                *self.files.entry(kind).or_default() += u64::from(sum > 0);
                for (code, count) in counts {
                    if let Some(kind) = self.kinds.get_mut(&(kind, code)) {
                        kind.count += count;
                        kind.files += 1;
                    }
                }
            }
        }
        self.lines.clear();
        if is_counted {
            self.total.add(counts);
        }
    }

    /// Prints the summary.
    pub(crate) fn finish(&self) {
        match self.manner {
            Manner::Lines => {}
            Manner::Sums => self.print_sums(),
            Manner::Summary { .. } => self.print_summary(),
        }
    }

    fn print_sums(&self) {
        for Kind { name, first: Said { position, what, severity, .. }, count, files } in self.kinds.values() {
            let more = match (count.saturating_sub(1), files) {
                (0, _) => String::new(),
                (more, 1) => format!("; and {more} more"),
                (more, files) => format!("; and {more} more, in {}", counted(*files, "file")),
            };
            print_located(name, *position, *severity, &format!("{what}{more}"));
        }
    }

    fn print_summary(&self) {
        for (kind, mut counts) in by_kind(&self.total) {
            let sum: u64 = counts.iter().map(|(_, count)| count).sum();
            if sum == 0 {
                continue;
            }
            counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
            let place = |code| match self.kinds.get(&(kind, code)) {
                Some(Kind { name, first: Said { position, .. }, .. }) if kind == NoteKind::Left => {
                    format!(" (first: {name}:{}:{})", position.line, position.column)
                }
                _ => String::new(),
            };
            let list: Vec<_> = counts.iter().map(|(code, count)| format!("{count} {code}{}", place(code))).collect();
            let (what, done) = match kind {
                NoteKind::Repaired => ("repair", ""),
                NoteKind::Dropped => ("fragment", " dropped"),
                _ => ("diagnostic", " left"),
            };
            let is_helped =
                kind == NoteKind::Left && !self.is_lossy && counts.iter().any(|(code, _)| is_droppable(code));
            let hint = if is_helped { " (--lossy drops what a repair would lose)" } else { "" };
            let files = counted(self.files.get(&kind).copied().unwrap_or_default(), "file");
            note(format_args!("{}{done} in {files}: {}{hint}", counted(sum, what), list.join(", ")));
        }
    }
}

/// Number of diagnostics of each code, by what became of them.
fn by_kind(counts: &Rewritten) -> [(NoteKind, Vec<(&'static str, u64)>); 3] {
    [
        (NoteKind::Repaired, counts.repairs().collect()),
        (NoteKind::Dropped, counts.dropped().collect()),
        (NoteKind::Left, counts.left().collect()),
    ]
}
