//! Escapes for text from files: control characters and invisible characters.
//!
//! A name or a comment can hold anything: codes that clear the screen, characters that change the direction of
//! writing, zero-width spaces. On a terminal they do harm, or hide parts of a text. So all text from files that is
//! printed for people is escaped here. Data (JSON, CSV, SGF) keep every character; in JSON these
//! characters become JSON escapes.

use std::fmt::{self, Write};

use unicode_width::UnicodeWidthChar;

/// Returns whether a character is a terminal command or invisible.
///
/// Variation selectors, which belong to the character before them, and spaces that have a width are not hidden.
pub fn is_hidden(char: char) -> bool {
    match char {
        ' '..='~' => false,
        // C0, DEL and C1.
        '\0'..='\u{9F}' => true,
        '\u{AD}' // soft hyphen
        | '\u{34F}' // combining grapheme joiner
        | '\u{61C}' // Arabic letter mark
        | '\u{115F}' | '\u{1160}' | '\u{3164}' | '\u{FFA0}' // fillers of Hangul
        | '\u{17B4}' | '\u{17B5}' // vowels of Khmer that are not written
        | '\u{180E}' // Mongolian vowel separator
        | '\u{200B}'..='\u{200F}' // no width, joiners, marks of direction
        | '\u{2028}'..='\u{202E}' // ends of lines and paragraphs, embeddings and overrides of direction
        | '\u{2060}'..='\u{206F}' // joiners, operators, isolates of direction
        | '\u{FEFF}' // byte-order mark
        | '\u{FFF9}'..='\u{FFFB}' // annotations between lines
        | '\u{1D173}'..='\u{1D17A}' // brackets of musical notation
        | '\u{E0000}'..='\u{E007F}' => true, // tags
        _ => false,
    }
}

/// Prints a text with an escape, such as `\u{202e}` or `\n`, for each hidden character.
pub struct Visible<'a>(pub &'a str);

impl fmt::Display for Visible<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0;
        while let Some((at, char)) = rest.char_indices().find(|&(_, char)| is_hidden(char)) {
            f.write_str(&rest[..at])?;
            write!(f, "{}", char.escape_default())?;
            rest = &rest[at + char.len_utf8()..];
        }
        f.write_str(rest)
    }
}

/// Treatment of white space in [`fitted`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Blanks {
    /// Each run of white space becomes one blank.
    ///
    /// Line breaks are white space. Leading and trailing white space is removed.
    Joined,
    /// Each blank stays; other white space is hidden, and becomes an escape.
    Kept,
}

/// Returns a text on one line, cut to at most `columns` columns.
///
/// `…` marks a cut. Escapes are never cut in the middle.
pub fn fitted(text: &str, columns: usize, blanks: Blanks) -> String {
    let (mut out, mut width, mut blank) = (String::new(), 0, false);
    // Start and width of each character in `out`.
    let mut tokens: Vec<(usize, usize)> = Vec::new();
    for char in text.chars() {
        if blanks == Blanks::Joined && char.is_whitespace() {
            blank = !out.is_empty();
            continue;
        }
        let start = out.len();
        if std::mem::take(&mut blank) {
            out.push(' ');
        }
        match is_hidden(char) {
            true => _ = write!(out, "{}", char.escape_default()),
            false => out.push(char),
        }
        let wide = match is_hidden(char) {
            true => out.len() - start,
            false => char.width().unwrap_or(0) + usize::from(out[start..].len() > char.len_utf8()),
        };
        tokens.push((start, wide));
        width += wide;
        if width > columns {
            while width + 1 > columns
                && let Some((start, wide)) = tokens.pop()
            {
                out.truncate(start);
                width -= wide;
            }
            return out.trim_end().to_owned() + "…";
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_are_escaped() {
        for (text, expected) in [
            ("", ""),
            ("Go Seigen – 木谷実 (9p) 👍\u{FE0F}", "Go Seigen – 木谷実 (9p) 👍\u{FE0F}"),
            ("a\u{202E}b", r"a\u{202e}b"),
            ("\u{2066}\u{2069}\u{200E}\u{200F}\u{61C}", r"\u{2066}\u{2069}\u{200e}\u{200f}\u{61c}"),
            ("\x1B[31m\u{9B}31m\x7F\0", r"\u{1b}[31m\u{9b}31m\u{7f}\u{0}"),
            ("a\tb\r\n", r"a\tb\r\n"),
            ("\u{FEFF}\u{200B}\u{AD}\u{3164}\u{2028}\u{E0041}", r"\u{feff}\u{200b}\u{ad}\u{3164}\u{2028}\u{e0041}"),
            // An escape that is in the text already looks like one of ours.
            (r"\u{202e}", r"\u{202e}"),
        ] {
            assert_eq!(Visible(text).to_string(), expected);
        }
        let all: String = (0..=char::MAX as u32).filter_map(char::from_u32).collect();
        assert!(!Visible(&all).to_string().chars().any(|char| is_hidden(char) || char.is_control()));
    }

    #[test]
    fn a_text_is_fitted_in_columns() {
        for (text, columns, joined, kept) in [
            ("abc", 3, "abc", "abc"),
            ("abcd", 3, "ab…", "ab…"),
            (" a \n\t b ", 9, "a b", r" a \n\t…"),
            ("囲碁", 4, "囲碁", "囲碁"),
            ("囲碁", 3, "囲…", "囲…"),
            ("a\u{202E}b", 10, r"a\u{202e}b", r"a\u{202e}b"),
            ("a\u{202E}b", 9, "a…", "a…"),
            ("\u{202E}b", 3, "…", "…"),
            ("a\u{301}b", 2, "a\u{301}b", "a\u{301}b"),
            ("abc", 0, "…", "…"),
        ] {
            assert_eq!(fitted(text, columns, Blanks::Joined), joined, "{text:?}");
            assert_eq!(fitted(text, columns, Blanks::Kept), kept, "{text:?}");
        }
    }
}
