//! Values that count as absent: blank values whose type has no blank form, and, by option, all values
//! that do not fit.
//!
//! serde cannot express that once a key has been returned: the field must become a value, or the whole
//! struct fails. But a type can be deserialized twice. First only the field is deserialized from
//! [`Absent`], which settles every `Option`. If that fails, the property is [withheld](Withheld), and
//! the caller that holds its node deserializes the node again, with all properties but this one: so
//! `#[serde(default)]` works as for a missing property. A node is read at most once more for
//! each field that its type names, since a property is withheld only once.
//!
//! Only types can be deserialized twice, not seeds. So accesses implement both `next_value` and `next_value_seed`,
//! and their shared code takes an [`Ask`].

use std::marker::PhantomData;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error as _, Unexpected, Visitor};
use serde::forward_to_deserialize_any;

use super::error::{Error, Result};
use super::node::Node;
use super::texts::Env;
use crate::RawValue;
use crate::node::PropertyRef;
use crate::syntax::diagnostic::Code;
use crate::value::typed::trim;

/// A seed that may allow a second try.
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

/// A seed of the caller, good for one try.
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

/// No value at all: `None` for an `Option`, an error for every other type.
struct Absent;

impl<'de> Deserializer<'de> for Absent {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        Err(Error::invalid_type(Unexpected::Unit, &visitor))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_none()
    }

    /// Such a newtype usually wraps an option.
    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// The properties of open nodes that are withheld, with their errors.
#[derive(Debug, Default)]
pub(super) struct Withheld {
    /// Offset and error of each.
    properties: Vec<(u64, Error)>,
    /// Whether the last of them is new, and its node has not been read again yet.
    is_fresh: bool,
    /// Findings of a node that is read again have been reported up to this offset.
    reported: Option<u64>,
}

/// Maximum number of properties withheld at once. The fields of a type are not more; entries of a map are left
/// out one by one.
const MAX_WITHHELD: usize = 256;

impl Withheld {
    pub(super) fn is_empty(&self) -> bool {
        self.properties.is_empty()
    }

    pub(super) fn has(&self, offset: u64) -> bool {
        self.properties.iter().any(|property| property.0 == offset)
    }

    /// Returns whether findings at this offset have been reported.
    pub(super) fn has_reported(&self, offset: u64) -> bool {
        self.reported.is_some_and(|reported| offset <= reported)
    }

    /// Returns the error of a withheld property.
    pub(super) fn error_of(&self, offset: u64) -> Option<Error> {
        self.properties.iter().find(|property| property.0 == offset).map(|property| property.1.clone())
    }
}

impl Env {
    /// Resets the withheld properties at the start of a game.
    pub(super) fn withhold_nothing(&self) {
        *self.withheld.borrow_mut() = Withheld::default();
    }

    /// Handles a value that does not fit. If it counts as absent, an `Option` becomes `None`; for other types the
    /// property is withheld, and the error goes to the caller that can read the node again.
    #[cold]
    #[inline(never)]
    pub(super) fn excuse<'de, A: Ask<'de>>(
        &self,
        again: Option<A>,
        property: PropertyRef<'_>,
        error: Error,
    ) -> Result<A::Value> {
        if !(self.is_lenient || is_all_blank(property)) {
            return Err(error);
        }
        match again.and_then(|seed| seed.deserialize(Absent).ok()) {
            Some(value) => {
                self.report_misfit(property, &error);
                Ok(value)
            }
            None => Err(self.withhold(property, error)),
        }
    }

    /// Withholds a property that does not fit, if it counts as absent. Returns the error.
    #[cold]
    #[inline(never)]
    pub(super) fn withhold(&self, property: PropertyRef<'_>, error: Error) -> Error {
        if self.is_lenient || is_all_blank(property) {
            self.report_misfit(property, &error);
            let mut withheld = self.withheld.borrow_mut();
            if withheld.properties.len() < MAX_WITHHELD {
                withheld.properties.push((property.offset(), error.clone()));
                withheld.is_fresh = true;
            }
        }
        error
    }

    /// Reports a field that is left out, unless it was blank.
    fn report_misfit(&self, property: PropertyRef<'_>, error: &Error) {
        let at = property.offset();
        if !is_all_blank(property) && !self.withheld.borrow().has_reported(at) {
            self.report_at(Code::InvalidField, error.offset().unwrap_or(at));
        }
    }

    /// Returns whether the last error led to a new withheld property.
    pub(super) fn is_fresh(&self) -> bool {
        self.withheld.borrow().is_fresh
    }

    /// Returns whether a map may leave out the failed entry, which then need not be withheld.
    pub(super) fn leaves_out(&self) -> bool {
        let mut withheld = self.withheld.borrow_mut();
        if withheld.is_fresh {
            withheld.properties.pop();
        }
        std::mem::take(&mut withheld.is_fresh)
    }

    /// Deserializes again as long as another property is withheld, if the seed allows it.
    #[cold]
    #[inline(never)]
    pub(super) fn ask_again<'de, A: Ask<'de>>(
        &self,
        mut again: Option<A>,
        mut error: Error,
        mut ask: impl FnMut(A) -> Result<A::Value>,
    ) -> Result<A::Value> {
        if again.is_none() || !self.is_fresh() {
            return Err(error); // an outer caller may be able to retry
        }
        let before = self.start_asking();
        let answer = loop {
            let Some(seed) = again.take().filter(|_| self.is_fresh()) else {
                break Err(self.cause(error, before));
            };
            again = seed.again();
            self.start_again();
            match ask(seed) {
                Err(other) => error = other,
                value => break value,
            }
        };
        self.end_asking(before);
        answer
    }

    /// Prepares to read a node again after a property was withheld. Returns how many properties
    /// were withheld before that one.
    pub(super) fn start_asking(&self) -> usize {
        self.withheld.borrow().properties.len().saturating_sub(1)
    }

    /// Starts another reading of a node, without the property that was withheld last.
    pub(super) fn start_again(&self) {
        let mut withheld = self.withheld.borrow_mut();
        withheld.is_fresh = false;
        withheld.reported = withheld.properties.last().map(|last| last.0).max(withheld.reported);
    }

    /// Ends the readings of a node.
    pub(super) fn end_asking(&self, before: usize) {
        let mut withheld = self.withheld.borrow_mut();
        withheld.properties.truncate(before);
        (withheld.is_fresh, withheld.reported) = (false, None);
    }

    /// Returns the cause of a node's error, given the last error and how many properties were withheld before
    /// the node: a property that is missing now may be one that was withheld.
    pub(super) fn cause(&self, error: Error, before: usize) -> Error {
        let Some(missing) = error.missing() else { return error };
        let withheld = self.withheld.borrow();
        // A field whose name is not that of a property is read by an alias, which is unknown here.
        let is_alias = !missing.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
        let mut own = withheld.properties[before..].iter().map(|property| &property.1);
        own.find(|error| is_alias || error.property() == Some(missing)).cloned().unwrap_or(error)
    }
}

/// Deserializes a node, and again if one of its properties must be withheld.
#[inline]
pub(super) fn ask_node<'r, 'de: 'r, A: Ask<'de>>(seed: A, node: Node<'r, 'de>) -> Result<A::Value> {
    let again = seed.again();
    match seed.deserialize(node) {
        Ok(value) => Ok(value),
        Err(error) => node.env().ask_again(again, error, |seed| seed.deserialize(node)),
    }
}

/// Deserializes one of several values, or a part of one; a blank one that does not fit an `Option` is `None`.
#[inline]
pub(super) fn ask_value<'r, 'de: 'r, A: Ask<'de>>(seed: A, value: super::value::Value<'r, 'de>) -> Result<A::Value> {
    let again = seed.again();
    match seed.deserialize(value) {
        Err(error) if is_blank(RawValue::new(value.raw.get())) => {
            again.and_then(|seed| seed.deserialize(Absent).ok()).ok_or(error)
        }
        other => other,
    }
}

/// Returns whether all values of a property are blank.
fn is_all_blank(property: PropertyRef<'_>) -> bool {
    property.values().all(is_blank)
}

fn is_blank(value: RawValue<'_>) -> bool {
    trim(value.as_bytes()).0.is_empty()
}
