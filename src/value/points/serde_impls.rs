//! Point lists under the feature `serde`: sequences of strings.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use super::{GridPoint, PointList};

/// As its points, one by one.
impl<P: GridPoint> Serialize for PointList<P> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Text<P>(P);

        impl<P: fmt::Display> Serialize for Text<P> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(&self.0)
            }
        }

        serializer.collect_seq(self.iter().map(Text))
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
        deserializer.deserialize_str(Raw(Vec::new()))
    }
}

impl Visitor<'_> for Raw {
    type Value = Raw;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a raw value")
    }

    fn visit_str<E: Error>(self, raw: &str) -> Result<Raw, E> {
        Ok(Raw(raw.into()))
    }

    fn visit_bytes<E: Error>(self, raw: &[u8]) -> Result<Raw, E> {
        Ok(Raw(raw.into()))
    }
}
