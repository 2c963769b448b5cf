//! The settings of a search.

use std::sync::Arc;

use sgf_board::Symmetry;
use sgf_stream::value::Size;
use sgf_stream::{Parser, SyntaxError};

use crate::layout::{Layout, Layouts};
use crate::matcher::{Counts, GameHits, Matcher};
use crate::pattern::Pattern;

/// A search for a pattern, with its settings: places, orientations, lines.
///
/// ```
/// use sgf_search::{Pattern, Search};
/// use sgf_stream::Parser;
///
/// let games = b"(;SZ[9];B[gc];W[cc];B[ee])(;SZ[9];B[ee](;W[aa])(;W[gg];B[gc];W[hb]))(;SZ[13];B[ee])";
/// let pattern = Pattern::parse("(;SZ[9]AB[gc]AW[gg]VW[ea:ii])")?; // the right side
/// let mut found = Vec::new();
/// let counts = Search::new(pattern).variations(true).find(&Parser::new(), games, |game| {
///     let hit = game.hits()[0];
///     found.push((game.number(), hit.ply(), hit.is_swapped(), hit.next().map(|next| next.point.to_string())));
/// })?;
/// // Turned in the first game, and with exchanged colors in the second one.
/// assert_eq!(found, [(0, 2, false, Some("ee".to_owned())), (1, 3, true, Some("hh".to_owned()))]);
/// assert_eq!((counts.games, counts.too_small), (3, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Search {
    pattern: Pattern,
    place: Place,
    symmetries: bool,
    swaps: bool,
    variations: bool,
    every_place: bool,
    /// Shared with clones and matchers, until a setting changes that matters.
    layouts: Arc<Layouts>,
}

/// The places on a board where the region of a pattern may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Place {
    /// At the sides of the board that it touches; where it touches none, anywhere.
    ///
    /// A region that touches two opposite sides matches only boards of that width or height.
    #[default]
    BySides,
    /// The place that it has on its own board. Only boards of the same size match.
    Fixed,
    /// Anywhere, also at the sides.
    Anywhere,
}

/// The orientation of a pattern on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Orientation {
    /// The rotation or reflection that makes the pattern that of the game.
    pub symmetry: Symmetry,
    /// Whether black and white are exchanged.
    pub swapped: bool,
}

impl Search {
    /// Creates a search of main lines, with all symmetries and with exchanged colors.
    pub fn new(pattern: Pattern) -> Self {
        Search {
            pattern,
            place: Place::default(),
            symmetries: true,
            swaps: true,
            variations: false,
            every_place: false,
            layouts: Arc::default(),
        }
    }

    /// Sets where the pattern may lie.
    ///
    /// Default: [`Place::BySides`].
    #[must_use]
    pub fn place(mut self, place: Place) -> Self {
        (self.place, self.layouts) = (place, Arc::default());
        self
    }

    /// Sets whether the pattern may be rotated and reflected.
    ///
    /// Default: true.
    #[must_use]
    pub fn symmetries(mut self, on: bool) -> Self {
        (self.symmetries, self.layouts) = (on, Arc::default());
        self
    }

    /// Sets whether the colors may be exchanged.
    ///
    /// Default: true.
    #[must_use]
    pub fn swap_colors(mut self, on: bool) -> Self {
        (self.swaps, self.layouts) = (on, Arc::default());
        self
    }

    /// Sets whether variations are searched too.
    ///
    /// Default: false; only main lines are.
    #[must_use]
    pub fn variations(mut self, on: bool) -> Self {
        self.variations = on;
        self
    }

    /// Sets whether a game has a hit for each place and orientation, instead of one.
    ///
    /// A joseki may then be found in each corner of a game. Default: false.
    #[must_use]
    pub fn every_place(mut self, on: bool) -> Self {
        self.every_place = on;
        self
    }

    /// Returns the pattern.
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// Creates a matcher, which searches game after game.
    ///
    /// How the pattern may be placed on a board is found once for all matchers of a search.
    pub fn matcher(&self) -> Matcher {
        Matcher::new(self.clone())
    }

    /// Calls a function with each game of a slice that has the pattern.
    ///
    /// For streams, see [`Matcher::read`]. Diagnostics of the parser are not reported.
    ///
    /// # Errors
    ///
    /// Fails if the parser fails, for example in strict mode.
    pub fn find(
        &self,
        parser: &Parser,
        bytes: &[u8],
        mut on_game: impl FnMut(&GameHits<'_>),
    ) -> Result<Counts, SyntaxError> {
        let mut matcher = self.matcher();
        let mut quick = matcher.quick();
        if parser.parse_into(bytes, &mut quick).is_err() {
            // The games before an error come from a reader.
            return self.matcher().read_slice(&mut parser.slice(bytes), on_game);
        }
        let (mut found, left) = quick.finish();
        if !left.is_empty() {
            matcher.read_some_of_slice(&mut parser.slice(bytes), &left, |game| found.push(game.into()))?;
            found.sort_by_key(|game| game.number);
        }
        found.iter().for_each(|game| on_game(&game.as_hits()));
        Ok(matcher.counts())
    }

    /// Returns the layout of the pattern on a board; `None` if it does not fit.
    pub(crate) fn layout_on(&self, size: Size) -> Option<Arc<Layout>> {
        self.layouts.on(size, || Layout::new(self, size))
    }

    pub(crate) fn chosen_place(&self) -> Place {
        self.place
    }

    /// Returns whether variations are searched.
    pub fn has_variations(&self) -> bool {
        self.variations
    }

    pub(crate) fn finds_every_place(&self) -> bool {
        self.every_place
    }

    /// Returns the orientations to try, in order: those with the own colors first.
    pub(crate) fn orientations(&self) -> impl Iterator<Item = Orientation> + use<> {
        let colors = if self.swaps { &[false, true][..] } else { &[false] };
        let symmetries = if self.symmetries { &Symmetry::ALL[..] } else { &Symmetry::ALL[..1] };
        colors
            .iter()
            .flat_map(move |&swapped| symmetries.iter().map(move |&symmetry| Orientation { symmetry, swapped }))
    }
}
