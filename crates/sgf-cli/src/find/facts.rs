//! What is read of a game that matches: columns, conditions and groups.

#[cfg(feature = "index")]
use std::borrow::Cow;
use std::sync::Arc;

#[cfg(feature = "index")]
use sgf_search::index::IndexGame;
use sgf_search::{GameFacts, Outcome};
use sgf_stream::Parser;
use sgf_stream::value::Color;
use sgf_table::{Cell, Names, Row, Table, TableBuilder};

use super::groups::{By, Group, year};
use super::output::Format;
use crate::decoding::GameType;
use crate::input::Conditions;
use crate::near;

/// What is wanted of games that match.
pub(super) struct Facts {
    pub(super) conditions: Conditions,
    /// The columns that are printed, if they are given.
    pub(super) columns: Option<Vec<String>>,
    pub(super) by: Option<By>,
    pub(super) names: Arc<Names>,
    pub(super) game_type: GameType,
}

/// The columns of lines, if none are given.
pub(super) const DEFAULT: [&str; 6] = ["PB", "BR", "PW", "WR", "DT", "RE"];

/// The columns of sums.
pub(crate) const OUTCOME: [&str; 3] = ["winner", "result", "date"];

/// The columns that each hit has anyway.
const OF_HIT: [&str; 3] = ["file", "offset", "game"];

/// Parses the name of a column.
pub(super) fn column(name: &str) -> Result<String, String> {
    let name = name.trim();
    match TableBuilder::new(&Parser::new(), Table::Games).columns([name]) {
        Ok(_) => Ok(name.to_owned()),
        Err(_) => {
            let hint = near::column_hint(name, Table::Games);
            Err(format!("unknown column '{name}'{hint} (`sgf records --list-columns` lists all)"))
        }
    }
}

impl Facts {
    /// Returns the columns that are printed.
    pub(super) fn printed(&self, format: Format) -> Vec<&str> {
        match (&self.columns, format) {
            (_, Format::Nothing) => Vec::new(),
            (Some(columns), _) => columns.iter().map(String::as_str).filter(|name| !OF_HIT.contains(name)).collect(),
            (None, Format::Text) => DEFAULT.into(),
            (None, _) => Vec::new(),
        }
    }

    /// Returns a table of all columns that are read; `None` if there are none.
    pub(super) fn table(&self, format: Format, counts: bool, writes: bool) -> Option<TableBuilder> {
        let columns = self.read(format, counts, writes);
        if columns.is_empty() {
            return None;
        }
        let table = TableBuilder::new(&Parser::new(), Table::Games).columns(columns).ok()?;
        Some(table.default_game(self.game_type.default_game()).names(Arc::clone(&self.names)))
    }

    /// Returns the names of all columns that are read, each once.
    pub(super) fn read(&self, format: Format, counts: bool, writes: bool) -> Vec<&str> {
        let mut columns: Vec<&str> = self.printed(format);
        columns.extend(self.conditions.columns());
        if format == Format::Text {
            columns.extend(["size_x", "size_y"]); // for the names of points
        }
        if counts {
            columns.extend(OUTCOME);
        }
        columns.extend(self.by.iter().flat_map(By::columns));
        if writes {
            columns.push("length");
        }
        if self.game_type.is_given() {
            columns.push("game_type");
        }
        let mut unique: Vec<&str> = Vec::new();
        columns.into_iter().for_each(|name| {
            if !unique.contains(&name) {
                unique.push(name)
            }
        });
        unique
    }
}

/// The columns of a game: those of its row, or those that an index has.
#[derive(Clone, Copy)]
pub(crate) enum Header<'r> {
    Row(&'r Row<'r>),
    #[cfg(feature = "index")]
    /// A game, with the names that stand for those of its players.
    Index(&'r IndexGame<'r>, &'r Names),
}

impl<'r, 'l: 'r> From<&'r Row<'l>> for Header<'r> {
    fn from(row: &'r Row<'l>) -> Self {
        Header::Row(row)
    }
}

impl<'r> Header<'r> {
    /// Returns a cell, by the name of its column.
    pub(crate) fn cell(self, name: &str) -> Cell<'r> {
        match self {
            Header::Row(row) => {
                let column = row.columns().iter().position(|column| column.name() == name);
                column.map_or(Cell::Null, |column| row.cell(column))
            }
            #[cfg(feature = "index")]
            Header::Index(game, names) => match game.cell(name) {
                Cell::Text(player) if ["black", "white", "PB", "PW"].contains(&name) => {
                    Cell::Text(names.get(&player).map_or(player, Cow::Borrowed))
                }
                cell => cell,
            },
        }
    }
}

/// Returns a cell, by the name of its column.
pub(crate) fn cell<'r>(header: impl Into<Header<'r>>, name: &str) -> Cell<'r> {
    header.into().cell(name)
}

/// Returns what sums need of a game.
pub(crate) fn game_facts<'r, 'g>(row: impl Into<Header<'r>>, group: &'g Option<Group>) -> GameFacts<'g> {
    let row = row.into();
    let outcome = match (cell(row, "winner"), cell(row, "result")) {
        (Cell::Text(winner), _) if winner == "B" => Outcome::Win(Color::Black),
        (Cell::Text(winner), _) if winner == "W" => Outcome::Win(Color::White),
        (_, Cell::Text(result)) if result == "draw" => Outcome::Draw,
        _ => Outcome::Unknown,
    };
    let group = group.as_ref().map(|group| (group.order, group.name.as_str()));
    GameFacts { outcome, year: year(row), group }
}
