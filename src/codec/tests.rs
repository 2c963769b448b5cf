//! Law L6: finding the ends of games takes linear time, for chunks of any size. It is counted, not timed.

use bytes::BytesMut;

use super::game::GameCodec;
use crate::read::parser::Parser;

/// Runs a codec over chunks of `size` bytes; returns the number of bytes scanned.
fn work(bytes: &[u8], size: usize, mut codec: GameCodec) -> u64 {
    let mut src = BytesMut::new();
    for chunk in bytes.chunks(size) {
        src.extend_from_slice(chunk);
        while codec.next(&mut src, false).is_some() {}
    }
    while codec.next(&mut src, true).is_some() {}
    codec.work()
}

/// Checks that framing scans no byte twice. Two scans per byte are too many for usual games, in which only a few
/// bytes are examined again to classify them.
#[test]
fn the_end_of_a_game_is_searched_for_once() {
    let comment = "a long comment, of two lines or so\n".repeat(1000);
    let game = format!("(;FF[4]CA[UTF-8]PB[Shusaku]\n;B[dd]C[{comment}](;W[pp];B[dp])(;W[dp]))\n");
    let moves = format!("(;FF[4]{})\n", ";B[dd];W[pp]\n".repeat(3000));
    let long = format!("(;C[{}])(;B[aa])", "x".repeat(1 << 20));
    for bytes in [game.repeat(10), moves.repeat(10), long] {
        for size in [1, 2, 7, 64, 1000, bytes.len()] {
            for (parser, looks) in [(Parser::new(), 2), (Parser::strict(), 3)] {
                for limit in [1 << 24, 10_000] {
                    let work = work(bytes.as_bytes(), size, parser.clone().max_game_len(limit).game_codec());
                    let most = looks * bytes.len() as u64;
                    assert!(work <= most, "{work} looks at {} bytes, by {size}, {limit}, {parser:?}", bytes.len());
                }
            }
        }
    }
}

/// Checks that malicious input needs only a few scans per byte.
#[test]
fn malicious_input_takes_linear_time() {
    for part in
        ["(", "(;", "\n(", "\n(;", "\n(;FF", "\n(;FF[", "[", "\\", "]", "[]", "(;C[", "(;C[[]", "A", "\n", ")", ";"]
    {
        for head in ["", "(;", "(;C[", "(;CA[Big5]C[\u{fffd}", "(;C[[[[["] {
            let bytes = [head.as_bytes(), &part.as_bytes().repeat(20_000 / part.len())].concat();
            for size in [1, 3, 4096] {
                for limit in [1 << 24, 1000] {
                    let work = work(&bytes, size, Parser::new().max_game_len(limit).game_codec());
                    assert!(work <= 6 * bytes.len() as u64, "{work}: {head}{part}, by {size}, {limit}");
                }
            }
        }
    }
}
