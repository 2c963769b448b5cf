//! What holds of any input, and the real files.

use std::fs;
use std::ops::ControlFlow;

use serde_json::Value;
use sgf_stream::{Parser, Skip, Variation, Visitor, de};

use crate::support::de::{Game, all_agree};
use crate::support::generate::Input;
use crate::support::{holds, shared};

#[test]
fn all_ways_to_read_agree() {
    fn law(input: Input) -> bool {
        all_agree(&input.0);
        true
    }
    holds(200, law as fn(Input) -> bool);
}

/// Games that a visitor sees, and their main lines.
struct Count;

/// The length of a main line so far; and for each open tree, how long it was at the branch in this tree.
struct Counted {
    nodes: usize,
    branches: Vec<Option<usize>>,
}

impl Visitor for Count {
    type Game = Counted;
    type Output = usize;

    fn begin_game(&mut self, _: u64) -> ControlFlow<usize, Counted> {
        ControlFlow::Continue(Counted { nodes: 0, branches: vec![None] })
    }

    /// What follows variations continues the line.
    fn start_tree(&mut self, line: &mut Counted, variation: Variation) -> ControlFlow<usize, Skip> {
        let branch = line.branches.last_mut().expect("an open tree");
        match *branch {
            None => *branch = Some(line.nodes),
            Some(nodes) if variation.is_implied => line.nodes = nodes,
            Some(_) => return ControlFlow::Continue(Skip::Yes),
        }
        line.branches.push(None);
        ControlFlow::Continue(Skip::No)
    }

    fn node(&mut self, line: &mut Counted, _: u64) -> ControlFlow<usize, Skip> {
        line.nodes += 1;
        ControlFlow::Continue(Skip::Yes)
    }

    fn end_tree(&mut self, line: &mut Counted, _: u64) -> ControlFlow<usize> {
        line.branches.pop();
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, line: Counted) -> usize {
        line.nodes
    }
}

/// Main lines, by a reader that shares nothing with this one.
fn main_lines(bytes: &[u8]) -> Vec<usize> {
    let mut reader = Parser::new().slice(bytes);
    let mut lines = Vec::new();
    while let Ok(Some(nodes)) = reader.read_game(&mut Count) {
        lines.push(nodes);
    }
    lines
}

#[test]
fn games_and_main_lines_are_those_that_a_visitor_sees() {
    fn law(input: Input) -> bool {
        let lines = main_lines(&input.0);
        let games = Parser::new().slice(&input.0).games::<Vec<de::Properties>>().keep_cut(true);
        let games: Vec<usize> = games.filter_map(|game| game.ok().map(|nodes| nodes.len())).collect();
        games == lines
    }
    holds(2000, law as fn(Input) -> bool);
}

#[test]
fn the_corpus_is_read() {
    let (mut files, mut read, mut cut, mut failed) = (0, 0, 0, Vec::new());
    for path in shared::corpus() {
        let bytes = fs::read(&path).unwrap();
        let lines = main_lines(&bytes);
        files += 1;
        let games: Vec<_> = Parser::new().slice(&bytes).games::<Game>().collect();
        let values: Vec<_> = Parser::new().reader(&bytes[..]).games::<Value>().collect();
        let none = usize::from(lines.is_empty());
        assert_eq!((games.len(), values.len()), (lines.len() + none, lines.len() + none), "{}", path.display());
        for (n, (game, value)) in games.into_iter().zip(values).enumerate() {
            match (game, value) {
                (Ok(game), Ok(_)) => {
                    read += 1;
                    assert_eq!(game.moves.len() + 1, lines[n], "{}", path.display());
                }
                (Err(one), Err(other)) if one.is_syntax() => {
                    assert_eq!(one.to_string(), other.to_string(), "{}", path.display());
                    cut += 1;
                }
                (game, value) => failed.push(format!("{}: {:?} {:?}", path.display(), game.err(), value.err())),
            }
        }
    }
    println!("{files} files: {read} games, {cut} cut or without data");
    assert!(failed.is_empty(), "{failed:#?}");
}
