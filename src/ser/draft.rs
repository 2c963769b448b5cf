//! A game as serde serialized it, before it is written as SGF.
//!
//! serde yields the fields of a struct in the order of their declaration. A file has its own order (the root, the
//! nodes, the variations), and how a value is written depends on the whole root: `GM` and `FF` determine the type of
//! each property, and only after the last text of the game is it known whether `CA` must be added. A game is
//! therefore drafted first, and written when it is complete. The draft is flat and reused for the next game: trees,
//! nodes, properties and atoms are in one vector each, linked with indices if their order differs from the order of
//! arrival.

use super::Error;

/// One game.
pub(super) struct Draft {
    pub(super) trees: Vec<Tree>,
    pub(super) nodes: Vec<Node>,
    pub(super) properties: Vec<Property>,
    pub(super) atoms: Vec<Atom>,
    /// The bytes that names and atoms refer to.
    bytes: Vec<u8>,
    /// Shape of the property that is being drafted.
    shape: Shape,
    /// Maximum nesting of trees.
    pub(super) max_depth: usize,
}

/// A chain of items by index: the first and the last.
#[derive(Clone, Copy, Default)]
pub(super) struct Chain(Option<(usize, usize)>);

impl Chain {
    pub(super) fn first(self) -> Option<usize> {
        self.0.map(|(first, _)| first)
    }

    /// Appends an item; returns true if the caller must link `last.next` to it.
    fn append(&mut self, item: usize, link: impl FnOnce(usize)) {
        match &mut self.0 {
            Some((_, last)) => {
                link(*last);
                *last = item;
            }
            None => self.0 = Some((item, item)),
        }
    }
}

pub(super) struct Tree {
    pub(super) parent: Option<usize>,
    /// The next variation of its parent.
    pub(super) next: Option<usize>,
    pub(super) root: usize,
    /// The nodes after the root.
    pub(super) nodes: Chain,
    pub(super) variations: Chain,
    /// Nesting level; 1 for the game itself.
    depth: usize,
}

#[derive(Default)]
pub(super) struct Node {
    pub(super) next: Option<usize>,
    pub(super) properties: Chain,
}

pub(super) struct Property {
    pub(super) next: Option<usize>,
    name: (usize, usize),
    /// The range of atoms that are its values.
    atoms: (usize, usize),
    pub(super) shape: Shape,
    /// Whether omitting it would change the value on reading back: the field is an `Option`, and `Some`.
    pub(super) needed: bool,
    /// Whether it comes from `$rest`: a list of raw values, regardless of the registry.
    pub(super) rest: bool,
}

/// The shape of a property's value in serde's data model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) enum Shape {
    /// No value: `None`, or `false`.
    #[default]
    Absent,
    /// A single value.
    Single,
    /// A sequence or a map, which has any number of values.
    List,
    /// A tuple or an array: a list or a composed value, according to the registry.
    Tuple,
}

/// The smallest unit of a value: the whole value, or a component.
#[derive(Clone, Copy)]
pub(super) struct Atom {
    pub(super) kind: AtomKind,
    /// Whether the next atom is the second component of this value.
    pub(super) first: bool,
    start: usize,
    end: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AtomKind {
    /// Digits, or an empty value: written unchanged in any position.
    Plain,
    /// Text, to be escaped.
    Text,
    /// A raw value from a typed value, in UTF-8.
    Raw,
    /// A raw value in the charset of the file.
    Bytes,
}

/// Default of [`Draft::max_depth`]. Deserializing has the same limit.
const MAX_DEPTH: usize = 512;

impl Draft {
    pub(super) fn new() -> Self {
        Draft {
            trees: Vec::new(),
            nodes: Vec::new(),
            properties: Vec::new(),
            atoms: Vec::new(),
            bytes: Vec::new(),
            shape: Shape::Absent,
            max_depth: MAX_DEPTH,
        }
    }

    /// Starts a game, whose tree is number 0.
    pub(super) fn begin(&mut self) -> Result<usize, Error> {
        self.trees.clear();
        self.nodes.clear();
        self.properties.clear();
        self.atoms.clear();
        self.bytes.clear();
        self.add_tree(None)
    }

    /// Adds a game tree, or a variation of one.
    pub(super) fn add_tree(&mut self, parent: Option<usize>) -> Result<usize, Error> {
        let depth = parent.map_or(1, |parent| self.trees[parent].depth + 1);
        if depth > self.max_depth {
            return Err(Error::new(format!(
                "variations are nested deeper than the limit of {}; see `Serializer::max_depth`",
                self.max_depth
            )));
        }
        let (tree, root) = (self.trees.len(), self.nodes.len());
        self.nodes.push(Node::default());
        let (nodes, variations) = (Chain::default(), Chain::default());
        self.trees.push(Tree { parent, next: None, root, nodes, variations, depth });
        if let Some(parent) = parent {
            let mut siblings = self.trees[parent].variations;
            siblings.append(tree, |last| self.trees[last].next = Some(tree));
            self.trees[parent].variations = siblings;
        }
        Ok(tree)
    }

    /// Appends a node to a tree.
    pub(super) fn add_node(&mut self, tree: usize) -> usize {
        let node = self.nodes.len();
        self.nodes.push(Node::default());
        let nodes = &mut self.nodes;
        self.trees[tree].nodes.append(node, |last| nodes[last].next = Some(node));
        node
    }

    /// Starts a property. Atoms added from here on are its values.
    pub(super) fn start_property(&mut self, name: &str) -> Result<Start, Error> {
        if !is_identifier(name) {
            let has_digits = name.bytes().any(|byte| byte.is_ascii_digit());
            let hint = if has_digits { "; `Properties::retain` removes it, and a `GameTree` writes it" } else { "" };
            let error = format!("expected an identifier of upper-case letters only{hint}");
            return Err(Error::new(error).in_property(name));
        }
        let start = self.bytes.len();
        self.bytes.extend_from_slice(name.as_bytes());
        self.shape = Shape::Absent;
        Ok(Start { name: (start, self.bytes.len()), atoms: self.atoms.len() })
    }

    pub(super) fn end_property(&mut self, node: usize, start: Start, needed: bool, field: Field) {
        if field == Field::Rest {
            self.make_raw(start.atoms);
        }
        let property = self.properties.len();
        self.properties.push(Property {
            next: None,
            name: start.name,
            atoms: (start.atoms, self.atoms.len()),
            shape: self.shape,
            needed,
            rest: field == Field::Rest,
        });
        let properties = &mut self.properties;
        self.nodes[node].properties.append(property, |last| properties[last].next = Some(property));
    }

    /// Sets the shape of the current property's value.
    pub(super) fn set_shape(&mut self, shape: Shape) {
        self.shape = shape;
    }

    /// Adds an atom to the value of the current property.
    pub(super) fn add_atom(&mut self, kind: AtomKind, first: bool, fill: impl FnOnce(&mut Vec<u8>)) {
        let start = self.bytes.len();
        fill(&mut self.bytes);
        self.atoms.push(Atom { kind, first, start, end: self.bytes.len() });
    }

    /// Marks the texts from this atom on as raw values.
    pub(super) fn make_raw(&mut self, from: usize) {
        for atom in self.atoms.iter_mut().skip(from).filter(|atom| atom.kind == AtomKind::Text) {
            atom.kind = AtomKind::Raw;
        }
    }

    /// Removes the last atom, a key whose value is absent.
    pub(super) fn drop_last_atom(&mut self) {
        self.atoms.pop();
    }

    pub(super) fn name(&self, property: &Property) -> &[u8] {
        &self.bytes[property.name.0..property.name.1]
    }

    pub(super) fn atoms(&self, property: &Property) -> &[Atom] {
        &self.atoms[property.atoms.0..property.atoms.1]
    }

    pub(super) fn bytes(&self, atom: Atom) -> &[u8] {
        &self.bytes[atom.start..atom.end]
    }

    /// Returns the properties of a node, in the order of arrival.
    pub(super) fn properties_of(&self, node: usize) -> impl Iterator<Item = usize> {
        let first = self.nodes[node].properties.first();
        std::iter::successors(first, |&property| self.properties[property].next)
    }

    /// Returns the nodes of a tree, root first.
    pub(super) fn nodes_of(&self, tree: usize) -> impl Iterator<Item = usize> {
        let tree = &self.trees[tree];
        std::iter::once(tree.root).chain(std::iter::successors(tree.nodes.first(), |&node| self.nodes[node].next))
    }

    /// Returns whether all texts of the game are ASCII. Raw bytes are left to the caller.
    pub(super) fn is_ascii(&self) -> bool {
        let ascii = |atom: &Atom| atom.kind == AtomKind::Bytes || self.bytes(*atom).is_ascii();
        self.bytes.is_ascii() || self.atoms.iter().all(ascii)
    }

    /// Returns whether the game has raw bytes that are not UTF-8, and no text that is not ASCII except for raw values.
    pub(super) fn is_raw_in_another_charset(&self) -> bool {
        let is_foreign = |atom: &Atom| atom.kind == AtomKind::Bytes && str::from_utf8(self.bytes(*atom)).is_err();
        let is_text = |atom: &Atom| atom.kind == AtomKind::Text && !self.bytes(*atom).is_ascii();
        self.atoms.iter().any(is_foreign) && !self.atoms.iter().any(is_text)
    }
}

/// Returns whether a name matches `PropIdent = UcLetter { UcLetter }`.
pub(super) fn is_identifier(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// A property that has been started.
pub(super) struct Start {
    name: (usize, usize),
    atoms: usize,
}

/// The source of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    /// A separate field, or an entry of a map.
    Named,
    /// A variant of an enum. Its presence has a meaning, so it must be written.
    Variant,
    /// An entry of `$rest`.
    Rest,
}
