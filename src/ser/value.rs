//! Serializes values of properties into the draft: atoms, and their shape.

use std::fmt;
use std::io::Write as _;

use serde::ser::{Serialize, Serializer};

use super::Error;
use super::compound::{AddElement, AddEntry, Elements, Keyed};
use super::draft::{AtomKind, Draft, Field, Shape};
use super::refuse::{refuse, wrap};
use crate::value::typed::serde_impl::is_raw;

/// A serializer for the value of a property, or for a component of it.
pub(super) struct Value<'a> {
    draft: &'a mut Draft,
    place: ValuePlace<'a>,
    wrappers: u8,
}

/// The position of a value in its property.
enum ValuePlace<'a> {
    /// The whole property. `needed` is set if the value's presence must be distinguishable from its absence.
    Whole { needed: &'a mut bool },
    /// One value of a list.
    Element,
    /// One of the two components of a composed value.
    Part { first: bool },
    /// The component after a struct field's name in a composed value. If it is absent, so is the value.
    Field,
}

impl Draft {
    /// Adds a property to a node.
    pub(super) fn add_property<T: Serialize + ?Sized>(
        &mut self,
        node: usize,
        name: &str,
        value: &T,
        field: Field,
    ) -> Result<(), Error> {
        let start = self.start_property(name).map_err(|error| error.in_node(node))?;
        let mut needed = field == Field::Variant;
        match value.serialize(Value::whole(self, &mut needed)) {
            Ok(()) => self.end_property(node, start, needed, field),
            Err(error) => return Err(error.in_property(name).in_node(node)),
        }
        Ok(())
    }
}

impl<'a> Value<'a> {
    /// Creates the serializer for a property.
    pub(super) fn whole(draft: &'a mut Draft, needed: &'a mut bool) -> Self {
        Value { draft, place: ValuePlace::Whole { needed }, wrappers: 0 }
    }

    /// Creates the serializer for one value of a property.
    pub(super) fn element(draft: &'a mut Draft) -> Self {
        Value::of(draft, ValuePlace::Element)
    }

    fn of(draft: &'a mut Draft, place: ValuePlace<'a>) -> Self {
        Value { draft, place, wrappers: 0 }
    }

    fn wrapped(self) -> Result<Self, Error> {
        Ok(Value { wrappers: wrap(self.wrappers)?, ..self })
    }

    #[cold]
    fn refuse(self, found: &str) -> Error {
        let expected = match self.place {
            ValuePlace::Whole { .. } => "a value, or a list, a tuple or a map of values",
            ValuePlace::Element => "a value, or a tuple of two values",
            ValuePlace::Part { .. } | ValuePlace::Field => "a single value",
        };
        Error::expected(expected, found)
    }

    fn atom(self, kind: AtomKind, fill: impl FnOnce(&mut Vec<u8>)) -> Result<(), Error> {
        let first = match self.place {
            ValuePlace::Whole { .. } => {
                self.draft.set_shape(Shape::Single);
                false
            }
            ValuePlace::Element | ValuePlace::Field => false,
            ValuePlace::Part { first } => first,
        };
        self.draft.add_atom(kind, first, fill);
        Ok(())
    }

    fn text(self, text: &str) -> Result<(), Error> {
        self.atom(AtomKind::Text, |bytes| bytes.extend_from_slice(text.as_bytes()))
    }

    fn plain(self, number: impl fmt::Display) -> Result<(), Error> {
        self.display(AtomKind::Plain, number)
    }

    fn display(self, kind: AtomKind, value: impl fmt::Display) -> Result<(), Error> {
        let mut printed = Ok(());
        self.atom(kind, |bytes| printed = write!(bytes, "{value}"))?;
        // Writing to a vector does not fail, but a `Display` implementation may.
        printed.map_err(|_| Error::new("the value cannot be printed; its `Display` failed"))
    }

    fn absent(self, found: &str) -> Result<(), Error> {
        match self.place {
            ValuePlace::Whole { needed: false } => Ok(()),
            ValuePlace::Whole { .. } => Err(Error::expected("a value that differs from an absent one", found)),
            ValuePlace::Field => {
                self.draft.drop_last_atom();
                Ok(())
            }
            _ => Err(self.refuse(found)),
        }
    }

    fn entries(self, found: &str) -> Result<Keyed<Entries<'a>>, Error> {
        match self.place {
            ValuePlace::Whole { .. } => {
                self.draft.set_shape(Shape::List);
                Ok(Keyed::new(Entries { draft: self.draft }))
            }
            _ => Err(self.refuse(found)),
        }
    }

    fn list(self, shape: Shape, found: &str) -> Result<Elements<List<'a>>, Error> {
        let kind = match self.place {
            ValuePlace::Whole { .. } => {
                self.draft.set_shape(shape);
                ListKind::Values
            }
            ValuePlace::Element => ListKind::Parts,
            ValuePlace::Part { .. } | ValuePlace::Field => return Err(self.refuse(found)),
        };
        Ok(Elements(List { draft: self.draft, kind, len: 0 }))
    }
}

impl<'a> Serializer for Value<'a> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Elements<List<'a>>;
    type SerializeTuple = Elements<List<'a>>;
    type SerializeTupleStruct = Elements<List<'a>>;
    type SerializeMap = Keyed<Entries<'a>>;
    type SerializeStruct = Keyed<Entries<'a>>;

    refuse!(tuple_variants struct_variants);

    fn serialize_bool(self, present: bool) -> Result<(), Error> {
        if present { self.serialize_unit() } else { self.absent("`false`") }
    }

    fn serialize_i8(self, number: i8) -> Result<(), Error> {
        self.plain(number)
    }

    fn serialize_i16(self, number: i16) -> Result<(), Error> {
        self.plain(number)
    }

    fn serialize_i32(self, number: i32) -> Result<(), Error> {
        self.plain(number)
    }

    fn serialize_i64(self, number: i64) -> Result<(), Error> {
        self.plain(number)
    }

    fn serialize_i128(self, number: i128) -> Result<(), Error> {
        self.plain(number)
    }

    fn serialize_u8(self, number: u8) -> Result<(), Error> {
        self.plain(number)
    }

    fn serialize_u16(self, number: u16) -> Result<(), Error> {
        self.plain(number)
    }

    fn serialize_u32(self, number: u32) -> Result<(), Error> {
        self.plain(number)
    }

    fn serialize_u64(self, number: u64) -> Result<(), Error> {
        self.plain(number)
    }

    fn serialize_u128(self, number: u128) -> Result<(), Error> {
        self.plain(number)
    }

    fn serialize_f32(self, number: f32) -> Result<(), Error> {
        // Written directly, since a conversion to `f64` would add many digits. Adding zero makes negative zero
        // positive.
        if number.is_finite() { self.plain(number + 0.0) } else { self.serialize_f64(number.into()) }
    }

    fn serialize_f64(self, number: f64) -> Result<(), Error> {
        if !number.is_finite() {
            return Err(Error::expected("a finite number", &number.to_string()));
        }
        // Displays without an exponent, with enough digits to read back as an equal number.
        self.plain(number + 0.0)
    }

    fn serialize_char(self, char: char) -> Result<(), Error> {
        self.text(char.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, text: &str) -> Result<(), Error> {
        self.text(text)
    }

    /// Formats the text without an intermediate string.
    fn collect_str<T: fmt::Display + ?Sized>(self, text: &T) -> Result<(), Error> {
        self.display(AtomKind::Text, text)
    }

    fn serialize_bytes(self, raw: &[u8]) -> Result<(), Error> {
        self.atom(AtomKind::Bytes, |bytes| bytes.extend_from_slice(raw))
    }

    fn serialize_none(self) -> Result<(), Error> {
        self.absent("`None`")
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        let Value { draft, place, wrappers } = self.wrapped()?;
        let place = match place {
            ValuePlace::Whole { needed } => {
                *needed = true;
                ValuePlace::Whole { needed }
            }
            // `Some(None)` must not be mistaken for `None`.
            ValuePlace::Field => ValuePlace::Part { first: false },
            part => part,
        };
        value.serialize(Value { draft, place, wrappers })
    }

    fn serialize_unit(self) -> Result<(), Error> {
        self.atom(AtomKind::Plain, |_| {})
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Error> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<(), Error> {
        self.text(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Result<(), Error> {
        if !is_raw(name) {
            return value.serialize(self.wrapped()?);
        }
        let Value { draft, place, wrappers } = self.wrapped()?;
        let before = draft.atoms.len();
        value.serialize(Value { draft: &mut *draft, place, wrappers })?;
        draft.make_raw(before);
        Ok(())
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), Error> {
        Err(self.refuse("an enum with a value"))
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Elements<List<'a>>, Error> {
        self.list(Shape::List, "a sequence")
    }

    fn serialize_tuple(self, _: usize) -> Result<Elements<List<'a>>, Error> {
        self.list(Shape::Tuple, "a tuple")
    }

    fn serialize_tuple_struct(self, _: &'static str, len: usize) -> Result<Elements<List<'a>>, Error> {
        self.serialize_tuple(len)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Keyed<Entries<'a>>, Error> {
        self.entries("a map")
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Keyed<Entries<'a>>, Error> {
        self.entries("a struct")
    }
}

/// The elements of a sequence, a tuple or an array.
pub(super) struct List<'a> {
    draft: &'a mut Draft,
    kind: ListKind,
    len: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ListKind {
    /// The elements are values.
    Values,
    /// The elements are the two components of one value.
    Parts,
}

impl AddElement for List<'_> {
    fn add<T: Serialize + ?Sized>(&mut self, element: &T) -> Result<(), Error> {
        let place = match (self.kind, self.len) {
            (ListKind::Values, _) => ValuePlace::Element,
            (ListKind::Parts, 0) => ValuePlace::Part { first: true },
            (ListKind::Parts, 1) => ValuePlace::Part { first: false },
            (ListKind::Parts, _) => return Err(Error::expected("a tuple of two values", "a longer one")),
        };
        self.len += 1;
        element.serialize(Value::of(self.draft, place))
    }

    fn finish(self) -> Result<(), Error> {
        match (self.kind, self.len) {
            (ListKind::Parts, 0 | 1) => Err(Error::expected("a tuple of two values", "a shorter one")),
            _ => Ok(()),
        }
    }
}

/// The entries of a map, or the fields of a struct: a list of composed values.
pub(super) struct Entries<'a> {
    draft: &'a mut Draft,
}

impl Entries<'_> {
    /// Adds a field of a struct.
    pub(super) fn add<T: Serialize + ?Sized>(draft: &mut Draft, key: &str, value: &T) -> Result<(), Error> {
        Value::of(draft, ValuePlace::Part { first: true }).text(key)?;
        value.serialize(Value::of(draft, ValuePlace::Field))
    }
}

impl AddEntry for Entries<'_> {
    /// Takes a key, which is a separate value, not the name of a property.
    fn key<K: Serialize + ?Sized>(&mut self, key: &K) -> Result<String, Error> {
        key.serialize(Value::of(self.draft, ValuePlace::Part { first: true })).map(|()| String::new())
    }

    fn value<T: Serialize + ?Sized>(&mut self, _: &str, value: &T) -> Result<(), Error> {
        value.serialize(Value::of(self.draft, ValuePlace::Part { first: false }))
    }

    fn field<T: Serialize + ?Sized>(&mut self, key: &str, value: &T) -> Result<(), Error> {
        Entries::add(self.draft, key, value)
    }

    fn skip(&mut self, _: &str) -> Result<(), Error> {
        Ok(())
    }
}
