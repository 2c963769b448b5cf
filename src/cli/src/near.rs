//! Names that a user may have meant instead of one that does not exist.

pub(crate) use sgf_input::near::hint;
use sgf_input::near::quoted_hint;
use sgf_stream::property;
use sgf_stream::table::{Column, Table};

/// Returns the property that a name means in other letters, such as PB for `pb`.
fn property(name: &str) -> Option<String> {
    let upper = name.to_ascii_uppercase();
    (upper != name && property::find(&upper).next().is_some()).then_some(upper)
}

/// Says which columns of a table a name may mean: `; did you mean "black"?`.
pub(crate) fn column_hint(name: &str, table: Table) -> String {
    let property = property(name).filter(|_| table == Table::Games);
    quoted_hint(name, property.as_deref(), Column::all(table).iter().map(Column::name))
}
