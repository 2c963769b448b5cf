//! The jobs, each over a whole slice.
//!
//! Consumers of events count them, and the bytes of the values: cheap enough to measure the parser and not the
//! consumer, and enough that nothing can be optimized away. All jobs that produce all events must produce equal
//! [`Tally`]s.

use std::hint::black_box;
use std::io::{BufRead, BufReader};
use std::ops::ControlFlow;

use memchr::{memchr_iter, memchr2_iter};
use serde::de::DeserializeOwned;
use sgf_check::Checker;
use sgf_stream::property::{self, Context, ValueType};
use sgf_stream::tree::TreeBuilder;
use sgf_stream::{Event, Ident, Parser, RawValue, Skip, Visitor};

/// Size of chunks, and of the buffers of readers, in bytes.
pub(crate) const CHUNK: usize = 64 * 1024;

/// The counts of a consumer of all events.
///
/// No event changes two adjacent fields, and no field is changed by two kinds of events. Otherwise the compiler
/// adds to two fields as one vector in one place and to a single field in another, and the stores wait for each
/// other: that cost 40 % of `push`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) trees: u64,
    pub(crate) values: u64,
    pub(crate) nodes: u64,
    pub(crate) value_bytes: u64,
    pub(crate) properties: u64,
}

impl Tally {
    #[inline]
    pub(crate) fn add(&mut self, event: Event<'_>) {
        match event {
            Event::StartTree => self.trees += 1,
            Event::Node => self.nodes += 1,
            Event::Property(_) => self.properties += 1,
            Event::Value(value) => {
                self.values += 1;
                self.value_bytes += value.as_bytes().len() as u64;
            }
            _ => {}
        }
    }

    /// Returns the number of events. Every tree that begins ends.
    pub(crate) fn events(&self) -> u64 {
        2 * self.trees + self.nodes + self.properties + self.values
    }
}

// --- The limits --------------------------------------------------------------------------------

/// Copies to a destination of equal length that has been written to before.
pub(crate) fn memcpy(bytes: &[u8], destination: &mut [u8]) {
    black_box(&mut *destination).copy_from_slice(black_box(bytes));
}

/// Counts both brackets, one pass each, at memory speed.
pub(crate) fn memchr_count(bytes: &[u8]) -> usize {
    memchr_iter(b'[', bytes).count() + memchr_iter(b']', bytes).count()
}

/// Stops at every bracket, as a parser built on memchr must.
pub(crate) fn memchr2_stops(bytes: &[u8]) -> usize {
    memchr2_iter(b'[', b']', bytes).count()
}

// --- All events --------------------------------------------------------------------------------

/// Pushes one slice.
pub(crate) fn push(parser: &Parser, bytes: &[u8]) -> Tally {
    let mut tally = Tally::default();
    parser.parse(bytes, |event, _| tally.add(event)).expect("a sound or lenient parse");
    tally
}

/// Pushes chunks of 64 KiB.
pub(crate) fn chunks(parser: &Parser, bytes: &[u8]) -> Tally {
    chunks_of(CHUNK, parser, bytes)
}

/// Pushes chunks of a given length.
pub(crate) fn chunks_of(len: usize, parser: &Parser, bytes: &[u8]) -> Tally {
    let mut tally = Tally::default();
    let mut parser = parser.push();
    for chunk in bytes.chunks(len) {
        parser.feed(chunk, |event, _| tally.add(event)).expect("a sound or lenient parse");
    }
    parser.finish(|event, _| tally.add(event)).expect("a sound or lenient parse");
    tally
}

/// Pulls from a `BufReader` of 64 KiB, including the copy into its buffer.
pub(crate) fn reader(parser: &Parser, bytes: &[u8]) -> Tally {
    pull(parser, BufReader::with_capacity(CHUNK, bytes))
}

/// Pulls from any stream.
pub(crate) fn pull(parser: &Parser, stream: impl BufRead) -> Tally {
    let mut tally = Tally::default();
    let mut reader = parser.reader(stream);
    while let Some(event) = reader.next_event().expect("a sound or lenient parse") {
        tally.add(event);
    }
    tally
}

/// Pulls from the slice.
pub(crate) fn slice(parser: &Parser, bytes: &[u8]) -> Tally {
    let mut tally = Tally::default();
    for event in parser.slice(bytes) {
        tally.add(event.expect("a sound or lenient parse"));
    }
    tally
}

/// Lets the slice send its events.
pub(crate) fn slice_each(parser: &Parser, bytes: &[u8]) -> Tally {
    let mut tally = Tally::default();
    parser.slice(bytes).for_each(|event| tally.add(event.expect("a sound or lenient parse")));
    tally
}

/// Lets a `BufReader` of 64 KiB send its events, including the copy into its buffer.
pub(crate) fn reader_each(parser: &Parser, bytes: &[u8]) -> Tally {
    let mut tally = Tally::default();
    let mut reader = parser.reader(BufReader::with_capacity(CHUNK, bytes));
    let read = reader.for_each_event(|event, _| {
        tally.add(event);
        ControlFlow::<()>::Continue(())
    });
    assert!(read.expect("a sound or lenient parse").is_continue());
    tally
}

// --- With the registry -------------------------------------------------------------------------

/// Looks up the property of every event. Returns the number of moves.
pub(crate) fn looked_up(parser: &Parser, bytes: &[u8]) -> usize {
    let (context, mut moves) = (Context::default(), 0);
    let handler = |event: Event<'_>, _| {
        if let Event::Property(ident) = event {
            let property = property::lookup(ident, &context);
            moves += usize::from(property.is_some_and(|found| found.value_type() == ValueType::Move));
        }
    };
    parser.parse(bytes, handler).expect("a sound or lenient parse");
    moves
}

/// Parses each value leniently as its type. Returns the number of values that could be parsed. (They are looked at where they
/// lie: to move one means to wait for the stores that have just written it, which takes longer than to parse it.)
pub(crate) fn typed(parser: &Parser, bytes: &[u8]) -> usize {
    let (context, mut property, mut read) = (Context::default(), None, 0);
    let handler = |event: Event<'_>, _| match event {
        Event::Property(ident) => property = property::lookup(ident, &context),
        Event::Value(value) => {
            let typed = property.map(|property| property.parse_lenient(value, &context));
            read += usize::from(matches!(black_box(&typed), Some(Ok(_))));
        }
        _ => {}
    };
    parser.parse(bytes, handler).expect("a sound or lenient parse");
    read
}

// --- Less than all -----------------------------------------------------------------------------

/// Collects the raw moves of the main line and skips everything else.
struct MainLine;

impl Visitor for MainLine {
    type Game = Vec<[u8; 2]>;
    type Output = Vec<[u8; 2]>;

    fn begin_game(&mut self, _offset: u64) -> ControlFlow<Self::Output, Self::Game> {
        ControlFlow::Continue(Vec::with_capacity(256))
    }

    #[inline]
    fn property(&mut self, _: &mut Self::Game, ident: Ident<'_>, _: u64) -> ControlFlow<Self::Output, Skip> {
        ControlFlow::Continue(if ident == "B" || ident == "W" { Skip::No } else { Skip::Yes })
    }

    #[inline]
    fn value(&mut self, moves: &mut Self::Game, value: RawValue<'_>, _: u64) -> ControlFlow<Self::Output> {
        if let Ok(point) = value.as_bytes().try_into() {
            moves.push(point);
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, moves: Self::Game) -> Self::Output {
        moves
    }
}

/// Collects the moves of all games, one vector for each game. Returns the number of moves.
pub(crate) fn main_line(parser: &Parser, bytes: &[u8]) -> usize {
    let mut reader = parser.slice(bytes);
    let mut moves = 0;
    while let Some(game) = reader.read_game(&mut MainLine).expect("a sound or lenient parse") {
        moves += black_box(game).len();
    }
    moves
}

/// Builds the tree of every game in turn. Returns the number of nodes.
pub(crate) fn trees(parser: &Parser, bytes: &[u8]) -> usize {
    let (mut reader, mut builder) = (parser.slice(bytes), TreeBuilder::new());
    let mut nodes = 0;
    while let Some(game) = reader.read_game(&mut builder).expect("a sound or lenient parse") {
        nodes += black_box(game).expect("a game that is not too long").len();
    }
    nodes
}

/// Skips every game. Returns the number of games.
pub(crate) fn skip_games(parser: &Parser, bytes: &[u8]) -> usize {
    let mut reader = parser.slice(bytes);
    let mut games = 0;
    while reader.skip_game().expect("a sound or lenient parse") {
        games += 1;
    }
    games
}

// --- More than events --------------------------------------------------------------------------

/// Deserializes all games. Returns their number.
pub(crate) fn values<T: DeserializeOwned>(parser: &Parser, bytes: &[u8]) -> usize {
    parser.slice(bytes).games::<T>().filter(|game| black_box(game).is_ok()).count()
}

/// Applies all rules of the checker. Returns the number of findings.
pub(crate) fn check(bytes: &[u8]) -> u64 {
    let mut findings = 0;
    let mut checker = Checker::new(|finding| {
        black_box(finding);
        findings += 1;
    });
    checker.check(bytes).expect("a slice can be read");
    drop(checker);
    findings
}
