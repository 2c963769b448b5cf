//! Values of engines in games: each form on its example, and all of them on the games of the corpus.

use std::collections::BTreeMap;

use sgf_stream::Parser;
use sgf_table::analysis::Writer;
use sgf_table::{Table, TableBuilder};

use crate::support::shared;

const COLUMNS: [&str; 4] = ["winrate", "score_lead", "visits", "analysis"];

/// The values of the moves of some bytes.
fn values(bytes: &[u8]) -> Vec<[String; 4]> {
    let parser = Parser::new();
    let (table, mut all) = (TableBuilder::new(&parser, Table::Moves).columns(COLUMNS).unwrap(), Vec::new());
    let mut rows = table.rows(parser.reader(bytes));
    while let Ok(true) = rows.next_game(|row| all.push([0, 1, 2, 3].map(|n| row.cell(n).to_string()))) {}
    all
}

fn of_node(node: &str) -> String {
    let [values] = &values(format!("(;GM[1];{node})").as_bytes())[..] else { panic!("{node}") };
    values.join(" ")
}

#[test]
fn every_writer_is_read_from_its_example() {
    let expected = BTreeMap::from([
        ("katrain", "0.69 -0.5 100 katrain"),
        ("sabaki", "0.3962 -0.87  sabaki"),
        ("lizzie", "0.602 0.8 1200 lizzie"),
        ("cgos", "0.75 6.0 16 cgos"),
        ("katago-comment", "0.75 9.3 600 katago"),
        ("analyze-sgf-comment", "0.3962 -0.87 1015 analyze-sgf"),
        ("katrain-comment", "0.897 9.2  katrain"),
        ("lizzie-comment", "0.523  1200 lizzie"),
    ]);
    let read: BTreeMap<_, _> = Writer::all().map(|writer| (writer.name(), of_node(writer.example()))).collect();
    assert_eq!(read.len(), expected.len());
    for (name, values) in &read {
        assert_eq!(values, expected[name], "{name}");
    }
}

#[test]
fn values_are_black_s() {
    for (node, expected) in [
        // Of the player who moved.
        ("B[dd]LZ[0.7.4 60.2 512\n]", "0.602  512 lizzie"),
        ("W[dd]LZ[0.7.4 60.2 512\n]", "0.398  512 lizzie"),
        ("B[dd]LZ[KataGo 1.4.2 b20 60.2 512 -0.8 14.2\n]", "0.602 0.8 512 lizzie"),
        ("W[dd]LZ2[SAI 60.2 3.4m 1.5 14.2 0.5\n]", "0.398 1.5 3400000 lizzie"),
        (
            "B[dd]CC[{\"winrate\":0.25,\"visits\":0,\"moves\":[{\"move\":\"D4\",\"winrate\":0.9,\"score\":3}\\]}]",
            "0.25 3.0 0 cgos",
        ),
        // Of White.
        ("W[dd]C[1.00 0.00 0.00 32.2 v=32]", "0.0 -32.2 32 katago"),
        ("W[dd]C[0.30 0.30 0.40 0.0 v=32]", "0.5 0.0 32 katago"),
        ("W[dd]C[0.30 0.30 0.40 1.0]", "0.5 -1.0  katago"),
        // Of the player that is named.
        ("W[dd]C[* Win rate: B 54.00%\n* Score lead: B 1.5]", "0.54 1.5  analyze-sgf"),
        ("B[dd]C[Win rate: W 51.3%\nScore: W+0.2]", "0.487 -0.2  katrain"),
        ("B[dd]C[White's winrate: 40.0% (-1.0%)\n(LZ / 512 playouts)]", "0.6  512 lizzie"),
        // Of Black. The first writer counts.
        ("W[dd]SBKV[40]C[* Win rate: B 54.00%\n* Visits: 7]", "0.4  7 sabaki+analyze-sgf"),
        ("W[dd]SBKV[ 40.00 ]", "0.4   sabaki"),
    ] {
        assert_eq!(of_node(node), expected, "{node}");
    }
}

#[test]
fn what_is_no_value_is_null() {
    for node in [
        "B[dd]",
        "B[dd]C[good]",
        "B[dd]C[1 2 3 4]",
        "B[dd]C[0.5 0.5]",
        "B[dd]C[* Win rate: 55.00%]",
        "B[dd]C[Score: B+9.2]",
        "B[dd]SBKV[105]",
        "B[dd]SBKV[x]SBKS[inf]",
        "B[dd]LZ[0.7.4]",
        "B[dd]LZ[]",
        "B[dd]LZ[60.2 512]",
        "B[dd]CC[{]",
        "B[dd]CC[{\"winrate\":\"high\"}]",
        "B[dd]KT[a][b][c]",
        "B[dd]KT[a]",
        "B[dd]KT[][][H4sIAAAAAAAC]",
    ] {
        assert_eq!(of_node(node).trim(), "", "{node}");
    }
}

/// Values belong to the first moves of their nodes, wherever variations and nodes without moves are.
#[test]
fn values_are_those_of_the_node() {
    let game = b"(;GM[1]SBKV[1];SBKV[2];B[dd]SBKV[3];C[x]SBKV[4](;W[pp]SBKV[5]W[qq](;B[cc];W[aa]SBKV[9])(;SBKV[6];B[ee]SBKV[7]))(;W[qq]SBKV[8]))";
    let rates: Vec<String> = values(game).into_iter().map(|[rate, ..]| rate).collect();
    assert_eq!(rates, ["0.03", "0.05", "", "", "0.09"]);
    // A node after a variation is another variation.
    let game = b"(;GM[1];B[dd]SBKV[3](;W[pp]SBKV[5];B[cc]SBKV[6]);W[qq]SBKV[7];B[ee])";
    let rates: Vec<String> = values(game).into_iter().map(|[rate, ..]| rate).collect();
    assert_eq!(rates, ["0.03", "0.05", "0.06"]);
}

/// Prints how many moves of the corpus have values, and whether the last of them know who won.
#[test]
fn last_values_agree_with_the_results_of_the_corpus() {
    let (mut moves, mut right) = (BTreeMap::<String, usize>::new(), BTreeMap::<String, [usize; 2]>::new());
    for path in shared::corpus() {
        let bytes = std::fs::read(path).unwrap();
        let parser = Parser::new();
        let winners = TableBuilder::new(&parser, Table::Games).columns(["winner"]).unwrap();
        let table = TableBuilder::new(&parser, Table::Moves).columns(COLUMNS).unwrap();
        let (mut winners, mut rows) = (winners.rows(parser.reader(&bytes[..])), table.rows(parser.reader(&bytes[..])));
        let (mut winner, mut last) = (String::new(), [const { String::new() }; 4]);
        while let Ok(true) = winners.next_game(|row| winner = row.cell(0).to_string()) {
            last[3].clear();
            let read = rows.next_game(|row| {
                let values = [0, 1, 2, 3].map(|n| row.cell(n).to_string());
                if !values[3].is_empty() {
                    *moves.entry(values[3].clone()).or_default() += 1;
                    last = values;
                }
            });
            if !matches!(read, Ok(true)) {
                break;
            }
            if let (Ok(rate), false) = (last[0].parse::<f64>(), last[3].is_empty() || winner.is_empty()) {
                let is_sure = !(0.1..=0.9).contains(&rate);
                let counts = right.entry(last[3].clone()).or_default();
                counts[0] += usize::from(is_sure && (rate > 0.5) == (winner == "B"));
                counts[1] += usize::from(is_sure && (rate > 0.5) != (winner == "B"));
            }
        }
    }
    println!("moves with values: {moves:?}; games whose last value is right, and wrong: {right:?}");
    let [good, bad] = right.values().fold([0, 0], |[good, bad], counts| [good + counts[0], bad + counts[1]]);
    assert!(good >= 3 * bad, "{right:?}");
}
