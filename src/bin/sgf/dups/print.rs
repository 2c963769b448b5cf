//! Prints the groups.

use std::collections::HashSet;
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::games::{File, Game, Games};
use super::groups::{Group, Groups};
use crate::input::Name;
use crate::json;
use crate::tables::grouped;

/// A block of lines for each group, and a line that sums up.
pub(super) fn text(out: &mut impl Write, games: &Games, groups: &Groups) -> io::Result<()> {
    for group in groups.iter() {
        writeln!(out, "{} copies of a game of {} stones", group.games.len(), group.stones())?;
        for (number, game) in group.games.iter().enumerate() {
            let mark = if number == group.best { "best" } else { "copy" };
            write!(out, "  {mark}  {}", games.name(game))?;
            if game.offset > 0 {
                write!(out, " (byte {})", game.offset)?;
            }
            let quality = game.quality();
            let faults = match quality.faults() {
                0 => String::new(),
                1 => ", 1 fault".to_owned(),
                faults => format!(", {faults} faults"),
            };
            write!(out, ": {} stones, {} properties{faults}", game.stones, quality.properties())?;
            match number == group.best {
                true => writeln!(out, " ({})", group.reason.as_str())?,
                false if game.stones < group.stones() => writeln!(out, ", cut short")?,
                false => writeln!(out)?,
            }
        }
        writeln!(out)?;
    }
    let (games, copies) = (count(games.count, "game", "games"), count(groups.copies() as u64, "copy", "copies"));
    writeln!(out, "{games}, {}, {copies} that may go", count(groups.len() as u64, "group", "groups"))
}

fn count(number: u64, one: &str, more: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { more })
}

/// The files all of whose games have a better copy elsewhere.
pub(super) fn removable(out: &mut impl Write, games: &Games, groups: &Groups) -> io::Result<()> {
    // A file in no group stays, even one without games.
    let mut has_copies = vec![false; games.files.len()];
    for game in groups.iter().flat_map(|group| group.games) {
        has_copies[game.file as usize] = true;
    }
    let (goes, stays): (Vec<_>, Vec<_>) = games
        .files
        .iter()
        .zip(has_copies)
        .partition(|(file, has_copies)| *has_copies && file.is_removable && file.games == 0);
    if goes.is_empty() {
        return Ok(());
    }
    // A file that is named twice, or by a link, is no copy of itself.
    let place = |file: &File| fs::canonicalize(file.name.to_path()).ok();
    let stays: HashSet<PathBuf> = stays.into_iter().filter_map(|(file, _)| place(file)).collect();
    let mut gone = HashSet::new();
    for (file, _) in goes {
        if place(file).is_some_and(|place| !stays.contains(&place) && gone.insert(place)) {
            out.write_all(file.name.as_bytes())?;
            out.write_all(b"\0")?;
        }
    }
    Ok(())
}

pub(super) fn json(out: &mut impl Write, games: &Games, groups: &Groups) -> io::Result<()> {
    json::write(&mut *out, &All { games, groups })?;
    writeln!(out)
}

struct All<'a> {
    games: &'a Games,
    groups: &'a Groups,
}

impl Serialize for All<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("games", &self.games.count)?;
        map.serialize_entry("groups", &self.groups.len())?;
        map.serialize_entry("copies", &self.groups.copies())?;
        let groups = self.groups.iter().map(|group| OneGroup { games: self.games, group });
        map.serialize_entry("found", &List(groups))?;
        let errors = self.games.unreadable.iter().map(|(name, message)| OneError { name, message });
        map.serialize_entry("unreadable", &List(errors))?;
        map.end()
    }
}

/// A list that is made while it is written.
struct List<I>(I);

impl<I: Iterator<Item: Serialize> + Clone> Serialize for List<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.clone())
    }
}

struct OneGroup<'a> {
    games: &'a Games,
    group: Group<'a>,
}

impl Serialize for OneGroup<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("stones", &self.group.stones())?;
        map.serialize_entry("best", &self.group.best)?;
        map.serialize_entry("reason", self.group.reason.as_str())?;
        let games = self.group.games.iter().map(|game| OneGame { games: self.games, game });
        map.serialize_entry("games", &List(games))?;
        map.end()
    }
}

struct OneGame<'a> {
    games: &'a Games,
    game: &'a Game,
}

impl Serialize for OneGame<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        self.games.name(self.game).serialize_as("file", &mut map)?;
        map.serialize_entry("offset", &self.game.offset)?;
        map.serialize_entry("stones", &self.game.stones)?;
        map.serialize_entry("properties", &self.game.quality().properties())?;
        map.serialize_entry("faults", &self.game.quality().faults())?;
        map.end()
    }
}

struct OneError<'a> {
    name: &'a Name,
    message: &'a str,
}

impl Serialize for OneError<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        self.name.serialize_as("file", &mut map)?;
        map.serialize_entry("message", self.message)?;
        map.end()
    }
}
