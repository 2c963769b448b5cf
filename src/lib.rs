//! A streaming, event-based parser for the Smart Game Format (SGF), in which Go, Hex, backgammon
//! and other games are recorded.
//!
//! It reads archives of any size in constant memory, from any source of bytes; it never loses a
//! game to a fault in another; it copies nothing that nobody asked for.
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
//! # Which way in
//!
//! | you have | you want | use |
//! |---|---|---|
//! | a slice | a closure called with every event (the fastest) | [`Parser::parse`] |
//! | a slice | an iterator of events that borrow from it | [`SliceReader`] |
//! | a file, a pipe, any `BufRead` | events, one at a time, in constant memory | [`Reader`] |
//! | pieces, as they come | a closure called with every event | [`PushParser`] |
//! | a socket, or anything else that is `AsyncRead` | a `Stream` of events, of games or of Rust values | the module `codec` (feature `codec`): `Parser::event_stream`, `game_stream`, `record_stream` |
//! | any of these | whole nodes, with their properties | [`NodeRecord`]: [`SliceReader::read_node`], [`Reader::read_node`] |
//! | any of these | Rust values: games as structs, with serde | the module `de`: `SliceReader::games`, `Reader::games` |
//! | any of these | whole games, and to skip what does not matter | a [`Visitor`]: [`SliceReader::read_game`], [`Reader::read_game`], [`PushGames`] |
//! | any of these | games to walk and to edit, whole in memory | [`tree`] |
//! | files that may be wrong | to know what is wrong, and to have it repaired | [`check`]: [`check::Checker`], [`check::fix`] |
//! | a slice or a stream, and several cores | the same, on all of them | the module `parallel` (feature `parallel`): `Parser::par_slice`, `par_reader`, `split` |
//! | an archive, again and again | its `n`th game, at once | [`GameIndex`] |
//!
//! All of them are made from a [`Parser`], which holds the configuration, and all of them say the
//! same of the same bytes: the same events, offsets, diagnostics and errors, whatever the pieces.
//!
//! # Events
//!
//! An [`Event`] is `StartTree`, `Node`, `Property`, `Value` or `EndTree`. Values are
//! [raw](RawValue): the bytes between the brackets, escaped, in the file's own charset. Decoding
//! is up to whoever knows the property: [`RawValue::text`], [`RawValue::simple_text`],
//! [`RawValue::compose`].
//!
//! # Values
//!
//! [`property`] knows what a property is: its type, where it may stand, which versions and games
//! have it. [`value`] has a Rust type for every type of value: numbers, points and moves of each
//! game, point lists, dates, results, times.
//!
//! # Charsets
//!
//! SGF is bytes; each game says in `CA` which charset its texts are in. The parser hands out the
//! bytes as they are. Where it has to know the charset, it does: in Shift_JIS, Big5, GBK and
//! GB18030 the second byte of a character may be `]` or `\`, and values end where they really end,
//! in both modes and without any feature. Decoding is the caller's decision:
//! [`RawValue::text`] reads UTF-8, the module `charset` (feature `charset`) everything else.
//!
//! # Writing
//!
//! [`write::Writer`] takes events and writes SGF: byte for byte as they were read, or in canonical
//! form. Whatever the events, what it writes is sound. [`write::Rewriter`] copies a stream, and repairs its
//! syntax alone.
//!
//! # Trees
//!
//! [`tree::GameTree`] is a whole game in memory, built by a visitor: nodes with their parents and children,
//! typed properties, edits. It keeps all that events say, and gives them back.
//!
//! # Faults
//!
//! Real archives are full of faults. [`Parser::new`] is *lenient*: every input gives well-formed
//! events, and every repair is reported as a [`Diagnostic`] to whoever listens. [`Code`] lists
//! the faults and what is done about each. [`Parser::strict`] takes the FF\[4\] grammar at its
//! word and stops at the first fault with a [`SyntaxError`]; `read_game` and `skip_game` go on
//! with the next game even then.
//!
//! What the grammar does not know (two moves in a node, a point beside the board, a result that no program can
//! read) is found by [`check`], and repaired where that can be done without loss.
//!
//! Nothing panics, nothing recurses, and memory is bounded by the limits of the [`Parser`].
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `serde` (default) | `Serialize` for [`Diagnostic`], [`Code`], [`Severity`], [`Position`]; `Serialize` and `Deserialize` for typed values; the modules `de` and `ser`: games as Rust values, both ways |
//! | `codec` | the module `codec`: events, games and Rust values from tokio's streams of bytes, and back |
//! | `charset` | the module `charset`: texts in charsets other than UTF-8, by `CA`, byte-order mark or detection; readers that transcode |
//! | `parallel` | the module `parallel`: games on all cores, in order and in constant memory; places to cut a huge file |
//! | `cli` | the binary `sgf`: `scan`, `events`, `records`, `check`, `fmt`, `tree`, `values`, `split`, `synth` |

mod carry;
#[cfg(feature = "charset")]
pub mod charset;
pub mod check;
#[cfg(feature = "codec")]
pub mod codec;
#[cfg(feature = "serde")]
pub mod de;
mod diagnostic;
mod error;
mod event;
mod fault;
mod flow;
mod game;
mod index;
mod lines;
mod listener;
pub mod node;
#[cfg(feature = "parallel")]
pub mod parallel;
mod parser;
pub mod property;
mod pull;
mod push;
mod reader;
#[cfg(feature = "serde")]
pub mod ser;
mod slice;
mod tokenizer;
pub mod tree;
pub mod value;
mod visit;
mod work;
pub mod write;

#[cfg(feature = "serde")]
pub use de::{from_reader, from_slice, from_str};
pub use diagnostic::{Diagnostic, DiagnosticLog, Position};
pub use error::{Error, SyntaxError};
pub use event::{Event, Ident, OwnedEvent, PartEnd, ValuePart};
pub use fault::{Code, Repair, Severity, UnknownCode};
pub use flow::Flow;
pub use game::Game;
pub use index::{GameIndex, IndexEntry};
pub use lines::LineCounter;
pub use node::NodeRecord;
pub use parser::Parser;
pub use push::{PushGames, PushParser};
pub use reader::Reader;
#[cfg(feature = "serde")]
pub use ser::{to_string, to_vec, to_writer};
pub use slice::SliceReader;
pub use value::RawValue;
pub use visit::{Skip, Variation, Visitor};

/// The README's example compiles.
#[cfg(all(doctest, feature = "serde", feature = "codec", feature = "parallel"))]
#[doc = include_str!("../README.md")]
struct Readme;
