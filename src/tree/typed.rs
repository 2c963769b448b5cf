//! Trees and nodes as Rust values, with serde.

use std::borrow::Cow;

use serde::de::DeserializeOwned;

use super::events::Events;
use super::texts::Texts;
use super::{GameTree, Node};
use crate::de::{self, EventSource};
use crate::node::NodeRecord;
use crate::raw::RawValue;
use crate::syntax::error::Error;
use crate::syntax::event::Event;

impl Texts {
    /// Returns a raw value in UTF-8, still escaped; unchanged if no charset was found.
    fn in_utf8(self, raw: RawValue<'_>) -> Cow<'_, [u8]> {
        #[cfg(feature = "charset")]
        if self.charset.is_some() {
            return match self.decode(raw) {
                Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
                Cow::Owned(text) => Cow::Owned(text.into_bytes()),
            };
        }
        Cow::Borrowed(raw.as_bytes())
    }
}

/// The events of a tree, with values in UTF-8.
struct TreeEvents<'t> {
    events: Events<'t>,
    texts: Texts,
    value: Cow<'t, [u8]>,
}

impl EventSource for TreeEvents<'_> {
    fn next_event(&mut self) -> Result<Option<(Event<'_>, u64)>, Error> {
        Ok(self.events.next().map(|event| match event {
            Event::Value(value) => {
                self.value = self.texts.in_utf8(value);
                (Event::Value(RawValue::new(&self.value)), 0)
            }
            event => (event, 0),
        }))
    }
}

impl GameTree {
    /// Deserializes the game into a Rust value; see [`de`].
    ///
    /// The value is that which [`games`](crate::SliceReader::games) returns for the game. Texts are read in the charset of
    /// the tree.
    ///
    /// ```
    /// use sgf_stream::tree::GameTree;
    /// use sgf_stream::value::{Color, go::Move};
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Game {
    ///     #[serde(rename = "PB")]
    ///     black: String,
    ///     #[serde(rename = "$line", deserialize_with = "sgf_stream::de::moves")]
    ///     moves: Vec<(Color, Move)>,
    /// }
    ///
    /// let tree: GameTree = "(;PB[Shusaku];B[qd];W[dc](;B[pq])(;B[oc]))".parse()?;
    /// let game: Game = tree.deserialize()?;
    /// assert_eq!((game.black.as_str(), game.moves.len()), ("Shusaku", 3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the game does not fit the type. The error names node and property, but no offset, which trees do not keep.
    pub fn deserialize<T: DeserializeOwned>(&self) -> de::Result<T> {
        let source = TreeEvents { events: self.events(), texts: self.texts, value: Cow::Borrowed(&[]) };
        let game = source.games().next();
        game.unwrap_or_else(|| Err(de::Error::data("expected a game, found none"))).map_err(de::Error::without_place)
    }
}

impl Node<'_> {
    /// Deserializes the node into a struct, map or enum; see [`de`].
    ///
    /// Properties have the types of the [game](GameTree::context), and texts are read in the charset of the tree.
    ///
    /// ```
    /// use sgf_stream::tree::GameTree;
    /// use sgf_stream::value::go::Move;
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Step {
    ///     #[serde(rename = "B")]
    ///     play: Option<Move>,
    ///     #[serde(rename = "C")]
    ///     comment: Option<String>,
    /// }
    ///
    /// let tree: GameTree = "(;FF[4];B[qd]C[a corner])".parse()?;
    /// let step: Step = tree.nth(1).unwrap().deserialize()?;
    /// assert_eq!((step.play, step.comment.as_deref()), (Some(Move::parse("qd")?), Some("a corner")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the node does not fit the type. The error names the property.
    pub fn deserialize<T: DeserializeOwned>(self) -> de::Result<T> {
        let mut record = NodeRecord::new();
        record.start(0);
        for property in self.properties() {
            record.push(Event::Property(property.ident()), 0);
            for value in property.values() {
                record.push(Event::Value(RawValue::new(&self.tree.texts.in_utf8(value))), 0);
            }
        }
        record.deserialize_in(&self.tree.context_at(self.id)).map_err(de::Error::without_place)
    }
}
