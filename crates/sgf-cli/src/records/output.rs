//! Rows as lines of JSON or CSV, or as record batches.

use std::mem;
#[cfg(feature = "arrow")]
use std::sync::Arc;

#[cfg(feature = "arrow")]
use arrow_array::{Array, Int64Array, RecordBatch};
use serde::Serialize;
#[cfg(feature = "arrow")]
use sgf_arrow::{ArrowTable, BatchBuilder};
use sgf_table::{Cell, PropertyValue, Row, TableBuilder};

use super::Format;
use crate::input::Name;
use crate::json;
use crate::numbers::{NextGame, Numbers};
use crate::visible::Visible;

/// The reason why writing cannot fail.
const IN_MEMORY: &str = "writing to memory does not fail";

/// Rows in memory, formatted.
pub(super) enum Output {
    JsonLines {
        out: Vec<u8>,
        numbers: Numbers,
        keys: Vec<Key>,
    },
    /// CSV, with the field that is being written.
    Csv {
        out: Box<csv::Writer<Vec<u8>>>,
        numbers: Numbers,
        field: String,
        shows: bool,
    },
    /// Rows of Arrow and Parquet.
    #[cfg(feature = "arrow")]
    Batches(Box<Batches>),
}

/// The key of a column of JSON.
pub(super) struct Key {
    /// As in `{"first":1,"second":2}`, with a comma.
    text: Vec<u8>,
    /// Whether it is the column of the file, or of the number of the game.
    is_file: bool,
    is_game: bool,
}

/// Record batches, and what went wrong.
#[cfg(feature = "arrow")]
pub(super) struct Batches {
    builder: BatchBuilder,
    batches: Vec<Batch>,
    /// Number of rows at the start whose games count from the start of the result.
    of_result: usize,
}

/// The column with the number of the game.
const GAME: &str = "game";

#[cfg(feature = "arrow")]
pub(super) type Batch = Result<RecordBatch, arrow_schema::ArrowError>;

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
                let keys = table.column_list().iter().map(|column| Key::new(column.name())).collect();
                Output::JsonLines { out: buffer, numbers: Numbers::default(), keys }
            }
            Format::Csv => {
                let out = Box::new(csv::Writer::from_writer(buffer));
                Output::Csv { out, numbers: Numbers::default(), field: String::new(), shows }
            }
            #[cfg(feature = "arrow")]
            Format::Arrow | Format::Parquet => {
                let builder = ArrowTable::new(table.clone()).batch_builder();
                Output::Batches(Box::new(Batches { builder, batches: Vec::new(), of_result: 0 }))
            }
            #[cfg(not(feature = "arrow"))]
            Format::Arrow | Format::Parquet => {
                let _ = table;
                Output::JsonLines { out: Vec::new(), numbers: Numbers::default(), keys: Vec::new() }
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

    pub(super) fn write(&mut self, row: &Row<'_>, file: &Name, game: NextGame) {
        match self {
            Output::JsonLines { out, numbers, keys } => {
                write_json(out, numbers, keys, row, file, game);
                out.push(b'\n');
            }
            Output::Csv { out, numbers, field, shows } => {
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
                    if row.columns()[column].name() == GAME
                        && let Some(number) = game.of_result()
                    {
                        out.flush().expect(IN_MEMORY);
                        let end = out.get_ref().len();
                        numbers.note(end - field.len()..end, number);
                    }
                }
                out.write_record(None::<&[u8]>).expect(IN_MEMORY);
            }
            #[cfg(feature = "arrow")]
            Output::Batches(batches) => batches.push(row, game),
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

    /// Returns the lines, with the numbers in them that count from their start; for record batches none.
    pub(super) fn lines(&mut self) -> (Vec<u8>, Numbers) {
        match self {
            Output::JsonLines { out, numbers, .. } => (mem::take(out), mem::take(numbers)),
            Output::Csv { out, numbers, .. } => {
                let empty = Box::new(csv::Writer::from_writer(Vec::new()));
                (mem::replace(out, empty).into_inner().expect(IN_MEMORY), mem::take(numbers))
            }
            #[cfg(feature = "arrow")]
            Output::Batches(_) => Default::default(),
        }
    }

    /// Returns the record batches. `before` games of their file come before them.
    #[cfg(feature = "arrow")]
    pub(super) fn batches(self, before: u64) -> Vec<Batch> {
        match self {
            Output::Batches(batches) => batches.finish(before),
            _ => Vec::new(),
        }
    }
}

#[cfg(feature = "arrow")]
impl Batches {
    fn push(&mut self, row: &Row<'_>, game: NextGame) {
        self.of_result += usize::from(game.of_result().is_some());
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

    fn finish(mut self, before: u64) -> Vec<Batch> {
        if self.builder.rows() > 0 {
            self.end_batch();
        }
        if before > 0 {
            for batch in &mut self.batches {
                let Ok(rows) = batch else { continue };
                let of_result = self.of_result.min(rows.num_rows());
                self.of_result -= of_result;
                *batch = raised(rows, of_result, before);
            }
        }
        self.batches
    }
}

/// Adds the number of games before it to the number of the game in each of the first rows.
#[cfg(feature = "arrow")]
fn raised(batch: &RecordBatch, rows: usize, before: u64) -> Batch {
    let raise = |(row, number): (usize, Option<i64>)| match row < rows {
        true => number.map(|number| number.saturating_add_unsigned(before)),
        false => number,
    };
    let (schema, mut columns) = (batch.schema(), batch.columns().to_vec());
    for (column, field) in columns.iter_mut().zip(schema.fields()) {
        if field.name() == GAME
            && let Some(numbers) = column.as_any().downcast_ref::<Int64Array>()
        {
            *column = Arc::new(numbers.iter().enumerate().map(raise).collect::<Int64Array>());
        }
    }
    RecordBatch::try_new(schema, columns)
}

/// Writes a row as an object of JSON. What is null is missing.
fn write_json(out: &mut Vec<u8>, numbers: &mut Numbers, keys: &[Key], row: &Row<'_>, file: &Name, game: NextGame) {
    let start = out.len();
    for (column, key) in keys.iter().enumerate() {
        let cell = row.cell(column);
        if !cell.is_null() {
            out.extend_from_slice(&key.text);
            let start = out.len();
            write_cell(out, &cell);
            if key.is_game
                && let Some(number) = game.of_result()
            {
                numbers.note(start..out.len(), number);
            }
        }
        if key.is_file
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

impl Key {
    /// The key of a column. (The names of columns need no escapes.)
    fn new(column: &str) -> Key {
        let text = [b",\"", column.as_bytes(), b"\":"].concat();
        Key { text, is_file: column == "file", is_game: column == GAME }
    }
}

fn write_value(out: &mut Vec<u8>, value: &(impl Serialize + ?Sized)) {
    json::write(out, value).expect(IN_MEMORY);
}

/// Writes a cell as a value of JSON.
pub(crate) fn write_cell(out: &mut Vec<u8>, cell: &Cell<'_>) {
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
        Cell::Moves(line) => {
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
            PropertyValue::Text(text) => json::write_str(out, text),
            PropertyValue::List(list) | PropertyValue::Points(list) => write_value(out, list),
            other => write_value(out, &other.to_string()),
        },
        other => write_value(out, &other.to_string()),
    }
}
