//! The writer: tables, law L4, and events in any order.

mod support;

use sgf_stream::write::{WriteError, Writer};
use sgf_stream::{Event, Ident, Parser, PartEnd, RawValue, ValuePart};

/// What the exact style makes of an input, read leniently.
fn exact(input: &[u8]) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new());
    Parser::new().parse(input, |event, _| writer.write(event).unwrap()).unwrap();
    writer.finish().unwrap()
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
