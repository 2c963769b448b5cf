//! What positions are made of, and in which order.

use std::ops::Range;
use std::path::PathBuf;

use sgf_input::{Conditions, Exclude};
use sgf_stream::value::Size;

use crate::plane::{self, Plane};
use crate::reader::{ReadError, Reader, State};
use crate::store::Shape;

/// Which symmetries of a position are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Symmetries {
    /// The position as it was played.
    #[default]
    None,
    /// One of the symmetries of the board for each position, chosen with the seed.
    Random,
    /// All symmetries of the board, eight if it is square, one after the other.
    All,
}

/// The settings of a [`Positions`], for the threads that read games.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) size: Size,
    pub(crate) planes: Vec<Plane>,
    pub(crate) batch: usize,
    pub(crate) conditions: Conditions,
    pub(crate) part: Range<f64>,
    pub(crate) most_per_game: usize,
    pub(crate) shuffle: usize,
    pub(crate) seed: u64,
    pub(crate) epoch: u64,
    pub(crate) symmetries: Symmetries,
    pub(crate) shard: (usize, usize),
    pub(crate) threads: usize,
    pub(crate) exclude: Exclude,
}

/// The positions of many games, in batches.
///
/// ```
/// use sgf_training::{Positions, Symmetries};
///
/// # let directory = std::env::temp_dir().join(format!("sgf-training {}", std::process::id()));
/// # std::fs::create_dir_all(&directory)?;
/// # std::fs::write(directory.join("a.sgf"), "(;SZ[19]RE[B+R];B[qd];W[dc];B[pq])(;SZ[9];B[ee])")?;
/// let positions = Positions::new([&directory]).batch(2).shuffle(1000).seed(1).symmetries(Symmetries::Random);
/// let mut reader = positions.read()?;
/// let mut results = Vec::new();
/// while let Some(batch) = reader.next_batch() {
///     results.extend_from_slice(&batch.result);
/// }
/// // Black won, and is to move in two of the three positions.
/// assert_eq!((results.len(), results.iter().sum::<f32>()), (3, 1.0));
/// assert_eq!((reader.skipped().used, reader.skipped().other_size), (1, 1));
/// # std::fs::remove_dir_all(&directory)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Positions {
    pub(crate) paths: Vec<PathBuf>,
    pub(crate) settings: Settings,
}

impl Positions {
    /// Creates a list of files, directories, compressed files and archives. Nothing is opened yet.
    pub fn new<P: Into<PathBuf>>(paths: impl IntoIterator<Item = P>) -> Self {
        let settings = Settings {
            size: Size::default(),
            planes: plane::DEFAULT.to_vec(),
            batch: 1024,
            conditions: Conditions::new(Vec::new()),
            part: 0.0..1.0,
            most_per_game: usize::MAX,
            shuffle: 0,
            seed: 0,
            epoch: 0,
            symmetries: Symmetries::None,
            shard: (0, 1),
            threads: 1,
            exclude: Exclude::default(),
        };
        Positions { paths: paths.into_iter().map(Into::into).collect(), settings }
    }

    /// Sets the size of the board. Games on other boards are skipped. Default: 19x19.
    #[must_use]
    pub fn board(mut self, size: Size) -> Self {
        self.settings.size = size;
        self
    }

    /// Sets the planes. Default: [`DEFAULT_PLANES`](crate::DEFAULT_PLANES).
    #[must_use]
    pub fn planes(mut self, planes: impl IntoIterator<Item = Plane>) -> Self {
        self.settings.planes = planes.into_iter().collect();
        self
    }

    /// Sets the number of positions in a batch; the last one may have fewer. Default: 1024.
    #[must_use]
    pub fn batch(mut self, positions: usize) -> Self {
        self.settings.batch = positions.max(1);
        self
    }

    /// Sets the conditions that games must fulfill. Default: none.
    #[must_use]
    pub fn conditions(mut self, conditions: Conditions) -> Self {
        self.settings.conditions = conditions;
        self
    }

    /// Sets the part of all games that is used. Default: `0.0..1.0`, all.
    ///
    /// The key of a game says where it is in this range. It is a hash of the setup and the first 30 stones, so a copy of a
    /// game is in the same part even if it is rotated, mirrored, truncated, different in later moves, or has another
    /// header: `0.0..0.9` and `0.9..1.0` have no game in common. The key of a game with fewer stones is a hash of all of
    /// them, which a truncated copy does not have.
    #[must_use]
    pub fn part(mut self, part: Range<f64>) -> Self {
        self.settings.part = part;
        self
    }

    /// Sets the maximum number of positions of a game, which are chosen with the seed. Default: all.
    #[must_use]
    pub fn most_per_game(mut self, positions: usize) -> Self {
        self.settings.most_per_game = positions;
        self
    }

    /// Sets the number of positions that are shuffled together. Default: 0, for the order of the files.
    ///
    /// They are in memory. Files, and ranges of large ones, are shuffled first.
    #[must_use]
    pub fn shuffle(mut self, positions: usize) -> Self {
        self.settings.shuffle = positions;
        self
    }

    /// Sets the seed of all random choices. Default: 0.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.settings.seed = seed;
        self
    }

    /// Sets the number of the epoch: another one has another order, and other choices. Default: 0.
    #[must_use]
    pub fn epoch(mut self, epoch: u64) -> Self {
        self.settings.epoch = epoch;
        self
    }

    /// Sets which symmetries are used. Default: none.
    #[must_use]
    pub fn symmetries(mut self, symmetries: Symmetries) -> Self {
        self.settings.symmetries = symmetries;
        self
    }

    /// Reads one of several shards, counted from 0.
    ///
    /// Each game is in one shard. Default: one shard, with all games.
    ///
    /// # Panics
    ///
    /// Panics if `index` is not less than `count`.
    #[must_use]
    pub fn shard(mut self, index: usize, count: usize) -> Self {
        assert!(index < count, "shard {index} of {count}");
        self.settings.shard = (index, count);
        self
    }

    /// Sets the number of threads that read games. Default: 1. The positions do not depend on it.
    #[must_use]
    pub fn threads(mut self, count: usize) -> Self {
        self.settings.threads = count.max(1);
        self
    }

    /// Sets the files that are not read. Default: none.
    #[must_use]
    pub fn exclude(mut self, exclude: Exclude) -> Self {
        self.settings.exclude = exclude;
        self
    }

    /// Returns the shape of the planes of a position.
    pub fn shape(&self) -> Shape {
        let Settings { size, planes, .. } = &self.settings;
        Shape { planes: planes.len(), rows: size.rows() as usize, columns: size.columns() as usize }
    }

    /// Starts to read.
    ///
    /// # Errors
    ///
    /// Fails if a path does not exist, or if a directory cannot be read.
    pub fn read(self) -> Result<Reader, ReadError> {
        Reader::start(self, None)
    }

    /// Continues where a reader with the same settings and files was.
    ///
    /// It may have been in another process. The number of threads and the directory of the files may differ: a state
    /// depends on the settings, and on the names and lengths of the files below the given paths. The reader counts games
    /// from the first one that it reads again.
    ///
    /// # Errors
    ///
    /// Fails if [`read`](Self::read) would, or if the files or settings are not those of the state.
    pub fn resume(self, state: &State) -> Result<Reader, ReadError> {
        Reader::start(self, Some(state))
    }
}
