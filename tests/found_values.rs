//! Values that once went wrong, found by the fuzz targets `values`, `charset` and `convert`, and by
//! hand. Each is put through the laws of its target.

// The fuzz targets share the laws.
#![allow(dead_code, unreachable_pub)]

#[cfg(feature = "charset")]
#[path = "found_values/charset.rs"]
mod charset;
#[path = "found_values/convert.rs"]
mod convert;
#[cfg(feature = "serde")]
#[path = "found_values/json.rs"]
mod json;
#[path = "found_values/values.rs"]
mod values;

use sgf_stream::Game;
use sgf_stream::property::{self, Context};
use sgf_stream::value::Size;

/// A value, or several with `][` between them.
const VALUES: &[&[u8]] = &[
    // In a list of points of a game without a notation, blanks are a text like others.
    b"", b" ", b"\x0B",
];

#[test]
fn values_that_once_went_wrong_keep_the_laws() {
    for raw in VALUES {
        every_law(raw);
    }
}

/// In every game, and on some boards.
fn every_law(raw: &[u8]) {
    let values: Vec<&[u8]> = split(raw);
    values::types(raw);
    #[cfg(feature = "serde")]
    {
        json::types(raw);
        json::list(&values);
    }
    for (columns, rows) in [(19, 19), (1, 1), (9, 21), (52, 52)] {
        let size = Size::new(columns, rows).unwrap();
        values::on_board(raw, size);
        values::lists(&values, size);
        for game in values::GAMES {
            for board in [None, Some(size)] {
                values::any(raw, game, board);
            }
            for row in property::all() {
                values::property(row, raw, &Context::new(game, 4).with_size(size));
            }
        }
    }
}

fn split(raw: &[u8]) -> Vec<&[u8]> {
    let Some(at) = raw.windows(2).position(|pair| pair == b"][") else { return vec![raw] };
    [&[&raw[..at]][..], &split(&raw[at + 2..])].concat()
}

#[test]
fn properties_that_once_went_wrong_are_converted() {
    for (ident, raw) in [
        // A backslash that hid a blank would hide the colon of the label.
        (&b"L"[..], &br"aa\ "[..]),
        (b"L", br"aa\"),
        // A vertical tab is white space.
        (b"L", b"\x0B"),
        (b"TL", b"\x0B8h"),
        (b"VW", b"\x0Bba][db"),
    ] {
        for game in values::GAMES {
            for ff in 0..5 {
                for sgf2 in [false, true] {
                    convert::to_ff4(ident, &split(raw), &Context::new(game, ff).with_sgf2(sgf2));
                }
            }
        }
    }
    assert_eq!(Game::default(), values::GAMES[0]);
}

#[test]
#[cfg(feature = "charset")]
fn bad_bytes_are_found_once_however_many_values_have_some() {
    use sgf_stream::charset::{Decoding, TreeDecoder};
    use sgf_stream::{Event, RawValue};

    let mut decoder = TreeDecoder::new(Decoding::utf8());
    decoder.observe(Event::StartTree, 0);
    for at in (0..3 * TreeDecoder::MAX_FINDINGS as u64).map(|at| 10 * at) {
        for expected in [1, 0, 0] {
            decoder.text(RawValue::new(b"a\xFF"), at).unwrap();
            assert_eq!(decoder.take_findings().len(), expected, "at {at}");
        }
    }
}

#[test]
#[cfg(feature = "charset")]
fn bad_bytes_are_decoded_in_time_that_grows_as_they_do() {
    use sgf_stream::charset::Charset;
    use std::time::{Duration, Instant};

    let time = |charset: Charset, len: usize| -> Duration {
        let bytes = vec![0xFF; len];
        let once = || {
            let start = Instant::now();
            assert!(!charset.decode(&bytes).is_sound());
            start.elapsed()
        };
        (0..5).map(|_| once()).min().unwrap()
    };
    for label in ["UTF-8", "GBK", "Big5", "ISO-2022-JP"] {
        let charset = Charset::for_label(label.as_bytes()).unwrap();
        let (short, long) = (time(charset, 1 << 14), time(charset, 1 << 19));
        // 32 times as many. It was over 500 times the time.
        assert!(long < 150 * short, "{label}: {short:?}, {long:?}");
    }
}
