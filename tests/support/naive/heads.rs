//! Heads: recognized starts of games, regardless of the bytes before them. Lenient mode cuts the data before each.
//!
//! A head is recognized from its own bytes alone, never from those before them: the grammar of a root, as far as
//! needed to be sure that it is one.

use sgf_stream::property::{self, Property, PropertyType};

use super::is_white;

/// One of these in the first place begins a root.
const ROOT_NAMES: [&[u8]; 6] = [b"FF", b"GM", b"CA", b"AP", b"SZ", b"ST"];

/// Game information, beside what the registry calls so in FF[4].
const INFO_NAMES: [&[u8]; 6] = [b"N", b"TE", b"RD", b"ID", b"ON", b"GE"];

/// These two, in this order, begin the root of a problem.
const PROBLEM_NAMES: [&[u8]; 2] = [b"GE", b"DI"];

/// The longest head of the first kind, from its `(` to its `]`, and of a problem, to its second `[`.
const MAX_SURE: usize = 256;
/// The longest first value of such heads.
const MAX_SURE_VALUE: usize = 64;
/// How many bytes after the `(` a head of the second kind ends.
const MAX_NODE: usize = 512;

/// The `(` of every head.
pub fn heads(bytes: &[u8]) -> Vec<usize> {
    (0..bytes.len()).filter(|&at| is_head(&bytes[at..])).collect()
}

/// The pieces that lenient reading reads, each as if it were all of the data.
pub fn pieces(bytes: &[u8]) -> Vec<&[u8]> {
    let starts = [vec![0], heads(bytes), vec![bytes.len()]].concat();
    starts.windows(2).filter(|ends| ends[0] < ends[1]).map(|ends| &bytes[ends[0]..ends[1]]).collect()
}

fn is_head(bytes: &[u8]) -> bool {
    let mut cursor = Cursor { bytes, at: 0 };
    let is_start = cursor.takes(b'(') && cursor.takes(b';');
    is_start && (cursor.clone().reads_sure() || cursor.clone().reads_problem() || cursor.reads_root())
}

#[derive(Clone)]
struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Takes that byte, and the white space after it.
    fn takes(&mut self, byte: u8) -> bool {
        let is_it = self.peek() == Some(byte);
        if is_it {
            self.at += 1;
            self.skip_white();
        }
        is_it
    }

    fn skip_white(&mut self) {
        while self.peek().is_some_and(is_white) {
            self.at += 1;
        }
    }

    /// `Letter { Letter | Digit }`, without lower-case letters, and the white space after it.
    fn name(&mut self) -> Option<Vec<u8>> {
        let rest = &self.bytes[self.at..];
        let len = rest.iter().take_while(|b| b.is_ascii_alphanumeric()).count();
        rest.first().filter(|b| b.is_ascii_alphabetic())?;
        self.at += len;
        self.skip_white();
        Some(rest[..len].iter().copied().filter(|b| !b.is_ascii_lowercase()).collect())
    }

    /// `"[" {text} "]"`, with escapes, and without a bare `[`.
    fn value(&mut self) -> Option<()> {
        loop {
            self.at += 1;
            match self.peek()? {
                b'\\' => self.at += 1,
                b'[' => return None,
                b']' => break,
                _ => {}
            }
        }
        self.at += 1;
        self.skip_white();
        Some(())
    }

    /// One of these names, and a short value without anything special. Returns where its `]` is.
    fn plain_property(&mut self, names: &[&[u8]]) -> Option<usize> {
        if !self.name().is_some_and(|name| names.contains(&&name[..])) || self.peek() != Some(b'[') {
            return None;
        }
        let value = &self.bytes[self.at + 1..];
        let len = value.iter().take_while(|b| !b"[]\\\r\n".contains(b)).count();
        let close = self.at + 1 + len;
        self.at = close;
        (self.takes(b']') && len <= MAX_SURE_VALUE).then_some(close)
    }

    /// The first kind, after `(` and `;`: one of six names, and such a value.
    fn reads_sure(mut self) -> bool {
        self.plain_property(&ROOT_NAMES).is_some_and(|close| close < MAX_SURE)
    }

    /// A problem, after `(` and `;`: the first of two names, such a value, and the second.
    fn reads_problem(mut self) -> bool {
        let [first, second] = PROBLEM_NAMES;
        self.plain_property(&[first]).is_some()
            && self.name().is_some_and(|name| name == second)
            && self.peek() == Some(b'[')
            && self.at < MAX_SURE
    }

    /// The second kind, after `(` and `;`: a node, up to its end or that of the data, of which enough is game information, and nothing a move.
    fn reads_root(mut self) -> bool {
        let mut names = Vec::new();
        while let Some(name) = self.name() {
            names.push(name);
            if self.peek() != Some(b'[') {
                return false;
            }
            while self.peek() == Some(b'[') {
                if self.value().is_none() {
                    return false;
                }
            }
        }
        let is_node = matches!(self.peek(), Some(b';' | b'(' | b')') | None) && self.at <= MAX_NODE;
        let count = |is: fn(&[u8]) -> bool| names.iter().filter(|name| is(name)).count();
        let is_move = |name: &[u8]| matches!(name, b"B" | b"W");
        is_node
            && names.first().is_some_and(|first| is_info(first))
            && (count(is_info) >= 2 || count(|name| ROOT_NAMES.contains(&name)) > 0)
            && count(is_move) == 0
    }
}

fn is_info(name: &[u8]) -> bool {
    let is_game_info = |row: &Property| row.property_type() == PropertyType::GameInfo && row.versions().contains(4);
    let rows = str::from_utf8(name).map(property::find);
    INFO_NAMES.contains(&name) || rows.is_ok_and(|mut rows| rows.any(is_game_info))
}
