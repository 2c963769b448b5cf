//! The arena: nodes as slots of one vector, linked by their numbers, and their properties as runs
//! of one buffer.
//!
//! Twenty-four bytes a node: four links and a run. The links let every walk do without a stack, and
//! every edit without a search: the children of a node are a list in both directions, and the
//! "previous" of the first is the last.
//!
//! A slot that was removed stays, empty, so that numbers keep their meaning. The buffer is only ever
//! added to; what lies in it unused is counted, and when it is the greater part the rest is moved
//! together, which costs each edit no more than a constant share.

use super::blob::NodeProperties;
use crate::work;

/// No node.
pub(super) const NONE: u32 = u32::MAX;
/// The parent of what was removed.
const REMOVED: u32 = u32::MAX - 1;
/// How many slots there may be.
pub(super) const MOST_NODES: usize = REMOVED as usize;
/// How many bytes the buffer may have: one bit of a length is needed otherwise.
pub(super) const MOST_BYTES: usize = i32::MAX as usize;

/// The bit of [`Slot::len`].
const BRACKETS: u32 = 1 << 31;

/// Below so many unused bytes nothing is moved.
const FEW: usize = 4096;

#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    pub(super) parent: u32,
    pub(super) first: u32,
    pub(super) next: u32,
    /// The previous child of the same parent; of the first, the last.
    previous: u32,
    start: u32,
    /// How many bytes the properties take; and in the topmost bit, whether it stands in brackets of
    /// its own though it is an only child: `(;a(;b))`.
    len: u32,
}

#[derive(Clone, Debug)]
pub(super) struct Arena {
    pub(super) slots: Vec<Slot>,
    pub(super) bytes: Vec<u8>,
    /// Slots that were removed.
    pub(super) removed: u32,
    /// Bytes that no slot has.
    unused: usize,
    /// Every node stands where the file has it, and none was removed: numbers are places.
    pub(super) in_order: bool,
}

/// Where a node goes, seen from another one.
#[derive(Clone, Copy, Debug)]
pub(super) enum Link {
    First(u32),
    Last(u32),
    Before(u32),
}

impl Arena {
    pub(super) fn new() -> Self {
        Arena { slots: Vec::new(), bytes: Vec::new(), removed: 0, unused: 0, in_order: true }
    }

    pub(super) fn clear(&mut self) {
        self.slots.clear();
        self.bytes.clear();
        (self.removed, self.unused, self.in_order) = (0, 0, true);
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

    /// How many nodes there are.
    pub(super) fn len(&self) -> usize {
        self.slots.len() - self.removed as usize
    }

    // --- Links -----------------------------------------------------------------------------------

    /// Adds a slot that is linked to nothing, and has no properties.
    #[inline]
    pub(super) fn push(&mut self) -> u32 {
        let node = self.slots.len() as u32;
        let start = self.bytes.len() as u32;
        self.slots.push(Slot { parent: NONE, first: NONE, next: NONE, previous: node, start, len: 0 });
        node
    }

    /// Adds a slot behind the children of another one. With brackets, if it is the only one and is to have them.
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

    pub(super) fn previous(&self, node: u32) -> Option<u32> {
        let parent = self.parent(node)?;
        if self.slot(parent).first == node { None } else { Some(self.slot(node).previous) }
    }

    /// Whether a node has more than one child.
    #[inline]
    pub(super) fn branches(&self, node: u32) -> bool {
        let first = self.slot(node).first;
        first != NONE && self.slot(first).next != NONE
    }

    /// Whether a tree starts with this node: it is a root, has siblings, or says so.
    #[inline]
    pub(super) fn starts_tree(&self, node: u32) -> bool {
        let slot = self.slot(node);
        slot.len & BRACKETS != 0 || slot.parent == NONE || self.branches(slot.parent)
    }

    /// An only child stands in brackets of its own, or not.
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
        // With siblings there are brackets anyway, and none when they are gone.
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

    /// Takes a node with what is below it out of the list of its parent's children.
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

    /// Forgets a slot.
    pub(super) fn forget(&mut self, node: u32) {
        self.unused += self.blob(node).len();
        let slot = self.slot_mut(node);
        (slot.parent, slot.first, slot.next, slot.len) = (REMOVED, NONE, NONE, 0);
        self.removed += 1;
    }

    // --- Walks -----------------------------------------------------------------------------------

    /// The node that comes behind this one in the file, below `top`; and how far up from this one
    /// its parent is: 0 if that is this one.
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

    /// The nodes from `top` on, in the order of the file.
    pub(super) fn preorder(&self, top: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::successors(Some(top), move |&node| Some(self.successor(node, top)?.0))
    }

    /// Whether a node is this one, or stands above it.
    pub(super) fn is_at_or_above(&self, above: u32, node: u32) -> bool {
        std::iter::successors(Some(node), |&node| self.parent(node)).any(|node| node == above)
    }

    // --- Properties ------------------------------------------------------------------------------

    #[inline]
    pub(super) fn blob(&self, node: u32) -> &[u8] {
        let slot = self.slot(node);
        match (slot.start as usize, (slot.len & !BRACKETS) as usize) {
            (_, 0) => &[], // wherever that was
            (start, len) => &self.bytes[start..start + len],
        }
    }

    pub(super) fn properties(&self, node: u32) -> NodeProperties<'_> {
        NodeProperties(self.blob(node))
    }

    /// What has been added to the buffer since the node was are its properties.
    #[inline]
    pub(super) fn close(&mut self, node: u32) {
        let end = self.bytes.len() as u32;
        let slot = self.slot_mut(node);
        slot.len = (end - slot.start) | slot.len & BRACKETS;
    }

    /// Whether so much more fits.
    pub(super) fn has_room(&self, nodes: usize, bytes: usize) -> bool {
        self.slots.len() + nodes <= MOST_NODES && self.bytes.len() - self.unused + bytes <= MOST_BYTES
    }

    /// Gives a node other properties. There has to be [room](Self::has_room).
    pub(super) fn set_blob(&mut self, node: u32, blob: &[u8]) {
        let old = self.blob(node).len();
        work::note(blob.len());
        let mut start = if old == 0 { self.bytes.len() } else { self.slot(node).start as usize };
        if start + old == self.bytes.len() {
            self.bytes.truncate(start); // the last one may grow
            self.bytes.extend_from_slice(blob);
        } else if blob.len() <= old {
            self.bytes[start..start + blob.len()].copy_from_slice(blob);
            self.unused += old - blob.len();
        } else {
            self.unused += old;
            self.slot_mut(node).len &= BRACKETS;
            self.tidy(blob.len());
            start = self.bytes.len();
            self.bytes.extend_from_slice(blob);
        }
        let slot = self.slot_mut(node);
        slot.start = start as u32;
        slot.len = blob.len() as u32 | slot.len & BRACKETS;
    }

    /// Makes room behind everything else for so many bytes, which [fit](Self::has_room).
    pub(super) fn make_room(&mut self, bytes: usize) {
        self.tidy(bytes);
    }

    /// Moves the buffer together, if most of it is unused, or so many bytes would not fit. That takes a step for each
    /// slot too, so at least as many bytes have to be unused: many nodes may share few bytes.
    fn tidy(&mut self, more: usize) {
        let least = FEW.max(self.slots.len()).max(self.bytes.len() / 2);
        if self.unused > least || self.bytes.len() + more > MOST_BYTES {
            work::note(self.slots.len() + self.bytes.len());
            let mut bytes = Vec::with_capacity(self.bytes.len() - self.unused + more);
            for node in 0..self.slots.len() as u32 {
                let start = bytes.len() as u32;
                bytes.extend_from_slice(self.blob(node));
                self.slot_mut(node).start = start;
            }
            self.bytes = bytes;
            self.unused = 0;
        }
    }

    /// The same nodes in slots of the order of the file, without room for anything else. Answers with the
    /// new number of each.
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
        (arena, numbers)
    }

    /// Adds a slot with the properties of a node of another arena.
    pub(super) fn copy(&mut self, from: &Arena, node: u32) -> u32 {
        let copy = self.push();
        self.bytes.extend_from_slice(from.blob(node));
        self.close(copy);
        copy
    }
}

fn some(node: u32) -> Option<u32> {
    if node < REMOVED { Some(node) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law L6, counted: each edit moves a constant share, however many nodes share the buffer.
    #[test]
    fn edits_move_the_buffer_a_constant_share() {
        for (nodes, edits, len) in [(300_000, 300, 2_000), (100, 2_000, 2_000), (50_000, 2_000, 2), (3, 2_000, 100)] {
            let mut arena = Arena::new();
            let root = arena.push();
            (1..nodes).for_each(|_| _ = arena.push_child(root, false));
            let mut written = 0;
            let moved = work::count(|| {
                for edit in 0..edits {
                    // Longer each time, of nodes that are not the last in the buffer.
                    let blob = vec![b'x'; len + edit];
                    arena.set_blob((edit % 2) as u32, &blob);
                    written += blob.len();
                }
            });
            assert!(moved <= 6 * (written + nodes) as u64, "{nodes} {edits} {len}: {moved} {written}");
        }
    }
}
