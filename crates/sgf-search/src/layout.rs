//! The ways in which a pattern may lie on a board of a given size.

use std::collections::VecDeque;
use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex, PoisonError};

use sgf_stream::value::go::Point;
use sgf_stream::value::{Color, Size};
use sgf_stream::work;

use crate::completions::{Completions, Trigger};
use crate::pattern::{Need, Pattern, State};
use crate::search::{Orientation, Place, Search};

/// The most sizes of boards whose layouts are kept.
const MOST: usize = 8;

/// The least margin around a board: the rules of captures look two points from a stone.
const MARGIN: u32 = 2;

/// The layouts on the last sizes of boards; `None` where the pattern does not fit.
#[derive(Debug, Default)]
pub(crate) struct Layouts(Mutex<VecDeque<(Size, Option<Arc<Layout>>)>>);

impl Layouts {
    /// Returns the layout on boards of a size, which is made if it is not known.
    pub(crate) fn on(&self, size: Size, make: impl FnOnce() -> Option<Layout>) -> Option<Arc<Layout>> {
        let mut layouts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = layouts.iter().find(|(of, _)| *of == size) {
            return known.clone();
        }
        let layout = make().map(Arc::new);
        if layouts.len() == MOST {
            layouts.pop_front();
        }
        layouts.push_back((size, layout.clone()));
        layout
    }
}

/// The variants of a pattern on a board, and how to find those that a change of the board completes.
#[derive(Debug)]
pub(crate) struct Layout {
    pub(crate) grid: Grid,
    /// In the order of their first orientations.
    pub(crate) variants: Vec<Variant>,
    /// By the state of a point before and after a change: what that may complete.
    completions: [[Option<Completions>; 3]; 3],
}

/// The cells of a board in one row, with a margin around it that patterns at its sides may reach into.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Grid {
    pub(crate) size: Size,
    margin: usize,
    pub(crate) stride: usize,
}

impl Grid {
    fn new(size: Size, margin: usize) -> Self {
        Grid { size, margin, stride: size.columns() as usize + 2 * margin }
    }

    /// Returns the index of a cell.
    #[inline]
    pub(crate) fn index(&self, x: u8, y: u8) -> usize {
        (usize::from(y) + self.margin) * self.stride + usize::from(x) + self.margin
    }

    /// Returns the column and the row of a cell.
    #[inline]
    pub(crate) fn place(&self, at: usize) -> (u8, u8) {
        ((at % self.stride - self.margin) as u8, (at / self.stride - self.margin) as u8)
    }

    /// Empties a board.
    pub(crate) fn clear(&self, cells: &mut Vec<State>) {
        cells.clear();
        work::note(self.stride * self.size.rows() as usize);
        cells.resize((self.size.rows() as usize + 2 * self.margin) * self.stride, State::OFF);
        for y in 0..self.size.rows() as u8 {
            let start = self.index(0, y);
            cells[start..start + self.size.columns() as usize].fill(State::EMPTY);
        }
    }
}

/// A pattern, turned, with the places where it may lie.
#[derive(Debug)]
pub(crate) struct Variant {
    /// The orientations that make this of the pattern: several, if it is symmetric.
    orientations: Vec<Orientation>,
    size: Size,
    /// Where its upper left point may be.
    pub(crate) columns: RangeInclusive<u8>,
    pub(crate) rows: RangeInclusive<u8>,
    /// What is wanted, and where from the upper left point; what is seldom comes first.
    pub(crate) wanted: Vec<((u8, u8), State)>,
    /// The same, by the distance of cells.
    needs: Vec<(usize, State)>,
    /// Whether a point of the rectangle is in the region, row by row.
    inside: Vec<bool>,
    /// The moves that must follow, and their points from the upper left point.
    continuation: Vec<(Color, (u8, u8))>,
}

/// A variant at a place of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Spot {
    pub(crate) variant: u8,
    pub(crate) y: u8,
    pub(crate) x: u8,
}

impl Layout {
    /// Returns the layout of a search; `None` if its pattern does not fit on the board.
    pub(crate) fn new(search: &Search, board: Size) -> Option<Self> {
        let mut variants: Vec<Variant> = Vec::new();
        for orientation in search.orientations() {
            let Some(variant) = Variant::new(search, orientation, board) else { continue };
            match variants.iter_mut().find(|other| other.is_same(&variant)) {
                Some(same) => same.orientations.push(orientation),
                None => variants.push(variant),
            }
        }
        if variants.is_empty() {
            return None;
        }
        let region = search.pattern().region();
        let grid = Grid::new(board, region.columns().max(region.rows()).max(MARGIN) as usize);
        for variant in &mut variants {
            variant.place_on(grid);
        }
        let states = [State::EMPTY, State::BLACK, State::WHITE];
        let completions = states.map(|before| states.map(|now| Completions::new(grid, &variants, (before, now))));
        Some(Layout { grid, variants, completions })
    }

    /// Calls a function with each spot where the pattern is now, if it was not before a point has changed.
    #[inline]
    pub(crate) fn completed(&self, cells: &[State], (at, before): (usize, State), mut found: impl FnMut(Spot)) {
        let Some(completions) = &self.completions[before.index()][cells[at].index()] else { return };
        completions.each(cells, at, |Trigger { variant, dx, dy }| {
            work::note(1);
            let (x, y) = self.grid.place(at);
            let spot = Spot { variant, x: x - dx, y: y - dy };
            if completions.is_exact() || self.is_at(cells, spot) {
                found(spot);
            }
        });
    }

    /// Returns whether a stone that was placed on an empty cell may complete the pattern.
    #[inline]
    pub(crate) fn may_complete(&self, cells: &[State], at: usize, stone: State) -> bool {
        let completions = &self.completions[State::EMPTY.index()][stone.index()];
        completions.as_ref().is_some_and(|completions| completions.is_possible(cells, at))
    }

    /// Returns whether changes complete the pattern somewhere.
    #[inline]
    pub(crate) fn has_completed(&self, cells: &[State], changed: &[(usize, State)]) -> bool {
        changed.iter().any(|&changed| {
            let mut has_spot = false;
            self.completed(cells, changed, |_| has_spot = true);
            has_spot
        })
    }

    /// Calls a function with each spot where the pattern is.
    pub(crate) fn all(&self, cells: &[State], mut found: impl FnMut(Spot)) {
        for (number, variant) in (0..).zip(&self.variants) {
            for y in variant.rows.clone() {
                work::note(variant.columns.clone().count());
                for x in variant.columns.clone() {
                    let spot = Spot { variant: number, x, y };
                    if self.is_at(cells, spot) {
                        found(spot);
                    }
                }
            }
        }
    }

    /// Returns whether the pattern is at a spot.
    #[inline]
    pub(crate) fn is_at(&self, cells: &[State], spot: Spot) -> bool {
        let cells = &cells[self.grid.index(spot.x, spot.y)..];
        self.variant(spot).needs.iter().all(|&(distance, states)| states.contains(cells[distance]))
    }

    #[inline]
    fn variant(&self, spot: Spot) -> &Variant {
        &self.variants[usize::from(spot.variant)]
    }

    /// Returns whether the pattern at a spot has a point in its region.
    #[inline]
    pub(crate) fn has(&self, spot: Spot, point: Point) -> bool {
        let variant = self.variant(spot);
        let (x, y) = (point.x().wrapping_sub(spot.x), point.y().wrapping_sub(spot.y));
        let is_near = u32::from(x) < variant.size.columns() && u32::from(y) < variant.size.rows();
        is_near && variant.inside[usize::from(y) * variant.size.columns() as usize + usize::from(x)]
    }

    /// Returns the number of moves that must follow.
    pub(crate) fn moves(&self) -> usize {
        self.variants[0].continuation.len()
    }

    /// Returns whether a move is the nth one that must follow.
    pub(crate) fn is_nth(&self, spot: Spot, n: usize, (color, point): (Color, Point)) -> bool {
        let wanted =
            |&(of, (dx, dy)): &(Color, (u8, u8))| (of, spot.x + dx, spot.y + dy) == (color, point.x(), point.y());
        self.variant(spot).continuation.get(n).is_some_and(wanted)
    }

    /// Returns the orientations in which the pattern is at a spot.
    pub(crate) fn orientations(&self, spot: Spot) -> &[Orientation] {
        &self.variant(spot).orientations
    }

    /// Returns the point of the pattern at a point of the board, in an orientation.
    pub(crate) fn point_of_pattern(
        &self,
        pattern: &Pattern,
        (spot, orientation): (Spot, Orientation),
        point: Point,
    ) -> Option<Point> {
        let inside = Point::new(point.x().checked_sub(spot.x)?, point.y().checked_sub(spot.y)?)?;
        let back = orientation.symmetry.inverse().apply(inside, self.variant(spot).size)?;
        let first = pattern.region().upper_left();
        Point::new(first.x() + back.x(), first.y() + back.y())
    }
}

impl Variant {
    /// Turns the pattern; `None` if it does not fit on the board then.
    fn new(search: &Search, orientation: Orientation, board: Size) -> Option<Self> {
        let (pattern, Orientation { symmetry, swapped }) = (search.pattern(), orientation);
        let region = pattern.region();
        let before = Size::new(region.columns(), region.rows())?;
        let size = symmetry.apply_to_size(before);
        let (most_x, most_y) =
            (board.columns().checked_sub(size.columns())? as u8, board.rows().checked_sub(size.rows())? as u8);
        let (columns, rows) = match search.chosen_place() {
            Place::Anywhere => (0..=most_x, 0..=most_y),
            Place::Fixed => {
                let at = symmetry.apply_rect(region, pattern.board())?.upper_left();
                let is_same = symmetry.apply_to_size(pattern.board()) == board;
                is_same.then_some((at.x()..=at.x(), at.y()..=at.y()))?
            }
            Place::BySides => {
                let sides = pattern.sides().transformed(symmetry);
                (between(sides.left, sides.right, most_x)?, between(sides.top, sides.bottom, most_y)?)
            }
        };
        let place = |point: Point| {
            let first = region.upper_left();
            let inside = Point::new(point.x() - first.x(), point.y() - first.y())?;
            symmetry.apply(inside, before)
        };
        let mut inside = vec![false; (size.columns() * size.rows()) as usize];
        let mut wanted: Vec<((u8, u8), State)> = Vec::new();
        for point in region.points() {
            let (to, need) = (place(point)?, pattern.need(point));
            inside[usize::from(to.y()) * size.columns() as usize + usize::from(to.x())] = pattern.contains(point);
            if need != Need::Any {
                let need = if swapped { need.swapped() } else { need };
                wanted.push(((to.x(), to.y()), need.states()));
            }
        }
        // Most points are empty for most of a game.
        wanted.sort_by_key(|&((x, y), states)| (states.contains(State::EMPTY), states.count(), y, x));
        let turned = |&(color, point): &(Color, Point)| {
            let to = place(point)?;
            Some((if swapped { color.opponent() } else { color }, (to.x(), to.y())))
        };
        let continuation = pattern.continuation().iter().map(turned).collect::<Option<_>>()?;
        let needs = Vec::new();
        Some(Variant { orientations: vec![orientation], size, columns, rows, wanted, needs, inside, continuation })
    }

    /// Notes how far the needs are from each other on a board.
    fn place_on(&mut self, grid: Grid) {
        let distance = |(x, y): (u8, u8)| usize::from(y) * grid.stride + usize::from(x);
        self.needs = self.wanted.iter().map(|&(at, states)| (distance(at), states)).collect();
    }

    /// Returns whether another orientation leads to the same needs at the same places.
    fn is_same(&self, other: &Variant) -> bool {
        let Variant { orientations: _, needs: _, size, columns, rows, wanted, inside, continuation } = self;
        (size, columns, rows, wanted, inside, continuation)
            == (&other.size, &other.columns, &other.rows, &other.wanted, &other.inside, &other.continuation)
    }

    /// Returns where its upper left point may be.
    #[cfg(feature = "index")]
    pub(crate) fn corners(&self) -> impl Iterator<Item = (u8, u8)> + use<> {
        let (columns, rows) = (self.columns.clone(), self.rows.clone());
        rows.flat_map(move |y| columns.clone().map(move |x| (x, y)))
    }

    /// Returns whether an empty board has the pattern.
    pub(crate) fn is_empty(&self) -> bool {
        self.wanted.iter().all(|(_, states)| states.contains(State::EMPTY))
    }
}

/// Returns where the first point may be that touches these sides, if it may be between 0 and `most`.
fn between(first: bool, last: bool, most: u8) -> Option<RangeInclusive<u8>> {
    match (first, last) {
        (false, false) => Some(0..=most),
        (true, false) => Some(0..=0),
        (false, true) => Some(most..=most),
        (true, true) => (most == 0).then_some(0..=0),
    }
}
