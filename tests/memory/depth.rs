//! Types that recurse through `$variations`, on the stack of a thread: 2 MiB.

use std::cell::Cell;
use std::fmt::Write;
use std::thread;

use serde::{Deserialize, Deserializer};
use serde_json::Value;
use sgf_stream::Parser;
use sgf_stream::de::{self, Options};

/// A tree of usual size.
#[derive(Debug, Deserialize)]
#[allow(dead_code)]
struct Tree {
    #[serde(rename = "B", default)]
    black: Option<String>,
    #[serde(rename = "W", default)]
    white: Option<String>,
    #[serde(rename = "C", default)]
    comment: Option<String>,
    #[serde(rename = "LB", default)]
    labels: Vec<(String, String)>,
    #[serde(rename = "KO", default)]
    stack: Stack,
    #[serde(rename = "$nodes")]
    nodes: Vec<Node>,
    #[serde(rename = "$variations")]
    variations: Vec<Tree>,
}

#[derive(Debug, Deserialize)]
#[allow(dead_code)]
struct Node {
    #[serde(rename = "B", default)]
    black: Option<String>,
}

thread_local! {
    static FIRST: Cell<usize> = const { Cell::new(0) };
    static LAST: Cell<usize> = const { Cell::new(0) };
}

/// Where the stack is.
#[derive(Debug, Default)]
struct Stack;

impl<'de> Deserialize<'de> for Stack {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let here = 0u8;
        let here = std::ptr::from_ref(&here).addr();
        if FIRST.get() == 0 {
            FIRST.set(here);
        }
        LAST.set(here);
        bool::deserialize(deserializer).map(|_| Stack)
    }
}

/// Trees in one another, so deep.
fn deep(levels: usize) -> String {
    let mut sgf = String::new();
    for _ in 0..levels {
        sgf.push_str("(;B[dd]KO[]C[x];W[pp]");
    }
    for _ in 0..levels {
        sgf.push(')');
    }
    sgf.write_str(" (;)").unwrap();
    sgf
}

/// Runs on the stack that threads have.
fn in_thread<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> T {
    thread::Builder::new().stack_size(2 << 20).spawn(run).unwrap().join().unwrap()
}

#[test]
fn trees_of_512_levels_fit_a_thread_and_deeper_ones_are_refused() {
    in_thread(|| {
        let sgf = deep(512);
        let games: Vec<Tree> = sgf_stream::from_str(&sgf).unwrap();
        assert_eq!(games.len(), 2);
        println!("{} bytes of stack a level", (FIRST.get() - LAST.get()) / 511);

        let sgf = deep(513);
        let mut games = Parser::new().slice(sgf.as_bytes()).games::<Tree>();
        let error = games.next().unwrap().unwrap_err();
        assert_eq!(error.message(), "variations are nested deeper than the limit of 512; see `max_depth`");
        assert!(games.next().unwrap().is_ok() && games.next().is_none());
        let mut games = Parser::new().reader(sgf.as_bytes()).games::<Tree>();
        assert!(games.next().unwrap().is_err() && games.next().unwrap().is_ok() && games.next().is_none());
    });
}

#[test]
fn anything_of_512_levels_fits_a_thread_and_deeper_ones_are_refused() {
    in_thread(|| {
        assert!(sgf_stream::from_str::<Value>(&deep(512)).is_ok());
        let error = sgf_stream::from_str::<Value>(&deep(513)).unwrap_err();
        assert_eq!(error.message(), "variations are nested deeper than the limit of 512; see `max_depth`");
        // Far beyond.
        assert!(sgf_stream::from_str::<Value>(&deep(100_000)).is_err());
        assert!(sgf_stream::from_str::<Vec<Tree>>(&deep(100_000)).is_err());
    });
}

#[test]
fn what_does_not_recurse_has_no_levels() {
    in_thread(|| {
        let sgf = deep(100_000);
        let lines: Vec<Vec<serde::de::IgnoredAny>> = sgf_stream::from_str(&sgf).unwrap();
        assert_eq!(lines[0].len(), 200_000);

        #[derive(Deserialize)]
        struct Game {
            #[serde(rename = "$variations")]
            variations: Vec<serde::de::IgnoredAny>,
        }
        let games: Vec<Game> = sgf_stream::from_str(&sgf).unwrap();
        assert_eq!(games[0].variations.len(), 1);
    });
}

#[test]
fn the_limit_is_the_callers() {
    let read = |levels: usize, limit: usize| {
        let sgf = deep(levels);
        let reader = Parser::new().slice(sgf.as_bytes());
        reader
            .games_with::<Tree>(Options::new().max_depth(limit))
            .next()
            .unwrap()
            .map(|_| ())
            .map_err(|error| error.message())
    };
    assert_eq!(read(3, 3), Ok(()));
    assert_eq!(read(4, 3), Err("variations are nested deeper than the limit of 3; see `max_depth`".into()));
    assert_eq!(read(1, 1), Ok(()));
    assert!(read(2, 1).is_err());
    let sgf = deep(4);
    let mut deserializer = de::Deserializer::from_str(&sgf).options(Options::new().max_depth(3));
    assert!(Tree::deserialize(&mut deserializer).is_err());
    assert!(Tree::deserialize(&mut deserializer).is_ok());
}
