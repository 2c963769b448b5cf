//! The list of the files of an index: which games are in which segment.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sgf_board::Board;

use super::IndexError;
use super::batch::Class;
use super::checked::Hash;

/// The version of indexes: their files, columns and hashes.
pub const VERSION: u64 = 3;

/// What ends the list: the hash of all that is before it.
const HASH: (&[u8], &[u8]) = (b",\"hash\":\"", b"\"}\n");

/// The name of the list: what makes a directory an index.
pub(super) const NAME: &str = "sgf-index.json";

/// The name of the file that a writer locks.
pub(super) const LOCK: &str = "sgf-index.lock";

/// The name of a list that is being written.
pub(super) const NEW: &str = "sgf-index.json.new";

/// The segments of files, by the bytes of their names.
pub(super) type SegmentsOfFiles<'m> = HashMap<&'m [u8], u32>;

/// The content of an index.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Manifest {
    /// [`VERSION`].
    pub(super) sgf_index: u64,
    /// [`Board::HASH_VERSION`].
    hash_version: u32,
    pub(super) variations: bool,
    /// The charset of all games, and the charset of those that declare none, if they are given.
    pub(super) charset: Option<String>,
    pub(super) default_charset: Option<String>,
    /// The header columns.
    pub(super) columns: Vec<String>,
    pub(super) next_segment: u32,
    /// The number of the table of positions, and the hash of its file.
    pub(super) positions: u32,
    pub(super) positions_hash: Hash,
    pub(super) segments: BTreeMap<u32, SegmentEntry>,
    /// By the bytes of their names, so that the list does not depend on the order of the inputs.
    #[serde(with = "by_name")]
    pub(super) files: BTreeMap<Vec<u8>, FileEntry>,
}

/// A segment: the rows that one run has added.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SegmentEntry {
    /// The Parquet files, by the names of their classes.
    pub(super) parts: BTreeMap<String, PartEntry>,
    /// Whether it may have rows of files that have changed since.
    pub(super) has_stale: bool,
}

impl SegmentEntry {
    /// Returns the number of rows of all files.
    pub(super) fn rows(&self) -> u64 {
        self.parts.values().map(|part| part.rows).sum()
    }
}

/// A Parquet file of lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PartEntry {
    pub(super) rows: u64,
    /// The hash of its footer, which has those of its columns.
    pub(super) footer: Hash,
}

/// A file whose games are in the index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FileEntry {
    /// How the file was when it was read.
    pub(super) stamp: Stamp,
    pub(super) segment: u32,
    #[serde(default)]
    pub(super) games: super::IndexedGames,
}

/// How a file is: it is read again if one of these has changed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Stamp {
    /// Size in bytes.
    pub size: u64,
    /// Time of the last change, in nanoseconds since 1970.
    pub modified: u64,
    /// Hash of the content, in any form.
    pub hash: String,
}

impl Manifest {
    /// Creates the list of an empty index. Its files will have numbers after `last`.
    pub(super) fn new(last: u32) -> Self {
        Manifest {
            sgf_index: VERSION,
            hash_version: Board::HASH_VERSION,
            variations: false,
            charset: None,
            default_charset: None,
            columns: Vec::new(),
            next_segment: last + 1,
            positions: last,
            positions_hash: Hash::default(),
            segments: BTreeMap::new(),
            files: BTreeMap::new(),
        }
    }

    /// Reads the list of a directory; `None` if it has none.
    pub(super) fn read(directory: &Path) -> Result<Option<Self>, IndexError> {
        let path = directory.join(NAME);
        let text = match fs::read(&path) {
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Ok(None);
            }
            read => read.map_err(IndexError::io(&path))?,
        };
        #[derive(Deserialize)]
        struct Version {
            sgf_index: u64,
            hash_version: u32,
        }
        let damaged = |error| IndexError::damaged(&path, error);
        let Version { sgf_index, hash_version } = serde_json::from_slice(&text).map_err(damaged)?;
        if (sgf_index, hash_version) != (VERSION, Board::HASH_VERSION) {
            return Err(IndexError::Version { directory: directory.to_owned(), found: sgf_index });
        }
        if !is_as_written(&text) {
            return Err(IndexError::damaged(&path, "it is not as it was written"));
        }
        serde_json::from_slice(&text).map(Some).map_err(damaged)
    }

    /// Writes the list. It replaces the old one when it is complete.
    pub(super) fn write(&self, directory: &Path) -> Result<(), IndexError> {
        let (path, new) = (directory.join(NAME), directory.join(NEW));
        let write = || -> io::Result<()> {
            let mut text = serde_json::to_vec(self)?;
            text.pop(); // the bracket comes after the hash
            let hash = Hash::of(&text).to_string();
            [HASH.0, hash.as_bytes(), HASH.1].into_iter().for_each(|end| text.extend_from_slice(end));
            let mut file = fs::File::create(&new)?;
            file.write_all(&text)?;
            file.sync_all()?;
            fs::rename(&new, &path)
        };
        write().map_err(IndexError::io(&path))
    }

    /// Returns the path of a Parquet file.
    pub(super) fn path(directory: &Path, segment: u32, class: Class) -> PathBuf {
        directory.join(format!("lines-{segment:04}-{}.parquet", class.name()))
    }

    /// Returns the path of the table of positions.
    pub(super) fn path_of_positions(&self, directory: &Path) -> PathBuf {
        directory.join(format!("positions-{:04}.parquet", self.positions))
    }

    /// Returns the segments of all files.
    pub(super) fn segments_of_files(&self) -> SegmentsOfFiles<'_> {
        self.files.iter().map(|(name, file)| (name.as_slice(), file.segment)).collect()
    }

    /// Returns the paths of the files of lines and positions.
    pub(super) fn paths(&self, directory: &Path) -> HashSet<PathBuf> {
        let parts = self.segments.iter().flat_map(|(number, entry)| {
            let classes = Class::ALL.into_iter().filter(|class| entry.parts.contains_key(&class.name()));
            classes.map(|class| Manifest::path(directory, *number, class))
        });
        parts.chain([self.path_of_positions(directory)]).collect()
    }
}

/// Returns the number of a file of lines or positions. `None` if it has another name.
pub(super) fn number_of(path: &Path) -> Option<u32> {
    let name = path.file_name()?.to_str()?;
    let rest = match name.strip_prefix("lines-") {
        Some(rest) => {
            let (number, class) = rest.strip_suffix(".parquet")?.split_once('-')?;
            Class::ALL.iter().any(|known| known.name() == class).then_some(number)?
        }
        None => {
            let rest = name.strip_prefix("positions-")?;
            rest.strip_suffix(".parquet").or_else(|| rest.strip_suffix(".runs"))?
        }
    };
    rest.bytes().all(|byte| byte.is_ascii_digit()).then(|| rest.parse().ok())?
}

/// A list of files in JSON: pairs of a name and what is known of the file. A name is text, or the numbers of its bytes.
mod by_name {
    use std::borrow::Cow;
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::FileEntry;

    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum Name<'n> {
        Text(Cow<'n, str>),
        Bytes(Cow<'n, [u8]>),
    }

    pub(super) fn serialize<S: Serializer>(files: &BTreeMap<Vec<u8>, FileEntry>, to: S) -> Result<S::Ok, S::Error> {
        let name = |name| match str::from_utf8(name) {
            Ok(text) => Name::Text(text.into()),
            Err(_) => Name::Bytes(name.into()),
        };
        to.collect_seq(files.iter().map(|(of, entry)| (name(of), entry)))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<Vec<u8>, FileEntry>, D::Error> {
        let files: Vec<(Name<'static>, FileEntry)> = Vec::deserialize(from)?;
        let bytes = |name| match name {
            Name::Text(text) => text.into_owned().into_bytes(),
            Name::Bytes(bytes) => bytes.into_owned(),
        };
        Ok(files.into_iter().map(|(name, entry)| (bytes(name), entry)).collect())
    }
}

/// Returns whether a list has the hash that it was written with.
fn is_as_written(text: &[u8]) -> bool {
    let rest = text.strip_suffix(HASH.1).and_then(|rest| rest.split_last_chunk::<16>());
    let Some((rest, hash)) = rest else { return false };
    let hash = str::from_utf8(hash).ok().and_then(Hash::parse);
    rest.strip_suffix(HASH.0).is_some_and(|list| hash == Some(Hash::of(list)))
}
