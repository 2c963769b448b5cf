//! Random edits, on a tree and on a model of it that is as plain as can be.

use std::fmt;

use quickcheck::{Arbitrary, Gen};
use sgf_stream::tree::{EditError, GameTree, NodeId, Place};
use sgf_stream::{Event, OwnedEvent, RawValue};

use crate::support::holds;

/// Numbers are taken modulo what there is, and one more: a node that is not there.
#[derive(Clone, Debug)]
enum Op {
    Add(At),
    Remove(u8),
    Dissolve(u8),
    Move(u8, At),
    Promote(u8),
    MakeMainLine(u8),
    Graft(At, u8),
    Set(u8, &'static str, Vec<Vec<u8>>),
    Append(u8, &'static str, String),
    Unset(u8, &'static str),
    Renumber,
}

#[derive(Clone, Copy, Debug)]
enum At {
    First(u8),
    Last(u8),
    Before(u8),
    After(u8),
}

impl Arbitrary for At {
    fn arbitrary(g: &mut Gen) -> Self {
        let node = u8::arbitrary(g);
        match u8::arbitrary(g) % 6 {
            0 => At::First(node),
            1 => At::Before(node),
            2 => At::After(node),
            _ => At::Last(node),
        }
    }
}

const IDENTS: &[&str] = &["B", "W", "C", "AB", "CoPyright", "CP", "X1", "no"];

impl Arbitrary for Op {
    fn arbitrary(g: &mut Gen) -> Self {
        let node = u8::arbitrary(g);
        let ident = *g.choose(IDENTS).unwrap();
        match u8::arbitrary(g) % 20 {
            0..8 => Op::Add(At::arbitrary(g)),
            8 => Op::Remove(node),
            9 => Op::Dissolve(node),
            10 | 11 => Op::Move(node, At::arbitrary(g)),
            12 => Op::Promote(node),
            13 => Op::MakeMainLine(node),
            14 => Op::Graft(At::arbitrary(g), node),
            15 | 16 => Op::Set(node, ident, (0..u8::arbitrary(g) % 4).map(|_| value(g)).collect()),
            17 => Op::Append(node, ident, String::from("a\\b]") + ident),
            18 => Op::Unset(node, ident),
            _ if bool::arbitrary(g) => Op::Renumber,
            _ => Op::Set(node, "C", vec![vec![b'x'; 200]]),
        }
    }
}

fn value(g: &mut Gen) -> Vec<u8> {
    let long = if u8::arbitrary(g) % 8 == 0 { 300 } else { 4 };
    (0..usize::arbitrary(g) % long).map(|_| *g.choose(b"abc:123").unwrap()).collect()
}

/// A tree: for each id, the node, if it is there.
#[derive(Clone)]
struct Model(Vec<Option<ModelNode>>);

#[derive(Clone, Default)]
struct ModelNode {
    parent: Option<usize>,
    children: Vec<usize>,
    properties: Vec<(String, Vec<Vec<u8>>)>,
}

fn name(ident: &str) -> String {
    ident.chars().filter(|c| !c.is_lowercase()).collect()
}

impl Model {
    fn node(&mut self, id: usize) -> &mut ModelNode {
        self.0[id].as_mut().unwrap()
    }

    fn there(&self, id: usize) -> Result<usize, EditError> {
        let is_there = self.0.get(id).is_some_and(Option::is_some);
        if is_there { Ok(id) } else { Err(EditError::NoSuchNode(NodeId::new(id).unwrap())) }
    }

    fn below_root(&self, id: usize) -> Result<usize, EditError> {
        if id == 0 { Err(EditError::IsRoot) } else { self.there(id) }
    }

    /// Parent and index.
    fn place(&self, at: Place) -> Result<(usize, usize), EditError> {
        let sibling = |id: NodeId, behind: usize| {
            let id = self.below_root(id.index())?;
            let parent = self.0[id].as_ref().unwrap().parent.unwrap();
            let index = self.0[parent].as_ref().unwrap().children.iter().position(|&child| child == id).unwrap();
            Ok((parent, index + behind))
        };
        match at {
            Place::FirstChildOf(id) => Ok((self.there(id.index())?, 0)),
            Place::LastChildOf(id) => {
                let id = self.there(id.index())?;
                Ok((id, self.0[id].as_ref().unwrap().children.len()))
            }
            Place::Before(id) => sibling(id, 0),
            Place::After(id) => sibling(id, 1),
        }
    }

    fn insert(&mut self, id: usize, (parent, index): (usize, usize)) {
        self.node(parent).children.insert(index, id);
        self.node(id).parent = Some(parent);
    }

    fn take_out(&mut self, id: usize) -> (usize, usize) {
        let parent = self.node(id).parent.take().unwrap();
        let index = self.node(parent).children.iter().position(|&child| child == id).unwrap();
        self.node(parent).children.remove(index);
        (parent, index)
    }

    fn preorder(&self, top: usize) -> Vec<usize> {
        let (mut left, mut order) = (vec![top], Vec::new());
        while let Some(id) = left.pop() {
            order.push(id);
            left.extend(self.0[id].as_ref().unwrap().children.iter().rev());
        }
        order
    }

    fn apply(&mut self, op: &Edit) -> Result<(), EditError> {
        match op {
            Edit::Add(at) => {
                let place = self.place(*at)?;
                self.0.push(Some(ModelNode::default()));
                self.insert(self.0.len() - 1, place);
            }
            Edit::Remove(id) => {
                let id = self.below_root(*id)?;
                self.take_out(id);
                self.preorder(id).into_iter().for_each(|id| self.0[id] = None);
            }
            Edit::Dissolve(id) => {
                let id = self.below_root(*id)?;
                let (parent, index) = self.take_out(id);
                let node = self.0[id].take().unwrap();
                for (n, child) in node.children.into_iter().enumerate() {
                    self.insert(child, (parent, index + n));
                }
            }
            Edit::Move(id, at) => {
                let moved = self.below_root(*id)?;
                if matches!(at, Place::Before(other) | Place::After(other) if other.index() == moved) {
                    return Ok(());
                }
                let (parent, index) = self.place(*at)?;
                if self.preorder(moved).contains(&parent) {
                    return Err(EditError::UnderItself(NodeId::new(moved).unwrap()));
                }
                let (old, old_index) = self.take_out(moved);
                let shift = usize::from(old == parent && old_index < index);
                self.insert(moved, (parent, index - shift));
            }
            Edit::Promote(id) => {
                let id = self.there(*id)?;
                if id > 0 {
                    let (parent, index) = self.take_out(id);
                    self.insert(id, (parent, index.saturating_sub(1)));
                }
            }
            Edit::MakeMainLine(id) => {
                let mut id = self.there(*id)?;
                while let Some(parent) = self.node(id).parent {
                    self.take_out(id);
                    self.insert(id, (parent, 0));
                    id = parent;
                }
            }
            Edit::Graft(at, from, id) => {
                let place = self.place(*at)?;
                let base = self.0.len();
                let order = from.preorder(*id);
                let copy = |id: usize| base + order.iter().position(|&old| old == id).unwrap();
                for &old in &order {
                    let ModelNode { parent, children, properties } = from.0[old].clone().unwrap();
                    let children = children.into_iter().map(copy).collect();
                    self.0.push(Some(ModelNode {
                        parent: parent.filter(|_| old != *id).map(copy),
                        children,
                        properties,
                    }));
                }
                self.insert(base, place);
            }
            Edit::Set(id, ident, values) => {
                let id = self.there(*id)?;
                check(ident, values)?;
                self.set(id, ident, values.clone());
            }
            Edit::Append(id, ident, text) => {
                let id = self.there(*id)?;
                let raw = text.replace('\\', "\\\\").replace(']', "\\]").into_bytes();
                check(ident, std::slice::from_ref(&raw))?;
                let same = |(old, _): &&(String, Vec<Vec<u8>>)| name(old) == name(ident);
                let old = self.node(id).properties.iter().filter(same).flat_map(|(_, values)| values.clone());
                let values = old.chain([raw]).collect();
                self.set(id, ident, values);
            }
            Edit::Unset(id, ident) => {
                let id = self.there(*id)?;
                self.node(id).properties.retain(|(old, _)| name(old) != name(ident));
            }
            Edit::Renumber => {
                let order = self.preorder(0);
                let place = |id: usize| order.iter().position(|&old| old == id).unwrap();
                let nodes = order.iter().map(|&old| {
                    let ModelNode { parent, children, properties } = self.0[old].clone().unwrap();
                    let children = children.into_iter().map(place).collect();
                    Some(ModelNode { parent: parent.map(place), children, properties })
                });
                self.0 = nodes.collect();
            }
        }
        Ok(())
    }

    fn set(&mut self, id: usize, ident: &str, values: Vec<Vec<u8>>) {
        let mut new = Some((ident.to_owned(), values));
        let old = std::mem::take(&mut self.node(id).properties);
        let mut properties: Vec<_> = Vec::new();
        for property in old {
            if name(&property.0) != name(ident) {
                properties.push(property);
            } else {
                properties.extend(new.take());
            }
        }
        properties.extend(new);
        self.node(id).properties = properties;
    }

    fn events(&self) -> Vec<OwnedEvent> {
        enum Step {
            Enter(usize, bool),
            End,
        }
        let (mut left, mut events) = (vec![Step::Enter(0, true)], Vec::new());
        while let Some(step) = left.pop() {
            let Step::Enter(id, starts_tree) = step else {
                events.push(OwnedEvent::EndTree);
                continue;
            };
            if starts_tree {
                events.push(OwnedEvent::StartTree);
                left.push(Step::End);
            }
            events.push(OwnedEvent::Node);
            let node = self.0[id].as_ref().unwrap();
            for (ident, values) in &node.properties {
                events.push(OwnedEvent::Property(ident.clone().into()));
                events.extend(values.iter().map(|value| OwnedEvent::Value(value.clone().into())));
            }
            left.extend(node.children.iter().rev().map(|&child| Step::Enter(child, node.children.len() > 1)));
        }
        events
    }
}

fn check(ident: &str, values: &[Vec<u8>]) -> Result<(), EditError> {
    match (ident, values) {
        ("no", _) => Err(EditError::Ident("no".to_owned())),
        (ident, []) => Err(EditError::NoValue(ident.to_owned())),
        _ => Ok(()),
    }
}

/// An operation on nodes of a tree.
enum Edit {
    Add(Place),
    Remove(usize),
    Dissolve(usize),
    Move(usize, Place),
    Promote(usize),
    MakeMainLine(usize),
    Graft(Place, Model, usize),
    Set(usize, String, Vec<Vec<u8>>),
    Append(usize, String, String),
    Unset(usize, String),
    Renumber,
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.events()).finish()
    }
}

fn edit(op: &Op, model: &Model) -> Edit {
    let id = |n: u8| usize::from(n) % (model.0.len() + 1);
    let place = |at: At| {
        let id = |n: u8| NodeId::new(id(n)).unwrap();
        match at {
            At::First(n) => Place::FirstChildOf(id(n)),
            At::Last(n) => Place::LastChildOf(id(n)),
            At::Before(n) => Place::Before(id(n)),
            At::After(n) => Place::After(id(n)),
        }
    };
    match op {
        Op::Add(at) => Edit::Add(place(*at)),
        Op::Remove(n) => Edit::Remove(id(*n)),
        Op::Dissolve(n) => Edit::Dissolve(id(*n)),
        Op::Move(n, at) => Edit::Move(id(*n), place(*at)),
        Op::Promote(n) => Edit::Promote(id(*n)),
        Op::MakeMainLine(n) => Edit::MakeMainLine(id(*n)),
        Op::Graft(at, n) => {
            let n = id(*n);
            Edit::Graft(place(*at), model.clone(), model.there(n).unwrap_or_default())
        }
        Op::Set(n, ident, values) => Edit::Set(id(*n), (*ident).to_owned(), values.clone()),
        Op::Append(n, ident, text) => Edit::Append(id(*n), (*ident).to_owned(), text.clone()),
        Op::Unset(n, ident) => Edit::Unset(id(*n), (*ident).to_owned()),
        Op::Renumber => Edit::Renumber,
    }
}

fn apply(tree: &mut GameTree, op: &Edit) -> Result<(), EditError> {
    let id = |n: &usize| NodeId::new(*n).unwrap();
    match op {
        Edit::Add(at) => tree.add(*at).map(|_| ()),
        Edit::Remove(n) => tree.remove(id(n)).map(|_| ()),
        Edit::Dissolve(n) => tree.dissolve(id(n)),
        Edit::Move(n, at) => tree.move_to(id(n), *at),
        Edit::Promote(n) => tree.promote(id(n)).map(|_| ()),
        Edit::MakeMainLine(n) => tree.make_main_line(id(n)),
        Edit::Graft(at, _, n) => {
            let from = tree.clone();
            tree.graft(*at, from.node(id(n)).unwrap()).map(|_| ())
        }
        Edit::Set(n, ident, values) => tree.set_raw(id(n), ident, values),
        Edit::Append(n, ident, text) => tree.append(id(n), ident, text),
        Edit::Unset(n, ident) => tree.unset(id(n), ident).map(|_| ()),
        Edit::Renumber => {
            tree.renumber();
            Ok(())
        }
    }
}

/// The tree is what the model says, seen from every node.
fn assert_same(tree: &GameTree, model: &Model) {
    assert_eq!(tree.events().map(Event::to_owned).collect::<Vec<_>>(), model.events());
    let order = model.preorder(0);
    assert_eq!(tree.len(), order.len());
    let ids = |nodes: Vec<sgf_stream::tree::Node<'_>>| nodes.iter().map(|n| n.id().index()).collect::<Vec<_>>();
    assert_eq!(ids(tree.nodes().collect()), order);
    for (id, expected) in model.0.iter().enumerate() {
        let node = tree.node(NodeId::new(id).unwrap());
        let (Some(node), Some(expected)) = (node, expected) else {
            assert!(node.is_none() && expected.is_none(), "{id}");
            continue;
        };
        assert_eq!(node.parent().map(|parent| parent.id().index()), expected.parent, "{id}");
        assert_eq!(ids(node.children().collect()), expected.children, "{id}");
        let mut reversed = ids(node.children().rev().collect());
        reversed.reverse();
        assert_eq!(reversed, expected.children, "{id}");
        assert_eq!(node.first_child().map(|child| child.id().index()), expected.children.first().copied());
        assert_eq!(node.last_child().map(|child| child.id().index()), expected.children.last().copied());
        let place = order.iter().position(|&other| other == id).unwrap();
        assert_eq!((node.number(), tree.nth(place).unwrap().id()), (place, node.id()));
        for (n, child) in node.children().enumerate() {
            assert_eq!(child.index(), n);
            assert_eq!(
                child.previous_sibling().map(|s| s.id().index()),
                n.checked_sub(1).map(|n| expected.children[n])
            );
        }
        let properties: Vec<(String, Vec<Vec<u8>>)> = node
            .properties()
            .map(|p| {
                (p.ident().spelling().into_owned(), p.values().map(|v: RawValue<'_>| v.as_bytes().to_vec()).collect())
            })
            .collect();
        assert_eq!(properties, expected.properties, "{id}");
    }
}

#[test]
fn edits_do_what_a_plain_model_does() {
    fn law(ops: Vec<Op>) -> bool {
        let (mut tree, mut model) = (GameTree::new(), Model(vec![Some(ModelNode::default())]));
        for op in &ops {
            let edit = edit(op, &model);
            assert_eq!(apply(&mut tree, &edit), model.apply(&edit), "{op:?}");
            assert_same(&tree, &model);
            if model.0.len() > 200 {
                break; // grafts double it
            }
        }
        let mut again = tree.clone();
        again.renumber();
        again == tree && again.memory() <= tree.memory() + 64
    }
    holds(2000, law as fn(Vec<Op>) -> bool);
}
