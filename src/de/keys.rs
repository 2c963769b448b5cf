//! Structs with a flattened field, which are maps for serde, and may have a field `$line` or `$mainline` all the same.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::mem;

use serde::de::{DeserializeSeed, Deserializer, Error as _, Unexpected, Visitor};
use serde::forward_to_deserialize_any;

use super::error::{Error, Result};
use super::wants::MAIN_LINE;

/// The variants that a map has returned for its keys.
///
/// For serde a struct with a flattened field is a map, which gets no main line; if that field has a
/// default, serde leaves it empty without an error. The keys of such a struct are an enum: one variant for each
/// field, and one for all unknown keys, which is recognized because it comes twice. So one more key, after the
/// last, shows whether `$mainline` is a field. It can be asked once, so a field `$line` is not detected. A seed with a
/// state is not asked for such a key: derived ones have none.
#[derive(Default)]
pub(super) struct Keys {
    variants: Vec<u64>,
    unknown: Option<u64>,
}

impl Keys {
    fn variant<K>(key: &K) -> u64 {
        let mut hasher = DefaultHasher::new();
        mem::discriminant(key).hash(&mut hasher);
        hasher.finish()
    }

    #[inline(never)]
    pub(super) fn note<K>(&mut self, key: &K) {
        if self.unknown.is_none() {
            let variant = Keys::variant(key);
            self.unknown = self.variants.contains(&variant).then_some(variant);
            self.variants.push(variant);
        }
    }

    /// Returns an error if the keys are those of a struct with a field `$mainline`.
    #[inline(never)]
    pub(super) fn expect_no_main_line<'de, K: DeserializeSeed<'de>>(&self, seed: K) -> Result<()> {
        let Some(unknown) = self.unknown.filter(|_| size_of::<K>() == 0) else { return Ok(()) };
        match seed.deserialize(FieldName(MAIN_LINE)) {
            Ok(key) if Keys::variant(&key) != unknown => Err(Error::missing_field(MAIN_LINE)),
            _ => Ok(()),
        }
    }
}

/// A name that matches the fields of a struct, but no other keys.
struct FieldName(&'static str);

impl<'de> Deserializer<'de> for FieldName {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        Err(Error::invalid_type(Unexpected::Str(self.0), &visitor))
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_borrowed_str(self.0)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum ignored_any
    }
}
