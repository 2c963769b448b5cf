//! Which properties games have, and in which charsets.

use maud::html;
use sgf_stream::charset::Charset;

use super::Report;
use super::figures::Bars;
use crate::report::charts::{Bar, percent};
use crate::report::facts::COVERAGE;
use crate::report::view::{Section, Table, Value};
use crate::tables::grouped;
use crate::visible::{Blanks, Visible, fitted};

/// The number of sources that are drawn.
const MOST: usize = 12;

pub(super) fn coverage(report: &Report) -> Section {
    let lead = "The share of games in each source with a non-empty root property.";
    let mut section = Section::new("coverage", "Coverage", lead);
    let sources = report.sums.sources.sorted();
    let total = report.sums.sources.total();
    if total.games == 0 {
        section.missing("coverage", "Coverage", "There are no games.");
        return section;
    }
    let share = |count: u64, games: u64| count as f64 / games.max(1) as f64;
    let mut table = Table::new(["property", "all"].into_iter().chain(sources.iter().map(|(name, _)| *name)));
    for (n, (ident, _)) in COVERAGE.iter().enumerate() {
        let shares = sources.iter().map(|(_, source)| Value::Share(share(source.coverage[n], source.games)));
        table.row([(*ident).into(), Value::Share(share(total.coverage[n], total.games))].into_iter().chain(shares));
    }
    let shown: &[_] = if sources.len() > 1 { &sources[..sources.len().min(MOST)] } else { &[] };
    let cell = |count: u64, games: u64| {
        let share = share(count, games);
        // Nearly all is not all, and nearly none is not none.
        let text = match (share * 100.0).round() as u32 {
            100 if count < games => "> 99".to_owned(),
            0 if count > 0 => "< 1".to_owned(),
            rounded => rounded.to_string(),
        };
        html! { td style=(format!("--s:{share:.3}")) { (text) } }
    };
    let picture = html! {
        div .scroll tabindex="0" {
            table .cover {
                thead {
                    tr {
                        th { "%" }
                        th { "all" }
                        @for (name, _) in shown { th .source title=(Visible(name)) { span { (fitted(name, 24, Blanks::Joined)) } } }
                    }
                }
                tbody {
                    @for (n, (ident, meaning)) in COVERAGE.iter().enumerate() {
                        tr {
                            th { b { (ident) } " " small { (meaning) } }
                            (cell(total.coverage[n], total.games))
                            @for (_, source) in shown { (cell(source.coverage[n], source.games)) }
                        }
                    }
                }
            }
        }
    };
    let notes = section.chart("coverage", "", picture, table);
    if sources.len() > shown.len() && !shown.is_empty() {
        notes.push(format!("The {} largest sources are drawn; all are in the table.", shown.len()));
    }
    notes.extend(report.sums.sources.limit());
    section
}

pub(super) fn charsets(report: &Report) -> Section {
    let lead = "The charset that CA declares, and the one in which the game was decoded. A game without CA is decoded in its most \
        likely charset; UTF-8 is recognized regardless of CA.";
    let mut section = Section::new("charsets", "Charsets", lead);
    let charsets = &report.sums.kinds.charsets;
    let sorted = charsets.sorted();
    if sorted.is_empty() {
        section.missing("charsets", "Declared → decoded as", "There are no games.");
        return section;
    }
    let name = |declared: &str| if declared.is_empty() { "no CA".to_owned() } else { declared.to_owned() };
    let all: u64 = sorted.iter().map(|(_, games)| **games).sum();
    let mut bars = Bars::new(["declared", "decoded as", "games"], 16);
    for ((declared, found), games) in &sorted {
        let of = |text: &str| if text.is_empty() { Value::Null } else { text.into() };
        bars.row([of(declared), of(found), (**games).into()], |_| {
            let meant = Charset::for_name(declared.as_bytes()).map(Charset::name);
            let is_equal = meant.is_some_and(|meant| meant == found.as_str());
            Bar {
                label: format!("{} → {found}", name(declared)),
                value: **games as f64,
                text: format!("{} · {}", grouped(**games), percent(**games as f64 / all as f64)),
                color: if is_equal {
                    0
                } else if declared.is_empty() {
                    7
                } else {
                    1
                },
            }
        });
    }
    let more = bars.more();
    let notes = bars.add(&mut section, "charsets", "Declared → decoded as");
    if sorted.len() > 1 {
        notes.push("Brown: decoded in another charset than CA declares, or CA is unknown. Gray: no CA.".to_owned());
    }
    if more > 0 {
        notes.push(format!("{more} more are in the table."));
    }
    notes.extend(charsets.limit("charsets"));
    section
}
