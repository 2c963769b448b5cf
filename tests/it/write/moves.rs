//! Runs of moves, which are written as their events are (law L9).

use sgf_stream::write::Writer;
use sgf_stream::{Diagnostic, Event, EventSink, Flow, Moves, Parser, PartEnd, ValuePart};

use super::{canonical, shown};
use crate::support::EachEvent;

/// Writes an input, read leniently, by its events, by its runs of moves, and with each value as a part.
pub(super) fn ways(input: &[u8], writer: impl Fn() -> Writer<Vec<u8>>) -> [Vec<u8>; 3] {
    struct Runs(Writer<Vec<u8>>);

    impl EventSink for Runs {
        fn event(&mut self, event: Event<'_>, _: u64) -> Flow {
            self.0.write(event).unwrap();
            Flow::Continue
        }

        fn fault(&mut self, _: Diagnostic) {}

        fn takes_moves(&self) -> bool {
            true
        }

        fn moves(&mut self, moves: Moves<'_>) -> Option<Flow> {
            self.0.moves(moves).unwrap();
            Some(Flow::Continue)
        }
    }

    fn part(event: Event<'_>) -> Event<'_> {
        match event {
            Event::Value(value) => Event::ValuePart(ValuePart { bytes: value.as_bytes(), end: PartEnd::Complete }),
            event => event,
        }
    }

    let (mut events, mut runs, mut parts) = (writer(), Runs(writer()), writer());
    Parser::new().each_event(input, |event, _| events.write(event).unwrap()).unwrap();
    Parser::new().parse_into(input, &mut runs).unwrap();
    Parser::new().each_event(input, |event, _| parts.write(part(event)).unwrap()).unwrap();
    [events, runs.0, parts].map(|writer| writer.finish().unwrap())
}

#[test]
fn runs_of_moves_are_written_as_their_events() {
    let moves = b";B[dd];W[pp]\n;B[aa];W[ss]\r\n;B[tt];W[ab];B[zz];W[AB];C[ab];B[cd];W[ef]".repeat(3);
    for root in ["", "SZ[9]", "SZ[20]", "SZ[26:3]", "SZ[52]", "GM[11]", "GM[4]", "FF[3]", "CA[GBK]", "CA[UTF-8]C[x]"] {
        for end in ["", "C[more]", "[qq]", "(;W[aa];B[bb])(;GM[1];W[aa];B[bb])", ";;B[cc]BL[7];W[dd]"] {
            let game = [b"(;", root.as_bytes(), &moves, end.as_bytes(), b")(;B[dd];W[pp])"].concat();
            canonical(&game);
            let [events, runs, _] = ways(&game, || Writer::new(Vec::new()));
            assert_eq!(shown(&runs), shown(&events));
        }
    }
    // The limit of nodes holds for moves too.
    struct Limited(Writer<Vec<u8>>, Option<String>);

    impl EventSink for Limited {
        fn event(&mut self, event: Event<'_>, _: u64) -> Flow {
            self.1 = self.1.take().or(self.0.write(event).err().map(|error| error.to_string()));
            Flow::Continue
        }

        fn fault(&mut self, _: Diagnostic) {}

        fn takes_moves(&self) -> bool {
            true
        }

        fn moves(&mut self, moves: Moves<'_>) -> Option<Flow> {
            self.1 = self.1.take().or(self.0.moves(moves).err().map(|error| error.to_string()));
            Some(Flow::Continue)
        }
    }
    for (limit, is_refused) in [(66, true), (67, false)] {
        let mut sink = Limited(Writer::canonical(Vec::new()).max_node_len(limit), None);
        Parser::new().parse_into(b"(;;B[dd];W[pp];B[qq])", &mut sink).unwrap();
        assert_eq!(sink.1.is_some(), is_refused, "{limit}: {:?}", sink.1);
    }
}
