//! TM, BL and WL: times in seconds.

use std::fmt;
use std::time::Duration;

use crate::value::typed::{sgf_value, trim};
use crate::value::{Overtime, Real, SimpleText, ValueError};

/// *Seconds*: a time limit (`TM`) or the remaining time (`BL`, `WL`).
///
/// ```text
/// seconds = Real                                  (FF[4], "TM", "BL", "WL")
/// ```
///
/// Any Real is valid: servers write negative numbers for a clock that has run out.
///
/// Lenient parsing accepts what [`Real`] accepts, except fractions (`1/2` may be stones per time); times with
/// units: `90m`, `1h30m`, `30 minutes`, `9 hours`, `8 hours each`, `2시간`, `각 2시간`, `1小时30分`; and `1:30:00`. `30:00` is
/// an error, since it may be hours or minutes. With the feature `serde` it is a number.
///
/// An overtime may follow the main time: `5:00:00(5x1:00)`, and `10분40초3회` of Korean servers, ten minutes and then
/// three periods of 40 seconds. [`parse_lenient`](Self::parse_lenient) drops it;
/// [`with_overtime`](Self::with_overtime) also returns it. Ten hours or more before such periods (`180시간60초5회`) are
/// an error, since minutes are meant.
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

    /// Parses a value leniently, with units or as `H:MM:SS`.
    ///
    /// # Errors
    ///
    /// Fails if the value has no meaning, or more than one.
    pub fn parse_lenient(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        Seconds::with_overtime(raw).map(|(seconds, _)| seconds)
    }

    /// Parses a main time leniently, with the overtime that may follow it.
    ///
    /// ```
    /// use sgf_stream::value::Seconds;
    ///
    /// let (main, overtime) = Seconds::with_overtime("10분40초3회")?;
    /// assert_eq!((main.get(), overtime.unwrap().to_string().as_str()), (600.0, "3x40 byo-yomi"));
    /// assert_eq!(Seconds::with_overtime("600")?, (main, None));
    /// # Ok::<(), sgf_stream::value::ValueError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the value has no meaning, or more than one.
    pub fn with_overtime(raw: impl AsRef<[u8]>) -> Result<(Self, Option<Overtime>), ValueError> {
        let raw = raw.as_ref();
        match Real::parse_decimal(raw) {
            Ok(seconds) => Ok((Seconds(seconds), None)),
            Err(error) => in_units(trim(raw).0).ok_or(error.of(Self::KIND)),
        }
    }
}

sgf_value!(Seconds, "time", serde by hand);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Units, from the largest to the smallest, the order in which they occur in a time.
const UNITS: [(f64, &[&str]); 3] = [
    (3600.0, &["h", "hr", "hrs", "hour", "hours", "시간", "小时", "小時", "時間"]),
    (60.0, &["m", "min", "mins", "minute", "minutes", "분", "分", "分钟", "分鐘"]),
    (1.0, &["s", "sec", "secs", "second", "seconds", "초", "秒"]),
];

/// Words for "each" before a time, the longer ones first.
const EACH: [&str; 4] = ["각자", "각", "各自", "各"];

/// Characters after a number of periods.
const PERIODS: [char; 3] = ['회', '次', '回'];

/// Minimum main time in seconds that is rejected as implausible before periods.
const TOO_LONG: f64 = 36_000.0;

/// Parses a time with units or on a clock, and the overtime after it.
fn in_units(text: &[u8]) -> Option<(Seconds, Option<Overtime>)> {
    let text = std::str::from_utf8(text).ok()?;
    if let Some((seconds, overtime)) = on_a_clock(text) {
        return Some((Seconds(seconds), overtime));
    }
    let text = text.to_lowercase();
    let text = EACH.iter().find_map(|each| text.strip_prefix(each)).unwrap_or(&text).trim_start();
    if let Some(time) = text.strip_suffix(PERIODS) {
        return with_periods(time);
    }
    Some((Seconds(added(text.strip_suffix("each").unwrap_or(text).trim_end())?), None))
}

/// Parses a main time, the length of a period, and the number of periods. The format is
/// `{ number unit } number unit number`.
fn with_periods(text: &str) -> Option<(Seconds, Option<Overtime>)> {
    let start_of = |text: &str, is_part: fn(char) -> bool| text.trim_end_matches(is_part).len();
    let is_number = |c: char| c.is_ascii_digit() || c == '.';
    let (text, periods) = text.split_at(start_of(text, |c| c.is_ascii_digit()));
    let text = text.trim_end();
    let unit = text[..start_of(text, char::is_alphabetic)].trim_end();
    let (main, period) = text.split_at(start_of(unit, is_number));
    let (main, seconds) = (added(main.trim_end())?, Seconds(added(period)?));
    let periods = periods.parse().ok().filter(|&periods| periods > 0)?;
    let is_believed = main.get() < TOO_LONG && seconds.get() > 0.0;
    is_believed.then_some((Seconds(main), Some(Overtime::Byoyomi { periods, seconds })))
}

/// Parses `number unit { number unit }` with each unit at most once.
fn added(text: &str) -> Option<Real> {
    let (mut rest, mut seconds, mut units) = (text, 0.0, &UNITS[..]);
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
fn on_a_clock(text: &str) -> Option<(Real, Option<Overtime>)> {
    let (clock, overtime) = match text.split_once('(').map(|(clock, rest)| (clock, rest.strip_suffix(')'))) {
        Some((clock, Some(overtime))) => (clock.trim_end(), Some(overtime)),
        _ => (text, None),
    };
    let mut parts = clock.split(':');
    let mut next = |widths: &[usize]| {
        let part = parts.next()?;
        let digits = widths.contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
        if digits { part.parse::<u32>().ok() } else { None }
    };
    let (hours, minutes, seconds) = (next(&[1, 2])?, next(&[2])?, next(&[2])?);
    let whole = parts.next().is_none() && minutes < 60 && seconds < 60;
    let seconds = Real::new(f64::from(hours * 3600 + minutes * 60 + seconds)).filter(|_| whole)?;
    // The parentheses contain a raw value, since they are part of one.
    Some((seconds, overtime.and_then(|raw| Some(SimpleText::parse(raw).ok()?.into()))))
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
            ("각 2시간 30분", 9000.0),
            ("각자 1시간", 3600.0),
            ("各16小时", 57600.0),
            ("10분40초3회", 600.0),
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
            "각",
            "3회",
            "40초3회",
            "10분40초회",
            "10분40초0회",
            "10분0초3회",
            "10분3회40초",
            "30분1분30초3회",
            "180시간60초5회",
        ] {
            assert!(Seconds::parse_lenient(raw).is_err(), "{raw:?}");
        }
    }

    #[test]
    fn an_overtime_may_follow_the_main_time() {
        for (raw, seconds, overtime) in [
            ("10분40초3회", 600.0, Some("3x40 byo-yomi")),
            ("0분30초10회", 0.0, Some("10x30 byo-yomi")),
            ("1시간30분1분5회", 5400.0, Some("5x60 byo-yomi")),
            ("10분 40초 3회", 600.0, Some("3x40 byo-yomi")),
            ("1小时30秒3次", 3600.0, Some("3x30 byo-yomi")),
            ("1:00:00 (5x30 byo-yomi)", 3600.0, Some("5x30 byo-yomi")),
            ("5:00:00(5x1:00)", 18000.0, Some("5x1:00")),
            ("1:00:00", 3600.0, None),
            ("90m", 5400.0, None),
            ("600", 600.0, None),
        ] {
            let (main, read) = Seconds::with_overtime(raw).unwrap();
            assert_eq!(main.get(), seconds, "{raw:?}");
            assert_eq!(read.map(|read| read.to_string()).as_deref(), overtime, "{raw:?}");
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

    parsing_laws!(Seconds, ["1800", "-3.5", "1h30m", "5:00:00(5x1:00)", "8 hours each", "각 2시간", "10분40초3회"]);
}
