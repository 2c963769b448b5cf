//! Reading from a stream.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom};
use std::ops::ControlFlow;
use std::path::Path;

use crate::node::NodeRecord;
use crate::read::carry::ChunkCarry;
use crate::read::listener::Listener;
use crate::read::parser::Parser;
use crate::read::sink::{EventSink, Forward};
use crate::read::source::{ByteSource, PullReader};
use crate::read::visit::Visitor;
use crate::syntax::diagnostic::Position;
use crate::syntax::error::Error;
use crate::syntax::event::Event;
use crate::syntax::tokenizer::{Outcome, Sink, Tokenizer};

/// A pull reader of events from any [`BufRead`], in constant memory.
///
/// Events borrow from the reader's buffer, so only one can be held at a time:
///
/// ```
/// use sgf_stream::{Event, Reader};
///
/// let mut reader = Reader::new(&b"(;FF[4]C[root];B[aa])"[..]);
/// let mut nodes = 0;
/// while let Some(event) = reader.next_event()? {
///     if event == Event::Node {
///         nodes += 1;
///     }
/// }
/// assert_eq!(nodes, 2);
/// # Ok::<(), sgf_stream::Error>(())
/// ```
///
/// It parses in place in the `BufRead`'s buffer and copies only tokens that span two refills; a buffer of about 64
/// KiB works well ([`Reader::from_path`] does). In strict mode events end after the first error;
/// [`read_game`](Reader::read_game) and [`skip_game`](Reader::skip_game) continue with the next game. After an I/O
/// error you can repeat the call; reading resumes where it stopped. Only a game that `read_game` was in the middle of
/// is lost.
#[derive(Debug)]
pub struct Reader<R> {
    pub(crate) inner: PullReader<Buffered<R>>,
}

/// The buffer size of [`Parser::open`], in bytes.
const FILE_BUFFER: usize = 64 * 1024;

impl Reader<BufReader<File>> {
    /// Creates a lenient reader of a file. Use [`Parser::open`] for a configured one.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be opened.
    pub fn from_path(path: impl AsRef<Path>) -> io::Result<Self> {
        Parser::new().open(path)
    }
}

/// What tables need to drive a reader with a sink of their own.
#[doc(hidden)]
impl<R: BufRead> Reader<R> {
    /// Sends events and diagnostics to a sink until it stops.
    ///
    /// Returns false if the data ends first.
    pub fn drive(&mut self, sink: &mut impl EventSink) -> Result<bool, Error> {
        self.inner.drive(&mut Forward(sink))
    }

    /// Returns whether more games may follow. After a syntax error, starts to skip the rest of its game; the second
    /// value says whether there is a rest.
    pub fn resume(&mut self) -> (bool, bool) {
        self.inner.puller.resume()
    }

    /// Returns whether the stream starts with a byte-order mark.
    pub fn has_bom(&self) -> bool {
        self.inner.puller.tokenizer.has_bom()
    }

    /// Returns the offset after the last game that has ended: after its `)`, if any.
    pub fn game_end(&self) -> u64 {
        self.inner.puller.tokenizer.game_end()
    }

    /// Returns the position of an offset in the last game.
    ///
    /// It has a line if lines are counted.
    pub fn position_of(&self, offset: u64) -> Position {
        self.inner.puller.position_of(offset)
    }
}

impl Parser {
    /// Creates a reader for a stream.
    pub fn reader<R: BufRead>(&self, inner: R) -> Reader<R> {
        self.reader_with(self.tokenizer(), inner)
    }

    /// Creates a reader for a stream, starting with the state of `tokenizer`.
    pub(crate) fn reader_with<R: BufRead>(&self, tokenizer: Tokenizer, inner: R) -> Reader<R> {
        Reader::with(tokenizer, self.listener.clone(), inner)
    }

    /// Opens a file and creates a reader for it, with a buffer of 64 KiB.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be opened.
    pub fn open(&self, path: impl AsRef<Path>) -> io::Result<Reader<BufReader<File>>> {
        Ok(self.reader(BufReader::with_capacity(FILE_BUFFER, File::open(path)?)))
    }
}

impl<R: BufRead> Reader<R> {
    /// Creates a lenient reader with the default limits. Use [`Parser::reader`] for a configured one.
    pub fn new(inner: R) -> Self {
        Parser::new().reader(inner)
    }

    pub(crate) fn with(tokenizer: Tokenizer, listener: Listener, inner: R) -> Self {
        let source = Buffered { inner, inner_at: tokenizer.offset(), lent: 0, carry: ChunkCarry::default() };
        Reader { inner: PullReader::new(tokenizer, listener, source) }
    }

    /// Returns the next event, or `None` at the end of the stream.
    ///
    /// # Errors
    ///
    /// Fails if reading fails, if the stream has no SGF data, and in strict mode at the first syntax error.
    #[inline(always)]
    pub fn next_event(&mut self) -> Result<Option<Event<'_>>, Error> {
        self.inner.next_event()
    }

    /// Calls a closure with each remaining event and its byte offset, until the closure breaks.
    ///
    /// Returns the value that the closure broke with; the reader then continues after that event. It is equivalent to
    /// a loop over the events, and about as fast as [`Parser::parse`].
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use sgf_stream::{Event, Parser};
    ///
    /// let mut reader = Parser::new().reader(&b"(;FF[4];B[dd])(;FF[4])"[..]);
    /// let mut nodes = 0;
    /// let stopped = reader.for_each_event(|event, offset| {
    ///     nodes += usize::from(event == Event::Node);
    ///     if event == Event::EndTree { ControlFlow::Break(offset) } else { ControlFlow::Continue(()) }
    /// })?;
    /// assert_eq!((nodes, stopped), (2, ControlFlow::Break(13)));
    /// assert_eq!(reader.next_event()?, Some(Event::StartTree));
    /// # Ok::<(), sgf_stream::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if [`next_event`](Self::next_event) fails.
    pub fn for_each_event<T>(
        &mut self,
        handler: impl FnMut(Event<'_>, u64) -> ControlFlow<T>,
    ) -> Result<ControlFlow<T>, Error> {
        self.inner.for_each_event(handler)
    }

    /// Returns the byte offset of the last event (its `(`, `;`, identifier, `[` or `)`).
    pub fn offset(&self) -> u64 {
        self.inner.puller.offset()
    }

    /// Returns the charset that was detected at the start of the stream.
    ///
    /// `None` before the first event, without [`Decoding::sniff`], and if the first game is ASCII or has a byte-order
    /// mark or `CA`.
    ///
    /// [`Decoding::sniff`]: crate::charset::Decoding::sniff
    #[cfg(feature = "charset")]
    pub fn detected_charset(&self) -> Option<crate::charset::Charset> {
        self.inner.puller.tokenizer.detected()
    }

    /// Returns the number of open trees: 0 between games.
    pub fn depth(&self) -> usize {
        self.inner.puller.depth()
    }

    /// Returns the byte offset of the last game; `None` before the first.
    ///
    /// A skipped game counts.
    pub fn game_offset(&self) -> Option<u64> {
        self.inner.puller.game_offset()
    }

    /// Returns the position of the last game.
    ///
    /// Like [`game_offset`](Self::game_offset), with line and column. `None` if lines are not counted; see
    /// [`Parser::count_lines`].
    pub fn game_position(&self) -> Option<Position> {
        self.inner.puller.game_position()
    }

    /// Reads the next game with a [`Visitor`]; `None` at the end of the stream.
    ///
    /// The rest of an open game is skipped first.
    ///
    /// # Errors
    ///
    /// Fails if reading fails, if the stream has no SGF data, and in strict mode at the first syntax error of the
    /// game. The next call then continues with the next game.
    pub fn read_game<V: Visitor>(&mut self, visitor: &mut V) -> Result<Option<V::Output>, Error> {
        self.inner.read_game(visitor)
    }

    /// Reads the next whole node into a record; returns false at the end.
    ///
    /// Nodes come in file order, including those of variations; [`NodeRecord::depth`] and [`NodeRecord::starts_tree`]
    /// tell them apart. The rest of a partially read node is skipped.
    ///
    /// ```
    /// use sgf_stream::{NodeRecord, Parser};
    ///
    /// let mut reader = Parser::new().reader(&b"(;FF[4]PB[Shusaku];B[qd])(;PB[Shuei])"[..]);
    /// let (mut node, mut names) = (NodeRecord::new(), Vec::new());
    /// while reader.read_node(&mut node)? {
    ///     names.extend(node.get("PB").map(|name| name.first().simple_text().into_owned()));
    /// }
    /// assert_eq!(names, ["Shusaku", "Shuei"]);
    /// # Ok::<(), sgf_stream::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if reading fails, if the stream has no SGF data, and in strict mode at the first syntax error, or at a
    /// node longer than [`Parser::max_node_len`].
    pub fn read_node(&mut self, record: &mut NodeRecord<'_>) -> Result<bool, Error> {
        self.inner.read_node(record, None)
    }

    /// Iterates over the remaining nodes, each in its own record.
    ///
    /// [`read_node`](Self::read_node) reuses one record, which is several times faster.
    ///
    /// ```
    /// use sgf_stream::Parser;
    ///
    /// let mut reader = Parser::new().reader(&b"(;FF[4]PB[Shusaku];B[qd]C[a comment])"[..]); // or open("games.sgf")?
    /// for node in reader.nodes() {
    ///     if let Some(comment) = node?.get("C") {
    ///         assert_eq!(comment.first().text(), "a comment");
    ///     }
    /// }
    /// # Ok::<(), sgf_stream::Error>(())
    /// ```
    pub fn nodes(&mut self) -> impl Iterator<Item = Result<NodeRecord<'static>, Error>> {
        std::iter::from_fn(|| {
            let mut node = NodeRecord::new();
            self.read_node(&mut node).map(|is_there| is_there.then_some(node)).transpose()
        })
    }

    /// Skips the rest of the open game, or else the next game.
    ///
    /// Returns false at the end of the stream.
    ///
    /// Most of a skipped game is not examined, so its syntax errors may not be reported.
    ///
    /// # Errors
    ///
    /// Fails if reading fails, if the stream has no SGF data, and in strict mode at a syntax error before the game or
    /// if its end is missing. After an error inside a game, that game is skipped first.
    pub fn skip_game(&mut self) -> Result<bool, Error> {
        self.inner.skip_game()
    }

    /// Replaces an exhausted inner reader with an empty one.
    #[cfg(all(feature = "codec", feature = "serde"))]
    pub(crate) fn let_go(&mut self, nothing: R) {
        self.inner.source.inner = nothing;
    }

    /// Restarts with other data and a tokenizer for it.
    #[cfg(all(feature = "codec", feature = "serde"))]
    pub(crate) fn restart_with(&mut self, tokenizer: Tokenizer, inner: R) {
        self.inner.source = Buffered { inner, inner_at: tokenizer.offset(), lent: 0, carry: ChunkCarry::default() };
        self.inner.puller.restart_with(tokenizer);
    }

    /// Returns a reference to the inner reader.
    pub fn get_ref(&self) -> &R {
        &self.inner.source.inner
    }

    /// Returns the inner reader.
    ///
    /// It is positioned after the last byte consumed, which may be well past the last event.
    pub fn into_inner(self) -> R {
        let Buffered { mut inner, lent, .. } = self.inner.source;
        inner.consume(lent);
        inner
    }

    /// Seeks to a position between games, where reading continues with correct offsets, lines and charset.
    ///
    /// The position must be outside games: the start of a game, as [`game_position`](Self::game_position) and
    /// [`GameIndex`](crate::GameIndex) return it, or the end of the stream. With a plain offset, lines count from
    /// there. The charset is determined as if the stream had been read from its start.
    ///
    /// ```
    /// use std::io::Cursor;
    /// use sgf_stream::{NodeRecord, Parser, Position};
    ///
    /// let collection = b"(;FF[4]PB[Shusaku])\n(;FF[4]PB[Shuei])\n";
    /// let mut reader = Parser::new().reader(Cursor::new(collection)); // or open("games.sgf")?
    /// let mut root = NodeRecord::new();
    /// reader.seek(Position { offset: 20, ..Position::START })?;
    /// assert!(reader.read_node(&mut root)?);
    /// assert_eq!(root.get("PB").unwrap().first().as_bytes(), b"Shuei");
    ///
    /// reader.seek(Position::START)?;
    /// assert!(reader.read_node(&mut root)?);
    /// assert_eq!(root.get("PB").unwrap().first().as_bytes(), b"Shusaku");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if seeking fails, or if the start of the stream cannot be read. Offset 0 of the inner reader must be the
    /// start of the stream.
    pub fn seek(&mut self, position: Position) -> io::Result<()>
    where
        R: Seek,
    {
        let PullReader { puller, source } = &mut self.inner;
        let start = match puller.tokenizer.knows_start() {
            true => None,
            false => {
                source.inner.rewind()?;
                let mut start =
                    Reader::with(puller.tokenizer.seek(Position::START, None), Listener::default(), &mut source.inner);
                match start.next_event() {
                    Err(Error::Io(error)) => return Err(error),
                    // Syntax errors there are reported when it is read.
                    _ => Some(start.inner.puller.tokenizer),
                }
            }
        };
        source.inner.seek(SeekFrom::Start(position.offset))?;
        (source.inner_at, source.lent, source.carry) = (position.offset, 0, ChunkCarry::default());
        puller.restart_with(puller.tokenizer.seek(position, start.as_ref()));
        Ok(())
    }
}

/// The bytes of a reader and of the events that borrow from it.
#[derive(Debug)]
pub(crate) struct Buffered<R> {
    inner: R,
    /// Offset of the first byte of the inner reader's buffer.
    inner_at: u64,
    /// Number of bytes of that buffer that are consumed, but may still be borrowed.
    lent: usize,
    carry: ChunkCarry,
}

impl<R: BufRead> ByteSource for Buffered<R> {
    type Error = Error;

    #[inline(always)]
    fn input(&self) -> Option<&[u8]> {
        None
    }

    fn run(&mut self, tokenizer: &mut Tokenizer, sink: &mut impl Sink) -> Result<Outcome, Error> {
        self.inner.consume(self.lent);
        self.inner_at += self.lent as u64;
        self.lent = 0;
        let len = loop {
            match self.inner.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                buffer => break buffer?.len(),
            }
        };
        // Asking for a non-empty buffer again costs nothing; at the end of the stream, the reader is not asked twice.
        let buffer = if len == 0 { &[] } else { self.inner.fill_buf()? };
        let (taken, outcome) = self.carry.run(tokenizer, buffer, buffer.is_empty(), sink);
        self.lent = taken;
        Ok(outcome)
    }

    #[inline]
    fn bytes(&mut self, at: u64, len: usize) -> Result<Option<&[u8]>, Error> {
        if len == 0 {
            return Ok(Some(&[]));
        }
        match at.checked_sub(self.inner_at) {
            // Nothing was consumed since the last run of the tokenizer: these are the bytes it saw.
            Some(start) => Ok(self.inner.fill_buf()?.get(start as usize..start as usize + len)),
            None => Ok(self.carry.get(at, len)),
        }
    }
}
