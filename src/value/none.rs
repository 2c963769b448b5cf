//! The type None.

use std::fmt;

use super::ValueError;
use super::typed::{sgf_value, trim};

/// *None*: the value of a property that says all by being there (`KO`, `DO`, `IT`).
///
/// ```text
/// None = ""                                       (FF[4], "Property Value Types")
/// ```
///
/// Lenient reading takes white space, and the `1` of programs that take the property for a Double.
///
/// ```
/// use sgf_stream::value::NoValue;
///
/// assert_eq!(NoValue::parse("")?, NoValue);
/// assert!(NoValue::parse(" ").is_err());
/// assert_eq!(NoValue::parse_lenient("\n1")?, NoValue);
/// # Ok::<(), sgf_stream::value::ValueError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct NoValue;

impl NoValue {
    const KIND: &'static str = "None";

    /// Reads a value by the letter of the specification.
    ///
    /// # Errors
    ///
    /// If it is not empty.
    pub fn parse(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        match raw.as_ref() {
            b"" => Ok(NoValue),
            _ => Err(ValueError::new(Self::KIND, "the end of the value", 0)),
        }
    }

    /// Reads a blank value, or `1`.
    ///
    /// # Errors
    ///
    /// If it is anything else.
    pub fn parse_lenient(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        match trim(raw.as_ref()) {
            (b"1", _) => Ok(NoValue),
            (trimmed, front) => Self::parse(trimmed).map_err(|error| error.shifted(front)),
        }
    }
}

sgf_value!(NoValue, "None");

/// Nothing.
impl fmt::Display for NoValue {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_type_none_is_empty() {
        for raw in [" ", "1", "\n1 "] {
            assert_eq!(NoValue::parse(raw).unwrap_err().at(), 0, "{raw:?}");
            assert_eq!(NoValue::parse_lenient(raw), Ok(NoValue), "{raw:?}");
        }
        assert_eq!(NoValue::parse_lenient(" 7.5").unwrap_err().at(), 1);
        assert_eq!(NoValue.to_string(), "");
    }
}
