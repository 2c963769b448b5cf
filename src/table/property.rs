//! A property of a root in its canonical form, by its type in the registry.

use std::borrow::Cow;

use super::cell::PropertyValue;
use super::columns::stand_in;
use super::row::Row;
use crate::Ident;
use crate::RawValue;
use crate::node::PropertyRef;
use crate::property::{self, Context, List, Property, TextRule, ValueType};
use crate::syntax::fault::Code;
use crate::value::typed::trim;
use crate::value::{AnyRect, Dates, GameResult, Handicap, Komi, Number, PointList, Real, Size};

/// The most points of a list. A rectangle takes a few bytes, whatever its size.
const MAX_POINTS: u64 = <PointList>::MAX_POINTS as u64;

/// A property that was read.
#[derive(Debug)]
pub(super) struct Read<'r> {
    value: PropertyValue<'r>,
    /// The text of a date or a result that is not in canonical form.
    written: Option<Cow<'r, str>>,
}

impl<'r> Read<'r> {
    fn as_it_is(value: PropertyValue<'r>) -> Self {
        Read { value, written: None }
    }

    /// Copies what is borrowed from the game.
    fn into_owned(self) -> Read<'static> {
        Read { value: self.value.into_owned(), written: self.written.map(|text| Cow::Owned(text.into_owned())) }
    }

    fn is_empty(&self) -> bool {
        matches!(&self.value, PropertyValue::Text(text) if text.is_empty())
    }

    /// Whether the value was understood.
    fn is_understood(&self) -> bool {
        let is_unread =
            matches!((&self.value, &self.written), (PropertyValue::Text(text), Some(written)) if text == written);
        !self.is_empty() && !is_unread
    }
}

/// The property of a column, in its canonical form: see [`read`]. Dates and results, which two columns show, are read once.
pub(super) fn value_of<'a>(row: &'a Row<'_>, name: &str) -> Option<PropertyValue<'a>> {
    match read_once(row, name) {
        Some(read) => read.as_ref().map(|read| read.value.lent()),
        None => read(row, name).map(|read| read.value),
    }
}

/// The text of a property that is not in canonical form.
pub(super) fn written<'a>(row: &'a Row<'_>, name: &str) -> Option<Cow<'a, str>> {
    match read_once(row, name) {
        Some(read) => read.as_ref().and_then(|read| read.written.as_deref()).map(Cow::Borrowed),
        None => read(row, name).and_then(|read| read.written),
    }
}

/// The property, if it is one that several columns show.
fn read_once<'a>(row: &'a Row<'_>, name: &str) -> Option<&'a Option<Read<'static>>> {
    let cell = row.read.typed.canonical(name)?;
    Some(cell.get_or_init(|| read(row, name).map(Read::into_owned)))
}

/// Reads a property of the root, or what stands for it where it is missing or empty: RD for DT, and the komi in HA for KM.
fn read<'a>(row: &'a Row<'_>, name: &str) -> Option<Read<'a>> {
    let read = row.read.game.root.get(name).map(|property| value(row, name, property));
    if read.as_ref().is_some_and(|read| !read.is_empty()) {
        return read;
    }
    let standing_in = stand_in(name).and_then(|other| match name {
        "DT" => row.read.game.root.get(other).map(|date| value(row, name, date)).filter(Read::is_understood),
        _ => komi_of_handicap(row, other),
    });
    standing_in.or(read)
}

fn komi_of_handicap(row: &Row<'_>, handicap: &str) -> Option<Read<'static>> {
    let komi = Handicap::parse_lenient(&*row.raw(&[handicap])?).ok()?.komi()?;
    Some(Read::as_it_is(PropertyValue::Real(komi.get())))
}

fn value<'a>(row: &'a Row<'_>, name: &str, property: PropertyRef<'a>) -> Read<'a> {
    let context = row.context();
    let known = known(property.ident(), &context);
    // KM keeps its type in games that are played without komi.
    let typed = typed_of(name, known);
    let rule = rule(known);
    let values = || property.values_with_offsets().map(|(at, value)| row.read.texts.read(value, at, rule).into_owned());
    match known.map(Property::list) {
        Some(List::List | List::EList) if known.is_some_and(Property::is_point_list) => {
            return Read::as_it_is(PropertyValue::Points(points(row, property, &context)));
        }
        Some(List::List | List::EList) => return Read::as_it_is(PropertyValue::List(values().collect())),
        // A property of another game is unknown there.
        None if !(is_single(name) && property.len() == 1) => {
            return Read::as_it_is(PropertyValue::List(values().collect()));
        }
        Some(List::Single) if rule == TextRule::Text && property.len() > 1 => {
            return Read::as_it_is(PropertyValue::Text(values().collect::<Vec<_>>().join("\n\n").into()));
        }
        _ => {}
    }
    if property.len() > 1 {
        row.read.texts.fault(Code::ExtraValues, property.offset());
    }
    let Some((at, first)) = property.values_with_offsets().next() else {
        return Read::as_it_is(PropertyValue::List(Vec::new()));
    };
    let text = || row.read.texts.read(first, at, rule);
    let raw = || row.read.texts.read(first, at, TextRule::Raw);
    let read = match typed {
        Some(ValueType::Date) => return canonical(&raw(), Dates::parse, Dates::parse_lenient, text),
        Some(ValueType::GameResult) => return canonical(&raw(), GameResult::parse, GameResult::parse_lenient, text),
        Some(ValueType::Size) => match Size::parse_lenient(&*raw()) {
            Ok(size) if size.is_square() => Some(PropertyValue::Number(size.columns().into())),
            Ok(size) => Some(PropertyValue::Size(size.columns(), size.rows())),
            Err(_) => number(&raw()),
        },
        Some(ValueType::Number) => number(&raw()),
        Some(ValueType::Real | ValueType::Seconds) => {
            Real::parse_lenient(&*raw()).ok().map(|read| PropertyValue::Real(read.get()))
        }
        Some(ValueType::Komi) => {
            let points = |komi: Komi| PropertyValue::Real(komi.points().unwrap_or(komi.get()));
            Komi::parse_lenient(&*raw()).ok().map(points)
        }
        Some(ValueType::Handicap) => {
            Handicap::parse_lenient(&*raw()).ok().map(|read| PropertyValue::Number(read.stones()))
        }
        _ => None,
    };
    Read::as_it_is(read.unwrap_or_else(|| PropertyValue::Text(text())))
}

fn number(raw: &str) -> Option<PropertyValue<'static>> {
    Number::parse_lenient(raw).ok().map(|read| PropertyValue::Number(read.get()))
}

/// The row of a property in the registry.
pub(super) fn known(ident: Ident<'_>, context: &Context) -> Option<&'static Property> {
    property::lookup(ident, context)
}

/// How the texts of a property are read.
pub(super) fn rule(known: Option<&'static Property>) -> TextRule {
    TextRule::of(known.map(Property::value_type))
}

/// The type of a property's value, whatever the game is.
fn typed_of(name: &str, known: Option<&'static Property>) -> Option<ValueType> {
    match name {
        "DT" => return Some(ValueType::Date),
        "RE" => return Some(ValueType::GameResult),
        _ => {}
    }
    let in_go = || property::lookup(Ident::new(name.as_bytes()), &Context::default());
    known.or_else(in_go).or_else(|| property::find(name).next()).map(Property::value_type)
}

/// Whether a property has one value, in all games that have it.
fn is_single(name: &str) -> bool {
    let mut rows = property::find(name).peekable();
    rows.peek().is_some() && rows.all(|row| row.list() == List::Single)
}

fn canonical<'v, 'a, T: ToString, E>(
    raw: &'v str,
    strict: impl FnOnce(&'v str) -> Result<T, E>,
    lenient: impl FnOnce(&'v str) -> Result<T, E>,
    text: impl FnOnce() -> Cow<'a, str>,
) -> Read<'a> {
    // Where strict reading succeeds, lenient reading agrees.
    if let Ok(read) = strict(raw) {
        return Read::as_it_is(PropertyValue::Text(read.to_string().into()));
    }
    let text = text();
    let written = (!text.is_empty()).then(|| text.clone());
    Read { value: PropertyValue::Text(lenient(raw).map_or(text, |read| read.to_string().into())), written }
}

/// The points of a list, with those of rectangles one by one, up to so many that no game has more.
fn points(row: &Row<'_>, property: PropertyRef<'_>, context: &Context) -> Vec<String> {
    let mut points = Vec::new();
    for (at, value) in property.values_with_offsets() {
        if trim(value.as_bytes()).0.is_empty() {
            continue; // an empty list, to which others are appended
        }
        match rectangle(value, context) {
            Some((rect, len)) if points.len() as u64 + len <= MAX_POINTS => {
                points.extend((0..len).filter_map(|n| rect.nth(n)).map(|point| point.to_string()));
            }
            _ => points.push(row.read.texts.read(value, at, TextRule::Simple).into_owned()),
        }
    }
    points
}

/// The rectangle that a value stands for, unless it is a single point.
fn rectangle(value: RawValue<'_>, context: &Context) -> Option<(AnyRect, u64)> {
    value.compose()?;
    let rect = AnyRect::parse_lenient(value, context.game(), context.board()).ok()?;
    let len = rect.len()?;
    Some((rect, len))
}
