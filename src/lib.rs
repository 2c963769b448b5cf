//! Reads and writes SGF, the Smart Game Format, in which Go, Hex, backgammon and other games are recorded.
//!
//! Collections of games are large, and many of the games in them are malformed. This crate streams files of any size in
//! constant memory, repairs malformed games instead of giving up on them, and reports each repair with line and column.
//! Games deserialize straight into your own structs, or arrive as events, nodes or trees. Values are decoded and copied
//! only on demand.
//!
//! The command `sgf` (package `sgf-cli`) checks, repairs, converts, searches and splits files without any code.
//!
//! ```
//! use sgf_stream::{Event, Parser};
//!
//! let collection = br"(;FF[4]GM[1]PB[Shusaku]PW[Gennan];B[qd];W[dc](;B[pq])(;B[oc]C[a variation]))
//!                     (;FF[4]GM[1]PB[Shuei]PW[Yasui];B[dp])";
//!
//! let (mut games, mut moves, mut depth) = (0, 0, 0);
//! Parser::new().parse(collection, |event, _offset| match event {
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
//! # Choosing an API
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
//! | a stream, and your own threads | parts of whole games, to pass to them | [`Parser::parts`] |
//! | a directory, an archive, or many files | their games as Rust values, on all cores | `Files` of the package `sgf-input` (feature `games`) |
//! | one huge file | offsets to split it at, or the games of a byte range | `Parser::split` (feature `parallel`) |
//! | a collection that is read repeatedly | its `n`th game, without parsing the others | [`GameIndex`] |
//! | collections | tables to query, with typed columns | the package `sgf-table`; as Arrow record batches and Parquet files: `sgf-arrow` |
//! | files that may be malformed | to report and repair what is wrong | the package `sgf-check` |
//! | games | their positions | the package `sgf-board` |
//! | a raw value | its typed value | [`value`], and [`property`] for the type |
//! | texts in charsets other than UTF-8 | strings | the module `charset` (feature `charset`) |
//! | a slice | to edit it in place, byte for byte | [`write::Splicer`] with [`SliceReader::with_spans`] |
//! | events, Rust values, or trees | to write SGF | [`mod@write`], the module `ser`, [`tree::GameTree::to_vec`] |
//!
//! A [`Parser`] holds the configuration and creates all readers. All readers agree: the same bytes yield the same events,
//! offsets, diagnostics and errors, regardless of the reader and of how the bytes are chunked.
//!
//! The guide (package `sgf-guide`) has a tutorial, a cookbook of programs to copy, pages on tasks such as broken files,
//! duplicates and machine learning, and a glossary.
//!
//! # Features
//!
//! | feature | adds | methods of [`Parser`] |
//! |---|---|---|
//! | `serde` (default) | the modules `de` and `ser`: games as Rust values, in both directions; `Serialize` and `Deserialize` for typed values and trees, `Serialize` for [`Diagnostic`], [`Code`], [`Severity`], [`Position`] | |
//! | `tree` | the module [`tree`]: games in memory, to traverse, edit and write | |
//! | `codec` | the module `codec`: tokio codecs for events, games and Rust values | `event_codec`, `event_list_codec`, `game_codec`, `event_stream`, `event_list_stream`, `game_stream`; with `serde` also `record_codec`, `record_stream` |
//! | `charset` | the module `charset`: texts in charsets other than UTF-8, according to `CA`, a byte-order mark or detection; transcoding readers | `charset` |
//! | `parallel` | the module `parallel`: games on all cores, in order and in constant memory; splitting of huge files | `par_reader`, `par_slice`, `split` |
//!
//! If a method is missing, enable its feature. The method `games` of readers needs `serde`.
//!
//! A feature adds items, and never changes the behavior of existing calls. The standard library is required: the crate
//! is not `no_std`.
//!
//! Without features, the crate has events, nodes, readers, writers, typed values and the registry of properties. A
//! feature costs time whenever the crate is compiled from scratch: `benches/README.md` has the figures, and
//! `benches/compile.sh` prints them.
//!
//! # Other packages
//!
//! | package | contents |
//! |---|---|
//! | `sgf-board` | positions of all nodes, legal moves, fingerprints of games, diagrams |
//! | `sgf-table` | rows of games, moves and properties, with typed columns; facts about games; what engines write |
//! | `sgf-check` | the rules of the specification, repairs, and the canonical form of whole files |
//! | `sgf-cli` | the command `sgf` |
//! | `sgf-input` | files, directories, archives and compressed files; with the feature `games`, their games as Rust values on all cores |
//! | `sgf-arrow` | the tables of `sgf-table` as Apache Arrow record batches and Parquet files |
//! | `sgf-training` | positions as training data: planes, targets, shuffling, shards |
//! | `sgf-search` | positions and patterns, what was played next, openings; indexes of archives |
//! | `sgf-sql` | SQL over collections, built on Apache DataFusion |
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
// Without a feature, some code of the layers below is unused, and links to its items are broken.
#![cfg_attr(
    not(all(feature = "charset", feature = "codec", feature = "parallel", feature = "serde", feature = "tree")),
    allow(dead_code, unused_imports, rustdoc::broken_intra_doc_links)
)]

#[cfg(feature = "charset")]
pub mod charset;
#[cfg(feature = "codec")]
pub mod codec;
#[cfg(feature = "serde")]
pub mod de;
pub mod node;
#[cfg(feature = "parallel")]
pub mod parallel;
pub mod property;
mod raw;
mod read;
#[cfg(feature = "serde")]
pub mod ser;
#[cfg(feature = "serde")]
mod stack;
mod syntax;
#[cfg(feature = "tree")]
pub mod tree;
pub mod value;
#[doc(hidden)]
pub mod work;
pub mod write;

#[cfg(feature = "serde")]
pub use de::deserializer::{from_reader, from_slice, from_str};
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
pub use syntax::fault::{Code, Repair, Severity, UnknownCodeError};
pub use syntax::flow::Flow;
pub use syntax::lines::{LineCounter, LineIndex};
pub use value::game::Game;

/// Items for the other packages of this project.
///
/// They may change in every version.
#[doc(hidden)]
pub mod internal {
    #[cfg(feature = "charset")]
    pub use crate::charset::detect::tells_charset;
    pub use crate::node::batch::{MOVE_WEIGHT, WEIGHT};
    pub use crate::node::moves::{EIGHT, GROUP, MoveNode, Moves, count_moves, eight_times, move_of};
    pub use crate::node::root::HeldRoot;
    pub use crate::property::canonical::{InNode, canonical, says_more};
    pub use crate::property::facts::{Drawing, OneOf};
    pub use crate::property::text_rule::TextRule;
    pub use crate::raw::unescape::{is_plain, plain_ascii};
    pub use crate::raw::{BOM, is_white_space, trim, trim_end};
    pub use crate::read::parts::{LongGame, Meets, Next};
    pub use crate::syntax::fault::{Level, Row};
    pub use crate::syntax::simd::SimdLevel;
    pub use crate::syntax::tokenizer::declared::Given;
    pub use crate::syntax::tokenizer::head::{Follows, HeadScan, find as find_head};
    pub use crate::value::games::go::{SmallBoard, column_name};
    pub use crate::value::number::short_decimal;
    pub use crate::value::points::budget::Budget;
    pub use crate::value::typed::trim as trim_value;
    pub use crate::write::edit::{Edit, apply};
}

/// Compiles the examples of the README.
#[cfg(all(doctest, feature = "serde"))]
#[doc = include_str!("../README.md")]
struct Readme;
