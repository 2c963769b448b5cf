//! Law L9: fast paths are invisible, at any SIMD level.
//!
//! Law L6: the work is linear, regardless of chunk sizes. It is counted, not timed: `Tokenizer::work` counts the
//! bytes that the machine examines.

use std::iter;

use quickcheck::{TestResult, holds};

use super::{Outcome, Sink, Tokenizer};
use crate::node::Moves;
use crate::read::parser::Parser;
use crate::syntax::event::Event;
use crate::syntax::flow::Flow;
use crate::syntax::simd::SimdLevel;

/// Maximum number of times that any byte may be examined, for any input and chunks. Once is enough for nearly all; a
/// value is first tried as a plain one, and a doubtful `]` needs look-ahead.
const LOOKS_PER_BYTE: u64 = 6;

struct Nothing;

impl Sink for Nothing {
    fn event(&mut self, _: Event<'_>, _: u64) -> Flow {
        Flow::Continue
    }
}

/// Returns the number of bytes examined if `bytes` come in chunks of `size`; `setup` may request skipping.
fn work(bytes: &[u8], size: usize, setup: impl Fn(&mut Tokenizer)) -> u64 {
    let mut tokenizer = Parser::new().tokenizer();
    setup(&mut tokenizer);
    let mut start = 0;
    let mut end = 0;
    loop {
        end = (end + size).min(bytes.len());
        let step = tokenizer.run(&bytes[start..end], end == bytes.len(), &mut Nothing);
        start += step.consumed;
        if step.outcome != Outcome::NeedMore {
            return tokenizer.work;
        }
    }
}

fn assert_linear(bytes: &[u8]) {
    for size in [1, 3, 4096, bytes.len().max(1)] {
        for skip in [false, true] {
            let work = work(bytes, size, |tokenizer| {
                if skip {
                    tokenizer.skip_game();
                }
            });
            let bound = LOOKS_PER_BYTE * bytes.len() as u64 + 64;
            assert!(work <= bound, "{work} looks at {} bytes in pieces of {size}, skip: {skip}", bytes.len());
        }
    }
}

#[test]
fn a_64_mib_value_in_pieces_of_one_byte_is_looked_at_once() {
    let len = 64 << 20;
    let mut bytes = b"(;C[".to_vec();
    bytes.resize(len, b'x');
    bytes.extend(b"])");
    let work = work(&bytes, 1, |_| {});
    assert!(work <= 3 * len as u64, "{work}");
}

#[test]
fn adversaries_are_linear() {
    let repeat = |start: &str, part: &str| [start.as_bytes(), &part.as_bytes().repeat(40_000 / part.len())].concat();
    for bytes in [
        repeat("", "("),
        repeat("(;", "("),
        repeat("(;", "(;"),
        repeat("(;a", "(;v);b"),
        repeat("(;", "a"),
        repeat("(;", "A"),
        repeat("(;", "A "),
        repeat("(;", "?"),
        repeat("(;C[", "\\"),
        repeat("(;C[", "["),
        repeat("(;C[", "[]"),
        repeat("(;C[[[[[", "]   "),
        repeat("(;C[[[[[", "](   "),
        repeat("(;C[[[[[", "]AAAAAAAAAA "),
        repeat("(;C[", "\n(;FF["),
        repeat("(;C[", "\n(;FF[4]"),
        repeat("(;", "\n(;FF "),
        repeat("(;", "\n(;FF x[4]"),
        repeat("(;", "\n(;\n"),
        repeat("(;", " \t"),
        repeat("", "(  "),
        repeat("", "(A "),
        repeat("", "(AAAAAAAAAAAAAAAAA"),
        repeat("(;", "\n      ("),
        repeat("(;FF[4]", ")"),
        repeat("(;", "(;N[x]"),
        repeat("(;", "(;PB[xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx]"),
        repeat("(;C[", "(;PB[x\\]"),
        repeat("(;C[", "(;PB[x]"),
        repeat("(;C[", "(;PB                          ["),
        repeat("(;C[x", "] x"),
        repeat("(;C[x", "] ;) x"),
        repeat("(;C[x", "] \\] x"),
        repeat("(;C[x", "]    "),
    ] {
        assert_linear(&bytes);
    }
}

#[test]
fn a_head_that_the_end_of_the_data_cuts_in_a_value_is_looked_at_once() {
    for input in ["(;F(;FF[", "(;A(;(;GM[1", "(;F(;PB[x]PW[\\"] {
        assert_linear(input.as_bytes());
        assert!(work(input.as_bytes(), 1, |_| {}) <= 4 * input.len() as u64, "{input}");
    }
}

#[test]
fn arbitrary_input_is_linear() {
    fn linear(picks: Vec<u8>, size: usize) -> TestResult {
        const ALPHABET: &[u8] = b"(();;[[]]]\\n \tAaF4xFF[](;FF[";
        let bytes: Vec<u8> = picks.iter().map(|&p| ALPHABET[usize::from(p) % ALPHABET.len()]).collect();
        let work = work(&bytes, 1 + size % 5, |_| {});
        TestResult::from_bool(work <= LOOKS_PER_BYTE * bytes.len() as u64 + 64)
    }
    holds(5000, linear as fn(Vec<u8>, usize) -> TestResult);
}

/// The path of the tokenizer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Path {
    /// Lexeme by lexeme.
    Slow,
    Fast,
    /// With whole runs of moves, to a sink that accepts them.
    Runs,
}

/// Returns the log of a run: every event and skipped game, and the end.
fn log(bytes: &[u8], size: usize, answers: &[u8], strict: bool, path: Path, level: SimdLevel) -> Vec<String> {
    struct Log<'a> {
        seen: Vec<String>,
        answers: &'a [u8],
        takes_runs: bool,
    }

    impl Log<'_> {
        /// Returns the flow after the `n`th event.
        fn answer(&self, n: usize) -> Flow {
            match self.answers.get(n % self.answers.len().max(1)).map(|answer| answer % 32) {
                Some(0) => Flow::Break,
                Some(1 | 4) => Flow::SkipGame,
                Some(2 | 3) => Flow::Skip,
                _ => Flow::Continue,
            }
        }
    }

    impl Sink for Log<'_> {
        fn event(&mut self, event: Event<'_>, at: u64) -> Flow {
            self.seen.push(format!("{event:?} at {at}"));
            self.answer(self.seen.len())
        }

        /// Accepts a run if it would not have stopped at any of its events, except perhaps the last.
        fn moves(&mut self, bytes: &[u8], lines: &[(u16, u16)], at: u64) -> Option<Flow> {
            let (seen, moves) = (self.seen.len(), Moves::new(bytes, lines, at));
            if !self.takes_runs || (1..3 * moves.len()).any(|n| self.answer(seen + n) != Flow::Continue) {
                return None;
            }
            for (event, at) in moves.events() {
                self.event(event, at);
            }
            Some(self.answer(self.seen.len()))
        }

        fn game_skipped(&mut self) -> Flow {
            self.seen.push("skipped".into());
            Flow::Break
        }
    }

    let mut tokenizer = if strict { Parser::strict() } else { Parser::new() }.simd_level(level).tokenizer();
    tokenizer.slow_path = path == Path::Slow;
    let mut sink = Log { seen: Vec::new(), answers, takes_runs: path == Path::Runs };
    let (mut start, mut end) = (0, 0);
    loop {
        end = (end + size).min(bytes.len());
        let step = tokenizer.run(&bytes[start..end], end == bytes.len(), &mut sink);
        start += step.consumed;
        sink.seen.push(format!("{:?} at {start}, {} open", step.outcome, tokenizer.depth()));
        match step.outcome {
            Outcome::NeedMore | Outcome::Stopped => {}
            Outcome::End => return sink.seen,
            Outcome::Failed if tokenizer.error().is_final() => return sink.seen,
            Outcome::Failed => {
                sink.seen.push(tokenizer.error().to_string());
                tokenizer.resync();
            }
        }
    }
}

#[test]
fn fast_paths_at_every_level_are_the_slow_path() {
    const PARTS: &[&[u8]] = &[
        b"(;FF[4]GM[1]",
        b"C[a comment of more than a few bytes, with a \\] and a \\\\]",
        b"C[one [with\\] brackets]",
        b"C[[a] and so on, and so on]",
        b"\n (;SZ[19]",
        b"\n(;C[no game]",
        b"C[\x93\x5D\x81\x5B]",
        b"(;",
        b";B[dd]",
        b";B[dd]",
        b";W[pp]",
        b";W[qq]\n",
        b";B[AZ]",
        b";B[]",
        b";B[d]]",
        b";b[dd]",
        b";BL[dd]",
        b";B[\\]]",
        b";B[d[]",
        b";B[dd]C[x]",
        b";B[dd][ee]",
        b"(",
        b")",
        b"\n",
        b"\r\n;W[aa]",
        b";",
        b"CA[GBK]",
        b"CA [GBK]",
        b"CA][GBK]",
        b"C A[GBK]",
        b"ChAr[GBK]",
        b"C1A[GBK]",
        b"HA[2]",
        b"AB[aa][bb][cc]",
        b"PB[a name]",
        b"(;FF[4]PB[x]PW[y]RE[B+R]KM[6.5]DT[2000-01-01]",
        b"C[\x81\x5D and \x81]",
        b"x",
        b"\n(;FF[4]",
        b";B[d",
        b";B",
        b";B[tt",
        b"]",
        b" ]",
        b" so ]",
        b";)]",
        b"; B",
        b"C[so ] so]",
        b"C[ok] ;)]",
        b"(;PB[x]PW[y]",
        b"(;PB[x]B[aa]",
        b"C[see (;GM[1]]",
        b"( ;\nN[x] TE[1]\n",
        b"(;SZ",
        b"C[x\\(;ST[1]",
    ];
    fn same(picks: Vec<u8>, size: usize, answers: Vec<u8>, (strict, is_patient): (bool, bool)) -> bool {
        // A sink that nearly always continues takes whole runs.
        let pause = if is_patient { 20 } else { 0 };
        let answers: Vec<_> =
            answers.iter().flat_map(|&answer| iter::once(answer).chain(iter::repeat_n(31, pause))).collect();
        // Many moves and a few other bytes, so that whole blocks of either occur.
        let picks = picks.iter().flat_map(|&pick| iter::repeat_n(pick, if pick % 16 == 3 { 9 } else { 1 }));
        let bytes: Vec<u8> = picks.flat_map(|pick| PARTS[usize::from(pick) % PARTS.len()]).copied().collect();
        let start = if size.is_multiple_of(2) { "(;FF[4];B[aa]" } else { "(;FF[4]" };
        let bytes = [start.as_bytes(), &bytes].concat();
        for size in [1 + size % 40, usize::MAX >> 1] {
            let run = |path, level| log(&bytes, size, &answers, strict, path, level);
            let slow = run(Path::Slow, SimdLevel::best());
            for level in SimdLevel::all() {
                assert_eq!(run(Path::Fast, level), slow, "{}: {}", level.name(), bytes.escape_ascii());
            }
            assert_eq!(run(Path::Runs, SimdLevel::best()), slow, "in runs: {}", bytes.escape_ascii());
        }
        true
    }
    holds(20_000, same as fn(Vec<u8>, usize, Vec<u8>, (bool, bool)) -> bool);
}

/// Regression: a `]` outside values set the skipping of blocks back to a value before parentheses that were already
/// counted.
#[test]
fn no_parenthesis_is_counted_twice_where_a_bracket_is_left_over() {
    const SKIP_GAME: &[u8] = &[1];
    for before in 0..140 {
        for after in [0, 40, 64, 100] {
            let (before, after) = ("x".repeat(before), "x".repeat(after));
            let bytes = format!(
                "(;FF[4];B[aa];C[v]({before}]{after}(;B[bb])))(;C[another game, long enough for a block, and more])"
            );
            let run = |path, level| log(bytes.as_bytes(), usize::MAX >> 1, SKIP_GAME, false, path, level);
            let slow = run(Path::Slow, SimdLevel::best());
            for level in SimdLevel::all() {
                assert_eq!(run(Path::Fast, level), slow, "{bytes}");
            }
        }
    }
}
