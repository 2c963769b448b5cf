//! The jobs: one over bytes that are there, from their first to their last.
//!
//! Consumers of events count them, and the bytes of the values: little enough to measure the
//! parser and not them, and enough that nothing can be left out. All jobs that give all events
//! must come to the same [`Tally`].

use std::hint::black_box;
use std::io::{BufRead, BufReader};
use std::ops::ControlFlow;

use memchr::{memchr_iter, memchr2_iter};
use serde::de::DeserializeOwned;
use sgf_stream::check::Checker;
use sgf_stream::property::{self, Context, ValueType};
use sgf_stream::tree::TreeBuilder;
use sgf_stream::{Event, Ident, Parser, RawValue, Skip, Visitor};

/// Chunks, and the buffers of readers, in bytes.
pub(crate) const CHUNK: usize = 64 * 1024;

/// What a consumer of all events saw.
///
/// No event changes two fields that stand side by side, and no field is changed by two kinds of
/// event. Once both was so: the compiler then added to two fields in one vector here and to one
/// by itself there, each had to wait for the other's store, and that was 40 % of `push`.
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

    /// How many events that were. Every tree that begins ends.
    pub(crate) fn events(&self) -> u64 {
        2 * self.trees + self.nodes + self.properties + self.values
    }
}

// --- The limits --------------------------------------------------------------------------------

/// Copies; the destination is as long, and has been written to before.
pub(crate) fn memcpy(bytes: &[u8], destination: &mut [u8]) {
    black_box(&mut *destination).copy_from_slice(black_box(bytes));
}

/// Counts both brackets, in one go each: memory speed.
pub(crate) fn memchr_count(bytes: &[u8]) -> usize {
    memchr_iter(b'[', bytes).count() + memchr_iter(b']', bytes).count()
}

/// Stops at every bracket, as a parser has to that is built on memchr.
pub(crate) fn memchr2_stops(bytes: &[u8]) -> usize {
    memchr2_iter(b'[', b']', bytes).count()
}

// --- All events --------------------------------------------------------------------------------

/// One slice, pushed.
pub(crate) fn push(parser: &Parser, bytes: &[u8]) -> Tally {
    let mut tally = Tally::default();
    parser.parse(bytes, |event, _| tally.add(event)).expect("a sound or lenient parse");
    tally
}

/// The same in chunks of 64 KiB.
pub(crate) fn chunks(parser: &Parser, bytes: &[u8]) -> Tally {
    chunks_of(CHUNK, parser, bytes)
}

/// The same in chunks of some length.
pub(crate) fn chunks_of(len: usize, parser: &Parser, bytes: &[u8]) -> Tally {
    let mut tally = Tally::default();
    let mut parser = parser.push();
    for chunk in bytes.chunks(len) {
        parser.feed(chunk, |event, _| tally.add(event)).expect("a sound or lenient parse");
    }
    parser.finish(|event, _| tally.add(event)).expect("a sound or lenient parse");
    tally
}

/// Pulled from a `BufReader` of 64 KiB. That it copies into its buffer is part of the job.
pub(crate) fn reader(parser: &Parser, bytes: &[u8]) -> Tally {
    pull(parser, BufReader::with_capacity(CHUNK, bytes))
}

/// Pulled from any stream.
pub(crate) fn pull(parser: &Parser, stream: impl BufRead) -> Tally {
    let mut tally = Tally::default();
    let mut reader = parser.reader(stream);
    while let Some(event) = reader.next_event().expect("a sound or lenient parse") {
        tally.add(event);
    }
    tally
}

/// Pulled from the slice.
pub(crate) fn slice(parser: &Parser, bytes: &[u8]) -> Tally {
    let mut tally = Tally::default();
    for event in parser.slice(bytes) {
        tally.add(event.expect("a sound or lenient parse"));
    }
    tally
}

// --- With the registry -------------------------------------------------------------------------

/// All events, and what each property is. Answers how many are moves.
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

/// All events, and each value read as what it is, leniently. Answers how many could be read.
pub(crate) fn typed(parser: &Parser, bytes: &[u8]) -> usize {
    let (context, mut property, mut read) = (Context::default(), None, 0);
    let handler = |event: Event<'_>, _| match event {
        Event::Property(ident) => property = property::lookup(ident, &context),
        Event::Value(value) => {
            let typed = property.and_then(|property| property.parse_lenient(value, &context).ok());
            read += usize::from(black_box(typed).is_some());
        }
        _ => {}
    };
    parser.parse(bytes, handler).expect("a sound or lenient parse");
    read
}

// --- Less than all -----------------------------------------------------------------------------

/// Takes the moves of the main line, as they are written, and leaves out all else.
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

/// The moves of all games, a vector a game. Answers how many there are.
pub(crate) fn main_line(parser: &Parser, bytes: &[u8]) -> usize {
    let mut reader = parser.slice(bytes);
    let mut moves = 0;
    while let Some(game) = reader.read_game(&mut MainLine).expect("a sound or lenient parse") {
        moves += black_box(game).len();
    }
    moves
}

/// The tree of every game, one after the other. Answers how many nodes they have.
pub(crate) fn trees(parser: &Parser, bytes: &[u8]) -> usize {
    let (mut reader, mut builder) = (parser.slice(bytes), TreeBuilder::new());
    let mut nodes = 0;
    while let Some(game) = reader.read_game(&mut builder).expect("a sound or lenient parse") {
        nodes += black_box(game).expect("a game that is not too long").len();
    }
    nodes
}

/// Skips every game. Answers how many there are.
pub(crate) fn skip_games(parser: &Parser, bytes: &[u8]) -> usize {
    let mut reader = parser.slice(bytes);
    let mut games = 0;
    while reader.skip_game().expect("a sound or lenient parse") {
        games += 1;
    }
    games
}

// --- More than events --------------------------------------------------------------------------

/// Games as values. Answers how many there are.
pub(crate) fn values<T: DeserializeOwned>(parser: &Parser, bytes: &[u8]) -> usize {
    parser.slice(bytes).games::<T>().filter(|game| black_box(game).is_ok()).count()
}

/// All rules of the checker over all events. Answers how many findings there are.
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
