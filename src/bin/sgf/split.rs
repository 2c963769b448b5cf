//! `sgf split`: cuts one huge file into byte ranges of whole games.

use std::io::{self, Write};
use std::ops::Range;
use std::path::PathBuf;
use std::process::ExitCode;

use serde::ser::{Serialize, SerializeMap, Serializer};
use sgf_stream::Parser;

use crate::failure::Failure;
use crate::input::{self, Name};
use crate::jobs::Threads;
use crate::json;
use crate::size;

/// Print the byte ranges of parts of a file that hold whole games.
///
/// Several programs or machines can share one huge archive this way: each reads a part as if it were a file of its
/// own. Only the ranges are printed: one line for each part, with the offset of its first byte, a TAB, and the
/// offset after its last byte.
#[derive(clap::Args)]
#[command(after_long_help = MORE)]
pub(crate) struct Args {
    /// Archive to split: an uncompressed file on disk.
    #[arg(value_name = "FILE")]
    file: PathBuf,

    #[command(flatten)]
    how: How,

    #[command(flatten)]
    threads: Threads,

    /// Print one JSON object instead of lines.
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
#[group(required = true, multiple = false)]
struct How {
    /// Print N parts of about equal length.
    ///
    /// Part i starts at the first head of a game at or after i/N of the file. There are fewer parts if a game is longer
    /// than a part, or if there are fewer games.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    parts: Option<u32>,

    /// Print parts of at least SIZE bytes, and not much more. The last part may be shorter.
    ///
    /// SIZE is a number of bytes, or a number with K, M, G or T, in units of 1024 (64K, 4G). With 1, each game that
    /// has a head is a part.
    #[arg(long, value_name = "SIZE", value_parser = size::parse)]
    bytes: Option<u64>,
}

const MORE: &str = r#"Parts:
  A part starts at the head of a game, such as `(;FF[4]`. If there is no head
  within 1 MiB of the wanted place, it starts at the end of the first game after
  that place. Text between two games belongs to the part of the first one. The
  first part starts at 0, each part starts where the one before it ends, and the
  last one ends with the file. Each part holds at least one game; a file without
  games is one part.

  A part that is read alone gives the same games as in the whole file; offsets
  count from the start of the part. A byte-order mark at the start of the file,
  which says that all texts are UTF-8 whatever CA says, is in the first part
  only: pass --charset UTF-8 to programs that read the other parts.

  Only a few KiB are read for each part.

JSON:
  file         the name, as given; if it is not UTF-8, path_base64 has its bytes
  bytes        the length of the file
  parts        a list of {start, end}, in bytes

Example:
  Statistics of each part of a file (`tail` counts from 1):

  sgf split --parts 4 big.sgf | while read start end; do
    tail -c +$((start + 1)) big.sgf | head -c $((end - start)) |
      sgf scan --json - >$start.json
  done

Exit codes:
  0  the ranges were printed
  2  wrong usage, or the file could not be read"#;

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    args.threads.set()?;
    let parts = parts(args).map_err(Failure::input(&Name::of(&args.file)))?;
    print(&Name::of(&args.file), &parts, args.json).map_err(Failure::Output)?;
    Ok(ExitCode::SUCCESS)
}

fn parts(args: &Args) -> io::Result<Vec<Range<u64>>> {
    let file = input::open_for_offsets(&args.file)?;
    let parser = Parser::new();
    let split = parser.split(&file);
    match args.how {
        How { parts: Some(n), .. } => split.parts(n as usize),
        How { bytes: Some(bytes), .. } => split.every(bytes),
        How { .. } => unreachable!("the group of options is required"),
    }
}

fn print(file: &Name, parts: &[Range<u64>], json: bool) -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stdout());
    if json {
        json::write(&mut out, &Json { file, parts })?;
        writeln!(out)?;
    } else {
        for part in parts {
            writeln!(out, "{}\t{}", part.start, part.end)?;
        }
    }
    out.flush()
}

/// The output of `--json`.
struct Json<'a> {
    file: &'a Name,
    parts: &'a [Range<u64>],
}

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("bytes", &self.parts.last().map_or(0, |part| part.end))?;
        self.file.serialize_as("file", &mut map)?;
        map.serialize_entry("parts", self.parts)?; // as `start` and `end`
        map.end()
    }
}
