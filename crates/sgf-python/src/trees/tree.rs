//! A game as a tree.

use std::io::BufRead;

use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use sgf_board::{Board, Symmetry};
use sgf_stream::charset::{Decoding, OpenedReader};
use sgf_stream::tree::{GameTree, NodeId, Place, TreeBuilder, TreeError};
use sgf_stream::value::{Color, GameResult, Handicap, Komi};
use sgf_stream::{Parser, write};

use super::node::Node;
use super::{PyMove, Rows, SETUP, board_size, color, letter, played, rows_of, size_from, size_object};
use crate::error::{edit_error, syntax_error, value_error};
use crate::sources::decoding;

/// A game: a tree of nodes with properties.
#[pyclass(module = "sgf_stream")]
pub(crate) struct Tree {
    pub(super) game: GameTree,
}

/// Reads all games of bytes.
#[pyfunction]
pub(crate) fn parse(
    py: Python<'_>,
    data: &[u8],
    charset_name: Option<&str>,
    default_charset: Option<&str>,
    strict: bool,
) -> PyResult<Vec<Tree>> {
    let parser = sgf_input::limited(if strict { Parser::strict() } else { Parser::new() });
    read(py, data, decoding(charset_name, default_charset)?, &parser)
}

/// Reads all games of bytes. There is at least one.
pub(crate) fn read(py: Python<'_>, data: &[u8], decoding: Decoding, parser: &Parser) -> PyResult<Vec<Tree>> {
    let read = || match decoding.open(data)? {
        OpenedReader::Bytes(..) => collect(parser, decoding, data),
        OpenedReader::Text(mut text) => {
            let decoding = Decoding::utf8().transcoded_from(text.charset()?);
            collect(parser, decoding, text)
        }
    };
    py.detach(read).map_err(|error| match error {
        TreeError::Syntax(error) => syntax_error(py, &error),
        error => value_error(error),
    })
}

fn collect(parser: &Parser, decoding: Decoding, data: impl BufRead) -> Result<Vec<Tree>, TreeError> {
    let mut reader = parser.clone().count_lines(true).charset(decoding).reader(data);
    let mut games = Vec::new();
    while let Some(game) = reader.read_game(&mut TreeBuilder::new().charset(decoding))? {
        games.push(Tree { game: game? });
    }
    Ok(games)
}

impl Tree {
    fn node(this: &Bound<'_, Self>, id: NodeId) -> Node {
        Node { tree: this.clone().unbind(), id }
    }

    fn nodes_of(this: &Bound<'_, Self>, ids: impl IntoIterator<Item = NodeId>) -> Vec<Node> {
        ids.into_iter().map(|id| Tree::node(this, id)).collect()
    }
}

#[pymethods]
impl Tree {
    /// Create a game of Go with a root and no moves.
    #[new]
    #[pyo3(signature = (size = None))]
    fn new(size: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let size = size.map_or_else(|| Ok(sgf_stream::value::Size::default()), size_from)?;
        let mut game = GameTree::new();
        game.set(NodeId::ROOT, "FF", 4).map_err(value_error)?;
        game.set(NodeId::ROOT, "CA", "UTF-8").map_err(value_error)?;
        game.set(NodeId::ROOT, "GM", 1).map_err(value_error)?;
        game.set(NodeId::ROOT, "SZ", size).map_err(value_error)?;
        Ok(Tree { game })
    }

    /// Read the only game of some bytes. More than one game is an error; see `parse`.
    #[staticmethod]
    #[pyo3(signature = (data, *, charset = None))]
    fn from_bytes(py: Python<'_>, data: &[u8], charset: Option<&str>) -> PyResult<Tree> {
        let mut games = parse(py, data, charset, None, false)?;
        match games.len() {
            1 => Ok(games.remove(0)),
            count => Err(value_error(format_args!("expected one game, found {count}; use sgf_stream.parse"))),
        }
    }

    /// Read the only game of a text.
    #[staticmethod]
    fn from_string(py: Python<'_>, text: &str) -> PyResult<Tree> {
        Tree::from_bytes(py, text.as_bytes(), Some("UTF-8"))
    }

    /// Write the game as SGF, with lines of about `wrap` bytes; `None` writes one line.
    #[pyo3(signature = (wrap = Some(79)), text_signature = "($self, wrap=79)")]
    fn serialise<'py>(&self, py: Python<'py>, wrap: Option<usize>) -> PyResult<Bound<'py, PyBytes>> {
        let mut writer = write::Writer::new(Vec::new());
        if let Some(wrap) = wrap {
            writer = writer.line_width(wrap);
        }
        self.game.write(&mut writer).map_err(value_error)?;
        Ok(PyBytes::new(py, &writer.finish().map_err(value_error)?))
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.serialise(py, None)
    }

    /// Return a copy, which can be edited by itself.
    fn copy(&self) -> Tree {
        Tree { game: self.game.clone() }
    }

    fn __copy__(&self) -> Tree {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Tree {
        self.copy()
    }

    /// The number of nodes.
    fn __len__(&self) -> usize {
        self.game.len()
    }

    fn __bool__(&self) -> bool {
        true
    }

    fn __eq__(&self, other: &Tree) -> bool {
        self.game == other.game
    }

    fn __repr__(&self) -> String {
        format!("<sgf_stream.Tree: {} nodes>", self.game.len())
    }

    /// The root.
    #[getter(root)]
    fn own_root(this: &Bound<'_, Self>) -> Node {
        Tree::node(this, NodeId::ROOT)
    }

    /// The root.
    fn get_root(this: &Bound<'_, Self>) -> Node {
        Tree::node(this, NodeId::ROOT)
    }

    /// All nodes, each before its children.
    fn nodes(this: &Bound<'_, Self>) -> Vec<Node> {
        let ids: Vec<NodeId> = this.borrow().game.nodes().map(|node| node.id()).collect();
        Tree::nodes_of(this, ids)
    }

    /// The last nodes of all lines.
    fn leaves(this: &Bound<'_, Self>) -> Vec<Node> {
        let ids: Vec<NodeId> = this.borrow().game.leaves().map(|node| node.id()).collect();
        Tree::nodes_of(this, ids)
    }

    /// The nodes of the main line, from the root.
    fn get_main_sequence(this: &Bound<'_, Self>) -> Vec<Node> {
        let ids: Vec<NodeId> = this.borrow().game.main_line().map(|node| node.id()).collect();
        Tree::nodes_of(this, ids)
    }

    /// The nodes of the main line below a node.
    fn get_main_sequence_below(this: &Bound<'_, Self>, node: &Node) -> PyResult<Vec<Node>> {
        let ids = node.read(this.py(), |node| node.line().skip(1).map(|node| node.id()).collect::<Vec<_>>())?;
        Ok(Tree::nodes_of(this, ids))
    }

    /// The nodes from the root to above a node.
    fn get_sequence_above(this: &Bound<'_, Self>, node: &Node) -> PyResult<Vec<Node>> {
        let mut ids = node.read(this.py(), |node| node.path().map(|node| node.id()).collect::<Vec<_>>())?;
        ids.pop();
        Ok(Tree::nodes_of(this, ids))
    }

    /// The last node of the main line.
    fn get_last_node(this: &Bound<'_, Self>) -> Node {
        let last = this.borrow().game.main_line().last().map_or(NodeId::ROOT, |node| node.id());
        Tree::node(this, last)
    }

    /// Add a node at the end of the main line, and return it.
    fn extend_main_sequence(this: &Bound<'_, Self>) -> PyResult<Node> {
        let last = Tree::get_last_node(this).id;
        let new = this.borrow_mut().game.add(Place::LastChildOf(last)).map_err(value_error)?;
        Ok(Tree::node(this, new))
    }

    /// The size of the board: a number, or columns and rows if it is not square.
    fn get_size<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        size_object(py, board_size(&self.game))
    }

    /// The columns and rows of the board.
    #[getter(size)]
    fn own_size(&self) -> (u32, u32) {
        let size = board_size(&self.game);
        (size.columns(), size.rows())
    }

    /// The name of the charset of the texts.
    fn get_charset(&self) -> &'static str {
        self.game.charset().map_or("UTF-8", |charset| charset.charset().name())
    }

    /// The komi; 0.0 if it is missing.
    fn get_komi(&self) -> PyResult<f64> {
        let komi: Option<Komi> = self.game.root().get("KM").map_err(value_error)?;
        Ok(komi.map_or(0.0, Komi::get))
    }

    /// The number of handicap stones; `None` if it is missing or zero.
    fn get_handicap(&self) -> PyResult<Option<i64>> {
        let handicap: Option<Handicap> = self.game.root().get("HA").map_err(value_error)?;
        Ok(handicap.map(Handicap::stones).filter(|stones| *stones != 0))
    }

    /// The name of the player of `"b"` or `"w"`; `None` if it is missing.
    fn get_player_name(&self, colour: &str) -> PyResult<Option<String>> {
        let name = if color(colour)? == Color::Black { "PB" } else { "PW" };
        Ok(self.game.root().text(name).map(|name| name.into_owned()))
    }

    /// The winner, `"b"` or `"w"`; `None` for a draw, or without a result.
    fn get_winner(&self) -> Option<&'static str> {
        let text = self.game.root().text("RE")?;
        GameResult::parse_lenient(text.as_bytes()).ok()?.winner().map(letter)
    }

    /// Set the date, `datetime.date`; today if it is `None`.
    #[pyo3(signature = (date = None))]
    fn set_date(&mut self, py: Python<'_>, date: Option<Bound<'_, PyAny>>) -> PyResult<()> {
        let date = date.map_or_else(|| py.import("datetime")?.getattr("date")?.call_method0("today"), Ok)?;
        let text: String = date.call_method1("strftime", ("%Y-%m-%d",))?.extract()?;
        self.game.set(NodeId::ROOT, "DT", text.as_str()).map_err(|error| edit_error("DT", error))
    }

    /// The rows of the board before the first move, and the moves of the main line, as `(colour, move)`.
    ///
    /// A move off the board is an `SgfError`, and so is setup in a node with a move or after one, as in sgfmill.
    fn get_setup_and_moves(&self) -> PyResult<(Rows, Vec<(&'static str, PyMove)>)> {
        let (mut board, mut moves) = (Board::new(board_size(&self.game)), Vec::new());
        for node in self.game.main_line() {
            let played = played(node)?;
            if SETUP.iter().any(|name| node.contains(name)) {
                if played.is_some() || !moves.is_empty() {
                    let message = format!("tree[{}] sets up stones in or after a node with a move", node.number());
                    return Err(value_error(message));
                }
                board = Board::at(node);
            }
            moves.extend(played);
        }
        // Boards of other games, and larger ones, have no positions.
        let board = board.filter(|_| Board::at(self.game.root()).is_some());
        let board = board.ok_or_else(|| value_error("the game has no board of Go"))?;
        Ok((rows_of(&board), moves))
    }

    /// Turn or mirror the game.
    fn transform(&mut self, how: &str) -> PyResult<usize> {
        let symmetry = match how {
            "identity" => Symmetry::IDENTITY,
            "rotate-90" => Symmetry::ROTATE_CLOCKWISE,
            "rotate-180" => Symmetry::ROTATE_180,
            "rotate-270" => Symmetry::ROTATE_COUNTERCLOCKWISE,
            "flip-horizontal" => Symmetry::FLIP_HORIZONTAL,
            "flip-vertical" => Symmetry::FLIP_VERTICAL,
            "transpose" => Symmetry::TRANSPOSE,
            "anti-transpose" => Symmetry::ANTI_TRANSPOSE,
            other => {
                let message = format!(
                    "unknown transformation '{other}'; use 'rotate-90', 'rotate-180', 'rotate-270', \
                     'flip-horizontal', 'flip-vertical', 'transpose' or 'anti-transpose'"
                );
                return Err(PyValueError::new_err(message));
            }
        };
        Ok(self.game.transform(symmetry).map_err(value_error)?.left)
    }

    /// Exchange the colors.
    fn swap_colors(&mut self) -> PyResult<()> {
        self.game.swap_colors().map(drop).map_err(value_error)
    }

    /// Drop all variations. Returns the number of nodes that were dropped.
    fn keep_main_line(&mut self) -> usize {
        self.game.keep_main_line()
    }

    /// Convert the texts to UTF-8, and declare it. Returns the number of damaged values, whose invalid bytes become U+FFFD.
    #[expect(clippy::wrong_self_convention, reason = "the library's name")]
    fn to_utf8(&mut self) -> PyResult<usize> {
        self.game.convert_to_utf8().map_err(value_error)
    }

    /// Add the nodes of another tree of the same game.
    fn merge(&mut self, other: PyRef<'_, Tree>) -> PyResult<()> {
        self.game.merge(&other.game).map(drop).map_err(value_error)
    }

    /// The lines of the game, each as a tree by itself.
    fn split(&self) -> Vec<Tree> {
        self.game.split().map(|game| Tree { game }).collect()
    }

    /// The node with a number in the order of the file, from the end if the number is negative.
    fn __getitem__(this: &Bound<'_, Self>, number: isize) -> PyResult<Node> {
        let tree = this.borrow();
        let at = if number < 0 { tree.game.len().checked_add_signed(number) } else { usize::try_from(number).ok() };
        let id = at.and_then(|at| tree.game.nth(at)).map(|node| node.id());
        let id = id.ok_or_else(|| PyIndexError::new_err(format!("the tree has no node {number}")))?;
        Ok(Tree::node(this, id))
    }

    fn __iter__<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        PyList::new(this.py(), Tree::nodes(this))?.call_method0("__iter__")
    }
}
