//! Charsets with characters of two bytes, with `[`, `\` or `]` as possible second bytes: which games are written in
//! one, and which bytes of a value are such second bytes.
//!
//! A game says so itself, in the first value of the first `CA` property of its root. That is a
//! matter of the bytes alone: limits, and answers that skip, have no say in it. So the root is read
//! here, apart from everything else.

use std::str;

use super::lenient::Lexeme;
use super::{Input, Word, is_white};

/// Only their lead bytes are not all the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charset {
    ShiftJis,
    Big5,
    Gbk,
    Gb18030,
}

/// The charset that the caller sets, regardless of the games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Given {
    #[default]
    Nothing,
    /// Games that say nothing are in this one, but for files that start with the mark of UTF-8.
    Default(Charset),
    /// All games are in this one, or in one without such characters.
    Forced(Option<Charset>),
}

/// As [`Charset::from_label`] compares them.
#[rustfmt::skip]
const LABELS: [(Charset, &[&str]); 4] = [
    (Charset::ShiftJis, &[
        "shiftjis", "sjis", "sjiswin", "mskanji", "csshiftjis", "windows31j",
        "ms932", "cp932", "win932", "ibm932", "windows932", "codepage932",
        "ms943", "cp943", "win943", "ibm943", "windows943", "codepage943",
    ]),
    (Charset::Big5, &[
        "big5", "big5hkscs", "big5eten", "cnbig5", "csbig5", "xbig5", "bigfive",
        "cp950", "ms950", "win950", "ibm950", "windows950", "codepage950",
        "cp951", "ms951", "win951", "ibm951", "windows951", "codepage951",
    ]),
    (Charset::Gbk, &[
        "gbk", "gb2312", "gb231280", "csgb2312", "csiso58gb231280", "isoir58", "chinese",
        "cp936", "ms936", "win936", "ibm936", "windows936", "codepage936",
        "cp1386", "ms1386", "win1386", "ibm1386", "windows1386", "codepage1386",
    ]),
    (Charset::Gb18030, &[
        "gb18030", "gb180302000", "gb180302005", "gb180302022",
        "cp54936", "ms54936", "win54936", "ibm54936", "windows54936", "codepage54936",
    ]),
];

/// The longest value of `CA`, white space included, that is looked at.
const MAX_LABEL_LEN: usize = 64;

impl Charset {
    /// Letters and digits are compared, in either case, and an `x` in front is not.
    pub fn from_label(raw: &[u8]) -> Option<Charset> {
        if raw.len() > MAX_LABEL_LEN || !raw.is_ascii() {
            return None;
        }
        let squeezed: Vec<u8> = raw.to_ascii_lowercase().into_iter().filter(|b| b.is_ascii_alphanumeric()).collect();
        let name = squeezed.strip_prefix(b"x").unwrap_or(&squeezed);
        LABELS.iter().find(|(_, labels)| labels.iter().any(|l| l.as_bytes() == name)).map(|&(charset, _)| charset)
    }

    fn is_lead(self, byte: u8) -> bool {
        match self {
            Charset::ShiftJis => matches!(byte, 0x81..=0x9F | 0xE0..=0xFC),
            Charset::Big5 | Charset::Gbk | Charset::Gb18030 => matches!(byte, 0x81..=0xFE),
        }
    }

    /// Whether a value, split into characters from its first byte on, has the second byte of one
    /// there. A lead byte with something else after it is a character of its own.
    pub fn is_second(self, value: &[u8], at: usize) -> bool {
        let mut character = 0;
        while character < at.min(value.len()) {
            let is_pair =
                self.is_lead(value[character]) && matches!(value.get(character + 1), Some(0x40..=0x7E | 0x80..=0xFE));
            if is_pair && character + 1 == at {
                return true;
            }
            character += if is_pair { 2 } else { 1 };
        }
        false
    }

    /// Returns whether the byte of a value is text even if it looks like a bracket. It is not if everything before it
    /// is UTF-8: then the game's `CA` is wrong, which is common.
    pub fn is_text(self, value: &[u8], at: usize) -> bool {
        self.is_second(value, at) && str::from_utf8(&value[..at]).is_err()
    }
}

/// Whether a backslash hides that byte of a value.
pub fn is_hidden(charset: Option<Charset>, value: &[u8], at: usize) -> bool {
    let mut i = 0;
    while i < at.min(value.len()) {
        let is_backslash = value[i] == b'\\' && !charset.is_some_and(|charset| charset.is_text(value, i));
        if is_backslash && i + 1 == at {
            return true;
        }
        i += if is_backslash { 2 } else { 1 };
    }
    false
}

/// The charset that a game names, and the offset from which it counts: after the value that names it.
#[derive(Clone, Copy)]
pub(super) struct Named {
    charset: Option<Charset>,
    from: usize,
}

impl<'a> Input<'a> {
    /// Whether that byte of the value at `open` is text, whatever it looks like.
    pub(super) fn is_second_byte(&self, open: usize, at: usize) -> bool {
        let charset = self.charset_in(self.named, open);
        charset.is_some_and(|charset| charset.is_text(&self.bytes[open + 1..], at - (open + 1)))
    }

    /// The charset that counts in the value at `open`, of a game that says this.
    pub(super) fn charset_in(&self, named: Option<Named>, open: usize) -> Option<Charset> {
        match (self.rules.given, named) {
            (Given::Forced(charset), _) => charset,
            (_, Some(named)) if named.from <= open => named.charset,
            (Given::Default(charset), _) => Some(charset),
            _ => None,
        }
    }

    /// The charset that the root of the game at that `(` names. The root ends at a `;`, or a `)`, or where a
    /// tree begins; a bracket in which none does vanishes.
    pub(super) fn charset_of(&self, game: usize) -> Option<Named> {
        let mut root = Input::new(self.bytes, self.rules, game + 1);
        root.skip_white();
        if root.peek() == Some(b';') {
            root.at += 1;
        }
        let mut brackets = 0;
        let mut property: Option<Word<'a>> = None;
        loop {
            match root.lexeme() {
                Lexeme::Ident(ident) => property = Some(ident),
                Lexeme::Value => {
                    let is_ca = match property {
                        // The first property of a tree that has lost its `;`.
                        Some(_) if brackets > 0 => return None,
                        Some(ident) => root.is_ca(ident),
                        None => false,
                    };
                    let value = root.value(root.at);
                    root.at = value.close? + 1;
                    if is_ca {
                        let is_blank = value.raw.len() <= MAX_LABEL_LEN && value.raw.iter().all(|&byte| is_white(byte));
                        let charset = Charset::from_label(value.raw);
                        return (!is_blank).then_some(Named { charset, from: root.at });
                    }
                }
                Lexeme::Open(_) => {
                    brackets += 1;
                    property = None;
                }
                Lexeme::Close(_) if brackets > 0 => {
                    brackets -= 1;
                    property = None;
                }
                Lexeme::Close(_) | Lexeme::Semicolon(_) | Lexeme::End => return None,
            }
        }
    }

    fn is_ca(&self, ident: Word<'_>) -> bool {
        let name = ident.spelling.iter().filter(|b| !b.is_ascii_lowercase());
        name.eq(b"CA") && !self.is_too_long(ident)
    }
}
