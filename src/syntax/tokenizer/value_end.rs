//! Finding the end of a value.
//!
//! A value ends at the first unescaped `]`. This is the whole rule in strict mode. Lenient mode has three further
//! cases, each decided by a [look ahead](super::look_ahead):
//!
//! * A `]` is text that was not escaped. In `PB[Foo [3d]]` a `[` of the text is open, and SGF does not follow. In
//!   `C[so ] so!]` none is open, but another `]` follows, and SGF only after that one. In `PB[Foo [3d\]]` the `[` is
//!   matched: programs that know FF\[4\] escape only the `]`.
//! * The `]` is missing, and the value runs into the [head](super::head) of the next game, whose `[` is bare.
//! * In a charset with two-byte characters, their second bytes are ignored; see [`Split`]. A text that a program
//!   truncated to a number of bytes may end in the middle of a character, so that its `]` seems to be the second
//!   byte. It ends the value if SGF follows that would not occur in a text.
//!
//! The scanner never restarts: a [`ValueScan`] remembers its progress, down to the byte of a look-ahead, so that a
//! value in one-byte chunks costs no more than in one slice.

use memchr::{memchr2, memchr3};

use super::head::{self, Follows, HeadAround};
use super::look_ahead::{Continuation, IsSgf, Resumption};
use crate::raw::two_byte::{Split, TwoByte};

/// Number of bytes of a skipped value that must stay in the input. A head may have started there. A fragment of a
/// value may be two bytes longer than requested.
pub(crate) const TAIL: usize = head::REACH + 2;

/// The progress of the search for the end of a value. Indices refer to the input, whose first byte is the value's `[`
/// until [`ValueScan::drop_front`] is called.
#[derive(Debug)]
pub(crate) struct ValueScan {
    /// Index up to which the bytes have been scanned.
    at: usize,
    /// The index of the value's first byte; 0 after its start has been dropped.
    start: usize,
    /// Number of bare `[` without a matching `]` in the text, escaped or taken as text.
    open: usize,
    /// The look-ahead that decides about the bracket at `at`.
    look: Option<Look>,
    /// The splitting into characters, if second bytes must be stepped over.
    split: Option<Split>,
    /// The splitting into characters at the end of the fragments that have been sent.
    sent: Option<Split>,
}

/// A look-ahead after a bracket.
#[derive(Debug)]
enum Look {
    /// A `]`, while a `[` of the text is open.
    IsSgf(IsSgf),
    /// A `]`, while no `[` of the text is open.
    Continuation(Continuation),
    /// A `]` that seems to be the second byte of a character.
    Resumption(Resumption),
    /// A bare `[` that may be that of a head.
    Head(HeadAround),
}

impl Look {
    fn drop_front(&mut self, count: usize) {
        match self {
            Look::IsSgf(look) => look.drop_front(count),
            Look::Continuation(look) => look.drop_front(count),
            Look::Resumption(look) => look.drop_front(count),
            Look::Head(look) => look.drop_front(count),
        }
    }
}

/// The result of the scan.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Scanned {
    /// No result; the input is used up.
    More,
    /// No result; the goal is reached.
    Goal,
    /// The `]` at this index is text.
    Text(usize),
    /// The `]` at this index ends the value.
    End(usize),
    /// The `]` at this index ends the value, in the middle of a character.
    EndInCharacter(usize),
    /// A head starts at this index, and the value has no end.
    Head(usize),
}

impl ValueScan {
    /// Creates a scan of the value whose `[` is the first byte of the input.
    pub(crate) fn new(charset: Option<TwoByte>) -> Self {
        let split = charset.map(|charset| Split::new(charset, 1));
        ValueScan { at: 1, start: 1, open: 0, look: None, split, sent: split }
    }

    /// Returns the index up to which the bytes have been scanned.
    #[inline]
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// Returns the index of the value's first byte that is still in the input.
    #[inline]
    pub(crate) fn start(&self) -> usize {
        self.start
    }

    /// Returns the minimum length of the value, given the result of the scan. A head may have started shortly before
    /// the end of the scanned bytes.
    pub(crate) fn reaches(&self, found: &Scanned, eof: bool, repair: bool) -> usize {
        let end = match *found {
            Scanned::Text(at) | Scanned::End(at) | Scanned::EndInCharacter(at) | Scanned::Head(at) => at,
            Scanned::More | Scanned::Goal if repair && !eof => self.at.saturating_sub(TAIL),
            Scanned::More | Scanned::Goal => self.at,
        };
        end.saturating_sub(self.start)
    }

    /// Adapts to input that starts `count` bytes later.
    pub(crate) fn drop_front(&mut self, count: usize) {
        self.at -= count;
        self.start = 0;
        if let Some(look) = &mut self.look {
            look.drop_front(count);
        }
        for split in [&mut self.split, &mut self.sent].into_iter().flatten() {
            split.drop_front(count);
        }
    }

    /// Returns the length of the next fragment of a value that is scanned up to `end`: `max` bytes, or a few more, so
    /// that it does not end between a backslash and the escaped byte, or in a two-byte character.
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
                    // The escaped byte is before `end`, since more than `max` bytes are left.
                    at += 1 + usize::from(input[at] == b'\\');
                    at += usize::from(at < end && sent.is_second(input, at));
                }
                sent.follow(input, at);
                at
            }
        };
        part_end - self.start
    }

    /// Scans to the end of the value, or to another result. Other results are a `]` that is text, a head, `goal`, and
    /// the end of the input. `repair` enables the lenient rules.
    pub(crate) fn scan(&mut self, input: &[u8], follows: Follows, repair: bool, goal: usize) -> Scanned {
        let scanned = self.seek(input, follows, repair, goal).unwrap_or(Scanned::More);
        if let Some(split) = &mut self.split {
            split.follow(input, self.at); // the input before may be dropped
        }
        scanned
    }

    /// Scans up to the next bracket that matters. `None` if the input is used up.
    fn seek(&mut self, input: &[u8], follows: Follows, repair: bool, goal: usize) -> Option<Scanned> {
        loop {
            if self.at >= goal {
                return Some(Scanned::Goal);
            }
            let rest = &input[self.at.min(input.len())..goal.min(input.len())];
            let found = if repair { memchr3(b']', b'\\', b'[', rest) } else { memchr2(b']', b'\\', rest) };
            let Some(found) = found else {
                self.at = self.at.max(goal.min(input.len()));
                if self.at >= goal {
                    continue;
                }
                return None;
            };
            self.at += found;
            if self.split.as_mut().is_some_and(|split| split.is_second(input, self.at)) {
                if repair && input[self.at] == b']' && self.resumes(input, follows)? {
                    return Some(Scanned::EndInCharacter(self.at));
                }
                self.at += 1;
                continue;
            }
            match input[self.at] {
                b'\\' => {
                    // Together with the escaped byte, or not at all: the chunk may end between them.
                    if self.at + 1 >= input.len() {
                        self.at += usize::from(follows.is_end());
                        return None;
                    }
                    if input[self.at + 1] == b']' {
                        self.open = self.open.saturating_sub(1);
                    }
                    self.at += 2;
                }
                b'[' => {
                    if let Some(head) = self.head_around(input, follows)? {
                        return Some(Scanned::Head(head));
                    }
                    self.open += 1;
                    self.at += 1;
                }
                _ => {
                    let is_text = repair
                        && if self.open == 0 { self.goes_on(input, follows)? } else { !self.is_sgf(input, follows)? };
                    if !is_text {
                        return Some(Scanned::End(self.at));
                    }
                    self.open = self.open.saturating_sub(1);
                    self.at += 1;
                    return Some(Scanned::Text(self.at - 1));
                }
            }
        }
    }

    /// Returns whether SGF follows the `]` at `at`. This and the next three return `None` if the input ends before
    /// the result is known.
    fn is_sgf(&mut self, input: &[u8], follows: Follows) -> Option<bool> {
        let Look::IsSgf(look) = self.look.get_or_insert_with(|| Look::IsSgf(IsSgf::new(self.at + 1))) else {
            return Some(true);
        };
        let is_sgf = look.look(input, follows)?;
        self.look = None;
        Some(is_sgf)
    }

    /// Returns whether the text continues after the `]` at `at`, although no `[` is open.
    fn goes_on(&mut self, input: &[u8], follows: Follows) -> Option<bool> {
        let new = || Look::Continuation(Continuation::new(self.at + 1, self.split));
        let Look::Continuation(look) = self.look.get_or_insert_with(new) else { return Some(false) };
        let goes_on = look.look(input, follows)?;
        self.look = None;
        Some(goes_on)
    }

    /// Returns whether SGF continues after the `]` at `at`. The `]` seems to be the second byte of a character.
    fn resumes(&mut self, input: &[u8], follows: Follows) -> Option<bool> {
        let new = || Look::Resumption(Resumption::new(self.at + 1));
        let Look::Resumption(look) = self.look.get_or_insert_with(new) else { return Some(false) };
        let resumes = look.look(input, follows)?;
        self.look = None;
        Some(resumes)
    }

    /// Returns the index of the head whose `[` is at `at`, if it is part of one.
    fn head_around(&mut self, input: &[u8], follows: Follows) -> Option<Option<usize>> {
        if self.look.is_none() {
            self.look = HeadAround::new(&input[..self.at]).map(Look::Head);
        }
        let Some(Look::Head(look)) = &mut self.look else { return Some(None) };
        let is_head = look.look(input, follows)?;
        let paren = look.paren();
        self.look = None;
        Some(is_head.then_some(paren))
    }
}

/// Returns the bytes that close a truncated value, given from its `[` on. After a backslash a `]` alone would be
/// text, and after the first byte of a character it would be the second.
pub(super) fn closer(charset: Option<TwoByte>, value: &[u8]) -> &'static [u8] {
    let mut split = charset.map(|charset| Split::new(charset, 1));
    let mut is_second = |at| split.as_mut().is_some_and(|split| split.is_second(value, at));
    let mut at = 1;
    while let Some(found) = memchr::memchr(b'\\', value.get(at..).unwrap_or_default()) {
        at += found;
        let is_escape = !is_second(at);
        if is_escape && at + 1 == value.len() {
            return b"\\]";
        }
        at += 1 + usize::from(is_escape);
    }
    if split.is_some_and(|mut split| {
        split.follow(value, value.len());
        split.is_open()
    }) {
        b" ]"
    } else {
        b"]"
    }
}

#[cfg(test)]
mod tests {
    use super::super::look_ahead::REACH;
    use super::*;

    fn end(input: &[u8], repair: bool) -> Option<usize> {
        end_in(None, input, repair)
    }

    fn end_in(charset: Option<TwoByte>, input: &[u8], repair: bool) -> Option<usize> {
        let mut scan = ValueScan::new(charset);
        loop {
            match scan.scan(input, Follows::End, repair, usize::MAX) {
                Scanned::End(at) | Scanned::EndInCharacter(at) => return Some(at),
                Scanned::Text(_) => {}
                Scanned::More | Scanned::Goal | Scanned::Head(_) => return None,
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
            (br"[a [b\]] x", 7),
        ] {
            assert_eq!(end(input, true), Some(close), "{}", input.escape_ascii());
        }
        assert_eq!(end(br"[a [b\x] y", true), None);
        assert_eq!(end(b"[Foo [3d]]", false), Some(8));
    }

    #[test]
    fn a_value_that_is_cut_in_a_character_ends_where_sgf_goes_on() {
        for (after, goes_on) in [
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
            let input = [b"[\xC1]", after].concat();
            assert_eq!(end_in(Some(TwoByte::Gbk), &input, true) == Some(2), goes_on, "{}", after.escape_ascii());
            assert_ne!(end_in(Some(TwoByte::Gbk), &input, false), Some(2));
        }
    }

    #[test]
    fn the_look_past_a_bracket_reaches_256_bytes() {
        let mut input = b"[a[b]".to_vec();
        input.extend([b' '; REACH - 1]);
        input.extend(b"x];");
        assert_eq!(end(&input, true), Some(input.len() - 2));
        input.insert(5, b' ');
        assert_eq!(end(&input, true), Some(4));
    }

    #[test]
    fn a_scan_stops_at_its_goal_and_at_each_bracket_of_the_text() {
        for repair in [false, true] {
            let mut scan = ValueScan::new(None);
            assert_eq!((scan.scan(b"[abcdef", Follows::More, repair, 4), scan.at()), (Scanned::Goal, 4));
            assert_eq!((scan.scan(b"[abcdef", Follows::More, repair, 7), scan.at()), (Scanned::Goal, 7));
            assert_eq!((scan.scan(b"[abcdef", Follows::More, repair, 8), scan.at()), (Scanned::More, 7));
            assert_eq!((scan.scan(b"[abcdef]", Follows::End, repair, 9), scan.at()), (Scanned::End(7), 7));
        }
        let mut scan = ValueScan::new(None);
        assert_eq!((scan.scan(b"[a [b] c];", Follows::End, true, 99), scan.at()), (Scanned::Text(5), 6));
        assert_eq!((scan.scan(b"[a [b] c];", Follows::End, true, 99), scan.at()), (Scanned::End(8), 8));
    }

    #[test]
    fn the_bytes_in_which_a_head_may_have_started_do_not_count() {
        let value = [&b"["[..], &[b'a'; 1000]].concat();
        let mut scan = ValueScan::new(None);
        let found = scan.scan(&value, Follows::More, true, usize::MAX);
        assert_eq!((scan.start(), scan.at()), (1, 1001));
        assert_eq!(scan.reaches(&found, false, true), 1000 - TAIL);
        assert_eq!(scan.reaches(&found, true, true), 1000);
        assert_eq!(scan.reaches(&found, false, false), 1000);
        assert_eq!(scan.reaches(&Scanned::End(900), false, true), 899);
        scan.drop_front(10);
        assert_eq!((scan.start(), scan.at()), (0, 991));
        assert_eq!(scan.reaches(&Scanned::End(900), false, true), 900);
    }

    #[test]
    fn a_fragment_ends_neither_after_a_backslash_nor_in_a_character() {
        let gbk = Some(TwoByte::Gbk);
        for (charset, value, max, expected) in [
            (None, &b"abcde"[..], 2, &[2, 2, 1][..]),
            (None, b"abcd", 2, &[2, 2]),
            (None, b"ab", 2, &[2]),
            (None, br"a\]bc", 2, &[3, 2]),
            (None, br"\\\\ab", 3, &[4, 2]),
            (None, br"\\\\ab", 2, &[2, 2, 2]),
            (None, br"a\", 2, &[2]),
            (None, br"a\\\]b", 2, &[3, 2, 1]),
            (None, br"abc\", 3, &[3, 1]),
            (gbk, b"abcde", 2, &[2, 2, 1]),
            (gbk, b"\xC1\xC1\xC1\xC1a", 1, &[2, 2, 1]),
            (gbk, b"\xC1\xC1\xC1\xC1a", 3, &[4, 1]),
            (gbk, b"a\xC1\xC1\xC1\xC1", 2, &[3, 2]),
            (gbk, b"\\\xC1\xC1a", 1, &[3, 1]),
            (gbk, b"\xC1\\ab", 1, &[2, 1, 1]),
            (gbk, br"a\]bc", 2, &[3, 2]),
            (gbk, b"\\\xC1", 1, &[2]),
            (gbk, br"abcd\", 3, &[3, 2]),
            (gbk, br"ab\", 1, &[1, 1, 1]),
        ] {
            let mut input = [b"[", value].concat();
            let mut scan = ValueScan::new(charset);
            assert_eq!(scan.scan(&input, Follows::End, false, usize::MAX), Scanned::More);
            let mut lens = Vec::new();
            while scan.start() < scan.at() {
                lens.push(scan.part_len(&input, scan.at(), max));
                let sent = scan.start() + lens[lens.len() - 1];
                scan.drop_front(sent);
                input.drain(..sent);
            }
            assert_eq!(lens, expected, "{}, {max}", value.escape_ascii());
        }
    }

    #[test]
    fn what_closes_a_value_is_its_end() {
        let gbk = Some(TwoByte::Gbk);
        for (charset, value, expected) in [
            (None, &b"["[..], &b"]"[..]),
            (None, b"[abc", b"]"),
            (None, br"[a\b", b"]"),
            (None, br"[ab\", br"\]"),
            (None, br"[ab\\", b"]"),
            (None, br"[\a\\\", br"\]"),
            (None, b"[\xC1", b"]"),
            (gbk, b"[\xC1", b" ]"),
            (gbk, b"[\xC1\xC1", b"]"),
            (gbk, b"[\xC1\\", b"]"),
            (gbk, b"[\xC1\\\\", b"\\]"),
            (gbk, b"[\xC1\\\\\\", b"]"),
            (gbk, b"[\xC1\\a\\", b"\\]"),
            (gbk, b"[\\\\\xC1", b" ]"),
        ] {
            assert_eq!(closer(charset, value), expected, "{}", value.escape_ascii());
            assert_eq!(end_in(charset, &[value, expected].concat(), false), Some((value.len() + expected.len()) - 1));
        }
    }
}
