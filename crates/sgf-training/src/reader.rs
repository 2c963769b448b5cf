//! The reader: blocks of positions, shuffled, in batches.

use std::collections::HashSet;
use std::io;
use std::mem;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

use crate::random::{self, Random};
use crate::settings::{Positions, Settings};
use crate::skipped::Skipped;
use crate::store::{Batch, Shape};
use crate::units::{self, Pieces, Unit, Unreadable};

/// Error for positions that cannot be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReadError {
    /// A path does not exist, or a directory cannot be read.
    #[error("{file}: {error}")]
    Io {
        /// The path.
        file: String,
        /// The reason.
        error: io::Error,
    },
    /// A state is of other files or other settings.
    #[error("the state is of other files or other settings; start without it")]
    OtherState,
    /// A text is not a state.
    #[error("not a state of a reader: {0:?}")]
    NotAState(String),
}

/// The place of a reader, for [`Positions::resume`].
///
/// It prints as a short text, which [`State::parse`] reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// A hash of the settings and files.
    hash: u64,
    /// The unit with the first position of the block, in the order of this epoch.
    unit: u64,
    /// The number of positions of that unit before the block.
    before: u64,
    /// The number of the block.
    block: u64,
    /// The number of batches of the block that have been returned.
    batches: u64,
}

impl std::fmt::Display for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let State { hash, unit, before, block, batches } = self;
        write!(f, "sgf-training-1 {hash:016x} {unit} {before} {block} {batches}")
    }
}

impl State {
    /// Parses the text of a state.
    ///
    /// # Errors
    ///
    /// Fails if it is another text.
    pub fn parse(text: &str) -> Result<Self, ReadError> {
        let error = || ReadError::NotAState(text.to_owned());
        let mut words = text.split(' ');
        if words.next() != Some("sgf-training-1") {
            return Err(error());
        }
        let hash = words.next().and_then(|word| u64::from_str_radix(word, 16).ok()).ok_or_else(error)?;
        let mut number = || words.next().and_then(|word| word.parse().ok()).ok_or_else(error);
        let state = State { hash, unit: number()?, before: number()?, block: number()?, batches: number()? };
        if words.next().is_some() { Err(error()) } else { Ok(state) }
    }
}

/// Reads positions in batches. Created by [`Positions::read`].
///
/// It holds one block of positions, and some thousands for each thread. Dropped, it ends its threads.
pub struct Reader {
    settings: Arc<Settings>,
    shape: Shape,
    files: Vec<PathBuf>,
    pieces: Pieces,
    /// The rest of the last piece: it begins at a row.
    rest: (Batch, usize),
    state: State,
    /// Where the next block begins: the unit, and the number of its positions before.
    next: (u64, u64),
    /// The number of positions before it that are read again and dropped.
    left: u64,
    /// The block and its order, which is empty until the block is full.
    block: Batch,
    order: Vec<u32>,
    skipped: Skipped,
    errors: Vec<String>,
    /// The files that are read in ranges, of which some cannot be read.
    unreadable: HashSet<u32>,
}

impl Reader {
    pub(crate) fn start(positions: Positions, state: Option<&State>) -> Result<Self, ReadError> {
        let (shape, Positions { paths, settings }) = (positions.shape(), positions);
        let plan = units::plan(&paths, &settings.exclude);
        let (mut units, files) = plan.map_err(|(name, error)| ReadError::Io { file: name.to_string(), error })?;
        let hash = hash(&settings, &units);
        if settings.shuffle > 0 {
            Random::new(&[settings.seed, settings.epoch]).shuffle(&mut units);
        }
        let (index, count) = settings.shard;
        let mut units: Vec<Unit> = units.into_iter().skip(index).step_by(count).collect();
        let fresh = State { hash, unit: 0, before: 0, block: 0, batches: 0 };
        let state = match state {
            Some(state) if state.hash != hash => return Err(ReadError::OtherState),
            Some(state) => state.clone(),
            None => fresh,
        };
        units.drain(..units.len().min(usize::try_from(state.unit).unwrap_or(usize::MAX)));
        let settings = Arc::new(settings);
        let pieces = Pieces::start(state.unit, units, &settings);
        let pieces = pieces.map_err(|error| ReadError::Io { file: "threads".to_owned(), error })?;
        Ok(Reader {
            settings,
            shape,
            files,
            pieces,
            rest: Default::default(),
            next: (state.unit, 0),
            left: state.before,
            state,
            block: Batch::default(),
            order: Vec::new(),
            skipped: Skipped::default(),
            errors: Vec::new(),
            unreadable: HashSet::new(),
        })
    }

    /// Returns the next batch; `None` at the end.
    ///
    /// Files that cannot be read are not errors here: they are in [`errors`](Self::errors).
    pub fn next_batch(&mut self) -> Option<Batch> {
        self.next_batch_while(|| true).continue_value().flatten()
    }

    /// Returns the next batch, unless the caller stops waiting for it.
    ///
    /// `goes_on` is called at least ten times per second while games are read, and breaks the wait by returning false. The
    /// next call continues there, and no position is lost. An interactive program needs it: a batch takes long if few games
    /// fulfill the [conditions](Positions::conditions).
    ///
    /// ```
    /// use std::ops::ControlFlow;
    ///
    /// # let directory = std::env::temp_dir().join(format!("sgf-training waits {}", std::process::id()));
    /// # std::fs::create_dir_all(&directory)?;
    /// # std::fs::write(directory.join("a.sgf"), "(;SZ[19];B[qd];W[dc])")?;
    /// let mut reader = sgf_training::Positions::new([&directory]).read()?;
    /// assert!(reader.next_batch_while(|| false).is_break());
    /// let ControlFlow::Continue(Some(batch)) = reader.next_batch_while(|| true) else { panic!("no batch") };
    /// assert_eq!(batch.len(), 2);
    /// # std::fs::remove_dir_all(&directory)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn next_batch_while(&mut self, mut goes_on: impl FnMut() -> bool) -> ControlFlow<(), Option<Batch>> {
        let size = self.settings.batch;
        if self.order.is_empty() {
            self.fill(&mut goes_on)?;
        }
        let mut start = usize::try_from(self.state.batches).unwrap_or(usize::MAX).saturating_mul(size);
        if start >= self.order.len() && !self.order.is_empty() {
            (self.state.unit, self.state.before) = self.next;
            (self.state.block, self.state.batches) = (self.state.block + 1, 0);
            self.block.clear();
            self.order.clear();
            self.fill(&mut goes_on)?;
            start = 0;
        }
        if start >= self.order.len() {
            return ControlFlow::Continue(None);
        }
        self.state.batches += 1;
        if self.settings.shuffle == 0 {
            let mut batch = mem::take(&mut self.block); // it has as many positions
            batch.planes.shrink_to_fit();
            return ControlFlow::Continue(Some(batch));
        }
        let rows = &self.order[start..self.order.len().min(start + size)];
        let mut batch = Batch::default();
        batch.take(&self.block, rows, self.row_bytes());
        ControlFlow::Continue(Some(batch))
    }

    /// Returns where the reader is, for [`Positions::resume`].
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Returns the numbers of games that were used and skipped so far. Games are read ahead of the batches.
    pub fn skipped(&self) -> &Skipped {
        &self.skipped
    }

    /// Returns the errors of files that could not be read, or only in part.
    pub fn errors(&self) -> &[String] {
        &self.errors
    }

    /// Returns the files, to which the column `file` of a batch refers.
    pub fn files(&self) -> impl ExactSizeIterator<Item = &Path> {
        self.files.iter().map(PathBuf::as_path)
    }

    /// Returns the shape of the planes of a position.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    fn row_bytes(&self) -> usize {
        self.shape.planes * self.shape.plane_bytes()
    }

    /// Makes sure that there are positions to take. Returns whether there are.
    fn has_rest(&mut self, goes_on: &mut dyn FnMut() -> bool) -> ControlFlow<(), bool> {
        loop {
            let (rest, at) = &mut self.rest;
            let dropped = ((rest.len() - *at) as u64).min(self.left);
            *at += dropped as usize;
            (self.left, self.next.1) = (self.left - dropped, self.next.1 + dropped);
            if *at < rest.len() {
                return ControlFlow::Continue(true);
            }
            match self.pieces.next(goes_on)? {
                Some(piece) => {
                    self.skipped.merge(&piece.skipped);
                    for Unreadable { file, message } in piece.errors {
                        // The ranges of a file may all fail.
                        if file.is_none_or(|file| self.unreadable.insert(file)) {
                            self.skipped.unreadable_files += 1;
                            self.errors.push(message);
                        }
                    }
                    self.rest = (piece.batch, 0);
                }
                None => match self.pieces.next_unit(goes_on)? {
                    Some(unit) => self.next = (unit, 0),
                    None => return ControlFlow::Continue(false),
                },
            }
        }
    }

    /// Fills the block, and shuffles it. After a break, the next call goes on.
    fn fill(&mut self, goes_on: &mut dyn FnMut() -> bool) -> ControlFlow<()> {
        let Settings { batch, shuffle, seed, epoch, .. } = *self.settings;
        // Whole batches, so that only the last one of all is shorter.
        let wanted = shuffle.max(1).div_ceil(batch).saturating_mul(batch);
        let bytes = self.row_bytes();
        while self.block.len() < wanted && self.has_rest(goes_on)? {
            // Where the block begins is known when its first position is.
            if self.block.is_empty() {
                (self.state.unit, self.state.before) = self.next;
            }
            let (rest, at) = &mut self.rest;
            let count = (rest.len() - *at).min(wanted - self.block.len());
            self.block.take_range(rest, *at..*at + count, bytes);
            *at += count;
            self.next.1 += count as u64;
        }
        self.order.extend(0..self.block.len() as u32);
        if shuffle > 0 {
            let (shard, _) = self.settings.shard;
            Random::new(&[seed, epoch, self.state.block, shard as u64]).shuffle(&mut self.order);
        }
        ControlFlow::Continue(())
    }
}

/// Returns a hash of all that the positions depend on: the settings and the files.
///
/// It is the same in every process, and does not depend on how the paths are spelled.
fn hash(settings: &Settings, units: &[Unit]) -> u64 {
    let Settings {
        size, planes, batch, conditions, part, most_per_game, shuffle, seed, epoch, symmetries, shard, ..
    } = settings;
    let conditions: Vec<&str> = conditions.texts().collect();
    let of_settings = format!(
        "{size} {planes:?} {batch} {conditions:?} {part:?} {most_per_game} {shuffle} {seed} {epoch} {symmetries:?} {shard:?}"
    );
    let all = units.iter().map(|unit| unit.hash).chain([random::hash(of_settings.as_bytes())]);
    random::hash(&all.flat_map(u64::to_le_bytes).collect::<Vec<u8>>())
}

impl std::fmt::Debug for Reader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reader").field("state", &self.state).finish_non_exhaustive()
    }
}
