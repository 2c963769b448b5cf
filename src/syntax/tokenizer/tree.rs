//! The transitions between lexemes: from game to game, from tree to tree, from node to node.

use super::emit::{Muted, Pending};
use super::grammar::{self, Lexed, is_junk, lex};
use super::skip::Skip;
use super::{LongWord, MachineState, Outcome, Run, StepResult};
use crate::raw::is_white_space;
use crate::syntax::diagnostic::{Code, Position};
use crate::syntax::event::Event;

impl Run<'_> {
    // --- Outside games ------------------------------------------------------------------------

    pub(super) fn start(&mut self) -> StepResult {
        match lex(grammar::bom(), self.input, self.eof) {
            Lexed::Is(bom) => {
                self.pos += bom.len();
                self.t.bom = !bom.is_empty();
            }
            Lexed::IsNot => {}
            Lexed::Unknown => return Err(Outcome::NeedMore),
        }
        self.t.place = MachineState::Outside;
        Ok(())
    }

    /// Reads `Collection = GameTree { GameTree }`.
    pub(super) fn outside(&mut self) -> StepResult {
        // White space in a text belongs to it, wherever a chunk ends.
        if !self.t.junk_reported {
            self.white_space();
        }
        match self.input.get(self.pos) {
            None if !self.eof => Err(Outcome::NeedMore),
            None if self.next_piece() => Ok(()),
            None if !self.t.has_games() && !self.t.goes_on() && self.t.error.is_none() => {
                self.fail(Code::NoSgfData, Position::START)
            }
            None => Err(Outcome::End),
            Some(b'(') => {
                self.hold_paren();
                Ok(())
            }
            Some(b')') if self.t.has_games() && !self.t.junk_reported => {
                self.fault_here(Code::ExtraCloseParen)?;
                let at = self.at();
                self.pos += 1;
                self.skipped_from(Code::ExtraCloseParen, at);
                Ok(())
            }
            Some(_) => {
                let position = self.position();
                self.report_junk_outside(position)?;
                let rest = &self.input[self.pos..];
                let junk = memchr::memchr(b'(', rest).unwrap_or(rest.len());
                self.t.count(junk);
                self.pos += junk;
                self.skipped_from(Code::JunkOutsideTree, position.offset);
                Ok(())
            }
        }
    }

    /// Reports junk between games, once per contiguous run.
    fn report_junk_outside(&mut self, position: Position) -> StepResult {
        if !self.t.junk_reported {
            self.fault(Code::JunkOutsideTree, position)?;
            self.t.junk_reported = true;
        }
        Ok(())
    }

    /// Returns whether the machine is after a `(` outside all games that may be text. An identifier may follow the
    /// `(`.
    #[inline]
    fn may_be_text(&self) -> bool {
        self.t.levels.is_empty() && self.t.lenient()
    }

    /// Handles a `(` that is text.
    #[cold]
    fn not_a_game(&mut self) -> StepResult {
        if let Some(held) = self.t.held() {
            self.report_junk_outside(held)?;
            self.skip_paren(Code::JunkOutsideTree, held);
        }
        if self.t.place == MachineState::Ident {
            self.skip_held_ident(Code::JunkOutsideTree);
        }
        self.t.place = MachineState::Outside;
        Ok(())
    }

    // --- Inside a tree, or after a `(` that may start one ---------------------------------------

    /// Reads lexemes while the machine stays in a tree.
    pub(super) fn tree(&mut self) -> StepResult {
        loop {
            let Some(&byte) = self.input.get(self.pos) else {
                return if self.eof { self.end_of_data() } else { Err(Outcome::NeedMore) };
            };
            self.t.count(1);
            match byte {
                b';' => self.semicolon()?,
                b'A'..=b'Z' | b'a'..=b'z' => self.word()?,
                b'[' => self.value()?,
                b'(' => self.open()?,
                b')' => self.close()?,
                _ if is_white_space(byte) => self.white_space(),
                _ => self.junk()?,
            }
            if self.t.place == MachineState::Outside
                || self.t.value.is_some()
                || self.t.skip.is_some()
                || self.t.word.is_some()
            {
                return Ok(());
            }
        }
    }

    #[inline]
    pub(super) fn white_space(&mut self) {
        while self.input.get(self.pos).is_some_and(|&b| is_white_space(b)) {
            self.pos += 1;
            self.t.count(1);
        }
    }

    /// Reads the start of `Node = ";" { Property }`.
    #[inline]
    fn semicolon(&mut self) -> StepResult {
        let at = self.at();
        match self.t.place {
            MachineState::Node | MachineState::List => {
                let before = self.pos;
                if self.t.takes_fast_paths() {
                    self.plain_nodes()?;
                }
                if self.pos > before {
                    return Ok(());
                }
                self.pos += 1;
                self.emit_node(at)
            }
            MachineState::Ident => self.drop_ident(),
            MachineState::Opened(held) => {
                self.pos += 1;
                self.open_tree(held, at, MachineState::Node)
            }
            _ => {
                let position = self.position();
                self.fault(Code::NodeAfterVariation, position)?;
                self.pos += 1;
                self.t.declared.leave_root();
                self.open_implied(position, MachineState::Node)
            }
        }
    }

    /// Sends the held `(` with its first node.
    pub(super) fn open_tree(&mut self, held: Position, node_at: u64, then: MachineState) -> StepResult {
        if self.t.levels.is_empty() {
            self.t.games += 1;
            self.t.game = held;
            self.t.junk_reported = false;
            self.t.resync = false;
            self.watch_root(then);
        } else {
            self.t.declared.leave_root();
        }
        if self.is_too_deep() {
            let from = if then == MachineState::Node { node_at } else { self.at() };
            return self.drop_held_tree(held, from);
        }
        self.t.levels.open();
        self.emit_tree(held.offset, node_at, then)
    }

    /// Opens a tree without a bracket for a node after a child tree. It is the next child of the node that the tree
    /// belongs to.
    pub(super) fn open_implied(&mut self, node: Position, then: MachineState) -> StepResult {
        if self.is_too_deep() {
            let from = if then == MachineState::Node { node.offset } else { self.at() };
            self.fault(Code::TreeTooDeep, node)?;
            self.drop_tree(Skip::unopened_implied(from));
            return Ok(());
        }
        self.t.levels.open_implied();
        self.emit_tree(node.offset, node.offset, then)
    }

    /// Returns whether another tree would exceed the nesting limit.
    pub(super) fn is_too_deep(&self) -> bool {
        self.t.levels.count() >= self.t.config.max_depth
    }

    /// Skips a tree that is too deep, whose `(` is held back, and whose other bytes start at an offset.
    #[cold]
    fn drop_held_tree(&mut self, held: Position, from: u64) -> StepResult {
        self.fault(Code::TreeTooDeep, held)?;
        self.skip_paren(Code::TreeTooDeep, held);
        self.drop_tree(Skip::unopened(from));
        Ok(())
    }

    /// Skips a tree that is too deep. It was never open.
    #[cold]
    fn drop_tree(&mut self, skip: Skip) {
        if self.t.place == MachineState::Ident {
            self.skip_held_ident(Code::TreeTooDeep);
        }
        self.t.skip_next = false;
        self.t.place = MachineState::Node;
        self.t.skip = Some(skip);
    }

    /// Reports a `(` that was held back as skipped.
    #[cold]
    pub(super) fn skip_paren(&mut self, code: Code, held: Position) {
        self.sink.skipped(code, held.offset..held.offset + 1);
    }

    /// Handles a byte that is neither `;` nor the start of an identifier, after a possible held `(`. Returns whether
    /// this makes the `(` text; the byte must then be read again.
    pub(super) fn settle_paren(&mut self) -> Result<bool, Outcome> {
        let is_text = self.may_be_text();
        if is_text {
            self.not_a_game()?;
        }
        Ok(is_text)
    }

    /// Reads `GameTree = "(" …`.
    fn open(&mut self) -> StepResult {
        if let [_, b';', b'B' | b'W', b'[', ..] = self.input[self.pos..]
            && matches!(self.t.place, MachineState::Node | MachineState::List | MachineState::Closed)
            && !self.is_too_deep()
            && self.t.takes_fast_paths()
        {
            return self.open_variation();
        }
        if !self.t.levels.is_empty() && self.is_head()? {
            self.cut_before(self.pos);
            return Ok(());
        }
        match self.t.place {
            MachineState::Ident => return self.drop_ident(),
            MachineState::Opened(held) => {
                if self.settle_paren()? {
                    return Ok(());
                }
                self.fault(Code::TreeWithoutNodes, held)?;
                if self.is_too_deep() {
                    return self.drop_held_tree(held, self.at());
                }
                self.skip_paren(Code::TreeWithoutNodes, held);
                self.t.levels.open_promoted();
            }
            _ => {}
        }
        self.hold_paren();
        Ok(())
    }

    /// Holds the `(` at the current byte back.
    fn hold_paren(&mut self) {
        self.t.place = MachineState::Opened(self.position());
        self.pos += 1;
    }

    /// Opens a variation that starts with a move, as nearly all do. Such a `(` does not start a head, and need not be
    /// held back.
    fn open_variation(&mut self) -> StepResult {
        let at = self.at();
        self.pos += 2;
        self.t.declared.leave_root();
        self.t.levels.open();
        self.emit_tree(at, at + 1, MachineState::Node)
    }

    /// Reads `… { GameTree } ")"`.
    fn close(&mut self) -> StepResult {
        match self.t.place {
            MachineState::Ident => return self.drop_ident(),
            MachineState::Opened(held) => {
                if self.settle_paren()? {
                    return Ok(());
                }
                let at = self.at();
                self.pos += 1;
                self.empty_tree(held)?;
                self.skipped_from(Code::TreeWithoutNodes, at);
                return Ok(());
            }
            _ => {}
        }
        let at = self.at();
        self.pos += 1;
        let ends = self.t.levels.close();
        if ends == 0 {
            self.skipped_from(Code::TreeWithoutNodes, at);
        }
        self.t.after_child |= ends > 0;
        self.t.place = self.t.place_in_tree();
        if self.t.levels.is_empty() {
            self.t.game_end = at + 1;
        }
        if ends == 1 {
            self.t.muted = Muted::Nothing;
            return self.emit(Event::EndTree, at);
        }
        self.flush(Pending { ends, ends_at: at, ..Pending::NOTHING })
    }

    /// Drops the held `(`, which has no node and no child.
    fn empty_tree(&mut self, held: Position) -> StepResult {
        self.t.place = self.t.place_in_tree();
        self.fault(Code::TreeWithoutNodes, held)?;
        self.skip_paren(Code::TreeWithoutNodes, held);
        Ok(())
    }

    /// Handles a byte that is not part of a token.
    #[cold]
    fn junk(&mut self) -> StepResult {
        if self.settle_paren()? {
            return Ok(());
        }
        let rest = &self.input[self.pos..];
        let junk = rest.iter().position(|&b| !is_junk(b)).unwrap_or(rest.len());
        self.skip_junk(junk)
    }

    /// Skips junk, and reports it unless it continues junk that was reported.
    fn skip_junk(&mut self, len: usize) -> StepResult {
        if self.t.junk_end != self.at() {
            self.fault_here(Code::JunkInTree)?;
        }
        self.t.count(len);
        let from = self.at();
        self.pos += len;
        self.skipped_from(Code::JunkInTree, from);
        self.t.junk_end = self.at();
        Ok(())
    }

    /// Handles the end of the data inside a game, or after a `(` that may start one.
    fn end_of_data(&mut self) -> StepResult {
        match self.t.place {
            MachineState::Ident => self.drop_ident(),
            MachineState::Opened(held) => {
                if self.settle_paren()? {
                    return Ok(());
                }
                if !self.t.lenient() {
                    return self.fault_here(Code::UnclosedTree);
                }
                self.empty_tree(held)
            }
            _ => {
                self.unclosed()?;
                self.end_game_at(self.at(), None)
            }
        }
    }

    /// Handles the end of the data inside a game.
    pub(super) fn unclosed(&mut self) -> StepResult {
        let position = self.position();
        if self.t.goes_on() {
            return self.fault(Code::MissingCloseParen, position); // the next game starts here
        }
        self.t.cut = Some(position);
        self.fault(Code::UnclosedTree, position)
    }

    /// Ends the open game at `at`, with everything open in it. Before that, the rest of a value of this length is
    /// sent.
    pub(super) fn end_game_at(&mut self, at: u64, cut: Option<usize>) -> StepResult {
        let wanted = self.forget_skipped();
        let ends = self.t.levels.trees();
        self.t.game_end = at;
        self.t.levels.clear();
        self.t.after_child = false;
        self.t.place = MachineState::Outside;
        match wanted {
            true => self.flush(Pending { cut, ends, ends_at: at, ..Pending::NOTHING }),
            false => self.say_game_skipped(),
        }
    }

    // --- Identifiers --------------------------------------------------------------------------

    /// Reads `Property = PropIdent PropValue { PropValue }`.
    #[inline]
    fn word(&mut self) -> StepResult {
        if matches!(self.t.place, MachineState::Node | MachineState::List)
            && self.t.word_seen == 0
            && self.t.takes_fast_paths()
        {
            let before = self.pos;
            match self.t.muted {
                Muted::Node => self.pass_property(),
                _ => self.plain_nodes()?,
            }
            if self.pos > before {
                return Ok(());
            }
        }
        self.any_word()
    }

    /// Skips a property of a node that the sink skips, if its first value is plain.
    fn pass_property(&mut self) {
        if let Some((ident, raw)) = grammar::plain_property(&self.input[self.pos..])
            && ident.len() <= self.t.config.max_ident_len
            && raw.len() <= self.t.config.max_value_len
            && self.ends_at(self.pos + ident.len() + raw.len() + 1)
            && (self.t.declared.is_nothing() || self.t.declared.note_property(ident, raw))
        {
            let len = ident.len() + raw.len() + 2;
            self.t.count(len);
            self.pos += len;
            self.t.place = MachineState::List;
        }
    }

    /// Holds the identifier at the current byte back.
    fn hold_ident(&mut self, ident: &[u8]) {
        self.t.ident.position = self.position();
        self.t.ident.bytes.clear();
        self.t.ident.bytes.extend_from_slice(ident);
        self.wait_for_value(false);
    }

    fn wait_for_value(&mut self, dropped: bool) {
        self.t.ident.from = if self.t.place == MachineState::List { MachineState::Node } else { self.t.place };
        self.t.ident.dropped = dropped;
        self.t.ident.lost = false;
        self.t.place = MachineState::Ident;
        self.note_held_ident();
    }

    /// Reads a word that is not, or not certainly, a plain identifier followed by `[`.
    fn any_word(&mut self) -> StepResult {
        let rest = &self.input[self.pos..];
        let seen = std::mem::take(&mut self.t.word_seen);
        let len = match lex(grammar::word_rest(), &rest[seen..], self.eof) {
            Lexed::Is(more) => seen + more.len(),
            Lexed::Unknown if rest.len() <= self.t.config.max_ident_len => {
                self.t.count(rest.len() - seen);
                self.t.word_seen = rest.len();
                return Err(Outcome::NeedMore);
            }
            Lexed::Unknown | Lexed::IsNot => rest.len(),
        };
        self.t.count(len - seen);
        let word = &rest[..len];
        if len > self.t.config.max_ident_len {
            self.t.word = Some(LongWord { position: self.position(), has_upper: false });
            return Ok(());
        }
        if !word.iter().any(u8::is_ascii_uppercase) {
            if self.settle_paren()? {
                return Ok(());
            }
            return self.skip_junk(len);
        }
        if self.t.place == MachineState::Ident {
            return self.drop_ident();
        }
        if !self.t.lenient() {
            match self.t.place {
                MachineState::Opened(_) => return self.fault_here(Code::MissingSemicolon),
                MachineState::Closed => return self.fault_here(Code::NodeAfterVariation),
                _ => {}
            }
        }
        self.hold_ident(word);
        self.pos += len;
        // If its enclosing tree is not certain, its letters are checked later.
        if self.may_be_text() { Ok(()) } else { self.check_spelling() }
    }

    /// Reports violations of FF\[4\] in the held identifier.
    pub(super) fn check_spelling(&mut self) -> StepResult {
        let position = self.t.ident.position;
        if self.t.ident.bytes.iter().any(u8::is_ascii_lowercase) {
            self.fault(Code::LowercaseInIdent, position)?;
        }
        if self.t.ident.bytes.iter().any(u8::is_ascii_digit) {
            self.fault(Code::DigitInIdent, position)?;
        }
        Ok(())
    }

    /// Continues a word that is too long for an identifier.
    #[cold]
    pub(super) fn go_on_with_word(&mut self, LongWord { position, mut has_upper }: LongWord) -> StepResult {
        let rest = &self.input[self.pos..];
        let len = rest.iter().position(|b| !b.is_ascii_alphanumeric()).unwrap_or(rest.len());
        has_upper |= rest[..len].iter().any(u8::is_ascii_uppercase);
        self.t.count(len);
        self.pos += len;
        if self.pos == self.input.len() && !self.eof {
            self.t.word = Some(LongWord { position, has_upper });
            return Err(Outcome::NeedMore);
        }
        if self.may_be_text() {
            self.not_a_game()?;
            self.skipped_from(Code::JunkOutsideTree, position.offset);
            return Ok(());
        }
        if !has_upper {
            if self.t.junk_end != position.offset {
                self.fault(Code::JunkInTree, position)?;
            }
            self.skipped_from(Code::JunkInTree, position.offset);
            self.t.junk_end = self.at();
            return Ok(());
        }
        if self.t.place == MachineState::Ident
            && let Err(outcome) = self.drop_ident()
        {
            // The first byte of the word may be in an earlier chunk.
            self.t.error = self.t.error.map(|error| error.with_found(None));
            return Err(outcome);
        }
        self.fault(Code::IdentTooLong, position)?;
        self.skipped_from(Code::IdentTooLong, position.offset);
        self.t.ident.position = position;
        self.t.ident.bytes.clear();
        self.wait_for_value(true);
        Ok(())
    }

    /// Drops the held identifier, which has no value.
    #[cold]
    fn drop_ident(&mut self) -> StepResult {
        if self.may_be_text() {
            return self.not_a_game();
        }
        if self.t.ident.lost {
            self.skip_held_ident(Code::ValueTooLong);
        } else if !self.t.ident.dropped {
            self.fault(Code::PropertyWithoutValue, self.t.ident.position)?;
            self.skip_held_ident(Code::PropertyWithoutValue);
        }
        self.t.place = self.t.ident.from;
        self.t.declared.forget_ident();
        Ok(())
    }

    /// Reports the held identifier as skipped.
    #[cold]
    pub(super) fn skip_held_ident(&mut self, code: Code) {
        let from = self.t.ident.position.offset;
        self.sink.skipped(code, from..from + self.t.ident.bytes.len() as u64);
    }
}
