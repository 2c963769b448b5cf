//! The rules about lists of points.
//!
//! A point may be in a list only once, and not in two lists that exclude each other.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use sgf_stream::Game;
use sgf_stream::internal::OneOf;
use sgf_stream::property::{List, Property, ValueType};
use sgf_stream::value::AnyPoint;

use super::Rule;
use super::diagnostic::Edit;
use super::points::{Area, Points};
use super::report::Report;
use super::state::{Bits, GameState, Group, NOWHERE, Node};

/// Maximum number of lines and arrows of a property that are compared.
const MOST_PAIRS: usize = 1 << 16;

/// The points in the lists of the open node.
#[derive(Debug, Default)]
pub(super) struct Lists {
    pub(super) stones: Points,
    markup: Points,
    territory: Points,
    labels: Points,
    /// Points of the open property alone.
    own: Points,
    pairs: HashSet<[u32; 4]>,
}

/// Names of the lists that exclude others; the owner number of a list is its index plus one.
static OWNERS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let sets = [OneOf::Stones, OneOf::Marks, OneOf::Territory];
    sets.into_iter().flat_map(OneOf::rows).map(Property::ident).collect()
});
const OWN: u8 = u8::MAX;

/// Returns the group of a property and its owner number there.
pub(super) fn group_of(row: &Property, game: Game) -> (Group, u8) {
    if row.list() == List::Single {
        return (Group::None, 0);
    }
    match row.value_type() {
        ValueType::PointPair => return (Group::Pairs, OWN),
        ValueType::PointText => return (Group::Labels, OWN),
        ValueType::Point | ValueType::Stone if row.is_point_list() && !AnyPoint::stacks(game) => {}
        _ => return (Group::None, 0),
    }
    // A mark on a stone of Octi is not a mark on a point, and equal stones may have equal marks.
    if game == Game::Octi && row.value_type() == ValueType::Stone {
        return (Group::None, 0);
    }
    let group = match row.exclusion() {
        Some(OneOf::Stones) => Group::Stones,
        Some(OneOf::Marks) => Group::Markup,
        Some(OneOf::Territory) => Group::Territory,
        _ => return (Group::Own, OWN),
    };
    (group, OWNERS.iter().position(|name| *name == row.ident()).map_or(OWN, |index| index as u8 + 1))
}

impl Lists {
    /// Begins a property.
    pub(super) fn start_property(&mut self) {
        self.own.clear();
        self.pairs.clear();
    }

    /// Ends the node.
    pub(super) fn clear(&mut self) {
        for points in [&mut self.stones, &mut self.markup, &mut self.territory, &mut self.labels, &mut self.own] {
            points.clear();
        }
        self.pairs.clear();
    }

    /// Adds points of the open property and reports duplicates. `may_go`: the value holds nothing but these points.
    pub(super) fn add(
        &mut self,
        game: &GameState,
        node: &mut Node,
        report: &mut Report,
        (area, may_go): (Area, bool),
        front: u64,
        span: Range<u64>,
    ) {
        let owner = node.property.owner;
        let points: &mut Points = match node.property.group {
            Group::None | Group::Pairs => return,
            Group::Stones => &mut self.stones,
            Group::Markup => &mut self.markup,
            Group::Territory => &mut self.territory,
            Group::Labels => &mut self.labels,
            Group::Own => &mut self.own,
        };
        let [left, top, right, bottom] = area;
        if (left, top) == (right, bottom) && points.add_new(left, top, owner) {
            return;
        }
        // An area that is in the list as a whole is redundant.
        let is_repeated = may_go && points.has_all_of(area, owner);
        let Some(((column, row), before)) = points.add(area, owner) else { return };
        let (name, point) = (node.property.name(), point_name(game, column, row));
        if before != owner {
            node.has.add(Bits::CONFLICT);
            let other = OWNERS[usize::from(before) - 1];
            return report.find(node, Rule::ConflictingPoint, span, format!("{name}: {point} is also in {other}"));
        }
        let message = format!("{name}: {point} is already in the list");
        match is_repeated {
            true => repeated(node, report, message, front, span),
            false => report.find(node, Rule::DuplicatePoint, span, message),
        }
    }

    /// Adds a line or an arrow of the open property. `name` returns its value, for a message.
    pub(super) fn add_pair(
        &mut self,
        node: &Node,
        report: &mut Report,
        pair: [u32; 4],
        name: impl FnOnce() -> String,
        front: u64,
        span: Range<u64>,
    ) {
        if pair[..2] == pair[2..] {
            return report.find(node, Rule::OnePointLine, span, format!("{}: both ends are the same point", name()));
        }
        if self.pairs.len() < MOST_PAIRS && !self.pairs.insert(pair) {
            repeated(node, report, format!("{} is already in the list", name()), front, span);
        }
    }
}

/// Reports a value that can be removed.
fn repeated(node: &Node, report: &mut Report, message: String, front: u64, span: Range<u64>) {
    // The last value of a property cannot be removed without the property.
    let is_only = node.property.values <= node.property.empty_count + 1;
    let edits = if is_only || front == NOWHERE { Vec::new() } else { vec![Edit::new(front..span.end, [])] };
    report.find_fixable(node, Rule::DuplicatePoint, span, message, edits);
}

/// Returns a point in the notation of the game.
pub(super) fn point_name(game: &GameState, column: u32, row: u32) -> String {
    let point = AnyPoint::from_grid(game.context.game(), column, row);
    debug_assert!(point.is_some(), "it was read in the notation of this game");
    point.map_or_else(|| format!("column {}, row {}", column + 1, row + 1), |point| point.to_string())
}
