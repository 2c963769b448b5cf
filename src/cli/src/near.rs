//! Names that a user may have meant instead of one that does not exist.

use sgf_input::near::certain_hint;
pub(crate) use sgf_input::near::hint;
use sgf_stream::property;
use sgf_stream::table::{Column, Table};

/// Returns the property that a name means in other letters, such as PB for `pb`.
fn property(name: &str) -> Option<String> {
    let upper = name.to_ascii_uppercase();
    (upper != name && property::find(&upper).next().is_some()).then_some(upper)
}

/// Returns the end of a message that names the columns of a table that may be meant: `; did you mean 'black'?`.
pub(crate) fn column_hint(name: &str, table: Table) -> String {
    let property = property(name).filter(|_| table == Table::Games);
    certain_hint(name, property.as_deref(), Column::all(table).iter().map(Column::name))
}
