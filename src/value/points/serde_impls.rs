//! Serde implementations of point lists: sequences of strings.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use super::list::Builder;
use super::{GridPoint, PointList};
use crate::value::RawValue;
use crate::value::typed::serde_impl::{self, ON_BOARD, visit_on_board};

/// Serializes the points one by one.
impl<P: GridPoint> Serialize for PointList<P> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Point<P>(P);

        impl<P: fmt::Display> Serialize for Point<P> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serde_impl::serialize(&self.0, serializer)
            }
        }

        serializer.collect_seq(self.iter().map(Point))
    }
}

/// Deserializes the raw values of a property, leniently.
impl<'de, P: GridPoint> Deserialize<'de> for PointList<P> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(List(PhantomData))
    }
}

struct List<P>(PhantomData<P>);

impl<'de, P: GridPoint> Visitor<'de> for List<P> {
    type Value = PointList<P>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list of values of type {}", P::KIND)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<PointList<P>, A::Error> {
        let mut list = Builder::default();
        while seq.next_element_seed(Value(&mut list))?.is_some() {}
        Ok(list.finish())
    }
}

/// Deserializes one raw value, a string or bytes, and adds its points to the list.
struct Value<'b, P>(&'b mut Builder<P>);

impl<'de, P: GridPoint> DeserializeSeed<'de> for Value<'_, P> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_newtype_struct(ON_BOARD, self)
    }
}

impl<'de, P: GridPoint> Visitor<'de> for Value<'_, P> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a value of type {}", P::KIND)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_str(self)
    }

    fn visit_str<E: Error>(self, raw: &str) -> Result<(), E> {
        self.visit_bytes(raw.as_bytes())
    }

    fn visit_bytes<E: Error>(self, raw: &[u8]) -> Result<(), E> {
        self.0.add_lenient(RawValue::new(raw), None).map_err(|error| serde_impl::refuse(raw, error))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<(), A::Error> {
        visit_on_board(seq, |raw, board| self.0.add_lenient(raw, board))
    }
}
