//! Laws: for any input, the same diagnostics from every reader and for any chunks, locations in the input, and
//! bounded memory.

use std::io::BufReader;

use quickcheck::TestResult;
use sgf_board as board;
use sgf_check as check;
use sgf_check::{Checker, Diagnostic, Rule, Rules, Summary};
use sgf_stream::{Code, LineCounter, Parser};

use super::{TakeDiagnostic, found, is_sum_of};
use crate::support::generate::{Chunks, Input};
use crate::support::{holds, shared};

/// What a visitor hears: nothing of syntax, but for what the checker finds itself.
fn is_own(rule: Rule) -> bool {
    match rule {
        Rule::Syntax(code) => matches!(code, Code::ExtraValues | Code::LowercaseInIdent),
        Rule::CharsetConflict => false, // of the stream
        _ => true,
    }
}

type Found = Vec<(Rule, u64, u64, String)>;

fn own(diagnostic: &Diagnostic) -> Option<(Rule, u64, u64, String)> {
    let (rule, span) = (diagnostic.rule(), diagnostic.span());
    is_own(rule).then(|| (rule, span.start, span.end, diagnostic.message().to_owned()))
}

fn visited(read: impl FnOnce(&mut Checker<TakeDiagnostic<'_>>) -> Summary) -> (Found, Summary) {
    let mut found = Vec::new();
    let mut handler = |diagnostic: &Diagnostic| found.push(diagnostic.clone());
    let summary = read(&mut Checker::with_rules(Rules::strict(), &mut handler));
    is_sum_of(summary, &found);
    (found.iter().filter_map(own).collect(), summary)
}

fn whole(bytes: &[u8], capacity: usize) -> (Vec<Diagnostic>, Summary) {
    let mut found = Vec::new();
    let take: TakeDiagnostic<'_> = &mut |diagnostic| found.push(diagnostic.clone());
    let summary = Checker::with_rules(Rules::strict(), take).check(BufReader::with_capacity(capacity, bytes)).unwrap();
    is_sum_of(summary, &found);
    (found, summary)
}

fn every_front_end_finds_the_same(bytes: &[u8], chunks: &[usize]) {
    let (all, summary) = whole(bytes, bytes.len().max(1));
    for capacity in [1, 2, 7, 64] {
        let (in_pieces, again) = whole(bytes, capacity);
        assert_eq!(in_pieces, all, "left: pieces of {capacity}");
        assert_eq!(again, summary);
    }
    let expected: Found = all.iter().filter_map(own).collect();

    let (slice, total) = visited(|checker| {
        let (mut reader, mut total) = (Parser::new().slice(bytes), Summary::default());
        while let Ok(Some(summary)) = reader.read_game(&mut checker.visitor()) {
            total += summary;
        }
        total
    });
    assert_eq!(slice, expected, "left: the slice reader");
    let (stream, stream_total) = visited(|checker| {
        let (mut reader, mut total) = (Parser::new().reader(BufReader::with_capacity(3, bytes)), Summary::default());
        while let Ok(Some(summary)) = reader.read_game(&mut checker.visitor()) {
            total += summary;
        }
        total
    });
    assert_eq!((stream, stream_total), (slice, total), "left: the stream reader");
    let (pushed, push_total) = visited(|checker| {
        let (mut push, mut total, mut rest) = (Parser::new().push_games(checker.visitor()), Summary::default(), bytes);
        for &size in chunks.iter().cycle() {
            if rest.is_empty() {
                break;
            }
            let (chunk, after) = rest.split_at(size.min(rest.len()));
            rest = after;
            push.feed(chunk, |game| total += game.unwrap_or_default());
        }
        push.finish(|game| total += game.unwrap_or_default());
        total
    });
    assert_eq!((pushed, push_total), (expected, total), "left: pushed");
    assert_eq!(total.games, summary.games);
}

#[test]
fn every_front_end_finds_the_same_whatever_the_pieces() {
    fn law(Input(bytes): Input, Chunks(chunks): Chunks) {
        every_front_end_finds_the_same(&bytes, &chunks);
    }
    holds(3_000, law as fn(Input, Chunks));
}

/// A run of moves comes to the checker whole, unless the stream comes in pieces.
#[test]
fn moves_in_runs_are_checked_as_one_by_one() {
    fn law(picks: Vec<(u8, u8)>) {
        let mut sgf = b"(;FF[4]GM[1]SZ[3]AB[bb]".to_vec();
        for (n, &(pick, more)) in picks.iter().enumerate() {
            let color = if pick % 16 == 0 { b'X' } else { b"BW"[(n + usize::from(pick % 7 == 0)) % 2] };
            let point = [b'a' + pick / 16 % 4, b'a' + pick % 4];
            sgf.extend_from_slice(&[b';', color, b'[', point[0], point[1], b']']);
            sgf.extend_from_slice(match more % 32 {
                0 => b"[aa]",
                1 => b"BL[1]",
                2 => b";AE[aa]",
                3 => b"(;B[ab];W[ba];B[aa])(;B[aa]",
                4..8 => b"\n",
                _ => b"",
            });
        }
        let (all, summary) = whole(&sgf, sgf.len());
        let (one_by_one, other) = whole(&sgf, 1);
        assert_eq!((all, summary), (one_by_one, other), "{}", sgf.escape_ascii());
    }
    holds(2_000, law as fn(Vec<(u8, u8)>));
}

/// The checker plays only the moves that it has to; a walk plays all of them.
#[test]
fn illegal_moves_are_those_of_a_walk() {
    fn law(picks: Vec<(u8, u8)>) {
        let (mut sgf, mut depth) = ("(;FF[4]GM[1]SZ[3:2]".to_owned(), 0);
        for (n, &(pick, more)) in picks.iter().enumerate() {
            if more % 16 == 0 {
                sgf.push('(');
                depth += 1;
            }
            let color = b"BW"[(n + usize::from(pick % 8 == 0)) % 2] as char;
            let [x, y] = [pick / 16 % 3, pick / 64 % 2].map(|number| (b'a' + number) as char);
            sgf += &match pick % 16 {
                1 => format!(";A{color}[{x}{y}]"),
                2 => format!(";AE[{x}{y}]"),
                3 => format!(";{color}[]"),
                4 => format!(";{color}[no move]"),
                _ => format!(";{color}[{x}{y}]"),
            };
            // Never a node after a variation.
            let is_last = picks.get(n + 1).is_some_and(|(_, next)| next % 16 == 0);
            if depth > 0 && is_last && more % 3 == 0 {
                sgf.push(')');
                depth -= 1;
            }
        }
        sgf += &")".repeat(depth + 1);
        let mut expected = Vec::new();
        board::walk(&Parser::new(), sgf.as_bytes(), |step| {
            let Some(played) = step.effect() else { return };
            let rule = match () {
                () if played.replaced.is_some() => Rule::OccupiedPoint,
                () if played.retakes_ko => Rule::KoRetaken,
                () if played.suicide > 0 => Rule::Suicide,
                () => return,
            };
            expected.push((rule.to_string(), step.offset() + 2));
        })
        .unwrap();
        let rules = [Rule::OccupiedPoint, Rule::KoRetaken, Rule::Suicide];
        let on = |rules: &[Rule]| rules.iter().fold(Rules::none(), |on, &rule| on.warn(rule));
        assert_eq!(found(&on(&rules), sgf.as_bytes()), expected, "{sgf}");
        expected.retain(|(rule, _)| rule != Rule::Suicide.as_str());
        assert_eq!(found(&on(&rules[..2]), sgf.as_bytes()), expected, "{sgf}");
    }
    holds(3_000, law as fn(Vec<(u8, u8)>));
}

/// A game with an identifier beyond the limit is not repaired, so its missing bracket cannot be.
#[test]
fn every_front_end_finds_the_same_where_an_identifier_is_too_long() {
    every_front_end_finds_the_same(&[b"\xEF\xBB\xBF(;".as_slice(), &[b'A'; 333]].concat(), &[85, 45, 100]);
    every_front_end_finds_the_same(&[b"(;B[aa]".as_slice(), &[b'A'; 333], b"[]"].concat(), &[7]);
}

#[test]
fn places_are_in_the_input_and_lines_are_counted_as_everywhere() {
    fn law(Input(bytes): Input) {
        let (found, _) = whole(&bytes, 5);
        for diagnostic in found {
            assert!(diagnostic.span().start <= bytes.len() as u64, "{diagnostic}");
            let mut lines = LineCounter::default();
            lines.advance(&bytes[..diagnostic.offset() as usize]);
            let mut position = lines.position();
            // A line break that a place parts is one all the same.
            if let [.., first @ (b'\r' | b'\n')] = bytes[..diagnostic.offset() as usize]
                && bytes.get(diagnostic.offset() as usize).is_some_and(|next| b"\r\n".contains(next) && *next != first)
            {
                continue;
            }
            position.offset = diagnostic.offset();
            assert_eq!(diagnostic.position(), Some(position), "{diagnostic}");
        }
    }
    holds(3_000, law as fn(Input));
}

#[test]
fn rules_that_are_off_change_nothing_else() {
    fn law(Input(bytes): Input, off: Vec<u8>) -> TestResult {
        let rules: Vec<Rule> = Rule::all().collect();
        let off: Vec<Rule> = off.iter().map(|pick| rules[usize::from(*pick) % rules.len()]).collect();
        let with = off.iter().fold(Rules::strict(), |with, &rule| with.allow(rule));
        let report = |rules| check::check_slice_with(rules, &bytes).diagnostics().to_vec();
        let mut expected = report(Rules::strict());
        expected.retain(|diagnostic| !off.contains(&diagnostic.rule()));
        assert_eq!(report(with), expected, "without {off:?}");
        TestResult::passed()
    }
    holds(3_000, law as fn(Input, Vec<u8>) -> TestResult);
}

#[test]
fn a_report_keeps_so_many_findings_and_counts_the_rest() {
    let bytes = b"(;FF[4];TE[1])".repeat(check::Report::MAX_DIAGNOSTICS + 5);
    let report = check::check_slice(&bytes);
    assert_eq!(report.diagnostics().len(), check::Report::MAX_DIAGNOSTICS);
    assert_eq!(report.summary().errors as usize, check::Report::MAX_DIAGNOSTICS + 5);
}

/// The corpus, if it exists: no file causes a panic, and chunks do not matter.
#[test]
fn real_files_are_checked_alike_in_pieces() {
    for path in shared::corpus().iter().step_by(7) {
        let bytes = std::fs::read(path).unwrap();
        assert_eq!(whole(&bytes, 61), whole(&bytes, 1 << 20), "{}", path.display());
    }
}
