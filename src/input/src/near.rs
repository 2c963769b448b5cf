//! Names that a user may have meant instead of one that does not exist.

/// Most names in a hint.
const MOST: usize = 3;

/// Returns the names that are like a name, the most like one first.
pub fn names<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Vec<&'n str> {
    ranked(name, known).into_iter().take(MOST).map(|(_, known)| known).collect()
}

/// Returns the end of a message that names those that are most like a name: `; did you mean a or b?`. Empty if none is.
pub fn hint(name: &str, known: &[&str]) -> String {
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

/// Returns the end of a message that names, in quotes, one that is certainly meant and those that are like a name:
/// `; did you mean "black"?`. Empty if none is.
pub fn quoted_hint<'n>(name: &str, certain: Option<&str>, known: impl IntoIterator<Item = &'n str>) -> String {
    let near = names(name, known);
    let meant: Vec<String> = certain.into_iter().chain(near).take(MOST).map(|name| format!("{name:?}")).collect();
    if meant.is_empty() { String::new() } else { format!("; did you mean {}?", meant.join(" or ")) }
}
