//! Points with a unit in Korean, Chinese and Japanese.

use crate::value::Real;

/// The units, each with its word for a half.
const UNITS: [(char, char); 3] = [('집', '반'), ('목', '반'), ('目', '半')];

/// Parses points with a unit and no spaces: `3.5집`, `3집반`, `반집`, `7.5목`, `3目半`, `半目`.
///
/// The half comes before or after the unit.
pub(super) fn in_points(text: &str) -> Option<Real> {
    let parts = |(unit, half): (char, char)| Some((half, text.split_once(unit)?));
    let (half, (number, rest)) = UNITS.into_iter().find_map(parts)?;
    let and_a_half = match rest.strip_prefix(half) {
        Some("") => true,
        None if rest.is_empty() => false,
        _ => return None,
    };
    let points = match number.strip_suffix(half) {
        Some("") if !and_a_half => return Real::new(0.5),
        Some(_) => return None,
        None => unsigned(number)?,
    };
    if !and_a_half {
        return Some(points);
    }
    let whole = points.get().fract() == 0.0;
    if whole { Real::new(points.get() + 0.5) } else { None }
}

/// Joins words without spaces, unless that joins two numbers.
pub(super) fn joined(words: &[&str]) -> Option<String> {
    let is_digit = |c: char| c.is_ascii_digit();
    let joins_numbers = words.windows(2).any(|pair| pair[0].ends_with(is_digit) && pair[1].starts_with(is_digit));
    (!joins_numbers).then(|| words.concat())
}

/// Parses a number without a sign, leniently.
pub(super) fn unsigned(number: &str) -> Option<Real> {
    let is_unsigned = number.starts_with(|c: char| c.is_ascii_digit() || ".¼½¾".contains(c));
    if is_unsigned { Real::parse_lenient(number).ok() } else { None }
}
