//! All ways to read typed games agree: a law for any bytes and many types, which the tests and the fuzz target `de`
//! share.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::io::BufReader;
use std::ops::Range;

use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;
use sgf_stream::de::{self, Properties};
use sgf_stream::value::{Compose, Dates, GameResult, Number, PointList, Rect, SimpleText, Size, go};
use sgf_stream::{Code, DiagnosticLog, Parser};

use super::EachEvent;

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Game {
    #[serde(rename = "PB", default)]
    black: Option<String>,
    #[serde(rename = "SZ", default, deserialize_with = "de::invalid_option")]
    size: Option<u8>,
    #[serde(rename = "AB", default)]
    stones: Vec<String>,
    #[serde(rename = "$rest")]
    rest: Properties,
    #[serde(rename = "$mainline")]
    pub moves: Vec<Step>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub enum Step {
    B(String),
    W(String),
    C(String),
    AB(Vec<String>),
    LB(Vec<String>),
    #[serde(other)]
    Other,
}

#[derive(Debug, PartialEq, Deserialize)]
pub struct Tree {
    #[serde(rename = "$root")]
    root: BTreeMap<String, Value>,
    #[serde(rename = "$nodes")]
    nodes: Vec<Properties>,
    #[serde(rename = "$variations")]
    variations: Vec<Tree>,
}

/// Typed values that mostly do not fit.
#[derive(Debug, PartialEq, Deserialize, Default)]
#[serde(default)]
pub struct Typed {
    #[serde(rename = "SZ", deserialize_with = "de::invalid_option")]
    size: Option<Size>,
    #[serde(rename = "KM", deserialize_with = "de::invalid_option")]
    komi: Option<f64>,
    #[serde(rename = "HA", deserialize_with = "de::invalid_option")]
    handicap: Option<u128>,
    #[serde(rename = "DT", deserialize_with = "de::invalid_option")]
    dates: Option<Dates>,
    #[serde(rename = "RE")]
    result: Option<GameResult>,
    #[serde(rename = "AP")]
    program: Option<(String, String)>,
    #[serde(rename = "FG", deserialize_with = "de::invalid_option")]
    figure: Option<Compose<Number, SimpleText>>,
    #[serde(rename = "AB", deserialize_with = "de::invalid_option")]
    black: Option<Vec<Rect>>,
    #[serde(rename = "AW", deserialize_with = "de::invalid_option")]
    white: Option<PointList>,
    #[serde(rename = "LB")]
    labels: Option<Vec<(String, String)>>,
    #[serde(rename = "C")]
    comment: Option<[String; 2]>,
    #[serde(rename = "KO")]
    is_forced: bool,
    #[serde(rename = "$nodes")]
    nodes: Vec<Move>,
}

#[derive(Debug, PartialEq, Deserialize)]
pub enum Move {
    B(go::Move),
    W(go::Move),
    AB(BTreeSet<go::Point>),
    LB(BTreeMap<String, String>),
    #[serde(other)]
    Other,
}

/// With flattened parts, which go through a buffer of serde's.
#[derive(Debug, PartialEq, Deserialize)]
pub struct Flat {
    #[serde(rename = "GM", default)]
    game: Option<Value>,
    #[serde(flatten)]
    rest: Properties,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Any {
    Sized {
        #[serde(rename = "SZ")]
        size: u8,
    },
    Line(Vec<Properties>),
    Map(BTreeMap<String, Value>),
}

/// Texts that are owned, or not.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(bound = "S: Deserialize<'de> + Ord")]
pub struct Texts<S> {
    #[serde(rename = "C", default = "Option::default")]
    comment: Option<S>,
    #[serde(rename = "XX", default = "Vec::new")]
    list: Vec<S>,
    #[serde(rename = "$mainline")]
    moves: Vec<BTreeMap<S, S>>,
}

/// Borrowed from the input where nothing changes.
#[derive(PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

impl Debug for Text<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// Games with their spans, or errors without their places, which are not the same in a part.
type Read<T> = Vec<(Result<T, String>, Range<u64>)>;

/// Reads all games of an iterator.
macro_rules! read_all {
    ($games:expr) => {{
        let mut games = $games;
        collect(&mut || games.next().map(|game| (game, games.span())))
    }};
}

fn collect<T>(next: &mut dyn FnMut() -> Option<(de::Result<T>, Range<u64>)>) -> Read<T> {
    let mut all = Vec::new();
    while let Some((game, span)) = next() {
        all.push((game.map_err(|error| error.to_string()), span));
    }
    all
}

/// All ways to read games as one type agree: slices, streams, callbacks, and each game alone.
pub fn agrees<T: DeserializeOwned + PartialEq + Debug>(bytes: &[u8]) {
    for parser in [Parser::new(), Parser::strict()] {
        let games: Read<T> = read_all!(parser.slice(bytes).games::<T>());
        for capacity in [1, 7, 64 * 1024] {
            let stream = parser.reader(BufReader::with_capacity(capacity, bytes));
            assert_eq!(read_all!(stream.games::<T>()), games, "left: buffer of {capacity}, right: slice");
        }
        let heard = parser.clone().on_diagnostic(|_| {});
        let heard: Read<T> = read_all!(heard.slice(bytes).games::<T>());
        assert_eq!(heard.len(), games.len());
        for (heard, game) in heard.iter().zip(&games) {
            assert_eq!((heard.0.as_ref().ok(), &heard.1), (game.0.as_ref().ok(), &game.1), "left: listening");
        }
        // A game alone is the game, unless it has no end of its own.
        for (game, span) in &games {
            let alone = &bytes[span.start as usize..span.end as usize];
            if let (Ok(game), [b'(', .., b')'], false) = (game, alone, is_cut(alone)) {
                let alone = &*super::alone(alone, bytes, span.start).0;
                let first = parser.slice(alone).games::<T>().next();
                assert_eq!(first.and_then(Result::ok).as_ref(), Some(game), "left: alone");
                let whole = Vec::<T>::deserialize(&mut de::Deserializer::new(parser.slice(alone)));
                let whole = whole.expect("a game that was read");
                assert_eq!(whole.iter().collect::<Vec<_>>(), [game], "left: as a collection of its own");
            }
        }
    }
}

/// The data end in a game.
fn is_cut(bytes: &[u8]) -> bool {
    let log = DiagnosticLog::new(usize::MAX);
    _ = Parser::new().log_to(&log).each_event(bytes, |_, _| {});
    log.take().iter().any(|found| found.code == Code::UnclosedTree)
}

/// The law for types of all kinds.
pub fn all_agree(bytes: &[u8]) {
    agrees::<Game>(bytes);
    agrees::<Value>(bytes);
    agrees::<Tree>(bytes);
    agrees::<Typed>(bytes);
    agrees::<Flat>(bytes);
    agrees::<Any>(bytes);
    agrees::<Properties>(bytes);
    agrees::<Vec<Step>>(bytes);
    agrees::<BTreeMap<String, String>>(bytes);
    borrowing_changes_nothing(bytes);
    let games = Parser::new().slice(bytes).games::<IgnoredAny>().filter(Result::is_ok).count();
    let one = sgf_stream::from_slice::<BTreeMap<String, Value>>(bytes);
    assert!(one.is_err() || games == 1, "{games} games are one: {one:?}");
}

fn borrowing_changes_nothing(bytes: &[u8]) {
    let borrowed: Read<Texts<Text<'_>>> = read_all!(Parser::new().slice(bytes).games::<Texts<Text<'_>>>());
    let owned: Read<Texts<String>> = read_all!(Parser::new().reader(bytes).games::<Texts<String>>());
    assert_eq!(format!("{borrowed:?}"), format!("{owned:?}"), "left: a slice, right: a stream");
}
