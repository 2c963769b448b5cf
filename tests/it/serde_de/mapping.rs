//! The mapping table, row by row: what a property becomes.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Debug;

use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::{Value, json};
use sgf_stream::value::*;
use sgf_stream::{Code, DiagnosticLog, Game, Parser, de};

use super::read;

/// What the only property of a root becomes, whatever it is called.
#[derive(Debug, Deserialize)]
struct Root<T> {
    #[serde(
        alias = "AB",
        alias = "AP",
        alias = "AR",
        alias = "AW",
        alias = "B",
        alias = "BL",
        alias = "C",
        alias = "DD",
        alias = "DM",
        alias = "DT",
        alias = "FG",
        alias = "HA",
        alias = "KM",
        alias = "KO",
        alias = "LB",
        alias = "MI",
        alias = "N",
        alias = "PB",
        alias = "PL",
        alias = "RE",
        alias = "RU",
        alias = "SZ",
        alias = "TM",
        alias = "XX"
    )]
    value: T,
}

#[track_caller]
fn value<T: DeserializeOwned + Debug>(property: &str) -> Result<T, String> {
    read::<Root<T>>(format!("(;{property})")).map(|root| root.value)
}

#[track_caller]
fn is<T: DeserializeOwned + Debug + PartialEq>(property: &str, expected: T) {
    assert_eq!(value::<T>(property), Ok(expected), "{property}");
}

#[track_caller]
fn is_not<T: DeserializeOwned + Debug + PartialEq>(property: &str, message: &str) {
    let error = value::<T>(property).expect_err(property);
    assert!(error.ends_with(message), "{property}: {error}");
}

fn owned(strings: &[&str]) -> Vec<String> {
    strings.iter().map(|&string| string.into()).collect()
}

#[test]
fn numbers_are_those_of_ff4() {
    is("HA[4]", 4u8);
    is("HA[ +4\n]", 4u8);
    is("HA[-4]", -4i64);
    is("HA[4]", 4i128);
    is("HA[4]", 4u64);
    is("HA[18446744073709551615]", u64::MAX);
    is("HA[+18446744073709551615]", u128::from(u64::MAX));
    is("HA[340282366920938463463374607431768211455]", u128::MAX);
    is("HA[-170141183460469231731687303715884105728]", i128::MIN);
    is("HA[18446744073709551615]", json!(18446744073709551615u64));
    is_not::<i64>("HA[9223372036854775808]", "HA (byte 4): expected i64, found 9223372036854775808");
    is_not::<i128>(
        "HA[170141183460469231731687303715884105728]",
        "expected i128, found \"170141183460469231731687303715884105728\"",
    );
    is_not::<u128>("HA[-4]", "expected u128, found -4");
    is("KM[6.5]", 6.5f32);
    is("KM[-7]", -7f64);
    is("HA[4]", Number::new(4));
    is("KM[0.5]", Real::new(0.5).unwrap());
    is("DM[2]", Double::parse("2").unwrap());
    is("TM[1h30m]", Seconds::parse_lenient("1h30m").unwrap());
    is_not::<u8>("HA[-4]", "HA (byte 4): expected u8, found -4");
    // A float is what `Real::parse_lenient` reads.
    is("KM[6,5]", Real::new(6.5).unwrap());
    is("KM[6,5]", 6.5f64);
    is("KM[.5]", 0.5f32);
    is("KM[ 7.\n]", 7f64);
    is("KM[-.5]", -0.5f64);
    is_not::<f64>("KM[6,500]", "KM (byte 4): expected f64, found \"6,500\""); // thousands, or thousandths
    is_not::<u8>("HA[300]", "HA (byte 4): expected u8, found 300");
    is_not::<u8>("HA[0x4]", "HA (byte 4): expected u8, found \"0x4\"");
    is_not::<u8>("HA[4.0]", "HA (byte 4): expected u8, found \"4.0\"");
    is_not::<f64>("KM[six]", "KM (byte 4): expected f64, found \"six\"");
    is_not::<f64>("KM[1e3]", "KM (byte 4): expected f64, found \"1e3\"");
    is_not::<i32>("HA[]", "HA (byte 4): expected i32, found \"\"");
}

#[test]
fn a_game_is_its_number() {
    is("AP[6:11]", (Game::Backgammon, Game::Hex));
    is("XX[1][2]", vec![Game::Go, Game::Othello]);
    is("XX[1]", Some(Game::Go));

    #[derive(Debug, PartialEq, Deserialize)]
    struct Required {
        #[serde(rename = "GM")]
        game: Game,
    }
    for (sgf, game) in [
        ("(;GM[1])", Game::Go),
        ("(;GM[ +11\n])", Game::Hex),
        ("(;GM[99])", Game::Other(99)),
        ("(;GM[-1])", Game::Other(-1)),
        ("(;GM[9][1])", Game::LinesOfAction),
    ] {
        assert_eq!(read(sgf), Ok(Required { game }), "{sgf}");
    }
    for (sgf, error) in [
        ("(;GM[Go])", "game 1, root, GM (byte 5): Number: expected a digit, found \"Go\""),
        ("(;GM[])", "game 1, root, GM (byte 5): Number: expected a digit, found \"\""),
        ("(;FF[4])", "game 1, root (byte 1): missing property `GM`"),
    ] {
        assert_eq!(read::<Required>(sgf).unwrap_err(), error);
    }

    #[derive(Debug, PartialEq, Deserialize)]
    struct Record {
        #[serde(rename = "GM")]
        given: Option<Game>,
        #[serde(rename = "$root")]
        root: Root,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct Root {
        #[serde(rename = "GM", default, deserialize_with = "sgf_stream::de::invalid_default")]
        game: Game,
    }
    let record = |given, game| Ok(Record { given, root: Root { game } });
    assert_eq!(read("(;GaMe[11])"), record(Some(Game::Hex), Game::Hex));
    assert_eq!(read("(;GM[ ])"), record(None, Game::Go));
    assert_eq!(read("(;FF[4])"), record(None, Game::Go));
}

#[test]
fn what_is_there_is_true() {
    is("KO[]", true);
    is("KO[no]", true);
    is("KO[]", ());
    is("PB[]", Some(String::new()));
    is("DD[]", Some(Vec::<String>::new()));

    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(default)]
    struct Absent {
        #[serde(rename = "KO")]
        ko: bool,
        #[serde(rename = "PB")]
        black: Option<String>,
        #[serde(rename = "DD")]
        dim: Option<Vec<String>>,
    }
    assert_eq!(read("(;)"), Ok(Absent::default()));
}

#[test]
fn texts_are_read_by_the_registry() {
    is("PB[x]", 'x');
    is("PB[\u{56F2}]", '\u{56F2}');
    is_not::<char>("PB[xy]", "expected a character, found \"xy\"");
    is("PB[Shusaku]", "Shusaku".to_owned());
    is(r"C[a \] b\\]", r"a ] b\".to_owned());
    is("C[soft\\\nbreak]", "softbreak".to_owned());
    is("C[two\r\nlines\tand]", "two\nlines and".to_owned());
    is("PB[two\r\nlines]", "two lines".to_owned());
    is("DT[two\nlines]", "two lines".to_owned());
    is("XX[of nobody\nknows what]", "of nobody\nknows what".to_owned());
    is("C[two\nlines]", Text::new("two\nlines"));
    is("PB[two\nlines]", SimpleText::new("two lines"));
}

#[test]
fn texts_that_are_several_are_one() {
    is("C[one][two][][four]", "one\n\ntwo\n\n\n\nfour".to_owned());
    is("C[one]Q[x]C[two]", "one\n\ntwo".to_owned());
    is("PB[one][two]", "one".to_owned());
    is("HA[2][3]", 2u8);
    is("HA[2]HA[3]", 2u8);
}

#[test]
fn a_scalar_with_several_values_is_reported() {
    #[derive(Deserialize)]
    #[allow(dead_code)]
    struct Game {
        #[serde(rename = "HA")]
        handicap: u8,
        #[serde(rename = "C")]
        comment: String,
        #[serde(rename = "AB")]
        stones: Vec<String>,
    }
    let log = DiagnosticLog::new(10);
    let games = Parser::new().log_to(&log).slice(b"(;HA[2]C[a]AB[aa])\n (;HA[2][3]C[a][b]AB[aa][bb])").games::<Game>();
    assert_eq!(games.map(|game| game.unwrap().handicap).collect::<Vec<_>>(), [2, 2]);
    let found: Vec<_> = log.take().iter().map(|found| (found.code, found.position.to_string())).collect();
    assert_eq!(found, [(Code::ExtraValues, "line 2, column 3 (byte 21)".into())]);
}

#[test]
fn bytes_are_raw() {
    #[derive(Debug, PartialEq)]
    struct Raw(Vec<u8>);

    impl<'de> Deserialize<'de> for Raw {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            struct Bytes;
            impl serde::de::Visitor<'_> for Bytes {
                type Value = Raw;
                fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    f.write_str("bytes")
                }
                fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Raw, E> {
                    Ok(Raw(bytes.to_vec()))
                }
            }
            deserializer.deserialize_bytes(Bytes)
        }
    }
    is(r"C[a\]b]", Raw(br"a\]b".to_vec()));
    is(r"LB[aa:x\]][bb]", vec![Raw(br"aa:x\]".to_vec()), Raw(b"bb".to_vec())]);
    assert_eq!(read::<Root<Raw>>(b"(;C[\xFF\xE5])").unwrap().value, Raw(b"\xFF\xE5".to_vec()));
}

#[test]
fn bad_bytes_in_texts_are_replaced() {
    assert_eq!(read::<Root<String>>(b"(;C[a\xFFb])").unwrap().value, "a\u{FFFD}b");
}

#[test]
fn unit_enums_and_newtypes() {
    #[derive(Debug, PartialEq, Deserialize)]
    enum Player {
        #[serde(alias = "b", alias = "black")]
        B,
        W,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct Points(Vec<String>);
    #[derive(Debug, PartialEq, Deserialize)]
    struct Name(String);

    is("PL[B]", Player::B);
    is("PL[ W ]", Player::W);
    is("PL[black]", Player::B);
    is("PL[black]", Color::Black);
    is("XX[B][W]", vec![Player::B, Player::W]);
    is("AB[aa:ba]", Points(owned(&["aa", "ba"])));
    is("PB[x]", Name("x".into()));
    is_not::<Player>("PL[X]", "PL (byte 4): expected one of B, b, black, W, found \"X\"");

    #[derive(Debug, PartialEq, Deserialize)]
    enum NotUnit {
        B(String),
    }
    is_not::<NotUnit>("PL[B]", "expected an enum of unit variants, found a single value");
}

#[test]
fn lists_are_sequences_and_sets() {
    is("XX[a][b][a]", owned(&["a", "b", "a"]));
    is("XX[a][b][a]", BTreeSet::from(["a".to_owned(), "b".to_owned()]));
    is("XX[1][2]", vec![1u8, 2]);
    is("XX[a]Q[]XX[b]", owned(&["a", "b"]));
    is("AB[]", owned(&[]));
    is("AB[]AB[aa][]", owned(&["aa"]));
    is("AB[][aa]", ["aa".to_owned()]);
    is("PB[a]", owned(&["a"]));
    is("XX[]", owned(&[""]));
    is("XX[a][b]", ["a".to_owned(), "b".to_owned()]);
    is("XX[a][b][c]", ["a".to_owned(), "b".into(), "c".into()]);
    is("XX[a][2][c]", ("a".to_owned(), 2u8, 'c'));
    is("XX[a]", ["a".to_owned()]);
    is_not::<[String; 2]>("XX[a][b][c]", "expected 2 values, found 3 values");
    is_not::<[String; 4]>("XX[a][b][c]", "expected 4 values, found 3 values");
    is_not::<Vec<Vec<String>>>("XX[a]", "XX (byte 4): expected a sequence, found a single value");
    is_not::<Vec<u8>>("XX[1][x]", "XX (byte 7): expected u8, found \"x\"");
}

#[test]
fn rectangles_expand_in_lists_of_points() {
    is("AB[aa:bb][cc]", owned(&["aa", "ba", "ab", "bb", "cc"]));
    is("AB[bb:aa]", owned(&["aa", "ba", "ab", "bb"]));
    is("AB[aa:ba]", BTreeSet::from([go::Point::parse("aa").unwrap(), go::Point::parse("ba").unwrap()]));
    is("AB[aa:ba]", [go::Point::parse("aa").unwrap(), go::Point::parse("ba").unwrap()]);
    is("AB[aa:ba]", ("aa".to_owned(), "ba".to_owned()));
    is("AB[aa:bb]", PointList::<go::Point>::parse(["aa:bb"]).unwrap());
    is("DD[]", Vec::<String>::new());
    is("DD[ \n]", Vec::<String>::new());
    is("DD[][aa]", owned(&["aa"])); // an empty list, and one of a point: lists are joined
    is("AB[]", Vec::<String>::new());
    is("GM[11]AB[a1:b2]", owned(&["a1", "b1", "a2", "b2"]));
    // Not where the registry says nothing of points, and not where it is none.
    is("XX[aa:bb]", owned(&["aa:bb"]));
    is("LB[aa:bb]", owned(&["aa:bb"]));
    is("AB[aa:]", owned(&["aa:"]));
    is_not::<[String; 3]>("AB[aa:bb]", "expected 3 points, found 4 points");
    is_not::<Vec<go::Point>>("AB[aa][b]", "AB (byte 10): point: expected a letter, found \"b\"");
}

#[test]
fn rectangles_are_rectangles_to_who_asks_for_them() {
    fn rects<P: GridPoint>(raw: &[&str]) -> Vec<Rect<P>> {
        raw.iter().map(|raw| Rect::parse(raw).unwrap()).collect()
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct Area(Option<Rect>);

    is("AB[aa:bb][cc]", rects::<go::Point>(&["aa:bb", "cc"]));
    is("AB[bb:aa]", rects::<go::Point>(&["aa:bb"]));
    is("AB[A19:B18]", rects::<go::Point>(&["aa:bb"])); // as the board tells
    is("AB[aa:aa][][cc]", rects::<go::Point>(&["aa", "cc"]));
    is("DD[]", rects::<go::Point>(&[]));
    is("AB[aa:bb][cc:dd]", [rects::<go::Point>(&["aa:bb", "cc:dd"])[0], rects(&["aa:bb", "cc:dd"])[1]]);
    is("AB[aa:bb]", vec![Area(Some(Rect::parse("aa:bb").unwrap()))]);
    is("XX[aa:bb]", rects::<go::Point>(&["aa:bb"])); // of nobody knows what, but of rectangles
    is("XX[aa:bb]", Rect::<go::Point>::parse("aa:bb").unwrap());
    is("GM[11]AB[a1:crxp65536][a1]", rects::<hex::Point>(&["a1:crxp65536", "a1"]));
    // Some and some.
    is(
        "AB[aa:ba][ca:da]",
        (go::Point::parse("aa").unwrap(), "ba".to_owned(), Rect::<go::Point>::parse("ca:da").unwrap()),
    );
    is_not::<[Rect; 3]>("AB[aa:bb][cc]", "expected 3 points, found 2 points");
    is_not::<[Rect; 1]>("AB[aa:bb][cc]", "expected 1 point, found 2 points");
}

#[test]
fn a_list_of_points_is_bounded() {
    let all = |property: &str| value::<Vec<String>>(property).map(|points| points.len());
    assert_eq!(all("GM[11]AB[a1:all1000]"), Ok(1_000_000));
    for property in
        ["GM[11]AB[a1:all1000][a1]", "GM[11]AB[a1:alm1000]", "GM[11]AB[a1:crxp65536]", "GM[11]AB[a1][a1:all1000]"]
    {
        let error = all(property).unwrap_err();
        assert!(error.ends_with("the point list exceeds the limit of 1,000,000 points"), "{error}");
    }
}

/// Each node may have a rectangle, which a dozen bytes are enough for.
#[test]
fn the_points_of_a_game_are_bounded() {
    type Nodes = Vec<BTreeMap<String, Vec<IgnoredAny>>>;

    // A rectangle counts but for one point, which it is written for.
    let game = |last: &str| format!("(;GM[11]{};AB[{last}])", ";AB[a1:all1000]".repeat(4));
    let archive = [game("a1:a5"), game("a1:a6"), game("a1:a5")].concat();
    let games: Vec<_> = Parser::new().slice(archive.as_bytes()).games::<Nodes>().collect();
    let results: Vec<_> = games.iter().map(Result::is_ok).collect();
    assert_eq!(results, [true, false, true]);
    let error = games[1].as_ref().err().unwrap().to_string();
    assert!(error.ends_with("the rectangles of the game exceed the limit of 4,000,000 points"), "{error}");
    assert!(error.contains("game 2, node 6, AB"), "{error}");
    // To types that take rectangles they are what they are.
    let large = format!("(;{})", ";AB[a1:crxp65536]".repeat(100)).replacen(";", ";GM[11]", 1);
    #[derive(Deserialize)]
    #[serde(rename_all = "UPPERCASE")]
    struct Step {
        #[serde(default)]
        ab: Vec<Rect<hex::Point>>,
    }
    let steps = Parser::new().slice(large.as_bytes()).games::<Vec<Step>>().next().unwrap().unwrap();
    assert_eq!(steps.iter().map(|step| step.ab.len()).sum::<usize>(), 100);
}

#[test]
fn composed_values_are_pairs() {
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    // A single one is split.
    is("AP[CGoban:3]", pair("CGoban", "3"));
    is("AP[CGoban:3]", ["CGoban".to_owned(), "3".to_owned()]);
    is(r"AP[C\:G:3:1]", pair("C:G", "3:1"));
    is("FG[257:Diagram]", (257u32, "Diagram".to_owned()));
    is("SZ[13:9]", (13u8, 9u8));
    is("SZ[19]", (19u8, 19u8));
    is("AP[a:b]", Compose(SimpleText::new("a"), SimpleText::new("b")));
    is_not::<(String, String)>("AP[CGoban]", "AP (byte 4): expected two components with `:` between them");
    // Lists are lists of them.
    is("LB[aa:A][bb:B]", vec![pair("aa", "A"), pair("bb", "B")]);
    is("LB[aa:A][bb:B]", [pair("aa", "A"), pair("bb", "B")]);
    is("AR[aa:bb]", vec![(go::Point::parse("aa").unwrap(), go::Point::parse("bb").unwrap())]);
    is("LB[aa:A]", [("aa".to_owned(), 'A')]);
    is_not::<Vec<(String, String)>>("LB[aa:A][bb]", "LB (byte 10): expected two components with `:` between them");
    // Of what nobody knows, one value splits, and several are a list.
    is("XX[a:b]", pair("a", "b"));
    is("XX[a:b][c:d]", pair("a:b", "c:d"));
    is("XX[a:b][c:d]", vec![pair("a", "b"), pair("c", "d")]);
    is("XX[a:b:c]", ("a".to_owned(), pair("b", "c")));
    is_not::<(u8, u8)>("XX[1:x]", "XX (byte 6): expected u8, found \"x\"");

    #[derive(Debug, PartialEq, Deserialize)]
    struct Label(String, char);
    is("LB[aa:A]", vec![Label("aa".into(), 'A')]);
}

#[test]
fn lists_of_composed_values_are_maps() {
    let labels = BTreeMap::from([("aa".to_owned(), "A".to_owned()), ("bb".to_owned(), "B:C".to_owned())]);
    is("LB[aa:A][bb:B:C]", labels);
    is("LB[aa:A]", HashMap::from([("aa".to_owned(), 'A')]));
    is("LB[aa:A]", BTreeMap::from([(go::Point::parse("aa").unwrap(), 'A')]));
    is_not::<BTreeMap<String, u8>>("LB[aa:1][bb:B]", "LB (byte 13): expected u8, found \"B\"");
    is_not::<BTreeMap<String, u8>>("LB[aa]", "expected two components with `:` between them");

    #[derive(Debug, PartialEq, Deserialize)]
    struct Match {
        length: u8,
        game: u8,
    }
    is("GM[6]MI[length:7][game:2][start:x]", Match { length: 7, game: 2 });
}

#[test]
fn typed_values_are_read_raw() {
    is("B[dd]", go::Move::parse("dd").unwrap());
    is("B[]", go::Move::Pass);
    is("DT[1996-12-27,28]", Dates::parse("1996-12-27,28").unwrap());
    is("RE[B+R]", GameResult::parse("B+R").unwrap());
    is("SZ[19]", Size::square(19).unwrap());
    is(r"RU[a\\b]", Ruleset::parse(r"a\\b").unwrap());
    is(r"XX[a\\b][c]", vec![Ruleset::parse(r"a\\b").unwrap(), Ruleset::parse("c").unwrap()]);
    is(r"AP[a\:b:c]", Application::parse(r"a\:b:c").unwrap());
    is("AB[aa:ba]", vec![go::Point::parse("aa").unwrap(), go::Point::parse("ba").unwrap()]);
    is_not::<go::Move>("B[x]", "B (byte 5): move: expected a letter, found \"x\"");
}

#[test]
fn anything_is_what_the_registry_says() {
    for (property, expected) in [
        ("HA[4]", json!(4)),
        ("HA[x]", json!("x")),
        ("KM[6]", json!(6.0)),
        ("KM[6,5]", json!(6.5)),
        ("KM[6,500]", json!("6,500")), // thousands, or thousandths
        ("KM[]", json!("")),
        ("KM[six]", json!("six")),
        ("TM[60]", json!(60.0)),
        ("SZ[19]", json!(19)),
        ("SZ[19:9]", json!("19:9")),
        ("PB[1]", json!("1")),
        ("PB[true]", json!("true")),
        ("KO[]", json!("")),
        ("B[]", json!("")),
        ("C[a\nb][c]", json!("a\nb\n\nc")),
        ("AB[aa:ba]", json!(["aa", "ba"])),
        ("DD[]", json!([])),
        ("LB[aa:A]", json!(["aa:A"])),
        ("XX[1]", json!(["1"])),
        ("XX[]", json!([""])),
        ("PB[a][b]", json!("a")),
    ] {
        is(property, expected);
    }
    is("XX[1]", IgnoredAnyEq);
}

#[derive(Debug, Deserialize)]
#[serde(from = "IgnoredAny")]
struct IgnoredAnyEq;

impl From<IgnoredAny> for IgnoredAnyEq {
    fn from(_: IgnoredAny) -> Self {
        IgnoredAnyEq
    }
}

impl PartialEq for IgnoredAnyEq {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

#[test]
fn untagged_enums_work_by_the_registry() {
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(untagged)]
    enum Komi {
        Number(f64),
        Words(String),
    }
    is("KM[6.5]", Komi::Number(6.5));
    is("KM[six]", Komi::Words("six".into()));
}

#[test]
fn invalid_values_may_be_none() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Game {
        #[serde(rename = "KM", default, deserialize_with = "de::invalid_option")]
        komi: Option<f32>,
    }
    assert_eq!(
        read::<Vec<Game>>("(;KM[6.5])(;KM[six])(;)"),
        Ok(vec![Game { komi: Some(6.5) }, Game { komi: None }, Game { komi: None }])
    );
}

#[test]
fn strings_borrow_from_slices() {
    #[derive(Deserialize)]
    struct Game<'a> {
        #[serde(rename = "PB")]
        black: &'a str,
        #[serde(rename = "C", borrow)]
        comment: Cow<'a, str>,
        #[serde(rename = "PW", borrow)]
        white: Cow<'a, str>,
        #[serde(rename = "XX")]
        raw: &'a [u8],
        #[serde(rename = "LB", borrow)]
        labels: Vec<(&'a str, &'a str)>,
        #[serde(rename = "$mainline", borrow)]
        moves: Vec<BTreeMap<&'a str, &'a str>>,
    }
    let sgf = String::from(r"(;PB[Shusaku]PW[a\]b]C[none]XX[raw\]]LB[aa:A];B[dd];W[pp])");
    let game: Game<'_> = sgf_stream::from_str(&sgf).unwrap();
    let inside = |text: &[u8]| sgf.as_bytes().as_ptr_range().contains(&text.as_ptr());
    assert!(inside(game.black.as_bytes()) && inside(game.raw) && inside(game.labels[0].1.as_bytes()));
    assert!(matches!(game.comment, Cow::Borrowed(text) if inside(text.as_bytes())));
    assert!(matches!(&game.white, Cow::Owned(text) if text == "a]b"));
    assert_eq!(game.raw, br"raw\]");
    let moves: Vec<_> = game.moves.iter().flatten().map(|(&name, &point)| (name, point)).collect();
    assert_eq!(moves, [("B", "dd"), ("W", "pp")]);
    assert!(moves.iter().all(|(name, point)| inside(name.as_bytes()) && inside(point.as_bytes())));

    // What has changed cannot be borrowed.
    let error = sgf_stream::from_str::<Root<&str>>(r"(;PB[a\]b])").err().unwrap();
    assert!(error.to_string().ends_with("PB (byte 4): expected a borrowed string, found \"a]b\""), "{error}");
}

#[test]
fn names_are_upper_case_letters() {
    is("CoPyright[x]C[y]", "y".to_owned());

    #[derive(Debug, PartialEq, Deserialize)]
    struct Old {
        #[serde(rename = "CP")]
        copyright: String,
        #[serde(rename = "SZ")]
        size: u8,
    }
    assert_eq!(read("(;CoPyright[x]SiZe[9])"), Ok(Old { copyright: "x".into(), size: 9 }));
    assert_eq!(read("(;CoPyright[x]CP[y]SiZe[9])"), Ok(Old { copyright: "x".into(), size: 9 }));
    let names = read::<BTreeMap<String, Value>>("(;CoPyright[x]SiZe[9])").unwrap();
    assert_eq!(names.keys().collect::<Vec<_>>(), ["CP", "SZ"]);
}

#[test]
fn names_may_be_newtypes_however_they_are_spelled() {
    #[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
    struct Name(String);

    let name = |name: &str| Name(name.to_owned());
    let names = read::<BTreeMap<Name, Name>>("(;CoPyright[a]PB[b])").unwrap();
    assert_eq!(names, BTreeMap::from([(name("CP"), name("a")), (name("PB"), name("b"))]));
}

/// The values of Go that depend on the board, among others that do not.
const OF_GO: [&str; 20] = [
    "dd", "tt", "TT", "", " ", "pass", "PASS ", "Q16", "q\n16", "a1", "T19", "Z25", "I1", "zz", "Tt", "sst", "t\\t",
    "tt:uu", "A1:C3", "?",
];

/// The sides of boards: each kind of root, and what it says of the size.
const BOARDS: [(&str, &str); 7] = [
    ("", "19"),
    ("SZ[9]", "9"),
    ("SZ[19]", "19"),
    ("SZ[20]", "20"),
    ("SZ[21:19]", "21:19"),
    ("GM[1]SZ[25]", "25"),
    ("SZ[52]", "52"),
];

#[test]
fn moves_and_points_are_read_on_the_board() {
    use go::{Move, Point};

    #[derive(Debug, Deserialize, PartialEq)]
    struct Whole<T> {
        #[serde(rename = "$mainline", bound(deserialize = "T: Deserialize<'de>"))]
        nodes: Vec<T>,
    }
    #[derive(Debug, Deserialize, PartialEq)]
    enum Step {
        B(Move),
        #[serde(other)]
        Other,
    }
    #[derive(Debug, Default, Deserialize, PartialEq)]
    struct Node {
        #[serde(rename = "B")]
        play: Option<Move>,
        #[serde(rename = "TR", default)]
        points: Vec<Point>,
        #[serde(rename = "SQ")]
        list: Option<PointList>,
        #[serde(rename = "CR", default)]
        rects: Vec<Rect>,
        #[serde(rename = "LB", default)]
        labels: BTreeMap<Point, String>,
    }

    for (root, size) in BOARDS {
        let size = Size::parse(size).unwrap();
        for raw in OF_GO {
            let game = format!("(;{root};B[{raw}])");
            let expected = AnyMove::parse_lenient(raw, sgf_stream::Game::Go, Some(size)).ok();
            let step = read::<Whole<Step>>(&game).ok().map(|game| game.nodes);
            let node = read::<Whole<Node>>(&game).ok().map(|game| game.nodes[0].play);
            let of = |play: Move| AnyMove::Go(play);
            assert_eq!(node.map(|play| play.map(of)), expected.clone().map(Some), "{game}");
            let step = step.map(|mut steps| steps.remove(0));
            let is_same = match (&step, &expected) {
                (Some(Step::B(play)), Some(expected)) => of(*play) == *expected,
                (None, None) => true,
                _ => false,
            };
            assert!(is_same, "{game}: {step:?}, not {expected:?}");

            let point = Point::parse_on_lenient(raw, size).or_else(|_| Point::parse_lenient(raw)).ok();
            let list = PointList::parse_on_lenient([raw], size).ok();
            let marks = |ident: &str| read::<Whole<Node>>(format!("(;{root};{ident}[{raw}])")).ok();
            if !raw.contains(':') && !raw.trim().is_empty() {
                let points = marks("TR").map(|mut game| game.nodes.remove(0).points);
                assert_eq!(points, point.map(|point| vec![point]), "{root} {raw}");
                let labels = read::<Whole<Node>>(format!("(;{root};LB[{raw}:x])")).ok();
                let labels = labels.map(|mut game| game.nodes.remove(0).labels.into_keys().collect::<Vec<_>>());
                assert_eq!(labels, point.map(|point| vec![point]), "{root} {raw}");
                let rects = marks("CR").map(|mut game| game.nodes.remove(0).rects);
                assert_eq!(rects, point.map(|point| vec![Rect::from(point)]), "{root} {raw}");
            }
            assert_eq!(marks("SQ").map(|mut game| game.nodes.remove(0).list.unwrap_or_default()), list, "{root} {raw}");
        }
    }
    // Text in a charset is decoded first; other formats know no board.
    let big5 = "(;CA[Big5]SZ[21];B[tt];B[Q16])";
    let nodes = read::<Whole<Step>>(big5).unwrap().nodes;
    assert_eq!(nodes, [Step::B(Point::new(19, 19).unwrap().into()), Step::B(Point::new(15, 5).unwrap().into())]);
    assert_eq!(serde_json::from_str::<Move>(r#""tt""#).unwrap(), Move::Pass);
}
