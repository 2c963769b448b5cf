//! The parts of a stream, and their laws. The property tests and the fuzz target make the cases.

use std::io::{self, Read};

use sgf_stream::parts::{Next, Part, Parts};
use sgf_stream::{Code, Error, Event, LineCounter, Parser, Position, SyntaxError};

use super::whole_games::{self, WholeGame, read_games};
use super::{Rules, Seen, finding, listening, parse, parser, syntax};

/// A stream that comes in chunks of these sizes, again and again.
pub struct Trickle<'a> {
    rest: &'a [u8],
    sizes: std::iter::Cycle<std::slice::Iter<'a, usize>>,
}

pub fn trickle<'a>(bytes: &'a [u8], sizes: &'a [usize]) -> Trickle<'a> {
    assert!(sizes.iter().any(|&size| size > 0), "chunks that never get anywhere");
    Trickle { rest: bytes, sizes: sizes.iter().cycle() }
}

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let size = self.sizes.find(|&&size| size > 0).map_or(1, |&size| size);
        let len = size.min(buffer.len()).min(self.rest.len());
        let (chunk, rest) = self.rest.split_at(len);
        buffer[..len].copy_from_slice(chunk);
        self.rest = rest;
        Ok(len)
    }
}

/// How a stream is cut.
#[derive(Clone, Debug)]
pub struct Cut {
    pub part_len: usize,
    pub max_game_len: usize,
    pub whole_pieces: bool,
}

impl Cut {
    fn parts<R: Read>(&self, parser: &Parser, stream: R) -> Parts<R> {
        let parts = parser.parts(stream).part_len(self.part_len);
        if self.whole_pieces { parts.whole_pieces() } else { parts }
    }
}

/// Concatenated, parts equal the stream: their bytes, events, offsets and diagnostics. In strict mode, their games
/// do.
pub fn parts(bytes: &[u8], rules: &Rules, cut: &Cut, sizes: &[usize]) {
    let parser = parser(rules).max_game_len(cut.max_game_len);
    if rules.strict {
        assert_eq!(games_of_parts(bytes, &parser, cut, sizes), read_games(bytes, &parser), "left: parts, right: whole");
        return;
    }
    let seen = listening(&parser, |parser| events_of_parts(bytes, parser, cut, sizes));
    let [seen, whole] = [seen, parse(bytes, &parser)].map(without_lost_limits);
    assert_eq!(seen, whole, "left: parts, right: one slice");
}

/// The parts of a slice are the slice.
pub fn slice(bytes: &[u8], rules: &Rules, cut: &Cut) {
    let parser = parser(rules);
    if rules.strict && parse(bytes, &parser).error.is_some() {
        return; // a faulty game may end elsewhere, and the events of each part end with its first fault
    }
    let seen = listening(&parser, |parser| {
        let (mut events, mut error, mut at) = (Vec::new(), None, 0);
        for part in parser.par_slice(bytes).part_len(cut.part_len).parts() {
            assert_eq!(part.span().start, at);
            at = part.span().end;
            let parsed = part.parse(parser, |event, at| events.push((at, event.to_owned())));
            error = error.or(parsed.err().map(finding));
        }
        assert_eq!(at, bytes.len() as u64);
        Seen::new(events, error)
    });
    let [seen, whole] = [seen, parse(bytes, &parser)].map(without_lost_limits);
    assert_eq!(seen, whole, "left: parts, right: one slice");
}

/// Where a game is cut off by the next one, and the part ends there, limits are not met that whoever sees more
/// meets on the way.
fn without_lost_limits(mut seen: Seen) -> Seen {
    let is_cut_off = |code| matches!(code, Code::MissingCloseBracket | Code::MissingCloseParen);
    if seen.findings.iter().any(|&(code, _)| is_cut_off(code)) {
        seen.findings.retain(|&(code, _)| !matches!(code, Code::ValueTooLong | Code::TreeTooDeep));
    }
    seen
}

fn events_of_parts(bytes: &[u8], parser: &Parser, cut: &Cut, sizes: &[usize]) -> Seen {
    let mut whole = Whole::new(bytes);
    let (mut events, mut error) = (Vec::new(), None);
    let mut parts = cut.parts(parser, trickle(bytes, sizes));
    while let Some(next) = parts.next_part().unwrap() {
        match next {
            Next::Part(part) => {
                whole.part(&part, cut, parser);
                let parsed = part.parse(parser, |event, at| events.push((at, event.to_owned())));
                error = parsed.err().map(finding);
            }
            Next::Long(game) => {
                whole.after_long = true;
                let mut reader = game.reader(parser);
                error = loop {
                    match reader.next_event().map(|event| event.map(Event::to_owned)) {
                        Ok(Some(event)) => events.push((reader.offset(), event)),
                        Ok(None) => break None,
                        Err(fault) => break Some(syntax(fault)),
                    }
                };
                whole.games += u64::from(reader.game_offset().is_some());
            }
        }
    }
    let games = events.iter().zip(depths(&events)).filter(|&(_, depth)| depth == 0).count() as u64 / 2;
    assert!(games <= whole.games, "{games} of {} games", whole.games); // those too deep count, and have no events
    Seen::new(events, error)
}

/// How many trees are open around each bracket: 0 for those of games.
fn depths(events: &super::Events) -> impl Iterator<Item = i64> {
    use sgf_stream::OwnedEvent::{EndTree, StartTree};
    let mut depth = 0;
    events.iter().map(move |(_, event)| match event {
        StartTree => {
            depth += 1;
            depth - 1
        }
        EndTree => {
            depth -= 1;
            depth
        }
        _ => depth,
    })
}

fn games_of_parts(bytes: &[u8], parser: &Parser, cut: &Cut, sizes: &[usize]) -> Vec<WholeGame> {
    let mut whole = Whole::new(bytes);
    let mut told = Vec::new();
    let mut parts = cut.parts(parser, trickle(bytes, sizes));
    while let Some(next) = parts.next_part().unwrap() {
        match next {
            Next::Part(part) => {
                whole.part(&part, cut, parser);
                let mut reader = part.reader(parser);
                told.extend(std::iter::from_fn(|| {
                    reader.read_game(&mut whole_games::Events).map_err(syntax).transpose()
                }));
            }
            Next::Long(game) => {
                whole.after_long = true;
                let mut reader = game.reader(parser);
                told.extend(std::iter::from_fn(|| {
                    reader.read_game(&mut whole_games::Events).map_err(syntax).transpose()
                }));
            }
        }
    }
    told
}

/// The result that the parts must add up to.
struct Whole<'a> {
    rest: &'a [u8],
    at: u64,
    games: u64,
    /// Nothing is known of where the next part begins, after a long game.
    after_long: bool,
}

impl<'a> Whole<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Whole { rest: bytes, at: 0, games: 0, after_long: false }
    }

    fn part(&mut self, part: &Part<'_>, cut: &Cut, parser: &Parser) {
        let at = part.span().start;
        if std::mem::take(&mut self.after_long) {
            self.rest = &self.rest[(at - self.at) as usize..];
            self.at = at;
        }
        assert_eq!(at, self.at);
        let (bytes, rest) = self.rest.split_at(part.bytes().len());
        assert_eq!(part.bytes(), bytes);
        let most = cut.part_len + cut.max_game_len + 64 * 1024;
        assert!(bytes.len() <= most, "{} bytes", bytes.len());
        self.rest = rest;
        self.at += bytes.len() as u64;
        self.games += part.game_count(parser);
    }
}

/// In lenient mode: as an iterator, games that are too long are errors that say where they start, and everything else
/// is the same.
pub fn long_games_are_errors(bytes: &[u8], rules: &Rules, cut: &Cut, sizes: &[usize]) {
    let parser = parser(&Rules { strict: false, ..rules.clone() }).max_game_len(cut.max_game_len);
    let make = || cut.parts(&parser, trickle(bytes, sizes));
    let told: Vec<_> = make().map(|part| part.map(|part| part.span()).map_err(|error| long_at(&error))).collect();
    let (mut expected, mut parts) = (Vec::new(), make());
    while let Some(next) = parts.next_part().unwrap() {
        match next {
            Next::Part(part) => expected.push(Ok(part.span())),
            Next::Long(game) => {
                let mut reader = game.reader(&parser);
                let skipped = reader.skip_game();
                if let (Some(_), _) | (_, Err(_)) = (reader.game_offset(), skipped) {
                    expected.push(Err(reader.game_offset().map(|at| position(bytes, at))));
                }
            }
        }
    }
    assert_eq!(told, expected, "left: the iterator");
}

/// Where a game starts that is too long; nothing for other errors.
fn long_at(error: &Error) -> Option<Position> {
    error.as_syntax().filter(|error| error.code() == Code::GameTooLong).map(SyntaxError::position)
}

/// An offset with its line and column.
fn position(bytes: &[u8], offset: u64) -> Position {
    let mut lines = LineCounter::default();
    lines.advance(&bytes[..offset as usize]);
    lines.position()
}
