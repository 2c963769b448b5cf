//! Values of single properties whose format is specified, or established by custom.
//!
//! Each file covers one property or a pair: `SZ`, `DT`, `RE`, `KM`, `HA`, `TM`, `OT`, `RU`, `BR` and `WR`, `RO`,
//! `FG`, `AP`.

mod application;
mod date;
mod figure;
mod handicap;
mod komi;
mod overtime;
mod rank;
mod result;
mod round;
mod ruleset;
mod size;
mod time;
mod units;

pub use application::Application;
pub use date::{Date, Dates};
pub use figure::{Figure, FigureFlags};
pub use handicap::Handicap;
pub use komi::Komi;
pub use overtime::Overtime;
pub use rank::{Certainty, Grade, Rank};
pub use result::{GameResult, Score, WonBy};
pub use round::Round;
pub use ruleset::{OctiRules, Ruleset};
pub use size::Size;
pub use time::Seconds;
