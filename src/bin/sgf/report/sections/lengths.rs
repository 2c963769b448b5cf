//! How long games are.

use std::collections::BTreeMap;

use super::{Report, labels};
use crate::report::charts::{Columns, Lines, Point, columns, lines};
use crate::report::facts::Side;
use crate::report::gather::Lengths;
use crate::report::stats::{Buckets, quantile};
use crate::report::view::{Section, Table, Value};

/// The number of moves that a column of the histogram has.
const MOVES: usize = 10;

/// The least number of games of a board that is not the most frequent one.
const LEAST_OF_BOARD: u64 = 20;

/// The least number of games for which a median is drawn.
const LEAST: u64 = 5;

pub(super) fn section(report: &Report) -> Section {
    let lead = "Moves of the main line, of games of Go whose result is known: problems and fragments have none.";
    let mut section = Section::new("length", "Length of games", lead);
    let mut boards: BTreeMap<Side, Lengths> = BTreeMap::new();
    for ((side, _), lengths) in &report.sums.played.lengths {
        boards.entry(*side).or_default().merge(lengths);
    }
    let mut boards: Vec<_> = boards.into_iter().collect();
    boards.sort_by_key(|(side, lengths)| (std::cmp::Reverse(lengths.games()), *side));
    if boards.is_empty() {
        section.missing("length", "Moves", "No game of Go has moves and a result.");
    }
    // A few games on an unusual board say nothing.
    let usual = boards.iter().enumerate().filter(|(n, (_, lengths))| *n == 0 || lengths.games() >= LEAST_OF_BOARD);
    let boards: Vec<_> = usual.map(|(_, board)| board).collect();
    let ids =
        [("length-1", "length-over-time-1"), ("length-2", "length-over-time-2"), ("length-3", "length-over-time-3")];
    for ((side, lengths), (id, over_time_id)) in boards.into_iter().zip(ids) {
        histogram(&mut section, id, *side, lengths);
        over_time(&mut section, over_time_id, *side, report);
    }
    section
}

fn histogram(section: &mut Section, id: &'static str, side: Side, lengths: &Lengths) {
    let counts = lengths.counts();
    let values: Vec<u64> = counts.chunks(MOVES).map(|chunk| chunk.iter().sum()).collect();
    let labels: Vec<_> = (0..values.len()).map(|n| (n * MOVES).to_string()).collect();
    let mut table = Table::new(["moves from", "games"]);
    labels.iter().zip(&values).for_each(|(label, games)| table.row([label.clone().into(), (*games).into()]));
    let chart = Columns::histogram(labels, values);
    let of = |fraction| quantile(&counts, fraction).unwrap_or(0.0);
    let notes = section.chart(id, format!("Moves on {side}×{side}"), columns(&chart), table);
    notes.push(format!(
        "Median of {}: {} moves; half of them have {} to {}. The last column counts all longer games.",
        crate::tables::counted(lengths.games(), "game"),
        of(0.5),
        of(0.25),
        of(0.75)
    ));
}

fn over_time(section: &mut Section, id: &'static str, side: Side, report: &Report) {
    let of_side = || {
        let all = report.sums.played.lengths.iter();
        all.filter_map(|((board, year), lengths)| (*board == side).then_some(((*year)?, lengths)))
    };
    let title = format!("Median over time on {side}×{side}");
    let Some(buckets) = Buckets::of(of_side().map(|(year, lengths)| (year, lengths.games()))) else {
        return section.missing(id, title, "None of these games has a date (DT).");
    };
    let mut sums = vec![Lengths::default(); buckets.len];
    for (year, lengths) in of_side() {
        if let Some(index) = buckets.index(year) {
            sums[index].merge(lengths);
        }
    }
    let mut table = Table::new([buckets.unit(), "games", "median", "first quarter", "third quarter"]);
    let mut points = Vec::new();
    for (n, lengths) in sums.iter().enumerate() {
        let counts = lengths.counts();
        let of = |fraction| quantile(&counts, fraction);
        let cell = |fraction| of(fraction).map_or(Value::Null, Value::Number);
        table.row([buckets.name(n).into(), lengths.games().into(), cell(0.5), cell(0.25), cell(0.75)]);
        let games = lengths.games();
        let point = of(0.5).zip(of(0.25)).zip(of(0.75)).filter(|_| games >= LEAST);
        points.push(point.map(|((value, low), high)| Point { value, low, high, games }));
    }
    if points.iter().flatten().next().is_none() {
        return section.missing(id, title, format!("No {} has {LEAST} of these games.", buckets.unit()));
    }
    let chart = Lines { labels: labels(buckets), points, is_share: false, connects: true };
    let notes = section.chart(id, title, lines(&chart), table);
    notes.push("A dot is the median; half of the games are in the bar.".to_owned());
}
