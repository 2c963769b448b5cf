//! Skipping to the end of a tree or a game, without events.
//!
//! The end of a tree depends only on brackets and values. This loop therefore looks for `(`, `)` and `[`, counts
//! them, and skips values with the scanner that reading uses. In lenient mode a game may also end where a
//! [head](super::head) starts, so that skipping ends where reading would end (law L3). Nothing else is examined or
//! reported.
//!
//! [`skip_blocks`](super::skip_blocks) handles 64 bytes at a time where possible; this module handles the rest, byte
//! by byte.

use super::blocks::BLOCK;
use super::declared::{Declared, Word};
use super::{Outcome, Run, StepResult, grammar};
use crate::syntax::diagnostic::Code;
use crate::syntax::flow::Flow;

/// The state of skipping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Skipped {
    /// The rest of the open game.
    Game,
    /// The innermost tree, whose `StartTree` was sent.
    Tree,
    /// A tree that was not opened because it is too deep, with its offset.
    Unopened(u64),
    /// A tree that was not opened and has no bracket.
    UnopenedImplied(u64),
}

#[derive(Debug)]
pub(super) struct Skip {
    kind: Skipped,
    /// Brackets opened since.
    open: u64,
    /// The word that is being read in the root.
    word: Option<Word>,
    /// Offset up to which bytes must be examined one by one, as blocks have shown.
    blocks_from: u64,
    /// The end of the last block that has shown this.
    suspended: u64,
}

impl Skip {
    fn new(kind: Skipped, open: u64) -> Self {
        Skip { kind, open, word: None, blocks_from: 0, suspended: 0 }
    }

    /// Skips the rest of the game; `open` brackets are open inside it.
    pub(super) fn game(open: u64) -> Self {
        Skip::new(Skipped::Game, open)
    }

    /// Extends skipping to the end of the game, in which `open` brackets are open besides its own.
    pub(super) fn widen(self, open: u64) -> Self {
        let unopened = match self.kind {
            Skipped::Game => return self,
            Skipped::Unopened(_) => 1,
            Skipped::Tree | Skipped::UnopenedImplied(_) => 0,
        };
        Skip { kind: Skipped::Game, open: open + unopened + self.open, ..self }
    }

    /// Continues in the middle of a word that is not an identifier.
    pub(super) fn go_on_with_word(&mut self, has_upper: bool) {
        self.word = Some(Word::too_long(has_upper));
    }

    /// Returns the number of brackets open here besides the game's own, given the number that the tokenizer counts.
    fn below_root(&self, brackets: u64) -> u64 {
        match self.kind {
            Skipped::Game => self.open,
            Skipped::Tree | Skipped::UnopenedImplied(_) => self.open + brackets - 1,
            Skipped::Unopened(_) => self.open + brackets,
        }
    }

    /// Returns whether this is the level of the root, outside words.
    #[inline]
    pub(super) fn is_at_root(&self, brackets: u64) -> bool {
        self.word.is_none() && self.below_root(brackets) == 0
    }

    /// Records that a block that ends at this offset needs bytes to be examined one by one. If the last such block is
    /// near, this applies to all bytes up to its end; otherwise only to those where it stopped.
    #[inline]
    pub(super) fn suspend_blocks(&mut self, until: u64) {
        if until < self.suspended + 4 * BLOCK as u64 {
            self.blocks_from = until;
        }
        self.suspended = until;
    }

    /// Counts brackets in order, up to the `)` of the skipped item.
    #[inline]
    pub(super) fn close(&mut self, opened: u64, closed: u64) -> Option<usize> {
        let mut both = opened | closed;
        while both != 0 {
            let bit = both & both.wrapping_neg();
            if opened & bit != 0 {
                self.open += 1;
            } else if self.open > 0 {
                self.open -= 1;
            } else {
                return Some(bit.trailing_zeros() as usize);
            }
            both ^= bit;
        }
        None
    }

    pub(super) fn tree() -> Self {
        Skip::new(Skipped::Tree, 0)
    }

    /// Returns whether a tree is skipped whose end gets no event.
    pub(super) fn is_tree(&self) -> bool {
        self.kind == Skipped::Tree
    }

    pub(super) fn unopened(at: u64) -> Self {
        Skip::new(Skipped::Unopened(at), 0)
    }

    pub(super) fn unopened_implied(at: u64) -> Self {
        Skip::new(Skipped::UnopenedImplied(at), 0)
    }
}

impl Run<'_> {
    pub(super) fn go_on_skipping(&mut self, mut skip: Skip) -> StepResult {
        loop {
            if self.at() >= skip.blocks_from {
                self.pos = self.t.skip_in_blocks(&mut skip, self.input, self.pos);
            }
            let rest = &self.input[self.pos..];
            let found = match self.t.declared {
                Declared::InRoot(_) => self.pass_words(&mut skip.word),
                _ => memchr::memchr3(b'(', b')', b'[', rest),
            };
            let Some(found) = found else {
                self.t.count(rest.len());
                self.pos = self.input.len();
                self.t.skip = Some(skip);
                return if self.eof { self.skip_runs_out() } else { Err(Outcome::NeedMore) };
            };
            self.t.count(found + 1);
            self.pos += found;
            match self.input[self.pos] {
                b'(' => {
                    match self.is_head() {
                        Ok(false) => {}
                        Ok(true) => {
                            self.cut_before(self.pos);
                            continue;
                        }
                        Err(outcome) => {
                            self.t.skip = Some(skip);
                            return Err(outcome);
                        }
                    }
                    skip.open += 1;
                    self.pos += 1;
                    self.t.declared.forget_ident();
                }
                b')' if skip.open > 0 => {
                    skip.open -= 1;
                    self.pos += 1;
                    self.t.declared.forget_ident();
                }
                b')' => return self.skipped(skip.kind),
                _ => {
                    self.note_bracket(skip.below_root(self.t.levels.brackets() as u64));
                    match grammar::plain_value(&self.input[self.pos..]) {
                        Some(raw)
                            if self.t.takes_fast_paths()
                                && !self.t.declared.is_label_next()
                                && self.is_certain(raw, self.pos) =>
                        {
                            self.t.count(raw.len());
                            self.pos += raw.len() + 2;
                        }
                        _ => {
                            self.t.skip = Some(skip);
                            return self.pass_value();
                        }
                    }
                }
            }
        }
    }

    /// Handles the `)` of the skipped item.
    fn skipped(&mut self, kind: Skipped) -> StepResult {
        self.t.after_child = true;
        let has_bracket = match kind {
            Skipped::Game => {
                self.t.game_end = self.at() + 1;
                self.t.levels.clear();
                true
            }
            Skipped::Tree => !self.t.levels.forget_tree(),
            Skipped::Unopened(_) => true,
            Skipped::UnopenedImplied(_) => false,
        };
        // A tree without a bracket ends with its enclosing tree, whose end is read next.
        self.pos += usize::from(has_bracket);
        if let Skipped::Unopened(from) | Skipped::UnopenedImplied(from) = kind {
            self.skipped_from(Code::TreeTooDeep, from);
        }
        self.t.place = self.t.place_in_tree();
        if kind == Skipped::Game { self.say_game_skipped() } else { Ok(()) }
    }

    pub(super) fn say_game_skipped(&mut self) -> StepResult {
        match self.sink.game_skipped() {
            Flow::Break => Err(Outcome::Stopped),
            _ => Ok(()),
        }
    }

    /// Handles the end of the game inside the skipped item. Removes the item from the open trees, and returns whether
    /// the ends of the others are sent.
    pub(super) fn forget_skipped(&mut self) -> bool {
        let Some(skip) = self.t.skip.take() else { return true };
        match skip.kind {
            Skipped::Tree => _ = self.t.levels.forget_tree(),
            Skipped::Unopened(from) | Skipped::UnopenedImplied(from) => self.skipped_from(Code::TreeTooDeep, from),
            Skipped::Game => {}
        }
        skip.kind != Skipped::Game
    }

    /// Handles the end of the data inside skipped content.
    fn skip_runs_out(&mut self) -> StepResult {
        self.unclosed()?;
        self.end_game_at(self.at(), None)
    }
}
