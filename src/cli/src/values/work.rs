//! Reads the parts of files, on any thread.

use std::io::{self, BufRead, Read};
use std::mem;

use sgf_stream::Parser;
use sgf_stream::charset::{Charset, Decoding, TreeDecoder};
use sgf_stream::parts::{LongGame, Part};

use super::count::{Counting, Counts, Verdicts};
use crate::decoding::{self, Opened};
use crate::input::Name;
use crate::jobs::{Bytes, Steps, Work};

/// Number of different unread values of a long game after which its counts are passed on.
const MANY_SAMPLES: usize = 100_000;

/// The work of `sgf values`.
pub(super) struct Reading;

/// The way to read a file.
#[derive(Clone)]
pub(super) struct How {
    decoding: Decoding,
    /// The charset of its byte-order mark.
    bom: Option<Charset>,
}

/// The results of consecutive parts and files.
#[derive(Default)]
pub(super) struct Counted {
    pub(super) counts: Counts,
    verdicts: Verdicts,
    /// The files that have ended and are worth a message.
    pub(super) ended: Vec<(Name, io::Result<Option<Charset>>)>,
}

impl How {
    fn parser(&self) -> Parser {
        Parser::new().charset(self.decoding)
    }

    fn decoder(&self) -> TreeDecoder {
        TreeDecoder::new(self.decoding).with_bom(self.bom)
    }
}

impl Work for Reading {
    type How = How;
    type Done = Counted;

    fn begin(&self) -> Counted {
        Counted::default()
    }

    fn parser(&self) -> Parser {
        Parser::new().charset(Decoding::new())
    }

    fn parser_of(&self, how: &How) -> Parser {
        how.parser()
    }

    fn open<'d>(&self, data: &'d mut dyn BufRead) -> io::Result<(How, Box<dyn Read + 'd>)> {
        Ok(match decoding::open(data, Decoding::new())? {
            Opened::Bytes(whole, bom) => (How { decoding: Decoding::new(), bom }, Box::new(whole)),
            Opened::Text(text) => (How { decoding: Decoding::utf8(), bom: None }, text),
        })
    }

    fn part(&self, _: &Name, how: &How, part: &Part<'_>, done: &mut Steps<'_, Counted>) {
        let Counted { counts, verdicts, .. } = &mut **done;
        let mut counting = Counting::new(counts, verdicts, how.decoder());
        // A file without SGF has no values.
        let _ = part.parse_into(&how.parser(), &mut counting);
    }

    fn long(&self, _: &Name, how: &How, mut game: LongGame<'_, Bytes<'_>>, done: &mut Steps<'_, Counted>) {
        let mut parser = game.push(&how.parser());
        let (mut counts, mut verdicts) = (mem::take(&mut done.counts), Verdicts::default());
        let mut counting = Counting::new(&mut counts, &mut verdicts, how.decoder());
        // The caller gets an error again.
        while let Ok(chunk) = game.fill_buf() {
            let len = chunk.len();
            let parsed = match len {
                0 => parser.finish_into(&mut counting),
                _ => parser.feed_into(chunk, &mut counting),
            };
            game.consume(len);
            if len == 0 || parsed.is_err() {
                break;
            }
            if counting.sample_count() > MANY_SAMPLES {
                done.counts = counting.take();
                if !done.pass_on(Counted::default) {
                    return;
                }
            }
        }
        done.counts = counts;
    }

    fn end(&self, name: &Name, _: Option<&How>, detected: Option<Charset>, result: io::Result<()>, done: &mut Counted) {
        let result = result.map(|()| detected);
        if !matches!(result, Ok(None)) {
            done.ended.push((name.clone(), result));
        }
    }
}
