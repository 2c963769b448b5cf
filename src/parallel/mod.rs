//! One huge archive on all cores.
//!
//! [`Split`] finds where an archive may be cut, so that each part holds whole games and can be read by
//! itself.

mod split;

pub use split::{ReadAt, Split};
