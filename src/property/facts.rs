//! What else the registry knows of a property, for the packages that need it.

use super::{Property, all};

/// Properties that exclude each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OneOf {
    /// Setup: each point is in at most one of the lists of a node.
    Stones,
    /// Marks: each point is in at most one of the lists of a node.
    Marks,
    /// Territory: each point is in at most one of the lists of a node.
    Territory,
    /// Judgments of the move: a node has at most one.
    Annotation,
    /// Judgments of the position: a node has at most one.
    Evaluation,
}

impl OneOf {
    /// Returns the properties, in the order of the table.
    pub fn rows(self) -> impl Iterator<Item = &'static Property> {
        all().iter().filter(move |row| row.exclusion == Some(self))
    }
}

/// The drawing of the values of a property in a diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Drawing {
    /// A circle.
    Circle,
    /// A cross.
    Cross,
    /// A square.
    Square,
    /// A triangle.
    Triangle,
    /// A selected point.
    Selected,
    /// Territory of Black.
    BlackArea,
    /// Territory of White.
    WhiteArea,
    /// The text of the value.
    Label,
    /// Labels `a`, `b`, … in the order of the values (`L` of FF\[1\] to FF\[3\]).
    Letters,
    /// A line between two points.
    Line,
    /// A line with a head.
    Arrow,
    /// Points that are grayed out from here on.
    Dim,
    /// The points that are shown from here on.
    View,
}

/// The effect of the exchange of colors on a number that is for one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Swap {
    /// Gets the other sign.
    Negated,
    /// Becomes 100 minus the number.
    Percentage,
}

impl Property {
    /// Returns the set of properties that exclude this one and each other.
    #[doc(hidden)]
    pub const fn exclusion(&self) -> Option<OneOf> {
        self.exclusion
    }

    /// Returns the drawing of the values in a diagram.
    #[doc(hidden)]
    pub const fn drawing(&self) -> Option<Drawing> {
        self.drawing
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Game;
    use crate::property::{Group, ValueType};

    #[test]
    fn the_facts_of_a_row_agree_with_its_type_and_group() {
        let group_of = |set| match set {
            OneOf::Stones => Group::Setup,
            OneOf::Marks => Group::Markup,
            OneOf::Territory => Group::Territory,
            OneOf::Annotation => Group::MoveAnnotation,
            OneOf::Evaluation => Group::NodeAnnotation,
        };
        for row in all() {
            let is_of_go = row.versions().contains(4) && row.game().is_none_or(|game| game == Game::Go);
            if let Some(set) = row.exclusion() {
                assert_eq!(row.group(), group_of(set), "{row}");
                assert_eq!(row.is_point_list(), !matches!(set, OneOf::Annotation | OneOf::Evaluation), "{row}");
            }
            if is_of_go && row.group() == Group::MoveAnnotation {
                assert_eq!(row.exclusion(), Some(OneOf::Annotation), "{row}");
            }
            if row.drawing().is_some() {
                assert!(row.value_type().has_points(), "{row}");
            } else if is_of_go {
                assert!(!matches!(row.group(), Group::Markup | Group::Territory), "{row} is not drawn");
            }
            if row.swap.is_some() {
                assert!(matches!(row.value, ValueType::Number | ValueType::Real), "{row}");
            }
        }
    }
}
