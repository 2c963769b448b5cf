//! Patterns: the table function `find`, and functions of the column `moves`.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use datafusion::arrow::array::AsArray;
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::DataType;
use datafusion::prelude::SessionContext;
use sgf_search::{Pattern, Place, Search};
use sgf_stream::Parser;
use sgf_table::Table;

use crate::packed::{gzip, tar};
use crate::support::{archive, ask, context, context_of, directory, measured, plan, try_ask};

/// Setup, captures, variations, small boards, another game, and moves on stones and off the board.
const GAMES: &str = "(;PB[a];B[qd];W[dc];B[pq];W[oc])(;PB[b];B[dq];W[cd];B[qp];W[co])(;PB[c]AB[qd][dc]AW[oc];W[pq])\
    (;PB[d]SZ[9];B[cc];W[gg];B[];W[gc](;B[gd];W[hb])(;B[fd];W[ee]))(;PB[e]GM[2];B[d3])(;PB[f])(;PB[g]SZ[9];B[cc](;W[dc];B[db])(;W[db];B[dc]))\
    (;PB[h]SZ[5];B[aa];W[ab];B[bb];W[ba];B[cc];W[aa])(;PB[i]SZ[9];B[cc];W[cc];B[zz];W[dc])(;PB[j]SZ[7:5];B[cc];W[dc];B[cd])";

const PATTERNS: [&str; 6] = [
    "XO",
    "X./.O",
    "(;SZ[9]AB[gc]AW[gg]VW[ea:ii])",
    "(;AB[qd]AW[oc]VW[la:si])",
    "X*/*O/*x",
    "(;SZ[9]AB[cc];W[dc];B[db])",
];

const OPTIONS: [&str; 7] = [
    "",
    "variations",
    "every_place, variations",
    "keep_colors no_symmetries",
    "anywhere,every_place",
    "fixed",
    "empty_rest keep_colors",
];

fn search(pattern: &str, options: &str) -> Search {
    let has = |word| options.contains(word);
    let pattern = Pattern::parse(pattern).unwrap();
    let place = match (has("fixed"), has("anywhere")) {
        (true, _) => Place::Fixed,
        (_, true) => Place::Anywhere,
        _ => Place::BySides,
    };
    Search::new(if has("empty_rest") { pattern.with_empty_rest() } else { pattern })
        .place(place)
        .symmetries(!has("no_symmetries"))
        .swap_colors(!has("keep_colors"))
        .variations(has("variations"))
        .every_place(has("every_place"))
}

/// The rows that a search finds in a file.
fn rows_of(file: &str, games: &str, search: &Search) -> Vec<String> {
    let mut rows = Vec::new();
    let found = search.find(&Parser::new(), games.as_bytes(), |game| {
        for hit in game.hits() {
            let (offset, number, symmetry) = (game.offset(), game.number(), hit.symmetry().index());
            let mut row =
                format!("{file} {offset} {number} {} {} {symmetry} {}", hit.ply(), hit.end_ply(), hit.is_swapped());
            match hit.next() {
                Some(next) => write!(row, " {} {} {} {}", next.color, next.point, next.ply, next.elsewhere).unwrap(),
                None => row += "    ",
            }
            rows.push(row);
        }
    });
    found.unwrap();
    rows
}

fn sorted(mut rows: Vec<String>) -> Vec<String> {
    rows.sort();
    rows
}

async fn lines(ctx: &SessionContext, query: &str) -> Vec<String> {
    sorted(ask(ctx, query).await.lines().map(str::to_owned).collect())
}

#[tokio::test]
async fn hits_are_those_of_a_search() {
    let many = archive(120);
    let (_directory, path) = directory(&[("a.sgf", GAMES.as_bytes()), ("b.sgf", many.as_bytes())]);
    let mut found = 0;
    for pattern in PATTERNS {
        for options in OPTIONS {
            let search = search(pattern, options);
            let files = [("a.sgf", GAMES), ("b.sgf", &many)];
            let expected = files.iter().flat_map(|(name, games)| rows_of(&format!("{path}/{name}"), games, &search));
            let expected = sorted(expected.collect());
            found += expected.len();
            for partitions in [1, 2, 7] {
                let ctx = context_of(&path, partitions);
                let query = format!("SELECT * FROM find('{pattern}', '{options}')");
                assert_eq!(lines(&ctx, &query).await, expected, "{query}, {partitions}");
            }
        }
    }
    assert!(found > 500, "{found}");
}

/// Files of the real world, if they exist.
#[tokio::test]
async fn real_games_have_the_hits_of_a_search() {
    let corpus = Path::new("../../../shared/corpus/unknown");
    if !corpus.exists() {
        println!("{} is not there: nothing is tested", corpus.display());
        return;
    }
    let ctx = context(7);
    let options = sgf_sql::Options::new(Table::Games).on_unreadable(|_| ());
    sgf_sql::register(&ctx, "games", corpus.to_str().unwrap(), options).unwrap();
    for (pattern, words) in [
        ("(;AB[pd]AW[qf]VW[ka:sj])", "empty_rest"),
        ("(;AB[qd]AW[oc];B[pc])", "keep_colors"),
        ("XO/OX", "every_place variations"),
        ("X./.*/.O", "variations"),
        ("X*O/*X*/O*X", "no_symmetries"),
    ] {
        let search = search(pattern, words);
        let found = lines(&ctx, &format!("SELECT DISTINCT file, \"offset\" FROM find('{pattern}', '{words}')")).await;
        let mut expected = Vec::new();
        for file in ask(&ctx, "SELECT DISTINCT file FROM games").await.lines() {
            let games = std::fs::read(file).unwrap();
            // Some files have no games.
            _ = search.find(&Parser::new(), &games, |game| expected.push(format!("{file} {}", game.offset())));
        }
        println!("{pattern}: {} games", expected.len());
        assert!(!expected.is_empty(), "{pattern}: {}", expected.len());
        assert_eq!(found, sorted(expected), "{pattern}");
    }
}

/// L15: the hits that a naive replay found, which the tests of `sgf-search` write with `SGF_HITS=FILE`.
#[tokio::test(flavor = "multi_thread")]
async fn hits_are_those_of_a_naive_replay() {
    let corpus = Path::new("../../../shared/corpus");
    let Some(saved) = std::env::var_os("SGF_HITS").filter(|_| corpus.exists()) else {
        println!("SGF_HITS names no file, or {} is not there: nothing is tested", corpus.display());
        return;
    };
    let saved = std::fs::read_to_string(saved).unwrap();
    let mut saved = saved.lines().peekable();
    let files = tempfile::tempdir().unwrap();
    let mut count = 0;
    while let Some(name) = saved.peek().and_then(|line| line.strip_prefix("file ")) {
        std::fs::copy(corpus.join(name), files.path().join(format!("{count}.sgf"))).unwrap();
        (_, count) = (saved.next(), count + 1);
    }
    let (mut patterns, mut games, mut hits) = (0, 0, 0);
    while let Some(asked) = saved.next() {
        let (pattern, words) = asked.strip_prefix("find ").unwrap().split_once('\t').unwrap();
        let mut expected = BTreeMap::new();
        while let Some((game, hits)) =
            saved.next_if(|line| !line.starts_with("find ")).and_then(|line| line.split_once('\t'))
        {
            expected.insert(game.to_owned(), hits.split(',').map(str::to_owned).collect::<Vec<_>>());
        }
        let ctx = context_of(files.path().to_str().unwrap(), [1, 2, 7][patterns % 3]);
        let found = hits_by_game(&ctx, pattern, words).await;
        for game in expected.keys().chain(found.keys()) {
            assert_eq!(found.get(game), expected.get(game), "find('{pattern}', '{words}'), file and game {game}");
        }
        patterns += 1;
        games += found.len();
        hits += found.values().map(Vec::len).sum::<usize>();
    }
    println!("{count} files, {patterns} patterns: {games} games with hits, {hits} hits");
    assert!(games > patterns, "{games} games, {patterns} patterns");
}

/// The hits of each game, as the tests of `sgf-search` write them.
async fn hits_by_game(ctx: &SessionContext, pattern: &str, words: &str) -> BTreeMap<String, Vec<String>> {
    let query = format!(
        "SELECT concat(split_part(regexp_replace(file, '.*/', ''), '.', 1), ' ', game), \
         concat_ws(' ', ply, symmetry, CAST(swapped AS INT), next_color, next_point, next_ply) \
         FROM find('{pattern}', '{words}')"
    );
    let mut found = BTreeMap::<String, Vec<String>>::new();
    for batch in ctx.sql(&query).await.unwrap().collect().await.unwrap() {
        let text = |column: usize| cast(batch.column(column), &DataType::Utf8).unwrap();
        let (games, hits) = (text(0), text(1));
        for (game, hit) in games.as_string::<i32>().iter().zip(hits.as_string::<i32>()) {
            found.entry(game.unwrap().to_owned()).or_default().push(hit.unwrap().to_owned());
        }
    }
    found.values_mut().for_each(|hits| hits.sort());
    found
}

#[tokio::test]
async fn hits_are_joined_with_games() {
    let packed = gzip(&tar(&[("x.sgf", GAMES.as_bytes())]));
    let (_directory, path) = directory(&[("a.sgf", GAMES.as_bytes()), ("b.tar.gz", &packed)]);
    for partitions in [1, 2, 7] {
        let ctx = context_of(&path, partitions);
        let players = "SELECT black, ply, next_point, end_ply FROM find('XO', 'keep_colors no_symmetries') JOIN games USING (file, \"offset\") ORDER BY 1";
        let of_game = |row: &str| format!("{row}\n{row}");
        assert_eq!(ask(&ctx, players).await, ["g 2  2", "j 2  2"].map(of_game).join("\n"), "{partitions}");
        assert_eq!(
            ask(&ctx, "SELECT count(*) FROM find('XO', 'variations')").await,
            ask(&ctx, "SELECT count(DISTINCT (file, \"offset\")) FROM find('XO', 'variations every_place')").await
        );
        // Conditions and limits are those of a table.
        let number = "SELECT game FROM find('XO') WHERE game = 6 AND file LIKE '%a.sgf'";
        assert_eq!(ask(&ctx, number).await, "6");
        let all: Vec<u64> =
            lines(&ctx, "SELECT \"offset\" FROM find('XO')").await.iter().map(|at| at.parse().unwrap()).collect();
        let some = ask(&ctx, "SELECT count(*) FROM find('XO') WHERE \"offset\" % 2 = 0").await;
        assert_eq!(some, all.iter().filter(|at| *at % 2 == 0).count().to_string());
        assert_eq!(ask(&ctx, "SELECT count(*) FROM (SELECT * FROM find('XO') LIMIT 3)").await, "3");
    }
    // Games that a condition rejects are not searched.
    let ctx = context_of(&path, 1);
    let query = "SELECT ply FROM find('XO') WHERE \"offset\" = 0";
    let (_, counted) = measured(&ctx, query, &["games_examined", "games_skipped"]).await;
    assert_eq!(counted, [20, 18]);
    assert!(plan(&ctx, query).await.contains("table=hits, root filter="));
}

#[tokio::test]
async fn other_tables_are_searched_by_name() {
    let (_directory, path) = directory(&[("a.sgf", GAMES.as_bytes())]);
    let ctx = context(2);
    let error = try_ask(&ctx, "SELECT 1").await;
    assert!(error.is_ok());
    sgf_sql::register_format(&ctx, sgf_sql::Options::new(sgf_table::Table::Games));
    let none = try_ask(&ctx, "SELECT * FROM find('XO')").await.unwrap_err().to_string();
    assert!(none.contains("find: there is no table games"), "{none}");
    let create = format!("CREATE EXTERNAL TABLE plies STORED AS SGF LOCATION '{path}' OPTIONS (table 'moves')");
    ask(&ctx, &create).await;
    let here = ask(&context_of(&path, 1), "SELECT count(*) FROM find('XO', 'variations')").await;
    for query in ["find('XO', 'variations', 'plies')", "find('XO', 'variations', 'public.plies')"] {
        assert_eq!(ask(&ctx, &format!("SELECT count(*) FROM {query}")).await, here);
    }
    let create = format!(
        "CREATE EXTERNAL TABLE hits STORED AS SGF LOCATION '{path}' OPTIONS (find 'XO', find_options 'variations')"
    );
    ask(&ctx, &create).await;
    assert_eq!(ask(&ctx, "SELECT count(*) FROM hits").await, here);
}

/// The games whose moves say all: Go, without setup.
const PLAIN: &str = "FROM games WHERE game_type = 'Go' AND setup_count = 0";

#[tokio::test]
async fn lines_match_where_games_do() {
    let many = archive(120);
    let (_directory, path) = directory(&[("a.sgf", GAMES.as_bytes()), ("b.sgf", many.as_bytes())]);
    let mut found = 0;
    for pattern in PATTERNS {
        for options in ["", "keep_colors", "no_symmetries", "anywhere", "fixed", "empty_rest keep_colors"] {
            for partitions in [1, 2, 7] {
                let ctx = context_of(&path, partitions);
                let of_games = format!(
                    "SELECT file, \"offset\" {PLAIN} AND (file, \"offset\") IN \
                     (SELECT (file, \"offset\") FROM find('{pattern}', '{options}'))"
                );
                let of_games = of_games
                    .replace("(file, \"offset\") IN", "concat(file, ' ', \"offset\") IN")
                    .replace("SELECT (file, \"offset\") FROM", "SELECT concat(file, ' ', \"offset\") FROM");
                let of_lines = format!(
                    "SELECT file, \"offset\" {PLAIN} AND matches(moves, size_x, size_y, '{pattern}', '{options}')"
                );
                let matching = lines(&ctx, &of_lines).await;
                assert_eq!(matching, lines(&ctx, &of_games).await, "{pattern} {options} {partitions}");
                found += matching.len();
            }
        }
    }
    assert!(found > 500, "{found}");
    let ctx = context_of(&path, 2);
    let without =
        "SELECT matches(moves, size_x, size_y, 'XO') FROM games WHERE black = 'e' OR black = 'f' ORDER BY black";
    assert_eq!(ask(&ctx, without).await, "\nfalse");
    assert_eq!(
        ask(&ctx, "SELECT matches([40, 41 + 32768], 9, 9, 'XO'), matches(NULL, 9, 9, 'XO'), matches([1], 0, 9, 'X')")
            .await,
        "true  "
    );
    // A pattern for each row.
    let each = "SELECT p, matches([40, 41 + 32768], 9, 9, p) FROM (VALUES ('XO'), ('X.O'), (NULL)) AS t(p) ORDER BY 1";
    assert_eq!(ask(&ctx, each).await, "X.O false\nXO true\n ");
}

#[tokio::test]
async fn positions_of_lines_have_the_hashes_of_moves() {
    let many = archive(120);
    let (_directory, path) = directory(&[("a.sgf", GAMES.as_bytes()), ("b.sgf", many.as_bytes())]);
    for partitions in [1, 2, 7] {
        let ctx = context_of(&path, partitions);
        for hash in ["position_hash", "canonical_position"] {
            let alike = format!(
                "SELECT count(*), sum(CASE WHEN {hash}(g.moves, size_x, size_y, ply) = m.{hash} THEN 1 ELSE 0 END) \
                 FROM games g JOIN moves m USING (file, \"offset\") WHERE setup_count = 0 AND game_type = 'Go' AND g.black <> 'i'"
            );
            let counts = ask(&ctx, &alike).await;
            let (all, same) = counts.split_once(' ').unwrap();
            assert!(all == same && all.len() == 4, "{counts}");
        }
    }
    let ctx = context_of(&path, 1);
    let last = "SELECT count(*) FROM games WHERE canonical_position(moves, size_x, size_y, array_length(moves)) = final_position";
    assert!(ask(&ctx, last).await.parse::<u32>().unwrap() > 100);
    let other = "SELECT position_hash([0], 9, 9, 2), position_hash([0], 9, 9, -1), position_hash([0], 9, NULL, 1), \
         position_hash([0], 9, 9, 0) = position_hash([32767], 9, 9, 1), position_hash([0], 9, 9, 1) = position_hash([0], 19, 19, 1), \
         canonical_position([0], 9, 9, 1) = canonical_position([8], 9, 9, 1)";
    assert_eq!(ask(&ctx, other).await, "   true false true");
}

#[tokio::test]
async fn wrong_patterns_are_errors_of_the_plan() {
    let (_directory, path) = directory(&[("a.sgf", GAMES.as_bytes())]);
    let ctx = context_of(&path, 1);
    for (query, expected) in [
        ("SELECT * FROM find('')", "find: the diagram has no row"),
        ("SELECT * FROM find('XO/X')", "find: row 2 of the diagram has 1 points, but row 1 has 2"),
        ("SELECT * FROM find('X%')", "find: line 1, column 2 of the diagram: expected X, O"),
        ("SELECT * FROM find('(;AB[pd]AW[pd])')", "find: AB and AW of the pattern both name point pd"),
        (
            "SELECT * FROM find('XO', 'variation')",
            "find: unknown option 'variation'; did you mean 'variations'? (anywhere, ",
        ),
        ("SELECT * FROM find('XO', 'fixed anywhere')", "find: fixed and anywhere contradict each other"),
        ("SELECT * FROM find()", "find: it has 1 to 3 arguments, not 0; write find('pattern', 'options', 'table')"),
        ("SELECT * FROM find(1)", "find: an argument is not a text in quotes"),
        ("SELECT * FROM find('XO', '', 'nothing')", "find: no table of SGF files has the name \"nothing\""),
        (
            "SELECT 1 FROM games WHERE matches(moves, size_x, size_y, '...')",
            "matches: the pattern has no stone and no move",
        ),
        (
            "SELECT 1 FROM games WHERE matches(moves, size_x, size_y, 'XO', 'variations')",
            "matches: a line of moves has no variations; use find('pattern', 'variations')",
        ),
        (
            "SELECT 1 FROM games WHERE matches(moves, 'XO')",
            "matches has 4 or 5 arguments, not 2; write matches(moves, size_x, size_y, 'X./.O')",
        ),
        ("SELECT matches(sgf_moves, size_x, size_y, 'XO') FROM games", "argument 1 of matches is not the column moves"),
        (
            "SELECT position_hash(moves, 3) FROM games",
            "position_hash has 4 arguments, not 2; write position_hash(moves, size_x, size_y, 30)",
        ),
    ] {
        let planned = async { ctx.sql(query).await?.create_physical_plan().await };
        let Err(error) = planned.await else { panic!("{query}") };
        let error = error.to_string();
        assert!(error.contains(expected), "{query}: {error}");
    }
    let error = try_ask(&ctx, "SELECT position_hash([80], 5, 5, 1)").await.unwrap_err().to_string();
    assert!(error.contains("position_hash: 80 is not a move on a board of 5 columns and 5 rows"), "{error}");
}
