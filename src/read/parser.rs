//! Configuration, and the factory of everything that parses.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use crate::read::listener::{Listener, Listening};
use crate::read::push::{Closure, PushGames, PushParser};
use crate::read::reader::Reader;
use crate::read::slice::SliceReader;
use crate::read::visit::Visitor;
#[cfg(all(feature = "codec", feature = "serde"))]
use crate::syntax::diagnostic::Code;
use crate::syntax::diagnostic::{Diagnostic, DiagnosticLog};
use crate::syntax::error::SyntaxError;
use crate::syntax::event::Event;
use crate::syntax::flow::Flow;
use crate::syntax::tokenizer::declared::Given;
use crate::syntax::tokenizer::{Config, Outcome, Tokenizer};

/// How to parse. Every front end is made from one of these, and obeys it alike.
///
/// ```
/// use sgf_stream::Parser;
///
/// let parser = Parser::new()
///     .max_value_len(64 * 1024)
///     .on_diagnostic(|found| eprintln!("{found}"));
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
/// | pieces, as they come | [`push`](Parser::push), [`push_games`](Parser::push_games) |
/// | anything that is `AsyncRead` (feature `codec`) | `event_stream`, `game_stream`, `record_stream` |
/// | parts of one huge file, each by itself (feature `parallel`) | `split` |
#[derive(Clone)]
pub struct Parser {
    pub(crate) config: Config,
    pub(crate) listener: Listener,
}

/// The default of [`Parser::max_node_len`], and of everything else that keeps whole nodes.
pub(crate) const MAX_NODE_LEN: usize = 16 << 20;

/// The buffer of [`Parser::open`], in bytes.
const FILE_BUFFER: usize = 64 * 1024;

impl Parser {
    /// A lenient parser: every input gives events, and what had to be repaired is reported as
    /// [`Diagnostic`]s to those who listen.
    pub fn new() -> Self {
        Parser {
            config: Config {
                strict: false,
                value_parts: false,
                count_lines: false,
                max_value_len: 1 << 20,
                max_ident_len: 256,
                max_depth: 1 << 20,
                max_node_len: MAX_NODE_LEN,
                #[cfg(any(feature = "codec", feature = "parallel"))]
                max_game_len: 16 << 20,
                #[cfg(feature = "charset")]
                decoding: None,
                given: Given::Nothing,
            },
            listener: Listener::NONE,
        }
    }

    /// A strict parser: the FF\[4\] grammar exactly, and the first fault is an error.
    ///
    /// A strict parser finds fault with grammar only. Whether a property may stand where it does,
    /// and whether its value is one, is not a question of grammar.
    pub fn strict() -> Self {
        let mut parser = Parser::new();
        parser.config.strict = true;
        parser
    }

    /// The longest value, in raw bytes between its brackets. Default: 1 MiB, 46 times the longest
    /// in a corpus of 10,887 real files. A longer one is dropped
    /// ([`ValueTooLong`](crate::Code::ValueTooLong)), unless it is skipped anyway. This bounds the
    /// memory of every front end that reads a stream.
    pub fn max_value_len(mut self, bytes: usize) -> Self {
        self.config.max_value_len = bytes;
        self
    }

    /// The longest identifier, in bytes as spelled. Default: 256; the longest real one has 11. The
    /// property of a longer one is dropped ([`IdentTooLong`](crate::Code::IdentTooLong)).
    pub fn max_ident_len(mut self, bytes: usize) -> Self {
        self.config.max_ident_len = bytes;
        self
    }

    /// How deep trees may nest; a game alone is 1 deep. Default: 1,048,576; real files reach 343.
    /// Deeper trees are dropped ([`TreeTooDeep`](crate::Code::TreeTooDeep)). The parser itself
    /// needs no stack; a consumer that recurses wants a limit that fits its own.
    pub fn max_depth(mut self, trees: usize) -> Self {
        self.config.max_depth = trees;
        self
    }

    /// How long a node may be where it is kept whole, in a [`NodeRecord`](crate::NodeRecord) or for serde: the
    /// bytes of its identifiers and values, and 32 more for each of them. Default: 16 MiB. Of a
    /// longer one the rest is left out ([`NodeTooLong`](crate::Code::NodeTooLong)).
    pub fn max_node_len(mut self, bytes: usize) -> Self {
        self.config.max_node_len = bytes;
        self
    }

    /// The longest game where games are kept whole: by the codecs of whole games (`GameCodec`,
    /// `RecordCodec`), and by the parts of a stream (`Parts`). In bytes, from its `(` to behind its `)`.
    /// Default: 16 MiB; the longest real one has 1.3 MB. Of a longer one nothing is kept: it is one error
    /// ([`GameTooLong`](crate::Code::GameTooLong)), and the next game comes. This bounds what a peer can make
    /// a program hold, so lower it where peers are many.
    #[cfg(any(feature = "codec", feature = "parallel"))]
    pub fn max_game_len(mut self, bytes: usize) -> Self {
        self.config.max_game_len = bytes;
        self
    }

    /// In which charset texts are read by the layers that make texts: [`de`](crate::de). Default: UTF-8
    /// with replacement, as [`RawValue::text`](crate::RawValue::text). [`Decoding::new`] finds the
    /// charset of each game by byte-order mark, `CA`, or detection.
    ///
    /// Every front end obeys it, whatever it gives: a charset with two-byte characters that the caller
    /// [forces], or names as the [default](crate::charset::Decoding::default_charset) of games without `CA`,
    /// or that is [detected](crate::charset::Decoding::sniff) before anything is read, is stepped over from the first byte on.
    /// So the second byte of `ソ` (83 5C in Shift_JIS) hides no bracket, even before `CA`.
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
    /// let archive = b"(;CA[Big5]PB[\xA7\x64\xB2\x4D\xB7\xBD])(;CA[UTF-8]PB[\xE5\xB0\x8F\xE6\x9E\x97])";
    /// let games = Parser::new().charset(Decoding::new()).slice(archive).games::<BTreeMap<String, String>>();
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

    /// Hands a value that is longer than [`max_value_len`](Self::max_value_len) out in parts of
    /// that length, as [`Event::ValuePart`], instead of dropping it. Default: off. For those who
    /// store values of any size without holding them in memory.
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
    /// No part ends between a backslash and what it hides, nor inside a two-byte character, so a
    /// part may be up to two bytes longer than the limit; the last part of a value that is cut off, up to some 260 bytes longer.
    pub fn value_parts(mut self, on: bool) -> Self {
        self.config.value_parts = on;
        self
    }

    /// Counts lines even if nobody listens for diagnostics, so that readers can tell where games
    /// begin ([`Reader::game_position`]). Default: off, except in strict mode, whose errors name
    /// lines.
    pub fn count_lines(mut self, on: bool) -> Self {
        self.config.count_lines = on;
        self
    }

    /// Calls `listener` with every diagnostic of every front end made from this parser. Default:
    /// nobody listens.
    pub fn on_diagnostic(mut self, listener: impl Fn(&Diagnostic) + Send + Sync + 'static) -> Self {
        self.listener = Listener::new(listener);
        self
    }

    /// Stores the diagnostics of every front end made from this parser in `log`.
    pub fn log_to(self, log: &DiagnosticLog) -> Self {
        let log = log.clone();
        self.on_diagnostic(move |diagnostic| log.push(diagnostic))
    }

    /// The same parser, whose listener gets the faults that `wants` selects.
    #[cfg(all(feature = "codec", feature = "serde"))]
    pub(crate) fn filtered(self, wants: fn(Code) -> bool) -> Self {
        Parser { listener: self.listener.filtered(wants), config: self.config }
    }

    /// Parses a whole slice: calls `handler` for every event, with the byte offset of its lexeme.
    /// Answers [`Flow::Break`] if the handler did.
    ///
    /// # Errors
    ///
    /// In strict mode, the first fault. In either mode, if there is no SGF data at all.
    pub fn parse<F, R>(&self, bytes: &[u8], handler: F) -> Result<Flow, SyntaxError>
    where
        F: FnMut(Event<'_>, u64) -> R,
        R: Into<Flow>,
    {
        self.parse_with(self.tokenizer(), bytes, handler)
    }

    /// Parses a whole slice from where a tokenizer of this parser stands.
    pub(crate) fn parse_with<F, R>(
        &self,
        mut tokenizer: Tokenizer,
        bytes: &[u8],
        handler: F,
    ) -> Result<Flow, SyntaxError>
    where
        F: FnMut(Event<'_>, u64) -> R,
        R: Into<Flow>,
    {
        let mut sink = Listening { sink: Closure(handler), listener: &self.listener };
        match tokenizer.run(bytes, true, &mut sink).outcome {
            Outcome::Failed => Err(tokenizer.error()),
            Outcome::Stopped => Ok(Flow::Break),
            Outcome::End | Outcome::NeedMore => Ok(Flow::Continue),
        }
    }

    /// A reader of a slice: an iterator of events.
    pub fn slice<'a>(&self, bytes: &'a [u8]) -> SliceReader<'a> {
        SliceReader::with(self.tokenizer(), self.listener.clone(), bytes)
    }

    /// A reader of a stream.
    pub fn reader<R: BufRead>(&self, inner: R) -> Reader<R> {
        self.reader_with(self.tokenizer(), inner)
    }

    /// A reader of a stream from where a tokenizer of this parser stands.
    pub(crate) fn reader_with<R: BufRead>(&self, tokenizer: Tokenizer, inner: R) -> Reader<R> {
        Reader::with(tokenizer, self.listener.clone(), inner)
    }

    /// A reader of a file, with a buffer of 64 KiB.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened.
    pub fn open(&self, path: impl AsRef<Path>) -> io::Result<Reader<BufReader<File>>> {
        Ok(self.reader(BufReader::with_capacity(FILE_BUFFER, File::open(path)?)))
    }

    /// A parser that is handed bytes and calls a closure for events.
    pub fn push(&self) -> PushParser {
        PushParser::with(self.tokenizer(), self.listener.clone())
    }

    /// A parser that is handed bytes and reads games with a [`Visitor`].
    pub fn push_games<V: Visitor>(&self, visitor: V) -> PushGames<V> {
        PushGames::with(self.tokenizer(), self.listener.clone(), visitor)
    }

    /// Whether the grammar is taken at its word.
    #[cfg(feature = "parallel")]
    pub(crate) fn is_strict(&self) -> bool {
        self.config.strict
    }

    /// Whether positions have lines.
    #[cfg(any(feature = "parallel", all(feature = "codec", feature = "serde")))]
    pub(crate) fn tracks_lines(&self) -> bool {
        self.config.strict || self.config.count_lines || self.listener.is_some()
    }

    /// With the charset that is detected in a stream, all of which this is, or enough, if that is wanted.
    pub(crate) fn detected_in(&self, bytes: &[u8]) -> Self {
        let mut tokenizer = self.tokenizer();
        tokenizer.detect(bytes, true);
        let mut parser = self.clone();
        parser.config.given = tokenizer.given();
        parser
    }

    /// The same parser for tools that tell of faults themselves: lenient, and with whole values.
    pub(crate) fn lenient(&self) -> Self {
        let mut parser = self.clone();
        parser.config.strict = false;
        parser.config.value_parts = false;
        parser
    }

    /// The same parser, and nobody listens.
    pub(crate) fn unheard(&self) -> Self {
        let mut parser = self.clone();
        parser.listener = Listener::NONE;
        parser
    }

    /// The same parser for pieces of a stream that `stream` reads: with the charset that was detected there.
    pub(crate) fn for_pieces_of(&self, stream: &PushParser) -> Self {
        let mut parser = self.clone();
        parser.config.given = stream.given();
        parser
    }

    /// Whether the charset of a stream is to be detected.
    pub(crate) fn detects(&self) -> bool {
        #[cfg(feature = "charset")]
        return self.config.given == Given::Detect;
        #[cfg(not(feature = "charset"))]
        false
    }

    /// What is to be believed about charsets.
    #[cfg(feature = "charset")]
    pub(crate) fn decoding(&self) -> Option<crate::charset::Decoding> {
        self.config.decoding
    }

    /// Calls both the listener that there is and this one.
    pub(crate) fn also_on_diagnostic(self, listener: impl Fn(&Diagnostic) + Send + Sync + 'static) -> Self {
        let first = self.listener.clone();
        self.on_diagnostic(move |found| {
            first.report(*found);
            listener(found);
        })
    }

    /// A tokenizer at the start of a stream. It counts lines if there is a listener.
    pub(crate) fn tokenizer(&self) -> Tokenizer {
        let mut config = self.config.clone();
        config.count_lines |= self.listener.is_some();
        Tokenizer::new(config)
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
