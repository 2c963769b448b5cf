//! Nodes and roots, for everything that is built on events.
//!
//! Events come one by one. A node is known when it is over, and the facts of a game are known when its root is over.
//! [`NodeRecord`] is a node as a whole, and [`RootFacts`] are the facts of a game. [`EventList`] keeps events.

// The bytes of a run of nodes like `;B[dd]` are known to the tokenizer and to `moves`; all others take runs as `Moves`. Events
// without their bytes are `token`s wherever they are kept.

mod batch;
mod bounds;
mod events;
mod facts;
mod line;
mod moves;
mod names;
pub(crate) mod record;
mod token;

pub(crate) use batch::{MOVE_WEIGHT, WEIGHT};
#[cfg(feature = "serde")]
pub(crate) use batch::{NodeRef, Nodes};
pub(crate) use bounds::GameBounds;
pub use events::EventList;
#[cfg(feature = "codec")]
pub(crate) use events::ListSize;
pub use facts::RootFacts;
pub(crate) use line::{LineStates, LineTree, TreeOrder};
pub(crate) use moves::{
    EIGHT, GROUP, LastEvent, MoveEvents, MoveLine, count_moves, eight_times, move_of, return_next_of_moves,
};
#[doc(hidden)]
pub use moves::{MoveNode, Moves};
#[cfg(feature = "serde")]
pub(crate) use moves::{MovePlace, MoveRun};
#[cfg(feature = "serde")]
pub(crate) use names::{NameIndex, key as name_key};
pub(crate) use record::NodeRecord;
#[cfg(feature = "serde")]
pub(crate) use record::RecordValues;
pub use record::{PropertyRef, RecordProperties};
pub(crate) use token::{Token, TokenKind};
