//! The iterator of games: where they are, what an error costs, and what a cut stream gives.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read};

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use sgf_stream::de::{self, Category, Games, Options};
use sgf_stream::{Code, DiagnosticLog, Event, Parser, Reader};

#[derive(Debug, Clone, PartialEq, Deserialize)]
struct Header {
    #[serde(rename = "PB")]
    black: String,
    #[serde(rename = "HA", default)]
    handicap: u8,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Record {
    #[serde(rename = "PB")]
    black: String,
    #[serde(rename = "$mainline")]
    moves: Vec<BTreeMap<String, String>>,
}

const ARCHIVE: &str = "mail (;PB[a];B[aa](;W[bb])(;W[cc]))\n(;PB[b]HA[x];B[aa])\r\n(;PB[c]HA[3]C[\\]](;B[aa]))\n";

#[test]
fn an_error_costs_its_game() {
    let check = |mut games: Box<dyn Iterator<Item = de::Result<Header>>>| {
        assert_eq!(games.next().unwrap().unwrap(), Header { black: "a".into(), handicap: 0 });
        let error = games.next().unwrap().unwrap_err();
        assert_eq!((error.game(), error.node(), error.property()), (Some(1), Some(0), Some("HA")));
        assert_eq!(games.next().unwrap().unwrap(), Header { black: "c".into(), handicap: 3 });
        assert!(games.next().is_none() && games.next().is_none());
    };
    for parser in [Parser::new(), Parser::new().on_diagnostic(|_| {})] {
        check(Box::new(parser.slice(ARCHIVE.as_bytes()).games()));
        check(Box::new(parser.reader(ARCHIVE.as_bytes()).games()));
        check(Box::new(parser.reader(BufReader::with_capacity(1, ARCHIVE.as_bytes())).games()));
    }
}

#[test]
fn an_error_after_the_root_costs_its_game_too() {
    #[derive(Debug, Deserialize)]
    enum Step {
        B(IgnoredAny),
    }
    let sgf = "(;B[];B[];W[];B[](;B[])(;B[]))(;B[];B[])(;B[](;X[](;B[]))(;B[]))(;B[])";
    let read = |games: Box<dyn Iterator<Item = de::Result<Vec<Step>>>>| {
        games.map(|game| game.map(|moves| moves.len()).map_err(|error| error.node())).collect::<Vec<_>>()
    };
    let expected = [Err(Some(2)), Ok(2), Err(Some(1)), Ok(1)];
    assert_eq!(read(Box::new(Parser::new().slice(sgf.as_bytes()).games())), expected);
    assert_eq!(read(Box::new(Parser::strict().slice(sgf.as_bytes()).games())), expected);
    assert_eq!(read(Box::new(Parser::new().reader(sgf.as_bytes()).games())), expected);
}

#[test]
fn spans_are_where_the_games_are() {
    fn spans<T: serde::de::DeserializeOwned>(parser: &Parser) -> Vec<&'static str> {
        let mut games = parser.reader(ARCHIVE.as_bytes()).games::<T>();
        assert_eq!((games.game_index(), games.span()), (None, 0..0));
        let mut spans = Vec::new();
        while let Some(game) = games.next() {
            let _ = game;
            assert_eq!(games.game_index(), Some(spans.len() as u64));
            let span = games.span();
            spans.push(&ARCHIVE[span.start as usize..span.end as usize]);
        }
        spans
    }
    let expected = ["(;PB[a];B[aa](;W[bb])(;W[cc]))", "(;PB[b]HA[x];B[aa])", "(;PB[c]HA[3]C[\\]](;B[aa]))"];
    for parser in [Parser::new(), Parser::new().on_diagnostic(|_| {})] {
        assert_eq!(spans::<Header>(&parser), expected, "errors too");
        assert_eq!(spans::<Record>(&parser), expected);
        assert_eq!(spans::<Value>(&parser), expected);
        assert_eq!(spans::<IgnoredAny>(&parser), expected);
        assert_eq!(spans::<()>(&parser), expected);
    }
    // A game that ends where the next one starts.
    let sgf = b"(;PB[a](;B[aa]\n(;FF[4]PB[b])";
    let mut games = Parser::new().slice(sgf).games::<Header>();
    assert_eq!(games.next().unwrap().unwrap().black, "a");
    assert_eq!(games.span(), 0..15);
    assert_eq!(games.next().unwrap().unwrap().black, "b");
    assert_eq!(games.span(), 15..28);
}

#[test]
fn a_reader_goes_on_where_its_caller_was() {
    let sgf = "(;PB[a];B[aa])(;PB[b];B[bb])(;PB[c];B[cc])(;PB[d])";
    let mut reader = Parser::new().slice(sgf.as_bytes());
    assert_eq!(reader.nth(3).unwrap().unwrap(), Event::Value(sgf_stream::RawValue::new(b"a")));
    let mut games = reader.games::<Header>();
    assert_eq!(games.next().unwrap().unwrap().black, "b");
    assert_eq!(games.span(), 14..28);
    let mut reader = games.into_reader();
    assert!(reader.skip_game().unwrap());
    assert_eq!(reader.next().unwrap().unwrap(), Event::StartTree);
    assert_eq!(reader.offset(), 42);

    let mut reader = Reader::new(sgf.as_bytes());
    reader.next_event().unwrap();
    let mut games = reader.games::<Header>();
    assert_eq!(games.next().unwrap().unwrap().black, "b");
    let mut games = games.with_type::<Record>();
    assert_eq!(games.next().unwrap().unwrap().moves.len(), 1);
    assert_eq!(games.reader().depth(), 0);
    let mut reader = games.into_reader();
    assert_eq!(reader.next_event().unwrap(), Some(Event::StartTree));
    assert_eq!(reader.offset(), 42);
}

/// Every whole game before the cut, then one error; nothing else.
fn check_cut<T: serde::de::DeserializeOwned + PartialEq + std::fmt::Debug>(
    whole: &[u8],
    starts: &[usize],
    ends: &[usize],
) {
    let games: Vec<T> = Parser::new().slice(whole).games().map(Result::unwrap).collect();
    assert_eq!(games.len(), ends.len());
    for cut in 0..=whole.len() {
        let bytes = &whole[..cut];
        let before = ends.iter().filter(|&&end| end <= cut).count();
        for (mode, parser) in [("lenient", Parser::new()), ("strict", Parser::strict())] {
            // A `(` alone may be text, in lenient mode.
            let begun = 1 + usize::from(mode == "lenient");
            let in_game = starts.get(before).is_some_and(|&start| start + begun <= cut);
            let is_error = in_game || before == 0;
            let check = |mut read: Vec<de::Result<T>>, how| {
                let last = if is_error { read.pop() } else { None };
                let error = last.map(Result::unwrap_err);
                assert_eq!(error.is_some(), is_error);
                if let Some(error) = error {
                    assert_eq!(error.category(), Category::Syntax, "{error}");
                    let game = in_game.then_some(before as u64).filter(|_| starts[before] + 2 <= cut);
                    assert_eq!(error.game(), game, "{error}: {mode}, {how}, cut at {cut}");
                }
                let read: Vec<T> = read.into_iter().map(Result::unwrap).collect();
                assert_eq!(read, games[..before], "{mode}, {how}, cut at {cut}");
            };
            check(parser.slice(bytes).games().collect(), "slice");
            check(parser.reader(bytes).games().collect(), "stream");
            check(parser.reader(BufReader::with_capacity(1, bytes)).games().collect(), "bytes");
            // There is what there is.
            if mode == "lenient" {
                let kept = parser
                    .slice(bytes)
                    .games_with::<IgnoredAny>(Options::new().accept_truncated(true))
                    .filter(Result::is_ok)
                    .count();
                assert_eq!(kept, before + usize::from(in_game), "cut at {cut}");
            }
        }
    }
}

#[test]
fn a_cut_archive_gives_the_games_before_the_cut_and_an_error() {
    let games = [
        "(;FF[4]PB[a]C[x\\]y];B[aa];W[bb](;B[cc])(;B[dd];W[ee]))",
        "(;PB[b]HA[2])",
        "(;PB[c]AB[aa][bb](;B[aa](;W[bb])(;W[cc])))",
    ];
    let (mut whole, mut starts, mut ends) = (String::new(), vec![], vec![]);
    for game in games {
        starts.push(whole.len());
        whole.push_str(game);
        ends.push(whole.len());
        whole.push('\n');
    }
    check_cut::<Header>(whole.as_bytes(), &starts, &ends);
    check_cut::<Record>(whole.as_bytes(), &starts, &ends);
    check_cut::<Value>(whole.as_bytes(), &starts, &ends);
    check_cut::<Vec<BTreeMap<String, Vec<String>>>>(whole.as_bytes(), &starts, &ends);
}

#[test]
fn a_cut_game_is_an_error_with_a_place() {
    let mut games = Parser::new().slice(b"(;PB[a])\n(;PB[b]").games::<Header>();
    assert!(games.next().unwrap().is_ok());
    let error = games.next().unwrap().unwrap_err();
    assert_eq!(error.to_string(), "game 2 (byte 16): expected `)`, found the end of the data [unclosed-tree]");
    assert_eq!((error.code(), error.position(), error.offset()), (Some(Code::UnclosedTree), None, Some(16)));
    assert_eq!(games.span(), 9..16);
    assert!(games.next().is_none());

    let mut games = Parser::new().count_lines(true).slice(b"(;PB[a])\n(;PB[b]").games::<Header>();
    let error = games.nth(1).unwrap().unwrap_err();
    let expected = "game 2, line 2, column 8 (byte 16): expected `)`, found the end of the data [unclosed-tree]";
    assert_eq!(error.to_string(), expected);

    let mut games =
        Parser::new().slice(b"(;PB[a])\n(;PB[b]").games_with::<Header>(Options::new().accept_truncated(true));
    assert_eq!(games.nth(1).unwrap().unwrap().black, "b");
    assert!(games.next().is_none());
}

#[test]
fn strict_mode_loses_the_faulty_game_only() {
    let sgf = "(;PB[a])(;PB[b];b[aa])(;PB[c])x(;PB[d])(;PB[e]";
    for read in [
        Box::new(Parser::strict().slice(sgf.as_bytes()).games::<Record>()) as Box<dyn Iterator<Item = de::Result<_>>>,
        Box::new(Parser::strict().reader(sgf.as_bytes()).games::<Record>()),
        Box::new(Parser::strict().reader(BufReader::with_capacity(1, sgf.as_bytes())).games::<Record>()),
    ] {
        let read: Vec<_> = read
            .map(|game| game.map(|game| game.black).map_err(|error| (error.code(), error.game(), error.offset())))
            .collect();
        assert_eq!(
            read,
            [
                Ok("a".to_owned()),
                Err((Some(Code::JunkInTree), Some(1), Some(16))),
                Ok("c".to_owned()),
                Err((Some(Code::JunkOutsideTree), None, Some(30))),
                Ok("d".to_owned()),
                Err((Some(Code::UnclosedTree), Some(4), Some(46))),
            ]
        );
    }
}

/// Fails once it is at its end.
struct Failing<'a>(&'a [u8]);

impl Read for Failing<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 => Err(io::Error::new(io::ErrorKind::ConnectionReset, "the other side is gone")),
            read => Ok(read),
        }
    }
}

fn failing(sgf: &str) -> impl BufRead + '_ {
    BufReader::with_capacity(3, Failing(sgf.as_bytes()))
}

#[test]
fn an_io_error_ends_it() {
    fn check<T: serde::de::DeserializeOwned>(sgf: &str) {
        let mut games: Games<_, T> = Parser::new().reader(failing(sgf)).games();
        assert!(games.next().unwrap().is_ok());
        let error = games.next().unwrap().err().unwrap();
        assert_eq!((error.category(), error.is_io()), (Category::Io, true));
        assert!(error.to_string().ends_with("the other side is gone"), "{error}");
        assert_eq!(io::Error::from(error).kind(), io::ErrorKind::ConnectionReset);
        assert!(games.next().is_none() && games.next().is_none());
    }
    for sgf in ["(;PB[a])(;PB[b]", "(;PB[a])", "(;PB[a])(", "(;PB[a])(;PB[b];B[aa];W[bb", "(;PB[a])(;PB["] {
        check::<Header>(sgf);
        check::<Record>(sgf);
        check::<Value>(sgf);
        check::<IgnoredAny>(sgf);
    }
}

#[test]
fn a_failure_of_the_stream_is_not_swallowed() {
    #[derive(Debug, Deserialize)]
    #[allow(dead_code)]
    struct Forgiving {
        #[serde(rename = "$mainline", deserialize_with = "de::invalid_option")]
        moves: Option<Vec<BTreeMap<String, String>>>,
    }
    #[derive(Debug, Deserialize)]
    #[allow(dead_code)]
    struct Deep {
        #[serde(rename = "$nodes", deserialize_with = "de::invalid_option")]
        moves: Option<Vec<BTreeMap<String, String>>>,
        #[serde(rename = "$variations", deserialize_with = "de::invalid_option")]
        variations: Option<Vec<Deep>>,
    }
    for sgf in ["(;B[];B[]", "(;B[];B[](;B[]"] {
        let error = Parser::new().reader(failing(sgf)).games::<Forgiving>().next().unwrap().unwrap_err();
        assert!(error.is_io(), "{error}");
        let error = Parser::new().reader(failing(sgf)).games::<Deep>().next().unwrap().unwrap_err();
        assert!(error.is_io(), "{error}");
    }
    let sgf = b"(;B[];B[](;B[]x)(;B[]))(;B[])";
    let mut games = Parser::strict().slice(sgf).games::<Deep>();
    assert!(games.next().unwrap().unwrap_err().is_syntax());
    assert!(games.next().unwrap().is_ok() && games.next().is_none());
}

#[test]
fn a_swallowed_data_error_does_not_lose_the_place() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Numbers {
        #[serde(rename = "MN", default)]
        number: u8,
        #[serde(rename = "$variations", deserialize_with = "de::invalid_option")]
        variations: Option<Vec<Numbers>>,
    }
    let numbers = |number, variations: Option<Vec<Numbers>>| Numbers { number, variations };
    let sgf = "(;MN[1](;MN[2](;MN[x](;MN[3]))(;MN[4]))(;MN[5](;MN[6])))(;MN[7])";
    assert_eq!(
        super::read(sgf),
        Ok(vec![
            numbers(1, Some(vec![numbers(2, None), numbers(5, Some(vec![numbers(6, Some(vec![]))]))])),
            numbers(7, Some(vec![])),
        ])
    );
}

#[test]
fn types_that_stop_early_lose_nothing() {
    /// The first two of a list.
    #[derive(Debug, PartialEq)]
    struct Two(usize);

    impl<'de> Deserialize<'de> for Two {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            struct First;
            impl<'de> serde::de::Visitor<'de> for First {
                type Value = Two;
                fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    f.write_str("a list")
                }
                fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut seq: A) -> Result<Two, A::Error> {
                    let mut count = 0;
                    while count < 2 && seq.next_element::<BTreeMap<String, String>>()?.is_some() {
                        count += 1;
                    }
                    Ok(Two(count))
                }
            }
            deserializer.deserialize_seq(First)
        }
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct Game {
        #[serde(rename = "$nodes")]
        nodes: Two,
        #[serde(rename = "$variations")]
        variations: Vec<Two>,
    }
    let sgf = "(;;B[];B[];B[](;B[];B[];B[](;B[]))(;B[]))(;;B[])";
    assert_eq!(
        super::read(sgf),
        Ok(vec![Game { nodes: Two(2), variations: vec![Two(2), Two(1)] }, Game { nodes: Two(1), variations: vec![] }])
    );
    assert_eq!(super::read(sgf), Ok(vec![Two(2), Two(2)]));
}

#[test]
fn a_node_that_is_too_long_is_cut_or_an_error() {
    let sgf = format!("(;PB[a]C[{}]HA[2];B[aa])(;PB[b])", "x".repeat(1000));
    let log = DiagnosticLog::new(9);
    let parser = Parser::new().max_node_len(500).log_to(&log);
    let games: Vec<BTreeMap<String, String>> = parser.slice(sgf.as_bytes()).games().map(Result::unwrap).collect();
    assert_eq!(games.iter().map(|game| game.len()).collect::<Vec<_>>(), [1, 1]);
    assert_eq!(log.take().iter().map(|found| found.code).collect::<Vec<_>>(), [Code::NodeTooLong]);
    let mut strict = Parser::strict().max_node_len(500).reader(sgf.as_bytes()).games::<BTreeMap<String, String>>();
    assert_eq!(strict.next().unwrap().unwrap_err().code(), Some(Code::NodeTooLong));
    assert_eq!(strict.next().unwrap().unwrap()["PB"], "b");
    assert!(strict.next().is_none());
    // What the type does not want has no length.
    assert!(Parser::strict().max_node_len(500).slice(sgf.as_bytes()).games::<Header>().all(|game| game.is_ok()));
}

#[test]
fn the_span_of_a_game_with_a_fault_is_its_own() {
    let archive = b"(;FF[4]PB[a]) (;FF[4]x[1]) (;PB[c])";
    for bytes in [&archive[..], b"(;FF[4]PB[a]) x (;PB[c])"] {
        let mut games = Parser::strict().slice(bytes).games::<serde::de::IgnoredAny>();
        assert!(games.next().unwrap().is_ok());
        assert_eq!(games.span(), 0..13);
        assert!(games.next().unwrap().is_err());
        assert_eq!(games.span().start, 14);
        assert!(games.span().end <= bytes.len() as u64 && games.span().end >= 14);
        assert!(games.next().unwrap().is_ok());
        let last = games.span();
        assert_eq!(&bytes[last.start as usize..last.end as usize], b"(;PB[c])");
        assert!(games.next().is_none());
    }
}
