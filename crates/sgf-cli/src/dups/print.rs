//! Prints the groups.

use std::collections::HashSet;
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use serde::ser::{Serialize, SerializeMap, Serializer};
use sgf_board::Likeness;

use super::contents::Text;
use super::games::{File, Game, Games};
use super::groups::{Fate, Group};
use super::merge::{Different, Merged};
use crate::json;
use crate::tables::{counted, grouped};
use crate::visible::Visible;

/// The groups, what is merged in each, and the games.
pub(super) struct Found<'f> {
    pub(super) games: &'f Games,
    pub(super) groups: &'f [Group],
    /// Empty, or one for each group.
    pub(super) merged: &'f [Merged],
}

impl Found<'_> {
    /// Number of redundant games.
    fn copies(&self) -> usize {
        self.groups.iter().map(Group::copies).sum()
    }

    fn merged(&self, number: usize) -> Option<&Merged> {
        self.merged.get(number)
    }
}

/// Prints a block of lines per group, and a line that sums up.
pub(super) fn text(out: &mut impl Write, found: &Found<'_>) -> io::Result<()> {
    for (number, group) in found.groups.iter().enumerate() {
        let of_what = match group.stones() {
            0 => "position".to_owned(),
            stones => format!("game of {}", counted(stones.into(), "stone")),
        };
        writeln!(out, "{} copies of a {of_what}", group.games.len())?;
        for (number, game) in group.games.iter().enumerate() {
            text_game(out, found.games, group, number, game)?;
        }
        if let Some(merged) = found.merged(number) {
            text_merged(out, found.games, group, merged)?;
        }
        writeln!(out)?;
    }
    let (games, copies) = (counted(found.games.count, "game"), found.copies());
    let copies = format!("{} {}", grouped(copies as u64), if copies == 1 { "copy" } else { "copies" });
    writeln!(out, "{games}, {}, {copies} redundant", counted(found.groups.len() as u64, "group"))
}

fn text_game(out: &mut impl Write, games: &Games, group: &Group, number: usize, game: &Game) -> io::Result<()> {
    let mark = match group.fates[number] {
        _ if number == group.best => "best",
        Fate::MayGo(_) => "copy",
        Fate::Stays => "keep",
    };
    write!(out, "  {mark}  {}", games.name(game))?;
    if game.offset > 0 {
        write!(out, " (byte {})", game.offset)?;
    }
    let (information, others) = games.contents(game).map_or((0, 0), |contents| contents.counts());
    let information = counted(information as u64, "value");
    write!(out, ": {}, {information} of game information", counted(game.stones.into(), "stone"))?;
    if others > 0 {
        write!(out, ", {}", counted(others as u64, "other"))?;
    }
    if game.faults() > 0 {
        write!(out, ", {}", counted(game.faults().into(), "syntax error"))?;
    }
    if number == group.best {
        return writeln!(out, " ({})", group.reason.as_str());
    }
    kinds(group, number).iter().try_for_each(|kind| write!(out, ", {kind}"))?;
    if let Fate::MayGo(other) = group.fates[number] {
        if other != group.best {
            write!(out, "; {} contains all of it", games.place(&group.games[other]))?;
        }
    } else {
        let more = group.says_more(number, games);
        if !more.is_empty() {
            write!(out, "; the best one lacks its {}", more.join(", "))?;
        } else if games.file(&group.games[group.best]).is_stdin && !games.file(game).is_stdin {
            write!(out, "; the best one is in standard input, which is not stored")?;
        } else if games.contents(game).is_none() || games.contents(&group.games[group.best]).is_none() {
            write!(out, "; not compared, since one of the two is too long")?;
        }
    }
    writeln!(out)
}

/// How a game is a copy of the best one.
fn kinds(group: &Group, number: usize) -> Vec<&'static str> {
    let likeness = match group.likeness(group.best, number) {
        Likeness::Same => None,
        Likeness::Turned => Some("turned"),
        Likeness::Mirrored => Some("mirrored"),
    };
    let exchanged = group.has_exchanged_colors(group.best, number).then_some("colors exchanged");
    let cut_short = (group.games[number].stones < group.stones()).then_some("truncated");
    [likeness, exchanged, cut_short].into_iter().flatten().collect()
}

fn text_merged(out: &mut impl Write, games: &Games, group: &Group, merged: &Merged) -> io::Result<()> {
    for (name, values) in &merged.taken {
        writeln!(out, "  takes {name}: {}", Visible(&joined(values)))?;
    }
    for Different { game, property, values, is_bad } in &merged.different {
        let place = games.place(&group.games[*game]);
        let values = joined(values);
        match is_bad {
            false => writeln!(out, "  differs {property}: {} in {place}", Visible(&values))?,
            true => writeln!(
                out,
                "  not taken {property}: {} in {place}: contains bytes that are invalid in its charset",
                Visible(&values)
            )?,
        }
    }
    if merged.is_left_out {
        writeln!(out, "  not merged: text in the best one is not SGF")?;
    }
    Ok(())
}

fn joined(values: &[Text]) -> String {
    values.iter().map(Text::as_str).collect::<Vec<_>>().join(", ")
}

/// Prints the files in which each game is redundant.
pub(super) fn removable(out: &mut impl Write, found: &Found<'_>) -> io::Result<()> {
    let games = found.games;
    // A file in no group stays, even one without games.
    let mut going = vec![0_u32; games.files.len()];
    for group in found.groups {
        for (game, _) in group.games.iter().zip(&group.fates).filter(|(_, fate)| **fate != Fate::Stays) {
            going[game.file as usize] += 1;
        }
    }
    let (goes, stays): (Vec<_>, Vec<_>) = games
        .files
        .iter()
        .zip(going)
        .partition(|(file, going)| *going > 0 && file.is_removable && file.games == *going);
    if goes.is_empty() {
        return Ok(());
    }
    // A file that is named twice, or through a link, is not a copy of itself.
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

pub(super) fn json(out: &mut impl Write, found: &Found<'_>) -> io::Result<()> {
    json::write(&mut *out, &All(found))?;
    writeln!(out)
}

struct All<'a>(&'a Found<'a>);

impl Serialize for All<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let found = self.0;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("games", &found.games.count)?;
        map.serialize_entry("groups", &found.groups.len())?;
        map.serialize_entry("copies", &found.copies())?;
        let groups = found.groups.iter().enumerate();
        let groups = groups.map(|(number, group)| OneGroup { games: found.games, group, merged: found.merged(number) });
        map.serialize_entry("found", &List(groups))?;
        let errors = found.games.unreadable.iter().map(|(file, message)| json::Unreadable { file, message });
        map.serialize_entry("unreadable", &List(errors))?;
        map.end()
    }
}

/// A list that is computed while it is written.
struct List<I>(I);

impl<I: Iterator<Item: Serialize> + Clone> Serialize for List<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.clone())
    }
}

struct OneGroup<'a> {
    games: &'a Games,
    group: &'a Group,
    merged: Option<&'a Merged>,
}

impl Serialize for OneGroup<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let OneGroup { games, group, merged } = *self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("stones", &group.stones())?;
        map.serialize_entry("best", &group.best)?;
        map.serialize_entry("reason", group.reason.as_str())?;
        let of_group = (0..group.games.len()).map(|number| OneGame { games, group, number });
        map.serialize_entry("games", &List(of_group))?;
        if let Some(merged) = merged {
            map.serialize_entry("taken", &merged.taken)?;
            map.serialize_entry("different", &merged.different)?;
        }
        map.end()
    }
}

impl Serialize for Different {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("game", &self.game)?;
        map.serialize_entry("property", &self.property)?;
        map.serialize_entry("values", &self.values)?;
        map.end()
    }
}

struct OneGame<'a> {
    games: &'a Games,
    group: &'a Group,
    number: usize,
}

impl Serialize for OneGame<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let OneGame { games, group, number } = *self;
        let game = &group.games[number];
        let mut map = serializer.serialize_map(None)?;
        games.name(game).serialize_as("file", &mut map)?;
        map.serialize_entry("offset", &game.offset)?;
        map.serialize_entry("stones", &game.stones)?;
        let (information, others) = games.contents(game).map_or((0, 0), |contents| contents.counts());
        map.serialize_entry("information", &information)?;
        map.serialize_entry("others", &others)?;
        map.serialize_entry("syntax_errors", &game.faults())?;
        map.serialize_entry("kinds", &kinds(group, number))?;
        match group.fates[number] {
            Fate::MayGo(kept) => map.serialize_entry("kept", &kept)?,
            Fate::Stays => map.serialize_entry("kept", &None::<usize>)?,
        }
        map.serialize_entry("says_more", &group.says_more(number, games))?;
        map.end()
    }
}
