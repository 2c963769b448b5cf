//! `sgf openings`: the tree of the first positions of games, with statistics.
//!
//! The library counts ([`sgf_search::Openings`]); [`work`] reads the parts of all files on all cores ([`jobs`]). [`print`] prints
//! the tree as text and JSON, [`sgf`] as a game with variations, and [`picture`] as SVG.

mod picture;
mod print;
mod sgf;
pub(crate) mod work;

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use sgf_input::Output;
use sgf_search::Openings;
use sgf_stream::value::Size;

use self::print::Printed;
use self::work::{Opening, Read};
use crate::decoding::{Charsets, GameType};
use crate::destination;
use crate::failure::{Failure, TROUBLE, note, note_trouble, print_located};
use crate::find::groups::{self, By};
use crate::find::pattern;
use crate::input::{Condition, Conditions};
use crate::input::{Paths, is_stdin};
use crate::jobs::{self, Threads};
use crate::people::NamesFile;
use crate::progress::Progress;
use crate::tables::{counted, grouped};
use crate::terminal::Writes;

/// Print the tree of openings: positions, how often they occur, and who wins.
///
/// Positions that are rotations or reflections of each other are one, and so are those that come from another order of
/// moves. Only main lines of Go count, on boards of one size, without handicap.
#[derive(clap::Args)]
#[command(after_long_help = MORE)]
pub(crate) struct Args {
    #[command(flatten)]
    paths: Paths,

    /// Size of the board: 19, or columns and rows such as 19x13.
    #[arg(long, value_name = "SIZE", default_value = "19", value_parser = size)]
    size: Size,

    /// Begin with this position of a whole board instead of the empty one.
    ///
    /// It is SGF, a diagram, or a file with either. Points that are not named are empty. A handicap is one: '(;AB[pd][dp])'.
    #[arg(long, value_name = "PATTERN", conflicts_with = "size")]
    from: Option<std::ffi::OsString>,

    /// Number of moves after the first position.
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u16).range(1..=100))]
    plies: u16,

    /// Leave out positions with fewer games. Default: 1 % of the games, at least 5.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    min_games: Option<u64>,

    /// Count only games with this value in a column: 'date>=1990', 'black_rank_n>=9', 'PB~^Lee'.
    ///
    /// Can be repeated; all conditions must hold. Columns and operators are those of `sgf edit --where`. Names of --names are
    /// replaced first.
    #[arg(long = "where", value_name = "CONDITION")]
    conditions: Vec<Condition>,

    /// Print one JSON object instead of a tree.
    #[arg(long)]
    json: bool,

    /// Write the tree to FILE as a game with variations, which any editor opens.
    ///
    /// The comments have the statistics, and letters are on the next moves. `-` is standard output, instead of the tree.
    #[arg(long, value_name = "FILE")]
    sgf: Option<PathBuf>,

    /// Write a picture of the tree to FILE as SVG: a board for each position.
    ///
    /// It has the 200 positions with most games. `-` is standard output, instead of the tree.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Also count groups of games: decade, year, rank, or a column.
    ///
    /// The rank is that of the weaker player. A second table has the share of the games of each group that have a position, for
    /// the 8 groups with most games; JSON has all.
    #[arg(long, value_name = "GROUP", value_parser = groups::by)]
    by: Option<By>,

    /// Number of positions to keep in memory; each takes about 200 bytes.
    ///
    /// Where there are more, those with the fewest games are dropped, and a message says how many games at most are missing
    /// in the numbers of a position.
    #[arg(long, value_name = "N", default_value_t = 4_000_000, value_parser = clap::value_parser!(u32).range(1..))]
    max_positions: u32,

    #[command(flatten)]
    names: NamesFile,

    #[command(flatten)]
    charsets: Charsets,

    #[command(flatten)]
    game_type: GameType,

    #[command(flatten)]
    threads: Threads,
}

const MORE: &str = r#"Tree:
  Each line has a number, a move, the games that have the position after it in
  any order of moves, their share of all games, the share of Black's wins in
  games that somebody won, its 95 % interval (Wilson), and the years. Moves are
  turned so that the first one is in the upper right corner. `= 12` leads to
  the position of line 12, which has the moves after it; its games are those
  with this order of moves.

JSON:
  read         number of all games
  games        number of those that count: they have the first position
  size plies min_games   numbers; `size` is [columns, rows]
  groups       {group, games, black_wins, ...} of --by, in their order
  missing      games at most that are missing in the numbers of a position
  nodes        {id, parent, ply, color, point, games, by_move, share, black_wins,
               white_wins, draws, unknown, black_share, first_year, last_year,
               same_as, groups}. `point` is null for a pass. `by_move` is the
               number of games in which this move led to the position. `same_as`
               is the id of the node with the moves after it, or null. The first
               node is the first position

Examples:
  sgf openings GAMES/
  sgf openings --where 'date>=2016' --where 'black_rank_n>=7' GAMES/
  sgf openings --plies 3 --by decade --svg tree.svg GAMES/
  sgf openings --plies 20 --min-games 100 --sgf tree.sgf GAMES/"#;

/// Parses `19`, `19x13` or `19:13`.
fn size(text: &str) -> Result<Size, String> {
    let mut sides = text.split(['x', ':']).map(|side| side.trim().parse::<u32>().ok());
    let size = match (sides.next().flatten(), sides.next(), sides.next()) {
        (Some(side), None, _) => Size::square(side),
        (Some(columns), Some(Some(rows)), None) => Size::new(columns, rows),
        _ => None,
    };
    size.filter(|size| size.columns().max(size.rows()) <= 52)
        .ok_or_else(|| "use 19, or 19x13, of at most 52".to_owned())
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    args.threads.set()?;
    let inputs = args.paths.inputs().and(&args.from);
    let json = args.json.then_some(Path::new("-"));
    destination::expect(&[("--json", json), ("--sgf", args.sgf.as_deref()), ("--svg", args.svg.as_deref())], &inputs)?;
    let openings = args.openings()?;
    let progress = Arc::new(Progress::new(Writes::AtEnd, || args.paths.total_size()));
    let mut all = Read::new(openings.empty());
    let mut has_troubles = false;
    let work = Opening {
        openings,
        is_even: args.from.is_none(),
        conditions: Conditions::new(args.conditions.clone()),
        by: args.by.clone(),
        names: args.names.read()?,
        charsets: args.charsets,
        game_type: args.game_type,
    };
    let Ok(()) = jobs::run::<_, std::convert::Infallible>(work, &args.paths, &progress, |mut read| {
        for (name, error) in read.troubles.drain(..) {
            has_troubles = true;
            note_trouble(&name, error);
        }
        for (name, position, message) in read.faults.drain(..) {
            progress.suspend(|| print_located(&name, position, sgf_stream::Severity::Error, &message));
        }
        all.add(read);
        Ok(())
    });
    progress.finish();
    let games = all.openings.games();
    let min_games = args.min_games.unwrap_or((games / 100).max(5));
    let tree = all.openings.tree(min_games);
    let printed = Printed::new(&tree, &all.openings);
    let write = |path: &PathBuf, text: String| {
        Output::write(path, text.as_bytes(), &inputs).map_err(destination::failure(Some(path)))
    };
    args.sgf.iter().try_for_each(|path| write(path, printed.sgf()))?;
    args.svg.iter().try_for_each(|path| write(path, printed.svg()))?;
    if !args.sgf.iter().chain(&args.svg).any(|path| is_stdin(path)) {
        let mut out = BufWriter::new(io::stdout());
        let written =
            if args.json { printed.json(&mut out, all.games, args.plies, min_games) } else { printed.text(&mut out) };
        written.and_then(|()| out.flush()).map_err(Failure::Output)?;
    }
    args.game_type.note_like_hex(all.like_hex);
    if all.games > 0 {
        note(format_args!("{}", summary(&all, games)));
    }
    if all.openings.dropped() > 0 {
        note(format_args!(
            "there were more positions than --max-positions: up to {} may be missing in each number",
            counted(all.openings.dropped(), "game")
        ));
    }
    Ok(ExitCode::from(if has_troubles { TROUBLE } else { (games == 0).into() }))
}

/// Returns the numbers of games, and of those that do not count.
fn summary(all: &Read, games: u64) -> String {
    let mut text = format!("{} of {} counted", grouped(games), counted(all.games, "game"));
    for (number, what) in [
        (all.games - all.with_start, "without the first position"),
        (all.handicap, "with handicap"),
        (all.refused, "with other values than --where"),
    ] {
        if number > 0 {
            text += &format!("; {} {what}", grouped(number));
        }
    }
    text
}

impl Args {
    fn openings(&self) -> Result<Openings, Failure> {
        let openings = match &self.from {
            None => Openings::from_empty(self.size),
            Some(given) => Openings::from_pattern(&pattern::read("--from", given, &self.paths)?),
        };
        let openings = openings.ok_or_else(|| {
            Failure::Usage(
                "--from: the position of a whole board is needed, of stones only and without moves".to_owned(),
            )
        })?;
        Ok(openings.plies(self.plies).max_positions(self.max_positions as usize))
    }
}
