//! Headers that are read leniently beside moves that are read exactly: `lenient_header`.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use sgf_stream::de::{self, Options};
use sgf_stream::property::{self, Context, PropertyType};
use sgf_stream::value::{Color, Dates, Rank, Size, go};
use sgf_stream::{Code, DiagnosticLog, Game, Ident, Parser};

use crate::support::holds;

/// Reads with the option from a slice and from a stream, which agree; returns values or errors, and the details of
/// diagnostics.
#[track_caller]
fn read<T: DeserializeOwned + std::fmt::Debug>(sgf: &str) -> (Vec<Result<String, String>>, Vec<String>) {
    fn text<T: std::fmt::Debug>(game: de::Result<T>) -> Result<String, String> {
        game.map(|game| format!("{game:?}")).map_err(|error| error.message())
    }
    let log = DiagnosticLog::new(100);
    let details = || {
        let found = log.take();
        found
            .iter()
            .filter(|found| found.code == Code::InvalidField)
            .map(|found| found.detail().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    let parser = Parser::new().log_to(&log);
    let slice: Vec<_> =
        parser.slice(sgf.as_bytes()).games_with::<T>(Options::new().lenient_header(true)).map(text).collect();
    let found = details();
    let by_byte = std::io::BufReader::with_capacity(1, sgf.as_bytes());
    let stream: Vec<_> =
        parser.reader(by_byte).games_with::<T>(Options::new().lenient_header(true)).map(text).collect();
    assert_eq!((&stream, &details()), (&slice, &found));
    (slice, found)
}

#[test]
fn a_bad_header_is_absent_and_a_bad_move_is_an_error() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Record {
        #[serde(rename = "GM")]
        game: Option<Game>,
        #[serde(rename = "SZ")]
        size: Option<Size>,
        #[serde(rename = "BR")]
        rank: Option<Rank>,
        #[serde(rename = "DT")]
        dates: Option<Dates>,
        #[serde(rename = "$line", deserialize_with = "sgf_stream::de::moves")]
        moves: Vec<(Color, go::Move)>,
    }
    let (games, found) = read::<Record>(
        "(;GM[Go]SZ[x]BR[201]DT[when?];B[qd];W[dc])(;BR[9p];B[qd];W[resign!])(;DT[x];B[q!])(;BR[9p];B[dd])",
    );
    assert!(games[0].as_ref().is_ok_and(|game| game.contains("game: None") && game.contains("rank: None")));
    assert!(games[1].as_ref().is_err_and(|error| error.starts_with("move: ")));
    assert!(games[2].is_err() && games[3].is_ok());
    assert_eq!(
        found,
        [
            "GM: Number: expected a digit, found \"Go\"",
            "SZ: size: expected a digit, found \"x\"",
            "BR: rank: expected k, d or p, found \"201\"",
            "DT: date: expected a date, found \"when?\"",
            "DT: date: expected a date, found \"x\"",
        ]
    );
}

#[test]
fn the_header_is_in_whatever_node_it_stands_and_moves_are_exact_in_the_root() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Node {
        #[serde(rename = "RE")]
        result: Option<u8>,
        #[serde(rename = "BL")]
        left: Option<f64>,
        #[serde(rename = "AB", default)]
        stones: Vec<go::Point>,
        #[serde(rename = "MN")]
        number: Option<u8>,
    }
    for (sgf, expected) in [
        ("(;FF[4];RE[x])", Ok(1)),
        ("(;RE[x](;RE[y]))", Ok(2)),
        ("(;BL[x])", Err("expected f64, found \"x\"")),
        ("(;MN[x])", Err("expected u8, found \"x\"")),
        ("(;RE[x]AB[!])", Err("point: expected a letter")),
    ] {
        let (games, found) = read::<Vec<Node>>(sgf);
        match expected {
            Ok(count) => assert!(games[0].is_ok() && found.len() == count, "{sgf}: {games:?} {found:?}"),
            Err(message) => assert!(games[0].as_ref().unwrap_err().starts_with(message), "{sgf}: {games:?}"),
        }
    }
}

#[test]
fn the_registry_says_for_the_game_what_a_header_is() {
    type Map = BTreeMap<String, u8>;
    // CO is the owner of the cube in Backgammon, and unknown in Go; MI is a header of Backgammon.
    for (sgf, is_ok) in [
        ("(;XX[x])", false),
        ("(;KM[x])", true),
        ("(;KM[x]GM[2])", true), // a header of Go, in a game without a property of this name
        ("(;GM[6]CO[x])", false),
        ("(;GM[6]MI[x:y])", true),
        ("(;KoMi[x])", true),
        ("(;FF[4]TE[x])", false),
        ("(;PL[x])", false),
    ] {
        assert_eq!(read::<Map>(sgf).0[0].is_ok(), is_ok, "{sgf}");
    }
}

#[test]
fn a_required_header_is_an_error_that_says_why() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Required {
        #[serde(rename = "SZ")]
        _size: u8,
    }
    assert_eq!(read::<Required>("(;SZ[x])").0, [Err("expected u8, found \"x\"".into())]);
}

#[test]
fn a_deserializer_has_the_option_too() {
    let mut games = de::Deserializer::from_slice(b"(;KM[x]AB[1])(;AB[x])").options(Options::new().lenient_header(true));
    let mut next = || games.read::<BTreeMap<String, u8>>().map_err(|error| error.message());
    assert_eq!(next(), Ok(BTreeMap::from([("AB".into(), 1)])));
    assert_eq!(next(), Err("expected u8, found \"x\"".into()));
}

/// The option is `lenient_fields` for some properties, and changes nothing for the others.
#[test]
fn each_property_is_lenient_or_exact() {
    fn law(picks: Vec<(u8, bool)>) -> bool {
        type Map = BTreeMap<String, u8>;
        let rows = property::all();
        let mut sgf = String::from("(;FF[4]");
        let mut is_header = true;
        for (pick, is_bad) in picks.into_iter().take(8) {
            let row = &rows[usize::from(pick) * 7 % rows.len()];
            let is_fact = ["GM", "FF", "CA", "AP", "SZ"].contains(&row.ident());
            if is_fact || sgf.contains(&format!("{}[", row.ident())) {
                continue;
            }
            sgf += &format!("{}[{}]", row.ident(), if is_bad { "x" } else { "1" });
            let known = property::lookup(Ident::new(row.ident().as_bytes()), &Context::default());
            let kind = known.or_else(|| property::find(row.ident()).next()).unwrap().property_type();
            is_header &= !is_bad || matches!(kind, PropertyType::Root | PropertyType::GameInfo);
        }
        sgf += ")";
        let games = |options| Parser::new().slice(sgf.as_bytes()).games_with::<Map>(options).next();
        let new = Options::new;
        let of = |game: Option<de::Result<Map>>| game.unwrap().map_err(|error| error.to_string());
        let (exact, header) = (of(games(new())), of(games(new().lenient_header(true))));
        let lenient = of(games(new().lenient_fields(true)));
        let both = of(games(new().lenient_fields(true).lenient_header(true)));
        both == lenient && if is_header { header == lenient } else { header.is_err() && exact.is_err() }
    }
    holds(500, law as fn(Vec<(u8, bool)>) -> bool);
}
