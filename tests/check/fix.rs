//! Repairs: what is repaired, and that nothing else changes. The last goes through `../shared/corpus`, where
//! it is there.

use std::collections::BTreeMap;

use sgf_stream::check::{self, Fate, FixError, Fixer, Rule, Rules, fix_slice};
use sgf_stream::node::RootFacts;
use sgf_stream::property::{self, Context, TypedValue};
use sgf_stream::value::AnyRect;
use sgf_stream::{Code, Event, Ident, NodeRecord, Parser, RawValue};

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
    // A list that another one overlaps does not say what that one says.
    ("(;;TR[aa][aa:bb]MA[aa][aa:bb])", "(;;TR[aa][aa:bb]MA[aa][aa:bb])"),
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
    // Values that say the same twice.
    ("(;SZ[19]SZ[19])", "(;SZ[19])"),
    ("(;SZ[19] SZ[ 19 ]\nGM[1]KM[6.5]SZ[19]KM[6.50])", "(;SZ[19]\nGM[1]KM[6.5])"),
    ("(;C[x]C[x];N[a\\]] N[a\\]] N[a\\]]B[aa])", "(;C[x];N[a\\]]B[aa])"),
    ("(;FF[4];C[a\tb]C[a b]C[a\\\n b]B[aa])", "(;FF[4];C[a\tb]B[aa])"),
    ("(;PB[\u{e9}]PB[\u{e9}]PB[e])", "(;PB[\u{e9}]PB[e])"),
    ("(;;B[aa]B[aa];W[bb]\nW[bb]W[bb])", "(;;B[aa];W[bb])"),
    ("(;SZ[19][19] [19]KM[6][7])", "(;SZ[19]KM[6][7])"),
    ("(;;B[aa][aa])", "(;;B[aa])"),
    ("(;SZ[19]SZ[19][19])", "(;SZ[19])"),
    ("(;C[]C[]PB[x] PB[x][x])", "(;C[]PB[x])"),
    // Not what may mean two things, or says more.
    ("(;SZ[19]SZ[13]KM[6]KM[x])", "(;SZ[19]SZ[13]KM[6]KM[x])"),
    ("(;SZ[19]SZ[19][13])", "(;SZ[19]SZ[19][13])"),
    ("(;;B[aa]W[bb]B[aa])", "(;;B[aa]W[bb]B[aa])"),
    ("(;TM[60]TM[60 (x)]RE[B+R]RE[b+r])", "(;TM[60]TM[60 (x)]RE[B+R]RE[b+r])"),
    ("(;XX[a]XX[a])", "(;XX[a]XX[a])"),
    ("(;;C[a]C[b]W[aa]W[bb]AB[]AB[aa])", "(;;C[a]C[b]W[aa]W[bb]AB[aa])"),
    ("(;;LB[aa:\u{e9}]LB[bb:\u{e9}])", "(;;LB[aa:\u{e9}]LB[bb:\u{e9}])"),
    // Identifiers.
    ("(;FF[4]CoPyright[x])", "(;FF[4]CP[x])"),
    ("(;CoPyright[x])", "(;CoPyright[x])"),
    // `8GM[x]` would be junk, and `GM[x]`.
    ("(;FF[4]xutf8GM[x])", "(;FF[4]xutf8GM[x])"),
    ("(;FF[4]Zebra[x]CoPyright[y])", "(;FF[4]Zebra[x]CP[y])"),
    // Syntax, and what comes to light after it.
    ("(;FF[4] PL[]AB[aa][aa]", "(;FF[4]AB[aa])"),
    ("mail\n(;FF[4]C[sic [!]]B[a a])", "mail\n(;FF[4]C[sic [!\\]]B[aa])"),
    ("(FF[4];B[aa]))\n)(;W[bb]", "(;FF[4];B[aa])\n(;W[bb])"),
    ("(;FF[4];B[aa]))\n)x(;W[bb]", "(;FF[4];B[aa]))\n)x(;W[bb])"),
    ("(;C[x](;B[aa]);W[bb]()((;C[y])) )", "(;C[x](;B[aa])(;W[bb](;C[y]) ))"),
    // What is cut off is kept, and closed.
    (
        "(;B[aa]C[A very long comment of a file whose upload was cut o",
        "(;B[aa]C[A very long comment of a file whose upload was cut o])",
    ),
    ("(;B[aa](;C [sic [1] \\] a\\", "(;B[aa](;C [sic [1\\] \\] a\\\\]))"),
    ("(;AB[aa][bb", "(;AB[aa][bb])"),
    ("(;B[aa]\n;W[p", "(;B[aa]\n;W[p])"),
    ("(;C[", "(;C[])"),
    ("(FF[4]C[x", "(;FF[4]C[x])"),
    ("(;C[x](;B[aa])W[bb]N[cut\n", "(;C[x](;B[aa])(;W[bb]N[cut\n]))"),
    ("(;B[aa]C[cut off\n(;FF[4]GM[1];B[dd])", "(;B[aa]C[cut off\n])(;FF[4]GM[1];B[dd])"),
    // A pass or an empty list that nobody wrote is not made up.
    ("(;B[aa];W[", "(;B[aa];W["),
    ("(;B[aa];TB[aa]DD[", "(;B[aa];TB[aa]DD["),
    // The first stays, and has to end where it did.
    ("(;t\n(;GM[];B[a a]", "(;t\n(;GM[];B[a a])"),
    // Text outside of games stays.
    ("From: a\n\n(;B[a a])\nregards ) (me\n", "From: a\n\n(;B[aa])\nregards ) (me\n"),
    // Games that hold what no program reads stay as they are; others do not suffer for it.
    ("(;B[aa];[a precious comment];W[b b])(;B[a a])", "(;B[aa];[a precious comment];W[b b])(;B[aa])"),
    ("(;B[a a];W[bb]c[text]", "(;B[a a];W[bb]c[text]"),
    ("(;B[a a] junk", "(;B[a a] junk"),
    ("(;B[a a]KO;W[b b])", "(;B[a a]KO;W[b b])"),
    ("(;FF[4]P0[x];B[a a])(;P0[x];B[a a])", "(;FF[4]P0[x];B[a a])(;P0[x];B[aa])"),
    (
        "(;C[a]\n<<<<<<< HEAD\n;B[a a])\n=======\n;B[b b])\n>>>>>>> x\n",
        "(;C[a]\n<<<<<<< HEAD\n;B[a a])\n=======\n;B[b b])\n>>>>>>> x\n",
    ),
    // A variation that begins with FF is a game, wherever it stands; what is taken out makes none of one that is not.
    ("(;C[x]\nPL[](;FF[4]))", "(;C[x])(;FF[4])"),
    ("(;C[x]\n(;PL[]FF[4]))", "(;C[x]\n(;PL[]FF[4]))"),
    ("(;AB[[][]F4[][t])", "(;AB[[][]F4[][t])"),
    // The version is the first that is a number, before an empty one goes and after; one that is cut off counts.
    ("(FF[]FF[4]F4[", "(FF[]FF[4]F4["),
    ("(;FF[x]FF[4]P0[x];B[a a])", "(;FF[x]FF[4]P0[x];B[a a])"),
    ("(;P0[x]FF[4", "(;P0[x]FF[4"),
    // With a `;` after its `(`, the second game would make the `]` before it the end of a value of the first.
    ("(;[];)](A[", "(;[];)](A["),
    ("(;C[x];)] (A[y])", "(;C[x];)] (A[y])"),
    ("(;C[x];)] (FF[4]C[y])", "(;C[x];)] (FF[4]C[y])"),
    ("(;C[x];)\n] (FF[4]C[y])", "(;C[x];)\n] (;FF[4]C[y])"),
    ("(;C[x];)](FF[", "(;C[x];)](FF["),
    // After a game that is left, a `)` may be a part of its last value.
    ("(;[];) )\n)(;W[b b])", "(;[];) )\n)(;W[bb])"),
    ("(;C[x];) y (A[y])", "(;C[x];) y (;A[y])"),
    ("](A[y])", "](;A[y])"),
    ("(;C[x]\n(;!FF[4]))", "(;C[x]\n(;!FF[4]))"),
    // With a semicolon it would be the start of a game.
    ("(;C[x]\n(FF[4]))", "(;C[x]\n(FF[4]))"),
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

/// Until brackets like these are read as text, what follows the game stays all the same.
#[test]
fn what_follows_a_stray_bracket_is_not_lost() {
    let input = b"(;FF[4]PB[x]C[ok] ;)];W[pp];B[dd])";
    let (fixed, _) = fix_slice(&Rules::new(), input).unwrap();
    let without = |bytes: &[u8]| bytes.iter().copied().filter(|byte| *byte != b'\\').collect::<Vec<_>>();
    assert_eq!(without(&fixed), input);
    laws(input);
}

#[test]
fn lossy_repairs_name_what_goes() {
    for (input, output, gone) in [
        (
            "mail (me)\n(;B[aa])  text\n more\n",
            "\n(;B[aa])  \n",
            &[("junk-outside-tree", "mail (me)"), ("junk-outside-tree", "text\n more")][..],
        ),
        ("(;B[aa];[a b] ;W[b b])", "(;B[aa]; ;W[bb])", &[("value-without-ident", "[a b]")]),
        ("(;W[bb]c[text]x[y z])", "(;W[bb])", &[("junk-in-tree", "c[text]x[y z]")]),
        ("(;W[bb]c [text", "(;W[bb])", &[("junk-in-tree", "c [text")]),
        (
            "(;KO;B[aa] what is this? ;W[b b])",
            "(;;B[aa]  ;W[bb])",
            &[("property-without-value", "KO"), ("junk-in-tree", "what is this?")],
        ),
        ("(;FF[4]P0[x] [y]C[z])", "(;FF[4]C[z])", &[("digit-in-ident", "P0[x] [y]")]),
        ("(;B[aa];W[", "(;B[aa];)", &[("unterminated-value", "W[")]),
    ] {
        let mut noted = Vec::new();
        let mut fixer = Fixer::new(Rules::new()).lossy(true).on_note(|note| {
            noted.push((note.rule.as_str(), note.shown.escape_ascii().to_string(), note.fate, note.len));
        });
        let (fixed, lost) = fixer.fix_slice(input.as_bytes()).unwrap();
        drop(fixer);
        assert_eq!(String::from_utf8(fixed).unwrap(), output, "{input}");
        let expected: Vec<_> = gone
            .iter()
            .map(|(rule, text)| (*rule, text.as_bytes().escape_ascii().to_string(), Fate::Dropped, text.len() as u64))
            .collect();
        assert_eq!(noted, expected, "{input}");
        assert_eq!(lost.dropped().map(|(_, count)| count).sum::<u64>(), gone.len() as u64);
    }
}

#[test]
fn what_is_left_is_told_with_its_place() {
    let input = b"a mail\n(;B[aa]\n;[x] y [z];W[b b])\n(;B[a a])";
    let mut noted = Vec::new();
    let mut fixer = Fixer::new(Rules::new()).on_note(|note| {
        noted.push((note.fate, note.rule.as_str(), note.position.line, note.position.column));
    });
    let (_, fixed) = fixer.fix_slice(input).unwrap();
    drop(fixer);
    let expected = [
        (Fate::Stays, "junk-outside-tree", 1, 1),
        (Fate::Left, "value-without-ident", 3, 2),
        (Fate::Left, "junk-in-tree", 3, 6),
    ];
    assert_eq!(noted, expected);
    let left: Vec<_> = fixed.left().map(|(rule, count)| (rule.as_str(), count)).collect();
    assert_eq!(left, [("junk-outside-tree", 1), ("junk-in-tree", 1), ("value-without-ident", 2)]);
    assert_eq!((fixed.left_games(), fixed.count()), (1, 1));
}

#[test]
fn a_value_that_is_not_made_up_is_told() {
    let (_, fixed) = fix_slice(&Rules::new(), b"(;B[aa];W[").unwrap();
    let left: Vec<_> = fixed.left().map(|(rule, count)| (rule.as_str(), count)).collect();
    assert_eq!((left, fixed.left_games()), (vec![("unterminated-value", 1)], 1));
}

#[test]
fn changes_are_those_of_the_output() {
    fn law(Input(bytes): Input, is_lossy: bool) {
        let (mut rebuilt, mut at) = (Vec::new(), 0);
        let mut fixer = Fixer::new(Rules::new()).lossy(is_lossy).on_change(|change| {
            rebuilt.extend_from_slice(&bytes[at..change.offset as usize]);
            rebuilt.extend_from_slice(change.after);
            at = change.offset as usize + change.before.len();
            assert_eq!(&bytes[change.offset as usize..at], change.before);
        });
        let Ok((fixed, _)) = fixer.fix_slice(&bytes) else { return };
        drop(fixer);
        rebuilt.extend_from_slice(&bytes[at..]);
        assert_eq!(rebuilt, fixed);
    }
    holds(2_000, law as fn(Input, bool));
}

/// A reader that gives so many bytes at a time.
struct InPieces<'b>(&'b [u8], usize);

impl std::io::Read for InPieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let len = self.1.min(buffer.len());
        self.0.read(&mut buffer[..len])
    }
}

#[test]
fn pieces_do_not_matter() {
    fn law(Input(bytes): Input, is_lossy: bool) {
        let with_bom = [b"\xEF\xBB\xBF", &bytes[..]].concat();
        for bytes in [&bytes, &with_bom] {
            let fixer = || Fixer::new(Rules::new()).lossy(is_lossy);
            let Ok((whole, counts)) = fixer().fix_slice(bytes) else { return };
            for size in [1, 3, 64] {
                let mut out = Vec::new();
                assert_eq!(fixer().fix(InPieces(bytes, size), &mut out).unwrap(), counts);
                assert_eq!(out, whole);
            }
        }
    }
    holds(1_000, law as fn(Input, bool));
}

#[test]
fn every_prefix_of_a_game_is_kept_whole() {
    let game = "(;FF[4]CA[UTF-8]PB[a \\] b]PW [x [y\\]]\n;B[dd](;W[pp]C[text\\\nmore])(;W[]LB[aa:x][bb:y]))".as_bytes();
    let japanese = b"(;FF[4]CA[Shift_JIS]PB[\x83\x5c\x83\x5d]PW[\x83\x5d])";
    for game in [game, &japanese[..]] {
        for len in 2..game.len() {
            laws(&game[..len]);
            laws(&[&game[..len], b"\n(;FF[4]GM[1];B[dd])"].concat());
        }
    }
}

/// Two values without identifiers, one of them a list of points, are all that is left of some nodes.
#[test]
fn a_compressed_list_of_a_real_file_is_not_lost() {
    let mut files = 0;
    for path in shared::files("corpus").iter().filter(|path| path.to_string_lossy().contains("ff4_ex_saved")) {
        let bytes = std::fs::read(path).unwrap();
        let (fixed, counts) = fix_slice(&Rules::new(), &bytes).unwrap();
        let list = b"[dedfdgdo:gqjejfjgkn:lqpn:pq]";
        let has_list = |bytes: &[u8]| bytes.windows(list.len()).any(|window| window == list);
        assert_eq!(has_list(&fixed), has_list(&bytes), "{}", path.display());
        assert!(!has_list(&bytes) || counts.left_games() > 0);
        files += usize::from(has_list(&bytes));
    }
    assert!(files > 0 || shared::path("corpus").is_none());
}

#[test]
fn evidence_of_conflicts_stays() {
    for path in shared::files("samples").iter().filter(|path| path.to_string_lossy().contains("conflict-markers")) {
        let bytes = std::fs::read(path).unwrap();
        let (fixed, _) = fix_slice(&Rules::new(), &bytes).unwrap();
        assert_eq!(content(&fixed), content(&bytes), "{}", path.display());
        let is_marker = |line: &&[u8]| [&b"<<<<<<<"[..], b"=======", b">>>>>>>"].iter().any(|m| line.starts_with(m));
        let markers = |bytes: &[u8]| bytes.split(|byte| *byte == b'\n').filter(is_marker).count();
        assert!(markers(&fixed) == markers(&bytes) && markers(&bytes) >= 3);
    }
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
fn shape(parser: &Parser, bytes: &[u8]) -> String {
    let mut shape = String::new();
    let _ = parser.parse(bytes, |event, _| {
        shape.push(match event {
            Event::StartTree => '(',
            Event::Node => ';',
            Event::EndTree => ')',
            _ => return,
        });
    });
    shape
}

fn counts(parser: &Parser, bytes: &[u8]) -> BTreeMap<Rule, usize> {
    let mut counts = BTreeMap::new();
    let mut checker =
        parser.checker(Rules::new(), |finding: &check::Finding| *counts.entry(finding.rule()).or_default() += 1);
    checker.check(bytes).unwrap();
    drop(checker);
    counts
}

/// What somebody wrote, in order: all but brackets, escapes and white space.
fn content(bytes: &[u8]) -> Vec<u8> {
    let is_content = |byte: &u8| !matches!(byte, b'(' | b')' | b';' | b'[' | b']' | b'\\' | b' ' | 0x09..=0x0D);
    bytes.iter().copied().filter(is_content).collect()
}

fn values(parser: &Parser, bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut values = Vec::new();
    let _ = parser.parse(bytes, |event, _| {
        if let Event::Value(value) = event {
            values.push(content(value.as_bytes()));
        }
    });
    values
}

/// A node: the context in which it stands, and its values by name.
type Node = (Context, BTreeMap<String, Vec<Vec<u8>>>);

fn nodes(parser: &Parser, bytes: &[u8]) -> Vec<Node> {
    let (mut nodes, mut record, mut root) = (Vec::new(), NodeRecord::new(), Context::default());
    let mut reader = parser.slice(bytes);
    while let Ok(true) = reader.read_node(&mut record) {
        let is_root = record.starts_tree() && record.depth() == 1;
        if is_root {
            root = RootFacts::of_root(&record).root_context();
        }
        let mut values = BTreeMap::<_, Vec<_>>::new();
        for property in &record {
            let values = values.entry(property.ident().name().into_owned()).or_default();
            values.extend(property.values().map(|value| value.as_bytes().to_vec()));
        }
        nodes.push((if is_root { root } else { root.after_root() }, values));
    }
    nodes
}

/// Whether a value says nothing that these do not say.
fn is_said(context: &Context, name: &str, value: &[u8], by: &[Vec<u8>]) -> bool {
    let is_blank = value.iter().all(u8::is_ascii_whitespace);
    if is_blank || by.iter().any(|other| other == value) {
        return true;
    }
    let Some(row) = property::lookup(Ident::new(name.as_bytes()), context) else { return false };
    let read = |value: &[u8]| row.parse_lenient(RawValue::new(value), context).ok();
    let Some(meant) = read(value) else { return false };
    let others: Vec<_> = by.iter().filter_map(|other| read(other)).collect();
    if others.contains(&meant) {
        return true;
    }
    let points = |value: &TypedValue| match value {
        TypedValue::Points(AnyRect::Go(rect)) => rect.points().collect(),
        _ => Vec::new(),
    };
    let said: Vec<_> = others.iter().flat_map(points).collect();
    let wanted = points(&meant);
    !wanted.is_empty() && wanted.iter().all(|point| said.contains(point))
}

/// What holds of any repair.
fn laws(bytes: &[u8]) {
    laws_of(&Parser::new(), bytes);
}

fn laws_of(parser: &Parser, bytes: &[u8]) {
    let rules = Rules::new();
    let fix_slice = |rules: &Rules, bytes: &[u8]| parser.fixer(rules.clone()).fix_slice(bytes);
    let Ok((fixed, repairs)) = fix_slice(&rules, bytes) else { return };
    let shown = || format!("{}\nbecame\n{}", bytes.escape_ascii(), fixed.escape_ascii());
    assert_eq!(repairs.has_changed(), fixed != bytes, "{}", shown());
    let (again, nothing) = fix_slice(&rules, &fixed).unwrap();
    assert!(again == fixed, "a second time: {}\n{}", shown(), again.escape_ascii());
    assert_eq!((nothing.count(), nothing.has_changed()), (0, false), "{}", shown());
    assert_eq!(
        (nothing.left_games(), nothing.left().collect::<Vec<_>>()),
        (repairs.left_games(), repairs.left().collect())
    );
    assert_eq!(shape(parser, &fixed), shape(parser, bytes), "{}", shown());

    // Syntax alone: all content is there, byte for byte, and every value, with those that were cut off.
    let (syntax, _) = fix_slice(&Rules::none(), bytes).unwrap();
    assert!(content(&syntax) == content(bytes), "{}\nbecame\n{}", bytes.escape_ascii(), syntax.escape_ascii());
    let (before, after) = (values(parser, bytes), values(parser, &syntax));
    let mut left = after.iter();
    assert!(before.iter().all(|value| left.any(|other| other == value)), "{}", shown());
    // The rest: each node says what it said.
    let mends_ca = repairs.repairs().any(|(rule, _)| rule == Rule::Syntax(Code::CharsetMismatch));
    let (before, after) = (nodes(parser, &syntax), nodes(parser, &fixed));
    assert_eq!(before.len(), after.len());
    for ((context, node), (_, other)) in before.iter().zip(&after) {
        for (name, values) in node {
            let by = other.get(name).map_or(&[][..], Vec::as_slice);
            for value in values {
                let is_mended = name == "CA" && mends_ca && by.iter().any(|value| value == b"UTF-8");
                assert!(
                    is_mended || is_said(context, name, value, by),
                    "{name}[{}]: {}",
                    value.escape_ascii(),
                    shown()
                );
            }
        }
    }

    // Nothing new is wrong; in values that were cut off there may be what nobody could see.
    let (before, bare, after) = (counts(parser, bytes), counts(parser, &syntax), counts(parser, &fixed));
    for (rule, count) in after {
        let is_of_parser = match rule {
            Rule::Syntax(Code::ExtraValues | Code::LowercaseInIdent) => false,
            Rule::Syntax(Code::BadBytes | Code::UnknownCharset | Code::CharsetMismatch) => false,
            rule => matches!(rule, Rule::Syntax(_)),
        };
        let before = if is_of_parser { &before } else { &bare };
        assert!(before.get(&rule).is_some_and(|&before| count <= before), "{rule} is new: {}", shown());
    }
    // A `)` in a text is no more than text.
    if repairs.left().len() == 0 {
        assert_eq!(parser.checker(Rules::new(), |_: &_| {}).check(&fixed[..]).unwrap().fixable, 0, "{}", shown());
    }

    // Lossy: no game is left, and what goes is named.
    let mut gone = 0;
    let mut fixer = parser.fixer(rules.clone()).lossy(true).on_note(|note| {
        assert!(note.fate != Fate::Stays, "{note:?}");
        if note.fate == Fate::Dropped {
            gone += note.len;
        }
    });
    let (lossy, lost) = fixer.fix_slice(bytes).unwrap();
    drop(fixer);
    assert!(gone as usize + content(&lossy).len() >= content(&syntax).len() || lost.count() > 0, "{}", shown());
    assert_eq!(lost.left().len() == 0, lost.left_games() == 0);
    // Trees and nodes stay, and values go or stay as a whole.
    assert_eq!(shape(parser, &lossy), shape(parser, bytes), "lossy: {}\n{}", shown(), lossy.escape_ascii());
    let (bare, _) = parser.fixer(Rules::none()).lossy(true).fix_slice(bytes).unwrap();
    let mut all = values(parser, bytes);
    all.extend(values(parser, &syntax));
    let (bare, all) = (values(parser, &bare), all);
    let is_cut = |value: &Vec<u8>| content(bytes).windows(value.len().max(1)).any(|part| part == &value[..]);
    assert!(
        bare.iter().all(|value| value.is_empty() || all.contains(value) || is_cut(value)),
        "lossy: {}\n{}",
        shown(),
        lossy.escape_ascii()
    );
    let (again, nothing) = parser.fixer(rules.clone()).lossy(true).fix_slice(&lossy).unwrap();
    assert!(
        again == lossy && !nothing.has_changed(),
        "lossy, a second time: {}\n{}",
        lossy.escape_ascii(),
        again.escape_ascii()
    );
}

#[test]
fn a_repair_is_done_once_and_brings_no_new_faults() {
    fn law(Input(bytes): Input) {
        laws(&bytes);
    }
    laws(b"(;)](FF["); // found by the law
    holds(3_000, law as fn(Input));
}

/// Where games, values and characters begin and end, hangs on what a repair takes out.
#[test]
fn what_a_repair_joins_or_parts_is_read_as_before() {
    const PIECES: &[&[u8]] = &[
        b"]",
        b"]",
        b"\\",
        b"[",
        b"[",
        b"(",
        b"(;",
        b";",
        b")",
        b" ",
        b"\n",
        b"x",
        b"(;GM[1]",
        b"(;FF[4]CA[Big5]PB[",
        b"CA[Shift_JIS]",
        b"CA[GBK]",
        b"CA[UTF-8]",
        b"\x83",
        b"\x83\x5C",
        b"\x83]",
        b"\xA4\x5B",
        b"\xE9",
        "ソ".as_bytes(),
        b"C[",
        b"C[x]",
        b"C[x\\]]",
        b"B[dd]",
        b"B[d d]",
        b"[dd]",
        b"SZ[9]",
        b"SZ[9:9]",
        b"PL[]",
        b"[]",
        b"AB[aa]",
        b"AB[aa][aa]",
        b"KM[6.]",
        b"Black[aa]",
        b"w[x]",
        b"P0[x]",
        b"KO",
        b"FF[4]",
    ];
    fn law(picks: Vec<u8>) {
        let text: Vec<u8> = picks.iter().flat_map(|pick| PIECES[usize::from(*pick) % PIECES.len()]).copied().collect();
        let game = [b"(;", &text[..]].concat();
        laws(&game);
        laws(&[&game[..], b")"].concat());
        #[cfg(feature = "charset")]
        {
            use sgf_stream::charset::{Charset, Decoding};

            laws_of(&Parser::new().charset(Decoding::new().force(Charset::SHIFT_JIS)), &game);
            laws_of(&Parser::new().charset(Decoding::new().default_charset(Charset::BIG5)), &game);
        }
    }
    holds(1_000, law as fn(Vec<u8>));
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
        "B[dd]",
        "[dd]",
        "SZ[9]",
        "[9]",
        "[x]",
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
    let (mut files, mut changed, mut games, mut left) = (0, 0, 0, BTreeMap::new());
    for path in shared::files("corpus").into_iter().chain(shared::files("samples")) {
        let bytes = std::fs::read(&path).unwrap();
        laws(&bytes);
        let Ok((fixed, repairs)) = fix_slice(&Rules::new(), &bytes) else { continue };
        assert_eq!(fixed != bytes, repairs.count() > 0, "{}", path.display());
        for (rule, count) in repairs.left() {
            *left.entry(rule).or_insert(0) += count;
        }
        games += repairs.left_games();
        files += 1;
        changed += usize::from(fixed != bytes);
    }
    eprintln!("{changed} of {files} files repaired, {games} games left: {left:?}");
}

#[cfg(feature = "charset")]
fn fix(decoding: sgf_stream::charset::Decoding, input: &[u8]) -> (Vec<u8>, check::Fixed) {
    Parser::new().charset(decoding).fixer(Rules::new()).fix_slice(input).unwrap()
}

/// The second byte of `ソ` is a backslash, and hides no bracket.
#[test]
#[cfg(feature = "charset")]
fn the_charset_of_the_parser_tells_values_apart() {
    use sgf_stream::charset::{Charset, Decoding};

    let text = Charset::SHIFT_JIS.encoding().unwrap().encode("ソの予定表は能力のある棋士の対局ですソ").0;
    let detected = |tail: &str| [b"mail\n(;PB[", &text[..], b"]BR[9d]", tail.as_bytes()].concat();
    for (decoding, input, output) in [
        (
            Decoding::new().force(Charset::SHIFT_JIS),
            b"(;PB[\x83\x5C]BR[9d]SZ[9:9]".to_vec(),
            b"(;PB[\x83\x5C]BR[9d]SZ[9])".to_vec(),
        ),
        (
            Decoding::new().default_charset(Charset::SHIFT_JIS),
            b"(;PB[\x83\x5C]BR[9d];B[d d])(;CA[latin1]C[\x83\x5C]]SZ[9:9]".to_vec(),
            b"(;PB[\x83\x5C]BR[9d];B[dd])(;CA[latin1]C[\x83\x5C]]SZ[9])".to_vec(),
        ),
        (Decoding::new(), detected(";B[d d]"), detected(";B[dd])")),
        (Decoding::new(), detected(";B[d d])(;B[d d]"), detected(";B[dd])(;B[dd])")),
    ] {
        let (fixed, _) = fix(decoding, &input);
        assert_eq!(fixed.escape_ascii().to_string(), output.escape_ascii().to_string());
        // A byte at a time, and by the syntax alone.
        let mut out = Vec::new();
        Parser::new().charset(decoding).fixer(Rules::new()).fix(InPieces(&input, 1), &mut out).unwrap();
        assert_eq!(out, fixed);
        let parser = Parser::new().charset(decoding);
        let (syntax, _) = parser.fixer(Rules::none()).fix_slice(&input).unwrap();
        for size in [1, 7, input.len()] {
            let (mut rewriter, mut push, mut done) = (parser.rewriter(Vec::new()), parser.push(), Ok(()));
            for piece in input.chunks(size) {
                rewriter.read(piece);
                push.feed(piece, |event, at| done = rewriter.event(event, at)).unwrap();
            }
            push.finish(|event, at| done = rewriter.event(event, at)).unwrap();
            done.unwrap();
            assert_eq!(rewriter.finish().unwrap(), syntax, "in pieces of {size}");
        }
    }
}

#[test]
#[cfg(feature = "charset")]
fn bad_bytes_stay() {
    use sgf_stream::charset::Decoding;

    for (input, output) in [
        (&b"(;CA[UTF-8]PB[\xE9]C[\xC3\xA9];B[d d])"[..], &b"(;CA[UTF-8]PB[\xE9]C[\xC3\xA9];B[dd])"[..]),
        (b"(;CA[GBK]PB[\xFF\xFF]x;B[dd])(;B[d d])", b"(;CA[GBK]PB[\xFF\xFF]x;B[dd])(;B[dd])"),
        (b"(;CA[ISO-2022-JP]PB[\x1B$B\xFF])", b"(;CA[ISO-2022-JP]PB[\x1B$B\xFF])"),
    ] {
        let fix = |is_lossy| {
            let mut fixer = Parser::new().charset(Decoding::new()).fixer(Rules::new()).lossy(is_lossy);
            fixer.fix_slice(input).unwrap().0
        };
        assert_eq!(fix(false).escape_ascii().to_string(), output.escape_ascii().to_string());
        let without_junk: Vec<u8> = output.iter().copied().filter(|byte| *byte != b'x').collect();
        assert_eq!(fix(true).escape_ascii().to_string(), without_junk.escape_ascii().to_string());
    }
}

#[test]
#[cfg(feature = "charset")]
fn a_ca_that_is_not_true_is_mended_where_all_texts_are_utf_8() {
    use sgf_stream::charset::Decoding;

    let long = format!("(;CA[GB2312]PB[围棋]{};C[ascii]C[棋谱])", ";B[aa];W[bb]\n".repeat(20_000));
    let mended = long.replace("GB2312", "UTF-8");
    for (input, expected) in [
        ("(;CA[ISO-2022-KR]PB[구리];C[x](;C[바둑])(;C[]))", Some("(;CA[UTF-8]PB[구리];C[x](;C[바둑])(;C[]))")),
        ("(;PB[구리]CA[latin1];C[x])\n", Some("(;PB[구리]CA[UTF-8];C[x])\n")),
        ("(;CA[foo]C[é])", Some("(;CA[UTF-8]C[é])")),
        // Each game for itself.
        ("(;CA[GBK]C[x])(;CA[GBK]C[围])(;CA[GBK]C[y])", Some("(;CA[GBK]C[x])(;CA[UTF-8]C[围])(;CA[GBK]C[y])")),
        ("(;CA[ISO-2022-KR]PB[구리]\n(;CA[GBK]C[x])", Some("(;CA[UTF-8]PB[구리])\n(;CA[GBK]C[x])")),
        (&long, Some(&mended)),
        // Private properties have texts too.
        ("(;CA[latin1]PB[é]XX[\u{E9}])", Some("(;CA[UTF-8]PB[é]XX[é])")),
        // It is true, or nobody knows.
        ("(;CA[UTF-8]C[é])", None),
        ("(;C[é])", None),
        ("(;CA[GBK]C[x])", None),
    ] {
        let (fixed, _) = fix(Decoding::new(), input.as_bytes());
        assert!(fixed == expected.unwrap_or(input).as_bytes(), "{input:.80}: {:.80}", fixed.escape_ascii().to_string());
        let (unread, _) = fix_slice(&Rules::new(), input.as_bytes()).unwrap();
        assert!(!input.ends_with("é])") || unread == input.as_bytes(), "nobody has asked: {input:.80}");
    }
    // Some text is in the charset after all.
    for input in [
        &b"(;CA[latin1]PB[\xC3\xA9];C[\xE9])"[..],
        b"(;CA[latin1]XX[\xE9];C[\xC3\xA9])",
        b"(;CA[ISO-2022-KR]PB[\x1B$)C\x0E9Y\x0F]PW[\xC3\xA9])",
        b"(;CA[GBK]PB[\xCA\xB1\xD4\xBD]PW[\xE5\x9B\xB4])",
    ] {
        let (fixed, _) = fix(Decoding::new(), input);
        assert_eq!(fixed, input, "{}", input.escape_ascii());
        let mut told = Vec::new();
        let mut checker = Parser::new().charset(Decoding::new()).checker(Rules::new(), |finding| {
            if finding.rule() == Rule::Syntax(Code::CharsetMismatch) {
                told.push((finding.is_fixable(), finding.offset()));
            }
        });
        checker.check(input).unwrap();
        drop(checker);
        assert_eq!(told, [(false, 4)], "{}", input.escape_ascii());
    }
    let (fixed, _) = fix(Decoding::new().trust_ca(true), "(;CA[latin1]C[é])".as_bytes());
    assert_eq!(fixed, "(;CA[latin1]C[é])".as_bytes());
}
