//! The laws of repairs: a repair is complete after one run, adds no diagnostics and loses nothing. The last test
//! reads `../shared/corpus`, if it exists.

use std::collections::BTreeMap;

use sgf_check::{Checker, NoteKind, Rewriter, Rewritten, Rule, Rules, fix_slice};
use sgf_stream::node::RootFacts;
use sgf_stream::property::{self, Context, TypedValue};
use sgf_stream::value::{AnyRect, Handicap, Komi, Overtime, Ruleset, Seconds};
use sgf_stream::{Code, Event, Ident, NodeRecord, OwnedEvent, Parser, RawValue};

use crate::check::TakeDiagnostic;
use crate::support::generate::Input;
use crate::support::{EachEvent, holds, shared};

fn events(parser: &Parser, bytes: &[u8]) -> Vec<OwnedEvent> {
    let mut events = Vec::new();
    let _ = parser.each_event(bytes, |event, _| events.push(event.to_owned()));
    events
}

/// The trees, without values.
fn shape(parser: &Parser, bytes: &[u8]) -> String {
    let letter = |event| match event {
        OwnedEvent::StartTree => Some('('),
        OwnedEvent::Node => Some(';'),
        OwnedEvent::EndTree => Some(')'),
        _ => None,
    };
    events(parser, bytes).into_iter().filter_map(letter).collect()
}

/// The charset that is detected in a stream, if that is asked for.
#[cfg(feature = "charset")]
fn detected(parser: &Parser, bytes: &[u8]) -> Option<String> {
    let mut push = parser.push();
    let _ = push.feed(bytes, |_, _| ());
    let _ = push.finish(|_, _| ());
    push.detected_charset().map(|charset| charset.to_string())
}

#[cfg(not(feature = "charset"))]
fn detected(_: &Parser, _: &[u8]) -> Option<String> {
    None
}

fn counts(parser: &Parser, bytes: &[u8]) -> BTreeMap<Rule, usize> {
    let mut counts = BTreeMap::new();
    let take: TakeDiagnostic<'_> = &mut |finding| *counts.entry(finding.rule()).or_default() += 1;
    Checker::with_parser(parser, Rules::new(), take).check(bytes).unwrap();
    counts
}

/// The content in order: all bytes but brackets, escapes and white space.
pub(super) fn content(bytes: &[u8]) -> Vec<u8> {
    let is_content = |byte: &u8| !matches!(byte, b'(' | b')' | b';' | b'[' | b']' | b'\\' | b' ' | 0x09..=0x0D);
    bytes.iter().copied().filter(is_content).collect()
}

fn values(parser: &Parser, bytes: &[u8]) -> Vec<Vec<u8>> {
    let value = |event: OwnedEvent| match event.borrow() {
        Event::Value(value) => Some(content(value.as_bytes())),
        _ => None,
    };
    events(parser, bytes).into_iter().filter_map(value).collect()
}

/// A node: its context, and its values under their names.
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
    // White space of SGF: Rust's has no vertical tab.
    let is_blank = value.iter().all(|byte| byte.is_ascii_whitespace() || *byte == 0x0B);
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

/// Whether a node says in other properties what a value says beside its type: the komi in HA, the overtime in TM; or a komi in
/// points that was in hundredths.
fn is_told(name: &str, value: &[u8], by: &BTreeMap<String, Vec<Vec<u8>>>) -> bool {
    let all = |name: &str| by.get(name).into_iter().flatten();
    let rules = all("RU").next().and_then(|raw| Ruleset::parse_lenient(raw).ok());
    let points = |komi: Komi| rules.as_ref().map_or(komi.points(), |rules| komi.points_under(rules));
    let has_komi = |wanted: f64| all("KM").any(|raw| Komi::parse_lenient(raw).ok().and_then(points) == Some(wanted));
    match name {
        "HA" => Handicap::parse_lenient(value).is_ok_and(|read| {
            let has_stones = all("HA").any(|raw| Handicap::parse(raw) == Ok(Handicap::new(read.stones())));
            has_stones && read.komi().is_some_and(|komi| has_komi(komi.get()))
        }),
        "TM" => Seconds::with_overtime(value).is_ok_and(|(seconds, overtime)| {
            let has_time = all("TM").any(|raw| Seconds::parse(raw) == Ok(seconds));
            has_time && overtime.is_some_and(|read| all("OT").any(|raw| Overtime::parse(raw).as_ref() == Ok(&read)))
        }),
        "KM" => Komi::parse_lenient(value).ok().and_then(points).is_some_and(has_komi),
        _ => false,
    }
}

/// The laws of repairs, for any bytes.
pub(super) fn laws(bytes: &[u8]) {
    laws_of(&Parser::new(), bytes, false);
}

/// `detects`: the parser detects a charset, by bytes that are not ASCII.
fn laws_of(parser: &Parser, bytes: &[u8], detects: bool) {
    let rules = Rules::new();
    let fix_slice = |rules: &Rules, bytes: &[u8]| Rewriter::with_rules(parser, rules.clone()).rewrite_slice(bytes);
    let (fixed, repairs) = fix_slice(&rules, bytes);
    let shown = || format!("{}\nbecame\n{}", bytes.escape_ascii(), fixed.escape_ascii());
    assert_eq!(repairs.has_changed(), fixed != bytes, "{}", shown());
    let (again, nothing) = fix_slice(&rules, &fixed);
    assert!(again == fixed, "a second time: {}\n{}", shown(), again.escape_ascii());
    assert_eq!((nothing.count(), nothing.has_changed()), (0, false), "{}", shown());
    assert_eq!(nothing.left().collect::<Vec<_>>(), repairs.left().collect::<Vec<_>>(), "{}", shown());
    assert_eq!(nothing.has_errors(), repairs.has_errors(), "{}", shown());
    assert_eq!(shape(parser, &fixed), shape(parser, bytes), "{}", shown());
    if repairs.left().any(|(code, _)| code == "charset") {
        // Repaired, it would be read in another charset.
        assert!(detects && fixed == bytes && bytes.len() < 1 << 16, "{}", shown());
        return;
    }

    // Repairs of syntax only: all content is preserved, byte for byte, and every value, including truncated ones.
    let (syntax, of_syntax) = fix_slice(&Rules::none(), bytes);
    assert!(content(bytes) == content(&syntax), "{}\nbecame\n{}", bytes.escape_ascii(), syntax.escape_ascii());
    let (before, after) = (values(parser, bytes), values(parser, &syntax));
    let mut left = after.iter();
    assert!(before.iter().all(|value| left.any(|other| other == value)), "{}", shown());
    // The rest: each node says what it said.
    let mends_ca = repairs.repairs().any(|(code, _)| code == Code::CharsetMismatch.as_str());
    let (before, after) = (nodes(parser, &syntax), nodes(parser, &fixed));
    assert_eq!(before.len(), after.len());
    // A repair of the root may be what leaves the charset as it is detected.
    let stays = |done: &Rewritten| done.left().any(|(code, _)| code == "charset");
    let is_same_charset = stays(&of_syntax) == stays(&repairs);
    for ((context, node), (_, other)) in before.iter().zip(&after).filter(|_| is_same_charset) {
        for (name, values) in node {
            let by = other.get(name).map_or(&[][..], Vec::as_slice);
            for value in values {
                let is_mended = name == "CA" && mends_ca && by.iter().any(|value| value == b"UTF-8");
                assert!(
                    is_mended || is_said(context, name, value, by) || is_told(name, value, other),
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
        // The start and end of text that is not SGF may change with the brackets around it.
        let is_in_text = |(code, _): (&str, u64)| code == Code::ValueWithoutIdent.as_str();
        if rule == Rule::Syntax(Code::UnescapedBracket) && repairs.left().any(is_in_text) {
            continue;
        }
        // A value that was cut off is one more.
        let closed = [Code::UnterminatedValue, Code::MissingCloseBracket].map(Code::as_str);
        let is_closed = |(code, _): (&str, u64)| closed.contains(&code);
        let is_surplus = matches!(rule, Rule::Syntax(Code::ExtraValues) | Rule::SecondApplication);
        if is_surplus && repairs.repairs().any(is_closed) {
            continue;
        }
        let before = if is_of_parser { &before } else { &bare };
        assert!(before.get(&rule).is_some_and(|&before| count <= before), "{rule} is new: {}", shown());
    }
    // A `)` in a text is no more than text. What would change the charset that is detected stays.
    if repairs.left().count() == 0 && !detects {
        let take: TakeDiagnostic<'_> = &mut |_| {};
        assert_eq!(
            Checker::with_parser(parser, Rules::new(), take).check(&fixed[..]).unwrap().fixable,
            0,
            "{}",
            shown()
        );
    }

    // Lossy: what goes is named.
    let (lossy, lost) = Rewriter::with_rules(parser, rules.clone()).lossy(true).rewrite_slice(bytes);
    let dropped = lost.notes().iter().filter(|note| note.kind == NoteKind::Dropped);
    let gone: u64 = dropped.map(|note| note.range.end - note.range.start).sum();
    if detected(parser, &lossy) != detected(parser, bytes) {
        return; // a text that went had told the charset
    }
    assert!(gone as usize + content(&lossy).len() >= content(&syntax).len() || lost.count() > 0, "{}", shown());
    // Trees and nodes stay, and values go or stay as a whole.
    assert_eq!(shape(parser, &lossy), shape(parser, bytes), "lossy: {}\n{}", shown(), lossy.escape_ascii());
    let (bare, _) = Rewriter::with_rules(parser, Rules::none()).lossy(true).rewrite_slice(bytes);
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
    if detects {
        return; // where a text goes, detection looks at other games, which a second repair leaves alone or not
    }
    let (again, nothing) = Rewriter::with_rules(parser, rules.clone()).lossy(true).rewrite_slice(&lossy);
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

            laws_of(&Parser::new().charset(Decoding::new().force(Charset::SHIFT_JIS)), &game, false);
            laws_of(&Parser::new().charset(Decoding::new().default_charset(Charset::BIG5)), &game, false);
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

/// Streams whose charset is detected, by texts of which some bytes look like brackets and backslashes. A bracket that is
/// added or left out moves the end of what detection looks at.
#[cfg(feature = "charset")]
#[test]
fn a_repair_does_not_change_the_charset_that_is_detected() {
    use sgf_stream::charset::{Charset, Decoding};

    const PIECES: &[&str] = &[
        "C[\u{30BE}\u{30A6}\u{306E}\u{8A71}\u{3092}\u{3057}\u{307E}\u{3057}\u{3087}\u{3046}]",
        "C[\u{3053}\u{308C}\u{306F}\u{65E5}\u{672C}\u{8A9E}\u{30BD}]",
        "PB[\u{30BD}\u{8868}]",
        "C[\u{4E88}\u{5B9A}\u{8868}\u{306F}\u{80FD}\u{529B}",
        "C[caf\u{E9}]",
        "C[abc]",
        ";B[aa]",
        ";W[b b]",
        "SZ[9:9]",
        "(;FF[4]",
        "(;GM[1]",
        "(;",
        "(",
        ")",
        ")",
        "\n",
        "foo ",
        "CA[Shift_JIS]",
    ];
    fn law(picks: Vec<u8>) {
        let text: String = picks.iter().map(|pick| PIECES[usize::from(*pick) % PIECES.len()]).collect();
        let text = format!("(;{text}");
        for charset in [Charset::SHIFT_JIS, Charset::GBK, Charset::BIG5, Charset::UTF_8] {
            let parser = Parser::new().charset(Decoding::new());
            let bytes = charset.encoding().unwrap().encode(&text).0;
            laws_of(&parser, &bytes, !bytes.is_ascii());
        }
    }
    law((0..18).collect());
    // Without a `)`, detection looks at both games; with it, at one that is all ASCII.
    law(vec![10, 8, 6, 15, 9, 1, 0, 13, 6, 13, 15]);
    holds(2_000, law as fn(Vec<u8>));
}

#[test]
fn real_files_are_repaired_once() {
    let (mut files, mut changed, mut left) = (0, 0, BTreeMap::new());
    for path in shared::files("corpus").into_iter().chain(shared::files("samples")) {
        let bytes = std::fs::read(&path).unwrap();
        laws(&bytes);
        let (fixed, repairs) = fix_slice(&Rules::new(), &bytes);
        assert_eq!(fixed != bytes, repairs.count() > 0, "{}", path.display());
        for (rule, count) in repairs.left() {
            *left.entry(rule).or_insert(0) += count;
        }
        files += 1;
        changed += usize::from(fixed != bytes);
    }
    eprintln!("{changed} of {files} files repaired, left: {left:?}");
}
