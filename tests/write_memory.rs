//! What the writer keeps: a node, whatever the length and depth of what it writes. The memory of the
//! whole process is measured, so this is one test, and alone in its file.

use std::io;

use sgf_stream::Parser;
use sgf_stream::write::Writer;

#[global_allocator]
static ALLOCATOR: dhat::Alloc = dhat::Alloc;

#[test]
fn a_writer_keeps_one_node() {
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
}
