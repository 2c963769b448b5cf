//! The tree of openings as a picture: a board for each position, those of a ply in a column.

use std::cmp::Reverse;
use std::fmt::Write;

use sgf_board::{Board, Diagram};
use sgf_search::OpeningNode;
use sgf_stream::value::Color;

use super::print::Printed;
use crate::tables::counted;

/// The most positions in a picture.
const MOST: usize = 200;

/// The width of a board, the distance of two columns, and the height of the text below a board, in pixels.
const BOARD: u32 = 190;
const COLUMN: u32 = BOARD + 50;
const TEXT: u32 = 58;

/// The place of a position: the column, and the row in halves.
type Place = (usize, usize);

impl Printed<'_> {
    /// Returns the tree as a picture.
    pub(super) fn svg(&self) -> String {
        let (places, mut numbers) = (self.places(), vec![0; self.tree().nodes().len()]);
        // Those of the lines of the text.
        self.tree().in_order().into_iter().enumerate().for_each(|(line, node)| numbers[node] = line);
        let size = self.tree().start().size();
        let row = BOARD * size.rows() / size.columns() + TEXT;
        let corner = |(column, row_halves): Place| (10 + column as u32 * COLUMN, 10 + row_halves as u32 * row / 2);
        let place = |number: usize| places.get(number).copied().flatten().map(corner);
        let columns = places.iter().flatten().map(|(column, _)| column + 1).max().unwrap_or(0) as u32;
        let rows = places.iter().flatten().map(|(_, halves)| halves / 2 + 1).max().unwrap_or(0) as u32;
        let (width, height) = (20 + columns * COLUMN, 20 + rows * row);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
             role=\"img\" font-family=\"Helvetica, Arial, DejaVu Sans, sans-serif\" font-size=\"13\"><title>Openings</title>\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n"
        );
        let middle = (row - TEXT) / 2;
        for number in 0..places.len() {
            let parent = self.parent(number).and_then(place);
            if let (Some((x, y)), Some((from_x, from_y))) = (place(number), parent) {
                let (from_x, from_y, y, turn) = (from_x + BOARD, from_y + middle, y + middle, x - 25);
                _ = writeln!(
                    svg,
                    r##"<path d="M{from_x} {from_y}H{turn}V{y}H{x}" fill="none" stroke="#888" stroke-width="1.5"/>"##
                );
            }
        }
        for number in 0..places.len() {
            let Some((x, y)) = place(number) else { continue };
            let line = self.line(number);
            let title = if number == 0 { "The first position" } else { &line };
            let board = self.diagram(number).svg().coordinates(false).width(BOARD).title(title).to_string();
            _ = write!(svg, r#"<g transform="translate({x} {y})">{}"#, board);
            let (below, lines) = (row - TEXT, self.caption(number, &numbers));
            for ((line, style), at) in lines.iter().zip(["font-weight=\"bold\"", "", ""]).zip(0_u32..) {
                _ = write!(svg, r#"<text x="2" y="{}" {style}>{line}</text>"#, below + 15 + 15 * at);
            }
            let (end, top, is_same) = (BOARD - 2, below + 15, self.node(number).same_as.is_some());
            let number = if is_same { String::new() } else { numbers[number].to_string() };
            _ = writeln!(svg, r##"<text x="{end}" y="{top}" text-anchor="end" fill="#666">{number}</text></g>"##);
        }
        svg += "</svg>\n";
        svg
    }

    /// Returns the places of the positions with most games: each one is beside the first of those after it.
    fn places(&self) -> Vec<Option<Place>> {
        let nodes = self.tree().nodes();
        // A node never has more games than its parent, and comes after it.
        let mut order: Vec<usize> = (0..nodes.len()).collect();
        order.sort_by_key(|number| (Reverse(nodes[*number].by_move), *number));
        order.truncate(MOST);
        let mut is_shown = vec![false; nodes.len()];
        order.sort_unstable();
        for number in order {
            is_shown[number] = self.parent(number).is_none_or(|parent| is_shown[parent]);
        }
        let mut places: Vec<Option<Place>> = vec![None; nodes.len()];
        let mut leaves = 0;
        for number in self.tree().in_order().into_iter().filter(|number| is_shown[*number]) {
            places[number] = Some((nodes[number].ply, 2 * leaves));
            let is_leaf = !nodes[number].children.iter().any(|child| is_shown[*child]);
            leaves += usize::from(is_leaf);
        }
        places
    }

    /// Returns the position with its moves as numbers, and letters on those that follow.
    fn diagram(&self, number: usize) -> Diagram {
        let mut diagram = Diagram::of(&self.board(number));
        for at in std::iter::successors(Some(number), |at| self.parent(*at)) {
            let node = self.node(at);
            if let Some(point) = node.point
                && diagram.get(point).is_some_and(|state| state.stone.is_some() && state.label.is_none())
            {
                diagram.label(point, node.ply.to_string());
            }
        }
        for (letter, child) in ('A'..='Z').zip(&self.node(number).children) {
            self.node(*child).point.into_iter().for_each(|point| _ = diagram.label(point, letter.to_string()));
        }
        diagram
    }

    /// Returns the lines below a board: the move, its games and shares.
    fn caption(&self, number: usize, numbers: &[usize]) -> [String; 3] {
        let node = self.node(number);
        let played = self.parent(number).map(|parent| {
            let letter = self.node(parent).children.iter().position(|child| *child == number);
            let letter =
                letter.and_then(|at| ('A'..='Z').nth(at)).map_or(String::new(), |letter| format!("{letter}: "));
            format!("{letter}{}", self.played(node))
        });
        let share = |games: u64| games as f64 * 100.0 / self.node(0).sums.games.max(1) as f64;
        let (games, won) = match node.same_as {
            None => (
                node.sums.games,
                node.sums.wins(Color::Black).map(|wins| format!("Black wins {:.1} %", wins.share * 100.0)),
            ),
            Some(other) => (node.by_move, Some(format!("same position as {}", numbers[other]))),
        };
        let games = format!("{} ({:.1} %)", counted(games, "game"), share(games));
        [played.unwrap_or_else(|| "Start".to_owned()), games, won.unwrap_or_default()]
    }

    /// Returns the board of a node.
    fn board(&self, number: usize) -> Board {
        let mut moves: Vec<&OpeningNode> =
            std::iter::successors(Some(number), |at| self.parent(*at)).map(|at| self.node(at)).collect();
        moves.reverse();
        let mut board = self.tree().start().clone();
        for node in moves {
            if let (Some(color), Some(point)) = (node.color, node.point) {
                _ = board.play(color, point);
            }
        }
        board
    }
}
