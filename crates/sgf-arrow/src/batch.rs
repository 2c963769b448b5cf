//! Record batches: builders of columns, from cells.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::builder::{
    ArrayBuilder, BinaryBuilder, Date32Builder, Decimal128Builder, FixedSizeBinaryBuilder, Float64Builder,
    Int32Builder, Int64Builder, ListBuilder, StringBuilder, StringDictionaryBuilder, UInt16Builder,
};
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};

use sgf_table::{Cell, Column, ColumnType, Row, SCHEMA_VERSION, Table};

/// Digits of a decimal, and digits after the point.
const DECIMAL: (u8, i8) = (6, 2);

/// Returns the schema of a table, with or without dictionaries.
pub(super) fn schema(table: Table, columns: &[Column], dictionaries: bool) -> SchemaRef {
    let fields: Vec<Field> = columns.iter().map(|column| field(column, dictionaries)).collect();
    let metadata = [
        ("sgf.table", table.name().to_owned()),
        ("sgf.schema_version", SCHEMA_VERSION.to_string()),
        ("sgf.crate_version", env!("CARGO_PKG_VERSION").to_owned()),
    ];
    let metadata: HashMap<String, String> = metadata.map(|(key, value)| (key.to_owned(), value)).into();
    Arc::new(Schema::new_with_metadata(fields, metadata))
}

fn field(column: &Column, dictionaries: bool) -> Field {
    let column_type = match column.column_type() {
        ColumnType::Category if !dictionaries => ColumnType::Text,
        column_type => column_type,
    };
    Field::new(column.name(), data_type(column_type), true)
}

/// Returns the Arrow type of a column.
///
/// ```
/// use arrow_schema::DataType;
/// use sgf_table::ColumnType;
///
/// assert_eq!(sgf_arrow::data_type(ColumnType::Decimal), DataType::Decimal128(6, 2));
/// ```
pub fn data_type(column: ColumnType) -> DataType {
    let list = |item| DataType::List(Arc::new(Field::new_list_field(item, true)));
    match column {
        ColumnType::Category => DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8)),
        ColumnType::Integer => DataType::Int32,
        ColumnType::Offset => DataType::Int64,
        ColumnType::Decimal => DataType::Decimal128(DECIMAL.0, DECIMAL.1),
        ColumnType::Real => DataType::Float64,
        ColumnType::Date => DataType::Date32,
        ColumnType::Dates => list(DataType::Date32),
        ColumnType::Moves => list(DataType::UInt16),
        ColumnType::Hash(len) => DataType::FixedSizeBinary(len.into()),
        ColumnType::Raw => list(DataType::Binary),
        // Every cell can be written as text, so a type that is newer than this package is that.
        _ => DataType::Utf8,
    }
}

/// The builder of a column.
enum Builder {
    Text(StringBuilder),
    Word(StringDictionaryBuilder<Int32Type>),
    Integer(Int32Builder),
    Offset(Int64Builder),
    Decimal(Decimal128Builder),
    Real(Float64Builder),
    Date(Date32Builder),
    Dates(ListBuilder<Date32Builder>),
    Moves(ListBuilder<UInt16Builder>),
    Hash(FixedSizeBinaryBuilder),
    Raw(ListBuilder<BinaryBuilder>),
}

impl Builder {
    fn new(column: ColumnType) -> Self {
        match column {
            ColumnType::Category => Builder::Word(StringDictionaryBuilder::new()),
            ColumnType::Integer => Builder::Integer(Int32Builder::new()),
            ColumnType::Offset => Builder::Offset(Int64Builder::new()),
            ColumnType::Decimal => {
                Builder::Decimal(Decimal128Builder::new().with_data_type(data_type(ColumnType::Decimal)))
            }
            ColumnType::Real => Builder::Real(Float64Builder::new()),
            ColumnType::Date => Builder::Date(Date32Builder::new()),
            ColumnType::Dates => Builder::Dates(ListBuilder::new(Date32Builder::new())),
            ColumnType::Moves => Builder::Moves(ListBuilder::new(UInt16Builder::new())),
            ColumnType::Hash(len) => Builder::Hash(FixedSizeBinaryBuilder::new(len.into())),
            ColumnType::Raw => Builder::Raw(ListBuilder::new(BinaryBuilder::new())),
            _ => Builder::Text(StringBuilder::new()),
        }
    }

    /// Adds a cell. Returns its approximate size in bytes.
    #[inline]
    fn push(&mut self, cell: &Cell<'_>, codes: &mut Vec<u16>) -> Result<usize, ArrowError> {
        match self {
            Builder::Text(text) => match cell {
                Cell::Null => text.append_null(),
                Cell::Text(content) => {
                    text.append_value(content);
                    return Ok(content.len());
                }
                other => {
                    let content = other.to_string();
                    text.append_value(&content);
                    return Ok(content.len());
                }
            },
            Builder::Word(words) => match cell {
                Cell::Text(word) => {
                    words.append(word)?;
                    return Ok(word.len());
                }
                _ => words.append_null(),
            },
            Builder::Integer(numbers) => numbers.append_option(match cell {
                Cell::Integer(number) => i32::try_from(*number).ok(),
                _ => None,
            }),
            Builder::Offset(numbers) => numbers.append_option(match cell {
                Cell::Integer(number) => Some(*number),
                _ => None,
            }),
            Builder::Decimal(numbers) => numbers.append_option(match cell {
                Cell::Decimal(hundredths) => Some(i128::from(*hundredths)),
                _ => None,
            }),
            Builder::Real(numbers) => numbers.append_option(match cell {
                Cell::Real(number) => Some(*number),
                _ => None,
            }),
            Builder::Date(days) => days.append_option(match cell {
                Cell::Date(day) => Some(*day),
                _ => None,
            }),
            Builder::Dates(lists) => match cell {
                Cell::Dates(days) => {
                    lists.values().append_slice(days);
                    lists.append(true);
                    return Ok(4 * days.len());
                }
                _ => lists.append(false),
            },
            Builder::Moves(lists) => match cell {
                Cell::Moves(line) if line.codes(codes) => {
                    lists.values().append_slice(codes);
                    lists.append(true);
                    return Ok(2 * codes.len());
                }
                _ => lists.append(false),
            },
            Builder::Hash(hashes) => match cell {
                Cell::Hash(hash) => hashes.append_value(hash)?,
                _ => hashes.append_null(),
            },
            Builder::Raw(lists) => match cell {
                Cell::Raw(values) => {
                    values.iter().for_each(|value| lists.values().append_value(value.as_bytes()));
                    lists.append(true);
                    return Ok(values.iter().map(|value| value.as_bytes().len()).sum());
                }
                _ => lists.append(false),
            },
        }
        Ok(0)
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Builder::Text(builder) => ArrayBuilder::finish(builder),
            Builder::Word(builder) => ArrayBuilder::finish(builder),
            Builder::Integer(builder) => ArrayBuilder::finish(builder),
            Builder::Offset(builder) => ArrayBuilder::finish(builder),
            Builder::Decimal(builder) => ArrayBuilder::finish(builder),
            Builder::Real(builder) => ArrayBuilder::finish(builder),
            Builder::Date(builder) => ArrayBuilder::finish(builder),
            Builder::Dates(builder) => ArrayBuilder::finish(builder),
            Builder::Moves(builder) => ArrayBuilder::finish(builder),
            Builder::Hash(builder) => ArrayBuilder::finish(builder),
            Builder::Raw(builder) => ArrayBuilder::finish(builder),
        }
    }
}

/// Approximate size of a row, besides the content of its cells.
const ROW: usize = 64;

/// A builder that collects rows into a record batch.
pub struct BatchBuilder {
    schema: SchemaRef,
    builders: Vec<Builder>,
    codes: Vec<u16>,
    rows: usize,
    bytes: usize,
}

impl BatchBuilder {
    pub(super) fn new(schema: SchemaRef, columns: &[Column]) -> Self {
        let builder = |(column, field): (&Column, &Arc<Field>)| match field.data_type() {
            DataType::Utf8 => Builder::Text(StringBuilder::new()),
            _ => Builder::new(column.column_type()),
        };
        let builders = columns.iter().zip(schema.fields()).map(builder).collect();
        BatchBuilder { schema, builders, codes: Vec::new(), rows: 0, bytes: 0 }
    }

    /// Adds a row of the same table.
    ///
    /// # Errors
    ///
    /// Fails if a batch would become too large for the types of its columns.
    pub fn push(&mut self, row: &Row<'_>) -> Result<(), ArrowError> {
        self.push_cells(|column| row.cell(column))
    }

    /// Adds a row of cells.
    ///
    /// The function returns the cell of a column, and gets the number of the column, from 0.
    ///
    /// # Errors
    ///
    /// Fails if a batch would become too large for the types of its columns.
    pub fn push_cells<'c>(&mut self, cell: impl Fn(usize) -> Cell<'c>) -> Result<(), ArrowError> {
        for (column, builder) in self.builders.iter_mut().enumerate() {
            self.bytes += builder.push(&cell(column), &mut self.codes)?;
        }
        self.rows += 1;
        self.bytes += ROW;
        Ok(())
    }

    /// Returns the number of rows since the last batch.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the approximate number of bytes since the last batch.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Creates a batch of the rows since the last one.
    ///
    /// # Errors
    ///
    /// Fails if the columns do not fit the schema, which would be a bug.
    pub fn finish(&mut self) -> Result<RecordBatch, ArrowError> {
        let arrays = self.builders.iter_mut().map(Builder::finish).collect();
        let options = RecordBatchOptions::new().with_row_count(Some(self.rows));
        (self.rows, self.bytes) = (0, 0);
        RecordBatch::try_new_with_options(Arc::clone(&self.schema), arrays, &options)
    }
}

impl std::fmt::Debug for BatchBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BatchBuilder").field("rows", &self.rows).field("bytes", &self.bytes).finish_non_exhaustive()
    }
}
