//! OT: overtime systems.

use std::fmt;

use crate::value::texts::FreeText;
use crate::value::typed::sgf_value;
use crate::value::{Seconds, SimpleText, ValueError};

/// *Overtime*: the time system after the main time, the value of `OT`.
///
/// ```text
/// overtime = SimpleText                           (FF[4], "OT")
///
/// 5x30 byo-yomi      periods x seconds            (notations of servers)
/// 15/300 Canadian    stones / seconds
/// 10 Fischer         seconds added by every move
/// 60 simple          seconds per move
/// none
/// ```
///
/// `OT` is free text, so every value is valid. The notations above are recognized in any case and with surrounding
/// white space; other text is kept ([`Other`](Overtime::Other)). Also recognized are times with units as in
/// [`Seconds`] (`10m Fischer`), and `10x1m`, `30 moves / 10m` and `0 none`. Zero or negative periods, stones or
/// seconds (`0x30 byo-yomi`, `0 Fischer`) stay text: some programs write them for no overtime, others for an unset
/// one. Lenient parsing differs only for invalid UTF-8. Recognized systems print in the notations above.
///
/// ```
/// use sgf_stream::value::{Overtime, Seconds};
///
/// let seconds = Seconds::new(30.0).unwrap();
/// assert_eq!(Overtime::parse("5x30 byo-yomi")?, Overtime::Byoyomi { periods: 5, seconds });
/// assert_eq!(Overtime::parse("30 moves / 10m")?.to_string(), "30/600 Canadian");
/// assert_eq!(Overtime::parse("3 periods")?.to_string(), "3 periods");
/// # Ok::<(), sgf_stream::value::ValueError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Overtime {
    /// Japanese byo-yomi: a move made within a period does not use the period up.
    Byoyomi {
        /// The number of periods. Parsing yields at least 1.
        periods: u32,
        /// The length of a period. Parsing yields more than 0.
        seconds: Seconds,
    },
    /// Canadian byo-yomi: a number of stones must be played in every period.
    Canadian {
        /// The number of stones to play in a period. Parsing yields at least 1.
        stones: u32,
        /// The length of a period. Parsing yields more than 0.
        seconds: Seconds,
    },
    /// Fischer time: every move adds time.
    Fischer {
        /// The time that a move adds. Parsing yields more than 0.
        seconds: Seconds,
    },
    /// A fixed time for every move.
    Simple {
        /// The time for a move. Parsing yields more than 0.
        seconds: Seconds,
    },
    /// No overtime: a player whose main time runs out loses.
    None,
    /// Any other text.
    Other(FreeText),
}

impl Overtime {
    const KIND: &'static str = "overtime";

    /// Parses a value in UTF-8.
    ///
    /// # Errors
    ///
    /// Fails if the value is not UTF-8.
    pub fn parse(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        SimpleText::parse(raw).map(Overtime::from).map_err(|error| error.of(Self::KIND))
    }

    /// Parses a value, replacing invalid UTF-8 with U+FFFD.
    ///
    /// It never fails: every text is an overtime.
    pub fn parse_lenient(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        SimpleText::parse_lenient(raw).map(Overtime::from)
    }
}

sgf_value!(Overtime, "overtime");

/// Recognizes the same notations as parsing.
impl From<SimpleText> for Overtime {
    fn from(text: SimpleText) -> Self {
        recognize(&text).unwrap_or_else(|| Overtime::Other(FreeText::new(text)))
    }
}

/// Converts the text itself, not its raw form; see [`SimpleText::new`].
impl From<&str> for Overtime {
    fn from(text: &str) -> Self {
        SimpleText::new(text).into()
    }
}

impl fmt::Display for Overtime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Overtime::Byoyomi { periods, seconds } => write!(f, "{periods}x{seconds} byo-yomi"),
            Overtime::Canadian { stones, seconds } => write!(f, "{stones}/{seconds} Canadian"),
            Overtime::Fischer { seconds } => write!(f, "{seconds} Fischer"),
            Overtime::Simple { seconds } => write!(f, "{seconds} simple"),
            Overtime::None => f.write_str("none"),
            Overtime::Other(text) => text.fmt(f),
        }
    }
}

fn recognize(text: &str) -> Option<Overtime> {
    let text = text.trim_matches(' ').to_ascii_lowercase();
    if let "none" | "0 none" = &*text {
        return Some(Overtime::None);
    }
    // The last word names the system, unless it is a unit of time.
    let (front, name) = text.rsplit_once(' ').unwrap_or_default();
    match name {
        "byo-yomi" | "byoyomi" | "japanese" => byoyomi(front),
        "canadian" => canadian(front),
        "fischer" => Some(Overtime::Fischer { seconds: time(front)? }),
        "simple" => Some(Overtime::Simple { seconds: time(front)? }),
        _ => nameless(&text),
    }
}

/// Recognizes `10x1m` and `30 moves / 10m`, where a unit marks the time.
fn nameless(text: &str) -> Option<Overtime> {
    let overtime = match text.split_once('/') {
        Some((stones, length)) => {
            let (stones, word) = stones.trim_end_matches(' ').rsplit_once(' ')?;
            let counts = matches!(word, "move" | "moves" | "stone" | "stones");
            if counts { canadian(&format!("{stones}/{length}")) } else { None }
        }
        None => byoyomi(text),
    };
    let has_unit = !text.ends_with(|c: char| c.is_ascii_digit() || c == '.');
    overtime.filter(|_| has_unit)
}

fn byoyomi(text: &str) -> Option<Overtime> {
    let (periods, length) = text.split_once('x')?;
    Some(Overtime::Byoyomi { periods: count(periods)?, seconds: time(length)? })
}

fn canadian(text: &str) -> Option<Overtime> {
    let (stones, length) = text.split_once('/')?;
    Some(Overtime::Canadian { stones: count(stones)?, seconds: time(length)? })
}

fn count(text: &str) -> Option<u32> {
    let digits = text.trim_matches(' ');
    let is_number = digits.bytes().all(|b| b.is_ascii_digit());
    digits.parse().ok().filter(|&count| is_number && count > 0)
}

fn time(text: &str) -> Option<Seconds> {
    Seconds::parse_lenient(text).ok().filter(|seconds| seconds.get() > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::laws::parsing_laws;
    use quickcheck::{Arbitrary, Gen, quickcheck};

    impl Arbitrary for Overtime {
        fn arbitrary(g: &mut Gen) -> Self {
            let number = u32::arbitrary(g).max(1);
            let seconds = Seconds::new(Seconds::arbitrary(g).get().abs()).filter(|seconds| seconds.get() > 0.0);
            let seconds = seconds.or(Seconds::new(0.5)).unwrap();
            let systems = [
                Overtime::Byoyomi { periods: number, seconds },
                Overtime::Canadian { stones: number, seconds },
                Overtime::Fischer { seconds },
                Overtime::Simple { seconds },
                Overtime::None,
                Overtime::from(SimpleText::arbitrary(g)),
            ];
            g.choose(&systems).unwrap().clone()
        }
    }

    #[test]
    fn the_notations_of_servers_are_recognized() {
        for (raw, canonical) in [
            ("5x30 byo-yomi", "5x30 byo-yomi"),
            (" 5x30  Byo-Yomi ", "5x30 byo-yomi"),
            ("15/300 Canadian", "15/300 Canadian"),
            ("25 / 10m canadian", "25/600 Canadian"),
            ("86400 fischer", "86400 Fischer"),
            ("60 simple", "60 simple"),
            ("1 min simple", "60 simple"),
            ("none", "none"),
            ("0 none", "none"),
            ("10x1m", "10x60 byo-yomi"),
            ("30 moves / 10m", "30/600 Canadian"),
            ("1 moves / 30 sec", "1/30 Canadian"),
        ] {
            let overtime = Overtime::parse(raw).unwrap();
            assert!(!matches!(overtime, Overtime::Other(_)), "{raw:?}");
            assert_eq!(overtime.to_string(), canonical, "{raw:?}");
        }
    }

    #[test]
    fn other_texts_are_kept() {
        for raw in [
            "",
            " ",
            "8 xyz 16",
            "20, 30, 40 stones",
            "10x30",
            "30/600",
            "30 moves / 600",
            "x30 byo-yomi",
            "-5x30 byo-yomi",
            "4294967296x30 byo-yomi",
            "5x1:00 byo-yomi",
            "Canadian",
            "fast Fischer",
            "0x30 byo-yomi",
            "5x0 byo-yomi",
            "0x0 Byo-Yomi",
            "0/300 Canadian",
            "15/0 Canadian",
            "0 moves / 10m",
            "0 Fischer",
            "0.0 simple",
            "0m fischer",
            "-10 Fischer",
            "5x-30 byo-yomi",
            r"a \] b",
        ] {
            let overtime = Overtime::parse(raw).unwrap();
            assert!(matches!(overtime, Overtime::Other(_)), "{raw:?}");
            assert_eq!(overtime.to_string(), raw, "{raw:?}");
        }
        assert_eq!(Overtime::parse(b"5x\xFF").unwrap_err(), ValueError::new("overtime", "UTF-8", 2));
    }

    quickcheck! {
        fn an_overtime_round_trips(overtime: Overtime) -> bool {
            Overtime::parse(overtime.to_string()) == Ok(overtime)
        }
    }

    parsing_laws!(
        Overtime,
        ["5x30 byo-yomi", "15/300 Canadian", "10 Fischer", "60 simple", "30 moves / 10m", "0 none", "0x0 byo-yomi"]
    );
}
