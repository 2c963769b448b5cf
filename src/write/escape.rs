//! Raw values on their way out: what is missing for a value to end where it ends.
//!
//! Raw values of sound files go out as they are. Others need help: a bare `]` (which lenient
//! reading takes for text where what follows is no SGF) and a backslash at the end are escaped. In
//! a charset with two-byte characters a second byte needs no escape, and a character that is cut
//! off, whose second byte the `]` would become, gets a blank behind it.
//!
//! What a second byte is, the tokenizer knows: [`Split`] is its own.

use std::borrow::Cow;

use crate::tokenizer::two_byte::{Split, TwoByte};
use crate::work;

/// One value on its way out, perhaps in parts.
#[derive(Debug)]
pub(super) struct Escape {
    split: Option<Split>,
    /// The last part ended in a backslash, which hides what comes next.
    hides_next: bool,
}

impl Escape {
    /// A value behind the declaration of a charset, if that has two-byte characters.
    pub(super) fn new(charset: Option<TwoByte>) -> Self {
        Escape { split: charset.map(|charset| Split::new(charset, 0)), hides_next: false }
    }

    /// Adds a part of the value.
    pub(super) fn part(&mut self, raw: &[u8], out: &mut Vec<u8>) {
        work::note(raw.len());
        let (mut written, mut at) = (0, usize::from(self.hides_next && !raw.is_empty()));
        while let Some(found) = raw.get(at..).and_then(|rest| memchr::memchr2(b']', b'\\', rest)) {
            at += found;
            if self.split.as_mut().is_some_and(|split| split.is_second(raw, at)) {
                at += 1;
            } else if raw[at] == b'\\' {
                at += 2;
            } else {
                out.extend_from_slice(&raw[written..at]);
                out.push(b'\\');
                written = at;
                at += 1;
            }
        }
        out.extend_from_slice(&raw[written..]);
        if !raw.is_empty() {
            self.hides_next = at > raw.len();
        }
        if let Some(split) = &mut self.split {
            split.follow(raw, raw.len());
            split.drop_front(raw.len());
        }
    }

    /// The value is over, but for its `]`.
    pub(super) fn end(&mut self, out: &mut Vec<u8>) {
        if self.hides_next {
            out.push(b'\\');
        } else if self.split.is_some_and(|split| split.is_open()) {
            out.push(b' ');
        }
    }
}

/// A raw value as it goes out.
pub(super) fn escaped(raw: &[u8], charset: Option<TwoByte>) -> Cow<'_, [u8]> {
    if charset.is_none() && memchr::memchr2(b']', b'\\', raw).is_none() {
        return Cow::Borrowed(raw);
    }
    let (mut out, mut escape) = (Vec::with_capacity(raw.len() + 1), Escape::new(charset));
    escape.part(raw, &mut out);
    escape.end(&mut out);
    Cow::Owned(out)
}

/// Whether a raw value goes out as it is.
#[cfg(feature = "serde")]
pub(crate) fn is_sound(raw: &[u8], charset: Option<TwoByte>) -> bool {
    *escaped(raw, charset) == *raw
}
