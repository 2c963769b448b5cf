//! Skipping: to the end of a tree or a game, without events.
//!
//! Where a tree ends is a matter of brackets and values only. So this loop looks for `(`, `)` and
//! `[`, counts, and passes values over with the scanner that reading uses. In lenient mode a game
//! may also end where a [head](super::head) starts, so that skipping ends where reading would end
//! (law L3). Nothing else is looked at, and nothing else is reported.
//!
//! Behind the root it looks at 64 bytes at a time ([`blocks`](super::blocks)): which brackets are
//! outside of values is a matter of a few instructions. Where a repair could strike, or a character
//! matter, it stops in front of the value or the bracket, and that one is looked at byte by byte: a
//! bare `[` in a value, a `]` that may be text, a `(` that may begin a head, and in a charset with two-byte
//! characters what is not ASCII.

use super::blocks::{BLOCK, Block, Carry};
use super::declared::{Declared, Word};
use super::look_ahead::ends_plainly;
use super::{Outcome, Run, Sink, StepResult, grammar, head};
use crate::syntax::flow::Flow;

/// What is being skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The rest of the open game.
    Game,
    /// The innermost tree, whose `StartTree` went out.
    Tree,
    /// A tree that was not opened, since it is too deep.
    Unopened,
    /// The same, for one without a bracket.
    UnopenedImplied,
}

#[derive(Debug)]
pub(super) struct Skip {
    kind: Kind,
    /// Brackets opened since.
    open: u64,
    /// The word that is being read in the root.
    word: Option<Word>,
    /// In front of this offset, blocks have shown that bytes have to be looked at one by one.
    blocks_from: u64,
}

impl Skip {
    fn new(kind: Kind, open: u64) -> Self {
        Skip { kind, open, word: None, blocks_from: 0 }
    }

    /// The rest of the open game, in which so many brackets are open beside its own.
    pub(super) fn game(open: u64) -> Self {
        Skip::new(Kind::Game, open)
    }

    /// Goes on to the end of the game, in which so many brackets are open beside its own.
    pub(super) fn widen(self, open: u64) -> Self {
        let unopened = match self.kind {
            Kind::Game => return self,
            Kind::Unopened => 1,
            Kind::Tree | Kind::UnopenedImplied => 0,
        };
        Skip { kind: Kind::Game, open: open + unopened + self.open, ..self }
    }

    /// In the middle of a word that is no identifier.
    pub(super) fn go_on_with_word(&mut self, has_upper: bool) {
        self.word = Some(Word::too_long(has_upper));
    }

    /// How many brackets are open here beside the game's own, when the tokenizer knows of so many.
    fn below_root(&self, brackets: u64) -> u64 {
        match self.kind {
            Kind::Game => self.open,
            Kind::Tree | Kind::UnopenedImplied => self.open + brackets - 1,
            Kind::Unopened => self.open + brackets,
        }
    }

    /// Counts brackets in their order, up to the `)` of what is being skipped.
    fn close(&mut self, opened: u64, closed: u64) -> Option<usize> {
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
        Skip::new(Kind::Tree, 0)
    }

    /// A tree whose end is not heard of.
    pub(super) fn is_tree(&self) -> bool {
        self.kind == Kind::Tree
    }

    pub(super) fn unopened() -> Self {
        Skip::new(Kind::Unopened, 0)
    }

    pub(super) fn unopened_implied() -> Self {
        Skip::new(Kind::UnopenedImplied, 0)
    }
}

impl<S: Sink> Run<'_, S> {
    pub(super) fn go_on_skipping(&mut self) -> StepResult {
        let Some(mut skip) = self.t.skip.take() else { return Ok(()) };
        let repair = self.t.lenient();
        loop {
            if self.at() >= skip.blocks_from {
                self.skip_root_blocks(&mut skip, repair);
                if !self.t.declared.is_in_root() {
                    self.skip_blocks(&mut skip, repair);
                }
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
                b')' => {
                    self.t.skip = Some(skip);
                    return self.skipped();
                }
                _ => {
                    self.note_bracket(skip.below_root(self.t.levels.brackets() as u64));
                    match grammar::short_value(&self.input[self.pos..]) {
                        Some(raw) if !self.t.declared.is_label_next() && self.is_certain(raw, self.pos) => {
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

    /// Passes what is left of a root, up to its end or to something that has to be looked at closely:
    /// a parenthesis, a bare `[` in a value, a value of more than a block, and whatever may be `CA`.
    /// Each block starts outside of values, and behind a word.
    fn skip_root_blocks(&mut self, skip: &mut Skip, repair: bool) {
        #[cfg(test)]
        if self.t.long_way {
            return;
        }
        if skip.word.is_some() || skip.below_root(self.t.levels.brackets() as u64) > 0 {
            return;
        }
        let mut behind_value = 0;
        while self.t.declared.is_in_plain_root() {
            let Some(bytes) = self.input[self.pos..].first_chunk() else { return };
            self.t.count(BLOCK);
            let (block, mut carry) = (Block::of(bytes), Carry::default());
            let (open, close) = (block.equal(b'['), block.equal(b']'));
            let inside = carry.inside(block, open, close);
            let value_ends = inside & !(inside >> 1 | carry.inside << 63);
            let starts = open & !inside;
            let semicolons = block.equal(b';') & !inside;
            let (opened, closed) = block.parens();
            // What has to be looked at closely, and the end of the root.
            let mut stops = semicolons | (opened | closed) & !inside;
            let doubtful = if repair { (open & inside | close & !inside) & !below_lowest(starts) } else { 0 };
            if doubtful != 0 {
                stops |= 1 << highest(starts & below(doubtful.trailing_zeros()));
            }
            let in_list = starts & (value_ends << 1 | behind_value);
            let mut first_values = starts & !in_list & below_lowest(stops);
            while first_values != 0 {
                let at = first_values.trailing_zeros();
                if self.may_be_label(self.pos + at as usize) {
                    stops |= 1 << at;
                    break;
                }
                first_values &= first_values - 1;
            }
            let mut plain_ends = value_ends & below_lowest(stops);
            if repair && plain_ends != 0 {
                let end = highest(plain_ends);
                let is_followed_by_value = (starts & below_lowest(stops)) >> end != 0;
                if !is_followed_by_value && !ends_plainly(&self.input[self.pos + end + 1..]) {
                    stops |= 1 << highest(starts & below(end as u32));
                    plain_ends &= below_lowest(stops);
                }
            }
            if semicolons & stops & stops.wrapping_neg() != 0 {
                self.pos += stops.trailing_zeros() as usize + 1;
                self.t.declared.leave_root();
                return;
            }
            if stops != 0 || plain_ends == 0 {
                skip.blocks_from = self.at() + BLOCK as u64;
            }
            if plain_ends != 0 {
                self.pos += highest(plain_ends) + 1;
                self.t.declared.pass_values();
                behind_value = 1;
            }
            if stops != 0 || plain_ends == 0 {
                return;
            }
        }
    }

    /// The `[` at an index of the input, not behind a value, may be that of the root's CA: not if an
    /// identifier is in front of it that ends otherwise. A digit may be one of its own, which is junk.
    #[inline]
    fn may_be_label(&self, bracket: usize) -> bool {
        match self.input[..bracket] {
            [.., before, b'A'] => before == b'C' || !before.is_ascii_uppercase(),
            [.., last] => last == b'A' || !last.is_ascii_uppercase(),
            [] => true,
        }
    }

    /// Passes whole blocks, up to a bracket or a value that has to be looked at closely; if that is
    /// the `)` of what is being skipped, it comes next.
    fn skip_blocks(&mut self, skip: &mut Skip, repair: bool) {
        #[cfg(test)]
        if self.t.long_way {
            return;
        }
        let two_byte = self.t.declared.two_byte().is_some();
        let mut carry = Carry::default();
        // Where the value that goes on from the last block starts.
        let mut value_pos = self.pos;
        let mut pos = self.pos;
        while let Some(bytes) = self.input[pos..].first_chunk() {
            self.t.count(BLOCK);
            let block = Block::of(bytes);
            let (open, close) = (block.equal(b'['), block.equal(b']'));
            let starts_inside = carry.inside == 1;
            let inside = carry.inside(block, open, close);
            let starts = open & !inside;
            // The bits before what has to be looked at closely.
            let mut plain = u64::MAX;
            let mut stop = None;
            let mut doubtful = 0;
            if two_byte {
                doubtful |= block.high() & if repair { u64::MAX } else { inside };
            }
            if repair {
                // A bare `[` in a value, and a `]` outside, which may make text of the one before it.
                doubtful |= open & inside | close & !inside;
            }
            if !starts_inside {
                doubtful &= !below_lowest(starts); // where the last value ended has been decided
            }
            if repair && doubtful == 0 && carry.inside == 0 && inside != 0 {
                let end = highest(inside);
                if !ends_plainly(&self.input[pos + end + 1..]) {
                    doubtful = 1 << end;
                }
            }
            if doubtful != 0 {
                let start = starts & below(doubtful.trailing_zeros());
                stop = Some(if start == 0 { value_pos } else { pos + highest(start) });
                plain = if start == 0 { 0 } else { below(highest(start) as u32) };
            }
            let (opened, closed) = block.parens();
            if opened | closed != 0 {
                let (mut opened, mut closed) = (opened & plain & !inside, closed & plain & !inside);
                if repair
                    && opened != 0
                    && let Some(at) = self.first_candidate(pos, opened)
                {
                    stop = Some(pos + at);
                    (opened, closed) = (opened & below(at as u32), closed & below(at as u32));
                }
                if let Some(at) = skip.close(opened, closed) {
                    stop = Some(pos + at);
                }
            }
            if let Some(stop) = stop {
                self.pos = stop;
                skip.blocks_from = self.t.base + (pos + BLOCK) as u64;
                return;
            }
            if starts != 0 {
                value_pos = pos + highest(starts);
            }
            pos += BLOCK;
        }
        self.pos = if carry.inside == 1 { value_pos } else { pos };
    }

    /// The first of these `(` that may begin a head.
    #[inline]
    fn first_candidate(&self, pos: usize, mut parens: u64) -> Option<usize> {
        while parens != 0 {
            let at = parens.trailing_zeros() as usize;
            if head::may_begin(&self.input[pos + at..]) {
                return Some(at);
            }
            parens &= parens - 1;
        }
        None
    }

    /// The `)` of what is being skipped.
    fn skipped(&mut self) -> StepResult {
        let Some(Skip { kind, .. }) = self.t.skip.take() else { return Ok(()) };
        self.t.after_child = true;
        let has_bracket = match kind {
            Kind::Game => {
                self.t.game_end = self.at() + 1;
                self.t.levels.clear();
                true
            }
            Kind::Tree => !self.t.levels.forget_tree(),
            Kind::Unopened => true,
            Kind::UnopenedImplied => false,
        };
        // A tree without a bracket ends with the one that it stands in, which is read next.
        self.pos += usize::from(has_bracket);
        self.t.place = self.t.place_in_tree();
        if kind == Kind::Game { self.say_game_skipped() } else { Ok(()) }
    }

    pub(super) fn say_game_skipped(&mut self) -> StepResult {
        match self.sink.game_skipped() {
            Flow::Break => Err(Outcome::Stopped),
            _ => Ok(()),
        }
    }

    /// The game ends in what is being skipped. Takes that off the open trees, and says whether
    /// the ends of the others are wanted.
    pub(super) fn forget_skipped(&mut self) -> bool {
        let Some(skip) = self.t.skip.take() else { return true };
        if skip.kind == Kind::Tree {
            self.t.levels.forget_tree();
        }
        skip.kind != Kind::Game
    }

    /// The data end in what is being skipped.
    fn skip_runs_out(&mut self) -> StepResult {
        self.unclosed()?;
        self.end_game_at(self.at(), None)
    }
}

/// The bits below one.
fn below(bit: u32) -> u64 {
    (1 << bit) - 1
}

/// The bits below the lowest of a mask; all, if it has none.
fn below_lowest(mask: u64) -> u64 {
    mask.wrapping_sub(1) & !mask
}

/// The highest bit.
fn highest(mask: u64) -> usize {
    63 - mask.leading_zeros() as usize
}
