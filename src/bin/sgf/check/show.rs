//! Findings on standard output: drawn, as JSON Lines, or added up.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;
use sgf_stream::check::{Finding, Fixed, Rule, Summary};
use sgf_stream::{Code, Repair};

use super::draw::{Drawing, Shown};
use super::sums::Sums;
use super::window::SourceWindow;
use super::{Args, progress};
use crate::input::Name;
use crate::json;
use crate::progress::Progress;
use crate::tables::{counted, grouped};
use crate::terminal;

pub(super) struct Show {
    pub(super) out: io::BufWriter<io::Stdout>,
    drawing: Drawing,
    json: bool,
    max: u64,
    pub(super) progress: Arc<Progress>,
    file: Name,
    /// Counts by rule in this file.
    in_file: BTreeMap<Rule, u64>,
    codes: BTreeMap<Rule, u64>,
    files_with_findings: u64,
    /// Whether the file is repaired without `--lossy`, so that findings that prevent repairs say so.
    pub(super) is_careful: bool,
    /// Whether standard output is a diff (`--dry-run`).
    is_diff: bool,
    /// The sums, with `--summary`.
    sums: Option<Sums>,
}

impl Show {
    pub(super) fn new(args: &Args) -> Self {
        Show {
            out: io::BufWriter::new(io::stdout()),
            drawing: Drawing::new(),
            json: args.json,
            max: if args.json || args.max == 0 { u64::MAX } else { args.max },
            progress: Arc::new(progress(args)),
            file: Name::default(),
            in_file: BTreeMap::new(),
            codes: BTreeMap::new(),
            files_with_findings: 0,
            is_careful: false,
            is_diff: args.dry_run,
            sums: args.summary.then(|| Sums::new(args.max)),
        }
    }

    /// Hides the progress bar while `write` prints to standard error.
    pub(super) fn suspend(&mut self, write: impl FnOnce()) {
        let _ = self.out.flush();
        self.progress.suspend(write);
    }

    pub(super) fn start_file(&mut self, name: &Name) {
        self.file = name.clone();
        self.in_file.clear();
    }

    /// Counts a finding. Returns whether to show it.
    pub(super) fn count(&mut self, finding: &Finding) -> bool {
        let count = self.in_file.entry(finding.rule()).or_default();
        *count += 1;
        match &mut self.sums {
            Some(sums) => sums.count(finding),
            None => *count <= self.max,
        }
    }

    /// Shows a finding.
    pub(super) fn print(&mut self, finding: &Finding, window: &SourceWindow) -> io::Result<()> {
        let shown = Shown::new(&self.file, finding, (!self.json).then_some(window), self.drawing.around());
        if let Some(sums) = &mut self.sums {
            sums.set_example(shown);
            return Ok(());
        }
        if self.json {
            return writeln!(self.out, "{}", shown.json());
        }
        let note = match finding.rule() {
            _ if !self.is_careful => None,
            Rule::Syntax(Code::JunkOutsideTree) => Some("a repair would lose this, so it stays (--lossy drops it)"),
            rule if rule.repair() == Repair::Drops => {
                Some("a repair would lose this, so its game is left as it is (--lossy drops it)")
            }
            _ => None,
        };
        let drawn = self.drawing.draw(&shown, note);
        let Show { out, progress, .. } = self;
        let mut written = Ok(());
        progress.suspend(|| written = writeln!(out, "{drawn}\n"));
        written
    }

    pub(super) fn end_file(&mut self) -> io::Result<()> {
        let in_file = std::mem::take(&mut self.in_file);
        self.files_with_findings += u64::from(!in_file.is_empty());
        if let Some(sums) = &mut self.sums {
            sums.end_file(&self.file, &in_file);
        }
        for (rule, count) in in_file {
            *self.codes.entry(rule).or_default() += count;
            if count > self.max && self.sums.is_none() {
                let more = count - self.max;
                writeln!(self.out, "{}: {more} more of {rule} (--max 0 shows them)\n", self.file)?;
            }
        }
        if self.sums.is_none() { self.out.flush() } else { Ok(()) }
    }

    pub(super) fn finish(mut self, files: u64, unreadable: u64, total: Summary, fixed: &Fixed) -> io::Result<()> {
        self.progress.finish();
        match self.json {
            true => self.finish_json(files, unreadable, total, fixed)?,
            false if self.is_diff => {}
            false => self.finish_text(files, total)?,
        }
        self.out.flush()
    }

    fn finish_json(&mut self, files: u64, unreadable: u64, total: Summary, fixed: &Fixed) -> io::Result<()> {
        let totals = Totals {
            files: [files, total.games, total.errors, total.warnings],
            codes: &self.codes,
            fixed,
            unreadable,
            lists: self.sums.take().map(Sums::into_json).unwrap_or_default(),
        };
        json::write(&mut self.out, &totals)?;
        self.out.write_all(b"\n")
    }

    fn finish_text(&mut self, files: u64, total: Summary) -> io::Result<()> {
        if let Some(sums) = self.sums.take() {
            sums.print(&mut self.drawing, &mut self.out)?;
        } else if terminal::get().is_quiet() {
            return Ok(());
        } else if self.codes.len() > 1 {
            let mut codes: Vec<_> = self.codes.iter().collect();
            codes.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
            for (rule, count) in codes {
                writeln!(self.out, "{count:>9}  {rule}")?;
            }
            writeln!(self.out)?;
        }
        let (games, of) = (counted(total.games, "game"), counted(files, "file"));
        if total.is_clean() {
            return writeln!(self.out, "nothing wrong with {games} in {of}");
        }
        let (errors, warnings) = (counted(total.errors, "error"), counted(total.warnings, "warning"));
        write!(self.out, "{errors}, {warnings} in {} of {of}, {games}", grouped(self.files_with_findings))?;
        match total.fixable {
            0 => writeln!(self.out),
            fixable => writeln!(self.out, " (--fix repairs {})", grouped(fixable)),
        }
    }
}

/// The last JSON object; the only one with `--summary`.
struct Totals<'a> {
    /// Counts of files, games, errors and warnings.
    files: [u64; 4],
    codes: &'a BTreeMap<Rule, u64>,
    fixed: &'a Fixed,
    unreadable: u64,
    lists: Vec<(&'static str, Value)>,
}

impl Serialize for Totals<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let by_name = |counts: &BTreeMap<Rule, u64>| -> BTreeMap<&str, u64> {
            counts.iter().map(|(rule, count)| (rule.as_str(), *count)).collect()
        };
        let mut map = serializer.serialize_map(None)?;
        for (key, count) in ["files", "games", "errors", "warnings"].into_iter().zip(self.files) {
            map.serialize_entry(key, &count)?;
        }
        map.serialize_entry("codes", &by_name(self.codes))?;
        map.serialize_entry("repaired", &by_name(&self.fixed.repairs().collect()))?;
        map.serialize_entry("left", &by_name(&self.fixed.left().collect()))?;
        map.serialize_entry("left_games", &self.fixed.left_games())?;
        map.serialize_entry("dropped", &by_name(&self.fixed.dropped().collect()))?;
        map.serialize_entry("unreadable", &self.unreadable)?;
        for (key, list) in &self.lists {
            map.serialize_entry(key, list)?;
        }
        map.end()
    }
}
