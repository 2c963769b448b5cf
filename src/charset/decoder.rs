//! Decoding: a text at once, or a stream piece by piece, with the places of what was bad.
//!
//! Bad bytes become U+FFFD, one for each sequence that cannot be the start of a character (the
//! "maximal subpart" of Unicode and of the Encoding Standard): what `String::from_utf8_lossy` and
//! so [`RawValue::text`](crate::RawValue::text) do, so that this layer reads no UTF-8 text
//! otherwise than they do. *Reports* are about runs: bad sequences that touch are one.

use std::borrow::Cow;
use std::ops::Range;

use encoding_rs::{DecoderResult, Encoding};

use super::Charset;
use super::label::Kind;
use super::units::{Unit, Units};
use crate::RawValue;
use crate::raw::unescape;

/// A text, and where its bytes were bad.
///
/// ```
/// use sgf_stream::charset::Charset;
///
/// let decoded = Charset::UTF_8.decode(b"caf\xE9 \xFF\xFE!");
/// assert_eq!(decoded.text(), "caf\u{FFFD} \u{FFFD}\u{FFFD}!");
/// assert_eq!(decoded.bad_runs().collect::<Vec<_>>(), [3..4, 5..7]);
///
/// let decoded = Charset::WINDOWS_1252.decode(b"caf\xE9");
/// assert!(decoded.is_sound());
/// assert_eq!(decoded.into_text(), "café");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded<'a> {
    text: Cow<'a, str>,
    bad: Vec<Range<usize>>,
}

impl<'a> Decoded<'a> {
    /// The text, with U+FFFD for each bad sequence.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The same; borrowed from the bytes where nothing changed.
    pub fn into_text(self) -> Cow<'a, str> {
        self.text
    }

    /// Whether there were no bad bytes.
    pub fn is_sound(&self) -> bool {
        self.bad.is_empty()
    }

    /// The places of bad bytes in what was decoded, in order. Bad sequences that touch are one
    /// run.
    pub fn bad_runs(&self) -> impl ExactSizeIterator<Item = Range<usize>> + '_ {
        self.bad.iter().cloned()
    }

    /// Undoes escapes and normalises white space; a hard line break becomes `hard_break`.
    fn cook(self, hard_break: u8) -> Self {
        let cooked = match unescape::unescape(self.text.as_bytes(), hard_break) {
            Cow::Borrowed(_) => None,
            cooked => Some(unescape::to_str(cooked).into_owned()),
        };
        Decoded { text: cooked.map_or(self.text, Cow::Owned), bad: self.bad }
    }
}

impl Charset {
    /// Decodes some bytes, all of which are text. A byte-order mark is a character like others
    /// here; [`DecodingReader`](super::DecodingReader) takes it off.
    ///
    /// Borrows where nothing changes: UTF-8, and ASCII in most charsets.
    pub fn decode(self, bytes: &[u8]) -> Decoded<'_> {
        if let Kind::Web(encoding) = self.0
            && let Some(text) = encoding.decode_without_bom_handling_and_without_replacement(bytes)
        {
            return Decoded { text, bad: Vec::new() };
        }
        let (mut text, mut bad) = (String::new(), Vec::<Range<usize>>::new());
        Decoder::new(self).feed(bytes, true, &mut text, |range, _| {
            let range = range.start as usize..range.end as usize;
            match bad.last_mut() {
                Some(run) if run.end == range.start => run.end = range.end,
                _ => bad.push(range),
            }
        });
        Decoded { text: Cow::Owned(text), bad }
    }

    /// Reads a raw value in this charset as FF\[4\] *Text*: see
    /// [`RawValue::text`](crate::RawValue::text).
    ///
    /// Bytes become characters first, and then escapes are undone: in Shift_JIS the character
    /// `申` is 90 5C, and its second byte is no backslash. The places of bad bytes are those in
    /// the raw value.
    ///
    /// ```
    /// use sgf_stream::RawValue;
    /// use sgf_stream::charset::Charset;
    ///
    /// let value = RawValue::new(b"\x90\x5C \\\\");
    /// assert_eq!(Charset::SHIFT_JIS.text(value).text(), r"申 \");
    /// ```
    pub fn text(self, value: RawValue<'_>) -> Decoded<'_> {
        self.decode(value.as_bytes()).cook(b'\n')
    }

    /// Reads a raw value in this charset as FF\[4\] *SimpleText*: see
    /// [`RawValue::simple_text`](crate::RawValue::simple_text). Otherwise as
    /// [`text`](Self::text).
    pub fn simple_text(self, value: RawValue<'_>) -> Decoded<'_> {
        self.decode(value.as_bytes()).cook(b' ')
    }
}

/// How much is decoded in one go, in bytes.
const AT_ONCE: usize = 512;

/// Decodes one stream.
#[derive(Debug)]
pub(super) struct Decoder {
    kind: Stream,
    /// How many bytes have been decoded.
    at: u64,
}

#[derive(Debug)]
enum Stream {
    Web(Box<encoding_rs::Decoder>),
    Units(Units),
}

impl Decoder {
    pub(super) fn new(charset: Charset) -> Self {
        let kind = match charset.0 {
            Kind::Web(encoding) => Stream::Web(Box::new(encoding.new_decoder_without_bom_handling())),
            Kind::Utf32 { big_endian } => Stream::Units(Units::utf32(big_endian)),
            Kind::SevenBit(charset) => Stream::Units(Units::seven_bit(charset)),
        };
        Decoder { kind, at: 0 }
    }

    /// How much of a piece is the same in UTF-8, if it comes next.
    pub(super) fn plain_up_to(&self, piece: &[u8]) -> usize {
        let Stream::Web(decoder) = &self.kind else { return 0 };
        // It answers only if it stands between two characters, in ASCII.
        if decoder.latin1_byte_compatible_up_to(piece).is_none() {
            return 0;
        }
        match decoder.encoding() {
            utf_8 if utf_8 == encoding_rs::UTF_8 => Encoding::utf8_valid_up_to(piece),
            encoding if encoding.is_ascii_compatible() => Encoding::ascii_valid_up_to(piece),
            _ => 0,
        }
    }

    /// Takes bytes as decoded that [`plain_up_to`](Self::plain_up_to) has named.
    pub(super) fn pass(&mut self, len: usize) {
        self.at += len as u64;
    }

    /// Decodes a piece; `last` if it is the last one, after which there must be no other. Calls
    /// back with the place of each bad sequence, counted from the start of the stream, and the
    /// length of the text in front of its U+FFFD.
    pub(super) fn feed(&mut self, piece: &[u8], last: bool, text: &mut String, mut bad: impl FnMut(Range<u64>, usize)) {
        let at = &mut self.at;
        match &mut self.kind {
            Stream::Web(decoder) => {
                // Through a small buffer: a call touches all the room that it is given, and comes
                // back at every bad sequence.
                let room = decoder.max_utf8_buffer_length_without_replacement(piece.len().min(AT_ONCE));
                let mut part = String::with_capacity(room.unwrap_or(4 * AT_ONCE));
                let mut rest = piece;
                loop {
                    let (result, read) = decoder.decode_to_string_without_replacement(rest, &mut part, last);
                    text.push_str(&part);
                    part.clear();
                    rest = &rest[read..];
                    *at += read as u64;
                    match result {
                        DecoderResult::InputEmpty => break,
                        DecoderResult::OutputFull => {}
                        DecoderResult::Malformed(len, after) => {
                            let end = *at - u64::from(after);
                            bad(end - u64::from(len)..end, text.len());
                            text.push(char::REPLACEMENT_CHARACTER);
                        }
                    }
                }
            }
            Stream::Units(units) => units.feed(piece, last, |unit, len| {
                let start = *at;
                *at += len as u64;
                match unit {
                    Unit::Char(char) => text.push(char),
                    Unit::Silent => {}
                    Unit::Bad => {
                        bad(start..*at, text.len());
                        text.push(char::REPLACEMENT_CHARACTER);
                    }
                }
            }),
        }
    }
}
