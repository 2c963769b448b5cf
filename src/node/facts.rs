//! The facts about a game in its root.

use std::mem;

use crate::property::Context;
use crate::syntax::event::{Event, Ident};
use crate::value::game::Game;
use crate::value::typed::trim;
use crate::value::{Double, Number, RawValue, Size};
use crate::work;

/// The facts about a game in its root: `GM`, `FF`, `SZ` and `CA`.
///
/// They say which game it is, in which version of SGF, on which board, and in which charset.
///
/// Feed it every event of a stream with [`observe`](Self::observe), or the values of one root with
/// [`note`](Self::note). The first valid value of a property counts: `GM[Go]GM[6]` is game 6. In SGF2, the dialect of
/// the Nihon Ki-in and of the server oro, `GK` stands for `GM`; if a root has both, `GM` counts.
///
/// ```
/// use sgf_stream::node::RootFacts;
/// use sgf_stream::{Game, Parser};
///
/// let mut facts = RootFacts::new();
/// let mut games = Vec::new();
/// Parser::new().parse(b"(;FF[4]GM[11]SZ[13];B[c3])(;GM[1]CA[Big5](;B[dd]))", |event, _| {
///     let was_final = facts.is_final();
///     facts.observe(event);
///     if facts.is_final() && !was_final {
///         let charset = facts.charset().map(|label| label.simple_text().into_owned());
///         games.push((facts.context().game(), facts.version(), charset));
///     }
/// })?;
/// assert_eq!(games, [(Game::Hex, Some(4), None), (Game::Go, None, Some("Big5".into()))]);
/// # Ok::<(), sgf_stream::SyntaxError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct RootFacts {
    depth: usize,
    place: PlaceInGame,
    /// The open property, if it is one of the facts.
    open: Option<Fact>,
    /// The game of a root without `GM`.
    default_game: Game,
    game: Option<Game>,
    /// The game according to `GK`.
    sgf2_game: Option<Game>,
    /// The first number in `FF`.
    version: Option<i64>,
    /// The first number in `FF` that is a version.
    ff: Option<u8>,
    size: Option<Size>,
    has_sgf2_properties: bool,
    has_charset: bool,
    /// The charset name, if any.
    charset: Vec<u8>,
}

/// The location of the last event: before, in or after the root of its game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum PlaceInGame {
    #[default]
    Before,
    Root,
    After,
}

/// A property that is a fact about the whole game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fact {
    Charset,
    Version,
    Game,
    Size,
    /// `GK` of SGF2.
    Sgf2Game,
    /// `RD` of SGF2, the date.
    Sgf2Date,
    /// `TE`: the event in SGF2, a [`Double`] in other versions.
    Event,
    /// `KO`: the komi in SGF2, without a value in other versions.
    Komi,
}

impl Fact {
    #[inline]
    fn of(ident: Ident<'_>) -> Option<Fact> {
        let name = match *ident.as_bytes() {
            [first, second] => [first, second],
            [_] => return None,
            _ => {
                let mut letters = ident.name_bytes();
                let name = [letters.next()?, letters.next()?];
                if letters.next().is_some() {
                    return None;
                }
                name
            }
        };
        match &name {
            b"CA" => Some(Fact::Charset),
            b"FF" => Some(Fact::Version),
            b"GM" => Some(Fact::Game),
            b"SZ" => Some(Fact::Size),
            b"GK" => Some(Fact::Sgf2Game),
            b"RD" => Some(Fact::Sgf2Date),
            b"TE" => Some(Fact::Event),
            b"KO" => Some(Fact::Komi),
            _ => None,
        }
    }
}

impl RootFacts {
    /// The properties that are facts, for code that reads no others.
    #[doc(hidden)]
    pub const NAMES: [&str; 8] = ["CA", "FF", "GM", "SZ", "GK", "RD", "TE", "KO"];

    /// Creates an empty set of facts.
    pub fn new() -> Self {
        RootFacts::default()
    }

    /// Sets the game of roots that do not name one. Default: Go.
    ///
    /// ```
    /// use sgf_stream::node::RootFacts;
    /// use sgf_stream::{Game, Ident, RawValue};
    ///
    /// let mut facts = RootFacts::new().default_game(Game::Hex);
    /// assert_eq!(facts.context().game(), Game::Hex);
    /// facts.note(Ident::new(b"GM"), RawValue::new(b"1"));
    /// assert_eq!(facts.context().game(), Game::Go);
    /// ```
    #[must_use]
    pub fn default_game(self, game: Game) -> Self {
        RootFacts { default_game: game, ..self }
    }

    /// Returns whether the root names its game, with `GM` or `GK`.
    #[doc(hidden)]
    pub fn names_game(&self) -> bool {
        self.game.or(self.sgf2_game).is_some()
    }

    /// Returns the facts of a complete root node.
    pub fn of_root(root: &super::NodeRecord<'_>) -> Self {
        let mut facts = RootFacts::new();
        for property in root {
            facts.note_all(property.ident(), property.values());
        }
        facts.finish();
        facts
    }

    /// Returns whether this property is a fact about the whole game.
    #[cfg(feature = "serde")]
    #[inline]
    pub(crate) fn is_fact(ident: Ident<'_>) -> bool {
        Fact::of(ident).is_some()
    }

    /// Observes the next event of a stream. The start of a game resets all facts.
    ///
    /// After skipping past the end of a game, call [`next_game`](Self::next_game).
    #[inline]
    pub fn observe(&mut self, event: Event<'_>) {
        match event {
            Event::StartTree if self.depth == 0 => {
                self.next_game();
                self.depth = 1;
            }
            Event::StartTree => {
                self.finish();
                self.depth += 1;
            }
            Event::Node if self.place == PlaceInGame::Before => self.place = PlaceInGame::Root,
            Event::Node => self.finish(),
            Event::EndTree => {
                self.finish();
                self.depth = self.depth.saturating_sub(1);
            }
            Event::Property(ident) if self.place == PlaceInGame::Root => self.open = Fact::of(ident),
            Event::Value(value) if self.place == PlaceInGame::Root => self.note_open(value),
            Event::Property(_) | Event::Value(_) | Event::ValuePart(_) => {}
        }
    }

    /// Records a value of the root.
    ///
    /// ```
    /// use sgf_stream::node::RootFacts;
    /// use sgf_stream::{Ident, RawValue};
    ///
    /// let mut facts = RootFacts::new();
    /// facts.note(Ident::new(b"SZ"), RawValue::new(b"13:9"));
    /// assert_eq!(facts.context().board().unwrap().to_string(), "13:9");
    /// ```
    #[doc(hidden)]
    pub fn note(&mut self, ident: Ident<'_>, value: RawValue<'_>) {
        self.open(ident);
        self.note_open(value);
    }

    /// Records a property of the root.
    pub(crate) fn note_all<'v>(&mut self, ident: Ident<'_>, values: impl IntoIterator<Item = RawValue<'v>>) {
        self.open(ident);
        if self.open.is_some() {
            values.into_iter().for_each(|value| self.note_open(value));
        }
    }

    /// Starts a property of the root, to which the next values belong.
    #[inline]
    #[doc(hidden)]
    pub fn open(&mut self, ident: Ident<'_>) {
        self.open = Fact::of(ident);
    }

    /// Records a value of the open property.
    #[inline]
    #[doc(hidden)]
    pub fn note_open(&mut self, value: RawValue<'_>) {
        if let Some(fact) = self.open {
            self.note_fact(fact, value);
        }
    }

    fn note_fact(&mut self, fact: Fact, value: RawValue<'_>) {
        work::note(value.as_bytes().len());
        let number = || Number::parse_lenient(value).ok().map(Number::get);
        match fact {
            Fact::Charset if !self.has_charset => {
                self.has_charset = true;
                self.charset.extend_from_slice(value.as_bytes());
            }
            Fact::Version if self.ff.is_none() => {
                let number = number();
                self.version = self.version.or(number);
                self.ff =
                    number.filter(|version| *version >= 1).map(|version| u8::try_from(version).unwrap_or(u8::MAX));
            }
            Fact::Game if self.game.is_none() => self.game = number().map(Game::from_number),
            Fact::Size if self.size.is_none() => self.size = Size::parse_lenient(value).ok(),
            Fact::Sgf2Game => {
                self.sgf2_game = self.sgf2_game.or_else(|| number().map(Game::from_number));
                self.has_sgf2_properties = true;
            }
            Fact::Sgf2Date => self.has_sgf2_properties = true,
            Fact::Event => self.has_sgf2_properties |= Double::parse_lenient(value).is_err(),
            Fact::Komi => self.has_sgf2_properties |= !trim(value.as_bytes()).0.is_empty(),
            Fact::Charset | Fact::Version | Fact::Game | Fact::Size => {} // the first one counts
        }
    }

    /// Ends the root: the facts are final.
    #[doc(hidden)]
    pub fn finish(&mut self) {
        self.place = PlaceInGame::After;
        self.open = None;
    }

    /// Resets all facts: the next event is the start of another game.
    #[doc(hidden)]
    pub fn next_game(&mut self) {
        let mut charset = mem::take(&mut self.charset);
        charset.clear();
        *self = RootFacts { charset, default_game: self.default_game, ..RootFacts::default() };
    }

    /// Returns the number of open trees after the last event: 0 between games.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Returns whether the root has ended, so that the facts of this game are final.
    pub fn is_final(&self) -> bool {
        self.place == PlaceInGame::After
    }

    /// Returns whether the last event is the root, or a property or value of it.
    #[doc(hidden)]
    pub fn is_in_root(&self) -> bool {
        self.place == PlaceInGame::Root
    }

    /// Returns the context that gives identifiers of the open node their meaning.
    ///
    /// The SGF2 dialect applies only to roots, so after the root this is [`Context::after_root`].
    pub fn context(&self) -> Context {
        if self.is_final() { self.root_context().after_root() } else { self.root_context() }
    }

    /// Returns the context that gives identifiers of the root their meaning.
    pub fn root_context(&self) -> Context {
        let game = self.game.or(self.sgf2_game).unwrap_or(self.default_game);
        let is_sgf2 = self.has_sgf2_properties && self.ff.is_none();
        let is_assumed = !self.names_game();
        let context = Context::new(game, self.ff.unwrap_or(0)).with_sgf2(is_sgf2).with_assumed_game(is_assumed);
        match self.size {
            Some(size) => context.with_size(size),
            None => context,
        }
    }

    /// Returns the number in `FF`, which may not be a valid version.
    pub fn version(&self) -> Option<i64> {
        self.version
    }

    /// Returns the first value of `CA`.
    pub fn charset(&self) -> Option<RawValue<'_>> {
        self.has_charset.then(|| RawValue::new(&self.charset))
    }
}
