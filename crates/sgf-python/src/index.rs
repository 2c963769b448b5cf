//! Builds indexes for searches, and brings them up to date.

use std::collections::HashSet;
use std::io;
use std::path::PathBuf;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sgf_input::{Changes, Fault, Missing, Name, Seen};
use sgf_search::index::{IndexError, IndexOptions, IndexRows, IndexWriter, Stamp};

use crate::error::{index_error, io_error, os_error};
use crate::sources::{Sources, pool, words};
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
    rebuild_and_prune: (bool, bool),
) -> PyResult<Summary> {
    let (rebuild, prune) = rebuild_and_prune;
    let (charset, default_charset) = sources.charsets();
    let options = IndexOptions::new().variations(variations).rebuild(rebuild);
    let mut options = options.charsets(charset, default_charset);
    if let Some(columns) = columns {
        tables::builder(&sources.parser(), "games", Some(columns.clone()))?; // with a better message
        options = options.columns(columns).map_err(|error| PyValueError::new_err(format!("columns: {error}")))?;
    }
    let mut writer = py.detach(|| IndexWriter::open(directory, &options)).map_err(index_error)?;
    let sources = sources.with_full_paths().with_charsets(writer.charsets())?;
    let before: Vec<(Name, Seen)> = writer.files().map(|(name, stamp)| (Name::of_bytes(name), seen(stamp))).collect();
    let threads = pool(sources.threads())?;
    let missing = if prune { Missing::Go } else { Missing::Stay };
    let mut changes =
        py.detach(|| threads.install(|| Changes::since(before, sources.paths(), sources.found(), missing)));
    let replaces_all = if writer.is_new() { changes.read.is_empty() } else { rebuild };
    if let Some((name, error)) = changes.unread.first()
        && (replaces_all || sources.raises())
    {
        return Err(os_error(error, name.as_str()).unwrap_or_else(|| {
            let message = Fault::of(error).map_or_else(|| error.to_string(), |fault| fault.told(words));
            io::Error::new(error.kind(), format!("{name}: {message}")).into()
        }));
    }
    // The index does not depend on the order of the inputs.
    changes.read.sort_by_cached_key(|(name, _)| name.to_path());
    changes.removed.iter().for_each(|name| writer.remove_file(name.as_bytes()));

    let reader = writer.reader();
    let paths = changes.read.iter().map(|(name, _)| name.to_path()).collect();
    let mut stream = sources.with_paths(paths).stream(move |input, out| {
        let (name, parser, reader) = (input.name.clone(), input.parser.clone(), reader.clone());
        let of_parts = (name.clone(), parser.clone(), reader.clone());
        input.each_part(
            move |part| {
                let (name, parser, reader) = &of_parts;
                Some(reader.read(parser, name.as_bytes(), || part.reader(parser)))
            },
            |game| {
                let mut builder = reader.builder();
                match builder.read_long(&parser, name.as_bytes(), game) {
                    Ok(is_read) => is_read.then(|| builder.finish()),
                    Err(error) => Some(Err(error)),
                }
            },
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
    let archives = |name| Name::archives_of_bytes(Name::as_bytes(name));
    let unread: HashSet<&[u8]> =
        stream.unread().iter().flat_map(|name| archives(name).chain([name.as_bytes()])).collect();
    for (name, Seen { size, modified, hash }) in changes.read {
        if !unread.contains(name.as_bytes()) {
            writer.set_file(name.as_bytes(), Stamp { size, modified, hash });
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
        ("removed_files", changes.removed.len() as u64),
        ("unchanged_files", changes.unchanged),
        ("unread_files", (unread.len() + changes.unread.len()) as u64),
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
