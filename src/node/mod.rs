//! Nodes and roots: what everyone above events needs.
//!
//! Events come one by one. What a node says is known when it is over, and what a game says of itself is known
//! when its root is over. This module holds both: [`NodeRecord`] is a node as a whole, and [`RootFacts`] is what a
//! root says of its game.

mod batch;
#[cfg(any(feature = "codec", feature = "parallel"))]
mod bounds;
mod events;
mod facts;
mod record;

#[cfg(feature = "serde")]
pub(crate) use batch::{NodeRef, Nodes};
#[cfg(any(feature = "codec", feature = "parallel"))]
pub(crate) use bounds::GameBounds;
pub use events::EventList;
pub use facts::RootFacts;
pub use record::{NodeRecord, PropertyRef, RecordProperties, RecordValues};
