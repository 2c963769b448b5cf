//! Repairs: what is repaired, and that nothing else changes. The last goes through `../shared/corpus`, where
//! it is there.

use std::collections::BTreeMap;

use sgf_stream::check::{self, FixError, Rule, Rules, fix_slice};
use sgf_stream::{Code, Event, Parser};

use super::support::generate::Input;
use super::support::{holds, shared};

const TABLE: &[(&str, &str)] = &[
    // Values.
    ("(;FF[4];B[ d d ]DM[]KO[1])", "(;FF[4];B[dd]DM[1]KO[])"),
    ("(;SZ[13:13]KM[6.] PL[white]\n)", "(;SZ[13]KM[6] PL[W]\n)"),
    ("(;;LB[a a : text][bb:x])", "(;;LB[aa: text][bb:x])"),
    ("(;AB[cc:aa][ee:ee]TM[1h])", "(;AB[aa:cc][ee]TM[3600])"),
    ("(;FF[3];B[pass])", "(;FF[3];B[tt])"),
    ("(;FF[4];B[pass])", "(;FF[4];B[])"),
    ("(;GM[11];B[A 03])", "(;GM[11];B[a3])"),
    // Not what says less, nor what nobody can read.
    ("(;RE[b+r]DT[1999/1/2]AP[GoGui]BR[strong])", "(;RE[b+r]DT[1999/1/2]AP[GoGui]BR[strong])"),
    ("(;;B[zz]W[99]RE[x])", "(;;B[zz]W[99]RE[x])"),
    // Empty values and properties.
    ("(;PL[] AB[]C[x])", "(;C[x])"),
    ("(;C[x]\n  KM[]\n;VW[][aa] [])", "(;C[x]\n;VW[aa])"),
    ("(;C[]PB[])", "(;C[]PB[])"),
    ("(;DD[][])", "(;DD[])"),
    // Points that are there.
    ("(;;AB[aa][bb][aa])", "(;;AB[aa][bb])"),
    ("(;;AB[aa:cc] [bb] [dd][aa:bb])", "(;;AB[aa:cc] [dd])"),
    ("(;;AB[aa:cc][bb:dd]MA[aa]TR[aa])", "(;;AB[aa:cc][bb:dd]MA[aa]TR[aa])"),
    ("(;;AR[aa:bb][aa:bb]LB[aa:1][aa:2])", "(;;AR[aa:bb]LB[aa:1][aa:2])"),
    ("(;;AB[a a][aa])", "(;;AB[aa])"),
    // Lists in two pieces.
    ("(;;AB[aa]AW[cc]\nAB[bb] [dd]C[x])", "(;;AB[aa][bb][dd]AW[cc]C[x])"),
    ("(;;AB[aa]AB[bb]AB[cc])", "(;;AB[aa][bb][cc])"),
    ("(;;AB[aa]AW[bb]AB[aa])", "(;;AB[aa]AW[bb])"),
    ("(;AB[aa]AW[bb:aa]AB[aa]AB[bb])", "(;AB[aa]AW[aa:bb]AB[aa]AB[bb])"),
    ("(;;LB[aa:1]LB[bb:2])", "(;;LB[aa:1][bb:2])"),
    ("(;;LB[aa:1]AR[aa:bb]LB[bb:2])", "(;;LB[aa:1][bb:2]AR[aa:bb])"),
    ("(;;DD[aa]DD[bb])", "(;;DD[aa]DD[bb])"),
    ("(;;C[a]C[b]W[aa]W[bb]AB[]AB[aa])", "(;;C[a]C[b]W[aa]W[bb]AB[aa])"),
    ("(;;LB[aa:\u{e9}]LB[bb:\u{e9}])", "(;;LB[aa:\u{e9}]LB[bb:\u{e9}])"),
    // Identifiers.
    ("(;FF[4]CoPyright[x])", "(;FF[4]CP[x])"),
    ("(;CoPyright[x])", "(;CoPyright[x])"),
    // `8GM[x]` would be junk, and `GM[x]`.
    ("(;FF[4]xutf8GM[x])", "(;FF[4]xutf8GM[x])"),
    // Syntax, and what comes to light behind it.
    ("(;FF[4] junk PL[]AB[aa][aa]", "(;FF[4]AB[aa])"),
    ("mail\n(;FF[4]C[sic [!]]B[a a])", "\n(;FF[4]C[sic [!\\]]B[aa])"),
    // What is taken out leaves no variation at the start of a line, where it would be a game.
    ("(;C[x]\nPL[](;FF[4]))", "(;C[x](;FF[4]))"),
    ("(;C[x]\n(;PL[]FF[4]))", "(;C[x]\n(;PL[]FF[4]))"),
    ("(;AB[[][]F4[][t])", "(;AB[[][]F4[][t])"),
    ("(;C[x]\n(;!FF[4]))", "(;C[x](;FF[4]))"),
    ("(;C[x]\n(FF[4]))", "(;C[x](;FF[4]))"),
];

#[test]
fn what_can_be_repaired_is_and_nothing_else_changes() {
    let mut wrong = Vec::new();
    for (input, output) in TABLE {
        let (fixed, repairs) = fix_slice(&Rules::new(), input.as_bytes()).unwrap();
        let fixed = String::from_utf8(fixed).unwrap();
        if fixed != *output {
            wrong.push(format!("{input:?}\n  became {fixed:?}\n     not {output:?}"));
        }
        if repairs.count() == 0 && input != output {
            wrong.push(format!("{input:?}: nothing was counted"));
        }
        laws(input.as_bytes());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn empty_texts_go_if_the_rule_is_on() {
    let rules = Rules::new().warn(Rule::EmptyText);
    assert_eq!(fix_slice(&rules, b"(;C[]PB[]\nB[aa])").unwrap().0, b"(;\nB[aa])");
}

#[test]
fn a_rule_that_is_off_leaves_its_faults_alone() {
    let rules = Rules::new().allow(Rule::SloppyValue);
    let (fixed, repairs) = fix_slice(&rules, b"(;FF[4];B[d d]AB[aa][aa])").unwrap();
    assert_eq!(fixed, b"(;FF[4];B[d d]AB[aa])");
    assert_eq!(repairs.repairs().collect::<Vec<_>>(), [(Rule::DuplicatePoint, 1)]);
}

#[test]
fn what_cannot_be_kept_is_refused() {
    let long = [b"(;C[", &vec![b'a'; 1 << 21][..], b"])"].concat();
    for (input, code) in [(&long[..], Code::ValueTooLong), (b"hello", Code::NoSgfData)] {
        match fix_slice(&Rules::new(), input) {
            Err(FixError::Refused(found)) => assert_eq!(found.code, code),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_long_node_and_a_long_game_pass() {
    let node: String = (0..200_000).map(|n| format!("[{}{}]", char::from(b'a' + (n % 19) as u8), 'a')).collect();
    let long = format!("(;FF[4];MA{node};B[d d]){}", "(;FF[4];B[d d];W[])\n".repeat(20_000));
    let (fixed, _) = fix_slice(&Rules::new(), long.as_bytes()).unwrap();
    let names: String = (0..19).map(|n| format!("[{}a]", char::from(b'a' + n))).collect();
    let expected = format!("(;FF[4];MA{names};B[dd]){}", "(;FF[4];B[dd];W[])\n".repeat(20_000));
    assert!(fixed == expected.as_bytes());
}

/// The trees, without values.
fn shape(bytes: &[u8]) -> String {
    let mut shape = String::new();
    let _ = Parser::new().parse(bytes, |event, _| {
        shape.push(match event {
            Event::StartTree => '(',
            Event::Node => ';',
            Event::EndTree => ')',
            _ => return,
        });
    });
    shape
}

fn counts(bytes: &[u8]) -> BTreeMap<Rule, usize> {
    let mut counts = BTreeMap::new();
    let mut checker = check::Checker::new(|finding: &check::Finding| *counts.entry(finding.rule()).or_default() += 1);
    checker.check(bytes).unwrap();
    drop(checker);
    counts
}

/// What holds of any repair.
fn laws(bytes: &[u8]) {
    let rules = Rules::new();
    let Ok((fixed, repairs)) = fix_slice(&rules, bytes) else { return };
    // Where a doubtful value ends is judged by the next 256 bytes. If the junk that is left out of them mattered, the
    // repair of the syntax alone is no longer the same when it is read: no more can be asked of what follows.
    let mut syntax = Vec::new();
    check::fix(&Rules::none(), bytes, &mut syntax).unwrap();
    let mut read_again = Vec::new();
    check::fix(&Rules::none(), &syntax[..], &mut read_again).unwrap();
    let is_stable = syntax == read_again;
    let shown = || format!("{}\nbecame\n{}", bytes.escape_ascii(), fixed.escape_ascii());
    assert!(repairs.is_done(), "{}", shown());
    let (again, nothing) = fix_slice(&rules, &fixed).unwrap();
    assert!(again == fixed, "a second time: {}\n{}", shown(), again.escape_ascii());
    assert_eq!(nothing.count(), 0, "{}", shown());
    if !is_stable {
        return;
    }
    assert_eq!(shape(&fixed), shape(bytes), "{}", shown());

    let (before, after) = (counts(bytes), counts(&fixed));
    let report = check::check_slice(&fixed);
    let left = report.findings().iter().find(|finding| finding.is_fixable());
    assert!(left.is_none(), "{left:?}: {}", shown());
    for (rule, count) in after {
        assert!(before.get(&rule).is_some_and(|&before| count <= before), "{rule} is new: {}", shown());
    }
}

#[test]
fn a_repair_is_done_once_and_brings_no_new_faults() {
    fn law(Input(bytes): Input) {
        laws(&bytes);
    }
    holds(3_000, law as fn(Input));
}

/// Games that are sound, with the faults that are repaired.
#[test]
fn faults_of_all_kinds_together_are_repaired_once() {
    const PIECES: &[&str] = &[
        ";",
        ";B[dd]",
        "B[d d]",
        "W[pass]",
        "AB[aa]",
        "AB[aa][bb]",
        "AB",
        "[aa]",
        "[a a]",
        "[]",
        "[bb:aa]",
        "[aa:bb]",
        "AW",
        "LB[aa:1]",
        "LB[a a:1][aa:1]",
        "AR[aa:bb]",
        "DD[]",
        "DD[aa]",
        "KM[]",
        "KM[6.]",
        "PL[]",
        "C[x]",
        "C[]",
        "MA[aa][aa]",
        "TR[aa]",
        "\n",
        " ",
        "SZ[9:9]",
        "(;",
        ")",
        "Black[aa]",
        "GB[]",
        "KO[1]",
        "TE[1]",
        "[aa:1]",
        "CA[Big5]",
        "FF[3]",
        "VW[aa]",
    ];
    fn law(picks: Vec<u8>) {
        let text: String = picks.iter().map(|pick| PIECES[usize::from(*pick) % PIECES.len()]).collect();
        laws(format!("(;FF[4]{text})").as_bytes());
        laws(format!("(;{text})").as_bytes());
    }
    holds(3_000, law as fn(Vec<u8>));
}

#[test]
fn real_files_are_repaired_once() {
    let (mut files, mut changed) = (0, 0);
    for path in shared::corpus() {
        let bytes = std::fs::read(&path).unwrap();
        laws(&bytes);
        let Ok((fixed, repairs)) = fix_slice(&Rules::new(), &bytes) else { continue };
        assert_eq!(fixed != bytes, repairs.count() > 0, "{}", path.display());
        files += 1;
        changed += usize::from(fixed != bytes);
    }
    eprintln!("{changed} of {files} files repaired");
}
