//! The grammar that accepts everything, and what it has to say about it.

use sgf_stream::{Code, Event, Ident, RawValue};

use super::{Input, Value, WINDOW, Word, is_white, position};

/// Identifiers that begin a game, where `(` and `;` alone are not proof enough.
const ROOT_NAMES: [&[u8]; 6] = [b"FF", b"GM", b"CA", b"AP", b"SZ", b"ST"];

fn is_root_name(word: Word<'_>) -> bool {
    let name: Vec<u8> = word.spelling.iter().copied().filter(|b| !b.is_ascii_lowercase()).collect();
    ROOT_NAMES.contains(&&name[..])
}

/// Where all open trees end at once: at the start of the next game, or of nothing.
struct Cut(usize);

/// The property that the next `[` belongs to.
struct Property<'a> {
    ident: Word<'a>,
    /// A value came, be it dropped.
    has_value: bool,
    /// Its event is out.
    is_sent: bool,
}

/// What there is in a tree, behind white space and junk. The cursor stands behind it; at the `[`
/// of a value.
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
        self.seen.findings.push((code, position(self.bytes, at)));
    }

    pub(super) fn lenient_collection(&mut self) {
        while self.seek_game() {
            let open = self.at;
            self.begin_game();
            self.at += 1;
            // A game that is cut off leaves nothing else to do: the cut is where to go on.
            if let Err(Cut(at)) = self.bracket(open, &mut false) {
                self.at = at;
            }
        }
    }

    /// Goes to the `(` of the next game.
    fn seek_game(&mut self) -> bool {
        let mut in_junk = false;
        while let Some(byte) = self.peek() {
            match byte {
                b'(' if self.is_game_start(self.at) => return true,
                b')' if !in_junk && self.has_game => self.find(Code::ExtraCloseParen, self.at),
                _ if in_junk || is_white(byte) => {}
                _ => {
                    in_junk = true;
                    self.find(Code::JunkOutsideTree, self.at);
                }
            }
            self.at += 1;
        }
        false
    }

    /// `"(" ( ";" | PropIdent "[" )`
    fn is_game_start(&self, open: usize) -> bool {
        let at = self.behind_white(open + 1);
        self.bytes.get(at) == Some(&b';') || self.property_start(at).is_some()
    }

    /// `PropIdent "["`, with nothing but white space between
    fn property_start(&self, at: usize) -> Option<Word<'a>> {
        let word = self.word(at).filter(|word| word.is_ident() && !self.is_too_long(*word))?;
        (self.bytes.get(self.behind_white(word.end())) == Some(&b'[')).then_some(word)
    }

    /// Inside a game: `"(" ";" "FF" "["` and its like at the start of a line are the next one.
    fn is_lost_game(&self, open: usize) -> bool {
        let before = self.bytes[..open].iter().rev().find(|b| !matches!(b, b' ' | b'\t'));
        let semicolon = self.behind_white(open + 1);
        matches!(before, Some(b'\r' | b'\n'))
            && self.bytes.get(semicolon) == Some(&b';')
            && self.property_start(self.behind_white(semicolon + 1)).is_some_and(is_root_name)
    }

    /// The next lexeme inside a game. Reports the junk in front of it, and the spelling of an
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
        self.find(Code::JunkInTree, self.at);
        while let Some(byte) = self.peek() {
            self.at = match self.word(self.at) {
                Some(word) if word.is_ident() => return,
                Some(word) => word.end(),
                None if is_white(byte) || b"()[;".contains(&byte) => return,
                None => self.at + 1,
            };
        }
    }

    /// What a `(` begins that has been read: a tree, a bracket around other trees, or nothing.
    /// `has_child` is that of the node in front of it.
    fn bracket(&mut self, open: usize, has_child: &mut bool) -> Result<(), Cut> {
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
                    None => self.property_value(&mut None)?,
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
                Lexeme::Close(_) => {
                    self.end_property(&mut property);
                    self.find(Code::TreeWithoutNodes, open);
                    return Ok(());
                }
                Lexeme::End => {
                    self.end_property(&mut property);
                    self.find(Code::TreeWithoutNodes, open);
                    return Err(self.unclosed());
                }
            }
        }
    }

    /// A bracket without nodes: its child trees are those of the node in front of it.
    fn promoted(&mut self, open: usize, has_child: &mut bool) -> Result<(), Cut> {
        if self.levels == self.rules.max_depth {
            *has_child = true;
            self.find(Code::TreeTooDeep, open);
            return self.drop_bracket().map(|_| ());
        }
        self.levels += 1;
        let end = self.contents(false, has_child, None);
        self.levels -= 1;
        end.map(|_| ())
    }

    /// A tree, its first node begun. Answers where the `)` is that ends it: its own, or, of an
    /// implied tree, that of the bracket it stands in.
    fn tree(&mut self, start: usize, node: usize, first: Option<Property<'a>>) -> Result<usize, Cut> {
        if self.levels == self.rules.max_depth {
            self.find(Code::TreeTooDeep, start);
            return self.drop_bracket();
        }
        self.levels += 1;
        self.event(start, Event::StartTree);
        self.event(node, Event::Node);
        let end = self.contents(true, &mut false, first);
        self.levels -= 1;
        let (Ok(at) | Err(Cut(at))) = end;
        self.event(at, Event::EndTree);
        end
    }

    /// Properties, nodes and child trees, up to the `)`. Where no node may stand, or none any
    /// more, a node begins a tree of its own.
    fn contents(&mut self, has_nodes: bool, has_child: &mut bool, first: Option<Property<'a>>) -> Result<usize, Cut> {
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
                    if self.is_lost_game(at) {
                        self.find(Code::MissingCloseParen, at);
                        return Err(Cut(at));
                    }
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
            Some(Property { ident, has_value: false, .. }) => self.find(Code::PropertyWithoutValue, ident.at),
            _ => {}
        }
    }

    fn unclosed(&mut self) -> Cut {
        self.find(Code::UnclosedTree, self.bytes.len());
        Cut(self.bytes.len())
    }

    /// A value: of a property, or of none.
    fn property_value(&mut self, property: &mut Option<Property<'_>>) -> Result<(), Cut> {
        let value = self.value(self.at);
        value.texts.iter().for_each(|&at| self.find(Code::UnescapedBracket, at));
        let is_kept = property.as_ref().is_some_and(|property| !self.is_too_long(property.ident));
        let fits = value.raw.len() <= self.rules.max_value_len;
        if property.is_none() {
            self.find(Code::ValueWithoutIdent, value.open);
        } else if is_kept && !fits {
            self.find(Code::ValueTooLong, value.open);
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

    /// Goes behind a value, unless the input ends in it, or it has run into the next game.
    fn end_value(&mut self, value: &Value<'_>) -> Result<(), Cut> {
        let Some(close) = value.close else {
            self.find(Code::UnterminatedValue, value.open);
            return Err(self.unclosed());
        };
        if let Some(game) = self.game_in_tail(value) {
            self.find(Code::MissingCloseBracket, value.open);
            return Err(Cut(game));
        }
        self.at = close + 1;
        Ok(())
    }

    /// The `(` of `CR|LF {blank} "(" ";" "FF" "[" {text} "]"`, if a value ends with that.
    pub(super) fn game_in_tail(&self, value: &Value<'_>) -> Option<usize> {
        let raw = value.raw;
        let text = raw.iter().rposition(|b| b"[]\\".contains(b)).filter(|&at| raw[at] == b'[')?;
        let before_white = |end: usize| raw[..end].iter().rposition(|&b| !is_white(b)).map_or(0, |last| last + 1);
        let ident_end = before_white(text);
        let ident = raw[..ident_end].iter().rposition(|b| !b.is_ascii_alphanumeric()).map_or(0, |last| last + 1);
        let word = Word { at: ident, spelling: &raw[ident..ident_end] };
        let semicolon = before_white(ident).checked_sub(1).filter(|&at| raw[at] == b';')?;
        let paren = before_white(semicolon).checked_sub(1).filter(|&at| raw[at] == b'(')?;
        let line_break = raw[..paren].iter().rposition(|b| !matches!(b, b' ' | b'\t'))?;
        let is_near = raw.len() + 1 - (line_break + 1) <= WINDOW;
        let is_start = matches!(raw[line_break], b'\r' | b'\n') && is_root_name(word) && is_near;
        is_start.then_some(value.open + 1 + paren)
    }

    /// Everything up to the `)`, unseen but for what ends the game.
    fn drop_bracket(&mut self) -> Result<usize, Cut> {
        let mut open = 1;
        loop {
            let at = self.at;
            match self.peek() {
                None => return Err(self.unclosed()),
                Some(b'[') => {
                    self.end_value(&self.value(at))?;
                    continue;
                }
                Some(b'(') if self.is_lost_game(at) => {
                    self.find(Code::MissingCloseParen, at);
                    return Err(Cut(at));
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
