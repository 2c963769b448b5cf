//! A node of a tree.

use std::hash::{DefaultHasher, Hash, Hasher};

use pyo3::exceptions::{PyIndexError, PyKeyError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PySet};
use sgf_board::Board;
use sgf_stream::tree as sgf;
use sgf_stream::tree::{EditError, GameTree, NodeId, Place};
use sgf_stream::value::Color;

use super::tree::Tree;
use super::{PyMove, Rows, SETUP, color, letter, played, raw_move, rows_of, value};
use crate::error::{edit_error, value_error};

/// A node of a tree. It stays the same node when the tree is edited.
#[pyclass(module = "sgf_stream", frozen)]
pub(crate) struct Node {
    pub(super) tree: Py<Tree>,
    pub(super) id: NodeId,
}

impl Node {
    /// Calls a function with the node.
    pub(super) fn read<R>(&self, py: Python<'_>, read: impl FnOnce(sgf::Node<'_>) -> R) -> PyResult<R> {
        let tree = self.tree.bind(py).try_borrow()?;
        let node = tree.game.node(self.id).ok_or_else(|| value_error("the node has been deleted"))?;
        Ok(read(node))
    }

    /// Calls a function that edits the tree.
    fn edit<R>(&self, py: Python<'_>, edit: impl FnOnce(&mut GameTree, NodeId) -> Result<R, EditError>) -> PyResult<R> {
        edit(&mut self.tree.bind(py).try_borrow_mut()?.game, self.id).map_err(value_error)
    }

    fn other(&self, py: Python<'_>, id: NodeId) -> Node {
        Node { tree: self.tree.clone_ref(py), id }
    }

    fn others(&self, py: Python<'_>, ids: Vec<NodeId>) -> Vec<Node> {
        ids.into_iter().map(|id| self.other(py, id)).collect()
    }

    /// Returns the place of a new child: the last, or before the child with an index.
    fn place(&self, py: Python<'_>, parent: NodeId, index: Option<usize>) -> PyResult<Place> {
        let tree = self.tree.bind(py).try_borrow()?;
        let Some(index) = index else { return Ok(Place::LastChildOf(parent)) };
        let parent_node = tree.game.node(parent).ok_or_else(|| value_error("the node has been deleted"))?;
        Ok(parent_node.child(index).map_or(Place::LastChildOf(parent), |child| Place::Before(child.id())))
    }
}

#[pymethods]
impl Node {
    /// The value of a property, according to its type. A missing property is a `KeyError`, or `default`.
    #[pyo3(signature = (identifier, *default))]
    fn get<'py>(
        &self,
        py: Python<'py>,
        identifier: &str,
        default: &Bound<'py, pyo3::types::PyTuple>,
    ) -> PyResult<Bound<'py, PyAny>> {
        match self.read(py, |node| value::get(py, node, identifier))? {
            Err(error) if error.is_instance_of::<PyKeyError>(py) && !default.is_empty() => default.get_item(0),
            read => read,
        }
    }

    /// Set a property to a value, according to its type. `CA` of the root converts all texts of the game. A text with
    /// white space that SGF cannot hold there, such as a line break in a name, is a `ValueError`.
    fn set(&self, py: Python<'_>, identifier: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut tree = self.tree.bind(py).try_borrow_mut()?;
        value::set(&mut tree.game, self.id, identifier, value)
    }

    /// The first value of a property as bytes, with its escapes.
    fn get_raw<'py>(&self, py: Python<'py>, identifier: &str) -> PyResult<Bound<'py, PyBytes>> {
        let raw = self.read(py, |node| node.raw(identifier).map(|raw| PyBytes::new(py, raw.as_bytes())))?;
        raw.ok_or_else(|| PyKeyError::new_err(identifier.to_owned()))
    }

    /// All values of a property as bytes, with their escapes.
    fn get_raw_list<'py>(&self, py: Python<'py>, identifier: &str) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        let read = |node: sgf::Node<'_>| -> Vec<_> {
            node.values(identifier).map(|raw| PyBytes::new(py, raw.as_bytes())).collect()
        };
        let raw = self.read(py, read)?;
        if raw.is_empty() { Err(PyKeyError::new_err(identifier.to_owned())) } else { Ok(raw) }
    }

    /// All properties with their raw values.
    fn get_raw_property_map<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let map = PyDict::new(py);
        for name in self.properties(py)? {
            map.set_item(&name, self.get_raw_list(py, &name)?)?;
        }
        Ok(map)
    }

    /// Set a property to raw bytes, which must be escaped, and in the charset of the game. A raw `CA` converts nothing.
    fn set_raw(&self, py: Python<'_>, identifier: &str, value: &[u8]) -> PyResult<()> {
        self.edit(py, |game, id| game.set_raw(id, identifier, [value]))
    }

    /// Set a property to several raw values.
    fn set_raw_list(&self, py: Python<'_>, identifier: &str, values: Vec<Vec<u8>>) -> PyResult<()> {
        self.edit(py, |game, id| game.set_raw(id, identifier, values))
    }

    /// Remove a property. A missing property is a `KeyError`.
    fn unset(&self, py: Python<'_>, identifier: &str) -> PyResult<()> {
        match self.edit(py, |game, id| game.unset(id, identifier))? {
            true => Ok(()),
            false => Err(PyKeyError::new_err(identifier.to_owned())),
        }
    }

    /// Whether the node has a property.
    fn has_property(&self, py: Python<'_>, identifier: &str) -> PyResult<bool> {
        self.read(py, |node| node.contains(identifier))
    }

    fn __contains__(&self, py: Python<'_>, identifier: &str) -> PyResult<bool> {
        self.has_property(py, identifier)
    }

    /// The identifiers of the properties, in order. Long ones of FF[3] are those of FF[4]: `VW` for `VieW`.
    fn properties(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.read(py, |node| node.properties().map(|property| property.ident().name().into_owned()).collect())
    }

    /// The move of the node, as `(colour, move)`: `("b", (row, column))`, `("w", None)` for a pass, `(None, None)` without one.
    /// A move off the board is an `SgfError`. Of two moves, Black's counts.
    fn get_move(&self, py: Python<'_>) -> PyResult<(Option<&'static str>, PyMove)> {
        let played = self.read(py, played)??;
        Ok(played.map_or((None, None), |(colour, point)| (Some(colour), point)))
    }

    /// The move of the node as raw bytes.
    fn get_raw_move<'py>(&self, py: Python<'py>) -> PyResult<(Option<&'static str>, Option<Bound<'py, PyBytes>>)> {
        self.read(py, |node| {
            let played = raw_move(node);
            played.map_or((None, None), |(color, raw)| (Some(letter(color)), Some(PyBytes::new(py, raw.as_bytes()))))
        })
    }

    /// Set the move of the node: a point, or `None` for a pass.
    #[pyo3(signature = (colour, point))]
    fn set_move(&self, py: Python<'_>, colour: &str, point: Option<Bound<'_, PyAny>>) -> PyResult<()> {
        let (own, other) = if color(colour)? == Color::Black { ("B", "W") } else { ("W", "B") };
        self.set(py, own, &point.unwrap_or_else(|| py.None().into_bound(py)))?;
        self.edit(py, |game, id| game.unset(id, other)).map(drop)
    }

    /// The points of `AB`, `AW` and `AE`, as three sets.
    fn get_setup_stones<'py>(&self, py: Python<'py>) -> PyResult<[Bound<'py, PyAny>; 3]> {
        let points = |name: &str| match self.has_property(py, name)? {
            true => self.read(py, |node| value::get(py, node, name))?,
            false => Ok(PySet::empty(py)?.into_any()),
        };
        Ok([points("AB")?, points("AW")?, points("AE")?])
    }

    /// Whether the node sets up stones.
    fn has_setup_stones(&self, py: Python<'_>) -> PyResult<bool> {
        self.read(py, |node| SETUP.iter().any(|name| node.contains(name)))
    }

    /// Set the points of `AB`, `AW` and `AE`. An empty list removes the property.
    #[pyo3(signature = (black, white, empty = None))]
    fn set_setup_stones(
        &self,
        py: Python<'_>,
        black: &Bound<'_, PyAny>,
        white: &Bound<'_, PyAny>,
        empty: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let nothing = PyList::empty(py).into_any();
        for (name, points) in [("AB", black), ("AW", white), ("AE", empty.unwrap_or(&nothing))] {
            let points: Vec<Bound<'_, PyAny>> = points.try_iter()?.collect::<PyResult<_>>()?;
            match points.is_empty() {
                true => drop(self.edit(py, |game, id| game.unset(id, name))?),
                false => self.set(py, name, PyList::new(py, points)?.as_any())?,
            }
        }
        Ok(())
    }

    /// Add a text to the comment, after an empty line if there is one already.
    fn add_comment_text(&self, py: Python<'_>, text: &str) -> PyResult<()> {
        let old = self.read(py, |node| node.text("C").map(|text| text.into_owned()))?;
        let new = old.map_or_else(|| text.to_owned(), |old| format!("{old}\n\n{text}"));
        let mut tree = self.tree.bind(py).try_borrow_mut()?;
        tree.game.set(self.id, "C", new.as_str()).map_err(|error| edit_error("C", error))
    }

    /// The nearest node on the path to the root that has a property; `None` if none has.
    fn find(&self, py: Python<'_>, identifier: &str) -> PyResult<Option<Node>> {
        let read = |node: sgf::Node<'_>| {
            let mut path = node.path().rev();
            path.find(|node| node.contains(identifier)).map(|node| node.id())
        };
        Ok(self.read(py, read)?.map(|id| self.other(py, id)))
    }

    /// The value of a property at the nearest node on the path to the root. A `KeyError` if none has it.
    fn find_property<'py>(&self, py: Python<'py>, identifier: &str) -> PyResult<Bound<'py, PyAny>> {
        let node = self.find(py, identifier)?.ok_or_else(|| PyKeyError::new_err(identifier.to_owned()))?;
        node.read(py, |node| value::get(py, node, identifier))?
    }

    /// The parent; `None` for the root.
    #[getter]
    fn parent(&self, py: Python<'_>) -> PyResult<Option<Node>> {
        Ok(self.read(py, |node| node.parent().map(|node| node.id()))?.map(|id| self.other(py, id)))
    }

    /// The children.
    #[getter]
    fn children(&self, py: Python<'_>) -> PyResult<Vec<Node>> {
        let ids = self.read(py, |node| node.children().map(|node| node.id()).collect())?;
        Ok(self.others(py, ids))
    }

    /// The tree.
    #[getter]
    fn tree(&self, py: Python<'_>) -> Py<Tree> {
        self.tree.clone_ref(py)
    }

    /// Whether the node is on the main line.
    #[getter]
    fn is_on_main_line(&self, py: Python<'_>) -> PyResult<bool> {
        self.read(py, |node| node.is_on_main_line())
    }

    /// The number of children.
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.read(py, |node| node.children().count())
    }

    fn __bool__(&self) -> bool {
        true
    }

    fn __getitem__(&self, py: Python<'_>, index: isize) -> PyResult<Node> {
        let children = self.read(py, |node| node.children().map(|node| node.id()).collect::<Vec<_>>())?;
        let at = if index < 0 { children.len().checked_add_signed(index) } else { usize::try_from(index).ok() };
        let id = at.and_then(|at| children.get(at).copied());
        let id = id.ok_or_else(|| PyIndexError::new_err(format!("the node has {} children", children.len())))?;
        Ok(self.other(py, id))
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        PyList::new(py, self.children(py)?)?.call_method0("__iter__")
    }

    /// The index of a child.
    fn index(&self, py: Python<'_>, child: &Node) -> PyResult<usize> {
        let at = self.read(py, |node| node.children().position(|node| node.id() == child.id))?;
        at.ok_or_else(|| value_error("the node is not a child"))
    }

    /// Add a child, before the child with an index or as the last one, and return it.
    #[pyo3(signature = (index = None))]
    fn new_child(&self, py: Python<'_>, index: Option<usize>) -> PyResult<Node> {
        let place = self.place(py, self.id, index)?;
        let id = self.edit(py, |game, _| game.add(place))?;
        Ok(self.other(py, id))
    }

    /// Remove the node and all nodes below it.
    fn delete(&self, py: Python<'_>) -> PyResult<()> {
        self.edit(py, |game, id| game.remove(id)).map(drop)
    }

    /// Move the node with all nodes below it to another parent in the tree.
    #[pyo3(signature = (new_parent, index = None))]
    fn reparent(&self, py: Python<'_>, new_parent: &Node, index: Option<usize>) -> PyResult<()> {
        if !self.tree.is(&new_parent.tree) {
            return Err(value_error("the parent is in another tree"));
        }
        let place = self.place(py, new_parent.id, index)?;
        self.edit(py, |game, id| game.move_to(id, place))
    }

    /// Make the line of the node the main line.
    fn make_main_line(&self, py: Python<'_>) -> PyResult<()> {
        self.edit(py, |game, id| game.make_main_line(id))
    }

    /// The rows of the board after the node, from the bottom: `board[row][column]` is `"b"`, `"w"` or `None`.
    fn board(&self, py: Python<'_>) -> PyResult<Rows> {
        let board = self.read(py, Board::at)?;
        board.map(|board| rows_of(&board)).ok_or_else(|| value_error("the game has no board of Go"))
    }

    /// The position after the node as text: `X` is black, `O` white, and the upper row comes first.
    fn diagram(&self, py: Python<'_>) -> PyResult<String> {
        let board = self.read(py, Board::at)?;
        board.map(|board| board.to_string()).ok_or_else(|| value_error("the game has no board of Go"))
    }

    /// The number of moves from the root to the node, with its own.
    #[getter]
    fn move_number(&self, py: Python<'_>) -> PyResult<usize> {
        let is_move = |node: &sgf_stream::tree::Node<'_>| node.contains("B") || node.contains("W");
        self.read(py, |node| std::iter::successors(Some(node), |node| node.parent()).filter(is_move).count())
    }

    fn __eq__(&self, other: &Node) -> bool {
        self.tree.is(&other.tree) && self.id == other.id
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.tree.as_ptr() as usize, self.id).hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        self.read(py, |node| format!("<sgf_stream.Node: {node:?}>"))
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        self.read(py, |node| format!("{node:?}"))
    }
}
