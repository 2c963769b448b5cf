//! Searches games as they are read.
//!
//! The matcher follows the board of each game. A change of a point can only complete the pattern at spots where it
//! fulfills a need that was not fulfilled before, and [`Layout`] knows these. So the work per move is that of the few spots that
//! want a stone there, however large the board and however many places there are.

use std::cell::RefCell;
use std::collections::HashSet;
use std::io::BufRead;
use std::sync::Arc;

use sgf_board::{Step, Walk};
use sgf_stream::value::go::{Move, Point};
use sgf_stream::value::{Color, Size};
use sgf_stream::{Error, Flow, Parser, Reader, SliceReader, SyntaxError, work};

use crate::hit::{Hit, Next, NodePlace};
use crate::layout::{Grid, Layout, Spot};
use crate::line;
use crate::pattern::State;
use crate::quick::Quick;
use crate::reading::{Games, each};
use crate::search::Search;

/// Searches games, one after the other. Created by [`Search::matcher`].
///
/// Memory: that of a board and of the attempts to match a continuation on the current path.
#[derive(Clone, Debug)]
pub struct Matcher {
    search: Search,
    /// The last size of a board, and the layout on it; `None` where the pattern does not fit.
    last: Option<(Size, Option<Arc<Layout>>)>,
    layout: Option<Arc<Layout>>,
    /// The board of the game.
    cells: Vec<State>,
    /// The points that the node has changed, with their states before it.
    changed: Changes,
    /// The depth of the last node.
    depth: usize,
    lines: Attempts,
    /// The hits whose next move has not been read.
    waiting: Vec<Waiting>,
    /// The spots that have a hit, if each of them may have one.
    found: HashSet<Spot>,
    hits: Vec<Hit>,
    counts: Counts,
    game: GameState,
}

/// The cells that a node has changed, with their states before it.
pub(crate) type Changes = Vec<(usize, State)>;

/// A node of a game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NodeFacts {
    pub(crate) place: NodePlace,
    /// The number of nodes before it on its path.
    pub(crate) depth: usize,
    /// Its move, in which one off the board is a pass.
    pub(crate) played: Option<(Color, Move)>,
    /// Whether the game may return to it.
    pub(crate) has_tree: bool,
}

/// Returns whether a game has unreadable values up to a node, or the node's move is on a stone or off the board.
pub(crate) fn has_illegal(step: &Step<'_>) -> bool {
    let is_move = matches!(step.last_played(), Some((_, Move::Play(_))));
    step.unread() > 0 || is_move && step.last_effect().is_none_or(|effect| effect.replaced.is_some())
}

/// Returns the move of a node, in which one off the board is a pass.
fn played(step: &Step<'_>) -> Option<(Color, Move)> {
    let (color, read) = step.last_played()?;
    Some((color, if step.last_effect().is_some() { read } else { Move::Pass }))
}

/// What is known of a game that is being read.
#[derive(Clone, Copy, Debug, Default)]
struct GameState {
    has_board: bool,
    fits: bool,
    has_illegal: bool,
}

/// The numbers of games that a search has read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// All games.
    pub games: u64,
    /// Games with a hit.
    pub found: u64,
    /// Games other than Go, and those on a board larger than 52x52.
    pub without_board: u64,
    /// Games on a board on which the pattern does not fit.
    pub too_small: u64,
    /// Games with moves on a stone or off the board, or other unreadable values.
    ///
    /// Games count as far as the search has read them. A move on a stone replaces it, and what cannot be read changes nothing.
    pub with_illegal_moves: u64,
}

impl Counts {
    /// Adds the numbers of other games.
    pub fn add(&mut self, other: Counts) {
        let Counts { games, found, without_board, too_small, with_illegal_moves } = other;
        self.games += games;
        self.found += found;
        self.without_board += without_board;
        self.too_small += too_small;
        self.with_illegal_moves += with_illegal_moves;
    }
}

/// The base of the pattern at a spot, and how many of the moves that must follow have been played there.
#[derive(Clone, Copy, Debug)]
struct Attempt {
    spot: Spot,
    start: NodePlace,
    progress: usize,
}

/// The attempts on the current path.
#[derive(Clone, Debug, Default)]
struct Attempts {
    now: Vec<Attempt>,
    /// With variations: what they were at the nodes that the game may return to, with the depths of these nodes.
    earlier: Vec<(usize, Vec<Attempt>)>,
    /// Whether they have changed since the last of these nodes.
    have_changed: bool,
}

impl Attempts {
    fn clear(&mut self) {
        self.now.clear();
        self.earlier.clear();
        self.have_changed = false;
    }

    /// Returns to what they were at the parent of a node.
    fn return_to(&mut self, depth: usize) {
        let is_later = |(of, _): &(usize, Vec<Attempt>)| *of >= depth;
        while self.earlier.last().is_some_and(is_later) {
            self.earlier.pop();
        }
        self.now.clear();
        work::note(self.earlier.last().map_or(0, |(_, attempts)| attempts.len()));
        self.now.extend(self.earlier.last().into_iter().flat_map(|(_, attempts)| attempts));
        self.have_changed = false;
    }

    /// Keeps them for the variations that start after the node at this depth.
    fn keep(&mut self, depth: usize) {
        if std::mem::take(&mut self.have_changed) {
            work::note(self.now.len());
            self.earlier.push((depth, self.now.clone()));
        }
    }
}

/// A hit whose next move has not been read.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    spot: Spot,
    start: NodePlace,
    /// The number of moves in the line up to the last one that must follow.
    end: usize,
}

/// The hits of a game.
#[derive(Clone, Copy, Debug)]
pub struct GameHits<'m> {
    pub(crate) number: u64,
    pub(crate) offset: u64,
    pub(crate) hits: &'m [Hit],
}

impl<'m> GameHits<'m> {
    /// Returns the number of the game among those that were read, from 0.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Returns the byte offset of the game's `(`.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the hits, in the order of their nodes; at least one.
    ///
    /// There is one, unless the search is for [every place](Search::every_place).
    pub fn hits(&self) -> &'m [Hit] {
        self.hits
    }
}

impl Matcher {
    pub(crate) fn new(search: Search) -> Self {
        Matcher {
            search,
            last: None,
            layout: None,
            cells: Vec::new(),
            changed: Vec::new(),
            depth: 0,
            lines: Attempts::default(),
            waiting: Vec::new(),
            found: HashSet::new(),
            hits: Vec::new(),
            counts: Counts::default(),
            game: GameState::default(),
        }
    }

    /// Reads all games, and calls a function with each that has the pattern.
    ///
    /// Returns the numbers of these games.
    ///
    /// ```
    /// use sgf_search::{Pattern, Search};
    /// use sgf_stream::Parser;
    ///
    /// let file = &b"(;SZ[9];B[cc];W[gg];B[gc])(;SZ[9];B[ee])"[..];
    /// let mut matcher = Search::new(Pattern::parse("X.../..../...O")?).matcher();
    /// let mut reader = Parser::new().reader(file);
    /// let counts = matcher.read(&mut reader, |game| assert_eq!(game.hits()[0].ply(), 3))?;
    /// assert_eq!((counts.games, counts.found), (2, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the reader fails.
    pub fn read<R: BufRead>(
        &mut self,
        reader: &mut Reader<R>,
        on_game: impl FnMut(&GameHits<'_>),
    ) -> Result<Counts, Error> {
        self.read_all(reader, on_game)
    }

    /// Reads all games of a slice, like [`read`](Self::read).
    ///
    /// # Errors
    ///
    /// Fails if the reader fails.
    pub fn read_slice(
        &mut self,
        reader: &mut SliceReader<'_>,
        on_game: impl FnMut(&GameHits<'_>),
    ) -> Result<Counts, SyntaxError> {
        self.read_all(reader, on_game)
    }

    /// Returns the numbers of games of the last call of [`read`](Self::read).
    ///
    /// They are right up to an error, if it failed.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Returns a sink of events that searches most games much faster.
    ///
    /// Pass it to [`Parser::parse_into`](sgf_stream::Parser::parse_into) or another function that takes a sink. Games with
    /// anything but a line of moves on points of the board are left, and [`read_some`](Self::read_some) searches them.
    ///
    /// ```
    /// use sgf_search::{Pattern, Search};
    /// use sgf_stream::Parser;
    ///
    /// let (parser, games) = (Parser::new(), b"(;SZ[9];B[gc];W[gg])(;SZ[9];AB[gc];W[gg](;B[aa])(;B[bb]))");
    /// let mut matcher = Search::new(Pattern::parse("X/./././O")?).matcher();
    /// let mut quick = matcher.quick();
    /// parser.parse_into(games, &mut quick)?;
    /// let (mut found, left) = quick.finish();
    /// assert_eq!((found[0].number, found[0].hits[0].ply(), found.len(), &left[..]), (0, 2, 2, &[][..]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn quick(&mut self) -> Quick<'_> {
        self.counts = Counts::default();
        Quick::new(self)
    }

    /// Searches a line of moves on an empty board. Returns its first hit.
    ///
    /// The moves are played as those of a game are: one on a stone replaces it, and one off the board is a pass.
    /// [`counts`](Self::counts) are those of this line. The hit has no [offset](Hit::node_offset).
    ///
    /// ```
    /// use sgf_search::{Pattern, Search};
    /// use sgf_stream::value::go::{Move, Point};
    /// use sgf_stream::value::{Color, Size};
    ///
    /// let mut matcher = Search::new(Pattern::parse("X/./././O")?).matcher();
    /// let played = |color, x, y| Point::new(x, y).map(|point| (color, Move::Play(point)));
    /// let moves = [played(Color::Black, 6, 2), played(Color::White, 6, 6)].into_iter().flatten();
    /// let size = Size::square(9).ok_or("no board")?;
    /// assert_eq!(matcher.line(size, moves).map(|hit| hit.ply()), Some(2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn line(&mut self, size: Size, moves: impl IntoIterator<Item = (Color, Move)>) -> Option<Hit> {
        let (parser, game) = (Parser::new(), line::written(size, moves));
        let mut quick = self.quick();
        parser.parse_into(&game, &mut quick).ok()?;
        let (mut found, left) = quick.finish();
        self.read_some_of_slice(&mut parser.slice(&game), &left, |game| found.push(game.into())).ok()?;
        found.first()?.hits.first().map(|hit| hit.without_node_offset())
    }

    /// Reads the games with these numbers, in order.
    ///
    /// It calls a function with each that has the pattern. Games count from 0. Those that are read are added to
    /// [`counts`](Self::counts).
    ///
    /// # Errors
    ///
    /// Fails if the reader fails.
    pub fn read_some<R: BufRead>(
        &mut self,
        reader: &mut Reader<R>,
        numbers: &[u64],
        on_game: impl FnMut(&GameHits<'_>),
    ) -> Result<(), Error> {
        self.read_games(reader, Some(numbers), on_game)
    }

    pub(crate) fn read_some_of_slice(
        &mut self,
        reader: &mut SliceReader<'_>,
        numbers: &[u64],
        on_game: impl FnMut(&GameHits<'_>),
    ) -> Result<(), SyntaxError> {
        self.read_games(reader, Some(numbers), on_game)
    }

    fn read_all<G: Games>(&mut self, games: &mut G, on_game: impl FnMut(&GameHits<'_>)) -> Result<Counts, G::Error> {
        self.counts = Counts::default();
        self.read_games(games, None, on_game)?;
        Ok(self.counts)
    }

    fn read_games<G: Games>(
        &mut self,
        games: &mut G,
        numbers: Option<&[u64]>,
        on_game: impl FnMut(&GameHits<'_>),
    ) -> Result<(), G::Error> {
        let has_variations = self.search.has_variations();
        let shared = RefCell::new(self);
        let on_step = |step: &Step<'_>| shared.borrow_mut().step(step);
        match has_variations {
            true => each(&shared, games, numbers, Walk::visitor(on_step), on_game),
            false => each(&shared, games, numbers, Walk::line_visitor(on_step), on_game),
        }
    }

    /// Processes the next node of a game. Returns [`Flow::SkipGame`] if the rest of the game does not matter.
    ///
    /// Nodes come in the order of a [`Walk`]. After the last one, call [`end_game`](Self::end_game).
    pub fn step(&mut self, step: &Step<'_>) -> Flow {
        if step.number() == 0 {
            self.begin(step.board().size());
        } else if step.depth() <= self.depth {
            // Another variation begins.
            self.end_waiting();
            self.lines.return_to(step.depth());
        }
        self.depth = step.depth();
        if self.layout.is_none() {
            return Flow::SkipGame;
        }
        self.clear_changes();
        for change in step.changes() {
            self.change(change.point, change.is_placed.then_some(change.color));
        }
        self.game.has_illegal |= has_illegal(step);
        let played = played(step);
        let (place, depth) = (NodePlace::of(step), step.depth());
        self.search(NodeFacts { place, depth, played, has_tree: step.has_tree() })
    }

    /// Ends a game, and returns its hits.
    pub fn end_game(&mut self) -> &[Hit] {
        if !self.game.has_board {
            self.forget(); // no node came since the game before
        }
        self.end_waiting();
        // Those of a node are found in any order.
        self.hits.sort_by_key(Hit::order);
        let GameState { has_board, fits, has_illegal } = std::mem::take(&mut self.game);
        self.counts.add(Counts {
            games: 1,
            found: u64::from(!self.hits.is_empty()),
            without_board: u64::from(!has_board),
            too_small: u64::from(has_board && !fits),
            with_illegal_moves: u64::from(has_illegal),
        });
        self.layout = None;
        &self.hits
    }

    /// Begins a game without a board.
    pub(crate) fn begin_none(&mut self) {
        self.game = GameState::default();
        self.layout = None;
        self.forget();
    }

    /// Begins a game on a board. Returns whether the pattern fits on it.
    pub(crate) fn begin(&mut self, size: Size) -> bool {
        if self.last.as_ref().is_none_or(|(of, _)| *of != size) {
            self.last = Some((size, self.search.layout_on(size)));
        }
        self.layout = self.last.as_ref().and_then(|(_, layout)| layout.clone());
        self.game = GameState { has_board: true, fits: self.layout.is_some(), has_illegal: false };
        self.forget();
        if let Some(layout) = &self.layout {
            layout.grid.clear(&mut self.cells);
        }
        self.layout.is_some()
    }

    fn forget(&mut self) {
        self.changed.clear();
        self.lines.clear();
        self.waiting.clear();
        self.found.clear();
        self.hits.clear();
    }

    /// Begins another line of the game. Spots that have been found are not found again.
    #[cfg(feature = "index")]
    pub(crate) fn begin_line(&mut self) {
        self.end_waiting();
        self.changed.clear();
        self.lines.clear();
        self.depth = 0;
        if let Some(layout) = &self.layout {
            layout.grid.clear(&mut self.cells);
        }
    }

    /// Returns whether nothing more of the game matters.
    #[cfg(feature = "index")]
    pub(crate) fn is_done(&self) -> bool {
        let has_hit = !self.waiting.is_empty() || !self.hits.is_empty();
        has_hit && !self.search.finds_every_place()
    }

    /// Forgets the changes of the last node.
    #[inline]
    pub(crate) fn clear_changes(&mut self) {
        self.changed.clear();
    }

    /// Changes a point of the board.
    #[inline]
    pub(crate) fn change(&mut self, point: Point, stone: Option<Color>) {
        let Some(layout) = &self.layout else { return };
        let at = layout.grid.index(point.x(), point.y());
        self.changed.push((at, std::mem::replace(&mut self.cells[at], State::of(stone))));
    }

    /// Notes whether a move was on a stone.
    #[inline]
    pub(crate) fn note_illegal(&mut self, is_illegal: bool) {
        self.game.has_illegal |= is_illegal;
    }

    /// Returns the cells of the board, and the changes of the node.
    #[inline]
    pub(crate) fn cells(&mut self) -> (&mut [State], &mut Changes) {
        (&mut self.cells, &mut self.changed)
    }

    /// Returns the cells of the board of the game.
    pub(crate) fn grid(&self) -> Grid {
        self.layout.as_ref().map_or_else(Grid::default, |layout| layout.grid)
    }

    pub(crate) fn has_variations(&self) -> bool {
        self.search.has_variations()
    }

    /// Returns whether a node can only begin something: nothing waits for its move.
    #[inline]
    pub(crate) fn is_idle(&self) -> bool {
        self.lines.now.is_empty()
            && self.waiting.is_empty()
            && (self.hits.is_empty() || self.search.finds_every_place())
    }

    /// Returns whether the changes of the node complete the pattern somewhere.
    #[inline]
    pub(crate) fn has_completed(&self) -> bool {
        let Some(layout) = &self.layout else { return false };
        layout.has_completed(&self.cells, &self.changed)
    }

    /// Returns the layout, the cells of the board, and the changes of the node.
    #[inline]
    pub(crate) fn parts(&mut self) -> Option<(&Layout, &mut [State], &mut Changes)> {
        Some((self.layout.as_deref()?, &mut self.cells, &mut self.changed))
    }

    /// Searches a node, whose changes are known.
    pub(crate) fn search(&mut self, node: NodeFacts) -> Flow {
        let Some(layout) = self.layout.take() else { return Flow::SkipGame };
        let flow = self.search_node(&layout, node);
        self.layout = Some(layout);
        flow
    }

    fn search_node(&mut self, layout: &Layout, NodeFacts { place, depth, played, has_tree }: NodeFacts) -> Flow {
        if let Some((color, read)) = played
            && !self.waiting.is_empty()
        {
            self.move_of_waiting(layout, (color, read), place);
            if self.waiting.is_empty() && !self.search.finds_every_place() {
                return Flow::SkipGame;
            }
        }
        if !self.hits.is_empty() && !self.search.finds_every_place() {
            return Flow::SkipGame; // another variation has begun
        }
        if !self.waiting.is_empty() && !self.search.finds_every_place() {
            return Flow::Continue;
        }
        let mut attempts = std::mem::take(&mut self.lines.now);
        let mut have_changed = false;
        if let Some((color, Move::Play(point))) = played
            && !attempts.is_empty()
        {
            have_changed = self.move_of_attempts(layout, &mut attempts, (color, point), place);
        }
        let mut begun: Option<HashSet<Spot>> = None;
        let mut begin = |spot| {
            let begun = begun.get_or_insert_with(|| {
                work::note(attempts.len());
                attempts.iter().filter(|attempt| attempt.progress == 0).map(|attempt| attempt.spot).collect()
            });
            if begun.insert(spot) {
                attempts.push(Attempt { spot, start: place, progress: 0 });
                have_changed = true;
            }
        };
        for &changed in &self.changed {
            layout.completed(&self.cells, changed, &mut begin);
        }
        if place.number == 0 && layout.variants.iter().any(|variant| variant.is_empty()) {
            layout.all(&self.cells, &mut begin);
        }
        if have_changed {
            self.complete(layout, &mut attempts, place);
        }
        self.lines.now = attempts;
        self.lines.have_changed |= have_changed;
        if has_tree && self.search.has_variations() {
            self.lines.keep(depth);
        }
        Flow::Continue
    }

    /// Ends the hits that have waited for this move.
    fn move_of_waiting(&mut self, layout: &Layout, (color, read): (Color, Move), place: NodePlace) {
        let Matcher { waiting, hits, search, .. } = self;
        work::note(waiting.len());
        let Some(point) = read.point() else { return };
        waiting.retain(|&Waiting { spot, start, end }| {
            if !layout.has(spot, point) {
                return true;
            }
            // A symmetric pattern has several orientations there. Moves that they make equal get one name.
            let next = layout.orientations(spot).iter().filter_map(|&orientation| {
                let point = layout.point_of_pattern(search.pattern(), (spot, orientation), point)?;
                let color = if orientation.swapped { color.opponent() } else { color };
                Some((orientation, Next { color, point, ply: place.ply, elsewhere: place.ply - end - 1 }))
            });
            let Some((orientation, next)) = next.min_by_key(|(_, next)| next.order()) else { return true };
            hits.push(Hit::new(start, end, orientation, (spot.x, spot.y), Some((next, (color, point)))));
            false
        });
    }

    /// Ends the hits after which no move comes.
    fn end_waiting(&mut self) {
        let Some(layout) = &self.layout else { return };
        for Waiting { spot, start, end } in self.waiting.drain(..) {
            self.hits.push(Hit::new(start, end, layout.orientations(spot)[0], (spot.x, spot.y), None));
        }
    }

    /// Goes on with the attempts that a move in their region continues, and drops the others. Returns whether there
    /// was one.
    fn move_of_attempts(
        &self,
        layout: &Layout,
        attempts: &mut Vec<Attempt>,
        played: (Color, Point),
        place: NodePlace,
    ) -> bool {
        let mut again: Vec<Attempt> = Vec::new();
        let mut has_move = false;
        work::note(attempts.len());
        attempts.retain_mut(|attempt| {
            if !layout.has(attempt.spot, played.1) {
                return true;
            }
            has_move = true;
            // The move may have been on a point where anything is allowed.
            if attempt.progress == 0 && layout.is_at(&self.cells, attempt.spot) {
                again.push(Attempt { start: place, ..*attempt });
            }
            let is_next = layout.is_nth(attempt.spot, attempt.progress, played);
            attempt.progress += 1;
            is_next
        });
        attempts.append(&mut again);
        has_move
    }

    /// Makes hits of the attempts whose last move was played.
    fn complete(&mut self, layout: &Layout, attempts: &mut Vec<Attempt>, place: NodePlace) {
        let moves = layout.moves();
        work::note(attempts.len());
        let every_place = self.search.finds_every_place();
        let done = attempts.iter().filter(|attempt| attempt.progress == moves);
        let done = done.map(|&Attempt { spot, start, .. }| Waiting { spot, start, end: place.ply });
        match every_place {
            false => {
                self.waiting.extend(done.min_by_key(|hit| (hit.start.number, hit.spot)));
                if !self.waiting.is_empty() {
                    attempts.clear();
                }
            }
            true => {
                let found = &mut self.found;
                self.waiting.extend(done.filter(|hit| found.insert(hit.spot)));
                attempts.retain(|attempt| !found.contains(&attempt.spot));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use sgf_board::walk;

    use super::*;
    use crate::Pattern;

    #[test]
    fn attempts_are_kept_where_variations_start() {
        let pattern = Pattern::parse("(;SZ[19]VW[bb:dd];B[cc])").unwrap();
        let mut matcher = Search::new(pattern).variations(true).matcher();
        let game = format!("(;SZ[19]{}(;B[ss])(;B[sr](;B[sq])))", ";B[aa];AE[aa]".repeat(50));
        let mut kept = Vec::new();
        walk(&Parser::new(), game.as_bytes(), |step| {
            let flow = matcher.step(step);
            kept.push(matcher.lines.earlier.len());
            flow
        })
        .unwrap();
        let before = [vec![0; 100], vec![1, 1, 2, 2]].concat();
        assert_eq!(kept, before);
    }
}
