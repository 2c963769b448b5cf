//! Wins by komi and handicap, and the kinds of results.

use std::collections::BTreeMap;

use sgf_stream::Game;

use super::{OTHERS, Report, by_bucket, labels};
use crate::report::charts::{BLACK, Bar, Columns, DRAW, Lines, Point, Series, WHITE, bars, columns, lines, percent};
use crate::report::facts::{Ground, Side};
use crate::report::gather::{MOST_MARGIN, Others, Wins};
use crate::report::stats::{Buckets, Share};
use crate::report::view::{Section, Table, Value};
use crate::tables::{counted, grouped};

/// The least number of decided games for which a share is drawn.
const LEAST: u64 = 10;

/// The most values of komi that are drawn.
const MOST_KOMI: usize = 14;

/// The most boards of other games than Go that are drawn, and of such games whose kinds of results are.
const MOST_OTHERS: usize = 12;
const MOST_GAMES: usize = 3;

const INTERVALS: &str = "A dot is the share of decided games that Black won; the bar is the interval in which the true share is \
    with 95 % confidence (Wilson’s). Draws are not counted.";

/// A row of a table of shares: a name, and its wins.
fn row(table: &mut Table, name: Value, wins: &Wins) {
    let share = Share::of(wins.black, wins.decided());
    let of = |share: Option<f64>| share.map_or(Value::Null, Value::Share);
    table.row([
        name,
        wins.decided().into(),
        wins.black.into(),
        wins.white.into(),
        wins.draws.into(),
        of(share.map(|share| share.share)),
        of(share.map(|share| share.low)),
        of(share.map(|share| share.high)),
    ]);
}

fn table(name: &str) -> Table {
    Table::new([name, "decided games", "Black won", "White won", "draws", "Black’s share", "from", "to"])
}

fn point(wins: &Wins) -> Option<Point> {
    let share = Share::of(wins.black, wins.decided()).filter(|_| wins.decided() >= LEAST)?;
    Some(Point { value: share.share, low: share.low, high: share.high, games: wins.decided() })
}

pub(super) fn by_komi(report: &Report) -> Section {
    let results = &report.sums.results;
    let lead = match (report.go(), results.others.is_empty()) {
        ((0, 1..), _) => "How often Black wins, on each board.",
        (_, false) => "How komi and handicap balance games of Go, and how often Black wins other games.",
        _ => "How komi and handicap balance the game. Games of Go only.",
    };
    let mut section = Section::new("wins", "Black’s share of wins", lead);
    others(&mut section, &results.others);
    if let ((0, 1..), true) = (report.go(), !section.figures.is_empty()) {
        // Nobody looks for komi here.
        return section;
    }
    let of_others = std::mem::take(&mut section.figures);
    let mut boards: BTreeMap<Side, BTreeMap<i32, Wins>> = BTreeMap::new();
    for ((side, komi), [_, black, white, draws]) in results.komi.sorted() {
        boards.entry(*side).or_default().insert(*komi, Wins { black: *black, white: *white, draws: *draws });
    }
    let decided = |of_side: &BTreeMap<i32, Wins>| of_side.values().map(Wins::decided).sum::<u64>();
    let mut boards: Vec<_> = boards.into_iter().filter(|(_, of_side)| decided(of_side) >= LEAST).collect();
    boards.sort_by_key(|(side, of_side)| (std::cmp::Reverse(decided(of_side)), *side));
    for (side, of_side) in boards.iter().take(3) {
        komi(&mut section, *side, of_side);
    }
    if boards.is_empty() {
        let why = format!("Fewer than {LEAST} even games of Go have a winner (RE) and a komi (KM).");
        section.missing("komi", "By komi", why);
    }
    handicap(&mut section, &results.handicap);
    over_time(&mut section, &results.years);
    section.figures.extend(of_others);
    section
}

/// Games other than Go, by their boards.
fn others(section: &mut Section, by_ground: &BTreeMap<Ground, Others>) {
    let mut shown: Vec<_> = by_ground.iter().filter(|(_, sums)| sums.wins.decided() >= LEAST).collect();
    if shown.is_empty() {
        return;
    }
    let mut table = table("game");
    by_ground.iter().for_each(|(ground, sums)| row(&mut table, ground.name().into(), &sums.wins));
    shown.sort_by_key(|(ground, sums)| (std::cmp::Reverse(sums.wins.decided()), **ground));
    shown.truncate(MOST_OTHERS);
    shown.sort_by_key(|(ground, _)| **ground);
    let chart = Lines {
        labels: shown.iter().map(|(ground, _)| ground.name()).collect(),
        points: shown.iter().map(|(_, sums)| point(&sums.wins)).collect(),
        is_share: true,
        connects: false,
    };
    let begun: u64 = by_ground.values().map(|sums| sums.begun).sum();
    let white: u64 = by_ground.values().map(|sums| sums.white_begins).sum();
    let notes = section.chart("wins-other", "Games other than Go", lines(&chart), table);
    notes.push(format!("{INTERVALS} Boards with fewer than {LEAST} decided games are in the table only."));
    if white > 0 {
        notes.push(format!("In {} of {} White makes the first move.", grouped(white), counted(begun, "game")));
    }
}

fn komi(section: &mut Section, side: Side, of_side: &BTreeMap<i32, Wins>) {
    let mut table = table("komi");
    of_side.iter().for_each(|(komi, wins)| row(&mut table, Value::Number(f64::from(*komi) / 100.0), wins));
    // The most frequent ones, in order.
    let mut shown: Vec<_> = of_side.iter().filter(|(_, wins)| wins.decided() >= LEAST).collect();
    shown.sort_by_key(|(komi, wins)| (std::cmp::Reverse(wins.decided()), **komi));
    shown.truncate(MOST_KOMI);
    shown.sort_by_key(|(komi, _)| **komi);
    let title = format!("By komi, {side}×{side}");
    let id = if side == 19 {
        "komi-19"
    } else if side == 9 {
        "komi-9"
    } else if side == 13 {
        "komi-13"
    } else {
        "komi-other"
    };
    if shown.is_empty() {
        return section.missing(id, title, format!("No komi has {LEAST} decided games."));
    }
    let chart = Lines {
        labels: shown.iter().map(|(komi, _)| crate::report::charts::number(f64::from(**komi) / 100.0)).collect(),
        points: shown.iter().map(|(_, wins)| point(wins)).collect(),
        is_share: true,
        connects: false,
    };
    let notes = section.chart(id, title, lines(&chart), table);
    notes.push(format!("Even games. {INTERVALS} Komi with fewer than {LEAST} games are in the table only."));
}

fn handicap(section: &mut Section, by_stones: &BTreeMap<u8, Wins>) {
    let has_handicap = by_stones.iter().any(|(stones, wins)| *stones > 0 && wins.decided() >= LEAST);
    if !has_handicap {
        let why = format!("Fewer than {LEAST} games on 19×19 with a winner have one number of handicap stones (HA).");
        return section.missing("handicap", "By handicap", why);
    }
    let mut table = table("stones");
    by_stones.iter().for_each(|(stones, wins)| row(&mut table, Value::Count((*stones).into()), wins));
    let labels = by_stones.keys().map(|stones| if *stones == 0 { "even".to_owned() } else { stones.to_string() });
    let points = by_stones.values().map(point).collect();
    let chart = Lines { labels: labels.collect(), points, is_share: true, connects: false };
    section.chart("handicap", "By handicap, 19×19", lines(&chart), table).push(INTERVALS.to_owned());
}

fn over_time(section: &mut Section, years: &BTreeMap<i32, Wins>) {
    let Some(buckets) = Buckets::of(years.iter().map(|(year, wins)| (*year, wins.decided()))) else {
        let why = "No even game on 19×19 has a winner (RE) and a date (DT).";
        return section.missing("wins-over-time", "Over time", why);
    };
    let mut sums = vec![Wins::default(); buckets.len];
    for (year, wins) in years {
        if let Some(index) = buckets.index(*year) {
            sums[index].merge(*wins);
        }
    }
    let points: Vec<_> = sums.iter().map(point).collect();
    if points.iter().flatten().next().is_none() {
        let why = format!("No {} has {LEAST} even games on 19×19 with a winner.", buckets.unit());
        return section.missing("wins-over-time", "Over time", why);
    }
    let mut table = table(buckets.unit());
    sums.iter().enumerate().for_each(|(n, wins)| row(&mut table, buckets.name(n).into(), wins));
    let chart = Lines { labels: labels(buckets), points, is_share: true, connects: true };
    let notes =
        section.chart("wins-over-time", format!("By {}, even games on 19×19", buckets.unit()), lines(&chart), table);
    notes.push("With and without komi, as it was played at the time.".to_owned());
}

/// The words of results, their names, and their order.
const KINDS: [(&str, &str); 9] = [
    ("resign", "resignation"),
    ("points", "points"),
    ("time", "time"),
    ("forfeit", "forfeit"),
    ("winner only", "winner known, but not how"),
    ("draw", "draw"),
    ("void", "no result"),
    ("unknown", "said to be unknown"),
    ("not given", "not given, or not readable"),
];

pub(super) fn results(report: &Report) -> Section {
    let results = &report.sums.results;
    let lead = match report.go() {
        (0, 1..) => "How games ended, by the property RE.".to_owned(),
        _ => format!("How games ended, by the property RE. Margins and winners: {}", lowered(&report.only_go())),
    };
    let mut section = Section::new("results", "Results", lead);
    let all = |kinds: &BTreeMap<&str, u64>| kinds.values().sum::<u64>();
    let mut others: Vec<_> =
        results.kinds.iter().filter(|(game, kinds)| **game != Game::Go && all(kinds) >= LEAST).collect();
    others.sort_by_key(|(game, kinds)| (std::cmp::Reverse(all(kinds)), **game));
    let go = results.kinds.get(&Game::Go);
    if let Some(of_go) = go {
        let title = if results.kinds.len() > 1 { "Kinds of results, Go" } else { "Kinds of results" };
        kinds(&mut section, "kinds".to_owned(), title.to_owned(), of_go);
    } else if others.is_empty() {
        section.missing("kinds", "Kinds of results", "There are no games of Go.");
    }
    for (n, (game, of_game)) in others.into_iter().take(MOST_GAMES).enumerate() {
        kinds(&mut section, format!("kinds-other-{}", n + 1), format!("Kinds of results, {game}"), of_game);
    }
    if go.is_none() {
        return section;
    }
    if results.margins.iter().sum::<u64>() == 0 {
        section.missing("margins", "Margins", "No game of Go says by how many points it was won.");
        by_time(&mut section, report);
        return section;
    }
    let last = results.margins.iter().rposition(|games| *games > 0).unwrap_or(0);
    let values: Vec<u64> = results.margins[..=last].to_vec();
    let label = |points: usize| if points == MOST_MARGIN { format!("≥ {points}") } else { points.to_string() };
    let labels: Vec<_> = (0..=last).map(label).collect();
    let mut table = Table::new(["points", "games"]);
    labels.iter().zip(&values).for_each(|(label, games)| table.row([label.clone().into(), (*games).into()]));
    // Without others, the number of a column is not clear.
    let labels = if last == 0 { vec!["less than one point".to_owned()] } else { labels };
    let chart = Columns::histogram(labels, values);
    let notes = section.chart("margins", "Margins of games won by points", columns(&chart), table);
    notes.push("Half points are rounded down: 0.5 counts as 0, and 7.5 as 7.".to_owned());
    by_time(&mut section, report);
    section
}

/// A sentence in the middle of another one.
fn lowered(sentence: &str) -> String {
    sentence[..1].to_lowercase() + &sentence[1..]
}

/// How the games of one kind ended.
fn kinds(section: &mut Section, id: String, title: String, kinds: &BTreeMap<&str, u64>) {
    let all: u64 = kinds.values().sum();
    let mut table = Table::new(["result", "games", "share"]);
    let mut rows = Vec::new();
    for (n, (word, name)) in KINDS.into_iter().enumerate() {
        let games = kinds.get(word).copied().unwrap_or(0);
        if games > 0 {
            let share = games as f64 / all as f64;
            table.row([name.into(), games.into(), Value::Share(share)]);
            let text = format!("{} · {}", grouped(games), percent(share));
            rows.push(Bar { label: name.to_owned(), value: games as f64, text, color: if n < 5 { 0 } else { OTHERS } });
        }
    }
    section.chart(id, title, bars(&rows, None), table);
}

/// Years of decided games, so that the section says how many there are.
fn by_time(section: &mut Section, report: &Report) {
    let years = &report.sums.results.years;
    let Some(buckets) = Buckets::of(years.iter().map(|(year, wins)| (*year, wins.decided() + wins.draws))) else {
        return;
    };
    let of = |count: fn(&Wins) -> u64| by_bucket(buckets, years.iter().map(|(year, wins)| (*year, count(wins))));
    let games = of(|wins| wins.decided() + wins.draws);
    // Of a few games nobody should see a share.
    let shown = |values: &[u64]| {
        values.iter().zip(&games).map(|(value, games)| if *games < LEAST { 0 } else { *value }).collect::<Vec<u64>>()
    };
    let series = [
        Series { name: "Black won".to_owned(), color: BLACK, values: of(|wins| wins.black) },
        Series { name: "White won".to_owned(), color: WHITE, values: of(|wins| wins.white) },
        Series { name: "draw".to_owned(), color: DRAW, values: of(|wins| wins.draws) },
    ];
    let labels = labels(buckets);
    let mut table = Table::new([buckets.unit(), "Black won", "White won", "draw"]);
    for (n, label) in labels.iter().enumerate() {
        table.row([Value::from(label.clone())].into_iter().chain(series.iter().map(|series| series.values[n].into())));
    }
    let title = format!("Winners by {}, even games on 19×19", buckets.unit());
    if games.iter().all(|games| *games < LEAST) {
        return section.missing("winners", title, format!("No {} has {LEAST} of these games.", buckets.unit()));
    }
    let series = series.map(|series| Series { values: shown(&series.values), ..series });
    let chart = Columns { labels, series: series.into(), is_histogram: false, what: "games", is_relative: true };
    let notes = section.chart("winners", title, columns(&chart), table);
    notes.push(format!("A {} with fewer than {LEAST} games is in the table only.", buckets.unit()));
}
