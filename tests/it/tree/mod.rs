//! Trees: what they keep of events, how one gets about in them, edits, conversion, serde.

mod convert;
mod deep;
mod edit;
mod laws;
mod material;
mod merge;
#[cfg(feature = "serde")]
mod serde;
mod values;

use std::fs;
use std::io::BufReader;

use sgf_stream::tree::{Collection, GameTree, NodeId, Place, TreeBuilder, TreeError};
use sgf_stream::write::Writer;
use sgf_stream::{Event, OwnedEvent, Parser};

use crate::support::generate::Input;
use crate::support::{EachEvent, Rules, holds, parser};

pub(crate) fn tree(sgf: &str) -> GameTree {
    sgf.parse().unwrap_or_else(|error| panic!("{sgf}: {error}"))
}

pub(crate) fn sgf(tree: &GameTree) -> String {
    String::from_utf8(tree.to_vec().unwrap()).unwrap().trim_end().to_owned()
}

/// The games of some bytes, as trees.
fn trees(parser: &Parser, bytes: &[u8]) -> Vec<GameTree> {
    let (mut reader, mut builder, mut trees) = (parser.slice(bytes), TreeBuilder::new(), Vec::new());
    loop {
        match reader.read_game(&mut builder) {
            Ok(Some(tree)) => trees.push(tree.unwrap()),
            Ok(None) => return trees,
            Err(error) if error.is_final() => return trees,
            Err(_) => {}
        }
    }
}

fn events(trees: &[GameTree]) -> Vec<OwnedEvent> {
    trees.iter().flat_map(GameTree::events).map(Event::to_owned).collect()
}

/// The events of some bytes.
fn parsed(parser: &Parser, bytes: &[u8]) -> Vec<OwnedEvent> {
    let mut events = Vec::new();
    let _ = parser.each_event(bytes, |event, _| events.push(event.to_owned()));
    events
}

#[test]
fn a_tree_gives_the_events_that_it_was_made_of() {
    fn law(input: Input, mut rules: Rules) -> bool {
        rules.strict = false;
        let parser = parser(&rules);
        let trees = trees(&parser, &input.0);
        assert_eq!(events(&trees), parsed(&parser, &input.0));
        trees.iter().all(|tree| *tree == tree.clone() && tree.nodes().count() == tree.len())
    }
    holds(3000, law as fn(Input, Rules) -> bool);
}

#[test]
fn what_is_written_and_read_again_is_the_same_tree() {
    fn law(input: Input) -> bool {
        let trees = trees(&Parser::new(), &input.0);
        trees.iter().all(|tree| {
            let Ok(bytes) = tree.to_vec() else { panic!("{tree:?}") };
            let again = self::trees(&Parser::new(), &bytes);
            // A text that looks like the start of a game may be taken for one, wherever it comes from.
            again.len() != 1 || again[0].to_vec().unwrap() == bytes
        })
    }
    holds(3000, law as fn(Input) -> bool);
}

#[test]
fn every_front_end_builds_the_same() {
    fn law(input: Input) -> bool {
        let parser = Parser::new();
        let expected = trees(&parser, &input.0);
        let mut reader = parser.reader(BufReader::with_capacity(3, &input.0[..]));
        let (mut builder, mut read) = (TreeBuilder::new(), Vec::new());
        while let Ok(Some(tree)) = reader.read_game(&mut builder) {
            read.push(tree.unwrap());
        }
        let (mut push, mut pushed) = (parser.push_games(TreeBuilder::new()), Vec::new());
        let take: &mut dyn FnMut(_) = &mut |tree: Result<_, _>| pushed.extend(tree);
        input.0.chunks(2).for_each(|chunk| push.feed(chunk, &mut *take));
        push.finish(take);
        let pushed: Vec<_> = pushed.into_iter().map(Result::unwrap).collect();
        read == expected && pushed == expected && events(&pushed) == events(&expected)
    }
    holds(1000, law as fn(Input) -> bool);
}

#[test]
fn values_in_parts_are_whole_in_a_tree() {
    let parser = Parser::new().max_value_len(4).value_parts(true);
    let trees = trees(&parser, b"(;C[much longer than four]AB[aa][bb][a longer one];B[dd])");
    assert_eq!(trees.len(), 1);
    assert_eq!(sgf(&trees[0]), "(;C[much longer than four]AB[aa][bb][a longer one];B[dd])");
}

#[test]
fn nodes_are_numbered_as_the_specification_numbers_them() {
    let game = tree("(;N[0](;N[1];N[2](;N[3])(;N[4];N[5]))(;N[6](;N[7]))(;N[8]))");
    for (number, node) in game.nodes().enumerate() {
        assert_eq!(node.text("N").unwrap(), number.to_string());
        assert_eq!((node.number(), node.id().index()), (number, number));
        assert_eq!(game.nth(number).unwrap().id(), node.id());
        assert_eq!(game.node(NodeId::new(number).unwrap()).unwrap().id(), node.id());
    }
    assert_eq!((game.len(), game.nth(9).is_none()), (9, true));
    assert!(game.node(NodeId::new(9).unwrap()).is_none());
}

#[test]
fn nodes_lead_to_each_other() {
    let game = tree("(;N[0](;N[1];N[2](;N[3])(;N[4];N[5]))(;N[6](;N[7]))(;N[8]))");
    let names = |nodes: Vec<sgf_stream::tree::Node<'_>>| -> String {
        nodes.iter().map(|node| node.text("N").unwrap().into_owned()).collect()
    };
    let node = |n| game.nth(n).unwrap();
    for (what, nodes, expected) in [
        ("children", node(0).children().collect(), "168"),
        ("children", node(5).children().collect(), ""),
        ("children from the end", node(0).children().rev().collect(), "861"),
        ("siblings", node(6).siblings().collect(), "168"),
        ("siblings", node(7).siblings().collect(), "7"),
        ("siblings of the root", node(0).siblings().collect(), "0"),
        ("ancestors", node(5).ancestors().collect(), "4210"),
        ("path", node(5).path().collect(), "01245"),
        ("path", node(0).path().collect(), "0"),
        ("main line", game.main_line().collect(), "0123"),
        ("line", node(6).line().collect(), "67"),
        ("descendants", node(2).descendants().collect(), "2345"),
        ("descendants", node(8).descendants().collect(), "8"),
        ("leaves", game.leaves().collect(), "3578"),
        ("parent", node(7).parent().into_iter().collect(), "6"),
        ("parent", node(0).parent().into_iter().collect(), ""),
        ("next", node(1).next_sibling().into_iter().collect(), "6"),
        ("next", node(8).next_sibling().into_iter().collect(), ""),
        ("previous", node(8).previous_sibling().into_iter().collect(), "6"),
        ("previous", node(1).previous_sibling().into_iter().collect(), ""),
        ("variation 1 at node 2", node(2).child(1).into_iter().collect(), "4"),
        ("variation 2 at node 2", node(2).child(2).into_iter().collect(), ""),
        ("last", node(0).last_child().into_iter().collect(), "8"),
    ] {
        assert_eq!(names(nodes), expected, "{what}");
    }
    let facts = |n| (node(n).depth(), node(n).index(), node(n).is_leaf(), node(n).has_variations());
    assert_eq!(facts(0), (0, 0, false, true));
    assert_eq!(facts(5), (4, 0, true, false));
    assert_eq!(facts(8), (1, 2, true, false));
    let main: Vec<bool> = game.nodes().map(|node| node.is_on_main_line()).collect();
    assert_eq!(main, [true, true, true, true, false, false, false, false, false]);
    assert!(node(0).is_root() && !node(1).is_root());
}

#[test]
fn a_part_of_a_tree_is_events_of_its_own() {
    let game = tree("(;N[0](;N[1];N[2](;N[3])(;N[4]))(;N[5]))");
    let mut writer = Writer::new(Vec::new());
    game.nth(1).unwrap().events().try_for_each(|event| writer.write(event)).unwrap();
    game.nth(5).unwrap().events().try_for_each(|event| writer.write(event)).unwrap();
    assert_eq!(writer.finish().unwrap(), b"(;N[1];N[2](;N[3])(;N[4]))\n(;N[5])\n");
}

#[test]
fn a_property_that_is_there_twice_is_kept_and_read_as_one() {
    let text = "(;AB[aa]C[x]AddBlack[bb][cc];)";
    let game = tree(text);
    assert_eq!((sgf(&game).as_str(), game.root().properties().count()), (text, 2));
    let values: Vec<_> = game.root().values("AB").map(|value| value.as_bytes()).collect();
    assert_eq!(values, [b"aa", b"bb", b"cc"]);
    assert!(game.root().property("AB").unwrap().values().eq(game.root().values("AB")));
    let idents: Vec<_> = game.root().properties().map(|property| property.ident().spelling()).collect();
    assert_eq!(idents, ["AB", "C"]);
    // Copies and renumbered trees keep the repetition, and so does an edit elsewhere; an edit of the node merges it.
    let mut game = game;
    let node = game.nth(1).unwrap().id();
    game.set_raw(node, "C", ["y"]).unwrap();
    let mut other = game.subtree(NodeId::ROOT).unwrap();
    other.renumber();
    let copy = game.clone();
    game.graft(Place::LastChildOf(node), copy.root()).unwrap();
    assert_eq!(sgf(&other), "(;AB[aa]C[x]AddBlack[bb][cc];C[y])");
    assert_eq!(sgf(&game), "(;AB[aa]C[x]AddBlack[bb][cc];C[y];AB[aa]C[x]AddBlack[bb][cc];C[y])");
    assert!(!game.unset(NodeId::ROOT, "N").unwrap());
    game.set_raw(NodeId::ROOT, "C", ["z"]).unwrap();
    assert_eq!(sgf(&game), "(;AB[aa][bb][cc]C[z];C[y];AB[aa]C[x]AddBlack[bb][cc];C[y])");
    assert!(game.unset(NodeId::ROOT, "AB").unwrap());
    assert_eq!(sgf(&game), "(;C[z];C[y];AB[aa]C[x]AddBlack[bb][cc];C[y])");
}

#[test]
fn equality_is_about_shape_and_properties() {
    let same = [
        ("(;B[aa];W[bb])", "(;B[aa](;W[bb]))"),
        ("(;AB[aa]C[x]AB[bb])", "(;AB[aa][bb]C[x])"),
        ("(;CoPyright[x])", "(;CP[x])"),
        ("( ; B [aa] )", "(;B[aa])"),
    ];
    for (a, b) in same {
        assert!(tree(a) == tree(b) && tree(b) == tree(a), "{a} {b}");
    }
    let different = [
        ("(;B[aa];W[bb])", "(;B[aa];W[bc])"),
        ("(;B[aa])", "(;B[aa];)"),
        ("(;(;a)(;b))", "(;;a(;b))"),
        ("(;(;;)(;))", "(;(;)(;;))"),
        ("(;;(;)(;))", "(;(;;)(;))"),
        ("(;AB[aa][bb])", "(;AB[bb][aa])"),
        ("(;B[aa]C[x])", "(;C[x]B[aa])"),
    ];
    for (a, b) in different {
        assert!(tree(a) != tree(b) && tree(b) != tree(a), "{a} {b}");
    }
}

#[test]
fn a_tree_prints_as_sgf() {
    let text = "(;AB[aa][bb]C[x](;B[cc])(;B[dd](;W[ee])))";
    assert_eq!(format!("{:?}", tree(text)), text);
    assert_eq!(format!("{:?}", tree(text).nth(2).unwrap()), ";B[dd]");
    assert_eq!(format!("{:?}", tree(text).root().property("AB").unwrap()), "AB[aa][bb]");
    assert_eq!(format!("{:?}", tree(text).root().children()), "[;B[cc], ;B[dd]]");
}

#[test]
fn a_game_is_as_long_as_the_limit_and_not_longer() {
    let text = b"(;C[x];B[dd])(;B[aa])";
    let weight = 2 * 24 + (1 + 1 + 1 + 1 + 1) + 6;
    for (limit, lens) in [(weight, vec![Some(2), Some(1)]), (weight - 1, vec![None, Some(1)]), (29, vec![None, None])] {
        let mut builder = TreeBuilder::new().max_len(limit);
        let (mut reader, mut read) = (Parser::new().slice(text), Vec::new());
        while let Some(game) = reader.read_game(&mut builder).unwrap() {
            if let Err(error) = &game {
                assert_eq!(error.limit(), limit);
            }
            read.push(game.ok().map(|game| game.len()));
        }
        assert_eq!(read, lens, "{limit}");
    }
    // The parts of a value count before it is whole.
    let parser = Parser::new().max_value_len(8).value_parts(true);
    let mut reader = parser.slice(b"(;C[xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx])");
    assert!(reader.read_game(&mut TreeBuilder::new().max_len(48)).unwrap().unwrap().is_err());
}

#[test]
fn faulty_bytes_are_errors_or_the_next_game() {
    assert!(matches!("no game".parse::<GameTree>(), Err(TreeError::Syntax(error)) if error.is_final()));
    assert!(matches!("(;)(;)".parse::<GameTree>(), Err(TreeError::SeveralGames)));
    assert!("".parse::<Collection>().is_err());
    assert_eq!("(;B[aa])(;B[bb])".parse::<Collection>().unwrap().games.len(), 2);
    assert_eq!(Collection::from_reader(&b"(;B[aa])(;B[bb])"[..]).unwrap().as_slice().len(), 2);
    let long = format!("(;C[{}]B[aa])", "x".repeat(2_000_000));
    assert_eq!(Collection::from_reader(long.as_bytes()).unwrap(), Collection::from_slice(long.as_bytes()).unwrap());
    // A game that was broken off by a fault leaves nothing.
    let games = trees(&Parser::strict(), b"(;B[aa](;W[bb];B)(;C[x])(;N[sound](;N[too])(;)))");
    assert_eq!(games.len(), 0);
    let games = trees(&Parser::strict(), b"(;B[aa](;W[bb];B)(;C[x]))\n(;N[sound](;N[too])(;))");
    assert_eq!(games.iter().map(sgf).collect::<Vec<_>>(), ["(;N[sound](;N[too])(;))"]);
}

/// Build, write, build over real files: the same events, bytes and trees.
#[test]
fn real_files_stay_as_they_are() {
    let (mut games, mut nodes) = (0, 0);
    for path in crate::support::shared::corpus() {
        let file = fs::read(&path).unwrap();
        let built = trees(&Parser::new(), &file);
        assert_eq!(events(&built), parsed(&Parser::new(), &file), "{}", path.display());
        let mut writer = Writer::new(Vec::new());
        for event in parsed(&Parser::new(), &file) {
            writer.write(event.borrow()).unwrap();
        }
        let collection = Collection { games: built };
        let written = collection.to_vec().unwrap();
        assert_eq!(written, writer.finish().unwrap(), "{}", path.display());
        // `sgfc`'s torture tests have texts that look like games.
        if let Ok(again) = Collection::from_slice(&written)
            && again.games.len() == collection.games.len()
        {
            assert_eq!(again.to_vec().unwrap(), written, "{}", path.display());
        }
        games += collection.games.len();
        nodes += collection.games.iter().map(GameTree::len).sum::<usize>();
    }
    eprintln!("{games} games, {nodes} nodes");
}
