//! Raw values in other formats, such as JSON; see [`Properties`](super::Properties) and
//! [`GameTree`](crate::tree::GameTree).

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

/// A raw value in another format. It is a string if it is UTF-8 and the format is human-readable, or else bytes.
///
/// The string is the raw value, not its text: both directions must agree, or escapes would change.
pub(crate) struct Raw<B>(pub(crate) B);

impl<B: AsRef<[u8]>> Serialize for Raw<B> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let bytes = self.0.as_ref();
        match str::from_utf8(bytes) {
            Ok(text) if serializer.is_human_readable() => serializer.serialize_str(text),
            _ => serializer.serialize_bytes(bytes),
        }
    }
}

impl<'de> Deserialize<'de> for Raw<Vec<u8>> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match deserializer.is_human_readable() {
            true => deserializer.deserialize_any(RawVisitor),
            false => deserializer.deserialize_byte_buf(RawVisitor),
        }
    }
}

struct RawVisitor;

impl<'de> Visitor<'de> for RawVisitor {
    type Value = Raw<Vec<u8>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a raw value")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        Raw::deserialize(deserializer)
    }

    fn visit_str<E: Error>(self, raw: &str) -> Result<Self::Value, E> {
        self.visit_bytes(raw.as_bytes())
    }

    fn visit_bytes<E: Error>(self, raw: &[u8]) -> Result<Self::Value, E> {
        Ok(Raw(raw.to_vec()))
    }

    fn visit_byte_buf<E: Error>(self, raw: Vec<u8>) -> Result<Self::Value, E> {
        Ok(Raw(raw))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Self::Value, E> {
        self.visit_str(&number.to_string())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Self::Value, E> {
        self.visit_str(&number.to_string())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Self::Value, E> {
        self.visit_str(&number.to_string())
    }

    /// Takes the numbers that formats without a bytes type write.
    fn visit_seq<A: SeqAccess<'de>>(self, mut bytes: A) -> Result<Self::Value, A::Error> {
        let mut raw = Vec::new();
        while let Some(byte) = bytes.next_element()? {
            raw.push(byte);
        }
        Ok(Raw(raw))
    }
}
