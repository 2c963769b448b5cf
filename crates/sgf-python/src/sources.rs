//! Inputs: paths, with the options that all functions share.

use std::io::{self, BufRead, Chain, Cursor, Read};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::available_parallelism;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use rayon::{ThreadPool, ThreadPoolBuilder};
use sgf_input::{
    Condition, Conditions, Exclude, FileGame, FileGames, Files, Name, Outputs, Remedy, files, full_path, near,
};
use sgf_stream::Parser;
use sgf_stream::charset::{Charset, Decoding, OpenedReader};
use sgf_stream::parallel::Tasks;
use sgf_stream::parts::{LongGame, Next, Part};

use crate::error::{file_error, is_without_game};

/// A path, or several.
pub(crate) struct Paths(pub(crate) Vec<PathBuf>);

impl<'a, 'py> FromPyObject<'a, 'py> for Paths {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if object.is_instance_of::<PyString>() || object.hasattr("__fspath__")? {
            return Ok(Paths(vec![object.extract()?]));
        }
        let wrong = |what: &str, object: Borrowed<'_, 'py, PyAny>| -> PyResult<PyErr> {
            let message = format!("paths: expected {what}, found {}", object.get_type().name()?);
            Ok(PyTypeError::new_err(message))
        };
        let items = match object.try_iter() {
            Ok(items) if !object.is_instance_of::<PyBytes>() => items,
            _ => return Err(wrong("a path or several", object)?),
        };
        let path = |item: Bound<'py, PyAny>| match item.extract() {
            Ok(path) => Ok(path),
            Err(_) => Err(wrong("str or os.PathLike", item.as_borrowed())?),
        };
        items.map(|item| path(item?)).collect::<PyResult<_>>().map(Paths)
    }
}

/// How a function handles a file that cannot be read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OnError {
    Raise,
    Skip,
}

/// The options that all functions share.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Common {
    exclude: Vec<String>,
    follow_links: bool,
    threads: Option<usize>,
    charset: Option<String>,
    default_charset: Option<String>,
    strict: bool,
    progress: Option<Py<PyAny>>,
    on_error: String,
}

/// Inputs, and how they are read.
pub(crate) struct Sources {
    paths: Vec<PathBuf>,
    exclude: Exclude,
    follow_links: bool,
    threads: usize,
    decoding: Decoding,
    /// The charset of everything, and the charset of games that declare none, if they are given.
    charsets: (Option<Charset>, Option<Charset>),
    strict: bool,
    progress: Option<Py<PyAny>>,
    on_error: OnError,
}

impl<'a, 'py> FromPyObject<'a, 'py> for Sources {
    type Error = PyErr;

    /// Reads the dictionary that the Python half of a function makes of its arguments.
    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let Paths(paths) = object.get_item("paths")?.extract()?;
        let common: Common = arguments(&object)?;
        let names = (common.charset.as_deref(), common.default_charset.as_deref());
        let (decoding, charsets) = (decoding(names.0, names.1)?, charsets(names)?);
        let on_error = match common.on_error.as_str() {
            "raise" => OnError::Raise,
            "skip" => OnError::Skip,
            other => return Err(PyValueError::new_err(format!("on_error: use 'raise' or 'skip', not '{other}'"))),
        };
        // (It reads no variable of the environment, which Python may change meanwhile.)
        let threads = common.threads.unwrap_or_else(|| available_parallelism().map_or(1, usize::from)).max(1);
        Ok(Sources {
            paths,
            exclude: excluded(&common.exclude)?,
            follow_links: common.follow_links,
            threads,
            decoding,
            charsets,
            strict: common.strict,
            progress: common.progress,
            on_error,
        })
    }
}

/// Reads arguments, which the Python half of a function passes as a dictionary. An error names the argument.
pub(crate) fn arguments<'py, T>(object: &Bound<'py, PyAny>) -> PyResult<T>
where
    T: for<'a> FromPyObject<'a, 'py, Error = PyErr>,
{
    object.extract::<T>().map_err(|error| {
        let (py, text) = (object.py(), error.value(object.py()).to_string());
        let name = text.rsplit('.').next().unwrap_or_default();
        match error.cause(py) {
            Some(cause) => PyTypeError::new_err(format!("{name}: {}", cause.value(py))),
            None => error,
        }
    })
}

fn invalid(what: &str, error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(format!("{what}: {error}"))
}

/// Returns the files that are not read.
pub(crate) fn excluded(patterns: &[String]) -> PyResult<Exclude> {
    let patterns = patterns.iter().map(|pattern| pattern.parse().map_err(|error| invalid("exclude", error)));
    Exclude::new(&patterns.collect::<PyResult<Vec<_>>>()?).map_err(|error| invalid("exclude", error))
}

/// Returns the conditions on games.
pub(crate) fn conditions(texts: &[String]) -> PyResult<Conditions> {
    let conditions = texts.iter().map(|text| text.parse::<Condition>()).collect::<Result<_, _>>();
    Ok(Conditions::new(conditions.map_err(|fault| invalid("where", fault.told(words)))?))
}

/// Returns the words of this package for what a message advises.
pub(crate) fn words(remedy: Remedy) -> Option<&'static str> {
    match remedy {
        Remedy::Prune => Some("prune=True"),
        Remedy::SeveralConditions => Some("where takes a list"),
        Remedy::ListColumns => Some("sgf_stream.columns() lists all"),
        _ => None,
    }
}

/// Returns the charsets with these names.
fn charsets((forced, default): (Option<&str>, Option<&str>)) -> PyResult<(Option<Charset>, Option<Charset>)> {
    Ok((forced.map(charset).transpose()?, default.map(charset).transpose()?))
}

/// Returns how texts are decoded, with the names of charsets.
pub(crate) fn decoding(forced: Option<&str>, default: Option<&str>) -> PyResult<Decoding> {
    let mut decoding = Decoding::new();
    if let Some(name) = forced {
        decoding = decoding.force(charset(name)?);
    }
    if let Some(name) = default {
        decoding = decoding.default_charset(charset(name)?);
    }
    Ok(decoding)
}

/// Returns the charset with a name.
fn charset(name: &str) -> PyResult<Charset> {
    let known = ["UTF-8", "GB18030", "GBK", "Big5", "Shift_JIS", "EUC-JP", "EUC-KR", "ISO-8859-1", "windows-1252"];
    Charset::for_name(name.as_bytes())
        .ok_or_else(|| PyValueError::new_err(format!("unknown charset '{name}'{}", near::hint(name, known))))
}

/// Length from which an input is read on all threads. A shorter one is read in a single thread, beside others.
const SMALL: u64 = 1 << 20;

/// Creates threads for one call.
///
/// Those of rayon's global pool would be missing in a process that is forked later, as PyTorch's workers are.
pub(crate) fn pool(threads: usize) -> io::Result<Arc<ThreadPool>> {
    ThreadPoolBuilder::new().num_threads(threads).build().map(Arc::new).map_err(io::Error::other)
}

impl Sources {
    /// Returns the number of threads. A large file uses all of them.
    pub(crate) fn threads(&self) -> usize {
        self.threads
    }

    /// Returns the files that are not read.
    pub(crate) fn exclude(&self) -> &Exclude {
        &self.exclude
    }

    /// Returns an option that was given and says how files are found and read, if there is one.
    pub(crate) fn given_for_reading(&self) -> Option<&'static str> {
        let given = [
            ("charset", self.charsets.0.is_some()),
            ("default_charset", self.charsets.1.is_some()),
            ("follow_links", self.follow_links),
            ("strict", self.strict),
            ("progress", self.progress.is_some()),
        ];
        given.into_iter().find_map(|(option, is_given)| is_given.then_some(option))
    }

    /// Returns a parser with the options.
    pub(crate) fn parser(&self) -> Parser {
        let parser = if self.strict { Parser::strict() } else { Parser::new() };
        sgf_input::limited(parser).charset(self.decoding)
    }

    /// Starts to read all inputs in threads, and returns what `read` sends.
    pub(crate) fn stream<T, F>(self, read: F) -> Stream<T>
    where
        T: Send + 'static,
        F: Fn(Input<'_>, &mut Outputs<'_, T>) -> io::Result<()> + Send + Sync + 'static,
    {
        let bytes = Arc::new(AtomicU64::new(0));
        let (meter, parser, decoding, threads) = (Arc::clone(&bytes), self.parser(), self.decoding, self.threads);
        let files = Files::new(self.paths).exclude(self.exclude).follow_links(self.follow_links).threads(threads);
        let files = files.on_read(move |read| {
            meter.fetch_add(read, Ordering::Relaxed);
        });
        let items = files.map_inputs(move |name, data, out| {
            let (decoding, data): (_, Box<dyn BufRead + '_>) = match decoding.open(data)? {
                OpenedReader::Bytes(whole, _) => (decoding, Box::new(whole)),
                OpenedReader::Text(mut text) => (Decoding::utf8().transcoded_from(text.charset()?), text),
            };
            read(Input { name, parser: parser.clone().charset(decoding), decoding, data, threads }, out)
        });
        Stream {
            items,
            bytes,
            reported: 0,
            progress: self.progress,
            on_error: self.on_error,
            unread: Vec::new(),
            errors: Vec::new(),
        }
    }

    /// Returns the files on disk. What cannot be read is reported when it is read.
    pub(crate) fn walk(&self) -> impl Iterator<Item = PathBuf> {
        self.found().map(|path| path.unwrap_or_else(|(name, _)| name.to_path()))
    }

    /// Returns the files on disk, and what cannot be read.
    pub(crate) fn found(&self) -> impl Iterator<Item = Result<PathBuf, (Name, io::Error)>> {
        self.paths.iter().flat_map(|path| files(path, self.follow_links, self.exclude.clone()))
    }

    pub(crate) fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// Returns whether a file that cannot be read ends the call.
    pub(crate) fn raises(&self) -> bool {
        self.on_error == OnError::Raise
    }

    /// Returns the names of the charset of everything, and of the charset of games that declare none.
    pub(crate) fn charsets(&self) -> (Option<&'static str>, Option<&'static str>) {
        (self.charsets.0.map(Charset::name), self.charsets.1.map(Charset::name))
    }

    /// Replaces the charsets.
    pub(crate) fn with_charsets(self, names: (Option<&str>, Option<&str>)) -> PyResult<Self> {
        Ok(Sources { decoding: decoding(names.0, names.1)?, charsets: charsets(names)?, ..self })
    }

    /// Replaces the paths by full ones.
    pub(crate) fn with_full_paths(self) -> Self {
        let paths = self.paths.iter().map(|path| full_path(path)).collect();
        self.with_paths(paths)
    }

    /// Replaces the paths.
    pub(crate) fn with_paths(self, paths: Vec<PathBuf>) -> Self {
        Sources { paths, ..self }
    }
}

/// An input that is open.
pub(crate) struct Input<'d> {
    pub(crate) name: &'d Name,
    /// The parser for its charset.
    pub(crate) parser: Parser,
    pub(crate) decoding: Decoding,
    pub(crate) data: Box<dyn BufRead + 'd>,
    threads: usize,
}

/// The start of an input, which has been read, and the rest.
pub(crate) type Whole<'d> = Chain<Cursor<Vec<u8>>, Box<dyn BufRead + 'd>>;

impl<'d> Input<'d> {
    /// Reads the games part by part: those of a large input on all threads. What is made of a part comes in order, and may end
    /// the reading. A game that is too long for a part is read in this thread.
    pub(crate) fn each_part<T: Send + 'static>(
        mut self,
        read: impl Fn(&Part<'_>) -> T + Clone + Send + 'static,
        mut read_long: impl FnMut(LongGame<'_, Whole<'d>>) -> T,
        mut done: impl FnMut(T) -> io::Result<ControlFlow<()>>,
    ) -> io::Result<()> {
        let (head, is_large) = self.head()?;
        let mut tasks = match is_large {
            true => Tasks::in_pool(self.pool()?),
            false => Tasks::in_caller(),
        };
        let mut parts = self.parser.parts(Cursor::new(head).chain(self.data));
        let mut end = None;
        loop {
            while end.is_none() && !tasks.is_full() {
                match parts.next_part() {
                    Ok(Some(Next::Part(part))) => {
                        let read = read.clone();
                        tasks.give(move || read(&part));
                    }
                    Ok(Some(Next::Long(game))) => tasks.give_done(read_long(game)),
                    Ok(None) => end = Some(Ok(())),
                    Err(error) => end = Some(Err(error)),
                }
            }
            match tasks.next() {
                Some(result) => {
                    if done(result)?.is_break() {
                        return Ok(());
                    }
                }
                None => return end.unwrap_or(Ok(())),
            }
        }
    }

    /// Reads the start of the input, and returns whether all threads read the rest.
    pub(crate) fn head(&mut self) -> io::Result<(Vec<u8>, bool)> {
        let mut head = Vec::new();
        self.data.by_ref().take(SMALL).read_to_end(&mut head)?;
        let is_large = head.len() as u64 == SMALL;
        Ok((head, is_large))
    }

    /// Returns the threads of a large input.
    pub(crate) fn pool(&self) -> io::Result<Arc<ThreadPool>> {
        pool(self.threads)
    }
}

/// The items of all inputs, in order.
pub(crate) struct Stream<T> {
    items: FileGames<T>,
    /// Bytes that were read from disk.
    bytes: Arc<AtomicU64>,
    reported: u64,
    progress: Option<Py<PyAny>>,
    on_error: OnError,
    /// The names of inputs that could not be read, or only in part, and were skipped.
    unread: Vec<Name>,
    /// Those of these inputs, and of inputs without a game.
    errors: Vec<PyErr>,
}

impl<T: Send> Stream<T> {
    /// Waits for the next item. Reports progress, and returns an error if the user interrupts.
    pub(crate) fn next(&mut self, py: Python<'_>) -> PyResult<Option<FileGame<T>>> {
        loop {
            let item = py.detach(|| self.items.next());
            py.check_signals()?;
            self.report(py)?;
            match item {
                None => return Ok(None),
                Some(Ok(item)) => return Ok(Some(item)),
                Some(Err(error)) if is_without_game(&error) => self.errors.push(file_error(py, &error)),
                Some(Err(error)) if self.on_error == OnError::Raise => return Err(file_error(py, &error)),
                Some(Err(error)) => {
                    self.unread.push(error.file().clone());
                    self.errors.push(file_error(py, &error));
                }
            }
        }
    }

    fn report(&mut self, py: Python<'_>) -> PyResult<()> {
        let bytes = self.bytes_read();
        if let Some(progress) = &self.progress
            && bytes > self.reported
        {
            progress.call1(py, (bytes - self.reported,))?;
            self.reported = bytes;
        }
        Ok(())
    }

    pub(crate) fn bytes_read(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    pub(crate) fn unread(&self) -> &[Name] {
        &self.unread
    }

    pub(crate) fn errors(&self, py: Python<'_>) -> Vec<PyErr> {
        self.errors.iter().map(|error| error.clone_ref(py)).collect()
    }
}

/// Returns the number of bytes on disk that the paths name.
#[pyfunction]
pub(crate) fn total_size(py: Python<'_>, sources: Sources) -> u64 {
    py.detach(|| sources.walk().map(|path| path.metadata().map_or(0, |metadata| metadata.len())).sum())
}
