//! The place of game info in a merged tree.
//!
//! A line of a game is in the tree if the tree has its nodes, and its game info: in force at the end of the line, or on the way
//! to some node below. If all lines of the other game are in the tree, there is nothing to do. No merge takes game info away
//! from a line. To merge a game again therefore changes nothing, even if later games moved or extended its info.
//!
//! Otherwise, a walk goes down the shared nodes, from the root, with the game info of both games that is in force there. It
//! stays at a node if it holds for all lines below, or if both games have the same. If not, it goes further down, to
//!
//! * the children that only one of the games has;
//! * the shared children, where the same question is asked again;
//! * an ending, if a line of the tree ends here: a last node with nothing but the game info of its line.
//!
//! After the walk, each line of the other game that is not yet in the tree gets an ending. Endings are not shared, and not compared:
//! an ending of the other game is a second line that ends at the node above it.
//!
//! The number of handicap stones goes no further than the node with the stones, and stays there.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use super::held::MOST_KEPT;
use super::in_force::{InForce, Side};
use super::{Conflict, Merger, Merging, context_of, key};
use crate::property::{self, Context, PropertyType};
use crate::syntax::event::Ident;
use crate::tree::edit::{EditError, Place};
use crate::tree::{GameTree, Node, NodeId, NodeProperty, packed};
use crate::value::RawValue;
use crate::work;

/// The number of handicap stones.
pub(super) const HANDICAP: &[u8] = b"HA";

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
    !(has_stones && ident.name().as_bytes() == HANDICAP) && belongs_to_game(ident, context)
}

/// Returns whether a property is game info in any version of FF. Which version the merged root names may depend on the last
/// game, and what belongs to one game must not.
pub(super) fn belongs_to_game(ident: Ident<'_>, context: &Context) -> bool {
    !property::lookup(ident, context).is_some_and(key::is_part)
        && (is_info(ident, context) || (1..=4).any(|ff| is_info(ident, &Context::new(context.game(), ff))))
}

/// The game info of a node that may move: names and raw values.
#[derive(Clone, Debug)]
pub(super) struct Info {
    pub(super) all: Vec<(Vec<u8>, Vec<Vec<u8>>)>,
    /// The keys of all values, once others were added.
    known: HashSet<InfoKey>,
}

/// A property and one value of it, without the blanks around it.
pub(super) type InfoKey = Box<[u8]>;

/// Game info, and whether there are stones.
#[derive(Clone)]
pub(super) struct Facts {
    pub(super) info: Option<Rc<Info>>,
    pub(super) has_stones: bool,
    /// The number of handicap stones beside the stones, as game info.
    handicap: Option<Rc<Info>>,
}

impl Facts {
    /// Returns the facts of a node in which identifiers have the meaning of a context.
    pub(super) fn of(tree: &GameTree, node: u32, context: &Context) -> Self {
        let has_stones = has_stones(tree, node);
        let (mut info, mut handicap) = (Vec::new(), None);
        for property in tree.arena.properties(node) {
            if has_stones && property.ident() == "HA" {
                handicap = Some(Rc::new(Info::of(vec![Info::property(property)])));
            }
            if moves(property.ident(), context, has_stones) {
                info.push(Info::property(property));
            }
        }
        Facts { info: (!info.is_empty()).then(|| Rc::new(Info::of(info))), has_stones, handicap }
    }
}

impl Info {
    pub(super) fn of(all: Vec<(Vec<u8>, Vec<Vec<u8>>)>) -> Self {
        Info { all, known: HashSet::new() }
    }

    fn property(property: NodeProperty<'_>) -> (Vec<u8>, Vec<Vec<u8>>) {
        let values = property.values().map(|value| value.as_bytes().to_vec()).collect();
        (property.ident().name().into_owned().into_bytes(), values)
    }

    fn get(&self, name: &[u8]) -> Option<&Vec<Vec<u8>>> {
        self.all.iter().find(|(other, _)| other == name).map(|(_, values)| values)
    }

    /// Returns the rest without the handicap; `None` if it has nothing else.
    fn without_handicap(&self) -> Option<Rc<Self>> {
        let rest: Vec<_> = self.all.iter().filter(|(name, _)| name != HANDICAP).cloned().collect();
        (!rest.is_empty()).then(|| Rc::new(Info::of(rest)))
    }

    /// Returns each property and value: as one key, the name, and the value as it is written.
    pub(super) fn values(&self) -> impl Iterator<Item = (InfoKey, &Vec<u8>, &Vec<u8>)> {
        let all = self.all.iter().flat_map(|(name, values)| values.iter().map(move |value| (name, value)));
        all.map(|(name, value)| {
            let mut key = Vec::new();
            packed::put_property(&mut key, name, [&*key::compared(value)]);
            (key.into(), name, value)
        })
    }

    /// Adds a node that has this game info.
    pub(super) fn hold(&self, node: u32, holders: &mut Holders) {
        self.values().for_each(|(key, ..)| _ = holders.entry(key).or_default().insert(node));
    }

    /// Returns whether no property has different values in the other.
    fn agrees_with(&self, other: &Info) -> bool {
        self.all.iter().all(|(name, values)| other.get(name).is_none_or(|theirs| is_same(values, theirs)))
    }

    /// Adds what it lacks of the other; different values of a property are kept side by side.
    fn add(&mut self, other: &Info) {
        if self.known.is_empty() {
            self.known = self.values().map(|(key, ..)| key).collect();
            work::note(self.known.len());
        }
        for (key, name, value) in other.values() {
            work::note(1);
            if !self.known.insert(key) {
                continue;
            }
            match self.all.iter_mut().find(|(own, _)| own == name) {
                None => self.all.push((name.clone(), vec![value.clone()])),
                Some((_, own)) => own.push(value.clone()),
            }
        }
    }
}

/// Compares properties in any order, and values without the blanks around them.
impl PartialEq for Info {
    fn eq(&self, other: &Self) -> bool {
        self.all.len() == other.all.len()
            && self.agrees_with(other)
            && self.all.iter().all(|(name, _)| other.get(name).is_some())
    }
}

fn is_same(one: &[Vec<u8>], other: &[Vec<u8>]) -> bool {
    one.iter().map(|value| key::compared(value)).eq(other.iter().map(|value| key::compared(value)))
}

/// Returns the game info in force at a node: that of the nodes above, completed with its own.
fn with(above: Option<Rc<Info>>, own: Option<Rc<Info>>) -> Option<Rc<Info>> {
    match (above, own) {
        (Some(above), Some(own)) if above == own => Some(above),
        (Some(mut above), Some(own)) => {
            if Rc::get_mut(&mut above).is_none() {
                work::note(above.all.iter().map(|(_, values)| values.len()).sum());
            }
            Rc::make_mut(&mut above).add(&own); // a copy, if other nodes have it too
            Some(above)
        }
        (above, own) => above.or(own),
    }
}

/// The nodes of a tree that have a value of game info, by the value.
pub(super) type Holders = HashMap<InfoKey, BTreeSet<u32>>;

/// Nodes and values that are looked at to find the game info of one line of the other game.
const MOST_LOOKED_AT: usize = 4096;

/// How many more nodes and values may be looked at.
struct Patience(usize);

impl Patience {
    fn spend(&mut self, steps: usize) -> Option<()> {
        work::note(steps);
        self.0 = self.0.checked_sub(steps)?;
        Some(())
    }
}

/// Returns whether a node only says where a line ends: it is a last node, and has game info but no other properties.
fn is_ending(tree: &GameTree, node: u32, context: &Context) -> bool {
    let has_other = || tree.arena.properties(node).any(|property| !belongs_to_game(property.ident(), context));
    node != 0 && tree.arena.first(node).is_none() && !tree.arena.packed(node).is_empty() && !has_other()
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
    handicap: Option<Rc<Info>>,
    /// The tree has such a number on some line of the other game.
    has_handicap: bool,
}

/// A step of a walk on which game info comes into force.
enum Step {
    /// Into a node. Whether it is below one with the rarest value.
    Enter(u32, bool),
    /// Back to an earlier length of the log.
    Leave(usize),
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
    pub(super) fn place_info(mut self) -> Result<Vec<Conflict>, EditError> {
        let has_new = self.merger.tree.arena.slots.len() as u32 > self.old;
        if !has_new {
            let (gaps, left) = self.gaps();
            if gaps.iter().all(|(at, missing)| self.merger.has_info_below(*at, missing)) {
                self.left.extend(left);
                return Ok(self.left);
            }
        }
        self.walk()?;
        for (at, missing) in self.gaps().0 {
            if !self.merger.has_info_below(at, &missing) {
                self.add_ending(Place::LastChildOf(NodeId(at)), &missing)?;
            }
        }
        Ok(self.left)
    }

    /// Moves the game info of the tree, and adds that of the other game to nodes of the tree.
    fn walk(&mut self) -> Result<(), EditError> {
        let below = self.below();
        let mut open = vec![Open { node: 0, own: None, others: None }];
        while let Some(Open { node, own, others }) = open.pop() {
            let (at, here) = (self.image[node as usize], &below[node as usize]);
            let (had, has) = (self.merger.facts(at), self.facts_of_other(node));
            let (own, mut others) = (with(own, had.info), with(others, has.info));
            let has_handicap = |info: &Option<Rc<Info>>| info.as_ref().is_some_and(|info| info.get(HANDICAP).is_some());
            if let Some((above, known)) = others.as_ref().zip(here.handicap.as_ref())
                && !has_handicap(&own)
                && above.get(HANDICAP).zip(known.get(HANDICAP)).is_some_and(|(above, known)| is_same(above, known))
            {
                others = above.without_handicap();
            }
            let [own, others] = match had.has_stones {
                true => [self.put_handicap(at, own, Side::Own)?, self.put_handicap(at, others, Side::Other)?],
                false => [own, others],
            };
            // A number that is new here must not meet the stones of another line, which may have another number.
            let is_new_handicap = !has_handicap(&own) && has_handicap(&others);
            let stays = match (&own, &others) {
                (None, None) => true,
                (Some(_), None) => !here.has_other_info,
                (None, Some(_)) => !(here.has_own || here.has_own_info || is_new_handicap && here.has_handicap),
                (Some(own), Some(others)) => {
                    own == others
                        || own.agrees_with(others)
                            && !(here.has_own && here.has_new)
                            && !(is_new_handicap && (here.has_own || here.has_handicap))
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
        Ok(())
    }

    /// Returns the shared nodes at which lines of the other game end with game info that is not in force there, and what is missing.
    ///
    /// A handicap is not looked for beyond the stones: the number beside them is kept, and another one is left out. These are in
    /// the second list.
    fn gaps(&mut self) -> (Vec<(u32, Info)>, Vec<Conflict>) {
        let (mut gaps, mut left, mut in_force, mut open) = (Vec::new(), Vec::new(), InForce::default(), Vec::new());
        for node in self.shared.clone() {
            let parent = self.other.arena.parent(node);
            while let Some((_, len)) = open.pop_if(|(above, _): &mut (u32, usize)| Some(*above) != parent) {
                in_force.leave(len);
            }
            open.push((node, in_force.len()));
            let at = self.image[node as usize];
            let had = self.merger.facts(at);
            had.info.iter().for_each(|info| in_force.enter(info, Side::Own));
            self.facts_of_other(node).info.iter().for_each(|info| in_force.enter(info, Side::Other));
            if let Some(kept) = self.merger.handicap(at, had) {
                let values = || kept.get(HANDICAP).into_iter().flatten();
                let known: HashSet<_> = values().map(|value| key::compared(value)).collect();
                let kept: Arc<[Vec<u8>]> = values().take(MOST_KEPT).cloned().collect();
                let settled = in_force.settle_handicap().into_iter();
                let others = settled.filter(|value| !known.contains(&key::compared(value)));
                left.extend(others.map(|value| Conflict {
                    node: NodeId(at),
                    ident: String::from_utf8_lossy(HANDICAP).into_owned(),
                    value,
                    kept_ident: String::from_utf8_lossy(HANDICAP).into_owned(),
                    kept: Arc::clone(&kept),
                }));
            }
            let (endings, others): (Vec<u32>, Vec<u32>) =
                self.all_children(node).partition(|&child| self.is_ending(child));
            for &ending in &endings {
                let len = in_force.len();
                self.facts_of_other(ending).info.iter().for_each(|info| in_force.enter(info, Side::Other));
                gaps.extend(in_force.missing().map(|missing| (at, missing)));
                in_force.leave(len);
            }
            if endings.is_empty() && others.is_empty() {
                gaps.extend(in_force.missing().map(|missing| (at, missing)));
            }
        }
        (gaps, left)
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
                self.add_ending(Place::FirstChildOf(NodeId(at)), own)?;
            }
        }
        if let Some(others) = &others {
            let new: Vec<u32> = children.iter().copied().filter(|&child| !self.is_shared(child)).collect();
            for child in new {
                let facts = self.facts_of_other(child);
                self.give(self.image[child as usize], Some(Rc::clone(others)), facts)?;
            }
        }
        for child in children.into_iter().filter(|&child| self.is_shared(child)) {
            open.push(Open { node: child, own: own.clone(), others: others.clone() });
        }
        Ok(())
    }

    /// Gives game info of the nodes above to a node of the tree, which has these facts.
    fn give(&mut self, node: u32, above: Option<Rc<Info>>, facts: Facts) -> Result<(), EditError> {
        let stays = above.clone().filter(|_| facts.has_stones);
        let above = if facts.has_stones { above.and_then(|above| above.without_handicap()) } else { above };
        self.set_info(node, with(above, facts.info).as_deref())?;
        self.put_handicap(node, stays, Side::Own).map(drop)
    }

    /// Puts the handicap of some game info beside the stones of a node. Returns the rest.
    ///
    /// Another number of the tree stays beside it: then a game contradicts itself. Another number of the other game is left out.
    fn put_handicap(&mut self, node: u32, info: Option<Rc<Info>>, side: Side) -> Result<Option<Rc<Info>>, EditError> {
        let Some(info) = info else { return Ok(None) };
        let Some(values) = info.get(HANDICAP) else { return Ok(Some(info)) };
        let mut handicap = Vec::new();
        packed::put_property(&mut handicap, HANDICAP, values.iter().map(Vec::as_slice));
        for property in packed::NodeProperties(&handicap) {
            match side {
                Side::Own => self.merger.held(node).add_beside(property),
                Side::Other => self.add_property(node, property)?,
            }
        }
        self.merger.hold_handicap(node);
        Ok(info.without_handicap())
    }

    /// Adds a last node with some game info.
    fn add_ending(&mut self, place: Place, info: &Info) -> Result<(), EditError> {
        let node = self.merger.tree.add(place)?;
        self.merger.set_info(node.0, Some(info))
    }

    /// Replaces the game info of a node of the tree. A last node without properties stays as it is, and gets an ending.
    fn set_info(&mut self, node: u32, info: Option<&Info>) -> Result<(), EditError> {
        match info {
            Some(info) if self.merger.is_blank(node) => self.add_ending(Place::FirstChildOf(NodeId(node)), info),
            info => self.merger.set_info(node, info),
        }
    }

    /// Returns the children of a node of the other game, without endings.
    pub(super) fn children(&self, node: u32) -> impl Iterator<Item = u32> {
        self.all_children(node).filter(|&child| !self.is_ending(child))
    }

    fn all_children(&self, node: u32) -> impl Iterator<Item = u32> {
        self.other.arena.children(node)
    }

    /// Returns whether a node of the other game is an ending.
    fn is_ending(&self, node: u32) -> bool {
        is_ending(self.other, node, &self.merger.context)
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
        self.merger.tree.arena.children(node).filter(|&child| child < self.old)
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
            here.has_handicap = here.handicap.is_some();
            here.has_other_info |= self.all_children(node).any(|child| self.is_ending(child));
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
                here.has_handicap |= child.has_handicap;
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
    fn handicap(&self, node: u32, facts: Facts) -> Option<Rc<Info>> {
        let held = self.held.get(&node).filter(|_| facts.has_stones);
        let added = held.and_then(|held| held.get(Ident::new(HANDICAP)));
        added.map(|property| Rc::new(Info::of(vec![Info::property(property)]))).or(facts.handicap)
    }

    /// Replaces the game info of a node.
    fn set_info(&mut self, node: u32, info: Option<&Info>) -> Result<(), EditError> {
        let Facts { info: had, has_stones, .. } = self.facts(node);
        if had.as_deref() == info {
            return Ok(());
        }
        // In the order in which the games added to the node.
        self.write(node)?;
        let context = context_of(self.context, node);
        let mut packed = Vec::new();
        let mut rest = info.map_or(Vec::new(), |info| info.all.iter().collect());
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
        if let Some(holders) = &mut self.holders {
            for (key, ..) in had.iter().flat_map(|had| had.values()) {
                holders.get_mut(&key).map(|nodes| nodes.remove(&node));
            }
            info.into_iter().for_each(|info| info.hold(node, holders));
        }
        Ok(())
    }

    /// Returns the game info of a node of the tree, with the handicap beside its stones, which does not move.
    pub(super) fn info_of_game(&mut self, node: u32) -> Option<Rc<Info>> {
        let facts = self.facts(node);
        let info = facts.info.clone();
        with(info, self.handicap(node, facts))
    }

    /// Notes the handicap beside the stones of a node, if it is new.
    fn hold_handicap(&mut self, node: u32) {
        if self.holders.is_some() {
            let info = self.info_of_game(node);
            self.holders.iter_mut().zip(info).for_each(|(holders, info)| info.hold(node, holders));
        }
    }

    /// Returns whether nodes below a node of the tree, itself included, have this game info on one line.
    ///
    /// False too if that is not found within [`MOST_LOOKED_AT`] nodes and values. The line then gets an ending, which is found
    /// at once when the game is merged again.
    fn has_info_below(&mut self, above: u32, info: &Info) -> bool {
        if self.holders.is_none() {
            let mut holders = Holders::new();
            let nodes: Vec<u32> = self.tree.arena.preorder(0).collect();
            for node in nodes {
                self.info_of_game(node).iter().for_each(|info| info.hold(node, &mut holders));
            }
            self.holders = Some(holders);
        }
        self.look_below(above, info, &mut Patience(MOST_LOOKED_AT)).unwrap_or(false)
    }

    /// Returns the same; `None` if it takes too long.
    fn look_below(&mut self, above: u32, info: &Info, patience: &mut Patience) -> Option<bool> {
        let sets = info.values().map(|(key, ..)| self.holders.as_ref()?.get(&key).filter(|nodes| !nodes.is_empty()));
        let Some(mut sets) = sets.collect::<Option<Vec<_>>>() else { return Some(false) };
        sets.sort_unstable_by_key(|nodes| nodes.len());
        let total = sets.iter().map(|nodes| nodes.len()).sum::<usize>();
        let below = self.tree.arena.preorder(above).take(total.min(patience.0) + 1).count();
        work::note(below);
        let is_small = below <= total;
        let rarest = sets.first().copied()?;
        if !is_small {
            // Most often one node has all values, and an ending of an earlier merge is near.
            let is_in_all = |node: &u32| sets.iter().all(|nodes| nodes.contains(node));
            let is_near = match rarest.len() <= patience.0 {
                true => rarest.iter().any(|node| self.tree.arena.parent(*node) == Some(above) && is_in_all(node)),
                false => self.tree.arena.children(above).take(patience.0).any(|child| is_in_all(&child)),
            };
            if is_near {
                return Some(true);
            }
            patience.spend(rarest.len())?;
            for &node in rarest.iter().filter(|node| is_in_all(node)) {
                if self.is_below(above, node, patience)? {
                    return Some(true);
                }
            }
        }
        // The line has a node with the rarest value; the other values are on the way to it or below it.
        let rarest = if is_small { BTreeSet::from([above]) } else { rarest.clone() };
        let mut ways = self.ways(above, &rarest, patience)?;
        let (mut in_force, mut open) = (InForce::default(), vec![Step::Enter(above, false)]);
        in_force.enter(info, Side::Other);
        while let Some(step) = open.pop() {
            match step {
                Step::Enter(node, is_below) => {
                    open.push(Step::Leave(in_force.len()));
                    let here = self.info_of_game(node);
                    patience.spend(
                        1 + here.iter().flat_map(|info| &info.all).map(|(_, values)| values.len()).sum::<usize>(),
                    )?;
                    here.iter().for_each(|info| in_force.enter(info, Side::Own));
                    if in_force.is_complete() {
                        return Some(true);
                    }
                    if is_below || rarest.contains(&node) {
                        open.extend(self.tree.arena.children(node).map(|child| Step::Enter(child, true)));
                    } else {
                        open.extend(ways.remove(&node).into_iter().flatten().map(|child| Step::Enter(child, false)));
                    }
                }
                Step::Leave(len) => in_force.leave(len),
            }
        }
        Some(false)
    }

    /// Returns whether a node of the tree is another one or below it.
    fn is_below(&self, above: u32, node: u32, patience: &mut Patience) -> Option<bool> {
        let mut at = Some(node);
        while let Some(node) = at.filter(|node| above != 0 && *node != above) {
            patience.spend(1)?;
            at = self.tree.arena.parent(node);
        }
        Some(at.is_some())
    }

    /// Returns the children of each node on the ways from a node of the tree to some nodes below it.
    fn ways(&self, above: u32, nodes: &BTreeSet<u32>, patience: &mut Patience) -> Option<HashMap<u32, Vec<u32>>> {
        let (mut ways, mut is_below) = (HashMap::<u32, Vec<u32>>::new(), HashMap::from([(above, true)]));
        for &node in nodes {
            let (mut way, mut at) = (Vec::new(), Some(node));
            let leads_here = loop {
                patience.spend(1)?;
                let Some(node) = at else { break false };
                if let Some(known) = is_below.get(&node) {
                    break *known;
                }
                at = self.tree.arena.parent(node);
                way.push((node, at));
            };
            for (node, parent) in way {
                is_below.insert(node, leads_here);
                if let Some(parent) = parent.filter(|_| leads_here) {
                    ways.entry(parent).or_default().push(node);
                }
            }
        }
        Some(ways)
    }

    /// Returns whether a node of the tree is an ending.
    pub(super) fn is_ending(&self, node: u32) -> bool {
        // Properties that are not yet in the tree are of shared nodes, which endings are not.
        !self.held.contains_key(&node) && is_ending(&self.tree, node, &self.context)
    }

    /// Returns whether a node of the tree is the last one of a line, and has no properties.
    fn is_blank(&self, node: u32) -> bool {
        let arena = &self.tree.arena;
        node != 0 && arena.first(node).is_none() && arena.packed(node).is_empty() && !self.held.contains_key(&node)
    }
}
