//! Regressions: values that the fuzz targets `values`, `charset` and `convert` found, or that were found manually.
//! Each is tested with the laws of its target.

use sgf_stream::property::{self, Context};
use sgf_stream::value::{PointList, Size, hex};

#[cfg(feature = "charset")]
use crate::support::charset;
#[cfg(feature = "serde")]
use crate::support::json;
use crate::support::{convert, values};

/// A value, or several with `][` between them.
const VALUES: &[&[u8]] = &[
    // In a list of points of a game without a notation, blanks are a text like others.
    b"", b" ", b"\x0B",
];

#[test]
fn values_that_once_went_wrong_keep_the_laws() {
    VALUES.iter().for_each(|raw| every_law(raw));
}

/// At the edges of what fits, and what a reader may trip over.
const EDGES: &[&str] = &[
    "9223372036854775807][-9223372036854775808][9223372036854775808][+0][-0][007",
    "4294967295:4294967296][4294967295][0:1][1:0][19:19][52][53][255:256][1:2:3",
    "crxp65536][crxq1][crxp65537][zzzzzzzz1][a0][a00000000001][zz702][aaa1][zz703][z255][z256",
    "a1:crxp65536][crxp65536:a1][a1:z26,b2][zz:AA][Aa:ZZ][aa:aa][tt][TT:tt",
    "99][00][19:91][11A!B!C!D!E!F!G!H!][11AA][84-86x-68xABxC,11,33+A-B!",
    "z:a][66fzfzfzfz][66fzfzfzfzfz][07][61YZ",
    "9999-12-31,0001-01-01][0000][1900-02-29][2000-02-29,03-01][1996,05][1996-05,06-07,08,1997",
    "1996-01-01T10:00:00.000+09:00][31/12/1999][12/31/1999][1/1/1999,1,1-1][99999-01-01",
    "65535k][65536k][0d][1p*][\u{212A}][5\u{212A}][\u{FF15}段][十段][P9段",
    "B+0][B+00.50][W+-1][B+1e5][B+6Resign][b + 3 . 5][white  wins by 3,5 points..][흑반집반승",
    "4294967296x1 byo-yomi][4294967295x1 byo-yomi][0/0 canadian][1/-1 Canadian][none ][1h1m fischer",
    "99:59:59][0:00:00()][1h1m1s each][.h][1e5][-.5m",
    "1 ((a) (b)][ ()][()][((((((()][1 (][\\ (\\)][1 (a )",
    "4294967296:][4294967295:a:b][-0:x][:][::][\\:][\\\\:",
    "a1-b2 1][a1:b2 \\]\\\\ ][a1-b2\\ ][a1-b2\\\n][A01 x B02+",
    "\u{FEFF}][\u{FEFF}dd][dd\u{FEFF}][\u{FEFF}19][\u{FEFF}B+R",
    "d\0d][\0][1\x002][\0dd",
    "dd\u{301}][\u{202E}dd\u{202C}][d\u{200B}d][\u{A0}dd\u{A0}][\u{2003}3d][\u{661}\u{669}][\u{1D7D9}k",
    "İ][ſ][ß][ǆ][\u{10FFFF}][full:İ][KYU][5ſ",
    "20070314,15][20070314T123000Z][12311231][9999-12-31..][1932.10.19-20-21][1932.10.31-11.1,2~3][20081015 [14:43\\]",
    "May 30 - June 1, 1842][May 16–18–20 1842][ca. ca. 1665][c. 昭和52年][9990s][0010s][1 and 2 May 1 and 2",
    "昭和６４年１月７日][昭和十十年][㋿元年5月1日(水)][民國9999年][二〇〇三年五月一日至三日 12:30][1977年(昭和52年)(月)3月][日 12:30][年(年)",
    "共185手][共手][18446744073709551616手 黑胜,白负][흑승:흑승:흑승,][黑胜９９目半][백 11집반승!!][黑胜½目][和(1手)",
    "5 3/4][-1/4][½][-¾][5  ½][1/2 1/2][99999999999999999999 1/2][375][-750][450.0][6집 반][목][집집][.5집반",
    "호선 - 6집 반 공제][호선-반집공제][99점 - 9007199254740993집반 공제][호선 - 집 공제][让2子][점-공제][호선 - 5.25집 공제",
    "0x30 byo-yomi][5x0.0 byo-yomi][0 moves / 1m][5x0.00000001 byo-yomi][19x19][×][1×2×3][19*\u{D7}19][\u{C3}x1",
    "\\][]][a]b][\\\n][\\\r\n][\n\r\n][\t\u{B}\u{C}",
];

#[test]
fn values_at_the_edges_keep_the_laws() {
    for values in EDGES {
        every_law(values.as_bytes());
        split(values.as_bytes()).into_iter().for_each(every_law);
    }
    for unit in
        ["9", "0", "z", "Z9", "(", " (", ")", ":", "\\", "]", ",", "aa,", "11,", "11x", "1996,", "B", "1h", "\u{301}"]
    {
        for front in ["", "1", "1996-01-01,", "B+1", "a1-b2", "11-11", "5x", "1."] {
            every_law(format!("{front}{}", unit.repeat(500)).as_bytes());
        }
    }
}

#[test]
fn every_row_of_the_registry_keeps_the_laws() {
    for raw in EDGES.iter().flat_map(|values| split(values.as_bytes())) {
        for game in values::GAMES {
            let context = Context::new(game, 4);
            property::all().iter().for_each(|row| values::property(row, raw, &context));
        }
    }
}

#[test]
fn lists_that_would_not_end_are_refused() {
    let too_many = "a list of at most 1,000,000 points";
    for (values, index) in [(&["a1:crxp65536"][..], 0), (&["a1:all1000", "a1"], 1), (&["a1,a1:all1000"], 0)] {
        let error = PointList::<hex::Point>::parse_lenient(values).unwrap_err();
        assert_eq!((error.index(), error.error().expected()), (index, too_many), "{values:?}");
    }
    let most = PointList::<hex::Point>::parse(["a1:all1000"]).unwrap();
    assert_eq!((most.len(), most.compress().len()), (PointList::<hex::Point>::MAX_POINTS, 1));
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
            values::properties(raw, &Context::new(game, 4).with_size(size));
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
    for (moves, length) in [("25", "600"), ("4294967296", "1"), ("1", "0.5"), ("0", "1"), ("-1", "-1"), (" 1 ", ",5")] {
        convert::overtime(moves.as_bytes(), length.as_bytes());
    }
}

#[test]
#[cfg(feature = "charset")]
fn streams_that_once_went_wrong_keep_the_laws() {
    use sgf_stream::charset::{Charset, Decoding};

    for bytes in [
        // EUC-CN is decoded as GBK, but its characters have no brackets in them.
        &b"(;CA[EUC-CN]C[\x99]C[\x81\\\\])"[..],
        // The start of a character of four bytes takes a digit with it, if nothing follows.
        b"(;CA[GBK]C[\xE5\xB0\x988]C[\x818])",
        // What is before a second byte is UTF-8, and so is all, or nothing.
        "(;CA[GBK]C[囲\\]\\\\]PB[é])".as_bytes(),
        b"(;CA[GBK]C[\xE5\x9B\xB2\\]\xFF])",
        b"(;CA[Shift_JIS]PB[\x83\\]C[\x90\\ a [b] c])",
        // A program cut the text in a character, and what follows shows it.
        b"(;CA[Shift_JIS]C[\x83\x5C\x98];B[aa])",
        b"(;CA[foo]C[\xE9]CA[Big5])(;C[\xA6]]CA[Big5];C[\xA6]])",
        // A mark of UTF-8 overrides the charset that the game names.
        b"\xEF\xBB\xBF(;CA[GBK]C[[\xA0\x81\xE5\xAD\x97] a])",
    ] {
        for label in charset::LABELS {
            let charset = Charset::for_name(label.as_bytes()).unwrap();
            for sizes in [&[1][..], &[2, 7], &[64]] {
                charset::reader(bytes, charset, sizes);
                charset::detection(bytes, Decoding::new().default_charset(charset), sizes);
            }
            for decoding in [Decoding::new(), Decoding::new().default_charset(charset), Decoding::new().force(charset)]
            {
                charset::events(bytes, decoding, false);
                charset::events(bytes, decoding, true);
            }
        }
    }
}

#[test]
#[cfg(feature = "charset")]
fn bad_bytes_are_found_once_however_many_values_have_some() {
    use sgf_stream::charset::{Decoding, TreeDecoder};
    use sgf_stream::{Event, RawValue};

    let mut decoder = TreeDecoder::new(Decoding::utf8());
    decoder.observe(Event::StartTree, 0);
    for at in (0..3 * TreeDecoder::MAX_DIAGNOSTICS as u64).map(|at| 10 * at) {
        for expected in [1, 0, 0] {
            decoder.text(RawValue::new(b"a\xFF"), at).unwrap();
            assert_eq!(decoder.take_diagnostics().len(), expected, "at {at}");
        }
    }
}
