//! Searches for patterns: what `find` and `matches` look for, and the table of `find`.
//!
//! A table of hits is a table of files whose [options](crate::Options) have a search: it lists, cuts and sends its files as
//! the other tables do, and only what is made of a game differs.

mod function;
mod making;

use sgf_input::near::hint;
pub(crate) use sgf_search::arrow::{COLUMNS, field};
use sgf_search::{Pattern, Place, Search};

pub(crate) use self::function::Find;
pub(crate) use self::making::Making;

/// A search, and the words that ask for it.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pattern: String,
    words: String,
    search: Search,
}

/// The words that change a search. They are the options of `sgf find`.
const WORDS: [&str; 7] =
    ["anywhere", "empty_rest", "every_place", "fixed", "keep_colors", "no_symmetries", "variations"];

impl Asked {
    /// Reads a pattern and the words beside it, which blanks or commas separate.
    ///
    /// # Errors
    ///
    /// Fails if the pattern cannot be read, if a word is unknown, or if two words contradict each other.
    pub(crate) fn read(pattern: &str, words: &str) -> Result<Self, String> {
        let mut read = Pattern::parse(pattern).map_err(|error| error.to_string())?;
        let given: Vec<&str> = words.split([' ', ',']).filter(|word| !word.is_empty()).collect();
        if let Some(unknown) = given.iter().find(|word| !WORDS.contains(word)) {
            return Err(format!("unknown option '{unknown}'{} ({})", hint(unknown, WORDS), WORDS.join(", ")));
        }
        let has = |word| given.contains(&word);
        let place = match (has("fixed"), has("anywhere")) {
            (true, true) => return Err("fixed and anywhere contradict each other".to_owned()),
            (true, false) => Place::Fixed,
            (false, true) => Place::Anywhere,
            (false, false) => Place::BySides,
        };
        if has("empty_rest") {
            read = read.with_empty_rest();
        }
        let search = Search::new(read)
            .place(place)
            .symmetries(!has("no_symmetries"))
            .swap_colors(!has("keep_colors"))
            .variations(has("variations"))
            .every_place(has("every_place"));
        Ok(Asked { pattern: pattern.to_owned(), words: words.to_owned(), search })
    }

    pub(crate) fn search(&self) -> &Search {
        &self.search
    }

    /// The pattern, as it was written.
    pub(crate) fn pattern(&self) -> &str {
        &self.pattern
    }

    /// The words, as they were written.
    #[cfg(feature = "cluster")]
    pub(crate) fn words(&self) -> &str {
        &self.words
    }

    /// Whether one of the words was written.
    pub(crate) fn has(&self, word: &str) -> bool {
        self.words.split([' ', ',']).any(|given| given == word)
    }
}
