//! Checksums: what is damaged in a file is an error, and is never decoded.
//!
//! Parquet's own checksums are optional, and its writer does not write them. So the footer of each file has a hash of each
//! column of each row group, and the list of the index has a hash of the footer.

use std::fs::File;
use std::hash::Hasher;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::Path;

use bytes::Bytes;
use parquet::arrow::ArrowWriter;
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::metadata::{KeyValue, ParquetMetaData};
use parquet::file::reader::{ChunkReader, Length};
use serde::{Deserialize, Serialize};
use twox_hash::XxHash64;

use super::IndexError;

/// The key of the hashes in the metadata of a Parquet file.
const KEY: &str = "sgf-search:hashes";

/// The length of the end of a Parquet file: that of its footer, and a sign.
const END: u64 = 8;

/// A hash of bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Hash(u64);

impl Hash {
    pub(super) fn of(bytes: &[u8]) -> Self {
        Hash(XxHash64::oneshot(0, bytes))
    }

    pub(super) fn of_file(path: &Path) -> io::Result<Self> {
        let (mut file, mut buffer, mut hash) = (File::open(path)?, vec![0; 64 << 10], XxHash64::with_seed(0));
        loop {
            match file.read(&mut buffer) {
                Ok(0) => return Ok(Hash(hash.finish())),
                Ok(len) => hash.write(&buffer[..len]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        (text.len() == 16).then(|| u64::from_str_radix(text, 16).ok().map(Hash))?
    }
}

impl std::fmt::Display for Hash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// As text, since numbers of JSON are not exact everywhere.
impl Serialize for Hash {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Hash {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Hash::parse(&text).ok_or_else(|| serde::de::Error::custom("a hash has 16 digits"))
    }
}

/// Notes the hashes of all columns in the footer, and ends the file. Returns the hash of the footer.
pub(super) fn close(mut writer: ArrowWriter<File>, path: &Path) -> Result<Hash, IndexError> {
    let writing = IndexError::writing_parquet(path);
    writer.flush().map_err(&writing)?;
    writer.sync().map_err(IndexError::io(path))?;
    let mut file = File::open(path).map_err(IndexError::io(path))?;
    let mut hashes = String::new();
    for column in writer.flushed_row_groups().iter().flat_map(|group| group.columns()) {
        let bytes = read(&mut file, column.byte_range()).map_err(IndexError::io(path))?;
        hashes += &Hash::of(&bytes).to_string();
    }
    writer.append_key_value_metadata(KeyValue::new(KEY.to_owned(), hashes));
    writer.close().map_err(&writing)?;
    Ok(Hash::of(&footer(&mut file).map_err(IndexError::io(path))?))
}

/// Returns whether the footer of a file is as it was written.
pub(super) fn has_footer(file: &mut File, hash: Hash) -> std::io::Result<bool> {
    Ok(Hash::of(&footer(file)?) == hash)
}

/// Reads the footer of a Parquet file, without decoding it. It is empty if there is none.
fn footer(file: &mut File) -> std::io::Result<Vec<u8>> {
    let len = file.metadata()?.len();
    let Some(start) = len.checked_sub(END) else { return Ok(Vec::new()) };
    let end = read(file, (start, END))?;
    let of_footer = end.first_chunk().map_or(0, |len| u64::from(u32::from_le_bytes(*len)));
    match start.checked_sub(of_footer) {
        Some(start) => read(file, (start, of_footer + END)),
        None => Ok(Vec::new()),
    }
}

fn read(file: &mut File, (start, len): (u64, u64)) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(start))?;
    file.take(len).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The hashes of the columns of a file, row group by row group.
pub(super) struct Hashes {
    all: Vec<Hash>,
    columns: usize,
}

impl Hashes {
    /// Returns those in the footer of a file; `None` if they are not those of its columns.
    pub(super) fn of(metadata: &ParquetMetaData) -> Option<Self> {
        let pairs = metadata.file_metadata().key_value_metadata()?;
        let text = pairs.iter().find(|pair| pair.key == KEY)?.value.as_deref()?;
        let digits = |n| text.get(16 * n..16 * n + 16);
        let all: Option<Vec<Hash>> = (0..text.len() / 16).map(|n| Hash::parse(digits(n)?)).collect();
        let columns = metadata.file_metadata().schema_descr().num_columns();
        let all = all.filter(|all| all.len() == metadata.num_row_groups() * columns)?;
        Some(Hashes { all, columns })
    }

    /// Reads columns of a row group.
    pub(super) fn read(
        &self,
        file: &mut File,
        metadata: &ParquetMetaData,
        (group, columns): (usize, impl IntoIterator<Item = usize>),
    ) -> ParquetResult<Chunks> {
        let mut chunks = Vec::new();
        for column in columns {
            let (start, len) = metadata.row_group(group).column(column).byte_range();
            let bytes = read(file, (start, len))?;
            if self.all.get(group * self.columns + column) != Some(&Hash::of(&bytes)) {
                return Err(ParquetError::General("a column is not as it was written".to_owned()));
            }
            chunks.push((start, Bytes::from(bytes)));
        }
        chunks.sort_by_key(|(start, _)| *start);
        Ok(Chunks { chunks, len: file.metadata()?.len() })
    }
}

/// Some columns of a file, in memory.
pub(super) struct Chunks {
    /// Where they are, in order.
    chunks: Vec<(u64, Bytes)>,
    len: u64,
}

impl Chunks {
    /// Returns the bytes from a place to the end of its column.
    fn from(&self, start: u64) -> ParquetResult<Bytes> {
        let before = self.chunks.partition_point(|(of, _)| *of <= start);
        let chunk = before.checked_sub(1).map(|n| &self.chunks[n]);
        let rest = chunk.and_then(|(of, bytes)| {
            let skipped = usize::try_from(start - of).ok()?;
            (skipped <= bytes.len()).then(|| bytes.slice(skipped..))
        });
        rest.ok_or_else(|| ParquetError::EOF("a page is not in its column".to_owned()))
    }
}

impl Length for Chunks {
    fn len(&self) -> u64 {
        self.len
    }
}

impl ChunkReader for Chunks {
    type T = Cursor<Bytes>;

    fn get_read(&self, start: u64) -> ParquetResult<Self::T> {
        self.from(start).map(Cursor::new)
    }

    fn get_bytes(&self, start: u64, length: usize) -> ParquetResult<Bytes> {
        let rest = self.from(start)?;
        match length <= rest.len() {
            true => Ok(rest.slice(..length)),
            false => Err(ParquetError::EOF("a page is longer than its column".to_owned())),
        }
    }
}
