//! Several games in one value, and reading games from bytes.

use std::io::{self, BufRead, Write};
use std::str::FromStr;

use super::{GameTree, TooLongError, TreeBuilder};
use crate::read::parser::Parser;
use crate::syntax::diagnostic::{Code, Position};
use crate::syntax::error::{Error, SyntaxError};
use crate::write::{WriteError, Writer};

/// Error from reading bytes as a tree.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TreeError {
    /// The bytes are not SGF: the first syntax error in strict mode, or no game.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    /// Reading failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A game is too long.
    #[error(transparent)]
    TooLong(#[from] TooLongError),
    /// More than one game, where one was expected.
    #[error("expected one game, found a second; use `Collection` for several games")]
    SeveralGames,
}

impl From<Error> for TreeError {
    fn from(error: Error) -> Self {
        match error {
            Error::Syntax(error) => TreeError::Syntax(error),
            Error::Io(error) => TreeError::Io(error),
        }
    }
}

/// Returns a parser of data that is in memory: no value is too long, as long as the tree has room.
fn parser_of_slice() -> Parser {
    Parser::new().max_value_len(usize::MAX)
}

/// Reads the only game of a slice.
pub(super) fn only_game(bytes: &[u8]) -> Result<GameTree, TreeError> {
    let mut reader = parser_of_slice().slice(bytes);
    let game = reader.read_game(&mut TreeBuilder::new())?;
    debug_assert!(game.is_some(), "a reader without games returns an error");
    let game = game.ok_or(SyntaxError::new(Code::NoSgfData, Position::START))??;
    if reader.skip_game()? { Err(TreeError::SeveralGames) } else { Ok(game) }
}

/// The games of a file, all in memory.
///
/// ```
/// use sgf_stream::tree::Collection;
///
/// let mut games: Collection = "(;PB[Shusaku];B[qd])(;PB[Shuei];B[dp])".parse()?;
/// games.games.retain(|game| game.root().text("PB").is_some_and(|name| name == "Shuei"));
/// assert_eq!(games.to_vec()?, b"(;PB[Shuei];B[dp])\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Collection {
    /// The games, in the order of the file.
    pub games: Vec<GameTree>,
}

impl Collection {
    /// Reads the games of a slice leniently. For options, or one game at a time, use a [`TreeBuilder`].
    ///
    /// Values may have any length, as long as the tree has [room](TreeBuilder::max_len).
    ///
    /// # Errors
    ///
    /// Fails if there is no game, or if one is too long.
    pub fn from_slice(bytes: &[u8]) -> Result<Self, TreeError> {
        let (mut reader, mut builder, mut games) = (parser_of_slice().slice(bytes), TreeBuilder::new(), Vec::new());
        while let Some(game) = reader.read_game(&mut builder)? {
            games.push(game?);
        }
        Ok(Collection { games })
    }

    /// Reads the games of a stream leniently.
    ///
    /// Values may have any length, as long as the tree has [room](TreeBuilder::max_len).
    ///
    /// # Errors
    ///
    /// Fails if there is no game, if one is too long, or if the stream cannot be read.
    pub fn from_reader(reader: impl BufRead) -> Result<Self, TreeError> {
        let (mut reader, mut builder, mut games) =
            (Parser::new().value_parts(true).reader(reader), TreeBuilder::new(), Vec::new());
        while let Some(game) = reader.read_game(&mut builder)? {
            games.push(game?);
        }
        Ok(Collection { games })
    }

    /// Returns the games.
    pub fn as_slice(&self) -> &[GameTree] {
        &self.games
    }

    /// Writes all games, in the form of the writer.
    ///
    /// # Errors
    ///
    /// Fails if [`GameTree::write`] does.
    pub fn write<W: Write>(&self, writer: &mut Writer<W>) -> Result<(), WriteError> {
        self.games.iter().try_for_each(|game| game.write(writer))
    }

    /// Returns all games as SGF, as an [exact copy](crate::write#exact-copy).
    ///
    /// # Errors
    ///
    /// Fails if [`GameTree::to_vec`] does.
    pub fn to_vec(&self) -> Result<Vec<u8>, WriteError> {
        let mut writer = Writer::new(Vec::new());
        self.write(&mut writer)?;
        writer.finish()
    }
}

impl AsRef<[GameTree]> for Collection {
    fn as_ref(&self) -> &[GameTree] {
        self.as_slice()
    }
}

impl FromIterator<GameTree> for Collection {
    fn from_iter<I: IntoIterator<Item = GameTree>>(games: I) -> Self {
        Collection { games: games.into_iter().collect() }
    }
}

impl IntoIterator for Collection {
    type Item = GameTree;
    type IntoIter = std::vec::IntoIter<GameTree>;

    fn into_iter(self) -> Self::IntoIter {
        self.games.into_iter()
    }
}

impl<'c> IntoIterator for &'c Collection {
    type Item = &'c GameTree;
    type IntoIter = std::slice::Iter<'c, GameTree>;

    fn into_iter(self) -> Self::IntoIter {
        self.games.iter()
    }
}

/// See [`Collection::from_slice`].
impl FromStr for Collection {
    type Err = TreeError;

    fn from_str(text: &str) -> Result<Self, TreeError> {
        Collection::from_slice(text.as_bytes())
    }
}
