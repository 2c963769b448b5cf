//! The decoding policy, and its decision for one game.

use std::fmt;

use super::{Charset, Decoded, DecodingReader};
use crate::raw::RawValue;
use crate::raw::two_byte::MAX_LABEL;
use crate::syntax::fault::Code;
use crate::syntax::tokenizer::declared::Given;

/// A policy for finding the charset of texts and for handling invalid bytes.
///
/// | | tried in this order |
/// |---|---|
/// | [`force`](Self::force) | the charset that the caller insists on |
/// | | the byte-order mark of the file, which applies to all its games |
/// | | `CA` in the root of the game; an unknown name means Latin-1 ([windows-1252]) and is reported. [`game_charset`](Self::game_charset) finds out whether `CA` is wrong |
/// | [`default_charset`](Self::default_charset) | the charset of games without `CA`; in FF\[4\] it is ISO-8859-1 |
/// | | detection; see [`Charset::detect`] |
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
    pub(super) known_names_only: bool,
    pub(super) without_sniffing: bool,
    pub(super) trusts_ca: bool,
    /// The charset from which the bytes were transcoded to UTF-8.
    pub(super) original: Option<Charset>,
}

/// Handling of bytes that are invalid in the charset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum BadBytes {
    /// Replace them with U+FFFD and continue.
    #[default]
    Replace,
    /// Fail with [`CharsetError::BadBytes`].
    Error,
}

impl Decoding {
    /// Creates the policy of the table above, without a default charset; invalid bytes are replaced.
    ///
    /// It is suitable for most collections.
    pub fn new() -> Self {
        Decoding::default()
    }

    /// Creates a policy that reads everything as UTF-8, like [`RawValue::text`].
    ///
    /// For bytes that have already been transcoded.
    pub fn utf8() -> Self {
        Decoding::new().force(Charset::UTF_8)
    }

    /// Sets the charset in which everything is read. Default: none.
    #[must_use]
    pub fn force(mut self, charset: Charset) -> Self {
        self.forced = Some(charset);
        self
    }

    /// Sets the charset of games without `CA`. Default: it is detected.
    ///
    /// FF\[4\] specifies [`Charset::WINDOWS_1252`]; real files without `CA` are as often in UTF-8, or in the charset
    /// of their country.
    #[must_use]
    pub fn default_charset(mut self, charset: Charset) -> Self {
        self.default = Some(charset);
        self
    }

    /// Sets how to handle invalid bytes. Default: [`BadBytes::Replace`].
    #[must_use]
    pub fn bad_bytes(mut self, bad_bytes: BadBytes) -> Self {
        self.bad_bytes = bad_bytes;
        self
    }

    /// Sets whether an unknown or blank `CA` is an error. Default: false.
    ///
    /// Otherwise an unknown one means Latin-1, and a blank one is ignored.
    #[must_use]
    pub fn known_names_only(mut self, on: bool) -> Self {
        self.known_names_only = on;
        self
    }

    /// Sets whether readers of a [`Parser`](crate::Parser) detect the charset from the first game. Default: true.
    ///
    /// This matters only if the charset is detected at all. If the first game has no `CA` and is most likely in
    /// Shift_JIS, Big5, GBK or GB18030, the reader recognizes the two-byte characters of all games without `CA`, from
    /// the first byte on, and [`Reader::detected_charset`](crate::Reader::detected_charset) and its counterparts
    /// return the charset.
    ///
    /// It delays the first event until the first `CA`, the end of the first game, 64 KiB, or the end of the data.
    /// Turn it off to follow a game that a peer sends move by move. A byte range of a file
    /// ([`Split::range`](crate::parallel::Split::range)) is read in the charset found at the start of the file.
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

    /// Sets whether `CA` is always trusted. Default: false.
    ///
    /// Otherwise a value that is not in the charset of `CA` but in UTF-8 is read as UTF-8, and reported once per game
    /// ([`Code::CharsetMismatch`]); see [`TreeCharset::charset_of`].
    #[must_use]
    pub fn trust_ca(mut self, on: bool) -> Self {
        self.trusts_ca = on;
        self
    }

    /// Decides the charset of one game.
    ///
    /// Uses the byte-order mark of its file, the first value of `CA` in its root, and, if these are missing, the
    /// texts passed in `values`. Values that are not texts are harmless.
    ///
    /// # Errors
    ///
    /// Fails if `CA` is unknown and only [known names](Self::known_names_only) are allowed.
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

    /// Returns a reader that transcodes a stream to UTF-8 according to this policy.
    ///
    /// The stream is taken as one text in one charset. See [`DecodingReader`].
    pub fn reader<R>(self, inner: R) -> DecodingReader<R> {
        DecodingReader::with(self, inner)
    }

    /// Returns how invalid bytes are handled.
    #[doc(hidden)]
    pub fn bad_bytes_policy(&self) -> BadBytes {
        self.bad_bytes
    }

    pub(super) fn tree(&self, charset: Charset, source: CharsetSource) -> TreeCharset {
        TreeCharset { charset, source, trusts_ca: self.trusts_ca }
    }

    /// Returns the charset that the tokenizer must know before it reads.
    pub(crate) fn given_to_tokenizer(&self) -> Given {
        match (self.forced, self.default) {
            (Some(forced), _) => Given::Forced(forced.two_byte()),
            (None, Some(default)) => default.two_byte().map_or(Given::Nothing, Given::Default),
            (None, None) if !self.without_sniffing => Given::Detect,
            (None, None) => Given::Nothing,
        }
    }

    /// Returns the charset that is known before anything is read.
    pub(super) fn given(&self, bom: Option<Charset>) -> Option<TreeCharset> {
        let forced = self.forced.map(|charset| self.tree(charset, CharsetSource::Forced));
        forced.or(bom.map(|charset| self.tree(charset, CharsetSource::Bom)))
    }

    /// Returns the charset that `CA` names; `None` if `CA` is blank and that is allowed. A value longer than any name
    /// is not a name, blank or not: the tokenizer does not keep all of it.
    pub(super) fn declared(&self, ca: RawValue<'_>) -> Result<Option<TreeCharset>, CharsetError> {
        let label = ca.simple_text_bytes();
        let label = label.trim_ascii();
        let may_be_name = ca.as_bytes().len() <= MAX_LABEL;
        match Charset::for_name(label).filter(|_| may_be_name) {
            Some(charset) => Ok(Some(self.tree(charset, CharsetSource::Declared))),
            None if label.is_empty() && may_be_name && !self.known_names_only => Ok(None),
            None if self.known_names_only => {
                // Truncated to keep the error message short.
                let name = String::from_utf8_lossy(&label[..label.len().min(MAX_LABEL)]).into_owned();
                Err(CharsetError::UnknownName { name, offset: None })
            }
            None => Ok(Some(self.tree(Charset::WINDOWS_1252, CharsetSource::UnknownName))),
        }
    }

    /// Returns the charset of a game without `CA`, if no detection is needed.
    pub(super) fn undeclared(&self) -> Option<TreeCharset> {
        self.default.map(|charset| self.tree(charset, CharsetSource::Default))
    }
}

/// The charset of one game's texts, and its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TreeCharset {
    pub(super) charset: Charset,
    pub(super) source: CharsetSource,
    pub(super) trusts_ca: bool,
}

/// The source of a charset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CharsetSource {
    /// The caller forced it.
    Forced,
    /// The file starts with its byte-order mark.
    Bom,
    /// `CA` names it.
    Declared,
    /// It is the caller's default for games without `CA`.
    Default,
    /// Detection found it most likely in a game without `CA`.
    Detected,
    /// `CA` names an unknown charset; Latin-1 is used.
    UnknownName,
}

impl TreeCharset {
    /// Returns a charset that all texts are read in.
    #[doc(hidden)]
    pub fn of(charset: Charset) -> Self {
        TreeCharset { charset, source: CharsetSource::Forced, trusts_ca: false }
    }

    /// Returns this with another charset, for a wrong `CA`. Single values may still be in UTF-8.
    #[doc(hidden)]
    #[must_use]
    pub fn instead(self, charset: Charset) -> Self {
        TreeCharset { charset, ..self }
    }

    /// Returns the charset.
    pub fn charset(self) -> Charset {
        self.charset
    }

    /// Returns how the charset was found.
    pub fn source(self) -> CharsetSource {
        self.source
    }

    /// Returns the charset of one value: the game's, or UTF-8 if the value contradicts `CA`.
    ///
    /// Files that were converted to UTF-8 and kept their `CA` are common, and one program writes `CA[ISO-2022-KR]`
    /// into UTF-8 files. If the charset comes from `CA`, a value with high bytes that is valid UTF-8 is therefore
    /// read as UTF-8, regardless of `CA`: texts in other charsets do not look like that. (`Ã¤` in Latin-1 does, but
    /// is never intended.) The parser recognizes two-byte characters according to the same rule. Multi-byte charsets
    /// have one exception, which the parser cannot distinguish either: values whose high bytes are all two-byte UTF-8
    /// sequences, none next to an ASCII letter, and all also valid in the named charset. `时越` in GBK is an example
    /// (CA B1 D4 BD, in UTF-8 `ʱԽ`).
    ///
    /// If `CA` names UTF-16 or UTF-32, the value is in it only if it is not valid UTF-8 or has a NUL.
    ///
    /// A charset that was forced, detected, set as the default, or indicated by a byte-order mark is always used. So
    /// is `CA` with [`Decoding::trust_ca`].
    pub fn charset_of(self, value: RawValue<'_>) -> Charset {
        let (charset, raw) = (self.charset, value.as_bytes());
        let may_be_false =
            !self.trusts_ca && matches!(self.source, CharsetSource::Declared | CharsetSource::UnknownName);
        if !may_be_false || raw.is_ascii() && !charset.is_wide() {
            return charset;
        }
        let has_pairs = charset.is_ascii_compatible() && !charset.is_single_byte();
        let is_utf8 = !(charset.is_wide() && raw.contains(&0))
            && str::from_utf8(raw).is_ok()
            && !(has_pairs && only_pairs(raw) && charset.decode(raw).is_sound());
        if is_utf8 { Charset::UTF_8 } else { charset }
    }

    /// Returns whether a value is text in UTF-8 although `CA` names another charset.
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

    /// Returns whether a value decodes to its own bytes.
    ///
    /// It can be read as UTF-8 then.
    #[doc(hidden)]
    pub fn reads_as_utf8(self, value: RawValue<'_>) -> bool {
        let raw = value.as_bytes();
        raw.is_ascii() && self.charset.is_ascii_compatible() || self.decode(value).text().as_bytes() == raw
    }

    /// Decodes a raw value of this game to UTF-8, still escaped.
    ///
    /// The types of [`value`](crate::value) and [`Property::parse`](crate::property::Property::parse) expect this form.
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

    /// Decodes a raw value of this game as FF\[4\] *Text*; see [`Charset::text`] and
    /// [`charset_of`](Self::charset_of).
    pub fn text(self, value: RawValue<'_>) -> Decoded<'_> {
        self.charset_of(value).text(value)
    }

    /// Decodes a raw value of this game as FF\[4\] *SimpleText*; see [`Charset::simple_text`] and
    /// [`charset_of`](Self::charset_of).
    pub fn simple_text(self, value: RawValue<'_>) -> Decoded<'_> {
        self.charset_of(value).simple_text(value)
    }
}

/// Returns whether all high bytes of a UTF-8 text form ambiguous pairs. Such pairs are as likely characters of GBK
/// and Big5 (or two of Shift_JIS) as of UTF-8. A pair next to an ASCII letter (`Müller`) is not.
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

/// The error of a text that the policy rejects.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CharsetError {
    /// `CA` names an unknown charset; see [`Decoding::known_names_only`].
    UnknownName {
        /// The name, truncated to 64 bytes.
        name: String,
        /// The byte offset of the name in the stream; `None` if the value was decoded separately.
        offset: Option<u64>,
    },
    /// The text has bytes that are invalid in its charset; see [`BadBytes::Error`].
    BadBytes {
        /// The charset.
        charset: Charset,
        /// The byte offset of the first invalid byte in the stream.
        offset: u64,
    },
}

impl CharsetError {
    /// Returns the code of the corresponding diagnostic.
    pub fn code(&self) -> Code {
        match self {
            CharsetError::UnknownName { .. } => Code::UnknownCharset,
            CharsetError::BadBytes { .. } => Code::BadBytes,
        }
    }

    /// Returns the byte offset of the error in the stream, if known.
    pub fn offset(&self) -> Option<u64> {
        match self {
            CharsetError::UnknownName { offset, .. } => *offset,
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
            CharsetError::UnknownName { name, .. } => write!(f, "unknown charset name {name:?}")?,
            CharsetError::BadBytes { charset, .. } => write!(f, "bytes that are invalid in {charset}")?,
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
