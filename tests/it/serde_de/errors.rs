//! What errors say.

use std::collections::BTreeMap;
use std::error::Error as _;
use std::fmt::Debug;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use sgf_stream::de;
use sgf_stream::value::{Color, Compose, Dates, Double, Number, PointList, Real, Rect, Seconds, Size, go};

use super::read;

#[derive(Debug, Deserialize)]
#[allow(dead_code)]
struct Header {
    #[serde(rename = "PB")]
    black: String,
    #[serde(rename = "HA", default)]
    handicap: u8,
    #[serde(rename = "LB", default)]
    labels: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize)]
#[allow(dead_code)]
struct Game {
    #[serde(rename = "$root")]
    root: Header,
    #[serde(rename = "$nodes")]
    nodes: Vec<Step>,
    #[serde(rename = "$variations")]
    variations: Vec<Variation>,
}

#[derive(Debug, Deserialize)]
#[allow(dead_code)]
struct Variation {
    #[serde(rename = "B")]
    black: go::Move,
    #[serde(rename = "$variations")]
    variations: Vec<Variation>,
}

#[derive(Debug, Deserialize)]
#[allow(dead_code)]
enum Step {
    B(go::Move),
    W(go::Move),
    AB(Vec<(String, u8)>),
}

#[derive(Debug, Deserialize)]
#[allow(dead_code)]
struct Line {
    #[serde(rename = "PB")]
    black: String,
    #[serde(rename = "$mainline")]
    moves: Vec<Step>,
}

#[track_caller]
fn says<T: DeserializeOwned + Debug>(sgf: &str, message: &str) {
    assert_eq!(read::<Vec<T>>(sgf).expect_err(sgf), message, "{sgf}");
}

#[test]
fn errors_name_game_node_property_and_byte() {
    says::<Header>("(;PB[a])(;HA[2])", "game 2, root (byte 9): missing property `PB`");
    says::<Header>("(;PB[a]HA[many])", "game 1, root, HA (byte 9): expected u8, found \"many\"");
    says::<Header>("(;PB[a]HA[999])", "game 1, root, HA (byte 9): expected u8, found 999");
    says::<Header>("(;PB[a]LB[aa:A][bb])", "game 1, root, LB (byte 15): expected two components with `:` between them");
    says::<Game>("(;PB[a])(;HA[2];B[])", "game 2, root (byte 9): missing property `PB`");
    says::<Game>("(;PB[a];B[];W[x])", "game 1, node 3, W (byte 15): move: expected a letter, found \"x\"");
    says::<Game>(
        "(;PB[a];B[];W[](;B[];C[](;B[aa])(;B[aa](;B[d_]))))",
        "game 1, node 8, B (byte 44): move: expected a letter, found \"d_\"",
    );
    says::<Game>("(;PB[a];B[](;B[](;B[])(;C[x])))", "game 1, node 5 (byte 23): missing property `B`");
    says::<Game>("(;PB[a];C[x])", "game 1, node 2 (byte 7): expected a node with one of B, W, AB, found one with C");
    says::<Game>("(;PB[a];AB[aa:1][bb:x])", "game 1, node 2, AB (byte 19): expected u8, found \"x\"");
    says::<Line>("(;PB[a];B[](;B[x])(;B[]))", "game 1, node 3, B (byte 16): move: expected a letter, found \"x\"");
    says::<Vec<Step>>("(;B[];B[](;B[x])(;B[]))", "game 1, node 3, B (byte 14): move: expected a letter, found \"x\"");
}

#[test]
fn long_texts_are_not_told_in_full() {
    let error = read::<Header>(format!("(;PB[a]HA[{}])", "\u{56F2}".repeat(1000))).unwrap_err();
    assert!(error.ends_with(&format!("found \"{}\"…", "\u{56F2}".repeat(60))), "{error}");
}

#[test]
fn errors_are_small_and_have_accessors() {
    assert_eq!(size_of::<de::Error>(), size_of::<usize>());
    let error = sgf_stream::from_str::<Vec<Header>>("(;PB[a])(;PB[b]HA[x])").unwrap_err();
    assert_eq!(
        (error.game(), error.node(), error.property(), error.offset()),
        (Some(1), Some(0), Some("HA"), Some(17))
    );
    assert_eq!((error.category(), error.code(), error.position()), (de::Category::Data, None, None));
    assert_eq!(error.message(), "expected u8, found \"x\"");
    assert!(error.source().is_none());
    assert_eq!(std::io::Error::from(error).kind(), std::io::ErrorKind::InvalidData);
}

#[test]
fn an_unknown_variant_of_a_value_names_those_that_are_known() {
    #[derive(Debug, Deserialize)]
    enum Color {
        B,
        W,
    }
    #[derive(Debug, Deserialize)]
    #[allow(dead_code)]
    struct Player {
        #[serde(rename = "PL")]
        color: Color,
    }
    says::<Player>("(;PL[both])", "game 1, root, PL (byte 4): expected B or W, found \"both\"");
    let _ = (Color::B, Color::W);
}

#[test]
fn what_is_wrong_in_a_value_has_one_place() {
    #[derive(Debug, Deserialize)]
    #[allow(dead_code)]
    #[serde(default)]
    #[derive(Default)]
    struct Values {
        #[serde(rename = "AB")]
        black: PointList,
        #[serde(rename = "AW")]
        white: Vec<go::Point>,
        #[serde(rename = "AE")]
        empty: Vec<Rect>,
        #[serde(rename = "DT")]
        dates: Option<Dates>,
        #[serde(rename = "TM")]
        time: Option<Seconds>,
        #[serde(rename = "KM")]
        komi: Option<Real>,
        #[serde(rename = "HA")]
        handicap: Option<Number>,
        #[serde(rename = "GB")]
        good: Option<Double>,
        #[serde(rename = "LB")]
        labels: BTreeMap<go::Point, String>,
        #[serde(rename = "AR")]
        arrows: Vec<(go::Point, go::Point)>,
        #[serde(rename = "SZ")]
        size: Option<Size>,
        #[serde(rename = "PL")]
        player: Option<Color>,
        #[serde(rename = "XX")]
        list: Option<Compose<Number, Number>>,
    }
    let mut wrong = Vec::new();
    for (sgf, message) in [
        ("(;AB[aa][b\u{E9}])", "AB (byte 10): point: expected a letter, found \"b\u{E9}\""),
        ("(;AB[aa][bb,c])", "AB (byte 13): point: expected a letter, found \"bb,c\""),
        ("(;AW[ab][ax1])", "AW (byte 11): point: expected the end of the value after \"ax\", found \"1\""),
        ("(;AE[aa:bb][aa:b])", "AE (byte 16): point: expected a letter, found \"aa:b\""),
        ("(;DT[yesterday])", "DT (byte 5): date: expected a date, found \"yesterday\""),
        ("(;TM[an hour])", "TM (byte 5): time: expected a digit, found \"an hour\""),
        ("(;KM[6.5 points])", "KM (byte 8): Real: expected a digit, found \"6.5 points\""),
        (
            "(;HA[9223372036854775808])",
            "HA (byte 23): Number: expected a number that fits in 64 bits, found \"9223372036854775808\"",
        ),
        ("(;GB[3])", "GB (byte 5): Double: expected 1 or 2, found \"3\""),
        ("(;LB[aa:A][b:B])", "LB (byte 12): point: expected a letter, found \"b\""),
        ("(;AR[aa:bb][cc:d])", "AR (byte 16): point: expected a letter, found \"d\""),
        ("(;SZ[19x])", "SZ (byte 8): size: expected a digit, found \"19x\""),
        ("(;PL[green])", "PL (byte 5): Color: expected B or W, found \"green\""),
        ("(;XX[1:2x])", "XX (byte 8): Number: expected a digit, found \"2x\""),
    ] {
        let error = read::<Vec<Values>>(sgf).expect_err(sgf);
        wrong.extend((error != format!("game 1, root, {message}")).then(|| format!("{sgf}: {error}")));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    // In JSON there is no such place.
    let error = serde_json::from_str::<go::Move>("\"x\"").unwrap_err();
    assert_eq!(
        error.to_string(),
        "invalid value: string \"x\", expected move, with a letter at byte 1 at line 1 column 3"
    );
}

#[test]
fn what_is_wrong_in_a_decoded_value_has_the_place_of_the_value() {
    #[cfg(feature = "charset")]
    {
        use sgf_stream::Parser;
        use sgf_stream::charset::Decoding;

        let sgf = b"(;CA[ISO-8859-1]B[\xE9a];B[a1])";
        let games = Parser::new().charset(Decoding::new()).slice(sgf).games::<Vec<Step>>();
        let errors: Vec<_> = games.map(|game| game.unwrap_err().to_string()).collect();
        assert_eq!(errors, ["game 1, root, B (byte 17): move: expected a letter at byte 0 of \"\u{E9}a\""]);
    }
}

#[test]
fn what_is_too_many_or_too_few_is_counted() {
    type Games = (BTreeMap<String, String>, BTreeMap<String, String>);
    let error = |sgf: &str| read::<Games>(sgf).unwrap_err();
    assert_eq!(error("(;)(;)(;PB[a])"), "game 3 (byte 6): expected 2 games, found more");
    assert_eq!(error("(;)"), "expected 2 games, found 1 game");
    assert_eq!(
        read::<Header>("(;PB[a])(;)").unwrap_err(),
        "game 2 (byte 8): expected one game, found a second; deserialize a `Vec` or use `.games()`"
    );

    #[derive(Debug, Deserialize)]
    #[allow(dead_code)]
    #[serde(default)]
    #[derive(Default)]
    struct Counts {
        #[serde(rename = "B")]
        moves: Option<[go::Move; 2]>,
        #[serde(rename = "AB")]
        stones: Option<[go::Point; 3]>,
        #[serde(rename = "XX")]
        triple: Option<(u8, u8, u8)>,
        #[serde(rename = "LB")]
        labels: Option<(String, String)>,
        #[serde(rename = "AP")]
        program: Option<(String, String, String)>,
        #[serde(rename = "HA")]
        handicap: Option<u64>,
        #[serde(rename = "MN")]
        number: Option<u8>,
    }
    let pairs = "each value has two components; use a list or a map of pairs";
    let mut wrong = Vec::new();
    for (sgf, message) in [
        ("(;B[aa])", "B (byte 2): expected 2 values, found 1 value"),
        ("(;B[aa][bb][cc])", "B (byte 2): expected 2 values, found 3 values"),
        ("(;AB[aa:ba])", "AB (byte 2): expected 3 points, found 2 points"),
        ("(;AB[aa:bb])", "AB (byte 2): expected 3 points, found 4 points"),
        ("(;XX[1:2:3])", "XX (byte 2): expected 3 values, found 1 value; a composed value has two components"),
        ("(;XX[1][2])", "XX (byte 2): expected 3 values, found 2 values"),
        ("(;XX[1][2][3][4])", "XX (byte 2): expected 3 values, found 4 values"),
        ("(;LB[aa:A])", &format!("LB (byte 2): expected 2 values, found 1 value; {pairs}")),
        ("(;LB[aa:A][bb:B][cc:C])", &format!("LB (byte 2): expected 2 values, found 3 values; {pairs}")),
        ("(;AP[a:b:c])", "AP (byte 4): expected a tuple of size 3, found a composed value, which has two components"),
        ("(;AP[a])", "AP (byte 4): expected a tuple of size 3, found a single value"),
        ("(;HA[18446744073709551616])", "HA (byte 4): expected u64, found \"18446744073709551616\""),
        ("(;MN[18446744073709551615])", "MN (byte 4): expected u8, found 18446744073709551615"),
    ] {
        let error = read::<Vec<Counts>>(sgf).expect_err(sgf);
        wrong.extend((error != format!("game 1, root, {message}")).then(|| format!("{sgf}: {error}")));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(
        read::<Vec<[BTreeMap<String, String>; 3]>>("(;;)").unwrap_err(),
        "game 1 (byte 0): expected 3 nodes, found 2 nodes"
    );
}

#[test]
fn an_untagged_enum_at_the_top_is_a_list_of_games_or_one() {
    #[derive(Debug, Deserialize)]
    #[serde(untagged)]
    #[allow(dead_code)]
    enum Any {
        Named {
            #[serde(rename = "PB")]
            black: String,
        },
        Sized {
            #[serde(rename = "SZ")]
            size: u8,
        },
    }
    assert_eq!(
        sgf_stream::from_str::<Any>("(;KM[6])").unwrap_err().to_string(),
        "game 1, root (byte 1): data did not match any variant of untagged enum Any"
    );
    assert!(matches!(sgf_stream::from_str::<Any>("(;SZ[9])"), Ok(Any::Sized { size: 9 })));
    assert_eq!(
        sgf_stream::from_str::<Any>("(;SZ[9])(;SZ[9])").unwrap_err().to_string(),
        "game 2 (byte 8): expected one game, found a second; deserialize a `Vec` or use `.games()`"
    );
    assert_eq!(
        sgf_stream::from_reader::<_, Any>(&b"(;SZ[9])"[..]).unwrap_err().to_string(),
        "data did not match any variant of untagged enum Any; a stream gives such a type the list of games; \
         deserialize a `Vec`, or use `.games()` or `from_slice`"
    );

    #[derive(Debug, Deserialize)]
    #[serde(untagged)]
    #[allow(dead_code)]
    enum Games {
        Many(Vec<Any>),
        One(Any),
    }
    assert!(matches!(sgf_stream::from_str::<Games>("(;SZ[9])(;PB[a])"), Ok(Games::Many(games)) if games.len() == 2));
    assert!(matches!(
        sgf_stream::from_str::<Vec<Any>>("(;PB[a])(;SZ[9])").unwrap()[..],
        [Any::Named { .. }, Any::Sized { .. }]
    ));
    says::<Any>("(;SZ[9])(;KM[6])", "game 2, root (byte 9): data did not match any variant of untagged enum Any");
}

#[test]
fn a_value_that_was_dropped_is_an_error() {
    let value = |len: usize| format!("(;PB[a]C[{}];B[dd])", "x".repeat(len));
    let (most, longer) = (value(1 << 20), value((1 << 20) + 1));
    let said = "game 1 (byte 8): a value is longer than 1048576 bytes; `Parser::max_value_len` raises this limit, and \
                `games()` drops what exceeds it";
    type Text = BTreeMap<String, String>;
    assert_eq!(sgf_stream::from_str::<Text>(&most).unwrap()["C"].len(), 1 << 20);
    assert_eq!(sgf_stream::from_str::<Text>(&longer).unwrap_err().to_string(), said);
    assert_eq!(sgf_stream::from_slice::<Text>(longer.as_bytes()).unwrap_err().to_string(), said);
    assert_eq!(sgf_stream::from_reader::<_, Vec<Text>>(longer.as_bytes()).unwrap_err().to_string(), said);
    #[derive(Debug, serde::Deserialize)]
    struct Comment {
        #[serde(rename = "C")]
        _text: String,
    }
    assert_eq!(sgf_stream::from_str::<Comment>(&longer).unwrap_err().to_string(), said);
    // An identifier has a limit too.
    let ident = format!("(;{}[a])", "X".repeat(2000));
    let error = sgf_stream::from_str::<Text>(&ident).unwrap_err().to_string();
    assert!(error.contains("`Parser::max_ident_len`"), "{error}");
    // Iterators drop it, and say so. Trees keep what is in memory.
    let noted = sgf_stream::DiagnosticLog::new(9);
    let parser = sgf_stream::Parser::new().log_to(&noted);
    let games: Vec<_> = parser.slice(longer.as_bytes()).games::<Text>().map(Result::unwrap).collect();
    assert!(!games[0].contains_key("C"));
    assert_eq!(noted.take()[0].code, sgf_stream::Code::ValueTooLong);
    let tree = sgf_stream::tree::GameTree::from_slice(longer.as_bytes()).unwrap();
    assert_eq!(tree.root().text("C").unwrap().len(), (1 << 20) + 1);
}
