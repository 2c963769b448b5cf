//! What the typed values have in common.

use super::{RawValue, ValueError};

/// A type that a raw value can be read as.
///
/// The types have these two as methods of their own; the trait is for code that is generic over
/// them.
///
/// ```
/// use sgf_stream::RawValue;
/// use sgf_stream::value::{Number, Real, SgfValue, ValueError};
///
/// fn all<T: SgfValue>(values: &[RawValue<'_>]) -> Result<Vec<T>, ValueError> {
///     values.iter().map(|raw| T::from_raw(*raw)).collect()
/// }
///
/// let raw = [RawValue::new(b"1"), RawValue::new(b"2")];
/// assert_eq!(all::<Number>(&raw)?, [Number::new(1), Number::new(2)]);
/// assert_eq!(all::<Real>(&raw)?[1].get(), 2.0);
/// # Ok::<(), ValueError>(())
/// ```
pub trait SgfValue: Sized {
    /// The type's name in errors, in the words of the specification.
    const KIND: &'static str;

    /// Reads a value by the letter of the specification.
    ///
    /// # Errors
    ///
    /// If it is not of this type.
    fn from_raw(raw: RawValue<'_>) -> Result<Self, ValueError>;

    /// Reads a value as programs write it. What each type forgives is in its docs.
    ///
    /// # Errors
    ///
    /// If it is not of this type even so.
    fn from_raw_lenient(raw: RawValue<'_>) -> Result<Self, ValueError>;
}

/// Gives a type with `parse`, `parse_lenient` and `Display` what all typed values have:
/// [`SgfValue`], `FromStr`, and serde as a string. `sgf_value!(Date, "date")`;
/// `sgf_value!(Number, "Number", serde by hand)`.
macro_rules! sgf_value {
    ($type:ty, $kind:literal) => {
        $crate::value::typed::sgf_value!($type, $kind, serde by hand);

        /// As the string that stands between the brackets.
        #[cfg(feature = "serde")]
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $crate::value::typed::serde_impl::serialize(self, serializer)
            }
        }

        /// From the string that stands between the brackets, leniently.
        #[cfg(feature = "serde")]
        impl<'de> serde::Deserialize<'de> for $type {
            #[inline]
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::value::typed::serde_impl::deserialize(deserializer)
            }
        }
    };
    ($type:ty, $kind:literal, serde by hand) => {
        impl $crate::value::SgfValue for $type {
            const KIND: &'static str = $kind;

            #[inline]
            fn from_raw(raw: $crate::value::RawValue<'_>) -> Result<Self, $crate::value::ValueError> {
                Self::parse(raw)
            }

            fn from_raw_lenient(raw: $crate::value::RawValue<'_>) -> Result<Self, $crate::value::ValueError> {
                Self::parse_lenient(raw)
            }
        }

        /// Strict: see `parse`.
        impl std::str::FromStr for $type {
            type Err = $crate::value::ValueError;

            fn from_str(raw: &str) -> Result<Self, $crate::value::ValueError> {
                Self::parse(raw)
            }
        }
    };
}

pub(crate) use sgf_value;

/// How values of these types look to serde.
///
/// They are strings, and *raw* ones: what stands between the brackets, escapes and all. A format
/// like JSON need not know. This crate's own (de)serializer has to, since it escapes (unescapes)
/// strings, which would be done twice: `RU[a\\b]`. So the string goes in a newtype struct whose name
/// says so, which other formats see through.
#[cfg(feature = "serde")]
pub(crate) mod serde_impl {
    use std::fmt;
    use std::marker::PhantomData;

    use serde::de::{Deserializer, Error, Expected, Unexpected, Visitor};
    use serde::ser::{Serialize, Serializer};

    use super::{RawValue, SgfValue, ValueError};

    /// The name of the newtype struct around a raw value.
    pub(crate) const RAW: &str = "$sgf_stream::raw";

    /// The same around one of a point list that may be a rectangle. To types that ask for others, the
    /// points of rectangles are given one by one.
    pub(crate) const RECT: &str = "$sgf_stream::rect";

    /// Whether a newtype struct of this name wants a raw value.
    #[inline]
    pub(crate) fn is_raw(name: &str) -> bool {
        name == RAW || name == RECT
    }

    /// As the string that stands between the brackets.
    pub(crate) fn serialize<S: Serializer>(value: &impl fmt::Display, serializer: S) -> Result<S::Ok, S::Error> {
        struct Printed<'a, T>(&'a T);

        impl<T: fmt::Display> Serialize for Printed<'_, T> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self.0)
            }
        }

        serializer.serialize_newtype_struct(RAW, &Printed(value))
    }

    /// From a string or from bytes, as they stand between the brackets.
    #[inline]
    pub(crate) fn deserialize<'de, D: Deserializer<'de>, T: SgfValue>(deserializer: D) -> Result<T, D::Error> {
        deserializer.deserialize_newtype_struct(RAW, Raw(PhantomData))
    }

    /// The same of a type that takes rectangles.
    pub(crate) fn deserialize_rect<'de, D: Deserializer<'de>, T: SgfValue>(deserializer: D) -> Result<T, D::Error> {
        deserializer.deserialize_newtype_struct(RECT, Raw(PhantomData))
    }

    struct Raw<T>(PhantomData<T>);

    impl<'de, T: SgfValue> Visitor<'de> for Raw<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "a value of type {}", T::KIND)
        }

        fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
            deserializer.deserialize_str(self)
        }

        fn visit_str<E: Error>(self, raw: &str) -> Result<T, E> {
            self.visit_bytes(raw.as_bytes())
        }

        #[inline]
        fn visit_bytes<E: Error>(self, raw: &[u8]) -> Result<T, E> {
            // Strictly first: what was serialized reads back as it was.
            let raw = RawValue::new(raw);
            match T::from_raw(raw) {
                Ok(value) => Ok(value),
                Err(_) => read_leniently(raw),
            }
        }
    }

    #[cold]
    fn read_leniently<T: SgfValue, E: Error>(raw: RawValue<'_>) -> Result<T, E> {
        T::from_raw_lenient(raw).map_err(|error| refuse(raw.as_bytes(), error))
    }

    /// The error of a value that is none of its type.
    #[cold]
    pub(crate) fn refuse<E: Error>(raw: &[u8], error: ValueError) -> E {
        let found = str::from_utf8(raw).map_or(Unexpected::Bytes(raw), Unexpected::Str);
        E::invalid_value(found, &Fault(error))
    }

    /// What should stand in a value, and where.
    ///
    /// Who knows where the value stands can tell better where that is: `{:#}` gives it the two apart, and
    /// [`place_of`] takes them.
    struct Fault(ValueError);

    /// In front of the place, in `{:#}`.
    const MARK: char = '\0';

    impl Expected for Fault {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            let (kind, expected, at) = (self.0.kind(), self.0.expected(), self.0.at());
            match f.alternate() {
                true => write!(f, "{kind}: expected {expected}{MARK}{at}"),
                false => write!(f, "{kind}, with {expected} at byte {at}"),
            }
        }
    }

    /// What should have stood in a value, and at which byte of it, from what an error expected in `{:#}`.
    pub(crate) fn place_of(expected: &str) -> Option<(&str, usize)> {
        let (expected, at) = expected.rsplit_once(MARK)?;
        Some((expected, at.parse().ok()?))
    }
}

/// Without white space at either end, and how much of it stood in front: what `parse_lenient`
/// forgives everywhere but in texts.
pub(crate) fn trim(raw: &[u8]) -> (&[u8], usize) {
    let is_white_space = crate::syntax::tokenizer::grammar::is_white_space;
    let front = raw.iter().take_while(|&&b| is_white_space(b)).count();
    let back = raw[front..].iter().rev().take_while(|&&b| is_white_space(b)).count();
    (&raw[front..raw.len() - back], front)
}

#[cfg(all(test, feature = "serde"))]
mod tests {
    use std::cell::Cell;

    use serde::Deserialize;
    use serde::de::value::{BytesDeserializer, Error, StrDeserializer};
    use serde::de::{Deserializer, IntoDeserializer, Visitor};
    use serde::forward_to_deserialize_any;

    use super::serde_impl::{RAW, RECT};
    use crate::value::{PointList, Rect, Ruleset, go};

    /// A format that notes which newtype structs are asked for.
    struct Noting<'a>(&'a Cell<Option<&'static str>>, &'static str);

    impl<'de> Deserializer<'de> for Noting<'_> {
        type Error = Error;

        fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            visitor.visit_str(self.1)
        }

        fn deserialize_newtype_struct<V: Visitor<'de>>(
            self,
            name: &'static str,
            visitor: V,
        ) -> Result<V::Value, Error> {
            self.0.set(Some(name));
            visitor.visit_newtype_struct(self)
        }

        forward_to_deserialize_any! {
            bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit unit_struct
            seq tuple tuple_struct map struct enum identifier ignored_any
        }
    }

    impl<'de> IntoDeserializer<'de, Error> for Noting<'_> {
        type Deserializer = Self;

        fn into_deserializer(self) -> Self {
            self
        }
    }

    #[test]
    fn a_format_that_knows_sgf_is_told_that_a_value_is_raw() {
        let name = Cell::new(None);
        let rules = Ruleset::deserialize(Noting(&name, r"a\\b")).unwrap();
        assert_eq!((rules.to_string().as_str(), name.take()), (r"a\\b", Some(RAW)));
        let list = serde::de::value::SeqDeserializer::new([Noting(&name, "aa:ba")].into_iter());
        let points: PointList = PointList::deserialize(list).unwrap();
        assert_eq!((points.len(), name.take()), (2, Some(RAW)));
        let rect: Rect = Rect::deserialize(Noting(&name, "aa:ba")).unwrap();
        assert_eq!((rect.area(), name.take()), (2, Some(RECT)));
    }

    #[test]
    fn other_formats_see_a_string() {
        let point = go::Point::parse("dd").unwrap();
        assert_eq!(serde_json::to_string(&point).unwrap(), r#""dd""#);
        assert_eq!(serde_json::from_str::<go::Point>(r#""dd""#).unwrap(), point);
        assert_eq!(go::Point::deserialize(StrDeserializer::<Error>::new("dd")), Ok(point));
        assert_eq!(go::Point::deserialize(BytesDeserializer::<Error>::new(b"dd")), Ok(point));
        let error = serde_json::from_str::<go::Point>("7").unwrap_err();
        assert!(error.to_string().starts_with("invalid type: integer `7`, expected a value of type point"), "{error}");
    }
}
