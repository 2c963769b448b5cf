//! Reading of values, from their `[` on.

use super::emit::{Muted, Pending};
use super::grammar;
use super::look_ahead::ends_plainly;
use super::value_end::{self, Scanned, TAIL, ValueScan};
use super::{MachineState, Outcome, Run, StepResult};
use crate::raw::RawValue;
use crate::syntax::diagnostic::{Code, Position};
use crate::syntax::event::{CutValue, Event, PartEnd, ValuePart};

/// The handling of the open value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// Emits the value; emits the held identifier first if this is the property's first value.
    Emit { first: bool },
    /// Drops the value because of a syntax error.
    Drop(Code),
    /// Skips the value because of the sink.
    Skip,
}

/// A value that was not read together with its identifier. The input starts at its `[`, or in its middle after its
/// front has been dropped.
#[derive(Debug)]
pub(super) struct OpenValue {
    position: Position,
    scan: ValueScan,
    fate: Fate,
    /// Whether it exceeds the limit, which was reported.
    too_long: bool,
    /// Whether a fragment of it has been sent.
    in_parts: bool,
    /// Whether it names the charset of the game.
    is_label: bool,
    /// Whether it ends in the middle of a character, which was reported.
    is_cut: bool,
}

impl OpenValue {
    fn is_wanted(&self) -> bool {
        matches!(self.fate, Fate::Emit { .. })
    }

    /// Skips the rest of the value.
    pub(super) fn drop_it(&mut self) {
        self.fate = Fate::Skip;
    }
}

impl Run<'_> {
    /// Reads `PropValue = "[" CValueType "]"`.
    #[inline]
    pub(super) fn value(&mut self) -> StepResult {
        match self.t.place {
            MachineState::List => match grammar::plain_value(&self.input[self.pos..]) {
                Some(raw)
                    if self.t.takes_fast_paths()
                        && raw.len() <= self.t.config.max_value_len
                        && self.is_certain(raw, self.pos) =>
                {
                    let at = self.at();
                    self.t.count(raw.len());
                    self.pos += raw.len() + 2;
                    self.emit_value(RawValue::new(raw), at)
                }
                _ if self.t.muted == Muted::Nothing => self.open_value(Fate::Emit { first: false }, MachineState::List),
                _ => self.open_value(Fate::Skip, MachineState::List),
            },
            MachineState::Ident => self.first_value(),
            place => {
                if self.settle_paren()? {
                    return Ok(());
                }
                self.fault_here(Code::ValueWithoutIdent)?;
                self.open_value(Fate::Drop(Code::ValueWithoutIdent), place)
            }
        }
    }

    /// Returns whether the [plain value](grammar::plain_value) at an index certainly ends where it seems to end, in
    /// any charset.
    #[inline]
    pub(super) fn is_certain(&self, raw: &[u8], pos: usize) -> bool {
        (self.t.declared.is_nothing() || raw.is_ascii()) && self.ends_at(pos + raw.len() + 1)
    }

    /// Returns whether the `]` at an index obviously ends its value.
    #[inline]
    pub(super) fn ends_at(&self, close: usize) -> bool {
        !self.t.lenient() || ends_plainly(&self.input[close + 1..])
    }

    /// Reads the first value of the held identifier. If the identifier is in place of a node, the node is inserted
    /// first.
    fn first_value(&mut self) -> StepResult {
        let position = self.t.ident.position;
        match self.t.ident.from {
            MachineState::Opened(held) => {
                if self.t.levels.is_empty() {
                    self.t.resync = false; // a game: its faults count again
                    self.check_spelling()?;
                }
                self.fault(Code::MissingSemicolon, position)?;
                self.t.ident.from = MachineState::Node;
                self.open_tree(held, position.offset, MachineState::Ident)
            }
            MachineState::Closed => {
                self.fault(Code::MissingSemicolon, position)?;
                self.fault(Code::NodeAfterVariation, position)?;
                self.t.ident.from = MachineState::Node;
                // After a tree that was dropped, and may have had no node, this may be the root.
                self.note_bracket((self.t.levels.brackets() - 1) as u64);
                self.open_implied(position, MachineState::Ident)
            }
            _ if self.t.ident.dropped => self.open_value(Fate::Drop(Code::IdentTooLong), MachineState::Ident),
            _ if self.t.muted == Muted::Node => self.open_value(Fate::Skip, MachineState::List),
            _ => self.open_value(Fate::Emit { first: true }, MachineState::List),
        }
    }

    fn open_value(&mut self, fate: Fate, then: MachineState) -> StepResult {
        let position = self.position();
        let scan = ValueScan::new(self.t.declared.two_byte());
        let is_label = self.t.declared.is_label_next();
        let (too_long, in_parts, is_cut) = (false, false, false);
        self.t.value = Some(OpenValue { position, scan, fate, too_long, in_parts, is_label, is_cut });
        self.t.place = then;
        Ok(())
    }

    /// Skips a value that gets no event.
    pub(super) fn pass_value(&mut self) -> StepResult {
        self.open_value(Fate::Skip, MachineState::Node)
    }

    /// Scans the open value until it ends.
    pub(super) fn go_on_with_value(&mut self, mut value: OpenValue) -> StepResult {
        if self.t.muted != Muted::Nothing && value.fate == (Fate::Emit { first: false }) {
            value.fate = Fate::Skip; // the sink has the identifier, and needs no more
        }
        let max = self.t.config.max_value_len;
        let wanted = value.is_wanted();
        let parts = wanted && self.t.config.value_parts;
        let repair = self.t.lenient();
        let input = &self.input[self.pos..];
        loop {
            // A fragment is sent when no repair can affect it any more.
            let goal = if parts { (value.scan.start() + 1 + TAIL).saturating_add(max) } else { usize::MAX };
            let before = value.scan.at();
            let scanned = value.scan.scan(input, self.follows(), repair, goal);
            self.t.count(value.scan.at() - before + 1);
            if wanted && !parts && !value.too_long && value.scan.reaches(&scanned, self.eof, repair) > max {
                value.too_long = true;
                self.fault(Code::ValueTooLong, value.position)?;
            }
            match scanned {
                Scanned::Text(close) => {
                    if self.t.skip.is_none() {
                        let position = self.position_at(self.at() + close as u64);
                        self.fault(Code::UnescapedBracket, position)?;
                    }
                }
                Scanned::Goal => return self.part(value, usize::MAX),
                Scanned::Head(paren) => {
                    self.cut_before(self.pos + paren);
                    return self.unterminated_value(value);
                }
                Scanned::EndInCharacter(close) | Scanned::End(close) => {
                    let is_cut = matches!(scanned, Scanned::EndInCharacter(_)) && self.t.skip.is_none();
                    if is_cut && !std::mem::replace(&mut value.is_cut, true) {
                        let position = self.position_at(self.at() + close as u64 - 1);
                        self.fault(Code::CutCharacter, position)?;
                    }
                    return self.end_value(value, close);
                }
                Scanned::More if self.eof => return self.unterminated_value(value),
                Scanned::More => {
                    let done = value.scan.at().saturating_sub(TAIL);
                    if done > 0 && (!wanted || value.too_long) {
                        value.scan.drop_front(done);
                        self.pos += done;
                    }
                    self.t.value = Some(value);
                    return Err(Outcome::NeedMore);
                }
            }
        }
    }

    /// Ends the open value with the `]` at index `close`.
    fn end_value(&mut self, mut value: OpenValue, close: usize) -> StepResult {
        let len = close - value.scan.start();
        if std::mem::take(&mut value.is_label) {
            let start = self.pos + 1;
            // The front of a value that is longer than any name has been dropped.
            self.t.declared.note_label(if value.scan.start() == 1 { &self.input[start..start + len] } else { b"?" });
        }
        match value.fate {
            Fate::Emit { .. } if value.in_parts || len > self.t.config.max_value_len && !value.too_long => {
                self.part(value, close)
            }
            Fate::Emit { first: true } if value.too_long => {
                self.pos += close + 1;
                self.skipped_from(Code::ValueTooLong, value.position.offset);
                self.t.ident.lost = true;
                self.t.place = MachineState::Ident;
                Ok(())
            }
            Fate::Emit { first: true } => self.send_ident_of(value),
            Fate::Emit { first: false } if !value.too_long => {
                let (at, input, start) = (self.at(), self.input, self.pos + 1);
                self.pos += close + 1;
                self.emit_value(RawValue::new(&input[start..start + len]), at)
            }
            fate => {
                self.pos += close + 1;
                match fate {
                    Fate::Drop(code) => self.skipped_from(code, value.position.offset),
                    Fate::Emit { .. } => self.skipped_from(Code::ValueTooLong, value.position.offset),
                    Fate::Skip => {}
                }
                Ok(())
            }
        }
    }

    /// Sends the held identifier. The value stays open, and comes next.
    fn send_ident_of(&mut self, mut value: OpenValue) -> StepResult {
        value.fate = Fate::Emit { first: false };
        self.t.value = Some(value);
        self.t.muted = Muted::Nothing;
        self.emit_held_ident()
    }

    /// Sends the next fragment of a value whose `]` is at index `end` (a large number if unknown).
    fn part(&mut self, mut value: OpenValue, end: usize) -> StepResult {
        if value.fate == (Fate::Emit { first: true }) {
            return self.send_ident_of(value);
        }
        let start = value.scan.start();
        let at = self.at() + start as u64;
        let input = &self.input[self.pos..];
        let max = self.t.config.max_value_len.max(1);
        let left = end - start;
        let len = value.scan.part_len(input, end.min(value.scan.at()), max);
        let bytes = &input[start..start + len];
        if len == left {
            self.pos += end + 1;
            return self.emit(Event::ValuePart(ValuePart { bytes, end: PartEnd::Complete }), at);
        }
        value.scan.drop_front(start + len);
        value.in_parts = true;
        self.pos += start + len;
        self.t.value = Some(value);
        self.emit(Event::ValuePart(ValuePart { bytes, end: PartEnd::More }), at)
    }

    /// Handles the end of the data, or of the section, in the open value.
    #[cold]
    fn unterminated_value(&mut self, value: OpenValue) -> StepResult {
        let end = self.input.len() - self.pos;
        if self.t.goes_on() {
            self.fault(Code::MissingCloseBracket, value.position)?;
            let at = self.at() + end as u64;
            let cut = self.cut(&value, end);
            return self.end_game_at(at, cut);
        }
        if let Err(error) = self.fault(Code::UnterminatedValue, value.position) {
            self.t.value = Some(value); // to be skipped, if the caller continues after the fault
            return Err(error);
        }
        let cut = self.cut(&value, end);
        self.t.place = MachineState::Node;
        self.flush(Pending { cut, ..Pending::NOTHING })
    }

    /// Leaves the open value, which is incomplete, at index `end`. If a fragment of it was sent, the rest must
    /// follow: then this returns its length.
    fn cut(&mut self, value: &OpenValue, end: usize) -> Option<usize> {
        if value.in_parts && value.is_wanted() {
            return Some(end);
        }
        let from = self.pos;
        self.pos += end;
        // Without a preceding node, the value does not belong to any.
        if let Some(held) = self.t.held() {
            self.skip_paren(Code::TreeWithoutNodes, held);
        }
        match value.fate {
            Fate::Emit { first } if value.too_long => {
                if first {
                    self.skip_held_ident(Code::ValueTooLong);
                }
                self.skipped_from(Code::ValueTooLong, value.position.offset);
            }
            Fate::Emit { first } => {
                let ident = self.t.ident.position.offset;
                let ident = first.then(|| ident..ident + self.t.ident.bytes.len() as u64);
                let closer = value_end::closer(self.t.declared.two_byte(), &self.input[from..]);
                self.sink.cut_value(CutValue { ident, value: value.position.offset..self.at(), closer });
            }
            Fate::Drop(code) => self.skipped_from(code, value.position.offset),
            Fate::Skip => {}
        }
        None
    }
}
