//! The charset that the texts of each game are in, as the library decides it.
//!
//! Games of ASCII, most of all games, cost nothing here.

use sgf_stream::RawValue;
use sgf_stream::charset::{Charset, Decoding, GameTexts, TreeCharset};
use sgf_stream::internal::tells_charset;

use crate::tally::{Table, Tally};

#[derive(Default)]
pub(super) struct Charsets {
    /// Values of this game that tell the charset.
    texts: GameTexts,
    is_root_over: bool,
    /// The value of CA in the root of this game.
    label: Option<Vec<u8>>,
    found: Tally,
    mismatches: u64,
    /// The original charset of the file, if it is transcoded as a whole.
    given: Option<Charset>,
}

impl Charsets {
    /// Sets the original charset: see [`Statistics::set_charset`](super::statistics::Statistics::set_charset).
    pub(super) fn set_given(&mut self, charset: Option<Charset>) {
        self.given = charset;
    }

    /// Sets the first value of CA in the root of a game.
    pub(super) fn declare(&mut self, label: &[u8]) {
        self.label.get_or_insert_with(|| label.to_vec());
    }

    /// Collects a value of the open game.
    #[inline]
    pub(super) fn look_at(&mut self, value: RawValue<'_>, is_in_root: bool) {
        if tells_charset(value.as_bytes()) {
            self.collect(value, is_in_root);
        }
    }

    #[inline(never)]
    fn collect(&mut self, value: RawValue<'_>, is_in_root: bool) {
        if !is_in_root && !self.is_root_over {
            self.end_root();
        }
        self.texts.add(value);
    }

    fn end_root(&mut self) {
        self.texts.end_root(self.label.as_deref().map(RawValue::new));
        self.is_root_over = true;
    }

    /// Ends a game. Returns the charset of its texts, unless they are all ASCII.
    #[inline]
    pub(super) fn end_game(&mut self) -> Option<TreeCharset> {
        let read_by = if self.texts.is_empty() && self.given.is_none() { None } else { self.end_telling() };
        self.label = None;
        self.is_root_over = false;
        read_by
    }

    #[inline(never)]
    fn end_telling(&mut self) -> Option<TreeCharset> {
        let decoding = self.given.map_or(Decoding::new(), |charset| Decoding::utf8().transcoded_from(charset));
        if !self.is_root_over {
            self.end_root();
        }
        let game = decoding.game_charset(None, &self.texts).ok();
        self.texts.clear();
        let game = game.filter(|game| !game.is_ascii())?;
        self.found.add(game.charset().name().as_bytes());
        self.mismatches += u64::from(game.contradicts_ca());
        // The values of a transcoded file are in UTF-8.
        self.given.is_none().then(|| game.tree())
    }

    /// Adds the results of the games that follow.
    pub(super) fn add(&mut self, others: Charsets) {
        self.found.append(others.found);
        self.mismatches += others.mismatches;
    }

    /// Returns the table, with all other games as ASCII, and the number of games whose CA names another charset.
    pub(super) fn finish(self, games: u64) -> (Table, u64) {
        (self.found.into_table_of(games, ASCII), self.mismatches)
    }
}

/// The name for games that fit any charset.
const ASCII: &str = "ASCII";
