//! Fingerprints: equal for copies of a game, including rotated and mirrored ones.

use std::ops::ControlFlow;

use sgf_stream::internal::{Budget, HeldRoot, MoveNode};
use sgf_stream::node::RootFacts;
use sgf_stream::value::go::Point;
use sgf_stream::value::{Color, Size, Symmetry};
use sgf_stream::{Event, Game, Ident, RawValue, Visitor};

use super::Board;
use super::grid::{Grid, GridMove, HexStones, is_word_of_hex};
use super::line::{Follow, MainLine};
use super::line_hash::LineHash;
use super::replay::Action;

/// The fingerprint of the setup and the main line of a game.
///
/// It does not depend on anything else in the file. [`Fingerprint::visitor`] computes it:
///
/// ```
/// use sgf_stream::Parser;
/// use sgf_board::Fingerprint;
///
/// // The same game, the second time mirrored, and with a variation.
/// let games = b"(;SZ[19]PB[Shusaku];B[qd];W[dc];B[pq])(;GM[1];B[dq](;W[cd];B[qp])(;W[dd]))";
/// let mut reader = Parser::new().slice(games);
/// let one = reader.read_game(&mut Fingerprint::visitor())?.unwrap();
/// let other = reader.read_game(&mut Fingerprint::visitor())?.unwrap();
/// assert_eq!(one.moves(), 3);
/// assert_eq!(one.canonical(), other.canonical());
/// # Ok::<(), sgf_stream::SyntaxError>(())
/// ```
///
/// Hashes are as stable as those of boards: see [`Board::HASH_VERSION`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fingerprint {
    line: LineHash,
    opening: Option<[u8; 16]>,
    final_position: Option<u64>,
    size: Option<Size>,
    dyer: [Option<Point>; 6],
    looks_like_hex: bool,
}

/// Number of stones in an [opening](Fingerprint::opening).
const OPENING: usize = 30;

/// The move numbers of a Dyer signature, in its order.
const DYER: [usize; 6] = [20, 40, 60, 31, 51, 71];

impl Fingerprint {
    /// Creates a visitor that returns the fingerprint of each game.
    pub fn visitor() -> impl Visitor<Output = Fingerprint> {
        Self::visitor_with(|_| {})
    }

    /// Creates a visitor that also calls a function after each move, with the hash so far.
    pub(crate) fn visitor_with(after_move: impl FnMut(&LineHash)) -> impl Visitor<Output = Fingerprint> {
        MainLine(Fingerprints { default_game: Game::default(), wants_position: true, after_move })
    }

    /// Creates a visitor without the [final position](Self::final_position), which takes most of the time.
    ///
    /// `default_game` is the game of files without `GM`.
    ///
    /// ```
    /// use sgf_board::Fingerprint;
    /// use sgf_stream::{Game, Parser};
    ///
    /// // Hex as Little Golem writes it, and as others do.
    /// let mut reader = Parser::new().slice(b"(;SZ[13];W[ge];B[swap])(;GM[11]SZ[13];W[g5];B[swap-pieces])");
    /// let mut prints = Vec::new();
    /// while let Some(print) = reader.read_game(&mut Fingerprint::line_visitor(Game::Hex, |_| {}))? {
    ///     prints.push(print.canonical());
    /// }
    /// assert_eq!(prints[0], prints[1]);
    /// # Ok::<(), sgf_stream::SyntaxError>(())
    /// ```
    pub fn line_visitor(default_game: Game, after_move: impl FnMut(&LineHash)) -> impl Visitor<Output = Fingerprint> {
        MainLine(Fingerprints { default_game, wants_position: false, after_move })
    }

    /// Returns the hash of the whole main line.
    pub fn line(&self) -> &LineHash {
        &self.line
    }

    /// Returns the number of moves in the main line, passes included. Unreadable moves do not count.
    pub fn moves(&self) -> usize {
        self.line.moves()
    }

    /// Returns the hash of the main line, equal for copies of a game: see [`LineHash`].
    pub fn canonical(&self) -> [u8; 16] {
        self.line.canonical()
    }

    /// Returns the hash of the first 30 stones; `None` if there are fewer.
    ///
    /// It is equal for a game and a truncated copy of it.
    pub fn opening(&self) -> Option<[u8; 16]> {
        self.opening
    }

    /// Returns the key for splitting games into sets, such as training and test data.
    ///
    /// It is the [opening](Self::opening), or the [canonical hash](Self::canonical) of a game with fewer than 30 stones.
    ///
    /// It is equal for copies of a game, including rotated, mirrored and truncated copies, and copies with other moves after
    /// the 30th stone. Only a copy that is truncated before the 30th stone has another key. Different games may have equal
    /// keys, which does a split no harm. Two games with equal keys are not necessarily copies.
    ///
    /// ```
    /// use sgf_stream::Parser;
    /// use sgf_board::Fingerprint;
    ///
    /// // The same game: all of it, a mirrored and truncated copy, and a copy with another last move.
    /// let line = |column: char, count: usize| {
    ///     (0..count).map(|n| format!(";B[{column}{}]", (b'a' + n as u8 % 19) as char)).collect::<String>()
    /// };
    /// let games = [
    ///     format!("(;SZ[19]{}{})", line('c', 19), line('d', 19)),
    ///     format!("(;SZ[19]{}{})", line('q', 19), line('p', 11)),
    ///     format!("(;SZ[19]{}{};B[ss])", line('c', 19), line('d', 18)),
    /// ];
    /// let games = games.concat();
    /// let mut reader = Parser::new().slice(games.as_bytes());
    /// let mut prints = Vec::new();
    /// while let Some(print) = reader.read_game(&mut Fingerprint::visitor())? {
    ///     prints.push(print);
    /// }
    /// assert_ne!(prints[0].canonical(), prints[1].canonical());
    /// assert_eq!(prints[0].opening_key(), prints[1].opening_key());
    /// assert_eq!(prints[0].opening_key(), prints[2].opening_key());
    /// # Ok::<(), sgf_stream::SyntaxError>(())
    /// ```
    pub fn opening_key(&self) -> [u8; 16] {
        self.opening.unwrap_or_else(|| self.canonical())
    }

    /// Returns the hash of the final position, if it was computed.
    ///
    /// `None` in games other than Go and Hex, and if rectangles of setup name more than 1,000,000 points. In Go it is the
    /// [canonical hash](Board::canonical_hash) of the board. In Hex it is equal for positions that are equal when one is
    /// rotated 180 degrees.
    pub fn final_position(&self) -> Option<u64> {
        self.final_position
    }

    /// Returns whether the game was read as Go but is probably Hex.
    ///
    /// It has no `GM`, and a move of its main line can only be a Hex move: `swap`, `resign`. Files of Little Golem are
    /// like that.
    #[doc(hidden)]
    pub fn looks_like_hex(&self) -> bool {
        self.looks_like_hex
    }

    /// Returns the Dyer signature of a Go game: the points of six moves.
    ///
    /// They are the moves 20, 40, 60, 31, 51 and 71, in the letters of SGF, with `??` for a pass or a missing move.
    ///
    /// ```
    /// use sgf_stream::Parser;
    /// use sgf_board::Fingerprint;
    ///
    /// let game = format!("(;SZ[19]{})", ";B[dd];W[pp]".repeat(20));
    /// let print = Parser::new().slice(game.as_bytes()).read_game(&mut Fingerprint::visitor())?.unwrap();
    /// assert_eq!(print.dyer(), "pppp??dd????");
    /// # Ok::<(), sgf_stream::SyntaxError>(())
    /// ```
    pub fn dyer(&self) -> String {
        spell(self.dyer)
    }

    /// Returns the smallest of the game's eight Dyer signatures, one per symmetry.
    pub fn canonical_dyer(&self) -> String {
        let Some(size) = self.size else { return self.dyer() };
        let turned = |symmetry: Symmetry| spell(self.dyer.map(|point| symmetry.apply(point?, size)));
        Symmetry::ALL.into_iter().map(turned).min().unwrap_or_default()
    }
}

fn spell(points: [Option<Point>; 6]) -> String {
    points.iter().map(|point| point.map_or("??".to_owned(), |point| point.to_string())).collect()
}

/// The fingerprint of a game in progress.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The moves and setup of the root, until its game and the size of its board are known.
    root: HeldRoot,
    /// The points that the rectangles of the game may still name.
    budget: Budget,
    open: Option<Does>,
    game: Game,
    grid: Option<Grid>,
    line: LineHash,
    wants_position: bool,
    position: Option<Stones>,
    opening: Option<[u8; 16]>,
    dyer: [Option<Point>; 6],
    looks_like_hex: bool,
}

/// The effect of a property on a fingerprint.
#[derive(Clone, Copy, Debug)]
enum Does {
    Action(Action),
    /// `PL`: the player to move.
    ToPlay,
}

impl Does {
    #[inline]
    fn of(ident: Ident<'_>) -> Option<Self> {
        Action::of(ident).map(Does::Action).or_else(|| (ident == "PL").then_some(Does::ToPlay))
    }
}

/// The stones on a board.
#[derive(Clone, Debug)]
enum Stones {
    Go(Box<Board>),
    Hex(HexStones),
}

impl Stones {
    fn on(grid: Grid) -> Option<Self> {
        Some(if grid.is_hex {
            Stones::Hex(HexStones::new(grid.size))
        } else {
            Stones::Go(Box::new(Board::new(grid.size)?))
        })
    }

    fn play(&mut self, color: Color, x: u8, y: u8) {
        match self {
            Stones::Go(board) => _ = Point::new(x, y).and_then(|point| board.play(color, point)),
            Stones::Hex(stones) => stones.set(x, y, Some(color)),
        }
    }

    fn set(&mut self, stone: Option<Color>, x: u8, y: u8) {
        match self {
            Stones::Go(board) => _ = Point::new(x, y).is_some_and(|point| board.set(point, stone)),
            Stones::Hex(stones) => stones.set(x, y, stone),
        }
    }

    fn canonical_hash(&self) -> u64 {
        match self {
            Stones::Go(board) => board.canonical_hash(),
            Stones::Hex(stones) => stones.canonical_hash(),
        }
    }
}

impl Draft {
    /// Creates the state before the first event of a game. Without `GM` the game is `default_game`. The final position is
    /// computed if `wants_position`.
    fn new(default_game: Game, wants_position: bool) -> Self {
        Draft {
            root: HeldRoot::with_facts(RootFacts::new().default_game(default_game)),
            budget: Budget::default(),
            open: None,
            game: default_game,
            grid: None,
            line: LineHash::new(default_game, None),
            wants_position,
            position: None,
            opening: None,
            dyer: [None; 6],
            looks_like_hex: false,
        }
    }

    /// Resets the state at the start of a game: like [`new`](Self::new).
    pub fn begin(default_game: Game, wants_position: bool) -> Self {
        let mut draft = Draft::new(default_game, wants_position);
        draft.observe(Event::StartTree);
        draft
    }

    /// Processes an event of the main line: a node, a property or a value.
    #[inline]
    pub fn observe(&mut self, event: Event<'_>) {
        self.event(event, &mut |_| {});
    }

    /// Processes a run of moves of the main line.
    pub fn moves(&mut self, run: &[[u8; MoveNode::LEN]]) {
        self.observe(Event::Node);
        for node in run.iter().map(MoveNode::alone) {
            let color = match node.letter() {
                b'B' => Color::Black,
                b'W' => Color::White,
                _ => continue,
            };
            self.act(Does::Action(Action::Move(color)), node.value(), &mut |_| {});
        }
    }

    /// Ends the game.
    pub fn end(mut self) -> Fingerprint {
        self.observe(Event::EndTree);
        self.fingerprint()
    }

    fn fingerprint(self) -> Fingerprint {
        let Draft { grid, line, position, opening, dyer, looks_like_hex, .. } = self;
        Fingerprint {
            line,
            opening,
            final_position: position.as_ref().map(Stones::canonical_hash),
            size: grid.map(|grid| grid.size),
            dyer,
            looks_like_hex,
        }
    }

    #[inline]
    fn event(&mut self, event: Event<'_>, after_move: &mut impl FnMut(&LineHash)) {
        match event {
            Event::Property(ident) => {
                self.open = Does::of(ident);
                if self.root.is_held() && self.open.is_some() {
                    self.hold(event, after_move);
                }
            }
            Event::Value(value) => {
                if let Some(does) = self.open {
                    match self.root.is_held() {
                        true => self.hold(event, after_move),
                        false => self.act(does, value, after_move),
                    }
                }
            }
            Event::Node => self.open = None,
            _ => {}
        }
        if !self.root.facts.is_final() {
            self.root.facts.observe(event);
            if self.root.facts.is_final() {
                self.end_root(after_move);
            }
        }
    }

    /// Holds an event of the root. If the root is too long, its line starts with what is known.
    fn hold(&mut self, event: Event<'_>, after_move: &mut impl FnMut(&LineHash)) {
        if self.root.hold(event, 0) {
            return;
        }
        self.end_root(after_move);
        if let (Event::Value(value), Some(does)) = (event, self.open) {
            self.act(does, value, after_move);
        }
    }

    /// Starts the line, once the game and the size of its board are known.
    fn end_root(&mut self, after_move: &mut impl FnMut(&LineHash)) {
        let Some(events) = self.root.end() else { return };
        let context = self.root.facts.context();
        self.game = context.game();
        self.grid = Grid::of(&context);
        self.line = LineHash::new(self.game, self.grid);
        self.position = self.grid.filter(|_| self.wants_position).and_then(Stones::on);
        let mut open = None;
        for (event, _) in events.iter() {
            match (event, open) {
                (Event::Property(ident), _) => open = Does::of(ident),
                (Event::Value(value), Some(does)) => self.act(does, value, after_move),
                _ => {}
            }
        }
    }

    #[inline]
    fn act(&mut self, does: Does, value: RawValue<'_>, after_move: &mut impl FnMut(&LineHash)) {
        match does {
            Does::Action(Action::Move(color)) => {
                let moves = self.line.moves();
                self.play(color, value);
                if self.line.moves() > moves {
                    if self.line.stone_count() == OPENING && self.opening.is_none() {
                        self.opening = Some(self.line.canonical());
                    }
                    after_move(&self.line);
                }
            }
            Does::Action(Action::Setup(stone)) => match self.grid {
                Some(grid) if !self.budget.expand(grid.area(value)) => {
                    self.line.set_raw(stone, value);
                    self.position = None;
                }
                Some(grid) => grid.each_point(value, |x, y| {
                    self.line.set(stone, x, y);
                    if let Some(stones) = &mut self.position {
                        stones.set(stone, x, y);
                    }
                }),
                None => self.line.set_raw(stone, value),
            },
            Does::ToPlay => {
                if let Ok(color) = Color::parse_lenient(value) {
                    self.line.set_to_play(color);
                }
            }
        }
    }

    #[inline]
    fn play(&mut self, color: Color, value: RawValue<'_>) {
        let Some(grid) = self.grid else { return self.line.play_raw(color, value) };
        match grid.read_move(value) {
            Some(GridMove::At(x, y)) => {
                self.line.play(color, x, y);
                if let Some(stones) = &mut self.position {
                    stones.play(color, x, y);
                }
                if let Some(place) = DYER.iter().position(|&number| number == self.line.moves()) {
                    self.dyer[place] = Point::new(x, y);
                }
            }
            Some(GridMove::SwapPieces) => {
                self.line.swap_pieces();
                if let Some(Stones::Hex(stones)) = &mut self.position {
                    stones.swap_pieces();
                }
            }
            Some(GridMove::Pass | GridMove::SwapSides | GridMove::Resign | GridMove::Forfeit) => self.line.pass(),
            None => {
                self.looks_like_hex |= !self.root.facts.names_game() && !grid.is_hex && is_word_of_hex(value);
            }
        }
    }
}

/// A visitor that returns fingerprints, and calls a function after each move.
struct Fingerprints<F> {
    default_game: Game,
    wants_position: bool,
    after_move: F,
}

impl<F: FnMut(&LineHash)> Follow for Fingerprints<F> {
    type Game = Draft;
    type Output = Fingerprint;

    fn begin(&mut self) -> Draft {
        Draft::new(self.default_game, self.wants_position)
    }

    fn event(&mut self, draft: &mut Draft, event: Event<'_>) -> ControlFlow<Fingerprint> {
        draft.event(event, &mut self.after_move);
        ControlFlow::Continue(())
    }

    fn end(&mut self, draft: Draft) -> Fingerprint {
        draft.fingerprint()
    }
}
