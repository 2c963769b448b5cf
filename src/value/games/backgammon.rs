//! Points and moves of backgammon (GM\[6\]).
//!
//! A stone is written as its point. Stones stack, so `AB[f][f]` is valid, and a
//! [`PointList`](crate::value::PointList) of these points keeps repeated points.

use std::fmt;

use super::notation::{in_lists, without_white_space, word, write_word};
use crate::value::ValueError;
use crate::value::points::GridPoint;
use crate::value::typed::sgf_value;

/// *Point* of backgammon: one of the 24, the bar, or the tray.
///
/// ```text
/// Point = "a" ... "z"                             (FF[4], "Backgammon")
/// ```
///
/// `a` is White's 1 point and Black's 24 point, `x` the reverse, `y` the bar, and `z` the tray for borne-off
/// stones. In a list, a rectangle is a range: `a:y`. Lenient parsing ignores white space and case.
///
/// ```
/// use sgf_stream::value::backgammon::Point;
///
/// let point = Point::parse("f")?;
/// assert_eq!((point.index(), point.for_white(), point.for_black()), (5, Some(6), Some(19)));
/// assert_eq!(Point::parse("y")?, Point::BAR);
/// # Ok::<(), sgf_stream::value::ValueError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(u8);

impl Point {
    const KIND: &'static str = "backgammon point";

    /// The bar, `y`.
    pub const BAR: Point = Point(24);
    /// The tray for borne-off stones, `z`.
    pub const OFF: Point = Point(25);

    /// Creates a point from its [`index`](Self::index). Returns `None` beyond 25.
    pub const fn new(index: u8) -> Option<Self> {
        if index < 26 { Some(Point(index)) } else { None }
    }

    /// Returns the index of the point, from 0.
    ///
    /// It is 0 to 23 for `a` to `x`, 24 for the bar, and 25 for the tray.
    pub const fn index(self) -> u8 {
        self.0
    }

    /// Returns White's number of the point, 1 to 24, or `None` for bar and tray.
    pub const fn for_white(self) -> Option<u8> {
        if self.0 < 24 { Some(self.0 + 1) } else { None }
    }

    /// Returns Black's number of the point, 1 to 24, or `None` for bar and tray.
    pub const fn for_black(self) -> Option<u8> {
        if self.0 < 24 { Some(24 - self.0) } else { None }
    }

    /// Parses a value strictly.
    ///
    /// # Errors
    ///
    /// Fails if the value is not one lower-case letter.
    pub fn parse(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        match raw.as_ref() {
            [letter @ b'a'..=b'z'] => Ok(Point(letter - b'a')),
            [b'a'..=b'z', ..] => Err(ValueError::new(Self::KIND, "the end of the value", 1)),
            _ => Err(ValueError::new(Self::KIND, "a letter from a to z", 0)),
        }
    }

    /// Parses a value leniently, with white space and in any case.
    ///
    /// # Errors
    ///
    /// Fails if the value is not one letter.
    pub fn parse_lenient(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        without_white_space(raw.as_ref(), |raw| Self::parse(raw.to_ascii_lowercase()))
    }
}

sgf_value!(Point, "backgammon point" {
    in_lists!();
});

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", char::from(b'a' + self.0))
    }
}

/// The grid has one row, and boards have no size.
impl GridPoint for Point {
    fn from_grid(column: u32, row: u32) -> Option<Self> {
        if row == 0 { Point::new(column.try_into().ok()?) } else { None }
    }

    fn grid(self) -> (u32, u32) {
        (self.0.into(), 0)
    }

    const STACKS: bool = true;
}

/// A roll of the dice and the up to four steps played with it.
///
/// ```
/// use sgf_stream::value::backgammon::{Point, Roll};
///
/// let (bar, g) = (Point::BAR, Point::parse("g")?);
/// let roll = Roll::new([6, 1], &[(bar, g)]).unwrap();
/// assert_eq!(roll.to_string(), "61yg");
/// # Ok::<(), sgf_stream::value::ValueError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Roll {
    dice: [u8; 2],
    /// Unused steps are from the tray to the tray, so that derived equality holds.
    steps: [(Point, Point); 4],
    count: u8,
}

impl Roll {
    /// Creates a roll. Returns `None` if a die is not 1 to 6, or there are more than four steps.
    pub fn new(dice: [u8; 2], steps: &[(Point, Point)]) -> Option<Self> {
        let mut roll = Roll { dice, steps: [(Point::OFF, Point::OFF); 4], count: steps.len() as u8 };
        roll.steps.get_mut(..steps.len())?.copy_from_slice(steps);
        dice.iter().all(|die| (1..=6).contains(die)).then_some(roll)
    }

    /// Returns the dice, in file order.
    pub const fn dice(&self) -> [u8; 2] {
        self.dice
    }

    /// Returns the steps, from a point to a point, in file order.
    ///
    /// The list is empty if no step was possible. Hits are not recorded.
    pub fn steps(&self) -> &[(Point, Point)] {
        &self.steps[..usize::from(self.count)]
    }
}

impl fmt::Display for Roll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.dice[0], self.dice[1])?;
        self.steps().iter().try_for_each(|(from, to)| write!(f, "{from}{to}"))
    }
}

/// *Move* of backgammon.
///
/// ```text
/// Move = Die Die { Point Point } | "double" | "take" | "drop"
/// Die  = "1" ... "6"                              (FF[4], "Backgammon"; at most four pairs)
/// ```
///
/// Lenient parsing ignores white space and case.
///
/// ```
/// use sgf_stream::value::backgammon::Move;
///
/// let Move::Roll(roll) = Move::parse("31hefe")? else { unreachable!() };
/// assert_eq!((roll.dice(), roll.steps().len()), ([3, 1], 2));
/// assert_eq!(Move::parse("double")?, Move::Double);
/// # Ok::<(), sgf_stream::value::ValueError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Move {
    /// A roll and its steps.
    Roll(Roll),
    /// The player offers the cube: a double, a redouble, or a beaver.
    Double,
    /// The player takes the cube.
    Take,
    /// The player refuses the cube.
    Drop,
}

impl Move {
    const KIND: &'static str = "backgammon move";
    const WORDS: &[(&str, Self)] = &[("double", Move::Double), ("take", Move::Take), ("drop", Move::Drop)];

    /// Parses a value strictly.
    ///
    /// # Errors
    ///
    /// Fails if the value is neither two dice and up to four pairs of points, nor one of the words.
    pub fn parse(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        let raw = raw.as_ref();
        let error = |expected, at| ValueError::new(Self::KIND, expected, at);
        if let Some((_, word)) = Self::WORDS.iter().find(|(word, _)| raw == word.as_bytes()) {
            return Ok(*word);
        }
        let mut dice = [0; 2];
        for (at, die) in dice.iter_mut().enumerate() {
            *die = match raw.get(at) {
                Some(digit @ b'1'..=b'6') => digit - b'0',
                _ if at == 0 => return Err(error("a die from 1 to 6, double, take or drop", 0)),
                _ => return Err(error("a die from 1 to 6", at)),
            };
        }
        let mut steps = [(Point::OFF, Point::OFF); 4];
        let mut count = 0;
        for (at, pair) in raw[2..].chunks(2).enumerate() {
            let at = 2 + 2 * at;
            let Some(step) = steps.get_mut(count) else { return Err(error("the end of the value", at)) };
            let point = |index: usize| match pair.get(index) {
                Some(letter @ b'a'..=b'z') => Ok(Point(letter - b'a')),
                _ => Err(error("a letter from a to z", at + index)),
            };
            *step = (point(0)?, point(1)?);
            count += 1;
        }
        Ok(Move::Roll(Roll { dice, steps, count: count as u8 }))
    }

    /// Parses a value leniently, with white space and in any case.
    ///
    /// # Errors
    ///
    /// Fails if the value is not a move even leniently.
    pub fn parse_lenient(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        without_white_space(raw.as_ref(), |raw| match word(raw, Self::WORDS) {
            Some(word) => Ok(word),
            None => Self::parse(raw.to_ascii_lowercase()),
        })
    }
}

sgf_value!(Move, "backgammon move");

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Roll(roll) => roll.fmt(f),
            word => write_word(f, word, Self::WORDS),
        }
    }
}

impl From<Roll> for Move {
    fn from(roll: Roll) -> Self {
        Move::Roll(roll)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::laws::{assert_faults, printing_laws};
    use quickcheck::{Arbitrary, Gen};

    impl Arbitrary for Point {
        fn arbitrary(g: &mut Gen) -> Self {
            Point(u8::arbitrary(g) % 26)
        }
    }

    impl Arbitrary for Move {
        fn arbitrary(g: &mut Gen) -> Self {
            let mut die = || 1 + u8::arbitrary(g) % 6;
            let dice = [die(), die()];
            let mut steps = Vec::<(Point, Point)>::arbitrary(g);
            steps.truncate(usize::arbitrary(g) % 5);
            let roll = Move::Roll(Roll::new(dice, &steps).unwrap());
            *g.choose(&[roll, roll, roll, Move::Double, Move::Take, Move::Drop]).unwrap()
        }
    }

    printing_laws!(points: Point, moves: Move);

    #[test]
    fn errors_name_the_place_and_what_was_expected() {
        assert_faults::<Move>(&[
            ("", "a die from 1 to 6, double, take or drop", 0),
            ("Double", "a die from 1 to 6, double, take or drop", 0),
            ("06", "a die from 1 to 6, double, take or drop", 0),
            ("6", "a die from 1 to 6", 1),
            ("67", "a die from 1 to 6", 1),
            ("61y", "a letter from a to z", 3),
            ("61yg ", "a letter from a to z", 4),
            ("61Yg", "a letter from a to z", 2),
            ("66fzfzfzfzfz", "the end of the value", 10),
        ]);
        assert_eq!(Point::parse("").unwrap_err().at(), 0);
        assert_eq!(Point::parse("ab").unwrap_err().at(), 1);
    }

    #[test]
    fn lenient_parsing_ignores_white_space_and_case() {
        for (raw, canonical) in [(" DOUBLE\n", "double"), ("Take", "take"), ("31 he fe", "31hefe"), ("61YG", "61yg")] {
            assert_eq!(Move::parse_lenient(raw).unwrap().to_string(), canonical, "{raw:?}");
        }
        assert_eq!(Point::parse_lenient(" Y "), Ok(Point::BAR));
        assert!(Move::parse_lenient("resign").is_err());
    }

    #[test]
    fn a_roll_has_two_dice_and_up_to_four_steps() {
        let step = (Point::BAR, Point::OFF);
        assert_eq!(Roll::new([6, 6], &[step; 4]).unwrap().steps(), [step; 4]);
        assert_eq!(Roll::new([6, 6], &[step; 5]), None);
        assert_eq!((Roll::new([0, 1], &[]), Roll::new([1, 7], &[])), (None, None));
    }
}
