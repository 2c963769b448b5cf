//! Points and moves of Lines of Action (GM\[9\]).

use std::fmt;

use super::notation::{Labels, labeled_point, word, write_word};
use crate::value::typed::{sgf_value, trim};
use crate::value::{RawValue, ValueError};

/// *Point* of Lines of Action: a column and a row.
///
/// ```text
/// Point = Letter Digit { Digit }                  (FF[4], "Lines of Action"; case-insensitive)
/// ```
///
/// Columns are `a` to `z`; rows are 1 to 255, a limit of this crate. The specification says both that row numbers
/// increase from the bottom and, at `IY`, that their default is to increase from the top; in this crate, the first
/// corner of a rectangle is the one with the lower row number. The canonical form is lower case. Lenient parsing
/// ignores white space and leading zeros of the row.
///
/// ```
/// use sgf_stream::value::loa::Point;
///
/// let point = Point::parse("C8")?;
/// assert_eq!((point.column(), point.row(), point.to_string()), (2, 7, "c8".to_owned()));
/// # Ok::<(), sgf_stream::value::ValueError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point {
    column: u8,
    row: u8,
}

impl Point {
    const LABELS: Labels = Labels {
        kind: "LOA point",
        columns: (26, "a letter"),
        rows: (255, "a row from 1 to 255"),
        one_letter: true,
        letter_pairs: false,
    };

    /// Creates a point from its 0-based column and row. Returns `None` beyond column 25 or row 254.
    pub const fn new(column: u8, row: u8) -> Option<Self> {
        if column < 26 && row < 255 { Some(Point { column, row }) } else { None }
    }
}

labeled_point! {
    Point(u8), "LOA point";

    /// Returns the row, 0-based: its number less one.
    row;

    /// Parses a value strictly.
    ///
    /// # Errors
    ///
    /// Fails if the value is not a letter and a number from 1.
    parse;

    /// Parses a value leniently, with white space or leading zeros of the row.
    ///
    /// # Errors
    ///
    /// Fails if the value is not a point even leniently.
    parse_lenient;
}

/// The step of a piece, with an optional remark.
///
/// ```
/// use sgf_stream::value::loa::{Point, Step};
///
/// let (from, to) = (Point::parse("c2")?, Point::parse("c5")?);
/// let step = Step::new(from, to).capturing(true).with_remark("++").unwrap();
/// assert_eq!(step.to_string(), "c2:c5++");
/// assert_eq!(Step::new(from, to).with_remark("a\nb"), None);
/// # Ok::<(), sgf_stream::value::ValueError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    from: Point,
    to: Point,
    capture: bool,
    /// Trimmed, without white space other than spaces.
    remark: String,
}

impl Step {
    /// Creates a step without a capture or a remark.
    pub const fn new(from: Point, to: Point) -> Self {
        Step { from, to, capture: false, remark: String::new() }
    }

    /// Sets whether the step captures a piece.
    #[must_use]
    pub fn capturing(mut self, capture: bool) -> Self {
        self.capture = capture;
        self
    }

    /// Sets the remark, such as `+` or `!`, trimmed.
    ///
    /// Returns `None` if it contains white space other than spaces, which SimpleText cannot represent.
    pub fn with_remark(mut self, remark: &str) -> Option<Self> {
        let remark = remark.trim_matches(' ');
        let kept = |c: char| !matches!(c, '\t' | '\n' | '\x0b' | '\x0c' | '\r');
        if !remark.chars().all(kept) {
            return None;
        }
        remark.clone_into(&mut self.remark);
        Some(self)
    }

    /// Returns the starting point.
    pub const fn from(&self) -> Point {
        self.from
    }

    /// Returns the end point.
    pub const fn to(&self) -> Point {
        self.to
    }

    /// Returns whether the step captures a piece.
    pub const fn is_capture(&self) -> bool {
        self.capture
    }

    /// Returns the remark, unescaped; empty if missing.
    pub fn remark(&self) -> &str {
        &self.remark
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.from, if self.capture { ':' } else { '-' }, self.to)?;
        if self.remark.starts_with(|c: char| c.is_ascii_digit()) {
            f.write_str(" ")?; // separates the digit from the row
        }
        for c in self.remark.chars() {
            if matches!(c, '\\' | ']') {
                f.write_str("\\")?;
            }
            write!(f, "{c}")?;
        }
        Ok(())
    }
}

/// *Move* of Lines of Action.
///
/// ```text
/// Move = Point ( "-" | ":" ) Point [ remark ] | "Pass" | "Resign" | "Forfeit" | "Escape"
///                                       (FF[4], "Lines of Action"; case-insensitive)
/// ```
///
/// A `:` is a capture. The remark is SimpleText and is trimmed, since programs need not keep it at all. The
/// canonical form has points in lower case and words as above.
///
/// Lenient parsing ignores white space, even around the points, and accepts `x` and an escaped colon for `:`.
///
/// ```
/// use sgf_stream::value::loa::Move;
///
/// let Move::Step(step) = Move::parse("C2:C5++")? else { unreachable!() };
/// assert_eq!((step.is_capture(), step.remark()), (true, "++"));
/// assert_eq!(Move::parse("resign")?.to_string(), "Resign");
/// # Ok::<(), sgf_stream::value::ValueError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Move {
    /// A piece moves.
    Step(Step),
    /// The player passes.
    Pass,
    /// The player resigns.
    Resign,
    /// The player forfeits.
    Forfeit,
    /// A special move of the variant Gemma.
    Escape,
}

impl Move {
    const KIND: &'static str = "LOA move";
    const WORDS: &[(&str, Self)] =
        &[("Pass", Move::Pass), ("Resign", Move::Resign), ("Forfeit", Move::Forfeit), ("Escape", Move::Escape)];

    /// Parses a value strictly.
    ///
    /// # Errors
    ///
    /// Fails if the value is neither two points joined by a dash or a colon, nor one of the words, or if the remark
    /// is not UTF-8.
    pub fn parse(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        let raw = raw.as_ref();
        if let Some(word) = word(raw, Self::WORDS) {
            return Ok(word);
        }
        let (step, remark_at) = Self::read(raw, false)?;
        let not_utf8 =
            |fault: std::str::Utf8Error| ValueError::new(Self::KIND, "UTF-8", remark_at + fault.valid_up_to());
        std::str::from_utf8(&raw[remark_at..]).map_err(not_utf8)?;
        Ok(Move::Step(step))
    }

    /// Parses a value leniently; see [`Move`].
    ///
    /// # Errors
    ///
    /// Fails if the value is not a move even leniently.
    pub fn parse_lenient(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        let raw = raw.as_ref();
        let (trimmed, front) = trim(raw);
        match word(trimmed, Self::WORDS) {
            Some(word) => Ok(word),
            // The end is not trimmed here: a remark may end with an escaped space. Unescaping trims it.
            None => match Self::read(&raw[front..], true) {
                Ok((step, _)) => Ok(Move::Step(step)),
                Err(error) => Err(error.shifted(front)),
            },
        }
    }

    /// Parses a step. Returns it and the offset of its remark.
    fn read(raw: &[u8], lenient: bool) -> Result<(Step, usize), ValueError> {
        let point = |at: usize| {
            let cell = Point::LABELS.read(raw, at, lenient).map_err(|error| error.of(Self::KIND))?;
            let end = cell.end;
            Ok((Point::from_cell(cell), end))
        };
        let past_blanks = |at: usize| if lenient { at + trim(&raw[at..]).1 } else { at };
        let (from, at) = point(0)?;
        let at = past_blanks(at);
        let (capture, at) = match &raw[at..] {
            [b'-', ..] => (false, at + 1),
            [b':', ..] => (true, at + 1),
            [b'x' | b'X', ..] if lenient => (true, at + 1),
            [b'\\', b':', ..] if lenient => (true, at + 2),
            _ => return Err(ValueError::new(Self::KIND, "a dash or a colon", at)),
        };
        let (to, at) = point(past_blanks(at))?;
        // The only white space of a SimpleText is spaces.
        let remark = RawValue::new(&raw[at..]).simple_text().trim_matches(' ').to_owned();
        Ok((Step { from, to, capture, remark }, at))
    }
}

sgf_value!(Move, "LOA move");

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Step(step) => step.fmt(f),
            word => write_word(f, word, Self::WORDS),
        }
    }
}

impl From<Step> for Move {
    fn from(step: Step) -> Self {
        Move::Step(step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Size;
    use crate::value::laws::{assert_faults, printing_laws};
    use quickcheck::{Arbitrary, Gen};

    impl Arbitrary for Point {
        fn arbitrary(g: &mut Gen) -> Self {
            Point { column: u8::arbitrary(g) % 26, row: u8::arbitrary(g) % 255 }
        }
    }

    impl Arbitrary for Move {
        fn arbitrary(g: &mut Gen) -> Self {
            if u8::arbitrary(g) < 40 {
                return g.choose(Move::WORDS).unwrap().1.clone();
            }
            let step = Step::new(Point::arbitrary(g), Point::arbitrary(g)).capturing(bool::arbitrary(g));
            let remark = String::arbitrary(g);
            let remark = g.choose(&["", "+", "!! ]", "\\", ": b", " x9", "5", remark.as_str()]).copied();
            Move::Step(step.clone().with_remark(remark.unwrap()).unwrap_or(step))
        }
    }

    printing_laws!(points: Point, moves: Move);

    #[test]
    fn errors_name_the_place_and_what_was_expected() {
        assert_faults::<Move>(&[
            ("", "a letter", 0),
            ("c", "a digit", 1),
            ("cc2-c3", "a digit", 1),
            ("c0-c3", "a row from 1 to 255", 1),
            ("c2", "a dash or a colon", 2),
            ("c2 -c3", "a dash or a colon", 2),
            ("c2xc3", "a dash or a colon", 2),
            ("c2-", "a letter", 3),
            ("c2-c", "a digit", 4),
            ("c2-c256", "a row from 1 to 255", 4),
            ("passed", "a digit", 1),
        ]);
        let error = Move::parse(b"c2-c3 \xff").unwrap_err();
        assert_eq!((error.expected(), error.at()), ("UTF-8", 6));
        assert_eq!(Point::parse("c25a").unwrap_err().at(), 3);
        let size = Size::square(8).unwrap();
        assert_eq!(Point::parse_on("i1", size).unwrap_err().at(), 0);
        assert_eq!(Point::parse_on("h9", size).unwrap_err().at(), 1);
    }

    #[test]
    fn the_rest_of_a_move_is_its_remark() {
        for (raw, remark) in [
            ("c2-c3", ""),
            ("c2-c3 !", "!"),
            ("C2-C3+ x ", "+ x"),
            (r"c2-c3\]\\", r"]\"),
            ("c2-c3\t?", "?"),
            ("c2-c3 5", "5"),
        ] {
            let Ok(Move::Step(step)) = Move::parse(raw) else { panic!("{raw:?}") };
            assert_eq!(step.remark(), remark, "{raw:?}");
        }
    }

    #[test]
    fn lenient_parsing_accepts_what_programs_write() {
        for (raw, canonical) in [
            (" c2 - c3 ", "c2-c3"),
            ("C2xC5+", "c2:c5+"),
            (r"c2\:c5", "c2:c5"),
            ("c02-c03", "c2-c3"),
            (" PASS\n", "Pass"),
            ("escape", "Escape"),
        ] {
            assert_eq!(Move::parse_lenient(raw).unwrap().to_string(), canonical, "{raw:?}");
        }
        assert_eq!(Move::parse_lenient(b"c2-c3\xff").unwrap().to_string(), "c2-c3\u{fffd}");
        for raw in ["", "c2c3", "c2", "swap"] {
            assert!(Move::parse_lenient(raw).is_err(), "{raw:?}");
        }
    }
}
