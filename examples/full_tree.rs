//! Games with all their variations: prints each as an outline, with a line for every commented node.
//!
//! ```sh
//! cargo run --release --example full_tree -- problems.sgf
//! ```

use std::error::Error;
use std::io::{self, BufRead, Write};

use serde::Deserialize;
use sgf_stream::{Parser, Reader};

/// A game or variation, with its variations. Deserialization allows at most 512 levels.
#[derive(Deserialize)]
struct Tree {
    #[serde(rename = "$root")]
    root: Node,
    #[serde(rename = "$nodes")]
    nodes: Vec<Node>,
    #[serde(rename = "$variations")]
    variations: Vec<Tree>,
}

#[derive(Deserialize)]
struct Node {
    #[serde(rename = "B")]
    black: Option<String>,
    #[serde(rename = "W")]
    white: Option<String>,
    #[serde(rename = "C")]
    comment: Option<String>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).ok_or("usage: full_tree FILE")?;
    outline(Parser::new().open(path)?, io::stdout().lock())
}

pub(crate) fn outline<R: BufRead>(games: Reader<R>, mut out: impl Write) -> Result<(), Box<dyn Error>> {
    for (n, game) in games.games::<Tree>().enumerate() {
        writeln!(out, "game {}", n + 1)?;
        game?.print(1, 0, &mut out)?;
    }
    Ok(())
}

impl Tree {
    fn print(&self, level: usize, mut number: usize, out: &mut impl Write) -> io::Result<()> {
        for Node { black, white, comment } in std::iter::once(&self.root).chain(&self.nodes) {
            let point = black.as_ref().or(white.as_ref());
            number += usize::from(point.is_some());
            if let Some(comment) = comment {
                let line = comment.lines().next().unwrap_or_default();
                writeln!(out, "{:1$}{number}. {2}: {line}", "", 2 * level, point.map_or("setup", |point| point))?;
            }
        }
        self.variations.iter().try_for_each(|variation| variation.print(level + 1, number, out))
    }
}
