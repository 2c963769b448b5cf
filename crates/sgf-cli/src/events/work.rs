//! Reads the parts of the file, on any thread.

use std::io::{self, BufRead};
use std::mem;
use std::sync::Arc;

use sgf_stream::Parser;
use sgf_stream::charset::{Charset, Decoding};

use super::lines::Output;
use crate::input::Name;
use crate::jobs::{Buffers, Games, Input, Reading, Steps, Work};

/// The lines of some games.
#[derive(Default)]
pub(super) struct Printed {
    pub(super) out: Output,
    /// The charset that was detected.
    pub(super) detected: Option<Charset>,
    /// The end of the file.
    pub(super) end: Option<io::Result<()>>,
}

/// Bytes of output after which they are passed on.
const STEP: usize = 4 << 20;

/// Number of bytes of a part that are parsed at a time: their output is less than a step.
const CHUNK: usize = 128 << 10;

/// The work of `sgf events`.
pub(super) struct Printing {
    pub(super) strict: bool,
    /// How charsets are found.
    pub(super) decoding: Decoding,
    /// Buffers of lines that have been printed.
    pub(super) buffers: Buffers,
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
            ..Reading::new(parser.count_lines(true), self.decoding) // lines are for the diagnostics
        }
    }

    fn read(&self, input: &Arc<Input>, games: Games<'_, '_>, done: &mut Steps<'_, Printed>) {
        if done.out.is_over {
            return;
        }
        let (mut parser, mut bytes) = (games.push(&input.parser), games.into_bytes());
        while let Ok(chunk) = bytes.fill_buf() {
            let chunk = &chunk[..chunk.len().min(CHUNK)];
            let len = chunk.len();
            if !done.out.feed(&mut parser, chunk) || len == 0 {
                break;
            }
            bytes.consume(len);
            if done.out.lines.len() >= STEP && !done.pass_on(|done| mem::replace(done, self.begin())) {
                return;
            }
        }
        done.detected = input.detected();
    }

    fn end(&self, _: &Name, input: Option<&Arc<Input>>, result: io::Result<()>, done: &mut Printed) {
        done.detected = input.and_then(|input| input.detected());
        done.end = Some(result);
    }
}
