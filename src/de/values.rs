//! The values of a property as a sequence, or as the entries of a map.

use std::marker::PhantomData;

use serde::de::{Deserialize, DeserializeSeed, MapAccess, SeqAccess};

use super::again::{Ask, Once};
use super::error::{Error, Result};
use super::texts::Env;
use super::value::{Bytes, RawBytes, Value, ask_value};
use crate::node::RecordValues;
use crate::property::{TextRule, ValueType};

/// Iterator over the values of a property.
#[derive(Clone)]
pub(super) struct ValuesOf<'r, 'de> {
    pub(super) values: RecordValues<'r>,
    pub(super) base: Bytes<'r, 'de>,
    pub(super) env: &'r Env,
    pub(super) rule: TextRule,
    pub(super) kind: Option<ValueType>,
}

impl<'r, 'de> Iterator for ValuesOf<'r, 'de> {
    type Item = Value<'r, 'de>;

    fn next(&mut self) -> Option<Value<'r, 'de>> {
        let (at, place) = self.values.next_place()?;
        let raw = self.base.part(place);
        Some(Value { raw, at, env: self.env, rule: self.rule, kind: self.kind, is_decoded: false })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.values.size_hint()
    }
}

impl<'de> ValuesOf<'_, 'de> {
    fn element<A: Ask<'de>>(&mut self, seed: A) -> Result<Option<A::Value>> {
        let Some(value) = self.next() else { return Ok(None) };
        ask_value(seed, value).map(Some).map_err(|error| error.at(value.at))
    }
}

impl<'de> SeqAccess<'de> for ValuesOf<'_, 'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        self.element(Once(seed))
    }

    fn next_element<T: Deserialize<'de>>(&mut self) -> Result<Option<T>> {
        self.element(PhantomData)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.values.len())
    }
}

/// The composed values of a property as the entries of a map.
pub(super) struct Entries<'r, 'de> {
    values: ValuesOf<'r, 'de>,
    /// The value whose key has been read.
    open: Option<Value<'r, 'de>>,
}

impl<'r, 'de> Entries<'r, 'de> {
    pub(super) fn new(values: ValuesOf<'r, 'de>) -> Self {
        Entries { values, open: None }
    }
}

impl<'de> MapAccess<'de> for Entries<'_, 'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        let Some(value) = self.values.next() else { return Ok(None) };
        self.open = Some(value);
        value.visit_key(seed).map(Some).map_err(|error| error.at(value.at))
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        let Some(value) = self.open.take() else {
            return Err(Error::data("expected a key before its value"));
        };
        value.visit_entry(seed).map_err(|error| error.at(value.at))
    }

    fn next_entry_seed<K: DeserializeSeed<'de>, T: DeserializeSeed<'de>>(
        &mut self,
        key: K,
        seed: T,
    ) -> Result<Option<(K::Value, T::Value)>> {
        let Some(value) = self.values.next() else { return Ok(None) };
        value.entry(key, seed).map(Some).map_err(|error| error.at(value.at))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.values.values.len())
    }
}

/// The raw values of a property.
pub(super) struct RawValues<'r, 'de>(pub(super) ValuesOf<'r, 'de>);

impl<'de> SeqAccess<'de> for RawValues<'_, 'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        self.0.next().map(|value| seed.deserialize(RawBytes(value.raw))).transpose()
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.0.values.len())
    }
}
