//! The moves of nodes, with their colors.

use std::any::type_name;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, EnumAccess, Error, SeqAccess, VariantAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::value::{Color, go};

/// Name of the enum that requests the move of a node.
pub(super) const TURN: &str = "$sgf_stream::turn";

/// The names of its variants, in the order of [`Color`].
const VARIANTS: &[&str] = &["B", "W"];

/// The move of a node, with its color.
///
/// It is read from a node: an element of `$line`, `$mainline` or `$nodes`, `$root`, or a
/// [`NodeRecord`](crate::NodeRecord). `Option<Turn>` is `None` for a node without a move, so that a list has an element
/// per node. [`moves`](mod@super::moves) skips such nodes. If a node has several moves, this is the
/// first one.
///
/// ```
/// use sgf_stream::de::Turn;
/// use sgf_stream::value::{Color, go::Move};
///
/// #[derive(serde::Deserialize)]
/// struct Game {
///     #[serde(rename = "$line")]
///     line: Vec<Option<Turn>>,
/// }
///
/// let game: Game = sgf_stream::from_str("(;FF[4]PB[Shusaku];B[qd];C[a comment];W[dc])")?;
/// let qd = Turn::new(Color::Black, Move::parse("qd")?);
/// let dc = Turn::new(Color::White, Move::parse("dc")?);
/// assert_eq!(game.line, [None, Some(qd), None, Some(dc)]);
/// assert_eq!(serde_json::to_string(&game.line)?, r#"[null,{"B":"qd"},null,{"W":"dc"}]"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// `M` is the move type of the [game](crate::value), or a type that accepts any move, such as a string. A move that does
/// not fit is an error, also in an `Option`; with [`Options::lenient_fields`](super::Options::lenient_fields) it counts as
/// absent. To read other properties of the node as well, use a struct with the fields `B` and `W`, or an enum.
///
/// Serialized, a turn is a node with one property, and in other formats the enum `B(M)` or `W(M)`. `None` is written as a
/// node without properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Turn<M = go::Move> {
    /// The player.
    pub color: Color,
    /// The move.
    pub play: M,
}

impl<M> Turn<M> {
    /// Creates a turn.
    pub const fn new(color: Color, play: M) -> Self {
        Turn { color, play }
    }
}

impl<M> From<Turn<M>> for (Color, M) {
    fn from(turn: Turn<M>) -> Self {
        (turn.color, turn.play)
    }
}

impl<M> From<(Color, M)> for Turn<M> {
    fn from((color, play): (Color, M)) -> Self {
        Turn { color, play }
    }
}

impl<M: Serialize> Serialize for Turn<M> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let variant = match self.color {
            Color::Black => 0,
            Color::White => 1,
        };
        serializer.serialize_newtype_variant("Turn", variant, VARIANTS[variant as usize], &self.play)
    }
}

impl<'de, M: Deserialize<'de>> Deserialize<'de> for Turn<M> {
    #[inline]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_enum(TURN, VARIANTS, OfNode(PhantomData))
    }
}

struct OfNode<M>(PhantomData<M>);

impl<'de, M: Deserialize<'de>> Visitor<'de> for OfNode<M> {
    type Value = Turn<M>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a node with a move")
    }

    fn visit_enum<A: EnumAccess<'de>>(self, node: A) -> Result<Turn<M>, A::Error> {
        let (Mover(color), value) = node.variant()?;
        let color = color.ok_or_else(|| A::Error::custom("expected the variant B or W"))?;
        Ok(Turn { color, play: value.newtype_variant()? })
    }
}

/// The color of a property if it is a move.
struct Mover(Option<Color>);

impl<'de> Deserialize<'de> for Mover {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Name;

        impl Visitor<'_> for Name {
            type Value = Mover;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an identifier")
            }

            /// Takes the number of a variant, which formats without names have.
            fn visit_u64<E>(self, variant: u64) -> Result<Mover, E> {
                Ok(Mover([Color::Black, Color::White].get(variant as usize).copied()))
            }

            fn visit_str<E>(self, name: &str) -> Result<Mover, E> {
                Ok(Mover(match name {
                    "B" => Some(Color::Black),
                    "W" => Some(Color::White),
                    _ => None,
                }))
            }

            fn visit_bytes<E: Error>(self, name: &[u8]) -> Result<Mover, E> {
                self.visit_str(str::from_utf8(name).unwrap_or_default())
            }
        }

        deserializer.deserialize_identifier(Name)
    }
}

/// Reads the moves of a list of nodes (`$line`, `$mainline`, `$nodes`) with their colors.
///
/// Nodes without a move are skipped; if a node has several moves, the first counts. For an element per node, use
/// `Vec<Option<`[`Turn`]`>>`.
///
/// `M` is the move type of the [game](crate::value), or a type that accepts any move, such as a string.
///
/// ```
/// use serde::Deserialize;
/// use sgf_stream::value::{Color, go::Move};
///
/// #[derive(Deserialize)]
/// struct Game {
///     #[serde(rename = "$line", deserialize_with = "sgf_stream::de::moves")]
///     moves: Vec<(Color, Move)>,
/// }
///
/// let game: Game = sgf_stream::from_str("(;FF[4]PB[Shusaku];B[qd];C[a comment];W[dc](;B[])(;B[oc]))")?;
/// let [qd, dc] = [Move::parse("qd")?, Move::parse("dc")?];
/// assert_eq!(game.moves, [(Color::Black, qd), (Color::White, dc), (Color::Black, Move::Pass)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Fails if a move does not fit the type.
pub fn moves<'de, D, M>(deserializer: D) -> Result<Vec<(Color, M)>, D::Error>
where
    D: Deserializer<'de>,
    M: Deserialize<'de>,
{
    deserializer.deserialize_seq(Line(PhantomData))
}

/// Name of the newtype struct of [moves that are written](super::moves::serialize).
pub(crate) const MOVES: &str = "$sgf_stream::moves";

/// Returns whether a type is an optional [`Turn`], so that `None` is a node without a move. Names of types omit default
/// parameters.
pub(crate) fn is_optional_turn<T: ?Sized>() -> bool {
    let turn = type_name::<Turn<()>>().trim_end_matches("<()>");
    let inner = type_name::<T>().trim_start_matches('&').strip_prefix("core::option::Option<");
    inner.and_then(|inner| inner.strip_prefix(turn)).is_some_and(|rest| rest.starts_with(['<', '>']))
}

struct Line<M>(PhantomData<M>);

impl<'de, M: Deserialize<'de>> Visitor<'de> for Line<M> {
    type Value = Vec<(Color, M)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of nodes")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut nodes: A) -> Result<Self::Value, A::Error> {
        let mut moves = Vec::new();
        while let Some(Played(played)) = nodes.next_element()? {
            moves.extend(played);
        }
        Ok(moves)
    }
}

/// The move of a node, if it has one. Unlike an `Option` of a [`Turn`], it needs no error for nodes without a move, and
/// a list of moves is read in two thirds of the time.
struct Played<M>(Option<(Color, M)>);

impl<'de, M: Deserialize<'de>> Deserialize<'de> for Played<M> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_enum("Played", VARIANTS, IfPlayed(PhantomData))
    }
}

struct IfPlayed<M>(PhantomData<M>);

impl<'de, M: Deserialize<'de>> Visitor<'de> for IfPlayed<M> {
    type Value = Played<M>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a node")
    }

    fn visit_enum<A: EnumAccess<'de>>(self, node: A) -> Result<Played<M>, A::Error> {
        let (Mover(color), value) = node.variant()?;
        Ok(Played(match color {
            Some(color) => Some((color, value.newtype_variant()?)),
            None => {
                value.unit_variant()?;
                None
            }
        }))
    }
}
