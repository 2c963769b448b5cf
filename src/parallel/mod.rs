//! Processes games on all cores.
//!
//! | you have | you want | use |
//! |---|---|---|
//! | a stream, of any length | to process all games in constant memory, ordered or unordered | [`ParReader`], created by [`Parser::par_reader`] |
//! | a slice | to process all games in a parallel iterator of rayon | [`ParSlice`], created by [`Parser::par_slice`] |
//! | a stream, and your own threads | parts of whole games, to pass to them | [`Parts`], created by [`Parser::parts`], which does not need this feature |
//! | one huge file | byte ranges that can be read independently | [`Split`], created by [`Parser::split`] |
//! | a byte range of it | the games that belong to the range | [`ByteRange`], created by [`Split::range`] |
//!
//! ```
//! use std::collections::BTreeMap;
//! use sgf_stream::Parser;
//!
//! #[derive(serde::Deserialize)]
//! struct Game {
//!     #[serde(rename = "RE")]
//!     result: Option<String>,
//! }
//!
//! let collection = "(;FF[4]RE[B+R];B[qd];W[dc])\n(;FF[4]RE[W+0.5];B[dp])\n".repeat(10_000);
//! let mut results = BTreeMap::<String, u64>::new();
//! // Any `Read`: a file, a pipe, a decompressor.
//! for game in Parser::new().par_reader(collection.as_bytes()).games::<Game>() {
//!     *results.entry(game?.result.unwrap_or_default()).or_default() += 1;
//! }
//! assert_eq!(results["W+0.5"], 10_000);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Everything here works on [`Part`]s: some whole games and the bytes between them. To find their ends, [`Parts`] and
//! [`Split`] search for game starts, which are recognized from their own bytes. Only if none occurs for long, they
//! skip from game to game in sequence, because whether a `)` ends a game depends on the number of open parentheses,
//! and on whether it is in a text.
//!
//! [`Part`]: crate::parts::Part
//! [`Parts`]: crate::parts::Parts
//!
//! Reading the parts yields the games, events, offsets, lines and diagnostics of the whole. Work runs on the rayon
//! pool of the caller, or else on the global one. A thread of that pool may wait for results: it runs other tasks in
//! the meantime.
//!
//! The cookbook of the guide (package `sgf-guide`) has programs to copy.

#[cfg(feature = "serde")]
mod games;
mod reader;
mod slice;
mod split;
mod tasks;

#[cfg(feature = "serde")]
pub use games::ParGames;
pub use reader::{Map, ParReader};
pub use slice::ParSlice;
#[cfg(feature = "serde")]
pub use slice::ParSliceGames;
pub use split::{ByteRange, RangeReader, ReadAt, Split};
pub use tasks::Tasks;

use std::io::Read;

use crate::read::parser::Parser;

impl Parser {
    /// Returns a reader of a slice that uses all cores.
    pub fn par_slice<'a>(&self, bytes: &'a [u8]) -> ParSlice<'a> {
        ParSlice::new(self, bytes)
    }

    /// Returns a reader of a stream that uses all cores.
    pub fn par_reader<R: Read>(&self, inner: R) -> ParReader<R> {
        ParReader::new(self, inner)
    }

    /// Returns a splitter that cuts one huge file into parts of whole games.
    pub fn split<'s, S: ReadAt + ?Sized>(&self, source: &'s S) -> Split<'s, S> {
        Split::with(self.config.clone(), source)
    }
}
