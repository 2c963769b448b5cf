//! Fingerprints: they are equal for the same game, however it is turned, mirrored or described.

use std::ops::ControlFlow;

use super::keys::{Symmetry, mix};
use super::line::{Follow, MainLine};
use super::replay::{Action, Replay, Step};
use super::{Board, keys};
use crate::value::go::{Move, Point};
use crate::value::{Color, Size};
use crate::{Event, RawValue, Visitor};

/// The fingerprint of a game: of its setup and main line, whatever else its file says.
///
/// Made by reading a game with [`Fingerprint::visitor`]:
///
/// ```
/// use sgf_stream::Parser;
/// use sgf_stream::board::Fingerprint;
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
/// Hashes are stable as those of boards are: see [`Board::HASH_VERSION`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fingerprint {
    hash: GameHash,
    opening: Option<[u8; 16]>,
    final_position: Option<u64>,
    size: Option<Size>,
    dyer: [Option<Point>; 6],
}

/// Stones in an [opening](Fingerprint::opening).
const OPENING: usize = 30;

/// The moves of a Dyer signature, in the order in which it names them.
const DYER: [usize; 6] = [20, 40, 60, 31, 51, 71];

impl Fingerprint {
    /// A visitor that makes the fingerprint of a game from its main line.
    pub fn visitor() -> impl Visitor<Output = Fingerprint> {
        Self::visitor_with(|_| {})
    }

    /// Like [`visitor`](Self::visitor), but also calls a function after each move, with the hash of the game so far.
    pub fn visitor_with(after_move: impl FnMut(&GameHash)) -> impl Visitor<Output = Fingerprint> {
        MainLine(Fingerprints { after_move })
    }

    /// The hash of the whole main line.
    pub fn game_hash(&self) -> &GameHash {
        &self.hash
    }

    /// Number of moves in the main line, passes among them. Moves that cannot be read do not count.
    pub fn moves(&self) -> usize {
        self.hash.moves()
    }

    /// The hash of the setup and the moves of the main line: see [`GameHash::canonical`].
    pub fn canonical(&self) -> [u8; 16] {
        self.hash.canonical()
    }

    /// The [hash of the first 30 stones](GameHash::stones_in_order) played; `None` if there are fewer. A game and a
    /// shorter copy of it have this in common.
    pub fn opening(&self) -> Option<[u8; 16]> {
        self.opening
    }

    /// The [canonical hash](Board::canonical_hash) of the last position; `None` if the game is not Go.
    pub fn final_position(&self) -> Option<u64> {
        self.final_position
    }

    /// The Dyer signature of a game of Go: the points of the moves 20, 40, 60, 31, 51 and 71 in the letters of SGF. `??`
    /// stands for a pass, and for a move that is not there.
    ///
    /// ```
    /// use sgf_stream::Parser;
    /// use sgf_stream::board::Fingerprint;
    ///
    /// let game = format!("(;SZ[19]{})", ";B[dd];W[pp]".repeat(20));
    /// let print = Parser::new().slice(game.as_bytes()).read_game(&mut Fingerprint::visitor())?.unwrap();
    /// assert_eq!(print.dyer(), "pppp??dd????");
    /// # Ok::<(), sgf_stream::SyntaxError>(())
    /// ```
    pub fn dyer(&self) -> String {
        spell(self.dyer)
    }

    /// The least of the eight Dyer signatures that the game has when it is turned and mirrored.
    pub fn canonical_dyer(&self) -> String {
        let Some(size) = self.size else { return self.dyer() };
        let turned = |symmetry: Symmetry| spell(self.dyer.map(|point| symmetry.apply(point?, size)));
        Symmetry::ALL.into_iter().map(turned).min().unwrap_or_default()
    }
}

fn spell(points: [Option<Point>; 6]) -> String {
    points.iter().map(|point| point.map_or("??".to_owned(), |point| point.to_string())).collect()
}

/// Hashes of the setup and the moves of a line, for each way to turn and mirror the board.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GameHash {
    /// Hash of setup and moves.
    game: [LineHash; 8],
    /// Hash of the stones played, whatever their color.
    stones: [LineHash; 8],
    /// The hashes of the position after setup that no move has followed yet. So neither the order of setup counts, nor
    /// setup that changes nothing.
    setup: Option<[u64; 8]>,
    /// The hashes of the position before that.
    position: [u64; 8],
    moves: usize,
    stone_count: usize,
}

impl GameHash {
    fn new() -> Self {
        let none = [LineHash::default(); 8];
        GameHash { game: none, stones: none, setup: None, position: [0; 8], moves: 0, stone_count: 0 }
    }

    /// Number of moves so far, passes among them.
    pub fn moves(&self) -> usize {
        self.moves
    }

    /// Number of moves so far that put a stone on the board. In games other than Go, every move counts.
    pub fn stone_count(&self) -> usize {
        self.stone_count
    }

    /// The hash of setup and moves: equal for games that are equal when one of them is turned or mirrored. Games other
    /// than Go are compared as they are.
    pub fn canonical(&self) -> [u8; 16] {
        let mut game = self.game;
        if let Some(hashes) = self.changed_setup() {
            add(&mut game, hashes);
        }
        least(&game)
    }

    /// The hash of the points that were played, in their order, turned and mirrored as for
    /// [`canonical`](Self::canonical). Neither colors nor passes nor setup count, so copies of a game have it in common
    /// whose handicap stones are missing, or whose colors are swapped.
    pub fn stones_in_order(&self) -> [u8; 16] {
        least(&self.stones)
    }

    /// The size of the board is known.
    fn begin(&mut self, board: &Board) {
        self.position = board.keys.empty();
        add(&mut self.game, self.position);
        add(&mut self.stones, self.position);
    }

    fn changed_setup(&self) -> Option<[u64; 8]> {
        self.setup.filter(|&hashes| hashes != self.position).map(|hashes| hashes.map(mix))
    }

    fn add_move(&mut self, color: Color, played: Move, board: &Board) {
        if let Some(hashes) = self.changed_setup() {
            add(&mut self.game, hashes);
        }
        match played {
            Move::Play(point) => {
                add(&mut self.game, board.keys_of(point, color));
                add(&mut self.stones, board.keys_of(point, Color::Black));
                self.stone_count += 1;
            }
            Move::Pass => add(&mut self.game, [keys::pass(color); 8]),
        }
        (self.setup, self.position) = (None, board.hashes());
        self.moves += 1;
    }

    fn add_raw(&mut self, action: Action, value: RawValue<'_>) {
        let text = value.as_bytes().trim_ascii();
        let (kind, is_move) = match action {
            Action::Move(color) => (color as u64, true),
            Action::Setup(stone) => (stone.map_or(4, |color| 2 + color as u64), false),
        };
        let key = text.chunks(8).fold(mix(text.len() as u64), |key, chunk| {
            let mut bytes = [0; 8];
            bytes[..chunk.len()].copy_from_slice(chunk);
            mix(key ^ u64::from_le_bytes(bytes))
        });
        add(&mut self.game, [mix(key ^ kind); 8]);
        if is_move {
            add(&mut self.stones, [key; 8]);
            (self.moves, self.stone_count) = (self.moves + 1, self.stone_count + 1);
        }
    }
}

/// A hash of a sequence of keys. Its halves are computed apart from each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct LineHash([u64; 2]);

#[inline]
fn add(hashes: &mut [LineHash; 8], keys: [u64; 8]) {
    for (LineHash([first, second]), key) in hashes.iter_mut().zip(keys) {
        *first = (first.rotate_left(23) ^ key).wrapping_mul(0x9FB2_1C65_1E98_DF25);
        *second = (second.rotate_left(41) ^ key.rotate_left(32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    }
}

fn least(hashes: &[LineHash; 8]) -> [u8; 16] {
    let whole =
        |LineHash([first, second]): &LineHash| u128::from(mix(first ^ second >> 32)) << 64 | u128::from(mix(*second));
    hashes.iter().map(whole).min().unwrap_or_default().to_be_bytes()
}

/// The fingerprint of a game whose events come in.
#[derive(Debug)]
pub(crate) struct Draft {
    replay: Replay,
    hash: GameHash,
    opening: Option<[u8; 16]>,
    size: Option<Size>,
    dyer: [Option<Point>; 6],
}

impl Draft {
    fn new() -> Self {
        Draft { replay: Replay::new(), hash: GameHash::new(), opening: None, size: None, dyer: [None; 6] }
    }

    /// A game begins.
    pub(crate) fn begin() -> Self {
        let mut draft = Draft::new();
        draft.observe(Event::StartTree);
        draft
    }

    /// Takes notice of an event of the main line: a node, a property or a value.
    #[inline]
    pub(crate) fn observe(&mut self, event: Event<'_>) {
        self.event(event, &mut |_| {});
    }

    /// The game ends.
    pub(crate) fn end(mut self) -> Fingerprint {
        self.observe(Event::EndTree);
        self.fingerprint()
    }

    fn fingerprint(self) -> Fingerprint {
        let Draft { replay, mut hash, opening, size, dyer } = self;
        if let (Some(board), None) = (replay.board(), size) {
            hash.begin(board); // neither setup nor moves
        }
        let size = replay.board().map(Board::size);
        Fingerprint { hash, opening, final_position: replay.board().map(Board::canonical_hash), size, dyer }
    }

    fn event(&mut self, event: Event<'_>, after_move: &mut impl FnMut(&GameHash)) {
        let Draft { replay, hash, opening, size, dyer } = self;
        replay.event_with(event, &mut |board, step| {
            if let Some(board) = board
                && size.is_none()
            {
                *size = Some(board.size());
                hash.begin(board);
            }
            match (board, step) {
                (Some(board), Step::Move(color, played)) => {
                    hash.add_move(color, played, board);
                    if let Some(place) = DYER.iter().position(|&number| number == hash.moves) {
                        dyer[place] = played.point();
                    }
                    after_move(hash);
                }
                (Some(_), Step::UnreadMove) => {}
                (Some(board), _) => hash.setup = Some(board.hashes()),
                (None, Step::Raw(action, value)) => {
                    hash.add_raw(action, value);
                    if matches!(action, Action::Move(_)) {
                        after_move(hash);
                    }
                }
                (None, _) => {}
            }
            if hash.stone_count == OPENING && opening.is_none() {
                *opening = Some(hash.stones_in_order());
            }
        });
    }
}

/// Makes fingerprints, and calls a function after each move.
struct Fingerprints<F> {
    after_move: F,
}

impl<F: FnMut(&GameHash)> Follow for Fingerprints<F> {
    type Game = Draft;
    type Output = Fingerprint;

    fn begin(&mut self) -> Draft {
        Draft::new()
    }

    fn event(&mut self, draft: &mut Draft, event: Event<'_>) -> ControlFlow<Fingerprint> {
        draft.event(event, &mut self.after_move);
        ControlFlow::Continue(())
    }

    fn end(&mut self, draft: Draft) -> Fingerprint {
        draft.fingerprint()
    }
}
