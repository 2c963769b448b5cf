//! What the exchange of colors does to properties: the counterpart of a property, and the values that name a color.

use std::borrow::Cow;

use super::{Property, ValueType};
use crate::raw::RawValue;
use crate::value::typed::trim;
use crate::value::{Color, GameResult, Komi, Real};

/// Properties of Black, and the same ones of White.
const PAIRS: &[(&str, &str)] = &[
    ("AB", "AW"),
    ("B", "W"),
    ("BC", "WC"),
    ("BE", "WE"),
    ("BL", "WL"),
    ("BO", "WO"),
    ("BP", "WP"),
    ("BR", "WR"),
    ("BS", "WS"),
    ("BT", "WT"),
    ("GB", "GW"),
    ("KB", "KW"),
    ("KGSSB", "KGSSW"),
    ("NB", "NW"),
    ("OB", "OW"),
    ("PB", "PW"),
    ("QB", "QW"),
    ("TB", "TW"),
];

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
        let other = PAIRS.iter().find_map(|&(black, white)| match self.ident {
            ident if ident == black => Some(white),
            ident if ident == white => Some(black),
            _ => None,
        })?;
        // `BC` is the country of a player, and a judgment of a move of backgammon.
        let is_like = |row: &Property| row.value == self.value && row.property_type == self.property_type;
        super::find(other).any(is_like).then_some(other)
    }

    /// Returns whether values of the property name a color, or are numbers for one side.
    pub(crate) fn names_color(&self) -> bool {
        matches!(self.value, ValueType::Color | ValueType::GameResult | ValueType::Komi)
            || matches!(self.ident, "KI" | "SBKV")
            || self.ident == "V" && self.value == ValueType::Real
    }

    /// Returns a value of the property with the other color; `None` if it cannot be read, as of [`names_color`](Self::names_color).
    pub(crate) fn of_other_color<'v>(&self, raw: RawValue<'v>) -> Option<Cow<'v, [u8]>> {
        match self.value {
            ValueType::Color => {
                let color = Color::parse(raw).or_else(|_| Color::parse_lenient(raw)).ok()?;
                Some(Cow::Borrowed(color.opponent().as_str().as_bytes()))
            }
            ValueType::GameResult => other_winner(raw),
            _ if self.ident == "SBKV" => {
                // A rate in percent, as the program writes it.
                let rate = Real::parse_lenient(raw).ok().filter(|rate| (0.0..=100.0).contains(&rate.get()))?;
                Some(Cow::Owned(rate_of_other_side(rate).into_bytes()))
            }
            _ => negated(raw),
        }
    }
}

/// Returns 100 minus a rate, without the digits that the subtraction of binary fractions adds.
fn rate_of_other_side(rate: Real) -> String {
    let digits = rate.to_string().split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let other = format!("{:.digits$}", 100.0 - rate.get());
    match digits {
        0 => other,
        _ => other.trim_end_matches('0').trim_end_matches('.').to_owned(),
    }
}

/// Returns a result with the other winner. The rest is kept byte for byte, unless the winner is written in words.
fn other_winner(raw: RawValue<'_>) -> Option<Cow<'_, [u8]>> {
    let bytes = raw.as_bytes();
    let (text, front) = trim(bytes);
    if let [winner @ (b'B' | b'W' | b'b' | b'w'), b'+', ..] = text {
        let other = match winner {
            b'B' => b'W',
            b'W' => b'B',
            b'b' => b'w',
            _ => b'b',
        };
        let mut exchanged = bytes.to_vec();
        exchanged[front] = other;
        return Some(Cow::Owned(exchanged));
    }
    Some(match GameResult::parse_lenient(raw).ok()? {
        GameResult::Win { winner, by } => {
            Cow::Owned(GameResult::Win { winner: winner.opponent(), by }.to_string().into_bytes())
        }
        GameResult::Draw | GameResult::Void | GameResult::Unknown => Cow::Borrowed(bytes),
    })
}

/// Returns a number with the other sign, and its digits as written.
fn negated(raw: RawValue<'_>) -> Option<Cow<'_, [u8]>> {
    let bytes = raw.as_bytes();
    let number = Komi::parse_lenient(raw).ok()?.get();
    if number == 0.0 {
        return Some(Cow::Borrowed(bytes));
    }
    let negated = match trim(bytes).0 {
        [b'-', digits @ ..] => digits.to_vec(),
        [b'+', digits @ ..] | digits => [b"-", digits].concat(),
    };
    // Words such as "6.5 points" remain a number with a sign.
    let is_read = Komi::parse_lenient(&negated).is_ok_and(|komi| komi.get() == -number);
    is_read.then_some(Cow::Owned(negated))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::property::{self, Context};
    use crate::syntax::event::Ident;

    #[test]
    fn counterparts_have_each_other_and_the_same_type() {
        for &(black, white) in PAIRS {
            let context = match black {
                "BO" => Context::new(crate::Game::Octi, 4),
                _ => Context::default(),
            };
            let row = |ident: &str| property::lookup(Ident::new(ident.as_bytes()), &context).unwrap();
            assert_eq!((row(black).counterpart(), row(white).counterpart()), (Some(white), Some(black)));
            assert_eq!(row(black).value().to_string(), row(white).value().to_string(), "{black}");
            assert_eq!(row(black).property_type(), row(white).property_type(), "{black}");
            assert_eq!(row(black).group(), row(white).group(), "{black}");
            assert!(!row(black).names_color(), "{black}");
        }
        let cube = property::lookup(Ident::new(b"BC"), &Context::new(crate::Game::Backgammon, 4)).unwrap();
        assert_eq!((cube.meaning(), cube.counterpart()), ("bad cube decision", None));
    }

    #[test]
    fn values_get_the_other_color_and_back() {
        for (ident, raw, expected) in [
            ("PL", "B", "W"),
            ("PL", "W", "B"),
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
    fn results_in_words_become_those_of_the_specification() {
        let result = property::find("RE").next().unwrap();
        for (raw, expected) in
            [("White resigns", Some("W+Resign")), ("白胜1目半", Some("B+1.5")), ("john wins", None), ("", None)]
        {
            let other = result.of_other_color(RawValue::new(raw.as_bytes()));
            assert_eq!(other.as_deref(), expected.map(str::as_bytes), "{raw}");
        }
        let komi = property::find("KM").next().unwrap();
        assert_eq!(komi.of_other_color(RawValue::new(b"six")), None);
    }
}
