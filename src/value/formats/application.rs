//! Applications: the format of AP.

use std::fmt;

use crate::value::compose::split;
use crate::value::typed::sgf_value;
use crate::value::{SimpleText, ValueError};

/// An *application*: the value of AP, the program that wrote the file.
///
/// ```text
/// application = SimpleText ":" SimpleText         (FF[4], "AP": name ":" version)
/// ```
///
/// Many programs leave the version out: lenient reading takes a value without a colon as a name
/// with an empty version.
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
    /// The name, the same for all versions.
    pub name: SimpleText,
    /// The version.
    pub version: SimpleText,
}

impl Application {
    const KIND: &'static str = "application";

    /// An application.
    pub fn new(name: impl Into<SimpleText>, version: impl Into<SimpleText>) -> Self {
        Application { name: name.into(), version: version.into() }
    }

    /// The name, the same for all versions.
    pub fn name(&self) -> &str {
        self.name.as_str()
    }

    /// The version; empty, if there is none.
    pub fn version(&self) -> &str {
        self.version.as_str()
    }

    /// Reads a value by the letter of the specification.
    ///
    /// # Errors
    ///
    /// If there is no colon, or it is not UTF-8.
    pub fn parse(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        let (name, version, at) = split(raw.as_ref(), Self::KIND)?;
        Ok(Application {
            name: SimpleText::parse(name).map_err(|error| error.of(Self::KIND))?,
            version: SimpleText::parse(version).map_err(|error| error.shifted(at).of(Self::KIND))?,
        })
    }

    /// Reads a value with or without a version. U+FFFD stands for what is not UTF-8.
    ///
    /// # Errors
    ///
    /// None: every text names an application.
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
    use crate::value::laws::reading_laws;
    use quickcheck::{Arbitrary, Gen, quickcheck};

    impl Arbitrary for Application {
        fn arbitrary(g: &mut Gen) -> Self {
            Application::new(SimpleText::arbitrary(g), SimpleText::arbitrary(g))
        }
    }

    #[test]
    fn faults_of_applications_are_named() {
        for (raw, expected, at) in
            [(&b""[..], "a colon", 0), (br"a\:b", "a colon", 4), (b"\xFF:1", "UTF-8", 0), (b"ab:1\xFF", "UTF-8", 4)]
        {
            let error = Application::parse(raw).unwrap_err();
            assert_eq!((error.kind(), error.expected(), error.at()), ("application", expected, at), "{raw:?}");
        }
    }

    #[test]
    fn the_first_bare_colon_divides() {
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
        fn an_application_reads_back(application: Application) -> bool {
            Application::parse(application.to_string()) == Ok(application)
        }
    }

    reading_laws!(Application, ["CGoban:3", "foxwq", r"a\:b:c\]"]);
}
