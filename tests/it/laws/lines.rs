//! In all code that follows it, the main line is that of a naive model, also in games with nodes after variations.

use std::fmt::Write as _;

use quickcheck::{Arbitrary, Gen};
use sgf_board::{Board, Fingerprint, Step, Walk, walk};
use sgf_check::{Rewriter, Rules as CheckRules, fix_slice};
use sgf_stream::tree::{GameTree, TreeBuilder};
use sgf_stream::{Code, Event, OwnedEvent, Parser};
use sgf_table::{Table, TableBuilder};

use crate::support::{Events, Given, Rules, games, holds, naive};

/// Games of Go with many branches, and nodes after them.
#[derive(Clone, Debug)]
struct Branching(String);

impl Branching {
    /// With the `)` that are missing at the end.
    fn closed(mut text: String) -> Self {
        let open = text.bytes().fold(0_usize, |open, byte| match byte {
            b'(' => open + 1,
            b')' => open.saturating_sub(1),
            _ => open,
        });
        (0..open).for_each(|_| text.push(')'));
        Branching(text)
    }
}

impl Arbitrary for Branching {
    fn arbitrary(g: &mut Gen) -> Self {
        let mut text = String::from("(;");
        let mut depth = 1;
        for _ in 0..u8::arbitrary(g) % 40 {
            match u8::arbitrary(g) % 16 {
                0..5 => text.push(';'),
                5..8 => {
                    text.push_str("(;");
                    depth += 1;
                }
                8..12 if depth > 1 => {
                    text.push(')');
                    depth -= 1;
                }
                12 => text.push_str("(("), // a tree without nodes
                13 => text.push_str(g.choose(&[" ", "\n", "C[x]", "AB[cc]", "AE[cc]AW[dd]", ")(;"]).unwrap()),
                _ => {}
            }
            let letter = |g: &mut Gen| char::from(b'a' + u8::arbitrary(g) % 9);
            if !text.ends_with(['(', ' ', '\n']) || u8::arbitrary(g) % 8 == 0 {
                let color = g.choose(&["B", "W", "B", "W", "W[]B"]).unwrap();
                write!(text, "{color}[{}{}]", letter(g), letter(g)).unwrap();
            }
        }
        Branching::closed(text)
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let text = self.0.clone();
        let cuts = (2..text.len()).flat_map(|from| [12, 6, 1].map(|len| (from, from + len)));
        let cuts = cuts.filter(|(_, to)| *to < self.0.len()).collect::<Vec<_>>();
        Box::new(cuts.into_iter().map(move |(from, to)| Branching::closed([&text[..from], &text[to..]].concat())))
    }
}

/// A tree: a node after a variation starts another one.
#[derive(Clone, Debug, Default, PartialEq)]
struct Tree {
    /// The properties of each node, as text.
    nodes: Vec<String>,
    trees: Vec<Tree>,
}

impl Tree {
    /// Reads a tree from its `StartTree` on.
    fn of(events: &mut std::slice::Iter<'_, (u64, OwnedEvent)>) -> Tree {
        let mut tree = Tree::default();
        events.next();
        loop {
            if let [(_, OwnedEvent::StartTree), ..] = events.as_slice() {
                tree.trees.push(Tree::of(events));
                continue;
            }
            match events.next().unwrap().1.borrow() {
                Event::EndTree => return tree,
                Event::Node => tree.nodes.push(String::new()),
                Event::Property(ident) => tree.nodes.last_mut().unwrap().push_str(&ident.spelling()),
                Event::Value(value) => {
                    write!(tree.nodes.last_mut().unwrap(), "[{}]", value.as_bytes().escape_ascii()).unwrap();
                }
                _ => unreachable!(),
            }
        }
    }

    fn of_game(game: &Events) -> Tree {
        Tree::of(&mut game.iter())
    }

    fn line(&self) -> Vec<String> {
        let rest = self.trees.first().map(Tree::line);
        self.nodes.iter().cloned().chain(rest.into_iter().flatten()).collect()
    }

    fn write(&self, text: &mut String) {
        text.push('(');
        self.nodes.iter().for_each(|node| write!(text, ";{node}").unwrap());
        self.trees.iter().for_each(|tree| tree.write(text));
        text.push(')');
    }

    fn text(&self) -> String {
        let mut text = String::new();
        self.write(&mut text);
        text
    }
}

fn lenient() -> Rules {
    Rules { strict: false, max_value_len: 1 << 20, max_ident_len: 64, max_depth: 1 << 10, given: Given::Nothing }
}

/// The trees of the games in a text, by the naive model.
fn model(text: &str) -> Vec<Tree> {
    let seen = naive::read(text.as_bytes(), &lenient());
    games(&seen.events).into_iter().map(Tree::of_game).collect()
}

fn line_game(tree: &Tree) -> String {
    tree.line().iter().fold("(".to_owned(), |text, node| text + ";" + node) + ")"
}

/// A tree is implied if and only if it starts where its first node does: there is a node after a variation.
#[test]
fn trees_without_a_bracket_start_where_their_node_does() {
    fn law(Branching(text): Branching) {
        let seen = naive::read(text.as_bytes(), &lenient());
        let pairs = seen.events.windows(2).filter(|pair| pair[0].1 == OwnedEvent::StartTree);
        let implied: Vec<u64> = pairs.filter(|pair| pair[0].0 == pair[1].0).map(|pair| pair[0].0).collect();
        let faults = seen.findings.iter().filter(|(code, _)| *code == Code::NodeAfterVariation);
        let mut faults: Vec<u64> = faults.map(|(_, at)| at.offset).collect();
        faults.sort_unstable();
        assert_eq!(implied, faults, "{text}");
    }
    holds(2000, law as fn(Branching));
}

#[test]
fn the_generator_has_nodes_after_variations() {
    let mut g = quickcheck::inputs(100);
    let count = (0..500).filter(|_| {
        let Branching(text) = Arbitrary::arbitrary(&mut g);
        naive::read(text.as_bytes(), &lenient()).findings.iter().any(|(code, _)| *code == Code::NodeAfterVariation)
    });
    assert!(count.count() > 150);
}

#[test]
fn trees_have_the_order_of_the_model() {
    fn law(Branching(text): Branching) {
        let (mut reader, mut builder) = (Parser::new().reader(text.as_bytes()), TreeBuilder::new());
        for expected in model(&text) {
            let tree = reader.read_game(&mut builder).unwrap().unwrap().unwrap();
            assert_eq!(Tree::of_game(&with_offsets(&tree)), expected, "{text}");
            assert_eq!(String::from_utf8(tree.to_vec().unwrap()).unwrap().trim_end(), expected.text(), "{text}");
            let line: Vec<String> = tree.main_line().map(properties).collect();
            // The properties of a node have each name once.
            let alone = |node: &String| format!("(;{node})").parse::<GameTree>().unwrap();
            let of_line: Vec<String> = expected.line().iter().map(|node| properties(alone(node).root())).collect();
            assert_eq!(line, of_line, "{text}");
            assert!(tree.nodes().enumerate().all(|(n, node)| node.id().index() == n && node.number() == n), "{text}");
            assert!(tree.nodes().enumerate().all(|(n, node)| tree.nth(n).unwrap().id() == node.id()), "{text}");
        }
    }
    holds(2000, law as fn(Branching));
}

/// The events of a tree, each where no other is.
fn with_offsets(tree: &GameTree) -> Vec<(u64, OwnedEvent)> {
    tree.events().enumerate().map(|(at, event)| (at as u64, event.into())).collect()
}

fn properties(node: sgf_stream::tree::Node<'_>) -> String {
    let mut text = String::new();
    for property in node.properties() {
        text.push_str(&property.ident().spelling());
        property.values().for_each(|value| write!(text, "[{}]", value.as_bytes().escape_ascii()).unwrap());
    }
    text
}

#[test]
fn boards_follow_the_line_of_the_model() {
    fn law(Branching(text): Branching) {
        let mut reader = Parser::new().reader(text.as_bytes());
        let expected: Vec<String> = model(&text).iter().map(line_game).collect();
        for line in &expected {
            let print = reader.read_game(&mut Fingerprint::visitor()).unwrap().unwrap();
            let of_line = Parser::new().slice(line.as_bytes()).read_game(&mut Fingerprint::visitor()).unwrap().unwrap();
            assert_eq!(print, of_line, "{text}: {line}");
        }
        let steps = |text: &str, games: usize| {
            let (mut reader, mut steps) = (Parser::new().reader(text.as_bytes()), Vec::new());
            for _ in 0..games {
                reader
                    .read_game(&mut Walk::line_visitor(|step| {
                        steps.push((
                            step.played(),
                            step.effect(),
                            step.move_number(),
                            step.depth(),
                            step.board().hash(),
                        ));
                    }))
                    .unwrap();
            }
            steps
        };
        let of_lines: Vec<_> = expected.iter().flat_map(|line| steps(line, 1)).collect();
        assert_eq!(steps(&text, expected.len()), of_lines, "{text}: {expected:?}");
        for moves in [0, 1, 2, 3, 5, 9, 99] {
            let (board, of_line) = (Board::after(text.as_bytes(), moves), Board::after(expected[0].as_bytes(), moves));
            assert_eq!(board.unwrap(), of_line.unwrap(), "{moves} moves of {text}: {}", expected[0]);
        }
    }
    holds(1000, law as fn(Branching));
}

#[test]
fn the_nodes_of_a_tree_have_the_boards_of_its_file() {
    fn law(Branching(text): Branching) {
        let (mut reader, mut builder) = (Parser::new().reader(text.as_bytes()), TreeBuilder::new());
        while let Some(tree) = reader.read_game(&mut builder).unwrap() {
            boards_are_those_of_the_file(&tree.unwrap());
        }
    }
    fn boards_are_those_of_the_file(tree: &GameTree) {
        let text = String::from_utf8(tree.to_vec().unwrap()).unwrap();
        let of_step = |step: &Step<'_>| (step.number(), step.played(), step.depth(), step.is_on_main_line());
        let (mut of_file, mut of_tree) = (Vec::new(), Vec::new());
        walk(&Parser::new(), text.as_bytes(), |step| {
            of_file.push((of_step(step), step.board().hash(), step.board().ko()));
        })
        .unwrap();
        sgf_board::walk_tree(tree, |node, step| {
            let board = Board::at(node).unwrap();
            assert_eq!((board.hash(), board.ko()), (step.board().hash(), step.board().ko()), "{node:?} of {text}");
            assert_eq!(of_step(step), (node.number(), step.played(), node.depth(), node.is_on_main_line()), "{text}");
            of_tree.push((of_step(step), board.hash(), board.ko()));
        });
        assert_eq!(of_tree, of_file, "{text}");
    }
    holds(500, law as fn(Branching));
}

#[test]
fn tables_have_the_line_of_the_model() {
    const COLUMNS: [&str; 7] = ["moves", "sgf_moves", "move_count", "dyer", "canonical", "final_position", "error"];
    fn cells(text: &str, table: Table, columns: &[&str]) -> Vec<Vec<String>> {
        let table = TableBuilder::new(&Parser::new(), table).columns(columns).unwrap();
        let (mut rows, mut cells) = (table.rows(Parser::new().reader(text.as_bytes())), Vec::new());
        while rows
            .next_game(|row| cells.push((0..row.len()).map(|n| format!("{:?}", row.cell(n).to_string())).collect()))
            .unwrap()
        {}
        cells
    }
    fn law(Branching(text): Branching) {
        let lines: String = model(&text).iter().map(line_game).collect();
        assert_eq!(cells(&text, Table::Games, &COLUMNS), cells(&lines, Table::Games, &COLUMNS), "{text}: {lines}");
        for column in COLUMNS {
            assert_eq!(
                cells(&text, Table::Games, &[column]),
                cells(&lines, Table::Games, &[column]),
                "{text}: {lines}"
            );
        }
        // With a column that needs the whole game.
        let with = |text| cells(text, Table::Games, &["node_count", "sgf_moves"]).into_iter().map(|row| row[1].clone());
        assert!(with(&text).eq(with(&lines)), "{text}: {lines}");
        let columns = ["game", "ply", "color", "point", "comment"];
        assert_eq!(cells(&text, Table::Moves, &columns), cells(&lines, Table::Moves, &columns), "{text}: {lines}");
    }
    holds(1000, law as fn(Branching));
}

#[test]
fn rewriting_keeps_the_tree_and_is_stable() {
    fn law(Branching(text): Branching) {
        let expected: String = model(&text).iter().map(Tree::text).collect();
        let trees = |bytes: &[u8]| -> String {
            let seen = naive::read(bytes, &lenient());
            assert!(seen.findings.is_empty(), "{text}: {}", bytes.escape_ascii());
            games(&seen.events).into_iter().map(|game| Tree::of_game(game).text()).collect()
        };
        if naive::read(text.as_bytes(), &lenient()).findings.iter().any(|(code, _)| !is_repaired(*code)) {
            return;
        }
        // The rules are about syntax alone.
        let (fixed, _) = fix_slice(&CheckRules::none(), text.as_bytes());
        assert_eq!(trees(&fixed), expected, "{text}");
        assert_eq!(fix_slice(&CheckRules::none(), &fixed).0, fixed, "{text}");
        let rewrite = |bytes: &[u8]| Rewriter::new(&Parser::new()).rewrite_slice(bytes).0;
        let once = rewrite(text.as_bytes());
        assert_eq!(trees(&once), expected, "{text}");
        assert_eq!(rewrite(&once), once, "{text}");
    }
    holds(2000, law as fn(Branching));
}

/// Repaired without loss, for any text around it.
fn is_repaired(code: Code) -> bool {
    matches!(
        code,
        Code::NodeAfterVariation
            | Code::MissingSemicolon
            | Code::TreeWithoutNodes
            | Code::ExtraCloseParen
            | Code::UnclosedTree
    )
}

#[cfg(feature = "serde")]
mod records {
    use std::collections::BTreeMap;

    use serde::Deserialize;
    use serde::de::DeserializeOwned;
    use sgf_stream::de;

    use super::*;

    type Node = BTreeMap<String, Vec<String>>;

    #[derive(Deserialize, PartialEq, Debug)]
    struct Line {
        #[serde(rename = "$line")]
        line: Vec<Node>,
    }

    #[derive(Deserialize, PartialEq, Debug)]
    struct MainLine {
        #[serde(rename = "$root")]
        root: Node,
        #[serde(rename = "$mainline")]
        line: Vec<Node>,
    }

    #[derive(Deserialize, PartialEq, Debug)]
    struct Whole {
        #[serde(rename = "$root")]
        root: Node,
        #[serde(rename = "$nodes")]
        nodes: Vec<Node>,
        #[serde(rename = "$variations")]
        variations: Vec<Whole>,
    }

    /// The main lines of the variations of a root.
    #[derive(Deserialize, PartialEq, Debug)]
    struct Lines {
        #[serde(rename = "$nodes")]
        nodes: Vec<Node>,
        #[serde(rename = "$variations")]
        variations: Vec<Vec<Node>>,
    }

    /// The games of a text, by every reader.
    fn read<T: DeserializeOwned + PartialEq + std::fmt::Debug>(text: &str) -> Vec<T> {
        let bytes = text.as_bytes();
        let parser = Parser::new();
        let games = |games: Vec<de::Result<T>>| games.into_iter().collect::<de::Result<Vec<T>>>().unwrap();
        let of_slice = games(parser.slice(bytes).games().collect());
        for capacity in [1, 7] {
            let reader = std::io::BufReader::with_capacity(capacity, bytes);
            assert_eq!(games(parser.reader(reader).games().collect()), of_slice, "{text}");
        }
        let log = sgf_stream::DiagnosticLog::new(10);
        let listening = parser.clone().log_to(&log);
        assert_eq!(games(listening.slice(bytes).games().collect()), of_slice, "{text}");
        #[cfg(feature = "codec")]
        {
            use futures::StreamExt as _;
            let stream = parser.record_stream::<T, _>(bytes);
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            let all = runtime.block_on(stream.collect::<Vec<_>>());
            let all: Vec<T> = all.into_iter().map(|game| game.unwrap().unwrap()).collect();
            assert_eq!(all, of_slice, "{text}");
        }
        of_slice
    }

    /// The games of the trees of the model, written so that nothing is repaired.
    fn written(trees: &[Tree]) -> String {
        trees.iter().map(Tree::text).collect()
    }

    #[test]
    fn serde_reads_the_line_of_the_model() {
        fn law(Branching(text): Branching) {
            let trees = model(&text);
            let lines: String = trees.iter().map(line_game).collect();
            assert_eq!(read::<Line>(&text), read::<Line>(&lines), "{text}: {lines}");
            assert_eq!(read::<MainLine>(&text), read::<MainLine>(&lines), "{text}: {lines}");
            assert_eq!(read::<Vec<Node>>(&text), read::<Vec<Node>>(&lines), "{text}: {lines}");
            let nodes = |trees: &Tree| trees.line().len();
            assert!(read::<Line>(&text).iter().map(|game| game.line.len()).eq(trees.iter().map(nodes)), "{text}");
        }
        holds(1000, law as fn(Branching));
    }

    #[test]
    fn serde_reads_the_tree_of_the_model() {
        fn law(Branching(text): Branching) {
            let sound = written(&model(&text));
            assert_eq!(read::<Whole>(&text), read::<Whole>(&sound), "{text}: {sound}");
            assert_eq!(read::<Lines>(&text), read::<Lines>(&sound), "{text}: {sound}");
            assert_eq!(read::<serde_json::Value>(&text), read::<serde_json::Value>(&sound), "{text}: {sound}");
        }
        holds(1000, law as fn(Branching));
    }

    #[test]
    fn the_line_has_its_root() {
        let game: Line = sgf_stream::from_str("(;B[aa];W[bb](;B[cc])(;B[dd]))").unwrap();
        let moves: Vec<&str> = game.line.iter().flat_map(|node| node.values()).map(|values| &*values[0]).collect();
        assert_eq!(moves, ["aa", "bb", "cc"]);
    }
}
