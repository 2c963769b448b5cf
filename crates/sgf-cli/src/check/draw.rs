//! Diagnostics drawn like those of rustc.
//!
//! A line of a file may be a gigabyte long, and in any charset. So an excerpt around the diagnostic is drawn,
//! decoded, with escapes for characters that would move the mark or control the terminal.

use std::borrow::Cow;
use std::fmt::Write;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Padding, Renderer, Snippet};
use sgf_board::Diagram;
use sgf_check::{Diagnostic, Rule};
use sgf_stream::charset::TreeCharset;
use sgf_stream::{Repair, Severity};

use super::Args;
use super::window::Excerpt;
use crate::input::Name;
use crate::show::{self, draw::Style};
use crate::visible::{Visible, is_hidden};
use crate::{exit_codes, json, terminal};

/// Minimum bytes of a line shown on each side of a diagnostic, and default if the width is unknown.
const AROUND: usize = 60;
const LEAST_AROUND: usize = 16;

/// Blanks before the lines of a board.
const BOARD_INDENT: &str = "     ";

/// Columns of a line outside the excerpt.
const MARGIN: usize = 12;

/// A diagnostic with the data needed to draw it.
pub(super) struct Shown {
    pub(super) diagnostic: Diagnostic,
    /// Its number among the diagnostics of its rule in its part, from 1.
    pub(super) ordinal: u64,
    excerpt: Option<Excerpt>,
    /// The drawing without an explanation, if it was drawn before.
    drawn: Option<String>,
    /// The board of its node, if it is about points.
    board: Option<Box<Diagram>>,
}

impl Shown {
    pub(super) fn new(diagnostic: &Diagnostic, ordinal: u64, excerpt: Option<Excerpt>) -> Self {
        Shown { diagnostic: diagnostic.clone(), ordinal, excerpt, drawn: None, board: None }
    }

    /// Sets the board, which is drawn with the explanation of the rule.
    pub(super) fn set_board(&mut self, board: Option<Diagram>) {
        self.board = board.map(Box::new);
    }

    /// Returns whether the bytes around the diagnostic are known.
    pub(super) fn is_complete(&self) -> bool {
        self.excerpt.as_ref().is_none_or(Excerpt::is_complete)
    }

    /// Adds the bytes before its part, where they are needed.
    pub(super) fn add_front(&mut self, before: &[u8]) {
        if let Some(excerpt) = &mut self.excerpt {
            excerpt.add_front(before);
        }
    }

    /// Adds the bytes that follow, where they are needed.
    pub(super) fn add_end(&mut self, after: &[u8]) {
        if let Some(excerpt) = &mut self.excerpt {
            excerpt.add_end(after);
        }
    }

    /// Draws it beforehand, if the bytes around it are known.
    pub(super) fn draw(&mut self, file: &Name, drawer: &Drawer, note: Option<&str>) {
        if self.is_complete() {
            self.drawn = Some(drawer.draw(file, self, note, false));
        }
    }
}

/// Appends the JSON object of a diagnostic, with the file before its own fields.
pub(super) fn write_json(file: &Name, diagnostic: &Diagnostic, out: &mut Vec<u8>) {
    let path = file.base64().map(|base64| format!("\"path_base64\":\"{base64}\",")).unwrap_or_default();
    out.extend_from_slice(b"{\"file\":");
    json::write_str(out, file.as_str());
    out.push(b',');
    out.extend_from_slice(path.as_bytes());
    let object = json::string(diagnostic);
    out.extend_from_slice(object.strip_prefix('{').expect("a diagnostic is an object").as_bytes());
}

/// Draws diagnostics.
pub(super) struct Drawer {
    renderer: Renderer,
    around: usize,
    /// Width of the terminal in columns, if there is one.
    columns: usize,
    boards: Style,
    /// Whether diagnostics that `--fix` keeps say so.
    names_lossy: bool,
}

impl Drawer {
    pub(super) fn new(args: &Args) -> Self {
        let terminal = terminal::get();
        let renderer = if terminal.has_color() { Renderer::styled() } else { Renderer::plain() };
        let columns = terminal.columns().unwrap_or(usize::MAX);
        let around = columns.saturating_sub(MARGIN) / 2;
        let around = around.clamp(LEAST_AROUND, AROUND);
        // Escapes take more columns than bytes; the crate would cut wider lines.
        let widest = 2 * around * r"\u{202e}".len() + MARGIN;
        let boards = Style { ascii: false, color: terminal.has_color() };
        let names_lossy = args.fix && !args.lossy;
        Drawer { renderer: renderer.term_width(widest), around, columns, boards, names_lossy }
    }

    /// Returns the note on a rule whose repair drops content.
    pub(super) fn note(&self, rule: Rule) -> Option<&'static str> {
        let is_kept = self.names_lossy && rule.repair() == Repair::Drops;
        is_kept.then_some("left unchanged, because a repair would lose this; use --lossy to drop it")
    }

    /// Returns several lines, without a line break at the end. With `explains`, they include the explanation of the rule.
    pub(super) fn draw(&self, file: &Name, shown: &Shown, note: Option<&str>, explains: bool) -> String {
        let Shown { diagnostic, excerpt, drawn, .. } = shown;
        if let (Some(drawn), false) = (drawn, explains) {
            return drawn.clone();
        }
        let line = excerpt.as_ref().map(|excerpt| {
            let (bytes, at) = excerpt.bytes();
            Line::of(bytes, at, diagnostic, self.around)
        });
        let rule = diagnostic.rule();
        let level = match diagnostic.severity() {
            Severity::Error => Level::ERROR,
            _ => Level::WARNING,
        };
        let mut origin = Origin::path(file.to_string());
        if let Some(position) = diagnostic.position() {
            origin = origin.line(number(position.line)).char_column(number(position.column));
        }
        let message = Visible(diagnostic.message()).to_string();
        // The crate would compute the column in the excerpt. So the position is an element of its own, and the
        // excerpt, in a group of its own, has none.
        let title = level.clone().primary_title(message).id(rule.as_str()).element(origin);
        let mut group = Group::with_level(level);
        if let (Some(line), Some(position)) = (&line, diagnostic.position()) {
            group = group.element(
                Snippet::source(&*line.text)
                    .line_start(number(position.line))
                    .annotation(AnnotationKind::Primary.span(line.mark.clone())),
            );
        }
        if explains || note.is_some() {
            group = group.element(Padding);
        }
        if let Some(note) = note {
            group = group.element(Level::NOTE.message(note));
        }
        if explains {
            group = group.element(Level::HELP.message(wrapped(rule.explanation(), self.columns)));
        }
        let drawn = self.renderer.render(&[title, group]);
        // Each group has an empty line, which is removed.
        let mut lines: Vec<&str> = drawn.lines().collect();
        lines.dedup();
        let mut drawn = lines.join("\n");
        for line in shown.board.iter().filter(|_| explains).flat_map(|board| show::draw::board(board, self.boards)) {
            drawn += &format!("\n{BOARD_INDENT}{}", line.trim_end());
        }
        drawn
    }
}

/// Wraps a text between words to fit beside the margin.
fn wrapped(text: &str, columns: usize) -> String {
    exit_codes::wrapped(text, columns.saturating_sub(MARGIN).max(LEAST_AROUND))
}

fn number(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// A part of a line as text, and the span of the mark in it.
struct Line {
    text: String,
    mark: Range<usize>,
}

impl Line {
    /// Returns an excerpt around `at`, the index of the diagnostic.
    fn of(bytes: &[u8], at: usize, diagnostic: &Diagnostic, around: usize) -> Self {
        let (span, charset) = (diagnostic.span(), diagnostic.charset());
        let len = usize::try_from(span.end - span.start).unwrap_or(usize::MAX).max(1);
        let is_break = |byte: &u8| matches!(byte, b'\r' | b'\n');
        let is_inner = |byte: &u8| byte & 0xC0 == 0x80; // a continuation byte of UTF-8
        let mut start = bytes[..at].iter().rev().take(around).take_while(|byte| !is_break(byte)).count();
        while start < around + 3 && at - start > 0 && bytes.get(at - start).is_some_and(is_inner) && start > 0 {
            start -= 1;
        }
        let start = at - start;
        let mut end = at + bytes[at..].iter().take(around).take_while(|byte| !is_break(byte)).count();
        while end > at && bytes.get(end).is_some_and(is_inner) {
            end -= 1;
        }
        if bytes.get(end).is_some_and(|byte| !is_break(byte)) {
            // A character of another charset may be cut as well.
            let is_whole = |end: &usize| !decode(&bytes[at..*end], charset).ends_with(char::REPLACEMENT_CHARACTER);
            end = (at..=end).rev().take(4).find(is_whole).unwrap_or(end);
        }
        let is_cut = |at: usize| at > 0 && at < bytes.len() && !is_break(&bytes[at - 1]);
        let mut text = String::new();
        if is_cut(start) {
            text.push('…');
        }
        // Decoding starts after a byte below 0x40, which no two-byte character contains.
        let from = start - bytes[..start].iter().rev().take(around).take_while(|&&byte| byte >= 0x40).count();
        let hidden = decode(&bytes[from..start], charset).chars().count();
        push_visible(&mut text, decode(&bytes[from..at], charset).chars().skip(hidden));
        let mark = text.len();
        push_visible(&mut text, decode(&bytes[at..end.min(at.saturating_add(len))], charset).chars());
        let mark = mark..text.len().max(mark);
        let after = bytes.get(at.saturating_add(len)..end).unwrap_or_default();
        push_visible(&mut text, decode(after, charset).chars());
        if end < bytes.len() && !is_break(&bytes[end]) {
            text.push('…');
        }
        if mark.is_empty() && mark.start == text.len() {
            // After the last byte.
            text.push(' ');
        }
        let mark = if mark.is_empty() { mark.start..mark.start + 1 } else { mark };
        Line { text, mark }
    }
}

/// Decodes bytes of a line: as UTF-8 if valid, else in the charset of the game, if known.
fn decode(bytes: &[u8], charset: Option<TreeCharset>) -> Cow<'_, str> {
    match (str::from_utf8(bytes), charset) {
        (Ok(text), _) => Cow::Borrowed(text),
        (Err(_), Some(charset)) => charset.charset().decode(bytes).into_text(),
        (Err(_), None) => String::from_utf8_lossy(bytes),
    }
}

/// Appends text. A tab becomes a blank, other hidden characters become escapes.
fn push_visible(text: &mut String, chars: impl Iterator<Item = char>) {
    for char in chars {
        match char {
            '\t' => text.push(' '),
            char if is_hidden(char) => _ = write!(text, "{}", char.escape_default()),
            char => text.push(char),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn explanations_are_wrapped_between_words() {
        assert_eq!(wrapped("one two three four five", 12 + 16), "one two three\nfour five");
        assert_eq!(wrapped("exactly sixteen!", 12 + 16), "exactly sixteen!");
        assert_eq!(wrapped("a-word-that-is-too-long for it", 0), "a-word-that-is-too-long\nfor it");
        assert_eq!(wrapped("one two three four five", usize::MAX), "one two three four five");
    }
}
