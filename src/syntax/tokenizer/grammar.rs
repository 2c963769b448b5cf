//! The lexemes of SGF, as nom parsers.
//!
//! ```text
//! Collection = GameTree { GameTree }
//! GameTree   = "(" Sequence { GameTree } ")"
//! Sequence   = Node { Node }
//! Node       = ";" { Property }
//! Property   = PropIdent PropValue { PropValue }
//! PropIdent  = UcLetter { UcLetter }
//! PropValue  = "[" CValueType "]"
//! ```
//!
//! The driver handles the three upper rules: brackets do not need a stack, and a stream may break anywhere inside
//! them. This module has the rules that consume bytes. Each works for a stream that may continue (`parse`) and for
//! one that has ended (`parse_complete`); [`lex`] chooses. nom restarts a rule when it gets more input, so every rule
//! here is bounded; tokens that can be long (values, white space, junk) are scanned by loops that remember their
//! progress.

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, u8x16};
use memchr::memchr3;
use nom::bytes::{tag, take_while, take_while1};
use nom::combinator::peek;
use nom::sequence::terminated;
use nom::{Err, IResult, Parser};

use crate::raw::{BOM, is_white_space};

/// The result of a rule.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Lexed<'i> {
    /// The rule matches these bytes.
    Is(&'i [u8]),
    /// The rule does not match.
    IsNot,
    /// The input ends before the result is known.
    Unknown,
}

/// Applies a rule to a stream that has ended (`eof`) or may continue.
#[inline]
pub(crate) fn lex<'i>(
    mut rule: impl Parser<&'i [u8], Output = &'i [u8], Error = ()>,
    input: &'i [u8],
    eof: bool,
) -> Lexed<'i> {
    let parsed = if eof { rule.parse_complete(input) } else { rule.parse(input) };
    match parsed {
        Ok((_, lexeme)) => Lexed::Is(lexeme),
        Err(Err::Incomplete(_)) => Lexed::Unknown,
        Err(_) => Lexed::IsNot,
    }
}

/// Matches `UcLetter = "A" … "Z"`.
#[inline]
const fn is_uc_letter(byte: u8) -> bool {
    byte.is_ascii_uppercase()
}

/// Returns whether a byte cannot be part of a token of a tree.
#[inline]
pub(crate) const fn is_junk(byte: u8) -> bool {
    !is_white_space(byte) && !matches!(byte, b'(' | b')' | b';' | b'[') && !byte.is_ascii_alphabetic()
}

/// Matches nearly all identifiers, and the `[` after them. `PropIdent = UcLetter { UcLetter }` in FF\[4\]. Others
/// match [`word_rest`].
#[inline]
pub(crate) fn prop_ident(input: &[u8]) -> Option<&[u8]> {
    match input {
        [a, b'[', ..] if is_uc_letter(*a) => return Some(&input[..1]),
        [a, b, b'[', ..] if is_uc_letter(*a) && is_uc_letter(*b) => return Some(&input[..2]),
        _ => {}
    }
    let mut rule = terminated(take_while1(is_uc_letter), peek(tag(&b"["[..])));
    let parsed: IResult<&[u8], &[u8], ()> = rule.parse_complete(input);
    parsed.ok().map(|(_, ident)| ident)
}

/// Matches the rest of a word, from any point on. `Word = Letter { Letter | Digit }`; the driver has seen the letter.
/// A word occurs in place of an identifier. FF\[1\] to FF\[3\] allow lower-case letters in identifiers, and some
/// programs write digits.
#[inline]
pub(crate) fn word_rest<'i>() -> impl Parser<&'i [u8], Output = &'i [u8], Error = ()> {
    take_while(|byte: u8| byte.is_ascii_alphanumeric())
}

/// Matches nearly all values: `PropValue = "[" CValueType "]"`. They have no bare `[`, and at most [`LONGEST`] bytes.
/// The value scanner handles the rest.
#[inline]
pub(crate) fn plain_value(input: &[u8]) -> Option<&[u8]> {
    if let [b'[', rest @ ..] = input
        && let Some(lane) = rest.first_chunk()
        && let len = special_bytes(lane).trailing_zeros() as usize
        && len < LANE
        && lane[len] == b']'
    {
        return Some(&rest[..len]);
    }
    long_plain_value(input)
}

/// Matches a [`prop_ident`] with its first value, a [`plain_value`]. Returns them without the brackets.
#[inline(always)]
pub(crate) fn plain_property(input: &[u8]) -> Option<(&[u8], &[u8])> {
    // Nearly always both brackets are within 16 bytes, and the identifier has one letter or two.
    if let Some(lane) = input.first_chunk::<LANE>() {
        let brackets = special_bytes(lane);
        let open = brackets.trailing_zeros() as usize;
        let close = (brackets & brackets.wrapping_sub(1)).trailing_zeros() as usize;
        if close < LANE
            && matches!(open, 1 | 2)
            && input[open] == b'['
            && input[close] == b']'
            && is_uc_letter(input[0])
            && (open == 1 || is_uc_letter(input[1]))
        {
            return Some((&input[..open], &input[open + 1..close]));
        }
    }
    any_plain_property(input)
}

#[inline(never)]
fn any_plain_property(input: &[u8]) -> Option<(&[u8], &[u8])> {
    let ident = prop_ident(input)?;
    Some((ident, plain_value(&input[ident.len()..])?))
}

/// The longest value that [`plain_value`] reads.
const LONGEST: usize = 1024;

fn long_plain_value(input: &[u8]) -> Option<&[u8]> {
    let [b'[', rest @ ..] = &input[..input.len().min(LONGEST + 2)] else { return None };
    let mut at = 0;
    loop {
        at += memchr3(b']', b'\\', b'[', rest.get(at..)?)?;
        match rest[at] {
            b']' => return Some(&rest[..at]),
            b'\\' => at += 2,
            _ => return None,
        }
    }
}

const LANE: usize = 16;

/// Returns the mask of the bytes `]`, `\` and `[`, which are adjacent in ASCII.
#[inline(always)]
fn special_bytes(bytes: &[u8; LANE]) -> u32 {
    let special = dispatch!(Level::baseline(), simd => {
        (u8x16::load_array_ref(simd, bytes) - b'[').simd_le(b']' - b'[').to_bitmask()
    });
    special as u32
}

/// Matches the UTF-8 byte-order mark.
#[inline]
pub(crate) fn bom<'i>() -> impl Parser<&'i [u8], Output = &'i [u8], Error = ()> {
    tag(BOM)
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::{holds_of, inputs};

    #[test]
    fn one_rule_serves_streams_that_go_on_and_streams_that_ended() {
        assert_eq!(lex(bom(), b"\xEF\xBB", false), Lexed::Unknown);
        assert_eq!(lex(bom(), b"\xEF\xBB", true), Lexed::IsNot);
        assert_eq!(lex(bom(), b"(;", false), Lexed::IsNot);
    }

    #[test]
    fn a_word_goes_on_with_letters_and_digits() {
        assert_eq!(lex(word_rest(), b"0[", false), Lexed::Is(b"0"));
        assert_eq!(lex(word_rest(), b"hite ", false), Lexed::Is(b"hite"));
        assert_eq!(lex(word_rest(), b"hite", false), Lexed::Unknown);
    }

    #[test]
    fn an_identifier_has_its_bracket_after_it() {
        assert_eq!(prop_ident(b"AB[dd]"), Some(&b"AB"[..]));
        assert_eq!(prop_ident(b"B[dd]"), Some(&b"B"[..]));
        assert_eq!(prop_ident(b"MULTIGOGM[1]"), Some(&b"MULTIGOGM"[..]));
        assert_eq!(prop_ident(b"AB [dd]"), None);
        assert_eq!(prop_ident(b"aB[dd]"), None);
        assert_eq!(prop_ident(b"b[dd]"), None);
        assert_eq!(prop_ident(b"ABc[dd]"), None);
        assert_eq!(prop_ident(b"AB"), None);
        assert_eq!(prop_ident(b"[dd]"), None);
    }

    /// Does the same as [`plain_value`], byte by byte.
    fn model(input: &[u8]) -> Option<&[u8]> {
        let mut at = 1;
        loop {
            match input.get(at)? {
                b'[' => return None,
                b']' => return (at <= LONGEST + 1).then(|| &input[1..at]),
                b'\\' => at += 2,
                _ => at += 1,
            }
        }
    }

    #[test]
    fn a_plain_property_is_an_identifier_and_a_plain_value() {
        fn same(ident: Vec<u8>, value: Vec<u8>, after: Vec<u8>) -> bool {
            let pick = |bytes: &[u8], alphabet: &[u8]| -> Vec<u8> {
                bytes.iter().map(|&byte| alphabet[usize::from(byte) % alphabet.len()]).collect()
            };
            let bytes = [pick(&ident, b"AZAZa"), pick(&value, b"[[]]\\x"), pick(&after, b"[]; xxxx")].concat();
            let slow = prop_ident(&bytes).and_then(|ident| Some((ident, model(&bytes[ident.len()..])?)));
            plain_property(&bytes) == slow
        }
        holds_of(inputs(12), 20_000, same as fn(Vec<u8>, Vec<u8>, Vec<u8>) -> bool);
    }

    #[test]
    fn a_plain_value_is_one_however_much_follows() {
        fn same(len: usize, specials: Vec<(usize, u8)>, high: bool) -> bool {
            let mut bytes = vec![if high { 0xDC } else { b'Z' }; len % 50];
            let most = (len % 4).min(bytes.len());
            for (at, which) in specials.into_iter().take(most) {
                let at = at % bytes.len();
                bytes[at] = b"[]\\\\"[usize::from(which) % 4];
            }
            let mut bytes = [b"[", &bytes[..], b"]"].concat();
            (0..40).all(|_| {
                bytes.push(b';');
                plain_value(&bytes) == model(&bytes)
            })
        }
        quickcheck::quickcheck(same as fn(usize, Vec<(usize, u8)>, bool) -> bool);
    }

    #[test]
    fn a_plain_value_has_no_bare_bracket_and_at_most_1024_bytes() {
        for len in [0, 1, 2, 15, 16, 17, LONGEST, LONGEST + 1] {
            let value = vec![b'x'; len];
            let plain = (len <= LONGEST).then_some(&value[..]);
            for after in ["", ";", ";B[aa];W[bb];B[cc];W[dd]"] {
                assert_eq!(plain_value(&[b"[", &value[..], b"]", after.as_bytes()].concat()), plain, "{len}, {after}");
            }
        }
        assert_eq!(plain_value(b"[d"), None);
        assert_eq!(plain_value(br"[\"), None);
        assert_eq!(plain_value(br"[\]"), None);
        assert_eq!(plain_value(br"[\]];"), Some(&br"\]"[..]));
        assert_eq!(plain_value(b"[a[b];"), None);
        assert_eq!(plain_value(b"x[b];"), None);
    }
}
