//! Games as Rust values, with serde.
//!
//! A type says what it wants, and gets it while the bytes pass: no tree is built, and what the type
//! does not name is skipped by the tokenizer. Archives of any size are read in constant memory, and
//! a game that does not fit costs that game alone.
//!
//! ```
//! use sgf_stream::{Parser, de};
//! use sgf_stream::value::{GameResult, go};
//!
//! #[derive(serde::Deserialize)]
//! struct Game {
//!     #[serde(rename = "PB")]
//!     black: String,
//!     #[serde(rename = "RE")]
//!     result: Option<GameResult>,
//!     #[serde(rename = "$mainline")]
//!     moves: Vec<Step>,
//! }
//!
//! #[derive(serde::Deserialize, PartialEq, Debug)]
//! enum Step {
//!     B(go::Move),
//!     W(go::Move),
//!     #[serde(other)]
//!     Other,
//! }
//!
//! let archive = &b"(;FF[4]PB[Shusaku]RE[B+2];B[qd];W[dc]C[a comment](;B[pq])(;B[oc]))"[..];
//! // From a file: Parser::new().open(path)?
//! for game in Parser::new().reader(archive).games::<Game>() {
//!     let game = game?;
//!     assert_eq!((game.black.as_str(), game.result.unwrap().to_string()), ("Shusaku", "B+2".into()));
//!     assert_eq!(game.moves[1], Step::W(go::Move::parse("dc")?));
//!     assert_eq!(game.moves.len(), 3);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The [cookbook](crate::guide::cookbook) has programs to copy.
//!
//! # Which way in
//!
//! | you have | use |
//! |---|---|
//! | an archive | [`SliceReader::games`](crate::SliceReader::games), [`Reader::games`](crate::Reader::games): an iterator, with the options of a [`Parser`](crate::Parser) |
//! | one game, or a collection that fits in memory | [`from_slice`], [`from_str`], [`from_reader`] |
//! | code that is generic over formats | [`Deserializer`] |
//! | one node, from [`read_node`](crate::SliceReader::read_node) | [`NodeRecord::deserialize`](crate::NodeRecord::deserialize) |
//!
//! The functions want exactly one game, unless the type is a sequence or a tuple: then it is the
//! collection, and so it is for types that take anything (`serde_json::Value`, untagged enums).
//!
//! # What becomes what
//!
//! | SGF | Rust |
//! |---|---|
//! | collection | a sequence or tuple, at the top; or the iterator [`Games`] |
//! | game, variation | a struct or map of the root's properties; structs have [special keys](#games); or the sequence of the nodes of its main line, root included |
//! | node | a struct or map; or an [enum](#nodes) |
//! | property, one value | number, `bool` and `()` (it is there), `char`, string, bytes (raw), unit enum, newtype, a type of [`value`](crate::value) |
//! | property, several values | `Vec`, set, array, tuple |
//! | `a:b` | a tuple of two, or `[T; 2]`; a list of them a map too, or a struct of its keys |
//! | no such property | `None`, or a default: `#[serde(default)]` makes it `false` for a `bool`, and an empty list |
//! | `[]`, where the type has a blank form | that: `Some(String::new())`, the empty list of points, a pass, `true` |
//! | `[]` or `[ ]`, where it has none (numbers, dates, ranks, pairs) | as if it were not there: `None`, or the default; [see below](#blank-values) |
//! | a value that does not fit | an error, or, [by option](Games::lenient_fields), as if it were not there |
//! | what the type does not name | nothing: it is not decoded, and where possible not looked at |
//!
//! # Games
//!
//! A struct for a game names properties of its root, and any of these:
//!
//! | key | type | what |
//! |---|---|---|
//! | `$root` | a node | the root as a struct of its own, instead of, or beside, its properties inline |
//! | `$rest` | [`Properties`] | the root's properties that the struct does not name, raw |
//! | `$mainline` | a list of nodes | the nodes behind the root along first variations |
//! | `$nodes` | a list of nodes | the nodes behind the root up to the first branch |
//! | `$variations` | a list of games | the trees at that branch, each mapped in the same way |
//!
//! ```
//! #[derive(serde::Deserialize)]
//! struct Tree {
//!     #[serde(rename = "$root")]
//!     root: Node,
//!     #[serde(rename = "$nodes")]
//!     nodes: Vec<Node>,
//!     #[serde(rename = "$variations")]
//!     variations: Vec<Tree>,
//! }
//!
//! #[derive(serde::Deserialize)]
//! struct Node {
//!     #[serde(rename = "C")]
//!     comment: Option<String>,
//! }
//!
//! let game: Tree = sgf_stream::de::from_str("(;C[root];C[node](;B[aa])(;B[bb]C[other]))")?;
//! assert_eq!(game.nodes[0].comment.as_deref(), Some("node"));
//! assert_eq!(game.variations[1].root.comment.as_deref(), Some("other"));
//! # Ok::<(), sgf_stream::de::Error>(())
//! ```
//!
//! The stream passes once. So `$mainline`, which runs through the variations, cannot stand beside
//! `$nodes` or `$variations`; and trees that nest deeper than
//! [512 levels](Games::max_depth) are an error where the type follows them.
//!
//! A map cannot say which keys it wants, so it gets the properties of the root, and the rest of the
//! game is skipped. For serde, a struct with `#[serde(flatten)]` is a map: flatten inside of a
//! struct for `$root` if there is more to read. Beside a flattened field the keys with a `$` are not
//! given, and if they have a `#[serde(default)]`, that is what they are: serde does not say. (Of
//! `$mainline` it can be told, where the root has two properties that the struct does not name itself,
//! and is an error then.) To take in all other properties, `$rest` is the way, and not a flattened
//! [`Properties`], which is not exact. Types that take anything, as `serde_json::Value`
//! does, get the whole: properties, `$nodes` and `$variations` if there are any.
//!
//! ```
//! use std::collections::BTreeMap;
//!
//! // The main line, node by node; the root alone; everything.
//! let sgf = "(;SZ[9];B[aa](;W[bb])(;W[cc]))";
//! let line: Vec<Vec<BTreeMap<String, String>>> = sgf_stream::de::from_str(sgf)?;
//! assert_eq!(line[0][2]["W"], "bb");
//! let root: BTreeMap<String, String> = sgf_stream::de::from_str(sgf)?;
//! assert_eq!(root["SZ"], "9");
//! let games: serde_json::Value = sgf_stream::de::from_str(sgf)?;
//! assert_eq!(games[0]["$variations"][1]["W"], "cc");
//! # Ok::<(), sgf_stream::de::Error>(())
//! ```
//!
//! # Nodes
//!
//! A struct names properties (`#[serde(rename = "AB")]`), and `$rest` if it wants the others too. An
//! enum is the first property, in the order of the file, that is one of its variants; a variant
//! without data asks only that it is there, and `#[serde(other)]` takes nodes that have none. A
//! property that a node has twice is one, with the values of both. Names are those of
//! [`Ident::name`](crate::Ident::name): `CoPyright` is `CP`.
//!
//! # Values
//!
//! What a value is follows from the type, and where that leaves a choice from the
//! [registry](crate::property), in the game, version and board of the root; never from its looks.
//!
//! * **Numbers** are those of FF\[4\], with white space around them: what
//!   [`Number::parse_lenient`](crate::value::Number::parse_lenient) reads, and all that 64 and 128 bits hold. A
//!   float is what [`Real::parse_lenient`](crate::value::Real::parse_lenient) reads, `.5`, `7.` and `6,5` too; in strict mode, what
//!   [`Real::parse`](crate::value::Real::parse) does. `6,500` is refused: it may be thousands or thousandths.
//! * **Strings** are read by the rules of the registry: Text keeps line breaks, SimpleText has none,
//!   what is not in the registry is read as Text. `&str` and `Cow` (with `#[serde(borrow)]`) borrow
//!   from a slice where nothing changes; a `&str` where something does is an error.
//! * **Typed values** of [`value`](crate::value) are read from the raw value, leniently.
//! * **Several values for a scalar**: texts (`C`, `GC`) are joined by a blank line; of others the first is
//!   taken, and [`Code::ExtraValues`](crate::Code::ExtraValues) reported to who listens.
//! * **Point lists** (`AB`, `TR`, `DD` …) come point by point: rectangles are expanded, to at most
//!   1,000,000 points a list and 4,000,000 a game. A list of [`Rect`](crate::value::Rect) is given them as they are. `[]` alone is
//!   the empty list.
//! * **Compositions** split at the first bare colon. `(A, B)` and `[T; 2]` look alike to serde, so
//!   the registry decides: a single composition (`AP`) splits; a list (`LB`) is a list, of
//!   elements that split; of an unknown property one value splits, and several are a list.
//!   `SZ[19]` splits into 19 and 19.
//! * **Anything** (`deserialize_any`: flattened and untagged types, `Value`) is a list, an `i64`, an
//!   `f64` or a string, by the registry; a list of strings, if it is unknown.
//! * [`invalid_option`] makes `None` of a value that does not fit, [`invalid_default`] the default of its type,
//!   and [`Games::lenient_fields`] does it for all fields.
//!
//! ```
//! use std::collections::BTreeMap;
//! use sgf_stream::value::go::Point;
//!
//! #[derive(serde::Deserialize)]
//! struct Position {
//!     #[serde(rename = "AB", default)]
//!     black: Vec<Point>,
//!     #[serde(rename = "LB", default)]
//!     labels: BTreeMap<Point, String>,
//!     #[serde(rename = "AP")]
//!     program: Option<(String, String)>,
//!     #[serde(rename = "PL")]
//!     to_play: Color,
//! }
//!
//! #[derive(serde::Deserialize, PartialEq, Debug)]
//! enum Color { B, W }
//!
//! let position: Position = sgf_stream::de::from_str("(;AB[aa:bb]LB[cc:A]AP[CGoban:3]PL[W])")?;
//! assert_eq!(position.black.len(), 4);
//! assert_eq!(position.labels[&Point::parse("cc")?], "A");
//! assert_eq!(position.program.unwrap().1, "3");
//! assert_eq!(position.to_play, Color::W);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Blank values
//!
//! Programs write `DT[]` where they know no date. Whether that is a value only the type can tell: each is asked
//! first what it makes of it. A text is empty then, a move is a pass, a list of points has none, a
//! [`GameResult`](crate::value::GameResult) or [`Application`](crate::value::Application) says what its own page says. A type that
//! makes nothing of it, as numbers, dates, ranks, colours and pairs do not, is asked again as if the property were
//! not there: an `Option` is `None`, a field with `#[serde(default)]` is its default, an entry of a map is left
//! out. A field that has to be there is an error, which says what did not fit.
//!
//! ```
//! use sgf_stream::value::{Dates, go};
//!
//! #[derive(serde::Deserialize, PartialEq, Debug)]
//! struct Node {
//!     #[serde(rename = "DT")]
//!     dates: Option<Dates>,
//!     #[serde(rename = "HA", default)]
//!     handicap: u8,
//!     #[serde(rename = "PB")]
//!     black: Option<String>,
//!     #[serde(rename = "B")]
//!     play: Option<go::Move>,
//! }
//!
//! let node: Node = sgf_stream::de::from_str("(;DT[]HA[ ]PB[]B[])")?;
//! let pass = Some(go::Move::Pass);
//! assert_eq!(node, Node { dates: None, handicap: 0, black: Some(String::new()), play: pass });
//! # Ok::<(), sgf_stream::de::Error>(())
//! ```
//!
//! Defaults need a type that can be asked twice: `T::deserialize(&mut deserializer)` cannot ask again for the game
//! itself, but [`Deserializer::read`] can, and so do all functions and iterators of this module. What serde
//! buffers before it knows the type (flattened and untagged types) is texts and numbers by then, and `""` is no date.
//!
//! # Charsets
//!
//! Texts are UTF-8, with replacement, unless `Parser::charset` (feature `charset`) says otherwise:
//! then each game is read in its own charset, by its `CA`, and bad bytes are diagnostics or errors.
//! `from_str` is UTF-8, whatever `CA` says. A byte-order mark at the start speaks for all games of the
//! stream: it is about the file, and who saved it so saved all of it so. Files that were put together byte
//! by byte are better read one by one. To write what was read in another charset, see
//! [`Serializer::replace_charset`](crate::ser::Serializer::replace_charset).
//!
//! # Errors
//!
//! An [`Error`] names game, node, property and byte. In the iterator it costs its game, be it one of
//! the data or, in strict mode, of the syntax; an I/O error ends it. A game that the end of the data
//! cuts off is an error in both modes, and the last item: an archive that was cut while it was
//! copied gives the games in front of the cut, and says so. Only a `(` at the very end, without
//! `;`, may be text, in lenient mode.
//!
//! `#[serde(deny_unknown_fields)]` has no effect, since fields that a struct does not name do not
//! reach it; ask for `$rest`, and look.
//!
//! With a listener, findings about values ([`ExtraValues`](crate::Code::ExtraValues), bad bytes) have
//! the position of their node; [`InvalidField`](crate::Code::InvalidField) has its own. Where lines are counted, errors have
//! [line and column](Error::position) too.

mod again;
mod error;
mod feed;
mod games;
mod methods;
mod node;
mod points;
mod properties;
mod property;
mod short;
mod stream;
mod texts;
mod tree;
mod value;

use serde::de::{Deserialize, Deserializer as SerdeDeserializer};

pub use error::{Category, Error, Result};
pub use games::{Deserializer, Games, from_reader, from_slice, from_str};
use methods::{answer, answer_one, answer_scalars, hand_on, hand_on_one, with_parameters};
pub use properties::Properties;
#[cfg(feature = "codec")]
pub(crate) use stream::MAX_DEPTH;
pub use stream::Source;

/// Turns a value that does not fit into `None`, for `#[serde(deserialize_with)]`.
///
/// ```
/// #[derive(serde::Deserialize)]
/// struct Game {
///     #[serde(rename = "KM", default, deserialize_with = "sgf_stream::de::invalid_option")]
///     komi: Option<f32>,
/// }
///
/// let games: Vec<Game> = sgf_stream::de::from_str("(;KM[6.5])(;KM[six])(;)")?;
/// assert_eq!(games.iter().map(|game| game.komi).collect::<Vec<_>>(), [Some(6.5), None, None]);
/// # Ok::<(), sgf_stream::de::Error>(())
/// ```
///
/// `default` is for games without the property. A failure of the stream is one all the same: it is
/// remembered, and given for the game.
///
/// # Errors
///
/// None.
pub fn invalid_option<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: SerdeDeserializer<'de>,
    Option<T>: Deserialize<'de>,
{
    Ok(Option::<T>::deserialize(deserializer).unwrap_or(None))
}

/// Turns a value that does not fit into the default of its type, for `#[serde(deserialize_with)]`.
///
/// ```
/// #[derive(serde::Deserialize)]
/// struct Game {
///     #[serde(rename = "HA", default, deserialize_with = "sgf_stream::de::invalid_default")]
///     handicap: u8,
/// }
///
/// let games: Vec<Game> = sgf_stream::de::from_str("(;HA[2])(;HA[two])(;)")?;
/// assert_eq!(games.iter().map(|game| game.handicap).collect::<Vec<_>>(), [2, 0, 0]);
/// # Ok::<(), sgf_stream::de::Error>(())
/// ```
///
/// `default` is for games without the property. [`Games::lenient_fields`] does this for all fields at once, and
/// reports them.
///
/// # Errors
///
/// None.
pub fn invalid_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: SerdeDeserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Ok(T::deserialize(deserializer).unwrap_or_default())
}
