//! TM, BL and WL: times in seconds.

use std::fmt;
use std::time::Duration;

use crate::value::typed::{sgf_value, trim};
use crate::value::{Real, ValueError};

/// *Seconds*: a time limit (`TM`) or the remaining time (`BL`, `WL`).
///
/// ```text
/// seconds = Real                                  (FF[4], "TM", "BL", "WL")
/// ```
///
/// Any Real is valid: servers write negative numbers for a clock that has run out.
///
/// Lenient parsing accepts what [`Real`] accepts, except fractions (`1/2` may be stones per time); times with
/// units: `90m`, `1h30m`, `30 minutes`, `9 hours`, `8 hours each`, `2시간`, `1小时30分`; and `1:30:00`, optionally
/// followed by an overtime in parentheses, which is dropped: `5:00:00(5x1:00)`. `30:00` is an error, since it may
/// be hours or minutes. With the feature `serde` it is a number.
///
/// ```
/// use sgf_stream::value::Seconds;
///
/// assert_eq!(Seconds::parse("1800")?.get(), 1800.0);
/// assert_eq!(Seconds::parse_lenient("1h30m")?.to_string(), "5400");
/// assert_eq!(Seconds::parse("-3.5")?.duration(), None);
/// assert!(Seconds::parse_lenient("30:00").is_err());
/// # Ok::<(), sgf_stream::value::ValueError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Seconds(Real);

impl Seconds {
    const KIND: &'static str = "time";

    /// Creates a time. Returns `None` if `seconds` is infinite or NaN.
    pub fn new(seconds: f64) -> Option<Self> {
        Real::new(seconds).map(Seconds)
    }

    /// Returns the number of seconds.
    pub const fn get(self) -> f64 {
        self.0.get()
    }

    /// Converts the time into a [`Duration`]. Returns `None` if it is negative or too long.
    pub fn duration(self) -> Option<Duration> {
        Duration::try_from_secs_f64(self.get()).ok()
    }

    /// Parses a value strictly.
    ///
    /// # Errors
    ///
    /// Fails if the value is not a Real.
    pub fn parse(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        Real::parse(raw).map(Seconds).map_err(|error| error.of(Self::KIND))
    }

    /// Parses a value leniently: with units, or as `H:MM:SS`.
    ///
    /// # Errors
    ///
    /// Fails if the value has no meaning, or more than one.
    pub fn parse_lenient(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        let raw = raw.as_ref();
        Real::parse_decimal(raw).or_else(|error| in_units(trim(raw).0).ok_or(error.of(Self::KIND))).map(Seconds)
    }
}

sgf_value!(Seconds, "time", serde by hand);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl From<Real> for Seconds {
    fn from(seconds: Real) -> Self {
        Seconds(seconds)
    }
}

/// Units, from the largest to the smallest, the order in which they occur in a time.
const UNITS: [(f64, &[&str]); 3] = [
    (3600.0, &["h", "hr", "hrs", "hour", "hours", "시간", "小时", "小時", "時間"]),
    (60.0, &["m", "min", "mins", "minute", "minutes", "분", "分", "分钟", "分鐘"]),
    (1.0, &["s", "sec", "secs", "second", "seconds", "초", "秒"]),
];

/// Parses `number unit { number unit } [ "each" ]` with each unit at most once, or `H:MM:SS`.
fn in_units(text: &[u8]) -> Option<Real> {
    let text = std::str::from_utf8(text).ok()?;
    if let Some(seconds) = on_a_clock(text) {
        return Some(seconds);
    }
    let text = text.to_lowercase();
    let mut rest = text.strip_suffix("each").unwrap_or(&text).trim_end();
    let (mut seconds, mut units) = (0.0, &UNITS[..]);
    while !rest.is_empty() {
        let (number, after) = rest.split_at(end_of(rest, |c| c.is_ascii_digit() || c == '.'));
        let after = after.trim_start_matches(' ');
        let (unit, after) = after.split_at(end_of(after, |c| c.is_alphabetic() || c == '.'));
        let unit = unit.strip_suffix('.').unwrap_or(unit);
        let at = units.iter().position(|(_, names)| names.contains(&unit))?;
        seconds += units[at].0 * Real::parse_decimal(number.as_bytes()).ok()?.get();
        units = &units[at + 1..];
        rest = after.trim_start_matches(' ');
    }
    if units.len() == UNITS.len() { None } else { Real::new(seconds) }
}

fn end_of(text: &str, part: impl Fn(char) -> bool) -> usize {
    text.find(|c| !part(c)).unwrap_or(text.len())
}

/// Parses `H:MM:SS`, optionally followed by an overtime in parentheses.
fn on_a_clock(text: &str) -> Option<Real> {
    let clock = match text.split_once('(') {
        Some((clock, overtime)) if overtime.ends_with(')') => clock.trim_end(),
        _ => text,
    };
    let mut parts = clock.split(':');
    let mut next = |widths: &[usize]| {
        let part = parts.next()?;
        let digits = widths.contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
        if digits { part.parse::<u32>().ok() } else { None }
    };
    let (hours, minutes, seconds) = (next(&[1, 2])?, next(&[2])?, next(&[2])?);
    let whole = parts.next().is_none() && minutes < 60 && seconds < 60;
    if whole { Real::new(f64::from(hours * 3600 + minutes * 60 + seconds)) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::laws::parsing_laws;
    use quickcheck::{Arbitrary, Gen, quickcheck};

    impl Arbitrary for Seconds {
        fn arbitrary(g: &mut Gen) -> Self {
            let seconds = if bool::arbitrary(g) { f64::arbitrary(g) } else { f64::from(i16::arbitrary(g)) / 4.0 };
            Seconds::new(seconds).unwrap_or_default()
        }
    }

    #[test]
    fn errors_are_those_of_reals() {
        for (raw, at) in [("", 0), ("1h", 1), ("1:30:00", 1), ("34.", 3), ("not much", 0)] {
            let error = Seconds::parse(raw).unwrap_err();
            assert_eq!((error.kind(), error.expected(), error.at()), ("time", "a digit", at), "{raw:?}");
        }
        assert_eq!(Seconds::parse_lenient("  30:00").unwrap_err().at(), 4);
    }

    #[test]
    fn lenient_parsing_accepts_unambiguous_times() {
        for (raw, seconds) in [
            (" 34.", 34.0),
            ("-3.5", -3.5),
            ("3h", 10800.0),
            ("90M", 5400.0),
            ("10s", 10.0),
            ("1h30m", 5400.0),
            ("1 h 30 min. 5 sec", 5405.0),
            ("1.5 hours", 5400.0),
            ("9 hours", 32400.0),
            ("8 hours each", 28800.0),
            ("30 minutes", 1800.0),
            ("20 min", 1200.0),
            ("2시간", 7200.0),
            ("1시간 30분", 5400.0),
            ("1小时30分", 5400.0),
            ("1:30:00", 5400.0),
            ("5:00:00(5x1:00)", 18000.0),
        ] {
            assert_eq!(Seconds::parse_lenient(raw).map(Seconds::get), Ok(seconds), "{raw:?}");
        }
        for raw in [
            "",
            "each",
            "30:00",
            "30:00(5x1:00)",
            "1:60:00",
            "1:30:00:00",
            "1:30:00(",
            "h",
            "1h 30",
            "30m1h",
            "1h1h",
            "-1h",
            "1 fortnight",
            "1h each each",
            "not much time left",
            "1..5h",
        ] {
            assert!(Seconds::parse_lenient(raw).is_err(), "{raw:?}");
        }
    }

    #[test]
    fn a_duration_is_not_negative() {
        assert_eq!(Seconds::new(1.5).unwrap().duration(), Some(Duration::from_millis(1500)));
        assert_eq!(Seconds::new(-1.0).unwrap().duration(), None);
        assert_eq!(Seconds::new(1e300).unwrap().duration(), None);
    }

    #[test]
    #[cfg(feature = "serde")]
    fn serde_represents_it_as_a_number() {
        let time = Seconds::new(90.0).unwrap();
        assert_eq!(serde_json::to_string(&time).unwrap(), "90.0");
        for json in ["90", "90.0"] {
            assert_eq!(serde_json::from_str::<Seconds>(json).unwrap(), time, "{json}");
        }
        let text = serde::de::value::StrDeserializer::<serde::de::value::Error>::new("1m30s");
        assert_eq!(serde::Deserialize::deserialize(text), Ok(time));
    }

    quickcheck! {
        fn a_time_round_trips(time: Seconds) -> bool {
            Seconds::parse(time.to_string()) == Ok(time)
        }
    }

    parsing_laws!(Seconds, ["1800", "-3.5", "1h30m", "5:00:00(5x1:00)", "8 hours each", "2시간"]);
}
