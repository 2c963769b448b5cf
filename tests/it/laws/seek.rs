//! Seeking: from a place between games on, a reader reads what a reader of all reads there.

use std::io::{BufReader, Cursor};

#[cfg(feature = "charset")]
use sgf_stream::charset::Decoding;
use sgf_stream::{Event, OwnedEvent, Parser, Position};

use crate::support::generate::Input;
use crate::support::{BOM, Finding, Pull, Rules, Seen, heard, holds, parser};

/// A reader that seeks, and what it reads from there on.
fn drained(mut reader: impl Pull) -> Seen {
    let mut events = Vec::new();
    let error = reader.drain(&mut events).err();
    Seen::new(events, error)
}

/// The starts of the games, and what is read of all of them.
fn whole(bytes: &[u8], parser: &Parser) -> (Vec<Position>, Seen) {
    let mut starts = Vec::new();
    let counting = parser.clone().count_lines(true);
    let mut reader = counting.slice(bytes);
    while reader.skip_game().is_ok_and(|skipped| skipped) {
        starts.push(reader.game_position().unwrap());
    }
    let (seen, findings) = heard(parser, |parser| drained(parser.slice(bytes)));
    (starts, Seen { findings, ..seen })
}

/// What readers read from a place on that have read so many events before.
fn sought(bytes: &[u8], parser: &Parser, to: Position, already: usize) -> Vec<Seen> {
    let mut all = Vec::new();
    let mut add = |read: &dyn Fn(&Parser) -> Seen| {
        let (seen, findings) = heard(parser, |parser| read(parser));
        all.push(Seen { findings, ..seen });
    };
    add(&|parser| {
        let mut reader = parser.slice(bytes);
        reader.by_ref().take(already).for_each(drop);
        reader.seek(to);
        drained(reader)
    });
    for capacity in [1, 64] {
        add(&|parser| {
            let mut reader = parser.reader(BufReader::with_capacity(capacity, Cursor::new(bytes)));
            for _ in 0..already {
                let _ = reader.next_event();
            }
            reader.seek(to).unwrap();
            drained(reader)
        });
    }
    all
}

fn assert_goes_on(bytes: &[u8], parser: &Parser, already: usize) {
    let (starts, all) = whole(bytes, parser);
    for &to in &starts {
        // The trees of a game that is cut there end at the same place.
        let from = all.events.iter().position(|event| *event == (to.offset, OwnedEvent::StartTree)).unwrap();
        let mut ends = all.events[..from].iter().skip_while(|event| event.0 < to.offset);
        assert!(ends.all(|event| event.1 == OwnedEvent::EndTree));
        let events = &all.events[from..];
        // A fault at the place itself may be one of the game before it.
        let findings: Vec<Finding> =
            all.findings.iter().filter(|(_, place)| place.offset > to.offset).copied().collect();
        for seen in sought(bytes, parser, to, 0) {
            let heard = seen.findings.iter().filter(|(_, place)| place.offset > to.offset);
            assert!(heard.eq(&findings), "from {to} on: {:?}", seen.findings);
        }
        for seen in sought(bytes, parser, to, already) {
            assert_eq!(seen.events, events, "left: from {to} on");
            assert_eq!(seen.error, None);
            // A reader that has read before has also told what it found then.
            assert!(seen.findings.ends_with(&findings), "from {to} on: {:?}", seen.findings);
        }
    }
}

#[test]
fn what_is_read_after_seeking_is_what_is_read_there_without() {
    fn law(Input(bytes): Input, rules: Rules, already: u8) -> bool {
        let rules = Rules { strict: false, ..rules };
        let parser = parser(&rules);
        assert_goes_on(&bytes, &parser, already.into());
        assert_goes_on(&[BOM, &bytes].concat(), &parser, already.into());
        #[cfg(feature = "charset")]
        assert_goes_on(&bytes, &Parser::new().charset(Decoding::new().sniff(true)), already.into());
        true
    }
    holds(200, law as fn(Input, Rules, u8) -> bool);
}

/// The text of a game, read after seeking to its offset.
fn second_text(bytes: &[u8], parser: &Parser) -> Vec<Vec<u8>> {
    let offset = 1 + bytes.iter().rposition(|&byte| byte == b'\n').unwrap() as u64;
    let seen = sought(bytes, parser, Position { offset, ..Position::START }, 0);
    let texts = seen.into_iter().map(|seen| {
        assert_eq!(seen.findings, []);
        let values = seen.events.iter().filter_map(|(_, event)| match event.borrow() {
            Event::Value(value) => Some(value.as_bytes().to_vec()),
            _ => None,
        });
        values.last().unwrap()
    });
    texts.collect()
}

#[test]
fn a_reader_that_seeks_at_once_knows_what_the_start_says_of_the_charset() {
    // In GBK, `\xB9]` would be one character.
    let marked = [BOM, b"(;FF[4])\n(;CA[GBK]C[\xB9])"].concat();
    for text in second_text(&marked, &Parser::new()) {
        assert_eq!(text, b"\xB9");
    }
}

#[cfg(feature = "charset")]
#[test]
fn a_reader_that_seeks_at_once_knows_what_was_detected_at_the_start() {
    // In Shift_JIS, `\x83]` is one character. Only the first game shows that its texts are in it.
    let sniffed = b"(;C[\x82\xB1\x82\xF1\x82\xC9\x82\xBF\x82\xCD \x83]\x83\x93\x83]])\n(;C[\x83]])";
    for text in second_text(sniffed, &Parser::new().charset(Decoding::new())) {
        assert_eq!(text, b"\x83]");
    }
}

#[test]
fn there_is_nothing_to_read_after_the_last_game_and_the_start_is_the_start() {
    let bytes = [BOM, b"(;FF[4])\n"].concat();
    let all = whole(&bytes, &Parser::new()).1;
    for offset in [11, 12, 400] {
        for seen in sought(&bytes, &Parser::new(), Position { offset, ..Position::START }, 3) {
            assert_eq!(seen, Seen::default());
        }
    }
    for seen in sought(&bytes, &Parser::new(), Position::START, 0) {
        assert_eq!(seen, all);
    }
}
