//! `CREATE EXTERNAL TABLE`, and the options of tables.

use sgf_sql::Options;
use sgf_table::Table;

use crate::support::{ask, context, directory, try_ask};

#[tokio::test]
async fn tables_are_created_by_statements() {
    let (_directory, path) =
        directory(&[("d/a.sgf", b"(;PB[a]KK[x];B[dd])"), ("d/b.sgf", b"(;PB[b])"), ("c.sgf", b"(;PB[c])")]);
    let ctx = context(2);
    sgf_sql::register_format(&ctx, Options::new(Table::Games));
    for (name, location, options, query, result) in [
        ("g", format!("'{path}'"), "", "SELECT black FROM g ORDER BY 1", "a\nb\nc"),
        ("m", format!("'{path}/d/'"), "OPTIONS (table 'moves')", "SELECT point FROM m", "dd"),
        ("p", format!("'{path}/d/a.sgf'"), "OPTIONS ('table' 'properties')", "SELECT ident FROM p LIMIT 2", "PB\nKK"),
        ("k", format!("'{path}/*/*.sgf'"), "OPTIONS (columns 'KK, PB_raw')", "SELECT \"KK\" FROM k ORDER BY 1", "x\n"),
        ("u", format!("'file://{path}/d'"), "OPTIONS (charset 'latin1', strict 'true')", "SELECT count(*) FROM u", "2"),
        ("t", format!("('{path}/c.sgf', '{path}/d')"), "", "SELECT black FROM t ORDER BY 1 LIMIT 1", "a"),
        ("x", format!("'{path}'"), "OPTIONS (exclude '{d,b.*}')", "SELECT black FROM x", "c"),
        ("y", format!("'{path}'"), "OPTIONS (exclude '/d/b.*')", "SELECT black FROM y ORDER BY 1", "a\nc"),
    ] {
        let create = format!("CREATE EXTERNAL TABLE {name} STORED AS SGF LOCATION {location} {options}");
        try_ask(&ctx, &create).await.unwrap_or_else(|error| panic!("{create}: {error}"));
        assert_eq!(ask(&ctx, query).await.trim_end(), result.trim_end(), "{query}");
    }
}

#[tokio::test]
async fn wrong_options_are_errors() {
    let ctx = context(1);
    sgf_sql::register_format(&ctx, Options::new(Table::Games));
    for (create, expected) in [
        (
            "g STORED AS SGF LOCATION 'x' OPTIONS (tabel 'moves')",
            "unknown option 'tabel'; did you mean 'table'? (table, columns, charset,",
        ),
        (
            "g STORED AS SGF LOCATION 'x' OPTIONS (table 'move')",
            "unknown table 'move'; did you mean 'moves'? (games, moves or properties)",
        ),
        ("g STORED AS SGF LOCATION 'x' OPTIONS (columns 'kk')", "unknown column 'kk' in table games"),
        (
            "g STORED AS SGF LOCATION 'x' OPTIONS (columns 'blak')",
            "unknown column 'blak' in table games; did you mean 'black'?",
        ),
        ("g STORED AS SGF LOCATION 'x' OPTIONS (charset 'x')", "unknown charset 'x'"),
        ("g STORED AS SGF LOCATION 'x' OPTIONS (strict 'x')", "strict: \"x\" is neither true nor false"),
        ("g STORED AS SGF LOCATION 'x' OPTIONS (follow 'x')", "follow: \"x\" is neither true nor false"),
        ("g STORED AS SGF LOCATION 'x' OPTIONS (exclude '')", "exclude: \"\": the pattern is empty"),
        ("g (black TEXT) STORED AS SGF LOCATION 'x'", "a table of SGF files does not support a list of columns"),
        ("g STORED AS SGF LOCATION 'http://'", "http://: it is not a URL"),
        ("g STORED AS SGF LOCATION 's3://bucket/[.sgf'", "s3://bucket/[.sgf: Pattern syntax error"),
    ] {
        let error = try_ask(&ctx, &format!("CREATE EXTERNAL TABLE {create}")).await.unwrap_err().to_string();
        assert!(error.contains(expected), "{create}: {error}");
    }
    sgf_sql::register(&ctx, "remote", "ftp://example.org/a.sgf", Options::new(Table::Games)).unwrap();
    let error = try_ask(&ctx, "SELECT * FROM remote").await.unwrap_err().to_string();
    assert!(error.contains("no store is registered for ftp"), "{error}");
}
