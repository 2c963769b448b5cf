//! A root that is held back until it ends.

use super::EventList;
use super::facts::RootFacts;
use crate::syntax::event::Event;

/// The events of a root that are held back, and its facts.
///
/// The game and the size of its board may come last in a root, so its moves, setup and values can be read only when it ends.
/// At most [`MAX`](Self::MAX) bytes are held: a longer root is read with the facts that are known so far.
#[derive(Clone, Debug, Default)]
pub struct HeldRoot {
    /// The facts so far.
    pub facts: RootFacts,
    events: EventList,
    /// The offset of the root.
    at: u64,
    /// The root has started, and its events have not been taken.
    is_held: bool,
}

impl HeldRoot {
    /// Maximum size of a held-back root.
    ///
    /// In bytes of its text, and in [weight](EventList::weight), since values may be short.
    pub const MAX: usize = 4 << 20;

    /// Creates a root that is held, with these facts.
    pub fn with_facts(facts: RootFacts) -> Self {
        HeldRoot { facts, is_held: true, ..HeldRoot::default() }
    }

    /// Starts to hold the root at this offset. The facts are left unchanged.
    pub fn start(&mut self, at: u64) {
        self.events.clear();
        (self.at, self.is_held) = (at, true);
    }

    /// Returns whether events are held, because the root has not ended.
    #[inline]
    pub fn is_held(&self) -> bool {
        self.is_held
    }

    /// Holds an event. Returns false if the root is too long: then [`end`](Self::end) it.
    pub fn hold(&mut self, event: Event<'_>, at: u64) -> bool {
        let is_short = at.saturating_sub(self.at) <= Self::MAX as u64 && self.events.weight() <= Self::MAX;
        if is_short {
            self.events.push(event, at);
        }
        is_short
    }

    /// Ends the root, or what is held of it. Returns its events; `None` if they have been returned before.
    pub fn end(&mut self) -> Option<EventList> {
        std::mem::take(&mut self.is_held).then(|| std::mem::take(&mut self.events))
    }

    /// Takes back the memory of a list that [`end`](Self::end) has returned.
    pub fn reuse(&mut self, mut events: EventList) {
        events.clear();
        self.events = events;
    }
}
