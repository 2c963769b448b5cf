//! Texts in charsets other than UTF-8: `Parser::charset`.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Deserialize;
use sgf_stream::charset::{BadBytes, Charset, Decoding};
use sgf_stream::value::Rank;
use sgf_stream::{Code, DiagnosticLog, Parser};

type Strings = BTreeMap<String, String>;

/// All games, from a slice and byte by byte.
fn games<T: serde::de::DeserializeOwned + PartialEq + std::fmt::Debug>(parser: &Parser, sgf: &[u8]) -> Vec<T> {
    let games: Vec<T> = parser.slice(sgf).games().map(Result::unwrap).collect();
    let stream = parser.reader(std::io::BufReader::with_capacity(1, sgf)).games().map(Result::unwrap);
    assert_eq!(stream.collect::<Vec<T>>(), games);
    games
}

#[test]
fn each_game_is_in_its_own_charset() {
    let sgf = b"(;PB[\xA7\x64\xB2\x4D\xB7\xBD]CA[Big5];C[\xA7\x64])(;CA[UTF-8]PB[\xE5\xB0\x8F\xE6\x9E\x97])(;CA[latin1]PB[\xE9])";
    let parser = Parser::new().charset(Decoding::new());
    let names: Vec<_> = games::<Strings>(&parser, sgf).into_iter().map(|mut game| game.remove("PB").unwrap()).collect();
    assert_eq!(names, ["吳清源", "小林", "é"]);
    let lines = games::<Vec<Strings>>(&parser, sgf);
    assert_eq!(lines[0][1]["C"], "吳");
    // A struct that does not ask for CA is told all the same.
    #[derive(Debug, PartialEq, Deserialize)]
    struct Header {
        #[serde(rename = "PB")]
        black: String,
    }
    assert_eq!(games::<Header>(&parser, sgf)[0].black, "吳清源");
    // Without the option they are UTF-8, whatever they say.
    assert_eq!(games::<Strings>(&Parser::new(), sgf)[2]["PB"], "\u{FFFD}");
}

#[test]
fn a_mark_a_default_and_detection_decide_where_no_ca_does() {
    let marked = b"\xEF\xBB\xBF(;CA[Big5]PB[\xE5\xB0\x8F\xE6\x9E\x97])";
    assert_eq!(games::<Strings>(&Parser::new().charset(Decoding::new()), marked)[0]["PB"], "小林");
    let latin = b"(;PB[\xE9])";
    let default = Parser::new().charset(Decoding::new().default_charset(Charset::WINDOWS_1252));
    assert_eq!(games::<Strings>(&default, latin)[0]["PB"], "é");
    let forced = Parser::new().charset(Decoding::new().force(Charset::EUC_KR));
    assert_eq!(games::<Strings>(&forced, b"(;CA[UTF-8]PB[\xC0\xCC\xC3\xA2\xC8\xA3])")[0]["PB"], "이창호");

    // Detection takes all of the root, also what is not asked for.
    #[derive(Debug, PartialEq, Deserialize)]
    struct Header {
        #[serde(rename = "PB")]
        black: String,
    }
    let name = b"\xC0\xCC\xC3\xA2\xC8\xA3";
    let korean = [b"(;PB[", &name[..], b"]EV[\xC1\xA6 1 \xC8\xB8 \xB9\xD9\xB5\xCF \xB4\xEB\xC8\xB8])"].concat();
    assert_eq!(games::<Header>(&Parser::new().charset(Decoding::new()), &korean)[0].black, "이창호");
}

#[test]
fn characters_come_before_escapes_and_colons() {
    // 指\揮 and 表 have second bytes that are a backslash.
    #[derive(Debug, PartialEq, Deserialize)]
    struct Game {
        #[serde(rename = "LB")]
        labels: Vec<(String, String)>,
        #[serde(rename = "AP")]
        application: (String, String),
        #[serde(rename = "WR")]
        rank: Rank,
    }
    let sgf = b"(;CA[Shift_JIS]LB[aa:\x95\x5C][bb:\x95\x5C:x]AP[\x95\x5C:\x95\x5C]WR[9\x92\x69])";
    let parser = Parser::new().charset(Decoding::new());
    let game = games::<Game>(&parser, sgf).remove(0);
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    assert_eq!(game.labels, [pair("aa", "表"), pair("bb", "表:x")]);
    assert_eq!(game.application, pair("表", "表"));
    assert_eq!(game.rank, Rank::parse_lenient("9段").unwrap());
}

#[test]
fn what_is_utf8_is_borrowed_all_the_same() {
    let sgf = "(;CA[UTF-8]PB[Shusaku]PW[吳])".as_bytes();
    #[derive(Deserialize)]
    struct Game<'a> {
        #[serde(rename = "PB")]
        black: &'a str,
        #[serde(rename = "PW", borrow)]
        white: Cow<'a, str>,
    }
    let game: Game<'_> = Parser::new().charset(Decoding::new()).slice(sgf).games().next().unwrap().unwrap();
    assert_eq!((game.black, &*game.white), ("Shusaku", "吳"));
    assert!(matches!(game.white, Cow::Borrowed(_)));
}

#[test]
fn bad_bytes_and_unknown_charsets_are_reported_or_errors() {
    let sgf = b"(;CA[klingon]PB[a])\n(;CA[UTF-8]PB[a];C[\xFFx])";
    let log = DiagnosticLog::new(9);
    let parser = Parser::new().charset(Decoding::new()).log_to(&log);
    let read: Vec<Vec<Strings>> = parser.slice(sgf).games().map(Result::unwrap).collect();
    assert_eq!(read[1][1]["C"], "\u{FFFD}x");
    let found: Vec<_> = log.take().iter().map(|found| (found.code, found.position.offset)).collect();
    assert_eq!(found, [(Code::UnknownCharset, 1), (Code::BadBytes, 36)]);

    let strict = Parser::new().charset(Decoding::new().known_names_only(true).bad_bytes(BadBytes::Error));
    let errors: Vec<_> = strict.slice(sgf).games::<Vec<Strings>>().map(|game| game.unwrap_err().to_string()).collect();
    assert_eq!(
        errors,
        [
            "game 1, root, CA (byte 5): unknown charset name \"klingon\"",
            "game 2, node 2, C (byte 39): bytes that are invalid in UTF-8",
        ]
    );
}

/// It is about the file: who saved it with one saved all of it in UTF-8, whatever the games say that came
/// from elsewhere.
#[test]
fn a_byte_order_mark_speaks_for_all_games_of_a_stream() {
    let marked = "\u{FEFF}(;CA[Shift_JIS]PB[\u{5C0F}\u{6797}])\n(;CA[GBK]PB[\u{67EF}\u{6D01}])(;PB[\u{E9}])";
    let games = games::<Strings>(&Parser::new().charset(Decoding::new()), marked.as_bytes());
    let names: Vec<_> = games.iter().map(|game| game["PB"].as_str()).collect();
    assert_eq!(names, ["\u{5C0F}\u{6797}", "\u{67EF}\u{6D01}", "\u{E9}"]);
}

#[test]
fn what_was_read_in_another_charset_is_written_in_utf8() {
    use serde::Serialize;
    use sgf_stream::ser::Serializer;

    #[derive(Debug, PartialEq, Clone, Deserialize, Serialize)]
    struct Game {
        #[serde(rename = "CA")]
        charset: String,
        #[serde(rename = "PB")]
        black: String,
        #[serde(rename = "$rest")]
        rest: sgf_stream::de::Properties,
    }
    fn write(game: &Game, replace: bool) -> Result<String, String> {
        let mut serializer = Serializer::new(Vec::new()).replace_charset(replace);
        game.serialize(&mut serializer).map_err(|error| error.to_string())?;
        Ok(String::from_utf8(serializer.finish().unwrap()).unwrap())
    }

    let parser = Parser::new().charset(Decoding::new());
    for (sgf, name, written) in [
        (&b"(;CA[ISO-8859-1]PB[J\xF6rg]XX[raw])"[..], "J\u{F6}rg", "(;CA[UTF-8]PB[J\u{F6}rg]XX[raw])\n"),
        // The second byte looks like a backslash, and no longer matters.
        (b"(;CA[Shift_JIS]PB[\x95\x5C])", "\u{8868}", "(;CA[UTF-8]PB[\u{8868}])\n"),
        (b"(;CA[GBK]PB[ascii])", "ascii", "(;CA[UTF-8]PB[ascii])\n"),
        (b"(;CA[utf8]PB[J\xC3\xB6rg])", "J\u{F6}rg", "(;CA[utf8]PB[J\u{F6}rg])\n"),
    ] {
        let game: Game = parser.slice(sgf).games().next().unwrap().unwrap();
        assert_eq!(game.black, name);
        assert_eq!(write(&game, true).as_deref(), Ok(written));
        let again: Game = parser.slice(written.as_bytes()).games().next().unwrap().unwrap();
        assert_eq!(again, Game { charset: again.charset.clone(), ..game.clone() });
        assert_eq!(write(&again, false).as_deref(), Ok(written));
    }
    let refused = |sgf: &[u8], replace| {
        let game: Game = parser.slice(sgf).games().next().unwrap().unwrap();
        write(&game, replace).unwrap_err()
    };
    assert_eq!(
        refused(b"(;CA[ISO-8859-1]PB[J\xF6rg])", false),
        "game 1, root, CA: expected UTF-8, because the game has texts that are not \
         ASCII, found \"ISO-8859-1\"; see `Serializer::replace_charset`"
    );
    assert_eq!(
        refused(b"(;CA[ISO-8859-1]PB[x]XX[J\xF6rg])", true),
        "game 1, root, XX: expected UTF-8, as `CA` will declare, found raw bytes in another charset"
    );
}
