//! Games as Rust values. The table of the module `de` is `mapping` (values) and `trees` (games and
//! nodes).

#![cfg(feature = "serde")]

mod support;

#[path = "serde_de/absent.rs"]
mod absent;
#[allow(unreachable_pub)] // it is public to the fuzz targets
#[path = "serde_de/agree.rs"]
mod agree;
#[cfg(feature = "charset")]
#[path = "serde_de/charset.rs"]
mod charset;
#[path = "serde_de/depth.rs"]
mod depth;
#[path = "serde_de/errors.rs"]
mod errors;
#[path = "serde_de/games.rs"]
mod games;
#[path = "serde_de/laws.rs"]
mod laws;
#[path = "serde_de/mapping.rs"]
mod mapping;
#[path = "serde_de/trees.rs"]
mod trees;

use std::fmt::Debug;
use std::io::{BufReader, Cursor};

use serde::de::DeserializeOwned;
use sgf_stream::{LineCounter, Parser, de};

/// Reads in every way, which has to make no difference: a slice, a stream, a stream byte by byte,
/// and not ahead of the caller.
#[track_caller]
fn read<T: DeserializeOwned + Debug>(sgf: impl AsRef<[u8]>) -> Result<T, String> {
    let sgf = sgf.as_ref();
    let text = |value: Result<T, de::Error>| value.map_err(|error| error.to_string());
    let value = text(de::from_slice(sgf));
    let printed = format!("{value:?}");
    let streamed = text(de::from_reader(Cursor::new(sgf)));
    assert_eq!(format!("{streamed:?}"), printed, "left: a stream, right: a slice");
    let bytes = text(de::from_reader(BufReader::with_capacity(1, sgf)));
    assert_eq!(format!("{bytes:?}"), printed, "left: a stream of bytes, right: a slice");
    if let Ok(string) = std::str::from_utf8(sgf) {
        assert_eq!(format!("{:?}", text(de::from_str(string))), printed, "left: a string, right: a slice");
    }
    for parser in [Parser::new().on_diagnostic(|_| {}), Parser::new().count_lines(true)] {
        let mut games = de::Deserializer::new(parser.reader(Cursor::new(sgf)));
        let lined = games.read::<T>().and_then(|value| games.end().map(|()| value));
        match (lined, &value) {
            (Err(lined), Err(_)) if lined.is_syntax() => {} // that these have lines, `tests/recovery.rs` shows
            (lined, _) => {
                let lined = lined.map_err(|error| without_lines(&error, sgf));
                assert_eq!(format!("{lined:?}"), printed, "left: lines are counted, right: they are not");
            }
        }
    }
    value
}

/// An error of the data as it is where nobody counts lines. Where they are counted they have to be right.
#[track_caller]
fn without_lines(error: &de::Error, sgf: &[u8]) -> String {
    let Some(offset) = error.offset() else { return error.to_string() };
    let mut lines = LineCounter::default();
    lines.advance(&sgf[..offset as usize]);
    assert_eq!(error.position(), Some(lines.position()), "{error}");
    error.to_string().replace(&lines.position().to_string(), &format!("byte {offset}"))
}
