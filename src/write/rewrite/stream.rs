//! Cuts a stream into games and the text between them, for a repair.
//!
//! The bytes are buffered from the start of the open game on, and handed to a [`GameEditor`] at its end. Everything else
//! is written unchanged, except a `)` that closes nothing and, in a lossy repair, text outside of games. The events of a
//! parser tell where games begin and end. The bytes tell which `)` closes nothing: one after a game, with only white
//! space and others of its kind up to the next game. Where text follows, it belongs to the text.

use std::io;
use std::ops::Range;

use crate::syntax::diagnostic::Position;
use crate::syntax::event::Event;
use crate::syntax::lines::LineCounter;

use super::detection::Detection;
use super::game::RepairOptions;
use crate::raw::BOM;
use crate::raw::is_white_space;
use crate::read::parser::Parser;

/// The longest game that is buffered, in bytes. A longer one is written unchanged.
pub(crate) const MAX_GAME: usize = 16 << 20;

/// Maximum number of bytes after the end of a game at which its `EndTree` comes: more than a value and a parser's look-ahead.
const MAX_DELAY: usize = (1 << 20) + (1 << 19);

/// The first event comes within this many bytes: more than a parser looks at to detect a charset.
pub(super) const SNIFFED: usize = 1 << 17;

/// A `(` outside of games may start a game as long as no more white space follows it, in bytes.
const MAX_START: usize = 1 << 16;

/// The longest run of white space that is left out with the text before it, and of `)` that is left out after a game.
const MAX_WHITE: usize = 1 << 16;

/// Number of bytes of a text outside of games that a report shows.
const MAX_SHOWN: usize = 64;

/// Receives the parts of a stream, in order, and decides about games.
pub(crate) trait GameEditor {
    /// Writes bytes that stay unchanged.
    fn keep(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Writes `after` in the place of `before`, which is at the offset `at`.
    fn replace(&mut self, at: u64, before: &[u8], after: &[u8]) -> io::Result<()>;

    /// Decides about a game.
    fn edit(&mut self, game: &[u8], place: &GamePlace<'_>) -> Edited;

    /// Called after a game that is too long to be buffered, and was written unchanged. Returns whether it has faults.
    fn long_game(&mut self, position: Position) -> bool;

    /// Called when a `)` that closes nothing was left out.
    fn dropped_paren(&mut self);

    /// Called after a text outside of games of `len` bytes, which starts with `shown`. A lossy repair left it out.
    fn outside_text(&mut self, position: Position, len: u64, shown: &[u8]);
}

/// The decision about a game.
#[derive(Debug)]
pub(crate) enum Edited {
    /// There is nothing to repair.
    Sound,
    Changed(Vec<u8>),
    /// The game has faults, and stays unchanged.
    Kept,
    /// So does this one, apart from its `CA`.
    Labelled(Vec<u8>),
}

/// The place of a game in the stream.
#[derive(Debug)]
pub(crate) struct GamePlace<'c> {
    /// The offset of its `(`.
    pub(crate) at: u64,
    has_bom: bool,
    /// Another game begins where this one ends.
    is_followed: bool,
    /// The game before ends where this one begins, and was written unchanged.
    follows_open_game: bool,
    /// See [`RepairOptions::follows_bracket`].
    follows_bracket: bool,
    lines: LineCounter,
    detection: &'c Detection,
    /// The bytes of the source after the game, as far as they have been read.
    rest: &'c [u8],
}

impl GamePlace<'_> {
    /// Whether the stream starts with a byte-order mark.
    pub(crate) fn has_bom(&self) -> bool {
        self.has_bom
    }

    /// The options of a repair here.
    pub(crate) fn options(&self, is_lossy: bool, refuses_digits: bool) -> RepairOptions<'_> {
        let GamePlace { at, has_bom, is_followed, follows_open_game, follows_bracket, detection, rest, .. } = *self;
        RepairOptions {
            has_bom,
            is_lossy,
            refuses_digits,
            is_followed,
            follows_open_game,
            follows_bracket,
            detection: Some((detection, at, rest)),
        }
    }

    /// A function that turns offsets in the game, in ascending order, into positions.
    pub(crate) fn positions<'g>(&'g self, game: &'g [u8]) -> impl FnMut(usize) -> Position + 'g {
        let mut lines = self.lines.clone();
        move |at| {
            let at = self.at + at.min(game.len()) as u64;
            lines.locate(game, self.at, at.max(lines.position().offset))
        }
    }
}

/// The state between the chunks of a stream.
#[derive(Debug)]
pub(crate) struct StreamCutter {
    is_lossy: bool,
    buffer: Vec<u8>,
    /// Number of bytes at the start of `buffer` that were written.
    written: usize,
    /// The offset of the first byte that was not written.
    at: u64,
    lines: LineCounter,
    depth: usize,
    game: Option<OpenGame>,
    has_bom: bool,
    had_game: bool,
    /// The last game was changed, or something after it.
    has_changed: bool,
    /// The last game has no end, and was written unchanged.
    is_open: bool,
    /// The last game was written unchanged with its faults.
    is_kept: bool,
    /// There was no line break since the last game.
    is_on_line: bool,
    /// The last game was changed, and its last value might go on to a `]` after it: see [`may_go_on`].
    may_go_on: bool,
    /// The text since the last game ends in `]`, in the line in which the game ended.
    has_bracket: bool,
    text: Option<OutsideText>,
    /// Number of `(` in the texts so far, less the `)` that close them: so many `)` after games are not superfluous.
    open_in_text: usize,
    /// White space after the text, which is left out with the text if more text follows.
    white: Vec<u8>,
    /// White space and `)` after a game, which belong to the text if one follows.
    parens: Vec<u8>,
    detection: Detection,
}

/// A game that has begun.
#[derive(Debug)]
enum OpenGame {
    /// All of it is buffered.
    Buffered,
    /// It begins here, and its start was written.
    Passing(Position),
}

/// A text outside of games.
#[derive(Debug)]
struct OutsideText {
    position: Position,
    len: u64,
    shown: Vec<u8>,
}

impl StreamCutter {
    /// For a stream that this parser reads.
    pub(crate) fn new(parser: &Parser, is_lossy: bool) -> Self {
        StreamCutter {
            is_lossy,
            buffer: Vec::new(),
            written: 0,
            at: 0,
            lines: LineCounter::default(),
            depth: 0,
            game: None,
            has_bom: false,
            had_game: false,
            has_changed: false,
            is_open: false,
            is_kept: false,
            is_on_line: false,
            may_go_on: false,
            has_bracket: false,
            text: None,
            open_in_text: 0,
            white: Vec::new(),
            parens: Vec::new(),
            detection: Detection::new(parser),
        }
    }

    /// Takes the next bytes, before their events.
    pub(crate) fn push(&mut self, bytes: &[u8], editor: &mut impl GameEditor) -> io::Result<()> {
        match self.game {
            // The charset is being detected: the first event may still be about the first byte.
            None if self.at == 0 && self.rest().len() < SNIFFED => {}
            None => {
                let rest = self.rest();
                let paren = memchr::memrchr(b'(', rest).filter(|paren| rest.len() - paren <= MAX_START);
                self.outside(self.at + paren.unwrap_or(rest.len()) as u64, editor)?;
            }
            Some(OpenGame::Buffered) if self.rest().len() > MAX_GAME => {
                self.game = Some(OpenGame::Passing(self.position()));
                self.pass(self.end().saturating_sub(MAX_DELAY as u64), editor)?;
            }
            Some(OpenGame::Buffered) => {}
            Some(OpenGame::Passing(_)) => self.pass(self.end().saturating_sub(MAX_DELAY as u64), editor)?,
        }
        if self.written * 2 >= self.buffer.len() {
            self.buffer.drain(..self.written);
            self.written = 0;
        }
        self.buffer.extend_from_slice(bytes);
        self.has_bom |= self.at == 0 && self.rest().starts_with(BOM);
        Ok(())
    }

    /// Takes the next event.
    pub(crate) fn event(&mut self, event: Event<'_>, offset: u64, editor: &mut impl GameEditor) -> io::Result<()> {
        match event {
            Event::StartTree => {
                self.depth += 1;
                if self.depth == 1 {
                    self.start_game(offset, editor)?;
                }
            }
            Event::EndTree => {
                self.depth = self.depth.saturating_sub(1);
                if self.depth == 0 {
                    self.end_game(offset, editor)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Ends the stream.
    pub(crate) fn finish(&mut self, editor: &mut impl GameEditor) -> io::Result<()> {
        let end = self.end();
        if self.game.is_some() {
            return self.pass(end, editor); // the parser has closed every game
        }
        self.outside(end, editor)?;
        self.end_text(editor)
    }

    fn rest(&self) -> &[u8] {
        &self.buffer[self.written..]
    }

    fn end(&self) -> u64 {
        self.at + self.rest().len() as u64
    }

    /// The position of the first byte that was not written.
    fn position(&self) -> Position {
        self.lines.position()
    }

    fn start_game(&mut self, offset: u64, editor: &mut impl GameEditor) -> io::Result<()> {
        let is_buffered = offset >= self.at;
        self.outside(offset, editor)?;
        self.end_text(editor)?;
        self.had_game = true;
        self.game = Some(if is_buffered { OpenGame::Buffered } else { OpenGame::Passing(self.position()) });
        Ok(())
    }

    fn end_game(&mut self, offset: u64, editor: &mut impl GameEditor) -> io::Result<()> {
        let Some(game) = self.game.take() else { return Ok(()) };
        let index = usize::try_from(offset.saturating_sub(self.at)).unwrap_or(usize::MAX).min(self.rest().len());
        let has_paren = offset >= self.at && self.rest().get(index) == Some(&b')');
        let len = index + usize::from(has_paren);
        let has_bracket = std::mem::take(&mut self.has_bracket);
        (self.is_on_line, self.may_go_on) = (true, false);
        if let OpenGame::Passing(position) = game {
            self.is_open = !has_paren;
            self.is_kept = editor.long_game(position);
            self.pass(self.at + len as u64, editor)?;
            self.detection.end_game();
            return Ok(());
        }
        let place = GamePlace {
            at: self.at,
            has_bom: self.has_bom,
            is_followed: index < self.rest().len() && !has_paren,
            follows_open_game: self.is_open,
            follows_bracket: has_bracket && !starts_with_node(self.rest()),
            lines: self.lines.clone(),
            detection: &self.detection,
            rest: &self.rest()[len..],
        };
        let bytes = &self.buffer[self.written..self.written + len];
        let edited = editor.edit(bytes, &place);
        self.is_kept = matches!(edited, Edited::Kept | Edited::Labelled(_));
        let changes = matches!(edited, Edited::Changed(_));
        match edited {
            Edited::Changed(after) => {
                (self.is_open, self.may_go_on) = (false, may_go_on(&after));
                self.detection.replace(editor, self.at, bytes, &after)?;
            }
            edited @ (Edited::Sound | Edited::Kept | Edited::Labelled(_)) => {
                self.is_open = !has_paren;
                // The bytes left out before it may be all that kept its `]` from ending a value there. No value
                // continues after such a bracket and a line break.
                if self.has_changed && has_stray_bracket(bytes) {
                    self.detection.replace(editor, self.at, b"", b"\n")?;
                }
                match edited {
                    Edited::Labelled(after) => self.detection.replace(editor, self.at, bytes, &after)?,
                    _ => self.detection.keep(editor, bytes)?,
                }
            }
        }
        self.detection.end_game();
        self.has_changed = changes;
        self.advance(len);
        Ok(())
    }

    /// Writes everything up to an offset unchanged.
    fn pass(&mut self, to: u64, editor: &mut impl GameEditor) -> io::Result<()> {
        let len = usize::try_from(to.saturating_sub(self.at)).unwrap_or(usize::MAX).min(self.rest().len());
        self.detection.keep(editor, &self.buffer[self.written..self.written + len])?;
        self.advance(len);
        Ok(())
    }

    fn advance(&mut self, len: usize) {
        self.lines.advance(&self.buffer[self.written..self.written + len]);
        self.written += len;
        self.at += len as u64;
    }

    /// Handles the bytes up to an offset, which are outside of games.
    fn outside(&mut self, to: u64, editor: &mut impl GameEditor) -> io::Result<()> {
        if self.at == 0 {
            self.detection.start(&self.buffer[self.written..]);
        }
        while self.at < to {
            let mut len = ((to - self.at) as usize).min(self.rest().len());
            if len == 0 {
                return Ok(());
            }
            if self.at == 0 && self.has_bom {
                self.pass(BOM.len() as u64, editor)?;
                continue;
            }
            let is_white = |byte: &u8| is_white_space(*byte);
            let rest = &self.rest()[..len];
            if self.text.is_none() && self.had_game && self.parens.len() < MAX_WHITE {
                let most = MAX_WHITE - self.parens.len();
                let is_paren = |byte: &&u8| is_white(byte) || **byte == b')';
                let parens = rest.iter().take(most).take_while(is_paren).count();
                if parens > 0 {
                    let StreamCutter { buffer, written, parens: pending, .. } = self;
                    pending.extend_from_slice(&buffer[*written..*written + parens]);
                    self.is_on_line &= !has_break(&buffer[*written..*written + parens]);
                    self.advance(parens);
                    continue;
                }
            }
            let white = rest.iter().position(|byte| !is_white(byte)).unwrap_or(rest.len());
            if white > 0 {
                self.white_space(white, editor)?;
                continue;
            }
            if self.text.is_none() {
                self.begin_text(editor)?;
            }
            let rest = &self.rest()[..len];
            let word = rest.iter().position(is_white).unwrap_or(len);
            let position = self.position();
            let mut text = self.text.take().unwrap_or_else(|| OutsideText { position, len: 0, shown: Vec::new() });
            // White space inside a text is a part of it; whether it is inside, the next word tells.
            if self.is_lossy {
                len = word;
                text.len += self.white.len() as u64;
                let at = self.at - self.white.len() as u64;
                show(&mut text.shown, &self.white);
                if !self.white.is_empty() {
                    self.detection.replace(editor, at, &self.white, b"")?;
                    self.has_changed = true;
                    self.white.clear();
                }
            }
            let bytes = &self.buffer[self.written..self.written + len];
            text.len += len as u64;
            show(&mut text.shown, bytes);
            self.text = Some(text);
            let visible = bytes.iter().rposition(|byte| !is_white(byte)).map_or(bytes, |last| &bytes[..=last]);
            self.has_bracket =
                self.is_on_line && !self.is_lossy && visible.last() == Some(&b']') && !has_break(visible);
            self.is_on_line &= !has_break(bytes);
            self.has_changed |= self.is_lossy;
            match self.is_lossy {
                true => self.detection.replace(editor, self.at, bytes, b"")?,
                false => {
                    self.detection.keep(editor, bytes)?;
                    for &byte in bytes {
                        self.open_in_text = match byte {
                            b'(' => self.open_in_text + 1,
                            b')' => self.open_in_text.saturating_sub(1),
                            _ => self.open_in_text,
                        };
                    }
                }
            }
            self.advance(len);
        }
        Ok(())
    }

    fn white_space(&mut self, len: usize, editor: &mut impl GameEditor) -> io::Result<()> {
        let bytes = &self.buffer[self.written..self.written + len];
        self.is_on_line &= !has_break(bytes);
        match &mut self.text {
            Some(_) if self.is_lossy && self.white.len() + len <= MAX_WHITE => {
                self.white.extend_from_slice(bytes);
                self.advance(len);
                Ok(())
            }
            Some(text) if !self.is_lossy => {
                text.len += len as u64;
                show(&mut text.shown, bytes);
                self.pass(self.at + len as u64, editor)
            }
            _ => {
                self.detection.keep(editor, &std::mem::take(&mut self.white))?;
                self.pass(self.at + len as u64, editor)
            }
        }
    }

    /// Handles what stands between a game and the first byte of a text.
    fn begin_text(&mut self, editor: &mut impl GameEditor) -> io::Result<()> {
        // No value continues after a line break.
        if std::mem::take(&mut self.may_go_on) && self.is_on_line && !self.is_lossy {
            self.detection.replace(editor, self.at - self.parens.len() as u64, b"", b"\n")?;
        }
        self.end_parens(self.is_lossy, editor)
    }

    /// Handles the `)` after a game, now that it is known what follows them: each is left out, or all stay. After a game
    /// that stays unchanged they stay, since without them its last value may be read differently. One that closes a `(` of
    /// the text before the game stays, too.
    fn end_parens(&mut self, goes: bool, editor: &mut impl GameEditor) -> io::Result<()> {
        let parens = std::mem::take(&mut self.parens);
        let at = self.at - parens.len() as u64;
        if !goes || self.is_kept || parens.len() == MAX_WHITE || !self.detection.allows(at) {
            return self.detection.keep(editor, &parens);
        }
        let mut from = 0;
        for paren in memchr::memchr_iter(b')', &parens) {
            if self.open_in_text > 0 {
                self.open_in_text -= 1;
                continue;
            }
            self.has_changed = true;
            self.detection.keep(editor, &parens[from..paren])?;
            self.detection.replace(editor, at + paren as u64, b")", b"")?;
            editor.dropped_paren();
            from = paren + 1;
        }
        self.detection.keep(editor, &parens[from..])
    }

    fn end_text(&mut self, editor: &mut impl GameEditor) -> io::Result<()> {
        if self.text.is_none() {
            self.end_parens(true, editor)?;
        }
        self.detection.keep(editor, &std::mem::take(&mut self.white))?;
        if let Some(text) = self.text.take() {
            editor.outside_text(text.position, text.len, &text.shown);
        }
        Ok(())
    }
}

/// Whether a game has a `;` right after its `(`.
fn starts_with_node(game: &[u8]) -> bool {
    let mut bytes = game.iter().filter(|byte| !is_white_space(**byte));
    bytes.next() == Some(&b'(') && bytes.next() == Some(&b';')
}

/// Whether a `]` after a game might be the end of its last value, `(;C[x];)]`, since no identifier follows the `;` after
/// that value.
fn may_go_on(game: &[u8]) -> bool {
    let end = memchr::memrchr(b']', game).map_or(game.len(), |close| close + 1);
    let mut after = game[end..].iter().filter(|byte| !matches!(byte, b' ' | b'\t' | 0x0B | 0x0C));
    match after.next() {
        Some(b';') => !after.next().is_none_or(|byte| matches!(byte, b'\r' | b'\n') || byte.is_ascii_alphabetic()),
        first => first.is_some_and(|byte| !matches!(byte, b'(' | b')' | b'\r' | b'\n')),
    }
}

fn has_break(bytes: &[u8]) -> bool {
    memchr::memchr2(b'\r', b'\n', bytes).is_some()
}

/// Whether a game has a `]` before its first `[`.
fn has_stray_bracket(game: &[u8]) -> bool {
    memchr::memchr2(b'[', b']', game).is_some_and(|first| game[first] == b']')
}

fn show(shown: &mut Vec<u8>, bytes: &[u8]) {
    let room = MAX_SHOWN.saturating_sub(shown.len()).min(bytes.len());
    shown.extend_from_slice(&bytes[..room]);
}

/// The bytes at the start of a range that a report shows.
pub(crate) fn excerpt(bytes: &[u8], range: Range<usize>) -> &[u8] {
    &bytes[range.start..range.end.min(range.start + MAX_SHOWN)]
}
