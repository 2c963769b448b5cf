//! The peers: `sgf-parse` and `sgf-parser`, the two SGF crates in use.
//!
//! They do both more and less than this crate. They take a whole text, UTF-8 only, and cannot stream; they own
//! every value, parse values into typed properties (moves, points, numbers), and build the tree of nodes. This
//! crate pushes events that borrow, or builds trees of raw values. The peers have no positions, repairs or other
//! charsets. So this compares the cost of reading games with each crate, not two implementations of one job.
//!
//! The comparison is fair in this sense: equal texts, game by game, in one run, and only games that all three read
//! alike ([`Games::of`] counts nodes, properties and values). Games that a peer refuses are left out. Freeing the
//! tree is part of the peers' job.

use std::hint::black_box;

use sgf_parse::{GameTree, SgfNode, SgfProp};
use sgf_stream::Parser;

use super::data::games;
use super::jobs;

/// Maximum bytes of a data set that the peers read.
const SHARE: usize = 3 << 19;

/// Games that all three read alike.
pub(crate) struct Games {
    texts: Vec<String>,
    /// Length of all texts.
    pub(crate) bytes: usize,
    /// Number of games that were tried, including those that are not in `texts`.
    tried: usize,
}

impl Games {
    /// Samples games from a whole data set, [`SHARE`] bytes in all.
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

    /// Returns a description for the output.
    pub(crate) fn describe(&self) -> String {
        let Games { texts, bytes, tried } = self;
        format!("{bytes} bytes in {} games; {} others are not read alike by all", texts.len(), tried - texts.len())
    }

    /// Pushes all events, with this crate.
    pub(crate) fn sgf_stream(&self) {
        let parser = Parser::new();
        for text in &self.texts {
            black_box(jobs::push(&parser, black_box(text).as_bytes()));
        }
    }

    /// Builds trees, with this crate.
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

/// Returns whether the peers read exactly one game, and find as much in it as this crate does.
///
/// The numbers of nodes, properties (`sgf-parse` keeps these) and values (`sgf-parser` makes a token of each) are
/// compared.
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
