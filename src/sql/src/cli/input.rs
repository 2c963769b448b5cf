//! The options that choose inputs: those of the binary `sgf`.

#[allow(dead_code)]
#[path = "../../../bin/sgf/input/exclude.rs"]
mod exclude;
#[allow(dead_code)]
#[path = "../../../bin/sgf/input/name.rs"]
mod name;
#[allow(dead_code)]
#[path = "../../../bin/sgf/input/select.rs"]
mod select;

pub(super) use self::name::Name;
pub(super) use self::select::{HOW, Selection, is_stdin};
