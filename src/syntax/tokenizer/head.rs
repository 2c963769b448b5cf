//! Heads: recognized starts of games, regardless of the bytes before them.
//!
//! Files are concatenated, uploads are truncated, a `]` or a `)` is missing. Lenient mode therefore cuts the data
//! before every *head*, and reads each section as if it were all of the data. A head is recognized from its own bytes
//! alone, the `(` and at most [`REACH`] after it: depth, an open value, a backslash, a lead byte, a limit or skipping
//! do not matter. The rule thus needs no state: a reader that starts anywhere finds the same heads.
//!
//! | kind | is | within |
//! |---|---|---|
//! | one | `(` `;` and one of the [six](is_one_of_six) with a plain value of at most [`PLAIN`] bytes (no bracket, backslash or line break) | [`NEAR`] bytes in all |
//! | problem | `(` `;`, `GE` with a plain value of at most [`PLAIN`] bytes, and then `DI` and `[`: the roots of goproblems.com | [`NEAR`] bytes in all |
//! | two | `(` `;` and a node that ends with `;`, `(`, `)` or the data; its first property is one [of the head](is_of_head), and so is another, or one of the six; none is `B` or `W`; no value has a bare `[` | the end is at most [`REACH`] bytes after the `(` |
//!
//! White space is allowed wherever the grammar allows it, and nothing else is. In the 10,288 of 10,884 real files
//! that are well-formed, heads occur only at the start of a game. The end of the data ends a node just as the `(` of the next head does, so
//! a section has the same heads alone as in the whole. Nearly always the first identifier alone decides: variations
//! start with a move.
//!
//! The tokenizer checks for a head at each `(` of a tree, and at each bare `[` in a value, since the `[` of a head is
//! also bare ([`HeadAround`] looks back for its `(`). Outside games no check is needed: there a game starts at every
//! `(` with a `;`.

use crate::property::{self, PropertyType};
use crate::raw::is_white_space;

/// Maximum number of bytes after a `(` that decide whether it is a head.
pub(crate) const REACH: usize = 512;

/// Maximum length of a head of the first kind, from its `(` to its `]`, and of a problem's, to its second `[`.
const NEAR: usize = 256;

/// Maximum length of the first value of these.
const PLAIN: usize = 64;

/// Number of bytes of a name that are kept. No relevant name is longer.
const NAME: usize = 4;

/// Returns whether only a root starts with this identifier: `FF`, `GM`, `CA`, `AP`, `SZ`, `ST`.
fn is_one_of_six(name: &[u8]) -> bool {
    matches!(name, b"FF" | b"GM" | b"CA" | b"AP" | b"SZ" | b"ST")
}

/// The kind of a problem on goproblems.com, and its difficulty. Their roots start with these, and most have a comment
/// too long for a head of the second kind. Only both together are a sign of a root: `DI` is the dice of a backgammon
/// move, and a private property such as `GE` alone may mean anything elsewhere.
const PROBLEM: [&[u8]; 2] = [b"GE", b"DI"];

/// Returns whether a root without one of the six may start with this identifier. It is a game-info property of
/// FF\[4\] of any game, or one of a few in roots of other versions and dialects.
fn is_of_head(name: &[u8]) -> bool {
    let is_game_info =
        |row: &property::Property| row.property_type() == PropertyType::GameInfo && row.versions().contains(4);
    matches!(name, b"N" | b"TE" | b"RD" | b"ID" | b"GE")
        || str::from_utf8(name).is_ok_and(|name| property::find(name).any(is_game_info))
}

/// The bytes after the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Follows {
    /// Possibly more input.
    More,
    /// The end of this section: the end of the data, or a head.
    End,
}

impl Follows {
    #[inline]
    #[doc(hidden)]
    pub fn is_end(self) -> bool {
        self == Follows::End
    }
}

/// Returns whether these bytes, which start with `(`, may start a head: false for nearly all variations.
#[inline]
pub(crate) fn may_begin(bytes: &[u8]) -> bool {
    match bytes {
        [_, b';', b'B' | b'W', b'[', ..] => false,
        [_, b';', byte, ..] => byte.is_ascii_alphabetic() || is_white_space(*byte),
        [_, byte, ..] => *byte == b';' || is_white_space(*byte),
        _ => true,
    }
}

/// A scan of the bytes after a `(`. It remembers its progress, so that a stream in one-byte chunks costs no more than
/// in one slice.
#[derive(Clone, Debug)]
pub struct HeadScan {
    /// Index of the next byte to examine, from the `(`.
    at: usize,
    expects: Expects,
    /// The characters of the identifier other than lower-case letters.
    name: [u8; NAME],
    name_len: usize,
    first: First,
    /// Index of the first byte of the value.
    value: usize,
    is_plain: bool,
    /// Whether another property may start a root.
    has_second: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expects {
    Semicolon,
    /// In the first identifier.
    Ident,
    IdentRest,
    /// `[`, after white space.
    Bracket,
    Value,
    /// The byte after a backslash.
    Hidden,
    /// Another value, another property, or the end of the node.
    AfterValue,
}

/// The kind of the first property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum First {
    Unknown,
    OneOfSix,
    /// The first of a [`PROBLEM`], which is [`OfHead`](First::OfHead) if the second does not follow.
    OfProblem,
    OfHead,
}

impl HeadScan {
    /// Creates a scan that has seen nothing.
    pub fn start() -> Self {
        HeadScan {
            at: 1,
            expects: Expects::Semicolon,
            name: [0; NAME],
            name_len: 0,
            first: First::Unknown,
            value: 0,
            is_plain: false,
            has_second: false,
        }
    }

    /// Returns the number of bytes that have been examined, including the `(`.
    pub fn seen(&self) -> usize {
        self.at
    }

    /// Returns whether `bytes`, which start with the `(`, start with a head. `None` if they end before that is known.
    pub fn look(&mut self, bytes: &[u8], follows: Follows) -> Option<bool> {
        while self.at <= REACH {
            let Some(&byte) = bytes.get(self.at) else {
                return match follows {
                    Follows::More => None,
                    // The end of the data ends a node, like the `(` of a variation; inside a value, both leave the
                    // node open.
                    Follows::End => Some(self.step(b'(').unwrap_or(false)),
                };
            };
            if let Some(is_head) = self.step(byte) {
                return Some(is_head);
            }
            self.at += 1;
        }
        Some(false)
    }

    /// Examines one byte. `None` if it does not decide.
    fn step(&mut self, byte: u8) -> Option<bool> {
        use Expects::{AfterValue, Bracket, Hidden, Ident, IdentRest, Semicolon, Value};
        self.expects = match (self.expects, byte) {
            (Semicolon, b';') => Ident,
            (Ident | AfterValue, b'A'..=b'Z' | b'a'..=b'z') => {
                self.name_len = 0;
                self.push(byte);
                IdentRest
            }
            (IdentRest, b) if b.is_ascii_alphanumeric() => {
                self.push(b);
                IdentRest
            }
            (IdentRest | Bracket, b'[') => {
                if let Some(is_head) = self.judge_property() {
                    return Some(is_head);
                }
                self.value = self.at + 1;
                Value
            }
            (AfterValue, b'[') => {
                self.is_plain = false;
                Value
            }
            (AfterValue, b';' | b'(' | b')') => return Some(self.has_second),
            (IdentRest, b) if is_white_space(b) => Bracket,
            (Semicolon | Ident | Bracket | AfterValue, b) if is_white_space(b) => self.expects,
            (Value, b']') => {
                if self.first == First::OneOfSix {
                    return Some(self.at < NEAR);
                }
                AfterValue
            }
            (Value, b'[') => return Some(false),
            (Value, b'\\') => {
                self.is_plain = false;
                Hidden
            }
            (Value, b) => {
                self.is_plain &= !matches!(b, b'\r' | b'\n') && self.at - self.value < PLAIN;
                Value
            }
            (Hidden, _) => Value,
            _ => return Some(false),
        };
        // Only a plain value makes a head of the first kind. A problem may still be one of the second.
        (self.first == First::OneOfSix && !self.is_plain).then_some(false)
    }

    fn push(&mut self, byte: u8) {
        if byte.is_ascii_lowercase() {
            return;
        }
        if let Some(next) = self.name.get_mut(self.name_len) {
            *next = byte;
        }
        self.name_len += 1;
    }

    /// Ends the identifier. `None` if it does not decide.
    fn judge_property(&mut self) -> Option<bool> {
        let is_second_of_problem = self.first == First::OfProblem && self.is_plain && self.at < NEAR;
        if self.first == First::OfProblem {
            self.first = First::OfHead;
        }
        let Some(name) = self.name.get(..self.name_len) else {
            return (self.first == First::Unknown).then_some(false); // longer than any relevant name
        };
        match self.first {
            First::Unknown if is_one_of_six(name) => (self.first, self.is_plain) = (First::OneOfSix, true),
            First::Unknown if name == PROBLEM[0] => (self.first, self.is_plain) = (First::OfProblem, true),
            First::Unknown if is_of_head(name) => self.first = First::OfHead,
            First::Unknown => return Some(false),
            _ if is_second_of_problem && name == PROBLEM[1] => return Some(true),
            _ if matches!(name, b"B" | b"W") => return Some(false),
            _ => self.has_second |= is_one_of_six(name) || is_of_head(name),
        }
        None
    }
}

/// A scan for a head in a value, or past its end.
#[derive(Clone, Debug)]
pub(crate) struct HeadAround {
    paren: usize,
    scan: HeadScan,
}

impl HeadAround {
    /// Creates a scan of the `(` at an index.
    pub(crate) fn at(paren: usize) -> Self {
        HeadAround { paren, scan: HeadScan::start() }
    }

    /// Creates the scan for a bare `[` after `text`. A `(`, a `;` and an identifier must precede it.
    pub(crate) fn new(text: &[u8]) -> Option<Self> {
        opening(text).map(HeadAround::at)
    }

    /// Returns the index of the `(`.
    pub(crate) fn paren(&self) -> usize {
        self.paren
    }

    pub(crate) fn drop_front(&mut self, count: usize) {
        self.paren -= count;
    }

    /// Returns whether a head was found; see [`HeadScan::look`].
    pub(crate) fn look(&mut self, input: &[u8], follows: Follows) -> Option<bool> {
        self.scan.look(&input[self.paren..], follows)
    }
}

/// Returns the index of the `(`, if `text` ends with `(`, `;` and an identifier. The bytes before the first `[` of a
/// head do.
fn opening(text: &[u8]) -> Option<usize> {
    let from = text.len().saturating_sub(REACH);
    let text = trim_end(&text[from..], is_white_space);
    let (text, ident) = text.split_at(trim_end(text, |byte| byte.is_ascii_alphanumeric()).len());
    ident.first().filter(|byte| byte.is_ascii_alphabetic())?;
    let text = trim_end(text, is_white_space).strip_suffix(b";")?;
    let text = trim_end(text, is_white_space).strip_suffix(b"(")?;
    Some(from + text.len())
}

fn trim_end(bytes: &[u8], drop: impl Fn(u8) -> bool) -> &[u8] {
    let kept = bytes.iter().rposition(|&byte| !drop(byte)).map_or(0, |last| last + 1);
    &bytes[..kept]
}

/// Returns the index of the first head at or after `from`. `Err` is the index of the first `(` that may start one if
/// more bytes follow.
pub fn find(bytes: &[u8], from: usize, follows: Follows) -> Result<Option<usize>, usize> {
    for at in memchr::memchr_iter(b'(', &bytes[from..]).map(|at| from + at) {
        if may_begin(&bytes[at..]) && HeadScan::start().look(&bytes[at..], follows).ok_or(at)? {
            return Ok(Some(at));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_head(bytes: &[u8]) -> bool {
        let mut scan = HeadScan::start();
        let whole = HeadScan::start().look(bytes, Follows::End);
        let stepwise = (1..=bytes.len()).find_map(|len| scan.look(&bytes[..len], Follows::More));
        assert_eq!(stepwise.or_else(|| scan.look(bytes, Follows::End)), whole, "{}", bytes.escape_ascii());
        if whole == Some(true) {
            assert!(may_begin(bytes));
        }
        whole.unwrap()
    }

    #[test]
    fn a_head_is_told_by_its_own_bytes() {
        for (bytes, expected) in [
            (&b"(;FF[4]"[..], true),
            (b"(;GM[1]", true),
            (b"(;CA[UTF-8]", true),
            (b"(;AP[x]", true),
            (b"(;SZ[19]", true),
            (b"(;ST[2]", true),
            (b"(;fFiFo[4]", true),
            (b"( \n;\t GaMe \r\n[]", true),
            (b"(;SZ[19", false),
            (b"(;SZ[1\n9]", false),
            (b"(;SZ[1\r9]", false),
            (b"(;SZ[1\\9]", false),
            (b"(;SZ[1[9]", false),
            (b"(;1SZ[19]", false),
            (b"(;SZ1[19]", false),
            (b"(;SZX[19]", false),
            (b"(;SZ?[19]", false),
            (b"(;PB[x]PW?[y];", false),
            (b"(SZ[19]", false),
            (b"((;SZ[19]", false),
            (b"(;;SZ[19]", false),
            (b"(;C[x]SZ[19];", false),
            (b"(;B[aa]FF[4];", false),
            (b"(;PB[x]PW[y];", true),
            (b"(;PB[x]PW[y](", true),
            (b"(;PB[x]PW[y] \n)", true),
            (b"(;PB[x]PW[y]", true),
            (b"(;PB[x]PW[y] \n", true),
            (b"(;PB[x]PW[y", false),
            (b"(;PB[x]PW", false),
            (b"(;PB[x]", false),
            (b"(;PB[x];", false),
            (b"(;PB[x][y]C[z];", false),
            (b"(;PB[x][y]C[z]CA[UTF-8];", true),
            (b"(;PB[x]C[z]PW[y];", true),
            (b"(;PB[x]C[z[]PW[y];", false),
            (b"(;PB[x]C[z\\]\\[]PW[y];", true),
            (b"(;PB[x]PW[y]B[aa];", false),
            (b"(;PB[x]PW[y]Black[aa];", false),
            (b"(;PB[x]PW[y]W[aa];", false),
            (b"(;PB[x]PW[y]AB[aa];", true),
            (b"(;PB[x]PW[y]LONGER[z];", true),
            (b"(;LONGER[z]PB[x]PW[y];", false),
            (b"(;PB[x]PW[y]?;", false),
            (b"(;PB[x]PW;", false),
            (b"(;N[x]TE[1];", true),
            (b"(;RD[x]TE[1];", true),
            (b"(;ID[x]TE[1];", true),
            (b"(;ON[x]TE[1];", true),
            (b"(;N[x]AB[aa];", false),
            (b"(;PlayerBlack [x] PlayerWhite [y] )", true),
            (b"(;GE[joseki]DI[", true),
            (b"(\n;Genre [] \n DIfficulty [x", false),
            (b"(\n;GEnre [] \n DIfficulty [x", true),
            (b"(;GE[joseki]DI", false),
            (b"(;GE[joseki", false),
            (b"(;GE[joseki]DI;", false),
            (b"(;GE[joseki]DIX[1]B[aa]", false),
            (b"(;GE[joseki]DP[1]DI[7k]C[", false),
            (b"(;GE[a][b]DI[7k]C[", false),
            (b"(;GE[a\\]]DI[7k]C[", false),
            (b"(;GE[a\n]DI[7k]C[", false),
            (b"(;GE[a\n]DI[7k];", false),
            (b"(;GE[a\n]DI[7k]SO[b];", true),
            (b"(;GE[joseki]SO[b];", true),
            (b"(;GE[joseki]SO[b]B[aa];", false),
            (b"(;DI[33]CO[b]DP[1];", false),
            (b"(;DI[33]GE[b]SO[c];", false),
        ] {
            assert_eq!(is_head(bytes), expected, "{}", bytes.escape_ascii());
        }
    }

    #[test]
    fn nothing_is_scanned_for_a_variation_of_moves() {
        for bytes in [&b"(;B[aa]"[..], b"(;W[", b"(;1", b"(;(", b"(B[", b"(("] {
            assert!(!may_begin(bytes), "{}", bytes.escape_ascii());
        }
        for bytes in [&b"("[..], b"(;", b"( ", b"(;B", b"(; B[", b"(;b[", b"(;BL["] {
            assert!(may_begin(bytes), "{}", bytes.escape_ascii());
        }
    }

    #[test]
    fn a_head_is_found_from_an_index_on() {
        let bytes = b"(;FF[4](;B[aa](;SZ[19])";
        assert_eq!(find(bytes, 0, Follows::End), Ok(Some(0)));
        assert_eq!(find(bytes, 1, Follows::End), Ok(Some(14)));
        assert_eq!(find(bytes, 14, Follows::More), Ok(Some(14)));
        assert_eq!(find(bytes, 15, Follows::More), Ok(None));
        assert_eq!(find(&bytes[..20], 8, Follows::More), Err(14));
        assert_eq!(find(&bytes[..20], 8, Follows::End), Ok(None));
    }

    #[test]
    fn a_scan_around_a_bracket_goes_on_when_the_front_is_dropped() {
        let text = b"[some text (;FF[4]";
        let mut around = HeadAround::new(&text[..15]).unwrap();
        assert_eq!((around.paren(), around.look(&text[..16], Follows::More)), (11, None));
        around.drop_front(3);
        assert_eq!((around.paren(), around.look(&text[3..17], Follows::More)), (8, None));
        around.drop_front(4);
        assert_eq!((around.paren(), around.look(&text[7..], Follows::More)), (4, Some(true)));
    }

    #[test]
    fn a_head_of_the_first_kind_has_256_bytes_and_a_value_of_64() {
        let with =
            |space: usize, text: usize| [&b"(;"[..], &vec![b' '; space], b"FF[", &vec![b'4'; text], b"]"].concat();
        assert!(is_head(&with(0, 64)));
        assert!(!is_head(&with(0, 65)));
        assert!(is_head(&with(256 - 7, 1)));
        assert!(!is_head(&with(256 - 6, 1)));
    }

    #[test]
    fn a_head_of_a_problem_has_256_bytes_and_a_value_of_64() {
        let with =
            |space: usize, text: usize| [&b"(;"[..], &vec![b' '; space], b"GE[", &vec![b'4'; text], b"]DI["].concat();
        assert!(is_head(&with(0, 64)));
        assert!(!is_head(&with(0, 65)));
        assert!(is_head(&with(256 - 10, 1)));
        assert!(!is_head(&with(256 - 9, 1)));
    }

    #[test]
    fn a_head_of_the_second_kind_ends_at_most_512_bytes_after_its_parenthesis() {
        let with = |text: usize| [&b"(;PB[x]PW["[..], &vec![b'y'; text], b"];"].concat();
        assert!(is_head(&with(512 - 11)));
        assert!(!is_head(&with(512 - 10)));
    }

    #[test]
    fn every_head_has_an_opening_before_its_first_bracket() {
        for text in [&b"(;FF"[..], b"x ( ; GaMe \n", b"\\(;PB", b"(;N"] {
            assert!(opening(text).is_some(), "{}", text.escape_ascii());
        }
        for text in [&b"(FF"[..], b";FF", b"(;1", b"(;1FF", b"(;", b"(;FF?"] {
            assert_eq!(opening(text), None, "{}", text.escape_ascii());
        }
        assert_eq!(opening(&[&b"x(;"[..], &[b' '; REACH - 4], b"FF"].concat()), Some(1));
    }
}
