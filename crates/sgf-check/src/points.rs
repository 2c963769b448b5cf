//! Sets of points that the lists of a node have already named.
//!
//! A few bytes can name a rectangle of any size, so a rectangle must be cheap: on the grid, rows are compared and
//! filled as slices; beyond the grid, where boards are rare, rectangles are stored and compared as such.

use std::ops::Range;

use sgf_stream::work;

/// Number of columns and rows that have letters.
const SIDE: usize = 52;

/// Maximum number of rectangles beyond the grid that are kept. Further ones are not checked.
const MOST_FAR: usize = 256;

/// A set of points, each with the number, from 1, of the property that named it.
#[derive(Debug, Default)]
pub(super) struct Points {
    /// 0 for points that are not in the set.
    grid: Vec<u8>,
    /// The part of the grid outside of which all is 0.
    used: Range<usize>,
    is_empty: bool,
    far: Vec<(Area, u8)>,
}

/// A rectangle: left, top, right, bottom.
pub(super) type Area = [u32; 4];

impl Points {
    pub(super) fn clear(&mut self) {
        if !self.is_empty {
            self.grid[std::mem::take(&mut self.used)].fill(0);
            self.far.clear();
            self.is_empty = true;
        }
    }

    /// Adds a point, unless it is beyond the grid or already in the set. Returns whether it was added.
    #[inline]
    pub(super) fn add_new(&mut self, column: u32, row: u32, owner: u8) -> bool {
        let (column, row) = (column as usize, row as usize);
        let at = row * SIDE + column;
        if column >= SIDE || self.used.is_empty() {
            return false;
        }
        match self.grid.get_mut(at) {
            Some(there @ 0) => *there = owner,
            _ => return false,
        }
        self.used = self.used.start.min(at)..self.used.end.max(at + 1);
        true
    }

    /// Adds the points of a rectangle. Returns the first point that was already in the set, and its owner.
    pub(super) fn add(&mut self, area: Area, owner: u8) -> Option<((u32, u32), u8)> {
        self.is_empty = false;
        if self.grid.is_empty() {
            self.grid.resize(SIDE * SIDE, 0);
        }
        let mut first = None;
        for (row, range) in rows(area) {
            self.used = match self.used.is_empty() {
                true => range.clone(),
                false => self.used.start.min(range.start)..self.used.end.max(range.end),
            };
            let points = &mut self.grid[range.clone()];
            if first.is_none()
                && points.iter().fold(false, |any, &owner| any | (owner != 0))
                && let Some(at) = points.iter().position(|&owner| owner != 0)
            {
                first = Some((((range.start + at - row * SIDE) as u32, row as u32), points[at]));
            }
            points.fill(owner);
        }
        if !is_far(area) {
            return first;
        }
        work::note(self.far.len());
        let meets = |&&([left, top, right, bottom], _): &&(Area, u8)| {
            left <= area[2] && area[0] <= right && top <= area[3] && area[1] <= bottom
        };
        let met =
            self.far.iter().find(meets).map(|&(other, owner)| ((other[0].max(area[0]), other[1].max(area[1])), owner));
        if self.far.len() < MOST_FAR {
            self.far.push((area, owner));
        }
        first.or(met)
    }

    /// Returns whether the set has all points of a rectangle.
    #[cfg(test)]
    fn has_all(&self, area: Area) -> bool {
        self.all(area, |owner| owner != 0)
    }

    /// Returns whether the set has all points of a rectangle, and all of them were last named by `wanted`.
    pub(super) fn has_all_of(&self, area: Area, wanted: u8) -> bool {
        self.all(area, |owner| owner == wanted)
    }

    fn all(&self, area: Area, is_wanted: impl Fn(u8) -> bool) -> bool {
        if self.is_empty || self.grid.is_empty() {
            return false;
        }
        if is_far(area) {
            let [left, top, right, bottom] = area;
            work::note(self.far.len());
            let holds = |far: &Area| far[0] <= left && far[1] <= top && right <= far[2] && bottom <= far[3];
            return self.far.iter().any(|(far, owner)| is_wanted(*owner) && holds(far));
        }
        rows(area).all(|(_, range)| self.grid[range].iter().fold(true, |all, &owner| all & is_wanted(owner)))
    }

    /// Returns the owners of the points of a row; `None` if the set is empty.
    ///
    /// The owner is 0 for points that are not in the set. Both columns have to be on the grid.
    pub(super) fn row(&self, row: u32, left: u32, right: u32) -> Option<&[u8]> {
        let start = row as usize * SIDE;
        self.grid.get(start + left as usize..=start + right as usize).filter(|_| !self.is_empty)
    }
}

/// Returns whether a part of the area is beyond the grid.
fn is_far([_, _, right, bottom]: Area) -> bool {
    right as usize >= SIDE || bottom as usize >= SIDE
}

/// Returns the rows of an area that are on the grid, each with its range of indices.
fn rows([left, top, right, bottom]: Area) -> impl Iterator<Item = (usize, Range<usize>)> {
    let (left, right) = (left as usize, (right as usize).min(SIDE - 1));
    let (top, bottom) = (top as usize, (bottom as usize).min(SIDE - 1));
    (top..bottom + 1).filter(move |_| left <= right).map(move |row| (row, row * SIDE + left..row * SIDE + right + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;
    use std::collections::HashMap;

    #[test]
    fn a_point_is_named_once() {
        let mut points = Points::default();
        assert_eq!(points.add([0, 0, 2, 1], 1), None);
        assert_eq!(points.add([2, 1, 2, 1], 2), Some(((2, 1), 1)));
        assert_eq!(points.add([60, 60, 61, 60], 1), None);
        assert_eq!(points.add([61, 0, 61, 60], 1), Some(((61, 60), 1)));
        assert!(points.has_all([1, 0, 2, 1]) && !points.has_all([2, 0, 3, 1]));
        assert!(points.has_all_of([2, 1, 2, 1], 2) && !points.has_all_of([1, 1, 2, 1], 2));
        assert!(points.has_all([60, 60, 60, 60]) && !points.has_all([60, 61, 60, 61]));
        points.clear();
        assert_eq!((points.add([2, 1, 2, 1], 1), points.add([61, 60, 61, 60], 1)), (None, None));
    }

    #[test]
    fn a_huge_rectangle_is_cheap() {
        let mut points = Points::default();
        let most = u32::from(u16::MAX);
        assert_eq!(points.add([0, 0, most, most], 1), None);
        assert_eq!(points.add([7, 7, 7, 7], 1), Some(((7, 7), 1)));
        assert_eq!(points.add([77, 7, 77, 7], 1), Some(((77, 7), 1)));
        for row in 0..2000 {
            points.add([0, row, 99, row], 1);
        }
        assert!(points.far.len() <= MOST_FAR);
    }

    quickcheck! {
        fn a_set_of_points_agrees_with_a_naive_one(areas: Vec<[(u8, u8); 2]>) -> bool {
            let (mut points, mut naive) = (Points::default(), HashMap::new());
            areas.into_iter().enumerate().all(|(owner, [(left, top), (width, height)])| {
                let (left, top) = (u32::from(left % 56), u32::from(top % 56));
                let area = [left, top, left + u32::from(width % 4), top + u32::from(height % 4)];
                let all: Vec<(u32, u32)> =
                    (area[1]..=area[3]).flat_map(|row| (area[0]..=area[2]).map(move |column| (column, row))).collect();
                let owner = owner as u8 % 9 + 1;
                let is_there = all.iter().any(|point| naive.contains_key(point));
                let on_grid = area[2] < 52 && area[3] < 52;
                let has_all = all.iter().all(|point| naive.contains_key(point));
                let agrees = !on_grid || points.has_all(area) == has_all;
                if all.len() == 1 && points.add_new(left, top, owner) {
                    naive.insert((left, top), owner);
                    return agrees && on_grid && !is_there;
                }
                all.iter().for_each(|&point| _ = naive.insert(point, owner));
                agrees && points.add(area, owner).is_some() == is_there
            })
        }
    }
}
