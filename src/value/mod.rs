//! Property values, raw and typed.
//!
//! An event carries a [`RawValue`]: the bytes between `[` and `]`, still escaped and in the file's charset. The
//! type of a value depends on its property (and the game), so values are decoded only on demand: `C` is a
//! [`text`](RawValue::text), `PB` a [`simple_text`](RawValue::simple_text), `LB` a [`compose`](RawValue::compose),
//! and `DT` one of the types of this module. The module [`property`](crate::property) lists the type of each
//! property, and [`Property::parse`](crate::property::Property::parse) parses any value as its property's type.
//!
//! ```
//! use sgf_stream::value::{Dates, GameResult, Number};
//!
//! // From raw values, bytes or strings.
//! assert_eq!(Number::parse(b"042")?.get(), 42);
//! assert_eq!(GameResult::parse("B+R")?.to_string(), "B+Resign");
//! assert_eq!(Dates::parse("1996-12-27,28")?.iter().count(), 2);
//!
//! // Strict parsing follows FF[4] exactly; lenient parsing accepts what programs write in practice.
//! let error = GameResult::parse("W+.5").unwrap_err();
//! assert_eq!(error.to_string(), "result: expected a digit at byte 2");
//! assert_eq!(GameResult::parse_lenient("W+.5")?.to_string(), "W+0.5");
//! # Ok::<(), sgf_stream::value::ValueError>(())
//! ```
//!
//! Every type has `parse`, `parse_lenient` and `FromStr` (strict). `Display` prints the canonical form that belongs
//! between the brackets: `T::parse(value.to_string())` returns `value` again. The exceptions, documented at their
//! types: the point `tt` of Go is a pass if the board is unknown, backgammon's `B+6Resign` requires
//! [`GameResult::parse_for`], and a [`Round`] without a kind and a [`Handicap`] with a komi require
//! `parse_lenient`. Generic code has the bound [`SgfValue`]. Texts are UTF-8; the module `charset` decodes values
//! in other charsets first.
//!
//! With the feature `serde`, numbers, komi, times and [`Game`](crate::Game) are numbers, texts are unescaped strings,
//! a [`Compose`] is a pair, and every other value is the string between the brackets. Deserialization is lenient.
//!
//! | | |
//! |---|---|
//! | basic types of FF\[4\] | [`NoValue`], [`Number`], [`Real`], [`Double`], [`Color`], [`SimpleText`], [`Text`], [`Compose`] |
//! | points, moves and stones of each game | [`go`], [`hex`], [`backgammon`], [`loa`], [`amazons`], [`octi`], [`gess`], [`twixt`] |
//! | points, moves and stones of a game chosen at run time | [`AnyPoint`], [`AnyMove`], [`AnyStone`], [`AnyRect`] |
//! | lists of points | [`PointList`], [`Rect`] |
//! | values of single properties | [`Size`], [`Dates`], [`GameResult`], [`Komi`], [`Handicap`], [`Seconds`], [`Overtime`], [`Ruleset`], [`Rank`], [`Round`], [`Figure`], [`Application`] |

mod color;
mod compose;
mod error;
mod formats;
pub(crate) mod game;
pub(crate) mod games;
#[cfg(test)]
mod laws;
mod none;
pub(crate) mod number;
pub(crate) mod points;
pub(crate) mod print;
mod symmetry;
mod texts;
pub(crate) mod typed;

pub(crate) use crate::raw::RawValue;
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
pub(crate) use points::Budget;
#[cfg(feature = "serde")]
pub use points::compressed;
pub use points::{GridPoint, ListError, PointList, Rect};
pub use symmetry::Symmetry;
pub(crate) use texts::Escaped;
pub use texts::{FreeText, SimpleText, Text};
pub use typed::SgfValue;
