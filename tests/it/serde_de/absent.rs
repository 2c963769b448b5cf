//! What counts as absent: blank values of types that have no blank form, and, with `lenient_fields`, values
//! that do not fit. Only an `Option` can be absent; `#[serde(default)]` is for a property that is missing.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::marker::PhantomData;

use serde::de::{DeserializeOwned, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use sgf_stream::de::{self, Options};
use sgf_stream::value::{Application, Color, Dates, Double, GameResult, Number, Rank, Real, Seconds, Size, go};
use sgf_stream::{DiagnosticLog, Parser};

use super::read;

/// The header that most people write first.
#[derive(Debug, PartialEq, Deserialize)]
struct Header {
    #[serde(rename = "PB")]
    black: Option<String>,
    #[serde(rename = "PW")]
    white: Option<String>,
    #[serde(rename = "BR")]
    black_rank: Option<Rank>,
    #[serde(rename = "WR")]
    white_rank: Option<Rank>,
    #[serde(rename = "DT")]
    dates: Option<Dates>,
    #[serde(rename = "RE")]
    result: Option<GameResult>,
    #[serde(rename = "KM")]
    komi: Option<f64>,
    #[serde(rename = "HA")]
    handicap: Option<u8>,
}

/// One property of each kind, as an option.
#[derive(Debug, PartialEq, Deserialize)]
struct One<T> {
    #[serde(rename = "XX", alias = "KM", alias = "AB", alias = "AP", alias = "B", alias = "LB", alias = "SZ")]
    value: Option<T>,
}

#[track_caller]
fn is<T: DeserializeOwned + Debug + PartialEq>(property: &str, value: Option<T>) {
    assert_eq!(read::<One<T>>(format!("(;{property})")), Ok(One { value }), "{property}");
}

#[test]
fn a_blank_value_of_a_type_without_a_blank_form_is_none() {
    for blank in ["[]", "[ ]", "[\n\t]", "[][ ]"] {
        let sgf = format!("(;PB{blank}PW[a]BR{blank}WR{blank}DT{blank}RE[B+R]KM{blank}HA{blank})");
        let header = read::<Header>(&sgf).expect(&sgf);
        assert_eq!((header.black_rank, header.dates, header.komi, header.handicap), (None, None, None, None), "{sgf}");
        assert!(header.black.is_some() && header.white.is_some() && header.result.is_some(), "{sgf}");
    }
    is::<Rank>("XX[]", None);
    is::<Dates>("XX[ ]", None);
    is::<Seconds>("XX[]", None);
    is::<Number>("XX[]", None);
    is::<Real>("XX[]", None);
    is::<Size>("SZ[]", None);
    is::<Color>("XX[]", None);
    is::<go::Point>("XX[]", None);
    is::<char>("XX[]", None);
    is::<i64>("XX[ ]", None);
    is::<(u8, u8)>("XX[]", None);
    is::<(String, String)>("AP[]", None);
    is::<Vec<u8>>("XX[]", None);
    is::<BTreeMap<String, String>>("LB[]", None);

    #[derive(Debug, PartialEq, Deserialize)]
    enum Player {
        B,
    }
    is::<Player>("XX[]", None);
    is("XX[B]", Some(Player::B));
}

#[test]
fn a_blank_value_of_a_type_with_a_blank_form_is_that() {
    is("XX[]", Some(String::new()));
    is("XX[ ]", Some(" ".to_owned()));
    is("XX[]", Some(true));
    is("XX[]", Some(()));
    is("B[]", Some(go::Move::Pass));
    is("AB[]", Some(Vec::<go::Point>::new()));
    is("XX[]", Some(vec![String::new()]));
    is("XX[]", Some(Double::Normal));
    is("XX[]", Some(Application::new("", "")));
}

#[test]
fn what_is_not_blank_and_does_not_fit_is_an_error() {
    let says = |sgf: &str| read::<Header>(sgf).expect_err(sgf);
    assert_eq!(says("(;KM[six])"), "game 1, root, KM (byte 4): expected f64, found \"six\"");
    assert_eq!(says("(;HA[][x])"), "game 1, root, HA (byte 4): expected u8, found \"\"");
    assert_eq!(says("(;DT[]KM[six])"), "game 1, root, KM (byte 8): expected f64, found \"six\"");
}

#[test]
fn a_default_is_for_a_missing_property_and_a_blank_value_of_it_is_an_error() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Game {
        #[serde(rename = "HA", default)]
        handicap: u8,
        #[serde(rename = "KM", default = "komi", deserialize_with = "komi_or_default")]
        komi: f32,
        #[serde(rename = "DT", default, deserialize_with = "de::invalid_default")]
        dates: Vec<Dates>,
        #[serde(rename = "SZ")]
        size: u8,
    }

    fn komi() -> f32 {
        6.5
    }

    fn komi_or_default<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f32, D::Error> {
        Ok(Option::<f32>::deserialize(deserializer)?.unwrap_or_else(komi))
    }

    let game = |handicap, size| Game { handicap, komi: 6.5, dates: Vec::new(), size };
    assert_eq!(read("(;DT[]SZ[9])"), Ok(game(0, 9)));
    assert_eq!(read("(;KM[ ]DT[]SZ[9])"), Ok(game(0, 9)));
    assert_eq!(read::<Game>("(;HA[]SZ[9])").unwrap_err(), "game 1, root, HA (byte 4): expected u8, found \"\"");
    assert_eq!(
        read("(;HA[3])(;SZ[9]HA[2])"),
        Err::<Vec<Game>, _>("game 1, root (byte 1): missing property `SZ`".into())
    );
    assert_eq!(read::<Game>("(;HA[1]SZ[])").unwrap_err(), "game 1, root, SZ (byte 9): expected u8, found \"\"");

    let mut games = Parser::new().slice(b"(;SZ[9]DT[])(;SZ[])(;SZ[13])").games::<Game>();
    assert_eq!(games.next().unwrap().unwrap(), game(0, 9));
    assert!(games.next().unwrap().is_err());
    assert_eq!((games.next().unwrap().unwrap(), games.span()), (game(0, 13), 19..28));
}

#[test]
fn options_in_lists_pairs_maps_and_newtypes_are_options_too() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Komi(Option<f64>);
    #[derive(Debug, PartialEq, Deserialize)]
    struct Game {
        #[serde(rename = "XX")]
        list: Vec<Option<u8>>,
        #[serde(rename = "YY")]
        pair: (Option<u8>, String),
        #[serde(rename = "KM")]
        komi: Komi,
    }
    let game = Game { list: vec![Some(1), None, Some(2)], pair: (None, "a".into()), komi: Komi(None) };
    assert_eq!(read("(;XX[1][][2]YY[:a]KM[])"), Ok(game));
    let map = |sgf: &str| read::<BTreeMap<String, Option<u8>>>(sgf).unwrap();
    assert_eq!(
        map("(;AA[1]BB[]CC[2])"),
        BTreeMap::from([("AA".into(), Some(1)), ("BB".into(), None), ("CC".into(), Some(2))])
    );
    // An entry of a map is a field.
    let map = read::<BTreeMap<String, u8>>("(;AA[1]BB[]CC[2])").unwrap();
    assert_eq!(map, BTreeMap::from([("AA".into(), 1), ("CC".into(), 2)]));
}

#[test]
fn nodes_and_variations_have_fields_too() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Tree {
        #[serde(rename = "$root")]
        root: Node,
        #[serde(rename = "MN")]
        inline: Option<u8>,
        #[serde(rename = "$nodes")]
        nodes: Vec<Node>,
        #[serde(rename = "$variations")]
        variations: Vec<Tree>,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct Node {
        #[serde(rename = "B")]
        black: Option<go::Move>,
        #[serde(rename = "MN")]
        number: Option<u8>,
        #[serde(rename = "BL")]
        left: Option<f64>,
    }
    let node = |point: &str, number| Node { black: Some(go::Move::parse(point).unwrap()), number, left: None };
    let tree = |root, inline, nodes, variations| Tree { root, inline, nodes, variations };
    let blank = "(;B[aa]MN[]BL[];B[bb]MN[ ]BL[1](;B[cc]BL[]MN[];B[dd])(;B[ee]MN[3](;B[]MN[]BL[])))";
    let some = |point, left| Node { left: Some(left), ..node(point, None) };
    let expected = tree(
        node("aa", None),
        None,
        vec![some("bb", 1.0)],
        vec![
            tree(node("cc", None), None, vec![node("dd", None)], vec![]),
            tree(node("ee", Some(3)), Some(3), vec![], vec![tree(node("", None), None, vec![], vec![])]),
        ],
    );
    assert_eq!(read(blank), Ok(expected));

    let wrong = "(;B[aa]MN[x]BL[y];B[bb]MN[x]BL[1](;B[cc]BL[x]MN[y];B[dd])(;B[ee]MN[3](;B[]MN[z]BL[z])))";
    let expected: Tree = sgf_stream::from_str(blank).unwrap();
    assert!(read::<Tree>(wrong).is_err());
    let (games, _) = lenient::<Tree>(wrong);
    assert_eq!(games, [Ok(expected)]);

    // A node by itself.
    let mut reader = sgf_stream::SliceReader::new(b"(;B[aa]MN[]BL[])");
    let mut record = sgf_stream::NodeRecord::new();
    assert!(reader.read_node(&mut record).unwrap());
    assert_eq!(record.deserialize::<Node>().unwrap(), node("aa", None));
}

/// All games with fields that may not fit, in every way, which has to make no difference; and what was heard.
#[track_caller]
fn lenient<T: DeserializeOwned + Debug + PartialEq>(sgf: &str) -> (Vec<Result<T, String>>, Vec<String>) {
    let log = DiagnosticLog::new(100);
    let listening = Parser::new().log_to(&log);
    let text = |game: de::Result<T>| game.map_err(|error| super::without_lines(&error, sgf.as_bytes()));
    let plain = |game: de::Result<T>| game.map_err(|error| error.to_string());
    let heard = || -> Vec<_> { log.take().iter().map(|found| format!("{} {}", found.code, found.position)).collect() };
    let games: Vec<_> =
        Parser::new().slice(sgf.as_bytes()).games_with(Options::new().lenient_fields(true)).map(plain).collect();
    let streamed: Vec<_> =
        Parser::new().reader(sgf.as_bytes()).games_with(Options::new().lenient_fields(true)).map(plain).collect();
    assert_eq!(streamed, games, "left: a stream, right: a slice");
    let listened: Vec<_> =
        listening.slice(sgf.as_bytes()).games_with(Options::new().lenient_fields(true)).map(text).collect();
    assert_eq!(listened, games, "left: somebody listens, right: nobody does");
    let of_slice = heard();
    let by_byte = std::io::BufReader::with_capacity(1, sgf.as_bytes());
    let listened: Vec<_> =
        listening.reader(by_byte).games_with(Options::new().lenient_fields(true)).map(text).collect();
    assert_eq!(listened, games, "left: a stream byte by byte, right: a slice");
    assert_eq!(heard(), of_slice, "left: a stream byte by byte, right: a slice");
    (games, of_slice)
}

#[test]
fn a_field_that_does_not_fit_is_none_and_is_heard_of() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Game {
        #[serde(rename = "PB")]
        black: String,
        #[serde(rename = "HA")]
        handicap: Option<u8>,
        #[serde(rename = "KM")]
        komi: Option<f64>,
        #[serde(rename = "SZ")]
        size: u8,
    }
    let game = |black: &str, handicap, komi, size| Game { black: black.into(), handicap, komi, size };
    let (games, found) = lenient::<Game>(
        "(;PB[a]SZ[9]HA[x]\nKM[\ny])\n(;PB[b][c]KM[7]SZ[x]HA[2][3])(;HA[300]PB[d]SZ[19])\n(;KM[]SZ[x])(;SZ[5]PB[e]HA[])",
    );
    let wanted = "SZ (byte 43): expected u8, found \"x\"";
    assert_eq!(games[0], Ok(game("a", None, None, 9)));
    assert_eq!(games[1], Err(format!("game 2, root, {wanted}")));
    assert_eq!(games[2], Ok(game("d", None, None, 19)));
    assert_eq!(games[3], Err("game 4, root, SZ (byte 85): expected u8, found \"x\"".into()));
    assert_eq!(games[4], Ok(game("e", None, None, 5)));
    assert_eq!(
        found,
        [
            "invalid-field line 1, column 15 (byte 14)",
            "invalid-field line 2, column 3 (byte 20)",
            "extra-values line 4, column 2 (byte 27)",
            "invalid-field line 4, column 18 (byte 43)",
            "invalid-field line 4, column 34 (byte 59)",
            "invalid-field line 5, column 9 (byte 85)",
        ]
    );
}

#[test]
fn variants_that_do_not_fit_are_not_there() {
    #[derive(Debug, PartialEq, Deserialize)]
    enum Step {
        B(go::Move),
        W(Option<u8>),
        LB(char, char),
        #[serde(other)]
        Other,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    enum Strict {
        B(u8),
        W(u8),
    }
    let black = |point: &str| Step::B(go::Move::parse(point).unwrap());
    let (games, found) = lenient::<Vec<Step>>("(;B[aa];B[x9];W[dd];B[!]W[4];LB[a:b];B[bb])");
    assert_eq!(games, [Ok(vec![black("aa"), Step::Other, Step::W(None), Step::Other, Step::Other, black("bb")])]);
    assert_eq!(found.len(), 4, "{found:?}");
    let (games, _) = lenient::<Vec<Strict>>("(;B[1];B[xx]W[2])(;B[1];W[xx];B[2])");
    assert_eq!(games[0], Err("game 1, node 2, B (byte 8): expected u8, found \"xx\"".into()));
    let (options, _) = lenient::<Vec<Option<Strict>>>("(;B[1];B[xx]W[2];W[3])(;B[1];C[a])");
    assert_eq!(options[0], Ok(vec![Some(Strict::B(1)), None, Some(Strict::W(3))]));
    assert_eq!(options[1], Err("game 2, node 2 (byte 28): expected a node with B or W, found one with C".into()));
    assert_eq!(games[1], Err("game 2, node 2, W (byte 25): expected u8, found \"xx\"".into()));
}

#[test]
fn entries_of_maps_and_whole_lists_are_left_out() {
    let (games, found) = lenient::<BTreeMap<String, f64>>("(;AA[1]BB[x]CC[2]DD[y]EE[])");
    assert_eq!(games, [Ok(BTreeMap::from([("AA".into(), 1.0), ("CC".into(), 2.0)]))]);
    assert_eq!(found.len(), 2);
    let (games, _) = lenient::<Vec<BTreeMap<String, u8>>>("(;AA[1];BB[x]CC[2];B[dd])");
    let maps = [vec![("AA", 1)], vec![("CC", 2)], vec![]];
    let maps = maps.map(|map| map.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()).into();
    assert_eq!(games, [Ok(maps)]);

    #[derive(Debug, PartialEq, Deserialize)]
    struct Stones {
        #[serde(rename = "AB")]
        black: Option<Vec<go::Point>>,
        #[serde(rename = "AW")]
        white: Option<Vec<go::Point>>,
    }
    let (games, found) = lenient::<Stones>("(;AB[aa][x]AW[bb][y])");
    assert_eq!(games, [Ok(Stones { black: None, white: None })]);
    assert_eq!(found, ["invalid-field line 1, column 11 (byte 10)", "invalid-field line 1, column 20 (byte 19)"]);
}

/// Work: a node is read once, whatever does not fit.
#[test]
fn many_values_that_do_not_fit_take_linear_time() {
    let name = |n: usize| -> String { (0..4).map(|at| char::from(b'A' + (n / 26usize.pow(at) % 26) as u8)).collect() };
    let sgf = |n| format!("(;{})", (0..n).map(|n| format!("{}[x]", name(n))).collect::<String>());
    let (few, many) = (sgf(10_000), sgf(40_000));
    let time = |sgf: &str| {
        let start = std::time::Instant::now();
        let mut games =
            Parser::new().slice(sgf.as_bytes()).games_with::<BTreeMap<String, u8>>(Options::new().lenient_fields(true));
        assert_eq!(games.next().unwrap().unwrap(), BTreeMap::new());
        start.elapsed()
    };
    // Best of three, since the machine does other work.
    let best = |sgf: &str| (0..3).map(|_| time(sgf)).min().unwrap();
    let (few, many) = (best(&few), best(&many));
    assert!(many < few * 10, "{few:?}, {many:?}"); // linear is 4 times, quadratic 16 times
}

#[test]
fn a_finding_names_the_field_and_the_value() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Game {
        #[serde(rename = "KM")]
        komi: Option<f64>,
        #[serde(rename = "HA")]
        handicap: Option<u8>,
    }
    let log = DiagnosticLog::new(10);
    let parser = Parser::new().log_to(&log);
    let games = parser.slice(b"(;KM[none]HA[two])(;KM[])").games_with::<Game>(Options::new().lenient_fields(true));
    assert_eq!(games.filter(Result::is_ok).count(), 2);
    let details: Vec<_> = log.take().iter().map(|found| found.detail().unwrap_or_default().to_owned()).collect();
    assert_eq!(details, ["KM: expected f64, found \"none\"", "HA: expected u8, found \"two\""]);
}

#[test]
fn options_are_none_for_seeds_and_for_deserializers_too() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Game {
        #[serde(rename = "KM")]
        komi: Option<f64>,
        #[serde(rename = "HA", default)]
        handicap: u8,
    }
    let (options, game) = (Options::new().lenient_fields(true), Game { komi: None, handicap: 0 });
    let mut games = Parser::new().slice(b"(;KM[x])(;HA[x])(;KM[])").games_with::<Game>(options);
    assert_eq!(games.next_seed(std::marker::PhantomData::<Game>).unwrap().unwrap(), game);
    assert!(games.next_seed(std::marker::PhantomData::<Game>).unwrap().is_err());
    assert_eq!(games.next().unwrap().unwrap(), game);

    let mut deserializer = de::Deserializer::from_slice(b"(;KM[x])(;HA[x])(;KM[])(;KM[x];)(;SZ[9])(;HA[])");
    deserializer = deserializer.options(options);
    assert_eq!(Game::deserialize(&mut deserializer).unwrap(), game);
    assert!(Game::deserialize(&mut deserializer).is_err());
    assert_eq!(Game::deserialize(&mut deserializer).unwrap(), game);
    assert_eq!(deserializer.read::<Game>().unwrap(), game);
    assert_eq!(deserializer.read::<Game>().unwrap(), game);
    assert!(deserializer.read::<Game>().is_err());
    assert!(deserializer.read::<Game>().is_err());
    deserializer.end().unwrap();

    let mut deserializer = de::Deserializer::from_reader(&b"(;KM[])(;KM[x])"[..]).options(options);
    assert_eq!(deserializer.read::<Vec<Game>>().unwrap(), [game, Game { komi: None, handicap: 0 }]);
}

/// The error of a variation is not that of the tree around it, whose root has been left.
#[test]
fn an_error_in_a_variation_by_a_seed_is_at_its_value() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Branch {
        #[serde(rename = "HA", default)]
        handicap: u8,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct Game {
        #[serde(rename = "PB")]
        black: Option<String>,
        #[serde(rename = "$variations", deserialize_with = "branches")]
        branches: Vec<Branch>,
    }

    fn branches<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Branch>, D::Error> {
        struct Branches;

        impl<'de> Visitor<'de> for Branches {
            type Value = Vec<Branch>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("branches")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut trees: A) -> Result<Vec<Branch>, A::Error> {
                let mut branches = Vec::new();
                while let Some(branch) = trees.next_element_seed(PhantomData)? {
                    branches.push(branch);
                }
                Ok(branches)
            }
        }
        deserializer.deserialize_seq(Branches)
    }

    let game = |sgf| lenient::<Game>(sgf).0.remove(0);
    let branches = vec![Branch { handicap: 2 }, Branch { handicap: 0 }];
    assert_eq!(game("(;PB[a](;HA[2])(;B[dd]))"), Ok(Game { black: Some("a".into()), branches }));
    let error = game("(;PB[a](;HA[2])(;HA[x]))").unwrap_err();
    assert_eq!(error, "game 1, node 3, HA (byte 19): expected u8, found \"x\"");
}

#[test]
fn invalid_values_may_be_defaults() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Game {
        #[serde(rename = "HA", default, deserialize_with = "de::invalid_default")]
        handicap: u8,
        #[serde(rename = "AB", default, deserialize_with = "de::invalid_default")]
        stones: Vec<go::Point>,
    }
    let games: Vec<_> = read::<Vec<Game>>("(;HA[2])(;HA[two]AB[aa])(;HA[]AB[x])(;)").unwrap();
    assert_eq!(
        games.iter().map(|game| (game.handicap, game.stones.len())).collect::<Vec<_>>(),
        [(2, 0), (0, 1), (0, 0), (0, 0)]
    );
}

#[test]
fn floats_are_read_by_the_letter_in_strict_mode() {
    let komi = |parser: Parser, raw: &str| {
        let sgf = format!("(;KM[{raw}])");
        let game = parser.slice(sgf.as_bytes()).games::<BTreeMap<String, f64>>().next();
        game.unwrap().ok().map(|game| game["KM"])
    };
    assert_eq!(komi(Parser::strict(), "6.5"), Some(6.5));
    for raw in [".5", "6,5", "7."] {
        assert_eq!(komi(Parser::strict(), raw), None, "{raw}");
        assert!(komi(Parser::new(), raw).is_some(), "{raw}");
    }
    assert_eq!(komi(Parser::new(), "6,500"), None);
}

#[test]
fn errors_have_lines_where_lines_are_counted() {
    type Game = BTreeMap<String, u8>;
    let sgf = b"(;AA[1]\r\nBB[2]\n\n CC[x])\n(;B[1\n]\n;C[a])";
    for parser in [Parser::strict(), Parser::new().count_lines(true), Parser::new().on_diagnostic(|_| {})] {
        let mut games = parser.slice(sgf).games::<Game>();
        let error = games.next().unwrap().unwrap_err();
        assert_eq!(error.to_string(), "game 1, root, CC at line 4, column 4 (byte 19): expected u8, found \"x\"");
        assert_eq!(error.position().map(|place| (place.line, place.column, place.offset)), Some((4, 4, 19)));
        let error = parser.slice(sgf).games::<Vec<Game>>().nth(1).unwrap().unwrap_err();
        assert_eq!(error.to_string(), "game 2, node 2, C at line 7, column 3 (byte 34): expected u8, found \"a\"");
    }
    let error = Parser::new().slice(sgf).games::<Game>().next().unwrap().unwrap_err();
    assert_eq!((error.position(), error.offset()), (None, Some(19)));

    // Lines that are far back are not known any more.
    for (after, place) in [(65_535, Some((70_001, 3))), (65_536, None)] {
        let far = format!("(;HA[1]{}SZ[x]C[{}])", "\n".repeat(70_000), "\n".repeat(after));
        let error = Parser::new().count_lines(true).slice(far.as_bytes()).games::<Game>().next().unwrap().unwrap_err();
        assert_eq!((error.position().map(|place| (place.line, place.column)), error.offset()), (place, Some(70_009)));
    }
}
