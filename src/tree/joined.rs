//! The properties of a node where one that is there twice is one, with the values of both.

use std::collections::HashMap;

use super::Node;
use super::blob::NodeValues;
use crate::syntax::event::Ident;

/// A property: its identifier as it is spelled first, and its values in one piece or in several.
pub(super) struct Joined<'t> {
    pub(super) ident: Ident<'t>,
    parts: Vec<NodeValues<'t>>,
}

impl<'t> Joined<'t> {
    pub(super) fn values(&self) -> impl Iterator<Item = crate::RawValue<'t>> + '_ {
        self.parts.iter().cloned().flatten()
    }
}

/// In the order of the file.
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

/// Whether two nodes say the same.
pub(super) fn equal(a: Node<'_>, b: Node<'_>) -> bool {
    let (a, b) = (properties(a), properties(b));
    let is_same = |(a, b): (&Joined<'_>, &Joined<'_>)| a.ident == b.ident && a.values().eq(b.values());
    a.len() == b.len() && a.iter().zip(&b).all(is_same)
}
