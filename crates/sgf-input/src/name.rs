//! Names of inputs in messages: the path, with `!/` and another path for members of archives.

use std::fmt;
use std::io::{self, Write};
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::ser::SerializeMap;

use crate::visible::Visible;

/// The name of an input.
///
/// Names are untrusted, so hidden characters are escaped in output. JSON has the original, as bytes if it is not UTF-8.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name {
    text: String,
    /// The original bytes, if they are not UTF-8.
    bytes: Option<Box<[u8]>>,
    is_member: bool,
}

/// Maximum length of a member's name in bytes: every record of the file repeats it. A longer name is cut and ends
/// in `…`.
const LONGEST: usize = 4096;

/// Separator between the names of an archive and a member.
const IN_ARCHIVE: &str = "!/";

impl Name {
    /// Returns the name of the file with this path.
    pub fn of(path: &Path) -> Self {
        Name::new(path.as_os_str().as_encoded_bytes().to_vec(), false)
    }

    /// Returns the name with these [bytes](Self::as_bytes), which a program has kept.
    pub fn of_bytes(bytes: impl Into<Vec<u8>>) -> Self {
        Name::new(bytes.into(), false)
    }

    fn new(name: Vec<u8>, is_member: bool) -> Self {
        match String::from_utf8(name) {
            Ok(text) => Name { text, bytes: None, is_member },
            Err(error) => {
                let bytes = error.into_bytes();
                Name { text: String::from_utf8_lossy(&bytes).into_owned(), bytes: Some(bytes.into()), is_member }
            }
        }
    }

    /// Returns the name of a member of this archive.
    pub(super) fn member(&self, path: &[u8]) -> Self {
        let path = in_archive(path);
        if path.len() > LONGEST {
            let path = format!("{}…", String::from_utf8_lossy(&path[..LONGEST]));
            return Name::new([self.as_bytes(), IN_ARCHIVE.as_bytes(), path.as_bytes()].concat(), true);
        }
        Name::new([self.as_bytes(), IN_ARCHIVE.as_bytes(), path].concat(), true)
    }

    /// Returns the name in UTF-8, with U+FFFD for bad bytes.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns all bytes of the name, as the system or the archive has them.
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.as_deref().unwrap_or(self.text.as_bytes())
    }

    /// Returns the names of the archives that a member is in, outermost first.
    ///
    /// There are none for a file. They are only possible ones: a directory may also have a name that ends in `!`.
    ///
    /// ```
    /// use sgf_input::Name;
    ///
    /// assert!(Name::archives_of("a.tar!/b.zip!/c.sgf").eq(["a.tar", "a.tar!/b.zip"]));
    /// assert!(Name::archives_of("a/b.sgf").eq([""; 0]));
    /// ```
    pub fn archives_of(name: &str) -> impl Iterator<Item = &str> {
        ends_of_archives(name.as_bytes()).map(|end| &name[..end])
    }

    /// Returns the names of the archives that a member is in, as bytes: see [`archives_of`](Self::archives_of).
    pub fn archives_of_bytes(name: &[u8]) -> impl Iterator<Item = &[u8]> {
        ends_of_archives(name).map(|end| &name[..end])
    }

    /// Returns the path of a file.
    pub fn to_path(&self) -> PathBuf {
        path_of(self.as_bytes())
    }

    /// Returns whether it ends in `ending`, in upper or lower case.
    pub(super) fn ends_with(&self, ending: &str) -> bool {
        let name = self.as_bytes();
        let start = name.len().checked_sub(ending.len());
        start.is_some_and(|start| name[start..].eq_ignore_ascii_case(ending.as_bytes()))
    }

    /// Returns its bytes in Base64, if it is not UTF-8.
    pub fn base64(&self) -> Option<String> {
        self.bytes.as_ref().map(|bytes| STANDARD.encode(bytes))
    }

    /// Writes it to a JSON map: `key`, and `path_base64` if it is not UTF-8.
    pub fn serialize_as<M: SerializeMap>(&self, key: &'static str, map: &mut M) -> Result<(), M::Error> {
        map.serialize_entry(key, self.as_str())?;
        match self.base64() {
            Some(base64) => map.serialize_entry("path_base64", &base64),
            None => Ok(()),
        }
    }

    /// Writes it to a list: a line for people, or NUL-terminated and unescaped for programs.
    pub fn list(&self, print0: bool, out: &mut impl Write) -> io::Result<()> {
        match print0 {
            true => out.write_all(self.as_bytes()).and_then(|()| out.write_all(b"\0")),
            false => writeln!(out, "{self}"),
        }
    }

    /// Returns its directory.
    ///
    /// This is `.` if it names none, and the archive itself for a member at the top of one.
    #[must_use]
    pub fn directory(&self) -> Name {
        let name = self.as_bytes();
        let is_separator = |byte: &u8| *byte == b'/' || !self.is_member && *byte == MAIN_SEPARATOR as u8;
        match name.iter().rposition(is_separator) {
            None => Name::new(b".".to_vec(), false),
            Some(0) => Name::new(b"/".to_vec(), false),
            Some(end) if self.is_member && name[..=end].ends_with(IN_ARCHIVE.as_bytes()) => {
                Name::new(name[..end - 1].to_vec(), false)
            }
            Some(end) => Name::new(name[..end].to_vec(), self.is_member),
        }
    }

    /// Returns whether it is a member of an archive.
    pub fn is_member(&self) -> bool {
        self.is_member
    }
}

/// Returns the path of a member from the top of its archive. `tar` stores names as given: `./dir/game.sgf`, or
/// `/dir/game.sgf`.
pub(super) fn in_archive(mut path: &[u8]) -> &[u8] {
    while let Some(rest) = path.strip_prefix(b"./").or_else(|| path.strip_prefix(b"/")) {
        path = rest;
    }
    path
}

/// Returns the path that has these bytes.
pub(super) fn path_of(bytes: &[u8]) -> PathBuf {
    #[cfg(unix)]
    return <std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(bytes).into();
    #[cfg(not(unix))]
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Visible(&self.text).fmt(f)
    }
}

/// Returns where the names of the archives end that a member is in.
fn ends_of_archives(name: &[u8]) -> impl Iterator<Item = usize> {
    let parts = name.windows(IN_ARCHIVE.len()).enumerate();
    parts.filter(|(_, part)| *part == IN_ARCHIVE.as_bytes()).map(|(end, _)| end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_a_directory() {
        let archive = Name::of(Path::new("d/a.tar"));
        for (name, expected) in [
            (Name::of(Path::new("a.sgf")), "."),
            (Name::of(Path::new("-")), "."),
            (Name::of(Path::new("/a.sgf")), "/"),
            (Name::of(Path::new("d/e/a.sgf")), "d/e"),
            (Name::of(Path::new("./a.sgf")), "."),
            (archive.member(b"./a.sgf"), "d/a.tar"),
            (archive.member(b"x/y/a.sgf"), "d/a.tar!/x/y"),
            (archive.member(b"b.zip").member(b"a.sgf"), "d/a.tar!/b.zip"),
        ] {
            assert_eq!(name.directory().as_str(), expected, "{name}");
        }
    }

    #[test]
    fn the_bytes_of_a_name_are_there_where_it_is_not_utf8() {
        let name = Name::of(Path::new("d/a.tar")).member(b"caf\xE9/\xFF.sgf");
        assert_eq!(
            (name.as_str(), name.base64()),
            ("d/a.tar!/caf\u{FFFD}/\u{FFFD}.sgf", Some(STANDARD.encode(b"d/a.tar!/caf\xE9/\xFF.sgf")))
        );
        assert_eq!(name.directory().base64(), Some(STANDARD.encode(b"d/a.tar!/caf\xE9")));
        assert_eq!(name.directory().directory(), Name::of(Path::new("d/a.tar")));
        assert_eq!(Name::of(Path::new("é.sgf")).base64(), None);
    }
}
