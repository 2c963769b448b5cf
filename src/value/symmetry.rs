//! The eight symmetries of a board.

use std::fmt;

use crate::value::game::Game;
use crate::value::{GridPoint, Rect, Size};

/// One of the eight symmetries (rotations and reflections) of a board.
///
/// ```
/// use sgf_stream::value::Symmetry;
/// use sgf_stream::value::{Rect, Size, go::Point};
///
/// let (size, point) = (Size::square(19).unwrap(), Point::parse("qd")?);
/// let image = |symmetry: Symmetry| symmetry.apply(point, size).unwrap().to_string();
/// assert_eq!(Symmetry::ALL.map(image), ["qd", "cd", "qp", "cp", "dq", "dc", "pq", "pc"]);
///
/// let turn = Symmetry::ROTATE_CLOCKWISE;
/// assert_eq!(image(turn), "pq");
/// assert_eq!(turn.inverse(), Symmetry::ROTATE_COUNTERCLOCKWISE);
/// assert_eq!(turn.then(turn), Symmetry::ROTATE_180);
///
/// let corner: Rect = Rect::parse("aa:cb")?;
/// assert_eq!(turn.apply_rect(corner, size), Some(Rect::parse("ra:sc")?));
/// # Ok::<(), sgf_stream::value::ValueError>(())
/// ```
///
/// Rotations by 90 degrees and reflections in a diagonal exchange columns and rows. On a board that is not square they
/// lead to a board of another size: see [`apply_to_size`](Self::apply_to_size).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Symmetry {
    flips_columns: bool,
    flips_rows: bool,
    /// Columns become rows, after the flips.
    transposes: bool,
}

impl Symmetry {
    /// Changes nothing.
    pub const IDENTITY: Symmetry = Symmetry::ALL[0];
    /// Exchanges left and right.
    pub const FLIP_HORIZONTAL: Symmetry = Symmetry::ALL[1];
    /// Exchanges top and bottom.
    pub const FLIP_VERTICAL: Symmetry = Symmetry::ALL[2];
    /// Rotates by 180 degrees.
    pub const ROTATE_180: Symmetry = Symmetry::ALL[3];
    /// Reflects in the diagonal through the upper left corner: exchanges columns and rows.
    pub const TRANSPOSE: Symmetry = Symmetry::ALL[4];
    /// Rotates counterclockwise by 90 degrees: the upper right corner becomes the upper left one.
    pub const ROTATE_COUNTERCLOCKWISE: Symmetry = Symmetry::ALL[5];
    /// Rotates clockwise by 90 degrees: the upper left corner becomes the upper right one.
    pub const ROTATE_CLOCKWISE: Symmetry = Symmetry::ALL[6];
    /// Reflects in the diagonal through the upper right corner.
    pub const ANTI_TRANSPOSE: Symmetry = Symmetry::ALL[7];

    /// All eight symmetries, each at its [`index`](Self::index).
    ///
    /// | index | symmetry | `(x, y)` becomes, with `w` columns and `h` rows |
    /// |--:|---|---|
    /// | 0 | [`IDENTITY`](Self::IDENTITY) | `(x, y)` |
    /// | 1 | [`FLIP_HORIZONTAL`](Self::FLIP_HORIZONTAL) | `(w - 1 - x, y)` |
    /// | 2 | [`FLIP_VERTICAL`](Self::FLIP_VERTICAL) | `(x, h - 1 - y)` |
    /// | 3 | [`ROTATE_180`](Self::ROTATE_180) | `(w - 1 - x, h - 1 - y)` |
    /// | 4 | [`TRANSPOSE`](Self::TRANSPOSE) | `(y, x)` |
    /// | 5 | [`ROTATE_COUNTERCLOCKWISE`](Self::ROTATE_COUNTERCLOCKWISE) | `(y, w - 1 - x)` |
    /// | 6 | [`ROTATE_CLOCKWISE`](Self::ROTATE_CLOCKWISE) | `(h - 1 - y, x)` |
    /// | 7 | [`ANTI_TRANSPOSE`](Self::ANTI_TRANSPOSE) | `(h - 1 - y, w - 1 - x)` |
    ///
    /// The order never changes.
    pub const ALL: [Symmetry; 8] = {
        let mut all = [Symmetry { flips_columns: false, flips_rows: false, transposes: false }; 8];
        let mut n = 0;
        while n < 8 {
            all[n] = Symmetry { flips_columns: n & 1 != 0, flips_rows: n & 2 != 0, transposes: n & 4 != 0 };
            n += 1;
        }
        all
    };

    /// Returns the index in [`ALL`](Self::ALL).
    #[inline]
    pub const fn index(self) -> usize {
        self.flips_columns as usize | (self.flips_rows as usize) << 1 | (self.transposes as usize) << 2
    }

    /// Returns whether the rules of a game have this symmetry.
    ///
    /// It keeps the initial position and the goals of the players.
    ///
    /// Games whose moves are more than a point have only the identity.
    ///
    /// ```
    /// use sgf_stream::Game;
    /// use sgf_stream::value::Symmetry;
    ///
    /// assert!(Symmetry::TRANSPOSE.is_of(Game::Go));
    /// // Opposite sides of the board belong to one player.
    /// assert!(Symmetry::ROTATE_180.is_of(Game::Hex) && !Symmetry::TRANSPOSE.is_of(Game::Hex));
    /// ```
    pub const fn is_of(self, game: Game) -> bool {
        let symmetries = match game {
            Game::Go | Game::Gomoku => u8::MAX,
            // The initial stones are in the corners of a square, alternating: a half turn and both diagonals keep them.
            Game::Othello | Game::Ataxx => 0b1001_1001,
            // A half turn flips columns and rows.
            Game::Hex | Game::Twixt => 0b1001,
            _ => 1,
        };
        symmetries >> self.index() & 1 == 1
    }

    /// Returns the symmetry that reverts this one.
    #[must_use]
    pub const fn inverse(self) -> Symmetry {
        let Symmetry { flips_columns, flips_rows, transposes } = self;
        match transposes {
            true => Symmetry { flips_columns: flips_rows, flips_rows: flips_columns, transposes },
            false => self,
        }
    }

    /// Returns the symmetry that has the effect of this one and then another.
    ///
    /// The other one applies to the board after this one, whose size may differ.
    ///
    /// ```
    /// use sgf_stream::value::Symmetry;
    ///
    /// let (mirror, turn) = (Symmetry::FLIP_HORIZONTAL, Symmetry::ROTATE_CLOCKWISE);
    /// assert_eq!(mirror.then(turn), Symmetry::ANTI_TRANSPOSE);
    /// assert_eq!(turn.then(mirror), Symmetry::TRANSPOSE);
    /// ```
    #[must_use]
    pub const fn then(self, next: Symmetry) -> Symmetry {
        let (columns, rows) = match self.transposes {
            true => (next.flips_rows, next.flips_columns),
            false => (next.flips_columns, next.flips_rows),
        };
        Symmetry {
            flips_columns: self.flips_columns != columns,
            flips_rows: self.flips_rows != rows,
            transposes: self.transposes != next.transposes,
        }
    }

    /// Returns the image of a point; `None` if off a board of this size.
    ///
    /// The point may be of any game.
    pub fn apply<P: GridPoint>(self, point: P, size: Size) -> Option<P> {
        let (x, y) = point.grid();
        if !size.holds(x, y) {
            return None;
        }
        let (x, y) = self.map((x, y), size);
        P::from_grid(x, y)
    }

    /// Returns the image of a rectangle of points.
    ///
    /// `None` if it is not completely on a board of this size.
    pub fn apply_rect<P: GridPoint>(self, rect: Rect<P>, size: Size) -> Option<Rect<P>> {
        Some(Rect::spanning(self.apply(rect.upper_left(), size)?, self.apply(rect.lower_right(), size)?))
    }

    /// Returns the size of the board afterwards, which differs if the board is not square.
    pub fn apply_to_size(self, size: Size) -> Size {
        match self.transposes {
            true => Size::new(size.rows(), size.columns()).unwrap_or(size),
            false => size,
        }
    }

    /// Returns the image of a column and row on the board.
    #[inline]
    #[doc(hidden)]
    pub fn map(self, (x, y): (u32, u32), size: Size) -> (u32, u32) {
        let x = if self.flips_columns { size.columns() - 1 - x } else { x };
        let y = if self.flips_rows { size.rows() - 1 - y } else { y };
        if self.transposes { (y, x) } else { (x, y) }
    }
}

/// Returns [`Symmetry::IDENTITY`].
impl Default for Symmetry {
    fn default() -> Self {
        Symmetry::IDENTITY
    }
}

/// Formats the name of the constant.
impl fmt::Debug for Symmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.index() {
            0 => "IDENTITY",
            1 => "FLIP_HORIZONTAL",
            2 => "FLIP_VERTICAL",
            3 => "ROTATE_180",
            4 => "TRANSPOSE",
            5 => "ROTATE_COUNTERCLOCKWISE",
            6 => "ROTATE_CLOCKWISE",
            _ => "ANTI_TRANSPOSE",
        })
    }
}

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;

    use super::*;
    use crate::value::go::Point;

    fn size(columns: u8, rows: u8) -> Size {
        Size::new(u32::from(columns % 52) + 1, u32::from(rows % 52) + 1).unwrap()
    }

    fn point(size: Size, seed: u16) -> Point {
        let number = u32::from(seed) % (size.columns() * size.rows());
        Point::new((number % size.columns()) as u8, (number / size.columns()) as u8).unwrap()
    }

    #[test]
    fn the_symmetries_are_a_group_and_their_indices_are_their_places() {
        for (n, one) in Symmetry::ALL.into_iter().enumerate() {
            assert_eq!(one.index(), n);
            assert_eq!(one.then(one.inverse()), Symmetry::IDENTITY, "{one:?}");
            assert_eq!(one.inverse().then(one), Symmetry::IDENTITY, "{one:?}");
            assert_eq!(one.inverse().inverse(), one);
            let mut products = Symmetry::ALL.map(|other| one.then(other).index());
            products.sort();
            assert_eq!(products, [0, 1, 2, 3, 4, 5, 6, 7], "{one:?} with all others");
            for (two, three) in Symmetry::ALL.into_iter().flat_map(|two| Symmetry::ALL.map(|three| (two, three))) {
                assert_eq!(one.then(two).then(three), one.then(two.then(three)), "{one:?} {two:?} {three:?}");
                assert_eq!(one.then(two).inverse(), two.inverse().then(one.inverse()), "{one:?} {two:?}");
            }
        }
    }

    /// The corners of a board are named in reading order.
    #[test]
    fn each_symmetry_moves_the_corners_as_its_name_says() {
        let size = Size::new(4, 3).unwrap();
        let cases = [
            ("IDENTITY", Symmetry::IDENTITY, "1234"),
            ("FLIP_HORIZONTAL", Symmetry::FLIP_HORIZONTAL, "2143"),
            ("FLIP_VERTICAL", Symmetry::FLIP_VERTICAL, "3412"),
            ("ROTATE_180", Symmetry::ROTATE_180, "4321"),
            ("TRANSPOSE", Symmetry::TRANSPOSE, "1324"),
            ("ROTATE_COUNTERCLOCKWISE", Symmetry::ROTATE_COUNTERCLOCKWISE, "2413"),
            ("ROTATE_CLOCKWISE", Symmetry::ROTATE_CLOCKWISE, "3142"),
            ("ANTI_TRANSPOSE", Symmetry::ANTI_TRANSPOSE, "4231"),
        ];
        let corners = |size: Size| {
            let (right, bottom) = (size.columns() as u8 - 1, size.rows() as u8 - 1);
            [(0, 0), (right, 0), (0, bottom), (right, bottom)].map(|(x, y)| Point::new(x, y).unwrap())
        };
        for ((name, symmetry, expected), place) in cases.into_iter().zip(Symmetry::ALL) {
            assert_eq!((symmetry, format!("{symmetry:?}").as_str()), (place, name));
            let mut picture = [' '; 4];
            let places = corners(symmetry.apply_to_size(size));
            for (number, corner) in ['1', '2', '3', '4'].into_iter().zip(corners(size)) {
                let image = symmetry.apply(corner, size).unwrap();
                picture[places.iter().position(|place| *place == image).unwrap()] = number;
            }
            assert_eq!(picture.iter().collect::<String>(), expected, "{name}");
        }
    }

    quickcheck! {
        fn a_point_goes_where_both_symmetries_lead_it(sides: (u8, u8), at: u16, one: usize, two: usize) -> bool {
            let (size, one, two) = (size(sides.0, sides.1), Symmetry::ALL[one % 8], Symmetry::ALL[two % 8]);
            let (point, between) = (point(size, at), one.apply_to_size(size));
            let image = one.apply(point, size).unwrap();
            one.then(two).apply_to_size(size) == two.apply_to_size(between)
                && one.then(two).apply(point, size) == two.apply(image, between)
                && one.inverse().apply(image, between) == Some(point)
        }

        fn a_rectangle_has_the_images_of_its_points(sides: (u8, u8), corners: (u16, u16), turn: usize) -> bool {
            let (size, symmetry) = (size(sides.0, sides.1), Symmetry::ALL[turn % 8]);
            let rect = Rect::spanning(point(size, corners.0), point(size, corners.1));
            let mut expected: Vec<Point> = rect.points().map(|point| symmetry.apply(point, size).unwrap()).collect();
            let mut points: Vec<Point> = symmetry.apply_rect(rect, size).unwrap().points().collect();
            expected.sort();
            points.sort();
            points == expected
        }

        fn what_is_off_the_board_has_no_image(sides: (u8, u8), at: (u8, u8), turn: usize) -> bool {
            let (size, symmetry) = (size(sides.0, sides.1), Symmetry::ALL[turn % 8]);
            let point = Point::new(at.0 % 52, at.1 % 52).unwrap();
            let is_on = u32::from(point.x()) < size.columns() && u32::from(point.y()) < size.rows();
            let rect = Rect::spanning(point, Point::new(0, 0).unwrap());
            symmetry.apply(point, size).is_some() == is_on && symmetry.apply_rect(rect, size).is_some() == is_on
        }
    }
}
