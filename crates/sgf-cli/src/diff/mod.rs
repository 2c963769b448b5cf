//! `sgf diff`: what changed between two versions of a collection.
//!
//! Both are read once on all cores, and some hashes per game are kept ([`games`]). [`pairs`] finds the old version of each
//! new game. The games whose header or moves changed are read once more, for what is printed ([`print`]).

mod games;
mod pairs;
mod print;

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use self::games::Archive;
use self::pairs::Pairs;
use crate::decoding::{Charsets, GameType};
use crate::failure::{Failure, TROUBLE};
use crate::input::{Paths, is_stdin};
use crate::jobs::Threads;
use crate::progress::Progress;
use crate::terminal::Writes;

/// Compare two versions of a collection: new and missing games, other headers, other moves.
///
/// OLD and NEW are files, directories or archives. A game is compared with the game of the same file: the one with the same
/// bytes, or else the same moves, or else the same place in the file. A game that is in another file now was moved: it has
/// the same bytes, or the same main line of at least 10 moves.
#[derive(clap::Args)]
#[command(
    after_long_help = MORE,
    override_usage = "sgf diff [OPTIONS] <OLD> <NEW>",
    mut_arg("paths", |paths| paths.help("OLD and NEW: files, directories or archives")),
)]
pub(crate) struct Args {
    #[command(flatten)]
    paths: Paths,

    /// Print one JSON object instead of lines.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    charsets: Charsets,

    #[command(flatten)]
    game_type: GameType,

    #[command(flatten)]
    threads: Threads,
}

const MORE: &str = r#"Lines:
  new      a game that is only in NEW
  gone     a game that is only in OLD
  moved    a game with the same bytes in another file
  header   properties of the root or of game information that have other values
  moves    another main line: the number of moves, and how many are the same
           from the start on
  content  the same header and moves, but other bytes: comments, marks,
           variations, times or white space

  A game may have several lines. Files are named relative to OLD and NEW. A file
  with several games is followed by the number of the game, from 1. If all games
  of a file are new or gone, the file has one line.

Memory:
  About 80 bytes per game, the names of the files, and the headers of the games
  that changed. OLD and NEW are read twice, so neither can be standard input.

JSON:
  games        {old, new}: numbers of games read
  same         number of games that did not change
  changes      a list of {old, new, moved, header, moves, content}. `old` and
               `new` are {file, game, offset}, or null for a game that is only in
               one of the two. Games are counted from 0. `header` is a list of
               {property, old, new}; `moves` is {old, new, same}, or null
  unreadable   a list of {file, message}"#;

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    args.threads.set()?;
    let [old, new] = &args.paths.paths[..] else {
        return Err(Failure::Usage("compares two paths: OLD and NEW".to_owned()));
    };
    if is_stdin(old) || is_stdin(new) {
        return Err(Failure::Usage(
            "OLD and NEW are read twice, so neither can be standard input; save it to a file first".to_owned(),
        ));
    }
    let progress = Arc::new(Progress::new(Writes::AtEnd, || args.paths.total_size()));
    let read = |path: &Path| {
        Archive::read(&args.paths.with_paths(vec![path.to_owned()]), path, args.charsets, args.game_type, &progress)
    };
    let (old, new) = (read(old), read(new));
    let pairs = Pairs::of(&old, &new);
    let changed = || pairs.changed.iter().filter(|pair| pair.needs_details());
    let of_old = games::details(&old, changed().map(|pair| pair.old), args.charsets, args.game_type, &progress);
    let of_new = games::details(&new, changed().map(|pair| pair.new), args.charsets, args.game_type, &progress);
    progress.finish();
    args.game_type.note_like_hex(old.like_hex + new.like_hex);
    let found = print::Found { old: &old, new: &new, pairs: &pairs, of_old: &of_old, of_new: &of_new };
    let mut out = io::BufWriter::new(io::stdout());
    let printed = if args.json { print::json(&mut out, &found) } else { print::text(&mut out, &found) };
    printed.and_then(|()| out.flush()).map_err(Failure::Output)?;
    print::note_summary(&found);
    let is_sound = old.unreadable.is_empty() && new.unreadable.is_empty();
    Ok(ExitCode::from(if is_sound { pairs.has_changes().into() } else { TROUBLE }))
}
