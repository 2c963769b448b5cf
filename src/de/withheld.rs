//! The properties of open nodes that are [withheld](super::again).

use super::error::Error;

/// The properties that are withheld, with their errors.
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
const MAX: usize = 256;

impl Withheld {
    pub(super) fn is_empty(&self) -> bool {
        self.properties.is_empty()
    }

    pub(super) fn has(&self, offset: u64) -> bool {
        self.properties.iter().any(|property| property.0 == offset)
    }

    /// Returns whether the last error led to a new withheld property.
    pub(super) fn is_fresh(&self) -> bool {
        self.is_fresh
    }

    /// Returns whether findings at this offset have been reported.
    pub(super) fn has_reported(&self, offset: u64) -> bool {
        self.reported.is_some_and(|reported| offset <= reported)
    }

    /// Returns the error of a withheld property.
    pub(super) fn error_of(&self, offset: u64) -> Option<Error> {
        self.properties.iter().find(|property| property.0 == offset).map(|property| property.1.clone())
    }

    /// Withholds a property.
    pub(super) fn add(&mut self, offset: u64, error: Error) {
        if self.properties.len() < MAX {
            self.properties.push((offset, error));
            self.is_fresh = true;
        }
    }

    /// Returns whether a map may leave out the failed entry, which then need not be withheld.
    pub(super) fn leaves_out(&mut self) -> bool {
        if self.is_fresh {
            self.properties.pop();
        }
        std::mem::take(&mut self.is_fresh)
    }

    /// Prepares to read a node again after a property was withheld. Returns how many properties
    /// were withheld before that one.
    pub(super) fn start_asking(&self) -> usize {
        self.properties.len().saturating_sub(1)
    }

    /// Starts another reading of a node, without the property that was withheld last.
    pub(super) fn start_again(&mut self) {
        self.is_fresh = false;
        self.reported = self.properties.last().map(|last| last.0).max(self.reported);
    }

    /// Ends the readings of a node.
    pub(super) fn end_asking(&mut self, before: usize) {
        self.properties.truncate(before);
        (self.is_fresh, self.reported) = (false, None);
    }

    /// Returns the cause of a node's error, given the last error and how many properties were withheld before
    /// the node: a property that is missing now may be one that was withheld.
    pub(super) fn cause(&self, error: Error, before: usize) -> Error {
        let Some(missing) = error.missing() else { return error };
        // A field whose name is not that of a property is read by an alias, which is unknown here.
        let is_alias = !missing.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
        let mut own = self.properties[before..].iter().map(|property| &property.1);
        own.find(|error| is_alias || error.property() == Some(missing)).cloned().unwrap_or(error)
    }
}
