//! `--fix`: files in the place of files.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use sgf_stream::charset::Decoding;
use sgf_stream::check::{self, FixError, Rule, Rules};

use crate::fmt::target::{Place, compare, open};
use crate::source::Source;

/// Why a file is not repaired.
pub(super) enum Stop {
    Io(io::Error),
    /// What is the matter with it.
    Refused(String),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Stop::Io(error)
    }
}

impl From<FixError> for Stop {
    fn from(error: FixError) -> Self {
        match error {
            FixError::Read(error) | FixError::Write(error) => Stop::Io(error),
            error => Stop::Refused(error.to_string()),
        }
    }
}

/// So many passes: nearly always the second finds nothing to do.
const MOST_PASSES: usize = 16;

/// Repairs a file, and says what was repaired. One without such faults is not touched.
pub(super) fn in_place(rules: &Rules, decoding: Decoding, path: &Path) -> Result<BTreeMap<Rule, u64>, Stop> {
    let mut repaired = BTreeMap::new();
    let is_transcoded = Source::of(&mut open(path)?, Some(decoding))?.0.is_transcoded();
    if is_transcoded {
        return Err(Stop::Refused("it is in UTF-16, UTF-32, HZ or ISO-2022 (`sgf fmt` makes UTF-8 of it)".to_owned()));
    }
    for _ in 0..MOST_PASSES {
        let (original, mut same) = compare(open(path)?);
        let fixed = check::fix(rules, original, &mut same)?;
        if same.finish() {
            break;
        }
        let mut place = Place::beside(path)?;
        check::fix(rules, open(path)?, &mut place)?;
        place.take()?;
        for (rule, count) in fixed.repairs() {
            *repaired.entry(rule).or_default() += count;
        }
        if fixed.is_done() {
            break;
        }
    }
    Ok(repaired)
}
