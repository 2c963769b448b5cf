//! Trees, against those of `sgf-parse` on the same games.

use std::collections::HashSet;
use std::{fs, mem};

use sgf_parse::GameTree as Peer;
use sgf_stream::tree::{Collection, GameTree, TreeBuilder};
use sgf_stream::{Event, Parser};

/// Makes something and answers with it, and how many bytes it keeps, and in how many pieces.
fn kept<T>(make: impl FnOnce() -> T) -> (T, usize, usize) {
    let _profiler = dhat::Profiler::builder().testing().build();
    let made = make();
    let stats = dhat::HeapStats::get();
    (made, stats.curr_bytes, stats.curr_blocks)
}

/// Games of a server: moves, one after the other.
fn archive() -> Vec<String> {
    let point =
        |n: usize| [b'a' + (n % 19) as u8, b'a' + (n / 19 % 19) as u8].map(char::from).iter().collect::<String>();
    let game = |n: usize| {
        let moves: String =
            (0..220).map(|m| format!(";{}[{}]", ["B", "W"][m % 2], point(m * 7 + n))).collect::<Vec<_>>().concat();
        format!("(;GM[1]FF[4]CA[UTF-8]SZ[19]KM[6.5]PB[black {n}]PW[white {n}]RE[B+R]DT[2019-01-02]{moves})")
    };
    (0..200).map(game).collect()
}

/// The games of real files, as far as `sgf-parse` reads the same nodes.
fn corpus() -> Vec<String> {
    let mut games = Vec::new();
    // One file in ten is enough, and all take long.
    for path in crate::shared::corpus().iter().step_by(10) {
        let Ok(file) = String::from_utf8(fs::read(path).unwrap()) else { continue };
        let Ok(collection) = file.parse::<Collection>() else { continue };
        for game in &collection {
            let text = String::from_utf8(game.to_vec().unwrap()).unwrap();
            let same = |read: &Vec<Peer>| matches!(&read[..], [Peer::GoGame(root)] if count(root) == game.len());
            if sgf_parse::parse(&text).is_ok_and(|read| same(&read)) {
                games.push(text);
            }
        }
    }
    games
}

fn count(root: &sgf_parse::SgfNode<sgf_parse::go::Prop>) -> usize {
    let (mut left, mut nodes) = (vec![root], 0);
    while let Some(node) = left.pop() {
        nodes += 1;
        left.extend(&node.children);
    }
    nodes
}

fn built(texts: &[String]) -> Vec<GameTree> {
    let mut builder = TreeBuilder::new();
    let mut trees = Vec::with_capacity(texts.len());
    for text in texts {
        let game = Parser::new().slice(text.as_bytes()).read_game(&mut builder);
        trees.push(game.unwrap().unwrap().unwrap());
    }
    trees
}

/// The number of pieces of memory for the nodes of a game that repeat a name: one for each, and their list.
fn spellings(text: &str) -> usize {
    let (mut names, mut repeats, mut nodes) = (HashSet::new(), false, 0);
    for event in Parser::new().slice(text.as_bytes()).chain([Ok(Event::Node)]) {
        match event.unwrap() {
            Event::Node => {
                nodes += usize::from(mem::take(&mut repeats));
                names.clear();
            }
            Event::Property(ident) => repeats |= !names.insert(ident.name().into_owned()),
            _ => {}
        }
    }
    nodes + usize::from(nodes > 0)
}

pub(crate) fn a_tree_takes_a_fraction_of_what_others_take() {
    println!("{:<26}{:>9}{:>16}{:>16}{:>16}{:>8}", "", "nodes", "SGF", "sgf-stream", "sgf-parse", "ratio");
    for (name, texts) in [("archive: moves of servers", archive()), ("mixed: real files", corpus())] {
        if texts.is_empty() {
            continue;
        }
        let (trees, ours, pieces) = kept(|| built(&texts));
        let nodes: usize = trees.iter().map(GameTree::len).sum();
        let (peers, theirs, _) = kept(|| {
            let mut read = Vec::with_capacity(texts.len());
            read.extend(texts.iter().map(|text| sgf_parse::parse(text).unwrap()));
            read
        });
        let sgf: usize = texts.iter().map(String::len).sum();
        let a_node = |bytes: usize| format!("{:.1} B/node", bytes as f64 / nodes as f64);
        let ratio = theirs as f64 / ours as f64;
        println!("{name:<26}{nodes:>9}{:>16}{:>16}{:>16}{ratio:>8.1}", a_node(sgf), a_node(ours), a_node(theirs));
        let beside: usize = texts.iter().map(|text| spellings(text)).sum();
        assert_eq!(pieces, 2 * trees.len() + 1 + beside, "two for each tree, and the list of them");
        assert_eq!(
            ours,
            trees.iter().map(GameTree::memory).sum::<usize>(),
            "and no bytes of which a tree does not know"
        );
        assert!(ratio > 3.0, "{ratio}");
        drop(peers);
    }

    // A move takes 30 bytes, whatever the game is else.
    let game = |moves: usize| {
        let text = format!("(;SZ[19]{})", ";B[dd]".repeat(moves));
        kept(|| built(&[text])).1
    };
    assert_eq!(game(1100) - game(100), 30 * 1000);

    // A long game keeps no room for more either, and edits do not grow it beyond what they say.
    let (mut tree, bytes, _) = kept(|| format!("(;{})", ";B[dd]".repeat(100_000)).parse::<GameTree>().unwrap());
    assert!(bytes <= 30 * 100_001 + 1024, "{bytes}");
    let last = tree.nodes().last().unwrap().id();
    for n in 0..20_000 {
        tree.set(last, "C", if n % 2 == 0 { "x".repeat(99) } else { "x".repeat(100) }).unwrap();
        tree.set(sgf_stream::tree::NodeId::ROOT, "PB", if n % 2 == 0 { "a longer name" } else { "a name" }).unwrap();
    }
    assert!(tree.memory() < 4 * bytes, "{}", tree.memory());
}
