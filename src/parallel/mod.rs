//! Games on all cores.
//!
//! | you have | you want | use |
//! |---|---|---|
//! | a stream, of any length | something done with all games, in constant memory, in order or as it comes | [`ParReader`], made by [`Parser::par_reader`] |
//! | a slice | the same, as a parallel iterator of rayon's | [`ParSlice`], made by [`Parser::par_slice`] |
//! | a stream, and threads of your own | whole games to give to them | [`Parts`], made by [`Parser::parts`] |
//! | one huge file | the byte ranges at which others may read it | [`Split`], made by [`Parser::split`] |
//! | a byte range of it | the games that belong to it | [`ByteRange`], made by [`Split::range`] |
//! | many small files | tasks whose results come back in order | [`Tasks`] |
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
//! let archive = "(;FF[4]RE[B+R];B[qd];W[dc])\n(;FF[4]RE[W+0.5];B[dp])\n".repeat(10_000);
//! let mut results = BTreeMap::<String, u64>::new();
//! // Any `Read`: a file, a pipe, a decompressor.
//! for game in Parser::new().par_reader(archive.as_bytes()).games::<Game>() {
//!     *results.entry(game?.result.unwrap_or_default()).or_default() += 1;
//! }
//! assert_eq!(results["W+0.5"], 10_000);
//! # Ok::<(), sgf_stream::de::Error>(())
//! ```
//!
//! All of it works on [`Part`]s: some whole games, and what stands between them. Where games end has to be known
//! first, and that is a matter of what stands in front: whether a `)` ends a game depends on how many brackets are
//! open, and whether it stands in a text. [`Parts`] finds it in sequence, by skipping from game to game at a good part
//! of memory's speed; that is all that is not done on all cores. [`Split`] looks for the heads of games, which are told
//! by their own bytes, and goes in sequence only where none comes for long.
//!
//! What is read of the parts is what is read of the whole: the same games, events, offsets, lines and diagnostics.
//! Threads are those of rayon's pool that the caller is in, or of the global one. A thread may be in the pool and wait
//! for results: it works meanwhile.
//!
//! The [cookbook](crate::guide::cookbook) has programs to copy.

#[cfg(feature = "serde")]
mod games;
mod long;
mod part;
mod parts;
mod reader;
mod slice;
mod split;
mod tasks;

#[cfg(feature = "serde")]
pub use games::ParGames;
pub use long::LongGame;
pub use part::Part;
pub use parts::{Next, Parts};
pub use reader::{Map, ParReader};
pub use slice::ParSlice;
pub use split::{ByteRange, RangeReader, ReadAt, Split};
pub use tasks::Tasks;

use std::io::Read;

use crate::read::parser::Parser;

impl Parser {
    /// A reader of a slice that does the work on all cores.
    pub fn par_slice<'a>(&self, bytes: &'a [u8]) -> ParSlice<'a> {
        ParSlice::new(self, bytes)
    }

    /// A reader of a stream that does the work on all cores.
    pub fn par_reader<R: Read>(&self, inner: R) -> ParReader<R> {
        ParReader::new(self, inner)
    }

    /// A stream, cut into parts of whole games.
    pub fn parts<R: Read>(&self, inner: R) -> Parts<R> {
        Parts::new(self, inner)
    }

    /// Where one huge file may be cut into parts of whole games, found by all cores.
    pub fn split<'s, S: ReadAt + ?Sized>(&self, source: &'s S) -> Split<'s, S> {
        Split::with(self.config.clone(), source)
    }
}
