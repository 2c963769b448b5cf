//! A stream on its way through a repair: games, and what stands between them.
//!
//! The bytes of a stream are held from the start of the open game on, and handed to a [`Mender`] when the game is
//! over. All else goes out as it is, but for a `)` that closes nothing, and, if the caller wants it lossy, text
//! outside of games. Where games begin and end, the events of a parser say; which `)` closes nothing is seen from the
//! bytes: one after a game, with nothing but white space and others of its kind up to the next game. Where text
//! follows it, it belongs to that.

use std::io;
use std::ops::Range;

use crate::syntax::diagnostic::Position;
use crate::syntax::event::Event;
use crate::syntax::lines::LineCounter;

use super::game::{BOM, Manner};

/// A game longer than this is not held, in bytes: it goes out as it is.
pub(crate) const MAX_GAME: usize = 16 << 20;

/// The end of a game can be found this long after it was read: more than a value, and what a parser looks ahead.
const LATE: usize = (1 << 20) + (1 << 19);

/// More than a parser looks at to know the charset of a stream, before its first event.
const SNIFFED: usize = 1 << 17;

/// A `(` outside of games may be the start of a game for as long as this much white space follows.
const MAX_START: usize = 1 << 16;

/// The longest run of white space after text that goes with the text, and the longest run of `)` after a game that goes.
const MAX_WHITE: usize = 1 << 16;

/// Bytes of a text outside of games that a report shows.
const SHOWN: usize = 64;

/// Takes the pieces of a stream, in order.
pub(crate) trait Mender {
    /// Bytes that stay as they are.
    fn same(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Other bytes for those at an offset.
    fn change(&mut self, at: u64, before: &[u8], after: &[u8]) -> io::Result<()>;

    /// A game: what becomes of it.
    fn game(&mut self, game: &[u8], place: &Place) -> Mended;

    /// A game that is too long to be held has gone out as it is. Returns whether it has faults.
    fn long_game(&mut self, position: Position) -> bool;

    /// A `)` that closed nothing was left out.
    fn extra_paren(&mut self);

    /// There was text outside of games: so many bytes, and the first of them. It was left out if the stream is lossy.
    fn text(&mut self, position: Position, len: u64, shown: &[u8]);
}

/// What becomes of a game.
#[derive(Debug)]
pub(crate) enum Mended {
    /// It has nothing to repair.
    Sound,
    Changed(Vec<u8>),
    /// It has faults, and stays as it is.
    Left,
}

/// Where a game stands.
#[derive(Debug)]
pub(crate) struct Place {
    /// The offset of its `(`.
    pub(crate) at: u64,
    has_bom: bool,
    /// Another game begins where it ends.
    goes_on: bool,
    /// The game before it ends where this one begins, and has gone out as it is.
    has_open_before: bool,
    /// See [`Manner::has_bracket_before`].
    has_bracket_before: bool,
    lines: LineCounter,
}

impl Place {
    /// How the game is to be repaired.
    pub(crate) fn manner(&self, is_lossy: bool, refuses_digits: bool) -> Manner {
        let Place { has_bom, goes_on, has_open_before, has_bracket_before, .. } = *self;
        Manner { has_bom, is_lossy, refuses_digits, goes_on, has_open_before, has_bracket_before }
    }

    /// The positions of places in the game, in ascending order.
    pub(crate) fn positions<'g>(&'g self, game: &'g [u8]) -> impl FnMut(usize) -> Position + 'g {
        let mut lines = self.lines.clone();
        move |at| {
            let at = self.at + at.min(game.len()) as u64;
            lines.locate(game, self.at, at.max(lines.position().offset))
        }
    }
}

/// A stream, cut into games and what stands between them.
#[derive(Debug)]
pub(crate) struct Stream {
    is_lossy: bool,
    held: Vec<u8>,
    /// Bytes at the front of `held` that have gone out.
    gone: usize,
    /// The offset of the first byte that has not.
    at: u64,
    lines: LineCounter,
    depth: usize,
    game: Option<Open>,
    has_bom: bool,
    had_game: bool,
    /// The last game has changed, or something since.
    has_changed: bool,
    /// The last game has gone out as it is, without an end.
    is_open: bool,
    /// The last game has gone out as it is, with its faults.
    is_left: bool,
    /// There was no line break since the last game.
    is_on_line: bool,
    /// A text has gone out since, and its last byte is a `]`, in the line in which the game ended.
    has_bracket: bool,
    text: Option<Text>,
    /// White space after the text, which goes with it if more text comes.
    white: Vec<u8>,
    /// White space and `)` after a game, which belong to the text if one comes.
    parens: Vec<u8>,
}

/// A game that has begun.
#[derive(Debug)]
enum Open {
    /// All of it is held.
    Held,
    /// Its front has gone out.
    Passing(Position),
}

/// A text outside of games.
#[derive(Debug)]
struct Text {
    position: Position,
    len: u64,
    shown: Vec<u8>,
}

impl Stream {
    pub(crate) fn new(is_lossy: bool) -> Self {
        Stream {
            is_lossy,
            held: Vec::new(),
            gone: 0,
            at: 0,
            lines: LineCounter::default(),
            depth: 0,
            game: None,
            has_bom: false,
            had_game: false,
            has_changed: false,
            is_open: false,
            is_left: false,
            is_on_line: false,
            has_bracket: false,
            text: None,
            white: Vec::new(),
            parens: Vec::new(),
        }
    }

    /// The next bytes, before their events.
    pub(crate) fn push(&mut self, bytes: &[u8], mender: &mut impl Mender) -> io::Result<()> {
        match self.game {
            // There is no event yet, and may be one for the first byte.
            None if self.at == 0 && self.rest().len() < SNIFFED => {}
            None => {
                let rest = self.rest();
                let paren = memchr::memrchr(b'(', rest).filter(|paren| rest.len() - paren <= MAX_START);
                self.outside(self.at + paren.unwrap_or(rest.len()) as u64, mender)?;
            }
            Some(Open::Held) if self.rest().len() > MAX_GAME => {
                self.game = Some(Open::Passing(self.position()));
                self.pass(self.end().saturating_sub(LATE as u64), mender)?;
            }
            Some(Open::Held) => {}
            Some(Open::Passing(_)) => self.pass(self.end().saturating_sub(LATE as u64), mender)?,
        }
        if self.gone * 2 >= self.held.len() {
            self.held.drain(..self.gone);
            self.gone = 0;
        }
        self.held.extend_from_slice(bytes);
        self.has_bom |= self.at == 0 && self.rest().starts_with(BOM);
        Ok(())
    }

    /// The next event.
    pub(crate) fn event(&mut self, event: Event<'_>, offset: u64, mender: &mut impl Mender) -> io::Result<()> {
        match event {
            Event::StartTree => {
                self.depth += 1;
                if self.depth == 1 {
                    self.start_game(offset, mender)?;
                }
            }
            Event::EndTree => {
                self.depth = self.depth.saturating_sub(1);
                if self.depth == 0 {
                    self.end_game(offset, mender)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// The stream has ended.
    pub(crate) fn finish(&mut self, mender: &mut impl Mender) -> io::Result<()> {
        let end = self.end();
        if self.game.is_some() {
            return self.pass(end, mender); // the parser has closed every game
        }
        self.outside(end, mender)?;
        self.end_text(mender)
    }

    fn rest(&self) -> &[u8] {
        &self.held[self.gone..]
    }

    fn end(&self) -> u64 {
        self.at + self.rest().len() as u64
    }

    /// The position of the first byte that has not gone out.
    fn position(&self) -> Position {
        self.lines.position()
    }

    fn start_game(&mut self, offset: u64, mender: &mut impl Mender) -> io::Result<()> {
        let is_held = offset >= self.at;
        self.outside(offset, mender)?;
        self.end_text(mender)?;
        self.had_game = true;
        self.game = Some(if is_held { Open::Held } else { Open::Passing(self.position()) });
        Ok(())
    }

    fn end_game(&mut self, offset: u64, mender: &mut impl Mender) -> io::Result<()> {
        let Some(game) = self.game.take() else { return Ok(()) };
        let index = usize::try_from(offset.saturating_sub(self.at)).unwrap_or(usize::MAX).min(self.rest().len());
        let has_paren = offset >= self.at && self.rest().get(index) == Some(&b')');
        let len = index + usize::from(has_paren);
        let has_bracket = std::mem::take(&mut self.has_bracket);
        self.is_on_line = true;
        if let Open::Passing(position) = game {
            self.is_open = !has_paren;
            self.is_left = mender.long_game(position);
            return self.pass(self.at + len as u64, mender);
        }
        let place = Place {
            at: self.at,
            has_bom: self.has_bom,
            goes_on: index < self.rest().len() && !has_paren,
            has_open_before: self.is_open,
            has_bracket_before: has_bracket && !starts_with_node(self.rest()),
            lines: self.lines.clone(),
        };
        let bytes = &self.held[self.gone..self.gone + len];
        let mended = mender.game(bytes, &place);
        self.is_left = matches!(mended, Mended::Left);
        let changes = matches!(mended, Mended::Changed(_));
        match mended {
            Mended::Changed(after) => {
                self.is_open = false;
                mender.change(self.at, bytes, &after)?;
            }
            Mended::Sound | Mended::Left => {
                self.is_open = !has_paren;
                // What has gone before it may be all that kept its `]` from being the end of a value there. No value
                // goes on behind such a bracket and a line break.
                if self.has_changed && has_stray_bracket(bytes) {
                    mender.change(self.at, b"", b"\n")?;
                }
                mender.same(bytes)?;
            }
        }
        self.has_changed = changes;
        self.forget(len);
        Ok(())
    }

    /// Everything up to an offset goes out as it is.
    fn pass(&mut self, to: u64, mender: &mut impl Mender) -> io::Result<()> {
        let len = usize::try_from(to.saturating_sub(self.at)).unwrap_or(usize::MAX).min(self.rest().len());
        mender.same(&self.held[self.gone..self.gone + len])?;
        self.forget(len);
        Ok(())
    }

    fn forget(&mut self, len: usize) {
        self.lines.advance(&self.held[self.gone..self.gone + len]);
        self.gone += len;
        self.at += len as u64;
    }

    /// What stands up to an offset is outside of games.
    fn outside(&mut self, to: u64, mender: &mut impl Mender) -> io::Result<()> {
        while self.at < to {
            let mut len = ((to - self.at) as usize).min(self.rest().len());
            if len == 0 {
                return Ok(());
            }
            if self.at == 0 && self.has_bom {
                self.pass(BOM.len() as u64, mender)?;
                continue;
            }
            let is_white = |byte: &u8| matches!(byte, b' ' | 0x09..=0x0D);
            let rest = &self.rest()[..len];
            if self.text.is_none() && self.had_game && self.parens.len() < MAX_WHITE {
                let most = MAX_WHITE - self.parens.len();
                let is_paren = |byte: &&u8| is_white(byte) || **byte == b')';
                let parens = rest.iter().take(most).take_while(is_paren).count();
                if parens > 0 {
                    let Stream { held, gone, parens: pending, .. } = self;
                    pending.extend_from_slice(&held[*gone..*gone + parens]);
                    self.is_on_line &= !has_break(&held[*gone..*gone + parens]);
                    self.forget(parens);
                    continue;
                }
            }
            let white = rest.iter().position(|byte| !is_white(byte)).unwrap_or(rest.len());
            if white > 0 {
                self.white_space(white, mender)?;
                continue;
            }
            if self.text.is_none() {
                self.end_parens(self.is_lossy, mender)?;
            }
            let rest = &self.rest()[..len];
            let word = rest.iter().position(is_white).unwrap_or(len);
            let position = self.position();
            let mut text = self.text.take().unwrap_or_else(|| Text { position, len: 0, shown: Vec::new() });
            // White space inside a text is a part of it, but its end is not known to be inside.
            if self.is_lossy {
                len = word;
                text.len += self.white.len() as u64;
                let at = self.at - self.white.len() as u64;
                show(&mut text.shown, &self.white);
                if !self.white.is_empty() {
                    mender.change(at, &self.white, b"")?;
                    self.has_changed = true;
                    self.white.clear();
                }
            }
            let bytes = &self.held[self.gone..self.gone + len];
            text.len += len as u64;
            show(&mut text.shown, bytes);
            self.text = Some(text);
            let visible = bytes.iter().rposition(|byte| !is_white(byte)).map_or(bytes, |last| &bytes[..=last]);
            self.has_bracket =
                self.is_on_line && !self.is_lossy && visible.last() == Some(&b']') && !has_break(visible);
            self.is_on_line &= !has_break(bytes);
            self.has_changed |= self.is_lossy;
            match self.is_lossy {
                true => mender.change(self.at, bytes, b"")?,
                false => mender.same(bytes)?,
            }
            self.forget(len);
        }
        Ok(())
    }

    fn white_space(&mut self, len: usize, mender: &mut impl Mender) -> io::Result<()> {
        let bytes = &self.held[self.gone..self.gone + len];
        self.is_on_line &= !has_break(bytes);
        match &mut self.text {
            Some(_) if self.is_lossy && self.white.len() + len <= MAX_WHITE => {
                self.white.extend_from_slice(bytes);
                self.forget(len);
                Ok(())
            }
            Some(text) if !self.is_lossy => {
                text.len += len as u64;
                show(&mut text.shown, bytes);
                self.pass(self.at + len as u64, mender)
            }
            _ => {
                mender.same(&std::mem::take(&mut self.white))?;
                self.pass(self.at + len as u64, mender)
            }
        }
    }

    /// What stands after a game has been seen: each `)` goes, or all stay. After a game that is left they stay: without
    /// them its last value may be read otherwise.
    fn end_parens(&mut self, goes: bool, mender: &mut impl Mender) -> io::Result<()> {
        let parens = std::mem::take(&mut self.parens);
        let at = self.at - parens.len() as u64;
        if !goes || self.is_left || parens.len() == MAX_WHITE {
            return mender.same(&parens);
        }
        let mut from = 0;
        self.has_changed |= parens.contains(&b')');
        for paren in memchr::memchr_iter(b')', &parens) {
            mender.same(&parens[from..paren])?;
            mender.change(at + paren as u64, b")", b"")?;
            mender.extra_paren();
            from = paren + 1;
        }
        mender.same(&parens[from..])
    }

    fn end_text(&mut self, mender: &mut impl Mender) -> io::Result<()> {
        // Nothing is held after text; or white space after it.
        if self.text.is_none() {
            self.end_parens(true, mender)?;
        }
        mender.same(&std::mem::take(&mut self.white))?;
        if let Some(text) = self.text.take() {
            mender.text(text.position, text.len, &text.shown);
        }
        Ok(())
    }
}

/// Whether a game has a `;` right after its `(`.
fn starts_with_node(game: &[u8]) -> bool {
    let mut bytes = game.iter().filter(|byte| !matches!(byte, b' ' | 0x09..=0x0D));
    bytes.next() == Some(&b'(') && bytes.next() == Some(&b';')
}

fn has_break(bytes: &[u8]) -> bool {
    memchr::memchr2(b'\r', b'\n', bytes).is_some()
}

/// Whether a game has a `]` before its first `[`.
fn has_stray_bracket(game: &[u8]) -> bool {
    memchr::memchr2(b'[', b']', game).is_some_and(|first| game[first] == b']')
}

fn show(shown: &mut Vec<u8>, bytes: &[u8]) {
    let room = SHOWN.saturating_sub(shown.len()).min(bytes.len());
    shown.extend_from_slice(&bytes[..room]);
}

/// As many bytes of a span as a report shows.
pub(crate) fn excerpt(bytes: &[u8], range: Range<usize>) -> &[u8] {
    &bytes[range.start..range.end.min(range.start + SHOWN)]
}
