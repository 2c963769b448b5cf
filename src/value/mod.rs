//! Values: what stands between `[` and `]`, raw and typed.
//!
//! An event carries a [`RawValue`]: the bytes as the file has them, still escaped and in the
//! file's own charset. Which reading is right depends on the property (and the game), so nothing
//! is decoded before the caller asks: `C` is a [`text`](RawValue::text), `PB` a
//! [`simple_text`](RawValue::simple_text), `LB` a [`compose`](RawValue::compose), and `DT` one of
//! the types of this module. Which property has which type is in [`property`](crate::property), and
//! [`Property::parse`](crate::property::Property::parse) reads any value as what it is.
//!
//! ```
//! use sgf_stream::value::{Dates, GameResult, Number};
//!
//! // From raw values, bytes or strings.
//! assert_eq!(Number::parse(b"042")?.get(), 42);
//! assert_eq!(GameResult::parse("B+R")?.to_string(), "B+Resign");
//! assert_eq!(Dates::parse("1996-12-27,28")?.iter().count(), 2);
//!
//! // Strict is FF[4] at its word; lenient reads what programs really write.
//! let error = GameResult::parse("W+.5").unwrap_err();
//! assert_eq!(error.to_string(), "result: expected a digit at byte 2");
//! assert_eq!(GameResult::parse_lenient("W+.5")?.to_string(), "W+0.5");
//! # Ok::<(), sgf_stream::value::ValueError>(())
//! ```
//!
//! Every type has `parse`, `parse_lenient` and `FromStr` (strict), and prints its canonical form,
//! the one that belongs between brackets: `T::parse(value.to_string())` is `value` again, but where a type's own page says otherwise: the
//! point `tt` of Go is a pass where no board is known, backgammon's `B+6Resign` is read by
//! [`GameResult::parse_for`], and a [`Round`] without a kind and a [`Handicap`] with a komi are read leniently.
//! [`SgfValue`] is what they have in common, for code that is generic over them. Texts are UTF-8:
//! the module `charset` decodes values in other charsets first.
//!
//! Under the feature `serde`, numbers, komi and times are numbers, texts are what they say, a [`Compose`]
//! is a pair, and everything else is the string that stands between the brackets. Deserializing is
//! lenient.
//!
//! | | |
//! |---|---|
//! | the types of FF\[4\] | [`NoValue`], [`Number`], [`Real`], [`Double`], [`Color`], [`SimpleText`], [`Text`], [`Compose`] |
//! | points, moves and stones, game by game | [`go`], [`hex`], [`backgammon`], [`loa`], [`amazons`], [`octi`], [`gess`], [`twixt`] |
//! | the same, where the file says which game it is | [`AnyPoint`], [`AnyMove`], [`AnyStone`], [`AnyRect`] |
//! | lists of points | [`PointList`], [`Rect`] |
//! | single properties | [`Size`], [`Dates`], [`GameResult`], [`Komi`], [`Handicap`], [`Seconds`], [`Overtime`], [`Ruleset`], [`Rank`], [`Round`], [`Figure`], [`Application`] |

mod color;
mod compose;
mod error;
mod formats;
pub(crate) mod game;
pub(crate) mod games;
#[cfg(test)]
mod laws;
mod none;
mod number;
mod points;
mod texts;
pub(crate) mod typed;

pub use crate::raw::RawValue;
pub use color::Color;
pub use compose::Compose;
pub use error::ValueError;
pub use formats::{
    Application, Certainty, Date, Dates, Figure, FigureFlags, GameResult, Grade, Handicap, Komi, OctiRules, Overtime,
    Rank, Round, Ruleset, Score, Seconds, Size, WonBy,
};
pub use games::*;
pub use none::NoValue;
pub use number::{Double, Number, Real};
#[cfg(feature = "serde")]
pub use points::compressed;
pub use points::{GridPoint, ListError, PointList, Rect};
pub use texts::{FreeText, SimpleText, Text};
pub use typed::SgfValue;
