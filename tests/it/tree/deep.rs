//! A million nodes, in one line, nested, and side by side: nothing recurses, on a stack of 128 KiB.

use std::thread;

use sgf_stream::Parser;
use sgf_stream::tree::{NodeId, Place, TreeBuilder};
use sgf_stream::write::Writer;

const NODES: usize = 1_000_000;

/// All that can be done with a tree.
fn use_tree(sgf: Vec<u8>, nodes: usize) {
    let build = || {
        let parser = Parser::new().max_depth(2 * NODES);
        let mut reader = parser.slice(&sgf);
        reader.read_game(&mut TreeBuilder::new()).unwrap().unwrap().unwrap()
    };
    let game = build();
    assert_eq!(game.len(), nodes);
    assert_eq!(game.to_vec().unwrap(), sgf);
    let mut writer = Writer::canonical(Vec::new());
    game.write(&mut writer).unwrap();
    assert!(writer.finish().unwrap().len() >= sgf.len());

    let mut copy = game.clone();
    assert!(copy == game);
    assert_eq!(format!("{game:?}\n").as_bytes(), sgf);
    assert_eq!(game.nodes().count(), nodes);
    let deepest = game.nodes().last().unwrap();
    assert_eq!(deepest.path().len(), deepest.depth() + 1);
    assert_eq!(game.leaves().count() + game.nodes().filter(|node| !node.is_leaf()).count(), nodes);

    let last = deepest.id();
    copy.set(last, "C", "the last").unwrap();
    assert!(copy != game);
    copy.make_main_line(last).unwrap();
    copy.renumber();
    assert_eq!(copy.len(), nodes);
    assert!(copy.convert_to_ff4().unwrap().changed > 0);
    let first = copy.root().first_child().unwrap().id();
    let part = copy.subtree(first).unwrap();
    let grafted = copy.graft(Place::LastChildOf(NodeId::ROOT), part.root()).unwrap();
    assert_eq!(copy.len(), nodes + part.len());
    assert_eq!(copy.remove(grafted), Ok(part.len()));

    #[cfg(feature = "serde")]
    {
        let json = serde_json::to_vec(&game).unwrap();
        let again: sgf_stream::tree::GameTree = serde_json::from_slice(&json).unwrap();
        assert!(again == game);
    }
}

fn on_a_small_stack(sgf: impl FnOnce() -> String + Send + 'static, nodes: usize) {
    let run = move || use_tree(sgf().into_bytes(), nodes);
    thread::Builder::new().stack_size(128 * 1024).spawn(run).unwrap().join().unwrap();
}

#[test]
fn a_million_nodes_in_one_line() {
    on_a_small_stack(|| format!("({})\n", ";B[dd];W[pp]".repeat(NODES / 2)), NODES);
}

#[test]
fn a_million_variations_in_one_another() {
    // Only children in brackets; and variations, each of which has one.
    let sgf = || format!("(;N[0]{}{}\n", "(;B[dd]".repeat(NODES), ")".repeat(NODES + 1));
    on_a_small_stack(sgf, NODES + 1);
    let sgf = || format!("(;N[0]{}{})\n", "(;B[dd])(;W[pp]".repeat(NODES / 2), ")".repeat(NODES / 2));
    on_a_small_stack(sgf, NODES + 1);
}

#[test]
fn a_million_variations_side_by_side() {
    on_a_small_stack(|| format!("(;N[0]{})\n", "(;B[dd])".repeat(NODES)), NODES + 1);
}
