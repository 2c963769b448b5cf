//! The rules about lists of points: a point is in a list once, and in one only of those that exclude each other.

use std::collections::HashSet;
use std::ops::Range;

use super::Rule;
use super::finding::Edit;
use super::points::{Area, Points};
use super::report::Report;
use super::state::{Bits, GameState, NOWHERE, Node};
use crate::Game;
use crate::property::{List, Property, ValueType};
use crate::value::AnyPoint;

/// The most lines and arrows of a property that are compared.
const MOST_PAIRS: usize = 1 << 16;

/// The points that the lists of the open node have.
#[derive(Debug, Default)]
pub(super) struct Lists {
    pub(super) stones: Points,
    markup: Points,
    territory: Points,
    labels: Points,
    /// The points of the open property alone.
    own: Points,
    pairs: HashSet<[u32; 4]>,
}

/// Which other lists a list of points is compared with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Group {
    /// It holds no points.
    #[default]
    None,
    Stones,
    Markup,
    Territory,
    /// Those of LB, in all of the node.
    Labels,
    /// None but itself.
    Own,
    /// Pairs of points, none but itself.
    Pairs,
}

/// The lists of groups, by the number of their owner less one.
const OWNERS: [&str; 11] = ["AB", "AW", "AE", "CR", "MA", "SL", "SQ", "TR", "TB", "TW", "this list"];
const OWN: u8 = OWNERS.len() as u8;

/// The group of a property, and its number there.
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
    // A mark on a stone of Octi is not one on a point, and equal stones may have equal marks.
    if game == Game::Octi && row.value_type() == ValueType::Stone {
        return (Group::None, 0);
    }
    let owner = OWNERS.iter().position(|name| *name == row.ident()).map(|index| index as u8 + 1);
    match owner {
        Some(owner @ 1..=3) => (Group::Stones, owner),
        Some(owner @ 4..=8) => (Group::Markup, owner),
        Some(owner) => (Group::Territory, owner),
        None => (Group::Own, OWN),
    }
}

impl Lists {
    /// A property begins.
    pub(super) fn start_property(&mut self) {
        self.own.clear();
        self.pairs.clear();
    }

    /// The node is over.
    pub(super) fn clear(&mut self) {
        for points in [&mut self.stones, &mut self.markup, &mut self.territory, &mut self.labels, &mut self.own] {
            points.clear();
        }
        self.pairs.clear();
    }

    /// Points of the open property: they are there once. `may_go`: the value is nothing but these points.
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
        // An area that the list has as a whole says nothing new.
        let is_repeated = may_go && points.has_all_of(area, owner);
        let Some(((column, row), before)) = points.add(area, owner) else { return };
        let (name, point) = (node.property.name(), point_name(game, column, row));
        if before != owner {
            node.has.add(Bits::CONFLICT);
            let other = OWNERS[usize::from(before) - 1];
            return report.find(node, Rule::ConflictingPoint, span, format!("{name}: {point} is in {other} too"));
        }
        let message = format!("{name}: {point} is in the list already");
        match is_repeated {
            true => repeated(node, report, message, front, span),
            false => report.find(node, Rule::DuplicatePoint, span, message),
        }
    }

    /// A line or an arrow of the open property. `name` is its value, for a message.
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
            repeated(node, report, format!("{} is in the list already", name()), front, span);
        }
    }
}

/// A value that can be left out.
fn repeated(node: &Node, report: &mut Report, message: String, front: u64, span: Range<u64>) {
    // It is the last that the property has: then it goes with the property or not at all.
    let is_only = node.property.values <= node.property.empty_count + 1;
    let edits = if is_only || front == NOWHERE { Vec::new() } else { vec![Edit::new(front..span.end, [])] };
    report.find_fixable(node, Rule::DuplicatePoint, span, message, edits);
}

/// A point as the game writes it.
pub(super) fn point_name(game: &GameState, column: u32, row: u32) -> String {
    let point = AnyPoint::from_grid(game.context.game(), column, row);
    debug_assert!(point.is_some(), "it was read in the notation of this game");
    point.map_or_else(|| format!("column {}, row {}", column + 1, row + 1), |point| point.to_string())
}
