//! Which charset a game's texts are in: the policy, and one decision by it.

use std::fmt;

use super::{Charset, Decoded, DecodingReader};
use crate::syntax::tokenizer::declared::Given;
use crate::{Code, RawValue};

/// How to find the charset of texts, and what to do about bad bytes.
///
/// | | in this order |
/// |---|---|
/// | [`force`](Self::force) | the charset that the caller insists on |
/// | | the byte-order mark of the file, which speaks for all its games |
/// | | `CA` in the root of the game; one that nobody knows is Latin-1 ([windows-1252]), and a finding |
/// | [`default_charset`](Self::default_charset) | the charset of games that do not say; ISO-8859-1 by the letter of FF\[4\] |
/// | | detection: see [`Charset::detect`] |
///
/// [windows-1252]: Charset::WINDOWS_1252
///
/// ```
/// use sgf_stream::RawValue;
/// use sgf_stream::charset::{Charset, Decoding, CharsetSource};
///
/// let decoding = Decoding::new();
/// let (ca, name) = (RawValue::new(b"EUC-KR"), RawValue::new(b"\xC0\xCC\xC3\xA2\xC8\xA3"));
/// let korean = decoding.decide(None, Some(ca), [name])?;
/// assert_eq!((korean.charset(), korean.source()), (Charset::EUC_KR, CharsetSource::Declared));
/// assert_eq!(korean.simple_text(name).text(), "이창호");
///
/// let name = RawValue::new("이창호".as_bytes());
/// let unknown = decoding.decide(None, None, [name])?;
/// assert_eq!((unknown.charset(), unknown.source()), (Charset::UTF_8, CharsetSource::Detected));
/// # Ok::<(), sgf_stream::charset::CharsetError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Decoding {
    pub(super) forced: Option<Charset>,
    pub(super) default: Option<Charset>,
    pub(super) bad_bytes: BadBytes,
    pub(super) strict: bool,
    pub(super) without_sniffing: bool,
    pub(super) trusts_ca: bool,
}

/// What to do about bytes that the charset does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum BadBytes {
    /// Put U+FFFD in their place, and go on.
    #[default]
    Replace,
    /// Stop with [`CharsetError::BadBytes`].
    Error,
}

impl Decoding {
    /// The table above, without a default; bad bytes are replaced. Right for archives of all
    /// kinds.
    pub fn new() -> Self {
        Decoding::default()
    }

    /// UTF-8, whatever the file says, as [`RawValue::text`] reads; for bytes that have been
    /// transcoded already.
    pub fn utf8() -> Self {
        Decoding::new().force(Charset::UTF_8)
    }

    /// Reads everything in this charset. Default: nothing is forced.
    #[must_use]
    pub fn force(mut self, charset: Charset) -> Self {
        self.forced = Some(charset);
        self
    }

    /// The charset of games that name none, instead of detection. Default: detection. FF\[4\]
    /// has [`Charset::WINDOWS_1252`] here; real files that name none are in UTF-8 as often, or
    /// in the charset of their country.
    #[must_use]
    pub fn default_charset(mut self, charset: Charset) -> Self {
        self.default = Some(charset);
        self
    }

    /// What to do about bad bytes. Default: [`BadBytes::Replace`].
    #[must_use]
    pub fn bad_bytes(mut self, bad_bytes: BadBytes) -> Self {
        self.bad_bytes = bad_bytes;
        self
    }

    /// Whether a `CA` that nobody knows, or a blank one, is an error. Otherwise the one is Latin-1, and the other
    /// says nothing. Default: no.
    #[must_use]
    pub fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// Whether the front ends of a [`Parser`](crate::Parser) look at the first game of a stream before they
    /// begin, where the charset is a matter of detection. If that game names no charset and is most likely in
    /// Shift_JIS, Big5, GBK or GB18030, they step over the two-byte characters of all games that name none,
    /// from the first byte on, and say so: [`Reader::detected_charset`](crate::Reader::detected_charset) and
    /// its like. Default: yes.
    ///
    /// No event comes before the first `CA`, or the end of the first game, or 64 KiB, or the end of the
    /// data. So turn it off to watch a game that a peer sends move by move. A byte range of an archive
    /// ([`Split::range`](crate::parallel::Split::range)) is read by what the start of the archive shows.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    /// use sgf_stream::charset::{Charset, Decoding};
    /// use sgf_stream::{Parser, RawValue};
    ///
    /// let text = Charset::SHIFT_JIS.encoding().unwrap().encode("ソの予定表は能力のある棋士の対局です").0;
    /// let file = [b"(;PB[", &text[..], b"]BR[9d];B[dd])"].concat();
    /// let mut games = Parser::new().charset(Decoding::new()).slice(&file).games::<BTreeMap<String, String>>();
    /// assert_eq!(games.next().unwrap().unwrap()["BR"], "9d");
    /// ```
    #[must_use]
    pub fn sniff(mut self, on: bool) -> Self {
        self.without_sniffing = !on;
        self
    }

    /// Whether `CA` is taken at its word. Default: no, a value that `CA` does not describe and that is in UTF-8
    /// is read as UTF-8, and reported once a game ([`Code::CharsetMismatch`]): see
    /// [`TreeCharset::charset_of`].
    #[must_use]
    pub fn trust_ca(mut self, on: bool) -> Self {
        self.trusts_ca = on;
        self
    }

    /// Decides for one game: by the byte-order mark of its file, the first value of `CA` in its
    /// root, and, if these say nothing, by as many of its texts as there are. Other values than
    /// texts do no harm.
    ///
    /// # Errors
    ///
    /// [`CharsetError::UnknownLabel`], if it is [`strict`](Self::strict).
    pub fn decide<'a>(
        &self,
        bom: Option<Charset>,
        ca: Option<RawValue<'_>>,
        texts: impl IntoIterator<Item = RawValue<'a>>,
    ) -> Result<TreeCharset, CharsetError> {
        if let Some(given) = self.given(bom) {
            return Ok(given);
        }
        if let Some(declared) = ca.and_then(|ca| self.declared(ca).transpose()) {
            return declared;
        }
        Ok(self.undeclared().unwrap_or_else(|| self.tree(Charset::detect(texts), CharsetSource::Detected)))
    }

    /// A reader that transcodes a stream to UTF-8 by this policy, taking it for one text in one
    /// charset. See [`DecodingReader`].
    pub fn reader<R>(self, inner: R) -> DecodingReader<R> {
        DecodingReader::with(self, inner)
    }

    pub(super) fn tree(&self, charset: Charset, source: CharsetSource) -> TreeCharset {
        TreeCharset { charset, source, trusts_ca: self.trusts_ca }
    }

    /// What the tokenizer has to know before it reads.
    pub(crate) fn given_to_tokenizer(&self) -> Given {
        match (self.forced, self.default) {
            (Some(forced), _) => Given::Forced(forced.two_byte()),
            (None, Some(default)) => default.two_byte().map_or(Given::Nothing, Given::Default),
            (None, None) if !self.without_sniffing => Given::Detect,
            (None, None) => Given::Nothing,
        }
    }

    /// What is known before anything is read.
    pub(super) fn given(&self, bom: Option<Charset>) -> Option<TreeCharset> {
        let forced = self.forced.map(|charset| self.tree(charset, CharsetSource::Forced));
        forced.or(bom.map(|charset| self.tree(charset, CharsetSource::Bom)))
    }

    /// What `CA` says; nothing if it is blank, and may be.
    pub(super) fn declared(&self, ca: RawValue<'_>) -> Result<Option<TreeCharset>, CharsetError> {
        let label = ca.simple_text_bytes();
        let label = label.trim_ascii();
        match Charset::for_label(label) {
            Some(charset) => Ok(Some(self.tree(charset, CharsetSource::Declared))),
            None if label.is_empty() && !self.strict => Ok(None),
            None if self.strict => {
                // As much as an error message can hold.
                let label = String::from_utf8_lossy(&label[..label.len().min(64)]).into_owned();
                Err(CharsetError::UnknownLabel { label, offset: None })
            }
            None => Ok(Some(self.tree(Charset::WINDOWS_1252, CharsetSource::UnknownLabel))),
        }
    }

    /// What a game without `CA` is in, if that is settled.
    pub(super) fn undeclared(&self) -> Option<TreeCharset> {
        self.default.map(|charset| self.tree(charset, CharsetSource::Default))
    }
}

/// The charset of one game's texts, and how it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TreeCharset {
    pub(super) charset: Charset,
    pub(super) source: CharsetSource,
    trusts_ca: bool,
}

/// How a charset is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CharsetSource {
    /// The caller insists on it.
    Forced,
    /// The file starts with its byte-order mark.
    Bom,
    /// `CA` names it.
    Declared,
    /// There is no `CA`, and it is the caller's default.
    Default,
    /// There is no `CA`, and it is the most likely.
    Detected,
    /// `CA` names a charset that nobody knows; this is Latin-1.
    UnknownLabel,
}

impl TreeCharset {
    /// The charset.
    pub fn charset(self) -> Charset {
        self.charset
    }

    /// How it is known.
    pub fn source(self) -> CharsetSource {
        self.source
    }

    /// The charset of one value: that of its game; or UTF-8, if `CA` is not true of the value and UTF-8 is.
    ///
    /// Files that were converted to UTF-8 and kept their `CA` are common, and one program writes
    /// `CA[ISO-2022-KR]` into files that are in UTF-8. So where the charset is the word of `CA`, a value with
    /// high bytes that is UTF-8 from end to end is UTF-8, whatever `CA` names: texts in other charsets do not
    /// look like that. (`Ã¤` in Latin-1 does, but nobody means it.) The parser steps over two-byte characters
    /// by the same judgement. There is one exception, which looks the same to the parser, in the charsets of
    /// several bytes a character: two-byte sequences only, none beside a letter of ASCII, all of which the
    /// named charset has too. `时越` in GBK is such a one (CA B1 D4 BD, in UTF-8 `ʱԽ`).
    ///
    /// Where `CA` names UTF-16 or UTF-32, the value is in it only if it cannot be UTF-8, or has a
    /// NUL.
    ///
    /// Charsets that were forced, detected, or given by a byte-order mark or as a default are believed. So is
    /// `CA` under [`Decoding::trust_ca`].
    pub fn charset_of(self, value: RawValue<'_>) -> Charset {
        let (charset, raw) = (self.charset, value.as_bytes());
        let may_be_false =
            !self.trusts_ca && matches!(self.source, CharsetSource::Declared | CharsetSource::UnknownLabel);
        if !may_be_false || raw.is_ascii() && !charset.is_wide() {
            return charset;
        }
        let has_pairs = charset.is_ascii_compatible() && !charset.is_single_byte();
        let is_utf8 = !(charset.is_wide() && raw.contains(&0))
            && str::from_utf8(raw).is_ok()
            && !(has_pairs && only_pairs(raw) && charset.decode(raw).is_sound());
        if is_utf8 { Charset::UTF_8 } else { charset }
    }

    /// Whether a value is text in UTF-8 though `CA` says otherwise.
    ///
    /// ```
    /// use sgf_stream::RawValue;
    /// use sgf_stream::charset::Decoding;
    ///
    /// let game = Decoding::new().decide(None, Some(RawValue::new(b"ISO-2022-KR")), [])?;
    /// let name = RawValue::new("구리".as_bytes());
    /// assert!(game.is_contradicted_by(name));
    /// assert_eq!(game.simple_text(name).text(), "구리");
    /// # Ok::<(), sgf_stream::charset::CharsetError>(())
    /// ```
    pub fn is_contradicted_by(self, value: RawValue<'_>) -> bool {
        !value.as_bytes().is_ascii() && self.charset_of(value) != self.charset
    }

    /// Whether a value would be the same text in UTF-8.
    pub(crate) fn reads_as_utf8(self, value: RawValue<'_>) -> bool {
        let raw = value.as_bytes();
        raw.is_ascii() && self.charset.is_ascii_compatible() || self.decode(value).text().as_bytes() == raw
    }

    /// A raw value of this game in UTF-8, still escaped: what the types of
    /// [`value`](crate::value) and [`Property::parse`](crate::property::Property::parse) read.
    ///
    /// ```
    /// use sgf_stream::RawValue;
    /// use sgf_stream::charset::Decoding;
    /// use sgf_stream::value::Rank;
    ///
    /// let game = Decoding::new().decide(None, Some(RawValue::new(b"GB2312")), [])?;
    /// let raw = RawValue::new(b"9\xB6\xCE"); // 9段
    /// assert_eq!(Rank::parse_lenient(game.decode(raw).text())?.to_string(), "9d");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn decode(self, value: RawValue<'_>) -> Decoded<'_> {
        self.charset_of(value).decode(value.as_bytes())
    }

    /// Reads a raw value of this game as FF\[4\] *Text*: see [`Charset::text`] and
    /// [`charset_of`](Self::charset_of).
    pub fn text(self, value: RawValue<'_>) -> Decoded<'_> {
        self.charset_of(value).text(value)
    }

    /// Reads a raw value of this game as FF\[4\] *SimpleText*: see [`Charset::simple_text`] and
    /// [`charset_of`](Self::charset_of).
    pub fn simple_text(self, value: RawValue<'_>) -> Decoded<'_> {
        self.charset_of(value).simple_text(value)
    }
}

/// Whether all high bytes of some UTF-8 are pairs that are characters of GBK and Big5 (or two of
/// Shift_JIS) as likely as of UTF-8. A pair that touches a letter (`Müller`) is not.
fn only_pairs(utf8: &[u8]) -> bool {
    let is_letter = |at: Option<usize>| at.and_then(|at| utf8.get(at)).is_some_and(u8::is_ascii_alphabetic);
    let mut at = 0;
    while at < utf8.len() {
        at += match utf8[at..] {
            [byte, ..] if byte.is_ascii() => 1,
            [0xC2..=0xDF, 0xA1..=0xBF, ..] if !is_letter(at.checked_sub(1)) && !is_letter(Some(at + 2)) => 2,
            _ => return false,
        };
    }
    true
}

/// A text that cannot be read, by a policy that does not forgive it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CharsetError {
    /// `CA` names a charset that nobody knows: see [`Decoding::strict`].
    UnknownLabel {
        /// The name, of which at most 64 bytes.
        label: String,
        /// The byte offset of the name in the stream. `None` where a value was judged alone.
        offset: Option<u64>,
    },
    /// The text has bytes that its charset does not have: see [`BadBytes::Error`].
    BadBytes {
        /// The charset.
        charset: Charset,
        /// The byte offset of the first bad byte in the stream.
        offset: u64,
    },
}

impl CharsetError {
    /// What is wrong, as a code.
    pub fn code(&self) -> Code {
        match self {
            CharsetError::UnknownLabel { .. } => Code::UnknownCharset,
            CharsetError::BadBytes { .. } => Code::BadBytes,
        }
    }

    /// The byte offset of it in the stream, where that is known.
    pub fn offset(&self) -> Option<u64> {
        match self {
            CharsetError::UnknownLabel { offset, .. } => *offset,
            CharsetError::BadBytes { offset, .. } => Some(*offset),
        }
    }
}

impl fmt::Display for CharsetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(offset) = self.offset() {
            write!(f, "byte {offset}: ")?;
        }
        match self {
            CharsetError::UnknownLabel { label, .. } => write!(f, "no charset is called {label:?}")?,
            CharsetError::BadBytes { charset, .. } => write!(f, "expected text in {charset}")?,
        }
        write!(f, " [{}]", self.code())
    }
}

impl std::error::Error for CharsetError {}

impl From<CharsetError> for std::io::Error {
    fn from(error: CharsetError) -> Self {
        std::io::Error::new(std::io::ErrorKind::InvalidData, error)
    }
}
