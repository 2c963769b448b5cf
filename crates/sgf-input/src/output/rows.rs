//! The formats of tables.

use std::ffi::OsStr;
use std::fmt;
use std::path::Path;

/// A format that rows of a table are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum RowFormat {
    /// One JSON object per line.
    Jsonl,
    /// Comma-separated values, with a header line.
    Csv,
    /// The stream format of Apache Arrow.
    Arrow,
    /// A Parquet file.
    Parquet,
}

impl RowFormat {
    /// Returns the format that the extension of a file names, in upper or lower case.
    ///
    /// ```
    /// use sgf_input::RowFormat;
    ///
    /// assert_eq!(RowFormat::of("games.parquet"), Some(RowFormat::Parquet));
    /// assert_eq!(RowFormat::of("games.txt"), None);
    /// ```
    pub fn of(path: impl AsRef<Path>) -> Option<Self> {
        let extension = path.as_ref().extension().and_then(OsStr::to_str)?;
        let named = match extension.to_ascii_lowercase().as_str() {
            "json" | "jsonl" | "ndjson" => RowFormat::Jsonl,
            "csv" => RowFormat::Csv,
            "arrow" | "arrows" => RowFormat::Arrow,
            "parquet" => RowFormat::Parquet,
            _ => return None,
        };
        Some(named)
    }

    /// Returns whether the format is binary.
    pub fn is_binary(self) -> bool {
        matches!(self, RowFormat::Arrow | RowFormat::Parquet)
    }
}

impl fmt::Display for RowFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RowFormat::Jsonl => "jsonl",
            RowFormat::Csv => "csv",
            RowFormat::Arrow => "arrow",
            RowFormat::Parquet => "parquet",
        })
    }
}
