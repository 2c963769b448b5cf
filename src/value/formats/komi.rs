//! KM: komi.

use std::fmt;

use super::units::in_points;
use crate::value::typed::{sgf_value, trim};
use crate::value::{Real, Ruleset, ValueError};

/// *Komi*: the points that White receives for moving second, the value of `KM`.
///
/// ```text
/// komi = Real                                     (FF[4], "KM")
/// ```
///
/// Lenient parsing accepts what [`Real`] accepts (such as `5 1/2`), and points with a unit: `6.5집`, `6집 반`, `6.5목`, `6目半`,
/// `6.5 points`. With the feature `serde` it is a number.
///
/// # Komi of hundreds of points
///
/// The server Fox (`AP[foxwq]`, in copies of its games also `AP[YuanYu]`) writes hundredths, and not always of
/// points. Thousands of files have such values. [`get`](Self::get) returns the number as written:
///
/// | value | rules | margins in RE | meaning |
/// |---|---|---|---|
/// | `KM[375]`, `KM[325]`, `KM[275]` | `RU[Chinese]` | in quarters: `B+1.75` | 3¾ stones: 7.5 points; 6.5; 5.5 |
/// | `KM[750]`, `KM[650]`, `KM[550]`, `KM[450]` | `RU[Japanese]` | in halves: `B+1.5` | 7.5 points; 6.5; 5.5; 4.5 |
///
/// Chinese rules count komi and margin in stones relative to half of the board; one stone is two points. Three facts
/// show that 375 means 7.5 points, not 3.75: the margins of these games have quarters, which margins in points never
/// have; the rules of the time had a komi of 3¾ stones; and other programs (KataGo, KaTrain, OGS) interpret it in
/// this way, as does [`points`](Self::points).
///
/// ```
/// use sgf_stream::value::{Komi, Ruleset};
///
/// assert_eq!(Komi::parse("6.5")?.points(), Some(6.5));
/// assert_eq!(Komi::parse("375")?.points(), Some(7.5));
/// assert_eq!(Komi::parse("750")?.points(), Some(7.5));
/// // The number stays as written.
/// assert_eq!((Komi::parse("750")?.get(), Komi::parse("750")?.to_string()), (750.0, "750".to_owned()));
/// // Either 4.5 points or 4.5 stones.
/// let komi = Komi::parse("450")?;
/// assert_eq!((komi.points(), komi.points_under(&Ruleset::Japanese)), (None, Some(4.5)));
/// assert_eq!(Komi::parse_lenient("5 1/2")?.get(), 5.5);
/// # Ok::<(), sgf_stream::value::ValueError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Komi(Real);

impl Komi {
    pub(super) const fn of(komi: Real) -> Self {
        Komi(komi)
    }

    const KIND: &'static str = "komi";

    /// Creates a komi. Returns `None` if it is infinite or NaN.
    pub fn new(komi: f64) -> Option<Self> {
        Real::new(komi).map(Komi)
    }

    /// Returns the number as written: the komi in points, unless in [hundredths](Self#komi-of-hundreds-of-points).
    pub const fn get(self) -> f64 {
        self.0.get()
    }

    /// Returns the komi in points, or `None` for hundredths of an ambiguous unit.
    ///
    /// Multiples of 25 from 200 to 1000 are hundredths, since no game has such a komi. 275, 325 and 375 are
    /// hundredths of a stone, since quarters of a point do not exist. Other values with a quarter (675) are unknown:
    /// no rules have such a komi. Multiples of 50 from 500 on are hundredths of a point, since no komi is five
    /// stones. The others (450, 350, 300) may be either; [the rules](Self::points_under) decide.
    pub fn points(self) -> Option<f64> {
        match self.hundredths() {
            None => Some(self.get()),
            Some(Hundredths { has_quarter: true, number }) => {
                [2.75, 3.25, 3.75].contains(&number.abs()).then_some(number * 2.0)
            }
            Some(Hundredths { number, .. }) => (number.abs() >= 5.0).then_some(number),
        }
    }

    /// Returns the komi in points under `rules`, or `None` if it is still ambiguous.
    ///
    /// The rules are the value of `RU`. Only hundredths depend on the rules: `Chinese` counts stones, `Japanese`
    /// and `Korean` count points (ignoring case). Hundredths of a stone under rules that count points
    /// (`KM[375]RU[Japanese]`) are ambiguous.
    pub fn points_under(self, rules: &Ruleset) -> Option<f64> {
        let is =
            |name: &str| matches!(rules, Ruleset::Other(text) if text.trim_matches(' ').eq_ignore_ascii_case(name));
        let counts_points = matches!(rules, Ruleset::Japanese) || is("Japanese") || is("Korean");
        match self.hundredths() {
            Some(Hundredths { has_quarter, number }) if counts_points => (!has_quarter).then_some(number),
            Some(Hundredths { has_quarter: false, number }) if is("Chinese") && number.abs() < 5.0 => {
                Some(number * 2.0)
            }
            _ => self.points(),
        }
    }

    /// Returns whether the number is in hundredths.
    #[doc(hidden)]
    pub fn is_in_hundredths(self) -> bool {
        self.hundredths().is_some()
    }

    fn hundredths(self) -> Option<Hundredths> {
        let written = self.get();
        let is_one = (200.0..=1000.0).contains(&written.abs()) && written % 25.0 == 0.0;
        is_one.then(|| Hundredths { number: written / 100.0, has_quarter: written % 50.0 != 0.0 })
    }

    /// Parses a value strictly.
    ///
    /// # Errors
    ///
    /// Fails if the value is not a Real.
    pub fn parse(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        Real::parse(raw).map(Komi).map_err(|error| error.of(Self::KIND))
    }

    /// Parses a value leniently, with a fraction or a unit.
    ///
    /// # Errors
    ///
    /// Fails if the value has another form.
    pub fn parse_lenient(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        let raw = raw.as_ref();
        let read = Real::parse_lenient(raw).or_else(|error| with_unit(trim(raw).0).ok_or(error.of(Self::KIND)));
        read.map(Komi)
    }
}

/// A number from 200 to 1000, divided by a hundred.
struct Hundredths {
    number: f64,
    has_quarter: bool,
}

sgf_value!(Komi, "komi", serde by hand);

impl fmt::Display for Komi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Parses `6.5집`, `6집 반`, `6.5목`, `6目半`, `6.5 points`.
fn with_unit(text: &[u8]) -> Option<Real> {
    let text = str::from_utf8(text).ok()?;
    if let Some(number) = ["points", "point", "pts"].iter().find_map(|unit| text.strip_suffix(unit)) {
        return Real::parse_lenient(number).ok();
    }
    let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
    match words[..] {
        [number] => in_points(number),
        [number, half @ ("반" | "半" | "집" | "목" | "目" | "집반" | "목반" | "目半")] => {
            in_points(&format!("{number}{half}"))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::laws::parsing_laws;
    use quickcheck::{Arbitrary, Gen, quickcheck};

    impl Arbitrary for Komi {
        fn arbitrary(g: &mut Gen) -> Self {
            let komi = if bool::arbitrary(g) { f64::arbitrary(g) } else { f64::from(i16::arbitrary(g)) / 4.0 };
            Komi::new(komi).unwrap_or_default()
        }
    }

    #[test]
    fn hundredths_are_of_stones_or_of_points() {
        for (written, points, chinese, japanese) in [
            ("6.5", Some(6.5), Some(6.5), Some(6.5)),
            ("0", Some(0.0), Some(0.0), Some(0.0)),
            ("3.75", Some(3.75), Some(3.75), Some(3.75)),
            ("375", Some(7.5), Some(7.5), None),
            ("325", Some(6.5), Some(6.5), None),
            ("275", Some(5.5), Some(5.5), None),
            ("-375", Some(-7.5), Some(-7.5), None),
            ("225", None, None, None),
            ("425", None, None, None),
            ("525", None, None, None),
            ("675", None, None, None),
            ("825", None, None, None),
            ("750", Some(7.5), Some(7.5), Some(7.5)),
            ("650.0", Some(6.5), Some(6.5), Some(6.5)),
            ("700", Some(7.0), Some(7.0), Some(7.0)),
            ("450", None, Some(9.0), Some(4.5)),
            ("350", None, Some(7.0), Some(3.5)),
            ("200", None, Some(4.0), Some(2.0)),
            // Half a point on that server, or 50 points.
            ("50", Some(50.0), Some(50.0), Some(50.0)),
            ("-59.5", Some(-59.5), Some(-59.5), Some(-59.5)),
            ("199", Some(199.0), Some(199.0), Some(199.0)),
            ("376", Some(376.0), Some(376.0), Some(376.0)),
            ("1025", Some(1025.0), Some(1025.0), Some(1025.0)),
        ] {
            let komi = Komi::parse(written).unwrap();
            let under = |rules| komi.points_under(&Ruleset::parse_lenient(rules).unwrap());
            assert_eq!((komi.points(), under("chinese"), under("Japanese")), (points, chinese, japanese), "{written}");
            assert_eq!((under("AGA"), under("")), (points, points), "{written}");
            assert_eq!(under(" Korean"), japanese, "{written}");
        }
    }

    #[test]
    fn lenient_parsing_accepts_fractions_and_units() {
        for (raw, komi) in [
            ("5 1/2", 5.5),
            ("5½", 5.5),
            ("5 3/4", 5.75),
            (" 6,5 ", 6.5),
            ("6.5집", 6.5),
            ("6집반", 6.5),
            ("6집 반", 6.5),
            ("7 집", 7.0),
            ("반집", 0.5),
            ("6.5목", 6.5),
            ("7목 반", 7.5),
            ("6目半", 6.5),
            ("6.5目", 6.5),
            ("6.5 points", 6.5),
            ("1 point", 1.0),
        ] {
            assert_eq!(Komi::parse_lenient(raw).map(Komi::get), Ok(komi), "{raw:?}");
            assert_eq!(Komi::parse(raw).unwrap_err().kind(), "komi", "{raw:?}");
        }
        // A stone is one point or two.
        for raw in ["", "six", "53/4", "3.75子", "6.5집반", "6 5집", "집", "6집 1", "-6집", "points", "黒6目半"]
        {
            assert!(Komi::parse_lenient(raw).is_err(), "{raw:?}");
        }
    }

    quickcheck! {
        fn a_komi_round_trips(komi: Komi) -> bool {
            Komi::parse(komi.to_string()) == Ok(komi)
        }
    }

    parsing_laws!(Komi, ["6.5", "750", "5 1/2", "6집 반", "6.5目", "6.5 points"]);
}
