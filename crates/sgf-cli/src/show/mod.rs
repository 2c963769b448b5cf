//! `sgf show`: the board of a game, in the terminal and as a picture, and its tree.
//!
//! [`position`] finds the node and makes its diagram, [`draw`] draws that as text, [`panel`] makes the lines beside it,
//! [`keys`] walks through a game, [`picture`] makes SVG and PNG, [`gallery`] writes those of many games. [`tree`] draws the
//! variations. [`summary`] makes the lines about a game, and [`moves`] formats nodes. One game is in memory at a time.

pub(crate) mod draw;
mod gallery;
mod keys;
mod moves;
mod panel;
mod picture;
mod position;
mod runs;
mod summary;
mod tree;

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use sgf_input::Output;
use sgf_stream::tree::{GameTree, Node};

use self::draw::Style;
use self::gallery::Gallery;
use self::picture::{Format, Picture, Place};
use self::position::Chosen;
pub(crate) use self::position::{Line, Path, path};
use self::summary::Summary;
use crate::decoding::Charsets;
use crate::failure::{Failure, complain, note};
use crate::input::{Name, Paths};
use crate::tables::counted;
use crate::terminal;
use crate::trees::{TreeOf, Trees};

/// Show games: boards in the terminal or as pictures, and the tree of variations.
#[derive(clap::Args)]
#[command(after_long_help = format!("{MORE}\n\n{}", tree::MORE))]
pub(crate) struct Args {
    #[command(flatten)]
    paths: Paths,

    /// Write a picture to FILE, `.svg` or `.png`, or of each game to DIR/.
    ///
    /// The name of a directory ends in /. It gets a picture of each game, named after the file and the number of the game,
    /// counted from 1, and pages of thumbnails that start with index.html. A directory that has other files but no such
    /// pages is refused; so is a picture that would replace a file that is not on the pages.
    ///
    /// With --every, the number of the move is added to each name: `board-50.svg`. An existing file is replaced.
    #[arg(long, short, value_name = "FILE|DIR/", value_parser = picture::place)]
    output: Option<Place>,

    /// Show the trees of games: the main line and its variations.
    #[arg(long, conflicts_with_all = ["output", "boards", "pictures"])]
    tree: bool,

    /// Show this game of each file, counted from 1. Default: 1; with --tree or -o DIR/, all games.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    game: Option<u64>,

    #[command(flatten)]
    boards: Boards,

    #[command(flatten)]
    pictures: Pictures,

    #[command(flatten)]
    trees: tree::Options,

    /// Draw with ASCII characters only; on boards, X is Black and O is White.
    #[arg(long, conflicts_with = "output")]
    ascii: bool,

    /// Width of lines in columns. Default: that of the terminal, or 100.
    #[arg(long, value_name = "COLUMNS", conflicts_with = "output")]
    width: Option<usize>,

    #[command(flatten)]
    charsets: Charsets,
}

/// The options that only boards have: which positions are shown.
#[derive(clap::Args)]
#[group(id = "boards")]
struct Boards {
    /// Show the position after this move of the line: a number, `first` or `last`.
    ///
    /// `first`, or 0, is the position before the first move. Default: `last`; for a problem `first`. A problem has stones
    /// of both colors before its first move, and at most 30 moves, or no more moves than stones.
    #[arg(long, value_name = "N", value_parser = position::chosen)]
    r#move: Option<Chosen>,

    /// Follow these variations at the branches, counted from 1: `3.1.2`.
    ///
    /// The first number selects the variation at the first branch, the next one at the first branch of that variation, and
    /// so on. After the last number, the line continues with the first variations.
    #[arg(long, value_name = "PATH", value_parser = position::path)]
    path: Option<Path>,

    /// Show the positions after every N moves, and the last one.
    #[arg(long, value_name = "N", conflicts_with = "move", value_parser = clap::value_parser!(u32).range(1..))]
    every: Option<u32>,

    /// Print the position and exit, even on a terminal.
    #[arg(long, conflicts_with = "output")]
    print: bool,
}

/// The options that only pictures have.
#[derive(clap::Args)]
#[group(id = "pictures", requires = "output", conflicts_with_all = ["print", "ascii", "width"])]
struct Pictures {
    /// Format of the pictures in a directory. PNG needs the feature `png`.
    #[arg(long, value_name = "svg|png", value_parser = picture::format)]
    format: Option<Format>,

    /// Show only the part of the board around the stones, with nearby edges.
    #[arg(long)]
    crop: bool,

    /// Number the stones of the last N moves, or of all moves.
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "4294967295", require_equals = true)]
    numbers: Option<u32>,

    /// Draw a small picture: stones only.
    #[arg(long)]
    thumbnail: bool,

    /// Draw no coordinates around the board.
    #[arg(long)]
    no_coordinates: bool,

    /// Width of the picture in pixels. Default: 24 per column of the board, or 6 with --thumbnail.
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(1..=16384))]
    pixels: Option<u32>,
}

const MORE: &str = r#"Keys, if both standard input and standard output are a terminal:
  → ←          next / previous move
  ↓ ↑          next / previous variation at the last branch
  PgDn PgUp    ten moves forward / back
  Tab          next branch
  End Home     end / start of the line
  q            quit

Pictures of many games:
    sgf show -o pictures/ games.zip
    sgf show -o problems/ --crop --pixels 200 problems.sgf

Games: Go on boards from 1x1 to 52x52, and Hex. Other games cannot be drawn yet.

In the text, ● or X is Black, and ○ or O is White; the last move is in
parentheses. Pictures also have the marks, labels, arrows and lines of the
node, and show only the part of the board that VW names."#;

/// Width of lines, if neither the user nor a terminal sets it.
const WIDTH: usize = 100;

/// Number of games without a picture that are named; the others are counted.
const NAMED: u64 = 10;

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let terminal = terminal::get();
    let style = Style { ascii: args.ascii, color: terminal.has_color() };
    let width = args.width.or(terminal.columns()).unwrap_or(WIDTH);
    if args.tree {
        return tree::run(args, style, width);
    }
    let is_single = args.paths.is_one_file();
    let gallery = match &args.output {
        Some(Place::Directory(directory)) => {
            Some(Gallery::new(directory, args.pictures.format.unwrap_or_default(), title(args), args.paths.inputs())?)
        }
        Some(Place::File(..)) if args.pictures.format.is_some() => {
            return Err(Failure::Usage(
                "--format cannot be used with a file name; the extension sets the format".to_owned(),
            ));
        }
        Some(Place::File(..)) if !is_single => {
            complain(format_args!(
                "--output writes a single picture; use exactly one SGF file, or --output DIR/ for a directory of pictures"
            ));
            return Ok(ExitCode::from(crate::failure::TROUBLE));
        }
        _ => None,
    };
    let walks = terminal.shows_output()
        && io::stdin().is_terminal()
        && is_single
        && !args.boards.print
        && args.boards.every.is_none()
        && args.output.is_none();
    let wanted = args.game.or(if gallery.is_some() { None } else { Some(1) });
    let mut show = Show { args, style, width, walks, gallery, faults: Vec::new(), is_first: true };
    let mut trees = Trees::new(args.charsets, wanted);
    let read = trees.each(&args.paths, &mut |found| show.game(found));
    if let Some(mut gallery) = show.gallery {
        let done = read.and_then(|()| gallery.finish().map_err(Failure::Output));
        return match gallery.failure {
            Some((path, error)) => Err(Failure::Input(Name::of(&path), error)),
            None => done.map(|()| end(&gallery, args, &trees)),
        };
    }
    read?;
    for (name, message) in show.faults {
        trees.fault(&name, &message);
    }
    io::stdout().flush().map_err(Failure::Output)?;
    Ok(trees.exit_code())
}

/// Prints how many pictures were written, and returns the exit code.
fn end(gallery: &Gallery, args: &Args, trees: &Trees) -> ExitCode {
    let skipped = gallery.skipped + trees.faults();
    let (pictures, games) = (counted(gallery.pictures, "picture"), counted(gallery.games, "game"));
    let directory = match &args.output {
        Some(Place::Directory(directory)) => Name::of(directory),
        _ => Name::default(),
    };
    let without = match skipped {
        0 => String::new(),
        skipped => format!("; {} without a picture", counted(skipped, "other")),
    };
    if skipped > 0 || terminal::get().shows_messages() {
        note(format_args!("{pictures} of {games} in {directory}{without}"));
    }
    trees.exit_code_with(gallery.skipped)
}

/// The title of the pages of thumbnails.
fn title(args: &Args) -> String {
    match &args.paths.paths[..] {
        [path] if args.paths.is_one_file() || path.is_dir() => {
            let whole = path.canonicalize().unwrap_or_else(|_| path.clone());
            let name = whole.file_name().map_or(path.as_os_str(), |name| name);
            match crate::input::is_stdin(path) {
                true => "Games".to_owned(),
                false => Name::of(std::path::Path::new(name)).as_str().to_owned(),
            }
        }
        _ => "Games".to_owned(),
    }
}

struct Show<'a> {
    args: &'a Args,
    style: Style,
    width: usize,
    /// Whether the game is shown interactively.
    walks: bool,
    /// The directory of pictures.
    gallery: Option<Gallery>,
    /// The games that could not be shown.
    faults: Vec<(Name, String)>,
    is_first: bool,
}

impl Show<'_> {
    fn game(&mut self, found: TreeOf<'_>) -> io::Result<()> {
        // Labels and comments are texts of this program from here on.
        if let Err(error) = found.tree.convert_to_utf8() {
            self.fault(&found, error.to_string());
            return Ok(());
        }
        match self.nodes(found.tree) {
            Ok((line, nodes)) if self.gallery.is_some() => self.pictures_of(&found, &line, nodes),
            Ok((line, nodes)) => self.positions_of(&found, &line, nodes),
            Err(message) => {
                self.fault(&found, message);
                Ok(())
            }
        }
    }

    /// Notes that a game cannot be shown.
    fn fault(&mut self, found: &TreeOf<'_>, message: String) {
        match &mut self.gallery {
            None => self.faults.push((found.name.clone(), message)),
            Some(gallery) => {
                gallery.skipped += 1;
                if gallery.skipped <= NAMED {
                    complain(format_args!("{}: {message}", label(found)));
                }
            }
        }
    }

    /// The line that is shown, and the nodes of it.
    fn nodes<'t>(&self, tree: &'t GameTree) -> Result<(Line<'t>, Vec<Node<'t>>), String> {
        let path = self.args.boards.path.as_ref();
        let line = Line::of(tree, path.unwrap_or(&Path::default())).map_err(|error| format!("--path: {error}"))?;
        let nodes = match (self.args.boards.every, self.args.boards.r#move) {
            (Some(every), _) => line.every(every as usize),
            (None, Some(Chosen::Number(number))) => vec![line.at_move(number)?],
            (None, Some(Chosen::Last)) => vec![line.end()],
            // People begin at the beginning, and pictures are of the end.
            (None, None) if self.walks => vec![line.start()],
            (None, None) if line.is_problem() => vec![line.at_move(0)?],
            (None, None) => vec![line.end()],
        };
        Ok((line, nodes))
    }

    fn picture(&self, format: Format) -> Picture {
        Picture {
            format,
            numbers: self.args.pictures.numbers.unwrap_or(0) as usize,
            is_thumbnail: self.args.pictures.thumbnail,
            is_cropped: self.args.pictures.crop,
            has_coordinates: !self.args.pictures.no_coordinates,
            pixels: self.args.pictures.pixels,
        }
    }

    /// Writes the pictures of a game to the directory.
    fn pictures_of<'t>(&mut self, found: &TreeOf<'_>, line: &Line<'t>, nodes: Vec<Node<'t>>) -> io::Result<()> {
        let picture = self.picture(self.args.pictures.format.unwrap_or_default());
        let (label, summary) = (label(found), Summary::of(line.start().tree()));
        for position in line.positions(nodes) {
            let drawn = position.and_then(|position| Ok((picture.bytes(&position)?, position)));
            let (bytes, position) = match drawn {
                Ok(drawn) => drawn,
                Err(message) => {
                    self.fault(found, message);
                    return Ok(());
                }
            };
            let Some(gallery) = &mut self.gallery else { return Ok(()) };
            let mut numbers = Vec::new();
            if found.is_numbered {
                numbers.push((found.number as usize + 1, 4));
            }
            if self.args.boards.every.is_some() {
                numbers.push((position.move_number(), 3));
            }
            let file = label.rsplit('/').next().unwrap_or(&label);
            let title = if summary.players.is_empty() { file.to_owned() } else { summary.players.clone() };
            let mut lines = vec![panel::moved(&position, line, self.style)];
            lines.extend(summary.lines().next());
            if title != label {
                lines.push(label.clone());
            }
            gallery.add(found.name, &numbers, &bytes, title, lines)?;
        }
        if let Some(gallery) = &mut self.gallery {
            gallery.games += 1;
        }
        Ok(())
    }

    fn positions_of<'t>(&mut self, found: &TreeOf<'_>, line: &Line<'t>, nodes: Vec<Node<'t>>) -> io::Result<()> {
        let mut positions = line.positions(nodes);
        if self.walks {
            return match positions.next() {
                Some(Ok(position)) => keys::walk(line, position.node(), self.style, &found.name.to_string()),
                Some(Err(message)) => {
                    self.fault(found, message);
                    Ok(())
                }
                None => Ok(()),
            };
        }
        if let Some(Place::File(path, format)) = &self.args.output {
            let picture = self.picture(*format);
            for position in positions {
                let position = match position {
                    Ok(position) => position,
                    Err(message) => {
                        self.fault(found, message);
                        break;
                    }
                };
                let path = match self.args.boards.every {
                    Some(_) => picture::numbered(path, position.move_number()),
                    None => path.clone(),
                };
                let written = picture.bytes(&position).map(|bytes| {
                    Output::write(&path, &bytes, &self.args.paths.inputs()).map_err(|error| error.to_string())
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
            let position = match position {
                Ok(position) => position,
                Err(message) => {
                    self.fault(found, message);
                    break;
                }
            };
            if !std::mem::replace(&mut self.is_first, false) {
                writeln!(out)?;
            }
            for text in panel::beside(&position, line, self.style, self.width, None) {
                writeln!(out, "{text}")?;
            }
        }
        Ok(())
    }
}

/// The file of a game, and its number there.
fn label(found: &TreeOf<'_>) -> String {
    match found.is_numbered {
        true => format!("{}, game {}", found.name, found.number + 1),
        false => found.name.to_string(),
    }
}
