//! Trees drawn as lines of text.

use std::io::{self, Write};

use sgf_stream::tree::GameTree;
use unicode_width::UnicodeWidthStr;

use crate::show::draw::Style;
use crate::show::moves::Moves;
use crate::show::runs::{Run, Runs, Start, first_number, is_move, number};
use crate::show::summary::Summary;
use crate::tables::counted;
use crate::visible::{Blanks, fitted};

/// The options of drawing.
#[derive(Clone, Copy)]
pub(super) struct Drawing {
    /// Width of a line in columns.
    pub(super) width: usize,
    pub(super) depth: usize,
    pub(super) comments: bool,
    pub(super) raw: bool,
    pub(super) style: Style,
}

const BOLD: &str = "1";
const DIM: &str = "2";

/// Moves look like their stones: bright on black, and black on bright, on any terminal.
const BLACK: &str = "97;40";
const WHITE: &str = "30;107";

/// Width of a level in columns.
const LEVEL: usize = 3;

/// Minimum columns for moves on lines of the deepest levels.
const ROOM: usize = 32;

impl Drawing {
    /// Draws a game below a title, or below the name of its file if it has no players or name.
    pub(super) fn game(self, title: &str, file: &str, game: &GameTree, out: &mut impl Write) -> io::Result<()> {
        let summary = Summary::of(game);
        let line: Vec<_> = [title, &summary.players].into_iter().filter(|part| !part.is_empty()).collect();
        let line = if line.is_empty() { file.to_owned() } else { line.join(": ") };
        writeln!(out, "{}", self.paint(BOLD, &self.fitted(&line, 0)))?;
        for line in summary.lines() {
            writeln!(out, "{}", self.fitted(&line, 2))?;
        }
        for run in Runs::of(game.root(), self.depth, self.comments) {
            self.run(&run, out)?;
        }
        Ok(())
    }

    fn run(self, run: &Run<'_>, out: &mut impl Write) -> io::Result<()> {
        let front = self.guides(run.level, run.start);
        let label = label(run);
        let label = if label.is_empty() { label } else { format!("{label:<7} ") };
        let fit = |end: &str| {
            let end = if end.is_empty() { 0 } else { end.width() + 2 };
            self.moves(run, self.width.saturating_sub(front.width() + label.width() + end).max(8))
        };
        let mut end = hidden(run);
        let (mut moves, is_whole) = fit(&end);
        if !is_whole && !self.comments {
            // The comments that are shown have a mark.
            end = [comments(run), end].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
            moves = fit(&end).0;
        }
        if label.is_empty() && moves.is_empty() && end.is_empty() {
            return self.comment(run, out); // a root without moves or setup
        }
        let end = if end.is_empty() { end } else { format!("  {}", self.paint(DIM, &end)) };
        let label = if run.level == 0 { self.paint(BOLD, &label) } else { label };
        let line = format!("{}{label}{moves}{end}", self.paint(DIM, &front));
        writeln!(out, "{}", line.trim_end())?;
        self.comment(run, out)
    }

    /// Returns the moves of a run, as many as fit, and the last one; and whether these are all.
    fn moves(self, run: &Run<'_>, room: usize) -> (String, bool) {
        let moves = Moves { raw: self.raw, ascii: self.style.ascii };
        let gap = if self.style.ascii { "..." } else { "…" };
        let (mut text, mut columns, mut before, mut shown_up_to) = (String::new(), 0, None, None);
        let (last, last_color) = run.nodes().last().map(|node| moves.token(node, None)).unwrap_or_default();
        let reserve = gap.width() + last.width() + 2;
        let mut plain = String::new();
        for (n, node) in run.nodes().enumerate() {
            let (token, color) = moves.token(node, before);
            before = color;
            if token.is_empty() {
                continue;
            }
            let blank = usize::from(!text.is_empty());
            columns += blank + token.width();
            if columns > room {
                break;
            }
            for line in [&mut text, &mut plain] {
                line.push_str(if blank > 0 { " " } else { "" });
            }
            text += &self.stone(is_move(node).then_some(color).flatten(), &token);
            plain += &token;
            if columns + reserve <= room {
                shown_up_to = Some((text.len(), n));
            }
            if n + 1 == run.len {
                return (text, true);
            }
        }
        if columns <= room {
            return (text, true);
        }
        let ends_in_move = run.nodes().last().is_some_and(is_move);
        let painted = self.stone(last_color.filter(|_| ends_in_move), &last);
        let text = match shown_up_to {
            Some((end, n)) if n + 2 == run.len => format!("{} {painted}", &text[..end]),
            Some((end, _)) => format!("{} {gap} {painted}", &text[..end]),
            None => self.plain(&plain, room),
        };
        (text, false)
    }

    /// Draws the comment of the last node on a line of its own.
    fn comment(self, run: &Run<'_>, out: &mut impl Write) -> io::Result<()> {
        if !self.comments {
            return Ok(());
        }
        let Some(text) = run.nodes().last().and_then(|node| node.text("C")) else { return Ok(()) };
        let front = self.guides(run.level, Start::Line);
        let room = self.width.saturating_sub(front.width() + 4).max(16);
        let text = self.plain(&text, room);
        writeln!(out, "{}    {}", self.paint(DIM, &front), self.paint(DIM, &text))
    }

    /// Returns the start of a line: one bar for each variation around the run, or their number if they do not fit.
    fn guides(self, level: usize, start: Start) -> String {
        let (line, branch, more) = if self.style.ascii { ("|  ", "+- ", ":") } else { ("│  ", "├─ ", "⋮") };
        let most = (self.width.saturating_sub(ROOM) / LEVEL).max(2);
        let lines = match start {
            Start::Line => level,
            Start::Variation => level - 1,
        };
        let mut front = match level > most {
            true => format!("{more}{level} ") + &line.repeat(lines - (level - 2)),
            false => line.repeat(lines),
        };
        if start == Start::Variation {
            front += branch;
        }
        front
    }

    fn fitted(self, text: &str, indent: usize) -> String {
        format!("{:indent$}{}", "", self.plain(text, self.width.saturating_sub(indent).max(16)))
    }

    /// Fits a text in `room` columns, without this program's non-ASCII characters if only ASCII is drawn.
    fn plain(self, text: &str, room: usize) -> String {
        let text = fitted(text, room, Blanks::Joined);
        if self.style.ascii { text.replace('…', "...").replace('–', "-") } else { text }
    }

    /// Paints a move in the color of its stone.
    fn stone(self, color: Option<char>, text: &str) -> String {
        match color {
            Some('B') => self.paint(BLACK, text),
            Some(_) => self.paint(WHITE, text),
            None => text.to_owned(),
        }
    }

    fn paint(self, style: &str, text: &str) -> String {
        if self.style.color && !text.is_empty() { format!("\x1B[{style}m{text}\x1B[0m") } else { text.to_owned() }
    }
}

/// Returns the number of comments in a run as text.
fn comments(run: &Run<'_>) -> String {
    match run.nodes().filter(|node| node.contains("C")).count() {
        0 => String::new(),
        comments => counted(comments as u64, "comment"),
    }
}

/// Returns a note on the variations after a run that are not shown.
fn hidden(run: &Run<'_>) -> String {
    match run.hidden.variations {
        0 => String::new(),
        variations => {
            format!("+ {} with {}", counted(variations as u64, "variation"), counted(run.hidden.nodes as u64, "node"))
        }
    }
}

/// Returns the numbers of the moves of a run: `12-47`.
fn label(run: &Run<'_>) -> String {
    let mut numbers = None;
    let mut before = run.moves_before;
    for node in run.nodes() {
        let here = number(node, before);
        if is_move(node) {
            numbers = Some((numbers.map_or_else(|| first_number(node, before), |(first, _)| first), here));
        }
        before = here;
    }
    match numbers {
        Some((first, last)) if first == last => first.to_string(),
        Some((first, last)) => format!("{first}-{last}"),
        None => String::new(),
    }
}
