//! What holds of any input, and the real files.

use std::collections::BTreeMap;
use std::fs;
use std::io::BufReader;

use serde::Deserialize;
use serde_json::Value;
use sgf_stream::de::{self, Properties};
use sgf_stream::{Parser, Skip, Visitor};

use crate::support::generate::Input;
use crate::support::{holds, shared};

#[derive(Debug, Clone, PartialEq, Deserialize)]
struct Game {
    #[serde(rename = "PB", default)]
    black: Option<String>,
    #[serde(rename = "SZ", default, deserialize_with = "de::invalid_option")]
    size: Option<u8>,
    #[serde(rename = "AB", default)]
    stones: Vec<String>,
    #[serde(rename = "$rest")]
    rest: Properties,
    #[serde(rename = "$mainline")]
    moves: Vec<Step>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
enum Step {
    B(String),
    W(String),
    C(String),
    AB(Vec<String>),
    LB(Vec<String>),
    #[serde(other)]
    Other,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Tree {
    #[serde(rename = "$root")]
    root: BTreeMap<String, Value>,
    #[serde(rename = "$nodes")]
    nodes: Vec<Properties>,
    #[serde(rename = "$variations")]
    variations: Vec<Tree>,
}

/// Games with their spans, or errors without their places, which are not the same in a part.
type Read<T> = Vec<(Result<T, String>, std::ops::Range<u64>)>;

macro_rules! read_all {
    ($games:expr) => {{
        let mut games = $games;
        let mut all: Read<_> = Vec::new();
        while let Some(game) = games.next() {
            all.push((game.map_err(|error| error.to_string()), games.span()));
        }
        all
    }};
}

/// What does not depend on who reads, nor on how.
fn agrees<T: serde::de::DeserializeOwned + PartialEq + std::fmt::Debug>(bytes: &[u8]) {
    for parser in [Parser::new(), Parser::strict()] {
        let games: Read<T> = read_all!(parser.slice(bytes).games::<T>());
        for capacity in [1, 7, 64 * 1024] {
            let stream = parser.reader(BufReader::with_capacity(capacity, bytes));
            assert_eq!(read_all!(stream.games::<T>()), games, "left: buffer of {capacity}, right: slice");
        }
        let heard = parser.clone().on_diagnostic(|_| {});
        let heard: Read<T> = read_all!(heard.slice(bytes).games::<T>());
        assert_eq!(heard.len(), games.len());
        for (heard, game) in heard.iter().zip(&games) {
            assert_eq!((heard.0.as_ref().ok(), &heard.1), (game.0.as_ref().ok(), &game.1), "left: listening");
        }
        // A game alone is the game, unless it has no end of its own.
        for (game, span) in &games {
            let alone = &bytes[span.start as usize..span.end as usize];
            if let (Ok(game), [b'(', .., b')']) = (game, alone) {
                let first = parser.slice(alone).games::<T>().next();
                assert_eq!(first.and_then(Result::ok).as_ref(), Some(game), "left: alone");
            }
        }
    }
}

#[test]
fn all_ways_to_read_agree() {
    fn law(input: Input) -> bool {
        agrees::<Game>(&input.0);
        agrees::<Value>(&input.0);
        agrees::<Tree>(&input.0);
        agrees::<Vec<Step>>(&input.0);
        agrees::<BTreeMap<String, String>>(&input.0);
        true
    }
    holds(400, law as fn(Input) -> bool);
}

/// Games that a visitor sees, and their main lines.
struct Count;

impl Visitor for Count {
    type Game = usize;
    type Output = usize;

    fn begin_game(&mut self, _: u64) -> std::ops::ControlFlow<usize, usize> {
        std::ops::ControlFlow::Continue(0)
    }

    fn node(&mut self, nodes: &mut usize, _: u64) -> std::ops::ControlFlow<usize, Skip> {
        *nodes += 1;
        std::ops::ControlFlow::Continue(Skip::Yes)
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
