//! Where moves are played.

use maud::html;

use super::Report;
use crate::report::charts::{Heat, heat, point_name};
use crate::report::gather::{ERAS, SIDES, point_of};
use crate::report::view::{Section, Table, Value};
use crate::tables::{counted, grouped};

/// The least number of games of a board that is not the most frequent one.
const LEAST: u64 = 20;

pub(super) fn section(report: &Report) -> Section {
    let lead = "Larger and darker points were played more often. Games of Go only.";
    let mut section = Section::new("boards", "Where moves are played", lead);
    first(&mut section, report);
    let played = &report.sums.played;
    for (side, all_id, last_id) in SIDES
        .into_iter()
        .zip([("all-19", "last-19"), ("all-13", "last-13"), ("all-9", "last-9")])
        .map(|(side, (all, last))| (side, all, last))
    {
        let Some(map) = played.maps.get(&side).filter(|map| map.games > 0) else { continue };
        if map.games < LEAST && played.maps.values().any(|other| other.games > map.games) {
            continue;
        }
        let width = usize::from(side);
        for (id, title, counts) in [(all_id, "All moves", &map.all), (last_id, "Last moves", &map.last)] {
            let all = counts.iter().sum();
            let count = |x: u8, y: u8| counts[usize::from(y) * width + usize::from(x)];
            let title = format!("{title} on {side}×{side}, {}", counted(map.games, "game"));
            let picture = heat(&Heat { side, count: &count, all, is_quarter: false, title: title.clone() });
            let mut table = Table::new(["point", "moves", "share"]);
            let mut points: Vec<_> = (0..side).flat_map(|y| (0..side).map(move |x| (x, y))).collect();
            points.sort_by_key(|(x, y)| (std::cmp::Reverse(count(*x, *y)), *y, *x));
            for (x, y) in points.into_iter().filter(|(x, y)| count(*x, *y) > 0) {
                let share = Value::Share(count(x, y) as f64 / u64::max(all, 1) as f64);
                table.row([point_name(x, y, side).into(), count(x, y).into(), share]);
            }
            let _ = section.chart(id, title, html! { div .boards .one { (picture) } }, table);
        }
    }
    if played.maps.values().all(|map| map.games == 0) {
        section.missing("all", "All moves", "There are no moves of Go on 19×19, 13×13 or 9×9.");
    }
    section
}

/// First moves by era, in the upper right quarter.
fn first(section: &mut Section, report: &Report) {
    let eras = &report.sums.played.first;
    let title = "First moves on 19×19, by era";
    if eras.is_empty() {
        return section.missing("first", title, "There are no even games of Go on 19×19 that Black begins.");
    }
    let name = |era: &Option<u8>| era.map_or("undated", |era| ERAS.get(usize::from(era)).map_or("", |(_, name)| *name));
    // Dated ones in their order.
    let mut order: Vec<_> = eras.iter().collect();
    order.sort_by_key(|(era, _)| (era.is_none(), **era));
    let mut table = Table::new(["point", "all"].into_iter().chain(order.iter().map(|(era, _)| name(era))));
    let all_of = |rank: usize| eras.values().map(|counts| counts[rank]).sum::<u64>();
    let mut ranks: Vec<_> = (0..361).filter(|rank| all_of(*rank) > 0).collect();
    ranks.sort_by_key(|rank| (std::cmp::Reverse(all_of(*rank)), *rank));
    for rank in ranks {
        let (x, y) = point_of(rank as u16);
        let counts = order.iter().map(|(_, counts)| Value::Count(counts[rank]));
        table.row([point_name(x as u8, y as u8, 19).into(), all_of(rank).into()].into_iter().chain(counts));
    }
    let picture = html! {
        div .boards {
            @for (era, counts) in &order {
                // A point below the diagonal is equal to one above it.
                @let count = |x: u8, y: u8| {
                    let (from_right, from_top) = (18 - u16::from(x), u16::from(y));
                    counts[usize::from(from_right.min(from_top) * 19 + from_right.max(from_top))]
                };
                @let games = counts.iter().sum::<u64>();
                @let title = format!("First moves, {}", name(era));
                div {
                    (heat(&Heat { side: 19, count: &count, all: games, is_quarter: true, title }))
                    p { b { (name(era)) } " · " (grouped(games)) }
                }
            }
        }
    };
    let notes = section.chart("first", title, picture, table);
    notes.push(
        "All corners are turned and mirrored into the upper right one; both points of a pair are drawn.".to_owned(),
    );
}
