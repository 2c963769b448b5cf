//! A macro for serializer methods that only fail, or behave like another, grouped by kind.

/// Defines methods that fail: `refuse!(numbers text)`, in an `impl serde::Serializer`, rejects the named kinds with
/// the error that the type's method `refuse` returns.
macro_rules! refuse {
    () => {};
    (some_is_transparent $($rest:ident)*) => {
        fn serialize_some<T: serde::Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
            value.serialize(self.wrapped()?)
        }
        $crate::ser::refuse::refuse!($($rest)*);
    };
    (wrappers_are_transparent $($rest:ident)*) => {
        $crate::ser::refuse::refuse!(some_is_transparent);
        fn serialize_newtype_struct<T: serde::Serialize + ?Sized>(
            self,
            _: &'static str,
            value: &T,
        ) -> Result<(), Error> {
            value.serialize(self.wrapped()?)
        }
        $crate::ser::refuse::refuse!($($rest)*);
    };
    // All sequences use the type that `serialize_seq` returns.
    (sequences_are_alike $($rest:ident)*) => {
        type SerializeTuple = Self::SerializeSeq;
        type SerializeTupleStruct = Self::SerializeSeq;
        fn serialize_tuple(self, len: usize) -> Result<Self::SerializeSeq, Error> {
            self.serialize_seq(Some(len))
        }
        fn serialize_tuple_struct(self, _: &'static str, len: usize) -> Result<Self::SerializeSeq, Error> {
            self.serialize_seq(Some(len))
        }
        $crate::ser::refuse::refuse!($($rest)*);
    };
    // Structs use the type that `serialize_map` returns.
    (structs_are_maps $($rest:ident)*) => {
        type SerializeStruct = Self::SerializeMap;
        fn serialize_struct(self, _: &'static str, len: usize) -> Result<Self::SerializeMap, Error> {
            self.serialize_map(Some(len))
        }
        $crate::ser::refuse::refuse!($($rest)*);
    };
    (scalars $($rest:ident)*) => {
        $crate::ser::refuse::refuse!(@
            serialize_bool(bool) "a boolean", serialize_char(char) "a character",
            serialize_i8(i8) "a number", serialize_i16(i16) "a number", serialize_i32(i32) "a number",
            serialize_i64(i64) "a number", serialize_i128(i128) "a number",
            serialize_u8(u8) "a number", serialize_u16(u16) "a number", serialize_u32(u32) "a number",
            serialize_u64(u64) "a number", serialize_u128(u128) "a number",
            serialize_f32(f32) "a number", serialize_f64(f64) "a number",
            serialize_str(&str) "a string", serialize_bytes(&[u8]) "bytes"
        );
        $crate::ser::refuse::refuse!($($rest)*);
    };
    (units $($rest:ident)*) => {
        $crate::ser::refuse::refuse!(@
            serialize_unit() "a unit", serialize_unit_struct(&'static str) "a unit"
        );
        $crate::ser::refuse::refuse!($($rest)*);
    };
    (none $($rest:ident)*) => {
        $crate::ser::refuse::refuse!(@ serialize_none() "`None`");
        $crate::ser::refuse::refuse!($($rest)*);
    };
    (variants $($rest:ident)*) => {
        $crate::ser::refuse::refuse!(@ serialize_unit_variant(&'static str, u32, &'static str) "an enum");
        fn serialize_newtype_variant<T: serde::Serialize + ?Sized>(
            self,
            _: &'static str,
            _: u32,
            _: &'static str,
            _: &T,
        ) -> Result<(), Error> {
            Err(self.refuse("an enum"))
        }
        $crate::ser::refuse::refuse!(tuple_variants struct_variants $($rest)*);
    };
    (tuple_variants $($rest:ident)*) => {
        type SerializeTupleVariant = serde::ser::Impossible<(), Error>;
        fn serialize_tuple_variant(
            self,
            _: &'static str,
            _: u32,
            _: &'static str,
            _: usize,
        ) -> Result<Self::SerializeTupleVariant, Error> {
            Err(self.refuse("an enum"))
        }
        $crate::ser::refuse::refuse!($($rest)*);
    };
    (struct_variants $($rest:ident)*) => {
        type SerializeStructVariant = serde::ser::Impossible<(), Error>;
        fn serialize_struct_variant(
            self,
            _: &'static str,
            _: u32,
            _: &'static str,
            _: usize,
        ) -> Result<Self::SerializeStructVariant, Error> {
            Err(self.refuse("an enum with named fields"))
        }
        $crate::ser::refuse::refuse!($($rest)*);
    };
    (sequences $($rest:ident)*) => {
        type SerializeSeq = serde::ser::Impossible<(), Error>;
        type SerializeTuple = serde::ser::Impossible<(), Error>;
        type SerializeTupleStruct = serde::ser::Impossible<(), Error>;
        fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq, Error> {
            Err(self.refuse("a sequence"))
        }
        fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, Error> {
            Err(self.refuse("a tuple"))
        }
        fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeTupleStruct, Error> {
            Err(self.refuse("a tuple"))
        }
        $crate::ser::refuse::refuse!($($rest)*);
    };
    (maps $($rest:ident)*) => {
        type SerializeMap = serde::ser::Impossible<(), Error>;
        fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, Error> {
            Err(self.refuse("a map"))
        }
        $crate::ser::refuse::refuse!($($rest)*);
    };
    (structs $($rest:ident)*) => {
        type SerializeStruct = serde::ser::Impossible<(), Error>;
        fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeStruct, Error> {
            Err(self.refuse("a struct"))
        }
        $crate::ser::refuse::refuse!($($rest)*);
    };
    (@ $($method:ident($($argument:ty),*) $found:literal),*) => {
        $(fn $method(self, $(_: $argument),*) -> Result<(), Error> {
            Err(self.refuse($found))
        })*
    };
}

/// Maximum number of newtypes and `Some` around a value. Types written by hand have a few;
/// only a recursive type has more, and every recursion needs a limit.
const MAX_WRAPPERS: u8 = 64;

/// Adds a wrapper, within the limit.
pub(super) fn wrap(wrappers: u8) -> Result<u8, super::Error> {
    if wrappers == MAX_WRAPPERS {
        return Err(super::Error::new(format!("newtypes are nested deeper than the limit of {MAX_WRAPPERS}")));
    }
    Ok(wrappers + 1)
}

pub(super) use refuse;
