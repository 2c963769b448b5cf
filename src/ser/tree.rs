//! Serializes game trees and the sequences in them.

use serde::ser::{Serialize, Serializer};

use super::Error;
use super::compound::{AddElement, AddEntry, Elements, Keyed};
use super::draft::{Draft, Field};
use super::node::{NodeOf, Role};
use super::refuse::{refuse, wrap};
use crate::de::turns::{MOVES, is_optional_turn};

/// A serializer for a game tree, which is a game or a variation.
pub(super) struct TreeOf<'a> {
    draft: &'a mut Draft,
    tree: usize,
    wrappers: u8,
}

impl<'a> TreeOf<'a> {
    pub(super) fn new(draft: &'a mut Draft, tree: usize) -> Self {
        TreeOf { draft, tree, wrappers: 0 }
    }

    fn wrapped(self) -> Result<Self, Error> {
        Ok(TreeOf { wrappers: wrap(self.wrappers)?, ..self })
    }

    #[cold]
    fn refuse(self, found: &str) -> Error {
        let why = match found {
            _ if found.starts_with("an enum") => {
                "; an enum is a node, so write a game as a `Vec` of them, and a collection as a `Vec` of `Vec`s"
            }
            _ => "",
        };
        Error::expected("a game tree: a struct, a map or a sequence of nodes", &format!("{found}{why}"))
    }
}

impl<'a> Serializer for TreeOf<'a> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Elements<Nodes<'a>>;
    type SerializeMap = Keyed<Fields<'a>>;

    refuse!(wrappers_are_transparent sequences_are_alike structs_are_maps scalars units none variants);

    fn serialize_seq(self, _: Option<usize>) -> Result<Elements<Nodes<'a>>, Error> {
        Ok(Elements(Nodes { draft: self.draft, tree: self.tree, root: Root::Wanted }))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Keyed<Fields<'a>>, Error> {
        Ok(Keyed::new(Fields::new(self.draft, self.tree)))
    }
}

/// The fields of a struct that is a tree, or the entries of a map.
pub(super) struct Fields<'a> {
    draft: &'a mut Draft,
    tree: usize,
    /// Whether `$line`, `$mainline`, and one of `$nodes` and `$variations` were present. They exclude each other.
    nodes: [bool; 3],
}

impl<'a> Fields<'a> {
    pub(super) fn new(draft: &'a mut Draft, tree: usize) -> Self {
        Fields { draft, tree, nodes: [false; 3] }
    }

    /// Returns the draft with all fields added.
    pub(super) fn into_draft(self) -> &'a Draft {
        self.draft
    }

    /// Records a sequence key; a tree has either a main line or nodes and variations.
    fn note(&mut self, key: &str) -> Result<(), Error> {
        match key {
            "$line" => self.nodes[0] = true,
            "$mainline" => self.nodes[1] = true,
            "$nodes" | "$variations" => self.nodes[2] = true,
            _ => return Ok(()),
        }
        if self.nodes.iter().filter(|is_present| **is_present).count() < 2 {
            return Ok(());
        }
        let why = "the main line runs through the first variations, so its nodes would be written twice";
        let error = format!("expected only one of `$line`, `$mainline`, or `$nodes` and `$variations`; {why}");
        Err(Error::new(error).in_property(key).in_node(self.draft.trees[self.tree].root))
    }
}

impl AddEntry for Fields<'_> {
    fn field<T: Serialize + ?Sized>(&mut self, key: &str, value: &T) -> Result<(), Error> {
        self.note(key)?;
        let (tree, root) = (self.tree, self.draft.trees[self.tree].root);
        let draft = &mut *self.draft;
        let added = match key {
            "$root" => value.serialize(NodeOf::new(draft, root, Role::Node)),
            "$rest" => value.serialize(NodeOf::new(draft, root, Role::Rest)),
            "$line" => value.serialize(Sequence { draft, tree, of: Of::Line, wrappers: 0 }),
            "$mainline" | "$nodes" => value.serialize(Sequence { draft, tree, of: Of::Nodes, wrappers: 0 }),
            "$variations" => value.serialize(Sequence { draft, tree, of: Of::Variations, wrappers: 0 }),
            _ if key.starts_with('$') => {
                let keys = "`$root`, `$line`, `$mainline`, `$nodes`, `$variations` or `$rest`";
                Err(Error::new(format!("expected a property, {keys}")))
            }
            _ => return draft.add_property(root, key, value, Field::Named),
        };
        added.map_err(|error| error.in_property(key).in_node(root))
    }

    /// Records an absent field, so that no other source may add it.
    fn skip(&mut self, key: &str) -> Result<(), Error> {
        if key.starts_with('$') { self.note(key) } else { self.field(key, &None::<()>) }
    }
}

/// A serializer for the value of `$line`, `$mainline`, `$nodes` or `$variations`.
struct Sequence<'a> {
    draft: &'a mut Draft,
    tree: usize,
    of: Of,
    wrappers: u8,
}

#[derive(Clone, Copy)]
enum Of {
    /// The root, and the nodes after it.
    Line,
    /// The nodes after the root.
    Nodes,
    Variations,
}

impl Sequence<'_> {
    fn wrapped(self) -> Result<Self, Error> {
        Ok(Sequence { wrappers: wrap(self.wrappers)?, ..self })
    }

    #[cold]
    fn refuse(self, found: &str) -> Error {
        let expected = match self.of {
            Of::Line => "a sequence of nodes",
            Of::Nodes => "a sequence of nodes, which may be empty",
            Of::Variations => "a sequence of game trees, which may be empty",
        };
        Error::expected(expected, found)
    }
}

impl<'a> Serializer for Sequence<'a> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Elements<Items<'a>>;

    refuse!(some_is_transparent sequences_are_alike scalars units none variants maps structs);

    /// Writes a newtype as its content. Moves that are read from `$line` are those of all nodes; they follow the root.
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Result<(), Error> {
        let mut inner = self.wrapped()?;
        if let (MOVES, Of::Line) = (name, inner.of) {
            inner.of = Of::Nodes;
        }
        value.serialize(inner)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Elements<Items<'a>>, Error> {
        let Sequence { draft, tree, of, .. } = self;
        Ok(Elements(match of {
            Of::Line => Items::Nodes(Nodes { draft, tree, root: Root::Wanted }),
            Of::Nodes => Items::Nodes(Nodes { draft, tree, root: Root::Elsewhere }),
            Of::Variations => Items::Variations(Variations { draft, tree }),
        }))
    }
}

/// The elements of such a sequence.
enum Items<'a> {
    Nodes(Nodes<'a>),
    Variations(Variations<'a>),
}

impl AddElement for Items<'_> {
    fn add<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<(), Error> {
        match self {
            Items::Nodes(nodes) => nodes.add(item),
            Items::Variations(variations) => variations.add(item),
        }
    }

    fn finish(self) -> Result<(), Error> {
        match self {
            Items::Nodes(nodes) => nodes.finish(),
            Items::Variations(_) => Ok(()),
        }
    }
}

/// Consecutive nodes of a tree.
pub(super) struct Nodes<'a> {
    draft: &'a mut Draft,
    tree: usize,
    root: Root,
}

/// Whether the first node of the sequence is the root of the tree.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Root {
    /// The next node is the root.
    Wanted,
    Elsewhere,
}

impl AddElement for Nodes<'_> {
    fn add<T: Serialize + ?Sized>(&mut self, node: &T) -> Result<(), Error> {
        let at = match self.root {
            Root::Wanted => self.draft.trees[self.tree].root,
            Root::Elsewhere => self.draft.add_node(self.tree),
        };
        self.root = Root::Elsewhere;
        let role = if is_optional_turn::<T>() { Role::Turn } else { Role::Node };
        node.serialize(NodeOf::new(self.draft, at, role)).map_err(|error| error.in_node(at))
    }

    fn finish(self) -> Result<(), Error> {
        match self.root {
            Root::Wanted => Err(Error::new("a game tree needs at least one node")),
            Root::Elsewhere => Ok(()),
        }
    }
}

/// Consecutive child trees.
struct Variations<'a> {
    draft: &'a mut Draft,
    tree: usize,
}

impl Variations<'_> {
    fn add<T: Serialize + ?Sized>(&mut self, variation: &T) -> Result<(), Error> {
        let tree = self.draft.add_tree(Some(self.tree))?;
        let root = self.draft.trees[tree].root;
        let written = crate::stack::ensure::<&T, _>(|| variation.serialize(TreeOf::new(self.draft, tree)));
        written.map_err(|error| error.in_node(root))
    }
}
