//! A streaming, event-based parser for the Smart Game Format (SGF).
//!
//! SGF is the record format of Go, Hex, backgammon and other games.
//!
//! The parser reads archives of any size in constant memory, from any source of bytes. A fault in one game never
//! affects another. Values are decoded and copied only on demand.
//!
//! ```
//! use sgf_stream::{Event, Parser};
//!
//! let archive = br"(;FF[4]GM[1]PB[Shusaku]PW[Gennan];B[qd];W[dc](;B[pq])(;B[oc]C[a variation]))
//!                  (;FF[4]GM[1]PB[Shuei]PW[Yasui];B[dp])";
//!
//! let (mut games, mut moves, mut depth) = (0, 0, 0);
//! Parser::new().parse(archive, |event, _offset| match event {
//!     Event::StartTree => {
//!         games += usize::from(depth == 0);
//!         depth += 1;
//!     }
//!     Event::EndTree => depth -= 1,
//!     Event::Property(ident) if ident == "B" || ident == "W" => moves += 1,
//!     _ => {}
//! })?;
//! assert_eq!((games, moves), (2, 5));
//! # Ok::<(), sgf_stream::SyntaxError>(())
//! ```
//!
//! # Choosing an entry point
//!
//! | you have | you want | use |
//! |---|---|---|
//! | a slice | to call a closure with every event (the fastest) | [`Parser::parse`] |
//! | a slice | an iterator of events that borrow from it | [`SliceReader`] |
//! | a file, a pipe, or another `BufRead` | events, one at a time, in constant memory | [`Reader`] |
//! | chunks, as they arrive | to call a closure with every event | [`PushParser`] |
//! | a socket, or another `AsyncRead` | a `Stream` of events, games or Rust values | the module `codec` (feature `codec`) |
//! | any of these | whole nodes with their properties | [`NodeRecord`] |
//! | any of these | games as Rust values, with serde | the module `de` (feature `serde`) |
//! | any of these | whole games, skipping irrelevant parts | a [`Visitor`]: [`Reader::read_game`], [`PushGames`] |
//! | any of these | games in memory, to traverse and edit | [`tree`] (feature `tree`) |
//! | a slice or a stream, and several cores | any of this, in parallel | the module `parallel` (feature `parallel`) |
//! | a stream, and threads of your own | whole games to give to them | [`Parser::parts`] |
//! | one huge file | places to split it, or the games of a byte range | `Parser::split` (feature `parallel`) |
//! | an archive that is read repeatedly | its `n`th game, without parsing the others | [`GameIndex`] |
//! | archives | tables to query: typed columns; record batches of Arrow and Parquet files with the package `sgf-arrow` | [`table`] (feature `table`) |
//! | files that may be faulty | to report and repair their faults | [`check`] (feature `check`) |
//! | a raw value | its typed value | [`value`], and [`property`] for the type |
//! | texts in charsets other than UTF-8 | strings | the module `charset` (feature `charset`) |
//! | events, Rust values, or trees | to write SGF | [`mod@write`], the module `ser`, [`tree::GameTree::to_vec`] |
//!
//! If the compiler does not find a method of [`Parser`], its feature is off: `charset` needs `charset`; `par_reader`,
//! `par_slice` and `split` need `parallel`; `event_stream`, `game_stream` and `record_stream` need `codec`; `table` needs
//! `table`, `rewriter` needs `rewrite`, and `fixer` needs `check`.
//!
//! A [`Parser`] holds the configuration and creates all readers. All readers agree: equal bytes yield equal events,
//! offsets, diagnostics and errors, whichever reader you use and however the bytes are chunked.
//!
//! # The guide
//!
//! | page | contents |
//! |---|---|
//! | [tutorial](guide::tutorial) | your first hour: from one file to an archive of gigabytes |
//! | [cookbook](guide::cookbook) | programs to copy |
//! | [tables](guide::tables) | games in DuckDB, Polars, pandas and other engines |
//! | [sql](guide::sql) | SQL over archives, from the command line and from Rust |
//! | [cluster](guide::cluster) | SQL on several machines |
//! | [pictures](guide::pictures) | boards as pictures, one file for each game, a page of an archive |
//! | [charsets](guide::charsets) | texts in charsets other than UTF-8 |
//! | [repairs](guide::repairs) | how lenient parsing treats faulty files, and how tools repair them |
//! | [limits](guide::limits) | memory, time, and untrusted input |
//! | [architecture](guide::architecture) | the structure of the crate, and how to change it |
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `serde` (default) | the modules `de` and `ser`: games as Rust values, in both directions; `Serialize` and `Deserialize` for typed values and trees, `Serialize` for [`Diagnostic`], [`Code`], [`Severity`], [`Position`] |
//! | `tree` | the module [`tree`]: games in memory, to traverse, edit and write |
//! | `board` | the module [`board`]: positions, fingerprints of games, diagrams |
//! | `table` | the module [`table`]: rows of games, moves and properties, with typed columns; needs `board` |
//! | `rewrite` | `Parser::rewriter`: repairs of syntax, and whole files in canonical form |
//! | `check` | the module [`check`]: the rules of the specification, and repairs; needs `board` and `rewrite` |
//! | `codec` | the module `codec`: events, games and Rust values from and to tokio's byte streams |
//! | `charset` | the module `charset`: texts in charsets other than UTF-8, by `CA`, byte-order mark or detection; transcoding readers |
//! | `parallel` | the module `parallel`: games on all cores, in order and in constant memory; splitting of huge files |
//!
//! A feature adds items, and never changes the behavior of existing calls. The standard library is required (`std`): there
//! is no `no_std` build.
//!
//! Without features there are events, nodes, readers, writers, typed values and the registry of properties. What a
//! feature costs each time the crate is compiled from scratch, in CPU seconds (`benches/compile.sh`; the same machine takes 4
//! and 5 for `csv`):
//!
//! | features | debug | release | packages |
//! |---|--:|--:|--:|
//! | none | 15 | 26 | 5 |
//! | `serde`, the default | 20 | 35 | 7 |
//!
//! # Other packages
//!
//! | package | contents |
//! |---|---|
//! | `sgf-cli` | the command `sgf` |
//! | `sgf-arrow` | the tables of [`table`] as record batches of Apache Arrow, and as Parquet files |
//! | `sgf-sql` | SQL over archives, by DataFusion |
//!
//! # Other crates in the API
//!
//! | crate | where it appears | feature |
//! |---|---|---|
//! | `bytes` 1 | the payloads of [`OwnedEvent`], the games of `GameCodec` | |
//! | `serde` 1 | `Deserialize` and `Serialize` | `serde` |
//! | `tokio` 1, `tokio-util` 0.7 | `AsyncRead`; `Decoder`, `Encoder`, `FramedRead` | `codec` |
//! | `encoding_rs` 0.8 | `Charset::encoding` | `charset` |
//! | `rayon` 1 | `ParSlice` is an `IntoParallelIterator` | `parallel` |
//!
//! Upgrading one of these to an incompatible version is a breaking change of this crate. All other dependencies are
//! private.

#![cfg_attr(docsrs, feature(doc_cfg))]
// Without a feature, what it needs of the layers below is unused, and links to it lead nowhere.
#![cfg_attr(
    not(all(
        feature = "charset",
        feature = "check",
        feature = "codec",
        feature = "parallel",
        feature = "serde",
        feature = "table",
        feature = "tree"
    )),
    allow(dead_code, unused_imports, rustdoc::broken_intra_doc_links)
)]

#[cfg(feature = "board")]
pub mod board;
#[cfg(feature = "charset")]
pub mod charset;
#[cfg(feature = "check")]
pub mod check;
#[cfg(feature = "codec")]
pub mod codec;
#[cfg(feature = "serde")]
pub mod de;
#[cfg(any(doc, doctest))]
pub mod guide;
pub mod node;
#[cfg(feature = "parallel")]
pub mod parallel;
pub mod property;
mod raw;
mod read;
#[cfg(feature = "serde")]
pub mod ser;
mod syntax;
#[cfg(feature = "table")]
pub mod table;
#[cfg(feature = "tree")]
pub mod tree;
pub mod value;
mod work;
pub mod write;

#[cfg(feature = "serde")]
pub use de::games::{from_reader, from_slice, from_str};
pub use node::record::NodeRecord;
pub use raw::RawValue;
pub use read::index::GameIndex;
pub use read::parser::Parser;
pub use read::parts;
pub use read::push::{PushGames, PushParser};
pub use read::reader::Reader;
pub use read::sink::EventSink;
pub use read::slice::SliceReader;
pub use read::visit::{Skip, Variation, Visitor};
#[cfg(feature = "serde")]
pub use ser::games::{to_string, to_vec, to_writer};
pub use syntax::diagnostic::{Diagnostic, DiagnosticLog, Position};
pub use syntax::error::{Error, SyntaxError};
pub use syntax::event::{CutValue, Event, Ident, OwnedEvent, PartEnd, ValuePart};
pub use syntax::fault::{Code, Repair, Severity, UnknownCode};
pub use syntax::flow::Flow;
pub use syntax::lines::LineCounter;
#[doc(hidden)]
pub use syntax::simd::SimdLevel;
pub use value::game::Game;

/// Compiles the examples of the README.
#[cfg(all(doctest, feature = "serde"))]
#[doc = include_str!("../README.md")]
struct Readme;
