//! The results of a scan, and their JSON.

use serde::ser::{Serialize, SerializeMap, Serializer};
use sgf_stream::{Code, Position};

use crate::input::Name;

use super::diagnostics::{Fault, Faults};
use super::statistics::Counts;
use crate::tally::Table;

pub(super) struct Report {
    pub(super) files: u64,
    pub(super) bytes: u64,
    pub(super) counts: Counts,
    pub(super) deepest: Record,
    pub(super) longest: Record,
    pub(super) diagnostics: Vec<(Code, u64)>,
    pub(super) faults: Faults,
    pub(super) seconds: f64,
}

/// A maximum, and its place.
#[derive(Default)]
pub(super) struct Record {
    pub(super) value: u64,
    pub(super) file: Name,
    pub(super) offset: u64,
    /// Line number from 1; 0 if it was not counted, because the value cannot be the maximum.
    pub(super) line: u64,
}

impl Record {
    /// Takes the maximum of later parts, if it is greater.
    pub(super) fn take(&mut self, later: Record) {
        if later.value > self.value {
            *self = later;
        }
    }

    /// Updates the maximum with a value in `file`.
    pub(super) fn note(&mut self, value: u64, offset: u64, line: u64, file: &Name) {
        if value > self.value {
            *self = Record { value, file: file.clone(), offset, line };
        }
    }
}

impl Report {
    /// Returns the tables with their names in JSON.
    fn tables(&self) -> impl Iterator<Item = (&'static str, &Table)> {
        let Counts { root, other, summary: [ff, gm, ca, ap, sz], charset, .. } = &self.counts;
        let names = ["root", "other", "ff", "gm", "ca", "charset", "ap", "sz"];
        names.into_iter().zip([root, other, ff, gm, ca, charset, ap, sz])
    }
}

impl Serialize for Report {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("files", &self.files)?;
        map.serialize_entry("bytes", &self.bytes)?;
        map.serialize_entry("games", &self.counts.games)?;
        map.serialize_entry("nodes", &self.counts.nodes)?;
        map.serialize_entry("moves", &self.counts.moves())?;
        map.serialize_entry("properties", &self.counts.properties())?;
        map.serialize_entry("values", &self.counts.values)?;
        map.serialize_entry("max_depth", &self.deepest.value)?;
        map.serialize_entry("longest_value", &Some(&self.longest).filter(|longest| longest.value > 0))?;
        for (name, table) in self.tables() {
            map.serialize_entry(name, &Pairs(&table.rows))?;
        }
        map.serialize_entry("charset_mismatch", &self.counts.charset_mismatch)?;
        map.serialize_entry("diagnostics", &Pairs(&self.diagnostics))?;
        map.serialize_entry("errors", self.faults.listed())?;
        map.serialize_entry("seconds", &self.seconds)?;
        let dropped: Vec<_> =
            self.tables().map(|(name, table)| (name, table.dropped)).filter(|&(_, dropped)| dropped > 0).collect();
        if !dropped.is_empty() {
            map.serialize_entry("dropped", &Pairs(&dropped))?;
        }
        map.end()
    }
}

/// Serializes the value and its place.
impl Serialize for Record {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("bytes", &self.value)?;
        self.file.serialize_as("file", &mut map)?;
        map.serialize_entry("offset", &self.offset)?;
        map.serialize_entry("line", &self.line)?;
        map.end()
    }
}

/// A list of pairs that serializes as a map in its order.
struct Pairs<'a, K>(&'a [(K, u64)]);

impl<K: Serialize> Serialize for Pairs<'_, K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, count)| (key, count)))
    }
}

impl Serialize for Fault {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        self.file.serialize_as("file", &mut map)?;
        map.serialize_entry("offset", &self.position.map(|Position { offset, .. }| offset))?;
        map.serialize_entry("line", &self.position.map(|Position { line, .. }| line))?;
        map.serialize_entry("column", &self.position.map(|Position { column, .. }| column))?;
        map.serialize_entry("message", &self.message)?;
        map.end()
    }
}
