//! A node with several moves: every surface that answers "the moves of this node", and what it says.
//!
//! The rule: all moves of a node are executed, in the order of the file. What returns one move returns the first one. Two
//! exceptions say so in their docs: `Step::last_played`, and `get_move` of Python, which is Black's, as in sgfmill. The
//! rows of Python are in `crates/sgf-python/tests/test_trees.py`.

use std::fs;

use serde::Deserialize;
use sgf_board as board;
use sgf_board::{Board, Replay};
use sgf_search::{Pattern, Search};
use sgf_stream::de::Turn;
use sgf_stream::tree::{GameTree, Node};
use sgf_stream::value::{Color, go::Move};
use sgf_stream::{NodeRecord, Parser};

use super::{directory, run, run_with, str};

type Turns = Vec<(Color, Move)>;

#[derive(Deserialize)]
struct Line {
    #[serde(rename = "$mainline")]
    nodes: Vec<Option<Turn>>,
}

#[derive(Deserialize)]
struct Moves {
    #[serde(rename = "$mainline", with = "sgf_stream::de::moves")]
    moves: Turns,
}

#[derive(Deserialize)]
enum Choice {
    B(Move),
    W(Move),
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Choices {
    #[serde(rename = "$mainline")]
    nodes: Vec<Choice>,
}

fn text(moves: impl IntoIterator<Item = (Color, Move)>) -> String {
    moves.into_iter().map(|(color, play)| format!("{color}{play}")).collect::<Vec<_>>().join(" ")
}

fn tree(sgf: &str) -> GameTree {
    sgf.parse().unwrap()
}

/// What the command prints.
fn command(sgf: &str, args: &[&str]) -> String {
    run_with(sgf.as_bytes(), args).text().trim_end().to_owned()
}

fn steps(sgf: &str, of: impl Fn(&board::Step<'_>) -> Option<(Color, Move)>) -> String {
    let mut moves = Vec::new();
    board::walk(&Parser::new(), sgf.as_bytes(), |step| moves.extend(of(step))).unwrap();
    text(moves)
}

/// The stones of a board, as in a file.
fn stones(board: &Board) -> String {
    let of = |color: Color| board.stones(color).map(move |point| format!("{color}{point}")).collect::<Vec<_>>();
    [of(Color::Black), of(Color::White)].concat().join(" ")
}

/// The moves of all nodes of a tree.
fn of_tree(sgf: &str) -> String {
    let tree = tree(sgf);
    text(tree.main_line().flat_map(Node::moves).map(|(color, raw)| (color, Move::parse(raw).unwrap())))
}

/// A surface: its name, what it says of a game, and that for each of [`GAMES`].
type Surface = (&'static str, fn(&str) -> String, [&'static str; 4]);

/// The second node has two moves. A third one follows.
const GAMES: [&str; 4] =
    ["(;SZ[9];B[aa]W[bb];W[ee])", "(;SZ[9];W[bb]B[aa];W[ee])", "(;SZ[9];B[aa][cc];W[ee])", "(;SZ[9];B[aa]B[cc];W[ee])"];

/// All moves, in order.
const ALL: [&str; 4] = ["Baa Wbb Wee", "Wbb Baa Wee", "Baa Bcc Wee", "Baa Bcc Wee"];
/// The first move of each node.
const FIRST: [&str; 4] = ["Baa Wee", "Wbb Wee", "Baa Wee", "Baa Wee"];

const SURFACES: &[Surface] = &[
    (
        "de::Turn",
        |sgf| {
            let turns = sgf_stream::from_str::<Line>(sgf).unwrap().nodes;
            text(turns.into_iter().flatten().map(Into::into))
        },
        FIRST,
    ),
    ("de::moves", |sgf| text(sgf_stream::from_str::<Moves>(sgf).unwrap().moves), FIRST),
    (
        "an enum of a node",
        |sgf| {
            let of = |node| match node {
                Choice::B(play) => Some((Color::Black, play)),
                Choice::W(play) => Some((Color::White, play)),
                Choice::Other => None,
            };
            text(sgf_stream::from_str::<Choices>(sgf).unwrap().nodes.into_iter().filter_map(of))
        },
        FIRST,
    ),
    (
        "NodeRecord::deserialize",
        |sgf| {
            let (mut reader, mut node, mut moves) =
                (Parser::new().slice(sgf.as_bytes()), NodeRecord::new(), Vec::new());
            while reader.read_node(&mut node).unwrap() {
                moves.extend(node.deserialize::<Option<Turn>>().unwrap().map(|turn| (turn.color, turn.play)));
            }
            text(moves)
        },
        FIRST,
    ),
    ("tree::Node::played", |sgf| text(tree(sgf).main_line().filter_map(|node| node.played().unwrap())), FIRST),
    ("tree::Node::moves", of_tree, ALL),
    ("Step::played", |sgf| steps(sgf, |step| step.played()), FIRST),
    ("Step::last_played", |sgf| steps(sgf, |step| step.last_played()), ["Wbb Wee", "Baa Wee", "Bcc Wee", "Bcc Wee"]),
    (
        "Step::move_number",
        |sgf| {
            let mut last = 0;
            board::walk(&Parser::new(), sgf.as_bytes(), |step| last = step.move_number()).unwrap();
            last.to_string()
        },
        ["3"; 4],
    ),
    (
        "Replay::move_number",
        |sgf| {
            let mut replay = Replay::new();
            Parser::new().parse(sgf.as_bytes(), |event, _| replay.event(event)).unwrap();
            replay.move_number().to_string()
        },
        ["3"; 4],
    ),
    (
        "Board::at",
        |sgf| stones(&Board::at(tree(sgf).main_line().nth(1).unwrap()).unwrap()),
        ["Baa Wbb", "Baa Wbb", "Baa Bcc", "Baa Bcc"],
    ),
    (
        "the column moves",
        |sgf| {
            let rows = command(sgf, &["records", "--format", "csv", "--columns", "moves", "-"]);
            rows.lines().nth(1).unwrap().replace(['[', ']'], "")
        },
        ALL,
    ),
    (
        "the column move_count",
        |sgf| {
            let rows = command(sgf, &["records", "--format", "csv", "--columns", "move_count", "-"]);
            rows.lines().nth(1).unwrap().to_owned()
        },
        ["3"; 4],
    ),
    // The node's position has both moves, and so no answer between them.
    (
        "Search",
        |sgf| {
            let (pattern, mut found) = (Pattern::parse("(;SZ[9]AB[aa]VW[aa:ba])").unwrap(), String::new());
            Search::new(pattern)
                .find(&Parser::new(), sgf.as_bytes(), |game| {
                    found = game.hits().first().map_or("-".into(), |hit| hit.end_ply().to_string())
                })
                .unwrap();
            found
        },
        ["2"; 4],
    ),
    // An opening ends where more than one move leads to the next position.
    (
        "sgf openings",
        |sgf| {
            let lines = command(sgf, &["openings", "--plies", "3", "--size", "9", "--min-games", "1", "-"]);
            lines.lines().skip(3).count().to_string()
        },
        ["0"; 4],
    ),
    (
        "sgf show",
        |sgf| {
            let shown = command(sgf, &["show", "--move", "1", "-"]);
            let line = shown.lines().find_map(|line| line.split_once("Move ")).unwrap().1;
            line.trim().to_owned()
        },
        ["2 of 3: B A9+W B8", "2 of 3: W B8+B A9", "2 of 3: B A9+B C7", "2 of 3: B A9+B C7"],
    ),
    (
        "sgf show --tree",
        |sgf| command(sgf, &["show", "--tree", "-"]).lines().last().unwrap().to_owned(),
        ["1-3     B A9+W B8 W E5", "1-3     W B8+B A9 E5", "1-3     B A9+B C7 E5", "1-3     B A9+B C7 E5"],
    ),
    (
        "sgf show --tree --json",
        |sgf| {
            let tree: serde_json::Value =
                serde_json::from_str(&command(sgf, &["show", "--tree", "--json", "-"])).unwrap();
            let run = &tree["runs"][0];
            let moves: Vec<[String; 2]> = serde_json::from_value(run["moves"].clone()).unwrap();
            assert_eq!((&tree["moves"], &run["first_move"]), (&3.into(), &1.into()));
            moves.iter().map(|played| played.concat()).collect::<Vec<_>>().join(" ")
        },
        ALL,
    ),
    (
        "sgf check",
        |sgf| {
            let found = command(sgf, &["check", "-"]);
            let rules = found.lines().filter_map(|line| Some(line.split_once('[')?.1.split_once(']')?.0.to_owned()));
            rules.take(1).collect()
        },
        ["two-moves", "two-moves", "extra-values", "duplicate-property"],
    ),
    // No move is removed or put into another order.
    (
        "sgf check --fix",
        |sgf| {
            let file = directory("node_moves").join("game.sgf");
            fs::write(&file, sgf).unwrap();
            run(&["check", "--fix", str(&file)]);
            of_tree(&fs::read_to_string(file).unwrap())
        },
        ALL,
    ),
];

#[test]
fn moves_of_a_node_have_one_meaning() {
    for (name, of, expected) in SURFACES {
        assert_eq!(GAMES.map(of), expected.map(String::from), "{name}");
    }
}
