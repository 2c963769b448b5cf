//! The writer: exact style and the order of events here, canonical style and the laws in files of their own.

mod canonical;
mod laws;
mod rewrite;
mod splice;

use sgf_stream::write::{WriteError, Writer};
use sgf_stream::{Event, Ident, OwnedEvent, Parser, PartEnd, RawValue, ValuePart};

use crate::support::{EachEvent, every_front_end};

/// Writes an input, read leniently, in exact style.
fn exact(input: &[u8]) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new());
    Parser::new().each_event(input, |event, _| writer.write(event).unwrap()).unwrap();
    writer.finish().unwrap()
}

/// Writes an input, read leniently, in canonical style, which must leave its own output unchanged.
fn canonical(input: &[u8]) -> Vec<u8> {
    let write = |input: &[u8], parser: Parser| {
        let mut writer = Writer::canonical(Vec::new());
        parser.each_event(input, |event, _| writer.write(event).unwrap()).unwrap();
        writer.finish().unwrap()
    };
    let output = write(input, Parser::new());
    assert_eq!(shown(&write(&output, Parser::strict())), shown(&output), "{}", shown(input));
    for width in [1, 6, 7, 20, 80, usize::MAX] {
        let [events, parts] = [false, true].map(|in_parts| {
            let mut writer = Writer::canonical(Vec::new()).line_width(width);
            let mut write = |event: Event<'_>| writer.write(if in_parts { as_part(event) } else { event }).unwrap();
            Parser::new().each_event(input, |event, _| write(event)).unwrap();
            writer.finish().unwrap()
        });
        assert_eq!(shown(&parts), shown(&events), "{}", shown(input));
    }
    output
}

/// A value as one part.
fn as_part(event: Event<'_>) -> Event<'_> {
    match event {
        Event::Value(value) => Event::ValuePart(ValuePart { bytes: value.as_bytes(), end: PartEnd::Complete }),
        event => event,
    }
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
        // Second bytes of characters are not brackets, if the charset is known.
        (b"(;CA[Shift_JIS]PB[\x83\\]PW[\x83]])", b"(;CA[Shift_JIS]PB[\x83\\]PW[\x83]])\n"),
        (b"(;PB[\x83\\]]CA[Shift_JIS])", b"(;PB[\x83\\]]CA[Shift_JIS])\n"),
        (b"(;CA[UTF-8]PB[\x83\\]])", b"(;CA[UTF-8]PB[\x83\\]])\n"),
        (b"(;C[a];CA[GBK]C[\x83\\]])", b"(;C[a];CA[GBK]C[\x83\\]])\n"),
        (b"(;CA[x]CA[GBK]C[\x83\\]])", b"(;CA[x]CA[GBK]C[\x83\\]])\n"),
        (b"(;CA[GBK])(;C[\x83\\]])", b"(;CA[GBK])\n(;C[\x83\\]])\n"),
        // The last variation holds a text that is never closed, for readers who do not know the charset.
        (b"(;CA[GB18030](;N[\xfe\\]))", b"(;CA[GB18030](;N[\xfe\\]))\n"),
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
        Parser::strict().each_event(&output, |_, _| {}).unwrap();

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

/// Bytes that could be a head are written as soon as it is clear that they are none.
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
    let wrong_after_ident = [Event::StartTree, Event::Node, Event::EndTree, ident("B")];
    let wrong_in_value = [Event::StartTree, Event::Node, Event::EndTree, ident("B"), value];
    let wrong_after_child = [Event::Node, ident("B"), value, part];
    let last_part = Event::ValuePart(ValuePart { bytes: b"q", end: PartEnd::Complete });
    let steps: [(Event<'_>, &[Event<'_>]); 13] = [
        (Event::StartTree, &wrong_outside),
        (Event::Node, &wrong_at_start),
        (ident("B"), &wrong_in_node),
        (value, &wrong_after_ident),
        (value, &[]),
        (ident("C"), &[]),
        (part, &wrong_after_ident),
        (last_part, &wrong_in_value),
        (Event::StartTree, &[]),
        (Event::Node, &wrong_at_start),
        (Event::EndTree, &wrong_in_node),
        (Event::EndTree, &wrong_after_child),
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
        (&[Event::Node][..], "expected the start of a game (none is open), found a node"),
        (&[Event::StartTree, Event::EndTree], "expected a node (it is the start of a tree), found the end of a tree"),
        (&[Event::StartTree, Event::Node, b, b], "expected a value (the property has none yet), found the property B"),
        (
            &[Event::StartTree, Event::Node, b],
            "expected a value (the property has none yet), found the end of the events",
        ),
        (&[Event::StartTree, Event::Node], "expected the end of the open trees, found the end of the events"),
        (
            &[Event::StartTree, Event::Node, Event::Value(RawValue::new(b""))],
            "expected a property, a node, a tree, or the end of the current tree, found a value",
        ),
        (
            &[Event::StartTree, Event::Node, Event::Property(Ident::new(b"a b"))],
            "expected an identifier of upper-case letters, found \"a b\"",
        ),
    ] {
        assert_eq!(error(events).to_string(), expected);
    }
}
