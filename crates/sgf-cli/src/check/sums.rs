//! `--summary`: diagnostics per rule, property and directory, with an example of each rule, and counts of values.
//!
//! Memory does not grow with the input: the number of rules is fixed, and the tables of properties and directories are
//! bounded.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::mem;

use serde_json::{Value, json};
use sgf_check::Rule;
use sgf_stream::Severity;

use super::draw::{self, Drawer, Shown};
use super::values::Values;
use crate::input::Name;
use crate::tables::{counted, grouped};
use crate::tally::Tally;
use crate::terminal;
use crate::visible::Visible;

/// Maximum number of directories in the table.
const MAX_DIRECTORIES: usize = 10_000;

pub(super) struct Sums {
    /// Rows of each table that are printed.
    rows: usize,
    codes: BTreeMap<Rule, Code>,
    properties: Tally,
    values: Values,
    directories: BTreeMap<Name, Count>,
    /// Diagnostics in directories that did not fit.
    dropped: u64,
}

/// The diagnostics of a rule.
struct Code {
    severity: Severity,
    count: Count,
    /// The first one, and its file.
    example: (Name, Shown),
}

#[derive(Clone, Copy, Default)]
struct Count {
    diagnostics: u64,
    files: u64,
}

impl Count {
    /// Adds a file with these diagnostics.
    fn add(&mut self, diagnostics: u64) {
        self.diagnostics += diagnostics;
        self.files += 1;
    }
}

impl Sums {
    /// Returns empty sums. The printed tables have at most `rows` rows, or all if it is 0.
    pub(super) fn new(rows: u64) -> Self {
        Sums {
            rows: if rows == 0 { usize::MAX } else { usize::try_from(rows).unwrap_or(usize::MAX) },
            codes: BTreeMap::new(),
            properties: Tally::default(),
            values: Values::default(),
            directories: BTreeMap::new(),
            dropped: 0,
        }
    }

    /// Counts diagnostics per property, and values.
    pub(super) fn count(&mut self, properties: Tally, values: Values) {
        self.properties.append(properties);
        self.values.append(values);
    }

    /// Sets the example of a rule: its first diagnostic.
    pub(super) fn set_example(&mut self, file: &Name, shown: Shown) {
        let severity = shown.diagnostic.severity();
        let example = (file.clone(), shown);
        let rule = example.1.diagnostic.rule();
        self.codes.insert(rule, Code { severity, count: Count::default(), example });
    }

    /// Ends a file with these counts by rule.
    pub(super) fn end_file(&mut self, file: &Name, diagnostics: &BTreeMap<Rule, u64>) {
        for (rule, &count) in diagnostics {
            if let Some(code) = self.codes.get_mut(rule) {
                code.count.add(count);
            }
        }
        let diagnostics: u64 = diagnostics.values().sum();
        let directory = file.directory();
        if diagnostics == 0 {
            return;
        }
        if self.directories.len() >= MAX_DIRECTORIES && !self.directories.contains_key(&directory) {
            self.dropped += diagnostics;
            return;
        }
        self.directories.entry(directory).or_default().add(diagnostics);
    }

    /// Returns the rules, most frequent first.
    fn codes(&self) -> Vec<(&Rule, &Code)> {
        let mut codes: Vec<_> = self.codes.iter().collect();
        codes.sort_by_key(|(_, code)| Reverse(code.count.diagnostics));
        codes
    }

    fn directories(&self) -> Vec<(&Name, Count)> {
        let mut directories: Vec<_> = self.directories.iter().map(|(name, count)| (name, *count)).collect();
        directories.sort_by_key(|&(name, count)| (Reverse(count.diagnostics), name));
        directories
    }

    /// Prints the examples and then the tables.
    pub(super) fn print(mut self, drawer: &Drawer, out: &mut impl Write) -> io::Result<()> {
        let rows = self.rows;
        if !self.codes.is_empty() {
            self.print_diagnostics(drawer, out)?;
        }
        let lines = self.values.into_lines();
        if lines.is_empty() {
            return Ok(());
        }
        writeln!(out, "     values      strict   lenient    unread  property")?;
        lines.iter().take(rows).try_for_each(|line| writeln!(out, "{line}"))?;
        if lines.len() > rows {
            writeln!(out, "{:>43}  {} more (--max 0 shows them)", "", grouped((lines.len() - rows) as u64))?;
        }
        writeln!(out)
    }

    fn print_diagnostics(&mut self, drawer: &Drawer, out: &mut impl Write) -> io::Result<()> {
        let codes = self.codes();
        for (_, code) in &codes {
            let Count { diagnostics, files } = code.count;
            let note = format!("the first of {} in {}", counted(diagnostics, "diagnostic"), counted(files, "file"));
            let (file, example) = &code.example;
            let explains = !terminal::get().is_quiet();
            writeln!(out, "{}\n", drawer.draw(file, example, (diagnostics > 1).then_some(&note), explains))?;
        }
        let row = |Count { diagnostics, files }| format!("{:>11}{:>9}", grouped(diagnostics), grouped(files));
        writeln!(out, "diagnostics    files  rule")?;
        for (rule, code) in &codes {
            writeln!(out, "{}  {rule} ({})", row(code.count), code.severity)?;
        }
        let directories = self.directories();
        writeln!(out, "\ndiagnostics    files  directory")?;
        for &(name, count) in directories.iter().take(self.rows) {
            writeln!(out, "{}  {name}", row(count))?;
        }
        more(out, directories.len().saturating_sub(self.rows), self.dropped)?;
        let properties = mem::take(&mut self.properties).into_table([]);
        writeln!(out, "\ndiagnostics           property")?;
        for (name, diagnostics) in properties.rows.iter().take(self.rows) {
            let name = if name.is_empty() { "(none)" } else { name };
            writeln!(out, "{:>11}           {}", grouped(*diagnostics), Visible(name))?;
        }
        more(out, properties.rows.len().saturating_sub(self.rows), properties.dropped)?;
        writeln!(out)
    }

    /// Returns lists, most frequent first, with their names in JSON.
    pub(super) fn into_json(self) -> Vec<(&'static str, Value)> {
        let codes = self.codes().into_iter().map(|(rule, code)| {
            let (file, shown) = &code.example;
            let mut object = Vec::new();
            draw::write_json(file, &shown.diagnostic, &mut object);
            let example = serde_json::from_slice::<Value>(&object).ok();
            let Count { diagnostics, files } = code.count;
            json!({
                "code": rule.as_str(), "severity": code.severity, "diagnostics": diagnostics, "files": files,
                "example": example,
            })
        });
        let codes = codes.collect();
        let directories = self.directories().into_iter().map(|(name, Count { diagnostics, files })| {
            let mut row = json!({ "directory": name.as_str(), "diagnostics": diagnostics, "files": files });
            if let Some(base64) = name.base64() {
                row["path_base64"] = base64.into();
            }
            row
        });
        let directories = directories.collect();
        let full = self.dropped;
        let properties = self.properties.into_table([]);
        let rows =
            properties.rows.iter().map(|(name, diagnostics)| json!({ "property": name, "diagnostics": diagnostics }));
        let mut lists = vec![("by_code", codes), ("by_property", rows.collect()), ("by_directory", directories)];
        let mut dropped = serde_json::Map::new();
        for (list, count) in [("by_property", properties.dropped), ("by_directory", full)] {
            if count > 0 {
                dropped.insert(list.to_owned(), count.into());
            }
        }
        lists.push(("values", self.values.into_json()));
        if !dropped.is_empty() {
            lists.push(("dropped", dropped.into()));
        }
        lists
    }
}

/// Prints the rest of a table: rows that are not shown, and diagnostics that did not fit.
fn more(out: &mut impl Write, rows: usize, dropped: u64) -> io::Result<()> {
    if rows > 0 {
        writeln!(out, "{:>20}  {} more (--max 0 shows them)", "", grouped(rows as u64))?;
    }
    if dropped > 0 {
        writeln!(out, "{:>11}           not in the table, which is full", grouped(dropped))?;
    }
    Ok(())
}
