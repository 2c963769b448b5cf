//! Texts of files on a line of a terminal.

use unicode_width::UnicodeWidthStr;

use crate::visible::{Blanks, fitted};

/// A text on one line, no wider than so many columns.
pub(super) fn shown(text: &str, columns: usize) -> String {
    fitted(text, columns, Blanks::Joined)
}

/// How many columns a text takes.
pub(super) fn width(text: &str) -> usize {
    text.width()
}
