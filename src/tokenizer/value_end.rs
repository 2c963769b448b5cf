//! Where a value ends.
//!
//! A value ends at the first `]` that no backslash hides. That is the whole rule in strict mode,
//! and for a value without a bare `[` in lenient mode too. With one, two repairs are possible:
//!
//! * `PB[Foo [3d]]`: someone forgot to escape the inner `]`. A `]` is text when the value holds
//!   an unmatched `[` before it **and** what follows cannot be SGF. [`Behind`] looks, at most
//!   [`REACH`] bytes far. In `PB[Foo [3d\]]` the `[` is matched: programs that know FF\[4\] escape
//!   the `]` only.
//! * `C[cut off` and then, at the start of a line, `(;FF[4]`: the `]` is missing, and the value
//!   has swallowed the head of the next game. [`cut_point`] looks back over the last [`REACH`]
//!   bytes of a value that ends.
//!
//! In a charset with two-byte characters, their second bytes are not looked at: see [`Split`]. A
//! third repair is for texts that a program cut to so many bytes, in the middle of a character, so
//! that the `]` seems to be its second byte: it ends the value all the same when SGF follows that
//! no text would hold ([`Resumption`] looks).
//!
//! The scanner never starts again: a [`ValueScan`] remembers where it got to, down to the byte
//! of a look-ahead, so that a value in chunks of one byte costs what it costs in one piece.

use memchr::{memchr2, memchr3, memrchr};

use super::grammar::is_white_space;
use super::two_byte::{Split, TwoByte};

/// How far the repairs look, in bytes.
pub(crate) const REACH: usize = 256;

/// How much of a value that is being passed over must stay in the input, for [`cut_point`]: its
/// reach, and the line break in front.
pub(crate) const TAIL: usize = REACH + 2;

/// How far the search for the end of a value got. Indices are into the input, whose first byte
/// is the value's `[` until [`ValueScan::drop_front`] is called.
#[derive(Debug)]
pub(crate) struct ValueScan {
    /// The bytes in front of this index are scanned.
    at: usize,
    /// The index of the value's first byte; 0 when its start has been dropped.
    start: usize,
    /// Bare `[` that no `]` in the text matches, escaped or taken as text.
    open: usize,
    /// The look behind the `]` at `at`.
    behind: Option<Behind>,
    /// The look behind the `]` at `at`, which seems to be the second byte of a character.
    resumption: Option<Resumption>,
    /// Where second bytes of characters are to be stepped over.
    split: Option<Split>,
    /// The same, of what has gone out in parts.
    sent: Option<Split>,
}

/// What the scan found.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Scanned {
    /// Nothing yet; the input is used up.
    More,
    /// Nothing yet; the goal is reached.
    Goal,
    /// The `]` at this index is text.
    Text(usize),
    /// The `]` at this index ends the value.
    End(usize),
    /// The same, in the middle of a character.
    EndInCharacter(usize),
}

impl ValueScan {
    /// A scan of the value whose `[` is the first byte of the input.
    pub(crate) fn new(charset: Option<TwoByte>) -> Self {
        let split = charset.map(|charset| Split::new(charset, 1));
        ValueScan { at: 1, start: 1, open: 0, behind: None, resumption: None, split, sent: split }
    }

    /// How far the scan got.
    #[inline]
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// The index of the value's first byte that is still in the input.
    #[inline]
    pub(crate) fn start(&self) -> usize {
        self.start
    }

    /// The input starts `count` bytes later from now on.
    pub(crate) fn drop_front(&mut self, count: usize) {
        self.at -= count;
        self.start = 0;
        if let Some(behind) = &mut self.behind {
            behind.at -= count;
        }
        if let Some(resumption) = &mut self.resumption {
            resumption.at -= count;
        }
        for split in [&mut self.split, &mut self.sent].into_iter().flatten() {
            split.drop_front(count);
        }
    }

    /// How long the next part is, of a value that is scanned up to `end`: `max` bytes, or a few
    /// more, so that it does not end between a backslash and what it hides, or in a two-byte
    /// character.
    pub(crate) fn part_len(&mut self, input: &[u8], end: usize, max: usize) -> usize {
        let left = end - self.start;
        if left <= max {
            return left;
        }
        let part_end = match &mut self.sent {
            None => {
                let backslashes = input[self.start..self.start + max].iter().rev().take_while(|&&b| b == b'\\').count();
                self.start + max + backslashes % 2
            }
            Some(sent) => {
                let mut at = self.start;
                while at - self.start < max {
                    let hidden = usize::from(input[at] == b'\\' && at + 1 < end);
                    at += hidden + 1;
                    at += usize::from(at < end && sent.is_second(input, at));
                }
                sent.follow(input, at);
                at
            }
        };
        part_end - self.start
    }

    /// Goes on until the value ends, a `]` turns out to be text, `goal` is reached, or the input
    /// is used up. `repair` turns the lenient rules on.
    pub(crate) fn scan(&mut self, input: &[u8], eof: bool, repair: bool, goal: usize) -> Scanned {
        let scanned = self.seek(input, eof, repair, goal);
        if let Some(split) = &mut self.split {
            split.follow(input, self.at); // the input in front may be dropped
        }
        scanned
    }

    fn seek(&mut self, input: &[u8], eof: bool, repair: bool, goal: usize) -> Scanned {
        loop {
            if self.at >= goal {
                return Scanned::Goal;
            }
            let rest = &input[self.at.min(input.len())..goal.min(input.len())];
            let found = if repair { memchr3(b']', b'\\', b'[', rest) } else { memchr2(b']', b'\\', rest) };
            let Some(found) = found else {
                self.at = self.at.max(goal.min(input.len()));
                if self.at >= goal {
                    continue;
                }
                return Scanned::More;
            };
            self.at += found;
            if self.split.as_mut().is_some_and(|split| split.is_second(input, self.at)) {
                if repair && input[self.at] == b']' {
                    let resumption = self.resumption.get_or_insert(Resumption::new(self.at + 1));
                    match resumption.look(input, eof, self.at + 1 + REACH) {
                        None => return Scanned::More,
                        Some(true) => return Scanned::EndInCharacter(self.at),
                        Some(false) => self.resumption = None,
                    }
                }
                self.at += 1;
                continue;
            }
            match input[self.at] {
                b'\\' => {
                    // With the byte that it hides, or not at all: the chunk may end between.
                    if self.at + 1 >= input.len() {
                        if eof {
                            self.at += 1;
                        }
                        return Scanned::More;
                    }
                    if input[self.at + 1] == b']' {
                        self.open = self.open.saturating_sub(1);
                    }
                    self.at += 2;
                }
                b'[' => {
                    self.open += 1;
                    self.at += 1;
                }
                _ if self.open == 0 => return Scanned::End(self.at),
                _ => {
                    let behind = self.behind.get_or_insert(Behind::new(self.at + 1));
                    let limit = self.at + 1 + REACH;
                    match behind.look(input, eof, limit) {
                        None => return Scanned::More,
                        Some(true) => return Scanned::End(self.at),
                        Some(false) => {
                            self.behind = None;
                            self.open -= 1;
                            self.at += 1;
                            return Scanned::Text(self.at - 1);
                        }
                    }
                }
            }
        }
    }

    /// If the value that ends at `close` has swallowed the start of the next game: the index of
    /// that game's `(`.
    pub(crate) fn cut_point(&self, input: &[u8], close: usize) -> Option<usize> {
        if self.open == 0 {
            return None; // the next game has a `[` of its own
        }
        cut_point(&input[self.start..=close]).map(|paren| self.start + paren)
    }
}

/// A look behind a doubtful `]`: is what follows SGF?
///
/// It is, if white space and then `[`, `;`, `)`, `(` and `;`, the end of the data, or an
/// identifier and `[` follow; also if [`REACH`] bytes do not tell. Behind white space, only upper-case
/// letters make an identifier, since `[3d] or Foo [5d]` is text; directly behind the `]`, a word
/// of any letters and digits does, if `[` follows directly too.
#[derive(Debug)]
pub(crate) struct Behind {
    /// The next byte to look at.
    at: usize,
    seen: Seen,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Seen {
    Nothing,
    Space,
    Paren,
    /// Upper-case letters; `direct` if nothing stands in front of them.
    Ident {
        direct: bool,
    },
    IdentSpace,
    /// Letters and digits that are not all upper-case letters, directly behind the `]`.
    Word {
        has_upper: bool,
    },
}

impl Behind {
    pub(crate) fn new(at: usize) -> Self {
        Behind { at, seen: Seen::Nothing }
    }

    /// `None`: the input ends before that is known.
    pub(crate) fn look(&mut self, input: &[u8], eof: bool, limit: usize) -> Option<bool> {
        use Seen::{Ident, IdentSpace, Nothing, Paren, Space, Word};
        while self.at < limit {
            let Some(&byte) = input.get(self.at) else {
                return eof.then_some(matches!(self.seen, Nothing | Space));
            };
            self.seen = match (self.seen, byte) {
                (Nothing | Space, b'[' | b';' | b')') => return Some(true),
                (Paren, b';') => return Some(true),
                (Ident { .. } | IdentSpace | Word { has_upper: true }, b'[') => return Some(true),
                (Nothing | Space, b'(') => Paren,
                (Nothing | Space, b'A'..=b'Z') => Ident { direct: self.seen == Nothing },
                (Nothing, b'a'..=b'z') => Word { has_upper: false },
                (Ident { .. }, b'A'..=b'Z') => self.seen,
                (Ident { direct: true }, b'a'..=b'z' | b'0'..=b'9') => Word { has_upper: true },
                (Word { has_upper }, b) if b.is_ascii_alphanumeric() => {
                    Word { has_upper: has_upper || b.is_ascii_uppercase() }
                }
                (Nothing | Space, b) if is_white_space(b) => Space,
                (Paren | IdentSpace, b) if is_white_space(b) => self.seen,
                (Ident { .. }, b) if is_white_space(b) => IdentSpace,
                _ => return Some(false),
            };
            self.at += 1;
        }
        Some(true)
    }
}

/// A look behind a `]` that seems to be the second byte of a character: does SGF go on there?
///
/// It does, if white space and then one of these follows: the end of the data; `;`, an identifier
/// and `[`; an identifier of two letters or more and `[`; `(` and `;`; one or more `)`, and then
/// the end of the data or `(` and `;`. Not so if [`REACH`] bytes do not tell.
#[derive(Debug)]
struct Resumption {
    /// The next byte to look at.
    at: usize,
    seen: Resumed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Resumed {
    Nothing,
    Semicolon,
    /// Upper-case letters; `enough` of them, or in a new node.
    Ident {
        enough: bool,
    },
    IdentSpace {
        enough: bool,
    },
    Open,
    Close,
}

impl Resumption {
    fn new(at: usize) -> Self {
        Resumption { at, seen: Resumed::Nothing }
    }

    /// `None`: the input ends before that is known.
    fn look(&mut self, input: &[u8], eof: bool, limit: usize) -> Option<bool> {
        use Resumed::{Close, Ident, IdentSpace, Nothing, Open, Semicolon};
        while self.at < limit {
            let Some(&byte) = input.get(self.at) else {
                return eof.then_some(matches!(self.seen, Nothing | Close));
            };
            self.seen = match (self.seen, byte) {
                (Ident { enough } | IdentSpace { enough }, b'[') => return Some(enough),
                (Open, b';') => return Some(true),
                (Nothing, b';') => Semicolon,
                (Nothing, b'A'..=b'Z') => Ident { enough: false },
                (Semicolon, b'A'..=b'Z') | (Ident { .. }, b'A'..=b'Z') => Ident { enough: true },
                (Nothing | Close, b'(') => Open,
                (Nothing | Close, b')') => Close,
                (Ident { enough }, b) if is_white_space(b) => IdentSpace { enough },
                (Nothing | Semicolon | IdentSpace { .. } | Open | Close, b) if is_white_space(b) => self.seen,
                _ => return Some(false),
            };
            self.at += 1;
        }
        Some(false)
    }
}

/// The identifiers that start a game: what a repair of a missing `)` or `]` looks for.
pub(crate) fn starts_game(ident: &[u8]) -> bool {
    const ROOT: [&[u8]; 6] = [b"FF", b"GM", b"CA", b"AP", b"SZ", b"ST"];
    let mut name = [0; 2];
    let mut len = 0;
    for &byte in ident.iter().filter(|b| !b.is_ascii_lowercase()) {
        if len == name.len() {
            return false;
        }
        name[len] = byte;
        len += 1;
    }
    ROOT.contains(&&name[..len])
}

/// `value` ends with its `]`. If its tail is a line start, blanks, `(` `;`, an identifier that
/// [`starts_game`], `[`, and text without brackets and backslashes, all within [`REACH`] bytes:
/// the index of the `(`.
pub(crate) fn cut_point(value: &[u8]) -> Option<usize> {
    let (_, text) = value.split_last()?;
    let from = value.len().saturating_sub(REACH + 1); // the line break in front is not counted
    let open = from + memrchr(b'[', &text[from..])?;
    if memchr2(b']', b'\\', &text[open..]).is_some() {
        return None;
    }
    let head = &text[from..open];
    let head = trim_end(head, is_white_space);
    let ident_at = trim_end(head, |b| b.is_ascii_alphanumeric()).len();
    if !starts_game(&head[ident_at..]) {
        return None;
    }
    let head = trim_end(&head[..ident_at], is_white_space).strip_suffix(b";")?;
    let head = trim_end(head, is_white_space).strip_suffix(b"(")?;
    let paren = from + head.len();
    let line = trim_end(head, |b| matches!(b, b' ' | b'\t'));
    matches!(line.last(), Some(b'\r' | b'\n')).then_some(paren)
}

fn trim_end(bytes: &[u8], drop: impl Fn(u8) -> bool) -> &[u8] {
    let kept = bytes.iter().rposition(|&b| !drop(b)).map_or(0, |last| last + 1);
    &bytes[..kept]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(input: &[u8], repair: bool) -> Option<usize> {
        end_in(None, input, repair)
    }

    fn end_in(charset: Option<TwoByte>, input: &[u8], repair: bool) -> Option<usize> {
        let mut scan = ValueScan::new(charset);
        loop {
            match scan.scan(input, true, repair, usize::MAX) {
                Scanned::End(at) | Scanned::EndInCharacter(at) => return Some(at),
                Scanned::Text(_) => {}
                Scanned::More | Scanned::Goal => return None,
            }
        }
    }

    #[test]
    fn a_value_ends_at_the_first_bracket_that_no_backslash_hides() {
        for repair in [false, true] {
            assert_eq!(end(b"[dd];", repair), Some(3));
            assert_eq!(end(b"[]", repair), Some(1));
            assert_eq!(end(br"[\]]", repair), Some(3));
            assert_eq!(end(br"[\\]]", repair), Some(3));
            assert_eq!(end(br"[a\", repair), None);
        }
    }

    #[test]
    fn a_bracket_is_text_when_one_is_open_and_no_sgf_follows() {
        for (input, close) in [
            (&b"[Foo [3d]]PW[x]"[..], 9),
            (b"[Foo [3d] and more];", 18),
            (b"[Foo [3d];", 8),
            (b"[Foo [3d] ;", 8),
            (b"[Foo [3d]PW[", 8),
            (b"[Foo [3d] PW [", 8),
            (b"[Foo [3d]( ;", 8),
            (b"[Foo [3d]  ", 8),
            (b"[a [b] [c]];", 5),
            (br"[a [b\]]P0[c];", 7),
            (b"[a [b]P0[c];", 5),
            (b"[a [b]goWrite[c];", 5),
            (b"[a [b] goWrite[c]];", 17),
            (b"[a [b]go[c]];", 11),
        ] {
            assert_eq!(end(input, true), Some(close), "{}", input.escape_ascii());
        }
        assert_eq!(end(b"[Foo [3d]]", false), Some(8));
    }

    #[test]
    fn a_value_that_is_cut_in_a_character_ends_where_sgf_goes_on() {
        for (behind, goes_on) in [
            (&b";B[aa]"[..], true),
            (b" ;\n AB [aa]", true),
            (b"PW[x]", true),
            (b"\nPW [x]", true),
            (b"B[x]", false), // a label and a bracket, as texts have them
            (b"(;B[aa])", true),
            (b")", true),
            (b"))\n", true),
            (b")\n( ;FF[4])", true),
            (b") and]", false),
            (b"; and]", false),
            (b";B and]", false),
            (b"(and]", false),
            (b"[x]", false),
            (b"", true),
        ] {
            let input = [b"[\xC1]", behind].concat();
            assert_eq!(end_in(Some(TwoByte::Gbk), &input, true) == Some(2), goes_on, "{}", behind.escape_ascii());
            assert_ne!(end_in(Some(TwoByte::Gbk), &input, false), Some(2));
        }
    }

    #[test]
    fn the_look_behind_a_bracket_reaches_256_bytes() {
        let mut input = b"[a[b]".to_vec();
        input.extend([b' '; REACH - 1]);
        input.extend(b"x];");
        assert_eq!(end(&input, true), Some(input.len() - 2));
        input.insert(5, b' ');
        assert_eq!(end(&input, true), Some(4));
    }

    #[test]
    fn a_value_that_runs_into_a_game_is_cut_at_its_bracket() {
        for (value, paren) in [
            (&b"cut\n(;FF[4]"[..], Some(4)),
            (b"cut\r\n \t( ;\n GaMe [1]", Some(7)),
            (b"cut\n(;AB[4]", None),
            (b"cut (;FF[4]", None),
            (b"(;FF[4]", None),
            (b"\n(;FF[a\\b]", None),
            (b"\n(;FF[a][b]", None),
        ] {
            assert_eq!(cut_point(value), paren, "{}", value.escape_ascii());
        }
    }

    #[test]
    fn the_look_back_reaches_256_bytes() {
        let value = |text: usize| [b"x\n(;FF[".as_slice(), &vec![b'4'; text], b"]"].concat();
        assert_eq!(cut_point(&value(REACH - 6)), Some(2));
        assert_eq!(cut_point(&value(REACH - 5)), None);
    }
}
