//! Texts from files, on one line of a terminal.

use unicode_width::UnicodeWidthStr;

use crate::visible::{Blanks, fitted};

/// Returns a text on one line of at most `columns` columns.
pub(super) fn shown(text: &str, columns: usize) -> String {
    fitted(text, columns, Blanks::Joined)
}

/// Returns the width of a text in columns.
pub(super) fn width(text: &str) -> usize {
    text.width()
}
