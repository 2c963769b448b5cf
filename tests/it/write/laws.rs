//! Law L4, and events in any order. The last test reads `../shared/corpus`, if it exists.

use std::{fmt, fs};

use quickcheck::{Arbitrary, Gen, TestResult};
use sgf_stream::{Event, OwnedEvent, PartEnd};

use crate::support::generate::Input;
use crate::support::shared::corpus;
use crate::support::{Given, Rules, holds, writer};

use super::shown;

/// Cases about which a law says nothing do not count.
fn said(said: bool) -> TestResult {
    if said { TestResult::passed() } else { TestResult::discard() }
}

/// L4.
#[test]
fn what_is_written_exactly_reads_back() {
    fn law(Input(bytes): Input, rules: Rules) -> TestResult {
        said(writer::reads_back(&bytes, &rules))
    }
    holds(6000, law as fn(Input, Rules) -> TestResult);
}

#[test]
fn what_is_written_in_parts_reads_back() {
    fn law(Input(bytes): Input, rules: Rules, limit: usize) {
        writer::parts_read_back(&bytes, &Rules { max_value_len: limit % 9, ..rules });
    }
    holds(3000, law as fn(Input, Rules, usize));
}

#[test]
fn canonical_style_is_strict_stays_as_it_is_and_says_the_same() {
    fn law(Input(bytes): Input, rules: Rules) -> TestResult {
        said(writer::is_canonical_of(&bytes, &rules))
    }
    holds(6000, law as fn(Input, Rules) -> TestResult);
}

/// Properties that mean something, with values that nearly do.
#[derive(Clone)]
struct Meaningful(Vec<u8>);

impl fmt::Debug for Meaningful {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shown(&self.0))
    }
}

impl Arbitrary for Meaningful {
    fn arbitrary(random: &mut Gen) -> Self {
        const IDENTS: &[&str] = &[
            "FF", "GM", "SZ", "CA", "KM", "KI", "HA", "HD", "GK", "TE", "KO", "RD", "DT", "EV", "RE", "TM", "TL", "OT",
            "OM", "OP", "L", "LB", "M", "MA", "VW", "B", "W", "AB", "C", "GC", "N", "PB", "BR", "RU", "AP", "FG", "RO",
            "LT", "LN", "AR", "DD", "QQ", "Black", "PL", "DO", "MI", "IS", "AS", "CO", "RP",
        ];
        const VALUES: &[&str] = &[
            "",
            "1",
            "2",
            "3",
            "4",
            "7",
            "11",
            " 19 ",
            "9:9",
            "13:7",
            "aa",
            "tt",
            "bb:cc",
            "cc:bb",
            "aa:A:b",
            "a1",
            "6,5",
            "-0",
            "1h",
            "2000/9/8",
            "1996-05,06",
            "b+r",
            "5 dan",
            "japanese",
            "x:",
            "\\:a",
            "GBK",
            "UTF-8",
            "a\r\nb\\\n",
            "\n(;FF[",
            "~{",
            "\u{0}",
            "257:x",
            "3 (final)",
            "25",
            "600",
            "\u{E9}",
            " ",
            "\t",
            "Go",
            "B",
            "w",
            "1:00:00",
            "5x30 byo-yomi",
            "swap",
            "31hefe",
            "27.12.1996",
            "2005\u{5E74}3\u{6708}12\u{65E5}",
            "207\u{C218} \u{D751}\u{BD88}\u{ACC4}\u{C2B9}",
            "\u{D751} 5\u{C9D1}\u{BC18} \u{C2B9}",
            "\u{9ED1}\u{4E2D}\u{76D8}\u{80DC}",
            "9\u{B2E8}",
            "3\u{6BB5}",
            "aa:caf\u{E9}",
            "W+Resign",
            "Shift_JIS",
            "\u{30BD}",
        ];
        // An escape may occur anywhere, even in a character.
        let escapes = u8::arbitrary(random).is_multiple_of(2);
        let value = |text: &mut Vec<u8>, random: &mut Gen| {
            text.push(b'[');
            for &byte in random.choose(VALUES).unwrap().as_bytes() {
                if escapes && u8::arbitrary(random).is_multiple_of(8) {
                    text.extend_from_slice(random.choose(&[&b"\\"[..], b"\\\n", b"\\\\\\", b"\\:", b"\x83"]).unwrap());
                }
                text.push(byte);
            }
            text.push(b']');
        };
        let mut text = b"(;".to_vec();
        let mut node = |text: &mut Vec<u8>| {
            for _ in 0..u8::arbitrary(random) % 8 {
                text.extend_from_slice(random.choose(IDENTS).unwrap().as_bytes());
                for _ in 0..1 + u8::arbitrary(random) % 5 / 2 {
                    value(text, random);
                }
            }
        };
        node(&mut text);
        text.push(b';');
        node(&mut text);
        text.push(b')');
        Meaningful(text)
    }

    /// Without a property or a value.
    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let text = self.0.clone();
        let cuts: Vec<usize> = (0..text.len()).filter(|&at| matches!(text[at], b'[' | b']' | b';')).collect();
        let without = move |(at, end): (usize, usize)| Meaningful([&text[..at], &text[end..]].concat());
        let pairs: Vec<_> = (1..8)
            .flat_map(|step| cuts.windows(step + 1).map(|w| (w[0], w[w.len() - 1])).collect::<Vec<_>>())
            .collect();
        let bytes: Vec<_> = (0..self.0.len()).map(|at| (at, at + 1)).collect();
        Box::new(pairs.into_iter().chain(bytes).map(without))
    }
}

#[test]
fn canonical_style_says_the_same_of_what_means_something() {
    fn law(Meaningful(text): Meaningful) -> TestResult {
        let rules = Rules {
            strict: false,
            max_value_len: 1 << 20,
            max_ident_len: 256,
            max_depth: 1 << 20,
            given: Given::Nothing,
        };
        said(writer::is_canonical_of(&text, &rules))
    }
    holds(20000, law as fn(Meaningful) -> TestResult);
}

/// Events in any order, of which some could be right.
#[derive(Clone, Debug)]
struct AnyEvents(Vec<OwnedEvent>);

impl Arbitrary for AnyEvents {
    fn arbitrary(random: &mut Gen) -> Self {
        let event = |random: &mut Gen| match u8::arbitrary(random) % 16 {
            0..2 => OwnedEvent::StartTree,
            2..5 => OwnedEvent::Node,
            5..8 => {
                let idents = [&b"B"[..], b"CA", b"aB", b"C", b"", b"b", b"B0", b"0B", b"B]", b"\xC4"];
                OwnedEvent::Property(random.choose(&idents).unwrap().to_vec().into())
            }
            8..10 => OwnedEvent::EndTree,
            kind => {
                let pieces =
                    [&b"]"[..], b"\\", b"[", b"\x83", b"a", b"\n", b"GBK", b"GBK", b"\n(;FF[", b"\xE5\xAD\x97"];
                let raw = (0..u8::arbitrary(random) % 4).map(|_| *random.choose(&pieces).unwrap());
                let raw = raw.collect::<Vec<_>>().concat().into();
                match kind {
                    10..14 => OwnedEvent::Value(raw),
                    _ => {
                        let ends = [PartEnd::More, PartEnd::Complete, PartEnd::Cut];
                        OwnedEvent::ValuePart(raw, *random.choose(&ends).unwrap())
                    }
                }
            }
        };
        let len = usize::arbitrary(random) % 60;
        AnyEvents((0..len).map(|_| event(random)).collect())
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let events = self.0.clone();
        Box::new((0..events.len()).map(move |at| {
            let mut rest = events.clone();
            rest.remove(at);
            AnyEvents(rest)
        }))
    }
}

#[test]
fn a_writer_takes_the_events_that_are_right_and_no_others() {
    fn law(AnyEvents(events): AnyEvents) {
        for is_canonical in [false, true] {
            let mut writer = if is_canonical { writer::canonical() } else { writer::exact() };
            let mut taken = Vec::new();
            let mut try_to_take = |event: OwnedEvent| {
                taken.push(event);
                let borrowed: Vec<_> = taken.iter().map(OwnedEvent::borrow).collect();
                let has_digits =
                    |event: &Event<'_>| matches!(event, Event::Property(i) if i.as_bytes().contains(&b'0'));
                let validity =
                    writer::validity(&borrowed).filter(|_| !(is_canonical && borrowed.last().is_some_and(has_digits)));
                assert_eq!(writer.write(borrowed[borrowed.len() - 1]).is_ok(), validity.is_some(), "{taken:?}");
                if validity.is_none() {
                    taken.pop();
                }
                validity
            };
            let mut validity = Some(true);
            for event in &events {
                validity = try_to_take(event.clone()).or(validity);
            }
            // One of these is the way to the end.
            while validity == Some(false) {
                let last = OwnedEvent::ValuePart(Vec::new().into(), PartEnd::Complete);
                let way_out = [OwnedEvent::EndTree, OwnedEvent::Node, last].into_iter().find_map(&mut try_to_take);
                validity = Some(way_out.expect("no way to the end"));
            }
            let output = writer.finish().unwrap();
            if output.is_empty() {
                assert!(taken.is_empty());
            } else {
                let rules = Rules {
                    strict: false,
                    max_value_len: 1 << 20,
                    max_ident_len: 256,
                    max_depth: 1 << 20,
                    given: Given::Nothing,
                };
                assert!(writer::is_canonical_of(&output, &rules));
                writer::reads_back(&output, &rules);
            }
        }
    }
    holds(20000, law as fn(AnyEvents));
}

#[test]
fn the_corpus_reads_back_in_both_styles() {
    let rules =
        Rules { strict: false, max_value_len: 1 << 20, max_ident_len: 256, max_depth: 1 << 20, given: Given::Nothing };
    let (mut said, mut files) = (0, 0);
    for path in corpus() {
        let bytes = fs::read(&path).unwrap();
        files += 1;
        said += usize::from(writer::reads_back(&bytes, &rules) | writer::is_canonical_of(&bytes, &rules));
    }
    assert!(said * 100 >= files * 99, "{said} of {files} files");
}
