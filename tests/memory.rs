//! Input that means harm: no panic, no overflow of the stack, no memory beyond the limits. What
//! is measured is the memory of the whole process, so this is one test, and alone in its file.

use std::io::{self, BufReader, Read};

use sgf_stream::{Code, Error, Event, Flow, Parser};

#[global_allocator]
static ALLOCATOR: dhat::Alloc = dhat::Alloc;

/// Runs something and answers the most bytes that were allocated at once meanwhile.
fn peak(run: impl FnOnce()) -> usize {
    let _profiler = dhat::Profiler::builder().testing().build();
    run();
    dhat::HeapStats::get().max_bytes
}

/// A stream that is made while it is read: `head`, then `part` so many times, then `tail`.
struct Made {
    head: &'static [u8],
    part: &'static [u8],
    times: usize,
    tail: &'static [u8],
    at: usize,
}

impl Made {
    fn new<B: AsRef<[u8]> + ?Sized>(head: &'static B, part: &'static B, times: usize, tail: &'static B) -> Self {
        Made { head: head.as_ref(), part: part.as_ref(), times, tail: tail.as_ref(), at: 0 }
    }
}

impl Read for Made {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let source = match () {
            () if !self.head.is_empty() => &mut self.head,
            () if self.times > 0 => {
                let rest = &self.part[self.at..];
                let len = rest.len().min(buffer.len());
                buffer[..len].copy_from_slice(&rest[..len]);
                self.at += len;
                if self.at == self.part.len() {
                    self.at = 0;
                    self.times -= 1;
                }
                return Ok(len);
            }
            () => &mut self.tail,
        };
        source.read(buffer)
    }
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

#[test]
fn hostile_input_is_survived_in_bounded_memory() {
    let code = |error: Error| error.as_syntax().map(|error| error.code());

    // Ten million `(`: text, trees without nodes, trees.
    let used = peak(|| {
        for (head, part, lenient, strict) in [
            ("", "(", Err(Some(Code::NoSgfData)), Code::TreeWithoutNodes),
            ("(;", "(", Ok(3), Code::TreeWithoutNodes),
            ("(;", "(;", Ok(3 * MIB as u64), Code::TreeTooDeep),
        ] {
            let read = count(&Parser::new(), Made::new(head, part, TEN_MILLION, ""));
            assert_eq!(read.map_err(code), lenient, "{part}");
            let read = count(&Parser::strict(), Made::new(head, part, TEN_MILLION, ""));
            assert_eq!(read.map_err(code), Err(Some(strict)), "{part}");
        }
    });
    assert!(used < 4 * MIB, "{used}");

    // Implied trees, which stand in each other and have no bracket.
    let used = peak(|| {
        count(&Parser::new(), Made::new("(;", "(;);", TEN_MILLION, ")")).unwrap();
    });
    assert!(used < 4 * MIB, "{used}");

    // A value of 64 MiB in pieces of one byte: dropped, skipped, in parts.
    let value = || Made::new("(;C[", "x", 64 * MIB, "]B[aa])");
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
        assert_eq!(feed(Parser::new().value_parts(true), |_| Flow::Continue), (1, 64 * MIB), "in parts");
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
            let events = count(&Parser::new().max_value_len(9), Made::new(head, part, MIB, tail));
            assert_eq!(events.map_err(code), Ok(2 + 2 + 1 + 2 + 1), "dropped, {}", part.escape_ascii());
            let (mut bytes, mut values) = (0, 0);
            let mut reader = Parser::new()
                .max_value_len(5)
                .value_parts(true)
                .reader(BufReader::with_capacity(100, Made::new(head, part, MIB, tail)));
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
            let _ = count(&Parser::new(), Made::new(head, " ", 16 * MIB, "]C[])"));
        }
    });
    assert!(used < 4 * MIB, "{used}");

    // What has no end: identifiers, junk, white space, mail, doubtful brackets.
    let used = peak(|| {
        for part in ["A", "a", "?", " ", "\n(;", "(A ", "[", "[a[b] ", "\n(;FF[", "\n(;FF "] {
            let _ = count(&Parser::new(), Made::new("(;", part, 16 * MIB / part.len(), ")"));
            let _ = count(&Parser::new(), Made::new("", part, 16 * MIB / part.len(), ")"));
            let _ = count(&Parser::strict(), Made::new("(;", part, 16 * MIB / part.len(), ")"));
        }
    });
    assert!(used < 4 * MIB, "{used}");

    // A sound archive costs its buffer, whatever its length.
    let game =
        "(;FF[4]GM[1]PB[Black]PW[White]C[a comment that is not so short as a move];B[dd];W[pp](;B[dp])(;B[qd]))\n";
    let archive = |times| peak(|| assert!(count(&Parser::new(), Made::new("", game, times, "")).is_ok()));
    let (short, long) = (archive(10_000), archive(200_000));
    assert!(long <= short + 1024 && long < MIB / 4, "{short} {long}");

    // Only NULs.
    for parser in [Parser::new(), Parser::strict()] {
        assert!(count(&parser, Made::new("", "\0", MIB, "")).is_err());
    }
}
