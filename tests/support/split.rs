//! The laws of splitting. The property tests and the fuzz target make the cases.

use std::ops::Range;

use sgf_stream::Parser;
use sgf_stream::parallel::ReadAt;

use super::{Rules, Seen, alone, games, naive, parse, parser};

/// Where the sequential reader ends each game.
pub fn ends(bytes: &[u8], parser: &Parser) -> Vec<u64> {
    let seen = parse(bytes, parser);
    let ends = games(&seen.events).into_iter().map(|game| {
        let (at, _) = game[game.len() - 1];
        // Without a `)` it ends before the next game, or with the data.
        at + u64::from(bytes.get(at as usize) == Some(&b')'))
    });
    ends.collect()
}

/// The first place at or after an offset where an archive may be cut, and whether it is a head.
fn boundary(heads: &[u64], ends: &[u64], at: u64) -> Option<(u64, bool)> {
    let first = |of: &[u64]| of.get(of.partition_point(|&of| of < at)).copied();
    let head = first(heads).filter(|head| head - at < 1 << 20);
    head.map(|head| (head, true)).or_else(|| first(ends).map(|end| (end, false)))
}

/// What the parts are if heads and ends are these: a cut is at the first boundary from what `next` makes of the start
/// of each part, unless no game comes before or after it.
pub fn naive_parts(
    bytes: &[u8],
    heads: &[u64],
    starts: &[u64],
    ends: &[u64],
    mut next: impl FnMut(u64) -> Option<u64>,
) -> Vec<Range<u64>> {
    let len = bytes.len() as u64;
    let (mut parts, mut start) = (Vec::new(), 0);
    let first_game = starts.first().copied().unwrap_or(len);
    while let Some(target) = next(start)
        && let Some((cut, is_head)) = boundary(heads, ends, target.max(first_game + 1))
        && (is_head || starts.iter().any(|&start| start >= cut))
    {
        parts.push(start..cut);
        start = cut;
    }
    parts.push(start..len);
    parts
}

/// The first of the offsets that part `len` bytes into `n`, after an end.
pub fn nth_after(len: usize, n: usize, end: u64) -> Option<u64> {
    (1..n as u64).map(|i| len as u64 * i / n as u64).find(|&target| target > end)
}

/// A file in a few words: what reads it has to cope with reads that are shorter than what is asked for.
pub struct Short<'b>(pub &'b [u8]);

impl ReadAt for Short<'_> {
    fn size(&self) -> std::io::Result<u64> {
        self.0.size()
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> std::io::Result<usize> {
        let most = buffer.len().min(1 + offset as usize % 700);
        self.0.read_at(&mut buffer[..most], offset)
    }
}

/// Where the games begin and end, and the heads among their beginnings.
pub fn marks(bytes: &[u8], parser: &Parser) -> (Vec<u64>, Vec<u64>, Vec<u64>) {
    let heads = naive::heads::heads(bytes).into_iter().map(|at| at as u64).collect();
    let starts = games(&parse(bytes, parser).events).into_iter().map(|game| game[0].0).collect();
    (heads, starts, ends(bytes, parser))
}

/// Cuts are where the heads and the sequential reader say.
pub fn cuts_are_at_heads_and_ends(bytes: &[u8], rules: &Rules) {
    let usual = Rules { strict: false, max_value_len: 1 << 20, max_depth: 1 << 20, ..rules.clone() };
    let (parser, (heads, starts, ends)) = (parser(rules), marks(bytes, &parser(&usual)));
    let (source, len) = (Short(bytes), bytes.len());
    let naive = |next: &dyn Fn(u64) -> Option<u64>| naive_parts(bytes, &heads, &starts, &ends, next);
    assert_eq!(parser.split(bytes).every(0).unwrap(), naive(&|start| Some(start + 1)), "as many parts as there can be");
    for n in [1, 2, 3, 7] {
        let parts = parser.split(&source).parts(n).unwrap();
        assert_eq!(parts, naive(&|start| nth_after(len, n, start)), "{n} parts");
        let size = (len / n + 1) as u64;
        let parts = parser.split(&source).every(size).unwrap();
        assert_eq!(parts, naive(&|start| Some(start + size)), "parts of {size} bytes");
        let found = parser.split(&source).boundary_at_or_after(size).unwrap();
        assert_eq!(found, boundary(&heads, &ends, size).map(|(at, _)| at), "the first boundary from {size} on");
    }
}

/// The games of any ranges are the games of the whole.
pub fn ranges_are_the_whole(bytes: &[u8], rules: &Rules, starts: &[usize]) {
    let parser = parser(rules);
    let whole = parse(bytes, &parser);
    let mut starts: Vec<u64> = starts.iter().map(|&at| (at % (bytes.len() + 1)) as u64).chain([0]).collect();
    starts.sort_unstable();
    let ends = starts[1..].iter().copied().chain([u64::MAX]);
    let source = Short(bytes);
    let (mut events, mut in_parts, mut in_small_parts, mut error) = (Vec::new(), Vec::new(), Vec::new(), None);
    let mut at = 0;
    for (start, end) in starts.iter().copied().zip(ends) {
        let range = parser.split(&source).range(start..end).unwrap();
        if !range.is_empty() {
            assert_eq!(range.span().start, at, "no gap");
            at = range.span().end;
        }
        let mut reader = range.reader(&parser);
        loop {
            match reader.next_event() {
                Ok(Some(event)) => {
                    let event = event.to_owned();
                    events.push((reader.offset(), event));
                }
                Ok(None) => break,
                Err(fault) => {
                    error = fault.as_syntax().copied().or(error);
                    break;
                }
            }
        }
        let part = range.part().unwrap();
        assert_eq!(part.span(), range.span());
        _ = part.parse(&parser, |event, at| in_parts.push((at, event.to_owned())));
        let mut end = range.span().start;
        for part in range.parts(&parser).part_len(3) {
            let part = part.unwrap();
            assert_eq!(part.span().start, end);
            end = part.span().end;
            _ = part.parse(&parser, |event, at| in_small_parts.push((at, event.to_owned())));
        }
        assert_eq!(end, range.span().end);
    }
    assert_eq!(at, bytes.len() as u64, "up to the end");
    assert_eq!((&events, error.map(|error| error.code())), (&whole.events, whole.error.map(|(code, _)| code)));
    assert_eq!(in_parts, whole.events);
    // In strict mode, a part ends at its first error, and not the stream.
    if !rules.strict || whole.error.is_none() {
        assert_eq!(in_small_parts, whole.events);
    }
}

/// Each part, parsed alone, yields the events of its games in the whole.
pub fn parts_are_parsed_alone(bytes: &[u8], rules: &Rules) {
    let parser = parser(&Rules { strict: false, ..rules.clone() });
    let whole = parse(bytes, &parser);
    for n in [2, 5, usize::MAX] {
        let parts = parser.split(bytes).parts(n).unwrap();
        assert_eq!(parts.first().map(|part| part.start), Some(0));
        assert_eq!(parts.last().map(|part| part.end), Some(bytes.len() as u64));
        assert!(parts.windows(2).all(|two| two[0].end == two[1].start), "{parts:?}");
        let (mut events, mut error) = (Vec::new(), None);
        for part in parts {
            let (alone, start) = alone(&bytes[part.start as usize..part.end as usize], bytes, part.start);
            let Seen { events: more, error: fault, .. } = parse(&alone, &parser);
            events.extend(more.into_iter().map(|(at, event)| (at + start, event)));
            error = fault;
        }
        assert_eq!((&events, error), (&whole.events, whole.error), "left: {n} parts, right: the whole");
    }
}
