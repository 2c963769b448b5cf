//! The writer: tables, law L4, and events in any order. The last goes through `../shared/corpus`,
//! where it is there.

mod support;

use std::{fmt, fs};

use quickcheck::{Arbitrary, Gen, TestResult};

use sgf_stream::write::{WriteError, Writer};
use sgf_stream::{Event, Ident, OwnedEvent, Parser, PartEnd, RawValue, ValuePart};
use support::generate::Input;
use support::shared::corpus;
use support::{Given, Rules, every_front_end, holds, written};

/// What the exact style makes of an input, read leniently.
fn exact(input: &[u8]) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new());
    Parser::new().parse(input, |event, _| writer.write(event).unwrap()).unwrap();
    writer.finish().unwrap()
}

/// What the canonical style makes of an input, read leniently; and that it leaves its own output alone.
fn canonical(input: &[u8]) -> Vec<u8> {
    let write = |input: &[u8], parser: Parser| {
        let mut writer = Writer::canonical(Vec::new());
        parser.parse(input, |event, _| writer.write(event).unwrap()).unwrap();
        writer.finish().unwrap()
    };
    let output = write(input, Parser::new());
    assert_eq!(shown(&write(&output, Parser::strict())), shown(&output), "{}", shown(input));
    output
}

fn shown(bytes: &[u8]) -> String {
    bytes.escape_ascii().to_string()
}

#[test]
fn exact_style_keeps_identifiers_and_values() {
    for (input, output) in [
        (
            &b"(;FF[4]C[a\\]b\\\\];B[dd] W [ee]\n[ff](;B[] )\n( ;B[aa]))"[..],
            &b"(;FF[4]C[a\\]b\\\\];B[dd]W[ee][ff](;B[])(;B[aa]))\n"[..],
        ),
        (b"(;CoPyright[x]P0[id]QQQ[\\x\\\n])(;)", b"(;CoPyright[x]P0[id]QQQ[\\x\\\n])\n(;)\n"),
        (b"(;C[a]C[b])", b"(;C[a]C[b])\n"),
        // What was repaired.
        (b"(;PB[Foo [3d]]PW[x])", b"(;PB[Foo [3d\\]]PW[x])\n"),
        (b"mail (;B[aa](;W[bb]);W[cc]", b"(;B[aa](;W[bb])(;W[cc]))\n"),
        // Second bytes of characters are no brackets, where the charset is known.
        (b"(;CA[Shift_JIS]PB[\x83\\]PW[\x83]])", b"(;CA[Shift_JIS]PB[\x83\\]PW[\x83]])\n"),
        (b"(;PB[\x83\\]]CA[Shift_JIS])", b"(;PB[\x83\\]]CA[Shift_JIS])\n"),
        (b"(;CA[UTF-8]PB[\x83\\]])", b"(;CA[UTF-8]PB[\x83\\]])\n"),
        (b"(;C[a];CA[GBK]C[\x83\\]])", b"(;C[a];CA[GBK]C[\x83\\]])\n"),
        (b"(;CA[x]CA[GBK]C[\x83\\]])", b"(;CA[x]CA[GBK]C[\x83\\]])\n"),
        (b"(;CA[GBK])(;C[\x83\\]])", b"(;CA[GBK])\n(;C[\x83\\]])\n"),
        // A character that was cut.
        (b"(;CA[GBK]C[\x83];AB[aa])", b"(;CA[GBK]C[\x83 ];AB[aa])\n"),
    ] {
        assert_eq!(shown(&exact(input)), shown(output), "{}", shown(input));
    }
}

#[test]
fn a_value_ends_at_its_end() {
    for (charset, raw, written) in [
        ("", &b"]"[..], &b"\\]"[..]),
        ("", b"\\", b"\\\\"),
        ("", b"a\\\\\\", b"a\\\\\\\\"),
        ("", b"[]]\\]\\", b"[\\]\\]\\]\\\\"),
        ("", b"", b""),
        ("GBK", b"\x83]", b"\x83]"),
        ("GBK", b"\x83\\", b"\x83\\"),
        ("GBK", b"\x83\\]", b"\x83\\\\]"),
        ("GBK", b"\x83\\\\", b"\x83\\\\\\"),
        ("GBK", b"\x83", b"\x83 "),
        ("GBK", b"\\\x83", b"\\\x83 "),
        ("GBK", "棋]".as_bytes(), "棋\\]".as_bytes()),
        ("GBK", "棋".as_bytes(), "棋".as_bytes()),
    ] {
        let mut writer = Writer::new(Vec::new());
        writer.start_tree().unwrap().node().unwrap();
        writer.property("CA").unwrap().value(charset).unwrap();
        writer.property("C").unwrap().value(raw).unwrap().end_tree().unwrap();
        let output = writer.finish().unwrap();
        let expected = [b"(;CA[", charset.as_bytes(), b"]C[", written, b"])\n"].concat();
        assert_eq!(shown(&output), shown(&expected));
        Parser::strict().parse(&output, |_, _| {}).unwrap();

        // In parts, wherever they end.
        for first in 0..=raw.len() {
            let mut writer = Writer::new(Vec::new());
            writer.start_tree().unwrap().node().unwrap().property("CA").unwrap();
            for (n, byte) in charset.bytes().enumerate() {
                let end = if n + 1 == charset.len() { PartEnd::Complete } else { PartEnd::More };
                writer.write(Event::ValuePart(ValuePart { bytes: &[byte], end })).unwrap();
            }
            if charset.is_empty() {
                writer.value("").unwrap();
            }
            writer.property("C").unwrap();
            let (front, back) = raw.split_at(first);
            writer.write(Event::ValuePart(ValuePart { bytes: front, end: PartEnd::More })).unwrap();
            writer.write(Event::ValuePart(ValuePart { bytes: b"", end: PartEnd::More })).unwrap();
            writer.write(Event::ValuePart(ValuePart { bytes: back, end: PartEnd::Cut })).unwrap();
            writer.end_tree().unwrap();
            assert_eq!(shown(&writer.finish().unwrap()), shown(&expected));
        }
    }
}

/// The padding of a variation that would be the head of a game.
fn padded(text: &str) -> Vec<u8> {
    text.replace("PAD", &format!("{}\n", " ".repeat(63)).repeat(8)).into_bytes()
}

#[test]
fn nothing_becomes_the_head_of_a_game() {
    for (input, exact_output, canonical_output) in [
        // A text, escaped or not in the input, and one that is none.
        ("(;C[see (;GM\\[1])", "(;C[see (;GM\\[1])", "(;FF[4]C[see (;GM\\[1])"),
        ("(;C[see (;FF[4\\]])", "(;C[see (;FF[4\\]])", "(;FF[4]C[see (;FF[4\\]])"),
        ("(;C[(;EV\\[x\\];];B[dd])", "(;C[(;EV\\[x\\];];B[dd])", "(;FF[4]C[(;EV\\[x\\];]\n;B[dd])"),
        // A variation, where something that does not go out kept it from being a head.
        ("(;B[dd](;x GM[1]))", "(;B[dd](PAD;GM[1]))", "(;FF[4]B[dd](PAD;GM[1]))"),
        ("(;B[dd](GM[1]))", "(;B[dd](PAD;GM[1]))", "(;FF[4]B[dd](PAD;GM[1]))"),
        ("(;B[dd](;W[pp]);GM[1])", "(;B[dd](;W[pp])(PAD;GM[1]))", "(;FF[4]B[dd]\n(;W[pp])(PAD;GM[1]))"),
        ("(;B[dd](N[x]TE[1](;W[pp])))", "(;B[dd](PAD;N[x]TE[1](;W[pp])))", "(;FF[4]B[dd](PAD;N[x]TE[1](;W[pp])))"),
        ("(;B[dd](N[x]TE[1];W[pp]))", "(;B[dd](PAD;N[x]TE[1];W[pp]))", "(;FF[4]B[dd](PAD;N[x]TE[1];W[pp]))"),
        // Others are as they are.
        ("(;B[dd](N[x](;TE[1])))", "(;B[dd](;N[x](;TE[1])))", "(;FF[4]B[dd](;N[x](;TE[1])))"),
        ("(;B[dd](N[x]W[pp]TE[1]))", "(;B[dd](;N[x]W[pp]TE[1]))", "(;FF[4]B[dd](;N[x]W[pp]TE[1]))"),
        ("(;B[dd](;GM[\\1]))", "(;B[dd](;GM[\\1]))", "(;FF[4]B[dd](;GM[\\1]))"),
    ] {
        let (exact_output, canonical_output) = (padded(&format!("{exact_output}\n")), padded(canonical_output));
        assert_eq!(shown(&exact(input.as_bytes())), shown(&exact_output), "{input}");
        let mut canonical = canonical(input.as_bytes());
        canonical.retain(|byte| *byte != b'\n');
        let expected: Vec<u8> = canonical_output.into_iter().filter(|byte| *byte != b'\n').collect();
        assert_eq!(shown(&canonical), shown(&expected), "{input}");
        for output in [exact(input.as_bytes()), canonical] {
            let lenient = every_front_end(&output, &Parser::new());
            assert_eq!(lenient, every_front_end(&output, &Parser::strict()), "{}", shown(&output));
        }
    }
}

#[test]
fn a_bare_text_does_not_become_the_head_of_a_game() {
    let long = |len: usize| format!("(;PB[{}", "x".repeat(len));
    for (text, written) in [
        ("see (;GM[1".to_owned(), "see (;GM\\[1".to_owned()),
        ("(;FF[(;GM[".to_owned(), "(;FF[(;GM\\[".to_owned()),
        ("(;PB[(;GM[".to_owned(), "(;PB\\[(;GM\\[".to_owned()),
        (long(400), long(400).replace('[', "\\[")),
        (long(600), long(600)),
    ] {
        for write in [Writer::new, Writer::canonical] {
            let mut writer = write(Vec::new());
            writer.start_tree().unwrap().node().unwrap().property("FF").unwrap().value("4").unwrap();
            writer.property("C").unwrap().value(&text).unwrap();
            for ident in ["GN", "PB"] {
                writer.property(ident).unwrap().value("x").unwrap();
            }
            writer.node().unwrap().end_tree().unwrap();
            let output = writer.finish().unwrap();
            let lenient = every_front_end(&output, &Parser::new());
            assert_eq!(lenient, every_front_end(&output, &Parser::strict()));
            let value = OwnedEvent::Value(written.clone().into_bytes().into());
            assert!(lenient.events.iter().any(|(_, event)| *event == value), "{}", shown(&output));
        }
    }
}

/// What is held back until it is clear that it is no head goes out with what makes that clear.
#[test]
fn the_start_of_a_variation_is_held_back_no_longer_than_needed() {
    let mut writer = Writer::new(Vec::new());
    writer.start_tree().unwrap().node().unwrap().start_tree().unwrap().node().unwrap();
    writer.property("N").unwrap().value("x").unwrap().flush().unwrap();
    assert_eq!(shown(writer.get_ref()), "(;");
    writer.property("B").unwrap().value("dd").unwrap().flush().unwrap();
    assert_eq!(shown(writer.get_ref()), "(;(;N[x]B[dd]");
}

#[test]
fn impossible_events_are_refused_and_change_nothing() {
    let value = Event::Value(RawValue::new(b"v"));
    let part = Event::ValuePart(ValuePart { bytes: b"p", end: PartEnd::More });
    let ident = |name: &'static str| Event::Property(Ident::new(name.as_bytes()));
    let wrong_outside = [Event::Node, Event::EndTree, ident("B"), value, part];
    let wrong_at_start = [Event::StartTree, Event::EndTree, ident("B"), value, part];
    let wrong_in_node = [value, part, ident(""), ident("b"), ident("1A"), ident("A]"), ident("A B"), ident("\u{C4}")];
    let wrong_behind_ident = [Event::StartTree, Event::Node, Event::EndTree, ident("B")];
    let wrong_in_value = [Event::StartTree, Event::Node, Event::EndTree, ident("B"), value];
    let wrong_behind_child = [Event::Node, ident("B"), value, part];
    let last_part = Event::ValuePart(ValuePart { bytes: b"q", end: PartEnd::Complete });
    let steps: [(Event<'_>, &[Event<'_>]); 13] = [
        (Event::StartTree, &wrong_outside),
        (Event::Node, &wrong_at_start),
        (ident("B"), &wrong_in_node),
        (value, &wrong_behind_ident),
        (value, &[]),
        (ident("C"), &[]),
        (part, &wrong_behind_ident),
        (last_part, &wrong_in_value),
        (Event::StartTree, &[]),
        (Event::Node, &wrong_at_start),
        (Event::EndTree, &wrong_in_node),
        (Event::EndTree, &wrong_behind_child),
        (Event::StartTree, &wrong_outside),
    ];
    let mut writer = Writer::new(Vec::new());
    for (right, wrong) in steps {
        for &event in wrong {
            assert!(matches!(writer.write(event), Err(WriteError::Order { .. } | WriteError::Ident(_))), "{event:?}");
        }
        writer.write(right).unwrap();
    }
    writer.node().unwrap().end_tree().unwrap();
    assert_eq!(shown(&writer.finish().unwrap()), shown(b"(;B[v][v]C[pq](;))\n(;)\n"));
}

#[test]
fn errors_say_what_was_expected() {
    let error = |events: &[Event<'_>]| {
        let mut writer = Writer::new(Vec::new());
        events.iter().try_for_each(|&event| writer.write(event)).and_then(|()| writer.finish().map(drop)).unwrap_err()
    };
    let b = Event::Property(Ident::new(b"B"));
    for (events, expected) in [
        (&[Event::Node][..], "expected the start of a game (none is open), not a node"),
        (&[Event::StartTree, Event::EndTree], "expected a node (it is the start of a tree), not the end of a tree"),
        (&[Event::StartTree, Event::Node, b, b], "expected a value (the property has none yet), not the property B"),
        (
            &[Event::StartTree, Event::Node, b],
            "expected a value (the property has none yet), not the end of the events",
        ),
        (&[Event::StartTree, Event::Node], "expected the end of the trees that are open, not the end of the events"),
        (
            &[Event::StartTree, Event::Node, Event::Value(RawValue::new(b""))],
            "expected a property, a node, a tree, or the end of this one, not a value",
        ),
        (
            &[Event::StartTree, Event::Node, Event::Property(Ident::new(b"a b"))],
            "expected an identifier of upper-case letters, not \"a b\"",
        ),
    ] {
        assert_eq!(error(events).to_string(), expected);
    }
}

#[test]
fn canonical_style_writes_ff4() {
    for (input, output) in [
        ("(;)", "(;FF[4])\n"),
        ("(;;B[aa](;)(;;W[bb]))", "(;FF[4]\n;B[aa](;)(;;W[bb]))\n"),
        // The order of the root, and of nothing else.
        (
            "(;C[c]KM[6.5]QQ[x]PB[b]SZ[9]CA[UTF-8]FF[3]GM[1];C[c]B[aa])",
            "(;FF[4]CA[UTF-8]GM[1]SZ[9]PB[b]KM[6.5]C[c]QQ[x]\n;C[c]B[aa])\n",
        ),
        // Identifiers by name, once.
        ("(;White[aa]Black[bb]W[cc])", "(;FF[4]W[aa][cc]B[bb])\n"),
        ("(;TR[aa]AB[bb]TR[cc])", "(;FF[4]TR[aa][cc]AB[bb])\n"),
        ("(;C[a]C[]C[b\\]])", "(;FF[4]C[a\n\n\n\nb\\]])\n"),
        // Types.
        (
            "(;FF[4]SZ[19:19]KM[ 6,5 ]HA[02]TM[1h]PL[black]KO[1]DM[])",
            "(;FF[4]SZ[19]KM[6.5]HA[2]TM[3600]PL[B]KO[]DM[1])\n",
        ),
        ("(;SZ[19];B[tt];W[ d d ];AB[ee:cc][ aa])", "(;FF[4]SZ[19]\n;B[];W[dd];AB[cc:ee][aa])\n"),
        ("(;SZ[21];B[tt];W[zz])", "(;FF[4]SZ[21]\n;B[tt];W[zz])\n"),
        ("(;GM[11]SZ[11];B[A3];W[swap])", "(;FF[4]GM[11]SZ[11]\n;B[a3];W[swap-pieces])\n"),
        ("(;RE[black resigned.]BR[9 dan]AP[foo]RU[japanese])", "(;FF[4]AP[foo:]BR[9d]RE[W+Resign]RU[Japanese])\n"),
        ("(;LB[aa:a:b][bb:\\a])", "(;FF[4]LB[aa:a\\:b][bb:a])\n"),
        ("(;B[nonsense]KM[six])", "(;FF[4]KM[six]B[nonsense])\n"),
        // Nothing is lost.
        ("(;DT[2000/9/8])", "(;FF[4]DT[2000-09-08])\n"),
        ("(;DT[2005\u{5E74}3\u{6708}12\u{65E5}])", "(;FF[4]DT[2005-03-12])\n"),
        ("(;DT[20070314])", "(;FF[4]DT[2007-03-14])\n"),
        ("(;DT[1932.10.19-20])", "(;FF[4]DT[1932-10-19,20])\n"),
        ("(;DT[1932.10.19-21])", "(;FF[4]DT[1932.10.19-21])\n"),
        ("(;DT[ca. 1665])", "(;FF[4]DT[ca. 1665])\n"),
        ("(;DT[1660s])", "(;FF[4]DT[1660s])\n"),
        ("(;DT[昭和52年3月14日])", "(;FF[4]DT[昭和52年3月14日])\n"),
        ("(;RE[共185手 黑中盘胜])", "(;FF[4]RE[共185手 黑中盘胜])\n"),
        ("(;RE[和棋]KM[5 1/2])", "(;FF[4]RE[Draw]KM[5.5])\n"),
        ("(;RE[B+5 3/4]SZ[19x19])", "(;FF[4]SZ[19]RE[B+5.75])\n"),
        ("(;DT[2000-09-08 17:29])", "(;FF[4]DT[2000-09-08 17:29])\n"),
        ("(;DT[Saturday 2000-09-08])", "(;FF[4]DT[Saturday 2000-09-08])\n"),
        ("(;TM[1:00:00 (5x30)])", "(;FF[4]TM[1:00:00 (5x30)])\n"),
        (
            "(;RE[207\u{C218} \u{D751}\u{BD88}\u{ACC4}\u{C2B9}])",
            "(;FF[4]RE[207\u{C218} \u{D751}\u{BD88}\u{ACC4}\u{C2B9}])\n",
        ),
        // Texts.
        ("(;C[\\a\\:\\\\\\]\\\nb\r\nc\td]N[a\nb])", "(;FF[4]C[a:\\\\\\]b\nc d]N[a b])\n"),
        ("(;QQ[\\a\\:\\\nb\r\nc])", "(;FF[4]QQ[\\a\\:\\\nb\r\nc])\n"),
        // Older versions and dialects.
        ("(;FF[3]L[aa][bb]LB[cc:x]VW[aa][cc])", "(;FF[4]LB[cc:x][aa:A][bb:B]VW[aa:cc])\n"),
        ("(;M[aa]MA[bb]M[cc])", "(;FF[4]MA[bb][aa][cc])\n"),
        ("(;M[aa][bb]MA[bb])", "(;FF[4]MA[bb][aa])\n"),
        // A single value is not given another: what says the same is one, and what does not stays.
        ("(;KI[11]KM[6])", "(;FF[4]KM[6]KI[11])\n"),
        ("(;KI[11]KM[5.50])", "(;FF[4]KM[5.5])\n"),
        ("(;PTM[5]C[x]TL[1m])", "(;FF[4]TM[5]C[x]TL[1m])\n"),
        ("(;KO[x]KM[6,5])", "(;FF[4]KM[6.5]KO[x])\n"),
        ("(;GK[1]KO[1]KM[6.5])", "(;FF[4]GM[1]KM[6.5][1])\n"), // or it would be the KO of FF[4]
        ("(;SZ[19]SZ[9]SZ[19:19])", "(;FF[4]SZ[19][9])\n"),
        ("(;DM[1]DM[ 1]PB[a\nb]PB[a b];B[aa][aa][bb])", "(;FF[4]PB[a b]DM[1]\n;B[aa][bb])\n"),
        ("(;OM[25]OP[600]OB[3])", "(;FF[4]OT[25/600 Canadian]OB[3])\n"),
        ("(;OM[0]OP[0])", "(;FF[4]OM[0]OP[0])\n"),
        ("(;OP[600]OT[x]OM[25])", "(;FF[4]OT[x]OP[600]OM[25])\n"),
        ("(;CH[1]ID[x])", "(;FF[4]CH[1]ID[x])\n"),
        ("(;GK[1]TE[event]KO[0]RD[2020-01-02]EV[mine])", "(;FF[4]GM[1]EV[mine]DT[2020-01-02]KM[0]TE[event])\n"),
        ("(;GM[1]FF[4]GK[1]RD[2007-05-01]KO[])", "(;FF[4]GM[1]DT[2007-05-01]GK[1]KO[])\n"),
        ("(;FF[4]RD[20061206])", "(;FF[4]DT[2006-12-06])\n"),
        ("(;FF[4]RD[2006-12-06]DT[20061206])", "(;FF[4]DT[2006-12-06])\n"),
        ("(;FF[4]RD[2006-12-06]DT[2006-12-07])", "(;FF[4]DT[2006-12-07]RD[2006-12-06])\n"),
        ("(;FF[4]RD[06-11-28])", "(;FF[4]RD[06-11-28])\n"),
        ("(;GK[7]GM[1];B[tt])", "(;FF[4]GM[1]GK[7]\n;B[])\n"),
        ("(;GM[Go]GK[11]SZ[5];B[A1])", "(;FF[4]GM[Go]SZ[5]GK[11]\n;B[a1])\n"),
    ] {
        assert_eq!(shown(&canonical(input.as_bytes())), shown(output.as_bytes()), "{input}");
    }
}

/// Beside the board a rectangle keeps its spelling, and is the same in another one.
#[test]
fn what_an_older_property_repeats_is_written_once() {
    for (input, expected) in [
        (&b"(;FF[3]SZ[2];MA[bb:cc]M[cc:bb])"[..], "(;FF[4]SZ[2]\n;MA[bb:cc])\n"),
        (b"(;FF[3]SZ[2];M[cc:bb]MA[x:][bb:cc])", "(;FF[4]SZ[2]\n;MA[x:][bb:cc])\n"),
        (b"(;FF[3]SZ[2];MA[bb:cc]M[cc:bb][aa])", "(;FF[4]SZ[2]\n;MA[bb:cc][aa])\n"),
        (b"(;FF[3];MA[bb:cc]M[cc:bb])", "(;FF[4]\n;MA[bb:cc])\n"),
    ] {
        assert_eq!(shown(&canonical(input)), shown(expected.as_bytes()));
    }
}

#[test]
fn canonical_texts_stay_in_their_charset() {
    for (input, output) in [
        // What is escaped, is escaped for the charset; CA comes first.
        (&b"(;PB[\x83\\\\]CA[Shift_JIS]PW[\x83\\])"[..], &b"(;FF[4]CA[Shift_JIS]PB[\x83\\\\\\]PW[\x83\\])\n"[..]),
        (b"(;PB[\x83\\]]CA[Shift_JIS])", b"(;FF[4]CA[Shift_JIS]PB[\x83\\\\]])\n"),
        (b"(;CA[GBK]C[\x83]\\a\x83\\\\]b\r\nc])", b"(;FF[4]CA[GBK]C[\x83]a\x83\\\\]b\nc])\n"),
        (b"(;CA[GBK]LB[aa:\x83]\\a])", b"(;FF[4]CA[GBK]LB[aa:\x83]\\a])\n"),
        (b"(;CA[GBK]BR[9\xB6\xCE])", b"(;FF[4]CA[GBK]BR[9\xB6\xCE])\n"),
        (b"(;CA[GBK]BR[9\xE6\xAE\xB5])", b"(;FF[4]CA[GBK]BR[9d])\n"),
        (b"(;CA[ISO-8859-1]PB[\xE9\\a])", b"(;FF[4]CA[ISO-8859-1]PB[\xE9a])\n"),
        (b"(;PB[\xE9\\a])", b"(;FF[4]PB[\xE9a])\n"),
        // What is shifted is left alone.
        (b"(;CA[ISO-2022-JP]PB[\x1B$B\\a\x1B(B])", b"(;FF[4]CA[ISO-2022-JP]PB[\x1B$B\\a\x1B(B])\n"),
        // Two that are in different charsets are not joined.
        (b"(;CA[GBK]C[\x81;]C[\xe5\xad\x97])", b"(;FF[4]CA[GBK]C[\x81;][\xe5\xad\x97])\n"),
        (b"(;CA[GBK]C[\x81;]C[a])", b"(;FF[4]CA[GBK]C[\x81;\n\na])\n"),
        // An escape that goes would make UTF-8 of what was not.
        (b"(;CA[GBK]C[\xE6\xA3\\\x8B]a])", b"(;FF[4]CA[GBK]C[\xE6\xA3\\\x8B]a])\n"),
    ] {
        assert_eq!(shown(&canonical(input)), shown(output), "{}", shown(input));
    }
}

/// What is converted is what an escape hides too, be it inside a character: otherwise a second run would find
/// something to do.
#[test]
fn canonical_style_converts_what_escapes_hide() {
    for (input, output) in [
        (&b"(;DT[27.12.\\1996])"[..], &b"(;FF[4]DT[1996-12-27])\n"[..]),
        (b"(;DT[1996-\\\n12-27])", b"(;FF[4]DT[1996-12-27])\n"),
        (b"(;DT[2005\xE5\\\xB9\xB43\xE6\x9C\\\x8812\xE6\x97\xA5])", b"(;FF[4]DT[2005-03-12])\n"),
        (b"(;RE[\xED\\\x9D\x91\xEB\xB6\x88\\\xEA\xB3\x84\xEC\x8A\xB9])", b"(;FF[4]RE[B+Resign])\n"),
        (b"(;RE[b\\+r])", b"(;FF[4]RE[B+Resign])\n"),
        (b"(;BR[9\xEB\x8B\\\xA8]RU[\\japanese])", b"(;FF[4]BR[9d]RU[Japanese])\n"),
        (b"(;C[caf\xC3\\\xA9]N[caf\xC3\\\n\xA9])", b"(;FF[4]C[caf\xC3\xA9]N[caf\xC3\xA9])\n"),
        (b"(;LB[aa:caf\xC3\\\xA9])", b"(;FF[4]LB[aa:caf\xC3\xA9])\n"),
        (b"(;AP[caf\xC3\\\xA9])", b"(;FF[4]AP[caf\xC3\xA9:])\n"),
        (b"(;QQ[caf\xC3\\\xA9])", b"(;FF[4]QQ[caf\xC3\\\xA9])\n"),
        // Where no text is wanted there are no escapes.
        (b"(;KM[6\\.5]SZ[1\\9])", b"(;FF[4]SZ[1\\9]KM[6\\.5])\n"),
    ] {
        let written = canonical(input);
        assert_eq!(shown(&written), shown(output), "{}", shown(input));
        assert_eq!(shown(&canonical(&written)), shown(&written), "{}", shown(input));
    }
}

#[test]
fn canonical_lines_end_between_nodes_properties_and_values() {
    let lines = |input: &str, width: usize| {
        let mut writer = Writer::canonical(Vec::new()).line_width(width);
        Parser::new().parse(input.as_bytes(), |event, _| writer.write(event).unwrap()).unwrap();
        String::from_utf8(writer.finish().unwrap()).unwrap()
    };
    for (input, width, output) in [
        ("(;;B[aa];W[bb];B[cc];W[dd])", 12, "(;FF[4]\n;B[aa];W[bb]\n;B[cc];W[dd])\n"),
        ("(;;B[aa];W[bb];B[cc];W[dd])", 11, "(;FF[4]\n;B[aa]\n;W[bb]\n;B[cc]\n;W[dd])\n"),
        ("(;;B[aa];W[bb];B[cc];W[dd])", usize::MAX, "(;FF[4];B[aa];W[bb];B[cc];W[dd])\n"),
        ("(;;B[aa];W[bb])", 0, "(;FF[4]\n;B[aa]\n;W[bb])\n"),
        // A node stays on one line where it can.
        ("(;;B[aa];W[bb]C[cc])", 15, "(;FF[4]\n;B[aa]\n;W[bb]C[cc])\n"),
        ("(;;B[aa];W[bb]C[cccccccc])", 15, "(;FF[4]\n;B[aa];W[bb]\nC[cccccccc])\n"),
        ("(;AB[aa][bb][cc][dd])", 12, "(;FF[4]\nAB[aa][bb]\n[cc][dd])\n"),
        ("(;(;B[aa];W[bb](;B[cc])(;B[dd]C[d])))", 14, "(;FF[4](;B[aa]\n;W[bb](;B[cc])(\n;B[dd]C[d])))\n"),
        // Never in front of a parenthesis, nor in a value.
        ("(;(;B[aa](;W[bb])(;W[cc])))", 4, "(;FF[4](\n;B[aa](\n;W[bb])(\n;W[cc])))\n"),
        ("(;;C[a b c d e f g]N[h])", 9, "(;FF[4]\n;C[a b c d e f g]\nN[h])\n"),
        ("(;C[12\n1234]N[h])", 12, "(;FF[4]C[12\n1234]N[h])\n"),
    ] {
        assert_eq!(lines(input, width), output, "{input}");
    }
}

#[test]
fn canonical_style_refuses_digits_in_identifiers() {
    let mut writer = Writer::canonical(Vec::new());
    writer.start_tree().unwrap().node().unwrap();
    let error = writer.property("P0").unwrap_err();
    assert_eq!(error.to_string(), "expected an identifier of upper-case letters, not \"P0\"");
    writer.property("P").unwrap().value("x").unwrap().end_tree().unwrap();
    assert_eq!(writer.finish().unwrap(), b"(;FF[4]P[x])\n");
}

/// A limit is met exactly: N passes, N + 1 is refused, and so is all that follows.
#[test]
fn canonical_style_holds_no_node_beyond_the_limit() {
    let part = |bytes, end| Event::ValuePart(ValuePart { bytes, end });
    let value = |bytes| Event::Value(RawValue::new(bytes));
    let ident = |bytes| Event::Property(Ident::new(bytes));
    let cases: [(&[Event<'_>], usize, &str); 5] = [
        (&[ident(b"C"), value(b"abc")], 1 + 3 + 2 * 32, "C"),
        (&[ident(b"Cc"), value(b"abc")], 2 + 3 + 2 * 32, "C"),
        (&[ident(b"TR"), value(b"aa"), value(b"bb")], 2 + 4 + 3 * 32, "TR"),
        (&[ident(b"C"), value(b""), ident(b"N"), value(b"n")], 3 + 4 * 32, "N"),
        (&[ident(b"C"), part(b"ab", PartEnd::More), part(b"cd", PartEnd::Complete)], 5 + 3 * 32, "C"),
    ];
    for (events, len, name) in cases {
        let mut fits = Writer::canonical(Vec::new()).max_node_len(len);
        fits.start_tree().unwrap().node().unwrap();
        events.iter().for_each(|&event| fits.write(event).unwrap());
        // The limit is one of a node.
        fits.node().unwrap();
        events.iter().for_each(|&event| fits.write(event).unwrap());
        fits.end_tree().unwrap();
        assert!(fits.finish().is_ok());

        let mut writer = Writer::canonical(Vec::new()).max_node_len(len - 1);
        writer.start_tree().unwrap().node().unwrap();
        let (last, before) = events.split_last().unwrap();
        before.iter().for_each(|&event| writer.write(event).unwrap());
        let is_refused = |result: Result<(), WriteError>| {
            let limit = len - 1;
            matches!(result, Err(WriteError::NodeTooLong { limit: l, property }) if l == limit && property == name)
        };
        assert!(is_refused(writer.write(*last)) && is_refused(writer.write(*last)));
        assert!(is_refused(writer.node().map(|_| ())) && is_refused(writer.end_tree().map(|_| ())));
        writer.flush().unwrap();
        assert_eq!(shown(writer.get_ref()), "");
        assert!(is_refused(writer.finish().map(|_| ())));
        // Exact style holds none.
        let mut exact = Writer::new(Vec::new()).max_node_len(0);
        exact.start_tree().unwrap().node().unwrap();
        events.iter().for_each(|&event| exact.write(event).unwrap());
    }
}

/// Cases about which a law says nothing do not count.
fn said(said: bool) -> TestResult {
    if said { TestResult::passed() } else { TestResult::discard() }
}

/// L4.
#[test]
fn what_is_written_exactly_reads_back() {
    fn law(Input(bytes): Input, rules: Rules) -> TestResult {
        said(written::reads_back(&bytes, &rules))
    }
    holds(6000, law as fn(Input, Rules) -> TestResult);
}

#[test]
fn what_is_written_in_parts_reads_back() {
    fn law(Input(bytes): Input, rules: Rules, limit: usize) {
        written::parts_read_back(&bytes, &Rules { max_value_len: limit % 9, ..rules });
    }
    holds(3000, law as fn(Input, Rules, usize));
}

#[test]
fn canonical_style_is_strict_stays_as_it_is_and_says_the_same() {
    fn law(Input(bytes): Input, rules: Rules) -> TestResult {
        said(written::is_canonical_of(&bytes, &rules))
    }
    holds(6000, law as fn(Input, Rules) -> TestResult);
}

/// Properties that mean something, with values that nearly do.
#[derive(Clone)]
struct Meaningful(Vec<u8>);

impl fmt::Debug for Meaningful {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shown(&self.0))
    }
}

impl Arbitrary for Meaningful {
    fn arbitrary(random: &mut Gen) -> Self {
        const IDENTS: &[&str] = &[
            "FF", "GM", "SZ", "CA", "KM", "KI", "HA", "HD", "GK", "TE", "KO", "RD", "DT", "EV", "RE", "TM", "TL", "OT",
            "OM", "OP", "L", "LB", "M", "MA", "VW", "B", "W", "AB", "C", "GC", "N", "PB", "BR", "RU", "AP", "FG", "RO",
            "LT", "LN", "AR", "DD", "QQ", "Black", "PL", "DO", "MI", "IS", "AS", "CO", "RP",
        ];
        const VALUES: &[&str] = &[
            "",
            "1",
            "2",
            "3",
            "4",
            "7",
            "11",
            " 19 ",
            "9:9",
            "13:7",
            "aa",
            "tt",
            "bb:cc",
            "cc:bb",
            "aa:A:b",
            "a1",
            "6,5",
            "-0",
            "1h",
            "2000/9/8",
            "1996-05,06",
            "b+r",
            "5 dan",
            "japanese",
            "x:",
            "\\:a",
            "GBK",
            "UTF-8",
            "a\r\nb\\\n",
            "\n(;FF[",
            "~{",
            "\u{0}",
            "257:x",
            "3 (final)",
            "25",
            "600",
            "\u{E9}",
            " ",
            "\t",
            "Go",
            "B",
            "w",
            "1:00:00",
            "5x30 byo-yomi",
            "swap",
            "31hefe",
            "27.12.1996",
            "2005\u{5E74}3\u{6708}12\u{65E5}",
            "207\u{C218} \u{D751}\u{BD88}\u{ACC4}\u{C2B9}",
            "\u{D751} 5\u{C9D1}\u{BC18} \u{C2B9}",
            "\u{9ED1}\u{4E2D}\u{76D8}\u{80DC}",
            "9\u{B2E8}",
            "3\u{6BB5}",
            "aa:caf\u{E9}",
            "W+Resign",
            "Shift_JIS",
            "\u{30BD}",
        ];
        // An escape may stand anywhere, in a character too.
        let escapes = u8::arbitrary(random).is_multiple_of(2);
        let value = |text: &mut Vec<u8>, random: &mut Gen| {
            text.push(b'[');
            for &byte in random.choose(VALUES).unwrap().as_bytes() {
                if escapes && u8::arbitrary(random).is_multiple_of(8) {
                    text.extend_from_slice(random.choose(&[&b"\\"[..], b"\\\n", b"\\\\\\", b"\\:", b"\x83"]).unwrap());
                }
                text.push(byte);
            }
            text.push(b']');
        };
        let mut text = b"(;".to_vec();
        let mut node = |text: &mut Vec<u8>| {
            for _ in 0..u8::arbitrary(random) % 8 {
                text.extend_from_slice(random.choose(IDENTS).unwrap().as_bytes());
                for _ in 0..1 + u8::arbitrary(random) % 5 / 2 {
                    value(text, random);
                }
            }
        };
        node(&mut text);
        text.push(b';');
        node(&mut text);
        text.push(b')');
        Meaningful(text)
    }

    /// Without a property or a value.
    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let text = self.0.clone();
        let cuts: Vec<usize> = (0..text.len()).filter(|&at| matches!(text[at], b'[' | b']' | b';')).collect();
        let without = move |(at, end): (usize, usize)| Meaningful([&text[..at], &text[end..]].concat());
        let pairs: Vec<_> = (1..8)
            .flat_map(|step| cuts.windows(step + 1).map(|w| (w[0], w[w.len() - 1])).collect::<Vec<_>>())
            .collect();
        let bytes: Vec<_> = (0..self.0.len()).map(|at| (at, at + 1)).collect();
        Box::new(pairs.into_iter().chain(bytes).map(without))
    }
}

#[test]
fn canonical_style_says_the_same_of_what_means_something() {
    fn law(Meaningful(text): Meaningful) -> TestResult {
        let rules = Rules {
            strict: false,
            max_value_len: 1 << 20,
            max_ident_len: 256,
            max_depth: 1 << 20,
            given: Given::Nothing,
        };
        said(written::is_canonical_of(&text, &rules))
    }
    holds(20000, law as fn(Meaningful) -> TestResult);
}

/// Events in any order, of which some could be right.
#[derive(Clone, Debug)]
struct AnyEvents(Vec<OwnedEvent>);

impl Arbitrary for AnyEvents {
    fn arbitrary(random: &mut Gen) -> Self {
        let event = |random: &mut Gen| match u8::arbitrary(random) % 16 {
            0..2 => OwnedEvent::StartTree,
            2..5 => OwnedEvent::Node,
            5..8 => {
                let idents = [&b"B"[..], b"CA", b"aB", b"C", b"", b"b", b"B0", b"0B", b"B]", b"\xC4"];
                OwnedEvent::Property(random.choose(&idents).unwrap().to_vec().into())
            }
            8..10 => OwnedEvent::EndTree,
            kind => {
                let pieces =
                    [&b"]"[..], b"\\", b"[", b"\x83", b"a", b"\n", b"GBK", b"GBK", b"\n(;FF[", b"\xE5\xAD\x97"];
                let raw = (0..u8::arbitrary(random) % 4).map(|_| *random.choose(&pieces).unwrap());
                let raw = raw.collect::<Vec<_>>().concat().into();
                match kind {
                    10..14 => OwnedEvent::Value(raw),
                    _ => {
                        let ends = [PartEnd::More, PartEnd::Complete, PartEnd::Cut];
                        OwnedEvent::ValuePart(raw, *random.choose(&ends).unwrap())
                    }
                }
            }
        };
        let len = usize::arbitrary(random) % 60;
        AnyEvents((0..len).map(|_| event(random)).collect())
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let events = self.0.clone();
        Box::new((0..events.len()).map(move |at| {
            let mut rest = events.clone();
            rest.remove(at);
            AnyEvents(rest)
        }))
    }
}

#[test]
fn a_writer_takes_the_events_that_are_right_and_no_others() {
    fn law(AnyEvents(events): AnyEvents) {
        for is_canonical in [false, true] {
            let mut writer = if is_canonical { written::canonical() } else { written::exact() };
            let mut taken = Vec::new();
            let mut try_to_take = |event: OwnedEvent| {
                taken.push(event);
                let borrowed: Vec<_> = taken.iter().map(OwnedEvent::borrow).collect();
                let has_digits =
                    |event: &Event<'_>| matches!(event, Event::Property(i) if i.as_bytes().contains(&b'0'));
                let validity =
                    written::validity(&borrowed).filter(|_| !(is_canonical && borrowed.last().is_some_and(has_digits)));
                assert_eq!(writer.write(borrowed[borrowed.len() - 1]).is_ok(), validity.is_some(), "{taken:?}");
                if validity.is_none() {
                    taken.pop();
                }
                validity
            };
            let mut validity = Some(true);
            for event in &events {
                validity = try_to_take(event.clone()).or(validity);
            }
            // One of these is the way to the end.
            while validity == Some(false) {
                let last = OwnedEvent::ValuePart(Vec::new().into(), PartEnd::Complete);
                let way_out = [OwnedEvent::EndTree, OwnedEvent::Node, last].into_iter().find_map(&mut try_to_take);
                validity = Some(way_out.expect("no way to the end"));
            }
            let output = writer.finish().unwrap();
            if output.is_empty() {
                assert!(taken.is_empty());
            } else {
                let rules = Rules {
                    strict: false,
                    max_value_len: 1 << 20,
                    max_ident_len: 256,
                    max_depth: 1 << 20,
                    given: Given::Nothing,
                };
                assert!(written::is_canonical_of(&output, &rules));
                written::reads_back(&output, &rules);
            }
        }
    }
    holds(20000, law as fn(AnyEvents));
}

#[test]
fn the_corpus_reads_back_in_both_styles() {
    let rules =
        Rules { strict: false, max_value_len: 1 << 20, max_ident_len: 256, max_depth: 1 << 20, given: Given::Nothing };
    let (mut said, mut files) = (0, 0);
    for path in corpus() {
        let bytes = fs::read(&path).unwrap();
        files += 1;
        said += usize::from(written::reads_back(&bytes, &rules) | written::is_canonical_of(&bytes, &rules));
    }
    assert!(said * 100 >= files * 99, "{said} of {files} files");
}
