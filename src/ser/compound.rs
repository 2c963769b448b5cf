//! Sequences and maps, for which serde has several traits that differ mainly in method names.

use serde::ser::{Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeTuple, SerializeTupleStruct};

use super::Error;
use super::name::Name;

/// A receiver of the elements of a sequence.
pub trait AddElement {
    fn add<T: Serialize + ?Sized>(&mut self, element: &T) -> Result<(), Error>;

    fn finish(self) -> Result<(), Error>;
}

/// A sequence, a tuple or a tuple struct.
pub struct Elements<A>(pub(super) A);

macro_rules! impl_elements {
    ($($trait:ident $method:ident)+) => { $(
        impl<A: AddElement> $trait for Elements<A> {
            type Ok = ();
            type Error = Error;

            fn $method<T: Serialize + ?Sized>(&mut self, element: &T) -> Result<(), Error> {
                self.0.add(element)
            }

            fn end(self) -> Result<(), Error> {
                self.0.finish()
            }
        }
    )+ };
}

impl_elements! { SerializeSeq serialize_element SerializeTuple serialize_element SerializeTupleStruct serialize_field }

/// A receiver of the entries of a map, or the fields of a struct.
pub trait AddEntry: Sized {
    /// Takes a key of a map, and returns it as the name of a property.
    fn key<K: Serialize + ?Sized>(&mut self, key: &K) -> Result<String, Error> {
        key.serialize(Name)
    }

    /// Takes the value of a map's entry, with the key that was returned.
    fn value<T: Serialize + ?Sized>(&mut self, key: &str, value: &T) -> Result<(), Error> {
        self.field(key, value)
    }

    fn field<T: Serialize + ?Sized>(&mut self, key: &str, value: &T) -> Result<(), Error>;

    /// Records that a field is absent.
    fn skip(&mut self, key: &str) -> Result<(), Error>;

    fn finish(self) -> Result<(), Error> {
        Ok(())
    }
}

/// A map or a struct.
pub struct Keyed<A> {
    to: A,
    /// The key of a map entry, until its value arrives.
    key: String,
}

impl<A> Keyed<A> {
    pub(super) fn new(to: A) -> Self {
        Keyed { to, key: String::new() }
    }
}

impl<A: AddEntry> SerializeStruct for Keyed<A> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Error> {
        self.to.field(key, value)
    }

    fn skip_field(&mut self, key: &'static str) -> Result<(), Error> {
        self.to.skip(key)
    }

    fn end(self) -> Result<(), Error> {
        self.to.finish()
    }
}

impl<A: AddEntry> SerializeMap for Keyed<A> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<K: Serialize + ?Sized>(&mut self, key: &K) -> Result<(), Error> {
        self.key = self.to.key(key)?;
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.to.value(&self.key, value)
    }

    fn end(self) -> Result<(), Error> {
        self.to.finish()
    }
}
