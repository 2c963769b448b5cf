//! A stream of nodes between the tokenizer and the deserializers.
//!
//! The tokenizer pushes, and a `Deserialize` pulls. Stopping the tokenizer at every node would cost more than the
//! node. [`NodeBatch`], the sink, therefore collects as many nodes as it can without a visible difference, and
//! [`Stream`] returns them. A [`Plan`] tells the sink before each game which parts the type needs, so that the
//! tokenizer skips the others.

use std::io::BufRead;

use super::batch::{Item, NodeBatch, PlaceInGame, Plan};
use super::buffer::Buffer;
use super::error::{Error, Result};
use super::flat::Flat;
use super::node::Node;
use super::options::Options;
use super::texts::Env;
use super::wants::Wants;
use crate::node::{MoveNode, MovePlace};
use crate::property::Context;
use crate::read::pull::Puller;
use crate::read::reader::Reader;
use crate::read::slice::SliceReader;
use crate::syntax::error::SyntaxError;
use crate::syntax::fault::Code;
use crate::syntax::tokenizer::Sink as _;
#[cfg(feature = "codec")]
use crate::syntax::tokenizer::Tokenizer;

/// A source of games: a [`SliceReader`], a [`Reader`], or the [events](super::FromEvents) of any source.
///
/// The trait is sealed. For a source of your own, implement [`EventSource`](super::EventSource).
pub trait Source: Fill<<Self as Source>::Input> {
    /// The bytes that texts may borrow from.
    ///
    /// For a slice, `&'de [u8]`. For a stream, from which nothing is borrowed, `&'static [u8]`.
    #[doc(hidden)]
    type Input: Input;
}

impl<'de> Source for SliceReader<'de> {
    type Input = &'de [u8];
}

impl<R: BufRead> Source for Reader<R> {
    type Input = &'static [u8];
}

// These traits cannot be named outside the crate.
#[allow(private_interfaces)]
mod sealed {
    use super::{NodeBatch, Puller, Result, SyntaxError};

    /// The bytes that texts may borrow from.
    pub trait Input {
        type Batch;
    }

    impl<'de> Input for &'de [u8] {
        type Batch = NodeBatch<'de>;
    }

    /// Fills batches from a [`Source`](super::Source).
    pub trait Fill<I: Input> {
        fn batch(&self) -> I::Batch;
        /// Fills the batch until it is full; returns false if the data ends first.
        fn fill(&mut self, batch: &mut I::Batch) -> Result<bool>;
        fn puller(&mut self) -> &mut Puller;

        /// Starts to skip the rest of the open game. Returns true if nothing is left of it.
        fn skip_rest(&mut self) -> bool {
            self.puller().tokenizer.skip_game()
        }

        /// Returns the offset of the next byte.
        fn offset(&mut self) -> u64 {
            self.puller().tokenizer.offset()
        }

        /// Returns the end of the last game.
        fn game_end(&mut self) -> u64 {
            self.puller().tokenizer.game_end()
        }

        /// Returns the end of the data as an error, if it is inside a game.
        fn cut(&mut self) -> Option<SyntaxError> {
            self.puller().tokenizer.cut()
        }
    }
}

pub(super) use sealed::Fill;
use sealed::Input;

#[allow(private_interfaces)]
impl<'de> Fill<&'de [u8]> for SliceReader<'de> {
    fn batch(&self) -> NodeBatch<'de> {
        NodeBatch::new(Some(self.inner.source), &self.inner.puller)
    }

    fn fill(&mut self, batch: &mut NodeBatch<'de>) -> Result<bool> {
        let has_lines = self.inner.puller.tokenizer.has_lines();
        self.inner.drive(batch).map_err(|error| Error::syntax(error, has_lines || error.is_final()))
    }

    fn puller(&mut self) -> &mut Puller {
        &mut self.inner.puller
    }
}

#[allow(private_interfaces)]
impl<R: BufRead> Fill<&'static [u8]> for Reader<R> {
    fn batch(&self) -> NodeBatch<'static> {
        NodeBatch::new(None, &self.inner.puller)
    }

    fn fill(&mut self, batch: &mut NodeBatch<'static>) -> Result<bool> {
        let has_lines = self.inner.puller.tokenizer.has_lines();
        self.inner.drive(batch).map_err(|error| match error {
            crate::syntax::error::Error::Syntax(error) => Error::syntax(error, has_lines || error.is_final()),
            crate::syntax::error::Error::Io(error) => Error::io(error),
        })
    }

    fn puller(&mut self) -> &mut Puller {
        &mut self.inner.puller
    }
}

/// The games of a source.
pub(super) struct Stream<S: Source> {
    pub(super) source: S,
    batch: <S::Input as Input>::Batch,
    pub(super) env: Env,
    #[cfg(feature = "charset")]
    decoding: Option<crate::charset::Decoding>,
    /// Trees open after the last item returned.
    depth: usize,
    /// Number in the game of the node that was returned last.
    node: u64,
    /// The record of the root of the tree that was opened last. `None` once anything after that root has been read.
    pub(super) root: Option<usize>,
    /// Number and offset of the node that an error without location belongs to.
    pub(super) blame: Option<(u64, u64)>,
    /// Number of items of the batch whose texts have been examined for the charset.
    observed: usize,
    /// Whether the next game has been requested.
    is_begun: bool,
    /// The failure of the stream in this game. A type may hide it, as `Option`s of flattened structs do.
    failure: Option<Error>,
    /// Whether no game is left.
    is_over: bool,
    /// The byte range of the last game.
    span: std::ops::Range<u64>,
    /// The fields of a type, and the parts of a tree that they need.
    pub(super) wants: Option<(&'static [&'static str], Wants)>,
    pub(super) buffer: Buffer,
    pub(super) flat: Flat,
    /// Whether a game is an error if something of it was dropped because it exceeds a limit.
    pub(super) needs_all: bool,
}

#[cfg(feature = "codec")]
impl<R: BufRead> Stream<Reader<R>> {
    /// Restarts with other data. Keeps the settings and reuses allocations.
    pub(super) fn restart_with(&mut self, tokenizer: Tokenizer, inner: R) {
        self.source.restart_with(tokenizer, inner);
        self.source.puller().tokenizer.keep_lines();
        self.batch.restart();
        self.env.restart();
        (self.depth, self.node, self.root, self.blame) = (0, 0, None, None);
        (self.is_begun, self.failure, self.is_over, self.span) = (false, None, false, 0..0);
    }
}

impl<'de, S: Source<Input = &'de [u8]>> Stream<S> {
    pub(super) fn new(mut source: S, options: Options) -> Self {
        source.puller().tokenizer.keep_lines();
        let listener = source.puller().queue.listener.clone();
        let config = source.puller().tokenizer.config();
        let mut env = Env::new(Context::default(), listener);
        (env.is_strict, env.options) = (config.strict, options);
        Stream {
            #[cfg(feature = "charset")]
            decoding: config.decoding,
            batch: source.batch(),
            source,
            env,
            depth: 0,
            node: 0,
            root: None,
            blame: None,
            observed: 0,
            is_begun: false,
            failure: None,
            is_over: false,
            span: 0..0,
            wants: None,
            buffer: Buffer::new(),
            flat: Flat::NEW,
            needs_all: false,
        }
    }

    /// Sets that the input is exactly one game whose end is already known. Syntax errors in parts that the type does
    /// not use are not reported, and do not end the game.
    #[cfg(feature = "codec")]
    pub(super) fn leave_rest(&mut self) {
        self.batch.leaves_rest = true;
    }

    /// Returns the error of a game of which something was dropped, if that is one.
    pub(super) fn take_dropped(&mut self) -> Option<Error> {
        let dropped = self.batch.dropped.take().filter(|_| self.needs_all)?;
        let limits = self.source.puller().tokenizer.config();
        let said = match dropped.code {
            Code::IdentTooLong => {
                format!(
                    "an identifier is longer than {} bytes; `Parser::max_ident_len` raises this limit",
                    limits.max_ident_len
                )
            }
            _ => format!(
                "a value is longer than {} bytes; `Parser::max_value_len` raises this limit",
                limits.max_value_len
            ),
        };
        let error = Error::data(said + ", and `games()` drops what exceeds it")
            .in_game(self.game_index(), dropped.position.offset);
        Some(self.locate(error))
    }

    /// Reads the root of the next game. Fails if no game is left.
    pub(super) fn begin_game(&mut self, plan: Plan) -> Result<()> {
        self.check()?;
        let games = self.batch.games;
        let begun = self.try_begin(plan);
        if let Err(error) = &begun {
            let has_begun = self.batch.games > games;
            self.span.start = if has_begun { self.batch.game_at } else { self.fault_at(error) };
        }
        self.note_failure(begun)
    }

    fn try_begin(&mut self, mut plan: Plan) -> Result<()> {
        self.is_begun = true;
        (self.depth, self.node, self.root, self.blame) = (0, 0, None, None);
        #[cfg(feature = "charset")]
        if let (Some(decoding), 0) = (self.decoding, self.batch.games) {
            self.env.decode_with(crate::charset::TreeDecoder::new(decoding));
        }
        if self.env.may_detect() && plan.rest_is_wanted() {
            plan.root = None;
        }
        self.batch.expect_game(plan);
        let (mut is_reading, rest) = self.source.puller().resume();
        if rest {
            is_reading = self.source.fill(&mut self.batch)?;
            self.batch.expect_game(plan);
        }
        if is_reading && self.source.puller().depth() > 0 {
            // The caller has read into a game.
            if !self.source.puller().skip_game() {
                is_reading = self.source.fill(&mut self.batch)?;
            }
            self.source.puller().visited();
            self.batch.expect_game(plan);
        }
        while is_reading && self.batch.peek().is_none() {
            is_reading = self.fill()?;
        }
        if self.batch.peek().is_none() {
            self.is_over = true;
            return Err(Error::data("expected a game, found the end of the data"));
        }
        self.span.start = self.batch.game_at;
        self.depth = 1;
        self.batch.next = 1;
        #[cfg(feature = "charset")]
        if self.batch.games == 1
            && self.source.puller().tokenizer.has_bom()
            && let Some(decoding) = self.decoding
        {
            let decoder = crate::charset::TreeDecoder::new(decoding);
            self.env.decode_with(decoder.with_bom(Some(crate::charset::Charset::UTF_8)));
        }
        *self.env.node_at.get_mut() = self.batch.items[0].at();
        self.env.enter_root(self.batch.node(0), self.batch.items[0].at());
        self.observed = 1;
        if self.env.is_undecided() {
            self.decide_charset();
        }
        Ok(())
    }

    /// Examines the texts of later nodes until the charset of the game is decided: at most 64 KiB of them.
    #[cold]
    fn decide_charset(&mut self) {
        let mut goes_on = true;
        loop {
            while self.env.is_undecided()
                && let Some(entry) = self.batch.whole_items().get(self.observed)
            {
                if entry.is_node() {
                    self.env.enter_node(self.batch.node(self.observed), entry.at());
                }
                self.observed += 1;
            }
            if !(goes_on && self.env.is_undecided() && self.batch.may_grow()) {
                break;
            }
            // A failure is returned when the items before it have been.
            let filled = self.fill();
            goes_on = matches!(self.note_failure(filled), Ok(true));
        }
        self.env.settle_charset();
    }

    /// Returns where the stream failed: at the syntax error, regardless of chunks, or where reading failed.
    fn fault_at(&mut self, failure: &Error) -> u64 {
        failure.offset().unwrap_or_else(|| self.source.offset())
    }

    /// Returns whether a game has been requested since the last one was finished.
    pub(super) fn is_begun(&self) -> bool {
        self.is_begun
    }

    /// Returns whether no game is left.
    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    /// Ends a game, even if only part of it has been read. Fails if the stream has failed in it.
    pub(super) fn finish_game(&mut self) -> Result<()> {
        let finished = match self.check() {
            Ok(()) => self.try_finish().map_err(|error| error.in_game(self.game_index(), self.span.start)),
            failure => failure,
        };
        self.is_begun = false;
        self.report_found();
        (self.failure, self.depth, self.root) = (None, 0, None);
        let end = match &finished {
            Err(failure) => self.fault_at(failure),
            Ok(()) => self.source.game_end(),
        };
        self.span.end = end.max(self.span.start);
        if finished.as_ref().is_err_and(Error::is_io) {
            self.is_over = true;
        }
        finished
    }

    fn try_finish(&mut self) -> Result<()> {
        if self.batch.leaves_rest {
            return Ok(());
        }
        if self.batch.place != PlaceInGame::Over && !self.source.skip_rest() {
            self.source.fill(&mut self.batch)?;
        }
        self.source.puller().visited();
        match self.source.cut() {
            Some(cut) if !self.env.options.accepts_truncated => {
                let has_lines = self.source.puller().tokenizer.has_lines();
                self.is_over = true;
                Err(Error::syntax(cut, has_lines))
            }
            _ => Ok(()),
        }
    }

    /// Returns the number of the game that started last.
    pub(super) fn game_index(&self) -> u64 {
        self.batch.games.saturating_sub(1)
    }

    /// Returns whether any game has started.
    pub(super) fn has_games(&self) -> bool {
        self.batch.games > 0
    }

    pub(super) fn span(&self) -> std::ops::Range<u64> {
        self.span.clone()
    }

    /// Returns the number of open trees before the next item.
    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    /// Returns the number and the offset of the last node.
    pub(super) fn place(&self, node: usize) -> (u64, u64) {
        (self.node, self.batch.items[node].at())
    }

    /// Returns the number of the last node.
    pub(super) fn node_number(&self) -> u64 {
        self.node
    }

    /// Returns a node of the batch, given the number in an [`Item::Node`]. 0 is also the root of a game that has just
    /// started.
    #[inline]
    pub(super) fn node<'r>(&'r self, node: usize) -> Node<'r, 'de>
    where
        'de: 'r,
    {
        Node::new(self.batch.node(node), self.batch.input, &self.env)
    }

    /// Returns a node that is a root, prepared for these fields of a type.
    #[inline]
    pub(super) fn root_for<'r>(&'r self, node: usize, is_game: bool, fields: &'static [&'static str]) -> Node<'r, 'de>
    where
        'de: 'r,
    {
        let known = if is_game { self.batch.fields_of_root(fields) } else { None };
        self.node(node).with_names(&self.batch.names, known)
    }

    /// Returns a node of the batch that is a move.
    #[inline]
    pub(super) fn move_node<'r>(&'r self, place: MovePlace) -> MoveNode<'r>
    where
        'de: 'r,
    {
        place.node(self.batch.move_bytes())
    }

    /// Returns the bytes that are read, if they are in memory.
    #[inline]
    pub(super) fn input(&self) -> Option<&'de [u8]> {
        self.batch.input
    }

    /// Returns the next item. After the end of the game it is [`Item::End`].
    #[inline]
    pub(super) fn peek(&mut self) -> Result<Item> {
        match self.batch.peek() {
            Some(item) => Ok(item),
            None => self.refill(),
        }
    }

    #[cold]
    #[inline(never)]
    fn refill(&mut self) -> Result<Item> {
        self.check()?;
        loop {
            if let Some(item) = self.batch.peek() {
                return Ok(item);
            }
            if self.batch.place == PlaceInGame::Over {
                return Ok(Item::End);
            }
            self.env.settle_context(self.batch.first_node());
            self.batch.rewind();
            self.observed = 0;
            self.root = None;
            let filled = self.fill();
            if !self.note_failure(filled)? && self.batch.peek().is_none() {
                return Ok(Item::End);
            }
        }
    }

    /// Takes the next item if it is a move of a run that has already been started.
    #[inline]
    pub(super) fn take_move(&mut self) -> Option<MovePlace> {
        if self.env.has_found_much() {
            self.report_found();
        }
        let taken = self.batch.take_move()?;
        self.node += 1;
        Some(taken)
    }

    /// Reads ahead to the next item. A failure is returned when the item is requested.
    #[inline(never)]
    pub(super) fn look_ahead(&mut self) {
        _ = self.peek();
    }

    /// Returns the number of received nodes up to the next start or end of a tree.
    pub(super) fn nodes_ahead(&self) -> usize {
        self.batch.nodes_ahead()
    }

    /// Takes the item that [`peek`](Self::peek) returned.
    #[inline]
    pub(super) fn take(&mut self) {
        if self.env.has_found_much() {
            self.report_found();
        }
        let item = self.batch.peek();
        match item {
            Some(Item::Start) => self.depth += 1,
            Some(Item::Node(_) | Item::Move(_)) => {
                if self.node == 0 {
                    self.env.leave_root(self.batch.first_node());
                }
                self.node += 1;
            }
            Some(Item::End) => self.depth -= 1,
            None => return,
        }
        if let Some(Item::Node(node)) = item {
            let at = self.batch.items[node].at();
            *self.env.node_at.get_mut() = at;
            if self.env.decodes() && node >= self.observed {
                self.env.enter_node(self.batch.node(node), at);
                self.observed = node + 1;
                if self.env.is_undecided() {
                    self.decide_charset();
                }
            }
        }
        self.root = None;
        self.batch.take();
    }

    /// Adds line and column to an error, if lines are counted.
    #[cold]
    pub(super) fn locate(&mut self, error: Error) -> Error {
        error.locate(|offset| self.source.puller().tokenizer.recall(offset))
    }

    /// Skips the rest of the trees that are nested deeper than `depth`. Returns false if fewer are open.
    #[inline]
    pub(super) fn settle(&mut self, depth: usize) -> Result<bool> {
        while self.depth > depth {
            self.peek()?;
            self.take();
            if self.batch.place == PlaceInGame::Over && self.batch.peek().is_none() {
                self.depth = 0;
            }
        }
        Ok(self.depth == depth)
    }

    /// Reports the diagnostics about the nodes that were returned.
    fn report_found(&mut self) {
        let puller = self.source.puller();
        self.env.report_found(|offset| puller.position_of(offset));
    }

    /// Runs the tokenizer once.
    fn fill(&mut self) -> Result<bool> {
        self.report_found();
        let filled = self.source.fill(&mut self.batch);
        let end = self.source.offset();
        let puller = self.source.puller();
        if self.batch.is_full {
            self.batch.is_full = false;
            match puller.node_is_full(end) {
                Ok(fault) => self.batch.diagnostic(fault),
                Err(error) => return Err(Error::syntax(error, true)),
            }
        }
        filled
    }

    /// Fails if the stream has failed in this game.
    fn check(&self) -> Result<()> {
        match &self.failure {
            Some(failure) => Err(failure.clone()),
            None => Ok(()),
        }
    }

    fn note_failure<T>(&mut self, result: Result<T>) -> Result<T> {
        result.map_err(|error| {
            let error = if self.batch.place == PlaceInGame::Front || self.batch.games == 0 {
                error // before the game
            } else {
                error.in_game(self.game_index(), self.batch.game_at)
            };
            self.failure = Some(error.clone());
            error
        })
    }
}
