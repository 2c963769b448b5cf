//! Games over time, by source.

use super::{COLORED, OTHERS, Report, by_bucket, labels};
use crate::report::charts::{Bar, Columns, Series, bars, columns};
use crate::report::gather::Source;
use crate::report::stats::Buckets;
use crate::report::view::{Section, Table, Value};
use crate::tables::{counted, grouped};

pub(super) fn section(report: &Report) -> Section {
    let mut section =
        Section::new("time", "Games over time", "When the games were played, by the property DT, and where they are.");
    let sources = report.sums.sources.sorted();
    let total = report.sums.sources.total();
    let years = || total.years.iter().map(|(year, games)| (*year, *games));
    match Buckets::of(years()) {
        None if total.games == 0 => section.missing("games", "Games", "There are no games."),
        None => {
            let why = strange(&total).unwrap_or_else(|| "No game has a date (DT) that can be read.".to_owned());
            section.missing("games", "Games", why);
        }
        Some(buckets) => games(&mut section, buckets, &sources, &total),
    }
    if sources.len() > 1 {
        by_source(&mut section, &sources);
        section.figures.last_mut().into_iter().for_each(|figure| {
            if let crate::report::view::Content::Chart { notes, .. } = &mut figure.content {
                notes.extend(report.sums.sources.limit());
            }
        });
    }
    section
}

fn games(section: &mut Section, buckets: Buckets, sources: &[(&str, &Source)], total: &Source) {
    let of = |source: &Source| by_bucket(buckets, source.years.iter().map(|(year, games)| (*year, *games)));
    let dated = |source: &Source| source.years.values().sum::<u64>();
    // A source has the color of its place among all.
    let (colored, rest) = sources.split_at(sources.len().min(COLORED));
    let mut shown: Vec<Series> = colored
        .iter()
        .enumerate()
        .filter(|(_, (_, source))| dated(source) > 0)
        .map(|(color, (name, source))| Series { name: (*name).to_owned(), color, values: of(source) })
        .collect();
    if rest.iter().any(|(_, source)| dated(source) > 0) {
        let mut others = vec![0; buckets.len];
        for (_, source) in rest {
            others.iter_mut().zip(of(source)).for_each(|(sum, more)| *sum += more);
        }
        shown.push(Series { name: "all others".to_owned(), color: OTHERS, values: others });
    }
    let labels = labels(buckets);
    let columns_of = ["all".to_owned()].into_iter().chain(shown.iter().map(|series| series.name.clone()));
    let mut table = Table::new([buckets.unit().to_owned()].into_iter().chain(columns_of));
    for (n, label) in labels.iter().enumerate() {
        let all = shown.iter().map(|series| series.values[n]).sum::<u64>();
        let values = [all].into_iter().chain(shown.iter().map(|series| series.values[n]));
        table.row([Value::from(label.clone())].into_iter().chain(values.map(Value::Count)));
    }
    let chart = Columns { labels, series: shown, is_histogram: false, what: "games", is_relative: false };
    let notes = section.chart("games", format!("Games by {}", buckets.unit()), columns(&chart), table);
    let odd: u64 = total.odd_years.values().sum();
    let undated = total.games - dated(total) - odd;
    if undated > 0 {
        notes.push(format!("{} without a date.", counted(undated, "game")));
    }
    notes.extend(strange(total));
}

/// The games whose years are left out everywhere, in a sentence.
fn strange(total: &Source) -> Option<String> {
    let odd: u64 = total.odd_years.values().sum();
    let mut years: Vec<_> = total.odd_years.iter().collect();
    years.sort_by_key(|(year, games)| (std::cmp::Reverse(**games), **year));
    let more = if years.len() > 3 { ", …" } else { "" };
    let years: Vec<_> = years.iter().take(3).map(|(year, _)| year.to_string()).collect();
    (odd > 0).then(|| {
        format!(
            "{} of years that are long before the first records of games, or in the future ({}{more}): counted as without a date.",
            counted(odd, "game"),
            years.join(", ")
        )
    })
}

fn by_source(section: &mut Section, sources: &[(&str, &Source)]) {
    let rows: Vec<_> = sources
        .iter()
        .take(20)
        .enumerate()
        .map(|(n, (name, source))| Bar {
            label: (*name).to_owned(),
            value: source.games as f64,
            text: grouped(source.games),
            color: n.min(OTHERS),
        })
        .collect();
    let mut table = Table::new(["source", "games", "nodes", "bytes", "clean"]);
    for (name, source) in sources {
        table.row([
            (*name).into(),
            source.games.into(),
            source.nodes.into(),
            source.bytes.into(),
            Value::Share(source.clean as f64 / source.checked.max(1) as f64),
        ]);
    }
    let notes = section.chart("sources", "Games by source", bars(&rows, None), table);
    if sources.len() > 20 {
        notes.push(format!("{} more sources are in the table.", sources.len() - 20));
    }
}
