//! Edits of the shape of a tree: nodes are added, moved, copied, removed.

use super::arena::Link;
use super::{GameTree, NodeId};
use crate::value::game::Game;

/// A position for a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// Before the other children of this node: it continues the line.
    FirstChildOf(NodeId),
    /// After the other children of this node: a variation, unless it is the only child.
    LastChildOf(NodeId),
    /// Before this node, as a child of the same parent.
    Before(NodeId),
    /// After this node, as a child of the same parent.
    After(NodeId),
}

/// Error from an edit. The tree is left unchanged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// The node was removed, or no node ever had this id.
    #[error("node {0} does not exist")]
    NoSuchNode(NodeId),
    /// The root cannot be removed or moved, and has no siblings.
    #[error("the root cannot be removed, moved, or have siblings")]
    IsRoot,
    /// A node cannot be moved under itself.
    #[error("node {0} cannot be moved under itself")]
    UnderItself(NodeId),
    /// Identifiers consist of letters and digits, start with a letter, and have an upper-case letter.
    #[error("expected an identifier of upper-case letters, found {0:?}")]
    Ident(String),
    /// Properties have at least one value.
    #[error("property {0} needs at least one value")]
    NoValue(String),
    /// The text is not ASCII, and other programs would misread it.
    ///
    /// The charset of the game lacks some of its characters, or is unknown. Call `GameTree::convert_to_utf8` (feature `charset`)
    /// first.
    #[error("the text cannot be written in the charset of the game ({0}); call `GameTree::convert_to_utf8` first")]
    Charset(String),
    /// `CA` was set to an unknown name, or to a charset such as UTF-16.
    ///
    /// SGF cannot be written in a charset in which ASCII is not ASCII.
    #[error("CA: {0:?} is unknown, or a charset in which ASCII is not ASCII; use a name such as UTF-8")]
    CharsetName(String),
    /// A text cannot be written in the charset that `CA` was set to.
    #[error("{property}[{text}] cannot be written in {charset}; UTF-8 has all characters")]
    Unencodable {
        /// The identifier of the property.
        property: String,
        /// The first characters of the value.
        text: String,
        /// The name that `CA` was set to.
        charset: String,
    },
    /// A value has bytes that are invalid in its charset.
    ///
    /// It cannot be converted to another one.
    #[error("{property} has bytes that are invalid in {charset}; `GameTree::convert_to_utf8` replaces them")]
    BadBytes {
        /// The identifier of the property.
        property: String,
        /// The charset of the value.
        charset: String,
    },
    /// A text has white space that reading would convert.
    ///
    /// This is a tab, vertical tab, form feed or carriage return, or a line break in a property of one line. A text is
    /// never changed silently. [`Text::new`](crate::value::Text::new) and
    /// [`SimpleText::new`](crate::value::SimpleText::new) convert a text as reading would.
    #[error("{property}: the text has {found}; replace them with {instead}")]
    WhiteSpace {
        /// The identifier of the property.
        property: String,
        /// The white space, and why it cannot be written.
        found: &'static str,
        /// What can be written instead.
        instead: &'static str,
    },
    /// Infinite numbers and NaN cannot be written.
    #[error("property {0} needs a finite number")]
    NotFinite(String),
    /// The game would be a different one, because its rules distinguish directions.
    #[error("games of {} cannot be turned or mirrored in this way", .0.name())]
    Symmetry(Game),
    /// The size of the board is unknown, and the game has no usual one.
    #[error("the size of the board is unknown; set SZ")]
    NoSize,
    /// With exchanged colors the game would be a different one.
    #[error("the colors of games of {} cannot be exchanged", .0.name())]
    Colors(Game),
    /// With exchanged colors the result would be wrong, because it names the winner in words.
    #[error("the result {0:?} names the winner in words; write it as B+ or W+ first, or remove it")]
    Winner(String),
    /// Games of different kinds, or on boards of different sizes, cannot be one tree.
    #[error("a game of another kind, or on a board of another size, cannot be merged")]
    OtherBoard,
    /// The tree has the maximum number of nodes or bytes: 4 billion, 2 GiB.
    #[error("the tree is full (4 billion nodes or 2 GiB of properties)")]
    Full,
}

/// Edits of the shape.
impl GameTree {
    /// Adds a node without properties.
    ///
    /// ```
    /// use sgf_stream::tree::{GameTree, NodeId, Place};
    ///
    /// let mut game = GameTree::new();
    /// game.set(NodeId::ROOT, "SZ", 9)?;
    /// let (mut last, mut color) = (NodeId::ROOT, ["B", "W"].into_iter().cycle());
    /// for point in ["ee", "cc", "gg"] {
    ///     last = game.add(Place::LastChildOf(last))?;
    ///     game.set(last, color.next().unwrap(), point)?;
    /// }
    /// assert_eq!(game.to_vec().unwrap(), b"(;SZ[9];B[ee];W[cc];B[gg])\n");
    /// # Ok::<(), sgf_stream::tree::EditError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the position does not exist, or if the tree is full.
    pub fn add(&mut self, place: Place) -> Result<NodeId, EditError> {
        let link = self.link_of(place)?;
        if !self.arena.has_room(1, 0) {
            return Err(EditError::Full);
        }
        let at_the_end = matches!(link, Link::Last(parent) if parent as usize + 1 == self.arena.slots.len());
        self.arena.in_order &= at_the_end;
        let node = self.arena.push();
        self.arena.link(node, link);
        Ok(NodeId(node))
    }

    /// Removes a node and its descendants. Returns the number of nodes removed.
    ///
    /// # Errors
    ///
    /// Fails if it is the root, or does not exist.
    pub fn remove(&mut self, node: NodeId) -> Result<usize, EditError> {
        let node = self.below_root(node)?;
        self.arena.unlink(node);
        let nodes: Vec<u32> = self.arena.preorder(node).collect();
        nodes.iter().for_each(|&node| self.arena.forget(node));
        self.arena.in_order = false;
        Ok(nodes.len())
    }

    /// Removes a node but keeps its descendants: its children take its place.
    ///
    /// # Errors
    ///
    /// Fails if it is the root, or does not exist.
    pub fn remove_node_keep_children(&mut self, node: NodeId) -> Result<(), EditError> {
        let node = self.below_root(node)?;
        while let Some(child) = self.arena.first(node) {
            self.arena.unlink(child);
            self.arena.link(child, Link::Before(node));
        }
        self.arena.unlink(node);
        self.arena.forget(node);
        self.arena.in_order = false;
        Ok(())
    }

    /// Moves a node and its descendants.
    ///
    /// # Errors
    ///
    /// Fails if it is the root, or does not exist; if the position does not exist, or is below the node.
    pub fn move_to(&mut self, node: NodeId, place: Place) -> Result<(), EditError> {
        let moved = self.below_root(node)?;
        if matches!(place, Place::Before(other) | Place::After(other) if other == node) {
            return Ok(());
        }
        let (parent, before) = match self.link_of(place)? {
            Link::First(parent) => (parent, self.arena.first(parent)),
            Link::Last(parent) => (parent, None),
            Link::Before(sibling) => (self.arena.slot(sibling).parent, Some(sibling)),
        };
        if self.arena.is_at_or_above(moved, parent) {
            return Err(EditError::UnderItself(node));
        }
        if before == Some(moved) {
            return Ok(()); // it is there already
        }
        self.arena.unlink(moved);
        self.arena.link(moved, before.map_or(Link::Last(parent), Link::Before));
        self.arena.in_order = false;
        Ok(())
    }

    /// Moves a node and its descendants one position up among its siblings.
    ///
    /// Returns whether it moved: the first sibling cannot.
    ///
    /// # Errors
    ///
    /// Fails if it does not exist.
    pub fn promote(&mut self, node: NodeId) -> Result<bool, EditError> {
        let node = self.there(node)?;
        let Some(previous) = self.arena.previous(node) else { return Ok(false) };
        self.arena.unlink(node);
        self.arena.link(node, Link::Before(previous));
        self.arena.in_order = false;
        Ok(true)
    }

    /// Makes the line of a node the main line.
    ///
    /// The node and all its ancestors become first children.
    ///
    /// # Errors
    ///
    /// Fails if it does not exist.
    pub fn make_main_line(&mut self, node: NodeId) -> Result<(), EditError> {
        let node = self.there(node)?;
        let mut at = node;
        while let Some(parent) = self.arena.parent(at) {
            if self.arena.slot(parent).first != at {
                self.arena.unlink(at);
                self.arena.link(at, Link::First(parent));
                self.arena.in_order = false;
            }
            at = parent;
        }
        Ok(())
    }

    /// Removes all nodes outside the main line. Returns the number of nodes removed.
    ///
    /// ```
    /// use sgf_stream::tree::GameTree;
    ///
    /// let mut game = GameTree::from_slice(b"(;B[dd](;W[pp];B[dp])(;W[dp]))")?;
    /// assert_eq!(game.keep_main_line(), 1);
    /// assert_eq!(game.to_vec().unwrap(), b"(;B[dd];W[pp];B[dp])\n");
    /// # Ok::<(), sgf_stream::tree::TreeError>(())
    /// ```
    ///
    /// To keep another line, [make it the main line](Self::make_main_line) first. The game info of a merged game is where it
    /// leaves the others: [`move_game_info_to_root`](Self::move_game_info_to_root) moves it to the root.
    pub fn keep_main_line(&mut self) -> usize {
        let line: Vec<u32> = self.main_line().skip(1).map(|node| node.id).collect();
        let mut removed = 0;
        for node in line {
            while let Some(sibling) = self.arena.next(node) {
                self.arena.unlink(sibling);
                let nodes: Vec<u32> = self.arena.preorder(sibling).collect();
                nodes.iter().for_each(|&node| self.arena.forget(node));
                removed += nodes.len();
            }
        }
        self.arena.in_order &= removed == 0;
        removed
    }

    /// Copies a node and its descendants to a position in this tree. Returns the copy's id.
    ///
    /// The node may be of another tree, such as a clone of this one. Values are copied byte for byte: convert games in
    /// different charsets with `convert_to_utf8` first.
    ///
    /// ```
    /// use sgf_stream::tree::{GameTree, NodeId, Place};
    ///
    /// // Two games with the same opening.
    /// let mut book: GameTree = "(;B[qd];W[dc];B[pq])".parse()?;
    /// let game: GameTree = "(;B[qd];W[dc];B[oc];W[cp])".parse()?;
    /// book.graft(Place::LastChildOf(NodeId::new(1).unwrap()), game.nth(2).unwrap())?;
    /// assert_eq!(book.to_vec()?, b"(;B[qd];W[dc](;B[pq])(;B[oc];W[cp]))\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the position does not exist, or if the tree is full.
    pub fn graft(&mut self, place: Place, node: super::Node<'_>) -> Result<NodeId, EditError> {
        let link = self.link_of(place)?;
        let from = &node.tree.arena;
        let (nodes, bytes) =
            from.preorder(node.id).fold((0, 0), |(n, len), node| (n + 1, len + from.packed(node).len()));
        if !self.arena.has_room(nodes, bytes) {
            return Err(EditError::Full);
        }
        self.arena.make_room(bytes);
        let copy = self.arena.copy(from, node.id);
        let (mut old, mut at) = (node.id, copy);
        while let Some((next, up)) = from.successor(old, node.id) {
            let parent = (0..up).fold(at, |at, _| self.arena.slot(at).parent);
            at = self.arena.copy(from, next);
            self.arena.link(at, Link::Last(parent));
            if from.starts_tree(next) && !from.branches(from.slot(next).parent) {
                self.arena.set_brackets(at, true);
            }
            old = next;
        }
        self.arena.link(copy, link);
        self.arena.in_order = false;
        Ok(NodeId(copy))
    }

    /// Copies a node and its descendants to a new tree, as its root.
    ///
    /// The new tree does not have the game facts of this tree's root.
    ///
    /// # Errors
    ///
    /// Fails if the node does not exist.
    pub fn subtree(&self, node: NodeId) -> Result<GameTree, EditError> {
        let (arena, _) = self.arena.renumbered(self.there(node)?);
        Ok(GameTree::of(
            arena,
            #[cfg(feature = "charset")]
            self.decoding,
        ))
    }

    /// Renumbers the nodes in file order, and frees the memory of removed ones.
    ///
    /// Invalidates all ids: a node is then at [`NodeId::new`] of its former [`number`](super::Node::number).
    pub fn renumber(&mut self) {
        self.arena = self.arena.renumbered(0).0;
    }

    /// Adds a node between this one and its children.
    pub(super) fn push_down(&mut self, node: u32) -> Result<u32, EditError> {
        if !self.arena.has_room(1, 0) {
            return Err(EditError::Full);
        }
        let below = self.arena.push();
        while let Some(child) = self.arena.first(node) {
            self.arena.unlink(child);
            self.arena.link(child, Link::Last(below));
        }
        self.arena.link(below, Link::Last(node));
        self.arena.in_order = false;
        Ok(below)
    }

    pub(super) fn there(&self, node: NodeId) -> Result<u32, EditError> {
        if self.arena.is_there(node.0) { Ok(node.0) } else { Err(EditError::NoSuchNode(node)) }
    }

    fn below_root(&self, node: NodeId) -> Result<u32, EditError> {
        if node == NodeId::ROOT { Err(EditError::IsRoot) } else { self.there(node) }
    }

    fn link_of(&self, place: Place) -> Result<Link, EditError> {
        Ok(match place {
            Place::FirstChildOf(parent) => Link::First(self.there(parent)?),
            Place::LastChildOf(parent) => Link::Last(self.there(parent)?),
            Place::Before(sibling) => Link::Before(self.below_root(sibling)?),
            Place::After(sibling) => {
                let sibling = self.below_root(sibling)?;
                match (self.arena.next(sibling), self.arena.parent(sibling)) {
                    (Some(next), _) => Link::Before(next),
                    (None, Some(parent)) => Link::Last(parent),
                    (None, None) => return Err(EditError::IsRoot),
                }
            }
        })
    }
}
