//! The edits of a game.

use std::sync::Arc;

use sgf_board::Symmetry;
use sgf_stream::Parser;
use sgf_stream::tree::{EditError, GameTree, NodeId};
use sgf_table::Names;

use super::drop::{self, Drop};
use super::parse::{Kind, Replace, Set};
use crate::input::Conditions;
use crate::show::{Line, Path};

/// All edits, in the order in which they are made.
pub(crate) struct Edits {
    /// The games that are edited.
    pub(super) conditions: Conditions,
    /// The number of the only game of each file that is edited, from 0.
    pub(super) game: Option<u64>,
    pub(super) names: Arc<Names>,
    pub(super) set: Vec<Set>,
    pub(super) lines: Lines,
    pub(super) anonymise: bool,
    pub(super) strip: Vec<Kind>,
    pub(super) drop: Vec<Drop>,
    pub(super) drops_final_passes: bool,
    pub(super) drops_empty_nodes: bool,
    pub(super) replace: Vec<Replace>,
    pub(super) symmetry: Option<Symmetry>,
    pub(super) swap_colors: bool,
}

/// The lines of a game that are kept.
pub(super) enum Lines {
    All,
    Main,
    Of(Path),
    /// All of them, each as a game.
    Split,
}

/// Properties that name people, besides the names of the two players.
const NAMES: [&str; 13] = ["AN", "BE", "BP", "BT", "CM", "GN", "ID", "OS", "PI", "US", "WE", "WP", "WT"];

impl Edits {
    pub(super) fn is_empty(&self) -> bool {
        let Edits { set, lines, anonymise, strip, drop, replace, symmetry, swap_colors, .. } = self;
        set.is_empty()
            && matches!(lines, Lines::All)
            && !anonymise
            && strip.is_empty()
            && drop.is_empty()
            && !self.drops_final_passes
            && !self.drops_empty_nodes
            && replace.is_empty()
            && symmetry.is_none()
            && !swap_colors
    }

    /// Returns whether a game is to be edited. `number`: its number in the file, from 0. The parser is that of its input.
    pub(super) fn are_for(&self, number: u64, tree: &GameTree, parser: &Parser) -> bool {
        let holds = || {
            self.conditions.columns().next().is_none()
                || tree.to_vec().is_ok_and(|game| self.conditions.hold(&game, parser))
        };
        self.game.is_none_or(|game| game == number) && holds()
    }

    /// Edits a game. Returns the number of values that could not be read.
    ///
    /// # Errors
    ///
    /// Fails if an edit does not apply to the game, which may have changed then.
    pub(super) fn apply(&self, tree: &mut GameTree) -> Result<usize, String> {
        let message = |error: EditError| error.to_string();
        for Set { ident, value } in &self.set {
            let root = tree.root();
            let is_set = root.values(ident).count() == 1 && root.text(ident).is_some_and(|text| text == *value);
            if !is_set {
                tree.set(NodeId::ROOT, ident, value.as_str()).map_err(message)?;
            }
        }
        if !self.names.is_empty() {
            self.each_node(tree, |tree, id| rename(tree, id, &self.names).map_err(message))?;
        }
        match &self.lines {
            Lines::All | Lines::Split => {}
            Lines::Main => keep_main_line(tree),
            Lines::Of(path) => {
                let end = Line::of(tree, path).map_err(|error| format!("--extract: {error}"))?.end().id();
                tree.make_main_line(end).map_err(message)?;
                keep_main_line(tree);
            }
        }
        if self.anonymise {
            for (ident, name) in [("PB", "Black"), ("PW", "White")] {
                if tree.nodes().any(|node| node.contains(ident)) {
                    self.each_node(tree, |tree, node| {
                        match tree.node(node).is_some_and(|node| node.contains(ident)) {
                            true => tree.set(node, ident, name).map_err(message),
                            false => Ok(()),
                        }
                    })?;
                }
            }
        }
        if self.anonymise || !self.strip.is_empty() || !self.drop.is_empty() {
            tree.retain_properties(|property, known| {
                let ident = property.ident();
                let is_dropped = self.strip.iter().any(|kind| kind.has(known))
                    || self.drop.iter().any(|drop| drop.drops_all(ident))
                    || self.anonymise && NAMES.iter().any(|name| ident == *name);
                !is_dropped
            })
            .map_err(message)?;
        }
        for drop in self.drop.iter().filter(|drop| drop.has_test()) {
            self.each_node(tree, |tree, node| drop.apply(tree, node).map_err(message))?;
        }
        for replace in &self.replace {
            self.each_node(tree, |tree, node| replace.apply(tree, node).map_err(message))?;
        }
        if self.drops_final_passes {
            drop::final_passes(tree).map_err(message)?;
        }
        if self.drops_empty_nodes {
            drop::empty_nodes(tree).map_err(message)?;
        }
        let mut left = 0;
        if let Some(symmetry) = self.symmetry {
            left += tree.transform(symmetry).map_err(message)?.left;
        }
        if self.swap_colors {
            left += tree.swap_colors().map_err(message)?.left;
        }
        Ok(left)
    }

    fn each_node(
        &self,
        tree: &mut GameTree,
        mut edit: impl FnMut(&mut GameTree, NodeId) -> Result<(), String>,
    ) -> Result<(), String> {
        let nodes: Vec<NodeId> = tree.nodes().map(|node| node.id()).collect();
        nodes.into_iter().try_for_each(|node| edit(tree, node))
    }

    /// Whether each line becomes a game.
    pub(super) fn splits(&self) -> bool {
        matches!(self.lines, Lines::Split)
    }
}

/// Drops all variations. If there are any, the game info of the line moves to the root, as in a line that was split off.
fn keep_main_line(tree: &mut GameTree) {
    if tree.keep_main_line() > 0 {
        tree.move_game_info_to_root();
    }
}

/// Replaces the names of players in a node.
fn rename(tree: &mut GameTree, id: NodeId, names: &Names) -> Result<(), EditError> {
    for ident in ["PB", "PW"] {
        let name = tree.node(id).and_then(|node| node.text(ident));
        if let Some(name) = name.and_then(|name| names.get(&name)) {
            tree.set(id, ident, name)?;
        }
    }
    Ok(())
}

impl Replace {
    fn apply(&self, tree: &mut GameTree, id: NodeId) -> Result<(), EditError> {
        let Some(node) = tree.node(id).filter(|node| node.contains(&self.ident)) else { return Ok(()) };
        let Ok(texts) = node.list::<String>(&self.ident) else { return Ok(()) };
        let new: Vec<_> = texts.iter().map(|text| self.regex.replace_all(text, self.text.as_str())).collect();
        let is_same: Vec<bool> = texts.iter().zip(&new).map(|(old, new)| *old == **new).collect();
        if !is_same.contains(&false) {
            return Ok(());
        }
        let old: Vec<Vec<u8>> = node.values(&self.ident).map(|value| value.as_bytes().to_vec()).collect();
        tree.set_list(id, &self.ident, new.into_iter().map(|text| text.into_owned()).collect::<Vec<String>>())?;
        // The values in which nothing matches keep their bytes.
        let Some(node) = tree.node(id) else { return Ok(()) };
        let written: Vec<Vec<u8>> = node.values(&self.ident).map(|value| value.as_bytes().to_vec()).collect();
        if old.len() != written.len() || old.len() != is_same.len() {
            return Ok(());
        }
        let values = old.into_iter().zip(written).zip(is_same);
        let values = values.map(|((old, new), is_same)| if is_same { old } else { new });
        tree.set_raw(id, &self.ident, values)
    }
}
