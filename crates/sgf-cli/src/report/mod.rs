//! `sgf report`: an HTML report about games.
//!
//! [`work`] reads all inputs once, on all cores, and counts what [`gather`] lists, using the [`facts`] of each game. After
//! that, [`sections`] choose what is shown: charts ([`charts`]) with their numbers ([`view`]). [`page`] turns it into HTML,
//! and `--json` has the numbers.

mod charts;
mod facts;
mod gather;
mod page;
mod sections;
pub(crate) mod stats;
mod view;
mod work;

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use sgf_input::Output;

use self::gather::{Gathered, Naming, Sum};
use self::sections::Report;
use self::view::Json;
use self::work::{Checks, Counting};
use crate::decoding::{Charsets, GameType};
use crate::destination;
use crate::failure::{Failure, TROUBLE, note, note_trouble};
use crate::input::{Name, Paths, is_stdin};
use crate::jobs::{self, Threads};
use crate::json;
use crate::people::NamesFile;
use crate::progress::Progress;
use crate::tables::counted;
use crate::terminal::{self, Writes};

/// Create an HTML report: games, players, results, openings, diagnostics and duplicates.
///
/// The report is one self-contained HTML file with light and dark themes, for desktop, mobile and print. Files of any size
/// are read once, on all cores, in bounded memory.
#[derive(clap::Args)]
#[command(after_long_help = MORE)]
pub(crate) struct Args {
    #[command(flatten)]
    paths: Paths,

    /// Write the report to this file; `-` is standard output. An existing file is replaced.
    #[arg(long, short, value_name = "FILE", required_unless_present = "json")]
    output: Option<PathBuf>,

    /// Write the numbers behind all charts to this file; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// Title of the report. Default: the name of the PATH.
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,

    /// Check all games. Default: a sample of the games, if the files have more than 256 MiB.
    #[arg(long)]
    check_all: bool,

    #[command(flatten)]
    charsets: Charsets,

    #[command(flatten)]
    game_type: GameType,

    #[command(flatten)]
    names: NamesFile,

    #[command(flatten)]
    threads: Threads,
}

const MORE: &str = r#"Sources:
  If one PATH is given, the directories directly below it, or the members of an
  archive, are the sources. If several are given, each is a source. Single files
  are sources of their own if there are at most 12.

Numbers:
  Bytes, games and nodes are those that `sgf scan` counts. An even game has no
  handicap (HA) above 1 and starts on an empty board. Openings and first moves
  are those of `sgf openings`: positions, in any order of moves.

  Shares of wins are shares of decided games, with 95 % Wilson intervals.
  Statistics on komi, handicap and margins cover Go games only. Wins, results,
  lengths, openings and boards also cover other games whose points are known
  (Hex), each game and board size separately. All other statistics cover all
  games. If the games lack the data for a chart, the report names the missing
  property.

  Axes of years start with the first games. A few games far from all others (one
  in 100 at each end) share a column, such as "before 1600". Years before 100
  and in the future count as no date, and the report says how many there are.

  Memory is bounded: only the most frequent players, pairs of players, openings
  and programs are kept, and of more than 400,000 different games a sample is
  compared for copies. If the files have more than 256 MiB on disk, one part in
  4 is checked, and one in 4 of standard input after 256 MiB. The report says so
  where it matters.

JSON:
  version      the version of `sgf`
  seconds      the time that reading took
  sections     a list of {id, title, figures}, in the order of the report;
               figures are {id, title, notes, columns, rows}: `rows` are lists
               of cells in the order of `columns`, as text, numbers, shares of
               1, or null. If the data is missing, a figure is {id, title,
               missing}, where `missing` says why

  The ids of the figures in each section:
    overview     tiles
    time         games, sources
    wins         komi-19, komi-13, komi-9, komi-other, handicap, wins-over-time,
                 wins-other: games other than Go
    results      kinds, kinds-other-N, margins, winners: N counts other games
    length       length-N, length-over-time-N: N counts boards, most games first
    boards       first, all-N, last-N: N is the side of the board; first-hex-N,
                 all-hex-N: N counts boards of Hex, most games first
    openings     openings, openings-hex
    players      players, players-over-time, against, same-person
    coverage     coverage
    charsets     charsets
    diagnostics  diagnostics, diagnostics-by-source, examples
    copies       copies, copies-sizes
    programs     programs, programs-over-time, versions, games-by-kind,
                 boards-of-go, boards-of-hex

Example:
  sgf report games/ -o report.html --json report.json"#;

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    args.threads.set()?;
    let has_directory =
        |file: &&PathBuf| file.parent().is_none_or(|parent| parent.as_os_str().is_empty() || parent.is_dir());
    if let Some(file) = args.output.iter().chain(&args.json).find(|file| !has_directory(file)) {
        let missing = io::Error::new(io::ErrorKind::NotFound, "its directory does not exist");
        return Err(Failure::Input(Name::of(file), missing));
    }
    let inputs = args.paths.inputs().and(args.names.path());
    destination::expect(&[("--output", args.output.as_deref()), ("--json", args.json.as_deref())], &inputs)?;
    let start = Instant::now();
    let progress = Arc::new(Progress::new(Writes::AtEnd, || args.paths.total_size()));
    let mut sums = Gathered::default();
    let checks = if args.check_all { Checks::All } else { Checks::of(args.paths.total_size()) };
    let work = Counting::new(Naming::new(&args.paths), checks, args.charsets, args.game_type.default_game())
        .with_names(args.names.read()?);
    let Ok(()) = jobs::run::<_, std::convert::Infallible>(work, &args.paths, &progress, |part| {
        for (name, error) in &part.unreadable_names.0 {
            note_trouble(name, error);
        }
        sums.add(part);
        Ok(())
    });
    progress.finish();
    args.game_type.note_like_hex(sums.like_hex);
    let has_troubles = sums.unreadable > 0;
    let games = sums.sources.total().games;
    let report = Report { sums, seconds: start.elapsed().as_secs_f64() };
    let stays = |file: &Path| {
        let stays = has_troubles && games == 0 && file.is_file();
        if stays {
            destination::warn_unwritten(file);
        }
        stays
    };
    let sections = sections::all(&report);
    if let Some(file) = args.output.as_ref().filter(|file| !stays(file)) {
        let page = page::page(&title(args), &sections).into_string();
        Output::write(file, page.as_bytes(), &inputs).map_err(destination::failure(Some(file)))?;
        if terminal::get().shows_messages() && !is_stdin(file) {
            note(format_args!("{}: {} in {:.1} s", Name::of(file), counted(games, "game"), report.seconds));
        }
    }
    if let Some(file) = args.json.as_ref().filter(|file| !stays(file)) {
        let mut text = json::string(&Json { sections: &sections, seconds: report.seconds });
        text.push('\n');
        Output::write(file, text.as_bytes(), &inputs).map_err(destination::failure(Some(file)))?;
    }
    Ok(ExitCode::from(if has_troubles { TROUBLE } else { 0 }))
}

fn title(args: &Args) -> String {
    if let Some(title) = &args.title {
        return title.clone();
    }
    match &args.paths.paths[..] {
        [path] if is_stdin(path) => "Games".to_owned(),
        [path] => {
            let whole = path.canonicalize().unwrap_or_else(|_| path.clone());
            let name = whole.file_name().map_or(path.as_os_str(), |name| name);
            Name::of(Path::new(name)).as_str().to_owned()
        }
        paths => counted(paths.len() as u64, "source"),
    }
}
