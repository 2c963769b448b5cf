//! A search as plain as can be: all positions, all orientations, all places.

/// A board: rows of `.`, `X` and `O`.
pub(crate) type Rows = Vec<Vec<char>>;

/// A node of a game: its setup (`.`, `X`, `O`), its move (`None` is a pass), and its children.
#[derive(Clone, Debug, Default)]
pub(crate) struct Node {
    pub(crate) setup: Vec<(char, (usize, usize))>,
    pub(crate) played: Option<(char, Option<(usize, usize)>)>,
    pub(crate) children: Vec<usize>,
}

/// A game: nodes in file order, the first one is the root.
#[derive(Clone, Debug)]
pub(crate) struct Game {
    pub(crate) columns: usize,
    pub(crate) rows: usize,
    pub(crate) nodes: Vec<Node>,
}

/// A pattern.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Pattern {
    pub(crate) board: (usize, usize),
    /// The column and row of its upper left point.
    pub(crate) at: (usize, usize),
    /// Rows of `*`, `.`, `X`, `O`, `@`, `o`, `x`.
    pub(crate) needs: Rows,
    /// Moves, from its upper left point.
    pub(crate) continuation: Vec<(char, (usize, usize))>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Place {
    BySides,
    Fixed,
    Anywhere,
}

/// A hit: the node, its ply, the symmetry, whether colors are exchanged, the corner, and the next move with its ply.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Hit {
    pub(crate) node: usize,
    pub(crate) ply: usize,
    pub(crate) symmetry: usize,
    pub(crate) swapped: bool,
    pub(crate) corner: (usize, usize),
    pub(crate) next: Option<(char, (usize, usize), usize)>,
}

pub(crate) fn other(color: char) -> char {
    match color {
        'X' => 'O',
        'O' => 'X',
        'x' => 'o',
        'o' => 'x',
        same => same,
    }
}

pub(crate) fn allows(need: char, stone: char) -> bool {
    match need {
        '*' => true,
        '@' => stone != '.',
        'x' => stone != 'O',
        'o' => stone != 'X',
        _ => need == stone,
    }
}

/// Returns where a symmetry moves a point, as the documentation of the board says.
pub(crate) fn image(symmetry: usize, (x, y): (usize, usize), (w, h): (usize, usize)) -> (usize, usize) {
    match symmetry {
        0 => (x, y),
        1 => (w - 1 - x, y),
        2 => (x, h - 1 - y),
        3 => (w - 1 - x, h - 1 - y),
        4 => (y, x),
        5 => (y, w - 1 - x),
        6 => (h - 1 - y, x),
        _ => (h - 1 - y, w - 1 - x),
    }
}

/// Returns a board under each symmetry.
pub(crate) fn images(board: &Rows) -> Vec<Rows> {
    let size = (board[0].len(), board.len());
    let turned = |symmetry: usize| {
        let (w, h) = image_size(symmetry, size);
        let mut turned = vec![vec!['.'; w]; h];
        for (y, row) in board.iter().enumerate() {
            for (x, &stone) in row.iter().enumerate() {
                let (tx, ty) = image(symmetry, (x, y), size);
                turned[ty][tx] = stone;
            }
        }
        turned
    };
    (0..8).map(turned).collect()
}

fn image_size(symmetry: usize, (w, h): (usize, usize)) -> (usize, usize) {
    if symmetry < 4 { (w, h) } else { (h, w) }
}

impl Game {
    pub(crate) fn play(&self, board: &mut Rows, node: &Node) {
        for &(stone, (x, y)) in &node.setup {
            if x < self.columns && y < self.rows {
                board[y][x] = stone;
            }
        }
        let Some((color, Some((x, y)))) = node.played else { return };
        if x >= self.columns || y >= self.rows {
            return;
        }
        board[y][x] = color;
        for (nx, ny) in self.neighbors((x, y)) {
            if board[ny][nx] == other(color) {
                self.remove_if_dead(board, (nx, ny));
            }
        }
        self.remove_if_dead(board, (x, y));
    }

    fn neighbors(&self, (x, y): (usize, usize)) -> Vec<(usize, usize)> {
        let mut all = Vec::new();
        if x > 0 {
            all.push((x - 1, y));
        }
        if y > 0 {
            all.push((x, y - 1));
        }
        if x + 1 < self.columns {
            all.push((x + 1, y));
        }
        if y + 1 < self.rows {
            all.push((x, y + 1));
        }
        all
    }

    fn remove_if_dead(&self, board: &mut Rows, at: (usize, usize)) {
        let color = board[at.1][at.0];
        let mut chain = vec![at];
        let mut n = 0;
        while n < chain.len() {
            for (x, y) in self.neighbors(chain[n]) {
                if board[y][x] == '.' {
                    return;
                }
                if board[y][x] == color && !chain.contains(&(x, y)) {
                    chain.push((x, y));
                }
            }
            n += 1;
        }
        chain.into_iter().for_each(|(x, y)| board[y][x] = '.');
    }

    /// Returns the paths to all nodes of the lines that are searched.
    fn paths(&self, variations: bool) -> Vec<Vec<usize>> {
        let mut paths = vec![vec![0]];
        let mut n = 0;
        while n < paths.len() {
            let last = *paths[n].last().unwrap();
            let most = if variations { usize::MAX } else { 1 };
            for &child in self.nodes[last].children.iter().take(most) {
                let mut path = paths[n].clone();
                path.push(child);
                paths.push(path);
            }
            n += 1;
        }
        paths.sort_by_key(|path| *path.last().unwrap());
        paths
    }

    pub(crate) fn position_of(&self, path: &[usize]) -> Rows {
        self.position(path)
    }

    fn position(&self, path: &[usize]) -> Rows {
        let mut board = vec![vec!['.'; self.columns]; self.rows];
        path.iter().for_each(|&node| self.play(&mut board, &self.nodes[node]));
        board
    }

    /// Returns the nodes of the main line.
    pub(crate) fn main_line(&self) -> Vec<usize> {
        let mut line = vec![0];
        while let Some(&child) = self.nodes[line[line.len() - 1]].children.first() {
            line.push(child);
        }
        line
    }

    /// Returns the move of a node, unless it is off the board.
    #[cfg(feature = "index")]
    pub(crate) fn played(&self, node: usize) -> Option<(char, Option<(usize, usize)>)> {
        let (color, point) = self.nodes[node].played?;
        match point {
            None => Some((color, None)),
            Some(_) => self.move_on_board(node).map(|(color, point)| (color, Some(point))),
        }
    }

    fn ply(&self, path: &[usize]) -> usize {
        // Moves off the board cannot be read.
        let is_read = |&&node: &&usize| match self.nodes[node].played {
            Some((_, Some((x, y)))) => x < self.columns && y < self.rows,
            Some((_, None)) => true,
            None => false,
        };
        path.iter().filter(is_read).count()
    }

    fn move_on_board(&self, node: usize) -> Option<(char, (usize, usize))> {
        let (color, point) = self.nodes[node].played?;
        let point = point.filter(|(x, y)| *x < self.columns && *y < self.rows)?;
        Some((color, point))
    }
}

/// A pattern, turned.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Turned {
    pub(crate) needs: Rows,
    pub(crate) continuation: Vec<(char, (usize, usize))>,
    pub(crate) corners: Vec<(usize, usize)>,
}

pub(crate) fn turned(pattern: &Pattern, symmetry: usize, swapped: bool, place: Place, on: (usize, usize)) -> Turned {
    let size = (pattern.needs[0].len(), pattern.needs.len());
    let (w, h) = image_size(symmetry, size);
    let mut needs = vec![vec!['*'; w]; h];
    for (y, row) in pattern.needs.iter().enumerate() {
        for (x, &need) in row.iter().enumerate() {
            let (tx, ty) = image(symmetry, (x, y), size);
            needs[ty][tx] = if swapped { other(need) } else { need };
        }
    }
    let turn = |&(color, point): &(char, (usize, usize))| {
        (if swapped { other(color) } else { color }, image(symmetry, point, size))
    };
    let continuation = pattern.continuation.iter().map(turn).collect();
    let board = image_size(symmetry, pattern.board);
    // The pattern on its own board, turned with it.
    let corner = pattern.at;
    let opposite = (corner.0 + size.0 - 1, corner.1 + size.1 - 1);
    let (a, b) = (image(symmetry, corner, pattern.board), image(symmetry, opposite, pattern.board));
    let own = (a.0.min(b.0), a.1.min(b.1));
    let mut corners = Vec::new();
    for y in 0..on.1 {
        for x in 0..on.0 {
            if x + w > on.0 || y + h > on.1 {
                continue;
            }
            let is_there = match place {
                Place::Anywhere => true,
                Place::Fixed => board == on && own == (x, y),
                Place::BySides => {
                    (own.0 > 0 || x == 0)
                        && (own.1 > 0 || y == 0)
                        && (own.0 + w < board.0 || x + w == on.0)
                        && (own.1 + h < board.1 || y + h == on.1)
                }
            };
            if is_there {
                corners.push((x, y));
            }
        }
    }
    Turned { needs, continuation, corners }
}

impl Turned {
    fn is_at(&self, board: &Rows, (x, y): (usize, usize)) -> bool {
        self.needs
            .iter()
            .enumerate()
            .all(|(dy, row)| row.iter().enumerate().all(|(dx, &need)| allows(need, board[y + dy][x + dx])))
    }

    fn point_of(&self, corner: (usize, usize), (x, y): (usize, usize)) -> Option<(usize, usize)> {
        let point = (x.checked_sub(corner.0)?, y.checked_sub(corner.1)?);
        (point.0 < self.needs[0].len() && point.1 < self.needs.len()).then_some(point)
    }
}

/// The settings of a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    pub(crate) place: Place,
    pub(crate) symmetries: bool,
    pub(crate) swaps: bool,
    pub(crate) variations: bool,
    pub(crate) every_place: bool,
}

/// Returns the hits of a game.
pub(crate) fn find(game: &Game, pattern: &Pattern, settings: Settings) -> Vec<Hit> {
    let mut orientations = Vec::new();
    for swapped in [false, true] {
        for symmetry in 0..8 {
            if (settings.swaps || !swapped) && (settings.symmetries || symmetry == 0) {
                let turned = turned(pattern, symmetry, swapped, settings.place, (game.columns, game.rows));
                orientations.push((symmetry, swapped, turned));
            }
        }
    }
    let paths = game.paths(settings.variations);
    let mut hits: Vec<Hit> = Vec::new();
    let mut spots: Vec<(Turned, (usize, usize))> = Vec::new();
    let positions: Vec<(usize, Rows)> = paths.iter().map(|path| (*path.last().unwrap(), game.position(path))).collect();
    let position = |node: usize| &positions.iter().find(|(of, _)| *of == node).unwrap().1;
    for path in &paths {
        for start in 0..path.len() {
            let board = position(path[start]);
            for (_, _, turned) in &orientations {
                for &corner in &turned.corners {
                    if !turned.is_at(board, corner) || spots.contains(&(turned.clone(), corner)) {
                        continue;
                    }
                    let after: Vec<(usize, char, (usize, usize))> = path[start + 1..]
                        .iter()
                        .filter_map(|&node| {
                            let (color, point) = game.move_on_board(node)?;
                            Some((node, color, turned.point_of(corner, point)?))
                        })
                        .collect();
                    let moves: Vec<_> = after.iter().map(|&(_, color, point)| (color, point)).collect();
                    let ends_here = match after.last() {
                        Some((node, ..)) => node == path.last().unwrap(),
                        None => start + 1 == path.len(),
                    };
                    if moves != turned.continuation || !ends_here {
                        continue;
                    }
                    hits.push(hit(game, (path, start), &orientations, turned, corner));
                    if !settings.every_place {
                        return hits;
                    }
                    spots.push((turned.clone(), corner));
                }
            }
        }
    }
    hits
}

fn hit(
    game: &Game,
    (path, start): (&[usize], usize),
    orientations: &[(usize, bool, Turned)],
    turned: &Turned,
    corner: (usize, usize),
) -> Hit {
    // The line goes on with first children.
    let mut line = path.to_vec();
    let mut next = None;
    while let Some(&child) = game.nodes[*line.last().unwrap()].children.first() {
        line.push(child);
        let Some((color, point)) = game.move_on_board(child) else { continue };
        if let Some(point) = turned.point_of(corner, point) {
            next = Some((color, point, game.ply(&line)));
            break;
        }
    }
    let mut best: Option<(char, (usize, usize), usize, bool)> = None;
    for (symmetry, swapped, other_turned) in orientations {
        if other_turned != turned {
            continue;
        }
        let Some((color, point, _)) = next else {
            best.get_or_insert((' ', (0, 0), *symmetry, *swapped));
            continue;
        };
        let size = (turned.needs[0].len(), turned.needs.len());
        let inverse = [0, 1, 2, 3, 4, 6, 5, 7][*symmetry];
        let (x, y) = image(inverse, point, size);
        let color = if *swapped { other(color) } else { color };
        let order = |&(color, (x, y), ..): &(char, (usize, usize), usize, bool)| (color == 'O', y, x);
        let found = (color, (x, y), *symmetry, *swapped);
        if best.as_ref().is_none_or(|best| order(&found) < order(best)) {
            best = Some(found);
        }
    }
    let (color, point, symmetry, swapped) = best.unwrap();
    Hit {
        node: path[start],
        ply: game.ply(&path[..=start]),
        symmetry,
        swapped,
        corner,
        next: next.map(|(.., ply)| (color, point, ply)),
    }
}
