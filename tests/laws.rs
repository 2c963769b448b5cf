//! Laws: what holds for every input. `QUICKCHECK_TESTS=1000000 cargo test --test laws` tries
//! harder.

mod support;

use quickcheck::TestResult;
use sgf_stream::Flow;
use support::generate::{Answers, Chunks, Input};
use support::{Rules, finding, holds, laws, naive, parse, parser, push, push_with};

/// Cases about which a law says nothing do not count.
fn said(said: bool) -> TestResult {
    if said { TestResult::passed() } else { TestResult::discard() }
}

/// L7, and of the front ends L1.
#[test]
fn all_front_ends_agree_with_the_naive_model() {
    fn law(Input(bytes): Input, rules: Rules) {
        laws::model(&bytes, &rules);
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
        laws::chunks(&bytes, &rules, &sizes);
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
        said(laws::modes(&bytes, &rules))
    }
    holds(5000, law as fn(Input, Rules) -> TestResult);
}

/// L3, inside games: an answer leaves out what it says, and nothing else.
#[test]
fn answers_leave_out_what_they_name_and_nothing_else() {
    fn law(Input(bytes): Input, rules: Rules, Chunks(sizes): Chunks, answers: Answers) -> TestResult {
        said(laws::answers(&bytes, &rules, &sizes, &answers))
    }
    holds(5000, law as fn(Input, Rules, Chunks, Answers) -> TestResult);
}

/// L3, game by game: readers that skip stand where readers that read would stand.
#[test]
fn skipping_games_leaves_the_others_as_they_are() {
    // The plan says how many events of a game are read before the rest is skipped.
    fn law(Input(bytes): Input, rules: Rules, Chunks(plan): Chunks, capacity: u8) -> TestResult {
        said(laws::skipped_games(&bytes, &rules, &plan, usize::from(capacity) + 1))
    }
    holds(5000, law as fn(Input, Rules, Chunks, u8) -> TestResult);
}

/// L5.
#[test]
fn no_input_panics_and_all_events_are_well_formed() {
    fn law(Input(bytes): Input, rules: Rules) {
        laws::well_formed(&bytes, &rules);
    }
    holds(20_000, law as fn(Input, Rules));
}

/// L5.
#[test]
fn nothing_that_nests_overflows_the_stack() {
    let lenient = parser(&Rules { strict: false, max_value_len: 8, max_ident_len: 8, max_depth: 1 << 20 });
    for piece in ["(;", "(", "(;(", "(;(;);", "(;B[a](C[b]"] {
        let bytes = piece.repeat(100_000);
        for bytes in [format!("(;{bytes}"), format!("(;{bytes}{}", ")".repeat(200_001))] {
            let seen = parse(bytes.as_bytes(), &lenient);
            laws::assert_well_formed(bytes.as_bytes(), &seen);
            assert_eq!(push(bytes.as_bytes(), &[1000], &lenient), seen);
        }
    }
}

/// The parts of a value, joined, are the value; a value that is cut off is dropped otherwise.
#[test]
fn value_parts_make_the_value_that_a_higher_limit_allows() {
    fn law(Input(bytes): Input, rules: Rules, limit: u8) {
        laws::parts_join(&bytes, &rules, usize::from(limit % 16).max(1));
    }
    holds(5000, law as fn(Input, Rules, u8));
}

#[test]
fn value_parts_do_not_depend_on_the_front_end() {
    fn law(Input(bytes): Input, rules: Rules, Chunks(sizes): Chunks, limit: u8) {
        laws::parts(&bytes, &Rules { max_value_len: usize::from(limit % 16), ..rules }, &sizes);
    }
    holds(2000, law as fn(Input, Rules, Chunks, u8));
}
