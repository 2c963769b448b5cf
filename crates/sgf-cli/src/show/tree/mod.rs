//! `sgf show --tree`: the shape of the variations of a game, drawn for a terminal.
//!
//! [`runs`](super::runs) decides what is printed, in which order; [`draw`] and [`json`] print it.

mod draw;
mod json;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use self::draw::Drawing;
use self::json::Json;
use super::Args;
use super::draw::Style;
use crate::failure::Failure;
use crate::trees::{TreeOf, Trees};

/// The options that only trees have.
#[derive(clap::Args)]
#[group(id = "trees", requires = "tree", conflicts_with_all = ["output", "boards", "pictures"])]
pub(super) struct Options {
    /// With --tree, show variations down to this level only: 0 is the main line.
    #[arg(long, value_name = "LEVELS")]
    depth: Option<usize>,

    /// With --tree, print the start of each comment below its move.
    #[arg(long, conflicts_with = "json")]
    comments: bool,

    /// With --tree, print moves as in the file, `pd`, instead of `Q16`.
    #[arg(long, conflicts_with = "json")]
    raw: bool,

    /// With --tree, print one JSON object per game.
    #[arg(long, conflicts_with_all = ["width", "ascii"])]
    json: bool,
}

pub(super) const MORE: &str = r#"Output of --tree:
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
  they do not all fit, the first and the last are shown. After a branch, the
  variations come first, one level to the right; then the line continues, with
  the same move number as the variations.

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

JSON of --tree:
    {"file":"a.sgf","game":0,"root":{"PB":"Shusaku"},"nodes":14,"moves":9,
     "variations":2,"depth":2,"comments":1,"runs":[{"node":0,"parent":null,
     "level":0,"nodes":4,"first_move":1,"moves":[["B","qd"],["W","dc"],
     ["B","pq"]],"comments":0}]}

  One line per game. If the name of the file is not UTF-8, path_base64 has its
  bytes. `game`, `node` and `parent` count from 0; nodes are in the order of the
  file. A run whose variations --depth hides has "hidden":[variations,nodes]."#;

/// Prints the trees of the games, in lines of `width` columns.
pub(super) fn run(args: &Args, style: Style, width: usize) -> Result<ExitCode, Failure> {
    let Options { depth, comments, raw, json } = args.trees;
    let depth = depth.unwrap_or(usize::MAX);
    let drawing = Drawing { width, depth, comments, raw, style };
    let may_be_several = !args.paths.is_one_file();
    let mut out = BufWriter::with_capacity(64 * 1024, io::stdout());
    let mut is_first = true;
    let mut trees = Trees::new(args.charsets, args.game);
    trees.each(&args.paths, &mut |TreeOf { name, number, is_numbered, tree }| {
        if json {
            crate::json::write(&mut out, &Json { file: name, game: number, tree, depth })?;
            return writeln!(out);
        }
        if !std::mem::replace(&mut is_first, false) {
            writeln!(out)?;
        }
        let title = match (may_be_several || name.is_member(), is_numbered) {
            (true, true) => format!("{name}, game {}", number + 1),
            (true, false) => name.to_string(),
            (false, true) => format!("game {}", number + 1),
            (false, false) => String::new(),
        };
        drawing.game(&title, &name.to_string(), tree, &mut out)
    })?;
    out.flush().map_err(Failure::Output)?;
    Ok(trees.exit_code())
}
