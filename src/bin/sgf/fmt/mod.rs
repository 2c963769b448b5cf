//! `sgf fmt`: files in canonical form, or repaired and otherwise as they are.
//!
//! A file is pushed through a lenient parser, and its events through a [`Style`]: [`canonical`] holds
//! a game until its charset is certain, and leaves the rest to the library's writer; [`exact`] copies
//! the file, and takes from the events what to repair. Where the output goes is decided by [`target`]:
//! to standard output, nowhere (it is compared with the file), or into the file's place.

mod canonical;
mod exact;
pub(crate) mod target;

use std::io::{self, BufRead, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

use sgf_stream::charset::{Charset, Decoding};
use sgf_stream::{Code, Diagnostic, Event, Flow, Parser, Severity};

use self::canonical::Canonical;
use self::exact::Exact;
use self::target::{Place, compare};
use crate::failure::{Failure, TROUBLE, complain};
use crate::input::{Found, Input, Name, Opener, Paths, is_stdin, long_help};
use crate::progress::Progress;
use crate::source::Source;

/// Rewrite files in canonical form: FF[4], UTF-8, one way to write everything.
///
/// Faults are repaired, and reported on standard error. Properties of older versions become those of
/// FF[4], values take the form of their type, escapes stand where they are needed, the root comes in a
/// fixed order, lines have 80 bytes where they can. Nothing is lost: what is private, unknown or not
/// of its type is kept.
#[derive(clap::Args)]
#[command(after_long_help = MORE, mut_arg("paths", |paths| paths.help(WHAT).long_help(long_help(WHAT))))]
pub(crate) struct Args {
    #[command(flatten)]
    paths: Paths,

    /// Write nothing; list the files that would change.
    #[arg(long, conflicts_with = "write")]
    check: bool,

    /// Put the result in the place of each file that changes.
    #[arg(long)]
    write: bool,

    /// Only repair what strict parsing would refuse, and keep all other bytes, white space too.
    #[arg(long)]
    exact: bool,

    /// Put U+FFFD for bytes that are not in the charset, instead of leaving such a game in its own.
    #[arg(long, conflicts_with = "exact")]
    lossy: bool,

    /// Decode everything by this charset, whatever the file says.
    #[arg(long, value_name = "NAME", conflicts_with = "exact", value_parser = crate::decoding::charset)]
    charset: Option<Charset>,

    /// Decode games without CA by this charset.
    #[arg(long, value_name = "NAME", conflicts_with = "exact", value_parser = crate::decoding::charset)]
    default_charset: Option<Charset>,
}

const WHAT: &str = "What to rewrite: a file, an archive with one SGF file in it, or `-`; with --check or --write any number of \
                    files, directories and archives";

const MORE: &str = "\
Charsets:
  Texts become UTF-8, and CA says so, where CA (or a byte-order mark) names the charset that they are
  in, or where they are UTF-8 already. A game is left in its charset, and CA as it is, if some of its
  bytes are not in that charset (see --lossy), if nobody knows the name, or if there is no CA: nothing
  is guessed. Only files in UTF-16, UTF-32, HZ and ISO-2022-* are recognised without a name.

With --exact:
  The output is the file, but for what strict parsing refuses: missing brackets and semicolons are
  added, brackets in texts escaped, junk is left out. Identifiers keep their spelling, values their
  charset.

Refused:
  A file is left alone, with a line on standard error, if something in it is too long or too deep to be
  kept; if it is no SGF; and in canonical form if an identifier has digits, which FF[4] does not have
  (P0: --exact keeps it). On standard output, what came before it is there.

A file is rewritten as a whole or not at all: the result is written beside it and then takes its place. What is
compressed or in an archive can be compared, and go to standard output, but is not rewritten: --write refuses it.

Exit codes:
  0  done; with --check, all files are as they should be
  1  with --check, some are not; a file was refused
  2  wrong usage, or something could not be read or written";

/// How many repairs of a file are listed.
const MAX_LISTED: usize = 20;

/// Why a file is not rewritten.
enum Stop {
    Input(io::Error),
    Output(io::Error),
    /// What is the matter with it.
    Refused(String),
}

/// What becomes of events.
trait Style {
    /// The next piece of the file, before its events.
    fn chunk(&mut self, chunk: &[u8]);

    fn event(&mut self, event: Event<'_>, offset: u64) -> Result<(), Stop>;

    /// The file has ended.
    fn end(&mut self) -> Result<(), Stop>;
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let paths = &args.paths.paths;
    let mut opener = Opener::new(args.paths.limits);
    if !args.check && !args.write {
        return match &paths[..] {
            [path] if !path.is_dir() => print(args, path, &mut opener),
            _ => Ok(wrong_usage("one file, or `-`, goes to standard output; for more, say --check or --write")),
        };
    }
    if args.write && paths.iter().any(|path| is_stdin(path)) {
        return Ok(wrong_usage("standard input has no place to --write to"));
    }
    let mut run = Run { args, found: false, troubles: false };
    for file in args.paths.walk() {
        let file = match file {
            Ok(file) => file,
            Err((name, error)) => {
                run.trouble(&name, &error);
                continue;
            }
        };
        let done = opener.each(&file, &Progress::none(), |found| match found {
            Found::Input(input) => run.file(&file, input),
            Found::Unreadable(name, error) => {
                run.trouble(name, &error);
                Ok(())
            }
        });
        match done {
            Err(Done::Failed(failure)) => return Err(failure),
            Ok(()) | Err(Done::Refused) => {}
        }
    }
    Ok(ExitCode::from(if run.troubles { TROUBLE } else { u8::from(run.found) }))
}

/// Several files, compared or rewritten.
struct Run<'a> {
    args: &'a Args,
    /// With --check, a file that would change; or one that was refused.
    found: bool,
    troubles: bool,
}

/// Why the rest of a file on disk is of no interest.
enum Done {
    Refused,
    Failed(Failure),
}

impl Run<'_> {
    fn trouble(&mut self, name: &Name, error: &io::Error) {
        complain(format_args!("{name}: {error}"));
        self.troubles = true;
    }

    fn file(&mut self, file: &Path, input: Input<'_>) -> Result<(), Done> {
        let name = input.name;
        if let (true, Err(why)) = (self.args.write, input.place()) {
            complain(format_args!("{}: {why}", Name::of(file)));
            self.found = true;
            return Err(Done::Refused);
        }
        match in_place(self.args, input) {
            Ok(differs) => self.found |= differs && self.args.check,
            Err(Stop::Refused(why)) => {
                complain(format_args!("{name}: {why}"));
                self.found = true;
            }
            Err(Stop::Output(error)) => return Err(Done::Failed(Failure::Output(error))),
            Err(Stop::Input(error)) => self.trouble(name, &error),
        }
        Ok(())
    }
}

fn wrong_usage(message: &str) -> ExitCode {
    complain(format_args!("{message}"));
    ExitCode::from(TROUBLE)
}

/// To standard output.
fn print(args: &Args, path: &Path, opener: &mut Opener) -> Result<ExitCode, Failure> {
    let fault = |what: &str| Failure::Input(Name::of(path), io::Error::other(what));
    let mut done = None;
    opener.each(path, &Progress::none(), |found| match found {
        Found::Input(input) if done.is_none() => {
            let rewritten = args.rewrite(input.name, input.data, &mut io::stdout().lock(), true);
            done = Some(match rewritten {
                Ok(()) => ExitCode::SUCCESS,
                Err(Stop::Input(error)) => return Err(Failure::Input(input.name.clone(), error)),
                Err(Stop::Output(error)) => return Err(Failure::Output(error)),
                Err(Stop::Refused(why)) => {
                    complain(format_args!("{}: {why}", input.name));
                    ExitCode::from(1)
                }
            });
            Ok(())
        }
        Found::Input(_) => Err(fault("it has more than one SGF file, and one goes to standard output")),
        Found::Unreadable(name, error) => Err(Failure::Input(name.clone(), error)),
    })?;
    done.ok_or_else(|| fault("it has no SGF file"))
}

/// Compares a file with what it should be; if they differ, says so or rewrites it.
fn in_place(args: &Args, input: Input<'_>) -> Result<bool, Stop> {
    let place = input.place();
    let (mut original, mut same) = compare(input.data);
    args.rewrite(input.name, &mut original, &mut same, true)?;
    if same.finish() {
        return Ok(false);
    }
    if args.check {
        writeln!(io::stdout(), "{}", input.name).map_err(Stop::Output)?;
    } else {
        let path = place.map_err(|why| Stop::Refused(why.to_owned()))?;
        let mut place = Place::beside(path).map_err(Stop::Input)?;
        let mut file = target::open(path).map_err(Stop::Input)?;
        args.rewrite(input.name, &mut file, &mut place, false).map_err(|stop| match stop {
            Stop::Output(error) => Stop::Input(error), // of this file only
            stop => stop,
        })?;
        place.take().map_err(Stop::Input)?;
    }
    Ok(true)
}

impl Args {
    /// Rewrites a file, and if wanted says what was repaired.
    fn rewrite(&self, name: &Name, data: &mut dyn BufRead, out: &mut dyn Write, tells: bool) -> Result<(), Stop> {
        let decoding = (!self.exact).then(|| self.decoding());
        let (mut source, _) = Source::of(data, decoding).map_err(Stop::Input)?;
        let findings = Arc::new(Mutex::new(Findings::default()));
        let listener = {
            let (findings, name, is_exact) = (Arc::clone(&findings), name.clone(), self.exact);
            move |found: &Diagnostic| {
                let is_kept = is_exact && matches!(found.code, Code::LowercaseInIdent | Code::DigitInIdent);
                if !is_kept {
                    lock(&findings).hear(found, &name, tells);
                }
            }
        };
        let parser = Parser::new().on_diagnostic(listener);
        let mut style: Box<dyn Style + '_> = match self.exact {
            true => Box::new(Exact::new(out)),
            false => {
                let tell = |line: std::fmt::Arguments<'_>| {
                    if tells {
                        complain(format_args!("{name}: {line}"));
                    }
                };
                Box::new(Canonical::new(out, self, source.is_transcoded(), tell))
            }
        };
        let pushed = push(&mut source, parser, &mut *style, self.lossy, &findings);
        let findings = lock(&findings);
        if tells && findings.count > MAX_LISTED {
            complain(format_args!("{name}: {} more repairs", findings.count - MAX_LISTED));
        }
        pushed
    }

    fn decoding(&self) -> Decoding {
        let mut decoding = Decoding::new();
        if let Some(charset) = self.charset {
            decoding = decoding.force(charset);
        }
        if let Some(charset) = self.default_charset {
            decoding = decoding.default_charset(charset);
        }
        decoding
    }
}

/// Pushes a file through the parser, and its events through the style.
fn push(
    source: &mut Source<'_>,
    parser: Parser,
    style: &mut dyn Style,
    is_lossy: bool,
    findings: &Mutex<Findings>,
) -> Result<(), Stop> {
    let mut parser = parser.push();
    let mut stop = Ok(());
    loop {
        let mut bad = false;
        let chunk = source.next_chunk(|_| bad = true).map_err(Stop::Input)?;
        if bad && !is_lossy {
            return Err(Stop::Refused("not all of it is in its charset (--lossy replaces what is not)".to_owned()));
        }
        style.chunk(chunk);
        let handler = |event: Event<'_>, offset| {
            stop = style.event(event, offset);
            if stop.is_ok() { Flow::Continue } else { Flow::Break }
        };
        let parsed = if chunk.is_empty() { parser.finish(handler) } else { parser.feed(chunk, handler) };
        std::mem::replace(&mut stop, Ok(()))?;
        parsed.map_err(|error| Stop::Refused(error.to_string()))?;
        if let Some(lost) = lock(findings).lost.take() {
            return Err(Stop::Refused(lost));
        }
        if chunk.is_empty() {
            return style.end();
        }
    }
}

/// What the parser has repaired in a file.
#[derive(Default)]
struct Findings {
    count: usize,
    /// The first thing that had to be left out, being more than a parser can hold.
    lost: Option<String>,
}

impl Findings {
    fn hear(&mut self, found: &Diagnostic, name: &Name, tells: bool) {
        if found.code.severity() == Severity::Error {
            self.lost.get_or_insert_with(|| found.to_string());
            return;
        }
        self.count += 1;
        if tells && self.count <= MAX_LISTED {
            complain(format_args!("{name}: {found}"));
        }
    }
}

fn lock(findings: &Mutex<Findings>) -> std::sync::MutexGuard<'_, Findings> {
    findings.lock().unwrap_or_else(PoisonError::into_inner)
}
