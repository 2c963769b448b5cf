//! The laws themselves: each takes a case, and panics if it does not hold. The property tests and
//! the fuzz targets make the cases.

use std::io::BufReader;
use std::ops::Range;

use sgf_stream::{Code, CutValue, Diagnostic, Event, EventSink, Flow, OwnedEvent, PartEnd};

use super::generate::Answers;
use super::{
    Events, Finding, Pull, Rules, Seen, depth_after, every_front_end, games, listening, naive, parse, parse_with,
    parser, push, push_with, tree_len,
};

/// L7, and L1 for the readers.
pub fn model(bytes: &[u8], rules: &Rules) {
    let seen = every_front_end(bytes, &parser(rules)).sorted();
    assert_eq!(seen, naive::read(bytes, rules).sorted(), "left: the parser, right: the model");
}

/// L1.
pub fn chunks(bytes: &[u8], rules: &Rules, sizes: &[usize]) {
    let parser = parser(rules);
    assert_eq!(push(bytes, sizes, &parser), parse(bytes, &parser), "left: chunks, right: one slice");
}

/// Every byte is white space, or part of one event, of a truncated value, or of bytes that a syntax error drops.
/// These agree with the model, and are the same for any chunks.
pub fn spans(bytes: &[u8], rules: &Rules, sizes: &[usize]) {
    let rules = &Rules { strict: false, ..rules.clone() };
    let (parser, model) = (parser(rules), naive::lost(bytes, rules));
    let mut whole = Spans::new(bytes);
    let _ = parser.parse_into(bytes, &mut whole);
    whole.compare(&model);
    let (mut chunks, mut push, mut rest) = (Spans::new(bytes), parser.push(), bytes);
    for &size in sizes.iter().cycle() {
        if rest.is_empty() {
            break;
        }
        let (chunk, after) = rest.split_at(size.min(rest.len()));
        rest = after;
        let _ = push.feed_into(chunk, &mut chunks);
    }
    let _ = push.finish_into(&mut chunks);
    chunks.compare(&model);
    assert!(chunks.codes == whole.codes && chunks.is_taken == whole.is_taken, "{sizes:?}: other bytes are skipped");
    assert_eq!(chunks.closers, whole.closers, "left: chunks, right: one slice");
    whole.close(rules);
}

/// What a reader says of each byte.
struct Spans<'a> {
    bytes: &'a [u8],
    is_taken: Vec<bool>,
    codes: Vec<Option<Code>>,
    cuts: Vec<(Option<Range<usize>>, Range<usize>)>,
    closers: Vec<&'static [u8]>,
}

impl<'a> Spans<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        let (is_taken, codes) = (vec![false; bytes.len()], vec![None; bytes.len()]);
        Spans { bytes, is_taken, codes, cuts: Vec::new(), closers: Vec::new() }
    }

    fn take(&mut self, range: Range<usize>) {
        for at in range {
            assert!(!std::mem::replace(&mut self.is_taken[at], true), "the byte at {at} is taken twice");
        }
    }

    /// A bracket, unless the parser supplied it.
    fn take_bracket(&mut self, bracket: u8, at: usize) {
        if self.bytes.get(at) == Some(&bracket) && !self.is_taken[at] {
            self.take(at..at + 1);
        }
    }

    fn compare(&self, model: &naive::Lost) {
        assert_eq!(self.cuts, model.cuts, "left: the parser, right: the model");
        let mark = if self.bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        for at in mark..self.bytes.len() {
            let is_white = matches!(self.bytes[at], b' ' | b'\t' | b'\n' | 0x0B | 0x0C | b'\r');
            assert!(self.is_taken[at] || is_white, "the byte at {at} is nothing");
            // Where a text outside of games has white space, its parts may or may not have it.
            if !(is_white && self.codes[at].is_none_or(|code| code == Code::JunkOutsideTree)) {
                assert_eq!(self.codes[at], model.codes[at], "left: the parser, right: the model, of the byte at {at}");
            }
        }
    }
}

impl Spans<'_> {
    /// The bytes that close a value make one of it. (They may end a head in it instead, or a value before it that goes on.)
    fn close(&self, rules: &Rules) {
        let (Some((_, value)), Some(closer)) = (self.cuts.last(), self.closers.last()) else { return };
        if value.end < self.bytes.len() {
            return;
        }
        let closed = [self.bytes, closer].concat();
        let seen = parse(&closed, &parser(rules));
        let raw = [&self.bytes[value.start + 1..], &closer[..closer.len() - 1]].concat();
        let before = parse(self.bytes, &parser(rules)).events.into_iter().filter(|(at, _)| *at < value.start as u64);
        let is_as_before = before.zip(&seen.events).all(|(before, after)| before == *after);
        if is_as_before && naive::heads(&closed) == naive::heads(self.bytes) && raw.len() <= rules.max_value_len {
            let whole = (value.start as u64, OwnedEvent::Value(raw.into()));
            assert!(seen.events.contains(&whole), "{whole:?} is not in {seen:?}");
        }
    }
}

impl EventSink for Spans<'_> {
    fn event(&mut self, event: Event<'_>, offset: u64) -> Flow {
        let at = offset as usize;
        match event {
            Event::StartTree => self.take_bracket(b'(', at),
            Event::Node => self.take_bracket(b';', at),
            Event::EndTree => self.take_bracket(b')', at),
            Event::Property(ident) => self.take(at..at + ident.as_bytes().len()),
            Event::Value(value) => self.take(at..at + value.as_bytes().len() + 2),
            _ => panic!("{event:?}"),
        }
        Flow::Continue
    }

    fn diagnostic(&mut self, _: Diagnostic) {}

    fn skipped(&mut self, code: Code, range: Range<u64>) {
        let range = range.start as usize..range.end as usize;
        self.codes[range.clone()].fill(Some(code));
        self.take(range);
    }

    fn cut_value(&mut self, cut: CutValue) {
        let range = |range: Range<u64>| range.start as usize..range.end as usize;
        let (ident, value) = (cut.ident.map(range), range(cut.value));
        ident.iter().chain([&value]).for_each(|range| self.take(range.clone()));
        self.cuts.push((ident, value));
        self.closers.push(cut.closer);
    }
}

/// L2; false where it says nothing. A head inside a game or a value is an exception: grammar takes
/// it for a variation or for text, people for the next game.
pub fn modes(bytes: &[u8], rules: &Rules) -> bool {
    let strict = parse(bytes, &parser(&Rules { strict: true, ..rules.clone() }));
    let lenient = parse(bytes, &parser(&Rules { strict: false, ..rules.clone() }));
    let is_exception = |code| matches!(code, Code::MissingCloseParen | Code::MissingCloseBracket | Code::CutCharacter);
    if strict.error.is_some() || lenient.findings.iter().any(|&(code, _)| is_exception(code)) {
        return false;
    }
    assert_eq!(lenient, strict, "left: lenient, right: strict");
    true
}

/// L3, inside games: a flow skips exactly what it says. Returns false if the law does not apply: skipped content is
/// not checked, so a strict parser would have other errors.
pub fn answers(bytes: &[u8], rules: &Rules, sizes: &[usize], answers: &Answers) -> bool {
    let parser = parser(rules);
    let whole = parse(bytes, &parser);
    if rules.strict && whole.error.is_some() {
        return false;
    }
    for flow in [Flow::Skip, Flow::SkipGame] {
        let answer = |event: Event<'_>, at| answers.choose(event, at, flow);
        let skipped = parse_with(bytes, &parser, answer);
        let rest = Seen { events: left_over(&whole.events, answer), ..whole.clone() };
        assert_skipped(&skipped, &rest);
        assert_eq!(push_with(bytes, sizes, &parser, answer), skipped, "left: chunks, right: one slice");
    }
    true
}

/// L3 and L7: a flow after any event of the model skips what it says. The law does not apply to errors of strict
/// mode.
pub fn each_answer(bytes: &[u8], rules: &Rules) {
    let parser = parser(rules);
    // The model finds what the parser finds, but not in its order.
    let whole = Seen { findings: parse(bytes, &parser).findings, ..naive::read(bytes, rules) };
    if rules.strict && whole.error.is_some() {
        return;
    }
    for (chosen_at, chosen) in &whole.events {
        for flow in [Flow::Skip, Flow::SkipGame] {
            let is_chosen = |event: Event<'_>, at: u64| at == *chosen_at && event == chosen.borrow();
            let answer = |event: Event<'_>, at| if is_chosen(event, at) { flow } else { Flow::Continue };
            let skipped = parse_with(bytes, &parser, answer);
            let rest = Seen { events: left_over(&whole.events, answer), ..whole.clone() };
            assert_skipped(&skipped, &rest);
            assert_eq!(push_with(bytes, &[1], &parser, answer), skipped, "left: chunks, right: one slice");
        }
    }
}

/// L3, game by game: skipping ends where reading would end. The plan has the number of events of a game that are read
/// before the rest is skipped. Returns false if the law does not apply.
pub fn skipped_games(bytes: &[u8], rules: &Rules, plan: &[usize], capacity: usize) -> bool {
    let parser = parser(rules);
    let whole = parse(bytes, &parser);
    if rules.strict && whole.error.is_some() {
        return false;
    }
    let read_ones = games(&whole.events).into_iter().zip(plan.iter().cycle());
    let events = read_ones.flat_map(|(game, &most)| game.iter().take(most).cloned()).collect();
    let rest = Seen { events, ..whole };
    let slice = listening(&parser, |parser| read_some(&mut parser.slice(bytes), plan));
    assert_skipped(&slice, &rest);
    let stream = |parser: &sgf_stream::Parser| parser.reader(BufReader::with_capacity(capacity, bytes));
    let stream = listening(&parser, |parser| read_some(&mut stream(parser), plan));
    assert_skipped(&stream, &rest);
    true
}

/// L5.
pub fn well_formed(bytes: &[u8], rules: &Rules) {
    assert_well_formed(bytes, &parse(bytes, &parser(rules)));
}

/// The parts of a value, joined, are the value; a value that is cut off is dropped otherwise.
pub fn parts_join(bytes: &[u8], rules: &Rules, limit: usize) {
    let parts = parse(bytes, &parser(&Rules { max_value_len: limit, ..rules.clone() }).value_parts(true));
    assert_parts(bytes, rules, &parts, limit);
    let whole = parse(bytes, &parser(&Rules { max_value_len: bytes.len(), ..rules.clone() }));
    assert_eq!(joined(parts), whole, "left: parts, joined, right: whole values");
}

/// Fragments are the same in all readers and for all chunks.
pub fn parts(bytes: &[u8], rules: &Rules, sizes: &[usize]) {
    let parser = parser(rules).value_parts(true);
    let seen = every_front_end(bytes, &parser);
    assert_eq!(push(bytes, sizes, &parser), seen, "left: chunks, right: one slice");
}

/// The events that these answers leave.
fn left_over(events: &Events, answer: impl Fn(Event<'_>, u64) -> Flow) -> Vec<(u64, OwnedEvent)> {
    use OwnedEvent::{Node, Property, StartTree, Value};
    let is_value = |(_, event): &&(u64, OwnedEvent)| matches!(event, Value(_));
    let is_property = |(_, event): &&(u64, OwnedEvent)| matches!(event, Property(_) | Value(_));
    let (mut left, mut depth, mut rest) = (Vec::new(), 0, events);
    while let [first @ (at, event), after @ ..] = rest {
        left.push(first.clone());
        depth = depth_after(depth, std::slice::from_ref(first));
        let skipped = match (answer(event.borrow(), *at), event) {
            (Flow::Skip, StartTree) => tree_len(after, 1),
            (Flow::Skip, Node) => after.iter().take_while(is_property).count(),
            (Flow::Skip, Property(_) | Value(_)) => after.iter().take_while(is_value).count(),
            (Flow::SkipGame, _) => tree_len(after, depth),
            _ => 0,
        };
        depth = depth_after(depth, &after[..skipped]);
        rest = &after[skipped..];
    }
    left
}

/// Skipped parts give no events, and of their findings perhaps only those about the bounds of games.
fn assert_skipped(skipped: &Seen, rest: &Seen) {
    assert_eq!(skipped.events, rest.events, "left: with skipping, right: the events without those skipped");
    assert_eq!(skipped.error, rest.error);
    assert!(is_part(&skipped.findings, &rest.findings), "left: {skipped:?}, right: without skipping {rest:?}");
}

/// Returns whether some diagnostics are a subsequence of all of them, and include those about the bounds of games.
pub fn is_part(some: &[Finding], all: &[Finding]) -> bool {
    let is_subsequence = |some: &[Finding], all: &[Finding]| {
        let mut all = all.iter();
        some.iter().all(|found| all.any(|finding| finding == found))
    };
    let is_about_bounds = |&(code, _): &Finding| {
        use Code::{ExtraCloseParen, JunkOutsideTree, MissingCloseBracket, MissingCloseParen};
        use Code::{UnclosedTree, UnterminatedValue};
        matches!(code, ExtraCloseParen | JunkOutsideTree | MissingCloseBracket | MissingCloseParen)
            || matches!(code, UnclosedTree | UnterminatedValue)
    };
    let bounds: Vec<Finding> = all.iter().copied().filter(is_about_bounds).collect();
    is_subsequence(some, all) && is_subsequence(&bounds, some)
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

/// Trees are balanced and start with a node, nodes come before child trees, properties have values, and each event is
/// found at its offset.
pub fn assert_well_formed(bytes: &[u8], seen: &Seen) {
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
        assert!(is_well_placed, "{event:?} at {at} after {last:?}");
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

/// Parts follow each other without a gap, are as long as allowed, and break no escape and no
/// character.
fn assert_parts(bytes: &[u8], rules: &Rules, seen: &Seen, limit: usize) {
    let (mut depth, mut game) = (0, 0);
    // The `[` of a value whose parts are coming, and where the next one has to be.
    let mut next: Option<(usize, usize)> = None;
    let is_cut = |at: usize| {
        let found = |&(code, position): &Finding| code == Code::CutCharacter && position.offset == at as u64;
        seen.findings.iter().any(found)
    };
    for entry @ (at, event) in &seen.events {
        let at = *at as usize;
        if depth == 0 {
            game = at;
        }
        depth = depth_after(depth, std::slice::from_ref(entry));
        let OwnedEvent::ValuePart(part, end) = event else {
            assert_eq!(next, None, "{event:?} at {at} is in the middle of a value");
            continue;
        };
        assert!(next.is_none_or(|(_, next)| next == at), "{event:?} at {at}");
        let open = next.map_or(at - 1, |(open, _)| open);
        let charset = naive::charset_at(bytes, rules, game, open);
        // A part may end there …
        let (value, start) = (&bytes[open + 1..], at - (open + 1));
        let is_hidden = |len| naive::is_hidden(charset, value, start + len);
        let may_end = |len| !is_hidden(len) && !charset.is_some_and(|charset| charset.is_text(value, start + len));
        // … and there it has to, if not before. Between the two are pairs of bytes that make no
        // character, since what is before them is UTF-8.
        let has_to_end = |len| !is_hidden(len) && !charset.is_some_and(|charset| charset.is_second(value, start + len));
        let longest = (limit..).find(|&len| has_to_end(len)).unwrap();
        let len = part.len();
        let is_well_cut = match end {
            // A head may begin 512 bytes before the bracket by which it is told.
            PartEnd::Cut => len <= longest.max(limit + 1) + 517,
            PartEnd::Complete => len <= longest && (may_end(len) || is_cut(at + len - 1)),
            PartEnd::More => (limit..=longest).contains(&len) && may_end(len),
            end => unreachable!("{end:?}"),
        };
        assert!(is_well_cut, "{event:?} at {at}, {charset:?}");
        next = (*end == PartEnd::More).then_some((open, at + len));
    }
    assert!(next.is_none() || seen.error.is_some(), "the end is in the middle of a value");
}

/// Makes values of parts, and leaves out what is cut off, and the properties that had nothing
/// else.
pub fn joined(parts: Seen) -> Seen {
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
                end => unreachable!("{end:?}"),
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
