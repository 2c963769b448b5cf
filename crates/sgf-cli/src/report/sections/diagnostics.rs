//! Diagnostics of the checker, with an example of each rule.

use maud::{Markup, PreEscaped, html};
use sgf_board::Diagram;
use sgf_check::Rule;
use sgf_stream::Severity;

use super::figures::Bars;
use super::{OTHERS, Report};
use crate::points;
use crate::report::charts::{Bar, ERROR, WARNING, percent};
use crate::report::gather::{Example, Excerpt, GameBytes};
use crate::report::view::{Section, Table, Value};
use crate::report::work::SAMPLE;
use crate::tables::{counted, grouped};
use crate::visible::Visible;

/// The number of rules that are drawn.
const MOST: usize = 15;

/// The number of rules whose explanations are open.
const OPEN: usize = 3;

pub(super) fn section(report: &Report) -> Section {
    let lead = "Diagnostics of sgf check with its default rules: errors, which programs understand differently or not at all, \
        and warnings, which have one obvious meaning. sgf check --fix repairs many of them without loss.";
    let mut section = Section::new("diagnostics", "Diagnostics", lead);
    let sources = report.sums.sources.sorted();
    let total = report.sums.sources.total();
    let mut rules: Vec<(Rule, u64)> = total.diagnostics.iter().map(|(rule, count)| (*rule, *count)).collect();
    rules.sort_by_key(|(rule, count)| (std::cmp::Reverse(*count), *rule));
    if rules.is_empty() {
        let why = if total.games == 0 { "There are no games." } else { "No diagnostics: all games are clean." };
        section.missing("diagnostics", "By rule", why);
        return section;
    }
    let head = ["rule", "severity", "diagnostics", "repaired by --fix"].into_iter();
    let mut bars = Bars::new(head.chain(sources.iter().map(|(name, _)| *name)), MOST);
    for (rule, count) in &rules {
        let fixed = if rule.is_fixable() { "yes" } else { "no" };
        let of_sources = sources.iter().map(|(_, source)| source.diagnostics.get(rule).copied().unwrap_or(0).into());
        let cells = [rule.as_str().into(), rule.severity().to_string().into(), (*count).into(), fixed.into()];
        bars.row(cells.into_iter().chain(of_sources), |_| Bar {
            label: rule.to_string(),
            value: (*count as f64).sqrt(),
            text: grouped(*count),
            color: if rule.severity() == Severity::Error { ERROR } else { WARNING },
        });
    }
    let notes = bars.add(&mut section, "diagnostics", "By rule");
    notes.push(
        "The length of a bar is the square root of its number, so that rare rules are visible. Errors are red, warnings yellow."
            .to_owned(),
    );
    if rules.len() > MOST {
        notes.push(format!("{} more rules are in the table, and below.", rules.len() - MOST));
    }
    if report.sums.long_games > 0 {
        let games = counted(report.sums.long_games, "game");
        notes.push(format!("{games} longer than 1 MiB: only their syntax errors are counted."));
    }
    if total.checked < total.games {
        notes.push(format!(
            "{} of {} were checked: one part in {SAMPLE} of large files. --check-all checks all of them.",
            grouped(total.checked),
            counted(total.games, "game")
        ));
    }
    by_source(&mut section, report);
    let mut table = Table::new(["rule", "example", "file", "line", "column", "message"]);
    for (rule, _) in &rules {
        if let Some(example) = report.sums.examples.0.get(rule) {
            let text =
                example.excerpt.as_ref().map(|Excerpt { before, marked, after }| format!("{before}{marked}{after}"));
            let (line, column) = example.place.unzip();
            let cells = [rule.as_str().into(), text.into(), example.file.clone().into(), line.into(), column.into()];
            table.row(cells.into_iter().chain([example.message.clone().into()]));
        }
    }
    let picture = html! {
        @for (n, (rule, count)) in rules.iter().enumerate() {
            (explained(*rule, *count, report.sums.examples.0.get(rule), n < OPEN))
        }
    };
    section.chart("examples", "Explanations, with the first diagnostic of each rule", picture, table);
    section
}

/// Diagnostics per 100 games of each source.
fn by_source(section: &mut Section, report: &Report) {
    let sources = report.sums.sources.sorted();
    if sources.len() < 2 {
        return;
    }
    let columns = ["source", "checked games", "diagnostics", "diagnostics per 100 games", "clean games"];
    let mut bars = Bars::new(columns, 20);
    for (name, source) in &sources {
        let diagnostics: u64 = source.diagnostics.values().sum();
        // Without a game that was checked nothing is known.
        let clean = (source.checked > 0).then(|| source.clean as f64 / source.checked as f64);
        let rate = Value::Number(diagnostics as f64 * 100.0 / source.checked.max(1) as f64);
        let share = clean.map_or(Value::Null, Value::Share);
        bars.row([(*name).into(), source.checked.into(), diagnostics.into(), rate, share], |n| {
            let text = match (clean, source.diagnostics_outside) {
                (None, _) => "not checked".to_owned(),
                (Some(1.0), 0) => "all clean".to_owned(),
                (Some(1.0), _) => format!("all clean · {} outside of games", counted(diagnostics, "diagnostic")),
                (Some(clean), _) => format!("{} clean · {}", percent(clean), counted(diagnostics, "diagnostic")),
            };
            Bar { label: (*name).to_owned(), value: clean.unwrap_or(0.0), text, color: n.min(OTHERS) }
        });
    }
    bars.add_of(section, "diagnostics-by-source", "Share of clean games per source", Some(1.0));
}

fn explained(rule: Rule, count: u64, example: Option<&Example>, is_open: bool) -> Markup {
    html! {
        details .rule id=(format!("rule-{rule}")) open[is_open] {
            summary {
                code { (rule) }
                span .severity .error[rule.severity() == Severity::Error] { (rule.severity()) }
                span .count { (grouped(count)) }
            }
            @if let Some(example) = example {
                div .example {
                    div { (drawn(example)) p { (rule.explanation()) } }
                    @if let Some(board) = example.game.as_ref().and_then(|game| board(game, example)) {
                        (PreEscaped(board.svg().coordinates(false).width(220).to_string()))
                    }
                }
            } @else {
                p { (rule.explanation()) }
            }
        }
    }
}

/// The board at a diagnostic.
fn board(game: &GameBytes, example: &Example) -> Option<Diagram> {
    points::board(&game.bytes, game.at, example.excerpt.as_ref().map_or("", |excerpt| excerpt.marked.as_str()))
}

/// The lines around a diagnostic, and where they are.
fn drawn(example: &Example) -> Markup {
    let place = match example.place {
        Some((line, column)) => format!(":{line}:{column}"),
        None => format!(", byte {}", example.offset),
    };
    html! {
        p .message { (Visible(&example.message)) }
        @if let Some(Excerpt { before, marked, after }) = &example.excerpt {
            pre { (source(before)) mark { (source(marked)) } (source(after)) }
        }
        p .place { (Visible(&example.file)) (place) }
    }
}

/// Bytes of a file as text: with its line breaks, and without characters that cannot be seen.
fn source(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    text.split('\n').map(|line| Visible(line).to_string()).collect::<Vec<_>>().join("\n")
}
