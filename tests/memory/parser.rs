//! Hostile input: no panic, no stack overflow, no memory beyond the limits.

use std::io::{BufReader, Read};

use sgf_stream::{Code, Error, Event, Flow, Parser};

use crate::generated::Generated;

/// Runs something and answers the most bytes that were allocated at once meanwhile.
fn peak(run: impl FnOnce()) -> usize {
    let _profiler = dhat::Profiler::builder().testing().build();
    run();
    dhat::HeapStats::get().max_bytes
}

/// Reads all events, and answers how many there were.
fn count<R: Read>(parser: &Parser, source: R) -> Result<u64, Error> {
    let mut reader = parser.reader(BufReader::with_capacity(64 * 1024, source));
    let mut events = 0;
    while reader.next_event()?.is_some() {
        events += 1;
    }
    Ok(events)
}

const MIB: usize = 1 << 20;
const TEN_MILLION: usize = 10_000_000;

pub(crate) fn hostile_input_is_survived_in_bounded_memory() {
    let code = |error: Error| error.as_syntax().map(|error| error.code());

    // Ten million `(`: text, trees without nodes, trees.
    let used = peak(|| {
        for (head, part, lenient, strict) in [
            ("", "(", Err(Some(Code::NoSgfData)), Code::TreeWithoutNodes),
            ("(;", "(", Ok(3), Code::TreeWithoutNodes),
            ("(;", "(;", Ok(3 * MIB as u64), Code::TreeTooDeep),
        ] {
            let read = count(&Parser::new(), Generated::new(head, part, TEN_MILLION, ""));
            assert_eq!(read.map_err(code), lenient, "{part}");
            let read = count(&Parser::strict(), Generated::new(head, part, TEN_MILLION, ""));
            assert_eq!(read.map_err(code), Err(Some(strict)), "{part}");
        }
    });
    assert!(used < 4 * MIB, "{used}");

    // Implied trees, nested in each other, without brackets.
    let used = peak(|| {
        count(&Parser::new(), Generated::new("(;", "(;);", TEN_MILLION, ")")).unwrap();
    });
    assert!(used < 4 * MIB, "{used}");

    // A value of 16 MiB in pieces of one byte: dropped, skipped, in parts.
    let value = || Generated::new("(;C[", "x", 16 * MIB, "]B[aa])");
    let feed = |parser: Parser, answer: fn(Event<'_>) -> Flow| {
        let (mut values, mut bytes, mut byte) = (0, 0, [0]);
        let mut handler = |event: Event<'_>, _: u64| {
            match event {
                Event::Value(_) => values += 1,
                Event::ValuePart(part) => bytes += part.bytes.len(),
                _ => {}
            }
            answer(event)
        };
        let (mut push, mut source) = (parser.push(), BufReader::new(value()));
        while source.read(&mut byte).unwrap() == 1 {
            push.feed(&byte, &mut handler).unwrap();
        }
        push.finish(&mut handler).unwrap();
        (values, bytes)
    };
    let used = peak(|| {
        assert_eq!(feed(Parser::new(), |_| Flow::Continue), (1, 0), "dropped");
        let skip = |event: Event<'_>| if event == Event::Node { Flow::Skip } else { Flow::Continue };
        assert_eq!(feed(Parser::new(), skip), (0, 0), "skipped");
        assert_eq!(feed(Parser::new().value_parts(true), |_| Flow::Continue), (1, 16 * MIB), "in parts");
    });
    assert!(used < 4 * MIB, "{used}");

    // The same in a charset with brackets inside characters, and in UTF-8 that is said to be one;
    // and a label that has no end.
    for (head, part, value_len) in [
        (&b"(;CA[GBK]C["[..], &b"\x81]"[..], 2 * MIB),
        (b"(;CA[GBK]C[", b"\x81\\", 2 * MIB),
        (b"(;CA[GBK]C[", b"\\\x81]", 3 * MIB),
        (b"(;CA[GBK]C[a", b"\xE5\xAD\x97", 3 * MIB + 1),
        (b"(;CA[GBK]C[", b"\x81", MIB),
        (b"(;CA[GBK]C[", b"\xC3\xA9", 2 * MIB),
    ] {
        let used = peak(|| {
            let tail: &[u8] = b"];B[aa])";
            let events = count(&Parser::new().max_value_len(9), Generated::new(head, part, MIB, tail));
            assert_eq!(events.map_err(code), Ok(2 + 2 + 1 + 2 + 1), "dropped, {}", part.escape_ascii());
            let (mut bytes, mut values) = (0, 0);
            let mut reader = Parser::new()
                .max_value_len(5)
                .value_parts(true)
                .reader(BufReader::with_capacity(100, Generated::new(head, part, MIB, tail)));
            while let Some(event) = reader.next_event().unwrap() {
                match event {
                    Event::ValuePart(part) => bytes += part.bytes.len(),
                    Event::Value(_) => values += 1,
                    _ => {}
                }
            }
            assert_eq!((bytes, values), (value_len, 2), "in parts, {}", part.escape_ascii());
        });
        assert!(used < MIB, "{used}, {}", part.escape_ascii());
    }
    let used = peak(|| {
        for head in ["(;CA[", "(;CA[gbk"] {
            let _ = count(&Parser::new(), Generated::new(head, " ", 16 * MIB, "]C[])"));
        }
    });
    assert!(used < 4 * MIB, "{used}");

    // What has no end: identifiers, junk, white space, mail, doubtful brackets.
    let used = peak(|| {
        for part in ["A", "a", "?", " ", "\n(;", "(A ", "[", "[a[b] ", "\n(;FF[", "\n(;FF "] {
            let _ = count(&Parser::new(), Generated::new("(;", part, 16 * MIB / part.len(), ")"));
            let _ = count(&Parser::new(), Generated::new("", part, 16 * MIB / part.len(), ")"));
            let _ = count(&Parser::strict(), Generated::new("(;", part, 16 * MIB / part.len(), ")"));
        }
    });
    assert!(used < 4 * MIB, "{used}");

    // A sound archive costs its buffer, whatever its length.
    let game =
        "(;FF[4]GM[1]PB[Black]PW[White]C[a comment that is not so short as a move];B[dd];W[pp](;B[dp])(;B[qd]))\n";
    let archive = |times| peak(|| assert!(count(&Parser::new(), Generated::new("", game, times, "")).is_ok()));
    let (short, long) = (archive(10_000), archive(200_000));
    assert!(long <= short + 1024 && long < MIB / 4, "{short} {long}");

    // Only NULs.
    for parser in [Parser::new(), Parser::strict()] {
        assert!(count(&parser, Generated::new("", "\0", MIB, "")).is_err());
    }
}
