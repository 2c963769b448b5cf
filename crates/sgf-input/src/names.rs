//! Files of players' names: CSV with the columns `name` and `person`, and others that are not read.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use sgf_table::Names;

/// Reads a file of names, as `sgf names` writes it.
///
/// The first line has the names of the columns. `name` is a name in SGF files, and `person` the one that stands for it.
///
/// # Errors
///
/// Fails if the file cannot be read, is not CSV in UTF-8, or lacks a column.
pub fn read_names(path: &Path) -> io::Result<Names> {
    parse_names(File::open(path)?)
}

/// Reads names, as [`read_names`] does.
///
/// ```
/// let csv = "name,person,games\nLee Se-dol 9p,Lee Sedol,1\nLee Sedol,Lee Sedol,17\n";
/// let names = sgf_input::parse_names(csv.as_bytes())?;
/// assert_eq!((names.len(), names.get("Lee Se-dol 9p")), (1, Some("Lee Sedol")));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// Fails if the text is not CSV in UTF-8, lacks a column, or has a quote that nothing closes.
pub fn parse_names(csv: impl Read) -> io::Result<Names> {
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(csv.chain(END));
    let header = reader.headers().map_err(invalid)?.clone();
    let column = |wanted: &str| {
        let found = header.iter().position(|column| column.trim_start_matches('\u{FEFF}') == wanted);
        found.ok_or_else(|| {
            io::Error::new(io::ErrorKind::InvalidData, format!("no column '{wanted}' in the first line"))
        })
    };
    let (name, person) = (column("name")?, column("person")?);
    let mut names = Vec::new();
    for record in reader.records() {
        let record = record.map_err(invalid)?;
        if record.len() == 1 && record[0].as_bytes() == END.trim_ascii() {
            break;
        }
        if record.iter().any(|cell| cell.as_bytes().ends_with(END)) {
            let line = record.position().map_or(0, csv::Position::line);
            let message = format!("line {line} has a quote that nothing closes; add `\"`, or remove it");
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        if let (Some(name), Some(person)) = (record.get(name), record.get(person))
            && !name.is_empty()
            && !person.is_empty()
            && name != person
        {
            names.push((name.to_owned(), person.to_owned()));
        }
    }
    Ok(Names::from_iter(names))
}

/// A line that is read after the file: it is part of the last cell if a quote in the file is open.
const END: &[u8] = b"\n\x04\n";

fn invalid(error: csv::Error) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error.to_string())
}
