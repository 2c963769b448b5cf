//! Values that count as absent: blank values whose type has no blank form, and, by option, all values
//! that do not fit.
//!
//! serde cannot express that once a key has been returned: the field must become a value, or the whole
//! struct fails. But a type can be deserialized twice. First only the field is deserialized from
//! [`Absent`], which settles every `Option`. If that fails, the property is [withheld](super::withheld), and
//! the caller that holds its node deserializes the node again, with all properties but this one: so
//! `#[serde(default)]` works as for a missing property. A node is read at most once more for
//! each field that its type names, since a property is withheld only once.

use super::ask::{Absent, Ask};
use super::error::{Error, Result};
use super::texts::Env;
use crate::RawValue;
use crate::node::PropertyRef;
use crate::value::typed::trim;

impl Env {
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
            self.withheld.borrow_mut().add(property.offset(), error.clone());
        }
        error
    }

    /// Reports a field that is left out, unless it was blank.
    fn report_misfit(&self, property: PropertyRef<'_>, error: &Error) {
        let at = property.offset();
        if !is_all_blank(property) && !self.withheld.borrow().has_reported(at) {
            self.report_invalid_field(property.ident(), at, error);
        }
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
        let is_fresh = || self.withheld.borrow().is_fresh();
        if again.is_none() || !is_fresh() {
            return Err(error); // an outer caller may be able to retry
        }
        let before = self.withheld.borrow().start_asking();
        let answer = loop {
            let Some(seed) = again.take().filter(|_| is_fresh()) else {
                break Err(self.withheld.borrow().cause(error, before));
            };
            again = seed.again();
            self.withheld.borrow_mut().start_again();
            match ask(seed) {
                Err(other) => error = other,
                value => break value,
            }
        };
        self.withheld.borrow_mut().end_asking(before);
        answer
    }
}

/// Returns whether all values of a property are blank.
fn is_all_blank(property: PropertyRef<'_>) -> bool {
    property.values().all(is_blank)
}

/// Returns whether a value is white space or nothing.
pub(super) fn is_blank(value: RawValue<'_>) -> bool {
    trim(value.as_bytes()).0.is_empty()
}
