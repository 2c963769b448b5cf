//! Repairs: the stream as it is, but for what can be put right without loss.
//!
//! The stream is cut into games, and each game is repaired by itself, in memory: first its syntax
//! ([`write::rewrite`](crate::write::Rewriter)), then what the rules find, by other bytes for some spans. A game without
//! faults, and all that stands between games, is copied.

mod edits;
mod game;

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Read, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::core::Core;
use super::{Rule, Rules};
use crate::read::parser::Parser;
use crate::syntax::diagnostic::{Code, Diagnostic, Position, Severity};
use crate::syntax::event::Event;
use crate::syntax::flow::Flow;
use crate::write::rewrite::stream::{Mended, Mender, Place, Stream, excerpt};

/// How much is read at a time.
const CHUNK: usize = 1 << 16;

/// What was repaired, and what was not.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Fixed {
    repairs: BTreeMap<Rule, u64>,
    left: BTreeMap<Rule, u64>,
    left_games: u64,
    dropped: BTreeMap<Rule, u64>,
    has_changed: bool,
}

impl Fixed {
    /// How many findings of each rule were repaired without loss.
    pub fn repairs(&self) -> impl ExactSizeIterator<Item = (Rule, u64)> {
        self.repairs.iter().map(|(&rule, &count)| (rule, count))
    }

    /// How many findings were repaired without loss.
    pub fn count(&self) -> u64 {
        self.repairs.values().sum()
    }

    /// How many faults of each rule stand in the way of a repair, since it would cost content: text outside of games,
    /// which stays, and faults of [games that stay as they are](Self::left_games).
    pub fn left(&self) -> impl ExactSizeIterator<Item = (Rule, u64)> {
        self.left.iter().map(|(&rule, &count)| (rule, count))
    }

    /// How many games with faults stay as they are, byte for byte.
    pub fn left_games(&self) -> u64 {
        self.left_games
    }

    /// How many stretches of the stream were left out, by the rule that they break. Only a
    /// [lossy](Fixer::lossy) repair leaves anything out.
    pub fn dropped(&self) -> impl ExactSizeIterator<Item = (Rule, u64)> {
        self.dropped.iter().map(|(&rule, &count)| (rule, count))
    }

    /// Whether the output differs from the input.
    pub fn has_changed(&self) -> bool {
        self.has_changed
    }
}

/// Adds the counts of another stream.
impl std::ops::AddAssign for Fixed {
    fn add_assign(&mut self, other: Self) {
        let Fixed { repairs, left, left_games, dropped, has_changed } = other;
        for (to, from) in [(&mut self.repairs, repairs), (&mut self.left, left), (&mut self.dropped, dropped)] {
            for (rule, count) in from {
                *to.entry(rule).or_default() += count;
            }
        }
        self.left_games += left_games;
        self.has_changed |= has_changed;
    }
}

/// Why a stream was not repaired.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FixError {
    /// It could not be read.
    #[error(transparent)]
    Read(io::Error),
    /// The output could not be written.
    #[error(transparent)]
    Write(io::Error),
    /// Something in it is too long or too deep to be kept, or it is no SGF.
    #[error("{0}")]
    Refused(Diagnostic),
}

/// A report of a [`Fixer`] about something that it did not repair, or left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Note<'a> {
    /// What became of it.
    pub fate: Fate,
    /// The rule that it breaks.
    pub rule: Rule,
    /// Where.
    pub position: Position,
    /// The first bytes of what was left out, or of a text that stays.
    pub shown: &'a [u8],
    /// The number of its bytes.
    pub len: u64,
}

/// What became of something that could not be repaired without loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Fate {
    /// Text outside of games: it stays.
    Stays,
    /// A fault for which its game stays as it is. One report for each code and game.
    Left,
    /// It was left out.
    Dropped,
}

/// Other bytes for some of the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Change<'a> {
    /// The offset of the bytes that change.
    pub offset: u64,
    /// The bytes of the input.
    pub before: &'a [u8],
    /// The bytes of the output.
    pub after: &'a [u8],
}

/// Repairs what can be repaired without loss, and copies everything else byte for byte.
///
/// What is repaired, the [module's page](super#repairs) says. [`fix`] and [`fix_slice`] are this with its defaults.
///
/// ```
/// use sgf_stream::check::{Fate, Fixer, Rules};
///
/// let input = b"A mail.\n(;FF[4]SZ[9:9];B[dd]\n(;FF[4];B[dd];[a comment];W[b b])";
/// let mut out = Vec::new();
/// let fixed = Fixer::new(Rules::new()).fix(&input[..], &mut out)?;
/// assert_eq!(out, b"A mail.\n(;FF[4]SZ[9];B[dd])\n(;FF[4];B[dd];[a comment];W[b b])");
/// assert_eq!((fixed.count(), fixed.left_games()), (2, 1));
///
/// let mut dropped = Vec::new();
/// let mut out = Vec::new();
/// let mut fixer = Fixer::new(Rules::new()).lossy(true).on_note(|note| {
///     assert_eq!(note.fate, Fate::Dropped);
///     dropped.push((note.position.line, note.rule.as_str(), note.shown.escape_ascii().to_string()));
/// });
/// fixer.fix(&input[..], &mut out)?;
/// drop(fixer);
/// assert_eq!(out, b"\n(;FF[4]SZ[9];B[dd])\n(;FF[4];B[dd];;W[bb])");
/// assert_eq!(dropped, [
///     (1, "junk-outside-tree", "A mail.".to_owned()),
///     (3, "value-without-ident", "[a comment]".to_owned()),
/// ]);
/// # Ok::<(), sgf_stream::check::FixError>(())
/// ```
pub struct Fixer<'a> {
    parser: Parser,
    rules: Rules,
    is_lossy: bool,
    on_note: Option<OnNote<'a>>,
    on_change: Option<OnChange<'a>>,
}

type OnNote<'a> = Box<dyn FnMut(&Note<'_>) + 'a>;
type OnChange<'a> = Box<dyn FnMut(&Change<'_>) + 'a>;

impl<'a> Fixer<'a> {
    /// Repairs what these rules find, and faults of syntax whatever the rules. [`Parser::fixer`] makes one with other
    /// limits, or with charsets.
    pub fn new(rules: Rules) -> Self {
        Parser::new().fixer(rules)
    }

    pub(crate) fn with(parser: &Parser, rules: Rules) -> Self {
        Fixer { parser: parser.lenient(), rules, is_lossy: false, on_note: None, on_change: None }
    }

    /// Sets whether text that is no SGF is left out (default: no): text outside of games, text among properties, values
    /// without an identifier, identifiers without a value, and in FF\[4\] properties with digits in their
    /// identifier. By default text outside of games stays, and a game with such faults stays as it is.
    #[must_use]
    pub fn lossy(self, is_lossy: bool) -> Self {
        Fixer { is_lossy, ..self }
    }

    /// Calls `heard` with what is left and with what goes, in the order of the stream.
    #[must_use]
    pub fn on_note(self, heard: impl FnMut(&Note<'_>) + 'a) -> Self {
        Fixer { on_note: Some(Box::new(heard)), ..self }
    }

    /// Calls `heard` with every change, in the order of the stream: a game as a whole, or text outside of games.
    #[must_use]
    pub fn on_change(self, heard: impl FnMut(&Change<'_>) + 'a) -> Self {
        Fixer { on_change: Some(Box::new(heard)), ..self }
    }

    /// Repairs a stream. Holds one game in memory; a game of more than 16 MiB stays as it is.
    ///
    /// # Errors
    ///
    /// If reading or writing fails, or the stream cannot be kept whole. Part of the output may be written then.
    pub fn fix<R: Read, W: Write>(&mut self, mut reader: R, writer: W) -> Result<Fixed, FixError> {
        let heard = Heard::default();
        let mut parser = heard.listen_to(self.parser.clone()).push();
        let mut stream = Stream::new(self.is_lossy);
        let mut mending = Mending {
            core: Core::new(self.rules.clone(), &self.parser),
            parser: None,
            depth: 0,
            has_edits: false,
            heard,
            fixer: self,
            out: writer,
            fixed: Fixed::default(),
        };
        let mut buffer = vec![0; CHUNK];
        loop {
            let len = match reader.read(&mut buffer) {
                Ok(len) => len,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(FixError::Read(error)),
            };
            let mut written = stream.push(&buffer[..len], &mut mending);
            let mut bytes = &buffer[..len];
            let parsed = loop {
                let is_first = mending.parser.is_none();
                let event = |event: Event<'_>, at: u64| {
                    if written.is_ok() {
                        mending.check(event, at);
                        written = stream.event(event, at, &mut mending);
                    }
                    // Before it is known whether a charset was detected, there is no event.
                    if is_first { Flow::Break } else { Flow::Continue }
                };
                match if len == 0 { parser.finish(event) } else { parser.feed(bytes, event) } {
                    Ok(Flow::Break) => {
                        mending.parser = Some(mending.fixer.parser.unheard().for_pieces_of(&parser));
                        bytes = &[];
                    }
                    parsed => break parsed,
                }
            };
            written.map_err(FixError::Write)?;
            if let Err(error) = parsed {
                return Err(FixError::Refused(Diagnostic::new(error.code(), error.position())));
            }
            if let Some(refused) = mending.heard.lock().refused {
                return Err(FixError::Refused(refused));
            }
            if len == 0 {
                break;
            }
        }
        stream.finish(&mut mending).map_err(FixError::Write)?;
        mending.out.flush().map_err(FixError::Write)?;
        Ok(mending.fixed)
    }

    /// Repairs a slice.
    ///
    /// # Errors
    ///
    /// If it cannot be kept whole.
    pub fn fix_slice(&mut self, bytes: &[u8]) -> Result<(Vec<u8>, Fixed), FixError> {
        let mut out = Vec::with_capacity(bytes.len());
        let fixed = self.fix(bytes, &mut out)?;
        Ok((out, fixed))
    }

    fn note(&mut self, note: Note<'_>) {
        if let Some(heard) = &mut self.on_note {
            heard(&note);
        }
    }
}

impl fmt::Debug for Fixer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fixer").field("rules", &self.rules).field("is_lossy", &self.is_lossy).finish_non_exhaustive()
    }
}

/// Repairs a stream: see [`Fixer`].
///
/// ```
/// use sgf_stream::check::{Rules, fix};
///
/// let mut out = Vec::new();
/// let fixed = fix(&Rules::new(), &b"(;FF[4] SZ[9:9]\n;B[ d d ]C[a\n comment]AB[])"[..], &mut out)?;
/// assert_eq!(out, b"(;FF[4] SZ[9]\n;B[dd]C[a\n comment])");
/// assert_eq!(fixed.count(), 3);
/// # Ok::<(), sgf_stream::check::FixError>(())
/// ```
///
/// # Errors
///
/// See [`Fixer::fix`].
pub fn fix<R: Read, W: Write>(rules: &Rules, reader: R, writer: W) -> Result<Fixed, FixError> {
    Fixer::new(rules.clone()).fix(reader, writer)
}

/// Repairs a slice: see [`Fixer`].
///
/// ```
/// use sgf_stream::check::{Rules, fix_slice};
///
/// let (out, fixed) = fix_slice(&Rules::new(), b"(;FF[4];AB[aa]AW[cc]AB[bb][aa]C[cut o")?;
/// assert_eq!(out, b"(;FF[4];AB[aa][bb]AW[cc]C[cut o])");
/// assert_eq!(fixed.count(), 4);
/// # Ok::<(), sgf_stream::check::FixError>(())
/// ```
///
/// # Errors
///
/// If it cannot be kept whole.
pub fn fix_slice(rules: &Rules, bytes: &[u8]) -> Result<(Vec<u8>, Fixed), FixError> {
    Fixer::new(rules.clone()).fix_slice(bytes)
}

/// What the parser of the stream says.
#[derive(Clone, Debug, Default)]
struct Heard(Arc<Mutex<Said>>);

#[derive(Debug, Default)]
struct Said {
    /// Something since the last game.
    any: bool,
    /// The first thing that is more than a parser can hold.
    refused: Option<Diagnostic>,
}

impl Heard {
    fn lock(&self) -> MutexGuard<'_, Said> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn listen_to(&self, parser: Parser) -> Parser {
        let heard = self.clone();
        parser.also_on_diagnostic(move |found| {
            let mut said = heard.lock();
            said.any = true;
            if found.code.severity() == Severity::Error {
                said.refused = said.refused.or(Some(*found));
            }
        })
    }
}

/// A stream that is being repaired.
struct Mending<'f, 'a, W> {
    fixer: &'f mut Fixer<'a>,
    out: W,
    heard: Heard,
    /// Reads games by themselves. There is none before the first event.
    parser: Option<Parser>,
    core: Core,
    /// Open trees.
    depth: usize,
    /// There is something to edit in this game.
    has_edits: bool,
    fixed: Fixed,
}

impl<W> Mending<'_, '_, W> {
    /// Looks at an event: most games have no faults, and then nothing else is to be done.
    fn check(&mut self, event: Event<'_>, at: u64) {
        let Mending { core, depth, has_edits, .. } = self;
        game::drive(core, depth, event, at, &mut |finding| *has_edits |= !finding.edits.is_empty());
    }

    fn count(counts: &mut BTreeMap<Rule, u64>, code: Code) {
        *counts.entry(Rule::Syntax(code)).or_default() += 1;
    }
}

impl<W: Write> Mender for Mending<'_, '_, W> {
    fn same(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)
    }

    fn change(&mut self, offset: u64, before: &[u8], after: &[u8]) -> io::Result<()> {
        self.fixed.has_changed = true;
        if let Some(heard) = &mut self.fixer.on_change {
            heard(&Change { offset, before, after });
        }
        self.out.write_all(after)
    }

    fn game(&mut self, source: &[u8], place: &Place) -> Mended {
        let has_edits = std::mem::take(&mut self.has_edits);
        let any = std::mem::take(&mut self.heard.lock().any);
        let Some(parser) = self.parser.as_ref().filter(|_| any || has_edits) else { return Mended::Sound };
        let manner = place.manner(self.fixer.is_lossy, true);
        let mut position = place.positions(source);
        match game::fix(&self.fixer.rules, parser, source, manner) {
            game::Result::Same => Mended::Sound,
            game::Result::Fixed { bytes, repairs, dropped } => {
                for (rule, count) in repairs {
                    *self.fixed.repairs.entry(rule).or_default() += count;
                }
                for gone in dropped {
                    Self::count(&mut self.fixed.dropped, gone.code);
                    self.fixer.note(Note {
                        fate: Fate::Dropped,
                        rule: Rule::Syntax(gone.code),
                        position: position(gone.range.start),
                        len: gone.range.len() as u64,
                        shown: excerpt(source, gone.range),
                    });
                }
                Mended::Changed(bytes)
            }
            game::Result::Left(faults) => {
                self.fixed.left_games += 1;
                let mut told = Vec::new();
                for fault in faults {
                    Self::count(&mut self.fixed.left, fault.code);
                    if !told.contains(&fault.code) {
                        told.push(fault.code);
                        let (rule, position) = (Rule::Syntax(fault.code), position(fault.at));
                        self.fixer.note(Note { fate: Fate::Left, rule, position, shown: b"", len: 0 });
                    }
                }
                Mended::Left
            }
            game::Result::Refused(fault) => {
                let mut said = self.heard.lock();
                said.refused = said.refused.or(Some(Diagnostic::new(fault.code, position(fault.at))));
                Mended::Left
            }
        }
    }

    fn long_game(&mut self, position: Position) -> bool {
        let has_edits = std::mem::take(&mut self.has_edits);
        let any = std::mem::take(&mut self.heard.lock().any);
        if any || has_edits {
            self.fixed.left_games += 1;
            Self::count(&mut self.fixed.left, Code::GameTooLong);
            let rule = Rule::Syntax(Code::GameTooLong);
            self.fixer.note(Note { fate: Fate::Left, rule, position, shown: b"", len: 0 });
        }
        any || has_edits
    }

    fn extra_paren(&mut self) {
        Self::count(&mut self.fixed.repairs, Code::ExtraCloseParen);
    }

    fn text(&mut self, position: Position, len: u64, shown: &[u8]) {
        let (fate, counts) = match self.fixer.is_lossy {
            true => (Fate::Dropped, &mut self.fixed.dropped),
            false => (Fate::Stays, &mut self.fixed.left),
        };
        Self::count(counts, Code::JunkOutsideTree);
        self.fixer.note(Note { fate, rule: Rule::Syntax(Code::JunkOutsideTree), position, shown, len });
    }
}
