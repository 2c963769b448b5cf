//! What holds of any input, and the real files.

use std::fs;
use std::ops::ControlFlow;

use serde_json::Value;
use sgf_stream::{Parser, Skip, Visitor, de};

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

impl Visitor for Count {
    type Game = usize;
    type Output = usize;

    fn begin_game(&mut self, _: u64) -> ControlFlow<usize, usize> {
        ControlFlow::Continue(0)
    }

    fn node(&mut self, nodes: &mut usize, _: u64) -> ControlFlow<usize, Skip> {
        *nodes += 1;
        ControlFlow::Continue(Skip::Yes)
    }

    fn end_game(&mut self, nodes: usize) -> usize {
        nodes
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
        let games =
            Parser::new().slice(&input.0).games_with::<Vec<de::Properties>>(de::Options::new().accept_truncated(true));
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
