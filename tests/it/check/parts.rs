//! Laws of checking a stream part by part.

use std::fs;

use sgf_check::{Checker, Diagnostic, Rule, Rules, StreamStart, Summary};
use sgf_stream::parts::Next;
use sgf_stream::{Code, Parser};

use super::{TakeDiagnostic, is_sum_of};
use crate::support::generate::Input;
use crate::support::{holds, shared};

fn in_parts(bytes: &[u8], part_len: usize, max_game_len: usize) -> (Vec<Diagnostic>, Summary) {
    let parser = Parser::new();
    let mut parts = parser.clone().max_game_len(max_game_len).parts(bytes).part_len(part_len);
    let (mut found, mut start, mut total) = (Vec::new(), StreamStart::new(), Summary::default());
    while let Some(next) = parts.next_part().unwrap() {
        let before = found.len();
        let take: TakeDiagnostic<'_> = &mut |diagnostic| found.push(diagnostic.clone());
        let mut checker = Checker::with_parser(&parser, Rules::strict(), take);
        let summary = match next {
            Next::Part(part) => {
                start.note(&parser, &part);
                checker.check_part(&start, &part)
            }
            Next::Long(game) => checker.check_long(&mut start, game, |_| {}).unwrap(),
        };
        is_sum_of(summary, &found[before..]);
        total += summary;
    }
    (found, total)
}

fn whole(bytes: &[u8]) -> (Vec<Diagnostic>, Summary) {
    let mut found = Vec::new();
    let take: TakeDiagnostic<'_> = &mut |diagnostic| found.push(diagnostic.clone());
    let summary = Checker::with_rules(Rules::strict(), take).check(bytes);
    (found, summary.unwrap())
}

fn parts_have_the_findings_of_the_whole(bytes: &[u8]) {
    let mut expected = whole(bytes);
    // That a stream has no game is known at its end only.
    let is_put_last = |diagnostic: &Diagnostic| diagnostic.rule() == Rule::Syntax(Code::NoSgfData);
    expected.0.sort_by_key(is_put_last);
    for (part_len, max_game_len) in [(0, 1 << 20), (40, 1 << 20), (8, 30), (0, 0)] {
        let (mut found, summary) = in_parts(bytes, part_len, max_game_len);
        found.sort_by_key(is_put_last);
        for (n, diagnostic) in expected.0.iter().enumerate() {
            assert_eq!(found.get(n), Some(diagnostic), "{part_len}, {max_game_len}");
            assert_eq!(found[n].property(), diagnostic.property(), "{part_len}, {max_game_len}");
        }
        assert_eq!((found.len(), summary), (expected.0.len(), expected.1), "{part_len}, {max_game_len}");
    }
}

#[test]
fn parts_have_the_findings_of_the_whole_stream() {
    fn law(Input(bytes): Input) {
        parts_have_the_findings_of_the_whole(&bytes);
    }
    holds(3_000, law as fn(Input));
}

#[test]
fn what_connects_games_is_known_to_all_parts() {
    for bytes in [
        &b"\xEF\xBB\xBF(;FF[4]CA[Big5]PB[\xE5\x9B\xB2])(;FF[3])(;GM[2])"[..],
        b"(;FF[4])\n(;FF[4]C[x]) ] (FF[4])\n(;FF[4]C[x]) ]\n(FF[4];B[aa])",
        b"(;FF[4];B[aa]x)))(;FF[4]))\ntext )) (;FF[4])) text",
        b"text ) (;FF[4]P0[x]))(;B[aa];AB[aa]",
        b"no game at all",
        b"",
    ] {
        parts_have_the_findings_of_the_whole(bytes);
    }
}

#[test]
fn parts_of_real_files_have_the_findings_of_the_whole() {
    let mut all = Vec::new();
    for path in shared::corpus().iter().step_by(40) {
        let bytes = fs::read(path).unwrap();
        parts_have_the_findings_of_the_whole(&bytes);
        all.extend(bytes);
    }
    if !all.is_empty() {
        let expected = whole(&all);
        assert!(in_parts(&all, 10_000, 1 << 20) == expected, "all in one stream");
    }
}
