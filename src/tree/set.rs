//! Edits of properties: values are printed, encoded in the charset of the game, and set.

use std::borrow::Cow;

use super::{EditError, GameTree, Node, NodeId, NodeProperty, ToProperty, packed};
#[cfg(feature = "charset")]
use crate::charset::{Charset, CharsetSource};
use crate::property::{self, Property, TextRule};
use crate::raw::unescape::{LostSpace, lost_space};
use crate::syntax::event::Ident;
use crate::value::RawValue;
use crate::value::print::Printer;
use crate::write::is_ident;

/// Edits of properties.
impl GameTree {
    /// Sets a property to one value.
    ///
    /// Typed values and numbers are printed in canonical form, texts are
    /// escaped, and `false` removes the property. The property replaces one with the same name, or is appended.
    ///
    /// A text that is not ASCII is encoded in the charset of the game, if the tree was built with a policy
    /// (`TreeBuilder::charset`). Otherwise only games in UTF-8 accept such texts; call `convert_to_utf8` first. If the
    /// game declares no charset and all its values are UTF-8 so far, the root also gets `CA[UTF-8]`.
    ///
    /// White space is written unchanged or not at all: a text with tabs, form feeds or carriage returns is an error, and
    /// so is a text with line breaks in a property of one line, such as `GN`, or in a composed value. To convert them
    /// as reading would, set a [`SimpleText::new`](crate::value::SimpleText::new), or for a property of many lines a
    /// [`Text::new`](crate::value::Text::new).
    ///
    /// ```
    /// use sgf_stream::tree::{GameTree, NodeId};
    /// use sgf_stream::value::SimpleText;
    ///
    /// let mut game = GameTree::new();
    /// let error = game.set(NodeId::ROOT, "GN", "two\nlines").unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "GN: the text has line breaks, which its property does not allow; replace them with spaces"
    /// );
    /// game.set(NodeId::ROOT, "GN", SimpleText::new("two\nlines"))?;
    /// game.set(NodeId::ROOT, "C", "two\nlines")?;
    /// assert_eq!(game.to_vec().unwrap(), b"(;GN[two lines]C[two\nlines])\n");
    /// # Ok::<(), sgf_stream::tree::EditError>(())
    /// ```
    ///
    /// Setting `CA` in the root converts all texts of the game to that charset. If one of them does not
    /// fit, nothing is changed. (Without the feature `charset`, only ASCII and UTF-8 fit.) To change the bytes of
    /// the label alone, use [`set_raw`](Self::set_raw).
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
    /// Fails if the node does not exist, if the identifier is invalid, if the charset of the game cannot encode the
    /// text, if the text has white space that SGF cannot represent there, if a number is not finite, or if the game cannot be converted to the charset that `CA` names.
    pub fn set(&mut self, node: NodeId, ident: &str, value: impl ToProperty) -> Result<(), EditError> {
        let value = Printer::of(value);
        if value.is_absent {
            self.check(node, ident, false)?;
            return self.unset(node, ident).map(drop);
        }
        let new = self.encoded(node, ident, vec![value])?;
        self.put(node, ident, Vec::new(), new)
    }

    /// Sets a property to a list of at least one value: see [`set`](Self::set).
    ///
    /// To write an empty list, set `()`, in the properties that may be empty (`DD`, `VW`, `TB`, `TW`). Points are
    /// written one by one; to write rectangles, compress them:
    ///
    /// ```
    /// use sgf_stream::tree::{GameTree, NodeId};
    /// use sgf_stream::value::PointList;
    ///
    /// let mut game = GameTree::new();
    /// let stones: PointList = PointList::parse(["aa", "ab", "ba", "bb", "dd"])?;
    /// game.set_list(NodeId::ROOT, "AB", stones.compress())?;
    /// assert_eq!(game.to_vec().unwrap(), b"(;AB[aa:bb][dd])\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if [`set`](Self::set) would, or if there is no value.
    pub fn set_list<T: ToProperty>(
        &mut self,
        node: NodeId,
        ident: &str,
        values: impl IntoIterator<Item = T>,
    ) -> Result<(), EditError> {
        let values = values.into_iter().map(Printer::of).filter(|value| !value.is_absent).collect();
        let new = self.encoded(node, ident, values)?;
        self.put(node, ident, Vec::new(), new)
    }

    /// Sets a property to raw values, as written between the brackets.
    ///
    /// They must be escaped, and in the charset of the game. A raw `CA` converts nothing. They replace all values of the
    /// property; [`append_raw`](Self::append_raw) keeps those. To copy the properties of a node, see [`Node::properties`].
    ///
    /// # Errors
    ///
    /// Fails if the node does not exist, if there is no value, or if the identifier is invalid.
    pub fn set_raw<V: AsRef<[u8]>>(
        &mut self,
        node: NodeId,
        ident: &str,
        values: impl IntoIterator<Item = V>,
    ) -> Result<(), EditError> {
        let raw: Vec<V> = values.into_iter().collect();
        self.check(node, ident, raw.is_empty())?;
        self.replace(node.0, ident, raw.iter().map(AsRef::as_ref))
    }

    /// Adds a value to a property, such as a stone to `AB`.
    ///
    /// The property may be new. Each call takes time proportional to the length of the node; for many values use [`set_list`](Self::set_list).
    ///
    /// # Errors
    ///
    /// Fails if [`set`](Self::set) would.
    pub fn append(&mut self, node: NodeId, ident: &str, value: impl ToProperty) -> Result<(), EditError> {
        let value = Printer::of(value);
        if value.is_absent {
            return self.check(node, ident, false);
        }
        let new = self.encoded(node, ident, vec![value])?;
        let old = Node { tree: self, id: node.0 }.values(ident).map(|value| value.as_bytes().to_vec()).collect();
        self.put(node, ident, old, new)
    }

    /// Adds raw values to a property, as written between the brackets. The property may be new.
    ///
    /// They must be escaped, and in the charset of the game.
    ///
    /// ```
    /// use sgf_stream::tree::{GameTree, NodeId};
    ///
    /// // Copies the events of a game, which repeat a property.
    /// let game = b"(;AB[aa]C[x]AB[bb])";
    /// let mut copy = GameTree::new();
    /// let mut ident = String::new();
    /// for event in sgf_stream::Parser::new().slice(game) {
    ///     match event? {
    ///         sgf_stream::Event::Property(name) => ident = name.name().into_owned(),
    ///         sgf_stream::Event::Value(value) => copy.append_raw(NodeId::ROOT, &ident, [value])?,
    ///         _ => {}
    ///     }
    /// }
    /// assert_eq!(copy.to_vec()?, b"(;AB[aa][bb]C[x])\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the node does not exist, if there is no value, or if the identifier is invalid.
    pub fn append_raw<V: AsRef<[u8]>>(
        &mut self,
        node: NodeId,
        ident: &str,
        values: impl IntoIterator<Item = V>,
    ) -> Result<(), EditError> {
        let new: Vec<V> = values.into_iter().collect();
        self.check(node, ident, new.is_empty())?;
        let old: Vec<Vec<u8>> =
            Node { tree: self, id: node.0 }.values(ident).map(|value| value.as_bytes().to_vec()).collect();
        self.replace(node.0, ident, old.iter().map(Vec::as_slice).chain(new.iter().map(AsRef::as_ref)))
    }

    /// Replaces values of a node. Returns the number of values that changed.
    ///
    /// `map` gets each identifier and raw value. It returns the new raw value, escaped and in the charset of the game, or
    /// `None` to leave the value unchanged.
    ///
    /// ```
    /// use sgf_stream::tree::{GameTree, NodeId};
    ///
    /// let mut game: GameTree = "(;PB[ Shusaku ]PW[Gennan];B[qd])".parse()?;
    /// let changed = game.map_values(NodeId::ROOT, |ident, value| {
    ///     let trimmed = value.as_bytes().trim_ascii();
    ///     (ident == "PB" || ident == "PW").then_some(trimmed.into())
    /// })?;
    /// assert_eq!(changed, 1);
    /// assert_eq!(game.to_vec()?, b"(;PB[Shusaku]PW[Gennan];B[qd])\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the node does not exist.
    pub fn map_values(
        &mut self,
        node: NodeId,
        mut map: impl for<'v> FnMut(Ident<'v>, RawValue<'v>) -> Option<Cow<'v, [u8]>>,
    ) -> Result<usize, EditError> {
        let node = self.there(node)?;
        let (mut packed, mut changed) = (Vec::new(), 0);
        for property in self.arena.properties(node) {
            let opened = packed::open(&mut packed, property.ident().as_bytes());
            for value in property.values() {
                let new = map(property.ident(), value).filter(|new| **new != *value.as_bytes());
                changed += usize::from(new.is_some());
                packed::put_value(&mut packed, new.as_deref().unwrap_or(value.as_bytes()));
            }
            packed::close(&mut packed, opened);
        }
        if changed > 0 {
            self.set_packed(node, &packed)?;
        }
        Ok(changed)
    }

    /// Removes a property. Returns whether it was present.
    ///
    /// # Errors
    ///
    /// Fails if the node does not exist.
    pub fn unset(&mut self, node: NodeId, name: &str) -> Result<bool, EditError> {
        let there = self.there(node)?;
        let is_there = Node { tree: self, id: there }.contains(name);
        if is_there {
            self.replace(there, name, [])?;
        }
        Ok(is_there)
    }

    /// Removes all properties of a node for which `keep` returns false.
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
    /// Fails if the node does not exist.
    pub fn retain(&mut self, node: NodeId, mut keep: impl FnMut(NodeProperty<'_>) -> bool) -> Result<(), EditError> {
        let node = self.there(node)?;
        let mut packed = Vec::new();
        for property in self.arena.properties(node).filter(|property| keep(*property)) {
            packed::put_property(&mut packed, property.ident().as_bytes(), property.values().map(RawValue::as_bytes));
        }
        self.set_packed(node, &packed)
    }

    /// Removes all properties of the game for which `keep` returns false. Returns the number of properties removed.
    ///
    /// `keep` gets each property, and its row in the [registry](crate::property), which says what it is for; `None` for an
    /// unknown property. Nodes stay, even those without properties.
    ///
    /// ```
    /// use sgf_stream::tree::GameTree;
    ///
    /// let mut game: GameTree = "(;PB[a]MULTIGOGM[1];B[dd]BL[60]C[good]LB[dd:A];W[pp]XX[1])".parse()?;
    /// let removed = game.retain_properties(|_, known| known.is_some_and(|p| !p.is_private() && !p.is_markup()))?;
    /// assert_eq!(removed, 3);
    /// assert_eq!(game.to_vec()?, b"(;PB[a];B[dd]BL[60]C[good];W[pp])\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the tree is full. Some properties are then removed, and others are not.
    pub fn retain_properties(
        &mut self,
        mut keep: impl FnMut(NodeProperty<'_>, Option<&'static Property>) -> bool,
    ) -> Result<usize, EditError> {
        let nodes: Vec<u32> = self.arena.preorder(0).collect();
        let (context, mut packed, mut removed) = (self.context, Vec::new(), 0);
        for node in nodes {
            let context = if node == 0 { context } else { context.after_root() };
            let before = removed;
            packed.clear();
            for property in self.arena.properties(node) {
                match keep(property, property::lookup(property.ident(), &context)) {
                    true => {
                        let values = property.values().map(RawValue::as_bytes);
                        packed::put_property(&mut packed, property.ident().as_bytes(), values);
                    }
                    false => removed += 1,
                }
            }
            if removed > before {
                self.set_packed(node, &packed)?;
            }
        }
        Ok(removed)
    }

    fn check(&self, node: NodeId, ident: &str, is_empty: bool) -> Result<(), EditError> {
        self.there(node)?;
        if !is_ident(Ident::new(ident.as_bytes())) {
            return Err(EditError::Ident(ident.to_owned()));
        }
        if is_empty { Err(EditError::NoValue(ident.to_owned())) } else { Ok(()) }
    }

    /// Sets a property of an existing node to old values and new ones.
    fn put(&mut self, node: NodeId, ident: &str, old: Vec<Vec<u8>>, new: Printed) -> Result<(), EditError> {
        // The first value of `CA` is the charset.
        if let (NodeId::ROOT, true, [label, ..]) =
            (node, old.is_empty() && Ident::new(ident.as_bytes()) == "CA", &new.values[..])
        {
            self.convert_to(label)?;
        }
        let before = new.says_utf8.then(|| self.arena.packed(0).to_vec());
        if new.says_utf8 {
            self.replace(0, "CA", [&b"UTF-8"[..]])?;
        }
        let done = self.replace(node.0, ident, old.iter().chain(&new.values).map(Vec::as_slice));
        if let (Err(_), Some(before)) = (&done, before) {
            self.set_packed(0, &before)?;
        }
        done
    }

    /// Replaces all properties with a name by one with these values; removes them if there are none.
    pub(super) fn replace<'v>(
        &mut self,
        node: u32,
        ident: &str,
        values: impl IntoIterator<Item = &'v [u8]>,
    ) -> Result<(), EditError> {
        let name = Ident::new(ident.as_bytes());
        let mut packed = Vec::with_capacity(self.arena.packed(node).len() + 16);
        let mut values = Some(values);
        for property in self.arena.properties(node) {
            if property.ident() != name {
                let values = property.values().map(RawValue::as_bytes);
                packed::put_property(&mut packed, property.ident().as_bytes(), values);
            } else if let Some(values) = values.take() {
                packed::put_property(&mut packed, ident.as_bytes(), values);
            }
        }
        if let Some(values) = values {
            packed::put_property(&mut packed, ident.as_bytes(), values);
        }
        self.set_packed(node, &packed)
    }

    /// Replaces the properties of a node.
    pub(super) fn set_packed(&mut self, node: u32, packed: &[u8]) -> Result<(), EditError> {
        if !self.arena.has_room(0, packed.len()) {
            return Err(EditError::Full);
        }
        if node > 0 {
            self.arena.set_packed(node, packed);
            return Ok(());
        }
        let label = |tree: &GameTree| tree.root().raw("CA").map(|label| label.as_bytes().to_vec());
        let before = label(self);
        self.arena.set_packed(node, packed);
        self.read_context();
        // Finding the charset again may need a look at all texts.
        if label(self) != before {
            self.read_charset();
        }
        Ok(())
    }
}

/// Values encoded in the charset of the game.
struct Printed {
    values: Vec<Vec<u8>>,
    /// Whether the root must declare that they are UTF-8.
    says_utf8: bool,
}

/// Encoding of texts in the charset of the game.
impl GameTree {
    fn encoded(&self, node: NodeId, ident: &str, values: Vec<Printer>) -> Result<Printed, EditError> {
        self.check(node, ident, values.is_empty())?;
        if values.iter().any(|value| value.is_not_finite) {
            return Err(EditError::NotFinite(ident.into()));
        }
        let row = property::lookup(Ident::new(ident.as_bytes()), &self.context_at(node.0));
        let has_lines = TextRule::of(row.map(|row| row.value_type())) == TextRule::Text;
        // Printing escapes a text, and leaves its white space unchanged.
        let lost = |value: &Printer| lost_space(value.text.as_bytes(), has_lines && !value.in_compose);
        if let Some(LostSpace { found, instead }) = values.iter().find_map(lost) {
            return Err(EditError::WhiteSpace { property: ident.into(), found, instead });
        }
        let texts: Vec<String> = values.into_iter().map(|value| value.text).collect();
        let in_utf8 = |texts: Vec<String>, says_utf8| {
            Ok(Printed { values: texts.into_iter().map(String::into_bytes).collect(), says_utf8 })
        };
        if texts.iter().all(|text| text.is_ascii()) {
            return in_utf8(texts, false);
        }
        let label = self.root().raw("CA").map(|label| label.simple_text().trim().to_owned()).filter(|l| !l.is_empty());
        if label.as_ref().is_some_and(|label| is_utf8(label)) && !self.is_forced() {
            return in_utf8(texts, false);
        }
        if label.is_none() && !self.is_forced() && self.is_in_utf8() {
            return in_utf8(texts, true);
        }
        match texts.iter().map(|text| self.encode(text)).collect() {
            Some(values) => Ok(Printed { values, says_utf8: false }),
            None => Err(EditError::Charset(label.unwrap_or_else(|| self.charset_name()))),
        }
    }

    /// Returns whether all values so far are UTF-8.
    pub(super) fn is_in_utf8(&self) -> bool {
        let is_utf8 = |value: RawValue<'_>| str::from_utf8(value.as_bytes()).is_ok();
        self.nodes().all(|node| node.properties().flat_map(|property| property.values()).all(is_utf8))
    }

    #[cfg(feature = "charset")]
    fn is_forced(&self) -> bool {
        self.texts
            .charset
            .is_some_and(|charset| charset.source() == CharsetSource::Forced && charset.charset() != Charset::UTF_8)
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

pub(super) fn is_utf8(label: &str) -> bool {
    label.eq_ignore_ascii_case("utf-8") || label.eq_ignore_ascii_case("utf8")
}
