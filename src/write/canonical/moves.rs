//! Nodes of one move, such as `;B[dd]`. Most nodes are like that, and canonical form leaves them unchanged.

use crate::node::{MOVE_WEIGHT, MoveNode, move_of};
use crate::property::{self, Context, Successor, ValueType};
use crate::syntax::event::{Event, Ident};
use crate::value::game::Game;
use crate::value::go::SmallBoard;

/// Returns the points that are written as they are read: those in lower-case letters; none if the game is not Go.
#[inline]
pub(super) fn plain_points(context: &Context) -> SmallBoard {
    match context.board() {
        Some(size) if context.game() == Game::Go => SmallBoard::new(size),
        _ => SmallBoard::NONE,
    }
}

/// The open node, as long as it can be a plain move node.
#[derive(Debug)]
pub(super) struct OpenMove {
    /// The points of moves that stay unchanged.
    points: SmallBoard,
    node: [u8; MoveNode::LEN],
    state: MovePart,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum MovePart {
    /// Another kind of node, or none.
    #[default]
    Closed,
    Node,
    Property,
    Value,
}

impl OpenMove {
    pub(super) const NONE: OpenMove =
        OpenMove { points: SmallBoard::NONE, node: move_of(b' ', [b' '; 2]), state: MovePart::Closed };

    /// Returns the weight of such a node: see [`Parser::max_node_len`](crate::Parser::max_node_len).
    pub(super) const WEIGHT: usize = MOVE_WEIGHT;

    /// Starts a game, whose nodes after the root are read in one context and written in the other.
    pub(super) fn start_game(&mut self, from: &Context, to: &Context) {
        let is_move = |context, name: &[u8]| {
            let row = property::lookup(Ident::new(name), context);
            row.is_some_and(|row| row.value_type() == ValueType::Move && row.successor() == Successor::Itself)
        };
        let stays = |name| is_move(from, name) && is_move(to, name);
        self.points = if stays(b"B") && stays(b"W") { plain_points(to) } else { SmallBoard::NONE };
        self.state = MovePart::Closed;
    }

    /// Starts a node if it can be a plain move node. Returns whether it did.
    #[inline]
    pub(super) fn start(&mut self) -> bool {
        self.state = if self.points != SmallBoard::NONE { MovePart::Node } else { MovePart::Closed };
        self.state == MovePart::Node
    }

    /// Takes the next event of the node, unless the node is then no longer a plain move node.
    #[inline]
    pub(super) fn take(&mut self, event: Event<'_>) -> bool {
        match (self.state, event) {
            (MovePart::Node, Event::Property(ident)) => {
                let [color @ (b'B' | b'W')] = *ident.as_bytes() else { return false };
                self.node = move_of(color, [b' '; 2]);
                self.state = MovePart::Property;
            }
            (MovePart::Property, Event::Value(value)) => {
                let letters = match *value.as_bytes() {
                    [x, y] if self.points.has([x, y]) => [x, y],
                    _ => return false,
                };
                self.node = move_of(self.node().letter(), letters);
                self.state = MovePart::Value;
            }
            _ => return false,
        }
        true
    }

    /// Returns whether all of these nodes stay unchanged.
    pub(super) fn are_plain(&self, nodes: &[[u8; MoveNode::LEN]]) -> bool {
        nodes
            .iter()
            .map(MoveNode::alone)
            .all(|node| matches!(node.letter(), b'B' | b'W') && self.points.has(node.letters()))
    }

    fn node(&self) -> MoveNode<'_> {
        MoveNode::alone(&self.node)
    }

    /// Returns the node, if it is complete and the next event starts another one.
    #[inline]
    pub(super) fn before(&self, event: Event<'_>) -> Option<[u8; MoveNode::LEN]> {
        (self.state == MovePart::Value && matches!(event, Event::Node)).then_some(self.node)
    }

    /// Returns whether the open node can still be a plain move node.
    #[inline]
    pub(super) fn is_open(&self) -> bool {
        self.state != MovePart::Closed
    }

    /// Ends the node. Returns it, if it is a plain move node.
    #[inline]
    pub(super) fn end(&mut self) -> Option<[u8; MoveNode::LEN]> {
        (std::mem::take(&mut self.state) == MovePart::Value).then_some(self.node)
    }

    /// Closes the node, which is not a plain move node, and returns its events so far.
    pub(super) fn close(&mut self) -> impl Iterator<Item = Event<'_>> {
        let state = std::mem::take(&mut self.state);
        let property = matches!(state, MovePart::Property | MovePart::Value);
        let property = property.then(|| Event::Property(self.node().ident()));
        let value = (state == MovePart::Value).then(|| Event::Value(self.node().value()));
        property.into_iter().chain(value)
    }
}

#[cfg(test)]
mod tests {
    use crate::node::Moves;
    use crate::read::parser::Parser;
    use crate::read::sink::EventSink;
    use crate::syntax::diagnostic::Diagnostic;
    use crate::syntax::event::Event;
    use crate::syntax::flow::Flow;
    use crate::write::{WriteError, Writer};

    /// Writes the events it is sent, as runs or not, up to the first error.
    struct Writing {
        writer: Writer<Vec<u8>>,
        takes_runs: bool,
        error: Option<String>,
    }

    impl Writing {
        fn note(&mut self, written: Result<(), WriteError>) -> Flow {
            self.error = self.error.take().or(written.err().map(|error| error.to_string()));
            Flow::Continue
        }

        fn written(sgf: &[u8], takes_runs: bool, writer: Writer<Vec<u8>>) -> Result<String, String> {
            let mut sink = Writing { writer, takes_runs, error: None };
            Parser::new().parse_into(sgf, &mut sink).unwrap();
            match sink.error {
                Some(error) => Err(error),
                None => Ok(sink.writer.finish().unwrap().escape_ascii().to_string()),
            }
        }
    }

    impl EventSink for Writing {
        fn event(&mut self, event: Event<'_>, _: u64) -> Flow {
            let written = self.writer.write(event);
            self.note(written)
        }

        fn diagnostic(&mut self, _: Diagnostic) {}

        fn moves(&mut self, moves: Moves<'_>) -> Option<Flow> {
            self.takes_runs.then(|| {
                let written = self.writer.moves(moves);
                self.note(written)
            })
        }
    }

    #[test]
    fn runs_of_moves_are_written_as_their_events() {
        let moves = b";B[dd];W[pp]\n;B[aa];W[ss]\r\n;B[tt];W[ab];B[zz];W[AB];C[ab];B[cd];W[ef]".repeat(3);
        let mut plain = b";B[dd];W[pp];B[aa];W[ss];B[ab];W[cd];B[ef]\n".repeat(5);
        plain.splice(100..100, *b"\n");
        for root in
            ["", "SZ[9]", "SZ[20]", "SZ[26:3]", "SZ[52]", "GM[11]", "GM[4]", "FF[3]", "CA[GBK]", "CA[UTF-8]C[x]"]
        {
            for end in ["", "C[more]", "[qq]", "(;W[aa];B[bb])(;GM[1];W[aa];B[bb])", ";;B[cc]BL[7];W[dd]"] {
                for moves in [&moves, &plain] {
                    let game = [b"(;", root.as_bytes(), moves, end.as_bytes(), b")(;B[dd];W[pp])"].concat();
                    let check = |writer: &dyn Fn() -> Writer<Vec<u8>>| {
                        let [events, runs] =
                            [false, true].map(|takes_runs| Writing::written(&game, takes_runs, writer()));
                        assert!(events.is_ok());
                        assert_eq!(runs, events);
                    };
                    check(&|| Writer::new(Vec::new()));
                    for width in [1, 6, 7, 20, 80, usize::MAX] {
                        check(&|| Writer::canonical(Vec::new()).line_width(width));
                    }
                }
            }
        }
    }

    #[test]
    fn the_limit_of_nodes_holds_for_runs_of_moves() {
        for (limit, is_refused) in [(66, true), (67, false)] {
            let writer = || Writer::canonical(Vec::new()).max_node_len(limit);
            let [events, runs] =
                [false, true].map(|takes_runs| Writing::written(b"(;;B[dd];W[pp];B[qq])", takes_runs, writer()));
            assert_eq!((events.is_err(), &runs), (is_refused, &events));
        }
    }
}
