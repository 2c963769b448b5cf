//! The files without SGF data, about which a run says one sentence.

use std::sync::{Mutex, PoisonError};

use sgf_stream::Code;

use crate::Name;
use crate::size::grouped;

/// The files of a run without SGF data.
///
/// It keeps the first one in alphabetical order and their number, since an archive may have hundreds of them. The order does
/// not depend on threads.
#[derive(Debug, Default)]
pub struct NoSgf(Mutex<Option<(Name, u64)>>);

impl NoSgf {
    /// Creates the sum of no file.
    pub const fn new() -> Self {
        NoSgf(Mutex::new(None))
    }

    /// Notes a file.
    pub fn note(&self, name: &Name) {
        let mut noted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (first, files) = noted.get_or_insert_with(|| (name.clone(), 0));
        *files += 1;
        if name.as_bytes() < first.as_bytes() {
            *first = name.clone();
        }
    }

    /// Returns the first file and a sentence about all of them, and forgets them. `None` if there are none.
    pub fn take(&self) -> Option<(Name, String)> {
        let (name, files) = self.0.lock().unwrap_or_else(PoisonError::into_inner).take()?;
        let message = match files - 1 {
            0 => format!("{name}: {}", Code::NoSgfData.message()),
            more => format!(
                "{name}: {}, as in {} more file{}; `sgf check --only {} --list` lists them",
                Code::NoSgfData.message(),
                grouped(more),
                if more == 1 { "" } else { "s" },
                Code::NoSgfData
            ),
        };
        Some((name, message))
    }
}
