//! The writer: it keeps one node, for output of any length and depth.

use std::io;

use sgf_stream::write::{WriteError, Writer};
use sgf_stream::{Event, Parser};

pub(crate) fn a_writer_keeps_one_node() {
    let peak = |part: &str, times: usize, end: &str, writer: fn(io::Sink) -> Writer<io::Sink>| {
        let text = part.repeat(times) + end;
        let _profiler = dhat::Profiler::builder().testing().build();
        let mut writer = writer(io::sink());
        Parser::new().parse(text.as_bytes(), |event, _| writer.write(event).unwrap()).unwrap();
        writer.finish().unwrap();
        dhat::HeapStats::get().max_bytes
    };
    for writer in [Writer::new as fn(io::Sink) -> _, Writer::canonical] {
        let (short, long) =
            (peak("(;C[x]B[dd](;W[pp]))", 10, "", writer), peak("(;C[x]B[dd](;W[pp]))", 1000, "", writer));
        assert!(long <= short + 1024 && long < 64 * 1024, "{short} {long}");
        let deep = peak("(;B[aa]", 1000, "", writer);
        assert!(deep < 64 * 1024, "{deep}");
    }
    // A node without end costs canonical style no more than its limit allows, and exact style nothing.
    let limit = 256 * 1024;
    for (head, part) in [
        ("(;", "AB[aa]"),
        ("(;AB[aa]", "[bb]"),
        ("(;C[x]", "[]"),
        ("(;", "C[some text, and \\] some more of it]"),
        ("(;FF[3]", "L[aa]LB[bb:x]"),
        ("(;FF[4];", "XY[\\]]"),
    ] {
        let long = (4 << 20) / part.len();
        let (used, taken, result) = cost(head, part, long, Writer::canonical(io::sink()).max_node_len(limit));
        assert!(matches!(result, Err(WriteError::NodeTooLong { .. })), "{head}{part}");
        assert!(used < 4 * limit, "{head}{part}: {used}");
        // As much as the limit allows is written.
        let (used, _, result) = cost(head, part, taken, Writer::canonical(io::sink()).max_node_len(limit));
        assert!(result.is_ok(), "{head}{part}: {result:?}");
        assert!(used < 10 * limit, "{head}{part}: {used}");
        let (used, _, result) = cost(head, part, long, Writer::new(io::sink()));
        assert!(result.is_ok() && used < 64 * 1024, "{head}{part}: {used}");
    }
}

/// Writes a game: the most bytes that were allocated at once, how many of the parts were taken, and the result.
fn cost(head: &str, part: &str, times: usize, mut writer: Writer<io::Sink>) -> (usize, usize, Result<(), WriteError>) {
    let _profiler = dhat::Profiler::builder().testing().build();
    let mut parser = Parser::new().push();
    let mut result = Ok(());
    let mut feed = |text: &str| {
        let event = |event: Event<'_>, _| {
            if result.is_ok() {
                result = writer.write(event);
            }
        };
        parser.feed(text.as_bytes(), event).unwrap();
        result.is_ok()
    };
    feed(head);
    // The parser holds a value back until what follows shows that it has ended: the last part may be under way.
    let taken = (0..times).take_while(|_| feed(part)).count().saturating_sub(1);
    feed(")");
    (dhat::HeapStats::get().max_bytes, taken, result)
}
