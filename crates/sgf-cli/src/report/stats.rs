//! Statistics: shares, quantiles of counts, and years.

pub(super) use sgf_search::Share;
pub(crate) use sgf_search::is_plausible_year as is_plausible;

/// The number below which a fraction of the counted things lie, by counts of 0, 1, 2 and so on. The median of an even
/// number of things is the mean of the two in the middle. `None` if there are none.
pub(super) fn quantile(counts: &[u64], fraction: f64) -> Option<f64> {
    let all: u64 = counts.iter().sum();
    let place = fraction * all.checked_sub(1)? as f64;
    let nth = |n: u64| {
        let mut before = 0;
        counts.iter().position(|count| {
            before += count;
            before > n
        })
    };
    let (low, high) = (nth(place.floor() as u64)? as f64, nth(place.ceil() as u64)? as f64);
    Some(low + (high - low) * place.fract())
}

/// Years as buckets of a chart. All but the first and the last are equally long; those may have all games before and
/// after, so that a few games far from all others do not squeeze them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Buckets {
    /// Length of a bucket in years.
    step: i32,
    /// The first year of the first one that is not open.
    first: i32,
    /// The last year of the last one that is not open.
    last: i32,
    /// Whether there is a bucket before `first`, and one after `last`.
    has_before: bool,
    has_after: bool,
    /// Number of buckets.
    pub(super) len: usize,
}

/// The most buckets of a chart that are not open.
const MOST: i32 = 48;

/// One in so many games may be in an open bucket, at each end.
const SPARE: u64 = 100;

impl Buckets {
    /// Buckets for games by year, in the order of years: as short as they can be. All games have a bucket; at each end, one
    /// game in [`SPARE`] may be in an open one if it is far from the others. `None` if there are no games.
    pub(super) fn of(years: impl Iterator<Item = (i32, u64)>) -> Option<Buckets> {
        let years: Vec<_> = years.filter(|(_, games)| *games > 0).collect();
        let (first, last) = (years.first()?.0, years.last()?.0);
        let spare = years.iter().map(|(_, games)| games).sum::<u64>() / SPARE;
        let (inner_first, inner_last) = (inner(years.iter(), spare)?, inner(years.iter().rev(), spare)?);
        let near = (inner_last - inner_first) / 4;
        let fits = last - first < MOST;
        let from = if fits || inner_first - first <= near { first } else { inner_first };
        let to = if fits || last - inner_last <= near { last } else { inner_last };
        let count = |step: i32| to.div_euclid(step) - from.div_euclid(step) + 1;
        let step = [1, 10, 50, 100, 1000].into_iter().find(|step| count(*step) <= MOST)?;
        let (from, count) = (from.div_euclid(step) * step, count(step));
        let to = from + count * step - 1;
        let (has_before, has_after) = (first < from, last > to);
        let len = count as usize + usize::from(has_before) + usize::from(has_after);
        Some(Buckets { step, first: from, last: to, has_before, has_after, len })
    }

    /// The number of the bucket of a year, if it is in one.
    pub(super) fn index(self, year: i32) -> Option<usize> {
        if year < self.first {
            return self.has_before.then_some(0);
        }
        if year > self.last {
            return self.has_after.then_some(self.len - 1);
        }
        Some(((year - self.first) / self.step) as usize + usize::from(self.has_before))
    }

    /// The name of a bucket: `1990`, `1990s`, `1950–1999`, `before 1600`, `from 1980`.
    pub(super) fn name(self, index: usize) -> String {
        if self.is_open(index) {
            return if index == 0 { format!("before {}", self.first) } else { format!("from {}", self.last + 1) };
        }
        let year = self.first + (index - usize::from(self.has_before)) as i32 * self.step;
        match self.step {
            1 => year.to_string(),
            10 => format!("{year}s"),
            step => format!("{year}–{}", year + step - 1),
        }
    }

    /// Whether a bucket has all games before or after the others.
    fn is_open(self, index: usize) -> bool {
        self.has_before && index == 0 || self.has_after && index + 1 == self.len
    }

    pub(super) fn unit(self) -> &'static str {
        match self.step {
            1 => "year",
            10 => "decade",
            50 => "half-century",
            100 => "century",
            _ => "millennium",
        }
    }
}

/// The first of some years before which more games are than can be spared, its own among them.
fn inner<'y>(years: impl Iterator<Item = &'y (i32, u64)>, spare: u64) -> Option<i32> {
    let mut passed = 0;
    let mut years = years.map(|(year, games)| {
        passed += games;
        (*year, passed)
    });
    years.find(|(_, passed)| *passed > spare).map(|(year, _)| year)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_sorted_list() {
        assert_eq!(quantile(&[], 0.5), None);
        assert_eq!(quantile(&[0, 0], 0.5), None);
        assert_eq!(quantile(&[0, 1], 0.5), Some(1.0));
        assert_eq!(quantile(&[1, 0, 0, 1], 0.5), Some(1.5)); // 0, 3
        assert_eq!(quantile(&[0, 2, 1], 0.5), Some(1.0)); // 1, 1, 2
        assert_eq!(quantile(&[1, 1, 1, 1, 1], 0.25), Some(1.0));
    }

    #[test]
    fn buckets_are_as_short_as_they_can_be() {
        let of = |years: &[(i32, u64)]| Buckets::of(years.iter().copied());
        let names = |years: &[(i32, u64)]| {
            let buckets = of(years).unwrap();
            (buckets.len, buckets.name(0), buckets.name(buckets.len - 1))
        };
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[(1996, 0)]), None);
        assert_eq!(names(&[(1996, 3)]), (1, "1996".to_owned(), "1996".to_owned()));
        assert_eq!(names(&[(1846, 5), (2020, 5)]), (19, "1840s".to_owned(), "2020s".to_owned()));
        // Few old games have one bucket together, and so have few new ones.
        for (years, expected) in [
            (&[(196, 1), (1094, 9), (1955, 900), (2020, 900)][..], (9, "before 1950", "2020s")),
            (&[(1094, 1), (1990, 500), (2020, 500)], (32, "before 1990", "2020")),
            (&[(1700, 500), (1840, 500), (2024, 3)], (16, "1700s", "from 1850")),
            (&[(1600, 500), (1640, 500), (2024, 3)], (42, "1600", "from 1641")),
            (&[(300, 1), (1600, 500), (1640, 500), (2024, 3)], (43, "before 1600", "from 1641")),
            // Near enough.
            (&[(1985, 1), (1990, 500), (2020, 500)], (36, "1985", "2020")),
            (&[(1696, 8), (1976, 500), (2025, 500), (2026, 1)], (7, "before 1970", "2020s")),
            // Too many to be spared.
            (&[(1094, 50), (1990, 500), (2020, 500)], (20, "1050–1099", "2000–2049")),
            (&[(100, 1), (2020, 1)], (39, "100–149", "2000–2049")),
        ] {
            assert_eq!(names(years), (expected.0, expected.1.to_owned(), expected.2.to_owned()), "{years:?}");
        }
    }

    quickcheck::quickcheck! {
        fn every_game_has_a_bucket_of_its_year(years: Vec<(u16, u8)>) -> bool {
            let sums: std::collections::BTreeMap<_, _> = years.into_iter().map(|(year, games)| (year % 2500, games)).collect();
            let years = || sums.iter().map(|(year, games)| (i32::from(*year), u64::from(*games)));
            let counted = || years().filter(|(_, games)| *games > 0);
            let Some(buckets) = Buckets::of(years()) else { return counted().count() == 0 };
            let all: u64 = counted().map(|(_, games)| games).sum();
            let in_open: u64 = counted().filter(|(year, _)| buckets.is_open(buckets.index(*year).unwrap()))
                .map(|(_, games)| games).sum();
            let names_fit = counted().all(|(year, _)| {
                let name = buckets.name(buckets.index(year).unwrap());
                let number = |text: &str| text.trim_end_matches('s').parse::<i32>().unwrap();
                match (name.strip_prefix("before "), name.strip_prefix("from "), name.split_once('–')) {
                    (Some(end), _, _) => year < number(end),
                    (_, Some(start), _) => year >= number(start),
                    (_, _, Some((start, end))) => (number(start)..=number(end)).contains(&year),
                    _ => (number(&name)..=number(&name) + if name.ends_with('s') { 9 } else { 0 }).contains(&year),
                }
            });
            names_fit && in_open * SPARE <= all * 2 && buckets.len <= MOST as usize + 2
        }
    }
}
