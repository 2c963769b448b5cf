//! The problems of files: a run prints a sentence about each kind.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::mem;
use std::sync::{Mutex, PoisonError};

use sgf_stream::Severity;

use crate::Name;
use crate::size::grouped;

/// Maximum number of kinds. Problems of further kinds are one kind.
const MAX_KINDS: usize = 100;

/// The problems of the files of a run, as a sum for each kind.
///
/// An archive may have hundreds of files with one problem. Errors come first, then warnings, in the order of their texts
/// without numbers.
#[derive(Debug, Default)]
pub struct Problems {
    kinds: Mutex<BTreeMap<(bool, String), Problem>>,
}

/// The files with one kind of problem. Returned by [`Problems::take`].
#[derive(Debug)]
pub struct Problem {
    severity: Severity,
    /// The first one in alphabetical order, which does not depend on threads, and what is said of it.
    first: (Name, String),
    /// The others, if their names are kept.
    others: Vec<(Name, String)>,
    files: u64,
}

impl Problems {
    /// Creates a list without problems.
    pub const fn new() -> Self {
        Problems { kinds: Mutex::new(BTreeMap::new()) }
    }

    /// Notes the problem of a file. `keeps_name`: the file is named even if many have this problem.
    pub fn note(&self, severity: Severity, name: &Name, said: impl ToString, keeps_name: bool) {
        let mut kinds = self.kinds.lock().unwrap_or_else(PoisonError::into_inner);
        let said = said.to_string();
        let kind = if kinds.len() < MAX_KINDS { kind_of(&said) } else { String::new() };
        let file = (name.clone(), said);
        match kinds.entry((severity == Severity::Warning, kind)) {
            Entry::Vacant(place) => _ = place.insert(Problem { severity, first: file, others: Vec::new(), files: 1 }),
            Entry::Occupied(mut known) => {
                let Problem { first, others, files, .. } = known.get_mut();
                *files += 1;
                let is_first = file.0.as_bytes() < first.0.as_bytes();
                let other = if is_first { mem::replace(first, file) } else { file };
                if keeps_name {
                    others.push(other);
                }
            }
        }
    }

    /// Returns the problems, and forgets them.
    pub fn take(&self) -> impl Iterator<Item = Problem> {
        mem::take(&mut *self.kinds.lock().unwrap_or_else(PoisonError::into_inner)).into_values()
    }
}

impl Problem {
    /// Returns whether it is an error or a warning.
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// Returns the first file with this problem.
    pub fn name(&self) -> &Name {
        &self.first.0
    }

    /// Returns what is wrong with the first file.
    pub fn message(&self) -> &str {
        &self.first.1
    }

    /// Returns a sentence about all files, or one for each if their names are kept.
    ///
    /// `all` says how to get all names; `advice` is added to the last sentence.
    pub fn sentences(mut self, all: &str, advice: &str) -> Vec<String> {
        let of_file = |(name, said): &(Name, String)| format!("{name}: {said}");
        if self.files > 1 && self.others.is_empty() {
            let more = self.files - 1;
            let plural = if more == 1 { "" } else { "s" };
            return vec![format!("{}, as in {} more file{plural}; {all}{advice}", of_file(&self.first), grouped(more))];
        }
        self.others.sort_by(|one, other| one.0.as_bytes().cmp(other.0.as_bytes()));
        let mut sentences: Vec<_> = std::iter::once(&self.first).chain(&self.others).map(of_file).collect();
        sentences.last_mut().into_iter().for_each(|last| *last += advice);
        sentences
    }
}

/// Returns a message without its numbers and what is in parentheses, in which the messages of one kind differ.
fn kind_of(said: &str) -> String {
    let mut depth = 0;
    let is_kept = |char: &char| {
        depth += i32::from(*char == '(') - i32::from(*char == ')');
        depth == 0 && !char.is_ascii_digit()
    };
    said.chars().filter(is_kept).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_one_kind_differ_in_numbers_and_parentheses() {
        assert_eq!(
            kind_of("gzip: the data ends (byte 10 (of 20)) in the middle"),
            kind_of("gzip: the data ends (byte 7) in the middle")
        );
        assert_eq!(kind_of("game 12 is skipped"), kind_of("game 3 is skipped"));
        assert_ne!(kind_of("Permission denied (os error 13)"), kind_of("Is a directory (os error 21)"));
    }
}
