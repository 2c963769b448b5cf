//! Handling of values that do not fit but count as absent.
//!
//! Blank values count as absent if their type has no blank form. So do values that do not fit, in the properties that
//! [`Options`](super::Options) make lenient.
//!
//! What is absent is deserialized again, from [`Absent`]. An `Option` becomes `None` (including those of seeds), and an
//! enum for nodes becomes its variant with `#[serde(other)]`. A map omits the entry, whose error is
//! [marked](Error::mark_absent). Every other type fails, and with it the game.
//!
//! In particular, `#[serde(default)]` alone does not help: as with every format of serde, it is for a key that is
//! missing, and serde cannot express that once a key has been returned. `csv` and `serde_json` also refuse an empty
//! cell or a `null` for a number with a default. The type of the field says what the user wants: an `Option`, or
//! [`invalid_default`](super::invalid_default).
//!
//! An earlier version read a node again without the properties that did not fit, up to 256 times, so that defaults and
//! further variants were taken. No game of 10,887 real files needed it for the types of the documentation.

use std::marker::PhantomData;

use serde::de::value::StrDeserializer;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error as _, Unexpected, Visitor};
use serde::forward_to_deserialize_any;

use super::error::{Error, Result};
use super::texts::Env;
use crate::node::PropertyRef;
use crate::property::{self, Context, PropertyType};
use crate::raw::RawValue;
use crate::syntax::event::Ident;
use crate::value::typed::trim;

/// A seed that may allow a second try. Only types can be deserialized twice, not seeds. Accesses therefore implement
/// both `next_value` and `next_value_seed`, and their shared code takes an `Ask`.
pub(super) trait Ask<'de>: DeserializeSeed<'de> {
    /// Returns the seed for another try, if it can be used twice.
    fn again(&self) -> Option<Self>;
}

/// A type, which can be deserialized any number of times.
impl<'de, T: Deserialize<'de>> Ask<'de> for PhantomData<T> {
    #[inline]
    fn again(&self) -> Option<Self> {
        Some(PhantomData)
    }
}

/// A seed of the caller, which can be used once.
pub(super) struct Once<S>(pub(super) S);

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Once<S> {
    type Value = S::Value;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<S::Value, D::Error> {
        self.0.deserialize(deserializer)
    }
}

impl<'de, S: DeserializeSeed<'de>> Ask<'de> for Once<S> {
    #[inline]
    fn again(&self) -> Option<Self> {
        None
    }
}

/// A deserializer of no value.
///
/// It is `None` for an `Option`, the variant with `#[serde(other)]` for an enum, and an error for every other type.
struct Absent;

impl<'de> Deserializer<'de> for Absent {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        Err(Error::invalid_type(Unexpected::Unit, &visitor))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_none()
    }

    /// Visits the content, since such a newtype usually wraps an `Option`.
    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        StrDeserializer::new("").deserialize_enum(name, variants, visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        seq tuple tuple_struct map struct identifier ignored_any
    }
}

/// Returns what an absent value is for the type, or else the error.
#[cold]
pub(super) fn none_or<'de, A: Ask<'de>>(again: Option<A>, error: Error) -> Result<A::Value> {
    again.and_then(|seed| seed.deserialize(Absent).ok()).ok_or(error)
}

/// Returns whether a property describes the file or the game: by its row for this game, or else for any game.
fn is_of_header(ident: Ident<'_>, context: &Context) -> bool {
    let row = property::lookup(ident, context).or_else(|| property::find(&ident.name()).next());
    row.is_some_and(|row| matches!(row.property_type(), PropertyType::Root | PropertyType::GameInfo))
}

/// Returns what an absent node is for the type, if the error says that it is absent. No outer node is meant.
#[cold]
#[inline(never)]
pub(super) fn node_or<'de, A: Ask<'de>>(again: Option<A>, error: Error) -> Result<A::Value> {
    if error.is_absent_node() { none_or(again, error.without_mark()) } else { Err(error) }
}

impl Env {
    /// Returns whether a value that does not fit counts as absent.
    fn is_lenient_in(&self, property: PropertyRef<'_>) -> bool {
        self.options.lenient_fields
            || self.options.lenient_header && is_of_header(property.ident(), self.context_of(property))
    }

    /// Marks the error of a property that counts as absent, and reports it, unless the property is blank.
    #[cold]
    #[inline(never)]
    pub(super) fn judge(&self, property: PropertyRef<'_>, error: Error) -> Error {
        let is_blank = property.values().all(is_blank);
        let (at, is_lenient) = (property.offset(), self.is_lenient_in(property));
        if !is_blank && is_lenient {
            self.report_invalid_field(property.ident(), at, &error);
        }
        if is_blank || is_lenient { error.mark_absent() } else { error }
    }

    /// Handles a value that does not fit.
    #[cold]
    #[inline(never)]
    pub(super) fn excuse<'de, A: Ask<'de>>(
        &self,
        again: Option<A>,
        property: PropertyRef<'_>,
        error: Error,
    ) -> Result<A::Value> {
        let error = self.judge(property, error);
        if error.is_absent() { none_or(again, error) } else { Err(error) }
    }
}

/// Returns whether a value is empty or white space.
pub(super) fn is_blank(value: RawValue<'_>) -> bool {
    trim(value.as_bytes()).0.is_empty()
}
