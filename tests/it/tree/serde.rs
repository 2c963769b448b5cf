//! Trees as lists of nodes, in other formats.

use std::collections::BTreeMap;
use std::fmt::Debug;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sgf_stream::Parser;
use sgf_stream::tree::{Collection, EditError, GameTree, NodeId, Place};

use super::{sgf, tree, trees};
use crate::support::generate::Input;
use crate::support::holds;

fn json(game: &GameTree) -> String {
    serde_json::to_string(game).unwrap()
}

#[test]
fn a_tree_is_the_list_of_its_nodes() {
    let mut game = tree("(;FF[4](;B[aa]AB[bb][cc])(;C[a\\]]))");
    let expected = concat!(
        r#"[{"parent":null,"properties":{"FF":["4"]}},"#,
        r#"{"parent":0,"properties":{"B":["aa"],"AB":["bb","cc"]}},"#,
        r#"{"parent":0,"properties":{"C":["a\\]"]}}]"#
    );
    assert_eq!(json(&game), expected);
    assert_eq!(serde_json::from_str::<GameTree>(expected).unwrap(), game);
    // Parents are places in the list, whatever the ids.
    let new = game.add(Place::FirstChildOf(NodeId::ROOT)).unwrap();
    game.add(Place::LastChildOf(new)).unwrap();
    assert!(json(&game).ends_with(r#"{"parent":0,"properties":{"C":["a\\]"]}}]"#), "{}", json(&game));
    assert!(json(&game).contains(r#"{"parent":1,"properties":{}}"#));
    assert_eq!(serde_json::from_str::<GameTree>(&json(&game)).unwrap(), game);
}

#[test]
fn bytes_that_are_no_text_are_bytes() {
    let game = GameTree::from_slice(b"(;C[\xFF\xFE])").unwrap();
    assert_eq!(json(&game), r#"[{"parent":null,"properties":{"C":[[255,254]]}}]"#);
    assert_eq!(serde_json::from_str::<GameTree>(&json(&game)).unwrap(), game);
}

#[test]
fn nodes_may_come_in_any_order_after_their_parents() {
    let by_levels = r#"[{"parent":null,"properties":{}},{"parent":0,"properties":{"N":["1"]}},
        {"parent":0,"properties":{"N":["2"]}},{"properties":{"N":["3"]},"parent":1,"more":7}]"#;
    let game: GameTree = serde_json::from_str(by_levels).unwrap();
    assert_eq!(game, tree("(;(;N[1];N[3])(;N[2]))"));
    assert_eq!(game.nth(2).unwrap().text("N").unwrap(), "3");
}

#[test]
fn what_is_no_tree_is_refused() {
    for (json, error) in [
        ("[]", "invalid length 0, expected the nodes of a game, the root first"),
        (r#"[{"parent":0,"properties":{}}]"#, "node 0: expected the root, which has no parent, found parent 0"),
        (
            r#"[{"parent":null,"properties":{}},{"parent":null,"properties":{}}]"#,
            "node 1: expected a node after its parent, found parent none",
        ),
        (
            r#"[{"parent":null,"properties":{}},{"parent":1,"properties":{}}]"#,
            "node 1: expected a node after its parent, found parent 1",
        ),
        (r#"[{"parent":null,"properties":{"b":["x"]}}]"#, "expected an identifier of upper-case letters, found \"b\""),
        (r#"[{"parent":null,"properties":{"B":[]}}]"#, "property B needs at least one value"),
        (r#"[{"parent":null,"properties":{"B":[{}]}}]"#, "invalid type: map, expected a raw value"),
        ("7", "invalid type: integer `7`, expected the nodes of a game, the root first"),
    ] {
        let found = serde_json::from_str::<GameTree>(json).unwrap_err().to_string();
        assert!(found.starts_with(error), "{found}");
    }
}

#[test]
fn a_tree_is_neither_read_from_sgf_nor_written_as_sgf() {
    #[derive(Serialize)]
    struct Flat {
        #[serde(flatten)]
        game: Nested,
    }
    #[derive(Debug, Deserialize, Serialize)]
    struct Nested {
        #[serde(rename = "$mainline")]
        game: GameTree,
    }
    #[derive(Debug, Deserialize)]
    #[serde(untagged)]
    #[allow(dead_code)]
    enum Either {
        Game(GameTree),
    }
    fn refused<T: DeserializeOwned + Debug>(name: &str) {
        let expected = format!(
            "serde cannot read a `{name}` from SGF; use `{name}::from_slice`, or `Reader::read_game` with a `TreeBuilder`"
        );
        let sgf = "(;FF[4]PB[a];B[aa];W[bb])(;)";
        for game in [sgf_stream::from_str::<T>("(;B[aa])"), sgf_stream::from_slice::<T>(b"(;)")] {
            assert_eq!(game.unwrap_err().message(), expected);
        }
        let games: Vec<_> = Parser::new().slice(sgf.as_bytes()).games::<T>().take(9).collect();
        assert_eq!(games.len(), 2);
        games.into_iter().for_each(|game| assert_eq!(game.unwrap_err().message(), expected));
    }
    refused::<GameTree>("GameTree");
    refused::<Collection>("Collection");
    refused::<Box<GameTree>>("GameTree");
    refused::<Nested>("GameTree");
    let either = sgf_stream::from_str::<Either>("(;B[aa])").map(|_| ());
    assert!(either.is_err(), "{either:?}");

    let game = tree("(;FF[4];B[dd])");
    let flat = Flat { game: Nested { game: game.clone() } };
    let (games, pair): (Collection, _) = ([game.clone()].into_iter().collect(), [&game, &game]);
    let of_tree = "serde cannot write a `GameTree` as SGF; use `GameTree::to_vec`";
    for (error, expected) in [
        (sgf_stream::to_string(&game), of_tree),
        (sgf_stream::to_string(&pair), of_tree),
        (sgf_stream::to_string(&flat), of_tree),
        (sgf_stream::to_string(&games), "serde cannot write a `Collection` as SGF; use `Collection::to_vec`"),
    ] {
        assert_eq!(error.unwrap_err().message(), expected);
    }
}

#[test]
fn every_tree_goes_there_and_back() {
    fn law(input: Input) -> bool {
        let collection: Collection = trees(&Parser::new(), &input.0).into_iter().collect();
        let json = serde_json::to_string(&collection).unwrap();
        serde_json::from_str::<Collection>(&json).unwrap() == collection
    }
    holds(1000, law as fn(Input) -> bool);
}

/// One rule for texts: a tree refuses what serde refuses, and writes the same otherwise.
#[test]
fn a_tree_takes_the_texts_that_a_serializer_takes() {
    fn law((texts, place): (Vec<u8>, u8)) -> bool {
        let text: String = texts.iter().map(|&b| char::from(b"\\]:\n\r\t\x0B\x0Cab "[usize::from(b) % 11])).collect();
        let ident = ["C", "GN", "XX"][usize::from(place) % 3];
        let mut game = GameTree::new();
        match (sgf_stream::to_string(&BTreeMap::from([(ident, &text)])), game.set(NodeId::ROOT, ident, &text)) {
            (Ok(written), Ok(())) => written.trim_end() == sgf(&game) && game.root().text(ident).unwrap() == text,
            (Err(error), Err(EditError::WhiteSpace { found, .. })) => error.message().contains(found),
            _ => false,
        }
    }
    holds(2000, law as fn((Vec<u8>, u8)) -> bool);
}

/// A tree and its nodes are read as types like the bytes that they were built from.
#[test]
fn trees_and_nodes_are_types_like_the_bytes_they_were_built_from() {
    use std::collections::BTreeMap;

    use sgf_stream::de::{Options, Properties};
    use sgf_stream::{NodeRecord, de};

    type Map = BTreeMap<String, serde_json::Value>;

    fn law(Input(bytes): Input) {
        fn agree<T: serde::de::DeserializeOwned + std::fmt::Debug>(bytes: &[u8], trees: &[GameTree]) {
            let of = |read: de::Result<T>| format!("{:?}", read.map_err(|error| error.message()));
            let games = Parser::new().slice(bytes).games_with::<T>(Options::new().accept_truncated(true));
            let games: Vec<_> = games.take(trees.len()).map(of).collect();
            assert_eq!(trees.iter().map(|tree| of(tree.deserialize())).collect::<Vec<_>>(), games);
        }
        let trees = trees(&Parser::new(), &bytes);
        agree::<Map>(&bytes, &trees);
        agree::<Vec<Properties>>(&bytes, &trees);
        agree::<crate::support::de::Tree>(&bytes, &trees);
        agree::<crate::support::de::Typed>(&bytes, &trees);

        let of = |read: de::Result<Map>| format!("{:?}", read.map_err(|error| error.message()));
        let (mut reader, mut record, mut context) = (Parser::new().slice(&bytes), NodeRecord::new(), trees.iter());
        let mut rules = None;
        for node in trees.iter().flat_map(GameTree::nodes) {
            assert!(reader.read_node(&mut record).unwrap());
            if node.number() == 0 {
                rules = context.next().map(GameTree::context);
            } else if node.number() == 1 {
                rules = rules.map(|rules| rules.after_root());
            }
            assert_eq!(of(node.deserialize()), of(record.deserialize_in(&rules.unwrap())));
        }
    }
    holds(300, law as fn(Input));

    let error = tree("(;FF[4];KM[x])").nth(1).unwrap().deserialize::<BTreeMap<String, f64>>().unwrap_err();
    assert_eq!(error.to_string(), "KM: expected f64, found \"x\"");
    let error = tree("(;FF[4];KM[x])").deserialize::<Vec<BTreeMap<String, f64>>>().unwrap_err();
    assert_eq!(error.to_string(), "node 2, KM: expected f64, found \"x\"");
}

/// Texts are in the charset of the tree.
#[cfg(feature = "charset")]
#[test]
fn types_of_a_tree_have_its_charset() {
    use std::collections::BTreeMap;

    use sgf_stream::charset::Decoding;
    use sgf_stream::tree::TreeBuilder;

    let mut reader = Parser::new().slice(b"(;CA[GBK]PB[\xB9\xC5\xC1\xA6];C[\xB9\xC5])");
    let game = reader.read_game(&mut TreeBuilder::new().charset(Decoding::new())).unwrap().unwrap().unwrap();
    assert_eq!(game.deserialize::<BTreeMap<String, String>>().unwrap()["PB"], "古力");
    assert_eq!(game.nth(1).unwrap().deserialize::<BTreeMap<String, String>>().unwrap()["C"], "古");
}
