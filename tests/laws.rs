//! Laws: what holds for every input. `QUICKCHECK_TESTS=1000000 cargo test --test laws` tries
//! harder.

mod support;

use std::io::BufReader;

use quickcheck::TestResult;
use sgf_stream::{Code, Event, Flow, OwnedEvent, Parser, PartEnd};
use support::generate::{Answers, Chunks, Input};
use support::{
    Events, Finding, Pull, Rules, Seen, depth_behind, every_front_end, finding, games, holds, listening, naive, parse,
    parse_with, parser, push, push_with, tree_len,
};

/// L7, and of the front ends L1.
#[test]
fn all_front_ends_agree_with_the_naive_model() {
    fn law(Input(bytes): Input, rules: Rules) {
        let seen = every_front_end(&bytes, &parser(&rules)).sorted();
        assert_eq!(seen, naive::read(&bytes, &rules).sorted(), "left: the parser, right: the model");
    }
    holds(6000, law as fn(Input, Rules));
}

/// L7 again, where chance has no part in it.
#[test]
fn all_short_inputs_are_read_as_the_naive_model_reads_them() {
    const LEXEMES: [&str; 12] = ["(", ")", ";", "[", "]", "A", "a", "\n(", "FF", "[]", "\\", "\n(;FF["];
    const COUNT: u32 = 5;
    for number in 0..LEXEMES.len().pow(COUNT) {
        let lexemes = (0..COUNT).map(|place| LEXEMES[number / LEXEMES.len().pow(place) % LEXEMES.len()]);
        let input: String = ["(;"].into_iter().chain(lexemes).collect();
        for (strict, max_depth, skip) in [(true, 2, 0), (false, 1, 0), (false, 9, 0), (false, 9, 2)] {
            let rules = Rules { strict, max_value_len: 5, max_ident_len: 2, max_depth };
            let bytes = &input.as_bytes()[skip..];
            let (seen, model) = (parse(bytes, &parser(&rules)).sorted(), naive::read(bytes, &rules).sorted());
            assert_eq!(seen, model, "left: the parser, right: the model, of {:?}, {rules:?}", &input[skip..]);
        }
    }
}

/// L1.
#[test]
fn chunks_change_nothing() {
    fn law(Input(bytes): Input, rules: Rules, Chunks(sizes): Chunks) {
        let parser = parser(&rules);
        assert_eq!(push(&bytes, &sizes, &parser), parse(&bytes, &parser), "left: chunks, right: one slice");
    }
    holds(20_000, law as fn(Input, Rules, Chunks));
}

/// L1.
#[test]
fn a_break_changes_nothing_if_the_parser_is_called_again() {
    fn law(Input(bytes): Input, rules: Rules, Chunks(sizes): Chunks, answers: Answers) {
        let parser = parser(&rules);
        let broken = push_with(&bytes, &sizes, &parser, |event, at| answers.choose(event, at, Flow::Break));
        assert_eq!(broken, parse(&bytes, &parser), "left: with breaks, right: without");
    }
    holds(5000, law as fn(Input, Rules, Chunks, Answers));
}

#[test]
fn a_break_is_behind_the_event_that_was_answered_with_it() {
    fn law(Input(bytes): Input, rules: Rules, count: u8) {
        let whole = parse(&bytes, &parser(&rules));
        let mut events = Vec::new();
        let result = parser(&rules).parse(&bytes, |event, at| {
            events.push((at, event.to_owned()));
            if events.len() > usize::from(count) { Flow::Break } else { Flow::Continue }
        });
        match whole.events.get(..=usize::from(count)) {
            Some(first) => assert_eq!((&events[..], result), (first, Ok(Flow::Break))),
            None => assert_eq!((events, result.err().map(finding)), (whole.events, whole.error)),
        }
    }
    holds(5000, law as fn(Input, Rules, u8));
}

/// L2. A game start at the start of a line, inside a game or a value, is an exception: grammar
/// takes it for a variation or for text, people for the next game.
#[test]
fn what_strict_parsing_accepts_is_the_same_in_lenient_parsing() {
    fn law(Input(bytes): Input, rules: Rules) -> TestResult {
        let strict = parse(&bytes, &parser(&Rules { strict: true, ..rules.clone() }));
        let lenient = parse(&bytes, &parser(&Rules { strict: false, ..rules }));
        let is_exception = |code| matches!(code, Code::MissingCloseParen | Code::MissingCloseBracket);
        if strict.error.is_some() || lenient.findings.iter().any(|&(code, _)| is_exception(code)) {
            return TestResult::discard();
        }
        assert_eq!(lenient, strict, "left: lenient, right: strict");
        TestResult::passed()
    }
    holds(5000, law as fn(Input, Rules) -> TestResult);
}

/// L3, inside games: an answer leaves out what it says, and nothing else.
#[test]
fn answers_leave_out_what_they_name_and_nothing_else() {
    fn law(Input(bytes): Input, rules: Rules, Chunks(sizes): Chunks, answers: Answers) -> TestResult {
        let parser = parser(&rules);
        let whole = parse(&bytes, &parser);
        // What is skipped is not checked: the faults of a strict parser would be others.
        if rules.strict && whole.error.is_some() {
            return TestResult::discard();
        }
        for flow in [Flow::Skip, Flow::SkipGame] {
            let answer = |event: Event<'_>, at| answers.choose(event, at, flow);
            let skipped = parse_with(&bytes, &parser, answer);
            let rest = Seen { events: left_over(&whole.events, answer), ..whole.clone() };
            assert_skipped(&skipped, &rest);
            assert_eq!(push_with(&bytes, &sizes, &parser, answer), skipped, "left: chunks, right: one slice");
        }
        TestResult::passed()
    }
    holds(5000, law as fn(Input, Rules, Chunks, Answers) -> TestResult);
}

/// The events that these answers leave.
fn left_over(events: &Events, answer: impl Fn(Event<'_>, u64) -> Flow) -> Vec<(u64, OwnedEvent)> {
    use OwnedEvent::{Node, Property, StartTree, Value};
    let is_value = |(_, event): &&(u64, OwnedEvent)| matches!(event, Value(_));
    let is_property = |(_, event): &&(u64, OwnedEvent)| matches!(event, Property(_) | Value(_));
    let (mut left, mut depth, mut rest) = (Vec::new(), 0, events);
    while let [first @ (at, event), behind @ ..] = rest {
        left.push(first.clone());
        depth = depth_behind(depth, std::slice::from_ref(first));
        let skipped = match (answer(event.borrow(), *at), event) {
            (Flow::Skip, StartTree) => tree_len(behind, 1),
            (Flow::Skip, Node) => behind.iter().take_while(is_property).count(),
            (Flow::Skip, Property(_) | Value(_)) => behind.iter().take_while(is_value).count(),
            (Flow::SkipGame, _) => tree_len(behind, depth),
            _ => 0,
        };
        depth = depth_behind(depth, &behind[..skipped]);
        rest = &behind[skipped..];
    }
    left
}

/// What was left out gave no events, and no findings but those that are there anyway.
fn assert_skipped(skipped: &Seen, rest: &Seen) {
    assert_eq!(skipped.events, rest.events, "left: with skipping, right: the events without those skipped");
    assert_eq!(skipped.error, rest.error);
    let mut findings = rest.findings.clone();
    for found in &skipped.findings {
        let known = findings.iter().position(|finding| finding == found);
        findings.swap_remove(known.unwrap_or_else(|| panic!("{found:?} in {skipped:?}, without skipping {rest:?}")));
    }
}

/// L3, game by game: readers that skip stand where readers that read would stand.
#[test]
fn skipping_games_leaves_the_others_as_they_are() {
    // The plan says how many events of a game are read before the rest is skipped.
    fn law(Input(bytes): Input, rules: Rules, Chunks(plan): Chunks, capacity: u8) -> TestResult {
        let parser = parser(&rules);
        let whole = parse(&bytes, &parser);
        if rules.strict && whole.error.is_some() {
            return TestResult::discard();
        }
        let read_ones = games(&whole.events).into_iter().zip(plan.iter().cycle());
        let events = read_ones.flat_map(|(game, &most)| game.iter().take(most).cloned()).collect();
        let rest = Seen { events, ..whole };
        let slice = listening(&parser, |parser| read_some(&mut parser.slice(&bytes), &plan));
        assert_skipped(&slice, &rest);
        let capacity = usize::from(capacity) + 1;
        let stream = |parser: &Parser| parser.reader(BufReader::with_capacity(capacity, &bytes[..]));
        let stream = listening(&parser, |parser| read_some(&mut stream(parser), &plan));
        assert_eq!(stream, slice, "left: a reader, right: the slice reader");
        TestResult::passed()
    }
    holds(5000, law as fn(Input, Rules, Chunks, u8) -> TestResult);
}

fn read_some(reader: &mut impl Pull, plan: &[usize]) -> Seen {
    let mut events = Vec::new();
    let mut plan = plan.iter().cycle();
    let end = loop {
        match read_game_start(reader, *plan.next().unwrap(), &mut events) {
            Ok(true) => {}
            Ok(false) => break Ok(()),
            Err(error) => break Err(error),
        }
    };
    Seen::new(events, end.err())
}

/// Reads so many events of the next game at most, and skips the others. False if there is none.
fn read_game_start(reader: &mut impl Pull, most: usize, events: &mut Vec<(u64, OwnedEvent)>) -> Result<bool, Finding> {
    for _ in 0..most {
        let Some(event) = reader.pull()? else { return Ok(false) };
        events.push(event);
        if !reader.is_in_game() {
            return Ok(true);
        }
    }
    reader.skip()
}

/// L5.
#[test]
fn no_input_panics_and_all_events_are_well_formed() {
    fn law(Input(bytes): Input, rules: Rules) {
        assert_well_formed(&bytes, &parse(&bytes, &parser(&rules)));
    }
    holds(20_000, law as fn(Input, Rules));
}

/// Trees are balanced and start with a node, nodes stand before child trees, properties have
/// values; and what is said about a place is to be found there.
fn assert_well_formed(bytes: &[u8], seen: &Seen) {
    let mut depth = 0;
    let mut last: Option<&OwnedEvent> = None;
    let mut last_at = 0;
    for (at, event) in &seen.events {
        let at = *at as usize;
        use OwnedEvent::{EndTree, Node, Property, StartTree, Value};
        let is_well_placed = match (last, event) {
            (None | Some(EndTree), StartTree) => true,
            (Some(Node | Value(_)), StartTree | Property(_)) | (Some(StartTree | Node | Value(_)), Node) => depth > 0,
            (Some(Property(_) | Value(_)), Value(_)) => depth > 0,
            (Some(Node | Value(_) | EndTree), EndTree) => depth > 0,
            _ => false,
        };
        assert!(is_well_placed, "{event:?} at {at} behind {last:?}");
        assert!(last_at <= at && at <= bytes.len(), "{event:?} at {at}");
        match event {
            StartTree => depth += 1,
            EndTree => depth -= 1,
            Property(ident) => assert!(bytes[at..].starts_with(ident), "{event:?} at {at}"),
            Value(raw) => {
                assert_eq!(bytes[at], b'[');
                assert!(bytes[at + 1..].starts_with(raw), "{event:?} at {at}");
                assert_eq!(bytes[at + 1 + raw.len()], b']');
            }
            _ => {}
        }
        (last, last_at) = (Some(event), at);
    }
    assert!(!matches!(last, Some(OwnedEvent::StartTree | OwnedEvent::Property(_))), "ends with {last:?}");
    assert!(depth == 0 || seen.error.is_some(), "{depth} trees are open at the end");
}

/// L5.
#[test]
fn nothing_that_nests_overflows_the_stack() {
    let lenient = parser(&Rules { strict: false, max_value_len: 8, max_ident_len: 8, max_depth: 1 << 20 });
    for piece in ["(;", "(", "(;(", "(;(;);", "(;B[a](C[b]"] {
        let bytes = piece.repeat(100_000);
        for bytes in [format!("(;{bytes}"), format!("(;{bytes}{}", ")".repeat(200_001))] {
            let seen = parse(bytes.as_bytes(), &lenient);
            assert_well_formed(bytes.as_bytes(), &seen);
            assert_eq!(push(bytes.as_bytes(), &[1000], &lenient), seen);
        }
    }
}

/// The parts of a value, joined, are the value; a value that is cut off is dropped otherwise.
#[test]
fn value_parts_make_the_value_that_a_higher_limit_allows() {
    fn law(Input(bytes): Input, rules: Rules, limit: u8) {
        let limit = usize::from(limit % 16).max(1);
        let parts = parse(&bytes, &parser(&Rules { max_value_len: limit, ..rules.clone() }).value_parts(true));
        assert_parts(&parts, limit);
        let whole = parse(&bytes, &parser(&Rules { max_value_len: bytes.len(), ..rules }));
        assert_eq!(joined(parts), whole, "left: parts, joined, right: whole values");
    }
    holds(5000, law as fn(Input, Rules, u8));
}

#[test]
fn value_parts_do_not_depend_on_the_front_end() {
    fn law(Input(bytes): Input, rules: Rules, Chunks(sizes): Chunks, limit: u8) {
        let parser = parser(&Rules { max_value_len: usize::from(limit % 16), ..rules }).value_parts(true);
        let seen = every_front_end(&bytes, &parser);
        assert_eq!(push(&bytes, &sizes, &parser), seen, "left: chunks, right: one slice");
    }
    holds(2000, law as fn(Input, Rules, Chunks, u8));
}

/// Parts follow each other without a gap, are as long as allowed, and break no escape.
fn assert_parts(seen: &Seen, limit: usize) {
    let mut next = None;
    for (at, event) in &seen.events {
        let OwnedEvent::ValuePart(bytes, end) = event else {
            assert_eq!(next, None, "{event:?} at {at} is in the middle of a value");
            continue;
        };
        assert!(next.is_none_or(|next| next == *at), "{event:?} at {at}");
        let backslashes = bytes.iter().rev().take_while(|&&b| b == b'\\').count();
        match end {
            PartEnd::Cut => assert!(bytes.len() <= limit + 262, "{event:?} at {at}"),
            PartEnd::Complete => assert!(bytes.len() <= limit + 1 && backslashes % 2 == 0, "{event:?} at {at}"),
            PartEnd::More => {
                assert!((limit..=limit + 1).contains(&bytes.len()) && backslashes % 2 == 0, "{event:?} at {at}");
            }
        }
        next = (*end == PartEnd::More).then_some(at + bytes.len() as u64);
    }
    assert!(next.is_none() || seen.error.is_some(), "the end is in the middle of a value");
}

/// Makes values of parts, and leaves out what is cut off, and the properties that had nothing
/// else.
fn joined(parts: Seen) -> Seen {
    let mut events: Vec<(u64, OwnedEvent)> = Vec::new();
    let mut value: Option<(u64, Vec<u8>)> = None;
    for (at, event) in parts.events {
        if let OwnedEvent::ValuePart(bytes, end) = event {
            // A part is where its first byte is, a value where its `[` is.
            let (start, mut raw) = value.take().unwrap_or((at - 1, Vec::new()));
            raw.extend_from_slice(&bytes);
            match end {
                PartEnd::More => value = Some((start, raw)),
                PartEnd::Complete => events.push((start, OwnedEvent::Value(raw.into()))),
                PartEnd::Cut => {}
            }
        } else {
            events.push((at, event));
        }
    }
    let is_empty = |pair: &[(u64, OwnedEvent)]| {
        matches!(pair[0].1, OwnedEvent::Property(_)) && !matches!(pair.get(1), Some((_, OwnedEvent::Value(_))))
    };
    let events = (0..events.len()).filter(|&i| !is_empty(&events[i..])).map(|i| events[i].clone()).collect();
    Seen { events, ..parts }
}
