//! Deserializes one value: the text between `[` and `]`, or on one side of its colon.

use std::borrow::Cow;
use std::marker::PhantomData;
use std::ops::Range;

use serde::de::value::{BorrowedStrDeserializer, StrDeserializer, U32Deserializer};
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, Error as _, SeqAccess, Unexpected, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;

use super::again::{Ask, Once, is_blank, none_or};
use super::error::{Error, Result};
use super::texts::Env;
use crate::property::{TextRule, ValueType};
use crate::raw::RawValue;
use crate::raw::unescape;
use crate::value::typed::serde_impl::{depends_on_board, is_raw, is_same_on_every_board};
use crate::value::typed::trim;
use crate::value::{Number, Real, Size};

/// Bytes with their lifetime.
#[derive(Clone, Copy)]
pub(super) enum Bytes<'r, 'de> {
    /// Bytes that live as long as the input.
    Input(&'de [u8]),
    /// Bytes that live until the next node is read.
    Lent(&'r [u8]),
}

impl Bytes<'_, '_> {
    /// Returns the bytes in a range.
    #[inline]
    pub(super) fn part(self, place: Range<usize>) -> Self {
        match self {
            Bytes::Input(bytes) => Bytes::Input(&bytes[place]),
            Bytes::Lent(bytes) => Bytes::Lent(&bytes[place]),
        }
    }
}

impl<'r, 'de: 'r> Bytes<'r, 'de> {
    /// Visits the bytes.
    #[inline]
    pub(super) fn visit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self {
            Bytes::Input(bytes) => visitor.visit_borrowed_bytes(bytes),
            Bytes::Lent(bytes) => visitor.visit_bytes(bytes),
        }
    }

    #[inline]
    pub(super) fn get(self) -> &'r [u8] {
        match self {
            Bytes::Input(bytes) => bytes,
            Bytes::Lent(bytes) => bytes,
        }
    }

    /// Splits a composed value into its two components.
    fn compose(self) -> Option<(Self, Self)> {
        match self {
            Bytes::Input(bytes) => {
                let (first, second) = RawValue::new(bytes).compose()?;
                Some((Bytes::Input(first.as_bytes()), Bytes::Input(second.as_bytes())))
            }
            Bytes::Lent(bytes) => {
                let (first, second) = RawValue::new(bytes).compose()?;
                Some((Bytes::Lent(first.as_bytes()), Bytes::Lent(second.as_bytes())))
            }
        }
    }
}

/// Passes a text to a visitor, borrowed if it is in the input.
pub(super) fn visit_text<'de, V: Visitor<'de>>(
    raw: Bytes<'_, 'de>,
    read: impl ReadText,
    visitor: V,
) -> Result<V::Value> {
    match raw {
        Bytes::Input(raw) => match read.read(raw)? {
            Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
            Cow::Owned(text) => visitor.visit_string(text),
        },
        Bytes::Lent(raw) => match read.read(raw)? {
            Cow::Borrowed(text) => visitor.visit_str(text),
            Cow::Owned(text) => visitor.visit_string(text),
        },
    }
}

/// Passes a text to a visitor if it is the same under every text rule. Otherwise returns the visitor.
#[inline]
pub(super) fn visit_plain<'de, V: Visitor<'de>>(
    raw: Bytes<'_, 'de>,
    visitor: V,
) -> std::result::Result<Result<V::Value>, V> {
    match raw {
        Bytes::Input(raw) => match unescape::plain_text(raw) {
            Some(text) => Ok(visitor.visit_borrowed_str(text)),
            None => Err(visitor),
        },
        Bytes::Lent(raw) => match unescape::plain_text(raw) {
            Some(text) => Ok(visitor.visit_str(text)),
            None => Err(visitor),
        },
    }
}

/// Converts bytes to text.
pub(super) trait ReadText {
    fn read<'v>(self, raw: &'v [u8]) -> Result<Cow<'v, str>>;
}

/// One value, or a component of a composed one.
#[derive(Clone, Copy)]
pub(super) struct Value<'r, 'de> {
    pub(super) raw: Bytes<'r, 'de>,
    /// Offset of its `[`, or of the byte before a component.
    pub(super) at: u64,
    pub(super) env: &'r Env,
    /// The registry's rule for reading texts of this property.
    pub(super) rule: TextRule,
    /// Its type, if it is in the registry.
    pub(super) kind: Option<ValueType>,
    /// Whether it is already UTF-8.
    pub(super) is_decoded: bool,
}

struct Reading<'r> {
    env: &'r Env,
    at: u64,
    rule: TextRule,
    is_decoded: bool,
}

impl ReadText for Reading<'_> {
    fn read<'v>(self, raw: &'v [u8]) -> Result<Cow<'v, str>> {
        self.env.read(raw, self.at, self.rule, self.is_decoded)
    }
}

impl<'r, 'de: 'r> Value<'r, 'de> {
    fn reading(&self, rule: TextRule) -> Reading<'r> {
        Reading { env: self.env, at: self.at, rule, is_decoded: self.is_decoded }
    }

    /// Returns the text, according to the rule of its property.
    pub(super) fn text(&self) -> Result<Cow<'r, str>> {
        self.reading(self.rule).read(self.raw.get())
    }

    fn visit_text<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visit_text(self.raw, self.reading(self.rule), visitor)
    }

    /// Visits the escaped value, for types that parse raw values: bytes if nothing needs decoding.
    #[inline]
    pub(super) fn visit_raw<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.is_decoded || !self.env.decodes() {
            let visited = self.raw.visit(visitor);
            return if self.is_decoded { visited.map_err(|error| self.place(error)) } else { visited };
        }
        visit_text(self.raw, self.reading(TextRule::Raw), visitor).map_err(|error| self.place(error))
    }

    /// Visits the board and the escaped value, for types that depend on the board size.
    #[cold]
    fn visit_on_board<V: Visitor<'de>>(self, board: Size, visitor: V) -> Result<V::Value> {
        let decoded;
        let raw = match self.is_decoded || !self.env.decodes() {
            true => self.raw.get(),
            false => {
                decoded = self.reading(TextRule::Raw).read(self.raw.get())?;
                decoded.as_bytes()
            }
        };
        visitor
            .visit_seq(OnBoard { numbers: [board.columns(), board.rows()].into_iter(), raw })
            .map_err(|error| self.place(error))
    }

    /// Adds the location to the error of a value that may have been decoded.
    #[cold]
    fn place(self, error: Error) -> Error {
        match self.reading(TextRule::Raw).read(self.raw.get()) {
            Ok(Cow::Borrowed(_)) if !self.is_decoded => error,
            _ => error.near(self.at),
        }
    }

    /// Splits the value and calls `visit` with both components.
    fn split<T>(self, visit: impl FnOnce(Value<'_, 'de>, Value<'_, 'de>) -> Result<T>) -> Result<T> {
        // Decode first: a backslash may be the second byte of a character.
        let decoded;
        let mut whole = Value { ..self };
        if let Cow::Owned(text) = self.reading(TextRule::Raw).read(self.raw.get())? {
            decoded = text;
            whole = Value { raw: Bytes::Lent(decoded.as_bytes()), is_decoded: true, ..self };
        }
        let (first_kind, second_kind) = self.kind.and_then(ValueType::parts).unzip();
        let (first, second) = match whole.raw.compose() {
            Some(parts) => parts,
            // `SZ[19]` means `SZ[19:19]`, which must not be written.
            None if self.kind == Some(ValueType::Size) => (whole.raw, whole.raw),
            None => return Err(Error::data("expected two components with `:` between them").at(self.at)),
        };
        let second_at = match second.get().len() < whole.raw.get().len() && !whole.is_decoded {
            true => self.at + first.get().len() as u64 + 1,
            false => self.at,
        };
        visit(
            Value { raw: first, kind: first_kind, rule: TextRule::Simple, ..whole },
            Value { raw: second, at: second_at, kind: second_kind, rule: TextRule::Simple, ..whole },
        )
    }

    /// Visits both components as a tuple.
    #[inline(never)]
    pub(super) fn visit_pair<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.split(|first, second| visitor.visit_seq(Pair { parts: [Some(first), Some(second)] }))
    }

    /// Deserializes both components as an entry of a map.
    pub(super) fn entry<K: DeserializeSeed<'de>, T: DeserializeSeed<'de>>(
        self,
        key: K,
        value: T,
    ) -> Result<(K::Value, T::Value)> {
        self.split(|first, second| Ok((first.make(Once(key))?, second.make(Once(value))?)))
    }

    /// Deserializes the first component.
    pub(super) fn visit_key<K: DeserializeSeed<'de>>(self, key: K) -> Result<K::Value> {
        self.split(|first, _| first.make(Once(key)))
    }

    /// Deserializes the second component.
    pub(super) fn visit_entry<T: DeserializeSeed<'de>>(self, value: T) -> Result<T::Value> {
        self.split(|_, second| second.make(Once(value)))
    }

    fn make<A: Ask<'de>>(self, seed: A) -> Result<A::Value> {
        ask_value(seed, self).map_err(|error| error.at(self.at))
    }

    pub(super) fn visit_number<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match Number::parse_lenient(self.raw.get()) {
            Ok(number) => visitor.visit_i64(number.get()),
            Err(_) => match self.digits().and_then(|digits| digits.parse().ok()) {
                Some(number) => visitor.visit_u64(number),
                // The type may accept a text; otherwise its error says what it expected.
                None => self.visit_text(visitor),
            },
        }
    }

    /// Returns the value if it consists of digits, with an optional sign.
    fn digits(&self) -> Option<&'r str> {
        let digits = trim(self.raw.get()).0;
        let is_one = |byte: &u8| byte.is_ascii_digit();
        let is_number = digits.split_first().is_some_and(|(first, rest)| {
            (is_one(first) || matches!(first, b'+' | b'-') && !rest.is_empty()) && rest.iter().all(is_one)
        });
        str::from_utf8(digits).ok().filter(|_| is_number)
    }

    pub(super) fn visit_real<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let raw = self.raw.get();
        let number = if self.env.is_strict { Real::parse(trim(raw).0) } else { Real::parse_lenient(raw) };
        match number {
            Ok(number) => visitor.visit_f64(number.get()),
            Err(_) => self.visit_text(visitor),
        }
    }

    #[cold]
    fn refuse<T>(self, expected: &dyn serde::de::Expected) -> Result<T> {
        Err(Error::invalid_type(Unexpected::Other("a single value"), expected))
    }
}

impl<'de> Deserializer<'de> for Value<'_, 'de> {
    type Error = Error;

    super::answer! { self, visitor:
        deserialize_bool => visitor.visit_bool(true);
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 => self.visit_number(visitor);
        deserialize_f32 deserialize_f64 => self.visit_real(visitor);
        deserialize_char deserialize_str deserialize_string deserialize_identifier => self.visit_text(visitor);
        deserialize_bytes deserialize_byte_buf => self.raw.visit(visitor);
        deserialize_option => visitor.visit_some(self);
        deserialize_unit deserialize_unit_struct deserialize_ignored_any => visitor.visit_unit();
        deserialize_enum => visitor.visit_enum(self);
        deserialize_seq deserialize_map deserialize_struct => self.refuse(&visitor);
    }

    fn deserialize_i128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.digits().and_then(|digits| digits.parse().ok()) {
            Some(number) => visitor.visit_i128(number),
            None => self.visit_number(visitor),
        }
    }

    fn deserialize_u128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.digits().and_then(|digits| digits.parse().ok()) {
            Some(number) => visitor.visit_u128(number),
            None => self.visit_number(visitor),
        }
    }

    /// Uses the type in the registry.
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.kind.map(ValueType::basic) {
            Some(ValueType::Number | ValueType::Size) => self.visit_number(visitor),
            Some(ValueType::Real) => self.visit_real(visitor),
            _ => self.visit_text(visitor),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        if !is_raw(name) {
            return visitor.visit_newtype_struct(self);
        }
        if depends_on_board(name)
            && !is_same_on_every_board(self.raw.get())
            && let Some(board) = self.env.known_context().board()
        {
            return self.visit_on_board(board, visitor);
        }
        self.visit_raw(visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        match len {
            2 => self.visit_pair(visitor),
            _ if self.raw.compose().is_some() => {
                let found = Unexpected::Other("a composed value, which has two components");
                Err(Error::invalid_type(found, &visitor))
            }
            _ => self.refuse(&visitor),
        }
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(self, _: &'static str, len: usize, visitor: V) -> Result<V::Value> {
        self.deserialize_tuple(len, visitor)
    }
}

/// Reads the value, without white space around it, as the variant of a unit enum.
impl<'de> EnumAccess<'de> for Value<'_, 'de> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self)> {
        let text = self.text()?;
        let name = std::str::from_utf8(trim(text.as_bytes()).0).unwrap_or(&text);
        let variant = seed.deserialize(StrDeserializer::<Error>::new(name))?;
        Ok((variant, self))
    }
}

impl<'de> VariantAccess<'de> for Value<'_, 'de> {
    type Error = Error;

    fn unit_variant(self) -> Result<()> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, _: T) -> Result<T::Value> {
        self.refuse(&"an enum of unit variants")
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value> {
        self.refuse(&"an enum of unit variants")
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], _: V) -> Result<V::Value> {
        self.refuse(&"an enum of unit variants")
    }
}

struct Pair<'r, 'de> {
    parts: [Option<Value<'r, 'de>>; 2],
}

impl<'r, 'de> Pair<'r, 'de> {
    fn next_part(&mut self) -> Option<Value<'r, 'de>> {
        self.parts.iter_mut().find_map(Option::take)
    }
}

impl<'de> SeqAccess<'de> for Pair<'_, 'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        self.next_part().map(|part| part.make(Once(seed))).transpose()
    }

    fn next_element<T: Deserialize<'de>>(&mut self) -> Result<Option<T>> {
        self.next_part().map(|part| part.make(PhantomData)).transpose()
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.parts.iter().flatten().count())
    }
}

/// Columns and rows of the board, and a raw value.
struct OnBoard<'v> {
    numbers: std::array::IntoIter<u32, 2>,
    raw: &'v [u8],
}

impl<'de> SeqAccess<'de> for OnBoard<'_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        match self.numbers.next() {
            Some(number) => seed.deserialize(U32Deserializer::new(number)).map(Some),
            None => seed.deserialize(RawBytes(Bytes::Lent(self.raw))).map(Some),
        }
    }
}

/// A raw value, as bytes for [`Properties`](super::Properties).
pub(super) struct RawBytes<'r, 'de>(pub(super) Bytes<'r, 'de>);

impl<'de> Deserializer<'de> for RawBytes<'_, 'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.0.visit(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// Deserializer for a name from a type's definition.
pub(super) fn name<'de>(name: &'static str) -> BorrowedStrDeserializer<'de, Error> {
    BorrowedStrDeserializer::new(name)
}

/// Deserializes one of several values, or a component. A blank value that does not fit an `Option` is `None`.
#[inline]
pub(super) fn ask_value<'r, 'de: 'r, A: Ask<'de>>(seed: A, value: Value<'r, 'de>) -> Result<A::Value> {
    let again = seed.again();
    match seed.deserialize(value) {
        Err(error) if is_blank(RawValue::new(value.raw.get())) => none_or(again, error),
        other => other,
    }
}
