//! Enums of every kind, in every place: what is written reads back, or is refused with a sentence.

use std::fmt::Debug;

use quickcheck::{Arbitrary, Gen, TestResult};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sgf_stream::value::SimpleText;
use sgf_stream::{from_reader, from_slice, from_str, to_string};

use crate::support::holds;

/// Defines a kind of enum that is a game or a node, and one whose variants have nodes and variations.
macro_rules! kind {
    ($module:ident $(, #[$kind:meta])*) => {
        mod $module {
            use super::*;

            #[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
            $(#[$kind])*
            pub(super) enum Node {
                /// Names of variants of externally tagged enums are properties.
                #[serde(rename = "LB")]
                Named {
                    #[serde(rename = "PB")]
                    black: String,
                    #[serde(rename = "HA")]
                    handicap: Option<u8>,
                },
                #[serde(rename = "AR")]
                Placed {
                    #[serde(rename = "C")]
                    comment: String,
                    #[serde(rename = "KM")]
                    komi: Option<f32>,
                },
            }

            #[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
            $(#[$kind])*
            pub(super) enum Tree {
                #[serde(rename = "LB")]
                Fork {
                    #[serde(rename = "PB")]
                    black: String,
                    #[serde(rename = "$nodes", default)]
                    nodes: Vec<Play>,
                    #[serde(rename = "$variations", default)]
                    variations: Vec<Tree>,
                },
                #[serde(rename = "AR")]
                Leaf {
                    #[serde(rename = "PW")]
                    white: String,
                    #[serde(rename = "$nodes", default)]
                    nodes: Vec<Play>,
                },
            }

            #[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
            $(#[$kind])*
            pub(super) enum Level {
                Low,
            }

            impl Arbitrary for Node {
                fn arbitrary(g: &mut Gen) -> Self {
                    if bool::arbitrary(g) {
                        Node::Named { black: line(g), handicap: maybe(g, u8::arbitrary) }
                    } else {
                        let komi = maybe(g, |g| f32::from(i8::arbitrary(g)) / 2.0);
                        Node::Placed { comment: line(g), komi }
                    }
                }
            }

            impl Arbitrary for Tree {
                fn arbitrary(g: &mut Gen) -> Self {
                    if u8::arbitrary(g) < 150 {
                        return Tree::Leaf { white: line(g), nodes: nodes(g) };
                    }
                    let variations = (0..u8::arbitrary(g) % 3).map(|_| Tree::arbitrary(g)).collect();
                    Tree::Fork { black: line(g), nodes: nodes(g), variations }
                }
            }
        }
    };
}

kind!(external);
kind!(internal, #[serde(tag = "GN")]);
kind!(adjacent, #[serde(tag = "GN", content = "MI")]);
kind!(untagged, #[serde(untagged)]);

fn line(g: &mut Gen) -> String {
    SimpleText::new(String::arbitrary(g)).into_string()
}

fn maybe<T>(g: &mut Gen, some: impl FnOnce(&mut Gen) -> T) -> Option<T> {
    bool::arbitrary(g).then(|| some(g))
}

/// A node. Serde cannot read an enum of nodes, such as `Turn`, from its buffer.
#[derive(Serialize, Deserialize, Debug, PartialEq, Clone, Default)]
struct Play {
    #[serde(rename = "B")]
    black: Option<String>,
    #[serde(rename = "W")]
    white: Option<String>,
}

fn nodes(g: &mut Gen) -> Vec<Play> {
    let point =
        |g: &mut Gen| format!("{}{}", (b'a' + u8::arbitrary(g) % 9) as char, (b'a' + u8::arbitrary(g) % 9) as char);
    (0..u8::arbitrary(g) % 3).map(|_| Play { black: maybe(g, point), white: maybe(g, point) }).collect()
}

/// A game whose root is the value, in the field `$root`.
#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Root<T> {
    #[serde(rename = "$root")]
    root: T,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Line<T> {
    #[serde(rename = "$line")]
    line: Vec<T>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Mainline<T> {
    #[serde(rename = "$mainline")]
    line: Vec<T>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Nodes<T> {
    #[serde(rename = "$nodes")]
    nodes: Vec<T>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Variations<T> {
    #[serde(rename = "$variations")]
    variations: Vec<T>,
}

/// A property of the registry with one value, one of lists, and one that is unknown.
#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Single<T> {
    #[serde(rename = "GN")]
    value: T,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Values<T> {
    #[serde(rename = "LB")]
    values: Vec<T>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Unknown<T> {
    #[serde(rename = "XX")]
    value: T,
}

/// Writes the value and reads it back. Returns what was written, in one line.
fn cell<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) -> String {
    let sgf = match to_string(value) {
        Ok(sgf) => sgf,
        Err(error) => return format!("refused: {error}"),
    };
    for read in [from_str::<T>(&sgf), from_slice::<T>(sgf.as_bytes())] {
        match read {
            Ok(read) => assert_eq!(read, *value, "{sgf}"),
            Err(_) => return format!("not read: {}", sgf.trim_end()),
        }
    }
    // A stream cannot be read twice, but it must not be read wrong.
    if let Ok(read) = from_reader::<_, T>(sgf.as_bytes()) {
        assert_eq!(read, *value, "{sgf}");
    }
    sgf.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Makes a table of all places of one kind of enum: the name of the place, and what is written.
macro_rules! places {
    ($kind:ident, $node:expr, $other:expr, $tree:expr, $leaf:expr) => {{
        let (node, other, tree, leaf): ($kind::Node, $kind::Node, $kind::Tree, $kind::Tree) =
            ($node, $other, $tree, $leaf);
        [
            ("a game", cell(&node)),
            ("a game with variations", cell(&tree)),
            ("games", cell(&vec![node.clone(), other.clone()])),
            ("nodes of a game", cell(&vec![vec![node.clone(), other.clone()]])),
            ("$root", cell(&Root { root: node.clone() })),
            ("$line", cell(&Line { line: vec![node.clone(), other.clone()] })),
            ("$mainline", cell(&Mainline { line: vec![node.clone(), other.clone()] })),
            ("$nodes", cell(&Nodes { nodes: vec![node.clone(), other.clone()] })),
            ("$variations", cell(&Variations { variations: vec![tree.clone(), leaf.clone()] })),
            ("a property", cell(&Single { value: node.clone() })),
            ("an unknown property", cell(&Unknown { value: node.clone() })),
            ("values", cell(&Values { values: vec![node.clone(), other.clone()] })),
            ("a word", cell(&Single { value: $kind::Level::Low })),
            ("an unknown word", cell(&Unknown { value: $kind::Level::Low })),
        ]
    }};
}

/// Makes that table of fixed values.
macro_rules! fixed {
    ($kind:ident) => {{
        use $kind::{Node, Tree};
        let leaf = Tree::Leaf { white: "y".into(), nodes: vec![Play { black: Some("aa".into()), white: None }] };
        let tree = Tree::Fork { black: "x".into(), nodes: vec![], variations: vec![leaf.clone()] };
        let node = Node::Named { black: "x".into(), handicap: Some(2) };
        places!($kind, node, Node::Placed { comment: "z".into(), komi: Some(6.5) }, tree, leaf)
    }};
}

/// A place, and what is written there of each kind of enum. `refused` is an error of writing with a sentence. What is `not
/// read` is an error of reading: serde makes untagged and internally tagged enums from a buffer, in which parts of values
/// are texts, and a value without a name is not that of a variant.
const TABLE: [(&str, [&str; 4]); 14] = [
    // The place, and the enum externally tagged, internally tagged, adjacently tagged, and untagged.
    ("a game", ["refused", "(;GN[LB]PB[x]HA[2])", "(;GN[LB]MI[PB:x][HA:2])", "(;PB[x]HA[2])"]),
    ("a game with variations", ["refused", "(;GN[LB]PB[x]( ;GN[AR]PW[y];B[aa]))", "refused", "(;PB[x](;PW[y];B[aa]))"]),
    (
        "games",
        [
            "refused",
            "(;GN[LB]PB[x]HA[2]) (;GN[AR]C[z]KM[6.5])",
            "(;GN[LB]MI[PB:x][HA:2]) (;GN[AR]MI[C:z][KM:6.5])",
            "(;PB[x]HA[2]) (;C[z]KM[6.5])",
        ],
    ),
    (
        "nodes of a game",
        [
            "(;LB[PB:x][HA:2];AR[C:z][KM:6.5])",
            "(;GN[LB]PB[x]HA[2];GN[AR]C[z]KM[6.5])",
            "(;GN[LB]MI[PB:x][HA:2];GN[AR]MI[C:z][KM:6.5])",
            "(;PB[x]HA[2];C[z]KM[6.5])",
        ],
    ),
    ("$root", ["(;LB[PB:x][HA:2])", "(;GN[LB]PB[x]HA[2])", "(;GN[LB]MI[PB:x][HA:2])", "(;PB[x]HA[2])"]),
    (
        "$line",
        [
            "(;LB[PB:x][HA:2];AR[C:z][KM:6.5])",
            "(;GN[LB]PB[x]HA[2];GN[AR]C[z]KM[6.5])",
            "(;GN[LB]MI[PB:x][HA:2];GN[AR]MI[C:z][KM:6.5])",
            "(;PB[x]HA[2];C[z]KM[6.5])",
        ],
    ),
    (
        "$mainline",
        [
            "(;;LB[PB:x][HA:2];AR[C:z][KM:6.5])",
            "(;;GN[LB]PB[x]HA[2];GN[AR]C[z]KM[6.5])",
            "(;;GN[LB]MI[PB:x][HA:2];GN[AR]MI[C:z][KM:6.5])",
            "(;;PB[x]HA[2];C[z]KM[6.5])",
        ],
    ),
    (
        "$nodes",
        [
            "(;;LB[PB:x][HA:2];AR[C:z][KM:6.5])",
            "(;;GN[LB]PB[x]HA[2];GN[AR]C[z]KM[6.5])",
            "(;;GN[LB]MI[PB:x][HA:2];GN[AR]MI[C:z][KM:6.5])",
            "(;;PB[x]HA[2];C[z]KM[6.5])",
        ],
    ),
    (
        "$variations",
        [
            "refused",
            "(;( ;GN[LB]PB[x]( ;GN[AR]PW[y];B[aa]))( ;GN[AR]PW[y];B[aa]))",
            "refused",
            "(;(;PB[x](;PW[y];B[aa]))(;PW[y];B[aa]))",
        ],
    ),
    ("a property", ["refused", "not read: (;GN[GN:LB][PB:x][HA:2])", "refused", "not read: (;GN[PB:x][HA:2])"]),
    (
        "an unknown property",
        ["refused", "not read: (;XX[GN:LB][PB:x][HA:2])", "refused", "not read: (;XX[PB:x][HA:2])"],
    ),
    ("values", ["refused", "refused", "refused", "refused"]),
    ("a word", ["(;GN[Low])", "(;GN[GN:Low])", "(;GN[GN:Low])", "not read: (;GN[])"]),
    ("an unknown word", ["(;XX[Low])", "(;XX[GN:Low])", "(;XX[GN:Low])", "not read: (;XX[])"]),
];

#[test]
fn enums_are_written_as_the_table_says() {
    let tables = [fixed!(external), fixed!(internal), fixed!(adjacent), fixed!(untagged)];
    for (kind, table) in tables.iter().enumerate() {
        for ((place, written), (expected_place, expected)) in table.iter().zip(TABLE) {
            let written = written.split_once("refused: ").map_or(written.as_str(), |(_, why)| {
                assert!(why.contains("expected ") && why.contains(", found "), "{why}");
                "refused"
            });
            assert_eq!((*place, written), (expected_place, expected[kind]));
        }
    }
}

/// What is written is read as the same value, or refused, whatever the values.
#[test]
fn enums_of_every_kind_read_back_in_every_place() {
    macro_rules! law {
        ($($kind:ident)*) => { $({
            fn law(node: $kind::Node, other: $kind::Node, tree: $kind::Tree, leaf: $kind::Tree) -> TestResult {
                let is_exempt = |place: &str| TABLE.iter().any(|(name, cells)| {
                    *name == place && cells.iter().any(|cell| cell.starts_with("not read"))
                });
                let table = places!($kind, node, other, tree, leaf);
                let lost = table.iter().find(|(place, written)| written.starts_with("not read") && !is_exempt(place));
                lost.map_or_else(TestResult::passed, |lost| TestResult::error(format!("{lost:?}")))
            }
            holds(50, law as fn($kind::Node, $kind::Node, $kind::Tree, $kind::Tree) -> TestResult);
        })* };
    }
    law!(external internal adjacent untagged);
}
