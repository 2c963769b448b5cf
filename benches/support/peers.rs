//! The peers: `sgf-parse` and `sgf-parser`, the two SGF crates that people use.
//!
//! They do more and less than we do. They take a whole text, UTF-8 only, and have no stream; they
//! own every value, make typed properties of values (moves, points, numbers), and build the tree
//! of nodes. We push events that borrow; or build trees too, of raw values. What they leave out: positions, repairs, other charsets.
//! So this compares what one pays for reading the games with either, not two ways to do one job.
//!
//! What makes it fair: the same texts, game by game, in the same run, and only games that
//! all three read alike ([`Games::of`] counts nodes, properties and values). Games that a peer
//! refuses are nobody's time. Freeing the tree is part of their job, since having it is.

use std::hint::black_box;

use sgf_parse::{GameTree, SgfNode, SgfProp};
use sgf_stream::Parser;

use super::data::games;
use super::jobs;

/// How much of a data set the peers are given at most, in bytes.
const SHARE: usize = 3 << 19;

/// Games that all three read alike.
pub(crate) struct Games {
    texts: Vec<String>,
    /// In all texts.
    pub(crate) bytes: usize,
    /// Games that were looked at, and left out if not in `texts`.
    tried: usize,
}

impl Games {
    /// Takes games from all over a data set, [`SHARE`] of it in all.
    pub(crate) fn of(data: &[u8]) -> Self {
        let all = games(data);
        let step = data.len().div_ceil(SHARE);
        let candidates = all.into_iter().step_by(step);
        let mut games = Games { texts: Vec::new(), bytes: 0, tried: candidates.len() };
        for game in candidates {
            let text = String::from_utf8_lossy(&data[game]).into_owned();
            if all_read_alike(&text) {
                games.bytes += text.len();
                games.texts.push(text);
            }
        }
        games
    }

    /// For people.
    pub(crate) fn describe(&self) -> String {
        let Games { texts, bytes, tried } = self;
        format!("{bytes} bytes in {} games; {} others are not read alike by all", texts.len(), tried - texts.len())
    }

    /// All events, with this crate.
    pub(crate) fn sgf_stream(&self) {
        let parser = Parser::new();
        for text in &self.texts {
            black_box(jobs::push(&parser, black_box(text).as_bytes()));
        }
    }

    /// Trees, with this crate.
    pub(crate) fn sgf_stream_trees(&self) {
        let parser = Parser::new();
        for text in &self.texts {
            black_box(jobs::trees(&parser, black_box(text).as_bytes()));
        }
    }

    pub(crate) fn sgf_parse(&self) {
        for text in &self.texts {
            black_box(sgf_parse::parse(black_box(text)).is_ok());
        }
    }

    pub(crate) fn sgf_parser(&self) {
        for text in &self.texts {
            black_box(sgf_parser::parse(black_box(text)).is_ok());
        }
    }
}

/// The peers read one game, and it has our nodes, our properties (`sgf-parse` keeps these) and
/// our values (`sgf-parser` makes a token of each).
fn all_read_alike(text: &str) -> bool {
    let ours = jobs::push(&Parser::new(), text.as_bytes());
    let nodes_and_properties = match sgf_parse::parse(text).as_deref() {
        Ok([GameTree::GoGame(root)]) => count(root),
        Ok([GameTree::Unknown(root)]) => count(root),
        _ => return false,
    };
    let Ok(tree) = sgf_parser::parse(text) else { return false };
    let (mut trees, mut nodes, mut tokens) = (vec![&tree], 0, 0);
    while let Some(tree) = trees.pop() {
        nodes += tree.nodes.len() as u64;
        tokens += tree.nodes.iter().map(|node| node.tokens.len() as u64).sum::<u64>();
        trees.extend(&tree.variations);
    }
    nodes_and_properties == (ours.nodes, ours.properties) && (nodes, tokens) == (ours.nodes, ours.values)
}

fn count<P: SgfProp>(root: &SgfNode<P>) -> (u64, u64) {
    let (mut rest, mut nodes, mut properties) = (vec![root], 0, 0);
    while let Some(node) = rest.pop() {
        nodes += 1;
        properties += node.properties.len() as u64;
        rest.extend(&node.children);
    }
    (nodes, properties)
}
