//! Names that a user may have meant instead of one that does not exist.

use sgf_stream::property;
use sgf_stream::table::{Column, Table};

/// Most names in a hint.
const MOST: usize = 3;

/// Returns the names that are like a name, the most like one first.
pub(crate) fn names<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Vec<&'n str> {
    let wanted = name.to_lowercase();
    let mut near: Vec<_> = known
        .into_iter()
        .map(|known| (strsim::damerau_levenshtein(&wanted, &known.to_lowercase()), known))
        .filter(|(distance, known)| *distance <= 1 + wanted.len() / 4 || wanted.len() > 2 && known.contains(&wanted))
        .collect();
    near.sort_unstable();
    near.dedup();
    near.into_iter().take(MOST).map(|(_, known)| known).collect()
}

/// Returns the property that a name means in other letters, such as PB for `pb`.
pub(crate) fn property(name: &str) -> Option<String> {
    let upper = name.to_ascii_uppercase();
    (upper != name && property::find(&upper).next().is_some()).then_some(upper)
}

/// Says which columns of a table a name may mean: `; did you mean "black"?`.
pub(crate) fn column_hint(name: &str, table: Table) -> String {
    let all = Column::all(table);
    let property = property(name).filter(|_| table == Table::Games);
    let near = names(name, all.iter().map(Column::name));
    let meant: Vec<String> =
        property.iter().map(String::as_str).chain(near).take(MOST).map(|name| format!("{name:?}")).collect();
    if meant.is_empty() { String::new() } else { format!("; did you mean {}?", meant.join(" or ")) }
}
