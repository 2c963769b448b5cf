//! The most likely charset of a game, and the game with that charset in its `CA`.
//!
//! Canonical form and the repairs of the checker share this code.

use std::ops::Range;

use sgf_stream::charset::{Charset, GameTexts};
use sgf_stream::internal::{Edit, Given, apply};
use sgf_stream::{DiagnosticLog, Event, Flow, Ident, Parser, RawValue};

/// The facts of a game that determine its charset.
///
/// The parser that collects them knows the charset of the stream, and finds the ends of values accordingly.
pub(crate) struct CharsetFacts<'g> {
    game: &'g [u8],
    is_kept: &'g dyn Fn(Ident<'_>, bool) -> bool,
    texts: GameTexts,
    /// The location of the first value of CA in the root.
    label: Option<Range<usize>>,
    /// The offset of the root.
    root: Option<usize>,
    is_ascii: bool,
    is_utf8: bool,
}

/// The charset of a game whose `CA` does not declare it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Likely {
    pub(crate) charset: Charset,
    /// Whether it was only detected: see [`GameCharset::is_guess`](sgf_stream::charset::GameCharset::is_guess).
    pub(crate) is_guess: bool,
}

impl<'g> CharsetFacts<'g> {
    /// Reads a game. `is_kept` tells whether the values of a property count; it is also passed whether the property is in
    /// the root.
    pub(crate) fn of(parser: &Parser, game: &'g [u8], is_kept: &'g dyn Fn(Ident<'_>, bool) -> bool) -> Self {
        let mut facts = CharsetFacts {
            game,
            is_kept,
            texts: GameTexts::new(),
            label: None,
            root: None,
            is_ascii: true,
            is_utf8: true,
        };
        let (mut nodes, mut is_label, mut counts, is_plain) = (0, false, true, game.is_ascii());
        let read = parser.parse(game, |event, offset| {
            match event {
                Event::Node => {
                    nodes += 1;
                    match nodes {
                        1 => facts.root = usize::try_from(offset).ok(),
                        2 => facts.end_root(),
                        _ => {}
                    }
                }
                Event::Property(ident) => {
                    is_label = nodes == 1 && ident == "CA";
                    counts = is_kept(ident, nodes == 1);
                }
                Event::Value(value) => {
                    let raw = value.as_bytes();
                    if is_label && facts.label.is_none() {
                        let start = offset as usize + "[".len();
                        facts.label = Some(start..start + raw.len());
                    }
                    if counts {
                        facts.texts.add(value);
                        facts.is_ascii &= raw.is_ascii();
                        facts.is_utf8 &= str::from_utf8(raw).is_ok();
                    }
                }
                _ => {}
            }
            // Only a root tells something of a game in ASCII.
            if is_plain && nodes > 1 { Flow::Break } else { Flow::Continue }
        });
        debug_assert!(read.is_ok(), "a game is SGF");
        if nodes == 1 {
            facts.end_root();
        }
        facts
    }

    fn end_root(&mut self) {
        self.texts.end_root(self.label());
    }

    /// Returns the first value of CA in the root.
    pub(crate) fn label(&self) -> Option<RawValue<'g>> {
        self.label.clone().map(|label| RawValue::new(&self.game[label]))
    }

    pub(crate) fn is_ascii(&self) -> bool {
        self.is_ascii
    }

    pub(crate) fn is_utf8(&self) -> bool {
        self.is_utf8
    }

    /// Returns the most likely charset of the game, if `CA` is missing, unknown or wrong. `None` if `CA` is correct, and if
    /// the parser does not decode.
    pub(crate) fn likely(&self, parser: &Parser) -> Option<Likely> {
        if self.game.is_ascii() {
            return None;
        }
        let policy = parser.decoding()?;
        let found = policy.game_charset(None, &self.texts).ok()?;
        let is_false = found.contradicts_ca() && (found.charset() != Charset::UTF_8 || self.is_utf8);
        if found.is_fallback() || !found.is_guess() && !is_false {
            return None;
        }
        // What was detected in the stream has decided where values end. But in CA it may be false.
        let is_true = |charset: &Charset| {
            let label = RawValue::new(charset.name().as_bytes());
            policy.game_charset_under(None, Some(label), &self.texts).is_ok_and(|named| !named.contradicts_ca())
        };
        let of_stream = match parser.given() {
            Given::Default(two_byte) if !found.contradicts_ca() => Charset::of_two_byte(two_byte).filter(is_true),
            _ => None,
        };
        let likely = Likely { charset: of_stream.unwrap_or(found.charset()), is_guess: found.is_guess() };
        (!likely.is_guess || self.fits(parser, likely.charset)).then_some(likely)
    }

    /// Returns whether no text is in UTF-8 instead of a charset; such a text would contradict the guess.
    fn fits(&self, parser: &Parser, charset: Charset) -> bool {
        let label = RawValue::new(charset.name().as_bytes());
        let Some(Ok(tree)) = parser.decoding().map(|policy| policy.decide(None, Some(label), [])) else { return false };
        let (mut nodes, mut counts, mut fits) = (0, true, true);
        let read = parser.parse(self.game, |event, _| {
            match event {
                Event::Node => nodes += 1,
                Event::Property(ident) => counts = (self.is_kept)(ident, nodes == 1),
                Event::Value(value) => fits &= !(counts && tree.is_contradicted_by(value)),
                _ => {}
            }
            if fits { Flow::Continue } else { Flow::Break }
        });
        read.is_ok() && fits
    }

    /// Returns the game with this charset in its `CA` and unchanged texts; `None` if the game would be read differently.
    pub(crate) fn labelled(&self, parser: &Parser, charset: Charset) -> Option<Vec<u8>> {
        self.label_edit(parser, charset).map(|edit| apply(self.game, std::iter::once(&edit)))
    }

    /// Returns the edit that lets `CA` name this charset. `None` if the game would be read differently.
    pub(crate) fn label_edit(&self, parser: &Parser, charset: Charset) -> Option<Edit> {
        let (game, name) = (self.game, charset.name());
        let is_same = |edit: &Edit| {
            let edited = &apply(game, std::iter::once(edit));
            let label = CharsetFacts::of(parser, edited, &|_, _| true).label().map(RawValue::as_bytes);
            label == Some(name.as_bytes())
                && without_label(parser, game).eq(without_label(parser, edited))
                && faults(parser, game) == faults(parser, edited)
        };
        if let Some(label) = self.label.clone() {
            return Some(Edit { range: label, with: name.into() }).filter(is_same);
        }
        let root = self.root?;
        let start = root + usize::from(game.get(root) == Some(&b';'));
        // After a line break, junk with a `]` in it is not the rest of the value.
        [format!("CA[{name}]"), format!("CA[{name}]\n")]
            .into_iter()
            .map(|property| Edit::insert(start, property))
            .find(is_same)
    }
}

/// Returns the events of a game, except for the CA of its root.
fn without_label<'g>(parser: &Parser, game: &'g [u8]) -> impl Iterator<Item = Event<'g>> {
    let (mut nodes, mut is_label) = (0, false);
    parser.slice(game).map_while(Result::ok).filter(move |event| {
        match event {
            Event::Node => nodes += 1,
            Event::Property(ident) => is_label = nodes == 1 && *ident == "CA",
            _ => {}
        }
        !(is_label && matches!(event, Event::Property(_) | Event::Value(_)))
    })
}

/// Returns the number of faults in a game. In a two-byte charset, a value may end in half a character.
fn faults(parser: &Parser, game: &[u8]) -> u64 {
    let log = DiagnosticLog::new(0);
    let read = parser.clone().log_to(&log).parse(game, |_, _| {});
    debug_assert!(read.is_ok(), "a game is SGF");
    log.dropped()
}
