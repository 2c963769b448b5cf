//! Games as Rust values.

use std::hint::black_box;
use std::io::BufReader;

use serde::Deserialize;
use sgf_stream::Parser;
use sgf_stream::value::go;

#[derive(Deserialize)]
#[allow(dead_code)]
struct Header<'a> {
    #[serde(rename = "PB", default, borrow)]
    black: std::borrow::Cow<'a, str>,
    #[serde(rename = "PW", default, borrow)]
    white: std::borrow::Cow<'a, str>,
    #[serde(rename = "RE", default, borrow)]
    result: std::borrow::Cow<'a, str>,
    #[serde(rename = "DT", default, borrow)]
    date: std::borrow::Cow<'a, str>,
}

#[derive(Deserialize)]
#[allow(dead_code)]
struct OwnedHeader {
    #[serde(rename = "PB", default)]
    black: String,
    #[serde(rename = "PW", default)]
    white: String,
    #[serde(rename = "RE", default)]
    result: String,
    #[serde(rename = "DT", default)]
    date: String,
}

#[derive(Deserialize)]
#[allow(dead_code)]
enum Step {
    B(go::Move),
    W(go::Move),
    #[serde(other)]
    Other,
}

/// How many games have a header: all.
pub(crate) fn headers(parser: &Parser, bytes: &[u8]) -> usize {
    parser.slice(bytes).games::<Header<'_>>().keep_cut(true).filter(|game| black_box(game).is_ok()).count()
}

/// The same from a stream.
pub(crate) fn headers_of_stream(parser: &Parser, bytes: &[u8]) -> usize {
    let reader = parser.reader(BufReader::with_capacity(64 * 1024, bytes));
    reader.games::<OwnedHeader>().keep_cut(true).filter(|game| black_box(game).is_ok()).count()
}

/// How many nodes the main lines have, as far as their moves are moves of Go.
pub(crate) fn main_lines(parser: &Parser, bytes: &[u8]) -> usize {
    parser.slice(bytes).games::<Vec<Step>>().map(|game| black_box(game).map_or(0, |moves| moves.len())).sum()
}

/// The same from a stream.
pub(crate) fn main_lines_of_stream(parser: &Parser, bytes: &[u8]) -> usize {
    let reader = parser.reader(BufReader::with_capacity(64 * 1024, bytes));
    reader.games::<Vec<Step>>().map(|game| black_box(game).map_or(0, |moves| moves.len())).sum()
}
