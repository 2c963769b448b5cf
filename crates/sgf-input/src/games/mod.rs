//! The games of many files as Rust values, on all cores.
//!
//! Each thread takes the next file, reads it, and sends its games in batches. In order, every file has a queue of its
//! own, and the caller empties the queues in the order of the files. All queues are bounded: a thread whose queue is full
//! waits for the caller.

mod error;
#[cfg(test)]
mod tests;
mod threads;

use std::any::Any;
use std::fmt;
use std::io::{self, BufRead};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::vec;

use serde::de::DeserializeOwned;
use sgf_stream::de::Options;
use sgf_stream::{Diagnostic, Parser};

pub use self::error::FileError;
pub use self::threads::Outputs;
use self::threads::Reading;
use crate::{Exclude, Limits, Name};

/// Files, directories, archives and compressed files whose games are read as Rust values.
///
/// [`games`](Self::games) is an iterator over all of them. Each game and each error has the name of its file. Memory is
/// bounded, however many files there are and however large they are.
///
/// ```
/// use sgf_input::Files;
/// use sgf_stream::Parser;
/// use sgf_stream::de::Options;
///
/// #[derive(serde::Deserialize)]
/// struct Header {
///     #[serde(rename = "PB")]
///     black: String,
///     #[serde(rename = "KM")]
///     komi: Option<f64>,
/// }
///
/// # let directory = std::env::temp_dir().join(format!("sgf-input files {}", std::process::id()));
/// # std::fs::create_dir_all(&directory)?;
/// # std::fs::write(directory.join("a.sgf"), "(;PB[Shusaku])(;KM[6.5])")?;
/// # std::fs::write(directory.join("b.sgf"), "(;PB[Shuei]KM[none])")?;
/// let files = Files::new([&directory]).parser(Parser::new().count_lines(true));
/// let (mut names, mut errors) = (Vec::new(), Vec::new());
/// for game in files.games_with::<Header>(Options::new().lenient_header(true)) {
///     match game {
///         Ok(game) => names.push(format!("{}, {}", game.file.to_path().file_name().unwrap().display(), game.value.black)),
///         Err(error) => errors.push(error.to_string()),
///     }
/// }
/// assert_eq!(names, ["a.sgf, Shusaku", "b.sgf, Shuei"]);
/// let expected = "a.sgf: game 2, root at line 1, column 16 (byte 15): missing property `PB`";
/// assert!(errors.len() == 1 && errors[0].ends_with(expected));
/// # std::fs::remove_dir_all(&directory)?;
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// A directory stands for the files in it that have an extension of SGF, of compressed SGF or of an archive, sorted by
/// path, and `-` for standard input. A file that is named itself is read regardless of its extension.
#[derive(Clone)]
pub struct Files {
    paths: Vec<PathBuf>,
    follows_links: bool,
    threads: Option<usize>,
    in_order: bool,
    reading: Reading,
}

impl Files {
    /// Creates a list of paths. Nothing is opened yet.
    pub fn new<P: Into<PathBuf>>(paths: impl IntoIterator<Item = P>) -> Self {
        Files {
            paths: paths.into_iter().map(Into::into).collect(),
            follows_links: false,
            threads: None,
            in_order: true,
            reading: Reading::default(),
        }
    }

    /// Sets the parser: mode, limits, charset, callbacks.
    ///
    /// Default: [`Parser::new`].
    #[must_use]
    pub fn parser(mut self, parser: Parser) -> Self {
        self.reading.parser = parser;
        self
    }

    /// Sets the limits of decompression.
    ///
    /// Default: [`Limits::default`].
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.reading.limits = limits;
        self
    }

    /// Sets the files and members of archives that are not read.
    ///
    /// Default: none.
    #[must_use]
    pub fn exclude(mut self, exclude: Exclude) -> Self {
        self.reading.exclude = exclude;
        self
    }

    /// Sets whether symbolic links in directories are followed.
    ///
    /// Default: false.
    #[must_use]
    pub fn follow_links(mut self, on: bool) -> Self {
        self.follows_links = on;
        self
    }

    /// Sets the number of threads; at least one is used.
    ///
    /// Default: the number of cores. A file is read in one thread. For one huge file, use `Parser::par_reader` (feature
    /// `parallel` of `sgf-stream`).
    #[must_use]
    pub fn threads(mut self, count: usize) -> Self {
        self.threads = Some(count.max(1));
        self
    }

    /// Returns games as the threads read them, not in the order of the files.
    ///
    /// The games of one file are still in order, with those of other files between them. By default the games come in the
    /// order of the paths, of the files in a directory, and of the games in a file. A large file then makes the other
    /// threads wait, when each has read about as much as memory allows.
    #[must_use]
    pub fn unordered(mut self) -> Self {
        self.in_order = false;
        self
    }

    /// Adds a callback that receives every diagnostic with the name of its file.
    ///
    /// It is called in the thread that reads the file, before the iterator returns the games around the diagnostic.
    /// Default: none.
    #[must_use]
    pub fn on_diagnostic(mut self, callback: impl Fn(&Name, &Diagnostic) + Send + Sync + 'static) -> Self {
        self.reading.listeners.push(Arc::new(callback));
        self
    }

    /// Adds a callback that receives the numbers of bytes that are read from disk.
    ///
    /// It is called in the threads, before decompression. Default: none.
    #[must_use]
    pub fn on_read(mut self, callback: impl Fn(u64) + Send + Sync + 'static) -> Self {
        self.reading.meters.push(Arc::new(callback));
        self
    }

    /// Starts to read, and returns an iterator over the games of all files.
    ///
    /// A game that does not fit `T` is an error, and so is a file or a directory that cannot be read; the next game or
    /// file follows. Some hundreds of games per thread are in memory at most. When the iterator is dropped, the threads
    /// end at the next games.
    ///
    /// A panic of `T` in a thread resumes in the caller.
    pub fn games<T: DeserializeOwned + Send + 'static>(self) -> FileGames<T> {
        self.games_with(Options::new())
    }

    /// Starts to read like [`games`](Self::games), with [`Options`].
    pub fn games_with<T: DeserializeOwned + Send + 'static>(self, options: Options) -> FileGames<T> {
        threads::start(self, Arc::new(move |reading, name, data, out| reading.games::<T>(options, name, data, out)))
    }

    /// Calls a function with the bytes of each file.
    ///
    /// Returns an iterator over the results. For what reads or edits bytes: a linter, a [`Splicer`](sgf_stream::write::Splicer). The function is called in the
    /// threads, with the name of the file, or of the member of an archive, and its content after decompression. Each file is
    /// one item, whose `span` is the whole file. A file that cannot be read is an error; the next one follows. The settings
    /// for parsing and for fields have no effect.
    ///
    /// Each thread has one file in memory as a whole.
    ///
    /// ```
    /// use sgf_input::Files;
    /// use sgf_stream::Parser;
    ///
    /// # let directory = std::env::temp_dir().join(format!("sgf-input bytes {}", std::process::id()));
    /// # std::fs::create_dir_all(&directory)?;
    /// # std::fs::write(directory.join("a.sgf"), "(;GM[1]B[dd])")?;
    /// # std::fs::write(directory.join("b.sgf"), "(;GM[1]KM[6.5)")?;
    /// // Which files does a strict parser accept?
    /// let files = Files::new([&directory]);
    /// let files = files.map_bytes(|_, bytes| Parser::strict().parse(bytes, |_, _| {}).is_ok());
    /// let sound: Vec<bool> = files.map(|file| Ok(file?.value)).collect::<Result<_, sgf_input::FileError>>()?;
    /// assert_eq!(sound, [true, false]);
    /// # std::fs::remove_dir_all(&directory)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// A panic of the function in a thread resumes in the caller.
    pub fn map_bytes<T, F>(self, map: F) -> FileGames<T>
    where
        T: Send + 'static,
        F: Fn(&Name, &[u8]) -> T + Send + Sync + 'static,
    {
        threads::start(self, Arc::new(move |_, name, data, out| threads::bytes(name, data, out, &map)))
    }

    /// Calls a function with each file as a stream, after decompression.
    ///
    /// Returns an iterator over the values that the function sends, each with the name of its file. The function is called in
    /// the threads; a thread waits while two values of its file are not taken. An error of the function comes after its values, with
    /// the name of the file, and the next file follows. The settings for parsing and for fields have no effect.
    ///
    /// ```
    /// use std::io::BufRead;
    /// use sgf_input::Files;
    ///
    /// # let directory = std::env::temp_dir().join(format!("sgf-input streams {}", std::process::id()));
    /// # std::fs::create_dir_all(&directory)?;
    /// # std::fs::write(directory.join("a.sgf"), "(;GM[1]\nB[dd])")?;
    /// # std::fs::write(directory.join("b.sgf"), "(;GM[1])")?;
    /// let lines = Files::new([&directory]).map_inputs(|_, data, out| {
    ///     for line in data.lines() {
    ///         if out.send(line?.len()).is_break() {
    ///             break;
    ///         }
    ///     }
    ///     Ok(())
    /// });
    /// let lens: Vec<(u64, usize)> = lines.map(|line| line.map(|line| (line.index, line.value))).collect::<Result<_, _>>()?;
    /// assert_eq!(lens, [(0, 7), (1, 6), (0, 8)]);
    /// # std::fs::remove_dir_all(&directory)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// The `index` of a value counts the values of its file, and its `span` is empty. A panic of the function in a thread
    /// resumes in the caller.
    pub fn map_inputs<T, F>(self, read: F) -> FileGames<T>
    where
        T: Send + 'static,
        F: Fn(&Name, &mut dyn BufRead, &mut Outputs<'_, T>) -> io::Result<()> + Send + Sync + 'static,
    {
        threads::start(self, Arc::new(move |_, name, data, out| threads::stream(name, data, out, &read)))
    }
}

impl fmt::Debug for Files {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Files").field("paths", &self.paths).finish_non_exhaustive()
    }
}

/// A game of a file, or what was made of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileGame<T> {
    /// The name of the file, or of the member of an archive.
    pub file: Arc<Name>,
    /// The number of the game in the file, from 0.
    pub index: u64,
    /// The byte range of the game in the file, after decompression.
    pub span: Range<u64>,
    /// The game, or the result of the function.
    pub value: T,
}

/// The next game, or why there is none.
type Item<T> = Result<FileGame<T>, FileError>;

/// Some games of a file, or the panic of the thread that read it.
type Batch<T> = Result<Vec<Item<T>>, Box<dyn Any + Send>>;

/// An iterator over the games of many files, or over the files.
///
/// See [`Files::games`] and [`Files::map_bytes`].
pub struct FileGames<T> {
    input: Input<T>,
    ready: vec::IntoIter<Item<T>>,
}

/// The queues of the threads.
enum Input<T> {
    InOrder {
        /// The queue of each file, in order.
        files: Receiver<Receiver<Batch<T>>>,
        file: Option<Receiver<Batch<T>>>,
    },
    AsRead(Receiver<Batch<T>>),
}

impl<T> Input<T> {
    /// Waits for a batch; `None` at the end.
    fn receive(&mut self) -> Option<Batch<T>> {
        match self {
            Input::AsRead(batches) => batches.recv().ok(),
            Input::InOrder { files, file } => loop {
                if let Some(batch) = file.as_ref().and_then(|file| file.recv().ok()) {
                    return Some(batch);
                }
                *file = Some(files.recv().ok()?);
            },
        }
    }
}

impl<T> Iterator for FileGames<T> {
    type Item = Item<T>;

    fn next(&mut self) -> Option<Item<T>> {
        loop {
            if let Some(game) = self.ready.next() {
                return Some(game);
            }
            match self.input.receive()? {
                Ok(batch) => self.ready = batch.into_iter(),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    }
}

impl<T> fmt::Debug for FileGames<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileGames").finish_non_exhaustive()
    }
}
