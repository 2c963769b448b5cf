//! Records as lines: of JSON, or of CSV.

use std::fmt::Write as _;
use std::io::{self, BufWriter, Stdout, Write};

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use super::Format;
use super::fields::{Column, Fields};
use super::record::{Moves, Record, Value};

/// How much is written at a time, in bytes.
const BUFFER: usize = 64 * 1024;

pub(super) enum Output {
    JsonLines(BufWriter<Stdout>),
    /// And the field that is being written.
    Csv(Box<csv::Writer<Stdout>>, String),
}

impl Output {
    /// Writes what stands in front of the records.
    pub(super) fn begin(format: Format, fields: &Fields) -> io::Result<Self> {
        Ok(match format {
            Format::Jsonl => Output::JsonLines(BufWriter::with_capacity(BUFFER, io::stdout())),
            Format::Csv => {
                let mut out = csv::WriterBuilder::new().buffer_capacity(BUFFER).from_writer(io::stdout());
                out.write_record(fields.columns().iter().map(|&column| fields.name(column))).map_err(bare)?;
                Output::Csv(Box::new(out), String::new())
            }
        })
    }

    pub(super) fn write(&mut self, row: &Row<'_>) -> io::Result<()> {
        match self {
            Output::JsonLines(out) => {
                serde_json::to_writer(&mut *out, row)?;
                out.write_all(b"\n")
            }
            Output::Csv(out, field) => {
                for &column in row.fields.columns() {
                    field.clear();
                    if let Some(cell) = row.cell(column) {
                        cell.to_field(field);
                    }
                    out.write_field(&*field).map_err(bare)?;
                }
                out.write_record(None::<&[u8]>).map_err(bare)
            }
        }
    }

    pub(super) fn finish(self) -> io::Result<()> {
        match self {
            Output::JsonLines(mut out) => out.flush(),
            Output::Csv(mut out, _) => out.flush(),
        }
    }
}

/// What stopped the writer. (Rows that differ in length, the other error of CSV, there are none.)
fn bare(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

/// A record and its place.
pub(super) struct Row<'a> {
    pub(super) fields: &'a Fields,
    pub(super) file: &'a str,
    pub(super) game: u64,
    pub(super) offset: u64,
    pub(super) record: &'a Record,
}

/// What a field holds.
enum Cell<'a> {
    Text(&'a str),
    Count(u64),
    Moves(&'a Moves),
    /// And whether it is a list of points, if it is a list.
    Value(&'a Value, bool),
}

impl<'a> Row<'a> {
    fn cell(&self, column: Column) -> Option<Cell<'a>> {
        let entry = |property: usize| self.record.entries[property].as_ref();
        Some(match column {
            Column::File => Cell::Text(self.file),
            Column::Game => Cell::Count(self.game),
            Column::Offset => Cell::Count(self.offset),
            Column::Moves => Cell::Moves(&self.record.moves),
            Column::Property(property) => {
                Cell::Value(&entry(property)?.value, self.fields.properties()[property].is_point_list)
            }
            Column::Written(property) => Cell::Text(entry(property)?.written.as_deref()?),
        })
    }
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut row = serializer.serialize_map(None)?;
        for &column in self.fields.columns() {
            if let Some(cell) = self.cell(column) {
                row.serialize_entry(self.fields.name(column), &cell)?;
            }
        }
        row.end()
    }
}

impl Serialize for Cell<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Cell::Text(text) => serializer.serialize_str(text),
            Cell::Count(count) => serializer.serialize_u64(count),
            Cell::Moves(moves) => {
                let mut list = serializer.serialize_seq(None)?;
                for (color, point) in moves.iter() {
                    list.serialize_element(&(color, point))?;
                }
                list.end()
            }
            Cell::Value(value, _) => value.serialize(serializer),
        }
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Number(number) => serializer.serialize_i64(*number),
            Value::Real(number) => serializer.serialize_f64(*number),
            Value::Size(columns, rows) => (columns, rows).serialize(serializer),
            Value::Text(text) => serializer.serialize_str(text),
            Value::List(list) => list.serialize(serializer),
        }
    }
}

impl Cell<'_> {
    /// As a field of CSV. Writing to a string does not fail.
    fn to_field(&self, field: &mut String) {
        match *self {
            Cell::Text(text) => field.push_str(text),
            Cell::Count(count) => _ = write!(field, "{count}"),
            Cell::Moves(moves) => {
                for (n, (color, point)) in moves.iter().enumerate() {
                    let blank = if n == 0 { "" } else { " " };
                    let _ = write!(field, "{blank}{color}[{point}]");
                }
            }
            Cell::Value(Value::Text(text), _) => field.push_str(text),
            Cell::Value(Value::Size(columns, rows), _) => _ = write!(field, "{columns}:{rows}"),
            Cell::Value(Value::List(list), is_point_list) => list_to_field(list, is_point_list, field),
            Cell::Value(number, _) => field.push_str(&json(number)),
        }
    }
}

/// Points with blanks between them; of other lists a single text as it is, unless it looks like
/// several, which are JSON.
fn list_to_field(list: &[Value], is_point_list: bool, field: &mut String) {
    match list {
        [Value::Text(text)] if !text.starts_with('[') => field.push_str(text),
        points if is_point_list => {
            for (n, point) in points.iter().enumerate() {
                let blank = if n == 0 { "" } else { " " };
                let _ = match point {
                    Value::Text(point) => write!(field, "{blank}{point}"),
                    other => write!(field, "{blank}{}", json(other)),
                };
            }
        }
        list => field.push_str(&json(list)),
    }
}

/// Of these values, all can be written as JSON.
fn json(value: &(impl Serialize + ?Sized)) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
