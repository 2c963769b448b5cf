//! Serializes Rust values as games with serde.
//!
//! [`to_string`](crate::to_string), [`to_vec`](crate::to_vec) and [`to_writer`](crate::to_writer) write what [`de`](crate::de) reads, by the same mapping:
//! everything written reads back unchanged. (`false` and most empty lists are left out, so they need
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
//! assert_eq!(sgf_stream::from_str::<Game>(&sgf)?, game);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Games
//!
//! A sequence at the top level is a collection, and each of its elements a game, followed by a line break.
//! Each game is written before the next is taken, so [`collect_seq`](serde::Serializer::collect_seq)
//! over an iterator writes an archive of any size with one game in memory. Any other value at the top level is
//! one game.
//!
//! | Rust | SGF |
//! |---|---|
//! | a struct or a map | a game tree: its fields are the properties of the root, and the keys below |
//! | a sequence or a tuple of nodes | a game tree without variations, the root first |
//!
//! | key | content |
//! |---|---|
//! | `$root` | the root as a node, instead of or in addition to its properties inline |
//! | `$line` | the root and the nodes after it, of a game without variations; the first node is the root, in addition to its properties inline |
//! | `$mainline` | the nodes after the root, of a game without variations |
//! | `$nodes` | the nodes after the root, up to the variations |
//! | `$variations` | the child trees, each a tree like this one |
//! | `$rest` | more properties of the node, raw: [`de::Properties`](crate::de::Properties), or a map of names to lists of strings or bytes |
//!
//! The order of the fields does not matter: the root is written first, then the nodes, then the variations.
//! The properties of a node keep the order of their declaration. The sequences are always
//! present when a game is read, so `None` cannot stand for them: write an empty one.
//!
//! # Nodes
//!
//! | Rust | SGF |
//! |---|---|
//! | a struct or a map | its properties, and those of `$rest` |
//! | a variant of an enum | one property: `B(Move)` is `B[dd]`, `KO` is `KO[]`, `LB(…)` as the fields of a struct would be |
//! | a variant without a value whose name is not an identifier, such as `Other` | a node without properties |
//! | `()` | a node without properties |
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
//! | bytes | a raw value, unchanged |
//! | a sequence, a set | `AB[aa][bb]`, one value each |
//! | an empty sequence | `DD[]` where the registry says that a list may be empty; nothing for other properties |
//! | a tuple or an array | a list, where the registry has a list; otherwise, with two elements, `a:b` |
//! | a sequence of pairs, or an array of them | `LB[aa:A][bb:B]` |
//! | a map, a struct | composed values: `LB[aa:A][bb:B]`, `MI[length:7][game:3]` |
//!
//! The registry depends on the game. `GM` may stand anywhere among the fields, because a game is written
//! only when it is complete. So a game that cannot be written writes nothing, and others can follow.
//!
//! # Texts
//!
//! Text is written as UTF-8. If a text is not ASCII, the root gets `CA[UTF-8]`, unless it has it. A `CA` with
//! another charset is then refused, or [replaced](Serializer::replace_charset). The added `CA` is the only thing
//! that can differ on reading back: an empty `Option` for `CA`, a map, or `$rest` then contains it.
//!
//! Reading SGF converts some white space, so a text that contains it would not read back unchanged. Such
//! texts are refused: those with TAB, VT, FF or CR, and those with a line break where the type is not
//! Text (parts of composed values never are). [`Serializer::normalize`] converts them as reading would.
//!
//! # Refused values
//!
//! Values that SGF cannot hold are refused, never changed silently. Besides the texts above these are NaN and the
//! infinities; `Some(None)`, `Some(false)`, and `Some` of an empty list that would be left out; `None` in a list;
//! values nested more than two levels deep; strings that look like rectangles in a point list (write
//! [`Rect`](crate::value::Rect), which reads back); raw values that would not end at their closing bracket;
//! `$line` or `$mainline` together with `$variations`, or with each other; a collection without games, and a game without nodes. The [`Error`]
//! names game, node and field.
//!
//! ```
//! # use std::collections::BTreeMap;
//! let error = sgf_stream::to_string(&BTreeMap::from([("KM", f64::NAN)])).unwrap_err();
//! assert_eq!(error.to_string(), "game 1, root, KM: expected a finite number, found NaN");
//! ```

// A game is drafted (`draft`) as serde passes it in (`games`, `tree`, `node`, `value`, `name`), and
// written when it is complete (`output`), its values as the registry has them (`values`).
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
pub use self::games::Serializer;

/// Result with an [`Error`] of this module.
pub type Result<T, E = Error> = std::result::Result<T, E>;
