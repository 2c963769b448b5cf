//! `sgf dups`: which games an archive has more than once.
//!
//! All games are read once, on all cores ([`work`]), and of each one 32 bytes are kept ([`games`]). Games with equal
//! [`LineHash`](sgf_stream::board::LineHash) are copies. Games of which only the first 30 stones are the same are read once
//! more ([`cut_short`]): one of them may be the beginning of the other. The games of the [`groups`] are read again
//! ([`reread`]) for what they say ([`contents`]), which decides which one is best and which may go. [`merge`] gives the best
//! ones what they lack, and the groups are printed ([`print`]).

mod contents;
mod cut_short;
mod faults;
mod games;
mod groups;
mod merge;
mod only;
mod print;
mod reread;
mod work;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use self::contents::Contents;
use self::faults::OfGame;
use self::games::Games;
use self::groups::{Group, Groups};
use self::merge::Merged;
use self::print::Found;
use self::reread::Places;
use self::work::Fingerprinting;
use crate::decoding::GameType;
use crate::destination::{self, Destination};
use crate::failure::{Failure, TROUBLE};
use crate::input::{Name, Paths, is_stdin};
use crate::jobs::{self, Threads};
use crate::progress::Progress;
use crate::terminal::Writes;

/// Find copies of games, also turned, mirrored, cut short and with other headers.
///
/// Games are copies if they have the same setup, and their main lines put stones on the same points of the board in the same
/// order. Game information, comments, variations, passes and colors do not count, and the board may be turned or mirrored. A
/// game that is the beginning of another is a copy that was cut short. The column `canonical` of the tables and the report use
/// the same definition, without games that were cut short.
#[derive(clap::Args)]
#[command(after_long_help = MORE)]
pub(crate) struct Args {
    #[command(flatten)]
    paths: Paths,

    /// Print one JSON object instead of lines. With --merge, --output FILE is needed.
    #[arg(long)]
    json: bool,

    /// Print the files that may go, each followed by a NUL byte.
    ///
    /// These are the files all of whose games may go. Files that could not be read to their end stay, as do members of
    /// archives.
    #[arg(long, conflicts_with_all = ["json", "output"])]
    print0: bool,

    /// Compare only games with at least N stones, of setup and main line together.
    ///
    /// Default: 30, since short games begin with the same moves by chance; 5 in problems, whose setup has stones of both
    /// colors. Games with fewer than 30 stones in the main line are copies only if they have the same number of them.
    #[arg(long, value_name = "N")]
    min_stones: Option<u16>,

    /// Prefer games in this file, directory or archive: the best copy is one of them.
    ///
    /// Several may be given; the first one that has a copy counts. A PATH without an input is an error.
    #[arg(long, value_name = "PATH")]
    prefer: Vec<PathBuf>,

    /// Let all copies but the best one go, whatever they say.
    #[arg(long)]
    lossy: bool,

    /// Write the best game of each group, with the game information that it lacks taken from its copies.
    ///
    /// The games are written as a collection in SGF, to --output or to standard output, in UTF-8 unless bytes of their texts
    /// would be lost. Nothing else is changed. Where games have different values of a property, the best one keeps its own,
    /// and the lines and --json name the others. Values with bytes that are not in their charset are not taken over. Comments,
    /// marks and variations are not merged. A group is left out, with a message, if the parser drops text in its best game that
    /// is not SGF; --lossy drops the text.
    #[arg(long, conflicts_with = "print0")]
    merge: bool,

    /// Write the merged games to this file, and the groups to standard output. A file that exists is replaced.
    #[arg(long, short, value_name = "FILE", requires = "merge")]
    output: Option<PathBuf>,

    #[command(flatten)]
    game_type: GameType,

    #[command(flatten)]
    threads: Threads,
}

const MORE: &str = r#"Which copy is best:
  One that --prefer names; of these, the one with the most stones in its main
  line; of these, the one with the most values of game information (PB, DT, EV
  and so on); of these, the one with the most comments, marks, times and
  variations; of these, the one with the fewest faults that the parser had to
  repair; of these, the first. The best copy has the reason beside it.

Which copies may go:
  Those marked "copy". A game may go only if one that stays says everything
  that it says: each value of its game information, each comment, mark, time
  and private property at its place, each variation, and the colors of the
  moves. Values of DT, RE, KM and TM are compared by their meaning if they are
  correct in FF[4], and as texts if not. White space does not count, nor do
  passes, and what describes the file: AP, CA, FF, GM, ST, SZ. If the board is
  turned or mirrored, marks, variations and unknown properties are never the
  same. Text that the parser drops is in no other game: a game stays that has
  such text in it, before it, or after it at the end of a file. Copies that
  stay are marked "stay", with what the best one lacks. --lossy lets them go.

How a game is a copy of the best one:
  turned, mirrored, colors exchanged (the other side plays the first stone),
  cut short. A copy with none of these has the same line on the same points.
  A board of Go has eight symmetries, one of Hex has two: it can be turned by
  180 degrees. Colors of setup count in relation to the side that plays first:
  a problem with all colors exchanged is a copy, but Black to play is another
  problem than White to play. Other games are compared as they are written.

Limits:
  A game that takes more than 32 MiB as a tree stays, is compared by its line
  only, and is not merged; in standard input it is left out. Standard input is
  read once, so games in it that were cut short are not found, and are not
  merged. Memory: 32 bytes per game, the names of the files,
  and 8 bytes per property of the games in groups, moves excepted.

JSON:
  games groups copies   games read, groups of copies, games that may go:
                        numbers
  found                 the groups: {stones, best, reason, games}. `best` is an
                        index into `games`, a list of {file, offset, stones,
                        information, others, faults, kinds, kept, says_more}.
                        `information` and `others` count what a game says.
                        `kinds` is a list of turned, mirrored, colors exchanged
                        and cut short. `kept` is the index of a game that says
                        everything that this one says, so that it may go, or
                        null. `says_more` names what the best one lacks.
                        At most 65,535 stones and 15 faults are counted. If a
                        name is not UTF-8, path_base64 has its bytes
                        With --merge also `taken`: the properties that the best
                        game takes over, with their values; and `different`: a
                        list of {game, property, values} that it does not
  unreadable            a list of {file, message}

Exit codes:
  0  everything was read, whatever was found in it
  2  wrong usage, or something could not be read, such as a game of standard
     input that is too large (reported on standard error)"#;

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    args.threads.set()?;
    let output = args.output.as_deref();
    if args.merge && args.json && output.is_none_or(is_stdin) {
        return Err(Failure::Usage(
            "--merge writes to standard output, where --json writes too; use --output FILE".to_owned(),
        ));
    }
    let failure = destination::failure(output);
    let destination = match (args.merge, output) {
        (false, _) => None,
        (true, None) => Some(Destination::Stdout(io::stdout())),
        (true, Some(path)) => Some(Destination::create(path, &args.paths.paths).map_err(&failure)?),
    };
    let progress = Arc::new(Progress::new(Writes::AtEnd, || args.paths.total_size()));
    let mut games = Games::preferring(&args.prefer);
    let default_game = args.game_type.default_game();
    let work = Fingerprinting::new(args.min_stones.map(usize::from), default_game, args.merge);
    let Ok(()) = jobs::run::<_, std::convert::Infallible>(work, &args.paths, &progress, |files| {
        games.take(files, &progress);
        Ok(())
    });
    if let Some(path) = games.preferred_without_input() {
        progress.finish();
        return Err(Failure::Usage(format!("--prefer {}: no input is in it", Name::of(path))));
    }
    let beginnings = cut_short::find(&mut games, default_game, &args.paths, &progress);
    let groups = Groups::new(&games, &beginnings);
    read_contents(&groups, &mut games, args, &progress);
    let groups = groups.compare(&games, args.lossy);
    let merged: Vec<Merged> = match args.merge {
        true => groups.iter().map(|group| Merged::of(group, &games, args.lossy)).collect(),
        false => Vec::new(),
    };
    let has_listing = destination.is_none() || output.is_some_and(|path| !is_stdin(path));
    if let Some(destination) = destination {
        let written = merge::write(&groups, &merged, &games, &args.paths, &progress, destination);
        written.map_err(failure)?;
    }
    progress.finish();
    args.game_type.note_like_hex(games.like_hex);
    if has_listing {
        print(args, &Found { games: &games, groups: &groups, merged: &merged })?;
    } else {
        note_different(&groups, &merged, &games);
    }
    Ok(ExitCode::from(if games.unreadable.is_empty() { 0 } else { TROUBLE }))
}

/// Reads what the games of groups say.
fn read_contents(groups: &Groups, games: &mut Games, args: &Args, progress: &Arc<Progress>) {
    let mut places = Places::new();
    for game in groups.games() {
        places.add(games, game, (game.file, game.offset));
    }
    let keeps_texts = args.merge;
    let make = move |tree, place: &(u32, u64), faults: OfGame| (*place, Contents::of(&tree, faults.drops, keeps_texts));
    let contents = &mut games.contents;
    reread::all_trees(places, &args.paths, progress, make, |(place, of_game)| _ = contents.insert(place, of_game));
}

fn print(args: &Args, found: &Found<'_>) -> Result<(), Failure> {
    let mut out = io::BufWriter::new(io::stdout());
    let printed = match (args.json, args.print0) {
        (true, _) => print::json(&mut out, found),
        (_, true) => print::removable(&mut out, found),
        _ => print::text(&mut out, found),
    };
    printed.and_then(|()| out.flush()).map_err(Failure::Output)
}

/// Says that values were not taken over, where the groups are not printed.
fn note_different(groups: &[Group], merged: &[Merged], games: &Games) {
    let different: usize = merged.iter().map(|merged| merged.different.len()).sum();
    if let Some((group, merged)) = groups.iter().zip(merged).find(|(_, merged)| !merged.different.is_empty())
        && let Some(first) = merged.different.first()
    {
        let values = crate::tables::counted(different as u64, "value");
        crate::failure::note(format_args!(
            "{values} not taken over, such as {} in {}, since the best game has another one or since bytes of them are not in \
             their charset; --output FILE lists them",
            first.property,
            games.name(&group.games[first.game])
        ));
    }
}
