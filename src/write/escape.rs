//! Escapes raw values, so that each ends at its closing bracket.
//!
//! Raw values of well-formed files are written unchanged. In others, a bare `]` (which a lenient reader takes for text if
//! no SGF follows) and a backslash at the end are escaped. In a charset with two-byte characters, a second byte needs no
//! escape, and half a character at the end, which the `]` would complete, gets a space after it.
//!
//! In a text that a lenient reader would mistake for a game start, the `[` is escaped: see [`break_heads`].
//!
//! [`Split`] and [`HeadScan`], which find second bytes and heads, are the tokenizer's own.

use std::borrow::Cow;

use crate::raw::two_byte::{Split, TwoByte};
use crate::syntax::tokenizer::head::{Follows, HeadScan, REACH};
use crate::work;

/// The escaping of one value, perhaps in parts.
#[derive(Debug)]
pub(super) struct Escape {
    split: Option<Split>,
    /// The last part ended in a backslash, which hides the next byte.
    hides_next: bool,
}

impl Escape {
    /// Creates the escaping of a value in a charset, if that has two-byte characters.
    pub(super) fn new(charset: Option<TwoByte>) -> Self {
        Escape { split: charset.map(|charset| Split::new(charset, 0)), hides_next: false }
    }

    /// Writes the next part of the value.
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

    /// Writes what is needed before the `]`.
    pub(super) fn end(&mut self, out: &mut Vec<u8>) {
        if self.hides_next {
            out.push(b'\\');
        } else if self.split.is_some_and(|split| split.is_open()) {
            out.push(b' ');
        }
    }
}

/// Escapes the `[` of texts that a lenient reader would mistake for a game start. The value is in `out` from `from` on,
/// escaped so far. Returns the length of the part of `out` that is final: all of it if the value is complete up to its
/// `]`, and otherwise the bytes before the first `(` that may still become a head.
///
/// Without a bare `[` nothing is a head, and an escaped one reads the same. A head may continue after the value: the
/// next properties decide whether `(;PB[x` and the `]` of the value are one. They are not waited for: a text that may
/// become a head is escaped.
///
/// The scan goes from the last `(` to the first, since an earlier head may hold an escaped `[` in a value.
pub(crate) fn break_heads(out: &mut Vec<u8>, from: usize, is_whole: bool) -> usize {
    if is_whole && memchr::memchr(b'[', &out[from..]).is_none() {
        return out.len();
    }
    // The places where a `\` is missing, in descending order, and the end of the final part.
    let (mut missing, mut done): (Vec<usize>, _) = (Vec::new(), out.len());
    // The next `[` after the final part, which may become an escaped one.
    let mut doubtful = out.len();
    for at in memchr::memrchr_iter(b'(', &out[from..]).map(|at| from + at) {
        let mut scan = HeadScan::start();
        let mut is_head = scan.look(&out[at..], Follows::More);
        let end = at + scan.seen();
        if missing.last().is_some_and(|&next| next <= end) {
            is_head = HeadScan::start().look(&with_escapes(out, at, &missing), Follows::More);
        }
        match is_head {
            Some(false) if end < doubtful || is_whole || out.len() - at > REACH => {}
            Some(true) => missing.push(bracket_after(out, at)),
            None if is_whole => missing.push(bracket_after(out, at)),
            _ => (done, doubtful) = (at, bracket_after(out, at)),
        }
    }
    if missing.is_empty() {
        return done;
    }
    let (mut written, mut escaped) = (from, Vec::with_capacity(out.len() - from + missing.len()));
    let moved = missing.iter().filter(|&&bracket| bracket < done).count();
    for &bracket in missing.iter().rev() {
        escaped.extend_from_slice(&out[written..bracket]);
        escaped.push(b'\\');
        written = bracket;
    }
    escaped.extend_from_slice(&out[written..]);
    out.truncate(from);
    out.append(&mut escaped);
    done + moved
}

/// Returns the offset of the first `[` from `at` on, or the end.
fn bracket_after(out: &[u8], at: usize) -> usize {
    at + memchr::memchr(b'[', &out[at..]).unwrap_or(out.len() - at)
}

/// Returns the bytes from `at` on that decide whether a head starts there, with escapes at `places`, which are in
/// descending order.
fn with_escapes(out: &[u8], at: usize, places: &[usize]) -> Vec<u8> {
    let end = out.len().min(at + REACH + 1);
    let (mut bytes, mut written) = (Vec::with_capacity(2 * (end - at)), at);
    for &place in places.iter().rev().take_while(|&&place| place < end) {
        bytes.extend_from_slice(&out[written..place]);
        bytes.push(b'\\');
        written = place;
    }
    bytes.extend_from_slice(&out[written..end]);
    bytes
}

/// Returns a raw value as it is written.
pub(super) fn escaped(raw: &[u8], charset: Option<TwoByte>) -> Cow<'_, [u8]> {
    if charset.is_none() && memchr::memchr3(b']', b'\\', b'[', raw).is_none() {
        return Cow::Borrowed(raw);
    }
    let (mut out, mut escape) = (Vec::with_capacity(raw.len() + 2), Escape::new(charset));
    escape.part(raw, &mut out);
    escape.end(&mut out);
    Cow::Owned(escape_heads(out))
}

/// Returns an otherwise sound value without [heads](break_heads).
pub(super) fn escape_heads(mut value: Vec<u8>) -> Vec<u8> {
    value.push(b']');
    break_heads(&mut value, 0, true);
    value.pop();
    value
}

/// Returns whether a lenient reader would detect a game start in a raw value.
#[cfg(feature = "serde")]
pub(crate) fn holds_head(raw: &[u8]) -> bool {
    escape_heads(raw.to_vec()) != raw
}

/// Returns whether a raw value is written unchanged.
#[cfg(feature = "serde")]
pub(crate) fn is_sound(raw: &[u8], charset: Option<TwoByte>) -> bool {
    *escaped(raw, charset) == *raw
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::tokenizer::head;

    /// Texts, and their form in a value.
    const TEXTS: &[(&str, &str)] = &[
        ("see (;GM[1", "see (;GM\\[1"),
        ("see ( ; GaMe [1", "see ( ; GaMe \\[1"),
        ("\\\\(;FF[4", "\\\\(;FF\\[4"),
        ("\\(;FF[4", "\\(;FF\\[4"),
        ("[(;FF[", "[(;FF\\["),
        // The next bytes decide, and are not waited for.
        ("(;PB[x", "(;PB\\[x"),
        ("(;PB[x\\]PW[y\\]", "(;PB[x\\]PW[y\\]"),
        // An escaped `[` is one that a value may hold.
        ("(;PB[(;GM[1", "(;PB\\[(;GM\\[1"),
        ("(;N[(;N[(;N[x", "(;N\\[(;N\\[(;N\\[x"),
        ("(;FF[(;GM[1", "(;FF[(;GM\\[1"),
        // None of these is a head, whatever follows.
        ("see (;FF[4\\]", "see (;FF[4\\]"),
        ("(;FF[4\n", "(;FF[4\n"),
        ("(;FF\\[4", "(;FF\\[4"),
        ("(;FF[4[", "(;FF[4["),
        ("(;B[aa", "(;B[aa"),
        ("(;FF4[", "(;FF4["),
        ("(;GM", "(;GM"),
        ("(;", "(;"),
        ("([", "(["),
    ];

    #[test]
    fn texts_do_not_become_heads() {
        for &(text, expected) in TEXTS {
            let value = escaped(text.as_bytes(), None);
            assert_eq!(String::from_utf8_lossy(&value), expected);
            assert_eq!(*escaped(&value, None), *value, "{expected} does not stay");
        }
        let long = |len| format!("(;FF[{}", "4".repeat(len)).into_bytes();
        assert_eq!(escaped(&long(64), None).len(), long(64).len() + 1);
        assert_eq!(*escaped(&long(65), None), long(65));
        let long = |len| format!("(;PB[{}", "x".repeat(len)).into_bytes();
        assert_eq!(escaped(&long(400), None).len(), long(400).len() + 1);
        assert_eq!(*escaped(&long(512), None), long(512));
    }

    /// Heads are found without a charset: a second byte that looks like a `]` is one.
    #[test]
    fn second_bytes_make_heads_too() {
        let gbk = TwoByte::of_label(b"GBK");
        for (text, expected) in [
            (&b"(;GM[\x81]x"[..], &b"(;GM\\[\x81]x"[..]),
            (b"(;PB[\x81]PW[\x81];B", b"(;PB\\[\x81]PW[\x81];B"),
            (b"(;PB[\x81]B[\x81];", b"(;PB[\x81]B[\x81];"),
            (b"(;GM[\x81[", b"(;GM[\x81["),
            (b"(;GM[\x81\\", b"(;GM[\x81\\"),
        ] {
            assert_eq!(escaped(text, gbk).escape_ascii().to_string(), expected.escape_ascii().to_string());
        }
    }

    /// A value in parts gives the same output as the whole, and no more is held back than it takes to find a head.
    #[test]
    fn parts_are_escaped_as_the_whole_is() {
        let texts = TEXTS.iter().map(|(text, _)| text.as_bytes().to_vec());
        let long = [&b"(;N["[..], &b"(;N[".repeat(300), &b"a(;GM[1](;PB[x".repeat(3), &[b'('; 600]].concat();
        for text in texts.chain([long]) {
            let whole = escaped(&text, None);
            for size in [1, 2, 3, 5, 100, 700] {
                let (mut out, mut done, mut escape) = (Vec::new(), 0, Escape::new(None));
                for part in text.chunks(size) {
                    escape.part(part, &mut out);
                    done = break_heads(&mut out, done, false);
                    assert!(out.len() - done <= head::REACH, "{} bytes are held back", out.len() - done);
                }
                escape.end(&mut out);
                out.push(b']');
                break_heads(&mut out, done, true);
                out.pop();
                assert_eq!(out.escape_ascii().to_string(), whole.escape_ascii().to_string(), "parts of {size} bytes");
            }
        }
    }
}
