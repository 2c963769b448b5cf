//! Statistics: shares with intervals, and quantiles of counts.

/// A share of a number of games, with the interval in which the true share is with 95 % confidence: Wilson's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Share {
    pub(super) share: f64,
    pub(super) low: f64,
    pub(super) high: f64,
}

/// The standard deviations of 95 %.
const Z: f64 = 1.959_963_984_540_054;

impl Share {
    /// `None` if there are no games.
    pub(super) fn of(part: u64, all: u64) -> Option<Share> {
        if all == 0 {
            return None;
        }
        let (n, share) = (all as f64, part as f64 / all as f64);
        let scale = 1.0 + Z * Z / n;
        let center = (share + Z * Z / (2.0 * n)) / scale;
        let half = Z / scale * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
        Some(Share { share, low: (center - half).max(0.0), high: (center + half).min(1.0) })
    }
}

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

/// Years as buckets of a chart: their length, the first year of the first one, and their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Buckets {
    pub(super) step: i32,
    pub(super) first: i32,
    pub(super) len: usize,
}

/// The most buckets of a chart.
const MOST: i32 = 48;

impl Buckets {
    /// Buckets for games by year, in the order of years. Single games far from all others are left out, since their years
    /// are mostly mistakes. `None` if there are no games.
    pub(super) fn of(years: impl Iterator<Item = (i32, u64)>) -> Option<Buckets> {
        let years: Vec<_> = years.collect();
        let all: u64 = years.iter().map(|(_, games)| games).sum();
        let spare = all / 1000;
        let end = |years: &mut dyn Iterator<Item = &(i32, u64)>| {
            let mut passed = 0;
            for (year, games) in years {
                passed += games;
                if passed > spare {
                    return Some(*year);
                }
            }
            None
        };
        let (first, last) = (end(&mut years.iter())?, end(&mut years.iter().rev())?);
        let step = [1, 10, 50, 100, 1000].into_iter().find(|step| last / step - first / step < MOST).unwrap_or(1000);
        let first = first.div_euclid(step) * step;
        Some(Buckets { step, first, len: ((last - first) / step) as usize + 1 })
    }

    /// The number of the bucket of a year, if it is in one.
    pub(super) fn index(self, year: i32) -> Option<usize> {
        usize::try_from((year - self.first).div_euclid(self.step)).ok().filter(|index| *index < self.len)
    }

    /// The name of a bucket: `1990`, `1990s`, `1950–1999`.
    pub(super) fn name(self, index: usize) -> String {
        let year = self.first + index as i32 * self.step;
        match self.step {
            1 => year.to_string(),
            10 => format!("{year}s"),
            step => format!("{year}–{}", year + step - 1),
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_those_of_wilson() {
        // From Newcombe (1998), method 3: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
        for (part, all, low, high) in
            [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)]
        {
            let share = Share::of(part, all).unwrap();
            assert!((share.low - low).abs() < 5e-5 && (share.high - high).abs() < 5e-5, "{share:?}");
        }
        assert_eq!(Share::of(0, 0), None);
    }

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
    fn buckets_cover_the_years_that_count() {
        let of = |years: &[(i32, u64)]| Buckets::of(years.iter().copied());
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[(1996, 3)]), Some(Buckets { step: 1, first: 1996, len: 1 }));
        assert_eq!(of(&[(196, 1), (1955, 900), (2020, 900)]), Some(Buckets { step: 10, first: 1950, len: 8 }));
        let all = of(&[(1, 1), (9999, 1)]).unwrap();
        assert_eq!((all.step, all.index(9999), all.index(0)), (1000, Some(9), Some(0)));
        let decades = of(&[(1846, 5), (2020, 5)]).unwrap();
        assert_eq!((decades.index(1846), decades.index(1839), decades.name(1)), (Some(0), None, "1850s".to_owned()));
    }
}
