//! What may happen at a bracket, told from the bytes around it.
//!
//! These are the places where the tokenizer does something other than to count brackets: the repairs of
//! lenient mode, and the label of a charset in which a `]` may be half of a character. Each question is
//! about no more than [`NEAR`] bytes on either side, so the answer is the same whatever block the bracket
//! comes in. Where so many bytes do not tell, the answer is the careful one; who asks will have the place
//! read by the tokenizer itself.

use crate::tokenizer::at_line_start;
use crate::tokenizer::grammar::is_white_space;
use crate::tokenizer::two_byte::{MAX_LABEL, TwoByte};
use crate::tokenizer::value_end::{Behind, REACH, TAIL, cut_point, starts_game};

/// How far the answers look, in bytes.
pub(super) const NEAR: usize = REACH + 64;

/// Bytes of the archive: a block, and [`NEAR`] bytes on either side as far as there are so many.
#[derive(Clone, Copy)]
pub(super) struct Text<'t> {
    pub(super) bytes: &'t [u8],
    /// The offset of the first one.
    pub(super) at: u64,
    /// The last one is the last of the archive.
    pub(super) eof: bool,
}

impl<'t> Text<'t> {
    /// The bytes behind a place, as far as anybody looks, and whether the data end behind them.
    fn behind(self, at: usize) -> (&'t [u8], bool) {
        let rest = &self.bytes[at + 1..];
        match rest.get(..NEAR) {
            Some(near) => (near, false),
            None => (rest, self.eof),
        }
    }

    /// The `(` at an index surely starts a game, if it is outside of all games: `;` follows.
    pub(super) fn starts_tree(self, paren: usize) -> bool {
        let (behind, _) = self.behind(paren);
        behind.iter().find(|&&byte| !is_white_space(byte)) == Some(&b';')
    }

    /// The `(` at an index may start the next game in an open one, whose `)` is missing: it is the first
    /// on its line, and `;`, one of the six identifiers and `[` follow.
    pub(super) fn may_start_next_game(self, paren: usize) -> bool {
        let front = &self.bytes[paren.saturating_sub(NEAR)..paren];
        if !at_line_start(front, true) {
            return false;
        }
        let (behind, eof) = self.behind(paren);
        let mut rest = behind;
        let mut skip_while = |is: fn(u8) -> bool| {
            let len = rest.iter().position(|&byte| !is(byte)).unwrap_or(rest.len());
            let skipped = &rest[..len];
            rest = &rest[len..];
            (skipped, rest.first().copied())
        };
        let (_, semicolon) = skip_while(is_white_space);
        if semicolon.is_some_and(|byte| byte != b';') {
            return false;
        }
        skip_while(|byte| byte == b';');
        skip_while(is_white_space);
        let (ident, _) = skip_while(|byte| byte.is_ascii_alphanumeric());
        match skip_while(is_white_space) {
            (_, Some(b'[')) => starts_game(ident),
            (_, Some(_)) => false,
            (_, None) => !eof,
        }
    }

    /// The `]` at an index does not end its value as it seems to, if that holds a `[` that no `]` matches:
    /// it is text, or the value has swallowed the head of the next game.
    pub(super) fn is_repaired(self, close: usize) -> bool {
        let mut behind = Behind::new(close + 1);
        let is_end = behind.look(self.bytes, self.eof, close + 1 + REACH);
        is_end != Some(true) || cut_point(&self.bytes[close.saturating_sub(TAIL)..=close]).is_some()
    }

    /// The value that starts with the `[` at an index may be a CA that names a charset with two-byte
    /// characters.
    pub(super) fn may_name_charset(self, bracket: usize) -> bool {
        if bracket > 0 && matches!(self.bytes[bracket - 1], b'B'..=b'Z') {
            return false; // the identifier has another letter at its end
        }
        let (behind, _) = self.behind(bracket);
        let label = &behind[..behind.len().min(MAX_LABEL + 1)];
        let (mut at, mut is_text) = (0, false);
        while let Some(&byte) = label.get(at) {
            match byte {
                b'\\' => at += 1,
                b'[' => is_text = true,
                b']' if TwoByte::of_label(&label[..at]).is_some() => return true,
                b']' if !is_text => return false,
                _ => {}
            }
            at += 1;
        }
        false
    }
}
