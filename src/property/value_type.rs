//! The types of values.

use std::fmt;

/// The type of a property's values.
///
/// The variants are the types of FF\[4\], the compositions in use, and separate types for simple texts and numbers
/// with a specified or customary format: [`Date`], [`GameResult`] and so on. [`basic`](ValueType::basic) maps these
/// to the types of FF\[4\].
///
/// It prints as in the specification.
///
/// ```
/// use sgf_stream::property::ValueType;
///
/// assert_eq!(ValueType::Date.basic(), ValueType::SimpleText);
/// assert_eq!(ValueType::Date.to_string(), "SimpleText");
/// assert_eq!(ValueType::PointText.parts(), Some((ValueType::Point, ValueType::SimpleText)));
/// assert_eq!(ValueType::PointText.to_string(), "composed point ':' SimpleText");
/// ```
///
/// [`Date`]: ValueType::Date
/// [`GameResult`]: ValueType::GameResult
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ValueType {
    /// The empty value.
    None,
    /// A whole number.
    Number,
    /// A decimal number.
    Real,
    /// `1` or `2`, for emphasis.
    Double,
    /// `B` or `W`.
    Color,
    /// A text of one line.
    SimpleText,
    /// A text with line breaks.
    Text,
    /// A point of the board, in the notation of the game.
    Point,
    /// A move, in the notation of the game.
    Move,
    /// A stone and its point, in the notation of the game. In most games it is just a point.
    Stone,

    /// Two points: `AR`, `LN`.
    PointPair,
    /// A point and a text: `LB`.
    PointText,
    /// A stone and a point: `AS` of Octi.
    StonePoint,
    /// Two texts, key and value: `MI`, `IS`.
    TextPair,
    /// The empty value, or a number and a text: `FG`.
    Figure,

    /// `SZ`: a Number, or two.
    Size,
    /// `DT`: a SimpleText, dates.
    Date,
    /// `RE`: a SimpleText, the result of a game.
    GameResult,
    /// `KM`: a Real, the komi.
    Komi,
    /// `HA`: a Number, the handicap.
    Handicap,
    /// `TM`, `BL`, `WL`: a Real, a time in seconds.
    Seconds,
    /// `OT`: a SimpleText, the overtime system.
    Overtime,
    /// `RU`: a SimpleText, the rules.
    Ruleset,
    /// `BR`, `WR`: a SimpleText, the rank of a player.
    Rank,
    /// `RO`: a SimpleText, the number and name of a round.
    Round,
    /// `AP`: two texts, a program and its version.
    Application,
    /// `CA`: a SimpleText, the name of a charset.
    Charset,
}

impl ValueType {
    /// Returns whether values of the type contain points, moves or stones.
    #[doc(hidden)]
    pub const fn has_points(self) -> bool {
        use ValueType::*;
        matches!(self, Point | Move | Stone | PointPair | PointText | StonePoint)
    }

    /// Returns the FF\[4\] type that this type refines, or itself.
    ///
    /// [`Application`](Self::Application) becomes [`TextPair`](Self::TextPair). [`Size`](Self::Size) and
    /// [`Figure`](Self::Figure) are left unchanged, since each combines two types.
    #[must_use]
    pub const fn basic(self) -> ValueType {
        match self {
            Self::Date | Self::GameResult | Self::Overtime | Self::Ruleset => Self::SimpleText,
            Self::Rank | Self::Round | Self::Charset => Self::SimpleText,
            Self::Handicap => Self::Number,
            Self::Seconds | Self::Komi => Self::Real,
            Self::Application => Self::TextPair,
            other => other,
        }
    }

    /// Returns the types of the two components of a composed value, which [`RawValue::compose`] splits.
    ///
    /// A [`Size`](Self::Size) or [`Figure`](Self::Figure) may also be a single value.
    ///
    /// [`RawValue::compose`]: crate::RawValue::compose
    pub const fn parts(self) -> Option<(ValueType, ValueType)> {
        match self {
            Self::PointPair => Some((Self::Point, Self::Point)),
            Self::PointText => Some((Self::Point, Self::SimpleText)),
            Self::StonePoint => Some((Self::Stone, Self::Point)),
            Self::TextPair | Self::Application => Some((Self::SimpleText, Self::SimpleText)),
            Self::Figure => Some((Self::Number, Self::SimpleText)),
            Self::Size => Some((Self::Number, Self::Number)),
            _ => None,
        }
    }
}

impl fmt::Display for ValueType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((first, second)) = self.parts() {
            f.write_str(match self {
                Self::Figure => "None | ",
                Self::Size => "Number | ",
                _ => "",
            })?;
            return write!(f, "composed {first} ':' {second}");
        }
        f.write_str(match self.basic() {
            Self::None => "None",
            Self::Number => "Number",
            Self::Real => "Real",
            Self::Double => "Double",
            Self::Color => "Color",
            Self::Text => "Text",
            Self::Point => "point",
            Self::Move => "Move",
            Self::Stone => "stone",
            // All other types have SimpleText as their basic type.
            _ => "SimpleText",
        })
    }
}

/// The number of values of a property: one, or a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum List {
    /// One value.
    Single,
    /// *list of*: one or more values.
    List,
    /// *elist of*: one or more values, or a single empty value for an empty list.
    EList,
}
