//! What an input is called in messages: its path, and in an archive its path in there, behind `!/`.

use std::fmt::{self, Write};
use std::path::Path;

/// The name of an input. Names in archives are anybody's, and so are those of files: what a terminal would take for
/// commands is escaped when a name is shown; `as_str` has it as it is, for JSON and CSV.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Name {
    text: String,
    is_member: bool,
}

/// Longer names of members, in bytes, are cut, and end in `…`: every record of such a file would have it.
const LONGEST: usize = 4096;

impl Name {
    pub(crate) fn of(path: &Path) -> Self {
        Name { text: path.to_string_lossy().into_owned(), is_member: false }
    }

    /// The name of a member of this archive.
    pub(super) fn member(&self, path: &[u8]) -> Self {
        // `tar` writes what it was told: `./dir/game.sgf`, and some `/dir/game.sgf`.
        let mut path = path;
        while let Some(rest) = path.strip_prefix(b"./").or_else(|| path.strip_prefix(b"/")) {
            path = rest;
        }
        let is_long = path.len() > LONGEST;
        let path = String::from_utf8_lossy(&path[..path.len().min(LONGEST)]);
        let path = if is_long { format!("{path}…").into() } else { path };
        Name { text: format!("{}!/{path}", self.text), is_member: true }
    }

    /// All of it, in UTF-8, with U+FFFD for what is none.
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether it is in an archive.
    pub(crate) fn is_member(&self) -> bool {
        self.is_member
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.chars().try_for_each(|char| match char {
            // Those that turn the direction of writing or are not seen hide what a name is.
            '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}' => {
                write!(f, "{}", char.escape_unicode())
            }
            char if char.is_control() => write!(f, "{}", char.escape_default()),
            char => f.write_char(char),
        })
    }
}
