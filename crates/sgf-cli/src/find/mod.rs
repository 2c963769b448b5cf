//! `sgf find`: the games with a pattern, and what was played next.
//!
//! The library searches ([`sgf_search`]); [`pattern`] reads what is looked for. [`work`] searches the parts of all files on all
//! cores ([`jobs`]), and reads those games again that match: for [`facts`], such as players and results, for [`paths`] of
//! variations, and for their bytes. [`output`] formats the hits, and [`statistics`] prints the sums.

pub(crate) mod facts;
pub(crate) mod groups;
mod index;
mod output;
mod paths;
pub(crate) mod pattern;
pub(crate) mod statistics;
mod work;

use std::ffi::OsString;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use sgf_input::{Inputs, Output};
use sgf_search::{Continuations, Counts, Place, Search};

use self::facts::Facts;
use self::groups::By;
use self::output::Format;
use self::work::{Finding, Found};
use crate::decoding::{Charsets, GameType};
use crate::destination;
use crate::failure::{Failure, TROUBLE, note, note_trouble, print_located};
use crate::input::Paths;
use crate::input::{Condition, Conditions};
use crate::jobs::{self, Threads};
use crate::names::{self, named};
use crate::numbers::GamesBefore;
use crate::people::NamesFile;
use crate::progress::Progress;
use crate::tables::{counted, grouped};
use crate::terminal::Writes;

/// Find games that have a position or a pattern, and what was played next.
///
/// Prints a line for each game: where the pattern is, the next move there, players, date and result. The pattern may also
/// be turned, mirrored, and have its colors exchanged. Files of any size are searched in constant memory, without an index.
#[derive(clap::Args)]
#[command(
    after_long_help = MORE,
    mut_arg("paths", |paths| paths.required_unless_present("index")),
)]
pub(crate) struct Args {
    /// The pattern: SGF, a diagram such as '.X./XOX', or a file with either.
    // Its first line may be the upper side of a board: `---+`.
    #[arg(value_name = "PATTERN", allow_hyphen_values = true)]
    pattern: OsString,

    #[command(flatten)]
    paths: Paths,

    /// Search this index of `sgf index`, instead of files. Columns are those that the index has.
    ///
    /// Options that say how files are found and read cannot be used with it. A GLOB of --exclude has no `/` then, and is
    /// compared with the names of files and members, and of all directories and archives that they are in.
    #[arg(long, value_name = "DIR", conflicts_with_all = READING)]
    index: Option<PathBuf>,

    /// Look only where the pattern is on its own board.
    ///
    /// The board may be turned and mirrored with it, unless --no-symmetries is given.
    #[arg(long, conflicts_with = "anywhere")]
    fixed: bool,

    /// Look everywhere, even if the pattern touches a side of its board.
    #[arg(long)]
    anywhere: bool,

    /// Do not turn or mirror the pattern.
    #[arg(long)]
    no_symmetries: bool,

    /// Do not exchange the colors of the pattern.
    #[arg(long)]
    keep_colors: bool,

    /// Points of the region that the pattern does not name must be empty.
    #[arg(long)]
    empty_rest: bool,

    /// Search variations too.
    #[arg(long)]
    variations: bool,

    /// Find each place and orientation in a game, instead of the first one.
    #[arg(long)]
    every_place: bool,

    /// Find only games with this value in a column: 'black=Lee Sedol', 'date>=1990', 'PB~^Lee'.
    ///
    /// Can be repeated; all conditions must hold. Columns and operators are those of `sgf edit --where`. Names of --names are
    /// replaced first.
    #[arg(long = "where", value_name = "CONDITION")]
    conditions: Vec<Condition>,

    /// Columns to print after the hit: names of `sgf records --list-columns`, and identifiers of root properties.
    ///
    /// Default: players, ranks, date and result; with --json or --csv, none.
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', value_parser = named(facts::column, names::columns), hide_possible_values = true)]
    columns: Option<Vec<String>>,

    /// Print JSON: an object per line, or, with --statistics, one object.
    #[arg(long, conflicts_with = "csv")]
    json: bool,

    /// Print CSV with a header line.
    #[arg(long, conflicts_with = "statistics")]
    csv: bool,

    /// Print only the number of games that match.
    #[arg(long, conflicts_with_all = ["json", "csv", "statistics"])]
    count: bool,

    /// Stop after N games that match. Games after them are not searched.
    #[arg(long, value_name = "N", conflicts_with = "statistics", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,

    /// Write the games that match to FILE, byte for byte, instead of printing lines.
    ///
    /// They come in order, each with a line break after it. `-` is standard output.
    #[arg(long, short = 'o', value_name = "FILE")]
    write: Option<PathBuf>,

    /// Print what was played next: games, wins and years of each move.
    ///
    /// Colors are those of the pattern: in a game that has it with exchanged colors, White's wins count for Black.
    #[arg(long)]
    statistics: bool,

    /// With --statistics, also draw the pattern, with a letter on each next move.
    #[arg(long, requires = "statistics", conflicts_with = "json")]
    board: bool,

    /// With --statistics, write this drawing to FILE as SVG.
    #[arg(long, value_name = "FILE", requires = "statistics")]
    svg: Option<PathBuf>,

    /// With --statistics, number of next moves in the table and the drawing. JSON has all.
    #[arg(long, value_name = "N", default_value_t = 20, requires = "statistics")]
    top: usize,

    /// With --statistics, also count groups of games: decade, year, rank, or a column.
    ///
    /// The rank is that of the weaker player. Memory grows with the number of groups.
    #[arg(long, value_name = "GROUP", requires = "statistics", value_parser = groups::by)]
    by: Option<By>,

    #[command(flatten)]
    names: NamesFile,

    #[command(flatten)]
    charsets: Charsets,

    #[command(flatten)]
    game_type: GameType,

    #[command(flatten)]
    threads: Threads,
}

/// The arguments that an index cannot honor: what is read, and how, is settled when it is built.
const READING: [&str; 11] = [
    "paths",
    "write",
    "files0_from",
    "follow",
    "charset",
    "default_charset",
    "max_unpacked",
    "max_ratio",
    "max_nesting",
    "max_members",
    "max_window",
];

const MORE: &str = r#"Patterns:
  SGF        such as (;AB[pd]AW[qf]VW[la:sh];B[nc]). AB and AW are stones, AE
             empty points; QE, QB and QW points that are not empty, not black,
             not white. The region is VW, or else the rectangle around all other
             points. The moves after it must follow in this order; moves outside
             of the region are allowed between them. SZ is the size of the
             board, 19 without it
  a diagram  rows of X and O (stones), . (empty), * (anything), x (black or
             empty), o (white or empty), @ (a stone), 1 to 9 (moves that follow),
             each on a line, or with / between them. A | at the left or right,
             and a row of - above or below, is the side of the board
  a file     with SGF or a diagram; `-` is standard input

  A region that touches sides of the board is looked for at such sides, in a
  corner for example; one that touches none, anywhere.

What matches:
  A game matches if its position after some node has what the pattern wants on
  all points of the region; captured stones are gone. The first such node counts.
  If moves must follow, the first node counts after which they are complete:
  that may be a later place than the first one with the stones. --every-place
  finds the others. Only main lines are searched, unless --variations is given.
  Games other than Go, and those on a board that is too small, never match.

Lines:
  The file, and the number of the game in it, from 1; the move after which the
  pattern is complete; the next move in the region, as it was played, or
  `no next move`; then the columns.

JSON, an object per game, or per hit with --every-place:
    {"file":"a.sgf","offset":0,"game":0,"ply":3,"path":null,"symmetry":0,
     "swapped":false,"next":{"color":"B","point":"qd","ply":5,"elsewhere":1,
     "played":{"color":"B","point":"dc"}},"end_ply":3,"node_offset":20}

  game       the number of the game in the file, from 0
  ply        number of moves before the position, passes included: the position
             is the one after move `ply`; end_ply also counts the moves of the
             pattern that follow it
  path       of a node in a variation, for `sgf show --path`; null for the main
             line
  symmetry   how the pattern was turned: 0 not at all, 1 left and right
             exchanged, 2 top and bottom exchanged, 3 by 180 degrees, 4 columns
             and rows exchanged, 5 counterclockwise, 6 clockwise, 7 mirrored in
             the other diagonal
  swapped    whether the colors are exchanged
  next       the next move in the region, on the pattern's board and in its
             colors; null if there is none. `elsewhere` is the number of moves
             outside of the region before it; `played` is the move in the game
  With --columns also the columns, like `sgf records`. CSV has the same, with
  next_color, next_point, next_ply and elsewhere.

Statistics:
  Each hit counts under its next move in the region, also if moves elsewhere
  came first; their number is in "elsewhere first". Shares of wins are those in
  games that somebody won. In JSON, numbers that an index does not know are
  null: too_small, and with --exclude also games, not_go and with_illegal_moves.

Examples:
  sgf find '(;AB[pd]AW[qf]VW[ka:si])' --statistics --board GAMES/
  sgf find '*X*/X.X/*X*' --keep-colors --count GAMES/
  sgf find joseki.sgf --where 'date>=1990' -o found.sgf GAMES/"#;

/// Why no more results are taken.
enum Stop {
    Enough,
    Failed(Failure),
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    args.threads.set()?;
    let search = args.search()?;
    let facts = Facts {
        conditions: Conditions::new(args.conditions.clone()),
        columns: args.columns.clone(),
        by: args.by.clone(),
        names: args.names.read()?,
        game_type: args.game_type,
    };
    let format = args.format();
    args.expect_outputs()?;
    if let Some(directory) = &args.index {
        return index::run(args, search, facts, directory);
    }
    let mut games_file = match &args.write {
        Some(path) => Some(destination::open(Some(path), &args.inputs())?),
        None => None,
    };
    let pattern = search.pattern().clone();
    let work = Finding::new(search, facts, format, args);
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout());
    out.write_all(&work.head()).map_err(Failure::Output)?;
    let writes = if format == Format::Nothing { Writes::AtEnd } else { Writes::Lines };
    let progress = Arc::new(Progress::new(writes, || args.paths.total_size()));
    let mut all = All::default();
    let taken = jobs::run(work, &args.paths, &progress, |found| {
        all.take(found, args, &mut out, games_file.as_mut(), &progress)
    });
    progress.finish();
    let is_cut = match taken {
        Ok(()) => false,
        Err(Stop::Enough) => true,
        Err(Stop::Failed(failure)) => return Err(failure),
    };
    let searched = Searched::from(all.counts);
    all.print_sums(args, &pattern, searched, &mut out)?;
    out.flush().map_err(Failure::Output)?;
    if let (Some(file), Some(path)) = (games_file, &args.write) {
        file.finish().map_err(destination::failure(Some(path)))?;
    }
    args.game_type.note_like_hex(all.like_hex);
    all.note(is_cut, searched);
    Ok(ExitCode::from(if all.has_troubles { TROUBLE } else { (all.matched == 0).into() }))
}

/// The numbers of games that were searched, and of those that could not be. `None` is not known.
#[derive(Clone, Copy)]
struct Searched {
    games: Option<u64>,
    without_board: Option<u64>,
    too_small: Option<u64>,
    with_illegal_moves: Option<u64>,
    /// Games that are too long for the index that is searched.
    not_indexed: u64,
}

impl From<Counts> for Searched {
    fn from(counts: Counts) -> Self {
        Searched {
            games: Some(counts.games),
            without_board: Some(counts.without_board),
            too_small: Some(counts.too_small),
            with_illegal_moves: Some(counts.with_illegal_moves),
            not_indexed: 0,
        }
    }
}

impl Searched {
    /// Returns the numbers of games, and of those that could not be searched.
    fn summary(self, matched: u64) -> String {
        let verb = if matched == 1 { "matches" } else { "match" };
        let mut text = match self.games {
            Some(games) => format!("{} of {} {verb}", grouped(matched), counted(games, "game")),
            None => format!("{} {verb}", counted(matched, "game")),
        };
        let mut and = |number: Option<u64>, what: &str| {
            if let Some(number @ 1..) = number {
                text += &format!("; {} {what}", grouped(number));
            }
        };
        and(self.without_board, "not Go, or larger than 52x52");
        and(self.too_small, "on a board too small for the pattern, or of another size");
        and(self.with_illegal_moves, "with moves on stones or off the board");
        and(Some(self.not_indexed), "too long for the index");
        text
    }
}

/// The results so far.
#[derive(Default)]
struct All {
    matched: u64,
    counts: Counts,
    continuations: Continuations,
    games: GamesBefore,
    like_hex: u64,
    has_troubles: bool,
}

impl All {
    /// Prints how many games were searched, or that the search ended before.
    fn note(&self, is_cut: bool, searched: Searched) {
        match is_cut {
            true => note(format_args!("stopped after {}", counted(self.matched, "game"))),
            false if self.counts.games == 0 => {}
            false => note(format_args!("{}", searched.summary(self.matched))),
        }
    }

    /// Prints the number of games, or what was played next, if they are wanted.
    fn print_sums(
        &self,
        args: &Args,
        pattern: &sgf_search::Pattern,
        searched: Searched,
        out: &mut impl Write,
    ) -> Result<(), Failure> {
        if args.count {
            writeln!(out, "{}", self.matched).map_err(Failure::Output)?;
        }
        if !args.statistics {
            return Ok(());
        }
        let found = statistics::Found { pattern, continuations: &self.continuations, searched, matched: self.matched };
        let printed = if args.json { found.json(out) } else { found.text(out, args.board, args.top) };
        printed.map_err(Failure::Output)?;
        if let Some(path) = &args.svg {
            let svg = self.continuations.drawn_on(pattern).most(args.top).svg();
            Output::write(path, svg.as_bytes(), &args.inputs()).map_err(destination::failure(Some(path)))?;
        }
        Ok(())
    }

    /// Takes the next results.
    fn take(
        &mut self,
        mut found: Found,
        args: &Args,
        out: &mut impl Write,
        games_file: Option<&mut Output>,
        progress: &Progress,
    ) -> Result<(), Stop> {
        let output = |error| Stop::Failed(Failure::Output(error));
        let before = self.games.take(found.next_game);
        let left = args.limit.map_or(u64::MAX, |limit| limit - self.matched);
        let (wanted, read) = (usize::try_from(left).unwrap_or(usize::MAX), found.counts.games);
        // The search ends if games come after the last one that is wanted.
        let of_wanted = wanted.checked_sub(1).map_or(Some(0), |last| Some(found.games.get(last)?.read));
        let is_enough = of_wanted.is_some_and(|of_wanted| read > of_wanted);
        found.cut(wanted);
        self.matched += found.games.len() as u64;
        self.counts.add(found.counts);
        self.continuations.merge(found.continuations);
        self.like_hex += found.like_hex;
        found.numbers.write(&found.lines, before, out).map_err(output)?;
        if let (Some(file), Some(path)) = (games_file, &args.write) {
            let written = found.games.iter_mut().filter_map(|game| game.content.take());
            let written = { written }.try_for_each(|content| content.write(file));
            written.map_err(|error| Stop::Failed(destination::failure(Some(path))(error)))?;
        }
        for (name, error) in found.troubles {
            self.has_troubles = true;
            note_trouble(&name, error);
        }
        for (name, position, message) in found.faults {
            out.flush().map_err(output)?;
            progress.suspend(|| print_located(&name, position, sgf_stream::Severity::Error, &message));
        }
        if is_enough { Err(Stop::Enough) } else { Ok(()) }
    }
}

impl Args {
    fn search(&self) -> Result<Search, Failure> {
        let mut pattern = pattern::read("PATTERN", &self.pattern, &self.paths)?;
        if self.empty_rest {
            pattern = pattern.with_empty_rest();
        }
        let place = match (self.fixed, self.anywhere) {
            (true, _) => Place::Fixed,
            (false, true) => Place::Anywhere,
            (false, false) => Place::BySides,
        };
        Ok(Search::new(pattern)
            .place(place)
            .symmetries(!self.no_symmetries)
            .swap_colors(!self.keep_colors)
            .variations(self.variations)
            .every_place(self.every_place))
    }

    /// Returns what is read, and so is not written to.
    fn inputs(&self) -> Inputs {
        self.paths.inputs().and([&self.pattern]).and(self.names.path()).and(&self.index)
    }

    /// Returns an error if two outputs are one place, if one is an input, or if there is no line for the columns.
    fn expect_outputs(&self) -> Result<(), Failure> {
        let printed =
            [("--json", self.json), ("--csv", self.csv), ("--count", self.count), ("--statistics", self.statistics)];
        let printed = printed.into_iter().rev().find(|(_, is_given)| *is_given);
        let stdout = Path::new("-");
        let outputs = [
            printed.map_or(("", None), |(option, _)| (option, Some(stdout))),
            ("--write", self.write.as_deref()),
            ("--svg", self.svg.as_deref()),
        ];
        destination::expect(&outputs, &self.inputs())?;
        match self.columns.is_some() && matches!(self.format(), Format::Nothing) {
            true => Err(Failure::Usage(
                "--columns adds to the lines of games, and there are none with --write, --count or --statistics"
                    .to_owned(),
            )),
            false => Ok(()),
        }
    }

    /// Returns how hits are printed.
    fn format(&self) -> Format {
        match self {
            Args { statistics: true, .. } | Args { count: true, .. } => Format::Nothing,
            Args { json: true, .. } => Format::Json,
            Args { csv: true, .. } => Format::Csv,
            Args { write: Some(_), .. } => Format::Nothing,
            _ => Format::Text,
        }
    }
}
