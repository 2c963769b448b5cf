//! The fields of a record: the argument of `--fields`.

use sgf_stream::Ident;
use sgf_stream::property::{self, List, ValueType};

/// The fields in `--fields`, or the default ones.
#[derive(Clone)]
pub(super) struct Fields {
    columns: Vec<Column>,
    properties: Vec<Property>,
    /// The property names for serde, which wants them `'static`: leaked once a run.
    names: &'static [&'static str],
}

/// A field.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Column {
    File,
    Game,
    Offset,
    Moves,
    /// A property of the root, by its index among the requested ones.
    Property(usize),
    /// The text of a date or a result, where the file does not have it in canonical form.
    Written(usize),
}

/// A requested property.
#[derive(Clone)]
pub(super) struct Property {
    pub(super) name: &'static str,
    pub(super) reading: Reading,
    /// Whether it has one value, in all games that have it.
    pub(super) is_single: bool,
    /// Whether its values contain no blanks.
    pub(super) is_point_list: bool,
}

/// Further parsing of the text of a property.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    Date,
    Result,
    Size,
    Number,
    Real,
    /// Komi, in points.
    Komi,
    /// Handicap stones; a komi in the value is used for records without another one.
    Handicap,
    /// None.
    Text,
}

pub(super) const DEFAULT: &str = "file,game,offset,PB,BR,PW,WR,KM,HA,SZ,RU,RE,RE_text,DT,DT_text,EV,RO,PC,GN";

/// Suffix of the fields that hold the original text.
const WRITTEN: &str = "_text";

impl Fields {
    /// Parses field names separated by commas.
    pub(super) fn parse(list: &str) -> Result<Fields, String> {
        let mut fields = Fields { columns: Vec::new(), properties: Vec::new(), names: &[] };
        for name in list.split(',').map(str::trim) {
            let column = fields.column(name)?;
            if fields.columns.contains(&column) {
                return Err(format!("{name} is there twice"));
            }
            fields.columns.push(column);
        }
        Ok(fields.with_names())
    }

    fn column(&mut self, name: &str) -> Result<Column, String> {
        Ok(match name {
            "file" => Column::File,
            "game" => Column::Game,
            "offset" => Column::Offset,
            "moves" => Column::Moves,
            "RE_text" | "DT_text" => Column::Written(self.property(name.trim_end_matches(WRITTEN))),
            name if !name.is_empty() && name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit()) => {
                Column::Property(self.property(name))
            }
            name => {
                return Err(format!(
                    "{name:?} is not a field: expected an identifier of upper-case letters and digits, file, game, \
                     offset, moves, RE_text or DT_text"
                ));
            }
        })
    }

    fn property(&mut self, name: &str) -> usize {
        let known = self.properties.iter().position(|property| property.name == name);
        known.unwrap_or_else(|| {
            self.properties.push(Property::new(String::leak(name.to_owned())));
            self.properties.len() - 1
        })
    }

    /// Returns these fields with `moves` added.
    pub(super) fn with_moves(mut self) -> Fields {
        if !self.has_moves() {
            self.columns.push(Column::Moves);
        }
        self.with_names()
    }

    fn with_names(mut self) -> Fields {
        let mut names: Vec<_> = self.properties.iter().map(|property| property.name).collect();
        for (reading, stand_in) in STAND_INS {
            if self.first(reading).is_some() && !names.contains(&stand_in) {
                names.push(stand_in);
            }
        }
        if self.has_moves() {
            names.extend(["B", "W"].iter().filter(|color| self.properties.iter().all(|p| p.name != **color)));
            names.push(MAIN_LINE);
        }
        self.names = names.leak();
        self
    }

    pub(super) fn has_moves(&self) -> bool {
        self.columns.contains(&Column::Moves)
    }

    /// Returns the index of the first property with this further parsing.
    pub(super) fn first(&self, reading: Reading) -> Option<usize> {
        self.properties.iter().position(|property| property.reading == reading)
    }

    /// Returns the index of the property that `name` replaces where it is missing.
    pub(super) fn replaced_by(&self, name: &str) -> Option<usize> {
        STAND_INS.into_iter().find(|(_, stand_in)| *stand_in == name).and_then(|(reading, _)| self.first(reading))
    }

    pub(super) fn columns(&self) -> &[Column] {
        &self.columns
    }

    pub(super) fn properties(&self) -> &[Property] {
        &self.properties
    }

    /// Returns the names to deserialize.
    pub(super) fn names(&self) -> &'static [&'static str] {
        self.names
    }

    pub(super) fn name(&self, column: Column) -> &'static str {
        match column {
            Column::File => "file",
            Column::Game => "game",
            Column::Offset => "offset",
            Column::Moves => "moves",
            Column::Property(property) => self.properties[property].name,
            Column::Written(property) => match self.properties[property].reading {
                Reading::Date => "DT_text",
                _ => "RE_text",
            },
        }
    }
}

/// The key for the nodes after the root along first variations.
pub(super) const MAIN_LINE: &str = "$mainline";

/// Properties that replace a missing one.
///
/// RD is the date in the dialect SGF2, and in files that wrongly claim FF\[4\]; HA has the komi in files of a
/// Korean server.
const STAND_INS: [(Reading, &str); 2] = [(Reading::Date, "RD"), (Reading::Komi, "HA")];

impl Property {
    fn new(name: &'static str) -> Self {
        // KM keeps its type in games that are played without komi.
        let rows = || property::find(name);
        let known = property::lookup(Ident::new(name.as_bytes()), &property::Context::default()).or(rows().next());
        let reading = match known.map(|known| known.value_type()) {
            _ if name == "DT" => Reading::Date,
            _ if name == "RE" => Reading::Result,
            Some(ValueType::Size) => Reading::Size,
            Some(ValueType::Number) => Reading::Number,
            Some(ValueType::Real) => Reading::Real,
            Some(ValueType::Komi) => Reading::Komi,
            Some(ValueType::Handicap) => Reading::Handicap,
            _ => Reading::Text,
        };
        Property {
            name,
            reading,
            is_single: known.is_some() && rows().all(|row| row.list() == List::Single),
            is_point_list: known.is_some_and(|known| known.is_point_list()),
        }
    }
}
