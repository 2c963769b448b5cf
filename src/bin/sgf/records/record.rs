//! A game as a record, deserialized by the library.
//!
//! The user names the fields, so there is no struct to derive. [`Seed`] passes their names to the library, which
//! skips everything else in the game, and takes the values. The library's registry decides their types.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use sgf_stream::value::{Dates, GameResult, Handicap, Komi, Number, Real, SimpleText, Size};

use super::fields::{Fields, MAIN_LINE, Property, Reading};

/// One game. The record is reused for every game.
pub(super) struct Record {
    /// By the index of the property among the requested ones.
    pub(super) entries: Vec<Option<Entry>>,
    pub(super) moves: Moves,
}

/// The value of a property.
pub(super) struct Entry {
    pub(super) value: Value,
    /// The original text of a date or a result that is not in canonical form.
    pub(super) written: Option<String>,
}

#[derive(Clone)]
pub(super) enum Value {
    Number(i64),
    Real(f64),
    /// Columns and rows, if they differ.
    Size(u32, u32),
    Text(String),
    List(Vec<Value>),
}

/// `B` or `W`, the identifier of the move.
type Color = &'static str;

/// The moves of the main line.
#[derive(Default)]
pub(super) struct Moves {
    /// The concatenated raw points.
    text: String,
    /// The color of each move, and the end of its point in `text`.
    ends: Vec<(Color, usize)>,
}

/// Maximum memory for the moves of a game: that of a node, so that memory is bounded.
const MAX_MOVES: usize = 16 << 20;
/// Bytes of a move in addition to its text.
const MOVE: usize = size_of::<(Color, usize)>();

impl Moves {
    fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
    }

    fn push(&mut self, color: Color, point: &str) -> Result<(), String> {
        if self.text.len() + point.len() + (self.ends.len() + 1) * MOVE > MAX_MOVES {
            return Err(format!("expected moves of at most {} MiB", MAX_MOVES >> 20));
        }
        self.text.push_str(point);
        self.ends.push((color, self.text.len()));
        Ok(())
    }

    /// Returns colors and points.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Color, &str)> {
        let mut start = 0;
        self.ends.iter().map(move |&(color, end)| {
            let point = &self.text[start..end];
            start = end;
            (color, point)
        })
    }
}

impl Record {
    pub(super) fn new(fields: &Fields) -> Self {
        let entries = fields.properties().iter().map(|_| None).collect();
        Record { entries, moves: Moves::default() }
    }
}

/// Deserializes a game into a record.
pub(super) struct Seed<'a> {
    pub(super) fields: &'a Fields,
    pub(super) record: &'a mut Record,
}

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, game: D) -> Result<(), D::Error> {
        self.record.entries.iter_mut().for_each(|entry| *entry = None);
        self.record.moves.clear();
        game.deserialize_struct("Record", self.fields.names(), self)
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a game")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut game: A) -> Result<(), A::Error> {
        let has_moves = self.fields.has_moves();
        let properties = self.fields.properties();
        let mut stand_ins = Vec::new();
        while let Some(name) = game.next_key_seed(Name(self.fields.names()))? {
            if name == MAIN_LINE {
                game.next_value_seed(MainLine(&mut self.record.moves))?;
                continue;
            }
            let wanted = properties.iter().position(|property| property.name == name);
            if has_moves && let Some(color) = color(name) {
                // A move in the root.
                game.next_value_seed(MovesOf { color, moves: &mut self.record.moves })?;
                if let Some(wanted) = wanted {
                    let first = self.record.moves.iter().find(|&(of, _)| of == color);
                    let value = Value::Text(first.map_or("", |(_, point)| point).to_owned());
                    self.record.entries[wanted] = Some(Entry { value, written: None });
                }
                continue;
            }
            let replaced = self.fields.replaced_by(name);
            if wanted.or(replaced).is_none() {
                game.next_value::<IgnoredAny>()?;
                continue;
            }
            let value = game.next_value_seed(Any)?;
            if let Some(replaced) = replaced {
                stand_ins.push((replaced, properties[replaced].stand_in(value.clone())));
            }
            if let Some(wanted) = wanted {
                self.record.entries[wanted] = Some(properties[wanted].entry(value));
            }
        }
        for (replaced, entry) in stand_ins {
            let known = &mut self.record.entries[replaced];
            if entry.is_some() && known.as_ref().is_none_or(Entry::is_empty) {
                *known = entry;
            }
        }
        Ok(())
    }
}

fn color(name: &str) -> Option<Color> {
    match name {
        "B" => Some("B"),
        "W" => Some("W"),
        _ => None,
    }
}

/// Deserializes one of the names that were requested.
struct Name(&'static [&'static str]);

impl<'de> DeserializeSeed<'de> for Name {
    type Value = &'static str;

    fn deserialize<D: Deserializer<'de>>(self, key: D) -> Result<&'static str, D::Error> {
        key.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Name {
    type Value = &'static str;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a property")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<&'static str, E> {
        let found = self.0.iter().find(|known| **known == name);
        found.copied().ok_or_else(|| E::unknown_field(name, self.0))
    }
}

/// Deserializes a value of the type that the registry gives to its property.
struct Any;

impl<'de> DeserializeSeed<'de> for Any {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<Value, D::Error> {
        value.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Any {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the value of a property")
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Number(number))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Value, E> {
        Ok(Value::Real(number))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        self.visit_string(text.to_owned())
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Value, E> {
        Ok(Value::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(value) = values.next_element_seed(Any)? {
            list.push(value);
        }
        Ok(Value::List(list))
    }
}

impl Entry {
    fn is_empty(&self) -> bool {
        matches!(&self.value, Value::Text(text) if text.is_empty())
    }

    /// Returns whether the value was parsed.
    fn is_read(&self) -> bool {
        !self.is_empty()
            && !matches!((&self.value, &self.written), (Value::Text(text), Some(written)) if text == written)
    }
}

impl Property {
    /// Returns the entry for a missing property that this one replaces.
    fn stand_in(&self, value: Value) -> Option<Entry> {
        if self.reading == Reading::Date {
            return Some(self.entry(value)).filter(Entry::is_read);
        }
        let Value::Text(text) = value else { return None };
        let komi = Handicap::parse_lenient(SimpleText::new(text).to_string()).ok()?.komi()?;
        Some(Entry { value: Value::Real(komi.get()), written: None })
    }

    /// Parses the deserialized value further.
    fn entry(&self, value: Value) -> Entry {
        let as_it_is = |value| Entry { value, written: None };
        let text = match value {
            Value::Text(text) => text,
            // A property of another game is unknown to the registry, and so a list.
            Value::List(mut list) if self.is_single && list.len() == 1 => match list.pop() {
                Some(Value::Text(text)) => text,
                value => return as_it_is(Value::List(value.into_iter().collect())),
            },
            Value::Real(written) if self.reading == Reading::Komi => {
                let points = Komi::new(written).and_then(Komi::points);
                return as_it_is(Value::Real(points.unwrap_or(written)));
            }
            value => return as_it_is(value),
        };
        // These types are parsed from the escaped text.
        let raw = || SimpleText::new(text.as_str()).to_string();
        let (read, is_strict) = match self.reading {
            Reading::Date => (canonical::<Dates>(Dates::parse_lenient(raw())), Dates::parse(raw()).is_ok()),
            Reading::Result => {
                (canonical::<GameResult>(GameResult::parse_lenient(raw())), GameResult::parse(raw()).is_ok())
            }
            Reading::Size => (Size::parse_lenient(raw()).ok().map(Value::of_size), true),
            Reading::Number => (Number::parse_lenient(raw()).ok().map(|number| Value::Number(number.get())), true),
            Reading::Real => (Real::parse_lenient(raw()).ok().map(|number| Value::Real(number.get())), true),
            Reading::Komi => {
                (Komi::parse_lenient(raw()).ok().map(|komi| Value::Real(komi.points().unwrap_or(komi.get()))), true)
            }
            Reading::Handicap => (Handicap::parse_lenient(raw()).ok().map(|read| Value::Number(read.stones())), true),
            Reading::Text => (None, true),
        };
        let written = (!is_strict && !text.is_empty()).then(|| text.clone());
        Entry { value: read.unwrap_or(Value::Text(text)), written }
    }
}

/// Formats a value in its canonical form.
fn canonical<T: fmt::Display>(read: Result<T, sgf_stream::value::ValueError>) -> Option<Value> {
    read.ok().map(|value| Value::Text(value.to_string()))
}

impl Value {
    fn of_size(size: Size) -> Value {
        match size.is_square() {
            true => Value::Number(size.columns().into()),
            false => Value::Size(size.columns(), size.rows()),
        }
    }
}

/// Deserializes the moves in the nodes of the main line.
struct MainLine<'a>(&'a mut Moves);

impl<'de> DeserializeSeed<'de> for MainLine<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, nodes: D) -> Result<(), D::Error> {
        nodes.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for MainLine<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the nodes of the main line")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut nodes: A) -> Result<(), A::Error> {
        while nodes.next_element_seed(Node(self.0))?.is_some() {}
        Ok(())
    }
}

struct Node<'a>(&'a mut Moves);

const COLORS: &[&str] = &["B", "W"];

impl<'de> DeserializeSeed<'de> for Node<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, node: D) -> Result<(), D::Error> {
        node.deserialize_struct("Node", COLORS, self)
    }
}

impl<'de> Visitor<'de> for Node<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a node")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut node: A) -> Result<(), A::Error> {
        while let Some(name) = node.next_key_seed(Name(COLORS))? {
            match color(name) {
                Some(color) => node.next_value_seed(MovesOf { color, moves: self.0 })?,
                None => _ = node.next_value::<IgnoredAny>()?,
            }
        }
        Ok(())
    }
}

/// Deserializes the values of a move property: normally one.
struct MovesOf<'a> {
    color: Color,
    moves: &'a mut Moves,
}

impl<'de> DeserializeSeed<'de> for MovesOf<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, property: D) -> Result<(), D::Error> {
        property.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for MovesOf<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a move")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<(), A::Error> {
        let MovesOf { color, moves } = self;
        while values.next_element_seed(Point { color, moves })?.is_some() {}
        Ok(())
    }
}

struct Point<'a> {
    color: Color,
    moves: &'a mut Moves,
}

impl<'de> DeserializeSeed<'de> for Point<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, point: D) -> Result<(), D::Error> {
        point.deserialize_bytes(self)
    }
}

impl Visitor<'_> for Point<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a point")
    }

    /// A raw move is ASCII in all games, whatever the charset.
    fn visit_bytes<E: Error>(self, point: &[u8]) -> Result<(), E> {
        self.moves.push(self.color, &String::from_utf8_lossy(point)).map_err(E::custom)
    }
}
