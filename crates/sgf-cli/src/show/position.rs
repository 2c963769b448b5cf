//! Which node of a game is shown, and its diagram.

use sgf_board::{Diagram, Painter};
use sgf_stream::Event;
use sgf_stream::tree::{GameTree, Node};
use sgf_stream::value::Color;

use crate::tables::counted;

/// The variations to take where a game branches, counted from 1.
#[derive(Clone, Debug, Default)]
pub(crate) struct Path(Vec<usize>);

/// Reads the value of `--path`: numbers from 1, with dots between them.
pub(crate) fn path(text: &str) -> Result<Path, String> {
    let number = |text: &str| match text.parse() {
        Ok(0) | Err(_) => {
            Err(format!("{text:?} is not a number from 1; use numbers with dots between them, as in 3.1.2"))
        }
        Ok(number) => Ok(number),
    };
    text.split('.').map(number).collect::<Result<_, _>>().map(Path)
}

/// A line of a game, from the root to a leaf.
pub(crate) struct Line<'t> {
    nodes: Vec<Node<'t>>,
    /// Number of moves in it.
    moves: usize,
}

impl<'t> Line<'t> {
    /// Returns the line that takes these variations at its branches, and then the first ones.
    pub(crate) fn of(tree: &'t GameTree, Path(path): &Path) -> Result<Self, String> {
        let (mut nodes, mut wanted, mut branches) = (vec![tree.root()], path.iter(), 0_u64);
        let mut last = tree.root();
        while let Some(first) = last.first_child() {
            last = match last.has_variations().then(|| wanted.next()).flatten() {
                None => first,
                Some(&number) => {
                    branches += 1;
                    last.child(number - 1).ok_or_else(|| {
                        let there = last.children().count();
                        format!("there is no variation {number}: branch {branches} has {there} variations")
                    })?
                }
            };
            nodes.push(last);
        }
        match wanted.len() {
            0 => Ok(Line::with(nodes)),
            left => Err(format!(
                "the path has {}, but the line has {}",
                counted(branches + left as u64, "number"),
                counted(branches, "branching node")
            )),
        }
    }

    /// Returns the line through a node.
    pub(super) fn through(node: Node<'t>) -> Self {
        Line::with(node.path().chain(node.line().skip(1)).collect())
    }

    fn with(nodes: Vec<Node<'t>>) -> Self {
        let moves = nodes.iter().map(|&node| moves_in(node)).sum();
        Line { nodes, moves }
    }

    pub(super) fn start(&self) -> Node<'t> {
        self.nodes[0]
    }

    pub(crate) fn end(&self) -> Node<'t> {
        self.nodes[self.nodes.len() - 1]
    }

    /// Number of moves in the line.
    pub(super) fn moves(&self) -> usize {
        self.moves
    }

    /// The node of a move. Move 0 is the last node before the first move.
    pub(super) fn at_move(&self, number: usize) -> Result<Node<'t>, String> {
        let mut moves = 0;
        for (at, &node) in self.nodes.iter().enumerate() {
            let before = moves;
            moves += moves_in(node);
            if number == 0 && moves > 0 {
                return Ok(self.nodes[at.saturating_sub(1)]);
            }
            if (before + 1..=moves).contains(&number) {
                return Ok(node);
            }
        }
        match moves == number {
            true => Ok(self.end()),
            false => Err(format!("--move: there is no move {number}: the line has {}", counted(moves as u64, "move"))),
        }
    }

    /// Whether the line is a problem: before its first move there are white stones, as no handicap has, and the moves are
    /// few.
    pub(super) fn is_problem(&self) -> bool {
        let Ok(first) = self.at_move(0).and_then(Position::of) else { return false };
        let stones = || first.diagram().points().filter_map(|(_, point)| point.stone);
        stones().any(|color| color == Color::White) && self.moves() <= stones().count().max(FEW)
    }

    /// The nodes of every so many moves, and the last one.
    pub(super) fn every(&self, every: usize) -> Vec<Node<'t>> {
        let (mut nodes, mut moves) = (Vec::new(), 0);
        for &node in &self.nodes {
            let before = moves;
            moves += moves_in(node);
            // A node with several moves may have several of those numbers.
            nodes.extend((before / every..moves / every).map(|_| node));
        }
        if nodes.last().map(|node| node.id()) != Some(self.end().id()) && !moves.is_multiple_of(every)
            || nodes.is_empty()
        {
            nodes.push(self.end());
        }
        nodes
    }

    /// Returns the positions at nodes of the line, which are in order. Only one is in memory, and the line is played once.
    pub(super) fn positions(&self, wanted: Vec<Node<'t>>) -> impl Iterator<Item = Result<Position<'t>, String>> {
        let (mut playing, mut rest) = (Playing::new(), self.nodes.iter());
        let mut last = None;
        wanted.into_iter().map(move |node| {
            while last != Some(node.id()) {
                let Some(next) = rest.next() else { break };
                playing.node(*next);
                last = Some(next.id());
            }
            playing.position(node)
        })
    }
}

/// Number of moves that a problem may have, however few its stones are. (Old games begin with four stones, and go on.)
const FEW: usize = 30;

/// The move to show: the value of `--move`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Chosen {
    Number(usize),
    Last,
}

/// Reads the value of `--move`.
pub(super) fn chosen(text: &str) -> Result<Chosen, String> {
    match text {
        "first" => Ok(Chosen::Number(0)),
        "last" => Ok(Chosen::Last),
        text => text.parse().map(Chosen::Number).map_err(|_| "not a move; use a number, `first` or `last`".to_owned()),
    }
}

fn moves_in(node: Node<'_>) -> usize {
    node.moves().count()
}

/// A node and its board.
pub(super) struct Position<'t> {
    node: Node<'t>,
    painter: Painter,
    diagram: Diagram,
}

impl<'t> Position<'t> {
    /// Fails if there is no board for the game.
    pub(super) fn of(node: Node<'t>) -> Result<Self, String> {
        let mut playing = Playing::new();
        node.path().for_each(|node| playing.node(node));
        playing.position(node)
    }

    pub(super) fn node(&self) -> Node<'t> {
        self.node
    }

    pub(super) fn diagram(&self) -> &Diagram {
        &self.diagram
    }

    pub(super) fn painter(&self) -> &Painter {
        &self.painter
    }

    /// Number of moves from the root to the node.
    pub(super) fn move_number(&self) -> usize {
        self.painter.move_number()
    }
}

/// A line that is being played.
struct Playing(Painter);

impl Playing {
    fn new() -> Self {
        let mut painter = Painter::new();
        painter.event(Event::StartTree);
        Playing(painter)
    }

    /// Plays the next node.
    fn node(&mut self, node: Node<'_>) {
        // With the repetitions of the file, since the last stone on a point counts.
        let is_in_node = |event: &Event<'_>| matches!(event, Event::Property(_) | Event::Value(_));
        self.0.event(Event::Node);
        node.events().skip(2).take_while(is_in_node).for_each(|event| self.0.event(event));
    }

    /// Returns the position at the last node.
    fn position<'t>(&self, node: Node<'t>) -> Result<Position<'t>, String> {
        let mut painter = self.0.clone();
        // The stones of a root are placed when it is over.
        painter.event(Event::EndTree);
        let diagram = painter.diagram().map_err(|error| error.to_string())?;
        Ok(Position { node, painter, diagram })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(sgf: &str) -> GameTree {
        sgf.parse().unwrap()
    }

    #[test]
    fn a_line_takes_the_variations_of_the_path() {
        let tree = tree("(;B[aa](;W[ab];B[ac](;W[ad])(;W[ae]))(;W[af])(;W[ag]))");
        let end = |text: &str| {
            let line = Line::of(&tree, &path(text)?)?;
            Ok::<_, String>(line.end().raw("W").unwrap().text().into_owned())
        };
        for (text, expected) in [("1", "ad"), ("1.1", "ad"), ("1.2", "ae"), ("2", "af"), ("3", "ag")] {
            assert_eq!(end(text).as_deref(), Ok(expected));
        }
        for (text, expected) in [
            ("4", "there is no variation 4: branch 1 has 3 variations"),
            ("1.3", "there is no variation 3: branch 2 has 2 variations"),
            ("2.1", "the path has 2 numbers, but the line has 1 branching node"),
            ("0", "\"0\" is not a number from 1; use numbers with dots between them, as in 3.1.2"),
            ("1..2", "\"\" is not a number from 1; use numbers with dots between them, as in 3.1.2"),
        ] {
            assert_eq!(end(text), Err(expected.to_owned()));
        }
    }

    #[test]
    fn the_root_has_its_stones_and_marks() {
        for (sgf, stones) in [
            ("(;SZ[9]AB[aa][bb]AW[cc]TR[aa];B[dd])", 3),
            ("(;SZ[9]AB[aa]TR[aa](;B[dd])(;B[ee]))", 1),
            ("(;SZ[9]B[aa]TR[aa];W[bb])", 1),
            ("(;GM[11]SZ[9]AB[a1][b2]TR[a1];B[c3])", 2),
        ] {
            let tree = tree(sgf);
            let position = Position::of(tree.root()).unwrap();
            let points = || position.diagram().points().map(|(_, point)| point);
            assert_eq!(points().filter(|point| point.stone.is_some()).count(), stones, "{sgf}");
            assert_eq!(points().filter(|point| point.mark.is_some()).count(), 1, "{sgf}");
        }
    }

    #[test]
    fn problems_begin_with_white_stones_and_have_few_moves() {
        let moves = |number: usize| ";B[aa];W[bb]".repeat(number / 2);
        for (setup, number, expected) in [
            ("AB[aa][bb]AW[cc]", 4, true),
            ("PB[x];AB[aa]AW[cc]", 2, true),
            ("AB[dd][pp]", 2, false),
            ("AB[dd][pp]AW[dp][pd]", 200, false),
            ("AB[aa:as]AW[ca:cs]", 38, true),
            ("AB[aa:as]AW[ca:cs]", 40, false),
            ("", 4, false),
        ] {
            let tree = tree(&format!("(;{setup}{})", moves(number)));
            assert_eq!(Line::of(&tree, &Path::default()).unwrap().is_problem(), expected, "{setup}, {number} moves");
        }
    }

    #[test]
    fn moves_are_counted_along_the_line() {
        let tree = tree("(;SZ[9];AB[aa];B[bb];C[x];W[cc]B[dd];W[])");
        let line = Line::of(&tree, &Path::default()).unwrap();
        let number = |moves| line.at_move(moves).map(Node::number);
        assert_eq!([0, 1, 2, 3, 4].map(|moves| number(moves).unwrap()), [1, 2, 4, 4, 5]);
        assert_eq!(number(5), Err("--move: there is no move 5: the line has 4 moves".to_owned()));
        let every = |moves| line.every(moves).into_iter().map(Node::number).collect::<Vec<_>>();
        assert_eq!((every(1), every(3), every(4), every(9)), (vec![2, 4, 4, 5], vec![4, 5], vec![5], vec![5]));
    }
}
