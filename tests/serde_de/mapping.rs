//! The mapping table of the module `de`, row by row. Every case is read from a slice, from a
//! stream, and from a stream byte by byte.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Debug;
use std::io::{BufReader, Cursor};

use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::{Value, json};
use sgf_stream::Parser;
use sgf_stream::de::{self, Properties};
use sgf_stream::value::{
    Color, Compose, Dates, GameResult, Number, PointList, Real, Ruleset, SimpleText, Size, Text, go,
};

/// Reads in every way, which has to make no difference.
#[track_caller]
pub fn read<T: DeserializeOwned + Debug>(sgf: impl AsRef<[u8]>) -> Result<T, String> {
    let sgf = sgf.as_ref();
    let text = |value: Result<T, de::Error>| value.map_err(|error| error.to_string());
    let value = text(de::from_slice(sgf));
    let printed = format!("{value:?}");
    let streamed = text(de::from_reader(Cursor::new(sgf)));
    assert_eq!(format!("{streamed:?}"), printed, "left: a stream, right: a slice");
    let bytes = text(de::from_reader(BufReader::with_capacity(1, sgf)));
    assert_eq!(format!("{bytes:?}"), printed, "left: a stream of bytes, right: a slice");
    // Not ahead of the caller.
    let mut listening = de::Deserializer::new(Parser::new().on_diagnostic(|_| {}).slice(sgf));
    let heard = text(T::deserialize(&mut listening).and_then(|value| listening.end().map(|()| value)));
    assert_eq!(format!("{heard:?}"), printed, "left: somebody listens, right: nobody does");
    if let Ok(text) = std::str::from_utf8(sgf) {
        let from_str = de::from_str::<T>(text).map_err(|error| error.to_string());
        assert_eq!(format!("{from_str:?}"), printed, "left: a string, right: a slice");
    }
    value
}

/// What a property `X` of the root becomes.
#[derive(Debug, Deserialize)]
struct Root<T> {
    #[serde(
        alias = "AB",
        alias = "C",
        alias = "LB",
        alias = "AP",
        alias = "SZ",
        alias = "KM",
        alias = "PL",
        alias = "RU",
        alias = "B",
        alias = "DT",
        alias = "RE",
        alias = "AR",
        alias = "PB",
        alias = "XX",
        alias = "FG",
        alias = "DD",
        alias = "KO",
        alias = "HA",
        alias = "N",
        alias = "TM"
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

fn strings<T: From<&'static str>>(strings: &[&'static str]) -> Vec<T> {
    strings.iter().map(|&string| string.into()).collect()
}

#[test]
fn scalars() {
    is("HA[ +4 ]", 4u8);
    is("HA[-4]", -4i64);
    is("HA[4]", 4u128 as i128);
    is("KM[6.5]", 6.5f32);
    is("KM[7]", 7f64);
    is("KO[]", true);
    is("KO[]", ());
    is("PB[x]", 'x');
    is("PB[\u{56f2}]", '\u{56f2}');
    is("PB[Shusaku]", "Shusaku".to_owned());
    is(r"C[a \] b]", r"a ] b".to_owned());
    is("C[two\r\nlines]", "two\nlines".to_owned());
    is("PB[two\r\nlines]", "two lines".to_owned());
    is("XX[two\nlines]", "two\nlines".to_owned());
    is("PB[a]", Some("a".to_owned()));
    is("PB[]", Some(String::new()));
    is("TM[600]", 600f64);
}
