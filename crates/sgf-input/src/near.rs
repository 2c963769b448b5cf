//! Names that a user may have meant instead of one that does not exist.

/// Most names in a hint.
const MOST: usize = 3;

/// Returns the names that are most like a name.
pub fn names<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Vec<&'n str> {
    let ranked = ranked(name, known);
    let least = ranked.first().map(|(distance, _)| *distance);
    let nearest = ranked.iter().take_while(|(distance, _)| Some(*distance) == least);
    nearest.take(MOST).map(|(_, name)| *name).collect()
}

/// Returns the end of a message about an unknown name: `; did you mean 'a' or 'b'?`.
///
/// It is empty if no known name is like it.
pub fn hint<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> String {
    certain_hint(name, None, known)
}

/// Returns a [`hint`] that starts with a name that is certainly meant.
pub fn certain_hint<'n>(name: &str, certain: Option<&str>, known: impl IntoIterator<Item = &'n str>) -> String {
    let quoted = |name: &str| format!("'{name}'");
    question(certain.map(quoted).into_iter().chain(names(name, known).into_iter().map(quoted)))
}

/// Returns the end of a message with names as they are to be typed: `; did you mean a, b or c?`.
pub fn question(names: impl IntoIterator<Item = String>) -> String {
    let mut names: Vec<String> = names.into_iter().take(MOST).collect();
    let Some(last) = names.pop() else { return String::new() };
    let front = names.join(", ");
    let or = if front.is_empty() { "" } else { " or " };
    format!("; did you mean {front}{or}{last}?")
}

/// Returns the names that are like a name, after their distances from it. `utf8` is `UTF-8`.
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
