//! Deserializes games into Rust values with serde.
//!
//! Properties that the type names are decoded while the bytes are read: no tree is built, and the tokenizer skips
//! everything else. Collections of any size are read in constant memory, and a game that does not fit the type is one
//! error; the next game follows.
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
//!     #[serde(rename = "$line")]
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
//! let collection = &b"(;FF[4]PB[Shusaku]RE[B+2];B[qd];W[dc]C[a comment](;B[pq])(;B[oc]))"[..];
//! // From a file: Parser::new().open(path)?
//! for game in Parser::new().reader(collection).games::<Game>() {
//!     let game = game?;
//!     assert_eq!((game.black.as_str(), game.result.unwrap().to_string()), ("Shusaku", "B+2".into()));
//!     assert_eq!(game.moves[2], Step::W(go::Move::parse("dc")?));
//!     assert_eq!(game.moves.len(), 4); // the root is one of them
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The cookbook of the guide (package `sgf-guide`) has programs to copy.
//!
//! # Entry points
//!
//! | you have | use |
//! |---|---|
//! | a collection of any size | [`SliceReader::games`](crate::SliceReader::games), [`Reader::games`](crate::Reader::games): an iterator, with the options of a [`Parser`](crate::Parser) |
//! | one game, or a collection that fits in memory | [`from_slice`](crate::from_slice), [`from_str`](crate::from_str), [`from_reader`](crate::from_reader) |
//! | code that is generic over formats | [`Deserializer`] |
//! | games of another format, or events that a program changes | [`EventSource`] |
//! | a tree, or a node of it | [`GameTree::deserialize`](crate::tree::GameTree::deserialize), [`Node::deserialize`](crate::tree::Node::deserialize) |
//! | one node, from [`read_node`](crate::SliceReader::read_node) | [`NodeRecord::deserialize`](crate::NodeRecord::deserialize) |
//!
//! The functions expect exactly one game. Sequences, tuples, and types that accept anything (`serde_json::Value`) get the
//! whole collection. So does an untagged enum; if no variant fits the collection, `from_slice` and `from_str` read it
//! from the one game.
//!
//! # Mapping
//!
//! | SGF | Rust |
//! |---|---|
//! | collection | a sequence or tuple, at the top; or the iterator [`Games`] |
//! | game, variation | a struct or map of the root properties (structs also have [special keys](#games)), or the sequence of the nodes of its main line, root included |
//! | node | a struct or map; or an [enum](#nodes), such as [`Turn`] for its move |
//! | property, one value | number, `bool` and `()` (present), `char`, string, bytes (raw), unit enum, newtype, a type of [`value`](crate::value) |
//! | property, several values | `Vec`, set, array, tuple |
//! | `a:b` | a tuple of two, or `[T; 2]`; a list of them may also be a map, or a struct with its keys |
//! | no such property | `None`, or a default: `#[serde(default)]` makes it `false` for a `bool`, and an empty list |
//! | `[]`, if the type has a blank form | the blank form: `Some(String::new())`, the empty list of points, a pass, `true` |
//! | `[]` or `[ ]`, if it has none (numbers, dates, ranks, pairs) | as if absent: `None`; [see below](#blank-values) |
//! | a value that does not fit | an error, or as if absent, with [`Options::lenient_header`] (all but moves, setup and marks) or [`Options::lenient_fields`] |
//! | a property that the type does not name | none: it is not decoded, and skipped if possible |
//!
//! # Games
//!
//! A struct for a game names root properties and any of these keys:
//!
//! | key | type | content |
//! |---|---|---|
//! | `$root` | a node | the root as a separate struct, instead of or in addition to its properties inline |
//! | `$rest` | [`Properties`] | the raw root properties that the struct does not name |
//! | `$line` | a list of nodes, such as `Vec<Option<`[`Turn`]`>>`; or their [`moves`](mod@moves) | the main line: the root and the nodes after it along first variations |
//! | `$mainline` | a list of nodes | the main line without the root, and so without a move in the root, which some games have |
//! | `$nodes` | a list of nodes | the nodes after the root up to the first branch |
//! | `$variations` | a list of games | the trees at that branch, each mapped like a game |
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
//! let game: Tree = sgf_stream::from_str("(;C[root];C[node](;B[aa])(;B[bb]C[other]))")?;
//! assert_eq!(game.nodes[0].comment.as_deref(), Some("node"));
//! assert_eq!(game.variations[1].root.comment.as_deref(), Some("other"));
//! # Ok::<(), sgf_stream::de::Error>(())
//! ```
//!
//! The stream is read once, and the main line runs through the variations. A struct therefore has either `$line`, or
//! `$mainline`, or `$nodes` and `$variations`. Trees nested deeper than [512 levels](Options::max_depth) are an error
//! if the type follows them. Other formats may have lower limits: `serde_json` refuses 128 nested lists and structs, and
//! some real games exceed that. A [`GameTree`](crate::tree::GameTree) is a flat list there.
//!
//! A map cannot name the keys it needs, so it receives the root properties, and the rest of the game is skipped. To
//! serde, a struct with `#[serde(flatten)]` is a map, but its own keys such as `$mainline` are recognized, and it receives
//! all root properties. The flattened field receives properties only: a `$` key in it is an error. So are `$rest` and
//! `flatten` in one struct, because serde does not tell which properties the flattened field takes. To
//! collect all other properties, use `$rest`, not a flattened [`Properties`], which is not exact. Types
//! that accept anything, such as `serde_json::Value`, receive the whole game: properties, `$nodes`, and `$variations`
//! if any.
//!
//! ```
//! use std::collections::BTreeMap;
//!
//! // The main line, node by node; the root alone; everything.
//! let sgf = "(;SZ[9];B[aa](;W[bb])(;W[cc]))";
//! let line: Vec<Vec<BTreeMap<String, String>>> = sgf_stream::from_str(sgf)?;
//! assert_eq!(line[0][2]["W"], "bb");
//! let root: BTreeMap<String, String> = sgf_stream::from_str(sgf)?;
//! assert_eq!(root["SZ"], "9");
//! let games: serde_json::Value = sgf_stream::from_str(sgf)?;
//! assert_eq!(games[0]["$variations"][1]["W"], "cc");
//! # Ok::<(), sgf_stream::de::Error>(())
//! ```
//!
//! # Nodes
//!
//! A struct names properties (`#[serde(rename = "AB")]`), and `$rest` to receive all others. An enum takes the first
//! property, in file order, that is one of its variants, and so the first move of a node with several. A unit variant only requires that the property is present,
//! and `#[serde(other)]` matches nodes with none of them. If a property occurs twice in a node, the values are
//! merged. Names are those of [`Ident::name`](crate::Ident::name): `CoPyright` is `CP`, in files and in names of fields.
//!
//! # Values
//!
//! The type decides how a value is read. If it leaves a choice, the [registry](crate::property) decides, according to
//! the root's `GM` and `FF`; types are never guessed from values.
//!
//! * **Numbers** are those of FF\[4\], with optional white space around them. Integers, of up to 128 bits, are parsed
//!   with [`Number::parse_lenient`](crate::value::Number::parse_lenient). Floats are parsed with
//!   [`Real::parse_lenient`](crate::value::Real::parse_lenient), which also accepts `.5`, `7.` and `6,5`, and in
//!   strict mode with [`Real::parse`](crate::value::Real::parse). `6,500` is an error, because it may be thousands or
//!   thousandths.
//! * **Strings** follow the registry: Text keeps line breaks, SimpleText has none, unknown properties are Text.
//!   `&str` and `Cow` (with `#[serde(borrow)]`) borrow from a slice if the text is unchanged; a `&str` whose text
//!   would change is an error.
//! * **Typed values** of [`value`](crate::value) parse the raw value leniently. Points and moves of Go are read
//!   according to the root's `SZ`: `tt` is a point if a side is longer than 19, and `Q16` is accepted. A point off
//!   the board is accepted, since some programs omit `SZ`: `W[jj]` of a 9x9 game is `Play(9, 9)`. Check with
//!   [`Size::holds`](crate::value::Size::holds). Boards count such a move as unread.
//!   (Fields that serde buffers, as in flattened and untagged types, are read without the board size.)
//! * **Several values for a scalar**: texts (`C`, `GC`) are joined with a blank line; otherwise the first value is
//!   taken, and [`Code::ExtraValues`](crate::Code::ExtraValues) is reported to the callback.
//! * **Point lists** (`AB`, `TR`, `DD` …) yield single points: rectangles are expanded, to at most 1,000,000 points
//!   per list and 4,000,000 per game. A list of [`Rect`](crate::value::Rect) receives them unexpanded. A single `[]`
//!   is the empty list.
//! * **Compositions** split at the first unescaped colon. serde cannot distinguish `(A, B)` from `[T; 2]`, so the
//!   registry decides: a single composition (`AP`) splits; a list (`LB`) is a list of elements that split; for an
//!   unknown property, one value splits, and several are a list. `SZ[19]` splits into 19 and 19.
//! * **Anything** (`deserialize_any`: flattened and untagged types, `Value`) is a list, an `i64`, an `f64` or a
//!   string, according to the registry; an unknown property is a list of strings.
//! * [`invalid_option`] turns a value that does not fit into `None`, [`invalid_default`] turns it into the default of
//!   its type. [`Options::lenient_header`] treats it as absent in root and game-info properties, and
//!   [`Options::lenient_fields`] in all fields: an `Option` becomes `None`, a map omits the entry.
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
//! let position: Position = sgf_stream::from_str("(;AB[aa:bb]LB[cc:A]AP[CGoban:3]PL[W])")?;
//! assert_eq!(position.black.len(), 4);
//! assert_eq!(position.labels[&Point::parse("cc")?], "A");
//! assert_eq!(position.program.unwrap().1, "3");
//! assert_eq!(position.to_play, Color::W);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Blank values
//!
//! Programs write `DT[]` if the date is unknown. The type decides whether that is a value. A blank text is empty, a
//! blank move is a pass, a blank list of points is empty; for [`GameResult`](crate::value::GameResult) and
//! [`Application`](crate::value::Application) see their pages. If the type has no blank form (numbers, dates, ranks,
//! colors and pairs have none), an `Option` is `None`, and an entry of a map is omitted. Any other field is an error that
//! names the value: `#[serde(default)]` is for a property that is missing, as in every format. Add [`invalid_default`]
//! to a field whose default should also replace such a value.
//!
//! ```
//! use sgf_stream::value::{Dates, go};
//!
//! #[derive(serde::Deserialize, PartialEq, Debug)]
//! struct Node {
//!     #[serde(rename = "DT")]
//!     dates: Option<Dates>,
//!     #[serde(rename = "HA", default, deserialize_with = "sgf_stream::de::invalid_default")]
//!     handicap: u8,
//!     #[serde(rename = "PB")]
//!     black: Option<String>,
//!     #[serde(rename = "B")]
//!     play: Option<go::Move>,
//! }
//!
//! let node: Node = sgf_stream::from_str("(;DT[]HA[ ]PB[]B[])")?;
//! let pass = Some(go::Move::Pass);
//! assert_eq!(node, Node { dates: None, handicap: 0, black: Some(String::new()), play: pass });
//! # Ok::<(), sgf_stream::de::Error>(())
//! ```
//!
//! Flattened and untagged types get no `None` for blank values: serde has already buffered the value as a text or number,
//! and `""` is not a date.
//!
//! # Charsets
//!
//! Texts are decoded as UTF-8 with replacement, unless `Parser::charset` (feature `charset`) is set. Then each game
//! is decoded according to its `CA`, and invalid bytes are diagnostics or errors. `from_str` reads UTF-8 and ignores
//! `CA`. A byte-order mark at the start applies to all games of the stream, since the program that wrote it saved the
//! whole file that way. If files were joined byte for byte, read each one separately. To write games that were read
//! in another charset, see [`Serializer::replace_charset`](crate::ser::Serializer::replace_charset).
//!
//! # Error handling
//!
//! An [`Error`] names game, node, property and byte. In the iterator, a data error or (in strict mode) a syntax error
//! affects only its game; an I/O error ends the iterator. A game that is truncated by the end of the data is an error
//! in both modes, and the last item: an incomplete copy of a collection yields the complete games and then that
//! error. In lenient mode, a `(` at the very end, without `;`, is taken as text.
//!
//! `#[serde(deny_unknown_fields)]` has no effect, since fields that a struct does not name are never passed
//! to it; check `$rest` instead.
//!
//! Diagnostics about values ([`ExtraValues`](crate::Code::ExtraValues), invalid bytes) have the position of their
//! node; [`InvalidField`](crate::Code::InvalidField) has its own. If lines are counted, errors also have [line and
//! column](Error::position).

mod again;
mod batch;
mod buffer;
pub(crate) mod deserializer;
mod error;
mod events;
mod flat;
pub(crate) mod games;
mod methods;
pub mod moves;
mod names;
mod node;
mod options;
mod points;
mod properties;
mod property;
pub(crate) mod raw;
mod short;
mod stream;
mod texts;
mod tree;
pub(crate) mod turns;
mod value;
mod values;
mod wants;

use serde::de::{Deserialize, Deserializer as SerdeDeserializer};

pub use deserializer::Deserializer;
pub use error::{Category, Error, Result};
pub use events::{EventSource, FromEvents};
pub use games::Games;
use methods::{answer, answer_one, answer_scalars, hand_on, hand_on_one, with_parameters};
pub use options::Options;
pub use properties::Properties;
pub(crate) use properties::is_from_sgf;
pub use stream::Source;
pub use turns::{Turn, moves};

/// Turns a value that does not fit into `None`, for `#[serde(deserialize_with)]`.
///
/// ```
/// #[derive(serde::Deserialize)]
/// struct Game {
///     #[serde(rename = "KM", default, deserialize_with = "sgf_stream::de::invalid_option")]
///     komi: Option<f32>,
/// }
///
/// let games: Vec<Game> = sgf_stream::from_str("(;KM[6.5])(;KM[six])(;)")?;
/// assert_eq!(games.iter().map(|game| game.komi).collect::<Vec<_>>(), [Some(6.5), None, None]);
/// # Ok::<(), sgf_stream::de::Error>(())
/// ```
///
/// `default` covers games without the property. A failure of the stream is not hidden: it is returned as the error of
/// the game.
///
/// It never returns an error.
pub fn invalid_option<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: SerdeDeserializer<'de>,
    Option<T>: Deserialize<'de>,
{
    Ok(Option::<T>::deserialize(deserializer).unwrap_or(None))
}

/// Turns a value that does not fit into its type's default, for `#[serde(deserialize_with)]`.
///
/// ```
/// #[derive(serde::Deserialize)]
/// struct Game {
///     #[serde(rename = "HA", default, deserialize_with = "sgf_stream::de::invalid_default")]
///     handicap: u8,
/// }
///
/// let games: Vec<Game> = sgf_stream::from_str("(;HA[2])(;HA[two])(;)")?;
/// assert_eq!(games.iter().map(|game| game.handicap).collect::<Vec<_>>(), [2, 0, 0]);
/// # Ok::<(), sgf_stream::de::Error>(())
/// ```
///
/// `default` covers games without the property. [`Options::lenient_header`] and [`Options::lenient_fields`] apply to all
/// `Option`s at once, and report what does not fit.
///
/// It never returns an error.
pub fn invalid_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: SerdeDeserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Ok(T::deserialize(deserializer).unwrap_or_default())
}
