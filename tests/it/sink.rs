//! Laws of sinks: what they are sent does not depend on how they are sent moves, or on who else listens.

use std::sync::{Arc, Mutex};

use sgf_stream::internal::Moves;
use sgf_stream::{Diagnostic, DiagnosticLog, Event, EventSink, Flow, OwnedEvent, Parser};

use crate::support::generate::{Chunks, Input};
use crate::support::{Rules, holds, parser};

/// Answers as it is told to. Takes a run of moves if it would go on after each of its events but the last.
struct Answering<'a> {
    takes_moves: bool,
    answers: &'a [u8],
    seen: Vec<(u64, OwnedEvent)>,
    faults: Vec<Diagnostic>,
}

impl Answering<'_> {
    /// The answer to the nth event.
    fn answer(&self, n: usize) -> Flow {
        match self.answers.get(n % self.answers.len().max(1)).map(|answer| answer % 16) {
            Some(0 | 1) => Flow::Break,
            Some(2 | 3) => Flow::Skip,
            Some(4) if n.is_multiple_of(3) => Flow::SkipGame,
            _ => Flow::Continue,
        }
    }
}

impl EventSink for Answering<'_> {
    fn event(&mut self, event: Event<'_>, offset: u64) -> Flow {
        self.seen.push((offset, event.to_owned()));
        self.answer(self.seen.len())
    }

    fn diagnostic(&mut self, fault: Diagnostic) {
        self.faults.push(fault);
    }

    fn moves(&mut self, moves: Moves<'_>) -> Option<Flow> {
        let seen = self.seen.len();
        if !self.takes_moves || (1..3 * moves.len()).any(|n| self.answer(seen + n) != Flow::Continue) {
            return None;
        }
        self.seen.extend(moves.events().map(|(event, offset)| (offset, event.to_owned())));
        Some(self.answer(self.seen.len()))
    }
}

#[test]
fn a_sink_that_takes_some_runs_of_moves_sees_the_same() {
    fn seen(bytes: &[u8], sizes: &[usize], rules: &Rules, mut sink: Answering<'_>) -> String {
        let mut push = parser(rules).push();
        let (mut sizes, mut rest, mut error) = (sizes.iter().cycle(), bytes, None);
        while error.is_none() {
            let (chunk, after) = rest.split_at(sizes.next().map_or(rest.len(), |&size| size.min(rest.len())));
            let is_end = rest.is_empty();
            rest = after;
            let mut chunk = chunk;
            loop {
                match if is_end { push.finish_into(&mut sink) } else { push.feed_into(chunk, &mut sink) } {
                    Ok(Flow::Break) => chunk = &[],
                    Ok(_) => break,
                    Err(found) => {
                        error = Some(found);
                        break;
                    }
                }
            }
            if is_end {
                break;
            }
        }
        format!("{:?} {:?} {error:?}", sink.seen, sink.faults)
    }
    fn law(Input(bytes): Input, rules: Rules, Chunks(sizes): Chunks, (answers, pause): (Vec<u8>, u8)) {
        // Whole runs are taken if answers other than to go on are few.
        let pause = |&answer: &u8| std::iter::once(answer).chain(std::iter::repeat_n(15, usize::from(pause % 16)));
        let answers: Vec<_> = answers.iter().flat_map(pause).collect();
        let [runs, single] = [true, false].map(|takes_moves| {
            let sink = Answering { takes_moves, answers: &answers, seen: Vec::new(), faults: Vec::new() };
            seen(&bytes, &sizes, &rules, sink)
        });
        assert_eq!(runs, single);
    }
    holds(3000, law as fn(Input, Rules, Chunks, (Vec<u8>, u8)));
}

#[test]
fn after_a_skip_or_a_break_in_a_run_the_rest_of_it_follows() {
    for (answer, flow) in [(2, Flow::Skip), (0, Flow::Break)] {
        // The answer to the property of the second move.
        let mut answers = vec![9; 100];
        answers[7] = answer;
        let mut sink = Answering { takes_moves: true, answers: &answers, seen: Vec::new(), faults: Vec::new() };
        let mut push = Parser::new().push();
        let sgf = &b"(;;B[aa];W[bb];B[cc];W[dd])"[..];
        let mut chunk = sgf;
        while let Ok(Flow::Break) = push.feed_into(chunk, &mut sink) {
            chunk = &[];
        }
        push.finish_into(&mut sink).unwrap();
        let nodes = sink.seen.iter().filter(|(_, event)| *event == OwnedEvent::Node).count();
        let values = sink.seen.iter().filter(|(_, event)| matches!(event, OwnedEvent::Value(_))).count();
        assert_eq!((nodes, values), (5, 4 - usize::from(flow == Flow::Skip)), "{flow:?}: {:?}", sink.seen);
    }
}

#[test]
fn all_listeners_are_called() {
    let calls = Arc::new(Mutex::new(Vec::new()));
    let listener = |name: &'static str| {
        let calls = Arc::clone(&calls);
        move |fault: &Diagnostic| calls.lock().unwrap().push((name, fault.code.as_str()))
    };
    let (first, second) = (DiagnosticLog::new(10), DiagnosticLog::new(10));
    let parser = Parser::new().log_to(&first).on_diagnostic(listener("a")).log_to(&second).on_diagnostic(listener("b"));
    parser.parse(b"(;FF[4]Black[dd]", |_, _| {}).unwrap();
    for log in [first, second] {
        let codes: Vec<_> = log.take().iter().map(|fault| fault.code.as_str()).collect();
        assert_eq!(codes, ["lowercase-in-ident", "unclosed-tree"]);
    }
    let expected = ["lowercase-in-ident", "unclosed-tree"].map(|code| [("a", code), ("b", code)]);
    assert_eq!(*calls.lock().unwrap(), expected.concat());
}
