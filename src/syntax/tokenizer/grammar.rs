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
//! The three upper rules are the driver's business: brackets do not need a stack, and a stream
//! may break anywhere inside them. Here are the rules that consume bytes. Each serves both a
//! stream that may go on (`parse`) and one that has ended (`parse_complete`); [`lex`] chooses.
//! nom starts a rule again when it gets more input, so every rule here is bounded; what can be
//! long (values, white space, junk) is scanned by loops that remember where they got to.

use nom::bytes::{tag, take_while, take_while1};
use nom::combinator::peek;
use nom::sequence::{delimited, terminated};
use nom::{Err, IResult, Parser};
use wide::u8x16;

/// What a rule says of the bytes in front of it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Lexed<'i> {
    /// It matches these bytes.
    Is(&'i [u8]),
    /// It does not match.
    IsNot,
    /// The input ends before that is known.
    Unknown,
}

/// Applies a rule to a stream that has ended (`eof`) or may go on.
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

/// `White space = SPACE | TAB | CR | LF | VT | FF`, anywhere between lexemes.
#[inline]
pub(crate) const fn is_white_space(byte: u8) -> bool {
    matches!(byte, b' ' | 0x09..=0x0D)
}

/// `UcLetter = "A" … "Z"`
#[inline]
const fn is_uc_letter(byte: u8) -> bool {
    byte.is_ascii_uppercase()
}

/// A byte that stands for itself in a value: it neither ends it, nor hides the next one, nor
/// makes a later `]` doubtful.
#[inline]
const fn is_plain(byte: u8) -> bool {
    !matches!(byte, b']' | b'\\' | b'[')
}

/// A byte that belongs to no token of a tree: junk.
#[inline]
pub(crate) const fn is_junk(byte: u8) -> bool {
    !is_white_space(byte) && !matches!(byte, b'(' | b')' | b';' | b'[') && !byte.is_ascii_alphabetic()
}

/// `PropIdent = UcLetter { UcLetter }`, as FF\[4\] has it, with the `[` of its first value behind
/// it: what nearly all identifiers are. Others are a [`word_rest`].
#[inline]
pub(crate) fn prop_ident(input: &[u8]) -> Option<&[u8]> {
    let mut rule = terminated(take_while1(is_uc_letter), peek(tag(&b"["[..])));
    let parsed: IResult<&[u8], &[u8], ()> = rule.parse_complete(input);
    parsed.ok().map(|(_, ident)| ident)
}

/// `Word = Letter { Letter | Digit }`: what stands where an identifier should. FF\[1\] to
/// FF\[3\] put lower-case letters into identifiers, some programs digits. The driver has seen the
/// letter; this is the rest of it, from any point on.
#[inline]
pub(crate) fn word_rest<'i>() -> impl Parser<&'i [u8], Output = &'i [u8], Error = ()> {
    take_while(|byte: u8| byte.is_ascii_alphanumeric())
}

/// `PropValue = "[" CValueType "]"`, for the values that nearly all are: without escapes, without
/// inner brackets, and of at most 32 bytes. The rest is for the value scanner.
#[inline]
pub(crate) fn short_value(input: &[u8]) -> Option<&[u8]> {
    if let [b'[', rest @ ..] = input
        && let Some(lane) = rest.first_chunk()
    {
        if let Some(len) = first_special(lane) {
            return (rest[len] == b']').then(|| &rest[..len]);
        }
        if let Some(lane) = rest[LANE..].first_chunk() {
            let len = LANE + first_special(lane).unwrap_or(LANE);
            return (rest.get(len) == Some(&b']')).then(|| &rest[..len]);
        }
    }
    let window = &input[..input.len().min(LONGEST)];
    let mut rule = delimited(tag(&b"["[..]), take_while(is_plain), tag(&b"]"[..]));
    let parsed: IResult<&[u8], &[u8], ()> = rule.parse_complete(window);
    parsed.ok().map(|(_, raw)| raw)
}

/// The longest value that [`short_value`] reads, with its brackets.
const LONGEST: usize = 2 * LANE + 2;

const LANE: usize = 16;

/// Where the first byte of a lane is that is not [plain](is_plain): these three follow one another.
#[inline(always)]
fn first_special(bytes: &[u8; LANE]) -> Option<usize> {
    let above = u8x16::new(*bytes) - u8x16::splat(b'[');
    let special = above.min(u8x16::splat(b']' - b'[')).simd_eq(above).to_bitmask();
    (special != 0).then(|| special.trailing_zeros() as usize)
}

/// The UTF-8 byte-order mark.
#[inline]
pub(crate) fn bom<'i>() -> impl Parser<&'i [u8], Output = &'i [u8], Error = ()> {
    tag(&b"\xEF\xBB\xBF"[..])
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn an_identifier_has_its_bracket_behind_it() {
        assert_eq!(prop_ident(b"AB[dd]"), Some(&b"AB"[..]));
        assert_eq!(prop_ident(b"AB [dd]"), None);
        assert_eq!(prop_ident(b"ABc[dd]"), None);
        assert_eq!(prop_ident(b"AB"), None);
        assert_eq!(prop_ident(b"[dd]"), None);
    }

    /// Lanes and bytes say the same of any values, with any number of bytes behind them.
    #[test]
    fn a_short_value_is_one_however_much_follows() {
        fn same(len: usize, special: Option<(usize, u8)>, high: bool) -> bool {
            let mut bytes = vec![if high { 0xDC } else { b'Z' }; len % 50];
            if let Some((at, which)) = special.filter(|_| !bytes.is_empty()) {
                let at = at % bytes.len();
                bytes[at] = b"[]\\"[usize::from(which) % 3];
            }
            let mut bytes = [b"[", &bytes[..], b"]"].concat();
            let len = 1 + bytes[1..].iter().take_while(|&&b| is_plain(b)).count();
            let expected = bytes[..len].len() <= 33 && bytes[len] == b']';
            let expected = expected.then(|| bytes[1..len].to_vec());
            (0..40).all(|_| {
                let found = short_value(&bytes).map(<[u8]>::to_vec);
                bytes.push(b';');
                found == expected
            })
        }
        quickcheck::quickcheck(same as fn(usize, Option<(usize, u8)>, bool) -> bool);
    }

    #[test]
    fn a_short_value_has_no_escapes_and_no_brackets() {
        assert_eq!(short_value(b"[dd];"), Some(&b"dd"[..]));
        assert_eq!(short_value(b"[];"), Some(&b""[..]));
        let long = [&b"["[..], &[b'x'; 33], b"]"].concat();
        assert_eq!(short_value(&long[1..]), None);
        assert_eq!(short_value(&long), None);
        assert_eq!(short_value(&[b"[", &long[2..]].concat()), Some(&[b'x'; 32][..]));
        assert_eq!(short_value(b"[d"), None);
        assert_eq!(short_value(br"[\]];"), None);
        assert_eq!(short_value(b"[a[b];"), None);
    }
}
