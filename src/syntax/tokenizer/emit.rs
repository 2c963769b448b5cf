//! Sending of diagnostics and events to the sink.

use super::skip::Skip;
use super::{MachineState, Outcome, Run, StepResult};
use crate::raw::RawValue;
use crate::syntax::diagnostic::{Code, Diagnostic, Position};
use crate::syntax::error::Found;
use crate::syntax::event::{Event, Ident, PartEnd, ValuePart};
use crate::syntax::flow::Flow;

/// Events that follow the event just sent, in this order. If the sink stops there, they come first next time.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pending {
    /// The last fragment of a truncated value: its length at the front of the input.
    pub(super) cut: Option<usize>,
    /// The number of `EndTree`s.
    pub(super) ends: usize,
    /// The offset of the `EndTree`s.
    pub(super) ends_at: u64,
    /// The offset of a `Node`.
    pub(super) node: Option<u64>,
    /// A value: its length at the front of the input.
    pub(super) value: Option<usize>,
}

impl Pending {
    pub(super) const NOTHING: Pending = Pending { cut: None, ends: 0, ends_at: 0, node: None, value: None };

    fn is_nothing(&self) -> bool {
        self.cut.is_none() && self.ends == 0 && self.node.is_none() && self.value.is_none()
    }
}

/// The events that the sink skips, except whole trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Muted {
    Nothing,
    /// The rest of this property's values.
    Property,
    /// The rest of this node's properties.
    Node,
}

/// The kind of the last event that a sink was sent.
#[derive(Clone, Copy)]
pub(super) enum After {
    StartTree,
    Node,
    Property,
    EndTree,
}

impl Run<'_> {
    #[cold]
    pub(super) fn fail(&mut self, code: Code, position: Position) -> StepResult {
        let found = self.found(code, position);
        self.t.error = Some(self.t.error_of(code, position).with_found(found));
        Err(Outcome::Failed)
    }

    /// Returns the token that the grammar does not expect, if it is the next one in every chunking of the stream.
    #[cold]
    fn found(&self, code: Code, position: Position) -> Option<Found> {
        let next = self.input.get(self.pos).copied();
        match code {
            Code::PropertyWithoutValue => Some(Found::ident(&self.t.ident.bytes, next)),
            Code::LowercaseInIdent | Code::DigitInIdent => Some(Found::ident(&self.t.ident.bytes, None)),
            Code::UnclosedTree | Code::UnterminatedValue => Some(Found::byte(None)),
            Code::TreeWithoutNodes => {
                // A `)` is consumed by now, a `(` is not.
                let last = self.pos.checked_sub(1).map(|last| self.input[last]).filter(|&last| last == b')');
                Some(Found::byte(last.or(next)))
            }
            Code::JunkOutsideTree
            | Code::ExtraCloseParen
            | Code::JunkInTree
            | Code::ValueWithoutIdent
            | Code::MissingSemicolon
            | Code::NodeAfterVariation => (position.offset == self.at()).then_some(Found::byte(next)),
            _ => None,
        }
    }

    /// Handles a fault: ends parsing in strict mode, calls [`Sink::fault`] in lenient mode.
    #[cold]
    pub(super) fn fault(&mut self, code: Code, position: Position) -> StepResult {
        if !self.t.lenient() {
            return self.fail(code, position);
        }
        if !self.t.resync {
            self.sink.diagnostic(Diagnostic::new(code, position));
        }
        Ok(())
    }

    /// Reports the bytes that a fault drops, up to the current one.
    #[cold]
    pub(super) fn skipped_from(&mut self, code: Code, from: u64) {
        let to = self.at();
        self.sink.skipped(code, from..to);
    }

    /// Handles a fault at the current byte.
    #[cold]
    pub(super) fn fault_here(&mut self, code: Code) -> StepResult {
        let position = self.position();
        self.fault(code, position)
    }

    /// Sends an event.
    #[inline(always)]
    pub(super) fn emit(&mut self, event: Event<'_>, at: u64) -> StepResult {
        self.emit_before(Pending::NOTHING, event, at)?;
        Ok(())
    }

    /// Sends an event that others follow. Returns whether to send them: false if the sink skips them.
    #[inline(always)]
    pub(super) fn emit_before(&mut self, rest: Pending, event: Event<'_>, at: u64) -> Result<bool, Outcome> {
        match self.sink.event(event, at) {
            Flow::Continue => Ok(true),
            flow => {
                let after = match event {
                    Event::StartTree => After::StartTree,
                    Event::Node => After::Node,
                    Event::EndTree => After::EndTree,
                    _ => After::Property,
                };
                self.divert(flow, after, rest)
            }
        }
    }

    /// Sends the identifier that was held back.
    pub(super) fn emit_held_ident(&mut self) -> StepResult {
        let flow = self.sink.held_property(Ident::new(&self.t.ident.bytes), self.t.ident.position.offset);
        self.divert(flow, After::Property, Pending::NOTHING)?;
        Ok(())
    }

    /// Applies the sink's flow; the machine is positioned after the event. Returns whether to send the rest.
    #[cold]
    pub(super) fn divert(&mut self, flow: Flow, after: After, rest: Pending) -> Result<bool, Outcome> {
        match (flow, after) {
            (Flow::Continue, _) | (Flow::Skip, After::EndTree) => {}
            (Flow::Break, _) => {
                self.t.pending = Some(rest).filter(|rest| !rest.is_nothing());
                return Err(Outcome::Stopped);
            }
            (Flow::SkipGame, _) => {
                if !self.t.levels.is_empty() {
                    self.t.skip_open_game();
                }
                return Ok(false);
            }
            (Flow::Skip, After::StartTree) => {
                self.t.skip = Some(Skip::tree());
                return Ok(false);
            }
            (Flow::Skip, After::Node) => self.t.muted = Muted::Node,
            (Flow::Skip, After::Property) => self.t.muted = Muted::Property,
        }
        Ok(true)
    }

    /// Sends what is pending. The state already accounts for these events; only the bytes of a value remain to be consumed.
    pub(super) fn flush(&mut self, mut pending: Pending) -> StepResult {
        if let Some(len) = pending.cut.take() {
            let (at, bytes) = (self.at(), &self.input[self.pos..self.pos + len]);
            self.pos += len;
            if !self.emit_before(pending, Event::ValuePart(ValuePart { bytes, end: PartEnd::Cut }), at)? {
                return Ok(());
            }
        }
        while pending.ends > 0 {
            pending.ends -= 1;
            self.t.muted = Muted::Nothing;
            if !self.emit_before(pending, Event::EndTree, pending.ends_at)? {
                return Ok(());
            }
        }
        if let Some(at) = pending.node {
            self.emit(Event::Node, at)?;
        }
        if let Some(len) = pending.value {
            let (at, input, start) = (self.at(), self.input, self.pos + 1);
            self.pos += len + 2;
            self.emit_value(RawValue::new(&input[start..start + len]), at)?;
        }
        Ok(())
    }

    #[inline]
    pub(super) fn emit_node(&mut self, at: u64) -> StepResult {
        self.t.place = MachineState::Node;
        self.t.after_child = false;
        self.t.muted = Muted::Nothing;
        if !self.t.declared.is_nothing() {
            self.t.declared.leave_root();
        }
        self.emit(Event::Node, at)
    }

    /// Sends a tree with its first node. Its level is open, and `then` is the state of the machine after them.
    pub(super) fn emit_tree(&mut self, at: u64, node_at: u64, then: MachineState) -> StepResult {
        self.t.place = then;
        self.t.after_child = false;
        self.t.muted = Muted::Nothing;
        if self.t.skip_next {
            self.t.skip_next = false;
            self.t.skip = Some(Skip::game(0));
            return Ok(());
        }
        let rest = Pending { node: Some(node_at), ..Pending::NOTHING };
        if self.emit_before(rest, Event::StartTree, at)? {
            self.emit(Event::Node, node_at)?;
        }
        Ok(())
    }

    /// Sends a value, unless the sink skips it. The machine is positioned after it.
    #[inline]
    pub(super) fn emit_value(&mut self, value: RawValue<'_>, at: u64) -> StepResult {
        match self.t.muted {
            Muted::Nothing => self.emit(Event::Value(value), at),
            _ => Ok(()),
        }
    }
}
