//! Searches games that are nothing but a line of moves, without a [`Walk`](sgf_board::Walk).
//!
//! Most games of most archives are such games: a root, and nodes with one move each, on points of the board. For these,
//! the [`Quick`] sink takes whole runs of moves from the parser, plays them without hashes, and finds captures from the
//! neighbors of a move. A game in which anything else occurs is left to the walk: its number is
//! noted, and the caller [reads it again](Matcher::read_some).

use sgf_board::internal::Action;
use sgf_stream::internal::{MoveNode, Moves};
use sgf_stream::node::RootFacts;
use sgf_stream::value::go::{Move, Point};
use sgf_stream::value::{Color, Size};
use sgf_stream::{Diagnostic, Event, EventSink, Flow, Game, RawValue, work};

use crate::hit::{Hit, NodePlace};
use crate::layout::Grid;
use crate::matcher::{Changes, GameHits, Matcher, NodeFacts};
use crate::pattern::State;

/// A sink of the events of games that searches the simple ones. Created by [`Matcher::quick`].
#[derive(Debug)]
pub struct Quick<'m> {
    matcher: &'m mut Matcher,
    /// The number of the next game.
    next: u64,
    /// The offset of the game.
    offset: u64,
    place: Place,
    /// The number of open trees.
    depth: usize,
    facts: RootFacts,
    /// The moves and the setup of the root, until the size of the board is known.
    root: Vec<(Action, Option<[u8; 2]>)>,
    action: Option<Action>,
    size: Size,
    /// The numbers of columns and rows with a lower-case letter.
    sides: [u8; 2],
    grid: Grid,
    rules: Rules,
    /// The number of nodes and moves before the node.
    nodes: usize,
    moves: usize,
    /// The node that has not ended, if there is one.
    node: Option<OpenNode>,
    found: Vec<QuickMatch>,
    left: Vec<u64>,
}

/// A game with hits, as a [`Quick`] sink finds it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct QuickMatch {
    /// The number of the game among those that were read, from 0.
    pub number: u64,
    /// The byte offset of its `(`.
    pub offset: u64,
    /// Its hits, as in [`GameHits::hits`](crate::GameHits::hits).
    pub hits: Vec<Hit>,
}

/// Keeps the hits of a game that a reader has found.
impl From<&GameHits<'_>> for QuickMatch {
    fn from(game: &GameHits<'_>) -> Self {
        QuickMatch { number: game.number(), offset: game.offset(), hits: game.hits().to_vec() }
    }
}

impl QuickMatch {
    pub(crate) fn as_hits(&self) -> GameHits<'_> {
        GameHits { number: self.number, offset: self.offset, hits: &self.hits }
    }
}

/// Where a game is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Between,
    Root,
    Line,
    /// In a game whose rest is not read.
    Ignored,
}

#[derive(Clone, Copy, Debug)]
struct OpenNode {
    offset: u64,
    played: Option<(Color, Move)>,
}

impl<'m> Quick<'m> {
    pub(crate) fn new(matcher: &'m mut Matcher) -> Self {
        Quick {
            matcher,
            next: 0,
            offset: 0,
            place: Place::Between,
            depth: 0,
            facts: RootFacts::new(),
            root: Vec::new(),
            action: None,
            size: Size::default(),
            sides: [0; 2],
            grid: Grid::default(),
            rules: Rules::default(),
            nodes: 0,
            moves: 0,
            node: None,
            found: Vec::new(),
            left: Vec::new(),
        }
    }

    /// Ends the search. Returns the games with hits, and the numbers of those that are not simple.
    pub fn finish(mut self) -> (Vec<QuickMatch>, Vec<u64>) {
        if self.place != Place::Between {
            self.end_game();
        }
        (self.found, self.left)
    }

    fn begin_game(&mut self, offset: u64) {
        if self.place != Place::Between {
            self.end_game(); // the rest of it was skipped
        }
        self.offset = offset;
        (self.place, self.depth) = (Place::Root, 1);
        self.facts = RootFacts::new();
        self.facts.observe(Event::StartTree);
        self.root.clear();
        (self.action, self.nodes, self.moves, self.node) = (None, 0, 0, None);
        self.matcher.begin_none();
    }

    /// Leaves a game to the walk.
    fn leave(&mut self) -> Flow {
        if self.place != Place::Ignored {
            self.place = Place::Ignored;
            self.left.push(self.next);
            self.matcher.begin_none();
            self.node = None;
        }
        Flow::SkipGame
    }

    fn end_game(&mut self) {
        let is_left = self.left.last() == Some(&self.next);
        if !is_left {
            let hits = self.matcher.end_game();
            if !hits.is_empty() {
                self.found.push(QuickMatch { number: self.next, offset: self.offset, hits: hits.to_vec() });
            }
        }
        self.place = Place::Between;
        self.next += 1;
    }

    /// Begins the board, once the root has ended.
    fn end_root(&mut self) -> Flow {
        let context = self.facts.context();
        let board = context.board().filter(|size| context.game() == Game::Go && size.fits(Game::Go));
        let Some(size) = board else {
            // It counts as a game without a board.
            self.place = Place::Ignored;
            self.node = None;
            return Flow::SkipGame;
        };
        self.size = size;
        self.place = Place::Line;
        if !self.matcher.begin(size) {
            self.place = Place::Ignored;
            self.node = None;
            return Flow::SkipGame;
        }
        self.grid = self.matcher.grid();
        self.sides = [size.columns(), size.rows()].map(|side| side.min(26) as u8);
        for (action, letters) in std::mem::take(&mut self.root) {
            let flow = match letters {
                Some(letters) => self.act(action, letters),
                None => self.pass(action),
            };
            if flow != Flow::Continue {
                return flow;
            }
        }
        Flow::Continue
    }

    /// Plays a move, or sets a point.
    #[inline]
    fn act(&mut self, action: Action, letters: [u8; 2]) -> Flow {
        let grid = self.grid;
        let (x, y) = (letters[0].wrapping_sub(b'a'), letters[1].wrapping_sub(b'a'));
        let is_point = x < self.sides[0] && y < self.sides[1];
        let Some(node) = &mut self.node else { return self.leave() };
        match action {
            Action::Move(_) if node.played.is_some() => self.leave(),
            Action::Move(color) if is_point => {
                let at = grid.index(x, y);
                let (cells, changed) = self.matcher.cells();
                let is_replaced = cells[at] != State::EMPTY;
                if is_replaced {
                    changed.push((at, cells[at]));
                }
                self.rules.play(cells, grid, (at, color), changed);
                self.matcher.note_illegal(is_replaced);
                // Only the board knows the point: it is on it.
                node.played = Point::new(x, y).map(|point| (color, Move::Play(point)));
                self.moves += 1;
                Flow::Continue
            }
            Action::Move(color) => match Move::parse_on(RawValue::new(&letters), self.size) {
                Ok(Move::Pass) => {
                    node.played = Some((color, Move::Pass));
                    self.moves += 1;
                    Flow::Continue
                }
                _ => self.leave(),
            },
            Action::Setup(stone) if is_point => {
                let at = grid.index(x, y);
                let (cells, changed) = self.matcher.cells();
                changed.push((at, std::mem::replace(&mut cells[at], State::of(stone))));
                Flow::Continue
            }
            Action::Setup(_) => self.leave(),
        }
    }

    /// Begins a node, after the one before it.
    #[inline]
    fn begin_node(&mut self, offset: u64) -> Flow {
        let flow = self.end_node();
        if flow != Flow::Continue {
            return flow;
        }
        self.matcher.cells().1.clear();
        self.node = Some(OpenNode { offset, played: None });
        Flow::Continue
    }

    #[inline]
    fn end_node(&mut self) -> Flow {
        let Some(OpenNode { offset, played }) = self.node.take() else { return Flow::Continue };
        if self.place == Place::Root {
            self.node = Some(OpenNode { offset, played });
            if self.end_root() == Flow::SkipGame {
                return Flow::SkipGame;
            }
            return self.end_node();
        }
        let number = self.nodes;
        self.nodes += 1;
        if number > 0 && self.matcher.is_idle() && !self.matcher.has_completed() {
            return Flow::Continue;
        }
        let place = NodePlace { offset: Some(offset), number, ply: self.moves, is_on_main_line: true };
        let flow = self.matcher.search(NodeFacts { place, depth: number, played, has_tree: false });
        if flow == Flow::SkipGame {
            self.place = Place::Ignored;
        }
        flow
    }
}

impl EventSink for Quick<'_> {
    #[inline]
    fn event(&mut self, event: Event<'_>, offset: u64) -> Flow {
        let flow = self.event_of_game(event, offset);
        self.noted(flow)
    }

    fn diagnostic(&mut self, _: Diagnostic) {}

    #[inline]
    fn moves(&mut self, moves: Moves<'_>) -> Option<Flow> {
        let flow = self.run_of_moves(moves)?;
        Some(self.noted(flow))
    }
}

impl Quick<'_> {
    /// Notes that no more events of a game come, if they are skipped.
    #[inline]
    fn noted(&mut self, flow: Flow) -> Flow {
        if flow == Flow::SkipGame {
            self.depth = 0;
        }
        flow
    }

    #[inline]
    fn event_of_game(&mut self, event: Event<'_>, offset: u64) -> Flow {
        if self.place == Place::Root {
            self.facts.observe(event);
        }
        match event {
            Event::StartTree if self.depth == 0 => {
                self.begin_game(offset);
                Flow::Continue
            }
            Event::StartTree => {
                let flow = self.end_node();
                if flow != Flow::Continue {
                    return flow;
                }
                self.depth += 1;
                // Variations are searched by the walk.
                if self.matcher.has_variations() || self.nodes == 0 { self.leave() } else { Flow::Continue }
            }
            Event::EndTree => {
                self.end_node();
                self.depth = self.depth.saturating_sub(1);
                if self.depth == 0 {
                    self.end_game();
                    return Flow::Continue;
                }
                // The main line is over.
                self.place = Place::Ignored;
                Flow::SkipGame
            }
            Event::Node if self.place == Place::Root && self.node.is_none() => {
                self.node = Some(OpenNode { offset, played: None });
                Flow::Continue
            }
            Event::Node => self.begin_node(offset),
            Event::Property(ident) => {
                self.action = Action::of(ident);
                let is_read = self.place == Place::Root || self.place == Place::Line && self.action.is_some();
                if is_read { Flow::Continue } else { Flow::Skip }
            }
            Event::Value(value) => {
                let Some(action) = self.action else { return Flow::Continue };
                let letters = match *value.as_bytes() {
                    [x, y] => Some([x, y]),
                    [] => None,
                    _ => return self.leave(),
                };
                match (self.place, letters) {
                    (Place::Root, letters) => {
                        self.root.push((action, letters));
                        Flow::Continue
                    }
                    (Place::Line, None) => self.pass(action),
                    (Place::Line, Some(letters)) => self.act(action, letters),
                    _ => Flow::Continue,
                }
            }
            _ if self.action.is_some() => self.leave(),
            _ => Flow::Continue,
        }
    }

    #[inline]
    fn run_of_moves(&mut self, moves: Moves<'_>) -> Option<Flow> {
        match self.place {
            Place::Line | Place::Root => {}
            Place::Between | Place::Ignored => return None,
        }
        if self.place == Place::Root && self.node.is_none() {
            return None;
        }
        let flow = self.end_node();
        if flow != Flow::Continue {
            return Some(flow);
        }
        let mut nodes = moves.nodes();
        let mut node = nodes.next();
        while let Some(MoveParts { letter, letters, offset }) = node.map(MoveParts::of) {
            node = nodes.next();
            // The last node may have more properties.
            let flow = match node.is_some() {
                true => self.whole_node(letter, letters, offset),
                false => self.open_node(letter, letters, offset),
            };
            if flow != Flow::Continue {
                return Some(flow);
            }
        }
        Some(Flow::Continue)
    }
}

/// What matters of a node of a run.
struct MoveParts {
    letter: u8,
    letters: [u8; 2],
    offset: u64,
}

impl MoveParts {
    #[inline]
    fn of(node: MoveNode<'_>) -> Self {
        MoveParts { letter: node.letter(), letters: node.letters(), offset: node.offset() }
    }
}

impl Quick<'_> {
    /// Processes a node of a run that may not have ended.
    fn open_node(&mut self, letter: u8, letters: [u8; 2], offset: u64) -> Flow {
        let flow = self.begin_node(offset);
        match letter {
            _ if flow != Flow::Continue => flow,
            b'B' => self.act(Action::Move(Color::Black), letters),
            b'W' => self.act(Action::Move(Color::White), letters),
            _ => Flow::Continue,
        }
    }

    /// Processes a node of a run, which has nothing else.
    #[inline]
    fn whole_node(&mut self, letter: u8, letters: [u8; 2], offset: u64) -> Flow {
        let (x, y) = (letters[0].wrapping_sub(b'a'), letters[1].wrapping_sub(b'a'));
        let is_point = x < self.sides[0] && y < self.sides[1];
        let color = if letter == b'B' { Color::Black } else { Color::White };
        if is_point
            && matches!(letter, b'B' | b'W')
            && self.matcher.is_idle()
            && let Some((layout, cells, changed)) = self.matcher.parts()
        {
            let at = self.grid.index(x, y);
            if cells[at] == State::EMPTY {
                changed.clear();
                self.rules.play(cells, self.grid, (at, color), changed);
                let is_possible = changed.len() > 1 || layout.may_complete(cells, at, State::of(Some(color)));
                if !is_possible || !layout.has_completed(cells, changed) {
                    self.nodes += 1;
                    self.moves += 1;
                    return Flow::Continue;
                }
                self.moves += 1;
                let played = Point::new(x, y).map(|point| (color, Move::Play(point)));
                self.node = Some(OpenNode { offset, played });
                return self.end_node();
            }
        }
        let flow = self.open_node(letter, letters, offset);
        if flow == Flow::Continue { self.end_node() } else { flow }
    }

    fn pass(&mut self, action: Action) -> Flow {
        match (action, &mut self.node) {
            (Action::Move(color), Some(node)) if node.played.is_none() => {
                node.played = Some((color, Move::Pass));
                self.moves += 1;
                Flow::Continue
            }
            _ => self.leave(),
        }
    }
}

/// Returns whether the cells near a new stone show that nothing is captured.
///
/// It reads all cells at most two points away and has no branch for any of them: mispredicted branches took nearly half of
/// the time of a search. After most moves the answer is yes, and no chain is searched.
#[inline]
fn is_plain(cells: &[State], stride: usize, at: usize, (own, other): (State, State)) -> bool {
    let (above, below) = (at - stride, at + stride);
    let (Some(&[nw, n, ne]), Some(&[sw, s, se]), Some(&[ww, w, _, e, ee])) =
        (cells[above - 1..].first_chunk(), cells[below - 1..].first_chunk(), cells[at - 2..].first_chunk())
    else {
        return false;
    };
    let (nn, ss) = (cells[above - stride], cells[below + stride]);
    let (west, east) = (nw.or(sw), ne.or(se));
    let (north, south) = (nw.or(ne), sw.or(se));
    let sides = [(w, west.or(ww)), (e, east.or(ee)), (n, north.or(nn)), (s, south.or(ss))];
    let (mut is_alive, mut may_capture) = (false, false);
    for (side, around) in sides {
        let has_liberty = side.or(around).contains(State::EMPTY);
        is_alive |= has_liberty & own.or(State::EMPTY).contains(side);
        may_capture |= !has_liberty & other.contains(side);
    }
    is_alive & !may_capture
}

/// The rules of captures.
#[derive(Clone, Debug, Default)]
struct Rules {
    /// The cells of a chain, as far as they are known.
    chain: Vec<usize>,
    /// By cell: the last search that has been there.
    seen: Vec<u32>,
    search: u32,
}

impl Rules {
    /// Plays a move, and notes the changes: on an empty point, or on a stone, which was noted.
    #[inline]
    fn play(&mut self, cells: &mut [State], grid: Grid, (at, color): (usize, Color), changed: &mut Changes) {
        let (own, other) = match color {
            Color::Black => (State::BLACK, State::WHITE),
            Color::White => (State::WHITE, State::BLACK),
        };
        cells[at] = own;
        changed.push((at, State::EMPTY));
        if !is_plain(cells, grid.stride, at, (own, other)) {
            self.capture(cells, grid.stride, (at, own, other), changed);
        }
    }

    /// Removes the chains that a new stone has left without liberties.
    #[inline(never)]
    fn capture(
        &mut self,
        cells: &mut [State],
        stride: usize,
        (at, own, other): (usize, State, State),
        changed: &mut Changes,
    ) {
        let mut has_liberty = false;
        for next in [at - 1, at + 1, at - stride, at + stride] {
            let state = cells[next];
            if state == State::EMPTY {
                has_liberty = true;
            } else if state == other && !self.has_liberty(cells, stride, next) {
                has_liberty = true;
                self.remove_chain(cells, other, changed);
            }
        }
        if !has_liberty && !self.has_liberty(cells, stride, at) {
            self.remove_chain(cells, own, changed);
        }
    }

    fn remove_chain(&self, cells: &mut [State], color: State, changed: &mut Changes) {
        work::note(self.chain.len());
        for &captured in &self.chain {
            cells[captured] = State::EMPTY;
            changed.push((captured, color));
        }
    }

    /// Returns whether a chain has a liberty. If it has none, its cells are known afterwards.
    #[inline]
    fn has_liberty(&mut self, cells: &[State], stride: usize, at: usize) -> bool {
        let around = |at: usize| [at - 1, at + 1, at - stride, at + stride];
        if around(at).into_iter().any(|next| cells[next] == State::EMPTY) {
            return true;
        }
        self.chain_has_liberty(cells, stride, at)
    }

    fn chain_has_liberty(&mut self, cells: &[State], stride: usize, at: usize) -> bool {
        if self.seen.len() != cells.len() || self.search == u32::MAX {
            self.seen.clear();
            self.seen.resize(cells.len(), 0);
            self.search = 0;
        }
        self.search += 1;
        self.chain.clear();
        self.chain.push(at);
        self.seen[at] = self.search;
        let (color, mut n) = (cells[at], 0);
        while let Some(&at) = self.chain.get(n) {
            n += 1;
            work::note(1);
            for next in [at - 1, at + 1, at - stride, at + stride] {
                if cells[next] == State::EMPTY {
                    return true;
                }
                if cells[next] == color && self.seen[next] != self.search {
                    self.seen[next] = self.search;
                    self.chain.push(next);
                }
            }
        }
        false
    }
}
