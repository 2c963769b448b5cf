//! Search in games of Go: which games have this position, and what was played next?
//!
//! A [`Pattern`] is a part of a board, read from SGF or from a diagram. A [`Search`] finds it in games as they are read,
//! without an index, rotated, reflected and with exchanged colors.
//!
//! ```
//! use sgf_search::{Pattern, Search};
//! use sgf_stream::Parser;
//! use sgf_stream::value::Color;
//!
//! // Who plays where after the small knight's approach to a 4-4 stone?
//! let pattern = Pattern::parse("
//!     -----------+
//!     . . . . . .|
//!     . . . . . .|
//!     O . . . . .|
//!     . . X . . .|
//!     . . . . . .|
//!     . . . . . .|
//! ")?;
//! let games = b"(;SZ[9];B[fd];W[dc];B[hf])(;SZ[9];B[ai];W[fd];B[gf];W[db])(;SZ[9];B[ee])";
//! let mut found = Vec::new();
//! Search::new(pattern).find(&Parser::new(), games, |game| {
//!     let hit = game.hits()[0];
//!     found.push((game.number(), hit.ply(), hit.next().map(|next| (next.color, next.point.to_string()))));
//! })?;
//! // Each game has the same answer: in the second one, the corner is mirrored and the colors are exchanged.
//! let answer = Some((Color::Black, "ef".to_owned()));
//! assert_eq!(found, [(0, 2, answer.clone()), (1, 3, answer)]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Continuations`] counts what was played next: how often, who won, and when.
//!
//! # What counts as a match
//!
//! A game matches where the position after some node has what the pattern wants on each point of its region: stones that were
//! captured are gone, and setup counts. The first such node is the hit. If the pattern has a continuation, the moves in
//! its region after that node must begin with it, in this order; moves elsewhere do not matter. Then the hit is the one
//! whose last move comes first.
//!
//! Games are read as `sgf_board` plays them: a move on a stone replaces it, and one off the board does nothing.
//! [`Counts`] says in how many games there were such moves, and how many games could not be searched.
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `arrow` | `arrow`: hits as record batches |
//! | `index` | `index`: archives that are searched without reading their games, as Parquet files |

#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "arrow")]
pub mod arrow;
mod completions;
mod hit;
#[cfg(feature = "index")]
pub mod index;
mod layout;
mod line;
mod matcher;
mod openings;
mod part;
mod pattern;
mod quick;
mod reading;
mod search;
mod statistics;
mod sums;
mod year;

pub use self::hit::{Hit, Next};
pub use self::matcher::{Counts, GameHits, Matcher};
pub use self::openings::{OpeningNode, OpeningReader, OpeningTree, Openings, Way, is_even};
pub use self::pattern::{Need, Pattern, PatternError};
pub use self::quick::{Quick, QuickMatch};
pub use self::search::{Orientation, Place, Search};
pub use self::statistics::{Continuation, Continuations, Drawing};
pub use self::sums::{GameFacts, Outcome, Share, Sums};
pub use self::year::is_plausible_year;
