//! `sgf fmt`: rewrites files in canonical form, or repairs them and keeps everything else.
//!
//! [`games`] cuts a file into games and the text between them, and a [`style`] rewrites each game: [`canonical`] decodes
//! it and leaves the rest to the library's writer, [`exact`] leaves it to the library's rewriter. [`findings`] are
//! reported on standard error. The output goes to standard output, from parts that are rewritten on all cores ([`work`]), or
//! is compared with the file ([`target`]), or
//! replaces the file ([`place`]).

mod canonical;
mod exact;
mod findings;
mod game;
mod games;
mod options;
mod place;
mod style;
pub(crate) mod target;
mod work;

use std::cell::RefCell;
use std::fmt;
use std::io::{self, BufRead, BufWriter, Read, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use sgf_stream::Code;
use sgf_stream::charset::{Charset, Decoding};

use self::canonical::Canonical;
use self::exact::Exact;
use self::findings::{Findings, Printer, Reporting};
use self::games::Games;
use self::options::Options;
use self::style::Style;
use self::target::{Durability, Replacement, compare};
use self::work::{Formatting, Joiner};
use crate::decoding::{self, Opened, Whole};
use crate::failure::{Failure, TROUBLE, complain, note};
use crate::input::{Found, Input, Name, Opener, Paths, is_stdin};
use crate::jobs::{self, Buffers, Threads};
use crate::progress::Progress;
use crate::source::Source;
use crate::tables::counted;

/// Rewrite files in canonical form: FF[4], UTF-8, one way to write everything.
///
/// Repairs faults and reports them on standard error. Replaces properties of older versions by those of
/// FF[4], writes each value in the form of its type, escapes only what needs it, sorts the root
/// properties, and breaks lines at 80 bytes where possible. No content is lost: private and unknown
/// properties and malformed values are kept, text between games is copied, and a game that would lose
/// something stays unchanged, with a message on standard error.
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

    /// Replace each file that changes by the result.
    #[arg(long)]
    write: bool,

    /// Repair only what strict parsing refuses, and keep all other bytes, including white space.
    #[arg(long)]
    exact: bool,

    /// Drop content that is no SGF, instead of leaving games unchanged.
    ///
    /// This drops text between games, text in games that is no SGF, values without identifiers and identifiers without
    /// values; in canonical form also properties whose identifiers have digits. Everything dropped is reported on
    /// standard error. Bytes that are invalid in the charset of their game are kept.
    #[arg(long)]
    lossy: bool,

    #[command(flatten)]
    durability: Durability,

    /// Read everything in this charset, whatever the file says.
    #[arg(long, value_name = "NAME", value_parser = crate::decoding::charset)]
    charset: Option<Charset>,

    /// Read games without CA in this charset.
    #[arg(long, value_name = "NAME", value_parser = crate::decoding::charset)]
    default_charset: Option<Charset>,

    /// Believe the most likely charset where CA is missing, unknown or false, and convert to UTF-8.
    ///
    /// Without this option such games keep their texts, unless they are in UTF-8: the guess may be wrong.
    #[arg(long, conflicts_with = "exact")]
    guess_charset: bool,

    #[command(flatten)]
    threads: Threads,
}

const WHAT: &str = "What to rewrite: a file, an archive with one SGF file in it, or `-`; with --check or --write any number of \
                    files, directories and archives";

const MORE: &str = "\
Charsets:
  Texts are converted to UTF-8, and CA is set to it, if CA or a byte-order mark
  names their charset, or if they are in UTF-8 already. A game keeps its charset
  and its CA if some of its bytes are invalid in that charset (with --lossy
  too), if the charset is unknown, or if there is no CA: no charset is guessed,
  unless --guess-charset is set. With it, a game that stays unchanged gets a CA
  with its most likely charset. UTF-16, UTF-32, HZ and ISO-2022-* are recognized
  without a name. A file that is most likely in Shift_JIS, Big5 or GBK is parsed
  in that charset, and stays in it without the option.

With --exact:
  The output is the input with the faults repaired that strict parsing refuses:
  missing brackets and semicolons are added, a value that is cut off is closed,
  brackets in texts are escaped. Identifiers keep their spelling, and values
  their charset. A file in UTF-16, UTF-32, HZ or ISO-2022-* is copied unchanged,
  with a message on standard error (exit code 1).

Games that stay unchanged:
  A game is copied byte for byte, with a message on standard error, if rewriting
  it would lose content: text that is no SGF; a value without an identifier, or
  an identifier without a value; in canonical form also a value that the end of
  the file or the next game cuts off, and an identifier with digits (P0), which
  FF[4] does not allow. With --lossy these are dropped and reported, and cut
  values are closed. A game with a value or a node that is too long, or with
  trees that nest too deep, stays unchanged with --lossy too; that is an error.
  So does, without an error, a game of more than 16 MiB.

With --check and --write, faults are reported for the whole run: a line for each
kind, with its first place. For a single file each fault is reported. --write
ends with the number of files that changed, stayed unchanged, and were refused.

Text between games, such as mail headers, is copied. So is a file that is no SGF
at all, before the error is reported. A file in UTF-16, UTF-32, HZ or ISO-2022-*
that has invalid bytes is refused as a whole; on standard output, the part
before the invalid bytes has been written.

A file is replaced as a whole or not at all: the result is written to a
temporary file beside it, which is then renamed, and has the same owner and
mode. A symbolic link stays one. A file that has other names (hard links), or an
owner that the new file cannot have, is overwritten in place instead. A
read-only file is refused. Compressed files and files in archives can be
compared, or written to standard output, but not replaced: --write refuses them.

Exit codes:
  0  success, whatever was repaired or stays unchanged; with --check, no file
     would change
  1  with --check, a file would change; or an error: no SGF, something too long
     or too deep, invalid bytes in a file that has to be transcoded
  2  wrong usage, or a file could not be read or written";

/// The reason why a file is not rewritten.
enum Stop {
    Input(io::Error),
    Output(io::Error),
    /// Something is wrong with its content.
    Refused(String),
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    args.threads.set()?;
    let paths = &args.paths.paths;
    let mut opener = args.paths.opener();
    if !args.check && !args.write {
        return match args.paths.is_one_file() {
            true => print(args, &paths[0], &mut opener),
            false => Ok(wrong_usage("one file, or `-`, goes to standard output; for more, say --check or --write")),
        };
    }
    if args.write && paths.iter().any(|path| is_stdin(path)) {
        return Ok(wrong_usage("standard input has no place to --write to"));
    }
    let is_one = matches!(&paths[..], [path] if !path.is_dir());
    let sums = RefCell::default();
    let reporting = if is_one { Reporting::Lines } else { Reporting::Sums(&sums) };
    let mut run = Run { args, reporting, totals: Totals::default(), found: false, has_failed: false };
    for file in args.paths.walk() {
        let file = match file {
            Ok(file) => file,
            Err((name, error)) => {
                run.fail(&name, &error);
                continue;
            }
        };
        // Opening a pipe would wait for a writer.
        if let Some(why) = args.write.then(|| target::refusal(&file)).flatten() {
            run.refuse(&Name::of(&file), &why);
            run.has_failed = true;
            continue;
        }
        let done = opener.each(&file, &Progress::none(), |found| match found {
            Found::Input(input) => run.file(&file, input),
            Found::Unreadable(name, error) => {
                run.fail(name, &error);
                Ok(())
            }
        });
        match done {
            Err(Done::Failed(failure)) => return Err(failure),
            Ok(()) | Err(Done::Refused) => {}
        }
    }
    sums.borrow().print();
    decoding::print_detected();
    if args.write {
        run.totals.print();
    }
    Ok(ExitCode::from(if run.has_failed { TROUBLE } else { u8::from(run.found) }))
}

/// Number of files with each outcome.
#[derive(Default)]
struct Totals {
    changed: u64,
    unchanged: u64,
    refused: u64,
    failed: u64,
}

impl Totals {
    /// Prints the totals, unless there was no file.
    fn print(&self) {
        let Totals { changed, unchanged, refused, failed } = self;
        if changed + unchanged + refused + failed == 0 {
            return;
        }
        let failed = if *failed > 0 { format!(", {failed} could not be read or written") } else { String::new() };
        note(format_args!("{} changed, {unchanged} unchanged, {refused} refused{failed}", counted(*changed, "file")));
    }
}

/// The state of a run with --check or --write.
struct Run<'a> {
    args: &'a Args,
    reporting: Reporting<'a>,
    totals: Totals,
    /// A file would change (with --check), or was refused.
    found: bool,
    has_failed: bool,
}

/// The reason why the rest of a file on disk is not looked at.
enum Done {
    Refused,
    Failed(Failure),
}

impl Run<'_> {
    fn fail(&mut self, name: &Name, error: &io::Error) {
        complain(format_args!("{name}: {error}"));
        self.totals.failed += 1;
        self.has_failed = true;
    }

    fn refuse(&mut self, name: &Name, why: &dyn fmt::Display) {
        complain(format_args!("{name}: {why}"));
        self.totals.refused += 1;
    }

    fn file(&mut self, file: &Path, input: Input<'_>) -> Result<(), Done> {
        let name = input.name;
        if let (true, Err(why)) = (self.args.write, input.place()) {
            self.refuse(&Name::of(file), &why);
            self.found = true;
            return Err(Done::Refused);
        }
        match in_place(self.args, input, self.reporting) {
            Ok(Compared { differs, has_errors }) => {
                self.found |= has_errors || differs && self.args.check;
                self.totals.changed += u64::from(differs);
                self.totals.unchanged += u64::from(!differs);
            }
            Err(Stop::Refused(why)) => {
                self.refuse(name, &why);
                self.found = true;
            }
            Err(Stop::Output(error)) => return Err(Done::Failed(Failure::Output(error))),
            Err(Stop::Input(error)) => self.fail(name, &error),
        }
        Ok(())
    }
}

fn wrong_usage(message: &str) -> ExitCode {
    complain(format_args!("{message}"));
    ExitCode::from(TROUBLE)
}

/// Rewrites a file to standard output.
fn print(args: &Args, path: &Path, opener: &mut Opener) -> Result<ExitCode, Failure> {
    let fault = |what: &str| Failure::Input(Name::of(path), io::Error::other(what));
    let mut done = None;
    opener.each(path, &Progress::none(), |found| match found {
        Found::Input(input) if done.is_none() => {
            let name = input.name.clone();
            done = Some(match args.print(input) {
                Ok(has_errors) => ExitCode::from(u8::from(has_errors)),
                Err(Stop::Input(error)) => return Err(Failure::Input(name, error)),
                Err(Stop::Output(error)) => return Err(Failure::Output(error)),
                Err(Stop::Refused(why)) => {
                    complain(format_args!("{name}: {why}"));
                    ExitCode::from(1)
                }
            });
            Ok(())
        }
        Found::Input(_) => Err(fault("it has more than one SGF file, and one goes to standard output")),
        Found::Unreadable(name, error) => Err(Failure::Input(name.clone(), error)),
    })?;
    Ok(done.unwrap_or_else(|| {
        complain(format_args!("{}: it has no SGF file", Name::of(path)));
        ExitCode::from(1)
    }))
}

/// The result of [`in_place`].
struct Compared {
    differs: bool,
    has_errors: bool,
}

/// Compares a file with the result. If they differ, lists the file or replaces it.
fn in_place(args: &Args, input: Input<'_>, reporting: Reporting<'_>) -> Result<Compared, Stop> {
    let place = input.place();
    let (mut original, mut same) = compare(input.data);
    let has_errors = args.rewrite(input.name, &mut original, &mut same, reporting)?;
    if same.finish() {
        return Ok(Compared { differs: false, has_errors });
    }
    if args.check {
        input.name.list(args.print0, &mut io::stdout()).map_err(Stop::Output)?;
    } else {
        let path = place.map_err(|why| Stop::Refused(why.to_owned()))?;
        let mut place = Replacement::beside(path).map_err(Stop::Input)?.durable(args.durability.sync);
        let mut file = target::open(path).map_err(Stop::Input)?;
        args.rewrite(input.name, &mut file, &mut place, Reporting::Quiet).map_err(|stop| match stop {
            Stop::Output(error) => Stop::Input(error), // of this file only
            stop => stop,
        })?;
        place.take().map_err(Stop::Input)?;
    }
    Ok(Compared { differs: true, has_errors })
}

/// Copies a file that would have to be transcoded, since exact style repairs nothing in it. Returns the reason.
fn copy(file: Whole<&mut dyn BufRead>, decoding: Decoding, out: &mut dyn Write) -> Stop {
    let mut reader = decoding.reader(Tee { inner: file, out, failure: None });
    let charset = reader.charset();
    let read = io::copy(&mut reader, &mut io::sink());
    let is_sound = reader.bad_runs() == 0;
    match (reader.into_inner().failure, charset, read) {
        (Some(error), ..) => Stop::Output(error),
        (_, Err(error), _) | (.., Err(error)) => Stop::Input(error),
        (None, Ok(charset), Ok(_)) if is_sound => Stop::Refused(format!(
            "it is in {charset}, and stays as it is (without --exact, `sgf fmt` converts it to UTF-8)"
        )),
        (None, Ok(charset), Ok(_)) => {
            Stop::Refused(format!("it is said to be in {charset}, not all of it is, and it stays as it is"))
        }
    }
}

/// A reader that copies what is read to a writer.
struct Tee<'o, R> {
    inner: R,
    out: &'o mut dyn Write,
    failure: Option<io::Error>,
}

impl<R: Read> Read for Tee<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.inner.read(buffer)?;
        match self.out.write_all(&buffer[..len]) {
            Ok(()) => Ok(len),
            Err(error) => {
                self.failure = Some(error);
                Ok(0)
            }
        }
    }
}

impl Options {
    /// Returns the style of a file.
    pub(super) fn style(&self, is_transcoded: bool) -> Box<dyn Style> {
        match self.exact {
            true => Box::new(Exact { is_lossy: self.lossy }),
            false => Box::new(Canonical::new(self, is_transcoded)),
        }
    }

    /// Returns the codes that are not reported.
    pub(super) fn ignored(&self) -> &'static [Code] {
        if self.exact { exact::KEPT } else { &[] }
    }
}

impl Args {
    fn options(&self) -> Options {
        let Args { exact, lossy, charset, default_charset, guess_charset, .. } = *self;
        Options { exact, lossy, guess_charset, charset, default_charset }
    }

    /// Rewrites a file to standard output, on all cores, and reports the findings. Returns whether there were errors in
    /// games.
    fn print(&self, input: Input<'_>) -> Result<bool, Stop> {
        let (options, name) = (self.options(), input.name);
        let mut out = BufWriter::with_capacity(games::TAIL, io::stdout().lock());
        let (mut whole, bom) = match decoding::open(input.data, options.decoding()).map_err(Stop::Input)? {
            Opened::Bytes(whole, bom) => (whole, bom),
            // Where it has bad bytes nothing more is written, which the parts of a file do not know of each other.
            Opened::Text(text) => return self.rewrite_source(name, Source::of_text(text), &mut out, Reporting::Lines),
        };
        let work = Formatting { options, bom, buffers: Buffers::default() };
        let mut joiner = Joiner::new(out, &work, Printer::new(name, Reporting::Lines));
        let data = Found::Input(Input::of_data(name, &mut whole));
        let progress = Arc::new(Progress::none());
        let joined = jobs::run_input(work, data, self.paths.limits, &progress, |done| joiner.take(done));
        let (has_errors, detected) = joiner.finish();
        joined?;
        if !self.guess_charset {
            decoding::note_detected(name, detected);
        }
        Ok(has_errors)
    }

    /// Rewrites a file, and reports the findings. Returns whether there were errors in games.
    fn rewrite(
        &self,
        name: &Name,
        data: &mut dyn BufRead,
        out: &mut dyn Write,
        reporting: Reporting<'_>,
    ) -> Result<bool, Stop> {
        let (source, _) = Source::of(data, Some(self.options().decoding())).map_err(Stop::Input)?;
        self.rewrite_source(name, source, out, reporting)
    }

    fn rewrite_source(
        &self,
        name: &Name,
        mut source: Source<'_>,
        out: &mut dyn Write,
        reporting: Reporting<'_>,
    ) -> Result<bool, Stop> {
        let options = self.options();
        if self.exact {
            source = match source.into_untranscoded() {
                Ok(source) => source,
                Err(file) => return Err(copy(file, options.decoding(), out)),
            };
        }
        let (mut findings, mut printer) = (Findings::new(options.ignored()), Printer::new(name, reporting));
        let is_transcoded = source.is_transcoded();
        let mut style = options.style(is_transcoded);
        let decoding = if is_transcoded { Decoding::utf8() } else { options.decoding() };
        let after = |bom| if is_transcoded { Decoding::utf8() } else { options.decoding_after(bom) };
        let out = BufWriter::with_capacity(games::TAIL, out);
        let games = Games::new(out, &mut *style, &mut findings, decoding);
        let rewritten = games.rewrite(&mut source, after, &mut printer);
        let has_errors = printer.finish();
        let detected = rewritten?;
        if !(matches!(reporting, Reporting::Quiet) || self.guess_charset) {
            decoding::note_detected(name, detected);
        }
        Ok(has_errors)
    }
}
