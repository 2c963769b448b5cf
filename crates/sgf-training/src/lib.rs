//! Positions of Go games as training data: planes and targets, shuffled, sharded, in bounded memory.
//!
//! [`Positions`] has the settings, and its [`Reader`] returns [batches](Batch): for each position the [planes](Plane), bit-packed or
//! [dense](Batch::dense_planes), the next move, the result, facts of the game, and where it comes from.
//!
//! ```no_run
//! use sgf_training::{Plane, Positions, Symmetries};
//!
//! let planes = ["own", "opponent", "own-1", "opponent-1", "ko"].map(|name| name.parse::<Plane>().unwrap());
//! let positions = Positions::new(["games/"])
//!     .planes(planes)
//!     .part(0.0..0.9)         // the other games are for the test
//!     .most_per_game(8)
//!     .shuffle(65_536)
//!     .symmetries(Symmetries::Random)
//!     .seed(2024);
//! let shape = positions.shape();
//! let mut reader = positions.read()?;
//! while let Some(batch) = reader.next_batch() {
//!     let planes = batch.dense_planes(shape); // position by position, plane by plane
//!     assert_eq!(planes.len(), batch.len() * 5 * 19 * 19);
//! }
//! println!("{:?}", reader.skipped());
//! # Ok::<(), sgf_training::ReadError>(())
//! ```
//!
//! # What is a position
//!
//! Each move of a main line, a pass too, is the target of the position before it. Setup before the first move counts, so handicap
//! stones do. A line ends at a move that no rules allow (on a stone, a ko retaken, the suicide of a single stone, off the board),
//! and where stones are set up after the first move. Games that are cut, broken, on another board or without moves are skipped.
//! [`Skipped`] counts all of it.
//!
//! # Order
//!
//! Files, and ranges of large ones, are *units*. With [`shuffle`](Positions::shuffle), the units are shuffled, and then each block
//! of positions. A [shard](Positions::shard) has each n-th unit. All random choices depend on the seed, the epoch and the place of
//! a game, so that a run can be repeated, and [resumed](Positions::resume) at any batch.

mod bits;
mod games;
mod grid;
mod liberties;
mod line;
mod plane;
mod random;
mod reader;
mod settings;
mod skipped;
mod store;
mod units;

pub use self::plane::{DEFAULT as DEFAULT_PLANES, MOST_HISTORY, Plane, PlaneError};
pub use self::reader::{ReadError, Reader, State};
pub use self::settings::{Positions, Symmetries};
pub use self::skipped::Skipped;
pub use self::store::{Batch, Shape};
