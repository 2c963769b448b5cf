//! Nodes and root facts, for all code that is built on events.
//!
//! Events arrive one at a time: a node is complete only when the next one starts, and a game's facts are final only
//! after its root. [`NodeRecord`] is a complete node, [`RootFacts`] are the facts of a game, and [`EventList`] stores
//! events.

// Only the tokenizer and `moves` know the byte layout of a run of nodes like `;B[dd]`; all other code uses `Moves`.
// Stored events without their bytes are `token`s.

pub(crate) mod batch;
mod bounds;
mod events;
mod facts;
pub(crate) mod moves;
mod names;
pub(crate) mod record;
pub(crate) mod root;
mod token;

pub(crate) use batch::MOVE_WEIGHT;
#[cfg(feature = "serde")]
pub(crate) use batch::{NodeRef, Nodes};
pub(crate) use bounds::GameBounds;
#[cfg(feature = "codec")]
pub(crate) use events::ListSize;
pub use events::{EventList, EventListIter};
pub use facts::RootFacts;
pub(crate) use moves::{
    EIGHT, GROUP, LastEvent, MoveEvents, MoveLine, MoveNode, Moves, eight_times, move_of, return_next_of_moves,
};
#[cfg(feature = "serde")]
pub(crate) use moves::{MovePlace, MoveRun};
#[cfg(feature = "serde")]
pub(crate) use names::{NameIndex, key as name_key};
pub(crate) use record::NodeRecord;
#[cfg(feature = "serde")]
pub(crate) use record::RecordValues;
pub use record::{PropertyRef, RecordProperties};
pub(crate) use token::{Token, TokenKind};
