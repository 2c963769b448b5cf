//! Random edits, on a tree and on a model of it that is as plain as can be. The fuzz target `tree` runs the same.

use std::fmt;

use quickcheck::{Arbitrary, Gen};
use sgf_stream::tree::{EditError, GameTree, NodeId, Place, TreeBuilder};
use sgf_stream::value::AnyPoint;
use sgf_stream::write::Writer;
use sgf_stream::{Code, DiagnosticLog, Event, OwnedEvent, Parser, RawValue};

/// Numbers are taken modulo the number of nodes plus one, for a node that does not exist.
#[derive(Clone, Debug)]
pub enum Op {
    Add(At),
    Remove(u8),
    Dissolve(u8),
    Move(u8, At),
    Promote(u8),
    MakeMainLine(u8),
    KeepMainLine,
    Graft(At, u8),
    Set(u8, &'static str, Vec<Vec<u8>>),
    Append(u8, &'static str, String),
    Unset(u8, &'static str),
    Renumber,
}

#[derive(Clone, Copy, Debug)]
pub enum At {
    First(u8),
    Last(u8),
    Before(u8),
    After(u8),
}

fn at(kind: u8, node: u8) -> At {
    match kind % 6 {
        0 => At::First(node),
        1 => At::Before(node),
        2 => At::After(node),
        _ => At::Last(node),
    }
}

const IDENTS: &[&str] = &["B", "W", "C", "AB", "CoPyright", "CP", "X1", "no"];

impl Op {
    /// An operation out of any bytes.
    pub fn of([kind, node, other, more]: [u8; 4]) -> Self {
        let ident = IDENTS[usize::from(more) % IDENTS.len()];
        let at = at(more, other);
        match kind % 20 {
            0..8 => Op::Add(at),
            8 => Op::Remove(node),
            9 => Op::Dissolve(node),
            10 | 11 => Op::Move(node, at),
            12 => Op::Promote(node),
            13 => Op::MakeMainLine(node),
            14 => Op::Graft(at, node),
            15 | 16 => Op::Set(node, ident, (0..other % 4).map(|n| value(more.wrapping_mul(n + 1))).collect()),
            17 => Op::Append(node, ident, String::from("a\\b]") + ident),
            18 if more < 200 => Op::Unset(node, ident),
            18 if more < 220 => Op::KeepMainLine,
            18 => Op::Renumber,
            _ => Op::Set(node, "C", vec![vec![b'x'; 40 * usize::from(other % 16)]]),
        }
    }
}

fn value(seed: u8) -> Vec<u8> {
    let len = if seed.is_multiple_of(8) { 2 * usize::from(seed) } else { usize::from(seed % 4) };
    b"abc:123".iter().copied().cycle().skip(usize::from(seed)).take(len).collect()
}

impl Arbitrary for Op {
    fn arbitrary(g: &mut Gen) -> Self {
        Op::of([u8::arbitrary(g), u8::arbitrary(g), u8::arbitrary(g), u8::arbitrary(g)])
    }
}

/// A tree: for each id, the node, if it exists.
#[derive(Clone)]
struct Model(Vec<Option<ModelNode>>);

#[derive(Clone, Default)]
struct ModelNode {
    parent: Option<usize>,
    children: Vec<usize>,
    properties: Vec<(String, Vec<Vec<u8>>)>,
    /// It is an only child in brackets.
    brackets: bool,
}

fn name(ident: &str) -> String {
    ident.chars().filter(|c| !c.is_lowercase()).collect()
}

impl Model {
    /// From the events of a game.
    fn of(events: impl Iterator<Item = OwnedEvent>) -> Self {
        let (mut model, mut at, mut branches, mut starts_tree) = (Model(Vec::new()), None, Vec::new(), false);
        for event in events {
            match event {
                OwnedEvent::StartTree => {
                    branches.push(at);
                    starts_tree = true;
                }
                OwnedEvent::Node => {
                    let id = model.0.len();
                    model.0.push(Some(ModelNode { brackets: starts_tree && id > 0, ..ModelNode::default() }));
                    if let Some(parent) = at {
                        let index = model.node(parent).children.len();
                        model.insert(id, (parent, index));
                    }
                    (at, starts_tree) = (Some(id), false);
                }
                OwnedEvent::Property(ident) => {
                    let ident = String::from_utf8(ident.to_vec()).unwrap();
                    model.0.last_mut().unwrap().as_mut().unwrap().properties.push((ident, Vec::new()));
                }
                OwnedEvent::Value(value) => {
                    let node = model.0.last_mut().unwrap().as_mut().unwrap();
                    node.properties.last_mut().unwrap().1.push(value.to_vec());
                }
                OwnedEvent::EndTree => at = branches.pop().unwrap(),
                _ => unreachable!("parts were not asked for"),
            }
        }
        model
    }

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
        let sibling = |id: NodeId, after: usize| {
            let id = self.below_root(id.index())?;
            let parent = self.0[id].as_ref().unwrap().parent.unwrap();
            let index = self.0[parent].as_ref().unwrap().children.iter().position(|&child| child == id).unwrap();
            Ok((parent, index + after))
        };
        match at {
            Place::FirstChildOf(id) => Ok((self.there(id.index())?, 0)),
            Place::LastChildOf(id) => {
                let id = self.there(id.index())?;
                Ok((id, self.0[id].as_ref().unwrap().children.len()))
            }
            Place::Before(id) => sibling(id, 0),
            Place::After(id) => sibling(id, 1),
            place => unreachable!("{place:?}"),
        }
    }

    fn insert(&mut self, id: usize, (parent, index): (usize, usize)) {
        self.node(parent).children.insert(index, id);
        self.node(id).parent = Some(parent);
        if self.node(parent).children.len() > 1 {
            let children = self.node(parent).children.clone();
            children.into_iter().for_each(|child| self.node(child).brackets = false);
        }
    }

    fn take_out(&mut self, id: usize) -> (usize, usize) {
        let parent = self.node(id).parent.take().unwrap();
        let index = self.node(parent).children.iter().position(|&child| child == id).unwrap();
        self.node(parent).children.remove(index);
        self.node(id).brackets = false;
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
                    self.node(child).brackets = false;
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
                let siblings = &self.0[parent].as_ref().unwrap().children;
                if siblings.get(index) == Some(&moved) {
                    return Ok(()); // before itself: nothing changes, not even brackets
                }
                let (old, old_index) = self.take_out(moved);
                let shift = usize::from(old == parent && old_index < index);
                self.insert(moved, (parent, index - shift));
            }
            Edit::Promote(id) => {
                let id = self.there(*id)?;
                let Some(parent) = self.node(id).parent else { return Ok(()) };
                if self.node(parent).children[0] != id {
                    let (parent, index) = self.take_out(id);
                    self.insert(id, (parent, index - 1));
                }
            }
            Edit::MakeMainLine(id) => {
                let mut id = self.there(*id)?;
                while let Some(parent) = self.node(id).parent {
                    if self.node(parent).children[0] != id {
                        self.take_out(id);
                        self.insert(id, (parent, 0));
                    }
                    id = parent;
                }
            }
            Edit::KeepMainLine => {
                let mut parent = Some(0);
                while let Some(id) = parent {
                    let children = self.node(id).children.clone();
                    parent = children.first().copied();
                    children.into_iter().skip(1).try_for_each(|child| self.apply(&Edit::Remove(child)))?;
                }
            }
            Edit::Graft(at, from, id) => {
                let place = self.place(*at)?;
                let base = self.0.len();
                let order = from.preorder(*id);
                let copy = |id: usize| base + order.iter().position(|&old| old == id).unwrap();
                for &old in &order {
                    let ModelNode { parent, children, properties, brackets } = from.0[old].clone().unwrap();
                    let children = children.into_iter().map(copy).collect();
                    let parent = parent.filter(|_| old != *id).map(copy);
                    let brackets = brackets && old != *id;
                    self.0.push(Some(ModelNode { parent, children, properties, brackets }));
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
                if self.node(id).properties.iter().any(|(old, _)| name(old) == name(ident)) {
                    self.merge(id);
                }
                self.node(id).properties.retain(|(old, _)| name(old) != name(ident));
            }
            Edit::Renumber => {
                let order = self.preorder(0);
                let place = |id: usize| order.iter().position(|&old| old == id).unwrap();
                let nodes = order.iter().map(|&old| {
                    let ModelNode { parent, children, properties, brackets } = self.0[old].clone().unwrap();
                    let children = children.into_iter().map(place).collect();
                    Some(ModelNode { parent: parent.map(place), children, properties, brackets })
                });
                self.0 = nodes.collect();
            }
        }
        Ok(())
    }

    /// An edit merges repeated properties.
    fn merge(&mut self, id: usize) {
        self.node(id).properties = merged(&self.node(id).properties);
    }

    fn set(&mut self, id: usize, ident: &str, values: Vec<Vec<u8>>) {
        self.merge(id);
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
            let branches = node.children.len() > 1;
            let enter = |&child: &usize| Step::Enter(child, branches || self.0[child].as_ref().unwrap().brackets);
            left.extend(node.children.iter().rev().map(enter));
        }
        events
    }
}

/// Properties with those of the same name as one.
fn merged(properties: &[(String, Vec<Vec<u8>>)]) -> Vec<(String, Vec<Vec<u8>>)> {
    let mut merged: Vec<(String, Vec<Vec<u8>>)> = Vec::new();
    for (ident, values) in properties {
        match merged.iter_mut().find(|(known, _)| name(known) == name(ident)) {
            Some((_, known)) => known.extend(values.clone()),
            None => merged.push((ident.clone(), values.clone())),
        }
    }
    merged
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
    KeepMainLine,
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
        Op::KeepMainLine => Edit::KeepMainLine,
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
        Edit::Dissolve(n) => tree.remove_node_keep_children(id(n)),
        Edit::Move(n, at) => tree.move_to(id(n), *at),
        Edit::Promote(n) => tree.promote(id(n)).map(|_| ()),
        Edit::MakeMainLine(n) => tree.make_main_line(id(n)),
        Edit::KeepMainLine => {
            let before = tree.len();
            assert_eq!(tree.keep_main_line(), before - tree.len());
            Ok(())
        }
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
        assert_eq!(properties, merged(&expected.properties), "{id}");
    }
}

/// Builds the first game of some bytes, edits it, and looks at it from all sides.
pub fn edits_do_what_a_plain_model_does(bytes: &[u8], ops: &[Op]) {
    let read = Parser::new().slice(bytes).read_game(&mut TreeBuilder::new());
    let mut tree = read.ok().flatten().map_or_else(GameTree::new, Result::unwrap);
    let mut model = Model::of(tree.events().map(Event::to_owned));
    assert_same(&tree, &model);
    for op in ops {
        let edit = edit(op, &model);
        assert_eq!(apply(&mut tree, &edit), model.apply(&edit), "{op:?}");
        assert_same(&tree, &model);
        if model.0.len() > 200 {
            break; // grafts double it
        }
    }
    let mut again = tree.clone();
    again.renumber();
    assert!(again == tree && again.memory() <= tree.memory() + 64);
    assert_reads_back(&tree);
    assert_is_copied(&tree);
    look_at(&tree);
    for mut other in [again, tree.subtree(NodeId::ROOT).unwrap()] {
        other.convert_to_ff4().unwrap();
        assert_eq!(other.convert_to_ff4().unwrap().changed, 0, "{other:?}");
        look_at(&other);
        assert_reads_back(&other);
    }
}

/// The written form of a tree reads as the tree.
fn assert_reads_back(tree: &GameTree) {
    let written = tree.to_vec().unwrap();
    let log = DiagnosticLog::new(1024);
    let parser = Parser::new().log_to(&log);
    let mut reader = parser.slice(&written);
    let again = reader.read_game(&mut TreeBuilder::new()).unwrap().unwrap().unwrap();
    if log.take().iter().any(|found| found.code == Code::CutCharacter) {
        return; // a text that looks like SGF
    }
    assert!(!reader.skip_game().unwrap());
    assert_eq!(again.len(), tree.len());
    assert_eq!(again.to_vec().unwrap(), written);
    let mut canonical = Writer::canonical(Vec::new());
    let _ = tree.write(&mut canonical); // identifiers with digits are refused
}

/// The obvious loop copies a tree: node by node, and property by property.
fn assert_is_copied(tree: &GameTree) {
    let mut copy = GameTree::new();
    let mut ids = std::collections::HashMap::from([(tree.root().id(), NodeId::ROOT)]);
    for node in tree.nodes() {
        if let Some(parent) = node.parent() {
            ids.insert(node.id(), copy.add(Place::LastChildOf(ids[&parent.id()])).unwrap());
        }
        for property in node.properties() {
            copy.set_raw(ids[&node.id()], &property.ident().spelling(), property.values()).unwrap();
        }
    }
    assert!(copy == *tree, "{copy:?} {tree:?}");
    for (old, new) in ids {
        let (old, new) = (tree.node(old).unwrap(), copy.node(new).unwrap());
        assert!(old.properties().all(|property| {
            let name = property.ident().name();
            new.values(&name).eq(property.values()) && old.values(&name).eq(property.values())
        }));
    }
}

/// Asks every node for everything.
fn look_at(tree: &GameTree) {
    for node in tree.nodes() {
        for property in node.properties() {
            let name = property.ident().name();
            let _ = (node.get::<sgf_stream::property::TypedValue>(&name), node.list::<AnyPoint>(&name));
            let _ = (node.get::<(AnyPoint, String)>(&name), node.get::<f64>(&name));
            assert!(node.text(&name).is_some());
            assert_eq!(node.inherited_from(&name), Some(node));
        }
        assert_eq!(node.path().len(), node.depth() + 1);
    }
}
