//! The place of game info in a merged tree.
//!
//! A walk goes down the shared nodes, from the root, with the game info of both games that is in force there. It stays at a
//! node if it holds for all lines below, or if both games have the same. Otherwise it goes further down, to
//!
//! * the children that only one of the games has;
//! * the shared children, where the same question is asked again;
//! * a new node without moves, if a game ends here.

use super::{LeftOut, Merging};
use crate::property::{self, Context, PropertyType};
use crate::syntax::event::Ident;
use crate::tree::edit::{EditError, Place};
use crate::tree::{GameTree, NodeId, packed};
use crate::value::RawValue;
use crate::value::typed::trim;

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
pub(super) fn has_stones(tree: &GameTree, node: u32) -> bool {
    super::super::Node { tree, id: node }.contains("AB")
}

/// Returns whether a property of a node is game info that moves to the first node of its game.
///
/// The number of handicap stones stays with the stones, as FF\[4\] wants it.
pub(super) fn moves(ident: Ident<'_>, context: &Context, has_stones: bool) -> bool {
    !(has_stones && ident == "HA") && is_info(ident, context)
}

/// The game info of a node that may move: names and raw values.
#[derive(Clone, Debug)]
pub(super) struct Info(Vec<(Vec<u8>, Vec<Vec<u8>>)>);

impl Info {
    /// Returns the game info of a node; `None` without any.
    pub(super) fn of(tree: &GameTree, node: u32) -> Option<Self> {
        let (context, has_stones) = (tree.context_at(node), has_stones(tree, node));
        let mut info = Vec::new();
        for property in tree.arena.properties(node) {
            if moves(property.ident(), &context, has_stones) {
                let values = property.values().map(|value| value.as_bytes().to_vec()).collect();
                info.push((property.ident().name().into_owned().into_bytes(), values));
            }
        }
        (!info.is_empty()).then_some(Info(info))
    }

    /// Returns the game info that holds for a node: its own, or that of the nearest node above it.
    pub(super) fn in_force(tree: &GameTree, node: u32) -> Option<Self> {
        std::iter::successors(Some(node), |&node| tree.arena.parent(node)).find_map(|node| Info::of(tree, node))
    }

    fn get(&self, name: &[u8]) -> Option<&Vec<Vec<u8>>> {
        self.0.iter().find(|(other, _)| other == name).map(|(_, values)| values)
    }

    /// Returns whether no property has different values in the other.
    fn agrees_with(&self, other: &Info) -> bool {
        self.0.iter().all(|(name, values)| other.get(name).is_none_or(|theirs| is_same(values, theirs)))
    }

    /// Adds what it lacks of the other; different values of a property are kept side by side.
    fn and(mut self, other: Option<&Info>) -> Self {
        for (name, values) in other.into_iter().flat_map(|other| &other.0) {
            match self.0.iter_mut().find(|(own, _)| own == name) {
                None => self.0.push((name.clone(), values.clone())),
                Some((_, own)) => {
                    let new = values.iter().filter(|value| !own.iter().any(|own| trim(own).0 == trim(value).0));
                    let new: Vec<_> = new.cloned().collect();
                    own.extend(new);
                }
            }
        }
        self
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

/// What there is below a shared node, itself included.
#[derive(Clone, Copy, Default)]
struct Below {
    /// The tree has nodes that the other game lacks.
    has_own: bool,
    /// The other game has nodes that the tree lacked.
    has_new: bool,
    /// The other game has game info.
    has_other_info: bool,
    /// A shared node of the tree has game info.
    has_own_info: bool,
}

/// A shared node, as a node of the other game, and the game info of the nodes above it that is to be placed.
struct Open {
    node: u32,
    own: Option<Info>,
    others: Option<Info>,
}

impl Merging<'_> {
    /// Moves the game info of the tree, and adds that of the other game.
    ///
    /// Returns the values that were left out.
    pub(super) fn place_info(mut self) -> Result<Vec<LeftOut>, EditError> {
        let below = self.below();
        let mut open = vec![Open { node: 0, own: None, others: None }];
        while let Some(Open { node, own, others }) = open.pop() {
            let (at, here) = (self.image[node as usize], below[node as usize]);
            let with = |above: Option<Info>, info: Option<Info>| match above {
                Some(above) => Some(above.and(info.as_ref())),
                None => info,
            };
            let (had, has) = (Info::of(self.tree, at), Info::of(self.other, node));
            let has_more =
                self.children(node).any(|child| self.is_shared(child) && below[child as usize].has_other_info);
            let (own, others) = (with(own, had), with(others, has));
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
            let placed = match (own, others) {
                (Some(own), others) => Some(own.and(others.as_ref())),
                (None, others) => others,
            };
            self.set_info(at, placed.as_ref())?;
            if has_more {
                let children: Vec<u32> = self.children(node).filter(|&child| self.is_shared(child)).collect();
                open.extend(children.into_iter().map(|node| Open { node, own: None, others: None }));
            }
        }
        Ok(self.left)
    }

    /// Passes game info of a shared node on to the nodes below it.
    fn descend(
        &mut self,
        node: u32,
        own: Option<Info>,
        others: Option<Info>,
        open: &mut Vec<Open>,
    ) -> Result<(), EditError> {
        let at = self.image[node as usize];
        let (old, children): (Vec<u32>, Vec<u32>) = (self.old_children(at).collect(), self.children(node).collect());
        let images: Vec<u32> = children.iter().map(|&child| self.image[child as usize]).collect();
        self.set_info(at, None)?;
        if let Some(own) = &own {
            for &child in old.iter().filter(|child| !images.contains(child)) {
                let info = own.clone().and(Info::of(self.tree, child).as_ref());
                self.set_info(child, Some(&info))?;
            }
            if old.is_empty() {
                self.add_info_node(Place::FirstChildOf(NodeId(at)), own)?;
            }
        }
        if let Some(others) = &others {
            for (&child, &image) in children.iter().zip(&images) {
                if self.is_shared(child) {
                    continue;
                }
                let info = others.clone().and(Info::of(self.other, child).as_ref());
                self.set_info(image, Some(&info))?;
            }
            if children.is_empty() && !self.has_info_below(at, others) {
                self.add_info_node(Place::LastChildOf(NodeId(at)), others)?;
            }
        }
        for child in children.into_iter().filter(|&child| self.is_shared(child)) {
            open.push(Open { node: child, own: own.clone(), others: others.clone() });
        }
        Ok(())
    }

    fn add_info_node(&mut self, place: Place, info: &Info) -> Result<(), EditError> {
        let node = self.tree.add(place)?;
        self.set_info(node.0, Some(info))
    }

    /// Returns whether a node of the tree, or one below it, has this game info.
    fn has_info_below(&self, node: u32, info: &Info) -> bool {
        self.tree.arena.preorder(node).any(|node| Info::of(self.tree, node).is_some_and(|other| other == *info))
    }

    /// Replaces the game info of a node of the tree.
    fn set_info(&mut self, node: u32, info: Option<&Info>) -> Result<(), EditError> {
        if Info::of(self.tree, node).as_ref() == info {
            return Ok(());
        }
        let (context, has_stones) = (self.tree.context_at(node), has_stones(self.tree, node));
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
        self.tree.set_packed(node, &packed)
    }

    /// Returns the children of a node of the other game.
    fn children(&self, node: u32) -> impl Iterator<Item = u32> {
        let arena = &self.other.arena;
        std::iter::successors(arena.first(node), |&child| arena.next(child))
    }

    /// Returns whether the tree had a node of the other game before the merge.
    fn is_shared(&self, node: u32) -> bool {
        self.image[node as usize] < self.old
    }

    /// Returns what there is below each shared node.
    fn below(&self) -> Vec<Below> {
        let mut all = vec![Below::default(); self.image.len()];
        for &node in self.shared.iter().rev() {
            let at = self.image[node as usize];
            let mut here = Below {
                has_other_info: Info::of(self.other, node).is_some(),
                has_own_info: Info::of(self.tree, at).is_some(),
                ..Below::default()
            };
            let mut found = 0;
            for child in self.children(node) {
                if !self.is_shared(child) {
                    here.has_new = true;
                    here.has_other_info |=
                        self.other.arena.preorder(child).any(|node| Info::of(self.other, node).is_some());
                    continue;
                }
                found += 1;
                let child = all[child as usize];
                here.has_own |= child.has_own;
                here.has_new |= child.has_new;
                here.has_other_info |= child.has_other_info;
                here.has_own_info |= child.has_own_info;
            }
            here.has_own |= self.old_children(at).count() > found;
            all[node as usize] = here;
        }
        all
    }
}
