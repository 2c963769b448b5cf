//! Games on all cores.

mod long;
mod part;
mod parts;
mod reader;
mod tasks;

pub use long::LongGame;
pub use part::Part;
pub use parts::{Next, Parts};
#[cfg(feature = "serde")]
pub use reader::Games;
pub use reader::{Map, ParReader};
pub use tasks::Tasks;
