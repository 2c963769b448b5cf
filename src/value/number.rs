//! The value types Number, Real and Double.

use std::fmt;

use super::ValueError;
use super::typed::{sgf_value, trim};

/// *Number*: a signed 64-bit integer.
///
/// ```text
/// Number = [ "+" | "-" ] Digit { Digit }          (FF[4], "Property Value Types")
/// ```
///
/// Leading zeros are legal (`FF[03]` occurs). Lenient parsing ignores surrounding white space and nothing else:
/// `4abc` is not a number. A number that does not fit in 64 bits is an error.
///
/// ```
/// use sgf_stream::value::Number;
///
/// assert_eq!(Number::parse("-042")?, Number::new(-42));
/// assert_eq!(Number::parse_lenient(" 7\n")?.get(), 7);
/// assert!(Number::parse("9223372036854775808").is_err());
/// # Ok::<(), sgf_stream::value::ValueError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Number(i64);

impl Number {
    const KIND: &'static str = "Number";

    /// Creates a number.
    pub const fn new(number: i64) -> Self {
        Number(number)
    }

    /// Returns the number.
    pub const fn get(self) -> i64 {
        self.0
    }

    /// Parses a value strictly.
    ///
    /// # Errors
    ///
    /// Fails if the value is not digits with an optional sign, or does not fit in 64 bits.
    pub fn parse(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        let raw = raw.as_ref();
        let error = |expected, at| ValueError::new(Self::KIND, expected, at);
        let (negative, digits) = sign(raw);
        let mut number = 0i64;
        for (at, byte) in raw.iter().enumerate().skip(raw.len() - digits.len()) {
            if !byte.is_ascii_digit() {
                return Err(error("a digit", at));
            }
            let digit = i64::from(byte - b'0');
            // Accumulates with the sign, since `-i64::MIN` would overflow.
            number = (number.checked_mul(10))
                .and_then(|ten| if negative { ten.checked_sub(digit) } else { ten.checked_add(digit) })
                .ok_or(error("a number that fits in 64 bits", at))?;
        }
        if digits.is_empty() { Err(error("a digit", raw.len())) } else { Ok(Number(number)) }
    }

    /// Parses a value with surrounding white space.
    ///
    /// # Errors
    ///
    /// Fails if the value is not a number even leniently, or does not fit in 64 bits.
    #[inline]
    pub fn parse_lenient(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        match *raw.as_ref() {
            // Nearly all numbers are this short.
            [one @ b'0'..=b'9'] => Ok(Number((one - b'0').into())),
            [ten @ b'0'..=b'9', one @ b'0'..=b'9'] => Ok(Number((10 * (ten - b'0') + (one - b'0')).into())),
            ref raw => Self::parse_trimmed(raw),
        }
    }

    fn parse_trimmed(raw: &[u8]) -> Result<Self, ValueError> {
        let (trimmed, front) = trim(raw);
        Self::parse(trimmed).map_err(|error| error.shifted(front))
    }
}

sgf_value!(Number, "Number", serde by hand);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl From<i64> for Number {
    fn from(number: i64) -> Self {
        Number(number)
    }
}

impl From<Number> for i64 {
    fn from(Number(number): Number) -> Self {
        number
    }
}

/// Splits off the sign. Returns whether it is a minus, and the rest.
fn sign(raw: &[u8]) -> (bool, &[u8]) {
    match raw {
        [b'+', digits @ ..] => (false, digits),
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    }
}

/// *Real*: a decimal number, stored as an `f64`.
///
/// ```text
/// Real = Number [ "." Digit { Digit } ]           (FF[4], "Property Value Types")
/// ```
///
/// The decimal point has digits on both sides, and an exponent is not allowed. Lenient parsing also accepts `2.` and
/// `.2`, a decimal comma (unless exactly three digits follow, which may be thousands), halves and quarters (`5 3/4`,
/// `1/2`, `5½`; but not `53/4`, which may be 5 3/4), and surrounding white space. A number outside the range of `f64`
/// is an error.
///
/// A `Real` is never infinite, NaN or negative zero, so it implements `Eq`, `Ord` and `Hash`. It prints with the
/// digits needed to parse back to the same float.
///
/// ```
/// use sgf_stream::value::Real;
///
/// assert_eq!(Real::parse("6.50")?.to_string(), "6.5");
/// assert_eq!(Real::parse(".5").unwrap_err().to_string(), "Real: expected a digit at byte 0");
/// assert_eq!(Real::parse_lenient(".5")?.get(), 0.5);
/// # Ok::<(), sgf_stream::value::ValueError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Real(f64);

impl Real {
    const KIND: &'static str = "Real";

    /// Creates a real number. Returns `None` if it is infinite or NaN, which SGF cannot represent.
    pub fn new(number: f64) -> Option<Self> {
        // Adding zero turns negative zero into zero.
        number.is_finite().then_some(Real(number + 0.0))
    }

    /// Returns the number.
    pub const fn get(self) -> f64 {
        self.0
    }

    /// Parses a value strictly.
    ///
    /// # Errors
    ///
    /// Fails if the value has another form, or is outside the range of `f64`.
    pub fn parse(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        Self::read(raw.as_ref(), false)
    }

    /// Parses a value leniently; see [`Real`].
    ///
    /// # Errors
    ///
    /// Fails if the value is not a number even leniently, or is outside the range of `f64`.
    pub fn parse_lenient(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        let raw = raw.as_ref();
        Self::parse_decimal(raw).or_else(|error| mixed(trim(raw).0).ok_or(error))
    }

    /// Parses a value leniently, but without fractions.
    pub(in crate::value) fn parse_decimal(raw: &[u8]) -> Result<Self, ValueError> {
        let (trimmed, front) = trim(raw);
        Self::read(trimmed, true).map_err(|error| error.shifted(front))
    }

    fn read(raw: &[u8], lenient: bool) -> Result<Self, ValueError> {
        match short_decimal(raw) {
            Some(number) => Ok(Real(number)),
            None => Self::read_any(raw, lenient),
        }
    }

    fn read_any(raw: &[u8], lenient: bool) -> Result<Self, ValueError> {
        let error = |expected, at| ValueError::new(Self::KIND, expected, at);
        let (_, unsigned) = sign(raw);
        let signs = raw.len() - unsigned.len();
        let whole = unsigned.iter().take_while(|b| b.is_ascii_digit()).count();
        let (point, fraction) = match &unsigned[whole..] {
            [] => (None, &[][..]),
            [b'.', fraction @ ..] => (Some(whole), fraction),
            // Three digits may be thousands: `1,000` is ambiguous.
            [b',', fraction @ ..] if lenient && fraction.len() != 3 => (Some(whole), fraction),
            _ => return Err(error("a digit", signs + whole)),
        };
        if let Some(at) = fraction.iter().position(|b| !b.is_ascii_digit()) {
            return Err(error("a digit", raw.len() - fraction.len() + at));
        }
        let missing = match lenient {
            true => whole == 0 && fraction.is_empty(),
            false => whole == 0 || point.is_some() && fraction.is_empty(),
        };
        if missing {
            return Err(error("a digit", if whole == 0 { signs } else { raw.len() }));
        }
        // The bytes are ASCII: digits, a sign, and a point or comma.
        let mut text = String::from_utf8_lossy(raw);
        if text.contains(',') {
            text = text.replace(',', ".").into();
        }
        let number = text.parse().ok().and_then(Real::new);
        number.ok_or(error("a number in the range of a 64-bit float", 0))
    }
}

sgf_value!(Real, "Real", serde by hand);

/// Maximum number of digits for which both the number and its power of ten are exact floats.
const SHORT: usize = 15;

const POWERS_OF_TEN: [f64; SHORT + 1] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

/// Reads a number without a sign and with few digits: `1234`, `6.5`. Both numbers of the division are exact, so its result is
/// the float that is nearest to the number, as for all other numbers.
#[inline]
pub fn short_decimal(raw: &[u8]) -> Option<f64> {
    let (mut digits, mut point) = (0u64, None);
    if raw.len() > SHORT {
        return None;
    }
    for (at, byte) in raw.iter().enumerate() {
        match byte {
            b'0'..=b'9' => digits = digits * 10 + u64::from(byte - b'0'),
            b'.' if point.is_none() && at > 0 => point = Some(at),
            _ => return None,
        }
    }
    match point {
        None => (!raw.is_empty()).then_some(digits as f64),
        Some(point) => {
            let fraction = raw.len() - point - 1;
            (fraction > 0).then(|| digits as f64 / POWERS_OF_TEN[fraction])
        }
    }
}

/// Returns whether a text is a short number that prints as this text. It has no sign and no needless zeros.
pub(crate) fn is_shortest_decimal(text: &[u8]) -> bool {
    let has_zero = match text {
        [b'0', b'0'..=b'9', ..] => true,
        _ => text.contains(&b'.') && text.ends_with(b"0"),
    };
    !has_zero && short_decimal(text).is_some()
}

/// Parses `[ sign ] [ digits ] fraction`, with a space between two digits: `5 3/4`, `5½`, `1/2`.
fn mixed(raw: &[u8]) -> Option<Real> {
    let (negative, unsigned) = sign(raw);
    let text = str::from_utf8(unsigned).ok()?;
    let (whole, rest) = text.split_at(text.bytes().take_while(u8::is_ascii_digit).count());
    // Digits directly before a slash belong to the fraction.
    let (whole, fraction) = if rest.starts_with('/') { ("0", text) } else { (whole, rest.trim_start_matches(' ')) };
    let fraction = match fraction {
        "1/4" | "¼" => 0.25,
        "1/2" | "½" => 0.5,
        "3/4" | "¾" => 0.75,
        _ => return None,
    };
    let number = fraction + if whole.is_empty() { 0.0 } else { whole.parse::<f64>().ok()? };
    Real::new(if negative { -number } else { number })
}

impl fmt::Display for Real {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl From<Real> for f64 {
    fn from(Real(number): Real) -> Self {
        number
    }
}

impl Eq for Real {}

impl PartialOrd for Real {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Real {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl std::hash::Hash for Real {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.to_bits().hash(state);
    }
}

/// *Double*: the strength of an annotation. `GB[1]` is good for Black, `GB[2]` very good.
///
/// ```text
/// Double = ( "1" | "2" )                          (FF[4], "Property Value Types")
/// ```
///
/// Lenient parsing ignores surrounding white space, and treats an empty value as `1`, like SGFC.
///
/// ```
/// use sgf_stream::value::Double;
///
/// assert_eq!(Double::parse("2")?, Double::Emphasized);
/// assert!(Double::parse("3").is_err());
/// assert_eq!(Double::parse_lenient("")?, Double::Normal);
/// # Ok::<(), sgf_stream::value::ValueError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Double {
    /// `1`
    #[default]
    Normal,
    /// `2`
    Emphasized,
}

impl Double {
    const KIND: &'static str = "Double";

    /// Returns 1 or 2.
    pub const fn get(self) -> u8 {
        match self {
            Double::Normal => 1,
            Double::Emphasized => 2,
        }
    }

    /// Parses a value strictly.
    ///
    /// # Errors
    ///
    /// Fails if the value is neither `1` nor `2`.
    pub fn parse(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        match raw.as_ref() {
            b"1" => Ok(Double::Normal),
            b"2" => Ok(Double::Emphasized),
            [b'1' | b'2', ..] => Err(ValueError::new(Self::KIND, "the end of the value", 1)),
            _ => Err(ValueError::new(Self::KIND, "1 or 2", 0)),
        }
    }

    /// Parses a value with surrounding white space, or an empty one.
    ///
    /// # Errors
    ///
    /// Fails if the value is anything else.
    pub fn parse_lenient(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        match trim(raw.as_ref()) {
            (b"", _) => Ok(Double::Normal),
            (trimmed, front) => Self::parse(trimmed).map_err(|error| error.shifted(front)),
        }
    }
}

sgf_value!(Double, "Double", serde by hand);

impl fmt::Display for Double {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

/// Serde implementations that represent the types as numbers.
#[cfg(feature = "serde")]
mod serde_impls {
    use std::fmt;

    use serde::de::{Deserialize, Deserializer, Error, Visitor};
    use serde::ser::{Serialize, Serializer};

    use crate::value::typed::serde_impl::refuse;
    use crate::value::{Double, Komi, Number, Real, Seconds};

    /// Serializes a number; deserializes a number or, leniently, a string.
    macro_rules! numeric {
        ($type:ty, $serialize:ident, $deserialize:ident, $expecting:literal) => {
            #[automatically_derived]
            impl Serialize for $type {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    serializer.$serialize(self.get())
                }
            }

            #[automatically_derived]
            impl<'de> Deserialize<'de> for $type {
                fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    struct Numeric;

                    impl Visitor<'_> for Numeric {
                        type Value = $type;

                        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                            f.write_str($expecting)
                        }

                        fn visit_i64<E: Error>(self, number: i64) -> Result<$type, E> {
                            self.visit_str(&number.to_string())
                        }

                        fn visit_u64<E: Error>(self, number: u64) -> Result<$type, E> {
                            self.visit_str(&number.to_string())
                        }

                        fn visit_f64<E: Error>(self, number: f64) -> Result<$type, E> {
                            self.visit_str(&number.to_string())
                        }

                        fn visit_str<E: Error>(self, raw: &str) -> Result<$type, E> {
                            self.visit_bytes(raw.as_bytes())
                        }

                        fn visit_bytes<E: Error>(self, raw: &[u8]) -> Result<$type, E> {
                            <$type>::parse_lenient(raw).map_err(|error| refuse(raw, error))
                        }
                    }

                    deserializer.$deserialize(Numeric)
                }
            }
        };
    }

    numeric!(Number, serialize_i64, deserialize_i64, "a whole number");
    numeric!(Real, serialize_f64, deserialize_f64, "a number");
    numeric!(Double, serialize_u8, deserialize_u8, "1 or 2");
    numeric!(Komi, serialize_f64, deserialize_f64, "a komi");
    numeric!(Seconds, serialize_f64, deserialize_f64, "a time in seconds");
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    quickcheck! {
        /// Checks that short numbers are parsed like all others.
        fn a_short_number_is_read_as_any_number(picks: Vec<u8>, lenient: bool) -> bool {
            let raw: Vec<u8> = picks.iter().take(18).map(|pick| b"012345678999990..,-"[usize::from(pick % 19)]).collect();
            let bits = |read: Result<Real, ValueError>| read.map(|number| number.get().to_bits());
            (0..=raw.len()).all(|len| bits(Real::read(&raw[..len], lenient)) == bits(Real::read_any(&raw[..len], lenient)))
        }
    }

    quickcheck! {
        fn a_shortest_decimal_prints_as_it_is(picks: Vec<u8>) -> bool {
            let raw: Vec<u8> = picks.iter().take(16).map(|pick| b"00000123456789..."[usize::from(pick % 17)]).collect();
            (0..=raw.len()).all(|len| {
                let printed = short_decimal(&raw[..len]).and_then(Real::new).map(|number| number.to_string().into_bytes());
                is_shortest_decimal(&raw[..len]) == (printed.as_deref() == Some(&raw[..len]))
            })
        }
    }

    #[test]
    fn a_number_must_fit_in_64_bits() {
        for number in [i64::MIN, i64::MAX] {
            assert_eq!(Number::parse(number.to_string()), Ok(Number(number)));
        }
        for (raw, at) in [("9223372036854775808", 18), ("-9223372036854775809", 19), ("18446744073709551616", 19)] {
            let error = Number::parse(raw).unwrap_err();
            assert_eq!((error.expected(), error.at()), ("a number that fits in 64 bits", at), "{raw}");
        }
    }

    #[test]
    fn errors_name_the_place_and_what_was_expected() {
        for (raw, expected, at) in
            [("", "a digit", 0), ("-", "a digit", 1), ("+-1", "a digit", 1), (" 1", "a digit", 0), ("1 ", "a digit", 1)]
        {
            let error = Number::parse(raw).unwrap_err();
            assert_eq!((error.expected(), error.at()), (expected, at), "{raw:?}");
        }
        assert_eq!(Number::parse_lenient("  1x").unwrap_err().at(), 3);
    }

    #[test]
    fn strict_parsing_requires_digits_on_both_sides_of_the_point() {
        for (raw, at) in
            [("", 0), (".", 0), ("+", 1), ("2.", 2), (".2", 0), ("-.2", 1), ("1.2.3", 3), ("1e3", 1), ("1,5", 1)]
        {
            assert_eq!(Real::parse(raw).unwrap_err().at(), at, "{raw:?}");
        }
        for (raw, number) in [
            ("2.", 2.0),
            (".2", 0.2),
            ("-.2", -0.2),
            (" 6,5 ", 6.5),
            ("5 3/4", 5.75),
            ("5 1/2", 5.5),
            ("1/4", 0.25),
            ("-5  1/2", -5.5),
            ("+1/2", 0.5),
            (" 5½ ", 5.5),
            ("5 ¾", 5.75),
            ("¼", 0.25),
        ] {
            assert_eq!(Real::parse_lenient(raw).map(Real::get), Ok(number), "{raw:?}");
        }
        for raw in [
            ".",
            "",
            "-",
            "1e3",
            "6.5 komi",
            "1,000",
            "53/4",
            "5.5 1/2",
            "5 2/4",
            "3/2",
            "1/3",
            "5-1/2",
            "5 -1/2",
            "5 1/2 1/2",
            "/2",
            "1/",
            "5 /2",
            "½½",
            "5 x1/2",
            "½5",
        ] {
            assert!(Real::parse_lenient(raw).is_err(), "{raw:?}");
        }
    }

    #[test]
    fn a_real_is_finite_and_has_one_zero() {
        assert_eq!(Real::parse("9".repeat(400)).unwrap_err().expected(), "a number in the range of a 64-bit float");
        assert_eq!(Real::parse("-0").unwrap().to_string(), "0");
        assert_eq!(Real::new(f64::NAN), None);
    }

    quickcheck! {
        fn a_number_round_trips(number: i64) -> bool {
            let number = Number(number);
            Number::parse(number.to_string()) == Ok(number)
        }

        fn a_real_round_trips(number: f64) -> bool {
            Real::new(number).is_none_or(|real| Real::parse(real.to_string()) == Ok(real))
        }
    }
}
