//! What a look-up has to know of the game.

use crate::Game;
use crate::value::Size;

/// What else decides which property an identifier is: the game, the version, the dialect.
///
/// The default is Go, and FF\[4\]. The specification says that a file without `FF` is FF\[1\];
/// but of the files without it (more than half of those that Brouwer counted) few are that old.
/// Programs of today write them, with what is new in FF\[4\]: `[]` for a pass, rectangles, `AP`,
/// `SQ`. Nor is anything lost on the old ones: look-ups know the properties of all versions in
/// any, and the types of FF\[4\] read what FF\[1\] to FF\[3\] write.
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
    /// 0: none said so.
    ff: u8,
    sgf2: bool,
    size: Option<Size>,
}

impl Context {
    /// The context of a file in this game and version, which is not SGF2. A version beyond 4 is
    /// read as FF\[4\], and so is 0, for a file that does not say.
    pub const fn new(game: Game, ff: u8) -> Self {
        Context { game, ff, sgf2: false, size: None }
    }

    /// The same in SGF2, or not.
    ///
    /// SGF2 is how the Nihon Ki-in and the server oro write games: without `FF`, and with `TE`,
    /// `KO`, `RD`, `GK`, `HD` in the root for `EV`, `KM`, `DT`, `GM`, `HA`.
    #[must_use]
    pub const fn with_sgf2(mut self, sgf2: bool) -> Self {
        self.sgf2 = sgf2;
        self
    }

    /// The same on a board of this size.
    #[must_use]
    pub const fn with_size(mut self, size: Size) -> Self {
        self.size = Some(size);
        self
    }

    /// The context of the nodes behind the root. The dialect is one of roots: in the nodes of a
    /// file whose root has `TE[the event]`, a program that analysed the game wrote `TE[1]`.
    #[must_use]
    pub const fn after_root(self) -> Self {
        self.with_sgf2(false)
    }

    /// The game.
    pub const fn game(&self) -> Game {
        self.game
    }

    /// The version whose properties come first: 1 to 4.
    pub const fn ff(&self) -> u8 {
        match self.ff {
            version @ 1..=3 => version,
            _ => 4,
        }
    }

    /// The board: the size that the root says, or the one that the game has without `SZ`; `None`
    /// where the specification has no default.
    pub const fn board(&self) -> Option<Size> {
        match self.size {
            Some(size) => Some(size),
            None => Size::default_for(self.game),
        }
    }

    /// Whether this is a root in SGF2.
    pub const fn is_sgf2(&self) -> bool {
        self.sgf2
    }
}
