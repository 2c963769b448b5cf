//! Games as Rust values, with serde.

mod error;
mod games;
mod node;
mod points;
mod properties;
mod property;
mod refuse;
mod stream;
mod texts;
mod tree;
mod value;

use serde::de::{Deserialize, Deserializer as SerdeDeserializer};

pub use error::{Category, Error, Result};
pub use games::{Deserializer, Games, from_reader, from_slice, from_str};
pub use properties::Properties;
use refuse::refuse_scalars;
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
