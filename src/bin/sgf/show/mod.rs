//! `sgf show`: the board of a game, in the terminal and as a picture.
//!
//! [`position`] finds the node and makes its diagram, [`draw`] draws that as text, [`panel`] makes the lines beside it,
//! [`keys`] walks through a game, [`picture`] writes SVG and PNG.

pub(crate) mod draw;
mod keys;
mod panel;
mod picture;
mod position;

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use sgf_stream::tree::GameTree;

use self::draw::Style;
use self::picture::{Format, Picture};
use self::position::{Line, Path, Position};
use crate::decoding::Charsets;
use crate::destination;
use crate::failure::{Failure, complain};
use crate::input::{Name, Paths};
use crate::terminal;
use crate::trees::{TreeOf, Trees};

/// Show the board of a game: in the terminal, or as a picture.
#[derive(clap::Args)]
#[command(after_long_help = MORE)]
pub(crate) struct Args {
    #[command(flatten)]
    paths: Paths,

    /// Show this game of each file, counted from 0.
    #[arg(long, value_name = "N", default_value_t)]
    game: u64,

    /// Show the position after this move of the line. Default: the last one.
    #[arg(long, value_name = "N")]
    r#move: Option<usize>,

    /// Follow these variations at the branches, counted from 1: `3.1.2`.
    ///
    /// The first number says which variation to take where the line branches first, the next one where that variation
    /// branches, and so on. After the last number, the line goes on with the first variations.
    #[arg(long, value_name = "PATH", value_parser = position::path)]
    path: Option<Path>,

    /// Show the positions after every N moves, and the last one.
    #[arg(long, value_name = "N", conflicts_with = "move", value_parser = clap::value_parser!(u32).range(1..))]
    every: Option<u32>,

    /// Write a picture to this file: `.svg`, or `.png` with the feature `png`.
    ///
    /// With --every, the number of the move is added to the name: `board-50.svg`. A file that exists is replaced.
    #[arg(long, short, value_name = "FILE", value_parser = picture::place)]
    output: Option<(PathBuf, Format)>,

    /// Write the numbers of the last N moves on their stones; of all moves without N.
    #[arg(
        long, value_name = "N", num_args = 0..=1, default_missing_value = "4294967295", requires = "output",
        require_equals = true, conflicts_with_all = ["print", "ascii", "width"]
    )]
    numbers: Option<u32>,

    /// Draw a small picture: stones only.
    #[arg(long, requires = "output", conflicts_with_all = ["print", "ascii", "width"])]
    thumbnail: bool,

    /// Draw no letters and numbers around the board.
    #[arg(long, requires = "output", conflicts_with_all = ["print", "ascii", "width"])]
    no_coordinates: bool,

    /// Width of the picture in pixels. Default: 24 for each column of the board, or 6 with --thumbnail.
    #[arg(long, value_name = "PIXELS", requires = "output", conflicts_with_all = ["print", "ascii", "width"],
        value_parser = clap::value_parser!(u32).range(1..=16384))]
    pixels: Option<u32>,

    /// Print the position and exit, even on a terminal.
    #[arg(long, conflicts_with = "output")]
    print: bool,

    /// Draw with ASCII characters only: X for Black, O for White.
    #[arg(long, conflicts_with = "output")]
    ascii: bool,

    /// Width of lines in columns. Default: that of the terminal, or 100.
    #[arg(long, value_name = "COLUMNS", conflicts_with = "output")]
    width: Option<usize>,

    #[command(flatten)]
    charsets: Charsets,
}

const MORE: &str = r#"Keys, if both standard input and standard output are a terminal:
  → ←          the next move, the one before
  ↓ ↑          the next variation, the one before, where the line has branched
  PgDn PgUp    ten moves on, ten back
  Tab          on to the next branch
  End Home     the end of the line, the start
  q            quit

Games: Go on boards from 1x1 to 52x52, and Hex. Others have no board here yet.

In the text, ● or X is Black, and ○ or O is White; the last move is in
parentheses. Pictures also have the marks, labels, arrows and lines of the
node, and show only the part of the board that VW names.

Exit codes:
  0  success; also if the reader of the output closes the pipe
  1  a file has no SGF data, no such game, or no such move; there is no board
     for the game
  2  wrong usage, or something could not be read or written"#;

/// Width of lines, if neither the user nor a terminal sets it.
const WIDTH: usize = 100;

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let terminal = terminal::get();
    let is_single = args.paths.paths.len() == 1 && !args.paths.paths[0].is_dir();
    if args.output.is_some() && !is_single {
        complain(format_args!("-o: several games cannot be written to one file; name one file"));
        return Ok(ExitCode::from(crate::failure::TROUBLE));
    }
    let walks = terminal.shows_output()
        && io::stdin().is_terminal()
        && is_single
        && !args.print
        && args.every.is_none()
        && args.output.is_none();
    let mut show = Show {
        args,
        style: Style { ascii: args.ascii, color: terminal.has_color() },
        width: args.width.or(terminal.columns()).unwrap_or(WIDTH),
        walks,
        faults: Vec::new(),
        is_first: true,
    };
    let mut trees = Trees::new(args.charsets, Some(args.game));
    trees.each(&args.paths, &mut |found| show.game(found))?;
    for (name, message) in show.faults {
        trees.fault(&name, &message);
    }
    io::stdout().flush().map_err(Failure::Output)?;
    Ok(trees.exit_code())
}

struct Show<'a> {
    args: &'a Args,
    style: Style,
    width: usize,
    /// Whether the user walks through the game by keys.
    walks: bool,
    /// The games that could not be shown.
    faults: Vec<(Name, String)>,
    is_first: bool,
}

impl Show<'_> {
    fn game(&mut self, TreeOf { name, tree, .. }: TreeOf<'_>) -> io::Result<()> {
        // Labels and comments are texts of this program from here on.
        let mut tree = tree.clone();
        if let Err(error) = tree.to_utf8() {
            self.faults.push((name.clone(), error.to_string()));
            return Ok(());
        }
        match self.positions(&tree) {
            Ok((line, positions)) => self.positions_of(name, &line, &positions),
            Err(message) => {
                self.faults.push((name.clone(), message));
                Ok(())
            }
        }
    }

    /// The line that is shown, and the positions in it.
    fn positions<'t>(&self, tree: &'t GameTree) -> Result<(Line<'t>, Vec<Position<'t>>), String> {
        let line = Line::of(tree, self.args.path.as_ref().unwrap_or(&Path::default()))?;
        let nodes = match (self.args.every, self.args.r#move) {
            (Some(every), _) => line.every(every as usize),
            (None, Some(number)) => vec![line.at_move(number)?],
            // People begin at the beginning, and pictures are of the end.
            (None, None) if self.walks => vec![line.start()],
            (None, None) => vec![line.end()],
        };
        let positions: Result<_, _> = nodes.into_iter().map(Position::of).collect();
        Ok((line, positions?))
    }

    fn positions_of<'t>(&mut self, name: &Name, line: &Line<'t>, positions: &[Position<'t>]) -> io::Result<()> {
        if self.walks {
            return keys::walk(line, positions[0].node(), self.style, &name.to_string());
        }
        if let Some((path, format)) = &self.args.output {
            let picture = Picture {
                format: *format,
                numbers: self.args.numbers.unwrap_or(0) as usize,
                is_thumbnail: self.args.thumbnail,
                has_coordinates: !self.args.no_coordinates,
                pixels: self.args.pixels,
            };
            for position in positions {
                let path = match self.args.every {
                    Some(_) => picture::numbered(path, position.move_number()),
                    None => path.clone(),
                };
                let written = picture.bytes(position).map(|bytes| {
                    destination::write(&path, &bytes, &self.args.paths.paths).map_err(|error| error.to_string())
                });
                if let Err(message) = written.flatten() {
                    self.faults.push((Name::of(&path), message));
                    break;
                }
            }
            return Ok(());
        }
        let mut out = io::stdout().lock();
        for position in positions {
            if !std::mem::replace(&mut self.is_first, false) {
                writeln!(out)?;
            }
            for text in panel::beside(position, line, self.style, self.width, None) {
                writeln!(out, "{text}")?;
            }
        }
        Ok(())
    }
}
