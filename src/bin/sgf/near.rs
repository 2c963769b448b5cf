//! Names that a user may have meant instead of one that does not exist.

use sgf_stream::property;
use sgf_stream::table::{Column, Table};

/// Most names in a hint.
const MOST: usize = 3;

/// Returns the names that are like a name, the most like one first.
pub(crate) fn names<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Vec<&'n str> {
    ranked(name, known).into_iter().take(MOST).map(|(_, known)| known).collect()
}

/// Returns the end of a message that names those that are most like a name: `; did you mean a or b?`. Empty if none is.
pub(crate) fn hint(name: &str, known: &[&str]) -> String {
    let ranked = ranked(name, known.iter().copied());
    let least = ranked.first().map(|(distance, _)| *distance);
    let nearest: Vec<_> =
        ranked.iter().take_while(|(distance, _)| Some(*distance) == least).map(|(_, name)| *name).collect();
    match nearest.is_empty() {
        true => String::new(),
        false => format!("; did you mean {}?", nearest[..nearest.len().min(MOST)].join(" or ")),
    }
}

/// The names that are like a name, after their distances from it. `utf8` is `UTF-8`.
fn ranked<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Vec<(usize, &'n str)> {
    let reduced = |name: &str| -> String {
        name.chars().filter(|char| char.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let wanted = reduced(name);
    let mut near: Vec<_> = known
        .into_iter()
        .map(|known| (reduced(known), known))
        .map(|(reduced, known)| (strsim::damerau_levenshtein(&wanted, &reduced), reduced.contains(&wanted), known))
        .filter(|(distance, contains, _)| *distance <= 1 + wanted.len() / 4 || wanted.len() > 2 && *contains)
        .map(|(distance, _, known)| (distance, known))
        .collect();
    near.sort_unstable();
    near.dedup();
    near
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
