//! Properties as types: by the registry, on the board, and what is wrong if they are not.

use sgf_stream::property::TypedValue;
use sgf_stream::tree::{FromProperty, PropertyError};
use sgf_stream::value::{
    AnyMove, AnyPoint, Application, Color, Dates, Double, Figure, GameResult, NoValue, Number, Overtime, PointList,
    Rank, Real, Rect, Round, Ruleset, Seconds, SimpleText, Size, Text, backgammon, go, hex, loa,
};

use super::tree;

fn get<T: FromProperty>(sgf: &str, name: &str) -> Result<T, PropertyError> {
    tree(sgf).nodes().last().unwrap().get(name).map(|value| value.expect("it is there"))
}

#[test]
fn every_type_is_read() {
    macro_rules! reads {
        ($($sgf:literal $name:literal $type:ty => $printed:literal;)+) => {
            $( assert_eq!(get::<$type>($sgf, $name).unwrap().to_string(), $printed, "{}", $sgf); )+
        };
    }
    reads! {
        "(;KO[])" "KO" NoValue => "";
        "(;MN[ 003 ])" "MN" Number => "3";
        "(;MN[3])" "MN" i64 => "3";
        "(;KM[6.5])" "KM" Real => "6.5";
        "(;KM[6.5])" "KM" f64 => "6.5";
        "(;GB[2])" "GB" Double => "2";
        "(;PL[white])" "PL" Color => "W";
        "(;PB[a\\]b\nc])" "PB" SimpleText => "a\\]b c";
        "(;C[a\\]b\nc])" "C" Text => "a\\]b\nc";
        "(;C[a\\]b\nc])" "C" String => "a]b\nc";
        "(;PB[a\\]b\nc])" "PB" String => "a]b c";
        "(;QQQ[a\\]b\nc])" "QQQ" String => "a]b\nc";
        "(;SZ[19:19])" "SZ" Size => "19";
        "(;DT[1846/9/11])" "DT" Dates => "1846-09-11";
        "(;RE[b+r])" "RE" GameResult => "B+Resign";
        "(;TM[30m])" "TM" Seconds => "1800";
        "(;OT[5x30 byo-yomi])" "OT" Overtime => "5x30 byo-yomi";
        "(;RU[japanese])" "RU" Ruleset => "Japanese";
        "(;BR[5 dan])" "BR" Rank => "5d";
        "(;RO[5 (final)])" "RO" Round => "5 (final)";
        "(;FG[257:Diagram 1])" "FG" Figure => "257:Diagram 1";
        "(;AP[CGoban:3])" "AP" Application => "CGoban:3";
        "(;B[dd])" "B" go::Move => "dd";
        "(;SZ[9]B[C3])" "B" go::Move => "cg";
        "(;;B[])" "B" go::Move => "";
        "(;AE[aa:cc])" "AE" Rect<go::Point> => "aa:cc";
        "(;GM[11];B[swap-pieces])" "B" hex::Move => "swap-pieces";
        "(;GM[11];B[c4])" "B" AnyMove => "c4";
        "(;GM[6];W[31hefe])" "W" backgammon::Move => "31hefe";
        "(;GM[9];B[c2:c5])" "B" loa::Move => "c2:c5";
        "(;GM[3];B[e2e4])" "B" AnyMove => "e2e4";
        "(;B[dd])" "B" TypedValue => "dd";
        "(;GM[11];B[c4])" "B" TypedValue => "c4";
        "(;RU[japanese])" "RU" TypedValue => "Japanese";
        "(;ZZ[what\\]ever])" "ZZ" TypedValue => "what\\]ever";
    }
    get::<()>("(;KO[])", "KO").unwrap();
    assert_eq!(get::<(go::Point, String)>("(;LB[dd:1\\:2])", "LB").unwrap().1, "1:2");
    assert_eq!(get::<(go::Point, go::Point)>("(;AR[aa:bb])", "AR").unwrap().1.to_string(), "bb");
    assert_eq!(get::<(i64, String)>("(;FG[257:Diagram\n1])", "FG").unwrap(), (257, "Diagram 1".into()));
    assert_eq!(tree("(;B[dd])").root().get::<go::Move>("W"), Ok(None));
}

#[test]
fn lists_have_every_point_of_their_rectangles() {
    let points = |sgf: &str, name: &str| {
        let game = tree(sgf);
        let list = game.root().list::<go::Point>(name).unwrap();
        assert_eq!(game.root().list::<AnyPoint>(name).unwrap().len(), list.len());
        list.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(points("(;AB[aa:bb][dd])", "AB"), "aa ba ab bb dd");
    assert_eq!(points("(;DD[])", "DD"), "");
    assert_eq!(points("(;AB[aa])", "AW"), "");
    assert_eq!(points("(;AB[aa]C[x]AB[bb])", "AB"), "aa bb");
    assert_eq!(points("(;AB[bb:aa])", "AB"), "aa ba ab bb");
    assert_eq!(get::<PointList>("(;AB[aa:bb][aa])", "AB").unwrap().repeated().len(), 1);
    assert_eq!(tree("(;GM[11]AB[a1:b2])").root().list::<hex::Point>("AB").unwrap().len(), 4);
    assert_eq!(tree("(;GM[11]AB[a1:b2])").root().list::<AnyPoint>("AB").unwrap().len(), 4);
    // A rectangle of more points than there is memory for.
    assert!(tree("(;GM[11]AB[a1:crxp65536])").root().list::<AnyPoint>("AB").is_err());
    assert!(tree("(;GM[11]AB[a1:crxp65536])").root().list::<hex::Point>("AB").is_err());
}

#[test]
fn errors_name_node_property_and_value() {
    let error = |sgf: &str, name: &str| tree(sgf).nodes().last().unwrap().list::<go::Point>(name).unwrap_err();
    assert_eq!(error("(;;AB[aa][b])", "AB").to_string(), "node 2, AB: value 2: point: expected a letter at byte 1");
    let found = error("(;;AB[aa][b])", "AB");
    assert_eq!((found.node().index(), found.name(), found.index(), found.error().at()), (1, "AB", 1, 1));
    let error = get::<i64>("(;;MN[x])", "MN").unwrap_err();
    assert_eq!(error.to_string(), "node 2, MN: Number: expected a digit at byte 0");
    let error = get::<(go::Point, go::Point)>("(;AR[aa:b])", "AR").unwrap_err();
    assert_eq!(error.to_string(), "root, AR: point: expected a letter at byte 4");
    let error = get::<(go::Point, String)>("(;LB[aa])", "LB").unwrap_err();
    assert_eq!(error.to_string(), "root, LB: Compose: expected a colon at byte 2");
}

#[test]
fn texts_are_joined_and_names_are_not() {
    let game = tree("(;C[a][b]C[c]PB[x][y])");
    assert_eq!(game.root().text("C").unwrap(), "a\n\nb\n\nc");
    assert_eq!(game.root().text("PB").unwrap(), "x");
    assert_eq!(game.root().text("PW"), None);
    assert_eq!(game.root().list::<String>("PB").unwrap(), ["x", "y"]);
}

#[test]
fn what_is_inherited_holds_until_it_is_set_again() {
    let game = tree("(;PM[2]DD[aa]KM[1];B[aa](;DD[];W[bb];)(;W[cc]PM[1]))");
    let from = |n: usize, name: &str| game.nth(n).unwrap().inherited_from(name).map(|node| node.number());
    for (node, name, expected) in [
        (0, "DD", Some(0)),
        (1, "DD", Some(0)),
        (2, "DD", Some(2)),
        (4, "DD", Some(2)),
        (5, "DD", Some(0)),
        (4, "PM", Some(0)),
        (5, "PM", Some(5)),
        (4, "VW", None),
        (1, "KM", None),
        (0, "KM", Some(0)),
        (3, "B", None),
        (1, "QQQ", None),
    ] {
        assert_eq!(from(node, name), expected, "{name} at {node}");
    }
}

#[test]
fn the_root_of_a_dialect_is_read_as_one() {
    let game = tree("(;GK[1]TE[the event]RD[1990-01-01];TE[1])");
    assert_eq!(game.root().get::<String>("TE").unwrap().unwrap(), "the event");
    assert!(game.nth(1).unwrap().get::<TypedValue>("TE").unwrap().is_some_and(|v| matches!(v, TypedValue::Double(_))));
}
