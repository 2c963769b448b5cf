//! Cuts a file into games and the text between them.
//!
//! A game is buffered to its end, and then rewritten by a [`Style`]: only then it is known whether something of it would
//! be lost. If so, the game is written unchanged, byte for byte, and [`Findings`] say why. Text between games is copied;
//! about white space between them the style decides.
//!
//! The parser tells where games begin and end, and the codes of its faults tell which games can be rewritten. Memory is
//! that of one game; a game of more than [`MAX_GAME`] bytes is written unchanged.
//!
//! A part of a file ([`work`](super::work)) leaves the bytes before its first game, and those after its last one, to
//! whoever puts the parts together: what becomes of them depends on what stands on the other side ([`Gap`]).

use std::borrow::Cow;
use std::io::{self, Write};
use std::mem;

use sgf_stream::charset::{Charset, Decoding};
use sgf_stream::parallel::Part;
use sgf_stream::{Diagnostic, Event, EventSink, Flow, Moves, Parser, PushParser};

use super::Stop;
use super::findings::{Faults, Findings, Printer, Remedy, Reports, Topic, Unchanged};
use super::game::Game;
use super::style::Style;
use crate::decoding;
use crate::input::kind::{BOM, starts_with_node};
use crate::source::Source;

/// The longest game that is buffered, in bytes.
const MAX_GAME: usize = 16 << 20;

/// The start of a game is told by fewer bytes than these.
const MAX_HEAD: usize = 1 << 10;

/// The number of bytes that stay in the buffer, since the parser may still have to send events about them.
pub(super) const TAIL: usize = 64 << 10;

/// Successor of bytes that belong to no game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    Game,
    End,
    /// More of them, or a game, or the end.
    Unknown,
}

/// Where in the source the parser is.
#[derive(Clone, Copy)]
enum State {
    Between(Gap),
    /// In a game that starts at this offset, and is buffered. The gap is the one before it, unless that belongs to the part
    /// before. Its last bytes may not be written yet: see [`Games::held`].
    Game(u64, Option<Gap>),
    /// In a game that starts at this offset, and is too long to be buffered.
    LongGame(u64),
}

/// The bytes between two games, as they are being written.
#[derive(Clone, Copy, Default)]
pub(super) struct Gap {
    /// There was a game before.
    has_game: bool,
    /// There was text since the last game.
    has_text: bool,
    /// The last game has ended, and its line has not.
    is_after_game: bool,
    /// The source has had a line break since the last game.
    has_break: bool,
    /// The last byte that is not white space is a `]`, in the line in which the last game ended.
    ends_in_bracket: bool,
    /// After its last value the last game had a line break that it has no more.
    has_lost_break: bool,
}

impl Gap {
    /// Writes the next bytes, which belong to no game, or leaves them out. `is_start`: they are the first of the file.
    pub(super) fn write(
        &mut self,
        (between, is_start): (&[u8], bool),
        next: Next,
        style: &dyn Style,
        findings: &mut Findings,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let Gap { has_game, has_text, is_after_game, has_break, ends_in_bracket, has_lost_break } = self;
        let mark = if is_start && between.starts_with(BOM) { BOM.len() } else { 0 };
        let (mark, rest) = between.split_at(mark);
        let keeps_blanks = style.keeps_blanks();
        // Without the mark, the bytes after it might be taken for one.
        let is_mistaken = || Charset::from_bom(rest).is_some() || rest.iter().take(4).any(|&byte| byte == 0);
        if !mark.is_empty() && (keeps_blanks || is_mistaken()) {
            out.write_all(mark)?;
        }
        let line_end = memchr::memchr2(b'\n', b'\r', rest);
        let goes_on =
            mem::take(has_lost_break) && !keeps_blanks && rest[..line_end.unwrap_or(rest.len())].contains(&b']');
        let is_blank = |byte: &u8| matches!(byte, b' ' | 0x09..=0x0D);
        *has_break |= line_end.is_some();
        let last = rest.iter().rfind(|byte| !is_blank(byte));
        *ends_in_bracket = !*has_break && last.map_or(*ends_in_bracket, |&last| last == b']');
        // Brackets that belong to no game mean nothing, but a file without games stays as it is.
        let is_sgf = *has_game || next != Next::End;
        let is_nothing = |byte: &u8| is_blank(byte) || is_sgf && matches!(byte, b'(' | b')');
        *has_text |= style.keeps_text() && !rest.iter().all(is_nothing);
        // In a file without games the parser has an error.
        if *is_after_game || next == Next::Game {
            findings.report_between(*has_text);
        }
        if *has_text {
            if goes_on {
                // In `;W[bb];)]` the value is `bb];)`, in `;W[bb]\n;)]` it is not.
                out.write_all(b"\n")?;
            }
            out.write_all(rest)?;
        } else if keeps_blanks {
            for blanks in rest.split(|byte| !is_blank(byte)) {
                out.write_all(blanks)?;
            }
        } else if next != Next::Unknown && *is_after_game {
            out.write_all(b"\n")?;
        }
        Ok(())
    }
}

impl Gap {
    /// Writes the last bytes before a game, all of which [`write`](Self::write) has printed to `printed`.
    ///
    /// In `(;C[x];)](A[y])` the bracket is text, since no `;` follows the next `(`. If the game gains one, `x];)` would be
    /// the value of the game before. A line break between the two brackets keeps them apart: no value goes on after it.
    pub(super) fn separate(self, printed: &[u8], gains_node: bool, out: &mut impl Write) -> io::Result<()> {
        if gains_node && self.may_be_joined() {
            out.write_all(b"\n")?;
        }
        out.write_all(printed)
    }

    /// Whether a `;` that the next game gains could make the text a part of the game before.
    fn may_be_joined(self) -> bool {
        self.has_text && self.ends_in_bracket
    }
}

/// The bytes of a part before its first game and after its last one, with their faults.
#[derive(Default)]
pub(super) struct Edges {
    pub(super) front: Vec<u8>,
    pub(super) front_faults: Faults,
    /// The first game gains a `;` at its start.
    pub(super) gains_node: bool,
    /// Nothing if there is no game: then all bytes are in `front`.
    pub(super) back: Option<(Gap, Vec<u8>, Faults)>,
}

/// A file, or a part of one, that is being rewritten.
pub(super) struct Games<'s, W: Write> {
    out: W,
    style: &'s mut dyn Style,
    findings: &'s mut Findings,
    state: State,
    depth: usize,
    /// The last bytes of the source.
    buffer: Cow<'s, [u8]>,
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
    /// The last bytes before the open game, if it depends on that game how they are written.
    held: Vec<u8>,
    stop: Result<(), Stop>,
    /// In a part: its edges so far, and whether it has no game so far.
    edges: Option<(Edges, bool)>,
}

impl<'s, W: Write> Games<'s, W> {
    pub(super) fn new(out: W, style: &'s mut dyn Style, findings: &'s mut Findings, decoding: Decoding) -> Self {
        Games {
            out,
            style,
            findings,
            state: State::Between(Gap::default()),
            depth: 0,
            buffer: Cow::Borrowed(&[]),
            written: 0,
            offset: 0,
            decoding,
            game_decoding: None,
            detected: None,
            had_game: false,
            held: Vec::new(),
            stop: Ok(()),
            edges: None,
        }
    }

    /// Turns this into the games of a part. `offset` is that of its first byte, and `number` the number of games before it.
    pub(super) fn of_part(mut self, offset: u64, number: u64, detected: Option<Charset>, for_games: Decoding) -> Self {
        self.offset = offset;
        self.had_game = number > 0;
        self.edges = Some((Edges::default(), true));
        self.set_detected(detected, for_games);
        self
    }

    fn set_detected(&mut self, detected: Option<Charset>, for_games: Decoding) {
        self.detected = detected;
        let for_games = for_games.sniff(false);
        self.game_decoding = Some(detected.map_or(for_games, |detected| for_games.default_charset(detected)));
    }

    /// Rewrites a source. `after` is how charsets are found in games after a byte-order mark. Returns the charset that was
    /// detected.
    pub(super) fn rewrite(
        mut self,
        source: &mut Source<'_>,
        after: impl Fn(Charset) -> Decoding,
        printer: &mut Printer<'_>,
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
                for_games = after(charset);
            }
            let is_end = chunk.is_empty();
            let detected = self.feed(&mut parser, chunk, for_games);
            printer.print(self.findings.take_reports());
            if is_end && matches!(detected, Ok(_) | Err(Stop::Refused(_))) {
                self.out.flush().map_err(Stop::Output)?;
            }
            let detected = detected?;
            if is_end {
                return Ok(detected);
            }
        }
    }

    /// Rewrites the next bytes; an empty chunk is the end. Returns the charset that was detected.
    pub(super) fn feed(
        &mut self,
        parser: &mut PushParser,
        chunk: &[u8],
        for_games: Decoding,
    ) -> Result<Option<Charset>, Stop> {
        let is_end = chunk.is_empty();
        let buffer = self.buffer.to_mut();
        buffer.drain(..mem::take(&mut self.written));
        buffer.extend_from_slice(chunk);
        let mut bytes = chunk;
        let parsed = loop {
            let parsed = if is_end { parser.finish_into(self) } else { parser.feed_into(bytes, self) };
            mem::replace(&mut self.stop, Ok(()))?;
            if !matches!(parsed, Ok(Flow::Break)) {
                break parsed;
            }
            // That was the first event.
            self.set_detected(parser.detected_charset(), for_games);
            bytes = &[];
        };
        if is_end {
            self.write_between(self.rest().len(), Next::End).map_err(Stop::Output)?;
        }
        parsed.map_err(|error| Stop::Refused(error.to_string()))?;
        if !is_end {
            self.shrink()?;
        }
        Ok(parser.detected_charset())
    }

    /// Rewrites a part.
    pub(super) fn rewrite_part(&mut self, part: &'s Part<'_>, parser: &Parser) -> Result<(), Stop> {
        self.buffer = Cow::Borrowed(part.bytes());
        let parsed = part.parse_into(parser, self);
        mem::replace(&mut self.stop, Ok(()))?;
        self.write_between(self.rest().len(), Next::End).map_err(Stop::Output)?;
        parsed.map(drop).map_err(|error| Stop::Refused(error.to_string()))
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
        let is_first = self.edges.as_ref().is_some_and(|(_, is_front)| *is_front);
        self.write_between(self.len_to(offset), Next::Game).map_err(Stop::Output)?;
        let State::Between(gap) = self.state else { return Ok(()) };
        self.state = match offset < self.offset {
            true => self.long_game(offset)?, // its first bytes were taken for text
            false => State::Game(offset, (!is_first).then_some(gap)),
        };
        Ok(())
    }

    /// Writes the next `len` bytes, which belong to no game, or leaves them out.
    fn write_between(&mut self, len: usize, next: Next) -> io::Result<()> {
        let State::Between(gap) = &mut self.state else { return Ok(()) };
        let between = &self.buffer[self.written..self.written + len];
        match &mut self.edges {
            Some((edges, is_front @ true)) => {
                edges.front.extend_from_slice(between);
                if next != Next::Unknown {
                    edges.front_faults.append(mem::take(&mut self.findings.between));
                }
                *is_front = next != Next::Game;
            }
            Some((edges, false)) if next == Next::End => {
                edges.back = Some((*gap, between.to_vec(), mem::take(&mut self.findings.between)));
            }
            _ => {
                let is_start = self.offset == 0;
                gap.write((between, is_start), next, self.style, self.findings, &mut self.held)?;
                if next != Next::Game || !gap.may_be_joined() {
                    self.out.write_all(&self.held)?;
                    self.held.clear();
                }
            }
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
        let mut has_lost_break = false;
        let is_rewritten = match self.state {
            State::Between(_) => return Ok(()),
            State::LongGame(start) => {
                let fault = self.findings.take_game().first(|remedy| remedy == Remedy::None);
                let unchanged = fault.unwrap_or_else(|| Unchanged {
                    kind: Topic::Unchanged("too-long"),
                    reason: too_long(),
                    is_error: false,
                });
                self.findings.report_unchanged(start, &unchanged, None);
                self.out.write_all(bytes)?;
                false
            }
            State::Game(start, gap) => {
                let decoding = self.game_decoding.unwrap_or(self.decoding);
                let game = Game { bytes: Cow::Borrowed(bytes), start, decoding };
                let faults = self.findings.take_game();
                let rewritten = match faults.first(|remedy| !self.style.accepts(remedy)) {
                    Some(unchanged) => Err(unchanged),
                    None => self.style.rewrite(&game, &faults, self.findings),
                };
                let is_first = !mem::replace(&mut self.had_game, true);
                let is_closed = faults.has(Remedy::CloseValue);
                let rewritten = rewritten.and_then(|bytes| match self.loss(&game, &bytes, is_first, is_closed) {
                    Some(reason) => {
                        Err(Unchanged { kind: Topic::Unchanged(reason), reason: reason.to_owned(), is_error: false })
                    }
                    None => Ok(bytes),
                });
                match &rewritten {
                    Ok(bytes) => {
                        self.findings.report_repairs(&faults);
                        has_lost_break = has_last_break(&game.bytes) && !has_last_break(bytes);
                        let gains_node = !starts_with_node(&game.bytes) && starts_with_node(bytes);
                        match (gap, &mut self.edges) {
                            (Some(gap), _) => gap.separate(&self.held, gains_node, &mut self.out)?,
                            (None, Some((edges, _))) => edges.gains_node = gains_node,
                            (None, None) => {}
                        }
                        self.held.clear();
                        self.out.write_all(bytes)?;
                    }
                    Err(unchanged) => {
                        let relabeled = self.style.relabeled(&game).filter(|(bytes, _)| **bytes != *game.bytes);
                        let label = relabeled.as_ref().map(|&(_, label)| label);
                        self.findings.report_unchanged(start, unchanged, label);
                        self.out.write_all(&mem::take(&mut self.held))?;
                        self.out.write_all(relabeled.as_ref().map_or(&*game.bytes, |(bytes, _)| bytes))?;
                    }
                }
                rewritten.is_ok()
            }
        };
        // After a game without `)` that stays unchanged, a line break would be a part of it.
        let is_after_game = is_rewritten || has_paren;
        self.state = State::Between(Gap { has_game: true, is_after_game, has_lost_break, ..Gap::default() });
        self.advance(len);
        Ok(())
    }

    /// What would be lost with a game in another form.
    fn loss(&self, game: &Game<'_>, rewritten: &[u8], is_first: bool, is_closed: bool) -> Option<&'static str> {
        if matches!(game.bytes, Cow::Borrowed(bytes) if bytes == rewritten) {
            None
        } else if is_first && !self.style.names_charsets() && !self.shows_charset(rewritten) {
            Some("in another form it would not show the charset of the games that name none")
        } else if !is_first && is_head(&game.bytes) && !is_head(rewritten) {
            Some("in another form it would not end a game before it that has no end")
        } else if is_closed && !is_one_game(rewritten, game.decoding) {
            Some("with its last value closed, a variation would be a game of its own")
        } else {
            None
        }
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
            State::Between(_) if len > 2 * TAIL => self.write_between(len - TAIL, Next::Unknown).map_err(Stop::Output),
            State::Game(start, _) if len > MAX_GAME => {
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
        self.out.write_all(&mem::take(&mut self.held)).map_err(Stop::Output)?;
        match self.style.takes_long_games() {
            true => Ok(State::LongGame(start)),
            false => Err(Stop::Refused(format!("the game at byte {start}: {}", too_long()))),
        }
    }
}

fn too_long() -> String {
    format!("it takes more than {} MiB", MAX_GAME >> 20)
}

/// Whether a game has a line break after its last `]`.
fn has_last_break(game: &[u8]) -> bool {
    memchr::memrchr3(b']', b'\n', b'\r', game).is_some_and(|last| game[last] != b']')
}

/// Whether these bytes are read as one game.
fn is_one_game(bytes: &[u8], decoding: Decoding) -> bool {
    let (mut depth, mut games) = (0, 0);
    let parsed = Parser::new().charset(decoding).parse(bytes, |event, _| match event {
        Event::StartTree => {
            games += usize::from(depth == 0);
            depth += 1;
        }
        Event::EndTree => depth -= 1,
        _ => {}
    });
    parsed.is_ok() && games == 1
}

/// Whether a game starts as no text does, so that a parser finds it even in a value that has no end.
fn is_head(game: &[u8]) -> bool {
    const OPEN: &[u8] = b"(;C[";
    let start = &game[..game.len().min(MAX_HEAD)];
    let mut is_head = false;
    let parsed = Parser::new().parse(&[OPEN, start].concat(), |event, offset| {
        is_head |= event == Event::StartTree && offset == OPEN.len() as u64;
        if is_head { Flow::Break } else { Flow::Continue }
    });
    parsed.is_ok() && is_head
}

impl Games<'_, Vec<u8>> {
    /// Takes what was written so far of a part, and its edges.
    pub(super) fn take(&mut self) -> Written {
        let (edges, is_front) = self.edges.as_mut().map(|(edges, is_front)| (mem::take(edges), *is_front)).unzip();
        Written {
            games: mem::take(&mut self.out),
            edges: edges.unwrap_or_default(),
            has_game: is_front == Some(false),
            reports: self.findings.take_reports(),
        }
    }

    /// Number of bytes that [`take`](Self::take) would return.
    pub(super) fn len(&self) -> usize {
        self.out.len() + self.edges.as_ref().map_or(0, |(edges, _)| edges.front.len())
    }
}

/// A part that was rewritten, or a step of it.
#[derive(Default)]
pub(super) struct Written {
    /// The games between the edges.
    pub(super) games: Vec<u8>,
    pub(super) edges: Edges,
    /// Whether a game has begun, in this step or in one before.
    pub(super) has_game: bool,
    pub(super) reports: Reports,
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

    fn moves(&mut self, _: Moves<'_>) -> Option<Flow> {
        Some(Flow::Continue)
    }
}
