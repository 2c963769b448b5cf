//! What is done with the parts of files, on any thread.

use std::io::{self, BufRead, Read};

use sgf_stream::parallel::{LongGame, Part};
use sgf_stream::{Event, Parser};

use super::findings::{Fault, Finding, Findings};
use super::report::Record;
use super::statistics::Statistics;
use crate::input::Name;
use crate::jobs::Work;

/// The work of a scan.
pub(super) struct Scanning;

/// What has come of some parts and files, one after the other.
pub(super) struct Scanned {
    pub(super) statistics: Statistics,
    pub(super) bytes: u64,
    pub(super) deepest: Record,
    pub(super) longest: Record,
    pub(super) findings: Findings,
    /// The files that have ended. Of the first one, more may have been found by others.
    pub(super) ended: Vec<Ended>,
    /// The parser that the findings listen to.
    parser: Parser,
}

/// A file that was read to its end, or as far as it could be.
pub(super) struct Ended {
    pub(super) name: Name,
    pub(super) finding: Option<Finding>,
    pub(super) result: Result<(), Fault>,
}

impl Work for Scanning {
    type How = ();
    type Done = Scanned;

    fn begin(&self) -> Scanned {
        let findings = Findings::default();
        Scanned {
            statistics: Statistics::default(),
            bytes: 0,
            deepest: Record::default(),
            longest: Record::default(),
            parser: findings.listen(Parser::new()),
            findings,
            ended: Vec::new(),
        }
    }

    fn parser(&self) -> Parser {
        Parser::new().count_lines(true) // for the findings
    }

    fn open<'d>(&self, data: &'d mut dyn BufRead) -> io::Result<((), Box<dyn Read + 'd>)> {
        Ok(((), Box::new(data)))
    }

    fn part(&self, name: &Name, (): &(), part: &Part<'_>, done: &mut Scanned) {
        done.bytes += part.bytes().len() as u64;
        let statistics = &mut done.statistics;
        let parsed = match part.bytes().is_ascii() {
            true => part.parse(&done.parser, |event, offset| statistics.event::<false>(event, offset)),
            false => part.parse(&done.parser, |event, offset| statistics.event::<true>(event, offset)),
        };
        if let Err(error) = parsed {
            done.findings.fatal(&error);
        }
        done.note(name);
    }

    fn long(&self, name: &Name, (): &(), mut game: LongGame<'_, Box<dyn Read + '_>>, done: &mut Scanned) {
        // If it cannot be read to its end it is no game. The error comes again, to whoever goes on behind it.
        let mut alone = self.begin();
        let mut parser = game.push(&alone.parser);
        loop {
            let Ok(chunk) = game.fill_buf() else { return };
            let len = chunk.len();
            alone.bytes += len as u64;
            let mut count = |event: Event<'_>, offset| alone.statistics.event::<true>(event, offset);
            let parsed = if len == 0 { parser.finish(&mut count) } else { parser.feed(chunk, &mut count) };
            if let Err(error) = parsed {
                alone.findings.fatal(&error);
            }
            if len == 0 {
                break;
            }
            game.consume(len);
        }
        alone.note(name);
        done.bytes += alone.bytes;
        done.statistics.add(alone.statistics);
        done.deepest.take(alone.deepest);
        done.longest.take(alone.longest);
        done.findings.add(&alone.findings);
    }

    fn end(&self, name: &Name, _: Option<&()>, result: io::Result<()>, done: &mut Scanned) {
        let result = result.map_err(|error| Fault::unreadable(name, &error));
        let finding = done.findings.take_first();
        done.ended.push(Ended { name: name.clone(), finding, result });
    }
}

impl Scanned {
    /// What is the greatest, if it was met in this file.
    fn note(&mut self, name: &Name) {
        self.deepest.note(self.statistics.max_depth(), 0, name);
        let (len, offset) = self.statistics.longest_value();
        self.longest.note(len, offset, name);
    }
}
