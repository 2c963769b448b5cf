//! The trait [`SgfValue`] of all typed values, and their serde implementations.

use std::fmt;
use std::str::FromStr;

use super::print::ToProperty;
use super::{ListError, RawValue, Size, ValueError};
use crate::value::game::Game;

/// A type of SGF values, as a bound for generic code.
///
/// All types of this module implement it. The trait is sealed.
///
/// Such a type is parsed strictly by `FromStr`, printed by `Display`, and has the inherent methods `parse` and
/// `parse_lenient`. It can be a component of a [`Compose`](super::Compose), be read from and set in a
/// [`tree`](crate::tree), and be serialized and deserialized (feature `serde`).
///
/// ```
/// use sgf_stream::value::{Number, Real, SgfValue, ValueError};
///
/// fn all<T: SgfValue>(values: &[&str]) -> Result<Vec<T>, ValueError> {
///     values.iter().map(|raw| raw.parse()).collect()
/// }
///
/// assert_eq!(all::<Number>(&["1", "2"])?, [Number::new(1), Number::new(2)]);
/// assert_eq!(all::<Real>(&["1", "2"])?[1].get(), 2.0);
/// # Ok::<(), ValueError>(())
/// ```
pub trait SgfValue: FromStr<Err = ValueError> + fmt::Display + ToProperty {
    /// The type's name in errors, as in the specification.
    #[doc(hidden)]
    const KIND: &'static str;

    /// Parses a value strictly.
    #[doc(hidden)]
    fn from_raw(raw: RawValue<'_>) -> Result<Self, ValueError>;

    /// Parses a value leniently, as programs write it.
    #[doc(hidden)]
    fn from_raw_lenient(raw: RawValue<'_>) -> Result<Self, ValueError>;

    /// Parses a value strictly, with the board size if the type depends on it.
    #[doc(hidden)]
    fn from_raw_on(raw: RawValue<'_>, _board: Option<Size>) -> Result<Self, ValueError> {
        Self::from_raw(raw)
    }

    /// Parses a value leniently, with the board size if the type depends on it.
    #[doc(hidden)]
    fn from_raw_on_lenient(raw: RawValue<'_>, _board: Option<Size>) -> Result<Self, ValueError> {
        Self::from_raw_lenient(raw)
    }

    /// Parses a value strictly or else leniently, for a game if the type depends on it.
    #[doc(hidden)]
    fn from_raw_in(raw: RawValue<'_>, _game: Game, board: Option<Size>) -> Result<Self, ValueError> {
        Self::from_raw_on(raw, board).or_else(|_| Self::from_raw_on_lenient(raw, board))
    }

    /// Parses the values of a property, if the type is a point. The values may thus be rectangles.
    #[doc(hidden)]
    fn points<'v>(
        _values: impl Iterator<Item = RawValue<'v>> + Clone,
        _board: Option<Size>,
    ) -> Option<Result<Vec<Self>, ListError>> {
        None
    }
}

/// Implements [`SgfValue`], `FromStr`, [`ToProperty`] and serde (as a string) for a type with `parse`, `parse_lenient`
/// and `Display`.
///
/// All but the first are marked as derived, so that `tests/public-api` has one line per type.
///
/// `sgf_value!(Date, "date")`; `sgf_value!(Number, "Number", serde by hand)` omits serde, and
/// `sgf_value!(Move, "move", read by board)` is for values whose meaning depends on the board. Braces after that
/// contain replacements for default methods of the trait.
macro_rules! sgf_value {
    ($type:ty, $kind:literal $({ $($method:item)+ })?) => {
        $crate::value::typed::sgf_value!($type, $kind, deserialize $({ $($method)+ })?);
    };
    ($type:ty, $kind:literal, read by board $({ $($method:item)+ })?) => {
        $crate::value::typed::sgf_value!($type, $kind, deserialize_on_board $({ $($method)+ })?);
    };
    ($type:ty, $kind:literal, $deserialize:ident $({ $($method:item)+ })?) => {
        $crate::value::typed::sgf_value!($type, $kind, serde by hand $({ $($method)+ })?);

        /// Serializes the string between the brackets.
        #[cfg(feature = "serde")]
        #[automatically_derived]
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $crate::value::typed::serde_impl::serialize(self, serializer)
            }
        }

        /// Deserializes the string between the brackets, leniently.
        #[cfg(feature = "serde")]
        #[automatically_derived]
        impl<'de> serde::Deserialize<'de> for $type {
            #[inline]
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::value::typed::serde_impl::$deserialize(deserializer)
            }
        }
    };
    ($type:ty, $kind:literal, serde by hand $({ $($method:item)+ })?) => {
        impl $crate::value::SgfValue for $type {
            const KIND: &'static str = $kind;

            #[inline]
            fn from_raw(raw: $crate::value::RawValue<'_>) -> Result<Self, $crate::value::ValueError> {
                Self::parse(raw)
            }

            fn from_raw_lenient(raw: $crate::value::RawValue<'_>) -> Result<Self, $crate::value::ValueError> {
                Self::parse_lenient(raw)
            }

            $($($method)+)?
        }

        #[automatically_derived]
        impl $crate::value::print::ToProperty for $type {
            fn print(&self, to: &mut $crate::value::print::Printer) {
                to.put(self);
            }
        }

        /// Parses strictly; see `parse`.
        #[automatically_derived]
        impl std::str::FromStr for $type {
            type Err = $crate::value::ValueError;

            fn from_str(raw: &str) -> Result<Self, $crate::value::ValueError> {
                Self::parse(raw)
            }
        }
    };
}

pub(crate) use sgf_value;

/// Serde implementations that represent a value as a *raw* string: the escaped bytes between the brackets.
///
/// A format like JSON need not know that the string is raw. This crate's own (de)serializer must know, since it
/// escapes (unescapes) strings and must not do so twice: `RU[a\\b]`. The string is therefore wrapped in a newtype
/// struct with a reserved name, which other formats ignore.
#[cfg(feature = "serde")]
pub(crate) mod serde_impl {
    use std::fmt;
    use std::marker::PhantomData;

    use serde::de::{DeserializeSeed, Deserializer, Error, Expected, SeqAccess, Unexpected, Visitor};
    use serde::ser::{Serialize, Serializer};

    use super::{RawValue, SgfValue, Size, ValueError};

    /// The name of the newtype struct around a raw value.
    pub(crate) const RAW: &str = "$sgf_stream::raw";

    /// The name of the newtype struct around a raw value that depends on the board. Examples are `tt` and `Q16` in
    /// Go. Its visitor also takes a sequence: columns, rows and the raw value.
    pub(crate) const ON_BOARD: &str = "$sgf_stream::on_board";

    /// The name of the newtype struct around an element of a point list that may be a rectangle. Types without it
    /// receive the points of rectangles one by one. The board is passed as with [`ON_BOARD`].
    pub(crate) const RECT: &str = "$sgf_stream::rect";

    /// Returns whether a newtype struct of this name holds a raw value.
    #[inline]
    pub(crate) fn is_raw(name: &str) -> bool {
        name == RAW || depends_on_board(name)
    }

    /// Returns whether a newtype struct of this name holds a raw value that depends on the board.
    #[inline]
    pub(crate) fn depends_on_board(name: &str) -> bool {
        name == ON_BOARD || name == RECT
    }

    /// Returns whether two letters are a pass on some boards, and a point on others.
    #[inline(always)]
    pub(crate) fn may_be_pass(letters: [u8; 2]) -> bool {
        letters == *b"tt"
    }

    /// Returns whether a value of a type that depends on the board is the same on every board. This holds for an
    /// empty value and for two letters other than `tt`.
    #[inline]
    pub(crate) fn is_same_on_every_board(raw: &[u8]) -> bool {
        match raw {
            [] => true,
            [x, y] => x.is_ascii_alphabetic() && y.is_ascii_alphabetic() && !may_be_pass([*x, *y]),
            _ => false,
        }
    }

    /// Serializes the string between the brackets.
    pub(crate) fn serialize<S: Serializer>(value: &impl fmt::Display, serializer: S) -> Result<S::Ok, S::Error> {
        struct Printed<'a, T>(&'a T);

        impl<T: fmt::Display> Serialize for Printed<'_, T> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self.0)
            }
        }

        serializer.serialize_newtype_struct(RAW, &Printed(value))
    }

    /// Deserializes the string or bytes between the brackets.
    #[inline]
    pub(crate) fn deserialize<'de, D: Deserializer<'de>, T: SgfValue>(deserializer: D) -> Result<T, D::Error> {
        deserializer.deserialize_newtype_struct(RAW, Raw(PhantomData))
    }

    /// Deserializes the string or bytes between the brackets, with the board size if the format provides it.
    #[inline]
    pub(crate) fn deserialize_on_board<'de, D: Deserializer<'de>, T: SgfValue>(deserializer: D) -> Result<T, D::Error> {
        deserializer.deserialize_newtype_struct(ON_BOARD, OfBoard(PhantomData))
    }

    /// Deserializes a type that accepts rectangles.
    pub(crate) fn deserialize_rect<'de, D: Deserializer<'de>, T: SgfValue>(deserializer: D) -> Result<T, D::Error> {
        deserializer.deserialize_newtype_struct(RECT, OfBoard(PhantomData))
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
            // Strict first, so that serialized values round-trip.
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

    /// A visitor like [`Raw`] that also takes the board.
    struct OfBoard<T>(PhantomData<T>);

    impl<'de, T: SgfValue> Visitor<'de> for OfBoard<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            Raw(self.0).expecting(f)
        }

        fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
            deserializer.deserialize_str(Raw(self.0))
        }

        fn visit_str<E: Error>(self, raw: &str) -> Result<T, E> {
            Raw(self.0).visit_str(raw)
        }

        #[inline]
        fn visit_bytes<E: Error>(self, raw: &[u8]) -> Result<T, E> {
            Raw(self.0).visit_bytes(raw)
        }

        fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<T, A::Error> {
            visit_on_board(seq, |raw, board| T::from_raw_on(raw, board).or_else(|_| T::from_raw_on_lenient(raw, board)))
        }
    }

    /// Reads a raw value with the columns and rows of its board.
    pub(crate) fn visit_on_board<'de, T, A: SeqAccess<'de>>(
        mut seq: A,
        read: impl FnOnce(RawValue<'_>, Option<Size>) -> Result<T, ValueError>,
    ) -> Result<T, A::Error> {
        let (columns, rows) = (seq.next_element()?, seq.next_element()?);
        let board = columns.zip(rows).and_then(|(columns, rows)| Size::new(columns, rows));
        let value = seq.next_element_seed(OnBoardValue { board, read })?;
        value.ok_or_else(|| A::Error::invalid_length(0, &"columns, rows and a value"))
    }

    /// The value after the board.
    struct OnBoardValue<F> {
        board: Option<Size>,
        read: F,
    }

    impl<'de, T, F: FnOnce(RawValue<'_>, Option<Size>) -> Result<T, ValueError>> DeserializeSeed<'de> for OnBoardValue<F> {
        type Value = T;

        fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
            deserializer.deserialize_bytes(self)
        }
    }

    impl<T, F: FnOnce(RawValue<'_>, Option<Size>) -> Result<T, ValueError>> Visitor<'_> for OnBoardValue<F> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a raw value")
        }

        fn visit_bytes<E: Error>(self, raw: &[u8]) -> Result<T, E> {
            (self.read)(RawValue::new(raw), self.board).map_err(|error| refuse(raw, error))
        }
    }

    /// Returns the serde error of a value that is not of its type.
    #[cold]
    pub(crate) fn refuse<E: Error>(raw: &[u8], error: ValueError) -> E {
        let found = str::from_utf8(raw).map_or(Unexpected::Bytes(raw), Unexpected::Str);
        E::invalid_value(found, &Fault(error))
    }

    /// A [`ValueError`] as the expectation of a serde error.
    ///
    /// A caller that knows the position of the value can report the position of the error: `{:#}` separates
    /// expectation and offset with [`MARK`], and [`place_of`] splits them.
    struct Fault(ValueError);

    /// Separates the expectation from the offset in `{:#}`.
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

    /// Splits the `{:#}` form of an expectation into the expectation and its byte offset in the value.
    pub(crate) fn place_of(expected: &str) -> Option<(&str, usize)> {
        let (expected, at) = expected.rsplit_once(MARK)?;
        Some((expected, at.parse().ok()?))
    }
}

/// Trims white space at both ends, as every `parse_lenient` does except for texts.
///
/// Returns the rest and the number of bytes trimmed from the front.
pub fn trim(raw: &[u8]) -> (&[u8], usize) {
    let rest = crate::raw::trim_start(raw);
    (crate::raw::trim_end(rest), raw.len() - rest.len())
}

#[cfg(all(test, feature = "serde"))]
mod tests {
    use std::cell::Cell;

    use serde::de::value::{BytesDeserializer, Error, StrDeserializer};
    use serde::de::{Deserializer, IntoDeserializer, Visitor};
    use serde::{Deserialize, forward_to_deserialize_any};

    use super::serde_impl::{ON_BOARD, RAW, RECT};
    use crate::value::{PointList, Rect, Ruleset, go};

    /// A format that records the name of the requested newtype struct.
    struct NameRecorder<'a>(&'a Cell<Option<&'static str>>, &'static str);

    impl<'de> Deserializer<'de> for NameRecorder<'_> {
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

    impl<'de> IntoDeserializer<'de, Error> for NameRecorder<'_> {
        type Deserializer = Self;

        fn into_deserializer(self) -> Self {
            self
        }
    }

    #[test]
    fn raw_values_are_requested_by_newtype_name() {
        let name = Cell::new(None);
        let rules = Ruleset::deserialize(NameRecorder(&name, r"a\\b")).unwrap();
        assert_eq!((rules.to_string().as_str(), name.take()), (r"a\\b", Some(RAW)));
        let list = serde::de::value::SeqDeserializer::new([NameRecorder(&name, "aa:ba")].into_iter());
        let points: PointList = PointList::deserialize(list).unwrap();
        assert_eq!((points.len(), name.take()), (2, Some(ON_BOARD)));
        let play = go::Move::deserialize(NameRecorder(&name, "dd")).unwrap();
        assert_eq!((play.to_string().as_str(), name.take()), ("dd", Some(ON_BOARD)));
        let rect: Rect = Rect::deserialize(NameRecorder(&name, "aa:ba")).unwrap();
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
