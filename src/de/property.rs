//! Deserializes a property as a scalar, a list or a map, according to the type and the registry.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, VariantAccess, Visitor};

use super::again::{Ask, Once};
use super::buffer::is_tagged;
use super::error::{Error, Result};
use super::points::Points;
use super::texts::Env;
use super::value::{Bytes, Value, visit_plain};
use super::values::{Entries, RawValues, ValuesOf};
use crate::node::PropertyRef;
use crate::property::{self, List, Property as Known, TextRule, ValueType};
use crate::raw::RawValue;
use crate::value::typed::serde_impl::{depends_on_board, is_raw, is_same_on_every_board};

/// One property of a node.
#[derive(Clone)]
pub(super) struct Property<'r, 'de> {
    inner: PropertyRef<'r>,
    /// The bytes of the node, and whether they live as long as the input.
    base: Bytes<'r, 'de>,
    env: &'r Env,
    known: OnceCell<Option<&'static Known>>,
}

impl<'r, 'de> Property<'r, 'de> {
    #[inline]
    pub(super) fn new(inner: PropertyRef<'r>, base: Bytes<'r, 'de>, env: &'r Env) -> Self {
        Property { inner, base, env, known: OnceCell::new() }
    }

    pub(super) fn name(&self) -> Cow<'r, str> {
        self.inner.ident().name()
    }

    /// Returns the property of the node record.
    pub(super) fn inner(&self) -> PropertyRef<'r> {
        self.inner
    }

    /// Returns the property's row in the registry.
    fn known(&self) -> Option<&'static Known> {
        *self.known.get_or_init(|| property::lookup(self.inner.ident(), self.env.context_of(self.inner)))
    }

    fn kind(&self) -> Option<ValueType> {
        self.known().map(Known::value_type)
    }

    fn list(&self) -> Option<List> {
        self.known().map(Known::list)
    }

    fn is_point_list(&self) -> bool {
        self.known().is_some_and(Known::is_point_list)
    }

    fn rule(&self) -> TextRule {
        TextRule::of(self.kind())
    }

    fn values(&self) -> ValuesOf<'r, 'de> {
        self.values_by(self.rule(), self.kind())
    }

    fn values_by(&self, rule: TextRule, kind: Option<ValueType>) -> ValuesOf<'r, 'de> {
        ValuesOf { values: self.inner.record_values(), base: self.base, env: self.env, rule, kind }
    }

    /// Returns the first value, and reports any others.
    fn first(&self) -> Value<'r, 'de> {
        Value { rule: self.rule(), kind: self.kind(), ..self.first_plain() }
    }

    /// Returns the first value, for types that take no text and so do not need the registry.
    fn first_plain(&self) -> Value<'r, 'de> {
        if self.inner.len() > 1 {
            self.env.report_extra_values(self.inner.ident(), self.inner.len());
        }
        let (at, place) = self.inner.first_place();
        Value { raw: self.base.part(place), at, env: self.env, rule: TextRule::Text, kind: None, is_decoded: false }
    }

    /// Visits one text; several values of a Text are joined.
    fn visit_text<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let visitor = if self.inner.len() == 1 && !self.env.decodes() {
            let (at, place) = self.inner.first_place();
            match visit_plain(self.base.part(place), visitor) {
                Ok(visited) => return visited.map_err(|error: Error| error.at(at)),
                Err(visitor) => visitor,
            }
        } else {
            visitor
        };
        if self.inner.len() > 1 && self.kind() == Some(ValueType::Text) {
            let mut whole = String::new();
            for (n, value) in self.values().enumerate() {
                if n > 0 {
                    whole.push_str("\n\n");
                }
                whole.push_str(&value.text()?);
            }
            return visitor.visit_string(whole);
        }
        let first = self.first();
        Deserializer::deserialize_str(first, visitor).map_err(|error| error.at(first.at))
    }

    fn visit_list<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.is_point_list() {
            return visitor.visit_seq(Points::new(self.values()));
        }
        visitor.visit_seq(self.values())
    }

    /// Adds a hint to a wrong tuple length that is probably about the components of composed values.
    #[cold]
    fn explain(&self, error: Error, len: usize) -> Error {
        match error.is_count() && len == 2 && self.kind().and_then(ValueType::parts).is_some() {
            true => error.hint("each value has two components; use a list or a map of pairs"),
            false => error,
        }
    }

    /// Returns the raw values, as bytes.
    pub(super) fn raw_values(&self) -> RawValues<'r, 'de> {
        RawValues(self.values_by(TextRule::Raw, None))
    }
}

macro_rules! first_value {
    ($($method:ident $first:ident;)+) => { $(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            let first = self.$first();
            Deserializer::$method(first, visitor).map_err(|error| error.at(first.at))
        }
    )+ };
}

impl<'de> Deserializer<'de> for Property<'_, 'de> {
    type Error = Error;

    first_value! {
        deserialize_i8 first_plain; deserialize_i16 first_plain; deserialize_i32 first_plain;
        deserialize_i64 first_plain; deserialize_i128 first_plain;
        deserialize_u8 first_plain; deserialize_u16 first_plain; deserialize_u32 first_plain;
        deserialize_u64 first_plain; deserialize_u128 first_plain;
        deserialize_f32 first_plain; deserialize_f64 first_plain;
        deserialize_bytes first_plain; deserialize_byte_buf first_plain;
    }

    super::answer! { self, visitor:
        deserialize_bool => visitor.visit_bool(true);
        deserialize_char deserialize_str deserialize_string deserialize_identifier => self.visit_text(visitor);
        deserialize_option => visitor.visit_some(self);
        deserialize_unit deserialize_unit_struct deserialize_ignored_any => visitor.visit_unit();
        deserialize_seq => self.visit_list(visitor);
        // A list of composed values.
        deserialize_map deserialize_struct => visitor.visit_map(Entries::new(self.values()));
    }

    /// Uses the type in the registry. An internally tagged enum, and a variant with fields of an adjacently tagged one, are
    /// lists of composed values, like a struct.
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if is_tagged::<V::Value>() || is_struct_variant(&visitor) {
            return visitor.visit_map(Entries::new(self.values()));
        }
        match self.list() {
            None | Some(List::List | List::EList) => self.visit_list(visitor),
            Some(List::Single) if self.kind() == Some(ValueType::Text) => self.visit_text(visitor),
            Some(List::Single) => {
                let first = self.first();
                first.deserialize_any(visitor).map_err(|error| error.at(first.at))
            }
        }
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        if !is_raw(name) {
            return visitor.visit_newtype_struct(self);
        }
        if !self.env.decodes() && self.inner.len() == 1 {
            let (at, place) = self.inner.first_place();
            let raw = self.base.part(place);
            if !depends_on_board(name) || is_same_on_every_board(raw.get()) {
                return raw.visit(visitor).map_err(|error| error.at(at));
            }
        }
        let first = if depends_on_board(name) { self.first() } else { self.first_plain() };
        first.deserialize_newtype_struct(name, visitor).map_err(|error| error.at(first.at))
    }

    /// Deserializes a composed value, or a list; see the table in the [module](super).
    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        let splits = match self.known() {
            Some(known) if known.list() == List::Single && known.value_type().parts().is_some() => true,
            Some(known) if known.list() != List::Single => false,
            // A value may be composed even if its type in the registry is not.
            known => len == 2 && self.inner.len() == 1 && (known.is_none() || self.values().all(is_composed)),
        };
        if splits {
            let first = self.first();
            return first.deserialize_tuple(len, visitor).map_err(|error| error.at(first.at));
        }
        if self.is_point_list() {
            let mut points = Points::new(self.values());
            let value = visitor.visit_seq(&mut points).map_err(|error| error.counting(len, "point"))?;
            return points.expect_end(len).map(|()| value);
        }
        if len > 2 && self.inner.len() == 1 && self.values().all(is_composed) {
            return Err(Error::count(len, 1, "value").hint("a composed value has two components"));
        }
        let mut values = self.values();
        let visited = visitor.visit_seq(&mut values).map_err(|error| error.counting(len, "value"));
        let value = visited.and_then(|value| match values.count() {
            0 => Ok(value),
            more => Err(Error::count(len, len + more, "value")),
        });
        value.map_err(|error| self.explain(error, len))
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(self, _: &'static str, len: usize, visitor: V) -> Result<V::Value> {
        self.deserialize_tuple(len, visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let first = self.first();
        first.deserialize_enum(name, variants, visitor).map_err(|error| error.at(first.at))
    }
}

/// Returns whether a visitor is that of a variant with fields. In an adjacently tagged enum, serde asks for anything, and
/// only what it expects says so.
fn is_struct_variant(visitor: &dyn serde::de::Expected) -> bool {
    /// The part of the name that has not been seen.
    struct Name(&'static str);

    impl fmt::Write for Name {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            let len = text.len().min(self.0.len());
            if !self.0.as_bytes().starts_with(&text.as_bytes()[..len]) {
                return Err(fmt::Error);
            }
            self.0 = &self.0[len..];
            if self.0.is_empty() { Err(fmt::Error) } else { Ok(()) }
        }
    }

    let mut name = Name("struct variant ");
    _ = fmt::write(&mut name, format_args!("{visitor}"));
    name.0.is_empty()
}

fn is_composed(value: Value<'_, '_>) -> bool {
    RawValue::new(value.raw.get()).compose().is_some()
}

/// Adds the property to an error.
#[cold]
fn in_property(error: Error, property: PropertyRef<'_>) -> Error {
    error.in_property(&property.ident().name(), property.offset())
}

impl<'r, 'de: 'r> Property<'r, 'de> {
    /// Deserializes the property. A value that does not fit may count as absent.
    #[inline]
    pub(super) fn make<A: Ask<'de>>(self, seed: A) -> Result<A::Value> {
        let (property, env, again) = (self.inner, self.env, seed.again());
        match seed.deserialize(self) {
            Ok(value) => Ok(value),
            Err(error) => env.excuse(again, property, in_property(error, property)),
        }
    }
}

/// Reads a property as the variant of an enum.
impl<'de> VariantAccess<'de> for Property<'_, 'de> {
    type Error = Error;

    fn unit_variant(self) -> Result<()> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        self.make(Once(seed)).map_err(Error::of_variant)
    }

    fn newtype_variant<T: Deserialize<'de>>(self) -> Result<T> {
        self.make(PhantomData).map_err(Error::of_variant)
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        let (property, env) = (self.inner, self.env);
        self.deserialize_tuple(len, visitor)
            .map_err(|error| env.judge(property, in_property(error, property)).of_variant())
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value> {
        let (property, env) = (self.inner, self.env);
        self.deserialize_map(visitor).map_err(|error| env.judge(property, in_property(error, property)).of_variant())
    }
}
