//! Splitting a file (law L11): cuts are at heads and at the ends of games, and parts and byte ranges have the games
//! of the whole.

#![allow(clippy::single_range_in_vec_init)] // one part
use std::fs;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};

use sgf_stream::Parser;
use sgf_stream::parallel::ReadAt;

use crate::support::generate::Input;
use crate::support::split::{
    cuts_are_at_heads_and_ends, marks, naive_parts, nth_after, parts_are_parsed_alone, ranges_are_the_whole,
};
use crate::support::{Given, Rules, holds, shared};

const RULES: Rules =
    Rules { strict: false, max_value_len: 1 << 20, max_ident_len: 256, max_depth: 1 << 20, given: Given::Nothing };

fn joined(inputs: &[Input], between: u8) -> Vec<u8> {
    let between: &[u8] = [&b""[..], b"\n", b" \r\n", b" ) "][usize::from(between) % 4];
    inputs.iter().map(|Input(bytes)| &bytes[..]).collect::<Vec<_>>().join(between)
}

#[test]
fn cuts_are_where_the_sequential_reader_and_the_heads_say() {
    fn law(inputs: Vec<Input>, between: u8, rules: Rules) {
        let bytes = joined(&inputs[..inputs.len().min(8)], between);
        cuts_are_at_heads_and_ends(&bytes, &rules);
    }
    holds(1500, law as fn(Vec<Input>, u8, Rules));
}

#[test]
fn each_part_parsed_alone_gives_the_events_of_its_games() {
    fn law(inputs: Vec<Input>, between: u8, rules: Rules) {
        let bytes = joined(&inputs[..inputs.len().min(8)], between);
        parts_are_parsed_alone(&bytes, &rules);
    }
    holds(600, law as fn(Vec<Input>, u8, Rules));
}

#[test]
fn any_byte_ranges_give_the_games_of_the_whole() {
    fn law(inputs: Vec<Input>, between: u8, rules: Rules, starts: Vec<usize>) {
        let bytes = joined(&inputs[..inputs.len().min(8)], between);
        ranges_are_the_whole(&bytes, &Rules { strict: false, ..rules }, &starts);
    }
    holds(1500, law as fn(Vec<Input>, u8, Rules, Vec<usize>));
}

#[test]
fn faults_lie_around_the_cuts() {
    let long = "x".repeat(300);
    let faults = [
        "(;FF[4];B[aa]",                  // no `)`
        "(;FF[4];B[aa](;W[bb]",           //
        "(;FF[4]C[cut",                   // no `]`
        "(;B[aa]))",                      // one `)` too many
        "text (see [1]) (;B[aa])",        // brackets between games
        "(B[aa])",                        // no `;`
        "( \n;B[aa])",                    //
        "(;C[a [b] c])",                  // an unescaped `]`
        "(;C[a [b])",                     //
        "(;C[a [3d\\]: b])",              //
        "(;C[a [b\\] [c\\] \\\\])",       //
        "(;CA[GBK]C[\u{81}]];B[aa])",     // half of a character
        "(;CA x [x gbk]C[\u{81}]];B[a])", //
        "(;B[aa](\n  ; GaMe\n[1]))",      // the head of a game, inside one
        "(;C[\n(;FF[4]])",                //
        "(;C[[\n(;FF[4]])",               //
        "(;B[aa]\n(;W[bb])\n(;W[cc]))",   // no head
        "(B[(;KM[]ST[]",                  // a head whose node ends where the next head starts
        "(;B[aa]C[(;PB[x]PW[y] \n",       //
    ];
    for fault in faults.map(|fault| fault.replace('\u{81}', "?")) {
        let fault: Vec<u8> = fault.bytes().map(|byte| if byte == b'?' { 0x81 } else { byte }).collect();
        for (after, break_line) in [(&b"(;FF[4]C[x])(;B[bb])"[..], true), (b"(;B[aa])", false), (long.as_bytes(), true)]
        {
            let line = if break_line { &b"\n"[..] } else { b"" };
            let bytes = [b"(;FF[4]C[x])\n", &fault[..], line, after, b"\n(;FF[3])(;B[pp])"].concat();
            cuts_are_at_heads_and_ends(&bytes, &RULES);
            parts_are_parsed_alone(&bytes, &RULES);
            for start in 0..bytes.len() {
                ranges_are_the_whole(&bytes, &RULES, &[start, start + 9]);
            }
        }
    }
}

#[test]
fn a_cut_is_at_a_head() {
    let archive = b"mail: (;FF[4]C[)]) \n\n(;B[dd]\n(;FF[4];B[cc]) and so on";
    let parts = |n| Parser::new().split(archive).parts(n).unwrap();
    // The second game has no head, and no `)`: it ends where the third one starts.
    assert_eq!(parts(0), [0..53]);
    assert_eq!(parts(1), [0..53]);
    assert_eq!(parts(2), [0..29, 29..53]);
    assert_eq!(parts(100), [0..29, 29..53]);
    assert_eq!(Parser::new().split(archive).every(10).unwrap(), [0..29, 29..53]);
    assert_eq!(Parser::new().split(archive).every(1000).unwrap(), [0..53]);
}

/// Where no head comes for long, games are skipped in sequence from the last one.
#[test]
fn games_without_heads_are_cut_where_they_end() {
    let games = b"(;B[aa](;W[bb])(;W[cc]C[)]))\n".repeat(200_000);
    let parts = Parser::new().split(&games).parts(4).unwrap();
    let quarter = games.len() as u64 / 4;
    assert_eq!(parts.len(), 4);
    for (part, n) in parts.iter().zip(0..) {
        assert!((n * quarter..n * quarter + 30).contains(&part.start), "{part:?}");
        assert!(part.start == 0 || games[part.start as usize - 1] == b')');
    }
    // Heads at the start and the end, and nothing but headless games between them.
    let archive = [b"(;FF[4])\n", &games[..], b"(;FF[4])\n"].concat();
    let parts = Parser::new().split(&archive).parts(4).unwrap();
    assert_eq!(parts.len(), 4);
    assert!(parts[1..].iter().all(|part| archive[part.start as usize - 1] == b')'));
}

#[test]
fn a_game_that_lacks_its_end_is_given_by_a_range_as_by_the_whole() {
    let archive = b"(;FF[4]PB[a];B[aa](;FF[4]PB[b];B[bb])";
    let parser = Parser::new();
    let range = parser.split(archive).range(0..5).unwrap();
    assert_eq!(range.span(), 0..18);
    let mut reader = range.reader(&parser);
    let mut events = 0;
    while reader.next_event().unwrap().is_some() {
        events += 1;
    }
    assert_eq!(events, 10, "StartTree Node FF 4 PB a Node B aa EndTree");
}

/// An engine may ask for anything.
#[test]
fn ranges_beyond_the_data_are_empty() {
    let archive = b" \xEF(;FF[4])";
    let parser = Parser::new();
    let range = |start, end| parser.split(archive).range(start..end).unwrap().span();
    assert_eq!(range(0, u64::MAX), 0..10);
    assert_eq!(range(2, 3), 2..10);
    assert_eq!(range(0, 0), 0..0);
    for (start, end) in [(3, 10), (10, 20), (20, 10), (u64::MAX, u64::MAX)] {
        assert!(parser.split(archive).range(start..end).unwrap().is_empty(), "{start}..{end}");
    }
}

#[test]
fn an_archive_without_games_is_one_part() {
    for bytes in [&b""[..], b" ", b"no game", b"(no game)", b"()"] {
        assert_eq!(Parser::new().split(bytes).parts(3).unwrap(), [0..bytes.len() as u64]);
        assert_eq!(Parser::new().split(bytes).every(1).unwrap(), [0..bytes.len() as u64]);
        assert_eq!(Parser::new().split(bytes).boundary_at_or_after(0).unwrap(), None);
    }
}

#[test]
fn the_end_of_the_data_ends_a_game() {
    let archive = b"(;B[dd])(;B[dd];C[cut";
    let split = Parser::new();
    let split = split.split(archive);
    assert_eq!(split.every(0).unwrap(), [0..8, 8..21]);
    assert_eq!(split.boundary_at_or_after(9).unwrap(), Some(21));
    assert_eq!(split.boundary_at_or_after(22).unwrap(), None);
    assert_eq!(split.boundary_at_or_after(u64::MAX).unwrap(), None);
}

/// Nesting beyond the limit changes nothing about where games end, nor does a limit of 0.
#[test]
fn deep_games_end_where_they_end() {
    let deep = |n: usize| ["(;B[aa]".repeat(n), ")".repeat(n)].concat();
    let bytes = [deep(5), deep(200), deep(1), deep(3)].join("\n").into_bytes();
    for max_depth in [0, 1, 4, 100] {
        cuts_are_at_heads_and_ends(&bytes, &Rules { max_depth, ..RULES });
        parts_are_parsed_alone(&bytes, &Rules { max_depth, ..RULES });
    }
}

#[test]
fn a_file_is_split_like_memory() {
    let archive = b"(;FF[4];B[aa](;W[bb])(;W[cc]))\n".repeat(100_000);
    let path = std::env::temp_dir().join(format!("sgf-stream-split-{}.sgf", std::process::id()));
    fs::write(&path, &archive).unwrap();
    let file = fs::File::open(&path).unwrap();
    let parser = Parser::new();
    for n in [1, 2, 7, 1000] {
        let from_file = parser.split(&file).parts(n).unwrap();
        assert_eq!(from_file, parser.split(&archive).parts(n).unwrap());
        assert_eq!(from_file.len(), n);
    }
    fs::remove_file(&path).unwrap();
}

#[test]
fn a_source_that_cannot_be_read_is_an_error() {
    /// It shrinks, or breaks, after some bytes.
    struct Bad(Vec<u8>, Option<io::ErrorKind>);

    impl ReadAt for Bad {
        fn size(&self) -> io::Result<u64> {
            Ok(self.0.len() as u64 + 10)
        }

        fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
            match self.0.read_at(buffer, offset)? {
                0 => self.1.map_or(Ok(0), |kind| Err(kind.into())),
                len => Ok(len),
            }
        }
    }

    for (kind, expected) in
        [(None, io::ErrorKind::UnexpectedEof), (Some(io::ErrorKind::PermissionDenied), io::ErrorKind::PermissionDenied)]
    {
        let source = Bad(b"(;B[aa])".repeat(1000), kind);
        let error = Parser::new().split(&source).every(100).unwrap_err();
        assert_eq!(error.kind(), expected);
    }
}

/// Each is a request to a store.
#[test]
fn the_source_is_asked_once_for_what_all_ranges_have_to_know() {
    #[derive(Default)]
    struct Asked {
        sizes: AtomicUsize,
        starts: AtomicUsize,
    }

    impl ReadAt for Asked {
        fn size(&self) -> io::Result<u64> {
            self.sizes.fetch_add(1, Ordering::Relaxed);
            Ok(1 << 20)
        }

        fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
            self.starts.fetch_add(usize::from(offset == 0), Ordering::Relaxed);
            Iterator::zip(buffer.iter_mut(), (offset..).map(|at| b"(;FF[4])"[at as usize % 8]))
                .for_each(|(to, from)| *to = from);
            Ok(buffer.len())
        }
    }

    let (source, parser) = (Asked::default(), Parser::new());
    let split = parser.split(&source);
    for start in (1..1 << 20).step_by(1 << 16) {
        assert!(!split.range(start..start + (1 << 16)).unwrap().is_empty());
    }
    assert_eq!((source.sizes.into_inner(), source.starts.into_inner()), (1, 1));
}

/// All of `../shared/corpus`, one file after the other, as a file of any kind would be.
#[test]
fn real_games_are_split_where_the_heads_are() {
    let mut archive = Vec::new();
    for path in shared::corpus() {
        archive.extend(fs::read(path).unwrap());
        archive.push(b'\n');
    }
    let parser = Parser::new();
    let (heads, starts, ends) = marks(&archive, &parser);
    let split = parser.split(&archive);
    assert!(split.every(1).unwrap() == naive_parts(&archive, &heads, &starts, &ends, |start| Some(start + 1)));
    for n in [2, 10, 1000] {
        let next = |start| nth_after(archive.len(), n, start);
        assert_eq!(split.parts(n).unwrap(), naive_parts(&archive, &heads, &starts, &ends, next));
    }
}
