//! Deserializes a game or a variation.
//!
//! It becomes a struct or a map of its root and the nodes after it, or the sequence of its main line.
//!
//! The stream is read once, so a struct gets its fields in the order of the stream: the properties
//! of the root, `$root`, `$rest`; then the nodes; then the variations.
//!
//! Types recurse here through `$variations`, and a thread may have only 2 MiB of stack. Each level therefore makes sure
//! that there is [stack](crate::stack) for the next. So that this is rarely needed, functions that run once per level
//! have small frames and are not inlined.

use std::marker::PhantomData;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Unexpected, Visitor};

use super::again::{Ask, Once, node_or};
use super::batch::{Item, Plan};
use super::error::{Error, Result};
use super::flat;
use super::node::{Cursor, Fields};
use super::properties::PROPERTIES;
use super::short::{Short, ShortNode};
use super::stream::{Source, Stream};
use super::turns::TURN;
use super::value::name;
use super::wants::{LINE, MAIN_LINE, NODES, STEPS, VARIATIONS, Wants};
use crate::node::MovePlace;

/// A tree whose root has not been read. It is a game before its start, or a variation after its `(`.
pub(super) struct Tree<'x, S: Source> {
    pub(super) stream: &'x mut Stream<S>,
    pub(super) is_game: bool,
    /// The record of its root, if it has been read, because the type is called again after a [test](flat::Flat).
    pub(super) root: Option<usize>,
}

impl<'x, 'de, S: Source<Input = &'de [u8]>> Tree<'x, S> {
    /// Reads the root; returns its record.
    #[inline(never)]
    fn open(&mut self, plan: Plan) -> Result<usize> {
        if let Some(root) = self.root.take() {
            return Ok(root);
        }
        if self.is_game {
            self.stream.begin_game(plan)?;
            self.stream.root = Some(0);
            return Ok(0);
        }
        self.stream.buffer.check(self.stream.depth())?;
        if self.stream.depth() > self.stream.env.options.max_depth {
            return Err(Error::data(format_args!(
                "variations are nested deeper than the limit of {}; see `max_depth`",
                self.stream.env.options.max_depth
            )));
        }
        let Item::Node(node) = self.stream.peek()? else {
            return Err(Error::data("expected a node at the start of a variation"));
        };
        self.stream.take();
        self.stream.root = Some(node);
        Ok(node)
    }

    /// Returns the tree as a map. The root is read with the first key, since creating the access without errors
    /// takes less stack.
    fn access(self, wanted: Wanted) -> TreeAccess<'x, S> {
        TreeAccess {
            tree: self,
            wanted,
            wants: Wants::NOTHING,
            depth: 0,
            node: 0,
            place: (0, 0),
            cursor: Cursor::new(Fields::All),
            step: NOT_OPEN,
        }
    }

    /// Returns the tree as the sequence of the nodes of its main line.
    #[inline(never)]
    fn line(mut self) -> Result<PartAccess<'x, S>> {
        let node = self.open(Plan::MAIN_LINE)?;
        let depth = self.stream.depth();
        Ok(PartAccess {
            stream: self.stream,
            depth,
            part: Part::Line(node),
            root: Some(node),
            over: false,
            is_in_run: false,
        })
    }

    /// Visits the root alone, with the deserializer of nodes.
    #[inline(never)]
    fn visit_root<V: Visitor<'de>>(
        mut self,
        visit: impl FnOnce(super::node::Node<'_, 'de>) -> Result<V::Value>,
        _: PhantomData<V>,
    ) -> Result<V::Value> {
        let node = self.open(Plan::ROOT)?;
        let place = self.stream.place(node);
        visit(self.stream.node(node)).map_err(|error| error.in_node(place.0, place.1))
    }
}

#[cold]
fn refuse<T>(expected: &dyn serde::de::Expected) -> Result<T> {
    Err(Error::invalid_type(Unexpected::Other("a game tree"), expected))
}

impl<'de, S: Source<Input = &'de [u8]>> Deserializer<'de> for Tree<'_, S> {
    type Error = Error;

    super::answer! { self, visitor:
        deserialize_any => {
            let Tree { stream, is_game, root } = self;
            stream.visit_any(|stream| visitor.visit_map(Tree { stream, is_game, root }.access(Wanted::Whole)))
        };
        deserialize_map => visitor.visit_map(self.access(Wanted::Root));
        deserialize_seq => visitor.visit_seq(self.line()?);
        deserialize_option => visitor.visit_some(self);
        deserialize_unit deserialize_unit_struct deserialize_ignored_any => visitor.visit_unit();
    }

    super::answer_scalars! { self, visitor: refuse(&visitor) }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_map(self.access(Wanted::Fields(fields)))
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        visitor.visit_seq(self.line()?).map_err(|error| error.counting(len, "node"))
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(self, _: &'static str, len: usize, visitor: V) -> Result<V::Value> {
        self.deserialize_tuple(len, visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        match name {
            PROPERTIES => {
                self.visit_root(|node| node.deserialize_newtype_struct(PROPERTIES, visitor), PhantomData::<V>)
            }
            _ => visitor.visit_newtype_struct(self),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        _: &'static [&'static str],
        _: V,
    ) -> Result<V::Value> {
        let name = if name == TURN { "Turn" } else { name };
        Err(Error::data(format_args!(
            "expected a struct, a map or a sequence for a game tree, found the enum {name}: enums are for nodes, and \
             a game is a sequence of them (Vec<Vec<{name}>>, or Games<Vec<{name}>>)"
        )))
    }
}

/// The request of a type.
#[derive(Clone, Copy)]
enum Wanted {
    /// The fields of a struct.
    Fields(&'static [&'static str]),
    /// The properties of the root.
    Root,
    /// The properties of the root, and parts that a struct with flattened fields names.
    Flat(Wants),
    /// The root and keys of a [test](flat::Flat) of such a struct, which names these parts.
    Test(Wants),
    /// The whole tree.
    Whole,
}

/// The requested keys of a tree, as the entries of a map.
struct TreeAccess<'x, S: Source> {
    tree: Tree<'x, S>,
    wanted: Wanted,
    wants: Wants,
    /// Number of open trees, including this one.
    depth: usize,
    /// The record of the root, until another node is read.
    node: usize,
    /// Number and offset of the root.
    place: (u64, u64),
    cursor: Cursor,
    /// Number of [`STEPS`] completed.
    step: u8,
}

/// Value of `step` before the root has been read.
const NOT_OPEN: u8 = u8::MAX;

impl<'de, S: Source<Input = &'de [u8]>> TreeAccess<'_, S> {
    /// Reads the root.
    #[inline(never)]
    fn open(&mut self) -> Result<()> {
        let (fields, wants, plan) = match self.wanted {
            Wanted::Fields(fields) => {
                let wants = match self.tree.stream.wants {
                    Some((of, wants)) if std::ptr::eq(of, fields) => wants,
                    _ => Wants::of(fields)?,
                };
                self.tree.stream.wants = Some((fields, wants));
                (Fields::Named(fields), wants, wants.plan(fields))
            }
            Wanted::Root => (Fields::All, Wants::NOTHING, Plan::ROOT),
            // The type will be called again.
            Wanted::Test(_) => (Fields::All, Wants::NOTHING, Plan::WHOLE),
            Wanted::Flat(wants) => (Fields::All, wants, Plan { root: None, ..wants.plan(&[]) }),
            Wanted::Whole => (Fields::All, Wants::ANY, Plan::WHOLE),
        };
        self.node = self.tree.open(plan)?;
        self.depth = self.tree.stream.depth();
        self.place = self.tree.stream.place(self.node);
        (self.cursor, self.wants, self.step) = (Cursor::with_rest(fields, wants.rest), wants, 0);
        Ok(())
    }

    /// Returns the next special key.
    #[inline(never)]
    fn special_key(&mut self) -> Result<Option<&'static str>> {
        loop {
            // An error about a missing or wrong part is reported at the root.
            self.tree.stream.blame = Some(self.place);
            let Some(key) = self.wants.first_from(self.step) else { return Ok(None) };
            self.step = key + 1;
            if self.wants.if_any {
                let is_there = self.tree.stream.settle(self.depth)?
                    && match self.tree.stream.peek()? {
                        Item::Node(_) | Item::Move(_) => key == NODES,
                        Item::Start => key == VARIATIONS,
                        Item::End => false,
                    };
                if !is_there {
                    continue;
                }
            }
            return Ok(Some(STEPS[usize::from(key)]));
        }
    }

    /// Returns the part whose key was returned last, unless that was the root.
    fn part(&self) -> Option<Part> {
        match self.step.checked_sub(1)? {
            LINE => Some(Part::Line(self.node)),
            MAIN_LINE => Some(Part::MainLine),
            NODES => Some(Part::Nodes),
            VARIATIONS => Some(Part::Variations),
            _ => None,
        }
    }

    #[cold]
    #[inline(never)]
    fn part_again<T: Deserialize<'de>>(&mut self, part: Part, refused: Result<T>) -> Result<T> {
        let depth = self.depth;
        let read = |stream: &mut Stream<S>, seed: PhantomData<T>| seed.deserialize(PartOf { stream, depth, part });
        self.tree.stream.read_buffered(Some(PhantomData), refused, read)
    }

    /// Deserializes the value of a key of a test.
    #[cold]
    #[inline(never)]
    fn test_value<A: Ask<'de>>(&mut self, wants: Wants, seed: A) -> Result<A::Value> {
        match flat::Key::of(self.step - 1, wants) {
            flat::Key::Root => self.root_value(seed),
            flat::Key::List => seed.deserialize(flat::NoParts),
            flat::Key::Foreign(mark) => seed.deserialize(mark),
        }
    }

    #[inline(never)]
    fn root_value<A: Ask<'de>>(&mut self, seed: A) -> Result<A::Value> {
        let (number, offset) = self.place;
        self.tree.stream.node(self.node).make(seed).map_err(|error| error.in_node(number, offset))
    }

    #[inline(never)]
    fn property_value<A: Ask<'de>>(&mut self, seed: A) -> Result<A::Value> {
        let (number, offset) = self.place;
        let node = self.tree.stream.node(self.node);
        self.cursor.value(node, seed).map_err(|error| error.in_node(number, offset))
    }

    #[inline(never)]
    fn property_key<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Result<K::Value, K>> {
        let stream = &*self.tree.stream;
        let node = match self.wanted {
            Wanted::Fields(fields) => stream.root_for(self.node, self.tree.is_game, fields),
            _ => stream.node(self.node),
        };
        self.cursor.key(node, seed)
    }
}

impl<'de, S: Source<Input = &'de [u8]>> MapAccess<'de> for TreeAccess<'_, S> {
    type Error = Error;

    fn next_key<K: Deserialize<'de>>(&mut self) -> Result<Option<K>> {
        if self.step == NOT_OPEN
            && matches!(self.wanted, Wanted::Root)
            && let Some(wants) = flat::wants::<K>()?
        {
            let Stream { flat, buffer, .. } = &mut *self.tree.stream;
            let is_test = flat.begins_test::<K>(&mut buffer.may_ask)?;
            self.wanted = if is_test { Wanted::Test(wants) } else { Wanted::Flat(wants) };
        }
        self.next_key_seed(PhantomData)
    }

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        if self.step == NOT_OPEN {
            self.open()?;
        }
        let seed = if self.step == 0 {
            match self.property_key(seed)? {
                Ok(key) => return Ok(Some(key)),
                Err(seed) => seed,
            }
        } else {
            seed
        };
        if let Wanted::Test(_) = self.wanted {
            self.step += 1;
            return flat::foreign_key(self.step - 1).map(|key| seed.deserialize(name(key))).transpose();
        }
        self.special_key()?.map(|key| seed.deserialize(name(key))).transpose()
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        // The seed of a part recurses: nothing else may be in this frame.
        if self.step == 0 {
            return self.property_value(Once(seed));
        }
        if let Wanted::Test(wants) = self.wanted {
            return self.test_value(wants, Once(seed));
        }
        match self.part() {
            Some(part) => {
                self.tree.stream.before_type::<T::Value>(false);
                seed.deserialize(PartOf { stream: self.tree.stream, depth: self.depth, part })
            }
            None => self.root_value(Once(seed)),
        }
    }

    fn next_value<T: Deserialize<'de>>(&mut self) -> Result<T> {
        // Recurses like `next_value_seed`: nothing else may be in this frame.
        if self.step == 0 {
            return self.property_value(PhantomData);
        }
        if let Wanted::Test(wants) = self.wanted {
            return self.test_value(wants, PhantomData);
        }
        match self.part() {
            Some(part) => {
                self.tree.stream.before_type::<T>(true);
                let value = T::deserialize(PartOf { stream: self.tree.stream, depth: self.depth, part });
                if self.tree.stream.buffer.needs_stack() { self.part_again(part, value) } else { value }
            }
            None => self.root_value(PhantomData),
        }
    }

    /// Omits map entries that count as absent.
    fn next_entry<K: Deserialize<'de>, T: Deserialize<'de>>(&mut self) -> Result<Option<(K, T)>> {
        while let Some(key) = self.next_key()? {
            match self.next_value() {
                Err(error) if self.step == 0 && error.is_absent() => {}
                value => return value.map(|value| Some((key, value))),
            }
        }
        Ok(None)
    }
}

/// A list of nodes or trees within a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// The root, by its record, and the main line after it.
    Line(usize),
    /// The main line after the root.
    MainLine,
    Nodes,
    Variations,
}

/// The value of `$line`, `$mainline`, `$nodes` or `$variations`.
struct PartOf<'x, S: Source> {
    stream: &'x mut Stream<S>,
    depth: usize,
    part: Part,
}

#[cold]
fn refuse_part<T>(expected: &dyn serde::de::Expected) -> Result<T> {
    Err(Error::invalid_type(Unexpected::Other("a list of nodes or variations"), expected))
}

impl<'x, 'de, S: Source<Input = &'de [u8]>> PartOf<'x, S> {
    fn access(self) -> PartAccess<'x, S> {
        let PartOf { stream, depth, part } = self;
        let root = if let Part::Line(root) = part { Some(root) } else { None };
        if root.is_none() && part != Part::Variations {
            stream.look_ahead(); // for the size hint
        }
        PartAccess { stream, depth, part, root, over: false, is_in_run: false }
    }
}

impl<'de, S: Source<Input = &'de [u8]>> Deserializer<'de> for PartOf<'_, S> {
    type Error = Error;

    super::answer! { self, visitor:
        deserialize_any => {
            let PartOf { stream, depth, part } = self;
            stream.visit_any(|stream| visitor.visit_seq(PartOf { stream, depth, part }.access()))
        };
        deserialize_seq => visitor.visit_seq(self.access());
        deserialize_option => visitor.visit_some(self);
        deserialize_newtype_struct => visitor.visit_newtype_struct(self);
        deserialize_unit deserialize_unit_struct deserialize_ignored_any => visitor.visit_unit();
        deserialize_map deserialize_struct deserialize_enum => refuse_part(&visitor);
    }

    super::answer_scalars! { self, visitor: refuse_part(&visitor) }

    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        let of = if self.part == Part::Variations { "variation" } else { "node" };
        visitor.visit_seq(self.access()).map_err(|error| error.counting(len, of))
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(self, _: &'static str, len: usize, visitor: V) -> Result<V::Value> {
        self.deserialize_tuple(len, visitor)
    }
}

struct PartAccess<'x, S: Source> {
    stream: &'x mut Stream<S>,
    depth: usize,
    part: Part,
    /// The root, if the sequence starts with it and it has not been yielded.
    root: Option<usize>,
    over: bool,
    /// Whether the last element was a move, so that the next may belong to the same run.
    is_in_run: bool,
}

impl<'de, S: Source<Input = &'de [u8]>> PartAccess<'_, S> {
    /// Returns the next item of the part; `None` at its end.
    #[inline(never)]
    fn next_item(&mut self) -> Result<Option<Item>> {
        if let Some(root) = self.root.take() {
            return Ok(Some(Item::Node(root)));
        }
        if self.over {
            return Ok(None);
        }
        // The type may have left a variation early.
        if self.part == Part::Variations && !self.stream.settle(self.depth)? {
            return Ok(None);
        }
        loop {
            let item = self.stream.peek()?;
            let is_wanted = match item {
                Item::Node(_) | Item::Move(_) => self.part != Part::Variations,
                Item::Start if self.part == Part::Nodes => break,
                Item::Start => self.part == Part::Variations,
                Item::End => break,
            };
            self.stream.take();
            if is_wanted {
                return Ok(Some(item));
            }
        }
        self.over = true;
        Ok(None)
    }

    /// Deserializes a tree. It recurses, so nothing else may be in its frame or its caller's.
    #[inline(never)]
    fn tree<A: Ask<'de>>(&mut self, seed: A) -> Result<Option<A::Value>> {
        crate::stack::ensure::<A::Value, _>(|| {
            let again = seed.again();
            self.stream.before_type::<A::Value>(again.is_some());
            let tree = seed.deserialize(Tree { stream: self.stream, is_game: false, root: None });
            let is_test = self.stream.flat.ends_test(tree.is_err());
            if is_test || self.stream.buffer.needs_stack() {
                self.tree_again(again, tree, is_test)
            } else {
                tree.map(Some)
            }
        })
    }

    #[cold]
    #[inline(never)]
    fn tree_again<A: Ask<'de>>(
        &mut self,
        mut again: Option<A>,
        mut tree: Result<A::Value>,
        is_test: bool,
    ) -> Result<Option<A::Value>> {
        if is_test && let Some(seed) = again.take() {
            again = seed.again();
            self.stream.before_type::<A::Value>(true);
            let root = self.stream.root;
            tree = seed.deserialize(Tree { stream: self.stream, is_game: false, root });
        }
        if self.stream.buffer.needs_stack() {
            let read = |stream: &mut Stream<S>, seed: A| seed.deserialize(Tree { stream, is_game: false, root: None });
            tree = self.stream.read_buffered(again, tree, read);
        }
        tree.map(Some)
    }

    #[inline(never)]
    fn node<A: Ask<'de>>(&mut self, node: usize, seed: A) -> Result<Option<A::Value>> {
        self.stream.node(node).make(seed).map(Some).map_err(|error| {
            let (number, offset) = self.stream.place(node);
            error.in_node(number, offset)
        })
    }

    // A call that writes its result directly into this method's result slot would keep that slot in memory for moves
    // as well, which costs more than everything else done for a move. `Ok(…?)` gives it a separate slot.
    #[expect(clippy::needless_question_mark, reason = "see above")]
    #[inline]
    fn element<A: Ask<'de>>(&mut self, seed: A) -> Result<Option<A::Value>> {
        // Nearly all elements are moves. A part from which nodes were taken ends only at an `End`.
        let begun = if self.is_in_run { self.stream.take_move() } else { None };
        let node = match begun {
            Some(node) => node,
            None => match self.next_item()? {
                Some(Item::Move(node)) => {
                    self.is_in_run = true;
                    node
                }
                Some(Item::Node(node)) => return Ok(self.node(node, seed)?),
                Some(_) => return Ok(self.tree(seed)?),
                None => return Ok(None),
            },
        };
        let again = seed.again();
        match seed.deserialize(Short(&ShortNode::new(self.stream, node))) {
            Ok(value) => Ok(Some(value)),
            Err(error) => Ok(self.move_or(node, again, error)?),
        }
    }

    #[cold]
    #[inline(never)]
    fn move_or<A: Ask<'de>>(&mut self, node: MovePlace, again: Option<A>, error: Error) -> Result<Option<A::Value>> {
        let value = node_or(again, error).map(Some);
        value.map_err(|error| error.in_node(self.stream.node_number(), node.at))
    }
}

impl<'de, S: Source<Input = &'de [u8]>> SeqAccess<'de> for PartAccess<'_, S> {
    type Error = Error;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        self.element(Once(seed))
    }

    #[inline]
    fn next_element<T: Deserialize<'de>>(&mut self) -> Result<Option<T>> {
        self.element(PhantomData)
    }

    /// Returns the number of received nodes, which in most games is all.
    fn size_hint(&self) -> Option<usize> {
        (self.part != Part::Variations).then(|| self.stream.nodes_ahead())
    }
}
