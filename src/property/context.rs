//! What a look-up has to know of the game.

use crate::value::typed::trim;
use crate::value::{Double, Number, Size};
use crate::{Game, Ident, RawValue};

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

    /// Takes up what a property of the root says: `GM`, `FF` and `SZ`, and what gives SGF2 away:
    /// `GK`, `RD`, or a `TE` or `KO` that are none of FF\[4\]'s. Others say nothing, so all properties of
    /// a root can be passed; those of further nodes should not. Values that are no numbers, as
    /// `GM[Go]`, change nothing. A file with `FF` is not SGF2, whatever else it has.
    ///
    /// ```
    /// use sgf_stream::property::Context;
    /// use sgf_stream::{Game, Ident, RawValue};
    ///
    /// let mut context = Context::default();
    /// context.note(Ident::new(b"TE"), RawValue::new("第1回".as_bytes()));
    /// context.note(Ident::new(b"GK"), RawValue::new(b"1"));
    /// assert_eq!(context, Context::new(Game::Go, 0).with_sgf2(true));
    /// ```
    pub fn note(&mut self, ident: Ident<'_>, value: RawValue<'_>) {
        let number = || Number::parse_lenient(value).ok().map(Number::get);
        let mut letters = ident.as_bytes().iter().filter(|b| !b.is_ascii_lowercase());
        match (letters.next(), letters.next(), letters.next()) {
            (Some(b'G'), Some(b'M'), None) => self.game = number().map_or(self.game, Game::from_number),
            (Some(b'F'), Some(b'F'), None) => {
                if let Some(version @ 1..) = number() {
                    self.ff = u8::try_from(version).unwrap_or(u8::MAX);
                    self.sgf2 = false;
                }
            }
            (Some(b'S'), Some(b'Z'), None) => self.size = Size::parse_lenient(value).ok().or(self.size),
            (Some(b'G'), Some(b'K'), None) => {
                self.game = number().map_or(self.game, Game::from_number);
                self.found_sgf2();
            }
            (Some(b'R'), Some(b'D'), None) => self.found_sgf2(),
            (Some(b'T'), Some(b'E'), None) if Double::parse_lenient(value).is_err() => self.found_sgf2(),
            (Some(b'K'), Some(b'O'), None) if !trim(value.as_bytes()).0.is_empty() => self.found_sgf2(),
            _ => {}
        }
    }

    /// The same of all values of a property: the first that says something counts.
    pub(crate) fn note_all<'v>(&mut self, ident: Ident<'_>, values: impl IntoIterator<Item = RawValue<'v>>) {
        let mut values = values.into_iter();
        let Some(first) = values.next() else { return };
        let more: Vec<_> = values.collect();
        more.into_iter().rev().chain([first]).for_each(|value| self.note(ident, value));
    }

    /// The properties that [`note`](Self::note) has use for.
    #[cfg(feature = "serde")]
    pub(crate) const KNOWS: [&str; 7] = ["GM", "FF", "SZ", "GK", "RD", "TE", "KO"];

    /// Whether this is one of them.
    #[cfg(feature = "serde")]
    #[inline]
    pub(crate) fn knows(ident: Ident<'_>) -> bool {
        let is_known = |name: &[u8]| Self::KNOWS.iter().any(|known| known.as_bytes() == name);
        is_known(ident.as_bytes()) || ident.has_lowercase() && is_known(ident.name().as_bytes())
    }

    fn found_sgf2(&mut self) {
        self.sgf2 |= self.ff == 0;
    }
}
