//! The mapping table, row by row: what collections, games and nodes become.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;

use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};
use sgf_stream::de::{self, Properties};
use sgf_stream::value::go;
use sgf_stream::{Game as Kind, NodeRecord, Parser, SliceReader, property};

use super::read;

#[derive(Debug, Clone, PartialEq, Deserialize)]
enum Step {
    B(String),
    W(String),
    #[serde(other)]
    Other,
}

fn b(point: &str) -> Step {
    Step::B(point.into())
}

fn w(point: &str) -> Step {
    Step::W(point.into())
}

#[derive(Debug, PartialEq, Deserialize)]
struct Header {
    #[serde(rename = "PB")]
    black: String,
    #[serde(rename = "SZ", default)]
    size: Option<u8>,
}

fn header(black: &str, size: Option<u8>) -> Header {
    Header { black: black.into(), size }
}

/// Two games, with variations.
const GAMES: &str = "(;PB[a]SZ[9]C[x]\n;B[aa];W[bb](;B[cc](;W[dd];B[ee])(;W[ff]))(;B[gg]))(;PB[b];C[no move])";

#[test]
fn a_collection_is_a_sequence() {
    assert_eq!(read(GAMES), Ok(vec![header("a", Some(9)), header("b", None)]));
    assert_eq!(read(GAMES), Ok((header("a", Some(9)), header("b", None))));
    assert_eq!(read::<Vec<IgnoredAny>>(GAMES).map(|games| games.len()), Ok(2));
    assert_eq!(read::<Vec<()>>(GAMES).map(|games| games.len()), Ok(2));
    assert_eq!(read::<IgnoredAny>(GAMES).map(|_| ()), Ok(()));
    assert_eq!(read::<Vec<Header>>("(;SZ[9])").unwrap_err(), "game 1, root (byte 1): missing property `PB`");

    // A sequence at the top is always the collection, also where nobody asks for one.
    let any: Value = read(GAMES).unwrap();
    assert_eq!(any.as_array().map(Vec::len), Some(2));
}

#[test]
fn any_other_type_is_one_game() {
    assert_eq!(read("(;PB[a])"), Ok(header("a", None)));
    assert_eq!(read("mail (;PB[a]) more mail"), Ok(header("a", None)));
    assert_eq!(read("(;PB[a])"), Ok(Some(header("a", None))));
    assert_eq!(read("(;PB[a])"), Ok(BTreeMap::from([("PB".to_owned(), "a".to_owned())])));
    assert_eq!(
        read::<Header>(GAMES).unwrap_err(),
        "game 2 (byte 68): expected one game, found a second; deserialize a `Vec` or use `.games()`"
    );
    for nothing in ["", " \n", "mail", "()", "("] {
        let error = "line 1, column 1 (byte 0): no SGF data: expected `(` followed by `;`";
        assert_eq!(read::<Header>(nothing).unwrap_err(), error, "{nothing:?}");
        assert_eq!(read::<Vec<Header>>(nothing).unwrap_err(), error, "{nothing:?}");
        assert_eq!(read::<Value>(nothing).unwrap_err(), error, "{nothing:?}");
    }
}

#[test]
fn a_newtype_is_what_it_holds() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct All(Vec<Header>);
    #[derive(Debug, PartialEq, Deserialize)]
    struct One(Header);
    assert_eq!(read("(;PB[a])"), Ok(All(vec![header("a", None)])));
    assert_eq!(read("(;PB[a])"), Ok(One(header("a", None))));
    assert_eq!(read("(;PB[a])"), Ok(vec![One(header("a", None))]));
}

#[test]
fn a_game_is_its_main_line_as_a_sequence() {
    let lines = vec![vec![Step::Other, b("aa"), w("bb"), b("cc"), w("dd"), b("ee")], vec![Step::Other, Step::Other]];
    assert_eq!(read(GAMES), Ok(lines));
    assert_eq!(read("(;PB[a];B[aa])"), Ok(vec![(IgnoredEq, b("aa"))]));
    // No branch is taken twice, and no move of another line comes between.
    assert_eq!(
        read("(;B[aa](;B[bb])(;B[cc](;B[dd]))(;B[ee]))(;B[ff])"),
        Ok(vec![vec![b("aa"), b("bb")], vec![b("ff")]])
    );
}

#[derive(Debug, Deserialize)]
#[serde(from = "IgnoredAny")]
struct IgnoredEq;

impl From<IgnoredAny> for IgnoredEq {
    fn from(_: IgnoredAny) -> Self {
        IgnoredEq
    }
}

impl PartialEq for IgnoredEq {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

#[test]
fn the_main_line_beside_the_root() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Inline {
        #[serde(rename = "PB")]
        black: String,
        #[serde(rename = "$mainline")]
        moves: Vec<Step>,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct Apart {
        #[serde(rename = "$root")]
        header: Header,
        #[serde(rename = "$mainline")]
        moves: Vec<Step>,
    }
    let first = vec![b("aa"), w("bb"), b("cc"), w("dd"), b("ee")];
    assert_eq!(
        read(GAMES),
        Ok(vec![
            Inline { black: "a".into(), moves: first.clone() },
            Inline { black: "b".into(), moves: vec![Step::Other] }
        ])
    );
    assert_eq!(
        read(GAMES),
        Ok(vec![
            Apart { header: header("a", Some(9)), moves: first },
            Apart { header: header("b", None), moves: vec![Step::Other] }
        ])
    );
    assert_eq!(read("(;PB[a])"), Ok(Inline { black: "a".into(), moves: vec![] }));
}

#[derive(Debug, PartialEq, Deserialize)]
struct Tree {
    #[serde(rename = "$root")]
    root: Step,
    #[serde(rename = "$nodes")]
    nodes: Vec<Step>,
    #[serde(rename = "$variations")]
    variations: Vec<Tree>,
}

#[test]
fn a_tree_is_root_nodes_and_variations() {
    let tree = |root, nodes: &[Step], variations| Tree { root, nodes: nodes.to_vec(), variations };
    let first = tree(
        Step::Other,
        &[b("aa"), w("bb")],
        vec![
            tree(b("cc"), &[], vec![tree(w("dd"), &[b("ee")], vec![]), tree(w("ff"), &[], vec![])]),
            tree(b("gg"), &[], vec![]),
        ],
    );
    assert_eq!(read(GAMES), Ok(vec![first, tree(Step::Other, &[Step::Other], vec![])]));
}

#[test]
fn parts_of_a_tree_may_be_left_out() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Nodes {
        #[serde(rename = "$nodes")]
        nodes: Vec<Step>,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct Variations {
        #[serde(rename = "$variations")]
        variations: Vec<Vec<Step>>,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct Count {
        #[serde(rename = "$variations")]
        variations: Vec<IgnoredEq>,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct Heads {
        #[serde(rename = "$variations")]
        variations: Vec<HashMap<String, String>>,
    }
    let games = "(;;B[aa];W[bb](;B[cc](;W[dd];B[ee])(;W[ff]))(;B[gg](;W[hh])))";
    assert_eq!(read(games), Ok(Nodes { nodes: vec![b("aa"), w("bb")] }));
    let lines = vec![vec![b("cc"), w("dd"), b("ee")], vec![b("gg"), w("hh")]];
    assert_eq!(read(games), Ok(Variations { variations: lines }));
    assert_eq!(read(games), Ok(Count { variations: vec![IgnoredEq, IgnoredEq] }));
    let head = |point: &str| HashMap::from([("B".to_owned(), point.to_owned())]);
    assert_eq!(read(games), Ok(Heads { variations: vec![head("cc"), head("gg")] }));
}

#[test]
fn main_lines_may_stand_in_variations() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Line {
        #[serde(rename = "B", default)]
        black: String,
        #[serde(rename = "$mainline")]
        moves: Vec<Step>,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct Game {
        #[serde(rename = "$variations")]
        variations: Vec<Line>,
    }
    assert_eq!(
        read("(;(;B[aa](;W[bb];B[cc])(;W[dd]))(;B[ee];W[ff]))"),
        Ok(Game {
            variations: vec![
                Line { black: "aa".into(), moves: vec![w("bb"), b("cc")] },
                Line { black: "ee".into(), moves: vec![w("ff")] },
            ]
        })
    );
}

#[test]
fn a_game_as_a_map_is_its_root() {
    let root = |pairs: &[(&str, &str)]| -> BTreeMap<String, String> {
        pairs.iter().map(|&(name, value)| (name.into(), value.into())).collect()
    };
    assert_eq!(read(GAMES), Ok(vec![root(&[("C", "x"), ("PB", "a"), ("SZ", "9")]), root(&[("PB", "b")])]));
}

#[test]
fn anything_is_the_whole() {
    assert_eq!(
        read::<Value>("(;PB[a]SZ[9];B[aa](;W[bb];C[x])(;AW[cc:dc]))").unwrap(),
        json!([{
            "PB": "a", "SZ": 9,
            "$nodes": [{"B": "aa"}],
            "$variations": [{"W": "bb", "$nodes": [{"C": "x"}]}, {"AW": ["cc", "dc"]}],
        }])
    );
    assert_eq!(read::<Value>("(;)").unwrap(), json!([{}]));
    assert_eq!(read::<Value>("(;(;)(;(;)))").unwrap(), json!([{"$variations": [{}, {"$variations": [{}]}]}]));
}

#[test]
fn nodes_are_structs_maps_and_enums() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Node {
        #[serde(rename = "C", default)]
        comment: Option<String>,
        #[serde(rename = "B", default)]
        black: Option<go::Move>,
    }
    let node = |comment: Option<&str>, black| Node { comment: comment.map(Into::into), black };
    let dd = go::Move::parse("dd").unwrap();
    assert_eq!(
        read("(;C[x]XX[y];B[dd];B[]C[pass])"),
        Ok(vec![vec![node(Some("x"), None), node(None, Some(dd)), node(Some("pass"), Some(go::Move::Pass))]])
    );
    let maps: Vec<Vec<BTreeMap<String, Vec<String>>>> = read("(;C[x];XX[y][z]B[dd])").unwrap();
    assert_eq!(
        maps[0][1],
        BTreeMap::from([("B".into(), vec!["dd".into()]), ("XX".into(), vec!["y".into(), "z".into()])])
    );

    // The first property that is a variant.
    assert_eq!(read("(;C[x]B[aa];W[bb]B[cc];B[dd]W[ee];C[])"), Ok(vec![vec![b("aa"), w("bb"), b("dd"), Step::Other]]));

    #[derive(Debug, PartialEq, Deserialize)]
    enum Node2 {
        B(go::Move),
        AB(Vec<go::Point>),
        LB(BTreeMap<String, String>),
        AP(String, String),
        MI { length: u8 },
        KO,
    }
    let aa = go::Point::parse("aa").unwrap();
    assert_eq!(
        read("(;AB[aa]B[dd];B[dd];LB[aa:A];AP[a:b];MI[length:3];KO[])"),
        Ok(vec![vec![
            Node2::AB(vec![aa]),
            Node2::B(dd),
            Node2::LB(BTreeMap::from([("aa".into(), "A".into())])),
            Node2::AP("a".into(), "b".into()),
            Node2::MI { length: 3 },
            Node2::KO,
        ]])
    );
    assert_eq!(
        read::<Vec<Vec<Node2>>>("(;KO[];C[]N[])").unwrap_err(),
        "game 1, node 2 (byte 6): expected a node with one of B, AB, LB, AP, MI, KO, found one with C, N"
    );
    assert_eq!(
        read::<Vec<Vec<Node2>>>("(;)").unwrap_err(),
        "game 1, root (byte 1): expected a node with one of B, AB, LB, AP, MI, KO, found one with nothing"
    );
}

#[test]
fn what_nobody_names_is_the_rest() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Game {
        #[serde(rename = "PB")]
        black: String,
        #[serde(rename = "$rest")]
        rest: Properties,
        #[serde(rename = "$mainline")]
        nodes: Vec<Node>,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct Node {
        #[serde(rename = "B")]
        black: String,
        #[serde(rename = "$rest")]
        rest: Properties,
    }
    let game: Game = read(r"(;SZ[9]PB[a]XX[a\]][b:c]CoPyright[x]AB[aa:bb];B[dd]BL[5])").unwrap();
    let all = |rest: &Properties| {
        rest.iter()
            .map(|(name, values)| (name.to_owned(), values.map(|value| format!("{value:?}")).collect::<String>()))
            .collect::<Vec<_>>()
    };
    let expected = [("SZ", "[9]"), ("XX", r"[a\\]][b:c]"), ("CP", "[x]"), ("AB", "[aa:bb]")];
    assert_eq!(all(&game.rest), expected.map(|(name, values)| (name.to_owned(), values.to_owned())));
    assert_eq!((game.black.as_str(), game.nodes[0].black.as_str()), ("a", "dd"));
    assert_eq!(all(&game.nodes[0].rest), [("BL".to_owned(), "[5]".to_owned())]);

    // Alone it is all that a node has.
    let nodes: Vec<Vec<Properties>> = read(b"(;SZ[9];XX[\xFF])").unwrap();
    assert_eq!(all(&nodes[0][0]), [("SZ".to_owned(), "[9]".to_owned())]);
    assert_eq!(nodes[0][1].first("XX").unwrap().as_bytes(), b"\xFF");
    let root: Properties = read("(;SZ[9];B[aa])").unwrap();
    assert_eq!((root.len(), root.get("SZ").unwrap().len()), (1, 1));
    assert!(root.get("B").is_none());
    let mut more = root.clone();
    more.push("SZ", sgf_stream::RawValue::new(b"x"));
    more.push("CoPyright", sgf_stream::RawValue::new(b"y"));
    assert_eq!(all(&more), [("SZ".to_owned(), "[9][x]".to_owned()), ("CP".to_owned(), "[y]".to_owned())]);
    assert_eq!(serde_json::to_value(&more).unwrap(), json!({"SZ": ["9", "x"], "CP": ["y"]}));
}

#[test]
fn flattened_structs_are_given_the_root() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Players {
        #[serde(rename = "PB")]
        black: String,
        #[serde(rename = "HA", default)]
        handicap: u8,
        #[serde(rename = "KM", default)]
        komi: f32,
        #[serde(rename = "AB", default)]
        stones: Vec<String>,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct Game {
        #[serde(rename = "SZ")]
        size: u8,
        #[serde(flatten)]
        players: Players,
        #[serde(flatten)]
        rest: Properties,
    }
    let game: Game = read(r"(;SZ[9]PB[a]HA[2]KM[0.5]AB[aa:ba]XX[a\]b]GC[two][texts];B[dd])").unwrap();
    let players = Players { black: "a".into(), handicap: 2, komi: 0.5, stones: vec!["aa".into(), "ba".into()] };
    assert_eq!((game.size, game.players), (9, players));
    assert_eq!(game.rest.first("XX").unwrap().as_bytes(), br"a\]b");
    assert_eq!(game.rest.first("GC").unwrap().as_bytes(), b"two\n\ntexts");
}

#[test]
fn main_line_and_variations_exclude_each_other() {
    #[derive(Debug, Deserialize)]
    #[allow(dead_code)]
    struct Both {
        #[serde(rename = "$mainline")]
        moves: Vec<Step>,
        #[serde(rename = "$variations")]
        variations: Vec<IgnoredAny>,
    }
    let error = read::<Both>("(;PB[a];B[dd])").unwrap_err();
    assert!(error.contains("the game passes once, and its main line runs through the variations"), "{error}");
}

#[test]
fn things_that_are_something_else() {
    fn message<T: serde::de::DeserializeOwned + Debug>(sgf: &str) -> String {
        read::<T>(sgf).unwrap_err()
    }
    assert_eq!(message::<String>("(;)"), "game 1 (byte 0): expected a string, found a game tree");
    assert_eq!(message::<u8>("(;)"), "game 1 (byte 0): expected u8, found a game tree");
    assert_eq!(message::<Vec<u8>>("(;)"), "game 1 (byte 0): expected u8, found a game tree");
    assert_eq!(message::<Vec<Vec<u8>>>("(;)"), "game 1, root (byte 1): expected u8, found a node");
    assert_eq!(message::<Vec<Vec<Vec<String>>>>("(;)"), "game 1, root (byte 1): expected a sequence, found a node");
    assert_eq!(
        message::<Step>("(;)"),
        "game 1 (byte 0): expected a struct, a map or a sequence for a game tree, found the enum Step: enums are \
         for nodes, and a game is a sequence of them (Vec<Vec<Step>>, or Games<Vec<Step>>)"
    );
    #[derive(Debug, Deserialize)]
    #[allow(dead_code)]
    struct Nodes {
        #[serde(rename = "$nodes")]
        nodes: BTreeMap<String, String>,
    }
    assert_eq!(message::<Nodes>("(;)"), "game 1, root (byte 1): expected a map, found a list of nodes or variations");
}

#[test]
fn the_registry_knows_the_game_of_the_root() {
    // `LT` is a time, or a flag; `TE[…]` of SGF2 is the event.
    let of = |sgf: &str, name: &str| {
        let value: Value = read(sgf).unwrap();
        value.pointer(&format!("/0/{name}")).cloned()
    };
    assert_eq!(of("(;LT[30])", "LT"), Some(json!(30.0)));
    assert_eq!(of("(;LT[30]FF[3])", "LT"), Some(json!("30")));
    assert_eq!(of("(;TE[x\ny]GK[1];TE[2])", "TE"), Some(json!("x y")));
    assert_eq!(of("(;AB[a1:b1]SZ[11]GM[11];AW[c1:d1])", "$nodes/0/AW"), Some(json!(["c1", "d1"])));
    assert_eq!(of("(;AB[a1:b1]SZ[11]GM[11](;AW[c1:d1]))", "$variations/0/AW"), Some(json!(["c1", "d1"])));
    // Each game is its own.
    let value: Value = read("(;GM[11]AB[a1:b1])(;AB[aa:ba])").unwrap();
    assert_eq!(value, json!([{"GM": 11, "AB": ["a1", "b1"]}, {"AB": ["aa", "ba"]}]));
    // A struct that does not ask for GM is told all the same.
    #[derive(Debug, PartialEq, Deserialize)]
    struct Stones {
        #[serde(rename = "AB")]
        stones: Vec<String>,
    }
    assert_eq!(read("(;AB[a1:b1]GM[11])"), Ok(Stones { stones: vec!["a1".into(), "b1".into()] }));
}

#[test]
fn records_are_nodes_too() {
    let mut reader = SliceReader::new(b"(;FF[4]PB[Shusaku];B[dd];W[pp]C[a\nb])");
    let mut node = NodeRecord::new();
    let mut seen = Vec::new();
    while reader.read_node(&mut node).unwrap() {
        seen.push(node.deserialize::<BTreeMap<&str, String>>().unwrap().into_values().collect::<Vec<_>>());
    }
    assert_eq!(seen, [vec!["4", "Shusaku"], vec!["dd"], vec!["a\nb", "pp"]]);

    // One of a stream has its own bytes, and they are borrowed too.
    let mut reader = Parser::new().reader(&b"(;AB[a1:b1];HA[x])"[..]);
    assert!(reader.read_node(&mut node).unwrap());
    let map: BTreeMap<&str, &str> = BTreeMap::from([("AB", "a1:b1")]);
    assert_eq!(node.deserialize::<BTreeMap<&str, &str>>().unwrap(), map);
    let hex = property::Context::new(Kind::Hex, 4);
    let stones: BTreeMap<String, Vec<String>> = node.deserialize_in(&hex).unwrap();
    assert_eq!(stones["AB"], ["a1", "b1"]);
    assert!(reader.read_node(&mut node).unwrap());
    let error = node.deserialize::<BTreeMap<String, u8>>().unwrap_err();
    assert_eq!(error.to_string(), "HA (byte 14): expected u8, found \"x\"");
    assert_eq!(node.deserialize::<Step>().unwrap(), Step::Other);
}

#[test]
fn a_deserializer_gives_games_one_by_one() {
    let mut deserializer = de::Deserializer::from_reader(GAMES.as_bytes());
    assert_eq!(Header::deserialize(&mut deserializer).unwrap(), header("a", Some(9)));
    assert_eq!(deserializer.end().unwrap_err().offset(), Some(68));
    assert!(deserializer.end().is_ok());
    let error = Header::deserialize(&mut deserializer).unwrap_err();
    assert_eq!(error.to_string(), "expected a game, found the end of the data");
    let mut deserializer = de::Deserializer::from_slice(GAMES.as_bytes());
    assert_eq!(Header::deserialize(&mut deserializer).unwrap(), header("a", Some(9)));
    assert_eq!(<Vec<Header>>::deserialize(&mut deserializer).unwrap(), [header("b", None)]);
}

#[test]
fn of_several_sizes_and_games_the_first_counts() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Setup {
        #[serde(rename = "SZ")]
        size: u8,
        #[serde(rename = "AB")]
        stones: Vec<String>,
    }
    let setup = |size, stones: &[&str]| Ok(Setup { size, stones: stones.iter().map(|&stone| stone.into()).collect() });
    assert_eq!(read("(;SZ[19][9]AB[A19:B19])"), setup(19, &["aa", "ba"]));
    assert_eq!(read("(;SZ[9]AB[A9:B9]SZ[19])"), setup(9, &["aa", "ba"]));
    assert_eq!(read("(;SZ[x][9]AB[A9:B9])").map_err(|_| ()), Err::<Setup, _>(()));
    // GM says more than the GK of SGF2.
    assert_eq!(read("(;GM[11]GK[1]SZ[9]AB[a1:b2])"), setup(9, &["a1", "b1", "a2", "b2"]));
}

#[test]
fn structs_with_flattened_fields_lose_no_part_of_a_game() {
    type Rest = BTreeMap<String, Value>;

    #[derive(Debug, PartialEq, Deserialize, Default)]
    #[serde(default)]
    struct Line {
        #[serde(rename = "SZ")]
        size: Option<u8>,
        #[serde(flatten)]
        rest: Rest,
        #[serde(rename = "$mainline")]
        moves: Vec<Properties>,
        #[serde(rename = "$root")]
        root: Properties,
    }
    #[derive(Debug, PartialEq, Deserialize, Default)]
    #[serde(default)]
    struct Tree {
        #[serde(flatten)]
        rest: Rest,
        #[serde(rename = "$nodes")]
        nodes: Vec<Properties>,
        #[serde(rename = "$variations")]
        variations: Vec<Tree>,
    }
    #[derive(Debug, PartialEq, Deserialize, Default)]
    #[serde(default)]
    struct Whole {
        #[serde(flatten)]
        rest: Rest,
        #[serde(rename = "$line")]
        line: Vec<Properties>,
    }
    const SGF: &str = "(;FF[4]SZ[9]PB[a];B[aa];W[bb](;B[cc];W[dd])(;B[ee]))";
    let game: Line = read(SGF).unwrap();
    assert_eq!((game.size, game.rest.len(), game.moves.len(), game.root.len()), (Some(9), 2, 4, 3));
    let games: Vec<Line> = read(format!("{SGF}(;SZ[13];B[aa])")).unwrap();
    assert_eq!((games[0].moves.len(), games[1].moves.len(), games[1].size), (4, 1, Some(13)));
    let tree: Tree = read(SGF).unwrap();
    let counts: Vec<_> = tree.variations.iter().map(|tree| (tree.rest.len(), tree.nodes.len())).collect();
    assert_eq!((tree.rest.len(), tree.nodes.len(), counts), (3, 2, vec![(1, 1), (1, 0)]));
    let whole: Whole = read(SGF).unwrap();
    assert_eq!((whole.rest.len(), whole.line.len()), (3, 5));
    // A map has no such fields.
    assert_eq!(read::<Rest>(SGF).unwrap().len(), 3);

    #[derive(Debug, Deserialize)]
    #[allow(dead_code)]
    struct Two {
        #[serde(flatten)]
        rest: Rest,
        #[serde(rename = "$line", default)]
        line: Vec<Properties>,
        #[serde(rename = "$mainline", default)]
        moves: Vec<Properties>,
    }
    let error = read::<Two>(SGF).unwrap_err();
    assert!(error.contains("expected only one of `$line`, `$mainline`"), "{error}");

    #[derive(Debug, Deserialize)]
    #[allow(dead_code)]
    struct Node {
        #[serde(flatten)]
        named: Rest,
        #[serde(rename = "$rest", default)]
        rest: Properties,
    }
    for error in [read::<Node>(SGF).unwrap_err(), read::<Vec<Vec<Node>>>(SGF).unwrap_err()] {
        assert!(error.contains("expected `$rest` or `#[serde(flatten)]`, found both"), "{error}");
    }
}

/// serde buffers what it flattens, and does not tell that a field of it is a part of the game.
#[test]
fn special_keys_in_a_flattened_struct_are_an_error() {
    macro_rules! flattened {
        ($key:literal, $type:ty, $flat:ty, $outer:literal) => {{
            #[derive(Debug, Deserialize, Default)]
            #[serde(default)]
            #[allow(dead_code)]
            struct Inner {
                #[serde(rename = "PW")]
                white: Option<String>,
                #[serde(rename = $key)]
                part: $type,
            }
            #[derive(Debug, Deserialize)]
            #[allow(dead_code)]
            struct Outer {
                #[serde(rename = "PB")]
                black: Option<String>,
                #[serde(rename = $outer, default)]
                own: Option<Vec<Properties>>,
                #[serde(flatten)]
                inner: $flat,
            }
            let expected = concat!("expected `", $key, "` in the struct that has the `#[serde(flatten)]`");
            let error = read::<Outer>("(;PB[a];B[dd](;W[aa])(;W[bb]))").unwrap_err();
            assert!(error.contains(expected), "{error}");
            let error = read::<Vec<Outer>>("(;PB[a];B[dd])(;PB[b])").unwrap_err();
            assert!(error.contains(expected), "{error}");
        }};
    }
    flattened!("$mainline", Vec<Properties>, Inner, "XX");
    flattened!("$mainline", Vec<Properties>, Option<Inner>, "XX");
    flattened!("$line", Option<Vec<Properties>>, Inner, "XX");
    flattened!("$nodes", Vec<Value>, Inner, "$variations");
    flattened!("$variations", Vec<Value>, Box<Inner>, "$nodes");
    flattened!("$root", Properties, Inner, "$mainline");
    flattened!("$rest", Option<Properties>, Inner, "$line");

    /// A required field that is missing hides what comes after it, in this game.
    #[derive(Debug, Deserialize)]
    #[allow(dead_code)]
    struct Strict {
        #[serde(rename = "PB")]
        black: String,
        #[serde(flatten)]
        moves: Moves,
    }
    #[derive(Debug, Deserialize)]
    #[allow(dead_code)]
    struct Moves {
        #[serde(rename = "$mainline", default)]
        moves: Vec<Properties>,
    }
    let games = Parser::new().slice(b"(;PW[a])(;PB[a];B[aa])(;PB[a])").games::<Strict>();
    let errors: Vec<_> = games.map(|game| game.unwrap_err().to_string()).collect();
    assert!(errors[0].ends_with("missing property `PB`"), "{errors:?}");
    assert!(errors[1..].iter().all(|error| error.contains("expected `$mainline` in the struct")), "{errors:?}");
}

#[test]
fn a_seed_is_asked_for_the_keys_that_exist() {
    struct CountKey<'c>(&'c mut usize);

    impl<'de> DeserializeSeed<'de> for CountKey<'_> {
        type Value = String;

        fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<String, D::Error> {
            *self.0 += 1;
            String::deserialize(deserializer)
        }
    }

    #[derive(Debug)]
    struct Keys(Vec<String>, usize);

    impl<'de> Deserialize<'de> for Keys {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            struct Read;

            impl<'de> Visitor<'de> for Read {
                type Value = Keys;

                fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    f.write_str("a game")
                }

                fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Keys, A::Error> {
                    let mut keys = Keys(Vec::new(), 0);
                    while let Some(key) = map.next_key_seed(CountKey(&mut keys.1))? {
                        map.next_value::<IgnoredAny>()?;
                        keys.0.push(key);
                    }
                    Ok(keys)
                }
            }
            deserializer.deserialize_map(Read)
        }
    }

    let Keys(keys, asked) = read("(;FF[4]GM[1]SZ[9];B[aa])").unwrap();
    assert_eq!((keys, asked), (["FF", "GM", "SZ"].map(String::from).to_vec(), 3));
}

#[test]
fn properties_are_exact_in_the_rest_and_texts_where_they_are_flattened() {
    #[derive(Debug, Deserialize)]
    struct Exact {
        #[serde(rename = "$rest")]
        rest: Properties,
    }
    #[derive(Debug, Deserialize)]
    struct Flat {
        #[serde(flatten)]
        rest: Properties,
    }
    let sgf = r"(;AP[a\:b:c]AB[aa:ba]XX[\x]HA[ 02])";
    let values = |rest: &Properties| {
        let values = |name| rest.get(name).unwrap().map(|raw| String::from_utf8_lossy(raw.as_bytes()).into_owned());
        ["AP", "AB", "XX", "HA"].map(|name| values(name).collect::<Vec<_>>().join(" "))
    };
    assert_eq!(values(&read::<Exact>(sgf).unwrap().rest), [r"a\:b:c", "aa:ba", r"\x", " 02"]);
    assert_eq!(values(&read::<Flat>(sgf).unwrap().rest), ["a:b:c", "aa ba", "x", "2"]);
}
