//! Points with a unit in Korean, Chinese and Japanese.

use crate::value::Real;

/// Parses points with a unit and no spaces: `3.5집`, `3집반`, `반집`, `3目半`, `半目`.
///
/// The half comes before or after the unit.
pub(super) fn in_points(text: &str) -> Option<Real> {
    let (unit, half) = if text.contains('집') { ('집', '반') } else { ('目', '半') };
    let (number, rest) = text.split_once(unit)?;
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

/// Parses a number without a sign, leniently.
pub(super) fn unsigned(number: &str) -> Option<Real> {
    let is_unsigned = number.starts_with(|c: char| c.is_ascii_digit() || ".¼½¾".contains(c));
    if is_unsigned { Real::parse_lenient(number).ok() } else { None }
}
