//! Raw values: the undecoded bytes between `[` and `]`.

use std::borrow::Cow;
use std::fmt;

use super::unescape;

/// The bytes between the brackets of one property value, undecoded.
///
/// A `RawValue` is `Copy` and borrows from the input. Its methods decode on demand and allocate only if a byte
/// changes.
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

    /// Returns the raw bytes, as in the file.
    #[inline]
    pub const fn as_bytes(self) -> &'a [u8] {
        self.0
    }

    /// Returns whether the value is `[]`.
    ///
    /// For a move, that is a pass, and for a point list, the empty list.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// Decodes the value as FF\[4\] *Text* in UTF-8.
    ///
    /// Escapes and soft line breaks are removed; every other line break becomes one LF, and any other white space
    /// character one space. Invalid UTF-8 becomes U+FFFD; [`text_bytes`](Self::text_bytes) preserves it.
    ///
    /// ```
    /// use sgf_stream::RawValue;
    ///
    /// assert_eq!(RawValue::new(b"one\r\ntwo\\\nthree\t4").text(), "one\ntwothree 4");
    /// ```
    pub fn text(self) -> Cow<'a, str> {
        self.plain_text().unwrap_or_else(|| unescape::to_str(self.text_bytes()))
    }

    /// Decodes the value as FF\[4\] *SimpleText* in UTF-8.
    ///
    /// Like [`text`](Self::text), except that a line break becomes one space.
    ///
    /// ```
    /// use sgf_stream::RawValue;
    ///
    /// assert_eq!(RawValue::new(b"Honinbo\nShusaku").simple_text(), "Honinbo Shusaku");
    /// ```
    pub fn simple_text(self) -> Cow<'a, str> {
        self.plain_text().unwrap_or_else(|| unescape::to_str(self.simple_text_bytes()))
    }

    /// Returns the text if no text rule changes it, as is the case for most values.
    #[inline]
    fn plain_text(self) -> Option<Cow<'a, str>> {
        unescape::plain_text(self.0).map(Cow::Borrowed)
    }

    /// Unescapes the value like [`text`](Self::text), but keeps it in the file's charset.
    pub fn text_bytes(self) -> Cow<'a, [u8]> {
        unescape::unescape(self.0, b'\n')
    }

    /// Unescapes the value like [`simple_text`](Self::simple_text), but keeps it in the file's charset.
    pub fn simple_text_bytes(self) -> Cow<'a, [u8]> {
        unescape::unescape(self.0, b' ')
    }

    /// Splits a composed value at its first unescaped `:`.
    ///
    /// Both components stay raw, and the second may contain more colons. Returns `None` without an unescaped colon.
    ///
    /// Whether a value is composed depends on its property: values of `AP`, `LB` and `AR` are, values of `C` are not.
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
            at += 2; // a backslash and the byte that it escapes
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
