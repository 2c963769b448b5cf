//! Law L19: a condition of the command selects the same games as its meaning in SQL.
//!
//! The command and Python test the same conditions against the meaning that the help documents.

use quickcheck::holds;
use sgf_input::{Condition, Conditions, limited};
use sgf_sql::Options;
use sgf_stream::Parser;
use sgf_table::{Column, ColumnType, Table, TableBuilder};

use crate::laws::runtime;
use crate::packed::gzip;
use crate::random::Random;
use crate::support::{ask, context, directory};

/// Root properties and some of their values, of which most games have a few.
const PROPERTIES: [(&str, &[&str]); 16] = [
    ("PB", &["", "Lee Sedol", "O'Brien", "Ann and Bob", "AlphaGo", "\u{5433}\u{6e05}\u{6e90}"]),
    ("PW", &["", "Lee Sedol", "Cho \\] U", "GNU Go"]),
    ("BR", &["", "9p", "3 dan", "12k", "insei", "?"]),
    ("WR", &["5d", "9p", "1 kyu"]),
    ("RE", &["", "B+R", "W+2.5", "W+T", "Draw", "Void", "?", "B+", "W+0.5"]),
    ("DT", &["", "1846-09-11", "1990", "1990-05", "1990-05-01,03", "0019-05-03", "2016-03-15", "never"]),
    ("KM", &["", "0", "6.5", "7.5", "375", "-5.5", "x"]),
    ("HA", &["", "0", "2", "9", "x"]),
    ("RU", &["", "Japanese", "chinese", "AGA"]),
    ("TM", &["", "3600", "0", "1h", "7.5"]),
    ("OT", &["", "5x30 byo-yomi", "25/600 Canadian", "none"]),
    ("EV", &["", "21st Meijin", "0"]),
    ("GM", &["1", "1", "2", "11"]),
    ("SZ", &["9", "19", "13:9", "x"]),
    ("KK", &["", "z", "9"]),
    ("AP", &["CGoban:3", "x", ""]),
];

const LINES: [&str; 5] = ["", ";B[gc];W[gf]", ";B[];W[tt](;B[aa]C[x])(;B[bb])", ";AB[aa][bb]W[cc]B[dd]", ";B[zz]"];

fn game(random: &mut Random) -> String {
    let mut text = "(;FF[4]".to_owned();
    for (ident, values) in PROPERTIES {
        if random.below(3) > 0 {
            text += &format!("{ident}[{}]", random.of(values));
        }
    }
    text + random.of(&LINES) + ")"
}

/// The bytes of a file: games with something wrong between and after them.
fn file(random: &mut Random) -> Vec<u8> {
    let mut text = String::new();
    for _ in 0..1 + random.below(4) {
        text += &game(random);
        text += random.of(&["\n", " junk ", ")", "(;C[open"]);
    }
    text += random.of(&["", "(;PB[cut];B[ee", "(;PB[cut", "\\"]);
    text.into_bytes()
}

/// What a condition says.
struct Asked {
    condition: Condition,
    sql: String,
}

/// The columns that conditions are about: all that have one value, and three properties.
fn columns() -> Vec<Column> {
    let of_file = ["file", "offset", "length", "game", "diagnostic_count", "error"];
    let own = Column::all(Table::Games).into_iter().filter(|column| !of_file.contains(&column.name()));
    let names: Vec<String> =
        own.map(|column| column.name().to_owned()).chain(["PB", "EV", "KK"].map(str::to_owned)).collect();
    let all = TableBuilder::new(&Parser::new(), Table::Games).columns(names).unwrap().column_list().to_vec();
    let has_one = |column: &Column| {
        !matches!(
            column.column_type(),
            ColumnType::Dates | ColumnType::Moves | ColumnType::Hash(_) | ColumnType::Raw | ColumnType::Offset
        )
    };
    all.into_iter().filter(has_one).collect()
}

/// The texts of the cells of a column, in all games of a file.
fn cells(column: &Column, file: &[u8]) -> Vec<String> {
    let parser = limited(Parser::new());
    let table = TableBuilder::new(&parser, Table::Games).columns([column.name()]).unwrap();
    let (mut rows, mut cells) = (table.rows(parser.reader(file)), Vec::new());
    while rows.next_game(|row| cells.push(row.cell(0).to_string())).unwrap_or(false) {}
    cells
}

/// A condition, and the same in the words of SQL. `None` if a condition cannot say that.
fn asked(random: &mut Random, column: &Column, files: &[Vec<u8>]) -> Option<Asked> {
    let name = format!("\"{}\"", column.name());
    let kind = column.column_type();
    let is_text = matches!(kind, ColumnType::Text | ColumnType::Category);
    let missing = if is_text { format!("({name} IS NULL OR {name} = '')") } else { format!("{name} IS NULL") };
    let (text, sql) = match random.below(8) {
        0 => (format!("{}=", column.name()), missing),
        1 => (format!("{} !=", column.name()), format!("NOT {missing}")),
        2 if is_text => {
            let regex = random.of(&["^$", "e", "^[A-Z]", "[0-9]", "'", "B$"]);
            (format!("{}~{regex}", column.name()), format!("regexp_like({name}, '{}')", regex.replace('\'', "''")))
        }
        _ => {
            let mut values: Vec<String> = files.iter().flat_map(|file| cells(column, file)).collect();
            values.extend(["B", "Lee", "1990", "1990-05", "0", "6.5", "3", "z", ""].map(str::to_owned));
            values.retain(|value| !value.contains('\\'));
            let value = random.of(&values);
            let (operator, of_sql) = random.of(&[
                ("=", "="),
                ("==", "="),
                ("!=", "<>"),
                ("<>", "<>"),
                ("<", "<"),
                ("<=", "<="),
                (">", ">"),
                (">=", ">="),
            ]);
            let quoted = format!("'{}'", value.replace('\'', "''"));
            let sql = match (kind, value.len()) {
                (ColumnType::Date, 4) => format!("date_trunc('year', {name}) {of_sql} DATE '{value}-01-01'"),
                (ColumnType::Date, 7) => format!("date_trunc('month', {name}) {of_sql} DATE '{value}-01'"),
                (ColumnType::Date, _) => format!("{name} {of_sql} DATE {quoted}"),
                _ if is_text => format!("{name} {of_sql} {quoted}"),
                _ => format!("{name} {of_sql} {value}"),
            };
            (format!("{} {operator} {quoted}", column.name()), sql)
        }
    };
    // A value that the column never has is refused, which SQL does not do.
    Some(Asked { condition: text.parse().ok()?, sql })
}

#[test]
fn a_condition_selects_what_its_meaning_in_sql_selects() {
    fn law(seed: u64) -> bool {
        let random = &mut Random(seed);
        let files: Vec<Vec<u8>> = (0..3).map(|_| file(random)).collect();
        let (_directory, path) =
            directory(&[("a.sgf", &files[0]), ("b.sgf", &files[1]), ("c.sgf.gz", &gzip(&files[2]))]);
        let ctx = context(1 + random.below(3));
        let options = Options::new(Table::Games).columns(["PB", "EV", "KK"]).unwrap();
        sgf_sql::register(&ctx, "games", &path, options).unwrap();
        let columns = columns();
        for _ in 0..12 {
            let wanted = 1 + random.below(2);
            let asked: Vec<Asked> = (0..wanted)
                .filter_map(|_| {
                    let column = random.of(&columns);
                    asked(random, &column, &files)
                })
                .collect();
            if asked.is_empty() {
                continue;
            }
            let sql: Vec<&str> = asked.iter().map(|asked| asked.sql.as_str()).collect();
            let sql = sql.join(" AND ");
            let conditions = Conditions::new(asked.into_iter().map(|asked| asked.condition).collect());
            let parser = limited(Parser::new());
            let table = TableBuilder::new(&parser, Table::Games).columns(conditions.columns()).unwrap();
            let mut expected = Vec::new();
            for (name, file) in ["a.sgf", "b.sgf", "c.sgf.gz"].iter().zip(&files) {
                let mut rows = table.rows(parser.reader(&file[..]));
                let mut add = |row: &sgf_table::Row<'_>| {
                    if conditions.hold_in(row) {
                        expected.push(format!("{path}/{name} {}", row.offset()));
                    }
                };
                while rows.next_game(&mut add).unwrap_or(false) {}
            }
            let query = format!("SELECT file, \"offset\" FROM games WHERE {sql} ORDER BY 1, 2");
            let found = runtime().block_on(ask(&ctx, &query));
            expected.sort_by_cached_key(|line| {
                let (file, offset) = line.rsplit_once(' ').unwrap();
                (file.to_owned(), offset.parse::<u64>().unwrap())
            });
            let texts: Vec<&str> = conditions.texts().collect();
            assert_eq!(found.lines().collect::<Vec<_>>(), expected, "{texts:?}: {sql}");
        }
        true
    }
    holds(30, law as fn(u64) -> bool);
}
