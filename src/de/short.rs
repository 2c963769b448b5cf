//! Nodes with a one-letter property and a two-letter value, `;B[dd]`: nine nodes in ten.
//!
//! The [`NodeBatch`](super::batch::NodeBatch) keeps only the location of such a node. Most types request an enum, a
//! struct, a typed value or a string, which are created from its six bytes. For all other types it becomes a
//! [`Node`]. Letters are the same in every charset and text rule, so the registry is not needed. The value `tt`,
//! which is a pass only on some boards, also becomes a [`Node`].

use std::marker::PhantomData;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, EnumAccess, MapAccess, VariantAccess, Visitor};

use super::again::{Ask, Once};
use super::error::{Error, Result};
use super::names;
use super::node::{Fields, Node};
use super::property::Property;
use super::stream::{Source, Stream};
use super::value::{Bytes, name};
use crate::node::{MoveNode, MovePlace, Nodes};
use crate::syntax::event::Ident;
use crate::value::typed::serde_impl::{is_raw, may_be_pass};

/// A move node.
pub(super) struct ShortNode<'r, S: Source> {
    node: MoveNode<'r>,
    stream: &'r Stream<S>,
}

impl<'r, 'de: 'r, S: Source<Input = &'de [u8]>> ShortNode<'r, S> {
    #[inline]
    pub(super) fn new(stream: &'r Stream<S>, place: MovePlace) -> Self {
        ShortNode { node: stream.move_node(place), stream }
    }
}

/// The deserializer of a move node: a reference, so that it is passed in a register.
pub(super) struct Short<'r, S: Source>(pub(super) &'r ShortNode<'r, S>);

impl<S: Source> Clone for Short<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: Source> Copy for Short<'_, S> {}

impl<'de, S: Source<Input = &'de [u8]>> Short<'_, S> {
    /// Handles the move like any other node.
    #[cold]
    #[inline(never)]
    fn general<T>(self, visit: impl FnOnce(Node<'_, 'de>) -> Result<T>) -> Result<T> {
        let &ShortNode { node, stream } = self.0;
        let (input, env) = (stream.input(), &stream.env);
        env.node_at.set(node.at);
        let mut nodes = Nodes::of(input);
        nodes.add_move(node);
        visit(Node::new(nodes.node(0, None), input, env))
    }

    /// Returns the type's name for the property, if it names it.
    #[inline]
    fn find(self, names: &'static [&'static str]) -> Option<&'static str> {
        let letter = self.0.node.letter();
        let is_letter = |name: &&&str| matches!(name.as_bytes(), [only] if *only == letter);
        // Perhaps an old name, such as `Black`.
        names.iter().find(is_letter).copied().or_else(|| names::find(names, Ident::new(&[letter])))
    }

    /// Returns whether the value depends on the board size, which [`Value`] does not know.
    #[inline]
    fn depends_on_board(self) -> bool {
        may_be_pass(self.0.node.letters())
    }

    /// Adds the property to an error.
    #[cold]
    fn blame(self, error: Error) -> Error {
        let node = self.0.node;
        error.in_property(&char::from(node.letter()).to_string(), node.ident_at())
    }

    /// Handles a value that does not fit a field or variant. It may count as absent.
    #[cold]
    #[inline(never)]
    fn excuse<A: Ask<'de>>(self, again: Option<A>, error: Error) -> Result<A::Value> {
        let error = self.blame(error);
        self.general(|node| match node.nth(0) {
            Some(property) => node.env.excuse(again, property.inner(), error),
            None => Err(error),
        })
    }

    #[cold]
    #[inline(never)]
    fn excuse_variant<A: Ask<'de>>(self, again: Option<A>, error: Error) -> Result<A::Value> {
        self.excuse(again, error).map_err(Error::of_variant)
    }
}

impl<'de, S: Source<Input = &'de [u8]>> Deserializer<'de> for Short<'_, S> {
    type Error = Error;

    #[inline]
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        match self.find(variants) {
            Some(variant) if !self.depends_on_board() => visitor.visit_enum(Choice { variant, value: Value(self) }),
            // With a separate slot for the result; see `next_element_seed` of the parts of a tree.
            _ => Ok(self.general(|node| node.deserialize_enum(name, variants, visitor))?),
        }
    }

    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        if Fields::Named(fields).has_rest() || self.depends_on_board() {
            return self.general(|node| node.deserialize_struct(name, fields, visitor));
        }
        visitor.visit_map(Entry { field: self.find(fields), value: Value(self) })
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        if name == super::properties::PROPERTIES {
            return self.general(|node| node.deserialize_newtype_struct(name, visitor));
        }
        visitor.visit_newtype_struct(self)
    }

    super::answer! { self, visitor: deserialize_option => visitor.visit_some(self); }

    super::hand_on! { general:
        deserialize_any deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_i128 deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
        deserialize_f32 deserialize_f64 deserialize_char deserialize_str deserialize_string deserialize_bytes
        deserialize_byte_buf deserialize_unit deserialize_unit_struct deserialize_seq deserialize_tuple
        deserialize_tuple_struct deserialize_map deserialize_identifier deserialize_ignored_any
    }
}

/// The variant of an enum that the property is.
struct Choice<'r, S: Source> {
    variant: &'static str,
    value: Value<'r, S>,
}

impl<'r, 'de, S: Source<Input = &'de [u8]>> EnumAccess<'de> for Choice<'r, S> {
    type Error = Error;
    type Variant = Value<'r, S>;

    #[inline]
    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Value<'r, S>)> {
        Ok((seed.deserialize(name(self.variant))?, self.value))
    }
}

/// The node as the entries of a map: one if the struct names the property, otherwise none.
struct Entry<'r, S: Source> {
    field: Option<&'static str>,
    value: Value<'r, S>,
}

impl<'de, S: Source<Input = &'de [u8]>> MapAccess<'de> for Entry<'_, S> {
    type Error = Error;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        self.field.take().map(|field| seed.deserialize(name(field))).transpose()
    }

    #[inline]
    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        Value(self.value.0).make(Once(seed))
    }

    #[inline]
    fn next_value<T: Deserialize<'de>>(&mut self) -> Result<T> {
        Value(self.value.0).make(PhantomData)
    }
}

/// The property with its value.
struct Value<'r, S: Source>(Short<'r, S>);

impl<'r, 'de: 'r, S: Source<Input = &'de [u8]>> Value<'r, S> {
    #[inline]
    fn raw(&self) -> Bytes<'r, 'de> {
        let &ShortNode { node, stream } = self.0.0;
        match stream.input() {
            Some(input) => Bytes::Input(MoveNode::new(input, node.at as usize, node.at).value().as_bytes()),
            None => Bytes::Lent(node.value().as_bytes()),
        }
    }

    /// Reads the value as a type. A value that does not fit may count as absent.
    #[inline]
    fn make<A: Ask<'de>>(self, seed: A) -> Result<A::Value> {
        let (short, again) = (self.0, seed.again());
        match seed.deserialize(self) {
            Ok(value) => Ok(value),
            // With a separate slot for the result; see `next_element_seed` of the parts of a tree.
            Err(error) => Ok(short.excuse(again, error)?),
        }
    }

    /// Reads the value as a variant of an enum for nodes.
    #[inline]
    fn make_variant<A: Ask<'de>>(self, seed: A) -> Result<A::Value> {
        let (short, again) = (self.0, seed.again());
        match seed.deserialize(self) {
            Ok(value) => Ok(value),
            // With a separate slot for the result; see `next_element_seed` of the parts of a tree.
            Err(error) => Ok(short.excuse_variant(again, error)?),
        }
    }

    /// Handles the value like any other property.
    fn general<T>(self, visit: impl FnOnce(Property<'_, 'de>) -> Result<T>) -> Result<T> {
        self.0.general(|node| match node.nth(0) {
            Some(property) => visit(property),
            None => Err(Error::data("expected a property, found the end of the node")),
        })
    }

    #[inline]
    fn visit_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        fn text(raw: &[u8]) -> Result<&str> {
            std::str::from_utf8(raw).map_err(|_| Error::data("expected a move in ASCII, found other bytes"))
        }

        let at = self.0.0.node.value_at();
        let visited = match self.raw() {
            Bytes::Input(raw) => text(raw).and_then(|raw| visitor.visit_borrowed_str(raw)),
            Bytes::Lent(raw) => text(raw).and_then(|raw| visitor.visit_str(raw)),
        };
        visited.map_err(|error: Error| error.at(at))
    }

    fn visit_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let at = self.0.0.node.value_at();
        self.raw().visit(visitor).map_err(|error| error.at(at))
    }

    /// Visits the value for the crate's own types, which borrow nothing.
    #[inline]
    fn visit_raw<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match visitor.visit_bytes(self.0.0.node.value().as_bytes()) {
            Ok(value) => Ok(value),
            Err(error) => Err(Error::at(error, self.0.0.node.value_at())),
        }
    }
}

impl<'de, S: Source<Input = &'de [u8]>> Deserializer<'de> for Value<'_, S> {
    type Error = Error;

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        if is_raw(name) { self.visit_raw(visitor) } else { visitor.visit_newtype_struct(self) }
    }

    #[inline]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    super::answer! { self, visitor:
        deserialize_bool => visitor.visit_bool(true);
        deserialize_str deserialize_string => self.visit_str(visitor);
        deserialize_bytes deserialize_byte_buf => self.visit_bytes(visitor);
        deserialize_unit deserialize_unit_struct deserialize_ignored_any => visitor.visit_unit();
    }

    super::hand_on! { general:
        deserialize_any deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128 deserialize_f32
        deserialize_f64 deserialize_char deserialize_seq deserialize_tuple deserialize_tuple_struct deserialize_map
        deserialize_struct deserialize_enum deserialize_identifier
    }
}

/// The property of an enum's variant.
impl<'de, S: Source<Input = &'de [u8]>> VariantAccess<'de> for Value<'_, S> {
    type Error = Error;

    #[inline]
    fn unit_variant(self) -> Result<()> {
        Ok(())
    }

    #[inline]
    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        self.make_variant(Once(seed))
    }

    #[inline]
    fn newtype_variant<T: Deserialize<'de>>(self) -> Result<T> {
        self.make_variant(PhantomData)
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        self.general(|property| property.tuple_variant(len, visitor))
    }

    fn struct_variant<V: Visitor<'de>>(self, fields: &'static [&'static str], visitor: V) -> Result<V::Value> {
        self.general(|property| property.struct_variant(fields, visitor))
    }
}
