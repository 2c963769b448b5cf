//! `sgf dups`: which games an archive has more than once.
//!
//! All games are read once, on all cores ([`work`]), and of each one 32 bytes are kept ([`games`]). Games with the same
//! stones in the same order are copies, however they are turned and whatever their headers say. Games of which only the
//! first 30 stones are the same are read once more ([`cut_short`]): one of them may be the beginning of the other. Then
//! the [`groups`] are printed ([`print`]).

mod cut_short;
mod games;
mod groups;
mod print;
mod work;

use std::convert::Infallible;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;

use self::games::Games;
use self::groups::Groups;
use self::work::Fingerprinting;
use crate::failure::{Failure, TROUBLE};
use crate::input::Paths;
use crate::jobs::{self, Threads};
use crate::progress::Progress;
use crate::terminal::Writes;

/// Find copies of games, also turned, mirrored, cut short and with other headers.
///
/// Games are copies if their main lines put the same stones on the board in the same order. Headers, comments, variations,
/// passes, setup and colors do not count, and the board may be turned or mirrored. A game that is the beginning of another
/// is a copy that was cut short.
#[derive(clap::Args)]
#[command(after_long_help = MORE)]
pub(crate) struct Args {
    #[command(flatten)]
    paths: Paths,

    /// Print one JSON object instead of lines.
    #[arg(long)]
    json: bool,

    /// Print the files that may go, each followed by a NUL byte.
    ///
    /// These are the files all of whose games have a better copy in a file that stays. Files that could not be read to
    /// their end stay, as do members of archives.
    #[arg(long, conflicts_with = "json")]
    print0: bool,

    /// Compare only games with at least N stones in the main line.
    ///
    /// Games with fewer than 30 stones are copies only if they have the same number of them.
    #[arg(long, value_name = "N", default_value_t = 30)]
    min_stones: u16,

    #[command(flatten)]
    threads: Threads,
}

const MORE: &str = r#"Which copy is best:
  The one with the most stones; of these, the one with the most properties,
  variations included; of these, the one with the fewest faults that the
  parser had to repair; of these, the first. The best copy has the reason
  beside it.

Limits:
  Standard input is read once, so games in it that were cut short are not
  found. Memory: 32 bytes a game, and the names of the files.

JSON:
  games groups copies   games read, groups of copies, games that have a better
                        copy: numbers
  found                 the groups: {stones, best, reason, games}. `best` is an
                        index into `games`, a list of {file, offset, stones,
                        properties, faults}. At most 65,535 stones, 4,095
                        properties and 15 faults are counted. If a name is not
                        UTF-8, path_base64 has its bytes
  unreadable            a list of {file, message}

Exit codes:
  0  everything was read, whatever was found in it
  2  wrong usage, or something could not be read (reported on standard error)"#;

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    args.threads.set()?;
    let progress = Arc::new(Progress::new(Writes::AtEnd, || args.paths.total_size()));
    let mut games = Games::default();
    let work = Fingerprinting::new(args.min_stones.into());
    let Ok(()) = jobs::run::<_, Infallible>(work, &args.paths, &progress, |files| {
        games.take(files, &progress);
        Ok(())
    });
    let beginnings = cut_short::find(&mut games, &args.paths, &progress);
    progress.finish();
    let groups = Groups::new(&mut games, &beginnings);
    let mut out = io::BufWriter::new(io::stdout());
    let printed = match (args.json, args.print0) {
        (true, _) => print::json(&mut out, &games, &groups),
        (_, true) => print::removable(&mut out, &games, &groups),
        _ => print::text(&mut out, &games, &groups),
    };
    printed.and_then(|()| out.flush()).map_err(Failure::Output)?;
    Ok(ExitCode::from(if games.unreadable.is_empty() { 0 } else { TROUBLE }))
}
