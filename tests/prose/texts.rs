//! The texts of a file: the prose of a page, the comments of a source, and the strings in it.

use std::ops::Range;

/// Who reads a text.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Kind {
    /// A page in Markdown.
    Page,
    /// Documentation of something public, or the help of a command.
    Doc,
    /// A comment for those who change the code.
    Comment,
    /// A string of the program, with a blank in it: a message, perhaps.
    Message,
}

/// A paragraph, a row of a table, or a string.
#[derive(Debug)]
pub(crate) struct Text {
    pub(crate) kind: Kind,
    /// The words, without programs and targets of links. Code within a line is `x`.
    pub(crate) words: String,
    /// Where each line of the file begins in `words`, and its number.
    lines: Vec<(usize, usize)>,
    /// What the first sentence is about, if this is the first paragraph of a doc comment.
    pub(crate) item: Option<Item>,
}

/// What a doc comment is for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Item {
    Function,
    Other,
}

impl Text {
    fn new(kind: Kind) -> Self {
        Text { kind, words: String::new(), lines: Vec::new(), item: None }
    }

    fn push(&mut self, line: &str, number: usize) {
        if !self.words.is_empty() {
            self.words.push(' ');
        }
        self.lines.push((self.words.len(), number));
        self.words.push_str(&without_code(line.trim()));
    }

    /// Returns the number of the line that an offset is in.
    pub(crate) fn line(&self, at: usize) -> usize {
        self.lines.iter().rev().find(|(start, _)| *start <= at).map_or(0, |(_, number)| *number)
    }

    /// Returns the first sentence: it ends before a blank, or with the paragraph.
    pub(crate) fn first_sentence(&self) -> &str {
        let ends = |at: &usize| self.words[..*at].ends_with(['.', '!', '?']) && !self.words[..*at].ends_with("e.g.");
        let end = self.words.match_indices(' ').map(|(at, _)| at).find(ends).unwrap_or(self.words.len());
        &self.words[..end]
    }
}

/// Replaces code with `x`, and links with their texts.
fn without_code(line: &str) -> String {
    let mut words = String::new();
    for (n, part) in line.split('`').enumerate() {
        words.push_str(if n % 2 == 0 { part } else { "`x`" });
    }
    // `](target)` and `](#anchor)` go.
    while let Some((start, len)) = words.find("](").and_then(|start| Some((start, words[start..].find(')')?))) {
        words.replace_range(start..=start + len, "]");
    }
    words
}

/// Collects the paragraphs of lines of Markdown.
fn paragraphs<'l>(lines: impl Iterator<Item = (usize, &'l str)>, kind: Kind) -> Vec<Text> {
    let mut texts = Vec::new();
    let mut text = Text::new(kind);
    let mut is_program = false;
    for (number, line) in lines {
        let trimmed = line.trim();
        let is_fence = trimmed.starts_with("```");
        is_program ^= is_fence;
        let is_break = is_fence || is_program || trimmed.is_empty() || trimmed.starts_with(['#', '|', '*', '-', '<']);
        if is_break && !text.words.is_empty() {
            texts.push(std::mem::replace(&mut text, Text::new(kind)));
        }
        if is_fence || is_program || trimmed.is_empty() {
            continue;
        }
        text.push(trimmed, number);
        if trimmed.starts_with('#') {
            texts.push(std::mem::replace(&mut text, Text::new(kind)));
        }
    }
    texts.extend(Some(text).filter(|text| !text.words.is_empty()));
    texts
}

/// Returns the texts of a page. The targets of links are not words.
pub(crate) fn of_page(page: &str) -> Vec<Text> {
    let lines = page.lines().enumerate().map(|(n, line)| (n + 1, line));
    paragraphs(lines.filter(|(_, line)| !(line.starts_with('[') && line.contains("]: "))), Kind::Page)
}

/// Returns the texts of a source file. Unit tests at its end have comments, but no messages.
pub(crate) fn of_source(source: &str) -> Vec<Text> {
    let lines: Vec<&str> = source.lines().collect();
    let mut texts = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let Some(marker) = marker(lines[at]) else {
            at += 1;
            continue;
        };
        let end = (at..lines.len()).find(|n| self::marker(lines[*n]) != Some(marker)).unwrap_or(lines.len());
        let block = (at..end).map(|n| (n + 1, lines[n].trim_start().strip_prefix(marker).unwrap_or_default()));
        let item = (marker == "///").then(|| item(&lines[end..])).flatten();
        let kind = if marker == "//!" || item.is_some() { Kind::Doc } else { Kind::Comment };
        let mut block = paragraphs(block, kind);
        if let Some(first) = block.first_mut() {
            first.item = item;
        }
        texts.append(&mut block);
        at = end;
    }
    let end = lines.iter().position(|line| line.starts_with("mod tests {")).unwrap_or(lines.len());
    texts.append(&mut messages(&lines[..end]));
    texts
}

/// Returns how a line of a comment begins.
fn marker(line: &str) -> Option<&'static str> {
    let line = line.trim_start();
    ["//!", "///", "//"].into_iter().find(|marker| line.starts_with(marker))
}

/// Returns what a doc comment is for, from the lines after it. `None` if it is not public.
fn item(after: &[&str]) -> Option<Item> {
    let is_attribute =
        |line: &&&str| line.trim_start().starts_with(['#', '/', ')', ']', '"']) || line.trim().is_empty();
    let attributes = after.iter().take_while(is_attribute).count();
    let is_help =
        after[..attributes].iter().any(|line| ["#[arg", "#[command", "#[value"].iter().any(|of| line.contains(of)));
    let line = after.get(attributes)?.trim_start();
    let is_function = ["pub fn ", "pub const fn ", "pub async fn "].iter().any(|of| line.starts_with(of));
    let is_variant = line.starts_with(|char: char| char.is_ascii_uppercase());
    match () {
        () if is_function => Some(Item::Function),
        () if is_help || is_variant || line.starts_with("pub ") => Some(Item::Other),
        () => None,
    }
}

/// Returns the strings that have a blank, with their escapes resolved as far as words need it.
fn messages(lines: &[&str]) -> Vec<Text> {
    let mut texts = Vec::new();
    let mut open: Option<Text> = None;
    for (n, line) in lines.iter().enumerate() {
        if open.is_none() && marker(line).is_some() {
            continue;
        }
        for range in strings(line, open.is_some()) {
            let text = open.get_or_insert_with(|| Text::new(Kind::Message));
            text.push(line[range.clone()].trim_end_matches('\\'), n + 1);
            if range.end < line.len() {
                texts.extend(open.take().filter(|text| text.words.trim().contains(' ')));
            }
        }
    }
    texts
}

/// Returns the ranges of strings in a line of code. One that does not end there goes to the end of the line.
fn strings(line: &str, mut is_open: bool) -> Vec<Range<usize>> {
    let bytes = line.as_bytes();
    let mut ranges = Vec::new();
    let (mut at, mut start) = (0, 0);
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if is_open => at += 1,
            b'"' if is_open => {
                ranges.push(start..at);
                is_open = false;
            }
            b'"' => (start, is_open) = (at + 1, true),
            // A character that is a quotation mark.
            b'\'' if !is_open && bytes[at..].starts_with(b"'\"'") => at += 2,
            b'/' if !is_open && bytes[at..].starts_with(b"//") => break,
            _ => {}
        }
        at += 1;
    }
    if is_open {
        ranges.push(start.min(bytes.len())..bytes.len());
    }
    ranges
}
