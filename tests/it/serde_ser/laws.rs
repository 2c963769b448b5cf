//! Law L10: what is written reads back as it was, and what would not is refused.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Debug;

use quickcheck::{Arbitrary, Gen, QuickCheck, TestResult, inputs, quickcheck};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sgf_stream::de::Properties;
use sgf_stream::property;
use sgf_stream::ser::Serializer;
use sgf_stream::value::{
    Color, Compose, Dates, Double, Figure, GameResult, Number, Overtime, PointList, Rank, Real, Rect, Round, Ruleset,
    Seconds, SimpleText, Text, backgammon, go, hex, loa,
};
use sgf_stream::{Game, Parser, RawValue, to_string, to_vec};
use sgf_stream::{from_slice, from_str};

use crate::support::EachEvent;

/// Writes, and reads back. What is written, strict mode reads.
fn back<T: Serialize + DeserializeOwned>(value: &T) -> Result<T, String> {
    let sgf = to_string(value).map_err(|error| error.to_string())?;
    Parser::strict().each_event(sgf.as_bytes(), |_, _| {}).map_err(|error| format!("{sgf:?}: {error}"))?;
    from_str(&sgf).map_err(|error| format!("{sgf:?}: {error}"))
}

fn reads_back<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) -> TestResult {
    match back(value) {
        Ok(read) if read == *value => TestResult::passed(),
        Ok(read) => TestResult::error(format!("{value:?}\nis written {:?}\nand read {read:?}", to_string(value))),
        Err(error) => TestResult::error(format!("{value:?}\n{error}")),
    }
}

/// Texts that SGF can hold, made of the characters that matter.
fn text(g: &mut Gen) -> String {
    Text::new(any_text(g)).into_string()
}

fn line(g: &mut Gen) -> String {
    SimpleText::new(any_text(g)).into_string()
}

/// Any texts.
fn any_text(g: &mut Gen) -> String {
    let len = usize::arbitrary(g) % 14;
    let pieces = ["\\", "]", "[", ":", "\n", " ", "(;FF[4", "(", ";", ")", "a", "囲", "\r", "\t", "]]", "B[", "GM["];
    (0..len)
        .map(
            |_| {
                if u8::arbitrary(g) < 220 {
                    (*g.choose(&pieces).unwrap()).to_owned()
                } else {
                    char::arbitrary(g).into()
                }
            },
        )
        .collect()
}

fn maybe<T>(g: &mut Gen, some: impl FnOnce(&mut Gen) -> T) -> Option<T> {
    bool::arbitrary(g).then(|| some(g))
}

fn some_of<T>(g: &mut Gen, max: usize, mut item: impl FnMut(&mut Gen) -> T) -> Vec<T> {
    let len = usize::arbitrary(g) % (max + 1);
    (0..len).map(|_| item(g)).collect()
}

fn point(g: &mut Gen) -> go::Point {
    let letter = |g: &mut Gen| (b'a' + u8::arbitrary(g) % 19) as char;
    go::Point::parse(format!("{}{}", letter(g), letter(g))).unwrap()
}

fn real(g: &mut Gen) -> f64 {
    loop {
        let real = f64::arbitrary(g);
        if real.is_finite() {
            return real;
        }
    }
}

/// One of what a type reads.
fn one_of<T>(g: &mut Gen, raw: &[&str], parse: impl FnOnce(&str) -> T) -> T {
    parse(g.choose(raw).unwrap())
}

/// Every kind of field, in no order of the file.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq, Default)]
#[serde(rename_all = "UPPERCASE", default)]
struct Header {
    pb: String,
    c: String,
    pw: Option<String>,
    gc: Option<Text>,
    ca: Option<String>,
    ha: Option<u8>,
    mn: i64,
    km: Option<f64>,
    v: Option<f32>,
    ko: bool,
    #[serde(rename = "IT")]
    it: Option<()>,
    pl: Option<Color>,
    gb: Option<Double>,
    ab: Vec<go::Point>,
    aw: BTreeSet<String>,
    ae: PointList<go::Point>,
    dd: Option<Vec<go::Point>>,
    tb: Vec<String>,
    tr: Vec<Rect>,
    vw: Option<BTreeSet<Rect>>,
    lb: BTreeMap<go::Point, String>,
    ar: Vec<(go::Point, go::Point)>,
    ln: Vec<[String; 2]>,
    ap: Option<(String, String)>,
    sz: Option<(u8, u8)>,
    fg: Option<Figure>,
    dt: Option<Dates>,
    re: Option<GameResult>,
    tm: Option<Seconds>,
    ot: Option<Overtime>,
    ru: Option<Ruleset>,
    br: Option<Rank>,
    ro: Option<Round>,
    us: Option<char>,
    so: Option<Compose<SimpleText, SimpleText>>,
    /// Unknown to the registry.
    qqa: Option<String>,
    qqb: Vec<String>,
    qqc: Option<(i32, String)>,
    qqd: Vec<(String, char)>,
    qqe: Option<[u8; 3]>,
    qqf: Option<Level>,
    qqg: Option<Newtype>,
    qqh: HashMap<String, u64>,
    qqi: Option<Real>,
    qqj: Option<Number>,
    qqk: Option<Box<(SimpleText, Ruleset)>>,
    qql: Option<Pairs>,
}

#[derive(Serialize, Deserialize, Debug, Clone, Copy, PartialEq)]
#[serde(rename_all = "snake_case")]
enum Level {
    Low,
    VeryHigh,
}

#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
struct Newtype(Option<Vec<String>>);

#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
struct Pairs {
    key: String,
    #[serde(default)]
    flag: bool,
    number: Option<i8>,
}

const RULES: [&str; 4] = ["Japanese", "Chinese", r"my \[rules\]: none\\", "a:b"];

impl Arbitrary for Header {
    fn arbitrary(g: &mut Gen) -> Self {
        let mut header = Header::default();
        let h = &mut header;
        h.pb = line(g);
        // A field at a time, and some of them together.
        for _ in 0..1 + usize::arbitrary(g) % 8 {
            match u8::arbitrary(g) % 46 {
                0 => h.c = text(g),
                1 => h.pw = maybe(g, line),
                2 => h.gc = maybe(g, |g| Text::new(text(g))),
                3 => h.ca = maybe(g, |g| one_of(g, &["UTF-8", "utf8"], ToOwned::to_owned)),
                4 => h.ha = maybe(g, u8::arbitrary),
                5 => h.mn = i64::arbitrary(g),
                6 => h.km = maybe(g, real),
                7 => h.v = maybe(g, f32::arbitrary).filter(|v| v.is_finite()),
                8 => h.ko = bool::arbitrary(g),
                9 => h.it = maybe(g, |_| ()),
                10 => h.pl = maybe(g, |g| one_of(g, &["B", "W"], |raw| raw.parse().unwrap())),
                11 => h.gb = maybe(g, |g| one_of(g, &["1", "2"], |raw| raw.parse().unwrap())),
                12 => h.ab = some_of(g, 4, point),
                13 => h.aw = some_of(g, 4, |g| point(g).to_string()).into_iter().collect(),
                14 => h.ae = some_of(g, 4, point).into_iter().collect::<BTreeSet<_>>().into_iter().collect(),
                15 => h.dd = maybe(g, |g| some_of(g, 2, point)),
                16 => h.tb = some_of(g, 3, |g| point(g).to_string()),
                17 => h.lb = some_of(g, 3, |g| (point(g), line(g))).into_iter().collect(),
                18 => h.ar = some_of(g, 3, |g| (point(g), point(g))),
                19 => h.ln = some_of(g, 2, |g| [line(g), line(g)]),
                20 => h.ap = maybe(g, |g| (line(g), line(g))),
                21 => h.sz = maybe(g, |g| (u8::arbitrary(g) % 3, u8::arbitrary(g) % 3)),
                22 => h.fg = maybe(g, |g| one_of(g, &["", "257:Dia. 1: x", r"1:a\:b\]"], |raw| raw.parse().unwrap())),
                23 => h.dt = maybe(g, |g| one_of(g, &["1996-12-27,28", "1999"], |raw| raw.parse().unwrap())),
                24 => h.re = maybe(g, |g| one_of(g, &["B+Resign", "0", "W+3.5", "?"], |raw| raw.parse().unwrap())),
                25 => h.tm = maybe(g, |g| one_of(g, &["3600", "0.5"], |raw| raw.parse().unwrap())),
                26 => h.ot = maybe(g, |g| one_of(g, &["5x30 byo-yomi", r"a\]b\\c"], |raw| raw.parse().unwrap())),
                27 => h.ru = maybe(g, |g| one_of(g, &RULES, |raw| raw.parse().unwrap())),
                28 => h.br = maybe(g, |g| one_of(g, &["5d", "12k?"], |raw| raw.parse().unwrap())),
                29 => h.ro = maybe(g, |g| one_of(g, &["5 (final)", "7 (a\\\\b)"], |raw| raw.parse().unwrap())),
                30 => h.us = maybe(g, char::arbitrary).filter(|c| !('\t'..='\r').contains(c)),
                31 => h.so = maybe(g, |g| Compose(SimpleText::new(line(g)), SimpleText::new(line(g)))),
                32 => h.qqa = maybe(g, text),
                33 => h.qqb = some_of(g, 4, text),
                34 => h.qqc = maybe(g, |g| (i32::arbitrary(g), line(g))),
                35 => h.qqd = some_of(g, 3, |g| (line(g), 'x')),
                36 => h.qqe = maybe(g, |g| [u8::arbitrary(g), 0, 255]),
                37 => h.qqf = maybe(g, |g| *g.choose(&[Level::Low, Level::VeryHigh]).unwrap()),
                38 => h.qqg = maybe(g, |g| Newtype(Some([vec![text(g)], some_of(g, 3, text)].concat()))),
                39 => h.qqh = some_of(g, 3, |g| (line(g), u64::arbitrary(g))).into_iter().collect(),
                40 => h.qqi = maybe(g, |g| Real::new(real(g)).unwrap()),
                41 => h.qqj = maybe(g, |g| Number::new(i64::arbitrary(g))),
                42 => h.tr = some_of(g, 3, |g| Rect::spanning(point(g), point(g))),
                43 => h.vw = maybe(g, |g| some_of(g, 3, |g| Rect::spanning(point(g), point(g))).into_iter().collect()),
                44 => {
                    h.qqk = maybe(g, |g| {
                        Box::new((SimpleText::new(line(g)), one_of(g, &RULES, |raw| raw.parse().unwrap())))
                    })
                }
                _ => {
                    h.qql =
                        maybe(g, |g| Pairs { key: line(g), flag: bool::arbitrary(g), number: maybe(g, i8::arbitrary) })
                }
            }
        }
        header
    }
}

/// A node as an enum.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
enum Step {
    B(go::Move),
    W(String),
    C(Text),
    AB(Vec<go::Point>),
    LB(Vec<(String, String)>),
    AR((String, String), (String, String)),
    SZ(u8, u8),
    MI {
        length: u8,
        game: Option<i8>,
    },
    DD(Vec<String>),
    KO,
    #[serde(rename = "QQQ")]
    Unknown(Option<u8>, char),
    #[serde(other)]
    Other,
}

impl Arbitrary for Step {
    fn arbitrary(g: &mut Gen) -> Self {
        match u8::arbitrary(g) % 12 {
            0 => Step::B(if bool::arbitrary(g) {
                go::Move::Pass
            } else {
                go::Move::parse(point(g).to_string()).unwrap()
            }),
            1 => Step::W(line(g)),
            2 => Step::C(Text::new(any_text(g))),
            3 => Step::AB([vec![point(g)], some_of(g, 3, point)].concat()),
            4 => Step::LB(vec![(line(g), line(g))]),
            5 => Step::AR((line(g), line(g)), (line(g), line(g))),
            6 => Step::SZ(u8::arbitrary(g), u8::arbitrary(g)),
            7 => Step::MI { length: u8::arbitrary(g), game: maybe(g, i8::arbitrary) },
            8 => Step::DD(some_of(g, 2, |g| point(g).to_string())),
            9 => Step::KO,
            10 => Step::Unknown(Some(u8::arbitrary(g)), ':'),
            _ => Step::Other,
        }
    }
}

/// A tree in full, whose fields are declared from the last to the first.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
struct Tree {
    #[serde(rename = "$variations")]
    variations: Vec<Tree>,
    #[serde(rename = "$nodes")]
    nodes: Vec<Header>,
    #[serde(rename = "$rest")]
    rest: Properties,
    #[serde(rename = "QQZ")]
    extra: Option<String>,
}

fn tree(g: &mut Gen, levels: usize) -> Tree {
    let variations = if levels == 0 { vec![] } else { some_of(g, 2, |g| tree(g, levels - 1)) };
    let mut rest = Properties::new();
    for _ in 0..usize::arbitrary(g) % 3 {
        let raw = one_of(g, &["", "aa", r"a\]\:b", "aa:cc", r"\\", "\ta\r\n"], |raw| raw.as_bytes().to_owned());
        rest.push(g.choose(&["AB", "DD", "C", "PB", "QQY", "KM"]).unwrap(), RawValue::new(&raw));
    }
    Tree { variations, nodes: some_of(g, 2, Header::arbitrary), rest, extra: maybe(g, text) }
}

impl Arbitrary for Tree {
    fn arbitrary(g: &mut Gen) -> Self {
        tree(g, 3)
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let Tree { variations, nodes, rest, extra } = self.clone();
        let mut less = variations.clone();
        if !nodes.is_empty() || !rest.is_empty() {
            less.push(Tree { variations, nodes: vec![], rest: Properties::new(), extra: extra.clone() });
        }
        less.extend((0..nodes.len()).map(|n| Tree {
            variations: vec![],
            nodes: vec![nodes[n].clone()],
            rest: Properties::new(),
            extra: None,
        }));
        if !nodes.is_empty() || !less.is_empty() {
            less.push(Tree { variations: vec![], nodes: vec![], rest, extra });
        }
        Box::new(less.into_iter().filter({
            let this = self.clone();
            move |less| *less != this
        }))
    }
}

/// `CA` is added where a text is not ASCII, which is seen by what asks for it.
fn with_charset(mut tree: Tree) -> Tree {
    if !is_ascii(&tree) && tree.rest.first("CA").is_none() {
        tree.rest.push("CA", RawValue::new(b"UTF-8"));
    }
    tree
}

fn is_ascii(tree: &Tree) -> bool {
    to_string(tree).is_ok_and(|sgf| sgf.is_ascii())
}

/// The order of `$rest` is that of the file, in which a `CA` that was added is the first.
fn same(a: &Tree, b: &Tree) -> bool {
    let sorted = |tree: &Tree| {
        let values = |raw: RawValue<'_>| raw.as_bytes().to_owned();
        let rest = tree.rest.iter().map(|(name, raw)| (name.to_owned(), raw.map(values).collect::<Vec<_>>()));
        rest.collect::<BTreeMap<_, _>>()
    };
    sorted(a) == sorted(b) && (&a.variations, &a.nodes, &a.extra) == (&b.variations, &b.nodes, &b.extra)
}

/// The main line beside the root's own struct.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
struct MainLine {
    #[serde(rename = "$mainline")]
    steps: Vec<Step>,
    #[serde(rename = "$root")]
    root: Header,
    #[serde(rename = "QQZ")]
    extra: Option<String>,
}

impl Arbitrary for MainLine {
    fn arbitrary(g: &mut Gen) -> Self {
        MainLine { steps: some_of(g, 6, Step::arbitrary), root: Header::arbitrary(g), extra: maybe(g, text) }
    }
}

/// The typed values of games with a notation of their own; `GM` comes last.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "UPPERCASE")]
struct Played<M> {
    b: Option<M>,
    #[serde(default)]
    ab: Vec<String>,
    gm: Game,
    #[serde(rename = "$mainline")]
    moves: Vec<Move<M>>,
}

#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
enum Move<M> {
    B(M),
    W(M),
}

fn played<M: std::str::FromStr<Err: Debug>>(g: &mut Gen, gm: Game, raw: &[&str], points: &[&str]) -> Played<M> {
    let a_move = |g: &mut Gen| one_of(g, raw, |raw| raw.parse().unwrap());
    Played {
        b: maybe(g, a_move),
        ab: some_of(g, 3, |g| one_of(g, points, ToOwned::to_owned)),
        gm,
        moves: some_of(g, 4, |g| if bool::arbitrary(g) { Move::B(a_move(g)) } else { Move::W(a_move(g)) }),
    }
}

quickcheck! {
    fn headers_read_back(header: Header) -> TestResult {
        if header.ca.is_none() && to_string(&header).is_ok_and(|sgf| !sgf.is_ascii()) {
            return reads_back(&Header { ca: Some("UTF-8".into()), ..header });
        }
        reads_back(&header)
    }

    fn steps_read_back(games: Vec<Vec<Step>>) -> TestResult {
        if games.is_empty() || games.iter().any(Vec::is_empty) {
            return TestResult::from_bool(to_string(&games).is_err());
        }
        reads_back(&games)
    }

    fn main_lines_read_back(games: (MainLine, Vec<MainLine>)) -> TestResult {
        let mut games = [vec![games.0], games.1].concat();
        for game in &mut games {
            game.root.ca = Some("UTF-8".into());
        }
        reads_back(&games)
    }

    fn trees_read_back(tree: Tree) -> TestResult {
        match back(&tree) {
            Ok(read) if same(&read, &with_charset(tree.clone())) => TestResult::passed(),
            Ok(read) => TestResult::error(format!("{tree:?}\nis written {:?}\nand read {read:?}", to_string(&tree))),
            Err(error) => TestResult::error(error),
        }
    }

    fn a_text_reads_back_or_is_refused(texts: (AnyText, AnyText)) -> TestResult {
        let (a, b) = (texts.0.0, texts.1.0);
        for name in ["C", "PB", "QQQ", "AB", "LB", "RE", "AP"] {
            for value in [
                Any::One(a.clone()),
                Any::List(vec![a.clone()]),
                Any::List(vec![a.clone(), b.clone()]),
                Any::Pairs(vec![(a.clone(), b.clone())]),
            ] {
                if let Err(why) = reads_back_or_is_refused(name, value) {
                    return TestResult::error(why);
                }
            }
        }
        TestResult::passed()
    }

    fn what_is_normalized_is_stable(texts: (AnyText, AnyText)) -> TestResult {
        let (a, b) = (texts.0.0, texts.1.0);
        let game = BTreeMap::from([("C", &a), ("PB", &b), ("QQQ", &a)]);
        let write = |game: &BTreeMap<&str, &String>| {
            let mut serializer = Serializer::new(Vec::new()).normalize(true);
            game.serialize(&mut serializer).unwrap();
            serializer.finish().unwrap()
        };
        let written = write(&game);
        let read: BTreeMap<String, String> = from_slice(&written).unwrap();
        let text = |name| read.get(name).map(String::as_str);
        if text("C") != Some(&*Text::new(&*a)) || text("PB") != Some(&*SimpleText::new(&*b)) || text("QQQ") != text("C") {
            return TestResult::error(format!("{game:?} is read {read:?}"));
        }
        // There is nothing left to normalize.
        reads_back(&read)
    }

    fn bytes_read_back_or_are_refused(raw: Vec<u8>, first: Piece, second: Piece) -> TestResult {
        for raw in [raw, [first.0.as_bytes(), second.0.as_bytes()].concat()] {
            let games = BTreeMap::from([("QQQ".to_owned(), Bytes(raw))]);
            if let Ok(sgf) = to_vec(&games) {
                Parser::strict().each_event(&sgf, |_, _| {}).unwrap();
                let read: BTreeMap<String, Bytes> = from_slice(&sgf).unwrap();
                if read != games {
                    return TestResult::error(format!("{games:?} is read {read:?}"));
                }
            }
        }
        TestResult::passed()
    }

    fn json_that_was_read_reads_back(tree: Tree) -> TestResult {
        let Ok(sgf) = to_string(&tree) else { return TestResult::discard() };
        let mut value: serde_json::Value = from_str(&sgf).unwrap();
        // An empty list that FF[4] does not allow is missing: `AB[]`.
        without_empty_lists(&mut value);
        reads_back(&value)
    }
}

fn without_empty_lists(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::Object(tree) => {
            tree.retain(|name, value| {
                name == "DD" || name == "TB" || value.as_array().is_none_or(|list| !list.is_empty())
            });
            tree.values_mut().for_each(without_empty_lists);
        }
        serde_json::Value::Array(items) => items.iter_mut().for_each(without_empty_lists),
        _ => {}
    }
}

/// A piece of a raw value.
#[derive(Clone, Debug)]
struct Piece(String);

impl Arbitrary for Piece {
    fn arbitrary(g: &mut Gen) -> Self {
        Piece(any_text(g))
    }
}

/// Any text, in which SGF may not hold every character.
#[derive(Clone, Debug)]
struct AnyText(String);

impl Arbitrary for AnyText {
    fn arbitrary(g: &mut Gen) -> Self {
        AnyText(any_text(g))
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let text = self.0.clone();
        let less = (0..text.chars().count())
            .map(move |n| text.chars().enumerate().filter(|(at, _)| *at != n).map(|(_, c)| c).collect());
        Box::new(less.map(AnyText))
    }
}

/// Raw bytes.
#[derive(Clone, Debug, PartialEq)]
struct Bytes(Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl serde::de::Visitor<'_> for Visitor {
            type Value = Bytes;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("bytes")
            }
            fn visit_bytes<E>(self, raw: &[u8]) -> Result<Bytes, E> {
                Ok(Bytes(raw.into()))
            }
        }
        deserializer.deserialize_bytes(Visitor)
    }
}

enum Any {
    One(String),
    List(Vec<String>),
    Pairs(Vec<(String, String)>),
}

fn reads_back_or_is_refused(name: &'static str, value: Any) -> Result<(), String> {
    fn check<T: Serialize + DeserializeOwned + PartialEq + Debug>(name: &'static str, value: T) -> Result<(), String> {
        let game = BTreeMap::from([(name.to_owned(), value)]);
        let Ok(sgf) = to_string(&game) else { return Ok(()) };
        Parser::strict().each_event(sgf.as_bytes(), |_, _| {}).map_err(|error| format!("{sgf:?}: {error}"))?;
        let read: BTreeMap<String, OnlyFor<T>> = from_str(&sgf).map_err(|error| format!("{sgf:?}: {error}"))?;
        let read = read.get(name).and_then(|read| read.0.as_ref());
        if read == game.get(name) { Ok(()) } else { Err(format!("{game:?} is written {sgf:?} and read {read:?}")) }
    }

    match value {
        Any::One(text) => check(name, text),
        Any::List(texts) => check(name, texts),
        Any::Pairs(pairs) => check(name, pairs),
    }
}

/// A value of this type, or of another one: `CA` may be there too.
#[derive(Debug, Deserialize)]
#[serde(bound = "T: DeserializeOwned")]
struct OnlyFor<T>(#[serde(deserialize_with = "sgf_stream::de::invalid_option")] Option<T>);

#[test]
fn games_of_all_kinds_read_back() {
    fn law<M>(gm: Game, raw: &'static [&'static str], points: &'static [&'static str])
    where
        M: std::str::FromStr<Err: Debug> + Serialize + DeserializeOwned + PartialEq + Debug + 'static,
    {
        let mut random = inputs(30);
        for _ in 0..500 {
            let game: Played<M> = played(&mut random, gm, raw, points);
            if reads_back(&game).is_failure() {
                panic!(
                    "{game:?} {:?}",
                    to_string(&game).map(|sgf| from_str::<Played<M>>(&sgf).map_err(|e| e.to_string()))
                );
            }
        }
    }

    law::<go::Move>(Game::Go, &["dd", "", "ss"], &["aa", "pd"]);
    law::<hex::Move>(Game::Hex, &["a1", "swap-pieces", "resign"], &["a1", "c11"]);
    law::<loa::Move>(Game::LinesOfAction, &["a1-b2", "h8:a1"], &["a1", "h8"]);
    law::<backgammon::Move>(Game::Backgammon, &["31abcd", "double", "take"], &["a", "y"]);
}

/// All that the registry knows, as the raw values that it has.
#[test]
fn every_property_of_the_registry_reads_back_as_a_string() {
    for row in property::all().iter().filter(|row| row.ident().bytes().all(|byte| byte.is_ascii_uppercase())) {
        for value in ["1", "aa", "", "a]b", "x:y"] {
            let game = BTreeMap::from([(row.ident().to_owned(), value.to_owned())]);
            assert!(!reads_back(&game).is_failure(), "{}: {value:?}: {:?}", row.ident(), to_string(&game));
        }
    }
}

/// The headers have in them what the laws are about.
#[test]
fn laws_can_fail() {
    fn loses_escapes(header: Header) -> bool {
        !to_string(&header).unwrap().contains('\\')
    }
    assert!(QuickCheck::new().rng(inputs(100)).tests(1000).quicktest(loses_escapes as fn(Header) -> bool).is_err());
}
