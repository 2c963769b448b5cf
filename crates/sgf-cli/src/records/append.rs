//! `--append`: a file of rows that follows an archive.
//!
//! Beside the file, a list says which files it has the rows of: JSON Lines, first the [`settings`], then the full path, the size,
//! the time and the hash of each file. A path that is not UTF-8 is an array of its bytes. Files that changed are read
//! again, after their rows were dropped. The new file replaces the old one when it is complete, and then the new list the
//! old list. If the program is killed in between, the files that were read are read again the next time.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::{Value, json};
use sgf_input::{Changes, Seen};

use crate::catalog::{self, Prune};
use crate::failure::{Failure, warn};
use crate::input::{Name, Paths};
use crate::json;

use super::Format;

/// The work of a run.
pub(super) struct Update {
    file: PathBuf,
    settings: Value,
    changes: Changes,
}

/// Returns the path of the list beside a file.
fn list_of(file: &Path) -> PathBuf {
    let mut path = file.as_os_str().to_owned();
    path.push(".files");
    path.into()
}

impl Update {
    /// Finds the files that are new or changed since the last run.
    ///
    /// # Errors
    ///
    /// Fails if the file was written in another way, or if what is in the place of its list is another file.
    pub(super) fn new(
        file: &Path,
        format: Format,
        settings: Value,
        (paths, prune): (&Paths, Prune),
    ) -> Result<Self, Failure> {
        if format.is_binary() {
            return Err(Failure::Usage(format!(
                "--append needs --format jsonl or csv; {format} files cannot be changed"
            )));
        }
        catalog::expect_files("--append", paths, [file])?;
        if !has_column(&settings, "file") {
            return Err(Failure::Usage("--append needs the column file, to find the rows of a file again".to_owned()));
        }
        let before = read_list(file, &settings)?;
        let changes = catalog::changes(before, paths, prune).with_namesakes();
        Ok(Update { file: file.to_owned(), settings, changes })
    }

    /// Returns the files to read, in the order of the inputs.
    pub(super) fn paths(&self) -> Vec<PathBuf> {
        self.changes.read.iter().map(|(name, _)| name.to_path()).collect()
    }

    /// Returns whether the rows stay as they are.
    pub(super) fn has_nothing_to_do(&self) -> bool {
        self.changes.is_empty() && (self.file.exists() || self.has_unread())
    }

    /// Returns whether some inputs cannot be read.
    pub(super) fn has_unread(&self) -> bool {
        !self.changes.unread.is_empty()
    }

    /// Copies the rows of files that did not change. Returns whether there was a file.
    pub(super) fn copy_rows(&self, format: Format, out: &mut impl Write) -> io::Result<bool> {
        let file = match File::open(&self.file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            opened => opened?,
        };
        match format {
            Format::Csv => self.copy_csv(file, out)?,
            _ => self.copy_lines(file, out)?,
        }
        Ok(true)
    }

    fn copy_lines(&self, file: File, out: &mut impl Write) -> io::Result<()> {
        let mut reader = BufReader::new(file);
        let mut line = Vec::new();
        while reader.read_until(b'\n', &mut line)? > 0 {
            let row: FileOfRow = serde_json::from_slice(&line)?;
            if !self.changes.is_stale(&row.0) {
                out.write_all(&line)?;
            }
            line.clear();
        }
        Ok(())
    }

    fn copy_csv(&self, file: File, out: &mut impl Write) -> io::Result<()> {
        let mut bytes = file.try_clone()?;
        let mut reader = csv::Reader::from_reader(BufReader::new(file));
        let column = reader.byte_headers()?.iter().position(|name| name == b"file");
        let column = column.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "it has no column file"))?;
        // Ranges of the file that stay, of which the first one has the header.
        let mut ranges: Vec<std::ops::Range<u64>> = Vec::new();
        let mut keep = |range: std::ops::Range<u64>| match ranges.last_mut() {
            Some(last) if last.end == range.start => last.end = range.end,
            _ => ranges.push(range),
        };
        keep(0..reader.position().byte());
        let mut record = csv::ByteRecord::new();
        let mut start = reader.position().byte();
        while reader.read_byte_record(&mut record)? {
            let end = reader.position().byte();
            let name = String::from_utf8_lossy(record.get(column).unwrap_or_default());
            if !self.changes.is_stale(&name) {
                keep(start..end);
            }
            start = end;
        }
        for range in ranges {
            bytes.seek(SeekFrom::Start(range.start))?;
            io::copy(&mut BufReader::new(&bytes).take(range.end - range.start), out)?;
        }
        Ok(())
    }

    /// Writes the list, unless it stays as it is, and prints how many files are what.
    ///
    /// Files that could not be read to the end are tried again the next time.
    pub(super) fn finish(&self, unread: &HashSet<String>) -> io::Result<()> {
        let mut list = json::string(&self.settings);
        list.push('\n');
        // Their rows so far are in the file, so the list has them, with what no file is.
        let never = Seen { size: u64::MAX, modified: 0, hash: String::new() };
        let seen_of = |(name, seen)| (name, if unread.contains(Name::as_str(name)) { &never } else { seen });
        let read = self.changes.read.iter().map(|(name, seen)| (name, seen)).map(seen_of);
        let mut files: Vec<(&Name, &Seen)> =
            self.changes.kept.iter().map(|(name, seen)| (name, seen)).chain(read).collect();
        files.sort_by_key(|(name, _)| *name);
        for (name, Seen { size, modified, hash }) in files {
            let path = match name.base64() {
                None => json!(name.as_str()),
                Some(_) => json!(name.as_bytes()),
            };
            let line = json!({"path": path, "size": size, "modified": modified, "hash": hash});
            let _ = writeln!(list, "{}", json::string(&line));
        }
        let path = list_of(&self.file);
        if self.file.exists() && fs::read(&path).ok().as_deref() != Some(list.as_bytes()) {
            crate::destination::write(&path, list.as_bytes(), &[])?;
        }
        catalog::print(&self.changes);
        Ok(())
    }
}

/// The version of lists. Those of version 2 lack the settings of [`OPTIONS`].
pub(super) const VERSION: u64 = 3;

/// The options that decide what is in a row, by the names of the settings.
const OPTIONS: [(&str, &str); 4] = [
    ("charset", "--charset"),
    ("default_charset", "--default-charset"),
    ("game_type", "--game-type"),
    ("strict", "--strict"),
];

/// Compares the settings of a file with those of this run. Returns what differs, as the end of a sentence.
fn difference(before: &Value, now: &Value) -> Option<String> {
    let with = |option: &str, value: &Value| match value {
        Value::String(value) => format!("with {option} {value}"),
        Value::Bool(true) => format!("with {option}"),
        _ => format!("without {option}"),
    };
    if before["sgf_records"] != json!(2) {
        let options = OPTIONS.iter().find(|(name, _)| before[name] != now[name]);
        if let Some((name, option)) = options.filter(|_| before["sgf_records"] == now["sgf_records"]) {
            let [before, now] = [before, now].map(|settings| with(option, &settings[name]));
            return Some(format!(
                "was written {before}, and this run is {now}; use the same option, or delete the file"
            ));
        }
    }
    let is_known = before["sgf_records"] == json!(2) || before["sgf_records"] == now["sgf_records"];
    let is_equal = is_known && ["table", "format", "columns", "names"].iter().all(|name| before[name] == now[name]);
    let other = "was written with another table, format, columns or names, or in another version; delete it";
    (!is_equal).then(|| other.to_owned())
}

/// Returns whether the settings of a file name a column.
fn has_column(settings: &Value, name: &str) -> bool {
    settings["columns"].as_array().is_some_and(|columns| columns.iter().any(|column| column == name))
}

/// Reads the list of a file. It is empty if there is no file yet.
fn read_list(file: &Path, settings: &Value) -> Result<Vec<(Name, Seen)>, Failure> {
    let path = list_of(file);
    let text = match fs::read(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound && !file.exists() => return Ok(Vec::new()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(Failure::Usage(format!(
                "--append: {} exists, but not {}, which lists the files in it; delete the file to start again",
                Name::of(file),
                Name::of(&path)
            )));
        }
        read => read.map_err(Failure::input(&Name::of(&path)))?,
    };
    let text = String::from_utf8_lossy(&text);
    let mut lines = text.lines();
    let first: Option<Value> = lines.next().and_then(|line| serde_json::from_str(line).ok());
    let Some(first) = first.filter(|first| !first["sgf_records"].is_null()) else {
        return Err(Failure::Usage(format!(
            "--append: {} would be overwritten, and is not a list of files that `sgf records` has written; move it, or \
             choose another FILE",
            Name::of(&path)
        )));
    };
    if !file.exists() {
        return Ok(Vec::new());
    }
    if let Some(difference) = difference(&first, settings) {
        return Err(Failure::Usage(format!("--append: {} {difference} to start again", Name::of(file))));
    }
    let mut seen = Vec::new();
    for line in lines {
        let entry: Option<Value> = serde_json::from_str(line).ok();
        let read = entry.as_ref().and_then(|entry| {
            let path = match &entry["path"] {
                Value::String(path) => path.clone().into_bytes(),
                bytes => serde_json::from_value(bytes.clone()).ok()?,
            };
            let (size, modified) = (entry["size"].as_u64()?, entry["modified"].as_u64()?);
            Some((Name::of_bytes(path), Seen { size, modified, hash: entry["hash"].as_str()?.to_owned() }))
        });
        match read {
            Some(of_path) => seen.push(of_path),
            None => warn(format_args!("{}: ignoring a damaged line", Name::of(&path))),
        }
    }
    Ok(seen)
}

/// The file of a row of JSON.
struct FileOfRow(String);

impl<'de> Deserialize<'de> for FileOfRow {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Row;

        impl<'de> Visitor<'de> for Row {
            type Value = FileOfRow;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a row")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut row: A) -> Result<FileOfRow, A::Error> {
                let mut file = String::new();
                while let Some(key) = row.next_key::<String>()? {
                    if key == "file" {
                        file = row.next_value()?;
                    } else {
                        row.next_value::<IgnoredAny>()?;
                    }
                }
                Ok(FileOfRow(file))
            }
        }

        deserializer.deserialize_map(Row)
    }
}
