//! Values that count as absent: those that are blank though their type has no blank form, and, by option, all
//! that do not fit.
//!
//! serde has no word for that once a key has been given out: the field has to become a value, or the whole
//! struct fails. But a type can be asked twice. First the field alone is asked what it is when nothing is there
//! ([`Absent`]), which settles every `Option`. Where that is no answer, the property is [withheld](Withheld), and
//! whoever holds the node that it stands in asks for the node again, with all properties but this one: so
//! `#[serde(default)]` does what it does for a property that is missing. A node is read at most once more for
//! each field that its type names, since a property is withheld only once.
//!
//! Only types can be asked twice, not seeds. So accesses have both methods, `next_value` and `next_value_seed`,
//! and what they share takes an [`Ask`].

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

/// A seed that may be there for another try.
pub(super) trait Ask<'de>: DeserializeSeed<'de> {
    /// The seed again, if it can be used twice.
    fn again(&self) -> Option<Self>;
}

/// A type.
impl<'de, T: Deserialize<'de>> Ask<'de> for PhantomData<T> {
    #[inline]
    fn again(&self) -> Option<Self> {
        Some(PhantomData)
    }
}

/// A seed of the caller's, good for one try.
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

/// No value at all: `None` to an `Option`, and an error to everything else.
struct Absent;

impl<'de> Deserializer<'de> for Absent {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        Err(Error::invalid_type(Unexpected::Unit, &visitor))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_none()
    }

    /// Of an option, as a rule.
    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// The properties of open nodes that are not given out, with what was wrong with them.
#[derive(Debug, Default)]
pub(super) struct Withheld {
    /// Each with its offset.
    properties: Vec<(u64, Error)>,
    /// The last of them has been added, and its node has not been asked for again.
    is_fresh: bool,
    /// Of a node that is read again, what stands up to this offset has been reported.
    reported: Option<u64>,
}

/// How many properties are withheld at once. The fields of a type are no more; entries of a map are left out
/// one by one.
const MOST: usize = 256;

impl Withheld {
    pub(super) fn is_empty(&self) -> bool {
        self.properties.is_empty()
    }

    pub(super) fn has(&self, offset: u64) -> bool {
        self.properties.iter().any(|property| property.0 == offset)
    }

    /// Whether what stands at this offset has been read before.
    pub(super) fn has_reported(&self, offset: u64) -> bool {
        self.reported.is_some_and(|reported| offset <= reported)
    }

    /// What was wrong with a property that is withheld.
    pub(super) fn error_of(&self, offset: u64) -> Option<Error> {
        self.properties.iter().find(|property| property.0 == offset).map(|property| property.1.clone())
    }
}

impl Env {
    /// A game begins.
    pub(super) fn withhold_nothing(&self) {
        *self.withheld.borrow_mut() = Withheld::default();
    }

    /// A value does not fit. If it is to count as absent, an `Option` is `None`; for other types the property is
    /// withheld, and the error goes to whoever can ask for the node again.
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

    /// Withholds a property that does not fit from now on, if it is to count as absent. Gives the error back.
    #[cold]
    #[inline(never)]
    pub(super) fn withhold(&self, property: PropertyRef<'_>, error: Error) -> Error {
        if self.is_lenient || is_all_blank(property) {
            self.report_misfit(property, &error);
            let mut withheld = self.withheld.borrow_mut();
            if withheld.properties.len() < MOST {
                withheld.properties.push((property.offset(), error.clone()));
                withheld.is_fresh = true;
            }
        }
        error
    }

    /// Tells whoever listens of a field that is left out, unless nothing was in it.
    fn report_misfit(&self, property: PropertyRef<'_>, error: &Error) {
        let at = property.offset();
        if !is_all_blank(property) && !self.withheld.borrow().has_reported(at) {
            self.report_at(Code::InvalidField, error.offset().unwrap_or(at));
        }
    }

    /// Whether the last error is of a property that has been withheld since.
    pub(super) fn is_fresh(&self) -> bool {
        self.withheld.borrow().is_fresh
    }

    /// An entry of a map is left out: it need not be withheld.
    pub(super) fn leaves_out(&self) -> bool {
        let mut withheld = self.withheld.borrow_mut();
        if withheld.is_fresh {
            withheld.properties.pop();
        }
        std::mem::take(&mut withheld.is_fresh)
    }

    /// Asks again as long as another property has been withheld, if the seed is there for that.
    #[cold]
    #[inline(never)]
    pub(super) fn ask_again<'de, A: Ask<'de>>(
        &self,
        mut again: Option<A>,
        mut error: Error,
        mut ask: impl FnMut(A) -> Result<A::Value>,
    ) -> Result<A::Value> {
        if again.is_none() || !self.is_fresh() {
            return Err(error); // those around it may be able to ask
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

    /// A property of a node has been withheld, and the node will be asked for again. Answers how many properties
    /// were withheld before that.
    pub(super) fn start_asking(&self) -> usize {
        self.withheld.borrow().properties.len().saturating_sub(1)
    }

    /// Sets out to read a node again, without the property that was withheld last.
    pub(super) fn start_again(&self) {
        let mut withheld = self.withheld.borrow_mut();
        withheld.is_fresh = false;
        withheld.reported = withheld.properties.last().map(|last| last.0).max(withheld.reported);
    }

    /// The node is done with.
    pub(super) fn end_asking(&self, before: usize) {
        let mut withheld = self.withheld.borrow_mut();
        withheld.properties.truncate(before);
        (withheld.is_fresh, withheld.reported) = (false, None);
    }

    /// What is wrong with a node, given what came of the last try, and how many properties were withheld before
    /// it: one that is missing now may be one of its own that is withheld.
    pub(super) fn cause(&self, error: Error, before: usize) -> Error {
        let Some(missing) = error.missing() else { return error };
        let withheld = self.withheld.borrow();
        // A field that is not called like a property is read by an alias, and nobody knows which.
        let is_alias = !missing.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
        let mut own = withheld.properties[before..].iter().map(|property| &property.1);
        own.find(|error| is_alias || error.property() == Some(missing)).cloned().unwrap_or(error)
    }
}

/// A node as a type; again, if a property of it has to be withheld.
#[inline]
pub(super) fn ask_node<'r, 'de: 'r, A: Ask<'de>>(seed: A, node: Node<'r, 'de>) -> Result<A::Value> {
    let again = seed.again();
    match seed.deserialize(node) {
        Ok(value) => Ok(value),
        Err(error) => node.env().ask_again(again, error, |seed| seed.deserialize(node)),
    }
}

/// One value of several, or a part of one; `None` to an `Option` that a blank one does not fit.
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

/// Whether a property says nothing.
fn is_all_blank(property: PropertyRef<'_>) -> bool {
    property.values().all(is_blank)
}

fn is_blank(value: RawValue<'_>) -> bool {
    trim(value.as_bytes()).0.is_empty()
}
