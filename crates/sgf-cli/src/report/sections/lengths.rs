//! How long games are.

use std::collections::BTreeMap;

use sgf_stream::Game;

use super::Report;
use super::figures::{self, labels};
use crate::report::charts::{Lines, Point, lines};
use crate::report::facts::Ground;
use crate::report::gather::{Lengths, MOST_MOVES, Sum};
use crate::report::stats::{Buckets, quantile};
use crate::report::view::{Section, Table, Value};

/// The number of moves that a column of the histogram has.
const MOVES: usize = 10;

/// The least number of games of a board that is not the most frequent one.
const LEAST_OF_BOARD: u64 = 20;

/// The most boards that are drawn.
const MOST_BOARDS: usize = 4;

/// The least number of games for which a median is drawn.
const LEAST: u64 = 5;

pub(super) fn section(report: &Report) -> Section {
    let go = "Moves of the main line in Go games with a known result; problems and fragments have none.";
    let lead = match report.go() {
        (0, 1..) => "Moves of the main line in all games with moves.".to_owned(),
        (go_games, all) if go_games < all => format!("{go} All other games with moves are counted."),
        _ => go.to_owned(),
    };
    let mut section = Section::new("length", "Length of games", lead);
    let mut boards: BTreeMap<Ground, Lengths> = BTreeMap::new();
    for ((ground, _), lengths) in report.sums.played.lengths.sorted() {
        boards.entry(*ground).or_default().add(lengths.clone());
    }
    let mut boards: Vec<_> = boards.into_iter().collect();
    boards.sort_by_key(|(ground, lengths)| (std::cmp::Reverse(lengths.games()), *ground));
    if boards.is_empty() {
        let why = match report.go() {
            (0, 1..) => "No game has moves.",
            _ => "No game of Go has moves and a result.",
        };
        section.missing("length", "Moves", why);
    }
    // A few games on an unusual board say nothing.
    let usual = boards.iter().enumerate().filter(|(n, (_, lengths))| *n == 0 || lengths.games() >= LEAST_OF_BOARD);
    let boards: Vec<_> = usual.map(|(_, board)| board).collect();
    let left_out = boards.len().saturating_sub(MOST_BOARDS);
    for (n, (ground, lengths)) in boards.into_iter().take(MOST_BOARDS).enumerate() {
        let notes = histogram(&mut section, format!("length-{}", n + 1), *ground, lengths);
        if n == 0 {
            notes.extend(report.sums.played.lengths.limit("boards and years"));
            if left_out > 0 {
                notes.push(format!("The {MOST_BOARDS} boards with most games are shown; {left_out} are not."));
            }
        }
        over_time(&mut section, format!("length-over-time-{}", n + 1), *ground, report);
    }
    section
}

/// `on 19×19`, `of Hex, 11×11`
fn place(ground: Ground) -> String {
    let preposition = if ground.game == Game::Go { "on" } else { "of" };
    format!("{preposition} {}", ground.name())
}

fn histogram<'s>(section: &'s mut Section, id: String, ground: Ground, lengths: &Lengths) -> &'s mut Vec<String> {
    let counts = lengths.counts();
    let chunks = counts.chunks(MOVES).enumerate();
    let games = chunks.map(|(n, chunk)| ((n * MOVES).to_string(), chunk.iter().sum())).collect();
    let of = |fraction| quantile(&counts, fraction).unwrap_or(0.0);
    let title = format!("Moves {}", place(ground));
    let alone = format!("fewer than {MOVES} moves");
    let notes = figures::histogram(section, (id, title), "moves from", games, &alone);
    let last = if counts.len() > MOST_MOVES { " The last column counts all longer games." } else { "" };
    notes.push(format!(
        "Median of {}: {} moves; half of them have {} to {}.{last}",
        crate::tables::counted(lengths.games(), "game"),
        of(0.5),
        of(0.25),
        of(0.75)
    ));
    notes
}

fn over_time(section: &mut Section, id: String, ground: Ground, report: &Report) {
    let all = report.sums.played.lengths.sorted().into_iter();
    let by_year: BTreeMap<i32, &Lengths> =
        all.filter_map(|((board, year), lengths)| (*board == ground).then_some(((*year)?, lengths))).collect();
    let title = format!("Median over time {}", place(ground));
    let Some(buckets) = Buckets::of(by_year.iter().map(|(year, lengths)| (*year, lengths.games()))) else {
        return section.missing(id, title, "None of these games has a date (DT).");
    };
    let mut sums = vec![Lengths::default(); buckets.len];
    for (year, lengths) in by_year {
        if let Some(index) = buckets.index(year) {
            sums[index].add(lengths.clone());
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
