//! Merges games into one tree, by their moves.
//!
//! Two nodes are the same if their parents are, and if they have the same move and setup ([`key`], [`siblings`]). The nodes of
//! the other game that this tree lacks are copied; those that it has add properties to their counterparts ([`held`]). Game info
//! needs a look at the whole: it belongs to the first node that only its game has ([`info`]).
//!
//! A [`Merger`] remembers what it has read of the tree, so that a game takes as many steps as it has bytes, however large the
//! tree is. Identifiers have one meaning in a merge, that of the merged root, so that a second merge finds what the first wrote.

mod held;
mod in_force;
mod info;
mod key;
mod siblings;

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use self::held::Held;
pub(super) use self::info::is_info;
use self::info::{Facts, Holders};
use self::key::Key;
use self::siblings::Siblings;
use super::edit::{EditError, Place};
use super::{GameTree, NodeId, NodeProperty, packed};
use crate::node::RootFacts;
use crate::property::{self, Context, PropertyType};
use crate::value::RawValue;

/// The result of [`GameTree::merge`].
#[derive(Clone, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Merged {
    /// Number of nodes added.
    pub added: usize,
    /// The values that are left out because the node already has another value.
    pub left: Vec<Conflict>,
}

/// A value that [`GameTree::merge`] leaves out, and what the tree has instead.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Conflict {
    /// The node of the tree.
    pub node: NodeId,
    /// The name of the property.
    pub ident: String,
    /// The value that is left out, as it is written.
    pub value: Vec<u8>,
    /// The name of the property that the tree keeps. It is another one if both exclude each other, as `BM` and `TE` do.
    pub kept_ident: String,
    /// The values that the tree keeps, as they are written.
    ///
    /// For a label, it is the label of the same point; for other properties, the first 16 values at most.
    pub kept: Arc<[Vec<u8>]>,
}

/// No node of this tree.
const NONE: u32 = u32::MAX;

impl GameTree {
    /// Adds another game to this tree: where both have the same moves, they share nodes.
    ///
    /// * Nodes are the same if their moves and setup are, and those of all nodes above. Nodes without moves and setup are the
    ///   same in the order of their siblings. Other nodes are added as the last variations, so the main line stays.
    /// * A shared node gets the properties that it lacks. Different comments are joined with a blank line between them, and
    ///   lists such as marks are united. Of other properties, this tree keeps its value.
    /// * `HA` stays with the stones of `AB`. If other game info of the game moves, the rule `second-game-info` reports that.
    /// * A property of the root that the registry does not have stays in the root, like those of programs and charsets:
    ///   remove it with [`retain_properties`](Self::retain_properties) if it is about one game.
    /// * FF\[4\] allows game info once on each line. It moves to the first node that only its game has, as the
    ///   specification recommends, unless both games have the same. A line that ends within another game gets
    ///   a last node with its game info, and a game with variations repeats its game info where they leave the other game.
    ///   Such a last node has no other properties, and is not shared with a node of another game.
    /// * A property that is game info in some version of FF is game info here, regardless of the versions of both games.
    /// * If the roots have different setup or moves, these move to nodes below the root.
    ///
    /// To merge the same game again changes nothing. For many games, use a [`Merger`]. Values are copied byte for byte:
    /// convert games in different charsets with `convert_to_utf8` first. A tree without properties, such as [`GameTree::new`],
    /// becomes a copy.
    ///
    /// ```
    /// use sgf_stream::tree::GameTree;
    ///
    /// let mut book: GameTree = "(;GM[1]PB[Shusaku];B[qd];W[dc];B[pq]C[solid])".parse()?;
    /// let game: GameTree = "(;GM[1]PB[Shuwa];B[qd]C[hello];W[dc];B[oc])".parse()?;
    /// assert_eq!(book.merge(&game)?.added, 1);
    /// assert_eq!(
    ///     String::from_utf8(book.to_vec()?)?,
    ///     "(;GM[1];B[qd]C[hello];W[dc](;B[pq]C[solid]PB[Shusaku])(;B[oc]PB[Shuwa]))\n",
    /// );
    /// assert_eq!(book.merge(&game)?.added, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the games are of different kinds, or on boards of different sizes; then nothing changes. Also fails if
    /// the tree is full; a part of the other game is then merged.
    pub fn merge(&mut self, other: &GameTree) -> Result<Merged, EditError> {
        let mut merger = Merger::new(std::mem::take(self));
        let merged = merger.add(other);
        let (tree, written) = merger.finish();
        *self = tree;
        merged.and_then(|merged| written.map(|()| merged))
    }

    /// Moves the properties of the root that belong to its position or its game to a new node below it. `context` tells which
    /// they are.
    fn lower_root(&mut self, context: &Context) -> Result<(), EditError> {
        let stays = |property: &NodeProperty<'_>| {
            let row = property::lookup(property.ident(), context);
            row.is_none_or(|row| match row.property_type() {
                PropertyType::Root => true,
                // Some of SGF2 are game info in the root alone.
                PropertyType::GameInfo => !info::belongs_to_game(property.ident(), context),
                _ => false,
            })
        };
        let (mut kept, mut lowered) = (Vec::new(), Vec::new());
        for property in self.arena.properties(0) {
            let to = if stays(&property) { &mut kept } else { &mut lowered };
            packed::put_property(to, property.ident().as_bytes(), property.values().map(RawValue::as_bytes));
        }
        let below = self.push_down(0)?;
        self.set_packed(below, &lowered)?;
        self.set_packed(0, &kept)
    }
}

/// Merges many games into one tree, like [`GameTree::merge`].
///
/// The time is proportional to the length of the games.
///
/// ```
/// use sgf_stream::tree::{GameTree, Merger};
///
/// let mut merger = Merger::new("(;GM[1]PB[Shusaku];B[qd];W[dc])".parse()?);
/// for game in ["(;GM[1]PB[Shuwa];B[qd];W[oc])", "(;GM[1]PB[Jowa];B[dd])"] {
///     merger.add(&game.parse()?)?;
/// }
/// let (book, written) = merger.finish();
/// written?;
/// assert_eq!(format!("{book:?}"), "(;GM[1](;B[qd](;W[dc]PB[Shusaku])(;W[oc]PB[Shuwa]))(;B[dd]PB[Jowa]))");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Merger {
    tree: GameTree,
    /// The meaning of identifiers in the merged tree, for all games.
    context: Context,
    /// The contexts of games that were merged.
    contexts: Vec<Context>,
    /// The moves and setup of the root.
    root: Option<Key>,
    /// Children of nodes that have many.
    siblings: HashMap<u32, Siblings>,
    /// Properties that games have added to, except for game info. They are not yet in the tree.
    held: HashMap<u32, Held>,
    /// Number of bytes that are not yet in the tree.
    pending: usize,
    /// Facts of nodes with long properties.
    facts: HashMap<u32, Facts>,
    /// The nodes with each value of game info, once they are needed.
    holders: Option<Holders>,
}

impl Merger {
    /// Starts with a tree, to which games are added. A tree without properties becomes a copy of the first game.
    pub fn new(tree: GameTree) -> Self {
        Merger {
            context: tree.context,
            tree,
            contexts: Vec::new(),
            root: None,
            siblings: HashMap::new(),
            held: HashMap::new(),
            pending: 0,
            facts: HashMap::new(),
            holders: None,
        }
    }

    /// Adds a game: see [`GameTree::merge`].
    ///
    /// # Errors
    ///
    /// Fails if the game is of another kind than the tree, or on a board of another size; then nothing changes. Also fails if
    /// the tree is full; a part of the game is then merged.
    pub fn add(&mut self, other: &GameTree) -> Result<Merged, EditError> {
        if self.tree.len() == 1 && self.tree.root().properties().next().is_none() && self.held.is_empty() {
            self.tree.arena = other.arena.renumbered(0).0;
            self.tree.read_context();
            self.tree.read_charset();
            let added = self.tree.len() - 1;
            *self = Merger::new(std::mem::take(&mut self.tree));
            return Ok(Merged { added, left: Vec::new() });
        }
        let board = |context: &Context| (context.game(), context.board());
        if board(&self.context) != board(&other.context) {
            return Err(EditError::OtherBoard);
        }
        self.learn_context(other)?;
        let (before, context) = (self.tree.len(), self.context);
        let own = self.root.take().unwrap_or_else(|| Key::of(&self.tree, 0, &context));
        let (mut lowered, others) = (None, Key::of(other, 0, &context));
        let is_same = own == others;
        let own = match is_same || own.is_empty() {
            true => own,
            false => {
                self.write_all()?;
                self.forget();
                self.tree.lower_root(&context)?;
                Key::of(&self.tree, 0, &context)
            }
        };
        if !is_same && !others.is_empty() {
            lowered.insert(other.clone()).lower_root(&context)?;
        }
        self.root = Some(own);
        let left = Merging::of(self, lowered.as_ref().unwrap_or(other))?.place_info()?;
        Ok(Merged { added: self.tree.len() - before, left })
    }

    /// Ends the merge. Returns the tree. The result is an error if the tree is full; some nodes then lack properties.
    pub fn finish(mut self) -> (GameTree, Result<(), EditError>) {
        let written = self.write_all();
        (self.tree, written)
    }

    /// The root of another game may say which version of FF the identifiers are of, where the tree does not. All of the tree then
    /// has that meaning.
    fn learn_context(&mut self, other: &GameTree) -> Result<(), EditError> {
        if self.contexts.contains(&other.context) {
            return Ok(());
        }
        self.contexts.push(other.context);
        self.write_all()?;
        let mut facts = RootFacts::new();
        self.tree.arena.properties(0).for_each(|property| facts.note_all(property.ident(), property.values()));
        let root = self.tree.root();
        let new = other.arena.properties(0).filter(|property| !root.contains(&property.ident().name()));
        new.for_each(|property| facts.note_all(property.ident(), property.values()));
        let context = facts.root_context();
        if context != self.context {
            self.context = context;
            self.forget();
        }
        Ok(())
    }

    /// Forgets what is known of the nodes of the tree.
    fn forget(&mut self) {
        (self.root, self.holders) = (None, None);
        self.siblings.clear();
        self.facts.clear();
    }

    /// Writes the properties that games have added to.
    fn write_all(&mut self) -> Result<(), EditError> {
        let nodes: Vec<u32> = self.held.keys().copied().collect();
        nodes.into_iter().try_for_each(|node| self.write(node))
    }

    /// Writes the properties that games have added to a node.
    fn write(&mut self, node: u32) -> Result<(), EditError> {
        let Some(mut held) = self.held.remove(&node) else { return Ok(()) };
        self.pending -= held.pending;
        held.close();
        if let Some(packed) = held.written(self.tree.arena.properties(node)) {
            self.tree.set_packed(node, &packed)?;
            self.facts.remove(&node);
        }
        Ok(())
    }

    /// Returns the properties of a node, to add to them.
    fn held(&mut self, node: u32) -> &mut Held {
        let properties = self.tree.arena.properties(node);
        self.held.entry(node).or_insert_with(|| Held::of(properties))
    }

    /// Removes what is known of the children of a node, or finds it.
    fn take_siblings(&mut self, node: u32) -> Siblings {
        if let Some(siblings) = self.siblings.remove(&node) {
            return siblings;
        }
        let (mut siblings, mut next) = (Siblings::default(), self.tree.arena.first(node));
        while let Some(child) = next {
            next = self.tree.arena.next(child);
            siblings.cost += self.tree.arena.packed(child).len();
            if !self.is_ending(child) {
                siblings.add(child, Key::of(&self.tree, child, &self.context.after_root()));
            }
        }
        siblings
    }
}

impl fmt::Debug for Merger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Merger").field("nodes", &self.tree.len()).finish_non_exhaustive()
    }
}

/// The context of a node, given that of the root.
fn context_of(root: Context, node: u32) -> Context {
    if node == 0 { root } else { root.after_root() }
}

/// A merge of one game.
struct Merging<'m> {
    merger: &'m mut Merger,
    other: &'m GameTree,
    /// The nodes of the tree before the merge have smaller numbers.
    old: u32,
    /// For nodes of the other game: the same node in the tree, or the copy of a node whose parent is shared.
    image: Vec<u32>,
    /// The nodes of the other game that are shared, each after its parent.
    shared: Vec<u32>,
    left: Vec<Conflict>,
}

impl<'m> Merging<'m> {
    /// Adds the nodes of the other game, and all properties but game info.
    fn of(merger: &'m mut Merger, other: &'m GameTree) -> Result<Self, EditError> {
        let (old, image) = (merger.tree.arena.slots.len() as u32, vec![NONE; other.arena.slots.len()]);
        let mut merging = Merging { merger, other, old, image, shared: Vec::new(), left: Vec::new() };
        merging.image[0] = 0;
        let mut open = vec![0];
        while let Some(node) = open.pop() {
            merging.shared.push(node);
            merging.add_properties(node)?;
            merging.match_children(node, &mut open)?;
        }
        Ok(merging)
    }

    /// Finds the children of a shared node in the tree, or copies them there. Those that are found are open.
    fn match_children(&mut self, node: u32, open: &mut Vec<u32>) -> Result<(), EditError> {
        let children: Vec<u32> = self.children(node).collect();
        if children.is_empty() {
            return Ok(());
        }
        let (at, context) = (self.image[node as usize], self.merger.context.after_root());
        let mut siblings = self.merger.take_siblings(at);
        let (mut counts, mut new) = (HashMap::<Key, usize>::new(), Vec::new());
        for child in children {
            let key = Key::of(self.other, child, &context);
            let count = counts.entry(key.clone()).or_default();
            self.image[child as usize] = match siblings.nth(&key, *count) {
                Some(found) => {
                    *count += 1;
                    open.push(child);
                    found
                }
                None => {
                    let copied = super::Node { tree: self.other, id: child };
                    let copy = self.merger.graft(Place::LastChildOf(NodeId(at)), copied)?;
                    new.push((copy, key));
                    copy
                }
            };
        }
        new.into_iter().for_each(|(copy, key)| siblings.add(copy, key));
        if siblings.cost > Merger::MAX_READ {
            self.merger.siblings.insert(at, siblings);
        }
        Ok(())
    }

    /// Adds the properties of a node of the other game to its image, except for game info.
    fn add_properties(&mut self, node: u32) -> Result<(), EditError> {
        let at = self.image[node as usize];
        if self.merger.tree.arena.packed(at) == self.other.arena.packed(node) {
            return Ok(());
        }
        let (context, has_stones) = (context_of(self.merger.context, node), self.merger.facts(at).has_stones);
        for property in self.other.arena.properties(node) {
            let row = property::lookup(property.ident(), &context);
            if !info::moves(property.ident(), &context, has_stones) && !row.is_some_and(key::is_part) {
                self.add_property(at, property)?;
            }
        }
        Ok(())
    }

    /// Adds a property to a node of the tree.
    fn add_property(&mut self, at: u32, property: NodeProperty<'_>) -> Result<(), EditError> {
        let context = context_of(self.merger.context, at);
        let row = property::lookup(property.ident(), &context);
        let held = self.merger.held(at);
        let (added, left) = held.add(property, row, &context);
        held.pending += added;
        self.left.extend(left.into_iter().map(|left| Conflict {
            node: NodeId(at),
            ident: property.ident().name().into_owned(),
            value: left.value.to_vec(),
            kept_ident: left.kept_ident,
            kept: left.kept,
        }));
        let Merger { tree, pending, .. } = &mut *self.merger;
        *pending += added;
        if tree.arena.has_room(0, *pending) { Ok(()) } else { Err(EditError::Full) }
    }
}

impl Merger {
    /// Copies a node of another game, and those below it.
    fn graft(&mut self, place: Place, node: super::Node<'_>) -> Result<u32, EditError> {
        let before = self.tree.arena.slots.len() as u32;
        let copy = self.tree.graft(place, node)?.0;
        if self.holders.is_some() {
            for node in before..self.tree.arena.slots.len() as u32 {
                let info = self.info_of_game(node);
                self.holders.iter_mut().zip(info).for_each(|(holders, info)| info.hold(node, holders));
            }
        }
        Ok(copy)
    }
}

#[cfg(test)]
mod tests;
