//! Serde implementations for trees: the list of their nodes.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeSeq, SerializeStruct, Serializer};

use super::arena::{Arena, Link};
use super::{Collection, GameTree, Node, NodeProperty, packed};
use crate::de::is_from_sgf;
use crate::de::raw::Raw;
use crate::ser::is_to_sgf;
use crate::syntax::event::Ident;
use crate::write::is_ident;

const NODE: &str = "Node";
const FIELDS: &[&str] = &["parent", "properties"];

/// Refuses to read a type from SGF, where its list of nodes would be taken for the nodes of a main line.
fn not_from_sgf<E: Error>(name: &str) -> Result<(), E> {
    match is_from_sgf::<E>() {
        true => Err(E::custom(format_args!(
            "serde cannot read a `{name}` from SGF; use `{name}::from_slice`, or `Reader::read_game` with a `TreeBuilder`"
        ))),
        false => Ok(()),
    }
}

/// Refuses to write a type as SGF.
fn not_to_sgf<E: serde::ser::Error>(name: &str) -> Result<(), E> {
    match is_to_sgf::<E>() {
        true => Err(E::custom(format_args!("serde cannot write a `{name}` as SGF; use `{name}::to_vec`"))),
        false => Ok(()),
    }
}

/// Serializes the list of its nodes, see the [module](super#serde). Repeated properties of a node are merged.
///
/// Fails in [`sgf_stream::to_string`](crate::to_string) and the like; use [`GameTree::to_vec`].
impl Serialize for GameTree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        not_to_sgf("GameTree")?;
        let mut nodes = serializer.serialize_seq(Some(self.len()))?;
        // After edits ids differ from positions.
        let mut places = if self.arena.in_order { Vec::new() } else { vec![0; self.arena.slots.len()] };
        for (place, node) in self.nodes().enumerate() {
            if let Some(entry) = places.get_mut(node.id as usize) {
                *entry = place;
            }
            let parent = self.arena.parent(node.id);
            let parent = parent.map(|parent| places.get(parent as usize).copied().unwrap_or(parent as usize));
            nodes.serialize_element(&Entry { parent, node })?;
        }
        nodes.end()
    }
}

struct Entry<'t> {
    parent: Option<usize>,
    node: Node<'t>,
}

impl Serialize for Entry<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut node = serializer.serialize_struct(NODE, FIELDS.len())?;
        node.serialize_field(FIELDS[0], &self.parent)?;
        node.serialize_field(FIELDS[1], &PropertiesOf(self.node))?;
        node.end()
    }
}

struct PropertiesOf<'t>(Node<'t>);

impl Serialize for PropertiesOf<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let entries = self.0.properties().map(|property| (property.ident().spelling(), ValuesOf(property)));
        serializer.collect_map(entries)
    }
}

struct ValuesOf<'t>(NodeProperty<'t>);

impl Serialize for ValuesOf<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut values = serializer.serialize_seq(Some(self.0.values().count()))?;
        self.0.values().try_for_each(|value| values.serialize_element(&Raw(value.as_bytes())))?;
        values.end()
    }
}

/// Deserializes the list of its nodes, in which every node comes after its parent. Texts are UTF-8.
///
/// Fails in [`sgf_stream::from_str`](crate::from_str) and the like; use [`GameTree::from_slice`].
impl<'de> Deserialize<'de> for GameTree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        not_from_sgf("GameTree")?;
        deserializer.deserialize_seq(Nodes)
    }
}

struct Nodes;

impl<'de> Visitor<'de> for Nodes {
    type Value = GameTree;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the nodes of a game, the root first")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut nodes: A) -> Result<GameTree, A::Error> {
        let mut arena = Arena::new();
        while let Some(Read { parent, packed }) = nodes.next_element()? {
            if !arena.has_room(1, packed.len()) {
                return Err(A::Error::custom("the game is too large: its tree would exceed 2 GiB"));
            }
            let node = arena.push();
            arena.bytes.extend_from_slice(&packed);
            arena.close(node);
            match parent {
                None if node == 0 => {}
                Some(parent) if parent < u64::from(node) => arena.link(node, Link::Last(parent as u32)),
                parent => {
                    let expected = if node == 0 { "the root, which has no parent" } else { "a node after its parent" };
                    let parent = parent.map_or("none".to_owned(), |parent| parent.to_string());
                    return Err(A::Error::custom(format_args!(
                        "node {node}: expected {expected}, found parent {parent}"
                    )));
                }
            }
        }
        if arena.slots.is_empty() {
            return Err(A::Error::invalid_length(0, &self));
        }
        let in_order = (0..).zip(arena.preorder(0)).all(|(place, node)| place == node);
        arena.in_order = in_order;
        Ok(GameTree::of(
            arena,
            #[cfg(feature = "charset")]
            None,
        ))
    }
}

/// A node as deserialized.
#[derive(Default)]
struct Read {
    parent: Option<u64>,
    packed: Vec<u8>,
}

impl<'de> Deserialize<'de> for Read {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_struct(NODE, FIELDS, ReadNode)
    }
}

struct ReadNode;

impl<'de> Visitor<'de> for ReadNode {
    type Value = Read;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a node: its parent and its properties")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Read, A::Error> {
        let mut read = Read::default();
        while let Some(field) = fields.next_key::<std::borrow::Cow<'de, str>>()? {
            match &*field {
                "parent" => read.parent = fields.next_value()?,
                "properties" => read.packed = fields.next_value::<ReadProperties>()?.0,
                _ => _ = fields.next_value::<IgnoredAny>()?,
            }
        }
        Ok(read)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut fields: A) -> Result<Read, A::Error> {
        let parent = fields.next_element()?.ok_or_else(|| A::Error::invalid_length(0, &self))?;
        let packed = fields.next_element::<ReadProperties>()?.ok_or_else(|| A::Error::invalid_length(1, &self))?.0;
        Ok(Read { parent, packed })
    }
}

struct ReadProperties(Vec<u8>);

impl<'de> Deserialize<'de> for ReadProperties {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ReadProperties(Vec::new()))
    }
}

impl<'de> Visitor<'de> for ReadProperties {
    type Value = ReadProperties;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("properties: identifiers, and lists of their raw values")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut properties: A) -> Result<ReadProperties, A::Error> {
        while let Some((ident, values)) = properties.next_entry::<String, Vec<Raw<Vec<u8>>>>()? {
            if !is_ident(Ident::new(ident.as_bytes())) {
                return Err(A::Error::custom(format_args!(
                    "expected an identifier of upper-case letters, found {ident:?}"
                )));
            }
            if values.is_empty() {
                return Err(A::Error::custom(format_args!("property {ident} needs at least one value")));
            }
            packed::put_property(&mut self.0, ident.as_bytes(), values.iter().map(|value| value.0.as_slice()));
        }
        Ok(self)
    }
}

/// Serializes the list of its games, in the formats in which a [`GameTree`] serializes.
impl Serialize for Collection {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        not_to_sgf("Collection")?;
        self.games.serialize(serializer)
    }
}

/// Deserializes the list of its games, from the formats from which a [`GameTree`] deserializes.
impl<'de> Deserialize<'de> for Collection {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        not_from_sgf("Collection")?;
        Vec::deserialize(deserializer).map(|games| Collection { games })
    }
}
