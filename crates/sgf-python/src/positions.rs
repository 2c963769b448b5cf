//! Positions as NumPy arrays, for training.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use numpy::{IntoPyArray, PyArray1, PyArrayMethods};
use pyo3::exceptions::{PyStopIteration, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::{MutexExt, PyOnceLock};
use pyo3::types::{PyDict, PyTuple};
use sgf_board::Board;
use sgf_training::{DEFAULT_PLANES, MOST_HISTORY, Plane, ReadError, Shape, State, Symmetries};

use crate::error::{os_error, value_error};
use crate::sources::{Paths, arguments, conditions, excluded};
use crate::trees::size_from;

/// The settings, as the Python half of the function passes them.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Asked {
    planes: Option<Vec<String>>,
    batch: usize,
    r#where: Vec<String>,
    part: (f64, f64),
    most_per_game: Option<usize>,
    shuffle: usize,
    seed: u64,
    epoch: u64,
    symmetries: String,
    shard: (usize, usize),
    threads: usize,
    exclude: Vec<String>,
    packed: bool,
    state: Option<String>,
}

impl Asked {
    fn positions(&self, paths: Paths, size: &Bound<'_, PyAny>) -> PyResult<sgf_training::Positions> {
        let wrong = |what: &str, error: String| PyValueError::new_err(format!("{what}: {error}"));
        let planes = match &self.planes {
            None => DEFAULT_PLANES.to_vec(),
            Some(names) => {
                names.iter().map(|name| name.parse::<Plane>()).collect::<Result<_, _>>().map_err(value_error)?
            }
        };
        let symmetries = match self.symmetries.as_str() {
            "none" => Symmetries::None,
            "random" => Symmetries::Random,
            "all" => Symmetries::All,
            other => {
                return Err(wrong("symmetries", format!("use 'none', 'random' or 'all', not '{other}'")));
            }
        };
        for (name, value) in [("batch", Some(self.batch)), ("most_per_game", self.most_per_game)] {
            if value == Some(0) {
                return Err(wrong(name, "expected a number from 1, found 0".to_owned()));
            }
        }
        let size = size_from(size)?;
        if Board::new(size).is_none() {
            return Err(wrong("size", format!("{size}: boards have 1 to 52 lines in Go")));
        }
        let (start, end) = self.part;
        if !(0.0..=1.0).contains(&start) || !(start..=1.0).contains(&end) {
            return Err(wrong("part", format!("({start}, {end}) is not a range in 0.0 to 1.0")));
        }
        let (index, count) = self.shard;
        if index >= count {
            return Err(wrong(
                "shard",
                format!("({index}, {count}): shards are counted from 0, so the last is {}", count.max(1) - 1),
            ));
        }
        let positions = sgf_training::Positions::new(paths.0).board(size).planes(planes).batch(self.batch);
        let positions =
            positions.conditions(conditions(&self.r#where)?).part(start..end).shuffle(self.shuffle).seed(self.seed);
        let positions = positions.epoch(self.epoch).symmetries(symmetries).shard(index, count).threads(self.threads);
        Ok(positions.exclude(excluded(&self.exclude)?).most_per_game(self.most_per_game.unwrap_or(usize::MAX)))
    }
}

/// The names of the planes by default, or of all that there are.
#[pyfunction]
pub(crate) fn planes(all: bool) -> Vec<String> {
    let stones = [Plane::Own, Plane::Opponent, Plane::Black, Plane::White];
    let history = stones.into_iter().flat_map(|plane| (0..=MOST_HISTORY).map(plane));
    let others = [Plane::Empty, Plane::Turn].into_iter().chain(history);
    let mut planes = DEFAULT_PLANES.to_vec();
    planes.extend(others.filter(|plane| all && !DEFAULT_PLANES.contains(plane)));
    planes.iter().map(Plane::to_string).collect()
}

/// An iterator over batches of positions.
#[pyclass(module = "sgf_stream", frozen)]
pub(crate) struct Positions {
    reader: Mutex<sgf_training::Reader>,
    /// The names of the files, once they were asked for.
    files: PyOnceLock<Py<PyTuple>>,
    shape: Shape,
    packed: bool,
}

/// Reads positions.
#[pyfunction]
pub(crate) fn positions(
    py: Python<'_>,
    paths: Paths,
    size: &Bound<'_, PyAny>,
    asked: &Bound<'_, PyAny>,
) -> PyResult<Positions> {
    let asked: Asked = arguments(asked)?;
    let positions = asked.positions(paths, size)?;
    let state = asked.state.as_deref().map(State::parse).transpose().map_err(read_error)?;
    let reader = py.detach(|| match &state {
        Some(state) => positions.resume(state),
        None => positions.read(),
    });
    let reader = reader.map_err(read_error)?;
    let (shape, packed) = (reader.shape(), asked.packed);
    Ok(Positions { reader: Mutex::new(reader), files: PyOnceLock::new(), shape, packed })
}

fn read_error(error: ReadError) -> PyErr {
    match &error {
        ReadError::Io { file, error } => os_error(error, file).unwrap_or_else(|| value_error(error)),
        _ => value_error(error),
    }
}

/// Asks Python ten times per second whether the user interrupts.
struct Interrupt {
    asked: Instant,
    error: Option<PyErr>,
}

impl Interrupt {
    fn new() -> Self {
        Interrupt { asked: Instant::now(), error: None }
    }

    /// Returns whether the work goes on.
    fn goes_on(&mut self) -> bool {
        if self.asked.elapsed() >= Duration::from_millis(100) {
            self.asked = Instant::now();
            self.error = Python::attach(|py| py.check_signals()).err();
        }
        self.error.is_none()
    }
}

impl Positions {
    fn with<R>(&self, py: Python<'_>, read: impl FnOnce(&sgf_training::Reader) -> R) -> R {
        read(&self.reader.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner))
    }
}

#[pymethods]
impl Positions {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Batch> {
        py.check_signals()?;
        let mut interrupt = Interrupt::new();
        let read = py.detach(|| {
            let mut reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
            let read = reader.next_batch_while(|| interrupt.goes_on());
            let ControlFlow::Continue(Some(mut batch)) = read else { return None };
            if !self.packed {
                batch.planes = batch.dense_planes(self.shape);
            }
            Some(batch)
        });
        if let Some(error) = interrupt.error {
            return Err(error);
        }
        let batch = read.ok_or_else(|| PyStopIteration::new_err(()))?;
        Batch::new(py, batch, self.shape, self.packed)
    }

    /// Where the reader is: `positions(…, state=…)` continues there.
    #[getter]
    fn state(&self, py: Python<'_>) -> String {
        self.with(py, |reader| reader.state().to_string())
    }

    /// The numbers of games that were used and skipped so far, by reason. Games are read ahead of the batches.
    #[getter]
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let counts = PyDict::new(py);
        for (name, count) in self.with(py, |reader| reader.skipped().each()) {
            counts.set_item(name, count)?;
        }
        Ok(counts)
    }

    /// The errors of files that could not be read, or only in part.
    #[getter]
    fn errors(&self, py: Python<'_>) -> Vec<String> {
        self.with(py, |reader| reader.errors().to_vec())
    }

    /// The files, to which `Batch.file` refers.
    #[getter]
    fn files<'py>(&self, py: Python<'py>) -> PyResult<&Bound<'py, PyTuple>> {
        let names =
            || self.with(py, |reader| reader.files().map(|file| file.display().to_string()).collect::<Vec<_>>());
        self.files.get_or_try_init(py, || Ok(PyTuple::new(py, names())?.unbind())).map(|files| files.bind(py))
    }

    /// The planes, rows and columns of a position.
    #[getter]
    fn shape(&self) -> (usize, usize, usize) {
        (self.shape.planes, self.shape.rows, self.shape.columns)
    }
}

/// Some positions, as NumPy arrays with a value per position.
#[pyclass(module = "sgf_stream", frozen, get_all)]
pub(crate) struct Batch {
    /// The planes: `(positions, planes, rows, columns)` of 0 and 1, or packed `(positions, planes, bytes)`.
    planes: Py<PyAny>,
    /// 1 if Black is to move, -1 if White is.
    turn: Py<PyArray1<i8>>,
    /// The next move: `y * columns + x`, and the number of points for a pass.
    next_move: Py<PyArray1<i32>>,
    /// 1 if the player to move won, -1 if the player lost, 0 for a draw; NaN if the winner is unknown.
    result: Py<PyArray1<f32>>,
    /// The margin of the player to move in points; NaN if the game was not counted.
    score: Py<PyArray1<f32>>,
    /// The komi; NaN if it is unknown.
    komi: Py<PyArray1<f32>>,
    /// The handicap in `HA`; NaN if there is none.
    handicap: Py<PyArray1<f32>>,
    /// The rank of Black: n for n dan, 1 - n for n kyu; NaN if it is unknown.
    black_rank: Py<PyArray1<f32>>,
    /// The rank of White.
    white_rank: Py<PyArray1<f32>>,
    /// The number of moves before the position.
    move_number: Py<PyArray1<i32>>,
    /// The key of the game: a hash of its first 30 stones, equal for copies.
    key: Py<PyArray1<u64>>,
    /// The number of the file in `Positions.files`.
    file: Py<PyArray1<u32>>,
    /// The byte offset of the game in its file.
    offset: Py<PyArray1<u64>>,
}

impl Batch {
    fn new(py: Python<'_>, batch: sgf_training::Batch, shape: Shape, packed: bool) -> PyResult<Self> {
        let positions = batch.len();
        let planes = batch.planes.into_pyarray(py);
        let planes = match packed {
            true => planes.reshape([positions, shape.planes, shape.plane_bytes()])?.into_any(),
            false => planes.reshape([positions, shape.planes, shape.rows, shape.columns])?.into_any(),
        };
        Ok(Batch {
            planes: planes.unbind(),
            turn: batch.turn.into_pyarray(py).unbind(),
            next_move: batch.next_move.into_pyarray(py).unbind(),
            result: batch.result.into_pyarray(py).unbind(),
            score: batch.score.into_pyarray(py).unbind(),
            komi: batch.komi.into_pyarray(py).unbind(),
            handicap: batch.handicap.into_pyarray(py).unbind(),
            black_rank: batch.black_rank.into_pyarray(py).unbind(),
            white_rank: batch.white_rank.into_pyarray(py).unbind(),
            move_number: batch.move_number.into_pyarray(py).unbind(),
            key: batch.key.into_pyarray(py).unbind(),
            file: batch.file.into_pyarray(py).unbind(),
            offset: batch.offset.into_pyarray(py).unbind(),
        })
    }
}

#[pymethods]
impl Batch {
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.turn.bind(py).len()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<sgf_stream.Batch: {} positions>", self.__len__(py)?))
    }
}
