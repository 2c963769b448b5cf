//! The purpose of properties: the groups of the FF\[4\] page, and those of private properties.
//!
//! The property type restricts the nodes of a property; the group says what it is for. A row of the table has both in one
//! column.

use std::fmt;

use super::{Origin, Property, ValueType};

/// The purpose of a property, which follows the groups of the FF\[4\] specification.
///
/// Programs that keep or drop a kind of properties use it. It prints as in the table.
///
/// | group | properties, for example |
/// |---|---|
/// | move | `B`, `W`, `KO`, `MN` |
/// | setup | `AB`, `AE`, `AW`, `PL` |
/// | node annotation | `C`, `N`, `DM`, `GB`, `GW`, `HO`, `UC`, `V` |
/// | move annotation | `BM`, `DO`, `IT`, `TE` |
/// | markup | `AR`, `CR`, `DD`, `LB`, `LN`, `MA`, `SL`, `SQ`, `TR` |
/// | territory | `TB`, `TW` |
/// | root | `AP`, `CA`, `FF`, `GM`, `ST`, `SZ` |
/// | game info | `PB`, `DT`, `RE`, `KM`, `TM`, `OT` |
/// | timing | `BL`, `WL`, `OB`, `OW` |
/// | display | `FG`, `PM`, `VW` |
/// | analysis | `KT`, `LZ`, `SBKV` |
/// | other | `E`, `OS` |
///
/// ```
/// use sgf_stream::property::{self, Group};
///
/// let group = |ident| property::find(ident).next().unwrap().group();
/// assert_eq!((group("TR"), group("BL"), group("TM")), (Group::Markup, Group::Timing, Group::GameInfo));
/// assert_eq!(group("BM").to_string(), "move annotation");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Group {
    /// Moves, and what belongs to their execution.
    Move,
    /// Changes of the position.
    Setup,
    /// Comments, names and judgments of a node or a position.
    NodeAnnotation,
    /// Judgments of a move.
    MoveAnnotation,
    /// Marks on the board.
    Markup,
    /// Territory, and dead or safe stones.
    Territory,
    /// Properties of the file.
    Root,
    /// Properties of the game.
    GameInfo,
    /// The clock at a move. The time limits of the game are [game info](Self::GameInfo).
    Timing,
    /// How a program or a book shows a position.
    Display,
    /// The output of an engine.
    Analysis,
    /// All others.
    Other,
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Group::Move => "move",
            Group::Setup => "setup",
            Group::NodeAnnotation => "node annotation",
            Group::MoveAnnotation => "move annotation",
            Group::Markup => "markup",
            Group::Territory => "territory",
            Group::Root => "root",
            Group::GameInfo => "game info",
            Group::Timing => "timing",
            Group::Display => "display",
            Group::Analysis => "analysis",
            Group::Other => "other",
        })
    }
}

/// What a property is for.
impl Property {
    /// Returns the group of the property.
    pub fn group(&self) -> Group {
        self.group
    }

    /// Returns whether the property is a comment on a node: `C`.
    pub fn is_comment(&self) -> bool {
        self.value == ValueType::Text && self.group() == Group::NodeAnnotation
    }

    /// Returns whether the property judges or names a node or a move: `BM`, `GB`, `N`.
    ///
    /// Comments do not count.
    pub fn is_annotation(&self) -> bool {
        matches!(self.group(), Group::NodeAnnotation | Group::MoveAnnotation) && !self.is_comment()
    }

    /// Returns whether the property is a mark on the board, such as `TR` and `LB`.
    ///
    /// Territory has [another group](Group::Territory).
    pub fn is_markup(&self) -> bool {
        self.group() == Group::Markup
    }

    /// Returns whether the property is the clock at a move, such as `BL` and `OW`.
    ///
    /// The time limits of the game (`TM`, `OT`) are game info.
    pub fn is_time(&self) -> bool {
        self.group() == Group::Timing
    }

    /// Returns whether the property is private: no version of FF defines it.
    ///
    /// A property that the registry does not have is also private.
    ///
    /// ```
    /// use sgf_stream::property;
    ///
    /// let is_private = |ident| property::find(ident).all(|property| property.is_private());
    /// assert!(is_private("KGSDE") && is_private("QQQ"));
    /// assert!(!is_private("TB") && !is_private("L"));
    /// ```
    pub const fn is_private(&self) -> bool {
        !matches!(self.origin, Origin::Ff4 | Origin::Older)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::property::{self, PropertyType};

    #[test]
    fn every_property_of_ff4_has_a_group() {
        let of_ff4 = || property::all().iter().filter(|row| row.versions().contains(4));
        let others: Vec<_> = of_ff4().filter(|row| row.group() == Group::Other).map(Property::to_string).collect();
        // Lines of Action: both change what its players see and do, and neither marks the board.
        assert_eq!(
            others,
            ["AS: who sets up stones: Black, White, None (SimpleText)", "SE: show where this stone can go (point)"]
        );
        // A group does not contradict the property type.
        for row in property::all() {
            let is_annotation = row.group() == Group::MoveAnnotation && row.versions().contains(4);
            assert!(!is_annotation || row.property_type() == PropertyType::Move, "{row}");
        }
    }

    #[test]
    fn the_kinds_of_properties_differ() {
        type Is = fn(&Property) -> bool;
        let kinds: [Is; 4] = [Property::is_comment, Property::is_annotation, Property::is_markup, Property::is_time];
        let of = |is: Is| {
            let of_ff4 = property::all().iter().filter(|row| row.versions().contains(4) && row.game().is_none());
            of_ff4.filter(|row| is(row)).map(|row| row.ident()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(kinds.map(of), ["C", "BM DM DO GB GW HO IT N TE UC V", "AR CR DD LB LN MA SL SQ TR", "BL OB OW WL"]);
        assert!(property::all().iter().all(|row| kinds.iter().filter(|is| is(row)).count() <= 1));
    }
}
