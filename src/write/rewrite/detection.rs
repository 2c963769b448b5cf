//! Keeps a repair from changing the charset that is detected in the stream.
//!
//! Detection looks at a sample: the first game, up to the `)` that seems to be its end while the charset is unknown. A
//! bracket that is added or left out may move that place: to a text in another charset, or to one that tells nothing. The
//! output would be read differently, and a second repair would damage it.
//!
//! So the first game is repaired only if its new form, which ends in itself, tells the same. If the sample reaches beyond
//! a first game that stays as it is, and is not ASCII, then what else is in the sample stays as well.

use std::io;

use super::stream::{GameEditor, SNIFFED};
use crate::raw::trim;
use crate::read::parser::Parser;
use crate::syntax::tokenizer::Tokenizer;
use crate::syntax::tokenizer::declared::Given;

/// The charset that the sample shows for games that name none, and what has been written of the output's sample.
#[derive(Debug)]
pub(super) struct Detection {
    parser: Parser,
    /// The sample of the source; `None` before its first event.
    sample: Option<Sample>,
    has_game: bool,
    /// The output before the end of the first game.
    written: Vec<u8>,
    /// The first game of the output is the whole sample, or nothing is detected.
    is_settled: bool,
}

#[derive(Clone, Copy, Debug)]
struct Sample {
    given: Given,
    /// The offset of its end.
    end: u64,
    /// It ends where the stream does.
    to_end: bool,
    is_ascii: bool,
}

impl Detection {
    /// For the output of a parser that reads the source.
    pub(super) fn new(parser: &Parser) -> Self {
        Detection {
            parser: parser.clone(),
            sample: None,
            has_game: false,
            written: Vec::new(),
            is_settled: !parser.detects(),
        }
    }

    /// Takes the start of the source, as far as the parser has read it at its first event.
    pub(super) fn start(&mut self, source: &[u8]) {
        if self.is_settled || self.sample.is_some() {
            return;
        }
        let (tokenizer, is_over) = self.detect(source, true);
        let end = tokenizer.sample_len().unwrap_or(SNIFFED).min(source.len());
        self.sample = Some(Sample {
            given: tokenizer.given(),
            end: end as u64,
            to_end: !is_over,
            is_ascii: source[..end].is_ascii(),
        });
    }

    /// A tokenizer that knows what these bytes tell, and whether they tell all: more bytes would not matter.
    fn detect(&self, bytes: &[u8], is_end: bool) -> (Tokenizer, bool) {
        let mut tokenizer = self.parser.tokenizer();
        let is_over = tokenizer.detect(bytes, false);
        if !is_over && is_end {
            tokenizer.detect(bytes, true);
        }
        (tokenizer, is_over)
    }

    /// Whether what stands in the source after the first game, at an offset, may be repaired.
    pub(super) fn allows(&self, at: u64) -> bool {
        self.is_settled || self.sample.is_none_or(|sample| sample.is_ascii || at >= sample.end)
    }

    /// Whether a game may be replaced that starts at an offset, and after which so much of the source has been read.
    pub(super) fn allows_game(&self, game: &[u8], at: u64, rest: &[u8]) -> bool {
        let Some(sample) = self.sample.filter(|_| !self.is_settled && !self.has_game) else { return self.allows(at) };
        let is_last = sample.to_end && trim(rest).is_empty();
        let (tokenizer, is_over) = self.detect(&[&self.written, &game[..game.len().min(SNIFFED)]].concat(), is_last);
        (is_over || is_last) && tokenizer.given() == sample.given
    }

    /// Called when a game of the output has ended.
    pub(super) fn end_game(&mut self) {
        if !self.has_game && !self.is_settled {
            self.is_settled = self.detect(&self.written, false).1;
            self.written = Vec::new();
        }
        self.has_game = true;
    }

    /// Writes bytes that stay unchanged.
    pub(super) fn keep(&mut self, editor: &mut impl GameEditor, bytes: &[u8]) -> io::Result<()> {
        self.wrote(bytes);
        editor.keep(bytes)
    }

    /// Writes `after` in the place of `before`, which is at the offset `at`.
    pub(super) fn replace(
        &mut self,
        editor: &mut impl GameEditor,
        at: u64,
        before: &[u8],
        after: &[u8],
    ) -> io::Result<()> {
        self.wrote(after);
        editor.replace(at, before, after)
    }

    fn wrote(&mut self, bytes: &[u8]) {
        if !self.is_settled && !self.has_game {
            let room = SNIFFED.saturating_sub(self.written.len());
            self.written.extend_from_slice(&bytes[..bytes.len().min(room)]);
        }
    }
}
