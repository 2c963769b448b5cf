//! Reads the parts of the file, on any thread.

use std::io::{self, BufRead};
use std::mem;
use std::sync::Arc;

use sgf_stream::charset::Decoding;
use sgf_stream::{Parser, Position};

use super::lines::Output;
use super::print::{Lines, Printed};
use super::texts::Texts;
use crate::input::Name;
use crate::jobs::{Buffers, Games, Input, Reading, Steps, Work};

/// Bytes of output after which they are passed on.
const STEP: usize = 4 << 20;

/// Number of bytes of a part that are parsed at a time: their output is less than a step.
const CHUNK: usize = 128 << 10;

/// The work of `sgf events`.
pub(super) struct Printing {
    pub(super) strict: bool,
    /// How charsets are found.
    pub(super) decoding: Decoding,
    /// Whether values are printed as decoded texts too.
    pub(super) has_texts: bool,
    /// Buffers of lines that have been printed.
    pub(super) buffers: Buffers,
}

impl Printing {
    fn texts(&self, input: &Input, position: Position) -> Option<Texts> {
        self.has_texts.then(|| Texts::new(input.decoder(), self.strict, position))
    }
}

impl Work for Printing {
    type Done = Printed;

    fn begin(&self) -> Printed {
        Printed { out: Output { lines: self.buffers.take(), ..Output::default() }, ..Printed::default() }
    }

    fn reading(&self) -> Reading {
        let parser = if self.strict { Parser::strict() } else { Parser::new() };
        Reading {
            // The lines take some twenty times the bytes of the game.
            part_len: 64 << 10,
            notes_bad: self.has_texts,
            ..Reading::new(parser.count_lines(true), self.decoding) // lines are for the diagnostics
        }
    }

    fn read(&self, input: &Arc<Input>, games: Games<'_, '_>, done: &mut Steps<'_, Printed>) {
        if done.out.is_over {
            return;
        }
        let (mut parser, start) = (games.push(&input.parser), games.position());
        let (mut bytes, mut read) = (games.into_bytes(), start.offset);
        let mut lines = Lines::new(mem::take(&mut done.out), self.texts(input, start));
        while let Ok(chunk) = bytes.fill_buf() {
            let chunk = &chunk[..chunk.len().min(CHUNK)];
            let len = chunk.len();
            input.take_bad(read..read + len as u64).iter().for_each(|&at| lines.bad_at(at));
            read += len as u64;
            if !lines.feed(&mut parser, chunk) || len == 0 {
                break;
            }
            bytes.consume(len);
            if lines.len() >= STEP {
                lines.pass(done);
                if !done.pass_on(|done| mem::replace(done, self.begin())) {
                    return;
                }
            }
        }
        lines.finish(done);
        done.detected = input.detected();
    }

    fn end(&self, _: &Name, input: Option<&Arc<Input>>, result: io::Result<()>, done: &mut Printed) {
        done.detected = input.and_then(|input| input.detected());
        done.end = Some(result);
    }
}
