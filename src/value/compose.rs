//! The value type Compose.

use std::fmt;
use std::str::FromStr;

use super::print::{Printer, ToProperty};
use super::{RawValue, SgfValue, ValueError};

/// *Compose*: two values joined by a colon: `LB[dd:A]`, `SZ[17:3]`.
///
/// ```text
/// Compose = ValueType ":" ValueType               (FF[4], "Property Value Types")
/// ```
///
/// The first unescaped colon separates the components; the second one may contain more. Each component is parsed as
/// its own type, strictly or leniently like the whole. Its errors are those of its type, with offsets in the whole
/// value. With the feature `serde` it is a pair.
///
/// Types that print bare colons ([`Size`](super::Size), [`Rect`](super::Rect), moves of Lines of Action and Gess) can
/// only be the second component.
///
/// ```
/// use sgf_stream::value::{Compose, Number, SimpleText};
///
/// let Compose(flags, name) = Compose::<Number, SimpleText>::parse("257:Dia. 1: ladders")?;
/// assert_eq!((flags.get(), name.as_str()), (257, "Dia. 1: ladders"));
///
/// let error = Compose::<Number, Number>::parse("17:3x").unwrap_err();
/// assert_eq!(error.to_string(), "Number: expected a digit at byte 4");
/// # Ok::<(), sgf_stream::value::ValueError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Compose<A, B>(pub A, pub B);

/// Splits a value at the colon. Returns the two components and the offset of the second.
pub(super) fn split<'a>(raw: &'a [u8], kind: &'static str) -> Result<(RawValue<'a>, RawValue<'a>, usize), ValueError> {
    let (first, second) = RawValue::new(raw).compose().ok_or(ValueError::new(kind, "a colon", raw.len()))?;
    Ok((first, second, first.as_bytes().len() + 1))
}

impl<A: SgfValue, B: SgfValue> Compose<A, B> {
    /// Parses a value strictly.
    ///
    /// # Errors
    ///
    /// Fails if the colon is missing, or a component is not of its type.
    pub fn parse(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        let (first, second, at) = split(raw.as_ref(), Self::KIND)?;
        Ok(Compose(A::from_raw(first)?, B::from_raw(second).map_err(|error| error.shifted(at))?))
    }

    /// Parses a value with both components lenient.
    ///
    /// # Errors
    ///
    /// Fails if the colon is missing, or a component is not of its type even leniently.
    pub fn parse_lenient(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        let (first, second, at) = split(raw.as_ref(), Self::KIND)?;
        Ok(Compose(A::from_raw_lenient(first)?, B::from_raw_lenient(second).map_err(|error| error.shifted(at))?))
    }
}

impl<A: SgfValue, B: SgfValue> ToProperty for Compose<A, B> {
    fn print(&self, to: &mut Printer) {
        to.in_compose = true;
        to.put(self);
    }
}

impl<A: SgfValue, B: SgfValue> SgfValue for Compose<A, B> {
    const KIND: &'static str = "Compose";

    fn from_raw(raw: RawValue<'_>) -> Result<Self, ValueError> {
        Self::parse(raw)
    }

    fn from_raw_lenient(raw: RawValue<'_>) -> Result<Self, ValueError> {
        Self::parse_lenient(raw)
    }
}

/// Parses strictly; see `parse`.
impl<A: SgfValue, B: SgfValue> FromStr for Compose<A, B> {
    type Err = ValueError;

    fn from_str(raw: &str) -> Result<Self, ValueError> {
        Self::parse(raw)
    }
}

/// Prints the components with their colons escaped.
impl<A: fmt::Display, B: fmt::Display> fmt::Display for Compose<A, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#}:{:#}", self.0, self.1)
    }
}

impl<A, B> From<(A, B)> for Compose<A, B> {
    fn from((first, second): (A, B)) -> Self {
        Compose(first, second)
    }
}

impl<A, B> From<Compose<A, B>> for (A, B) {
    fn from(Compose(first, second): Compose<A, B>) -> Self {
        (first, second)
    }
}

/// Serializes a pair.
#[cfg(feature = "serde")]
impl<A: serde::Serialize, B: serde::Serialize> serde::Serialize for Compose<A, B> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (&self.0, &self.1).serialize(serializer)
    }
}

/// Deserializes a pair.
#[cfg(feature = "serde")]
impl<'de, A: serde::Deserialize<'de>, B: serde::Deserialize<'de>> serde::Deserialize<'de> for Compose<A, B> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <(A, B)>::deserialize(deserializer).map(Self::from)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Number, SimpleText, Text};
    use super::*;
    use crate::value::laws::parsing_laws;
    use quickcheck::quickcheck;

    type Label = Compose<Number, SimpleText>;

    #[test]
    fn the_first_unescaped_colon_separates_the_parts() {
        let texts = |raw: &str| Compose::<SimpleText, SimpleText>::parse(raw);
        for (raw, first, second) in [
            ("a:b", "a", "b"),
            ("a:b:c", "a", "b:c"),
            (r"a\:b:c", "a:b", "c"),
            (r"a\\:b", r"a\", "b"),
            (":", "", ""),
            (r"x:\:", "x", ":"),
        ] {
            assert_eq!(texts(raw), Ok(Compose(first.into(), second.into())), "{raw:?}");
        }
        assert_eq!(Compose(SimpleText::new("a:b"), SimpleText::new("]:")).to_string(), r"a\:b:\]\:");
    }

    #[test]
    fn error_offsets_are_relative_to_the_whole_value() {
        for (raw, kind, expected, at) in [
            (r"1\:2", "Compose", "a colon", 4),
            ("", "Compose", "a colon", 0),
            ("x:a", "Number", "a digit", 0),
            ("1x:a", "Number", "a digit", 1),
        ] {
            let error = Label::parse(raw).unwrap_err();
            assert_eq!((error.kind(), error.expected(), error.at()), (kind, expected, at), "{raw:?}");
        }
        assert_eq!(Label::parse(b"12:a\xFF").unwrap_err().at(), 4);
        assert_eq!(Compose::<Number, Number>::parse_lenient(" 1 : 2x").unwrap_err().at(), 6);
        assert_eq!(Compose::<Number, Number>::parse_lenient(" 1 : 2 ").unwrap().to_string(), "1:2");
    }

    #[test]
    #[cfg(feature = "serde")]
    fn serde_represents_it_as_a_pair() {
        let label = Label::parse(r"7:a \] b").unwrap();
        let json = serde_json::to_string(&label).unwrap();
        assert_eq!(json, r#"[7,"a ] b"]"#);
        assert_eq!(serde_json::from_str::<Label>(&json).unwrap(), label);
    }

    quickcheck! {
        fn a_composed_value_round_trips(first: SimpleText, second: Text) -> bool {
            let compose = Compose(first, second);
            Compose::parse(compose.to_string()) == Ok(compose)
        }
    }

    parsing_laws!(Label, ["1:a", " 257:Dia. 6", r"7:\:\\]"]);
}
