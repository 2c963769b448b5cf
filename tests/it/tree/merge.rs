//! Merging games into one tree, and splitting a tree into games: tables, and laws against sets of lines.

use std::collections::{BTreeMap, BTreeSet};

use quickcheck::{Arbitrary, Gen};
use sgf_stream::tree::{EditError, GameTree, Merger, Node};

use super::{sgf, tree};
use crate::support::holds;

#[test]
fn games_share_the_nodes_of_equal_moves() {
    for (one, other, expected) in [
        ("(;)", "(;B[aa];W[bb])", "(;B[aa];W[bb])"),
        ("(;GM[1];B[aa])", "(;GM[1];B[aa])", "(;GM[1];B[aa])"),
        ("(;GM[1];B[aa])", "(;GM[1];B[bb])", "(;GM[1](;B[aa])(;B[bb]))"),
        ("(;GM[1];B[aa];W[bb])", "(;GM[1];B[aa])", "(;GM[1];B[aa];W[bb])"),
        ("(;GM[1];B[aa])", "(;GM[1];B[aa];W[bb])", "(;GM[1];B[aa];W[bb])"),
        // Moves are compared as moves.
        ("(;GM[1];B[tt];W[qd])", "(;GM[1];B[];W[R16];B[aa])", "(;GM[1];B[tt];W[qd];B[aa])"),
        ("(;GM[11];B[c4];W[swap])", "(;GM[11];B[C4];W[swap-pieces];B[a1])", "(;GM[11];B[c4];W[swap];B[a1])"),
        // So is setup.
        ("(;SZ[9];AB[aa:bb])", "(;SZ[9];AB[ab][bb][ba][aa]C[x])", "(;SZ[9];AB[aa:bb]C[x])"),
        ("(;SZ[9];PL[B])", "(;SZ[9];PL[black])", "(;SZ[9];PL[B])"),
        ("(;SZ[9];AB[aa])", "(;SZ[9];AW[aa])", "(;SZ[9](;AB[aa])(;AW[aa]))"),
        // Nodes without both are the same in their order.
        ("(;GM[1];B[aa];C[x];W[bb])", "(;GM[1];B[aa];N[y];W[bb])", "(;GM[1];B[aa];C[x]N[y];W[bb])"),
        ("(;GM[1];B[aa];C[x];W[bb])", "(;GM[1];B[aa];W[bb])", "(;GM[1];B[aa](;C[x];W[bb])(;W[bb]))"),
        (
            "(;GM[1](;B[aa]C[1])(;B[aa]C[2]))",
            "(;GM[1](;B[aa]C[3])(;B[aa]C[2]))",
            "(;GM[1](;B[aa]C[1\n\n3])(;B[aa]C[2]))",
        ),
        // Different roots become nodes below one.
        ("(;SZ[9]AB[aa];W[bb])", "(;SZ[9]AB[cc];W[bb])", "(;SZ[9](;AB[aa];W[bb])(;AB[cc];W[bb]))"),
        ("(;SZ[9]AB[aa];W[bb])", "(;SZ[9]AB[aa];W[cc])", "(;SZ[9]AB[aa](;W[bb])(;W[cc]))"),
        ("(;SZ[9]AB[aa];W[bb])", "(;SZ[9];B[bb])", "(;SZ[9](;AB[aa];W[bb])(;B[bb]))"),
        ("(;SZ[9];B[bb])", "(;SZ[9]AB[aa];W[bb])", "(;SZ[9](;B[bb])(;AB[aa];W[bb]))"),
        ("(;SZ[9](;B[bb])(;AB[aa];W[bb]))", "(;SZ[9]AB[aa];W[cc])", "(;SZ[9](;B[bb])(;AB[aa](;W[bb])(;W[cc])))"),
    ] {
        let (mut merged, other) = (tree(one), tree(other));
        let before = merged.len();
        let done = merged.merge(&other).unwrap();
        assert_eq!(sgf(&merged), expected, "{one} and {other:?}");
        assert!(merged.len() <= before + done.added + 1, "{one} and {other:?}");
        let done = merged.merge(&other).unwrap();
        assert_eq!((sgf(&merged).as_str(), done.added), (expected, 0), "{one} and {other:?}, again");
    }
}

#[test]
fn a_shared_node_has_the_properties_of_both_games() {
    for (one, other, expected, left) in [
        ("C[x]", "C[x]", "C[x]", 0),
        ("C[x]", "C[y]", "C[x\n\ny]", 0),
        ("C[x\n\ny]", "C[y]", "C[x\n\ny]", 0),
        ("C[]", "C[y]", "C[y]", 0),
        ("C[x]", "C[ ]", "C[x]", 0),
        // A backslash that changes nothing.
        ("C[x\\[y]", "C[x[y]", "C[x\\[y]", 0),
        ("N[x\\y]", "N[xy]", "N[x\\y]", 0),
        ("C[good move]", "C[good]", "C[good move\n\ngood]", 0),
        ("TR[aa]", "TR[bb][aa]CR[cc]", "TR[aa][bb]CR[cc]", 0),
        ("LB[aa:1]", "LB[aa:2][bb:3]", "LB[aa:1][bb:3]", 1),
        ("N[x]", "N[y]", "N[x]", 1),
        ("BL[60]", "BL[60.0]", "BL[60]", 0),
        ("BL[60]", "BL[61]OB[3]", "BL[60]OB[3]", 1),
        ("DD[]", "DD[aa]", "DD[]", 1),
        ("BM[1]", "TE[1]", "BM[1]", 1),
        ("DM[1]", "UC[1]BM[2]", "DM[1]BM[2]", 1),
        ("XX[1]", "XX[2]YY[3]", "XX[1]YY[3]", 1),
    ] {
        let node = |properties: &str| tree(&format!("(;GM[1];B[dd]{properties})"));
        let mut merged = node(one);
        let done = merged.merge(&node(other)).unwrap();
        assert_eq!(merged, node(expected), "{one} and {other}");
        assert_eq!((done.added, done.left.len()), (0, left), "{one} and {other}");
    }
}

#[test]
fn what_is_left_out_is_listed() {
    let mut merged = tree("(;GM[1]XX[1];B[dd]N[x]BM[1]LB[aa:1][cc:x])");
    let done = merged.merge(&tree("(;GM[1]XX[2];B[dd]N[y]TE[1]LB[aa:2][bb:3])")).unwrap();
    let left = done.left.iter().map(|left| {
        let text = |value: &[u8]| String::from_utf8_lossy(value).into_owned();
        let kept: Vec<_> = left.kept.iter().map(|kept| text(kept)).collect();
        format!("{} {}[{}] {}{kept:?}", left.node, left.ident, text(&left.value), left.kept_ident)
    });
    assert_eq!(
        left.collect::<Vec<_>>(),
        // Of labels, the one that is in the way: all of them for each value would be quadratic.
        [r#"0 XX[2] XX["1"]"#, r#"1 N[y] N["x"]"#, r#"1 TE[1] BM["1"]"#, r#"1 LB[aa:2] LB["aa:1"]"#,]
    );
}

/// FF[4] wants the number of handicap stones in the node with the stones.
#[test]
fn a_handicap_stays_with_its_stones() {
    for (one, other, expected, left) in [
        (
            "(;GM[1]HA[2]AB[dd][pp]PB[a];W[aa])",
            "(;GM[1]HA[2]AB[pp][dd]PB[b];W[bb])",
            "(;GM[1]HA[2]AB[dd][pp](;W[aa]PB[a])(;W[bb]PB[b]))",
            0,
        ),
        (
            "(;GM[1]AB[dd][pp]PB[a];W[aa])",
            "(;GM[1]HA[2]AB[pp][dd]PB[b];W[bb])",
            "(;GM[1]AB[dd][pp]HA[2](;W[aa]PB[a])(;W[bb]PB[b]))",
            0,
        ),
        ("(;GM[1]HA[2]AB[dd];W[aa])", "(;GM[1]HA[3]AB[dd];W[aa])", "(;GM[1]HA[2]AB[dd];W[aa])", 1),
        ("(;GM[1];AB[cc][dd]HA[2])", "(;GM[1]HA[3];AB[cc][dd])", "(;GM[1];AB[cc][dd]HA[2])", 1),
        // Stones that White shall place, or Black: the number tells the games apart.
        ("(;GM[1]HA[2];W[aa])", "(;GM[1]HA[3];W[bb])", "(;GM[1](;W[aa]HA[2])(;W[bb]HA[3]))", 0),
        (
            "(;GM[1]HA[2]AB[dd];W[aa])",
            "(;GM[1]HA[2]AB[cc];W[bb])",
            "(;GM[1](;HA[2]AB[dd];W[aa])(;HA[2]AB[cc];W[bb]))",
            0,
        ),
    ] {
        let (mut merged, other) = (tree(one), tree(other));
        let done = merged.merge(&other).unwrap();
        assert_eq!((sgf(&merged).as_str(), done.left.len()), (expected, left));
        for again in [&tree(one), &other] {
            assert_eq!(merged.merge(again).unwrap().added, 0);
            assert_eq!(sgf(&merged), expected);
        }
    }
}

/// What a first merge writes, a second one finds.
#[test]
fn to_merge_again_changes_nothing() {
    for (one, other, expected) in [
        // Game info of a line in two nodes, the last of which a later game moves.
        (
            "(;GM[1]PB[a];B[aa]DT[1];W[bb])",
            "(;GM[1]PB[a];B[aa]DT[2];W[cc])",
            "(;GM[1]PB[a];B[aa](;W[bb]DT[1])(;W[cc]DT[2]))",
        ),
        // The number of White's game is not that of the stones below.
        (
            "(;GM[1]PB[a];AB[cc][dd]HA[2];W[ee])",
            "(;GM[1]PB[a]HA[3];W[ee])",
            "(;GM[1](;AB[cc][dd]HA[2]PB[a];W[ee])(;W[ee]PB[a]HA[3]))",
        ),
        // A number that contradicts that of the stones of its own game.
        (
            "(;GM[1]HA[3];AB[cc][dd]HA[2];W[ee])",
            "(;GM[1]PB[b];B[aa])",
            "(;GM[1](;AB[cc][dd]HA[2][3];W[ee])(;B[aa]PB[b]))",
        ),
        // A node without moves is not an ending of another game, and an ending is not such a node.
        ("(;GM[1]PB[a];B[aa])", "(;GM[1]PB[b];B[aa];C[x])", "(;GM[1];B[aa](;PB[a])(;C[x]PB[b]))"),
        (
            "(;GM[1];B[aa](;PB[a])(;C[x]PB[b]))",
            "(;GM[1];B[aa](;C[y];W[bb]PB[c])(;PB[d]))",
            "(;GM[1];B[aa](;PB[a])(;C[x\n\ny](;PB[b])(;W[bb]PB[c]))(;PB[d]))",
        ),
        ("(;GM[1]PB[a];B[aa];)", "(;GM[1]PB[b];B[aa];W[bb])", "(;GM[1];B[aa](;;PB[a])(;W[bb]PB[b]))"),
        // Handicap stones in the node after the root, as one large server writes them.
        (
            "(;SZ[9]PB[a];B[ee])",
            "(;SZ[9]PB[b]HA[2];AB[cg][gc];W[ee])",
            "(;SZ[9](;B[ee]PB[a])(;AB[cg][gc]PB[b]HA[2];W[ee]))",
        ),
        (
            "(;SZ[9]PB[b]HA[2];AB[cg][gc];W[ee])",
            "(;SZ[9]PB[a];B[ee])",
            "(;SZ[9](;AB[cg][gc]PB[b]HA[2];W[ee])(;B[ee]PB[a]))",
        ),
        (
            "(;SZ[9]HA[2];AB[cg][gc];W[ee])",
            "(;SZ[9]HA[3];AB[cg][gc];W[dd])",
            "(;SZ[9];AB[cg][gc]HA[2](;W[ee])(;W[dd]))",
        ),
        // In FF[3], LT is not game info, but it was that of the first game.
        ("(;PB[a]LT[60];B[ee])", "(;FF[3]PB[b];B[cg])", "(;FF[3](;B[ee]PB[a]LT[60])(;B[cg]PB[b]))"),
    ] {
        let (one, other) = (tree(one), tree(other));
        let mut merged = one.clone();
        merged.merge(&other).unwrap();
        assert_eq!(sgf(&merged), expected);
        for again in [&other, &one, &merged.clone()] {
            assert_eq!(merged.merge(again).unwrap().added, 0, "{again:?}");
            assert_eq!(sgf(&merged), expected, "{again:?}");
        }
    }
}

/// The number of a line is compared with the one that the tree has beside the stones.
#[test]
fn a_handicap_that_is_merged_again_is_not_left_out() {
    let game = tree("(;SZ[9]PB[b]HA[2];AB[cg][gc];W[ee])");
    let mut merged = tree("(;SZ[9]PB[a];B[ee])");
    for _ in 0..2 {
        assert_eq!(merged.merge(&game).unwrap().left, []);
    }
    let other = tree("(;SZ[9]PB[b]HA[3];AB[cg][gc];W[ee])");
    let left = merged.merge(&other).unwrap().left;
    assert_eq!(left.iter().map(|left| &*left.value).collect::<Vec<_>>(), [b"3"]);
}

/// In SGF2 the root has the event in TE. In other nodes, TE judges a move.
#[test]
fn an_event_of_sgf2_stays_in_the_root() {
    let old = "(;GM[1]TE[Castle]PB[x];B[aa]TE[1];W[bb])";
    let mut merged = tree("(;GM[1]PB[y];B[aa]TE[2];W[cc])");
    let done = merged.merge(&tree(old)).unwrap();
    let expected = "(;GM[1]TE[Castle];B[aa]TE[2](;W[cc]PB[y])(;W[bb]PB[x]))";
    assert_eq!((merged, done.left.len()), (tree(expected), 1));
    let mut merged = tree(old);
    let done = merged.merge(&tree("(;GM[1]TE[Title]PB[y];B[aa])")).unwrap();
    assert_eq!(done.left.len(), 1, "the root has another event");
    assert_eq!(merged.root().raw("TE").map(|event| event.as_bytes().to_vec()), Some(b"Castle".to_vec()));
    // Roots with other setup are nodes below a new root, which keeps what only a root may have.
    let mut merged = tree("(;GM[1]TE[Castle]AB[aa])");
    merged.merge(&tree("(;GM[1]AB[bb])")).unwrap();
    assert_eq!(merged, tree("(;GM[1]TE[Castle](;AB[aa])(;AB[bb]))"));
}

#[test]
fn game_info_is_where_a_game_becomes_distinct() {
    for (one, other, expected) in [
        // The same game, with more or less of it.
        ("(;PB[a];B[aa])", "(;PB[a];B[aa])", "(;PB[a];B[aa])"),
        ("(;PB[a];B[aa])", "(;PW[b];B[aa];W[bb])", "(;PB[a]PW[b];B[aa];W[bb])"),
        ("(;GM[1];B[aa]C[x])", "(;GM[1]PB[a];B[aa];W[bb])", "(;GM[1]PB[a];B[aa]C[x];W[bb])"),
        ("(;PB[a];B[aa];W[bb])", "(;GM[1];B[aa];W[cc])", "(;PB[a]GM[1];B[aa](;W[bb])(;W[cc]))"),
        // Two games.
        ("(;GM[1]PB[a];B[aa])", "(;GM[1]PB[b];B[bb])", "(;GM[1](;B[aa]PB[a])(;B[bb]PB[b]))"),
        (
            "(;GM[1]PB[a];B[aa];W[bb];B[cc])",
            "(;GM[1]PB[b];B[aa];W[bb];B[dd])",
            "(;GM[1];B[aa];W[bb](;B[cc]PB[a])(;B[dd]PB[b]))",
        ),
        // One of them has no game info.
        ("(;GM[1];B[aa])", "(;GM[1]PB[b];B[bb])", "(;GM[1](;B[aa])(;B[bb]PB[b]))"),
        // A third game.
        (
            "(;GM[1];B[aa](;W[cc]PB[a])(;W[dd]PB[b]))",
            "(;GM[1]PB[c];B[aa];W[cc];B[dd])",
            "(;GM[1];B[aa](;W[cc](;PB[a])(;B[dd]PB[c]))(;W[dd]PB[b]))",
        ),
        (
            "(;GM[1];B[aa](;W[cc]PB[a];B[ee])(;W[dd]PB[b]))",
            "(;GM[1]PB[c];B[aa];W[cc];B[dd])",
            "(;GM[1];B[aa](;W[cc](;B[ee]PB[a])(;B[dd]PB[c]))(;W[dd]PB[b]))",
        ),
        // A game with variations keeps one copy for each way to leave the other.
        (
            "(;GM[1]PB[a];B[aa](;W[bb])(;W[cc])(;W[dd]))",
            "(;GM[1]PB[b];B[aa];W[cc];B[ee])",
            "(;GM[1];B[aa](;W[bb]PB[a])(;W[cc](;PB[a])(;B[ee]PB[b]))(;W[dd]PB[a]))",
        ),
        // A game that ends within the other gets a node.
        ("(;GM[1]PB[a];B[aa])", "(;GM[1]PB[b];B[aa];W[bb])", "(;GM[1];B[aa](;PB[a])(;W[bb]PB[b]))"),
        ("(;GM[1]PB[a];B[aa];W[bb])", "(;GM[1]PB[b];B[aa])", "(;GM[1];B[aa](;W[bb]PB[a])(;PB[b]))"),
        ("(;GM[1]PB[a];B[aa])", "(;GM[1]PB[b];B[aa])", "(;GM[1];B[aa](;PB[a])(;PB[b]))"),
        // Different roots.
        ("(;SZ[9]PB[a]AB[aa];W[bb])", "(;SZ[9]PB[b];B[bb])", "(;SZ[9](;PB[a]AB[aa];W[bb])(;B[bb]PB[b]))"),
    ] {
        let (mut merged, other) = (tree(one), tree(other));
        merged.merge(&other).unwrap();
        assert_eq!(sgf(&merged), expected, "{one} and {other:?}");
        for again in [&other, &tree(one)] {
            assert_eq!(merged.merge(again).unwrap().added, 0);
            assert_eq!(sgf(&merged), expected, "{one} and {other:?}, and then {again:?}");
        }
    }
}

#[test]
fn other_games_and_boards_are_refused() {
    for (one, other) in [("(;GM[1]SZ[9])", "(;GM[1]SZ[13])"), ("(;GM[11]SZ[19])", "(;GM[1]SZ[19])")] {
        let mut merged = tree(one);
        assert_eq!(merged.merge(&tree(other)), Err(EditError::OtherBoard));
        assert_eq!(sgf(&merged), one);
    }
}

#[test]
fn a_tree_is_split_into_its_lines() {
    for (whole, games) in [
        ("(;GM[1]PB[x])", &["(;GM[1]PB[x])"][..]),
        ("(;GM[1];B[aa](;W[bb]C[1])(;W[cc];B[dd]))", &["(;GM[1];B[aa];W[bb]C[1])", "(;GM[1];B[aa];W[cc];B[dd])"]),
        ("(;GM[1]AB[aa];B[bb]PB[x];W[cc])", &["(;GM[1]AB[aa]PB[x];B[bb];W[cc])"]),
        ("(;GM[1];B[aa](;PB[a])(;W[bb]PB[b]))", &["(;GM[1]PB[a];B[aa])", "(;GM[1]PB[b];B[aa];W[bb])"]),
        // Game info twice is invalid, and nothing is lost.
        ("(;PB[a]DT[1999];B[aa]PB[b]PW[c])", &["(;PB[a][b]DT[1999]PW[c];B[aa])"]),
        // A node that repeats a property.
        ("(;AB[aa]C[x]AB[bb](;B[cc])(;B[dd]))", &["(;AB[aa]C[x]AB[bb];B[cc])", "(;AB[aa]C[x]AB[bb];B[dd])"]),
    ] {
        let whole = tree(whole);
        assert_eq!(whole.split().map(|game| sgf(&game)).collect::<Vec<_>>(), games);
        for game in whole.split() {
            assert_eq!(game.nodes().count(), game.len());
        }
    }
}

/// The game info of a merged game is where it leaves the others.
#[test]
fn a_line_that_is_kept_alone_has_its_game_info_in_the_root() {
    for (whole, main, other) in [
        ("(;GM[1];B[aa](;W[bb]PB[a])(;W[cc]PB[b]C[x]))", "(;GM[1]PB[a];B[aa];W[bb])", "(;GM[1]PB[b];B[aa];W[cc]C[x])"),
        ("(;GM[1];B[aa](;PB[a])(;W[bb]PB[b]))", "(;GM[1]PB[a];B[aa])", "(;GM[1]PB[b];B[aa];W[bb])"),
    ] {
        let mut game = tree(whole);
        let mut line = game.clone();
        line.keep_main_line();
        line.move_game_info_to_root();
        assert_eq!(sgf(&line), main);
        assert_eq!(game.split().map(|game| sgf(&game)).collect::<Vec<_>>(), [main, other]);
        let last = game.leaves().last().unwrap().id();
        game.make_main_line(last).unwrap();
        game.keep_main_line();
        game.move_game_info_to_root();
        assert_eq!(sgf(&game), other);
    }
    // What does not hold for all lines stays.
    let mut game = tree("(;GM[1];B[aa]PB[a](;W[bb]PW[b])(;PW[c]))");
    assert_eq!((game.move_game_info_to_root(), sgf(&game).as_str()), (0, "(;GM[1]PB[a];B[aa](;W[bb]PW[b])(;PW[c]))"));
}

/// A game with variations whose moves are few, so that two of them have many in common. Each game has one name of Black.
#[derive(Clone, Debug)]
struct Book(String);

impl Arbitrary for Book {
    fn arbitrary(random: &mut Gen) -> Self {
        let mut text = String::from("(;GM[1]");
        let mut below = |limit: usize| usize::arbitrary(random) % limit;
        match below(3) {
            0 => {}
            name => text += &format!("PB[{name}]"),
        }
        if below(6) == 0 {
            text += &format!("AB[{}]", ["aa", "bb"][below(2)]);
        }
        let mut depth = 1;
        for _ in 0..below(20) {
            match below(10) {
                0 | 1 if !text.ends_with(')') => {
                    text += "(;";
                    text += &format!("B[{}]", ["aa", "ab", "ba", "bb"][below(4)]);
                    depth += 1;
                }
                2 if depth > 1 => {
                    text += &format!(")(;W[{}]", ["aa", "ab", "ba", "bb"][below(4)]);
                }
                _ if text.ends_with(')') => {}
                3 => text += ";",
                4 if text.ends_with(']') && !text.ends_with("x]") => text += &format!("C[{}x]", below(3)),
                _ => text += &format!(";{}[{}]", ["B", "W"][below(2)], ["aa", "ab", "ba", "bb", ""][below(5)]),
            }
        }
        text += &")".repeat(depth);
        Book(text)
    }
}

/// The moves and setup of a node, as written.
fn step(node: Node<'_>) -> String {
    let is_part = |name: &str| ["AB", "B", "W"].contains(&name);
    node.properties()
        .filter(|property| is_part(&property.ident().name()))
        .map(|property| format!("{property:?}"))
        .collect()
}

/// The moves from the root to a node, without the nodes that have none.
fn line(node: Node<'_>) -> Vec<String> {
    node.path().map(step).filter(|step| !step.is_empty()).collect()
}

/// All lines to all nodes.
fn lines(tree: &GameTree) -> BTreeSet<Vec<String>> {
    tree.nodes().map(line).collect()
}

/// The names of Black on the way to a node.
fn names(node: Node<'_>) -> Vec<String> {
    node.path().flat_map(|node| node.values("PB").map(|name| format!("{name:?}")).collect::<Vec<_>>()).collect()
}

/// The names of the games that end with each line.
fn endings(tree: &GameTree) -> BTreeMap<Vec<String>, BTreeSet<Vec<String>>> {
    let mut endings = BTreeMap::<_, BTreeSet<_>>::new();
    tree.leaves().for_each(|leaf| _ = endings.entry(line(leaf)).or_default().insert(names(leaf)));
    endings
}

fn comments(tree: &GameTree) -> BTreeSet<(Vec<String>, String)> {
    let of = |node: Node<'_>| {
        let texts: Vec<_> = node.text("C").iter().flat_map(|text| text.split("\n\n")).map(str::to_owned).collect();
        texts.into_iter().map(move |text| (line(node), text)).collect::<Vec<_>>()
    };
    tree.nodes().flat_map(of).collect()
}

#[test]
fn a_merged_tree_has_the_lines_and_the_names_of_both_games() {
    fn law(one: Book, other: Book) {
        let (one, other) = (tree(&one.0), tree(&other.0));
        let mut merged = one.clone();
        merged.merge(&other).unwrap();
        let text = sgf(&merged);
        // The root has no moves any more if those of both differ.
        let above = BTreeSet::from([Vec::new()]);
        assert_eq!(&lines(&merged) | &above, &(&lines(&one) | &lines(&other)) | &above, "{text}");
        assert_eq!(comments(&merged), &comments(&one) | &comments(&other), "{text}");
        // Nothing is lost, and no game gets the name of another.
        let (endings_of_one, endings_of_other, all) = (endings(&one), endings(&other), endings(&merged));
        for (line, names) in endings_of_one.iter().chain(&endings_of_other) {
            for name in names.iter().filter(|name| !name.is_empty()) {
                let has_it =
                    |(other, names): (&Vec<String>, &BTreeSet<_>)| other.starts_with(line) && names.contains(name);
                assert!(all.iter().any(has_it), "{line:?} of {name:?}: {text}");
            }
        }
        let name_of = |tree: &GameTree| tree.root().raw("PB").map(|name| format!("{name:?}"));
        let (name_of_one, name_of_other) = (name_of(&one), name_of(&other));
        for (line, names) in all.iter().flat_map(|(line, names)| names.iter().map(move |names| (line, names))) {
            assert!(names.len() <= 1, "{text}");
            let Some(name) = names.first().filter(|_| name_of_one != name_of_other) else { continue };
            let is_of_one = name_of_one.as_ref() == Some(name);
            // A game without a name may be a variation of the one with a name.
            let has_it = if is_of_one {
                name_of_other.is_none() || lines(&one).contains(line)
            } else {
                lines(&other).contains(line)
            };
            assert!(has_it, "{line:?} of {name:?}: {text}");
        }
        let found = sgf_check::check_slice(text.as_bytes());
        assert!(!format!("{found:?}").contains("SecondGameInfo"), "{text}");
        for again in [&one, &other, &merged.clone()] {
            assert_eq!(merged.merge(again).unwrap().added, 0, "{text} and again {again:?}");
            assert_eq!(sgf(&merged), text, "again {again:?}");
        }
        let mut itself = one.clone();
        itself.merge(&one).unwrap();
        assert_eq!(itself, one);
    }
    holds(5000, law as fn(Book, Book));
}

#[test]
fn what_is_split_and_merged_again_has_the_same_lines() {
    fn law(book: Book, other: Book) {
        let mut whole = tree(&book.0);
        whole.merge(&tree(&other.0)).unwrap();
        let games: Vec<GameTree> = whole.split().collect();
        assert_eq!(games.len(), whole.leaves().count());
        for (game, leaf) in games.iter().zip(whole.leaves()) {
            assert!(game.leaves().count() == 1 && game.nodes().skip(1).all(|node| !node.contains("PB")), "{game:?}");
            assert_eq!((line(game.leaves().next().unwrap()), names(game.root())), (line(leaf), names(leaf)));
        }
        let mut again = GameTree::new();
        for game in &games {
            again.merge(game).unwrap();
        }
        assert_eq!((lines(&again), comments(&again)), (lines(&whole), comments(&whole)), "{whole:?} is {again:?}");
    }
    holds(2000, law as fn(Book, Book));
}

/// A book whose nodes may also have handicaps, setup and more game info, and whose root may name a version of FF.
#[derive(Clone, Debug)]
struct Mixed(String);

/// What may follow a part of a book: the last ones are for [`Sparse`] alone.
const MORE: &[&str] = &[
    "LT[60]",
    ";AB[cc][dd]",
    ";AB[cc][dd]HA[2]",
    "DT[2000]",
    "LB[aa:1][bb:2]",
    "LB[bb:3]TR[aa]",
    "PB[1]",
    "PW[2]",
    "DT[2001]",
    "HA[3]",
    ";PB[1]",
    ";PB[2]DT[2000]",
];

/// Returns a book with more properties in one node of some, and in most roots.
fn with_more(random: &mut Gen, more: &[&'static str], one_in: usize) -> String {
    let Book(book) = Book::arbitrary(random);
    let of_roots = [&["HA[2]", "HA[3]", "FF[3]", "FF[4]", "DT[2000]"], more].concat();
    let mut text = String::new();
    for (number, part) in book.split_inclusive(']').enumerate() {
        text += part;
        let (more, pick) = match number {
            0 => (&of_roots[..], usize::arbitrary(random) % (of_roots.len() + 1)),
            _ => (more, usize::arbitrary(random) % one_in),
        };
        text += more.get(pick).unwrap_or(&"");
    }
    text
}

impl Arbitrary for Mixed {
    fn arbitrary(random: &mut Gen) -> Self {
        Mixed(with_more(random, &MORE[..3], 30))
    }
}

/// The oracle knows nodes as they are written, not as they are hashed.
#[test]
fn to_merge_mixed_games_again_changes_nothing_and_loses_no_node() {
    fn law(one: Mixed, other: Mixed) {
        let games = [one, other].map(|game| tree(&game.0));
        let mut merged = games[0].clone();
        for game in &games[1..] {
            merged.merge(game).unwrap();
        }
        let text = sgf(&merged);
        let above = BTreeSet::from([Vec::new()]);
        let all = games.iter().fold(above.clone(), |all, game| &all | &lines(game));
        assert_eq!(&lines(&merged) | &above, all, "{games:?} {text}");
        for again in [&games[1], &merged.clone()] {
            let added = merged.merge(again).unwrap().added;
            assert_eq!((added, sgf(&merged)), (0, text.clone()), "{games:?} and again {again:?}");
        }
        // A merger is the same as one merge after the other.
        let mut merger = Merger::new(games[0].clone());
        games[1..].iter().chain(&games[1..]).for_each(|game| _ = merger.add(game).unwrap());
        assert_eq!(sgf(&merger.finish().0), text, "{games:?}");
    }
    holds(3000, law as fn(Mixed, Mixed));
}

/// Like [`Mixed`], with marks, and with more game info in any node.
#[derive(Clone, Debug)]
struct Sparse(String);

impl Arbitrary for Sparse {
    fn arbitrary(random: &mut Gen) -> Self {
        let text = with_more(random, MORE, 40);
        // No node has a property twice.
        let nodes: Vec<String> = text.split(';').map(without_repeated).collect();
        Sparse(nodes.join(";"))
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        // Without a property, a node or a leaf.
        let game = tree(&self.0);
        let mut smaller = Vec::new();
        for node in game.nodes() {
            for property in
                node.properties().filter(|property| ["GM", "B", "W"].iter().all(|name| property.ident() != *name))
            {
                let mut game = game.clone();
                game.unset(node.id(), &property.ident().name()).unwrap();
                smaller.push(game);
            }
        }
        for node in game.nodes().skip(1) {
            let mut game = game.clone();
            game.remove(node.id()).unwrap();
            smaller.push(game);
        }
        Box::new(smaller.into_iter().map(|game| Sparse(sgf(&game))))
    }
}

/// Returns a node without the properties whose name it already has.
fn without_repeated(node: &str) -> String {
    let mut known = BTreeSet::new();
    let mut is_known = false;
    let parts = node.split_inclusive(']').filter(|part| {
        let name: String = part.chars().take_while(char::is_ascii_uppercase).collect();
        is_known = if name.is_empty() { is_known } else { !known.insert(name) };
        !is_known || part.contains('(') || part.contains(')')
    });
    parts.collect()
}

/// Two to five games.
#[derive(Clone, Debug)]
struct Games(Vec<Sparse>);

impl Arbitrary for Games {
    fn arbitrary(random: &mut Gen) -> Self {
        let count = 2 + usize::arbitrary(random) % 4;
        Games((0..count).map(|_| Sparse::arbitrary(random)).collect())
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let mut smaller = Vec::new();
        for at in 0..self.0.len() {
            if self.0.len() > 2 {
                let mut fewer = self.clone();
                fewer.0.remove(at);
                smaller.push(fewer);
            }
            for game in self.0[at].shrink() {
                let mut games = self.clone();
                games.0[at] = game;
                smaller.push(games);
            }
        }
        Box::new(smaller.into_iter())
    }
}

const INFO: [&str; 5] = ["PB", "PW", "DT", "HA", "LT"];

type Values = BTreeSet<(String, String)>;

/// The values of a node: game info or all other properties. Texts are split into paragraphs.
fn values(node: Node<'_>, is_info: bool) -> Values {
    let properties = node.properties().filter(|property| INFO.contains(&&*property.ident().name()) == is_info);
    let of = |property: sgf_stream::tree::NodeProperty<'_>| {
        let name = property.ident().name().into_owned();
        let values = property.values().map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
        let parts = values.flat_map(|value| value.split("\n\n").map(str::to_owned).collect::<Vec<_>>());
        parts.map(|value| (name.clone(), value)).collect::<Vec<_>>()
    };
    properties.flat_map(of).collect()
}

/// The game info on the way to each leaf.
fn info(tree: &GameTree) -> Vec<(Vec<String>, Values)> {
    let of = |leaf: Node<'_>| (line(leaf), leaf.path().flat_map(|node| values(node, true)).collect());
    tree.leaves().map(of).collect()
}

fn other_values(tree: &GameTree) -> BTreeSet<(Vec<String>, (String, String))> {
    tree.nodes().flat_map(|node| values(node, false).into_iter().map(move |value| (line(node), value))).collect()
}

/// Sparse game info may be united with that of other games, and a later game moves it.
#[test]
fn to_merge_some_games_again_changes_nothing_and_loses_nothing() {
    fn law(Games(games): Games) {
        let games: Vec<GameTree> = games.iter().map(|game| tree(&game.0)).collect();
        let (mut merged, mut left) = (games[0].clone(), Values::new());
        for game in &games[1..] {
            let text = |value: Vec<u8>| String::from_utf8_lossy(&value).into_owned();
            left.extend(merged.merge(game).unwrap().left.into_iter().map(|left| (left.ident, text(left.value))));
        }
        let text = sgf(&merged);
        let above = BTreeSet::from([Vec::new()]);
        let all = games.iter().fold(above.clone(), |all, game| &all | &lines(game));
        assert_eq!(&lines(&merged) | &above, all, "{text}");
        let (infos, others) = (info(&merged), other_values(&merged));
        for game in &games {
            for (line, values) in info(game) {
                let values = &values - &left;
                let has_all =
                    |(other, has): &(Vec<String>, Values)| other.starts_with(&line) && has.is_superset(&values);
                assert!(infos.iter().any(has_all), "{line:?} {values:?} of {game:?}: {text}");
            }
            for value in other_values(game).into_iter().filter(|(_, value)| !left.contains(value)) {
                // Setup of a root may move below it, and other properties of that root stay.
                let is_part = ["AB", "B", "W"].contains(&&*value.1.0);
                let at_root = (Vec::new(), value.1.clone());
                let has_it = is_part || others.contains(&value) || others.contains(&at_root);
                assert!(has_it, "{value:?} of {game:?}: {text}");
            }
        }
        for again in games.iter().chain([&merged.clone()]) {
            let added = merged.merge(again).unwrap().added;
            assert_eq!((added, sgf(&merged)), (0, text.clone()), "{games:?} and again {again:?}");
        }
        // A merger is the same as one merge after the other.
        let mut merger = Merger::new(games[0].clone());
        games[1..].iter().chain(&games).for_each(|game| _ = merger.add(game).unwrap());
        assert_eq!(sgf(&merger.finish().0), text, "{games:?}");
    }
    holds(3000, law as fn(Games));
}
