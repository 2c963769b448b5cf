//! Prints the differences.

use std::collections::HashMap;
use std::fmt;
use std::io::{self, Write};

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::games::{Archive, Detail, Details, Game, HEADER};
use super::pairs::{Pair, Pairs};
use crate::failure::note;
use crate::json;
use crate::tables::{counted, grouped};
use crate::visible::Visible;

/// Everything that was found.
pub(super) struct Found<'f> {
    pub(super) old: &'f Archive,
    pub(super) new: &'f Archive,
    pub(super) pairs: &'f Pairs,
    /// The details of the old versions of the games whose header or moves changed.
    pub(super) of_old: &'f Details,
    pub(super) of_new: &'f Details,
}

/// A property that has other values.
struct Other<'f> {
    property: &'static str,
    old: &'f str,
    new: &'f str,
}

/// The old and the new number of moves.
struct Moves {
    old: u32,
    new: u32,
    /// Number of moves at the start that are the same, in games that are followed on a board.
    same: Option<u32>,
}

impl Found<'_> {
    fn details(&self, pair: &Pair) -> Option<(&Detail, &Detail)> {
        let old = self.of_old.get(&(pair.old.file, pair.old.offset));
        old.zip(self.of_new.get(&(pair.new.file, pair.new.offset)))
    }

    /// The properties that differ.
    fn header(&self, pair: &Pair) -> Vec<Other<'_>> {
        let Some((old, new)) = self.details(pair) else { return Vec::new() };
        let values = HEADER.into_iter().zip(old.header.iter().zip(&new.header));
        let others = values.filter(|(_, (old, new))| old != new);
        others.map(|(property, (old, new))| Other { property, old, new }).collect()
    }

    fn moves(&self, pair: &Pair) -> Option<Moves> {
        let same = self.details(pair).and_then(|(old, new)| {
            let [old, new] = [old, new].map(|detail| detail.moves.as_deref().map(|moves| moves.as_bytes().chunks(2)));
            let same = old?.zip(new?).take_while(|(old, new)| old == new).count();
            u32::try_from(same).ok()
        });
        pair.has_other_moves().then_some(Moves { old: pair.old.move_count, new: pair.new.move_count, same })
    }
}

/// The place of a game: a file, and the number of the game if the file has several.
struct Place<'f> {
    archive: &'f Archive,
    game: &'f Game,
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = self.archive.file(self.game);
        write_name(f, file.name.as_str(), &file.relative)?;
        match file.games {
            0 | 1 => Ok(()),
            _ => write!(f, " game {}", self.game.number + 1),
        }
    }
}

/// Writes a relative name; that of a single file is empty, so the whole is written.
fn write_name(out: &mut impl fmt::Write, name: &str, relative: &str) -> fmt::Result {
    write!(out, "{}", Visible(if relative.is_empty() { name } else { relative }))
}

/// Prints a line per difference: first of the games in the new archive, in their order, then of those that are gone.
pub(super) fn text(out: &mut impl Write, found: &Found<'_>) -> io::Result<()> {
    one_side(out, "gone", found.old, &found.pairs.gone)?;
    one_side(out, "new", found.new, &found.pairs.new)?;
    for pair in &found.pairs.changed {
        let place = Place { archive: found.new, game: &pair.new };
        if pair.moved {
            line(out, "moved", format_args!("{} -> {place}", Place { archive: found.old, game: &pair.old }))?;
        }
        let header = found.header(pair);
        if !header.is_empty() {
            let values = header
                .iter()
                .map(|Other { property, old, new }| format!("{property} {} -> {}", quoted(old), quoted(new)));
            let values = values.collect::<Vec<_>>().join(", ");
            line(out, "header", format_args!("{place}: {values}"))?;
        }
        match found.moves(pair) {
            Some(Moves { old, new, same }) => {
                let same =
                    same.map_or_else(String::new, |same| format!(", the first {} are the same", grouped(same.into())));
                let old = counted(old.into(), "move");
                line(out, "moves", format_args!("{place}: {old} -> {}{same}", grouped(new.into())))?;
            }
            None if pair.has_other_content() => line(out, "content", format_args!("{place}"))?,
            None => {}
        }
    }
    Ok(())
}

fn line(out: &mut impl Write, kind: &str, what: fmt::Arguments<'_>) -> io::Result<()> {
    writeln!(out, "{kind:<8} {what}")
}

/// Prints games that are in one of the archives only. A file with all of its games among them has one line.
fn one_side(out: &mut impl Write, kind: &str, archive: &Archive, games: &[Game]) -> io::Result<()> {
    let mut counts: HashMap<u32, u32> = HashMap::new();
    games.iter().for_each(|game| *counts.entry(game.file).or_default() += 1);
    for game in games {
        let file = archive.file(game);
        let is_whole = file.games > 1 && counts.get(&game.file) == Some(&file.games);
        if !is_whole {
            line(out, kind, format_args!("{}", Place { archive, game }))?;
        } else if game.number == 0 {
            let mut name = String::new();
            write_name(&mut name, file.name.as_str(), &file.relative).map_err(io::Error::other)?;
            line(out, kind, format_args!("{name} ({})", counted(file.games.into(), "game")))?;
        }
    }
    Ok(())
}

fn quoted(value: &str) -> String {
    if value.is_empty() { "(none)".to_owned() } else { format!("\"{}\"", Visible(value)) }
}

/// Says how many games are what.
pub(super) fn note_summary(found: &Found<'_>) {
    let Pairs { same, changed, gone, new } = found.pairs;
    let count = |is_counted: fn(&Pair) -> bool| changed.iter().filter(|pair| is_counted(pair)).count();
    let counts = [
        (*same, "the same"),
        (new.len(), "new"),
        (gone.len(), "gone"),
        (count(|pair| pair.moved), "moved"),
        (count(Pair::has_other_header), "with another header"),
        (count(Pair::has_other_moves), "with other moves"),
        (count(Pair::has_other_content), "with other content"),
    ];
    let counts = counts.into_iter().filter(|(count, _)| *count > 0);
    let counts = counts.map(|(count, what)| format!("{} {what}", grouped(count as u64))).collect::<Vec<_>>();
    let [old, new] = [found.old, found.new].map(|archive| archive.games.len() as u64);
    let counts = if counts.is_empty() { String::new() } else { format!(": {}", counts.join(", ")) };
    note(format_args!("{} before, {} now{counts}", counted(old, "game"), grouped(new)));
}

pub(super) fn json(out: &mut impl Write, found: &Found<'_>) -> io::Result<()> {
    json::write(&mut *out, &All(found))?;
    writeln!(out)
}

struct All<'f>(&'f Found<'f>);

impl Serialize for All<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let found = self.0;
        let mut map = serializer.serialize_map(None)?;
        let counts = Counts { old: found.old.games.len(), new: found.new.games.len() };
        map.serialize_entry("games", &counts)?;
        map.serialize_entry("same", &found.pairs.same)?;
        map.serialize_entry("changes", &Changes(found))?;
        let errors = [found.old, found.new].into_iter().flat_map(|archive| &archive.unreadable);
        let errors = errors.map(|(file, message)| json::Unreadable { file, message });
        map.serialize_entry("unreadable", &errors.collect::<Vec<_>>())?;
        map.end()
    }
}

struct Counts {
    old: usize,
    new: usize,
}

impl Serialize for Counts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("old", &self.old)?;
        map.serialize_entry("new", &self.new)?;
        map.end()
    }
}

struct Changes<'f>(&'f Found<'f>);

impl Serialize for Changes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let found = self.0;
        let gone = found.pairs.gone.iter().map(|game| Change { found, old: Some(game), new: None, pair: None });
        let new = found.pairs.new.iter().map(|game| Change { found, old: None, new: Some(game), pair: None });
        let changed = found.pairs.changed.iter();
        let changed =
            changed.map(|pair| Change { found, old: Some(&pair.old), new: Some(&pair.new), pair: Some(pair) });
        serializer.collect_seq(gone.chain(new).chain(changed))
    }
}

struct Change<'f> {
    found: &'f Found<'f>,
    old: Option<&'f Game>,
    new: Option<&'f Game>,
    pair: Option<&'f Pair>,
}

impl Serialize for Change<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Change { found, old, new, pair } = *self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("old", &old.map(|game| Place { archive: found.old, game }))?;
        map.serialize_entry("new", &new.map(|game| Place { archive: found.new, game }))?;
        map.serialize_entry("moved", &pair.is_some_and(|pair| pair.moved))?;
        map.serialize_entry("header", &pair.map_or_else(Vec::new, |pair| found.header(pair)))?;
        map.serialize_entry("moves", &pair.and_then(|pair| found.moves(pair)))?;
        map.serialize_entry("content", &pair.is_some_and(Pair::has_other_content))?;
        map.end()
    }
}

impl Serialize for Place<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        self.archive.file(self.game).name.serialize_as("file", &mut map)?;
        map.serialize_entry("game", &self.game.number)?;
        map.serialize_entry("offset", &self.game.offset)?;
        map.end()
    }
}

impl Serialize for Other<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("property", self.property)?;
        map.serialize_entry("old", self.old)?;
        map.serialize_entry("new", self.new)?;
        map.end()
    }
}

impl Serialize for Moves {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("old", &self.old)?;
        map.serialize_entry("new", &self.new)?;
        map.serialize_entry("same", &self.same)?;
        map.end()
    }
}
