//! Indexes: archives that are asked often.
//!
//! An index is a directory of Parquet files, which other programs can read too. Each row is the main line of a game, or
//! with variations another line of it:
//!
//! | column | content |
//! |---|---|
//! | `file`, `offset`, `game`, `size_x`, `size_y`, and others | as in the [table](sgf_table) `games` |
//! | `file_bytes` | the bytes of the name of the file, if they are not UTF-8 |
//! | `line` | 0 for the main line; variations count from 1 |
//! | `from`, `first_node` | the depth of the first node that no line before it has, and the number of that node in the game |
//! | `steps` | what happens in these nodes, as numbers of two bytes, the low one first: `kind * 2 * size_x * size_y + 2 * point + color`. Points count row by row; White is 1. Kind 0 is a node with a move, 1 a captured or removed stone, 2 a node that starts without a move, 3 a pass, 4 a stone that is set up, 5 and 6 a move and a pass after other changes of the node, 7 another move of a node with several |
//! | `p_aa`, `p_ba`, … | on 19x19, 13x13 and 9x9: when the first stone comes to the point. 1 is the root, 2 the node after it, and so on; negative for White, 0 if none comes |
//! | `later_points` | the points that change after that, since a stone was captured or replaced |
//!
//! A [search](Index::find) reads the columns of the points that its pattern names, and replays the lines that may have it.
//! It finds what a [`Search`](crate::Search) finds in the files themselves.
//!
//! Building takes memory for a row group of each thread and for some million positions, however many games there are. Until
//! the end it may take as much disk space again as the index.
//!
//! ```
//! use sgf_search::index::{Index, IndexOptions, IndexWriter, Stamp};
//! use sgf_search::{Pattern, Search};
//! use sgf_stream::Parser;
//!
//! # let directory = std::env::temp_dir().join(format!("sgf-search index {}", std::process::id()));
//! let games = &b"(;SZ[9]PB[Shusaku];B[gc];W[cc];B[ee])(;SZ[9];B[ee])"[..];
//! let mut writer = IndexWriter::open(&directory, &IndexOptions::new())?;
//! let (parser, reader) = (Parser::new(), writer.reader());
//! let rows = reader.read(&parser, "a.sgf", || parser.reader(games))?;
//! writer.write(rows)?;
//! writer.set_file("a.sgf", Stamp { size: games.len() as u64, modified: 0, hash: String::new() });
//! writer.finish()?;
//!
//! let index = Index::open(&directory)?;
//! let search = Search::new(Pattern::parse("(;SZ[9]AB[gc]AW[gg]VW[ea:ii])")?);
//! let mut found = Vec::new();
//! index.find(&search, &["PB"], |game| {
//!     found.push((game.file().to_owned(), game.offset(), game.hits()[0].ply(), game.text("PB")));
//! })?;
//! assert_eq!(found, [("a.sgf".to_owned(), 0, 2, Some("Shusaku".to_owned()))]);
//! # std::fs::remove_dir_all(&directory)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod batch;
mod checked;
mod error;
mod filter;
mod line;
mod manifest;
mod merge;
mod positions;
mod query;
mod segment;
mod sort;
mod writer;

use serde::{Deserialize, Serialize};

pub use self::error::IndexError;
pub use self::manifest::{Stamp, VERSION};
pub use self::positions::{MOST_MOVES, NextMoves, Position};
pub use self::query::{Index, IndexGame};
pub use self::writer::{IndexOptions, IndexReader, IndexRows, IndexRowsBuilder, IndexWriter, MAX_GAME, Written};

/// The numbers of games that were read for an index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct IndexedGames {
    /// All games.
    pub games: u64,
    /// Games other than Go, and those on a board larger than 52x52.
    pub without_board: u64,
    /// Games with too many variations to be indexed: see [`IndexOptions::variations`].
    pub too_large: u64,
    /// Games with unreadable values in the lines that are indexed.
    ///
    /// Among them are games with moves on a stone or off the board, and games whose setup names more than a million points.
    pub with_illegal_moves: u64,
}

impl IndexedGames {
    /// Adds the numbers of other games.
    pub fn add(&mut self, other: IndexedGames) {
        let IndexedGames { games, without_board, too_large, with_illegal_moves } = other;
        self.games += games;
        self.without_board += without_board;
        self.too_large += too_large;
        self.with_illegal_moves += with_illegal_moves;
    }
}
