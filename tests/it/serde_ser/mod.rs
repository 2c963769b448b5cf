//! Serializing: a table for every row of the mapping, and for what is refused.

mod corpus;
mod enums;
mod laws;

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::io;

use serde::ser::{SerializeSeq, Serializer as _};
use serde::{Deserialize, Serialize};
use sgf_stream::ser::{Error, Serializer};
use sgf_stream::value::{
    Application, Compose, Dates, Double, GameResult, Number, PointList, Real, Rect, Ruleset, SimpleText, Size, Text, go,
};
use sgf_stream::{Parser, de, from_slice, to_string, to_vec, to_writer};

use crate::support::EachEvent;

/// Writes a game with only this property. Returns the text between `(;` and `)`, or the error.
#[track_caller]
fn property<T: Serialize>(name: &str, value: T) -> Result<String, String> {
    game(&One(name, value))
}

/// A game of one property: a map, without the code that maps of the standard library need for each type.
struct One<'n, T>(&'n str, T);

impl<T: Serialize> Serialize for One<'_, T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map([(self.0, &self.1)])
    }
}

/// Writes a game. Returns the text between `(` and `)`, or the error without the game's number.
#[track_caller]
fn game<T: Serialize + ?Sized>(game: &T) -> Result<String, String> {
    one(to_string(game))
}

#[track_caller]
fn one(written: Result<String, Error>) -> Result<String, String> {
    match written {
        Ok(sgf) => {
            Parser::strict().each_event(sgf.as_bytes(), |_, _| {}).expect("strict mode reads what is written");
            let sgf = sgf.strip_suffix(")\n").expect("a line break ends a game");
            Ok(sgf.strip_prefix("(;").expect("a game").to_owned())
        }
        Err(error) => {
            let error = error.to_string();
            Err(error.strip_prefix("game 1, root, ").map(ToOwned::to_owned).unwrap_or(error))
        }
    }
}

/// `rows! { name, value => written; … }`
macro_rules! rows {
    ($($name:literal, $value:expr => $written:literal;)*) => {
        $(assert_eq!(property($name, $value), Ok($written.to_owned()), "{}", stringify!($name, $value));)*
    };
}

/// `refused! { name, value => error; … }`
macro_rules! refused {
    ($($name:literal, $value:expr => $error:literal;)*) => {
        $(assert_eq!(property($name, $value), Err($error.to_owned()), "{}", stringify!($name, $value));)*
    };
}

#[derive(Serialize)]
enum Color {
    W,
}

#[derive(Serialize)]
struct Newtype<T>(T);

#[derive(Serialize)]
struct Unit;

struct Bytes<'a>(&'a [u8]);

impl Serialize for Bytes<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0)
    }
}

#[test]
fn single_values() {
    rows! {
        "HA", 2u8 => "HA[2]";
        "HA", -2i8 => "HA[-2]";
        "HA", i64::MIN => "HA[-9223372036854775808]";
        "HA", i64::MAX as u64 => "HA[9223372036854775807]";
        "HA", 5i128 => "HA[5]";
        "HA", 5u128 => "HA[5]";
        "HA", Number::new(7) => "HA[7]";
        "KM", 6.5f64 => "KM[6.5]";
        "KM", 0.1f32 => "KM[0.1]";
        "KM", 7.0f64 => "KM[7]";
        "KM", -0.0f64 => "KM[0]";
        "KM", 1e20f64 => "KM[100000000000000000000]";
        "KM", 1e-7f64 => "KM[0.0000001]";
        "KM", Real::new(0.5) => "KM[0.5]";
        "GB", Double::Emphasized => "GB[2]";
        "KO", true => "KO[]";
        "KO", () => "KO[]";
        "KO", Unit => "KO[]";
        "PL", 'B' => "PL[B]";
        "PL", ']' => "PL[\\]]";
        "PL", Color::W => "PL[W]";
        "PB", "Shusaku" => "PB[Shusaku]";
        "PB", "" => "PB[]";
        "PB", Some("Shusaku") => "PB[Shusaku]";
        "PB", Some(Some(Newtype(Newtype("Shusaku")))) => "PB[Shusaku]";
        "B", "" => "B[]";
        "B", go::Move::Pass => "B[]";
        "QQQ", "a private property" => "QQQ[a private property]";
    }
}

#[test]
fn nothing_is_written_of_what_is_not_there() {
    rows! {
        "PB", None::<String> => "";
        "KO", false => "";
        "PB", Vec::<String>::new() => "";
        "AB", Vec::<String>::new() => "";
        "AB", PointList::<go::Point>::new() => "";
        "LB", BTreeMap::<String, String>::new() => "";
        "QQQ", [""; 0] => "";
    }
}

#[test]
fn an_empty_list_that_may_be_empty_is_there() {
    rows! {
        "DD", Vec::<String>::new() => "DD[]";
        "TB", Some(BTreeSet::<String>::new()) => "TB[]";
        "VW", PointList::<go::Point>::new() => "VW[]";
    }
}

#[test]
fn texts_are_escaped_by_their_type() {
    rows! {
        "C", "a]b\\c:d[e" => "C[a\\]b\\\\c:d[e]";
        "C", "one\ntwo\n\nthree" => "C[one\ntwo\n\nthree]";
        "PB", "a]b\\c:d" => "PB[a\\]b\\\\c:d]";
        "QQQ", "one\ntwo" => "QQQ[one\ntwo]";
        "C", Text::new("a]\nb") => "C[a\\]\nb]";
        "PB", SimpleText::new("a]b") => "PB[a\\]b]";
        "C", "\u{0}\u{1B}\u{7F}" => "C[\u{0}\u{1B}\u{7F}]";
        // What a lenient reader would take for the head of a game.
        "C", "see\n  (;FF[4" => "C[see\n  (;FF\\[4]";
        "PB", "see (;GM[1" => "PB[see (;GM\\[1]";
        "C", "see (;FF[4]" => "C[see (;FF[4\\]]";
    }
}

#[test]
fn typed_values_are_raw_already() {
    rows! {
        "RU", Ruleset::parse(r"a\\b").unwrap() => r"RU[a\\b]";
        "RU", Newtype(Some(Ruleset::parse(r"a\]b").unwrap())) => r"RU[a\]b]";
        "DT", Dates::parse("1996-12-27,28").unwrap() => "DT[1996-12-27,28]";
        "RE", GameResult::parse("B+R").unwrap() => "RE[B+Resign]";
        "SZ", Size::parse("17:3").unwrap() => "SZ[17:3]";
        "AP", Application::parse(r"CGoban:3\:x").unwrap() => r"AP[CGoban:3\:x]";
        "B", go::Move::parse("dd").unwrap() => "B[dd]";
        "AB", PointList::<go::Point>::parse(["aa:bb"]).unwrap() => "AB[aa][ba][ab][bb]";
        "AB", vec![Rect::<go::Point>::parse("aa:bb").unwrap()] => "AB[aa:bb]";
    }
}

#[test]
fn raw_bytes_go_out_as_they_are() {
    for raw in [&b""[..], b"a", br"\]", br"\\", b"\xFF\xFE", b"[", b"a:b"] {
        let game = BTreeMap::from([("QQQ", Bytes(raw))]);
        assert_eq!(to_vec(&game).unwrap(), [b"(;QQQ[", raw, b"])\n"].concat(), "{raw:?}");
    }
    for raw in [&b"]"[..], b"\\", br"\\\", b"a]b"] {
        let error = property("QQQ", Bytes(raw)).unwrap_err();
        assert!(error.starts_with("QQQ: expected a raw value"), "{error}");
    }
}

#[test]
fn raw_values_that_lenient_reading_would_cut_are_refused() {
    let error = property("C", Bytes(b"see\n(;FF[4")).unwrap_err();
    assert!(
        error.starts_with("C: expected a raw value, found one with an unescaped `[` that would start a game"),
        "{error}"
    );
}

/// In Shift_JIS the second byte of a character may be a backslash, or a bracket.
#[test]
fn raw_bytes_are_sound_by_the_charset_that_is_declared() {
    let so = &b"\x83\x5C"[..];
    #[derive(Serialize)]
    #[serde(rename_all = "UPPERCASE")]
    struct Game<'a> {
        ca: &'a str,
        pb: Bytes<'a>,
    }
    let written = to_vec(&Game { ca: "Shift_JIS", pb: Bytes(so) }).unwrap();
    assert_eq!(written, b"(;CA[Shift_JIS]PB[\x83\x5C])\n");
    assert!(to_vec(&Game { ca: "UTF-8", pb: Bytes(so) }).is_err());

    #[derive(Serialize)]
    #[serde(rename_all = "UPPERCASE")]
    struct Late<'a> {
        pb: Bytes<'a>,
        ca: &'a str,
    }
    assert!(to_vec(&Late { ca: "Shift_JIS", pb: Bytes(so) }).is_err(), "a reader does not know it yet");
    #[derive(Serialize)]
    struct Tree<'a>(Late<'a>, Late<'a>);
    let plain = || Late { ca: "Shift_JIS", pb: Bytes(b"") };
    let after = Tree(plain(), Late { ca: "", pb: Bytes(so) });
    assert_eq!(to_vec(&[after]).unwrap(), b"(;PB[]CA[Shift_JIS];PB[\x83\x5C]CA[])\n");
}

#[test]
fn lists() {
    rows! {
        "AB", vec!["aa", "bb"] => "AB[aa][bb]";
        "AB", BTreeSet::from(["bb", "aa"]) => "AB[aa][bb]";
        "AB", ["aa", "bb", "cc"] => "AB[aa][bb][cc]";
        "AB", ("aa", 'b', 3) => "AB[aa][b][3]";
        "AB", Some(vec!["aa"]) => "AB[aa]";
        "PB", vec!["a", "b"] => "PB[a][b]";
        "PB", vec![""] => "PB[]";
        "QQQ", vec![1.5, 2.0] => "QQQ[1.5][2]";
        "QQQ", vec![Some(1), Some(2)] => "QQQ[1][2]";
        "QQQ", vec![true, true] => "QQQ[][]";
    }
}

#[test]
fn tuples_are_composed_values_or_lists_as_the_registry_says() {
    rows! {
        // A composed value.
        "SZ", (17, 3) => "SZ[17:3]";
        "SZ", [17, 3] => "SZ[17:3]";
        "SZ", (19, 19) => "SZ[19]";
        "AP", ("CGoban", "3:1") => r"AP[CGoban:3\:1]";
        "AP", Some(Compose(SimpleText::new("a:b"), SimpleText::new("c]"))) => r"AP[a\:b:c\]]";
        "FG", (257, "Diagram: 1") => r"FG[257:Diagram\: 1]";
        "QQQ", (1, 'x') => "QQQ[1:x]";
        "PB", ("a", "b") => "PB[a:b]";
        // A list of two.
        "AB", ["aa", "bb"] => "AB[aa][bb]";
        "AB", ("aa", "bb") => "AB[aa][bb]";
        // Lists of composed values.
        "LB", vec![("aa", "A"), ("bb", "B:]")] => r"LB[aa:A][bb:B\:\]]";
        "LB", [("aa", "A"), ("bb", "B")] => "LB[aa:A][bb:B]";
        "LB", (("aa", "A"),) => "LB[aa:A]";
        "AR", vec![["aa", "bb"]] => "AR[aa:bb]";
        "AR", vec![(go::Point::parse("aa").unwrap(), go::Point::parse("bb").unwrap())] => "AR[aa:bb]";
        "QQQ", ((1, 2), (3, 4)) => "QQQ[1:2][3:4]";
        "QQQ", vec![vec![1, 2]] => "QQQ[1:2]";
    }
}

#[test]
fn maps_are_lists_of_composed_values() {
    rows! {
        "LB", BTreeMap::from([("aa", "A"), ("bb", "B:]")]) => r"LB[aa:A][bb:B\:\]]";
        "LB", BTreeMap::from([(go::Point::parse("aa").unwrap(), 1)]) => "LB[aa:1]";
        "MI", BTreeMap::from([("length", 7), ("ga:me", 1)]) => r"MI[ga\:me:1][length:7]";
        "LB", Some(BTreeMap::from([('a', Some(SimpleText::new("A")))])) => "LB[a:A]";
    }
}

#[test]
fn structs_are_maps_of_their_fields() {
    #[derive(Serialize)]
    struct Match<'a> {
        length: u8,
        crawford: bool,
        site: Option<&'a str>,
    }
    let of = |site, crawford| property("MI", Match { length: 7, crawford, site });
    assert_eq!(of(Some("a:b"), true), Ok(r"MI[length:7][crawford:][site:a\:b]".to_owned()));
    assert_eq!(of(None, false), Ok("MI[length:7]".to_owned()));
    #[derive(Serialize)]
    enum Node {
        MI { length: u8, game: Option<u8> },
    }
    assert_eq!(game(&[[Node::MI { length: 7, game: None }]]), Ok("MI[length:7]".to_owned()));
}

/// A typed value that is a text is written in its raw form, with bare colons.
#[test]
fn a_raw_first_part_does_not_divide_early() {
    let rules = Ruleset::parse(r"a:b\]").unwrap();
    assert_eq!(property("QQQ", (&rules, "x")), Ok(r"QQQ[a\:b\]:x]".to_owned()));
    assert_eq!(property("QQQ", ("x", &rules)), Ok(r"QQQ[x:a:b\]]".to_owned()));
    assert_eq!(property("QQQ", BTreeMap::from([(r"a\", &rules)])), Ok(r"QQQ[a\\:a:b\]]".to_owned()));
}

#[test]
fn what_cannot_be_held_is_refused() {
    refused! {
        "PB", "a\tb" => "PB: the text has tabs (U+0009), which SGF cannot represent; see `Serializer::normalize`";
        "C", "a\u{B}b" => "C: the text has vertical tabs (U+000B), which SGF cannot represent; see `Serializer::normalize`";
        "C", "a\u{C}b" => "C: the text has form feeds (U+000C), which SGF cannot represent; see `Serializer::normalize`";
        "C", "a\r\nb" => "C: the text has carriage returns (U+000D), which SGF cannot represent; see `Serializer::normalize`";
        "C", "a\n\rb" => "C: the text has carriage returns (U+000D), which SGF cannot represent; see `Serializer::normalize`";
        "PB", "a\nb" => "PB: the text has line breaks, which its property does not allow; see `Serializer::normalize`";
        "LB", vec![("aa", "a\nb")] => "LB: the text has line breaks, which its property does not allow; see `Serializer::normalize`";
        "KM", f64::NAN => "KM: expected a finite number, found NaN";
        "KM", f32::NEG_INFINITY => "KM: expected a finite number, found -inf";
        "PB", Some(None::<String>) => "PB: expected a value that differs from an absent one, found `None`";
        "KO", Some(false) => "KO: expected a value that differs from an absent one, found `false`";
        "AB", Some(Vec::<String>::new()) => "AB: expected at least one value, found an empty list";
        "AB", vec![""] => "AB: expected a point, found an empty value, which would be an empty list";
        "DD", [""] => "DD: expected a point, found an empty value, which would be an empty list";
        "AB", vec![" \n"] => "AB: the text has line breaks, which its property does not allow; see `Serializer::normalize`";
        "AB", vec![" "] => "AB: expected a point, found an empty value, which would be an empty list";
        "AB", vec!["aa:bb"] => "AB: expected a point, or a `value::Rect`, found a string that would be read as a rectangle";
        "AB", [Bytes(b"aa:bb")] => "AB: expected a point, or a `value::Rect`, found a string that would be read as a rectangle";
        "SZ", (1, 2, 3) => "SZ: expected a tuple of two single values, found a different tuple";
        "SZ", ((1, 2), (3, 4)) => "SZ: expected a tuple of two single values, found a different tuple";
        "QQQ", ("a\nb", 'c') => "QQQ: the text has line breaks, which its property does not allow; see `Serializer::normalize`";
        "QQQ", (Bytes(b"a:b"), 'c') => "QQQ: expected a first component without a colon, found raw bytes with one";
        "PB", vec![None::<String>] => "PB: expected a value, or a tuple of two values, found `None`";
        "PB", vec![true, false] => "PB: expected a value, or a tuple of two values, found `false`";
        "LB", vec![("aa", "b", "c")] => "LB: expected a tuple of two values, found a longer one";
        "LB", vec![("aa",)] => "LB: expected a tuple of two values, found a shorter one";
        "LB", vec![(("aa", "b"), "c")] => "LB: expected a single value, found a tuple";
        "LB", vec![BTreeMap::from([(1, 2)])] => "LB: expected a value, or a tuple of two values, found a map";
        "LB", BTreeMap::from([("aa", vec!["b"])]) => "LB: expected a single value, found a sequence";
        "PB", Ok::<u8, u8>(1) => "PB: expected a value, or a list, a tuple or a map of values, found an enum with a value";
        "Pb", 1 => "Pb: expected an identifier of upper-case letters only";
        "P0", 1 => "P0: expected an identifier of upper-case letters only; `Properties::retain` removes it, and a `GameTree` \
         writes it";
        "", 1 => ": expected an identifier of upper-case letters only";
    }
}

#[test]
fn what_cannot_be_held_is_normalized_on_demand() {
    for (name, text, written) in [
        ("C", "a\tb\u{B}\u{C}c", "a b  c"),
        ("C", "a\r\nb\rc\n\rd\n\ne", "a\nb\nc\nd\n\ne"),
        ("PB", "a\r\nb\rc\n\rd\n\ne", "a b c d  e"),
        ("QQQ", "a\r\nb\t", "a\nb "),
        ("C", "]\t\\", "\\] \\\\"),
    ] {
        let mut serializer = Serializer::new(Vec::new()).normalize(true);
        BTreeMap::from([(name, text)]).serialize(&mut serializer).unwrap();
        let written = format!("(;{name}[{written}])\n");
        assert_eq!(String::from_utf8(serializer.finish().unwrap()).unwrap(), written, "{text:?}");
    }
}

#[derive(Serialize, Default)]
struct Tree<'a> {
    #[serde(rename = "$variations")]
    variations: Vec<Tree<'a>>,
    #[serde(rename = "$nodes")]
    nodes: Vec<Step<'a>>,
    #[serde(rename = "C")]
    comment: Option<&'a str>,
    #[serde(rename = "$root")]
    root: Step<'a>,
}

#[derive(Serialize, Default)]
enum Step<'a> {
    B(&'a str),
    W(Option<&'a str>),
    LB(&'a str, &'a str),
    SZ(u8, u8),
    KO,
    #[default]
    Other,
}

/// The fields are declared from the last to the first.
#[test]
fn trees_are_in_the_order_of_the_file() {
    let leaf = |point| Tree { root: Step::B(point), ..Tree::default() };
    let tree = Tree {
        root: Step::B("aa"),
        comment: Some("root"),
        nodes: vec![Step::W(Some("bb")), Step::Other, Step::KO],
        variations: vec![
            Tree { variations: vec![leaf("dd"), leaf("ee")], ..leaf("cc") },
            Tree { nodes: vec![Step::LB("aa", "bb"), Step::SZ(1, 2)], ..leaf("ff") },
        ],
    };
    let written = "C[root]B[aa];W[bb];;KO[](;B[cc](;B[dd])(;B[ee]))(;B[ff];LB[aa][bb];SZ[1:2])";
    assert_eq!(game(&tree), Ok(written.to_owned()));
    assert_eq!(to_string(&[&leaf("aa"), &leaf("bb")]).unwrap(), "(;B[aa])\n(;B[bb])\n");
}

#[test]
fn a_game_is_a_struct_a_map_or_a_sequence_of_nodes() {
    #[derive(Serialize)]
    struct MainLine<'a> {
        #[serde(rename = "$mainline")]
        moves: [Step<'a>; 2],
        #[serde(rename = "PB")]
        black: &'a str,
    }
    let main_line = MainLine { moves: [Step::B("aa"), Step::W(Some("bb"))], black: "X" };
    assert_eq!(game(&main_line), Ok("PB[X];B[aa];W[bb]".to_owned()));
    assert_eq!(game(&Some(Newtype(&main_line))), Ok("PB[X];B[aa];W[bb]".to_owned()));

    // A sequence of games, whose nodes are anything that a node can be.
    let nodes = (BTreeMap::from([("FF", 4)]), Step::B("aa"), Newtype(Unit), (), Some(Step::Other));
    assert_eq!(game(&[&nodes]), Ok("FF[4];B[aa];;;".to_owned()));
    assert_eq!(game(&(Newtype(&nodes),)), Ok("FF[4];B[aa];;;".to_owned()));
    assert_eq!(to_string(&vec![vec![Step::KO], vec![Step::Other]]).unwrap(), "(;KO[])\n(;)\n");

    let value = serde_json::json!({
        "$nodes": [{"B": "dd"}, {"W": "pp", "C": "a\nb"}],
        "$variations": [{"B": "qq", "$variations": []}, [{"B": "rr"}]],
        "FF": 4, "AB": ["aa", "bb"],
    });
    assert_eq!(game(&value), Ok("AB[aa][bb]FF[4];B[dd];C[a\nb]W[pp](;B[qq])(;B[rr])".to_owned()));
}

#[test]
fn a_line_has_the_root_as_its_first_node() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Game {
        #[serde(rename = "PB")]
        black: String,
        #[serde(rename = "$line")]
        line: Vec<Played>,
    }
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    enum Played {
        B(String),
        W(String),
        #[serde(other)]
        Other,
    }
    let played = |point: &str| Played::B(point.to_owned());
    for (line, written) in [
        (vec![Played::Other, played("aa")], "PB[X];B[aa]"),
        (vec![played("aa"), Played::W("bb".to_owned()), Played::Other], "PB[X]B[aa];W[bb];"),
        (vec![Played::Other], "PB[X]"),
    ] {
        let of_line = Game { black: "X".to_owned(), line };
        assert_eq!(game(&of_line), Ok(written.to_owned()));
        assert_eq!(sgf_stream::from_str::<Game>(&to_string(&of_line).unwrap()).unwrap(), of_line);
    }
}

#[test]
fn fields_that_name_no_part_of_a_tree_are_refused() {
    #[derive(Serialize)]
    struct Both {
        #[serde(rename = "$mainline")]
        moves: Vec<()>,
        #[serde(rename = "$variations", skip_serializing_if = "Vec::is_empty")]
        variations: Vec<()>,
    }
    let why = "$variations: expected only one of `$line`, `$mainline`, or `$nodes` and `$variations`; \
               the main line runs through the first variations, so its nodes would be written twice";
    assert_eq!(game(&Both { moves: vec![], variations: vec![] }), Err(why.to_owned()));

    let field = |field, value: serde_json::Value| game(&BTreeMap::from([(field, value)])).unwrap_err();
    for (name, value, error) in [
        (
            "$moves",
            serde_json::json!([]),
            "$moves: expected a property, `$root`, `$line`, `$mainline`, `$nodes`, `$variations` or `$rest`",
        ),
        ("$line", serde_json::json!(1), "$line: expected a sequence of nodes, found a number"),
        ("$line", serde_json::json!([]), "$line: a game tree needs at least one node"),
        ("$nodes", serde_json::json!(1), "$nodes: expected a sequence of nodes, which may be empty, found a number"),
        ("$nodes", serde_json::json!(null), "$nodes: expected a sequence of nodes, which may be empty, found a unit"),
        ("$nodes", serde_json::json!({}), "$nodes: expected a sequence of nodes, which may be empty, found a map"),
        (
            "$variations",
            serde_json::json!("x"),
            "$variations: expected a sequence of game trees, which may be empty, found a string",
        ),
        ("$root", serde_json::json!([]), "$root: expected a node: a struct, a map or an enum, found a sequence"),
        ("$root", serde_json::json!(true), "$root: expected a node: a struct, a map or an enum, found a boolean"),
        ("$rest", serde_json::json!(["x"]), "$rest: expected a map of properties, found a sequence"),
        (
            "$nodes",
            serde_json::json!([{"$nodes": []}]),
            "game 1, node 2, $nodes: expected a property or `$rest` in a node",
        ),
        ("$variations", serde_json::json!([[]]), "game 1, node 2, $variations: a game tree needs at least one node"),
        (
            "$variations",
            serde_json::json!([null]),
            "game 1, node 2, $variations: expected a game tree: a struct, a map or a sequence of nodes, found a unit",
        ),
    ] {
        assert_eq!(field(name, value), error);
    }
}

#[test]
fn what_is_no_game_is_refused() {
    let enums = "an enum; an enum is a node, so write a game as a `Vec` of them, and a collection as a `Vec` of `Vec`s";
    let top = "expected a game, as a struct or a map, or a sequence of games, found";
    let tree = "game 1: expected a game tree: a struct, a map or a sequence of nodes, found";
    let error = |written: Result<String, Error>| written.unwrap_err().to_string();
    assert_eq!(error(to_string(&1)), format!("{top} a number"));
    assert_eq!(error(to_string("(;)")), format!("{top} a string"));
    assert_eq!(error(to_string(&None::<Tree<'_>>)), format!("{top} `None`"));
    assert_eq!(error(to_string(&())), format!("{top} a unit"));
    assert_eq!(error(to_string(&Step::KO)), format!("{top} {enums}"));
    assert_eq!(error(to_string(&[Step::KO])), format!("{tree} {enums}"));
    assert_eq!(error(to_string(&[Some(1)])), format!("{tree} a number"));
    assert_eq!(error(to_string(&[Vec::<Step<'_>>::new()])), "game 1: a game tree needs at least one node");
    assert_eq!(error(to_string(&Vec::<Tree<'_>>::new())), "an SGF file needs at least one game");
    let nodes = |node| error(to_string(&[vec![Step::Other, node]]));
    assert_eq!(
        nodes(Step::W(None)),
        "game 1, node 2, W: expected a value that differs from an absent one, found `None`"
    );
    #[derive(Serialize)]
    enum Odd {
        Newtype(u8),
        Tuple(u8, u8),
        Fields { a: u8 },
        MI { a: Vec<u8> },
    }
    let odd = |node: Odd| error(to_string(&[[node]]));
    assert_eq!(odd(Odd::Newtype(1)), "game 1, root, Newtype: expected an identifier of upper-case letters only");
    assert_eq!(odd(Odd::Tuple(1, 2)), "game 1, root, Tuple: expected an identifier of upper-case letters only");
    assert_eq!(odd(Odd::Fields { a: 1 }), "game 1, root, Fields: expected an identifier of upper-case letters only");
    assert_eq!(odd(Odd::MI { a: vec![] }), "game 1, root, MI: expected a single value, found a sequence");
}

/// `GM` is the last field, and decides what `AS` and `RE` are.
#[test]
fn the_game_is_known_wherever_its_field_stands() {
    #[derive(Serialize)]
    #[serde(rename_all = "UPPERCASE")]
    struct Root {
        r#as: (&'static str, &'static str),
        gm: u8,
    }
    assert_eq!(game(&Root { r#as: ("33AB", "44"), gm: 19 }), Ok("AS[33AB][44]GM[19]".to_owned()), "a list of Octi");
    assert_eq!(game(&Root { r#as: ("33AB", "44"), gm: 9 }), Ok("AS[33AB:44]GM[9]".to_owned()));
}

#[test]
fn the_charset_is_declared_where_a_text_is_not_ascii() {
    #[derive(Serialize, Default)]
    #[serde(rename_all = "UPPERCASE")]
    struct Root<'a> {
        gm: Option<u8>,
        ff: Option<u8>,
        pb: Option<&'a str>,
        ca: Option<&'a str>,
        #[serde(rename = "$nodes")]
        nodes: Vec<Step<'a>>,
    }
    let root = |pb, ca| Root { pb, ca, ..Root::default() };
    assert_eq!(game(&root(Some("Shusaku"), None)), Ok("PB[Shusaku]".to_owned()));
    assert_eq!(game(&root(Some("秀策"), None)), Ok("CA[UTF-8]PB[秀策]".to_owned()));
    assert_eq!(
        game(&Root { gm: Some(1), ff: Some(4), ..root(Some("秀策"), None) }),
        Ok("GM[1]FF[4]CA[UTF-8]PB[秀策]".to_owned())
    );
    assert_eq!(
        game(&Root { ff: Some(4), nodes: vec![Step::W(Some("囲"))], ..Root::default() }),
        Ok("FF[4]CA[UTF-8];W[囲]".to_owned())
    );
    for label in ["UTF-8", "utf8", "Utf_8"] {
        assert_eq!(game(&root(Some("秀策"), Some(label))), Ok(format!("PB[秀策]CA[{label}]")));
    }
    assert_eq!(game(&root(Some("a"), Some("Shift_JIS"))), Ok("PB[a]CA[Shift_JIS]".to_owned()));
    assert_eq!(
        game(&root(Some("秀策"), Some("Shift_JIS"))),
        Err("CA: expected UTF-8, because the game has texts that are not ASCII, found \"Shift_JIS\"; \
             see `Serializer::replace_charset`"
            .to_owned())
    );
    // Bytes are the caller's.
    assert_eq!(to_vec(&BTreeMap::from([("PB", Bytes(b"\x8F\x47"))])).unwrap(), b"(;PB[\x8F\x47])\n");
    assert_eq!(
        to_string(&BTreeMap::from([("PB", Bytes(b"\x8F\x47"))])).unwrap_err().to_string(),
        "expected UTF-8 only, found raw bytes in another charset; see `to_vec`"
    );
    // The charset that is added would not be that of the bytes.
    #[derive(Serialize)]
    struct Both<'a> {
        #[serde(rename = "PB")]
        black: &'a str,
        #[serde(rename = "PW")]
        white: Bytes<'a>,
    }
    let both = |black, white| to_vec(&Both { black, white: Bytes(white) }).map_err(|error| error.to_string());
    let error = "game 1, root, PW: expected UTF-8, as `CA` will declare, found raw bytes in another charset";
    assert_eq!(both("秀策", b"\x8F\x47"), Err(error.to_owned()));
    assert_eq!(both("Shusaku", b"\x8F\x47"), Ok(b"(;PB[Shusaku]PW[\x8F\x47])\n".to_vec()));
    let raw = from_slice::<de::Properties>("(;PB[秀策]PW[\u{e9}])".as_bytes()).unwrap();
    assert_eq!(to_string(&raw).unwrap(), "(;CA[UTF-8]PB[秀策]PW[\u{e9}])\n");
    let mixed = [b"(;PB[\xE7\xA7\x80]".as_slice(), b"PW[\xE9])\n"].concat();
    assert_eq!(to_vec(&from_slice::<de::Properties>(&mixed).unwrap()).unwrap(), mixed);
    assert_eq!(both("秀策", "囲".as_bytes()), Ok("(;CA[UTF-8]PB[秀策]PW[囲])\n".as_bytes().to_vec()));
}

#[test]
fn rest_joins_the_properties_but_does_not_contradict_them() {
    #[derive(Serialize)]
    struct Root<'a> {
        #[serde(rename = "PB")]
        black: Option<&'a str>,
        #[serde(rename = "$rest")]
        rest: BTreeMap<&'a str, Vec<Bytes<'a>>>,
    }
    let root = |black, name, values: &[&'static [u8]]| {
        game(&Root { black, rest: BTreeMap::from([(name, values.iter().map(|raw| Bytes(raw)).collect())]) })
    };
    assert_eq!(root(Some("X"), "AB", &[b"aa:bb"]), Ok("PB[X]AB[aa:bb]".to_owned()));
    assert_eq!(root(Some("X"), "DD", &[b""]), Ok("PB[X]DD[]".to_owned()));
    assert_eq!(root(Some("X"), "PB", &[b"X"]), Ok("PB[X]".to_owned()));
    // The values in `$rest` are raw, including strings.
    let raw = BTreeMap::from([("$rest", BTreeMap::from([("AP", ["a:b\\]"]), ("FG", [""])]))]);
    assert_eq!(game(&raw), Ok(r"AP[a:b\]]FG[]".to_owned()));
    assert_eq!(root(None, "AB", &[]), Err("AB: expected at least one value, found an empty list".to_owned()));
    let differ = Err("PB: the node has two different properties of this name".to_owned());
    assert_eq!(root(Some("X"), "PB", &[b"Y"]), differ);
    assert_eq!(root(None, "PB", &[b"Y"]), differ);

    #[derive(Serialize)]
    struct Skipped<'a> {
        #[serde(rename = "$rest")]
        rest: BTreeMap<&'a str, &'a str>,
        #[serde(rename = "PB", skip_serializing_if = "Option::is_none")]
        black: Option<&'a str>,
    }
    assert_eq!(game(&Skipped { rest: BTreeMap::from([("PB", "Y")]), black: None }), differ);
    assert_eq!(game(&Skipped { rest: BTreeMap::new(), black: Some("X") }), Ok("PB[X]".to_owned()));
}

#[test]
fn errors_say_where() {
    let nodes = vec![Step::B("aa"), Step::W(Some("b\tb"))];
    let games = vec![vec![Step::Other], vec![Step::KO], nodes];
    let error = to_string(&games).unwrap_err();
    assert!(error.is_data() && !error.is_io());
    assert_eq!((error.game(), error.node(), error.property()), (Some(2), Some(1), Some("W")));
    assert!(error.message().starts_with("the text has tabs"), "{error}");

    // In file order, whatever the order of the fields.
    let faulty = Tree { root: Step::B("\t"), ..Tree::default() };
    let tree = Tree { nodes: vec![Step::KO, Step::KO], variations: vec![Tree::default(), faulty], ..Tree::default() };
    assert_eq!(to_string(&tree).unwrap_err().node(), Some(4));

    // A message of the type's own.
    struct Refuses;
    impl Serialize for Refuses {
        fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
            Err(serde::ser::Error::custom("no"))
        }
    }
    assert_eq!(to_string(&[vec![BTreeMap::from([("PB", Refuses)])]]).unwrap_err().to_string(), "game 1, root, PB: no");
    assert_eq!(to_string(&[[Refuses]]).unwrap_err().to_string(), "game 1, root: no");
    assert_eq!(to_string(&[Refuses]).unwrap_err().to_string(), "game 1: no");
    assert_eq!(io::Error::from(to_string(&Refuses).unwrap_err()).kind(), io::ErrorKind::InvalidData);
}

#[test]
fn a_game_that_is_refused_leaves_nothing() {
    let mut serializer = Serializer::new(Vec::new());
    serializer.serialize_seq(None).unwrap().serialize_element(&vec![Step::B("aa")]).unwrap();
    let faulty = vec![Step::B("bb"), Step::B("\t")];
    let mut games = serializer.serialize_seq(None).unwrap();
    assert_eq!(games.serialize_element(&faulty).unwrap_err().game(), Some(1));
    games.serialize_element(&vec![Step::B("cc")]).unwrap();
    games.end().unwrap();
    BTreeMap::from([("PB", "X")]).serialize(&mut serializer).unwrap();
    assert_eq!(serializer.finish().unwrap(), b"(;B[aa])\n(;B[cc])\n(;PB[X])\n");
}

/// A collection is written as it comes.
#[test]
fn one_game_is_in_memory() {
    struct Shared<'a>(&'a Cell<usize>);
    impl io::Write for Shared<'_> {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.set(self.0.get() + bytes.len());
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let written = Cell::new(0);
    let mut serializer = Serializer::new(Shared(&written));
    let comment = "x".repeat(1000);
    let games = (0..2000usize).map(|n| {
        assert!(written.get() + (256 << 10) >= n * 1000, "{} bytes of {n} games", written.get());
        BTreeMap::from([("C", &comment)])
    });
    serializer.collect_seq(games).unwrap();
    assert_eq!(serializer.game_count(), 2000);
    serializer.finish().unwrap();
    assert_eq!(written.get(), 2000 * ("(;C[])\n".len() + 1000));
}

#[test]
fn what_goes_wrong_with_the_output_is_an_io_error() {
    struct Full;
    impl io::Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::Error::from(io::ErrorKind::StorageFull))
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let error = to_writer(Full, &BTreeMap::from([("FF", 4)])).unwrap_err();
    assert!(error.is_io() && !error.is_data());
    assert_eq!(io::Error::from(error).kind(), io::ErrorKind::StorageFull);
}

/// On the stack of a thread, and in a debug build.
#[test]
fn variations_nest_to_a_limit() {
    fn nested(levels: usize) -> Tree<'static> {
        let mut tree = Tree::default();
        for _ in 1..levels {
            tree = Tree { variations: vec![tree], nodes: vec![Step::KO], ..Tree::default() };
        }
        tree
    }
    let written = |levels| {
        let write = move || to_string(&nested(levels)).map(|sgf| sgf.len()).map_err(|error| error.to_string());
        std::thread::Builder::new().stack_size(2 << 20).spawn(write).unwrap().join().unwrap()
    };
    assert_eq!(written(512), Ok(512 * 3 + 511 * 5 + 1));
    let error = written(513).unwrap_err();
    assert!(
        error.ends_with("$variations: variations are nested deeper than the limit of 512; see `Serializer::max_depth`"),
        "{error}"
    );
}

/// A type that goes on for ever, but for its data.
#[test]
fn newtypes_nest_to_a_limit() {
    #[derive(Serialize)]
    struct Onion(Option<Box<Onion>>);
    let mut onion = Onion(None);
    for _ in 0..10_000 {
        onion = Onion(Some(Box::new(onion)));
    }
    for error in [
        to_string(&onion).unwrap_err(),
        to_string(&[&onion]).unwrap_err(),
        to_string(&[[&onion]]).unwrap_err(),
        to_string(&BTreeMap::from([("PB", &onion)])).unwrap_err(),
        to_string(&BTreeMap::from([("$nodes", &onion)])).unwrap_err(),
    ] {
        assert_eq!(error.message(), "newtypes are nested deeper than the limit of 64");
    }
    // Its own drop recurses.
    std::mem::forget(onion);
}

#[test]
fn point_lists_are_compressed_on_demand() {
    #[derive(Serialize)]
    struct Lists<'a> {
        #[serde(rename = "GM")]
        game: u8,
        #[serde(rename = "AB")]
        stones: &'a [&'a str],
        #[serde(rename = "XX")]
        unknown: &'a [&'a str],
        #[serde(rename = "LB")]
        labels: &'a [(&'a str, &'a str)],
    }
    let write = |game, stones: &[&str]| {
        let lists = Lists { game, stones, unknown: &["aa", "ab"], labels: &[("aa", "x"), ("ab", "x")] };
        let mut serializer = Serializer::new(Vec::new()).compress_points(true);
        lists.serialize(&mut serializer).unwrap();
        let written = String::from_utf8(serializer.finish().unwrap()).unwrap();
        let stones = written.split_once("AB").unwrap().1.split_once("XX[aa][ab]LB[aa:x][ab:x]").unwrap().0;
        stones.to_owned()
    };
    assert_eq!(write(1, &["aa", "ba", "ab", "bb", "dd"]), "[aa:bb][dd]");
    assert_eq!(write(1, &["aa", "cc"]), "[aa][cc]");
    assert_eq!(write(1, &["aa"]), "[aa]");
    assert_eq!(write(1, &["aa", "ab", "aa"]), "[aa][ab][aa]"); // what is there twice stays
    assert_eq!(write(11, &["a1", "a2", "b1", "b2"]), "[a1:b2]");
    assert_eq!(write(12, &["aa", "ab"]), "[aa][ab]"); // no notation that is known here
}
