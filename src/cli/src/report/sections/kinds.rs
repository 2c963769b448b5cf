//! The programs that wrote the files, and the games that are played.

use std::collections::BTreeMap;

use maud::Markup;
use sgf_stream::Game;

use super::{COLORED, OTHERS, Report, by_bucket, labels};
use crate::report::charts::{Bar, Columns, Series, bars, columns, percent};
use crate::report::gather::{Kind, Program};
use crate::report::stats::Buckets;
use crate::report::view::{Section, Table, Value};
use crate::tables::grouped;

pub(super) fn section(report: &Report) -> Section {
    let lead = "The programs that AP names, and the kinds of games that GM says.";
    let mut section = Section::new("programs", "Programs and games", lead);
    programs(&mut section, report);
    games(&mut section, report);
    section
}

fn programs(section: &mut Section, report: &Report) {
    let kinds = &report.sums.kinds;
    let sorted = kinds.programs.sorted();
    if sorted.is_empty() {
        return section.missing("programs", "Programs", "No game names the program that wrote it (AP).");
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
        Some((unit, picture, table)) => {
            let title = format!("Programs by {unit} of the game");
            let notes = section.chart("programs-over-time", title, picture, table);
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
        Some((name, (unit, picture, table))) => {
            let notes = section.chart("versions", format!("Versions by {unit} of the game"), picture, table);
            notes.push(format!(
                "The program is {name}: it has most games of those with several versions in games with a date."
            ));
        }
    }
}

/// Games by bucket of years, stacked. `None` if fewer than two have games with a date.
fn over_time(all: &[(&str, &Program)]) -> Option<(&'static str, Markup, Table)> {
    if all.iter().filter(|(_, program)| !program.years.is_empty()).count() < 2 {
        return None;
    }
    let mut years = BTreeMap::new();
    for (_, program) in all {
        program.years.iter().for_each(|(year, games)| *years.entry(*year).or_insert(0) += games);
    }
    let buckets = Buckets::of(years.into_iter())?;
    let of = |years: &BTreeMap<i32, u64>| by_bucket(buckets, years.iter().map(|(year, games)| (*year, *games)));
    let (colored, rest) = all.split_at(all.len().min(COLORED));
    let mut series: Vec<_> = colored
        .iter()
        .enumerate()
        .filter(|(_, (_, program))| !program.years.is_empty())
        .map(|(color, (name, program))| Series { name: (*name).to_owned(), color, values: of(&program.years) })
        .collect();
    if rest.iter().any(|(_, program)| !program.years.is_empty()) {
        let mut others = vec![0; buckets.len];
        for (_, program) in rest {
            others.iter_mut().zip(of(&program.years)).for_each(|(sum, more)| *sum += more);
        }
        series.push(Series { name: "all others".to_owned(), color: OTHERS, values: others });
    }
    let labels = labels(buckets);
    let names = series.iter().map(|series| series.name.clone());
    let mut table = Table::new([buckets.unit().to_owned()].into_iter().chain(names));
    for (n, label) in labels.iter().enumerate() {
        table.row([Value::from(label.clone())].into_iter().chain(series.iter().map(|series| series.values[n].into())));
    }
    let chart = Columns { labels, series, is_histogram: false, what: "games", is_relative: false };
    Some((buckets.unit(), columns(&chart), table))
}

fn games(section: &mut Section, report: &Report) {
    let sorted = report.sums.kinds.games.sorted();
    if sorted.is_empty() {
        return section.missing("games-by-kind", "Kinds of games", "There are no games.");
    }
    let all: u64 = sorted.iter().map(|(_, kind)| kind.games).sum();
    let rows: Vec<_> = sorted
        .iter()
        .take(15)
        .map(|(game, kind)| Bar {
            label: game.name().to_owned(),
            value: kind.games as f64,
            text: format!("{} · {}", grouped(kind.games), percent(kind.games as f64 / all.max(1) as f64)),
            color: if **game == Game::Go { 0 } else { 1 },
        })
        .collect();
    let mut table =
        Table::new(["game", "games", "nodes", "moves in a game", "Black won", "White won", "first year", "last year"]);
    for (game, kind) in &sorted {
        let moves = kind.moves as f64 / kind.games.max(1) as f64;
        let year = |year: Option<i32>| -> Value { year.map(Value::Year).into() };
        table.row([
            game.name().into(),
            kind.games.into(),
            kind.nodes.into(),
            Value::Number(moves),
            kind.black.into(),
            kind.white.into(),
            year(kind.years.map(|(first, _)| first)),
            year(kind.years.map(|(_, last)| last)),
        ]);
    }
    let notes = section.chart("games-by-kind", "Kinds of games", bars(&rows, None), table);
    notes.push("A game without GM is Go, unless --game-type says another.".to_owned());
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
    let name = |side: u8| if side == 0 { "not square, or not known".to_owned() } else { format!("{side}×{side}") };
    let mut table = Table::new(["board", "games"]);
    sides.iter().for_each(|(side, games)| table.row([name(**side).into(), (**games).into()]));
    let rows: Vec<_> = sides
        .iter()
        .take(8)
        .map(|(side, games)| Bar { label: name(**side), value: **games as f64, text: grouped(**games), color: 0 })
        .collect();
    let notes = section.chart(id, title, bars(&rows, None), table);
    if sides.len() > rows.len() {
        notes.push(format!("{} more boards are in the table.", sides.len() - rows.len()));
    }
}
