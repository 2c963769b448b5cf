//! The way back: what is encoded is what a writer writes.

use bytes::{Bytes, BytesMut};
use sgf_stream::codec::{EventCodec, GameCodec};
use sgf_stream::write::Writer;
use sgf_stream::{Event, Ident, Parser, RawValue};
use tokio_util::codec::Encoder;

use crate::support::generate::Input;
use crate::support::holds;
use crate::support::writer::without_padding;

/// L4, for the codec.
#[test]
fn events_encoded_are_events_written() {
    fn law(Input(bytes): Input) {
        let (mut codec, mut encoded) = (EventCodec::new(), BytesMut::from("in front "));
        let mut writer = Writer::new(Vec::new());
        for event in Parser::new().slice(&bytes).map_while(Result::ok) {
            codec.encode(event, &mut encoded).unwrap();
            writer.write(event).unwrap();
        }
        // White space that keeps a variation from being the head of a game is the writer's alone: it has to hold
        // the variation back until it is clear that it would be one.
        let encoded = encoded.strip_prefix(b"in front ").unwrap();
        assert_eq!(without_padding(encoded), without_padding(&writer.finish().unwrap()));
        assert_eq!(codec.open_trees(), 0);
    }
    holds(2000, law as fn(Input));
}

#[test]
fn an_impossible_event_is_refused_and_leaves_nothing() {
    let (mut codec, mut dst) = (EventCodec::new(), BytesMut::new());
    let value = Event::Value(RawValue::new(b"dd"));
    for event in [Event::Node, value, Event::EndTree] {
        assert!(codec.encode(event, &mut dst).is_err());
        assert!(codec.encode(event.to_owned(), &mut dst).is_err());
    }
    codec.encode(Event::StartTree, &mut dst).unwrap();
    codec.encode(Event::Node, &mut dst).unwrap();
    assert!(codec.encode(Event::Property(Ident::new(b"no")), &mut dst).is_err());
    assert!(codec.encode(value, &mut dst).is_err());
    codec.encode(Event::EndTree, &mut dst).unwrap();
    assert_eq!(dst, b"(;)\n"[..]);
}

#[cfg(feature = "serde")]
#[test]
fn a_value_that_is_refused_leaves_nothing() {
    use std::collections::BTreeMap;

    let (mut codec, mut dst) = (sgf_stream::codec::RecordCodec::<()>::new(), BytesMut::new());
    let [good, bad] = ["Shusaku", "tab\t"].map(|name| BTreeMap::from([("PB", name)]));
    codec.encode(&good, &mut dst).unwrap();
    let before = dst.clone();
    let long = vec![good.clone(); 10_000]; // longer than any buffer
    assert!(codec.encode((&long, &bad), &mut dst).is_err());
    assert!(codec.encode(long.iter().chain([&bad]).collect::<Vec<_>>(), &mut dst).is_err());
    assert_eq!(dst, before);
    codec.encode(long, &mut dst).unwrap();
    assert_eq!(dst.len(), 10_001 * b"(;PB[Shusaku])\n".len());
}

#[test]
fn games_are_passed_on_byte_for_byte() {
    let games = b"(;C[a\\]\n\xFF];B[dd]) junk (;W[pp]";
    let (mut codec, mut passed_on) = (Parser::new().game_codec().accept_truncated(true), BytesMut::new());
    crate::support::codec::decode(games, &[3], &mut codec, |_, game, _| {
        GameCodec::new().encode(game.unwrap(), &mut passed_on).unwrap();
    });
    assert_eq!(passed_on, &b"(;C[a\\]\n\xFF];B[dd])\n(;W[pp]\n"[..]);
    GameCodec::new().encode(Bytes::from_static(b"(;)"), &mut passed_on).unwrap();
    assert!(passed_on.ends_with(b"\n(;)\n"));
}
