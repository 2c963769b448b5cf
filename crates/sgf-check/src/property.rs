//! The open property: checks its identifier, duplicates, and empty values.

use std::ops::Range;

use sgf_stream::internal::says_more;
use sgf_stream::property::{self, List, Property, ValueType};
use sgf_stream::value::Color;
use sgf_stream::{Code, Ident, RawValue};

use super::diagnostic::Edit;
use super::lists::{Lists, group_of};
use super::report::Report;
use super::state::{Again, Bits, GameState, Group, NOWHERE, Node, Path, Seen, is_standard, key};
use super::{Rule, identity, places};

/// Begins a property.
pub(super) fn enter(
    game: &GameState,
    path: &mut Path,
    node: &mut Node,
    lists: &mut Lists,
    report: &mut Report,
    spelling: Ident<'_>,
    at: u64,
) {
    end(game, node, report);
    let len = spelling.as_bytes().len();
    let span = at..at + len as u64;
    let name: Vec<u8>;
    let ident = match spelling.has_lowercase() {
        true => {
            name = spelling.name_bytes().collect();
            Ident::new(&name)
        }
        false => spelling,
    };
    let row = property::lookup(ident, &game.context);
    if spelling.has_lowercase() && game.is_ff4() {
        // In an unknown identifier the lower-case letters may be significant.
        let is_fixable = row.is_some() && !is_landmark(game, node, node.last_end);
        identity::check_spelling(node, report, ident, is_fixable, span.clone());
    }
    let stone = match ident.as_bytes() {
        b"B" => Some(Color::Black),
        b"W" => Some(Color::White),
        _ => None,
    };
    let (group, owner) = row.map_or((Group::None, 0), |row| group_of(row, game.context.game()));
    let (name, bit) = (key(ident.as_bytes()), ident.name_bit());
    // Moves are tracked in the bits, not in the list of properties.
    let first = if stone.is_none() { node.find_named(name, bit) } else { None };
    let is_again = match stone {
        Some(Color::White) => node.has.has(Bits::W),
        Some(_) => node.has.has(Bits::B),
        None => first.is_some(),
    };
    let seen = match is_again || stone.is_some() {
        true => first,
        false => node.push(bit, Seen { name, at, end: at, has_empty: false, first: None }),
    };
    // The first move matters only if the second one comes right after it.
    let point = node.property.point.filter(|_| stone.is_some() && node.property.stone == stone);
    lists.start_property();
    let previous_end = node.front();
    // `again`, `second` and `empty` were taken at the end of the last property.
    let open = &mut node.property;
    (open.row, open.is_open, open.values) = (row, true, 0);
    (open.at, open.ident_len, open.previous_end) = (at, len, previous_end);
    (open.stone, open.point, open.group, open.owner) = (stone, point, group, owner);
    open.seen = seen;
    open.says_nothing_new = row.is_some_and(|row| row.list() == List::Single && is_standard(row));
    (open.first_end, open.empty_count, open.empty_list) = (0, 0, None);
    if is_again {
        let is_list = row.is_some_and(|row| row.list() != List::Single && is_standard(row));
        // Stones before a move cannot be joined with stones after it.
        let is_parted = group == Group::Stones && node.has.has(Bits::MOVE);
        // A list that is compared only with itself forgets the points of its first part, so joining might duplicate a
        // point.
        let can_join = is_list && !is_parted && !matches!(group, Group::Own | Group::Pairs);
        open.again = Some(Again { first, joined: can_join.then(Vec::new) });
    }
    (node.last_end, node.is_doubtful) = (span.end, false);
    node.has.add(if is_again { Bits::TWICE } else { Bits::ANY });
    identity::check(game, node, report, ident, row, span.clone());
    if let Some(row) = row {
        places::check(game, path, node, report, (row, stone), span);
    }
}

/// Notes a value of a property that takes one. `front` is the end of the lexeme before it.
pub(super) fn note_single(
    game: &GameState,
    node: &mut Node,
    report: &mut Report,
    row: &Property,
    (raw, front): (&[u8], u64),
    span: &Range<u64>,
) {
    if node.property.values == 2 {
        // Makes the end of the node check it, even if it has nothing but a move.
        node.has.add(Bits::TWICE);
        let second = report.is_on(Surplus::of(row).value()).then(|| report.site(node, span.clone()));
        let property = &mut node.property;
        (property.first_end, property.second) = (front, second);
        property.says_nothing_new |= property.stone.is_some() && property.again.is_none();
    }
    let property = &mut node.property;
    property.says_nothing_new &= front != NOWHERE || property.values == 1;
    let is_first = property.values == 1 && property.again.is_none();
    match (property.stone, property.seen) {
        (Some(_), _) if is_first => property.point = raw.try_into().ok(),
        (Some(_), _) => property.says_nothing_new &= property.point.is_some_and(|point| point == *raw),
        (None, Some(seen)) if is_first => node.keep_first(seen, raw),
        (None, Some(seen)) => {
            let is_said = property.says_nothing_new
                && node.first_of(seen).is_some_and(|first| says_the_same(game, row, first, raw));
            node.property.says_nothing_new = is_said;
        }
        (None, None) => property.says_nothing_new = false,
    }
}

/// The rules about a second property, or a second value of a property that takes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Surplus {
    /// AP, which has a rule of its own. The server Fox writes it twice in each game.
    Application,
    Other,
}

impl Surplus {
    fn of(row: &Property) -> Self {
        if row.value_type() == ValueType::Application { Surplus::Application } else { Surplus::Other }
    }

    fn property(self) -> Rule {
        match self {
            Surplus::Application => Rule::SecondApplication,
            Surplus::Other => Rule::DuplicateProperty,
        }
    }

    fn value(self) -> Rule {
        match self {
            Surplus::Application => Rule::SecondApplication,
            Surplus::Other => Rule::Syntax(Code::ExtraValues),
        }
    }
}

/// Returns whether two values have the same meaning, and the second one adds nothing.
fn says_the_same(game: &GameState, row: &Property, first: &[u8], other: &[u8]) -> bool {
    if first == other {
        return true;
    }
    // Which bytes are characters depends on the charset.
    if !first.is_ascii() || !other.is_ascii() {
        return false;
    }
    let (first, other) = (RawValue::new(first), RawValue::new(other));
    match row.value_type() {
        ValueType::Text => first.text() == other.text(),
        ValueType::SimpleText => first.simple_text() == other.simple_text(),
        value if loses_nothing(value) => {
            let read = |value| row.parse_lenient(value, &game.context).ok();
            let has_more = str::from_utf8(other.as_bytes()).is_ok_and(|other| says_more(value, other));
            !has_more && read(first).is_some_and(|first| Some(first) == read(other))
        }
        _ => false,
    }
}

/// Notes a value of the open property.
pub(super) fn note_value(node: &mut Node, raw: &[u8]) {
    let Some(Again { joined, .. }) = &mut node.property.again else { return };
    if let Some(values) = joined {
        // Another charset may apply at the place that the values move to.
        if raw.is_ascii() && !raw.is_empty() && values.len() + raw.len() < 1 << 16 {
            values.push(b'[');
            values.extend_from_slice(raw);
            values.push(b']');
        } else {
            *joined = None;
        }
    }
}

/// Ends the open property, if there is one.
pub(super) fn end(game: &GameState, node: &mut Node, report: &mut Report) {
    let end = node.last_end;
    let property = &mut node.property;
    if !property.is_open {
        return;
    }
    property.is_open = false;
    if property.is_plain() && game.ff != Some(3) {
        if let Some(seen) = property.seen {
            let seen = node.seen_mut(seen);
            (seen.end, seen.has_empty) = (end, false);
        }
        return;
    }
    if let Some(first) = property.empty_list
        && property.values > property.empty_count + 1
    {
        property.empty.insert(0, first);
        property.empty_count += 1;
    }
    let (at, previous_end) = (property.at, property.previous_end);
    let (has_empty, seen) = (property.empty_count > 0 || property.empty_list.is_some(), property.seen);
    let span = at..at + property.ident_len as u64;
    let is_said = property.says_nothing_new && !node.is_doubtful;
    let (is_again, first_end, second) = (property.again.is_some(), property.first_end, property.second.take());
    let surplus = property.row.map_or(Surplus::Other, Surplus::of);
    if let Some(Again { first, joined }) = property.again.take() {
        let name = property.name();
        let edits = match (joined, first.map(|first| node.seen(first))) {
            _ if previous_end == NOWHERE || is_landmark(game, node, previous_end) => Vec::new(),
            _ if is_said => vec![Edit::new(previous_end..end, [])],
            _ if node.has.has(Bits::CONFLICT) => Vec::new(),
            (Some(values), Some(seen)) if !seen.has_empty && seen.end > seen.at => {
                let seen_end = seen.end;
                vec![Edit::new(seen_end..seen_end, values), Edit::new(previous_end..end, [])]
            }
            _ => Vec::new(),
        };
        let message = format!("the node already has {name}");
        report.find_fixable(node, surplus.property(), span.clone(), message, edits);
    } else if let Some(seen) = seen {
        let seen = node.seen_mut(seen);
        (seen.end, seen.has_empty) = (end, has_empty);
    }
    if let Some(second) = second {
        let message = format!("{} takes one value, but has {}", node.property.name(), node.property.values);
        // The values of a second property are removed with it.
        let edits = if is_said && !is_again { vec![Edit::new(first_end..end, [])] } else { Vec::new() };
        report.find_at(surplus.value(), second, message, edits);
    }
    end_empty(game, node, report, end);
    let is_view = node.property.row.is_some_and(|row| row.ident() == "VW");
    if is_view && game.ff == Some(3) && node.property.values > 2 {
        report.find(node, Rule::ViewCorners, span, "VW takes two corners in FF[3]");
    }
}

/// Reports the empty values of the property that has ended.
fn end_empty(game: &GameState, node: &mut Node, report: &mut Report, end: u64) {
    if node.property.empty_count == 0 {
        return;
    }
    let name = node.property.name();
    let previous_end = node.property.previous_end;
    let all = node.property.empty_count == node.property.values;
    let is_single = node.property.row.is_some_and(|row| row.list() == List::Single);
    let rule = if node.property.is_text() { Rule::EmptyText } else { Rule::EmptyValue };
    for (n, (from, at, to)) in std::mem::take(&mut node.property.empty).into_iter().enumerate() {
        let edits = match all {
            true if previous_end == NOWHERE || is_landmark(game, node, previous_end) => Vec::new(),
            false if from == NOWHERE => Vec::new(),
            // One value is meant, but it is unclear which.
            _ if is_single && node.property.values > 1 => Vec::new(),
            true if n == 0 => vec![Edit::new(previous_end..end, [])],
            // It is removed with the first one.
            true => vec![Edit::new(end..end, [])],
            false => vec![Edit::new(from..to, [])],
        };
        let message = match rule {
            Rule::EmptyText => format!("{name}: the text is empty"),
            _ => format!("{name} does not allow an empty value"),
        };
        report.find_fixable(node, rule, at..to, message, edits);
    }
}

/// Returns whether a lexeme is the first in a variation, where it cannot be removed.
///
/// Without it, `(;` might come before FF or the like, which lenient readers take for the start of a game.
fn is_landmark(game: &GameState, node: &Node, previous_end: u64) -> bool {
    !game.is_root && node.starts_tree && previous_end == node.offset + 1
}

/// Returns whether equal values of a type say the same, but for those that [say more](says_more).
fn loses_nothing(value: ValueType) -> bool {
    use ValueType::*;
    matches!(
        value,
        None | Number
            | Real
            | Double
            | Color
            | Point
            | Move
            | Stone
            | PointPair
            | Komi
            | Handicap
            | Seconds
            | GameResult
    )
}
