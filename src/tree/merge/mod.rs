//! Merges games into one tree, by their moves.
//!
//! Two nodes are the same if their parents are, and if they have the same move and setup ([`key`]). The nodes of the other
//! game that this tree lacks are copied; those that it has add properties to their counterparts. Game info needs a look at
//! the whole: it belongs to the first node that only its game has ([`info`]).

mod info;
mod key;

use std::borrow::Cow;

use self::info::Info;
pub(super) use self::info::is_info;
use super::edit::{EditError, Place};
use super::{GameTree, NodeId, NodeProperty, packed};
use crate::property::{self, Context, List, Property, PropertyType, ValueType};
use crate::syntax::event::Ident;
use crate::value::RawValue;
use crate::value::typed::trim;

/// The result of [`GameTree::merge`].
#[derive(Clone, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Merged {
    /// Number of nodes added.
    pub added: usize,
    /// The values that are left out because the node already has another value.
    pub left: Vec<LeftOut>,
}

/// A value that [`GameTree::merge`] leaves out, and what the tree has instead.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeftOut {
    /// The node of the tree.
    pub node: NodeId,
    /// The name of the property.
    pub ident: String,
    /// The value that is left out, as it is written.
    pub value: Vec<u8>,
    /// The name of the property that the tree keeps. It is another one if both exclude each other, as `BM` and `TE` do.
    pub kept_ident: String,
    /// Its values, as they are written.
    pub kept: Vec<Vec<u8>>,
}

/// No node of this tree.
const NONE: u32 = u32::MAX;

/// Annotations that exclude each other.
const EXCLUSIVE: [&[&str]; 2] = [&["BM", "DO", "IT", "TE"], &["DM", "GB", "GW", "UC"]];

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
    /// * If the roots have different setup or moves, these move to nodes below the root.
    ///
    /// To merge the same game again changes nothing. Values are copied byte for byte: convert games in different charsets
    /// with `to_utf8` first. A tree without properties, such as [`GameTree::new`], becomes a copy.
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
        if self.len() == 1 && self.root().properties().next().is_none() {
            self.arena = other.arena.renumbered(0).0;
            self.read_context();
            self.read_charset();
            return Ok(Merged { added: self.len() - 1, left: Vec::new() });
        }
        let board = |tree: &GameTree| (tree.context.game(), tree.context.board());
        if board(self) != board(other) {
            return Err(EditError::OtherBoard);
        }
        let (before, keys) = (self.len(), [self.key_of(0), other.key_of(0)]);
        let mut lowered = None;
        if keys[0] != keys[1] {
            if !keys[0].is_empty() {
                self.lower_root()?;
            }
            if !keys[1].is_empty() {
                lowered.insert(other.clone()).lower_root()?;
            }
        }
        let merging = Merging::of(self, lowered.as_ref().unwrap_or(other))?;
        let left = merging.place_info()?;
        Ok(Merged { added: self.len() - before, left })
    }

    /// Moves the properties of the root that belong to its position or its game to a new node below it.
    fn lower_root(&mut self) -> Result<(), EditError> {
        let stays = |property: &NodeProperty<'_>| {
            let row = property::lookup(property.ident(), &self.context);
            row.is_none_or(|row| match row.property_type() {
                PropertyType::Root => true,
                PropertyType::GameInfo => !is_info(property.ident(), &self.context),
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

/// A merge, of which the nodes and all properties but game info are done.
struct Merging<'t> {
    tree: &'t mut GameTree,
    other: &'t GameTree,
    /// The nodes of the tree before the merge have smaller numbers.
    old: u32,
    /// For nodes of the other game: the same node in the tree, or the copy of a node whose parent is shared.
    image: Vec<u32>,
    /// The nodes of the other game that are shared, each after its parent.
    shared: Vec<u32>,
    left: Vec<LeftOut>,
}

impl<'t> Merging<'t> {
    fn of(tree: &'t mut GameTree, other: &'t GameTree) -> Result<Self, EditError> {
        let (old, image) = (tree.arena.slots.len() as u32, vec![NONE; other.arena.slots.len()]);
        let mut merging = Merging { tree, other, old, image, shared: Vec::new(), left: Vec::new() };
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
        let at = self.image[node as usize];
        let mut candidates: Option<Vec<_>> = None;
        let mut next = self.other.arena.first(node);
        while let Some(child) = next {
            next = self.other.arena.next(child);
            let candidates = candidates.get_or_insert_with(|| {
                let children = self.old_children(at);
                children.map(|child| (child, self.tree.key_of(child))).collect()
            });
            let key = self.other.key_of(child);
            let same = candidates.iter().enumerate().filter(|(_, (_, other))| *other == key);
            let found = match key.is_empty() {
                false => same.map(|(index, _)| index).next(),
                true => self.same_of(child, same.map(|(index, (candidate, _))| (index, *candidate))),
            };
            self.image[child as usize] = match found {
                Some(index) => {
                    open.push(child);
                    candidates.remove(index).0
                }
                None => {
                    let copied = super::Node { tree: self.other, id: child };
                    self.tree.graft(Place::LastChildOf(NodeId(at)), copied)?.0
                }
            };
        }
        Ok(())
    }

    /// Returns the first of some nodes without moves and setup that is the same as one of the other game.
    ///
    /// A node that has only the game info of another game is not, so its info tells.
    fn same_of(&self, node: u32, candidates: impl Iterator<Item = (usize, u32)>) -> Option<usize> {
        let (mut own, mut second) = (None, None);
        for (index, candidate) in candidates {
            let own = own.get_or_insert_with(|| Info::in_force(self.other, node)).as_ref();
            match (own, Info::of(self.tree, candidate)) {
                (own, info) if info.as_ref() == own => return Some(index),
                (Some(_), Some(_)) => {}
                _ => second = second.or(Some(index)),
            }
        }
        second
    }

    /// Returns the children that a node of the tree had before the merge.
    fn old_children(&self, node: u32) -> impl Iterator<Item = u32> {
        let arena = &self.tree.arena;
        std::iter::successors(arena.first(node), |&child| arena.next(child)).filter(|&child| child < self.old)
    }

    /// Adds the properties of a node of the other game to its image, except for game info.
    fn add_properties(&mut self, node: u32) -> Result<(), EditError> {
        let at = self.image[node as usize];
        if self.tree.arena.packed(at) == self.other.arena.packed(node) {
            return Ok(());
        }
        let context = self.other.context_at(node);
        let own = super::Node { tree: self.tree, id: at };
        let has_stones = info::has_stones(self.other, node);
        let mut edits: Vec<(Ident<'_>, Vec<Cow<'_, [u8]>>)> = Vec::new();
        for property in self.other.arena.properties(node) {
            let row = property::lookup(property.ident(), &context);
            let name = property.ident();
            if info::moves(name, &context, has_stones) || row.is_some_and(key::is_part) {
                continue;
            }
            let values: Vec<&[u8]> = property.values().map(RawValue::as_bytes).collect();
            let excluding = EXCLUSIVE.iter().find(|names| names.iter().any(|other| name == *other));
            let is_same = |known: &NodeProperty<'_>| known.ident() == name;
            let excludes = |known: &NodeProperty<'_>| {
                excluding.is_some_and(|names| names.iter().any(|other| known.ident() == *other))
            };
            let Some(known) = own.properties().find(is_same).or_else(|| own.properties().find(excludes)) else {
                edits.push((name, values.into_iter().map(Cow::Borrowed).collect()));
                continue;
            };
            let old: Vec<&[u8]> = known.values().map(RawValue::as_bytes).collect();
            let (united, left) = match is_same(&known) {
                true => unite(row, &old, &values, &context),
                false => (None, values),
            };
            self.left.extend(left.into_iter().map(|value| LeftOut {
                node: NodeId(at),
                ident: name.name().into_owned(),
                value: value.to_vec(),
                kept_ident: known.ident().name().into_owned(),
                kept: old.iter().map(|value| value.to_vec()).collect(),
            }));
            edits.extend(united.map(|united| (name, united)));
        }
        if edits.is_empty() {
            return Ok(());
        }
        let mut packed = Vec::new();
        for property in own.properties() {
            match edits.iter().position(|(ident, _)| *ident == property.ident()) {
                Some(edit) => {
                    let (_, values) = edits.remove(edit);
                    packed::put_property(&mut packed, property.ident().as_bytes(), values.iter().map(|value| &**value));
                }
                None => {
                    let values = property.values().map(RawValue::as_bytes);
                    packed::put_property(&mut packed, property.ident().as_bytes(), values);
                }
            }
        }
        for (ident, values) in edits {
            packed::put_property(&mut packed, ident.as_bytes(), values.iter().map(|value| &**value));
        }
        self.tree.set_packed(at, &packed)
    }
}

/// The new values of a property, if any are new, and those left out.
type United<'v> = (Option<Vec<Cow<'v, [u8]>>>, Vec<&'v [u8]>);

/// Unites the values of a property. Returns the new values, if any are new, and those left out.
fn unite<'v>(row: Option<&Property>, known: &[&'v [u8]], values: &[&'v [u8]], context: &Context) -> United<'v> {
    let is_in = |value: &&&[u8]| known.iter().any(|known| trim(known).0 == trim(value).0);
    let new: Vec<&[u8]> = values.iter().filter(|value| !is_in(value)).copied().collect();
    if new.is_empty() {
        return (None, Vec::new());
    }
    let has_empty = |values: &[&[u8]]| values.iter().any(|value| value.is_empty());
    match row {
        Some(row) if row.value_type() == ValueType::Text && row.list() == List::Single => {
            // Several values of a text are read as one, with a blank line between them.
            let joined = known.join(&b"\n\n"[..]);
            let new: Vec<&[u8]> =
                new.into_iter().filter(|text| !trim(text).0.is_empty() && !has_paragraphs(&joined, text)).collect();
            if new.is_empty() {
                return (None, Vec::new());
            }
            let parts = if joined.is_empty() { new } else { [vec![&*joined], new].concat() };
            (Some(vec![Cow::Owned(parts.join(&b"\n\n"[..]))]), Vec::new())
        }
        Some(row) if row.list() != List::Single && !has_empty(known) && !has_empty(&new) => {
            let point =
                |value: &[u8]| RawValue::new(value).compose().map(|(point, _)| trim(point.as_bytes()).0.to_vec());
            // A point has one label.
            let has_label = |value: &&[u8]| {
                row.value_type() == ValueType::PointText && known.iter().any(|known| point(known) == point(value))
            };
            let (left, new): (Vec<&[u8]>, Vec<&[u8]>) = new.into_iter().partition(has_label);
            let united = (!new.is_empty()).then(|| known.iter().copied().chain(new).map(Cow::Borrowed).collect());
            (united, left)
        }
        // `tt` and the empty value are the same pass, and so on.
        Some(row) if is_same(row, known, values, context) => (None, Vec::new()),
        _ => (None, new),
    }
}

/// Returns whether single values are equal once they are read.
fn is_same(row: &Property, known: &[&[u8]], values: &[&[u8]], context: &Context) -> bool {
    let read = |value: &[u8]| row.parse_lenient(RawValue::new(value), context).ok();
    match (known, values) {
        ([known], [value]) => read(known).is_some_and(|known| Some(known) == read(value)),
        _ => false,
    }
}

/// Returns whether a text has another as one or more of its paragraphs.
fn has_paragraphs(text: &[u8], other: &[u8]) -> bool {
    const BLANK: &[u8] = b"\n\n";
    let mut rest = text;
    loop {
        let Some(at) = memchr::memmem::find(rest, other) else { return false };
        let start = text.len() - rest.len() + at;
        let (before, after) = (&text[..start], &text[start + other.len()..]);
        let is_edge = |edge: &[u8], of: fn(&[u8], &[u8]) -> bool| edge.is_empty() || of(edge, BLANK);
        if is_edge(before, <[u8]>::ends_with) && is_edge(after, <[u8]>::starts_with) {
            return true;
        }
        rest = &rest[at + 1..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_its_paragraphs() {
        for (text, other, expected) in [
            ("a", "a", true),
            ("a", "b", false),
            ("a\n\nb", "a", true),
            ("a\n\nb", "b", true),
            ("x\n\na\n\nb", "a\n\nb", true),
            ("good move", "good", false),
            ("good move\n\ngood", "good", true),
            ("aa\n\na", "a", true),
        ] {
            assert_eq!(has_paragraphs(text.as_bytes(), other.as_bytes()), expected, "{text:?} {other:?}");
        }
    }
}
