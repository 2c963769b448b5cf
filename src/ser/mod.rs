//! Games from Rust values, with serde.
//!
//! [`to_string`], [`to_vec`] and [`to_writer`] write what [`de`](crate::de) reads, and by the same table:
//! whatever is written reads back as it was. (`false` and most empty lists are left out, and want
//! `#[serde(default)]` to read back.)
//!
//! ```
//! use serde::{Deserialize, Serialize};
//! use sgf_stream::value::{Dates, go};
//!
//! #[derive(Serialize, Deserialize, Debug, PartialEq)]
//! struct Game {
//!     #[serde(rename = "FF")]
//!     format: u8,
//!     #[serde(rename = "PB")]
//!     black: String,
//!     #[serde(rename = "DT")]
//!     played: Option<Dates>,
//!     #[serde(rename = "AB", default)]
//!     handicap: Vec<go::Point>,
//!     #[serde(rename = "$mainline")]
//!     moves: Vec<Step>,
//! }
//!
//! #[derive(Serialize, Deserialize, Debug, PartialEq)]
//! enum Step {
//!     B(go::Move),
//!     W(go::Move),
//! }
//!
//! let game = Game {
//!     format: 4,
//!     black: "Shusaku [4 dan]".into(),
//!     played: Some("1846-09-11".parse()?),
//!     handicap: vec![],
//!     moves: vec![Step::B("qd".parse()?), Step::W("dc".parse()?)],
//! };
//! let sgf = sgf_stream::to_string(&game)?;
//! assert_eq!(sgf, "(;FF[4]PB[Shusaku [4 dan\\]]DT[1846-09-11];B[qd];W[dc])\n");
//! assert_eq!(sgf_stream::de::from_str::<Game>(&sgf)?, game);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Games
//!
//! A sequence at the top is a collection, and every element of it a game, with a line break behind
//! it. Each is written before the next is asked for, so [`collect_seq`](serde::Serializer::collect_seq)
//! over an iterator writes an archive of any size with one game in memory. Anything else at the top is
//! one game.
//!
//! | Rust | SGF |
//! |---|---|
//! | a struct or a map | a game tree: its fields are the properties of the root, and the keys below |
//! | a sequence or a tuple of nodes | a game tree without variations, the root first |
//!
//! | key | what it holds |
//! |---|---|
//! | `$root` | the root as a node, instead of its properties inline, or beside them |
//! | `$mainline` | the nodes after the root, of a game without variations |
//! | `$nodes` | the nodes after the root, up to the variations |
//! | `$variations` | the child trees, each a tree like this one |
//! | `$rest` | more properties of the node, raw: [`de::Properties`](crate::de::Properties), or a map of names to lists of strings or bytes |
//!
//! The order of the fields does not matter: the root goes first, then the nodes, then the variations.
//! The properties of a node stay in the order in which they are declared. The sequences are always
//! there when a game is read, so `None` cannot stand for them: write an empty one.
//!
//! # Nodes
//!
//! | Rust | SGF |
//! |---|---|
//! | a struct or a map | its properties, and those of `$rest` |
//! | an enum's variant | one property: `B(Move)` is `B[dd]`, `KO` is `KO[]`, `LB(…)` as the fields of a struct would be |
//! | a variant without a value that is no identifier, as `Other` | a node without properties |
//! | `()` | a node without properties |
//!
//! Names are identifiers, of upper-case letters. Two fields of the same name, one of them in `$root` or
//! `$rest`, are one property, if they say the same.
//!
//! ```
//! use serde::Serialize;
//!
//! #[derive(Serialize)]
//! enum Step<'a> {
//!     B(&'a str),
//!     #[serde(rename = "AB")]
//!     Setup(Vec<&'a str>),
//!     Other,
//! }
//!
//! // A sequence of games, which are sequences of nodes.
//! let games = [vec![Step::Setup(vec!["dd", "pp"]), Step::Other, Step::B("qd")]];
//! assert_eq!(sgf_stream::to_string(&games)?, "(;AB[dd][pp];;B[qd])\n");
//! # Ok::<(), sgf_stream::ser::Error>(())
//! ```
//!
//! # Properties
//!
//! | Rust | SGF |
//! |---|---|
//! | a number | `HA[2]`, `KM[6.5]`: all its digits, no exponent; zero has no sign |
//! | `true`, `()`, a unit struct | `KO[]` |
//! | `false`, `None` | nothing |
//! | `Some(value)`, a newtype | the value |
//! | a string, `char`, a variant without a value | `PB[…]`, escaped |
//! | a typed value: [`Dates`](crate::value::Dates), [`go::Move`](crate::value::go::Move), … | what it prints |
//! | bytes | as they are: a raw value |
//! | a sequence, a set | `AB[aa][bb]`, a value each |
//! | an empty sequence | `DD[]` where the registry says that a list may be empty; nothing for other properties |
//! | a tuple or an array | a list, where the registry says list; else, if there are two, `a:b` |
//! | a sequence of pairs, or an array of them | `LB[aa:A][bb:B]` |
//! | a map, a struct | the same: `LB[aa:A][bb:B]`, `MI[length:7][game:3]` |
//!
//! What the registry says depends on the game. It is known when a value is written, wherever `GM`
//! stands among the fields: a game is written when all of it has come. So a game that cannot be
//! written leaves nothing behind, and others can follow.
//!
//! # Texts
//!
//! Text is UTF-8, and the root says so where a text is not ASCII: it gets `CA[UTF-8]`, unless it has it.
//! A `CA` of another charset is refused then, or [replaced](Serializer::replace_charset). This is the one thing that reading back can show
//! and that was not there: an empty `Option` for `CA`, a map, or `$rest` has it then.
//!
//! Reading SGF converts some white space, so a text that has it would not be read as it was. Such
//! texts are refused: those with TAB, VT, FF or CR, and those with a line break where the type is not
//! Text (in parts of composed values it never is). [`Serializer::normalise`] converts them as reading would.
//!
//! # What is refused
//!
//! Whatever SGF cannot hold: nothing is changed silently. Beside those texts that is NaN, the
//! infinities; `Some(None)`, `Some(false)`, and `Some` of an empty list
//! that would not be there; `None` in a list; values in more than two levels; strings that are rectangles
//! in a point list (write [`Rect`](crate::value::Rect), which reads back); raw values that do not end at
//! their end; `$mainline` beside `$variations`; a collection without games, and a game without nodes. The
//! [`Error`] names game, node and field.
//!
//! ```
//! # use std::collections::BTreeMap;
//! let error = sgf_stream::to_string(&BTreeMap::from([("KM", f64::NAN)])).unwrap_err();
//! assert_eq!(error.to_string(), "game 0, node 0, KM: expected a finite number, found NaN");
//! ```

// A game is drafted (`draft`) as serde hands it over (`games`, `tree`, `node`, `value`, `name`), and
// written when it is whole (`output`), its values as the registry wants them (`values`).
mod draft;
mod error;
mod games;
mod name;
mod node;
mod output;
mod refuse;
mod tree;
mod value;
mod values;

use std::io;

use serde::ser::Serialize;

pub use self::error::Error;
pub use self::games::Serializer;

/// Result of this module.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Writes a collection, or one game, as a string.
///
/// ```
/// use std::collections::BTreeMap;
///
/// let game = BTreeMap::from([("GN", "囲碁"), ("PB", r"\o/")]);
/// assert_eq!(sgf_stream::to_string(&game)?, "(;CA[UTF-8]GN[囲碁]PB[\\\\o/])\n");
/// # Ok::<(), sgf_stream::ser::Error>(())
/// ```
///
/// # Errors
///
/// If there is something that SGF cannot hold, or raw bytes that are not UTF-8.
pub fn to_string<T: Serialize + ?Sized>(games: &T) -> Result<String> {
    let bytes = to_vec(games)?;
    String::from_utf8(bytes).map_err(|_| Error::expected("UTF-8 only", "raw bytes in another charset; see `to_vec`"))
}

/// Writes a collection, or one game, as bytes.
///
/// # Errors
///
/// If there is something that SGF cannot hold.
pub fn to_vec<T: Serialize + ?Sized>(games: &T) -> Result<Vec<u8>> {
    let mut serializer = Serializer::new(Vec::new());
    games.serialize(&mut serializer)?;
    serializer.finish()
}

/// Writes a collection, or one game, into a writer, which needs no buffer of its own.
///
/// ```
/// # use std::collections::BTreeMap;
/// let mut file = Vec::new();
/// sgf_stream::to_writer(&mut file, &[BTreeMap::from([("HA", 2)]), BTreeMap::from([("HA", 3)])])?;
/// assert_eq!(file, b"(;HA[2])\n(;HA[3])\n");
/// # Ok::<(), sgf_stream::ser::Error>(())
/// ```
///
/// # Errors
///
/// If there is something that SGF cannot hold, or if writing fails.
pub fn to_writer<W: io::Write, T: Serialize + ?Sized>(writer: W, games: &T) -> Result<()> {
    let mut serializer = Serializer::new(writer);
    games.serialize(&mut serializer)?;
    serializer.finish().map(drop)
}
