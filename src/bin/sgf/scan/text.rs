//! A report as tables for people, after the model of Brouwer's page.

use std::fmt;

use super::report::Report;
use super::tally::Table;

pub(super) struct Text<'a> {
    pub(super) report: &'a Report,
    /// Print whole tables.
    pub(super) all: bool,
}

/// Lines of a table of properties, and of another table.
const PROPERTIES: usize = 40;
const VALUES: usize = 20;

/// Characters of a key.
const KEY: usize = 40;

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
            files = format!("{} with findings", grouped(faults.faulty()));
        }
        if faults.unreadable() > 0 {
            let comma = if files.is_empty() { "" } else { "; " };
            files += &format!("{comma}{} more could not be read", grouped(faults.unreadable()));
        }
        let a_game = |count: u64| match counts.games {
            0 => String::new(),
            games => format!("{:.1} a game", count as f64 / games as f64),
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
            _ => format!("bytes, {} at byte {}", longest.file, longest.offset),
        };
        line("longest value", longest.value, place)
    }

    fn tables(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = &self.report.counts;
        let root = self.table("Properties in root nodes", &counts.root, PROPERTIES, None);
        let other = self.table("Properties in other nodes", &counts.other, PROPERTIES, None);
        side_by_side(f, &[root, other])?;
        let [ff, gm, ca, ap, sz] = &counts.summary;
        let games_by = |name, table| self.table(&format!("Games by {name}"), table, VALUES, Some(counts.games));
        side_by_side(f, &[games_by("FF", ff), games_by("GM", gm), games_by("SZ", sz)])?;
        let mut found = games_by("charset", &counts.charset);
        if counts.charset_mismatch > 0 {
            found.push(format!("{:>7}  declared otherwise", grouped(counts.charset_mismatch)));
        }
        side_by_side(f, &[games_by("CA", ca), found, games_by("AP", ap)])
    }

    /// The lines of a table. With `of`, each count is also given as a percentage.
    fn table(&self, title: &str, table: &Table, limit: usize, of: Option<u64>) -> Vec<String> {
        let limit = if self.all { usize::MAX } else { limit };
        let width = table.rows.first().map_or(0, |&(_, most)| grouped(most).len()).max(7);
        let mut lines = vec![title.to_owned()];
        for (key, count) in table.rows.iter().take(limit) {
            let share = match of {
                Some(all) => format!("{:>6.1} %", *count as f64 * 100.0 / all.max(1) as f64),
                None => String::new(),
            };
            lines.push(format!("{:>width$}{share}  {}", grouped(*count), shown(key)));
        }
        if let Some(left) = table.rows.get(limit..).filter(|left| !left.is_empty()) {
            lines.push(format!("{:>width$}  more", grouped(left.len() as u64)));
        }
        if table.dropped > 0 {
            lines.push(format!("{:>width$}  not in the table, which is full", grouped(table.dropped)));
        }
        lines
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
        writeln!(f, "\nFaulty files, first finding (line:column)")?;
        for fault in listed {
            match fault.position {
                Some(at) => writeln!(f, "  {}:{}:{}: {}", fault.file, at.line, at.column, fault.message)?,
                None => writeln!(f, "  {}: {}", fault.file, fault.message)?,
            }
        }
        match all - listed.len() as u64 {
            0 => Ok(()),
            more => writeln!(f, "  and {} more (--max-errors)", grouped(more)),
        }
    }
}

/// Prints blocks of lines next to each other.
fn side_by_side(f: &mut fmt::Formatter<'_>, blocks: &[Vec<String>]) -> fmt::Result {
    let widths: Vec<usize> =
        blocks.iter().map(|lines| lines.iter().map(|line| line.chars().count()).max().unwrap_or(0)).collect();
    let height = blocks.iter().map(Vec::len).max().unwrap_or(0);
    writeln!(f)?;
    for row in 0..height {
        let mut line = String::new();
        for (lines, &width) in blocks.iter().zip(&widths) {
            line += &format!("{:<width$}    ", lines.get(row).map_or("", String::as_str));
        }
        writeln!(f, "{}", line.trim_end())?;
    }
    Ok(())
}

/// 1234567 as `1,234,567`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() * 4 / 3);
    for (place, digit) in digits.char_indices() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A key on one line, and without what a terminal could take for commands.
fn shown(key: &str) -> String {
    if key.is_empty() {
        return "(none)".to_owned();
    }
    let mut out = String::new();
    for (count, char) in key.chars().enumerate() {
        if count == KEY {
            out.push('…');
            break;
        }
        match char.is_control() {
            true => out.extend(char.escape_default()),
            false => out.push(char),
        }
    }
    out
}
