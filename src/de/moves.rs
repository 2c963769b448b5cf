//! The moves of a line of nodes.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{Deserializer, EnumAccess, SeqAccess, VariantAccess, Visitor};

use crate::value::Color;

/// Reads the moves of a list of nodes (`$line`, `$mainline`, `$nodes`) with their colors.
///
/// Nodes without a move are skipped; if a node has two moves, the first counts.
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

/// The move of a node, if it has one.
struct Played<M>(Option<(Color, M)>);

impl<'de, M: Deserialize<'de>> Deserialize<'de> for Played<M> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_enum("Played", &["B", "W"], OfNode(PhantomData))
    }
}

struct OfNode<M>(PhantomData<M>);

impl<'de, M: Deserialize<'de>> Visitor<'de> for OfNode<M> {
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

            fn visit_str<E>(self, name: &str) -> Result<Mover, E> {
                Ok(Mover(match name {
                    "B" => Some(Color::Black),
                    "W" => Some(Color::White),
                    _ => None,
                }))
            }
        }

        deserializer.deserialize_identifier(Name)
    }
}
