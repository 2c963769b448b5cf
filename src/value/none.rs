//! The value type None.

use std::fmt;

use super::ValueError;
use super::typed::{sgf_value, trim};

/// *None*: the empty value, for properties that only need to be present (`KO`, `DO`, `IT`).
///
/// ```text
/// None = ""                                       (FF[4], "Property Value Types")
/// ```
///
/// Lenient parsing accepts white space, and the `1` of programs that treat the property as a Double.
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

    /// Parses a value strictly.
    ///
    /// # Errors
    ///
    /// Fails if the value is not empty.
    pub fn parse(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        match raw.as_ref() {
            b"" => Ok(NoValue),
            _ => Err(ValueError::new(Self::KIND, "the end of the value", 0)),
        }
    }

    /// Parses an empty value, white space, or `1`.
    ///
    /// # Errors
    ///
    /// Fails if the value is anything else.
    pub fn parse_lenient(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        match trim(raw.as_ref()) {
            (b"1", _) => Ok(NoValue),
            (trimmed, front) => Self::parse(trimmed).map_err(|error| error.shifted(front)),
        }
    }
}

sgf_value!(NoValue, "None");

/// Prints nothing.
impl fmt::Display for NoValue {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_none_value_is_empty() {
        for raw in [" ", "1", "\n1 "] {
            assert_eq!(NoValue::parse(raw).unwrap_err().at(), 0, "{raw:?}");
            assert_eq!(NoValue::parse_lenient(raw), Ok(NoValue), "{raw:?}");
        }
        assert_eq!(NoValue::parse_lenient(" 7.5").unwrap_err().at(), 1);
        assert_eq!(NoValue.to_string(), "");
    }
}
