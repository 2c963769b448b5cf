//! Rows as lines of JSON or CSV, or as record batches.

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
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
    JsonLines(Vec<u8>),
    /// CSV, with the field that is being written.
    Csv {
        out: Box<csv::Writer<Vec<u8>>>,
        field: String,
        shows: bool,
    },
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
const BATCH: usize = 8 << 20;

impl Output {
    /// With `shows`, for a terminal, hidden characters are escaped even if the format has no escapes for them.
    pub(super) fn new(format: Format, table: &TableBuilder, shows: bool) -> Self {
        match format {
            Format::Jsonl => Output::JsonLines(Vec::new()),
            Format::Csv => {
                Output::Csv { out: Box::new(csv::Writer::from_writer(Vec::new())), field: String::new(), shows }
            }
            #[cfg(feature = "arrow")]
            Format::Arrow | Format::Parquet => {
                Output::Batches(Box::new(Batches { builder: table.batch_builder(), batches: Vec::new() }))
            }
            #[cfg(not(feature = "arrow"))]
            Format::Arrow | Format::Parquet => {
                let _ = table;
                Output::JsonLines(Vec::new())
            }
        }
    }

    /// Returns the lines before all rows.
    pub(super) fn head(format: Format, table: &TableBuilder) -> Vec<u8> {
        match Output::new(format, table, false) {
            Output::Csv { mut out, .. } => {
                out.write_record(table.column_list().iter().map(|column| column.name())).expect(IN_MEMORY);
                out.into_inner().expect(IN_MEMORY)
            }
            _ => Vec::new(),
        }
    }

    pub(super) fn write(&mut self, row: &Row<'_>, file: &Name) {
        match self {
            Output::JsonLines(out) => {
                json::write(&mut *out, &JsonRow { row, file }).expect(IN_MEMORY);
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

    /// Returns the lines; for record batches none.
    pub(super) fn lines(&mut self) -> Vec<u8> {
        match self {
            Output::JsonLines(out) => std::mem::take(out),
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

/// A row as an object of JSON. What is null is missing.
struct JsonRow<'a> {
    row: &'a Row<'a>,
    file: &'a Name,
}

impl Serialize for JsonRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        for (number, column) in self.row.columns().iter().enumerate() {
            let cell = self.row.cell(number);
            if !cell.is_null() {
                object.serialize_entry(column.name(), &Json(&cell))?;
            }
            if column.name() == "file"
                && let Some(base64) = self.file.base64()
            {
                object.serialize_entry("path_base64", &base64)?;
            }
        }
        object.end()
    }
}

struct Json<'a>(&'a Cell<'a>);

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Cell::Null => serializer.serialize_none(),
            Cell::Text(text) => serializer.serialize_str(text),
            Cell::Integer(number) => serializer.serialize_i64(*number),
            Cell::Decimal(hundredths) => serializer.serialize_f64(f64::from(*hundredths) / 100.0),
            Cell::Real(number) => serializer.serialize_f64(*number),
            Cell::Dates(days) => serializer.collect_seq(days.iter().map(|&day| Cell::Date(day).to_string())),
            Cell::Raw(values) => {
                serializer.collect_seq(values.iter().map(|value| String::from_utf8_lossy(value.as_bytes())))
            }
            Cell::Moves(line, _) => {
                let mut list = serializer.serialize_seq(Some(line.len()))?;
                let mut result = Ok(());
                line.each_written(|color, point| {
                    if result.is_ok() {
                        let point = String::from_utf8_lossy(point.as_bytes());
                        result = list.serialize_element(&(color.as_str(), point));
                    }
                });
                result?;
                list.end()
            }
            Cell::Property(value) => match value {
                PropertyValue::Number(number) => serializer.serialize_i64(*number),
                PropertyValue::Real(number) => serializer.serialize_f64(*number),
                PropertyValue::Size(columns, rows) => (columns, rows).serialize(serializer),
                PropertyValue::Text(text) => serializer.serialize_str(text),
                PropertyValue::List(list) | PropertyValue::Points(list) => list.serialize(serializer),
                other => serializer.collect_str(other),
            },
            other => serializer.collect_str(other),
        }
    }
}
