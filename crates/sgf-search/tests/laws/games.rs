//! Games and patterns, generated.

use quickcheck::{Arbitrary, Gen};

use crate::naive::{Game, Node, Pattern, Rows, image};

/// Returns a number below `most`.
pub(crate) fn below(g: &mut Gen, most: usize) -> usize {
    usize::arbitrary(g) % most
}

fn size(g: &mut Gen) -> (usize, usize) {
    let sizes = [(2, 2), (3, 3), (4, 3), (3, 5), (5, 5), (9, 9), (1, 4), (13, 13), (19, 19), (19, 5)];
    sizes[below(g, sizes.len())]
}

fn point(g: &mut Gen, (columns, rows): (usize, usize)) -> (usize, usize) {
    match below(g, 40) {
        0 => (columns, below(g, rows)), // off the board
        1..10 => (below(g, columns.min(3)), below(g, rows.min(3))),
        _ => (below(g, columns), below(g, rows)),
    }
}

impl Arbitrary for Game {
    fn arbitrary(g: &mut Gen) -> Self {
        let size = size(g);
        Game::on(g, size)
    }
}

impl Game {
    /// Returns a game on a board of a size.
    pub(crate) fn on(g: &mut Gen, (columns, rows): (usize, usize)) -> Self {
        let len = 1 + below(g, 40);
        let branches = below(g, 3);
        let mut parents = vec![0];
        for node in 1..len {
            let parent = if branches > 0 && below(g, 6) == 0 { below(g, node) } else { node - 1 };
            parents.push(parent);
        }
        let mut drafts: Vec<Node> = Vec::new();
        let mut color = 'X';
        for _ in 0..len {
            let mut node = Node::default();
            if below(g, 8) == 0 {
                for _ in 0..below(g, 5) {
                    let stone = ['.', 'X', 'O'][below(g, 3)];
                    node.setup.push((stone, point(g, (columns, rows))));
                }
            }
            if below(g, 12) > 0 {
                let at = (below(g, 20) > 0).then(|| point(g, (columns, rows)));
                node.played = Some((color, at));
                if below(g, 10) > 0 {
                    color = crate::naive::other(color);
                }
            }
            drafts.push(node);
        }
        // File order is that of a depth-first walk.
        let mut game = Game { columns, rows, nodes: Vec::new() };
        add(&mut game, &drafts, &parents, 0);
        game
    }
}

fn add(game: &mut Game, drafts: &[Node], parents: &[usize], draft: usize) -> usize {
    let number = game.nodes.len();
    game.nodes.push(drafts[draft].clone());
    for child in (draft + 1..drafts.len()).filter(|child| parents[*child] == draft) {
        let child = add(game, drafts, parents, child);
        game.nodes[number].children.push(child);
    }
    number
}

/// Makes some needs of a pattern less exact.
pub(crate) fn blur(g: &mut Gen, needs: &mut Rows) {
    let blur = below(g, 8);
    for need in needs.iter_mut().flatten() {
        if below(g, 8) < blur {
            let choices = match *need {
                'X' => ['*', 'x', '@'],
                'O' => ['*', 'o', '@'],
                _ => ['*', 'x', 'o'],
            };
            *need = choices[below(g, 3)];
        }
    }
    if below(g, 8) == 0 {
        let (x, y) = (below(g, needs[0].len()), below(g, needs.len()));
        needs[y][x] = ['.', 'X', 'O', '@', 'x', 'o', '*'][below(g, 7)];
    }
}

pub(crate) fn letters((x, y): (usize, usize)) -> String {
    let letter = |n: usize| char::from(b"abcdefghijklmnopqrstuvwxyz"[n]);
    format!("{}{}", letter(x), letter(y))
}

fn size_text((columns, rows): (usize, usize)) -> String {
    if columns == rows { format!("SZ[{columns}]") } else { format!("SZ[{columns}:{rows}]") }
}

impl Game {
    /// Returns the game as SGF.
    pub(crate) fn text(&self) -> String {
        let mut text = String::from("(");
        self.write(0, &mut text);
        text + ")"
    }

    /// Returns a line of the game with moves on empty points, and setup in the root or nowhere.
    pub(crate) fn simple(&self, keeps_setup: bool) -> Self {
        let mut line = Game { nodes: Vec::new(), ..*self };
        let mut at = Some(0);
        while let Some(number) = at {
            let mut node = self.nodes[number].clone();
            at = node.children.first().copied();
            let is_on = |(x, y): (usize, usize)| x < self.columns && y < self.rows;
            node.setup.retain(|(_, point)| keeps_setup && number == 0 && is_on(*point));
            let path: Vec<usize> = (0..line.nodes.len()).collect();
            let mut board = line.position_of(&path);
            line.play(&mut board, &Node { played: None, ..node.clone() });
            if let Some((_, Some((x, y)))) = node.played
                && !(is_on((x, y)) && board[y][x] == '.')
            {
                node.played = None;
            }
            node.children = at.map(|_| line.nodes.len() + 1).into_iter().collect();
            line.nodes.push(node);
        }
        line
    }

    fn write(&self, number: usize, text: &mut String) {
        let node = &self.nodes[number];
        text.push(';');
        if number == 0 {
            *text += &size_text((self.columns, self.rows));
        }
        for &(stone, point) in &node.setup {
            *text += match stone {
                'X' => "AB",
                'O' => "AW",
                _ => "AE",
            };
            *text += &format!("[{}]", letters(point));
        }
        if let Some((color, point)) = node.played {
            let point = point.map(letters).unwrap_or_default();
            *text += &format!("{}[{point}]", if color == 'X' { 'B' } else { 'W' });
        }
        for &child in &node.children {
            let is_tree = node.children.len() > 1;
            *text += if is_tree { "(" } else { "" };
            self.write(child, text);
            *text += if is_tree { ")" } else { "" };
        }
    }
}

impl Pattern {
    /// Returns a pattern that a position of a game may have, turned and blurred.
    pub(crate) fn of(g: &mut Gen, game: &Game) -> Option<Self> {
        // A line from the root, and a position on it.
        let mut path = vec![0];
        while let Some(&child) = {
            let children = &game.nodes[*path.last()?].children;
            let n = if children.is_empty() { 0 } else { below(g, children.len()) };
            children.get(n)
        } {
            path.push(child);
        }
        let cut = 1 + below(g, path.len());
        let board = game.position_of(&path[..cut]);
        let (columns, rows) = (game.columns, game.rows);
        let (w, h) = (1 + below(g, columns.min(6)), 1 + below(g, rows.min(6)));
        let mut at = (below(g, columns - w + 1), below(g, rows - h + 1));
        if below(g, 2) == 0 {
            at = (if below(g, 2) == 0 { 0 } else { columns - w }, if below(g, 2) == 0 { 0 } else { rows - h });
        }
        let mut needs: Rows = board[at.1..at.1 + h].iter().map(|row| row[at.0..at.0 + w].to_vec()).collect();
        blur(g, &mut needs);
        let mut continuation = Vec::new();
        for _ in 0..[0, 0, 0, 1, 2, 3][below(g, 6)] {
            let following = path[cut..].iter().filter_map(|&node| {
                let (color, point) = game.nodes[node].played?;
                let (x, y) = point?;
                let inside = (at.0..at.0 + w).contains(&x) && (at.1..at.1 + h).contains(&y);
                inside.then(|| (color, (x - at.0, y - at.1)))
            });
            continuation.extend(following.clone().nth(continuation.len()));
        }
        let has_stone = needs.iter().flatten().any(|need| matches!(need, 'X' | 'O' | '@'));
        if !has_stone && continuation.is_empty() {
            return None;
        }
        let pattern = Pattern { board: (columns, rows), at, needs, continuation };
        Some(pattern.turned(below(g, 8)))
    }

    /// Returns the pattern and its board, turned.
    pub(crate) fn turned(&self, symmetry: usize) -> Self {
        let size = (self.needs[0].len(), self.needs.len());
        let flip = |(w, h): (usize, usize)| if symmetry < 4 { (w, h) } else { (h, w) };
        let (w, h) = flip(size);
        let mut needs = vec![vec!['*'; w]; h];
        for (y, row) in self.needs.iter().enumerate() {
            for (x, &need) in row.iter().enumerate() {
                let (tx, ty) = image(symmetry, (x, y), size);
                needs[ty][tx] = need;
            }
        }
        let opposite = (self.at.0 + size.0 - 1, self.at.1 + size.1 - 1);
        let (a, b) = (image(symmetry, self.at, self.board), image(symmetry, opposite, self.board));
        Pattern {
            board: flip(self.board),
            at: (a.0.min(b.0), a.1.min(b.1)),
            needs,
            continuation: self.continuation.iter().map(|&(c, point)| (c, image(symmetry, point, size))).collect(),
        }
    }

    /// Returns the pattern as SGF.
    pub(crate) fn text(&self) -> String {
        let (w, h) = (self.needs[0].len(), self.needs.len());
        let place = |(x, y): (usize, usize)| letters((self.at.0 + x, self.at.1 + y));
        let mut text = format!("(;{}", size_text(self.board));
        for (sign, ident) in [('X', "AB"), ('O', "AW"), ('.', "AE"), ('@', "QE"), ('o', "QB"), ('x', "QW")] {
            let points = (0..h).flat_map(|y| (0..w).map(move |x| (x, y)));
            let values: String =
                points.filter(|&(x, y)| self.needs[y][x] == sign).map(|at| format!("[{}]", place(at))).collect();
            if !values.is_empty() {
                text += &format!("{ident}{values}");
            }
        }
        text += &format!("VW[{}", place((0, 0)));
        if (w, h) != (1, 1) {
            text += &format!(":{}", place((w - 1, h - 1)));
        }
        text += "]";
        for &(color, point) in &self.continuation {
            text += &format!(";{}[{}]", if color == 'X' { 'B' } else { 'W' }, place(point));
        }
        text + ")"
    }
}
