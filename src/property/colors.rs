//! What the exchange of colors does to properties: the counterpart of a property, and the values that name a color.

use std::borrow::Cow;

use super::facts::Swap;
use super::{Property, ValueType};
use crate::raw::RawValue;
use crate::value::typed::trim;
use crate::value::{GameResult, Komi, Real};

/// What the exchange of colors does.
impl Property {
    /// Returns the same property of the other side: `PW` for `PB`, `AB` for `AW`.
    ///
    /// `None` if the property belongs to no side, or names a side in its value, as `PL` and `RE` do.
    ///
    /// ```
    /// use sgf_stream::property;
    ///
    /// let counterpart = |ident| property::find(ident).next().and_then(|property| property.counterpart());
    /// assert_eq!((counterpart("PB"), counterpart("AW"), counterpart("PL")), (Some("PW"), Some("AB"), None));
    /// ```
    pub fn counterpart(&self) -> Option<&'static str> {
        self.counterpart
    }

    /// Returns whether values of the property name a color, or are numbers for one side.
    pub(crate) fn names_color(&self) -> bool {
        matches!(self.value, ValueType::Color | ValueType::GameResult | ValueType::Komi) || self.swap.is_some()
    }

    /// Returns a value of the property with the other color; `None` if it cannot be read, as of [`names_color`](Self::names_color).
    ///
    /// All bytes but the color or the number stay. A result in words is not read: see [`names_winner_in_words`].
    pub(crate) fn of_other_color<'v>(&self, raw: RawValue<'v>) -> Option<Cow<'v, [u8]>> {
        match self.value {
            ValueType::Color => {
                let (text, front) = trim(raw.as_bytes());
                let (other, len) = other_color(text)?;
                (len == text.len()).then(|| with(raw, front, len, &other))
            }
            ValueType::GameResult => other_winner(raw),
            _ if self.swap == Some(Swap::Percentage) => {
                // A rate in percent, as the program writes it.
                let rate = Real::parse_lenient(raw).ok().filter(|rate| (0.0..=100.0).contains(&rate.get()))?;
                let (text, front) = trim(raw.as_bytes());
                Some(with(raw, front, text.len(), rate_of_other_side(rate, text).as_bytes()))
            }
            _ => negated(raw),
        }
    }

    /// Returns whether a value is a result whose winner [`of_other_color`](Self::of_other_color) cannot exchange.
    pub(crate) fn names_winner_in_words(&self, raw: RawValue<'_>) -> bool {
        self.value == ValueType::GameResult
            && other_winner(raw).is_none()
            && GameResult::parse_lenient(raw).is_ok_and(|result| result.winner().is_some())
    }
}

/// Returns a value with some bytes replaced.
fn with<'v>(raw: RawValue<'_>, start: usize, len: usize, new: &[u8]) -> Cow<'v, [u8]> {
    let bytes = raw.as_bytes();
    Cow::Owned([&bytes[..start], new, &bytes[start + len..]].concat())
}

/// Returns the other color of the one that a text begins with, in the same case, and the length of the old one.
fn other_color(text: &[u8]) -> Option<(Vec<u8>, usize)> {
    const WORDS: [(&str, &str); 2] = [("black", "white"), ("white", "black")];
    let begins = |word: &str| text.get(..word.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(word.as_bytes()));
    let (other, len) = WORDS.into_iter().find_map(|(word, other)| match begins(word) {
        true => Some((other, word.len())),
        false => begins(&word[..1]).then_some((&other[..1], 1)),
    })?;
    let other = other.bytes().zip(text).map(|(letter, old)| match old.is_ascii_uppercase() {
        true => letter.to_ascii_uppercase(),
        false => letter,
    });
    Some((other.collect(), len))
}

/// Returns 100 minus a rate, with the number of digits that it is written with. The subtraction of binary fractions would
/// add some.
fn rate_of_other_side(rate: Real, text: &[u8]) -> String {
    let is_digit = |byte: &&u8| byte.is_ascii_digit();
    let fraction = text.iter().rev().take_while(is_digit).count();
    let has_point = fraction < text.len() && matches!(text[text.len() - fraction - 1], b'.' | b',');
    let digits = if has_point { fraction } else { 0 };
    let other = format!("{:.digits$}", 100.0 - rate.get());
    if has_point && text.contains(&b',') { other.replace('.', ",") } else { other }
}

/// Returns a result with the other winner, of the form `B+…` or `W+…`, or a color alone. The rest is kept byte for byte.
///
/// The color may also be lower-case, or a word, and may have blanks around it.
fn other_winner(raw: RawValue<'_>) -> Option<Cow<'_, [u8]>> {
    let bytes = raw.as_bytes();
    let (text, front) = trim(bytes);
    if let Some((other, len)) = other_color(text)
        && matches!(trim(&text[len..]).0, [] | [b'+', ..])
    {
        return Some(with(raw, front, len, &other));
    }
    let is_without = GameResult::parse_lenient(raw).is_ok_and(|result| result.winner().is_none());
    is_without.then_some(Cow::Borrowed(bytes))
}

/// Returns a number with the other sign, and its digits as written.
fn negated(raw: RawValue<'_>) -> Option<Cow<'_, [u8]>> {
    let bytes = raw.as_bytes();
    let number = Komi::parse_lenient(raw).ok()?.get();
    if number == 0.0 {
        return Some(Cow::Borrowed(bytes));
    }
    let (text, front) = trim(bytes);
    let negated = match text {
        [b'-', ..] => with(raw, front, 1, b""),
        [b'+', ..] => with(raw, front, 1, b"-"),
        _ => with(raw, front, 0, b"-"),
    };
    // Words such as "6.5 points" remain a number with a sign.
    let is_read = Komi::parse_lenient(&negated).is_ok_and(|komi| komi.get() == -number);
    is_read.then_some(negated)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::property::{self, Context};
    use crate::syntax::event::Ident;

    #[test]
    fn counterparts_have_each_other_and_the_same_type() {
        let mut pairs = 0;
        for row in property::all() {
            let Some(other) = row.counterpart() else { continue };
            let context = Context::new(row.game().unwrap_or(crate::Game::Go), 4);
            let other = property::lookup(Ident::new(other.as_bytes()), &context).unwrap();
            assert_eq!(other.counterpart(), Some(row.ident()), "{row}");
            assert_eq!(row.value().to_string(), other.value().to_string(), "{row}");
            assert_eq!(row.property_type(), other.property_type(), "{row}");
            assert_eq!(row.group(), other.group(), "{row}");
            assert!(!row.names_color(), "{row}");
            pairs += 1;
        }
        assert_eq!(pairs, 36);
        let cube = property::lookup(Ident::new(b"BC"), &Context::new(crate::Game::Backgammon, 4)).unwrap();
        assert_eq!((cube.meaning(), cube.counterpart()), ("bad cube decision", None));
    }

    #[test]
    fn values_get_the_other_color_and_back() {
        for (ident, raw, expected) in [
            ("PL", "B", "W"),
            ("PL", "W", "B"),
            ("PL", " black", " white"),
            ("PL", "White ", "Black "),
            ("PL", "b", "w"),
            ("RE", " B+R ", " W+R "),
            ("RE", "Black + 3.5 points", "White + 3.5 points"),
            ("RE", "w", "b"),
            ("RE", "B+res (in byoyomi)", "W+res (in byoyomi)"),
            ("RE", "jigo", "jigo"),
            ("KM", " 5.50 ", " -5.50 "),
            ("SBKV", "48.30", "51.70"),
            ("SBKV", " 99.9 ", " 0.1 "),
            ("RE", "B+R", "W+R"),
            ("RE", "W+Illegal move", "B+Illegal move"),
            ("RE", "b+2.50", "w+2.50"),
            ("RE", "Draw", "Draw"),
            ("RE", "?", "?"),
            ("KM", "6.50", "-6.50"),
            ("KM", "-0.5", "0.5"),
            ("KM", "0", "0"),
            ("KM", "375", "-375"),
            ("V", "1.5", "-1.5"),
            ("SBKV", "48.36", "51.64"),
            ("SBKV", "50", "50"),
        ] {
            let row = property::find(ident).next().unwrap();
            let other = |raw: &str| {
                let other = row.of_other_color(RawValue::new(raw.as_bytes())).unwrap();
                String::from_utf8(other.into_owned()).unwrap()
            };
            assert!(row.names_color());
            assert_eq!(other(raw), expected, "{ident}[{raw}]");
            assert_eq!(other(expected), raw, "{ident}[{expected}]");
        }
    }

    #[test]
    fn results_in_words_are_not_exchanged() {
        let result = property::find("RE").next().unwrap();
        for (raw, names_winner) in [
            ("White resigns", true),
            ("白胜1目半", true),
            ("207수 흑불계승", true),
            ("john wins", false),
            ("", false),
            ("Draw", false),
            ("B+R", false),
        ] {
            let raw = RawValue::new(raw.as_bytes());
            assert_eq!(result.names_winner_in_words(raw), names_winner, "{raw:?}");
            let is_exchanged = result.of_other_color(raw).is_some();
            assert_eq!(is_exchanged, matches!(raw.as_bytes(), b"Draw" | b"B+R"), "{raw:?}");
        }
        let komi = property::find("KM").next().unwrap();
        assert_eq!(komi.of_other_color(RawValue::new(b"six")), None);
    }
}
