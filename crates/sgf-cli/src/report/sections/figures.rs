//! Figures whose chart and table are built together, row by row.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::{COLORED, OTHERS};
use crate::report::charts::{Bar, Columns, Lines, Point, Series, bars, columns, lines};
use crate::report::gather::Wins;
use crate::report::stats::{Buckets, Share};
use crate::report::view::{Section, Table, Value};

/// A list of bars, and a table.
pub(super) struct Bars {
    bars: Vec<Bar>,
    table: Table,
    most: usize,
}

impl Bars {
    /// Creates a list with room for `most` bars. The table has all rows.
    pub(super) fn new<C: Into<String>>(columns: impl IntoIterator<Item = C>, most: usize) -> Self {
        Bars { bars: Vec::new(), table: Table::new(columns), most }
    }

    /// Adds a row. `bar` gets its number.
    pub(super) fn row(&mut self, cells: impl IntoIterator<Item = Value>, bar: impl FnOnce(usize) -> Bar) {
        self.table.row(cells);
        if self.bars.len() < self.most {
            self.bars.push(bar(self.bars.len()));
        }
    }

    /// Returns the number of rows without a bar.
    pub(super) fn more(&self) -> usize {
        self.table.rows.len() - self.bars.len()
    }

    pub(super) fn add<'s>(self, section: &'s mut Section, id: &str, title: impl Into<String>) -> &'s mut Vec<String> {
        self.add_of(section, id, title, None)
    }

    /// Like [`add`](Self::add), with the value that is as long as there is room.
    pub(super) fn add_of<'s>(
        self,
        section: &'s mut Section,
        id: &str,
        title: impl Into<String>,
        full: Option<f64>,
    ) -> &'s mut Vec<String> {
        section.chart(id.to_owned(), title, bars(&self.bars, full), self.table)
    }
}

/// Returns games by bucket of years for each name, which has the color of its place, and all others.
pub(super) fn series(buckets: Buckets, all: &[(&str, &BTreeMap<i32, u64>)]) -> Vec<Series> {
    let (colored, rest) = all.split_at(all.len().min(COLORED));
    let of = |years: &BTreeMap<i32, u64>| by_bucket(buckets, years.iter().map(|(year, games)| (*year, *games)));
    let with_years = colored.iter().enumerate().filter(|(_, (_, years))| years.values().sum::<u64>() > 0);
    let mut series: Vec<_> = with_years
        .map(|(color, (name, years))| Series { name: (*name).to_owned(), color, values: of(years) })
        .collect();
    let others =
        by_bucket(buckets, rest.iter().flat_map(|(_, years)| years.iter().map(|(year, games)| (*year, *games))));
    if others.iter().any(|games| *games > 0) {
        series.push(Series { name: "all others".to_owned(), color: OTHERS, values: others });
    }
    series
}

/// Returns a table of series over time; with a column for their sums, if it has a name.
pub(super) fn table(buckets: Buckets, series: &[Series], sum: Option<&str>) -> Table {
    let names = sum.into_iter().chain(series.iter().map(|series| &*series.name));
    let mut table = Table::new([buckets.unit()].into_iter().chain(names));
    for n in 0..buckets.len {
        let values = || series.iter().map(|series| series.values[n]);
        let sum = sum.map(|_| values().sum());
        table.row([buckets.name(n).into()].into_iter().chain(sum.into_iter().chain(values()).map(Value::Count)));
    }
    table
}

/// Adds games by bucket of years, stacked.
pub(super) fn stacked<'s>(
    section: &'s mut Section,
    (id, title): (&'static str, String),
    buckets: Buckets,
    series: Vec<Series>,
    table: Table,
) -> &'s mut Vec<String> {
    let chart = Columns { labels: labels(buckets), series, is_histogram: false, what: "games", is_relative: false };
    section.chart(id, title, columns(&chart), table)
}

/// Adds a histogram of games. `alone` is the name of the only column: without others, its number is not clear.
pub(super) fn histogram<'s>(
    section: &'s mut Section,
    (id, title): (impl Into<Cow<'static, str>>, String),
    unit: &str,
    games: Vec<(String, u64)>,
    alone: &str,
) -> &'s mut Vec<String> {
    let mut table = Table::new([unit, "games"]);
    games.iter().for_each(|(label, games)| table.row([label.clone().into(), (*games).into()]));
    let (mut labels, values): (Vec<_>, Vec<_>) = games.into_iter().unzip();
    if let [label] = &mut labels[..] {
        alone.clone_into(label);
    }
    section.chart(id, title, columns(&Columns::histogram(labels, values)), table)
}

/// The least number of decided games for which a share is drawn.
pub(super) const LEAST: u64 = 10;

/// Black's shares of wins, with their intervals.
pub(super) struct Shares {
    table: Table,
    labels: Vec<String>,
    points: Vec<Option<Point>>,
}

impl Shares {
    pub(super) fn new(name: &str) -> Self {
        let columns = [name, "decided games", "Black won", "White won", "draws", "Black’s share", "from", "to"];
        Shares { table: Table::new(columns), labels: Vec::new(), points: Vec::new() }
    }

    /// Adds a row of the table.
    pub(super) fn row(&mut self, name: Value, wins: &Wins) {
        let counts = [wins.decided(), wins.black, wins.white, wins.draws].map(Value::Count);
        self.table.row([name].into_iter().chain(counts).chain(super::share_cells(wins.black, wins.decided())));
    }

    /// Adds a label, with a share if there are enough games.
    pub(super) fn point(&mut self, label: String, wins: &Wins) {
        self.labels.push(label);
        let share = Share::of(wins.black, wins.decided()).filter(|_| wins.decided() >= LEAST);
        let games = wins.decided();
        self.points.push(share.map(|Share { share, low, high }| Point { value: share, low, high, games }));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.points.iter().flatten().next().is_none()
    }

    /// Adds the chart. `connects`: the labels are in an order that a line may follow.
    pub(super) fn add<'s>(
        self,
        section: &'s mut Section,
        id: &'static str,
        title: impl Into<String>,
        connects: bool,
    ) -> &'s mut Vec<String> {
        let Shares { table, labels, points } = self;
        section.chart(id, title, lines(&Lines { labels, points, is_share: true, connects }), table)
    }
}

/// Values by bucket, from values by year.
pub(super) fn by_bucket(buckets: Buckets, years: impl Iterator<Item = (i32, u64)>) -> Vec<u64> {
    let mut values = vec![0; buckets.len];
    for (year, count) in years {
        if let Some(index) = buckets.index(year) {
            values[index] += count;
        }
    }
    values
}

/// The names of all buckets.
pub(super) fn labels(buckets: Buckets) -> Vec<String> {
    (0..buckets.len).map(|index| buckets.name(index)).collect()
}
