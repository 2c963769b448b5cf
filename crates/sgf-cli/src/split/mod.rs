//! `sgf split`: splits one huge file into byte ranges of whole games, or any files into files of one game each.
//!
//! [`ranges`] finds the ranges. [`games`] reads games on all cores and writes them in order; [`pattern`] turns values into
//! names, and [`names`] keeps them different.

mod games;
pub(crate) mod names;
mod pattern;
mod ranges;

use std::path::PathBuf;
use std::process::ExitCode;

use self::pattern::Pattern;
pub(crate) use self::pattern::component;
use self::ranges::Cut;
use crate::decoding::Charsets;
use crate::failure::Failure;
use crate::input::Paths;
use crate::jobs::Threads;
use crate::size;

/// Split files between games: print byte ranges, or write each game to its own file.
///
/// With --parts or --bytes, several programs or machines can share one huge file: each reads a part as if it were a
/// file of its own. Only the ranges are printed: one line per part, with the offset of its first byte, a TAB, and
/// the offset after its last byte. The file must be on disk and uncompressed.
///
/// With --games, the games of any number of files and archives are written to files of their own, byte for byte.
#[derive(clap::Args)]
#[command(after_long_help = MORE)]
pub(crate) struct Args {
    #[command(flatten)]
    paths: Paths,

    #[command(flatten)]
    how: How,

    /// Name of each file with --games: text, and columns in braces.
    #[arg(long, value_name = "PATTERN", default_value = "{date}-{black}-{white}.sgf", value_parser = pattern::parse,
        conflicts_with_all = ["parts", "bytes"])]
    name: Pattern,

    /// Output directory for --games. Created if it does not exist.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["parts", "bytes"])]
    to: Option<PathBuf>,

    /// With --games, print the names of the files, and write nothing.
    #[arg(long, conflicts_with_all = ["parts", "bytes"])]
    dry_run: bool,

    #[command(flatten)]
    charsets: Charsets,

    #[command(flatten)]
    threads: Threads,

    /// Print one JSON object instead of lines.
    #[arg(long, conflicts_with = "games")]
    json: bool,
}

#[derive(clap::Args)]
#[group(required = true, multiple = false)]
struct How {
    /// Print N parts of about equal length.
    ///
    /// Part i starts at the first game start at or after i/N of the file. There are fewer parts if a game is longer
    /// than a part, or if there are fewer games.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    parts: Option<u32>,

    /// Print parts of at least SIZE bytes, and not much more. The last part may be shorter.
    ///
    /// SIZE is a number of bytes, or a number with K, M, G or T, in units of 1024 (64K, 4G). With 1, each game with a
    /// recognizable start is a part.
    #[arg(long, value_name = "SIZE", value_parser = size::parse)]
    bytes: Option<u64>,

    /// Write each game to its own file.
    #[arg(long, requires = "to")]
    games: bool,
}

const MORE: &str = r#"Games, with --games:
  A file has the bytes of its game, from its `(` to after its `)`, unchanged,
  even if the game has errors. Text between games is dropped. If the source
  starts with a UTF-8 byte-order mark, each file does. Files in UTF-16, UTF-32,
  HZ and ISO-2022-* are refused, since their games cannot be copied byte for
  byte. Nothing is ever overwritten: if a name is taken, in upper or lower case,
  the file is called `NAME-2.sgf`, `NAME-3.sgf` and so on. Games are written in
  the order of the inputs. Memory grows by about 20 bytes per file written.

Names of files, with --name:
  {black}      a column of `sgf records --list-columns`, or the identifier of a
               root property: {black}, {PB}, {EV}; `unknown` if the game has no
               such value
  {date}       the known part of the date: `1846-09-11`, `1846-09`, `1846`,
               `1840s` or `1842-1853`
  {year}, {decade}
               its year, and its decade, as in `1840s`; `unknown` if the date is
               ambiguous
  {stem}       the name of the source file, without its extension
  {dir}        the directory of the source file, as given, without `..` and a
               leading `/`; for a file in an archive: `games.zip!/dir`
  {n:6}        the game's number among all games read, from 1, zero-padded to
               six digits; {n:1} without padding. {game:3} does the same with the
               number in the source file, or any other column of whole numbers
  {{ and }}    { and }
  /            starts a directory in DIR; a `/` in a value becomes `_`, except
               in {dir}

  A game that has none of the values in its pattern is named after its source
  file: the problems in `tsumego.sgf` become `tsumego.sgf`, `tsumego-2.sgf` and
  so on.

  Names are safe on Windows, macOS and Linux: `< > : " / \ | ? *`, control
  characters and hidden characters become `_`, and so does a leading dot or `-`;
  trailing blanks and dots are removed; names that Windows reserves, such as
  `con`, get a `_`. A value is cut to 100 bytes, and a name to 240.

Parts, with --parts and --bytes:
  A part starts at a game start: a `(;` with a root property, such as `(;FF[4]`.
  If there is none within 1 MiB of the wanted offset, it starts at the end of
  the first game after that offset. Text between two games belongs to the part
  of the first one. The first part starts at 0, each part starts where the
  previous one ends, and the last one ends with the file. Each part has at least
  one game; a file without games is one part.

  Reading all parts gives the same games as reading the whole file; offsets
  count from the start of the part. A byte-order mark at the start of the file,
  which means that all texts are UTF-8 regardless of CA, is in the first part
  only: pass --charset UTF-8 to programs that read the other parts.

  Only a few KiB per part are read.

JSON, for parts:
  file         the name, as given; if it is not UTF-8, path_base64 has its bytes
  bytes        the length of the file
  parts        a list of {start, end}, in bytes

Examples:
  Write each game to its own file, in a directory per player of Black:

  sgf split --games --name "{black}/{date} {white}.sgf" --to split games.zip

  Keep the directories of the source files:

  sgf split --games --name "{dir}/{stem}.sgf" --to split games/

  Print statistics of each part of a file (`tail` counts from 1):

  sgf split --parts 4 big.sgf | while read start end; do
    tail -c +$((start + 1)) big.sgf | head -c $((end - start)) |
      sgf scan --json - >$start.json
  done"#;

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    args.threads.set()?;
    let cut = match (args.how.parts, args.how.bytes, &args.to) {
        (Some(parts), ..) => Cut::Parts(parts as usize),
        (_, Some(bytes), _) => Cut::Bytes(bytes),
        (None, None, Some(to)) => return games::run(args, to),
        (None, None, None) => return Err(Failure::Usage("--games needs --to DIR".to_owned())),
    };
    if args.how.bytes == Some(0) {
        return Err(Failure::Usage("--bytes must be at least 1".to_owned()));
    }
    let [file] = &args.paths.paths[..] else {
        return Err(Failure::Usage("--parts and --bytes take exactly one file".to_owned()));
    };
    ranges::run(file, cut, args.json)
}
