//! The sections of the page: each counts nothing, but chooses and names what was counted.

mod boards;
mod copies;
mod findings;
mod kinds;
mod lengths;
mod openings;
mod overview;
mod players;
mod texts;
mod time;
mod wins;

use super::gather::Gathered;
use super::stats::Buckets;
use super::view::Section;

/// The data that sections are made from.
pub(super) struct Report {
    pub(super) sums: Gathered,
    pub(super) seconds: f64,
}

/// The sections, in their order on the page.
const SECTIONS: [fn(&Report) -> Section; 13] = [
    overview::section,
    time::section,
    wins::by_komi,
    wins::results,
    lengths::section,
    boards::section,
    openings::section,
    players::section,
    texts::coverage,
    texts::charsets,
    findings::section,
    copies::section,
    kinds::section,
];

/// Makes all sections.
pub(super) fn all(report: &Report) -> Vec<Section> {
    SECTIONS.iter().map(|section| section(report)).collect()
}

/// The number of sources and programs that have a color.
const COLORED: usize = 7;

/// The color of all others.
const OTHERS: usize = 7;

/// Values by bucket, from values by year.
fn by_bucket(buckets: Buckets, years: impl Iterator<Item = (i32, u64)>) -> Vec<u64> {
    let mut values = vec![0; buckets.len];
    for (year, count) in years {
        if let Some(index) = buckets.index(year) {
            values[index] += count;
        }
    }
    values
}

/// The names of all buckets.
fn labels(buckets: Buckets) -> Vec<String> {
    (0..buckets.len).map(|index| buckets.name(index)).collect()
}
