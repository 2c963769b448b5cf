//! AP: applications.

use std::fmt;

use crate::value::compose::split;
use crate::value::typed::sgf_value;
use crate::value::{SimpleText, ValueError};

/// *Application*: the program that wrote the file, the value of `AP`.
///
/// ```text
/// application = SimpleText ":" SimpleText         (FF[4], "AP": name ":" version)
/// ```
///
/// Many programs omit the version: lenient parsing accepts a value without a colon as a name with an empty version.
///
/// ```
/// use sgf_stream::value::Application;
///
/// let application = Application::parse("CGoban:3")?;
/// assert_eq!((application.name(), application.version()), ("CGoban", "3"));
/// assert!(Application::parse("foxwq").is_err());
/// assert_eq!(Application::parse_lenient("foxwq")?, Application::new("foxwq", ""));
/// # Ok::<(), sgf_stream::value::ValueError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Application {
    name: SimpleText,
    version: SimpleText,
}

impl Application {
    const KIND: &'static str = "application";

    /// Creates an application.
    pub fn new(name: impl Into<SimpleText>, version: impl Into<SimpleText>) -> Self {
        Application { name: name.into(), version: version.into() }
    }

    /// Returns the name of the program, without its version.
    pub fn name(&self) -> &str {
        self.name.as_str()
    }

    /// Returns the version; empty if missing.
    pub fn version(&self) -> &str {
        self.version.as_str()
    }

    /// Parses a value strictly.
    ///
    /// # Errors
    ///
    /// Fails if the colon is missing, or the value is not UTF-8.
    pub fn parse(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        let (name, version, at) = split(raw.as_ref(), Self::KIND)?;
        Ok(Application {
            name: SimpleText::parse(name).map_err(|error| error.of(Self::KIND))?,
            version: SimpleText::parse(version).map_err(|error| error.shifted(at).of(Self::KIND))?,
        })
    }

    /// Parses a value with or without a version, replacing invalid UTF-8 with U+FFFD.
    ///
    /// It never fails: every text is the name of an application.
    pub fn parse_lenient(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        let raw = raw.as_ref();
        let (name, version) = match split(raw, Self::KIND) {
            Ok((name, version, _)) => (name.as_bytes(), version.as_bytes()),
            Err(_) => (raw, &b""[..]),
        };
        Ok(Application { name: SimpleText::parse_lenient(name)?, version: SimpleText::parse_lenient(version)? })
    }
}

sgf_value!(Application, "application");

impl fmt::Display for Application {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#}:{:#}", self.name, self.version)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::laws::parsing_laws;
    use quickcheck::{Arbitrary, Gen, quickcheck};

    impl Arbitrary for Application {
        fn arbitrary(g: &mut Gen) -> Self {
            Application::new(SimpleText::arbitrary(g), SimpleText::arbitrary(g))
        }
    }

    #[test]
    fn errors_name_the_place_and_what_was_expected() {
        for (raw, expected, at) in
            [(&b""[..], "a colon", 0), (br"a\:b", "a colon", 4), (b"\xFF:1", "UTF-8", 0), (b"ab:1\xFF", "UTF-8", 4)]
        {
            let error = Application::parse(raw).unwrap_err();
            assert_eq!((error.kind(), error.expected(), error.at()), ("application", expected, at), "{raw:?}");
        }
    }

    #[test]
    fn the_first_unescaped_colon_separates_name_and_version() {
        for (raw, name, version) in [
            ("GoGui:1.1pre1.SVN5310:5321M", "GoGui", "1.1pre1.SVN5310:5321M"),
            (r"a\:b:\]", "a:b", "]"),
            ("Many Faces of Go version 12.001", "Many Faces of Go version 12.001", ""),
            ("", "", ""),
        ] {
            assert_eq!(Application::parse_lenient(raw), Ok(Application::new(name, version)), "{raw:?}");
        }
    }

    quickcheck! {
        fn an_application_round_trips(application: Application) -> bool {
            Application::parse(application.to_string()) == Ok(application)
        }
    }

    parsing_laws!(Application, ["CGoban:3", "foxwq", r"a\:b:c\]"]);
}
