//! Bad input: what a query can do without, and what ends it.

use std::fs::{self, File};
use std::sync::{Arc, Mutex};

use datafusion::physical_plan::collect;
use sgf_sql::Options;
use sgf_table::Table;

use crate::packed::gzip;
use crate::support::{archive, ask, context, context_of, directory, in_ranges, try_ask};

#[tokio::test]
async fn faulty_games_are_rows() {
    let games = b"(;FF[4]PB[a];B[dd](;FF[4]PB[b]C[open (;FF[4]PB[c])";
    let (_directory, path) = directory(&[("a.sgf", games)]);
    let rows = ask(&context_of(&path, 1), "SELECT black, diagnostic_count > 0 FROM games ORDER BY \"offset\"").await;
    assert_eq!(rows, "a true\nb true\nc false");
    let long = [b"(;PB[a];B[dd]C[".to_vec(), vec![b'x'; 17 << 20], b"])(;PB[b])".to_vec()].concat();
    let (_directory, path) = directory(&[("a.sgf", &long)]);
    let errors = ask(&context_of(&path, 3), "SELECT black, coalesce(error, '-') FROM games ORDER BY 1").await;
    assert_eq!(errors, "a value-too-long\nb -");
}

/// Files that cannot be read, and what is said of them.
#[tokio::test]
async fn the_query_goes_on_without_unreadable_files() {
    let mut cut = gzip(archive(2_000).as_bytes());
    cut.truncate(cut.len() / 2);
    let (_directory, path) = directory(&[
        ("a.sgf", b"(;PB[a])"),
        ("b.sgf", b"no data"),
        ("c.sgf.gz", &cut),
        ("d.sgf", b"7z\xBC\xAF\x27\x1C\0\x04"),
    ]);
    let faults = Arc::new(Mutex::new(Vec::new()));
    let ctx = context(2);
    let told = Arc::clone(&faults);
    let options = Options::new(Table::Games).on_unreadable(move |fault| told.lock().unwrap().push(fault.to_string()));
    let missing = format!("{path}/missing.sgf");
    let table = sgf_sql::SgfTable::new([path.as_str(), &missing, &format!("{path}/*.none")], options.clone()).unwrap();
    ctx.register_table("games", Arc::new(table)).unwrap();
    let rows = ask(&ctx, "SELECT count(*) > 500, count(DISTINCT file) FROM games").await;
    assert_eq!(rows, "true 2", "the rows before damage are there");
    let mut faults = std::mem::take(&mut *faults.lock().unwrap());
    faults.sort();
    let expected = [
        "/*.none: no file matches this pattern",
        "/b.sgf: line 1, column 1 (byte 0): no SGF data",
        "/c.sgf.gz: gzip: the data ends in the middle",
        "/d.sgf: it is a 7-Zip archive",
        "/missing.sgf: No such file or directory",
    ];
    assert_eq!(faults.len(), expected.len(), "{faults:#?}");
    for (fault, expected) in faults.iter().zip(expected) {
        assert!(fault.starts_with(&format!("{path}{expected}")), "{fault}\n{expected}");
    }
    // Without a listener, and in strict mode, the query ends.
    let strict = options.strict(true);
    for options in [Options::new(Table::Games), strict] {
        let ctx = context(1);
        sgf_sql::register(&ctx, "games", &missing, options).unwrap();
        let error = try_ask(&ctx, "SELECT count(*) FROM games").await.unwrap_err().to_string();
        assert!(error.contains("missing.sgf: No such file or directory"), "{error}");
    }
}

#[tokio::test]
async fn a_file_that_became_shorter_ends_the_query() {
    let games = archive(20_000);
    let (_directory, path) = directory(&[("a.sgf", games.as_bytes())]);
    let ctx = context_of(&path, 1);
    let plan = ctx.sql("SELECT max(black) FROM games").await.unwrap().create_physical_plan().await.unwrap();
    File::options().write(true).open(format!("{path}/a.sgf")).unwrap().set_len(games.len() as u64 / 2).unwrap();
    let error = collect(plan, ctx.task_ctx()).await.unwrap_err().to_string();
    assert!(error.contains(&format!("{path}/a.sgf: ")) && error.contains("became shorter"), "{error}");
    // A small file, and one that is gone.
    fs::write(format!("{path}/a.sgf"), "(;PB[a])(;PB[b])").unwrap();
    let plan = ctx.sql("SELECT max(black) FROM games").await.unwrap().create_physical_plan().await.unwrap();
    fs::write(format!("{path}/a.sgf"), "(;PB[a])").unwrap();
    let error = collect(plan, ctx.task_ctx()).await.unwrap_err().to_string();
    assert!(error.contains("a.sgf: the file became shorter"), "{error}");
    let plan = ctx.sql("SELECT max(black) FROM games").await.unwrap().create_physical_plan().await.unwrap();
    fs::remove_file(format!("{path}/a.sgf")).unwrap();
    let error = collect(plan, ctx.task_ctx()).await.unwrap_err().to_string();
    assert!(error.contains("a.sgf: No such file"), "{error}");
}

#[tokio::test]
async fn a_range_that_is_not_in_the_file_is_an_error() {
    let (_directory, path) = directory(&[("a.sgf", b"(;PB[a])")]);
    let ctx = context_of(&path, 1);
    let nothing = in_ranges(&ctx, "games", &["black"], &[0..0, 0..8, 8..8]).await.unwrap();
    assert_eq!(crate::support::text(&nothing), "a", "empty ranges have no games");
    let range = 4..9;
    let error = in_ranges(&ctx, "games", &["black"], &[range]).await.unwrap_err().to_string();
    assert!(error.contains("a.sgf: the byte range 4..9 is beyond the end of the file (8 bytes)"), "{error}");
}

#[tokio::test]
async fn strict_games_end_at_their_first_fault() {
    let (_directory, path) = directory(&[("a.sgf", b"(;FF[4]PB[a])(;FF[4]PB[b]x[];B[dd])(;FF[4]PB[c])")]);
    let ctx = context(4);
    sgf_sql::register(&ctx, "games", &path, Options::new(Table::Games).strict(true)).unwrap();
    let rows = ask(&ctx, "SELECT black, error IS NULL FROM games WHERE black IS NOT NULL ORDER BY \"offset\"").await;
    assert_eq!(rows, "a true\nb false\nc true");
}

#[tokio::test]
async fn files_of_any_name_are_read() {
    let names = [
        "a b.sgf",
        "#1.sgf",
        "a#12",
        "50%.sgf",
        "%41.sgf",
        "囲碁.sgf",
        "q?.sgf",
        "[x].sgf",
        "a;rm -rf $HOME.sgf",
        "'.sgf",
        "x!/y.sgf",
    ];
    let files: Vec<_> = names.iter().map(|name| (*name, &b"(;PB[a])"[..])).collect();
    let (_directory, path) = directory(&files);
    for name in names {
        let ctx = context_of(&format!("{path}/{name}"), 1);
        assert_eq!(ask(&ctx, "SELECT file FROM games").await, format!("{path}/{name}"));
    }
    // One of the names is not that of an SGF file.
    assert_eq!(ask(&context_of(&path, 2), "SELECT count(*) FROM games").await, (names.len() - 1).to_string());
    let by_pattern = context_of(&format!("{path}/*x*"), 2);
    assert_eq!(ask(&by_pattern, "SELECT count(*) FROM games").await, "2");
}
