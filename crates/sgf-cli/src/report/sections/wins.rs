//! Wins for each komi and handicap, and the kinds of results.

use std::collections::BTreeMap;

use sgf_stream::Game;

use super::figures::{self, Bars, LEAST, Shares, by_bucket, labels};
use super::{OTHERS, Report};
use crate::report::charts::{BLACK, Bar, Columns, DRAW, Series, WHITE, columns, number, percent};
use crate::report::facts::{Ground, Side};
use crate::report::gather::{MOST_MARGIN, Others, Sum, Wins};
use crate::report::stats::Buckets;
use crate::report::view::{Section, Value};
use crate::tables::{counted, grouped};

/// The most values of komi that are drawn.
const MOST_KOMI: usize = 14;

/// The most boards of other games than Go that are drawn, and of such games whose kinds of results are.
const MOST_OTHERS: usize = 12;
const MOST_GAMES: usize = 3;

const INTERVALS: &str = "A dot is the share of decided games that Black won; the bar is the interval in which the true share is \
    with 95 % confidence (Wilson’s). Draws are not counted.";

pub(super) fn by_komi(report: &Report) -> Section {
    let results = &report.sums.results;
    let lead = match (report.go(), results.others.is_empty()) {
        ((0, 1..), _) => "How often Black wins, on each board.",
        (_, false) => "How komi and handicap balance Go games, and how often Black wins other games.",
        _ => "How komi and handicap balance the game. Go games only.",
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
        let why = format!("Fewer than {LEAST} even Go games have a winner (RE) and a komi (KM).");
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
    let mut shares = Shares::new("game");
    by_ground.iter().for_each(|(ground, sums)| shares.row(ground.name().into(), &sums.wins));
    shown.sort_by_key(|(ground, sums)| (std::cmp::Reverse(sums.wins.decided()), **ground));
    shown.truncate(MOST_OTHERS);
    shown.sort_by_key(|(ground, _)| **ground);
    shown.iter().for_each(|(ground, sums)| shares.point(ground.name(), &sums.wins));
    let begun: u64 = by_ground.values().map(|sums| sums.begun).sum();
    let white: u64 = by_ground.values().map(|sums| sums.white_begins).sum();
    let notes = shares.add(section, "wins-other", "Games other than Go", false);
    notes.push(format!("{INTERVALS} Boards with fewer than {LEAST} decided games are in the table only."));
    if white > 0 {
        notes.push(format!("In {} of {} White plays first.", grouped(white), counted(begun, "game")));
    }
}

fn komi(section: &mut Section, side: Side, of_side: &BTreeMap<i32, Wins>) {
    let value = |komi: i32| f64::from(komi) / 100.0;
    let mut shares = Shares::new("komi");
    of_side.iter().for_each(|(komi, wins)| shares.row(Value::Number(value(*komi)), wins));
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
    shown.iter().for_each(|(komi, wins)| shares.point(number(value(**komi)), wins));
    let notes = shares.add(section, id, title, false);
    notes.push(format!("Even games. {INTERVALS} Komi with fewer than {LEAST} games are in the table only."));
}

fn handicap(section: &mut Section, by_stones: &BTreeMap<u8, Wins>) {
    let has_handicap = by_stones.iter().any(|(stones, wins)| *stones > 0 && wins.decided() >= LEAST);
    if !has_handicap {
        let why = format!("No handicap (HA) has {LEAST} games on 19×19 with a winner.");
        return section.missing("handicap", "By handicap", why);
    }
    let mut shares = Shares::new("stones");
    for (stones, wins) in by_stones {
        shares.row(Value::Count((*stones).into()), wins);
        shares.point(if *stones == 0 { "even".to_owned() } else { stones.to_string() }, wins);
    }
    shares.add(section, "handicap", "By handicap, 19×19", false).push(INTERVALS.to_owned());
}

fn over_time(section: &mut Section, years: &BTreeMap<i32, Wins>) {
    let Some(buckets) = Buckets::of(years.iter().map(|(year, wins)| (*year, wins.decided()))) else {
        let why = "No even game on 19×19 has a winner (RE) and a date (DT).";
        return section.missing("wins-over-time", "Over time", why);
    };
    let mut sums = vec![Wins::default(); buckets.len];
    for (year, wins) in years {
        if let Some(index) = buckets.index(*year) {
            sums[index].add(*wins);
        }
    }
    let mut shares = Shares::new(buckets.unit());
    for (n, wins) in sums.iter().enumerate() {
        shares.row(buckets.name(n).into(), wins);
        shares.point(buckets.name(n), wins);
    }
    if shares.is_empty() {
        let why = format!("No {} has {LEAST} even games on 19×19 with a winner.", buckets.unit());
        return section.missing("wins-over-time", "Over time", why);
    }
    let title = format!("By {}, even games on 19×19", buckets.unit());
    let notes = shares.add(section, "wins-over-time", title, true);
    notes.push("With and without komi, according to the custom of the time.".to_owned());
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
    ("unknown", "declared unknown"),
    ("not given", "missing or unreadable"),
];

pub(super) fn results(report: &Report) -> Section {
    let results = &report.sums.results;
    let lead = match report.go() {
        (0, 1..) => "How games ended, according to RE.".to_owned(),
        _ => format!("How games ended, according to RE. Margins and winners: {}", report.only_go()),
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
        section.missing("kinds", "Kinds of results", "There are no Go games.");
    }
    for (n, (game, of_game)) in others.into_iter().take(MOST_GAMES).enumerate() {
        kinds(&mut section, format!("kinds-other-{}", n + 1), format!("Kinds of results, {game}"), of_game);
    }
    if go.is_none() {
        return section;
    }
    if results.margins.iter().sum::<u64>() == 0 {
        section.missing("margins", "Margins", "No Go game has a margin in points (RE).");
        by_time(&mut section, report);
        return section;
    }
    let last = results.margins.iter().rposition(|games| *games > 0).unwrap_or(0);
    let label = |points: usize| if points == MOST_MARGIN { format!("≥ {points}") } else { points.to_string() };
    let games = results.margins[..=last].iter().enumerate().map(|(points, games)| (label(points), *games)).collect();
    let title = "Margins in points".to_owned();
    let notes = figures::histogram(&mut section, ("margins", title), "points", games, "less than one point");
    notes.push("Half points are rounded down: 0.5 counts as 0, and 7.5 as 7.".to_owned());
    by_time(&mut section, report);
    section
}

/// How the games of one kind ended.
fn kinds(section: &mut Section, id: String, title: String, kinds: &BTreeMap<&str, u64>) {
    let all: u64 = kinds.values().sum();
    let mut bars = Bars::new(["result", "games", "share"], KINDS.len());
    for (n, (word, name)) in KINDS.into_iter().enumerate() {
        let games = kinds.get(word).copied().unwrap_or(0);
        if games > 0 {
            let share = games as f64 / all as f64;
            let text = format!("{} · {}", grouped(games), percent(share));
            let bar = Bar { label: name.to_owned(), value: games as f64, text, color: if n < 5 { 0 } else { OTHERS } };
            bars.row([name.into(), games.into(), Value::Share(share)], |_| bar);
        }
    }
    bars.add(section, &id, title);
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
    let table = figures::table(buckets, &series, None);
    let title = format!("Winners per {}, even games on 19×19", buckets.unit());
    if games.iter().all(|games| *games < LEAST) {
        return section.missing("winners", title, format!("No {} has {LEAST} of these games.", buckets.unit()));
    }
    let series = series.map(|series| Series { values: shown(&series.values), ..series });
    let labels = labels(buckets);
    let chart = Columns { labels, series: series.into(), is_histogram: false, what: "games", is_relative: true };
    let notes = section.chart("winners", title, columns(&chart), table);
    notes.push(format!("A {} with fewer than {LEAST} games is in the table only.", buckets.unit()));
}
