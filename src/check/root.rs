//! The root of a game, held back until it is known which game it is the root of.

use crate::syntax::event::Ident;
use crate::value::RawValue;

/// The most that is held back of a root: in bytes of the stream, and in bytes of its identifiers and values and
/// [`WEIGHT`] more for each of them, since two bytes can be a value.
const MAX_ROOT: u64 = 4 << 20;

/// What an identifier or a value weighs beside its bytes.
const WEIGHT: usize = 32;

/// A root that is held back, flat.
#[derive(Debug, Default)]
pub(super) struct Root {
    offset: u64,
    bytes: Vec<u8>,
    lexemes: Vec<Lexeme>,
}

#[derive(Clone, Copy, Debug)]
struct Lexeme {
    is_value: bool,
    at: u64,
    len: usize,
}

/// A part of a root, with its offset.
#[derive(Clone, Copy, Debug)]
pub(super) enum Held<'r> {
    Property(Ident<'r>, u64),
    Value(RawValue<'r>, u64),
}

impl Root {
    pub(super) fn start(&mut self, offset: u64) {
        self.offset = offset;
        self.bytes.clear();
        self.bytes.shrink_to(1 << 16);
        self.lexemes.clear();
        self.lexemes.shrink_to(1 << 12);
    }

    /// Whether what stands at this offset is too far from the start of the root to be waited for.
    pub(super) fn is_too_long(&self, at: u64) -> bool {
        let weight = (self.bytes.len() + self.lexemes.len() * WEIGHT) as u64;
        at.saturating_sub(self.offset) > MAX_ROOT || weight > MAX_ROOT
    }

    pub(super) fn push(&mut self, held: Held<'_>) {
        let (is_value, bytes, at) = match held {
            Held::Property(ident, at) => (false, ident.as_bytes(), at),
            Held::Value(value, at) => (true, value.as_bytes(), at),
        };
        self.bytes.extend_from_slice(bytes);
        self.lexemes.push(Lexeme { is_value, at, len: bytes.len() });
    }

    pub(super) fn held(&self) -> impl Iterator<Item = Held<'_>> {
        let mut start = 0;
        self.lexemes.iter().map(move |&Lexeme { is_value, at, len }| {
            start += len;
            let bytes = &self.bytes[start - len..start];
            match is_value {
                true => Held::Value(RawValue::new(bytes), at),
                false => Held::Property(Ident::new(bytes), at),
            }
        })
    }
}
