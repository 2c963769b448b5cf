//! Converts a tree back to events, for the writer and every other consumer of events.

use std::iter::FusedIterator;

use super::Node;
use super::packed::{NodeProperties, NodeValues};
use crate::syntax::event::Event;

/// Iterator over the events of a game: see [`GameTree::events`](super::GameTree::events).
///
/// Follows the links of the tree instead of a stack, so its memory does not depend on the depth of the tree.
#[derive(Clone)]
pub struct Events<'t> {
    top: Node<'t>,
    next: Step<'t>,
}

/// The next step of the walk.
#[derive(Clone)]
enum Step<'t> {
    Open(u32),
    Node(u32),
    Property(u32, NodeProperties<'t>),
    Value(u32, NodeProperties<'t>, NodeValues<'t>),
    /// All nodes below this one have been visited.
    Leave(u32),
    End,
}

impl<'t> Events<'t> {
    pub(super) fn new(top: Node<'t>) -> Self {
        Events { top, next: Step::Open(top.id) }
    }
}

impl<'t> Iterator for Events<'t> {
    type Item = Event<'t>;

    fn next(&mut self) -> Option<Event<'t>> {
        let arena = &self.top.tree.arena;
        loop {
            match &mut self.next {
                Step::Open(node) => {
                    self.next = Step::Node(*node);
                    return Some(Event::StartTree);
                }
                Step::Node(node) => {
                    self.next = Step::Property(*node, arena.spelled(*node));
                    return Some(Event::Node);
                }
                Step::Property(node, properties) => {
                    if let Some(property) = properties.next() {
                        self.next = Step::Value(*node, properties.clone(), property.values());
                        return Some(Event::Property(property.ident()));
                    }
                    self.next = match arena.first(*node) {
                        Some(child) if arena.starts_tree(child) => Step::Open(child),
                        Some(child) => Step::Node(child),
                        None => Step::Leave(*node),
                    };
                }
                Step::Value(node, properties, values) => {
                    if let Some(value) = values.next() {
                        return Some(Event::Value(value));
                    }
                    self.next = Step::Property(*node, properties.clone());
                }
                Step::Leave(node) => {
                    let node = *node;
                    if node == self.top.id {
                        self.next = Step::End;
                        return Some(Event::EndTree);
                    }
                    self.next = match (arena.next(node), arena.parent(node)) {
                        (Some(sibling), _) => Step::Open(sibling),
                        (None, Some(parent)) => Step::Leave(parent),
                        (None, None) => Step::End,
                    };
                    if arena.starts_tree(node) {
                        return Some(Event::EndTree);
                    }
                }
                Step::End => return None,
            }
        }
    }
}

impl FusedIterator for Events<'_> {}

impl std::fmt::Debug for Events<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}
