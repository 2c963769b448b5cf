//! The tokenizer: bytes in, events out.
//!
//! # How it works
//!
//! The tokenizer is one state machine, driven from outside ("sans-io"): [`Tokenizer::run`] takes the available bytes
//! and a [`Sink`], sends events to the sink until the bytes are used up or the sink stops, and returns how many bytes
//! it consumed. A push parser calls it in a loop; a pull reader does the same with a sink that stops.
//!
//! The contract: `input` starts at the first byte that the last call did not consume. If the
//! outcome was [`Outcome::NeedMore`], the same bytes come again with more at their end, or with
//! `eof`. End of input is that flag, never an empty slice.
//!
//! *States.* Between two lexemes the machine is in one of a few [`MachineState`]s, named after what the grammar
//! allows next. The next byte selects a lexeme of [`grammar`], which is read, and the state changes. A chunk may end
//! inside any lexeme, so each lexeme that can be split has a state or a field: a half-read value, a long word, a `(`
//! before its `;`, an identifier before its `[`. No byte is therefore read more than a few times, and a stream in
//! one-byte chunks costs the same order of work as one in a single slice.
//!
//! *Held tokens.* Events are well-formed for any input: a tree is sent with its first node, a property with its first
//! value. Until then the machine holds back the `(` or the identifier ([`MachineState::Opened`], [`HeldIdent`]); if
//! the node or the value never comes, nothing must be undone.
//!
//! *State first.* A sink may stop after any event. The state is therefore updated before the sink is called, and if
//! it stops, the events that follow are stored ([`Pending`]).
//!
//! *Syntax errors.* Each goes through [`Run::fault`]: strict mode ends there, lenient mode reports it and continues.
//! The repair is coded at the same point. The rows of the recovery table are the variants of [`Code`].
//!
//! *Sections.* Lenient mode cuts the data before every [head](head), a recognized start of a game, and reads each
//! section as if it were all of the data. After a head is found, the rest of this module treats its offset as the end
//! of the input ([`Run::cut_before`]); between games the input continues ([`Run::next_piece`]).
//!
//! *Skipping* has a separate loop ([`skip`]), which needs only brackets and values, not tokens.
//!
//! *Fast paths* ([`fast`], [`root_blocks`], [`skip_blocks`]) process many bytes at once where no repair is possible,
//! using the vector instructions of the machine's [SIMD level](crate::syntax::simd). Fast paths do not change
//! results: the tests of law L9 run everything with them, at each level, and without them.
//!
//! | file | contents |
//! |---|---|
//! | `grammar` | the lexemes |
//! | `mod` | the state and its interface |
//! | `run` | one call: the input, and the step from state to state |
//! | `seam` | positions between games where another tokenizer may continue |
//! | `tree` | the transitions between lexemes: games, trees, nodes, identifiers, junk |
//! | `value`, `value_end`, `look_ahead` | values and their ends |
//! | `head` | recognized starts of games, regardless of the bytes before them |
//! | `declared` | the charset that a game declares, and its effect on values |
//! | `fast`, `root_blocks` | the fast path through nodes, and the one through roots |
//! | `emit` | sending of diagnostics and events |
//! | `skip` | the byte-by-byte loop over skipped trees |
//! | `skip_blocks`, `blocks` | the same 64 bytes at a time, and their bit masks |
//! | `levels` | the open trees |
//!
//! If you change the transitions of the machine, also change the model in `tests/support/naive.rs`, which is written
//! from the rules and shares no code with this module.

pub(crate) mod blocks;
pub(crate) mod declared;
mod emit;
pub(crate) mod fast;
pub(crate) mod grammar;
pub(crate) mod head;
mod levels;
mod look_ahead;
mod root_blocks;
mod run;
mod seam;
mod skip;
mod skip_blocks;
#[cfg(test)]
mod tests;
mod tree;
mod value;
pub(crate) mod value_end;

use std::ops::Range;

use self::declared::{Declared, Given};
use self::emit::{Muted, Pending};
use self::head::HeadScan;
use self::levels::Levels;
use self::run::Run;
pub(crate) use self::seam::{GoesOn, Seam};
use self::skip::Skip;
use self::value::OpenValue;
use crate::syntax::diagnostic::{Code, Diagnostic, Position};
use crate::syntax::error::{Found, SyntaxError};
use crate::syntax::event::{CutValue, Event, Ident};
use crate::syntax::flow::Flow;
use crate::syntax::lines::LineCounter;
use crate::syntax::simd::SimdLevel;

/// Default of [`Parser::max_node_len`] and of all other code that buffers whole nodes.
pub(crate) const MAX_NODE_LEN: usize = 16 << 20;

/// The caller's options. [`Parser`](crate::Parser) sets them and documents their defaults.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    pub(crate) strict: bool,
    pub(crate) value_parts: bool,
    pub(crate) count_lines: bool,
    pub(crate) max_value_len: usize,
    pub(crate) max_ident_len: usize,
    pub(crate) max_depth: usize,
    pub(crate) max_node_len: usize,
    pub(crate) max_game_len: usize,
    #[cfg(feature = "charset")]
    pub(crate) decoding: Option<crate::charset::Decoding>,
    pub(crate) given: Given,
    pub(crate) simd: SimdLevel,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            strict: false,
            value_parts: false,
            count_lines: false,
            max_value_len: 1 << 20,
            max_ident_len: 256,
            max_depth: 1 << 20,
            max_node_len: MAX_NODE_LEN,
            max_game_len: 16 << 20,
            #[cfg(feature = "charset")]
            decoding: None,
            given: Given::Nothing,
            simd: SimdLevel::best(),
        }
    }
}

impl Config {
    /// Returns the limit that a code refers to.
    #[cold]
    fn limit_of(&self, code: Code) -> Option<usize> {
        match code {
            Code::IdentTooLong => Some(self.max_ident_len),
            Code::ValueTooLong => Some(self.max_value_len),
            Code::TreeTooDeep => Some(self.max_depth),
            Code::NodeTooLong => Some(self.max_node_len),
            Code::GameTooLong => Some(self.max_game_len),
            _ => None,
        }
    }
}

#[cfg(feature = "parallel")]
impl Config {
    /// Returns options for lenient mode that find the same ends of games.
    pub(crate) fn for_skipping(self) -> Config {
        Config {
            strict: false,
            value_parts: false,
            count_lines: false,
            // Skipping counts brackets only, so the depth limit matters only at 0.
            max_depth: self.max_depth.max(1),
            ..self
        }
    }
}

/// A receiver of events.
pub(crate) trait Sink {
    /// Receives an event, and the offset of the first byte of its lexeme.
    fn event(&mut self, event: Event<'_>, at: u64) -> Flow;

    /// Receives a run of complete nodes like `;B[dd]` instead of their events; the first is at offset `at`. `lines`
    /// has the start and the end of each line in the run; the last may end later. `None` refuses the run: its events
    /// follow one by one. Nothing is left to skip after a run, so `Skip` means to continue.
    #[inline(always)]
    fn moves(&mut self, bytes: &[u8], lines: &[(u16, u16)], at: u64) -> Option<Flow> {
        let _ = (bytes, lines, at);
        None
    }

    /// Receives a `Property` whose identifier the tokenizer had to copy.
    fn held_property(&mut self, ident: Ident<'_>, at: u64) -> Flow {
        self.event(Event::Property(ident), at)
    }

    /// Called at the end of a skipped game.
    fn game_skipped(&mut self) -> Flow {
        Flow::Continue
    }

    /// Receives a fault that lenient mode repairs, before the events of its repair. A sink that reports faults needs
    /// lines; see [`Config::count_lines`].
    fn diagnostic(&mut self, fault: Diagnostic) {
        let _ = fault;
    }

    /// Receives bytes that a fault drops: they are neither part of an event nor white space between events. Adjacent
    /// bytes may come in several ranges, which do not overlap. A bracket or an identifier comes when it is dropped,
    /// and so may come after bytes that follow it. Content that the sink skips is not reported.
    fn skipped(&mut self, code: Code, range: Range<u64>) {
        let _ = (code, range);
    }

    /// Receives a value truncated by the end of the data or a head. No event is sent for it.
    fn cut_value(&mut self, cut: CutValue) {
        let _ = cut;
    }

    /// Follows the [fast path](fast) from an index of the input on; see [`fast::plain_nodes`]. It is a method of the
    /// sink because it is compiled per sink, while everything else is compiled once.
    fn plain_nodes(&mut self, tokenizer: &mut Tokenizer, input: &[u8], pos: usize) -> (usize, Result<(), fast::Stop>) {
        fast::plain_nodes(tokenizer, self, input, pos)
    }
}

/// The result of [`Tokenizer::run`].
#[derive(Debug)]
pub(crate) struct Step {
    /// Number of input bytes consumed.
    pub(crate) consumed: usize,
    pub(crate) outcome: Outcome,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// More input is needed, or its end.
    NeedMore,
    /// The sink stopped.
    Stopped,
    /// The stream has ended, and all its events have been sent.
    End,
    /// An error of strict mode, or a stream without SGF; see [`Tokenizer::error`]. [`Tokenizer::resync`] continues
    /// after it.
    Failed,
}

/// Continue, or why not; passed on with `?`. It fits in a register.
type StepResult = Result<(), Outcome>;

/// The state of the machine between two lexemes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MachineState {
    /// At the first byte, where a byte-order mark may follow.
    Start,
    /// Outside all games.
    Outside,
    /// After a `(` at this position, which is held back until its node comes. Outside all games it may turn out to be
    /// text.
    Opened(Position),
    /// In a node without an open property. A property, a node, a tree, or the end of the tree follows.
    Node,
    /// After an identifier that is held back until its value comes.
    Ident,
    /// After a value: another one follows, or anything that [`MachineState::Node`] allows.
    List,
    /// After a child tree: another one follows, or the end of the tree.
    Closed,
}

/// An identifier before its `[`.
#[derive(Debug)]
struct HeldIdent {
    position: Position,
    bytes: Vec<u8>,
    /// The state of the machine before it.
    from: MachineState,
    /// Whether its property is dropped because the identifier is too long.
    dropped: bool,
    /// Whether it had a value that was dropped and reported, so that the missing value is not.
    lost: bool,
}

/// A word that exceeds the length limit of identifiers, whose end has not been read.
#[derive(Clone, Copy, Debug)]
struct LongWord {
    position: Position,
    has_upper: bool,
}

/// The state machine; see the [module](self).
#[derive(Debug)]
pub(crate) struct Tokenizer {
    config: Config,
    /// Offset of the first byte of the input.
    base: u64,
    place: MachineState,
    levels: Levels,
    ident: HeldIdent,
    /// The open word, which does not change `place`.
    word: Option<LongWord>,
    /// Number of bytes at the front of the input that belong to the word there.
    word_seen: usize,
    /// The open value. `place` is the state after it.
    value: Option<OpenValue>,
    /// Events before which the sink stopped.
    pending: Option<Pending>,
    muted: Muted,
    skip: Option<Skip>,
    /// Whether to skip the next game as soon as it starts.
    skip_next: bool,
    /// Whether faults are ignored until the next game, after a fault in strict mode.
    resync: bool,
    /// Whether the input is a part of a stream with games before it.
    is_after_games: bool,
    /// Whether games follow its end, which truncates anything open. Need not be known before the end.
    goes_on: GoesOn,
    /// Whether a child tree of this node has been read.
    after_child: bool,
    /// Games that have started.
    games: u64,
    /// The start of the last game.
    game: Position,
    /// Offset after the last game that has ended.
    game_end: u64,
    /// The position where the data ended inside a game, which was closed.
    cut: Option<Position>,
    /// Whether the stream starts with a byte-order mark.
    bom: bool,
    /// The last error.
    error: Option<SyntaxError>,
    /// Whether the current text outside games has been reported.
    junk_reported: bool,
    /// The charset that the open game has declared so far.
    declared: Declared,
    #[cfg(feature = "charset")]
    sniffer: crate::charset::GameSniffer,
    /// Offset after the last junk inside a tree. Junk directly after it belongs to the same run.
    junk_end: u64,
    /// `root_properties` is not tried before this offset.
    root_blocks_from: u64,
    /// Number of bytes that are examined together in a run of moves.
    look: usize,
    /// A scan of the `(` at an offset, which may start a head.
    head_scan: Option<(u64, HeadScan)>,
    /// The offset of a head. The input ends there until the section before it has been read.
    head: Option<u64>,
    lines: LineCounter,
    #[cfg(test)]
    work: u64,
    /// Disables fast paths, for law L9.
    #[cfg(test)]
    slow_path: bool,
}

impl Tokenizer {
    pub(crate) fn new(config: Config) -> Self {
        Tokenizer {
            lines: LineCounter::new(Position::START).at_level(config.simd),
            config,
            base: 0,
            place: MachineState::Start,
            levels: Levels::default(),
            ident: HeldIdent {
                position: Position::START,
                bytes: Vec::new(),
                from: MachineState::Node,
                dropped: false,
                lost: false,
            },
            word: None,
            word_seen: 0,
            value: None,
            pending: None,
            muted: Muted::Nothing,
            skip: None,
            skip_next: false,
            resync: false,
            is_after_games: false,
            goes_on: GoesOn::default(),
            after_child: false,
            games: 0,
            game: Position::START,
            game_end: 0,
            cut: None,
            bom: false,
            error: None,
            junk_reported: false,
            declared: Declared::Nothing,
            #[cfg(feature = "charset")]
            sniffer: crate::charset::GameSniffer::default(),
            junk_end: u64::MAX,
            root_blocks_from: 0,
            look: fast::FIRST_LOOK,
            head_scan: None,
            head: None,
            #[cfg(test)]
            work: 0,
            #[cfg(test)]
            slow_path: false,
        }
    }

    /// Returns a tokenizer for the same stream from another position on, outside all games.
    pub(crate) fn restart(&self, position: Position) -> Self {
        let mut tokenizer = Tokenizer::new(self.config.clone());
        tokenizer.base = position.offset;
        tokenizer.place = MachineState::Outside;
        tokenizer.bom = self.bom;
        tokenizer.lines = LineCounter::new(position).at_level(self.config.simd);
        tokenizer
    }

    /// Returns the offset where the last game starts.
    pub(crate) fn game_offset(&self) -> Option<u64> {
        (self.games > 0).then_some(self.game.offset)
    }

    /// Returns the position where the last game starts, if lines are counted.
    pub(crate) fn game_position(&self) -> Option<Position> {
        (self.games > 0 && self.tracks_lines()).then_some(self.game)
    }

    /// Returns the offset after the last game that has ended: after its `)`, if any.
    pub(crate) fn game_end(&self) -> u64 {
        self.game_end
    }

    /// Returns the end of the data as an error, if it is inside a game. The game was closed there.
    pub(crate) fn cut(&self) -> Option<SyntaxError> {
        self.cut.map(|position| SyntaxError::new(Code::UnclosedTree, position).with_found(Some(Found::byte(None))))
    }

    /// Returns whether the stream starts with a byte-order mark, as far as it has been read.
    pub(crate) fn has_bom(&self) -> bool {
        self.bom
    }

    /// Returns whether positions have lines.
    #[cfg(feature = "serde")]
    pub(crate) fn has_lines(&self) -> bool {
        self.tracks_lines()
    }

    /// Keeps the starts of lines, if lines are counted, for [`recall`](Self::recall).
    pub(crate) fn keep_lines(&mut self) {
        if self.tracks_lines() {
            self.lines.keep_starts();
        }
    }

    /// Returns the position of an offset before the last byte consumed. Lines must be counted, and its line must be
    /// recent enough.
    pub(crate) fn recall(&self, offset: u64) -> Option<Position> {
        self.lines.recall(offset)
    }

    /// Returns the offset where the open game starts. A `(` between games that is held back counts, because it may
    /// start one.
    pub(crate) fn open_game(&self) -> Option<u64> {
        if self.levels.is_empty() { self.held().map(|held| held.offset) } else { Some(self.game.offset) }
    }

    /// Returns whether a game is open: it has started, and its end has not been reached.
    pub(crate) fn is_in_game(&self) -> bool {
        !self.levels.is_empty()
    }

    /// Returns the number of games that have started.
    pub(crate) fn games(&self) -> u64 {
        self.games
    }

    /// Returns whether the start of the stream has been read. Then the byte-order mark and the detected charset are
    /// known.
    pub(crate) fn knows_start(&self) -> bool {
        self.place != MachineState::Start
    }

    /// Returns a tokenizer for the same stream that continues between games. `start` has read the start of the
    /// stream, if this one has not.
    pub(crate) fn seek(&self, position: Position, start: Option<&Tokenizer>) -> Self {
        if position.offset == 0 {
            return Tokenizer::new(self.config.clone());
        }
        let start = start.unwrap_or(self);
        let mut tokenizer = Tokenizer { bom: start.bom, is_after_games: true, ..self.restart(position) };
        tokenizer.config.given = self.config.given.or(start.config.given);
        tokenizer
    }

    /// Returns a tokenizer for a section of the stream that is one game, at a position.
    #[cfg(feature = "codec")]
    pub(crate) fn restart_at_game(&self, position: Position, bom: bool, given: Given) -> Self {
        let mut restarted = Tokenizer { bom, ..self.restart(position) };
        restarted.config.given = self.config.given.or(given);
        restarted
    }

    /// Returns the setting for the charset of games, with the detected charset if detection is on.
    pub(crate) fn given(&self) -> Given {
        self.config.given
    }

    /// Returns the number of bytes examined so far.
    #[cfg(all(test, feature = "codec"))]
    pub(crate) fn work(&self) -> u64 {
        self.work
    }

    /// Returns the position of the first byte that is not consumed.
    pub(crate) fn position(&self) -> Position {
        self.lines.position()
    }

    #[cfg(feature = "serde")]
    pub(crate) fn config(&self) -> &Config {
        &self.config
    }

    /// Returns the offset of the first byte that is not consumed.
    pub(crate) fn offset(&self) -> u64 {
        self.base
    }

    /// Returns the identifier that was held back for the last `Property` event. Needed if the input no longer
    /// contains it.
    pub(crate) fn held_ident(&self) -> &[u8] {
        &self.ident.bytes
    }

    /// Creates an error at a position, which names the limit if one was exceeded.
    #[cold]
    pub(crate) fn error_of(&self, code: Code, position: Position) -> SyntaxError {
        SyntaxError::with_limit(code, position, self.config.limit_of(code))
    }

    /// Returns the error of [`Outcome::Failed`].
    pub(crate) fn error(&self) -> SyntaxError {
        self.error.unwrap_or(SyntaxError::new(Code::NoSgfData, Position::START))
    }

    /// Returns the limit of [`Parser::max_value_len`](crate::Parser::max_value_len).
    pub(crate) fn max_value_len(&self) -> u64 {
        self.config.max_value_len as u64
    }

    /// Returns the limit of [`Parser::max_game_len`](crate::Parser::max_game_len).
    pub(crate) fn max_game_len(&self) -> u64 {
        self.config.max_game_len as u64
    }

    /// Returns whether every fault is an error.
    pub(crate) fn is_strict(&self) -> bool {
        self.config.strict
    }

    /// Returns the limit of [`Parser::max_node_len`](crate::Parser::max_node_len).
    pub(crate) fn max_node_len(&self) -> usize {
        self.config.max_node_len
    }

    /// Returns the number of `EndTree` events to come for the open trees.
    pub(crate) fn depth(&self) -> usize {
        // No `EndTree` comes for a tree that is being skipped.
        let skipped = self.skip.as_ref().is_some_and(Skip::is_tree);
        self.levels.trees() + self.pending.map_or(0, |pending| pending.ends) - usize::from(skipped)
    }

    /// Skips the rest of the open game, or else the next game. At its end [`Sink::game_skipped`] is called, unless
    /// nothing was left: then this returns true.
    pub(crate) fn skip_game(&mut self) -> bool {
        if !self.levels.is_empty() {
            self.skip_open_game();
        } else if self.pending.is_some_and(|pending| pending.ends > 0) {
            self.pending = None;
            return true;
        } else {
            self.skip_next = true;
        }
        false
    }

    /// Undoes [`skip_game`](Self::skip_game) of a game that has not started.
    pub(crate) fn unskip_game(&mut self) {
        self.skip_next = false;
    }

    /// Continues after the game with the fault, after [`Outcome::Failed`]. The repairs of lenient mode find its end,
    /// where [`Sink::game_skipped`] is called. Returns false if the fault is not in a game.
    pub(crate) fn resync(&mut self) -> bool {
        self.resync = true;
        self.skip_next = false;
        if self.levels.is_empty() {
            self.word = None;
            self.value = None;
            self.pending = None;
            self.place = MachineState::Outside;
            self.word_seen = 0;
            false
        } else {
            self.skip_open_game();
            true
        }
    }

    fn skip_open_game(&mut self) {
        let beside = (self.levels.brackets() - 1) as u64;
        let mut skip = match self.skip.take() {
            Some(skip) => skip.widen(beside),
            None => Skip::game(beside + u64::from(self.held().is_some())),
        };
        if let Some(word) = self.word.take() {
            skip.go_on_with_word(word.has_upper);
        }
        self.skip = Some(skip);
        self.pending = None;
        self.word_seen = 0;
        self.place = MachineState::Node;
        if let Some(value) = &mut self.value {
            value.drop_it();
        }
    }

    /// Reads as far as possible. See the [module](self) for the contract.
    pub(crate) fn run(&mut self, input: &[u8], eof: bool, sink: &mut dyn Sink) -> Step {
        let mut run = Run::new(self, input, eof, sink);
        let outcome = loop {
            if let Err(outcome) = run.advance() {
                break outcome;
            }
        };
        let consumed = run.pos;
        if consumed > 0 {
            if self.tracks_lines() {
                self.lines.catch_up(input, self.base, self.base + consumed as u64);
            }
            self.base += consumed as u64;
            crate::work::read(consumed);
        }
        Step { consumed, outcome }
    }

    /// Returns whether the machine is outside games, and not after a `(` that may start one.
    pub(crate) fn is_outside(&self) -> bool {
        matches!(self.place, MachineState::Start | MachineState::Outside) && self.skip.is_none()
    }

    /// Returns whether the data continues with another section after the end of this one.
    #[inline]
    fn goes_on(&self) -> bool {
        if self.goes_on.get() {
            return true;
        }
        self.head.is_some()
    }

    /// Returns whether a game has started, in this input or before it.
    pub(crate) fn has_games(&self) -> bool {
        self.games > 0 || self.is_after_games
    }

    /// Returns whether the rules of lenient mode apply.
    #[inline]
    fn lenient(&self) -> bool {
        !self.config.strict || self.resync
    }

    fn tracks_lines(&self) -> bool {
        self.config.strict || self.config.count_lines
    }

    /// Returns whether fast paths are enabled: always, except in the test of law L9.
    #[inline(always)]
    fn takes_fast_paths(&self) -> bool {
        #[cfg(test)]
        return !self.slow_path;
        #[cfg(not(test))]
        true
    }

    /// Returns whether move nodes after the root are certain and within the limits.
    #[inline]
    fn takes_moves(&self) -> bool {
        self.takes_fast_paths()
            && !self.declared.is_in_root()
            && self.config.max_value_len >= 2
            && self.config.max_ident_len >= 1
    }

    /// Returns the position of the `(` that is held back. An identifier may follow it.
    fn held(&self) -> Option<Position> {
        match (self.place, self.ident.from) {
            (MachineState::Opened(held), _) | (MachineState::Ident, MachineState::Opened(held)) => Some(held),
            _ => None,
        }
    }

    /// Returns the state of the machine after a tree has ended, or an empty one has been dropped.
    fn place_in_tree(&self) -> MachineState {
        if self.levels.is_empty() {
            MachineState::Outside
        } else if self.after_child || self.levels.in_promoted() {
            MachineState::Closed
        } else {
            MachineState::Node
        }
    }

    /// Counts examined bytes, for law L6.
    #[inline]
    fn count(&mut self, _bytes: usize) {
        #[cfg(test)]
        {
            self.work += _bytes as u64;
        }
    }
}
