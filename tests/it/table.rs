//! Tables: rows do not depend on how they are read (law L14), and cells agree with the readers of values.

use std::collections::{BTreeMap, BTreeSet};
use std::io::BufReader;

use sgf_stream::value::{Dates, GameResult, Grade, Komi, Rank};
use sgf_stream::{Code, OwnedEvent, Parser, property};
use sgf_table::{Cell, Column, ColumnError, PropertyValue, Table, TableBuilder};

use crate::support::generate::Input;
use crate::support::{Rules, games, holds, parse, parser, shared};

/// All rows, as texts.
fn rows<R: std::io::BufRead>(parser: &Parser, names: &[&str], reader: sgf_stream::Reader<R>) -> Vec<Vec<String>> {
    let table = TableBuilder::new(parser, Table::Games).columns(names).unwrap();
    let (mut rows, mut all) = (table.rows(reader), Vec::new());
    loop {
        let read = rows.next_game(|row| all.push((0..row.len()).map(|n| cell(&row.cell(n))).collect()));
        match read {
            Ok(true) => {}
            Ok(false) => return all,
            // Of the whole stream: there are no games, or, in strict mode, there is a fault after the last one.
            Err(error) => assert!(error.as_syntax().is_some(), "{error}"),
        }
    }
}

/// A cell with all that it holds: of a main line, its codes too.
fn cell(cell: &Cell<'_>) -> String {
    format!("{cell}{:?}{}", cell.move_codes(), cell.is_null())
}

fn of_slice(parser: &Parser, names: &[&str], bytes: &[u8]) -> Vec<Vec<String>> {
    rows(parser, names, parser.reader(bytes))
}

fn names() -> Vec<String> {
    let named = Column::all(Table::Games).iter().map(|column| column.name().to_owned()).collect::<Vec<_>>();
    named.into_iter().chain(["PB", "DT", "AB", "XX", "KM_raw"].map(str::to_owned)).collect()
}

/// A cell of the only game of some bytes.
fn one(game: &str, column: &str) -> String {
    let mut cells = Vec::new();
    let table = TableBuilder::new(&Parser::new(), Table::Games).columns([column]).unwrap();
    let mut rows = table.rows(Parser::new().reader(game.as_bytes()));
    while rows.next_game(|row| cells.push(row.cell(0).to_string())).unwrap() {}
    assert_eq!(cells.len(), 1, "{game}");
    cells.remove(0)
}

/// A column of a property has one type, whatever the games and the values are: data frames need that.
#[test]
fn a_column_of_a_property_has_one_type_in_all_games() {
    let values =
        ["", "19", "-7", "007", "1.5", "aa", "aa:bb", "a:b", "B+R", "1968", "five", "375", "aa][bb", "7][8", "{"];
    let mut names: Vec<_> = property::all().iter().map(|row| row.ident()).chain(["XX"]).collect();
    names.sort_unstable();
    names.dedup();
    let table = TableBuilder::new(&Parser::new(), Table::Games).columns(&names).unwrap();
    let mut kinds: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (game, value) in (0..=40_u32).flat_map(|game| values.map(|value| (game, value))) {
        let others = names.iter().filter(|name| !matches!(**name, "GM" | "GK" | "CA"));
        let root: String = others.map(|name| format!("{name}[{value}]")).collect();
        let bytes = format!("(;GM[{game}]{root};C[x])");
        let mut rows = table.rows(Parser::new().reader(bytes.as_bytes()));
        let is_game = rows.next_game(|row| {
            for (n, name) in names.iter().enumerate() {
                let kind = match row.cell(n) {
                    Cell::Null => continue,
                    Cell::Property(PropertyValue::Number(_)) => "number",
                    Cell::Property(PropertyValue::Real(_)) => "real",
                    Cell::Property(PropertyValue::Text(_)) => "text",
                    Cell::Property(PropertyValue::List(_) | PropertyValue::Points(_)) => "list",
                    other => panic!("{name}: {other:?}"),
                };
                kinds.entry(name).or_default().insert(kind);
            }
        });
        assert!(is_game.unwrap(), "{bytes}");
    }
    for (name, kinds) in &kinds {
        assert_eq!(kinds.len(), 1, "{name} is {kinds:?}");
    }
    let kind = |name| kinds[name].first().copied().unwrap();
    assert_eq!(
        ["SZ", "KM", "HA", "RE", "DT", "PB", "AB", "XX", "FF"].map(kind),
        ["text", "real", "number", "text", "text", "text", "list", "list", "number"]
    );
}

#[test]
fn cells_are_read_as_people_write_them() {
    for (game, column, expected) in [
        ("(;FF[4])", "black", ""),
        ("(;PB[a\\]b\nc])", "black", "a]b c"),
        ("(;BR[9 dan])", "black_rank_n", "9"),
        ("(;BR[9p])", "black_rank_n", "9"),
        ("(;WR[1k])", "white_rank_n", "0"),
        ("(;WR[15 kyu?])", "white_rank_n", "-14"),
        ("(;WR[insei])", "white_rank_n", ""),
        ("(;WR[insei])", "white_rank", "insei"),
        ("(;DT[1846-09-11,14])", "date", "1846-09-11"),
        ("(;DT[1846-09-11,14])", "date_to", "1846-09-14"),
        ("(;DT[1846-09-11,14])", "dates", "1846-09-11 1846-09-14"),
        ("(;DT[1846-02])", "date_to", "1846-02-28"),
        ("(;DT[1846])", "date", "1846-01-01"),
        ("(;DT[1846])", "date_to", "1846-12-31"),
        ("(;DT[1846-09-11,14])", "date_precision", "day"),
        ("(;DT[1846-09,10])", "date_precision", "month"),
        ("(;DT[1846])", "date_precision", "year"),
        ("(;DT[1660s])", "date_precision", "decade"),
        ("(;DT[1660-1669])", "date_precision", "decade"),
        ("(;DT[1832-40])", "date_precision", "years"),
        ("(;DT[1660,1669])", "date_precision", "years"),
        ("(;DT[1846-12-31,1847-01-01])", "date_precision", "day"),
        ("(;DT[spring])", "date_precision", ""),
        ("(;DT[1832-40])", "date", "1832-01-01"),
        ("(;DT[1832-40])", "date_to", "1840-12-31"),
        ("(;DT[Summer 1857])", "date_precision", "year"),
        ("(;DT[]RD[2007-05])", "date_precision", "month"),
        ("(;DT[]RD[2007-05-01])", "date", "2007-05-01"),
        ("(;DT[]RD[2007-05-01])", "date_text", "2007-05-01"),
        // Dates are also dates in other properties.
        ("(;RD[2007/5/1 ])", "RD", "2007-05-01"),
        ("(;DT[spring])", "date", ""),
        ("(;DT[spring])", "date_text", "spring"),
        ("(;RE[White wins by 3.5 points])", "winner", "W"),
        ("(;RE[White wins by 3.5 points])", "margin", "3.5"),
        ("(;RE[White wins by 3.5 points])", "result", "points"),
        ("(;RE[B+])", "result", ""),
        ("(;RE[B+])", "winner", "B"),
        ("(;RE[Jigo])", "result", "draw"),
        ("(;RE[Jigo])", "winner", ""),
        ("(;RE[?])", "result", "unknown"),
        ("(;RE[B+R])", "result", "resign"),
        ("(;KM[375]RU[Chinese])", "komi", "7.5"),
        ("(;KM[6,5])", "komi_text", "6,5"),
        ("(;HA[호선 - 6집 반 공제])", "komi", "6.5"),
        ("(;HA[호선 - 6집 반 공제])", "handicap", "0"),
        ("(;KM[123456])", "komi", ""),
        ("(;SZ[19:13])", "size_x", "19"),
        ("(;SZ[19:13])", "size_y", "13"),
        ("(;)", "size_x", "19"),
        ("(;GM[11])", "game_type", "Hex"),
        ("(;)", "game_type", "Go"),
        ("(;RU[japanese])", "rules", "Japanese"),
        ("(;RU[japanese])", "rules_text", "japanese"),
        ("(;TM[1h])", "main_time_text", "1h"),
        ("(;TM[3600])", "main_time", "3600.0"),
        ("(;OT[5x30 byo-yomi])", "overtime", "byoyomi"),
        ("(;OT[5x30 byo-yomi])", "overtime_count", "5"),
        ("(;OT[5x30 byo-yomi])", "overtime_seconds", "30.0"),
        ("(;OT[strange])", "overtime", ""),
        ("(;OT[strange]TM[10분40초3회])", "overtime", ""),
        ("(;TM[10분40초3회])", "overtime", "byoyomi"),
        ("(;TM[10분40초3회])", "overtime_count", "3"),
        ("(;TM[10분40초3회])", "overtime_seconds", "40.0"),
        ("(;TM[10분40초3회])", "overtime_text", ""),
        ("(;TM[10분40초3회])", "main_time", "600.0"),
        ("(;BR[초단])", "black_rank_n", "1"),
        ("(;BR[9p, Honinbo])", "black_rank_n", "9"),
        ("(;RE[W+IllegalMoveError])", "winner", "W"),
        ("(;OT[strange])", "overtime_text", "strange"),
        ("(;B[aa];W[bb](;B[cc])(;B[dd];W[ee]))", "move_count", "3"),
        ("(;B[aa];W[bb](;B[cc])(;B[dd];W[ee]))", "node_count", "5"),
        ("(;B[aa];W[bb](;B[cc])(;B[dd];W[ee]))", "variation_count", "1"),
        ("(;B[aa];W[bb](;B[cc])(;B[dd];W[ee]))", "sgf_moves", "aabbcc"),
        ("(;W[tt]B[];B[pass];B[Q16];B[zz];C[ab];B[dd])", "sgf_moves", "------pddd"),
        ("(;W[aa]B[bb]W[cc];B[dd]W[ee]B[ff])", "moves", "W[aa] B[bb] W[cc] B[dd] W[ee] B[ff]"),
        ("(;SZ[21];B[tt];W[uu])", "sgf_moves", "ttuu"),
        ("(;GM[11];B[a1];W[swap-pieces];B[C4];W[ge])", "sgf_moves", "aa--cdge"),
        ("(;GM[9];B[a1])", "sgf_moves", ""),
        ("(;GM[11];B[a1];W[swap-pieces])", "moves", "B[a1] W[swap-pieces]"),
        ("(;C[root];B[aa]C[b];C[ab](;W[bb]C[c])(;W[cc];C[xy]))", "comment_count", "5"),
        ("(;AB[aa][bb:cc]AW[dd];AW[ee](;AB[ff])(;AB[gg]))", "setup_count", "9"),
        ("(;B[aa] junk;W[bb])", "diagnostic_count", "1"),
        ("(;B[aa] junk;W[bb])", "error", "junk-in-tree"),
        ("(;PB[a][b])", "PB", "a"),
        ("(;PB[a][b])", "PB_raw", "[a][b]"),
        ("(;XX[a][b])", "XX", "[\"a\",\"b\"]"),
        ("(;FF[4])", "length", "8"),
        (" (;FF[4]", "offset", "1"),
        (" (;FF[4]", "length", "7"),
    ] {
        assert_eq!(one(game, column), expected, "{column} of {game}");
    }
}

#[test]
fn moves_are_numbers_from_the_top_left_corner() {
    let game = b"(;SZ[9:5]B[ab];W[ie];B[];W[tt];B[jj];W[aA]B[aa])";
    let mut codes = Vec::new();
    let table = TableBuilder::new(&Parser::new(), Table::Games).columns(["moves"]).unwrap();
    table.rows(Parser::new().reader(&game[..])).next_game(|row| codes.push(row.cell(0).move_codes())).unwrap();
    // Black at (0, 1), white at (8, 4), two passes; two moves are not on the board.
    assert_eq!(codes, [Some(vec![9, 0x8000 | 44, 0x7FFF, 0xFFFF, 0])]);
    codes.clear();
    let hex =
        b"(;GM[11]SZ[9:5];B[b1];W[swap-pieces];B[i5];W[ab];B[swap];W[zz];B[swap-sides];W[pass];B[forfeit];W[resign])";
    table.rows(Parser::new().reader(&hex[..])).next_game(|row| codes.push(row.cell(0).move_codes())).unwrap();
    assert_eq!(codes, [Some(vec![1, 0xFFFD, 44, 0x8009, 0x7FFD, 0x7FFE, 0xFFFF, 0x7FFB, 0xFFFC])]);
}

#[test]
fn columns_that_are_none_or_twice_are_refused() {
    let table = TableBuilder::new(&Parser::new(), Table::Games);
    for name in ["", "pb", "Black", "PB_text", "PB_", "_raw", "B+", "datum"] {
        let error = table.clone().columns([name]).unwrap_err();
        assert_eq!(error.to_string(), format!("unknown column {name:?} of games; `Column::all` lists them"));
        assert!(matches!(error, ColumnError::Unknown { expected, .. } if expected.starts_with("file, offset, ")));
    }
    assert_eq!(table.columns(["PB", "date", "PB"]).unwrap_err(), ColumnError::Twice("PB".to_owned()));
}

#[test]
fn faulty_games_are_rows_with_the_first_fault() {
    let long = "x".repeat(40);
    let games = format!("(;PB[a]C[{long}])(;PB[b];C[{long}](;C[{long}])(;))(;PB[c])");
    let parser = Parser::new().max_value_len(32);
    let errors = |columns: &[&str]| of_slice(&parser, columns, games.as_bytes());
    let texts = |rows: Vec<Vec<String>>| rows.into_iter().map(|mut row| row.remove(0)).collect::<Vec<_>>();
    let lost = "value-too-longNonefalse";
    assert_eq!(texts(errors(&["error", "PB"])), [lost, lost, "Nonetrue"]);
    assert_eq!(texts(errors(&["error"])), texts(errors(&["error", "PB"])));
    // In strict mode the first fault is one, and the next game follows.
    let strict = Parser::strict();
    let rows = of_slice(&strict, &["PB", "error", "length"], b"(;PB[a];pw[c];B[dd])(;PB[b])");
    assert_eq!(rows[0][0], "aNonefalse");
    assert_ne!(rows[0][1], "Nonetrue");
    assert_eq!((&rows[0][2][..2], &rows[1][0][..1], &rows[1][1][..]), ("20", "b", "Nonetrue"));
}

/// Once `error` was null for all but limits, so that a query for whole games returned games without their last value.
#[test]
fn each_syntax_error_that_drops_something_is_an_error_of_the_game() {
    for (game, error) in [
        ("(;B[aa]C[cut off", "unterminated-value"),
        ("(;B[aa]C[cut off\n(;FF[4]GM[1])", "missing-close-bracket"),
        ("(;B[aa];[bb])", "value-without-ident"),
        ("(;B[aa]W;C[a])", "property-without-value"),
        ("(;B[aa]]W[bb])", "junk-in-tree"),
        ("(;B[aa] junk;[bb])", "junk-in-tree"),
        // The limit is what `sgf records` leaves a game out for.
        ("(;B[aa] junk;C[a value that is longer than the limit])", "value-too-long"),
        // Nothing is dropped.
        ("(;B[aa];W[bb]", ""),
        ("(B[aa];White[bb])", ""),
        ("(;B[aa];C[a [1]];W[bb])", ""),
        ("(;PB[a][b])text", ""),
    ] {
        let rows = of_slice(&Parser::new().max_value_len(32), &["error"], game.as_bytes());
        let expected = if error.is_empty() { "Nonetrue".to_owned() } else { format!("{error}Nonefalse") };
        assert_eq!(rows[0][0], expected, "{game}");
    }
}

/// Once such a fault was lost, as it was kept for a game that does not come.
#[test]
fn a_strict_fault_after_the_last_game_is_an_error() {
    for (parser, text, games, code) in [
        (Parser::new(), "hello", 0, Some(Code::NoSgfData)),
        (Parser::strict(), "hello", 0, Some(Code::JunkOutsideTree)),
        (Parser::new(), "(;PB[a])(;PB[b])hello", 2, None),
        (Parser::strict(), "(;PB[a])(;PB[b])hello", 2, Some(Code::JunkOutsideTree)),
        (Parser::strict(), "(;PB[a])hello(;PB[b])", 2, None),
    ] {
        let table = TableBuilder::new(&parser, Table::Games).columns(["PB", "error"]).unwrap();
        let (mut rows, mut count) = (table.rows(parser.reader(text.as_bytes())), 0);
        let end = loop {
            match rows.next_game(|_| count += 1) {
                Ok(true) => {}
                end => break end,
            }
        };
        let found = end.err().and_then(|error| error.as_syntax().map(|error| error.code()));
        assert_eq!((count, found), (games, code), "{text}");
        assert!(!rows.next_game(|_| count += 1).unwrap(), "{text}");
    }
}

/// The law after this one, for a root with more properties than any column reads.
#[test]
fn each_column_is_the_same_alone() {
    let bytes =
        b"(;FF[4]GM[1]SZ[9]AB[aa][bb]PB[x]PW[y]KM[6.5]HA[2]RE[B+R]DT[2025]XX[y]YY[z];B[cc];W[dd]C[c](;B[ee])(;B[ff]))";
    let names = names();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let [whole] = &of_slice(&Parser::new(), &names, bytes)[..] else { panic!() };
    for (name, among) in names.iter().zip(whole) {
        assert_eq!(of_slice(&Parser::new(), &[name], bytes), [[among.clone()]], "{name}");
    }
}

#[test]
fn rows_do_not_depend_on_chunks_nor_columns_on_each_other() {
    fn law(inputs: Vec<Input>, rules: Rules, chunk: u8, pick: usize) {
        let bytes: Vec<u8> = inputs.into_iter().take(4).flat_map(|Input(bytes)| bytes).collect();
        let parser = parser(&rules);
        let names = names();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let whole = of_slice(&parser, &names, &bytes);
        let chunks = BufReader::with_capacity(usize::from(chunk) % 16 + 1, &bytes[..]);
        assert_eq!(rows(&parser, &names, parser.reader(chunks)), whole);
        let column = pick % names.len();
        let alone: Vec<String> = of_slice(&parser, &[names[column]], &bytes).into_iter().flatten().collect();
        let among: Vec<String> = whole.into_iter().map(|mut row| row.swap_remove(column)).collect();
        assert_eq!(alone, among, "{}", names[column]);
    }
    holds(400, law as fn(Vec<Input>, Rules, u8, usize));
}

/// `black` alone and among all columns, and the charset, of a game.
#[cfg(feature = "charset")]
fn black_and_charset(parser: &Parser, game: &[u8]) -> (String, String) {
    let names = names();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let whole = of_slice(parser, &names, game).swap_remove(0);
    let of = |name: &str| whole[names.iter().position(|known| *known == name).unwrap()].clone();
    for name in ["black", "charset", "error"] {
        assert_eq!(of_slice(parser, &[name], game), [[of(name)]], "{name} of {}", game.escape_ascii());
    }
    (of("black"), of("charset"))
}

#[test]
fn the_guide_lists_all_columns() {
    let page = include_str!("../../crates/sgf-guide/src/tables.md");
    let listed: Vec<&str> =
        page.lines().filter(|line| line.starts_with("| `") && line.split(" | ").count() == 3).collect();
    let row = |column: &Column| {
        format!(
            "| `{}` | {} | {} |",
            column.name(),
            column.column_type().name(),
            column.meaning().replace("FF[4]", r"FF\[4\]")
        )
    };
    let all: Vec<String> = [Table::Games, Table::Moves, Table::Properties]
        .into_iter()
        .flat_map(Column::all)
        .map(|column| row(&column))
        .collect();
    let missing: Vec<_> = all.iter().filter(|row| !listed.contains(&row.as_str())).collect();
    assert_eq!(missing, Vec::<&String>::new(), "crates/sgf-guide/src/tables.md lacks these rows");
    let start = listed.iter().position(|row| *row == all[0]).unwrap();
    assert_eq!(listed[start..], all);
}

#[test]
fn values_in_parts_are_whole() {
    let parser = Parser::new().max_value_len(4).value_parts(true);
    let game = b"(;GM[     11]SZ[       13:9]PB[Shusaku]XX[       \xE7\xA7\x80];B[c3])";
    let names = ["game_type", "size_x", "size_y", "black", "XX"];
    let cells = of_slice(&parser, &names, game);
    assert_eq!(cells, of_slice(&Parser::new(), &names, game));
    assert!(cells[0][0].starts_with("Hex"), "{cells:?}");
}

#[test]
fn properties_of_one_name_bit_are_told_apart() {
    let bit = |[first, second]: [u8; 2]| (2 * u32::from(first) + 29 * u32::from(second)) % 64;
    let letters = || b'A'..=b'Z';
    let all = letters().flat_map(|first| letters().map(move |second| [first, second]));
    let same = all.filter(|&name| bit(name) == bit(*b"PB")).map(|name| name.map(char::from));
    let same: Vec<String> = same.map(|name| name.iter().collect()).collect();
    let columns: Vec<&str> = same.iter().map(String::as_str).collect();
    assert!(columns.len() > 8);
    for count in 1..=columns.len() {
        let game: String = columns[..count].iter().map(|name| format!("{name}[{name}]")).collect();
        let cells = of_slice(&Parser::new(), &columns, format!("(;{game}SZ[13];B[aa])").as_bytes());
        for (n, (cell, column)) in cells[0].iter().zip(&columns).enumerate() {
            assert_eq!(cell.starts_with(column), n < count, "{column} of {game}: {cell}");
        }
    }
}

#[test]
#[cfg(feature = "charset")]
fn values_that_no_column_shows_tell_the_charset_and_count() {
    use sgf_stream::charset::Decoding;

    let detecting = Parser::new().charset(Decoding::new());
    let names: [&[u8]; 5] = [
        b"\xCE\xA7\xC6\xE5\xCA\xC7\xD2\xBB\xD6\xD6\xB2\xDF\xC2\xD4\xC6\xE5\xC0\xE0\xD3\xCE\xCF\xB7",
        b"\x1B$B0O8k\x1B(B",
        b"~{<:Ky2;R*~}",
        b"\x82\xA2\x82\xB2\x82\xCC\x91\xE5\x89\xEF",
        b"plain",
    ];
    let mut charsets = Vec::new();
    for name in names {
        let game = [b"(;GM[1]GN[game][", name, b"]EV[x]PB[\xB9\xFE][b]PC[y];B[aa])"].concat();
        let (black, charset) = black_and_charset(&detecting, &game);
        assert!(!black.is_empty());
        charsets.push(charset);
    }
    charsets.sort();
    charsets.dedup();
    assert!(charsets.len() >= 3, "{charsets:?}");
    // Of a root that is too long, the part that is read does not depend on what is shown of it.
    for room in 0..300 {
        black_and_charset(&Parser::new().max_node_len(room), b"(;GM[1]GN[game][n]EV[x][y][z]PB[b]PC[y];B[aa])");
    }
}

#[test]
fn every_game_is_a_row() {
    fn law(inputs: Vec<Input>, rules: Rules) {
        let rules = Rules { strict: false, ..rules };
        let bytes: Vec<u8> = inputs.into_iter().take(4).flat_map(|Input(bytes)| bytes).collect();
        let parser = parser(&rules);
        let offsets: Vec<String> =
            games(&parse(&bytes, &parser).events).into_iter().map(|game| format!("{}Nonefalse", game[0].0)).collect();
        for more in ["offset", "sgf_moves", "node_count"] {
            let names = if more == "offset" { vec!["offset"] } else { vec!["offset", more] };
            let rows = of_slice(&parser, &names, &bytes);
            assert_eq!(rows.into_iter().map(|mut row| row.swap_remove(0)).collect::<Vec<_>>(), offsets, "{more}");
        }
    }
    holds(400, law as fn(Vec<Input>, Rules));
}

#[test]
fn typed_cells_agree_with_the_readers_of_values_over_the_corpus() {
    let corpus = shared::corpus();
    if corpus.is_empty() {
        return;
    }
    let columns =
        ["RE_raw", "winner", "margin", "DT_raw", "date", "BR_raw", "black_rank_n", "KM_raw", "komi", "RU_raw"];
    let parser = Parser::new();
    let table = TableBuilder::new(&parser, Table::Games).columns(columns).unwrap();
    let mut typed = [0; 4];
    for path in corpus {
        let bytes = std::fs::read(path).unwrap();
        let mut rows = table.rows(parser.reader(&bytes[..]));
        while let Ok(true) = rows.next_game(|row| {
            let raw = |column: usize| match row.cell(column) {
                Cell::Raw(values) => Some(values[0].as_bytes().to_vec()),
                _ => None,
            };
            let result = raw(0).and_then(|raw| GameResult::parse_lenient(raw).ok());
            let winner = result.and_then(|result| result.winner()).map_or("", |winner| winner.as_str());
            assert_eq!(row.cell(1).to_string(), winner);
            let margin = result.and_then(|result| result.score()).map(|score| score.get());
            assert_eq!(!row.cell(2).is_null(), margin.is_some_and(|margin| margin < 9999.99));
            typed[0] += usize::from(result.is_some());
            let is_date = raw(3).is_some_and(|raw| Dates::parse_lenient(raw).is_ok());
            assert!(is_date <= !row.cell(4).is_null()); // or it is that of RD
            typed[1] += usize::from(is_date);
            let rank = raw(5).and_then(|raw| Rank::parse_lenient(raw).ok());
            if let Some(Rank { number, grade, .. }) = rank {
                let number = i64::from(number);
                let number = if grade == Grade::Kyu { 1 - number } else { number };
                assert_eq!(row.cell(6).to_string(), number.to_string());
            } else {
                // Other values may be titles, `5a`, or ranks that rise on IGS.
                let is_other = raw(5).is_some_and(|raw| raw.ends_with(b"+") || raw == b"Honinbo" || raw == b"5a");
                assert!(is_other || row.cell(6).is_null());
            }
            typed[2] += usize::from(rank.is_some());
            let komi = raw(7).and_then(|raw| Komi::parse_lenient(raw).ok());
            if let (Some(points), true) = (komi.and_then(Komi::points), row.cell(9).is_null()) {
                assert_eq!(row.cell(8).to_string().parse::<f64>().ok(), Some((points * 100.0).round() / 100.0));
                typed[3] += 1;
            }
        }) {}
    }
    assert!(typed.iter().all(|&typed| typed > 1000), "{typed:?}");
}

/// All rows of a table, as texts.
fn all_rows<R: std::io::BufRead>(parser: &Parser, table: Table, reader: sgf_stream::Reader<R>) -> Vec<Vec<String>> {
    let (mut rows, mut all) = (TableBuilder::new(parser, table).rows(reader), Vec::new());
    while let Ok(true) = rows.next_game(|row| all.push((0..row.len()).map(|n| row.cell(n).to_string()).collect())) {}
    all
}

#[test]
fn moves_and_properties_are_those_of_the_events() {
    fn law(inputs: Vec<Input>, rules: Rules, chunk: u8) {
        let rules = Rules { strict: false, ..rules };
        let bytes: Vec<u8> = inputs.into_iter().take(4).flat_map(|Input(bytes)| bytes).collect();
        let parser = parser(&rules);
        let events = parse(&bytes, &parser).events;
        let properties: Vec<String> = events
            .iter()
            .filter(|(_, event)| matches!(event, OwnedEvent::Property(_)))
            .map(|(at, _)| at.to_string())
            .collect();
        let rows = all_rows(&parser, Table::Properties, parser.reader(&bytes[..]));
        assert_eq!(rows.iter().map(|row| row[8].clone()).collect::<Vec<_>>(), properties);
        for table in [Table::Moves, Table::Properties] {
            let chunks = BufReader::with_capacity(usize::from(chunk) % 16 + 1, &bytes[..]);
            let whole = all_rows(&parser, table, parser.reader(&bytes[..]));
            assert!(all_rows(&parser, table, parser.reader(chunks)) == whole, "{table:?}");
        }
        let moves = all_rows(&parser, Table::Moves, parser.reader(&bytes[..]));
        let counts = of_slice(&parser, &["offset", "move_count"], &bytes);
        for game in counts {
            let of_game = moves.iter().filter(|row| game[0] == format!("{}Nonefalse", row[1])).count();
            assert_eq!(game[1], format!("{of_game}Nonefalse"));
        }
    }
    holds(150, law as fn(Vec<Input>, Rules, u8));
}

/// Several comments of a node are one, joined by blank lines as everywhere, and count once. The first move of the node has
/// it, and the first move of each side its time.
#[test]
fn comments_of_a_node_are_one() {
    let game = b"(;C[a]C[b];B[aa]C[c]BL[1]C[][d]W[bb];C[e];W[cc](;C[f]C[g])(;C[h]))";
    let parser = Parser::new();
    let moves = all_rows(&parser, Table::Moves, parser.reader(&game[..]));
    assert!(moves.iter().map(|row| &row[10][..]).eq(["c\n\n\n\nd", "", ""]), "{moves:?}");
    let counts = of_slice(&parser, &["comment_count"], game);
    assert_eq!(counts.len(), 1);
    assert!(counts[0][0].starts_with('5'), "{counts:?}");
    let game = b"(;W[aa]B[bb]B[cc]C[a]BL[1]WL[2])(;B[aa]C[b])";
    let rows = all_rows(&parser, Table::Moves, parser.reader(&game[..]));
    let found: Vec<_> = rows.iter().map(|row| [&row[9][..], &row[10][..]]).collect();
    assert_eq!(found, [["2.0", "a"], ["1.0", ""], ["", ""], ["", "b"]]);
    // The time that this takes, and the memory, grow with the node.
    let long = format!("(;B[aa]{})", "C[x]".repeat(100_000));
    assert_eq!(all_rows(&parser, Table::Moves, parser.reader(long.as_bytes()))[0][10].len(), 3 * 100_000 - 2);
}

#[test]
fn a_game_of_any_length_is_all_rows() {
    let comment = "a long comment ".repeat(20);
    let nodes: String = (0..6_000).map(|n| format!(";B[aa];W[bc]C[{comment}{n}]BL[1]WL[{n}]")).collect();
    let game = format!("(;W[cc]{nodes}(;B[dd]C[last])(;B[ee]))");
    let parser = Parser::new();
    let moves = all_rows(&parser, Table::Moves, parser.reader(game.as_bytes()));
    assert_eq!(moves.len(), 12_002);
    for (row, ply) in moves.iter().zip(1..) {
        assert_eq!(row[3], ply.to_string());
        let (color, point, comment_len) = match ply {
            1 => ("W", "cc", 0),
            12_002 => ("B", "dd", 4),
            ply if ply % 2 == 0 => ("B", "aa", 0),
            ply => ("W", "bc", comment.len() + (ply / 2 - 1).to_string().len()),
        };
        assert_eq!((&row[4][..], &row[8][..], row[10].len()), (color, point, comment_len));
    }
    let properties = all_rows(&parser, Table::Properties, parser.reader(game.as_bytes()));
    assert_eq!(properties.len(), 1 + 6_000 * 5 + 3);
    let last = &properties[properties.len() - 1];
    assert_eq!((&last[3][..], &last[4][..], &last[5][..], &last[6][..]), ("12002", "12000", "B", "ee"));
}

#[cfg(feature = "arrow")]
mod batches {
    use arrow_array::cast::AsArray;
    use arrow_array::types::Int64Type;
    use arrow_array::{Array, ArrayRef, RecordBatch};
    use arrow_schema::ArrowError;
    use sgf_arrow::ArrowTable;

    use super::*;
    use crate::support::split::Short;

    /// All rows of record batches, as texts.
    fn texts(batches: impl Iterator<Item = Result<RecordBatch, ArrowError>>) -> Vec<Vec<String>> {
        let mut all = Vec::new();
        for batch in batches {
            let Ok(batch) = batch else { continue }; // no SGF data
            all.extend((0..batch.num_rows()).map(|row| batch.columns().iter().map(|c| text(c, row)).collect()));
        }
        all
    }

    /// A value, whatever the dictionary or the list that it is in.
    fn text(array: &ArrayRef, row: usize) -> String {
        let one = array.slice(row, 1);
        match one.as_any().downcast_ref::<arrow_array::DictionaryArray<arrow_array::types::Int32Type>>() {
            Some(words) if words.is_valid(0) => {
                let key = words.keys().value(0) as usize;
                format!("{:?}", words.values().slice(key, 1))
            }
            _ if one.is_null(0) => String::new(),
            _ => format!("{one:?}"),
        }
    }

    /// The first cell that differs.
    fn difference(one: &[Vec<String>], other: &[Vec<String>]) -> Option<String> {
        let cells = one.iter().flatten().zip(other.iter().flatten()).enumerate();
        let differs = |(n, (one, other)): (usize, (&String, &String))| format!("cell {n}: {one} and {other}");
        let first = cells.clone().find(|(_, (one, other))| one != other).map(differs);
        first.or_else(|| (one.len() != other.len()).then(|| format!("{} and {} rows", one.len(), other.len())))
    }

    #[test]
    fn rows_do_not_depend_on_batches_ranges_or_threads() {
        fn law(inputs: Vec<Input>, rules: Rules, batch_rows: usize, starts: Vec<u64>) {
            let rules = Rules { strict: false, ..rules };
            let bytes: Vec<u8> = inputs.into_iter().take(6).flat_map(|Input(bytes)| bytes).collect();
            let names: Vec<String> = names().into_iter().filter(|name| name != "game").collect();
            let table =
                ArrowTable::new(TableBuilder::new(&parser(&rules), Table::Games).file("a").columns(&names).unwrap());
            let whole = texts(table.slice(&bytes));
            let in_small_batches = texts(table.clone().batch_rows(batch_rows % 4 + 1).slice(&bytes));
            assert_eq!(difference(&in_small_batches, &whole), None);
            assert_eq!(difference(&texts(table.par_reader(&bytes[..])), &whole), None);

            let len = bytes.len() as u64;
            let mut starts: Vec<u64> = starts.into_iter().map(|start| start % (len + 1)).collect();
            starts.extend([0, len + 1]);
            starts.sort_unstable();
            let source = Short(&bytes);
            let ranges = starts.windows(2).flat_map(|range| texts(table.range(&source, range[0]..range[1]).unwrap()));
            assert_eq!(difference(&ranges.collect::<Vec<_>>(), &whole), None);
            for table in [Table::Moves, Table::Properties] {
                let names: Vec<String> = Column::all(table).iter().map(|column| column.name().to_owned()).collect();
                let names = names.into_iter().filter(|name| name != "game");
                let table =
                    ArrowTable::new(TableBuilder::new(&parser(&rules), table).file("a").columns(names).unwrap());
                let whole = texts(table.slice(&bytes));
                assert_eq!(
                    difference(&texts(table.clone().batch_rows(batch_rows % 4 + 1).par_reader(&bytes[..])), &whole),
                    None
                );
                let ranges =
                    starts.windows(2).flat_map(|range| texts(table.range(&source, range[0]..range[1]).unwrap()));
                assert_eq!(difference(&ranges.collect::<Vec<_>>(), &whole), None);
            }
        }
        holds(40, law as fn(Vec<Input>, Rules, usize, Vec<u64>));
    }

    /// Parts are read without the number of their first game.
    #[test]
    fn games_have_their_numbers_in_whatever_part_they_are() {
        let (short, long) = ("(;FF[4]PB[a];B[dd])\n".repeat(40_000), format!("(;FF[4]C[{}])\n", "x".repeat(4_000_000)));
        let archive = [&short[..], &long, &short].concat();
        let table = ArrowTable::new(
            TableBuilder::new(&Parser::new().max_game_len(1 << 20), Table::Games).columns(["game"]).unwrap(),
        );
        let numbers = |batches: &mut dyn Iterator<Item = Result<RecordBatch, ArrowError>>| -> Vec<_> {
            let numbers = |batch: RecordBatch| batch.column(0).as_primitive::<Int64Type>().values().to_vec();
            batches.flat_map(|batch| numbers(batch.unwrap())).collect()
        };
        let all = numbers(&mut table.par_reader(archive.as_bytes()));
        assert_eq!(all, (0..80_001).collect::<Vec<_>>());
    }

    #[test]
    fn schemas_say_which_table_and_which_version() {
        let schema = ArrowTable::new(TableBuilder::new(&Parser::new(), Table::Games)).schema();
        assert_eq!(schema.metadata()["sgf.table"], "games");
        assert_eq!(schema.metadata()["sgf.schema_version"], sgf_table::SCHEMA_VERSION.to_string());
        assert_eq!(schema.metadata()["sgf.crate_version"], env!("CARGO_PKG_VERSION"));
        assert_eq!(schema.fields().len(), Column::all(Table::Games).len());
    }

    #[test]
    fn the_rows_before_an_error_of_reading_come_first() {
        use std::io::{self, Read};

        struct Failing;
        impl Read for Failing {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("the disk is gone"))
            }
        }

        let table = ArrowTable::new(TableBuilder::new(&Parser::new(), Table::Games).columns(["black"]).unwrap());
        let data = || b"(;PB[a])(;PB[b])(;PB[c]".chain(Failing);
        let one: Vec<_> = table.reader(BufReader::new(data())).collect();
        assert_eq!(one[0].as_ref().unwrap().num_rows(), 2);
        assert!(one[1].as_ref().unwrap_err().to_string().contains("the disk is gone"));
        assert_eq!(one.len(), 2);
        let all: Vec<_> = table.par_reader(data()).collect();
        assert_eq!(all.iter().flatten().map(RecordBatch::num_rows).sum::<usize>(), 2);
        assert!(all.last().unwrap().is_err());
    }
}

/// The hashes of positions that rows of moves have.
fn position_rows(parser: &Parser, game: &[u8]) -> Vec<[String; 4]> {
    let columns = ["ply", "point", "position_hash", "canonical_position"];
    let table = TableBuilder::new(parser, Table::Moves).columns(columns).unwrap();
    let (mut rows, mut all) = (table.rows(parser.reader(game)), Vec::new());
    while let Ok(true) = rows.next_game(|row| all.push([0, 1, 2, 3].map(|column| row.cell(column).to_string()))) {}
    all
}

#[test]
fn rows_of_moves_have_the_position_after_them() {
    use sgf_board::Board;
    let hashes = |game: &str, moves: usize| {
        let board = Board::after(game.as_bytes(), moves).unwrap().unwrap();
        [format!("{:016x}", board.hash()), format!("{:016x}", board.canonical_hash())]
    };
    for game in [
        "(;SZ[9];B[ba];W[aa];B[ab];W[ee];B[])",
        // Moves of the root, whose board is known at its end; setup between moves, and variations.
        "(;B[ba]W[aa]B[ab]SZ[9])",
        "(;B[cc]AB[dd]SZ[9]AB[aa:bb]W[ee])",
        "(;SZ[9]AB[aa:cc]AE[bb];W[bb];AW[hh]AE[aa];B[gg](;W[ff];B[fg])(;W[gf]))",
        "(;SZ[13:9];B[ma];W[ai])",
        "(;SZ[9];B[aa]W[ab];B[bb])",
    ] {
        let rows = position_rows(&Parser::new(), game.as_bytes());
        assert!(rows.len() >= 2, "{game}");
        for (n, [ply, _, hash, canonical]) in (1..).zip(&rows) {
            assert_eq!(ply, &n.to_string());
            if game.contains("AB[dd]SZ") || game.contains("AW[hh]AE[aa]") {
                // Setup comes after the moves before it, so only the last position is that of `Board::after`.
                if n < rows.len() {
                    continue;
                }
            }
            assert_eq!([hash.clone(), canonical.clone()], hashes(game, n), "{game}: {n}");
        }
    }
    // A move that cannot be read has none, and changes nothing; other games than Go have none.
    let rows = position_rows(&Parser::new(), b"(;SZ[9];B[aa];W[zz];B[bb])(;GM[11];B[a1])(;SZ[9];B[aa];B[bb])");
    assert_eq!(rows.iter().map(|row| row[2].is_empty()).collect::<Vec<_>>(), [false, true, false, true, false, false]);
    assert_eq!((&rows[0][2], &rows[2][2]), (&rows[4][2], &rows[5][2]));
}

#[test]
fn the_last_position_is_that_of_the_game() {
    fn law(inputs: Vec<Input>, rules: Rules) {
        let rules = Rules { strict: false, ..rules };
        let bytes: Vec<u8> = inputs.into_iter().take(4).flat_map(|Input(bytes)| bytes).collect();
        let parser = parser(&rules);
        let finals = of_slice(&parser, &["offset", "move_count", "final_position", "setup_count", "error"], &bytes);
        let table =
            TableBuilder::new(&parser, Table::Moves).columns(["offset", "canonical_position", "point"]).unwrap();
        let (mut rows, mut last) = (table.rows(parser.reader(&bytes[..])), std::collections::HashMap::new());
        while let Ok(true) = rows.next_game(|row| {
            if !row.cell(1).is_null() {
                last.insert(cell(&row.cell(0)), cell(&row.cell(1)));
            }
        }) {}
        for game in finals {
            // Setup after the last move changes the position; a node that is too long is not read to its end.
            if let (Some(position), "0Nonefalse", "Nonetrue") = (last.get(&game[0]), &game[3][..], &game[4][..])
                && !bytes.windows(2).any(|bytes| bytes.eq_ignore_ascii_case(b"AE"))
            {
                assert_eq!(*position, game[2], "{}", bytes.escape_ascii());
            }
        }
    }
    holds(400, law as fn(Vec<Input>, Rules));
}

/// A root that is so long that its rows come in parts has its positions in the first of them.
#[test]
fn positions_of_a_long_game_are_those_of_its_parts() {
    let comment = "a long comment ".repeat(20);
    let root: String =
        (0..6_000).map(|n| format!("B[{}{}]C[{comment}]", ['a', 'b', 'c'][n % 3], ['a', 'b'][n % 2])).collect();
    let nodes: String = (0..6_000).map(|n| format!(";W[{}c]C[{comment}{n}]", ['d', 'e'][n % 2])).collect();
    for (game, plain) in [
        (format!("(;{root}SZ[9]{nodes})"), format!("(;{root}SZ[9]{nodes})").replace(&comment, "")),
        (format!("(;SZ[9]{nodes}{nodes})"), format!("(;SZ[9]{nodes}{nodes})").replace(&comment, "")),
    ] {
        let rows = position_rows(&Parser::new(), game.as_bytes());
        assert_eq!(rows.len(), 12_000);
        assert!(rows == position_rows(&Parser::new(), plain.as_bytes()));
        assert!(rows.iter().all(|row| !row[2].is_empty() && !row[3].is_empty()));
    }
}
