//! Compresses a list of points into few rectangles. `PointList::compress` documents the algorithm and its bounds.
//!
//! A line is a row, or a column if the grid is transposed; a position is an index along a line.

use super::{GridPoint, Rect};

/// Consecutive cells in one line.
struct Run {
    line: u32,
    from: u32,
    to: u32,
    /// The index of its first cell in the sorted cells.
    cell: usize,
}

/// Equal runs in consecutive lines: a rectangle.
struct Strip {
    first_line: u32,
    last_line: u32,
    from: u32,
    to: u32,
    cell: usize,
}

pub(super) fn compress<P: GridPoint>(points: &[P]) -> Vec<Rect<P>> {
    let point = |(column, row)| P::from_grid(column, row).expect("the column of a point and the row of one");
    let rects = rectangles(points.iter().map(|point| point.grid()).collect());
    rects.into_iter().map(|(first, last)| Rect::spanning(point(first), point(last))).collect()
}

/// The column and the row of a cell.
type Cell = (u32, u32);

/// Returns the corners of the rectangles, upper left and lower right. (Separate from the point types, so that it is
/// compiled once.)
fn rectangles(cells: Vec<Cell>) -> Vec<(Cell, Cell)> {
    // `by_row` is sorted by row, then column; `by_column` holds its indices, sorted by column, then row.
    let by_row = sorted(sorted(cells, |cell| cell.0), |cell| cell.1);
    let by_column = sorted((0..by_row.len()).collect(), |&cell| by_row[cell].0);

    let rows = runs(by_row.iter().map(|&(column, row)| (row, column)));
    let columns = runs(by_column.iter().map(|&cell| by_row[cell]));
    let regions = regions(&rows, by_row.len());
    let (across, down) = (strips(&rows), strips(&columns));
    let region_down = |strip: &Strip| regions[by_column[strip.cell]];

    let mut balance = vec![0i64; by_row.len()];
    across.iter().for_each(|strip| balance[regions[strip.cell]] += 1);
    down.iter().for_each(|strip| balance[region_down(strip)] -= 1);

    let across = across.iter().filter(|strip| balance[regions[strip.cell]] <= 0);
    let down = down.iter().filter(|strip| balance[region_down(strip)] > 0);
    let corners = across
        .map(|s| ((s.from, s.first_line), (s.to, s.last_line)))
        .chain(down.map(|s| ((s.first_line, s.from), (s.last_line, s.to))));
    sorted(sorted(corners.collect(), |(first, _)| first.0), |(first, _)| first.1)
}

/// Sorts stably by a key, in time linear in the number of items and the range of keys.
fn sorted<T: Copy>(mut items: Vec<T>, key: impl Fn(&T) -> u32) -> Vec<T> {
    let Some(least) = items.iter().map(&key).min() else { return items };
    let greatest = items.iter().map(&key).max().unwrap_or(least);
    let range = (greatest - least) as usize + 1;
    if range / 16 > items.len() {
        // For few items in a wide range, a comparison sort is faster than counting.
        items.sort_by_key(key);
        return items;
    }
    let mut starts = vec![0; range + 1];
    items.iter().for_each(|item| starts[(key(item) - least) as usize + 1] += 1);
    for at in 1..starts.len() {
        starts[at] += starts[at - 1];
    }
    let mut sorted = items.clone();
    for item in items {
        let start = &mut starts[(key(&item) - least) as usize];
        sorted[*start] = item;
        *start += 1;
    }
    sorted
}

/// Returns the runs of cells sorted by line and position.
fn runs(cells: impl Iterator<Item = (u32, u32)>) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for (cell, (line, place)) in cells.enumerate() {
        match runs.last_mut() {
            Some(run) if run.line == line && run.to + 1 == place => run.to = place,
            _ => runs.push(Run { line, from: place, to: place, cell }),
        }
    }
    runs
}

/// Merges equal runs in consecutive lines.
fn strips(runs: &[Run]) -> Vec<Strip> {
    let mut strips: Vec<Strip> = Vec::new();
    // The strips that include a run of the previous line, and of this one, in the order of the line.
    let (mut above, mut here) = (Vec::<usize>::new(), Vec::<usize>::new());
    let (mut line, mut next) = (0, 0);
    for run in runs {
        if run.line != line {
            above.clear();
            std::mem::swap(&mut above, &mut here);
            (line, next) = (run.line, 0);
        }
        while above.get(next).is_some_and(|&strip| strips[strip].from < run.from) {
            next += 1;
        }
        let same = above.get(next).copied().filter(|&strip| {
            let strip = &strips[strip];
            (strip.from, strip.to, strip.last_line + 1) == (run.from, run.to, run.line)
        });
        here.push(same.unwrap_or(strips.len()));
        match same {
            Some(strip) => strips[strip].last_line = run.line,
            None => {
                let Run { line, from, to, cell } = *run;
                strips.push(Strip { first_line: line, last_line: line, from, to, cell });
            }
        }
    }
    strips
}

/// Returns the connected region of each cell, as a number less than the number of cells.
fn regions(runs: &[Run], cells: usize) -> Vec<usize> {
    /// Returns the run that represents the region of a run (union-find).
    fn root(parents: &mut [usize], mut run: usize) -> usize {
        while parents[run] != run {
            parents[run] = parents[parents[run]];
            run = parents[run];
        }
        run
    }
    let mut parents: Vec<usize> = (0..runs.len()).collect();
    // The first run of the previous line that may touch this run or a later one.
    let mut above = 0;
    for (index, run) in runs.iter().enumerate() {
        while runs[above].line + 1 < run.line || runs[above].line + 1 == run.line && runs[above].to < run.from {
            above += 1;
        }
        let touching = (above..index).take_while(|&a| runs[a].line < run.line && runs[a].from <= run.to);
        for other in touching {
            let (one, other) = (root(&mut parents, index), root(&mut parents, other));
            parents[one.max(other)] = one.min(other);
        }
    }
    let mut regions = Vec::with_capacity(cells);
    for (index, run) in runs.iter().enumerate() {
        let root = root(&mut parents, index);
        regions.extend((run.from..=run.to).map(|_| root));
    }
    regions
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{PointList, go, hex};
    use quickcheck::{TestResult, quickcheck};
    use std::collections::BTreeSet;

    fn values(list: &PointList) -> Vec<String> {
        list.compress().iter().map(Rect::to_string).collect()
    }

    /// Converts a picture, in which `#` is a point, into a list.
    fn picture(rows: &[&str]) -> PointList {
        let cells = rows.iter().enumerate().flat_map(|(y, row)| row.bytes().enumerate().map(move |(x, b)| (x, y, b)));
        cells.filter(|cell| cell.2 == b'#').filter_map(|(x, y, _)| go::Point::new(x as u8, y as u8)).collect()
    }

    #[test]
    fn a_full_board_is_one_rectangle() {
        for side in [1, 2, 19, 52] {
            let board: PointList =
                (0..side).flat_map(|x| (0..side).filter_map(move |y| go::Point::new(x, y))).collect();
            assert_eq!(board.compress().len(), 1, "{side}");
        }
        assert_eq!(<PointList>::new().compress(), []);
    }

    #[test]
    fn the_letters_of_the_specification_take_seven_values() {
        let raw = ["aa:bi", "ca:ee", "ge:ie", "ga:ia", "gc:ic", "gb", "ib"];
        let list: PointList = PointList::parse(raw).unwrap();
        assert!(list.compress().len() <= 7, "{:?}", values(&list));
    }

    #[test]
    fn each_region_is_split_in_the_better_direction() {
        // The left comb takes 5 values by rows and 3 by columns; the right one, rotated, 3 by rows and 5 by
        // columns.
        let combs = picture(&["#.#...#####", "#.#.....#..", "###...#####", "#.#........", "#.#........"]);
        assert_eq!(values(&combs), ["aa:ae", "ca:ce", "ga:ka", "ib", "bc", "gc:kc"]);
    }

    #[test]
    fn a_frame_takes_four_values() {
        assert_eq!(picture(&["#####", "#...#", "#...#", "#####"]).compress().len(), 4);
    }

    #[test]
    fn distant_points_cost_no_extra_work() {
        let corners: PointList<hex::Point> = PointList::parse(["crxp65536", "a1", "crxp1"]).unwrap();
        let values: Vec<_> = corners.compress().iter().map(Rect::to_string).collect();
        assert_eq!(values, ["a1", "crxp1", "crxp65536"]);
    }

    /// Returns the minimum number of rectangles for a small set of cells, by exhaustive search.
    fn fewest(cells: &BTreeSet<(u32, u32)>) -> usize {
        let Some(&(row, column)) = cells.first() else { return 0 };
        let mut best = cells.len();
        let mut width = u32::MAX;
        for last_row in row.. {
            let reach = (column..).take_while(|&c| cells.contains(&(last_row, c))).count() as u32;
            width = width.min(reach);
            if width == 0 {
                break;
            }
            for last_column in column..column + width {
                let mut rest = cells.clone();
                rest.retain(|cell| !((row..=last_row).contains(&cell.0) && (column..=last_column).contains(&cell.1)));
                best = best.min(1 + fewest(&rest));
            }
        }
        best
    }

    #[test]
    fn small_shapes_take_at_most_three_times_the_fewest() {
        // All shapes of 4 x 3 cells.
        let (mut ours, mut least) = (0, 0);
        for bits in 0..1u32 << 12 {
            let cells: BTreeSet<_> = (0..12).filter(|bit| bits >> bit & 1 == 1).map(|bit| (bit / 4, bit % 4)).collect();
            let list: PointList = cells.iter().filter_map(|&(y, x)| go::Point::from_grid(x, y)).collect();
            let (count, fewest) = (list.compress().len(), fewest(&cells));
            assert!(fewest <= count && count <= 3 * fewest, "{cells:?}");
            (ours, least) = (ours + count, least + fewest);
        }
        assert!(ours * 100 <= least * 101, "{ours} values, where {least} suffice");
    }

    quickcheck! {
        fn compressed_lists_have_the_same_points(list: PointList) -> bool {
            let values = values(&list);
            let expanded = <PointList>::parse(&values).unwrap();
            expanded.iter().collect::<BTreeSet<_>>() == list.iter().collect::<BTreeSet<_>>()
        }

        fn compressed_dense_lists_keep_points_and_order(cells: Vec<(u8, u8)>, rects: Vec<Rect<go::Point>>) -> TestResult {
            let dense = cells.iter().filter_map(|&(x, y)| go::Point::new(x % 8, y % 8));
            let list: PointList = dense.chain(rects.iter().take(3).flat_map(|rect| rect.points())).collect();
            let values = list.compress();
            let in_order = values.is_sorted_by_key(|rect| (rect.upper_left().y(), rect.upper_left().x()));
            let expanded = <PointList>::parse(values.iter().map(Rect::to_string)).unwrap();
            let same = expanded.iter().collect::<BTreeSet<_>>() == list.iter().collect::<BTreeSet<_>>();
            TestResult::from_bool(same && in_order)
        }
    }
}
