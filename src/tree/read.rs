//! Typed reading of properties: by the registry, for the board and in the charset of the game.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use super::packed::NodeValues;
use super::texts::Texts;
use super::{Node, NodeId};
use crate::property::{self, Context, Property, TypedValue, ValueType};
use crate::syntax::event::Ident;
use crate::value::{
    AnyMove, AnyPoint, AnyRect, AnyStone, GridPoint, ListError, Number, PointList, RawValue, Real, Ruleset, SgfValue,
    Text, ValueError,
};

/// Error for a property whose value is not of the requested type.
///
/// The message counts nodes and values from 1, and calls the first node the root.
///
/// ```
/// use sgf_stream::tree::GameTree;
/// use sgf_stream::value::go::Point;
///
/// let game: GameTree = "(;GM[1];AB[aa][b])".parse()?;
/// let error = game.nth(1).unwrap().list::<Point>("AB").unwrap_err();
/// assert_eq!(error.to_string(), "node 2, AB: value 2: point: expected a letter at byte 1");
/// # Ok::<(), sgf_stream::tree::TreeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyError {
    node: NodeId,
    name: String,
    error: ListError,
    is_list: bool,
}

impl PropertyError {
    /// Returns the node.
    pub fn node(&self) -> NodeId {
        self.node
    }

    /// Returns the property name, as requested.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the index of the wrong value, from 0.
    pub fn index(&self) -> usize {
        self.error.index()
    }

    /// Returns the error of that value.
    pub fn error(&self) -> ValueError {
        self.error.error()
    }
}

impl fmt::Display for PropertyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.node {
            NodeId::ROOT => f.write_str("root")?,
            NodeId(node) => write!(f, "node {}", u64::from(node) + 1)?,
        }
        write!(f, ", {}: ", self.name)?;
        if self.is_list { self.error.fmt(f) } else { self.error.error().fmt(f) }
    }
}

impl std::error::Error for PropertyError {}

/// The rules for reading the values of a property.
#[derive(Clone, Copy)]
struct Rules {
    row: Option<&'static Property>,
    /// The type of the values; for parts of them, the type of the part.
    value_type: Option<ValueType>,
    context: Context,
    texts: Texts,
}

/// A property of a node, about to be read.
pub(super) struct Reading<'t, 'n> {
    node: Node<'t>,
    name: &'n str,
    rules: Rules,
}

impl<'t, 'n> Reading<'t, 'n> {
    pub(super) fn of(node: Node<'t>, name: &'n str) -> Self {
        let context = node.tree.context_at(node.id);
        let row = property::lookup(Ident::new(name.as_bytes()), &context);
        let rules = Rules { row, value_type: row.map(Property::value_type), context, texts: node.tree.texts };
        Reading { node, name, rules }
    }

    fn values(&self) -> Option<PropertyValues<'t, 'n>> {
        let values = self.node.property(self.name)?.values();
        Some(PropertyValues { values, rules: self.rules, name: PhantomData })
    }

    pub(super) fn text(&self) -> Option<Cow<'t, str>> {
        self.values().map(PropertyValues::text)
    }

    pub(super) fn get<T: FromProperty>(&self) -> Result<Option<T>, PropertyError> {
        let Some(values) = self.values() else { return Ok(None) };
        let is_list = values.clone().nth(1).is_some();
        T::from_values(values).map(Some).map_err(|error| PropertyError {
            node: self.node.id(),
            name: self.name.to_owned(),
            error,
            is_list,
        })
    }
}

/// The values of a property, at least one, with the rules for reading them.
#[derive(Clone)]
pub struct PropertyValues<'t, 'n> {
    values: NodeValues<'t>,
    rules: Rules,
    name: PhantomData<&'n str>,
}

impl<'t> PropertyValues<'t, '_> {
    /// Returns the registry's row for the property, in the context of the game.
    pub fn property(&self) -> Option<&'static Property> {
        self.rules.row
    }

    /// Returns the context.
    pub fn context(&self) -> &Context {
        &self.rules.context
    }

    fn text(mut self) -> Cow<'t, str> {
        let first = self.next().map(Value::text);
        debug_assert!(first.is_some(), "every property has a value");
        let first = first.unwrap_or_default();
        if !matches!(self.rules.value_type, Some(ValueType::Text)) {
            return first;
        }
        self.fold(first, |mut text, more| {
            text.to_mut().push_str("\n\n");
            text.to_mut().push_str(&more.text());
            text
        })
    }
}

impl<'t> Iterator for PropertyValues<'t, '_> {
    type Item = Value<'t>;

    fn next(&mut self) -> Option<Value<'t>> {
        self.values.next().map(|raw| Value { raw, rules: self.rules })
    }
}

/// A value of a property, with the rules for reading it.
#[derive(Clone, Copy)]
pub struct Value<'t> {
    raw: RawValue<'t>,
    rules: Rules,
}

impl<'t> Value<'t> {
    /// Returns the raw value.
    pub fn raw(self) -> RawValue<'t> {
        self.raw
    }

    /// Returns the registry's row for the property, in the context of the game.
    pub fn property(self) -> Option<&'static Property> {
        self.rules.row
    }

    /// Returns the context: game, version, board.
    pub fn context(&self) -> &Context {
        &self.rules.context
    }

    /// Returns the raw value in UTF-8, still escaped, as the types of [`value`](crate::value) expect it.
    pub fn decoded(self) -> Cow<'t, str> {
        self.rules.texts.decode(self.raw)
    }

    /// Returns the value as text: see [`Node::text`].
    pub fn text(self) -> Cow<'t, str> {
        let is_simple = self.rules.value_type.is_some_and(|value_type| value_type != ValueType::Text);
        self.rules.texts.read(self.raw, is_simple)
    }

    /// Calls `read` with the two components of a composed value.
    ///
    /// `None` if it has no colon. The components are in UTF-8,
    /// since in Shift_JIS, for example, half of a character may look like the backslash before a colon.
    pub fn compose<R>(self, read: impl FnOnce(Value<'_>, Value<'_>) -> R) -> Option<R> {
        let text = self.decoded();
        let (head, tail) = RawValue::new(text.as_bytes()).compose()?;
        let types = self.rules.value_type.and_then(ValueType::parts);
        let part = |raw, value_type| Value { raw, rules: Rules { value_type, texts: Texts::default(), ..self.rules } };
        Some(read(part(head, types.map(|(head, _)| head)), part(tail, types.map(|(_, tail)| tail))))
    }

    /// Parses it in UTF-8.
    fn parse<T>(self, parse: impl FnOnce(RawValue<'_>) -> Result<T, ValueError>) -> Result<T, ValueError> {
        match self.raw.as_bytes().is_ascii() {
            true => parse(self.raw),
            false => parse(RawValue::new(self.decoded().as_bytes())),
        }
    }
}

/// Formats the raw value, as `[dd]`.
impl fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.raw.fmt(f)
    }
}

impl fmt::Debug for PropertyValues<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

/// A type that a property can be read as: see [`Node::get`].
///
/// | type | reads |
/// |---|---|
/// | the types of [`value`](crate::value) | themselves, points and moves for the board of the game |
/// | [`AnyMove`], [`AnyPoint`], [`AnyStone`], [`AnyRect`] | in the notation of the game that the file declares |
/// | [`TypedValue`] | the registry's type; text for unknown properties |
/// | `String` | text: see [`Node::text`] |
/// | `i64`, `f64` | Number, Real |
/// | `()` | any value: the property is present |
/// | `(A, B)` | a composed value |
/// | `Vec<T>`, [`PointList`] | all values |
///
/// For a type of your own:
///
/// ```
/// use sgf_stream::tree::{FromProperty, GameTree, Value};
/// use sgf_stream::value::ValueError;
///
/// /// The year of the first day of a game.
/// struct Year(u16);
///
/// impl FromProperty for Year {
///     fn from_value(value: Value<'_>) -> Result<Self, ValueError> {
///         let dates = sgf_stream::value::Dates::from_value(value)?;
///         Ok(Year(dates[0].year()))
///     }
/// }
///
/// let game: GameTree = "(;DT[1846-09-11])".parse()?;
/// assert_eq!(game.root().get::<Year>("DT")?.unwrap().0, 1846);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Reporting what was expected
///
/// If the types of this crate do not fit, create the error with [`ValueError::new`]:
///
/// ```
/// use sgf_stream::tree::{FromProperty, GameTree, Value};
/// use sgf_stream::value::ValueError;
///
/// #[derive(Debug)]
/// struct Level(u8);
///
/// impl FromProperty for Level {
///     fn from_value(value: Value<'_>) -> Result<Self, ValueError> {
///         match value.raw().as_bytes() {
///             [digit @ b'1'..=b'9'] => Ok(Level(digit - b'0')),
///             [b'1'..=b'9', ..] => Err(ValueError::new("Level", "the end of the value", 1)),
///             _ => Err(ValueError::new("Level", "a digit from 1 to 9", 0)),
///         }
///     }
/// }
///
/// let game: GameTree = "(;XL[3];XL[high])".parse()?;
/// assert_eq!(game.root().get::<Level>("XL")?.unwrap().0, 3);
/// let error = game.nth(1).unwrap().get::<Level>("XL").unwrap_err();
/// assert_eq!(error.to_string(), "node 2, XL: Level: expected a digit from 1 to 9 at byte 0");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait FromProperty: Sized {
    /// Reads one value.
    ///
    /// # Errors
    ///
    /// Fails if it is not of this type.
    fn from_value(value: Value<'_>) -> Result<Self, ValueError>;

    /// Reads a property: its first value.
    #[doc(hidden)]
    fn from_values(mut values: PropertyValues<'_, '_>) -> Result<Self, ListError> {
        let Some(first) = values.next() else { return Err(ListError::new(0, nothing())) };
        Self::from_value(first).map_err(|error| ListError::new(0, error))
    }

    /// Reads all values of a property.
    #[doc(hidden)]
    fn list_from_values(values: PropertyValues<'_, '_>) -> Result<Vec<Self>, ListError> {
        each(values)
    }
}

/// Reads all values of a property one by one.
fn each<T: FromProperty>(values: PropertyValues<'_, '_>) -> Result<Vec<T>, ListError> {
    let read = |(index, value)| T::from_value(value).map_err(|error| ListError::new(index, error));
    values.enumerate().map(read).collect()
}

/// Returns the error for a property without values, which does not occur.
fn nothing() -> ValueError {
    ValueError::new("property", "a value", 0)
}

impl<T: SgfValue> FromProperty for T {
    fn from_value(value: Value<'_>) -> Result<Self, ValueError> {
        let (game, board) = (value.rules.context.game(), value.rules.context.board());
        value.parse(|raw| T::from_raw_in(raw, game, board))
    }

    fn list_from_values(values: PropertyValues<'_, '_>) -> Result<Vec<Self>, ListError> {
        let points = T::points(values.clone().map(Value::raw), values.rules.context.board());
        points.unwrap_or_else(|| each(values))
    }
}

impl<P: GridPoint> FromProperty for PointList<P> {
    fn from_value(value: Value<'_>) -> Result<Self, ValueError> {
        let board = value.rules.context.board();
        PointList::in_tree(std::iter::once(value.raw), board).map_err(|error| error.error())
    }

    fn from_values(values: PropertyValues<'_, '_>) -> Result<Self, ListError> {
        let board = values.rules.context.board();
        PointList::in_tree(values.map(Value::raw), board)
    }
}

macro_rules! of_any_game {
    ($($type:ty $({ $($list:tt)+ })?)+) => { $(
        impl FromProperty for $type {
            fn from_value(value: Value<'_>) -> Result<Self, ValueError> {
                let (game, board) = (value.rules.context.game(), value.rules.context.board());
                value.parse(|raw| {
                    Self::parse(raw, game, board).or_else(|_| Self::parse_lenient(raw, game, board))
                })
            }

            $($($list)+)?
        }
    )+ };
}

of_any_game! {
    AnyMove AnyStone AnyRect
    AnyPoint {
        fn list_from_values(values: PropertyValues<'_, '_>) -> Result<Vec<Self>, ListError> {
            let is_empty = values.clone().map(Value::raw).eq([RawValue::default()]);
            if is_empty && values.rules.row.is_some_and(Property::is_point_list) {
                return Ok(Vec::new());
            }
            let mut points = Vec::new();
            for (index, value) in values.enumerate() {
                let rect = AnyRect::from_value(value).map_err(|error| ListError::new(index, error))?;
                points_of(rect, &mut points).map_err(|error| ListError::new(index, error))?;
            }
            Ok(points)
        }
    }
}

/// Adds the points of a rectangle; the text of a game without a notation is one point.
fn points_of(rect: AnyRect, points: &mut Vec<AnyPoint>) -> Result<(), ValueError> {
    let Some(len) = rect.count() else {
        if let AnyRect::Other(text) = rect {
            points.push(AnyPoint::Other(text));
        }
        return Ok(());
    };
    let room = <PointList>::MAX_POINTS.saturating_sub(points.len());
    if len > room as u64 {
        return Err(ValueError::new(rect.kind(), "a list of at most 1,000,000 points", 0));
    }
    points.extend((0..len).filter_map(|index| rect.nth(index)));
    Ok(())
}

impl FromProperty for TypedValue {
    fn from_value(value: Value<'_>) -> Result<Self, ValueError> {
        let context = value.rules.context;
        match value.rules.row {
            Some(row) if row.value_type() == ValueType::Ruleset => Ruleset::from_value(value).map(TypedValue::Ruleset),
            Some(row) => value.parse(|raw| row.parse(raw, &context).or_else(|_| row.parse_lenient(raw, &context))),
            None => Text::from_value(value).map(TypedValue::Text),
        }
    }
}

impl FromProperty for String {
    fn from_value(value: Value<'_>) -> Result<Self, ValueError> {
        Ok(value.text().into_owned())
    }

    fn from_values(values: PropertyValues<'_, '_>) -> Result<Self, ListError> {
        Ok(values.text().into_owned())
    }
}

impl FromProperty for i64 {
    fn from_value(value: Value<'_>) -> Result<Self, ValueError> {
        Number::from_value(value).map(Number::get)
    }
}

impl FromProperty for f64 {
    fn from_value(value: Value<'_>) -> Result<Self, ValueError> {
        Real::from_value(value).map(Real::get)
    }
}

impl FromProperty for () {
    fn from_value(_: Value<'_>) -> Result<Self, ValueError> {
        Ok(())
    }
}

impl<A: FromProperty, B: FromProperty> FromProperty for (A, B) {
    fn from_value(value: Value<'_>) -> Result<Self, ValueError> {
        let read = |head: Value<'_>, tail: Value<'_>| {
            let at = head.raw.as_bytes().len() + 1;
            Ok((A::from_value(head)?, B::from_value(tail).map_err(|error| error.shifted(at))?))
        };
        let no_colon = || Err(ValueError::new("Compose", "a colon", value.raw.as_bytes().len()));
        value.compose(read).unwrap_or_else(no_colon)
    }
}

impl<T: FromProperty> FromProperty for Vec<T> {
    fn from_value(value: Value<'_>) -> Result<Self, ValueError> {
        T::from_value(value).map(|value| vec![value])
    }

    fn from_values(values: PropertyValues<'_, '_>) -> Result<Self, ListError> {
        T::list_from_values(values)
    }
}
