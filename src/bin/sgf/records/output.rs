//! Rows as lines of JSON or CSV, or as record batches.

use serde::Serialize;
#[cfg(feature = "arrow")]
use sgf_stream::table::BatchBuilder;
use sgf_stream::table::{Cell, PropertyValue, Row, TableBuilder};

use super::Format;
use crate::input::Name;
use crate::json;
use crate::visible::Visible;

/// The reason why writing cannot fail.
const IN_MEMORY: &str = "writing to memory does not fail";

/// Rows in memory, formatted.
pub(super) enum Output {
    JsonLines {
        out: Vec<u8>,
        /// The keys of the columns, as in `{"first":1,"second":2}`, each with a comma.
        keys: Vec<Vec<u8>>,
    },
    /// CSV, with the field that is being written.
    Csv { out: Box<csv::Writer<Vec<u8>>>, field: String, shows: bool },
    /// Rows of Arrow and Parquet.
    #[cfg(feature = "arrow")]
    Batches(Box<Batches>),
}

/// Record batches, and what went wrong.
#[cfg(feature = "arrow")]
pub(super) struct Batches {
    builder: BatchBuilder,
    batches: Vec<Batch>,
}

#[cfg(feature = "arrow")]
pub(super) type Batch = Result<arrow_array::RecordBatch, arrow_schema::ArrowError>;

/// About the number of bytes in a batch.
#[cfg(feature = "arrow")]
const BATCH: usize = FULL;

/// Number of bytes of rows that are kept in memory, where they need not be.
pub(super) const FULL: usize = 8 << 20;

impl Output {
    /// Lines are appended to `buffer`. With `shows`, for a terminal, hidden characters are escaped even if the format has no escapes for them.
    pub(super) fn new(format: Format, table: &TableBuilder, shows: bool, buffer: Vec<u8>) -> Self {
        match format {
            Format::Jsonl => {
                let keys = table.column_list().iter().map(|column| key(column.name())).collect();
                Output::JsonLines { out: buffer, keys }
            }
            Format::Csv => Output::Csv { out: Box::new(csv::Writer::from_writer(buffer)), field: String::new(), shows },
            #[cfg(feature = "arrow")]
            Format::Arrow | Format::Parquet => {
                Output::Batches(Box::new(Batches { builder: table.batch_builder(), batches: Vec::new() }))
            }
            #[cfg(not(feature = "arrow"))]
            Format::Arrow | Format::Parquet => {
                let _ = table;
                Output::JsonLines { out: Vec::new(), keys: Vec::new() }
            }
        }
    }

    /// Returns the lines before all rows.
    pub(super) fn head(format: Format, table: &TableBuilder) -> Vec<u8> {
        match Output::new(format, table, false, Vec::new()) {
            Output::Csv { mut out, .. } => {
                out.write_record(table.column_list().iter().map(|column| column.name())).expect(IN_MEMORY);
                out.into_inner().expect(IN_MEMORY)
            }
            _ => Vec::new(),
        }
    }

    pub(super) fn write(&mut self, row: &Row<'_>, file: &Name) {
        match self {
            Output::JsonLines { out, keys } => {
                write_json(out, keys, row, file);
                out.push(b'\n');
            }
            Output::Csv { out, field, shows } => {
                use std::fmt::Write as _;
                for column in 0..row.len() {
                    let cell = row.cell(column);
                    let written = match &cell {
                        Cell::Null => out.write_field(""),
                        Cell::Text(text) if !*shows => out.write_field(&**text),
                        cell => {
                            field.clear();
                            let _ = write!(field, "{cell}"); // to a string, which does not fail
                            match *shows {
                                true => out.write_field(Visible(field).to_string()),
                                false => out.write_field(&*field),
                            }
                        }
                    };
                    written.expect(IN_MEMORY);
                }
                out.write_record(None::<&[u8]>).expect(IN_MEMORY);
            }
            #[cfg(feature = "arrow")]
            Output::Batches(batches) => batches.push(row),
        }
    }

    /// About the number of bytes of the rows so far.
    pub(super) fn len(&self) -> usize {
        match self {
            Output::JsonLines { out, .. } => out.len(),
            Output::Csv { out, .. } => out.get_ref().len(),
            #[cfg(feature = "arrow")]
            Output::Batches(batches) => batches.batches.len() * BATCH + batches.builder.bytes(),
        }
    }

    /// Returns the lines; for record batches none.
    pub(super) fn lines(&mut self) -> Vec<u8> {
        match self {
            Output::JsonLines { out, .. } => std::mem::take(out),
            Output::Csv { out, .. } => {
                let empty = Box::new(csv::Writer::from_writer(Vec::new()));
                std::mem::replace(out, empty).into_inner().expect(IN_MEMORY)
            }
            #[cfg(feature = "arrow")]
            Output::Batches(_) => Vec::new(),
        }
    }

    /// Returns the record batches.
    #[cfg(feature = "arrow")]
    pub(super) fn batches(self) -> Vec<Batch> {
        match self {
            Output::Batches(batches) => batches.finish(),
            _ => Vec::new(),
        }
    }
}

#[cfg(feature = "arrow")]
impl Batches {
    fn push(&mut self, row: &Row<'_>) {
        match self.builder.push(row) {
            Err(error) => self.batches.push(Err(error)),
            Ok(()) if self.builder.bytes() >= BATCH => self.end_batch(),
            Ok(()) => {}
        }
    }

    fn end_batch(&mut self) {
        let batch = self.builder.finish();
        self.batches.push(batch);
    }

    fn finish(mut self) -> Vec<Batch> {
        if self.builder.rows() > 0 {
            self.end_batch();
        }
        self.batches
    }
}

/// Writes a row as an object of JSON. What is null is missing.
fn write_json(out: &mut Vec<u8>, keys: &[Vec<u8>], row: &Row<'_>, file: &Name) {
    let start = out.len();
    for (number, (column, key)) in row.columns().iter().zip(keys).enumerate() {
        let cell = row.cell(number);
        if !cell.is_null() {
            out.extend_from_slice(key);
            write_cell(out, &cell);
        }
        if column.name() == "file"
            && let Some(base64) = file.base64()
        {
            out.extend_from_slice(b",\"path_base64\":");
            write_value(out, &base64);
        }
    }
    match out.get_mut(start) {
        Some(comma) => *comma = b'{',
        None => out.push(b'{'),
    }
    out.push(b'}');
}

/// The key of a column. (The names of columns need no escapes.)
fn key(name: &str) -> Vec<u8> {
    format!(",\"{name}\":").into_bytes()
}

fn write_value(out: &mut Vec<u8>, value: &(impl Serialize + ?Sized)) {
    json::write(out, value).expect(IN_MEMORY);
}

fn write_cell(out: &mut Vec<u8>, cell: &Cell<'_>) {
    match cell {
        Cell::Null => write_value(out, &()),
        Cell::Text(text) => json::write_str(out, text),
        Cell::Integer(number) => write_value(out, number),
        Cell::Decimal(hundredths) => write_value(out, &(f64::from(*hundredths) / 100.0)),
        Cell::Real(number) => write_value(out, number),
        Cell::Dates(days) => write_value(out, &days.iter().map(|&day| Cell::Date(day).to_string()).collect::<Vec<_>>()),
        Cell::Raw(values) => {
            let texts = values.iter().map(|value| String::from_utf8_lossy(value.as_bytes()));
            write_value(out, &texts.collect::<Vec<_>>());
        }
        Cell::Moves(line, _) => {
            let start = out.len();
            line.each_written(|color, point| {
                let letter = color.as_str().as_bytes()[0];
                match *point.as_bytes() {
                    [x, y] if x.is_ascii_alphanumeric() && y.is_ascii_alphanumeric() => {
                        out.extend_from_slice(&[b',', b'[', b'"', letter, b'"', b',', b'"', x, y, b'"', b']']);
                    }
                    _ => {
                        out.extend_from_slice(&[b',', b'[', b'"', letter, b'"', b',']);
                        write_value(out, &String::from_utf8_lossy(point.as_bytes()));
                        out.push(b']');
                    }
                }
            });
            match out.get_mut(start) {
                Some(comma) => *comma = b'[',
                None => out.push(b'['),
            }
            out.push(b']');
        }
        Cell::Property(value) => match value {
            PropertyValue::Number(number) => write_value(out, number),
            PropertyValue::Real(number) => write_value(out, number),
            PropertyValue::Size(columns, rows) => write_value(out, &(columns, rows)),
            PropertyValue::Text(text) => json::write_str(out, text),
            PropertyValue::List(list) | PropertyValue::Points(list) => write_value(out, list),
            other => write_value(out, &other.to_string()),
        },
        other => write_value(out, &other.to_string()),
    }
}
