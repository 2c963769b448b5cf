//! The charset in which each game is found.
//!
//! Games of ASCII, most of all games, cost nothing here. Of the others, values with high bytes are collected until
//! there are enough to decide.

use std::mem;

use sgf_stream::RawValue;
use sgf_stream::charset::{Charset, CharsetSource, Decoding, TreeCharset};

use crate::tally::{Table, Tally};

/// Maximum bytes of values collected from a game.
const ENOUGH: usize = 64 * 1024;

#[derive(Default)]
pub(super) struct Charsets {
    /// Values of this game that are not ASCII, concatenated, and their ends.
    texts: Vec<u8>,
    ends: Vec<usize>,
    /// The value of CA in the root of this game.
    label: Vec<u8>,
    has_label: bool,
    /// Whether it names a charset that encodes other characters in ASCII bytes.
    is_seven_bit: bool,
    /// The last label that was looked up for that: games of one program have the same label.
    looked_up: (Vec<u8>, bool),
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
        if mem::replace(&mut self.has_label, true) {
            return;
        }
        self.label.extend_from_slice(label);
        if self.looked_up.0 != label {
            let charset = declared(label).filter(|tree| tree.source() == CharsetSource::Declared);
            // A file whose CA can be read is not in UTF-16.
            let is_seven_bit = charset.is_some_and(|tree| SEVEN_BIT.contains(&tree.charset()));
            self.looked_up = (label.to_owned(), is_seven_bit);
        }
        self.is_seven_bit = self.looked_up.1;
    }

    /// Returns whether values without high bytes have to be examined too.
    pub(super) fn wants_ascii(&self) -> bool {
        self.is_seven_bit
    }

    /// Collects a value of the open game.
    pub(super) fn look_at(&mut self, raw: &[u8]) {
        let says_something = || match self.given {
            // Replacement characters do not count: they may stand for a lone `~` in HZ, for example.
            Some(_) => str::from_utf8(raw).is_ok_and(|text| text.chars().any(|c| !c.is_ascii() && c != '\u{FFFD}')),
            None => !raw.is_ascii() || self.is_seven_bit && raw.iter().any(|byte| matches!(byte, 0x1B | b'~')),
        };
        if says_something() {
            self.collect(raw);
        }
    }

    fn collect(&mut self, raw: &[u8]) {
        let room = ENOUGH.saturating_sub(self.texts.len());
        // Leading ASCII can be dropped if there is no room for all of it.
        let start = if raw.len() > room { raw.iter().take_while(|byte| byte.is_ascii()).count() } else { 0 };
        let rest = raw.get(start..).filter(|rest| !rest.is_empty()).unwrap_or(raw);
        let mut text = &rest[..rest.len().min(room)];
        if text.len() < rest.len()
            && let Err(error) = str::from_utf8(text)
            && error.error_len().is_none()
        {
            // The text was cut inside a character.
            text = &text[..error.valid_up_to()];
        }
        if text.is_empty() {
            return;
        }
        self.texts.extend_from_slice(text);
        self.ends.push(self.texts.len());
    }

    /// Ends a game. Returns the charset of its texts, unless they are all ASCII.
    #[inline]
    pub(super) fn end_game(&mut self) -> Option<TreeCharset> {
        match self.has_label || !self.ends.is_empty() || self.is_wide() {
            true => self.end_declared_or_high(),
            false => None,
        }
    }

    #[inline(never)]
    fn end_declared_or_high(&mut self) -> Option<TreeCharset> {
        let mut read_by = None;
        if !self.ends.is_empty() || self.is_wide() {
            let declared = self.has_label.then(|| declared(&self.label)).flatten();
            let found = self.given.unwrap_or_else(|| self.charset(declared));
            let is_as_declared = |tree: &TreeCharset| found == Charset::UTF_8 || tree.charset() == found;
            read_by = match self.given {
                Some(_) => None, // the values are transcoded to UTF-8
                None => declared.filter(is_as_declared).or_else(|| forced(found)),
            };
            // Apparent shift sequences may have been ASCII after all.
            if self.is_wide() || found != Charset::UTF_8 && self.given.is_none() || !self.texts.is_ascii() {
                self.found.add(found.name().as_bytes());
                // An unknown name never matches.
                let named = |tree: TreeCharset| (tree.source() == CharsetSource::Declared).then_some(tree.charset());
                self.mismatches += u64::from(declared.is_some_and(|tree| named(tree) != Some(found)));
            }
        }
        self.texts.clear();
        self.ends.clear();
        self.label.clear();
        (self.has_label, self.is_seven_bit) = (false, false);
        read_by
    }

    /// Returns whether not even ASCII is encoded as ASCII.
    fn is_wide(&self) -> bool {
        self.given.is_some_and(|charset| !SEVEN_BIT.contains(&charset))
    }

    /// Returns the charset of the collected values.
    fn charset(&self, declared: Option<TreeCharset>) -> Charset {
        let texts = || {
            let starts = std::iter::once(0).chain(self.ends.iter().copied());
            starts.zip(&self.ends).map(|(start, &end)| &self.texts[start..end])
        };
        let declared = declared.filter(|tree| tree.source() == CharsetSource::Declared);
        let has_high_bytes = !self.texts.is_ascii();
        let is_utf8 = has_high_bytes && texts().all(|text| str::from_utf8(text).is_ok());
        // Some texts in multi-byte charsets are valid UTF-8 by chance. So UTF-8 has to fit all of them.
        let is_believed =
            |tree: TreeCharset| texts().all(|text| tree.charset_of(RawValue::new(text)) == tree.charset());
        if is_utf8 && !declared.is_some_and(is_believed) {
            return Charset::UTF_8;
        }
        let is_sound = |tree: &TreeCharset| {
            texts().zip(&self.ends).all(|(text, &end)| {
                let decoded = tree.charset_of(RawValue::new(text)).decode(text);
                // The last value may be cut.
                decoded.is_sound() || end == ENOUGH && decoded.bad_runs().all(|run| run.end == text.len())
            })
        };
        match declared.filter(is_sound) {
            Some(tree) => tree.charset(),
            None => Charset::detect(texts()),
        }
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

/// Charsets in which CA can be read before decoding, although their characters are encoded in ASCII bytes.
const SEVEN_BIT: [Charset; 4] = [Charset::HZ, Charset::ISO_2022_JP, Charset::ISO_2022_KR, Charset::ISO_2022_CN];

/// Returns a decoder for all texts of a game in this charset.
fn forced(charset: Charset) -> Option<TreeCharset> {
    Decoding::new().force(charset).decide(None, None, []).ok()
}

/// Returns the charset that a CA names; `None` if it is blank.
fn declared(label: &[u8]) -> Option<TreeCharset> {
    let decided = Decoding::new().decide(None, Some(RawValue::new(label)), []);
    decided.ok().filter(|tree| tree.source() != CharsetSource::Detected)
}
