//! Records are those of `Games`, and so are errors and diagnostics.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::{Arc, Mutex};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use sgf_stream::de::{self, Options, Properties};
use sgf_stream::{Code, Diagnostic, Parser};

use crate::support::codec::decode;
use crate::support::generate::{Chunks, Input};
use crate::support::{Finding, holds};

#[derive(Debug, PartialEq, Deserialize)]
struct Game {
    #[serde(rename = "PB", default)]
    black: Option<String>,
    #[serde(rename = "SZ", default)]
    size: Option<u8>,
    #[serde(rename = "AB", default)]
    stones: Vec<String>,
    #[serde(rename = "$rest")]
    rest: Properties,
    #[serde(rename = "$mainline")]
    moves: Vec<Step>,
}

#[derive(Debug, PartialEq, Deserialize)]
enum Step {
    B(String),
    W(String),
    LB(BTreeMap<String, String>),
    #[serde(other)]
    Other,
}

/// A tree of everything.
#[derive(Debug, PartialEq, Deserialize)]
struct Tree {
    #[serde(rename = "$root")]
    root: Properties,
    #[serde(rename = "$nodes")]
    nodes: Vec<Properties>,
    #[serde(rename = "$variations")]
    variations: Vec<Tree>,
}

/// What is read, where, as which game; and what is reported meanwhile.
type Read<T> = (Vec<(Result<T, String>, std::ops::Range<u64>)>, Vec<Finding>);

fn listening(parser: &Parser) -> (Parser, Arc<Mutex<Vec<Finding>>>) {
    let findings: Arc<Mutex<Vec<Finding>>> = Arc::default();
    let heard = Arc::clone(&findings);
    let heard = move |found: &Diagnostic| heard.lock().unwrap().push((found.code, found.position));
    (parser.clone().on_diagnostic(heard), findings)
}

fn sorted(findings: &Mutex<Vec<Finding>>) -> Vec<Finding> {
    let mut findings = std::mem::take(&mut *findings.lock().unwrap());
    findings.sort_by_key(|&(code, position)| (position, code));
    findings
}

fn by_codec<T: DeserializeOwned>(bytes: &[u8], sizes: &[usize], parser: &Parser, cut: bool) -> Read<T> {
    let (parser, findings) = listening(parser);
    let mut games = Vec::new();
    decode(
        bytes,
        sizes,
        &mut parser.record_codec::<T>().options(Options::new().accept_truncated(cut)),
        |codec, item, _| {
            games.push((item.map_err(|error: de::Error| error.to_string()), codec.span()));
        },
    );
    // That there is nothing is an error of the codec. The iterator has nothing to say.
    games.retain(|(item, _)| !item.as_ref().is_err_and(|error| error.contains("no SGF data")));
    (games, sorted(&findings))
}

fn by_iterator<T: DeserializeOwned>(bytes: &[u8], parser: &Parser, cut: bool) -> Read<T> {
    let (parser, findings) = listening(&parser.clone().count_lines(true));
    let mut all = Vec::new();
    let mut games = parser.reader(bytes).games_with::<T>(Options::new().accept_truncated(cut));
    while let Some(game) = games.next() {
        all.push((game.map_err(|error| error.to_string()), games.span()));
    }
    all.retain(|(item, _)| !item.as_ref().is_err_and(|error| error.contains("no SGF data")));
    (all, sorted(&findings))
}

fn agrees<T: DeserializeOwned + PartialEq + Debug>(bytes: &[u8], sizes: &[usize], parser: &Parser) {
    // A game that is cut is not looked at, if it is an error.
    let (codec, iterator) = (by_codec::<T>(bytes, sizes, parser, false), by_iterator::<T>(bytes, parser, false));
    assert_eq!(codec.0, iterator.0, "left: the codec, right: the iterator");
    let (codec, iterator) = (by_codec::<T>(bytes, sizes, parser, true), by_iterator::<T>(bytes, parser, true));
    assert_eq!(codec.0, iterator.0, "left: the codec, right: the iterator");
    // At the end of a game that the next one cuts off, a frame has other faults.
    let is_missing = |&(code, _): &Finding| matches!(code, Code::MissingCloseBracket | Code::MissingCloseParen);
    if !codec.1.iter().any(is_missing) {
        assert_eq!(codec.1, iterator.1, "left: the codec, right: the iterator");
    }
}

#[test]
fn records_are_those_of_the_iterator() {
    fn law(Input(bytes): Input, Chunks(sizes): Chunks) {
        let parser = Parser::new();
        agrees::<Game>(&bytes, &sizes, &parser);
        agrees::<Value>(&bytes, &sizes, &parser);
        agrees::<Tree>(&bytes, &sizes, &parser);
        agrees::<BTreeMap<String, String>>(&bytes, &sizes, &parser);
        // What a type does not look at is checked too, in strict mode; this one looks at all.
        agrees::<Tree>(&bytes, &sizes, &Parser::strict());
    }
    holds(1000, law as fn(Input, Chunks));
}

#[cfg(feature = "charset")]
#[test]
fn charsets_are_those_of_the_iterator() {
    use sgf_stream::charset::Decoding;

    fn law(Input(bytes): Input, Chunks(sizes): Chunks, bom: bool) {
        let bytes = if bom { [b"\xEF\xBB\xBF", &bytes[..]].concat() } else { bytes };
        agrees::<Value>(&bytes, &sizes, &Parser::new().charset(Decoding::new()));
    }
    holds(1000, law as fn(Input, Chunks, bool));

    // The mark is before the first game, and holds for all.
    let bytes = b"\xEF\xBB\xBF(;CA[Big5]PB[\xE5\xB0\x8F])(;CA[Big5]PB[\xE5\xB0\x8F])";
    let parser = Parser::new().charset(Decoding::new());
    let (games, _) = by_codec::<BTreeMap<String, String>>(bytes, &[1], &parser, false);
    assert!(games.iter().all(|(game, _)| game.as_ref().unwrap()["PB"] == "小"), "{games:?}");
    assert_eq!(games.len(), 2);
}

#[test]
fn trees_may_nest_to_a_limit() {
    let nested = |levels: usize| format!("{}{}", "(;B[aa]".repeat(levels), ")".repeat(levels));
    let bytes = nested(3) + &nested(4) + &nested(2);
    let mut codec = Parser::new().record_codec::<Tree>().options(Options::new().max_depth(3));
    let mut items = Vec::new();
    decode(bytes.as_bytes(), &[5], &mut codec, |codec, item, _| {
        items.push((item.map_err(|error| error.game()).map(drop), codec.game_index()));
    });
    assert_eq!(items, [(Ok(()), Some(0)), (Err(Some(1)), Some(1)), (Ok(()), Some(2))]);
}

#[test]
fn a_game_that_is_too_long_has_its_number() {
    let bytes = b"(;PB[a])(;PB[much too long])(;PB[b])junk";
    let mut items = Vec::new();
    let mut codec = Parser::new().max_game_len(10).record_codec::<BTreeMap<String, String>>();
    decode(bytes, &[3], &mut codec, |_, item, _| items.push(item.map_err(|error| error.to_string())));
    let error = items[1].as_ref().unwrap_err();
    assert_eq!(error, "game 2 (byte 8): the game is longer than the limit of 10 bytes [game-too-long]");
    assert_eq!(items.len(), 3);
}

#[test]
fn errors_are_worded_as_the_iterator_words_them() {
    let bytes = b"(;SZ[9])\n (;SZ[x])\n(;PB[cut";
    for parser in [Parser::new(), Parser::new().count_lines(true), Parser::strict()] {
        let mut of_codec = Vec::new();
        decode(bytes, &[3], &mut parser.record_codec::<Game>(), |_, item, _| {
            of_codec.push(item.map_err(|error| error.to_string()));
        });
        let games = parser.reader(&bytes[..]).games::<Game>();
        let of_iterator: Vec<_> = games.map(|game| game.map_err(|error| error.to_string())).collect();
        assert_eq!(of_codec, of_iterator, "left: the codec, right: the iterator");
        assert!(of_codec[1].is_err() && of_codec[2].is_err());
    }
}

#[test]
fn fields_that_do_not_fit_may_be_left_out() {
    let bytes = b"(;SZ[9]PB[a])\n (;SZ[x]PB[b])(;SZ[]AB[])";
    let (parser, findings) = listening(&Parser::new());
    let mut of_codec = Vec::new();
    let mut codec = parser.record_codec::<Game>().options(Options::new().lenient_fields(true));
    decode(bytes, &[3], &mut codec, |_, item, _| of_codec.push(item.unwrap()));
    let heard = sorted(&findings);
    assert_eq!(heard.iter().map(|(code, place)| (*code, place.offset)).collect::<Vec<_>>(), [(Code::InvalidField, 19)]);
    let games = parser.reader(&bytes[..]).games_with::<Game>(Options::new().lenient_fields(true));
    assert_eq!(of_codec, games.map(Result::unwrap).collect::<Vec<_>>());
    assert_eq!(heard, sorted(&findings));
    let sizes: Vec<_> = of_codec.iter().map(|game| game.size).collect();
    assert_eq!(sizes, [Some(9), None, None]);

    let mut of_header = Vec::new();
    let mut codec = parser.record_codec::<Game>().options(Options::new().lenient_header(true));
    decode(bytes, &[3], &mut codec, |_, item, _| of_header.push(item.unwrap()));
    assert_eq!(of_header, of_codec);
}
