//! Players: the most frequent names, their years, and their results against each other.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::figures::{Bars, by_bucket};
use super::{Report, first_and_last};
use crate::report::charts::Bar;
use crate::report::gather::Sum;
use crate::report::stats::Buckets;
use crate::report::view::{Section, Table, Value};
use crate::tables::{counted, grouped};
use crate::visible::{Blanks, Visible, fitted};

/// The number of players that are drawn.
const MOST: usize = 20;

/// The number of groups of names that may be one person's.
const MOST_GROUPS: usize = 20;

pub(super) fn section(report: &Report) -> Section {
    let players = &report.sums.players;
    let mut section = Section::new("players", "Players", "Names as in the files (PB, PW), of all games.");
    let sorted = players.all.sorted();
    if sorted.is_empty() {
        section.missing("players", "Most games", "No game has a player (PB, PW).");
        return section;
    }
    let mut bars = Bars::new(["player", "games", "wins", "losses", "first year", "last year"], MOST);
    for (name, player) in sorted.iter().take(200) {
        let counts = [player.games, player.wins, player.losses].map(Value::Count);
        let cells = [Value::from((*name).clone())].into_iter().chain(counts).chain(first_and_last(&player.years));
        bars.row(cells, |_| {
            let decided = player.wins + player.losses;
            let won = match decided {
                0 => String::new(),
                _ => format!(" · won {} of {}", grouped(player.wins), grouped(decided)),
            };
            let text = format!("{}{won}", grouped(player.games));
            Bar { label: (*name).clone(), value: player.games as f64, text, color: 0 }
        });
    }
    let notes = bars.add(&mut section, "players", "Most games");
    if sorted.len() > 200 {
        notes.push("The table has the first 200.".to_owned());
    }
    notes.push("Placeholders such as “Black” and “?” are not counted.".to_owned());
    notes.extend(players.limit());
    years(&mut section, report);
    against(&mut section, report);
    same(&mut section, report);
    section
}

/// Games by year, a row for each player.
fn years(section: &mut Section, report: &Report) {
    let sorted = report.sums.players.all.sorted();
    let top = || sorted.iter().take(MOST).filter(|(_, player)| !player.years.is_empty());
    let mut sums = BTreeMap::new();
    top().for_each(|(_, player)| sums.add(player.years.clone()));
    let Some(buckets) = Buckets::of(sums.into_iter()) else {
        return section.missing("players-over-time", "Over time", "No game of these players has a date (DT).");
    };
    let rows: Vec<_> = top()
        .map(|(name, player)| (*name, by_bucket(buckets, player.years.iter().map(|(year, games)| (*year, *games)))))
        .collect();
    let mut table = Table::new(["player".to_owned()].into_iter().chain((0..buckets.len).map(|n| buckets.name(n))));
    for (name, games) in &rows {
        table.row([Value::from((*name).clone())].into_iter().chain(games.iter().map(|games| Value::Count(*games))));
    }
    if buckets.len == 1 {
        let games: u64 = rows.iter().flat_map(|(_, games)| games).sum();
        let picture = html! { p .only { b { (buckets.name(0)) } ": " (counted(games, "game")) } };
        section.chart("players-over-time", "Their games over time", picture, table);
        return;
    }
    let most = rows.iter().flat_map(|(_, games)| games).copied().max().unwrap_or(1).max(1);
    let picture = html! {
        div .strips {
            @for (name, games) in &rows {
                div .strip {
                    span .label title=(Visible(name)) { (Visible(name)) }
                    svg viewBox=(format!("0 0 {} 10", buckets.len)) preserveAspectRatio="none" role="img" {
                        @for (n, count) in games.iter().enumerate() {
                            @if *count > 0 {
                                rect x=(n) y="0" width="1" height="10" fill-opacity=(format!("{:.2}", 0.12 + 0.88 * (*count as f64 / most as f64).sqrt())) {
                                    title { (buckets.name(n)) ": " (counted(*count, "game")) }
                                }
                            }
                        }
                    }
                }
            }
            div .strip .ends { span {} span { (buckets.name(0)) } span { (buckets.name(buckets.len - 1)) } }
        }
    };
    section.chart("players-over-time", format!("Their games per {}", buckets.unit()), picture, table);
}

/// Results against each other.
fn against(section: &mut Section, report: &Report) {
    let players = &report.sums.players;
    let sorted = players.all.sorted();
    let names: Vec<&String> = sorted.iter().take(MOST).map(|(name, _)| *name).collect();
    let met = |one: &str| names.iter().filter(|other| players.between(one, other)[0] > 0).count();
    let names: Vec<_> = names.iter().copied().filter(|name| met(name) > 0).collect();
    if names.len() < 2 {
        return section.missing("against", "Results against each other", "None of these players met.");
    }
    let mut table = Table::new(["player", "opponent", "games", "wins", "losses"]);
    for one in &names {
        for other in &names {
            let [games, wins, losses] = players.between(one, other);
            if games > 0 {
                table.row([(*one).clone().into(), (*other).clone().into(), games.into(), wins.into(), losses.into()]);
            }
        }
    }
    let cell = |one: &str, other: &str| -> Markup {
        let [games, wins, losses] = players.between(one, other);
        let share = if wins + losses == 0 { 0.5 } else { wins as f64 / (wins + losses) as f64 };
        let strength = (share - 0.5).abs() * 1.4;
        html! {
            @if games == 0 { td .none { "·" } }
            @else {
                td .better[share > 0.5] .worse[share < 0.5] style=(format!("--s:{strength:.2}"))
                    title=(format!("{} against {}: {wins} won, {losses} lost, {games} games", Visible(one), Visible(other))) {
                    (wins) "–" (losses)
                }
            }
        }
    };
    let picture = html! {
        div .scroll tabindex="0" {
            table .cross {
                thead { tr { th {} @for n in 1..=names.len() { th { (n) } } } }
                tbody {
                    @for (n, one) in names.iter().enumerate() {
                        tr {
                            th title=(Visible(one)) { span { (n + 1) } " " (fitted(one, 18, Blanks::Joined)) }
                            @for other in &names { @if one == other { td .self {} } @else { (cell(one, other)) } }
                        }
                    }
                }
            }
        }
    };
    let notes = section.chart("against", "Results against each other", picture, table);
    notes.push("Wins and losses of the player in the row, against the player in the column.".to_owned());
}

/// Names that are probably one person's.
fn same(section: &mut Section, report: &Report) {
    let groups = report.sums.players.of_one_person();
    if groups.is_empty() {
        let why = "No two names of players who never met differ only in spelling.";
        return section.missing("same-person", "Names that probably belong to the same person", why);
    }
    let mut table = Table::new(["group", "name", "games"]);
    for (n, group) in groups.iter().enumerate().take(200) {
        group
            .iter()
            .for_each(|(name, games)| table.row([Value::Count(n as u64 + 1), name.as_str().into(), (*games).into()]));
    }
    let picture = html! {
        ul .names {
            @for group in groups.iter().take(MOST_GROUPS) {
                li {
                    @for (n, (name, games)) in group.iter().take(6).enumerate() {
                        @if n > 0 { " = " }
                        span .first[n == 0] { (Visible(name)) } small { " " (grouped(*games)) }
                    }
                    @if group.len() > 6 { " = …" }
                }
            }
        }
    };
    let notes = section.chart("same-person", "Names that probably belong to the same person", picture, table);
    notes
        .push("Equal except for case, accents, the order of words, spaces, punctuation, ranks and marks of servers, of players who \
            never met, with the number of games. sgf names also finds names in copies of games.".to_owned());
    if groups.len() > MOST_GROUPS {
        notes.push(format!("{} in all; the table has up to 200.", counted(groups.len() as u64, "group")));
    }
}
