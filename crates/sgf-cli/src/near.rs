//! Names that a user may have meant instead of one that does not exist.

pub(crate) use sgf_input::column_hint;
pub(crate) use sgf_input::near::hint;
