//! Deserializes a node as a struct or map of its properties, or as an enum that one property selects.

use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::value::StrDeserializer;
use serde::de::{DeserializeSeed, Deserializer, EnumAccess, Error as _, MapAccess, Unexpected, VariantAccess, Visitor};
use serde::forward_to_deserialize_any;

use super::again::{Ask, Once, node_or};
use super::error::{Error, OneOf, Result};
use super::flat;
use super::names::{self, Names};
use super::properties::PROPERTIES;
use super::property::Property;
use super::texts::Env;
use super::turns::TURN;
use super::value::{Bytes, name, visit_text};
use crate::node::{NodeRecord, NodeRef, PropertyRef};
use crate::property::Context;
use crate::read::listener::Listener;

/// The key for all properties that a struct does not name.
pub(super) const REST: &str = "$rest";

/// A node, and the settings for reading its values.
#[derive(Clone, Copy)]
pub(super) struct Node<'r, 'de> {
    record: NodeRef<'r>,
    base: Bytes<'r, 'de>,
    pub(super) env: &'r Env,
    /// The names of the fields of some type, possibly this one.
    names: Option<&'r Names>,
    /// The properties that are these fields, as pairs of property index and field index.
    fields: Option<&'r [(u32, u32)]>,
}

impl<'r, 'de> Node<'r, 'de> {
    /// Creates a node whose bytes are in `input`, if given.
    #[inline]
    pub(super) fn new(record: NodeRef<'r>, input: Option<&'de [u8]>, env: &'r Env) -> Self {
        let base = input.map_or_else(|| Bytes::Lent(record.base()), Bytes::Input);
        Node { record, base, env, names: None, fields: None }
    }

    /// Adds the names of a type's fields to a root. `fields` are the properties that are these, if known, as pairs of
    /// property index and field index.
    #[inline]
    pub(super) fn with_names(self, names: &'r Names, fields: Option<&'r [(u32, u32)]>) -> Self {
        Node { names: Some(names), fields, ..self }
    }

    fn property(&self, property: PropertyRef<'r>) -> Property<'r, 'de> {
        Property::new(property, self.base, self.env)
    }

    /// Returns the nth property, which must exist.
    pub(super) fn nth(&self, n: usize) -> Option<Property<'r, 'de>> {
        self.record.nth(n).map(|property| self.property(property))
    }

    /// Finds the next property, from index `from` on, that a struct names. Returns it with the struct's name for it.
    #[inline]
    fn find(&self, from: usize, fields: &'static [&'static str]) -> Option<(usize, &'static str)> {
        let names = self.names.filter(|names| names.are_of(fields));
        for (n, ident) in self.record.idents(from) {
            let field = match names {
                Some(names) => names.field(ident),
                None => names::find(fields, ident),
            };
            if let Some(field) = field {
                return Some((n, field));
            }
        }
        None
    }

    /// Deserializes the node.
    #[inline(always)]
    pub(super) fn make<A: Ask<'de>>(self, seed: A) -> Result<A::Value> {
        let again = seed.again();
        match seed.deserialize(self) {
            Ok(value) => Ok(value),
            Err(error) => node_or(again, error),
        }
    }

    /// Returns access to all properties, or to those of a struct.
    pub(super) fn access(self, fields: Fields) -> NodeAccess<'r, 'de> {
        NodeAccess { node: self, cursor: Cursor::new(fields) }
    }
}

/// The properties of a node that a type needs.
#[derive(Clone, Copy)]
pub(super) enum Fields {
    /// All properties.
    All,
    /// The properties that a struct names.
    Named(&'static [&'static str]),
    /// The raw properties that a struct does not name.
    Raw(&'static [&'static str]),
}

impl Fields {
    #[inline]
    pub(super) fn has_rest(self) -> bool {
        matches!(self, Fields::Named(fields) if fields.contains(&REST))
    }
}

/// The next property, without a reference, so that nodes may be read in between.
#[derive(Clone, Copy)]
pub(super) struct Cursor {
    fields: Fields,
    next: usize,
    /// The property whose key was returned last; `None` for the rest.
    open: Option<usize>,
    /// Whether the properties that the struct does not name have been returned.
    rest: bool,
}

impl Cursor {
    pub(super) fn new(fields: Fields) -> Self {
        Cursor::with_rest(fields, fields.has_rest())
    }

    /// Creates a cursor for fields, given whether they include the key for the rest.
    pub(super) fn with_rest(fields: Fields, has_rest: bool) -> Self {
        Cursor { fields, next: 0, open: None, rest: !has_rest }
    }

    fn is_at_start(&self) -> bool {
        self.next == 0
    }

    /// Returns the key of the next property that the type needs.
    pub(super) fn key<'de, K: DeserializeSeed<'de>>(
        &mut self,
        node: Node<'_, 'de>,
        seed: K,
    ) -> Result<Result<K::Value, K>> {
        if let (Fields::Named(names), Some(fields)) = (self.fields, node.fields) {
            while let Some(&(property, field)) = fields.get(self.next) {
                self.next += 1;
                if let Some(field) = names.get(field as usize) {
                    self.open = Some(property as usize);
                    return seed.deserialize(name(field)).map(Ok);
                }
            }
        }
        let found = match self.fields {
            Fields::Named(_) if node.fields.is_some() => None,
            Fields::Named(fields) => match node.find(self.next, fields) {
                Some((n, field)) => {
                    (self.next, self.open) = (n + 1, Some(n));
                    return seed.deserialize(name(field)).map(Ok);
                }
                None => None,
            },
            Fields::All => Some(self.next).filter(|&n| n < node.record.len()),
            Fields::Raw(fields) => {
                let mut properties = node.record.iter().enumerate().skip(self.next);
                properties.find(|(_, property)| !fields.iter().any(|field| property.ident() == *field)).map(|(n, _)| n)
            }
        };
        if let Some(n) = found {
            (self.next, self.open) = (n + 1, Some(n));
            let Some(property) = node.record.nth(n) else { return Ok(Err(seed)) };
            let ident = property.ident();
            return if ident.has_lowercase() {
                seed.deserialize(Key(Bytes::Lent(ident.name().as_bytes()))).map(Ok)
            } else {
                seed.deserialize(Key(node.base.part(property.ident_place()))).map(Ok)
            };
        }
        self.next = usize::MAX;
        if !self.rest {
            (self.rest, self.open) = (true, None);
            return seed.deserialize(name(REST)).map(Ok);
        }
        Ok(Err(seed))
    }

    /// Returns the value of the property whose key was returned last.
    pub(super) fn value<'r, 'de: 'r, A: Ask<'de>>(&mut self, node: Node<'r, 'de>, seed: A) -> Result<A::Value> {
        let Some(property) = self.open.and_then(|open| node.nth(open)) else {
            let Fields::Named(fields) = self.fields else {
                return Err(Error::data("expected a key before its value"));
            };
            return seed.deserialize(Rest { node, fields });
        };
        match self.fields {
            Fields::Raw(_) => seed.deserialize(RawProperty(property)),
            _ => property.make(seed),
        }
    }
}

/// A name from the input.
struct Key<'r, 'de>(Bytes<'r, 'de>);

impl<'de> Deserializer<'de> for Key<'_, 'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        struct Letters;

        impl super::value::ReadText for Letters {
            fn read<'v>(self, raw: &'v [u8]) -> Result<std::borrow::Cow<'v, str>> {
                Ok(String::from_utf8_lossy(raw))
            }
        }

        visit_text(self.0, Letters, visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let letters = String::from_utf8_lossy(self.0.get());
        StrDeserializer::new(&letters).deserialize_enum(name, variants, visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        seq tuple tuple_struct map struct identifier ignored_any
    }
}

/// The properties of a node as the entries of a map.
pub(super) struct NodeAccess<'r, 'de> {
    node: Node<'r, 'de>,
    cursor: Cursor,
}

impl<'de> MapAccess<'de> for NodeAccess<'_, 'de> {
    type Error = Error;

    fn next_key<K: Deserialize<'de>>(&mut self) -> Result<Option<K>> {
        if self.cursor.is_at_start() && matches!(self.cursor.fields, Fields::All) {
            flat::refuse_rest::<K>()?;
        }
        self.next_key_seed(PhantomData)
    }

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        Ok(self.cursor.key(self.node, seed)?.ok())
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        self.cursor.value(self.node, Once(seed))
    }

    fn next_value<T: Deserialize<'de>>(&mut self) -> Result<T> {
        self.cursor.value(self.node, PhantomData)
    }

    /// Omits map entries that count as absent.
    fn next_entry<K: Deserialize<'de>, T: Deserialize<'de>>(&mut self) -> Result<Option<(K, T)>> {
        while let Some(key) = self.next_key()? {
            match self.next_value() {
                Err(error) if error.is_absent() => {}
                value => return value.map(|value| Some((key, value))),
            }
        }
        Ok(None)
    }

    fn size_hint(&self) -> Option<usize> {
        match self.cursor.fields {
            Fields::All => Some(self.node.record.len().saturating_sub(self.cursor.next)),
            _ => None,
        }
    }
}

impl<'de> Deserializer<'de> for Node<'_, 'de> {
    type Error = Error;

    super::answer! { self, visitor:
        deserialize_any deserialize_map => visitor.visit_map(self.access(Fields::All));
        deserialize_option => visitor.visit_some(self);
        deserialize_unit deserialize_unit_struct deserialize_ignored_any => visitor.visit_unit();
        deserialize_seq deserialize_tuple deserialize_tuple_struct => refuse(&visitor);
    }

    super::answer_scalars! { self, visitor: refuse(&visitor) }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_map(self.access(Fields::Named(fields)))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        if name == TURN && self.find(0, variants).is_none() {
            return Err(Error::no_move().mark_absent_node());
        }
        visitor.visit_enum(Choice { node: self, variants })
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        match name {
            PROPERTIES => visitor.visit_map(self.access(Fields::Raw(&[]))),
            _ => visitor.visit_newtype_struct(self),
        }
    }
}

#[cold]
fn refuse<T>(expected: &dyn serde::de::Expected) -> Result<T> {
    Err(Error::invalid_type(Unexpected::Other("a node"), expected))
}

/// The first property of a node that is a variant of an enum.
struct Choice<'r, 'de> {
    node: Node<'r, 'de>,
    variants: &'static [&'static str],
}

impl<'r, 'de> EnumAccess<'de> for Choice<'r, 'de> {
    type Error = Error;
    type Variant = Variant<'r, 'de>;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Variant<'r, 'de>)> {
        if let Some((n, variant)) = self.node.find(0, self.variants) {
            let variant = seed.deserialize(name(variant))?;
            return Ok((variant, Variant(self.node.nth(n))));
        }
        // `#[serde(other)]` takes any name.
        let first = self.node.nth(0);
        let ident = first.as_ref().map(Property::name).unwrap_or_default();
        match seed.deserialize(StrDeserializer::<Error>::new(&ident)) {
            Ok(variant) => Ok((variant, Variant(first))),
            Err(_) => Err(self.no_variant()),
        }
    }
}

impl Choice<'_, '_> {
    #[cold]
    fn no_variant(&self) -> Error {
        const MOST: usize = 8;
        let names: Vec<_> = self.node.record.iter().take(MOST).map(|property| property.ident().name()).collect();
        let more = if self.node.record.len() > MOST { ", …" } else { "" };
        let found = if names.is_empty() { "nothing".into() } else { names.join(", ") };
        Error::data(format_args!("expected a node with {}, found one with {found}{more}", OneOf(self.variants)))
    }
}

/// The property that selects the variant, if any.
struct Variant<'r, 'de>(Option<Property<'r, 'de>>);

impl<'r, 'de> Variant<'r, 'de> {
    fn property(self) -> Result<Property<'r, 'de>> {
        self.0.ok_or_else(|| Error::data("expected a node with a property, found one with nothing"))
    }
}

impl<'de> VariantAccess<'de> for Variant<'_, 'de> {
    type Error = Error;

    fn unit_variant(self) -> Result<()> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        self.property()?.newtype_variant_seed(seed)
    }

    fn newtype_variant<T: Deserialize<'de>>(self) -> Result<T> {
        self.property()?.newtype_variant()
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        self.property()?.tuple_variant(len, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(self, fields: &'static [&'static str], visitor: V) -> Result<V::Value> {
        self.property()?.struct_variant(fields, visitor)
    }
}

/// All properties that a struct does not name.
struct Rest<'r, 'de> {
    node: Node<'r, 'de>,
    fields: &'static [&'static str],
}

impl<'de> Deserializer<'de> for Rest<'_, 'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_map(self.node.access(Fields::Raw(self.fields)))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        if name == PROPERTIES { self.deserialize_any(visitor) } else { visitor.visit_newtype_struct(self) }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// The raw values of a property.
struct RawProperty<'r, 'de>(Property<'r, 'de>);

impl<'de> Deserializer<'de> for RawProperty<'_, 'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_seq(self.0.raw_values())
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl NodeRecord<'_> {
    /// Deserializes the node into a struct, map or enum; see [`de`](super).
    ///
    /// The context is the default (Go and FF\[4\]), and texts are UTF-8. For another context use
    /// [`deserialize_in`](Self::deserialize_in).
    ///
    /// ```
    /// use sgf_stream::{NodeRecord, SliceReader};
    ///
    /// #[derive(serde::Deserialize)]
    /// enum Step<'a> {
    ///     B(&'a str),
    ///     W(&'a str),
    ///     #[serde(other)]
    ///     Other,
    /// }
    ///
    /// let mut reader = SliceReader::new(b"(;FF[4];B[dd];W[pp])");
    /// let (mut node, mut moves) = (NodeRecord::new(), String::new());
    /// while reader.read_node(&mut node)? {
    ///     if let Step::B(point) | Step::W(point) = node.deserialize()? {
    ///         moves += point;
    ///     }
    /// }
    /// assert_eq!(moves, "ddpp");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the node does not fit the type. The error names property and offset.
    pub fn deserialize<'de, T: Deserialize<'de>>(&'de self) -> Result<T> {
        self.deserialize_in(&Context::default())
    }

    /// Deserializes the node in the context of a game; see [`RootFacts::context`](crate::node::RootFacts::context).
    ///
    /// # Errors
    ///
    /// Fails if the node does not fit the type.
    pub fn deserialize_in<'de, T: Deserialize<'de>>(&'de self, context: &Context) -> Result<T> {
        let env = Env::new(*context, Listener::NONE);
        let node =
            Node { record: self.node(), base: Bytes::Input(self.node().base()), env: &env, names: None, fields: None };
        node.make(PhantomData).map_err(|error| error.near(self.offset()))
    }
}
