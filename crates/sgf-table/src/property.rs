//! A root property in canonical form, according to its type in the registry.

use std::borrow::Cow;

use sgf_stream::internal::{TextRule, trim_value as trim};
use sgf_stream::node::PropertyRef;
use sgf_stream::property::{self, Context, List, Property, ValueType};
use sgf_stream::value::{AnyRect, Date, Dates, GameResult, Handicap, Komi, Number, Real, Seconds, Size};
use sgf_stream::{Ident, RawValue};

use super::cell::{Cell, PropertyValue};
use super::row::Row;

/// Maximum number of points in a list. A rectangle of any size takes only a few bytes, and each point is a string here.
const MAX_POINTS: u64 = 1 << 16;

/// A property of the root, as a column shows it: what does not depend on the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RootProperty {
    name: String,
    name_bit: u64,
    /// The property that is read if this one is missing or empty.
    stand_in: Option<&'static str>,
    /// Its row in Go, in FF\[4\].
    in_go: Option<&'static Property>,
    /// Its type in games that do not have it: KM keeps its own in games that are played without komi.
    elsewhere: Option<ValueType>,
    shape: Shape,
    /// The form of a date or a result, which two columns show and which is read once. None for other properties.
    canonical: Option<Form>,
}

/// The type of all values of a column, in all games. A value of another type is null.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Text,
    Number,
    Real,
    /// A list in some game, or an unknown property.
    List,
}

impl Shape {
    /// Returns the type that the property of this name has in Go; if it is none of Go, the one that takes those of all
    /// games.
    fn of(name: &str, in_go: Option<&Property>) -> Shape {
        let rows = || property::find(name);
        let all = |types: &[ValueType]| {
            let has_type = |row: &Property| types.contains(&row.value_type());
            in_go.map_or_else(|| rows().all(has_type), has_type)
        };
        if rows().next().is_none() || rows().any(|row| row.list() != List::Single) {
            Shape::List
        } else if all(&[ValueType::Number, ValueType::Handicap]) {
            Shape::Number
        } else if all(&[ValueType::Real, ValueType::Seconds, ValueType::Komi]) {
            Shape::Real
        } else {
            Shape::Text
        }
    }
}

/// A value whose canonical form is a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Date,
    Result,
}

impl RootProperty {
    /// Returns whether it is the name of a player.
    pub(super) fn is_player(&self) -> bool {
        matches!(&*self.name, "PB" | "PW")
    }

    pub(super) fn new(name: &str) -> Self {
        let ident = Ident::new(name.as_bytes());
        let in_go = property::lookup(ident, &Context::default());
        RootProperty {
            name: name.to_owned(),
            name_bit: ident.name_bit(),
            stand_in: stand_in(name),
            in_go,
            elsewhere: in_go.or(property::find(name).next()).map(Property::value_type),
            shape: Shape::of(name, in_go),
            canonical: match name {
                "DT" => Some(Form::Date),
                "RE" => Some(Form::Result),
                _ => None,
            },
        }
    }

    /// Returns the [name bits](Ident::name_bit) of the properties that it is read from.
    pub(super) fn name_bits(&self) -> u64 {
        let bit = |name: &str| Ident::new(name.as_bytes()).name_bit();
        // The rules decide what a komi in hundredths means.
        let rules = if self.elsewhere == Some(ValueType::Komi) { bit("RU") } else { 0 };
        self.name_bit | self.stand_in.map_or(0, bit) | rules
    }

    /// Returns the column, if its value may have another form than the text as written: a date, a result, a size, a
    /// number.
    pub(super) fn with_form(self) -> Option<Self> {
        let has_form = self.canonical.is_some() || matches!(self.shape, Shape::Number | Shape::Real) || self.is_size();
        has_form.then_some(self)
    }

    fn is_size(&self) -> bool {
        self.elsewhere == Some(ValueType::Size)
    }

    fn find<'r>(&self, row: &Row<'r>) -> Option<PropertyRef<'r>> {
        row.read.game.root.get_with_bit(Ident::new(self.name.as_bytes()), self.name_bit)
    }
}

/// A date or a result that was read.
#[derive(Debug)]
pub(super) struct Canonical {
    /// The property that has it.
    name: &'static str,
    /// The canonical form, if it is not the text as written.
    text: Option<Cow<'static, str>>,
    /// The text as written has the form of FF\[4\].
    is_strict: bool,
}

impl Canonical {
    /// Returns whether the value was understood.
    fn is_understood(&self) -> bool {
        self.is_strict || self.text.is_some()
    }

    fn as_written<'a>(&self, row: &'a Row<'_>) -> Cow<'a, str> {
        row.simple_text(&[self.name]).unwrap_or_default()
    }

    fn text<'a>(&'a self, row: &'a Row<'_>) -> Cow<'a, str> {
        self.text.as_deref().map_or_else(|| self.as_written(row), Cow::Borrowed)
    }
}

/// Returns the property of a column in canonical form, or its substitute if it is missing or empty.
pub(super) fn value_of<'a>(row: &'a Row<'_>, column: &RootProperty) -> Cell<'a> {
    if let Some(form) = column.canonical {
        let read = canonical_of(row, form);
        return read.map_or(Cell::Null, |read| Cell::Property(PropertyValue::Text(read.text(row))));
    }
    let property = column.find(row);
    let is_empty = property.is_none_or(|property| trim(property.first().as_bytes()).0.is_empty());
    if is_empty && let Some(komi) = komi_of_handicap(row, column) {
        return Cell::Property(komi);
    }
    property.and_then(|property| value(row, column, property)).map_or(Cell::Null, Cell::Property)
}

/// Returns the text of a value that does not have the form of FF\[4\].
pub(super) fn written<'a>(row: &'a Row<'_>, column: &RootProperty) -> Option<Cow<'a, str>> {
    let text = match column.canonical {
        Some(form) => canonical_of(row, form).filter(|read| !read.is_strict)?.as_written(row),
        None => {
            let property = column.find(row)?;
            let raw = row.read.first(property, TextRule::Raw);
            let is_as_read = match column.elsewhere? {
                ValueType::Size => Size::parse(&*raw).is_ok(),
                // In points it has another number.
                ValueType::Komi => Komi::parse(&*raw).is_ok_and(|komi| row.points(komi) == Some(komi.get())),
                _ if column.shape == Shape::Number => Number::parse(&*raw).is_ok(),
                _ => Real::parse(&*raw).is_ok(),
            };
            if is_as_read {
                return None;
            }
            row.read.first(property, TextRule::Simple)
        }
    };
    Some(text).filter(|text| !text.is_empty())
}

/// Returns the date or the result, parsed once.
fn canonical_of<'a>(row: &'a Row<'_>, form: Form) -> Option<&'a Canonical> {
    let read = || {
        let own = canonical(row, form, form.name());
        if own.as_ref().is_some_and(|read| read.is_understood() || !read.as_written(row).is_empty()) {
            return own;
        }
        let other = stand_in(form.name()).and_then(|other| canonical(row, form, other));
        other.filter(Canonical::is_understood).or(own)
    };
    row.read.typed.canonical(form).get_or_init(read).as_ref()
}

/// Parses the date or the result of a property.
fn canonical(row: &Row<'_>, form: Form, name: &'static str) -> Option<Canonical> {
    let property = row.read.game.root.get(name)?;
    if property.len() > 1 {
        row.read.texts.extra_values(property);
    }
    let raw = row.raw(&[name])?;
    if form.is_canonical(&raw) {
        return Some(Canonical { name, text: None, is_strict: true });
    }
    let strictly = form.read(&raw);
    let is_strict = strictly.is_some();
    let text = strictly.or_else(|| form.read_lenient(&raw)).filter(|text| *text != raw);
    Some(Canonical { name, text, is_strict })
}

impl Form {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Form::Date => "DT",
            Form::Result => "RE",
        }
    }

    /// Returns whether a text is in one of the usual canonical forms.
    fn is_canonical(self, raw: &str) -> bool {
        match self {
            Form::Date => Date::of_day(raw.as_bytes()).is_some(),
            Form::Result => GameResult::is_won_by_score(raw.as_bytes()),
        }
    }

    /// Returns the canonical form of a text in the form of FF\[4\].
    fn read(self, raw: &str) -> Option<Cow<'static, str>> {
        match self {
            Form::Date => Some(Dates::parse(raw).ok()?.to_string().into()),
            Form::Result => Some(GameResult::parse(raw).ok()?.text()),
        }
    }

    /// Returns the canonical form of a text with one meaning.
    fn read_lenient(self, raw: &str) -> Option<Cow<'static, str>> {
        match self {
            Form::Date => Some(Dates::parse_lenient(raw).ok()?.to_string().into()),
            Form::Result => Some(GameResult::parse_lenient(raw).ok()?.text()),
        }
    }
}

/// Returns the komi contained in HA, for use as KM.
fn komi_of_handicap(row: &Row<'_>, column: &RootProperty) -> Option<PropertyValue<'static>> {
    let komi = Handicap::parse_lenient(&*row.raw(&[column.stand_in?])?).ok()?.komi()?;
    Some(PropertyValue::Real(row.points(komi)?))
}

/// Returns the value of a property, in the shape of its column.
fn value<'a>(row: &'a Row<'_>, column: &RootProperty, property: PropertyRef<'a>) -> Option<PropertyValue<'a>> {
    let texts = &row.read.texts;
    let known = if row.read.is_ordinary { column.in_go } else { known(property.ident(), &row.read.context) };
    let rule = rule(known);
    let values = || property.values_with_offsets().map(|(value, at)| texts.read(value, at, rule).into_owned());
    if known.is_some_and(Property::is_point_list) {
        return Some(PropertyValue::Points(points(row, property)));
    }
    let takes_one = column.shape != Shape::List || known.is_some_and(|known| known.list() == List::Single);
    if property.len() > 1 && takes_one {
        if rule == TextRule::Text && column.shape == Shape::Text {
            return Some(PropertyValue::Text(values().collect::<Vec<_>>().join("\n\n").into()));
        }
        texts.extra_values(property);
    }
    let raw = || row.read.first(property, TextRule::Raw);
    // A property of another game is read as the one of its name.
    let value_type = known.map_or(column.elsewhere, |known| Some(known.value_type()));
    match column.shape {
        Shape::List => Some(PropertyValue::List(values().collect())),
        Shape::Number => Some(PropertyValue::Number(match value_type {
            Some(ValueType::Handicap) => Handicap::parse_lenient(&*raw()).ok()?.stones(),
            _ => Number::parse_lenient(&*raw()).ok()?.get(),
        })),
        Shape::Real => Some(PropertyValue::Real(match value_type {
            Some(ValueType::Komi) => row.points(Komi::parse_lenient(&*raw()).ok()?)?,
            Some(ValueType::Seconds) => Seconds::parse_lenient(&*raw()).ok()?.get(),
            _ => Real::parse_lenient(&*raw()).ok()?.get(),
        })),
        Shape::Text => {
            let form = match value_type {
                Some(ValueType::Date) => Form::Date.read_lenient(&raw()),
                Some(ValueType::GameResult) => Form::Result.read_lenient(&raw()),
                Some(ValueType::Size) => Size::parse_lenient(&*raw()).ok().map(|size| size.to_string().into()),
                _ => None,
            };
            Some(PropertyValue::Text(form.unwrap_or_else(|| row.read.first(property, rule))))
        }
    }
}

/// Returns the substitute of a property that is missing or empty.
fn stand_in(name: &str) -> Option<&'static str> {
    match name {
        "DT" => Some("RD"),
        "KM" => Some("HA"),
        _ => None,
    }
}

/// Returns the row of a property in the registry.
pub(super) fn known(ident: Ident<'_>, context: &Context) -> Option<&'static Property> {
    property::lookup(ident, context)
}

/// Returns the rule for the texts of a property.
pub(super) fn rule(known: Option<&'static Property>) -> TextRule {
    TextRule::of(known.map(Property::value_type))
}

/// Returns the points of a list, with those of rectangles one by one, up to so many that no game has more. After these,
/// rectangles stay as they are written.
fn points(row: &Row<'_>, property: PropertyRef<'_>) -> Vec<String> {
    let mut points = Vec::new();
    for (value, at) in property.values_with_offsets() {
        if trim(value.as_bytes()).0.is_empty() {
            continue; // an empty list, to which others are appended
        }
        match rectangle(value, &row.read.context) {
            Some((rect, len)) if points.len() as u64 + len <= MAX_POINTS => {
                points.extend((0..len).filter_map(|n| rect.nth(n)).map(|point| point.to_string()));
            }
            _ => points.push(row.read.texts.read(value, at, TextRule::Simple).into_owned()),
        }
    }
    points
}

/// Returns the rectangle of a value, unless it is a single point.
fn rectangle(value: RawValue<'_>, context: &Context) -> Option<(AnyRect, u64)> {
    value.compose()?;
    let rect = AnyRect::parse_lenient(value, context.game(), context.board()).ok()?;
    let len = rect.count()?;
    Some((rect, len))
}
