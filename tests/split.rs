//! Splitting an archive: that the parts are those of the sequential reader, whatever the archive, the
//! blocks and the threads.

#![cfg(feature = "parallel")]
#![allow(clippy::single_range_in_vec_init)] // one part

mod support;

use std::fs;
use std::io;

use rayon::ThreadPoolBuilder;
use sgf_stream::Parser;
use sgf_stream::parallel::ReadAt;
use support::generate::Input;
use support::split::{ends, naive_parts, nth_behind, parts_are_parsed_alone, pool, same_as_in_sequence};
use support::{Rules, holds, shared};

const RULES: Rules = Rules { strict: false, max_value_len: 1 << 20, max_ident_len: 256, max_depth: 1 << 20 };

fn joined(inputs: &[Input], between: u8) -> Vec<u8> {
    let between: &[u8] = [&b""[..], b"\n", b" \r\n", b" ) "][usize::from(between) % 4];
    inputs.iter().map(|Input(bytes)| &bytes[..]).collect::<Vec<_>>().join(between)
}

/// Small blocks as a rule.
fn block_len(size: u16) -> usize {
    usize::from(size % if size.is_multiple_of(3) { 1000 } else { 90 })
}

#[test]
fn the_parts_are_those_of_the_sequential_reader() {
    fn law(inputs: Vec<Input>, between: u8, rules: Rules, size: u16) {
        let bytes = joined(&inputs[..inputs.len().min(8)], between);
        same_as_in_sequence(&bytes, &rules, block_len(size));
    }
    holds(1500, law as fn(Vec<Input>, u8, Rules, u16));
}

#[test]
fn each_part_parsed_alone_gives_the_events_of_its_games() {
    fn law(inputs: Vec<Input>, between: u8, rules: Rules, size: u16) {
        let bytes = joined(&inputs[..inputs.len().min(8)], between);
        parts_are_parsed_alone(&bytes, &rules, block_len(size));
    }
    holds(600, law as fn(Vec<Input>, u8, Rules, u16));
}

/// Every kind of place where a summary has to be careful, at every place of a block.
#[test]
fn faults_lie_at_every_place_of_a_block() {
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
    ];
    for fault in faults.map(|fault| fault.replace('\u{81}', "?")) {
        let fault: Vec<u8> = fault.bytes().map(|byte| if byte == b'?' { 0x81 } else { byte }).collect();
        for (behind, break_line) in
            [(&b"(;FF[4]C[x])(;B[bb])"[..], true), (b"(;B[aa])", false), (long.as_bytes(), true)]
        {
            let line = if break_line { &b"\n"[..] } else { b"" };
            let bytes = [b"(;FF[4]C[x])\n", &fault[..], line, behind, b"\n(;FF[3])(;B[pp])"].concat();
            for block_len in (1..90).chain([100, 150, 1000]) {
                same_as_in_sequence(&bytes, &RULES, block_len);
            }
        }
    }
}

#[test]
fn a_cut_is_where_a_game_has_just_ended() {
    let archive = b"mail: (;FF[4]C[)]) \n\n(;B[dd]\n(;FF[4];B[cc]) and so on";
    let parts = |n| Parser::new().split(archive).parts(n).unwrap();
    // The second game has no `)`: it ends where the third one starts.
    assert_eq!(parts(0), [0..53]);
    assert_eq!(parts(1), [0..53]);
    assert_eq!(parts(2), [0..29, 29..53]);
    assert_eq!(parts(100), [0..18, 18..29, 29..53]);
    assert_eq!(Parser::new().split(archive).every(10).unwrap(), [0..18, 18..29, 29..53]);
    assert_eq!(Parser::new().split(archive).every(1000).unwrap(), [0..53]);
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
        for block_len in [1, 7, 64, 100, 1000] {
            same_as_in_sequence(&bytes, &Rules { max_depth, ..RULES }, block_len);
            parts_are_parsed_alone(&bytes, &Rules { max_depth, ..RULES }, block_len);
        }
    }
}

#[test]
fn threads_do_not_show() {
    let archive = b"(;FF[4]C[a [b] c];B[aa](;W[bb])(;W[cc]))\n(;B[pp]\n(;FF[4])".repeat(1000);
    let parts = |threads| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| Parser::new().split(&archive).block_len(1000).parts(10).unwrap())
    };
    let one = parts(1);
    assert_eq!(one.len(), 10);
    for threads in [2, 3, 8] {
        assert_eq!(parts(threads), one);
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
        let (from_file, from_memory) =
            pool().install(|| (parser.split(&file).parts(n).unwrap(), parser.split(&archive).parts(n).unwrap()));
        assert_eq!(from_file, from_memory);
        assert_eq!(from_file.len(), n);
    }
    fs::remove_file(&path).unwrap();
}

#[test]
fn a_source_that_cannot_be_read_is_an_error() {
    /// It shrinks, or breaks, behind some bytes.
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
        for threads in [1, 2] {
            let source = Bad(b"(;B[aa])".repeat(1000), kind);
            let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let error = pool.install(|| Parser::new().split(&source).every(100)).unwrap_err();
            assert_eq!(error.kind(), expected);
        }
    }
}

/// All of `../shared/corpus`, one file behind the other, as a file of any kind would be.
#[test]
fn real_games_are_split_as_the_sequential_reader_splits_them() {
    let mut archive = Vec::new();
    for path in shared::corpus() {
        archive.extend(fs::read(path).unwrap());
        archive.push(b'\n');
    }
    let parser = Parser::new();
    let ends = ends(&archive, &parser);
    for block_len in [1 << 12, 100_003, 1 << 20] {
        pool().install(|| {
            let split = parser.split(&archive).block_len(block_len);
            assert!(split.every(1).unwrap() == naive_parts(archive.len(), &ends, |end| Some(end + 1)));
            for n in [2, 10, 1000] {
                let naive = naive_parts(archive.len(), &ends, |end| nth_behind(archive.len(), n, end));
                assert_eq!(split.parts(n).unwrap(), naive);
            }
        });
    }
}
