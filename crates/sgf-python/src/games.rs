//! An iterator over the games of many files: a few fields of each, and its tree on demand.

use std::sync::{Arc, Mutex, PoisonError};
use std::{
    io::{self, BufRead},
    vec,
};

use pyo3::exceptions::{PyAttributeError, PyStopIteration};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};
use sgf_input::Conditions;
use sgf_stream::Parser;
use sgf_stream::charset::Decoding;
use sgf_stream::parts::Part;
use sgf_stream::value::Color;
use sgf_table::{Cell, PropertyValue, Row, Rows};

use crate::error::{io_error, value_error};
use crate::sources::{Sources, Stream, conditions};
use crate::tables;
use crate::trees::{self, Tree};

/// Columns that each game has, before the wanted ones.
const KEYS: [&str; 3] = ["offset", "length", "error"];

/// A field of a game, without the buffers of its reader.
#[derive(Clone)]
enum Field {
    Null,
    Text(String),
    Integer(i64),
    Real(f64),
    Date(i32),
    Dates(Vec<i32>),
    Moves(Vec<(Color, String)>),
    Bytes(Vec<u8>),
    Raw(Vec<Vec<u8>>),
    List(Vec<String>),
}

impl From<Cell<'_>> for Field {
    fn from(cell: Cell<'_>) -> Self {
        match cell {
            Cell::Text(text) => Field::Text(text.into_owned()),
            Cell::Integer(number) => Field::Integer(number),
            Cell::Decimal(hundredths) => Field::Real(f64::from(hundredths) / 100.0),
            Cell::Real(number) => Field::Real(number),
            Cell::Date(day) => Field::Date(day),
            Cell::Dates(days) => Field::Dates(days),
            Cell::Hash(bytes) => Field::Bytes(bytes.into_owned()),
            Cell::Raw(values) => Field::Raw(values.iter().map(|raw| raw.as_bytes().to_vec()).collect()),
            Cell::Moves(line) => {
                let mut moves = Vec::with_capacity(line.len());
                line.each_written(|color, raw| {
                    moves.push((color, String::from_utf8_lossy(raw.as_bytes()).into_owned()))
                });
                Field::Moves(moves)
            }
            Cell::Property(value) => match value {
                PropertyValue::Number(number) => Field::Integer(number),
                PropertyValue::Real(number) => Field::Real(number),
                PropertyValue::Text(text) => Field::Text(text.into_owned()),
                PropertyValue::List(values) | PropertyValue::Points(values) => Field::List(values),
                _ => Field::Null,
            },
            _ => Field::Null,
        }
    }
}

impl Field {
    fn object<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        // The day 1970-01-01 has the ordinal 719163.
        let date = |day: i32| -> PyResult<Bound<'py, PyAny>> {
            py.import("datetime")?.getattr("date")?.call_method1("fromordinal", (i64::from(day) + 719_163,))
        };
        Ok(match self {
            Field::Null => py.None().into_bound(py),
            Field::Text(text) => PyString::new(py, text).into_any(),
            Field::Integer(number) => number.into_pyobject(py)?.into_any(),
            Field::Real(number) => number.into_pyobject(py)?.into_any(),
            Field::Date(day) => date(*day)?,
            Field::Dates(days) => {
                PyList::new(py, days.iter().map(|day| date(*day)).collect::<PyResult<Vec<_>>>()?)?.into_any()
            }
            Field::Moves(moves) => {
                let moves = moves.iter().map(|(color, point)| (if *color == Color::Black { "b" } else { "w" }, point));
                PyList::new(py, moves)?.into_any()
            }
            Field::Bytes(bytes) => PyBytes::new(py, bytes).into_any(),
            Field::Raw(values) => PyList::new(py, values.iter().map(|value| PyBytes::new(py, value)))?.into_any(),
            Field::List(values) => PyList::new(py, values)?.into_any(),
        })
    }
}

/// A game on its way to Python.
struct Read {
    number: u64,
    offset: u64,
    error: Option<String>,
    /// `None` if it is longer than the parser keeps in memory.
    data: Option<Vec<u8>>,
    fields: Vec<Field>,
    reading: Arc<Reading>,
}

/// How the games of an input are read.
struct Reading {
    parser: Parser,
    decoding: Decoding,
    /// The number of fields, which are the first columns after the keys.
    fields: usize,
}

/// A game of a file: the fields that were asked for, and the rest on demand.
#[pyclass(module = "sgf_stream", frozen)]
pub(crate) struct Game {
    #[pyo3(get)]
    file: Py<PyString>,
    names: Arc<Vec<String>>,
    read: Read,
}

impl Game {
    fn bytes(&self) -> PyResult<&[u8]> {
        let data = self.read.data.as_deref();
        data.ok_or_else(|| {
            value_error("the game is too long to be kept in memory; read its file with sgf_stream.parse")
        })
    }
}

#[pymethods]
impl Game {
    /// The number of the game in its file, from 0.
    #[getter]
    fn number(&self) -> u64 {
        self.read.number
    }

    /// The byte offset of the game in its file, after decompression.
    #[getter]
    fn offset(&self) -> u64 {
        self.read.offset
    }

    /// The rule of the error by which the game lost data; `None` if it is whole.
    #[getter]
    fn error(&self) -> Option<&str> {
        self.read.error.as_deref()
    }

    /// The bytes of the game.
    #[getter]
    fn data<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, self.bytes()?))
    }

    /// Read the game as a tree. What is broken is repaired.
    fn tree(&self, py: Python<'_>) -> PyResult<Tree> {
        let mut games = trees::read(py, self.bytes()?, self.read.reading.decoding, &sgf_input::limited(Parser::new()))?;
        Ok(games.swap_remove(0))
    }

    /// The fields as a dictionary.
    fn fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let fields = PyDict::new(py);
        for (name, field) in self.names.iter().zip(&self.read.fields) {
            fields.set_item(name, field.object(py)?)?;
        }
        Ok(fields)
    }

    fn __getattr__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        match self.names.iter().position(|known| known == name) {
            Some(at) => self.read.fields[at].object(py),
            None => Err(PyAttributeError::new_err(format!(
                "the game has no field '{name}'; pass fields=['{name}', …] to games()"
            ))),
        }
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<sgf_stream.Game: {} of {}>", self.read.number + 1, self.file.bind(py).to_str()?))
    }
}

/// An iterator over games.
#[pyclass(module = "sgf_stream", frozen)]
pub(crate) struct Games {
    names: Arc<Vec<String>>,
    state: Mutex<State>,
}

struct State {
    stream: Option<Stream<Vec<Read>>>,
    file: Arc<str>,
    ready: vec::IntoIter<Read>,
    /// The errors of the stream, after its end.
    errors: Vec<PyErr>,
}

#[pymethods]
impl Games {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    /// The exceptions of files without a game, and, with `on_error="skip"`, of files that could not be read.
    #[getter]
    fn errors(&self, py: Python<'_>) -> Vec<PyErr> {
        let state = self.state.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        match &state.stream {
            Some(stream) => stream.errors(py),
            None => state.errors.iter().map(|error| error.clone_ref(py)).collect(),
        }
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Game> {
        // A lock that lets other threads of Python run while it waits.
        let mut state = self.state.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(read) = state.ready.next() {
                let file = PyString::new(py, &state.file).unbind();
                return Ok(Game { file, names: Arc::clone(&self.names), read });
            }
            let Some(stream) = &mut state.stream else { return Err(PyStopIteration::new_err(())) };
            match stream.next(py) {
                Ok(Some(item)) => {
                    state.file = Arc::from(item.file.as_str());
                    state.ready = item.value.into_iter();
                }
                Ok(None) => {
                    state.errors = stream.errors(py);
                    state.stream = None;
                }
                Err(error) => {
                    state.stream = None;
                    return Err(error);
                }
            }
        }
    }
}

/// Reads games one by one.
#[pyfunction]
pub(crate) fn games(sources: Sources, fields: Vec<String>, r#where: Vec<String>) -> PyResult<Games> {
    let conditions = Arc::new(conditions(&r#where)?);
    let mut columns: Vec<String> = KEYS.iter().map(|name| (*name).to_owned()).chain(fields.iter().cloned()).collect();
    let beside: Vec<String> = conditions.columns().map(str::to_owned).filter(|name| !columns.contains(name)).collect();
    columns.extend(beside);
    let count = fields.len();
    let table = tables::builder(&sources.parser(), "games", Some(columns))?;
    let stream = sources.stream(move |input, out| {
        let table = table.with_parser(&input.parser).file(input.name.as_str());
        let reading = Arc::new(Reading { parser: input.parser.clone(), decoding: input.decoding, fields: count });
        let shared = (table.clone(), Arc::clone(&conditions), Arc::clone(&reading));
        let mut number = 0;
        input.each_part(
            move |part| {
                let (table, conditions, reading) = &shared;
                let rows = table.rows(part.reader(&reading.parser));
                PartGames::of(rows, conditions, |row| Read::of(row, Some(part), reading))
            },
            |game| {
                let rows = table.rows(game.reader(&reading.parser));
                PartGames::of(rows, &conditions, |row| Read::of(row, None, &reading))
            },
            |mut part| {
                part.games.iter_mut().for_each(|game| game.number += number);
                number += part.count;
                let flow = out.send(part.games);
                part.read.map(|()| flow)
            },
        )
    });
    let state = State { stream: Some(stream), file: Arc::from(""), ready: Vec::new().into_iter(), errors: Vec::new() };
    Ok(Games { names: Arc::new(fields), state: Mutex::new(state) })
}

/// The games of a part that fulfill the conditions.
struct PartGames {
    games: Vec<Read>,
    /// The number of all games of the part.
    count: u64,
    read: io::Result<()>,
}

impl PartGames {
    fn of<R: BufRead>(mut rows: Rows<R>, conditions: &Conditions, read: impl Fn(&Row<'_>) -> Read) -> Self {
        let mut part = PartGames { games: Vec::new(), count: 0, read: Ok(()) };
        loop {
            let next = rows.next_game(|row| {
                part.count += 1;
                if conditions.hold_in(row) {
                    part.games.push(read(row));
                }
            });
            match next {
                Ok(true) => {}
                Ok(false) => return part,
                Err(error) => return PartGames { read: Err(io_error(error)), ..part },
            }
        }
    }
}

impl Read {
    /// Copies a row, and the bytes of its game in a part.
    fn of(row: &Row<'_>, part: Option<&Part<'_>>, reading: &Arc<Reading>) -> Self {
        let number = |column: usize| match row.cell(column) {
            Cell::Integer(number) => u64::try_from(number).ok(),
            _ => None,
        };
        let (offset, length) = (row.offset(), number(1).unwrap_or(0));
        let data = part.and_then(|part| {
            let at = usize::try_from(offset.saturating_sub(part.span().start)).ok()?;
            part.bytes().get(at..at.saturating_add(usize::try_from(length).ok()?))
        });
        Read {
            number: row.number().unwrap_or(0),
            offset,
            error: row.error().map(|code| code.to_string()),
            data: data.map(<[u8]>::to_vec),
            reading: Arc::clone(reading),
            fields: (KEYS.len()..KEYS.len() + reading.fields).map(|column| Field::from(row.cell(column))).collect(),
        }
    }
}
