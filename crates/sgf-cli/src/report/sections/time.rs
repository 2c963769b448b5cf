//! Games over time, by source.

use super::figures::{self, Bars};
use super::{OTHERS, Report};
use crate::report::charts::Bar;
use crate::report::gather::Source;
use crate::report::stats::Buckets;
use crate::report::view::{Section, Value};
use crate::tables::{counted, grouped};

pub(super) fn section(report: &Report) -> Section {
    let mut section = Section::new(
        "time",
        "Games over time",
        "When the games were played, according to DT, and in which source they are.",
    );
    let sources = report.sums.sources.sorted();
    let total = report.sums.sources.total();
    let years = || total.years.iter().map(|(year, games)| (*year, *games));
    match Buckets::of(years()) {
        None if total.games == 0 => section.missing("games", "Games", "There are no games."),
        None => {
            let why = strange(&total).unwrap_or_else(|| "No game has a valid date (DT).".to_owned());
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
    let dated: u64 = total.years.values().sum();
    let by_source: Vec<_> = sources.iter().map(|(name, source)| (*name, &source.years)).collect();
    let series = figures::series(buckets, &by_source);
    let table = figures::table(buckets, &series, Some("all"));
    let title = format!("Games per {}", buckets.unit());
    let notes = figures::stacked(section, ("games", title), buckets, series, table);
    let odd: u64 = total.odd_years.values().sum();
    let undated = total.games - dated - odd;
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
            "{} from years long before the first game records, or in the future ({}{more}): counted as undated.",
            counted(odd, "game"),
            years.join(", ")
        )
    })
}

fn by_source(section: &mut Section, sources: &[(&str, &Source)]) {
    let mut bars = Bars::new(["source", "games", "nodes", "bytes", "clean"], 20);
    for (name, source) in sources {
        let clean = Value::Share(source.clean as f64 / source.checked.max(1) as f64);
        let cells = [(*name).into(), source.games.into(), source.nodes.into(), source.bytes.into(), clean];
        bars.row(cells, |n| Bar {
            label: (*name).to_owned(),
            value: source.games as f64,
            text: grouped(source.games),
            color: n.min(OTHERS),
        });
    }
    let more = bars.more();
    let notes = bars.add(section, "sources", "Games per source");
    if more > 0 {
        notes.push(format!("{more} more sources are in the table."));
    }
}
