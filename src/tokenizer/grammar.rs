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

use nom::bytes::{tag, take_while, take_while_m_n, take_while1};
use nom::sequence::delimited;
use nom::{Err, Parser};

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

/// `PropIdent = UcLetter { UcLetter }`, as FF\[4\] has it.
#[inline]
pub(crate) fn prop_ident<'i>() -> impl Parser<&'i [u8], Output = &'i [u8], Error = ()> {
    take_while1(is_uc_letter)
}

/// `Word = Letter { Letter | Digit }`: what stands where an identifier should. FF\[1\] to
/// FF\[3\] put lower-case letters into identifiers, some programs digits. The driver has seen the
/// letter; this is the rest of it, from any point on.
#[inline]
pub(crate) fn word_rest<'i>() -> impl Parser<&'i [u8], Output = &'i [u8], Error = ()> {
    take_while(|byte: u8| byte.is_ascii_alphanumeric())
}

/// The longest text that [`short_value`] reads.
const SHORT: usize = 16;

/// `PropValue = "[" CValueType "]"`, for the values that nearly all are: short, without escapes
/// and inner brackets. The rest is for the value scanner.
#[inline]
pub(crate) fn short_value<'i>() -> impl Parser<&'i [u8], Output = &'i [u8], Error = ()> {
    delimited(tag(&b"["[..]), take_while_m_n(0, SHORT, is_plain), tag(&b"]"[..]))
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
        assert_eq!(lex(prop_ident(), b"AB[", false), Lexed::Is(b"AB"));
        assert_eq!(lex(prop_ident(), b"AB", false), Lexed::Unknown);
        assert_eq!(lex(prop_ident(), b"AB", true), Lexed::Is(b"AB"));
        assert_eq!(lex(prop_ident(), b"ab", true), Lexed::IsNot);
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
    fn a_short_value_has_no_escapes_and_no_brackets() {
        assert_eq!(lex(short_value(), b"[dd];", false), Lexed::Is(b"dd"));
        assert_eq!(lex(short_value(), b"[];", false), Lexed::Is(b""));
        assert_eq!(lex(short_value(), b"[d", false), Lexed::Unknown);
        assert_eq!(lex(short_value(), br"[\]];", false), Lexed::IsNot);
        assert_eq!(lex(short_value(), b"[a[b];", false), Lexed::IsNot);
        assert_eq!(lex(short_value(), b"[a text that is long].", false), Lexed::IsNot);
    }
}
