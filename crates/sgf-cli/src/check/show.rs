//! Diagnostics on standard output: drawn, as JSON Lines, or added up.

use std::collections::{BTreeMap, VecDeque};
use std::io::{self, Write};
use std::sync::Arc;

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;
use sgf_check::{Rewritten, Rule, Summary};
use sgf_stream::Code;

use super::draw::{Drawer, Shown};
use super::sums::Sums;
use super::window::CONTEXT;
use super::work::{Checked, End, Known, View};
use super::{Args, progress, rules};
use crate::input::Name;
use crate::progress::Progress;
use crate::tables::{counted, grouped};
use crate::{json, terminal};

pub(super) struct Show {
    pub(super) out: io::BufWriter<io::Stdout>,
    drawer: Drawer,
    view: View,
    json: bool,
    /// Whether the names of files end with NUL bytes (`--print0`).
    print0: bool,
    /// Whether a file without SGF is in the list of names.
    lists_no_sgf: bool,
    pub(super) progress: Arc<Progress>,
    /// The open file.
    file: Option<OpenFile>,
    codes: BTreeMap<Rule, u64>,
    files_with_diagnostics: u64,
    pub(super) known: Known,
    /// The sums, with `--summary`.
    sums: Option<Sums>,
}

/// A file whose parts are being shown.
struct OpenFile {
    name: Name,
    /// Diagnostics by rule.
    counts: BTreeMap<Rule, u64>,
    /// The last bytes so far.
    tail: Vec<u8>,
    /// Diagnostics that wait for the bytes after them, and those after them.
    waiting: VecDeque<Shown>,
    summary: Summary,
}

impl OpenFile {
    fn new(name: Name) -> Self {
        OpenFile {
            name,
            counts: BTreeMap::new(),
            tail: Vec::new(),
            waiting: VecDeque::new(),
            summary: Summary::default(),
        }
    }

    /// Takes the next diagnostic that can be shown. `is_end`: no more bytes follow.
    fn next(&mut self, is_end: bool) -> Option<Shown> {
        let is_ready = self.waiting.front().is_some_and(|shown| is_end || shown.is_complete());
        is_ready.then(|| self.waiting.pop_front()).flatten()
    }
}

impl Show {
    pub(super) fn new(args: &Args) -> Self {
        Show {
            out: io::BufWriter::new(io::stdout()),
            drawer: Drawer::new(args),
            view: View::of(args),
            json: args.json,
            print0: args.print0,
            lists_no_sgf: rules::is_asked_for(args, Rule::Syntax(Code::NoSgfData)),
            progress: Arc::new(progress(args)),
            file: None,
            codes: BTreeMap::new(),
            files_with_diagnostics: 0,
            known: Known::default(),
            sums: args.summary.then(|| Sums::new(args.max)),
        }
    }

    /// Takes the results of the next part. Returns the end of a file, with its summary, if it is one.
    pub(super) fn take(&mut self, checked: Checked) -> io::Result<Option<(Name, End, Summary)>> {
        let Checked { file: name, counts, properties, values, lines, shown, summary, head, tail, end } = checked;
        if let Some(end) = end.as_ref().filter(|end| !end.is_open) {
            debug_assert!(self.file.is_none(), "files come one after another");
            debug_assert!(end.result.is_err(), "a file that was not opened was not read");
        } else {
            self.file.get_or_insert_with(|| OpenFile::new(name.clone()));
        }
        let Some(mut file) = self.file.take() else {
            return Ok(end.map(|end| (name, end, summary)));
        };
        self.out.write_all(&lines)?;
        file.waiting.iter_mut().for_each(|shown| shown.add_end(&head));
        for mut shown in shown {
            let before = file.counts.get(&shown.diagnostic.rule()).copied().unwrap_or_default();
            if self.view.shows(before.saturating_add(shown.ordinal)) {
                shown.add_front(&file.tail);
                file.waiting.push_back(shown);
            }
        }
        while let Some(shown) = file.next(end.is_some()) {
            self.show(&file.name, shown)?;
        }
        for (&rule, count) in &counts {
            *file.counts.entry(rule).or_default() += count;
        }
        let mut taken = self.known.taken();
        taken.file.clone_from(&file.name);
        taken.counts.clone_from(&file.counts);
        drop(taken);
        if let Some(sums) = &mut self.sums {
            sums.count(properties, values);
        }
        file.summary += summary;
        let excess = (file.tail.len() + tail.len()).saturating_sub(CONTEXT);
        file.tail.drain(..excess.min(file.tail.len()));
        file.tail.extend_from_slice(&tail);
        match end {
            None => {
                self.file = Some(file);
                Ok(None)
            }
            Some(end) => {
                self.end_file(&file)?;
                Ok(Some((name, end, file.summary)))
            }
        }
    }

    /// Shows a diagnostic.
    fn show(&mut self, file: &Name, shown: Shown) -> io::Result<()> {
        let rule = shown.diagnostic.rule();
        let is_new = self.known.taken().explained.insert(rule);
        if let Some(sums) = &mut self.sums {
            if is_new {
                sums.set_example(file, shown);
            }
            return Ok(());
        }
        let explains = is_new && !terminal::get().is_quiet();
        let drawn = self.drawer.draw(file, &shown, self.drawer.note(rule), explains);
        let Show { out, progress, .. } = self;
        let mut written = Ok(());
        progress.suspend(|| written = writeln!(out, "{drawn}\n"));
        written
    }

    fn end_file(&mut self, file: &OpenFile) -> io::Result<()> {
        self.files_with_diagnostics += u64::from(!file.counts.is_empty());
        let is_wanted = |rule: &Rule| self.lists_no_sgf || *rule != Rule::Syntax(Code::NoSgfData);
        if self.view == View::Files && file.counts.keys().any(is_wanted) {
            file.name.list(self.print0, &mut self.out)?;
        }
        if let Some(sums) = &mut self.sums {
            sums.end_file(&file.name, &file.counts);
        }
        for (&rule, &count) in &file.counts {
            *self.codes.entry(rule).or_default() += count;
            if let View::Drawn { max } = self.view
                && count > max
            {
                let more = count - max;
                writeln!(self.out, "{}: {more} more of {rule} (--max 0 shows them)\n", file.name)?;
            }
        }
        if self.sums.is_none() { self.out.flush() } else { Ok(()) }
    }

    /// Prints the end. `repairable`: the number of diagnostics that `--fix` would repair.
    pub(super) fn finish(
        mut self,
        files: u64,
        unreadable: u64,
        total: Summary,
        repairable: u64,
        fixed: &Rewritten,
    ) -> io::Result<()> {
        self.progress.finish();
        match self.json {
            true => self.finish_json(files, unreadable, total, fixed)?,
            false if matches!(self.view, View::Totals | View::Files) => {}
            // A wrong path alone needs no summary.
            false if files == 0 && unreadable > 0 => {}
            false => self.finish_text(files, total, repairable)?,
        }
        self.out.flush()
    }

    fn finish_json(&mut self, files: u64, unreadable: u64, total: Summary, fixed: &Rewritten) -> io::Result<()> {
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

    fn finish_text(&mut self, files: u64, total: Summary, repairable: u64) -> io::Result<()> {
        if let Some(sums) = self.sums.take() {
            sums.print(&self.drawer, &mut self.out)?;
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
            return writeln!(self.out, "no diagnostics in {games}, {of}");
        }
        let (errors, warnings) = (counted(total.errors, "error"), counted(total.warnings, "warning"));
        write!(self.out, "{errors}, {warnings} in {} of {of}, {games}", grouped(self.files_with_diagnostics))?;
        match repairable {
            0 => writeln!(self.out),
            _ => writeln!(self.out, " (--fix repairs {})", grouped(repairable)),
        }
    }
}

/// The last JSON object; the only one with `--summary`.
struct Totals<'a> {
    /// Counts of files, games, errors and warnings.
    files: [u64; 4],
    codes: &'a BTreeMap<Rule, u64>,
    fixed: &'a Rewritten,
    unreadable: u64,
    lists: Vec<(&'static str, Value)>,
}

impl Serialize for Totals<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (key, count) in ["files", "games", "errors", "warnings"].into_iter().zip(self.files) {
            map.serialize_entry(key, &count)?;
        }
        let codes: BTreeMap<&str, u64> = self.codes.iter().map(|(rule, count)| (rule.as_str(), *count)).collect();
        map.serialize_entry("codes", &codes)?;
        map.serialize_entry("repaired", &BTreeMap::from_iter(self.fixed.repairs()))?;
        map.serialize_entry("left", &BTreeMap::from_iter(self.fixed.left()))?;
        map.serialize_entry("dropped", &BTreeMap::from_iter(self.fixed.dropped()))?;
        map.serialize_entry("unreadable", &self.unreadable)?;
        for (key, list) in &self.lists {
            map.serialize_entry(key, list)?;
        }
        map.end()
    }
}
