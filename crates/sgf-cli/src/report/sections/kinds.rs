//! The programs that wrote the files, and the games that are played.

use std::collections::BTreeMap;

use sgf_stream::Game;

use super::figures::{self, Bars};
use super::{OTHERS, Report, first_and_last};
use crate::report::charts::{Bar, Series, bars, percent};
use crate::report::gather::{Kind, Program, Sum};
use crate::report::stats::Buckets;
use crate::report::view::{Section, Table, Value};
use crate::tables::grouped;

pub(super) fn section(report: &Report) -> Section {
    let lead = "The programs that wrote the files (AP), and the kinds of games (GM).";
    let mut section = Section::new("programs", "Programs and games", lead);
    programs(&mut section, report);
    games(&mut section, report);
    section
}

fn programs(section: &mut Section, report: &Report) {
    let kinds = &report.sums.kinds;
    let sorted = kinds.programs.sorted();
    if sorted.is_empty() {
        return section.missing("programs", "Programs", "No game has AP, the program that wrote it.");
    }
    let rows: Vec<_> = sorted
        .iter()
        .take(15)
        .enumerate()
        .map(|(n, (name, program))| Bar {
            label: (*name).clone(),
            value: program.games as f64,
            text: grouped(program.games),
            color: n.min(OTHERS),
        })
        .collect();
    let mut table = Table::new(["program", "version", "games"]);
    for ((name, version), program) in kinds.versions.sorted().into_iter().take(300) {
        let version = if version.is_empty() { Value::Null } else { version.clone().into() };
        table.row([name.clone().into(), version, program.games.into()]);
    }
    let notes = section.chart("programs", "Programs", bars(&rows, None), table);
    notes.push("Versions are in the table.".to_owned());
    notes.extend(kinds.programs.limit("programs"));
    let all: Vec<_> = sorted.iter().map(|(name, program)| (name.as_str(), *program)).collect();
    let title = "Programs over time";
    match over_time(&all) {
        None if all.iter().all(|(_, program)| program.years.is_empty()) => {
            section.missing("programs-over-time", title, "No game with AP has a date (DT).");
        }
        None => section.missing("programs-over-time", title, "All games with AP and a date (DT) are of one program."),
        Some((buckets, series)) => {
            let title = format!("Programs per {} of the game", buckets.unit());
            let table = figures::table(buckets, &series, None);
            let notes = figures::stacked(section, ("programs-over-time", title), buckets, series, table);
            notes.push("The date is that of the game, which may be long before the file was written.".to_owned());
        }
    }
    versions(section, report);
}

/// The versions of the program with most games among those that have several in games with a date.
fn versions(section: &mut Section, report: &Report) {
    let kinds = &report.sums.kinds;
    let all = kinds.versions.sorted();
    let of = |program: &str| -> Vec<(&str, &Program)> {
        let of_program = all.iter().filter(|((name, version), _)| name == program && !version.is_empty());
        of_program.map(|((_, version), sums)| (version.as_str(), *sums)).collect()
    };
    let mut candidates = kinds.programs.sorted().into_iter().map(|(name, _)| (name, of(name)));
    match candidates.find_map(|(name, versions)| Some((name, over_time(&versions)?))) {
        None => {
            section.missing("versions", "Versions over time", "No program has several versions in games with a date.")
        }
        Some((name, (buckets, series))) => {
            let title = format!("Versions per {} of the game", buckets.unit());
            let table = figures::table(buckets, &series, None);
            let notes = figures::stacked(section, ("versions", title), buckets, series, table);
            notes.push(format!(
                "The program is {name}: it has most games of those with several versions in games with a date."
            ));
        }
    }
}

/// Games by bucket of years. `None` if fewer than two have games with a date.
fn over_time(all: &[(&str, &Program)]) -> Option<(Buckets, Vec<Series>)> {
    if all.iter().filter(|(_, program)| !program.years.is_empty()).count() < 2 {
        return None;
    }
    let mut years = BTreeMap::new();
    all.iter().for_each(|(_, program)| years.add(program.years.clone()));
    let buckets = Buckets::of(years.into_iter())?;
    let by_name: Vec<_> = all.iter().map(|(name, program)| (*name, &program.years)).collect();
    Some((buckets, figures::series(buckets, &by_name)))
}

fn games(section: &mut Section, report: &Report) {
    let sorted = report.sums.kinds.games.sorted();
    if sorted.is_empty() {
        return section.missing("games-by-kind", "Kinds of games", "There are no games.");
    }
    let all: u64 = sorted.iter().map(|(_, kind)| kind.games).sum();
    let columns = ["game", "games", "nodes", "moves in a game", "Black won", "White won", "first year", "last year"];
    let mut bars = Bars::new(columns, 15);
    for (game, kind) in &sorted {
        let moves = Value::Number(kind.moves as f64 / kind.games.max(1) as f64);
        let cells =
            [game.name().into(), kind.games.into(), kind.nodes.into(), moves, kind.black.into(), kind.white.into()];
        bars.row(cells.into_iter().chain(first_and_last(&kind.years)), |_| Bar {
            label: game.name().to_owned(),
            value: kind.games as f64,
            text: format!("{} · {}", grouped(kind.games), percent(kind.games as f64 / all.max(1) as f64)),
            color: if **game == Game::Go { 0 } else { 1 },
        });
    }
    let notes = bars.add(section, "games-by-kind", "Kinds of games");
    notes.push("A game without GM is Go, unless --game-type is set.".to_owned());
    for (game, id, title) in [(Game::Go, "boards-of-go", "Boards of Go"), (Game::Hex, "boards-of-hex", "Boards of Hex")]
    {
        if let Some((_, kind)) = sorted.iter().find(|(of, _)| **of == game) {
            boards(section, id, title, kind);
        }
    }
}

/// The sizes of the boards of a game.
fn boards(section: &mut Section, id: &'static str, title: &'static str, kind: &Kind) {
    let mut sides: Vec<_> = kind.sides.iter().collect();
    sides.sort_by_key(|(side, games)| (std::cmp::Reverse(**games), **side));
    let name = |side: u8| if side == 0 { "not square, or unknown".to_owned() } else { format!("{side}×{side}") };
    let mut bars = Bars::new(["board", "games"], 8);
    for (side, games) in sides {
        let bar = Bar { label: name(*side), value: *games as f64, text: grouped(*games), color: 0 };
        bars.row([name(*side).into(), (*games).into()], |_| bar);
    }
    let more = bars.more();
    let notes = bars.add(section, id, title);
    if more > 0 {
        notes.push(format!("{more} more boards are in the table."));
    }
}
