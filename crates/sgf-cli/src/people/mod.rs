//! `sgf names`: names that are probably one person, and the file that `--names` reads.
//!
//! All games are read once on all cores ([`games`]). [`spelling`] brings names into forms that are equal for one person, and
//! [`groups`] joins names with equal forms, and names in copies of one game, unless one of them is an account that
//! [relays](relays) games of others. [`file`](mod@file) writes the result and reads it again. The report asks [`of_one_person`] and
//! [`is_nobody`], so that both have one definition of a person.

mod file;
mod games;
mod groups;
mod relays;
mod spelling;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

pub(crate) use self::file::NamesFile;
use self::games::{Game, Players};
use self::groups::Groups;
pub(crate) use self::spelling::is_nobody;
use crate::decoding::{Charsets, GameType};
use crate::destination;
use crate::failure::{Failure, TROUBLE, note};
use crate::input::{Name, Paths};
use crate::jobs::Threads;
use crate::progress::Progress;
use crate::tables::{counted, grouped};
use crate::terminal::Writes;

/// Find names of players that are probably one person, for --names.
///
/// Prints a CSV file with a line per name: the name, the name that stands for it, the number of games, and the evidence.
/// Check the file, delete or change lines, and pass it to `sgf records --names FILE`, `sgf report` or `sgf sql`.
#[derive(clap::Args)]
#[command(after_long_help = MORE)]
pub(crate) struct Args {
    #[command(flatten)]
    paths: Paths,

    /// Write to this file instead of standard output. It must not have content, since that may have been edited.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Also print names that have no other spelling.
    #[arg(long)]
    all: bool,

    #[command(flatten)]
    charsets: Charsets,

    #[command(flatten)]
    game_type: GameType,

    #[command(flatten)]
    threads: Threads,
}

const MORE: &str = r#"Evidence:
  spelling     the same letters, apart from case, accents, punctuation, a rank,
               the mark `[p]` of professionals and the title `선수`:
               `Lee Se-dol 9p` and `LEE SEDOL`
  word order   the same words in another order: `Sedol Lee` and `Lee Sedol`
  word breaks  the same letters with other spaces: `Lee Se Dol` and `Lee Sedol`
  same games   at least two copies of games have the one name or the other, or
               one copy, if the opponents are one person: `Lee Sedol` and
               `이세돌`. An account that relays games of several people joins none
  one letter   one letter, not a digit, differs, is missing or is exchanged with
               its neighbor, in names of 8 letters or more; the rarer name has
               at most 3 games and a common opponent

  Names of players who have met each other are never joined. Names that many
  players have, such as `Black`, `guest` and `?`, are not joined either. Of the
  names of a person, the one with the most games stands for the others.

File:
  CSV in UTF-8 with the columns `name`, `person`, `games`, `evidence`,
  `joined_to` (the name that the evidence is about) and `copies` (how many games
  have copies with both names). --names needs the first two, and ignores others.

Memory:
  About 200 bytes per name and 40 bytes per game.

Example:
  sgf names games/ -o names.csv
  sgf records --names names.csv --format csv games/"#;

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    args.threads.set()?;
    let output = args.output.as_deref();
    output.map_or(Ok(()), expect_no_edits)?;
    let out = destination::open(output, &args.paths.inputs())?;
    let progress = Arc::new(Progress::new(Writes::AtEnd, || args.paths.total_size()));
    let players = Players::read(&args.paths, args.charsets, args.game_type, &progress);
    progress.finish();
    args.game_type.note_like_hex(players.like_hex);
    let groups = Groups::of(&players);
    file::write(out, &players, &groups, args.all).map_err(destination::failure(output))?;
    if !players.names.is_empty() {
        note_counts(&players, &groups);
    }
    Ok(ExitCode::from(if players.has_troubles { TROUBLE } else { 0 }))
}

/// Returns an error for a file that has content: it is made to be edited, and nothing tells an edited one from a new one.
fn expect_no_edits(output: &Path) -> Result<(), Failure> {
    match output.metadata() {
        Ok(found) if found.is_file() && found.len() > 0 => Err(Failure::Usage(format!(
            "{}: this file exists, and may have been edited; write to another one, or delete it first",
            Name::of(output)
        ))),
        _ => Ok(()),
    }
}

/// Returns names that are probably one person because they differ only in spelling, for people with several names.
///
/// `names` have their numbers of games; `met` are pairs of their indices that played a game, which are two people. The people
/// with most games come first, and in each the name with most.
pub(crate) fn of_one_person(names: Vec<(String, u64)>, met: impl Iterator<Item = [u32; 2]>) -> Vec<Vec<(String, u64)>> {
    let players = Players::of(names, met.map(|players| Game { players, line: None }).collect());
    let several = Groups::of_spellings(&players).people.into_iter().filter(|person| person.names.len() > 1);
    several.map(|person| person.names.iter().map(|(name, _)| players.names[*name as usize].clone()).collect()).collect()
}

fn note_counts(players: &Players, groups: &Groups) {
    let (joined, people) = groups.counts();
    note(format_args!(
        "{} of {} are {} of {}",
        grouped(joined as u64),
        counted(players.names.len() as u64, "name"),
        if joined == 1 { "a spelling" } else { "spellings" },
        match people {
            1 => "1 person".to_owned(),
            people => format!("{} people", grouped(people as u64)),
        }
    ));
}
