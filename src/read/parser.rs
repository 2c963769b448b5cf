//! The configuration of parsing. Each reader adds the methods that create it.

use std::fmt;

use crate::read::listener::Listener;
#[cfg(all(feature = "codec", feature = "serde"))]
use crate::syntax::diagnostic::Code;
use crate::syntax::diagnostic::{Diagnostic, DiagnosticLog};
use crate::syntax::simd::SimdLevel;
use crate::syntax::tokenizer::declared::Given;
use crate::syntax::tokenizer::{Config, Tokenizer};

/// The configuration of parsing, which creates every reader.
///
/// ```
/// use sgf_stream::Parser;
///
/// let parser = Parser::new()
///     .max_value_len(64 * 1024)
///     .on_diagnostic(|diagnostic| eprintln!("{diagnostic}"));
///
/// parser.parse(b"(;FF[4])", |event, offset| println!("{offset}: {event:?}"))?;
/// # Ok::<(), sgf_stream::SyntaxError>(())
/// ```
///
/// | to read | use |
/// |---|---|
/// | a slice, with a closure (the fastest) | [`parse`](Parser::parse) |
/// | a slice, as an iterator, or game by game | [`slice`](Parser::slice) |
/// | a file or another `BufRead`, in constant memory | [`open`](Parser::open), [`reader`](Parser::reader) |
/// | the rest of a reader's input, with a closure (nearly as fast) | [`Reader::for_each_event`](crate::Reader::for_each_event), [`SliceReader::for_each_event`](crate::SliceReader::for_each_event) |
/// | chunks, as they arrive | [`push`](Parser::push), [`push_games`](Parser::push_games) |
/// | anything that is `AsyncRead` (feature `codec`) | `event_stream`, `event_list_stream`, `game_stream`; with `serde`, `record_stream` |
/// | parts of one huge file, independently (feature `parallel`) | `split` |
#[derive(Clone)]
#[must_use = "a parser reads nothing until it is given a source"]
pub struct Parser {
    pub(crate) config: Config,
    pub(crate) listener: Listener,
}

impl Parser {
    /// Creates a lenient parser, which repairs syntax errors and reports them as [`Diagnostic`]s.
    ///
    /// See [`on_diagnostic`](Self::on_diagnostic) and [`log_to`](Self::log_to).
    pub fn new() -> Self {
        Parser { config: Config::default(), listener: Listener::NONE }
    }

    /// Creates a strict parser, which fails at the first violation of the FF\[4\] grammar.
    ///
    /// It checks the grammar only, not whether a property is allowed in its node or has a valid value.
    pub fn strict() -> Self {
        let mut parser = Parser::new();
        parser.config.strict = true;
        parser
    }

    /// Sets the maximum length of a value, in raw bytes between its brackets.
    ///
    /// Default: 1 MiB, 46 times the longest in a corpus of 10,887 real files. A longer value is dropped
    /// ([`ValueTooLong`](crate::Code::ValueTooLong)), unless it is skipped anyway. The limit bounds the memory of
    /// every reader of a stream.
    pub fn max_value_len(mut self, bytes: usize) -> Self {
        self.config.max_value_len = bytes;
        self
    }

    /// Sets the maximum length of an identifier, in bytes as spelled.
    ///
    /// Default: 256; the longest real one has 11. A property with a longer identifier is dropped
    /// ([`IdentTooLong`](crate::Code::IdentTooLong)).
    pub fn max_ident_len(mut self, bytes: usize) -> Self {
        self.config.max_ident_len = bytes;
        self
    }

    /// Sets the maximum nesting depth of trees; a game without variations has depth 1.
    ///
    /// Default: 1,048,576; real files reach 343. Deeper trees are dropped
    /// ([`TreeTooDeep`](crate::Code::TreeTooDeep)). The parser does not recurse; lower the limit if your code does.
    pub fn max_depth(mut self, trees: usize) -> Self {
        self.config.max_depth = trees;
        self
    }

    /// Sets the maximum length of a node that is buffered, in bytes.
    ///
    /// Nodes are buffered in a [`NodeRecord`](crate::NodeRecord) and for serde. The length is the bytes of its
    /// identifiers and values, plus 32 for each of them. Default: 16 MiB. The rest of a longer node is dropped
    /// ([`NodeTooLong`](crate::Code::NodeTooLong)).
    pub fn max_node_len(mut self, bytes: usize) -> Self {
        self.config.max_node_len = bytes;
        self
    }

    /// Sets the maximum length of a game that is buffered, in bytes including its parentheses.
    ///
    /// The codecs of whole games (`GameCodec`, `RecordCodec`) and the parts of a stream (`Parts`) buffer games.
    /// Default: 16 MiB; the longest real game has 1.3 MB. A longer game is one error
    /// ([`GameTooLong`](crate::Code::GameTooLong)) and is dropped; the next game follows. The limit bounds the memory
    /// that one peer can make a program use; lower it for many peers.
    pub fn max_game_len(mut self, bytes: usize) -> Self {
        self.config.max_game_len = bytes;
        self
    }

    /// Sets how the layers that produce text ([`de`](crate::de)) determine its charset.
    ///
    /// Default: UTF-8 with replacement, like [`RawValue::text`](crate::RawValue::text). [`Decoding::new`] determines
    /// the charset of each game from a byte-order mark, `CA`, or detection.
    ///
    /// Every reader also tokenizes accordingly. If the caller [forces] a charset with two-byte characters, or makes
    /// it the [default](crate::charset::Decoding::default_charset) of games without `CA`, or it is
    /// [detected](crate::charset::Decoding::sniff) at the start of the stream, its characters are recognized from the
    /// first byte on. The second byte of `ソ` (83 5C in Shift_JIS) then escapes no bracket, even before `CA`.
    ///
    /// [`Decoding::new`]: crate::charset::Decoding::new
    /// [forces]: crate::charset::Decoding::force
    ///
    /// ```
    /// use sgf_stream::charset::{Charset, Decoding};
    /// use sgf_stream::{Event, Parser};
    ///
    /// let mut values = Vec::new();
    /// let parser = Parser::new().charset(Decoding::new().force(Charset::SHIFT_JIS));
    /// parser.parse(b"(;PB[\x83\x5C]BR[9d])", |event, _| {
    ///     if let Event::Value(value) = event {
    ///         values.push(Charset::SHIFT_JIS.simple_text(value).into_text().into_owned());
    ///     }
    /// })?;
    /// assert_eq!(values, ["ソ", "9d"]);
    /// # Ok::<(), sgf_stream::SyntaxError>(())
    /// ```
    ///
    /// ```
    /// # #[cfg(feature = "serde")] {
    /// use std::collections::BTreeMap;
    /// use sgf_stream::{Parser, charset::Decoding};
    ///
    /// let collection = b"(;CA[Big5]PB[\xA7\x64\xB2\x4D\xB7\xBD])(;CA[UTF-8]PB[\xE5\xB0\x8F\xE6\x9E\x97])";
    /// let games = Parser::new().charset(Decoding::new()).slice(collection).games::<BTreeMap<String, String>>();
    /// let names: Vec<_> = games.map(|game| game.unwrap()["PB"].clone()).collect();
    /// assert_eq!(names, ["吳清源", "小林"]);
    /// # }
    /// ```
    #[cfg(feature = "charset")]
    pub fn charset(mut self, decoding: crate::charset::Decoding) -> Self {
        self.config.decoding = Some(decoding);
        self.config.given = decoding.given_to_tokenizer();
        self
    }

    /// Sets whether a value longer than [`max_value_len`](Self::max_value_len) is split instead of dropped.
    ///
    /// Its fragments have that length and arrive as [`Event::ValuePart`](crate::Event::ValuePart). Default: off. Use
    /// it to process values of any size in constant memory.
    ///
    /// ```
    /// use sgf_stream::{Event, Parser};
    ///
    /// let mut text = Vec::new();
    /// let parser = Parser::new().max_value_len(8).value_parts(true);
    /// parser.parse(b"(;C[longer than eight bytes])", |event, _| {
    ///     if let Event::ValuePart(part) = event {
    ///         text.extend_from_slice(part.bytes);
    ///     }
    /// })?;
    /// assert_eq!(text, b"longer than eight bytes");
    /// # Ok::<(), sgf_stream::SyntaxError>(())
    /// ```
    ///
    /// No fragment ends between a backslash and the byte that it escapes, nor inside a two-byte character. A fragment
    /// may therefore be up to two bytes longer than the limit. The last one of a truncated value may be about 260
    /// bytes longer.
    pub fn value_parts(mut self, on: bool) -> Self {
        self.config.value_parts = on;
        self
    }

    /// Sets whether lines are counted even without a callback for diagnostics.
    ///
    /// Readers then know the line of each game ([`Reader::game_position`](crate::Reader::game_position)). Default: off, except in strict mode,
    /// whose errors name lines.
    pub fn count_lines(mut self, on: bool) -> Self {
        self.config.count_lines = on;
        self
    }

    /// Forces a SIMD level instead of the best available one.
    ///
    /// For tests and benchmarks; it affects speed only.
    #[doc(hidden)]
    pub fn simd_level(mut self, level: SimdLevel) -> Self {
        self.config.simd = level;
        self
    }

    /// Adds a callback that receives every diagnostic.
    ///
    /// It applies to all readers created from this parser. Callbacks and [logs](Self::log_to) that were added before
    /// are called first. Default: none.
    ///
    /// Diagnostics come in the order in which [`parse`](Self::parse) reports them. Their order relative to events or
    /// values is not specified, because readers, codecs and serde parse ahead. If it matters, use an
    /// [`EventSink`](crate::EventSink), which receives both in one order. For a skipped game, only diagnostics about
    /// its bounds are guaranteed, and those about text between games.
    ///
    /// ```
    /// use sgf_stream::{DiagnosticLog, Parser};
    ///
    /// let log = DiagnosticLog::new(100);
    /// let parser = Parser::new().log_to(&log).on_diagnostic(|diagnostic| eprintln!("{diagnostic}"));
    /// parser.parse(b"(;FF[4]", |_, _| {})?; // prints a line
    /// assert_eq!(log.take().len(), 1);
    /// # Ok::<(), sgf_stream::SyntaxError>(())
    /// ```
    pub fn on_diagnostic(mut self, listener: impl Fn(&Diagnostic) + Send + Sync + 'static) -> Self {
        self.listener = self.listener.and(listener);
        self
    }

    /// Stores the diagnostics of every reader created from this parser in `log`.
    pub fn log_to(self, log: &DiagnosticLog) -> Self {
        let log = log.clone();
        self.on_diagnostic(move |diagnostic| log.push(diagnostic))
    }

    /// Restricts the callback to the diagnostics for which `is_reported` returns true.
    #[cfg(all(feature = "codec", feature = "serde"))]
    pub(crate) fn filtered(self, is_reported: fn(Code) -> bool) -> Self {
        Parser { listener: self.listener.filtered(is_reported), config: self.config }
    }

    /// Returns whether positions have line numbers.
    #[cfg(any(feature = "parallel", all(feature = "codec", feature = "serde")))]
    pub(crate) fn tracks_lines(&self) -> bool {
        self.config.strict || self.config.count_lines || self.listener.is_some()
    }

    /// Creates a tokenizer at the start of a stream. It counts lines if a callback is set.
    pub(crate) fn tokenizer(&self) -> Tokenizer {
        let mut config = self.config.clone();
        config.count_lines |= self.listener.is_some();
        Tokenizer::new(config)
    }
}

/// What the packages on top of this one ask a parser.
#[doc(hidden)]
impl Parser {
    /// Returns whether the parser is strict.
    pub fn is_strict(&self) -> bool {
        self.config.strict
    }

    /// Returns the limit on the length of nodes, in bytes: see [`max_node_len`](Self::max_node_len).
    pub fn node_limit(&self) -> usize {
        self.config.max_node_len
    }

    /// Returns the limit on the length of games, in bytes: see [`max_game_len`](Self::max_game_len).
    pub fn game_limit(&self) -> usize {
        self.config.max_game_len
    }

    /// Returns the charset of the stream, as far as it is known before reading.
    pub fn given(&self) -> Given {
        self.config.given
    }

    /// Sets the charset of the stream.
    pub fn set_given(&mut self, given: Given) {
        self.config.given = given;
    }

    /// Returns whether a callback for diagnostics is set.
    pub fn is_observed(&self) -> bool {
        self.listener.is_some()
    }

    /// Calls the callback for diagnostics.
    pub fn report(&self, diagnostic: Diagnostic) {
        self.listener.report(diagnostic);
    }

    /// Returns a lenient copy with whole values and without a callback.
    ///
    /// For tools that report diagnostics themselves.
    pub fn lenient(&self) -> Self {
        let mut parser = self.clone();
        parser.config.strict = false;
        parser.config.value_parts = false;
        parser.listener = Listener::NONE;
        parser
    }

    /// Returns whether charset detection is on.
    pub fn detects(&self) -> bool {
        #[cfg(feature = "charset")]
        return self.config.given == Given::Detect;
        #[cfg(not(feature = "charset"))]
        false
    }

    /// Returns the charset of a stream from its first bytes.
    ///
    /// `None` if they are not enough.
    pub fn detect(&self, start: &[u8], is_all: bool) -> Option<Given> {
        let mut tokenizer = self.tokenizer();
        tokenizer.detect(start, is_all).then(|| tokenizer.given())
    }

    /// Returns how charsets are determined, if set.
    #[cfg(feature = "charset")]
    pub fn decoding(&self) -> Option<crate::charset::Decoding> {
        self.config.decoding
    }

    /// Returns whether texts have charsets. If not, they are bytes.
    pub fn has_charsets(&self) -> bool {
        #[cfg(feature = "charset")]
        return self.config.decoding.is_some();
        #[cfg(not(feature = "charset"))]
        false
    }
}

impl Default for Parser {
    fn default() -> Self {
        Parser::new()
    }
}

impl fmt::Debug for Parser {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parser").field("config", &self.config).field("listener", &self.listener).finish()
    }
}
