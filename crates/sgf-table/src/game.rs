//! Games as the tokenizer sends them: a sink that keeps the parts of a game that the columns of `games` need.
//!
//! The sink keeps those root properties that columns are read from, and the values that determine the charset. The choice
//! of columns therefore changes neither the detected charset nor the diagnostics. After the root the sink skips everything
//! that no column needs.

use std::collections::VecDeque;

use sgf_board::internal::{Action, FingerprintDraft, Grid};
use sgf_stream::charset::GameTexts;
use sgf_stream::internal::{MOVE_WEIGHT, MoveNode, Moves, WEIGHT, count_moves, tells_charset};
use sgf_stream::node::RootFacts;
use sgf_stream::value::Color;
use sgf_stream::{Code, Diagnostic, Event, EventSink, Flow, Game, Ident, NodeRecord, Parser, RawValue, SyntaxError};

use super::columns::Scope;
use super::line::MainLine;
use super::log::Log;

/// The needs of the columns of a table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Needs {
    pub(super) scope: Scope,
    /// The moves of the main line are kept.
    pub(super) keeps_line: bool,
    /// The fingerprint of the main line is computed.
    pub(super) prints: bool,
    /// The main line is replayed on a board, to its last position.
    pub(super) replays: bool,
    /// The game of roots that name none.
    pub(super) default_game: Game,
    /// The [name bits](Ident::name_bit) of the properties of the root that are read.
    pub(super) names: u64,
    /// The other values of the root that are read, for the charset.
    pub(super) charsets: ForCharset,
    /// Values after a root that is ASCII are read for the charset.
    pub(super) all_charsets: bool,
    pub(super) max_node_len: usize,
}

/// The root values that determine the charset of a game, regardless of the columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ForCharset {
    Nothing,
    /// Those that say something of it.
    Telling,
    All,
}

impl ForCharset {
    #[inline]
    pub(super) fn wants(self, value: RawValue<'_>) -> bool {
        let _ = value;
        match self {
            ForCharset::Nothing => false,
            ForCharset::Telling => tells_charset(value.as_bytes()),
            ForCharset::All => true,
        }
    }
}

/// Receives the events of games.
#[derive(Debug)]
pub(super) struct GameSink {
    pub(super) needs: Needs,
    pub(super) parser: Parser,
    pub(super) game: GameDraft,
    pub(super) log: Log,
    /// Number of bytes in the open node, with those of its entries.
    node_weight: usize,
    /// The node before which the rows so far are to be given out.
    paused: Option<u64>,
    place: PlaceInGame,
    depth: usize,
    /// Number of open trees that are not the main line.
    beside: usize,
    /// A variation of the same node has ended.
    after_variation: bool,
    /// What the open property does, after the root.
    open: Option<Action>,
    /// The number of the last node that counts as one with a comment: it may have several.
    commented: u64,
    /// The open property of the root is read.
    is_wanted: bool,
    /// Values after the root are read for the charset.
    reads_texts: bool,
    /// The last faults before the game, and their offsets: those of its start come before its first event.
    before: VecDeque<Diagnostic>,
}

/// The most faults that are kept until a game begins.
const MOST_BEFORE: usize = 16;

/// The kept content of a game.
#[derive(Debug, Default)]
pub(super) struct GameDraft {
    pub(super) offset: u64,
    pub(super) end: u64,
    pub(super) number: Option<u64>,
    /// The root, with those properties only that the chosen columns read.
    pub(super) root: NodeRecord<'static>,
    pub(super) facts: RootFacts,
    /// The first diagnostic that lost data. An exceeded limit takes the place of a repair.
    pub(super) error: Option<Code>,
    /// The error that ended strict reading.
    pub(super) failure: Option<SyntaxError>,
    pub(super) findings: u64,
    /// Faults that the tokenizer does not know of, and their offsets.
    pub(super) faults: Vec<(Code, u64)>,
    pub(super) nodes: u64,
    pub(super) variations: u64,
    pub(super) comments: u64,
    pub(super) setup: u64,
    pub(super) moves: u64,
    pub(super) line: MainLine,
    pub(super) print: Option<FingerprintDraft>,
    /// The root has more than there is room for.
    is_root_full: bool,
    /// Values of the root came in parts, which say nothing one by one.
    has_parts_in_root: bool,
    /// The values that tell the charset.
    pub(super) texts: GameTexts,
}

/// Where the last event was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PlaceInGame {
    Before,
    Root,
    Rest,
    Over,
}

impl GameSink {
    pub(super) fn new(needs: Needs, log: Log, parser: Parser) -> Self {
        let facts = RootFacts::new().default_game(needs.default_game);
        GameSink {
            needs,
            parser,
            game: GameDraft { facts, ..GameDraft::default() },
            log,
            node_weight: 0,
            paused: None,
            place: PlaceInGame::Before,
            depth: 0,
            beside: 0,
            after_variation: false,
            commented: 0,
            open: None,
            is_wanted: true,
            reads_texts: false,
            before: VecDeque::new(),
        }
    }

    /// Prepares for the next game.
    pub(super) fn expect_game(&mut self) {
        self.game.clear();
        (self.place, self.depth, self.beside) = (PlaceInGame::Before, 0, 0);
        (self.after_variation, self.commented, self.open) = (false, 0, None);
        self.reads_texts = false;
        self.before.clear();
        self.log.begin_game();
        self.paused = None;
    }

    /// Returns whether the rows so far must be returned before the game continues.
    pub(super) fn is_paused(&self) -> bool {
        self.paused.is_some()
    }

    /// Notes that the rows so far have been returned. If they had texts in a charset, the others are in the same.
    pub(super) fn resume(&mut self) {
        if self.game.texts.is_open() {
            self.game.texts.settle();
            self.reads_texts = false;
        }
        self.log.clear();
        if let Some(node) = self.paused.take() {
            self.log.node(node);
        }
    }

    /// Returns whether the open node is one that rows are made from.
    #[inline]
    fn logs(&self) -> bool {
        match self.log {
            Log::Nothing => false,
            Log::Moves(_) => self.beside == 0,
            Log::Properties(_) => true,
        }
    }

    /// Logs a property or a value, if there is room for it.
    fn log_event(&mut self, event: Event<'_>, at: u64) {
        let len = match event {
            Event::Property(ident) => ident.as_bytes().len(),
            Event::Value(value) => value.as_bytes().len(),
            _ => return,
        };
        let before = self.node_weight;
        self.node_weight = before.saturating_add(len + WEIGHT);
        if self.node_weight > self.needs.max_node_len {
            // A root is measured where it is kept.
            if before <= self.needs.max_node_len && self.place != PlaceInGame::Root {
                self.game.findings += 1;
                self.lose(Code::NodeTooLong);
                self.game.faults.push((Code::NodeTooLong, at));
            }
            self.node_weight = usize::MAX;
            return;
        }
        match event {
            Event::Property(ident) => self.log.property(ident, at),
            Event::Value(value) => self.log.value(value, at),
            _ => {}
        }
    }

    /// Notes that strict reading failed in the game: nothing more of it is kept.
    pub(super) fn end_faulty(&mut self) {
        self.end_root();
    }

    pub(super) fn place(&self) -> PlaceInGame {
        self.place
    }

    fn reads_game(&self) -> bool {
        self.needs.scope == Scope::Game
    }

    /// Notes that data of the game was lost.
    #[cold]
    pub(super) fn lose(&mut self, code: Code) {
        if self.game.error.is_none_or(|known| known.severity() < code.severity()) {
            self.game.error = Some(code);
        }
    }

    /// Processes a diagnostic of the game.
    #[cold]
    fn note(&mut self, fault: Diagnostic) {
        self.game.findings += 1;
        if fault.code.loses_data() {
            self.lose(fault.code);
        }
    }

    #[cold]
    fn lose_moves(&mut self) {
        if self.game.error != Some(Code::GameTooLong) {
            self.game.faults.push((Code::GameTooLong, self.game.offset));
        }
        self.lose(Code::GameTooLong);
    }

    fn begin(&mut self, at: u64) -> Flow {
        self.game.offset = at;
        self.depth = 1;
        let of_game = std::mem::take(&mut self.before).into_iter().filter(|fault| fault.position.offset >= at);
        of_game.for_each(|fault| self.note(fault));
        if self.needs.prints {
            self.game.print = Some(FingerprintDraft::begin(self.needs.default_game, self.needs.replays));
        }
        Flow::Continue
    }

    /// Ends the root.
    fn end_root(&mut self) {
        if self.place != PlaceInGame::Root {
            return;
        }
        self.place = PlaceInGame::Rest;
        self.game.end_root(self.needs);
        let texts = &self.game.texts;
        let may_tell = self.needs.all_charsets || texts.is_open();
        self.reads_texts = self.needs.charsets != ForCharset::Nothing && may_tell && !texts.is_decided();
    }

    /// Handles an event that starts something after the root.
    #[inline]
    fn is_enough(&self) -> bool {
        self.needs.scope == Scope::Root && !self.reads_texts
    }

    fn start_tree(&mut self) -> Flow {
        self.end_root();
        if self.is_enough() {
            return Flow::SkipGame;
        }
        if self.after_variation {
            self.game.variations += 1;
        }
        if self.beside > 0 {
            self.beside += 1;
        } else if self.after_variation {
            if !(self.reads_game() || self.reads_texts && self.game.texts.is_open()) {
                return Flow::Skip;
            }
            self.beside = 1;
        }
        self.depth += 1;
        self.log.tree(true);
        Flow::Continue
    }

    fn end_tree(&mut self) -> Flow {
        self.end_root();
        self.log.tree(false);
        self.depth = self.depth.saturating_sub(1);
        self.after_variation = true;
        self.beside = self.beside.saturating_sub(1);
        if self.depth == 0 {
            self.place = PlaceInGame::Over;
            return Flow::Break;
        }
        Flow::Continue
    }

    /// Takes an event of the root: of values, those that are read or tell the charset. False if there is no room.
    #[inline(always)]
    fn take_of_root(&mut self, event: Event<'_>, at: u64) -> bool {
        if self.game.is_root_full {
            return false;
        }
        let has_room = match event {
            Event::Value(value) if !self.tells_charset(value) && !self.is_wanted => {
                self.game.root.leave_out(self.needs.max_node_len, event)
            }
            event => self.game.root.take_up_to(self.needs.max_node_len, event, at),
        };
        if !has_room {
            self.lose_rest_of_root(at);
        } else if let Some(print) = &mut self.game.print {
            print.observe(event);
        }
        has_room
    }

    /// Notes whether a value determines the charset.
    #[inline(always)]
    fn tells_charset(&mut self, value: RawValue<'_>) -> bool {
        let tells = self.needs.charsets.wants(value);
        if tells {
            self.game.texts.add(value);
        }
        tells
    }

    #[cold]
    fn lose_rest_of_root(&mut self, at: u64) {
        self.game.is_root_full = true;
        self.game.findings += 1;
        self.lose(Code::NodeTooLong);
        self.game.faults.push((Code::NodeTooLong, at));
    }

    fn root_property(&mut self, ident: Ident<'_>, at: u64) -> Flow {
        self.is_wanted = ident.name_bit() & self.needs.names != 0;
        self.game.facts.open(ident);
        self.take_of_root(Event::Property(ident), at);
        Flow::Continue
    }

    fn root_value(&mut self, value: RawValue<'_>, at: u64) -> Flow {
        if self.take_of_root(Event::Value(value), at) {
            self.game.facts.note_open(value);
        }
        Flow::Continue
    }

    #[cold]
    fn root_part(&mut self, part: Event<'_>, at: u64) -> Flow {
        self.game.has_parts_in_root |= self.take_of_root(part, at);
        Flow::Continue
    }

    #[inline]
    fn property(&mut self, ident: Ident<'_>) -> Flow {
        self.open = Action::of(ident);
        if self.open.is_none() && ident == "C" && self.reads_game() && self.commented != self.game.nodes {
            self.game.comments += 1;
            self.commented = self.game.nodes;
        }
        if let (Some(print), 0) = (&mut self.game.print, self.beside) {
            print.observe(Event::Property(ident));
        }
        Flow::Continue
    }

    #[inline]
    fn value(&mut self, value: RawValue<'_>) -> Flow {
        match self.open {
            Some(Action::Move(color)) if self.beside == 0 => {
                self.game.moves += 1;
                if self.needs.keeps_line && !self.game.line.push(color, value.as_bytes()) {
                    self.lose_moves();
                }
            }
            Some(Action::Setup(Some(_))) if self.reads_game() => self.game.setup += stones(value, self.game.board()),
            _ => {}
        }
        if self.reads_texts {
            self.game.texts.add(value);
            self.reads_texts = !self.game.texts.is_decided();
        }
        if let (Some(print), 0) = (&mut self.game.print, self.beside) {
            print.observe(Event::Value(value));
        }
        Flow::Continue
    }
}

impl GameDraft {
    /// Prepares for the next game, in the same memory.
    fn clear(&mut self) {
        // Every field by its name, so that none is forgotten.
        let GameDraft {
            offset,
            end,
            number,
            root,
            facts,
            error,
            failure,
            findings,
            faults,
            nodes,
            variations,
            comments,
            setup,
            moves,
            line,
            print,
            is_root_full,
            has_parts_in_root,
            texts,
        } = self;
        texts.clear();
        root.start(0);
        facts.next_game();
        line.clear();
        faults.clear();
        (*error, *failure, *print, *number) = (None, None, None, None);
        (*is_root_full, *has_parts_in_root) = (false, false);
        for number in [offset, end, findings, nodes, variations, comments, setup, moves] {
            *number = 0;
        }
    }

    /// Returns the board, if the game is Go or Hex.
    pub(super) fn board(&self) -> Option<Grid> {
        Grid::of(&self.facts.context())
    }

    /// Collects the texts of a root that came in parts, which it holds as values.
    #[cold]
    fn collect_texts(&mut self) {
        self.texts.clear();
        self.root.iter().flat_map(|property| property.values()).for_each(|value| self.texts.add(value));
    }

    fn end_root(&mut self, needs: Needs) {
        if self.has_parts_in_root {
            self.facts = RootFacts::of_root(&self.root).default_game(needs.default_game);
            self.collect_texts();
        }
        self.facts.finish();
        if needs.charsets != ForCharset::Nothing {
            self.texts.end_root(self.facts.charset());
        }
        if needs.scope == Scope::Root {
            return;
        }
        let board = self.board();
        self.line.set_board(board);
        let mut moves = Vec::new();
        for (name, color) in [("B", Color::Black), ("W", Color::White)] {
            let property = self.root.get(name).into_iter();
            moves.extend(property.flat_map(|of| of.values_with_offsets().map(move |(value, at)| (at, color, value))));
        }
        for property in ["AB", "AW"].into_iter().filter_map(|name| self.root.get(name)) {
            self.setup += property.values().map(|value| stones(value, board)).sum::<u64>();
        }
        self.comments += u64::from(self.root.contains("C"));
        self.moves += moves.len() as u64;
        if needs.keeps_line {
            moves.sort_by_key(|(at, ..)| *at);
            // A root has fewer than there is room for.
            moves.into_iter().for_each(|(_, color, value)| _ = self.line.push(color, value.as_bytes()));
        }
    }
}

/// Returns the number of stones that a value of `AB` or `AW` sets up.
fn stones(value: RawValue<'_>, board: Option<Grid>) -> u64 {
    if value.as_bytes().len() == 2 {
        return 1;
    }
    match board {
        Some(board) => board.area(value),
        None => u64::from(!value.is_empty()),
    }
}

impl EventSink for GameSink {
    #[inline(always)]
    fn event(&mut self, event: Event<'_>, at: u64) -> Flow {
        match event {
            Event::Node => {
                self.game.nodes += 1;
                self.after_variation = false;
                if self.place == PlaceInGame::Before {
                    self.place = PlaceInGame::Root;
                    self.game.root.start(at);
                } else {
                    self.end_root();
                    if self.is_enough() {
                        return Flow::SkipGame;
                    }
                }
                if let (Some(print), 0) = (&mut self.game.print, self.beside) {
                    print.observe(event);
                }
                if self.logs() {
                    self.node_weight = 0;
                    if self.log.is_long() {
                        self.paused = Some(at);
                        return Flow::Break;
                    }
                    self.log.node(at);
                }
                Flow::Continue
            }
            Event::Property(_) | Event::Value(_) | Event::ValuePart(_) if self.place == PlaceInGame::Root => {
                if self.log.is_on() {
                    self.log_event(event, at);
                }
                match event {
                    Event::Property(ident) => self.root_property(ident, at),
                    Event::Value(value) => self.root_value(value, at),
                    part => self.root_part(part, at),
                }
            }
            Event::Property(ident) => {
                if self.logs() {
                    self.log_event(event, at);
                }
                self.property(ident)
            }
            Event::Value(value) => {
                if self.logs() {
                    self.log_event(event, at);
                }
                self.value(value)
            }
            Event::StartTree if self.depth == 0 => self.begin(at),
            Event::StartTree => self.start_tree(),
            Event::EndTree => self.end_tree(),
            _ => Flow::Continue,
        }
    }

    #[inline]
    fn moves(&mut self, moves: Moves<'_>) -> Option<Flow> {
        let is_after_root_node = matches!(self.place, PlaceInGame::Root | PlaceInGame::Rest);
        if !is_after_root_node || self.is_enough() || self.log.is_long() {
            return None;
        }
        self.end_root();
        let mut copy = None;
        let run = moves.joined(&mut copy);
        if self.logs() {
            self.log.run(moves);
            self.node_weight = MOVE_WEIGHT;
        }
        self.after_variation = false;
        let is_line = self.beside == 0;
        let (nodes, moves) = (run.len() as u64, count_moves(run).iter().sum());
        if is_line && self.needs.keeps_line && !self.game.line.push_run(run, moves) {
            self.lose_moves();
        }
        self.game.nodes += nodes;
        if moves < nodes && self.reads_game() {
            self.game.comments += run.iter().filter(|node| MoveNode::alone(node).letter() == b'C').count() as u64;
        }
        if is_line {
            self.game.moves += moves;
            if let Some(print) = &mut self.game.print {
                print.moves(run);
            }
        }
        Some(Flow::Continue)
    }

    fn game_skipped(&mut self) -> Flow {
        self.place = PlaceInGame::Over;
        Flow::Break
    }

    #[cold]
    fn diagnostic(&mut self, fault: Diagnostic) {
        self.parser.report(fault.clone());
        if self.depth > 0 || self.place != PlaceInGame::Before {
            return self.note(fault);
        }
        if self.before.len() == MOST_BEFORE {
            self.before.pop_front();
        }
        self.before.push_back(fault);
    }
}
