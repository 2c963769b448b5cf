//! The board of a game during its events.

use std::ops::ControlFlow;

use sgf_stream::internal::{Budget, HeldRoot};
use sgf_stream::node::RootFacts;
use sgf_stream::value::go::{Move, Point};
use sgf_stream::value::{Color, Rect, Size};
use sgf_stream::{Event, Game, Ident, RawValue, work};

use super::line::Follow;
use super::position::{Cell, Change, Ko, MAX_SAVED};
use super::{Board, Played};

/// The board of Go games, updated with their events.
///
/// Pass it every event from any reader, or those of one line, as a [`Visitor`](sgf_stream::Visitor) gets them. A variation
/// starts from the position of the node where it branches off. Moves and setup (`B`, `W`, `AB`, `AW`, `AE`) are executed
/// in file order. Those of the root are executed when the root ends, because the size of the board may be its last
/// property.
///
/// **The board is the one after the last event, which is not always the position of a node**: within a node it has a part
/// of the node's setup, the root's board comes one event later, and an `EndTree` reverts the moves of a variation. For the
/// positions of nodes use a [`Walk`](super::Walk). A `Replay` shows how the board changes from event to event, and has the
/// last position:
///
/// ```
/// use sgf_stream::Parser;
/// use sgf_board::Replay;
/// use sgf_stream::value::Color;
///
/// let mut replay = Replay::new();
/// Parser::new().parse(b"(;SZ[9];B[ba];W[aa];B[ab])", |event, _| replay.event(event))?;
/// assert_eq!(replay.move_number(), 3);
/// assert_eq!(replay.board().unwrap().captured(Color::White), 1);
/// # Ok::<(), sgf_stream::SyntaxError>(())
/// ```
///
/// Each move of a node with several moves is executed, and counts in [`move_number`](Self::move_number), whereas a `Walk` has
/// one step for the node. The moves of the root come too late for a program that takes the board before each move from the
/// event before it: use the steps of a `Walk`.
///
/// # Limits
///
/// Memory does not grow with the game: a `Replay` keeps the position, and what is needed to return to the positions where the
/// open variations began.
///
/// * In variations nested more than 1,024 deep, positions are known until the first of these variations ends, and again when
///   the others end. Such a nest counts as [`unread`](Self::unread).
/// * If rectangles of setup name more than 1,000,000 points in a game, the game has no board from there on, and the
///   rectangle counts as unread.
/// * If the root is longer than 4 MiB, its moves and setup are executed with the size that is known by then.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The actions of the root, until the size of the board is known.
    root: HeldRoot,
    board: Option<Board>,
    /// A board that is not in use: the board of an earlier game, or a board whose position is not known.
    spare: Option<Board>,
    /// The board before a rectangle that exceeded the budget, until its node ends.
    exceeded: Option<Board>,
    /// The points that the rectangles of the game may still name.
    budget: Budget,
    /// The action of the open property.
    action: Option<Action>,
    line: Line,
    /// Whether a variation has ended after the last node.
    is_after_variation: bool,
    /// The changes of the open path that may be reverted.
    changes: Vec<Change>,
    /// The state at the start of each open variation.
    branches: Vec<Branch>,
    /// The changes since the last step of a walk, also those that reverted a variation.
    seen: Option<Vec<Change>>,
    /// The number of these changes that are not of the open node.
    seen_before: usize,
    unread: usize,
    /// Maximum number of moves to execute; everything after them is ignored.
    most: usize,
    is_over: bool,
}

/// The effect of a value on a game.
#[derive(Clone, Copy, Debug)]
pub(super) enum Effect<'a> {
    /// A move, and what it did unless it is a pass or off the board.
    Move(Color, Move, Option<Played>),
    /// An unreadable move, which changes nothing.
    UnreadMove,
    Setup,
    /// In games that are not followed on a board.
    Raw(Action, RawValue<'a>),
}

impl Default for Replay {
    fn default() -> Self {
        Replay::up_to(usize::MAX)
    }
}

/// The state of the current line.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Line {
    /// Number of nodes.
    pub(super) nodes: usize,
    pub(super) moves: usize,
    last: Option<(Color, Move)>,
    /// Whether a variation other than the first is open.
    pub(super) is_beside: bool,
}

#[derive(Clone, Debug)]
struct Branch {
    changes: usize,
    /// The cells of the position, instead of the changes since.
    cells: Option<Box<[Cell]>>,
    line: Line,
    captured: [u32; 2],
    ko: Option<Ko>,
}

/// Maximum number of changes since a step that are kept one by one; several times the number of points.
const MAX_SEEN: usize = 1 << 16;

/// The effect of a property on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Plays a stone, or passes.
    Move(Color),
    /// Adds stones, or makes points empty.
    Setup(Option<Color>),
}

impl Action {
    /// Returns the effect of a property. `None` if it has none.
    #[inline]
    pub fn of(ident: Ident<'_>) -> Option<Self> {
        match ident.as_bytes() {
            b"B" => Some(Action::Move(Color::Black)),
            b"W" => Some(Action::Move(Color::White)),
            _ => Self::of_rare(ident),
        }
    }

    fn of_rare(ident: Ident<'_>) -> Option<Self> {
        let mut name = ident.name_bytes();
        match (name.next()?, name.next(), name.next()) {
            (b'B', None, _) => Some(Action::Move(Color::Black)),
            (b'W', None, _) => Some(Action::Move(Color::White)),
            (b'A', Some(b'B'), None) => Some(Action::Setup(Some(Color::Black))),
            (b'A', Some(b'W'), None) => Some(Action::Setup(Some(Color::White))),
            (b'A', Some(b'E'), None) => Some(Action::Setup(None)),
            _ => None,
        }
    }
}

impl Replay {
    /// Creates the state before the first game.
    pub fn new() -> Self {
        Replay::default()
    }

    /// Creates the state before the first game, which also keeps the changes of each step.
    pub(super) fn of_walk() -> Self {
        Replay { seen: Some(Vec::new()), ..Replay::new() }
    }

    /// Creates the state for the first `most` moves of each game.
    fn up_to(most: usize) -> Self {
        Replay {
            root: HeldRoot::with_facts(RootFacts::new()),
            board: None,
            spare: None,
            exceeded: None,
            budget: Budget::default(),
            action: None,
            line: Line::default(),
            is_after_variation: false,
            changes: Vec::new(),
            branches: Vec::new(),
            seen: None,
            seen_before: 0,
            unread: 0,
            most,
            is_over: false,
        }
    }

    /// Processes the next event.
    ///
    /// Setup and moves of the root are executed with the event after it, and the `EndTree` of a variation reverts its
    /// moves. The positions of nodes come from [`Walk::event`](super::Walk::event).
    #[inline]
    pub fn event(&mut self, event: Event<'_>) {
        self.event_with(event, &mut |_, _| {});
    }

    /// Processes the next event, and reports its effect. The board is that after the event.
    #[inline]
    pub(super) fn event_with(&mut self, event: Event<'_>, report: &mut impl FnMut(Option<&Board>, Effect<'_>)) {
        self.execute(event, report);
        self.follow(event);
    }

    /// Executes a value, or the root if it ends with this event.
    #[inline]
    pub(super) fn execute(&mut self, event: Event<'_>, report: &mut impl FnMut(Option<&Board>, Effect<'_>)) {
        match event {
            Event::Property(ident) => {
                self.action = Action::of(ident);
                if self.root.is_held() && self.action.is_some() {
                    self.hold(event, report);
                }
            }
            Event::Value(value) => {
                if let Some(action) = self.action {
                    match self.root.is_held() {
                        true => self.hold(event, report),
                        false => self.act(action, value, report),
                    }
                }
            }
            Event::Node => self.action = None,
            _ => {}
        }
        let facts = &mut self.root.facts;
        if !facts.is_final() || matches!(event, Event::StartTree | Event::EndTree) {
            let was_final = facts.is_final();
            facts.observe(event);
            if facts.is_final() && !was_final {
                self.end_root(report);
            }
        }
    }

    /// Leaves the last node, or its line, after the event was executed.
    #[inline]
    pub(super) fn follow(&mut self, event: Event<'_>) {
        if self.exceeded.is_some() && !matches!(event, Event::Property(_) | Event::Value(_) | Event::ValuePart(_)) {
            self.spare = self.exceeded.take();
        }
        match event {
            Event::Node => {
                self.line.nodes += 1;
                self.is_after_variation = false;
            }
            Event::StartTree if !self.root.facts.is_final() => self.begin_game(),
            Event::StartTree => self.begin_variation(),
            Event::EndTree => {
                self.end_variation();
                self.is_after_variation = true;
            }
            _ => {}
        }
    }

    fn begin_game(&mut self) {
        self.root.start(0);
        self.changes.clear();
        self.forget_seen();
        self.branches.clear();
        (self.action, self.line, self.unread) = (None, Line::default(), 0);
        self.spare = self.board.take().or(self.exceeded.take()).or(self.spare.take());
        self.budget = Budget::default();
        (self.is_over, self.is_after_variation) = (false, false);
    }

    /// Holds an event of the root. If the root is too long, it is executed with the size that is known.
    fn hold(&mut self, event: Event<'_>, report: &mut impl FnMut(Option<&Board>, Effect<'_>)) {
        if self.root.hold(event, 0) {
            return;
        }
        self.end_root(report);
        if let (Event::Value(value), Some(action)) = (event, self.action) {
            self.act(action, value, report);
        }
    }

    /// Starts the game, once the size of the board is known.
    fn end_root(&mut self, report: &mut impl FnMut(Option<&Board>, Effect<'_>)) {
        let Some(events) = self.root.end() else { return };
        let context = self.root.facts.context();
        self.board = match context.game() {
            Game::Go => context.board().and_then(|size| self.empty_board(size)),
            _ => None,
        };
        let mut action = None;
        for (event, _) in events.iter() {
            match (event, action) {
                (Event::Property(ident), _) => action = Action::of(ident),
                (Event::Value(value), Some(action)) => self.act(action, value, report),
                _ => {}
            }
        }
        self.root.reuse(events);
    }

    fn empty_board(&mut self, size: Size) -> Option<Board> {
        match self.spare.take().filter(|board| board.size == size) {
            Some(mut board) => {
                board.clear();
                Some(board)
            }
            None => Board::new(size),
        }
    }

    /// Prepares for the next game.
    pub(super) fn skip_game(&mut self) {
        self.root.facts = RootFacts::new();
        self.begin_game();
    }

    fn begin_variation(&mut self) {
        if self.branches.len() == MAX_SAVED && self.board.is_some() {
            self.copy_cells(); // the changes from here on are not kept
            self.unread += 1;
        }
        let (captured, ko) = self.board.as_ref().map_or(([0; 2], None), |board| (board.captured, board.position.ko()));
        self.branches.push(Branch { changes: self.changes.len(), cells: None, line: self.line, captured, ko });
        self.line.is_beside |= std::mem::take(&mut self.is_after_variation);
    }

    /// Replaces the changes of the last variation with a copy of the position before them.
    fn copy_cells(&mut self) {
        let (Some(board), Some(branch)) = (&self.board, self.branches.last_mut()) else { return };
        let mut cells: Box<[Cell]> = match branch.cells.take() {
            Some(cells) => cells,
            None => board.position.cells().into(),
        };
        work::note(cells.len() + self.changes.len() - branch.changes);
        for Change { at, color, is_placed } in self.changes.drain(branch.changes..).rev() {
            cells[usize::from(at)] = if is_placed { Cell::Empty } else { color.into() };
        }
        branch.cells = Some(cells);
    }

    /// Returns whether changes are kept, because they are part of a variation that has no copy.
    #[inline]
    fn keeps_changes(&self) -> bool {
        self.branches.last().is_some_and(|branch| branch.cells.is_none() && self.branches.len() <= MAX_SAVED)
    }

    /// Undoes the changes of a variation. Does nothing at the end of a game.
    fn end_variation(&mut self) {
        let Some(Branch { changes, cells, line, captured, ko }) = self.branches.pop() else { return };
        self.line = line;
        if self.branches.len() >= MAX_SAVED {
            self.spare = self.board.take().or(self.spare.take());
            return;
        }
        if self.branches.len() + 1 == MAX_SAVED && cells.is_some() {
            self.board = self.board.take().or(self.spare.take());
        }
        let Some(board) = &mut self.board else { return };
        work::note(self.changes.len() - changes + cells.as_ref().map_or(0, |cells| cells.len()));
        let mut note = |change| {
            if let Some(seen) = &mut self.seen {
                seen.push(change);
            }
        };
        for change in self.changes.drain(changes..).rev() {
            board.take_back(change);
            note(Change { is_placed: !change.is_placed, ..change });
        }
        for (at, &cell) in (0..).zip(cells.iter().flat_map(|cells| cells.iter())) {
            board.set_cell(at, cell, &mut note);
        }
        board.captured = captured;
        board.position.set_ko(ko);
        self.limit_changes();
    }

    /// Keeps the net effect of changes if there are too many.
    #[inline]
    fn limit_changes(&mut self) {
        let Some(Branch { changes, .. }) = self.branches.last() else { return self.limit_seen() };
        let most = self.board.as_ref().map_or(0, |board| board.stones.len());
        if self.changes.len().saturating_sub(*changes) > most {
            self.copy_cells();
        }
        self.limit_seen();
    }

    #[inline]
    fn limit_seen(&mut self) {
        if let Some(seen) = self.seen.as_mut().filter(|seen| seen.len() > MAX_SEEN) {
            let (before, own) = seen.split_at(self.seen_before.min(seen.len()));
            let (before, own) = (net_effect(before), net_effect(own));
            self.seen_before = before.len();
            *seen = before;
            seen.extend(own);
        }
    }

    fn act(&mut self, action: Action, value: RawValue<'_>, report: &mut impl FnMut(Option<&Board>, Effect<'_>)) {
        let is_kept = self.keeps_changes();
        let Some(board) = &mut self.board else {
            self.line.moves += usize::from(matches!(action, Action::Move(_)));
            return report(None, Effect::Raw(action, value));
        };
        let (changes, seen) = (&mut self.changes, &mut self.seen);
        let mut note = |change| {
            if is_kept {
                changes.push(change);
            }
            if let Some(seen) = seen {
                seen.push(change);
            }
        };
        match action {
            Action::Move(color) => match read_move(value, board.size) {
                Some(_) if self.line.moves == self.most => self.is_over = true,
                Some(read) => {
                    let at = read.point().and_then(|point| board.index(point));
                    let played = at.map(|at| board.play_at(color, at, &mut note));
                    if played.is_none() {
                        board.pass();
                    }
                    (self.line.moves, self.line.last) = (self.line.moves + 1, Some((color, read)));
                    report(Some(board), Effect::Move(color, read, played));
                }
                None => {
                    board.pass(); // it may have ended a ko
                    self.unread += 1;
                    report(Some(board), Effect::UnreadMove);
                }
            },
            Action::Setup(_) if self.is_over => {}
            Action::Setup(stone) => match read_area(value, board.size) {
                Some(area) if self.budget.expand(area.area()) => {
                    let cell = stone.map_or(Cell::Empty, Cell::from);
                    work::note(area.area() as usize);
                    for point in area.points() {
                        if let Some(at) = board.index(point) {
                            board.set_cell(at, cell, &mut note);
                        }
                    }
                    report(Some(board), Effect::Setup);
                }
                Some(_) => {
                    self.unread += 1;
                    self.exceeded = self.board.take();
                    self.changes.clear();
                    self.branches.iter_mut().for_each(|branch| branch.cells = None);
                    return;
                }
                None => self.unread += 1,
            },
        }
        self.limit_changes();
    }

    /// Returns the facts that the root of the game declares, as far as it has been read.
    pub(super) fn facts(&self) -> &RootFacts {
        &self.root.facts
    }

    /// Returns whether nothing in this property is of interest.
    #[inline]
    pub(super) fn ignores(&self, ident: Ident<'_>) -> bool {
        self.root.facts.is_final() && Action::of(ident).is_none()
    }

    /// Returns the changes of the board since [`forget_seen`](Self::forget_seen).
    #[inline]
    pub(super) fn seen(&self) -> &[Change] {
        self.seen.as_deref().unwrap_or_default()
    }

    #[inline]
    pub(super) fn forget_seen(&mut self) {
        self.seen_before = 0;
        if let Some(seen) = &mut self.seen {
            seen.clear();
        }
    }

    /// Starts the changes of a node.
    #[inline]
    pub(super) fn begin_seen(&mut self) {
        self.seen_before = self.seen().len();
    }

    /// Returns those of the changes that the open node has made.
    #[inline]
    pub(super) fn seen_in_node(&self) -> &[Change] {
        self.seen().get(self.seen_before..).unwrap_or_default()
    }

    /// Returns the board at the end of a node: the one before a rectangle that exceeded the budget, if there was one.
    #[inline]
    pub(super) fn board_of_node(&self) -> Option<&Board> {
        self.board.as_ref().or(self.exceeded.as_ref())
    }

    /// Returns the state of the current line.
    #[inline]
    pub(super) fn line(&self) -> Line {
        self.line
    }

    /// Returns the position after the last event.
    ///
    /// `None` before the event after the root, if the game is not Go on a board of up to 52x52, and beyond the
    /// [limits](Self#limits).
    #[inline]
    pub fn board(&self) -> Option<&Board> {
        self.board.as_ref()
    }

    /// Returns the position, and drops the rest.
    pub fn into_board(self) -> Option<Board> {
        self.board
    }

    /// Returns the number of moves from the root to here, passes included.
    pub fn move_number(&self) -> usize {
        self.line.moves
    }

    /// Returns the last move of the open line.
    pub fn last_move(&self) -> Option<(Color, Move)> {
        self.line.last
    }

    /// Returns the number of unreadable values of moves and setup in this game so far.
    pub fn unread(&self) -> usize {
        self.unread
    }
}

/// Returns at most two changes per point, which have the same effect.
fn net_effect(changes: &[Change]) -> Vec<Change> {
    let points = changes.iter().map(|change| usize::from(change.at) + 1).max().unwrap_or_default();
    work::note(2 * changes.len() + points);
    // The stone before and the stone after all changes of a point.
    let mut net = vec![(None, None); points];
    for &Change { at, color, is_placed } in changes.iter().rev() {
        let (before, after) = if is_placed { (None, Some(color)) } else { (Some(color), None) };
        let of_point: &mut Option<_> = &mut net[usize::from(at)].1;
        of_point.get_or_insert(after);
        net[usize::from(at)].0 = before;
    }
    let mut left = Vec::new();
    for (at, (before, after)) in (0..).zip(net) {
        let after = after.flatten();
        if before != after {
            left.extend(before.map(|color| Change { at, color, is_placed: false }));
            left.extend(after.map(|color| Change { at, color, is_placed: true }));
        }
    }
    left
}

/// Reads a move, leniently if necessary.
#[inline]
pub(crate) fn read_move(value: RawValue<'_>, size: Size) -> Option<Move> {
    Move::parse_on(value, size).or_else(|_| Move::parse_on_lenient(value, size)).ok()
}

/// Reads a point or a rectangle, leniently if necessary.
pub(crate) fn read_area(value: RawValue<'_>, size: Size) -> Option<Rect<Point>> {
    Rect::parse_on(value, size).or_else(|_| Rect::parse_on_lenient(value, size)).ok()
}

/// A visitor that returns the position after a number of moves of the main line.
pub(super) struct UpTo(pub(super) usize);

impl Follow for UpTo {
    type Game = Replay;
    type Output = Option<Board>;

    fn begin(&mut self) -> Replay {
        Replay::up_to(self.0)
    }

    fn event(&mut self, replay: &mut Replay, event: Event<'_>) -> ControlFlow<Option<Board>> {
        replay.event(event);
        match replay.is_over {
            true => ControlFlow::Break(replay.board.take()),
            false => ControlFlow::Continue(()),
        }
    }

    fn end(&mut self, replay: Replay) -> Option<Board> {
        replay.board
    }
}

/// The hashes of the positions after the moves of a line, from its events.
#[derive(Debug)]
pub struct Positions {
    replay: Replay,
    after: Vec<Option<PositionHashes>>,
}

/// The hash of a position, and the smallest one under all symmetries.
#[derive(Clone, Copy, Debug)]
pub struct PositionHashes {
    /// That of the position.
    pub as_played: u64,
    /// The smallest.
    pub canonical: u64,
}

impl Positions {
    /// Starts a game.
    pub fn begin() -> Self {
        let mut positions = Positions { replay: Replay::new(), after: Vec::new() };
        positions.observe(Event::StartTree);
        positions
    }

    /// Processes an event of the line. Moves of the root are played when the root ends.
    pub fn observe(&mut self, event: Event<'_>) {
        let after = &mut self.after;
        self.replay.event_with(event, &mut |board, effect| match effect {
            Effect::Move(..) => {
                let hashes =
                    |board: &Board| PositionHashes { as_played: board.hash(), canonical: board.canonical_hash() };
                after.push(board.map(hashes));
            }
            Effect::UnreadMove | Effect::Raw(Action::Move(_), _) => after.push(None),
            Effect::Setup | Effect::Raw(Action::Setup(_), _) => {}
        });
    }

    /// Returns the positions after each kept move.
    ///
    /// `None` after an unreadable one, and in games other than Go.
    pub fn after(&self) -> &[Option<PositionHashes>] {
        &self.after
    }

    /// Keeps only the positions after the first `moves` moves. The game continues.
    pub fn truncate(&mut self, moves: usize) {
        self.after.truncate(moves);
    }
}
