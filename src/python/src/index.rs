//! Builds indexes for searches, and brings them up to date.

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::PathBuf;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sgf_input::{Changes, Name, Seen};
use sgf_search::index::{IndexError, IndexOptions, IndexRows, IndexWriter, Stamp};

use crate::error::{index_error, io_error};
use crate::sources::{Sources, pool};
use crate::tables;

/// What an index has, by name: numbers of games and files.
type Summary = Vec<(&'static str, u64)>;

/// Reads files that are new or changed into an index. Its readers see all changes at the end, or none.
#[pyfunction]
pub(crate) fn index(
    py: Python<'_>,
    sources: Sources,
    directory: PathBuf,
    variations: bool,
    columns: Option<Vec<String>>,
    rebuild: bool,
) -> PyResult<Summary> {
    let mut options = IndexOptions::new().variations(variations).rebuild(rebuild);
    if let Some(columns) = columns {
        tables::builder(&sources.parser(), "games", Some(columns.clone()))?; // with a better message
        options = options.columns(columns).map_err(|error| PyValueError::new_err(format!("columns: {error}")))?;
    }
    let mut writer = py.detach(|| IndexWriter::open(directory, &options)).map_err(index_error)?;
    if variations && !writer.has_variations() {
        return Err(index_error(IndexError::NoVariations));
    }
    let before: HashMap<String, Seen> = writer.files().map(|(name, stamp)| (name.to_owned(), seen(stamp))).collect();
    let threads = pool(sources.threads())?;
    let changes = py.detach(|| threads.install(|| Changes::since(before, sources.walk())));
    changes.stale.iter().for_each(|name| writer.remove_file(name));

    let reader = writer.reader();
    let mut stream = sources.with_paths(changes.paths).stream(move |input, out| {
        let (name, parser, reader) = (input.name.as_str().to_owned(), input.parser.clone(), reader.clone());
        input.each_part(
            move |part| Some(reader.read(&parser, &name, || part.reader(&parser))),
            |_| None,
            |rows: Option<Result<IndexRows, IndexError>>| Ok(out.send(rows.transpose().map_err(read_error)?)),
        )
    });
    let mut too_long = 0;
    while let Some(item) = stream.next(py)? {
        match item.value {
            Some(rows) => py.detach(|| writer.write(rows)).map_err(index_error)?,
            None => too_long += 1,
        }
    }
    // What could not be read is tried again the next time.
    let unread: HashSet<&str> =
        stream.unread().iter().flat_map(|name| Name::archives_of(name).chain([name.as_str()])).collect();
    for (name, Seen { size, modified, hash }) in changes.seen {
        if changes.stale.contains(&name) && !unread.contains(name.as_str()) {
            writer.set_file(&name, Stamp { size, modified, hash });
        }
    }
    let written = py.detach(|| writer.finish()).map_err(index_error)?;
    let games = written.games;
    Ok(vec![
        ("games", games.games - games.without_board - games.too_large),
        ("without_board", games.without_board),
        ("too_large", games.too_large + too_long),
        ("bytes", written.bytes),
        ("new_files", changes.new),
        ("changed_files", changes.changed),
        ("removed_files", changes.removed),
        ("unchanged_files", changes.unchanged),
        ("unread_files", unread.len() as u64),
    ])
}

fn seen(Stamp { size, modified, hash }: &Stamp) -> Seen {
    Seen { size: *size, modified: *modified, hash: hash.clone() }
}

/// Converts an error of reading games, for the threads that read files.
fn read_error(error: IndexError) -> io::Error {
    match error {
        IndexError::Games(error) => io_error(error),
        error => io::Error::other(error.to_string()),
    }
}
