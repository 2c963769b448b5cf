//! The examples do what they say, on small archives and on the corpus of `../shared`.
#![cfg(feature = "serde")]

#[path = "../examples/edit_tree.rs"]
#[allow(dead_code)]
mod edit_tree;
#[path = "../examples/full_tree.rs"]
#[allow(dead_code)]
mod full_tree;
#[path = "../examples/headers.rs"]
#[allow(dead_code)]
mod headers;
#[path = "../examples/main_line.rs"]
#[allow(dead_code)]
mod main_line;
mod support;
#[path = "../examples/write_games.rs"]
#[allow(dead_code)]
mod write_games;

use std::fs;

use sgf_stream::Parser;

const ARCHIVE: &[u8] =
    "(;FF[4]GM[1]PB[Shusaku]PW[Gennan]KM[0]DT[1846-09-11]RE[B+2];B[qd]C[the ear-\nreddening game];W[dc]\
                        (;B[pq]C[calm])(;B[oc](;W[pp])(;W[dd]C[bold])))\
                        (;PB[Honinbo [9d\\]]RE[unknown];B[pd];W[])(;PB[cut"
        .as_bytes();

/// What an example writes.
fn written(run: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut out = Vec::new();
    run(&mut out);
    String::from_utf8(out).unwrap()
}

#[test]
fn headers_has_a_line_for_each_game() {
    let out = written(|out| assert_eq!(headers::headers(Parser::new().reader(ARCHIVE), out).unwrap(), 2));
    assert_eq!(out, "1846-09-11\tShusaku\tGennan\t0\tB+2\n?\tHoninbo [9d]\t\t0\t?\n");
}

#[test]
fn main_line_counts_first_moves() {
    let out = written(|out| main_line::first_moves(Parser::new().reader(ARCHIVE), out).unwrap());
    assert_eq!(out, "2 games, 4 stones\npd\t1\nqd\t1\n");
}

#[test]
fn full_tree_prints_comments_at_their_level() {
    let whole = &ARCHIVE[..ARCHIVE.len() - b"(;PB[cut".len()];
    let out = written(|out| full_tree::outline(Parser::new().reader(whole), out).unwrap());
    let lines = "game 0\n  1. qd: the ear-\n    3. pq: calm\n      4. dd: bold\ngame 1\n";
    assert_eq!(out, lines);
}

#[test]
fn edit_tree_merges_games() {
    let games = &b"(;PB[a]PW[b]RE[B+R];B[qd];W[dc];B[pq])(;PB[c];B[qd];W[dc];B[oc](;W[cp])(;W[pp]))(;PB[d];W[qd])"[..];
    let merged = edit_tree::merge(Parser::new().reader(games)).unwrap();
    assert_eq!(
        String::from_utf8(merged.to_vec().unwrap()).unwrap(),
        "(;FF[4]CA[UTF-8](;B[qd]C[a – b, B+R];W[dc](;B[pq])(;B[oc]C[c – ?, ?](;W[cp])(;W[pp])))(;W[qd]C[d – ?, ?]))\n"
    );
}

#[test]
fn write_games_writes_what_headers_reads() {
    let lines = &b"Shusaku, Gennan, B+2, qd dc pq\nA] \\ b, \xE5\x9B\xB2, ?, \n"[..];
    let out = written(|out| write_games::write_games(lines, out).unwrap());
    let games = "(;FF[4]GM[1]PB[Shusaku]PW[Gennan]RE[B+2];B[qd];W[dc];B[pq])\n\
                 (;FF[4]GM[1]CA[UTF-8]PB[A\\] \\\\ b]PW[囲]RE[?])\n";
    assert_eq!(out, games);
    let read = written(|out| assert_eq!(headers::headers(Parser::strict().reader(games.as_bytes()), out).unwrap(), 2));
    assert_eq!(read, "?\tShusaku\tGennan\t0\tB+2\n?\tA] \\ b\t囲\t0\t?\n");
    assert!(write_games::write_games(&b"a, b"[..], Vec::new()).is_err());
}

/// Nothing in real files ends an example, but for variations that are deeper than the limit.
#[test]
fn examples_read_real_files() {
    for path in support::shared::corpus() {
        let file = fs::read(&path).unwrap();
        let reader = || Parser::new().reader(&file[..]);
        written(|out| {
            headers::headers(reader(), out).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        });
        written(|out| {
            main_line::first_moves(reader(), out).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        });
    }
}
