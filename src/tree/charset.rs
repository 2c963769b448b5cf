//! Conversion of all texts of a game to another charset.

use super::{EditError, GameTree};
use crate::raw::RawValue;
#[cfg(feature = "charset")]
use {
    super::{packed, texts::Texts},
    crate::charset::{Charset, Decoding},
    crate::syntax::event::Ident,
    std::borrow::Cow,
};

#[cfg(feature = "charset")]
impl GameTree {
    /// Converts all texts to UTF-8. If any of them is not ASCII, sets `CA[UTF-8]` in the root.
    ///
    /// Decodes with the [`charset`](Self::charset) of the game, or, if no policy was set, with the one that
    /// [`Decoding::new`] finds. Returns the number of values with bytes that are invalid in it: each run of them
    /// becomes U+FFFD. To convert to another charset, [set](Self::set) `CA`.
    ///
    /// ```
    /// use sgf_stream::tree::GameTree;
    ///
    /// let mut game = GameTree::from_slice(b"(;CA[GBK]PB[\xB9\xC5\xC1\xA6];B[dd])")?;
    /// assert_eq!(game.convert_to_utf8()?, 0);
    /// assert_eq!(game.root().text("PB").unwrap(), "古力");
    /// assert_eq!(game.root().text("CA").unwrap(), "UTF-8");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if there is no room left. Nothing is changed then.
    pub fn convert_to_utf8(&mut self) -> Result<usize, EditError> {
        let Some(charset) = self.texts.charset.or_else(|| self.find_charset(Decoding::new())) else { return Ok(0) };
        let mut lossy = 0;
        let nodes = self.converted(|_, value| {
            let decoded = charset.decode(value);
            lossy += usize::from(!decoded.is_sound());
            Ok(Cow::Owned(decoded.into_text().into_owned().into_bytes()))
        })?;
        let is_labelled = !nodes.is_empty() || self.root().contains("CA");
        nodes.into_iter().for_each(|(node, packed)| self.arena.set_packed(node, &packed));
        self.decoding = Some(Decoding::utf8());
        if is_labelled {
            self.replace(0, "CA", [&b"UTF-8"[..]])?;
        }
        self.read_charset();
        Ok(lossy)
    }

    /// Converts all texts to the charset with a name, before the name is set.
    pub(super) fn convert_to(&mut self, label: &[u8]) -> Result<(), EditError> {
        let name = || String::from_utf8_lossy(label).into_owned();
        let charset = Charset::for_name(label).filter(|charset| charset.is_ascii_compatible());
        let charset = charset.ok_or_else(|| EditError::CharsetName(name()))?;
        let from = self.texts.charset.or_else(|| self.find_charset(Decoding::new()));
        let to = Texts { charset: Decoding::new().decide(None, Some(RawValue::new(label)), []).ok() };
        let nodes = self.converted(|ident, value| {
            let Some(from) = from.filter(|from| from.charset_of(value) != charset) else {
                return Ok(Cow::Borrowed(value.as_bytes()));
            };
            let property = ident.name();
            let decoded = from.decode(value);
            if !decoded.is_sound() {
                let charset = from.charset_of(value).to_string();
                return Err(EditError::BadBytes { property: property.into_owned(), charset });
            }
            let encoded = to.encode(decoded.text()).map(Cow::Owned);
            encoded.ok_or_else(|| {
                let text = decoded.text().chars().take(40).collect();
                EditError::Unencodable { property: property.into_owned(), text, charset: name() }
            })
        })?;
        nodes.into_iter().for_each(|(node, packed)| self.arena.set_packed(node, &packed));
        self.decoding = Some(Decoding::new());
        // A reader looks for the two bytes of a character from the end of `CA` on.
        if charset.two_byte().is_some() {
            self.put_label_first()?;
        }
        Ok(())
    }

    /// Returns the converted properties of all nodes that are not ASCII, which there is room for.
    fn converted<'t>(
        &'t self,
        mut convert: impl FnMut(Ident<'t>, RawValue<'t>) -> Result<Cow<'t, [u8]>, EditError>,
    ) -> Result<Vec<(u32, Vec<u8>)>, EditError> {
        let (mut nodes, mut len) = (Vec::new(), 64);
        for node in self.arena.preorder(0) {
            if self.arena.properties(node).flat_map(|property| property.values()).all(|v| v.as_bytes().is_ascii()) {
                continue;
            }
            let mut packed = Vec::new();
            for property in self.arena.properties(node) {
                let values = property.values().map(|value| convert(property.ident(), value));
                let values = values.collect::<Result<Vec<_>, _>>()?;
                packed::put_property(&mut packed, property.ident().as_bytes(), values.iter().map(|value| &**value));
            }
            len += packed.len();
            nodes.push((node, packed));
        }
        if self.arena.has_room(0, len) { Ok(nodes) } else { Err(EditError::Full) }
    }

    /// Makes `CA` the first property of the root.
    fn put_label_first(&mut self) -> Result<(), EditError> {
        let mut packed = Vec::new();
        packed::put_property(&mut packed, b"CA", [&b""[..]]);
        for property in self.arena.properties(0).filter(|property| property.ident() != "CA") {
            packed::put_property(&mut packed, property.ident().as_bytes(), property.values().map(RawValue::as_bytes));
        }
        self.set_packed(0, &packed)
    }
}

#[cfg(not(feature = "charset"))]
impl GameTree {
    /// Checks that a name is right for the bytes as they are.
    pub(super) fn convert_to(&mut self, label: &[u8]) -> Result<(), EditError> {
        let is_ascii = |value: RawValue<'_>| value.as_bytes().is_ascii();
        let is_ascii = || self.nodes().all(|node| node.properties().flat_map(|p| p.values()).all(is_ascii));
        let name = String::from_utf8_lossy(label);
        match super::set::is_utf8(name.trim()) && self.is_in_utf8() || is_ascii() {
            true => Ok(()),
            false => Err(EditError::Charset(name.into_owned())),
        }
    }
}
