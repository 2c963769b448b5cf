//! A unified diff of a file and its repaired form, printed during the repair.
//!
//! Unchanged lines are not kept, except the last three. After a change, both texts are kept until enough unchanged
//! lines follow; then their lines are compared. So memory is bounded by the size of a change. Lines are bytes up to
//! an LF, as in `patch`.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use similar::{Algorithm, DiffOp};

use crate::visible::Visible;

/// Number of unchanged lines shown around a change.
const CONTEXT: usize = 3;

/// Time after which the lines still to be compared count as changed.
const PATIENCE: Duration = Duration::from_secs(5);

pub(crate) struct Diff<W> {
    name: String,
    /// Whether people read it, not a program: hidden characters are escaped.
    is_visible: bool,
    out: W,
    has_header: bool,
    /// Number of lines of each text that were skipped or printed.
    old_line: usize,
    new_line: usize,
    /// The last unchanged lines.
    context: VecDeque<Vec<u8>>,
    /// The start of a line that has no change so far.
    line: Vec<u8>,
    open: Option<Open>,
}

/// Both texts from the first change on, with the context before it.
#[derive(Default)]
struct Open {
    old: Vec<u8>,
    new: Vec<u8>,
    /// Number of line ends since the last change.
    quiet: usize,
}

impl<W: Write> Diff<W> {
    /// Makes a diff of a file with this name.
    pub(crate) fn new(name: String, is_visible: bool, out: W) -> Self {
        Diff {
            name,
            is_visible,
            out,
            has_header: false,
            old_line: 0,
            new_line: 0,
            context: VecDeque::new(),
            line: Vec::new(),
            open: None,
        }
    }

    /// Adds bytes that replace others.
    pub(crate) fn change(&mut self, old: &[u8], new: &[u8]) {
        let Diff { context, line, open, old_line, new_line, .. } = self;
        let open = open.get_or_insert_with(|| {
            *old_line -= context.len();
            *new_line -= context.len();
            let mut old: Vec<u8> = context.drain(..).flatten().collect();
            old.append(line);
            Open { new: old.clone(), old, quiet: 0 }
        });
        open.old.extend_from_slice(old);
        open.new.extend_from_slice(new);
        open.quiet = 0;
    }

    /// Adds unchanged bytes.
    pub(crate) fn same(&mut self, bytes: &[u8]) -> io::Result<()> {
        // Line by line, since a hunk may end after any line.
        bytes.split_inclusive(|byte| *byte == b'\n').try_for_each(|line| self.pass(line))
    }

    /// Ends the diff: there are no more changes.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.print()?;
        self.out.flush()
    }

    /// Adds an unchanged line, or a part of one.
    fn pass(&mut self, bytes: &[u8]) -> io::Result<()> {
        let ends = bytes.ends_with(b"\n");
        let Some(open) = &mut self.open else {
            self.line.extend_from_slice(bytes);
            if ends {
                self.old_line += 1;
                self.new_line += 1;
                self.context.push_back(std::mem::take(&mut self.line));
                if self.context.len() > CONTEXT {
                    self.context.pop_front();
                }
            }
            return Ok(());
        };
        open.old.extend_from_slice(bytes);
        open.new.extend_from_slice(bytes);
        open.quiet += usize::from(ends);
        // The first line end is that of the changed line.
        if open.quiet > 2 * CONTEXT { self.print() } else { Ok(()) }
    }

    /// Prints the open hunk.
    fn print(&mut self) -> io::Result<()> {
        let Some(Open { old, new, .. }) = self.open.take() else { return Ok(()) };
        let (old, new): (Vec<&[u8]>, Vec<&[u8]>) = (
            old.split_inclusive(|byte| *byte == b'\n').collect(),
            new.split_inclusive(|byte| *byte == b'\n').collect(),
        );
        let deadline = Some(Instant::now() + PATIENCE);
        let ops = similar::capture_diff_slices_deadline(Algorithm::Myers, &old, &new, deadline);
        for hunk in similar::group_diff_ops(ops, CONTEXT) {
            let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else { continue };
            if !std::mem::replace(&mut self.has_header, true) {
                match self.is_visible {
                    true => writeln!(self.out, "--- {0}\n+++ {0}", Visible(&self.name))?,
                    false => writeln!(self.out, "--- {0}\n+++ {0}", self.name)?,
                }
            }
            let old_range = first.old_range().start..last.old_range().end;
            let new_range = first.new_range().start..last.new_range().end;
            let old_head = Head { before: self.old_line + old_range.start, count: old_range.len() };
            let new_head = Head { before: self.new_line + new_range.start, count: new_range.len() };
            writeln!(self.out, "@@ -{old_head} +{new_head} @@")?;
            for op in hunk {
                let (before, after) = (&old[op.old_range()], &new[op.new_range()]);
                match op {
                    DiffOp::Equal { .. } => self.lines(b' ', before)?,
                    _ => {
                        self.lines(b'-', before)?;
                        self.lines(b'+', after)?;
                    }
                }
            }
        }
        self.old_line += old.len();
        self.new_line += new.len();
        self.context = old[old.len().saturating_sub(CONTEXT)..].iter().map(|line| line.to_vec()).collect();
        Ok(())
    }

    fn lines(&mut self, mark: u8, lines: &[&[u8]]) -> io::Result<()> {
        for line in lines {
            self.out.write_all(&[mark])?;
            let (text, end) = match line.split_last() {
                Some((b'\n', text)) => (text, "\n"),
                _ => (*line, "\n\\ No newline at end of file\n"),
            };
            match self.is_visible {
                true => write!(self.out, "{}", Visible(&String::from_utf8_lossy(text)))?,
                false => self.out.write_all(text)?,
            }
            self.out.write_all(end.as_bytes())?;
        }
        Ok(())
    }
}

/// The header of a hunk.
struct Head {
    before: usize,
    count: usize,
}

impl std::fmt::Display for Head {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.count {
            0 => write!(f, "{},0", self.before),
            1 => write!(f, "{}", self.before + 1),
            count => write!(f, "{},{count}", self.before + 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diff(is_visible: bool) -> String {
        let mut out = Vec::new();
        let mut diff = Diff::new("a\u{202E}.sgf".to_owned(), is_visible, &mut out);
        diff.same("(;PB[\u{202E}x\x1B[2J]\n;".as_bytes()).unwrap();
        diff.change(b"B[d d]", b"B[dd]");
        diff.same(b")\r\n").unwrap();
        diff.finish().unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_terminal_gets_escapes_and_a_program_the_original_bytes() {
        let expected = "--- a\\u{202e}.sgf\n+++ a\\u{202e}.sgf\n@@ -1,2 +1,2 @@\n (;PB[\\u{202e}x\\u{1b}[2J]\n-;B[d d])\\r\n+;B[dd])\\r\n";
        assert_eq!(diff(true), expected);
        let raw =
            "--- a\u{202E}.sgf\n+++ a\u{202E}.sgf\n@@ -1,2 +1,2 @@\n (;PB[\u{202E}x\x1B[2J]\n-;B[d d])\r\n+;B[dd])\r\n";
        assert_eq!(diff(false), raw);
    }
}
