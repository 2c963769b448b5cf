//! Laws: what holds for every input.

mod heard;
mod linear;
mod lines;
mod regressions;
mod seek;

use quickcheck::TestResult;
use sgf_stream::Flow;

use crate::support::generate::{Answers, Chunks, Input};
use crate::support::{Given, Handler, Rules, finding, holds, laws, naive, parse, parser, push, push_with};

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
    const LEXEMES: [&[u8]; 12] = [b"(", b")", b";", b"[", b"]", b"A", b"a", b"N[]", b"FF", b"[]", b"\\", b"\n(;FF["];
    for lexemes in all_of(&LEXEMES, 5) {
        let input = [b"(;", &lexemes[..]].concat();
        for (strict, max_depth, skip) in [(true, 2, 0), (false, 1, 0), (false, 9, 0), (false, 9, 2)] {
            assert_read_alike(
                &input[skip..],
                &Rules { strict, max_value_len: 5, max_ident_len: 2, max_depth, given: Given::Nothing },
            );
        }
    }
}

/// L7 of brackets that nobody has escaped: which of them are text.
#[test]
fn all_short_texts_with_brackets_are_read_as_the_naive_model_reads_them() {
    const PIECES: [&[u8]; 11] = [b"]", b"[", b"a", b" ", b"\n", b";", b";B", b"\\", b"(", b")", b"B["];
    let rules = Rules { strict: false, max_value_len: 9, max_ident_len: 9, max_depth: 9, given: Given::Nothing };
    for pieces in all_of(&PIECES, 5) {
        for end in [&b""[..], b"];W[b])"] {
            assert_read_alike(&[b"(;C[]", &pieces[..], end].concat(), &rules);
        }
    }
}

/// L7 where a head, or the look after a bracket, is as long as it may be, a byte shorter, and a byte longer.
#[test]
fn what_ends_at_the_end_of_its_window_is_read_as_the_naive_model_reads_it() {
    let rules = Rules { strict: false, max_value_len: 999, max_ident_len: 9, max_depth: 9, given: Given::Nothing };
    for (start, fill, end) in [
        (&b"(;B[aa](;FF["[..], b' ', &b"4])"[..]),
        (b"(;B[aa](;FF[", b'a', b"])"),
        (b"(;B[aa](;", b' ', b"FF[4])"),
        (b"(;C[aa(", b'\n', b";GM[1])"),
        (b"(;C[aa(;PB[", b'a', b"]PW[b];B[aa])"),
        (b"(;C[aa](;PB[a]PW[b]", b' ', b";B[aa])"),
        (b"(;B[aa](;PB[a]PW[", b'a', b"])"),
        (b"(;B[aa](;PB[a]PW[", b'a', b"]"),
        (b"(;C[aa](;GE[", b'a', b"]DI[b])"),
        (b"(;C[aa(;GE[a]", b' ', b"DI[b];B[aa])"),
        (b"(;C[a] ", b'a', b"];B[aa])"),
        (b"(;C[a] b]", b' ', b";B[aa])"),
        (b"(;C[a] b]", b' ', b"c;B[aa])"),
        (b"(;C[a] b]", b' ', b"(;FF[4]"),
        (b"(;C[a [b]", b' ', b"(;FF[4]"),
        (b"(;CA[GBK]C[\xB9]", b' ', b"(;FF[4]"),
        (b"(;CA[GBK]C[\xB9])", b')', b"(;FF[4]"),
    ] {
        for len in (55..70).chain(235..270).chain(490..520) {
            laws::model(&[start, &vec![fill; len], end].concat(), &rules);
        }
    }
}

/// L7 in charsets with brackets inside characters: which bytes are brackets.
#[test]
fn all_short_values_in_such_a_charset_are_read_as_the_naive_model_reads_them() {
    const PIECES: [&[u8]; 9] = [b"\x81", b"\xB1", b"\xE5\xAD\x97", b"\xC3\xA9", b"[", b"]", b"\\", b";B", b"a"];
    for pieces in all_of(&PIECES, 5) {
        for (label, strict, max_value_len) in
            [("GBK", true, 9), ("GBK", false, 9), ("GBK", false, 2), ("Shift_JIS", false, 9)]
        {
            let rules = Rules { strict, max_value_len, max_ident_len: 9, max_depth: 9, given: Given::Nothing };
            let bytes = [b"(;CA[", label.as_bytes(), b"]C[", &pieces, b"])"].concat();
            assert_read_alike(&bytes, &rules);
        }
    }
}

/// L7 and L3 in such charsets: which games are written in one.
#[test]
fn all_short_roots_name_the_charset_that_the_naive_model_finds() {
    const PIECES: [&[u8]; 12] =
        [b";", b"(", b")", b"()", b"CA", b"[x]", b"[sjis]", b"CA[GBK]", b"CoA[GBK]", b"CA[UTF-8]", b"A[x]", b"a"];
    // The first value ends at its first `]`, or the last; and the next game has a charset of its own.
    const BEHIND: &[u8] = b"C[\x81])(;B[\x81]])(;CA[big5]W[\xA1]])";
    let holds_for_all = |count, law: fn(&[u8], &Rules)| {
        for pieces in all_of(&PIECES, count) {
            let bytes = [b"(;", &pieces[..], BEHIND].concat();
            for (strict, max_ident_len, max_depth) in
                [(true, 9, 9), (false, 9, 9), (false, 2, 9), (false, 9, 1), (false, 9, 0)]
            {
                law(&bytes, &Rules { strict, max_value_len: 9, max_ident_len, max_depth, given: Given::Nothing });
            }
        }
    };
    holds_for_all(4, assert_read_alike);
    holds_for_all(3, laws::each_answer);
}

/// Every sequence of so many pieces, joined; outside of the long run, of one piece less.
fn all_of<'a>(pieces: &'a [&'a [u8]], count: u32) -> impl Iterator<Item = Vec<u8>> + 'a {
    let count = count - u32::from(!quickcheck::is_long());
    let at = move |number: usize, place| pieces[number / pieces.len().pow(place) % pieces.len()];
    (0..pieces.len().pow(count)).map(move |number| (0..count).flat_map(|place| at(number, place)).copied().collect())
}

fn assert_read_alike(bytes: &[u8], rules: &Rules) {
    let (seen, model) = (parse(bytes, &parser(rules)).sorted(), naive::read(bytes, rules).sorted());
    assert_eq!(seen, model, "left: the parser, right: the model, of {}, {rules:?}", bytes.escape_ascii());
    laws::spans(bytes, rules, &[1]);
}

/// L7 and L3 where readers take many moves at once: more of them than they take, for any text between them.
#[test]
fn long_runs_of_moves_are_read_and_skipped_as_short_ones_are() {
    let rules = Rules { strict: false, max_value_len: 99, max_ident_len: 9, max_depth: 9, given: Given::Nothing };
    let moves = |count: usize| (0..count).map(|n| if n % 2 == 0 { ";B[dd]" } else { ";W[pQ]" });
    for between in ["", "\n", "\r\n", " ", "C[x]", "\n\n"] {
        for (count, line) in [(0, 1), (1, 1), (9, 10), (170, 10), (171, 171), (172, 10), (345, 1), (400, 400)] {
            let moves: Vec<_> = moves(count).collect();
            let lines: Vec<_> = moves.chunks(line).map(|line| line.concat()).collect();
            let game = format!("(;FF[4]{}(;B[aa];W[bb]C[y])(;B[cc]))\n", lines.join(between));
            assert_read_alike(game.as_bytes(), &rules);
            let archive = game.repeat(3);
            crate::support::every_front_end(archive.as_bytes(), &parser(&rules));
            for plan in [&[4, 1][..], &[5, 0], &[6, 7], &[600, 520, 519]] {
                assert!(laws::skipped_games(archive.as_bytes(), &rules, plan, 1000));
            }
        }
    }
}

/// A reader reads ahead, perhaps up to where the trees of such a game are being closed.
#[test]
fn the_missing_end_of_a_skipped_game_is_reported_however_deep_it_is() {
    let rules = Rules { strict: false, max_value_len: 9, max_ident_len: 9, max_depth: 999, given: Given::Nothing };
    for depth in 1..100 {
        let game = "(;".repeat(depth);
        for most in [0, 1, 2, depth, 2 * depth] {
            assert!(laws::skipped_games(game.as_bytes(), &rules, &[most], 5));
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
fn a_break_is_after_the_event_that_was_answered_with_it() {
    fn law(Input(bytes): Input, rules: Rules, count: u8) {
        let whole = parse(&bytes, &parser(&rules));
        let mut events = Vec::new();
        let handler: Handler<'_> = &mut |event, at| {
            events.push((at, event.to_owned()));
            if events.len() > usize::from(count) { Flow::Break } else { Flow::Continue }
        };
        let result = parser(&rules).parse(&bytes, handler);
        match whole.events.get(..=usize::from(count)) {
            Some(first) => assert_eq!((&events[..], result), (first, Ok(Flow::Break))),
            None => assert_eq!((events, result.err().map(finding)), (whole.events, whole.error)),
        }
    }
    holds(5000, law as fn(Input, Rules, u8));
}

/// L2. A head inside a game or a value is an exception: grammar takes it for a variation or for text,
/// people for the next game.
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

/// L3, game by game: skipping ends where reading would end.
#[test]
fn skipping_games_leaves_the_others_as_they_are() {
    // The plan says how many events of a game are read before the rest is skipped.
    fn law(Input(bytes): Input, rules: Rules, Chunks(plan): Chunks, capacity: u8) -> TestResult {
        said(laws::skipped_games(&bytes, &rules, &plan, usize::from(capacity) + 1))
    }
    holds(5000, law as fn(Input, Rules, Chunks, u8) -> TestResult);
}

/// L13: nothing of what is read is lost unless it is named.
#[test]
fn every_byte_is_in_an_event_or_named_as_lost() {
    fn law(Input(bytes): Input, rules: Rules, Chunks(sizes): Chunks) {
        laws::spans(&bytes, &rules, &sizes);
    }
    holds(20_000, law as fn(Input, Rules, Chunks));
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
    let lenient =
        parser(&Rules { strict: false, max_value_len: 8, max_ident_len: 8, max_depth: 1 << 20, given: Given::Nothing });
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
