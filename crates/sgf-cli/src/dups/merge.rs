//! Completes the best game of each group with game information from its copies.

use std::io::{self, BufWriter, Write};
use std::sync::Arc;

use sgf_input::Output;
use sgf_stream::tree::{EditError, GameTree, NodeId};
use sgf_stream::value::SimpleText;

use super::contents::{Information, OF_ONE_SIDE, Text, is_same};
use super::faults::OfGame;
use super::games::Games;
use super::groups::Group;
use super::reread::{self, Places};
use crate::failure::warn;
use crate::input::Paths;
use crate::progress::Progress;
use crate::tables::grouped;

/// The values that the best game of a group takes over from its copies.
#[derive(Clone, Debug, Default)]
pub(super) struct Merged {
    /// The values that the best game lacks, and takes over.
    pub(super) taken: Information,
    /// The values that are not taken over: the best game has others, or they have bytes that are invalid in their charset.
    pub(super) different: Vec<Different>,
    /// The best game is not written, since the parser dropped content of it.
    pub(super) is_left_out: bool,
}

/// Values that are not taken over.
#[derive(Clone, Debug)]
pub(super) struct Different {
    /// The number of the copy in its group.
    pub(super) game: usize,
    pub(super) property: String,
    pub(super) values: Vec<Text>,
    /// They have bytes that are invalid in their charset, and the best game lacks the property.
    pub(super) is_bad: bool,
}

impl Merged {
    /// Merges the copies of a group into its best game, in their order. If `is_lossy`, the best game may lose content that the
    /// parser drops.
    pub(super) fn of(group: &Group, games: &Games, is_lossy: bool) -> Self {
        let mut merged = Merged::default();
        let contents = |number: usize| games.contents(&group.games[number]);
        let information = |number: usize| contents(number).map(|contents| &contents.information);
        if !is_lossy && contents(group.best).is_some_and(|contents| contents.is_incomplete) {
            merged.is_left_out = true;
            return merged;
        }
        let Some(own) = information(group.best) else { return merged };
        for number in (0..group.games.len()).filter(|&number| number != group.best) {
            let is_exchanged = group.has_exchanged_colors(group.best, number);
            for (name, values) in information(number).into_iter().flatten() {
                let is_of_other_side = is_exchanged && OF_ONE_SIDE.contains(&name.as_str());
                let is_sound = values.iter().all(Text::is_sound);
                let is_bad = match own.get(name).or_else(|| merged.taken.get(name)) {
                    Some(known) if is_same(name, known, values) && !is_of_other_side => continue,
                    None if !is_of_other_side && is_sound => {
                        merged.taken.insert(name.clone(), values.clone());
                        continue;
                    }
                    known => known.is_none() && !is_sound,
                };
                let (property, values) = (name.clone(), values.clone());
                merged.different.push(Different { game: number, property, values, is_bad });
            }
        }
        merged
    }

    /// Sets what is taken over in the root of a game, whose texts become UTF-8. If bytes of a text are invalid in the charset
    /// of the game, they would be lost: then the game keeps its charset. Returns the game, and the number of properties that
    /// cannot be written in it.
    fn put_into(&self, tree: GameTree) -> Result<(GameTree, u64), EditError> {
        let mut converted = tree.clone();
        let is_lossless = converted.convert_to_utf8()? == 0;
        let (mut tree, mut left_out) = (if is_lossless { converted } else { tree }, 0);
        for (name, values) in &self.taken {
            let texts = values.iter().map(Text::as_str);
            let set = match tree.set_list(NodeId::ROOT, name, texts.clone()) {
                // A line break in a property of one line is read as a space.
                Err(EditError::WhiteSpace { .. }) => tree.set_list(NodeId::ROOT, name, texts.map(SimpleText::new)),
                set => set,
            };
            match set {
                Err(EditError::Charset { .. }) => left_out += 1,
                set => set?,
            }
        }
        if is_lossless {
            tree.convert_to_utf8()?; // the new texts may be the first that are not ASCII
        }
        Ok((tree, left_out))
    }
}

/// Writes the best game of each group, with what it takes over, in the order of the inputs. Says what is not written.
pub(super) fn write(
    groups: &[Group],
    merged: &[Merged],
    games: &Games,
    paths: &Paths,
    progress: &Arc<Progress>,
    mut out: Output,
) -> io::Result<()> {
    let mut places = Places::new();
    let mut unread = 0_u64;
    for (group, merged) in groups.iter().zip(merged) {
        let best = &group.games[group.best];
        if merged.is_left_out {
            let place = games.place(best);
            progress.suspend(|| {
                warn(format_args!(
                    "{place}: not merged, because text that is not SGF would be lost; use --lossy to drop it"
                ));
            });
            continue;
        }
        unread += u64::from(games.file(best).is_stdin);
        // Otherwise its tree is too large, as was said when it was to be compared.
        if games.contents(best).is_some() {
            places.add(games, best, merged.clone());
        }
    }
    let make = |tree: GameTree, merged: &Merged, _: OfGame| -> io::Result<(Vec<u8>, u64)> {
        let (tree, left_out) = merged.put_into(tree).map_err(io::Error::other)?;
        Ok((tree.to_vec().map_err(io::Error::other)?, left_out))
    };
    let mut buffered = BufWriter::new(&mut out);
    let mut left_out = 0;
    reread::trees(places, paths, progress, make, |game| {
        let (bytes, left_out_of_game) = game?;
        left_out += left_out_of_game;
        buffered.write_all(&bytes)
    })?;
    buffered.flush()?;
    drop(buffered);
    out.finish()?;
    if unread > 0 {
        let what = if unread == 1 { "game is" } else { "games are" };
        progress.suspend(|| warn(format_args!("{unread} merged {what} not written; standard input is read once")));
    }
    if left_out > 0 {
        let properties = match left_out {
            1 => "1 property is".to_owned(),
            more => format!("{} properties are", grouped(more)),
        };
        progress.suspend(|| {
            warn(format_args!(
                "{properties} not taken over: their characters do not exist in the charset of the best game, which cannot \
                 be converted to UTF-8 without loss"
            ));
        });
    }
    Ok(())
}
