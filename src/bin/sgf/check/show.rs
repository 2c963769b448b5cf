//! Findings on standard output: drawn for people, or as JSON Lines.
//!
//! A line of an archive may be a gigabyte long, and in any charset. So what is drawn is a window of it
//! around the place, as text, with everything in it that would move the mark or the terminal replaced.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, IsTerminal, Write};
use std::ops::Range;
use std::sync::Arc;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Padding, Renderer, Snippet};
use sgf_stream::Severity;
use sgf_stream::check::{Finding, Rule, Summary};

use super::tape::Stretch;
use super::{Args, progress};
use crate::input::Name;
use crate::progress::Progress;

/// So many bytes of a line are shown in front of a place, and from it on.
const FRONT: usize = 60;
const FROM: usize = 60;

pub(super) struct Show {
    out: io::BufWriter<io::Stdout>,
    renderer: Renderer,
    json: bool,
    max: u64,
    pub(super) progress: Arc<Progress>,
    file: Name,
    /// Of this file, by rule.
    in_file: BTreeMap<Rule, u64>,
    has_printed: bool,
    codes: BTreeMap<Rule, u64>,
    repaired: BTreeMap<Rule, u64>,
    files_with_findings: u64,
    files_repaired: u64,
    /// Rules that have been explained.
    explained: BTreeSet<Rule>,
}

impl Show {
    pub(super) fn new(args: &Args) -> Self {
        let is_styled = io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|no| no.is_empty());
        Show {
            out: io::BufWriter::new(io::stdout()),
            renderer: if is_styled { Renderer::styled() } else { Renderer::plain() }.term_width(FRONT + FROM + 40),
            json: args.json,
            max: if args.json || args.max == 0 { u64::MAX } else { args.max },
            progress: Arc::new(progress(args)),
            file: Name::default(),
            in_file: BTreeMap::new(),
            has_printed: false,
            codes: BTreeMap::new(),
            repaired: BTreeMap::new(),
            files_with_findings: 0,
            files_repaired: 0,
            explained: BTreeSet::new(),
        }
    }

    /// Runs something that writes to standard error.
    pub(super) fn suspend(&mut self, write: impl FnOnce()) {
        let _ = self.out.flush();
        self.progress.suspend(write);
    }

    pub(super) fn start_file(&mut self, name: &Name) {
        self.file = name.clone();
        self.in_file.clear();
    }

    /// What was repaired in a file.
    pub(super) fn repaired(&mut self, repairs: BTreeMap<Rule, u64>) {
        self.files_repaired += u64::from(!repairs.is_empty());
        for (rule, count) in repairs {
            *self.repaired.entry(rule).or_default() += count;
        }
    }

    /// Counts a finding. Whether it is to be shown.
    pub(super) fn count(&mut self, finding: &Finding) -> bool {
        let count = self.in_file.entry(finding.rule()).or_default();
        *count += 1;
        *count <= self.max
    }

    /// Shows a finding.
    pub(super) fn print(&mut self, finding: &Finding, stretch: &Stretch) -> io::Result<()> {
        if self.json {
            // The finding's object, with one field more in front.
            let (file, object) = (serde_json::to_string(self.file.as_str())?, serde_json::to_string(finding)?);
            return writeln!(self.out, "{{\"file\":{file},{}", &object[1..]);
        }
        let rule = finding.rule();
        let level = match finding.severity() {
            Severity::Error => Level::ERROR,
            _ => Level::WARNING,
        };
        let mut origin = Origin::path(self.file.to_string());
        if let Some(position) = finding.position() {
            origin = origin.line(number(position.line)).char_column(number(position.column));
        }
        let excerpt = stretch.around(finding.offset()).map(|(bytes, at)| Excerpt::of(bytes, at, finding.span()));
        // The column that the crate works out is one of the excerpt. So the place is told by an element of its own,
        // and the excerpt, in a group of its own, has none.
        let title = level.clone().primary_title(finding.message()).id(rule.as_str()).element(origin);
        let mut group = Group::with_level(level);
        if let (Some(excerpt), Some(position)) = (&excerpt, finding.position()) {
            group = group.element(
                Snippet::source(&*excerpt.text)
                    .line_start(number(position.line))
                    .annotation(AnnotationKind::Primary.span(excerpt.mark.clone())),
            );
        }
        if self.explained.insert(rule) {
            group = group.element(Padding).element(Level::HELP.message(rule.explanation()));
        }
        let drawn = self.renderer.render(&[title, group]);
        // Each group has an empty line.
        let mut lines: Vec<&str> = drawn.lines().collect();
        lines.dedup();
        let drawn = lines.join("\n");
        self.has_printed = true;
        let Show { out, progress, .. } = self;
        let mut written = Ok(());
        progress.suspend(|| written = writeln!(out, "{drawn}\n"));
        written
    }

    pub(super) fn end_file(&mut self) -> io::Result<()> {
        let in_file = std::mem::take(&mut self.in_file);
        self.files_with_findings += u64::from(!in_file.is_empty());
        for (rule, count) in in_file {
            *self.codes.entry(rule).or_default() += count;
            if count > self.max {
                let more = count - self.max;
                writeln!(self.out, "{}: {more} more of {rule} (--max 0 shows them)\n", self.file)?;
            }
        }
        self.out.flush()
    }

    pub(super) fn finish(mut self, files: u64, unreadable: u64, total: Summary) -> io::Result<()> {
        self.progress.finish();
        if self.json {
            let by_name = |counts: &BTreeMap<Rule, u64>| {
                let counts: BTreeMap<&str, u64> = counts.iter().map(|(rule, count)| (rule.as_str(), *count)).collect();
                serde_json::to_string(&counts)
            };
            let (codes, repaired) = (by_name(&self.codes)?, by_name(&self.repaired)?);
            let Summary { games, errors, warnings, .. } = total;
            writeln!(
                self.out,
                "{{\"files\":{files},\"games\":{games},\"errors\":{errors},\"warnings\":{warnings},\"codes\":{codes},\
                 \"repaired\":{repaired},\"unreadable\":{unreadable}}}"
            )?;
            return self.out.flush();
        }
        let mut codes: Vec<_> = self.codes.iter().collect();
        codes.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        if codes.len() > 1 {
            for (rule, count) in codes {
                writeln!(self.out, "{count:>9}  {rule}")?;
            }
            writeln!(self.out)?;
        }
        let repaired: u64 = self.repaired.values().sum();
        if repaired > 0 {
            let (n, files) = (plural(repaired, "fault"), plural(self.files_repaired, "file"));
            writeln!(self.out, "{n} repaired in {files}")?;
        }
        let (games, of) = (plural(total.games, "game"), plural(files, "file"));
        match total.is_clean() {
            true => writeln!(self.out, "nothing wrong with {games} in {of}")?,
            false => {
                let (errors, warnings) = (plural(total.errors, "error"), plural(total.warnings, "warning"));
                write!(self.out, "{errors}, {warnings} in {} of {of}, {games}", self.files_with_findings)?;
                match total.fixable {
                    0 => writeln!(self.out)?,
                    fixable => writeln!(self.out, " (--fix repairs {fixable})")?,
                }
            }
        }
        self.out.flush()
    }
}

fn plural(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn number(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// A part of a line, as text, and where in it the mark goes.
struct Excerpt {
    text: String,
    mark: Range<usize>,
}

impl Excerpt {
    /// Around `at`.
    fn of(bytes: &[u8], at: usize, span: Range<u64>) -> Self {
        let len = usize::try_from(span.end - span.start).unwrap_or(usize::MAX).max(1);
        let is_break = |byte: &u8| matches!(byte, b'\r' | b'\n');
        let is_inner = |byte: &u8| byte & 0xC0 == 0x80; // not the first of a UTF-8 character
        let mut start = bytes[..at].iter().rev().take(FRONT).take_while(|byte| !is_break(byte)).count();
        while start < FRONT + 3 && at - start > 0 && bytes.get(at - start).is_some_and(is_inner) && start > 0 {
            start -= 1;
        }
        let start = at - start;
        let mut end = at + bytes[at..].iter().take(FROM).take_while(|byte| !is_break(byte)).count();
        while end > at && bytes.get(end).is_some_and(is_inner) {
            end -= 1;
        }
        let is_cut = |at: usize| at > 0 && at < bytes.len() && !is_break(&bytes[at - 1]);
        let mut text = String::new();
        if is_cut(start) {
            text.push('…');
        }
        push_plain(&mut text, &bytes[start..at]);
        let mark = text.len();
        push_plain(&mut text, &bytes[at..end.min(at.saturating_add(len))]);
        let mark = mark..text.len().max(mark);
        push_plain(&mut text, bytes.get(at.saturating_add(len)..end).unwrap_or_default());
        if end < bytes.len() && !is_break(&bytes[end]) {
            text.push('…');
        }
        if mark.is_empty() && mark.start == text.len() {
            // Behind the last byte.
            text.push(' ');
        }
        let mark = if mark.is_empty() { mark.start..mark.start + 1 } else { mark };
        Excerpt { text, mark }
    }
}

/// Adds bytes as text, without what moves the cursor.
fn push_plain(text: &mut String, bytes: &[u8]) {
    let plain = String::from_utf8_lossy(bytes);
    text.extend(plain.chars().map(|c| match c {
        '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}' => '\u{FFFD}',
        c if c.is_control() => ' ',
        c => c,
    }));
}
