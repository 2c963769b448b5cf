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
                serializer.collect_str(self)
            }
        }

        /// From the string that stands between the brackets, leniently.
        #[cfg(feature = "serde")]
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::value::typed::serde_impl::deserialize(deserializer)
            }
        }
    };
    ($type:ty, $kind:literal, serde by hand) => {
        impl $crate::value::SgfValue for $type {
            const KIND: &'static str = $kind;

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

#[cfg(feature = "serde")]
pub(crate) mod serde_impl {
    use std::fmt;
    use std::marker::PhantomData;

    use serde::de::{Deserializer, Error, Visitor};

    use super::{RawValue, SgfValue};

    /// From a string or from bytes, as they stand between the brackets.
    pub(crate) fn deserialize<'de, D: Deserializer<'de>, T: SgfValue>(deserializer: D) -> Result<T, D::Error> {
        deserializer.deserialize_str(Raw(PhantomData))
    }

    struct Raw<T>(PhantomData<T>);

    impl<T: SgfValue> Visitor<'_> for Raw<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "a value of type {}", T::KIND)
        }

        fn visit_str<E: Error>(self, raw: &str) -> Result<T, E> {
            self.visit_bytes(raw.as_bytes())
        }

        fn visit_bytes<E: Error>(self, raw: &[u8]) -> Result<T, E> {
            // Strictly first: what was serialized reads back as it was.
            let raw = RawValue::new(raw);
            T::from_raw(raw).or_else(|_| T::from_raw_lenient(raw)).map_err(E::custom)
        }
    }
}

/// Without white space at either end, and how much of it stood in front: what `parse_lenient`
/// forgives everywhere but in texts.
pub(crate) fn trim(raw: &[u8]) -> (&[u8], usize) {
    let is_white_space = crate::tokenizer::grammar::is_white_space;
    let front = raw.iter().take_while(|&&b| is_white_space(b)).count();
    let back = raw[front..].iter().rev().take_while(|&&b| is_white_space(b)).count();
    (&raw[front..raw.len() - back], front)
}
