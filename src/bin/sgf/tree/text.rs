//! Texts of files on a line of a terminal.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// A text on one line, without what a terminal could take for commands, and no wider than so many columns.
pub(super) fn shown(text: &str, columns: usize) -> String {
    let (mut out, mut width, mut blank) = (String::new(), 0, false);
    // What is wider than all columns needs not be looked at.
    for char in text.chars() {
        if char.is_whitespace() {
            blank = !out.is_empty();
            continue;
        }
        let is_shown = !char.is_control() && !is_direction(char);
        let char = if is_shown { char } else { char::REPLACEMENT_CHARACTER };
        let wide = char.width().unwrap_or(0) + usize::from(blank);
        if width + wide > columns {
            while width + 1 > columns {
                let Some(last) = out.pop() else { break };
                width -= last.width().unwrap_or(0);
            }
            return out.trim_end().to_owned() + "…";
        }
        if std::mem::take(&mut blank) {
            out.push(' ');
        }
        out.push(char);
        width += wide;
    }
    out
}

/// Characters that turn the direction of the line.
fn is_direction(char: char) -> bool {
    matches!(char, '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// How many columns a text takes.
pub(super) fn width(text: &str) -> usize {
    text.width()
}
