//! Changes.

use super::arena::Link;
use super::{GameTree, NodeId, ToProperty, blob};
#[cfg(feature = "charset")]
use crate::charset::{Charset, Decoding, Source};
use crate::event::Ident;
use crate::value::RawValue;
use crate::write::is_ident;

/// Where a node goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In front of the other children of this node: it continues its line.
    FirstChildOf(NodeId),
    /// Behind the other children of this node: a variation, unless it is the only one.
    LastChildOf(NodeId),
    /// In front of this node, as a child of the same parent.
    Before(NodeId),
    /// Behind this node, as a child of the same parent.
    After(NodeId),
}

/// Why a tree cannot be changed so. It is as it was then.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// The node was removed, or is of another tree.
    #[error("there is no node {0}")]
    NoSuchNode(NodeId),
    /// The root cannot be removed or moved, and has no siblings.
    #[error("the root cannot be removed, moved, or have siblings")]
    IsRoot,
    /// A node cannot be moved under itself.
    #[error("node {0} cannot be moved under itself")]
    UnderItself(NodeId),
    /// Identifiers are letters and digits, with a letter first and one in upper case.
    #[error("expected an identifier of upper-case letters, not {0:?}")]
    Ident(String),
    /// Properties have at least one value.
    #[error("expected at least one value for {0}")]
    NoValue(String),
    /// The text is not ASCII, and others would not read it as what it is: the game is in a charset that
    /// lacks some of its characters, or that is not known here. `GameTree::to_utf8` (feature `charset`)
    /// makes place for it.
    #[error("expected a text that {0} has characters for")]
    Charset(String),
    /// The tree has as many nodes or bytes as it can have: 4 billion, 2 GiB.
    #[error("the tree has no room for more")]
    Full,
}

/// Changes of shape.
impl GameTree {
    /// Adds a node without properties.
    ///
    /// ```
    /// use sgf_stream::tree::{GameTree, NodeId, Place};
    ///
    /// let mut game = GameTree::new();
    /// game.set(NodeId::ROOT, "SZ", 9)?;
    /// let (mut last, mut color) = (NodeId::ROOT, ["B", "W"].into_iter().cycle());
    /// for point in ["ee", "cc", "gg"] {
    ///     last = game.add(Place::LastChildOf(last))?;
    ///     game.set(last, color.next().unwrap(), point)?;
    /// }
    /// assert_eq!(game.to_vec().unwrap(), b"(;SZ[9];B[ee];W[cc];B[gg])\n");
    /// # Ok::<(), sgf_stream::tree::EditError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there is no such place, or no room.
    pub fn add(&mut self, place: Place) -> Result<NodeId, EditError> {
        let link = self.link_of(place)?;
        if !self.arena.has_room(1, 0) {
            return Err(EditError::Full);
        }
        let at_the_end = matches!(link, Link::Last(parent) if parent as usize + 1 == self.arena.slots.len());
        self.arena.in_order &= at_the_end;
        let node = self.arena.push();
        self.arena.link(node, link);
        Ok(NodeId(node))
    }

    /// Removes a node with all below it. Answers how many nodes that were.
    ///
    /// # Errors
    ///
    /// If it is the root, or not there.
    pub fn remove(&mut self, node: NodeId) -> Result<usize, EditError> {
        let node = self.below_root(node)?;
        self.arena.unlink(node);
        let nodes: Vec<u32> = self.arena.preorder(node).collect();
        nodes.iter().for_each(|&node| self.arena.forget(node));
        self.arena.in_order = false;
        Ok(nodes.len())
    }

    /// Removes a node and keeps what is below it: its children take its place.
    ///
    /// # Errors
    ///
    /// If it is the root, or not there.
    pub fn dissolve(&mut self, node: NodeId) -> Result<(), EditError> {
        let node = self.below_root(node)?;
        while let Some(child) = self.arena.first(node) {
            self.arena.unlink(child);
            self.arena.link(child, Link::Before(node));
        }
        self.arena.unlink(node);
        self.arena.forget(node);
        self.arena.in_order = false;
        Ok(())
    }

    /// Moves a node with all below it.
    ///
    /// # Errors
    ///
    /// If it is the root, or not there; if the place is not there, or below the node.
    pub fn move_to(&mut self, node: NodeId, place: Place) -> Result<(), EditError> {
        let moved = self.below_root(node)?;
        if matches!(place, Place::Before(other) | Place::After(other) if other == node) {
            return Ok(());
        }
        let (parent, before) = match self.link_of(place)? {
            Link::First(parent) => (parent, self.arena.first(parent)),
            Link::Last(parent) => (parent, None),
            Link::Before(sibling) => (self.arena.slot(sibling).parent, Some(sibling)),
        };
        if self.arena.is_at_or_above(moved, parent) {
            return Err(EditError::UnderItself(node));
        }
        if before == Some(moved) {
            return Ok(()); // there it stands
        }
        self.arena.unlink(moved);
        self.arena.link(moved, before.map_or(Link::Last(parent), Link::Before));
        self.arena.in_order = false;
        Ok(())
    }

    /// Moves a node, with all below it, one place up among its siblings. Answers whether it has moved: the first
    /// has no place to go.
    ///
    /// # Errors
    ///
    /// If it is not there.
    pub fn promote(&mut self, node: NodeId) -> Result<bool, EditError> {
        let node = self.there(node)?;
        let Some(previous) = self.arena.previous(node) else { return Ok(false) };
        self.arena.unlink(node);
        self.arena.link(node, Link::Before(previous));
        self.arena.in_order = false;
        Ok(true)
    }

    /// Makes the line of a node the main line: the node and all above it become first children.
    ///
    /// # Errors
    ///
    /// If it is not there.
    pub fn make_main_line(&mut self, node: NodeId) -> Result<(), EditError> {
        let node = self.there(node)?;
        let mut at = node;
        while let Some(parent) = self.arena.parent(at) {
            if self.arena.slot(parent).first != at {
                self.arena.unlink(at);
                self.arena.link(at, Link::First(parent));
                self.arena.in_order = false;
            }
            at = parent;
        }
        Ok(())
    }

    /// Copies a node with all below it out of a tree, be it this one's copy, to a place in this tree. Answers with
    /// the copy. Values are copied byte for byte: games in different charsets want `to_utf8` first.
    ///
    /// ```
    /// use sgf_stream::tree::{GameTree, NodeId, Place};
    ///
    /// // Two games with the same opening.
    /// let mut book: GameTree = "(;B[qd];W[dc];B[pq])".parse()?;
    /// let game: GameTree = "(;B[qd];W[dc];B[oc];W[cp])".parse()?;
    /// book.graft(Place::LastChildOf(NodeId::new(1).unwrap()), game.nth(2).unwrap())?;
    /// assert_eq!(book.to_vec()?, b"(;B[qd];W[dc](;B[pq])(;B[oc];W[cp]))\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there is no such place, or no room.
    pub fn graft(&mut self, place: Place, node: super::Node<'_>) -> Result<NodeId, EditError> {
        let link = self.link_of(place)?;
        let from = &node.tree.arena;
        let (nodes, bytes) = from.preorder(node.id).fold((0, 0), |(n, len), node| (n + 1, len + from.blob(node).len()));
        if !self.arena.has_room(nodes, bytes) {
            return Err(EditError::Full);
        }
        self.arena.make_room(bytes);
        let copy = self.arena.copy(from, node.id);
        let (mut old, mut at) = (node.id, copy);
        while let Some((next, up)) = from.successor(old, node.id) {
            let parent = (0..up).fold(at, |at, _| self.arena.slot(at).parent);
            at = self.arena.copy(from, next);
            self.arena.link(at, Link::Last(parent));
            if from.starts_tree(next) && !from.branches(from.slot(next).parent) {
                self.arena.set_brackets(at, true);
            }
            old = next;
        }
        self.arena.link(copy, link);
        self.arena.in_order = false;
        Ok(NodeId(copy))
    }

    /// A node with all below it, as a tree of its own. Its root is that node, so what the root of this tree says
    /// of the game is not in it.
    ///
    /// # Errors
    ///
    /// If the node is not there.
    pub fn subtree(&self, node: NodeId) -> Result<GameTree, EditError> {
        let (arena, _) = self.arena.renumbered(self.there(node)?);
        Ok(GameTree::of(
            arena,
            #[cfg(feature = "charset")]
            self.decoding,
        ))
    }

    /// Numbers the nodes in the order of the file again, and gives back the memory that removed ones took. All ids are
    /// invalid then: what they named is at [`NodeId::new`] of the [`number`](super::Node::number) that it had.
    pub fn renumber(&mut self) {
        self.arena = self.arena.renumbered(0).0;
    }

    fn there(&self, node: NodeId) -> Result<u32, EditError> {
        if self.arena.is_there(node.0) { Ok(node.0) } else { Err(EditError::NoSuchNode(node)) }
    }

    fn below_root(&self, node: NodeId) -> Result<u32, EditError> {
        if node == NodeId::ROOT { Err(EditError::IsRoot) } else { self.there(node) }
    }

    fn link_of(&self, place: Place) -> Result<Link, EditError> {
        Ok(match place {
            Place::FirstChildOf(parent) => Link::First(self.there(parent)?),
            Place::LastChildOf(parent) => Link::Last(self.there(parent)?),
            Place::Before(sibling) => Link::Before(self.below_root(sibling)?),
            Place::After(sibling) => {
                let sibling = self.below_root(sibling)?;
                match (self.arena.next(sibling), self.arena.parent(sibling)) {
                    (Some(next), _) => Link::Before(next),
                    (None, Some(parent)) => Link::Last(parent),
                    (None, None) => return Err(EditError::IsRoot),
                }
            }
        })
    }
}

/// Changes of properties.
impl GameTree {
    /// Sets a property to one value: a typed one, which is printed in canonical form, or a text, which is
    /// escaped. It takes the place of the property of that name, or comes behind all others.
    ///
    /// A text that is not ASCII goes in the charset of the game. In a game that does not say which one that
    /// is, and is in UTF-8 so far, `CA[UTF-8]` is put into the root with it.
    ///
    /// ```
    /// use sgf_stream::tree::{GameTree, NodeId};
    /// use sgf_stream::value::{Color, go::Point};
    ///
    /// let mut game: GameTree = "(;FF[4]C[old])".parse()?;
    /// game.set(NodeId::ROOT, "C", "囲碁 [go]")?;
    /// game.set(NodeId::ROOT, "PL", Color::White)?;
    /// game.set_list(NodeId::ROOT, "LB", [(Point::parse("dd").unwrap(), "1:2")])?;
    /// assert_eq!(
    ///     String::from_utf8(game.to_vec()?)?,
    ///     "(;FF[4]C[囲碁 [go\\]]CA[UTF-8]PL[W]LB[dd:1\\:2])\n",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there is no such node; if the identifier is none; if the text does not fit the charset of the game.
    pub fn set(&mut self, node: NodeId, ident: &str, value: impl ToProperty) -> Result<(), EditError> {
        self.set_list(node, ident, [value])
    }

    /// Sets a property to a list of values, of which there has to be one at least: see [`set`](Self::set). An
    /// empty list is `()`, in the properties that may be empty (`DD`, `VW`, `TB`, `TW`).
    ///
    /// # Errors
    ///
    /// As [`set`](Self::set), and if there is no value.
    pub fn set_list<T: ToProperty>(
        &mut self,
        node: NodeId,
        ident: &str,
        values: impl IntoIterator<Item = T>,
    ) -> Result<(), EditError> {
        let mut printed = String::new();
        let mut ends = Vec::new();
        for value in values {
            value.print(false, &mut printed);
            ends.push(printed.len());
        }
        self.check(node, ident, ends.is_empty())?;
        let mut start = 0;
        let texts: Vec<&str> = ends.iter().map(|&end| &printed[std::mem::replace(&mut start, end)..end]).collect();
        if printed.is_ascii() {
            return self.put(node, ident, &texts.iter().map(|text| text.as_bytes()).collect::<Vec<_>>());
        }
        let (bytes, is_new) = self.encoded(&texts)?;
        let before = is_new.then(|| self.arena.blob(0).to_vec());
        if is_new {
            self.put(NodeId::ROOT, "CA", &[b"UTF-8"])?;
        }
        let done = self.put(node, ident, &bytes.iter().map(Vec::as_slice).collect::<Vec<_>>());
        if let (Err(_), Some(before)) = (&done, before) {
            self.set_blob(0, &before)?;
        }
        done
    }

    /// Sets a property to raw values, as they stand between the brackets: escaped, and in the charset of
    /// the game.
    ///
    /// # Errors
    ///
    /// If there is no such node, or no value; if the identifier is none.
    pub fn set_raw<V: AsRef<[u8]>>(
        &mut self,
        node: NodeId,
        ident: &str,
        values: impl IntoIterator<Item = V>,
    ) -> Result<(), EditError> {
        let values: Vec<V> = values.into_iter().collect();
        self.check(node, ident, values.is_empty())?;
        self.put(node, ident, &values.iter().map(AsRef::as_ref).collect::<Vec<_>>())
    }

    /// Adds a value to a property, which may be new: a stone to `AB`, say. Each call costs as much as the node is
    /// long; [`set_list`](Self::set_list) is for many.
    ///
    /// # Errors
    ///
    /// As [`set`](Self::set).
    pub fn append(&mut self, node: NodeId, ident: &str, value: impl ToProperty) -> Result<(), EditError> {
        let there = self.there(node)?;
        let name = Ident::new(ident.as_bytes());
        let mut before = self.arena.properties(there).filter(|property| property.ident() == name).peekable();
        if before.peek().is_none() {
            return self.set(node, ident, value);
        }
        let old: Vec<Vec<u8>> = before.flat_map(|property| property.values()).map(|v| v.as_bytes().to_vec()).collect();
        let undo = self.arena.blob(there).to_vec();
        // Printed and encoded on its own, and then behind the others.
        self.set(node, ident, value)?;
        let new: Vec<Vec<u8>> = match self.arena.properties(there).find(|property| property.ident() == name) {
            Some(property) => property.values().map(|value| value.as_bytes().to_vec()).collect(),
            None => Vec::new(),
        };
        let all: Vec<&[u8]> = old.iter().chain(&new).map(Vec::as_slice).collect();
        self.put(node, ident, &all).inspect_err(|_| self.arena.set_blob(there, &undo))
    }

    /// Removes a property. Answers whether it was there.
    ///
    /// # Errors
    ///
    /// If there is no such node.
    pub fn unset(&mut self, node: NodeId, name: &str) -> Result<bool, EditError> {
        let there = self.there(node)?;
        let is_there = self.root_or(there).contains(name);
        if is_there {
            self.replace(there, name, &[])?;
        }
        Ok(is_there)
    }

    /// Removes all properties of a node but those that are wanted.
    ///
    /// ```
    /// use sgf_stream::tree::GameTree;
    ///
    /// let mut game: GameTree = "(;PB[a]MULTIGOGM[1];B[dd]C[good]LB[dd:A];W[pp])".parse()?;
    /// let ids: Vec<_> = game.nodes().map(|node| node.id()).collect();
    /// for id in ids {
    ///     game.retain(id, |property| ["PB", "B", "W"].contains(&&*property.ident().name()))?;
    /// }
    /// assert_eq!(game.to_vec()?, b"(;PB[a];B[dd];W[pp])\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there is no such node.
    pub fn retain(
        &mut self,
        node: NodeId,
        mut keep: impl FnMut(super::NodeProperty<'_>) -> bool,
    ) -> Result<(), EditError> {
        let node = self.there(node)?;
        let mut blob = Vec::new();
        for property in self.arena.properties(node).filter(|property| keep(*property)) {
            blob::put_property(&mut blob, property.ident().as_bytes(), property.values().map(RawValue::as_bytes));
        }
        self.set_blob(node, &blob)
    }

    /// Converts all texts to UTF-8, and says so in the root (`CA[UTF-8]`), if there are any that are not ASCII. The charset of the
    /// game is that of its [`charset`](Self::charset), or, where no policy was given, what [`Decoding::new`]
    /// finds. Answers how many values had bytes that are not in it: each run of them is U+FFFD now.
    ///
    /// ```
    /// use sgf_stream::tree::GameTree;
    ///
    /// let mut game = GameTree::from_slice(b"(;CA[GBK]PB[\xB9\xC5\xC1\xA6];B[dd])")?;
    /// assert_eq!(game.to_utf8()?, 0);
    /// assert_eq!(game.root().text("PB").unwrap(), "古力");
    /// assert_eq!(game.root().text("CA").unwrap(), "UTF-8");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there is no room for it. Some texts are converted then, and others not.
    #[cfg(feature = "charset")]
    pub fn to_utf8(&mut self) -> Result<usize, EditError> {
        let Some(charset) = self.texts.charset.or_else(|| self.find_charset(Decoding::new())) else { return Ok(0) };
        let nodes: Vec<u32> = self.arena.preorder(0).collect();
        let (mut lossy, mut is_ascii) = (0, true);
        for node in nodes {
            if self.arena.properties(node).flat_map(|property| property.values()).all(|v| v.as_bytes().is_ascii()) {
                continue;
            }
            is_ascii = false;
            let mut blob = Vec::new();
            for property in self.arena.properties(node) {
                let decoded: Vec<_> = property.values().map(|value| charset.decode(value)).collect();
                lossy += decoded.iter().filter(|decoded| !decoded.is_sound()).count();
                let values = decoded.iter().map(|decoded| decoded.text().as_bytes());
                blob::put_property(&mut blob, property.ident().as_bytes(), values);
            }
            if !self.arena.has_room(0, blob.len()) {
                return Err(EditError::Full);
            }
            self.arena.set_blob(node, &blob);
        }
        self.decoding = Some(Decoding::utf8());
        if !is_ascii || self.root().contains("CA") {
            self.put(NodeId::ROOT, "CA", &[b"UTF-8"])?;
        }
        self.read_charset();
        Ok(lossy)
    }

    fn root_or(&self, id: u32) -> super::Node<'_> {
        super::Node { tree: self, id }
    }

    fn check(&self, node: NodeId, ident: &str, is_empty: bool) -> Result<(), EditError> {
        self.there(node)?;
        if !is_ident(Ident::new(ident.as_bytes())) {
            return Err(EditError::Ident(ident.to_owned()));
        }
        if is_empty { Err(EditError::NoValue(ident.to_owned())) } else { Ok(()) }
    }

    /// Sets a property of a node that is there.
    fn put(&mut self, node: NodeId, ident: &str, values: &[&[u8]]) -> Result<(), EditError> {
        self.replace(node.0, ident, values)
    }

    /// Puts values in the place of all properties of a name; none to leave them out.
    fn replace(&mut self, node: u32, ident: &str, values: &[&[u8]]) -> Result<(), EditError> {
        let name = Ident::new(ident.as_bytes());
        let mut blob = Vec::with_capacity(self.arena.blob(node).len() + 16);
        let mut values = Some(values);
        for property in self.arena.properties(node) {
            if property.ident() != name {
                let values = property.values().map(RawValue::as_bytes);
                blob::put_property(&mut blob, property.ident().as_bytes(), values);
            } else if let Some(values) = values.take() {
                blob::put_property(&mut blob, ident.as_bytes(), values.iter().copied());
            }
        }
        if let Some(values) = values {
            blob::put_property(&mut blob, ident.as_bytes(), values.iter().copied());
        }
        self.set_blob(node, &blob)
    }

    /// Gives a node other properties.
    pub(super) fn set_blob(&mut self, node: u32, blob: &[u8]) -> Result<(), EditError> {
        if !self.arena.has_room(0, blob.len()) {
            return Err(EditError::Full);
        }
        if node > 0 {
            self.arena.set_blob(node, blob);
            return Ok(());
        }
        let label = |tree: &GameTree| tree.root().raw("CA").map(|label| label.as_bytes().to_vec());
        let before = label(self);
        self.arena.set_blob(node, blob);
        self.read_context();
        // To find the charset again may mean to look at all texts.
        if label(self) != before {
            self.read_charset();
        }
        Ok(())
    }

    /// Adds a node that takes all children of this one, as its only child.
    pub(super) fn push_down(&mut self, node: u32) -> Result<u32, EditError> {
        if !self.arena.has_room(1, 0) {
            return Err(EditError::Full);
        }
        let below = self.arena.push();
        while let Some(child) = self.arena.first(node) {
            self.arena.unlink(child);
            self.arena.link(child, Link::Last(below));
        }
        self.arena.link(below, Link::Last(node));
        self.arena.in_order = false;
        Ok(below)
    }
}

/// Texts into bytes of the charset of the game.
impl GameTree {
    /// Escaped texts in the charset of the game; and whether the root has to say `CA[UTF-8]` now.
    fn encoded(&self, texts: &[&str]) -> Result<(Vec<Vec<u8>>, bool), EditError> {
        let in_utf8 = || texts.iter().map(|text| text.as_bytes().to_vec()).collect();
        let label = self.root().raw("CA").map(|label| label.simple_text().trim().to_owned()).filter(|l| !l.is_empty());
        if label.as_ref().is_some_and(|label| is_utf8(label)) && !self.is_forced() {
            return Ok((in_utf8(), false));
        }
        if label.is_none() && !self.is_forced() && self.is_in_utf8() {
            return Ok((in_utf8(), true));
        }
        let encode = |text: &&str| self.encode(text);
        match texts.iter().map(encode).collect() {
            Some(encoded) => Ok((encoded, false)),
            None => Err(EditError::Charset(label.unwrap_or_else(|| self.charset_name()))),
        }
    }

    /// Whether all values so far are UTF-8.
    fn is_in_utf8(&self) -> bool {
        let is_utf8 = |value: RawValue<'_>| str::from_utf8(value.as_bytes()).is_ok();
        self.nodes().all(|node| node.properties().flat_map(|property| property.values()).all(is_utf8))
    }

    #[cfg(feature = "charset")]
    fn is_forced(&self) -> bool {
        self.texts
            .charset
            .is_some_and(|charset| charset.source() == Source::Forced && charset.charset() != Charset::UTF_8)
    }

    #[cfg(feature = "charset")]
    fn encode(&self, text: &str) -> Option<Vec<u8>> {
        self.texts.charset?;
        self.texts.encode(text)
    }

    #[cfg(feature = "charset")]
    fn charset_name(&self) -> String {
        self.texts.charset.map_or_else(|| "an unknown charset".to_owned(), |charset| charset.charset().to_string())
    }

    #[cfg(not(feature = "charset"))]
    fn is_forced(&self) -> bool {
        false
    }

    #[cfg(not(feature = "charset"))]
    fn encode(&self, _: &str) -> Option<Vec<u8>> {
        None
    }

    #[cfg(not(feature = "charset"))]
    fn charset_name(&self) -> String {
        "an unknown charset".to_owned()
    }
}

fn is_utf8(label: &str) -> bool {
    label.eq_ignore_ascii_case("utf-8") || label.eq_ignore_ascii_case("utf8")
}
