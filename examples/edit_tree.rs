//! Edits games: merges the games of a file into one tree of variations, which share their common opening moves.
//!
//! ```sh
//! cargo run --release --example edit_tree -- games.sgf > merged.sgf
//! ```

use std::error::Error;
use std::io::{self, BufRead, Write};

use sgf_stream::tree::{EditError, GameTree, Node, NodeId, Place, TreeBuilder};
use sgf_stream::{Parser, Reader};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).ok_or("usage: edit_tree FILE")?;
    let merged = merge(Parser::new().open(path)?)?;
    Ok(io::stdout().write_all(&merged.to_vec()?)?)
}

pub(crate) fn merge<R: BufRead>(mut games: Reader<R>) -> Result<GameTree, Box<dyn Error>> {
    let mut builder = TreeBuilder::new();
    let mut merged = GameTree::new();
    merged.set(NodeId::ROOT, "FF", 4)?;
    while let Some(game) = games.read_game(&mut builder)? {
        add(&mut merged, &game?)?;
    }
    Ok(merged)
}

/// Follows the main line of a game as far as `merged` has its moves, and adds the rest.
fn add(merged: &mut GameTree, game: &GameTree) -> Result<(), EditError> {
    let mut at = NodeId::ROOT;
    let mut rest = game.root().first_child();
    while let Some(node) = rest {
        let known = merged.node(at).and_then(|at| at.children().find(|&known| plays_as(known, node)));
        let Some(known) = known.map(Node::id) else {
            at = merged.graft(Place::LastChildOf(at), node)?;
            break;
        };
        (at, rest) = (known, node.first_child());
    }
    // A comment names the players where the game departs from the others.
    let root = game.root();
    let names = ["PB", "PW"].map(|name| root.text(name).unwrap_or("?".into()).into_owned());
    merged.append(at, "C", format!("{}, {}", names.join(" – "), root.text("RE").unwrap_or("?".into())))
}

fn plays_as(a: Node<'_>, b: Node<'_>) -> bool {
    ["B", "W"].iter().all(|color| a.raw(color) == b.raw(color))
}
