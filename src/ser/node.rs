//! Serializes nodes: structs and maps of properties, and enums as nodes with one property.

use serde::ser::{Serialize, SerializeStructVariant, SerializeTupleVariant, Serializer};

use super::Error;
use super::compound::{AddEntry, Keyed};
use super::draft::{Draft, Field, Shape, Start, is_identifier};
use super::name::Name;
use super::refuse::{refuse, wrap};
use super::value::{Entries, Value};

/// A serializer for a node, or for further properties of it.
pub(super) struct NodeOf<'a> {
    draft: &'a mut Draft,
    node: usize,
    role: Role,
    wrappers: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A node of a sequence, or a root.
    Node,
    /// A node whose move is optional.
    Turn,
    /// The content of the field `$rest`.
    Rest,
}

impl<'a> NodeOf<'a> {
    pub(super) fn new(draft: &'a mut Draft, node: usize, role: Role) -> Self {
        NodeOf { draft, node, role, wrappers: 0 }
    }

    fn wrapped(self) -> Result<Self, Error> {
        Ok(NodeOf { wrappers: wrap(self.wrappers)?, ..self })
    }

    #[cold]
    fn refuse(self, found: &str) -> Error {
        let expected = match self.role {
            Role::Node | Role::Turn => "a node: a struct, a map or an enum",
            Role::Rest => "a map of properties",
        };
        Error::expected(expected, found).in_node(self.node)
    }

    /// Starts a property whose values arrive one by one.
    fn variant_of(self, variant: &'static str, shape: Shape) -> Result<Variant<'a>, Error> {
        if self.role == Role::Rest {
            return Err(self.refuse("an enum"));
        }
        let NodeOf { draft, node, .. } = self;
        let start = draft.start_property(variant).map_err(|error| error.in_node(node))?;
        draft.set_shape(shape);
        Ok(Variant { draft, node, variant, start })
    }

    fn variant<T: Serialize + ?Sized>(self, variant: &str, value: &T) -> Result<(), Error> {
        match self.role {
            Role::Node | Role::Turn => self.draft.add_property(self.node, variant, value, Field::Variant),
            Role::Rest => Err(self.refuse("an enum")),
        }
    }
}

impl<'a> Serializer for NodeOf<'a> {
    type Ok = ();
    type Error = Error;
    type SerializeMap = Keyed<Properties<'a>>;
    type SerializeTupleVariant = Variant<'a>;
    type SerializeStructVariant = Variant<'a>;

    refuse!(wrappers_are_transparent structs_are_maps scalars sequences);

    /// Writes a node without properties if that is read as `None`.
    fn serialize_none(self) -> Result<(), Error> {
        if self.role == Role::Turn { Ok(()) } else { Err(self.refuse("`None`")) }
    }

    /// Writes a node without properties.
    fn serialize_unit(self) -> Result<(), Error> {
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Error> {
        Ok(())
    }

    /// Writes a property without a value, or a node without properties for the fallback variant
    /// `#[serde(other)] Other`.
    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<(), Error> {
        if self.role != Role::Rest && !is_identifier(variant) { Ok(()) } else { self.variant(variant, &()) }
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        self.variant(variant, value)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Variant<'a>, Error> {
        self.variant_of(variant, Shape::Tuple)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Variant<'a>, Error> {
        self.variant_of(variant, Shape::List)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Keyed<Properties<'a>>, Error> {
        Ok(Keyed::new(Properties { draft: self.draft, node: self.node, role: self.role }))
    }
}

/// The fields of a struct, or the entries of a map, as properties.
pub(super) struct Properties<'a> {
    draft: &'a mut Draft,
    node: usize,
    role: Role,
}

impl AddEntry for Properties<'_> {
    fn key<K: Serialize + ?Sized>(&mut self, key: &K) -> Result<String, Error> {
        key.serialize(Name).map_err(|error| error.in_node(self.node))
    }

    fn field<T: Serialize + ?Sized>(&mut self, key: &str, value: &T) -> Result<(), Error> {
        match (self.role, key) {
            (Role::Rest, _) => self.draft.add_property(self.node, key, value, Field::Rest),
            (_, "$rest") => value.serialize(NodeOf::new(self.draft, self.node, Role::Rest)),
            _ if key.starts_with('$') => {
                Err(Error::new("expected a property or `$rest` in a node").in_property(key).in_node(self.node))
            }
            _ => self.draft.add_property(self.node, key, value, Field::Named),
        }
    }

    /// Records an absent field, so that no other source may add it.
    fn skip(&mut self, key: &str) -> Result<(), Error> {
        if key.starts_with('$') { Ok(()) } else { self.field(key, &None::<()>) }
    }
}

/// A variant with several values: a list, or a composed value.
pub(super) struct Variant<'a> {
    draft: &'a mut Draft,
    node: usize,
    variant: &'static str,
    start: Start,
}

impl Variant<'_> {
    fn locate(&self, added: Result<(), Error>) -> Result<(), Error> {
        added.map_err(|error| error.in_property(self.variant).in_node(self.node))
    }

    fn finish(self) -> Result<(), Error> {
        self.draft.end_property(self.node, self.start, true, Field::Variant);
        Ok(())
    }
}

impl SerializeTupleVariant for Variant<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let added = value.serialize(Value::element(self.draft));
        self.locate(added)
    }

    fn end(self) -> Result<(), Error> {
        self.finish()
    }
}

impl SerializeStructVariant for Variant<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Error> {
        let added = Entries::add(self.draft, key, value);
        self.locate(added)
    }

    fn end(self) -> Result<(), Error> {
        self.finish()
    }
}
