//! Code that the tests and the fuzz targets share: every reader of the parser, run in one way; the model, the inputs
//! and the tables to compare them with; the laws; and the files of `../shared`.

#![allow(unreachable_pub)] // it is public to the fuzz targets

#[cfg(feature = "charset")]
pub mod charset;
#[cfg(feature = "codec")]
pub mod codec;
pub mod convert;
#[cfg(feature = "serde")]
pub mod de;
pub mod each_event;
pub mod fix;
pub mod generate;
#[cfg(feature = "serde")]
pub mod json;
pub mod laws;
pub mod naive;
#[cfg(feature = "parallel")]
pub mod parallel;
pub mod search;
pub mod shared;
#[cfg(feature = "parallel")]
pub mod split;
pub mod table;
pub mod targets;
pub mod tree;
pub mod values;
pub mod whole_games;
pub mod writer;

use std::io::{BufRead, BufReader};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

use sgf_stream::{Diagnostic, Error, Event, Flow, OwnedEvent, Parser, Reader, SliceReader, SyntaxError};

pub use quickcheck::holds;

pub use each_event::{EachEvent, Handler};
pub use naive::{Finding, Given, Rules, Seen};

/// The parser that obeys these rules.
pub fn parser(rules: &Rules) -> Parser {
    let parser = if rules.strict { Parser::strict() } else { Parser::new() };
    let parser =
        parser.max_value_len(rules.max_value_len).max_ident_len(rules.max_ident_len).max_depth(rules.max_depth);
    match rules.given {
        Given::Nothing => parser,
        #[cfg(feature = "charset")]
        given => parser.charset(decoding(given)),
        #[cfg(not(feature = "charset"))]
        given => panic!("{given:?} takes the feature `charset`"),
    }
}

/// The decoding that means the same for the parser.
#[cfg(feature = "charset")]
fn decoding(given: Given) -> sgf_stream::charset::Decoding {
    use sgf_stream::charset::{Charset, Decoding};

    let charset = |charset: naive::Charset| match charset {
        naive::Charset::ShiftJis => Charset::SHIFT_JIS,
        naive::Charset::Big5 => Charset::BIG5,
        naive::Charset::Gbk => Charset::GBK,
        naive::Charset::Gb18030 => Charset::GB18030,
    };
    match given {
        Given::Nothing => Decoding::new(),
        Given::Default(default) => Decoding::new().default_charset(charset(default)),
        Given::Forced(forced) => Decoding::new().force(forced.map_or(Charset::WINDOWS_1252, charset)),
    }
}

/// Runs a parser that is listened to, and one that is not, which must make no difference.
pub fn listening(parser: &Parser, run: impl Fn(&Parser) -> Seen) -> Seen {
    let (seen, findings) = heard(parser, &run);
    assert_eq!(run(parser), seen, "left: nobody listens, right: somebody does");
    Seen { findings, ..seen }
}

/// Runs a parser that is listened to. Returns its result, and the diagnostics.
pub fn heard<T>(parser: &Parser, run: impl FnOnce(&Parser) -> T) -> (T, Vec<Finding>) {
    let findings: Arc<Mutex<Vec<Finding>>> = Arc::default();
    let heard = Arc::clone(&findings);
    let listener = move |found: &Diagnostic| heard.lock().unwrap().push((found.code, found.position));
    let result = run(&parser.clone().on_diagnostic(listener));
    let findings = std::mem::take(&mut *findings.lock().unwrap());
    (result, findings)
}

pub fn finding(error: SyntaxError) -> Finding {
    (error.code(), error.position())
}

/// The byte-order mark of UTF-8.
pub const BOM: &[u8] = b"\xEF\xBB\xBF";

/// Bytes of a stream as they are read alone, and the offset at which they start in the stream: after the byte-order mark of
/// the stream, if it has one, which says what charset all of it is in.
#[cfg(any(feature = "codec", feature = "parallel", feature = "serde"))]
pub fn alone<'b>(bytes: &'b [u8], stream: &[u8], at: u64) -> (std::borrow::Cow<'b, [u8]>, u64) {
    use std::borrow::Cow;

    match stream.starts_with(BOM) && at > 0 {
        true => (Cow::Owned([BOM, bytes].concat()), at - BOM.len() as u64),
        false => (Cow::Borrowed(bytes), at),
    }
}

/// One slice.
pub fn parse(bytes: &[u8], parser: &Parser) -> Seen {
    parse_with(bytes, parser, |_, _| Flow::Continue)
}

/// One slice, and a handler that answers.
pub fn parse_with(bytes: &[u8], parser: &Parser, answer: impl Fn(Event<'_>, u64) -> Flow) -> Seen {
    listening(parser, |parser| {
        let mut events = Vec::new();
        let handler: Handler<'_> = &mut |event, at| {
            events.push((at, event.to_owned()));
            answer(event, at)
        };
        let result = parser.parse(bytes, handler);
        Seen::new(events, result.err().map(finding))
    })
}

/// Chunks of these sizes, again and again.
pub fn push(bytes: &[u8], sizes: &[usize], parser: &Parser) -> Seen {
    push_with(bytes, sizes, parser, |_, _| Flow::Continue)
}

/// Chunks, and a handler that answers. After a break it goes on where it was. A chunk of 0 bytes
/// is one too, and not the end.
pub fn push_with(bytes: &[u8], sizes: &[usize], parser: &Parser, answer: impl Fn(Event<'_>, u64) -> Flow) -> Seen {
    assert!(sizes.iter().any(|&size| size > 0), "chunks that never get anywhere");
    listening(parser, |parser| {
        let mut events = Vec::new();
        let handler: Handler<'_> = &mut |event, at| {
            events.push((at, event.to_owned()));
            answer(event, at)
        };
        let mut push = parser.push();
        let mut rest = bytes;
        for &size in sizes.iter().cycle() {
            if rest.is_empty() {
                break;
            }
            let (chunk, after) = rest.split_at(size.min(rest.len()));
            rest = after;
            let mut flow = push.feed(chunk, &mut *handler);
            while flow == Ok(Flow::Break) {
                flow = push.feed(&[], &mut *handler);
            }
        }
        // After an error, every call has said the same again, and nothing else.
        let result = loop {
            match push.finish(&mut *handler) {
                Ok(Flow::Break) => {}
                result => break result,
            }
        };
        Seen::new(events, result.err().map(finding))
    })
}

/// The interface that both readers have.
pub trait Pull {
    fn pull(&mut self) -> Result<Option<(u64, OwnedEvent)>, Finding>;
    fn skip(&mut self) -> Result<bool, Finding>;
    fn is_in_game(&self) -> bool;

    /// The events up to the end, or an error.
    fn drain(&mut self, events: &mut Vec<(u64, OwnedEvent)>) -> Result<(), Finding> {
        while let Some(event) = self.pull()? {
            events.push(event);
        }
        Ok(())
    }
}

impl Pull for SliceReader<'_> {
    fn pull(&mut self) -> Result<Option<(u64, OwnedEvent)>, Finding> {
        let event = self.next().transpose().map_err(finding)?;
        Ok(event.map(|event| (self.offset(), event.to_owned())))
    }

    fn skip(&mut self) -> Result<bool, Finding> {
        self.skip_game().map_err(finding)
    }

    fn is_in_game(&self) -> bool {
        self.depth() > 0
    }
}

impl<R: BufRead> Pull for Reader<R> {
    fn pull(&mut self) -> Result<Option<(u64, OwnedEvent)>, Finding> {
        let event = self.next_event().map_err(syntax)?.map(Event::to_owned);
        Ok(event.map(|event| (self.offset(), event)))
    }

    fn skip(&mut self) -> Result<bool, Finding> {
        self.skip_game().map_err(syntax)
    }

    fn is_in_game(&self) -> bool {
        self.depth() > 0
    }
}

pub fn syntax(error: Error) -> Finding {
    finding(*error.as_syntax().expect("memory can be read"))
}

/// The reader of slices.
pub fn read_slice(bytes: &[u8], parser: &Parser) -> Seen {
    read(parser, |parser| parser.slice(bytes))
}

/// The reader of streams, over a buffer of some size.
pub fn read_stream(bytes: &[u8], capacity: usize, parser: &Parser) -> Seen {
    read(parser, |parser| parser.reader(BufReader::with_capacity(capacity, bytes)))
}

fn read<P: Pull>(parser: &Parser, reader: impl Fn(&Parser) -> P) -> Seen {
    listening(parser, |parser| {
        let mut reader = reader(parser);
        let mut events = Vec::new();
        let error = reader.drain(&mut events).err();
        assert_eq!(reader.pull(), Ok(None), "after its end it stays there");
        Seen::new(events, error)
    })
}

/// The reader of slices as an iterator that is folded, after some events.
pub fn fold_slice(bytes: &[u8], taken: usize, parser: &Parser) -> Seen {
    listening(parser, |parser| {
        let mut reader = parser.slice(bytes);
        let mut events: Vec<_> = (0..taken).filter_map(|_| reader.next()).collect();
        let taken = events.len();
        let folded = reader.fold(events.split_off(taken), |mut events, event| {
            events.push(event);
            events
        });
        events.extend(folded);
        let error = match events.last() {
            Some(Err(error)) => Some(finding(*error)),
            _ => None,
        };
        let events = events.into_iter().filter_map(Result::ok).map(|event| (0, event.to_owned()));
        Seen::new(events.collect(), error)
    })
}

/// Readers that send events to a closure: `for_each_event`, which breaks after so many events, and then as many of them
/// one by one.
pub fn read_each<P: Each>(many: usize, parser: &Parser, reader: impl Fn(&Parser) -> P) -> Seen {
    listening(parser, |parser| {
        let mut reader = reader(parser);
        let mut events = Vec::new();
        let result = loop {
            let before = events.len();
            let stopped = reader.each(&mut |event, at| {
                events.push((at, event.to_owned()));
                if events.len() - before >= many { ControlFlow::Break(at) } else { ControlFlow::Continue(()) }
            });
            match stopped {
                Err(error) => break Err(error),
                Ok(ControlFlow::Continue(())) => break reader.pull().map(|none| assert_eq!(none, None)),
                Ok(ControlFlow::Break(at)) => assert_eq!(reader.last_offset(), at),
            }
            assert_eq!(reader.is_in_game(), depth_after(0, &events) > 0);
            for _ in 0..many {
                match reader.pull() {
                    Ok(event) => events.extend(event),
                    Err(error) => return Seen::new(events, Some(error)),
                }
            }
        };
        Seen::new(events, result.err())
    })
}

/// A closure that may break.
type Breaker<'h> = &'h mut dyn FnMut(Event<'_>, u64) -> ControlFlow<u64>;

/// What both readers send to a closure.
pub trait Each: Pull {
    fn each(&mut self, handler: Breaker<'_>) -> Result<ControlFlow<u64>, Finding>;
    fn last_offset(&self) -> u64;
}

impl Each for SliceReader<'_> {
    fn each(&mut self, handler: Breaker<'_>) -> Result<ControlFlow<u64>, Finding> {
        self.for_each_event(handler).map_err(finding)
    }

    fn last_offset(&self) -> u64 {
        self.offset()
    }
}

impl<R: BufRead> Each for Reader<R> {
    fn each(&mut self, handler: Breaker<'_>) -> Result<ControlFlow<u64>, Finding> {
        self.for_each_event(handler).map_err(syntax)
    }

    fn last_offset(&self) -> u64 {
        self.offset()
    }
}

/// Runs every reader. They must agree in everything, including the order of their reports.
pub fn every_front_end(bytes: &[u8], parser: &Parser) -> Seen {
    let seen = parse(bytes, parser);
    for sizes in [&[1][..], &[2], &[3], &[7, 0, 1], &[64], &[bytes.len().max(1)]] {
        assert_eq!(push(bytes, sizes, parser), seen, "left: chunks of {sizes:?} bytes, right: one slice");
    }
    assert_eq!(read_slice(bytes, parser), seen, "left: the slice reader, right: one slice");
    for capacity in [1, 2, 3, 7, 64 * 1024] {
        let read = read_stream(bytes, capacity, parser);
        assert_eq!(read, seen, "left: a reader with a buffer of {capacity} bytes, right: one slice");
    }
    let without_offsets = |seen: &Seen| {
        let events = seen.events.iter().map(|(_, event)| (0, event.clone())).collect();
        Seen { events, ..seen.clone() }
    };
    for taken in [0, 3] {
        let folded = fold_slice(bytes, taken, parser);
        assert_eq!(folded, without_offsets(&seen), "left: the slice reader, folded after {taken}, right: one slice");
    }
    for many in [2, usize::MAX] {
        let read = read_each(many, parser, |parser| parser.slice(bytes));
        assert_eq!(read, seen, "left: the slice reader, each {many} events, right: one slice");
        let read = read_each(many, parser, |parser| parser.reader(BufReader::with_capacity(7, bytes)));
        assert_eq!(read, seen, "left: a reader, each {many} events, right: one slice");
    }
    #[cfg(feature = "codec")]
    for size in [1, 7, 64 * 1024] {
        let decoded = codec::events(bytes, &[size], parser);
        assert_eq!(decoded, seen, "left: the codec and chunks of {size} bytes, right: one slice");
        let decoded = codec::event_lists(bytes, &[size], parser);
        assert_eq!(decoded, seen, "left: the codec of lists and chunks of {size} bytes, right: one slice");
    }
    seen
}

pub type Events = [(u64, OwnedEvent)];

/// The events of each game.
pub fn games(events: &Events) -> Vec<&Events> {
    let (mut games, mut rest) = (Vec::new(), events);
    while let [_, after @ ..] = rest {
        let len = 1 + tree_len(after, 1);
        games.push(&rest[..len]);
        rest = &rest[len..];
    }
    games
}

/// Number of trees that are open after these events.
pub fn depth_after(depth: usize, events: &Events) -> usize {
    events.iter().fold(depth, |depth, (_, event)| match event {
        OwnedEvent::StartTree => depth + 1,
        OwnedEvent::EndTree => depth - 1,
        _ => depth,
    })
}

/// How many events there are until so many open trees have ended.
pub fn tree_len(events: &Events, mut depth: usize) -> usize {
    let mut len = 0;
    while depth > 0 {
        depth = depth_after(depth, &events[len..=len]);
        len += 1;
    }
    len
}
