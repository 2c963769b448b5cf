//! Where moves are played.

use std::collections::BTreeMap;

use maud::html;
use sgf_search::Openings;
use sgf_stream::Game;
use sgf_stream::value::Color;

use super::Report;
use crate::report::charts::{Heat, heat, hex_heat, hex_name, point_name};
use crate::report::facts::{Ground, Side};
use crate::report::gather::{Map, SIDES};
use crate::report::view::{Section, Table, Value};
use crate::tables::{counted, grouped};

/// The least number of games of a board that is not the most frequent one.
const LEAST: u64 = 20;

/// The most boards of Hex that are drawn.
const MOST_HEX: usize = 2;

pub(super) fn section(report: &Report) -> Section {
    let maps = &report.sums.played.maps;
    let mut others: Vec<_> = maps.iter().filter(|(ground, map)| ground.game == Game::Hex && map.games > 0).collect();
    others.sort_by_key(|(ground, map)| (std::cmp::Reverse(map.games), **ground));
    let lead = match (report.go(), others.is_empty()) {
        (_, true) => report.only_go(),
        ((0, _), false) => "Hex games only.".to_owned(),
        _ => "Go and Hex games only.".to_owned(),
    };
    let lead = format!("Larger and darker points were played more often. {lead}");
    let mut section = Section::new("boards", "Where moves are played", lead);
    if report.go().0 > 0 || others.is_empty() {
        go(&mut section, report);
    }
    let most = maps.values().map(|map| map.games).max().unwrap_or(0);
    let shown = others.into_iter().filter(|(_, map)| map.games >= LEAST || map.games == most).take(MOST_HEX);
    for (n, (ground, map)) in shown.enumerate() {
        hex(&mut section, n + 1, *ground, map);
    }
    section
}

fn go(section: &mut Section, report: &Report) {
    first(section, report);
    let maps = &report.sums.played.maps;
    let of = |side: Side| maps.get(&Ground { game: Game::Go, side: Some(side) }).map(|map| (side, map));
    let shown: Vec<_> = SIDES.into_iter().filter_map(of).collect();
    let most = shown.iter().map(|(_, map)| map.games).max().unwrap_or(0);
    for (side, map) in shown.iter().filter(|(_, map)| map.games >= LEAST || map.games == most) {
        for (id, title, counts) in [("all", "All moves", &map.all), ("last", "Last moves", &map.last)] {
            let title = format!("{title} on {side}×{side}, {}", counted(map.games, "game"));
            let (side, width) = (*side, usize::from(*side));
            let count = |x: u8, y: u8| counts[usize::from(y) * width + usize::from(x)];
            let map = Heat { side, count: &count, all: counts.iter().sum(), is_quarter: false, title: title.clone() };
            let table = points(&map, |x, y| point_name(x, y, side));
            let _ = section.chart(format!("{id}-{side}"), title, html! { div .boards .one { (heat(&map)) } }, table);
        }
    }
    if shown.is_empty() {
        section.missing("all", "All moves", "There are no moves of Go on 19×19, 13×13 or 9×9.");
    }
}

fn hex(section: &mut Section, number: usize, ground: Ground, map: &Map) {
    let Some(side) = ground.side else { return };
    let (games, name) = (counted(map.games, "game"), ground.name());
    let at = |x: u8, y: u8| usize::from(y) * usize::from(side) + usize::from(x);
    // A board that is turned by half is the same one.
    let turned = |x: u8, y: u8| at(side - 1 - x, side - 1 - y);
    let first = |x: u8, y: u8| {
        let (one, other) = (at(x, y), turned(x, y));
        map.first[one] + if one == other { 0 } else { map.first[other] }
    };
    let all = |x: u8, y: u8| map.all[at(x, y)];
    let first_title = format!("First moves of {name}, {games}");
    let first = Heat { side, count: &first, all: map.games, is_quarter: false, title: first_title.clone() };
    // Of two points that are one, the table has the first.
    let once = |x: u8, y: u8| if at(x, y) <= turned(x, y) { (first.count)(x, y) } else { 0 };
    let table = points(&Heat { count: &once, title: String::new(), ..first }, hex_name);
    let notes = section.chart(
        format!("first-hex-{number}"),
        first_title,
        html! { div .boards .one { (hex_heat(&first)) } },
        table,
    );
    notes.push(
        "A point and the one that it becomes when the board is turned by 180° are one; both are drawn.".to_owned(),
    );
    let all_title = format!("All moves of {name}, {games}");
    let all = Heat { side, count: &all, all: map.all.iter().sum(), is_quarter: false, title: all_title.clone() };
    let table = points(&all, hex_name);
    let _ =
        section.chart(format!("all-hex-{number}"), all_title, html! { div .boards .one { (hex_heat(&all)) } }, table);
}

/// The points of a map, the most frequent ones first.
fn points(map: &Heat<'_>, name: impl Fn(u8, u8) -> String) -> Table {
    let mut table = Table::new(["point", "moves", "share"]);
    let mut points: Vec<_> = (0..map.side).flat_map(|y| (0..map.side).map(move |x| (x, y))).collect();
    points.sort_by_key(|(x, y)| (std::cmp::Reverse((map.count)(*x, *y)), *y, *x));
    for (x, y) in points.into_iter().filter(|(x, y)| (map.count)(*x, *y) > 0) {
        let share = Value::Share((map.count)(x, y) as f64 / u64::max(map.all, 1) as f64);
        table.row([name(x, y).into(), (map.count)(x, y).into(), share]);
    }
    table
}

/// The first moves of Black by point, as the columns and rows between it and the upper right corner: all of them, and by era.
type FirstMoves<'o> = BTreeMap<(u8, u8), (u64, BTreeMap<&'o str, u64>)>;

/// First moves by era, in the upper right quarter.
fn first(section: &mut Section, report: &Report) {
    let title = "First moves on 19×19, by era";
    let openings = report.sums.played.first.as_ref();
    let tree = openings.map(|openings| openings.tree(1));
    let nodes = tree.as_ref().map_or(&[][..], |tree| tree.nodes());
    let mut moves: FirstMoves = BTreeMap::new();
    for node in nodes.iter().filter(|node| node.color == Some(Color::Black)) {
        let Some(point) = node.point else { continue };
        let eras = node.groups.iter().map(|(era, sums)| (era.as_str(), sums.games)).collect();
        moves.insert((18 - point.x(), point.y()), (node.sums.games, eras));
    }
    if moves.is_empty() {
        return section.missing("first", title, "There are no even games of Go on 19×19 that Black begins.");
    }
    // Dated ones in their order.
    let eras = openings.map(Openings::groups).unwrap_or_default().into_iter().map(|(era, _)| era);
    let eras: Vec<&str> = eras.filter(|era| moves.values().any(|(_, of_era)| of_era.contains_key(era))).collect();
    let mut table = Table::new(["point", "all"].into_iter().chain(eras.iter().copied()));
    let mut rows: Vec<_> = moves.iter().collect();
    rows.sort_by_key(|(point, (all, _))| (std::cmp::Reverse(*all), **point));
    for ((from_right, from_top), (all, of_era)) in rows {
        let counts = eras.iter().map(|era| Value::Count(of_era.get(era).copied().unwrap_or(0)));
        table.row([point_name(18 - from_right, *from_top, 19).into(), (*all).into()].into_iter().chain(counts));
    }
    let picture = html! {
        div .boards {
            @for era in &eras {
                @let of_era = |point: (u8, u8)| moves.get(&point).and_then(|(_, of_era)| of_era.get(era)).copied().unwrap_or(0);
                // A point below the diagonal is equal to one above it.
                @let count = |x: u8, y: u8| of_era((y.min(18 - x), y.max(18 - x)));
                @let games = moves.keys().map(|point| of_era(*point)).sum::<u64>();
                @let title = format!("First moves, {era}");
                div {
                    (heat(&Heat { side: 19, count: &count, all: games, is_quarter: true, title }))
                    p { b { (era) } " · " (grouped(games)) }
                }
            }
        }
    };
    let notes = section.chart("first", title, picture, table);
    notes.push(
        "All corners are turned and mirrored into the upper right one; both points of a pair are drawn.".to_owned(),
    );
}
