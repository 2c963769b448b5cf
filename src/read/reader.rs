//! Reading from a stream.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom};
use std::ops::ControlFlow;
use std::path::Path;

use crate::node::NodeRecord;
use crate::read::carry::ChunkCarry;
use crate::read::index::IndexEntry;
use crate::read::listener::Listener;
use crate::read::parser::Parser;
use crate::read::source::{ByteSource, PullReader};
use crate::read::visit::Visitor;
use crate::syntax::diagnostic::Position;
use crate::syntax::error::Error;
use crate::syntax::event::Event;
use crate::syntax::tokenizer::{Outcome, Sink, Tokenizer};

/// Reads events from anything that is [`BufRead`], in constant memory.
///
/// Events borrow from the reader's buffer, so they are lent one at a time:
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
/// It reads from the `BufRead`'s own buffer and copies only what lies across two fillings; give
/// it a buffer of 64 KiB or so ([`Reader::from_path`] does). In strict mode events end after the
/// first error; [`read_game`](Reader::read_game) and [`skip_game`](Reader::skip_game) go on with
/// the next game. After an I/O error any call may be repeated, and goes on where reading stopped;
/// only a game that `read_game` was in the middle of is lost then.
#[derive(Debug)]
pub struct Reader<R> {
    pub(crate) inner: PullReader<Buffered<R>>,
}

/// The buffer size of [`Parser::open`], in bytes.
const FILE_BUFFER: usize = 64 * 1024;

impl Reader<BufReader<File>> {
    /// A lenient reader of a file. [`Parser::open`] makes others.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened.
    pub fn from_path(path: impl AsRef<Path>) -> io::Result<Self> {
        Parser::new().open(path)
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
    /// A lenient reader with the default limits. [`Parser::reader`] makes others.
    pub fn new(inner: R) -> Self {
        Parser::new().reader(inner)
    }

    pub(crate) fn with(tokenizer: Tokenizer, listener: Listener, inner: R) -> Self {
        let source = Buffered { inner, inner_at: tokenizer.offset(), lent: 0, carry: ChunkCarry::default() };
        Reader { inner: PullReader::new(tokenizer, listener, source) }
    }

    /// The next event; `None` at the end of the stream.
    ///
    /// # Errors
    ///
    /// If reading fails; in strict mode, at the first fault; in either mode, if there is no SGF
    /// data at all.
    #[inline(always)]
    pub fn next_event(&mut self) -> Result<Option<Event<'_>>, Error> {
        self.inner.next_event()
    }

    /// Calls a closure with every event that is left, and its byte offset, until the closure breaks.
    ///
    /// Does what a loop over the events does, about as fast as [`Parser::parse`]: no event waits in the reader. After a break the
    /// reader goes on after that event. Returns what the closure broke with.
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
    /// Like [`next_event`](Self::next_event).
    pub fn for_each_event<T>(
        &mut self,
        handler: impl FnMut(Event<'_>, u64) -> ControlFlow<T>,
    ) -> Result<ControlFlow<T>, Error> {
        self.inner.for_each_event(handler)
    }

    /// The byte offset of the last event: of its `(`, `;`, identifier, `[` or `)`.
    pub fn offset(&self) -> u64 {
        self.inner.puller.offset()
    }

    /// The charset that was detected at the start of the stream, where [`Decoding::sniff`] asks for it: of a
    /// first game without byte-order mark and `CA` that is not in ASCII. `None` before the first event.
    ///
    /// [`Decoding::sniff`]: crate::charset::Decoding::sniff
    #[cfg(feature = "charset")]
    pub fn detected_charset(&self) -> Option<crate::charset::Charset> {
        self.inner.puller.tokenizer.detected()
    }

    /// Number of open trees. 0 between games.
    pub fn depth(&self) -> usize {
        self.inner.puller.depth()
    }

    /// The byte offset of the game that was last begun, read or skipped. `None` before the first.
    pub fn game_offset(&self) -> Option<u64> {
        self.inner.puller.game_offset()
    }

    /// Like [`game_offset`](Self::game_offset), with line and column. `None` where lines are not counted: see
    /// [`Parser::count_lines`].
    pub fn game_position(&self) -> Option<Position> {
        self.inner.puller.game_position()
    }

    /// Reads the next game with a [`Visitor`]: `None` if there is none. What is left of an open
    /// game is skipped first.
    ///
    /// # Errors
    ///
    /// If reading fails; in strict mode, with the first fault of the game, and the next call goes
    /// on with the next game; in either mode, if there is no SGF data at all.
    pub fn read_game<V: Visitor>(&mut self, visitor: &mut V) -> Result<Option<V::Output>, Error> {
        self.inner.read_game(visitor)
    }

    /// Reads the next node whole, with its properties, into a record; false if there is none. Nodes
    /// come in the order of the file, those of variations too: [`NodeRecord::depth`] and
    /// [`NodeRecord::starts_tree`] tell them apart. What is left of an open node is passed over.
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
    /// If reading fails; in strict mode, at the first fault, or at a node longer than
    /// [`Parser::max_node_len`]; in either mode, if there is no SGF data at all.
    pub fn read_node(&mut self, record: &mut NodeRecord<'_>) -> Result<bool, Error> {
        self.inner.read_node(record, None)
    }

    /// Skips what is left of the open game, or the next game if none is open; false if there is
    /// none. Much of a game is not looked at then, so faults in it may not be reported.
    ///
    /// # Errors
    ///
    /// If reading fails; in strict mode, the first fault before the game, or its missing end
    /// (after an error inside a game, that game is passed over first); in either mode, if there
    /// is no SGF data at all.
    pub fn skip_game(&mut self) -> Result<bool, Error> {
        self.inner.skip_game()
    }

    /// Replaces an inner reader that has been read by an empty one.
    #[cfg(all(feature = "codec", feature = "serde"))]
    pub(crate) fn let_go(&mut self, nothing: R) {
        self.inner.source.inner = nothing;
    }

    /// Starts again with other data, and a tokenizer for them.
    #[cfg(all(feature = "codec", feature = "serde"))]
    pub(crate) fn restart_with(&mut self, tokenizer: Tokenizer, inner: R) {
        self.inner.source = Buffered { inner, inner_at: tokenizer.offset(), lent: 0, carry: ChunkCarry::default() };
        self.inner.puller.restart_with(tokenizer);
    }

    /// The inner reader.
    pub fn get_ref(&self) -> &R {
        &self.inner.source.inner
    }

    /// The inner reader, at the end. It stands after the last bytes that were taken from it,
    /// which may be some way after the last event.
    pub fn into_inner(self) -> R {
        let Buffered { mut inner, lent, .. } = self.inner.source;
        inner.consume(lent);
        inner
    }

    /// Goes to a game of an index of the same stream. Offsets and lines go on from there.
    ///
    /// # Errors
    ///
    /// If seeking fails. The inner reader has to start where the index's archive does.
    pub fn seek_to(&mut self, game: &IndexEntry) -> io::Result<()>
    where
        R: Seek,
    {
        let position = game.position();
        let source = &mut self.inner.source;
        source.inner.seek(SeekFrom::Start(position.offset))?;
        (source.inner_at, source.lent, source.carry) = (position.offset, 0, ChunkCarry::default());
        self.inner.puller.restart(position);
        Ok(())
    }
}

/// The bytes of a reader, and of the events that it lends out.
#[derive(Debug)]
pub(crate) struct Buffered<R> {
    inner: R,
    /// Offset of the first byte of the inner reader's buffer.
    inner_at: u64,
    /// Number of bytes of that buffer that are consumed, but may be lent out.
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
        // The buffer again, which costs nothing where there is one; an end is not asked for twice.
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
            // Nothing was consumed since the tokenizer was there: this is what it saw.
            Some(start) => Ok(self.inner.fill_buf()?.get(start as usize..start as usize + len)),
            None => Ok(self.carry.get(at, len)),
        }
    }
}
