//! The move of a node: `Turn`, alone and as an option.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sgf_stream::de::{Options, Turn};
use sgf_stream::value::{Color, go, hex};
use sgf_stream::{NodeRecord, Parser, SliceReader};

use super::read;
use crate::support::holds;

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "T: for<'d> Deserialize<'d> + Serialize")]
struct Line<T> {
    #[serde(rename = "$line")]
    nodes: Vec<T>,
}

fn turn(color: Color, play: &str) -> Turn {
    Turn::new(color, go::Move::parse(play).unwrap())
}

#[test]
fn an_optional_turn_is_none_where_a_node_has_no_move() {
    let (qd, pass) = (turn(Color::Black, "qd"), Turn::new(Color::White, go::Move::Pass));
    for (sgf, expected) in [
        ("(;B[qd])", vec![Some(qd)]),
        ("(;FF[4];B[qd];C[ok];;AB[aa][bb];W[])", vec![None, Some(qd), None, None, None, Some(pass)]),
        ("(;FF[4];C[a move];B[qd]C[x](;W[tt])(;W[dd]))", vec![None, None, Some(qd), Some(pass)]),
        ("(;SZ[19];W[tt]B[qd];B[qd]W[])", vec![None, Some(pass), Some(qd)]),
    ] {
        assert_eq!(read::<Line<Option<Turn>>>(sgf), Ok(Line { nodes: expected.clone() }), "{sgf}");
        assert_eq!(read::<Vec<Vec<Option<Turn>>>>(sgf), Ok(vec![expected.clone()]), "{sgf}");
    }
}

#[test]
fn a_turn_that_is_not_optional_needs_a_move() {
    let error = "expected a node with B or W; for nodes without a move use an `Option`";
    assert_eq!(read::<Line<Turn>>("(;B[qd];W[qd])").unwrap().nodes.len(), 2);
    assert_eq!(read::<Line<Turn>>("(;B[qd];C[x])").unwrap_err(), format!("game 1, node 2 (byte 7): {error}"));
    assert_eq!(read::<Line<Turn>>("(;B[qd];C[ok])").unwrap_err(), format!("game 1, node 2 (byte 7): {error}"));
    // A node without a move is not a tree without one.
    type Trees = Vec<Option<Line<Turn>>>;
    assert_eq!(read::<Trees>("(;B[qd])(;C[x])").unwrap_err(), format!("game 2, root (byte 9): {error}"));

    #[derive(Debug, PartialEq, Deserialize)]
    struct Root<T> {
        #[serde(rename = "$root")]
        root: T,
    }
    assert_eq!(read::<Root<Option<Turn>>>("(;FF[4])"), Ok(Root { root: None }));
    assert_eq!(read::<Root<Turn>>("(;FF[4])").unwrap_err(), format!("game 1, root (byte 1): {error}"));
    assert_eq!(read::<Vec<Option<Root<Turn>>>>("(;FF[4])").unwrap_err(), format!("game 1, root (byte 1): {error}"));
    let expected = "game 1 (byte 0): expected a struct, a map or a sequence for a game tree, found the enum Turn";
    assert!(read::<Option<Turn>>("(;B[qd])").unwrap_err().starts_with(expected));
}

#[test]
fn a_move_that_does_not_fit_is_an_error_also_in_an_option() {
    let error = read::<Line<Option<Turn>>>("(;B[qd];W[dddd])").unwrap_err();
    assert!(error.starts_with("game 1, node 2, W (byte 12): move: expected"), "{error}");
    let games = |sgf: &'static str, options| {
        Parser::new().slice(sgf.as_bytes()).games_with::<Line<Option<Turn>>>(options).next()
    };
    assert!(games("(;B[qd];W[dddd])", Options::new().lenient_header(true)).unwrap().is_err());
    let lenient = games("(;B[qd];W[dddd];W[!]B[dd])", Options::new().lenient_fields(true)).unwrap().unwrap();
    assert_eq!(lenient.nodes, [Some(turn(Color::Black, "qd")), None, None]);
}

#[test]
fn turns_are_of_any_game_and_go_to_other_formats() {
    let line: Line<Option<Turn<hex::Move>>> = read("(;GM[11]SZ[11];B[a3];W[swap-pieces])").unwrap();
    assert_eq!(line.nodes[2], Some(Turn::new(Color::White, hex::Move::SwapPieces)));
    let json = serde_json::to_string(&line).unwrap();
    assert_eq!(json, r#"{"$line":[null,{"B":"a3"},{"W":"swap-pieces"}]}"#);
    assert_eq!(serde_json::from_str::<Line<Option<Turn<hex::Move>>>>(&json).unwrap(), line);
    let error = serde_json::from_str::<Turn>(r#"{"X":"aa"}"#).unwrap_err().to_string();
    assert!(error.starts_with("expected the variant B or W"), "{error}");

    let texts: Line<Option<Turn<String>>> = read("(;B[any\\]thing])").unwrap();
    assert_eq!(texts.nodes[0].as_ref().unwrap().play, "any]thing");
    assert_eq!(<(Color, go::Move)>::from(turn(Color::White, "dd")), (Color::White, go::Move::parse("dd").unwrap()));
}

#[test]
fn a_record_has_a_turn_too() {
    let mut reader = SliceReader::new(b"(;FF[4];B[dd];C[ok])");
    let (mut node, mut turns) = (NodeRecord::new(), Vec::new());
    while reader.read_node(&mut node).unwrap() {
        turns.push(node.deserialize::<Option<Turn>>().unwrap());
    }
    assert_eq!(turns, [None, Some(turn(Color::Black, "dd")), None]);
}

/// Turns are what an enum of moves reads, and what a map of properties has.
#[test]
fn turns_agree_with_enums_and_maps() {
    #[derive(Debug, Deserialize)]
    enum Step {
        B(String),
        W(String),
        #[serde(other)]
        Other,
    }
    fn law(picks: Vec<Vec<u8>>) -> bool {
        const PIECES: [&str; 8] = ["B[dd]", "W[pp]", "C[ok]", "C[comment]", "AB[aa]", "B[]", "W[a\\]b]", "L[aa]"];
        let nodes: Vec<String> = picks
            .iter()
            .map(|node| node.iter().take(3).map(|pick| PIECES[usize::from(pick % 8)]).collect::<String>())
            .collect();
        let sgf = format!("(;{})", nodes.join(";"));
        let options: Vec<Vec<Option<Turn<String>>>> = sgf_stream::from_str(&sgf).unwrap();
        let steps: Vec<Vec<Step>> = sgf_stream::from_str(&sgf).unwrap_or_default();
        let maps: Vec<Vec<BTreeMap<String, Vec<String>>>> = sgf_stream::from_str(&sgf).unwrap();
        let listed: Line<Turn<String>> = Line { nodes: options[0].iter().flatten().cloned().collect() };
        let has_moves = maps[0].iter().map(|node| node.contains_key("B") || node.contains_key("W"));
        let same_as_step = |(turn, step): (&Option<Turn<String>>, &Step)| match (turn, step) {
            (Some(turn), Step::B(play)) => turn.color == Color::Black && turn.play == *play,
            (Some(turn), Step::W(play)) => turn.color == Color::White && turn.play == *play,
            (turn, Step::Other) => turn.is_none(),
            (None, _) => false,
        };
        let is_plain = nodes.iter().all(|node| !node.is_empty()); // an enum is not a node without properties
        let again = if listed.nodes.is_empty() { None } else { Some(sgf_stream::to_string(&listed).unwrap()) };
        has_moves.eq(options[0].iter().map(Option::is_some))
            && (!is_plain || options[0].iter().zip(&steps[0]).all(same_as_step))
            && again.is_none_or(|sgf| sgf_stream::from_str::<Line<Turn<String>>>(&sgf).unwrap() == listed)
    }
    holds(500, law as fn(Vec<Vec<u8>>) -> bool);
}

/// The struct of the README, with moves in both directions.
#[test]
fn moves_are_written_as_they_are_read() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Game {
        #[serde(rename = "PB")]
        black: Option<String>,
        #[serde(rename = "$line", with = "sgf_stream::de::moves")]
        moves: Vec<(Color, go::Move)>,
    }

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct MainLine {
        #[serde(rename = "$mainline", with = "sgf_stream::de::moves")]
        moves: Vec<(Color, go::Move)>,
    }

    for sgf in ["(;PB[x];B[qd];W[])", "(;PB[x])", "(;;W[dd];W[pp])"] {
        let game: Game = read(sgf).unwrap();
        assert_eq!(sgf_stream::to_string(&game).unwrap().trim_end(), sgf);
        let json = serde_json::to_string(&game).unwrap();
        assert_eq!(serde_json::from_str::<Game>(&json).unwrap(), game, "{json}");
        let line = MainLine { moves: game.moves };
        let again = sgf_stream::to_string(&line).unwrap();
        assert_eq!(read::<MainLine>(again).unwrap(), line);
    }
    let game: Game = read("(;PB[x]B[qd];C[no move];W[dc])").unwrap();
    assert_eq!(sgf_stream::to_string(&game).unwrap(), "(;PB[x];B[qd];W[dc])\n");
}

#[test]
fn optional_turns_are_written_as_nodes() {
    let line = Line { nodes: vec![None, Some(turn(Color::Black, "qd")), None] };
    let sgf = sgf_stream::to_string(&line).unwrap();
    assert_eq!(sgf, "(;;B[qd];)\n");
    assert_eq!(read::<Line<Option<Turn>>>(sgf).unwrap(), line);
    assert_eq!(sgf_stream::to_string(&[&line.nodes]).unwrap(), "(;;B[qd];)\n");

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Node {
        #[serde(rename = "C")]
        comment: Option<String>,
    }
    let error = sgf_stream::to_string(&Line { nodes: vec![None::<Node>] }).unwrap_err();
    assert!(error.to_string().contains("expected a node: a struct, a map or an enum, found `None`"), "{error}");
}
