//! Which fields a record has: the argument of `--fields`.

use sgf_stream::Ident;
use sgf_stream::property::{self, List, ValueType};

/// What `--fields` says, or its default.
#[derive(Clone)]
pub(super) struct Fields {
    columns: Vec<Column>,
    properties: Vec<Property>,
    /// The names of the properties, for the library's ears: what serde is told has to live for
    /// ever. Made once a run, and not given back.
    names: &'static [&'static str],
}

/// A field.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Column {
    File,
    Game,
    Offset,
    Moves,
    /// A property of the root, by its place among those that are wanted.
    Property(usize),
    /// The same as it is written, where that is not as FF\[4\] has it.
    Written(usize),
}

/// A property that is wanted.
#[derive(Clone)]
pub(super) struct Property {
    pub(super) name: &'static str,
    pub(super) reading: Reading,
    /// It has one value, in all games that have it.
    pub(super) is_single: bool,
    /// Its values have no blanks.
    pub(super) is_point_list: bool,
}

/// How the text of a property is read further.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    Date,
    Result,
    Size,
    Number,
    Real,
    /// In points.
    Komi,
    /// The stones; the komi that it may name is that of a record without another.
    Handicap,
    /// Not at all.
    Text,
}

pub(super) const DEFAULT: &str = "file,game,offset,PB,BR,PW,WR,KM,HA,SZ,RU,RE,RE_text,DT,DT_text,EV,RO,PC,GN";

/// What a field of a property is called that holds the value as it is written.
const WRITTEN: &str = "_text";

impl Fields {
    /// Reads names with commas between them.
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
                    "{name:?} is no field: expected an identifier of upper-case letters and digits, file, game, \
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

    /// The same with the field `moves`.
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

    /// The place of the first property that is read so.
    pub(super) fn first(&self, reading: Reading) -> Option<usize> {
        self.properties.iter().position(|property| property.reading == reading)
    }

    /// The place of the property that this one stands in for, where that is missing.
    pub(super) fn replaced_by(&self, name: &str) -> Option<usize> {
        STAND_INS.into_iter().find(|(_, stand_in)| *stand_in == name).and_then(|(reading, _)| self.first(reading))
    }

    pub(super) fn columns(&self) -> &[Column] {
        &self.columns
    }

    pub(super) fn properties(&self) -> &[Property] {
        &self.properties
    }

    /// What the library is asked for.
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

/// The nodes behind the root along first variations.
pub(super) const MAIN_LINE: &str = "$mainline";

/// What says it where the property itself is missing: RD the date in the dialect SGF2, which files write that say
/// FF\[4\] too, and HA the komi in those of a Korean server.
const STAND_INS: [(Reading, &str); 2] = [(Reading::Date, "RD"), (Reading::Komi, "HA")];

impl Property {
    fn new(name: &'static str) -> Self {
        // In a game that is not played with komi, KM is still what it is elsewhere.
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
