//! Raw properties, such as those that a type does not name.

use std::any::type_name;
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::raw::Raw;
use crate::syntax::event::Ident;
use crate::value::typed::serde_impl::RAW;
use crate::value::{RawValue, Text};

/// Name of the newtype struct that requests raw values.
pub(crate) const PROPERTIES: &str = "$sgf_stream::properties";

/// Properties with their raw values, in file order.
///
/// It collects the properties that a struct does not name, under the key `$rest`, or all properties of a node.
///
/// ```
/// use sgf_stream::de::Properties;
///
/// #[derive(serde::Deserialize)]
/// struct Game {
///     #[serde(rename = "PB")]
///     black: String,
///     #[serde(rename = "$rest")]
///     rest: Properties,
/// }
///
/// let game: Game = sgf_stream::from_str(r"(;FF[4]PB[Shusaku]XX[a\]b][c])")?;
/// assert_eq!(game.rest.iter().map(|(name, _)| name).collect::<Vec<_>>(), ["FF", "XX"]);
/// assert_eq!(game.rest.first("XX").unwrap().as_bytes(), br"a\]b");
/// # Ok::<(), sgf_stream::de::Error>(())
/// ```
///
/// `$rest` is exact. A `#[serde(flatten)]` field that is read from SGF cannot be: serde buffers the values before the
/// type is known, so only texts (unescaped, then escaped again) and numbers arrive. `AP[a\:b:c]` becomes `AP[a:b:c]`,
/// which splits at another colon; `HA[02]` becomes `HA[2]`, rectangles become points, `XX[\x]` becomes `XX[x]`, and
/// bytes that are not UTF-8 are dropped.
///
/// # What cannot be written
///
/// The parser also accepts identifiers with digits, such as `P0`, which FF\[4\] does not have. Serializing them to SGF is an
/// error: [`retain`](Self::retain) removes them, and a [`GameTree`](crate::tree::GameTree) writes them as they are.
///
/// # Other formats
///
/// Other formats receive the raw values and return them unchanged. A raw value is a string with SGF escapes. It is
/// bytes (in JSON: a list of numbers) if it is not UTF-8, or if the format is not human-readable.
///
/// ```
/// use sgf_stream::RawValue;
/// use sgf_stream::de::Properties;
///
/// let mut properties = Properties::new();
/// properties.push("C", RawValue::new(br"a\]b"));
/// properties.push("PB", RawValue::new(b"\xB9\xC5"));
/// let json = serde_json::to_string(&properties)?;
/// assert_eq!(json, r#"{"C":["a\\]b"],"PB":[[185,197]]}"#);
/// assert_eq!(serde_json::from_str::<Properties>(&json)?, properties);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Properties(Vec<(String, Vec<Vec<u8>>)>);

impl Properties {
    /// Creates an empty list.
    pub fn new() -> Self {
        Properties::default()
    }

    /// Returns the number of properties.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the raw values of a property.
    pub fn get(&self, name: &str) -> Option<impl ExactSizeIterator<Item = RawValue<'_>>> {
        self.iter().find(|property| property.0 == name).map(|property| property.1)
    }

    /// Returns the first raw value of a property.
    pub fn first(&self, name: &str) -> Option<RawValue<'_>> {
        self.get(name)?.next()
    }

    /// Iterates over the properties: the name (see [`Ident::name`]) and the raw values.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, impl ExactSizeIterator<Item = RawValue<'_>>)> {
        self.0.iter().map(|(name, values)| (name.as_str(), values.iter().map(|value| RawValue::new(value))))
    }

    /// Removes all properties for which `keep` returns false. It gets the name.
    ///
    /// ```
    /// use sgf_stream::de::Properties;
    ///
    /// let mut properties: Properties = sgf_stream::from_str("(;GM[1]P0[a]XX[b])")?;
    /// properties.retain(|name| name.bytes().all(|byte| byte.is_ascii_uppercase()));
    /// assert_eq!(sgf_stream::to_string(&properties).unwrap(), "(;GM[1]XX[b])\n");
    /// # Ok::<(), sgf_stream::de::Error>(())
    /// ```
    pub fn retain(&mut self, mut keep: impl FnMut(&str) -> bool) {
        self.0.retain(|(name, _)| keep(name));
    }

    /// Adds a raw value to a property; a new property is appended.
    pub fn push(&mut self, name: &str, value: RawValue<'_>) {
        let name = Ident::new(name.as_bytes()).name();
        let value = value.as_bytes().to_vec();
        match self.0.iter_mut().find(|property| property.0 == name) {
            Some((_, values)) => values.push(value),
            None => self.0.push((name.into_owned(), vec![value])),
        }
    }
}

impl<'de> Deserialize<'de> for Properties {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(PROPERTIES, All)
    }
}

struct All;

impl<'de> Visitor<'de> for All {
    type Value = Properties;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("properties")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Properties, D::Error> {
        deserializer.deserialize_map(self)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Properties, A::Error> {
        let mut properties: Vec<(String, Vec<Vec<u8>>)> = Vec::new();
        if is_from_sgf::<A::Error>() {
            // The properties of a node were merged already.
            while let Some((name, Values(values))) = map.next_entry()? {
                properties.push((name, values));
            }
            return Ok(Properties(properties));
        }
        let mut places = HashMap::new();
        while let Some((spelling, Values(values))) = map.next_entry::<String, Values>()? {
            let name = match Ident::new(spelling.as_bytes()).name() {
                name if name.is_empty() => Cow::Borrowed(spelling.as_str()),
                name => name,
            };
            let place = *places.entry(name.as_ref().to_owned()).or_insert(properties.len());
            match properties.get_mut(place) {
                Some((_, others)) => others.extend(values),
                None => properties.push((name.into_owned(), values)),
            }
        }
        Ok(Properties(properties))
    }
}

/// Returns whether values come from SGF, perhaps through a buffer of serde. Values from a buffer are texts, and
/// values from other formats are raw.
///
/// A buffer (of flattened and untagged types) hides the deserializer, but not the type of its errors.
pub(crate) fn is_from_sgf<E>() -> bool {
    type_name::<E>() == type_name::<super::Error>()
}

struct Values(Vec<Vec<u8>>);

impl<'de> Deserialize<'de> for Values {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match deserializer.is_human_readable() {
            true => deserializer.deserialize_any(ValuesVisitor),
            false => deserializer.deserialize_seq(ValuesVisitor),
        }
    }
}

struct ValuesVisitor;

impl<'de> Visitor<'de> for ValuesVisitor {
    type Value = Values;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the values of a property")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Values, A::Error> {
        let mut values = Vec::new();
        if is_from_sgf::<A::Error>() {
            while let Some(Values(some)) = seq.next_element()? {
                values.extend(some);
            }
        } else {
            while let Some(Value(value)) = seq.next_element()? {
                values.push(value);
            }
        }
        // An empty list is written as one empty value.
        if values.is_empty() {
            values.push(Vec::new());
        }
        Ok(Values(values))
    }

    /// Takes the raw bytes between the brackets.
    fn visit_bytes<E: Error>(self, raw: &[u8]) -> Result<Values, E> {
        Ok(Values(vec![raw.to_vec()]))
    }

    /// Takes a raw value, or escapes a text from SGF.
    fn visit_str<E: Error>(self, text: &str) -> Result<Values, E> {
        match is_from_sgf::<E>() {
            true => self.visit_bytes(Text::new(text).to_string().as_bytes()),
            false => self.visit_bytes(text.as_bytes()),
        }
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Values, E> {
        self.visit_bytes(number.to_string().as_bytes())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Values, E> {
        self.visit_bytes(number.to_string().as_bytes())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Values, E> {
        self.visit_bytes(number.to_string().as_bytes())
    }
}

/// One of several values in another format.
struct Value(Vec<u8>);

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(RAW, ValueVisitor)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a raw value")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        Raw::deserialize(deserializer).map(|Raw(raw)| Value(raw))
    }
}

/// Serializes as a map of names to lists of raw values. These are strings, or bytes if they are not UTF-8.
impl Serialize for Properties {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Values<'a>(&'a [Vec<u8>]);
        struct Value<'a>(&'a [u8]);

        impl Serialize for Values<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_seq(self.0.iter().map(|value| Value(value)))
            }
        }

        impl Serialize for Value<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_newtype_struct(RAW, &Raw(self.0))
            }
        }

        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, values) in &self.0 {
            map.serialize_entry(name, &Values(values))?;
        }
        map.end()
    }
}
