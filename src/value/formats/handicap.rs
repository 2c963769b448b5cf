//! HA: handicaps.

use std::fmt;

use super::units::{in_points, joined};
use crate::value::typed::{sgf_value, trim};
use crate::value::{Komi, Number, Real, ValueError};

/// *Handicap*: the number of handicap stones, the value of `HA`.
///
/// ```text
/// handicap = Number                               (FF[4], "HA")
/// ```
///
/// The value is only their number; `AB` places them. An even game has none; `HA[0]` is common.
///
/// Lenient parsing accepts Korean, Chinese and Japanese words: `호선`, `互先` and `分先` (an even game) are 0; `2점`, `2子`
/// and `让2子` are two stones. A Korean server adds the komi: `호선 - 6집 반 공제` is an even game with a komi of 6.5 points,
/// `호선 - 덤 없음` one without komi.
/// Such a value contains a [`komi`](Self::komi) and prints as on that server; only lenient parsing accepts it again.
/// Other text is an error: `정선` and `让先` (Black moves first without komi) mean a handicap of one stone to some and
/// none to others, and `先相先` changes from game to game.
///
/// ```
/// use sgf_stream::value::Handicap;
///
/// assert_eq!(Handicap::parse("2")?.stones(), 2);
///
/// let handicap = Handicap::parse_lenient("호선 - 6집 반 공제")?;
/// assert_eq!((handicap.stones(), handicap.komi().map(|komi| komi.get())), (0, Some(6.5)));
/// assert_eq!(Handicap::parse_lenient("호선")?.to_string(), "0");
/// # Ok::<(), sgf_stream::value::ValueError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Handicap {
    stones: Number,
    komi: Option<Komi>,
}

impl Handicap {
    fn alone(stones: Number) -> Self {
        Handicap { stones, komi: None }
    }

    const KIND: &'static str = "handicap";

    /// Creates a handicap of a number of stones.
    pub const fn new(stones: i64) -> Self {
        Handicap { stones: Number::new(stones), komi: None }
    }

    /// Returns the number of stones, as written; a negative one is possible.
    pub const fn stones(self) -> i64 {
        self.stones.get()
    }

    /// Returns the komi that the value contains, if any. `KM` takes precedence over it.
    pub const fn komi(self) -> Option<Komi> {
        self.komi
    }

    /// Parses a value strictly.
    ///
    /// # Errors
    ///
    /// Fails if the value is not a Number.
    pub fn parse(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        Number::parse(raw).map(Handicap::alone).map_err(|error| error.of(Self::KIND))
    }

    /// Parses a number, or the words listed at [`Handicap`].
    ///
    /// # Errors
    ///
    /// Fails if the value has another form.
    pub fn parse_lenient(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        let raw = raw.as_ref();
        let number = Number::parse_lenient(raw).map(Handicap::alone);
        number.or_else(|error| in_words(trim(raw).0).ok_or(error.of(Self::KIND)))
    }
}

sgf_value!(Handicap, "handicap");

/// Prints only the number, or the number and the komi in words.
impl fmt::Display for Handicap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(komi) = self.komi.map(Komi::get) else { return self.stones.fmt(f) };
        match self.stones.get() {
            0 => f.write_str(EVEN[0]),
            stones => write!(f, "{stones}점"),
        }?;
        match komi.fract() == 0.5 {
            _ if komi == 0.0 => f.write_str(" - 덤 없음"),
            true => write!(f, " - {}집 반 {DEDUCTED}", komi.trunc()),
            false => write!(f, " - {komi}집 {DEDUCTED}"),
        }
    }
}

/// Words for an even game.
const EVEN: [&str; 4] = ["호선", "互先", "分先", "맞바둑"];

/// The word after a komi: "deducted".
const DEDUCTED: &str = "공제";

/// Parses `stones [ "-" komi ]`.
fn in_words(text: &[u8]) -> Option<Handicap> {
    let text = str::from_utf8(text).ok()?;
    let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
    let text = joined(&words)?;
    let (stones, komi) = match text.split_once('-') {
        Some((stones, "덤없음")) => (stones, Some(Real::default())),
        Some((stones, komi)) => (stones, Some(in_points(komi.strip_suffix(DEDUCTED)?)?)),
        None => (&*text, None),
    };
    let stones = if EVEN.contains(&stones) { 0 } else { counted(stones)? };
    Some(Handicap { stones: Number::new(stones), komi: komi.map(Komi::of) })
}

/// Parses `2점`, `2子`, `让2子`, with at least two stones. A handicap of one has no stone on the board.
fn counted(text: &str) -> Option<i64> {
    let number = text.strip_prefix(['让', '讓', '授', '受']).unwrap_or(text);
    let number = ["점", "子局", "子"].iter().find_map(|unit| number.strip_suffix(unit))?;
    let is_number = number.len() < 3 && number.bytes().all(|b| b.is_ascii_digit());
    number.parse().ok().filter(|stones| is_number && *stones >= 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::laws::parsing_laws;
    use quickcheck::{Arbitrary, Gen, quickcheck};

    impl Arbitrary for Handicap {
        fn arbitrary(g: &mut Gen) -> Self {
            Handicap::new(if bool::arbitrary(g) { i64::arbitrary(g) } else { i64::from(u8::arbitrary(g) % 10) })
        }
    }

    #[test]
    fn lenient_parsing_accepts_words_for_stones_and_komi() {
        for (raw, stones, komi, printed) in [
            ("호선", 0, None, "0"),
            (" 호선 ", 0, None, "0"),
            ("互先", 0, None, "0"),
            ("分先", 0, None, "0"),
            ("호선 - 6집 반 공제", 0, Some(6.5), "호선 - 6집 반 공제"),
            ("호선 - 7집 반 공제", 0, Some(7.5), "호선 - 7집 반 공제"),
            ("호선-6집반공제", 0, Some(6.5), "호선 - 6집 반 공제"),
            ("호선 - 6.5집 공제", 0, Some(6.5), "호선 - 6집 반 공제"),
            ("호선 - 5집 공제", 0, Some(5.0), "호선 - 5집 공제"),
            ("호선 - 반집 공제", 0, Some(0.5), "호선 - 0집 반 공제"),
            ("호선 - 덤 없음", 0, Some(0.0), "호선 - 덤 없음"),
            ("호선-덤없음", 0, Some(0.0), "호선 - 덤 없음"),
            ("3점 - 0집 공제", 3, Some(0.0), "3점 - 덤 없음"),
            ("2점", 2, None, "2"),
            ("4 점 - 반집 공제", 4, Some(0.5), "4점 - 0집 반 공제"),
            ("让2子", 2, None, "2"),
            ("3子", 3, None, "3"),
            (" 3 ", 3, None, "3"),
        ] {
            let read = Handicap::parse_lenient(raw).unwrap();
            assert_eq!((read.stones(), read.komi().map(Komi::get)), (stones, komi), "{raw:?}");
            assert_eq!(read.to_string(), printed, "{raw:?}");
            assert_eq!(Handicap::parse_lenient(printed), Ok(read), "{raw:?}");
            assert_eq!(Handicap::parse(raw).unwrap_err().kind(), "handicap", "{raw:?}");
        }
    }

    #[test]
    fn other_words_are_rejected() {
        for raw in [
            "",
            "four",
            "정선",
            "让先",
            "吴先二先.先",
            "小杉先相先",
            "1점",
            "0점",
            "100점",
            "점",
            "-2점",
            "1 2점",
            "호선 - 6",
            "호선 - 6집 반",
            "호선 - 공제",
            "호선 - 덤",
            "호선 덤 없음",
            "호선 -6집 - 7집 공제",
            "호선 - -6집 공제",
            "6집 반 공제",
            "2 - 6집 공제",
        ] {
            assert!(Handicap::parse_lenient(raw).is_err(), "{raw:?}");
        }
    }

    quickcheck! {
        fn a_handicap_round_trips(handicap: Handicap) -> bool {
            Handicap::parse(handicap.to_string()) == Ok(handicap)
        }
    }

    // A value with a komi requires lenient parsing.
    parsing_laws!(
        Handicap,
        |raw| Handicap::parse_lenient(raw),
        ["2", "0", "호선", "호선 - 6집 반 공제", "호선 - 덤 없음", "4점 - 0.25집 공제", "让2子"]
    );
}
