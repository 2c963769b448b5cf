//! `sgf dups`: finds duplicate games.
//!
//! All games are read once, on all cores ([`work`]), and 32 bytes per game are kept ([`games`]). Games with equal
//! [`LineHash`](sgf_board::LineHash) are probably copies. Games that only have the first 30 stones in common are read
//! once more ([`cut_short`]): one of them may be the beginning of the other. The games of the [`groups`] are read again
//! ([`reread`]) for their lines, since hashes can be forged: only games with equal lines, or a line that begins with the
//! other, stay in a group. Their [`contents`] decide which one is best and which are redundant. [`merge`] adds what the
//! best ones lack, and the groups are printed ([`print`]).

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
use self::games::{Game, Games};
use self::groups::{Group, Groups};
use self::merge::Merged;
use self::print::Found;
use self::reread::Places;
use self::work::Fingerprinting;
pub(crate) use self::work::{LEAST_STONES, LEAST_STONES_OF_PROBLEM, compared_line};
use crate::decoding::GameType;
use crate::destination;
use crate::failure::{Failure, TROUBLE};
use crate::input::{Name, Paths, is_stdin};
use crate::jobs::{self, Threads};
use crate::progress::Progress;
use crate::terminal::Writes;

/// Find duplicate games, including turned, mirrored and truncated ones.
///
/// Games are copies if they have the same setup, and their main lines put stones on the same points of the board in the same
/// order. Root properties, comments, variations, passes and colors do not count, and the board may be turned or mirrored. A
/// game that is the beginning of another is a truncated copy. The column `canonical` of the tables and the report use
/// the same definition, without truncated copies.
#[derive(clap::Args)]
#[command(after_long_help = MORE)]
pub(crate) struct Args {
    #[command(flatten)]
    paths: Paths,

    /// Print one JSON object instead of lines. With --merge, --output FILE is needed.
    #[arg(long)]
    json: bool,

    /// Print the redundant files, NUL-terminated (for `xargs -0`).
    ///
    /// A file is redundant if each of its games is. Files that could not be read to their end are never redundant, nor are
    /// members of archives.
    #[arg(long, conflicts_with_all = ["json", "output"])]
    print0: bool,

    /// Compare only games with at least N stones, of setup and main line together.
    ///
    /// Default: 30, since short games often have the same moves; 5 in problems, whose setup has stones of both colors.
    /// Games with fewer than 30 stones in the main line are copies only if they have the same number of stones.
    #[arg(long, value_name = "N")]
    min_stones: Option<u16>,

    /// Prefer games in this file, directory or archive: the best copy is one of them.
    ///
    /// Can be repeated; the first PATH with a copy decides. A PATH without an input is an error.
    #[arg(long, value_name = "PATH")]
    prefer: Vec<PathBuf>,

    /// Treat all copies but the best one as redundant, even if that loses content.
    #[arg(long)]
    lossy: bool,

    /// Write the best game of each group, completed with game information from its copies.
    ///
    /// The games are written as an SGF collection, to --output or to standard output, in UTF-8 unless bytes of their texts
    /// would be lost. Nothing else is changed. If games have different values of a property, the best one keeps its own,
    /// and the lines and --json show the others. Values with bytes that are invalid in their charset are not taken over.
    /// Comments, marks and variations are not merged. A group is skipped, with a message, if the parser drops text in its
    /// best game that is not SGF; --lossy drops the text.
    #[arg(long, conflicts_with = "print0")]
    merge: bool,

    /// Write the merged games to this file, and the groups to standard output. An existing file is replaced.
    #[arg(long, short, value_name = "FILE", requires = "merge")]
    output: Option<PathBuf>,

    #[command(flatten)]
    game_type: GameType,

    #[command(flatten)]
    threads: Threads,
}

const MORE: &str = r#"Which copy is best:
  Copies are ranked according to --prefer, then stones in the main line, then
  values of game information (PB, DT, EV and so on), then comments, marks, times
  and variations, then fewest repaired syntax errors, then input order. The best
  copy has the reason beside it.

Which copies are redundant:
  Those marked "copy". A game is redundant only if another game, which is
  kept, contains everything in it: each value of its game information, each
  comment, mark, time and private property in the same node, each variation,
  and the colors of the moves. Valid FF[4] values of DT, RE, KM and TM are
  compared as dates, results and numbers, other values as text. White space
  and passes do not count, nor do properties that describe the file: AP, CA,
  FF, GM, ST, SZ. If the board is turned or mirrored, marks, variations and
  unknown properties are never the same. Text that the parser drops is in no
  other game: a game is not redundant if such text is in it, before it, or
  after it at the end of a file. Copies that are not redundant are marked
  "keep", with what the best one lacks. With --lossy they are redundant.

How a game is a copy of the best one:
  turned, mirrored, colors exchanged (the other side plays the first stone),
  truncated. A copy with none of these has the same line on the same points.
  A Go board has eight symmetries. A Hex board has two: it can be turned by 180
  degrees. Colors of setup stones count relative to the side that plays first: a
  problem with all colors exchanged is a copy, but Black to play is another
  problem than White to play. Other games are compared as they are written.

Limits:
  A game whose tree would exceed 32 MiB is not compared; in standard input it is
  skipped. Standard input is read once, so truncated games in it are not found
  and not merged. Memory: 32 bytes per game, the names of the files, and, of the
  games in groups and on standard input, 8 bytes per property (except moves)
  and 2 bytes per stone of each line. The largest group takes 16 bytes more per
  property. A game is compared with at most 100 of its copies that are kept.

JSON:
  games groups copies   numbers of games read, groups of copies, and redundant
                        games
  found                 the groups: {stones, best, reason, games}. `best` is an
                        index into `games`, a list of {file, offset, stones,
                        information, others, syntax_errors, kinds, kept,
                        says_more}. `information` and `others` count the content
                        of a game. `kinds` is a list of turned, mirrored, colors
                        exchanged and truncated. `kept` is the index of a game
                        that contains everything in this one, so that this one
                        is redundant, or null. `says_more` lists what the best
                        one lacks. At most 65,535 stones and 15 syntax errors
                        are counted. If a name is not UTF-8, path_base64 has its
                        bytes.
                        With --merge also `taken`: the properties that the best
                        game takes over, with their values; and `different`: a
                        list of {game, property, values} that it does not.
                        Games are indexes from 0
  unreadable            a list of {file, message}"#;

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    args.threads.set()?;
    let output = args.output.as_deref();
    if args.merge && args.json && output.is_none_or(is_stdin) {
        return Err(Failure::Usage(
            "--merge and --json would both write to standard output; use --output FILE".to_owned(),
        ));
    }
    let destination = args.merge.then(|| destination::open(output, &args.paths.inputs())).transpose()?;
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
        return Err(Failure::Usage(format!("--prefer {}: no input matches this path", Name::of(path))));
    }
    let beginnings = cut_short::find(&mut games, default_game, &args.paths, &progress);
    let groups = Groups::new(&games, &beginnings);
    read_contents(&groups, &mut games, args, &progress);
    let groups = groups.with_equal_lines(&games).compare(&games, args.lossy);
    let merged: Vec<Merged> = match args.merge {
        true => groups.iter().map(|group| Merged::of(group, &games, args.lossy)).collect(),
        false => Vec::new(),
    };
    let has_listing = destination.is_none() || output.is_some_and(|path| !is_stdin(path));
    if let Some(destination) = destination {
        let written = merge::write(&groups, &merged, &games, &args.paths, &progress, destination);
        written.map_err(destination::failure(output))?;
    }
    progress.finish();
    args.game_type.note_like_hex(games.like_hex);
    if has_listing {
        print(args, &Found { games: &games, groups: &groups, merged: &merged })?;
    } else {
        warn_different(&groups, &merged, &games);
    }
    Ok(ExitCode::from(if games.unreadable.is_empty() { 0 } else { TROUBLE }))
}

/// Reads the contents of the games in groups.
fn read_contents(groups: &Groups, games: &mut Games, args: &Args, progress: &Arc<Progress>) {
    let mut places = Places::new();
    for game in groups.games() {
        places.add(games, game, *game);
    }
    let (keeps_texts, default_game) = (args.merge, args.game_type.default_game());
    let make = move |tree, game: &Game, faults: OfGame| {
        let line = game.line_in(&tree, default_game);
        ((game.file, game.offset), Contents::of(&tree, line, faults.drops, keeps_texts))
    };
    reread::all_trees(places, &args.paths, progress, make, |(place, contents)| games.add_contents(place, contents));
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

/// Warns that values were not taken over, where the groups are not printed.
fn warn_different(groups: &[Group], merged: &[Merged], games: &Games) {
    let different: usize = merged.iter().map(|merged| merged.different.len()).sum();
    if let Some((group, merged)) = groups.iter().zip(merged).find(|(_, merged)| !merged.different.is_empty())
        && let Some(first) = merged.different.first()
    {
        let values = crate::tables::counted(different as u64, "value");
        crate::failure::warn(format_args!(
            "{values} not taken over, such as {} in {}: the best game has another value, or bytes are invalid in their \
             charset (--output FILE lists them)",
            first.property,
            games.name(&group.games[first.game])
        ));
    }
}
