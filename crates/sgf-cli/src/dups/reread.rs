//! Reads games once more, by their places.

use std::collections::{HashMap, HashSet};
use std::convert::Infallible;
use std::path::Path;
use std::sync::Arc;

use sgf_stream::tree::GameTree;

use super::faults::{self, OfGame};
use super::games::{Game, Games, place};
use super::only::Only;
use super::work;
use crate::failure::warn;
use crate::input::{Name, Paths};
use crate::jobs::{self, Input, Reading, Steps, Work};
use crate::progress::Progress;
use crate::trees::{self, TOO_LARGE};

/// Places of games, each with something that belongs to it.
pub(super) struct Places<T> {
    /// By the name of the file and the offset of the game.
    games: HashMap<String, HashMap<u64, T>>,
    /// Files that hold them, and archives that hold such files.
    files: HashSet<String>,
}

impl<T> Places<T> {
    pub(super) fn new() -> Self {
        Places { games: HashMap::new(), files: HashSet::new() }
    }

    /// Adds a game. One on standard input cannot be read again.
    pub(super) fn add(&mut self, games: &Games, game: &Game, with: T) {
        if games.file(game).is_stdin {
            return;
        }
        let name = games.name(game);
        self.files.extend(Name::archives_of(name.as_str()).chain([name.as_str()]).map(str::to_owned));
        self.games.entry(name.as_str().to_owned()).or_default().insert(game.offset, with);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// The games of a file.
    pub(super) fn of_file(&self, name: &Name) -> Option<&HashMap<u64, T>> {
        self.games.get(name.as_str())
    }

    pub(super) fn wants(&self, path: &Path) -> bool {
        self.files.contains(Name::of(path).as_str())
    }
}

/// Reads games as trees, and makes something of each; takes the results in the order of the inputs.
pub(super) fn trees<T, M, R, E>(
    places: Places<T>,
    paths: &Paths,
    progress: &Arc<Progress>,
    make: M,
    mut take: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E>
where
    T: Send + Sync + 'static,
    M: Fn(GameTree, &T, OfGame) -> R + Send + Sync + 'static,
    R: Send + 'static,
{
    if places.is_empty() {
        return Ok(());
    }
    let too_large = |place| {
        progress.suspend(|| warn(format_args!("{place}: kept, and not compared with its copies: {TOO_LARGE}")));
        Ok(())
    };
    jobs::run(Trees { places, make }, paths, progress, |done| {
        done.into_iter().try_for_each(|made| made.map_or_else(too_large, &mut take))
    })
}

/// Like [`trees`], where nothing can fail.
pub(super) fn all_trees<T, M, R>(
    places: Places<T>,
    paths: &Paths,
    progress: &Arc<Progress>,
    make: M,
    mut take: impl FnMut(R),
) where
    T: Send + Sync + 'static,
    M: Fn(GameTree, &T, OfGame) -> R + Send + Sync + 'static,
    R: Send + 'static,
{
    let Ok(()) = trees::<_, _, _, Infallible>(places, paths, progress, make, |made| {
        take(made);
        Ok(())
    });
}

struct Trees<T, M> {
    places: Places<T>,
    make: M,
}

impl<T, M, R> Work for Trees<T, M>
where
    T: Send + Sync + 'static,
    M: Fn(GameTree, &T, OfGame) -> R + Send + Sync + 'static,
    R: Send + 'static,
{
    /// Or else the place of a game whose tree is too large.
    type Done = Vec<Result<R, String>>;

    fn begin(&self) -> Self::Done {
        Vec::new()
    }

    fn reading(&self) -> Reading {
        work::reading()
    }

    fn wants(&self, path: &Path) -> bool {
        self.places.wants(path)
    }

    fn read(&self, input: &Arc<Input>, games: jobs::Games<'_, '_>, done: &mut Steps<'_, Self::Done>) {
        let Some(wanted) = self.places.of_file(&input.name) else { return };
        let (mut reader, faults) = faults::counting(input, games);
        let mut only = Only { visitor: trees::builder(input), wants: |offset| wanted.contains_key(&offset) };
        while let Ok(Some((offset, tree))) = reader.read_game(&mut only) {
            let of_game = faults.take();
            if let (Some(tree), Some(with)) = (tree, wanted.get(&offset)) {
                let made = tree.map(|tree| (self.make)(tree, with, of_game));
                done.push(made.map_err(|_| place(&input.name, offset)));
            }
        }
    }
}
