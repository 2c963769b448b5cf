//! Openings as a tree that people can read.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use sgf_board::{Board, Symmetry};
use sgf_stream::value::Color;
use sgf_stream::value::go::Point;

use super::{OpeningMove, Openings};
use crate::sums::{GroupedSums, Sums};

/// A tree of positions. Created by [`Openings::tree`].
///
/// Each position occurs once with the positions after it, where most games come from. A position that other moves also lead
/// to has a node there without children.
#[derive(Clone, Debug)]
pub struct OpeningTree {
    start: Board,
    nodes: Vec<OpeningNode>,
}

/// A position in the tree, and the move that leads to it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct OpeningNode {
    /// The number of moves after the first position.
    pub ply: usize,
    /// The color of the move; `None` in the first position.
    pub color: Option<Color>,
    /// The point of the move, on the board whose orientation is that of the tree. `None` for a pass.
    pub point: Option<Point>,
    /// The games that have the position, in any order of moves.
    pub sums: Sums,
    /// The sums of the groups that have such games, in the order of groups.
    pub groups: Vec<(String, Sums)>,
    /// The number of those in which this move led to it.
    pub by_move: u64,
    /// The indices of the nodes after it, those with most games first.
    pub children: Vec<usize>,
    /// The index of another node that has the children of this position.
    pub same_as: Option<usize>,
}

impl OpeningTree {
    pub(super) fn new(openings: &Openings, min_games: u64) -> Self {
        let start = openings.start.clone();
        let mut tree = OpeningTree { nodes: Vec::new(), start };
        let (hash, _) = tree.start.canonical();
        let Some(first) = openings.positions.get(&(hash, 0)) else { return tree };
        tree.nodes.push(OpeningNode {
            ply: 0,
            color: None,
            point: None,
            sums: first.sums.all,
            groups: groups(&first.sums),
            by_move: first.sums.all.games,
            children: Vec::new(),
            same_as: None,
        });
        // The nodes with children of the last ply, each with its board and its hash.
        let mut level = vec![(0, tree.start.clone(), hash)];
        for ply in 0_u16.. {
            level = tree.add_ply(openings, min_games, &level, ply);
            if level.is_empty() {
                break;
            }
        }
        tree
    }

    /// Adds the positions after those of a ply. Returns those that have children.
    fn add_ply(
        &mut self,
        openings: &Openings,
        min_games: u64,
        level: &[(usize, Board, u64)],
        ply: u16,
    ) -> Vec<(usize, Board, u64)> {
        // All moves, those with most games first: the first one that leads to a position has its children.
        let mut moves = Vec::new();
        for (number, (_, board, hash)) in level.iter().enumerate() {
            let Some(position) = openings.positions.get(&(*hash, ply)) else { continue };
            for &((color, point), to, games) in &position.moves {
                let Some(next) = openings.positions.get(&(to, ply + 1)) else { continue };
                if next.sums.all.games >= min_games {
                    moves.push((number, (color, point.and_then(|point| shown(board, point))), to, games, &next.sums));
                }
            }
        }
        let place = |(color, point): OpeningMove| (color as u8, point.map(|point| (point.y(), Reverse(point.x()))));
        moves.sort_by_key(|&(number, played, _, games, _)| (Reverse(games), number, place(played)));
        let (mut after, mut nodes) = (Vec::new(), HashMap::new());
        let mut children: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (number, (color, point), to, by_move, sums) in moves {
            let node = self.nodes.len();
            let same_as = nodes.get(&to).copied();
            self.nodes.push(OpeningNode {
                ply: usize::from(ply) + 1,
                color: Some(color),
                point,
                sums: sums.all,
                groups: groups(sums),
                by_move,
                children: Vec::new(),
                same_as,
            });
            let (parent, board, _) = &level[number];
            children.entry(*parent).or_default().push(node);
            if same_as.is_none() {
                nodes.insert(to, node);
                let mut board = board.clone();
                point.into_iter().for_each(|point| _ = board.play(color, point));
                after.push((node, board, to));
            }
        }
        for (parent, children) in children {
            self.nodes[parent].children = children;
        }
        after
    }

    /// Returns all nodes, those of a ply before those of the next one. The first one is the first position.
    ///
    /// There are none if no game has the first position.
    pub fn nodes(&self) -> &[OpeningNode] {
        &self.nodes
    }

    /// Returns the first position.
    pub fn start(&self) -> &Board {
        &self.start
    }

    /// Returns the nodes in the order of a text: each one before its children.
    pub fn in_order(&self) -> Vec<usize> {
        let mut order = Vec::new();
        let mut open: Vec<usize> = if self.nodes.is_empty() { Vec::new() } else { vec![0] };
        while let Some(node) = open.pop() {
            order.push(node);
            open.extend(self.nodes[node].children.iter().rev());
        }
        order
    }
}

/// Returns the point on a board that a point of its canonical form is, in the upper right corner if the board is symmetric.
fn shown(board: &Board, point: Point) -> Option<Point> {
    let (_, symmetries) = board.canonical();
    let size = board.size();
    let points =
        symmetries.filter_map(|symmetry: Symmetry| symmetry.inverse().apply(point, symmetry.apply_to_size(size)));
    // As people write first moves: in the upper right corner, nearer to the right side.
    points.max_by_key(|point| (i32::from(point.x()) - i32::from(point.y()), point.x()))
}

/// Returns the sums of the groups, in their order.
fn groups(sums: &GroupedSums) -> Vec<(String, Sums)> {
    sums.groups().into_iter().map(|(group, sums)| (group.to_owned(), sums)).collect()
}
