//! The laws of the codecs, which are driven by hand as `FramedRead` drives them. The property tests and the fuzz
//! target make the cases.

use std::ops::Range;
use std::sync::{Arc, Mutex};

use bytes::BytesMut;
use sgf_stream::codec::{Frame, GameCodec};
use sgf_stream::{Code, Diagnostic, OwnedEvent, Parser, SyntaxError};
use tokio_util::codec::Decoder;

use super::whole_games::{WholeGame, read_games};
use super::{Finding, Rules, Seen, alone, depth_after, finding, games, laws, listening, parse, parser, syntax};

/// Every item of a decoder, for chunks of these sizes, again and again. `take` is called after each.
pub fn decode<D: Decoder>(bytes: &[u8], sizes: &[usize], codec: &mut D, mut take: impl FnMut(&D, D::Item, &BytesMut)) {
    assert!(sizes.iter().any(|&size| size > 0), "chunks that never get anywhere");
    let mut buffer = BytesMut::new();
    let mut rest = bytes;
    for &size in sizes.iter().cycle() {
        if rest.is_empty() {
            break;
        }
        let (chunk, after) = rest.split_at(size.min(rest.len()));
        rest = after;
        buffer.extend_from_slice(chunk);
        while let Some(item) = codec.decode(&mut buffer).unwrap_or_else(|_| panic!("memory can be read")) {
            take(codec, item, &buffer);
        }
    }
    while let Some(item) = codec.decode_eof(&mut buffer).unwrap_or_else(|_| panic!("memory can be read")) {
        take(codec, item, &buffer);
    }
    assert!(codec.decode_eof(&mut buffer).is_ok_and(|item| item.is_none()), "after its end it stays there");
    assert!(buffer.is_empty(), "nothing is left");
}

/// Checks that the events of the codec, up to the first error, are those of every other reader.
pub fn events(bytes: &[u8], sizes: &[usize], parser: &Parser) -> Seen {
    // After its first fault a strict codec goes on, with faults of which nobody else hears.
    listening(parser, |parser| {
        let (mut events, mut error) = (Vec::new(), None);
        decode(bytes, sizes, &mut parser.event_codec(), |codec, item, _| match item {
            Ok(event) if error.is_none() => events.push((codec.offset(), event)),
            Err(fault) if error.is_none() => error = Some(finding(fault)),
            _ => {}
        });
        Seen::new(events, error)
    })
}

/// The events of the codec of lists, up to the first error.
pub fn event_lists(bytes: &[u8], sizes: &[usize], parser: &Parser) -> Seen {
    listening(parser, |parser| {
        let (mut events, mut error, mut depth) = (Vec::new(), None, 0);
        decode(bytes, sizes, &mut parser.event_list_codec(), |codec, item, _| match item {
            Ok(list) => {
                assert!(!list.is_empty());
                assert_eq!(list.iter().count(), list.len());
                let list: Vec<_> = list.iter().map(|(event, at)| (at, event.to_owned())).collect();
                assert!(list.iter().all(|&(at, _)| at <= codec.offset()));
                depth = depth_after(depth, &list);
                assert!(codec.depth() == depth || codec.depth() == 0, "{} {depth}", codec.depth());
                if error.is_none() {
                    events.extend(list);
                }
            }
            Err(fault) => {
                depth = 0;
                error = error.or(Some(finding(fault)));
            }
        });
        Seen::new(events, error)
    })
}

fn without_end(mut game: Vec<(u64, OwnedEvent)>) -> Vec<(u64, OwnedEvent)> {
    assert_eq!(game.pop().map(|(_, event)| event), Some(OwnedEvent::EndTree));
    game
}

/// The events of a codec as games. A fault takes with it what has come of its game.
fn games_of_events(bytes: &[u8], sizes: &[usize], parser: &Parser) -> Vec<WholeGame> {
    let games = games_of_single_events(bytes, sizes, parser);
    let (mut told, mut game, mut depth) = (Vec::new(), Vec::new(), 0);
    decode(bytes, sizes, &mut parser.event_list_codec(), |_, item, _| match item {
        Ok(list) => {
            for (event, at) in list.iter().map(|(event, at)| (event.to_owned(), at)) {
                depth = depth_after(depth, &[(at, event.clone())]);
                game.push((at, event));
                if depth == 0 {
                    told.push(Ok(without_end(std::mem::take(&mut game))));
                }
            }
        }
        Err(fault) => {
            game.clear();
            depth = 0;
            told.push(Err(finding(fault)));
        }
    });
    assert!(game.is_empty(), "{game:?}");
    assert_eq!(told, games, "left: lists of events, right: single ones");
    games
}

fn games_of_single_events(bytes: &[u8], sizes: &[usize], parser: &Parser) -> Vec<WholeGame> {
    let (mut told, mut game) = (Vec::new(), Vec::new());
    decode(bytes, sizes, &mut parser.event_codec(), |codec, item, _| match item {
        Ok(event) => {
            game.push((codec.offset(), event));
            if codec.depth() == 0 {
                told.push(Ok(without_end(std::mem::take(&mut game))));
            }
        }
        Err(fault) => {
            game.clear();
            told.push(Err(finding(fault)));
        }
    });
    assert!(game.is_empty(), "{game:?}");
    told
}

/// The events of a frame, with the offsets of the stream; and the same of its bytes alone.
fn events_of(frame: &Frame, parser: &Parser, stream: &[u8]) -> Vec<(u64, OwnedEvent)> {
    let (mut reader, mut events) = (frame.reader(parser), Vec::new());
    while let Some(event) = reader.next_event().map_err(syntax).unwrap_or_else(|fault| panic!("{fault:?}: {frame:?}")) {
        let event = event.to_owned();
        events.push((reader.offset(), event));
    }
    let (alone, start) = alone(frame.bytes(), stream, frame.position().offset);
    let alone = parse(&alone, parser).events;
    let alone: Vec<_> = alone.into_iter().map(|(at, event)| (at + start, event)).collect();
    assert_eq!(alone, events, "left: the bytes alone, right: with the places of the stream");
    events
}

/// The items of the codec of games.
fn frames(bytes: &[u8], sizes: &[usize], mut codec: GameCodec) -> Vec<Result<Frame, SyntaxError>> {
    let mut items = Vec::new();
    decode(bytes, sizes, &mut codec, |codec, item, _| {
        if let Ok(frame) = &item {
            let span = codec.span();
            assert_eq!(frame.span(), span);
            assert_eq!(&bytes[span.start as usize..span.end as usize], frame.as_ref());
        }
        items.push(item);
    });
    items
}

/// L1, L7, including after errors: events are those of the slice reader.
pub fn event_codec(bytes: &[u8], rules: &Rules, sizes: &[usize]) {
    for parser in [parser(rules), parser(rules).value_parts(true)] {
        assert_eq!(events(bytes, sizes, &parser), parse(bytes, &parser), "left: the codec, right: one slice");
        let lists = event_lists(bytes, sizes, &parser);
        assert_eq!(lists, parse(bytes, &parser), "left: the codec of lists, right: one slice");
    }
    let parser = parser(rules);
    let told = games_of_events(bytes, sizes, &parser);
    assert_eq!(told, read_games(bytes, &parser), "left: the codec, right: game by game");
}

/// A frame parsed alone yields the events of that game in the stream, and the codec and the frames together report
/// the diagnostics of a reader of the stream. In strict mode, games are those of `read_game`.
pub fn game_codec(bytes: &[u8], rules: &Rules, sizes: &[usize]) {
    let parser = parser(rules);
    if rules.strict {
        let told = frames(bytes, sizes, parser.game_codec()).into_iter();
        let told: Vec<_> = told
            .map(|item| item.map(|frame| without_end(events_of(&frame, &parser, bytes))).map_err(finding))
            .collect();
        assert_eq!(told, read_games(bytes, &parser), "left: the codec, right: game by game");
        return;
    }
    for parser in [parser.clone().value_parts(true), parser] {
        let whole = parse(bytes, &parser); // with findings, since that listens
        let findings: Arc<Mutex<Vec<Finding>>> = Arc::default();
        let heard = Arc::clone(&findings);
        let heard = move |found: &Diagnostic| heard.lock().unwrap().push((found.code, found.position));
        let listening = parser.clone().on_diagnostic(heard);
        let mut error = None;
        let mut events = Vec::new();
        for item in frames(bytes, sizes, listening.game_codec().accept_truncated(true)) {
            match item {
                Err(fault) => error = Some(finding(fault)),
                Ok(frame) => {
                    events.push(events_of(&frame, &parser, bytes));
                    let framed = std::mem::take(&mut *findings.lock().unwrap());
                    let mut reader = frame.reader(&listening);
                    while reader.next_event().unwrap().is_some() {}
                    let is_said = |&(code, _): &Finding| {
                        frame.is_cut() && matches!(code, Code::UnclosedTree | Code::UnterminatedValue)
                    };
                    let mut all = findings.lock().unwrap();
                    all.retain(|finding| !is_said(finding));
                    all.extend(framed);
                }
            }
        }
        let findings = std::mem::take(&mut *findings.lock().unwrap());
        let seen = Seen { events: events.concat(), findings, error };
        assert_eq!(events.len(), games(&whole.events).len());
        // What is wrong at the very end of a game that the next one cuts off is another fault, for a reader
        // who sees no next one.
        let is_missing = |code| matches!(code, Code::MissingCloseBracket | Code::MissingCloseParen);
        let is_cut = whole.findings.iter().any(|&(code, _)| is_missing(code));
        let [seen, whole] = [seen, whole].map(|seen| match laws::joined(seen).sorted() {
            seen if is_cut => Seen { findings: Vec::new(), ..seen },
            seen => seen,
        });
        assert_eq!(seen, whole, "left: frames, right: one slice");
    }
}

/// The limit on games depends only on the games: those within it are returned, each longer one is an error, and
/// chunks do not matter. Nothing is kept beyond it.
pub fn max_game_len(bytes: &[u8], rules: &Rules, sizes: &[usize], limit: usize) {
    let parser = parser(rules);
    let limited = parser.clone().max_game_len(limit);
    let whole = frames(bytes, &[bytes.len().max(1)], limited.game_codec());
    assert_eq!(frames(bytes, sizes, limited.game_codec()), whole, "left: chunks, right: all at once");
    if !rules.strict {
        let all = frames(bytes, sizes, parser.game_codec());
        let judged = all.into_iter().zip(spans(bytes, sizes, &parser)).map(|(item, span)| {
            let is_too_long = span.end - span.start > limit as u64;
            let item = item.map_err(finding);
            if is_too_long {
                Err((Code::GameTooLong, span.start))
            } else {
                item.map_err(|(code, at)| (code, at.offset))
            }
        });
        let whole: Vec<_> =
            whole.into_iter().map(|item| item.map_err(|fault| (fault.code(), fault.position().offset))).collect();
        assert_eq!(whole, judged.collect::<Vec<_>>(), "left: with the limit, right: what it should do");
    }
    // What is read at once, and around a bracket of a text the 512 bytes in which a head may have begun, and those that a
    // look ahead needs: 256 up to another bracket and 256 after it.
    let most = 2 * limit + sizes.iter().max().unwrap() + 1100;
    decode(bytes, sizes, &mut limited.game_codec(), |_, _, buffer| {
        assert!(buffer.len() <= most, "{} bytes are kept of games of {limit}", buffer.len());
    });
}

/// Where the items of a codec without limits are.
fn spans(bytes: &[u8], sizes: &[usize], parser: &Parser) -> Vec<Range<u64>> {
    let mut spans = Vec::new();
    decode(bytes, sizes, &mut parser.game_codec(), |codec, _, _| spans.push(codec.span()));
    spans
}
