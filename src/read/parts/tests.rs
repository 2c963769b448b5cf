use std::io::{self, BufRead, Read};

use super::{Next, Parts};
use crate::read::parser::Parser;

/// Returns what a stream is cut into: the bytes of the parts, with a `|` on each side where another game may change them,
/// and of the long games.
fn cut<R: Read>(mut parts: Parts<R>) -> Vec<String> {
    let (mut cut, mut end) = (Vec::new(), 0);
    while let Some(next) = parts.next_part().unwrap() {
        match next {
            Next::Part(part) => {
                assert_eq!(part.span().start, end);
                end = part.span().end;
                let bar = |meets: bool| if meets { "" } else { "|" };
                let (before, after) = (bar(part.meets().before), bar(part.meets().after));
                let last = if part.is_last() { " last" } else { "" };
                cut.push(format!("{before}{}{after}{last}", part.bytes().escape_ascii()));
            }
            Next::Long(mut game) => {
                assert_eq!(game.position().offset, end);
                let mut bytes = Vec::new();
                game.read_to_end(&mut bytes).unwrap();
                assert!(game.fill_buf().unwrap().is_empty());
                end += bytes.len() as u64;
                cut.push(format!("long {}", bytes.escape_ascii()));
            }
        }
    }
    cut
}

/// A reader that returns one byte at a time.
struct ByteByByte<'a>(&'a [u8]);

impl Read for ByteByByte<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let len = out.len().min(1);
        self.0.read(&mut out[..len])
    }
}

const STRICT: bool = true;
const LENIENT: bool = false;

/// Whether parts end between heads only.
const WHOLE: bool = true;
const ANY: bool = false;

#[test]
fn a_stream_is_cut_where_games_meet() {
    for (is_strict, part_len, most, is_whole, source, parts, slow) in CUTS {
        let parser = if *is_strict { Parser::strict() } else { Parser::new() }.max_game_len(*most);
        let name = format!("{}, {part_len}, {most}", source.escape_ascii());
        fn cut_by<R: Read>(parts: Parts<R>, part_len: usize, is_whole: bool) -> Vec<String> {
            let parts = parts.part_len(part_len);
            cut(if is_whole { parts.whole_pieces() } else { parts })
        }
        assert_eq!(cut_by(parser.parts(&source[..]), *part_len, *is_whole), *parts, "{name}");
        let slow = if slow.is_empty() { parts } else { slow };
        assert_eq!(cut_by(parser.parts(ByteByByte(source)), *part_len, *is_whole), *slow, "{name}, byte by byte");
    }
}

/// Mode, length of parts, longest game, and what a stream is cut into; where it differs, also byte by byte.
type Cut = (bool, usize, usize, bool, &'static [u8], &'static [&'static str], &'static [&'static str]);

const CUTS: &[Cut] = &[
    (LENIENT, 8, 100, ANY, b"(;FF[4])(;FF[4])", &["(;FF[4])", "(;FF[4]) last"], &[]),
    (LENIENT, 7, 100, ANY, b"(;FF[4])(;FF[4])", &["(;FF[4])", "(;FF[4]) last"], &[]),
    (
        LENIENT,
        1,
        100,
        ANY,
        b"\xef\xbb\xbf(;FF[4])\n (;FF[4]) (;FF[3]",
        &["\\xef\\xbb\\xbf", "(;FF[4])\\n ", "(;FF[4]) ", "(;FF[3] last"],
        &[],
    ),
    (LENIENT, 9, 100, ANY, b"(;FF[4])(;FF[4])(;FF[4])", &["(;FF[4])(;FF[4])", "(;FF[4]) last"], &[]),
    (LENIENT, 16, 100, ANY, b"(;FF[4])(;FF[4])", &["(;FF[4])(;FF[4]) last"], &[]),
    (LENIENT, 15, 100, ANY, b"(;FF[4])(;FF[4])", &["(;FF[4])(;FF[4]) last"], &[]),
    (LENIENT, 0, 100, ANY, b"(;FF[4])(;FF[4])", &["(;FF[4])", "(;FF[4]) last"], &[]),
    (LENIENT, 1, 8, ANY, b"(;FF[4])(;FF[4])", &["(;FF[4])", "(;FF[4]) last"], &[]),
    (LENIENT, 1, 7, ANY, b"(;FF[4])(;FF[4])", &["long (;FF[4])", "long (;FF[4])"], &[]),
    (
        LENIENT,
        1,
        12,
        ANY,
        b"(;B[aa])(;B[bb])(;C[much longer])(;B[cc])",
        &["(;B[aa])|", "|(;B[bb])|", "long (;C[much longer])", "|(;B[cc]) last"],
        &[],
    ),
    (
        LENIENT,
        1,
        12,
        ANY,
        b"(;B[aa])(;B[bb](;C[much longer])(;B[cc])",
        &["(;B[aa])|", "|(;B[bb](;C[much longer])(;B[cc]) last"],
        &["(;B[aa])|", "long (;B[bb](;C[much longer])(;B[cc])"],
    ),
    (
        LENIENT,
        1,
        12,
        ANY,
        b"(;B[aa]) mail that is long (;B[bb])",
        &["(;B[aa])|", "| mail that is long (;B[bb])|"],
        &["(;B[aa])|", "| mail that is |", "|long (;B[bb])|"],
    ),
    (LENIENT, 1, 12, ANY, b"mail that is long", &["mail that is long last"], &["mail that is l|", "|ong last"]),
    (LENIENT, 1, 12, ANY, b"(;FF[4]C[without end", &["(;FF[4]C[without end last"], &["long (;FF[4]C[without end"]),
    (
        LENIENT,
        1,
        12,
        WHOLE,
        b"(;B[aa])(;B[bb])(;B[cc])(;FF[4])(;B[dd])",
        &["(;B[aa])|", "|(;B[bb])|", "|(;B[cc])", "(;FF[4])|", "|(;B[dd]) last"],
        &[],
    ),
    (
        LENIENT,
        1,
        30,
        WHOLE,
        b"(;B[aa])(;B[bb])(;B[cc])(;FF[4])(;B[dd])",
        &["(;B[aa])(;B[bb])(;B[cc])", "(;FF[4])(;B[dd]) last"],
        &[],
    ),
    (
        LENIENT,
        1,
        30,
        ANY,
        b"(;B[aa])(;B[bb])(;B[cc])(;FF[4])(;B[dd])",
        &["(;B[aa])(;B[bb])(;B[cc])", "(;FF[4])(;B[dd]) last"],
        &[],
    ),
    (LENIENT, 10, 100, ANY, b"(;B[aa])(;B[bb])(;B[cc]", &["(;B[aa])(;B[bb])(;B[cc] last"], &[]),
    (LENIENT, 1, 100, ANY, b"(;B[aa]) ) (;B[bb];(;B[cc])", &["(;B[aa]) ) (;B[bb];(;B[cc]) last"], &[]),
    (STRICT, 1, 100, ANY, b"(;B[aa])(;B[bb])\n", &["(;B[aa])|", "|(;B[bb])|", "|\\n last"], &[]),
    (STRICT, 8, 100, ANY, b"(;B[aa])(;B[bb])\n", &["(;B[aa])|", "|(;B[bb])|", "|\\n last"], &[]),
    (STRICT, 9, 100, ANY, b"(;B[aa])(;B[bb])(;B[cc])", &["(;B[aa])(;B[bb])|", "|(;B[cc]) last"], &[]),
    (
        STRICT,
        1,
        12,
        ANY,
        b"(;B[aa])(;C[much longer])(;B[cc])",
        &["(;B[aa])|", "long (;C[much longer])", "|(;B[cc])|"],
        &[],
    ),
    (
        STRICT,
        1,
        100,
        ANY,
        b"(;B[aa])(;B[bb]x)(;B[cc])(;B[dd])",
        &["(;B[aa])|", "|(;B[bb]x)|", "|(;B[cc])|", "|(;B[dd])|"],
        &[],
    ),
    (STRICT, 1, 100, ANY, b"(;B[aa])(;B[bb](;B[cc])(;B[dd])", &["(;B[aa])|", "|(;B[bb](;B[cc])(;B[dd]) last"], &[]),
    (STRICT, 1, 100, ANY, b"x(;B[aa])", &["x(;B[aa])|"], &[]),
    (LENIENT, 1, 100, ANY, b"", &[" last"], &[]),
    (LENIENT, 1, 100, ANY, b" ", &["  last"], &[]),
];

/// A reader that fails once between two streams.
struct Failing<'a>(&'a [u8], bool, &'a [u8]);

impl Read for Failing<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.0.is_empty() && !std::mem::replace(&mut self.1, true) {
            return Err(io::Error::other("the disk"));
        }
        if self.0.is_empty() { self.2.read(out) } else { self.0.read(out) }
    }
}

#[test]
fn whole_games_come_before_the_failure_of_a_reader() {
    for (source, before, rest) in [
        (&b"(;B[aa])(;B[bb])(;B[c"[..], Some("(;B[aa])(;B[bb])"), Some("(;B[aa])(;B[bb])")),
        (b"(;B[aa", None, None),
        (b"(;B[aa])", Some("(;B[aa])"), Some("(;B[aa])")),
    ] {
        let parts = |more| Parser::new().parts(Failing(source, false, more));
        let mut all = parts(b"");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        if let Some(before) = before {
            assert_eq!(text(all.next().unwrap().unwrap().bytes()), before);
        }
        assert!(all.next().unwrap().unwrap_err().to_string().contains("the disk"));
        assert!(all.next().is_none());

        let mut stopped = parts(b"");
        assert!(stopped.next_part().is_err());
        assert_eq!(stopped.into_rest().map(|part| text(part.bytes())).as_deref(), rest);

        // The call may be repeated.
        let mut repeated = parts(b"c])");
        assert!(repeated.next_part().is_err());
        let mut all = cut(repeated).concat();
        all.truncate(source.len());
        assert_eq!(all, text(source));
    }
}

#[test]
fn a_long_game_is_an_error_of_the_iterator() {
    let parts = |source: &'static [u8]| {
        let parts = Parser::new().max_game_len(12).parts(source).part_len(1);
        parts.map(|part| part.map(|part| part.span()).map_err(|error| error.to_string())).collect::<Vec<_>>()
    };
    let too_long = "line 1, column 9 (byte 8): the game is longer than the limit of 12 bytes; see `Parser::max_game_len` \
                    [game-too-long]";
    assert_eq!(parts(b"(;B[aa])(;C[much longer])(;B[cc])"), [Ok(0..8), Err(too_long.to_owned()), Ok(25..33)]);
    assert_eq!(parts(b"(;B[aa]) mail that is long, and more (;B[bb])"), [Ok(0..8), Ok(8..45)]);
    assert_eq!(parts(b"mail that is long, and more"), [Ok(0..27)]);
    assert_eq!(parts(b""), [Ok(0..0)]);
}
