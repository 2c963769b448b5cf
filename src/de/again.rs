//! Handling of values that do not fit but count as absent.
//!
//! Blank values count as absent if their type has no blank form. So do values that do not fit, in the properties that
//! [`Lenience`] covers.
//!
//! A field with an absent value is treated like a field with a missing property. serde cannot express that once a key
//! has been returned: the field must become a value, or the whole struct fails. Two steps are therefore needed:
//!
//! 1. The field is deserialized again, from [`Absent`]. This handles every `Option`, including those of seeds.
//! 2. Otherwise the error is marked with the offset of the property. The holder of the node ([`Again`]) deserializes
//!    it again without the marked properties, until the type succeeds or the error has no mark. Thus
//!    `#[serde(default)]` works as for a missing property, and an enum takes the next variant. A map omits the entry
//!    whose error has a mark. A node is read at most once more for each field that its type names.
//!
//! A node has three possible holders: the node itself, the tree whose root it is (until another node of the stream is
//! read), and a [`Deserializer`](super::Deserializer) that reads such a tree.
//!
//! Alternatives that were considered:
//!
//! * Decide before the key is returned whether the value fits. The type of the field is not known then. The registry
//!   knows the usual type, but `#[serde(default)] handicap: u8` with `HA[two]` would be an error.
//! * Step 1 alone: a field with a default that is not an `Option` would fail its game.
//! * Step 2 alone: seeds cannot be used twice, and a map of `Option`s would lose its keys.
//! * Read the whole game again in one place: a stream would have to keep its games in memory, and a game with a wrong
//!   value in each node would take quadratic time.
//! * Keep the properties to omit in the state of the stream, not in the error. A type may discard an error and
//!   continue; the mark must disappear with it.

use std::marker::PhantomData;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error as _, Unexpected, Visitor};
use serde::forward_to_deserialize_any;

use super::error::{Error, Result};
use super::texts::{Env, Lenience};
use crate::node::PropertyRef;
use crate::property::{self, Context, PropertyType};
use crate::raw::RawValue;
use crate::syntax::event::Ident;
use crate::value::typed::trim;

/// A seed that may allow a second try. Only types can be deserialized twice, not seeds. Accesses therefore implement
/// both `next_value` and `next_value_seed`, and their shared code takes an `Ask`.
pub(super) trait Ask<'de>: DeserializeSeed<'de> {
    /// Returns the seed for another try, if it can be used twice.
    fn again(&self) -> Option<Self>;
}

/// A type, which can be deserialized any number of times.
impl<'de, T: Deserialize<'de>> Ask<'de> for PhantomData<T> {
    #[inline]
    fn again(&self) -> Option<Self> {
        Some(PhantomData)
    }
}

/// A seed of the caller, which can be used once.
pub(super) struct Once<S>(pub(super) S);

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Once<S> {
    type Value = S::Value;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<S::Value, D::Error> {
        self.0.deserialize(deserializer)
    }
}

impl<'de, S: DeserializeSeed<'de>> Ask<'de> for Once<S> {
    #[inline]
    fn again(&self) -> Option<Self> {
        None
    }
}

/// A deserializer of no value: `None` for an `Option`, an error for every other type.
struct Absent;

impl<'de> Deserializer<'de> for Absent {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        Err(Error::invalid_type(Unexpected::Unit, &visitor))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_none()
    }

    /// Visits the content, since such a newtype usually wraps an `Option`.
    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// Returns `None` if the type is an `Option`, or else the error.
#[cold]
pub(super) fn none_or<'de, A: Ask<'de>>(again: Option<A>, error: Error) -> Result<A::Value> {
    again.and_then(|seed| seed.deserialize(Absent).ok()).ok_or(error)
}

/// Returns whether a property describes the file or the game: by its row for this game, or else for any game.
fn is_of_header(ident: Ident<'_>, context: &Context) -> bool {
    let row = property::lookup(ident, context).or_else(|| property::find(&ident.name()).next());
    row.is_some_and(|row| matches!(row.property_type(), PropertyType::Root | PropertyType::GameInfo))
}

/// Handles a node without a move: `None` for an `Option`. No outer node is meant.
#[cold]
fn no_move<'de, A: Ask<'de>>(again: Option<A>, error: Error) -> Result<A::Value> {
    none_or(again, error).map_err(Error::without_mark)
}

impl Env {
    /// Returns whether a value that does not fit counts as absent.
    fn is_lenient_in(&self, property: PropertyRef<'_>) -> bool {
        let Lenience { fields, header } = self.lenience;
        fields || header && is_of_header(property.ident(), self.context_of(property))
    }

    /// Marks the error of a property that counts as absent, and reports it, unless the property is blank.
    #[cold]
    #[inline(never)]
    pub(super) fn judge(&self, property: PropertyRef<'_>, error: Error) -> Error {
        let is_blank = property.values().all(is_blank);
        let (at, is_lenient) = (property.offset(), self.is_lenient_in(property));
        if !is_blank && is_lenient && !self.was_read(at) {
            self.report_invalid_field(property.ident(), at, &error);
        }
        if is_blank || is_lenient { error.mark_absent(at) } else { error }
    }

    /// Handles a value that does not fit.
    #[cold]
    #[inline(never)]
    pub(super) fn excuse<'de, A: Ask<'de>>(
        &self,
        again: Option<A>,
        property: PropertyRef<'_>,
        error: Error,
    ) -> Result<A::Value> {
        let error = self.judge(property, error);
        if error.absent().is_some() { none_or(again, error) } else { Err(error) }
    }
}

/// Returns whether a value is empty or white space.
pub(super) fn is_blank(value: RawValue<'_>) -> bool {
    trim(value.as_bytes()).0.is_empty()
}

/// Maximum number of properties of a node that are omitted. Types have fewer fields; a map omits its entries one by
/// one.
const MAX: usize = 256;

/// A holder of a node, which can deserialize it again.
pub(super) trait Again<'de>: Sized {
    fn env(&self) -> &Env;

    /// Returns to the first property of the node; false if another node has been read since.
    fn go_back(&mut self) -> bool;

    fn give<A: Ask<'de>>(&mut self, seed: A) -> Result<A::Value>;

    /// Deserializes the node, again and again while a property must be omitted.
    #[inline(always)]
    fn ask<A: Ask<'de>>(mut self, seed: A) -> Result<A::Value> {
        let again = seed.again();
        match self.give(seed) {
            Ok(value) => Ok(value),
            Err(error) => self.ask_again(again, error),
        }
    }

    #[cold]
    #[inline(never)]
    fn ask_again<A: Ask<'de>>(mut self, mut again: Option<A>, mut error: Error) -> Result<A::Value> {
        if again.is_none() || error.absent().is_none() {
            if error.is_moveless() {
                return no_move(again, error);
            }
            return Err(error); // with its mark: an outer caller may be able to ask again
        }
        let before = self.env().withheld.borrow().len();
        let most = before + MAX;
        let answer = loop {
            if error.is_moveless() {
                break no_move(again, error);
            }
            let may_ask = error.absent().is_some() && self.env().withheld.borrow().len() < most && self.go_back();
            let Some(seed) = again.take().filter(|_| may_ask) else {
                break Err(cause(error, &self.env().withheld.borrow()[before..]));
            };
            again = seed.again();
            self.env().withheld.borrow_mut().push(error);
            match self.give(seed) {
                Err(other) => error = other,
                value => break value,
            }
        };
        self.env().withheld.borrow_mut().truncate(before);
        answer
    }
}

/// Returns the cause of a node's error, given the errors of the omitted properties. One of these may be missing now.
fn cause(error: Error, withheld: &[Error]) -> Error {
    let cause = error.missing().and_then(|missing| {
        // A field whose name is not that of a property has an alias, which is unknown here.
        let is_alias = !missing.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
        withheld.iter().find(|error| is_alias || error.property() == Some(missing))
    });
    cause.cloned().unwrap_or(error).without_mark()
}
