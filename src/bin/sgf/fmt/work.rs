//! Rewrites the parts of a file, on any thread, and puts them together.
//!
//! A game needs nothing of other games. But the text between two games is kept or left out as a whole, and where a game
//! ends its line depends on what follows. So a part leaves its edges to [`Joiner`], which takes the parts in order.

use std::io::{self, BufRead, Read, Write};
use std::mem;

use sgf_stream::Parser;
use sgf_stream::charset::{Charset, Decoding};
use sgf_stream::parallel::{LongGame, Part};

use super::Stop;
use super::findings::{Faults, Findings, Printer};
use super::games::{Edges, Games, Gap, Next, TAIL, Written};
use super::options::Options;
use super::style::Style;
use crate::input::Name;
use crate::jobs::{Buffers, Bytes, InputStart, Steps, Work};

/// Bytes of a long game after which they are passed on.
const STEP: usize = 1 << 20;

/// The work of `sgf fmt` to standard output.
pub(super) struct Formatting {
    pub(super) options: Options,
    /// The charset of the byte-order mark of the file.
    pub(super) bom: Option<Charset>,
    /// Buffers of games that have been written out.
    pub(super) buffers: Buffers,
}

/// Facts of the file that are known before its first part.
#[derive(Clone, Default)]
pub(super) struct How {
    detected: Option<Charset>,
}

/// A part of the result.
#[derive(Default)]
pub(super) struct Formatted {
    /// Parts, or steps of one, each with the reason why nothing follows, if there is one.
    parts: Vec<(Written, Option<Stop>)>,
    /// The end of the file, with the charset that was detected.
    end: Option<(io::Result<()>, Option<Charset>)>,
}

impl Formatting {
    fn style(&self) -> Box<dyn Style> {
        let mut style = self.options.style(false);
        if let Some(bom) = self.bom {
            style.found_bom(bom);
        }
        style
    }

    /// How the charsets of games are found.
    fn for_games(&self) -> Decoding {
        match self.bom {
            Some(bom) => self.options.decoding_after(bom),
            None => self.options.decoding(),
        }
    }
}

impl Work for Formatting {
    type How = How;
    type Done = Formatted;

    const COUNTS_GAMES: bool = true;

    const PART_LEN: usize = 256 << 10;

    fn begin(&self) -> Formatted {
        Formatted::default()
    }

    fn parser(&self) -> Parser {
        Parser::new().charset(self.options.decoding()).count_lines(true)
    }

    fn open<'d>(&self, data: &'d mut dyn BufRead) -> io::Result<(How, Box<dyn Read + 'd>)> {
        Ok((How::default(), Box::new(data)))
    }

    fn start(&self, _: &Name, how: &mut How, start: InputStart) {
        how.detected = start.detected;
    }

    fn part(&self, _: &Name, how: &How, part: &Part<'_>, done: &mut Steps<'_, Formatted>) {
        let (mut style, mut findings) = (self.style(), Findings::new(self.options.ignored()));
        let (start, number) = (part.span().start, part.first_game().unwrap_or_default());
        let mut games = Games::new(self.buffers.take(), &mut *style, &mut findings, self.options.decoding()).of_part(
            start,
            number,
            how.detected,
            self.for_games(),
        );
        let stop = games.rewrite_part(part, &self.parser()).err();
        done.parts.push((games.take(), stop));
    }

    fn long(&self, _: &Name, how: &How, mut game: LongGame<'_, Bytes<'_>>, done: &mut Steps<'_, Formatted>) {
        let (mut style, mut findings) = (self.style(), Findings::new(self.options.ignored()));
        let (start, number) = (game.position().offset, game.number().unwrap_or_default());
        let mut parser = game.push(&self.parser());
        let mut games = Games::new(self.buffers.take(), &mut *style, &mut findings, self.options.decoding()).of_part(
            start,
            number,
            how.detected,
            self.for_games(),
        );
        loop {
            // The caller gets the error again.
            let Ok(chunk) = game.fill_buf() else { return };
            let len = chunk.len();
            let stop = games.feed(&mut parser, chunk, self.for_games()).err();
            game.consume(len);
            let is_over = len == 0 || stop.is_some();
            if is_over || games.len() >= STEP {
                done.parts.push((games.take(), stop));
                if is_over || !done.pass_on(Formatted::default) {
                    return;
                }
            }
        }
    }

    fn end(&self, _: &Name, _: Option<&How>, detected: Option<Charset>, result: io::Result<()>, done: &mut Formatted) {
        done.end = Some((result, detected));
    }
}

/// Puts the parts together.
pub(super) struct Joiner<W> {
    out: W,
    style: Box<dyn Style>,
    findings: Findings,
    printer: Printer<'static>,
    /// The bytes since the last game that were not written yet, and their faults.
    gap: Gap,
    between: Vec<u8>,
    faults: Faults,
    /// Whether nothing of the file was written or left out yet.
    is_start: bool,
    detected: Option<Charset>,
    buffers: Buffers,
}

impl<W: Write> Joiner<W> {
    pub(super) fn new(out: W, work: &Formatting, printer: Printer<'static>) -> Self {
        Joiner {
            out,
            style: work.style(),
            findings: Findings::new(work.options.ignored()),
            printer,
            gap: Gap::default(),
            between: Vec::new(),
            faults: Faults::default(),
            is_start: true,
            detected: None,
            buffers: work.buffers.clone(),
        }
    }

    /// Takes the next parts.
    pub(super) fn take(&mut self, done: Formatted) -> Result<(), Stop> {
        for (written, stop) in done.parts {
            self.part(written, stop)?;
        }
        if let Some((result, detected)) = done.end {
            self.detected = detected;
            result.map_err(Stop::Input)?;
            self.write_between(Next::End)?;
            self.out.flush().map_err(Stop::Output)?;
        }
        Ok(())
    }

    fn part(&mut self, written: Written, stop: Option<Stop>) -> Result<(), Stop> {
        let Written { mut games, edges: Edges { front, front_faults, gains_node, back }, has_game, reports } = written;
        self.between.extend_from_slice(&front);
        self.faults.append(front_faults);
        if has_game {
            let printed = self.print_between(Next::Game)?;
            mem::take(&mut self.gap).separate(&printed, gains_node, &mut self.out).map_err(Stop::Output)?;
        } else if self.between.len() > 2 * TAIL {
            let rest = self.between.split_off(self.between.len() - TAIL);
            self.write_between(Next::Unknown)?;
            self.between = rest;
        }
        self.out.write_all(&games).map_err(Stop::Output)?;
        self.buffers.give_back(&mut games);
        self.printer.print(reports);
        if let Some((gap, after, faults)) = back {
            (self.gap, self.between, self.faults) = (gap, after, faults);
        }
        match stop {
            None => Ok(()),
            Some(stop @ Stop::Refused(_)) => {
                self.write_between(Next::End)?;
                self.out.flush().map_err(Stop::Output)?;
                Err(stop)
            }
            Some(stop) => Err(stop),
        }
    }

    fn write_between(&mut self, next: Next) -> Result<(), Stop> {
        let printed = self.print_between(next)?;
        self.out.write_all(&printed).map_err(Stop::Output)
    }

    /// Returns what is to be written for the bytes since the last game.
    fn print_between(&mut self, next: Next) -> Result<Vec<u8>, Stop> {
        let mut printed = Vec::new();
        let between = mem::take(&mut self.between);
        // What comes in pieces is reported with the first one, as all faults are known then.
        self.findings.between.append(mem::take(&mut self.faults));
        let is_start = mem::replace(&mut self.is_start, false);
        self.gap
            .write((&between, is_start), next, &*self.style, &mut self.findings, &mut printed)
            .map_err(Stop::Output)?;
        self.printer.print(self.findings.take_reports());
        Ok(printed)
    }

    /// Returns whether there were errors in games, and the charset that was detected.
    pub(super) fn finish(self) -> (bool, Option<Charset>) {
        (self.printer.finish(), self.detected)
    }
}
