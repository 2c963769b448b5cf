//! What a game means: facts that its texts tell only to those who know where it is from.
//!
//! Servers and collections write the same thing in different ways. Fox writes the komi in hundredths, or 0 where it was
//! 6.5; a rank of `9d` is a professional in GoGoD and an amateur elsewhere; OGS says in a comment whether a game was
//! ranked. [`Facts`] reads the root of a game, and says what is known, and which [`FactRule`] says so. What is not known
//! is `None`: a rule never guesses.
//!
//! The facts are also columns of the table `games` (see [`table`](crate)): `origin`, `rated`, `black_is_bot`,
//! `komi_points` and others. The column `fact_rules` names the rule of each value. Columns such as `komi` and `handicap`
//! keep the meaning of the text. The page facts of the guide lists the
//! rules.
//!
//! ```
//! use sgf_table::facts::{Facts, Origin};
//! use sgf_stream::{NodeRecord, Parser};
//!
//! let game = "(;GM[1]PB[a]PW[b]KM[0]HA[0]RU[Japanese]TM[60]TC[3]TT[30])";
//! let (mut reader, mut root) = (Parser::new().slice(game.as_bytes()), NodeRecord::new());
//! reader.read_node(&mut root)?;
//!
//! let facts = Facts::of_root(&root);
//! assert_eq!(facts.origin().unwrap().value, Origin::Fox);
//! let komi = facts.komi().unwrap();
//! assert_eq!((komi.value, komi.rule.name()), (6.5, "fox-komi-0"));
//! assert!(facts.rated().is_none());
//! # Ok::<(), sgf_stream::SyntaxError>(())
//! ```
//!
//! # Names
//!
//! The column is `origin`, not `source`, since `source` is the text of the property `SO`. Times have no columns of their
//! own: `main_time`, `overtime`, `overtime_count` (periods, or stones per Canadian period) and `overtime_seconds` have
//! them, also where a server writes them in properties of its own. Only the kind of the time control, `time_class`, is new:
//! it also tells no clock from an unknown one.

mod root;
mod rule;
mod rules;
mod words;

use std::cell::OnceCell;
use std::fmt;

use sgf_stream::NodeRecord;
use sgf_stream::value::{Color, Overtime, Seconds};

pub(crate) use self::root::RootTexts;
use self::root::Utf8Root;
pub(crate) use self::rule::Value;
pub use self::rule::{Fact, FactRule};
pub use self::words::{Origin, PlayerGrade, RulesFamily, TimeClass};

/// A value, and the rule that gave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known<T> {
    /// The value.
    pub value: T,
    /// The rule that gave it.
    pub rule: &'static FactRule,
}

/// The first moves of a main line, which tell how a handicap was given.
///
/// ```
/// use sgf_table::facts::FirstMoves;
/// use sgf_stream::value::Color;
///
/// let first = FirstMoves::of([Color::Black, Color::Black, Color::White]);
/// assert_eq!(first, FirstMoves { black: 2, is_white_next: true });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FirstMoves {
    /// The number of moves of Black before the first move of White.
    pub black: u32,
    /// Whether White has a move.
    pub is_white_next: bool,
}

impl FirstMoves {
    /// Returns the first moves of a main line with moves of these colors.
    pub fn of(colors: impl IntoIterator<Item = Color>) -> Self {
        let mut first = FirstMoves::default();
        for color in colors {
            match color {
                Color::Black => first.black = first.black.saturating_add(1),
                Color::White => return FirstMoves { is_white_next: true, ..first },
            }
        }
        first
    }
}

/// The facts of a game, read from its root when they are asked for.
pub struct Facts<'r> {
    root: Root<'r>,
    first: Option<FirstMoves>,
    origin: OriginCell<'r>,
}

enum Root<'r> {
    Utf8(Utf8Root<'r>),
    Texts(&'r (dyn RootTexts + 'r)),
}

/// The origin, once it is known: here, or in a row of a table.
enum OriginCell<'r> {
    Own(OnceCell<Option<Known<Origin>>>),
    Shared(&'r OnceCell<Option<Known<Origin>>>),
}

impl<'r> Facts<'r> {
    /// Creates the facts of a game from its root, in UTF-8.
    pub fn of_root(root: &'r NodeRecord<'r>) -> Self {
        Facts { root: Root::Utf8(Utf8Root::new(root)), first: None, origin: OriginCell::Own(OnceCell::new()) }
    }

    /// Creates the facts of a game from its root, in any charset, with the origin if it is known already.
    pub(crate) fn of_texts(root: &'r (dyn RootTexts + 'r), origin: &'r OnceCell<Option<Known<Origin>>>) -> Self {
        Facts { root: Root::Texts(root), first: None, origin: OriginCell::Shared(origin) }
    }

    /// Sets the first moves, which [`handicap`](Self::handicap) needs. Default: unknown.
    #[must_use]
    pub fn first_moves(self, first: FirstMoves) -> Self {
        Facts { first: Some(first), ..self }
    }

    /// Returns the server or collection that the game is from.
    pub fn origin(&self) -> Option<Known<Origin>> {
        let cell = match &self.origin {
            OriginCell::Own(cell) => cell,
            OriginCell::Shared(cell) => cell,
        };
        *cell.get_or_init(|| {
            let Known { value, rule } = self.get(Fact::Origin, Color::Black)?;
            if let Value::Origin(value) = value { Some(Known { value, rule }) } else { None }
        })
    }

    /// Returns whether the game counted for a rating.
    pub fn rated(&self) -> Option<Known<bool>> {
        self.is(Fact::Rated, Color::Black)
    }

    /// Returns whether a player is a program.
    pub fn is_bot(&self, player: Color) -> Option<Known<bool>> {
        self.is(Fact::Bot, player)
    }

    /// Returns the rank of a player as a number.
    ///
    /// It is n for n dan, 0 for 1 kyu, 1 - n for n kyu, and 9 for the holder of a title.
    pub fn rank(&self, player: Color) -> Option<Known<i64>> {
        self.number(Fact::Rank, player)
    }

    /// Returns the grade of a player.
    pub fn grade(&self, player: Color) -> Option<Known<PlayerGrade>> {
        let Known { value, rule } = self.get(Fact::Grade, player)?;
        if let Value::Grade(value) = value { Some(Known { value, rule }) } else { None }
    }

    /// Returns the komi that a game of Go was played with, in points.
    pub fn komi(&self) -> Option<Known<f64>> {
        let Known { value, rule } = self.get(Fact::Komi, Color::Black)?;
        if let Value::Points(value) = value { Some(Known { value, rule }) } else { None }
    }

    /// Returns the number of handicap stones that were given in a game of Go. It needs the
    /// [first moves](Self::first_moves).
    pub fn handicap(&self) -> Option<Known<i64>> {
        self.number(Fact::Handicap, Color::Black)
    }

    /// Returns the family of the rules of a game of Go.
    pub fn rules_family(&self) -> Option<Known<RulesFamily>> {
        let Known { value, rule } = self.get(Fact::RulesFamily, Color::Black)?;
        if let Value::Family(value) = value { Some(Known { value, rule }) } else { None }
    }

    /// Returns the main time.
    pub fn main_time(&self) -> Option<Known<Seconds>> {
        let Known { value, rule } = self.get(Fact::MainTime, Color::Black)?;
        if let Value::Seconds(value) = value { Some(Known { value, rule }) } else { None }
    }

    /// Returns the overtime, if its text or its properties are those of a known system.
    pub fn overtime(&self) -> Option<Known<Overtime>> {
        let Known { value, rule } = self.get(Fact::Overtime, Color::Black)?;
        if let Value::Overtime(value) = value { Some(Known { value, rule }) } else { None }
    }

    /// Returns the kind of the time control.
    pub fn time_class(&self) -> Option<Known<TimeClass>> {
        let Known { value, rule } = self.get(Fact::TimeClass, Color::Black)?;
        if let Value::Class(value) = value { Some(Known { value, rule }) } else { None }
    }

    /// Returns the rules that gave the facts, each with the column that it gave: `origin=kgs-place`.
    pub(crate) fn fired(&self) -> Vec<String> {
        let mut fired = Vec::new();
        for fact in Fact::all() {
            let players = if fact.is_of_player() { &[Color::Black, Color::White][..] } else { &[Color::Black] };
            for (&player, column) in players.iter().zip(fact.columns()) {
                if let Some(known) = self.get(fact, player) {
                    fired.push(format!("{column}={}", known.rule.name()));
                }
            }
        }
        fired
    }

    /// Returns a fact: what the first rule gives that knows it.
    fn get(&self, fact: Fact, player: Color) -> Option<Known<Value>> {
        fact.rules().iter().find_map(|rule| Some(Known { value: (rule.give)(self, player)?, rule }))
    }

    fn is(&self, fact: Fact, player: Color) -> Option<Known<bool>> {
        let Known { value, rule } = self.get(fact, player)?;
        if let Value::Is(value) = value { Some(Known { value, rule }) } else { None }
    }

    fn number(&self, fact: Fact, player: Color) -> Option<Known<i64>> {
        let Known { value, rule } = self.get(fact, player)?;
        if let Value::Number(value) = value { Some(Known { value, rule }) } else { None }
    }

    fn texts(&self) -> &(dyn RootTexts + '_) {
        match &self.root {
            Root::Utf8(root) => root,
            Root::Texts(texts) => *texts,
        }
    }

    /// Returns whether the game is from one of some places.
    fn is_from(&self, places: &[Origin]) -> bool {
        self.origin().is_some_and(|origin| places.contains(&origin.value))
    }
}

impl fmt::Debug for Facts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.fired()).finish()
    }
}
