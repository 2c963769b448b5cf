//! The grammar of FF\[4\]. Anything that does not fit is a syntax error, and the first one ends reading.

use sgf_stream::{Code, Event, Ident, RawValue};

use super::{Fault, Input, Word};

impl Input<'_> {
    /// `Collection = GameTree { GameTree }`
    pub(super) fn strict_collection(&mut self) -> Result<(), Fault> {
        loop {
            self.skip_white();
            match self.peek() {
                None => return Ok(()),
                Some(b'(') => self.strict_tree()?,
                Some(b')') if self.has_game => return Err(Fault(Code::ExtraCloseParen, self.at)),
                Some(_) => return Err(Fault(Code::JunkOutsideTree, self.at)),
            }
        }
    }

    /// `GameTree = "(" Sequence { GameTree } ")"`, `Sequence = Node { Node }`
    fn strict_tree(&mut self) -> Result<(), Fault> {
        let open = self.at;
        if self.levels == 0 {
            self.begin_game();
        }
        self.at += 1;
        self.skip_white();
        match self.peek() {
            Some(b';') => {}
            Some(b'(' | b')') => return Err(Fault(Code::TreeWithoutNodes, open)),
            _ => return Err(self.stray(Code::MissingSemicolon)),
        }
        if self.levels == self.rules.max_depth {
            return Err(Fault(Code::TreeTooDeep, open));
        }
        self.levels += 1;
        self.event(open, Event::StartTree);
        while self.peek() == Some(b';') {
            self.strict_node()?;
        }
        while self.peek() == Some(b'(') {
            self.strict_tree()?;
            self.skip_white();
        }
        match self.peek() {
            Some(b')') => self.event(self.at, Event::EndTree),
            Some(b';') => return Err(Fault(Code::NodeAfterVariation, self.at)),
            _ => return Err(self.stray(Code::NodeAfterVariation)),
        }
        self.at += 1;
        self.levels -= 1;
        Ok(())
    }

    /// The fault that is at hand where properties are not: an identifier is named by the caller.
    fn stray(&self, ident: Code) -> Fault {
        let code = match (self.peek(), self.word(self.at)) {
            (None, _) => Code::UnclosedTree,
            (Some(b'['), _) => Code::ValueWithoutIdent,
            (_, Some(word)) if !word.is_ident() => Code::JunkInTree,
            (_, Some(word)) if self.is_too_long(word) => Code::IdentTooLong,
            (_, Some(_)) => ident,
            (_, None) => Code::JunkInTree,
        };
        Fault(code, self.at)
    }

    /// `Node = ";" { Property }`
    fn strict_node(&mut self) -> Result<(), Fault> {
        self.event(self.at, Event::Node);
        self.at += 1;
        loop {
            self.skip_white();
            match (self.peek(), self.word(self.at)) {
                (Some(b'(' | b')' | b';'), _) => return Ok(()),
                (_, Some(word)) if word.is_ident() => self.strict_property(word)?,
                _ => return Err(self.stray(Code::JunkInTree)),
            }
        }
    }

    /// `Property = PropIdent PropValue { PropValue }`, `PropIdent = UcLetter { UcLetter }`
    fn strict_property(&mut self, ident: Word<'_>) -> Result<(), Fault> {
        if self.is_too_long(ident) {
            return Err(Fault(Code::IdentTooLong, ident.at));
        }
        if ident.spelling.iter().any(u8::is_ascii_lowercase) {
            return Err(Fault(Code::LowercaseInIdent, ident.at));
        }
        if ident.spelling.iter().any(u8::is_ascii_digit) {
            return Err(Fault(Code::DigitInIdent, ident.at));
        }
        self.at = ident.end();
        self.skip_white();
        match (self.peek(), self.word(self.at)) {
            (Some(b'['), _) => {}
            (None | Some(b'(' | b')' | b';'), _) => return Err(Fault(Code::PropertyWithoutValue, ident.at)),
            (_, Some(word)) if word.is_ident() => return Err(Fault(Code::PropertyWithoutValue, ident.at)),
            _ => return Err(Fault(Code::JunkInTree, self.at)),
        }
        let mut property = Some(ident);
        while self.peek() == Some(b'[') {
            self.strict_value(&mut property)?;
            self.skip_white();
        }
        Ok(())
    }

    /// A property goes out with its first value: whatever follows, none is without one.
    fn strict_value(&mut self, property: &mut Option<Word<'_>>) -> Result<(), Fault> {
        let value = self.value(self.at);
        if value.raw.len() > self.rules.max_value_len {
            return Err(Fault(Code::ValueTooLong, value.open));
        }
        let close = value.close.ok_or(Fault(Code::UnterminatedValue, value.open))?;
        if let Some(ident) = property.take() {
            self.event(ident.at, Event::Property(Ident::new(ident.spelling)));
        }
        self.event(value.open, Event::Value(RawValue::new(value.raw)));
        self.at = close + 1;
        Ok(())
    }
}
