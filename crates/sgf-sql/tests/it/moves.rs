//! Functions of moves, and the positions of the table `moves`.

use datafusion::prelude::SessionContext;

use crate::support::{ask, context_of, directory, try_ask};

/// An opening, the same turned, one that has its letters but not its moves, a small board, Othello, and no moves.
const GAMES: &[u8] = b"(;PB[a];B[qd];W[dc];B[pq];W[oc])(;PB[b];B[dq];W[cd];B[qp];W[co])(;PB[c];B[aq];W[dc];B[dd])\
    (;PB[d]SZ[9];B[cc];W[gg];B[];W[gc])(;PB[e]GM[2];B[d3])(;PB[f])";

fn games() -> (tempfile::TempDir, SessionContext) {
    let (directory, path) = directory(&[("a.sgf", GAMES)]);
    (directory, context_of(&path, 2))
}

#[tokio::test]
async fn moves_are_found_as_moves() {
    let (_directory, ctx) = games();
    for (moves, black) in [("qddc", "a"), ("dc", "a c"), ("", "a b c d f"), ("gg--", "d"), ("ddqd", ""), ("QD", "")] {
        let query = format!("SELECT black FROM games WHERE has_moves(sgf_moves, '{moves}') ORDER BY 1");
        assert_eq!(ask(&ctx, &query).await.replace('\n', " "), black, "{moves}");
    }
    // The letters are in another game too, across two moves.
    assert_eq!(ask(&ctx, "SELECT count(*) FROM games WHERE sgf_moves LIKE '%qd%'").await, "2");
    let of_two = "SELECT a.black, b.black FROM games a JOIN games b \
         ON has_moves(a.sgf_moves, left(b.sgf_moves, 4)) AND length(b.sgf_moves) > 0 AND a.black <> b.black";
    assert_eq!(ask(&ctx, of_two).await, "");
    assert_eq!(
        ask(&ctx, "SELECT has_moves(NULL, 'qd'), has_moves('qd', NULL), has_moves('qddc', 'dc')").await,
        "  true"
    );
}

#[tokio::test]
async fn openings_are_equal_when_they_are_turned() {
    let (_directory, ctx) = games();
    let query = "SELECT black, canonical_moves(sgf_moves, size_x, size_y, 3) FROM games ORDER BY 1";
    assert_eq!(ask(&ctx, query).await, "a cdpcdq\nb cdpcdq\nc acdqdp\nd ccgg--\ne \nf ");
    assert_eq!(ask(&ctx, "SELECT canonical_moves('qd', 9, 9, 3), canonical_moves('qd', 0, 19, 3)").await, " ");
}

#[tokio::test]
async fn corners_have_the_same_moves_in_all_directions() {
    let (_directory, ctx) = games();
    let query = "SELECT black, corner_moves(sgf_moves, size_x, size_y, 2) FROM games ORDER BY 1";
    assert_eq!(ask(&ctx, query).await, "a [cdec, cd, cd]\nb [cdec, cd, cd]\nc [ac, cddd]\nd [cc, cc, cc]\ne \nf []");
    let joseki = "SELECT unnest(corner_moves(sgf_moves, size_x, size_y, 2)) AS joseki, count(*) FROM games \
         GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 2";
    assert_eq!(ask(&ctx, joseki).await, "cd 4\ncc 3");
    let with = "SELECT black FROM games WHERE array_has(corner_moves(sgf_moves, size_x, size_y, 2), 'cdec') ORDER BY 1";
    assert_eq!(ask(&ctx, with).await, "a\nb");
}

#[tokio::test]
async fn wrong_calls_are_explained() {
    let (_directory, ctx) = games();
    for (call, expected) in [
        ("has_moves(sgf_moves, 'qdq')", "\"qdq\" is not a line of moves; write two letters per move and -- for a pass"),
        ("has_moves(black, '')", "is not a line of moves; write two letters per move"),
        ("has_moves(sgf_moves)", "has_moves has 2 arguments, not 1; write has_moves(sgf_moves, 'qdqc')"),
        ("has_moves(moves, 'qd')", "argument 1 of has_moves is not text; write has_moves(sgf_moves, 'qdqc')"),
        (
            "canonical_moves(sgf_moves, 6)",
            "canonical_moves has 4 arguments, not 2; write canonical_moves(sgf_moves, size_x, size_y, 6)",
        ),
        ("corner_moves(sgf_moves, 19, 19, '6')", "argument 4 of corner_moves is not a whole number"),
        ("corner_moves(sgf_moves, 19, 19, -1)", "-1 is not a number of moves"),
    ] {
        let error = try_ask(&ctx, &format!("SELECT {call} FROM games")).await.unwrap_err().to_string();
        assert!(error.contains(expected), "{call}: {error}");
    }
}

#[tokio::test]
async fn positions_have_hashes() {
    let (_directory, ctx) = games();
    let same = |hash: &str| {
        format!(
            "SELECT count(*) FROM moves a JOIN moves b ON a.{hash} = b.{hash} AND a.\"offset\" < b.\"offset\" WHERE a.ply < 4"
        )
    };
    assert_eq!(ask(&ctx, &same("position_hash")).await, "0");
    // The first three positions of the turned game.
    assert_eq!(ask(&ctx, &same("canonical_position")).await, "3");
    let last = "SELECT count(*) FROM games g JOIN moves m ON g.\"offset\" = m.\"offset\" AND g.move_count = m.ply \
         WHERE g.final_position = m.canonical_position";
    assert_eq!(ask(&ctx, last).await, "4");
}
