//! Canonical form, in UTF-8 where that can be had without loss.
//!
//! Whether a game can be decoded is known when it is over, and its root says what came of it. So a
//! game is held until then. One that is longer than [`MOST`] is decided by its front.

use std::fmt::Arguments;
use std::io::Write;
use std::str;

use sgf_stream::charset::{Charset, CharsetError, Decoding, TreeCharset};
use sgf_stream::write::{WriteError, Writer};
use sgf_stream::{Event, Ident, RawValue};

use super::{Args, Stop, Style};

/// How much of a game is held, in bytes, with 32 for each event.
const MOST: usize = 8 << 20;

pub(super) struct Canonical<W: Write, T> {
    writer: Writer<W>,
    /// What the user says of charsets.
    decoding: Decoding,
    has_default: bool,
    is_lossy: bool,
    /// All of the file is in this one.
    given: Option<Charset>,
    /// The file has not begun.
    is_front: bool,
    game: Game,
    tell: T,
}

/// What is held of a game, and what is known of it.
#[derive(Default)]
struct Game {
    events: Vec<Held>,
    bytes: Vec<u8>,
    depth: usize,
    nodes: usize,
    /// Where in `bytes` the first value of the root's first CA is.
    label: Option<(usize, usize)>,
    /// It comes next.
    is_label: bool,
    /// What becomes of the values, if that is decided.
    plan: Option<Plan>,
}

/// An event without its bytes.
#[derive(Clone, Copy)]
struct Held {
    kind: Kind,
    len: usize,
    offset: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    StartTree,
    Node,
    Property,
    Value,
    EndTree,
}

impl Held {
    fn of(event: Event<'_>, offset: u64) -> Option<(Held, &[u8])> {
        let (kind, bytes) = match event {
            Event::StartTree => (Kind::StartTree, &b""[..]),
            Event::Node => (Kind::Node, &b""[..]),
            Event::Property(ident) => (Kind::Property, ident.as_bytes()),
            Event::Value(value) => (Kind::Value, value.as_bytes()),
            Event::EndTree => (Kind::EndTree, &b""[..]),
            _ => return None, // nobody has asked for parts
        };
        Some((Held { kind, len: bytes.len(), offset }, bytes))
    }

    fn event(self, bytes: &[u8]) -> Event<'_> {
        match self.kind {
            Kind::StartTree => Event::StartTree,
            Kind::Node => Event::Node,
            Kind::Property => Event::Property(Ident::new(bytes)),
            Kind::Value => Event::Value(RawValue::new(bytes)),
            Kind::EndTree => Event::EndTree,
        }
    }
}

/// What becomes of the values of a game.
#[derive(Clone, Copy)]
enum Plan {
    Keep,
    /// They become UTF-8.
    Decode(TreeCharset, Label),
}

/// The value of CA that says so.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Label {
    /// It comes in one of the next values.
    Waits,
    /// It goes behind the next node.
    IsMissing,
    Done,
}

impl<W: Write, T: Fn(Arguments<'_>)> Canonical<W, T> {
    pub(super) fn new(out: W, args: &Args, is_transcoded: bool, tell: T) -> Self {
        Canonical {
            writer: Writer::canonical(out),
            decoding: args.decoding(),
            has_default: args.default_charset.is_some(),
            is_lossy: args.lossy,
            given: if is_transcoded { Some(Charset::UTF_8) } else { args.charset },
            is_front: true,
            game: Game::default(),
            tell,
        }
    }

    /// Decides what becomes of the values, by those that are held.
    fn plan(&self) -> Plan {
        let Game { events, bytes, label, .. } = &self.game;
        let start = events.first().map_or(0, |event| event.offset);
        let mut at = 0;
        let mut values = Vec::new();
        for event in events {
            if event.kind == Kind::Value {
                values.push((RawValue::new(&bytes[at..at + event.len]), event.offset));
            }
            at += event.len;
        }
        let label = label.map(|(at, len)| RawValue::new(&bytes[at..at + len]));
        let is_blank = label.is_none_or(|label| label.simple_text_bytes().trim_ascii().is_empty());
        let is_utf8 = || values.iter().all(|(value, _)| str::from_utf8(value.as_bytes()).is_ok());
        let charset = match self.given {
            Some(charset) => self.decoding.force(charset).decide(None, None, []),
            None if !is_blank || self.has_default => self.decoding.strict(true).decide(None, label, []),
            None if is_utf8() => Decoding::utf8().decide(None, None, []),
            // What else it may be in, would be a guess.
            None => return Plan::Keep,
        };
        let charset = match charset {
            Ok(charset) => charset,
            Err(CharsetError::UnknownLabel { label, .. }) => {
                self.tell_of(start, format_args!("no charset is called {label:?}, and its texts stay as they are"));
                return Plan::Keep;
            }
            Err(_) => return Plan::Keep,
        };
        let is_bad = |&&(value, _): &&(RawValue<'_>, u64)| !charset.decode(value).is_sound();
        if !self.is_lossy
            && let Some((_, offset)) = values.iter().find(is_bad)
        {
            let name = charset.charset();
            self.tell_of(
                start,
                format_args!("the text at byte {offset} is not in {name}; its texts stay as they are (or see --lossy)"),
            );
            return Plan::Keep;
        }
        let is_ascii = values.iter().all(|(value, _)| value.as_bytes().is_ascii());
        let label = match label {
            Some(_) => Label::Waits,
            None if is_ascii && charset.charset().is_ascii_compatible() => Label::Done,
            None => Label::IsMissing,
        };
        Plan::Decode(charset, label)
    }

    fn tell_of(&self, game: u64, what: Arguments<'_>) {
        (self.tell)(format_args!("the game at byte {game}: {what}"));
    }

    /// Writes what is held.
    fn release(&mut self) -> Result<(), Stop> {
        let mut plan = self.game.plan.unwrap_or_else(|| self.plan());
        let Game { events, bytes, .. } = &mut self.game;
        let (mut at, mut is_ca) = (0, false);
        for event in events.drain(..) {
            let raw = &bytes[at..at + event.len];
            at += event.len;
            let mut write = |to_write| {
                self.writer.write(to_write).map_err(|error| match error {
                    WriteError::Io(error) => Stop::Output(error),
                    WriteError::Ident(ident) => Stop::Refused(format!(
                        "byte {}: FF[4] has no digits in identifiers, as in {ident} (--exact keeps it)",
                        event.offset
                    )),
                    error => Stop::Refused(format!("byte {}: {error}", event.offset)),
                })
            };
            let Plan::Decode(charset, label) = &mut plan else {
                write(event.event(raw))?;
                continue;
            };
            match event.kind {
                Kind::Value if is_ca && *label == Label::Waits => {
                    *label = Label::Done;
                    write(Event::Value(RawValue::new(b"UTF-8")))?;
                }
                Kind::Value => {
                    let decoded = charset.decode(RawValue::new(raw));
                    if !decoded.is_sound() && !self.is_lossy {
                        // Found behind what was held.
                        let (at, name) = (event.offset, charset.charset());
                        return Err(Stop::Refused(format!("the text at byte {at} is not in {name} (see --lossy)")));
                    }
                    write(Event::Value(RawValue::new(decoded.text().as_bytes())))?;
                }
                Kind::Node => {
                    write(Event::Node)?;
                    if *label == Label::IsMissing {
                        *label = Label::Done;
                        write(Event::Property(Ident::new(b"CA")))?;
                        write(Event::Value(RawValue::new(b"UTF-8")))?;
                    }
                }
                _ => write(event.event(raw))?,
            }
            if event.kind == Kind::Property {
                is_ca = Ident::new(raw) == "CA";
            }
        }
        bytes.clear();
        self.game.plan = Some(plan);
        Ok(())
    }
}

impl<W: Write, T: Fn(Arguments<'_>)> Style for Canonical<W, T> {
    fn chunk(&mut self, chunk: &[u8]) {
        if std::mem::take(&mut self.is_front)
            && self.given.is_none()
            && let Some((charset, _)) = Charset::from_bom(chunk)
        {
            self.given = Some(charset);
        }
    }

    fn event(&mut self, event: Event<'_>, offset: u64) -> Result<(), Stop> {
        let Some((held, bytes)) = Held::of(event, offset) else { return Ok(()) };
        let game = &mut self.game;
        match event {
            Event::StartTree if game.depth == 0 => *game = Game { depth: 1, ..Game::default() },
            Event::StartTree => (game.depth, game.nodes) = (game.depth + 1, 2),
            Event::EndTree => game.depth -= 1,
            Event::Node => game.nodes += 1,
            Event::Property(ident) => game.is_label = game.nodes == 1 && game.label.is_none() && ident == "CA",
            Event::Value(_) if std::mem::take(&mut game.is_label) => game.label = Some((game.bytes.len(), bytes.len())),
            _ => {}
        }
        game.events.push(held);
        game.bytes.extend_from_slice(bytes);
        if game.depth == 0 || game.bytes.len() + 32 * game.events.len() > MOST {
            return self.release();
        }
        Ok(())
    }

    fn end(&mut self) -> Result<(), Stop> {
        self.writer.flush().map_err(|error| match error {
            WriteError::Io(error) => Stop::Output(error),
            error => Stop::Refused(error.to_string()),
        })
    }
}
