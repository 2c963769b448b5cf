//! `sgf edit`: changes games: turns them, drops properties and variations, sets values, merges games.
//!
//! [`edits`] says what is done to the tree of a game ([`drop`]: what is removed), and [`parse`] reads it from the command line. [`part`] edits the games
//! of a part of a file, whose bytes [`layout`] keeps where nothing changes; [`rewrite`] then writes the files. [`merge`] joins
//! all games.

mod drop;
mod edits;
mod layout;
mod merge;
mod parse;
pub(crate) mod part;
#[cfg(test)]
mod tests;

use std::io::{self, BufWriter, Stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use self::drop::Drops;
use self::edits::{Edits, Lines};
use self::parse::{Kind, Replace, Set};
use self::part::Editor;
use crate::decoding::{self, Charsets};
use crate::failure::{self, Failure, TROUBLE, complain, note, note_trouble};
use crate::input::{Condition, Conditions, Found, Name, Paths, is_stdin};
use crate::jobs::{Buffers, Threads};
use crate::people::NamesFile;
use crate::progress::Progress;
use crate::rewrite::diff::Diff;
use crate::rewrite::{self, Durability, Ended, Manner, Mode, NewForm, Outcome, Report, Rewriting, Stop, Target, Tool};
use crate::tables::counted;
use crate::{show, terminal};

/// Change games: turn the board, exchange colors, drop properties and variations, set values, merge games.
///
/// Prints one file with its changes, or rewrites any number of files with --write. Of a game that changes, only the
/// changed properties are written anew. A game that does not change keeps its bytes.
#[derive(clap::Args)]
#[command(
    after_long_help = MORE,
    mut_arg("paths", |paths| paths.help(WHAT)),
    mut_arg("sync", |sync| sync.requires("write")),
)]
pub(crate) struct Args {
    #[command(flatten)]
    paths: Paths,

    /// Change only games with this value in a column: 'black=Lee Sedol', 'date>=1990', 'PB~^Lee'.
    ///
    /// Can be repeated; all conditions must hold. Columns are those of `sgf records --list-columns`, and identifiers of root
    /// properties. The operators are = != < <= > >= and ~, which takes a regular expression. A year or a month has all of
    /// its days. As in SQL, a missing value fulfills no comparison: winner!=B selects the games that White won. winner= selects
    /// the games without a winner, and winner!= those with one. A value with AND, OR or quotes in it is put in quotes: black='Ann
    /// and x=y'. Names of --names are replaced first. With --merge, only such games are merged.
    #[arg(long = "where", value_name = "CONDITION")]
    conditions: Vec<Condition>,

    /// Change only this game of each file, counted from 1. With --merge, only such games are merged.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    game: Option<u64>,

    /// Turn the board clockwise: 90, 180 or 270 degrees.
    #[arg(long, value_name = "DEGREES", value_parser = parse::turn)]
    turn: Option<sgf_board::Symmetry>,

    /// Exchange left and right of the board, after --turn.
    #[arg(long)]
    mirror: bool,

    /// Exchange black and white.
    ///
    /// This includes players, results of the form B+… or W+…, and the sign of the komi. HA stays. A game whose result names
    /// the winner in words, such as `White resigns`, is left unchanged with an error.
    #[arg(long)]
    swap_colors: bool,

    /// Keep only the main line.
    ///
    /// If variations are dropped, the game info of the line moves to the root.
    #[arg(long, group = "lines")]
    main_line: bool,

    /// Keep only the line that takes these variations, such as 2.1, as in `sgf show --path`.
    ///
    /// If others are dropped, the game info of the line moves to the root.
    #[arg(long, value_name = "PATH", group = "lines", value_parser = show::path)]
    extract: Option<show::Path>,

    /// Write each line of a game as a game without variations.
    ///
    /// The game info of the line moves to the root.
    #[arg(long, group = "lines")]
    split_variations: bool,

    /// Drop all properties of these kinds.
    #[arg(long, value_name = "KIND,…", value_enum, value_delimiter = ',')]
    strip: Vec<Kind>,

    /// Drop these properties: IDENT,…; or values of one: IDENT=VALUE, IDENT~REGEX.
    ///
    /// 'C~^Score:' drops the comments that a regular expression matches, and LB=aa:1 one label. A property that has no
    /// values left is dropped.
    #[arg(long, value_name = "IDENT", value_parser = drop::parse)]
    drop: Vec<Drops>,

    /// Drop passes at the end of lines, in games of Go.
    ///
    /// Only nodes with nothing but a pass and a clock are dropped.
    #[arg(long)]
    drop_final_passes: bool,

    /// Drop nodes without properties. Their children take their place; the root stays.
    #[arg(long)]
    drop_empty_nodes: bool,

    /// Set a property of the root to one value: GM=11, EV=Castle game.
    #[arg(long, value_name = "IDENT=VALUE", value_parser = parse::set)]
    set: Vec<Set>,

    /// Replace what matches a regular expression in all values of a property.
    ///
    /// The text may have groups of the expression: 'DT/^(\d+)\.(\d+)$/$1-$2/'. The character after the identifier separates
    /// the parts.
    #[arg(long, value_name = "IDENT/REGEX/TEXT/", value_parser = parse::replace)]
    replace: Vec<Replace>,

    /// Replace the names of players with Black and White, and drop teams and other names.
    #[arg(long, alias = "anonymize")]
    anonymise: bool,

    /// Merge all games into one tree, in which they share their first moves.
    #[arg(long, conflicts_with_all = ["write", "dry_run", "split_variations"])]
    merge: bool,

    /// With --merge, write to this file instead of standard output.
    #[arg(long, short, value_name = "FILE", requires = "merge")]
    output: Option<PathBuf>,

    /// Replace each file that changes with the result.
    #[arg(long)]
    write: bool,

    /// Print the changes of all files as a diff, and write nothing.
    #[arg(long, conflicts_with = "write")]
    dry_run: bool,

    #[command(flatten)]
    durability: Durability,

    #[command(flatten)]
    names: NamesFile,

    #[command(flatten)]
    charsets: Charsets,

    #[command(flatten)]
    threads: Threads,
}

const WHAT: &str = "A file, an archive with one SGF file in it, or `-`; with --write, --dry-run or --merge, any number of \
                    files, directories and archives";

const MORE: &str = r#"Edits:
  Edits are applied in this order: --set, --names, --extract or --main-line,
  --anonymise, --strip and --drop, --replace, --drop-final-passes,
  --drop-empty-nodes, --turn, --mirror, --swap-colors, --split-variations,
  --merge. The order of the options makes no difference.

  --turn and --mirror move every point of moves, setup, marks, labels, arrows
  and territory, and exchange the numbers of SZ if the board is not square.
  Points in texts and in unknown properties stay. Go and Gomoku can be turned in
  every way, other games only if their rules allow it: Hex by 180 degrees. A
  point keeps its notation: R16 becomes C4.

  --swap-colors leaves a game unchanged if its result names the winner in words:
  set it first, with --set RE=B+, or drop it. `sgf fmt` rewrites the words that
  it can read.

  --replace changes the text of a value: a changed value is written anew, with
  the escapes that it needs. Other values of the property keep their bytes. No
  backslash hides a separator: 'DT|/|-|' replaces each / with -.

  --set writes a text, which it escapes, in the charset of the game. A game that
  cannot hold it keeps its form, with a message.

Kinds, with --strip:
  comments     C
  annotations  N, GB, BM, TE and other names and judgments
  marks        TR, CR, LB, AR and other marks on the board
  territory    TB, TW
  time         BL, WL, OB, OW; the time limits of the game stay
  setup        AB, AW, AE, PL, in the root too
  display      FG, PM, VW
  analysis     LZ, KT, SBKV and others of engines
  private      all that no version of FF defines

Games with errors:
  A game with syntax errors keeps its form, with a message on standard error:
  repair it first, with `sgf check --fix`. The same holds for a game longer than
  16 MiB. Points that cannot be read, points off the board, and colors and komi
  that cannot be read are left unchanged and counted. If an edit leaves
  a variation that begins like a game (`(;PB[a]PW[b]`), it gets 512 bytes of
  white space, so that no reader takes it for one. If a game would be read as
  another one after an edit, it keeps its form. Files in UTF-16, UTF-32, HZ or
  ISO-2022-* are refused: convert them with `sgf fmt`.

With --merge:
  Games share the nodes of their first moves, as long as moves and setup are the
  same. Comments are joined. Of other properties that can have one value, the
  first one stays; each that is left out is a warning. The game info of a game
  is in the first node that only this game has, but HA stays with the stones of
  AB. Properties of the root that no version of FF defines stay in the root:
  --strip private drops them. Games of different kinds or on boards of different
  sizes become different trees. Texts are converted to UTF-8, and bytes that are
  invalid in their charset become U+FFFD. The result is in memory.

With --write:
  Files are replaced as with `sgf fmt --write`. Compressed files and archives
  are refused (exit code 2)."#;

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    args.threads.set()?;
    let edits = args.edits()?;
    if edits.is_empty() && !args.names.is_given() && !args.merge {
        return Ok(wrong_usage("no edit; use an option such as --strip, --turn or --set"));
    }
    if args.merge {
        let inputs = args.paths.inputs().and(args.names.path());
        return merge::run(edits, args.charsets, &args.paths, &inputs, args.output.as_deref());
    }
    let paths = &args.paths.paths;
    if !args.dry_run && !args.write {
        return match args.paths.is_one_file() {
            true => print(args, &paths[0]),
            false => Ok(wrong_usage(
                "several inputs need --write or --dry-run; without them, one file is written to standard output",
            )),
        };
    }
    if args.write && paths.iter().any(|path| is_stdin(path)) {
        return Ok(wrong_usage("--write cannot be used with standard input; without it, the result is printed"));
    }
    let is_one = matches!(&paths[..], [path] if !path.is_dir());
    let mut report = Report::new(if is_one { Manner::Lines } else { Manner::Sums }, false);
    let mut shown = |name: &Name| -> io::Result<Box<dyn NewForm>> {
        let (is_visible, out) = (terminal::get().shows_output(), BufWriter::new(io::stdout()));
        Ok(Box::new(Shown(Diff::new(name.to_string(), is_visible, out))))
    };
    let (mode, target) = match args.write {
        true => (Mode::Replace { is_durable: args.durability.sync }, Target::Place(args.durability)),
        false => (Mode::Show, Target::Shown(&mut shown)),
    };
    let (mut totals, progress) = (Totals::default(), Arc::new(Progress::none()));
    rewrite::run(args.work(edits, mode), &args.paths, &progress, target, &mut report, |file| {
        totals.add(file);
        Ok(())
    })?;
    report.finish();
    if args.write {
        totals.print();
    }
    let is_bad = totals.refused > 0 || report.total.has_errors();
    Ok(ExitCode::from(if totals.troubles > 0 { TROUBLE } else { u8::from(is_bad) }))
}

fn wrong_usage(message: &str) -> ExitCode {
    complain(format_args!("{message}"));
    ExitCode::from(TROUBLE)
}

/// The changes of a file, which are shown.
struct Shown(Diff<BufWriter<Stdout>>);

impl NewForm for Shown {
    fn same(&mut self, bytes: &[u8]) -> Result<(), Stop> {
        self.0.same(bytes).map_err(Stop::Output)
    }

    fn change(&mut self, old: &[u8], new: &[u8]) -> Result<(), Stop> {
        self.0.change(old, new);
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), Stop> {
        self.0.finish().map(drop).map_err(Stop::Output)
    }
}

/// Number of files with each outcome.
#[derive(Default)]
struct Totals {
    changed: u64,
    unchanged: u64,
    refused: u64,
    /// Those that cannot be read, or rewritten in place.
    troubles: u64,
}

impl Totals {
    fn add(&mut self, Ended { name, outcome, detected }: Ended) {
        decoding::note_detected(&name, detected);
        match outcome {
            Outcome::Changed => self.changed += 1,
            Outcome::Unchanged | Outcome::NoSgf => self.unchanged += 1,
            Outcome::Refused(why) => {
                self.refused += 1;
                note_trouble(&name, why);
            }
            Outcome::NoPlace(why) => {
                self.troubles += 1;
                note_trouble(&name, format_args!("not edited: {why}"));
            }
            Outcome::Unreadable(error) | Outcome::Unwritable(error) => {
                self.troubles += 1;
                note_trouble(&name, error);
            }
        }
    }

    /// Prints the problems of files, and the totals, unless there was no file.
    fn print(&self) {
        failure::report_files(false);
        let Totals { changed, unchanged, refused, troubles } = self;
        if changed + unchanged + refused + troubles > 0 {
            let left = refused + troubles;
            note(format_args!("{} changed, {unchanged} unchanged, {left} refused", counted(*changed, "file")));
        }
    }
}

/// Writes an edited file to standard output.
fn print(args: &Args, path: &Path) -> Result<ExitCode, Failure> {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let (mut report, mut totals, mut inputs) = (Report::new(Manner::Lines, false), Totals::default(), 0);
    args.paths.opener().each(path, &Progress::none(), |found| {
        inputs += u64::from(matches!(found, Found::Input(_)));
        if inputs > 1 {
            let several = "the archive contains several SGF files; use --dry-run, or extract one";
            return Err(Failure::Input(Name::of(path), io::Error::other(several)));
        }
        if let Found::Unreadable(name, error) = found {
            return Err(Failure::Input(name.clone(), error));
        }
        let (work, target) = (args.work(args.edits()?, Mode::Print), Target::Stdout(&mut out));
        rewrite::run_input(work, found, args.paths.limits, target, &mut report, |file| {
            totals.add(file);
            Ok(())
        })
    })?;
    if inputs == 0 {
        complain(format_args!("{}: the archive contains no SGF file", Name::of(path)));
    }
    let is_bad = inputs == 0 || totals.refused > 0 || report.total.has_errors();
    Ok(ExitCode::from(if totals.troubles > 0 { TROUBLE } else { u8::from(is_bad) }))
}

impl Args {
    fn edits(&self) -> Result<Edits, Failure> {
        let lines = match (&self.extract, self.main_line, self.split_variations) {
            (Some(path), ..) => Lines::Of(path.clone()),
            (None, true, _) => Lines::Main,
            (None, false, true) => Lines::Split,
            (None, false, false) => Lines::All,
        };
        let names = self.names.read()?;
        Ok(Edits {
            conditions: Conditions::new(self.conditions.clone()).names(Arc::clone(&names)),
            game: self.game.map(|number| number - 1),
            names,
            set: self.set.clone(),
            lines,
            anonymise: self.anonymise,
            strip: self.strip.clone(),
            drop: self.drop.iter().flat_map(|Drops(drops)| drops.clone()).collect(),
            drops_final_passes: self.drop_final_passes,
            drops_empty_nodes: self.drop_empty_nodes,
            replace: self.replace.clone(),
            symmetry: parse::symmetry(self.turn, self.mirror),
            swap_colors: self.swap_colors,
        })
    }

    fn work(&self, edits: Edits, mode: Mode) -> Rewriting {
        let decoding = self.charsets.decoding();
        Rewriting {
            mode,
            counts_games: edits.game.is_some(),
            tool: Tool::Editor(Box::new(Editor::new(edits, decoding))),
            transcoded: None,
            decoding,
            refusal: |charset, is_sound| match is_sound {
                true => format!("{charset} cannot be edited; convert it to UTF-8 first, with `sgf fmt`"),
                false => format!("not valid {charset}; left unchanged"),
            },
            is_lossy: false,
            most: rewrite::MOST_LINES,
            most_dropped: rewrite::MOST_LINES,
            buffers: Buffers::default(),
        }
    }
}
