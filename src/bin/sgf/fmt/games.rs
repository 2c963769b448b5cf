//! Files as games and what is between them.
//!
//! A game is held until it is over, with its events, and then a [`Style`] makes of it what it is to be: only then it is
//! known whether something of it would be lost. Where that is so, the game goes out as it stands, byte for byte, and
//! [`Findings`] say why. Text between games is copied too; of white space between them the style decides.
//!
//! Everything is decided by the events, their offsets and the codes of what was found: where games begin and end is the
//! parser's business. Memory is that of a game; one that is longer than [`MOST`] goes out as it stands.

use std::borrow::Cow;
use std::io::{self, BufWriter, Write};

use sgf_stream::charset::{Charset, Decoding};
use sgf_stream::{Code, DiagnosticLog, Event, Flow, Ident, Parser, RawValue, Repair};

use super::Stop;
use super::findings::{Findings, Found};
use crate::decoding;
use crate::source::Source;

/// The longest game that is held, in bytes, with those that its events take.
const MOST: usize = 32 << 20;

/// What is held back where nothing else says how much: the parser has not decided yet what its last bytes are.
const TAIL: usize = 64 << 10;

/// A game as it stands in the source.
pub(super) struct Game<'b> {
    /// From its `(` to its `)`. Where that is missing, to the next game or the end of the data.
    pub(super) bytes: Cow<'b, [u8]>,
    events: Vec<Held>,
    /// The offset of its `(`.
    pub(super) start: u64,
    /// The policy of its charset, in which nothing is left to detect.
    pub(super) decoding: Decoding,
}

/// An event, and where in a game it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held {
    kind: Kind,
    at: u32,
    len: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    StartTree,
    Node,
    Property,
    Value,
    EndTree,
}

impl Game<'_> {
    /// The events, each with its offset in the game.
    pub(super) fn events(&self) -> impl Iterator<Item = (Event<'_>, u64)> {
        self.events.iter().map(|held| (held.event(&self.bytes), held.at.into()))
    }

    /// A parser that reads the game alone: its events are those that it has among others.
    pub(super) fn parser(&self) -> Parser {
        Parser::new().charset(self.decoding)
    }

    /// Other bytes in its place.
    fn read(&self, bytes: Vec<u8>, parser: &Parser) -> Option<Game<'static>> {
        let mut events = Vec::new();
        parser.parse(&bytes, |event, offset| events.extend(Held::of(event, offset))).ok()?;
        Some(Game { bytes: bytes.into(), events, start: self.start, decoding: self.decoding })
    }

    /// The same game, with the value closed that the end of its data cuts off; `None` if there is none.
    pub(super) fn closed(&self) -> Option<Game<'static>> {
        // A backslash at the end would hide the bracket, and the first half of a character take it.
        [&b"]"[..], b"\\]", b" ]"].into_iter().find_map(|end| {
            let log = DiagnosticLog::new(usize::MAX);
            let game = self.read([&*self.bytes, end].concat(), &self.parser().log_to(&log))?;
            let is_open = log.take().iter().any(|found| Fate::of(found.code) == Fate::Cut);
            (!is_open).then_some(game)
        })
    }

    /// The same game, spelled otherwise.
    pub(super) fn respelled(&self, bytes: Vec<u8>) -> Option<Game<'static>> {
        self.read(bytes, &self.parser())
    }
}

impl Held {
    fn of(event: Event<'_>, at: u64) -> Option<Held> {
        let (kind, len) = match event {
            Event::StartTree => (Kind::StartTree, 0),
            Event::Node => (Kind::Node, 0),
            Event::Property(ident) => (Kind::Property, ident.as_bytes().len()),
            Event::Value(value) => (Kind::Value, value.as_bytes().len()),
            Event::EndTree => (Kind::EndTree, 0),
            _ => return None, // nobody has asked for parts
        };
        Some(Held { kind, at: u32::try_from(at).ok()?, len: u32::try_from(len).ok()? })
    }

    fn event(self, game: &[u8]) -> Event<'_> {
        let bytes = |at: usize| game.get(at..at + self.len as usize).unwrap_or_default();
        match self.kind {
            Kind::StartTree => Event::StartTree,
            Kind::Node => Event::Node,
            Kind::Property => Event::Property(Ident::new(bytes(self.at as usize))),
            Kind::Value => Event::Value(RawValue::new(bytes(self.at as usize + "[".len()))),
            Kind::EndTree => Event::EndTree,
        }
    }
}

/// What becomes of a game in which something was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is repaired, and nothing is lost.
    Repaired,
    /// A repair would cost something that is there.
    Costs,
    /// A value is cut off. Closed, it is as good as the others.
    Cut,
    /// Its identifier has digits, which FF\[4\] does not have.
    HasDigits,
    /// More than a parser holds, or than is allowed.
    TooMuch,
    /// It is not about a game.
    Outside,
}

impl Fate {
    pub(super) fn of(code: Code) -> Fate {
        match code {
            Code::JunkOutsideTree | Code::ExtraCloseParen | Code::NoSgfData => Fate::Outside,
            Code::DigitInIdent => Fate::HasDigits,
            Code::UnterminatedValue | Code::MissingCloseBracket => Fate::Cut,
            _ => match code.repair() {
                Repair::Keeps => Fate::Repaired,
                Repair::Drops => Fate::Costs,
                _ => Fate::TooMuch,
            },
        }
    }
}

/// The next thing after bytes that belong to no game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    Game,
    End,
    /// More of their kind, or one of the others.
    More,
}

/// What becomes of games.
pub(super) trait Style {
    /// The source begins with this.
    fn front(&mut self, _: &[u8]) {}

    /// Whether a game that has this is repaired: the others go out as they stand.
    fn repairs(&self, fate: Fate) -> bool;

    /// Whether text between games is copied.
    fn keeps_text(&self) -> bool;

    /// Whether white space between games is copied, and the byte-order mark. Otherwise games end with their lines.
    fn keeps_blanks(&self) -> bool;

    /// What becomes of a game of which all can be repaired that was found.
    ///
    /// # Errors
    ///
    /// Why it goes out as it stands all the same.
    fn game(&mut self, game: &Game<'_>, found: &Found, findings: &mut Findings) -> Result<Vec<u8>, Stays>;

    /// What a game has to say otherwise even where it goes out as it stands: its charset, if that has changed.
    fn relabelled(&self, _: &Game<'_>) -> Option<Vec<u8>> {
        None
    }

    /// Whether a game can go out before it has been read to its end.
    fn takes_long_games(&self) -> bool {
        true
    }
}

/// Why a game goes out as it stands.
pub(super) struct Stays {
    pub(super) why: String,
    /// It is one of those that no option helps against.
    pub(super) is_error: bool,
}

/// Where in the source we are.
enum State {
    Between {
        /// There was text since the last game.
        has_text: bool,
        /// That has ended, and its line has not.
        is_behind_game: bool,
    },
    /// In a game, which is held.
    Game { events: Vec<Held>, start: u64 },
    /// In a game that is too long for that.
    Long { start: u64 },
}

/// A file under way.
pub(super) struct Games<'s, W: Write> {
    out: BufWriter<W>,
    style: &'s mut dyn Style,
    state: State,
    depth: usize,
    /// What was read; what stands in front of `at` has gone out.
    held: Vec<u8>,
    at: usize,
    /// The offset of `at`.
    from: u64,
    /// The policy of charsets that the user asks for.
    asked: Decoding,
    /// The policy for each game: the same, with the charset that was detected at the start of the file.
    decoding: Decoding,
    detected: Option<Charset>,
    had_game: bool,
}

impl<'s, W: Write> Games<'s, W> {
    pub(super) fn new(out: W, style: &'s mut dyn Style, decoding: Decoding) -> Self {
        Games {
            out: BufWriter::with_capacity(TAIL, out),
            style,
            state: State::Between { has_text: false, is_behind_game: false },
            depth: 0,
            held: Vec::new(),
            at: 0,
            from: 0,
            asked: decoding,
            decoding,
            detected: None,
            had_game: false,
        }
    }

    /// Pushes a source through the parser, and what comes of it to the output. Returns the charset that was detected.
    pub(super) fn push(mut self, source: &mut Source<'_>, findings: &mut Findings) -> Result<Option<Charset>, Stop> {
        let mut parser = findings.listen(Parser::new().charset(self.decoding)).push();
        let (mut stop, mut is_front, mut is_first) = (Ok(()), true, true);
        loop {
            let mut bad = false;
            let chunk = source.next_chunk(|_| bad = true).map_err(Stop::Input)?;
            if bad {
                return Err(Stop::Refused("not all of it is in its charset".to_owned()));
            }
            if std::mem::take(&mut is_front) {
                self.style.front(chunk);
            }
            let is_end = chunk.is_empty();
            self.held.drain(..std::mem::take(&mut self.at));
            self.held.extend_from_slice(chunk);
            let mut bytes = chunk;
            let parsed = loop {
                let handler = |event: Event<'_>, offset| {
                    stop = self.event(event, offset, findings);
                    // Before it is known whether a charset was detected, there is no event.
                    if stop.is_ok() && !is_first { Flow::Continue } else { Flow::Break }
                };
                let parsed = if is_end { parser.finish(handler) } else { parser.feed(bytes, handler) };
                std::mem::replace(&mut stop, Ok(()))?;
                if !matches!(parsed, Ok(Flow::Break)) {
                    break parsed;
                }
                (bytes, is_first) = (&[], false);
                self.decoding = self.asked.sniff(false);
                self.detected = parser.detected_charset();
                if let Some(detected) = self.detected {
                    self.decoding = self.decoding.default_charset(detected);
                }
            };
            if is_end {
                self.between(self.ahead().len(), Next::End, findings).map_err(Stop::Output)?;
                self.out.flush().map_err(Stop::Output)?;
            }
            parsed.map_err(|error| Stop::Refused(error.to_string()))?;
            if is_end {
                return Ok(parser.detected_charset());
            }
            self.relieve(findings)?;
        }
    }

    fn event(&mut self, event: Event<'_>, offset: u64, findings: &mut Findings) -> Result<(), Stop> {
        match event {
            Event::StartTree => self.depth += 1,
            Event::EndTree => self.depth -= 1,
            _ => {}
        }
        if matches!((event, &self.state), (Event::StartTree, State::Between { .. })) {
            self.between(self.len_to(offset), Next::Game, findings).map_err(Stop::Output)?;
            // Of one that starts before what was held back, some is out.
            self.state = match offset < self.from {
                true => self.long(offset, findings)?,
                false => State::Game { events: Vec::new(), start: offset },
            };
        }
        if let State::Game { events, start } = &mut self.state {
            events.extend(Held::of(event, offset - *start));
        }
        if self.depth == 0 { self.end_game(offset, findings).map_err(Stop::Output) } else { Ok(()) }
    }

    fn ahead(&self) -> &[u8] {
        &self.held[self.at..]
    }

    /// How much is ahead up to an offset.
    fn len_to(&self, offset: u64) -> usize {
        let len = usize::try_from(offset.saturating_sub(self.from)).unwrap_or(usize::MAX);
        len.min(self.ahead().len())
    }

    /// So many bytes have gone out.
    fn pass(&mut self, len: usize) {
        self.at += len;
        self.from += len as u64;
    }

    /// The next `len` bytes belong to no game.
    fn between(&mut self, len: usize, next: Next, findings: &mut Findings) -> io::Result<()> {
        let State::Between { has_text, is_behind_game } = &mut self.state else { return Ok(()) };
        let between = &self.held[self.at..self.at + len];
        let mark = if self.from == 0 && between.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        let (mark, rest) = between.split_at(mark);
        let keeps_blanks = self.style.keeps_blanks();
        if keeps_blanks {
            self.out.write_all(mark)?;
        }
        let is_blank = |byte: &u8| matches!(byte, b' ' | 0x09..=0x0D);
        // Brackets that belong to no game are none that were written for anything.
        let is_text = |byte: &u8| !is_blank(byte) && !matches!(byte, b'(' | b')');
        *has_text |= self.style.keeps_text() && rest.iter().any(is_text);
        // Where no game comes at all, the parser has an error.
        if *is_behind_game || next == Next::Game {
            findings.outside(*has_text);
        }
        if *has_text {
            self.out.write_all(rest)?;
        } else if keeps_blanks {
            let blanks: Vec<u8> = rest.iter().copied().filter(is_blank).collect();
            self.out.write_all(&blanks)?;
        } else if next != Next::More && *is_behind_game {
            self.out.write_all(b"\n")?;
        }
        self.pass(len);
        Ok(())
    }

    /// A game is over, where its last tree ends.
    fn end_game(&mut self, offset: u64, findings: &mut Findings) -> io::Result<()> {
        let len = self.len_to(offset);
        let has_bracket = self.ahead().get(len) == Some(&b')');
        let len = len + usize::from(has_bracket);
        let between = State::Between { has_text: false, is_behind_game: true };
        let (events, start) = match std::mem::replace(&mut self.state, between) {
            State::Game { events, start } => (events, start),
            State::Long { start } => {
                if let Some(why) = findings.take_game().first(|fate| fate == Fate::TooMuch) {
                    findings.stays(start, &why);
                }
                self.out.write_all(&self.held[self.at..self.at + len])?;
                self.state = State::Between { has_text: false, is_behind_game: has_bracket };
                self.pass(len);
                return Ok(());
            }
            State::Between { .. } => return Ok(()),
        };
        let bytes = Cow::Borrowed(&self.held[self.at..self.at + len]);
        let game = Game { bytes, events, start, decoding: self.decoding };
        let found = findings.take_game();
        let written = match found.first(|fate| !self.style.repairs(fate)) {
            Some(why) => Err(why),
            None => self.style.game(&game, &found, findings),
        };
        let is_first = !std::mem::replace(&mut self.had_game, true);
        let written = written.and_then(|written| match is_first && !self.is_told_by(&written) {
            true => Err(Stays {
                why: "in another form it would not show the charset of the games that name none".to_owned(),
                is_error: false,
            }),
            false => Ok(written),
        });
        match written {
            Ok(written) => {
                findings.repaired(&found);
                self.out.write_all(&written)?;
            }
            Err(why) => {
                findings.stays(start, &why);
                let relabelled = self.style.relabelled(&game);
                self.out.write_all(relabelled.as_deref().unwrap_or(&game.bytes))?;
                self.state = State::Between { has_text: false, is_behind_game: has_bracket };
            }
        }
        self.pass(len);
        Ok(())
    }

    /// Whether the charset that was detected would be detected again if the first game were this.
    fn is_told_by(&self, game: &[u8]) -> bool {
        let mut parser = Parser::new().charset(self.asked).push();
        let parsed = parser.feed(game, |_, _| Flow::Break).and_then(|_| parser.finish(|_, _| Flow::Break));
        let matters = |charset: Option<Charset>| charset.filter(|&charset| decoding::has_two_bytes(charset));
        parsed.is_ok() && matters(parser.detected_charset()) == matters(self.detected)
    }

    /// Holds no more than it may.
    fn relieve(&mut self, findings: &mut Findings) -> Result<(), Stop> {
        let len = self.ahead().len();
        match &self.state {
            State::Between { .. } if len > 2 * TAIL => {
                self.between(len - TAIL, Next::More, findings).map_err(Stop::Output)
            }
            State::Game { events, start } if len + events.len() * size_of::<Held>() > MOST => {
                self.state = self.long(*start, findings)?;
                self.relieve(findings)
            }
            State::Long { .. } if len > 2 * TAIL => {
                let out = self.out.write_all(&self.held[self.at..self.at + len - TAIL]);
                self.pass(len - TAIL);
                out.map_err(Stop::Output)
            }
            _ => Ok(()),
        }
    }

    /// A game will not be held.
    fn long(&self, start: u64, findings: &mut Findings) -> Result<State, Stop> {
        let why = format!("it takes more than {} MiB", MOST >> 20);
        if !self.style.takes_long_games() {
            return Err(Stop::Refused(format!("the game at byte {start}: {why}")));
        }
        findings.stays(start, &Stays { why, is_error: false });
        Ok(State::Long { start })
    }
}
