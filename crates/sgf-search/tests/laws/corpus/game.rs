//! Real games with all of their positions, replayed on boards that are rows of bytes.

use sgf_stream::node::RootFacts;
use sgf_stream::value::go::{Move, Point};
use sgf_stream::value::{Rect, Size};
use sgf_stream::{Event, Game, Ident, Parser, RawValue};

/// The states of a point.
pub(crate) const STATES: [char; 3] = ['.', 'X', 'O'];

/// The most columns and rows of a board.
const MOST: u32 = 52;

/// A game, with its nodes in file order.
#[derive(Debug)]
pub(crate) struct RealGame {
    pub(crate) file: String,
    /// Its number in the file.
    pub(crate) number: u64,
    /// The columns and rows; `None` if it is not played on a board of Go.
    pub(crate) size: Option<(usize, usize)>,
    pub(crate) nodes: Vec<Node>,
    /// Whether it has several roots, since a variation comes before the first node.
    pub(crate) has_roots: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Node {
    pub(crate) parent: Option<usize>,
    /// In file order.
    pub(crate) children: Vec<usize>,
    /// The child on the main line.
    pub(crate) main: Option<usize>,
    /// The moves and the setup: a sign of [`STATES`] each.
    actions: Vec<(bool, char, Vec<u8>)>,
    /// The number of moves from the root to here.
    pub(crate) ply: usize,
    /// The last move that can be read; `None` is a pass or a point off the board.
    pub(crate) played: Option<(char, Option<(usize, usize)>)>,
}

/// What a game has that is rare.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Traits {
    pub(crate) variations: bool,
    /// Setup after the root.
    pub(crate) setup: bool,
    pub(crate) captures: bool,
    /// A move on a stone.
    pub(crate) replaced: bool,
}

/// Reads the games of a file. `None` if the parser fails.
pub(crate) fn read(file: &str, bytes: &[u8]) -> Option<Vec<RealGame>> {
    let mut reading = Reading { file, games: Vec::new(), facts: RootFacts::new(), levels: Vec::new(), action: None };
    Parser::new().parse(bytes, |event, _| reading.event(event)).ok()?;
    Some(reading.games)
}

struct Reading<'f> {
    file: &'f str,
    games: Vec<RealGame>,
    facts: RootFacts,
    /// The last node of each open tree.
    levels: Vec<Option<usize>>,
    action: Option<(bool, char)>,
}

/// Returns what a property does: a move or setup, of a state.
fn action(ident: Ident<'_>) -> Option<(bool, char)> {
    let all = [("B", true, 'X'), ("W", true, 'O'), ("AB", false, 'X'), ("AW", false, 'O'), ("AE", false, '.')];
    all.into_iter().find(|(name, ..)| ident == *name).map(|(_, is_move, state)| (is_move, state))
}

impl Reading<'_> {
    fn event(&mut self, event: Event<'_>) {
        let was_final = self.facts.is_final();
        self.facts.observe(event);
        match event {
            Event::StartTree if self.levels.is_empty() => {
                let (file, number) = (self.file.to_owned(), self.games.len() as u64);
                let (size, nodes) = (None, Vec::new());
                self.games.push(RealGame { file, number, size, nodes, has_roots: false });
                self.levels.push(None);
            }
            Event::StartTree => self.levels.push(self.levels[self.levels.len() - 1]),
            Event::EndTree => _ = self.levels.pop(),
            Event::Node => self.node(),
            Event::Property(ident) => self.action = action(ident),
            Event::Value(value) => {
                let node = self.games.last_mut().and_then(|game| game.nodes.last_mut());
                if let Some(((is_move, state), node)) = self.action.zip(node) {
                    node.actions.push((is_move, state, value.as_bytes().to_vec()));
                }
            }
            _ => {} // parts of values that are too long
        }
        if self.facts.is_final() && !was_final {
            let context = self.facts.context();
            let board = context.board().filter(|size| context.game() == Game::Go && size.columns() <= MOST);
            let board = board.filter(|size| size.rows() <= MOST);
            if let Some(game) = self.games.last_mut() {
                game.size = board.map(|size| (size.columns() as usize, size.rows() as usize));
            }
        }
    }

    fn node(&mut self) {
        let (Some(game), Some(level)) = (self.games.last_mut(), self.levels.last_mut()) else { return };
        self.action = None;
        let parent = *level;
        let number = game.nodes.len();
        game.has_roots |= parent.is_none() && number > 0;
        game.nodes.push(Node { parent, ..Node::default() });
        if let Some(parent) = parent {
            let parent = &mut game.nodes[parent];
            parent.children.push(number);
            parent.main.get_or_insert(number);
        }
        *level = Some(number);
    }
}

impl RealGame {
    /// Replays all nodes: sets what is known of their moves. Returns their positions, one after the other.
    pub(crate) fn replay(&mut self) -> (Vec<u8>, Traits) {
        let Some((columns, rows)) = self.size else { return Default::default() };
        let Some(size) = Size::new(columns as u32, rows as u32) else { return Default::default() };
        let len = columns * rows;
        let mut positions = vec![0; self.nodes.len() * len];
        let mut traits = Traits::default();
        for number in 0..self.nodes.len() {
            let (before, board) = positions.split_at_mut(number * len);
            let board = &mut board[..len];
            let mut ply = 0;
            if let Some(parent) = self.nodes[number].parent {
                board.copy_from_slice(&before[parent * len..][..len]);
                ply = self.nodes[parent].ply;
            }
            let node = &mut self.nodes[number];
            traits.variations |= node.children.len() > 1;
            for (is_move, state, value) in &node.actions {
                let (value, code) = (RawValue::new(value), code(*state));
                if !is_move {
                    traits.setup |= number > 0;
                    points(value, size).into_iter().for_each(|(x, y)| board[y * columns + x] = code);
                    continue;
                }
                let read = Move::parse_on(value, size).or_else(|_| Move::parse_on_lenient(value, size));
                let Ok(read) = read else { continue };
                let at = read.point().map(|point| (usize::from(point.x()), usize::from(point.y())));
                let at = at.filter(|(x, y)| *x < columns && *y < rows);
                if let Some((x, y)) = at {
                    let stones = board.iter().filter(|state| **state > 0).count();
                    traits.replaced |= board[y * columns + x] > 0;
                    play(board, columns, y * columns + x, code);
                    traits.captures |= board.iter().filter(|state| **state > 0).count() < stones;
                }
                ply += 1;
                node.played = Some((*state, at));
            }
            node.ply = ply;
        }
        (positions, traits)
    }

    /// Returns the children that a search follows.
    pub(crate) fn children(&self, node: usize, variations: bool) -> &[usize] {
        match variations {
            true => &self.nodes[node].children,
            false => self.nodes[node].main.as_slice(),
        }
    }

    /// Returns the nodes that a search visits, in its order.
    pub(crate) fn line(&self, variations: bool) -> Vec<usize> {
        match variations {
            true => (0..self.nodes.len()).collect(),
            false => {
                let first = (!self.nodes.is_empty()).then_some(0);
                std::iter::successors(first, |node| self.nodes[*node].main).collect()
            }
        }
    }
}

fn code(state: char) -> u8 {
    STATES.iter().position(|other| *other == state).map_or(0, |code| code as u8)
}

/// Returns the points of a value of setup that are on the board.
fn points(value: RawValue<'_>, size: Size) -> Vec<(usize, usize)> {
    let read = Rect::<Point>::parse_on(value, size).or_else(|_| Rect::parse_on_lenient(value, size));
    let Ok(area) = read else { return Vec::new() };
    let is_on = |(x, y): &(usize, usize)| *x < size.columns() as usize && *y < size.rows() as usize;
    area.points().map(|point| (usize::from(point.x()), usize::from(point.y()))).filter(is_on).collect()
}

/// Plays a stone, then removes chains without liberties: those of the other color, then its own.
fn play(board: &mut [u8], columns: usize, at: usize, code: u8) {
    board[at] = code;
    for next in around(board.len(), columns, at) {
        if board[next] == 3 - code {
            remove_if_dead(board, columns, next);
        }
    }
    remove_if_dead(board, columns, at);
}

fn around(len: usize, columns: usize, at: usize) -> Vec<usize> {
    let mut around = Vec::with_capacity(4);
    around.extend((!at.is_multiple_of(columns)).then(|| at - 1));
    around.extend((at % columns + 1 < columns).then(|| at + 1));
    around.extend(at.checked_sub(columns));
    around.extend((at + columns < len).then_some(at + columns));
    around
}

fn remove_if_dead(board: &mut [u8], columns: usize, at: usize) {
    let color = board[at];
    let (mut chain, mut seen) = (vec![at], vec![false; board.len()]);
    seen[at] = true;
    let mut n = 0;
    while n < chain.len() {
        for next in around(board.len(), columns, chain[n]) {
            if board[next] == 0 {
                return;
            }
            if board[next] == color && !seen[next] {
                seen[next] = true;
                chain.push(next);
            }
        }
        n += 1;
    }
    chain.into_iter().for_each(|at| board[at] = 0);
}
