//! Exchanges the colors of a game.

use super::edit::EditError;
use super::{GameTree, packed};
use crate::property;
use crate::syntax::event::Ident;
use crate::value::RawValue;
use crate::value::game::Game;

/// Statistics returned by `GameTree::transform` and [`GameTree::swap_colors`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub struct TransformReport {
    /// Number of nodes whose properties changed.
    pub changed: usize,
    /// Number of values left unchanged because they cannot be read.
    ///
    /// A point off the board is one of them.
    pub left: usize,
}

impl GameTree {
    /// Exchanges the colors: every property of Black becomes that of White, and the reverse.
    ///
    /// * Moves, setup, territory, clocks, players and their ranks, teams and countries, and the judgments `GB` and `GW` get
    ///   the [identifier of the other side](crate::property::Property::counterpart).
    /// * `PL` and `RE` name the other side: in `B+…` and `W+…` the color is exchanged, and all else stays. `V` changes its sign,
    ///   and the win rate in `SBKV` becomes that of the other side.
    /// * `KM` changes its sign, since komi is the number of points that White receives. So the result remains true.
    /// * `HA` is kept, although its stones are now those of White, who cannot have a handicap in SGF.
    ///
    /// Texts are left unchanged, and so are unknown properties. Values that cannot be read are left unchanged and counted. To
    /// exchange the colors again returns the game, except for identifiers with lower-case letters and a `+` before a number.
    ///
    /// ```
    /// use sgf_stream::tree::GameTree;
    ///
    /// let mut game: GameTree = "(;PB[Shusaku]PW[Gennan]KM[6.5]RE[B+2];AW[dd]PL[B];B[qd]BL[60])".parse()?;
    /// assert_eq!(game.swap_colors()?.changed, 3);
    /// assert_eq!(
    ///     String::from_utf8(game.to_vec()?)?,
    ///     "(;PW[Shusaku]PB[Gennan]KM[-6.5]RE[W+2];AB[dd]PL[W];W[qd]WL[60])\n",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the colors of the game are not alike: only those of Go, and of Gomoku and Renju are. Black and White of
    /// Hex, for example, connect different sides of the board. Also fails if the result names the winner in words, such as
    /// `White resigns` or `흑불계승`: the words stay, and would name the wrong winner. The game is then left unchanged.
    pub fn swap_colors(&mut self) -> Result<TransformReport, EditError> {
        if !matches!(self.context.game(), Game::Go | Game::Gomoku) {
            return Err(EditError::Colors(self.context.game()));
        }
        let nodes: Vec<u32> = self.arena.preorder(0).collect();
        let (root, mut done, mut packed) = (self.context, TransformReport::default(), Vec::new());
        let mut changed = Vec::new();
        for node in nodes {
            let context = if node == 0 { root } else { root.after_root() };
            packed.clear();
            for property in self.arena.properties(node) {
                let row = property::lookup(property.ident(), &context);
                let counterpart = row.and_then(|row| row.counterpart()).map(|name| Ident::new(name.as_bytes()));
                let opened = packed::open(&mut packed, counterpart.unwrap_or(property.ident()).as_bytes());
                for value in property.values() {
                    let Some(row) = row.filter(|row| row.names_color()) else {
                        packed::put_value(&mut packed, value.as_bytes());
                        continue;
                    };
                    let other = row.of_other_color(value);
                    if other.is_none() && row.names_winner_in_words(value) {
                        return Err(EditError::Winner(self.texts.read(value, true).into_owned()));
                    }
                    done.left += usize::from(other.is_none() && !value.is_empty());
                    packed::put_value(&mut packed, other.as_deref().unwrap_or(RawValue::as_bytes(value)));
                }
                packed::close(&mut packed, opened);
            }
            if *packed != *self.arena.packed(node) {
                changed.push((node, packed.clone()));
            }
        }
        done.changed = changed.len();
        changed.into_iter().try_for_each(|(node, packed)| self.set_packed(node, &packed))?;
        Ok(done)
    }
}
