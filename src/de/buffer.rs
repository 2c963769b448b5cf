//! Types that serde makes from a buffer: untagged and internally tagged enums.
//!
//! serde reads the whole tree into its `Content`, and then makes the type from that alone. If the type contains itself,
//! it recurses without calling this crate, so that no [further stack](crate::stack) can be used on the way. Therefore:
//!
//! 1. A deserializer that is asked for a `Content` first checks the stack. If the deepest tree that is allowed may not
//!    fit, it fails before it reads anything, and the caller of the type calls it again [on a larger
//!    stack](Stream::read_buffered).
//! 2. If that is impossible (a seed can be used only once), or the larger stack does not suffice either, trees that are
//!    nested too deep for the stack are an error.
//!
//! serde's buffer is private; it is recognized by its name.

use std::any::type_name;

use super::again::Ask;
use super::error::{Error, Result};
use super::stream::{Source, Stream};
use crate::stack;

/// What is known about the type that is being read.
pub(super) struct Buffer {
    /// The stack that a level of the type may take, in bytes.
    level: usize,
    /// Whether the type can be read again.
    pub(super) may_ask: bool,
    /// Whether the type needs a larger stack. It may hide the error, as `Option`s of flattened structs do.
    needs_stack: bool,
    /// While serde fills its buffer, the maximum nesting depth of trees.
    limit: Option<usize>,
}

impl Buffer {
    pub(super) fn new() -> Self {
        Buffer { level: stack::buffered_level::<()>(), may_ask: false, needs_stack: false, limit: None }
    }

    /// Returns whether the type that was just read needs a larger stack.
    #[inline]
    pub(super) fn needs_stack(&self) -> bool {
        self.needs_stack
    }

    /// Fails if a tree is nested too deep for the stack.
    pub(super) fn check(&self, depth: usize) -> Result<()> {
        match self.limit {
            Some(limit) if depth > limit => Err(Error::data(format_args!(
                "variations are nested deeper than the {limit} levels that fit the stack, since serde buffers untagged \
                 and internally tagged enums; use a struct, or a thread with a larger stack"
            ))),
            _ => Ok(()),
        }
    }
}

/// Returns whether a type is serde's buffer, possibly with the tag that was found.
#[inline]
fn is_buffer<T>() -> bool {
    type_name::<T>().contains("content::Content")
}

/// Returns whether a type is serde's buffer with the tag of an internally tagged enum.
#[inline]
pub(super) fn is_tagged<T>() -> bool {
    is_buffer::<T>() && type_name::<T>().starts_with('(')
}

impl<'de, S: Source<Input = &'de [u8]>> Stream<S> {
    /// Prepares for a call of a type. After it, [`Buffer::needs_stack`] says whether to call
    /// [`read_buffered`](Self::read_buffered).
    #[inline]
    pub(super) fn before_type<T>(&mut self, may_ask: bool) {
        (self.buffer.level, self.buffer.may_ask) = (const { stack::buffered_level::<T>() }, may_ask);
    }

    /// Reads a type on a larger stack.
    #[cold]
    #[inline(never)]
    pub(super) fn read_buffered<A: Ask<'de>>(
        &mut self,
        seed: Option<A>,
        refused: Result<A::Value>,
        read: impl FnOnce(&mut Self, A) -> Result<A::Value>,
    ) -> Result<A::Value> {
        let size = self.larger_stack::<A::Value>();
        let Some(seed) = seed else { return refused };
        stack::larger(size, || read(self, seed))
    }

    /// Prepares for another call of the type that needs a larger stack. Returns the size of that stack.
    pub(super) fn larger_stack<T>(&mut self) -> usize {
        self.buffer.needs_stack = false;
        self.before_type::<T>(false);
        stack::size_for(self.levels_wanted(), self.buffer.level)
    }

    /// Returns the number of levels that trees may still be nested.
    fn levels_wanted(&self) -> usize {
        self.env.options.max_depth.saturating_sub(self.depth()).saturating_add(1)
    }

    /// Visits what may be serde's buffer. Checks the stack for what serde makes from it.
    #[inline]
    pub(super) fn visit_any<T>(&mut self, visit: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.buffer.limit.is_some() || !is_buffer::<T>() { visit(self) } else { self.fill_buffer(visit) }
    }

    #[inline(never)]
    fn fill_buffer<T>(&mut self, visit: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let levels = stack::levels_left(self.buffer.level);
        if levels < self.levels_wanted() && std::mem::take(&mut self.buffer.may_ask) {
            self.buffer.needs_stack = true;
            return Err(Error::data("expected a larger stack for serde's buffer"));
        }
        self.buffer.limit = Some(self.depth() + levels);
        let filled = visit(self);
        self.buffer.limit = None;
        filled
    }
}
