//! Games as Rust values. The table of the module `de` is `mapping` (values) and `trees` (games and
//! nodes).

mod absent;
#[cfg(feature = "charset")]
mod charset;
mod depth;
mod errors;
mod events;
mod games;
mod header;
mod laws;
mod mapping;
mod properties;
mod trees;
mod turns;

use std::fmt::Debug;
use std::io::{BufRead, BufReader, Cursor};

use serde::de::DeserializeOwned;
use sgf_stream::{LineCounter, Parser, de};

/// Reads in every way, which has to make no difference: a slice, a stream, a stream byte by byte,
/// and not ahead of the caller.
#[track_caller]
fn read<T: DeserializeOwned + Debug>(sgf: impl AsRef<[u8]>) -> Result<T, String> {
    fn print<T: Debug>(read: de::Result<T>) -> de::Result<String> {
        read.map(|value| format!("{value:?}"))
    }
    let sgf = sgf.as_ref();
    let value = sgf_stream::from_slice::<T>(sgf).map_err(|error| error.to_string());
    let ways = Ways {
        string: &|text| print(sgf_stream::from_str::<T>(text)),
        stream: &|source| print(sgf_stream::from_reader::<_, T>(source)),
        parser: &|parser, source| {
            let mut games = de::Deserializer::new(parser.reader(source));
            print(games.read::<T>().and_then(|value| games.end().map(|()| value)))
        },
    };
    ways.agree(sgf, &value.as_ref().map(|value| format!("{value:?}")).map_err(Clone::clone));
    value
}

/// Ways to read one type, which give the value as `Debug` prints it. All streams are of one type, and the comparison
/// is of none: both are compiled once for a hundred types.
struct Ways<'w> {
    string: &'w dyn Fn(&str) -> de::Result<String>,
    stream: &'w dyn Fn(&mut dyn BufRead) -> de::Result<String>,
    parser: &'w dyn Fn(&Parser, &mut dyn BufRead) -> de::Result<String>,
}

impl Ways<'_> {
    #[track_caller]
    fn agree(&self, sgf: &[u8], slice: &Result<String, String>) {
        let text = |read: de::Result<String>| read.map_err(|error| error.to_string());
        assert_eq!(&text((self.stream)(&mut Cursor::new(sgf))), slice, "left: a stream, right: a slice");
        let bytes = text((self.stream)(&mut BufReader::with_capacity(1, sgf)));
        assert_eq!(&bytes, slice, "left: a stream of bytes, right: a slice");
        if let Ok(string) = std::str::from_utf8(sgf) {
            assert_eq!(&text((self.string)(string)), slice, "left: a string, right: a slice");
        }
        for parser in [Parser::new().on_diagnostic(|_| {}), Parser::new().count_lines(true)] {
            match (self.parser)(&parser, &mut Cursor::new(sgf)) {
                Err(lined) if lined.is_syntax() && slice.is_err() => {} // `recovery.rs` shows that these have lines
                lined => {
                    let lined = lined.map_err(|error| without_lines(&error, sgf));
                    assert_eq!(&lined, slice, "left: lines are counted, right: they are not");
                }
            }
        }
    }
}

/// An error of the data as it is where nobody counts lines. Where they are counted they have to be right.
#[track_caller]
fn without_lines(error: &de::Error, sgf: &[u8]) -> String {
    let Some(offset) = error.offset() else { return error.to_string() };
    let mut lines = LineCounter::default();
    lines.advance(&sgf[..offset as usize]);
    assert_eq!(error.position(), Some(lines.position()), "{error}");
    let position = lines.position();
    error
        .to_string()
        .replace(&format!(" at {position}"), &format!(" (byte {offset})"))
        .replace(&position.to_string(), &format!("byte {offset}"))
}
