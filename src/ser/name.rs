//! Serializes map keys as names of properties or special keys.

use serde::ser::{Impossible, Serialize, Serializer};

use super::Error;

/// Extracts the name from a key: a string, a character, or a unit variant.
pub(super) struct Name;

fn refuse<T>(found: &str) -> Result<T, Error> {
    Err(Error::expected("the name of a property", found))
}

macro_rules! refuse_scalars {
    ($($method:ident($type:ty) $found:literal),*) => {
        $(fn $method(self, _: $type) -> Result<String, Error> {
            refuse($found)
        })*
    };
}

impl Serializer for Name {
    type Ok = String;
    type Error = Error;
    type SerializeSeq = Impossible<String, Error>;
    type SerializeTuple = Impossible<String, Error>;
    type SerializeTupleStruct = Impossible<String, Error>;
    type SerializeTupleVariant = Impossible<String, Error>;
    type SerializeMap = Impossible<String, Error>;
    type SerializeStruct = Impossible<String, Error>;
    type SerializeStructVariant = Impossible<String, Error>;

    refuse_scalars! {
        serialize_bool(bool) "a boolean",
        serialize_i8(i8) "a number", serialize_i16(i16) "a number", serialize_i32(i32) "a number",
        serialize_i64(i64) "a number", serialize_i128(i128) "a number",
        serialize_u8(u8) "a number", serialize_u16(u16) "a number", serialize_u32(u32) "a number",
        serialize_u64(u64) "a number", serialize_u128(u128) "a number",
        serialize_f32(f32) "a number", serialize_f64(f64) "a number",
        serialize_bytes(&[u8]) "bytes",
        serialize_unit_struct(&'static str) "a unit"
    }

    fn serialize_char(self, name: char) -> Result<String, Error> {
        Ok(name.into())
    }

    fn serialize_str(self, name: &str) -> Result<String, Error> {
        Ok(name.into())
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<String, Error> {
        Ok(variant.into())
    }

    fn serialize_unit(self) -> Result<String, Error> {
        refuse("a unit")
    }

    fn serialize_none(self) -> Result<String, Error> {
        refuse("`None`")
    }

    fn serialize_some<T: Serialize + ?Sized>(self, _: &T) -> Result<String, Error> {
        refuse("an `Option`")
    }

    /// Accepts a newtype around a name, but not nested ones.
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, name: &T) -> Result<String, Error> {
        name.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<String, Error> {
        refuse("an enum with a value")
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq, Error> {
        refuse("a sequence")
    }

    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, Error> {
        refuse("a tuple")
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeTupleStruct, Error> {
        refuse("a tuple")
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Error> {
        refuse("an enum with values")
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, Error> {
        refuse("a map")
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeStruct, Error> {
        refuse("a struct")
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, Error> {
        refuse("an enum with named fields")
    }
}
