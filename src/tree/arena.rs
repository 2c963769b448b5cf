//! The arena: nodes as slots of one vector, linked by their numbers, and their properties as ranges
//! of one buffer.
//!
//! A node takes 24 bytes: four links and a range. The links allow every walk without a stack, and
//! every edit without a search: the children of a node are a doubly linked list, in which the
//! "previous" of the first child is the last.
//!
//! The slot of a removed node remains, empty, so that ids stay valid. The buffer only grows;
//! its unused bytes are counted, and when they are the greater part, the buffer is compacted, at an
//! amortized constant cost per edit.
//!
//! No two properties of a node have the same name: those that repeat one are merged. So what reads or edits properties
//! need not know about repetitions. For the few nodes whose source repeats a name, the properties as spelled there are kept
//! beside, until the node is edited: only events, and what is written from them, show them.

use std::mem;

use super::packed::{self, NodeProperties};
use crate::work;

/// The link to no node.
pub(super) const NONE: u32 = u32::MAX;
/// The parent of a removed node.
const REMOVED: u32 = u32::MAX - 1;
/// Maximum number of slots.
pub(super) const MAX_NODES: usize = REMOVED as usize;
/// Maximum size of the buffer in bytes: one bit of a length has another use.
pub(super) const MAX_BYTES: usize = i32::MAX as usize;

/// Bit of [`Slot::len`] for a tree in its own parentheses.
const BRACKETS: u32 = 1 << 31;

/// Number of nodes, and of bytes of their properties, that few games exceed.
const USUAL_NODES: usize = 320;
const USUAL_BYTES: usize = 2560;

/// Longer properties are moved to their tree, not copied.
const MAX_COPIED: usize = 1 << 16;

/// The properties of a node as spelled in the source; empty if it was edited.
type Spelled = (u32, Box<[u8]>);

/// The buffer is not compacted for fewer unused bytes.
const MIN_UNUSED: usize = 4096;

#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    pub(super) parent: u32,
    pub(super) first: u32,
    pub(super) next: u32,
    /// The previous child of the same parent; for the first child, the last.
    previous: u32,
    start: u32,
    /// Length of the properties in bytes. The top bit says that the node has its own
    /// parentheses although it is an only child: `(;a(;b))`.
    len: u32,
}

#[derive(Clone, Debug)]
pub(super) struct Arena {
    pub(super) slots: Vec<Slot>,
    pub(super) bytes: Vec<u8>,
    /// For nodes whose properties were merged: these as spelled in the source. In the order of the nodes.
    spelled: Vec<Spelled>,
    /// Number of bytes in `spelled`.
    spelled_len: usize,
    /// Number of removed slots.
    pub(super) removed: u32,
    /// Number of bytes that belong to no slot.
    unused: usize,
    /// Whether ids equal positions: every node is in the order of the file, and none was removed.
    pub(super) in_order: bool,
}

/// A position to link a node at, relative to another node.
#[derive(Clone, Copy, Debug)]
pub(super) enum Link {
    First(u32),
    Last(u32),
    Before(u32),
}

impl Arena {
    pub(super) fn new() -> Self {
        Arena {
            slots: Vec::new(),
            bytes: Vec::new(),
            spelled: Vec::new(),
            spelled_len: 0,
            removed: 0,
            unused: 0,
            in_order: true,
        }
    }

    /// Removes all nodes. There is then room for a usual game, so that its nodes are not moved as they come.
    pub(super) fn clear(&mut self) {
        if self.slots.capacity() == 0 {
            self.slots.reserve(USUAL_NODES);
            self.bytes.reserve(USUAL_BYTES);
        }
        self.slots.clear();
        self.bytes.clear();
        self.spelled.clear();
        (self.spelled_len, self.removed, self.unused, self.in_order) = (0, 0, 0, true);
    }

    /// Takes all nodes, without spare capacity, from an arena that was filled and not edited.
    ///
    /// The slots are moved, and then the bytes are copied: an allocator that cuts off the end of the slots can use it
    /// for the bytes. If both were given away, there would be gaps between trees that are kept, of a fifth of their size.
    pub(super) fn take(&mut self) -> Arena {
        let mut slots = mem::take(&mut self.slots);
        slots.shrink_to_fit();
        let bytes = if self.bytes.len() > MAX_COPIED {
            self.bytes.shrink_to_fit();
            mem::take(&mut self.bytes)
        } else {
            self.bytes.clone()
        };
        let (mut spelled, spelled_len) = (mem::take(&mut self.spelled), mem::take(&mut self.spelled_len));
        spelled.shrink_to_fit();
        Arena { slots, bytes, spelled, spelled_len, ..Arena::new() }
    }

    #[inline]
    pub(super) fn slot(&self, node: u32) -> &Slot {
        &self.slots[node as usize]
    }

    #[inline]
    fn slot_mut(&mut self, node: u32) -> &mut Slot {
        &mut self.slots[node as usize]
    }

    pub(super) fn is_there(&self, node: u32) -> bool {
        self.slots.get(node as usize).is_some_and(|slot| slot.parent != REMOVED)
    }

    /// Returns the number of nodes.
    pub(super) fn len(&self) -> usize {
        self.slots.len() - self.removed as usize
    }

    // --- Links -----------------------------------------------------------------------------------

    /// Adds a slot without links or properties.
    #[inline]
    pub(super) fn push(&mut self) -> u32 {
        let node = self.slots.len() as u32;
        let start = self.bytes.len() as u32;
        self.slots.push(Slot { parent: NONE, first: NONE, next: NONE, previous: node, start, len: 0 });
        node
    }

    /// Adds a slot as the last child of another one. `brackets` applies if it is the only child.
    #[inline]
    pub(super) fn push_child(&mut self, parent: u32, brackets: bool) -> u32 {
        if self.slot(parent).first != NONE {
            let node = self.push();
            self.link(node, Link::Last(parent));
            return node;
        }
        let (node, start) = (self.slots.len() as u32, self.bytes.len() as u32);
        self.slot_mut(parent).first = node;
        let len = if brackets { BRACKETS } else { 0 };
        self.slots.push(Slot { parent, first: NONE, next: NONE, previous: node, start, len });
        node
    }

    /// Appends `count` slots as a chain below the last slot, which must have no children.
    ///
    /// The last slot and each new one get `len` bytes of properties, from the start of the last slot on.
    pub(super) fn push_chain(&mut self, count: usize, len: u32) {
        let node = self.slots.len() as u32;
        let Some(last) = self.slots.last_mut() else { return };
        let start = last.start + len;
        (last.first, last.len) = (node, len | last.len & BRACKETS);
        self.slots.extend((0..count as u32).map(|n| {
            let node = node + n;
            Slot { parent: node - 1, first: node + 1, next: NONE, previous: node, start: start + n * len, len }
        }));
        if let Some(last) = self.slots.last_mut() {
            last.first = NONE;
        }
    }

    pub(super) fn parent(&self, node: u32) -> Option<u32> {
        some(self.slot(node).parent)
    }

    pub(super) fn first(&self, node: u32) -> Option<u32> {
        some(self.slot(node).first)
    }

    pub(super) fn last(&self, node: u32) -> Option<u32> {
        self.first(node).map(|first| self.slot(first).previous)
    }

    pub(super) fn next(&self, node: u32) -> Option<u32> {
        some(self.slot(node).next)
    }

    pub(super) fn children(&self, node: u32) -> impl Iterator<Item = u32> {
        std::iter::successors(self.first(node), |&child| self.next(child))
    }

    pub(super) fn previous(&self, node: u32) -> Option<u32> {
        let parent = self.parent(node)?;
        if self.slot(parent).first == node { None } else { Some(self.slot(node).previous) }
    }

    /// Returns whether a node has more than one child.
    #[inline]
    pub(super) fn branches(&self, node: u32) -> bool {
        let first = self.slot(node).first;
        first != NONE && self.slot(first).next != NONE
    }

    /// Returns whether a tree starts with this node: it is the root, has siblings, or has the parentheses bit.
    #[inline]
    pub(super) fn starts_tree(&self, node: u32) -> bool {
        let slot = self.slot(node);
        slot.len & BRACKETS != 0 || slot.parent == NONE || self.branches(slot.parent)
    }

    /// Sets whether an only child has its own parentheses.
    pub(super) fn set_brackets(&mut self, node: u32, on: bool) {
        let slot = self.slot_mut(node);
        slot.len = if on { slot.len | BRACKETS } else { slot.len & !BRACKETS };
    }

    /// Links a node that has no parent.
    #[inline]
    pub(super) fn link(&mut self, node: u32, place: Link) {
        let (parent, before) = match place {
            Link::Last(parent) => (parent, NONE),
            Link::First(parent) => (parent, self.slot(parent).first),
            Link::Before(sibling) => (self.slot(sibling).parent, sibling),
        };
        let first = self.slot(parent).first;
        self.slot_mut(node).parent = parent;
        self.slot_mut(node).next = before;
        if first == NONE {
            self.slot_mut(parent).first = node;
            self.slot_mut(node).previous = node;
            return;
        }
        // With siblings there are parentheses anyway, and none after the siblings are removed.
        self.set_brackets(first, false);
        self.set_brackets(node, false);
        let successor = if before == NONE { first } else { before };
        let previous = std::mem::replace(&mut self.slot_mut(successor).previous, node);
        self.slot_mut(node).previous = previous;
        if before == first {
            self.slot_mut(parent).first = node;
        } else {
            self.slot_mut(previous).next = node;
        }
    }

    /// Unlinks a node, with its descendants, from its parent.
    pub(super) fn unlink(&mut self, node: u32) {
        let Slot { parent, next, previous, .. } = *self.slot(node);
        let Some(first) = self.first(parent) else { return };
        if first == node {
            self.slot_mut(parent).first = next;
        } else {
            self.slot_mut(previous).next = next;
        }
        let successor = if next == NONE { first } else { next };
        self.slot_mut(successor).previous = previous;
        let slot = self.slot_mut(node);
        (slot.parent, slot.next, slot.previous) = (NONE, NONE, node);
        slot.len &= !BRACKETS;
    }

    /// Marks a slot as removed.
    pub(super) fn forget(&mut self, node: u32) {
        self.forget_spelling(node);
        self.unused += self.packed(node).len();
        let slot = self.slot_mut(node);
        (slot.parent, slot.first, slot.next, slot.len) = (REMOVED, NONE, NONE, 0);
        self.removed += 1;
    }

    // --- Walks -----------------------------------------------------------------------------------

    /// Returns the next node in the order of the file, below `top`; and how many levels above this node
    /// its parent is: 0 if it is this node.
    #[inline]
    pub(super) fn successor(&self, node: u32, top: u32) -> Option<(u32, u32)> {
        if let Some(child) = self.first(node) {
            return Some((child, 0));
        }
        let (mut at, mut up) = (node, 1);
        while at != top {
            work::note(1);
            let slot = self.slot(at);
            if slot.next != NONE {
                return Some((slot.next, up));
            }
            at = slot.parent;
            up += 1;
        }
        None
    }

    /// Returns the nodes from `top` on, in the order of the file.
    pub(super) fn preorder(&self, top: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::successors(Some(top), move |&node| Some(self.successor(node, top)?.0))
    }

    /// Returns whether `above` is `node` or one of its ancestors.
    pub(super) fn is_at_or_above(&self, above: u32, node: u32) -> bool {
        std::iter::successors(Some(node), |&node| self.parent(node)).any(|node| node == above)
    }

    // --- Properties ------------------------------------------------------------------------------

    #[inline]
    pub(super) fn packed(&self, node: u32) -> &[u8] {
        let slot = self.slot(node);
        match (slot.start as usize, (slot.len & !BRACKETS) as usize) {
            (_, 0) => &[], // its start may be stale
            (start, len) => &self.bytes[start..start + len],
        }
    }

    pub(super) fn properties(&self, node: u32) -> NodeProperties<'_> {
        NodeProperties(self.packed(node))
    }

    /// Returns the properties of a node as they are written: in a node that was not edited, with the repetitions of its
    /// source.
    pub(super) fn spelled(&self, node: u32) -> NodeProperties<'_> {
        self.spelling(node).map_or_else(|| self.properties(node), NodeProperties)
    }

    /// Returns the properties of a node as spelled in the source, if they were merged and not edited.
    fn spelling(&self, node: u32) -> Option<&[u8]> {
        let place = self.spelled.binary_search_by_key(&node, |(node, _)| *node).ok()?;
        Some(&*self.spelled[place].1).filter(|spelled| !spelled.is_empty())
    }

    /// Returns the number of bytes that properties take beside the buffer, including spare capacity.
    pub(super) fn spelled_len(&self) -> usize {
        self.spelled.capacity() * size_of::<Spelled>() + self.spelled_len
    }

    /// Keeps the spelling of the last node.
    fn keep_spelling(&mut self, spelled: Box<[u8]>) {
        self.spelled_len += spelled.len();
        self.spelled.push((self.slots.len() as u32 - 1, spelled));
    }

    fn forget_spelling(&mut self, node: u32) {
        if let Ok(place) = self.spelled.binary_search_by_key(&node, |(node, _)| *node) {
            self.spelled_len -= mem::take(&mut self.spelled[place].1).len();
        }
    }

    /// Merges the properties of the last node that have the same name.
    #[cold]
    fn merge_last(&mut self, start: usize) {
        let spelled = self.bytes.split_off(start).into_boxed_slice();
        self.bytes.extend_from_slice(&packed::merged(&spelled));
        self.keep_spelling(spelled);
    }

    /// Makes all bytes added since the node was the properties of that node, which is the last one.
    #[inline]
    pub(super) fn close(&mut self, node: u32) {
        let start = self.slot(node).start as usize;
        let added = &self.bytes[start..];
        if added.len() >= packed::LEAST_OF_TWO && packed::repeats_a_name(added) {
            self.merge_last(start);
        }
        let end = self.bytes.len() as u32;
        let slot = self.slot_mut(node);
        slot.len = (end - slot.start) | slot.len & BRACKETS;
    }

    /// Returns whether this many more nodes and bytes fit.
    pub(super) fn has_room(&self, nodes: usize, bytes: usize) -> bool {
        self.slots.len() + nodes <= MAX_NODES && self.bytes.len() - self.unused + bytes <= MAX_BYTES
    }

    /// Replaces the properties of a node, no two of which have the same name. There must be [room](Self::has_room) for
    /// them.
    pub(super) fn set_packed(&mut self, node: u32, packed: &[u8]) {
        debug_assert!(!packed::repeats_a_name(packed), "{packed:?}");
        self.forget_spelling(node);
        let old = self.packed(node).len();
        work::note(packed.len());
        let mut start = if old == 0 { self.bytes.len() } else { self.slot(node).start as usize };
        if start + old == self.bytes.len() {
            self.bytes.truncate(start); // the last run may grow
            self.bytes.extend_from_slice(packed);
        } else if packed.len() <= old {
            self.bytes[start..start + packed.len()].copy_from_slice(packed);
            self.unused += old - packed.len();
        } else {
            self.unused += old;
            self.slot_mut(node).len &= BRACKETS;
            self.tidy(packed.len());
            start = self.bytes.len();
            self.bytes.extend_from_slice(packed);
        }
        let slot = self.slot_mut(node);
        slot.start = start as u32;
        slot.len = packed.len() as u32 | slot.len & BRACKETS;
    }

    /// Makes room at the end for this many bytes, which must [fit](Self::has_room).
    pub(super) fn make_room(&mut self, bytes: usize) {
        self.tidy(bytes);
    }

    /// Compacts the buffer if most of it is unused, or if `more` bytes would not fit. That takes a step for each
    /// slot too, so at least as many bytes must be unused: many nodes may share few bytes.
    fn tidy(&mut self, more: usize) {
        let least = MIN_UNUSED.max(self.slots.len()).max(self.bytes.len() / 2);
        if self.unused > least || self.bytes.len() + more > MAX_BYTES {
            work::note(self.slots.len() + self.bytes.len());
            let mut bytes = Vec::with_capacity(self.bytes.len() - self.unused + more);
            for node in 0..self.slots.len() as u32 {
                let start = bytes.len() as u32;
                bytes.extend_from_slice(self.packed(node));
                self.slot_mut(node).start = start;
            }
            self.bytes = bytes;
            self.unused = 0;
        }
    }

    /// Copies the nodes to slots in the order of the file, without spare room. Also returns the new number of
    /// each.
    pub(super) fn renumbered(&self, top: u32) -> (Arena, Vec<u32>) {
        let mut numbers = vec![NONE; self.slots.len()];
        let mut arena = Arena::new();
        for node in self.preorder(top) {
            numbers[node as usize] = arena.copy(self, node);
        }
        let number = |node: u32| if node == NONE || node == REMOVED { NONE } else { numbers[node as usize] };
        let nodes: Vec<u32> = self.preorder(top).collect();
        for (slot, &old) in arena.slots.iter_mut().zip(&nodes) {
            let Slot { parent, first, next, previous, len, .. } = *self.slot(old);
            if old == top {
                (slot.first, slot.len) = (number(first), slot.len);
            } else {
                (slot.parent, slot.first, slot.next) = (number(parent), number(first), number(next));
                (slot.previous, slot.len) = (number(previous), len);
            }
        }
        arena.slots.shrink_to_fit();
        arena.bytes.shrink_to_fit();
        arena.spelled.shrink_to_fit();
        (arena, numbers)
    }

    /// Adds a slot with the properties of a node in another arena.
    pub(super) fn copy(&mut self, from: &Arena, node: u32) -> u32 {
        let copy = self.push();
        self.bytes.extend_from_slice(from.packed(node));
        self.close(copy);
        if let Some(spelled) = from.spelling(node) {
            self.keep_spelling(spelled.into());
        }
        copy
    }
}

fn some(node: u32) -> Option<u32> {
    if node < REMOVED { Some(node) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law L6, measured: each edit moves a constant share, however many nodes share the buffer.
    #[test]
    fn edits_move_the_buffer_a_constant_share() {
        for (nodes, edits, len) in [(300_000, 300, 2_000), (100, 2_000, 2_000), (50_000, 2_000, 2), (3, 2_000, 100)] {
            let mut arena = Arena::new();
            let root = arena.push();
            (1..nodes).for_each(|_| _ = arena.push_child(root, false));
            let mut written = 0;
            let moved = work::count(|| {
                for edit in 0..edits {
                    // Longer each time, in nodes that are not the last in the buffer.
                    let mut packed = Vec::new();
                    packed::put_property(&mut packed, b"C", [&*vec![b'x'; len + edit]]);
                    arena.set_packed((edit % 2) as u32, &packed);
                    written += packed.len();
                }
            });
            assert!(moved <= 6 * (written + nodes) as u64, "{nodes} {edits} {len}: {moved} {written}");
        }
    }
}
