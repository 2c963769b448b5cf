//! The laws of splitting. The property tests and the fuzz target make the cases.

use std::ops::Range;
use std::sync::OnceLock;

use rayon::{ThreadPool, ThreadPoolBuilder};
use sgf_stream::Parser;
use sgf_stream::parallel::ReadAt;

use super::{Rules, Seen, games, parse, parser};

/// Where the sequential reader ends each game.
pub fn ends(bytes: &[u8], parser: &Parser) -> Vec<u64> {
    let seen = parse(bytes, parser);
    let ends = games(&seen.events).into_iter().map(|game| {
        let (at, _) = game[game.len() - 1];
        // Without a `)` it ends in front of the next game, or with the data.
        at + u64::from(bytes.get(at as usize) == Some(&b')'))
    });
    ends.collect()
}

/// What the parts are if the ends are these: a cut is at the first end that is not in front of what
/// `next` makes of the one before, unless no game follows.
pub fn naive_parts(len: usize, ends: &[u64], mut next: impl FnMut(u64) -> Option<u64>) -> Vec<Range<u64>> {
    let (mut parts, mut start) = (Vec::new(), 0);
    let inner = &ends[..ends.len().saturating_sub(1)];
    while let Some(end) = next(start).and_then(|target| inner.iter().copied().find(|&end| end >= target)) {
        parts.push(start..end);
        start = end;
    }
    parts.push(start..len as u64);
    parts
}

/// The first of the offsets that part `len` bytes into `n`, behind an end.
pub fn nth_behind(len: usize, n: usize, end: u64) -> Option<u64> {
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

/// A pool of more than one thread, which is what it takes not to read in sequence.
pub fn pool() -> &'static ThreadPool {
    static POOL: OnceLock<ThreadPool> = OnceLock::new();
    POOL.get_or_init(|| ThreadPoolBuilder::new().num_threads(3).build().unwrap())
}

/// Splitting gives the ranges that the sequential reader would give.
pub fn same_as_in_sequence(bytes: &[u8], rules: &Rules, block_len: usize) {
    let usual = Rules { strict: false, max_value_len: 1 << 20, max_depth: 1 << 20, ..rules.clone() };
    let (parser, ends) = (parser(rules), ends(bytes, &parser(&usual)));
    let len = bytes.len();
    pool().install(|| {
        let split = parser.split(bytes).block_len(block_len);
        assert_eq!(split.every(0).unwrap(), naive_parts(len, &ends, |end| Some(end + 1)), "a part for each game");
        let source = Short(bytes);
        let split = parser.split(&source).block_len(block_len);
        for n in [1, 2, 3, 7] {
            let naive = naive_parts(len, &ends, |end| nth_behind(len, n, end));
            assert_eq!(split.parts(n).unwrap(), naive, "{n} parts");
            let size = (len / n + 1) as u64;
            let naive = naive_parts(len, &ends, |end| Some(end + size));
            assert_eq!(split.every(size).unwrap(), naive, "parts of {size} bytes");
            let found = split.boundary_at_or_after(size).unwrap();
            assert_eq!(found, ends.iter().copied().find(|&end| end >= size), "the first end from {size} on");
        }
    });
}

/// Each part, parsed alone, gives the events of its games in the whole.
pub fn parts_are_parsed_alone(bytes: &[u8], rules: &Rules, block_len: usize) {
    let parser = parser(&Rules { strict: false, ..rules.clone() });
    let whole = parse(bytes, &parser);
    for n in [2, 5, usize::MAX] {
        let parts = pool().install(|| parser.split(bytes).block_len(block_len).parts(n).unwrap());
        assert_eq!(parts.first().map(|part| part.start), Some(0));
        assert_eq!(parts.last().map(|part| part.end), Some(bytes.len() as u64));
        assert!(parts.windows(2).all(|two| two[0].end == two[1].start), "{parts:?}");
        let (mut events, mut error) = (Vec::new(), None);
        for part in parts {
            let Seen { events: more, error: fault, .. } =
                parse(&bytes[part.start as usize..part.end as usize], &parser);
            events.extend(more.into_iter().map(|(at, event)| (at + part.start, event)));
            error = fault;
        }
        assert_eq!((&events, error), (&whole.events, whole.error), "left: {n} parts, right: the whole");
    }
}
