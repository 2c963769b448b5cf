//! A game of the input.

use std::borrow::Cow;

use sgf_stream::charset::Decoding;
use sgf_stream::{Diagnostic, Event, EventSink, Flow, Parser};

use super::findings::Remedy;

/// A game, as it is in the source.
pub(super) struct Game<'b> {
    /// The bytes from its `(` to its `)`, or where that is missing, to the next game or the end of the data.
    pub(super) bytes: Cow<'b, [u8]>,
    /// The offset of its `(`.
    pub(super) start: u64,
    /// How its charset is found, with nothing left to detect.
    pub(super) decoding: Decoding,
}

impl Game<'_> {
    /// A parser for the game alone. It sends the same events as the parser of the whole file.
    pub(super) fn parser(&self) -> Parser {
        Parser::new().charset(self.decoding)
    }

    /// The events, each with its offset in the game.
    pub(super) fn events(&self) -> impl Iterator<Item = (u64, Event<'_>)> {
        self.parser().slice(&self.bytes).with_offsets().map_while(Result::ok)
    }

    /// This game with its value closed that the end of the data cuts off.
    pub(super) fn closed(&self) -> Option<Game<'static>> {
        // A backslash at the end would hide the bracket, and the first half of a character take it.
        [&b"]"[..], b"\\]", b" ]"].into_iter().find_map(|end| {
            let game = self.respelled([&*self.bytes, end].concat());
            (!game.has_cut_value()).then_some(game)
        })
    }

    /// This game with other bytes.
    pub(super) fn respelled(&self, bytes: Vec<u8>) -> Game<'static> {
        Game { bytes: bytes.into(), start: self.start, decoding: self.decoding }
    }

    fn has_cut_value(&self) -> bool {
        struct CutValues(bool);

        impl EventSink for CutValues {
            fn event(&mut self, _: Event<'_>, _: u64) -> Flow {
                Flow::Continue
            }

            fn fault(&mut self, fault: Diagnostic) {
                self.0 |= Remedy::of(fault.code) == Remedy::CloseValue;
            }
        }

        let mut cut = CutValues(false);
        let parsed = self.parser().parse_into(&self.bytes, &mut cut);
        parsed.is_err() || cut.0
    }
}
