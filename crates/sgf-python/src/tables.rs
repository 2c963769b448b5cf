//! Tables of games, moves and properties, as Arrow streams.

use std::io::{self, Read};
use std::ops::ControlFlow;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use arrow_select::concat::concat_batches;
use pyo3::exceptions::{PyRuntimeError, PyStopIteration, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use pyo3_arrow::{PyRecordBatch, PyRecordBatchReader, PySchema, PyTable};
use sgf_arrow::ArrowTable;
use sgf_input::{Outputs, column_hint, near};
use sgf_stream::Parser;
use sgf_table::{Column, ColumnError, Table, TableBuilder};

use crate::error::{io_error, value_error};
use crate::sources::{Sources, Stream};

/// Number of rows from which the batches of small files are passed on together.
pub(crate) const ROWS: usize = 1024;

/// A stream of record batches, read once.
///
/// Every library that knows the Arrow PyCapsule interface takes it without a copy: `pyarrow.table(reader)`,
/// `polars.DataFrame(reader)`, `duckdb.from_arrow(reader)`. It is also an iterator of record batches.
#[pyclass(module = "sgf_stream", frozen)]
pub(crate) struct Reader {
    schema: SchemaRef,
    shared: Arc<Shared>,
}

/// The state that a reader shares with the stream that it gave away.
struct Shared(Mutex<State>);

/// The batches that are left.
enum Batched {
    Stream(Stream<RecordBatch>),
    Sent(Sent),
}

/// A receiver of batches. It returns false if it needs no more.
pub(crate) type Sending<'s> = dyn FnMut(RecordBatch) -> bool + Send + 's;

/// The batches of a thread that searches while they are read.
pub(crate) struct Sent {
    /// The batch that has been received already.
    ready: Option<RecordBatch>,
    /// `None` is the end. Without it, the thread has panicked.
    rest: Receiver<PyResult<Option<RecordBatch>>>,
}

impl Sent {
    /// Starts a thread, and waits for its first batch or its error. `None` if it has no batch.
    pub(crate) fn start<F>(py: Python<'_>, work: F) -> PyResult<Option<Self>>
    where
        F: FnOnce(&mut Sending<'_>) -> PyResult<()> + Send + 'static,
    {
        let (sender, rest) = mpsc::sync_channel(1);
        thread::Builder::new().spawn(move || {
            let done = work(&mut |batch| sender.send(Ok(Some(batch))).is_ok());
            _ = sender.send(done.map(|()| None));
        })?;
        let mut sent = Sent { ready: None, rest };
        sent.ready = sent.next(py)?;
        Ok(sent.ready.is_some().then_some(sent))
    }

    /// Waits for the next batch.
    fn next(&mut self, py: Python<'_>) -> PyResult<Option<RecordBatch>> {
        if let Some(ready) = self.ready.take() {
            return Ok(Some(ready));
        }
        loop {
            let rest = &mut self.rest;
            let received = py.detach(move || rest.recv_timeout(Duration::from_millis(50)));
            py.check_signals()?;
            match received {
                Ok(batch) => return batch,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(PyRuntimeError::new_err("the search failed")),
            }
        }
    }
}

struct State {
    /// `None` once it has been read to its end.
    batched: Option<Batched>,
    limit: Option<usize>,
    rows: usize,
    bytes: u64,
    errors: Vec<PyErr>,
    is_given_away: bool,
}

impl Reader {
    /// Creates a reader of at most `limit` rows.
    pub(crate) fn new(schema: SchemaRef, stream: Stream<RecordBatch>, limit: Option<usize>) -> Self {
        Reader::of(schema, Some(Batched::Stream(stream)).filter(|_| limit != Some(0)), limit)
    }

    /// Creates a reader of at most `limit` rows that a thread sends, if there are any.
    pub(crate) fn of_sent(schema: SchemaRef, sent: Option<Sent>, limit: Option<usize>) -> Self {
        Reader::of(schema, sent.map(Batched::Sent).filter(|_| limit != Some(0)), limit)
    }

    fn of(schema: SchemaRef, batched: Option<Batched>, limit: Option<usize>) -> Self {
        let state = State { batched, limit, rows: 0, bytes: 0, errors: Vec::new(), is_given_away: false };
        Reader { schema, shared: Arc::new(Shared(Mutex::new(state))) }
    }

    /// Takes the stream, for a consumer that reads all of it.
    fn give_away(&self) -> PyResult<PyRecordBatchReader> {
        let mut state = self.shared.lock();
        if std::mem::replace(&mut state.is_given_away, true) {
            return Err(PyValueError::new_err("the reader has been read already; call the function again"));
        }
        let batches = Batches { schema: Arc::clone(&self.schema), shared: Arc::clone(&self.shared) };
        Ok(PyRecordBatchReader::new(Box::new(batches)))
    }

    /// Reads all batches.
    fn collect(&self, py: Python<'_>) -> PyResult<PyTable> {
        self.give_away()?;
        let mut batches = Vec::new();
        while let Some(batch) = self.shared.next(py)? {
            batches.push(batch);
        }
        PyTable::try_new(batches, Arc::clone(&self.schema))
    }
}

impl Shared {
    /// Returns the next batch: that of a large file, or those of many small ones together.
    fn next(&self, py: Python<'_>) -> PyResult<Option<RecordBatch>> {
        // The lock is not held while Python code runs in this thread, which may call the reader again.
        let taken = py.detach(|| self.lock().batched.take());
        let mut batches = match taken {
            None => return Ok(None),
            Some(Batched::Sent(mut sent)) => match sent.next(py)? {
                None => return Ok(None),
                Some(batch) => {
                    self.lock().batched = Some(Batched::Sent(sent));
                    vec![batch]
                }
            },
            Some(Batched::Stream(mut stream)) => {
                let mut batches = Vec::new();
                let read = self.gather(py, &mut stream, &mut batches);
                let mut state = self.lock();
                (state.bytes, state.errors) = (stream.bytes_read(), stream.errors(py));
                if read? {
                    state.batched = Some(Batched::Stream(stream));
                }
                batches
            }
        };
        let batch = match batches.len() {
            0 => return Ok(None),
            1 => batches.swap_remove(0),
            _ => concat_batches(&batches[0].schema(), &batches).map_err(value_error)?,
        };
        let mut state = self.lock();
        let batch = batch.slice(0, batch.num_rows().min(state.left()));
        state.rows += batch.num_rows();
        // With the last row, the stream is dropped, and the threads end.
        if state.left() == 0 {
            state.batched = None;
        }
        Ok(Some(batch))
    }

    /// Takes batches until there are enough rows. Returns whether more may follow.
    fn gather(
        &self,
        py: Python<'_>,
        stream: &mut Stream<RecordBatch>,
        batches: &mut Vec<RecordBatch>,
    ) -> PyResult<bool> {
        let (enough, mut rows) = (self.lock().left().min(ROWS), 0);
        while rows < enough {
            let Some(item) = stream.next(py)? else { return Ok(false) };
            rows += item.value.num_rows();
            batches.push(item.value);
        }
        Ok(true)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Returns the number of rows that may still be read.
    fn left(&self) -> usize {
        self.limit.map_or(usize::MAX, |limit| limit - self.rows)
    }
}

/// The batches of a reader, for a consumer outside of Python.
struct Batches {
    schema: SchemaRef,
    shared: Arc<Shared>,
}

impl Iterator for Batches {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        Python::attach(|py| self.shared.next(py))
            .map_err(|error| ArrowError::ExternalError(Box::new(error)))
            .transpose()
    }
}

impl RecordBatchReader for Batches {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

#[pymethods]
impl Reader {
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        schema_capsule(py, &self.schema)
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        Bound::new(py, self.give_away()?)?.call_method1("__arrow_c_stream__", (requested_schema,))
    }

    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Rows> {
        self.shared.next(py)?.map(Rows).ok_or_else(|| PyStopIteration::new_err(()))
    }

    /// The names of the columns. Their types: `pyarrow.schema(reader)`.
    #[getter]
    fn columns(&self) -> Vec<String> {
        names(&self.schema)
    }

    /// The number of rows that have been read.
    #[getter]
    fn rows_read(&self) -> usize {
        self.shared.lock().rows
    }

    /// The number of bytes that have been read from disk.
    #[getter]
    fn bytes_read(&self) -> u64 {
        self.shared.lock().bytes
    }

    /// The exceptions of files without a game, and, with `on_error="skip"`, of files that could not be read.
    #[getter]
    fn errors(&self, py: Python<'_>) -> Vec<PyErr> {
        let state = self.shared.lock();
        state.errors.iter().map(|error| error.clone_ref(py)).collect()
    }

    /// Read all rows as a `pyarrow.Table`.
    fn to_pyarrow<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.collect(py)?.into_pyarrow(py)
    }

    /// Read all rows as a `polars.DataFrame`.
    fn to_polars<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("polars")?.getattr("DataFrame")?.call1((self.collect(py)?,))
    }

    /// Read all rows as a `pandas.DataFrame`.
    fn to_pandas<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.to_pyarrow(py)?.call_method0("to_pandas")
    }

    fn __repr__(&self) -> String {
        format!("<sgf_stream.Reader: {} columns, {} rows read>", self.schema.fields().len(), self.rows_read())
    }
}

fn names(schema: &SchemaRef) -> Vec<String> {
    schema.fields().iter().map(|field| field.name().clone()).collect()
}

/// Returns a schema as Arrow's C interface has it.
fn schema_capsule<'py>(py: Python<'py>, schema: &SchemaRef) -> PyResult<Bound<'py, PyAny>> {
    Bound::new(py, PySchema::new(Arc::clone(schema)))?.call_method0("__arrow_c_schema__")
}

/// Some rows of a table: a record batch of Arrow.
///
/// Every library that knows the Arrow PyCapsule interface takes it without a copy: `pyarrow.record_batch(rows)`,
/// `polars.DataFrame(rows)`.
#[pyclass(name = "RecordBatch", module = "sgf_stream", frozen)]
pub(crate) struct Rows(RecordBatch);

#[pymethods]
impl Rows {
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        schema_capsule(py, &self.0.schema())
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        Bound::new(py, PyRecordBatch::new(self.0.clone()))?.call_method1("__arrow_c_array__", (requested_schema,))
    }

    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        names(&self.0.schema())
    }

    /// The number of rows.
    #[getter]
    fn num_rows(&self) -> usize {
        self.0.num_rows()
    }

    fn __repr__(&self) -> String {
        format!("<sgf_stream.RecordBatch: {} rows of {} columns>", self.0.num_rows(), self.0.num_columns())
    }
}

fn table_of(name: &str) -> PyResult<Table> {
    let tables = [Table::Games, Table::Moves, Table::Properties];
    tables.into_iter().find(|table| table.name() == name).ok_or_else(|| {
        let names = tables.map(Table::name);
        PyValueError::new_err(format!("unknown table '{name}'{} ({})", near::hint(name, names), names.join(", ")))
    })
}

/// Returns a table with columns: all, if none are named.
pub(crate) fn builder(parser: &Parser, name: &str, columns: Option<Vec<String>>) -> PyResult<TableBuilder> {
    let table = table_of(name)?;
    let all = || Column::all(table).iter().map(|column| column.name().to_owned()).collect();
    let names: Vec<String> = columns.unwrap_or_else(all);
    TableBuilder::new(parser, table).columns(names).map_err(|error| match error {
        ColumnError::Unknown { name, table: kind, .. } => {
            let hint = column_hint(&name, table);
            let end = if hint.ends_with('?') { " " } else { "; " };
            PyValueError::new_err(format!(
                "unknown column '{name}' of '{kind}'{hint}{end}sgf_stream.columns() lists all"
            ))
        }
        error => PyValueError::new_err(error.to_string()),
    })
}

/// Converts an error of a table, for the threads that read files.
fn arrow_error(error: ArrowError) -> io::Error {
    match error {
        ArrowError::ExternalError(error) => match error.downcast() {
            Ok(error) => io_error(*error),
            Err(error) => io::Error::other(error),
        },
        error => io::Error::other(error),
    }
}

/// Sends batches to the caller.
fn send(
    batches: impl Iterator<Item = Result<RecordBatch, ArrowError>>,
    out: &mut Outputs<'_, RecordBatch>,
) -> io::Result<()> {
    for batch in batches {
        if let ControlFlow::Break(()) = out.send(batch.map_err(arrow_error)?) {
            break;
        }
    }
    Ok(())
}

/// Reads a table.
#[pyfunction]
pub(crate) fn read(
    sources: Sources,
    table: &str,
    columns: Option<Vec<String>>,
    limit: Option<usize>,
    batch_rows: usize,
    dictionaries: bool,
) -> PyResult<Reader> {
    let table = builder(&sources.parser(), table, columns)?;
    let arrow = move |table| ArrowTable::new(table).batch_rows(batch_rows).dictionaries(dictionaries);
    let schema = arrow(table.clone()).schema();
    let stream = sources.stream(move |mut input, out| {
        let table = arrow(table.with_parser(&input.parser).file(input.name.as_str()));
        let (head, is_large) = input.head()?;
        match is_large {
            false => send(table.slice(&head), out),
            true => {
                let pool = input.pool()?;
                send(table.par_reader_in(io::Cursor::new(head).chain(input.data), pool), out)
            }
        }
    });
    Ok(Reader::new(schema, stream, limit))
}

/// Returns the names, types and meanings of the columns of a table.
#[pyfunction]
pub(crate) fn columns(table: &str) -> PyResult<Vec<(String, &'static str, String)>> {
    let all = Column::all(table_of(table)?).into_iter();
    Ok(all.map(|column| (column.name().to_owned(), column.column_type().name(), column.meaning().to_owned())).collect())
}
