//! Typed values of properties: raw values parsed as the type in the registry.

use std::fmt;

use super::{Context, List, Property, ValueType};
use crate::raw::RawValue;
use crate::value::game::Game;
use crate::value::typed::trim;
use crate::value::{
    AnyMove, AnyPoint, AnyRect, AnyStone, Application, Color, Compose, Dates, Double, Figure, GameResult, Handicap,
    Komi, NoValue, Number, Overtime, Rank, Real, Rect, Round, Ruleset, Seconds, SgfValue, SimpleText, Size, Text,
    ValueError, go,
};

/// A value of any type; see [`Property::parse`].
///
/// It prints the raw form between the brackets, in canonical form.
//
// The discriminant has a whole word, for the same reason as in `OwnedEvent`. With one byte, each layer copies the
// other seven in chunks of one, two and four bytes, and reading them back stalls.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(u64)]
pub enum TypedValue {
    /// The empty value of the type None, or the empty list: `KO[]`, `DD[]`.
    Empty,
    /// A number: `MN[3]`.
    Number(Number),
    /// A decimal number: `V[-1.5]`.
    Real(Real),
    /// A double (emphasis): `GB[1]`.
    Double(Double),
    /// A color: `PL[B]`.
    Color(Color),
    /// A text of one line: `PB[Shusaku]`.
    SimpleText(SimpleText),
    /// A text with line breaks: `C[a comment]`.
    Text(Text),
    /// A point outside lists: `SE[a1]`.
    Point(AnyPoint),
    /// A move: `B[dd]`.
    Move(AnyMove),
    /// A stone that is more than a point: `RP[33AB]` of Octi.
    Stone(AnyStone),
    /// A value of a point list, a point or a rectangle: `AB[aa:bb]`. [`PointList`] parses whole lists.
    ///
    /// [`PointList`]: crate::value::PointList
    Points(AnyRect),
    /// Two points: `AR[aa:bb]`.
    PointPair(AnyPoint, AnyPoint),
    /// A point and a text: `LB[aa:A]`.
    PointText(AnyPoint, SimpleText),
    /// A stone and a point: `AS[33AB:44]` of Octi.
    StonePoint(AnyStone, AnyPoint),
    /// Two texts: `MI[length:7]`.
    TextPair(Compose<SimpleText, SimpleText>),
    /// A figure: `FG[257:Diagram 1]`.
    Figure(Figure),
    /// A board size: `SZ[19]`.
    Size(Size),
    /// Dates: `DT[1996-05,06]`.
    Dates(Dates),
    /// The result of a game: `RE[B+R]`.
    GameResult(GameResult),
    /// A komi: `KM[6.5]`.
    Komi(Komi),
    /// A handicap: `HA[2]`.
    Handicap(Handicap),
    /// A time in seconds: `TM[3600]`.
    Seconds(Seconds),
    /// An overtime system: `OT[5x30 byo-yomi]`.
    Overtime(Overtime),
    /// Rules: `RU[Japanese]`.
    Ruleset(Ruleset),
    /// A rank: `BR[5d]`.
    Rank(Rank),
    /// A round: `RO[5 (final)]`.
    Round(Round),
    /// A program and its version: `AP[CGoban:3]`.
    Application(Application),
}

impl Property {
    /// Parses a value of this property strictly. Texts are UTF-8.
    ///
    /// The type and the board are checked; the range of a number (`FF[99]`) and the content of a free text are not.
    /// A format that is only recommended (`BR`, `RO`) is required.
    ///
    /// ```
    /// use sgf_stream::property::{self, Context, TypedValue};
    /// use sgf_stream::value::{AnyMove, hex};
    /// use sgf_stream::{Game, Ident, RawValue};
    ///
    /// let context = Context::new(Game::Hex, 4);
    /// let black = property::lookup(Ident::new(b"B"), &context).unwrap();
    /// let value = black.parse(RawValue::new(b"c4"), &context)?;
    /// assert_eq!(value, TypedValue::Move(AnyMove::Hex(hex::Move::parse("c4")?)));
    /// # Ok::<(), sgf_stream::value::ValueError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the value is not of the property's type, or is off the board.
    #[inline]
    pub fn parse(&self, raw: RawValue<'_>, context: &Context) -> Result<TypedValue, ValueError> {
        match self.short_point(raw, context) {
            Some(point) => Ok(self.of_point(point)),
            None => Reading { property: self, context, lenient: false }.value(raw),
        }
    }

    /// Parses a value of this property leniently, as programs write it.
    ///
    /// # Errors
    ///
    /// Fails if the value is not of the property's type even leniently.
    // Inlined, it would make the handler of all other events save registers for it.
    #[inline(never)]
    pub fn parse_lenient(&self, raw: RawValue<'_>, context: &Context) -> Result<TypedValue, ValueError> {
        match self.short_point(raw, context) {
            Some(point) => Ok(self.of_point(point)),
            None => Reading { property: self, context, lenient: true }.value(raw),
        }
    }

    /// Parses a move, or an element of a list of points, in Go. It must be a point of two letters on the board, as
    /// nearly all values are.
    #[inline]
    fn short_point(&self, raw: RawValue<'_>, context: &Context) -> Option<go::Point> {
        let is_wanted = self.value == ValueType::Move || self.is_point_list();
        if !is_wanted || context.game() != Game::Go {
            return None;
        }
        let point = go::Point::of_letters(raw.as_bytes())?;
        let is_on_board = context.board()?.holds(point.x().into(), point.y().into());
        is_on_board.then_some(point)
    }

    /// Returns the value of a move, or of an element of a list of points, in Go.
    #[inline]
    fn of_point(&self, point: go::Point) -> TypedValue {
        match self.value {
            ValueType::Move => TypedValue::Move(AnyMove::Go(go::Move::Play(point))),
            _ => TypedValue::Points(AnyRect::Go(Rect::from(point))),
        }
    }
}

struct Reading<'a> {
    property: &'a Property,
    context: &'a Context,
    lenient: bool,
}

impl Reading<'_> {
    #[inline(never)]
    fn value(&self, raw: RawValue<'_>) -> Result<TypedValue, ValueError> {
        let (game, lenient) = (self.context.game(), self.lenient);
        if self.is_empty_list(raw) {
            return Ok(TypedValue::Empty);
        }
        Ok(match self.property.value_type() {
            ValueType::None => {
                self.plain::<NoValue>(raw)?;
                TypedValue::Empty
            }
            ValueType::Number => TypedValue::Number(self.plain(raw)?),
            ValueType::Real => TypedValue::Real(self.plain(raw)?),
            ValueType::Double => TypedValue::Double(self.plain(raw)?),
            ValueType::Color => TypedValue::Color(self.plain(raw)?),
            ValueType::SimpleText | ValueType::Charset => TypedValue::SimpleText(self.plain(raw)?),
            ValueType::Text => TypedValue::Text(self.plain(raw)?),
            ValueType::Point if self.property.is_point_list() => self.points(raw)?,
            ValueType::Stone if self.property.is_point_list() && game != Game::Octi => self.points(raw)?,
            ValueType::Point => TypedValue::Point(self.point(raw)?),
            ValueType::Stone => TypedValue::Stone(self.stone(raw)?),
            ValueType::Move => TypedValue::Move(self.a_move(raw)?),
            ValueType::PointPair => {
                let (first, second) = self.parts(raw, Self::point, Self::point)?;
                TypedValue::PointPair(first, second)
            }
            ValueType::PointText => {
                let (point, text) = self.parts(raw, Self::point, Self::plain)?;
                TypedValue::PointText(point, text)
            }
            ValueType::StonePoint => {
                let (stone, point) = self.parts(raw, Self::stone, Self::point)?;
                TypedValue::StonePoint(stone, point)
            }
            ValueType::TextPair => TypedValue::TextPair(self.plain(raw)?),
            ValueType::Figure => TypedValue::Figure(self.plain(raw)?),
            ValueType::Size if lenient => TypedValue::Size(Size::parse_lenient(raw)?),
            ValueType::Size => TypedValue::Size(Size::parse_for(raw, game)?),
            ValueType::Date => TypedValue::Dates(self.plain(raw)?),
            ValueType::GameResult if lenient => TypedValue::GameResult(GameResult::parse_lenient(raw)?),
            ValueType::GameResult => TypedValue::GameResult(GameResult::parse_for(raw, game)?),
            ValueType::Komi => TypedValue::Komi(self.plain(raw)?),
            ValueType::Handicap => TypedValue::Handicap(self.plain(raw)?),
            ValueType::Seconds => TypedValue::Seconds(self.plain(raw)?),
            ValueType::Overtime => TypedValue::Overtime(self.plain(raw)?),
            ValueType::Ruleset if lenient => TypedValue::Ruleset(Ruleset::parse_lenient_for(raw, game)?),
            ValueType::Ruleset => TypedValue::Ruleset(Ruleset::parse_for(raw, game)?),
            ValueType::Rank => TypedValue::Rank(self.plain(raw)?),
            ValueType::Round => TypedValue::Round(self.plain(raw)?),
            ValueType::Application => TypedValue::Application(self.plain(raw)?),
        })
    }

    /// Returns whether a value is an empty list of points.
    ///
    /// Lenient parsing also accepts white space, except in a game without a notation, where it is text.
    fn is_empty_list(&self, raw: RawValue<'_>) -> bool {
        if raw.is_empty() && self.property.list() == List::EList {
            return true;
        }
        self.lenient
            && self.property.is_point_list()
            && trim(raw.as_bytes()).0.is_empty()
            && AnyRect::parse(raw, self.context.game(), None).is_err()
    }

    /// Parses a type that does not depend on the game.
    fn plain<T: SgfValue>(&self, raw: RawValue<'_>) -> Result<T, ValueError> {
        if self.lenient { T::from_raw_lenient(raw) } else { T::from_raw(raw) }
    }

    fn point(&self, raw: RawValue<'_>) -> Result<AnyPoint, ValueError> {
        let read = if self.lenient { AnyPoint::parse_lenient } else { AnyPoint::parse };
        read(raw, self.context.game(), self.context.board())
    }

    fn points(&self, raw: RawValue<'_>) -> Result<TypedValue, ValueError> {
        let read = if self.lenient { AnyRect::parse_lenient } else { AnyRect::parse };
        Ok(match read(raw, self.context.game(), self.context.board())? {
            // A text of soft line breaks is also empty.
            AnyRect::Other(text) if text.is_empty() && self.property.list() == List::EList => TypedValue::Empty,
            rect => TypedValue::Points(rect),
        })
    }

    fn stone(&self, raw: RawValue<'_>) -> Result<AnyStone, ValueError> {
        let read = if self.lenient { AnyStone::parse_lenient } else { AnyStone::parse };
        read(raw, self.context.game(), self.context.board())
    }

    fn a_move(&self, raw: RawValue<'_>) -> Result<AnyMove, ValueError> {
        let read = if self.lenient { AnyMove::parse_lenient } else { AnyMove::parse };
        read(raw, self.context.game(), self.context.board())
    }

    /// Parses `Compose = ValueType ":" ValueType`.
    fn parts<A, B>(
        &self,
        raw: RawValue<'_>,
        first: impl FnOnce(&Self, RawValue<'_>) -> Result<A, ValueError>,
        second: impl FnOnce(&Self, RawValue<'_>) -> Result<B, ValueError>,
    ) -> Result<(A, B), ValueError> {
        let Some((head, tail)) = raw.compose() else {
            return Err(ValueError::new("Compose", "a colon", raw.as_bytes().len()));
        };
        let at = head.as_bytes().len() + 1;
        Ok((first(self, head)?, second(self, tail).map_err(|error| error.shifted(at))?))
    }
}

impl fmt::Display for TypedValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TypedValue::Empty => Ok(()),
            TypedValue::Number(value) => value.fmt(f),
            TypedValue::Real(value) => value.fmt(f),
            TypedValue::Double(value) => value.fmt(f),
            TypedValue::Color(value) => value.fmt(f),
            TypedValue::SimpleText(value) => value.fmt(f),
            TypedValue::Text(value) => value.fmt(f),
            TypedValue::Point(value) => value.fmt(f),
            TypedValue::Move(value) => value.fmt(f),
            TypedValue::Stone(value) => value.fmt(f),
            TypedValue::Points(value) => value.fmt(f),
            TypedValue::PointPair(first, second) => write!(f, "{first:#}:{second:#}"),
            TypedValue::PointText(point, text) => write!(f, "{point:#}:{text:#}"),
            TypedValue::StonePoint(stone, point) => write!(f, "{stone:#}:{point:#}"),
            TypedValue::TextPair(value) => value.fmt(f),
            TypedValue::Figure(value) => value.fmt(f),
            TypedValue::Size(value) => value.fmt(f),
            TypedValue::Dates(value) => value.fmt(f),
            TypedValue::GameResult(value) => value.fmt(f),
            TypedValue::Komi(value) => value.fmt(f),
            TypedValue::Handicap(value) => value.fmt(f),
            TypedValue::Seconds(value) => value.fmt(f),
            TypedValue::Overtime(value) => value.fmt(f),
            TypedValue::Ruleset(value) => value.fmt(f),
            TypedValue::Rank(value) => value.fmt(f),
            TypedValue::Round(value) => value.fmt(f),
            TypedValue::Application(value) => value.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;

    use super::*;
    use crate::property;
    use crate::syntax::event::Ident;

    quickcheck! {
        /// Checks that points of two letters are parsed like all other values.
        fn a_short_point_is_read_as_any_value(row: usize, game: bool, size: u8, picks: (u8, u8, u8)) -> bool {
            let row = &property::all()[row % property::all().len()];
            let board = Size::square(u32::from(size % 52) + 1);
            let context = Context::new(if game { Game::Go } else { Game::Hex }, 4);
            let context = board.map_or(context, |board| context.with_size(board));
            let letter = |pick: u8| b"abisjtuyzAHSTZ1: "[usize::from(pick % 17)];
            let raw = [letter(picks.0), letter(picks.1), letter(picks.2)];
            (1..=3).all(|len| {
                let raw = RawValue::new(&raw[..len]);
                let slowly = |lenient| Reading { property: row, context: &context, lenient }.value(raw);
                (row.parse(raw, &context), row.parse_lenient(raw, &context)) == (slowly(false), slowly(true))
            })
        }
    }

    fn parse(ident: &str, raw: &str, context: &Context, lenient: bool) -> Result<TypedValue, ValueError> {
        let property = property::lookup(Ident::new(ident.as_bytes()), context).expect("in the registry");
        let raw = RawValue::new(raw.as_bytes());
        if lenient { property.parse_lenient(raw, context) } else { property.parse(raw, context) }
    }

    #[test]
    fn every_type_of_the_registry_parses_its_example() {
        let go = Context::default();
        let octi = Context::new(Game::Octi, 4);
        let loa = Context::new(Game::LinesOfAction, 4);
        for (context, ident, raw) in [
            (go, "KO", ""),
            (go, "MN", "3"),
            (go, "V", "-1.5"),
            (go, "KM", "6.5"),
            (go, "HA", "2"),
            (go, "GB", "1"),
            (go, "PL", "B"),
            (go, "PB", "Shusaku"),
            (go, "C", "a comment"),
            (loa, "SE", "a1"),
            (go, "B", "dd"),
            (go, "B", ""),
            (octi, "RP", "33AB"),
            (go, "AB", "aa:bb"),
            (go, "DD", ""),
            (go, "AR", "aa:bb"),
            (go, "LB", "aa:A"),
            (octi, "AS", "33AB:44"),
            (Context::new(Game::Backgammon, 4), "MI", "length:7"),
            (go, "FG", "257:Diagram 1"),
            (go, "SZ", "19"),
            (go, "DT", "1996-05,06"),
            (go, "RE", "B+Resign"),
            (go, "TM", "3600"),
            (go, "OT", "5x30 byo-yomi"),
            (go, "RU", "Japanese"),
            (go, "BR", "5d"),
            (go, "RO", "5 (final)"),
            (go, "AP", "CGoban:3"),
            (go, "CA", "UTF-8"),
        ] {
            for lenient in [false, true] {
                let value = parse(ident, raw, &context, lenient);
                assert_eq!(value.map(|value| value.to_string()), Ok(raw.to_owned()), "{ident}[{raw}]");
            }
        }
    }

    #[test]
    fn errors_name_the_type_and_the_place() {
        let go = Context::default();
        for (ident, raw, error) in [
            ("B", "d4", "move: expected a letter at byte 1"),
            ("B", "zz", "move: expected a point on the board at byte 0"),
            ("AB", "", "point: expected a letter at byte 0"),
            ("LB", "dd", "Compose: expected a colon at byte 2"),
            ("AR", "aa:b", "point: expected a letter at byte 4"),
            ("KM", "six", "komi: expected a digit at byte 0"),
        ] {
            assert_eq!(
                parse(ident, raw, &go, false).map_err(|error| error.to_string()),
                Err(error.to_owned()),
                "{ident}[{raw}]"
            );
        }
    }

    #[test]
    fn strict_parsing_uses_the_board_of_the_context() {
        let context = Context::default().with_size(Size::square(9).unwrap());
        assert!(parse("B", "jj", &context, false).is_err());
        assert!(parse("B", "jj", &context, true).is_ok());
        assert!(parse("B", "ii", &context, false).is_ok());
    }
}
