//! The tokenizer: bytes in, events out.
//!
//! # How it works
//!
//! There is one state machine, and it is driven from outside ("sans-io"): [`Tokenizer::run`] is
//! given the bytes that are there and a [`Sink`], pushes events into the sink until the bytes
//! are used up or the sink says stop, and returns how many bytes it consumed. A push parser
//! calls it in a loop; a pull reader does the same with a sink that stops after one event.
//!
//! The contract: `input` starts at the first byte that the last call did not consume. If the
//! outcome was [`Outcome::NeedMore`], the same bytes come again with more at their end, or with
//! `eof`. End of input is that flag, never an empty slice.
//!
//! *States.* Between two lexemes the machine is in one of a few [`MachineState`]s, named after what the
//! grammar allows next. A byte is dispatched on, its lexeme is read by the rules of [`grammar`],
//! and the state changes. A chunk may end inside any lexeme, so each lexeme that can be cut has a state or a
//! field: a half-read value, a long word, a `(` whose `;` has not come, an identifier
//! whose `[` has not come. So nothing is read more than a few times, and a stream in chunks of one byte costs
//! the same order of work as one in one piece.
//!
//! *Held tokens.* Events are well-formed whatever the input: a tree goes out with its first
//! node, a property with its first value. Until then the machine holds the `(` or the identifier
//! back ([`held`](Tokenizer::held), [`HeldIdent`]), and if the node or the value never comes, nothing has to
//! be taken back.
//!
//! *State first.* A sink may stop after any event. So the state is brought up to date before the
//! sink is called, and if it stops, what follows that event is written down ([`Pending`]).
//!
//! *Faults.* Every fault goes through [`Run::fault`]: strict mode ends there, lenient mode reports
//! and goes on. Which repair follows is written where the fault is met. The rows of the recovery
//! table are the variants of [`Code`].
//!
//! *Pieces.* Lenient reading cuts the data before every [head](head), the start of a game wherever it
//! is, and reads each piece as if it were all of the data. After a head is found, the rest of this module treats its
//! offset as the end of the input ([`Run::cut_before`]); outside of games the input goes on ([`Run::next_piece`]).
//!
//! *Skipping* has a loop of its own ([`skip`]): it needs brackets and values, and no tokens.
//!
//! *Fast paths* ([`fast`], [`root_blocks`], [`skip_blocks`]) take many bytes at once where nothing can go wrong, with the vector
//! instructions of the machine's [SIMD level](crate::syntax::simd). Fast paths do not change results: law L9, in this
//! module's tests, runs everything with them, at each level, and without.
//!
//! | file | holds |
//! |---|---|
//! | `grammar` | the lexemes |
//! | `mod` | the state, and its interface |
//! | `run` | one call: the input, and the step from place to place |
//! | `seam` | places between games where another tokenizer may go on |
//! | `tree` | the moves between lexemes: games, trees, nodes, identifiers, junk |
//! | `value`, `value_end`, `look_ahead` | values, and where they end |
//! | `head` | where a game starts, whatever stands before it |
//! | `declared` | the charset that a game declares, and what it means for values |
//! | `fast`, `root_blocks` | the fast path through nodes, and the one through roots |
//! | `emit` | faults and events on their way out |
//! | `skip` | the loop over trees that are skipped, byte by byte |
//! | `skip_blocks`, `blocks` | the same 64 bytes at a time, and their bit masks |
//! | `levels` | which trees are open |
//!
//! If you change how the machine moves, the model in `tests/support/naive.rs` has to follow; it
//! is written from the rules and shares no code with this.

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
use crate::syntax::error::SyntaxError;
use crate::syntax::event::{CutValue, Event, Ident};
use crate::syntax::flow::Flow;
use crate::syntax::lines::LineCounter;
use crate::syntax::simd::SimdLevel;

/// The default of [`Parser::max_node_len`], and of all other code that buffers whole nodes.
pub(crate) const MAX_NODE_LEN: usize = 16 << 20;

/// The caller's options. [`Parser`](crate::Parser) sets them, and documents their defaults.
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
    /// The limit that a code is about.
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
    /// Options that find the same ends of games, by the rules of lenient mode.
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

/// Where events go.
pub(crate) trait Sink {
    /// One event, and the offset of the first byte of its lexeme.
    fn event(&mut self, event: Event<'_>, at: u64) -> Flow;

    /// A `StartTree` without a `(`: that of an implied tree, which holds a node after a variation and what follows it. Its
    /// `Node` has the same offset.
    #[inline(always)]
    fn implied_tree(&mut self, at: u64) -> Flow {
        self.event(Event::StartTree, at)
    }

    /// A run of nodes like `;B[dd]`, each complete, in place of their events; the first is at an offset. The run comes with the
    /// start and the end of each line in it, of which the last may end later. `None` refuses the run: its events follow one by
    /// one. Nothing is left to skip after a run, so `Skip` means to go on.
    #[inline(always)]
    fn moves(&mut self, bytes: &[u8], lines: &[(u16, u16)], at: u64) -> Option<Flow> {
        let _ = (bytes, lines, at);
        None
    }

    /// A `Property` whose identifier the tokenizer had to copy.
    fn held_property(&mut self, ident: Ident<'_>, at: u64) -> Flow {
        self.event(Event::Property(ident), at)
    }

    /// The game that was being skipped is over.
    fn game_skipped(&mut self) -> Flow {
        Flow::Continue
    }

    /// A fault that lenient mode repairs. It comes before the events of its repair. A sink that reports faults
    /// needs lines: see [`Config::count_lines`].
    fn fault(&mut self, fault: Diagnostic) {
        let _ = fault;
    }

    /// Bytes that a fault costs: they are neither part of an event nor white space between events. A stretch may come
    /// in several ranges, which do not overlap. A bracket or an identifier comes when it is given up, and so may come
    /// after bytes that follow it. What the sink skips is not reported.
    fn skipped(&mut self, code: Code, range: Range<u64>) {
        let _ = (code, range);
    }

    /// The value that the end of the data, or a head, cuts off. It gets no event.
    fn cut_value(&mut self, cut: CutValue) {
        let _ = cut;
    }

    /// Takes the [fast path](fast) from an index of the input on: see [`fast::plain_nodes`]. It is a method of the sink,
    /// which it is compiled for, so that all else is compiled once.
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
    /// More input, or its end.
    NeedMore,
    /// The sink stopped.
    Stopped,
    /// The stream has ended, and all its events are out.
    End,
    /// A fault in strict mode, or a stream without SGF: [`Tokenizer::error`].
    /// [`Tokenizer::resync`] goes on after it.
    Failed,
}

/// On, or why not; carried by `?`. It fits in a register.
type StepResult = Result<(), Outcome>;

/// Where the machine stands between two lexemes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MachineState {
    /// At the first byte: a byte-order mark may come.
    Start,
    /// Outside of all games.
    Outside,
    /// After a `(` that is held back, since no node has come yet. Outside of all games it may
    /// turn out to be text.
    Opened,
    /// In a node, with no property open: a property, a node, a tree, or the end of the tree.
    Node,
    /// After an identifier that is held back, since no value has come yet.
    Ident,
    /// After a value: another one, or whatever [`MachineState::Node`] allows.
    List,
    /// After a child tree: another one, or the end of the tree.
    Closed,
    /// In a value, at its `[` or (when bytes of it have been dropped) in the middle.
    Value,
    /// In a word that is longer than an identifier may be.
    LongWord,
}

/// A token held back: its offset, and its position, if lines are tracked.
#[derive(Clone, Copy, Debug)]
struct Spot {
    at: u64,
    position: Position,
}

/// An identifier whose `[` has not come.
#[derive(Debug)]
struct HeldIdent {
    spot: Spot,
    bytes: Vec<u8>,
    /// Where the machine stood before it.
    from: MachineState,
    /// Its property is to be dropped: the identifier is too long.
    dropped: bool,
    /// It had a value, which was dropped. That was reported; that it has none is not.
    lost: bool,
}

/// A word whose end has not come.
#[derive(Clone, Copy, Debug)]
struct LongWord {
    spot: Spot,
    from: MachineState,
    has_upper: bool,
}

/// The state machine. See the [module](self).
#[derive(Debug)]
pub(crate) struct Tokenizer {
    config: Config,
    /// Offset of the first byte of the input.
    base: u64,
    place: MachineState,
    levels: Levels,
    /// A `(` whose first node has not come.
    held: Option<Spot>,
    ident: HeldIdent,
    word: Option<LongWord>,
    /// Number of bytes at the front of the input that are known to belong to the open word.
    word_seen: usize,
    value: Option<OpenValue>,
    /// Events that the sink stopped before.
    pending: Option<Pending>,
    muted: Muted,
    skip: Option<Skip>,
    /// Skip the next game as soon as it starts.
    skip_next: bool,
    /// After a fault of strict mode: nothing is a fault before the next game.
    resync: bool,
    /// The input is a part of a stream, and games stand before it.
    is_after_games: bool,
    /// Whether games also stand after its end, which cuts off what is open. It need not be known before that.
    goes_on: GoesOn,
    /// The last event about this node's children was an `EndTree`: a child tree has been read.
    after_child: bool,
    /// Games that have started.
    games: u64,
    /// Where the last of them starts.
    game: Spot,
    /// Offset after the last game that has ended.
    game_end: u64,
    /// Where the data ended inside a game, which was closed.
    cut: Option<Spot>,
    /// The stream starts with a byte-order mark.
    bom: bool,
    /// The last error.
    error: Option<SyntaxError>,
    /// This stretch of text outside of games has been reported.
    junk_reported: bool,
    /// The charset that the open game has declared so far.
    declared: Declared,
    #[cfg(feature = "charset")]
    sniffer: crate::charset::GameSniffer,
    /// Offset after the last junk inside a tree: what follows directly is the same run.
    junk_end: u64,
    /// `root_properties` is not tried before this offset.
    root_blocks_from: u64,
    /// Bytes that are looked at together in a run of moves.
    look: usize,
    /// A look at the `(` at an offset, which may begin a head.
    head_scan: Option<(u64, HeadScan)>,
    /// The offset of a head: the input ends there until the piece before it has been read.
    head: Option<u64>,
    lines: LineCounter,
    #[cfg(test)]
    work: u64,
    /// No fast paths, for law L9.
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
            held: None,
            ident: HeldIdent {
                spot: Spot { at: 0, position: Position::START },
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
            game: Spot { at: 0, position: Position::START },
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

    /// A tokenizer for the same stream from another place on, outside of all games.
    pub(crate) fn restart(&self, position: Position) -> Self {
        let mut tokenizer = Tokenizer::new(self.config.clone());
        tokenizer.base = position.offset;
        tokenizer.place = MachineState::Outside;
        tokenizer.bom = self.bom;
        tokenizer.lines = LineCounter::new(position).at_level(self.config.simd);
        tokenizer
    }

    /// Where the last game starts.
    pub(crate) fn game_offset(&self) -> Option<u64> {
        (self.games > 0).then_some(self.game.at)
    }

    /// The position of the last game's start, if lines are counted.
    pub(crate) fn game_position(&self) -> Option<Position> {
        (self.games > 0 && self.tracks_lines()).then_some(self.game.position)
    }

    /// Offset after the last game that has ended: after its `)`, if it has one.
    pub(crate) fn game_end(&self) -> u64 {
        self.game_end
    }

    /// The end of the data, if it is inside a game, which was closed there; and if that has been
    /// met.
    pub(crate) fn cut(&self) -> Option<SyntaxError> {
        self.cut.map(|spot| SyntaxError::new(Code::UnclosedTree, spot.position))
    }

    /// Whether the stream starts with a byte-order mark, if it has been read.
    pub(crate) fn has_bom(&self) -> bool {
        self.bom
    }

    /// Whether positions have lines.
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

    /// The position of an offset before the last byte consumed, if lines are counted and its line is not
    /// too many lines back.
    pub(crate) fn recall(&self, offset: u64) -> Option<Position> {
        self.lines.recall(offset)
    }

    /// Where the open game starts; or a `(` outside of games that is held back, since it may be the
    /// start of one.
    pub(crate) fn open_game(&self) -> Option<u64> {
        if self.levels.is_empty() { self.held.map(|held| held.at) } else { Some(self.game.at) }
    }

    /// Whether a game is open: it has begun, and its end has not been met.
    pub(crate) fn is_in_game(&self) -> bool {
        !self.levels.is_empty()
    }

    /// Number of games that have begun.
    pub(crate) fn games(&self) -> u64 {
        self.games
    }

    /// Whether it knows what the start of its stream says of all games: the byte-order mark, and the charset that is detected.
    pub(crate) fn knows_start(&self) -> bool {
        self.place != MachineState::Start
    }

    /// A tokenizer for the same stream that goes on between games. `start` knows the start of the stream, if this does not.
    pub(crate) fn seek(&self, position: Position, start: Option<&Tokenizer>) -> Self {
        if position.offset == 0 {
            return Tokenizer::new(self.config.clone());
        }
        let start = start.unwrap_or(self);
        let mut tokenizer = Tokenizer { bom: start.bom, is_after_games: true, ..self.restart(position) };
        tokenizer.config.given = self.config.given.or(start.config.given);
        tokenizer
    }

    /// A tokenizer for a piece of the stream that is one game, at a position.
    #[cfg(feature = "codec")]
    pub(crate) fn restart_at_game(&self, position: Position, bom: bool, given: Given) -> Self {
        let mut restarted = Tokenizer { bom, ..self.restart(position) };
        restarted.config.given = self.config.given.or(given);
        restarted
    }

    /// The charset of games, as far as it is known, with the detected one if detection was asked for.
    pub(crate) fn given(&self) -> Given {
        self.config.given
    }

    /// Bytes looked at so far.
    #[cfg(all(test, feature = "codec"))]
    pub(crate) fn work(&self) -> u64 {
        self.work
    }

    /// Position of the first byte that is not consumed.
    pub(crate) fn position(&self) -> Position {
        self.lines.position()
    }

    #[cfg(feature = "serde")]
    pub(crate) fn config(&self) -> &Config {
        &self.config
    }

    /// Offset of the first byte that is not consumed.
    pub(crate) fn offset(&self) -> u64 {
        self.base
    }

    /// The identifier that was held back for the last `Property` event, if the input does not
    /// hold it any more.
    pub(crate) fn held_ident(&self) -> &[u8] {
        &self.ident.bytes
    }

    /// An error at a place, which names the limit if one was exceeded.
    #[cold]
    pub(crate) fn error_of(&self, code: Code, position: Position) -> SyntaxError {
        SyntaxError::with_limit(code, position, self.config.limit_of(code))
    }

    /// The error of [`Outcome::Failed`].
    pub(crate) fn error(&self) -> SyntaxError {
        self.error.unwrap_or(SyntaxError::new(Code::NoSgfData, Position::START))
    }

    /// See [`Parser::max_value_len`](crate::Parser::max_value_len).
    pub(crate) fn max_value_len(&self) -> u64 {
        self.config.max_value_len as u64
    }

    /// See [`Parser::max_game_len`](crate::Parser::max_game_len).
    pub(crate) fn max_game_len(&self) -> u64 {
        self.config.max_game_len as u64
    }

    /// Whether every fault is an error.
    pub(crate) fn is_strict(&self) -> bool {
        self.config.strict
    }

    /// See [`Parser::max_node_len`](crate::Parser::max_node_len).
    pub(crate) fn max_node_len(&self) -> usize {
        self.config.max_node_len
    }

    /// Number of `EndTree` events to come for the trees that are open.
    pub(crate) fn depth(&self) -> usize {
        // No `EndTree` comes for a tree that is being skipped.
        let skipped = self.skip.as_ref().is_some_and(Skip::is_tree);
        self.levels.trees() + self.pending.map_or(0, |pending| pending.ends) - usize::from(skipped)
    }

    /// Skips what is left of the open game, or the next game if none is open. At its end [`Sink::game_skipped`] is
    /// called, unless nothing was left: then this returns true.
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

    /// Undoes [`skip_game`](Self::skip_game) of a game that has not begun.
    pub(crate) fn unskip_game(&mut self) {
        self.skip_next = false;
    }

    /// After [`Outcome::Failed`]: goes on after the game that the fault is in. The repairs of
    /// lenient mode find its end, where [`Sink::game_skipped`] is called; false if the fault
    /// is in none.
    pub(crate) fn resync(&mut self) -> bool {
        self.resync = true;
        self.skip_next = false;
        if self.levels.is_empty() {
            self.held = None;
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
        let word = self.word.take().filter(|_| self.place == MachineState::LongWord);
        self.skip = Some(match (self.skip.take(), self.held.take()) {
            (Some(skip), _) => skip.widen(beside),
            (None, held) => Skip::game(beside + u64::from(held.is_some())),
        });
        if let (Some(skip), Some(word)) = (&mut self.skip, word) {
            skip.go_on_with_word(word.has_upper);
        }
        self.pending = None;
        self.word_seen = 0;
        match &mut self.value {
            Some(value) if self.place == MachineState::Value => value.drop_it(),
            _ => self.place = MachineState::Node,
        }
    }

    /// Reads as far as it can. See the [module](self) for the contract.
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

    /// Outside of games, and not after a `(` that may start one.
    pub(crate) fn is_outside(&self) -> bool {
        matches!(self.place, MachineState::Start | MachineState::Outside) && self.skip.is_none()
    }

    /// The data go on with another piece after the end of this one.
    #[inline]
    fn goes_on(&self) -> bool {
        if self.goes_on.get() {
            return true;
        }
        self.head.is_some()
    }

    /// A game has begun, in this input or before it.
    pub(crate) fn has_games(&self) -> bool {
        self.games > 0 || self.is_after_games
    }

    /// The rules of lenient mode apply.
    #[inline]
    fn lenient(&self) -> bool {
        !self.config.strict || self.resync
    }

    fn tracks_lines(&self) -> bool {
        self.config.strict || self.config.count_lines
    }

    /// Whether fast paths may be taken: always, except in the test of law L9.
    #[inline(always)]
    fn takes_fast_paths(&self) -> bool {
        #[cfg(test)]
        return !self.slow_path;
        #[cfg(not(test))]
        true
    }

    /// A move node after the root is what it seems to be, and within the limits.
    #[inline]
    fn takes_moves(&self) -> bool {
        self.takes_fast_paths()
            && !self.declared.is_in_root()
            && self.config.max_value_len >= 2
            && self.config.max_ident_len >= 1
    }

    /// Where the machine stands when a tree has ended, or an empty one has vanished.
    fn place_in_tree(&self) -> MachineState {
        if self.levels.is_empty() {
            MachineState::Outside
        } else if self.after_child || self.levels.in_promoted() {
            MachineState::Closed
        } else {
            MachineState::Node
        }
    }

    /// Counts bytes looked at (law L6 is about it).
    #[inline]
    fn count(&mut self, _bytes: usize) {
        #[cfg(test)]
        {
            self.work += _bytes as u64;
        }
    }
}
