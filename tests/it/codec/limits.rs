//! Limits at their edges, and what comes after what is refused.

use bytes::BytesMut;
use sgf_stream::codec::{EventCodec, GameCodec};
use sgf_stream::{Code, OwnedEvent, Parser, SyntaxError};
use tokio_util::codec::Decoder;

use crate::support::codec::decode;

/// The games, and of each error its code and offset.
fn games(bytes: &[u8], sizes: &[usize], mut codec: GameCodec) -> Vec<Result<String, (Code, u64)>> {
    let mut items = Vec::new();
    decode(bytes, sizes, &mut codec, |_, item, _| {
        let game = item.map(|frame| String::from_utf8_lossy(frame.bytes()).into_owned());
        items.push(game.map_err(|error| (error.code(), error.position().offset)));
    });
    items
}

fn ok(game: &str) -> Result<String, (Code, u64)> {
    Ok(game.to_owned())
}

const SIZES: [&[usize]; 5] = [&[1], &[2], &[7, 0, 1], &[64], &[100_000]];

#[test]
fn a_game_of_exactly_the_limit_passes() {
    for parser in [Parser::new(), Parser::strict()] {
        for sizes in SIZES {
            let bytes = b"(;C[0123])(;C[01234])(;)";
            let all = games(bytes, sizes, parser.clone().max_game_len(11).game_codec());
            assert_eq!(all, [ok("(;C[0123])"), ok("(;C[01234])"), ok("(;)")], "{sizes:?}");
            let some = games(bytes, sizes, parser.clone().max_game_len(10).game_codec());
            assert_eq!(some, [ok("(;C[0123])"), Err((Code::GameTooLong, 10)), ok("(;)")], "{sizes:?}");
            let none = games(bytes, sizes, parser.clone().max_game_len(2).game_codec());
            assert_eq!(none, [0, 10, 21].map(|at| Err((Code::GameTooLong, at))), "{sizes:?}");
            let none = games(bytes, sizes, parser.clone().max_game_len(0).game_codec());
            assert_eq!(none, [0, 10, 21].map(|at| Err((Code::GameTooLong, at))), "{sizes:?}");
        }
    }
}

#[test]
fn a_game_that_is_too_long_is_one_error_whatever_else_is_wrong_with_it() {
    let long = "x".repeat(100);
    for (bytes, after) in [
        (format!("(;C[{long}])(;B[aa])"), Some("(;B[aa])")),
        (format!("(;B[aa](;W[bb])(;W[cc]C[{long}](;B[dd])))(;B[aa])"), Some("(;B[aa])")),
        // Its end is missing: the next game begins at the start of a line.
        (format!("(;C[{long}]\n(;FF[4])"), Some("(;FF[4])")),
        (format!("(;C[{long}\n(;FF[4])"), Some("(;FF[4])")),
        // The data end in it.
        (format!("(;C[{long}]"), None),
        (format!("(;C[{long}"), None),
        (format!("(;C[{long}]("), None),
    ] {
        let mut expected = vec![Err((Code::GameTooLong, 0))];
        expected.extend(after.map(ok));
        for parser in [Parser::new(), Parser::strict()] {
            for sizes in SIZES {
                let items = games(bytes.as_bytes(), sizes, parser.clone().max_game_len(50).game_codec());
                assert_eq!(items, expected, "{bytes}: {sizes:?}, {parser:?}");
            }
        }
    }
}

/// White space between the brackets of a game that has not begun: nothing is kept of that. A head has 512 bytes at
/// most, and nothing that is longer begins a game inside a game.
#[test]
fn a_game_stands_though_what_may_be_the_next_one_goes_on_and_on() {
    let blanks = " ".repeat(600);
    let short = " ".repeat(200);
    let cut = "(;B[aa]\n";
    for (bytes, expected) in [
        (format!("({blanks};B[aa])(;W[bb])"), vec![Err((Code::GameTooLong, 0)), ok("(;W[bb])")]),
        (format!("({blanks}x)(;W[bb])"), vec![ok("(;W[bb])")]),
        (format!("{cut}({short};FF[4])(;W[bb])"), vec![ok(cut), Err((Code::GameTooLong, 8)), ok("(;W[bb])")]),
        (format!("{cut}(;{short}FF[4])(;W[bb])"), vec![ok(cut), Err((Code::GameTooLong, 8)), ok("(;W[bb])")]),
        (format!("{cut}(;FF{short}[4])(;W[bb])"), vec![ok(cut), Err((Code::GameTooLong, 8)), ok("(;W[bb])")]),
        (format!("{cut}({short};FG[4]))(;W[bb])"), vec![Err((Code::GameTooLong, 0)), ok("(;W[bb])")]),
        (format!("{cut}({blanks};FF[4]))(;W[bb])"), vec![Err((Code::GameTooLong, 0)), ok("(;W[bb])")]),
        (format!("{cut}({blanks}"), vec![Err((Code::GameTooLong, 0))]),
        (format!("{cut}({blanks}\n(;FF[4])"), vec![Err((Code::GameTooLong, 0)), ok("(;FF[4])")]),
    ] {
        for sizes in SIZES {
            let items = games(bytes.as_bytes(), sizes, Parser::new().max_game_len(100).game_codec());
            assert_eq!(items, expected, "{bytes}: {sizes:?}");
        }
    }
}

#[test]
fn a_peer_that_sends_without_end_fills_nothing() {
    let limit = 1000;
    for (head, part) in [
        ("", "("),
        ("", "no game "),
        ("(", " "),
        ("(;", "(;"),
        ("(;", ";"),
        ("(;C[", "x"),
        ("(;C[", "\\"),
        ("(;C[", "[]"),
        ("(;B[aa]\n(", " "),
        ("(;B[aa]\n(;FF", " "),
        ("(;", "\n("),
        ("(;", "A"),
        ("(;", "a "),
        ("(;CA[Big5]C[", "\u{fffd}"),
    ] {
        for parser in [Parser::new(), Parser::strict()] {
            let parser = parser.max_game_len(limit).max_value_len(limit);
            let (mut games, mut events) = (parser.game_codec(), parser.event_codec());
            let [mut for_games, mut for_events] = [head, head].map(BytesMut::from);
            for _ in 0..2000 {
                let part = part.repeat(100);
                for_games.extend_from_slice(part.as_bytes());
                for_events.extend_from_slice(part.as_bytes());
                while games.decode(&mut for_games).unwrap().is_some() {}
                while events.decode(&mut for_events).unwrap().is_some() {}
                assert!(for_games.len() <= 2 * limit + part.len() + 600, "{head}{part}: {}", for_games.len());
                assert!(for_events.len() <= limit + part.len() + 600, "{head}{part}: {}", for_events.len());
            }
        }
    }
}

#[test]
fn a_value_of_exactly_the_limit_passes_and_a_longer_one_costs_itself() {
    let bytes = b"(;C[0123]D[01234]E[4])(;)";
    let values = |parser: Parser, sizes: &[usize]| {
        let mut values: Vec<Result<String, SyntaxError>> = Vec::new();
        decode(bytes, sizes, &mut parser.max_value_len(4).event_codec(), |_, item, _| match item {
            Ok(OwnedEvent::Value(raw)) => values.push(Ok(String::from_utf8(raw.to_vec()).unwrap())),
            Ok(_) => {}
            Err(error) => values.push(Err(error)),
        });
        values.into_iter().map(|value| value.map_err(|error| error.code())).collect::<Vec<_>>()
    };
    for sizes in SIZES {
        assert_eq!(values(Parser::new(), sizes), [Ok("0123".into()), Ok("4".into())]);
        assert_eq!(values(Parser::strict(), sizes), [Ok("0123".into()), Err(Code::ValueTooLong)]);
    }
}

#[test]
fn the_end_gives_what_is_whole_and_names_what_is_cut() {
    for (bytes, expected) in [
        ("(;B[aa])(;W[b", vec![ok("(;B[aa])"), Err((Code::UnclosedTree, 13))]),
        ("(;B[aa])(;W", vec![ok("(;B[aa])"), Err((Code::UnclosedTree, 11))]),
        ("(;B[aa])(;W[bb](", vec![ok("(;B[aa])"), Err((Code::UnclosedTree, 16))]),
        // It may be text.
        ("(;B[aa])(", vec![ok("(;B[aa])")]),
        ("(;B[aa]) bye", vec![ok("(;B[aa])")]),
        ("", vec![Err((Code::NoSgfData, 0))]),
        ("\u{feff}", vec![Err((Code::NoSgfData, 0))]),
        ("hello", vec![Err((Code::NoSgfData, 0))]),
    ] {
        for sizes in SIZES {
            assert_eq!(games(bytes.as_bytes(), sizes, GameCodec::new()), expected, "{bytes}: {sizes:?}");
        }
    }
    let cut = "(;B[aa])(;W[b:)";
    for sizes in SIZES {
        let kept = games(cut.as_bytes(), sizes, GameCodec::new().accept_truncated(true));
        assert_eq!(kept, [ok("(;B[aa])"), ok("(;W[b:)")]);
    }
    // Events come as if it were whole.
    let mut events = 0;
    decode(cut.as_bytes(), &[1], &mut EventCodec::new(), |codec, item, _| {
        item.unwrap();
        events += 1;
        assert_eq!(codec.depth() == 0, matches!(events, 5 | 8));
    });
    assert_eq!(events, 8);
}

#[test]
fn a_cut_game_says_so() {
    let bytes = b"(;B[aa])(;B[bb]\n(;FF[4]C[)\n(;FF[4])(;C[:)";
    let mut cut = Vec::new();
    decode(bytes, &[5], &mut GameCodec::new().accept_truncated(true), |_, item, _| cut.push(item.unwrap().is_cut()));
    assert_eq!(cut, [false, true, true, false, true]);
}

#[test]
fn strict_games_are_checked_and_faults_cost_their_game() {
    let bytes = b"(;B[aa])\n(;B)(;W[bb]) junk (;B[cc];(;)x)\n(;W[dd])(;FF[4";
    let expected = [
        ok("(;B[aa])"),
        Err((Code::PropertyWithoutValue, 11)),
        ok("(;W[bb])"),
        Err((Code::JunkOutsideTree, 22)),
        Err((Code::JunkInTree, 38)),
        ok("(;W[dd])"),
        Err((Code::UnterminatedValue, 53)),
    ];
    for sizes in SIZES {
        assert_eq!(games(bytes, sizes, Parser::strict().game_codec()), expected, "{sizes:?}");
    }
}

/// Frames and errors have the lines of the stream.
#[test]
fn places_are_those_of_the_stream() {
    let bytes = b"\xEF\xBB\xBF(;B[aa])\r\n (;W\n[bb]\r\n;B)\r(;C[quite long, this])";
    for sizes in SIZES {
        let mut places = Vec::new();
        decode(bytes, sizes, &mut Parser::new().max_game_len(17).game_codec(), |_, item, _| {
            let at = item.map_or_else(|error| error.position(), |frame| frame.position());
            places.push((at.offset, at.line, at.column));
        });
        assert_eq!(places, [(3, 1, 4), (14, 2, 2), (28, 5, 1)], "{sizes:?}");
        let mut faults = Vec::new();
        decode(bytes, sizes, &mut GameCodec::new(), |_, item, _| {
            let mut reader = item.as_ref().unwrap().reader(&Parser::strict());
            let read = std::iter::from_fn(|| reader.next_event().map(|event| event.map(drop)).transpose());
            faults.extend(read.filter_map(Result::err).map(|error| error.to_string()));
        });
        let fault = "line 4, column 2 (byte 25): expected `[` after `B`, found `)` [property-without-value]";
        assert_eq!(faults, [fault], "{sizes:?}");
    }
}
