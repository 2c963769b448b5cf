//! What errors say.

use std::collections::BTreeMap;
use std::error::Error as _;
use std::fmt::Debug;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use sgf_stream::de;
use sgf_stream::value::go;

use crate::read;

#[derive(Debug, Deserialize)]
#[allow(dead_code)]
struct Header {
    #[serde(rename = "PB")]
    black: String,
    #[serde(rename = "HA", default)]
    handicap: u8,
    #[serde(rename = "LB", default)]
    labels: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize)]
#[allow(dead_code)]
struct Game {
    #[serde(rename = "$root")]
    root: Header,
    #[serde(rename = "$nodes")]
    nodes: Vec<Step>,
    #[serde(rename = "$variations")]
    variations: Vec<Variation>,
}

#[derive(Debug, Deserialize)]
#[allow(dead_code)]
struct Variation {
    #[serde(rename = "B")]
    black: go::Move,
    #[serde(rename = "$variations")]
    variations: Vec<Variation>,
}

#[derive(Debug, Deserialize)]
#[allow(dead_code)]
enum Step {
    B(go::Move),
    W(go::Move),
    AB(Vec<(String, u8)>),
}

#[derive(Debug, Deserialize)]
#[allow(dead_code)]
struct Line {
    #[serde(rename = "PB")]
    black: String,
    #[serde(rename = "$mainline")]
    moves: Vec<Step>,
}

#[track_caller]
fn says<T: DeserializeOwned + Debug>(sgf: &str, message: &str) {
    assert_eq!(read::<Vec<T>>(sgf).expect_err(sgf), message, "{sgf}");
}

#[test]
fn errors_name_game_node_property_and_byte() {
    says::<Header>("(;PB[a])(;HA[2])", "game 1, node 0 at byte 9: expected a property PB");
    says::<Header>("(;PB[a]HA[many])", "game 0, node 0, HA at byte 9: expected u8, found \"many\"");
    says::<Header>("(;PB[a]HA[999])", "game 0, node 0, HA at byte 9: expected u8, found 999");
    says::<Header>("(;PB[a]LB[aa:A][bb])", "game 0, node 0, LB at byte 15: expected two parts with \":\" between them");
    says::<Game>("(;PB[a])(;HA[2];B[])", "game 1, node 0 at byte 9: expected a property PB");
    says::<Game>("(;PB[a];B[];W[x])", "game 0, node 2, W at byte 13: move: expected a letter at byte 1");
    says::<Game>(
        "(;PB[a];B[];W[](;B[];C[](;B[aa])(;B[aa](;B[d4]))))",
        "game 0, node 7, B at byte 42: move: expected a letter at byte 1",
    );
    says::<Game>("(;PB[a];B[](;B[](;B[])(;C[x])))", "game 0, node 4 at byte 23: expected a property B");
    says::<Game>("(;PB[a];C[x])", "game 0, node 1 at byte 7: expected a node with one of B, W, AB, found one with C");
    says::<Game>("(;PB[a];AB[aa:1][bb:x])", "game 0, node 1, AB at byte 19: expected u8, found \"x\"");
    says::<Line>("(;PB[a];B[](;B[x])(;B[]))", "game 0, node 2, B at byte 14: move: expected a letter at byte 1");
    says::<Vec<Step>>("(;B[];B[](;B[x])(;B[]))", "game 0, node 2, B at byte 12: move: expected a letter at byte 1");
}

#[test]
fn long_texts_are_not_told_in_full() {
    let error = read::<Header>(format!("(;PB[a]HA[{}])", "\u{56F2}".repeat(1000))).unwrap_err();
    assert!(error.ends_with(&format!("found \"{}\"…", "\u{56F2}".repeat(60))), "{error}");
}

#[test]
fn errors_are_small_and_have_accessors() {
    assert_eq!(size_of::<de::Error>(), size_of::<usize>());
    let error = de::from_str::<Vec<Header>>("(;PB[a])(;PB[b]HA[x])").unwrap_err();
    assert_eq!(
        (error.game(), error.node(), error.property(), error.offset()),
        (Some(1), Some(0), Some("HA"), Some(17))
    );
    assert_eq!((error.category(), error.code(), error.position()), (de::Category::Data, None, None));
    assert_eq!(error.message(), "expected u8, found \"x\"");
    assert!(error.source().is_none());
    assert_eq!(std::io::Error::from(error).kind(), std::io::ErrorKind::InvalidData);
}

#[test]
fn an_unknown_variant_of_a_value_names_those_that_are_known() {
    #[derive(Debug, Deserialize)]
    enum Color {
        B,
        W,
    }
    #[derive(Debug, Deserialize)]
    #[allow(dead_code)]
    struct Player {
        #[serde(rename = "PL")]
        color: Color,
    }
    says::<Player>("(;PL[both])", "game 0, node 0, PL at byte 4: expected B or W, found \"both\"");
    let _ = (Color::B, Color::W);
}
