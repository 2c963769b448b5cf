//! The content of the page before it is drawn: sections with figures, each with its numbers as a table.
//!
//! The page draws it, and `--json` writes the tables; so both have equal numbers.

use std::borrow::Cow;

use maud::Markup;
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

/// A section of the page.
pub(super) struct Section {
    /// Its anchor on the page, and its name in JSON.
    pub(super) id: &'static str,
    pub(super) title: &'static str,
    /// One sentence or two below the title.
    pub(super) lead: String,
    pub(super) figures: Vec<Figure>,
}

/// A chart, or why there is none.
pub(super) struct Figure {
    /// Its name in JSON.
    pub(super) id: Cow<'static, str>,
    pub(super) title: String,
    pub(super) content: Content,
}

pub(super) enum Content {
    Chart {
        picture: Markup,
        /// How to read it, and what is missing.
        notes: Vec<String>,
        table: Table,
    },
    /// The archive lacks the data: which.
    Missing(String),
}

/// Numbers that a chart is drawn from.
#[derive(Default)]
pub(super) struct Table {
    pub(super) columns: Vec<String>,
    pub(super) rows: Vec<Vec<Value>>,
}

/// A cell of a table.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Null,
    Text(String),
    Count(u64),
    /// It has no separators.
    Year(i32),
    /// A number with at most two decimals.
    Number(f64),
    /// A part of 1.
    Share(f64),
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Value::Text(text)
    }
}

impl From<u64> for Value {
    fn from(count: u64) -> Self {
        Value::Count(count)
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Value::Null, Into::into)
    }
}

impl Table {
    pub(super) fn new<C: Into<String>>(columns: impl IntoIterator<Item = C>) -> Self {
        Table { columns: columns.into_iter().map(Into::into).collect(), rows: Vec::new() }
    }

    pub(super) fn row(&mut self, cells: impl IntoIterator<Item = Value>) {
        self.rows.push(cells.into_iter().collect());
    }
}

impl Section {
    pub(super) fn new(id: &'static str, title: &'static str, lead: impl Into<String>) -> Self {
        Section { id, title, lead: lead.into(), figures: Vec::new() }
    }

    /// Adds a chart.
    pub(super) fn chart(
        &mut self,
        id: impl Into<Cow<'static, str>>,
        title: impl Into<String>,
        picture: Markup,
        table: Table,
    ) -> &mut Vec<String> {
        let content = Content::Chart { picture, notes: Vec::new(), table };
        self.figures.push(Figure { id: id.into(), title: title.into(), content });
        match self.figures.last_mut() {
            Some(Figure { content: Content::Chart { notes, .. }, .. }) => notes,
            _ => unreachable!("a chart was added"),
        }
    }

    /// Says why there is no chart.
    pub(super) fn missing(
        &mut self,
        id: impl Into<Cow<'static, str>>,
        title: impl Into<String>,
        why: impl Into<String>,
    ) {
        self.figures.push(Figure { id: id.into(), title: title.into(), content: Content::Missing(why.into()) });
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let rounded = |number: f64, scale: f64| (number * scale).round() / scale;
        match self {
            Value::Null => serializer.serialize_none(),
            Value::Text(text) => serializer.serialize_str(text),
            Value::Count(count) => serializer.serialize_u64(*count),
            Value::Year(year) => serializer.serialize_i32(*year),
            Value::Number(number) => serializer.serialize_f64(rounded(*number, 100.0)),
            Value::Share(share) => serializer.serialize_f64(rounded(*share, 10_000.0)),
        }
    }
}

/// Rows as lists of cells, beside the names of their columns.
impl Serialize for Figure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("id", &self.id)?;
        map.serialize_entry("title", &self.title)?;
        match &self.content {
            Content::Chart { notes, table, .. } => {
                map.serialize_entry("notes", notes)?;
                map.serialize_entry("columns", &table.columns)?;
                map.serialize_entry("rows", &table.rows)?;
            }
            Content::Missing(why) => map.serialize_entry("missing", why)?,
        }
        map.end()
    }
}

impl Serialize for Section {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("id", self.id)?;
        map.serialize_entry("title", self.title)?;
        map.serialize_entry("figures", &self.figures)?;
        map.end()
    }
}

/// The output of `--json`.
pub(super) struct Json<'a> {
    pub(super) sections: &'a [Section],
    pub(super) seconds: f64,
}

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("version", env!("CARGO_PKG_VERSION"))?;
        map.serialize_entry("seconds", &self.seconds)?;
        map.serialize_entry("sections", &Sections(self.sections))?;
        map.end()
    }
}

struct Sections<'a>(&'a [Section]);

impl Serialize for Sections<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.0.len()))?;
        self.0.iter().try_for_each(|section| list.serialize_element(section))?;
        list.end()
    }
}
