//! What is wrong with an input or an option, and what the user can change.

use std::fmt;
use std::io;

/// Something that the user can change, as a [`Fault`] advises.
///
/// Each program has its own word for it, or none: Python has no option like `--max-nesting` of the command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remedy {
    /// [`Limits::max_unpacked`](crate::Limits::max_unpacked).
    MaxUnpacked,
    /// [`Limits::max_ratio`](crate::Limits::max_ratio).
    MaxRatio,
    /// [`Limits::max_members`](crate::Limits::max_members).
    MaxMembers,
    /// [`Limits::max_nesting`](crate::Limits::max_nesting).
    MaxNesting,
    /// [`Limits::max_window`](crate::Limits::max_window).
    MaxWindow,
    /// Dropping what is missing.
    Prune,
    /// Giving several conditions.
    SeveralConditions,
    /// Listing the columns.
    ListColumns,
}

impl Remedy {
    /// Returns the words of the command `sgf`.
    pub fn in_command(self) -> &'static str {
        match self {
            Remedy::MaxUnpacked => "--max-unpacked",
            Remedy::MaxRatio => "--max-ratio",
            Remedy::MaxMembers => "--max-members",
            Remedy::MaxNesting => "--max-nesting",
            Remedy::MaxWindow => "--max-window",
            Remedy::Prune => "--prune",
            Remedy::SeveralConditions => "--where can be repeated",
            Remedy::ListColumns => "`sgf records --list-columns` lists all",
        }
    }
}

/// An error in a compressed file, an archive or an option, perhaps with a [`Remedy`].
///
/// It displays as `more than 2 members (--max-members)`, with the words of the command. Other programs use
/// [`told`](Self::told).
// It can be cloned, since the readers above may read again.
#[derive(Clone, Debug)]
pub struct Fault {
    message: String,
    /// What helps, and where in the message it is named.
    remedy: Option<(Remedy, usize)>,
}

impl Fault {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Fault { message: message.into(), remedy: None }
    }

    /// Creates a fault from its message, what helps, and the rest of the message.
    pub(crate) fn with_remedy(message: impl Into<String>, remedy: Remedy, rest: &str) -> Self {
        let message = message.into();
        Fault { remedy: Some((remedy, message.len())), message: message + rest }
    }

    /// Returns the `Fault` inside an I/O error.
    pub fn of(error: &io::Error) -> Option<&Fault> {
        error.get_ref()?.downcast_ref()
    }

    /// Returns the message with the words of a program.
    ///
    /// `words` returns `None` for remedies that the program does not offer.
    pub fn told(&self, words: impl Fn(Remedy) -> Option<&'static str>) -> String {
        match self.remedy.and_then(|(remedy, at)| Some((words(remedy)?, at))) {
            Some((words, at)) => format!("{} ({words}){}", &self.message[..at], &self.message[at..]),
            None => self.message.clone(),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.told(|remedy| Some(remedy.in_command())))
    }
}

impl std::error::Error for Fault {}

/// Returns the text of an error of an input, without the names of options.
///
/// For programs that do not have those of the command: see [`Fault::told`].
pub fn reason(error: &io::Error) -> String {
    Fault::of(error).map_or_else(|| error.to_string(), |fault| fault.told(|_| None))
}

impl From<Fault> for io::Error {
    fn from(fault: Fault) -> Self {
        io::Error::new(io::ErrorKind::InvalidData, fault)
    }
}

impl From<String> for Fault {
    fn from(message: String) -> Self {
        Fault::new(message)
    }
}

impl From<&str> for Fault {
    fn from(message: &str) -> Self {
        Fault::new(message)
    }
}
