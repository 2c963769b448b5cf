//! The archive as a whole, in numbers.

use maud::html;

use super::Report;
use crate::report::charts::percent;
use crate::report::view::{Section, Table, Value};
use crate::tables::grouped;

pub(super) fn section(report: &Report) -> Section {
    let sums = &report.sums;
    let total = sums.sources.total();
    let mut section = Section::new("overview", "Overview", "");
    let players = match sums.players.all.is_complete() {
        true => grouped(sums.players.all.len() as u64),
        false => format!("> {}", grouped(sums.players.all.len() as u64)),
    };
    let years = total.years.keys().next().zip(total.years.keys().next_back());
    let years_text = years.map_or("—".to_owned(), |(first, last)| match first == last {
        true => first.to_string(),
        false => format!("{first}–{last}"),
    });
    let dated: u64 = total.years.values().sum();
    let part = |part: u64, all: u64| if all == 0 { "—".to_owned() } else { percent(part as f64 / all as f64) };
    let (compared, copies) = sums.copies.compared();
    let of = |count: u64, one, many| if count == 1 { one } else { many };
    let tiles = [
        (
            grouped(total.games),
            of(total.games, "game", "games"),
            format!("in {}", crate::tables::counted(sums.inputs, "file")),
        ),
        (grouped(total.nodes), of(total.nodes, "node", "nodes"), "variations included".to_owned()),
        (bytes(total.bytes), "in files", "decompressed".to_owned()),
        (players, "players", "different names".to_owned()),
        (years_text, "years", format!("{} of games are dated", part(dated, total.games))),
        (
            part(total.clean, total.checked),
            "clean",
            if total.checked == total.games { "games without a diagnostic" } else { "of a sample of games" }.to_owned(),
        ),
        (part(copies, compared), "duplicates", "games that are copies of another".to_owned()),
        (seconds(report.seconds), "reading time", "all cores".to_owned()),
    ];
    let picture = html! {
        div .tiles {
            @for (value, what, more) in &tiles {
                div .tile { strong { (value) } span { (what) } small { (more) } }
            }
        }
    };
    let mut table = Table::new(["what", "value"]);
    let share = |part: u64, all: u64| if all == 0 { Value::Null } else { Value::Share(part as f64 / all as f64) };
    let year = |year: Option<&i32>| year.map(|year| Value::Year(*year)).into();
    for (what, value) in [
        ("inputs", Value::Count(sums.inputs)),
        ("inputs that could not be read", Value::Count(sums.unreadable)),
        ("games", Value::Count(total.games)),
        ("nodes", Value::Count(total.nodes)),
        ("bytes", Value::Count(total.bytes)),
        ("players", Value::Count(sums.players.all.len() as u64)),
        ("first year", year(total.years.keys().next())),
        ("last year", year(total.years.keys().next_back())),
        ("dated games", Value::Count(dated)),
        ("games of impossible years", Value::Count(total.odd_years.values().sum())),
        ("checked games", Value::Count(total.checked)),
        ("clean games", Value::Count(total.clean)),
        ("share of clean games", share(total.clean, total.checked)),
        ("games compared", Value::Count(compared)),
        ("share of copies", share(copies, compared)),
    ] {
        table.row([what.into(), value]);
    }
    let notes = section.chart("tiles", "", picture, table);
    notes.extend(sums.players.limit());
    if sums.unreadable > 0 {
        let names: Vec<_> =
            sums.unreadable_names.0.iter().take(5).map(|(name, error)| format!("{name} ({error})")).collect();
        let more = if sums.unreadable > names.len() as u64 { ", …" } else { "" };
        notes.push(format!(
            "{} could not be read: {}{more}",
            crate::tables::counted(sums.unreadable, "input"),
            names.join(", ")
        ));
    }
    section
}

fn bytes(bytes: u64) -> String {
    let units = ["bytes", "kB", "MB", "GB", "TB"];
    let (mut value, mut unit) = (bytes as f64, 0);
    while value >= 1000.0 && unit + 1 < units.len() {
        value /= 1000.0;
        unit += 1;
    }
    match unit {
        0 => format!("{bytes} {}", units[unit]),
        _ => format!("{value:.1} {}", units[unit]),
    }
}

fn seconds(seconds: f64) -> String {
    match seconds {
        ..1.0 => format!("{:.0} ms", seconds * 1000.0),
        ..120.0 => format!("{seconds:.1} s"),
        _ => format!("{:.0} min", seconds / 60.0),
    }
}
