//! Look-ahead after a doubtful `]` of a value, to decide what it is.
//!
//! Each scan remembers its progress and examines at most [`REACH`] bytes. A scan ends at a [head](super::head) as at
//! the end of the data. [`IsSgf`] need not recognize heads: it treats `(` with `;` like the end of the data.
//! [`Continuation`] never meets one: a head has a `[` before its first `]`.

use super::head::{Follows, HeadAround};
use crate::raw::is_white_space;
use crate::raw::two_byte::Split;

/// Maximum number of bytes that a scan examines.
pub(crate) const REACH: usize = 256;

/// A scan after a `]` while a `[` of the text is open: does SGF follow?
///
/// It does if white space and then `[`, `;`, `)`, `(` and `;`, the end of the data, or an identifier and `[` follow,
/// or if [`REACH`] bytes do not decide. After white space, an identifier must consist of upper-case letters, since
/// `[3d] or Foo [5d]` is text. Directly after the `]` it may be any word of letters and digits that is directly
/// followed by `[`.
#[derive(Debug)]
pub(crate) struct IsSgf {
    /// The next byte to examine, and the first one out of reach.
    at: usize,
    limit: usize,
    seen: Seen,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Seen {
    Nothing,
    Space,
    Paren,
    /// Upper-case letters; `direct` if nothing precedes them.
    Ident {
        direct: bool,
    },
    IdentSpace,
    /// Letters and digits that are not all upper-case letters, directly after the `]`.
    Word {
        has_upper: bool,
    },
}

impl IsSgf {
    pub(crate) fn new(at: usize) -> Self {
        IsSgf { at, limit: at + REACH, seen: Seen::Nothing }
    }

    pub(crate) fn drop_front(&mut self, count: usize) {
        self.at -= count;
        self.limit -= count;
    }

    /// Continues the scan. `None` if the input ends before the result is known.
    pub(crate) fn look(&mut self, input: &[u8], follows: Follows) -> Option<bool> {
        use Seen::{Ident, IdentSpace, Nothing, Paren, Space, Word};
        while self.at < self.limit {
            let Some(&byte) = input.get(self.at) else {
                return follows.is_end().then_some(matches!(self.seen, Nothing | Space));
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

/// Returns whether the bytes after a `]` obviously show that it ends its value. They nearly always do: according to
/// [`Continuation`], no text continues like that.
#[inline(always)]
pub(crate) fn ends_plainly(rest: &[u8]) -> bool {
    match rest.first_chunk() {
        Some([b';', next]) => next.is_ascii_alphabetic(),
        _ => is_plain_end(rest),
    }
}

/// Does the same as [`ends_plainly`], for bytes that are not a node.
fn is_plain_end(rest: &[u8]) -> bool {
    match rest {
        [b'[' | b']' | b'(' | b')' | b'\r' | b'\n', ..] => true,
        [first, b'[', ..] => first.is_ascii_uppercase(),
        [first, second, b'[', ..] => first.is_ascii_uppercase() && second.is_ascii_uppercase(),
        _ => false,
    }
}

/// A scan after a `]` while no `[` of the text is open. Does the text continue, up to another `]` that ends it?
///
/// It does if all of the following is true; `between` are the bytes between the two.
///
/// * `between`, without leading white space, does not start with `(`, `)`, `[`, `]`, or `;` and a letter: that is
///   SGF.
/// * It has at most [`REACH`] bytes, and contains no `[` and no line break, escaped or not.
/// * The other `]`, the next one that is neither escaped nor the second byte of a character, is followed by SGF
///   according to [`IsSgf`].
///
/// Thus `C[so ] so!];` has one value, and `W[nq];B x];W[mq]` keeps its moves. Files written by programs never get
/// here: in a well-formed file a `[` occurs between any two such brackets.
#[derive(Debug)]
pub(crate) struct Continuation {
    /// The index after the `]`.
    from: usize,
    /// The next byte to examine.
    at: usize,
    seen: Between,
    split: Option<Split>,
}

#[derive(Debug)]
enum Between {
    /// Only white space.
    Nothing,
    /// `;`, and optional white space.
    Semicolon,
    /// Text.
    Text,
    /// The other `]`.
    Close(IsSgf),
}

impl Continuation {
    pub(crate) fn new(at: usize, split: Option<Split>) -> Self {
        Continuation { from: at, at, seen: Between::Nothing, split }
    }

    pub(crate) fn drop_front(&mut self, count: usize) {
        self.from -= count;
        self.at -= count;
        if let Between::Close(look) = &mut self.seen {
            look.drop_front(count);
        }
        if let Some(split) = &mut self.split {
            split.drop_front(count);
        }
    }

    /// Continues the scan. `None` if the input ends before the result is known.
    pub(crate) fn look(&mut self, input: &[u8], follows: Follows) -> Option<bool> {
        while let Between::Nothing | Between::Semicolon = self.seen {
            let Some(&byte) = input.get(self.at) else { return follows.is_end().then_some(false) };
            self.seen = match (&self.seen, byte) {
                (_, b'\r' | b'\n') => return Some(false),
                (_, b) if is_white_space(b) && self.at - self.from < REACH => {
                    self.at += 1;
                    continue;
                }
                (Between::Nothing, b'(' | b')' | b'[' | b']') => return Some(false),
                (Between::Nothing, b';') => {
                    self.at += 1;
                    Between::Semicolon
                }
                (Between::Semicolon, b) if b.is_ascii_alphabetic() => return Some(false),
                _ => {
                    self.at = self.from;
                    Between::Text
                }
            };
        }
        loop {
            if let Between::Close(look) = &mut self.seen {
                return look.look(input, follows);
            }
            // The other `]` is at most at this index.
            let limit = self.from + REACH;
            let window = &input[..input.len().min(limit + 1)];
            let is_special = |byte: &u8| matches!(byte, b'[' | b']' | b'\\' | b'\r' | b'\n');
            let Some(found) = window.get(self.at..).and_then(|rest| rest.iter().position(is_special)) else {
                self.at = window.len().max(self.at);
                return (follows.is_end() || input.len() > limit).then_some(false);
            };
            self.at += found;
            let is_second = self.split.as_mut().is_some_and(|split| split.is_second(input, self.at));
            match input[self.at] {
                b'\r' | b'\n' => return Some(false),
                _ if is_second => self.at += 1,
                b'[' => return Some(false),
                b']' => self.seen = Between::Close(IsSgf::new(self.at + 1)),
                _ => match input.get(self.at + 1) {
                    Some(b'[' | b'\r' | b'\n') => return Some(false),
                    Some(_) => self.at += 2,
                    None => return follows.is_end().then_some(false),
                },
            }
        }
    }
}

/// A scan after a `]` that seems to be the second byte of a character. Does SGF continue there?
///
/// It does if white space and then one of these follows: the end of the data; `;`, an identifier and `[`; an
/// identifier of two letters or more and `[`; `(` and `;`; one or more `)`, and then the end of the data or `(` and
/// `;`. It does not if [`REACH`] bytes do not decide.
#[derive(Debug)]
pub(crate) struct Resumption {
    /// The next byte to examine, and the first one out of reach.
    at: usize,
    limit: usize,
    seen: Resumed,
    /// A scan of the `(` at `at`.
    head: Option<HeadAround>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Resumed {
    Nothing,
    Semicolon,
    /// Upper-case letters; `enough` if there are two, or in a new node.
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
    pub(crate) fn new(at: usize) -> Self {
        Resumption { at, limit: at + REACH, seen: Resumed::Nothing, head: None }
    }

    pub(crate) fn drop_front(&mut self, count: usize) {
        self.at -= count;
        self.limit -= count;
        if let Some(head) = &mut self.head {
            head.drop_front(count);
        }
    }

    /// Continues the scan. `None` if the input ends before the result is known.
    pub(crate) fn look(&mut self, input: &[u8], follows: Follows) -> Option<bool> {
        use Resumed::{Close, Ident, IdentSpace, Nothing, Open, Semicolon};
        while self.at < self.limit {
            let Some(&byte) = input.get(self.at) else {
                return follows.is_end().then_some(matches!(self.seen, Nothing | Close));
            };
            self.seen = match (self.seen, byte) {
                (Ident { enough } | IdentSpace { enough }, b'[') => return Some(enough),
                (Open, b';') => return Some(true),
                (Nothing, b';') => Semicolon,
                (Nothing, b'A'..=b'Z') => Ident { enough: false },
                (Semicolon, b'A'..=b'Z') | (Ident { .. }, b'A'..=b'Z') => Ident { enough: true },
                (Nothing | Close, b'(') => {
                    if self.head.get_or_insert(HeadAround::at(self.at)).look(input, follows)? {
                        return Some(true);
                    }
                    Open
                }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raw::two_byte::TwoByte;

    trait Scan: Sized {
        fn at(at: usize) -> Self;
        fn look(&mut self, input: &[u8], follows: Follows) -> Option<bool>;
        fn drop_front(&mut self, count: usize);
    }

    macro_rules! scan {
        ($scan:ty, $new:expr) => {
            impl Scan for $scan {
                fn at(at: usize) -> Self {
                    $new(at)
                }

                fn look(&mut self, input: &[u8], follows: Follows) -> Option<bool> {
                    self.look(input, follows)
                }

                fn drop_front(&mut self, count: usize) {
                    self.drop_front(count);
                }
            }
        };
    }

    scan!(IsSgf, IsSgf::new);
    scan!(Resumption, Resumption::new);
    scan!(Continuation, |at| Continuation::new(at, Some(Split::new(TwoByte::Gbk, at))));

    /// Returns the result of a scan of all bytes after a `]`. In smaller and smaller pieces of the input, which starts
    /// later and later, it is the same.
    fn result<S: Scan>(after: &[u8]) -> bool {
        let value = [b'a'; 300];
        let input = [&value[..], after].concat();
        let whole = S::at(value.len()).look(&input, Follows::End);
        for step in [0, 1, 7, 290] {
            let (mut scan, mut front) = (S::at(value.len()), 0);
            let stepwise = (value.len()..=input.len()).find_map(|len| {
                if front + step < value.len() {
                    scan.drop_front(step);
                    front += step;
                }
                scan.look(&input[front..len], Follows::More)
            });
            let stepwise = stepwise.or_else(|| scan.look(&input[front..], Follows::End));
            assert_eq!(stepwise, whole, "{} in steps, {step}", after.escape_ascii());
        }
        whole.unwrap()
    }

    /// Returns whether bytes decide, whatever follows them.
    fn decides<S: Scan>(after: &[u8]) -> Option<bool> {
        S::at(0).look(after, Follows::More)
    }

    fn blanks(count: usize, then: &[u8]) -> Vec<u8> {
        [&vec![b' '; count], then].concat()
    }

    #[test]
    fn sgf_is_a_bracket_a_node_a_tree_or_a_property() {
        for (after, expected) in [
            (&b""[..], true),
            (b" \n", true),
            (b"[", true),
            (b" [", true),
            (b";", true),
            (b"\t;", true),
            (b")", true),
            (b" )", true),
            (b"]", false),
            (b" ]", false),
            (b"x", false),
            (b"0W[", false),
            (b"(", false),
            (b"(a", false),
            (b"(;", true),
            (b" ( \n;", true),
            (b"PW[", true),
            (b"PW \n[", true),
            (b" PW[", true),
            (b" PW \n[", true),
            (b"PW", false),
            (b"PW ", false),
            (b"PW x[", false),
            (b"PW P[", false),
            (b"P?[", false),
            (b" P?[", false),
            (b"Pw[", true),
            (b" Pw[", false),
            (b"P0[", true),
            (b" P0[", false),
            (b"pw[", false),
            (b"pW[", true),
            (b"p0W[", true),
            (b"p?W[", false),
            (b"pW?[", false),
            (b"pW [", false),
            (b" pW[", false),
        ] {
            assert_eq!(result::<IsSgf>(after), expected, "{}", after.escape_ascii());
        }
        assert!(!result::<IsSgf>(&blanks(REACH - 1, b"x")));
        assert!(result::<IsSgf>(&blanks(REACH, b"x")));
        assert_eq!(decides::<IsSgf>(&blanks(REACH - 1, b"")), None);
        assert_eq!(decides::<IsSgf>(&blanks(REACH, b"")), Some(true));
    }

    #[test]
    fn a_text_goes_on_up_to_a_bracket_that_sgf_follows() {
        for (after, expected) in [
            (&b""[..], false),
            (b" ", false),
            (b" so !];", true),
            (b"x]", true),
            (b"x] \n", true),
            (b"x", false),
            (b"x] and", false),
            (b"x] ][", false),
            (b"x[];", false),
            (b"\nx];", false),
            (b" \rx];", false),
            (b";\nx];", false),
            (b"; \rx];", false),
            (b"x\n];", false),
            (b"x\r];", false),
            (b"x\nx];", false),
            (b"x\rx];", false),
            (b"x\\\n];", false),
            (b"x\\\r];", false),
            (b"x\\[];", false),
            (b"x\\];", false),
            (b"x\\]];", true),
            (b"x\\\\];", true),
            (b"\\]];", true),
            (b"x\\", false),
            (b"(x];", false),
            (b" (x];", false),
            (b")x];", false),
            (b"\t)x];", false),
            (b"[x];", false),
            (b" [x];", false),
            (b"]x];", false),
            (b" ];", false),
            (b";x];", false),
            (b"; X];", false),
            (b";1];", true),
            (b" ; 1];", true),
            (b";(];", true),
            (b";];", true),
            (b"; ;x];", true),
            (b";", false),
            (b"\xC1];", false),
            (b"\xC1]x];", true),
            (b"\xC1[x];", true),
            (b"\xC1\\];", true),
            (b"\xC1\nx];", false),
            (b"x\\\xC1]];", true),
            (b"\\\\\xC1]];", true),
        ] {
            assert_eq!(result::<Continuation>(after), expected, "{}", after.escape_ascii());
        }
        assert!(result::<Continuation>(&blanks(REACH - 1, b"x];")));
        assert!(!result::<Continuation>(&blanks(REACH - 1, b"(];")));
        assert!(!result::<Continuation>(&blanks(REACH, b"x];")));
        assert!(result::<Continuation>(&[&vec![b'x'; REACH][..], b"];"].concat()));
        assert!(!result::<Continuation>(&[&vec![b'x'; REACH + 1][..], b"];"].concat()));
        for line_break in [&b"\n"[..], b" \r", b"; \n", b";\r"] {
            assert_eq!(decides::<Continuation>(line_break), Some(false), "{}", line_break.escape_ascii());
        }
        assert_eq!(decides::<Continuation>(&blanks(REACH, b"")), None);
        assert_eq!(decides::<Continuation>(&blanks(REACH + 1, b"")), Some(false));
    }

    #[test]
    fn a_value_is_over_where_sgf_follows_that_no_text_has() {
        for (after, expected) in [
            (&b""[..], true),
            (b" \n", true),
            (b")", true),
            (b" ) )\n", true),
            (b")x", false),
            (b");", false),
            (b")B[", false),
            (b") (;", true),
            (b")(x", false),
            (b"(", false),
            (b"(;", true),
            (b" ( \n;", true),
            (b"(x", false),
            (b"(B[", false),
            (b";", false),
            (b";B[", true),
            (b"; B [", true),
            (b";;B[", false),
            (b";b[", false),
            (b";B?[", false),
            (b"B[", false),
            (b"B \n[", false),
            (b"AB[", true),
            (b" AB \n [", true),
            (b"ABC[", true),
            (b"AB", false),
            (b"AB W[", false),
            (b"AB?[", false),
            (b"[", false),
            (b"]", false),
            (b"x", false),
        ] {
            assert_eq!(result::<Resumption>(after), expected, "{}", after.escape_ascii());
        }
        assert!(result::<Resumption>(&blanks(REACH - 3, b";B[")));
        assert!(!result::<Resumption>(&blanks(REACH - 2, b";B[")));
        assert_eq!(decides::<Resumption>(&blanks(REACH - 1, b"")), None);
        assert_eq!(decides::<Resumption>(&blanks(REACH, b"")), Some(false));
        // The end of the section counts as that of the data, even if the `;` of the head is out of reach.
        assert!(result::<Resumption>(&blanks(REACH - 1, b"( ;FF[4]")));
        assert!(!result::<Resumption>(&blanks(REACH - 1, b"( ;B[aa]")));
    }

    #[test]
    fn what_ends_a_value_plainly_is_what_no_text_goes_on_with() {
        for (after, expected) in [
            (&b";B"[..], true),
            (b";a", true),
            (b"; B", false),
            (b";", false),
            (b"[", true),
            (b"]", true),
            (b"(", true),
            (b")", true),
            (b"\r\n", true),
            (b"\n", true),
            (b"W[", true),
            (b"AB[", true),
            (b"b[", false),
            (b"Ab[", false),
            (b"aB[", false),
            (b"ABC[", false),
            (b" (", false),
            (b"", false),
        ] {
            assert_eq!(ends_plainly(after), expected, "{}", after.escape_ascii());
            assert!(!(expected && result::<Continuation>(&[after, b"x];"].concat())), "{}", after.escape_ascii());
        }
    }
}
