//! Types and seeds that may be deserialized twice.
//!
//! Only types can be, not seeds. So accesses implement both `next_value` and `next_value_seed`, and their shared code takes
//! an [`Ask`].

use std::marker::PhantomData;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error as _, Unexpected, Visitor};
use serde::forward_to_deserialize_any;

use super::error::{Error, Result};

/// A seed that may allow a second try.
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

/// A seed of the caller, good for one try.
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

/// No value at all: `None` for an `Option`, an error for every other type.
pub(super) struct Absent;

impl<'de> Deserializer<'de> for Absent {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        Err(Error::invalid_type(Unexpected::Unit, &visitor))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_none()
    }

    /// Such a newtype usually wraps an option.
    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        seq tuple tuple_struct map struct enum identifier ignored_any
    }
}
