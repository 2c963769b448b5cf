//! BR and WR: ranks.

use std::cmp::{Ordering, Reverse};
use std::fmt;

use crate::value::ValueError;
use crate::value::texts::in_simple_text;
use crate::value::typed::{sgf_value, trim};

/// *Rank*: the kyu or dan of a Go player, the value of `BR` and `WR`.
///
/// ```text
/// rank = digit { digit } ( "k" | "kyu" | "d" | "dan" | "p" ) [ "?" | "*" ]    (FF[4], "BR")
/// ```
///
/// The specification recommends this form, but without `p`, which is usual for professionals. Other values, such as
/// ratings and titles, are errors. Ranks are ordered by strength: `30k < 1k < 1d < 9d < 1p`.
///
/// Lenient parsing ignores case and spaces, and accepts `5-dan`, `9 Dan Professional`, `P9`, and `9段`, `3级`, `9단`, `초단`,
/// `九段`, `P9段` of Chinese, Japanese and Korean programs. A title after a comma (`9p, Honinbo`) and the word for an amateur
/// (`6d ama`, `아마7단`) are dropped.
///
/// ```
/// use sgf_stream::value::{Certainty, Grade, Rank};
///
/// let rank = Rank::parse("5kyu?")?;
/// assert_eq!((rank.number, rank.grade, rank.certainty), (5, Grade::Kyu, Some(Certainty::Uncertain)));
/// assert_eq!(rank.to_string(), "5k?");
/// assert!(rank < Rank::parse_lenient("初段")?);
/// # Ok::<(), sgf_stream::value::ValueError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rank {
    /// The number of kyu or dan. A lower kyu is stronger; a higher dan is stronger.
    pub number: u16,
    /// Kyu, dan, or professional dan.
    pub grade: Grade,
    /// Whether the rank is established on its server, if given.
    pub certainty: Option<Certainty>,
}

/// The grade of a [`Rank`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Grade {
    /// `k` or `kyu`: a student grade.
    Kyu,
    /// `d` or `dan`: a master grade.
    Dan,
    /// `p`: a professional dan.
    Pro,
}

/// The certainty of a [`Rank`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Certainty {
    /// `?`: a provisional rank.
    Uncertain,
    /// `*`: an established rank.
    Established,
}

impl Rank {
    const KIND: &'static str = "rank";

    /// Creates a rank without a certainty.
    pub const fn new(number: u16, grade: Grade) -> Self {
        Rank { number, grade, certainty: None }
    }

    /// Parses a value in the form that the specification recommends, or with `p`.
    ///
    /// # Errors
    ///
    /// Fails if the value has another form, or its number does not fit in 16 bits.
    pub fn parse(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        in_simple_text(raw.as_ref(), read)
    }

    /// Parses a value leniently; see [`Rank`].
    ///
    /// # Errors
    ///
    /// Fails if the value has another form.
    pub fn parse_lenient(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        in_simple_text(raw.as_ref(), |text| {
            let (text, front) = trim(text);
            read(text).or_else(|error| roughly(text).ok_or(error.shifted(front)))
        })
    }

    /// Returns whether lenient parsing drops content of this text: a title, or the word for an amateur.
    pub(crate) fn leaves_out_of(text: &str) -> bool {
        let text = text.to_lowercase();
        text.contains(',') || AMATEURS.iter().any(|word| text.contains(word))
    }
}

sgf_value!(Rank, "rank");

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let grade = match self.grade {
            Grade::Kyu => "k",
            Grade::Dan => "d",
            Grade::Pro => "p",
        };
        let certainty = match self.certainty {
            None => "",
            Some(Certainty::Uncertain) => "?",
            Some(Certainty::Established) => "*",
        };
        write!(f, "{}{grade}{certainty}", self.number)
    }
}

impl Ord for Rank {
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |rank: &Rank| {
            let kyu = rank.grade == Grade::Kyu;
            let (down, up) = if kyu { (rank.number, 0) } else { (0, rank.number) };
            (rank.grade, Reverse(down), up, rank.certainty)
        };
        key(self).cmp(&key(other))
    }
}

impl PartialOrd for Rank {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

fn read(text: &[u8]) -> Result<Rank, ValueError> {
    let error = |expected, at| Err(ValueError::new(Rank::KIND, expected, at));
    let mut number = 0u16;
    let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
    for (at, digit) in text[..digits].iter().enumerate() {
        let next = number.checked_mul(10).and_then(|ten| ten.checked_add(u16::from(digit - b'0')));
        number = match next {
            Some(next) => next,
            None => return error("a number that fits in 16 bits", at),
        };
    }
    let after = &text[digits..];
    let (grade, length) = match after {
        _ if digits == 0 => return error("a digit", 0),
        [b'k', b'y', b'u', ..] => (Grade::Kyu, 3),
        [b'd', b'a', b'n', ..] => (Grade::Dan, 3),
        [b'k', ..] => (Grade::Kyu, 1),
        [b'd', ..] => (Grade::Dan, 1),
        [b'p', ..] => (Grade::Pro, 1),
        _ => return error("k, d or p", digits),
    };
    let (certainty, rest) = match &after[length..] {
        [b'?', rest @ ..] => (Some(Certainty::Uncertain), rest),
        [b'*', rest @ ..] => (Some(Certainty::Established), rest),
        rest => (None, rest),
    };
    if rest.is_empty() {
        Ok(Rank { number, grade, certainty })
    } else {
        error("the end of the value", text.len() - rest.len())
    }
}

/// Words for amateurs.
const AMATEURS: [&str; 4] = ["amateur", "ama", "아마", "业余"];

/// Parses a rank leniently, in any case and several languages. The format is
/// `[ "p" ] number [ "-" ] grade [ "pro" ] [ "?" | "*" ] [ "," title ]`.
fn roughly(text: &[u8]) -> Option<Rank> {
    let text = std::str::from_utf8(text).ok()?;
    let text = text.split_once(',').map_or(text, |(rank, _)| rank);
    let text: String = text.to_lowercase().chars().filter(|&c| c != ' ').collect();
    let ranked = |word| text.strip_prefix(word).or(text.strip_suffix(word));
    let (text, is_amateur) = AMATEURS.into_iter().find_map(ranked).map_or((&*text, false), |text| (text, true));
    let rank = without_title(text)?;
    let contradicts = is_amateur && rank.grade == Grade::Pro;
    if contradicts { None } else { Some(rank) }
}

fn without_title(text: &str) -> Option<Rank> {
    let (text, certainty) = match (text.strip_suffix('?'), text.strip_suffix('*')) {
        (Some(text), _) => (text, Some(Certainty::Uncertain)),
        (_, Some(text)) => (text, Some(Certainty::Established)),
        _ => (text, None),
    };
    let (text, professional) = text.strip_prefix('p').map_or((text, false), |text| (text, true));
    let (number, after) = number(text)?;
    let grade = match after.strip_prefix('-').unwrap_or(after) {
        "k" | "kyu" | "级" | "級" | "급" if !professional => Grade::Kyu,
        "d" | "dan" | "段" | "단" if !professional => Grade::Dan,
        "p" | "pro" | "dpro" | "danpro" | "danprofessional" if !professional => Grade::Pro,
        "" | "p" | "段" | "단" if professional => Grade::Pro,
        _ => return None,
    };
    Some(Rank { number, grade, certainty })
}

/// Parses digits (also full-width ones) or a Chinese numeral up to ten. Returns the number and the rest.
fn number(text: &str) -> Option<(u16, &str)> {
    const NUMERALS: [char; 12] = ['初', '초', '一', '二', '三', '四', '五', '六', '七', '八', '九', '十'];
    let first = text.chars().next()?;
    let after = &text[first.len_utf8()..];
    if let Some(place) = (0..).zip(NUMERALS).find_map(|(place, numeral)| (numeral == first).then_some(place)) {
        // 初段, "the first dan", is 1 dan. 初级 is not a kyu rank.
        return match place {
            0 | 1 if after.starts_with(['段', '단']) => Some((1, after)),
            0 | 1 => None,
            place => Some((place - 1, after)),
        };
    }
    let digit = |c: char| match c {
        '０'..='９' => Some(u32::from(c) - u32::from('０')),
        c => c.to_digit(10),
    };
    let after = text.trim_start_matches(|c| digit(c).is_some());
    let digits = &text[..text.len() - after.len()];
    let number = digits
        .chars()
        .filter_map(digit)
        .try_fold(0u16, |number, digit| number.checked_mul(10)?.checked_add(u16::try_from(digit).ok()?))?;
    if digits.is_empty() { None } else { Some((number, after)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::laws::parsing_laws;
    use quickcheck::{Arbitrary, Gen, quickcheck};

    impl Arbitrary for Rank {
        fn arbitrary(g: &mut Gen) -> Self {
            Rank {
                number: u16::arbitrary(g),
                grade: *g.choose(&[Grade::Kyu, Grade::Dan, Grade::Pro]).unwrap(),
                certainty: *g.choose(&[None, Some(Certainty::Uncertain), Some(Certainty::Established)]).unwrap(),
            }
        }
    }

    #[test]
    fn errors_name_the_place_and_what_was_expected() {
        for (raw, expected, at) in [
            ("", "a digit", 0),
            ("k", "a digit", 0),
            (" 3k", "a digit", 0),
            ("30", "k, d or p", 2),
            ("30 k", "k, d or p", 2),
            ("30K", "k, d or p", 2),
            ("65536d", "a number that fits in 16 bits", 4),
            ("30ky", "the end of the value", 3),
            ("30kyux", "the end of the value", 5),
            ("30k??", "the end of the value", 4),
            ("9pro", "the end of the value", 2),
            (r"30\K", "k, d or p", 2),
        ] {
            let error = Rank::parse(raw).unwrap_err();
            assert_eq!((error.kind(), error.expected(), error.at()), ("rank", expected, at), "{raw:?}");
        }
        assert_eq!(Rank::parse_lenient(" 1800?").unwrap_err().at(), 5);
    }

    #[test]
    fn lenient_parsing_accepts_ranks_as_programs_write_them() {
        for (raw, rank) in [
            ("15K", "15k"),
            (" 2d ", "2d"),
            ("9 Dan", "9d"),
            ("1-dan", "1d"),
            ("10 kyu", "10k"),
            ("6d ?", "6d?"),
            ("9 Dan Professional", "9p"),
            ("9 pro", "9p"),
            ("9段", "9d"),
            ("９段", "9d"),
            ("P9段", "9p"),
            ("5级", "5k"),
            ("9단", "9d"),
            ("18급", "18k"),
            ("九段", "9d"),
            ("初段", "1d"),
            ("초단", "1d"),
            ("P9", "9p"),
            ("P9p", "9p"),
            ("9p, Honinbo", "9p"),
            ("1p, Women's Honinbo", "1p"),
            ("9d?, Kisei", "9d?"),
            ("6d ama", "6d"),
            ("6 dan amateur", "6d"),
            ("아마7단", "7d"),
            ("아마 7단", "7d"),
        ] {
            assert!(Rank::parse(raw).is_err(), "{raw:?}");
            assert_eq!(Rank::parse_lenient(raw).map(|rank| rank.to_string()).as_deref(), Ok(rank), "{raw:?}");
        }
        for raw in [
            "",
            "NR",
            "?",
            "Honinbo",
            "5a",
            "ama",
            "9p ama",
            "아마",
            ", Honinbo",
            "초급",
            "초단단",
            "11k+",
            "P5k",
            "P9d",
            "P9k",
            "初级",
            "十一段",
            "--3k",
            "70000 k",
        ] {
            assert!(Rank::parse_lenient(raw).is_err(), "{raw:?}");
        }
    }

    #[test]
    fn ranks_are_ordered_by_strength() {
        let ranks = ["30k", "2k", "1k?", "1k*", "1d", "9d", "1p", "9p"].map(|raw| Rank::parse(raw).unwrap());
        assert!(ranks.is_sorted_by(|a, b| a < b));
    }

    quickcheck! {
        fn a_rank_round_trips(rank: Rank) -> bool {
            Rank::parse(rank.to_string()) == Ok(rank)
        }
    }

    parsing_laws!(Rank, ["30kyu?", "1d*", "9p, Honinbo", "9 Dan Professional", "P9段", "初段", "아마7단", "6d ama"]);
}
