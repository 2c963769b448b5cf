//! Reads the parts of files, on any thread.

use std::io::{self, BufRead};
use std::mem;
use std::sync::Arc;

use sgf_stream::Parser;
use sgf_stream::charset::{Charset, Decoding};

use super::count::{Counting, Counts, Verdicts};
use crate::input::Name;
use crate::jobs::{self, Games, Input, Steps, Work};

/// Number of different unread values of a long game after which its counts are passed on.
const MANY_SAMPLES: usize = 100_000;

/// The work of `sgf values`.
pub(super) struct Reading;

/// The results of consecutive parts and files.
#[derive(Default)]
pub(super) struct Counted {
    pub(super) counts: Counts,
    verdicts: Verdicts,
    /// The files that have ended and are worth a message.
    pub(super) ended: Vec<(Name, io::Result<Option<Charset>>)>,
}

impl Work for Reading {
    type Done = Counted;

    fn begin(&self) -> Counted {
        Counted::default()
    }

    fn reading(&self) -> jobs::Reading {
        jobs::Reading::new(Parser::new(), Decoding::new())
    }

    fn read(&self, input: &Arc<Input>, games: Games<'_, '_>, done: &mut Steps<'_, Counted>) {
        let (mut parser, mut bytes) = (games.push(&input.parser), games.into_bytes());
        let (mut counts, mut verdicts) = (mem::take(&mut done.counts), mem::take(&mut done.verdicts));
        let mut counting = Counting::new(&mut counts, &mut verdicts, input.decoder());
        // A file without SGF has no values.
        while let Ok(chunk) = bytes.fill_buf() {
            let len = chunk.len();
            let parsed = jobs::feed(&mut parser, chunk, &mut counting);
            bytes.consume(len);
            if len == 0 || parsed.is_err() {
                break;
            }
            if counting.sample_count() > MANY_SAMPLES {
                done.counts = counting.take();
                if !done.pass_on(mem::take) {
                    return;
                }
            }
        }
        (done.counts, done.verdicts) = (counts, verdicts);
    }

    fn end(&self, name: &Name, input: Option<&Arc<Input>>, result: io::Result<()>, done: &mut Counted) {
        let result = result.map(|()| input.and_then(|input| input.detected()));
        if !matches!(result, Ok(None)) {
            done.ended.push((name.clone(), result));
        }
    }
}
