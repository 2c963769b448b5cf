//! The context of a lookup: game, version, dialect and board.

use crate::value::Size;
use crate::value::game::Game;

/// The game, version, dialect and board that determine the meaning of an identifier.
///
/// The default is Go and FF\[4\]. According to the specification, a file without `FF` is FF\[1\]. But few of the
/// files without `FF` (more than half of those that Brouwer counted) are that old: current programs write them, with
/// features of FF\[4\] such as `[]` for a pass, rectangles, `AP` and `SQ`. Old files do not suffer, since a lookup
/// finds the properties of all versions in any version, and the types of FF\[4\] accept the values of FF\[1\] to
/// FF\[3\].
///
/// ```
/// use sgf_stream::property::{self, Context, ValueType};
/// use sgf_stream::{Game, Ident};
///
/// let lose_on_time = Ident::new(b"LT");
/// let value_type = |context| property::lookup(lose_on_time, &context).unwrap().value_type();
/// assert_eq!(value_type(Context::default()), ValueType::Seconds);
/// assert_eq!(value_type(Context::new(Game::Go, 3)), ValueType::None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Context {
    game: Game,
    /// The version of FF; 0 if unknown.
    ff: u8,
    sgf2: bool,
    size: Option<Size>,
    /// Whether the file does not name its game.
    is_assumed: bool,
}

impl Context {
    /// Creates a context for a game and version, not in SGF2.
    ///
    /// Version 0 (unknown) and versions above 4 are treated as FF\[4\].
    pub const fn new(game: Game, ff: u8) -> Self {
        Context { game, ff, sgf2: false, size: None, is_assumed: false }
    }

    /// Sets whether the file is in SGF2.
    ///
    /// SGF2 is the dialect of the Nihon Ki-in and the server oro: without `FF`, and with `TE`, `KO`, `RD`, `GK` and
    /// `HD` in the root for `EV`, `KM`, `DT`, `GM` and `HA`.
    #[must_use]
    pub const fn with_sgf2(mut self, sgf2: bool) -> Self {
        self.sgf2 = sgf2;
        self
    }

    /// Sets the size of the board.
    #[must_use]
    pub const fn with_size(mut self, size: Size) -> Self {
        self.size = Some(size);
        self
    }

    /// Sets whether the file does not name its game. Points in the notation of players are then as likely those of
    /// another game: `g5` is one point in Go and another in Hex.
    pub(crate) const fn with_assumed_game(mut self, is_assumed: bool) -> Self {
        self.is_assumed = is_assumed;
        self
    }

    /// Returns whether the file does not name its game.
    #[doc(hidden)]
    pub const fn has_assumed_game(&self) -> bool {
        self.is_assumed
    }

    /// Returns whether points that are written like this may be those of another game.
    #[doc(hidden)]
    pub fn leaves_points(&self, text: &[u8]) -> bool {
        self.is_assumed && text.iter().any(u8::is_ascii_digit)
    }

    /// Returns whether [`lookup`](super::lookup) returns the same rows as in another context, regardless of the
    /// board.
    #[doc(hidden)]
    pub fn has_rows_of(&self, other: &Context) -> bool {
        (self.game, self.ff(), self.sgf2) == (other.game, other.ff(), other.sgf2)
    }

    /// Returns the context for the nodes after the root, where SGF2 does not apply.
    ///
    /// The dialect applies only to roots: a program that analyzes a game whose root has `TE[the event]` writes
    /// `TE[1]` in its nodes.
    #[must_use]
    pub const fn after_root(self) -> Self {
        self.with_sgf2(false)
    }

    /// Returns the game.
    pub const fn game(&self) -> Game {
        self.game
    }

    /// Returns the version whose properties take precedence: 1 to 4.
    pub const fn ff(&self) -> u8 {
        match self.ff {
            version @ 1..=3 => version,
            _ => 4,
        }
    }

    /// Returns the board size of the root, or else the default of the game.
    ///
    /// `None` if the specification has no default.
    pub const fn board(&self) -> Option<Size> {
        match self.size {
            Some(size) => Some(size),
            None => Size::default_for(self.game),
        }
    }

    /// Returns whether the context is a root in SGF2.
    pub const fn is_sgf2(&self) -> bool {
        self.sgf2
    }
}
