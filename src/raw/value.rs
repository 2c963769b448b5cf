//! Raw values: what stands between `[` and `]`, undecoded.

use std::borrow::Cow;
use std::fmt;

use super::unescape;

/// The bytes between the brackets of one property value, undecoded.
///
/// `Copy`, and borrowed from the input. All readings are lazy and allocate only where a byte
/// has to change.
///
/// ```
/// use sgf_stream::RawValue;
///
/// let value = RawValue::new(br"a comment with a \] in it");
/// assert_eq!(value.text(), "a comment with a ] in it");
/// assert_eq!(value.as_bytes(), br"a comment with a \] in it");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct RawValue<'a>(&'a [u8]);

impl<'a> RawValue<'a> {
    /// Wraps the bytes of a value, without its brackets.
    #[inline]
    pub const fn new(raw: &'a [u8]) -> Self {
        RawValue(raw)
    }

    /// The bytes as the file has them.
    #[inline]
    pub const fn as_bytes(self) -> &'a [u8] {
        self.0
    }

    /// True for `[]`: a pass where the value is a move, an empty list where it is a point list.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// The value as FF\[4\] *Text*, from UTF-8: escapes undone, soft line breaks removed, every
    /// line break one LF, other white space one space each. Bytes that are not UTF-8 become
    /// U+FFFD; [`text_bytes`](Self::text_bytes) keeps them.
    ///
    /// ```
    /// use sgf_stream::RawValue;
    ///
    /// assert_eq!(RawValue::new(b"one\r\ntwo\\\nthree\t4").text(), "one\ntwothree 4");
    /// ```
    pub fn text(self) -> Cow<'a, str> {
        unescape::to_str(self.text_bytes())
    }

    /// The value as FF\[4\] *SimpleText*, from UTF-8: as [`text`](Self::text), but a line break
    /// becomes one space.
    ///
    /// ```
    /// use sgf_stream::RawValue;
    ///
    /// assert_eq!(RawValue::new(b"Honinbo\nShusaku").simple_text(), "Honinbo Shusaku");
    /// ```
    pub fn simple_text(self) -> Cow<'a, str> {
        unescape::to_str(self.simple_text_bytes())
    }

    /// [`text`](Self::text) without the decoding: the bytes stay in the file's charset.
    pub fn text_bytes(self) -> Cow<'a, [u8]> {
        unescape::unescape(self.0, b'\n')
    }

    /// [`simple_text`](Self::simple_text) without the decoding.
    pub fn simple_text_bytes(self) -> Cow<'a, [u8]> {
        unescape::unescape(self.0, b' ')
    }

    /// Splits a composed value at its first unescaped `:`. The second part may hold more colons;
    /// both stay raw. `None` if there is no such colon.
    ///
    /// Whether a colon splits at all is the property's business: `AP`, `LB`, `AR` yes, `C` no.
    ///
    /// ```
    /// use sgf_stream::RawValue;
    ///
    /// let (point, label) = RawValue::new(b"dd:to play").compose().unwrap();
    /// assert_eq!((point.as_bytes(), label.as_bytes()), (&b"dd"[..], &b"to play"[..]));
    /// assert!(RawValue::new(br"no \: here").compose().is_none());
    /// ```
    pub fn compose(self) -> Option<(RawValue<'a>, RawValue<'a>)> {
        let mut at = 0;
        loop {
            at += memchr::memchr2(b':', b'\\', &self.0[at..])?;
            if self.0[at] == b':' {
                return Some((RawValue(&self.0[..at]), RawValue(&self.0[at + 1..])));
            }
            at += 2; // a backslash, and whatever it hides
            if at > self.0.len() {
                return None;
            }
        }
    }
}

impl fmt::Debug for RawValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}]", self.0.escape_ascii())
    }
}

impl AsRef<[u8]> for RawValue<'_> {
    fn as_ref(&self) -> &[u8] {
        self.0
    }
}
