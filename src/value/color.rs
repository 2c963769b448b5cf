//! The value type Color.

use std::fmt;

use super::ValueError;
use super::typed::{sgf_value, trim};

/// *Color*: the player whose turn it is (`PL`), or who won.
///
/// ```text
/// Color = ( "B" | "W" )                           (FF[4], "Property Value Types")
/// ```
///
/// Lenient parsing ignores case and surrounding white space, and accepts the words `black` and `white`.
///
/// ```
/// use sgf_stream::value::Color;
///
/// assert_eq!(Color::parse("W")?, Color::White);
/// assert!(Color::parse("w").is_err());
/// assert_eq!(Color::parse_lenient("black")?.opponent(), Color::White);
/// # Ok::<(), sgf_stream::value::ValueError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Color {
    /// Black, written `B`.
    Black,
    /// White, written `W`.
    White,
}

impl Color {
    const KIND: &'static str = "Color";

    /// Returns the other player.
    #[must_use]
    pub const fn opponent(self) -> Self {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }

    /// Returns `B` or `W`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Color::Black => "B",
            Color::White => "W",
        }
    }

    /// Parses a value strictly.
    ///
    /// # Errors
    ///
    /// Fails if the value is neither `B` nor `W`.
    pub fn parse(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        match raw.as_ref() {
            b"B" => Ok(Color::Black),
            b"W" => Ok(Color::White),
            [b'B' | b'W', ..] => Err(ValueError::new(Self::KIND, "the end of the value", 1)),
            _ => Err(ValueError::new(Self::KIND, "B or W", 0)),
        }
    }

    /// Parses a letter or a word in any case, with surrounding white space.
    ///
    /// # Errors
    ///
    /// Fails if the value is anything else.
    pub fn parse_lenient(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        let (trimmed, front) = trim(raw.as_ref());
        Self::from_word(&String::from_utf8_lossy(trimmed))
            .map_or_else(|| Self::parse(trimmed.to_ascii_uppercase()).map_err(|error| error.shifted(front)), Ok)
    }

    /// Parses a letter or a word, in any case.
    pub(super) fn from_word(word: &str) -> Option<Self> {
        match () {
            () if word.eq_ignore_ascii_case("b") || word.eq_ignore_ascii_case("black") => Some(Color::Black),
            () if word.eq_ignore_ascii_case("w") || word.eq_ignore_ascii_case("white") => Some(Color::White),
            () => None,
        }
    }
}

sgf_value!(Color, "Color");

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::laws::parsing_laws;
    use quickcheck::{Arbitrary, Gen, quickcheck};

    impl Arbitrary for Color {
        fn arbitrary(g: &mut Gen) -> Self {
            *g.choose(&[Color::Black, Color::White]).unwrap()
        }
    }

    #[test]
    fn errors_name_the_place_and_what_was_expected() {
        for (raw, expected, at) in [
            ("", "B or W", 0),
            ("b", "B or W", 0),
            (" B", "B or W", 0),
            ("B ", "the end of the value", 1),
            ("White", "the end of the value", 1),
        ] {
            let error = Color::parse(raw).unwrap_err();
            assert_eq!((error.kind(), error.expected(), error.at()), ("Color", expected, at), "{raw:?}");
        }
        assert_eq!(Color::parse_lenient("  bw").unwrap_err().at(), 3);
        assert_eq!(Color::parse_lenient("  ").unwrap_err().at(), 2);
    }

    #[test]
    fn letters_and_words_are_read_in_any_case() {
        for raw in ["W", "w", " w\n", "white", "White", "WHITE"] {
            assert_eq!(Color::parse_lenient(raw), Ok(Color::White), "{raw:?}");
        }
        for raw in ["", "1", "w 123", "whit", "bw"] {
            assert!(Color::parse_lenient(raw).is_err(), "{raw:?}");
        }
    }

    quickcheck! {
        fn a_color_round_trips(color: Color) -> bool {
            Color::parse(color.to_string()) == Ok(color) && color.opponent() != color
        }
    }

    parsing_laws!(Color, ["B", "W", "black", " White"]);
}
