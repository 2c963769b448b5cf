//! The grammar that accepts everything, and what it has to say about it.

use std::ops::Range;

use sgf_stream::{Code, Event, Ident, OwnedEvent, RawValue};

use super::{Fault, Input, Value, Word, is_white};

/// The end of the data, where all open trees end at once.
struct Ended;

/// The property that the next `[` belongs to.
struct Property<'a> {
    ident: Word<'a>,
    /// A value came, be it dropped.
    has_value: bool,
    /// Its event is out.
    is_sent: bool,
}

/// Returns the next lexeme in a tree, after white space and junk. The cursor is then after it, or at the `[` of a
/// value.
pub(super) enum Lexeme<'a> {
    Open(usize),
    Close(usize),
    Semicolon(usize),
    Ident(Word<'a>),
    Value,
    End,
}

impl<'a> Input<'a> {
    fn find(&mut self, code: Code, at: usize) {
        self.findings.push(Fault(code, at));
    }

    fn drop_bytes(&mut self, code: Code, range: Range<usize>) {
        self.dropped.push((code, range));
    }

    pub(super) fn lenient_collection(&mut self) {
        while self.seek_game() {
            let open = self.at;
            self.begin_game();
            self.at += 1;
            if let Err(Ended) = self.bracket(open, &mut false) {
                return;
            }
        }
    }

    /// Goes to the `(` of the next game.
    fn seek_game(&mut self) -> bool {
        let mut in_junk = false;
        while let Some(byte) = self.peek() {
            match byte {
                b'(' if self.is_game_start(self.at) => return true,
                _ if is_white(byte) => {}
                b')' if !in_junk && self.has_game => {
                    self.find(Code::ExtraCloseParen, self.at);
                    self.drop_bytes(Code::ExtraCloseParen, self.at..self.at + 1);
                }
                _ => {
                    if !in_junk {
                        self.find(Code::JunkOutsideTree, self.at);
                    }
                    in_junk = true;
                    self.drop_bytes(Code::JunkOutsideTree, self.at..self.at + 1);
                }
            }
            self.at += 1;
        }
        false
    }

    /// `"(" ( ";" | PropIdent "[" )`
    fn is_game_start(&self, open: usize) -> bool {
        let at = self.after_white(open + 1);
        self.bytes.get(at) == Some(&b';') || self.property_start(at).is_some()
    }

    /// `PropIdent "["`, with nothing but white space between
    fn property_start(&self, at: usize) -> Option<Word<'a>> {
        let word = self.word(at).filter(|word| word.is_ident() && !self.is_too_long(*word))?;
        (self.bytes.get(self.after_white(word.end())) == Some(&b'[')).then_some(word)
    }

    /// The next lexeme inside a game. Reports the junk before it, and the spelling of an
    /// identifier.
    pub(super) fn lexeme(&mut self) -> Lexeme<'a> {
        loop {
            self.skip_white();
            let at = self.at;
            let ident = self.word(at).filter(|word| word.is_ident());
            let lexeme = match self.peek() {
                None => return Lexeme::End,
                Some(b'[') => return Lexeme::Value,
                Some(b'(') => Lexeme::Open(at),
                Some(b')') => Lexeme::Close(at),
                Some(b';') => Lexeme::Semicolon(at),
                Some(_) => match ident {
                    Some(ident) => Lexeme::Ident(ident),
                    None => {
                        self.junk();
                        continue;
                    }
                },
            };
            self.at += 1;
            if let Some(ident) = ident {
                self.at = ident.end();
                self.report_spelling(ident);
            }
            return lexeme;
        }
    }

    fn report_spelling(&mut self, ident: Word<'_>) {
        if self.is_too_long(ident) {
            self.find(Code::IdentTooLong, ident.at);
            self.drop_bytes(Code::IdentTooLong, ident.at..ident.end());
            return;
        }
        if ident.spelling.iter().any(u8::is_ascii_lowercase) {
            self.find(Code::LowercaseInIdent, ident.at);
        }
        if ident.spelling.iter().any(u8::is_ascii_digit) {
            self.find(Code::DigitInIdent, ident.at);
        }
    }

    /// Junk bytes and junk words side by side: one report.
    fn junk(&mut self) {
        let from = self.at;
        self.find(Code::JunkInTree, from);
        while let Some(byte) = self.peek() {
            self.at = match self.word(self.at) {
                Some(word) if word.is_ident() => break,
                Some(word) => word.end(),
                None if is_white(byte) || b"()[;".contains(&byte) => break,
                None => self.at + 1,
            };
        }
        self.drop_bytes(Code::JunkInTree, from..self.at);
    }

    /// Decides what a `(` that has been read begins: a tree, a bracket around other trees, or nothing.
    /// `has_child` is that of the node before it.
    fn bracket(&mut self, open: usize, has_child: &mut bool) -> Result<(), Ended> {
        let mut property = None;
        loop {
            match self.lexeme() {
                Lexeme::Ident(ident) => self.begin_property(&mut property, ident),
                Lexeme::Value => match property {
                    Some(Property { ident, .. }) => {
                        self.find(Code::MissingSemicolon, ident.at);
                        *has_child = true;
                        return self.tree(open, ident.at, property).map(|_| ());
                    }
                    None => {
                        if let Err(ended) = self.property_value(&mut None) {
                            self.drop_bytes(Code::TreeWithoutNodes, open..open + 1);
                            return Err(ended);
                        }
                    }
                },
                Lexeme::Semicolon(at) => {
                    self.end_property(&mut property);
                    *has_child = true;
                    return self.tree(open, at, None).map(|_| ());
                }
                Lexeme::Open(at) => {
                    self.end_property(&mut property);
                    self.find(Code::TreeWithoutNodes, open);
                    self.at = at;
                    return self.promoted(open, has_child);
                }
                Lexeme::Close(close) => {
                    self.end_property(&mut property);
                    self.find(Code::TreeWithoutNodes, open);
                    self.drop_bytes(Code::TreeWithoutNodes, open..open + 1);
                    self.drop_bytes(Code::TreeWithoutNodes, close..close + 1);
                    return Ok(());
                }
                Lexeme::End => {
                    self.end_property(&mut property);
                    self.find(Code::TreeWithoutNodes, open);
                    self.drop_bytes(Code::TreeWithoutNodes, open..open + 1);
                    return Err(self.unclosed());
                }
            }
        }
    }

    /// A bracket without nodes: its child trees are those of the node before it.
    fn promoted(&mut self, open: usize, has_child: &mut bool) -> Result<(), Ended> {
        if self.levels == self.rules.max_depth {
            *has_child = true;
            self.find(Code::TreeTooDeep, open);
            self.drop_bytes(Code::TreeTooDeep, open..open + 1);
            let from = self.at;
            let end = self.drop_bracket();
            self.drop_bytes(Code::TreeTooDeep, from..end.as_ref().map_or(self.bytes.len(), |close| close + 1));
            return end.map(|_| ());
        }
        self.drop_bytes(Code::TreeWithoutNodes, open..open + 1);
        self.levels += 1;
        let end = self.contents(false, has_child, None);
        self.levels -= 1;
        // Its `)` is its own, unless a tree inside ends there that has none.
        if let Ok(close) = end
            && self.events.last() != Some(&(close, OwnedEvent::EndTree))
        {
            self.drop_bytes(Code::TreeWithoutNodes, close..close + 1);
        }
        end.map(|_| ())
    }

    /// Reads a tree after the start of its first node. Returns the position of the `)` that ends it: its own, or for
    /// an implied tree that of its enclosing bracket.
    fn tree(&mut self, start: usize, node: usize, first: Option<Property<'a>>) -> Result<usize, Ended> {
        if self.levels == self.rules.max_depth {
            self.find(Code::TreeTooDeep, start);
            let own = usize::from(self.bytes[start] == b'(');
            self.drop_bytes(Code::TreeTooDeep, start..start + own);
            let mut from = node;
            if let Some(Property { ident, .. }) = first {
                self.drop_bytes(Code::TreeTooDeep, ident.at..ident.end());
                from = self.at;
            }
            let end = self.drop_bracket();
            self.drop_bytes(Code::TreeTooDeep, from..end.as_ref().map_or(self.bytes.len(), |close| close + own));
            return end;
        }
        self.levels += 1;
        self.event(start, Event::StartTree);
        self.event(node, Event::Node);
        let end = self.contents(true, &mut false, first);
        self.levels -= 1;
        self.event(*end.as_ref().unwrap_or(&self.bytes.len()), Event::EndTree);
        end
    }

    /// Reads properties, nodes and child trees, up to the `)`. If no node is allowed, or none any more, a node starts
    /// a separate tree.
    fn contents(&mut self, has_nodes: bool, has_child: &mut bool, first: Option<Property<'a>>) -> Result<usize, Ended> {
        let mut property = first;
        loop {
            let is_sequence = has_nodes && !*has_child;
            match self.lexeme() {
                Lexeme::Ident(ident) => self.begin_property(&mut property, ident),
                Lexeme::Value => match property {
                    Some(Property { ident, .. }) if !is_sequence => {
                        self.find(Code::MissingSemicolon, ident.at);
                        self.find(Code::NodeAfterVariation, ident.at);
                        *has_child = true;
                        return self.tree(ident.at, ident.at, property);
                    }
                    _ => self.property_value(&mut property)?,
                },
                Lexeme::Semicolon(at) => {
                    self.end_property(&mut property);
                    if !is_sequence {
                        self.find(Code::NodeAfterVariation, at);
                        *has_child = true;
                        return self.tree(at, at, None);
                    }
                    self.event(at, Event::Node);
                }
                Lexeme::Open(at) => {
                    self.end_property(&mut property);
                    self.bracket(at, has_child)?;
                }
                Lexeme::Close(at) => {
                    self.end_property(&mut property);
                    return Ok(at);
                }
                Lexeme::End => {
                    self.end_property(&mut property);
                    return Err(self.unclosed());
                }
            }
        }
    }

    fn begin_property(&mut self, property: &mut Option<Property<'a>>, ident: Word<'a>) {
        self.end_property(property);
        *property = Some(Property { ident, has_value: false, is_sent: false });
    }

    fn end_property(&mut self, property: &mut Option<Property<'_>>) {
        match property.take() {
            // Dropped for its length, and reported for that.
            Some(Property { ident, .. }) if self.is_too_long(ident) => {}
            Some(Property { ident, has_value: false, .. }) => {
                self.find(Code::PropertyWithoutValue, ident.at);
                self.drop_bytes(Code::PropertyWithoutValue, ident.at..ident.end());
            }
            Some(Property { ident, is_sent: false, .. }) => {
                self.drop_bytes(Code::ValueTooLong, ident.at..ident.end());
            }
            _ => {}
        }
    }

    /// What the end is called depends on whether a head makes it.
    fn unclosed(&mut self) -> Ended {
        let code = if self.is_cut { Code::MissingCloseParen } else { Code::UnclosedTree };
        self.find(code, self.bytes.len());
        Ended
    }

    /// A value: of a property, or of none.
    fn property_value(&mut self, property: &mut Option<Property<'_>>) -> Result<(), Ended> {
        let value = self.value(self.at);
        value.texts.iter().for_each(|&at| self.find(Code::UnescapedBracket, at));
        let is_kept = property.as_ref().is_some_and(|property| !self.is_too_long(property.ident));
        let fits = value.raw.len() <= self.rules.max_value_len;
        if property.is_none() {
            self.find(Code::ValueWithoutIdent, value.open);
        } else if is_kept && !fits {
            self.find(Code::ValueTooLong, value.open);
        }
        let range = value.open..value.close.map_or(self.bytes.len(), |close| close + 1);
        match property {
            None => self.drop_bytes(Code::ValueWithoutIdent, range),
            Some(_) if !is_kept => self.drop_bytes(Code::IdentTooLong, range),
            Some(Property { ident, is_sent, .. }) => {
                let ident = (!*is_sent).then(|| ident.at..ident.end());
                match (fits, value.close) {
                    (true, Some(_)) => {}
                    (true, None) => self.cuts.push((ident, range)),
                    (false, close) => {
                        if let (None, Some(ident)) = (close, ident) {
                            self.drop_bytes(Code::ValueTooLong, ident);
                        }
                        self.drop_bytes(Code::ValueTooLong, range);
                    }
                }
            }
        }
        self.end_value(&value)?;
        if let Some(close) = value.close.filter(|_| value.is_cut) {
            self.find(Code::CutCharacter, close - 1);
        }
        if let Some(property) = property {
            property.has_value = true;
            if is_kept && fits {
                if !property.is_sent {
                    self.event(property.ident.at, Event::Property(Ident::new(property.ident.spelling)));
                }
                property.is_sent = true;
                self.event(value.open, Event::Value(RawValue::new(value.raw)));
            }
        }
        Ok(())
    }

    /// Goes after a value, unless the data end in it.
    fn end_value(&mut self, value: &Value<'_>) -> Result<(), Ended> {
        match value.close {
            Some(close) => {
                self.at = close + 1;
                Ok(())
            }
            // Enough said: that the trees are open too goes without saying.
            None if self.is_cut => {
                self.find(Code::MissingCloseBracket, value.open);
                Err(Ended)
            }
            None => {
                self.find(Code::UnterminatedValue, value.open);
                Err(self.unclosed())
            }
        }
    }

    /// Everything up to the `)`, unseen but for what ends the game.
    fn drop_bracket(&mut self) -> Result<usize, Ended> {
        let mut open = 1;
        loop {
            let at = self.at;
            match self.peek() {
                None => return Err(self.unclosed()),
                Some(b'[') => {
                    self.end_value(&self.value(at))?;
                    continue;
                }
                Some(b'(') => open += 1,
                Some(b')') => open -= 1,
                Some(_) => {}
            }
            self.at += 1;
            if open == 0 {
                return Ok(at);
            }
        }
    }
}
