//! Point lists under the feature `serde`: sequences of strings.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use super::{GridPoint, PointList};
use crate::value::typed::serde_impl::{self, RAW};

/// As its points, one by one.
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

/// From the raw values of a property, leniently.
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
        let mut values: Vec<Vec<u8>> = Vec::new();
        while let Some(Raw(value)) = seq.next_element()? {
            values.push(value);
        }
        PointList::parse_lenient(values).map_err(A::Error::custom)
    }
}

/// One raw value, in a string or in bytes.
struct Raw(Vec<u8>);

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(RAW, Raw(Vec::new()))
    }
}

impl<'de> Visitor<'de> for Raw {
    type Value = Raw;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a raw value")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Raw, D::Error> {
        deserializer.deserialize_str(self)
    }

    fn visit_str<E: Error>(self, raw: &str) -> Result<Raw, E> {
        Ok(Raw(raw.into()))
    }

    fn visit_bytes<E: Error>(self, raw: &[u8]) -> Result<Raw, E> {
        Ok(Raw(raw.into()))
    }
}
