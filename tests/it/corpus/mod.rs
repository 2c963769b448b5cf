//! The real files of `../shared/corpus`: their events, their games, and what their moves and points
//! are read as (`corpus/moves.rs`). Without the folder the tests say so and pass.

mod moves;
mod walk;

use std::io::BufReader;
use std::path::Path;

use sgf_stream::{DiagnosticLog, Event, Flow, OwnedEvent, Parser};

use crate::support::shared::corpus;
use crate::support::{EachEvent, Handler};

/// Calls a test for every file, on all cores.
fn for_each_file(test: impl Fn(&Path, &[u8]) + Sync) {
    let files = corpus();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for core in 0..cores {
            let (files, test) = (&files, &test);
            scope.spawn(move || {
                for path in files.iter().skip(core).step_by(cores) {
                    test(path, &std::fs::read(path).unwrap());
                }
            });
        }
    });
    eprintln!("{} files", files.len());
}

/// Events, in order, as one number.
struct Digest(u64, u64);

impl Digest {
    fn new() -> Self {
        Digest(0xCBF2_9CE4_8422_2325, 0)
    }

    fn add_number(&mut self, number: u64) {
        self.0 = (self.0 ^ number).wrapping_mul(0x100_0000_01B3).rotate_left(29);
    }

    fn add_bytes(&mut self, bytes: &[u8]) {
        for eight in bytes.chunks(8) {
            let mut padded = [0; 8];
            padded[..eight.len()].copy_from_slice(eight);
            self.add_number(u64::from_le_bytes(padded));
        }
        self.add_number(bytes.len() as u64);
    }

    fn add_event(&mut self, event: Event<'_>) {
        self.1 += 1;
        match event {
            Event::StartTree => self.add_number(1),
            Event::Node => self.add_number(2),
            Event::Property(ident) => self.add_bytes(ident.as_bytes()),
            Event::Value(value) => self.add_bytes(value.as_bytes()),
            Event::EndTree => self.add_number(3),
            _ => unreachable!("no parts were asked for"),
        }
    }

    fn add(&mut self, event: Event<'_>, at: u64) {
        self.add_event(event);
        self.add_number(at);
    }

    fn end(self, error: Option<String>) -> (u64, u64, Option<String>) {
        (self.0, self.1, error)
    }
}

type Read = (u64, u64, Option<String>);

fn parse(bytes: &[u8], parser: &Parser) -> Read {
    let mut digest = Digest::new();
    let result = parser.each_event(bytes, |event, at| digest.add(event, at));
    digest.end(result.err().map(|e| e.to_string()))
}

fn push(bytes: &[u8], size: usize, parser: &Parser) -> Read {
    let mut digest = Digest::new();
    let handler: Handler<'_> = &mut |event, at| {
        digest.add(event, at);
        Flow::Continue
    };
    let mut push = parser.push();
    for chunk in bytes.chunks(size) {
        if push.feed(chunk, &mut *handler).is_err() {
            break;
        }
    }
    let result = push.finish(handler);
    digest.end(result.err().map(|e| e.to_string()))
}

fn slice(bytes: &[u8], parser: &Parser) -> Read {
    let mut digest = Digest::new();
    let mut error = None;
    let mut reader = parser.slice(bytes);
    while let Some(event) = reader.next() {
        match event {
            Ok(event) => digest.add(event, reader.offset()),
            Err(e) => error = Some(e.to_string()),
        }
    }
    digest.end(error)
}

fn stream(bytes: &[u8], capacity: usize, parser: &Parser) -> Read {
    let mut digest = Digest::new();
    let mut reader = parser.reader(BufReader::with_capacity(capacity, bytes));
    loop {
        match reader.next_event() {
            Ok(Some(event)) => digest.add_event(event),
            Ok(None) => return digest.end(None),
            Err(error) => return digest.end(Some(error.to_string())),
        }
        digest.add_number(reader.offset());
    }
}

#[test]
fn every_front_end_reads_every_file_alike() {
    for_each_file(|path, bytes| {
        for parser in [Parser::new(), Parser::strict()] {
            let expected = parse(bytes, &parser);
            let heard = parser.clone().log_to(&DiagnosticLog::new(0));
            assert_eq!(parse(bytes, &heard), expected, "{}: with a listener", path.display());
            assert_eq!(push(bytes, 1, &parser), expected, "{}: in single bytes", path.display());
            assert_eq!(push(bytes, 1021, &parser), expected, "{}: in pieces", path.display());
            assert_eq!(slice(bytes, &parser), expected, "{}: as a slice", path.display());
            assert_eq!(stream(bytes, 64 * 1024, &parser), expected, "{}: as a stream", path.display());
            assert_eq!(stream(bytes, 7, &parser), expected, "{}: with a tiny buffer", path.display());
        }
    });
}

#[test]
fn what_strict_mode_accepts_lenient_mode_reads_alike_and_without_a_word() {
    for_each_file(|path, bytes| {
        let strict = parse(bytes, &Parser::strict());
        if strict.2.is_none() {
            let log = DiagnosticLog::new(10);
            assert_eq!(parse(bytes, &Parser::new().log_to(&log)), strict, "{}", path.display());
            assert_eq!(log.take(), [], "{}", path.display());
        }
    });
}

/// Cuts every sound file at some bytes, puts another sound file after it, glued and on a line of its
/// own, and counts how often that one survives whole. Printed, since these are figures of the guide;
/// held to floors, so that a change that loses games is seen.
#[test]
fn a_sound_file_after_a_file_cut_anywhere_survives() {
    const CUTS: u64 = 2;
    const FLOOR: f64 = 99.0;
    let sound: Vec<Vec<u8>> = corpus()
        .iter()
        .map(|path| std::fs::read(path).unwrap())
        .filter(|bytes| Parser::strict().each_event(bytes, |_, _| {}).is_ok())
        .collect();
    // Numbers that look random, and are the same in every run.
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let joints = [("glued", ""), ("on a new line", "\n")];
    let (mut survived, mut cuts) = ([0, 0], 0);
    for bytes in &sound {
        for _ in 0..CUTS {
            let cut = random(bytes.len());
            let follower = &sound[random(sound.len())];
            cuts += 1;
            for ((_, joint), survived) in joints.iter().zip(&mut survived) {
                let file = [&bytes[..cut], joint.as_bytes(), follower].concat();
                *survived += u64::from(survives(&file, cut + joint.len(), follower));
            }
        }
    }
    for ((how, _), survived) in joints.iter().zip(survived).filter(|_| cuts > 0) {
        let share = 100.0 * survived as f64 / cuts as f64;
        eprintln!("{how}: {survived} of {cuts} files after a cut file survive ({share:.2} %)");
        assert!(share > FLOOR, "{how}, only {share:.2} % survive");
    }
}

/// Whether the events from `start` on are those of `follower` alone.
fn survives(file: &[u8], start: usize, follower: &[u8]) -> bool {
    let first = start as u64 + events(follower).first().map_or(0, |(at, _)| *at);
    let after = events(file);
    let after = after.iter().skip_while(|(at, event)| *at != first || *event != OwnedEvent::StartTree);
    after.map(|(at, event)| (at - start as u64, event)).eq(events(follower).iter().map(|(at, event)| (*at, event)))
}

fn events(bytes: &[u8]) -> Vec<(u64, OwnedEvent)> {
    let mut events = Vec::new();
    Parser::new().each_event(bytes, |event, at| events.push((at, event.to_owned()))).unwrap();
    events
}

/// L3 on real files: skipping a game leaves the reader where reading it would.
#[test]
fn skipping_a_game_ends_where_reading_it_ends() {
    for_each_file(|path, bytes| {
        let starts = game_starts(bytes);
        let mut reader = Parser::new().slice(bytes);
        let mut skipped = 0;
        // Read the start of every other game, so that both ways of skipping are met.
        while skipped < starts.len() {
            if skipped % 2 == 0 {
                reader.next().unwrap().unwrap();
                assert_eq!(reader.offset(), starts[skipped], "{}", path.display());
            }
            assert!(reader.skip_game().unwrap(), "{}", path.display());
            skipped += 1;
        }
        assert!(reader.next().is_none_or(|end| end.is_err()), "{}", path.display());
    });
}

fn game_starts(bytes: &[u8]) -> Vec<u64> {
    let (mut starts, mut depth) = (Vec::new(), 0);
    let _ = Parser::new().each_event(bytes, |event, at| match event {
        Event::StartTree => {
            if depth == 0 {
                starts.push(at);
            }
            depth += 1;
        }
        Event::EndTree => depth -= 1,
        _ => {}
    });
    starts
}
