//! Single values of point lists: points and rectangles.

use std::fmt;
use std::str::FromStr;

use super::GridPoint;
use crate::value::print::{Printer, ToProperty};
use crate::value::typed::trim;
use crate::value::{RawValue, SgfValue, Size, ValueError, go};

/// One value of a point list: a point, or a rectangle of points.
///
/// ```text
/// Value = Point | Point ":" Point          (FF[4], "Compressed point lists": upper left, lower right)
/// ```
///
/// Strict parsing rejects rectangles of one point, and corners in another order. Lenient parsing accepts any two
/// opposite corners, and white space.
///
/// ```
/// use sgf_stream::value::{Rect, go::Point};
///
/// let rect: Rect = Rect::parse("ca:ee")?;
/// assert_eq!((rect.columns(), rect.rows(), rect.area()), (3, 5, 15));
/// assert!(rect.contains(Point::parse("dc")?));
/// assert_eq!(Rect::<Point>::parse_lenient("ee:ca")?, rect);
/// assert_eq!(Rect::<Point>::parse("aa")?.to_string(), "aa");
/// # Ok::<(), sgf_stream::value::ValueError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rect<P = go::Point> {
    first: P,
    last: P,
}

impl<P: GridPoint> Rect<P> {
    /// Creates the rectangle with these two points as opposite corners, in any order.
    pub fn spanning(one: P, other: P) -> Self {
        let ((a, b), (c, d)) = (one.grid(), other.grid());
        let corner = |column, row| P::from_grid(column, row).expect("all points between two valid points are valid");
        Rect { first: corner(a.min(c), b.min(d)), last: corner(a.max(c), b.max(d)) }
    }

    /// Returns the upper left corner.
    pub fn upper_left(self) -> P {
        self.first
    }

    /// Returns the lower right corner.
    pub fn lower_right(self) -> P {
        self.last
    }

    /// Returns the number of columns, at least 1.
    pub fn columns(self) -> u32 {
        self.last.grid().0 - self.first.grid().0 + 1
    }

    /// Returns the number of rows, at least 1.
    pub fn rows(self) -> u32 {
        self.last.grid().1 - self.first.grid().1 + 1
    }

    /// Returns the number of points, at least 1.
    pub fn area(self) -> u64 {
        u64::from(self.columns()) * u64::from(self.rows())
    }

    /// Returns whether the rectangle contains a point.
    pub fn contains(self, point: P) -> bool {
        let (column, row) = point.grid();
        let ((left, top), (right, bottom)) = (self.first.grid(), self.last.grid());
        (left..=right).contains(&column) && (top..=bottom).contains(&row)
    }

    /// Iterates over the points, row by row.
    pub fn points(self) -> impl Iterator<Item = P> {
        let ((left, top), (right, bottom)) = (self.first.grid(), self.last.grid());
        let point = |column, row| P::from_grid(column, row).expect("all points between two valid points are valid");
        (top..=bottom).flat_map(move |row| (left..=right).map(move |column| point(column, row)))
    }

    /// Parses a value strictly.
    ///
    /// # Errors
    ///
    /// Fails if the value is neither a point nor two different points, the upper left and lower right corners.
    pub fn parse(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        Self::read(raw.as_ref(), P::from_raw)
    }

    /// Parses a value leniently, with any two opposite corners and white space.
    ///
    /// # Errors
    ///
    /// Fails if the value is neither a point nor two points.
    pub fn parse_lenient(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        Self::read_lenient(raw.as_ref(), P::from_raw_lenient)
    }

    /// Parses a value leniently, on a board of this size.
    ///
    /// Some notations require the size: `A1:C3` in Go.
    ///
    /// # Errors
    ///
    /// Fails if [`parse_lenient`](Self::parse_lenient) would fail even with the size.
    pub fn parse_on_lenient(raw: impl AsRef<[u8]>, size: Size) -> Result<Self, ValueError> {
        Self::read_lenient(raw.as_ref(), |raw| P::from_raw_on_lenient(raw, Some(size)))
    }

    fn read_lenient(raw: &[u8], read: impl Fn(RawValue<'_>) -> Result<P, ValueError>) -> Result<Self, ValueError> {
        let Some((one, other, at)) = split(raw) else {
            return read(RawValue::new(raw)).map(|point| Rect { first: point, last: point });
        };
        let (one, front) = trim(one);
        let one = read(RawValue::new(one)).map_err(|error| error.shifted(front))?;
        let other = read(RawValue::new(other)).map_err(|error| error.shifted(at))?;
        Ok(Self::spanning(one, other))
    }

    /// Parses a value strictly, on a board of this size.
    ///
    /// # Errors
    ///
    /// Fails if [`parse`](Self::parse) would fail, or if a corner is off the board.
    pub fn parse_on(raw: impl AsRef<[u8]>, size: Size) -> Result<Self, ValueError> {
        Self::read(raw.as_ref(), |raw| P::from_raw_on(raw, Some(size)))
    }

    fn read(raw: &[u8], read: impl Fn(RawValue<'_>) -> Result<P, ValueError>) -> Result<Self, ValueError> {
        let Some((first, last, at)) = split(raw) else {
            return read(RawValue::new(raw)).map(|point| Rect { first: point, last: point });
        };
        let first = read(RawValue::new(first))?;
        let last = read(RawValue::new(last)).map_err(|error| error.shifted(at))?;
        let rect = Rect { first, last };
        if first == last {
            return Err(ValueError::new(P::KIND, "a corner other than the first", at));
        }
        if rect != Self::spanning(first, last) {
            return Err(ValueError::new(P::KIND, "the lower right corner", at));
        }
        Ok(rect)
    }
}

/// Splits a value at the colon. Returns the two components and the offset of the second.
fn split(raw: &[u8]) -> Option<(&[u8], &[u8], usize)> {
    let colon = memchr::memchr(b':', raw)?;
    Some((&raw[..colon], &raw[colon + 1..], colon + 1))
}

impl<P: GridPoint> ToProperty for Rect<P> {
    fn print(&self, to: &mut Printer) {
        to.put(self);
    }
}

impl<P: GridPoint> SgfValue for Rect<P> {
    const KIND: &'static str = P::KIND;

    fn from_raw(raw: RawValue<'_>) -> Result<Self, ValueError> {
        Self::parse(raw)
    }

    fn from_raw_lenient(raw: RawValue<'_>) -> Result<Self, ValueError> {
        Self::parse_lenient(raw)
    }

    fn from_raw_on(raw: RawValue<'_>, board: Option<Size>) -> Result<Self, ValueError> {
        Self::read(raw.as_bytes(), |raw| P::from_raw_on(raw, board))
    }

    fn from_raw_on_lenient(raw: RawValue<'_>, board: Option<Size>) -> Result<Self, ValueError> {
        Self::from_raw_on(raw, board)
            .or_else(|_| Self::read_lenient(raw.as_bytes(), |raw| P::from_raw_on_lenient(raw, board)))
    }
}

/// Parses strictly; see `parse`.
impl<P: GridPoint> FromStr for Rect<P> {
    type Err = ValueError;

    fn from_str(raw: &str) -> Result<Self, ValueError> {
        Self::parse(raw)
    }
}

/// Creates a rectangle of one point.
impl<P: GridPoint> From<P> for Rect<P> {
    fn from(point: P) -> Self {
        Rect { first: point, last: point }
    }
}

impl<P: GridPoint> fmt::Display for Rect<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.first == self.last {
            true => fmt::Display::fmt(&self.first, f),
            false => write!(f, "{}:{}", self.first, self.last),
        }
    }
}

/// Serializes the string between the brackets.
#[cfg(feature = "serde")]
impl<P: GridPoint> serde::Serialize for Rect<P> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        crate::value::typed::serde_impl::serialize(self, serializer)
    }
}

/// Deserializes the string between the brackets, leniently.
#[cfg(feature = "serde")]
impl<'de, P: GridPoint> serde::Deserialize<'de> for Rect<P> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        crate::value::typed::serde_impl::deserialize_rect(deserializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::laws::printing_laws;
    use crate::value::{hex, octi};
    use quickcheck::{Arbitrary, Gen, quickcheck};

    impl<P: GridPoint + Arbitrary> Arbitrary for Rect<P> {
        fn arbitrary(g: &mut Gen) -> Self {
            Rect::spanning(P::arbitrary(g), P::arbitrary(g))
        }
    }

    mod of_go {
        use super::*;
        printing_laws!(Rect<go::Point>);
    }

    mod of_hex {
        use super::*;
        printing_laws!(Rect<hex::Point>);
    }

    mod of_octi {
        use super::*;
        printing_laws!(Rect<octi::Point>);
    }

    #[test]
    fn errors_name_the_place_and_what_was_expected() {
        for (raw, expected, at) in [
            ("", "a letter", 0),
            ("aa:", "a letter", 3),
            (":aa", "a letter", 0),
            ("aa:b", "a letter", 4),
            ("aa:bb:cc", "the end of the value", 5),
            ("aa:aa", "a corner other than the first", 3),
            ("bb:aa", "the lower right corner", 3),
            ("ab:ba", "the lower right corner", 3),
            ("ba:ab", "the lower right corner", 3),
        ] {
            let error = Rect::<go::Point>::parse(raw).unwrap_err();
            assert_eq!((error.kind(), error.expected(), error.at()), ("point", expected, at), "{raw:?}");
        }
        let size = Size::square(9).unwrap();
        assert_eq!(Rect::<go::Point>::parse_on("ja:jb", size).unwrap_err().at(), 0);
        assert_eq!(Rect::<go::Point>::parse_on("aa:ij", size).unwrap_err().at(), 4);
        assert_eq!(Rect::<go::Point>::parse_lenient(" a a : b1").unwrap_err().at(), 8);
        assert_eq!(Rect::<go::Point>::parse_lenient(" a1 : bb").unwrap_err().at(), 2);
    }

    #[test]
    fn lenient_parsing_accepts_any_two_opposite_corners() {
        for (raw, canonical) in
            [("bb:aa", "aa:bb"), ("ab:ba", "aa:bb"), ("ba:ab", "aa:bb"), ("aa:aa", "aa"), (" aa :\nbb ", "aa:bb")]
        {
            assert_eq!(Rect::<go::Point>::parse_lenient(raw).unwrap().to_string(), canonical, "{raw:?}");
        }
    }

    #[test]
    fn rows_of_octi_count_from_the_bottom() {
        let rect = Rect::<octi::Point>::parse("13:21").unwrap();
        assert_eq!(rect.points().map(|p| p.to_string()).collect::<Vec<_>>(), ["13", "23", "12", "22", "11", "21"]);
        assert!(Rect::<octi::Point>::parse("11:23").is_err());
    }

    quickcheck! {
        fn points_agree_with_area_and_contains(rect: Rect<go::Point>, point: go::Point) -> bool {
            let points: Vec<_> = rect.points().collect();
            points.len() as u64 == rect.area()
                && points.contains(&point) == rect.contains(point)
                && points.is_sorted_by_key(|p| (p.y(), p.x()))
                && points.first() == Some(&rect.upper_left())
                && points.last() == Some(&rect.lower_right())
        }
    }
}
