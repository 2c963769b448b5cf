//! The rules about the structure of a file: lone variations, games that differ from the first.

use sgf_stream::Position;

use super::diagnostic::Site;
use super::go::GoPosition;
use super::part::FirstGame;
use super::report::{Report, To};
use super::state::{GameState, Node, Path};
use super::{Rule, Rules};

/// Maximum number of levels whose memory is kept from game to game.
const LEVELS_KEPT: usize = 1024;

/// The open trees, and the facts of the first game.
#[derive(Debug)]
pub(super) struct Structure {
    checks_lone: bool,
    /// Whether the next node is the first of a variation.
    pub(super) tree_starts: bool,
    /// Child trees of the open tree.
    children: Children,
    levels: Vec<Level>,
    /// FF, GM and CA of the first game.
    pub(super) first: Option<FirstGame>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Children {
    count: u32,
    first: u64,
    /// Position of the first, if the rule is on.
    position: Option<Position>,
}

/// State that is restored at the end of a variation.
#[derive(Clone, Copy, Debug)]
struct Level {
    path: Path,
    children: Children,
    has_position: bool,
}

impl Structure {
    pub(super) fn new(rules: &Rules) -> Self {
        Structure {
            checks_lone: rules.severity(Rule::LoneVariation).is_some(),
            tree_starts: false,
            children: Children::default(),
            levels: Vec::new(),
            first: None,
        }
    }

    pub(super) fn begin_game(&mut self) {
        self.tree_starts = false;
        self.children = Children::default();
        self.levels.clear();
        self.levels.shrink_to(LEVELS_KEPT);
    }

    /// Begins a variation.
    pub(super) fn start_tree(&mut self, path: Path, position: &mut GoPosition, report: &mut Report, at: u64) {
        self.children.count = self.children.count.saturating_add(1);
        if self.children.count == 1 && self.checks_lone {
            self.children.first = at;
            self.children.position = report.locate(at);
        }
        self.tree_starts = true;
        let has_position = position.enter_variation(self.levels.len());
        self.levels.push(Level { path, children: self.children, has_position });
        self.children = Children::default();
    }

    /// Ends a variation and restores the state before it.
    pub(super) fn end_tree(&mut self, path: &mut Path, position: &mut GoPosition) {
        let level = self.levels.pop();
        debug_assert!(level.is_some(), "a tree that ends has begun");
        if let Some(level) = level {
            (*path, self.children) = (level.path, level.children);
            position.leave_variation(level.has_position);
        }
    }

    /// Reports a lone child tree of the open tree, at the end of the open tree.
    pub(super) fn end_children(&self, report: &mut Report, to: To<'_>) {
        if self.children.count == 1 && self.checks_lone {
            let Children { first, position, .. } = self.children;
            // Whether the window still has the bytes of the tree depends on the chunks, so no property is named.
            let site = Site { span: first..first + 1, position, property: None };
            report.find_at(Rule::LoneVariation, site, "the variation has no sibling", Vec::new());
            report.flush(to);
        }
    }

    /// Compares the facts of a root with those of the first game.
    pub(super) fn compare_with_first(&mut self, game: &GameState, node: &Node, report: &mut Report, ca: Option<&[u8]>) {
        let at = node.offset;
        let (ff, number) = (game.ff, game.context.game());
        let label = ca.unwrap_or_default();
        let Some((first_ff, first_game, first_ca)) = &self.first else {
            self.first = Some((ff, number, label.to_ascii_uppercase()));
            return;
        };
        let differs = [
            (Rule::VersionDiffers, *first_ff != ff, "FF"),
            (Rule::GameDiffers, *first_game != number, "GM"),
            (Rule::CharsetDiffers, !is_same_charset(first_ca, label), "CA"),
        ];
        for (rule, differs, ident) in differs {
            if differs {
                report.find(node, rule, at..at + 1, format!("{ident} differs from that of the first game"));
            }
        }
    }
}

/// Returns whether two names mean the same charset.
pub(super) fn is_same_charset(label: &[u8], other: &[u8]) -> bool {
    if label.eq_ignore_ascii_case(other) {
        return true;
    }
    if let Some(charset) = sgf_stream::charset::Charset::for_name(label) {
        return sgf_stream::charset::Charset::for_name(other) == Some(charset);
    }
    false
}
