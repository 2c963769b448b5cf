//! Decodes a text at once, or a stream in chunks, and records the invalid bytes.
//!
//! Each byte sequence that cannot start a character (the "maximal subpart" of Unicode and of the Encoding Standard)
//! becomes one U+FFFD, as in `String::from_utf8_lossy` and [`RawValue::text`](crate::RawValue::text), so all three
//! agree on UTF-8. *Reports* refer to runs: adjacent invalid sequences count as one.

use std::borrow::Cow;
use std::ops::Range;

use encoding_rs::{DecoderResult, Encoding};

use super::Charset;
use super::label::DecoderKind;
use super::units::{Unit, Units};
use crate::raw::RawValue;
use crate::raw::unescape;
use crate::work;

/// A decoded text, and the ranges of its invalid bytes.
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
    /// Returns the text, with U+FFFD for each invalid sequence.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the text, borrowed from the input bytes if unchanged.
    pub fn into_text(self) -> Cow<'a, str> {
        self.text
    }

    /// Returns whether all bytes were valid.
    pub fn is_sound(&self) -> bool {
        self.bad.is_empty()
    }

    /// Returns the ranges of invalid bytes in the input, in order. Adjacent invalid sequences are one run.
    pub fn bad_runs(&self) -> impl ExactSizeIterator<Item = Range<usize>> + '_ {
        self.bad.iter().cloned()
    }

    /// Undoes escapes and normalizes white space; a hard line break becomes `hard_break`.
    fn unescape(self, hard_break: u8) -> Self {
        let unescaped = match unescape::unescape(self.text.as_bytes(), hard_break) {
            Cow::Borrowed(_) => None,
            unescaped => Some(unescape::to_str(unescaped).into_owned()),
        };
        Decoded { text: unescaped.map_or(self.text, Cow::Owned), bad: self.bad }
    }
}

impl Charset {
    /// Decodes bytes that are all text.
    ///
    /// A byte-order mark is decoded like any other character; [`DecodingReader`](super::DecodingReader) removes it.
    ///
    /// The result borrows from the bytes if nothing changes: UTF-8, and ASCII in most charsets.
    pub fn decode(self, bytes: &[u8]) -> Decoded<'_> {
        if let DecoderKind::Web(encoding) = self.0
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

    /// Decodes a raw value as FF\[4\] *Text*; see [`RawValue::text`](crate::RawValue::text).
    ///
    /// Bytes are decoded before escapes are undone: in Shift_JIS the character `申` is 90 5C, and its second byte is
    /// not a backslash. Ranges of invalid bytes refer to the raw value.
    ///
    /// ```
    /// use sgf_stream::RawValue;
    /// use sgf_stream::charset::Charset;
    ///
    /// let value = RawValue::new(b"\x90\x5C \\\\");
    /// assert_eq!(Charset::SHIFT_JIS.text(value).text(), r"申 \");
    /// ```
    pub fn text(self, value: RawValue<'_>) -> Decoded<'_> {
        self.decode(value.as_bytes()).unescape(b'\n')
    }

    /// Decodes a raw value as FF\[4\] *SimpleText*; see [`RawValue::simple_text`](crate::RawValue::simple_text).
    ///
    /// Otherwise it is like [`text`](Self::text).
    pub fn simple_text(self, value: RawValue<'_>) -> Decoded<'_> {
        self.decode(value.as_bytes()).unescape(b' ')
    }
}

/// Maximum number of bytes decoded in one call of `encoding_rs`.
const CHUNK: usize = 512;

/// Decodes one stream.
#[derive(Debug)]
pub(super) struct Decoder {
    kind: Stream,
    /// Number of bytes decoded so far.
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
            DecoderKind::Web(encoding) => Stream::Web(Box::new(encoding.new_decoder_without_bom_handling())),
            DecoderKind::Utf32 { big_endian } => Stream::Units(Units::utf32(big_endian)),
            DecoderKind::SevenBit(charset) => Stream::Units(Units::seven_bit(charset)),
        };
        Decoder { kind, at: 0 }
    }

    /// Returns how many leading bytes of the next chunk are already valid UTF-8 and need no decoding.
    pub(super) fn plain_up_to(&self, chunk: &[u8]) -> usize {
        let Stream::Web(decoder) = &self.kind else { return 0 };
        // `Some` only between two characters, in the ASCII state.
        if decoder.latin1_byte_compatible_up_to(chunk).is_none() {
            return 0;
        }
        match decoder.encoding() {
            utf_8 if utf_8 == encoding_rs::UTF_8 => Encoding::utf8_valid_up_to(chunk),
            encoding if encoding.is_ascii_compatible() => Encoding::ascii_valid_up_to(chunk),
            _ => 0,
        }
    }

    /// Skips bytes that [`plain_up_to`](Self::plain_up_to) found to need no decoding.
    pub(super) fn pass(&mut self, len: usize) {
        self.at += len as u64;
    }

    /// Decodes a chunk; `last` marks the final one. Calls `bad` for each invalid sequence, with its range in the
    /// stream and the length of `text` before its U+FFFD.
    pub(super) fn feed(&mut self, chunk: &[u8], last: bool, text: &mut String, mut bad: impl FnMut(Range<u64>, usize)) {
        let at = &mut self.at;
        match &mut self.kind {
            Stream::Web(decoder) => {
                // Decode through a small buffer: each call initializes all its output space and returns at every
                // invalid sequence.
                let room = decoder.max_utf8_buffer_length_without_replacement(chunk.len().min(CHUNK));
                let mut part = String::with_capacity(room.unwrap_or(4 * CHUNK));
                let mut rest = chunk;
                loop {
                    work::note(part.capacity());
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
            Stream::Units(units) => units.feed(chunk, last, |unit, len| {
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
