//! Values of properties as Python objects, and back.
//!
//! | SGF type | Python |
//! |---|---|
//! | Number, Double, handicap | `int` |
//! | Real, komi, seconds | `float` |
//! | Color | `"b"`, `"w"` |
//! | Point, Move, Stone of Go | `(row, column)`, both from 0, row 0 at the bottom; `None` for a pass |
//! | those of other games | `str`, as in the file |
//! | list of points | `set` |
//! | point with text (`LB`), pair of points (`AR`, `LN`) | `list` of pairs |
//! | size | `int`, or `(columns, rows)` |
//! | Application | `(name, version)` |
//! | Figure | `None`, or `(flags, name)` |
//! | None (`KO`) | `True` |
//! | all others, and private and unknown properties | `str` |
//!
//! Private properties have no type that all programs agree on, so they are texts, as in sgfmill.

use pyo3::exceptions::{PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFrozenSet, PyList, PySet, PyString, PyTuple};
use sgf_stream::property::{self, Context, List, Property, TypedValue, ValueType};
use sgf_stream::tree::{FromProperty, GameTree, Node, NodeId, Value};
use sgf_stream::value::{AnyMove, AnyPoint, AnyRect, Double, Figure, Size, ValueError, go};
use sgf_stream::{Ident, RawValue};

use super::{board_size, letter, size_from, size_object};
use crate::error::{edit_error, value_error};

/// A value, read leniently according to the registry.
struct Lenient(TypedValue);

impl FromProperty for Lenient {
    fn from_value(value: Value<'_>) -> Result<Self, ValueError> {
        let text = value.decoded();
        let raw = RawValue::new(text.as_bytes());
        match value.property() {
            Some(property) => property.parse_lenient(raw, value.context()).map(Lenient),
            None => sgf_stream::value::Text::parse(raw.as_bytes()).map(|text| Lenient(TypedValue::Text(text))),
        }
    }
}

/// Returns the registry's row of a property that is not private.
fn known(name: &str, context: &Context) -> Option<&'static Property> {
    property::lookup(Ident::new(name.as_bytes()), context).filter(|property| !property.is_private())
}

/// Returns the value of a property as a Python object.
pub(super) fn get<'py>(py: Python<'py>, node: Node<'_>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    if !node.contains(name) {
        return Err(PyKeyError::new_err(name.to_owned()));
    }
    let context = node.tree().context();
    let text = || Ok(PyString::new(py, &node.text(name).unwrap_or_default()).into_any());
    let Some(property) = known(name, &context) else { return text() };
    if is_text(property.value_type()) {
        return text();
    }
    let values: Vec<Lenient> = node.list(name).map_err(value_error)?;
    let reader = Reader { py, name, board: board_size(node.tree()), kind: property.value_type() };
    if property.list() == List::Single {
        let first = values.into_iter().next().map_or(TypedValue::Empty, |Lenient(value)| value);
        return reader.object(first);
    }
    let all = values.into_iter().filter(|Lenient(value)| *value != TypedValue::Empty);
    if property.is_point_list() {
        let points = PySet::empty(py)?;
        for Lenient(value) in all {
            match value {
                TypedValue::Points(AnyRect::Go(rect)) => {
                    rect.points().try_for_each(|at| points.add(point(name, at, reader.board)?))?;
                }
                other => points.add(reader.object(other)?)?,
            }
        }
        return Ok(points.into_any());
    }
    let all = all.map(|Lenient(value)| reader.object(value));
    Ok(PyList::new(py, all.collect::<PyResult<Vec<_>>>()?)?.into_any())
}

/// Returns whether a type is a text in Python.
fn is_text(value_type: ValueType) -> bool {
    use ValueType::{Charset, Date, GameResult, Overtime, Rank, Round, Ruleset, SimpleText, Text};
    matches!(value_type, SimpleText | Text | Charset | Date | GameResult | Overtime | Rank | Round | Ruleset)
}

/// Returns the row and column of a point, which must be on the board.
pub(super) fn point(name: &str, at: go::Point, board: Size) -> PyResult<(u32, u32)> {
    let (column, row) = (u32::from(at.x()), board.rows().checked_sub(1 + u32::from(at.y())));
    row.filter(|_| column < board.columns())
        .map(|row| (row, column))
        .ok_or_else(|| value_error(format_args!("{name}[{at}] is off the {}x{} board", board.columns(), board.rows())))
}

/// Converts the values of a property.
struct Reader<'a, 'py> {
    py: Python<'py>,
    name: &'a str,
    board: Size,
    kind: ValueType,
}

impl<'py> Reader<'_, 'py> {
    fn point(&self, at: &AnyPoint) -> PyResult<Bound<'py, PyAny>> {
        match at {
            AnyPoint::Go(at) => self.go_point(*at),
            other => Ok(other.to_string().into_pyobject(self.py)?.into_any()),
        }
    }

    fn go_point(&self, at: go::Point) -> PyResult<Bound<'py, PyAny>> {
        Ok(point(self.name, at, self.board)?.into_pyobject(self.py)?.into_any())
    }

    fn object(&self, value: TypedValue) -> PyResult<Bound<'py, PyAny>> {
        let py = self.py;
        let pair = |first: Bound<'py, PyAny>, second: Bound<'py, PyAny>| -> PyResult<_> {
            Ok(PyTuple::new(py, [first, second])?.into_any())
        };
        let string = |text: &str| PyString::new(py, text).into_any();
        Ok(match value {
            // An empty move is a pass.
            TypedValue::Empty if self.kind == ValueType::Move => py.None().into_bound(py),
            TypedValue::Empty => PyBool::new(py, true).to_owned().into_any(),
            TypedValue::Number(number) => number.get().into_pyobject(py)?.into_any(),
            TypedValue::Handicap(handicap) => handicap.stones().into_pyobject(py)?.into_any(),
            TypedValue::Double(double) => (1 + i64::from(double == Double::Emphasized)).into_pyobject(py)?.into_any(),
            TypedValue::Real(real) => real.get().into_pyobject(py)?.into_any(),
            TypedValue::Komi(komi) => komi.get().into_pyobject(py)?.into_any(),
            TypedValue::Seconds(seconds) => seconds.get().into_pyobject(py)?.into_any(),
            TypedValue::Color(color) => string(letter(color)),
            TypedValue::SimpleText(text) => string(text.as_str()),
            TypedValue::Text(text) => string(text.as_str()),
            TypedValue::Point(at) => self.point(&at)?,
            TypedValue::Move(AnyMove::Go(go::Move::Pass)) => py.None().into_bound(py),
            TypedValue::Move(AnyMove::Go(go::Move::Play(at))) => self.go_point(at)?,
            TypedValue::Points(AnyRect::Go(rect)) => self.go_point(rect.upper_left())?,
            TypedValue::PointPair(from, to) => pair(self.point(&from)?, self.point(&to)?)?,
            TypedValue::PointText(at, text) => pair(self.point(&at)?, string(text.as_str()))?,
            TypedValue::TextPair(texts) => pair(string(texts.0.as_str()), string(texts.1.as_str()))?,
            TypedValue::Figure(Figure::Titled { flags, name }) => {
                pair(flags.bits().into_pyobject(py)?.into_any(), string(name.as_str()))?
            }
            TypedValue::Figure(_) => py.None().into_bound(py),
            TypedValue::Size(size) => size_object(py, size)?,
            TypedValue::Application(application) => pair(string(application.name()), string(application.version()))?,
            other => string(&other.to_string()),
        })
    }
}

/// Sets a property to a Python object.
pub(super) fn set(tree: &mut GameTree, node: NodeId, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
    let context = tree.context();
    let new = match known(name, &context).filter(|property| !is_text(property.value_type())) {
        Some(property) => Writer { property, context }.values(value),
        None => match value.extract::<String>() {
            Ok(text) => Ok(New::Texts(vec![text])),
            Err(_) => value.extract().map(New::Texts),
        },
    };
    let set = match new.map_err(|error| named(value.py(), name, &error))? {
        New::Texts(texts) => tree.set_list(node, name, texts),
        New::Pairs(pairs) => tree.set_list(node, name, pairs),
        New::Raw(raw) => tree.set_raw(node, name, raw),
    };
    set.map_err(|error| edit_error(name, error))
}

/// Returns an error about the value of a property, with the name of the property.
fn named(py: Python<'_>, name: &str, error: &PyErr) -> PyErr {
    let message = format!("{name}: {}", error.value(py));
    if error.is_instance_of::<PyTypeError>(py) { PyTypeError::new_err(message) } else { value_error(message) }
}

/// The new values of a property.
enum New {
    Texts(Vec<String>),
    Pairs(Vec<(String, String)>),
    Raw(Vec<String>),
}

/// Prints the values of a property that is not a text.
struct Writer {
    property: &'static Property,
    context: Context,
}

impl Writer {
    fn values(&self, value: &Bound<'_, PyAny>) -> PyResult<New> {
        let is_list = self.property.list() != List::Single;
        let values: Vec<Bound<'_, PyAny>> = match is_list && !value.is_instance_of::<PyString>() {
            true => value.try_iter()?.collect::<PyResult<_>>()?,
            false => vec![value.clone()],
        };
        match self.property.value_type() {
            ValueType::PointText | ValueType::TextPair | ValueType::Application => {
                values.iter().map(|value| self.pair(value)).collect::<PyResult<_>>().map(New::Pairs)
            }
            ValueType::Figure if !value.is_none() => Ok(New::Pairs(vec![self.pair(value)?])),
            _ => {
                let mut raw = values.iter().map(|value| self.raw(value)).collect::<PyResult<Vec<_>>>()?;
                if raw.is_empty() && self.property.list() == List::EList {
                    raw.push(String::new());
                }
                // The order of a set is that of hashes.
                if value.is_instance_of::<PySet>() || value.is_instance_of::<PyFrozenSet>() {
                    raw.sort_unstable();
                }
                for value in &raw {
                    let read = self.property.parse(RawValue::new(value.as_bytes()), &self.context);
                    read.map_err(|error| value_error(format_args!("{value:?}: {error}")))?;
                }
                Ok(New::Raw(raw))
            }
        }
    }

    /// Returns the two halves of a value.
    fn pair(&self, value: &Bound<'_, PyAny>) -> PyResult<(String, String)> {
        let (first, second): (Bound<'_, PyAny>, String) = value.extract()?;
        let first = match self.property.value_type() {
            ValueType::PointText => self.point(&first)?,
            _ => first.str()?.extract()?,
        };
        Ok((first, second))
    }

    /// Returns a point as it is written.
    fn point(&self, value: &Bound<'_, PyAny>) -> PyResult<String> {
        if let Ok(text) = value.extract::<String>() {
            return Ok(text);
        }
        let (row, column): (i64, i64) = value.extract()?;
        let board = self.context.board().unwrap_or_default();
        let at = u8::try_from(column).ok().zip(u8::try_from(i64::from(board.rows()) - 1 - row).ok());
        let at = at.filter(|(x, _)| u32::from(*x) < board.columns());
        let at = at.and_then(|(x, y)| go::Point::new(x, y));
        at.map(|at| at.to_string()).ok_or_else(|| value_error(format_args!("({row}, {column}) is off the board")))
    }

    /// Returns a value as it is written.
    fn raw(&self, value: &Bound<'_, PyAny>) -> PyResult<String> {
        use ValueType::{Move, None, Point, PointPair, Size, Stone};
        let number = |value: &Bound<'_, PyAny>| -> PyResult<String> {
            if let Ok(number) = value.extract::<i64>() {
                return Ok(number.to_string());
            }
            value.extract::<f64>().map(|number| number.to_string())
        };
        match self.property.value_type() {
            None => Ok(String::new()),
            Move if value.is_none() => Ok(String::new()),
            ValueType::Figure => Ok(String::new()),
            _ if value.is_instance_of::<PyString>() => {
                let text: String = value.extract()?;
                let is_color = self.property.value_type() == ValueType::Color;
                Ok(if is_color { text.to_uppercase() } else { text })
            }
            Move | Point | Stone => self.point(value),
            PointPair => {
                let (from, to): (Bound<'_, PyAny>, Bound<'_, PyAny>) = value.extract()?;
                Ok(format!("{}:{}", self.point(&from)?, self.point(&to)?))
            }
            Size => Ok(size_from(value)?.to_string()),
            _ => number(value).map_err(|_| {
                let kind = value.get_type().name().map_or_else(|_| "object".to_owned(), |name| name.to_string());
                PyTypeError::new_err(format!("expected {}, found {kind}", self.property.value()))
            }),
        }
    }
}
