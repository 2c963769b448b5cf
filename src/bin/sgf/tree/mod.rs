//! `sgf tree`: the shape of the variations of a game, drawn for a terminal.
//!
//! [`runs`] decides what is printed, in which order, [`draw`] and [`json`] print it, [`summary`] makes the lines
//! above it, and [`moves`] formats nodes. One game is in memory at a time.

mod draw;
mod json;
mod moves;
mod runs;
mod summary;
mod text;

use std::io::{self, BufRead, BufWriter, Stdout, Write};
use std::process::ExitCode;

use sgf_stream::charset::Decoding;
use sgf_stream::tree::{GameTree, TreeBuilder};
use sgf_stream::{Parser, Reader};

use self::draw::Drawing;
use self::json::Json;
use crate::decoding::{self, Charsets, Opened};
use crate::failure::{Failure, TROUBLE, complain};
use crate::input::{Found, Input, Name, Opener, Paths};
use crate::progress::Progress;
use crate::terminal;

/// Print the shape of games: the main line and the variations that branch off it.
#[derive(clap::Args)]
#[command(after_long_help = MORE)]
pub(crate) struct Args {
    #[command(flatten)]
    paths: Paths,

    /// Print only this game of each file, counted from 0.
    #[arg(long, value_name = "N")]
    game: Option<u64>,

    /// Show variations down to this level only: 0 is the main line.
    #[arg(long, value_name = "LEVELS")]
    depth: Option<usize>,

    /// Print the start of each comment below its move.
    #[arg(long, conflicts_with = "json")]
    comments: bool,

    /// Width of lines in columns. Default: that of the terminal, or 100.
    #[arg(long, value_name = "COLUMNS", conflicts_with = "json")]
    width: Option<usize>,

    /// Print moves as in the file, `pd`, instead of `Q16`.
    #[arg(long, conflicts_with = "json")]
    raw: bool,

    /// Draw with ASCII characters only.
    #[arg(long, conflicts_with = "json")]
    ascii: bool,

    /// Print one JSON object for each game.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    charsets: Charsets,
}

const MORE: &str = r#"Output:
    Shusaku – Gennan, B+2
      Castle game, 1846-09-11
      Go 19x19, komi 0
      16 nodes; 6 moves in the main line; 2 variations; 1 comment
    1-3     B R16 D17 C3
    ├─ 4-8     W P17 P15 B D15 E16 [+5W -1] ◦ W pass
    4-5     W C5 D16*
    ├─ 6-7     W D15 "joseki" C14
    6       W E16!

  A line is a run of moves without a branch, with the numbers of its moves; if
  the line is too short for all of them, the first and the last are shown. After
  a branch, the variations come first, one level to the right; then the line
  continues, with the same move number as the variations.

  B and W  the color of a move, if it does not alternate
  !  ?     TE, BM: a good move, a bad one
  !? ?!    IT, DO: an interesting move, a doubtful one
  [+2B -1] stones set up, stones cleared
  "joseki" the name of a node
  *        the node has a comment
  ◦        a node with neither move nor setup
  ⋮57      57 levels deep

  Moves are numbered from the root; MN sets the number. Points of games other
  than Go, and of boards with more than 25 columns, are printed as in the file.

JSON:
    {"file":"a.sgf","game":0,"root":{"PB":"Shusaku"},"nodes":14,"moves":9,
     "variations":2,"depth":2,"comments":1,"runs":[{"node":0,"parent":null,
     "level":0,"nodes":4,"first_move":1,"moves":[["B","qd"],["W","dc"],
     ["B","pq"]],"comments":0}]}

  One line for each game. If the name of the file is not UTF-8, path_base64 has
  its bytes. `node` and `parent` are numbers of nodes, from 0, in the order of
  the file. A run whose variations --depth hides has
  "hidden":[variations,nodes].

Exit codes:
  0  success; also if the reader of the output closes the pipe
  1  a file has no SGF data, or no such game; a game takes more than 1 GiB of
     memory
  2  wrong usage, or something could not be read (reported on standard error)"#;

/// Width of lines, if neither the user nor a terminal sets it.
const WIDTH: usize = 100;

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let mut trees = Trees::new(args);
    let mut opener = Opener::new(args.paths.limits);
    for file in args.paths.walk() {
        match file {
            Ok(file) => opener.each(&file, &Progress::none(), |found| match found {
                Found::Input(input) => trees.file(input),
                Found::Unreadable(name, error) => {
                    trees.trouble(name, &error);
                    Ok(())
                }
            })?,
            Err((name, error)) => trees.trouble(&name, &error),
        }
    }
    trees.out.flush().map_err(Failure::Output)?;
    Ok(ExitCode::from(if trees.has_troubles { TROUBLE } else { u8::from(trees.has_faults) }))
}

/// Maximum length of a value in bytes.
const LONGEST_VALUE: usize = 16 << 20;

/// A run of the subcommand.
struct Trees<'a> {
    args: &'a Args,
    drawing: Drawing,
    /// Whether there may be more than one file.
    names_files: bool,
    out: BufWriter<Stdout>,
    is_first: bool,
    has_troubles: bool,
    has_faults: bool,
}

/// An error that ends a file.
enum Stop {
    /// The file cannot be read.
    Input(io::Error),
    Output(io::Error),
}

impl<'a> Trees<'a> {
    fn new(args: &'a Args) -> Self {
        let terminal = terminal::get();
        let drawing = Drawing {
            width: args.width.or(terminal.columns()).unwrap_or(WIDTH),
            depth: args.depth.unwrap_or(usize::MAX),
            comments: args.comments,
            ascii: args.ascii,
            raw: args.raw,
            color: terminal.has_color(),
        };
        let names_files = args.paths.paths.len() > 1 || args.paths.paths.iter().any(|path| path.is_dir());
        Trees {
            args,
            drawing,
            names_files,
            out: BufWriter::with_capacity(64 * 1024, io::stdout()),
            is_first: true,
            has_troubles: false,
            has_faults: false,
        }
    }

    fn file(&mut self, input: Input<'_>) -> Result<(), Failure> {
        match self.read(input.name, input.data) {
            Ok(()) => Ok(()),
            Err(Stop::Output(error)) => Err(Failure::Output(error)),
            Err(Stop::Input(error)) => {
                self.trouble(input.name, &error);
                Ok(())
            }
        }
    }

    fn read(&mut self, name: &Name, data: &mut dyn BufRead) -> Result<(), Stop> {
        let mut decoding = self.args.charsets.decoding();
        match decoding::open(data, decoding).map_err(Stop::Input)? {
            Opened::Bytes(whole, bom) => {
                // The parser does not report the byte-order mark.
                if let (Some(bom), None) = (bom, self.args.charsets.forced()) {
                    decoding = decoding.force(bom);
                }
                let reader = Self::parser().charset(decoding).reader(whole);
                self.games(name, reader, TreeBuilder::new().charset(decoding))
            }
            // UTF-8, whatever `CA` names.
            Opened::Text(text) => {
                let reader = Self::parser().charset(Decoding::utf8()).reader(*text);
                self.games(name, reader, TreeBuilder::new())
            }
        }
    }

    fn parser() -> Parser {
        Parser::new().max_value_len(LONGEST_VALUE)
    }

    fn games<R: BufRead>(&mut self, name: &Name, mut reader: Reader<R>, mut builder: TreeBuilder) -> Result<(), Stop> {
        let mut number = 0;
        let mut has_told = false;
        // The only game of a file is printed without a number.
        let mut first = None;
        loop {
            let skips = self.args.game.is_some_and(|wanted| number < wanted);
            let read = match skips {
                true => reader.skip_game().map(|is_there| is_there.then_some(None)),
                false => reader.read_game(&mut builder).map(|game| game.map(Some)),
            };
            if !std::mem::replace(&mut has_told, true) {
                decoding::note_detected(name, reader.detected_charset());
            }
            match read {
                Ok(Some(None)) => {}
                Ok(Some(Some(Ok(game)))) if number == 0 && self.args.game.is_none() => first = Some(game),
                Ok(Some(Some(Ok(game)))) => {
                    if let Some(first) = first.take() {
                        self.game(name, 0, true, &first).map_err(Stop::Output)?;
                    }
                    self.game(name, number, true, &game).map_err(Stop::Output)?;
                    if self.args.game == Some(number) {
                        return Ok(());
                    }
                }
                Ok(Some(Some(Err(error)))) => self.fault(name, &format!("game {number}: {error}")),
                Ok(None) => break,
                Err(sgf_stream::Error::Syntax(error)) => {
                    self.fault(name, &error.message());
                    break;
                }
                Err(sgf_stream::Error::Io(error)) => return Err(Stop::Input(error)),
                Err(error) => return Err(Stop::Input(io::Error::other(error))),
            }
            number += 1;
        }
        if let Some(first) = first {
            self.game(name, 0, false, &first).map_err(Stop::Output)?;
        }
        if let Some(wanted) = self.args.game.filter(|_| number > 0) {
            self.fault(
                name,
                &format!("there is no game {wanted}: the file has {}", draw::counted(number as usize, "game")),
            );
        }
        Ok(())
    }

    fn game(&mut self, name: &Name, number: u64, is_numbered: bool, game: &GameTree) -> io::Result<()> {
        if self.args.json {
            let depth = self.drawing.depth;
            crate::json::write(&mut self.out, &Json { file: name, game: number, tree: game, depth })?;
            return writeln!(self.out);
        }
        if !std::mem::replace(&mut self.is_first, false) {
            writeln!(self.out)?;
        }
        let title = match (self.names_files || name.is_member(), is_numbered) {
            (true, true) => format!("{name}, game {number}"),
            (true, false) => name.to_string(),
            (false, true) => format!("game {number}"),
            (false, false) => String::new(),
        };
        self.drawing.game(&title, &name.to_string(), game, &mut self.out)
    }

    fn fault(&mut self, name: &Name, message: &str) {
        self.has_faults = true;
        complain(format_args!("{name}: {message}"));
    }

    fn trouble(&mut self, name: &Name, error: &io::Error) {
        self.has_troubles = true;
        complain(format_args!("{name}: {error}"));
    }
}
