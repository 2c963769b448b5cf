//! Records as lines of JSON or CSV.

use std::fmt::Write as _;

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use super::Format;
use super::fields::{Column, Fields};
use super::record::{Moves, Record, Value};
use crate::input::Name;
use crate::json;
use crate::visible::Visible;

/// The reason why writing cannot fail.
const IN_MEMORY: &str = "writing to memory does not fail";

/// Records in memory, formatted.
pub(super) enum Output {
    JsonLines(Vec<u8>),
    /// CSV, with the field that is being written.
    Csv {
        out: Box<csv::Writer<Vec<u8>>>,
        field: String,
        shows: bool,
    },
}

impl Output {
    /// With `shows`, for a terminal, hidden characters are escaped even if the format has no escapes for them.
    pub(super) fn new(format: Format, shows: bool) -> Self {
        match format {
            Format::Jsonl => Output::JsonLines(Vec::new()),
            Format::Csv => {
                Output::Csv { out: Box::new(csv::Writer::from_writer(Vec::new())), field: String::new(), shows }
            }
        }
    }

    /// Returns the lines before all records.
    pub(super) fn head(format: Format, fields: &Fields) -> Vec<u8> {
        let mut head = Output::new(format, false);
        if let Output::Csv { out, .. } = &mut head {
            out.write_record(fields.columns().iter().map(|&column| fields.name(column))).expect(IN_MEMORY);
        }
        head.into_bytes()
    }

    pub(super) fn write(&mut self, row: &Row<'_>) {
        match self {
            Output::JsonLines(out) => {
                json::write(&mut *out, row).expect(IN_MEMORY);
                out.push(b'\n');
            }
            Output::Csv { out, field, shows } => {
                for &column in row.fields.columns() {
                    field.clear();
                    if let Some(cell) = row.cell(column) {
                        cell.to_field(field);
                    }
                    let written = match *shows {
                        true => out.write_field(Visible(field).to_string()),
                        false => out.write_field(&*field),
                    };
                    written.expect(IN_MEMORY);
                }
                out.write_record(None::<&[u8]>).expect(IN_MEMORY);
            }
        }
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        match self {
            Output::JsonLines(out) => out,
            Output::Csv { out, .. } => out.into_inner().expect(IN_MEMORY),
        }
    }
}

/// A record, and the file and offset of its game.
pub(super) struct Row<'a> {
    pub(super) fields: &'a Fields,
    pub(super) file: &'a Name,
    pub(super) game: u64,
    pub(super) offset: u64,
    pub(super) record: &'a Record,
}

/// The content of a field.
enum Cell<'a> {
    Text(&'a str),
    Count(u64),
    Moves(&'a Moves),
    /// A value, and whether it is a point list.
    Value(&'a Value, bool),
}

impl<'a> Row<'a> {
    fn cell(&self, column: Column) -> Option<Cell<'a>> {
        let entry = |property: usize| self.record.entries[property].as_ref();
        Some(match column {
            Column::File => Cell::Text(self.file.as_str()),
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
            if let (Column::File, Some(base64)) = (column, self.file.base64()) {
                row.serialize_entry("path_base64", &base64)?;
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
    /// Formats it as a CSV field. Writing to a string does not fail.
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
            Cell::Value(number, _) => field.push_str(&as_json(number)),
        }
    }
}

/// Formats a list. Points are separated by blanks.
///
/// Of other lists, a single text stays unchanged unless it looks like a list; several values become JSON.
fn list_to_field(list: &[Value], is_point_list: bool, field: &mut String) {
    match list {
        [Value::Text(text)] if !text.starts_with('[') => field.push_str(text),
        points if is_point_list => {
            for (n, point) in points.iter().enumerate() {
                let blank = if n == 0 { "" } else { " " };
                let _ = match point {
                    Value::Text(point) => write!(field, "{blank}{point}"),
                    other => write!(field, "{blank}{}", as_json(other)),
                };
            }
        }
        list => field.push_str(&as_json(list)),
    }
}

fn as_json(value: &(impl Serialize + ?Sized)) -> String {
    json::string(value)
}
