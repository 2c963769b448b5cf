//! Cuts a file into games and the text between them.
//!
//! A game is buffered to its end, and then rewritten by a [`Style`]: only then it is known whether something of it would
//! be lost. If so, the game is written unchanged, byte for byte, and [`Findings`] say why. Text between games is copied;
//! about white space between them the style decides.
//!
//! The parser tells where games begin and end, and the codes of its faults tell which games can be rewritten. Memory is
//! that of one game; a game of more than [`MAX_GAME`] bytes is written unchanged.

use std::borrow::Cow;
use std::io::{self, BufWriter, Write};
use std::mem;

use sgf_stream::charset::{Charset, Decoding};
use sgf_stream::{Diagnostic, Event, EventSink, Flow, Moves, Parser};

use super::Stop;
use super::findings::{Findings, Remedy};
use super::game::Game;
use super::style::{Style, Unchanged};
use crate::decoding;
use crate::source::Source;

/// The longest game that is buffered, in bytes.
const MAX_GAME: usize = 16 << 20;

/// The number of bytes that stay in the buffer, since the parser may still have to send events about them.
const TAIL: usize = 64 << 10;

/// What follows bytes that belong to no game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    Game,
    End,
    /// More of them, or a game, or the end.
    Unknown,
}

/// Where in the source the parser is.
#[derive(Clone, Copy)]
enum State {
    Between {
        /// There was text since the last game.
        has_text: bool,
        /// The last game has ended, and its line has not.
        is_after_game: bool,
    },
    /// In a game that starts at this offset, and is buffered.
    Game(u64),
    /// In a game that starts at this offset, and is too long to be buffered.
    LongGame(u64),
}

/// A file that is being rewritten.
pub(super) struct Games<'s, W: Write> {
    out: BufWriter<W>,
    style: &'s mut dyn Style,
    findings: &'s mut Findings,
    state: State,
    depth: usize,
    /// The last bytes of the source.
    buffer: Vec<u8>,
    /// Number of bytes at the start of the buffer that were written.
    written: usize,
    /// The offset of the first byte that was not written.
    offset: u64,
    /// How charsets are found.
    decoding: Decoding,
    /// How the charset of a game is found, with what was detected at the start of the file. `None` before the first
    /// event, since only then detection is over.
    game_decoding: Option<Decoding>,
    detected: Option<Charset>,
    had_game: bool,
    stop: Result<(), Stop>,
}

impl<'s, W: Write> Games<'s, W> {
    pub(super) fn new(out: W, style: &'s mut dyn Style, findings: &'s mut Findings, decoding: Decoding) -> Self {
        Games {
            out: BufWriter::with_capacity(TAIL, out),
            style,
            findings,
            state: State::Between { has_text: false, is_after_game: false },
            depth: 0,
            buffer: Vec::new(),
            written: 0,
            offset: 0,
            decoding,
            game_decoding: None,
            detected: None,
            had_game: false,
            stop: Ok(()),
        }
    }

    /// Rewrites a source. `without_default` is how charsets are found in a file with a byte-order mark, which overrules
    /// the default charset. Returns the charset that was detected.
    pub(super) fn rewrite(
        mut self,
        source: &mut Source<'_>,
        without_default: Decoding,
    ) -> Result<Option<Charset>, Stop> {
        let mut parser = Parser::new().charset(self.decoding).count_lines(true).push();
        let (mut is_start, mut for_games) = (true, self.decoding);
        loop {
            let mut has_bad_bytes = false;
            let chunk = source.next_chunk(|_| has_bad_bytes = true).map_err(Stop::Input)?;
            if has_bad_bytes {
                return Err(Stop::Refused("not all of it is in its charset".to_owned()));
            }
            if mem::take(&mut is_start)
                && let Some((charset, _)) = Charset::from_bom(chunk)
            {
                self.style.found_bom(charset);
                for_games = without_default;
            }
            let is_end = chunk.is_empty();
            self.buffer.drain(..mem::take(&mut self.written));
            self.buffer.extend_from_slice(chunk);
            let mut bytes = chunk;
            let parsed = loop {
                let parsed = if is_end { parser.finish_into(&mut self) } else { parser.feed_into(bytes, &mut self) };
                mem::replace(&mut self.stop, Ok(()))?;
                if !matches!(parsed, Ok(Flow::Break)) {
                    break parsed;
                }
                // That was the first event.
                self.detected = parser.detected_charset();
                let for_games = for_games.sniff(false);
                let for_games = self.detected.map_or(for_games, |detected| for_games.default_charset(detected));
                self.game_decoding = Some(for_games);
                bytes = &[];
            };
            if is_end {
                self.write_between(self.rest().len(), Next::End).map_err(Stop::Output)?;
                self.out.flush().map_err(Stop::Output)?;
            }
            parsed.map_err(|error| Stop::Refused(error.to_string()))?;
            if is_end {
                return Ok(parser.detected_charset());
            }
            self.shrink()?;
        }
    }

    fn rest(&self) -> &[u8] {
        &self.buffer[self.written..]
    }

    /// Number of bytes from the first one that was not written to an offset.
    fn len_to(&self, offset: u64) -> usize {
        let len = usize::try_from(offset.saturating_sub(self.offset)).unwrap_or(usize::MAX);
        len.min(self.rest().len())
    }

    fn advance(&mut self, len: usize) {
        self.written += len;
        self.offset += len as u64;
    }

    fn start_game(&mut self, offset: u64) -> Result<(), Stop> {
        self.write_between(self.len_to(offset), Next::Game).map_err(Stop::Output)?;
        self.state = match offset < self.offset {
            true => self.long_game(offset)?, // its first bytes were taken for text
            false => State::Game(offset),
        };
        Ok(())
    }

    /// Writes the next `len` bytes, which belong to no game, or leaves them out.
    fn write_between(&mut self, len: usize, next: Next) -> io::Result<()> {
        let State::Between { has_text, is_after_game } = &mut self.state else { return Ok(()) };
        let between = &self.buffer[self.written..self.written + len];
        let mark = if self.offset == 0 && between.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        let (mark, rest) = between.split_at(mark);
        let keeps_blanks = self.style.keeps_blanks();
        if keeps_blanks {
            self.out.write_all(mark)?;
        }
        let is_blank = |byte: &u8| matches!(byte, b' ' | 0x09..=0x0D);
        // Brackets that belong to no game mean nothing.
        let is_text = |byte: &u8| !is_blank(byte) && !matches!(byte, b'(' | b')');
        *has_text |= self.style.keeps_text() && rest.iter().any(is_text);
        // In a file without games the parser has an error.
        if *is_after_game || next == Next::Game {
            self.findings.report_between(*has_text);
        }
        if *has_text {
            self.out.write_all(rest)?;
        } else if keeps_blanks {
            for blanks in rest.split(|byte| !is_blank(byte)) {
                self.out.write_all(blanks)?;
            }
        } else if next != Next::Unknown && *is_after_game {
            self.out.write_all(b"\n")?;
        }
        self.advance(len);
        Ok(())
    }

    /// Writes a game. Its last tree ends at `offset`.
    fn end_game(&mut self, offset: u64) -> io::Result<()> {
        let len = self.len_to(offset);
        let has_paren = self.rest().get(len) == Some(&b')');
        let len = len + usize::from(has_paren);
        let bytes = &self.buffer[self.written..self.written + len];
        let is_rewritten = match self.state {
            State::Between { .. } => return Ok(()),
            State::LongGame(start) => {
                if let Some(unchanged) = self.findings.take_game().first(|remedy| remedy == Remedy::None) {
                    self.findings.report_unchanged(start, &unchanged);
                }
                self.out.write_all(bytes)?;
                false
            }
            State::Game(start) => {
                let decoding = self.game_decoding.unwrap_or(self.decoding);
                let game = Game { bytes: Cow::Borrowed(bytes), start, decoding };
                let faults = self.findings.take_game();
                let rewritten = match faults.first(|remedy| !self.style.accepts(remedy)) {
                    Some(unchanged) => Err(unchanged),
                    None => self.style.rewrite(&game, &faults, self.findings),
                };
                let is_first = !mem::replace(&mut self.had_game, true);
                let rewritten = rewritten.and_then(|bytes| match is_first && !self.shows_charset(&bytes) {
                    true => Err(Unchanged {
                        reason: "in another form it would not show the charset of the games that name none".to_owned(),
                        is_error: false,
                    }),
                    false => Ok(bytes),
                });
                match &rewritten {
                    Ok(bytes) => {
                        self.findings.report_repairs(&faults);
                        self.out.write_all(bytes)?;
                    }
                    Err(unchanged) => {
                        self.findings.report_unchanged(start, unchanged);
                        let relabelled = self.style.relabelled(&game);
                        self.out.write_all(relabelled.as_deref().unwrap_or(&game.bytes))?;
                    }
                }
                rewritten.is_ok()
            }
        };
        // After a game without `)` that stays unchanged, a line break would be a part of it.
        self.state = State::Between { has_text: false, is_after_game: is_rewritten || has_paren };
        self.advance(len);
        Ok(())
    }

    /// Whether the same charset would be detected if this were the first game.
    fn shows_charset(&self, game: &[u8]) -> bool {
        let mut parser = Parser::new().charset(self.decoding).push();
        let parsed = parser.feed(game, |_, _| Flow::Break).and_then(|_| parser.finish(|_, _| Flow::Break));
        let matters = |charset: Option<Charset>| charset.filter(|&charset| decoding::has_two_bytes(charset));
        parsed.is_ok() && matters(parser.detected_charset()) == matters(self.detected)
    }

    /// Writes what need not be in the buffer any more.
    fn shrink(&mut self) -> Result<(), Stop> {
        let len = self.rest().len();
        match self.state {
            State::Between { .. } if len > 2 * TAIL => {
                self.write_between(len - TAIL, Next::Unknown).map_err(Stop::Output)
            }
            State::Game(start) if len > MAX_GAME => {
                self.state = self.long_game(start)?;
                self.shrink()
            }
            State::LongGame(_) if len > 2 * TAIL => {
                let out = self.out.write_all(&self.buffer[self.written..self.written + len - TAIL]);
                self.advance(len - TAIL);
                out.map_err(Stop::Output)
            }
            _ => Ok(()),
        }
    }

    /// The state in a game that is too long to be buffered.
    fn long_game(&mut self, start: u64) -> Result<State, Stop> {
        let reason = format!("it takes more than {} MiB", MAX_GAME >> 20);
        if !self.style.takes_long_games() {
            return Err(Stop::Refused(format!("the game at byte {start}: {reason}")));
        }
        self.findings.report_unchanged(start, &Unchanged { reason, is_error: false });
        Ok(State::LongGame(start))
    }
}

impl<W: Write> EventSink for Games<'_, W> {
    #[inline]
    fn event(&mut self, event: Event<'_>, offset: u64) -> Flow {
        self.stop = match event {
            Event::StartTree => {
                self.depth += 1;
                if self.depth == 1 { self.start_game(offset) } else { Ok(()) }
            }
            Event::EndTree => {
                self.depth -= 1;
                if self.depth == 0 { self.end_game(offset).map_err(Stop::Output) } else { Ok(()) }
            }
            _ => return Flow::Continue,
        };
        if self.stop.is_ok() && self.game_decoding.is_some() { Flow::Continue } else { Flow::Break }
    }

    fn fault(&mut self, fault: Diagnostic) {
        self.findings.add(fault);
    }

    fn takes_moves(&self) -> bool {
        true
    }

    fn moves(&mut self, _: Moves<'_>) -> Flow {
        Flow::Continue
    }
}
