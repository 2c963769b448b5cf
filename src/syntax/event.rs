//! Events, the tokens of a stream in order.
//!
//! ```text
//! (;FF[4]AB[dd][pp](;B[cc])(;B[qq]))
//!
//! StartTree Node Property(FF) Value(4) Property(AB) Value(dd) Value(pp)
//!   StartTree Node Property(B) Value(cc) EndTree
//!   StartTree Node Property(B) Value(qq) EndTree
//! EndTree
//! ```
//!
//! Events are well-formed for every input: trees are balanced, every tree starts with a node, the nodes of a tree
//! come before its child trees, and every property has at least one value. A tree that is not nested in another is a
//! game.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Range;

use bytes::Bytes;

use crate::raw::RawValue;

/// One token of the input, borrowed from it.
//
// `repr(u64)` gives the discriminant a separate word. By default the compiler stores it in the niche of `PartEnd`, so
// that every `match` has to compute it; the `match` of a caller is then not merged with the code that creates the
// event, and a loop over events takes twice as long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(u64)]
pub enum Event<'a> {
    /// `(`, the start of a game or of a variation. A [`Node`](Event::Node) follows.
    StartTree,
    /// `;`, the start of a node. Its properties follow.
    Node,
    /// A property's identifier. At least one [`Value`](Event::Value) follows, or fragments of one.
    Property(Ident<'a>),
    /// `[…]`, one value of the preceding property.
    Value(RawValue<'a>),
    /// A fragment of a value that is longer than the limit.
    ///
    /// Only if [`Parser::value_parts`](crate::Parser::value_parts) is on.
    ///
    /// A value consists of all fragments up to the first whose [`end`](ValuePart::end) is not
    /// [`More`](PartEnd::More). The offset of a fragment is that of its first byte.
    ValuePart(ValuePart<'a>),
    /// `)`, the end of a tree.
    EndTree,
}

impl Event<'_> {
    /// Copies the event into an [`OwnedEvent`].
    pub fn to_owned(self) -> OwnedEvent {
        match self {
            Event::StartTree => OwnedEvent::StartTree,
            Event::Node => OwnedEvent::Node,
            Event::Property(ident) => OwnedEvent::Property(Bytes::copy_from_slice(ident.as_bytes())),
            Event::Value(value) => OwnedEvent::Value(Bytes::copy_from_slice(value.as_bytes())),
            Event::ValuePart(part) => OwnedEvent::ValuePart(Bytes::copy_from_slice(part.bytes), part.end),
            Event::EndTree => OwnedEvent::EndTree,
        }
    }
}

/// An [`Event`] that owns its bytes, for channels and collections.
///
/// ```
/// use sgf_stream::{Event, OwnedEvent, RawValue};
///
/// let owned = Event::Value(RawValue::new(b"dd")).to_owned();
/// assert_eq!(owned.borrow(), Event::Value(RawValue::new(b"dd")));
/// # let _: OwnedEvent = owned;
/// ```
//
// The discriminant also has a whole word here. With one byte, every layer of a stream copies the other seven in
// chunks of one, two and four bytes, and reading the word back stalls, since narrow stores are not forwarded to a
// wider load.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(u64)]
pub enum OwnedEvent {
    /// The start of a tree; see [`Event::StartTree`].
    StartTree,
    /// The start of a node; see [`Event::Node`].
    Node,
    /// The identifier of a property, as spelled; see [`Event::Property`].
    Property(Bytes),
    /// The raw bytes of a value; see [`Event::Value`].
    Value(Bytes),
    /// A fragment of a long value; see [`Event::ValuePart`].
    ValuePart(Bytes, PartEnd),
    /// The end of a tree; see [`Event::EndTree`].
    EndTree,
}

impl OwnedEvent {
    /// Borrows the event.
    pub fn borrow(&self) -> Event<'_> {
        match self {
            OwnedEvent::StartTree => Event::StartTree,
            OwnedEvent::Node => Event::Node,
            OwnedEvent::Property(ident) => Event::Property(Ident::new(ident)),
            OwnedEvent::Value(raw) => Event::Value(RawValue::new(raw)),
            OwnedEvent::ValuePart(bytes, end) => Event::ValuePart(ValuePart { bytes, end: *end }),
            OwnedEvent::EndTree => Event::EndTree,
        }
    }
}

impl From<Event<'_>> for OwnedEvent {
    fn from(event: Event<'_>) -> Self {
        event.to_owned()
    }
}

/// A fragment of a long value; see [`Event::ValuePart`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ValuePart<'a> {
    /// The raw bytes of this fragment.
    ///
    /// No fragment ends between a backslash and the byte that it escapes, nor inside a two-byte character of
    /// Shift_JIS, Big5, GBK or GB18030.
    pub bytes: &'a [u8],
    /// Whether another fragment follows.
    pub end: PartEnd,
}

/// A value truncated by the end of the data or the next game.
///
/// No event is sent for it; see [`EventSink::cut_value`](crate::EventSink::cut_value).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CutValue {
    /// The byte range of its property's identifier, if it is the property's first value.
    ///
    /// Otherwise it is a further value of the last property.
    pub ident: Option<Range<u64>>,
    /// The byte range of the value, from its `[` to the end.
    pub value: Range<u64>,
    /// The bytes that complete the value.
    ///
    /// They are `]`, or `\]` after a backslash, or ` ]` after the first byte of a two-byte character.
    pub closer: &'static [u8],
}

/// The status of a value after one of its [fragments](ValuePart).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PartEnd {
    /// Another fragment of the value follows.
    More,
    /// The value is complete.
    Complete,
    /// The value is truncated: its `]` is missing.
    Cut,
}

/// A property identifier: `B`, `AB`, `MULTIGOGM`, `CoPyright`.
///
/// The spelling is preserved. FF\[1\] to FF\[3\] allow lower-case letters anywhere in an identifier and ignore them,
/// so [`name`](Ident::name) omits them. **Every comparison uses the name**: `Black` equals `B`.
///
/// ```
/// use sgf_stream::Ident;
///
/// let ident = Ident::new(b"CoPyright");
/// assert_eq!(ident.name(), "CP");
/// assert_eq!(ident, "CP");
/// assert_eq!(ident, Ident::new(b"CP"));
/// assert_eq!(ident.spelling(), "CoPyright");
///
/// // To match several names:
/// let what = match &*ident.name() {
///     "CP" => "copyright",
///     "AN" => "annotator",
///     _ => "something else",
/// };
/// assert_eq!(what, "copyright");
/// ```
#[derive(Clone, Copy)]
pub struct Ident<'a>(&'a [u8]);

impl<'a> Ident<'a> {
    /// Wraps the bytes of an identifier, as spelled.
    #[inline]
    pub const fn new(spelling: &'a [u8]) -> Self {
        Ident(spelling)
    }

    /// Returns the bytes of the identifier, as spelled.
    #[inline]
    pub const fn as_bytes(self) -> &'a [u8] {
        self.0
    }

    /// Returns the identifier as spelled in the file.
    ///
    /// The parser yields identifiers of ASCII letters and digits only. Invalid UTF-8, which a caller can pass to
    /// [`Ident::new`], becomes U+FFFD.
    pub fn spelling(self) -> Cow<'a, str> {
        String::from_utf8_lossy(self.0)
    }

    /// Returns the identifier without its lower-case letters.
    ///
    /// Digits are part of the name: `P0` and `P1`, which some programs write, are distinct properties.
    pub fn name(self) -> Cow<'a, str> {
        if self.has_lowercase() {
            Cow::Owned(String::from_utf8_lossy(&self.name_bytes().collect::<Vec<_>>()).into_owned())
        } else {
            self.spelling()
        }
    }

    /// Returns whether the identifier is one of `names`.
    ///
    /// ```
    /// use sgf_stream::Ident;
    ///
    /// assert!(Ident::new(b"Black").is_any(&["B", "W"]));
    /// assert!(!Ident::new(b"BL").is_any(&["B", "W"]));
    /// ```
    #[inline]
    pub fn is_any(self, names: &[&str]) -> bool {
        names.iter().any(|name| self == *name)
    }

    /// Compares spellings. One or two letters are compared byte by byte, since comparing slices costs a call.
    #[inline]
    pub(crate) fn is_spelt(self, spelling: &[u8]) -> bool {
        match (self.0, spelling) {
            ([a], [b]) => a == b,
            ([a, b], [c, d]) => a == c && b == d,
            (ident, spelling) => ident.len() == spelling.len() && ident == spelling,
        }
    }

    /// Returns whether the name differs from the spelling.
    #[inline]
    #[doc(hidden)]
    pub fn has_lowercase(self) -> bool {
        self.0.iter().any(u8::is_ascii_lowercase)
    }

    /// Returns one bit for the name, for a Bloom filter.
    ///
    /// It is derived from the first two letters.
    ///
    /// A set of names whose mask lacks the bit does not contain the name. The names that programs write into one
    /// root nearly all have different bits.
    #[inline(always)]
    #[doc(hidden)]
    pub fn name_bit(self) -> u64 {
        let spread = |first, second| 1 << bit_number(first, second);
        match *self.0 {
            [first] if !first.is_ascii_lowercase() => spread(first, 0),
            [first, second] if !first.is_ascii_lowercase() && !second.is_ascii_lowercase() => spread(first, second),
            _ => {
                let mut name = self.name_bytes();
                spread(name.next().unwrap_or(0), name.next().unwrap_or(0))
            }
        }
    }

    #[doc(hidden)]
    pub fn name_bytes(self) -> impl Iterator<Item = u8> + 'a {
        self.0.iter().copied().filter(|b| !b.is_ascii_lowercase())
    }
}

/// Returns the number of the [bit](Ident::name_bit) of names that start with these two letters. For a one-letter
/// name, `second` is 0.
#[inline(always)]
pub(crate) fn bit_number(first: u8, second: u8) -> u8 {
    first.wrapping_mul(2).wrapping_add(second.wrapping_mul(29)) % 64
}

impl PartialEq for Ident<'_> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.is_spelt(other.0)
            || (self.has_lowercase() || other.has_lowercase()) && self.name_bytes().eq(other.name_bytes())
    }
}

impl Eq for Ident<'_> {}

impl PartialEq<str> for Ident<'_> {
    #[inline]
    fn eq(&self, name: &str) -> bool {
        *self == Ident::new(name.as_bytes())
    }
}

impl PartialEq<&str> for Ident<'_> {
    #[inline]
    fn eq(&self, name: &&str) -> bool {
        *self == **name
    }
}

impl PartialEq<Ident<'_>> for str {
    #[inline]
    fn eq(&self, ident: &Ident<'_>) -> bool {
        ident == self
    }
}

impl PartialEq<Ident<'_>> for &str {
    #[inline]
    fn eq(&self, ident: &Ident<'_>) -> bool {
        ident == *self
    }
}

impl AsRef<[u8]> for Ident<'_> {
    fn as_ref(&self) -> &[u8] {
        self.0
    }
}

impl PartialOrd for Ident<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ident<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.name_bytes().cmp(other.name_bytes())
    }
}

impl Hash for Ident<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name_bytes().for_each(|b| state.write_u8(b));
        state.write_u8(0xFF);
    }
}

impl fmt::Debug for Ident<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.escape_ascii())
    }
}

impl fmt::Display for Ident<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.spelling())
    }
}
