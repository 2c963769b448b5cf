//! `sgf fmt`: files in canonical form, or repaired and otherwise as they are.
//!
//! [`games`] cuts a file into games and what is between them. A [`Style`] makes of a game what it is to be: [`canonical`]
//! decodes it and leaves the rest to the library's writer, [`exact`] leaves it to the library's rewriter. [`findings`]
//! tells what was repaired, and which games stay as they are. The output goes to standard output; nowhere, being
//! compared with the file ([`target`]); or into the file's [`place`].

mod canonical;
mod exact;
mod findings;
mod games;
mod place;
pub(crate) mod target;

use std::io::{self, BufRead, Read, Write};
use std::path::Path;
use std::process::ExitCode;

use sgf_stream::charset::{Charset, Decoding};

use self::canonical::Canonical;
use self::exact::Exact;
use self::findings::Findings;
use self::games::{Games, Style};
use self::target::{Durability, Place, compare};
use crate::decoding::{self, Whole};
use crate::failure::{Failure, TROUBLE, complain};
use crate::input::{Found, Input, Name, Opener, Paths, is_stdin, long_help};
use crate::progress::Progress;
use crate::source::Source;

/// Rewrite files in canonical form: FF[4], UTF-8, one way to write everything.
///
/// Faults are repaired, and reported on standard error. Properties of older versions become those of
/// FF[4], values take the form of their type, escapes stand where they are needed, the root comes in a
/// fixed order, lines have 80 bytes where they can. Nothing is lost: what is private, unknown or not
/// of its type is kept, text between games is copied, and a game of which something would be lost
/// goes out as it stands, which is said on standard error.
#[derive(clap::Args)]
#[command(
    after_long_help = MORE,
    mut_arg("paths", |paths| paths.help(WHAT).long_help(long_help(WHAT))),
    mut_arg("sync", |sync| sync.requires("write")),
)]
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

    /// Leave out what canonical form, or strict parsing, has no place for, instead of leaving games as they are.
    ///
    /// That is: text between games, text in games that is no SGF, values without identifiers, identifiers without
    /// values; in canonical form, properties whose identifiers have digits too. All of it is named on standard error.
    /// Bytes that are not in the charset of their game stay all the same.
    #[arg(long)]
    lossy: bool,

    #[command(flatten)]
    durability: Durability,

    /// Read everything by this charset, whatever the file says.
    #[arg(long, value_name = "NAME", value_parser = crate::decoding::charset)]
    charset: Option<Charset>,

    /// Read games without CA by this charset.
    #[arg(long, value_name = "NAME", value_parser = crate::decoding::charset)]
    default_charset: Option<Charset>,
}

const WHAT: &str = "What to rewrite: a file, an archive with one SGF file in it, or `-`; with --check or --write any number of \
                    files, directories and archives";

const MORE: &str = "\
Charsets:
  Texts become UTF-8, and CA says so, where CA (or a byte-order mark) names the charset that they are
  in, or where they are UTF-8 already. A game is left in its charset, and CA as it is, if some of its
  bytes are not in that charset (with --lossy too), if nobody knows the name, or if there is no CA:
  nothing is guessed. Only files in UTF-16, UTF-32, HZ and ISO-2022-* are recognised without a name. What
  is most likely Shift_JIS, Big5 or GBK is told apart by its characters, and stays what it is.

With --exact:
  The output is the file, but for what strict parsing refuses: missing brackets and semicolons are
  added, a value that is cut off is closed, brackets in texts are escaped. Identifiers keep their
  spelling, values their charset. A file in UTF-16, UTF-32, HZ or ISO-2022-* is not looked into: it comes
  out as it is, which is said on standard error (exit code 1).

Games that stay as they are:
  A game goes out byte for byte, with a line on standard error, if something of it would be lost: text
  that is no SGF; a value without an identifier, or an identifier without a value; in canonical form a
  value that is cut off by the end of the file or by the next game, and an identifier with digits,
  which FF[4] does not have (P0). With --lossy these go, cut values are closed, and what went is named.
  So does a game, with --lossy too, that has a value or a node that is too long, or nests too deep: that
  is an error. Games of more than some ten MiB stay as they are.

Text between games, mail headers and the like, is copied, and so is a file that is no SGF at all (an
error). Refused, as a whole, is a file in UTF-16, UTF-32, HZ or ISO-2022-* not all of which is in its
charset; on standard output, what came before it is there.

A file is rewritten as a whole or not at all: the result is written beside it and then takes its place,
with its owner, mode and links. A file that has other names (hard links), or an owner that the new one
cannot have, is written over instead, from the result beside it. A read-only file is refused. What is
compressed or in an archive can be compared, and go to standard output, but is not rewritten: --write
refuses it.

Exit codes:
  0  done, whatever was repaired or stays as it is; with --check, all files are as they should be
  1  with --check, some are not; there was an error: no SGF, something too long or too deep; a file was
     refused for what is in it
  2  wrong usage, or something could not be read or written";

/// Why a file is not rewritten.
enum Stop {
    Input(io::Error),
    Output(io::Error),
    /// What is the matter with it.
    Refused(String),
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
        // A pipe would wait for somebody to write to it.
        if let Some(why) = args.write.then(|| target::refusal(&file)).flatten() {
            run.trouble(&Name::of(&file), &why);
            continue;
        }
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
            Ok(Compared { differs, has_errors }) => self.found |= has_errors || differs && self.args.check,
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
                Ok(has_errors) => ExitCode::from(u8::from(has_errors)),
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

/// What came of a file that was compared with what it should be.
struct Compared {
    differs: bool,
    has_errors: bool,
}

/// Compares a file with what it should be; if they differ, says so or rewrites it.
fn in_place(args: &Args, input: Input<'_>) -> Result<Compared, Stop> {
    let place = input.place();
    let (mut original, mut same) = compare(input.data);
    let has_errors = args.rewrite(input.name, &mut original, &mut same, true)?;
    if same.finish() {
        return Ok(Compared { differs: false, has_errors });
    }
    if args.check {
        writeln!(io::stdout(), "{}", input.name).map_err(Stop::Output)?;
    } else {
        let path = place.map_err(|why| Stop::Refused(why.to_owned()))?;
        let mut place = Place::beside(path).map_err(Stop::Input)?.durable(args.durability.sync);
        let mut file = target::open(path).map_err(Stop::Input)?;
        args.rewrite(input.name, &mut file, &mut place, false).map_err(|stop| match stop {
            Stop::Output(error) => Stop::Input(error), // of this file only
            stop => stop,
        })?;
        place.take().map_err(Stop::Input)?;
    }
    Ok(Compared { differs: true, has_errors })
}

/// Copies a file that would have to be transcoded, which is no matter of brackets. Returns why.
fn copy(file: Whole<&mut dyn BufRead>, decoding: Decoding, out: &mut dyn Write) -> Stop {
    let mut reader = decoding.reader(Tee { inner: file, out, failure: None });
    let charset = reader.charset();
    let read = io::copy(&mut reader, &mut io::sink());
    let is_sound = reader.bad_runs() == 0;
    match (reader.into_inner().failure, charset, read) {
        (Some(error), ..) => Stop::Output(error),
        (_, Err(error), _) | (.., Err(error)) => Stop::Input(error),
        (None, Ok(charset), Ok(_)) if is_sound => Stop::Refused(format!(
            "it is in {charset}, and stays as it is (without --exact, `sgf fmt` makes UTF-8 of it)"
        )),
        (None, Ok(charset), Ok(_)) => {
            Stop::Refused(format!("it is said to be in {charset}, not all of it is, and it stays as it is"))
        }
    }
}

/// Writes what is read.
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

impl Args {
    /// Rewrites a file, and if wanted says what was repaired. Answers whether there were errors in games.
    fn rewrite(&self, name: &Name, data: &mut dyn BufRead, out: &mut dyn Write, tells: bool) -> Result<bool, Stop> {
        let decoding = self.decoding();
        let (mut source, _) = Source::of(data, Some(decoding)).map_err(Stop::Input)?;
        if self.exact {
            source = match source.into_untranscoded() {
                Ok(source) => source,
                Err(file) => return Err(copy(file, decoding, out)),
            };
        }
        let mut findings = Findings::of(name, tells, if self.exact { exact::KEPT } else { &[] });
        let mut style: Box<dyn Style> = match self.exact {
            true => Box::new(Exact { is_lossy: self.lossy }),
            false => Box::new(Canonical::new(self, source.is_transcoded())),
        };
        // What is transcoded is in UTF-8.
        let decoding = if source.is_transcoded() { Decoding::utf8() } else { decoding };
        let pushed = Games::new(out, &mut *style, decoding).push(&mut source, &mut findings);
        let has_errors = findings.finish();
        let detected = pushed?;
        if tells {
            decoding::tell_of(name, detected);
        }
        Ok(has_errors)
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
