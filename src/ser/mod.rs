//! Serializes Rust values as games with serde.
//!
//! [`to_string`](crate::to_string), [`to_vec`](crate::to_vec) and [`to_writer`](crate::to_writer) use the same
//! mapping as [`de`](crate::de): everything written reads back unchanged. (`false` and most empty lists are omitted,
//! so they need `#[serde(default)]` to read back. For enums that serde buffers, see [below](#enums).)
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
//! assert_eq!(sgf_stream::from_str::<Game>(&sgf)?, game);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Games
//!
//! A sequence at the top level is a collection, and each of its elements a game, followed by a line break. Each game
//! is written before the next is taken, so [`collect_seq`](serde::Serializer::collect_seq) over an iterator writes a
//! collection of any size with one game in memory. Any other value at the top level is one game.
//!
//! | Rust | SGF |
//! |---|---|
//! | a struct or a map | a game tree; its fields are root properties and the keys below |
//! | a sequence or a tuple of nodes | a game tree without variations, the root first |
//!
//! | key | content |
//! |---|---|
//! | `$root` | the root as a node, instead of or in addition to its properties inline |
//! | `$line` | the root and the nodes after it, of a game without variations; the first node is the root, in addition to its properties inline |
//! | `$mainline` | the nodes after the root, of a game without variations |
//! | `$nodes` | the nodes after the root, up to the variations |
//! | `$variations` | the child trees, each a tree like this one |
//! | `$rest` | further raw properties of the node: [`de::Properties`](crate::de::Properties), or a map of names to lists of strings or bytes |
//!
//! The order of the fields does not matter: the root is written first, then the nodes, then the variations. The
//! properties of a node keep the order of their declaration. The sequences are always present when a game is read, so
//! `None` cannot represent them: write an empty one.
//!
//! # Nodes
//!
//! | Rust | SGF |
//! |---|---|
//! | a struct or a map | its properties, and those of `$rest` |
//! | a variant of an enum | one property: `B(Move)` is `B[dd]`, `KO` is `KO[]`, `LB(…)` as the fields of a struct would be |
//! | a unit variant whose name is not an identifier, such as `Other` | a node without properties |
//! | `()`, `None` of an `Option<`[`Turn`](crate::de::Turn)`>` | a node without properties |
//!
//! Names must be identifiers of upper-case letters. Two fields of equal name, one of them in `$root` or
//! `$rest`, are one property if their values are equal.
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
//! # Enums
//!
//! | enum | as a game | as a node | as a value |
//! |---|---|---|---|
//! | externally tagged, the default | error: it is a node | one property, named like the variant | a variant without a value: its name |
//! | internally tagged, `#[serde(tag = "GN")]` | the fields, and the name in `GN` | the same | composed values, as of a struct |
//! | adjacently tagged, `#[serde(tag = "GN", content = "MI")]` | two properties | the same | error |
//! | `#[serde(untagged)]` | as its content | as its content | as its content |
//!
//! serde reads untagged and internally tagged enums from a buffer, in which the registry decides
//! the types of values, not the variants. To be read back, they need `#[serde(default)]` for `$nodes` and `$variations`, no other `$` keys,
//! structs or maps as nodes in them (not `Turn` or other enums), and lists for unknown properties. As values of a
//! property, their variants need texts. All else is an error of reading, except that a `$` key with `#[serde(default)]` keeps
//! its default.
//!
//! # Properties
//!
//! | Rust | SGF |
//! |---|---|
//! | a number | `HA[2]`, `KM[6.5]`: all its digits, no exponent; zero has no sign |
//! | `true`, `()`, a unit struct | `KO[]` |
//! | `false`, `None` | no property |
//! | `Some(value)`, a newtype | the value |
//! | a string, `char`, a variant without a value | `PB[…]`, escaped |
//! | a typed value: [`Dates`](crate::value::Dates), [`go::Move`](crate::value::go::Move), … | its printed form |
//! | bytes | a raw value, unchanged |
//! | a sequence, a set | `AB[aa][bb]`, one value each |
//! | an empty sequence | `DD[]` if the list may be empty according to the registry, otherwise no property |
//! | a tuple or an array | a list if the registry has a list; otherwise, with two elements, `a:b` |
//! | a sequence of pairs, or an array of them | `LB[aa:A][bb:B]` |
//! | a map, a struct | composed values: `LB[aa:A][bb:B]`, `MI[length:7][game:3]` |
//!
//! Types in the registry depend on the game. `GM` may be anywhere among the fields, because a game is written only
//! when it is complete. A game that cannot be written therefore writes nothing, and others can follow.
//!
//! # Texts
//!
//! Text is written as UTF-8. If a text is not ASCII, the root gets `CA[UTF-8]`, unless it already has it. A `CA` with
//! another charset is then an error, or is [replaced](Serializer::replace_charset). The added `CA` is the only thing
//! that can differ on reading back: an empty `Option` for `CA`, a map, or `$rest` then contains it.
//!
//! A game may have raw bytes that are not UTF-8, such as those in `$rest` of a file in another charset. The added `CA` would
//! not be true of them. If all other values that are not ASCII are raw too, no `CA` is added; otherwise that is an error.
//!
//! Reading SGF converts some white space, so a text that contains it would not read back unchanged. Such texts are
//! errors: those with TAB, VT, FF or CR, and those with a line break if the type is not Text (components of composed
//! values never are). [`Serializer::normalize`] converts them as reading would.
//!
//! # Invalid values
//!
//! Values that SGF cannot represent are errors; they are never changed silently. Besides the texts above these are
//! NaN and the infinities; `Some(None)`, `Some(false)`, and `Some` of an empty list that would be omitted; `None` in
//! a list; values nested more than two levels deep; strings that look like rectangles in a point list (write
//! [`Rect`](crate::value::Rect), which reads back); raw values that would not end at their closing bracket; `$line`
//! or `$mainline` together with `$variations`, or with each other; a collection without games, and a game without
//! nodes. The [`Error`] has the location: game, node and field.
//!
//! ```
//! # use std::collections::BTreeMap;
//! let error = sgf_stream::to_string(&BTreeMap::from([("KM", f64::NAN)])).unwrap_err();
//! assert_eq!(error.to_string(), "game 1, root, KM: expected a finite number, found NaN");
//! ```

// A game is drafted (`draft`) as serde passes it in (`games`, `tree`, `node`, `value`, `name`). When complete, it is
// written (`output`), with values according to the registry (`values`).
mod compound;
mod draft;
mod error;
pub(crate) mod games;
mod name;
mod node;
mod output;
mod refuse;
mod tree;
mod value;
mod values;

pub use self::error::Error;
pub(crate) use self::error::is_to_sgf;
pub use self::games::Serializer;

/// Result with an [`Error`] of this module.
pub type Result<T, E = Error> = std::result::Result<T, E>;
