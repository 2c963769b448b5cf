//! `sgf fmt`: rewrites files in canonical form, or repairs them and keeps everything else.
//!
//! The library rewrites games, and [`rewrite`] files.

use std::io::{self, BufWriter};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use sgf_check::Rewriter;
use sgf_stream::Parser;
use sgf_stream::charset::{Charset, Decoding};

use crate::decoding;
use crate::failure::{self, Failure, TROUBLE, complain, note, note_trouble};
use crate::input::{self, Found, Name, Paths, is_stdin};
use crate::jobs::{Buffers, Threads};
use crate::progress::Progress;
use crate::rewrite::{self, Durability, Ended, Manner, Mode, Outcome, Report, Rewriting, Target, Tool};
use crate::tables::counted;

/// Rewrite files in canonical form: FF[4], UTF-8, one way to write everything.
///
/// Repairs syntax errors and reports them on standard error. Replaces properties of older versions with those of
/// FF[4], normalizes each value according to its type, escapes only what needs it, sorts the root
/// properties, and breaks lines at 80 bytes where possible. No content is lost: private and unknown
/// properties and malformed values are kept, text that is not SGF is left unchanged, and a game that would lose
/// something in canonical form keeps its own form, with a message on standard error.
#[derive(clap::Args)]
#[command(
    after_long_help = MORE,
    mut_arg("paths", |paths| paths.help(WHAT)),
    mut_arg("sync", |sync| sync.requires("write").conflicts_with("check")),
)]
pub(crate) struct Args {
    #[command(flatten)]
    paths: Paths,

    /// List the files that would change, and write nothing.
    #[arg(long, conflicts_with = "write")]
    check: bool,

    /// With --check, end each name with a NUL byte, for `xargs -0` and --files0-from.
    #[arg(long, short = '0', requires = "check", conflicts_with = "write")]
    print0: bool,

    /// Replace each file that changes with the result.
    #[arg(long)]
    write: bool,

    /// Repair only syntax errors, and copy all other bytes exactly, including white space.
    #[arg(long)]
    exact: bool,

    /// Drop content that is not SGF, instead of leaving it unchanged.
    ///
    /// This drops text between games, text in games that is not SGF, values without identifiers and identifiers without
    /// values; in canonical form also properties whose identifiers have digits. Everything dropped is reported on
    /// standard error. Bytes that are invalid in the charset of their game are kept.
    #[arg(long)]
    lossy: bool,

    #[command(flatten)]
    durability: Durability,

    /// Decode everything in this charset, ignoring byte-order marks and CA.
    #[arg(long, value_name = "NAME", value_parser = crate::names::charset)]
    charset: Option<Charset>,

    /// Charset of games that declare none (no CA).
    #[arg(long, value_name = "NAME", value_parser = crate::names::charset)]
    default_charset: Option<Charset>,

    /// Convert games with a missing, unknown or wrong CA to UTF-8.
    ///
    /// They are decoded in their most likely charset. Without this option the texts of such games are left unchanged, unless they are in UTF-8: the guess may be wrong.
    #[arg(long, conflicts_with = "exact")]
    guess_charset: bool,

    #[command(flatten)]
    threads: Threads,
}

const WHAT: &str = "A file, an archive with one SGF file in it, or `-`; with --check or --write, any number of files, \
                    directories and archives";

const MORE: &str = "\
Charsets:
  Texts are converted to UTF-8, and CA is set to it, if CA or a byte-order mark
  declares their charset, or if they are already UTF-8. A game keeps its charset
  and its CA if some of its bytes are invalid in that charset (even with
  --lossy), if the charset is unknown, or if CA is missing: no charset is
  guessed without --guess-charset. With it, a game that keeps its form gets a CA
  with its most likely charset. UTF-16, UTF-32, HZ and ISO-2022-* are detected
  without a declaration. A file that is most likely in Shift_JIS, Big5 or GBK is
  parsed in that charset, and stays in it without the option.

With --exact:
  The output is an exact copy of the input, except that syntax errors are
  repaired: missing brackets and semicolons are added, a truncated value is
  closed, brackets in texts are escaped. Identifiers keep their spelling, and
  values their charset. A file in UTF-16, UTF-32, HZ or ISO-2022-* is copied
  unchanged, with a message on standard error (exit code 1).

What is left unchanged:
  No content is lost without --lossy. Text that is not SGF is left unchanged, a
  message says why, and the rest of its game is repaired. Such text is: text
  outside of games or among properties, a value without an identifier, an
  identifier without a value, and a truncated value that is empty and would be
  read as a pass or an empty list.

  A game that contains such text keeps its form and is only repaired. The same
  holds for a game that would lose something in canonical form: properties with
  digits in their identifiers (P0), which FF[4] does not allow, an unknown
  identifier with lower-case letters, or words in FF. With --lossy these are
  dropped and reported.

  A repair is not applied if it would change how the rest is read, or which
  charset is detected; in the latter case, use --charset. A game that exceeds a
  limit of the parser, or 16 MiB, is left unchanged, even with --lossy (exit
  code 1). A second run changes nothing. The guide's page on repairs compares
  this with `sgf check --fix`.

With --check and --write of many files, standard error has one line per kind of
diagnostic, with the location of the first one. For a single file it has one
line per diagnostic. --write ends with the number of files that were changed,
left unchanged, and refused.

A file with no SGF at all is left unchanged, and is an error. A file in UTF-16,
UTF-32, HZ or ISO-2022-* with invalid bytes is refused as a whole; on standard
output, the part before the invalid bytes has already been written.

A file is replaced as a whole or not at all: the result is written to a
temporary file beside it, which is then renamed, and has the same owner and
mode. A symbolic link stays one. A file that has other names (hard links), or an
owner that the new file cannot have, is overwritten in place instead. A
read-only file is refused. Compressed files and files in archives can be
compared, or written to standard output, but not replaced: --write refuses them
(exit code 2).";

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    args.threads.set()?;
    let paths = &args.paths.paths;
    if !args.check && !args.write {
        return match args.paths.is_one_file() {
            true => print(args, &paths[0]),
            false => Ok(wrong_usage(
                "several inputs need --write or --check; without them, one file is written to standard output",
            )),
        };
    }
    if args.write && paths.iter().any(|path| is_stdin(path)) {
        return Ok(wrong_usage("--write cannot be used with standard input; without it, the result is printed"));
    }
    let is_one = matches!(&paths[..], [path] if !path.is_dir());
    let mut report = Report::new(if is_one { Manner::Lines } else { Manner::Sums }, args.lossy);
    let (mode, target) = match args.write {
        true => (Mode::Replace { is_durable: args.durability.sync }, Target::Place(args.durability)),
        false => (Mode::Compare, Target::Nowhere),
    };
    let mut totals = Totals::default();
    let progress = Arc::new(Progress::none());
    rewrite::run(args.work(mode), &args.paths, &progress, target, &mut report, |file| totals.add(args, file))?;
    report.finish();
    if args.write {
        totals.print();
    }
    let is_bad = totals.refused > 0 || report.total.has_errors() || args.check && totals.changed > 0;
    Ok(ExitCode::from(if totals.failed > 0 || totals.misplaced > 0 { TROUBLE } else { u8::from(is_bad) }))
}

/// Number of files with each outcome.
#[derive(Default)]
struct Totals {
    changed: u64,
    unchanged: u64,
    refused: u64,
    /// Those of `refused` that cannot be rewritten in place.
    misplaced: u64,
    failed: u64,
}

impl Totals {
    fn add(&mut self, args: &Args, file: Ended) -> Result<(), Failure> {
        let Ended { name, outcome, detected } = file;
        args.note_detected(&name, detected);
        match outcome {
            Outcome::Changed => {
                self.changed += 1;
                if args.check {
                    name.list(args.print0, &mut io::stdout()).map_err(Failure::Output)?;
                }
            }
            Outcome::Unchanged | Outcome::NoSgf => self.unchanged += 1,
            Outcome::Refused(why) => {
                self.refused += 1;
                note_trouble(&name, why);
            }
            Outcome::NoPlace(why) => {
                self.refused += 1;
                self.misplaced += 1;
                note_trouble(&name, format_args!("not rewritten: {why}"));
            }
            Outcome::Unreadable(error) | Outcome::Unwritable(error) => {
                self.failed += 1;
                note_trouble(&name, error);
            }
        }
        Ok(())
    }

    /// Prints the problems of files, and the totals, unless there was no file.
    fn print(&self) {
        failure::report_files(false);
        let Totals { changed, unchanged, refused, failed, misplaced: _ } = self;
        if changed + unchanged + refused + failed == 0 {
            return;
        }
        let failed = if *failed > 0 { format!(", {failed} could not be read or written") } else { String::new() };
        note(format_args!("{} changed, {unchanged} unchanged, {refused} refused{failed}", counted(*changed, "file")));
    }
}

fn wrong_usage(message: &str) -> ExitCode {
    complain(format_args!("{message}"));
    ExitCode::from(TROUBLE)
}

/// Rewrites a file to standard output.
fn print(args: &Args, path: &Path) -> Result<ExitCode, Failure> {
    let failure = |what: &str| Failure::Input(Name::of(path), io::Error::other(what));
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let (mut report, mut done) = (Report::new(Manner::Lines, args.lossy), None);
    args.paths.opener().each(path, &Progress::none(), |found| {
        if done.is_some() && matches!(found, Found::Input(_)) {
            return Err(failure("the archive contains several SGF files; use --check to compare them, or extract one"));
        }
        if let Found::Unreadable(name, error) = found {
            return Err(Failure::Input(name.clone(), error));
        }
        let target = Target::Stdout(&mut out);
        rewrite::run_input(args.work(Mode::Print), found, args.paths.limits, target, &mut report, |file| {
            args.note_detected(&file.name, file.detected);
            match file.outcome {
                Outcome::Changed | Outcome::Unchanged | Outcome::NoSgf => done = Some(0),
                Outcome::Refused(why) | Outcome::NoPlace(why) => {
                    complain(format_args!("{}: {why}", file.name));
                    done = Some(1);
                }
                Outcome::Unreadable(error) | Outcome::Unwritable(error) => {
                    return Err(Failure::Input(file.name, error));
                }
            }
            Ok(())
        })
    })?;
    let code = done.unwrap_or_else(|| {
        complain(format_args!("{}: the archive contains no SGF file", Name::of(path)));
        1
    });
    Ok(ExitCode::from(code.max(u8::from(report.total.has_errors()))))
}

impl Args {
    fn decoding(&self) -> Decoding {
        let decoding = self.charset.map_or(Decoding::new(), |charset| Decoding::new().force(charset));
        self.default_charset.map_or(decoding, |charset| decoding.default_charset(charset))
    }

    fn note_detected(&self, name: &Name, detected: Option<Charset>) {
        if !self.guess_charset {
            decoding::note_detected(name, detected);
        }
    }

    fn work(&self, mode: Mode) -> Rewriting {
        let rewriter = |decoding| Rewriter::new(&input::limited(Parser::new()).charset(decoding)).lossy(self.lossy);
        let decoding = self.decoding();
        let canonical = |decoding| rewriter(decoding).canonical().guess_charset(self.guess_charset);
        Rewriting {
            mode,
            tool: Tool::Rewriter(if self.exact { rewriter(decoding) } else { canonical(decoding) }),
            transcoded: (!self.exact).then(|| canonical(Decoding::utf8()).canonical_of_transcoded()),
            decoding,
            refusal: |charset, is_sound| match is_sound {
                true => format!("{charset} is left unchanged; without --exact, `sgf fmt` converts it to UTF-8"),
                false => format!("not valid {charset}; left unchanged"),
            },
            is_lossy: self.lossy,
            most: rewrite::MOST_LINES,
            most_dropped: rewrite::MOST_LINES,
            buffers: Buffers::default(),
            counts_games: false,
        }
    }
}
