//! RO: rounds.

use std::fmt;

use crate::value::texts::in_simple_text;
use crate::value::typed::{sgf_value, trim};
use crate::value::{SimpleText, ValueError};

/// *Round*: the number and kind of a tournament's round, the value of `RO`.
///
/// ```text
/// round = number " (" kind ")"                    (FF[4], "RO": "xx (tt)")
/// ```
///
/// Both are free text; with several parentheses, the last is the kind. The specification recommends this form.
/// Lenient parsing also accepts a parenthesis without a preceding space, and a bare number (`RO[3]`, the most
/// frequent value): a round without a kind, which only lenient parsing accepts again. Other text is an error: keep
/// it as a [`SimpleText`].
///
/// ```
/// use sgf_stream::value::Round;
///
/// let round = Round::parse("2 (final)")?;
/// assert_eq!((round.number(), round.kind()), ("2", "final"));
/// assert_eq!(Round::new("2", "final"), Some(round));
/// assert_eq!(Round::parse_lenient("3")?.number(), "3");
/// # Ok::<(), sgf_stream::value::ValueError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Round {
    number: SimpleText,
    /// `None` for a bare number.
    kind: Option<SimpleText>,
}

impl Round {
    const KIND: &'static str = "round";

    /// Creates a round. Returns `None` if `kind` contains ` (`, which would parse as the start of the kind.
    pub fn new(number: impl Into<SimpleText>, kind: impl Into<SimpleText>) -> Option<Self> {
        let (number, kind) = (number.into(), kind.into());
        (!kind.contains(" (")).then_some(Round { number, kind: Some(kind) })
    }

    /// Returns the number, or the text that replaces it.
    pub fn number(&self) -> &str {
        &self.number
    }

    /// Returns the kind of round; empty if missing.
    pub fn kind(&self) -> &str {
        self.kind.as_deref().unwrap_or_default()
    }

    /// Parses a value in the form that the specification recommends.
    ///
    /// # Errors
    ///
    /// Fails if the value has another form, or is not UTF-8.
    pub fn parse(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        let raw = raw.as_ref();
        SimpleText::parse(raw).map_err(|error| error.of(Self::KIND))?;
        in_simple_text(raw, read)
    }

    /// Parses a value leniently, without a space before its parenthesis, or as a bare number.
    ///
    /// Invalid UTF-8 becomes U+FFFD.
    ///
    /// # Errors
    ///
    /// Fails if the value has another form.
    pub fn parse_lenient(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        in_simple_text(raw.as_ref(), |text| {
            // Leading spaces are kept, since ` (final)` has an empty number.
            let (trimmed, front) = trim(text);
            let end = front + trimmed.len();
            read(&text[..end]).or_else(|error| roughly(trimmed).ok_or(error))
        })
    }
}

sgf_value!(Round, "round");

impl fmt::Display for Round {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Some(kind) => write!(f, "{} ({kind})", self.number),
            None => self.number.fmt(f),
        }
    }
}

fn read(text: &[u8]) -> Result<Round, ValueError> {
    let error = |expected, at| ValueError::new(Round::KIND, expected, at);
    let body = text.strip_suffix(b")").ok_or(error("a closing parenthesis", text.len()))?;
    let at = body.windows(2).rposition(|pair| pair == b" (").ok_or(error("\" (\"", body.len()))?;
    Ok(Round { number: lossy(&body[..at]), kind: Some(lossy(&body[at + 2..])) })
}

fn roughly(text: &[u8]) -> Option<Round> {
    if !text.is_empty() && text.iter().all(u8::is_ascii_digit) {
        return Some(Round { number: lossy(text), kind: None });
    }
    let body = text.strip_suffix(b")")?;
    let at = body.iter().rposition(|&b| b == b'(')?;
    Some(Round { number: lossy(&body[..at]), kind: Some(lossy(&body[at + 1..])) })
}

fn lossy(text: &[u8]) -> SimpleText {
    SimpleText::new(String::from_utf8_lossy(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::laws::parsing_laws;
    use quickcheck::{Arbitrary, Gen, quickcheck};

    impl Arbitrary for Round {
        fn arbitrary(g: &mut Gen) -> Self {
            let parts = [SimpleText::arbitrary(g), "1 (a) ((".into(), "".into(), "(".into(), ") (".into(), " ".into()];
            let mut part = || g.choose(&parts).unwrap().clone();
            let number = part();
            Round::new(number, part()).unwrap_or(Round::new("", "").unwrap())
        }
    }

    #[test]
    fn errors_name_the_place_and_what_was_expected() {
        for (raw, expected, at) in [
            ("", "a closing parenthesis", 0),
            ("foo", "a closing parenthesis", 3),
            ("foo (bar", "a closing parenthesis", 8),
            ("foo (bar) ", "a closing parenthesis", 10),
            ("foo bar)", "\" (\"", 7),
            ("(foo)", "\" (\"", 4),
            (r"\(foo)", "\" (\"", 5),
        ] {
            let error = Round::parse(raw).unwrap_err();
            assert_eq!((error.kind(), error.expected(), error.at()), ("round", expected, at), "{raw:?}");
        }
        assert_eq!(Round::parse(b"1 (\xFF)").unwrap_err(), ValueError::new("round", "UTF-8", 3));
        assert_eq!(Round::parse_lenient(b"1 (\xFF)").unwrap().kind(), "\u{FFFD}");
    }

    #[test]
    fn the_last_parenthesis_is_the_kind() {
        for (raw, number, kind) in [
            ("1 (a) (b)", "1 (a)", "b"),
            (" (a)", "", "a"),
            ("1 (a) b)", "1", "a) b"),
            ("1 (a(b))", "1", "a(b)"),
            (r"1 (a \] \\)", "1", r"a ] \"),
        ] {
            let round = Round::parse(raw).unwrap();
            assert_eq!((round.number(), round.kind()), (number, kind), "{raw:?}");
        }
        assert_eq!(Round::new("1", "a (b"), None);
    }

    #[test]
    fn lenient_parsing_accepts_bare_numbers() {
        for (raw, number, kind) in
            [(" 3 ", "3", ""), ("2(final)", "2", "final"), ("(foo)", "", "foo"), ("2 (a) ", "2", "a")]
        {
            let round = Round::parse_lenient(raw).unwrap();
            assert_eq!((round.number(), round.kind()), (number, kind), "{raw:?}");
        }
        assert_eq!(Round::parse_lenient("3").unwrap().to_string(), "3");
        for raw in ["", "Round 1", "Semifinal", "2 round", "2)"] {
            assert!(Round::parse_lenient(raw).is_err(), "{raw:?}");
        }
    }

    quickcheck! {
        fn a_round_round_trips(round: Round) -> bool {
            Round::parse(round.to_string()) == Ok(round)
        }
    }

    parsing_laws!(
        Round,
        |raw| Round::parse(&raw).or_else(|_| Round::parse_lenient(&raw)),
        ["2 (final)", "foo (bar) (baz)", " (x)", "3", "2(final)"]
    );
}
