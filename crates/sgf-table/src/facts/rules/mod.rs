//! The rules, by the facts that they give. Each has the places that it looks at, its meaning, where it is known from, and a
//! game as example, which is also its test.
//!
//! To add a rule, add a row to the list of its fact, before the rules that know less. Then run
//! `UPDATE_PAGES=1 cargo test -p sgf-stream-tests --all-features --test it facts::`, which rewrites the page of the rules.

mod board;
mod events;
mod origin;
mod players;
mod time;

pub(super) use self::board::{FAMILY, HANDICAP, KOMI};
pub(super) use self::origin::{ORIGIN, RATED};
pub(super) use self::players::{BOT, GRADE, RANK};
pub(super) use self::time::{CLASS, MAIN_TIME, OVERTIME};

/// Bases that several rules have.
const WRITES: &str = "files of the server";
const OWN_NAME: &str = "its name in the text";
const KATAGO: &str = "KataGo, `writetrainingdata.cpp`";
const KATAGO_SGF: &str = "KataGo, `sgf.cpp`";
