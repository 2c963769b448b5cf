//! The properties of a node with repeated ones merged, so that each has all its values.

use std::collections::HashMap;

use super::Node;
use super::packed::NodeValues;
use crate::syntax::event::Ident;

/// A property: its identifier as first spelled, and its values, from one or several occurrences.
pub(super) struct Joined<'t> {
    pub(super) ident: Ident<'t>,
    parts: Vec<NodeValues<'t>>,
}

impl<'t> Joined<'t> {
    pub(super) fn values(&self) -> impl Iterator<Item = crate::RawValue<'t>> + '_ {
        self.parts.iter().cloned().flatten()
    }
}

/// Returns the merged properties of a node, in the order of the file.
pub(super) fn properties(node: Node<'_>) -> Vec<Joined<'_>> {
    let mut joined: Vec<Joined<'_>> = Vec::new();
    let mut places = HashMap::new();
    for property in node.properties() {
        let place = *places.entry(property.ident()).or_insert(joined.len());
        match joined.get_mut(place) {
            Some(same) => same.parts.push(property.values()),
            None => joined.push(Joined { ident: property.ident(), parts: vec![property.values()] }),
        }
    }
    joined
}

/// Returns whether two nodes have equal merged properties.
pub(super) fn equal(a: Node<'_>, b: Node<'_>) -> bool {
    let (a, b) = (properties(a), properties(b));
    let is_same = |(a, b): (&Joined<'_>, &Joined<'_>)| a.ident == b.ident && a.values().eq(b.values());
    a.len() == b.len() && a.iter().zip(&b).all(is_same)
}
