//! The edits of a game.

use std::sync::Arc;

use sgf_stream::board::Symmetry;
use sgf_stream::table::Names;
use sgf_stream::tree::{EditError, GameTree, NodeId};

use super::condition::Conditions;
use super::parse::{Kind, Replace, Set};
use crate::show::{Line, Path};

/// All edits, in the order in which they are made.
pub(crate) struct Edits {
    /// The games that are edited.
    pub(super) conditions: Conditions,
    pub(super) names: Arc<Names>,
    pub(super) set: Vec<Set>,
    pub(super) lines: Lines,
    pub(super) anonymise: bool,
    pub(super) strip: Vec<Kind>,
    pub(super) drop: Vec<String>,
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
        let Edits { conditions: _, names: _, set, lines, anonymise, strip, drop, replace, symmetry, swap_colors } =
            self;
        set.is_empty()
            && matches!(lines, Lines::All)
            && !anonymise
            && strip.is_empty()
            && drop.is_empty()
            && replace.is_empty()
            && symmetry.is_none()
            && !swap_colors
    }

    /// Edits a game. Returns the number of values that could not be read.
    ///
    /// # Errors
    ///
    /// Fails if an edit does not apply to the game, which may have changed then.
    pub(super) fn apply(&self, tree: &mut GameTree) -> Result<usize, String> {
        let message = |error: EditError| error.to_string();
        for Set { ident, value } in &self.set {
            let is_known = tree.root().text(ident).is_some_and(|text| text == *value);
            if !is_known {
                tree.set(NodeId::ROOT, ident, value.as_str()).map_err(message)?;
            }
        }
        if !self.names.is_empty() {
            self.each_node(tree, |tree, id| rename(tree, id, &self.names).map_err(message))?;
        }
        match &self.lines {
            Lines::All | Lines::Split => {}
            Lines::Main => _ = tree.keep_main_line(),
            Lines::Of(path) => {
                let end = Line::of(tree, path).map_err(|error| format!("--extract: {error}"))?.end().id();
                tree.make_main_line(end).map_err(message)?;
                tree.keep_main_line();
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
                    || self.drop.iter().any(|name| ident == **name)
                    || self.anonymise && NAMES.iter().any(|name| ident == *name);
                !is_dropped
            })
            .map_err(message)?;
        }
        for replace in &self.replace {
            self.each_node(tree, |tree, node| replace.apply(tree, node).map_err(message))?;
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
        if texts.iter().zip(&new).all(|(old, new)| *old == **new) {
            return Ok(());
        }
        let new: Vec<String> = new.into_iter().map(|text| text.into_owned()).collect();
        tree.set_list(id, &self.ident, new)
    }
}
