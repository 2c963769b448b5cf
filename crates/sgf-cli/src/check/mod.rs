//! `sgf check`: reports diagnostics like a compiler; with `--fix`, repairs what it can.
//!
//! The inputs are cut into parts, which are checked on all cores ([`jobs`], [`work`]). [`window`] keeps the bytes around
//! diagnostics, so that they can be shown with their lines. [`show`] prints the diagnostics in order, drawn by [`draw`] or
//! added up by [`sums`], which [`values`] counts for too; [`rules`] parses the switches. With `--fix`, [`rewrite`] repairs all files first; [`fix`] makes the
//! diff of `--dry-run`.

mod draw;
mod fix;
mod rules;
mod show;
mod sums;
mod values;
mod window;
mod work;

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use sgf_check::{Rewriter, Rules, Summary};
use sgf_stream::{Code, Parser};

use self::draw::Drawer;
use self::rules::Names;
use self::show::Show;
use self::work::{Checked, Checking, End, View};
use crate::decoding::{self, Charsets};
use crate::failure::{Failure, TROUBLE, complain, note, note_refused, note_trouble};
use crate::input::{self, Name, Paths};
use crate::jobs::{self, Buffers, Threads};
use crate::names::{self, named};
use crate::progress::Progress;
use crate::rewrite::{self, Durability, Ended, Manner, Outcome, Report, Rewriting, Tool};
use crate::tables::counted;
use crate::terminal::{self, Writes};

/// Check files against the SGF specification; with --fix, repair them.
///
/// Finds syntax errors, misplaced properties, and wrong values, points and positions, in files of any size and in
/// constant memory. Each diagnostic shows where the problem is, what is wrong, and what to do about it.
#[derive(clap::Args)]
#[command(
    after_long_help = MORE,
    mut_arg("paths", |paths| paths.required_unless_present("explain")),
    mut_arg("sync", |sync| sync.requires("fix").conflicts_with("list")),
)]
pub(crate) struct Args {
    #[command(flatten)]
    paths: Paths,

    /// Repair what can be repaired without loss, then report what is left.
    #[arg(long)]
    fix: bool,

    /// With --fix, also drop content that is not SGF, and report what was dropped.
    #[arg(long, requires = "fix", conflicts_with = "list")]
    lossy: bool,

    /// With --fix, write the most likely charset into a missing, unknown or wrong CA.
    ///
    /// The texts themselves are left unchanged; `sgf fmt --guess-charset` converts them to UTF-8. Without this option CA
    /// changes only if the texts are in UTF-8: the guess may be wrong.
    #[arg(long, requires = "fix", conflicts_with = "list")]
    guess_charset: bool,

    /// With --fix, print the changes as a unified diff, and change no file.
    #[arg(long, requires = "fix", conflicts_with_all = ["json", "summary", "list"])]
    dry_run: bool,

    #[command(flatten)]
    durability: Durability,

    /// Print only the names of the files that have diagnostics, one per line.
    #[arg(long, short, conflicts_with_all = ["fix", "json", "summary"])]
    list: bool,

    /// With --list, end each name with a NUL byte, for `xargs -0` and --files0-from.
    #[arg(long, short = '0', requires = "list", conflicts_with_all = ["fix", "json", "summary"])]
    print0: bool,

    /// Print one JSON object per diagnostic, and one at the end.
    #[arg(long)]
    json: bool,

    /// Print totals only: per rule, with an example of each, per directory and per property.
    ///
    /// They include how many values of each property are of its type.
    #[arg(long)]
    summary: bool,

    /// Check every rule, style included, and report every diagnostic as an error.
    #[arg(long)]
    strict: bool,

    /// Report these rules only; style rules as warnings.
    #[arg(long, value_name = "RULE,…", value_parser = named(Names::parse, names::rules), hide_possible_values = true)]
    only: Vec<Names>,

    /// Do not report these rules.
    #[arg(long, value_name = "RULE,…", value_parser = named(Names::parse, names::rules), hide_possible_values = true)]
    allow: Vec<Names>,

    /// Report these rules as warnings.
    #[arg(long, value_name = "RULE,…", value_parser = named(Names::parse, names::rules), hide_possible_values = true)]
    warn: Vec<Names>,

    /// Report these rules as errors.
    #[arg(long, value_name = "RULE,…", value_parser = named(Names::parse, names::rules), hide_possible_values = true)]
    deny: Vec<Names>,

    /// Show at most N diagnostics per rule and file; 0 shows all. The rest is counted.
    ///
    /// With --summary, the maximum number of rows in the tables of directories, properties and values. --json prints all
    /// diagnostics.
    #[arg(long, value_name = "N", default_value_t = 10)]
    max: u64,

    /// When to draw the board below diagnostics about points.
    ///
    /// `auto` draws it if standard output is a terminal. The point in question is marked. Only the first diagnostic of each
    /// rule has a board.
    #[arg(long, value_name = "WHEN", value_enum, default_value_t)]
    boards: Boards,

    /// Explain these rules, or `all`, and exit.
    #[arg(long, value_name = "RULE,…", value_parser = named(Names::parse, names::rules), hide_possible_values = true)]
    explain: Option<Names>,

    #[command(flatten)]
    charsets: Charsets,

    #[command(flatten)]
    threads: Threads,
}

/// When boards are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Boards {
    #[default]
    Auto,
    Always,
    Never,
}

impl Boards {
    fn is_wanted(self) -> bool {
        match self {
            Boards::Auto => terminal::get().shows_output(),
            Boards::Always => true,
            Boards::Never => false,
        }
    }
}

const MORE: &str = r#"Rules:
  --only, --allow, --warn and --deny take names of rules, which diagnostics show
  in brackets after `error` or `warning`, or one of the groups all, syntax and
  style. Rules override groups; among rules, and among groups, --deny overrides
  --warn, and --warn overrides --allow. Style rules report legal but discouraged
  usage; they are off unless --only, --warn, --deny or --strict turns them on.

    sgf check --deny all --allow unknown-property,sloppy-value games.sgf
    sgf check --explain setup-and-move

  List the files with diagnostics of a rule, for other programs and for
  --files0-from of other commands:

    sgf check -l0 --only bad-game-info games | xargs -0 less
    sgf check -l0 --only bad-game-info games | sgf records --files0-from -

With --fix:
  Repaired: missing brackets and semicolons; unescaped brackets in texts;
  superfluous brackets; values truncated at the end of the file or at the next
  game, which are closed; values with one obvious meaning; square boards given
  as two numbers; empty properties; split lists; duplicates; lower-case letters
  in the identifiers of FF[4].

  Left unchanged: what cannot be repaired without loss of content. This is text
  outside of games, text among properties, a value without an identifier, an
  identifier without a value, a truncated value that is empty and would be read
  as a pass or an empty list and, in FF[4], a property with digits in its
  identifier. The rest of its game is repaired. --lossy drops such content, and
  reports what it drops. A repair is not applied if it would change how the rest
  is read, or which charset is detected; in the latter case, use --charset. A
  game that exceeds a limit of the parser, or 16 MiB, is left unchanged, even
  with --lossy (exit code 1).

  Refused: a file in UTF-16, UTF-32, HZ or ISO-2022-*, or without SGF data.

  All other bytes are kept, and a file that needs no repair is not written. A
  second run changes nothing. A file is rewritten as a whole or not at all: the
  result is written beside it and then replaces it. Compressed files and files
  in archives are checked but not repaired: a message says so, and the exit code
  is 2. At the end, standard error lists what was repaired, left and dropped.
  --dry-run prints a unified diff instead, which `patch -p0` accepts. The
  guide's page on repairs compares this with `sgf fmt`.

JSON:
    {"file":"a.sgf","offset":18,"len":1,"line":1,"column":19,
     "severity":"error","code":"two-moves",
     "message":"W: the node also has a black move","fixable":false,
     "property":"W"}

  One object per line. `code` is the name of the rule. `property` is null for
  errors of syntax and structure. `fixable` says whether the diagnostic has a
  repair without loss. --fix applies it to files that it can rewrite: not to
  archives, compressed files and transcoded files.
  If the name of the file is not UTF-8, `path_base64` has its bytes. The last
  object has files, games, errors, warnings, codes (the count of each rule),
  repaired, left and dropped (the count of each rule, with --fix), and
  unreadable (files).

  With --summary the last object is the only one, and has four more lists, most
  frequent first:
    by_code       code, severity, diagnostics, files, and the first diagnostic
                  as `example`
    by_property   property, diagnostics; the property of errors of syntax and
                  structure is ""
    by_directory  directory, diagnostics, files; an archive counts as a
                  directory
    values        property, game, type, values, strict, lenient, unread, and the
                  most frequent unread values as `samples`, a list of [value,
                  count]; game is null if the property is the same in all games
  by_property and by_directory have at most 10,000 rows; diagnostics beyond that
  are counted in `dropped`.

Values, with --summary:
  strict    values that follow FF[4] exactly
  lenient   other values that can be parsed as programs write them in practice
  unread    all others; the table shows the most frequent ones
  The table has the properties with values that are not strict. Any text is
  strict, including RO, for which FF[4] only recommends a form. A rank (BR, WR)
  is unread if it is not a kyu or a dan, such as a rating. One row counts
  unknown identifiers; in JSON it is the last, and its property is null.

Positions:
  Offsets are in bytes, from 0. Lines and columns count from 1; columns are in
  bytes. Files in UTF-16, UTF-32, HZ and ISO-2022-* are transcoded before they
  are checked, and positions are those in UTF-8."#;

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    if let Some(names) = &args.explain {
        return rules::explain(names).map_err(Failure::Output);
    }
    if args.fix && args.paths.paths.iter().any(|path| input::is_stdin(path)) {
        complain(format_args!("--fix cannot be used with standard input; save it to a file first"));
        return Ok(ExitCode::from(TROUBLE));
    }
    args.threads.set()?;
    let show = Show::new(args);
    let most = if args.max == 0 { u64::MAX } else { args.max };
    let manner = Manner::Summary { most, progress: Arc::clone(&show.progress) };
    let repairs = Report::new(manner, args.lossy);
    let rules = rules::of(args);
    let mut run =
        Run { rules, args, show, repairs, refused: 0, total: Summary::default(), repairable: 0, files: 0, troubles: 0 };
    let progress = Arc::clone(&run.show.progress);
    let work = run.work();
    if args.fix {
        let files = run.fix(most, &progress)?.into_iter().map(Ok);
        jobs::run_files(work, files, &args.paths, &progress, |done| run.take(done))?;
    } else {
        jobs::run(work, &args.paths, &progress, |done| run.take(done))?;
    }
    run.finish()
}

struct Run<'a> {
    rules: Rules,
    args: &'a Args,
    show: Show,
    /// Reports the repairs of --fix.
    repairs: Report,
    /// Number of files that --fix has refused.
    refused: u64,
    total: Summary,
    /// Number of diagnostics that `--fix` would repair, in files that it can rewrite.
    repairable: u64,
    files: u64,
    /// Number of files that could not be read or written.
    troubles: u64,
}

impl Run<'_> {
    /// Repairs all files, or shows how they would change. Returns the files that are still to be checked.
    fn fix(&mut self, most: u64, progress: &Arc<Progress>) -> Result<Vec<PathBuf>, Failure> {
        let Args { lossy, guess_charset, dry_run, durability, ref charsets, ref paths, .. } = *self.args;
        let decoding = charsets.decoding();
        let rewriter = Rewriter::with_rules(&input::limited(Parser::new()).charset(decoding), self.rules.clone());
        let work = Rewriting {
            mode: if dry_run { rewrite::Mode::Show } else { rewrite::Mode::Replace { is_durable: durability.sync } },
            tool: Tool::Rewriter(rewriter.lossy(lossy).guess_charset(guess_charset)),
            transcoded: None,
            decoding,
            refusal: |charset, is_sound| match is_sound {
                true => format!("it is in {charset}; `sgf fmt` converts it to UTF-8"),
                false => format!("it is not valid {charset}"),
            },
            is_lossy: lossy,
            most: 1,
            most_dropped: most,
            buffers: Buffers::default(),
            counts_games: false,
        };
        let parser = input::limited(Parser::new()).charset(decoding);
        let (rules, checked) = (self.rules.clone(), fix::Checked::default());
        let mut preview = |name: &Name| -> io::Result<Box<dyn rewrite::NewForm>> {
            let (parser, rules, checked) = (parser.clone(), rules.clone(), checked.clone());
            Ok(Box::new(fix::Preview::new(name, parser, rules, checked)?))
        };
        let target = match dry_run {
            true => rewrite::Target::Shown(&mut preview),
            false => rewrite::Target::Place(durability),
        };
        let Run { repairs, troubles, refused, .. } = self;
        let (mut shown, progress) = (BTreeSet::new(), Arc::clone(progress));
        let mut trouble = |name: &Name, error: &dyn std::fmt::Display| {
            *troubles += 1;
            note_trouble(name, error);
        };
        let mut files = rewrite::run(work, paths, &progress, target, repairs, |Ended { name, outcome, .. }| {
            match outcome {
                Outcome::Unchanged => {}
                // The check that follows reads archives too, and says so.
                Outcome::Unreadable(_) if name.is_member() => {}
                Outcome::Changed => _ = shown.insert(name),
                Outcome::NoSgf => {
                    *refused += 1;
                    note_refused(&name, Code::NoSgfData.message());
                }
                Outcome::Refused(why) => {
                    *refused += 1;
                    note_refused(&name, &why);
                }
                Outcome::NoPlace(why) => trouble(&name, &format_args!("not repaired: {why}")),
                Outcome::Unreadable(error) | Outcome::Unwritable(error) => trouble(&name, &error),
            }
            Ok(())
        })?;
        if dry_run {
            // Their new form has been checked.
            files.retain(|path| !shown.contains(&Name::of(path)));
            self.total += checked.take();
        }
        Ok(files)
    }

    fn trouble(&mut self, name: &Name, error: &io::Error) {
        self.troubles += 1;
        note_trouble(name, error);
    }

    /// The work of checking files.
    fn work(&self) -> Checking {
        Checking {
            rules: self.rules.clone(),
            decoding: self.args.charsets.decoding(),
            view: View::of(self.args),
            drawer: Drawer::new(self.args),
            draws_boards: self.args.boards.is_wanted(),
            known: self.show.known.clone(),
        }
    }

    /// Takes the results of checking the next parts of files.
    fn take(&mut self, done: Vec<Checked>) -> Result<(), Failure> {
        for checked in done {
            let Some((name, end, summary)) = self.show.take(checked).map_err(Failure::Output)? else { continue };
            let End { is_open, can_be_fixed, detected, result } = end;
            self.files += u64::from(is_open);
            decoding::note_detected(&name, detected);
            self.total += summary;
            if can_be_fixed && result.is_ok() && !self.args.fix {
                self.repairable += summary.fixable;
            }
            if let Err(error) = result {
                self.trouble(&name, &error);
            }
        }
        Ok(())
    }

    fn finish(self) -> Result<ExitCode, Failure> {
        let Run { show, repairs, refused, args, total, repairable, files, troubles, .. } = self;
        show.finish(files, troubles, total, repairable, &repairs.total).map_err(Failure::Output)?;
        if args.fix && !args.json {
            repairs.finish();
            if refused > 0 {
                note(format_args!("{} refused", counted(refused, "file")));
            }
        }
        Ok(ExitCode::from(match troubles {
            0 => u8::from(total.errors > 0 || repairs.total.has_errors()),
            _ => TROUBLE,
        }))
    }
}

fn progress(args: &Args) -> Progress {
    let writes = if args.summary { Writes::AtEnd } else { Writes::Lines };
    // With --fix, files are read twice.
    let times = if args.fix { 2 } else { 1 };
    Progress::new(writes, || args.paths.total_size().map(|size| size * times))
}
