//! Edits in place, and the spans that they take. The last test reads `../shared/corpus`, if it exists.

use std::ops::Range;

use quickcheck::TestResult;
use sgf_stream::write::{SpliceError, Splicer};
use sgf_stream::{Event, Parser};

use crate::support::generate::Input;
use crate::support::shared::corpus;
use crate::support::{Rules, holds, parser};

use super::shown;

/// The bytes between the edits, one by one. `None` if two edits want the same bytes, or some that do not exist.
fn naive(source: &[u8], edits: &[(Range<usize>, Vec<u8>)]) -> Option<Vec<u8>> {
    let mut taken = vec![false; source.len()];
    for (range, _) in edits {
        for byte in taken.get_mut(range.clone())? {
            if std::mem::replace(byte, true) {
                return None;
            }
        }
    }
    let is_inside = |at: usize, range: &Range<usize>| range.start < at && at < range.end;
    if edits
        .iter()
        .any(|(insertion, _)| insertion.is_empty() && edits.iter().any(|(range, _)| is_inside(insertion.start, range)))
    {
        return None;
    }
    let mut out = Vec::new();
    for (at, byte) in source.iter().map(Some).chain([None]).enumerate() {
        let here = edits.iter().filter(|(range, _)| range.start == at);
        let (insertions, replacements): (Vec<_>, Vec<_>) = here.partition(|(range, _)| range.is_empty());
        insertions.into_iter().chain(replacements).for_each(|(_, with)| out.extend(with));
        out.extend(byte.filter(|_| !taken[at]));
    }
    Some(out)
}

#[test]
fn splicing_is_what_the_naive_model_does() {
    fn law(source: Vec<u8>, picks: Vec<(u8, u8, Vec<u8>)>) -> TestResult {
        let source = &source[..source.len().min(20)];
        let edits: Vec<_> = picks
            .into_iter()
            .take(4)
            .map(|(start, len, with)| {
                let start = usize::from(start) % (source.len() + 2);
                (start..start + usize::from(len) % 4, with)
            })
            .collect();
        let mut splicer = Splicer::new(source);
        for (range, with) in &edits {
            match (range.is_empty(), with.is_empty()) {
                (true, _) => splicer.insert(range.start, with.clone()),
                (false, true) => splicer.delete(range.clone()),
                (false, false) => splicer.replace(range.clone(), with.clone()),
            }
        }
        assert_eq!(splicer.is_empty(), edits.is_empty());
        let spliced = splicer.finish();
        assert_eq!(spliced.as_deref().ok(), naive(source, &edits).as_deref(), "{edits:?}");
        match spliced {
            Err(SpliceError::Outside { span, len }) => assert!(len == source.len() && span.end > len),
            Err(SpliceError::Conflict { first, second }) => {
                assert!(first.start <= second.start && second.start < first.end);
            }
            _ => {}
        }
        TestResult::passed()
    }
    holds(3000, law as fn(Vec<u8>, Vec<(u8, u8, Vec<u8>)>) -> TestResult);
}

#[test]
fn an_edit_that_cannot_be_made_is_an_error() {
    let delete = |ranges: Vec<Range<usize>>| {
        let mut splicer = Splicer::new(b"(;B[dd])");
        ranges.into_iter().for_each(|range| splicer.delete(range));
        splicer.finish().map(|bytes| shown(&bytes)).map_err(|error| error.to_string())
    };
    let one = |range: Range<usize>| delete(Vec::from_iter([range]));
    assert_eq!(delete(vec![]), Ok("(;B[dd])".into()));
    assert_eq!(delete(vec![3..7, 0..1]), Ok(";B)".into()));
    assert_eq!(one(8..8), Ok("(;B[dd])".into()));
    let outside =
        |span: &str| Err(format!("bytes {span} are not in the source of 8 bytes; use offsets of this source"));
    assert_eq!(one(7..9), outside("7..9"));
    assert_eq!(one(9..9), outside("9..9"));
    #[expect(clippy::reversed_empty_ranges, reason = "it is the case")]
    let reversed = 5..4;
    assert_eq!(one(reversed), outside("5..4"));
    assert_eq!(one(usize::MAX - 1..usize::MAX), outside(&format!("{}..{}", usize::MAX - 1, usize::MAX)));
    assert_eq!(
        delete(vec![2..5, 2..5]),
        Err("the edits of bytes 2..5 and 2..5 conflict; make one edit of them".into())
    );
}

/// The spans of an input, with their events. Checks what holds for all.
fn spans<'a>(parser: &Parser, bytes: &'a [u8]) -> Vec<(Event<'a>, Range<usize>)> {
    let spans: Vec<_> = parser.slice(bytes).with_spans().map_while(Result::ok).collect();
    let offsets: Vec<_> = parser.slice(bytes).with_offsets().map_while(Result::ok).collect();
    assert_eq!(
        spans.iter().map(|(event, _)| event).collect::<Vec<_>>(),
        offsets.iter().map(|(event, _)| event).collect::<Vec<_>>()
    );
    let (mut end, mut open) = (0, Vec::new());
    for ((event, span), (_, offset)) in spans.iter().zip(&offsets) {
        let at = *offset as usize;
        assert!(end <= span.start && span.end <= bytes.len(), "{} {span:?} {event:?}", shown(bytes));
        assert!(span.start == at, "{} {span:?} {at} {event:?}", shown(bytes));
        end = span.end;
        let lexeme = match event {
            Event::StartTree => b"(".to_vec(),
            Event::Node => b";".to_vec(),
            Event::EndTree => b")".to_vec(),
            Event::Property(ident) => ident.as_bytes().to_vec(),
            Event::Value(value) => [b"[", value.as_bytes(), b"]"].concat(),
            other => panic!("{other:?}"),
        };
        let may_be_supplied = matches!(event, Event::StartTree | Event::Node | Event::EndTree);
        let found = &bytes[span.clone()];
        assert!(found == lexeme || may_be_supplied && span.is_empty(), "{} {span:?} {event:?}", shown(bytes));
        match event {
            Event::StartTree => open.push(!span.is_empty()),
            Event::EndTree => assert!(open.pop() == Some(true) || span.is_empty(), "{}", shown(bytes)),
            _ => {}
        }
    }
    spans
}

#[test]
fn every_span_is_that_of_its_lexeme_or_empty() {
    fn law(Input(bytes): Input, rules: Rules) {
        spans(&parser(&rules), &bytes);
    }
    holds(6000, law as fn(Input, Rules));
}

#[test]
fn a_supplied_bracket_has_an_empty_span_where_it_belongs() {
    for (bytes, expected) in [
        ("(;A[b];C[d])", "( ; A [b] ; C [d] )"),
        ("x( ;\nA [b]\t[c] ) y", "( ; A [b] [c] )"),
        ("(A[b](;C[d]", "( @1 A [b] ( ; C [d] @11 @11"),
        ("(;A[b](;C[d]);E[f])", "( ; A [b] ( ; C [d] ) @13 ; E [f] @18 )"),
        ("(;A[b](;C[d])E[f]) x", "( ; A [b] ( ; C [d] ) @13 @13 E [f] @17 )"),
        ("(;A[b](;C[d]);E[f](;G[h]);I[j]", "( ; A [b] ( ; C [d] ) @13 ; E [f] ( ; G [h] ) @25 ; I [j] @30 @30 @30"),
        ("((;A[b])(;C[d]))", "( ; A [b] ) ( ; C [d] )"),
        ("(;A[b]\n(;FF[4])", "( ; A [b] @7 ( ; FF [4] )"),
        ("(;A[b];C[d]))(;E[f])", "( ; A [b] ; C [d] ) ( ; E [f] )"),
        ("(;C[a [3d]];B[dd])", "( ; C [a [3d]] ; B [dd] )"),
    ] {
        let found = spans(&Parser::new(), bytes.as_bytes()).into_iter().map(|(_, span)| match span.is_empty() {
            true => format!("@{}", span.start),
            false => bytes[span].to_owned(),
        });
        assert_eq!(found.collect::<Vec<_>>().join(" "), expected, "{bytes}");
    }
}

/// Removes each variation of an input, from its first byte to its last; the others are read as before.
fn without_variations(bytes: &[u8]) -> usize {
    let spans = spans(&Parser::strict(), bytes);
    let (mut open, mut removed) = (Vec::new(), 0);
    for (n, (event, span)) in spans.iter().enumerate() {
        match event {
            Event::StartTree => open.push((n, span.start)),
            Event::EndTree => {
                let (first, start) = open.pop().unwrap();
                if open.is_empty() {
                    continue;
                }
                let mut splicer = Splicer::new(bytes);
                splicer.delete(start..span.end);
                let edited = splicer.finish().unwrap();
                let expected = spans[..first].iter().chain(&spans[n + 1..]).map(|(event, _)| *event);
                let read = Parser::strict().slice(&edited).map(Result::unwrap);
                assert!(read.eq(expected), "{}", shown(&edited));
                removed += 1;
                if removed == 20 {
                    return removed;
                }
            }
            _ => {}
        }
    }
    removed
}

/// A game with variations and white space.
fn sound(picks: &[u8]) -> Vec<u8> {
    let (mut bytes, mut has_variations) = (b"(;".to_vec(), vec![false]);
    for pick in picks {
        match (pick % 6, has_variations.last()) {
            (0 | 1, Some(false)) => bytes.extend(b";B[dd] C [a\\]b]\n[]"),
            (2 | 3, Some(_)) => {
                has_variations.pop();
                has_variations.extend([true, false]);
                bytes.extend(b" (\n;");
            }
            (4, Some(_)) if has_variations.len() > 1 => {
                has_variations.pop();
                bytes.extend(b"\t)");
            }
            _ => bytes.push(b' '),
        }
    }
    bytes.extend(vec![b')'; has_variations.len()]);
    bytes
}

#[test]
fn a_sound_game_without_one_of_its_variations_is_sound() {
    fn law(picks: Vec<u8>) -> TestResult {
        if without_variations(&sound(&picks)) > 0 { TestResult::passed() } else { TestResult::discard() }
    }
    holds(300, law as fn(Vec<u8>) -> TestResult);
}

/// Real files: nothing is lost between two spans but white space and what was reported.
#[test]
fn all_of_the_corpus_is_in_spans_or_reported() {
    for file in corpus() {
        let bytes = std::fs::read(&file).unwrap();
        let reported = std::sync::Arc::new(std::sync::atomic::AtomicU64::new(0));
        let count = std::sync::Arc::clone(&reported);
        let parser = Parser::new().on_diagnostic(move |_| _ = count.fetch_add(1, std::sync::atomic::Ordering::Relaxed));
        let mut splicer = Splicer::new(&bytes);
        let mut is_supplied = false;
        for (event, span) in parser.slice(&bytes).with_spans().map_while(Result::ok) {
            is_supplied |= span.is_empty() && matches!(event, Event::StartTree | Event::Node | Event::EndTree);
            splicer.delete(span);
        }
        let rest = splicer.finish().unwrap();
        if reported.load(std::sync::atomic::Ordering::Relaxed) == 0 {
            let rest = rest.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&rest);
            let is_blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0x0B;
            assert!(rest.iter().all(is_blank) && !is_supplied, "{}: {}", file.display(), shown(rest));
        }
    }
}
