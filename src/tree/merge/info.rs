//! The place of game info in a merged tree.
//!
//! A walk goes down the shared nodes, from the root, with the game info of both games that is in force there. It stays at a
//! node if it holds for all lines below, or if both games have the same. Otherwise it goes further down, to
//!
//! * the children that only one of the games has;
//! * the shared children, where the same question is asked again;
//! * a new node without moves, if a game ends here.
//!
//! The number of handicap stones goes no further than the node with the stones, and stays there.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::{LeftOut, Merger, Merging, context_of};
use crate::property::{self, Context, PropertyType};
use crate::syntax::event::Ident;
use crate::tree::edit::{EditError, Place};
use crate::tree::{GameTree, Node, NodeId, packed};
use crate::value::RawValue;
use crate::value::typed::trim;
use crate::work;

/// The number of handicap stones.
const HANDICAP: &[u8] = b"HA";

/// Returns whether a property is game info in any node.
///
/// Some of SGF2 are game info in the root alone: `TE` is the event there, and a judgment of moves elsewhere.
pub(in crate::tree) fn is_info(ident: Ident<'_>, context: &Context) -> bool {
    let is_info = |context: &Context| {
        property::lookup(ident, context).is_some_and(|row| row.property_type() == PropertyType::GameInfo)
    };
    is_info(context) && is_info(&context.after_root())
}

/// Returns whether a node has handicap stones, or other stones of Black.
fn has_stones(tree: &GameTree, node: u32) -> bool {
    Node { tree, id: node }.contains("AB")
}

/// Returns whether a property of a node is game info that moves to the first node of its game.
///
/// The number of handicap stones stays with the stones, as FF\[4\] wants it.
pub(super) fn moves(ident: Ident<'_>, context: &Context, has_stones: bool) -> bool {
    !(has_stones && ident.name().as_bytes() == HANDICAP) && is_info(ident, context)
}

/// The game info of a node that may move: names and raw values.
#[derive(Clone, Debug)]
pub(super) struct Info(Vec<(Vec<u8>, Vec<Vec<u8>>)>);

/// Equal for equal game info.
pub(super) type InfoKey = Box<[u8]>;

/// Game info, and whether there are stones.
#[derive(Clone)]
pub(super) struct Facts {
    pub(super) info: Option<Rc<Info>>,
    pub(super) has_stones: bool,
    /// The number of handicap stones beside the stones.
    handicap: Option<Rc<[u8]>>,
}

impl Facts {
    /// Returns the facts of a node in which identifiers have the meaning of a context.
    pub(super) fn of(tree: &GameTree, node: u32, context: &Context) -> Self {
        let has_stones = has_stones(tree, node);
        let (mut info, mut handicap) = (Vec::new(), None);
        for property in tree.arena.properties(node) {
            if has_stones && property.ident() == "HA" {
                handicap = Some(trim(property.first().as_bytes()).0.into());
            }
            if moves(property.ident(), context, has_stones) {
                let values = property.values().map(|value| value.as_bytes().to_vec()).collect();
                info.push((property.ident().name().into_owned().into_bytes(), values));
            }
        }
        Facts { info: (!info.is_empty()).then(|| Rc::new(Info(info))), has_stones, handicap }
    }
}

impl Info {
    /// Returns a form that is equal for equal game info: properties in any order, values without the blanks around them.
    pub(super) fn key(&self) -> InfoKey {
        let mut all: Vec<_> = self.0.iter().collect();
        all.sort_unstable_by_key(|(name, _)| name);
        let mut key = Vec::new();
        for (name, values) in all {
            packed::put_property(&mut key, name, values.iter().map(|value| trim(value).0));
        }
        key.into()
    }

    fn get(&self, name: &[u8]) -> Option<&Vec<Vec<u8>>> {
        self.0.iter().find(|(other, _)| other == name).map(|(_, values)| values)
    }

    /// Returns the rest without the handicap; `None` if it has nothing else.
    fn without_handicap(&self) -> Option<Rc<Self>> {
        let rest: Vec<_> = self.0.iter().filter(|(name, _)| name != HANDICAP).cloned().collect();
        (!rest.is_empty()).then(|| Rc::new(Info(rest)))
    }

    /// Returns whether no property has different values in the other.
    fn agrees_with(&self, other: &Info) -> bool {
        self.0.iter().all(|(name, values)| other.get(name).is_none_or(|theirs| is_same(values, theirs)))
    }

    /// Returns it with what it lacks of the other; different values of a property are kept side by side.
    fn and(&self, other: &Info) -> Self {
        let mut all = self.clone();
        for (name, values) in &other.0 {
            match all.0.iter_mut().find(|(own, _)| own == name) {
                None => all.0.push((name.clone(), values.clone())),
                Some((_, own)) => {
                    let known: HashSet<&[u8]> = own.iter().map(|value| trim(value).0).collect();
                    let new: Vec<_> = values.iter().filter(|value| !known.contains(trim(value).0)).cloned().collect();
                    own.extend(new);
                }
            }
        }
        all
    }
}

/// Compares properties in any order, and values without the blanks around them.
impl PartialEq for Info {
    fn eq(&self, other: &Self) -> bool {
        self.0.len() == other.0.len()
            && self.agrees_with(other)
            && self.0.iter().all(|(name, _)| other.get(name).is_some())
    }
}

fn is_same(one: &[Vec<u8>], other: &[Vec<u8>]) -> bool {
    one.iter().map(|value| trim(value).0).eq(other.iter().map(|value| trim(value).0))
}

/// Returns the game info in force at a node: that of the nodes above, completed with its own.
fn with(above: Option<Rc<Info>>, own: Option<Rc<Info>>) -> Option<Rc<Info>> {
    match (above, own) {
        (Some(above), Some(own)) if above == own => Some(above),
        (Some(above), Some(own)) => Some(Rc::new(above.and(&own))),
        (above, own) => above.or(own),
    }
}

/// Returns the game info of the nearest node that has some. A handicap goes no further than the stones.
pub(super) fn nearest(above: Option<&Rc<Info>>, facts: &Facts) -> Option<Rc<Info>> {
    match (&facts.info, above) {
        (Some(own), _) => Some(Rc::clone(own)),
        (None, Some(above)) if facts.has_stones && above.get(HANDICAP).is_some() => above.without_handicap(),
        (None, above) => above.cloned(),
    }
}

/// What there is below a shared node, itself included.
#[derive(Clone, Default)]
struct Below {
    /// The tree has nodes that the other game lacks.
    has_own: bool,
    /// The other game has nodes that the tree lacked.
    has_new: bool,
    /// The other game has game info.
    has_other_info: bool,
    /// A shared node of the tree has game info.
    has_own_info: bool,
    /// The number of handicap stones that the tree has beside the stones, on each line of the other game.
    handicap: Option<Rc<[u8]>>,
}

/// A shared node, as a node of the other game, and the game info of the nodes above it that is to be placed.
struct Open {
    node: u32,
    own: Option<Rc<Info>>,
    others: Option<Rc<Info>>,
}

impl Merging<'_> {
    /// Moves the game info of the tree, and adds that of the other game.
    ///
    /// Returns the values that were left out.
    pub(super) fn place_info(mut self) -> Result<Vec<LeftOut>, EditError> {
        let below = self.below();
        let mut open = vec![Open { node: 0, own: None, others: None }];
        while let Some(Open { node, own, others }) = open.pop() {
            let (at, here) = (self.image[node as usize], &below[node as usize]);
            let (had, has) = (self.merger.facts(at), self.facts_of_other(node));
            let (own, mut others) = (with(own, had.info), with(others, has.info));
            let has_own_handicap = own.as_ref().is_some_and(|own| own.get(HANDICAP).is_some());
            if let Some((above, known)) = others.as_ref().zip(here.handicap.as_ref())
                && !has_own_handicap
                && matches!(above.get(HANDICAP).map(Vec::as_slice), Some([value]) if trim(value).0 == &**known)
            {
                others = above.without_handicap();
            }
            let [own, others] = match had.has_stones {
                true => [self.put_handicap(at, own)?, self.put_handicap(at, others)?],
                false => [own, others],
            };
            let stays = match (&own, &others) {
                (None, None) => true,
                (Some(_), None) => !here.has_other_info,
                (None, Some(_)) => !here.has_own && !here.has_own_info,
                (Some(own), Some(others)) => {
                    own == others || own.agrees_with(others) && !(here.has_own && here.has_new)
                }
            };
            if !stays {
                self.descend(node, own, others, &mut open)?;
                continue;
            }
            self.set_info(at, with(own, others).as_deref())?;
            let shared = self.children(node).filter(|&child| self.is_shared(child));
            let shared: Vec<u32> = shared.collect();
            if shared.iter().any(|&child| below[child as usize].has_other_info) {
                open.extend(shared.into_iter().map(|node| Open { node, own: None, others: None }));
            }
        }
        Ok(self.left)
    }

    /// Passes game info of a shared node on to the nodes below it.
    fn descend(
        &mut self,
        node: u32,
        own: Option<Rc<Info>>,
        others: Option<Rc<Info>>,
        open: &mut Vec<Open>,
    ) -> Result<(), EditError> {
        let at = self.image[node as usize];
        let children: Vec<u32> = self.children(node).collect();
        self.set_info(at, None)?;
        if let Some(own) = &own {
            // A merge does this once for a node: then the game info is below.
            let old: Vec<u32> = self.old_children(at).collect();
            work::note(old.len());
            let images: HashSet<u32> = children.iter().map(|&child| self.image[child as usize]).collect();
            for &child in old.iter().filter(|child| !images.contains(child)) {
                let facts = self.merger.facts(child);
                self.give(child, Some(Rc::clone(own)), facts)?;
            }
            if old.is_empty() {
                self.add_info_node(Place::FirstChildOf(NodeId(at)), own)?;
            }
        }
        if let Some(others) = &others {
            let new: Vec<u32> = children.iter().copied().filter(|&child| !self.is_shared(child)).collect();
            for child in new {
                let facts = self.facts_of_other(child);
                self.give(self.image[child as usize], Some(Rc::clone(others)), facts)?;
            }
            if children.is_empty() && !self.merger.has_info_below(at, others) {
                self.add_info_node(Place::LastChildOf(NodeId(at)), others)?;
            }
        }
        for child in children.into_iter().filter(|&child| self.is_shared(child)) {
            open.push(Open { node: child, own: own.clone(), others: others.clone() });
        }
        Ok(())
    }

    /// Gives game info of the nodes above to a node of the tree, which has these facts.
    fn give(&mut self, node: u32, above: Option<Rc<Info>>, facts: Facts) -> Result<(), EditError> {
        let above = if facts.has_stones { self.put_handicap(node, above)? } else { above };
        self.set_info(node, with(above, facts.info).as_deref())
    }

    /// Puts the handicap of some game info beside the stones of a node. Returns the rest.
    fn put_handicap(&mut self, node: u32, info: Option<Rc<Info>>) -> Result<Option<Rc<Info>>, EditError> {
        let Some(info) = info else { return Ok(None) };
        let Some(values) = info.get(HANDICAP) else { return Ok(Some(info)) };
        let mut handicap = Vec::new();
        packed::put_property(&mut handicap, HANDICAP, values.iter().map(Vec::as_slice));
        for property in packed::NodeProperties(&handicap) {
            self.add_property(node, property)?;
        }
        Ok(info.without_handicap())
    }

    fn add_info_node(&mut self, place: Place, info: &Rc<Info>) -> Result<(), EditError> {
        let node = self.merger.tree.add(place)?;
        self.merger.add_sibling(node.0, matches!(place, Place::LastChildOf(_)));
        self.set_info(node.0, Some(info))
    }

    /// Replaces the game info of a node of the tree.
    fn set_info(&mut self, node: u32, info: Option<&Info>) -> Result<(), EditError> {
        self.merger.set_info(node, info)
    }

    /// Returns the children of a node of the other game.
    pub(super) fn children(&self, node: u32) -> impl Iterator<Item = u32> {
        let arena = &self.other.arena;
        std::iter::successors(arena.first(node), |&child| arena.next(child))
    }

    /// Returns whether the tree had a node of the other game before the merge.
    fn is_shared(&self, node: u32) -> bool {
        self.image[node as usize] < self.old
    }

    pub(super) fn facts_of_other(&self, node: u32) -> Facts {
        Facts::of(self.other, node, &context_of(self.merger.context, node))
    }

    /// Returns the children that a node of the tree had before the merge.
    fn old_children(&self, node: u32) -> impl Iterator<Item = u32> {
        let arena = &self.merger.tree.arena;
        std::iter::successors(arena.first(node), |&child| arena.next(child)).filter(|&child| child < self.old)
    }

    /// Returns what there is below each shared node.
    fn below(&mut self) -> Vec<Below> {
        let mut all = vec![Below::default(); self.image.len()];
        for &node in self.shared.clone().iter().rev() {
            let at = self.image[node as usize];
            let facts = self.merger.facts(at);
            let has_free_handicap = facts.info.as_ref().is_some_and(|info| info.get(HANDICAP).is_some());
            let mut here = Below {
                has_other_info: self.facts_of_other(node).info.is_some(),
                has_own_info: facts.info.is_some(),
                handicap: self.merger.handicap(at, facts),
                ..Below::default()
            };
            let (mut found, mut handicaps) = (0, Vec::new());
            for child in self.children(node) {
                if !self.is_shared(child) {
                    here.has_new = true;
                    let mut nodes = self.other.arena.preorder(child);
                    here.has_other_info |= nodes.any(|node| self.facts_of_other(node).info.is_some());
                    handicaps.push(None);
                    continue;
                }
                found += 1;
                let child = &all[child as usize];
                here.has_own |= child.has_own;
                here.has_new |= child.has_new;
                here.has_other_info |= child.has_other_info;
                here.has_own_info |= child.has_own_info;
                handicaps.push(child.handicap.clone());
            }
            here.has_own |= self.old_children(at).nth(found).is_some();
            let first = handicaps.first().cloned().flatten();
            here.handicap = here.handicap.or(first.filter(|_| handicaps.iter().all(|other| *other == handicaps[0])));
            // A number that is no longer, or not yet, beside the stones is as other game info.
            here.handicap = here.handicap.filter(|_| !has_free_handicap);
            all[node as usize] = here;
        }
        all
    }
}

impl Merger {
    /// Nodes with longer properties are read once.
    pub(super) const MAX_READ: usize = 256;

    /// Returns the game info of a node of the tree, and whether there are stones.
    pub(super) fn facts(&mut self, node: u32) -> Facts {
        let context = context_of(self.context, node);
        if self.tree.arena.packed(node).len() <= Self::MAX_READ {
            return Facts::of(&self.tree, node, &context);
        }
        self.facts.entry(node).or_insert_with(|| Facts::of(&self.tree, node, &context)).clone()
    }

    /// Returns the number of handicap stones beside the stones of a node with these facts.
    fn handicap(&self, node: u32, facts: Facts) -> Option<Rc<[u8]>> {
        let held = self.held.get(&node).filter(|_| facts.has_stones);
        let added = held.and_then(|held| held.get(Ident::new(HANDICAP)));
        added.map(|property| trim(property.first().as_bytes()).0.into()).or(facts.handicap)
    }

    /// Replaces the game info of a node.
    fn set_info(&mut self, node: u32, info: Option<&Info>) -> Result<(), EditError> {
        let Facts { info: had, has_stones, .. } = self.facts(node);
        if had.as_deref() == info {
            return Ok(());
        }
        let context = context_of(self.context, node);
        let mut packed = Vec::new();
        let mut rest = info.map_or(Vec::new(), |info| info.0.iter().collect());
        for property in self.tree.arena.properties(node) {
            let ident = property.ident();
            if !moves(ident, &context, has_stones) {
                packed::put_property(&mut packed, ident.as_bytes(), property.values().map(RawValue::as_bytes));
            } else if let Some(index) = rest.iter().position(|(name, _)| Ident::new(name) == ident) {
                let (_, values) = rest.remove(index);
                packed::put_property(&mut packed, ident.as_bytes(), values.iter().map(Vec::as_slice));
            }
        }
        for (name, values) in rest {
            packed::put_property(&mut packed, name, values.iter().map(Vec::as_slice));
        }
        self.tree.set_packed(node, &packed)?;
        self.facts.remove(&node);
        if let Some(parent) = self.tree.arena.parent(node)
            && let Some(siblings) = self.siblings.get_mut(&parent)
        {
            siblings.change_info(node, info);
        }
        if let Some(holders) = &mut self.holders {
            if let Some(nodes) = had.and_then(|had| holders.get_mut(&had.key())) {
                nodes.remove(&node);
            }
            info.into_iter().for_each(|info| _ = holders.entry(info.key()).or_default().insert(node));
        }
        Ok(())
    }

    /// Returns whether a node of the tree, or one below it, has this game info.
    fn has_info_below(&mut self, above: u32, info: &Info) -> bool {
        if self.holders.is_none() {
            let mut holders = HashMap::<InfoKey, HashSet<u32>>::new();
            let nodes: Vec<u32> = self.tree.arena.preorder(0).collect();
            for node in nodes {
                if let Some(info) = self.facts(node).info {
                    holders.entry(info.key()).or_default().insert(node);
                }
            }
            self.holders = Some(holders);
        }
        let arena = &self.tree.arena;
        let holders = self.holders.as_ref().and_then(|holders| holders.get(&info.key()));
        holders.is_some_and(|nodes| nodes.iter().any(|&node| arena.is_at_or_above(above, node)))
    }
}
