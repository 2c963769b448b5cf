//! Faults and events on their way out.

use super::skip::Skip;
use super::{Go, Outcome, Place, Run, Sink, Spot};
use crate::diagnostic::{Code, Diagnostic, Position};
use crate::error::SyntaxError;
use crate::event::{Event, Ident, PartEnd, ValuePart};
use crate::flow::Flow;
use crate::value::RawValue;

/// What is due before anything else is read, in this order.
#[derive(Debug, Default)]
pub(super) struct Due {
    /// The last part of a value that is cut off, of this length, at the front of the input.
    pub(super) cut: Option<usize>,
    /// So many `EndTree`s …
    pub(super) ends: usize,
    /// … at this offset.
    pub(super) ends_at: u64,
    /// A `Node`.
    pub(super) node: Option<u64>,
    /// The value at the front of the input, of this length.
    pub(super) value: Option<usize>,
    /// The sink has stopped, and any of these is left.
    pub(super) any: bool,
}

/// What the sink does not want to hear of, short of whole trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hush {
    Nothing,
    /// The rest of this property's values.
    Property,
    /// The rest of this node's properties.
    Node,
}

/// The kind of the event that a sink has answered.
#[derive(Clone, Copy)]
pub(super) enum After {
    StartTree,
    Node,
    Property,
    EndTree,
}

impl<S: Sink> Run<'_, S> {
    #[cold]
    pub(super) fn fail(&mut self, code: Code, position: Position) -> Go {
        self.t.error = Some(SyntaxError::new(code, position));
        Err(Outcome::Failed)
    }

    /// A fault: the end in strict mode, an argument of [`Sink::fault`] in lenient mode.
    #[cold]
    pub(super) fn fault(&mut self, code: Code, spot: Spot) -> Go {
        if !self.t.lenient() {
            return self.fail(code, spot.position);
        }
        if !self.t.resync {
            self.sink.fault(Diagnostic::new(code, spot.position));
        }
        Ok(())
    }

    /// A fault at the current byte.
    #[cold]
    pub(super) fn fault_here(&mut self, code: Code) -> Go {
        let spot = self.spot();
        self.fault(code, spot)
    }

    #[inline(always)]
    pub(super) fn emit(&mut self, event: Event<'_>, at: u64) -> Go {
        match self.sink.event(event, at) {
            Flow::Continue => Ok(()),
            flow => {
                let after = match event {
                    Event::StartTree => After::StartTree,
                    Event::Node => After::Node,
                    Event::EndTree => After::EndTree,
                    _ => After::Property,
                };
                self.divert(flow, after)
            }
        }
    }

    /// Sends the identifier that was held back.
    pub(super) fn emit_held_ident(&mut self) -> Go {
        let flow = self.sink.held_property(Ident::new(&self.t.ident.bytes), self.t.ident.spot.at);
        self.divert(flow, After::Property)
    }

    /// Does what the sink wants. The state is that behind the event.
    #[cold]
    pub(super) fn divert(&mut self, flow: Flow, after: After) -> Go {
        let due = &mut self.t.due;
        match (flow, after) {
            (Flow::Continue, _) | (Flow::Skip, After::EndTree) => {}
            (Flow::Break, _) => {
                due.any = due.ends > 0 || due.node.is_some() || due.value.is_some();
                return Err(Outcome::Stopped);
            }
            (Flow::SkipGame, _) => {
                due.ends = 0;
                if !self.t.levels.is_empty() {
                    self.t.skip_open_game();
                }
            }
            (Flow::Skip, After::StartTree) => {
                due.node = None;
                self.t.skip = Some(Skip::tree());
            }
            (Flow::Skip, After::Node) => self.t.hush = Hush::Node,
            (Flow::Skip, After::Property) => self.t.hush = Hush::Property,
        }
        Ok(())
    }

    /// Sends what is due.
    #[cold]
    pub(super) fn flush_due(&mut self) -> Go {
        self.t.due.any = false;
        if let Some(len) = self.t.due.cut.take() {
            let (at, bytes) = (self.at(), &self.input[self.pos..self.pos + len]);
            self.pos += len;
            self.emit(Event::ValuePart(ValuePart { bytes, end: PartEnd::Cut }), at)?;
        }
        self.emit_ends()?;
        if let Some(at) = self.t.due.node.take() {
            self.emit(Event::Node, at)?;
        }
        if let Some(len) = self.t.due.value.take() {
            let (at, input, start) = (self.at(), self.input, self.pos + 1);
            self.pos += len + 2;
            self.emit_value(RawValue::new(&input[start..start + len]), at)?;
        }
        Ok(())
    }

    /// Sends the `EndTree`s that are due. The place is that behind them already.
    pub(super) fn emit_ends(&mut self) -> Go {
        let at = self.t.due.ends_at;
        while self.t.due.ends > 0 {
            self.t.due.ends -= 1;
            self.t.hush = Hush::Nothing;
            self.emit(Event::EndTree, at)?;
        }
        Ok(())
    }

    #[inline]
    pub(super) fn emit_node(&mut self, at: u64) -> Go {
        self.t.place = Place::Node;
        self.t.after_child = false;
        self.t.hush = Hush::Nothing;
        if !self.t.declared.is_nothing() {
            self.t.declared.leave_root();
        }
        self.emit(Event::Node, at)
    }

    /// Sends a tree with its first node; its level is open, and the machine stands at `then`
    /// behind them.
    pub(super) fn emit_tree(&mut self, at: u64, node_at: u64, then: Place) -> Go {
        self.t.place = then;
        self.t.after_child = false;
        self.t.hush = Hush::Nothing;
        if self.t.skip_next {
            self.t.skip_next = false;
            self.t.skip = Some(Skip::game(0));
            return Ok(());
        }
        self.t.due.node = Some(node_at);
        self.emit(Event::StartTree, at)?;
        match self.t.due.node.take() {
            Some(at) => self.emit(Event::Node, at),
            None => Ok(()), // the tree or the game is being skipped
        }
    }

    /// Sends a value that the machine stands behind, if the sink wants it.
    #[inline]
    pub(super) fn emit_value(&mut self, value: RawValue<'_>, at: u64) -> Go {
        match self.t.hush {
            Hush::Nothing => self.emit(Event::Value(value), at),
            _ => Ok(()),
        }
    }
}
