//! A node of a tree: its position, and its properties.

use std::borrow::Cow;
use std::fmt;

use super::events::Events;
use super::packed::{NodeProperties, NodeProperty};
use super::read::{FromProperty, PropertyError, Reading};
use super::{GameTree, NodeId};
use crate::property;
use crate::syntax::event::Ident;
use crate::value::{Color, RawValue};

/// A read-only view of a node in a [`GameTree`].
///
/// `Copy`, and borrowed from the tree. It leads to all other nodes. Its properties are
/// read on demand: raw ([`values`](Self::values)), as text ([`text`](Self::text)), or as a type
/// ([`get`](Self::get), [`list`](Self::list)).
///
/// ```
/// use sgf_stream::tree::GameTree;
/// use sgf_stream::value::go::Move;
///
/// let game: GameTree = "(;SZ[19]PB[Shusaku];B[qd];W[dc](;B[pq])(;B[oc]C[a variation]))".parse()?;
/// let branch = game.main_line().find(|node| node.has_variations()).unwrap();
/// assert_eq!(branch.get::<Move>("W")?, Some(Move::parse("dc")?));
///
/// let variation = branch.child(1).unwrap();
/// assert_eq!((variation.number(), variation.depth(), variation.index()), (4, 3, 1));
/// assert_eq!(variation.text("C").as_deref(), Some("a variation"));
/// let moves: Vec<_> = variation.path().filter_map(|node| node.raw("B").or(node.raw("W"))).collect();
/// assert_eq!(moves.iter().map(|raw| raw.as_bytes()).collect::<Vec<_>>(), [b"qd", b"dc", b"oc"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Node<'t> {
    pub(super) tree: &'t GameTree,
    pub(super) id: u32,
}

/// Position and neighbors.
impl<'t> Node<'t> {
    /// Returns the id of the node, which edits take.
    pub fn id(self) -> NodeId {
        NodeId(self.id)
    }

    /// Returns the tree.
    pub fn tree(self) -> &'t GameTree {
        self.tree
    }

    /// Returns its position in the order of the file, from 0.
    ///
    /// The specification numbers nodes in this way.
    ///
    /// Takes constant time if the tree was not edited, or only grew below its last node. After other edits it
    /// counts the nodes before this one, until the tree is [renumbered](GameTree::renumber).
    pub fn number(self) -> usize {
        match self.tree.arena.in_order {
            true => self.id as usize,
            false => self.tree.arena.preorder(0).take_while(|&node| node != self.id).count(),
        }
    }

    /// Returns the number of nodes above it: 0 for the root.
    ///
    /// Counts them; to get the depth of every node, count while walking down the tree.
    pub fn depth(self) -> usize {
        self.ancestors().count()
    }

    /// Returns whether it is the root.
    pub fn is_root(self) -> bool {
        self.id == 0
    }

    /// Returns whether it has no children.
    pub fn is_leaf(self) -> bool {
        self.first_child().is_none()
    }

    /// Returns whether it has more than one child.
    pub fn has_variations(self) -> bool {
        self.tree.arena.branches(self.id)
    }

    /// Returns whether it is on the main line. Visits all ancestors.
    ///
    /// The main line goes from the root to first children.
    pub fn is_on_main_line(self) -> bool {
        std::iter::successors(Some(self), |node| node.parent()).all(|node| node.previous_sibling().is_none())
    }

    /// Returns the parent; `None` for the root.
    pub fn parent(self) -> Option<Node<'t>> {
        self.of(self.tree.arena.parent(self.id))
    }

    /// Returns its children: the first continues its line, the others start variations.
    pub fn children(self) -> Children<'t> {
        let arena = &self.tree.arena;
        Children { tree: self.tree, ends: arena.first(self.id).zip(arena.last(self.id)) }
    }

    /// Returns the child with index `n`, from 0. Steps over the children before it.
    pub fn child(self, n: usize) -> Option<Node<'t>> {
        self.children().nth(n)
    }

    /// Returns the child that continues its line.
    pub fn first_child(self) -> Option<Node<'t>> {
        self.of(self.tree.arena.first(self.id))
    }

    /// Returns the last child.
    pub fn last_child(self) -> Option<Node<'t>> {
        self.of(self.tree.arena.last(self.id))
    }

    /// Returns all children of its parent in order, including this node.
    ///
    /// They are the variations at this point. The root is its only sibling.
    pub fn siblings(self) -> Children<'t> {
        match self.parent() {
            Some(parent) => parent.children(),
            None => Children { tree: self.tree, ends: Some((self.id, self.id)) },
        }
    }

    /// Returns the next child of its parent.
    pub fn next_sibling(self) -> Option<Node<'t>> {
        self.of(self.tree.arena.next(self.id))
    }

    /// Returns the previous child of its parent.
    pub fn previous_sibling(self) -> Option<Node<'t>> {
        self.of(self.tree.arena.previous(self.id))
    }

    /// Returns its index among its [siblings](Self::siblings), from 0. Counts those before it.
    pub fn index(self) -> usize {
        std::iter::successors(self.previous_sibling(), |node| node.previous_sibling()).count()
    }

    /// Returns the nodes above, from its parent up to the root.
    pub fn ancestors(self) -> impl Iterator<Item = Node<'t>> + Clone {
        std::iter::successors(self.parent(), |node| node.parent())
    }

    /// Returns the nodes from the root down to this one.
    pub fn path(self) -> impl DoubleEndedIterator<Item = Node<'t>> + ExactSizeIterator {
        let mut path: Vec<_> = std::iter::once(self).chain(self.ancestors()).collect();
        path.reverse();
        path.into_iter()
    }

    /// Returns this node and those that continue its line, down to a leaf.
    pub fn line(self) -> impl Iterator<Item = Node<'t>> + Clone {
        std::iter::successors(Some(self), |node| node.first_child())
    }

    /// Returns this node and its descendants depth first, which is the order of the file.
    pub fn descendants(self) -> Descendants<'t> {
        Descendants { tree: self.tree, top: self.id, next: Some(self.id) }
    }

    /// Returns this node and its descendants as [events](crate::Event) of a game of its own.
    pub fn events(self) -> Events<'t> {
        Events::new(self)
    }

    fn of(self, id: Option<u32>) -> Option<Node<'t>> {
        id.map(|id| Node { tree: self.tree, id })
    }
}

/// Properties.
impl<'t> Node<'t> {
    /// Returns its properties in the order of the file, each name once.
    ///
    /// A property that the file repeats has the values of all its occurrences, and is where the first of them is. So this
    /// loop copies all properties:
    ///
    /// ```
    /// use sgf_stream::tree::{GameTree, NodeId};
    ///
    /// let game: GameTree = "(;AB[aa]C[x]AddBlack[bb][cc])".parse()?;
    /// let mut copy = GameTree::new();
    /// for property in game.root().properties() {
    ///     copy.set_raw(NodeId::ROOT, &property.ident().name(), property.values())?;
    /// }
    /// assert_eq!(copy.to_vec()?, b"(;AB[aa][bb][cc]C[x])\n");
    /// assert!(copy == game);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// [`events`](Self::events) have the repetitions of the file.
    pub fn properties(self) -> NodeProperties<'t> {
        self.tree.arena.properties(self.id)
    }

    /// Returns whether it has a property with this name, as [`Ident::name`] returns it.
    pub fn contains(self, name: &str) -> bool {
        self.property(name).is_some()
    }

    /// Returns the property with this name, as [`properties`](Self::properties) has it.
    pub fn property(self, name: &str) -> Option<NodeProperty<'t>> {
        let name = Ident::new(name.as_bytes());
        self.properties().find(|property| property.ident() == name)
    }

    /// Returns all raw values of a property; none if the node does not have it.
    ///
    /// A repeated property has the values of all its occurrences.
    pub fn values(self, name: &str) -> impl Iterator<Item = RawValue<'t>> + Clone + use<'t, '_> {
        self.property(name).into_iter().flat_map(NodeProperty::values)
    }

    /// Returns the first raw value of a property.
    pub fn raw(self, name: &str) -> Option<RawValue<'t>> {
        self.property(name).map(NodeProperty::first)
    }

    /// Returns a property as text.
    ///
    /// Reads it as *Text* if the [registry](crate::property) says so or does not have the property, otherwise as
    /// *SimpleText*; in the charset of the game (see [`GameTree`]). Several values of a
    /// Text are joined by blank lines; otherwise the first value counts.
    ///
    /// ```
    /// let game: sgf_stream::tree::GameTree = "(;C[one [1\\]\ntwo]PB[Honinbo\nShusaku]C[three])".parse()?;
    /// assert_eq!(game.root().text("C").unwrap(), "one [1]\ntwo\n\nthree");
    /// assert_eq!(game.root().text("PB").unwrap(), "Honinbo Shusaku");
    /// # Ok::<(), sgf_stream::tree::TreeError>(())
    /// ```
    pub fn text(self, name: &str) -> Option<Cow<'t, str>> {
        Reading::of(self, name).text()
    }

    /// Returns a property as a type; `None` if it is absent.
    ///
    /// Its value is parsed strictly, and if that fails, leniently; for the board of the game, and in its charset.
    /// The types are those of [`value`](crate::value), `String`, `i64`, `f64`, `()` (present), pairs for composed
    /// values, `Vec` and [`PointList`](crate::value::PointList) for lists, and
    /// [`TypedValue`](crate::property::TypedValue), the type that the [registry](crate::property) gives:
    /// see [`FromProperty`]. If there are several values but the type takes one, the first counts.
    ///
    /// ```
    /// use sgf_stream::property::TypedValue;
    /// use sgf_stream::tree::GameTree;
    /// use sgf_stream::value::{Color, GameResult, Size, go::Point};
    ///
    /// let game: GameTree = "(;GM[1]SZ[9]RE[b+2.5]PL[W]LB[cc:A][dd:B]AP[CGoban:3])".parse()?;
    /// let root = game.root();
    /// assert_eq!(root.get::<Size>("SZ")?, Size::square(9));
    /// assert_eq!(root.get::<GameResult>("RE")?.unwrap().to_string(), "B+2.5");
    /// assert_eq!(root.get("PL")?, Some(Color::White));
    /// assert_eq!(root.get::<(Point, String)>("LB")?.unwrap().1, "A");
    /// assert!(matches!(root.get("AP")?, Some(TypedValue::Application(_))));
    /// assert_eq!(root.get::<f64>("KM")?, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if it is not of that type. The error names node, property and value.
    pub fn get<T: FromProperty>(self, name: &str) -> Result<Option<T>, PropertyError> {
        Reading::of(self, name).get()
    }

    /// Returns all values of a property; none, if it is absent. Rectangles of points are expanded, and `[]` alone
    /// is the empty list where values are points.
    ///
    /// ```
    /// use sgf_stream::tree::GameTree;
    /// use sgf_stream::value::go::Point;
    ///
    /// let game: GameTree = "(;AB[aa:ba][cc]AB[dd]DD[])".parse()?;
    /// let stones = game.root().list::<Point>("AB")?;
    /// assert_eq!(stones.iter().map(|point| point.to_string()).collect::<Vec<_>>(), ["aa", "ba", "cc", "dd"]);
    /// assert_eq!(game.root().list::<Point>("DD")?, []);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if one of them is not of that type.
    pub fn list<T: FromProperty>(self, name: &str) -> Result<Vec<T>, PropertyError> {
        Ok(self.get::<Vec<T>>(name)?.unwrap_or_default())
    }

    /// Returns all moves of the node with their colors, in the order of the file.
    ///
    /// The values are raw. FF\[4\] allows one move per node. Boards, tables and the command execute all moves of a node in
    /// this order; [`played`](Self::played) is the first one.
    ///
    /// ```
    /// use sgf_stream::tree::GameTree;
    ///
    /// let game: GameTree = "(;W[bb]B[aa]W[cc])".parse()?;
    /// let moves = game.root().moves().map(|(color, raw)| format!("{color}[{}]", raw.text()));
    /// assert_eq!(moves.collect::<Vec<_>>(), ["W[bb]", "B[aa]", "W[cc]"]);
    /// # Ok::<(), sgf_stream::tree::TreeError>(())
    /// ```
    pub fn moves(self) -> impl Iterator<Item = (Color, RawValue<'t>)> + Clone + use<'t> {
        let moves =
            self.tree.arena.spelled(self.id).filter_map(|property| Some((color_of(property.ident())?, property)));
        moves.flat_map(|(color, property)| property.values().map(move |raw| (color, raw)))
    }

    /// Returns the move of the node, and its color; `None` if it has none.
    ///
    /// If the node has several [`moves`](Self::moves), this is the first one.
    ///
    /// ```
    /// use sgf_stream::tree::{GameTree, PropertyError};
    /// use sgf_stream::value::{Color, go::Move};
    ///
    /// let game: GameTree = "(;FF[4]PB[Shusaku];B[qd];C[a comment];W[dc](;B[])(;B[oc]))".parse()?;
    /// let moves = game.main_line().filter_map(|node| node.played::<Move>().transpose());
    /// let moves = moves.collect::<Result<Vec<_>, PropertyError>>()?;
    /// assert_eq!(moves.len(), 3);
    /// assert_eq!(moves[0], (Color::Black, Move::parse("qd")?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the move is not of that type.
    pub fn played<M: FromProperty>(self) -> Result<Option<(Color, M)>, PropertyError> {
        let Some(color) = self.properties().find_map(|property| color_of(property.ident())) else { return Ok(None) };
        Ok(self.get(color.as_str())?.map(|played| (color, played)))
    }

    /// Returns the node from which this one has a property.
    ///
    /// This is the node itself, if it has the property. If the [registry](crate::property::Property::inherits)
    /// says that the property is inherited (`DD`, `PM`, `VW`), it is the nearest ancestor that has it. An empty
    /// value (`VW[]`) counts.
    ///
    /// ```
    /// use sgf_stream::tree::GameTree;
    /// use sgf_stream::value::go::Point;
    ///
    /// let game: GameTree = "(;PM[2]AB[dd];VW[aa:cc];B[bb];VW[];C[all])".parse()?;
    /// let view = |n| game.nth(n).and_then(|node| node.inherited_from("VW")).map(|from| from.list::<Point>("VW"));
    /// assert_eq!(view(0), None);
    /// assert_eq!(view(2).unwrap()?.len(), 9);
    /// assert_eq!(view(4).unwrap()?.len(), 0);
    /// // Stones are not inherited.
    /// assert!(game.nth(1).unwrap().inherited_from("AB").is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn inherited_from(self, name: &str) -> Option<Node<'t>> {
        let is_inherited = property::lookup(Ident::new(name.as_bytes()), &self.tree.context_at(self.id))
            .is_some_and(|property| property.inherits());
        let from_above = is_inherited.then(|| self.ancestors()).into_iter().flatten();
        std::iter::once(self).chain(from_above).find(|node| node.contains(name))
    }
}

/// Compares [properties](Node::properties): equal names with equal raw values, in equal order. The position of the nodes
/// does not count, nor does which properties the file repeats.
impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.tree.arena.packed(self.id) == other.tree.arena.packed(other.id) || self.properties().eq(other.properties())
    }
}

impl Eq for Node<'_> {}

/// Formats the node as SGF: `;B[dd]C[good]`.
impl fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(";")?;
        self.tree.arena.spelled(self.id).try_for_each(|property| write!(f, "{property:?}"))
    }
}

/// Iterator over the children of a node, from either end.
#[derive(Clone)]
pub struct Children<'t> {
    tree: &'t GameTree,
    /// The first and the last of the remaining children.
    ends: Option<(u32, u32)>,
}

impl<'t> Iterator for Children<'t> {
    type Item = Node<'t>;

    fn next(&mut self) -> Option<Node<'t>> {
        let (first, last) = self.ends?;
        crate::work::note(1);
        self.ends = if first == last { None } else { self.tree.arena.next(first).map(|next| (next, last)) };
        Some(Node { tree: self.tree, id: first })
    }
}

impl DoubleEndedIterator for Children<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        let (first, last) = self.ends?;
        self.ends = if first == last { None } else { self.tree.arena.previous(last).map(|last| (first, last)) };
        Some(Node { tree: self.tree, id: last })
    }
}

impl std::iter::FusedIterator for Children<'_> {}

/// Iterator over nodes in the order of the file: see [`Node::descendants`].
#[derive(Clone)]
pub struct Descendants<'t> {
    tree: &'t GameTree,
    top: u32,
    next: Option<u32>,
}

impl<'t> Iterator for Descendants<'t> {
    type Item = Node<'t>;

    #[inline]
    fn next(&mut self) -> Option<Node<'t>> {
        let id = self.next?;
        self.next = self.tree.arena.successor(id, self.top).map(|(next, _)| next);
        Some(Node { tree: self.tree, id })
    }
}

impl std::iter::FusedIterator for Descendants<'_> {}

impl fmt::Debug for Children<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

impl fmt::Debug for Descendants<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

/// Returns the color of a property if it is a move.
fn color_of(ident: Ident<'_>) -> Option<Color> {
    [Color::Black, Color::White].into_iter().find(|color| ident == *color.as_str())
}
