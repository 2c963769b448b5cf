//! The report as tables for people, modeled on Brouwer's page.

use std::fmt;

use super::report::Report;
use crate::tables::{self, grouped, side_by_side};
use crate::tally::Table;
use crate::visible::Visible;

pub(super) struct Text<'a> {
    pub(super) report: &'a Report,
    /// Whether to print whole tables.
    pub(super) all: bool,
    /// Maximum width of lines, if there is one.
    pub(super) columns: Option<usize>,
}

/// Maximum lines of a table of properties, and of another table.
const PROPERTIES: usize = 40;
const VALUES: usize = 20;

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.totals(f)?;
        if self.report.counts.games > 0 {
            self.tables(f)?;
        }
        self.diagnostics(f)?;
        self.faults(f)
    }
}

impl Text<'_> {
    fn totals(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { counts, faults, deepest, longest, .. } = self.report;
        let speed = self.report.bytes as f64 / 1e6 / self.report.seconds;
        let mut files = String::new();
        if faults.faulty() > 0 {
            files = format!("{} with diagnostics", grouped(faults.faulty()));
        }
        if faults.unreadable() > 0 {
            let comma = if files.is_empty() { "" } else { "; " };
            files += &format!("{comma}{} more could not be read", grouped(faults.unreadable()));
        }
        let a_game = |count: u64| match counts.games {
            0 => String::new(),
            games => format!("{:.1} per game", count as f64 / games as f64),
        };
        let mut line = |name: &str, value: u64, note: String| {
            writeln!(f, "{}", format!("{name:<15}{:>17}  {note}", grouped(value)).trim_end())
        };
        line("files", self.report.files, files)?;
        line("bytes", self.report.bytes, format!("{:.2} s, {speed:.0} MB/s", self.report.seconds))?;
        line("games", counts.games, String::new())?;
        line("nodes", counts.nodes, a_game(counts.nodes))?;
        line("moves", counts.moves(), a_game(counts.moves()))?;
        line("properties", counts.properties(), a_game(counts.properties()))?;
        line("values", counts.values, a_game(counts.values))?;
        line("deepest nesting", deepest.value, deepest.file.to_string())?;
        let place = match longest.value {
            0 => String::new(),
            _ => format!("bytes, {}, line {}, byte {}", longest.file, longest.line, longest.offset),
        };
        line("longest value", longest.value, place)
    }

    fn tables(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = &self.report.counts;
        let root = self.table("Properties in root nodes", &counts.root, PROPERTIES, None);
        let other = self.table("Properties in other nodes", &counts.other, PROPERTIES, None);
        write!(f, "\n{}", side_by_side(&[root, other], self.columns))?;
        let [ff, gm, ca, ap, sz] = &counts.summary;
        let games_by = |name, table| self.table(&format!("Games by {name}"), table, VALUES, Some(counts.games));
        write!(f, "\n{}", side_by_side(&[games_by("FF", ff), games_by("GM", gm), games_by("SZ", sz)], self.columns))?;
        let mut found = games_by("charset", &counts.charset);
        if counts.charset_mismatch > 0 {
            found.push(format!("{:>7}  declared otherwise", grouped(counts.charset_mismatch)));
        }
        write!(f, "\n{}", side_by_side(&[games_by("CA", ca), found, games_by("AP", ap)], self.columns))
    }

    fn table(&self, title: &str, table: &Table, limit: usize, of: Option<u64>) -> Vec<String> {
        tables::table(title, table, if self.all { usize::MAX } else { limit }, of)
    }

    fn diagnostics(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(&(_, most)) = self.report.diagnostics.first() else { return Ok(()) };
        let count_width = grouped(most).len().max(7);
        let code_width = self.report.diagnostics.iter().map(|(code, _)| code.as_str().len()).max().unwrap_or(0);
        writeln!(f, "\nDiagnostics")?;
        for (code, count) in &self.report.diagnostics {
            writeln!(f, "{:>count_width$}  {:<code_width$}  {}", grouped(*count), code.as_str(), code.message())?;
        }
        Ok(())
    }

    fn faults(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let faults = &self.report.faults;
        let (listed, all) = (faults.listed(), faults.faulty() + faults.unreadable());
        if all == 0 {
            return Ok(());
        }
        writeln!(f, "\nFirst diagnostic of each file (line:column)")?;
        for fault in listed {
            match fault.position {
                Some(at) => writeln!(f, "  {}:{}:{}: {}", fault.file, at.line, at.column, Visible(&fault.message))?,
                None => writeln!(f, "  {}: {}", fault.file, Visible(&fault.message))?,
            }
        }
        match all - listed.len() as u64 {
            0 => Ok(()),
            more => writeln!(f, "  and {} more (--max-errors sets how many are listed)", grouped(more)),
        }
    }
}
