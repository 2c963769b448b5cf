//! One call of the tokenizer: the input, the sink, and the step from one state to the next.

use super::head::{self, Follows, HeadScan};
use super::{MachineState, Outcome, Sink, StepResult, Tokenizer};
use crate::syntax::diagnostic::Position;

/// One call of [`Tokenizer::run`].
pub(super) struct Run<'r> {
    pub(super) t: &'r mut Tokenizer,
    /// The input, up to the next head if known, and whether it ends there.
    pub(super) input: &'r [u8],
    pub(super) eof: bool,
    /// The whole input, and whether the data ends there.
    whole: (&'r [u8], bool),
    pub(super) sink: &'r mut (dyn Sink + 'r),
    /// Number of input bytes consumed.
    pub(super) pos: usize,
}

impl<'r> Run<'r> {
    pub(super) fn new(t: &'r mut Tokenizer, input: &'r [u8], eof: bool, sink: &'r mut (dyn Sink + 'r)) -> Self {
        let head = t.head.map(|head| (head - t.base) as usize);
        let mut run = Run { t, input, eof, whole: (input, eof), sink, pos: 0 };
        if let Some(head) = head {
            run.end_input_at(head);
        }
        run
    }

    /// Advances to the next lexeme.
    pub(super) fn advance(&mut self) -> StepResult {
        if let Some(pending) = self.t.pending.take() {
            self.flush(pending)?;
        }
        if let Some(value) = self.t.value.take() {
            return self.go_on_with_value(value);
        }
        if let Some(skip) = self.t.skip.take() {
            return self.go_on_skipping(skip);
        }
        if let Some(word) = self.t.word.take() {
            return self.go_on_with_word(word);
        }
        match self.t.place {
            MachineState::Start => {
                self.before_start()?;
                self.start()
            }
            MachineState::Outside => self.outside(),
            _ => self.tree(),
        }
    }

    /// Returns whether the current byte, a `(` in a game, starts a head.
    pub(super) fn is_head(&mut self) -> Result<bool, Outcome> {
        let rest = &self.input[self.pos..];
        if !self.t.lenient() || !head::may_begin(rest) {
            return Ok(false);
        }
        let (at, follows) = (self.at(), self.follows());
        let known = self.t.head_scan.take().filter(|(paren, _)| *paren == at);
        let mut scan = known.map_or_else(HeadScan::start, |(_, scan)| scan);
        let before = scan.seen();
        let is_head = scan.look(rest, follows);
        let seen = scan.seen() - before;
        self.t.count(seen);
        if is_head.is_none() {
            self.t.head_scan = Some((at, scan));
        }
        is_head.ok_or(Outcome::NeedMore)
    }

    pub(super) fn follows(&self) -> Follows {
        if self.eof { Follows::End } else { Follows::More }
    }

    /// Ends the section before a head at this index of the input.
    #[cold]
    pub(super) fn cut_before(&mut self, head: usize) {
        self.t.head = Some(self.t.base + head as u64);
        self.end_input_at(head);
    }

    fn end_input_at(&mut self, end: usize) {
        (self.input, self.eof) = (&self.whole.0[..end], true);
    }

    /// Continues with the next section; returns false if the last one has been read.
    pub(super) fn next_piece(&mut self) -> bool {
        (self.input, self.eof) = self.whole;
        self.t.head.take().is_some()
    }

    /// Returns the offset of the current byte.
    #[inline]
    pub(super) fn at(&self) -> u64 {
        self.t.base + self.pos as u64
    }

    /// Returns the current position.
    pub(super) fn position(&mut self) -> Position {
        self.position_at(self.at())
    }

    /// Returns the position of an offset. Its line is computed only if it may be needed.
    pub(super) fn position_at(&mut self, at: u64) -> Position {
        if self.t.tracks_lines() {
            self.t.lines.locate(self.input, self.t.base, at)
        } else {
            Position { offset: at, ..Position::START }
        }
    }
}
